/* rate.c: float32 -> fraction. */
#include "format/unity/rate.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NTSC_DEN 1001u
#define NTSC_STEP 1000u

static bool is_rate(double num, double den, float rate_hz)
{
	return num >= 1 && den >= 1 && num <= UINT32_MAX && den <= UINT32_MAX && (float)(num / den) == rate_hz;
}

/* Nearly half way from a positive float32 to the next one: what rounds to it. */
static double towards(float x, int step)
{
	uint32_t bits;
	float next;

	memcpy(&bits, &x, sizeof bits);
	bits += (uint32_t)step;
	memcpy(&next, &bits, sizeof next);
	return x + ((double)next - x) * 0.49;
}

/*
 * The fraction of the smallest denominator in low..high by continued fractions: their terms agree up to the first
 * integer that lies between the two.
 */
static void simplest(double low, double high, double *num, double *den)
{
	double p0 = 0, q0 = 1, p1 = 1, q1 = 0; /* the convergents before */

	for (int i = 0; i < 64; i++) {
		double whole = floor(low), term = whole < low && whole + 1 <= high ? whole + 1 : whole;
		double p = term * p1 + p0, q = term * q1 + q0, rest;

		p0 = p1;
		q0 = q1;
		p1 = p;
		q1 = q;
		if (term != whole || low == whole || p > UINT32_MAX || q > UINT32_MAX)
			break;
		rest = low - whole;
		low = 1 / (high - whole);
		high = 1 / rest;
	}
	*num = p1;
	*den = q1;
}

bool unity_rate_fraction(float rate_hz, uint32_t *num, uint32_t *den)
{
	double n, d = NTSC_DEN;

	*num = *den = 0;
	if (!(rate_hz >= FLT_MIN && rate_hz < (float)UINT32_MAX))
		return false;
	n = rint((double)rate_hz * NTSC_DEN / NTSC_STEP) * NTSC_STEP;
	if (floor(rate_hz) == rate_hz) {
		n = rate_hz;
		d = 1;
	} else if (!is_rate(n, d, rate_hz))
		simplest(towards(rate_hz, -1), towards(rate_hz, 1), &n, &d);
	if (!is_rate(n, d, rate_hz))
		return false;
	*num = (uint32_t)n;
	*den = (uint32_t)d;
	return true;
}
