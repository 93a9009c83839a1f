/* number_floats.c: runs of numbers; the wide path against the plain one, and both against single numbers. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/number_internal.h"
#include "number_help.h"
#include "tap.h"

enum { RUN_MAX = 64, SLACK = 64 };

/* What a run should give, by the reader of single numbers. */
static size_t expected_run(const char *text, const char *end, float *values, size_t count, const char **next)
{
	const char *at = text, *behind;
	size_t done = 0;

	*next = text;
	while (done < count && (behind = anim_number_float_of_double(at, end, &values[done])) != NULL && behind < end) {
		done++;
		*next = behind;
		if (*behind != ',')
			break;
		at = behind + 1;
		while (at < end && strchr(" \t\r\n", *at) != NULL && *at != '\0')
			at++;
	}
	return done;
}

static bool same_run(anim_number_floats_function *run, const char *text, size_t size, size_t count)
{
	float wanted[RUN_MAX], got[RUN_MAX];
	const char *wanted_next, *got_next;
	size_t wanted_count = expected_run(text, text + size, wanted, count, &wanted_next);

	return run(text, text + size, got, count, &got_next) == wanted_count && got_next == wanted_next &&
	       memcmp(got, wanted, wanted_count * sizeof *got) == 0;
}

/*
 * Cuts the text at every byte, with zeros behind as in a window of input, and with the rest of it where that cannot
 * continue a number; then wants fewer numbers than there are.
 */
static void check_text(anim_number_floats_function *run, const char *text)
{
	char copy[1024 + SLACK], whole[1024 + SLACK] = "";
	size_t size = strlen(text);

	memcpy(whole, text, size);
	for (size_t cut = 0; cut <= size; cut++) {
		memset(copy, 0, sizeof copy);
		memcpy(copy, text, cut);
		CHECKF(same_run(run, copy, cut, RUN_MAX), "first %zu bytes of '%s'", cut, text);
		if (strchr("0123456789.eE+-", whole[cut]) == NULL)
			CHECKF(same_run(run, whole, cut, RUN_MAX), "first %zu bytes of '%s', followed", cut, text);
	}
	for (size_t count = 0; count < 12; count++)
		CHECKF(same_run(run, copy, size, count), "%zu numbers of '%s'", count, text);
}

static void check_both(const char *text)
{
	anim_number_floats_function *wide = anim_number_floats_wide();

	check_text(anim_number_floats_plain, text);
	if (wide != NULL)
		check_text(wide, text);
}

TEST(floats_texts, "a run of numbers stops at what is no number, at every cut, on both paths alike")
{
	static const char *const texts[] = {
	    "0.1234567, -1.5, 1, 0, -0, 33.25)",
	    "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38)",
	    "1 , 2",
	    "1,, 2",
	    ", 1",
	    " 1, 2",
	    "-, 1",
	    "1, -, 2",
	    "1, -,2",
	    "1, .5, 2",
	    "1, +5, 2",
	    "1., 2.,-3.,4.e,5)",
	    "1.2.3, 4",
	    "1,\n\t 2,\r\n3,    4 ",
	    "1,  2, \t3,4)",
	    "1e5, 2E-3, 1e, 5e+, 7e-05, 3.5e2x",
	    "123456789012345, 1234567890123456, 12345678901234567, 123456789012345678901234567890, 1",
	    "0.12345678901234, 0.123456789012345, 0.9553369283676147, 0.95533692836761471, -0.1234567890123456789, 2",
	    "12.345678901234567, 1234567.8901234567, 0.00012345678901234567, -9007199254740993.5, 123456789.12345678, "
	    "5",
	    "0.0000000000000000000000000000000000000000000001, 1000000000000000000000000000000000000000000000000000.5, "
	    "1",
	    "0.99999999999999999, 1.0000000000000000, 00000000000000001.5, 1.00000017881393432617187499, 3",
	    "1, 2:3, 4",
	    "1, inf, 2",
	    "1, nan",
	    "0.5, 1/2, 3",
	    "0.5, 1\xff, 3",
	    "-1e400, 1e-400, 3.4028236e38, 1e39, -1e-46, 7.1e-46, 8",
	    "1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9 , 2",
	    "0.1234567,                                                                              0.5, 1)",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		check_both(texts[i]);
}

TEST(floats_places, "a number of any length is read at any place of a block, up to the end of the buffer")
{
	char text[256];

	for (int place = 1; place < 66; place++) {
		for (int digits = 1; digits < 22; digits++) {
			snprintf(text, sizeof text, "%0*d, -0.%0*d, 5)", place, 7, digits, 3);
			check_both(text);
		}
	}
}

/* One number in one of the shapes that files hold. */
static int random_number(char *out, size_t capacity, uint64_t *state)
{
	static const int places[] = {0, 3, 6, 7, 9, 15, 16, 17, 20};
	static const double sizes[] = {1, 1, 1, 1, 10, 100, 1e4, 1e9, 1e-3, 1e-7};
	uint64_t random = next_random(state);
	double value = (double)(int64_t)next_random(state) * 0x1p-63 * sizes[random % 10];
	int digits = places[random / 16 % 9];

	if (random / 256 % 8 < 3)
		return snprintf(out, capacity, "%.*f", digits, value);
	return random / 256 % 8 < 7 ? snprintf(out, capacity, "%.*g", digits, value)
				    : snprintf(out, capacity, "%.*e", digits, value);
}

TEST(floats_random, "runs of random numbers in all shapes give the same bits on both paths")
{
	static const char *const gaps[] = {", ", ", ", ", ", ", ", ",", ",\n", ",  "};
	anim_number_floats_function *wide = anim_number_floats_wide();
	char text[4096];
	uint64_t state = 6;

	for (int i = 0; i < 20000; i++) {
		size_t size = 0;

		memset(text, 0, sizeof text);
		for (int n = 0; n < 40; n++) {
			size += (size_t)random_number(text + size, 64, &state);
			size += (size_t)snprintf(text + size, 8, "%s", n == 39 ? ")" : gaps[next_random(&state) % 7]);
		}
		CHECKF(same_run(anim_number_floats_plain, text, size, RUN_MAX), "plain: %s", text);
		CHECKF(wide == NULL || same_run(wide, text, size, RUN_MAX), "wide: %s", text);
		CHECKF(same_run(anim_number_floats, text, size, RUN_MAX), "chosen: %s", text);
	}
	if (wide == NULL)
		tap_skip("no AVX2 here, the plain path alone was tested");
}

TEST(floats_bytes, "any byte at any place of a run ends it alike on both paths")
{
	static const char run[] = "0.1234567, -1.5, 12, 0.9553369283676147, 3)";
	anim_number_floats_function *wide = anim_number_floats_wide();
	char text[sizeof run + SLACK] = "";

	for (size_t place = 0; place < sizeof run - 1; place++) {
		memcpy(text, run, sizeof run);
		for (int byte = 0; byte < 256; byte++) {
			text[place] = (char)byte;
			CHECKF(same_run(anim_number_floats_plain, text, sizeof run - 1, RUN_MAX),
			       "plain: byte %d at %zu", byte, place);
			CHECKF(wide == NULL || same_run(wide, text, sizeof run - 1, RUN_MAX), "wide: byte %d at %zu",
			       byte, place);
		}
	}
}

/* ---- Rows: blanks between, on one line ---- */

/* What a row should give, by the reader of single numbers. */
static size_t expected_row(const char *text, const char *end, float *values, size_t count, const char **next)
{
	const char *at = text, *behind;
	size_t done = 0;

	*next = text;
	while (done < count && at < end && (behind = anim_number_float_of_double(at, end, &values[done])) != NULL &&
	       behind < end && (unsigned char)*behind <= ' ' && strchr("0123456789.", behind[-1]) != NULL) {
		done++;
		*next = behind;
		if (*behind != ' ' && *behind != '\t')
			break;
		for (at = behind; at < end && (*at == ' ' || *at == '\t'); at++)
			continue;
	}
	return done;
}

static void check_row(const char *text, size_t size)
{
	anim_number_floats_function *const ways[] = {anim_number_row_plain, anim_number_row_wide(), anim_number_row};
	float wanted[RUN_MAX], got[RUN_MAX];
	const char *wanted_next, *got_next;
	size_t wanted_count = expected_row(text, text + size, wanted, RUN_MAX, &wanted_next);

	for (int i = 0; i < 3; i++)
		CHECKF(ways[i] == NULL ||
			   (ways[i](text, text + size, got, RUN_MAX, &got_next) == wanted_count &&
			    got_next == wanted_next && memcmp(got, wanted, wanted_count * sizeof *got) == 0),
		       "way %d, %zu bytes of '%s'", i, size, text);
}

TEST(row_texts, "a row of numbers ends with its line and at what is no number, at every cut, on both paths alike")
{
	static const char *const texts[] = {
	    "0.1234567 -1.5 1 0 -0 33.25\n5",
	    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 ",
	    "1  2\t3 \t 4   5\r\n6",
	    "1 2,3 4",
	    "1 1-2 3",
	    "1 2e 3 ",
	    "1 2e- 3 ",
	    "1 .5 2",
	    "1 +5 2",
	    "1. 2. -3. 4",
	    "1 2.3.4 5",
	    "2.93577e-005 1e5 -4.17233e-007 123456789012345678901234567890 0.9553369283676147 1 ",
	    "1 2 nan 3",
	    "1 2\x80 3",
	    " 1 2",
	    "0.1234567                                                                              0.5 1 ",
	};
	char copy[512];

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		for (size_t cut = 0; cut <= strlen(texts[i]); cut++) {
			memset(copy, 0, sizeof copy);
			memcpy(copy, texts[i], cut);
			check_row(copy, cut);
		}
}

TEST(row_random, "rows of random numbers in all shapes give the same bits on both paths")
{
	static const char *const gaps[] = {" ", " ", " ", " ", "  ", "\t", " \t"};
	char text[4096];
	uint64_t state = 7;

	for (int i = 0; i < 5000; i++) {
		size_t size = 0;

		memset(text, 0, sizeof text);
		for (int n = 0; n < 40; n++) {
			size += (size_t)random_number(text + size, 64, &state);
			size += (size_t)snprintf(text + size, 8, "%s", n == 39 ? "\n" : gaps[next_random(&state) % 7]);
		}
		check_row(text, size);
	}
}
