/* form1_write.c: numeric columns prepared for compression, and which are better left as they are. */
#include <stdlib.h>
#include <string.h>

#include "stream/columns.h"
#include "tap.h"

static const enum anim_type types[] = {ANIM_BYTE, ANIM_USHORT, ANIM_FLOAT,   ANIM_LONG,     ANIM_COLOR32,
				       ANIM_INT3, ANIM_FLOATQ, ANIM_DOUBLEQ, ANIM_FLOAT4X4, ANIM_DOUBLE4X4};

static uint64_t random_bits(uint64_t *state)
{
	uint64_t z = *state += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

/*
 * Keys that rise by `power` (1: as a line, 2: as a parabola, ...; 0: at random in their low half), each component with a slope of
 * its own.
 */
static uint8_t *make_column(size_t n, struct anim_column_shape shape, unsigned power)
{
	const size_t step = (size_t)shape.components * shape.width;
	uint8_t *column = malloc(n * step);
	uint64_t seed = power;

	for (size_t k = 0; k < n; k++)
		for (unsigned component = 0; component < shape.components; component++) {
			uint64_t x = power == 0 ? random_bits(&seed) >> (64 - 4 * shape.width) : 7919 * (component + 1);

			for (unsigned i = 0; i < power; i++)
				x *= k;
			memcpy(column + k * step + component * shape.width, &x, shape.width);
		}
	return column;
}

/* Prepares and undoes; true where the bytes are the same, in the size that form 1 has. */
static bool comes_back(const uint8_t *column, size_t n, struct anim_column_shape shape)
{
	const struct anim_record record = {.tag = "TRAK", .bytes = column};
	struct anim_buffer out = {0};
	struct anim_stretches stretches = {.items = {0}};
	struct anim_form1_choice middle;
	struct anim_arena arena = {0};
	struct anim_error error = {0};
	struct anim_cursor cursor = {.record = &record, .arena = &arena, .error = &error};
	const void *undone = NULL;
	bool same;

	anim_form1_gains(column, n < 64 ? 64 : n, shape, &middle);
	CHECK(anim_form1_encode(&out, &stretches, column, n, shape, &middle, &error) == 0);
	CHECK(out.size == anim_form1_column_size(n, ANIM_FORM1_BLOCK_KEYS, shape));
	same = anim_form1_undo(&cursor, out.data, out.size, n, shape, &undone) == 0 &&
	       memcmp(undone, column, n * shape.components * shape.width) == 0;
	anim_arena_clear(&arena);
	anim_buffer_clear(&stretches.items);
	anim_buffer_clear(&out);
	return same;
}

TEST(form1_comes_back, "prepared columns of every width and lane count, of any number of keys, come back as they were")
{
	static const size_t counts[] = {64, 65, 255, 256, 257, 1000, 8191, 8192, 8193, 20001};

	for (size_t t = 0; t < sizeof types / sizeof *types; t++)
		for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
			struct anim_column_shape shape = anim_column_shape_of(ANIM_COLUMN_VALUE, types[t]);
			uint8_t *column = make_column(counts[c], shape, (unsigned)(c + t) % 4);

			CHECKF(comes_back(column, counts[c], shape), "%s, %zu keys", anim_types[types[t]].name,
			       counts[c]);
			free(column);
		}
}

TEST(form1_order, "the order is at least that of the differences that make the lane still; noise keeps its values")
{
	static const unsigned orders[] = {0, 1, 2, 3};

	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
			struct anim_column_shape shape = anim_column_shape_of(ANIM_COLUMN_VALUE, types[t]);
			struct anim_form1_choice choice;
			uint8_t *column = make_column(4000, shape, orders[i]);

			if (shape.width >= 4) {
				anim_form1_choose(&choice, column, 4000, shape);
				for (unsigned component = 0; component < shape.components; component++)
					CHECKF(choice.component[component].order >= orders[i] &&
						   (orders[i] > 0 || choice.component[component].order == 0),
					       "%s lane %u: order %d, not %u", anim_types[types[t]].name, component,
					       choice.component[component].order, orders[i]);
			}
			free(column);
		}
}

TEST(form1_own_components, "each lane has an order of its own, and each block")
{
	const struct anim_column_shape shape = {2, 4};
	const size_t n = 2 * ANIM_FORM1_BLOCK_KEYS, second = ANIM_FORM1_HEAD + anim_form1_block_size(n / 2, shape);
	struct anim_buffer out = {0};
	struct anim_stretches stretches = {.items = {0}};
	struct anim_form1_choice middle;
	uint32_t *column = malloc(n * 8);

	for (uint32_t k = 0; k < n; k++) {
		column[2 * k] = k < n / 2 ? k * 3 : k * k;
		column[2 * k + 1] = k < n / 2 ? k * k * k : k * 5;
	}
	CHECK(anim_form1_gains(column, n, shape, &middle));
	CHECK(anim_form1_encode(&out, &stretches, column, n, shape, &middle, NULL) == 0);
	CHECK(out.data[ANIM_FORM1_HEAD] == 1 && out.data[ANIM_FORM1_HEAD + 1] == 3);
	CHECK(out.data[second] == 2 && out.data[second + 1] == 1);
	anim_buffer_clear(&stretches.items);
	anim_buffer_clear(&out);
	free(column);
}

/* Floats as a baked curve has them: high bytes that hardly change, low bytes of noise. */
static float *smooth_floats(size_t n)
{
	float *column = malloc(n * sizeof *column);
	double x = 1, v = 0;

	for (size_t k = 0; k < n; k++) {
		column[k] = (float)x;
		v -= x * 1e-3;
		x += v;
	}
	return column;
}

TEST(form1_stretches, "each plane of a large block is a stretch: noise stored, the rest by runs; they cover every byte")
{
	const struct anim_column_shape shape = {1, 4};
	const size_t n = 3 * ANIM_FORM1_BLOCK_KEYS + 300;
	float *column = smooth_floats(n);
	struct anim_buffer out = {0};
	struct anim_stretches stretches = {.items = {0}};
	struct anim_form1_choice middle;
	size_t total = 0, ways[3] = {0};

	CHECK(anim_form1_gains(column, n, shape, &middle));
	CHECK(anim_form1_encode(&out, &stretches, column, n, shape, &middle, NULL) == 0);
	for (size_t i = 0; i < anim_stretches_count(&stretches); i++) {
		const struct anim_stretch *stretch = anim_stretches_at(&stretches, i);

		total += stretch->size;
		ways[stretch->way]++;
		CHECK(stretch->way != ANIM_DEFLATE_RUNS || stretch->size <= ANIM_FORM1_BLOCK_KEYS + 8);
		CHECK(!stretch->begins_member);
	}
	CHECK(total == out.size);
	CHECK(ways[ANIM_DEFLATE_STORED] == 3 && ways[ANIM_DEFLATE_RUNS] >= 6);
	/* The column's head, and the last block, whose planes are too short for statistics of their own. */
	CHECK(ways[ANIM_DEFLATE_MATCHES] == 2);
	anim_buffer_clear(&stretches.items);
	anim_buffer_clear(&out);
	free(column);
}

TEST(form1_large_blocks, "a block of 64 KiB or more begins a member of an archive, a smaller one does not")
{
	static const struct anim_column_shape shapes[] = {{2, 4}, {1, 8}, {1, 4}};
	static const size_t begin[] = {2, 2, 0};

	for (size_t s = 0; s < 3; s++) {
		uint8_t *column = make_column(2 * ANIM_FORM1_BLOCK_KEYS, shapes[s], 2);
		struct anim_buffer out = {0};
		struct anim_stretches stretches = {.items = {0}};
		struct anim_form1_choice middle;
		size_t count = 0;

		anim_form1_gains(column, 2 * ANIM_FORM1_BLOCK_KEYS, shapes[s], &middle);
		anim_form1_encode(&out, &stretches, column, 2 * ANIM_FORM1_BLOCK_KEYS, shapes[s], &middle, NULL);
		for (size_t i = 0; i < anim_stretches_count(&stretches); i++)
			count += anim_stretches_at(&stretches, i)->begins_member;
		CHECKF(count == begin[s], "shape %zu: %zu begin a member", s, count);
		anim_buffer_clear(&stretches.items);
		anim_buffer_clear(&out);
		free(column);
	}
}

TEST(form1_repeats, "keys that come again are left to matches, which runs would not find")
{
	const struct anim_column_shape shape = {1, 4};
	const size_t n = ANIM_FORM1_BLOCK_KEYS;
	float *column = smooth_floats(n);
	struct anim_form1_choice choice;

	anim_form1_choose(&choice, (const uint8_t *)column, n, shape);
	CHECK(!choice.repeats);
	for (size_t k = 500; k < n; k++)
		column[k] = column[k - 500];
	anim_form1_choose(&choice, (const uint8_t *)column, n, shape);
	CHECK(choice.repeats);
	free(column);
}

/* The planes of so few keys seem to need little each; it is all of them together that deflate sees. */
TEST(form1_short_noise, "a short column of numbers that have nothing to do with each other is left plain")
{
	const struct anim_column_shape shape = anim_column_shape_of(ANIM_COLUMN_VALUE, ANIM_FLOATQ);
	uint64_t seed = 1;
	size_t gained = 0;

	for (size_t n = 16; n < 200; n++) {
		struct anim_form1_choice middle;
		uint64_t *column = malloc(n * 16);

		for (size_t i = 0; i < n * 2; i++)
			column[i] = random_bits(&seed);
		gained += anim_form1_gains(column, n, shape, &middle);
		free(column);
	}
	CHECKF(gained == 0, "%zu of 184 were prepared", gained);
}

TEST(form1_gains, "few keys, bytes of noise and keys that stand still are left plain; what rises is prepared")
{
	const struct anim_column_shape bytes = {1, 1}, words = {1, 4};
	struct anim_form1_choice middle;
	uint8_t *noise = make_column(4000, bytes, 0), *line = make_column(4000, words, 1);
	uint32_t steps[4000];

	for (uint32_t k = 0; k < 4000; k++)
		steps[k] = k / 10 * 7919;
	CHECK(!anim_form1_gains(noise, 4000, bytes, &middle));
	CHECK(!anim_form1_gains(steps, 4000, words, &middle));
	CHECK(anim_form1_gains(line, 4000, words, &middle));
	CHECK(anim_form1_gains(line, 24, words, &middle));
	CHECK(!anim_form1_gains(line, 15, words, &middle));
	free(noise);
	free(line);
}
