/* basis.c: rotation, scale and origin as matrices, in float32 and Godot's order of operations, except for inverses. */
#include "math/basis.h"

#include <math.h>
#include <string.h>

#include "math/curve.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

/* ---- Bases ---- */

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

bool anim_basis_invert(double *m, unsigned stride)
{
	double cofactor[9], determinant = 0;

	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; k < 3; k++) {
			unsigned a = (k + 1) % 3 * stride, b = (k + 2) % 3 * stride, c = (i + 1) % 3, d = (i + 2) % 3;

			cofactor[3 * i + k] = m[a + c] * m[b + d] - m[a + d] * m[b + c];
		}
	for (unsigned k = 0; k < 3; k++)
		determinant += m[k] * cofactor[3 * k];
	if (!isnormal(determinant))
		return false;
	for (unsigned i = 0; i < 9; i++)
		m[i / 3 * stride + i % 3] = cofactor[i] / determinant;
	return true;
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

/* Godot's get_scale: all components are negative if the matrix mirrors. */
static void get_scale(float scale[3], const float m[9])
{
	float mirror = anim_sign(determinant(m));

	for (int i = 0; i < 3; i++) {
		float axis[3];

		column(axis, m, i);
		scale[i] = mirror * anim_vec3_length(axis);
	}
}

/* Gram-Schmidt, beginning with x. */
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

/* Compose scale, then rotation. */
static void compose(float m[9], const float rotation[4], const float scale[3])
{
	anim_basis_from_quat(m, rotation);
	for (int i = 0; i < 9; i++)
		m[i] *= scale[i % 3];
}

void anim_basis_interpolate(float out[9], const float from[9], const float to[9], float weight)
{
	float rotation[4], rotation_to[4], scale[3], scale_to[3];

	get_scale(scale, from);
	get_scale(scale_to, to);
	anim_basis_rotation(rotation, from);
	anim_basis_rotation(rotation_to, to);
	anim_quat_slerp(rotation, rotation, rotation_to, weight);
	anim_quat_normalize(rotation, rotation);
	for (int i = 0; i < 3; i++)
		scale[i] = anim_lerp(scale[i], scale_to[i], weight);
	compose(out, rotation, scale);
}

/* ---- Bases with an origin ---- */

static void copy_basis(float basis[9], const float m[16])
{
	for (int i = 0; i < 9; i++)
		basis[i] = m[4 * (i / 3) + i % 3];
}

static void put_basis(float m[16], const float basis[9])
{
	for (int i = 0; i < 9; i++)
		m[4 * (i / 3) + i % 3] = basis[i];
	m[12] = m[13] = m[14] = 0;
	m[15] = 1;
}

/*
 * Replace axes of length 0, which a scale of 0 leaves, so that the basis has a rotation: one by the product of the
 * others, two by any that are perpendicular to the third, three by the identity.
 */
static void complete(float basis[9])
{
	float axes[3][3];
	bool missing[3];
	int count = 0, known = 0;

	for (int i = 0; i < 3; i++) {
		column(axes[i], basis, i);
		missing[i] = anim_vec3_dot(axes[i], axes[i]) == 0;
		count += missing[i];
		known = missing[i] ? known : i;
	}
	if (count == 0)
		return;
	if (count >= 2) {
		int least = 0, next = (known + 1) % 3;

		if (count == 3)
			axes[known][known] = 1;
		for (int i = 1; i < 3; i++)
			if (fabsf(axes[known][i]) < fabsf(axes[known][least]))
				least = i;
		for (int i = 0; i < 3; i++)
			axes[next][i] = count == 3 ? (float)(i == next) : 0;
		if (count ==
		    2) { /* perpendicular to the known axis and to the coordinate axis that is farthest from it */
			axes[next][(least + 1) % 3] = axes[known][(least + 2) % 3];
			axes[next][(least + 2) % 3] = -axes[known][(least + 1) % 3];
		}
		missing[next] = missing[known] = false;
	}
	for (int i = 0; i < 3; i++)
		if (missing[i])
			anim_vec3_cross(axes[i], axes[(i + 1) % 3], axes[(i + 2) % 3]);
	for (int i = 0; i < 9; i++)
		basis[i] = axes[i % 3][i / 3];
}

void anim_transform_decompose(float position[3], float rotation[4], float scale[3], const float m[16])
{
	float basis[9], right[9], axis[3];

	copy_basis(basis, m);
	get_scale(scale, basis);
	if (determinant(basis) == 0) { /* get_scale has no sign, so the scale is the lengths of the axes */
		complete(basis);
		orthonormalize(right, basis);
		complete(right); /* axes in one plane leave another one of length 0 */
		memcpy(basis, right, sizeof basis);
		for (int i = 0; i < 3; i++) {
			for (int row = 0; row < 3; row++)
				axis[row] = m[4 * row + i];
			scale[i] = sqrtf(anim_vec3_dot(axis, axis));
		}
	}
	anim_basis_rotation(rotation, basis);
	for (int i = 0; i < 3; i++)
		position[i] = m[4 * i + 3];
}

void anim_transform_compose(float m[16], const float position[3], const float rotation[4], const float scale[3])
{
	float basis[9];

	compose(basis, rotation, scale);
	put_basis(m, basis);
	for (int i = 0; i < 3; i++)
		m[4 * i + 3] = position[i];
}

void anim_transform_interpolate(float out[16], const float from[16], const float to[16], float weight)
{
	float a[9], b[9], origin[3];

	copy_basis(a, from);
	copy_basis(b, to);
	for (int i = 0; i < 3; i++)
		origin[i] = anim_lerp(from[4 * i + 3], to[4 * i + 3], weight);
	anim_basis_interpolate(a, a, b, weight);
	put_basis(out, a);
	for (int i = 0; i < 3; i++)
		out[4 * i + 3] = origin[i];
}

/* The parts that Godot reads from a Transform2D. Columns of the matrix: x axis, y axis, origin. */
struct placement {
	float rotation, skew, scale[2], origin[2];
};

static float length2(float x, float y)
{
	return sqrtf(x * x + y * y);
}

static void read_placement(struct placement *p, const float m[9])
{
	float mirror = anim_sign(m[0] * m[4] - m[3] * m[1]);
	float x_length = length2(m[0], m[3]), y_length = length2(m[1], m[4]);
	float x[2] = {m[0], m[3]}, y[2] = {m[1], m[4]};

	p->rotation = (float)anim_atan2((double)m[3], (double)m[0]);
	p->scale[0] = x_length;
	p->scale[1] = mirror * y_length;
	p->origin[0] = m[2];
	p->origin[1] = m[5];
	for (int i = 0; i < 2; i++) {
		if (x_length != 0)
			x[i] /= x_length;
		if (y_length != 0)
			y[i] /= y_length;
		y[i] *= mirror;
	}
	p->skew = (float)anim_acos((double)(x[0] * y[0] + x[1] * y[1])) - (float)ANIM_PI * 0.5f;
}

static float sine(float x)
{
	return (float)anim_sin((double)x);
}

static float cosine(float x)
{
	return (float)anim_cos((double)x);
}

void anim_transform2d_interpolate(float out[9], const float from[9], const float to[9], float weight)
{
	struct placement a, b;
	float rotation, skewed, x[2], y[2];

	read_placement(&a, from);
	read_placement(&b, to);
	rotation = anim_lerp_angle(a.rotation, b.rotation, weight);
	skewed = rotation + anim_lerp_angle(a.skew, b.skew, weight);
	for (int i = 0; i < 2; i++) {
		a.scale[i] = anim_lerp(a.scale[i], b.scale[i], weight);
		a.origin[i] = anim_lerp(a.origin[i], b.origin[i], weight);
	}
	x[0] = cosine(rotation) * a.scale[0];
	x[1] = sine(rotation) * a.scale[0];
	y[0] = -sine(skewed) * a.scale[1];
	y[1] = cosine(skewed) * a.scale[1];
	memcpy(out, (const float[9]){x[0], y[0], a.origin[0], x[1], y[1], a.origin[1], 0, 0, 1}, 9 * sizeof *out);
}

struct anim_rows anim_rows_multiply(const struct anim_rows *a, const struct anim_rows *b)
{
	struct anim_rows out;

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 4; j++)
			out.row[i][j] = a->row[i][0] * b->row[0][j] + a->row[i][1] * b->row[1][j] +
					a->row[i][2] * b->row[2][j] + (j == 3 ? a->row[i][3] : 0);
	return out;
}

bool anim_rows_invert(struct anim_rows *m)
{
	const double origin[3] = {m->row[0][3], m->row[1][3], m->row[2][3]};

	if (!anim_basis_invert(m->row[0], 4))
		return false;
	for (int i = 0; i < 3; i++)
		m->row[i][3] = -(m->row[i][0] * origin[0] + m->row[i][1] * origin[1] + m->row[i][2] * origin[2]);
	return true;
}

struct anim_rows anim_rows_compose(const float *position, const float *rotation, const float *scale)
{
	struct anim_rows out;
	float rows[16];

	anim_transform_compose(rows, position, rotation, scale);
	for (int i = 0; i < 12; i++)
		out.row[i / 4][i % 4] = (double)rows[i];
	return out;
}

void anim_rows_rotation(double q[4], const double *rows)
{
	double axes[3][3];

	for (int c = 0; c < 3; c++) {
		const double length = sqrt(rows[c] * rows[c] + rows[4 + c] * rows[4 + c] + rows[8 + c] * rows[8 + c]);

		for (int i = 0; i < 3; i++)
			axes[c][i] = length > 0 ? rows[4 * i + c] / length : i == c;
	}
	anim_quat_from_axes_double(q, axes[0], axes[1], axes[2]);
}
