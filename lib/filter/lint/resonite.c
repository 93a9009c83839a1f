/* resonite.c: what Resonite cannot hold, or plays otherwise than it is meant. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clip/resonite_names.h"
#include "filter/lint/find.h"

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void check_mode(const struct anim_track *track, size_t k, struct lint_tallies *tallies)
{
	enum anim_interp interp = anim_track_interp(track, k);
	struct lint_tally *first;

	if (interp > ANIM_CUBIC_BEZIER && (first = lint_count(tallies, LINT_MODE, k)) != NULL)
		snprintf(first->detail, sizeof first->detail, "%s", anim_interp_names[interp]);
	if (track->ease != NULL && interp != ANIM_HOLD && track->ease[k] != 1 && k + 1 < track->n)
		lint_count(tallies, LINT_EASE, k);
}

/* A Godot scalar that came in as double is bound to a field of float. */
static void check_range(const struct anim_track *track, struct lint_tallies *tallies)
{
	if (track->type != ANIM_DOUBLE || (track->rules != ANIM_RULES_GODOT4 && track->rules != ANIM_RULES_GODOT3))
		return;
	for (size_t k = 0; k < track->n; k++) {
		double value = ((const double *)track->value)[k];

		if (isfinite(value) && fabs(value) > (double)FLT_MAX)
			lint_count(tallies, LINT_VALUE_RANGE, k);
	}
}

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

static int check_field(const struct anim_track *track, struct lint_tallies *tallies, struct anim_arena *arena,
		       struct anim_error *error)
{
	int type = field_type(track, arena, error);
	bool whole = track->component == ANIM_WHOLE;
	struct lint_tally *tally;

	if (type < -1)
		return -1;
	if (type < 0 || (whole && (int)track->type == type))
		return 0;
	tally = lint_count(tallies, LINT_FIELD_TYPE, LINT_NO_KEY);
	if (tally != NULL)
		snprintf(tally->detail, sizeof tally->detail, "it is %s, Resonite's field is %s",
			 whole ? anim_types[track->type].name : "one lane", anim_types[type].name);
	return 0;
}

static void check_head(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies)
{
	struct lint_tally *tally;

	if (track->before != ANIM_ENDS_HOLD || track->after != ANIM_ENDS_HOLD)
		lint_count(tallies, LINT_ENDS, LINT_NO_KEY);
	if (track->flags & ANIM_REST_RELATIVE)
		lint_count(tallies, LINT_REST_RELATIVE, LINT_NO_KEY);
	if (track->flags & ANIM_DISABLED)
		lint_count(tallies, LINT_DISABLED, LINT_NO_KEY);
	if (!anim_types[track->type].matrix || strcmp(clip->source, "animx") == 0)
		return;
	tally = lint_count(tallies, LINT_TYPE, LINT_NO_KEY);
	if (tally != NULL)
		snprintf(tally->detail, sizeof tally->detail, "%s", anim_types[track->type].name);
}

int lint_resonite(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies,
		  struct anim_arena *arena, struct anim_error *error)
{
	check_head(track, clip, tallies);
	if (track->n == 0)
		return 0;
	for (size_t k = 0; track->kind == ANIM_CURVE && k < track->n; k++)
		check_mode(track, k, tallies);
	if (anim_types[track->type].quaternion)
		lint_turns(track, tallies);
	check_range(track, tallies);
	return starts_with(track->property, "@") ? 0 : check_field(track, tallies, arena, error);
}
