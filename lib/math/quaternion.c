/* quaternion.c: products, lengths and straight blends of rotations. */
#include "math/quaternion.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/slerp_scales.h"
#include "math/vector.h"

float anim_quat_dot(const float a[4], const float b[4])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

void anim_quat_multiply(float out[4], const float a[4], const float b[4])
{
	float q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
		      a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
		      a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
		      a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};

	memcpy(out, q, sizeof q);
}

void anim_quat_conjugate(float out[4], const float q[4])
{
	for (int i = 0; i < 3; i++)
		out[i] = -q[i];
	out[3] = q[3];
}

void anim_quat_normalize(float out[4], const float q[4])
{
	float length = sqrtf(anim_quat_dot(q, q)), scale = length > 0 && length < INFINITY ? 1.0f / length : 1.0f;

	for (int i = 0; i < 4; i++)
		out[i] = q[i] * scale;
}

void anim_quat_rotate(float out[3], const float q[4], const float v[3])
{
	float across[3], twice[3];

	anim_vec3_cross(across, q, v);
	for (int i = 0; i < 3; i++)
		across[i] += v[i] * q[3];
	anim_vec3_cross(twice, q, across);
	for (int i = 0; i < 3; i++)
		out[i] = v[i] + 2.0f * twice[i];
}

double anim_quat_angle(const float a[4], const float b[4])
{
	double along = 0, across[6];
	static const int pair[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

	for (int i = 0; i < 4; i++)
		along += (double)a[i] * b[i];
	for (int i = 0; i < 6; i++)
		across[i] = (double)a[pair[i][0]] * b[pair[i][1]] - (double)a[pair[i][1]] * b[pair[i][0]];
	if (along == 0 && across[0] == 0 && across[1] == 0 && across[2] == 0 && across[3] == 0 && across[4] == 0 &&
	    across[5] == 0)
		return NAN;
	return 2 * anim_atan2(sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2] +
				   across[3] * across[3] + across[4] * across[4] + across[5] * across[5]),
			      fabs(along));
}

void anim_quat_slerp(float out[4], const float from[4], const float to[4], float weight)
{
	float a, b;

	anim_slerp_scales(anim_quat_dot(from, to), weight, &a, &b);
	for (int i = 0; i < 4; i++)
		out[i] = a * from[i] + b * to[i];
}

void anim_quat_slerp_double(double out[4], const double from[4], const double to[4], double weight)
{
	double dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3], c = fabs(dot);
	double a = 1 - weight, b = weight, angle, sine;

	if (1 - c > 1e-5) {
		angle = anim_acos(c);
		sine = anim_sin(angle);
		a = anim_sin(a * angle) / sine;
		b = anim_sin(b * angle) / sine;
	}
	b = dot < 0 ? -b : b;
	for (int i = 0; i < 4; i++)
		out[i] = a * from[i] + b * to[i];
}

void anim_quat_slerp_godot(float out[4], const float from[4], const float to[4], float weight)
{
	float dot = anim_quat_dot(from, to), c = fabsf(dot), a = 1.0f - weight, b = weight, angle, sine;

	if (1.0f - c > 1e-5f) {
		angle = (float)anim_acos((double)c);
		sine = (float)anim_sin((double)angle);
		a = (float)anim_sin((double)(a * angle)) / sine;
		b = (float)anim_sin((double)(b * angle)) / sine;
	}
	b = dot < 0 ? -b : b;
	for (int i = 0; i < 4; i++)
		out[i] = a * from[i] + b * to[i];
}

void anim_quat_slerp_far(float out[4], const float from[4], const float to[4], float weight)
{
	float dot = anim_quat_dot(from, to), angle, scale, a, b;

	if (fabsf(dot) > ANIM_QUAT_NEAR) {
		memmove(out, from, 4 * sizeof *out);
		return;
	}
	angle = (float)anim_acos((double)dot);
	scale = 1.0f / (float)anim_sin((double)angle);
	b = (float)anim_sin((double)(weight * angle)) * scale;
	a = (float)anim_sin((double)((1.0f - weight) * angle)) * scale;
	for (int i = 0; i < 4; i++)
		out[i] = a * from[i] + b * to[i];
}

/* The two rotations that the last slerp of the squad lies between. */
static void squad_ends(float inner[4], float outer[4], const float from[4], const float to[4], const float before[4],
		       const float after[4], float weight)
{
	anim_quat_slerp_godot(inner, from, to, weight);
	anim_quat_slerp_far(outer, before, after, weight);
}

void anim_quat_cubic_slerp(float out[4], const float from[4], const float to[4], const float before[4],
			   const float after[4], float weight)
{
	float inner[4], outer[4];

	squad_ends(inner, outer, from, to, before, after, weight);
	anim_quat_slerp_far(out, inner, outer, 2.0f * weight * (1.0f - weight));
}

float anim_quat_cubic_slerp_dot(const float from[4], const float to[4], const float before[4], const float after[4],
				float weight)
{
	float inner[4], outer[4];

	squad_ends(inner, outer, from, to, before, after, weight);
	return anim_quat_dot(inner, outer);
}
