/* archive.h: the seekable gzip archive (.axs.gz): its constants, its index, its reader and its writer. */
#ifndef ANIM_STREAM_ARCHIVE_H
#define ANIM_STREAM_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/output.h"
#include "clip/sink.h"
#include "clip/span.h"
#include "stream/record.h"

/*
 * A member begins with 1f 8b 08 04, mtime 0, XFL 0, OS 255, u16 XLEN, then FEXTRA, whose first subfield is AX: 'A'
 * 'X' u16 4 u32 member bytes - 1. Deflated data, CRC-32 and ISIZE follow as in any gzip file.
 */
#define ANIM_MEMBER_MAX ((size_t)256 * 1024) /* inflated bytes of a member */
/* a prepared block of this many bytes starts a member, and so does iNDX */
#define ANIM_MEMBER_BLOCK_MIN ((size_t)64 * 1024)
#define ANIM_MEMBER_HEAD 20u  /* header of a member whose FEXTRA contains only AX */
#define ANIM_MEMBER_TAIL 8u   /* CRC-32 and ISIZE */
#define ANIM_MEMBER_AX_AT 16u /* position of the u32 of AX in a member */

/*
 * The trailer is a member of its own with these bytes. The offset of the iNDX member (u64) is at
 * ANIM_TRAILER_OFFSET_AT.
 */
#define ANIM_TRAILER_SIZE 42u
#define ANIM_TRAILER_OFFSET_AT 24u
extern const uint8_t anim_archive_trailer[ANIM_TRAILER_SIZE]; /* with zeros as the offset */

/*
 * The position of a byte of the inflated stream. member is the file offset of a gzip member, inner the offset in its
 * contents.
 */
#define ANIM_ARCHIVE_NOWHERE UINT64_MAX
struct anim_archive_place {
	uint64_t member;
	uint32_t inner; /* less than the size of the contents: on a border, the position is in the later member */
};

/* Stored as 16 bytes in iNDX. */
struct anim_archive_block {
	uint64_t member;
	uint32_t inner;
	float time_s; /* of the first key of the block; 0 if n = 0 */
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
	uint32_t block_keys; /* of all prepared columns; 0: none */
	size_t column_count;
	struct anim_archive_column *columns;
};

struct anim_archive_clip {
	const char *name;
	float start_s, end_s;
	struct anim_archive_place place, tree; /* tree.member ANIM_ARCHIVE_NOWHERE (all ones in the file): none */
	size_t track_count;
	struct anim_archive_track *tracks;
};

/* The unit of an error of an archive with columns on a lattice. */
enum anim_bound_unit {
	ANIM_BOUND_NUMBER, /* of a track, with percentages as fractions */
	ANIM_BOUND_LENGTH, /* metres, of a track */
	ANIM_BOUND_ANGLE,  /* degrees, of a track */
	ANIM_BOUND_PIXELS, /* of a track */
	ANIM_BOUND_SPACE,  /* metres, of points around the joints of a tree */
	ANIM_BOUND_UNIT_COUNT
};

/* An error of a clip: the tolerance, and the proven bound that was reached. */
struct anim_archive_bound {
	const char *nodes; /* the glob of an override, or "" for all other nodes */
	enum anim_bound_unit unit;
	float asked, reached;
	float shell_m; /* ANIM_BOUND_SPACE: the distance of the points from the joints */
};

/* The contents of the record bOND. */
#define ANIM_BOUNDS_TAG "bOND"
struct anim_archive_bounds {
	const char *limits; /* as for anim-pack --tol */
	size_t override_count;
	const char **overrides; /* as for anim-pack --override */
	size_t clip_count;
	struct anim_archive_clip_bounds {
		size_t count;
		struct anim_archive_bound *rows;
	} * clips;
};

/*
 * Append such a record to the buffer, or decode one into the arena. The CRC of the record was checked. Returns 0 or -1.
 */
int anim_archive_bounds_encode(struct anim_buffer *, const struct anim_archive_bounds *, struct anim_error *);
int anim_archive_bounds_decode(struct anim_archive_bounds *, const struct anim_record *, struct anim_arena *,
			       struct anim_error *);

/* The contents of iNDX: all clips and tracks in the order of the stream. */
struct anim_archive_index {
	size_t clip_count;
	struct anim_archive_clip *clips;
	const struct anim_archive_bounds *bounds; /* NULL: the archive is exact */
};

/*
 * Decode iNDX into an index in the arena. The CRC of the record was checked. Counts are checked against the available
 * bytes, all positions against `limit`, the file offset of the trailer. Returns 0, or -1 with the offset of the field
 * in the record's stream.
 */
int anim_archive_index_decode(struct anim_archive_index *, const struct anim_record *, uint64_t limit,
			      struct anim_arena *, struct anim_error *);

/* An archive opened through its trailer. It is read with pread, and members are inflated one at a time. */
struct anim_archive;

/*
 * Open an archive. `path` NULL or "-" is standard input, which must be at its first byte; no byte of it is consumed.
 * Returns 1 if the archive is open, with its iNDX read and valid. Returns 0 if it must be read as a stream instead: a
 * pipe, no gzip, gzip without AX. Returns -1 if it is a truncated or damaged archive.
 */
int anim_archive_open(struct anim_archive **, const char *path, struct anim_error *);
void anim_archive_close(struct anim_archive *); /* NULL is allowed */

const struct anim_archive_index *anim_archive_index_get(const struct anim_archive *); /* borrowed until close */

/*
 * Set a function that is called after each member with the number of bytes read, and the size if everything is to be
 * read (otherwise 0). NULL removes it. If it does not return 0, the work fails with ANIM_CANCELLED.
 */
void anim_archive_watch(struct anim_archive *,
			int (*progress)(void *context, uint64_t read_bytes, uint64_t source_bytes), void *context);

/* Statistics of the work so far. */
struct anim_archive_stats {
	uint64_t file_bytes, bytes_read, members_inflated;
};
void anim_archive_stats_get(const struct anim_archive *, struct anim_archive_stats *);

/* The selected parts of an archive. NULL functions select everything. */
struct anim_archive_wanted {
	/*
	 * Return whether to read the head of a clip with this name at all. The sink still gets the head and may
	 * select none of its tracks.
	 */
	bool (*clip)(void *context, const char *name);
	/* Return whether to read this track of the clip that was last given to the sink. */
	bool (*track)(void *context, const char *node, const char *property);
	void *context;
	/* read only the keys of each track that decide the range, if its head is enough to find them */
	struct anim_time_range range;
};

/*
 * Read the selected parts into the sink: prog records, then clip after clip, each after its tree (once if consecutive
 * clips share it). Records with other tags are skipped. Heads and complete tracks have their ->record. A track
 * without it is the span (clip/span.h) of its range. This function does not call end. The data were verified with the
 * CRC-32 of the members, complete records also with their own. Returns 0 or -1.
 */
int anim_archive_read(struct anim_archive *, const struct anim_archive_wanted *, struct anim_sink *,
		      struct anim_error *);

/*
 * Read everything in order: each member and its AX, each record and its fields, END. Compare iNDX with the contents:
 * names, kinds, n, times, and the position of every clip, tree, track and block. Returns 0 or -1.
 */
int anim_archive_check(struct anim_archive *, struct anim_error *);

#define ANIM_ARCHIVE_JOBS_MAX 256u

/* All-zero is one thread and the default method. */
struct anim_archive_writer_options {
	unsigned jobs; /* threads, at most ANIM_ARCHIVE_JOBS_MAX, 0 counts as 1; the output does not depend on it */
	int level;     /* 1 to 9: zlib level for everything that is deflated; 0: the fast method for prepared columns */
	bool no_provenance; /* drop all prog records */
};

/*
 * Return a sink that writes an archive. Records keep their order and contents. Columns are prepared if this makes
 * them smaller. Records that describe others (including iNDX) are dropped, and a new iNDX is written before END.
 * end() writes everything up to the last byte of the trailer. It does not commit the output (borrowed), which must be
 * at the beginning of the archive. NULL on failure.
 */
struct anim_sink *anim_archive_writer_new(struct anim_output *, const struct anim_archive_writer_options *,
					  struct anim_error *);

/*
 * Make this sink keep columns in ANIM_FORM_LATTICE, in a stream of version 2, and write the record ANIM_BOUNDS_TAG that it
 * gets after its index. It compresses more thoroughly. Call it before the first record. Returns 0 or -1.
 */
int anim_archive_writer_lattice(struct anim_sink *, struct anim_error *);

/*
 * Get the bytes that a track takes in an archive by itself, as packed by the method that is used without a level. `lattice`:
 * columns in ANIM_FORM_LATTICE of its record are kept. Returns 0 or -1.
 */
int anim_archive_track_bytes(const struct anim_track *, bool lattice, size_t *bytes, struct anim_error *);
/*
 * Estimate the bytes that the values of a track with numbers take in an archive, from a sample. Returns 0 if the values repeat
 * or hardly change, so that only anim_archive_track_bytes finds their size.
 */
double anim_archive_value_bytes(const struct anim_track *);

/*
 * Put the record of a track (track->record is set) into `out` with its prepared columns as plain ones and everything
 * else unchanged. `out` is emptied first, and stays empty for a track without such columns. Returns 0 or -1.
 */
int anim_track_plain(const struct anim_track *, struct anim_buffer *out, struct anim_arena *, struct anim_error *);

#endif
