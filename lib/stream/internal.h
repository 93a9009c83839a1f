/* internal.h: what the files of this folder, and their unit tests, know of each other. */
#ifndef ANIM_STREAM_INTERNAL_H
#define ANIM_STREAM_INTERNAL_H

#include <zlib.h>

#include "base/output.h"
#include "clip/sink.h"
#include "clip/track.h"
#include "stream/archive.h"
#include "stream/fields.h"

/* ---- Tracks as records: decode.c, encode.c ---- */

/* The column table of a track: `row`, ids ascending, and the bytes of the record before the first column. */
struct anim_track_row {
	uint8_t id, form;
	uint64_t bytes; /* of the column as stored */
};
struct anim_track_rows {
	size_t count, size;
	struct anim_track_row row[256];
};

/*
 * A track's head without its columns, and their table. The record may be cut behind the table: its length then is that
 * of the bytes that are there, and -1 may mean that there are too few.
 */
int anim_record_track_head(const struct anim_record *, struct anim_track *, struct anim_track_rows *,
			   struct anim_arena *, struct anim_error *);

/* As anim_record_track for a record whose columns were checked before: they are not looked at again. */
int anim_record_track_again(const struct anim_record *, struct anim_track *, struct anim_arena *, struct anim_error *);

/*
 * The record of what flows by: its own (what a copy could have wrong in another stream is checked: parents, the tree of a
 * clip), or one encoded into `small`, which is emptied first. 0 or -1.
 */
int anim_tree_record(struct anim_record *, const struct anim_tree *, struct anim_buffer *small, struct anim_error *);
int anim_node_record(struct anim_record *, const struct anim_node *, uint32_t number, struct anim_buffer *small,
		     struct anim_error *);
int anim_clip_record(struct anim_record *, const struct anim_clip *, bool tree_before, struct anim_buffer *small,
		     struct anim_error *);
int anim_end_record(struct anim_record *, const struct anim_order *, struct anim_buffer *small, struct anim_error *);

/* Columns 0 to 9, the values of strings in two. */
#define ANIM_PIECES_MAX 11

struct anim_piece {
	const void *bytes;
	size_t size; /* without the zeros to 8 that follow it */
};

/*
 * An encoded track as head and columns that stay where they are, so that no large column is copied. All-zero is empty. The
 * head is owned, the columns are borrowed from the track.
 */
struct anim_pieces {
	struct anim_buffer head;    /* record head, fields, column table; a multiple of 8 */
	struct anim_buffer strings; /* of a track whose strings do not lie one after another */
	struct anim_piece piece[ANIM_PIECES_MAX];
	size_t count;
	uint64_t length, size; /* of the payload, of the whole record */
};

/* Validates and encodes; length and CRC are in the head. Replaces what was there. 0 or -1. */
int anim_pieces_encode(struct anim_pieces *, const struct anim_track *, struct anim_error *);
void anim_pieces_clear(struct anim_pieces *);

/* Gives the record's bytes to `put`, in order, the zeros between columns too. 0, or -1 as soon as put returns it. */
int anim_pieces_each(const struct anim_pieces *,
		     int (*put)(void *context, const void *bytes, size_t size, struct anim_error *), void *context,
		     struct anim_error *);

/* ---- Bytes on their way into an archive: archive_pool.c ---- */

enum anim_deflate_way {
	ANIM_DEFLATE_MATCHES, /* zlib's default strategy */
	ANIM_DEFLATE_RUNS,    /* Z_RLE: byte planes, which repeat themselves in runs only */
	ANIM_DEFLATE_STORED   /* a plane of noise: deflating it would cost time and gain nothing */
};

/* A run of bytes and the way it is best deflated. */
struct anim_stretch {
	size_t size;
	uint8_t way;        /* enum anim_deflate_way */
	bool begins_member; /* must be the first of a member */
};

/* All-zero is empty. */
struct anim_stretches {
	struct anim_buffer items; /* struct anim_stretch, one after another */
};

/*
 * Adds one behind the last; it becomes part of it where that makes no difference (a stretch of runs stays its own, since
 * each plane has its own statistics). 0 or -1.
 */
int anim_stretches_add(struct anim_stretches *, const struct anim_stretch *, struct anim_error *);

size_t anim_stretches_count(const struct anim_stretches *);
const struct anim_stretch *anim_stretches_at(const struct anim_stretches *, size_t i); /* borrowed until the next add */

/* What is collected for a member, and the member made of it. Owns its memory, of fixed size. */
struct anim_member {
	uint8_t *plain; /* ANIM_MEMBER_MAX bytes */
	size_t plain_size;
	struct anim_stretches stretches; /* of `plain` */
	uint8_t *packed;
	size_t packed_size;
};

int anim_member_init(struct anim_member *, struct anim_error *); /* 0, or -1: to be cleared all the same */
void anim_member_clear(struct anim_member *);

/* Deflates members one after another; one for each thread. */
struct anim_deflater;

/*
 * level 1 to 9: zlib's own for all that is deflated; 0: runs by Z_RLE, the rest at level 6, in small members 9. NULL out of
 * memory.
 */
struct anim_deflater *anim_deflater_new(int level, struct anim_error *);
void anim_deflater_free(struct anim_deflater *); /* NULL is allowed */

/*
 * Makes `packed` of `plain` (not empty): head with AX, deflated data, CRC-32 and size; stored where that is not larger.
 * Cannot fail. The same bytes, whichever deflater of this level and version of zlib does it.
 */
void anim_deflater_run(struct anim_deflater *, struct anim_member *);

/* Members filled in order, deflated by several threads, written in order. */
struct anim_member_pool;

/*
 * `jobs` threads (1 to ANIM_ARCHIVE_JOBS_MAX) deflate, the caller's among them while it waits; where the system gives fewer,
 * fewer do, and the bytes are the same. Holds about 1 MiB for each. The output is borrowed. NULL on failure.
 */
struct anim_member_pool *anim_member_pool_new(struct anim_output *, unsigned jobs, int level, struct anim_error *);
void anim_member_pool_free(struct anim_member_pool *); /* waits for its threads; NULL is allowed */

/* The member to be filled next, empty at first; borrowed until the next submit. */
struct anim_member *anim_member_pool_current(struct anim_member_pool *);

/* Hands the current one (not empty) over to be deflated and written. 0 or -1. */
int anim_member_pool_submit(struct anim_member_pool *, struct anim_error *);

/* Waits until all that was handed over is written. 0 or -1. */
int anim_member_pool_finish(struct anim_member_pool *, struct anim_error *);

/* Where the byte at `offset` of the inflated stream lies: in what was written, or at the start of the next member. */
struct anim_archive_place anim_member_pool_place(const struct anim_member_pool *, uint64_t offset);

/* The times that iNDX tells of a track's keys: of key k, that of a Raw track of unknown interval being its start. */
double anim_archive_key_time(const struct anim_track *, size_t k);
/* The smallest and the largest finite one; 0 and -1 where there is none. */
void anim_archive_time_range(const struct anim_track *, float range[2]);

/* ---- Prepared columns: form1.c ---- */

#define ANIM_FORM1_COMPONENTS_MAX 16
#define ANIM_FORM1_WIDTH_MAX 8
#define ANIM_FORM1_BLOCK_KEYS 8192u
#define ANIM_FORM1_HEAD 8u /* bytes of a column's head, before its first block */

struct anim_form1_component {
	uint8_t order;
	bool is_noise[ANIM_FORM1_WIDTH_MAX]; /* of each byte plane: it has close to 8 bits a byte */
};

/* How a block of a numeric column is best prepared. */
struct anim_form1_choice {
	struct anim_form1_component component[ANIM_FORM1_COMPONENTS_MAX];
	bool stands_still;    /* most keys are equal to the one before: matches over whole keys cannot be bettered */
	bool repeats;         /* stretches of keys come again later in the block */
	double plain_bits;    /* estimates for the whole block: as it is */
	double prepared_bits; /* and prepared so */
};

/* Looks at `keys` keys (at least 1) that begin at `column`. The same bytes give the same choice on any machine. */
void anim_form1_choose(struct anim_form1_choice *, const uint8_t *column, size_t keys, struct anim_column_shape);

/* Bytes of a block of so many keys. */
size_t anim_form1_block_size(size_t keys, struct anim_column_shape);

/*
 * True where the column of n keys would become smaller by it, as a sample of its middle block tells; *middle is then how
 * that block is best prepared.
 */
bool anim_form1_gains(const void *column, size_t n, struct anim_column_shape, struct anim_form1_choice *middle);

/*
 * Appends the column, prepared in blocks of ANIM_FORM1_BLOCK_KEYS, and its stretches; both end on a multiple of 8. `out`
 * must stand on one. `middle` is what anim_form1_gains found. 0, or -1 out of memory.
 */
int anim_form1_encode(struct anim_buffer *out, struct anim_stretches *, const void *column, size_t n,
		      struct anim_column_shape, const struct anim_form1_choice *middle, struct anim_error *);

/*
 * Undoes form 1: the `size` bytes at `bytes` become n keys of plain values in the cursor's arena. All sizes are checked
 * before that is asked for. 0, or -1 with the offset of what is wrong.
 */
int anim_form1_undo(struct anim_cursor *, const uint8_t *bytes, uint64_t size, size_t n, struct anim_column_shape,
		    const void **column);

/* Undoes the block under the cursor, of `keys` keys, into plain values at `out`. 0 or -1 with its place. */
int anim_form1_undo_block(struct anim_cursor *, uint8_t *out, size_t keys, struct anim_column_shape);

/* ---- An open archive: archive_open.c ---- */

/* A member that was inflated; at == next: none. */
struct anim_loaded_member {
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
	uint8_t *packed;                                                             /* a chunk of the file */
	void (*progress)(void *context, uint64_t read_bytes, uint64_t source_bytes); /* NULL: none; after each member */
	void *progress_context;
	uint64_t progress_of; /* its source_bytes */
	struct anim_loaded_member kept[ANIM_MEMBERS_KEPT];
};

struct anim_archive {
	int fd;
	bool owns_fd;
	char *name;
	uint64_t size;     /* of the file */
	uint64_t index_at; /* the member that begins with iNDX */
	struct anim_members members;
	struct anim_arena index_arena, arena; /* of the index; of the record at hand */
	struct anim_archive_index index;
	struct anim_buffer record;                                     /* the bytes of the record at hand */
	struct anim_buffer columns[ANIM_COLUMN_COUNT], texts, scratch; /* of a track that is read in part */
	struct anim_buffer starts;                                     /* where its strings begin */
	struct anim_strings strings;
};

/* Fails with the file offset of a member. */
int anim_members_fail(const struct anim_members *, uint64_t member, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Gives an error that has a message but no place of its own the place of a member. Returns -1. */
int anim_members_place(const struct anim_members *, uint64_t member, struct anim_error *);

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

/*
 * Reads the record at the place into archive->record, its CRC and padding checked; the place moves behind it. `tag` NULL:
 * any. Offsets in later complaints about it count from its head. 0 or -1.
 */
int anim_archive_record(struct anim_archive *, struct anim_archive_place *, const char *tag, struct anim_record *,
			struct anim_error *);

/* Reads the 16 bytes of the record at the place, which stays: its tag and length. 0 or -1. */
int anim_archive_record_head(struct anim_archive *, const struct anim_archive_place *, struct anim_record *,
			     struct anim_error *);

/* Reads the stream's first bytes at the place, which moves behind them. 0 or -1 where it is none, or a newer one. */
int anim_archive_stream_head(struct anim_archive *, struct anim_archive_place *, struct anim_error *);

/* True where the track is what the index says of it. */
bool anim_archive_track_agrees(const struct anim_archive_track *, const struct anim_track *);

#endif
