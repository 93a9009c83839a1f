/* elementary.h: sine, logarithm and their kin, with the same bits on every machine (libm's differ). */
#ifndef ANIM_MATH_ELEMENTARY_H
#define ANIM_MATH_ELEMENTARY_H

#include <math.h>

#define ANIM_PI 3.14159265358979323846
#define ANIM_TAU 6.28318530717958647693

/*
 * All take and return radians in double; the relative error stays below 1e-15 (absolute near a zero that is not at 0).
 * NaN gives NaN. Only operations that IEEE 754 makes exact are used, so results do not depend on the C library.
 */
double anim_sin(double x); /* NaN for an infinity */
double anim_cos(double x);
void anim_sincos(double x, double *sine, double *cosine);
double anim_acos(double x);            /* what lies beyond -1 or 1 counts as that bound */
double anim_atan2(double y, double x); /* as C's, signed zeros and infinities included */
double anim_log(double x);             /* NaN below 0, -infinity at 0 */
double anim_pow(double x, double y);   /* as C's; a negative x takes whole y only, else NaN */

/* Nearest whole number, halves away from zero. */
static inline double anim_round(double x)
{
	double whole = trunc(x);

	return fabs(x - whole) >= 0.5 ? whole + copysign(1.0, x) : whole;
}

#endif
