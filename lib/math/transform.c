/* transform.c: bases with an origin: composing, decomposing and blending them as Godot does. */
#include "math/basis.h"

#include <math.h>

#include "math/cubic.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

static void take_basis(float basis[9], const float m[16])
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

void anim_transform_decompose(float position[3], float rotation[4], float scale[3], const float m[16])
{
	float basis[9];

	take_basis(basis, m);
	anim_basis_rotation(rotation, basis);
	anim_basis_scale(scale, basis);
	for (int i = 0; i < 3; i++)
		position[i] = m[4 * i + 3];
}

void anim_transform_compose(float m[16], const float position[3], const float rotation[4], const float scale[3])
{
	float basis[9];

	anim_basis_compose(basis, rotation, scale);
	put_basis(m, basis);
	for (int i = 0; i < 3; i++)
		m[4 * i + 3] = position[i];
}

void anim_transform_interpolate(float out[16], const float from[16], const float to[16], float weight)
{
	float a[9], b[9], origin[3];

	take_basis(a, from);
	take_basis(b, to);
	for (int i = 0; i < 3; i++)
		origin[i] = anim_lerp(from[4 * i + 3], to[4 * i + 3], weight);
	anim_basis_interpolate(a, a, b, weight);
	put_basis(out, a);
	for (int i = 0; i < 3; i++)
		out[4 * i + 3] = origin[i];
}

/* What Godot reads from a Transform2D. Columns of the matrix: x axis, y axis, origin. */
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

static void put_columns(float m[9], float xx, float xy, float yx, float yy, const float origin[2])
{
	const float rows[9] = {xx, yx, origin[0], xy, yy, origin[1], 0, 0, 1};

	for (int i = 0; i < 9; i++)
		m[i] = rows[i];
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
	float rotation, skewed;

	read_placement(&a, from);
	read_placement(&b, to);
	rotation = anim_lerp_angle(a.rotation, b.rotation, weight);
	skewed = rotation + anim_lerp_angle(a.skew, b.skew, weight);
	for (int i = 0; i < 2; i++) {
		a.scale[i] = anim_lerp(a.scale[i], b.scale[i], weight);
		a.origin[i] = anim_lerp(a.origin[i], b.origin[i], weight);
	}
	put_columns(out, cosine(rotation) * a.scale[0], sine(rotation) * a.scale[0], -sine(skewed) * a.scale[1],
		    cosine(skewed) * a.scale[1], a.origin);
}
