/* number_floats.c: runs of numbers, the hot path of the Godot reader. */
#include "base/number.h"

#include "base/number_scan.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(ANIM_NO_WIDE)
#define HAVE_WIDE 1
#include <immintrin.h>
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

#define WIDE __attribute__((target("avx2")))

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
	const __m256i comma = _mm256_set1_epi8(',');
	__m256i first = _mm256_loadu_si256((const __m256i *)(const void *)at);
	__m256i second = _mm256_loadu_si256((const __m256i *)(const void *)(at + 32));

	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(first, comma)) |
	       (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(second, comma)) << 32;
}

WIDE static inline __m256i load_two(const void *low, const void *high)
{
	return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high), 1);
}

/* The numbers of 16 digits each that the halves make, as doubles: they are below 2^52. */
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
 * The numbers that fill first..first_comma and second..second_comma, where both have at most 15 characters and no
 * exponent: then each is m / 10^k with exact m and k <= 15, and the division rounds as read_one does. A '-' counts as a
 * digit 0. False for anything else, the values are not touched then.
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
	minus = _mm256_subs_epu8(digits, _mm256_set1_epi8(9)); /* what is left must be digits */
	if (!_mm256_testz_si256(minus, minus) || point == (signs & 1) || second_point == signs >> 16)
		return false;
	pair = (uint64_t)_mm_cvtsi128_si64(_mm_castps_si128(_mm_cvtpd_ps(
	    _mm_div_pd(join_two(digits), _mm_loadh_pd(_mm_load_sd(&scale[point]), &scale[second_point])))));
	pair |= (uint64_t)(signs & 1) << 31 | (uint64_t)(signs >> 16) << 63;
	memcpy(values, &pair, sizeof pair);
	return true;
}

/* Where a run is: `at` the next number (at `end` or one behind it where there is none), `used` behind the last. */
struct run {
	const char *at, *used;
	size_t done;
};

/* Where the number behind the ',' begins. */
static inline const char *behind_comma(const char *comma, const char *end)
{
	return comma[1] == ' ' && comma[2] > ' ' ? comma + 2 : skip_comma(comma, end);
}

/* Reads pairs of numbers, those whose two ',' are among the next 64 characters. */
WIDE static inline void read_block(struct run *run, const char *end, float *values, size_t count)
{
	const char *block = run->at, *at = block, *comma, *second, *second_comma;
	uint64_t commas = find_commas(block), behind;
	size_t done = run->done;

	if (end - block < 64)
		commas &= (UINT64_C(1) << (end - block)) - 1;
	while ((behind = commas & (commas - 1)) != 0 && count - done > 1) {
		comma = block + __builtin_ctzll(commas);
		second = behind_comma(comma, end);
		second_comma = block + __builtin_ctzll(behind);
		if (!read_two(at, comma, second, second_comma, &values[done]))
			break;
		done += 2;
		run->used = second_comma;
		at = behind_comma(second_comma, end);
		commas = behind & (behind - 1);
	}
	run->at = at;
	run->done = done;
}

/* Reads one number, which may stand in any way. True where a ',' follows. */
static bool read_single(struct run *run, const char *end, float *values)
{
	const char *behind = read_one(run->at, end, &values[run->done]);

	if (behind == NULL)
		return false;
	run->done++;
	run->used = behind;
	if (*behind != ',')
		return false;
	run->at = skip_comma(behind, end);
	return true;
}

/* Where no pair can be read its two numbers are read one by one: they may be long, or the last. */
WIDE static size_t floats_wide(const char *text, const char *end, float *values, size_t count, const char **next)
{
	struct run run = {text, text, 0};
	bool more = true;

	while (more && run.done < count && run.at < end) {
		size_t before = run.done;

		read_block(&run, end, values, count);
		for (int i = 0; i < 2 && run.done < before + 2 && more && run.done < count && run.at < end; i++)
			more = read_single(&run, end, values);
	}
	*next = run.used;
	return run.done;
}

#endif

anim_number_floats_function *anim_number_floats_wide(void)
{
#ifdef HAVE_WIDE
	if (__builtin_cpu_supports("avx2"))
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
