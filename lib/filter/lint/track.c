/* track.c: problems of a track: for any player, and data that one engine does not support, bind or play as intended. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/lint/internal.h"
#include "math/elementary.h"
#include "math/quaternion.h"

void lint_count_detail(struct lint_tallies *tallies, enum lint_kind kind, size_t key, const char *detail, ...)
{
	struct lint_tally *tally = &tallies->of[kind];
	va_list args;

	if (tally->count++ > 0)
		return;
	tally->key = key;
	va_start(args, detail);
	vsnprintf(tally->detail, sizeof tally->detail, detail, args);
	va_end(args);
}

static void count(struct lint_tallies *tallies, enum lint_kind kind, size_t key)
{
	lint_count_detail(tallies, kind, key, "%s", "");
}

/* --- Problems of keys for any player --- */

#define UNIT_TOLERANCE 1e-3 /* of |q|^2 */
#define STEP_TOLERANCE 1e-3 /* of a sample's step, because times and lengths are rounded independently */

static void check_times(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies)
{
	/* A clip of length 0 with later keys is one finding, not one for each key. */
	bool has_end = clip->end_s > clip->start_s;

	for (size_t k = 0; k < track->n; k++) {
		float time_s = track->time[k];

		if (!isfinite(time_s)) {
			count(tallies, LINT_TIME_NOT_FINITE, k);
			continue;
		}
		if (k > 0 && time_s < track->time[k - 1])
			count(tallies, LINT_TIMES_UNSORTED, k);
		if (k > 0 && time_s == track->time[k - 1])
			count(tallies, LINT_TIMES_EQUAL, k);
		if (time_s < clip->start_s)
			count(tallies, LINT_BEFORE_START, k);
		if (has_end && time_s > clip->end_s)
			count(tallies, LINT_PAST_END, k);
	}
}

/* The first sample at or past the clip's end is needed to play up to the end. Only samples after it are too many. */
static void check_samples(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies)
{
	double step_s = track->n > 1 ? anim_track_time(track, 1) - anim_track_time(track, 0) : 0;
	double slack_s = step_s * STEP_TOLERANCE, start_s = (double)clip->start_s, end_s = (double)clip->end_s;
	bool has_end = end_s > start_s;

	if (track->rate_num == 0 && track->step_s == 0) {
		count(tallies, LINT_NO_INTERVAL, LINT_NO_KEY);
		return;
	}
	for (size_t k = 0; k < track->n; k++) {
		if (anim_track_time(track, k) < start_s - slack_s)
			count(tallies, LINT_BEFORE_START, k);
		if (has_end && k > 0 && anim_track_time(track, k - 1) > end_s - slack_s)
			count(tallies, LINT_PAST_END, k);
	}
}

static bool is_finite(const struct anim_track *track, const void *column, size_t k)
{
	size_t components = anim_types[track->type].components;
	bool doubles = anim_types[track->type].scalar == ANIM_SCALAR_F64;

	for (size_t i = k * components; i < (k + 1) * components; i++)
		if (doubles ? !isfinite(((const double *)column)[i]) : !isfinite(((const float *)column)[i]))
			return false;
	return true;
}

static bool is_finite_handle(const struct anim_track *track, const float *column, size_t k)
{
	size_t components = anim_types[track->type].components;

	for (size_t i = k * components; column != NULL && i < (k + 1) * components; i++)
		if (!isfinite(column[i]))
			return false;
	return true;
}

/* Slopes of Hermite and Weighted may be infinite or not a number: such segments step. */
static bool needs_finite_tangents(enum anim_interp interp)
{
	return interp == ANIM_TANGENT || interp == ANIM_CUBIC_BEZIER || interp == ANIM_BEZIER_2D;
}

/* Return whether the sides of its two keys that segment k uses are finite. */
static bool segment_is_finite(const struct anim_track *track, size_t k)
{
	enum anim_interp interp = anim_track_interp(track, k);

	if (track->ease != NULL && interp != ANIM_HOLD && !isfinite(track->ease[k]))
		return false;
	if (track->right != NULL && needs_finite_tangents(interp) &&
	    (!is_finite(track, track->right, k) || !is_finite(track, track->left, k + 1)))
		return false;
	return (interp != ANIM_WEIGHTED && interp != ANIM_BEZIER_2D) ||
	       (is_finite_handle(track, track->right_x, k) && is_finite_handle(track, track->left_x, k + 1));
}

static double quaternion_dot(const struct anim_track *track, size_t a, size_t b)
{
	bool doubles = anim_types[track->type].scalar == ANIM_SCALAR_F64;
	double sum = 0;

	for (size_t i = 0; i < 4; i++) {
		if (doubles)
			sum += ((const double *)track->value)[4 * a + i] * ((const double *)track->value)[4 * b + i];
		else
			sum += (double)((const float *)track->value)[4 * a + i] *
			       (double)((const float *)track->value)[4 * b + i];
	}
	return sum;
}

static void check_tangents(const struct anim_track *track, struct lint_tallies *tallies)
{
	if (!anim_track_has_interp(track, ANIM_TANGENT))
		return;
	for (size_t k = 0; k < track->n; k++)
		if (anim_track_interp(track, k) == ANIM_TANGENT)
			count(tallies, LINT_TANGENT, k);
}

/* An infinite slope on either side makes a component step (Unity). If all components step, nothing rotates. */
static bool segment_steps(const struct anim_track *track, size_t k)
{
	enum anim_interp interp = anim_track_interp(track, k);
	bool steps = interp == ANIM_HERMITE || interp == ANIM_WEIGHTED;

	for (unsigned i = 0; i < anim_types[track->type].components && steps; i++)
		steps = isinf(anim_component(track->type, track->right, k, i)) ||
			isinf(anim_component(track->type, track->left, k + 1, i));
	return steps || interp == ANIM_HOLD;
}

/* Count a rotation the long way: "at 0.5 s, by 340 degrees instead of 20: " */
static void count_turn(const struct anim_track *track, size_t k, struct lint_tallies *tallies)
{
	char time[ANIM_NUMBER_MAX + 1], far[ANIM_NUMBER_MAX + 1], near[ANIM_NUMBER_MAX + 1];
	float a[4], b[4];
	double degrees;

	if (tallies->of[LINT_QUATERNION_LONG_WAY].count > 0) {
		count(tallies, LINT_QUATERNION_LONG_WAY, k);
		return;
	}
	for (unsigned i = 0; i < 4; i++) {
		a[i] = (float)anim_component(track->type, track->value, k - 1, i);
		b[i] = (float)anim_component(track->type, track->value, k, i);
	}
	degrees = anim_round(anim_quat_angle(a, b) * (180 / ANIM_PI) * 10) / 10;
	time[anim_number_print_float(time, (float)anim_track_time(track, k))] = '\0';
	far[anim_number_print_float(far, (float)(360 - degrees))] = '\0';
	near[anim_number_print_float(near, (float)degrees)] = '\0';
	lint_count_detail(tallies, LINT_QUATERNION_LONG_WAY, k, "at %s s, by %s degrees instead of %s: ", time, far,
			  near);
}

static void check_keys(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies)
{
	if (track->n == 0) {
		count(tallies, LINT_NO_KEYS, LINT_NO_KEY);
		return;
	}
	if (track->kind == ANIM_RAW)
		check_samples(track, clip, tallies);
	else
		check_times(track, clip, tallies);
	for (size_t k = 0; anim_type_is_real(track->type) && k < track->n; k++)
		if (!is_finite(track, track->value, k))
			count(tallies, LINT_VALUE_NOT_FINITE, k);
	for (size_t k = 0; track->kind == ANIM_CURVE && k + 1 < track->n; k++)
		if (!segment_is_finite(track, k))
			count(tallies, LINT_TANGENT_NOT_FINITE, k);
	if (anim_types[track->type].quaternion) {
		for (size_t k = 0; k < track->n; k++) {
			double length = quaternion_dot(track, k, k);

			if (isfinite(length) && fabs(length - 1) > UNIT_TOLERANCE)
				count(tallies, LINT_QUATERNION_NOT_UNIT, k);
		}
		/*
		 * If a rotation's player interpolates each component, two signs of one rotation are far apart. For
		 * other players the signs have no meaning, and writers set them correctly.
		 */
		for (size_t k = 0; track->kind != ANIM_DISCRETE && k + 1 < track->n; k++)
			if (quaternion_dot(track, k, k + 1) < 0 && anim_segment_blends_lanes(clip, track, k) &&
			    !segment_steps(track, k))
				count_turn(track, k + 1, tallies);
	}
	if (track->kind == ANIM_CURVE)
		check_tangents(track, tallies);
}

/* --- Checks for several engines --- */

/* A property of the model in an engine. */
struct field {
	const char *property;
	enum anim_type type, other; /* both are accepted */
};
#define FIELDS 6 /* largest number of fields; a NULL property ends a shorter list */

/* Return the field that the track animates, or NULL. */
static const struct field *find_field(const struct field fields[FIELDS], const struct anim_track *track)
{
	for (size_t i = 0; i < FIELDS && fields[i].property != NULL; i++)
		if (strcmp(fields[i].property, track->property) == 0)
			return &fields[i];
	return NULL;
}

/* --- Data that Godot 4 does not support or find, or plays differently than intended --- */

#define JUMP_S 1e-5 /* Godot treats keys this near as one; at a jump between them, handles have no meaning */

/* The fields of the model that Godot has, and the types that they accept. */
static const struct field godot_fields[FIELDS] = {
    {"position", ANIM_FLOAT3, ANIM_FLOAT2}, {"rotation", ANIM_FLOATQ, ANIM_FLOATQ}, {"scale", ANIM_FLOAT3, ANIM_FLOAT2},
    {"euler", ANIM_FLOAT3, ANIM_FLOAT3},    {"angle", ANIM_FLOAT, ANIM_DOUBLE},     {"visible", ANIM_BOOL, ANIM_BOOL},
};

static void godot_check_field(const struct anim_track *track, struct lint_tallies *tallies)
{
	const struct field *field = find_field(godot_fields, track);

	if (!anim_rules_are_godot(track->rules) || field == NULL || track->component != ANIM_WHOLE ||
	    track->type == field->type || track->type == field->other)
		return;
	lint_count_detail(tallies, LINT_FIELD_TYPE, LINT_NO_KEY, "it is %s, but Godot's property is %s",
			  anim_types[track->type].name, anim_types[field->type].name);
}

/*
 * Return whether the property ends with a component, as in "scale.x", which Godot writes ":scale:x". A name may contain
 * a point elsewhere: "script.gd".
 */
static bool names_component(const char *property)
{
	const char *point = strrchr(property, '.');

	return point != NULL && point > property && point[1] != '\0' && point[2] == '\0' &&
	       strchr("xyzwrgba", point[1]) != NULL;
}

static void find_path(struct lint_tallies *tallies, const char *why)
{
	lint_count_detail(tallies, LINT_PATH, LINT_NO_KEY, "its path never resolves: %s", why);
}

/* Check the path of Godot's own track. Only node names in it may contain the ':' that separates its parts. */
static void check_path(const struct anim_track *track, struct lint_tallies *tallies)
{
	bool shape = strncmp(track->property, "blend_shape/", 12) == 0;

	if (track->property[0] == '@' || !anim_rules_are_godot(track->rules))
		return;
	if (track->component == ANIM_WHOLE && !shape && names_component(track->property))
		find_path(tallies, "Godot separates a component with a colon, as in ':scale:x'");
	else if (shape && strchr(track->property, ':') != NULL)
		find_path(tallies, "Godot splits a path at a ':' in a name");
}

static void check_godot(const struct anim_track *track, struct lint_tallies *tallies)
{
	check_path(track, tallies);
	godot_check_field(track, tallies);
	for (size_t k = 0; track->interp == ANIM_BEZIER_2D && k + 1 < track->n; k++) {
		/* With handles beyond segment k a time may have several values, of which the player uses one. */
		double duration = (double)track->time[k + 1] - (double)track->time[k];
		double right = (double)track->right_x[k], left = (double)track->left_x[k + 1];

		if (duration > JUMP_S * fmax(1, fabs((double)track->time[k])) &&
		    (right > duration || right < 0 || left < -duration || left > 0))
			count(tallies, LINT_HANDLE, k);
	}
}

static int check_godot_bone(struct lint_names *nodes, const struct anim_clip *clip, const struct anim_track *track,
			    struct anim_arena *arena, struct lint_tallies *tallies, struct anim_error *error)
{
	const char *parts[LINT_NAME_PARTS] = {NULL, "", "", "", ""};
	struct anim_error none = {0};
	char *path, *colon;
	int has;

	if (!(clip->flags & ANIM_IN_TREE) || strchr(track->node, ':') == NULL)
		return 0;
	path = anim_tree_path(clip->root, track->node, arena, &none);
	if (path == NULL)
		return none.code == ANIM_NO_MEMORY ? anim_fail_memory(error) : 0;
	parts[0] = path;
	has = lint_names_has(nodes, parts, error);
	colon = strrchr(path, ':');
	if (has != 0 || colon == NULL)
		return has < 0 ? -1 : 0;
	*colon = '\0';
	parts[1] = "bones";
	has = lint_names_has(nodes, parts, error);
	parts[1] = "part";
	if (has == 1 && (has = 1 - lint_names_has(nodes, parts, error)) == 1)
		count(tallies, LINT_BONE, LINT_NO_KEY);
	return has < 0 || has > 1 ? -1 : 0;
}

/* --- Data that Unity does not support or bind, or plays differently than intended --- */

/* Weighted bits of a key. */
#define WEIGHTED_LEFT 1u
#define WEIGHTED_RIGHT 2u

static bool is_attr(const struct anim_track *track, const char *key, const char *value)
{
	const char *found = anim_attrs_get(&track->attrs, key);

	return found != NULL && strcmp(found, value) == 0;
}

/* The properties of the model that Unity has, with the type of the complete field. */
static const struct field unity_fields[FIELDS] = {
    {"position", ANIM_FLOAT3, ANIM_FLOAT3}, {"rotation", ANIM_FLOATQ, ANIM_FLOATQ}, {"euler", ANIM_FLOAT3, ANIM_FLOAT3},
    {"scale", ANIM_FLOAT3, ANIM_FLOAT3},    {"visible", ANIM_FLOAT, ANIM_FLOAT},    {"angle", ANIM_FLOAT, ANIM_FLOAT},
};

/*
 * Return whether Unity can bind the track: a script's field if the script is known, a component's field if its class is
 * known.
 */
static bool is_bound(const struct anim_track *track)
{
	bool shape = strncmp(track->property, "blend_shape/", 12) == 0 && track->component == ANIM_WHOLE;
	bool known = shape || find_field(unity_fields, track) != NULL;

	if (is_attr(track, "unity.class", "114"))
		return anim_attrs_get(&track->attrs, "unity.script") != NULL;
	return known || anim_attrs_get(&track->attrs, "unity.class") != NULL || strcmp(track->property, "@event") == 0;
}

static bool has_nan(const struct anim_track *track, const void *column, size_t k)
{
	for (unsigned i = 0; i < anim_types[track->type].components; i++)
		if (isnan(anim_component(track->type, column, k, i)))
			return true;
	return false;
}

/* Return whether all weights of one side of a key are within 0..1, if that side is weighted. */
static bool weights_fit(const struct anim_track *track, const float *column, unsigned bit, size_t k)
{
	size_t components = anim_types[track->type].components;

	if (column == NULL || track->weighted == NULL || !(track->weighted[k] & bit))
		return true;
	for (size_t i = k * components; i < (k + 1) * components; i++)
		if (!(column[i] >= 0 && column[i] <= 1))
			return false;
	return true;
}

/* Check the sides of its two keys that segment k uses. */
static void check_segment(const struct anim_track *track, size_t k, struct lint_tallies *tallies)
{
	enum anim_interp interp = anim_track_interp(track, k);

	if (interp != ANIM_HERMITE && interp != ANIM_WEIGHTED)
		return;
	if (has_nan(track, track->right, k) || has_nan(track, track->left, k + 1))
		count(tallies, LINT_TANGENT_NOT_FINITE, k);
	if (interp == ANIM_WEIGHTED && (!weights_fit(track, track->right_x, WEIGHTED_RIGHT, k) ||
					!weights_fit(track, track->left_x, WEIGHTED_LEFT, k + 1)))
		count(tallies, LINT_WEIGHT, k);
}

static void check_unity(const struct anim_track *track, struct lint_tallies *tallies)
{
	if (track->rules != ANIM_RULES_UNITY)
		return;
	if (!is_bound(track))
		lint_count_detail(tallies, LINT_UNBOUND, LINT_NO_KEY,
				  "Unity has no property with this name, and the component that has it is unknown");
	for (size_t k = 0; track->kind == ANIM_CURVE && k + 1 < track->n; k++)
		check_segment(track, k, tallies);
}

/* --- Tracks that Resonite would not bind --- */

/* The conversion makes whole values of the right types from tracks of other engines, so only Resonite's own have wrong ones. */
static void check_resonite(const struct anim_track *track, struct lint_tallies *tallies)
{
	int type = anim_resonite_field_type(track->property);
	bool whole = track->component == ANIM_WHOLE;

	if (type < 0)
		lint_count_detail(tallies, LINT_UNBOUND, LINT_NO_KEY, "%s",
				  anim_resonite_unbound(track->property, track->type, track->component));
	else if (track->rules == ANIM_RULES_RESONITE && (!whole || (int)track->type != type))
		lint_count_detail(tallies, LINT_FIELD_TYPE, LINT_NO_KEY, "it is %s, but Resonite's field is %s",
				  whole ? anim_types[track->type].name : "one component", anim_types[type].name);
}

/* --- Curves that importers of glTF drop --- */

static void check_gltf(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies)
{
	if (strcmp(clip->source, "gltf") == 0 && anim_types[track->type].quaternion &&
	    anim_track_has_interp(track, ANIM_HERMITE))
		count(tallies, LINT_TANGENTS_DROPPED, LINT_NO_KEY);
}

int lint_track(enum anim_lint_target target, const struct anim_track *track, const struct anim_clip *clip,
	       struct lint_names *nodes, struct lint_tallies *tallies, struct anim_arena *arena,
	       struct anim_error *error)
{
	check_keys(track, clip, tallies);
	switch (target) {
	case ANIM_LINT_UNITY:
		check_unity(track, tallies);
		return 0;
	case ANIM_LINT_GODOT:
		check_godot(track, tallies);
		return check_godot_bone(nodes, clip, track, arena, tallies, error);
	case ANIM_LINT_GLTF:
		check_gltf(track, clip, tallies);
		return 0;
	case ANIM_LINT_RESONITE:
		if (track->n > 0 && !(track->flags & ANIM_DISABLED))
			check_resonite(track, tallies);
		return 0;
	default:
		return 0;
	}
}
