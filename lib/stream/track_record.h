/* track_record.h: what the decoder, the encoder and the store share about TRAK records. */
#ifndef ANIM_STREAM_TRACK_RECORD_H
#define ANIM_STREAM_TRACK_RECORD_H

#include "clip/check.h"
#include "clip/keys.h"
#include "stream/cursor.h"

#define ANIM_COLUMN_ROW 16u /* bytes of a row of the column table */

/*
 * Appends the head of a record and a track's fields up to its column table, which will have so many rows; `interp` as it
 * is. Not checked. 0, or -1 out of memory.
 */
int anim_put_track_fields(struct anim_buffer *, const struct anim_track *, unsigned columns, struct anim_error *);

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

/* How many keys a block of a prepared column may hold. */
#define ANIM_FORM1_KEYS_LEAST 256u
#define ANIM_FORM1_KEYS_MOST 65536u

/* Bytes of a whole prepared column, its head included. */
uint64_t anim_form1_column_size(uint64_t n, uint64_t block_keys, struct anim_column_shape);

/* Undoes the block under the cursor, of `keys` keys, into plain values at `out`. 0 or -1 with its place. */
int anim_form1_undo_block(struct anim_cursor *, uint8_t *out, size_t keys, struct anim_column_shape);

/* Prepares `keys` keys into a block of anim_form1_block_size bytes, with these orders (0..3), one for each lane. */
void anim_form1_prepare_block(uint8_t *block, const uint8_t *column, size_t keys, struct anim_column_shape,
			      const uint8_t *orders);

/*
 * Undoes form 1: the `size` bytes at `bytes` become n keys of plain values in the cursor's arena. All sizes are checked
 * before that is asked for. 0, or -1 with the offset of what is wrong.
 */
int anim_form1_undo(struct anim_cursor *, const uint8_t *bytes, uint64_t size, size_t n, struct anim_column_shape,
		    const void **column);

/* As anim_record_track for a record whose columns were checked before: they are not looked at again. */
int anim_record_track_again(const struct anim_record *, struct anim_track *, struct anim_arena *, struct anim_error *);

#endif
