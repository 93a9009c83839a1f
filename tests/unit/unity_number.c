/* unity_number.c: numbers in every spelling that Unity reads. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "format/unity/yaml.h"
#include "tap.h"

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* The bits of a text that is one number as a whole; false where it is none. */
static bool read_whole(const char *text, uint32_t *bits)
{
	const char *end = text + strlen(text);
	float value = 0;

	if (unity_number_float(text, end, &value) != end)
		return false;
	*bits = bits_of(value);
	return true;
}

TEST(unity_numbers, "decimals, IEEE bits, infinities and nan are read in all their spellings")
{
	static const struct {
		const char *text;
		uint32_t bits;
	} cases[] = {
	    {"1", 0x3f800000},
	    {"-0", 0x80000000},
	    {"+1.5", 0x3fc00000},
	    {"007", 0x40e00000},
	    {"1.", 0x3f800000},
	    {".0333333351", 0x3d088889},
	    {"-.5", 0xbf000000},
	    {"0.1e1", 0x3f800000},
	    {"2.5444438e-15", 0x273758b4},
	    {"3.4028235E+38", 0x7f7fffff},
	    {"0.33333334", 0x3eaaaaab},
	    {"1e99", 0x7f800000},
	    {"-1e-99", 0x80000000},
	    {"0x3F800000", 0x3f800000},
	    {"0x3f800000(1)", 0x3f800000},
	    {"0x3f800000(2.5)", 0x3f800000},
	    {"0X00000001", 0x00000001},
	    {"0xC000000000000000(-2)", 0xc0000000},
	    {"Infinity", 0x7f800000},
	    {"-Infinity", 0xff800000},
	    {"+inf", 0x7f800000},
	    {".INF", 0x7f800000},
	    {"-1.#INF", 0xff800000},
	    {"1.#INF00", 0x7f800000},
	    {"\xe2\x88\x9e", 0x7f800000},
	    {"-\xe2\x88\x9e", 0xff800000},
	    {"nan", 0x7fc00000},
	    {"NaN", 0x7fc00000},
	    {".nan", 0x7fc00000},
	    {"1.#QNAN", 0x7fc00000},
	    {"nan(ind)", 0x7fc00000},
	    {"-1.#IND", 0xffc00000},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t bits = 0;

		CHECKF(read_whole(cases[i].text, &bits) && bits == cases[i].bits, "%s: %08" PRIx32, cases[i].text,
		       bits);
	}
}

TEST(unity_numbers_not, "what is no number, or only begins with one, is not taken whole")
{
	static const char *const cases[] = {
	    "",     "-",     "+",   ".",     "1e",         "1e+",          "x",
	    "1x",   "1 ",    "0x",  "0x3f8", "0x3f80000g", "0x3f800000(1", "-0x3f800000",
	    "infi", "1.#IN", "--1", "1.2.3", "Infinityx",  "1,5",          "nanx"};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t bits;

		CHECKF(!read_whole(cases[i], &bits), "'%s'", cases[i]);
	}
}

TEST(unity_numbers_bounds, "nothing behind the end of a text belongs to the number; very long ones are refused")
{
	static char digits[UNITY_NUMBER_MAX + 2];
	const char *text = "1.5e7";
	float value;

	CHECK(unity_number_float(text, text + 3, &value) == text + 3 && value == 1.5f);
	CHECK(unity_number_float(text, text + 4, &value) == NULL);
	CHECK(unity_number_float(text, text, &value) == NULL);
	memset(digits, '0', sizeof digits);
	digits[UNITY_NUMBER_MAX - 1] = '7';
	CHECK(unity_number_float(digits, digits + UNITY_NUMBER_MAX, &value) == digits + UNITY_NUMBER_MAX && value == 7);
	CHECK(unity_number_float(digits, digits + UNITY_NUMBER_MAX + 1, &value) == NULL);
}
