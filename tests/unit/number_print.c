/* number_print.c: numbers to text: shortest, nearest, in the promised notation; and the table of powers of ten. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/number_internal.h"
#include "number_help.h"
#include "tap.h"

#ifdef __SANITIZE_ADDRESS__ /* the plain build looks at ten times as many */
enum { FLOATS_APART = 4327, DOUBLES = 50000 };
#else
enum { FLOATS_APART = 431, DOUBLES = 500000 };
#endif

/* Room for the text and for the zero bytes that readers may look at behind it. */
struct printed {
	char text[ANIM_NUMBER_MAX + 64];
	size_t size;
};

static const char *print_float(struct printed *printed, float value)
{
	printed->size = anim_number_print_float(printed->text, value);
	memset(printed->text + printed->size, 0, sizeof printed->text - printed->size);
	return printed->text;
}

static const char *print_double(struct printed *printed, double value)
{
	printed->size = anim_number_print_double(printed->text, value);
	memset(printed->text + printed->size, 0, sizeof printed->text - printed->size);
	return printed->text;
}

static const char *print_grisu2(struct printed *printed, double value, bool narrow)
{
	printed->size = anim_number_print_grisu2(printed->text, value, narrow);
	memset(printed->text + printed->size, 0, sizeof printed->text - printed->size);
	return printed->text;
}

TEST(print_floats, "floats print in plain notation from 1e-5 up to 1e10, else with an exponent")
{
	static const struct {
		float value;
		const char *text;
	} rows[] = {{0.0f, "0"},
		    {-0.0f, "-0"},
		    {1.0f, "1"},
		    {-1.0f, "-1"},
		    {10.0f, "10"},
		    {0.5f, "0.5"},
		    {0.1f, "0.1"},
		    {-0.033333335f, "-0.033333335"},
		    {16777216.0f, "16777216"},
		    {123456.79f, "123456.79"},
		    {8388607.5f, "8388607.5"},
		    {2097152.25f, "2097152.2"},
		    {123456790.0f, "123456790"},
		    {999999999.0f, "1000000000"},
		    {9999999000.0f, "9999999000"},
		    {1e10f, "1e10"},
		    {1.5e10f, "1.5e10"},
		    {1e-5f, "0.00001"},
		    {1.2345678e-5f, "0.000012345678"},
		    {9.999999e-6f, "9.999999e-6"},
		    {3.4028235e38f, "3.4028235e38"},
		    {1.17549435e-38f, "1.1754944e-38"},
		    {1e-45f, "1e-45"},
		    {-1.5e-7f, "-1.5e-7"},
		    {-7.038531e-26f, "-7.0385307e-26"},
		    {INFINITY, "inf"},
		    {-INFINITY, "-inf"},
		    {NAN, "nan"},
		    {-NAN, "nan"}};
	struct printed printed;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECKF(strcmp(print_float(&printed, rows[i].value), rows[i].text) == 0, "%s for %s", printed.text,
		       rows[i].text);
}

TEST(print_doubles, "doubles print in plain notation from 1e-5 up to 1e16, else with an exponent")
{
	static const struct {
		double value;
		const char *text;
	} rows[] = {{0.0, "0"},
		    {-0.0, "-0"},
		    {1.0, "1"},
		    {0.1, "0.1"},
		    {-0.3, "-0.3"},
		    {0.1 + 0.2, "0.30000000000000004"},
		    {0.9553369283676147, "0.9553369283676147"},
		    {123456789.125, "123456789.125"},
		    {12345678.901234567, "12345678.901234567"},
		    {1234567890123456.7, "1234567890123456.8"},
		    {9007199254740993.0, "9007199254740992"},
		    {9999999999999998.0, "9999999999999998"},
		    {1e15, "1000000000000000"},
		    {1e16, "1e16"},
		    {1.5e300, "1.5e300"},
		    {1e-5, "0.00001"},
		    {0.000012345678901234567, "0.000012345678901234568"},
		    {9.5e-6, "9.5e-6"},
		    {5e-324, "5e-324"},
		    {1.7976931348623157e308, "1.7976931348623157e308"},
		    {2.2250738585072014e-308, "2.2250738585072014e-308"},
		    {9007199254740992.0 * 1024, "9.223372036854776e18"},
		    {1e23, "1e23"},
		    {INFINITY, "inf"},
		    {-INFINITY, "-inf"},
		    {NAN, "nan"}};
	struct printed printed;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECKF(strcmp(print_double(&printed, rows[i].value), rows[i].text) == 0, "%s for %s", printed.text,
		       rows[i].text);
}

/* The significant digits of a text, without zeros at either end, and the power of ten of the last of them. */
struct parts {
	char digits[ANIM_NUMBER_MAX];
	int count, power;
};

static struct parts split(const char *text)
{
	struct parts parts = {"", 0, 0};
	bool fraction = false;

	for (text += *text == '-'; *text != '\0' && *text != 'e'; text++) {
		if (*text == '.') {
			fraction = true;
			continue;
		}
		parts.power -= fraction;
		if (parts.count > 0 || *text != '0')
			parts.digits[parts.count++] = *text;
	}
	if (*text == 'e')
		parts.power += atoi(text + 1);
	for (; parts.count > 0 && parts.digits[parts.count - 1] == '0'; parts.power++)
		parts.digits[--parts.count] = '\0';
	parts.digits[parts.count] = '\0';
	return parts;
}

/*
 * Whether `text` is what the fewest digits of printf that read back give. At a power of two printf's nearest decimal
 * may not read back where one a little further off does; ours may then be shorter.
 */
static bool is_shortest(const char *text, double value, bool wide, bool power_of_two)
{
	struct parts ours = split(text), theirs = ours;
	char other[64];

	for (int count = 1; count <= 17; count++) {
		snprintf(other, sizeof other, "%.*e", count - 1, value);
		theirs = split(other);
		if (wide ? strtod(other, NULL) == value : strtof(other, NULL) == (float)value)
			break;
	}
	if (power_of_two && ours.count < theirs.count)
		return true;
	return ours.count == theirs.count && ours.power == theirs.power && strcmp(ours.digits, theirs.digits) == 0;
}

/* Both readers give the float back, and so does the C library. */
static void check_back(const char *text, size_t size, uint32_t bits, bool with_libc)
{
	float once = 77, twice = 77;
	const char *end = text + size;

	CHECKF(anim_number_float(text, end, &once) == end && float_bits(once) == bits,
	       "%08x is read back as %08x from %s", (unsigned)bits, (unsigned)float_bits(once), text);
	CHECKF(anim_number_float_of_double(text, end, &twice) == end && float_bits(twice) == bits,
	       "%08x is read back through double as %08x from %s", (unsigned)bits, (unsigned)float_bits(twice), text);
	if (with_libc)
		CHECKF(float_bits(strtof(text, NULL)) == bits, "%08x: strtof differs on %s", (unsigned)bits, text);
}

/* What is to hold for every finite float. */
static void check_float(uint32_t bits, bool with_libc)
{
	struct printed printed;
	float value = bits_float(bits);

	print_float(&printed, value);
	CHECKF(printed.size <= 16, "%08x takes %zu bytes", (unsigned)bits, printed.size);
	check_back(printed.text, printed.size, bits, with_libc);
	if (value == 0)
		return;
	print_grisu2(&printed, (double)value, true);
	check_back(printed.text, printed.size, bits, with_libc);
}

/* Whether no decimal with a digit less reads back, and none with as many digits is nearer. */
static bool is_best(const char *text, float value)
{
	struct parts parts = split(text);
	unsigned long long digits = strtoull(parts.digits, NULL, 10);
	char other[2 * ANIM_NUMBER_MAX + 64] = "";
	double step = 0;

	for (unsigned i = 0; i < 2 && parts.count > 1; i++) {
		float back = -1;
		size_t size = anim_number_print_uint64(other, digits / 10 + i);

		other[size++] = 'e';
		size += anim_number_print_int64(other + size, parts.power + 1);
		other[size] = '\0';
		anim_number_float(other, other + size, &back);
		if (back == fabsf(value))
			return false;
	}
	memcpy(other, "1e", 2);
	other[2 + anim_number_print_int64(other + 2, parts.power)] = '\0';
	anim_number_double(other, other + strlen(other), &step);
	return fabs((double)digits * step - fabs((double)value)) <= step * (0.5 + 1e-5) ||
	       (float_bits(value) & 0x7fffff) == 0;
}

TEST(print_float_sample, "floats of all sizes are read back from their text, by the C library too")
{
	struct printed printed;

	check_float(0x15ae43fd, true);
	check_float(0x95ae43fd, true);
	for (uint64_t bits = 0; bits <= UINT32_MAX; bits += FLOATS_APART) {
		float value = bits_float((uint32_t)bits);

		if ((bits & 0x7f800000) == 0x7f800000)
			continue;
		check_float((uint32_t)bits, bits % 8 == 0);
		if (bits > 0 && bits % 8 == 1)
			CHECKF(is_best(print_float(&printed, value), value), "%s is not the best for %.9g",
			       printed.text, (double)value);
	}
}

TEST(print_float_shortest, "a float's text is the shortest and nearest that printf finds")
{
	struct printed printed;

	for (uint64_t bits = 1; bits < 0x7f800000; bits += 22543) {
		float value = bits_float((uint32_t)bits);

		CHECKF(is_shortest(print_float(&printed, value), value, false, false), "%s for %.9g", printed.text,
		       (double)value);
	}
	for (int exponent = -149; exponent <= 127; exponent++) {
		float value = (float)ldexp(1, exponent);

		CHECKF(is_shortest(print_float(&printed, value), value, false, true), "%s for %.9g", printed.text,
		       (double)value);
		check_float(float_bits(value), true);
	}
}

TEST(print_double_sample, "doubles of all sizes are read back, from the shortest and nearest text that printf finds")
{
	struct printed printed;
	uint64_t state = 7;

	for (int i = 0; i < DOUBLES; i++) {
		double value = bits_double(next_random(&state)), back = 77;

		if (!isfinite(value))
			continue;
		if (i % 2 == 0)
			value = (double)(int64_t)next_random(&state) * 0x1p-60;
		print_double(&printed, value);
		anim_number_double(printed.text, printed.text + printed.size, &back);
		CHECKF(double_bits(back) == double_bits(value), "%s for %.17g", printed.text, value);
		if (i % 16 < 2)
			CHECKF(is_shortest(printed.text, value, true, false), "%s for %.17g", printed.text, value);
		print_grisu2(&printed, value, false);
		anim_number_double(printed.text, printed.text + printed.size, &back);
		CHECKF(double_bits(back) == double_bits(value), "%s for %.17g", printed.text, value);
	}
	for (int exponent = -1074; exponent <= 1023; exponent++) {
		double value = ldexp(1, exponent), back = 77;

		print_double(&printed, value);
		anim_number_double(printed.text, printed.text + printed.size, &back);
		CHECKF(back == value && is_shortest(printed.text, value, true, true), "%s for %.17g", printed.text,
		       value);
	}
}

TEST(print_integers, "integers print as printf prints them")
{
	char text[ANIM_NUMBER_MAX], wanted[64];
	uint64_t state = 8, random;

	for (int i = 0; i < 20000; i++) {
		random = next_random(&state) >> i % 65 % 64;
		random = i == 0 ? 0 : i == 1 ? UINT64_MAX : i == 2 ? (uint64_t)INT64_MIN : random;
		text[anim_number_print_uint64(text, random)] = '\0';
		snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)random);
		CHECKF(strcmp(text, wanted) == 0, "%s for %s", text, wanted);
		text[anim_number_print_int64(text, (int64_t)random)] = '\0';
		snprintf(wanted, sizeof wanted, "%lld", (long long)random);
		CHECKF(strcmp(text, wanted) == 0, "%s for %s", text, wanted);
	}
	for (uint64_t power = 1; power <= UINT64_MAX / 10; power *= 10) {
		text[anim_number_print_uint64(text, power - 1)] = '\0';
		CHECKF(strtoull(text, NULL, 10) == power - 1, "%s", text);
		text[anim_number_print_uint64(text, power)] = '\0';
		CHECKF(strtoull(text, NULL, 10) == power, "%s", text);
	}
}

/* The 128 bits from the highest one down. */
static struct anim_power leading_bits(const struct big *big)
{
	struct anim_power power = {0, 0};
	int bits = big_bits(big);

	for (int i = 1; i <= 64; i++) {
		power.high = power.high << 1 | (uint64_t)big_bit(big, bits - i);
		power.low = power.low << 1 | (uint64_t)big_bit(big, bits - 64 - i);
	}
	return power;
}

static void check_power(int q, const struct big *big, int log2)
{
	struct anim_power power = leading_bits(big), stored = anim_powers[q - ANIM_POWER_MIN];

	CHECKF(power.high == stored.high && power.low == stored.low, "10^%d is %016llx %016llx", q,
	       (unsigned long long)power.high, (unsigned long long)power.low);
	CHECKF(stored.low != UINT64_MAX, "the low half of 10^%d is all ones", q);
	CHECKF(anim_floor_log2_power10(q) == log2, "log2(10^%d) is not %d", q, log2);
	CHECKF((stored.low == 0 && q >= 0 && q <= 27) || (stored.low != 0 && (q < 0 || q > 27)), "low half of 10^%d",
	       q);
}

TEST(number_table, "the powers of ten are those of big integers")
{
	struct big big;

	big_set(&big, 1);
	for (int q = 0; q <= ANIM_POWER_MAX; q++) {
		check_power(q, &big, big_bits(&big) - 1);
		big_multiply(&big, 10);
	}
	/* floor(floor(2^2048 / 10) / 10) is floor(2^2048 / 100), and so on; no quotient is a power of two */
	memset(&big, 0, sizeof big);
	big.limb[64] = 1;
	for (int q = -1; q >= ANIM_POWER_MIN; q--) {
		big_divide(&big, 10);
		check_power(q, &big, big_bits(&big) - 1 - 2048);
	}
}

TEST(print_float_all, "every one of the 2^32 floats is read back from the shortest text, by the C library too")
{
	struct printed printed;

	if (getenv("ANIM_LONG") == NULL) {
		tap_skip("takes some minutes: set ANIM_LONG to run it");
		return;
	}
	for (uint64_t bits = 0; bits <= UINT32_MAX; bits++) {
		float value = bits_float((uint32_t)bits);

		if ((bits & 0x7f800000) == 0x7f800000)
			continue;
		check_float((uint32_t)bits, bits < 0x80000000);
		if (bits == 0 || bits >= 0x80000000 || bits == 0x15ae43fd)
			continue;
		print_float(&printed, value);
		CHECKF(is_best(printed.text, value), "%s is not the best for %.9g", printed.text, (double)value);
	}
}
