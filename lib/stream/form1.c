/* form1.c: prepares columns for compression (differences, zigzag, byte planes), and decodes them. */
#include "stream/columns.h"

#include <string.h>

/* ---- The best preparation of a block, estimated from a sample ---- */

/*
 * A sample of the keys is prepared in every order, and the entropy of its byte planes estimates the size of each. The
 * computation uses only integers, so that the choice is the same everywhere.
 */
#define ORDERS 4
#define HISTORY 3 /* keys before a run that its highest difference needs */
#define SAMPLE_RUNS 4
#define SAMPLE_RUN 128
#define SAMPLE_MOST (SAMPLE_RUNS * SAMPLE_RUN)

/* Planes of fewer keys share their statistics, because describing separate ones would cost as much as they save. */
#define PLANE_KEYS 512

/* Entropies are counted in 1/1024 bits. */
#define BIT 1024u
/* Above this, Huffman codes save too little for their time: 7.2 bits per byte. */
#define NOISE_BITS (BIT * 72 / 10)
/* A sample of fewer keys does not show which bytes are missing in a plane of noise. */
#define NOISE_LEAST_KEYS 256

/* Repetition is searched at one in 16 positions. Each is remembered until another takes its slot. */
#define ANCHOR_SHIFT 60
#define ANCHOR_SLOTS 512
#define ANCHORS_LEAST 8

struct sample_run {
	size_t at, count;
};

/* Choose the runs of keys that represent the block: the complete block if it is small. Returns their number. */
static size_t sample_runs(struct sample_run runs[SAMPLE_RUNS], size_t keys)
{
	if (keys <= SAMPLE_MOST) {
		runs[0] = (struct sample_run){0, keys};
		return 1;
	}
	for (size_t i = 0; i < SAMPLE_RUNS; i++)
		runs[i] = (struct sample_run){i * (keys - SAMPLE_RUN) / (SAMPLE_RUNS - 1), SAMPLE_RUN};
	return SAMPLE_RUNS;
}

/* Load the component values of `count` keys from the one at `component` on. */
static void load(uint64_t *x, const uint8_t *component, size_t step, unsigned width, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const uint8_t *at = component + i * step;

		x[i] = 0;
		if (width == 4)
			memcpy(&x[i], at, 4);
		else if (width == 8)
			memcpy(&x[i], at, 8);
		else
			memcpy(&x[i], at, width);
	}
}

/* Count the bytes of the zigzag of each difference. */
static void count_planes(struct anim_entropy *planes, const uint64_t *d, size_t count, unsigned width)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t z = (d[i] << 1) ^ (0 - (d[i] >> (8 * width - 1) & 1));

		for (unsigned byte = 0; byte < width; byte++)
			planes[byte].count[z >> 8 * byte & 255]++;
	}
}

/* Return log2 of 1 .. 2^21, with half parabolas between powers of two: the error is at most 0.01. */
static uint64_t log2_of(uint32_t number)
{
	unsigned whole = 31 - (unsigned)__builtin_clz(number);
	uint64_t part = ((uint64_t)number << 10 >> whole) - BIT;

	return whole * BIT + part + (353 * part * (BIT - part) >> 20);
}

/*
 * Return the bits that `total` bytes with this distribution need, corrected for the limits of a sample (Miller and
 * Madow: half a nat for each occurring byte value except one).
 */
uint64_t anim_entropy_bits(const struct anim_entropy *histogram, uint32_t total)
{
	uint64_t sum = 0, seen = 0;

	for (size_t i = 0; i < 256; i++) {
		uint32_t count = histogram->count[i];

		if (count == 0)
			continue;
		sum += count * log2_of(count);
		seen++;
	}
	return total * log2_of(total) - sum + (seen > 1 ? (seen - 1) * 739 : 0);
}

/*
 * Try all orders on one component. Returns the bits of its sample in the best order, or the lowest order if several
 * are equally good. The bytes of the sample in this order are added to `together`.
 */
static uint64_t choose_component(struct anim_form1_component *chosen, const uint8_t *component, size_t step,
				 unsigned width, const struct sample_run *runs, size_t run_count, uint32_t total,
				 struct anim_entropy *together)
{
	struct anim_entropy planes[ORDERS][ANIM_FORM1_WIDTH_MAX];
	uint64_t x[HISTORY + SAMPLE_MOST], best = UINT64_MAX;

	for (unsigned order = 0; order < ORDERS; order++)
		memset(planes[order], 0, width * sizeof *planes[order]);
	for (size_t r = 0; r < run_count; r++) {
		const size_t at = runs[r].at, count = runs[r].count, before = at < HISTORY ? at : HISTORY;

		/* The values of the run follow those of the keys before it, or 0 if there are none. */
		memset(x, 0, HISTORY * sizeof *x);
		load(x + HISTORY - before, component + (at - before) * step, step, width, before + count);
		for (unsigned order = 0; order < ORDERS; order++) {
			for (size_t i = HISTORY + count - 1; order > 0 && i > 0; i--)
				x[i] -= x[i - 1];
			count_planes(planes[order], x + HISTORY, count, width);
		}
	}
	for (unsigned order = 0; order < ORDERS; order++) {
		uint64_t bits[ANIM_FORM1_WIDTH_MAX], sum = 0;

		for (unsigned byte = 0; byte < width; byte++)
			sum += bits[byte] = anim_entropy_bits(&planes[order][byte], total);
		if (sum >= best)
			continue;
		best = sum;
		chosen->order = (uint8_t)order;
		for (unsigned byte = 0; byte < width; byte++)
			chosen->is_noise[byte] =
			    total >= NOISE_LEAST_KEYS && bits[byte] >= (uint64_t)total * NOISE_BITS;
	}
	for (unsigned byte = 0; byte < width; byte++)
		for (size_t i = 0; i < 256; i++)
			together->count[i] += planes[chosen->order][byte].count[i];
	return best;
}

/* Return the bits of the sampled keys unprepared, with orders and components mixed. */
static uint64_t sample_plain_bits(const uint8_t *column, size_t key_bytes, const struct sample_run *runs,
				  size_t run_count)
{
	struct anim_entropy all;
	uint32_t total = 0;

	memset(&all, 0, sizeof all);
	for (size_t r = 0; r < run_count; r++) {
		const uint8_t *at = column + runs[r].at * key_bytes;
		size_t size = runs[r].count * key_bytes;

		for (size_t i = 0; i < size; i++)
			all.count[at[i]]++;
		total += (uint32_t)size;
	}
	return anim_entropy_bits(&all, total);
}

/*
 * Search for keys that occur again. Of the positions where a hash of two values is small, count those with three
 * values that an earlier position also had. *is_known is false if there are too few positions, as in a component that
 * does not change.
 */
static bool component_repeats(const uint8_t *component, size_t step, unsigned width, size_t keys, bool *is_known)
{
	struct anchor {
		uint64_t x[3];
	} seen[ANCHOR_SLOTS] = {{{0}}};
	uint64_t x[2 + SAMPLE_MOST] = {0};
	size_t anchors = 0, again = 0;

	for (size_t done = 0; done < keys; done += SAMPLE_MOST) {
		size_t count = keys - done < SAMPLE_MOST ? keys - done : SAMPLE_MOST;

		load(x + 2, component + done * step, step, width, count);
		for (size_t i = 0; i < count; i++) {
			uint64_t hash = (x[i + 2] * 31 + x[i + 1]) * 0x9E3779B97F4A7C15u;
			struct anchor *slot = &seen[hash >> 40 & (ANCHOR_SLOTS - 1)];

			if (hash >> ANCHOR_SHIFT != 0 || x[i + 2] == x[i + 1])
				continue;
			again += memcmp(slot->x, &x[i], sizeof slot->x) == 0;
			memcpy(slot->x, &x[i], sizeof slot->x);
			anchors++;
		}
		memcpy(x, x + count, 2 * sizeof *x);
	}
	*is_known = anchors >= ANCHORS_LEAST;
	return *is_known && again * 2 > anchors;
}

/* Return true if more than half of the sampled keys equal the previous key. */
static bool keys_are_still(const uint8_t *column, size_t key_bytes, const struct sample_run *runs, size_t run_count)
{
	size_t equal = 0, pairs = 0;

	for (size_t r = 0; r < run_count; r++) {
		const uint8_t *at = column + runs[r].at * key_bytes;

		for (size_t i = 1; i < runs[r].count; i++)
			equal += memcmp(at + i * key_bytes, at + (i - 1) * key_bytes, key_bytes) == 0;
		pairs += runs[r].count - 1;
	}
	return equal * 2 > pairs;
}

void anim_form1_choose(struct anim_form1_choice *choice, const uint8_t *column, size_t keys,
		       struct anim_column_shape shape)
{
	struct sample_run runs[SAMPLE_RUNS];
	size_t run_count = sample_runs(runs, keys), key_bytes = (size_t)shape.components * shape.width;
	struct anim_entropy together;
	uint64_t bits = 0;
	uint32_t sampled = 0;
	bool is_known = false;
	double scale;

	memset(&together, 0, sizeof together);
	for (size_t r = 0; r < run_count; r++)
		sampled += (uint32_t)runs[r].count;
	for (unsigned component = 0; component < shape.components; component++)
		bits += choose_component(&choice->component[component], column + component * shape.width, key_bytes,
					 shape.width, runs, run_count, sampled, &together);
	if (keys < PLANE_KEYS)
		bits = anim_entropy_bits(&together, sampled * (uint32_t)key_bytes);
	scale = (double)keys / ((double)sampled * BIT);
	choice->prepared_bits = scale * (double)bits;
	choice->plain_bits = scale * (double)sample_plain_bits(column, key_bytes, runs, run_count);
	choice->is_still = keys_are_still(column, key_bytes, runs, run_count);
	/* The first component that changes says whether keys repeat. */
	choice->repeats = false;
	for (unsigned component = 0; component < shape.components && !is_known; component++)
		choice->repeats =
		    component_repeats(column + component * shape.width, key_bytes, shape.width, keys, &is_known);
}

/* ---- Preparing ---- */

/* Columns of fewer keys stay plain: an estimate is impossible, and there is almost nothing to save. */
#define GAIN_LEAST_KEYS 16
/* The size of the heads of a prepared column and its block after deflating. */
#define HEAD_BITS 72
/* The least saving that the estimates must promise, because they do not include matches. */
#define GAIN_LEAST 0.97

/* The highest order of differences, and the keys processed at a time, on the stack. */
#define ORDER_MOST 3u
#define CHUNK 256u

#define WORD uint32_t
#define NAME(x) x##32
#include "stream/form1_component.inc"
#undef WORD
#undef NAME
#define WORD uint64_t
#define NAME(x) x##64
#include "stream/form1_component.inc"
#undef WORD
#undef NAME

static size_t align8(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

size_t anim_form1_block_size(size_t keys, struct anim_column_shape shape)
{
	return align8(shape.components) + align8(keys * shape.components * shape.width);
}

static size_t keys_of_block(size_t n, size_t done)
{
	return n - done < ANIM_FORM1_BLOCK_KEYS ? n - done : ANIM_FORM1_BLOCK_KEYS;
}

/* Return the first key of the block that represents the column. */
static size_t middle_of(size_t n)
{
	return n / ANIM_FORM1_BLOCK_KEYS / 2 * ANIM_FORM1_BLOCK_KEYS;
}

bool anim_form1_gains(const void *column, size_t n, struct anim_column_shape shape, struct anim_form1_choice *middle)
{
	const size_t first = middle_of(n);

	if (n < GAIN_LEAST_KEYS || shape.components == 0)
		return false;
	anim_form1_choose(middle, (const uint8_t *)column + first * shape.components * shape.width,
			  keys_of_block(n, first), shape);
	return !middle->is_still && middle->prepared_bits + HEAD_BITS < middle->plain_bits * GAIN_LEAST;
}

/* Add one stretch per plane. The orders belong to the first, the padding to the last. */
static int add_stretches(struct anim_stretches *stretches, const struct anim_form1_choice *choice, size_t keys,
			 struct anim_column_shape shape, struct anim_error *error)
{
	const size_t size = anim_form1_block_size(keys, shape), planes = keys * shape.components * shape.width;
	struct anim_stretch stretch = {.begins_member = size >= ANIM_MEMBER_BLOCK_MIN};
	size_t extra = align8(shape.components);

	for (unsigned component = 0; component < shape.components; component++)
		for (unsigned byte = 0; byte < shape.width; byte++) {
			bool is_last = component + 1 == shape.components && byte + 1 == shape.width;

			stretch.size = extra + keys + (is_last ? align8(planes) - planes : 0);
			stretch.way = ANIM_DEFLATE_RUNS;
			if (choice->repeats || keys < PLANE_KEYS)
				stretch.way = ANIM_DEFLATE_MATCHES;
			else if (choice->component[component].is_noise[byte])
				stretch.way = ANIM_DEFLATE_STORED;
			if (anim_stretches_add(stretches, &stretch, error) != 0)
				return -1;
			stretch.begins_member = false;
			extra = 0;
		}
	return 0;
}

void anim_form1_prepare_block(uint8_t *block, const uint8_t *column, size_t keys, struct anim_column_shape shape,
			      const uint8_t *orders)
{
	const size_t step = (size_t)shape.components * shape.width, size = anim_form1_block_size(keys, shape);
	uint8_t *planes = block + align8(shape.components);

	memset(block, 0, align8(shape.components));
	memset(block + size - 8, 0, 8);
	memcpy(block, orders, shape.components);
	for (unsigned component = 0; component < shape.components; component++) {
		const uint8_t *from = column + component * shape.width;
		uint8_t *to = planes + component * keys * shape.width;

		if (shape.width == 8)
			prepare64(to, from, step, shape.width, orders[component], keys);
		else
			prepare32(to, from, step, shape.width, orders[component], keys);
	}
}

int anim_form1_encode(struct anim_buffer *out, struct anim_stretches *stretches, const void *column, size_t n,
		      struct anim_column_shape shape, const struct anim_form1_choice *middle, struct anim_error *error)
{
	const uint32_t head[2] = {ANIM_FORM1_BLOCK_KEYS, 0};
	const struct anim_stretch stretch = {sizeof head, ANIM_DEFLATE_MATCHES, false};
	const size_t key_bytes = (size_t)shape.components * shape.width;

	if (anim_buffer_append(out, head, sizeof head, error) != 0 ||
	    anim_stretches_add(stretches, &stretch, error) != 0)
		return -1;
	for (size_t done = 0; done < n; done += ANIM_FORM1_BLOCK_KEYS) {
		const uint8_t *keys = (const uint8_t *)column + done * key_bytes;
		const size_t count = keys_of_block(n, done);
		const struct anim_form1_choice *choice = middle;
		uint8_t orders[ANIM_FORM1_COMPONENTS_MAX], *block;
		struct anim_form1_choice own;

		if (done != middle_of(n)) {
			anim_form1_choose(&own, keys, count, shape);
			choice = &own;
		}
		block = anim_buffer_extend(out, anim_form1_block_size(count, shape), error);
		if (block == NULL)
			return -1;
		for (unsigned component = 0; component < shape.components; component++)
			orders[component] = choice->component[component].order;
		anim_form1_prepare_block(block, keys, count, shape, orders);
		if (add_stretches(stretches, choice, count, shape, error) != 0)
			return -1;
	}
	return 0;
}

/* ---- Decoding ---- */

uint64_t anim_form1_column_size(uint64_t n, uint64_t block_keys, struct anim_column_shape shape)
{
	uint64_t rest = n % block_keys;

	return ANIM_FORM1_HEAD + n / block_keys * anim_form1_block_size(block_keys, shape) +
	       (rest != 0 ? anim_form1_block_size(rest, shape) : 0);
}

/* The block under the cursor is completely inside the payload. */
int anim_form1_undo_block(struct anim_cursor *cursor, uint8_t *out, size_t keys, struct anim_column_shape shape)
{
	const size_t step = (size_t)shape.components * shape.width, component_bytes = keys * shape.width;
	const uint8_t *orders, *planes;

	if (anim_cursor_borrow(cursor, shape.components, &orders) != 0 || anim_cursor_align8(cursor) != 0 ||
	    anim_cursor_borrow(cursor, component_bytes * shape.components, &planes) != 0 ||
	    anim_cursor_align8(cursor) != 0)
		return -1;
	for (unsigned component = 0; component < shape.components; component++) {
		const uint8_t *from = planes + component * component_bytes;
		uint8_t *to = out + component * shape.width;

		if (orders[component] > ORDER_MOST)
			return anim_cursor_fail(cursor, orders + component, "order %d of a prepared component",
						orders[component]);
		if (shape.width == 8)
			undo64(to, from, orders[component], keys, shape.width, step);
		else
			undo32(to, from, orders[component], keys, shape.width, step);
	}
	return 0;
}

int anim_form1_undo(struct anim_cursor *parent, const uint8_t *bytes, uint64_t size, size_t n,
		    struct anim_column_shape shape, const void **column)
{
	struct anim_cursor cursor = *parent;
	size_t key_bytes = (size_t)shape.components * shape.width;
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
