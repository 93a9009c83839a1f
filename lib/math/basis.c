/* basis.c: rotation and scale as matrices, in float32 and Godot's order of operations. */
#include "math/basis.h"

#include <math.h>

#include "math/quaternion.h"
#include "math/vector.h"

void anim_basis_from_quat(float m[9], const float q[4])
{
	float s = 2.0f / anim_quat_dot(q, q);
	float xs = q[0] * s, ys = q[1] * s, zs = q[2] * s;
	float wx = q[3] * xs, wy = q[3] * ys, wz = q[3] * zs;
	float xx = q[0] * xs, xy = q[0] * ys, xz = q[0] * zs, yy = q[1] * ys, yz = q[1] * zs, zz = q[2] * zs;
	const float rows[9] = {1.0f - (yy + zz), xy - wz, xz + wy, xy + wz,         1.0f - (xx + zz),
			       yz - wx,          xz - wy, yz + wx, 1.0f - (xx + yy)};

	for (int i = 0; i < 9; i++)
		m[i] = rows[i];
}

void anim_quat_from_basis_godot(float q[4], const float m[9])
{
	float trace = m[0] + m[4] + m[8], s;
	int i, j, k;

	if (trace > 0) {
		s = sqrtf(trace + 1.0f);
		q[3] = s * 0.5f;
		s = 0.5f / s;
		q[0] = (m[7] - m[5]) * s;
		q[1] = (m[2] - m[6]) * s;
		q[2] = (m[3] - m[1]) * s;
		return;
	}
	i = m[0] < m[4] ? 1 : 0;
	if (m[4 * i] < m[8])
		i = 2;
	j = (i + 1) % 3;
	k = (i + 2) % 3;
	s = sqrtf(m[4 * i] - m[4 * j] - m[4 * k] + 1.0f);
	q[i] = s * 0.5f;
	s = 0.5f / s;
	q[3] = (m[3 * k + j] - m[3 * j + k]) * s;
	q[j] = (m[3 * j + i] + m[3 * i + j]) * s;
	q[k] = (m[3 * k + i] + m[3 * i + k]) * s;
}

static float determinant(const float m[9])
{
	return m[0] * (m[4] * m[8] - m[7] * m[5]) - m[3] * (m[1] * m[8] - m[7] * m[2]) +
	       m[6] * (m[1] * m[5] - m[4] * m[2]);
}

static void column(float out[3], const float m[9], int number)
{
	for (int row = 0; row < 3; row++)
		out[row] = m[3 * row + number];
}

void anim_basis_scale(float scale[3], const float m[9])
{
	float mirror = anim_sign(determinant(m));

	for (int i = 0; i < 3; i++) {
		float axis[3];

		column(axis, m, i);
		scale[i] = mirror * anim_vec3_length(axis);
	}
}

/* Gram and Schmidt, x first. */
static void orthonormalize(float out[9], const float m[9])
{
	float x[3], y[3], z[3], along, across;

	column(x, m, 0);
	column(y, m, 1);
	column(z, m, 2);
	anim_vec3_normalize(x);
	along = anim_vec3_dot(x, y);
	for (int i = 0; i < 3; i++)
		y[i] -= x[i] * along;
	anim_vec3_normalize(y);
	along = anim_vec3_dot(x, z);
	across = anim_vec3_dot(y, z);
	for (int i = 0; i < 3; i++)
		z[i] = z[i] - x[i] * along - y[i] * across;
	anim_vec3_normalize(z);
	for (int i = 0; i < 3; i++) {
		out[3 * i] = x[i];
		out[3 * i + 1] = y[i];
		out[3 * i + 2] = z[i];
	}
}

void anim_basis_rotation(float q[4], const float m[9])
{
	float turned[9];

	orthonormalize(turned, m);
	if (determinant(turned) < 0)
		for (int i = 0; i < 9; i++)
			turned[i] = -turned[i];
	anim_quat_from_basis_godot(q, turned);
}

void anim_basis_compose(float m[9], const float rotation[4], const float scale[3])
{
	anim_basis_from_quat(m, rotation);
	for (int i = 0; i < 9; i++)
		m[i] *= scale[i % 3];
}

void anim_basis_interpolate(float out[9], const float from[9], const float to[9], float weight)
{
	float rotation[4], rotation_to[4], scale[3], scale_to[3];

	anim_basis_scale(scale, from);
	anim_basis_scale(scale_to, to);
	anim_basis_rotation(rotation, from);
	anim_basis_rotation(rotation_to, to);
	anim_quat_slerp(rotation, rotation, rotation_to, weight);
	anim_quat_normalize(rotation, rotation);
	for (int i = 0; i < 3; i++)
		scale[i] = anim_lerp(scale[i], scale_to[i], weight);
	anim_basis_compose(out, rotation, scale);
}
