/* form1_encode.h: prepares a numeric column for compression (form 1); anim_form1_undo is the way back. Internal to stream. */
#ifndef ANIM_STREAM_FORM1_ENCODE_H
#define ANIM_STREAM_FORM1_ENCODE_H

#include "stream/form1_choose.h"
#include "stream/stretch.h"

#define ANIM_FORM1_BLOCK_KEYS 8192u

/* The column's head, before its first block. */
#define ANIM_FORM1_HEAD 8u

/* For the loops over a lane, which form1_lane.inc and form1_undo.inc hold: differences of differences at the most, and keys
 * worked on at a time, on the stack. */
#define ORDER_MOST 3u
#define CHUNK 256u

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

#endif
