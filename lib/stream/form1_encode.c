/* form1_encode.c: columns prepared for compression: differences, zigzag, byte planes. */
#include "stream/form1_encode.h"

#include <string.h>

#include "stream/archive.h"

/* Columns of fewer keys are left plain: there is no telling by so few, and next to nothing to be had. */
#define GAIN_LEAST_KEYS 16
/* What the heads of a prepared column and of its block take when they are deflated. */
#define HEAD_BITS 72
/* What the estimates must promise at least, since they are blind to matches. */
#define GAIN_LEAST 0.97

#define WORD uint32_t
#define NAME(x) x##32
#include "stream/form1_lane.inc"
#undef WORD
#undef NAME
#define WORD uint64_t
#define NAME(x) x##64
#include "stream/form1_lane.inc"
#undef WORD
#undef NAME

static size_t align8(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

size_t anim_form1_block_size(size_t keys, struct anim_column_shape shape)
{
	return align8(shape.lanes) + align8(keys * shape.lanes * shape.width);
}

static size_t keys_of_block(size_t n, size_t done)
{
	return n - done < ANIM_FORM1_BLOCK_KEYS ? n - done : ANIM_FORM1_BLOCK_KEYS;
}

/* The first key of the block that stands for the column. */
static size_t middle_of(size_t n)
{
	return n / ANIM_FORM1_BLOCK_KEYS / 2 * ANIM_FORM1_BLOCK_KEYS;
}

bool anim_form1_gains(const void *column, size_t n, struct anim_column_shape shape, struct anim_form1_choice *middle)
{
	const size_t first = middle_of(n);

	if (n < GAIN_LEAST_KEYS || shape.lanes == 0)
		return false;
	anim_form1_choose(middle, (const uint8_t *)column + first * shape.lanes * shape.width, keys_of_block(n, first),
			  shape);
	return !middle->stands_still && middle->prepared_bits + HEAD_BITS < middle->plain_bits * GAIN_LEAST;
}

static enum anim_deflate_way way_of(const struct anim_form1_choice *choice, size_t keys, unsigned lane, unsigned byte)
{
	if (choice->repeats || keys < ANIM_FORM1_PLANE_KEYS)
		return ANIM_DEFLATE_MATCHES;
	return choice->lane[lane].is_noise[byte] ? ANIM_DEFLATE_STORED : ANIM_DEFLATE_RUNS;
}

/* One stretch for each plane; the orders go with the first, the padding with the last. */
static int add_stretches(struct anim_stretches *stretches, const struct anim_form1_choice *choice, size_t keys,
			 struct anim_column_shape shape, struct anim_error *error)
{
	const size_t size = anim_form1_block_size(keys, shape), planes = keys * shape.lanes * shape.width;
	struct anim_stretch stretch = {.begins_member = size >= ANIM_MEMBER_BLOCK_MIN};
	size_t extra = align8(shape.lanes);

	for (unsigned lane = 0; lane < shape.lanes; lane++)
		for (unsigned byte = 0; byte < shape.width; byte++) {
			bool is_last = lane + 1 == shape.lanes && byte + 1 == shape.width;

			stretch.size = extra + keys + (is_last ? align8(planes) - planes : 0);
			stretch.way = (uint8_t)way_of(choice, keys, lane, byte);
			if (anim_stretches_add(stretches, &stretch, error) != 0)
				return -1;
			stretch.begins_member = false;
			extra = 0;
		}
	return 0;
}

static void prepare_lane(uint8_t *planes, const uint8_t *lane, size_t step, unsigned width, unsigned order, size_t keys)
{
	if (width == 8)
		prepare64(planes, lane, step, width, order, keys);
	else
		prepare32(planes, lane, step, width, order, keys);
}

void anim_form1_prepare_block(uint8_t *block, const uint8_t *column, size_t keys, struct anim_column_shape shape,
			      const uint8_t *orders)
{
	const size_t step = (size_t)shape.lanes * shape.width, size = anim_form1_block_size(keys, shape);
	uint8_t *planes = block + align8(shape.lanes);

	memset(block, 0, align8(shape.lanes));
	memset(block + size - 8, 0, 8);
	memcpy(block, orders, shape.lanes);
	for (unsigned lane = 0; lane < shape.lanes; lane++)
		prepare_lane(planes + lane * keys * shape.width, column + lane * shape.width, step, shape.width,
			     orders[lane], keys);
}

static int encode_block(struct anim_buffer *out, struct anim_stretches *stretches, const uint8_t *column, size_t keys,
			struct anim_column_shape shape, const struct anim_form1_choice *choice,
			struct anim_error *error)
{
	uint8_t *block = anim_buffer_extend(out, anim_form1_block_size(keys, shape), error);
	uint8_t orders[ANIM_FORM1_LANES_MAX];

	if (block == NULL)
		return -1;
	for (unsigned lane = 0; lane < shape.lanes; lane++)
		orders[lane] = choice->lane[lane].order;
	anim_form1_prepare_block(block, column, keys, shape, orders);
	return add_stretches(stretches, choice, keys, shape, error);
}

int anim_form1_encode(struct anim_buffer *out, struct anim_stretches *stretches, const void *column, size_t n,
		      struct anim_column_shape shape, const struct anim_form1_choice *middle, struct anim_error *error)
{
	const uint32_t head[2] = {ANIM_FORM1_BLOCK_KEYS, 0};
	const struct anim_stretch stretch = {sizeof head, ANIM_DEFLATE_MATCHES, false};
	const size_t key_bytes = (size_t)shape.lanes * shape.width;

	if (anim_buffer_append(out, head, sizeof head, error) != 0 ||
	    anim_stretches_add(stretches, &stretch, error) != 0)
		return -1;
	for (size_t done = 0; done < n; done += ANIM_FORM1_BLOCK_KEYS) {
		const uint8_t *keys = (const uint8_t *)column + done * key_bytes;
		const size_t count = keys_of_block(n, done);
		struct anim_form1_choice own;

		if (done != middle_of(n))
			anim_form1_choose(&own, keys, count, shape);
		if (encode_block(out, stretches, keys, count, shape, done == middle_of(n) ? middle : &own, error) != 0)
			return -1;
	}
	return 0;
}
