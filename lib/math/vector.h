/* vector.h: vectors of three numbers. Those with floats follow the order of operations in engines. */
#ifndef ANIM_MATH_VECTOR_H
#define ANIM_MATH_VECTOR_H

#include <math.h>

#include "math/elementary.h"

static inline float anim_lerp(float from, float to, float weight)
{
	return from + (to - from) * weight;
}

/* Return 1, -1, or 0 for a zero and for NaN. */
static inline float anim_sign(float x)
{
	return x > 0 ? 1.0f : x < 0 ? -1.0f : 0.0f;
}

static inline float anim_vec3_dot(const float a[3], const float b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline float anim_vec3_length(const float v[3])
{
	return sqrtf(anim_vec3_dot(v, v));
}

/* Scale v to length 1. A zero vector is unchanged. */
static inline void anim_vec3_normalize(float v[3])
{
	float length = anim_vec3_length(v);

	for (int i = 0; i < 3 && length != 0; i++)
		v[i] /= length;
}

static inline void anim_vec3_cross(float out[3], const float a[3], const float b[3])
{
	float x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];

	out[0] = x;
	out[1] = y;
	out[2] = z;
}

static inline double anim_vec3_dot_double(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double anim_vec3_length_double(const double v[3])
{
	return sqrt(anim_vec3_dot_double(v, v));
}

static inline double anim_vec3_distance(const double a[3], const double b[3])
{
	const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};

	return anim_vec3_length_double(d);
}

/* Scale v to length 1. A zero vector is unchanged. Returns its length before. */
static inline double anim_vec3_unit(double v[3])
{
	const double length = anim_vec3_length_double(v);

	for (int i = 0; i < 3 && length > 0; i++)
		v[i] /= length;
	return length;
}

static inline void anim_vec3_subtract(double out[3], const double a[3], const double b[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = a[i] - b[i];
}

/* Add a multiple of v. */
static inline void anim_vec3_add(double out[3], const double v[3], double part)
{
	for (int i = 0; i < 3; i++)
		out[i] += part * v[i];
}

static inline void anim_vec3_cross_double(double out[3], const double a[3], const double b[3])
{
	double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];

	out[0] = x;
	out[1] = y;
	out[2] = z;
}

/* Return the angle between two vectors of any lengths, in radians. */
static inline double anim_vec3_angle(const double a[3], const double b[3])
{
	double across[3];

	anim_vec3_cross_double(across, a, b);
	return anim_atan2(anim_vec3_length_double(across), anim_vec3_dot_double(a, b));
}

#endif
