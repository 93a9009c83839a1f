/* slerp_scales.h: the two factors of a slerp in float32, for single values and blocks alike; internal to math. */
#ifndef ANIM_MATH_SLERP_SCALES_H
#define ANIM_MATH_SLERP_SCALES_H

#include <math.h>

#define ANIM_INLINE static inline __attribute__((always_inline))

/* sin x, |x| <= pi/2; minimax in x^2, relative error 6e-9 before rounding. */
ANIM_INLINE float anim_sine_quarter(float x)
{
	float z = x * x;

	return x + x * z * (-0.166666597f + z * (0.00833306648f + z * (-0.000198095964f + z * 2.60576599e-06f)));
}

/* acos(c) / sqrt(1 - c), 0 <= c <= 1; minimax, relative error 1.5e-8 before rounding. */
ANIM_INLINE float anim_arc_cosine_ratio(float c)
{
	float low = 1.57079625f + c * (-0.2145987f + c * (0.0889773145f + c * -0.050164178f));
	float c4 = c * c * (c * c);

	return low + c4 * (0.0308627207f + c * (-0.0170450527f + c * (0.00663858047f + c * -0.00125344575f)));
}

/*
 * The slerp of quaternions a and b of this dot product is *from * a + *to * b: the sign of b's factor takes the
 * shortest way; where they are nearly one the factors are linear. Without branches, so that a loop of it vectorises.
 */
ANIM_INLINE void anim_slerp_scales(float dot, float weight, float *from, float *to)
{
	float c = fabsf(dot), near = 1.0f - c, rest = 1.0f - weight;
	float angle = sqrtf(near > 0.0f ? near : 0.0f) * anim_arc_cosine_ratio(c), sine = anim_sine_quarter(angle);
	float a = anim_sine_quarter(rest * angle) / sine, b = anim_sine_quarter(weight * angle) / sine;

	a = near > 1e-5f ? a : rest;
	b = near > 1e-5f ? b : weight;
	*from = a;
	*to = dot < 0.0f ? -b : b;
}

#endif
