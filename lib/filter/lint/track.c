/* track.c: problems of a track: for any player, and data that one engine does not support, bind or play as intended. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/common/posing.h"
#include "filter/lint/checks.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* --- Counts, and numbers in their details --- */

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

const char *lint_fixed(char out[LINT_NUMBER], double value)
{
	out[anim_number_print_float(out, (float)(anim_round(value * 1000) / 1000))] = '\0';
	return out;
}

const char *lint_digits(char out[LINT_NUMBER], double value)
{
	double unit = 1;

	while (fabs(value) >= 1000 * unit && unit < 1e30)
		unit *= 10;
	while (fabs(value) < 100 * unit && unit > 1e-30)
		unit /= 10;
	out[anim_number_print_float(out, (float)(anim_round(value / unit) * unit))] = '\0';
	return out;
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

/* Return whether the sides of its two keys that segment k uses are finite. */
static bool segment_is_finite(const struct anim_track *track, size_t k)
{
	enum anim_interp interp = anim_track_interp(track, k);
	/* Slopes of Hermite and Weighted may be infinite or not a number: such segments step. */
	bool slopes = interp == ANIM_TANGENT || interp == ANIM_CUBIC_BEZIER || interp == ANIM_BEZIER_2D;

	if (track->ease != NULL && interp != ANIM_HOLD && !isfinite(track->ease[k]))
		return false;
	if (track->right != NULL && slopes &&
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
static void count_long_way(const struct anim_track *track, size_t k, struct lint_tallies *tallies)
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
	bool tangents;

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
			if (quaternion_dot(track, k, k + 1) < 0 && anim_segment_blends_components(clip, track, k) &&
			    !segment_steps(track, k))
				count_long_way(track, k + 1, tallies);
	}
	tangents = track->kind == ANIM_CURVE && anim_track_has_interp(track, ANIM_TANGENT);
	for (size_t k = 0; tangents && k < track->n; k++)
		if (anim_track_interp(track, k) == ANIM_TANGENT)
			count(tallies, LINT_TANGENT, k);
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

static void check_godot(const struct anim_track *track, struct lint_tallies *tallies)
{
	const struct field *field = find_field(godot_fields, track);
	const char *point = strrchr(track->property, '.'), *fault = NULL;
	bool shape = strncmp(track->property, "blend_shape/", 12) == 0, whole = track->component == ANIM_WHOLE;
	bool godots = anim_rules_are_godot(track->rules);
	/* "scale.x" names a component, which Godot writes ":scale:x". A name may contain a point elsewhere: "script.gd". */
	bool names_component = point != NULL && point > track->property && point[1] != '\0' && point[2] == '\0' &&
			       strchr("xyzwrgba", point[1]) != NULL;

	/* In the path of Godot's own track only names of nodes may contain the ':' that separates its parts. */
	if (whole && !shape && names_component)
		fault = "Godot separates a component with a colon, as in ':scale:x'";
	else if (shape && strchr(track->property, ':') != NULL)
		fault = "Godot splits a path at a ':' in a name";
	if (godots && track->property[0] != '@' && fault != NULL)
		lint_count_detail(tallies, LINT_PATH, LINT_NO_KEY, "its path never resolves: %s", fault);
	if (godots && field != NULL && whole && track->type != field->type && track->type != field->other)
		lint_count_detail(tallies, LINT_FIELD_TYPE, LINT_NO_KEY, "it is %s, but Godot's property is %s",
				  anim_types[track->type].name, anim_types[field->type].name);
	for (size_t k = 0; track->interp == ANIM_BEZIER_2D && k + 1 < track->n; k++) {
		/* With handles beyond segment k a time may have several values, of which the player uses one. */
		double duration = (double)track->time[k + 1] - (double)track->time[k];
		double right = (double)track->right_x[k], left = (double)track->left_x[k + 1];

		if (duration > JUMP_S * fmax(1, fabs((double)track->time[k])) &&
		    (right > duration || right < 0 || left < -duration || left > 0))
			count(tallies, LINT_HANDLE, k);
	}
}

/* Check that the skeleton of a bone's track has the bone. */
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

#define SCRIPT_CLASS "114" /* MonoBehaviour */

/* The properties of the model that Unity has, with the type of the complete field. */
static const struct field unity_fields[FIELDS] = {
    {"position", ANIM_FLOAT3, ANIM_FLOAT3}, {"rotation", ANIM_FLOATQ, ANIM_FLOATQ}, {"euler", ANIM_FLOAT3, ANIM_FLOAT3},
    {"scale", ANIM_FLOAT3, ANIM_FLOAT3},    {"visible", ANIM_FLOAT, ANIM_FLOAT},    {"angle", ANIM_FLOAT, ANIM_FLOAT},
};

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

static void check_unity(const struct anim_track *track, struct lint_tallies *tallies)
{
	bool shape = strncmp(track->property, "blend_shape/", 12) == 0 && track->component == ANIM_WHOLE;
	const char *class = anim_attrs_get(&track->attrs, "unity.class");
	bool bound =
	    shape || find_field(unity_fields, track) != NULL || class != NULL || strcmp(track->property, "@event") == 0;

	if (track->rules != ANIM_RULES_UNITY)
		return;
	/* Unity binds a field of a component whose class is known, and a field of a script that is known. */
	if (class != NULL && strcmp(class, SCRIPT_CLASS) == 0)
		bound = anim_attrs_get(&track->attrs, "unity.script") != NULL;
	if (!bound)
		lint_count_detail(tallies, LINT_UNBOUND, LINT_NO_KEY,
				  "Unity has no property with this name, and the component that has it is unknown");
	/* Check the sides of its two keys that segment k uses. */
	for (size_t k = 0; track->kind == ANIM_CURVE && k + 1 < track->n; k++) {
		enum anim_interp interp = anim_track_interp(track, k);

		if (interp != ANIM_HERMITE && interp != ANIM_WEIGHTED)
			continue;
		if (has_nan(track, track->right, k) || has_nan(track, track->left, k + 1))
			count(tallies, LINT_TANGENT_NOT_FINITE, k);
		if (interp == ANIM_WEIGHTED && (!weights_fit(track, track->right_x, WEIGHTED_RIGHT, k) ||
						!weights_fit(track, track->left_x, WEIGHTED_LEFT, k + 1)))
			count(tallies, LINT_WEIGHT, k);
	}
}

/* --- Tracks that Resonite would not bind --- */

static void check_resonite(const struct anim_track *track, struct lint_tallies *tallies)
{
	int type = anim_resonite_field_type(track->property);
	bool whole = track->component == ANIM_WHOLE;

	if (track->n == 0 || (track->flags & ANIM_DISABLED))
		return;
	/*
	 * The conversion makes whole values of the right types from tracks of other engines. Only Resonite's own tracks
	 * can have wrong ones.
	 */
	if (type < 0)
		lint_count_detail(tallies, LINT_UNBOUND, LINT_NO_KEY, "%s",
				  anim_resonite_unbound(track->property, track->type, track->component));
	else if (track->rules == ANIM_RULES_RESONITE && (!whole || (int)track->type != type))
		lint_count_detail(tallies, LINT_FIELD_TYPE, LINT_NO_KEY, "it is %s, but Resonite's field is %s",
				  whole ? anim_types[track->type].name : "one component", anim_types[type].name);
}

/* --- Any track --- */

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
		/* Importers drop the curves of rotations. */
		if (strcmp(clip->source, "gltf") == 0 && anim_types[track->type].quaternion &&
		    anim_track_has_interp(track, ANIM_HERMITE))
			count(tallies, LINT_TANGENTS_DROPPED, LINT_NO_KEY);
		return 0;
	case ANIM_LINT_RESONITE:
		check_resonite(track, tallies);
		return 0;
	default:
		return 0;
	}
}

/* --- Loops: the end of a clip and its start --- */

#define SEAM_DEGREES 1  /* largest difference of rotations */
#define SEAM_SHARE 0.01 /* largest difference of other values, as a share of the range */
#define SEAM_NOISE 1e-5 /* rounding error of a constant value, as a share of its size */

/* Return the degrees between two rotations, or between angles without full rotations. */
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
		double off = b[i] - a[i];

		most = fmax(most, fabs(off - ANIM_TAU * anim_round(off / ANIM_TAU)));
	}
	return most * (180 / ANIM_PI);
}

/* Return the largest difference of a component. Sets the range of that component, and the largest size of all. */
static double largest_difference(const struct anim_track *track, const double a[ANIM_COMPONENTS_MAX],
				 const double b[ANIM_COMPONENTS_MAX], double *range, double *size)
{
	double most = 0;

	*range = *size = 0;
	for (unsigned i = 0; i < anim_types[track->type].components; i++) {
		double off = fabs(b[i] - a[i]), low = (double)INFINITY, high = -low;

		*size = fmax(*size, fmax(fabs(a[i]), fabs(b[i])));
		if (!(off > most))
			continue;
		for (size_t k = 0; k < track->n; k++) {
			double v = anim_component(track->type, track->value, k, i);

			low = v < low ? v : low;
			high = v > high ? v : high;
		}
		most = off;
		*range = high - low;
	}
	return most;
}

int lint_seam(const struct anim_clip *clip, const struct anim_track *track, struct lint_tallies *tallies,
	      struct anim_error *error)
{
	/* At its exact end, a looping player may already show the start. */
	const double times[2] = {(double)clip->start_s, (double)nextafterf(clip->end_s, clip->start_s)};
	/* A ping-pong clip has no seam. In formats that do not record loops, every clip may be meant to loop. */
	bool records = anim_source_is_godot(clip->source) || strcmp(clip->source, "unity") == 0;
	bool loops = clip->loop == ANIM_LOOP_WRAP || (clip->loop == ANIM_LOOP_NONE && !records);
	char size[LINT_NUMBER], end[LINT_NUMBER], share[LINT_NUMBER];
	double values[2][ANIM_COMPONENTS_MAX] = {{0}}, range, off, size_of;
	struct anim_source source;
	int result;

	if (!loops || !(clip->end_s > clip->start_s) || !anim_play_can(track) || track->property[0] == '@')
		return 0;
	anim_play_open(&source, clip, track);
	anim_source_open(&source, NULL);
	result = anim_play_sample(&source, times, 2, values, error);
	anim_source_close(&source);
	if (result <= 0)
		return result;
	lint_fixed(end, (double)clip->end_s);
	if (anim_types[track->type].quaternion ||
	    (anim_track_is_transform(track) && anim_property_is_angle(track->property))) {
		off = degrees_between(track, values[0], values[1]);
		if (off > SEAM_DEGREES)
			lint_count_detail(tallies, LINT_LOOP_SEAM, LINT_NO_KEY,
					  "its end (%s s) differs from its start by %s degrees: ", end,
					  lint_fixed(size, off));
		return 0;
	}
	off = largest_difference(track, values[0], values[1], &range, &size_of);
	if (off > SEAM_SHARE * range && off > SEAM_NOISE * size_of)
		lint_count_detail(tallies, LINT_LOOP_SEAM, LINT_NO_KEY,
				  "its end (%s s) differs from its start by %s, %s %% of its range: ", end,
				  lint_digits(size, off), lint_fixed(share, anim_round(100 * off / range)));
	return 0;
}
