/* choose.c: whether a track can stay as it is, and what it becomes where it cannot. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/convert/internal.h"
#include "math/basis.h"
#include "math/elementary.h"

#define UNITS (ANIM_REST_RELATIVE | ANIM_DEGREES | ANIM_PERCENT | ANIM_DISABLED | ANIM_UNSORTED)

/* Godot plays a track of its own again: nothing that it can hold is changed. */
static bool is_own(const struct anim_caps *caps, const struct anim_track *t)
{
	return t->rules == caps->rules && anim_rules_are_godot(caps->rules);
}

unsigned convert_flags(const struct anim_caps *caps, const struct anim_track *t)
{
	return caps->flags | (t->rules == caps->rules ? caps->own_flags : 0);
}

static bool is_bone(const struct convert *c, const struct anim_track *t)
{
	return anim_track_bone(c->clip.source, t) != NULL;
}

/* Of Euler or 2-D angles, whole or a component, of floats or doubles. */
static bool is_angle(const struct anim_track *t)
{
	return anim_type_is_real(t->type) && (strcmp(t->property, "euler") == 0 || strcmp(t->property, "angle") == 0);
}

/* Whole Euler or 2-D angles in a type that says so. */
static bool is_angles(const struct anim_track *t)
{
	return t->component == ANIM_WHOLE && is_angle(t) &&
	       anim_types[t->type].components == (t->property[0] == 'e' ? 3 : 1);
}

/* The order of Euler angles is the one that the node would turn by. */
static bool has_order(struct convert *c, const struct anim_track *t)
{
	const char *order = anim_attrs_get(&t->attrs, "order"), *own;
	const struct anim_rest *rest = c->caps.euler_yxz ? convert_rest(c, t->node) : NULL;

	if (!c->caps.euler_yxz)
		return true;
	own = rest == NULL || rest->rotation_order == NULL ? "YXZ" : rest->rotation_order;
	return strcmp(order == NULL ? "YXZ" : order, own) == 0;
}

/* Angles that can only be held as a rotation. */
static bool must_turn(struct convert *c, const struct anim_track *t)
{
	bool one_component = anim_types[t->type].components == 1;

	if (!is_angles(t))
		return false;
	if (anim_track_is_turned(t))
		return true;
	if (!(one_component ? c->caps.angle : c->caps.euler))
		return true;
	return !is_own(&c->caps, t) && ((c->caps.bones && is_bone(c, t)) || (!one_component && !has_order(c, t)));
}

static bool is_pose(const char *property)
{
	return strcmp(property, "position") == 0 || strcmp(property, "rotation") == 0 || strcmp(property, "scale") == 0;
}

bool convert_is_whole_part(const struct convert *c, const struct anim_track *t)
{
	const char *class = anim_attrs_get(&t->attrs, "unity.class");
	bool part = is_pose(t->property) || strcmp(t->property, "euler") == 0 || strcmp(t->property, "angle") == 0;

	return c->caps.whole_transforms && part && t->type != ANIM_STRING && anim_track_is_transform(t) &&
	       (class == NULL || strcmp(class, "224") != 0);
}

bool convert_stands_alone(const struct convert *c, const struct anim_track *t)
{
	return convert_is_whole_part(c, t) && strcmp(t->property, "rotation") != 0 &&
	       !(t->flags & ANIM_REST_RELATIVE) && c->caps.mixed_interps;
}

/* A component that stood alone in a file of the target's own goes back to where it stood. */
static bool stood_alone(const struct convert *c, const struct anim_track *t)
{
	return c->caps.components && t->rules == c->caps.rules && strcmp(c->clip.source, c->caps.format) == 0;
}

bool convert_is_component(const struct convert *c, const struct anim_track *t)
{
	if (t->component != ANIM_WHOLE && convert_is_whole_part(c, t))
		return !stood_alone(c, t);
	if (t->component == ANIM_WHOLE || !c->caps.components)
		return t->component != ANIM_WHOLE;
	if (is_own(&c->caps, t) || !anim_track_is_transform(t))
		return false;
	if (c->caps.bones && is_bone(c, t) && (is_pose(t->property) || strcmp(t->property, "euler") == 0))
		return true;
	return c->caps.joined_rotations && strcmp(t->property, "rotation") == 0;
}

static bool needs_rest(enum anim_step step)
{
	return step >= ANIM_STEP_REST_POSITION && step <= ANIM_STEP_RELATIVE_SCALE;
}

/* A bone's pose for a player that counts it from the rest. */
static bool must_be_relative(const struct convert *c, const struct anim_track *t)
{
	return c->caps.relative_bones && !is_own(&c->caps, t) && is_bone(c, t) && t->component == ANIM_WHOLE &&
	       is_pose(t->property) && !(t->flags & ANIM_REST_RELATIVE);
}

static bool has_type(const struct anim_caps *caps, enum anim_type type)
{
	return (caps->types >> type & 1) != 0;
}

/* The type of floats with as many components: what doubles are narrowed to, and whole numbers and switches counted in. */
static int floats_of(enum anim_type type)
{
	unsigned components = anim_types[type].components;

	if (type >= ANIM_DOUBLE && type <= ANIM_DOUBLEQ)
		return (int)(type - ANIM_DOUBLE + ANIM_FLOAT);
	if (type == ANIM_STRING || anim_type_is_real(type) || components > 4)
		return -1;
	return type == ANIM_COLOR32 ? (int)ANIM_COLOR : (int)(ANIM_FLOAT + components - 1);
}

int convert_type(const struct anim_caps *caps, enum anim_type type)
{
	int floats = floats_of(type);

	if (has_type(caps, type))
		return (int)type;
	return floats >= 0 && has_type(caps, (enum anim_type)floats) ? floats : -1;
}

/* Only Unity has a switch that is a curve: on from 0.5 up. */
static bool is_switch(const struct anim_caps *caps, const struct anim_track *t)
{
	return caps->rules != ANIM_RULES_UNITY && !is_own(caps, t) && strcmp(t->property, "visible") == 0 &&
	       t->component == ANIM_WHOLE && anim_type_is_real(t->type) && anim_types[t->type].components == 1 &&
	       has_type(caps, ANIM_BOOL);
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

/* All components of element k of a column of slopes. */
static bool is_finite(const struct anim_track *t, const void *column, size_t k)
{
	for (unsigned i = 0; i < anim_types[t->type].components; i++)
		if (!isfinite(anim_component(t->type, column, k, i)))
			return false;
	return true;
}

/* Times that rise, and slopes that are numbers where they count. */
static bool is_regular(const struct anim_track *t)
{
	for (size_t k = 0; k + 1 < t->n; k++) {
		if (!(t->time[k] < t->time[k + 1]))
			return false;
		if (t->left != NULL && anim_track_interp(t, k) == ANIM_HERMITE &&
		    !(is_finite(t, t->right, k) && is_finite(t, t->left, k + 1)))
			return false;
	}
	return true;
}

/* Players that make the same of all that has a meaning of its own in the stream, but for Linear rotations. */
static bool is_plain(enum anim_rules rules)
{
	return rules == ANIM_RULES_PLAIN || rules == ANIM_RULES_UNITY;
}

/* Ends that both players repeat alike. */
static bool repeats_alike(const struct convert *c, const struct anim_track *t)
{
	return c->caps.ends && is_plain(t->rules) && is_plain(c->caps.rules) && t->pre != ANIM_EXTRAPOLATION_NONE &&
	       t->post != ANIM_EXTRAPOLATION_NONE;
}

/* Keys inside the clip, and nothing but the outer keys' values beyond them. */
static bool has_plain_ends(const struct convert *c, const struct anim_track *t)
{
	float first = t->time[0], last = t->time[t->n - 1], start = c->clip.start_s, end = c->clip.end_s;
	bool loops = c->clip.loop != ANIM_LOOP_NONE;

	if (end <= start && !anim_rules_are_godot(t->rules))
		end = last;
	if ((first < start && !c->caps.negative_times) || last > end)
		return false;
	if (t->pre != ANIM_EXTRAPOLATION_HOLD || t->post != ANIM_EXTRAPOLATION_HOLD)
		return anim_rules_are_godot(t->rules) || repeats_alike(c, t);
	if (!anim_rules_are_godot(t->rules) && c->caps.rules == ANIM_RULES_GODOT3 && t->kind == ANIM_CURVE)
		return first <= start || loops;
	if (!anim_rules_are_godot(t->rules) || (first == start && last == end))
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

	for (unsigned i = 0; i < 8; i++) /* not through anim_component: on the way of every key */
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

/* Godot 3 does not blend planes. */
static bool is_held_plane(const struct anim_track *t)
{
	const char *variant = anim_attrs_get(&t->attrs, "godot.variant");

	return t->rules == ANIM_RULES_GODOT3 && variant != NULL && strcmp(variant, "Plane") == 0;
}

/* The target's player makes the same of Linear keys. */
static bool blends_alike(const struct convert *c, const struct anim_track *t)
{
	if (!anim_track_has_interp(t, ANIM_LINEAR))
		return true;
	if (is_held_plane(t))
		return false;
	if (!anim_type_is_real(t->type))
		return t->type != ANIM_STRING && anim_types[t->type].scalar != ANIM_SCALAR_BOOL &&
		       t->rules != ANIM_RULES_GODOT3 && c->caps.rules != ANIM_RULES_GODOT3;
	if (anim_types[t->type].matrix)
		return false;
	if (!anim_types[t->type].quaternion ||
	    anim_rules_blend_lanes(&c->clip, t->rules) == anim_rules_blend_lanes(&c->clip, c->caps.rules))
		return true;
	for (size_t k = 0; k + 1 < t->n; k++)
		if (anim_track_interp(t, k) == ANIM_LINEAR &&
		    !is_small_turn(t, k, CONVERT_MEASURED * c->tol * 100 * ANIM_PI / 180))
			return false;
	return true;
}

/* Both are Godot's, whose two versions play Bezier tracks alike. */
static bool is_bezier_of_godot(const struct convert *c, const struct anim_track *t)
{
	return anim_rules_are_godot(t->rules) && anim_rules_are_godot(c->caps.rules) && t->interp == ANIM_BEZIER_2D;
}

/* The target's player makes the same of the modes; those listed are curves of the player's, not the stream's. */
static bool plays_alike(const struct convert *c, const struct anim_track *t)
{
	static const enum anim_interp own[] = {ANIM_TANGENT, ANIM_BEZIER_2D, ANIM_WEIGHTED, ANIM_CUBIC_TIME,
					       ANIM_CUBIC_UNIFORM};

	if (is_bezier_of_godot(c, t))
		return true;
	for (size_t i = 0; i < sizeof own / sizeof *own && !(is_plain(t->rules) && is_plain(c->caps.rules)); i++)
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
		for (size_t i = 4 * k; i < 4 * k + 4; i++) /* not through anim_component: on the way of every sample */
			dot += t->type == ANIM_FLOATQ
				   ? (double)((const float *)t->value)[i - 4] * (double)((const float *)t->value)[i]
				   : ((const double *)t->value)[i - 4] * ((const double *)t->value)[i];
		if (dot < 0)
			return true;
	}
	return false;
}

static bool fits(struct convert *c, const struct anim_track *t)
{
	const struct anim_caps *caps = &c->caps;

	if (!(caps->kinds & 1u << t->kind) || !has_type(caps, t->type) || (t->flags & UNITS & ~convert_flags(caps, t)))
		return false;
	if (must_turn(c, t) || must_be_relative(c, t) || is_switch(caps, t))
		return false;
	if (t->kind == ANIM_RAW)
		return (caps->raw_start || t->n == 0 || t->start_s == (double)c->clip.start_s) && !has_flips(c, t);
	if (t->n == 0)
		return true;
	if (t->kind == ANIM_CURVE && (!has_modes(c, t) || (is_eased(t) && !caps->ease)))
		return false;
	if (caps->regular && !is_regular(t))
		return false;
	if (t->property[0] == '@' && anim_rules_are_godot(t->rules) && anim_rules_are_godot(caps->rules))
		return true;
	if (t->rules == caps->rules)
		return caps->ends || is_own(caps, t) || t->rules == ANIM_RULES_RESONITE || has_plain_ends(c, t);
	if (!has_plain_ends(c, t) ||
	    (anim_rules_are_godot(t->rules) && t->kind == ANIM_CURVE && anim_godot_refuses_some(t)))
		return false;
	return t->kind == ANIM_DISCRETE || t->n == 1 || plays_alike(c, t);
}

/* True where all keys are position, rotation and scale and no more: the matrix put together again is the same. */
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

/* Whole transforms of nodes: `transform`, and `basis` without an origin. */
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

unsigned convert_targets(struct convert *c, const struct anim_track *t, struct convert_target targets[3])
{
	enum anim_step from_rest = anim_step_from_rest(t->property, anim_types[t->type].components);
	int type = convert_type(&c->caps, t->type);
	bool one_component = anim_types[t->type].components == 1;

	targets[0] = (struct convert_target){t->property, t->type, ANIM_STEP_KEEP, false, false};
	if (anim_types[t->type].matrix && !has_type(&c->caps, t->type))
		return c->caps.matrices ? 0 : matrix_targets(c, t, targets);
	if (must_turn(c, t)) {
		targets[0] = (struct convert_target){"rotation", ANIM_FLOATQ,
						     one_component ? ANIM_STEP_ANGLE : ANIM_STEP_EULER, true, false};
		return has_type(&c->caps, ANIM_FLOATQ);
	}
	if (type < 0)
		return 0;
	targets[0].type = is_switch(&c->caps, t) ? ANIM_BOOL : (enum anim_type)type;
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

/* How curves of this track become Bezier2D tracks of its components: NEVER, ALWAYS, or AUTO: where the whole needs more keys. */
static enum anim_bezier split_mode(const struct convert *c, const struct anim_track *t,
				   const struct convert_target *target)
{
	const struct anim_type_info *type = &anim_types[t->type];
	bool color = strcmp(anim_component_name(t->property, 0), "r") == 0;

	if (!c->caps.components || !(c->caps.interps & 1u << ANIM_BEZIER_2D) || c->caps.mixed_interps)
		return ANIM_BEZIER_NEVER;
	if (t->component != ANIM_WHOLE || t->kind != ANIM_CURVE || !anim_type_is_real(t->type) || type->quaternion ||
	    type->components < 2 || type->components > 4 || color != (t->type == ANIM_COLOR))
		return ANIM_BEZIER_NEVER;
	if (target->step != ANIM_STEP_KEEP || (c->caps.bones && is_bone(c, t) && is_pose(t->property)) ||
	    !has_handles(t))
		return ANIM_BEZIER_NEVER;
	return c->caps.bezier;
}

/* ---- A whole track goes its way ---- */

int convert_leave_out(struct convert *c, const struct anim_track *t, struct anim_error *error)
{
	if (t->flags & ANIM_DISABLED)
		return anim_diagnostics_track(c->diagnostics, t, "disabled tracks are left out", error,
					      "is disabled and left out");
	if (t->n == 0)
		return anim_diagnostics_track(c->diagnostics, t, "tracks without keys are left out", error,
					      "has no keys and is left out");
	if (anim_types[t->type].matrix)
		return anim_diagnostics_track(
		    c->diagnostics, t, "tracks of matrices, which the target cannot hold, are left out", error,
		    "is %s, which %s cannot hold, and left out", anim_types[t->type].name, c->caps.format);
	return anim_diagnostics_track(c->diagnostics, t, "tracks of types that the target cannot hold are left out",
				      error, "is %s, which %s cannot hold, and left out", anim_types[t->type].name,
				      c->caps.format);
}

static int tell_rest(struct convert *c, const struct anim_track *t, struct anim_error *error)
{
	if (!(t->flags & ANIM_REST_RELATIVE))
		return anim_diagnostics_track(c->diagnostics, t,
					      "tracks of bones whose rests are not known stay absolute", error,
					      "is of a bone whose rest is not known; it stays absolute");
	return anim_diagnostics_track(
	    c->diagnostics, t,
	    "tracks are relative to rest poses that are not known; they stay relative; --rest FILE tells them", error,
	    "is relative to a rest pose that is not known; it stays relative; --rest FILE tells it");
}

int convert_prepare_rest(struct convert *c, struct anim_source *s, const struct anim_track *t,
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
	return tell_rest(c, t, error);
}

/* A track that fits. A transition that bends nothing is not passed on to a target that has none. */
static int pass_on(struct convert *c, const struct anim_track *track, struct anim_error *error)
{
	struct anim_track plain = *track;

	if (track->ease == NULL || c->caps.ease)
		return convert_put(c, track, error);
	plain.ease = NULL;
	plain.record = NULL;
	return convert_put(c, &plain, error);
}

/* The components of a track of 2 to 4 components, each on its own. */
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

int convert_whole(struct convert *c, const struct anim_track *track, struct anim_error *error)
{
	struct convert_target targets[3];
	enum anim_bezier split;
	unsigned count;
	int result;

	if (fits(c, track))
		return pass_on(c, track, error);
	count = convert_targets(c, track, targets);
	if (count == 0)
		return convert_leave_out(c, track, error);
	split = split_mode(c, track, &targets[0]);
	if (split == ANIM_BEZIER_ALWAYS)
		return split_components(c, track, error);
	targets[0].rigid = split == ANIM_BEZIER_AUTO;
	for (unsigned i = 0; i < count; i++) {
		struct anim_source source = {
		    .clip = &c->clip,
		    .tracks = {track},
		    .count = 1,
		    .order = (enum anim_euler_order)anim_track_order(track),
		    .radians = is_angle(track) && (targets[i].became_rotation || !(c->caps.flags & ANIM_DEGREES)),
		    .fraction = !(c->caps.flags & ANIM_PERCENT),
		    .unit_length = anim_types[targets[i].type].quaternion && track->rules == ANIM_RULES_GODOT3,
		    .bytes = track->type == ANIM_COLOR32 && targets[i].type == ANIM_COLOR};

		if (convert_prepare_rest(c, &source, track, &targets[i], error) != 0)
			return -1;
		result = convert_track(c, &source, track, &targets[i], error);
		if (result != 0)
			return result < 0 ? -1 : split_components(c, track, error);
	}
	return 0;
}
