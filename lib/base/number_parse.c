/* number_parse.c: text to numbers, correctly rounded. */
#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/input.h"
#include "base/machine.h"
#include "base/number_internal.h"
#include "base/scan.h"

/* ---- Infinities and NaNs as text ---- */

/* Read exactly this many lower-case hexadecimal digits. Returns their end, or NULL. */
static const char *hexadecimal(const char *text, const char *end, unsigned digits, uint64_t *bits)
{
	if (end - text < (ptrdiff_t)digits)
		return NULL;
	*bits = 0;
	for (unsigned i = 0; i < digits; i++) {
		char c = text[i];

		if (c >= '0' && c <= '9')
			*bits = *bits << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			*bits = *bits << 4 | (uint64_t)(c - 'a' + 10);
		else
			return NULL;
	}
	return text + digits;
}

/* Take a word if the text begins with it. */
static const char *take(const char *text, const char *end, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(end - text) >= length && memcmp(text, word, length) == 0 ? text + length : NULL;
}

/* Read infinity or the usual NaN. Returns 1 with *next after it, 2 for "nan:", or 0. */
static int special(const char *text, const char *end, double *value, const char **next)
{
	if ((*next = take(text, end, "nan:")) != NULL)
		return 2;
	*value = (double)NAN;
	if ((*next = take(text, end, "nan")) != NULL)
		return 1;
	*value = (double)INFINITY;
	if ((*next = take(text, end, "inf")) != NULL)
		return 1;
	*value = -(double)INFINITY;
	return (*next = take(text, end, "-inf")) != NULL;
}

const char *anim_number_special_float(const char *text, const char *end, float *value)
{
	const char *next;
	uint64_t wide;
	uint32_t bits;
	double common;
	int found = special(text, end, &common, &next);

	if (found < 2) {
		*value = (float)common;
		return next;
	}
	if ((next = hexadecimal(next, end, 8, &wide)) == NULL)
		return NULL;
	bits = (uint32_t)wide;
	memcpy(value, &bits, sizeof bits);
	return isnan(*value) ? next : NULL;
}

const char *anim_number_special_double(const char *text, const char *end, double *value)
{
	const char *next;
	uint64_t bits;
	double common;
	int found = special(text, end, &common, &next);

	if (found < 2) {
		*value = common;
		return next;
	}
	if ((next = hexadecimal(next, end, 16, &bits)) == NULL)
		return NULL;
	memcpy(value, &bits, sizeof bits);
	return isnan(*value) ? next : NULL;
}

/* ---- Comparing a decimal with a binary number in integers: the last resort ---- */

/*
 * A midpoint of two doubles has at most 767 significant digits. After 800 digits it only matters whether any other
 * digit is not 0, and a single digit 1 represents them.
 */
#define DIGITS_MAX 800

/* Both sides are about equal, and one of them has at most 801 digits (2661 bits) or 55 bits * 5^1142 (2707 bits). */
#define LIMBS_MAX 96

struct big_integer {
	uint32_t limb[LIMBS_MAX]; /* the lowest first */
	size_t count;             /* the highest limb is not 0 */
};

static void push(struct big_integer *a, uint32_t limb)
{
	assert(a->count < LIMBS_MAX);
	a->limb[a->count++] = limb;
}

static void multiply_add(struct big_integer *a, uint32_t factor, uint32_t addend)
{
	uint64_t carry = addend;

	for (size_t i = 0; i < a->count; i++) {
		carry += (uint64_t)a->limb[i] * factor;
		a->limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry != 0)
		push(a, (uint32_t)carry);
}

static void multiply_power5(struct big_integer *a, int64_t n)
{
	for (; n >= 13; n -= 13)
		multiply_add(a, 1220703125, 0);
	for (; n > 0; n--)
		multiply_add(a, 5, 0);
}

static void shift_left(struct big_integer *a, int64_t bits)
{
	size_t limbs = (size_t)(bits / 32);

	if (bits % 32 != 0)
		multiply_add(a, UINT32_C(1) << bits % 32, 0);
	if (a->count == 0)
		return;
	assert(a->count + limbs <= LIMBS_MAX);
	memmove(a->limb + limbs, a->limb, a->count * sizeof *a->limb);
	memset(a->limb, 0, limbs * sizeof *a->limb);
	a->count += limbs;
}

static int compare(const struct big_integer *a, const struct big_integer *b)
{
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	for (size_t i = a->count; i-- > 0;) {
		if (a->limb[i] != b->limb[i])
			return a->limb[i] < b->limb[i] ? -1 : 1;
	}
	return 0;
}

/* Read the digits of the decimal as an integer. Returns the power of ten that belongs to it. */
static int64_t read_digits(const struct anim_decimal *decimal, struct big_integer *a)
{
	int64_t left = 0;
	int taken = 0;
	bool more = false;

	a->count = 0;
	for (const char *at = decimal->first; at < decimal->last; at++) {
		if (*at == '.' || (taken == 0 && *at == '0'))
			continue;
		if (taken < DIGITS_MAX) {
			multiply_add(a, 10, (uint32_t)(*at - '0'));
			taken++;
		} else {
			left++;
			more = more || *at != '0';
		}
	}
	if (!more)
		return decimal->unit + left;
	multiply_add(a, 10, 1);
	return decimal->unit + left - 1;
}

static int compare_decimal(const struct anim_decimal *decimal, uint64_t odd, int exponent)
{
	struct big_integer a, b = {{(uint32_t)odd, (uint32_t)(odd >> 32)}, odd >> 32 != 0 ? 2 : 1};
	int64_t power = read_digits(decimal, &a);

	/* compare digits * 5^power * 2^power with odd * 2^exponent, all exponents made positive */
	if (power >= 0)
		multiply_power5(&a, power);
	else
		multiply_power5(&b, -power);
	if (power >= exponent)
		shift_left(&a, power - exponent);
	else
		shift_left(&b, exponent - power);
	return compare(&a, &b);
}

/* ---- One number ---- */

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

/* The largest number not above a decimal, as bits of its format, and whether the next number is nearer. */
struct candidate {
	uint64_t bits;
	bool up, undecided;
};

/*
 * Decide from the top 64 bits of the product. `rest` are the bits for which the format has no room. The product is at
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
 * Compute mantissa * 10^q with one product of 64 x 128 bits, after D. Lemire, "Number parsing at a gigabyte per
 * second" (2021). Two differences: the table is rounded down for all q, and the answer "undecided" replaces a proof
 * that the product is always enough. mantissa must not be 0, and q must be within the table. Unpredictable conditions
 * are computed without branches.
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

/* Return whether the decimal, which is about halfway between the number with these bits and the next, rounds up. */
static bool exact_round_up(const struct anim_binary_format *format, const struct anim_decimal *decimal, uint64_t bits)
{
	uint64_t mantissa = bits & ((UINT64_C(1) << format->mantissa_bits) - 1);
	int exponent = (int)(bits >> format->mantissa_bits), order;

	if (exponent > 0)
		mantissa |= UINT64_C(1) << format->mantissa_bits;
	else
		exponent = 1;
	order = compare_decimal(decimal, 2 * mantissa + 1, exponent - format->bias - format->mantissa_bits - 1);
	return order > 0 || (order == 0 && (bits & 1) != 0);
}

/* Return whether the mantissa plus one unit gives the same number. If so, the omitted digits do not matter. */
static bool is_stable(const struct anim_binary_format *format, const struct anim_decimal *decimal, struct candidate a)
{
	struct candidate b = approximate(format, decimal->mantissa + 1, (int)decimal->exponent);

	return !b.undecided && a.bits + a.up == b.bits + b.up;
}

uint64_t anim_decimal_round(const struct anim_binary_format *format, const struct anim_decimal *decimal)
{
	struct candidate candidate;

	/* 2^64 * 10^-343 is below half the smallest double, and 10^309 is above the largest. */
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
	const char *after = text < end ? anim_scan_decimal(text + negative, &decimal) : NULL;
	double magnitude;

	if (after == NULL)
		return NULL;
	magnitude = anim_decimal_double(&decimal);
	*value = negative ? -magnitude : magnitude;
	return after;
}

size_t anim_number_typed(const char *text, size_t length, double *value)
{
	char padded[1 + ANIM_NUMBER_TYPED_MAX + ANIM_INPUT_SLACK] = "";
	size_t sign = length > 0 && text[0] == '-';
	bool bare = length > sign + 1 && text[sign] == '.' && anim_is_digit(text[sign + 1]);
	const char *after;

	if (length > ANIM_NUMBER_TYPED_MAX)
		return 0;
	memcpy(padded, text, sign);
	if (bare)
		padded[sign] = '0';
	memcpy(padded + sign + bare, text + sign, length - sign);
	after = anim_number_double(padded, padded + bare + length, value);
	if (after == NULL || !(anim_is_digit(after[-1]) || after[-1] == '.'))
		return 0;
	return (size_t)(after - padded) - bare;
}

const char *anim_number_float_of_double(const char *text, const char *end, float *value)
{
	double wide;
	const char *after = anim_number_double(text, end, &wide);

	if (after != NULL)
		*value = (float)wide;
	return after;
}

/*
 * A double rounded to float32 equals the float32 of its decimal, unless rounding to double hit the midpoint of two
 * floats. All easy values are within float32's normal range.
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
	const char *after = text < end ? anim_scan_decimal(text + negative, &decimal) : NULL;
	float magnitude;

	if (after == NULL)
		return NULL;
	magnitude = decimal_float(&decimal);
	*value = negative ? -magnitude : magnitude;
	return after;
}

/*
 * Read the digits at `at`, at most `limit`. If they make more, *value is `limit` and *over is set. Returns NULL if
 * there is no digit.
 */
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
	const char *after = text < end ? scan_integer(text + negative, limit, &magnitude, &over) : NULL;

	if (after == NULL)
		return NULL;
	if (!negative)
		*value = (int64_t)magnitude;
	else
		*value = magnitude == limit ? INT64_MIN : -(int64_t)magnitude;
	return after;
}

const char *anim_number_uint64(const char *text, const char *end, uint64_t *value)
{
	uint64_t sum;
	bool over;
	const char *after = text < end ? scan_integer(text, UINT64_MAX, &sum, &over) : NULL;

	if (after == NULL || over)
		return NULL;
	*value = sum;
	return after;
}

/*
 * ---- Runs of numbers, the hot path of readers: separated by a ',' and any blanks, or by blanks of one line only
 * (`between` is ',' or ' ', a constant in each caller) ----
 */

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Return the position after the separator that begins at `at`. */
static inline const char *skip_between(const char *at, const char *end, char between)
{
	at++;
	while (at < end && (between == ',' ? is_blank(*at) : *at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* Return whether another number may follow a number that ends here. */
static inline bool goes_on(const char *after, char between)
{
	return *after == between || (between == ' ' && *after == '\t');
}

/* Without a branch, because processors cannot predict signs. */
static inline double with_sign(double magnitude, bool negative)
{
	uint64_t bits;

	memcpy(&bits, &magnitude, sizeof bits);
	bits |= (uint64_t)negative << 63;
	memcpy(&magnitude, &bits, sizeof bits);
	return magnitude;
}

/* If only blanks separate numbers, a number must end with a blank, and its exponent needs digits. */
static inline bool ends_well(const char *after)
{
	return (unsigned char)*after <= ' ' && (anim_is_digit(after[-1]) || after[-1] == '.');
}

/* Read one number that ends before `end`. Returns NULL on failure. */
static inline const char *read_one(const char *text, const char *end, float *value, char between)
{
	struct anim_decimal decimal;
	bool negative = *text == '-';
	const char *after = anim_scan_decimal(text + negative, &decimal);

	if (after == NULL || after >= end || (between == ' ' && !ends_well(after)))
		return NULL;
	*value = (float)with_sign(anim_decimal_double(&decimal), negative);
	return after;
}

static inline size_t floats_plain(const char *text, const char *end, float *values, size_t count, const char **next,
				  char between)
{
	const char *at = text, *after;
	size_t done = 0;

	*next = text;
	while (done < count && at < end && (after = read_one(at, end, &values[done], between)) != NULL) {
		done++;
		*next = after;
		if (!goes_on(after, between))
			break;
		at = skip_between(after, end, between);
	}
	return done;
}

size_t anim_number_floats_plain(const char *text, const char *end, float *values, size_t count, const char **next)
{
	return floats_plain(text, end, values, count, next, ',');
}

size_t anim_number_row_plain(const char *text, const char *end, float *values, size_t count, const char **next)
{
	return floats_plain(text, end, values, count, next, ' ');
}

#if ANIM_X86_64
#include <immintrin.h>

#define WIDE __attribute__((target("avx2")))

/* Row n shuffles 16 characters with the point at n into 15 digits after a 0; 0x80 makes a 0. */
#define ROW(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)          \
	{                                                         \
		0x80, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o \
	}
static const uint8_t without_point[16][16] __attribute__((aligned(16))) = {
    ROW(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), ROW(0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    ROW(0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), ROW(0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    ROW(0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), ROW(0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    ROW(0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15), ROW(0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15),
    ROW(0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15), ROW(0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15),
    ROW(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15),  ROW(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15),
    ROW(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15),  ROW(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15),
    ROW(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15),  ROW(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
};

/* The 16 bytes at 16 - n keep the first n. */
static const uint8_t keep[32] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
				 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* 10^(15 - n), for n digits before the point. */
static const double scale[16] = {1e15, 1e14, 1e13, 1e12, 1e11, 1e10, 1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1e0};

/* Return a mask for 64 characters: bit i is set if at[i] is `between`. */
WIDE static inline uint64_t find_commas(const char *at, char between)
{
	const __m256i comma = _mm256_set1_epi8(between);
	__m256i first = _mm256_loadu_si256((const __m256i *)(const void *)at);
	__m256i second = _mm256_loadu_si256((const __m256i *)(const void *)(at + 32));

	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(first, comma)) |
	       (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(second, comma)) << 32;
}

WIDE static inline __m256i load_two(const void *low, const void *high)
{
	return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high), 1);
}

/* Return the two numbers of 16 digits each that the halves make, as doubles. They are below 2^52. */
WIDE static inline __m128d join_two(__m256i digits)
{
	const __m256i tens = _mm256_set1_epi16(0x010a), hundreds = _mm256_set1_epi32(0x00010064);
	const __m256i myriads = _mm256_set1_epi32(0x00012710);
	const __m128d two52 = _mm_set1_pd(0x1p52);
	__m256i fours = _mm256_madd_epi16(_mm256_maddubs_epi16(digits, tens), hundreds);
	__m256i eights = _mm256_madd_epi16(_mm256_packus_epi32(fours, fours), myriads);
	__m128i pair = _mm_unpacklo_epi64(_mm256_castsi256_si128(eights), _mm256_extracti128_si256(eights, 1));

	pair = _mm_add_epi64(_mm_mul_epu32(pair, _mm_set1_epi64x(100000000)), _mm_srli_epi64(pair, 32));
	return _mm_sub_pd(_mm_castsi128_pd(_mm_or_si128(pair, _mm_castpd_si128(two52))), two52);
}

/*
 * Read the numbers that fill first..first_comma and second..second_comma, if both have at most 15 characters and no
 * exponent. Then each is m / 10^k with exact m and k <= 15, and the division rounds as read_one does. A '-' counts as
 * a digit 0. Returns false for anything else, without touching the values.
 */
WIDE static inline bool read_two(const char *first, const char *first_comma, const char *second,
				 const char *second_comma, float *values)
{
	const __m256i first_byte = _mm256_setr_epi64x(255, 0, 255, 0);
	size_t length = (size_t)(first_comma - first), second_length = (size_t)(second_comma - second);
	__m256i digits = _mm256_sub_epi8(load_two(first, second), _mm256_set1_epi8('0')), minus;
	unsigned points, signs, point, second_point;
	uint64_t pair;

	if (length - 1 > 14 || second_length - 1 > 14)
		return false;
	digits = _mm256_and_si256(digits, load_two(keep + 16 - length, keep + 16 - second_length));
	minus = _mm256_and_si256(_mm256_cmpeq_epi8(digits, _mm256_set1_epi8('-' - '0')), first_byte);
	points = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(digits, _mm256_set1_epi8('.' - '0')));
	signs = (unsigned)_mm256_movemask_epi8(minus);
	point = (unsigned)__builtin_ctz(points | 1u << length);
	second_point = (unsigned)__builtin_ctz(points >> 16 | 1u << second_length);
	digits = _mm256_andnot_si256(minus, digits);
	digits = _mm256_shuffle_epi8(digits, load_two(without_point[point], without_point[second_point]));
	minus = _mm256_subs_epu8(digits, _mm256_set1_epi8(9)); /* all remaining bytes must be digits */
	if (!_mm256_testz_si256(minus, minus) || point == (signs & 1) || second_point == signs >> 16)
		return false;
	pair = (uint64_t)_mm_cvtsi128_si64(_mm_castps_si128(_mm_cvtpd_ps(
	    _mm_div_pd(join_two(digits), _mm_loadh_pd(_mm_load_sd(&scale[point]), &scale[second_point])))));
	pair |= (uint64_t)(signs & 1) << 31 | (uint64_t)(signs >> 16) << 63;
	memcpy(values, &pair, sizeof pair);
	return true;
}

/*
 * Position in a run: `at` is the next number (at `end` or one byte after it if there is none), `used` is the end of
 * the last number.
 */
struct number_run {
	const char *at, *used;
	size_t done;
};

/* Return the start of the number after the ','. */
static inline const char *behind_comma(const char *comma, const char *end, char between)
{
	if (between == ' ')
		return comma[1] > ' ' ? comma + 1 : skip_between(comma, end, between);
	return comma[1] == ' ' && comma[2] > ' ' ? comma + 2 : skip_between(comma, end, between);
}

/* Read pairs of numbers whose two ',' are both among the next 64 characters. */
WIDE static inline void read_block(struct number_run *run, const char *end, float *values, size_t count, char between)
{
	const char *block = run->at, *at = block, *comma, *second, *second_comma;
	uint64_t commas = find_commas(block, between), later;
	size_t done = run->done;

	if (end - block < 64)
		commas &= (UINT64_C(1) << (end - block)) - 1;
	while ((later = commas & (commas - 1)) != 0 && count - done > 1) {
		comma = block + __builtin_ctzll(commas);
		second = behind_comma(comma, end, between);
		second_comma = block + __builtin_ctzll(later);
		if (second > second_comma || !read_two(at, comma, second, second_comma, &values[done]))
			break;
		done += 2;
		run->used = second_comma;
		at = behind_comma(second_comma, end, between);
		commas = later & (later - 1);
	}
	run->at = at;
	run->done = done;
}

/* Read one number of any form. Returns true if another may follow. */
static inline bool read_single(struct number_run *run, const char *end, float *values, char between)
{
	const char *after = read_one(run->at, end, &values[run->done], between);

	if (after == NULL)
		return false;
	run->done++;
	run->used = after;
	if (!goes_on(after, between))
		return false;
	run->at = skip_between(after, end, between);
	return true;
}

/*
 * Read all pairs that follow. Not inlined: plain instructions wait for the previous one as long as the upper halves
 * of the wide registers are in use, and compilers clear them at the end of a function, not before calls within a file
 * (measured on doubles of 17 digits: 6 times slower).
 */
WIDE __attribute__((noinline)) static void read_pairs(struct number_run *run, const char *end, float *values,
						      size_t count, char between)
{
	size_t before;

	do {
		before = run->done;
		read_block(run, end, values, count, between);
	} while (run->done > before && run->at < end);
}

/* If a pair cannot be read, its two numbers are read one by one: they may be long, or the last. */
static inline size_t read_run(const char *text, const char *end, float *values, size_t count, const char **next,
			      char between)
{
	struct number_run run = {text, text, 0};
	bool more = true;

	while (more && run.done < count && run.at < end) {
		read_pairs(&run, end, values, count, between);
		for (int i = 0; i < 2 && more && run.done < count && run.at < end; i++)
			more = read_single(&run, end, values, between);
	}
	*next = run.used;
	return run.done;
}

static size_t floats_wide(const char *text, const char *end, float *values, size_t count, const char **next)
{
	return read_run(text, end, values, count, next, ',');
}

static size_t row_wide(const char *text, const char *end, float *values, size_t count, const char **next)
{
	return read_run(text, end, values, count, next, ' ');
}

#endif

anim_number_floats_function *anim_number_floats_wide(void)
{
#if ANIM_X86_64
	if (__builtin_cpu_supports("avx2"))
		return floats_wide;
#endif
	return NULL;
}

anim_number_floats_function *anim_number_row_wide(void)
{
#if ANIM_X86_64
	if (__builtin_cpu_supports("avx2"))
		return row_wide;
#endif
	return NULL;
}

size_t anim_number_floats(const char *text, const char *end, float *values, size_t count, const char **next)
{
	anim_number_floats_function *wide = anim_number_floats_wide();

	return wide != NULL ? wide(text, end, values, count, next)
			    : anim_number_floats_plain(text, end, values, count, next);
}

size_t anim_number_row(const char *text, const char *end, float *values, size_t count, const char **next)
{
	anim_number_floats_function *wide = anim_number_row_wide();

	return wide != NULL ? wide(text, end, values, count, next)
			    : anim_number_row_plain(text, end, values, count, next);
}
