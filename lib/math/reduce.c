/* reduce.c: argument reduction of sine and cosine: Cody and Waite for small angles, Payne and Hanek for the others. */
#include "math/reduce.h"

#include <math.h>
#include <stdint.h>

double anim_sum_rest(double a, double b, double *sum)
{
	double s = a + b, part = s - a;

	*sum = s;
	return (a - (s - part)) + (b - part);
}

/* x = the returned upper 26 bits + *low, exactly. */
static double split(double x, double *low)
{
	double c = 134217729.0 * x; /* 2^27 + 1 */
	double high = c - (c - x);

	*low = x - high;
	return high;
}

double anim_product_rest(double a, double b, double *product)
{
	double al, bl, ah = split(a, &al), bh = split(b, &bl), p = a * b;

	*product = p;
	return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}

/* pi/2 in parts of 33 bits, so that k times a part is exact for |k| < 2^20. */
static void reduce_small(double x, struct anim_reduced *r)
{
	static const double parts[4] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69, 0x1.b839a252049c1p-104};
	double k = rint(x * 0x1.45f306dc9c883p-1), rest;

	r->high = x - k * parts[0];
	rest = anim_sum_rest(r->high, -k * parts[1], &r->high);
	rest += anim_sum_rest(r->high, -k * parts[2], &r->high);
	r->low = anim_sum_rest(r->high, rest - k * parts[3], &r->high);
	r->quadrant = (unsigned)(int)k & 3u;
}

/* The bits of 2/pi behind the point, 64 leading zeros first: enough for the largest double. */
static const uint64_t two_over_pi[20] = {0,
					 0xa2f9836e4e441529u,
					 0xfc2757d1f534ddc0u,
					 0xdb6295993c439041u,
					 0xfe5163abdebbc561u,
					 0xb7246e3a424dd2e0u,
					 0x06492eea09d1921cu,
					 0xfe1deb1cb129a73eu,
					 0xe88235f52ebb4484u,
					 0xe99c7026b45f7e41u,
					 0x3991d639835339f4u,
					 0x9c845f8bbdf9283bu,
					 0x1ff897ffde05980fu,
					 0xef2f118b5a0a6d1fu,
					 0x6d367ecf27cb09b7u,
					 0x4f463f669e5fea2du,
					 0x7527bac7ebe5f17bu,
					 0x3d0739f78a5292eau,
					 0x6bfb5fb11f8d5d08u,
					 0x56033046fc7b6babu};

static uint64_t bits_from(unsigned start)
{
	unsigned word = start / 64, shift = start % 64;

	return shift == 0 ? two_over_pi[word] : two_over_pi[word] << shift | two_over_pi[word + 1] >> (64 - shift);
}

/* a * b + add as *low and the returned upper half. */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t add, uint64_t *low)
{
	uint64_t al = a & 0xFFFFFFFFu, ah = a >> 32, bl = b & 0xFFFFFFFFu, bh = b >> 32;
	uint64_t bottom = al * bl, cross = ah * bl + (bottom >> 32), other = al * bh + (cross & 0xFFFFFFFFu);
	uint64_t product = other << 32 | (bottom & 0xFFFFFFFFu);

	*low = product + add;
	return ah * bh + (cross >> 32) + (other >> 32) + (*low < add);
}

static unsigned leading_zeros(uint64_t x)
{
	unsigned n = 0;

	while (n < 64 && (x >> 63) == 0) {
		x <<= 1;
		n++;
	}
	return n;
}

/* r = sign * pi/2 * (a 128-bit fraction of 1), in two doubles. */
static void scale_fraction(uint64_t upper, uint64_t lower, double sign, struct anim_reduced *r)
{
	unsigned zeros = leading_zeros(upper);
	double high, low, rest;

	if (zeros == 64) {
		upper = lower;
		lower = 0;
	} else if (zeros > 0) {
		upper = upper << zeros | lower >> (64 - zeros);
		lower <<= zeros;
	}
	high = sign * ldexp((double)(upper & ~(uint64_t)0x7FF), -64 - (int)zeros);
	low = sign * ldexp((double)(upper & 0x7FF) + ldexp((double)(lower >> 11), -53), -64 - (int)zeros);
	rest = anim_product_rest(high, 0x1.921fb54442d18p+0, &r->high);
	r->low = rest + high * 0x1.1a62633145c07p-54 + low * 0x1.921fb54442d18p+0;
}

/*
 * |x| = m * 2^e with a whole m < 2^53. Bits of 2/pi whose product with it is a multiple of 4 do not count; of the
 * others 192 leave 137 right bits behind the point, where no double comes nearer to a quarter turn than 2^-62.
 */
static void reduce_large(double x, struct anim_reduced *r)
{
	int e;
	uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &e), 53), a, b, c, carry;
	unsigned start = (unsigned)(e - 53 + 62);
	double sign = x < 0 ? -1 : 1;

	carry = multiply(m, bits_from(start + 128), 0, &c);
	carry = multiply(m, bits_from(start + 64), carry, &b);
	multiply(m, bits_from(start), carry, &a);
	r->quadrant = (unsigned)(a >> 62);
	a = a << 2 | b >> 62;
	b = b << 2 | c >> 62;
	if (a >> 63) { /* nearer to the next quarter: the fraction minus 1 */
		r->quadrant++;
		a = ~a;
		b = ~b;
		sign = -sign;
	}
	scale_fraction(a, b, sign, r);
	if (x < 0)
		r->quadrant = 0u - r->quadrant;
	r->quadrant &= 3u;
}

void anim_reduce_half_pi(double x, struct anim_reduced *r)
{
	if (fabs(x) < 1.6e6)
		reduce_small(x, r);
	else
		reduce_large(x, r);
}
