/* quaternion_cubic.c: Godot 4's cubic through rotations. */
#include "math/quaternion.h"

#include <math.h>
#include <stdbool.h>

#include "math/basis.h"
#include "math/cubic.h"
#include "math/elementary.h"
#include "math/vector.h"

/* Axis times angle of the rotation. */
static void logarithm(float out[3], const float q[4])
{
	float angle = 2.0f * (float)anim_acos((double)q[3]), scale = 1.0f;

	if (!(fabsf(q[3]) > 1.0f - 1e-5f))
		scale = 1.0f / sqrtf(1.0f - q[3] * q[3]);
	for (int i = 0; i < 3; i++)
		out[i] = q[i] * scale * angle;
}

static void exponential(float out[4], const float v[3])
{
	float axis[3] = {v[0], v[1], v[2]}, angle = anim_vec3_length(v), sine;

	anim_vec3_normalize(axis);
	out[0] = out[1] = out[2] = 0;
	out[3] = 1;
	if (!(angle >= 1e-5f))
		return;
	sine = (float)anim_sin((double)(angle * 0.5f)) / anim_vec3_length(axis);
	for (int i = 0; i < 3; i++)
		out[i] = axis[i] * sine;
	out[3] = (float)anim_cos((double)(angle * 0.5f));
}

/* The sign that the rotation has as a matrix would turn into: what the engine starts from. */
static void canonical(float out[4], const float q[4])
{
	float m[9];

	anim_basis_from_quat(m, q);
	anim_basis_rotation(out, m);
}

static void flip(float q[4])
{
	for (int i = 0; i < 4; i++)
		q[i] = -q[i];
}

struct neighbours {
	float from[4], to[4], before[4], after[4];
};

static void align(struct neighbours *n)
{
	bool flipped;

	if (signbit(anim_quat_dot(n->from, n->before)))
		flip(n->before);
	flipped = signbit(anim_quat_dot(n->from, n->to));
	if (flipped)
		flip(n->to);
	if (flipped ? anim_quat_dot(n->to, n->after) <= 0 : signbit(anim_quat_dot(n->to, n->after)))
		flip(n->after);
}

struct times {
	float weight, to, before, after;
};

/* The cubic in the tangent space at `origin`. */
static void seen_from(float out[4], const float origin[4], const struct neighbours *n, const struct times *t)
{
	const float *points[4] = {n->from, n->to, n->before, n->after};
	float inverse[4], turned[4], logs[4][3], sum[3];

	anim_quat_conjugate(inverse, origin);
	for (int i = 0; i < 4; i++) {
		anim_quat_multiply(turned, inverse, points[i]);
		if (points[i] == origin)
			logs[i][0] = logs[i][1] = logs[i][2] = 0;
		else
			logarithm(logs[i], turned);
	}
	for (int i = 0; i < 3; i++)
		sum[i] = anim_cubic_in_time(logs[0][i], logs[1][i], logs[2][i], logs[3][i], t->weight, t->to, t->before,
					    t->after);
	exponential(turned, sum);
	anim_quat_multiply(out, origin, turned);
}

void anim_quat_cubic_in_time(float out[4], const float from[4], const float to[4], const float before[4],
			     const float after[4], float weight, float to_t, float before_t, float after_t)
{
	struct neighbours n;
	const struct times t = {weight, to_t, before_t, after_t};
	float first[4], second[4];

	canonical(n.from, from);
	canonical(n.to, to);
	canonical(n.before, before);
	canonical(n.after, after);
	align(&n);
	seen_from(first, n.from, &n, &t);
	seen_from(second, n.to, &n, &t);
	anim_quat_slerp_godot(out, first, second, weight);
}
