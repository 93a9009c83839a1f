/* number_print.c: numbers to text: the shortest decimal that reads back as the same number, and Godot's form. */
#include "base/number.h"

#include <assert.h>

#include "base/machine.h"
#include "base/number_internal.h"

/* ---- One number ---- */

/* digits * 10^exponent. */
struct shortest {
	uint64_t digits;
	int exponent;
};

/*
 * The three numbers that choose a decimal, in units of 10^k / 4: the value and the ends of the interval that rounds
 * to it. Bit 0 is set if bits were cut off.
 */
struct scaled {
	uint64_t low, value, high;
	bool even;      /* the ends themselves also round to the value */
	bool irregular; /* the lower end is only half as far from the value as the upper */
};

/*
 * R. Giulietti, "The Schubfach way to render doubles" (2020), section 9: 10^(k+1) is the unit in which at most one
 * candidate is within the ends, 10^k is a unit in which at least one is. The nearer of two neighbours is within the
 * ends if any is, so the ends only need a check when one of them is nearer itself. The unit cannot be predicted, so
 * there is no branch.
 */
static inline struct shortest choose(struct scaled scaled, int k)
{
	uint64_t low = scaled.low + !scaled.even, high = scaled.high - !scaled.even, below = scaled.value / 4;
	uint64_t tens = below / 10, digits = below + (scaled.value + (below & 1) > 4 * below + 2);
	bool tens_down = low <= 40 * tens, tens_up = 40 * tens + 40 <= high,
	     coarse = (below >= 10) & (tens_down != tens_up);

	if (__builtin_expect(scaled.irregular, 0) && (low <= 4 * below) != (4 * below + 4 <= high))
		digits = below + (4 * below + 4 <= high);
	digits ^= (digits ^ (tens + tens_up)) & -(uint64_t)coarse;
	return (struct shortest){digits, k + coarse};
}

/* Return floor(log10(2^q)), or of 3/4 * 2^q, for |q| <= 1100. The factors are log10(2) and log10(3/4) * 2^22. */
static inline int floor_log10_power2(int q, bool three_quarters)
{
	return (q * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}

/*
 * Return floor(a * b / 2^128), with bit 0 set if the remainder is 2^64 or more. b is rounded up, by less than that in
 * a product.
 */
static inline uint64_t scale_odd(uint64_t a, struct anim_power b)
{
	struct anim_product upper = anim_multiply(a, b.high);
	uint64_t middle = upper.low + anim_multiply(a, b.low).high;

	return (upper.high + (middle < upper.low)) | (middle > 1);
}

/* Return 10^q rounded up. Only 10^0..10^55 are exact, and no low half is all ones. */
static inline struct anim_power power_above(int q)
{
	struct anim_power power = anim_powers[q - ANIM_POWER_MIN];

	power.low += q < 0 || q > ANIM_POWER_EXACT_MAX;
	return power;
}

/*
 * Return the decimal for c * 2^q. Its neighbours are one unit of c away; if irregular, the lower one only half a
 * unit.
 */
static inline struct shortest shortest_any(uint64_t c, int q, bool irregular)
{
	int k = floor_log10_power2(q, irregular), shift = q + anim_floor_log2_power10(-k) + 1;
	struct anim_power power = power_above(-k);
	struct scaled scaled = {scale_odd((4 * c - 2 + irregular) << shift, power), scale_odd((4 * c) << shift, power),
				scale_odd((4 * c + 2) << shift, power), c % 2 == 0, irregular};

	return choose(scaled, k);
}

/*
 * The same for 2^23 < c < 2^24 in 64 bits, as a fixed-point number of 10^k. Using ten_k instead of 10^(k+1) leaves a
 * 0 at the end. Numbers up to `half` away on both sides round to c * 2^q. `power` is rounded up, so equal values may
 * differ by NEAR, but no float32 has different values that are so close: all floats were compared with shortest_any,
 * and the long test checks that each text is the shortest and nearest.
 */
static inline struct shortest shortest_float(uint32_t c, int q)
{
	enum { NEAR = 1 << 25 };
	int k = floor_log10_power2(q, false), shift = q + anim_floor_log2_power10(-k) + 1;
	struct anim_power exact = anim_powers[-k - ANIM_POWER_MIN];
	uint64_t power = exact.high + (exact.low != 0);
	struct anim_product value = anim_multiply((uint64_t)c << shift, power);
	uint64_t half = (power >> (5 - shift)) + (c % 2 == 0 ? NEAR : -NEAR);
	uint32_t below = (uint32_t)value.high, tens = below / 10, digits;
	uint64_t rest = (uint64_t)(below - 10 * tens) << 60 | value.low >> 4;
	bool down = rest <= half, up = (UINT64_C(10) << 60) - rest <= half;

	digits = below + (value.low > (UINT64_C(1) << 63) - (below & 1));
	digits ^= (digits ^ 10 * (tens + up)) & -(uint32_t)(down | up);
	return (struct shortest){digits, k};
}

#define ZEROS 0x3030303030303030u

/*
 * Spread the eight digits of a number below 10^8 into bytes 0..9, the first in the lowest byte. Halves of 4, 2 and 1
 * digits are split in all parts of the word at once. The factors are 2^20 / 100 and 2^10 / 10, exact for parts below
 * 10^4 and 10^2.
 */
static inline uint64_t spread_digits(uint32_t number)
{
	uint64_t fours = number / 10000 | (uint64_t)(number % 10000) << 32;
	uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007f0000007fu;
	uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
	uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000fu;

	return tens | (twos - 10 * tens) << 8;
}

/* Return the number of decimal digits, for 1 <= number < 10^19; 1233 / 2^12 is log10(2). */
static inline unsigned count_digits(uint64_t number)
{
	unsigned least = (64 - (unsigned)__builtin_clzll(number)) * 1233 >> 12;

	return least + (number >= anim_power10_uint64[least]);
}

/* Up to 17 digits: `first`, then bytes as from spread_digits. `count` does not include zeros at the end. */
struct digits {
	char first;
	uint64_t head, tail;
	unsigned count;
	int exponent; /* the value is first.headtail * 10^exponent */
};

static inline unsigned count_bytes(uint64_t digits)
{
	return digits != 0 ? 8 - (unsigned)__builtin_clzll(digits) / 8 : 0;
}

/* Return the digits and the exponent of a number of seven to nine digits. */
static inline struct digits split9(uint32_t all, int exponent)
{
	uint64_t head;
	bool short9 = all < 100000000, short8;

	all = short9 ? all * 10 : all;
	short8 = all < 100000000;
	all = short8 ? all * 10 : all;
	head = spread_digits(all % 100000000);
	return (struct digits){(char)('0' + all / 100000000), head, 0, 1 + count_bytes(head),
			       exponent + 8 - short9 - short8};
}

static inline struct digits split17(struct shortest shortest)
{
	unsigned count = count_digits(shortest.digits);
	uint64_t all = shortest.digits * anim_power10_uint64[17 - count], upper = all / 100000000;
	uint64_t head = spread_digits((uint32_t)(upper % 100000000));
	uint64_t tail = spread_digits((uint32_t)(all % 100000000));

	return (struct digits){(char)('0' + upper / 100000000), head, tail,
			       1 + (tail != 0 ? 8 + count_bytes(tail) : count_bytes(head)),
			       shortest.exponent + (int)count - 1};
}

static size_t print_exponent(char *out, int exponent)
{
	char *at = out;

	*at++ = 'e';
	if (exponent < 0) {
		*at++ = '-';
		exponent = -exponent;
	}
	at += anim_number_print_uint64(at, (uint64_t)exponent);
	return (size_t)(at - out);
}

/*
 * Print plain notation for exponents -5..fixed_max (at most 15), otherwise d.ddde-5. Whole words are written, so up
 * to 24 bytes after `out` whatever the length. If `has_tail` is false, the tail is known to be 0 and its words are
 * not written.
 */
static inline size_t print_digits(char *out, struct digits digits, int fixed_max, bool has_tail)
{
	uint64_t head = digits.head + ZEROS, tail = digits.tail + ZEROS;
	int exponent = digits.exponent;
	unsigned shift = 8 * (unsigned)exponent % 64;

	if (exponent < 0 && exponent >= -5) {
		memcpy(out, "0.000000", 8);
		out[1 - exponent] = digits.first;
		anim_store8(out + 2 - exponent, head);
		if (has_tail)
			anim_store8(out + 10 - exponent, tail);
		return digits.count + (size_t)(1 - exponent);
	}
	*out = digits.first;
	if (exponent < 0 || exponent > fixed_max) {
		out[1] = '.';
		anim_store8(out + 2, head);
		anim_store8(out + 10, tail);
		digits.count += digits.count > 1;
		return digits.count + print_exponent(out + digits.count, exponent);
	}
	anim_store8(out + 1, head);
	if (digits.count <= (unsigned)exponent + 1) {
		anim_store8(out + 9, tail);
		return (size_t)exponent + 1;
	}
	if (exponent < 8) {
		anim_store8(out + 2 + exponent, head >> shift | (has_tail ? tail << 1 << (63 - shift) : 0));
		if (has_tail)
			anim_store8(out + 10 + exponent, tail >> shift);
	} else {
		anim_store8(out + 9, tail);
		anim_store8(out + 2 + exponent, tail >> shift);
	}
	out[exponent + 1] = '.';
	return digits.count + 1;
}

static inline uint64_t scale_nearest(uint64_t a, uint64_t b)
{
	struct anim_product product = anim_multiply(a, b);

	return product.high + (product.low >> 63);
}

/*
 * Grisu2 of F. Loitsch, "Printing floating-point numbers quickly and accurately with integers" (2010), for c * 2^q as
 * in shortest_any. Products of 64 bits cannot decide every case: the ends do not count as within, and the choice
 * between two texts that are nearly equally near depends on the rounding of 10^k. Therefore it uses every eighth
 * power, as Godot's copy does.
 */
static struct shortest grisu2(uint64_t c, int q, bool irregular)
{
	int shift = __builtin_clzll(4 * c + 2), e = q - 2 - shift, near = -61 - e;
	int k = (near * 78913 / (1 << 18) + (near > 0) + 307) / 8 * 8 - 300;
	int bits = -(e + anim_floor_log2_power10(k) + 1); /* bits after the point: 32 to 60 */
	struct anim_power exact = anim_powers[k - ANIM_POWER_MIN];
	uint64_t power = exact.high + (exact.low >> 63), unit = UINT64_C(1) << bits;
	uint64_t high = scale_nearest((4 * c + 2) << shift, power) - 1;
	uint64_t delta = high - scale_nearest((4 * c - 2 + irregular) << shift, power) - 1;
	uint64_t above = high - scale_nearest((4 * c) << shift, power), rest = high & (unit - 1), more;
	struct shortest out = {high >> bits, -k};

	while ((more = rest + out.digits % 10 * unit) <= delta) {
		rest = more;
		unit *= 10;
		out.digits /= 10;
		out.exponent++;
	}
	while (rest > delta) {
		rest *= 10;
		delta *= 10;
		above *= 10;
		out.digits = out.digits * 10 + (rest >> bits);
		out.exponent--;
		rest &= unit - 1;
	}
	while (rest < above && delta - rest >= unit && (rest + unit < above || above - rest > rest + unit - above)) {
		out.digits--;
		rest += unit;
	}
	return out;
}

static size_t print_word(char *out, const char *word)
{
	size_t length = strlen(word);

	memcpy(out, word, length);
	return length;
}

/*
 * The shortest text of this one float32, 7.038531e-26, gives its neighbour when it is read as a double and then
 * rounded, as Godot and JavaScript do. So it gets one more digit.
 */
#define TWICE_ROUNDED 0x15ae43fd
#define TWICE_ROUNDED_TEXT "7.0385307e-26"

#define ONE 0x3f800000 /* the bits of 1, the most frequent of the rare floats */

/*
 * Print the floats that shortest_float does not support, without their sign: 0, infinity, subnormal numbers, powers
 * of two, and the float above.
 */
static size_t print_rare_float(char *out, uint32_t magnitude)
{
	uint32_t stored = magnitude & 0x7fffff, biased = magnitude >> 23;

	if (magnitude == 0)
		return print_word(out, "0");
	if (biased == 255)
		return print_word(out, "inf");
	if (magnitude == ONE)
		return print_word(out, "1");
	if (magnitude == TWICE_ROUNDED)
		return print_word(out, TWICE_ROUNDED_TEXT);
	if (biased == 0)
		return print_digits(out, split17(shortest_any(stored, -149, false)), 9, true);
	return print_digits(out, split17(shortest_any(0x800000, (int)biased - 150, biased > 1)), 9, true);
}

size_t anim_number_print_float(char *buffer, float value)
{
	uint32_t bits, stored, biased, negative;
	struct shortest shortest;

	memcpy(&bits, &value, sizeof bits);
	stored = bits & 0x7fffff;
	biased = bits >> 23 & 0xff;
	negative = bits >> 31;
	*buffer = '-';
	if (biased == 255 && stored != 0)
		return print_word(buffer, "nan");
	if (__builtin_expect(stored == 0 || biased == 0 || (bits & 0x7fffffff) == TWICE_ROUNDED, 0))
		return negative + print_rare_float(buffer + negative, bits & 0x7fffffff);
	shortest = shortest_float(stored | 0x800000, (int)biased - 150);
	return negative +
	       print_digits(buffer + negative, split9((uint32_t)shortest.digits, shortest.exponent), 9, false);
}

size_t anim_number_print_double(char *buffer, double value)
{
	uint64_t bits, stored, biased;
	bool negative;

	memcpy(&bits, &value, sizeof bits);
	stored = bits & 0xfffffffffffff;
	biased = bits >> 52 & 0x7ff;
	if (biased == 0x7ff && stored != 0)
		return print_word(buffer, "nan");
	negative = bits >> 63 != 0;
	*buffer = '-';
	buffer += negative;
	if (biased == 0x7ff)
		return negative + print_word(buffer, "inf");
	if (biased > 0)
		stored |= UINT64_C(1) << 52;
	else if (stored == 0)
		return negative + print_word(buffer, "0");
	else
		biased = 1;
	return negative +
	       print_digits(
		   buffer, split17(shortest_any(stored, (int)biased - 1075, stored == UINT64_C(1) << 52 && biased > 1)),
		   15, true);
}

/*
 * Return whether Grisu2 gives the digits of shortest_float, which is faster, for c * 2^q with q = biased - 150. It does
 * from 2^-17 to below 2^24, except if two texts are equally near, that is, if c * 2^q / 10^k is halfway between integers:
 * then c ends with the bit of 1/2. All these floats were compared.
 */
static inline bool is_shortest(uint32_t c, int biased)
{
	int q = biased - 150, half = floor_log10_power2(q, false) - q - 1;

	return biased >= 110 && q <= 0 && c != 0x800000 &&
	       (half < 0 || half > 23 || (c & ((2u << half) - 1)) != 1u << half);
}

size_t anim_number_print_grisu2(char *buffer, double value, bool narrow)
{
	float magnitude = narrow ? (float)value : 0;
	bool negative = value < 0;
	struct shortest nearest;
	uint32_t bits;

	memcpy(&bits, &magnitude, sizeof bits);
	bits &= 0x7fffffff;
	if (!narrow || bits == TWICE_ROUNDED || !is_shortest((bits & 0x7fffff) | 0x800000, (int)(bits >> 23)))
		return anim_number_grisu2_plain(buffer, value, narrow);
	nearest = shortest_float((bits & 0x7fffff) | 0x800000, (int)(bits >> 23) - 150);
	*buffer = '-';
	return negative +
	       print_digits(buffer + negative, split9((uint32_t)nearest.digits, nearest.exponent), 15, false);
}

size_t anim_number_grisu2_plain(char *buffer, double value, bool narrow)
{
	const struct anim_binary_format *format = narrow ? &anim_binary32 : &anim_binary64;
	const uint64_t hidden = UINT64_C(1) << format->mantissa_bits;
	bool negative = value < 0;
	float single = narrow ? (float)value : 0;
	uint32_t bits32;
	uint64_t bits;
	int biased;

	memcpy(&bits, &value, sizeof bits);
	memcpy(&bits32, &single, sizeof bits32);
	bits = narrow ? bits32 & 0x7fffffff : bits & INT64_MAX;
	biased = (int)(bits >> format->mantissa_bits);
	*buffer = '-';
	buffer += negative;
	if (narrow && bits == TWICE_ROUNDED)
		return negative + print_word(buffer, TWICE_ROUNDED_TEXT);
	bits = (bits & (hidden - 1)) | (biased > 0 ? hidden : 0);
	return negative +
	       print_digits(buffer,
			    split17(grisu2(bits, (biased > 0 ? biased : 1) - format->bias - format->mantissa_bits,
					   bits == hidden && biased > 1)),
			    15, true);
}

size_t anim_number_print_uint64(char *buffer, uint64_t value)
{
	size_t above = 0;
	unsigned count;

	if (value >= 100000000) {
		above = anim_number_print_uint64(buffer, value / 100000000);
		anim_store8(buffer + above, spread_digits((uint32_t)(value % 100000000)) + ZEROS);
		return above + 8;
	}
	count = count_digits(value | 1);
	anim_store8(buffer, (spread_digits((uint32_t)value) + ZEROS) >> (64 - 8 * count));
	return count;
}

size_t anim_number_print_int64(char *buffer, int64_t value)
{
	if (value >= 0)
		return anim_number_print_uint64(buffer, (uint64_t)value);
	*buffer = '-';
	return 1 + anim_number_print_uint64(buffer + 1, -(uint64_t)value);
}

/* ---- Many floats to text at once, the hot path of the AnimJ writer ---- */

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

void anim_number_print_floats_grisu2(const float *values, size_t count, size_t components,
				     struct anim_number_texts *texts)
{
	char text[ANIM_NUMBER_MAX];

	anim_number_print_floats(values, count, components, texts);
	for (size_t i = 0; i < count; i++) {
		uint32_t bits;

		memcpy(&bits, &values[i], sizeof bits);
		bits &= 0x7fffffff;
		if (is_shortest((bits & 0x7fffff) | 0x800000, (int)(bits >> 23)) || bits == ONE || bits == 0 ||
		    bits >> 23 > 150)
			continue;
		texts->length[i] = (uint8_t)anim_number_print_grisu2(text, (double)values[i], true);
		memcpy(texts->bytes[i], text, sizeof texts->bytes[i]);
	}
}

/* The components of a scale are often equal, and components that do not change equal those of the previous value. */
void anim_number_texts_plain(const float *values, size_t count, size_t components, struct anim_number_texts *texts)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && is_same(values, i, i - 1))
			copy_text(texts, i, i - 1);
		else if (i >= components && is_same(values, i, i - components))
			copy_text(texts, i, i - components);
		else
			print_text(texts, i, values[i]);
	}
}

#if ANIM_X86_64
#include <immintrin.h>

/*
 * Print eight numbers at a time, by the steps of anim_number_print_float without its branches; the names are those of
 * number_print.c. If 64 bits are needed, the eight numbers are two groups of four, at even and at odd places.
 */
#define WIDE __attribute__((target("avx2")))

enum { COMPONENTS = 8, EXPONENT_MIN = -5, EXPONENT_MAX = 9 };

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

/*
 * Return number * factor / 2^shift with 32-bit factors: a division by the divisor for which factor is 2^shift /
 * divisor rounded up.
 */
WIDE static inline __m256i scale(__m256i number, uint32_t factor, int shift)
{
	return _mm256_srli_epi64(_mm256_mul_epu32(number, each64(factor)), shift);
}

/*
 * Return the power of this row of anim_powers in 64 bits, rounded up. Every exponent has a row, and only 10^0..10^27
 * are exact.
 */
WIDE static inline __m256i power_at(__m256i row)
{
	const long long *powers = (const long long *)(const void *)anim_powers;
	__m256i high = _mm256_i64gather_epi64(powers, _mm256_add_epi64(row, row), 8);
	__m256i exact = _mm256_and_si256(_mm256_cmpgt_epi64(row, each64(-ANIM_POWER_MIN - 1)),
					 _mm256_cmpgt_epi64(each64(-ANIM_POWER_MIN + 28), row));

	return _mm256_add_epi64(high, _mm256_add_epi64(exact, each64(1)));
}

/*
 * Return shortest_float's digits for four c * 2^q; the power is 10^-k. Rest and half have fewer bits, so that they
 * can have a sign. The long test compares all floats.
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
	__m256i beyond = _mm256_xor_si256(low, each64(UINT64_C(1) << 63)); /* low - 2^63 as a signed number */
	__m256i is_odd = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_and_si256(below, one));
	__m256i digits = _mm256_sub_epi64(below, _mm256_cmpgt_epi64(beyond, is_odd));
	__m256i coarse = _mm256_add_epi64(tens, _mm256_andnot_si256(not_up, each64(10)));

	return _mm256_blendv_epi8(coarse, digits, _mm256_and_si256(not_down, not_up));
}

/*
 * Four numbers of nine digits as bytes. Each half has the digits of one number in bytes 7 to 15, with zeros before
 * them.
 */
struct digit_rows {
	__m256i first, second; /* numbers 0 and 2 in the first, 1 and 3 in the second */
};

/* The digits are split as in number_print.c: first by 10^8, then the rest by 10^4, 10^2 and 10. */

WIDE static inline struct digit_rows spread(__m256i all)
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
	return (struct digit_rows){_mm256_unpacklo_epi64(first, twos), _mm256_unpackhi_epi64(first, twos)};
}

/* The positions of the parts of the texts of eight numbers, in bytes of 32 bits. */
struct digit_layout {
	__m256i point; /* the digit before the point */
	__m256i shift; /* distance of the digits from their place in the row */
	__m256i minus; /* 3 if there is a sign, because '-' is 3 below '0' */
};

WIDE static inline struct digit_layout lay_out(__m256i exponent, __m256i bits)
{
	__m256i negative = _mm256_srli_epi32(bits, 31), zero = each32(0);

	return (struct digit_layout){
	    _mm256_add_epi32(_mm256_max_epi32(exponent, zero), negative),
	    _mm256_add_epi32(_mm256_sub_epi32(each32(7), negative), _mm256_min_epi32(exponent, zero)),
	    _mm256_or_si256(negative, _mm256_add_epi32(negative, negative))};
}

/* Store the texts of numbers `n` and `n` + 4 of the eight, whose digits are in `row`. */
WIDE static inline void store_texts(struct anim_number_texts *texts, size_t n, __m256i row,
				    const struct digit_layout *layout)
{
	const __m256i zero = _mm256_setzero_si256(), component = _mm256_set1_epi8((char)(4 * (n % 4)));
	const __m256i place =
	    _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
	__m256i point = _mm256_shuffle_epi8(layout->point, component),
		shift = _mm256_shuffle_epi8(layout->shift, component);
	__m256i minus = _mm256_shuffle_epi8(layout->minus, _mm256_or_si256(component, _mm256_cmpgt_epi8(place, zero)));
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
 * Data between the stages. Each stage handles all numbers, because the steps for one number wait for each other, and
 * a processor looks ahead over several numbers only if each needs few instructions.
 */
struct print_stages {
	uint32_t bits[ANIM_NUMBER_TEXTS];             /* of the numbers, followed by zeros */
	uint32_t digits[ANIM_NUMBER_TEXTS];           /* nine */
	int32_t exponent[ANIM_NUMBER_TEXTS];          /* of the first */
	uint8_t rare[ANIM_NUMBER_TEXTS / COMPONENTS]; /* a bit for each number that write_rare prints */
};

WIDE static inline __m256i load(const void *at)
{
	return _mm256_loadu_si256(at);
}

WIDE static inline void store(void *at, __m256i eight)
{
	_mm256_storeu_si256(at, eight);
}

WIDE static inline void find_digits(struct print_stages *stages, size_t n)
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
	stages->rare[n / COMPONENTS] = (uint8_t)_mm256_movemask_ps(_mm256_castsi256_ps(rare));
}

WIDE static inline void write_texts(const struct print_stages *stages, struct anim_number_texts *texts, size_t n)
{
	__m256i digits = load(stages->digits + n);
	struct digit_layout layout = lay_out(load(stages->exponent + n), load(stages->bits + n));
	struct digit_rows rows = spread(even(digits));

	store_texts(texts, n, rows.first, &layout);
	store_texts(texts, n + 2, rows.second, &layout);
	rows = spread(odd(digits));
	store_texts(texts, n + 1, rows.first, &layout);
	store_texts(texts, n + 3, rows.second, &layout);
}

/*
 * Print 0, 1 and the like, and very small and very large numbers. A number equal to that of the previous value is
 * copied.
 */
static void write_rare(const float *values, size_t n, size_t count, size_t components, unsigned rare,
		       struct anim_number_texts *texts)
{
	for (; rare != 0; rare &= rare - 1) {
		size_t i = n + (size_t)__builtin_ctz(rare);

		if (i >= count)
			return;
		if (i >= components && is_same(values, i, i - components))
			copy_text(texts, i, i - components);
		else
			print_text(texts, i, values[i]);
	}
}

/* Not inlined, like read_pairs in number_parse.c, because plain code follows it. */
WIDE __attribute__((noinline)) static void print_common(struct print_stages *stages, struct anim_number_texts *texts,
							size_t whole)
{
	for (size_t n = 0; n < whole; n += COMPONENTS)
		find_digits(stages, n);
	for (size_t n = 0; n < whole; n += COMPONENTS)
		write_texts(stages, texts, n);
}

static void texts_wide(const float *values, size_t count, size_t components, struct anim_number_texts *texts)
{
	struct print_stages stages;
	size_t whole = (count + COMPONENTS - 1) / COMPONENTS * COMPONENTS;

	memset(stages.bits + count, 0, (whole - count) * sizeof *stages.bits);
	memcpy(stages.bits, values, count * sizeof *values);
	print_common(&stages, texts, whole);
	for (size_t n = 0; n < whole; n += COMPONENTS)
		write_rare(values, n, count, components, stages.rare[n / COMPONENTS], texts);
}

#endif

anim_number_texts_function *anim_number_texts_wide(void)
{
#if ANIM_X86_64
	if (__builtin_cpu_supports("avx2"))
		return texts_wide;
#endif
	return NULL;
}

void anim_number_print_floats(const float *values, size_t count, size_t components, struct anim_number_texts *texts)
{
	anim_number_texts_function *wide = anim_number_texts_wide();

	assert(count <= ANIM_NUMBER_TEXTS);
	(wide != NULL ? wide : anim_number_texts_plain)(values, count, components, texts);
}
