/* number_floats.c: runs of numbers, the hot path of the Godot reader. */
#include "base/number.h"

#include "base/number_scan.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(ANIM_NO_WIDE)
#define HAVE_WIDE 1
#include <smmintrin.h>
#endif

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Behind the ',' at `at` and its blanks. */
static inline const char *skip_comma(const char *at, const char *end)
{
	at++;
	while (at < end && is_blank(*at))
		at++;
	return at;
}

/* Without a branch, since signs are what a processor cannot guess. */
static inline double with_sign(double magnitude, bool negative)
{
	uint64_t bits;

	memcpy(&bits, &magnitude, sizeof bits);
	bits |= (uint64_t)negative << 63;
	memcpy(&magnitude, &bits, sizeof bits);
	return magnitude;
}

/* One number that ends before `end`; NULL where there is none. */
static inline const char *read_one(const char *text, const char *end, float *value)
{
	struct anim_decimal decimal;
	bool negative = *text == '-';
	const char *behind = anim_scan_decimal(text + negative, &decimal);

	if (behind == NULL || behind >= end)
		return NULL;
	*value = (float)with_sign(anim_decimal_double(&decimal), negative);
	return behind;
}

size_t anim_number_floats_plain(const char *text, const char *end, float *values, size_t count, const char **next)
{
	const char *at = text, *behind;
	size_t done = 0;

	*next = text;
	while (done < count && at < end && (behind = read_one(at, end, &values[done])) != NULL) {
		done++;
		*next = behind;
		if (*behind != ',')
			break;
		at = skip_comma(behind, end);
	}
	return done;
}

#ifdef HAVE_WIDE

#define WIDE __attribute__((target("sse4.1")))

/* Row n moves 16 characters with the point at n to 15 digits behind a 0; 0x80 makes a 0. */
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

/* The number that 16 digits make. */
WIDE static inline int64_t join_digits(__m128i digits)
{
	const __m128i tens = _mm_set1_epi16(0x010a), hundreds = _mm_set1_epi32(0x00010064);
	const __m128i myriads = _mm_set1_epi32(0x00012710);
	__m128i fours = _mm_madd_epi16(_mm_maddubs_epi16(digits, tens), hundreds);
	uint64_t eights = (uint64_t)_mm_cvtsi128_si64(_mm_madd_epi16(_mm_packus_epi32(fours, fours), myriads));

	return (int64_t)((eights & UINT32_MAX) * 100000000 + (eights >> 32));
}

WIDE static inline unsigned find(__m128i characters, char wanted)
{
	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(characters, _mm_set1_epi8(wanted)));
}

/*
 * A number of at most 15 characters behind its '-', without exponent, that ends in a ',' before `end`: it is m / 10^k with
 * exact m and k <= 15, and the division rounds as read_one does. NULL for anything else. The ',' is searched from the
 * sign on, for then the place of the next number depends on nothing else of this one.
 */
WIDE static inline const char *read_short(const char *text, const char *end, float *value)
{
	unsigned commas = find(_mm_loadu_si128((const __m128i *)text), ',');
	unsigned size = (unsigned)__builtin_ctz(commas | 0x10000), point, mask;
	bool negative = *text == '-';
	__m128i raw = _mm_loadu_si128((const __m128i *)(text + negative)), digits;

	if (size == 16 || size <= negative || (size_t)(end - text) <= size)
		return NULL;
	mask = (1u << (size - negative)) - 1;
	point = (unsigned)__builtin_ctz(find(raw, '.') | (mask + 1));
	raw = _mm_sub_epi8(raw, _mm_set1_epi8('0'));
	digits = _mm_and_si128(raw, _mm_loadu_si128((const __m128i *)(keep + 16 - (size - negative))));
	mask &= ~(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits));
	if ((mask & ~(1u << point)) != 0 || point == 0)
		return NULL;
	digits = _mm_shuffle_epi8(digits, _mm_load_si128((const __m128i *)without_point[point]));
	*value = (float)with_sign((double)join_digits(digits) / scale[point], negative);
	return text + size;
}

WIDE static size_t floats_wide(const char *text, const char *end, float *values, size_t count, const char **next)
{
	const char *at = text, *behind;
	size_t done = 0;

	*next = text;
	while (done < count && at < end) {
		behind = read_short(at, end, &values[done]);
		if (behind == NULL && (behind = read_one(at, end, &values[done])) == NULL)
			break;
		done++;
		*next = behind;
		if (*behind != ',')
			break;
		at = behind[1] == ' ' && behind[2] > ' ' && end - behind > 2 ? behind + 2 : skip_comma(behind, end);
	}
	return done;
}

#endif

anim_number_floats_function *anim_number_floats_wide(void)
{
#ifdef HAVE_WIDE
	if (__builtin_cpu_supports("sse4.1"))
		return floats_wide;
#endif
	return NULL;
}

size_t anim_number_floats(const char *text, const char *end, float *values, size_t count, const char **next)
{
	anim_number_floats_function *wide = anim_number_floats_wide();

	return wide != NULL ? wide(text, end, values, count, next)
			    : anim_number_floats_plain(text, end, values, count, next);
}
