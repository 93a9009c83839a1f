/* form1.c: undoes columns that were prepared for compression (differences, zigzag, byte planes). */
#include <string.h>

#include "stream/form1_encode.h"

#define WORD uint32_t
#define NAME(x) x##32
#include "stream/form1_undo.inc"
#undef WORD
#undef NAME
#define WORD uint64_t
#define NAME(x) x##64
#include "stream/form1_undo.inc"
#undef WORD
#undef NAME

uint64_t anim_form1_column_size(uint64_t n, uint64_t block_keys, struct anim_column_shape shape)
{
	uint64_t rest = n % block_keys;

	return ANIM_FORM1_HEAD + n / block_keys * anim_form1_block_size(block_keys, shape) +
	       (rest != 0 ? anim_form1_block_size(rest, shape) : 0);
}

static void undo_lane(uint8_t *out, const uint8_t *planes, unsigned order, size_t keys, struct anim_column_shape shape)
{
	const size_t step = (size_t)shape.lanes * shape.width;

	if (shape.width == 8)
		undo64(out, planes, order, keys, shape.width, step);
	else
		undo32(out, planes, order, keys, shape.width, step);
}

/* One block of `keys` keys under the cursor, which lies wholly inside the payload. */
int anim_form1_undo_block(struct anim_cursor *cursor, uint8_t *out, size_t keys, struct anim_column_shape shape)
{
	const uint8_t *orders, *planes;
	size_t lane_bytes = keys * shape.width;

	if (anim_cursor_take(cursor, shape.lanes, &orders) != 0 || anim_cursor_align8(cursor) != 0 ||
	    anim_cursor_take(cursor, lane_bytes * shape.lanes, &planes) != 0 || anim_cursor_align8(cursor) != 0)
		return -1;
	for (unsigned lane = 0; lane < shape.lanes; lane++) {
		if (orders[lane] > ORDER_MOST)
			return anim_cursor_fail(cursor, orders + lane, "order %d of a prepared lane", orders[lane]);
		undo_lane(out + lane * shape.width, planes + lane * lane_bytes, orders[lane], keys, shape);
	}
	return 0;
}

int anim_form1_undo(struct anim_cursor *parent, const uint8_t *bytes, uint64_t size, size_t n,
		    struct anim_column_shape shape, const void **column)
{
	struct anim_cursor cursor = *parent;
	size_t key_bytes = (size_t)shape.lanes * shape.width;
	uint32_t block_keys;
	uint8_t *out;

	cursor.at = bytes;
	cursor.end = bytes + size;
	if (anim_cursor_get(&cursor, &block_keys, 4) != 0)
		return -1;
	if (block_keys < ANIM_FORM1_KEYS_LEAST || block_keys > ANIM_FORM1_KEYS_MOST)
		return anim_cursor_fail(&cursor, bytes, "a prepared column in blocks of %u keys", (unsigned)block_keys);
	if (anim_cursor_zeros(&cursor, 4) != 0)
		return -1;
	if (size != anim_form1_column_size(n, block_keys, shape))
		return anim_cursor_fail(&cursor, bytes, "a prepared column of %llu bytes, %zu keys need %llu",
					(unsigned long long)size, n,
					(unsigned long long)anim_form1_column_size(n, block_keys, shape));
	out = anim_arena_alloc(cursor.arena, n * key_bytes, cursor.error);
	if (out == NULL)
		return -1;
	for (size_t done = 0; done < n; done += block_keys) {
		size_t keys = n - done < block_keys ? n - done : block_keys;

		if (anim_form1_undo_block(&cursor, out + done * key_bytes, keys, shape) != 0)
			return -1;
	}
	*column = out;
	return 0;
}
