/* quaternion.h: rotations: products, lengths, blends, cubics, and the three angles about the axes. */
#ifndef ANIM_MATH_QUATERNION_H
#define ANIM_MATH_QUATERNION_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define ANIM_INLINE static inline __attribute__((always_inline))

/* Compute the same as anim_quat_multiply_double, for loops over many products. */
ANIM_INLINE void anim_quat_product(double out[4], const double a[4], const double b[4])
{
	double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
	double y = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
	double z = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
	double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];

	out[0] = x;
	out[1] = y;
	out[2] = z;
	out[3] = w;
}

/* Compute a^-1 b, for rotations. */
ANIM_INLINE void anim_quat_from_to(double out[4], const double a[4], const double b[4])
{
	const double back[4] = {-a[0], -a[1], -a[2], a[3]};

	anim_quat_product(out, back, b);
}

ANIM_INLINE double anim_quat_dot_double(const double a[4], const double b[4])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* Outputs may be the same arrays as inputs. Results are normalised only if stated. */
float anim_quat_dot(const float a[4], const float b[4]);

/* Give each of `count` quaternions, one after the other, the sign that is nearer to the one before it. */
void anim_quat_smooth_signs(float *q, size_t count);
void anim_quat_multiply(float out[4], const float a[4], const float b[4]); /* b first, then a */
void anim_quat_multiply_double(double out[4], const double a[4], const double b[4]);
void anim_quat_unit_double(double out[4], const float q[4]); /* of length 1; no rotation if q is 0 */
void anim_quat_normalize_double(double q[4]);                /* no rotation if q is 0 */
/* Compute the rotation whose matrix has these columns, which are perpendicular and have length 1. */
void anim_quat_from_axes_double(double q[4], const double x[3], const double y[3], const double z[3]);
void anim_quat_conjugate_double(double out[4], const double q[4]);
void anim_quat_rotate_double(double out[3], const double q[4], const double v[3]);
void anim_quat_rotate_back(double out[3], const double q[4], const double v[3]); /* by the inverse */
/*
 * Compute the shortest rotation from one direction to another, of any lengths. For opposite directions, the axis is any
 * perpendicular one. A vector of length 0 gives the identity.
 */
void anim_quat_between_double(double out[4], const double from[3], const double to[3]);
void anim_quat_normalize(float out[4], const float q[4]); /* unchanged if the length is 0 or not finite */
void anim_quat_rotate(float out[3], const float q[4], const float v[3]);

/*
 * Return the angle of the rotation from a to b in radians 0..pi, whatever their signs and lengths. It is exact near
 * 0, and NaN if one is 0.
 */
double anim_quat_angle(const float a[4], const float b[4]);

/* Return the squared tangent of half that angle, a faster way to find the largest of many. */
double anim_quat_tangent_squared(const float a[4], const float b[4]);

/*
 * Compute the shortest slerp, not normalised afterwards, and linear if the quaternions are nearer than 1 - dot = 1e-5
 * (Godot's Quaternion::slerp, 3.x and 4.x). Any weight is allowed: outside 0..1 the rotation continues.
 * anim_block_slerp gives the same bits.
 */
void anim_quat_slerp(float out[4], const float from[4], const float to[4], float weight);
void anim_quat_slerp_double(double out[4], const double from[4], const double to[4], double weight);

#define ANIM_QUAT_NEAR 0.9999f

/*
 * Compute the cubic through four rotations at the times before_t <= 0 = from, to_t, after_t in seconds (Godot 4's
 * spherical_cubic_interpolate_in_time: Barry and Goldman on logarithms, relative to both ends).
 */
void anim_quat_cubic_in_time(float out[4], const float from[4], const float to[4], const float before[4],
			     const float after[4], float weight, float to_t, float before_t, float after_t);

/*
 * The part of that cubic that depends only on its rotations. anim_quat_cubic_at then evaluates it at a time with the
 * same bits, faster if many times are between the same rotations. A struct that was prepared may be prepared for
 * other rotations, and equal ones are reused. All-zero before the first use.
 */
#define ANIM_QUAT_TURNS 8
struct anim_quat_cubic {
	float key[4][4];     /* from, to, before, after, unchanged */
	float own[4][4];     /* with the signs from which the engine starts */
	float ends[2][4];    /* from and to, with signs for the shorter arc */
	float seen[2][4][3]; /* logarithms of all four, relative to each end */
	bool ready;          /* it has been prepared */
	/* The last angles from key to key, by the real part of their rotation. Most keys are used more than once. */
	struct {
		float real, angle, scale;
	} turns[ANIM_QUAT_TURNS];
	unsigned known; /* number of angles found so far; the last ones are kept */
};

void anim_quat_cubic_prepare(struct anim_quat_cubic *, const float from[4], const float to[4], const float before[4],
			     const float after[4]);
void anim_quat_cubic_at(float out[4], const struct anim_quat_cubic *, float weight, float to_t, float before_t,
			float after_t);

/* Compute Godot 3's cubic_slerp: squad with the neighbours themselves as control points. */
void anim_quat_cubic_slerp(float out[4], const float from[4], const float to[4], const float before[4],
			   const float after[4], float weight);

/*
 * Return the dot product of the two ends of its last slerp, which does not take the shorter arc. That slerp jumps at
 * ANIM_QUAT_NEAR.
 */
float anim_quat_cubic_slerp_dot(const float from[4], const float to[4], const float before[4], const float after[4],
				float weight);

/* ---- The two factors of a slerp in float32, for single values and for blocks ---- */

/* Return sin x, |x| <= pi/2: minimax in x^2, relative error 6e-9 before rounding. */
ANIM_INLINE float anim_sine_quarter(float x)
{
	float z = x * x;

	return x + x * z * (-0.166666597f + z * (0.00833306648f + z * (-0.000198095964f + z * 2.60576599e-06f)));
}

/* Return acos(c) / sqrt(1 - c), 0 <= c <= 1: minimax, relative error 1.5e-8 before rounding. */
ANIM_INLINE float anim_arc_cosine_ratio(float c)
{
	float low = 1.57079625f + c * (-0.2145987f + c * (0.0889773145f + c * -0.050164178f));
	float c4 = c * c * (c * c);

	return low + c4 * (0.0308627207f + c * (-0.0170450527f + c * (0.00663858047f + c * -0.00125344575f)));
}

/* Return whether both sines stay within the range of anim_sine_quarter, or exceed it by at most a hundredth. */
ANIM_INLINE bool anim_slerp_is_near(float weight)
{
	return weight >= -0.01f && weight <= 1.01f;
}

/*
 * Compute the factors of a slerp of quaternions a and b with this dot product: *from * a + *to * b. The sign of b's
 * factor selects the shorter arc. If the quaternions are nearly equal, the factors are linear. There are no branches,
 * so that a loop vectorises. For weights that anim_slerp_is_near accepts.
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

/* ---- Euler angles ---- */

/*
 * Named and numbered as in Godot: ABC is the matrix product A B C, so C is applied first. Unity's fixed order (z,
 * then x, then y) is YXZ, which is also Godot's default.
 */
enum anim_euler_order {
	ANIM_EULER_XYZ,
	ANIM_EULER_XZY,
	ANIM_EULER_YXZ,
	ANIM_EULER_YZX,
	ANIM_EULER_ZXY,
	ANIM_EULER_ZYX,
	ANIM_EULER_ORDER_COUNT
};

extern const char *const anim_euler_order_names[ANIM_EULER_ORDER_COUNT];
int anim_euler_order_find(const char *name); /* "YXZ" -> ANIM_EULER_YXZ; -1 for another text or NULL */

/*
 * Convert angles in radians about x, y, z (in that order, whatever the rotation order). Computed in double, rounded
 * once.
 */
void anim_quat_from_euler(float q[4], const float angles[3], enum anim_euler_order);
void anim_quat_from_euler_double(double q[4], const double angles[3], enum anim_euler_order);

/*
 * Get the angles of a rotation of any length but 0. The middle angle is at most 90 degrees. If it is 90 degrees (gimbal
 * lock), the angle of the last axis is 0.
 */
void anim_euler_from_quat_double(double angles[3], const double q[4], enum anim_euler_order);

/*
 * Replace `angles` by the nearest angles of the same rotation, out of the two triples that give it and all multiples of
 * 2 pi. If the middle angle is near 90 degrees, the first angle is kept.
 */
void anim_euler_near(double angles[3], const double q[4], enum anim_euler_order);

#endif
