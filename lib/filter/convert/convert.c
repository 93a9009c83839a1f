/* convert.c: the filter that converts tracks, and the choice of the form that each track gets. */
#include "filter/convert/convert.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/text.h"
#include "clip/keys.h"
#include "filter/convert/track.h"
#include "filter/delta.h"
#include "filter/filter.h"
#include "filter/select.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* ======== Whether and how a complete track changes ======== */

#define UNITS (ANIM_REST_RELATIVE | ANIM_DEGREES | ANIM_PERCENT | ANIM_DISABLED | ANIM_UNSORTED)

/* Return whether a Godot track is for the same version of Godot. Then everything that the target supports is kept. */
static bool is_own(const struct anim_caps *caps, const struct anim_track *t)
{
	return t->rules == caps->rules && anim_rules_are_godot(caps->rules);
}

/* Return the flags that may stay on a track. */
static unsigned convert_flags(const struct anim_caps *caps, const struct anim_track *t)
{
	return caps->flags | (t->rules == caps->rules ? caps->own_flags : 0);
}

static bool is_bone(const struct convert *c, const struct anim_track *t)
{
	return anim_track_bone(c->filter.clip.source, t) != NULL;
}

/* Return whether the track has Euler or 2-D angles, all or one component, of floats or doubles. */
static bool is_angle(const struct anim_track *t)
{
	return anim_type_is_real(t->type) && anim_property_is_angle(t->property);
}

/* Return whether the order of the Euler angles is the order in which the node applies them. */
static bool has_order(struct convert *c, const struct anim_track *t)
{
	const char *order = anim_attrs_get(&t->attrs, "order"), *own;
	const struct anim_rest *rest = c->caps.euler_yxz ? convert_rest(c, t->node) : NULL;

	if (c->caps.euler_only)
		return anim_track_order(t) == (int)c->order;
	if (!c->caps.euler_yxz)
		return true;
	own = rest == NULL || rest->rotation_order == NULL ? "YXZ" : rest->rotation_order;
	return strcmp(order == NULL ? "YXZ" : order, own) == 0;
}

static bool is_pose(const char *property)
{
	return strcmp(property, "position") == 0 || strcmp(property, "rotation") == 0 || strcmp(property, "scale") == 0;
}

bool anim_convert_is_in_space(struct anim_sink *sink, const struct anim_track *t)
{
	struct convert *c = (struct convert *)sink;
	const struct anim_rest *rest = convert_rest(c, t->node);

	return rest != NULL ? !(rest->has & ANIM_HAS_2D) : c->filter.clip.axes2d != ANIM_AXES2D_GODOT;
}

bool convert_has_one_form(struct convert *c, const struct anim_track *t)
{
	return c->caps.one_form && c->caps.bezier != ANIM_BEZIER_ALWAYS && anim_type_is_real(t->type) &&
	       (is_pose(t->property) || strcmp(t->property, "euler") == 0) && anim_track_is_transform(t) &&
	       !anim_source_is_godot(c->filter.clip.source) && anim_convert_is_in_space(&c->filter.sink, t);
}

/* Return whether angles can only be stored as a rotation. */
static bool must_be_rotation(struct convert *c, const struct anim_track *t)
{
	bool one_component = anim_types[t->type].components == 1;

	if (!(t->component == ANIM_WHOLE && is_angle(t) &&
	      anim_types[t->type].components == (t->property[0] == 'e' ? 3 : 1)))
		return false;
	if (anim_track_is_captured(t) || convert_has_one_form(c, t))
		return true;
	if (!(one_component ? c->caps.angle : c->caps.euler))
		return true;
	return !is_own(&c->caps, t) && ((c->caps.bones && is_bone(c, t)) || (!one_component && !has_order(c, t)));
}

/* Return whether the track is a part of a transform. The fields that Unity has only for RectTransforms are not. */
static bool is_part(const struct anim_track *t)
{
	const char *class = anim_attrs_get(&t->attrs, "unity.class");
	bool part = is_pose(t->property) || anim_property_is_angle(t->property);

	return part && t->type != ANIM_STRING && anim_track_is_transform(t) &&
	       (class == NULL || strcmp(class, "224") != 0);
}

/* Return the same for a target with whole transforms. */
static bool is_whole_part(const struct convert *c, const struct anim_track *t)
{
	return c->caps.whole_transforms && is_part(t);
}

/*
 * Return whether a component can be converted without the others: its curve in the target does not depend on them, so
 * it can become a part of the joined curve.
 */
static bool is_independent(const struct convert *c, const struct anim_track *t)
{
	return is_whole_part(c, t) && strcmp(t->property, "rotation") != 0 && !(t->flags & ANIM_REST_RELATIVE) &&
	       (c->caps.euler || strcmp(t->property, "euler") != 0) && c->caps.mixed_interps;
}

/* Return whether the track is a component that must be joined with others. */
static bool is_component(struct convert *c, const struct anim_track *t)
{
	if (t->component != ANIM_WHOLE && is_whole_part(c, t))
		return !(c->caps.components && t->rules == c->caps.rules &&
			 strcmp(c->filter.clip.source, c->caps.format) == 0);
	if (t->component == ANIM_WHOLE || !c->caps.components)
		return t->component != ANIM_WHOLE;
	if (is_own(&c->caps, t) || !anim_track_is_transform(t))
		return false;
	if (c->caps.bones && is_bone(c, t) && (is_pose(t->property) || strcmp(t->property, "euler") == 0))
		return true;
	if (convert_has_one_form(c, t))
		return true;
	return c->caps.joined_rotations && strcmp(t->property, "rotation") == 0;
}

static bool needs_rest(enum anim_step step)
{
	return step >= ANIM_STEP_REST_POSITION && step <= ANIM_STEP_RELATIVE_SCALE;
}

/* Return whether a bone's pose must become relative to the rest pose, as the target's player expects. */
static bool must_be_relative(const struct convert *c, const struct anim_track *t)
{
	return c->caps.relative_bones && !is_own(&c->caps, t) && is_bone(c, t) && t->component == ANIM_WHOLE &&
	       is_pose(t->property) && !(t->flags & ANIM_REST_RELATIVE);
}

static bool has_type(const struct anim_caps *caps, enum anim_type type)
{
	return (caps->types >> type & 1) != 0;
}

/* Return the type itself, or floats_of it (color for color32), or -1 if the target has neither. */
static int convert_type(const struct anim_caps *caps, enum anim_type type)
{
	/*
	 * The float type with the same number of components, for doubles that are narrowed, and for integers and
	 * switches. -1 if there is none.
	 */
	int floats;
	unsigned components = anim_types[type].components;

	if (type >= ANIM_DOUBLE && type <= ANIM_DOUBLEQ)
		floats = (int)(type - ANIM_DOUBLE + ANIM_FLOAT);
	else if (type == ANIM_STRING || anim_type_is_real(type) || components > 4)
		floats = -1;
	else
		floats = type == ANIM_COLOR32 ? (int)ANIM_COLOR : (int)(ANIM_FLOAT + components - 1);

	if (has_type(caps, type))
		return (int)type;
	return floats >= 0 && has_type(caps, (enum anim_type)floats) ? floats : -1;
}

/* Return whether the track switches a node on and off with numbers. */
static bool is_visibility(const struct anim_caps *caps, const struct anim_track *t)
{
	return !is_own(caps, t) && strcmp(t->property, "visible") == 0 && t->component == ANIM_WHOLE &&
	       anim_type_is_real(t->type) && anim_types[t->type].components == 1;
}

/* Return whether a curve must become a switch. Only Unity has switches that are curves: on from 0.5 up. */
static bool is_switch(const struct anim_caps *caps, const struct anim_track *t)
{
	return caps->rules != ANIM_RULES_UNITY && is_visibility(caps, t) && has_type(caps, ANIM_BOOL);
}

/* Return whether the numbers are from Godot, which switches on with every number but 0. */
static bool is_truth(const struct convert *c, const struct anim_track *t)
{
	return is_visibility(&c->caps, t) && anim_source_is_godot(c->filter.clip.source);
}

/* Return whether the target has the modes and the transitions of a curve. */
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
	for (size_t k = 0; t->ease != NULL && !c->caps.ease && k + 1 < t->n; k++)
		if (t->ease[k] != 1 && anim_track_interp(t, k) != ANIM_HOLD)
			return false;
	return !mixed || c->caps.mixed_interps;
}

/* Return whether all components of element k in a column of slopes are finite. */
static bool is_finite(const struct anim_track *t, const void *column, size_t k)
{
	for (unsigned i = 0; i < anim_types[t->type].components; i++)
		if (!isfinite(anim_component(t->type, column, k, i)))
			return false;
	return true;
}

/* Return whether the player uses the stream's standard meaning of everything, except for Linear rotations. */
static bool is_plain(enum anim_rules rules)
{
	return rules == ANIM_RULES_PLAIN || rules == ANIM_RULES_UNITY;
}

/* Return whether the keys are inside the clip and the outer keys' values hold outside them. */
static bool has_plain_ends(const struct convert *c, const struct anim_track *t)
{
	float first = t->time[0], last = t->time[t->n - 1], start = c->filter.clip.start_s, end = c->filter.clip.end_s;
	bool loops = c->filter.clip.loop != ANIM_LOOP_NONE;

	if (end <= start && !anim_rules_are_godot(t->rules))
		end = last;
	if ((first < start && !c->caps.negative_times) || last > end)
		return false;
	if (t->pre != ANIM_EXTRAPOLATION_HOLD || t->post != ANIM_EXTRAPOLATION_HOLD)
		return anim_rules_are_godot(t->rules) ||
		       (c->caps.ends && is_plain(t->rules) && is_plain(c->caps.rules) &&
			t->pre != ANIM_EXTRAPOLATION_NONE && t->post != ANIM_EXTRAPOLATION_NONE);
	if (!anim_rules_are_godot(t->rules) && c->caps.rules == ANIM_RULES_GODOT3 && t->kind == ANIM_CURVE)
		return first <= start || loops;
	if (!anim_rules_are_godot(t->rules) || (first == start && last == end))
		return true;
	if (loops && (t->flags & ANIM_LOOP_WRAP_KEYS))
		return t->n == 1;
	return t->rules == ANIM_RULES_GODOT4 || first <= start || loops || t->kind == ANIM_DISCRETE;
}

/*
 * Return whether slerp and normalised lerp differ by at most the tolerance between two keys of a Linear rotation. With
 * half the angle p, the rotations differ by at most 0.032 p^3. The signs must agree.
 */
static bool is_small_rotation(const struct anim_track *t, size_t k, double tolerance)
{
	double q[2][4], dot = 0, a = 0, b = 0, sine;

	for (unsigned i = 0; i < 8; i++) /* not through anim_component: this is a hot loop */
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

/*
 * Return whether the target's player plays the modes in the same way. The listed modes are curves of their player, and
 * not standard in the stream.
 */
static bool plays_alike(const struct convert *c, const struct anim_track *t)
{
	static const enum anim_interp own[] = {ANIM_TANGENT, ANIM_BEZIER_2D, ANIM_WEIGHTED, ANIM_CUBIC_TIME,
					       ANIM_CUBIC_UNIFORM};

	if (anim_rules_are_godot(t->rules) && anim_rules_are_godot(c->caps.rules) && t->interp == ANIM_BEZIER_2D)
		return true;
	for (size_t i = 0; i < sizeof own / sizeof *own && !(is_plain(t->rules) && is_plain(c->caps.rules)); i++)
		if (anim_track_has_interp(t, own[i]))
			return false;

	if (!anim_track_has_interp(t, ANIM_LINEAR))
		return true;

	/* Godot 3 does not interpolate planes. */
	const char *variant = anim_attrs_get(&t->attrs, "godot.variant");

	if (t->rules == ANIM_RULES_GODOT3 && variant != NULL && strcmp(variant, "Plane") == 0)
		return false;

	if (!anim_type_is_real(t->type))
		return t->type != ANIM_STRING && anim_types[t->type].scalar != ANIM_SCALAR_BOOL &&
		       t->rules != ANIM_RULES_GODOT3 && c->caps.rules != ANIM_RULES_GODOT3;
	if (anim_types[t->type].matrix)
		return false;
	if (!anim_types[t->type].quaternion || anim_rules_blend_components(&c->filter.clip, t->rules) ==
						   anim_rules_blend_components(&c->filter.clip, c->caps.rules))
		return true;
	for (size_t k = 0; k + 1 < t->n; k++)
		if (anim_track_interp(t, k) == ANIM_LINEAR &&
		    !is_small_rotation(t, k, CONVERT_MEASURED * c->tol_deg * ANIM_PI / 180))
			return false;
	return true;
}

/* Return whether some samples ask for the long way by their signs, although their player takes the short way. */
static bool has_flips(const struct convert *c, const struct anim_track *t)
{
	double dot;

	if (!c->caps.continuous_rotations || !anim_types[t->type].quaternion || t->rules == ANIM_RULES_RESONITE)
		return false;
	for (size_t k = 1; k < t->n; k++) {
		dot = 0;
		for (size_t i = 4 * k; i < 4 * k + 4; i++) /* not through anim_component: this is a hot loop */
			dot += t->type == ANIM_FLOATQ
				   ? (double)((const float *)t->value)[i - 4] * (double)((const float *)t->value)[i]
				   : ((const double *)t->value)[i - 4] * ((const double *)t->value)[i];
		if (dot < 0)
			return true;
	}
	return false;
}

/* Return whether the target can store a handle of this length. */
static bool has_length(float length, unsigned units)
{
	return length == 1.0f / 3 ||
	       (length >= 0 && length <= 1 && (float)(rint((double)length * units) / units) == length);
}

/* Return whether the target can store the lengths of all handles. */
static bool has_lengths(const struct convert *c, const struct anim_track *t)
{
	unsigned components = anim_types[t->type].components, units = c->caps.weight_units;

	if (units == 0 || t->kind != ANIM_CURVE || t->weighted == NULL || t->left_x == NULL || t->right_x == NULL)
		return true;
	for (size_t k = 0; k < t->n; k++)
		for (size_t i = k * components; i < (k + 1) * components; i++)
			if (((t->weighted[k] & 2) != 0 && !has_length(t->right_x[i], units)) ||
			    ((t->weighted[k] & 1) != 0 && !has_length(t->left_x[i], units)))
				return false;
	return true;
}

static bool fits(struct convert *c, const struct anim_track *t)
{
	const struct anim_caps *caps = &c->caps;

	if (!(caps->kinds & 1u << t->kind) || !has_type(caps, t->type) || (t->flags & UNITS & ~convert_flags(caps, t)))
		return false;
	if (must_be_rotation(c, t) || must_be_relative(c, t) || is_switch(caps, t) || is_truth(c, t) ||
	    !has_lengths(c, t) ||
	    (caps->euler_only && anim_types[t->type].quaternion && strcmp(t->property, "rotation") == 0))
		return false;
	if (t->kind == ANIM_RAW)
		return (caps->raw_start || t->n == 0 || t->start_s == (double)c->filter.clip.start_s) &&
		       !has_flips(c, t) && !convert_ends_early(c, t);
	if (t->n == 0)
		return true;
	if (t->kind == ANIM_CURVE && !has_modes(c, t))
		return false;

	if (caps->regular) {
		for (size_t k = 0; k + 1 < t->n; k++) {
			if (!(t->time[k] < t->time[k + 1]))
				return false;
			if (t->left != NULL && anim_track_interp(t, k) == ANIM_HERMITE &&
			    !(is_finite(t, t->right, k) && is_finite(t, t->left, k + 1)))
				return false;
		}
	}

	if (t->property[0] == '@' && anim_rules_are_godot(t->rules) && anim_rules_are_godot(caps->rules))
		return true;
	if (t->rules == caps->rules)
		return caps->ends || is_own(caps, t) || t->rules == ANIM_RULES_RESONITE || has_plain_ends(c, t);
	if (!has_plain_ends(c, t) ||
	    (anim_rules_are_godot(t->rules) && t->kind == ANIM_CURVE && anim_godot_refuses_some(t)))
		return false;
	return t->kind == ANIM_DISCRETE || t->n == 1 || plays_alike(c, t);
}

/* Return whether all keys consist of position, rotation and scale only: composing them again gives the same matrix. */
static bool is_transform(const struct anim_track *t)
{
	unsigned width = anim_types[t->type].components == 16 ? 4 : 3;
	float m[16], again[16], position[3], rotation[4], scale[3];

	for (size_t k = 0; k < t->n; k++) {
		float size = 0;

		memset(m, 0, sizeof m);
		m[15] = 1;
		for (unsigned i = 0; i < width * width; i++)
			m[4 * (i / width) + i % width] = (float)anim_component(t->type, t->value, k, i);
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

/* Get the targets for whole transforms of nodes: `transform`, and `basis` without an origin. Returns their number. */
static unsigned matrix_targets(struct convert *c, const struct anim_track *t, struct convert_target targets[3])
{
	static const struct convert_target parts[3] = {
	    {"position", ANIM_FLOAT3, ANIM_STEP_MATRIX_POSITION, false, false},
	    {"rotation", ANIM_FLOATQ, ANIM_STEP_MATRIX_ROTATION, false, false},
	    {"scale", ANIM_FLOAT3, ANIM_STEP_MATRIX_SCALE, false, false}};
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

/*
 * Get the steps for a track of this node, property, type and flags. Returns the number of targets, at most 3, or 0 if
 * the target does not support it.
 */
static unsigned convert_targets(struct convert *c, const struct anim_track *t, struct convert_target targets[3])
{
	enum anim_step from_rest = anim_step_from_rest(t->property, anim_types[t->type].components);
	int type = convert_type(&c->caps, t->type);
	bool one_component = anim_types[t->type].components == 1;

	targets[0] = (struct convert_target){t->property, t->type, ANIM_STEP_KEEP, false, false};
	if (anim_types[t->type].matrix && !has_type(&c->caps, t->type))
		return c->caps.matrices ? 0 : matrix_targets(c, t, targets);
	if (must_be_rotation(c, t)) {
		targets[0] = (struct convert_target){"rotation", ANIM_FLOATQ,
						     one_component ? ANIM_STEP_ANGLE : ANIM_STEP_EULER, true, false};
		return has_type(&c->caps, ANIM_FLOATQ);
	}
	if (type < 0)
		return 0;
	targets[0].type = is_switch(&c->caps, t) ? ANIM_BOOL : (enum anim_type)type;
	targets[0].step = is_truth(c, t) ? ANIM_STEP_TRUTH : c->meaning.step;
	if ((t->flags & ANIM_REST_RELATIVE & ~c->caps.flags) && t->component == ANIM_WHOLE)
		targets[0].step = from_rest;
	else if (must_be_relative(c, t) && from_rest != ANIM_STEP_KEEP)
		targets[0].step = from_rest + (ANIM_STEP_RELATIVE_POSITION - ANIM_STEP_REST_POSITION);
	return 1;
}

static bool has_handles(const struct anim_track *t)
{
	for (int mode = ANIM_TANGENT; mode <= ANIM_WEIGHTED; mode++)
		if (anim_track_has_interp(t, (enum anim_interp)mode))
			return true;
	return false;
}

/* ---- How a complete track is converted ---- */

/* Report that the track is not written, and why. Returns 0 or -1. */
static int leave_out(struct convert *c, const struct anim_track *t, struct anim_error *error)
{
	int gone = anim_diagnostics_gate(c->diagnostics, t, false, error);

	if (gone != 0)
		return gone < 0 ? -1 : 0;
	return anim_diagnostics_track(c->diagnostics, t, error,
				      "left out, because %s does not support the type" ANIM_DETAIL " %s",
				      c->caps.format, anim_types[t->type].name);
}

/*
 * Set the rest pose that the step needs. If it is unknown, the values stay unchanged, with a warning. Returns 0 or -1.
 */
static int prepare_rest(struct convert *c, struct anim_source *s, const struct anim_track *t,
			struct convert_target *target, struct anim_error *error)
{
	const struct anim_rest *rest;

	if (!(t->flags & ANIM_REST_RELATIVE & ~c->caps.flags) && !needs_rest(target->step))
		return 0;
	rest = convert_rest(c, t->node);
	if (rest != NULL && needs_rest(target->step)) {
		s->rest = *rest;
		return 0;
	}
	target->step = ANIM_STEP_KEEP;
	if (!(t->flags & ANIM_REST_RELATIVE))
		return anim_diagnostics_track(c->diagnostics, t, error,
					      "still absolute, because the rest pose of the bone is unknown");
	return anim_diagnostics_track(
	    c->diagnostics, t, error,
	    "still relative, because the rest pose of the node is unknown; set it with " ANIM_OPTION_TO("bake", "rest",
													"FILE"));
}

/* Convert each component of a track with 2 to 4 components as its own track. */
static int split_components(struct convert *c, const struct anim_track *t, struct anim_error *error)
{
	bool wide = anim_types[t->type].scalar == ANIM_SCALAR_F64;
	struct anim_track one;

	for (unsigned component = 0; component < anim_types[t->type].components; component++)
		if (anim_track_pick_component(&one, t, component, wide ? ANIM_DOUBLE : ANIM_FLOAT, &c->scratch,
					      error) != 0 ||
		    convert_whole(c, &one, error) != 0)
			return -1;
	return 0;
}

/* Return whether the numbers of the current track mean something else in the target. */
static bool means_other(const struct convert *c)
{
	return c->meaning.step != ANIM_STEP_KEEP || (c->meaning.factor != 0 && c->meaning.factor != 1);
}

int convert_whole(struct convert *c, const struct anim_track *track, struct anim_error *error)
{
	struct convert_target targets[3];
	enum anim_bezier split;
	unsigned count;
	int result;

	if (convert_choose_order(c, track, error) != 0)
		return -1;
	if (!means_other(c) && fits(c, track)) {
		/* Drop transitions that change nothing if the target does not support transitions. */
		struct anim_track plain = *track;

		if (track->ease == NULL || c->caps.ease)
			return convert_put(c, track, error);
		plain.ease = NULL;
		plain.record = NULL;
		return convert_put(c, &plain, error);
	}
	count = convert_targets(c, track, targets);
	if (count == 0)
		return leave_out(c, track, error);

	const struct convert_target *target = &targets[0];
	const struct anim_type_info *type = &anim_types[track->type];
	bool color = strcmp(anim_component_name(track->property, 0), "r") == 0;
	bool bends = target->step == ANIM_STEP_INVERSE; /* straight lines become curves */

	if (!c->caps.components || !(c->caps.interps & 1u << ANIM_BEZIER_2D) || c->caps.mixed_interps)
		split = ANIM_BEZIER_NEVER;
	else if (track->component != ANIM_WHOLE || track->kind != ANIM_CURVE || !anim_type_is_real(track->type) ||
		 type->quaternion || type->components < 2 || type->components > 4 ||
		 color != (track->type == ANIM_COLOR))
		split = ANIM_BEZIER_NEVER;
	else if ((target->step != ANIM_STEP_KEEP && !bends) ||
		 (c->caps.bones && is_bone(c, track) && is_pose(track->property)) || convert_has_one_form(c, track) ||
		 !(has_handles(track) || bends))
		split = ANIM_BEZIER_NEVER;
	else
		split = c->caps.bezier;

	if (split == ANIM_BEZIER_ALWAYS ||
	    (!has_lengths(c, track) && !anim_types[track->type].quaternion && track->component == ANIM_WHOLE &&
	     anim_types[track->type].components > 1 && targets[0].step == ANIM_STEP_KEEP))
		return split_components(c, track, error);
	targets[0].rigid = split == ANIM_BEZIER_AUTO;
	for (unsigned i = 0; i < count; i++) {
		struct anim_source source = {
		    .clip = &c->filter.clip,
		    .tracks = {track},
		    .count = 1,
		    .order = (enum anim_euler_order)anim_track_order(track),
		    .radians = is_angle(track) && (targets[i].became_rotation || !(c->caps.flags & ANIM_DEGREES)),
		    .fraction = !(c->caps.flags & ANIM_PERCENT),
		    .factor = means_other(c) ? c->meaning.factor : 0,
		    .unit_length = anim_types[targets[i].type].quaternion && track->rules == ANIM_RULES_GODOT3,
		    .bytes = track->type == ANIM_COLOR32 && targets[i].type == ANIM_COLOR};

		if (prepare_rest(c, &source, track, &targets[i], error) != 0)
			return -1;
		result = convert_track(c, &source, track, &targets[i], error);
		if (result != 0)
			return result < 0 ? -1 : split_components(c, track, error);
	}
	return 0;
}

/* ======== The filter ======== */

#define LABEL_MAX 256u /* bytes of a track's name in a message */

const struct anim_rest *convert_rest(struct convert *c, const char *node)
{
	return anim_rests_find_either(&c->rests, c->other_rests, c->filter.clip.root, node);
}

/* ---- Components, kept until the clip ends and then joined ---- */

/* A sink that keeps the converted components in the store. */
struct component_keeper {
	struct anim_sink sink;
	struct convert *convert;
};

static int keep(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct convert *c = ((struct component_keeper *)sink)->convert;

	return anim_components_keep(&c->components, &c->filter.clip, track, error);
}

/* ---- Joining, and completing missing components ---- */

/* The components of one property while they are joined. */
struct joined_group {
	struct anim_component_group found;
	unsigned components; /* of the joined value */
	enum anim_type type; /* of the joined value */
};

/*
 * Keep a component that cannot be joined as a track of its own if the target supports such tracks. Otherwise leave it
 * out with a warning. Returns 0 or -1.
 */
static int put_alone(struct convert *c, const struct anim_track *t, const char *why, struct anim_error *error)
{
	if (c->caps.lone_components ||
	    (convert_has_one_form(c, t) && !is_bone(c, t) && strcmp(t->property, "rotation") != 0))
		return convert_whole(c, t, error);
	return anim_diagnostics_track(c->diagnostics, t, error, "%s", why);
}

/*
 * Fill missing components from the rest pose. A target that stores whole transforms shows these values in any case, so it gets
 * neutral values if they are unknown, or if the components are relative to the rest pose. Returns 1, 0 if they are unknown,
 * or -1.
 */
static int complete(struct convert *c, const struct joined_group *group, struct anim_source *s,
		    struct anim_error *error)
{
	const struct anim_track *first = anim_components_first(&group->found);
	bool relative = (first->flags & ANIM_REST_RELATIVE) != 0, whole = is_whole_part(c, first);
	unsigned missing = 0, known = 0;

	if (!whole || !relative)
		known = anim_components_of_rest(convert_rest(c, first->node), first, s->fixed);
	for (unsigned i = whole ? known : 0; i < group->components; i++)
		missing += !group->found.there[i];
	if (whole) {
		for (unsigned i = known; i < group->components; i++)
			s->fixed[i] = anim_components_neutral(first->property, i);
		if (missing == 0 || relative)
			return 1;
		return anim_diagnostics_track(c->diagnostics, first, error,
					      "single components were joined with 0 (scales with 1), because the rest "
					      "pose is unknown; set it with " ANIM_OPTION_TO("bake", "rest", "FILE")) !=
			       0
			   ? -1
			   : 1;
	}
	if (missing == 0)
		return 1;
	if (known < group->components || relative)
		return 0;
	return anim_diagnostics_track(c->diagnostics, first, error,
				      "single components were joined with values of the rest pose") != 0
		   ? -1
		   : 1;
}

/* Write the joined value of a group. Returns 0 or -1. */
static int emit(struct convert *c, struct joined_group *group, struct anim_error *error)
{
	const struct anim_track *first = anim_components_first(&group->found);
	struct anim_track like = *first;
	int result;
	struct anim_source source;
	struct convert_target targets[3];

	anim_components_source(&source, &c->filter.clip, &group->found, group->components);
	source.fraction = !(c->caps.flags & ANIM_PERCENT);
	source.unit_length = anim_types[group->type].quaternion;
	like.component = ANIM_WHOLE;
	like.type = group->type;
	like.flags &= ~(ANIM_DEGREES | ANIM_PERCENT);
	if (anim_attrs_with(&like.attrs, &first->attrs, "unity.attribute", NULL, &c->scratch, error) != 0)
		return -1;

	/* Mark components of a two-dimensional node. */
	const struct anim_rest *rest = convert_rest(c, like.node);
	struct anim_attrs before = like.attrs;

	if (is_whole_part(c, &like) && rest != NULL && rest->has & ANIM_HAS_2D) {
		if (anim_attrs_with(&like.attrs, &before, ANIM_ATTR_FLAT, "1", &c->scratch, error) != 0)
			return -1;
	}

	result = complete(c, group, &source, error);
	if (result == 0) {
		/*
		 * Write the components of a group as single tracks, because the values of the missing ones are unknown.
		 */
		for (unsigned i = 0; i < ANIM_COMPONENTS_JOINED; i++)
			if (group->found.there[i] &&
			    put_alone(c, &group->found.tracks[i],
				      "left out, because the other components have neither a track nor a rest value",
				      error) != 0)
				return -1;
		return 0;
	}
	if (result < 0)
		return -1;
	if (is_independent(c, first) && convert_can_merge(&group->found)) {
		/* The components are already curves of the target. The rest pose has angles in radians. */
		bool degrees = source.radians && (first->flags & ANIM_DEGREES);
		double fixed[ANIM_COMPONENTS_JOINED] = {0};

		for (unsigned i = 0; i < group->components; i++)
			fixed[i] = degrees ? source.fixed[i] * (180 / ANIM_PI) : source.fixed[i];
		return convert_merge(c, &group->found, fixed, &like, error);
	}

	/* Components of samples and constants are samples: a constant needs no grid of its own. */
	bool sampled = false;

	for (unsigned i = 0; i < source.count; i++)
		sampled = sampled ||
			  (source.tracks[i] != NULL && source.tracks[i]->kind == ANIM_RAW && source.tracks[i]->n > 1);
	for (unsigned i = 0; i < source.count && sampled; i++) {
		const struct anim_track *t = source.tracks[i];

		if (t == NULL || t->n != 1 || !anim_type_is_real(t->type))
			continue;
		source.fixed[i] = anim_source_in_unit(&source, t, anim_component(t->type, t->value, 0, 0));
		source.tracks[i] = NULL;
	}

	if (convert_targets(c, &like, targets) != 1)
		return anim_diagnostics_track(
		    c->diagnostics, first, error,
		    "left out, because the components cannot be joined to a value that the target supports");
	if (prepare_rest(c, &source, &like, &targets[0], error) != 0)
		return -1;
	return convert_track(c, &source, &like, &targets[0], error);
}

static int put_stray(void *context, const struct anim_track *t, struct anim_error *error)
{
	return put_alone(context, t, "left out: one component, which cannot be joined", error);
}

/* Return whether the track is a position or scale of two dimensions, for a target that has only three. */
static bool is_of_three(const struct convert *c, const struct anim_track *t)
{
	return (c->caps.whole_transforms || c->caps.only_space) && is_part(t) &&
	       (strcmp(t->property, "position") == 0 || strcmp(t->property, "scale") == 0);
}

static int join_from(void *context, size_t from, uint8_t *done, struct anim_error *error)
{
	struct convert *c = context;
	const struct anim_store_track *t = anim_store_track_at(c->components, 0, from);
	struct joined_group group = {.components = anim_components_by_name(convert_rest(c, t->node), t->property)};
	unsigned there;
	int type;

	anim_arena_reset(&c->scratch);
	if (anim_components_gather(c->components, from, done, &group.found, &c->scratch, put_stray, c, error) != 0)
		return -1;
	there = anim_components_there(&group.found);
	if (there == 0)
		return 0;
	group.components = there > group.components ? there : group.components;
	if (group.components < 3 && is_of_three(c, anim_components_first(&group.found)))
		group.components = 3;
	if (group.components == 1 && strcmp(anim_components_first(&group.found)->property, "angle") == 0) {
		struct anim_track angle = *anim_components_first(&group.found); /* `angle.x` is the complete value */

		angle.component = ANIM_WHOLE;
		return convert_whole(c, &angle, error);
	}
	type = anim_components_type(anim_components_first(&group.found)->type,
				    anim_components_first(&group.found)->property, group.components);
	if (type >= 0)
		type = convert_type(&c->caps, (enum anim_type)type); /* of the joined value for the target */
	if (type < 0)
		return put_stray(c, anim_components_first(&group.found), error);
	group.type = (enum anim_type)type;
	return emit(c, &group, error);
}

/*
 * Return a column of n values with a third component, made from a column with two. Returns NULL if out of memory, or if
 * there is no column.
 */
static const void *widen_column(struct convert *c, const void *column, size_t n, size_t component_size,
				const void *third, struct anim_error *error)
{
	const unsigned char *from = column;
	unsigned char *wide = from == NULL ? NULL : anim_arena_zeroed(&c->scratch, n, 3 * component_size, error);

	for (size_t k = 0; wide != NULL && k < n; k++) {
		memcpy(wide + 3 * k * component_size, from + 2 * k * component_size, 2 * component_size);
		memcpy(wide + (3 * k + 2) * component_size, third, component_size);
	}
	return wide;
}

/*
 * Add a third component to a track of two components, for a target of three: from the rest pose, which every node in space
 * has, otherwise 0 (scale 1). Other tracks stay unchanged. Returns 0 or -1.
 */
static int widen(struct convert *c, const struct anim_track *t, struct anim_track *out, struct anim_error *error)
{
	static const enum anim_type twos[] = {ANIM_INT2, ANIM_UINT2, ANIM_LONG2, ANIM_FLOAT2, ANIM_DOUBLE2};
	static const float third_x = 1.0f / 3;
	const struct anim_rest *rest;
	enum anim_type type = t->type;
	size_t size = anim_types[t->type].component_size;
	double components[ANIM_COMPONENTS_MAX] = {0}, depth;
	unsigned char value[ANIM_VALUE_MAX] = {0}, none[8] = {0};
	bool absolute = anim_track_has_interp(t, ANIM_CUBIC_BEZIER), scale = strcmp(t->property, "scale") == 0;

	*out = *t;
	for (size_t i = 0; i < ANIM_COUNT(twos); i++)
		if (twos[i] == t->type)
			type = (enum anim_type)(t->type + 1);
	if (t->component != ANIM_WHOLE || type == t->type || !is_of_three(c, t))
		return 0;
	rest = convert_rest(c, t->node);
	if (rest == NULL || !(rest->has & (scale ? ANIM_HAS_SCALE : ANIM_HAS_POSITION)) || (rest->has & ANIM_HAS_2D))
		depth = scale;
	else
		depth = (double)(scale ? rest->scale[2] : rest->position[2]);
	components[0] = components[1] = components[2] = depth;
	anim_value_store(type, components, value);
	out->record = NULL;
	if (anim_attrs_with(&out->attrs, &t->attrs, ANIM_ATTR_FLAT, "1", &c->scratch, error) != 0)
		return -1;
	out->type = type;
	out->value = widen_column(c, t->value, t->n, size, value, error);
	out->left = widen_column(c, t->left, t->n, size, absolute ? value : none, error);
	out->right = widen_column(c, t->right, t->n, size, absolute ? value : none, error);
	out->left_x = widen_column(c, t->left_x, t->n, sizeof third_x, &third_x, error);
	out->right_x = widen_column(c, t->right_x, t->n, sizeof third_x, &third_x, error);
	return out->value == NULL || (t->left != NULL && out->left == NULL) ||
		       (t->right != NULL && out->right == NULL) || (t->left_x != NULL && out->left_x == NULL) ||
		       (t->right_x != NULL && out->right_x == NULL)
		   ? -1
		   : 0;
}

/* ---- The filter ---- */

static int finish_clip(struct convert *c, struct anim_error *error)
{
	const struct anim_scope *now = c->diagnostics->scope;
	int result = 0;

	c->meaning = (struct anim_engine_property){.property = NULL};
	if (c->in_clip && c->components != NULL) {
		c->diagnostics->scope = c->scope;
		result = anim_components_join(c->components, join_from, c, error);
		c->diagnostics->scope = now;
	}
	if (result == 0 && c->in_clip && c->roots > 0 && !c->reported_muscles) {
		c->diagnostics->scope = c->scope;
		result = anim_diagnostics_warn(
		    c->diagnostics, "clip", error,
		    "root motion for an Animator moves no node; only Unity plays it" ANIM_DETAIL " (%zu curves)",
		    c->roots);
		c->diagnostics->scope = now;
	}
	anim_store_free(c->components);
	c->components = NULL;
	c->in_clip = false;
	return result;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return finish_clip((struct convert *)sink, error) != 0 ? -1 : anim_filter_tree(sink, tree, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct convert *c = (struct convert *)sink;

	if (finish_clip(c, error) != 0 ||
	    (c->caps.midway || anim_attrs_get(&clip->attrs, ANIM_ATTR_DELTA) == NULL
		 ? 0
		 : anim_diagnostics_note(c->diagnostics, "clip", error,
					 "'%s': differences from a pose; play them on an additive layer",
					 clip->name)) != 0)
		return -1;
	if (anim_filter_keep(&c->filter, clip, error) != 0)
		return -1;
	c->in_clip = true;
	c->reported_muscles = false;
	c->roots = 0;
	c->scope = c->diagnostics->scope;
	return anim_filter_clip(sink, clip, error);
}

int convert_put(struct convert *c, const struct anim_track *track, struct anim_error *error)
{
	struct anim_track plain = *track;
	struct anim_strings strings;

	if (c->foreign && anim_rules_are_godot(c->caps.rules) && anim_godot_refuses_some(track)) {
		/*
		 * Normalise keys that Godot refuses: it shows no rotation there, but other players treat such a key
		 * like the rotation of length 1.
		 */
		const float *value = plain.value;
		float *unit = anim_arena_zeroed(&c->scratch, plain.n, 4 * sizeof *unit, error);
		double wide[4];

		if (unit == NULL)
			return -1;
		memcpy(unit, value, plain.n * 4 * sizeof *unit);
		for (size_t k = 0; k < plain.n; k++) {
			if (!anim_godot_refuses(value + 4 * k))
				continue;
			anim_quat_unit_double(wide, value + 4 * k);
			anim_components_to_float(unit + 4 * k, wide, 4);
		}
		plain.value = unit;
		plain.record = NULL;
		if (anim_diagnostics_track(
			c->diagnostics, &plain, error,
			"rotations that are not of length 1 were normalised, because Godot does not play them") != 0)
			return -1;

		return anim_sink_track(c->filter.next, &plain, error);
	}
	if (c->caps.source_texts || !anim_texts_are_quoted(track))
		return anim_sink_track(c->filter.next, track, error);
	anim_texts_reset(&c->texts);
	if (anim_texts_unquote(&c->texts, track, error) != 0 ||
	    anim_attrs_with(&plain.attrs, &track->attrs, "literal", NULL, &c->scratch, error) != 0)
		return -1;
	anim_texts_view(&c->texts, &strings);
	plain.strings = &strings;
	plain.record = NULL;
	return anim_sink_track(c->filter.next, &plain, error);
}

static bool is_finite_value(const struct anim_track *track, size_t k)
{
	unsigned components = anim_types[track->type].components;
	bool finite = true;

	for (unsigned i = 0; i < components; i++)
		finite = finite && isfinite(anim_component(track->type, track->value, k, i));
	return finite;
}

#define BLOCK 64 /* -O2 vectorises loops of a constant count */

/* Return whether some values are not finite and the target is not the engine that they are from. */
static bool must_be_finite(const struct convert *c, const struct anim_track *track)
{
	const struct anim_type_info *type = &anim_types[track->type];
	const float *value = track->value;
	size_t count = track->n * type->components, i = 0;
	unsigned bad = 0;

	if (track->rules == c->caps.rules && track->rules != ANIM_RULES_PLAIN)
		return false;
	for (size_t k = 0; k < track->n && type->scalar == ANIM_SCALAR_F64; k++)
		if (!is_finite_value(track, k))
			return true;
	if (type->scalar != ANIM_SCALAR_F32)
		return false;
	for (; i + BLOCK <= count && !bad; i += BLOCK)
		for (size_t j = 0; j < BLOCK; j++)
			bad |= !(fabsf(value[i + j]) <= FLT_MAX);
	for (; i < count; i++)
		bad |= !(fabsf(value[i]) <= FLT_MAX);
	return bad != 0;
}

/* Replace values that are not finite by the ones before them. At the start, the first finite value is used. */
static int hold_finite(struct convert *c, const struct anim_track *track, struct anim_track *out,
		       struct anim_error *error)
{
	size_t size = anim_types[track->type].size, good = 0;
	uint8_t *values = anim_arena_zeroed(&c->scratch, track->n, size, error);

	if (values == NULL)
		return -1;
	while (good < track->n && !is_finite_value(track, good))
		good++;
	for (size_t k = 0; k < track->n && good < track->n; k++) {
		good = k > good && is_finite_value(track, k) ? k : good;
		memcpy(values + k * size, (const uint8_t *)track->value + good * size, size);
	}
	*out = *track;
	out->record = NULL;
	out->value = values;
	return anim_diagnostics_track(c->diagnostics, track, error,
				      "values that are not finite; the values before them are held");
}

/* Return the class in Godot of the node that a track animates, or NULL if it is unknown. unity: the class there. */
static const char *type_of(struct convert *c, const struct anim_track *t, const char *unity)
{
	const char *root = c->filter.clip.root;
	const struct anim_rest *own = anim_rests_find(&c->rests, root, t->node), *rest = own;
	bool flat = anim_attrs_get(&c->filter.clip.attrs, ANIM_ATTR_2D) != NULL;

	if (c->other_rests != NULL && (own == NULL || unity != NULL))
		rest = anim_rests_find_either(c->other_rests, NULL, root, t->node);
	else if (unity != NULL) /* its tree has the classes of Unity */
		rest = NULL;
	if (rest != NULL && *rest->type != '\0')
		return rest->type;
	if (unity != NULL && strcmp(unity, "108") == 0)
		return own != NULL && anim_text_is_word("SpotLight DirectionalLight", own->type) ? own->type
		       : anim_attrs_list(&c->filter.clip.attrs, ANIM_ATTR_SPOTS, t->node)        ? "SpotLight"
												 : "OmniLight";
	/* Only a sound in space has such distances, and Godot 3 has another name for its volume. */
	if (unity != NULL && strcmp(unity, "82") == 0 && !flat &&
	    anim_attrs_list(&c->filter.clip.attrs, ANIM_ATTR_SOUNDS, t->node))
		return "AudioStreamPlayer3D";
	if (unity != NULL && strcmp(unity, "212") == 0) /* a sprite's node becomes one of these */
		return flat || (own != NULL && (own->has & ANIM_HAS_2D)) ? "Sprite2D" : "Sprite3D";
	return rest == NULL                     ? NULL
	       : rest->kind == ANIM_NODE_CAMERA ? "Camera3D"
	       : rest->kind == ANIM_NODE_LIGHT  ? "OmniLight3D"
						: NULL;
}

/* Return the class of a Unity component, or ANIM_UNITY_GRAPHIC for an image or a text of the package UI. */
static const char *unity_class_of(const struct anim_track *t)
{
	/* Image, RawImage and Text. Before Unity 2019 one library had all of them. */
	static const char *const graphics[] = {"fe87c0e1cc204ed48ad3b37840f39efc", "1344c3c82d62a2a41a3576d8abb8e3ea",
					       "5f7201a12d95ffc409449d95f23cf332", "f70555f144d8491a825f0804e09c671c",
					       "f5f67c52d1564df4a8936ccd202a3bd8"};
	const char *class = anim_attrs_get(&t->attrs, "unity.class"),
		   *script = anim_attrs_get(&t->attrs, "unity.script");

	for (size_t i = 0; i < ANIM_COUNT(graphics) && script != NULL; i++)
		if (strstr(script, graphics[i]) != NULL)
			return ANIM_UNITY_GRAPHIC;
	return class;
}

/*
 * Give the track the name that its property has in the target's engine, and find the change of its numbers. A
 * property that the target does not have keeps its name, with a warning. Returns 0 or -1.
 */
static int name_in_target(struct convert *c, const struct anim_track *t, struct anim_track *out,
			  struct anim_error *error)
{
	enum anim_engine from = anim_engine_of(c->filter.clip.source);
	const char *unity = from == ANIM_ENGINE_UNITY ? unity_class_of(t) : NULL;
	struct anim_engine_property *p = &c->meaning;
	int changes;

	/* Readers without an engine, such as the one of .vmd, give the view angle of a camera the name that Godot has. */
	if (from == ANIM_ENGINE_OTHER && strcmp(t->property, "fov") == 0)
		from = ANIM_ENGINE_GODOT4;
	*out = *t;
	*p = (struct anim_engine_property){.property = t->property, .unity_class = unity};
	if (t->component != ANIM_WHOLE)
		p->letter = anim_component_name(t->property, t->component)[0];
	if (from == c->caps.engine || c->caps.engine == ANIM_ENGINE_OTHER || t->property[0] == '@')
		return 0;
	changes =
	    anim_engine_property(from, (enum anim_engine)c->caps.engine, type_of(c, t, unity), p, &c->scratch, error);
	if (changes <= 0)
		return changes;
	c->is_gone = p->gone;
	if (p->gone)
		return 0;
	if (t->type == ANIM_STRING)
		p->step = ANIM_STEP_KEEP;
	out->record = NULL;
	out->property = p->property;
	out->component = p->letter == '\0' ? ANIM_WHOLE : t->component;
	for (uint8_t i = 0; p->letter != '\0' && t->component == ANIM_WHOLE && i < 4; i++)
		if (anim_component_name(p->property, i)[0] == p->letter)
			out->component = i;
	if (t->flags & ANIM_DEGREES) /* Godot 3's controls have degrees alone */
		p->factor = 1;
	out->flags &= ~(unsigned)ANIM_DEGREES;
	if (unity == NULL && p->unity_class == NULL)
		return 0;
	return anim_attrs_with(&out->attrs, &t->attrs, "unity.class", p->unity_class, &c->scratch, error);
}

/*
 * Add a key with the rest value at the start of a discrete track of Godot, which leaves the property unchanged before
 * its first key. In other engines the first key also holds before it. Returns 0 or -1.
 */
static int start_at_rest(struct convert *c, const struct anim_track *t, struct anim_track *out,
			 struct anim_error *error)
{
	size_t size = anim_types[t->type].size;
	_Alignas(16) uint8_t rest[ANIM_VALUE_MAX];
	uint8_t *value;
	float *time;

	*out = *t;
	if (t->kind != ANIM_DISCRETE || t->n == 0 || (t->flags & ANIM_UNSORTED) || t->type == ANIM_STRING ||
	    !anim_rules_are_godot(t->rules) || anim_rules_are_godot(c->caps.rules) ||
	    !(t->time[0] > c->filter.clip.start_s) ||
	    (!anim_rest_recorded(t, rest) && !anim_rest_value(convert_rest(c, t->node), t, rest)))
		return 0;
	time = anim_arena_zeroed(&c->scratch, t->n + 1, sizeof *time, error);
	value = anim_arena_zeroed(&c->scratch, t->n + 1, size, error);
	if (time == NULL || value == NULL)
		return -1;
	time[0] = c->filter.clip.start_s;
	memcpy(time + 1, t->time, t->n * sizeof *time);
	memcpy(value, rest, size);
	memcpy(value + size, t->value, t->n * size);
	out->record = NULL;
	out->n++;
	out->time = time;
	out->value = value;
	return 0;
}

static int pass_track(struct convert *c, const struct anim_track *track, struct anim_error *error)
{
	struct anim_track named, sorted, finite, wide, started;
	char label[LABEL_MAX];
	const char *humanoid;

	if (start_at_rest(c, track, &started, error) != 0)
		return -1;
	track = &started;
	if (name_in_target(c, track, &named, error) != 0)
		return -1;
	/* exporters of FBX write curves of all settings of a camera or a light, animated or not */
	if (c->is_gone && anim_engine_of(c->filter.clip.source) == ANIM_ENGINE_FBX && anim_track_is_constant(track)) {
		c->is_gone = false;
		anim_diagnostics_leave_out(c->diagnostics);
		anim_track_label(track, label, sizeof label);
		return anim_diagnostics_note(c->diagnostics, "track", error,
					     "'%s': left out, because it never changes and the target does not have "
					     "the property",
					     label);
	}
	track = &named;
	humanoid = anim_attrs_get(&track->attrs, "unity.humanoid");
	c->foreign = !anim_rules_are_godot(track->rules);

	/*
	 * Warn once about the muscle curves of a clip: only the avatar knows which bones they move. A clip that moves bones may
	 * have root motion besides.
	 */
	if (c->caps.rules != ANIM_RULES_UNITY && humanoid != NULL && strcmp(humanoid, "muscle") != 0 &&
	    strcmp(humanoid, "tdof") != 0) {
		c->roots++;
	} else if (c->caps.rules != ANIM_RULES_UNITY && !c->reported_muscles && humanoid != NULL) {
		c->reported_muscles = true;
		if (anim_diagnostics_warn(c->diagnostics, "clip", error,
					  "muscle curves are not bones and move nothing; " ANIM_ADVICE(TO_MODEL)) != 0)
			return -1;
	}

	if ((c->caps.holds != NULL && !c->caps.holds(track)) || (c->caps.unchanged != NULL && c->caps.unchanged(track)))
		return anim_sink_track(c->filter.next, track, error);
	if (track->flags & ANIM_DISABLED & ~convert_flags(&c->caps, track))
		return leave_out(c, track, error);
	if (track->n == 0 && is_whole_part(c, track) && is_component(c, track))
		return leave_out(c, track, error);
	if (track->n == 0)
		return convert_put(c, track, error);

	/* Warn about tracks in the tree's space, because every player expects transforms relative to the parent. */
	if (!c->caps.midway && anim_track_is_placed(track) &&
	    anim_diagnostics_warn(c->diagnostics, "track", error,
				  "'%s %s': in the space of the tree's root, but players use the parent's", track->node,
				  track->property) != 0)
		return -1;

	/* Sort first, because all following steps search for keys by time. */
	bool held = (convert_flags(&c->caps, track) & ANIM_UNSORTED) && track->rules == c->caps.rules &&
		    !is_component(c, track);

	if ((track->flags & ANIM_UNSORTED) && !held && track->kind != ANIM_RAW) {
		if (anim_track_sort(track, &sorted, &c->scratch, c->diagnostics, error) != 0)
			return -1;
		track = &sorted;
	}

	if (must_be_finite(c, track)) {
		if (hold_finite(c, track, &finite, error) != 0)
			return -1;
		track = &finite;
	}
	if (is_component(c, track)) {
		/*
		 * Keep a component. If it can be converted alone, it first becomes a curve of the target with its own
		 * keys and handles, and these curves are merged later. This keeps most of its shape.
		 */
		static const struct anim_sink_ops ops = {.track = keep};
		struct component_keeper keeper = {.sink.ops = &ops, .convert = c};
		struct anim_sink *next = c->filter.next;
		int result;

		if (!is_independent(c, track))
			return anim_components_keep(&c->components, &c->filter.clip, track, error);
		c->filter.next = &keeper.sink;
		result = convert_whole(c, track, error);
		c->filter.next = next;
		return result;
	}
	return widen(c, track, &wide, error) != 0 ? -1 : convert_whole(c, &wide, error);
}

/* Pass a track on, and warn if the target keeps it but lacks its property. One that never changes is left out. */
static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct convert *c = (struct convert *)sink;
	size_t left_out = c->diagnostics->left_out;

	anim_arena_reset(&c->scratch);
	c->is_gone = false;
	if (pass_track(c, track, error) != 0)
		return -1;
	return !c->is_gone || c->diagnostics->left_out != left_out
		   ? 0
		   : anim_diagnostics_track(c->diagnostics, track, error,
					    "no effect, because the target does not have the property");
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct convert *c = (struct convert *)sink;

	if (finish_clip(c, error) != 0 || (c->other_rests != NULL && anim_rests_check(c->other_rests, error) != 0))
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct convert *c = (struct convert *)sink;

	anim_arena_clear(&c->scratch);
	anim_store_free(c->components);
	convert_keys_clear(&c->keys);
	anim_keys_clear(&c->steps);
	anim_buffer_clear(&c->breaks);
	anim_buffer_clear(&c->known);
	anim_buffer_clear(&c->samples);
	anim_texts_clear(&c->texts);
	anim_map_clear(&c->orders);
	anim_arena_clear(&c->order_names);
	anim_filter_free(sink);
}

struct anim_sink *anim_convert_new(const struct anim_caps *caps, double tol, bool strict,
				   struct anim_diagnostics *diagnostics, struct anim_sink *next,
				   struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct convert *c = anim_filter_new(sizeof *c, &ops, next, error);

	if (c == NULL)
		return NULL;
	c->filter.rests = &c->rests;
	c->caps = *caps;
	c->spare = CONVERT_SPARE;
	c->tol = tol;
	c->tol_deg = 100 * tol;
	c->strict = strict;
	c->diagnostics = diagnostics;
	return &c->filter.sink;
}

void anim_convert_use_degrees(struct anim_sink *sink, double tol_deg)
{
	((struct convert *)sink)->tol_deg = tol_deg;
	((struct convert *)sink)->asked = true;
}

void anim_convert_use_rests(struct anim_sink *sink, struct anim_rests *rests)
{
	((struct convert *)sink)->other_rests = rests;
}

int anim_convert_tracks(const struct anim_caps *caps, struct anim_diagnostics *diagnostics, struct anim_rests *rests,
			const struct anim_clip *clip, const void *tracks, size_t count, size_t size,
			struct anim_sink *next, struct anim_error *error)
{
	struct anim_sink *convert = anim_convert_new(caps, ANIM_TOLERANCE, false, diagnostics, next, error);
	int result;

	if (convert == NULL)
		return -1;
	anim_convert_use_rests(convert, rests);
	result = anim_sink_clip(convert, clip, error);
	for (size_t i = 0; i < count && result == 0; i++)
		result = anim_sink_track(
		    convert, (const struct anim_track *)(const void *)((const char *)tracks + i * size), error);
	if (result == 0)
		result = anim_sink_end(convert, error);
	anim_sink_free(convert);
	return result;
}
