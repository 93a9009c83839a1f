/* quaternion.h: rotations as x y z w. */
#ifndef ANIM_MATH_QUATERNION_H
#define ANIM_MATH_QUATERNION_H

/* Outputs may be one of the inputs. Nothing is normalised but where it is said. */
float anim_quat_dot(const float a[4], const float b[4]);
void anim_quat_multiply(float out[4], const float a[4], const float b[4]); /* b first, then a */
void anim_quat_conjugate(float out[4], const float q[4]);                  /* the inverse of a unit quaternion */
void anim_quat_normalize(float out[4], const float q[4]); /* zero length or not finite: stays as it is */
void anim_quat_rotate(float out[3], const float q[4], const float v[3]);

/*
 * The angle of the turn from a to b, radians 0..pi, whatever their signs and lengths; exact near 0; NaN where one is
 * 0.
 */
double anim_quat_angle(const float a[4], const float b[4]);

/*
 * Shortest slerp, not normalised afterwards; linear where the quaternions are nearer than 1 - dot = 1e-5 (Godot's
 * Quaternion::slerp, 3.x and 4.x). anim_block_slerp gives the same bits.
 */
void anim_quat_slerp(float out[4], const float from[4], const float to[4], float weight);
void anim_quat_slerp_double(double out[4], const double from[4], const double to[4], double weight);

/* The first as Godot computes it, step by step: the cubics magnify what a fast one is off. */
void anim_quat_slerp_godot(float out[4], const float from[4], const float to[4], float weight);

#define ANIM_QUAT_NEAR 0.9999f

/* The same without the shortest way (Godot 3's slerpni): `from` itself where |dot| > ANIM_QUAT_NEAR. */
void anim_quat_slerp_far(float out[4], const float from[4], const float to[4], float weight);

/*
 * Cubic through four rotations at the times before_t <= 0 = from, to_t, after_t, seconds (Godot 4's
 * spherical_cubic_interpolate_in_time: Barry and Goldman on logarithms, seen from both ends).
 */
void anim_quat_cubic_in_time(float out[4], const float from[4], const float to[4], const float before[4],
			     const float after[4], float weight, float to_t, float before_t, float after_t);

/* Godot 3's cubic_slerp: squad with the neighbours themselves as control points. */
void anim_quat_cubic_slerp(float out[4], const float from[4], const float to[4], const float before[4],
			   const float after[4], float weight);

/* The dot product of the two that its last slerp, of the far kind, lies between: it jumps at ANIM_QUAT_NEAR. */
float anim_quat_cubic_slerp_dot(const float from[4], const float to[4], const float before[4], const float after[4],
				float weight);

#endif
