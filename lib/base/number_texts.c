/* number_texts.c: many floats to text at once, the hot path of the AnimJ writer. */
#include <assert.h>

#include "base/number.h"
#include "base/number_internal.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(ANIM_NO_WIDE)
#define HAVE_WIDE 1
#include <immintrin.h>
#endif

static bool is_same(const float *values, size_t a, size_t b)
{
	return memcmp(&values[a], &values[b], sizeof *values) == 0;
}

static void copy_text(struct anim_number_texts *texts, size_t to, size_t from)
{
	memcpy(texts->bytes[to], texts->bytes[from], sizeof texts->bytes[to]);
	texts->length[to] = texts->length[from];
}

static void print_text(struct anim_number_texts *texts, size_t i, float value)
{
	char text[ANIM_NUMBER_MAX];

	texts->length[i] = (uint8_t)anim_number_print_float(text, value);
	memcpy(texts->bytes[i], text, sizeof texts->bytes[i]);
}

/* Scales have equal lanes, and lanes that rest are as they were one value before. */
void anim_number_texts_plain(const float *values, size_t count, size_t lanes, struct anim_number_texts *texts)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && is_same(values, i, i - 1))
			copy_text(texts, i, i - 1);
		else if (i >= lanes && is_same(values, i, i - lanes))
			copy_text(texts, i, i - lanes);
		else
			print_text(texts, i, values[i]);
	}
}

#ifdef HAVE_WIDE

/*
 * Eight numbers at a time, by the steps of anim_number_print_float without its branches; names as in number_print.c.
 * Where 64 bits are needed the eight are two times four: those at even and those at odd places.
 */
#define WIDE __attribute__((target("avx2")))

enum { LANES = 8, EXPONENT_MIN = -5, EXPONENT_MAX = 9 };

WIDE static inline __m256i each32(int number)
{
	return _mm256_set1_epi32(number);
}

WIDE static inline __m256i each64(uint64_t number)
{
	return _mm256_set1_epi64x((long long)number);
}

WIDE static inline __m256i even(__m256i eight)
{
	return _mm256_and_si256(eight, each64(UINT32_MAX));
}

WIDE static inline __m256i odd(__m256i eight)
{
	return _mm256_srli_epi64(eight, 32);
}

/* number * factor / 2^shift for 32 bits of both: a division, the factor being 2^shift / divisor rounded up. */
WIDE static inline __m256i scale(__m256i number, uint32_t factor, int shift)
{
	return _mm256_srli_epi64(_mm256_mul_epu32(number, each64(factor)), shift);
}

/* The power of that row of anim_powers, any exponent has one, in 64 bits, rounded up; only 10^0..10^27 have no rest. */
WIDE static inline __m256i power_at(__m256i row)
{
	const long long *powers = (const long long *)(const void *)anim_powers;
	__m256i high = _mm256_i64gather_epi64(powers, _mm256_add_epi64(row, row), 8);
	__m256i exact = _mm256_and_si256(_mm256_cmpgt_epi64(row, each64(-ANIM_POWER_MIN - 1)),
					 _mm256_cmpgt_epi64(each64(-ANIM_POWER_MIN + 28), row));

	return _mm256_add_epi64(high, _mm256_add_epi64(exact, each64(1)));
}

/*
 * shortest_float's digits for four c * 2^q; the power is that of -k. Rest and half have a bit less, which leaves them a
 * sign; the long test compares all floats.
 */
WIDE static inline __m256i shortest(__m256i c, __m256i shift, __m256i row)
{
	const uint64_t near = 1 << 24;
	const __m256i one = each64(1);
	__m256i power = power_at(row), scaled = _mm256_sllv_epi64(c, shift), lower = _mm256_mul_epu32(scaled, power);
	__m256i upper = _mm256_add_epi64(_mm256_mul_epu32(scaled, odd(power)), odd(lower)), below = odd(upper);
	__m256i low = _mm256_or_si256(_mm256_slli_epi64(upper, 32), even(lower));
	__m256i nearness = _mm256_sub_epi64(each64(near), _mm256_slli_epi64(_mm256_and_si256(c, one), 25));
	__m256i half = _mm256_add_epi64(_mm256_srlv_epi64(power, _mm256_sub_epi64(each64(6), shift)), nearness);
	__m256i tens = _mm256_mul_epu32(scale(below, 0xcccccccd, 35), each64(10)), ones = _mm256_sub_epi64(below, tens);
	__m256i rest = _mm256_or_si256(_mm256_slli_epi64(ones, 59), _mm256_srli_epi64(low, 5));
	__m256i not_down = _mm256_cmpgt_epi64(rest, half);
	__m256i not_up = _mm256_cmpgt_epi64(_mm256_sub_epi64(each64(UINT64_C(10) << 59), rest), half);
	__m256i beyond = _mm256_xor_si256(low, each64(UINT64_C(1) << 63)); /* low - 2^63, with its sign */
	__m256i is_odd = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_and_si256(below, one));
	__m256i digits = _mm256_sub_epi64(below, _mm256_cmpgt_epi64(beyond, is_odd));
	__m256i coarse = _mm256_add_epi64(tens, _mm256_andnot_si256(not_up, each64(10)));

	return _mm256_blendv_epi8(coarse, digits, _mm256_and_si256(not_down, not_up));
}

/* Four numbers of nine digits as bytes: in each half one number's digits in bytes 7 to 15, zeros before them. */
struct rows {
	__m256i first, second; /* numbers 0 and 2, 1 and 3 of the four */
};

/* The digits are parted as in number_print.c, the first by 10^8, then the rest by 10^4, 10^2 and 10. */

WIDE static inline struct rows spread(__m256i all)
{
	__m256i first = scale(all, 2882303762u, 58), tail, upper, halves, hundreds, twos, tens;

	tail = _mm256_sub_epi64(all, _mm256_mul_epu32(first, each64(100000000)));
	upper = scale(tail, 3518437209u, 45);
	halves = _mm256_sub_epi64(tail, _mm256_mul_epu32(upper, each64(10000)));
	halves = _mm256_or_si256(upper, _mm256_slli_epi64(halves, 32));
	hundreds = _mm256_srli_epi16(_mm256_mulhi_epu16(halves, _mm256_set1_epi16(10486)), 4);
	twos = _mm256_sub_epi16(halves, _mm256_mullo_epi16(hundreds, _mm256_set1_epi16(100)));
	twos = _mm256_or_si256(hundreds, _mm256_slli_epi32(twos, 16));
	tens = _mm256_mulhi_epu16(twos, _mm256_set1_epi16(6554));
	twos = _mm256_sub_epi16(twos, _mm256_mullo_epi16(tens, _mm256_set1_epi16(10)));
	twos = _mm256_or_si256(tens, _mm256_slli_epi16(twos, 8));
	first = _mm256_slli_epi64(first, 56);
	return (struct rows){_mm256_unpacklo_epi64(first, twos), _mm256_unpackhi_epi64(first, twos)};
}

/* Where the text of each of eight numbers has what, in bytes of 32 bits. */
struct layout {
	__m256i point; /* the digit before the point */
	__m256i shift; /* how far the digits are from where they stand in their row */
	__m256i minus; /* 3, what '-' is below '0', where there is a sign */
};

WIDE static inline struct layout lay_out(__m256i exponent, __m256i bits)
{
	__m256i negative = _mm256_srli_epi32(bits, 31), zero = each32(0);

	return (struct layout){
	    _mm256_add_epi32(_mm256_max_epi32(exponent, zero), negative),
	    _mm256_add_epi32(_mm256_sub_epi32(each32(7), negative), _mm256_min_epi32(exponent, zero)),
	    _mm256_or_si256(negative, _mm256_add_epi32(negative, negative))};
}

/* The texts of numbers `n` and `n` + 4 of the eight, whose digits `row` has. */
WIDE static inline void store_texts(struct anim_number_texts *texts, size_t n, __m256i row, const struct layout *layout)
{
	const __m256i zero = _mm256_setzero_si256(), lane = _mm256_set1_epi8((char)(4 * (n % 4)));
	const __m256i place =
	    _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
	__m256i point = _mm256_shuffle_epi8(layout->point, lane), shift = _mm256_shuffle_epi8(layout->shift, lane);
	__m256i minus = _mm256_shuffle_epi8(layout->minus, _mm256_or_si256(lane, _mm256_cmpgt_epi8(place, zero)));
	__m256i from = _mm256_add_epi8(_mm256_add_epi8(place, shift), _mm256_cmpgt_epi8(place, point));
	__m256i is_point = _mm256_cmpeq_epi8(_mm256_sub_epi8(place, _mm256_set1_epi8(1)), point), text;
	uint32_t filled;

	text = _mm256_andnot_si256(is_point, _mm256_shuffle_epi8(row, from));
	filled = (uint32_t)_mm256_movemask_epi8(
	    _mm256_or_si256(_mm256_cmpgt_epi8(text, zero), _mm256_cmpeq_epi8(place, point)));
	text = _mm256_add_epi8(_mm256_add_epi8(text, _mm256_set1_epi8('0')), _mm256_add_epi8(is_point, is_point));
	text = _mm256_sub_epi8(text, minus);
	_mm_storeu_si128((__m128i *)(void *)texts->bytes[n], _mm256_castsi256_si128(text));
	_mm_storeu_si128((__m128i *)(void *)texts->bytes[n + 4], _mm256_extracti128_si256(text, 1));
	texts->length[n] = (uint8_t)(1 + (31 ^ __builtin_clz(filled & 0xffff)));
	texts->length[n + 4] = (uint8_t)(1 + (31 ^ __builtin_clz(filled >> 16)));
}

WIDE static inline __m256i nine_times(__m256i number)
{
	return _mm256_add_epi32(number, _mm256_slli_epi32(number, 3));
}

/*
 * What lies between the stages. Each stage goes over all numbers: the steps of one number wait for each other, and a
 * processor looks ahead over several numbers only where there is little to do for each.
 */
struct stages {
	uint32_t bits[ANIM_NUMBER_TEXTS];        /* of the numbers, zeros behind the last */
	uint32_t digits[ANIM_NUMBER_TEXTS];      /* nine */
	int32_t exponent[ANIM_NUMBER_TEXTS];     /* of the first */
	uint8_t rare[ANIM_NUMBER_TEXTS / LANES]; /* a bit for each that goes another way */
};

WIDE static inline __m256i load(const void *at)
{
	return _mm256_loadu_si256(at);
}

WIDE static inline void store(void *at, __m256i eight)
{
	_mm256_storeu_si256(at, eight);
}

WIDE static inline void find_digits(struct stages *stages, size_t n)
{
	const __m256i full = each32(100000000), zero = _mm256_setzero_si256();
	__m256i bits = load(stages->bits + n), stored = _mm256_and_si256(bits, each32(0x7fffff));
	__m256i q = _mm256_sub_epi32(_mm256_and_si256(_mm256_srli_epi32(bits, 23), each32(255)), each32(150));
	__m256i k = _mm256_srai_epi32(_mm256_mullo_epi32(q, each32(1262611)), 22), minus_k = _mm256_sub_epi32(zero, k);
	__m256i shift = _mm256_srai_epi32(_mm256_mullo_epi32(minus_k, each32(1741647)), 19);
	__m256i row = _mm256_sub_epi32(minus_k, each32(ANIM_POWER_MIN)), c = _mm256_or_si256(stored, each32(0x800000));
	__m256i digits, exponent = _mm256_add_epi32(k, each32(8)), is_short, rare;

	shift = _mm256_add_epi32(_mm256_add_epi32(shift, q), each32(1));
	digits = _mm256_slli_epi64(shortest(odd(c), odd(shift), odd(row)), 32);
	digits = _mm256_or_si256(digits, shortest(even(c), even(shift), even(row)));
	for (int i = 0; i < 2; i++) { /* seven digits become nine */
		is_short = _mm256_cmpgt_epi32(full, digits);
		digits = _mm256_add_epi32(digits, _mm256_and_si256(is_short, nine_times(digits)));
		exponent = _mm256_add_epi32(exponent, is_short);
	}
	rare = _mm256_or_si256(_mm256_cmpgt_epi32(each32(EXPONENT_MIN), exponent),
			       _mm256_cmpgt_epi32(exponent, each32(EXPONENT_MAX)));
	rare = _mm256_or_si256(rare, _mm256_cmpeq_epi32(stored, zero));
	store(stages->digits + n, digits);
	store(stages->exponent + n, exponent);
	stages->rare[n / LANES] = (uint8_t)_mm256_movemask_ps(_mm256_castsi256_ps(rare));
}

WIDE static inline void write_texts(const struct stages *stages, struct anim_number_texts *texts, size_t n)
{
	__m256i digits = load(stages->digits + n);
	struct layout layout = lay_out(load(stages->exponent + n), load(stages->bits + n));
	struct rows rows = spread(even(digits));

	store_texts(texts, n, rows.first, &layout);
	store_texts(texts, n + 2, rows.second, &layout);
	rows = spread(odd(digits));
	store_texts(texts, n + 1, rows.first, &layout);
	store_texts(texts, n + 3, rows.second, &layout);
}

/* 0, 1 and the like, very small and very large numbers; what stood one value before is copied. */
static void write_rare(const float *values, size_t n, size_t count, size_t lanes, unsigned rare,
		       struct anim_number_texts *texts)
{
	for (; rare != 0; rare &= rare - 1) {
		size_t i = n + (size_t)__builtin_ctz(rare);

		if (i >= count)
			return;
		if (i >= lanes && is_same(values, i, i - lanes))
			copy_text(texts, i, i - lanes);
		else
			print_text(texts, i, values[i]);
	}
}

WIDE static void texts_wide(const float *values, size_t count, size_t lanes, struct anim_number_texts *texts)
{
	struct stages stages;
	size_t whole = (count + LANES - 1) / LANES * LANES;

	memset(stages.bits + count, 0, (whole - count) * sizeof *stages.bits);
	memcpy(stages.bits, values, count * sizeof *values);
	for (size_t n = 0; n < whole; n += LANES)
		find_digits(&stages, n);
	for (size_t n = 0; n < whole; n += LANES)
		write_texts(&stages, texts, n);
	for (size_t n = 0; n < whole; n += LANES)
		write_rare(values, n, count, lanes, stages.rare[n / LANES], texts);
}

#endif

anim_number_texts_function *anim_number_texts_wide(void)
{
#ifdef HAVE_WIDE
	if (__builtin_cpu_supports("avx2"))
		return texts_wide;
#endif
	return NULL;
}

void anim_number_print_floats(const float *values, size_t count, size_t lanes, struct anim_number_texts *texts)
{
	anim_number_texts_function *wide = anim_number_texts_wide();

	assert(count <= ANIM_NUMBER_TEXTS);
	(wide != NULL ? wide : anim_number_texts_plain)(values, count, lanes, texts);
}
