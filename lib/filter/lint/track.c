/* track.c: what is wrong with a track for any player; what an engine cannot hold, find or bind, or plays otherwise. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/engine_names.h"
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

/* --- What any player would stumble over in a track's keys --- */

#define UNIT_TOLERANCE 1e-3 /* of |q|^2 */
#define STEP_TOLERANCE 1e-3 /* of a sample's step: times and lengths are rounded apart from each other */

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

/* The first sample at or past the clip's end is needed to play up to the end: only those behind it are too many. */
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

/* The slopes of Hermite and Weighted may be infinite or no number: they step. */
static bool needs_finite_tangents(enum anim_interp interp)
{
	return interp == ANIM_TANGENT || interp == ANIM_CUBIC_BEZIER || interp == ANIM_BEZIER_2D;
}

/* Whether the side that segment k uses of its two keys is finite. */
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

/* Infinite slopes on either side step a component (Unity); where all do, nothing turns. */
static bool segment_steps(const struct anim_track *track, size_t k)
{
	enum anim_interp interp = anim_track_interp(track, k);
	bool steps = interp == ANIM_HERMITE || interp == ANIM_WEIGHTED;

	for (unsigned i = 0; i < anim_types[track->type].components && steps; i++)
		steps = isinf(anim_component(track->type, track->right, k, i)) ||
			isinf(anim_component(track->type, track->left, k + 1, i));
	return steps || interp == ANIM_HOLD;
}

/* "at 0.5 s, by 340 degrees instead of 20: " */
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
		 * Rotations that their own player interpolates lane by lane: two signs of one rotation are far apart. Of others the signs mean
		 * nothing, and writers set them right.
		 */
		for (size_t k = 0; track->kind != ANIM_DISCRETE && k + 1 < track->n; k++)
			if (quaternion_dot(track, k, k + 1) < 0 && anim_segment_blends_lanes(clip, track, k) &&
			    !segment_steps(track, k))
				count_turn(track, k + 1, tallies);
	}
	if (track->kind == ANIM_CURVE)
		check_tangents(track, tallies);
}

/* --- What all of them are asked --- */

/* Keys of other modes than `has` (1u << mode); unless the engine `eases`, none may have a transition of its own either. */
static void check_modes(const struct anim_track *track, unsigned has, bool eases, struct lint_tallies *tallies)
{
	for (size_t k = 0; track->kind == ANIM_CURVE && k < track->n; k++) {
		enum anim_interp interp = anim_track_interp(track, k);

		if (!(has >> interp & 1))
			lint_count_detail(tallies, LINT_MODE, k, "%s", anim_interp_names[interp]);
		if (!eases && track->ease != NULL && interp != ANIM_HOLD && track->ease[k] != 1 && k + 1 < track->n)
			count(tallies, LINT_EASE, k);
	}
}

static void check_range(const struct anim_track *track, struct lint_tallies *tallies)
{
	unsigned components = anim_types[track->type].components;

	for (size_t k = 0; anim_types[track->type].scalar == ANIM_SCALAR_F64 && k < track->n; k++)
		for (unsigned i = 0; i < components; i++) {
			double value = fabs(anim_component(track->type, track->value, k, i));

			if (isfinite(value) && value > (double)FLT_MAX)
				count(tallies, LINT_VALUE_RANGE, k);
		}
}

/* A property of the model as an engine has it. */
struct field {
	const char *property;
	enum anim_type type, other; /* either fits */
};
#define FIELDS 6 /* at most; NULL behind the last */

/* The one that the track drives, NULL where it is none. */
static const struct field *find_field(const struct field fields[FIELDS], const struct anim_track *track)
{
	for (size_t i = 0; i < FIELDS && fields[i].property != NULL; i++)
		if (strcmp(fields[i].property, track->property) == 0)
			return &fields[i];
	return NULL;
}

/* --- What Godot 4 cannot hold or find, or plays otherwise than it is meant --- */

#define GODOT_MODES                                                                           \
	(1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_BEZIER_2D | 1u << ANIM_CUBIC_TIME | \
	 1u << ANIM_LINEAR_ANGLE | 1u << ANIM_CUBIC_ANGLE)
#define JUMP_S 1e-5 /* Godot finds keys this near as one; where they jump, handles mean nothing */

/* The fields of the model that Godot has, and the types that they take. */
static const struct field godot_fields[FIELDS] = {
    {"position", ANIM_FLOAT3, ANIM_FLOAT2}, {"rotation", ANIM_FLOATQ, ANIM_FLOATQ}, {"scale", ANIM_FLOAT3, ANIM_FLOAT2},
    {"euler", ANIM_FLOAT3, ANIM_FLOAT3},    {"angle", ANIM_FLOAT, ANIM_DOUBLE},     {"visible", ANIM_BOOL, ANIM_BOOL},
};

static void godot_check_field(const struct anim_track *track, struct lint_tallies *tallies)
{
	const struct field *field = find_field(godot_fields, track);

	if (field == NULL || track->component != ANIM_WHOLE || track->type == field->type ||
	    track->type == field->other)
		return;
	lint_count_detail(tallies, LINT_FIELD_TYPE, LINT_NO_KEY, "it is %s, Godot's property is %s",
			  anim_types[track->type].name, anim_types[field->type].name);
}

/* What no value of Godot's holds: whole numbers of 64 bits without sign, doubles and switches side by side ... */
static bool has_value(enum anim_type type)
{
	const struct anim_type_info *info = &anim_types[type];

	if (type == ANIM_ULONG || type == ANIM_FLOAT2X2 || type == ANIM_COLOR32)
		return false;
	if (info->components == 1 || type == ANIM_STRING)
		return true;
	return info->scalar == ANIM_SCALAR_F32 || type == ANIM_INT2 || type == ANIM_INT3 || type == ANIM_INT4;
}

/* "scale.x": a component is reached as ":scale:x". Names may hold a point elsewhere: "script.gd". */
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

/* Godot finds its own properties; of others those that it has, too. Only its own may hold the ':' that parts a path. */
static void check_path(const struct anim_track *track, struct lint_tallies *tallies)
{
	bool shape = strncmp(track->property, "blend_shape/", 12) == 0;

	if (track->property[0] == '@')
		return;
	if (track->component == ANIM_WHOLE && !shape && anim_rules_are_godot(track->rules) &&
	    names_component(track->property))
		find_path(tallies, "Godot reaches a lane by a colon, as in ':scale:x'");
	else if ((shape || !anim_rules_are_godot(track->rules)) && strchr(track->property, ':') != NULL)
		find_path(tallies, "in Godot a ':' in a name parts the path");
	else if (!anim_rules_are_godot(track->rules) && !shape && find_field(godot_fields, track) == NULL)
		count(tallies, LINT_UNBOUND, LINT_NO_KEY);
}

static void check_godot(const struct anim_track *track, struct lint_tallies *tallies)
{
	if (!has_value(track->type))
		lint_count_detail(tallies, LINT_TYPE, LINT_NO_KEY, "%s", anim_types[track->type].name);
	check_path(track, tallies);
	godot_check_field(track, tallies);
	check_modes(track, GODOT_MODES, true, tallies);
	for (size_t k = 0; track->interp == ANIM_BEZIER_2D && k + 1 < track->n; k++) {
		/* Handles of segment k: a time may have several values, of which the player takes one. */
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

/* --- What Unity cannot hold or bind, or plays otherwise than it is meant --- */

#define UNITY_MODES (1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE | 1u << ANIM_WEIGHTED)

/* Weighted bits of a key. */
#define WEIGHTED_LEFT 1u
#define WEIGHTED_RIGHT 2u

static bool is_attr(const struct anim_track *track, const char *key, const char *value)
{
	const char *found = anim_attrs_get(&track->attrs, key);

	return found != NULL && strcmp(found, value) == 0;
}

/* The properties of the model that Unity has; the type of a whole one's field. */
static const struct field unity_fields[FIELDS] = {
    {"position", ANIM_FLOAT3, ANIM_FLOAT3}, {"rotation", ANIM_FLOATQ, ANIM_FLOATQ}, {"euler", ANIM_FLOAT3, ANIM_FLOAT3},
    {"scale", ANIM_FLOAT3, ANIM_FLOAT3},    {"visible", ANIM_FLOAT, ANIM_FLOAT},    {"angle", ANIM_FLOAT, ANIM_FLOAT},
};

/* A script's field is bound where the script is known, a component's where its class is. */
static bool is_bound(const struct anim_track *track)
{
	bool shape = strncmp(track->property, "blend_shape/", 12) == 0 && track->component == ANIM_WHOLE;
	bool known = shape || find_field(unity_fields, track) != NULL;

	if (is_attr(track, "unity.class", "114"))
		return anim_attrs_get(&track->attrs, "unity.script") != NULL;
	return known || anim_attrs_get(&track->attrs, "unity.class") != NULL || strcmp(track->property, "@event") == 0;
}

/* Numbers are written as floats whatever they are; of texts only references to assets and events have a place. */
static void check_type(const struct anim_track *track, struct lint_tallies *tallies)
{
	bool text =
	    track->type == ANIM_STRING && !is_attr(track, "literal", "PPtr") && strcmp(track->property, "@event") != 0;

	if (!text && !anim_types[track->type].matrix)
		return;
	lint_count_detail(tallies, LINT_TYPE, LINT_NO_KEY, "%s", anim_types[track->type].name);
}

/* Parts of a transform have all their components; what is one number may be of any type. Its own are as they were. */
static void unity_check_field(const struct anim_track *track, struct lint_tallies *tallies)
{
	const struct field *field = find_field(unity_fields, track);
	bool component = track->component != ANIM_WHOLE;
	enum anim_type type = field != NULL ? field->type : track->type;

	if (!anim_track_is_transform(track) || (component && track->rules == ANIM_RULES_UNITY) ||
	    (!component && track->type == type) || anim_types[type].components == anim_types[track->type].components)
		return;
	lint_count_detail(tallies, LINT_FIELD_TYPE, LINT_NO_KEY, "it is %s, Unity's field is %s",
			  component ? "one lane" : anim_types[track->type].name, anim_types[type].name);
}

static bool has_nan(const struct anim_track *track, const void *column, size_t k)
{
	for (unsigned i = 0; i < anim_types[track->type].components; i++)
		if (isnan(anim_component(track->type, column, k, i)))
			return true;
	return false;
}

/* Whether the weights of one side of a key, where it is weighted on that side, are all within 0..1. */
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

/* The sides of its two keys that segment k uses. */
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
	if (!is_bound(track))
		count(tallies, LINT_UNBOUND, LINT_NO_KEY);
	check_type(track, tallies);
	unity_check_field(track, tallies);
	check_modes(track, UNITY_MODES, false, tallies);
	for (size_t k = 0; track->kind == ANIM_CURVE && k + 1 < track->n; k++)
		check_segment(track, k, tallies);
	check_range(track, tallies);
}

/* --- What Resonite cannot hold, or plays otherwise than it is meant --- */

#define RESONITE_MODES (1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_TANGENT | 1u << ANIM_CUBIC_BEZIER)

/*
 * The type of the field that Resonite would bind the track to, or -1. The readers of its own formats leave the field's
 * name as it is where the type is not the field's.
 */
static int field_type(const struct anim_track *track, struct anim_arena *arena, struct anim_error *error)
{
	static const enum anim_type types[] = {ANIM_FLOAT3, ANIM_FLOATQ, ANIM_BOOL, ANIM_FLOAT};
	int type = anim_resonite_property_type(track->property);

	for (size_t i = 0; i < sizeof types / sizeof *types && type < 0; i++) {
		const char *model = anim_resonite_property_read(track->property, types[i], arena, error);

		if (model == NULL)
			return -2;
		if (anim_resonite_property_type(model) == (int)types[i])
			type = (int)types[i];
	}
	return type;
}

static int resonite_check_field(const struct anim_track *track, struct lint_tallies *tallies, struct anim_arena *arena,
				struct anim_error *error)
{
	int type = field_type(track, arena, error);
	bool whole = track->component == ANIM_WHOLE;

	if (type < -1)
		return -1;
	if (type < 0 || (whole && (int)track->type == type))
		return 0;
	lint_count_detail(tallies, LINT_FIELD_TYPE, LINT_NO_KEY, "it is %s, Resonite's field is %s",
			  whole ? anim_types[track->type].name : "one lane", anim_types[type].name);
	return 0;
}

static void resonite_check_head(const struct anim_track *track, const struct anim_clip *clip,
				struct lint_tallies *tallies)
{
	if (!anim_types[track->type].matrix || strcmp(clip->source, "animx") == 0)
		return;
	lint_count_detail(tallies, LINT_TYPE, LINT_NO_KEY, "%s", anim_types[track->type].name);
}

static int check_resonite(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies,
			  struct anim_arena *arena, struct anim_error *error)
{
	resonite_check_head(track, clip, tallies);
	if (track->n == 0)
		return 0;
	check_modes(track, RESONITE_MODES, false, tallies);
	/* A Godot scalar that came in as double is bound to a field of float. */
	if (track->type == ANIM_DOUBLE && anim_rules_are_godot(track->rules))
		check_range(track, tallies);
	return anim_text_behind(track->property, "@") != NULL ? 0 : resonite_check_field(track, tallies, arena, error);
}

/* --- What glTF cannot hold, and what its players leave out --- */

#define GLTF_MODES (1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE)

static const struct field gltf_fields[FIELDS] = {
    {"position", ANIM_FLOAT3, ANIM_FLOAT3},
    {"rotation", ANIM_FLOATQ, ANIM_FLOATQ},
    {"scale", ANIM_FLOAT3, ANIM_FLOAT3},
};

/* The last key's mode is nobody's: nothing follows it. */
static void check_one_mode(const struct anim_track *track, struct lint_tallies *tallies)
{
	for (size_t k = 1; track->kind == ANIM_CURVE && k + 1 < track->n; k++)
		if (anim_track_interp(track, k) != anim_track_interp(track, 0)) {
			count(tallies, LINT_MODES, k);
			return;
		}
}

static void check_gltf(const struct anim_track *track, struct lint_tallies *tallies)
{
	bool shape = strncmp(track->property, "blend_shape/", 12) == 0, whole = track->component == ANIM_WHOLE;
	const struct field *field = find_field(gltf_fields, track);

	/* A pointer's property begins with '/'. */
	if (track->type == ANIM_STRING || anim_types[track->type].matrix)
		lint_count_detail(tallies, LINT_TYPE, LINT_NO_KEY, "%s", anim_types[track->type].name);
	else if (field == NULL && !shape && track->property[0] != '/')
		count(tallies, LINT_UNBOUND, LINT_NO_KEY);
	else if (field != NULL && (!whole || track->type != field->type))
		lint_count_detail(tallies, LINT_FIELD_TYPE, LINT_NO_KEY, "it is %s, glTF's is %s",
				  whole ? anim_types[track->type].name : "one lane", anim_types[field->type].name);
	check_modes(track, GLTF_MODES, false, tallies);
	check_one_mode(track, tallies);
	if (anim_types[track->type].quaternion && anim_track_has_interp(track, ANIM_HERMITE))
		count(tallies, LINT_TANGENTS_DROPPED, LINT_NO_KEY);
	check_range(track, tallies);
}

/* --- Whether what a track moves is in axes that are known, and the target's --- */

static bool is_property(const struct anim_track *track, const char *name)
{
	return strcmp(track->property, name) == 0 && anim_track_is_transform(track);
}

/* What is told where two-dimensional axes are known; NULL where they are right. */
static const char *fault_of_flat_axes(const struct anim_clip *clip, enum anim_lint_target target)
{
	if (target == ANIM_LINT_GODOT && clip->axes2d == ANIM_AXES2D_UNITY)
		return "its two-dimensional axes are Unity's, of units with +Y up; anim-axes godot2d turns them";
	if (target != ANIM_LINT_UNITY || clip->axes2d != ANIM_AXES2D_GODOT)
		return NULL;
	return "its two-dimensional axes are Godot's, of pixels with +Y down; anim-axes unity2d turns them";
}

/* What is told of the axes of a track, by those of its clip; NULL where they are right or mean nothing to it. */
const char *lint_fault_of_axes(const struct anim_clip *clip, const struct anim_track *track,
			       enum anim_lint_target target, enum lint_kind *kind)
{
	bool placed = is_property(track, "position") || is_property(track, "rotation") || is_property(track, "euler");
	bool flat = is_property(track, "angle") || (placed && anim_types[track->type].components == 2);
	unsigned axes = clip->axes;

	*kind = LINT_AXES_UNKNOWN;
	if (flat && clip->axes2d == ANIM_AXES2D_UNKNOWN)
		return "which way its two-dimensional axes point is not known";
	if (placed && !flat && axes == ANIM_AXES_UNKNOWN)
		return "which way its axes point is not known";
	*kind = LINT_AXES_OTHER; /* those of space are converted by whatever writes for the target */
	return flat ? fault_of_flat_axes(clip, target) : NULL;
}

int lint_track(enum anim_lint_target target, const struct anim_track *track, const struct anim_clip *clip,
	       struct lint_names *nodes, struct lint_tallies *tallies, struct anim_arena *arena,
	       struct anim_error *error)
{
	check_keys(track, clip, tallies);
	if (target != ANIM_LINT_ANY) {
		/* What players of the target do not do: Unity goes on outside the keys in many ways, Godot plays no track that is disabled. */
		bool none = track->pre == ANIM_EXTRAPOLATION_NONE || track->post == ANIM_EXTRAPOLATION_NONE;
		bool hold = track->pre == ANIM_EXTRAPOLATION_HOLD && track->post == ANIM_EXTRAPOLATION_HOLD;

		if (target == ANIM_LINT_UNITY ? none : !hold)
			count(tallies, LINT_ENDS, LINT_NO_KEY);
		if (track->flags & ANIM_REST_RELATIVE)
			count(tallies, LINT_REST_RELATIVE, LINT_NO_KEY);
		if (target != ANIM_LINT_GODOT && (track->flags & ANIM_DISABLED) != 0)
			count(tallies, LINT_DISABLED, LINT_NO_KEY);
	}
	switch (target) {
	case ANIM_LINT_UNITY:
		check_unity(track, tallies);
		return 0;
	case ANIM_LINT_GODOT:
		check_godot(track, tallies);
		return check_godot_bone(nodes, clip, track, arena, tallies, error);
	case ANIM_LINT_GLTF:
		check_gltf(track, tallies);
		return 0;
	case ANIM_LINT_RESONITE:
		return check_resonite(track, clip, tallies, arena, error);
	default:
		return 0;
	}
}

/* ======== What is seen when a clip plays ======== */

/* ---- Numbers as they are told ---- */

/* To a thousandth: seconds, degrees. */
static const char *fixed_text(char out[ANIM_NUMBER_MAX + 1], double value)
{
	out[anim_number_print_float(out, (float)(anim_round(value * 1000) / 1000))] = '\0';
	return out;
}

/* To three digits: what may be of any size. */
static const char *short_text(char out[ANIM_NUMBER_MAX + 1], double value)
{
	double unit = 1;

	while (fabs(value) >= 1000 * unit && unit < 1e30)
		unit *= 10;
	while (fabs(value) < 100 * unit && unit > 1e-30)
		unit /= 10;
	out[anim_number_print_float(out, (float)(anim_round(value / unit) * unit))] = '\0';
	return out;
}

/* ---- Loops ---- */

#define SEAM_DEGREES 1  /* how far apart rotations may be */
#define SEAM_SHARE 0.01 /* and what is none, of the range of its values */
#define SEAM_NOISE 1e-5 /* of its size: what rounding may make of a value that stays */

/* A clip that goes there and back has no seam; of formats that do not say so, each may be meant to loop. */
static bool may_loop(const struct anim_clip *clip)
{
	bool says = strncmp(clip->source, "godot", 5) == 0 || strcmp(clip->source, "unity") == 0;

	return clip->end_s > clip->start_s && (clip->loop == ANIM_LOOP_WRAP || (clip->loop == ANIM_LOOP_NONE && !says));
}

static double range_of(const struct anim_track *track, unsigned component)
{
	double low = (double)INFINITY, high = -low;

	for (size_t k = 0; k < track->n; k++) {
		double v = anim_component(track->type, track->value, k, component);

		low = v < low ? v : low;
		high = v > high ? v : high;
	}
	return high - low;
}

static bool is_angle(const struct anim_track *track)
{
	return anim_track_is_transform(track) &&
	       (strcmp(track->property, "euler") == 0 || strcmp(track->property, "angle") == 0);
}

/* Degrees between two rotations, or between angles, whole turns aside. */
static double degrees_between(const struct anim_track *track, const double a[ANIM_COMPONENTS_MAX],
			      const double b[ANIM_COMPONENTS_MAX])
{
	float p[4], q[4];
	double most = 0;

	if (anim_types[track->type].quaternion) {
		anim_components_to_float(p, a, 4);
		anim_components_to_float(q, b, 4);
		return anim_quat_angle(p, q) * (180 / ANIM_PI);
	}
	for (unsigned i = 0; i < anim_types[track->type].components; i++) {
		double turn = b[i] - a[i];

		most = fmax(most, fabs(turn - ANIM_TAU * anim_round(turn / ANIM_TAU)));
	}
	return most * (180 / ANIM_PI);
}

/* The largest difference of a component; the range of that one, and the size of them all. */
static double difference(const struct anim_track *track, const double a[ANIM_COMPONENTS_MAX],
			 const double b[ANIM_COMPONENTS_MAX], double *range, double *size)
{
	double most = 0;

	*range = *size = 0;
	for (unsigned i = 0; i < anim_types[track->type].components; i++) {
		double off = fabs(b[i] - a[i]);

		*size = fmax(*size, fmax(fabs(a[i]), fabs(b[i])));
		if (off > most) {
			most = off;
			*range = range_of(track, i);
		}
	}
	return most;
}

static void tell_seam(const struct anim_track *track, double end_s, const double a[ANIM_COMPONENTS_MAX],
		      const double b[ANIM_COMPONENTS_MAX], struct lint_tallies *tallies)
{
	char size[ANIM_NUMBER_MAX + 1], end[ANIM_NUMBER_MAX + 1], share[ANIM_NUMBER_MAX + 1];
	double range, off, size_of;

	if (anim_types[track->type].quaternion || is_angle(track)) {
		off = degrees_between(track, a, b);
		if (off > SEAM_DEGREES)
			lint_count_detail(tallies, LINT_LOOP_SEAM, LINT_NO_KEY,
					  "%s degrees from its end, at %s s, to its start: ", fixed_text(size, off),
					  fixed_text(end, end_s));
		return;
	}
	off = difference(track, a, b, &range, &size_of);
	if (off > SEAM_SHARE * range && off > SEAM_NOISE * size_of)
		lint_count_detail(
		    tallies, LINT_LOOP_SEAM, LINT_NO_KEY,
		    "%s (%s %% of its range) from its end, at %s s, to its start: ", short_text(size, off),
		    fixed_text(share, anim_round(100 * off / range)), fixed_text(end, end_s));
}

int lint_seam(const struct anim_clip *clip, const struct anim_track *track, struct lint_tallies *tallies,
	      struct anim_error *error)
{
	/* At its very end a player of loops may show the start already. */
	const double times[2] = {(double)clip->start_s, (double)nextafterf(clip->end_s, clip->start_s)};
	double values[2][ANIM_COMPONENTS_MAX] = {{0}};
	struct anim_source source;
	int result;

	if (!may_loop(clip) || !anim_play_can(track) || track->property[0] == '@')
		return 0;
	anim_play_open(&source, clip, track);
	anim_source_open(&source, NULL);
	result = anim_play_sample(&source, times, 2, values, error);
	anim_source_close(&source);
	if (result > 0)
		tell_seam(track, (double)clip->end_s, values[0], values[1], tallies);
	return result < 0 ? -1 : 0;
}

/* ---- Feet ---- */

const char *lint_slide_text(const struct anim_slide *slide, double start_s, char out[LINT_SLIDE_TEXT])
{
	char size[ANIM_NUMBER_MAX + 1], share[ANIM_NUMBER_MAX + 1], from[ANIM_NUMBER_MAX + 1], to[ANIM_NUMBER_MAX + 1];

	snprintf(out, LINT_SLIDE_TEXT, "it slides %s on the ground, %s %% of its leg, from %s s to %s s",
		 short_text(size, slide->size), fixed_text(share, anim_round(100 * slide->share)),
		 fixed_text(from, start_s + slide->from_s), fixed_text(to, start_s + slide->to_s));
	return out;
}
