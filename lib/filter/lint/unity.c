/* unity.c: what Unity cannot hold or bind, or plays otherwise than it is meant. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/lint/find.h"

/* Weighted bits of a key. */
#define WEIGHTED_LEFT 1u
#define WEIGHTED_RIGHT 2u

static bool is_attr(const struct anim_track *track, const char *key, const char *value)
{
	const char *found = anim_attrs_get(&track->attrs, key);

	return found != NULL && strcmp(found, value) == 0;
}

/* The properties of the model that Unity has; the type of a whole one's field. */
static const struct {
	const char *property;
	enum anim_type type;
} fields[] = {
    {"position", ANIM_FLOAT3}, {"rotation", ANIM_FLOATQ}, {"euler", ANIM_FLOAT3},
    {"scale", ANIM_FLOAT3},    {"visible", ANIM_FLOAT},   {"angle", ANIM_FLOAT},
};

static size_t find_field(const struct anim_track *track)
{
	size_t i = 0;

	while (i < sizeof fields / sizeof *fields && strcmp(fields[i].property, track->property) != 0)
		i++;
	return i;
}

/* A script's field is bound where the script is known, a component's where its class is. */
static bool is_bound(const struct anim_track *track)
{
	bool shape = strncmp(track->property, "blend_shape/", 12) == 0 && track->component == ANIM_WHOLE;
	bool known = shape || find_field(track) < sizeof fields / sizeof *fields;

	if (is_attr(track, "unity.class", "114"))
		return anim_attrs_get(&track->attrs, "unity.script") != NULL;
	return known || anim_attrs_get(&track->attrs, "unity.class") != NULL || strcmp(track->property, "@event") == 0;
}

static void check_binding(const struct anim_track *track, struct lint_tallies *tallies)
{
	if (!is_bound(track))
		lint_count(tallies, LINT_UNBOUND, LINT_NO_KEY);
}

/* Numbers are written as floats whatever they are; of texts only references to assets and events have a place. */
static void check_type(const struct anim_track *track, struct lint_tallies *tallies)
{
	bool text =
	    track->type == ANIM_STRING && !is_attr(track, "literal", "PPtr") && strcmp(track->property, "@event") != 0;
	struct lint_tally *tally;

	if (!text && !anim_types[track->type].matrix)
		return;
	tally = lint_count(tallies, LINT_TYPE, LINT_NO_KEY);
	if (tally != NULL)
		snprintf(tally->detail, sizeof tally->detail, "%s", anim_types[track->type].name);
}

/* Parts of a transform have all their lanes; what is one number may be of any type. Its own are as they were. */
static void check_field(const struct anim_track *track, struct lint_tallies *tallies)
{
	size_t field = find_field(track);
	bool lane = track->component != ANIM_WHOLE;
	enum anim_type type = field < sizeof fields / sizeof *fields ? fields[field].type : track->type;
	struct lint_tally *tally;

	if (!anim_track_is_transform(track) || (lane && track->rules == ANIM_RULES_UNITY) ||
	    (!lane && track->type == type) || anim_types[type].lanes == anim_types[track->type].lanes)
		return;
	tally = lint_count(tallies, LINT_FIELD_TYPE, LINT_NO_KEY);
	if (tally != NULL)
		snprintf(tally->detail, sizeof tally->detail, "it is %s, Unity's field is %s",
			 lane ? "one lane" : anim_types[track->type].name, anim_types[type].name);
}

static void check_head(const struct anim_track *track, struct lint_tallies *tallies)
{
	if (track->before == ANIM_ENDS_NONE || track->after == ANIM_ENDS_NONE)
		lint_count(tallies, LINT_ENDS, LINT_NO_KEY);
	if (track->flags & ANIM_REST_RELATIVE)
		lint_count(tallies, LINT_REST_RELATIVE, LINT_NO_KEY);
	if (track->flags & ANIM_DISABLED)
		lint_count(tallies, LINT_DISABLED, LINT_NO_KEY);
	check_binding(track, tallies);
	check_type(track, tallies);
	check_field(track, tallies);
}

static void check_mode(const struct anim_track *track, size_t k, struct lint_tallies *tallies)
{
	enum anim_interp interp = anim_track_interp(track, k);
	bool has = interp <= ANIM_LINEAR || interp == ANIM_HERMITE || interp == ANIM_WEIGHTED;
	struct lint_tally *first = has ? NULL : lint_count(tallies, LINT_MODE, k);

	if (first != NULL)
		snprintf(first->detail, sizeof first->detail, "%s", anim_interp_names[interp]);
	if (track->ease != NULL && interp != ANIM_HOLD && track->ease[k] != 1 && k + 1 < track->n)
		lint_count(tallies, LINT_EASE, k);
}

static bool has_nan(const struct anim_track *track, const void *column, size_t k)
{
	for (unsigned i = 0; i < anim_types[track->type].lanes; i++)
		if (isnan(anim_lane(track->type, column, k, i)))
			return true;
	return false;
}

/* Whether the weights of one side of a key, where it is weighted on that side, are all within 0..1. */
static bool weights_fit(const struct anim_track *track, const float *column, unsigned bit, size_t k)
{
	size_t lanes = anim_types[track->type].lanes;

	if (column == NULL || track->weighted == NULL || !(track->weighted[k] & bit))
		return true;
	for (size_t i = k * lanes; i < (k + 1) * lanes; i++)
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
		lint_count(tallies, LINT_TANGENT_NOT_FINITE, k);
	if (interp == ANIM_WEIGHTED && (!weights_fit(track, track->right_x, WEIGHTED_RIGHT, k) ||
					!weights_fit(track, track->left_x, WEIGHTED_LEFT, k + 1)))
		lint_count(tallies, LINT_WEIGHT, k);
}

static void check_range(const struct anim_track *track, struct lint_tallies *tallies)
{
	unsigned lanes = anim_types[track->type].lanes;

	for (size_t k = 0; anim_types[track->type].scalar == ANIM_SCALAR_F64 && k < track->n; k++)
		for (unsigned i = 0; i < lanes; i++) {
			double value = fabs(anim_lane(track->type, track->value, k, i));

			if (isfinite(value) && value > (double)FLT_MAX)
				lint_count(tallies, LINT_VALUE_RANGE, k);
		}
}

void lint_unity(const struct anim_track *track, struct lint_tallies *tallies)
{
	check_head(track, tallies);
	for (size_t k = 0; track->kind == ANIM_CURVE && k < track->n; k++)
		check_mode(track, k, tallies);
	for (size_t k = 0; track->kind == ANIM_CURVE && k + 1 < track->n; k++)
		check_segment(track, k, tallies);
	if (anim_types[track->type].quaternion)
		lint_turns(track, tallies);
	check_range(track, tallies);
}
