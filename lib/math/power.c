/* power.c: exponential, logarithm and powers. */
#include "math/elementary.h"
#include "math/reduce.h"

#include <stdbool.h>

#define LN2_HIGH 0x1.62e42fefa38p-1 /* 42 bits: a whole number of at most 11 bits times it is exact */
#define LN2_LOW 0x1.ef35793c7673p-45

/* exp(high + low) for a low far below high. */
static double exponential(double high, double low)
{
	double k, r, p = 1.0 / 87178291200.0;

	if (high > 709.8)
		return INFINITY;
	if (high < -745.2)
		return 0;
	k = rint(high * 0x1.71547652b82fep+0);
	low = anim_sum_rest(high - k * LN2_HIGH, low - k * LN2_LOW, &r);
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

double anim_exp(double x)
{
	return x != x ? x : exponential(x, 0);
}

/*
 * log(x) = *high + the returned rest, for finite x > 0. With x = m * 2^e and s = (m - 1) / (m + 1), log m is
 * 2 artanh s; its first two terms carry a rest, so that powers keep their digits.
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
	grest = anim_sum_rest(m, 1.0, &g);
	s = f / g;
	rest = anim_product_rest(s, g, &product);
	srest = ((f - product) - rest - s * grest) / g;
	z = s * s;
	p = 1.0 / 23.0;
	for (int odd = 21; odd >= 5; odd -= 2)
		p = p * z + 1.0 / odd;
	rest = anim_product_rest(s, s, &product);
	rest += 2 * s * srest;
	rest = rest * s + product * srest + anim_product_rest(product, s, &cube);
	/* s + s^3/3 + s^5 p, doubled; 1/3 in two parts */
	rest = srest + rest * (1.0 / 3.0) + cube * 0x1.5555555555555p-56 + cube * z * p;
	rest += anim_product_rest(cube, 0x1.5555555555555p-2, &product);
	rest += anim_sum_rest(s, product, &s);
	rest = 2 * rest + e * LN2_LOW;
	rest += anim_sum_rest(e * LN2_HIGH, 2 * s, &product);
	rest = anim_sum_rest(product, rest, high);
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

/* x^y for x > 0. */
static double positive_power(double x, double y)
{
	double high, rest, product, low;

	if (x == INFINITY || y == INFINITY || y == -INFINITY) {
		if (x == 1)
			return 1;
		return (x > 1) == (y > 0) ? INFINITY : 0;
	}
	rest = logarithm(x, &high);
	if (fabs(y) > 0x1p70) /* what is not 1 is out of range */
		return high == 0 ? 1 : (high > 0) == (y > 0) ? INFINITY : 0;
	low = anim_product_rest(high, y, &product) + rest * y;
	return exponential(product, low);
}

static bool is_odd(double whole)
{
	return fabs(whole) < 0x1p53 && fmod(whole, 2.0) != 0;
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
	return trunc(y) == y && is_odd(y) ? copysign(power, x) : power;
}
