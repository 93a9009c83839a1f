/* members.h: the members of an archive: bytes to be written by several threads, and an open archive. */
#ifndef ANIM_STREAM_MEMBERS_H
#define ANIM_STREAM_MEMBERS_H

#include <zlib.h>

#include "base/output.h"
#include "clip/track.h"
#include "stream/archive.h"

/* ---- Bytes to be written to an archive: archive_pool.c ---- */

enum anim_deflate_way {
	ANIM_DEFLATE_MATCHES, /* zlib's default strategy */
	ANIM_DEFLATE_RUNS,    /* Z_RLE: byte planes, which only repeat in runs */
	ANIM_DEFLATE_STORED,  /* a plane of noise: deflating it would cost time and save nothing */
	ANIM_DEFLATE_FILTERED /* Z_FILTERED: planes and heads, of which only long repetitions count */
};

/* A sequence of bytes and the best method to deflate it. */
struct anim_stretch {
	size_t size;
	uint8_t way;        /* enum anim_deflate_way */
	bool begins_member; /* must be at the start of a member */
};

/* All-zero is empty. */
struct anim_stretches {
	struct anim_buffer items; /* struct anim_stretch, one after another */
};

/*
 * Append a stretch. It is merged with the last one if this makes no difference. A stretch of runs stays separate,
 * because each plane has its own statistics. Returns 0 or -1.
 */
int anim_stretches_add(struct anim_stretches *, const struct anim_stretch *, struct anim_error *);

size_t anim_stretches_count(const struct anim_stretches *);
const struct anim_stretch *anim_stretches_at(const struct anim_stretches *, size_t i); /* borrowed until the next add */

/* The bytes collected for a member, and the member made from them. Owns its memory, which has a fixed size. */
struct anim_member {
	uint8_t *plain; /* ANIM_MEMBER_MAX bytes */
	size_t plain_size;
	struct anim_stretches stretches; /* of `plain` */
	uint8_t *packed;
	size_t packed_size;
};

int anim_member_init(struct anim_member *, struct anim_error *); /* returns 0 or -1; clear it in both cases */
void anim_member_clear(struct anim_member *);

/* Deflates members one after another. Each thread has its own. */
struct anim_deflater;

/*
 * Return a deflater. level 1 to 9: zlib's level for everything that is deflated. 0: Z_RLE for runs, level 6 for the
 * rest, and 9 in small members. NULL if out of memory.
 */
struct anim_deflater *anim_deflater_new(int level, struct anim_error *);
void anim_deflater_free(struct anim_deflater *); /* NULL is allowed */

/* Try several ways to deflate each member from now on, and keep the smallest result. Returns 0 or -1. */
int anim_deflater_thorough(struct anim_deflater *, struct anim_error *);

/*
 * Make `packed` from `plain` (not empty): header with AX, deflated data, CRC-32 and size. Data are stored if that is
 * not larger. Cannot fail. All deflaters with this level and version of zlib make the same bytes.
 */
void anim_deflater_run(struct anim_deflater *, struct anim_member *);

/* Members filled in order, deflated by several threads, and written in order. */
struct anim_member_pool;

/*
 * Return a pool in which `jobs` threads (1 to ANIM_ARCHIVE_JOBS_MAX) deflate, including the caller's thread while it
 * waits. If the system provides fewer threads, fewer are used, and the output is the same. Holds about 1 MiB per job.
 * The output is borrowed. NULL on failure.
 */
struct anim_member_pool *anim_member_pool_new(struct anim_output *, unsigned jobs, int level, struct anim_error *);
/* Do the same as anim_deflater_thorough in all threads of a pool. Call it before the first member. Returns 0 or -1. */
int anim_member_pool_thorough(struct anim_member_pool *, struct anim_error *);
void anim_member_pool_free(struct anim_member_pool *); /* waits for its threads; NULL is allowed */

/* Return the member to fill next, initially empty, borrowed until the next submit. */
struct anim_member *anim_member_pool_current(struct anim_member_pool *);

/* Submit the current member (not empty) for deflating and writing. Returns 0 or -1. */
int anim_member_pool_submit(struct anim_member_pool *, struct anim_error *);

/* Wait until all submitted members are written. Returns 0 or -1. */
int anim_member_pool_finish(struct anim_member_pool *, struct anim_error *);

/*
 * Return the position of the byte at `offset` of the inflated stream: in a written member, or at the start of the
 * next one.
 */
struct anim_archive_place anim_member_pool_place(const struct anim_member_pool *, uint64_t offset);

/* ---- An open archive: archive_open.c ---- */

/* An inflated member; at == next: none. */
struct anim_loaded_member {
	uint64_t at, next; /* its position and the position of the next member */
	uint64_t used;     /* time of its last use */
	size_t size;
	uint8_t *bytes; /* ANIM_MEMBER_MAX + 1 bytes; NULL: not used yet */
};
#define ANIM_MEMBERS_KEPT 4

/* The members of a file up to `limit`, and those that were inflated last. */
struct anim_members {
	int fd;
	const char *name; /* for messages, borrowed */
	uint64_t limit;   /* the offset of the trailer */
	uint64_t bytes_read, inflated;
	z_stream zip;
	bool has_zip;
	uint64_t clock;
	uint8_t *packed; /* a chunk of the file */
	/* called after each member; NULL: not used */
	int (*progress)(void *context, uint64_t read_bytes, uint64_t source_bytes);
	void *progress_context;
	uint64_t progress_of; /* its source_bytes */
	struct anim_loaded_member kept[ANIM_MEMBERS_KEPT];
};

struct anim_archive {
	int fd;
	bool owns_fd;
	char *name;
	uint64_t size;     /* of the file */
	uint16_t version;  /* of the stream, or 0 before its head was read */
	uint64_t index_at; /* the member that begins with iNDX */
	struct anim_members members;
	struct anim_arena index_arena, arena; /* of the index; of the current record */
	struct anim_archive_index index;
	struct anim_buffer record;                                     /* bytes of the current record */
	struct anim_buffer columns[ANIM_COLUMN_COUNT], texts, scratch; /* of a track that is read in part */
	struct anim_buffer starts;                                     /* start of each of its strings */
	struct anim_strings strings;
};

/* Fail with the file offset of a member. Returns -1. */
int anim_members_fail(const struct anim_members *, uint64_t member, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Set the place of a member in an error that has a message but no place. Returns -1. */
int anim_members_place(const struct anim_members *, uint64_t member, struct anim_error *);

/*
 * Advance a position by `bytes`, across members that are not inflated (their stated lengths are trusted). If bytes is
 * 0, `place` must be valid: an inner offset within its member. Returns 0, or -1 if the archive ends before.
 */
int anim_members_advance(struct anim_members *, struct anim_archive_place *, uint64_t bytes, struct anim_error *);

/*
 * Append `size` inflated bytes from the position, and advance it. The buffer grows as bytes arrive. Returns 0, or -1
 * if there are fewer.
 */
int anim_members_append(struct anim_members *, struct anim_archive_place *, uint64_t size, struct anim_buffer *,
			struct anim_error *);

/*
 * Read the record at the position into archive->record, check its CRC and padding, and advance the position. `tag`
 * NULL: any. Offsets in later errors about it are relative to its head. Returns 0 or -1.
 */
int anim_archive_record(struct anim_archive *, struct anim_archive_place *, const char *tag, struct anim_record *,
			struct anim_error *);

/* Read the 16 bytes of the record at the position without advancing: its tag and length. Returns 0 or -1. */
int anim_archive_record_head(struct anim_archive *, const struct anim_archive_place *, struct anim_record *,
			     struct anim_error *);

/*
 * Read the first bytes of the stream at the position, and advance it. Returns 0, or -1 if it is not a stream or is a
 * newer version.
 */
int anim_archive_stream_head(struct anim_archive *, struct anim_archive_place *, struct anim_error *);

/* Return the time of key k as stored in iNDX. For a Raw track of unknown interval it is the start of the track. */
double anim_archive_key_time(const struct anim_track *, size_t k);
/* Get the smallest and the largest finite time, or 0 and -1 if all are infinite or missing. */
void anim_archive_time_range(const struct anim_track *, float range[2]);

/* Return true if the track matches its entry in the index. */
bool anim_archive_track_agrees(const struct anim_archive_track *, const struct anim_track *);

#endif
