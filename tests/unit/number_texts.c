/* number_texts.c: many floats printed at once; the wide path and the plain one against single numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/number_internal.h"
#include "number_help.h"
#include "tap.h"

#ifdef __SANITIZE_ADDRESS__ /* the plain build looks at ten times as many */
enum { GRISU2_APART = 43271 };
#else
enum { GRISU2_APART = 4327 };
#endif

/* Whether the texts are those of anim_number_print_float. */
static bool same_texts(anim_number_texts_function *print, const float *values, size_t count, size_t components)
{
	static struct anim_number_texts texts;
	char text[ANIM_NUMBER_MAX];

	memset(&texts, '#', sizeof texts);
	print(values, count, components, &texts);
	for (size_t i = 0; i < count; i++) {
		size_t length = anim_number_print_float(text, values[i]);

		if (texts.length[i] != length || memcmp(texts.bytes[i], text, length) != 0) {
			printf("# %zu: '%.*s', not '%.*s'\n", i, texts.length[i], texts.bytes[i], (int)length, text);
			return false;
		}
	}
	return true;
}

static void check_texts(const float *values, size_t count, size_t components)
{
	anim_number_texts_function *wide = anim_number_texts_wide();

	CHECKF(same_texts(anim_number_texts_plain, values, count, components), "plain, %zu numbers", count);
	CHECKF(wide == NULL || same_texts(wide, values, count, components), "wide, %zu numbers", count);
	CHECKF(same_texts(anim_number_print_floats, values, count, components), "chosen, %zu numbers", count);
}

/* Numbers at every border of the notation, and their neighbours; some in turn, as components that rest are. */
static size_t borders(float *values)
{
	static const float at[] = {0,      1e-5f, 1e-4f, 0.001f,        0.01f,      0.1f,           0.5f,
				   1,      9,     10,    100,           1e6f,       8388607.5f,     16777216,
				   1e8f,   1e9f,  1e10f, 3.4028235e38f, 1e-38f,     1.1754944e-38f, 2097152.25f,
				   1e-45f, 0.3f,  1.5f,  1.0000001f,    123456.79f, 0.033333335f};
	size_t count = 0;

	for (size_t i = 0; i < sizeof at / sizeof *at; i++)
		for (uint32_t step = 0; step < 3; step++) {
			uint32_t bits = float_bits(at[i]) + step - (at[i] == 0 ? 0 : 1);

			values[count++] = bits_float(bits);
			values[count++] = bits_float(bits | 0x80000000);
		}
	return count;
}

TEST(texts_borders, "many floats at once have the text of each alone, wherever they stand among the others")
{
	float values[ANIM_NUMBER_TEXTS];
	size_t count = borders(values);

	for (size_t first = 0; first < count; first++)
		for (size_t components = 1; components <= 4; components++)
			check_texts(values + first, count - first, components);
}

TEST(texts_counts, "any count of floats is printed, and nothing is read behind the last")
{
	for (size_t count = 0; count <= ANIM_NUMBER_TEXTS; count++) {
		float *values = malloc((count + 1) * sizeof *values);

		if (values == NULL)
			exit(1);
		for (size_t i = 0; i < count; i++)
			values[i] = i % 7 == 0 ? 1 : (float)i / 7;
		values = realloc(values, count > 0 ? count * sizeof *values : 1);
		check_texts(values, count, 3);
		free(values);
	}
}

TEST(texts_random, "random bits, and random numbers of the sizes that animation has, give the same texts on both paths")
{
	float values[ANIM_NUMBER_TEXTS];
	uint64_t state = 11;

	for (int round = 0; round < 4000; round++) {
		for (size_t i = 0; i < ANIM_NUMBER_TEXTS; i++) {
			uint64_t random = next_random(&state);

			if (round % 2 == 0)
				values[i] = bits_float((uint32_t)random);
			else if (i >= 3 && random >> 60 == 0)
				values[i] = values[i - 3]; /* a component that rests */
			else
				values[i] = (float)((double)(int32_t)random / (double)(1u << (random >> 59)));
		}
		check_texts(values, ANIM_NUMBER_TEXTS, 3);
	}
	if (anim_number_texts_wide() == NULL)
		tap_skip("no AVX2 here, the plain path alone was tested");
}

TEST(texts_all, "every one of the 2^32 floats has the same text on the wide path")
{
	anim_number_texts_function *wide = anim_number_texts_wide();
	float values[ANIM_NUMBER_TEXTS];

	if (getenv("ANIM_LONG") == NULL || wide == NULL) {
		tap_skip("takes some minutes and needs AVX2: set ANIM_LONG to run it");
		return;
	}
	for (uint64_t bits = 0; bits <= UINT32_MAX; bits += ANIM_NUMBER_TEXTS) {
		for (size_t i = 0; i < ANIM_NUMBER_TEXTS; i++)
			values[i] = bits_float((uint32_t)(bits + i));
		CHECKF(same_texts(wide, values, ANIM_NUMBER_TEXTS, ANIM_NUMBER_TEXTS), "from %08llx on",
		       (unsigned long long)bits);
	}
}

/* Compare both faster forms of Grisu2 with its own steps. */
static void check_grisu2(const float *values, size_t count)
{
	static struct anim_number_texts texts;
	char plain[ANIM_NUMBER_MAX], text[ANIM_NUMBER_MAX];

	anim_number_print_floats_grisu2(values, count, 1, &texts);
	for (size_t i = 0; i < count; i++) {
		size_t length = anim_number_grisu2_plain(plain, (double)values[i], true);

		CHECKF(anim_number_print_grisu2(text, (double)values[i], true) == length &&
			   memcmp(text, plain, length) == 0,
		       "%.9g", (double)values[i]);
		CHECKF(float_bits(values[i]) << 1 >= float_bits(0x1p24f) << 1 ||
			   (texts.length[i] == length && memcmp(texts.bytes[i], plain, length) == 0),
		       "%.9g, several", (double)values[i]);
	}
}

TEST(texts_grisu2, "the digits of Grisu2 are found faster for most floats, and are the same")
{
	float values[ANIM_NUMBER_TEXTS];
	size_t count = 0;

	/* floats of all sizes */
	for (uint64_t bits = 1; bits < 0x7f800000; bits += GRISU2_APART) {
		values[count++] = bits_float((uint32_t)bits | (uint32_t)(bits % 2 << 31));
		if (count == ANIM_NUMBER_TEXTS) {
			check_grisu2(values, count);
			count = 0;
		}
	}
	check_grisu2(values, count);

	/* floats with few bits, which often are halfway between two texts */
	for (uint32_t biased = 100; biased < 180; biased++)
		for (uint32_t shift = 0; shift < 24; shift++) {
			for (count = 0; count < ANIM_NUMBER_TEXTS; count++)
				values[count] = bits_float(biased << 23 | (uint32_t)(count << shift & 0x7fffff));
			check_grisu2(values, count);
		}
}
