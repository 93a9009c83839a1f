/* number_print.c: numbers to the shortest text that reads back as the same number. */
#include "base/number.h"

#include "base/number_internal.h"

/* digits * 10^exponent. */
struct shortest {
	uint64_t digits;
	int exponent;
};

/*
 * The three numbers that choose a decimal, in units of 10^k / 4: the value and the ends of what rounds to it, each
 * with bit 0 set where something was cut off.
 */
struct scaled {
	uint64_t low, value, high;
	bool even;      /* the ends themselves round to it too */
	bool irregular; /* the lower end is only half as far from the value as the upper */
};

/*
 * R. Giulietti, "The Schubfach way to render doubles" (2020), section 9: 10^(k+1) is the unit in which at most one
 * candidate lies within the ends, 10^k one in which at least one does. The nearer of two neighbours lies within if any
 * does, so that the ends need no look, but where one of them is nearer itself. Which unit it is cannot be guessed: hence
 * no branch.
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

/* floor(log10(2^q)), or of 3/4 * 2^q, for |q| <= 1100; the factors are log10(2) and log10(3/4) * 2^22. */
static inline int floor_log10_power2(int q, bool three_quarters)
{
	return (q * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}

/* floor(a * b / 2^128) with bit 0 set where 2^64 or more is left: b is rounded up, by less than that in a product. */
static inline uint64_t scale_odd(uint64_t a, struct anim_power b)
{
	struct anim_product upper = anim_multiply(a, b.high);
	uint64_t middle = upper.low + anim_multiply(a, b.low).high;

	return (upper.high + (middle < upper.low)) | (middle > 1);
}

/* 10^q rounded up; only 10^0..10^55 fit without a rest, and no low half is all ones. */
static inline struct anim_power power_above(int q)
{
	struct anim_power power = anim_powers[q - ANIM_POWER_MIN];

	power.low += q < 0 || q > ANIM_POWER_EXACT_MAX;
	return power;
}

/* The decimal for c * 2^q, the numbers beside it being one unit of c away; the one below only half of one if irregular. */
static inline struct shortest shortest_any(uint64_t c, int q, bool irregular)
{
	int k = floor_log10_power2(q, irregular), shift = q + anim_floor_log2_power10(-k) + 1;
	struct anim_power power = power_above(-k);
	struct scaled scaled = {scale_odd((4 * c - 2 + irregular) << shift, power), scale_odd((4 * c) << shift, power),
				scale_odd((4 * c + 2) << shift, power), c % 2 == 0, irregular};

	return choose(scaled, k);
}

/*
 * The same for 2^23 < c < 2^24 in 64 bits, as a fixed-point number of 10^k; ten_k instead of 10^(k+1) leaves a 0 at the
 * end. What rounds to c * 2^q is `half` to both sides. `power` is rounded up, so that equal things may come out
 * NEAR apart, and no float32 has unequal ones as close as that: all were compared with shortest_any, and the long test
 * looks whether each is the shortest and nearest.
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
 * The eight digits of a number below 10^8 as bytes 0..9, the first in the lowest byte. Halves of 4, 2 and 1 digits are
 * parted in all lanes at once; the factors are 2^20 / 100 and 2^10 / 10, exact for lanes below 10^4 and 10^2.
 */
static inline uint64_t spread_digits(uint32_t number)
{
	uint64_t fours = number / 10000 | (uint64_t)(number % 10000) << 32;
	uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007f0000007fu;
	uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
	uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000fu;

	return tens | (twos - 10 * tens) << 8;
}

/* How many decimal digits, for 1 <= number < 10^19; 1233 / 2^12 is log10(2). */
static inline unsigned count_digits(uint64_t number)
{
	unsigned least = (64 - (unsigned)__builtin_clzll(number)) * 1233 >> 12;

	return least + (number >= anim_power10_uint64[least]);
}

/* Up to 17 digits: `first`, then bytes as of spread_digits. `count` leaves out the zeros at the end. */
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

/* Digits and exponent of seven to nine digits. */
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
 * Plain notation for exponents -5..fixed_max (15 at most), else d.ddde-5. Writes whole words, so up to 24 bytes behind
 * `out` whatever the length; `has_tail` is false where the tail is known to be 0, which saves its words.
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
 * shortest_any has it. Products of 64 bits cannot tell everything: ends do not count as within, and which of two texts
 * that are nearly as near is chosen hangs on the rounding of 10^k; hence every eighth power, as Godot's copy has them.
 */
static struct shortest grisu2(uint64_t c, int q, bool irregular)
{
	int shift = __builtin_clzll(4 * c + 2), e = q - 2 - shift, near = -61 - e;
	int k = (near * 78913 / (1 << 18) + (near > 0) + 307) / 8 * 8 - 300;
	int bits = -(e + anim_floor_log2_power10(k) + 1); /* behind the point: 32 to 60 */
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
 * The one float32 whose shortest text, 7.038531e-26, read as a double and then rounded, as Godot and JavaScript read it,
 * gives its neighbour: it gets a digit more.
 */
#define TWICE_ROUNDED 0x15ae43fd
#define TWICE_ROUNDED_TEXT "7.0385307e-26"

/* What shortest_float does not do: 0, infinity, subnormal numbers, powers of two and that one, without their sign. */
static size_t print_rare_float(char *out, uint32_t magnitude)
{
	uint32_t stored = magnitude & 0x7fffff, biased = magnitude >> 23;

	if (magnitude == 0)
		return print_word(out, "0");
	if (biased == 255)
		return print_word(out, "inf");
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

size_t anim_number_print_grisu2(char *buffer, double value, bool narrow)
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
