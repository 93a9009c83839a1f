/* number.c: text to numbers, against the C library and against exact ties made with big integers. */
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number_help.h"
#include "tap.h"

/* Text with the zero bytes behind it that the readers may look at. */
struct padded {
	char text[4096];
	size_t size;
};

static void pad(struct padded *padded, const char *text)
{
	memset(padded, 0, sizeof *padded);
	padded->size = strlen(text);
	if (padded->size > sizeof padded->text - 64)
		abort();
	memcpy(padded->text, text, padded->size);
}

/* Reads by all three readers and compares with the C library's results for the same text. */
static bool reads_as_libc(const char *text)
{
	static struct padded padded;
	const char *end;
	double wide = -1, wanted = strtod(text, NULL);
	float narrow = -1, twice = -1, wanted_narrow = strtof(text, NULL);

	pad(&padded, text);
	end = padded.text + padded.size;
	return anim_number_double(padded.text, end, &wide) == end && double_bits(wide) == double_bits(wanted) &&
	       anim_number_float(padded.text, end, &narrow) == end && float_bits(narrow) == float_bits(wanted_narrow) &&
	       anim_number_float_of_double(padded.text, end, &twice) == end &&
	       float_bits(twice) == float_bits((float)wanted);
}

TEST(number_grammar, "a number ends where Godot's grammar ends it")
{
	static const struct {
		const char *text;
		int length; /* -1: no number */
		double value;
	} rows[] = {
	    {"0", 1, 0},
	    {"-0", 2, -0.0},
	    {"5.", 2, 5},
	    {"-5.e", 4, -5},
	    {"1e", 2, 1},
	    {"1e+", 3, 1},
	    {"1E-", 3, 1},
	    {"1e5", 3, 1e5},
	    {"1E+05", 5, 1e5},
	    {"25e-1,", 5, 2.5},
	    {"1.2.3", 3, 1.2},
	    {"1-2", 1, 1},
	    {"007.50", 6, 7.5},
	    {"1,2", 1, 1},
	    {"0x10", 1, 0},
	    {"12 3", 2, 12},
	    {"1e5.5", 3, 1e5},
	    {"3e4e5", 3, 3e4},
	    {"1e99999999999999999999", 22, INFINITY},
	    {"", -1, 0},
	    {"-", -1, 0},
	    {"+1", -1, 0},
	    {".5", -1, 0},
	    {"-.5", -1, 0},
	    {"- 1", -1, 0},
	    {"--1", -1, 0},
	    {"e5", -1, 0},
	    {"inf", -1, 0},
	    {"nan", -1, 0},
	    {"-inf", -1, 0},
	    {" 1", -1, 0},
	    {"-1e400", 6, -INFINITY},
	    {"1e-99999999999999999999", 23, 0},
	    {"0e99999999999999999999", 22, 0},
	    {"1e18446744073709551616", 22, INFINITY},
	};
	static struct padded padded;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double value = 77;
		const char *behind;
		int length;

		pad(&padded, rows[i].text);
		behind = anim_number_double(padded.text, padded.text + padded.size, &value);
		length = behind != NULL ? (int)(behind - padded.text) : -1;
		CHECKF(length == rows[i].length, "'%s' ends after %d", rows[i].text, length);
		CHECKF(length < 0 || double_bits(value) == double_bits(rows[i].value), "'%s' is %.17g", rows[i].text,
		       value);
		CHECKF(length >= 0 || value == 77, "'%s' is no number but stored one", rows[i].text);
	}
}

TEST(number_typed, "people may leave out the 0 before the point, and no digit of an exponent")
{
	static const struct {
		const char *text;
		size_t length; /* 0: no number */
		double value;
	} rows[] = {
	    {".5", 2, 0.5},  {".5mm", 2, 0.5}, {"-.25e1x", 6, -2.5},   {"5.", 2, 5},   {"0.5", 3, 0.5},
	    {"-0", 2, -0.0}, {".5.5", 2, 0.5}, {"1e400", 5, INFINITY}, {"", 0, 0},     {".", 0, 0},
	    {"-.", 0, 0},    {"-", 0, 0},      {".e5", 0, 0},          {"-.e5", 0, 0}, {"..5", 0, 0},
	    {"+.5", 0, 0},   {".-5", 0, 0},    {"2e", 0, 0},           {".5e+", 0, 0}, {"mm", 0, 0},
	};
	char long_one[ANIM_NUMBER_TYPED_MAX + 1];
	double value = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t length = anim_number_typed(rows[i].text, strlen(rows[i].text), &value);

		CHECKF(length == rows[i].length, "'%s' ends after %zu", rows[i].text, length);
		CHECKF(length == 0 || double_bits(value) == double_bits(rows[i].value), "'%s' is %.17g", rows[i].text,
		       value);
	}
	CHECK(anim_number_typed(".55", 2, &value) == 2 && value == 0.5);
	memset(long_one, '0', sizeof long_one);
	long_one[0] = '.';
	long_one[ANIM_NUMBER_TYPED_MAX - 1] = '1';
	CHECK(anim_number_typed(long_one, ANIM_NUMBER_TYPED_MAX, &value) == ANIM_NUMBER_TYPED_MAX && value == 1e-62);
	CHECK(anim_number_typed(long_one, sizeof long_one, &value) == 0);
}

TEST(number_powers, "all powers of ten read as the C library reads them")
{
	static const char *const mantissas[] = {"1",
						"9",
						"-1.5",
						"123456789",
						"9007199254740993",
						"1844674407370955161",
						"9999999999999999999",
						"18446744073709551616",
						"1.00000000000000000000001"};
	char text[64];

	for (size_t i = 0; i < sizeof mantissas / sizeof *mantissas; i++) {
		for (int exponent = -400; exponent <= 400; exponent++) {
			snprintf(text, sizeof text, "%se%d", mantissas[i], exponent);
			CHECKF(reads_as_libc(text), "%s", text);
		}
	}
}

TEST(number_random, "doubles of 15 to 30 digits read as the C library reads them")
{
	static const int digits[] = {15, 16, 17, 18, 19, 20, 21, 30};
	uint64_t state = 1;
	char text[64];

	for (int i = 0; i < 400000; i++) {
		double value = bits_double(next_random(&state));

		if (!isfinite(value))
			continue;
		snprintf(text, sizeof text, "%.*g", digits[i % 8], value);
		CHECKF(reads_as_libc(text), "%s", text);
	}
}

TEST(number_small, "numbers of everyday size and any length read as the C library reads them")
{
	uint64_t state = 2;
	char text[64];

	for (int i = 0; i < 600000; i++) {
		double value = (double)(int64_t)next_random(&state) * 0x1p-63;

		snprintf(text, sizeof text, "%.*f", i % 27, value * (i % 3 == 0 ? 1 : i % 3 == 1 ? 100 : 1e9));
		CHECKF(reads_as_libc(text), "%s", text);
	}
}

TEST(number_float_range, "decimals about the ends of float32 read as the C library reads them")
{
	uint64_t state = 3;
	char text[64];

	for (int i = 0; i < 300000; i++) {
		uint64_t random = next_random(&state);
		int exponent = i % 2 == 0 ? -50 + (int)(random % 14) : 25 + (int)(random % 14);

		snprintf(text, sizeof text, "%llue%d", (unsigned long long)(random >> (8 + random % 50)), exponent - 8);
		CHECKF(reads_as_libc(text), "%s", text);
	}
}

TEST(number_float_middles, "decimals next to the middle of two floats read as the C library reads them")
{
	uint64_t state = 9;
	char text[64];

	for (int i = 0; i < 200000; i++) {
		uint64_t random = next_random(&state);
		uint64_t bits = (random >> 2 & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(1003 + random % 47) << 52;
		double middle = bits_double((bits & ~UINT64_C(0x1fffffff)) | 0x10000000);

		snprintf(text, sizeof text, "%.*g", 15 + i % 4, middle);
		CHECKF(reads_as_libc(text), "%s", text);
	}
}

TEST(number_subnormals, "subnormal floats and doubles read as the C library reads them")
{
	uint64_t state = 4;
	char text[64];

	for (int i = 0; i < 100000; i++) {
		uint64_t random = next_random(&state);

		snprintf(text, sizeof text, "%.*e", 3 + i % 18, bits_double(random >> (12 + random % 52)));
		CHECKF(reads_as_libc(text), "%s", text);
		snprintf(text, sizeof text, "%.*e", 3 + i % 18,
			 (double)bits_float((uint32_t)random >> (9 + random % 23)));
		CHECKF(reads_as_libc(text), "%s", text);
	}
}

/* Reads sign-less text as float or double and gives the bits. */
static uint64_t read_bits(const char *text, bool wide)
{
	static struct padded padded;
	double d = -1;
	float f = -1;

	pad(&padded, text);
	if (wide) {
		anim_number_double(padded.text, padded.text + padded.size, &d);
		return double_bits(d);
	}
	anim_number_float(padded.text, padded.text + padded.size, &f);
	return float_bits(f);
}

/* The decimal halfway between the number with these bits and the next, exactly; then a trifle more and less. */
static void check_tie(uint64_t bits, bool wide)
{
	static char tie[2048], other[2304];
	int mantissa_bits = wide ? 52 : 23, bias = wide ? 1023 : 127;
	uint64_t biased = bits >> mantissa_bits, mantissa = bits & ((UINT64_C(1) << mantissa_bits) - 1);
	int exponent = (biased > 0 ? (int)biased : 1) - bias - mantissa_bits - 1, power;
	size_t length;
	struct big big;

	if (biased > 0)
		mantissa |= UINT64_C(1) << mantissa_bits;
	big_set(&big, 2 * mantissa + 1);
	for (int i = 0; i < exponent; i++)
		big_multiply(&big, 2);
	for (int i = 0; i > exponent; i--)
		big_multiply(&big, 5);
	power = exponent < 0 ? exponent : 0;
	length = big_text(&big, tie, sizeof tie);
	snprintf(other, sizeof other, "%se%d", tie, power);
	CHECKF(read_bits(other, wide) == bits + (bits & 1), "tie above %llx: %s", (unsigned long long)bits, other);
	snprintf(other, sizeof other, "%s.%0200de%d", tie, 1, power);
	CHECKF(read_bits(other, wide) == bits + 1, "above the tie of %llx: %s", (unsigned long long)bits, other);
	tie[length - 1]--; /* a tie ends in 5 below 1 and is odd, or is even and not 0 at its end, or ends in 0 */
	if (tie[length - 1] < '0')
		return;
	snprintf(other, sizeof other, "%s.%0200de%d", tie, 9, power);
	CHECKF(read_bits(other, wide) == bits, "below the tie of %llx: %s", (unsigned long long)bits, other);
}

TEST(number_ties, "an exact tie goes to the even neighbour, a digit 800 places later decides")
{
	uint64_t state = 5;
	static const uint64_t edges[] = {0,
					 1,
					 2,
					 0xfffffffffffff,
					 0x10000000000000,
					 0x10000000000001,
					 0x7fefffffffffffff,
					 0x3ff0000000000000,
					 0x4340000000000000,
					 0x4340000000000001};
	static const uint64_t narrow[] = {0, 1, 2, 0x7fffff, 0x800000, 0x800001, 0x7f7fffff, 0x3f800000, 0x4b800000};

	for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
		check_tie(edges[i], true);
	for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
		check_tie(narrow[i], false);
	for (int i = 0; i < 1500; i++) {
		check_tie(next_random(&state) % (UINT64_C(0x7ff) << 52), true);
		check_tie(next_random(&state) % (UINT64_C(0xff) << 23), false);
	}
}

TEST(number_once, "anim_number_float rounds once, anim_number_float_of_double twice")
{
	static const char text[128] =
	    "1.00000017881393432617187499"; /* just below the middle of two floats, to which the
									 nearest double rounds up */
	float once = 0, twice = 0;

	anim_number_float(text, text + strlen(text), &once);
	anim_number_float_of_double(text, text + strlen(text), &twice);
	CHECK(float_bits(once) == 0x3f800001);
	CHECK(float_bits(twice) == 0x3f800002);
}

TEST(number_long, "thousands of digits and zeros are read exactly")
{
	static char text[3900];

	memset(text, '9', 3000);
	snprintf(text + 3000, 32, "e-2999");
	CHECK(reads_as_libc(text));
	memset(text, '0', 3000);
	snprintf(text + 3000, 32, "1.5");
	CHECK(reads_as_libc(text));
	memcpy(text, "0.", 2);
	memset(text + 2, '0', 2000);
	snprintf(text + 2002, 32, "123456789012345678901e2001");
	CHECK(reads_as_libc(text));
	memset(text, '1', 800);
	snprintf(text + 800, 32, "e-1100");
	CHECK(reads_as_libc(text));
	memset(text, '0', 400);
	text[0] = '1';
	snprintf(text + 400, 32, ".0");
	CHECK(reads_as_libc(text));
}

TEST(number_integers, "integers saturate as in Godot, unsigned ones are refused when too large")
{
	static const struct {
		const char *text;
		int length;
		int64_t value;
	} rows[] = {{"0", 1, 0},
		    {"-0", 2, 0},
		    {"-12,", 3, -12},
		    {"12.5", 2, 12},
		    {"9223372036854775807", 19, INT64_MAX},
		    {"9223372036854775808", 19, INT64_MAX},
		    {"-9223372036854775807", 20, -INT64_MAX},
		    {"-9223372036854775808", 20, INT64_MIN},
		    {"-9223372036854775809", 20, INT64_MIN},
		    {"99999999999999999999999999", 26, INT64_MAX},
		    {"-99999999999999999999999999", 27, INT64_MIN},
		    {"00000000000000000000000000007", 29, 7},
		    {"-", -1, 0},
		    {"", -1, 0},
		    {"+1", -1, 0}};
	static struct padded padded;
	uint64_t value = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t signed_value = 0;
		const char *behind;

		pad(&padded, rows[i].text);
		behind = anim_number_int64(padded.text, padded.text + padded.size, &signed_value);
		CHECKF((behind != NULL ? behind - padded.text : -1) == rows[i].length, "'%s'", rows[i].text);
		CHECKF(signed_value == rows[i].value, "'%s' is %lld", rows[i].text, (long long)signed_value);
	}
	pad(&padded, "18446744073709551615");
	CHECK(anim_number_uint64(padded.text, padded.text + 20, &value) == padded.text + 20 && value == UINT64_MAX);
	pad(&padded, "18446744073709551616");
	CHECK(anim_number_uint64(padded.text, padded.text + 20, &value) == NULL);
	pad(&padded, "-1");
	CHECK(anim_number_uint64(padded.text, padded.text + 2, &value) == NULL);
}
