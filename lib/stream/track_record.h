/* track_record.h: what the decoder, the encoder and the store share about TRAK records. */
#ifndef ANIM_STREAM_TRACK_RECORD_H
#define ANIM_STREAM_TRACK_RECORD_H

#include "clip/check.h"
#include "stream/cursor.h"

#define ANIM_COLUMN_ROW 16u /* bytes of a row of the column table */

/* What one key has in a column: stored lanes of so many bytes. */
struct anim_column_shape {
	unsigned lanes, width;
};

/* Shape of one of the columns 0 to 9 in a track of this type; the value column of strings has none (0, 0). */
struct anim_column_shape anim_column_shape(enum anim_column, enum anim_type);

/*
 * Undoes form 1: the `size` bytes at `bytes` become n keys of plain values in the cursor's arena. All sizes are checked
 * before that is asked for. 0, or -1 with the offset of what is wrong.
 */
int anim_form1_undo(struct anim_cursor *, const uint8_t *bytes, uint64_t size, size_t n, struct anim_column_shape,
		    const void **column);

/* As anim_record_track for a record whose columns were checked before: they are not looked at again. */
int anim_record_track_again(const struct anim_record *, struct anim_track *, struct anim_arena *, struct anim_error *);

#endif
