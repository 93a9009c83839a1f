/* elementary.c: sine, logarithm and similar functions with the same bits on every machine. */
#include "math/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Argument reduction: Cody and Waite for small angles, Payne and Hanek for large angles ---- */

/* x = quadrant * pi/2 + high + low, |high| <= pi/4 (a little more by rounding), the quadrant modulo 4. */
struct reduced {
	double high, low;
	unsigned quadrant;
};

/* a + b = *sum + the returned remainder, exactly (Knuth's sum). */
static double sum_rest(double a, double b, double *sum)
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

/* a * b = *product + the returned remainder, exactly unless it overflows (Dekker's product). */
static double product_rest(double a, double b, double *product)
{
	double al, bl, ah = split(a, &al), bh = split(b, &bl), p = a * b;

	*product = p;
	return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}

/* pi/2 in parts of 33 bits, so that k times a part is exact for |k| < 2^20. */
static void reduce_small(double x, struct reduced *r)
{
	static const double parts[4] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69, 0x1.b839a252049c1p-104};
	double k = rint(x * 0x1.45f306dc9c883p-1), rest;

	r->high = x - k * parts[0];
	rest = sum_rest(r->high, -k * parts[1], &r->high);
	rest += sum_rest(r->high, -k * parts[2], &r->high);
	r->low = sum_rest(r->high, rest - k * parts[3], &r->high);
	r->quadrant = (unsigned)(int)k & 3u;
}

/* The bits of 2/pi after the point, preceded by 64 zeros: enough for the largest double. */
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
static void scale_fraction(uint64_t upper, uint64_t lower, double sign, struct reduced *r)
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
	rest = product_rest(high, 0x1.921fb54442d18p+0, &r->high);
	r->low = rest + high * 0x1.1a62633145c07p-54 + low * 0x1.921fb54442d18p+0;
}

/*
 * |x| = m * 2^e with an integer m < 2^53. Bits of 2/pi whose product with it is a multiple of 4 do not count. Of the
 * others, 192 give 137 correct bits after the point, and no double is nearer to a multiple of pi/2 than 2^-62.
 */
static void reduce_large(double x, struct reduced *r)
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

/* x must be finite. */
static void reduce_half_pi(double x, struct reduced *r)
{
	if (fabs(x) < 1.6e6)
		reduce_small(x, r);
	else
		reduce_large(x, r);
}

/* ---- Sine, cosine and the inverse functions ---- */

/* Taylor series: on |x| <= pi/4 the first omitted term is below 1e-19 of the result. `low` is the remainder of x. */
static inline double sine_near_zero(double x, double low)
{
	double z = x * x;
	double p = 1.0 / 355687428096000.0;

	p = p * z - 1.0 / 1307674368000.0;
	p = p * z + 1.0 / 6227020800.0;
	p = p * z - 1.0 / 39916800.0;
	p = p * z + 1.0 / 362880.0;
	p = p * z - 1.0 / 5040.0;
	p = p * z + 1.0 / 120.0;
	p = p * z - 1.0 / 6.0;
	return x + (x * z * p + low * (1.0 - 0.5 * z));
}

static inline double cosine_near_zero(double x, double low)
{
	double z = x * x, half = 0.5 * z, top = 1.0 - half;
	double p = 1.0 / 20922789888000.0;

	p = p * z - 1.0 / 87178291200.0;
	p = p * z + 1.0 / 479001600.0;
	p = p * z - 1.0 / 3628800.0;
	p = p * z + 1.0 / 40320.0;
	p = p * z - 1.0 / 720.0;
	p = p * z + 1.0 / 24.0;
	return top + (((1.0 - top) - half) + (z * z * p - x * low));
}

#define TINY 0x1p-27 /* below it, sin x = x and cos x = 1 */
#define EIGHTH 0.785 /* less than pi/4: a smaller angle is not changed by the reduction */

void anim_sincos(double x, double *sine, double *cosine)
{
	struct reduced r;
	double s, c;

	if (!(fabs(x) < INFINITY)) {
		*sine = *cosine = x - x;
		return;
	}
	if (fabs(x) < TINY) { /* also keeps the sign of zero */
		*sine = x;
		*cosine = 1;
		return;
	}
	if (fabs(x) < EIGHTH) {
		*sine = sine_near_zero(x, 0);
		*cosine = cosine_near_zero(x, 0);
		return;
	}
	reduce_half_pi(x, &r);
	s = sine_near_zero(r.high, r.low);
	c = cosine_near_zero(r.high, r.low);
	*sine = r.quadrant & 1 ? c : s;
	*cosine = r.quadrant & 1 ? s : c;
	if (r.quadrant & 2)
		*sine = -*sine;
	if ((r.quadrant + 1) & 2)
		*cosine = -*cosine;
}

double anim_sin(double x)
{
	double sine, cosine;

	if (fabs(x) < EIGHTH && fabs(x) >= TINY)
		return sine_near_zero(x, 0);
	anim_sincos(x, &sine, &cosine);
	return sine;
}

double anim_cos(double x)
{
	double sine, cosine;

	if (fabs(x) < EIGHTH && fabs(x) >= TINY)
		return cosine_near_zero(x, 0);
	anim_sincos(x, &sine, &cosine);
	return cosine;
}

/* atan(k / 16) */
static const double arc[17] = {0.0,
			       0x1.ff55bb72cfdeap-5,
			       0x1.fd5ba9aac2f6ep-4,
			       0x1.7b97b4bce5b02p-3,
			       0x1.f5b75f92c80ddp-3,
			       0x1.362773707ebccp-2,
			       0x1.6f61941e4def1p-2,
			       0x1.a64eec3cc23fdp-2,
			       0x1.dac670561bb4fp-2,
			       0x1.0657e94db30d0p-1,
			       0x1.1e00babdefeb4p-1,
			       0x1.345f01cce37bbp-1,
			       0x1.4978fa3269ee1p-1,
			       0x1.5d58987169b18p-1,
			       0x1.700a7c5784634p-1,
			       0x1.819d0b7158a4dp-1,
			       0x1.921fb54442d18p-1};

/* Return rint(x) for 0 <= x < 2^51, without the call. */
static double nearest_whole(double x)
{
	return (x + 0x1.8p52) - 0x1.8p52;
}

/*
 * Return atan(small / large), 0 <= small <= large: the nearest line of slope k/16 and, by the subtraction theorem,
 * the remaining angle.
 */
static inline double arc_of_ratio(double small, double large)
{
	double k = nearest_whole(16.0 * (small / large)), c = k / 16.0;
	double r = (small - c * large) / (large + c * small), z = r * r;
	double p = 1.0 / 13.0;

	p = 1.0 / 11.0 - p * z;
	p = 1.0 / 9.0 - p * z;
	p = 1.0 / 7.0 - p * z;
	p = 1.0 / 5.0 - p * z;
	p = 1.0 / 3.0 - p * z;
	return arc[(int)k] + (r - r * z * p);
}

/* The double nearest to pi / 2, and its remainder. */
#define HALF_PI_HIGH 0x1.921fb54442d18p+0
#define HALF_PI_LOW 0x1.1a62633145c07p-54

/* Return the angle of the point (x, |y|) from its angle in the first octant. */
static double turn_to(double angle, bool is_steep, bool is_left)
{
	if (is_steep)
		angle = HALF_PI_HIGH - (angle - HALF_PI_LOW);
	return is_left ? 2 * HALF_PI_HIGH - (angle - 2 * HALF_PI_LOW) : angle;
}

double anim_atan2(double y, double x)
{
	double ax = fabs(x), ay = fabs(y), large = ax > ay ? ax : ay, small = ax > ay ? ay : ax;

	if (x != x || y != y)
		return x + y;
	if (large == 0 || small == INFINITY) {
		small = small == INFINITY;
		large = 1;
	} else if (large == INFINITY) {
		small = 0;
		large = 1;
	} else if (large > 0x1p1000 || large < 0x1p-900) {
		int e;

		frexp(large, &e);
		large = ldexp(large, -e);
		small = ldexp(small, -e);
	}
	return copysign(turn_to(arc_of_ratio(small, large), ay > ax, signbit(x)), y);
}

/* The angle is atan2 of a point on the unit circle, whose length is never far from 1. */
double anim_acos(double x)
{
	double ax, y;

	if (x != x)
		return x;
	x = x > 1 ? 1 : x < -1 ? -1 : x;
	y = sqrt((1 - x) * (1 + x));
	ax = fabs(x);
	return turn_to(ax > y ? arc_of_ratio(y, ax) : arc_of_ratio(ax, y), y > ax, signbit(x));
}

/* ---- Exponential, logarithm and powers ---- */

#define LN2_HIGH 0x1.62e42fefa38p-1 /* 42 bits: the product with an integer of at most 11 bits is exact */
#define LN2_LOW 0x1.ef35793c7673p-45

/* Return exp(high + low) for a low far below high. */
static double exponential(double high, double low)
{
	double k, r, p = 1.0 / 87178291200.0;

	if (high > 709.8)
		return INFINITY;
	if (high < -745.2)
		return 0;
	k = rint(high * 0x1.71547652b82fep+0);
	low = sum_rest(high - k * LN2_HIGH, low - k * LN2_LOW, &r);
	p = p * r + 1.0 / 6227020800.0;
	p = p * r + 1.0 / 479001600.0;
	p = p * r + 1.0 / 39916800.0;
	p = p * r + 1.0 / 3628800.0;
	p = p * r + 1.0 / 362880.0;
	p = p * r + 1.0 / 40320.0;
	p = p * r + 1.0 / 5040.0;
	p = p * r + 1.0 / 720.0;
	p = p * r + 1.0 / 120.0;
	p = p * r + 1.0 / 24.0;
	p = p * r + 1.0 / 6.0;
	p = p * r + 0.5;
	return ldexp(1.0 + r + (r * r * p + low * (1.0 + r)), (int)k);
}

/*
 * log(x) = *high + the returned remainder, for finite x > 0. With x = m * 2^e and s = (m - 1) / (m + 1), log m is 2
 * artanh s. Its first two terms have a remainder, so that powers keep their digits.
 */
static double logarithm(double x, double *high)
{
	int e;
	double m = frexp(x, &e), f, g, grest, s, srest, z, p, product, rest, cube;

	if (m < 0x1.6a09e667f3bcdp-1) {
		m *= 2;
		e--;
	}
	f = m - 1;
	grest = sum_rest(m, 1.0, &g);
	s = f / g;
	rest = product_rest(s, g, &product);
	srest = ((f - product) - rest - s * grest) / g;
	z = s * s;
	p = 1.0 / 23.0;
	for (int odd = 21; odd >= 5; odd -= 2)
		p = p * z + 1.0 / odd;
	rest = product_rest(s, s, &product);
	rest += 2 * s * srest;
	rest = rest * s + product * srest + product_rest(product, s, &cube);
	/* s + s^3/3 + s^5 p, doubled; 1/3 has two parts */
	rest = srest + rest * (1.0 / 3.0) + cube * 0x1.5555555555555p-56 + cube * z * p;
	rest += product_rest(cube, 0x1.5555555555555p-2, &product);
	rest += sum_rest(s, product, &s);
	rest = 2 * rest + e * LN2_LOW;
	rest += sum_rest(e * LN2_HIGH, 2 * s, &product);
	rest = sum_rest(product, rest, high);
	return rest;
}

double anim_log(double x)
{
	double high, rest;

	if (x != x || x == INFINITY)
		return x;
	if (x <= 0)
		return x == 0 ? -INFINITY : (x - x) / (x - x);
	rest = logarithm(x, &high);
	return high + rest;
}

/* Return x^y for x > 0. */
static double positive_power(double x, double y)
{
	double high, rest, product, low;

	if (x == INFINITY || y == INFINITY || y == -INFINITY) {
		if (x == 1)
			return 1;
		return (x > 1) == (y > 0) ? INFINITY : 0;
	}
	rest = logarithm(x, &high);
	if (fabs(y) > 0x1p70) /* for any x except 1 the result is out of range */
		return high == 0 ? 1 : (high > 0) == (y > 0) ? INFINITY : 0;
	low = product_rest(high, y, &product) + rest * y;
	return exponential(product, low);
}

double anim_pow(double x, double y)
{
	double power;

	if (y == 0 || x == 1)
		return 1;
	if (x != x || y != y)
		return x + y;
	if (x > 0)
		return positive_power(x, y);
	if (x == 0)
		power = y < 0 ? INFINITY : 0;
	else if (fabs(y) == INFINITY && x == -1)
		return 1;
	else if (fabs(y) < INFINITY && trunc(y) != y)
		return x > -INFINITY ? (x - x) / (x - x) : y > 0 ? INFINITY : 0;
	else
		power = positive_power(-x, y);
	return trunc(y) == y && (fabs(y) < 0x1p53 && fmod(y, 2.0) != 0) ? copysign(power, x) : power;
}
