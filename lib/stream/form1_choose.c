/* form1_choose.c: the order of each lane of a block. */
#include "stream/form1_choose.h"

#include <string.h>

/*
 * A sample of the keys is prepared in every order, and the entropy of its byte planes tells how small each would become;
 * whole numbers only, so that the choice is the same everywhere.
 */
#define ORDERS 4
#define HISTORY 3 /* keys before a run that its highest difference looks back on */
#define SAMPLE_RUNS 4
#define SAMPLE_RUN 128
#define SAMPLE_MOST (SAMPLE_RUNS * SAMPLE_RUN)

/* Entropies are counted in 1/1024 bits. */
#define BIT 1024u
/* From here on Huffman codes gain less than their time is worth: 7.2 bits a byte. */
#define NOISE_BITS (BIT * 72 / 10)
/* A sample of fewer keys says nothing of what bytes a plane of noise lacks. */
#define NOISE_LEAST_KEYS 256

/* Repetition is looked for at one place of 16, each remembered until another of its slot comes. */
#define ANCHOR_SHIFT 60
#define ANCHOR_SLOTS 512
#define ANCHORS_LEAST 8

struct run {
	size_t at, count;
};

struct histogram {
	uint32_t count[256];
};

/* The runs of keys that stand for the block: all of it where it is small. Returns how many. */
static size_t sample_runs(struct run runs[SAMPLE_RUNS], size_t keys)
{
	if (keys <= SAMPLE_MOST) {
		runs[0] = (struct run){0, keys};
		return 1;
	}
	for (size_t i = 0; i < SAMPLE_RUNS; i++)
		runs[i] = (struct run){i * (keys - SAMPLE_RUN) / (SAMPLE_RUNS - 1), SAMPLE_RUN};
	return SAMPLE_RUNS;
}

/* Lane values of `count` keys from the one at `lane` on. */
static void load(uint64_t *x, const uint8_t *lane, size_t step, unsigned width, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const uint8_t *at = lane + i * step;

		x[i] = 0;
		if (width == 4)
			memcpy(&x[i], at, 4);
		else if (width == 8)
			memcpy(&x[i], at, 8);
		else
			memcpy(&x[i], at, width);
	}
}

/* Lane values of the run behind those of the keys before it, 0 where there are none. */
static void load_run(uint64_t x[HISTORY + SAMPLE_MOST], const uint8_t *lane, size_t step, unsigned width,
		     const struct run *run)
{
	size_t before = run->at < HISTORY ? run->at : HISTORY;

	memset(x, 0, HISTORY * sizeof *x);
	load(x + HISTORY - before, lane + (run->at - before) * step, step, width, before + run->count);
}

static void difference(uint64_t *x, size_t count)
{
	for (size_t i = count - 1; i > 0; i--)
		x[i] -= x[i - 1];
}

/* Counts the bytes of the zigzag of each difference. */
static void count_planes(struct histogram *planes, const uint64_t *d, size_t count, unsigned width)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t z = (d[i] << 1) ^ (0 - (d[i] >> (8 * width - 1) & 1));

		for (unsigned byte = 0; byte < width; byte++)
			planes[byte].count[z >> 8 * byte & 255]++;
	}
}

/* log2 of 1 .. 2^21, by halves of a parabola between powers of two: at most 0.01 off. */
static uint64_t log2_of(uint32_t number)
{
	unsigned whole = 31 - (unsigned)__builtin_clz(number);
	uint64_t part = ((uint64_t)number << 10 >> whole) - BIT;

	return whole * BIT + part + (353 * part * (BIT - part) >> 20);
}

/*
 * Bits that `total` bytes so distributed need, corrected for what a sample cannot show (Miller and Madow: half a nat for
 * each byte value seen but one).
 */
static uint64_t bits_of(const struct histogram *histogram, uint32_t total)
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

static void add_planes(struct histogram *sum, const struct histogram *planes, unsigned width)
{
	for (unsigned byte = 0; byte < width; byte++)
		for (size_t i = 0; i < 256; i++)
			sum->count[i] += planes[byte].count[i];
}

/*
 * Tries all orders on one lane; returns the bits of its sample in the best, the lowest of several, whose bytes are added
 * to `together`.
 */
static uint64_t choose_lane(struct anim_form1_lane *chosen, const uint8_t *lane, size_t step, unsigned width,
			    const struct run *runs, size_t run_count, uint32_t total, struct histogram *together)
{
	struct histogram planes[ORDERS][ANIM_FORM1_WIDTH_MAX];
	uint64_t x[HISTORY + SAMPLE_MOST], best = UINT64_MAX;

	for (unsigned order = 0; order < ORDERS; order++)
		memset(planes[order], 0, width * sizeof *planes[order]);
	for (size_t r = 0; r < run_count; r++) {
		load_run(x, lane, step, width, &runs[r]);
		for (unsigned order = 0; order < ORDERS; order++) {
			if (order > 0)
				difference(x, HISTORY + runs[r].count);
			count_planes(planes[order], x + HISTORY, runs[r].count, width);
		}
	}
	for (unsigned order = 0; order < ORDERS; order++) {
		uint64_t bits[ANIM_FORM1_WIDTH_MAX], sum = 0;

		for (unsigned byte = 0; byte < width; byte++)
			sum += bits[byte] = bits_of(&planes[order][byte], total);
		if (sum >= best)
			continue;
		best = sum;
		chosen->order = (uint8_t)order;
		for (unsigned byte = 0; byte < width; byte++)
			chosen->is_noise[byte] =
			    total >= NOISE_LEAST_KEYS && bits[byte] >= (uint64_t)total * NOISE_BITS;
	}
	add_planes(together, planes[chosen->order], width);
	return best;
}

/* Bits of the sampled keys as they stand, order and lanes mixed. */
static uint64_t sample_plain_bits(const uint8_t *column, size_t key_bytes, const struct run *runs, size_t run_count)
{
	struct histogram all;
	uint32_t total = 0;

	memset(&all, 0, sizeof all);
	for (size_t r = 0; r < run_count; r++) {
		const uint8_t *at = column + runs[r].at * key_bytes;
		size_t size = runs[r].count * key_bytes;

		for (size_t i = 0; i < size; i++)
			all.count[at[i]]++;
		total += (uint32_t)size;
	}
	return bits_of(&all, total);
}

/*
 * Looks for keys that come again: of the places where a hash of two values happens to be small, how many have three values
 * that an earlier such place had too. *told is false where there are too few to tell, as in a lane that stands still.
 */
static bool lane_repeats(const uint8_t *lane, size_t step, unsigned width, size_t keys, bool *told)
{
	struct anchor {
		uint64_t x[3];
	} seen[ANCHOR_SLOTS] = {{{0}}};
	uint64_t x[2 + SAMPLE_MOST] = {0};
	size_t anchors = 0, again = 0;

	for (size_t done = 0; done < keys; done += SAMPLE_MOST) {
		size_t count = keys - done < SAMPLE_MOST ? keys - done : SAMPLE_MOST;

		load(x + 2, lane + done * step, step, width, count);
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
	*told = anchors >= ANCHORS_LEAST;
	return *told && again * 2 > anchors;
}

/* As the first lane says that moves. */
static bool keys_repeat(const uint8_t *column, size_t keys, struct anim_column_shape shape)
{
	bool told = false, repeats = false;

	for (unsigned lane = 0; lane < shape.lanes && !told; lane++)
		repeats = lane_repeats(column + lane * shape.width, (size_t)shape.lanes * shape.width, shape.width,
				       keys, &told);
	return repeats;
}

/* True where more than half of the sampled keys are equal to the one before. */
static bool keys_stand_still(const uint8_t *column, size_t key_bytes, const struct run *runs, size_t run_count)
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
	struct run runs[SAMPLE_RUNS];
	size_t run_count = sample_runs(runs, keys), key_bytes = (size_t)shape.lanes * shape.width;
	struct histogram together;
	uint64_t bits = 0;
	uint32_t sampled = 0;
	double scale;

	memset(&together, 0, sizeof together);
	for (size_t r = 0; r < run_count; r++)
		sampled += (uint32_t)runs[r].count;
	for (unsigned lane = 0; lane < shape.lanes; lane++)
		bits += choose_lane(&choice->lane[lane], column + lane * shape.width, key_bytes, shape.width, runs,
				    run_count, sampled, &together);
	if (keys < ANIM_FORM1_PLANE_KEYS)
		bits = bits_of(&together, sampled * (uint32_t)key_bytes);
	scale = (double)keys / ((double)sampled * BIT);
	choice->prepared_bits = scale * (double)bits;
	choice->plain_bits = scale * (double)sample_plain_bits(column, key_bytes, runs, run_count);
	choice->stands_still = keys_stand_still(column, key_bytes, runs, run_count);
	choice->repeats = keys_repeat(column, keys, shape);
}
