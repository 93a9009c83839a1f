/* archive.h: the seekable gzip archive (.axs.gz): its numbers, its index, the reader that goes through them, and the writer. */
#ifndef ANIM_STREAM_ARCHIVE_H
#define ANIM_STREAM_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/output.h"
#include "clip/sink.h"
#include "stream/record.h"

/*
 * A member: 1f 8b 08 04, mtime 0, XFL 0, OS 255, u16 XLEN, then FEXTRA, which begins with the subfield AX: 'A' 'X' u16 4 u32
 * member bytes - 1. Deflated data, CRC-32 and ISIZE follow as in any gzip.
 */
#define ANIM_MEMBER_MAX ((size_t)256 * 1024)      /* inflated bytes of a member */
#define ANIM_MEMBER_BLOCK_MIN ((size_t)64 * 1024) /* a prepared block of so many bytes starts a member, so does iNDX */
#define ANIM_MEMBER_HEAD 20u                      /* head of a member whose FEXTRA holds AX alone */
#define ANIM_MEMBER_TAIL 8u                       /* CRC-32 and ISIZE */
#define ANIM_MEMBER_AX_AT 16u                     /* where a member's u32 of AX lies */

/* The trailer is a member of its own, of these bytes, with the iNDX member's offset (u64) at ANIM_TRAILER_OFFSET_AT. */
#define ANIM_TRAILER_SIZE 42u
#define ANIM_TRAILER_OFFSET_AT 24u
extern const uint8_t anim_archive_trailer[ANIM_TRAILER_SIZE]; /* with zeros for the offset */

/* Where a byte of the inflated stream lies: member is the file offset of a gzip member, inner counts in what it holds. */
#define ANIM_ARCHIVE_NOWHERE UINT64_MAX
struct anim_archive_place {
	uint64_t member;
	uint32_t inner; /* smaller than what the member holds: on a border the later member counts */
};

/* As 16 bytes in iNDX. */
struct anim_archive_block {
	uint64_t member;
	uint32_t inner;
	float time_s; /* of the block's first key; 0 where n = 0 */
};

struct anim_archive_column {
	uint8_t id;
	size_t block_count; /* form 0: one */
	struct anim_archive_block *blocks;
};

struct anim_archive_track {
	uint8_t kind, type, component;
	const char *node, *property;
	uint64_t n;
	float first_s, last_s; /* smallest and largest finite time; 0 and -1: none */
	struct anim_archive_place place;
	uint32_t block_keys; /* of all prepared columns; 0: none is */
	size_t column_count;
	struct anim_archive_column *columns;
};

struct anim_archive_clip {
	const char *name;
	float start_s, end_s;
	struct anim_archive_place place, tree; /* tree.member ANIM_ARCHIVE_NOWHERE (in the file all ones): none */
	size_t track_count;
	struct anim_archive_track *tracks;
};

/* What iNDX says: all clips and tracks in the stream's order. */
struct anim_archive_index {
	size_t clip_count;
	struct anim_archive_clip *clips;
};

/*
 * iNDX -> index, in the arena; the record's CRC was checked. Numbers are checked against what is there, all places
 * against `limit`, the file offset of the trailer. 0, or -1 with the field's offset in the stream's record.
 */
int anim_archive_index_decode(struct anim_archive_index *, const struct anim_record *, uint64_t limit,
			      struct anim_arena *, struct anim_error *);

/* Opened through the trailer, read with pread, one member inflated at a time. */
struct anim_archive;

/*
 * 1: opened, its iNDX was read and is right; 0: no archive to be read so (a pipe, no gzip, gzip without AX), read it as a
 * stream; -1: an archive that is cut or damaged. `path` NULL or "-" is standard input, which must be at its first byte
 * (nothing is taken from it).
 */
int anim_archive_open(struct anim_archive **, const char *path, struct anim_error *);
void anim_archive_close(struct anim_archive *); /* NULL is allowed */

const struct anim_archive_index *anim_archive_index_get(const struct anim_archive *); /* borrowed until close */

/* Is told after each member how many bytes were read, and of how many where all are to be (else 0). NULL: nobody. */
void anim_archive_watch(struct anim_archive *,
			void (*progress)(void *context, uint64_t read_bytes, uint64_t source_bytes), void *context);

/* What was done so far. */
struct anim_archive_stats {
	uint64_t file_bytes, bytes_read, members_inflated;
};
void anim_archive_stats_get(const struct anim_archive *, struct anim_archive_stats *);

/* What is wanted of an archive. NULL functions: all. */
struct anim_archive_wanted {
	/* Whether the head of a clip of this name is to be read at all; it then goes to the sink, which may want none of it. */
	bool (*clip)(void *context, const char *name);
	/* Whether this track of the clip that was last given to the sink is wanted. */
	bool (*track)(void *context, const char *node, const char *property);
	void *context;
	bool ranged; /* of each track only the keys that decide from_s..to_s, where that can be told of its head */
	double from_s, to_s; /* on the clips' axes; -INFINITY, INFINITY: their own */
};

/*
 * Reads what is wanted into the sink: prog records, then clip after clip, each behind its tree (once where the next clip
 * has the same). Records of other tags are passed over. Heads and whole tracks have their ->record; a track without one
 * is the span (clip/span.h) of its range. Does not call end. What was read was proved by the members' CRC-32, whole
 * records by their own too. 0 or -1.
 */
int anim_archive_read(struct anim_archive *, const struct anim_archive_wanted *, struct anim_sink *,
		      struct anim_error *);

/*
 * Reads everything, in order: each member and its AX, each record and its fields, END; compares iNDX with what was found:
 * names, kinds, n, times, and the place of every clip, tree, track and block. 0 or -1.
 */
int anim_archive_check(struct anim_archive *, struct anim_error *);

#define ANIM_ARCHIVE_JOBS_MAX 256u

/* All-zero is one thread and the default way. */
struct anim_archive_writer_options {
	unsigned jobs; /* threads, at most ANIM_ARCHIVE_JOBS_MAX, 0 counts as 1; the bytes do not depend on it */
	int level;     /* 1 to 9: zlib's levels for all that is deflated; 0: the fast way that suits prepared columns */
	bool no_provenance; /* drop all prog records */
};

/*
 * A sink. Records keep their order and content; columns are prepared where that makes them smaller, records that describe
 * others (iNDX among them) are left out, and a new iNDX comes before END. end() writes all to the last byte, the trailer;
 * it does not commit the output (borrowed), which must stand at the beginning of the archive. NULL on failure.
 */
struct anim_sink *anim_archive_writer_new(struct anim_output *, const struct anim_archive_writer_options *,
					  struct anim_error *);

/*
 * The record of a track (track->record is set) with its prepared columns plain and all else as it was, into `out`, which
 * is emptied first; a track without such columns leaves it empty. 0 or -1.
 */
int anim_track_plain(const struct anim_track *, struct anim_buffer *out, struct anim_arena *, struct anim_error *);

#endif
