/* number_parse.c: text to numbers, correctly rounded. */
#include "base/number.h"

#include "base/number_scan.h"

const struct anim_binary_format anim_binary32 = {23, 127}, anim_binary64 = {52, 1023};

const uint64_t anim_power10_uint64[20] = {
    UINT64_C(1),
    UINT64_C(10),
    UINT64_C(100),
    UINT64_C(1000),
    UINT64_C(10000),
    UINT64_C(100000),
    UINT64_C(1000000),
    UINT64_C(10000000),
    UINT64_C(100000000),
    UINT64_C(1000000000),
    UINT64_C(10000000000),
    UINT64_C(100000000000),
    UINT64_C(1000000000000),
    UINT64_C(10000000000000),
    UINT64_C(100000000000000),
    UINT64_C(1000000000000000),
    UINT64_C(10000000000000000),
    UINT64_C(100000000000000000),
    UINT64_C(1000000000000000000),
    UINT64_C(10000000000000000000),
};

const double anim_power10_double[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
					1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

void anim_decimal_cut(struct anim_decimal *decimal)
{
	const char *at = decimal->first;
	uint64_t mantissa = 0;
	int taken = 0;
	int64_t left = 0;

	decimal->truncated = false;
	for (; at < decimal->last; at++) {
		if (*at == '.' || (taken == 0 && *at == '0'))
			continue;
		if (taken < 19) {
			mantissa = mantissa * 10 + (uint64_t)(*at - '0');
			taken++;
		} else {
			left++;
			decimal->truncated |= *at != '0';
		}
	}
	decimal->mantissa = mantissa;
	decimal->exponent = decimal->unit + left;
}

/* The largest number not above a decimal, as bits of its format, and whether the next is nearer. */
struct candidate {
	uint64_t bits;
	bool up, undecided;
};

/*
 * The top 64 bits of the product decide, `rest` being those of them that the format has no room for. The product is at
 * most two units of `middle` below the true value (never above), which matters only just below the tie.
 */
static inline struct candidate judge(uint64_t bits, uint64_t rest, uint64_t half, bool beyond, uint64_t middle,
				     bool exact)
{
	struct candidate candidate = {bits, rest >= half, false};

	if (__builtin_expect(rest == half && exact && !beyond, 0))
		candidate.up = bits & 1;
	if (__builtin_expect(rest == half - 1 && middle >= UINT64_MAX - 1 && !exact, 0))
		candidate.undecided = true;
	return candidate;
}

/*
 * mantissa * 10^q by one product of 64 x 128 bits, after D. Lemire, "Number parsing at a gigabyte per second" (2021),
 * but for its table, which is rounded down for all q, and for the answer "undecided" in place of a proof that the
 * product is always enough. mantissa is not 0, q within the table. Nothing that cannot be guessed is a branch.
 */
static inline struct candidate approximate(const struct anim_binary_format *format, uint64_t mantissa, int q)
{
	struct anim_power power = anim_powers[q - ANIM_POWER_MIN];
	int zeros = __builtin_clzll(mantissa), drop = 63 - format->mantissa_bits;
	struct anim_product upper = anim_multiply(mantissa << zeros, power.high);
	struct anim_product lower = anim_multiply(mantissa << zeros, power.low);
	uint64_t middle = upper.low + lower.high, high = upper.high + (middle < upper.low), half;
	unsigned lift = (unsigned)(high >> 63 ^ 1);
	int exponent = anim_floor_log2_power10(q) + 64 - zeros - (int)lift + format->bias;

	high = high << lift | middle >> 1 >> (63 - lift);
	middle = middle << lift | lower.low >> 1 >> (63 - lift);
	if (exponent > 2 * format->bias)
		return (struct candidate){(uint64_t)(2 * format->bias + 1) << format->mantissa_bits, false, false};
	if (exponent <= 0) {
		drop += 1 - exponent;
		exponent = 1;
	}
	if (drop > 64)
		return (struct candidate){0, false, drop == 65 && high == UINT64_MAX};
	half = UINT64_C(1) << (drop - 1);
	return judge(((uint64_t)(exponent - 1) << format->mantissa_bits) + (high >> 1 >> (drop - 1)),
		     high & (2 * half - 1), half, middle != 0 || lower.low << lift != 0, middle,
		     q >= 0 && q <= ANIM_POWER_EXACT_MAX);
}

/* Whether the decimal, which lies about halfway between the number with these bits and the next, rounds up. */
static bool exact_round_up(const struct anim_binary_format *format, const struct anim_decimal *decimal, uint64_t bits)
{
	uint64_t mantissa = bits & ((UINT64_C(1) << format->mantissa_bits) - 1);
	int exponent = (int)(bits >> format->mantissa_bits), order;

	if (exponent > 0)
		mantissa |= UINT64_C(1) << format->mantissa_bits;
	else
		exponent = 1;
	order = anim_decimal_compare(decimal, 2 * mantissa + 1, exponent - format->bias - format->mantissa_bits - 1);
	return order > 0 || (order == 0 && (bits & 1) != 0);
}

/* Whether the mantissa with one unit more gives the same: then the digits left out do not matter. */
static bool is_stable(const struct anim_binary_format *format, const struct anim_decimal *decimal, struct candidate a)
{
	struct candidate b = approximate(format, decimal->mantissa + 1, (int)decimal->exponent);

	return !b.undecided && a.bits + a.up == b.bits + b.up;
}

uint64_t anim_decimal_round(const struct anim_binary_format *format, const struct anim_decimal *decimal)
{
	struct candidate candidate;

	/* 2^64 * 10^-343 is below half the least double, 10^309 above the largest. */
	if (decimal->mantissa == 0 || decimal->exponent < ANIM_POWER_MIN)
		return 0;
	if (decimal->exponent > 308)
		return (uint64_t)(2 * format->bias + 1) << format->mantissa_bits;
	candidate = approximate(format, decimal->mantissa, (int)decimal->exponent);
	if (!candidate.undecided && (!decimal->truncated || is_stable(format, decimal, candidate)))
		return candidate.bits + candidate.up;
	return candidate.bits + exact_round_up(format, decimal, candidate.bits);
}

const char *anim_number_double(const char *text, const char *end, double *value)
{
	struct anim_decimal decimal;
	bool negative = text < end && *text == '-';
	const char *behind = text < end ? anim_scan_decimal(text + negative, &decimal) : NULL;
	double magnitude;

	if (behind == NULL)
		return NULL;
	magnitude = anim_decimal_double(&decimal);
	*value = negative ? -magnitude : magnitude;
	return behind;
}

const char *anim_number_float_of_double(const char *text, const char *end, float *value)
{
	double wide;
	const char *behind = anim_number_double(text, end, &wide);

	if (behind != NULL)
		*value = (float)wide;
	return behind;
}

/*
 * A double rounded to float32 is the float32 of its decimal unless rounding to double hit the middle of two floats; all
 * easy values lie within float32's normal range.
 */
static float decimal_float(const struct anim_decimal *decimal)
{
	uint64_t wide_bits;
	uint32_t bits;
	double wide;
	float value;

	if (anim_decimal_is_easy(decimal)) {
		wide = anim_decimal_easy_value(decimal);
		memcpy(&wide_bits, &wide, sizeof wide_bits);
		if ((wide_bits & 0x1fffffff) != 0x10000000)
			return (float)wide;
	}
	bits = (uint32_t)anim_decimal_round(&anim_binary32, decimal);
	memcpy(&value, &bits, sizeof value);
	return value;
}

const char *anim_number_float(const char *text, const char *end, float *value)
{
	struct anim_decimal decimal;
	bool negative = text < end && *text == '-';
	const char *behind = text < end ? anim_scan_decimal(text + negative, &decimal) : NULL;
	float magnitude;

	if (behind == NULL)
		return NULL;
	magnitude = decimal_float(&decimal);
	*value = negative ? -magnitude : magnitude;
	return behind;
}

/* The digits at `at`, at most `limit`, which is kept where they make more; *over tells so. NULL without a digit. */
static const char *scan_integer(const char *at, uint64_t limit, uint64_t *value, bool *over)
{
	uint64_t sum = 0;

	*over = false;
	if (!anim_is_digit(*at))
		return NULL;
	for (; anim_is_digit(*at); at++) {
		unsigned digit = (unsigned)(*at - '0');

		*over = *over || sum > (limit - digit) / 10;
		sum = *over ? limit : sum * 10 + digit;
	}
	*value = sum;
	return at;
}

const char *anim_number_int64(const char *text, const char *end, int64_t *value)
{
	bool negative = text < end && *text == '-', over;
	uint64_t magnitude, limit = (uint64_t)INT64_MAX + negative;
	const char *behind = text < end ? scan_integer(text + negative, limit, &magnitude, &over) : NULL;

	if (behind == NULL)
		return NULL;
	if (!negative)
		*value = (int64_t)magnitude;
	else
		*value = magnitude == limit ? INT64_MIN : -(int64_t)magnitude;
	return behind;
}

const char *anim_number_uint64(const char *text, const char *end, uint64_t *value)
{
	uint64_t sum;
	bool over;
	const char *behind = text < end ? scan_integer(text, UINT64_MAX, &sum, &over) : NULL;

	if (behind == NULL || over)
		return NULL;
	*value = sum;
	return behind;
}
