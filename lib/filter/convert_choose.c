/* convert_choose.c: whether a track can stay as it is, and what it becomes where it cannot. */
#include <math.h>
#include <string.h>

#include "clip/lane.h"
#include "filter/convert_internal.h"
#include "math/basis.h"
#include "math/elementary.h"

#define UNITS (ANIM_REST_RELATIVE | ANIM_DEGREES | ANIM_PERCENT | ANIM_DISABLED | ANIM_UNSORTED)

bool convert_is_angles(const struct anim_track *t)
{
	unsigned lanes = anim_types[t->type].lanes;

	if (t->component != ANIM_WHOLE || !anim_type_is_real(t->type))
		return false;
	return (strcmp(t->property, "euler") == 0 && lanes == 3) || (strcmp(t->property, "angle") == 0 && lanes == 1);
}

static bool has_type(const struct anim_caps *caps, enum anim_type type)
{
	return (caps->types >> type & 1) != 0;
}

int convert_type(const struct anim_caps *caps, enum anim_type type)
{
	int narrow = -1;

	if (has_type(caps, type))
		return (int)type;
	if (type >= ANIM_DOUBLE && type <= ANIM_DOUBLEQ)
		narrow = (int)(type - ANIM_DOUBLE + ANIM_FLOAT);
	return narrow >= 0 && has_type(caps, (enum anim_type)narrow) ? narrow : -1;
}

static bool is_eased(const struct anim_track *t)
{
	for (size_t k = 0; t->ease != NULL && k + 1 < t->n; k++)
		if (t->ease[k] != 1 && anim_track_interp(t, k) != ANIM_HOLD)
			return true;
	return false;
}

static bool has_modes(const struct convert *c, const struct anim_track *t)
{
	uint8_t first = (uint8_t)anim_track_interp(t, 0);
	bool mixed = false;

	for (int mode = 0; mode < ANIM_INTERP_COUNT; mode++) {
		if (!anim_track_has_interp(t, (enum anim_interp)mode))
			continue;
		if (!(c->caps.interps & 1u << mode))
			return false;
		mixed = mixed || mode != first;
	}
	return !mixed || c->caps.mixed_interps;
}

static bool is_godot(const struct anim_track *t)
{
	return t->rules == ANIM_RULES_GODOT4 || t->rules == ANIM_RULES_GODOT3;
}

/* Keys inside the clip, and nothing but the outer keys' values beyond them. */
static bool has_plain_ends(const struct convert *c, const struct anim_track *t)
{
	float first = t->time[0], last = t->time[t->n - 1], start = c->clip.start_s, end = c->clip.end_s;
	bool loops = c->clip.loop != ANIM_LOOP_NONE;

	if (end <= start && !is_godot(t))
		end = last;
	if ((first < start && !c->caps.negative_times) || last > end)
		return false;
	if (t->before != ANIM_ENDS_HOLD || t->after != ANIM_ENDS_HOLD)
		return is_godot(t);
	if (!is_godot(t) || (first == start && last == end))
		return true;
	if (loops && (t->flags & ANIM_LOOP_WRAP_KEYS))
		return t->n == 1;
	return t->rules == ANIM_RULES_GODOT4 || first <= start || loops || t->kind == ANIM_DISCRETE;
}

/*
 * Two keys of a Linear rotation between which slerp and normalised lerp differ by no more than the tolerance: with
 * half the angle p the difference of the turns is at most 0.032 p^3. The signs must agree.
 */
static bool is_small_turn(const struct anim_track *t, size_t k, double tolerance)
{
	double q[2][4], dot = 0, a = 0, b = 0, sine;

	for (unsigned i = 0; i < 8; i++) /* not through anim_lane: on the way of every key */
		q[i / 4][i % 4] = t->type == ANIM_FLOATQ ? (double)((const float *)t->value)[4 * k + i]
							 : ((const double *)t->value)[4 * k + i];
	for (int i = 0; i < 4; i++) {
		dot += q[0][i] * q[1][i];
		a += q[0][i] * q[0][i];
		b += q[1][i] * q[1][i];
	}
	if (!(dot > 0) || fabs(a - 1) > 1e-3 || fabs(b - 1) > 1e-3)
		return false;
	sine = sqrt(fmax(0, 1 - dot * dot / (a * b)));
	return 0.034 * sine * sine * sine <= tolerance && dot * dot > 0.5 * a * b;
}

/* The target's player makes the same of Linear keys. */
static bool blends_alike(const struct convert *c, const struct anim_track *t)
{
	if (!anim_track_has_interp(t, ANIM_LINEAR))
		return true;
	if (!anim_type_is_real(t->type))
		return t->type != ANIM_STRING && anim_types[t->type].scalar != ANIM_SCALAR_BOOL &&
		       t->rules != ANIM_RULES_GODOT3;
	if (anim_types[t->type].matrix)
		return false;
	for (size_t k = 0; anim_types[t->type].quaternion && c->caps.rules == ANIM_RULES_RESONITE && k + 1 < t->n; k++)
		if (anim_track_interp(t, k) == ANIM_LINEAR && !is_small_turn(t, k, 0.8 * c->tol * 100 * ANIM_PI / 180))
			return false;
	return true;
}

/* Modes whose curve is the player's, not the stream's. */
static bool plays_alike(const struct convert *c, const struct anim_track *t)
{
	static const enum anim_interp own[] = {ANIM_TANGENT, ANIM_BEZIER_2D, ANIM_WEIGHTED, ANIM_CUBIC_TIME,
					       ANIM_CUBIC_UNIFORM};

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (anim_track_has_interp(t, own[i]))
			return false;
	return blends_alike(c, t);
}

/* Samples whose player goes the short way whatever their signs, some of which say the long one. */
static bool has_flips(const struct convert *c, const struct anim_track *t)
{
	double dot;

	if (!c->caps.continuous_rotations || !anim_types[t->type].quaternion || t->rules == ANIM_RULES_RESONITE)
		return false;
	for (size_t k = 1; k < t->n; k++) {
		dot = 0;
		for (size_t i = 4 * k; i < 4 * k + 4; i++) /* not through anim_lane: on the way of every sample */
			dot += t->type == ANIM_FLOATQ
				   ? (double)((const float *)t->value)[i - 4] * (double)((const float *)t->value)[i]
				   : ((const double *)t->value)[i - 4] * ((const double *)t->value)[i];
		if (dot < 0)
			return true;
	}
	return false;
}

bool convert_fits(const struct convert *c, const struct anim_track *t)
{
	const struct anim_caps *caps = &c->caps;

	if (!(caps->kinds & 1u << t->kind) || !has_type(caps, t->type) || (t->flags & UNITS & ~caps->flags))
		return false;
	if (convert_is_angles(t) && !(t->type == ANIM_FLOAT || t->type == ANIM_DOUBLE ? caps->angle : caps->euler))
		return false;
	if (t->kind == ANIM_RAW)
		return (caps->raw_start || t->n == 0 || t->start_s == (double)c->clip.start_s) && !has_flips(c, t);
	if (t->n == 0)
		return true;
	if (t->kind == ANIM_CURVE && (!has_modes(c, t) || (is_eased(t) && !caps->ease)))
		return false;
	if (t->rules == caps->rules)
		return caps->ends || is_godot(t) || t->rules == ANIM_RULES_RESONITE || has_plain_ends(c, t);
	if (!has_plain_ends(c, t))
		return false;
	return t->kind == ANIM_DISCRETE || t->n == 1 || plays_alike(c, t);
}

/* True where all keys are position, rotation and scale and no more: the matrix put together again is the same. */
static bool is_transform(const struct anim_track *t)
{
	unsigned width = anim_types[t->type].lanes == 16 ? 4 : 3;
	float m[16], again[16], position[3], rotation[4], scale[3];

	for (size_t k = 0; k < t->n; k++) {
		float size = 0;

		memset(m, 0, sizeof m);
		m[15] = 1;
		for (unsigned i = 0; i < width * width; i++)
			m[4 * (i / width) + i % width] = (float)anim_lane(t->type, t->value, k, i);
		anim_transform_decompose(position, rotation, scale, m);
		anim_transform_compose(again, position, rotation, scale);
		for (int i = 0; i < 16; i++)
			size = fmaxf(size, fabsf(m[i]));
		for (int i = 0; i < 16; i++)
			if (!(fabsf(m[i] - again[i]) <= 1e-4f * size))
				return false;
	}
	return true;
}

/* Whole transforms of nodes: `transform`, and `basis` without an origin. */
static unsigned matrix_targets(struct convert *c, const struct anim_track *t, struct convert_target targets[3])
{
	static const struct convert_target parts[3] = {{"position", ANIM_FLOAT3, CONVERT_MATRIX_POSITION, false},
						       {"rotation", ANIM_FLOATQ, CONVERT_MATRIX_ROTATION, false},
						       {"scale", ANIM_FLOAT3, CONVERT_MATRIX_SCALE, false}};
	bool transform = strcmp(t->property, "transform") == 0 && t->type == ANIM_FLOAT4X4;
	bool basis = strcmp(t->property, "basis") == 0 && t->type == ANIM_FLOAT3X3;
	unsigned first = basis ? 1 : 0;

	if ((!transform && !basis) || anim_attrs_get(&t->attrs, "godot.variant") != NULL || !is_transform(t))
		return 0;
	for (unsigned i = first; i < 3; i++) {
		targets[i - first] = parts[i];
		if (!has_type(&c->caps, parts[i].type))
			return 0;
	}
	return 3 - first;
}

static enum convert_step rest_step(const struct anim_track *t)
{
	unsigned lanes = anim_types[t->type].lanes;

	if (strcmp(t->property, "position") == 0 && lanes == 3)
		return CONVERT_REST_POSITION;
	if (strcmp(t->property, "scale") == 0 && lanes == 3)
		return CONVERT_REST_SCALE;
	return strcmp(t->property, "rotation") == 0 && lanes == 4 ? CONVERT_REST_ROTATION : CONVERT_KEEP;
}

unsigned convert_targets(struct convert *c, const struct anim_track *t, struct convert_target targets[3])
{
	int type = convert_type(&c->caps, t->type);
	bool one_lane = anim_types[t->type].lanes == 1;

	targets[0] = (struct convert_target){t->property, t->type, CONVERT_KEEP, false};
	if (anim_types[t->type].matrix && !has_type(&c->caps, t->type))
		return c->caps.matrices ? 0 : matrix_targets(c, t, targets);
	if (convert_is_angles(t) && !(one_lane ? c->caps.angle : c->caps.euler)) {
		targets[0] =
		    (struct convert_target){"rotation", ANIM_FLOATQ, one_lane ? CONVERT_ANGLE : CONVERT_EULER, true};
		return has_type(&c->caps, ANIM_FLOATQ);
	}
	if (type < 0)
		return 0;
	targets[0].type = (enum anim_type)type;
	if ((t->flags & ANIM_REST_RELATIVE & ~c->caps.flags) && t->component == ANIM_WHOLE)
		targets[0].step = rest_step(t);
	return 1;
}
