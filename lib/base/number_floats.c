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

/* Bit i is set where at[i] is a ',', for 64 characters. */
WIDE static inline uint64_t find_commas(const char *at)
{
	const __m128i comma = _mm_set1_epi8(',');
	uint64_t found = 0;

	for (unsigned i = 0; i < 64; i += 16) {
		__m128i equal = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(at + i)), comma);

		found |= (uint64_t)(unsigned)_mm_movemask_epi8(equal) << i;
	}
	return found;
}

/* The number that 16 digits make. */
WIDE static inline int64_t join_digits(__m128i digits)
{
	const __m128i tens = _mm_set1_epi16(0x010a), hundreds = _mm_set1_epi32(0x00010064);
	const __m128i myriads = _mm_set1_epi32(0x00012710);
	__m128i fours = _mm_madd_epi16(_mm_maddubs_epi16(digits, tens), hundreds);
	uint64_t eights = (uint64_t)_mm_cvtsi128_si64(_mm_madd_epi16(_mm_packus_epi32(fours, fours), myriads));

	return (int64_t)((eights & UINT32_MAX) * 100000000 + (eights >> 32));
}

/*
 * The number that fills text..comma, where it has at most 15 digits and no exponent: then it is m / 10^k with exact m and
 * k <= 15, and the division rounds as read_one does. False for anything else, *value is not touched then.
 */
WIDE static inline bool read_short(const char *text, const char *comma, float *value)
{
	bool negative = *text == '-';
	size_t length = (size_t)(comma - text) - negative;
	__m128i raw, digits;
	unsigned others, points, point, mask;

	if (length - 1 > 14)
		return false;
	raw = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(text + negative)), _mm_set1_epi8('0'));
	digits = _mm_and_si128(raw, _mm_loadu_si128((const __m128i *)(keep + 16 - length)));
	mask = (1u << length) - 1;
	others = ~(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits)) & mask;
	points = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(raw, _mm_set1_epi8('.' - '0')));
	point = (unsigned)__builtin_ctz(points | (mask + 1));
	if ((others & ~(1u << point)) != 0 || point == 0)
		return false;
	digits = _mm_shuffle_epi8(digits, _mm_load_si128((const __m128i *)without_point[point]));
	*value = (float)with_sign((double)join_digits(digits) / scale[point], negative);
	return true;
}

/* Where a run is: `at` the next number (at `end` or one behind it where there is none), `used` behind the last. */
struct run {
	const char *at, *used;
	size_t done;
};

/* Reads the numbers whose ',' is among the next 64 characters. */
WIDE static inline void read_block(struct run *run, const char *end, float *values, size_t count)
{
	const char *block = run->at, *at = block;
	uint64_t commas = find_commas(block);
	size_t done = run->done;

	if (end - block < 64)
		commas &= (UINT64_C(1) << (end - block)) - 1;
	for (; commas != 0 && done < count; commas &= commas - 1) {
		const char *comma = block + __builtin_ctzll(commas);

		if (!read_short(at, comma, &values[done]) && read_one(at, end, &values[done]) != comma)
			break;
		done++;
		run->used = comma;
		at = comma[1] == ' ' && comma[2] > ' ' ? comma + 2 : skip_comma(comma, end);
	}
	run->at = at;
	run->done = done;
}

WIDE static size_t floats_wide(const char *text, const char *end, float *values, size_t count, const char **next)
{
	struct run run = {text, text, 0};
	size_t before;

	while (run.done < count && run.at < end) {
		before = run.done;
		read_block(&run, end, values, count);
		if (run.done == before) {
			const char *behind = read_one(run.at, end, &values[run.done]);

			if (behind == NULL)
				break;
			run.done++;
			run.used = behind;
			if (*behind != ',')
				break;
			run.at = skip_comma(behind, end);
		}
	}
	*next = run.used;
	return run.done;
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
