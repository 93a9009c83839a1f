/* trigonometry.c: sine, cosine and the inverse functions. */
#include "math/elementary.h"
#include "math/reduce.h"

/* Taylor series: on |x| <= pi/4 the first term left out is below 1e-19 of the result. `low` is what x lacks. */
static double sine_near_zero(double x, double low)
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

static double cosine_near_zero(double x, double low)
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

void anim_sincos(double x, double *sine, double *cosine)
{
	struct anim_reduced r;
	double s, c;

	if (!(fabs(x) < INFINITY)) {
		*sine = *cosine = x - x;
		return;
	}
	if (fabs(x) < 0x1p-27) { /* keeps the sign of zero too */
		*sine = x;
		*cosine = 1;
		return;
	}
	anim_reduce_half_pi(x, &r);
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

	anim_sincos(x, &sine, &cosine);
	return sine;
}

double anim_cos(double x)
{
	double sine, cosine;

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

/*
 * atan(small / large), 0 <= small <= large: the nearest ray of slope k/16 and, by the subtraction theorem, what is
 * left.
 */
static double arc_of_ratio(double small, double large)
{
	double k = rint(16.0 * (small / large)), c = k / 16.0;
	double r = (small - c * large) / (large + c * small), z = r * r;
	double p = 1.0 / 13.0;

	p = 1.0 / 11.0 - p * z;
	p = 1.0 / 9.0 - p * z;
	p = 1.0 / 7.0 - p * z;
	p = 1.0 / 5.0 - p * z;
	p = 1.0 / 3.0 - p * z;
	return arc[(int)k] + (r - r * z * p);
}

#define HALF_PI_HIGH 0x1.921fb54442d18p+0
#define HALF_PI_LOW 0x1.1a62633145c07p-54

double anim_atan2(double y, double x)
{
	double ax = fabs(x), ay = fabs(y), large = ax > ay ? ax : ay, small = ax > ay ? ay : ax, angle;

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
	angle = arc_of_ratio(small, large);
	if (ay > ax)
		angle = HALF_PI_HIGH - (angle - HALF_PI_LOW);
	if (copysign(1.0, x) < 0)
		angle = 2 * HALF_PI_HIGH - (angle - 2 * HALF_PI_LOW);
	return copysign(angle, y);
}

static double clamp_to_one(double x)
{
	return x > 1 ? 1 : x < -1 ? -1 : x;
}

double anim_acos(double x)
{
	x = clamp_to_one(x);
	return anim_atan2(sqrt((1 - x) * (1 + x)), x);
}

double anim_asin(double x)
{
	x = clamp_to_one(x);
	return anim_atan2(x, sqrt((1 - x) * (1 + x)));
}
