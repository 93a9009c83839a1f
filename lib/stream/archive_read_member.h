/* archive_read_member.h: inflated bytes of an archive by their place, one member at a time. Internal to archive_read. */
#ifndef ANIM_STREAM_ARCHIVE_READ_MEMBER_H
#define ANIM_STREAM_ARCHIVE_READ_MEMBER_H

#include <zlib.h>

#include "base/buffer.h"
#include "stream/archive.h"

#define ANIM_PACKED_CHUNK ((size_t)64 * 1024)

/* A member that was inflated; at == next: none. */
struct anim_member {
	uint64_t at, next; /* where it begins, and the one behind it */
	uint64_t used;     /* when it was last asked for */
	size_t size;
	uint8_t *bytes; /* ANIM_MEMBER_MAX and one more; NULL: not yet used */
};
#define ANIM_MEMBERS_KEPT 4

/* The members of a file up to `limit`, and the last ones that were inflated. */
struct anim_members {
	int fd;
	const char *name; /* for messages, borrowed */
	uint64_t limit;   /* the trailer's offset */
	uint64_t bytes_read, inflated;
	z_stream zip;
	bool has_zip;
	uint64_t clock;
	uint8_t *packed;                                                             /* ANIM_PACKED_CHUNK */
	void (*progress)(void *context, uint64_t read_bytes, uint64_t source_bytes); /* NULL: none; after each member */
	void *progress_context;
	uint64_t progress_of; /* its source_bytes */
	struct anim_member kept[ANIM_MEMBERS_KEPT];
};

int anim_members_init(struct anim_members *, int fd, const char *name, uint64_t limit, struct anim_error *);
void anim_members_clear(struct anim_members *);

/* Fails with the file offset of a member. */
int anim_members_fail(const struct anim_members *, uint64_t member, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Gives an error that has a message but no place of its own the place of a member. Returns -1. */
int anim_members_place(const struct anim_members *, uint64_t member, struct anim_error *);

/* Reads so many bytes of the file as they lie there; -1 where they are not. */
int anim_members_pread(struct anim_members *, uint64_t offset, void *to, size_t size, struct anim_error *);

/* The member that begins at this file offset, inflated and checked wholly; borrowed until the next call. NULL on error. */
const struct anim_member *anim_members_load(struct anim_members *, uint64_t member, struct anim_error *);

/*
 * Moves a place on by `bytes`, over members that are not inflated (their lengths are believed). `place` must be legal
 * where bytes is 0: an inner offset that its member has. 0, or -1 where the archive ends before.
 */
int anim_members_advance(struct anim_members *, struct anim_archive_place *, uint64_t bytes, struct anim_error *);

/*
 * Appends `size` inflated bytes from the place on, which moves behind them; the buffer grows as they come. -1 where there
 * are fewer.
 */
int anim_members_append(struct anim_members *, struct anim_archive_place *, uint64_t size, struct anim_buffer *,
			struct anim_error *);

#endif
