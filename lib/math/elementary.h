/* elementary.h: sine, logarithm and similar functions with the same bits on every machine (those of libm differ). */
#ifndef ANIM_MATH_ELEMENTARY_H
#define ANIM_MATH_ELEMENTARY_H

#include <math.h>

#define ANIM_PI 3.14159265358979323846
#define ANIM_TAU 6.28318530717958647693

/*
 * Elementary functions. Angles are radians in double. The relative error is below 1e-15 (absolute near a zero that is
 * not at 0). NaN gives NaN. Only operations that IEEE 754 defines exactly are used, so results do not depend on the C
 * library.
 */
double anim_sin(double x); /* NaN for an infinity */
double anim_cos(double x);
void anim_sincos(double x, double *sine, double *cosine);
double anim_acos(double x);            /* x is clamped to -1..1 */
double anim_atan2(double y, double x); /* as in C, including signed zeros and infinities */
double anim_log(double x);             /* NaN below 0, -infinity at 0 */
double anim_pow(double x, double y);   /* as in C; a negative x allows only integer y, otherwise NaN */

/* Round to the nearest integer, halves away from zero. */
static inline double anim_round(double x)
{
	double whole = trunc(x);

	return fabs(x - whole) >= 0.5 ? whole + copysign(1.0, x) : whole;
}

/* Compare two doubles for qsort, in ascending order. */
static inline int anim_compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

#endif
