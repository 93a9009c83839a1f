/* columns.h: tracks as records, and the forms of their columns: plain, prepared, on a lattice. */
#ifndef ANIM_STREAM_COLUMNS_H
#define ANIM_STREAM_COLUMNS_H

#include "clip/track.h"
#include "stream/fields.h"
#include "stream/lattice.h"
#include "stream/members.h"

/* ---- Tracks as records: decode.c, encode.c ---- */

/*
 * The column table of a track: `row`, with ascending ids, and the number of bytes of the record before the first
 * column.
 */
struct anim_track_row {
	uint8_t id, form;
	uint64_t bytes; /* of the stored column */
};
struct anim_track_rows {
	size_t count, size;
	struct anim_track_row row[256];
};

/*
 * Decode the head of a track without its columns, and their table. The record may be cut after the table: its length
 * is then the number of available bytes, and -1 may mean that there are too few.
 */
int anim_record_track_head(const struct anim_record *, struct anim_track *, struct anim_track_rows *,
			   struct anim_arena *, struct anim_error *);

/* Like anim_record_track, for a record whose columns were checked before. They are not checked again. */
int anim_record_track_again(const struct anim_record *, struct anim_track *, struct anim_arena *, struct anim_error *);

/*
 * Get the record of passing data: its own, or one encoded into `small`, which is emptied first. Its own record is
 * checked for properties that can be wrong in another stream: parents, the tree of a clip. Returns 0 or -1.
 */
int anim_tree_record(struct anim_record *, const struct anim_tree *, struct anim_buffer *small, struct anim_error *);
int anim_node_record(struct anim_record *, const struct anim_node *, uint32_t number, struct anim_buffer *small,
		     struct anim_error *);
int anim_clip_record(struct anim_record *, const struct anim_clip *, bool tree_before, struct anim_buffer *small,
		     struct anim_error *);
int anim_end_record(struct anim_record *, const struct anim_order *, struct anim_buffer *small, struct anim_error *);

/* Columns 0 to 9; the values of strings are two pieces. */
#define ANIM_PIECES_MAX 11

struct anim_piece {
	const void *bytes;
	size_t size; /* without the zeros that pad it to 8 */
};

/*
 * An encoded track as a head and columns in place, so that no large column is copied. All-zero is empty. The head is
 * owned, the columns are borrowed from the track.
 */
struct anim_pieces {
	struct anim_buffer head;    /* record head, fields, column table; a multiple of 8 */
	struct anim_buffer strings; /* for a track whose strings are not contiguous */
	struct anim_piece piece[ANIM_PIECES_MAX];
	size_t count;
	uint64_t length, size; /* of the payload, of the complete record */
};

/* Validate and encode a track. The head contains length and CRC. Previous contents are replaced. Returns 0 or -1. */
int anim_pieces_encode(struct anim_pieces *, const struct anim_track *, struct anim_error *);
void anim_pieces_clear(struct anim_pieces *);

/*
 * Pass the bytes of the record to `put` in order, including the zeros between columns. Returns 0, or -1 as soon as
 * put returns it.
 */
int anim_pieces_each(const struct anim_pieces *,
		     int (*put)(void *context, const void *bytes, size_t size, struct anim_error *), void *context,
		     struct anim_error *);

/* ---- Prepared columns: form1.c ---- */

/* The number of times that each byte occurs, and the bits that such bytes need at least, in 1/1024 bits. */
struct anim_entropy {
	uint32_t count[256];
};
uint64_t anim_entropy_bits(const struct anim_entropy *, uint32_t total);

#define ANIM_FORM1_COMPONENTS_MAX 16
#define ANIM_FORM1_WIDTH_MAX 8
#define ANIM_FORM1_BLOCK_KEYS 8192u
#define ANIM_FORM1_HEAD 8u /* bytes of the head of a column, before its first block */

struct anim_form1_component {
	uint8_t order;
	bool is_noise[ANIM_FORM1_WIDTH_MAX]; /* for each byte plane: its entropy is close to 8 bits per byte */
};

/* The best preparation of a block of a numeric column. */
struct anim_form1_choice {
	struct anim_form1_component component[ANIM_FORM1_COMPONENTS_MAX];
	bool is_still;        /* most keys equal the previous key: matching complete keys is then the best method */
	bool repeats;         /* sequences of keys occur again later in the block */
	double plain_bits;    /* estimates for the complete block: unprepared */
	double prepared_bits; /* and prepared in this way */
};

/*
 * Choose the preparation for `keys` keys (at least 1) at `column`. The same bytes give the same choice on every
 * machine.
 */
void anim_form1_choose(struct anim_form1_choice *, const uint8_t *column, size_t keys, struct anim_column_shape);

/* Return the bytes of a block of this many keys. */
size_t anim_form1_block_size(size_t keys, struct anim_column_shape);

/*
 * Return true if preparing makes the column of n keys smaller, estimated from a sample of its middle block. *middle
 * is set to the best preparation of that block.
 */
bool anim_form1_gains(const void *column, size_t n, struct anim_column_shape, struct anim_form1_choice *middle);

/*
 * Append the column, prepared in blocks of ANIM_FORM1_BLOCK_KEYS, and its stretches. Both end at a multiple of 8, and
 * the size of `out` must be one. `middle` is the result of anim_form1_gains. Returns 0, or -1 if out of memory.
 */
int anim_form1_encode(struct anim_buffer *out, struct anim_stretches *, const void *column, size_t n,
		      struct anim_column_shape, const struct anim_form1_choice *middle, struct anim_error *);

/*
 * Decode form 1: convert `size` bytes at `bytes` to n keys of plain values in the arena of the cursor. All sizes are
 * checked before memory is allocated. Returns 0, or -1 with the offset of the error.
 */
int anim_form1_undo(struct anim_cursor *, const uint8_t *bytes, uint64_t size, size_t n, struct anim_column_shape,
		    const void **column);

/* Decode the block of `keys` keys under the cursor into plain values at `out`. Returns 0, or -1 with its place. */
int anim_form1_undo_block(struct anim_cursor *, uint8_t *out, size_t keys, struct anim_column_shape);

/* ---- Values on a lattice: lattice.c ---- */

#define ANIM_LATTICE_HEAD 8u /* bytes of the head of a column, before its first block */

/*
 * Decode the block of `keys` keys under the cursor, which also says how many bytes it has. Returns 0, or -1 with the place
 * of the error.
 */
int anim_lattice_undo_block(struct anim_cursor *, enum anim_type, size_t keys, float *out);

/* Decode a complete column into the arena of the cursor, like anim_form1_undo. */
int anim_lattice_undo(struct anim_cursor *, const uint8_t *bytes, uint64_t size, size_t n, enum anim_type,
		      const void **column);

/* Return the bytes of a block as it says itself, and the most that a block of this many keys can have. */
uint32_t anim_lattice_block_bytes(const uint8_t *block);
size_t anim_lattice_block_most(enum anim_type, size_t keys);

/*
 * Encode a track with these bytes as its value column, in form 2. The other columns are plain. Appends the record.
 * Returns 0 or -1.
 */
int anim_encode_lattice(struct anim_buffer *, const struct anim_track *, const void *column, size_t size,
			struct anim_error *);

#endif
