/* limits.c: the limits of errors of tracks, and their sum over several programs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/number.h"
#include "base/text.h"
#include "filter/reduce/limits.h"
#include "filter/reduce/run.h"
#include "math/elementary.h"

/* ---- The limits of the tracks ---- */

#define LIMITS_LOCAL "0.1mm,0.1deg,0.1%,0.1px"
#define LIMITS_WORLD "1mm@10cm"

int anim_reduce_override_parse(struct anim_reduce_override *override, const char *text, struct anim_error *error)
{
	const char *equals = strchr(text, '=');

	if (equals == NULL || equals == text || (size_t)(equals - text) >= sizeof override->glob)
		return anim_fail(error, ANIM_BAD_INPUT,
				 "'%.100s' is not a glob with limits. Use for example '*Hand*=0.2mm@5cm'", text);
	memcpy(override->glob, text, (size_t)(equals - text));
	override->glob[equals - text] = '\0';
	return anim_limits_parse(&override->limits, equals + 1, error);
}

int reduce_limits_init(struct reduce_limits *limits, const struct anim_limits *given,
		       const struct anim_reduce_override *overrides, size_t count, struct anim_error *error)
{
	struct anim_limits *all = &limits->all;
	bool for_all = false; /* there is a number without unit, which applies to everything without its own limit */

	*limits = (struct reduce_limits){.overrides = overrides, .count = count, .given = *given};
	limits->used = anim_zeroed(limits->count + 1, error);
	if (limits->used == NULL)
		return -1;

	/* complete the limits with the defaults */
	for (size_t i = 0; i < given->count; i++)
		for_all = for_all || (given->items[i].any_unit && given->items[i].property[0] == '\0');
	if ((!for_all && anim_limits_parse(all, LIMITS_LOCAL, error) != 0) ||
	    (given->count == 0 && anim_limits_parse(all, LIMITS_WORLD, error) != 0))
		return -1;
	if (given->count + all->count > ANIM_LIMITS_MAX)
		return anim_fail(error, ANIM_BAD_INPUT, "more than %u limits", ANIM_LIMITS_MAX - (unsigned)all->count);
	memcpy(all->items + all->count, given->items, given->count * sizeof *given->items);
	all->count += given->count;
	all->world = all->world || given->world;
	all->shell_m = given->world ? given->shell_m : all->shell_m;

	for (size_t i = 0; i < limits->count && !all->world; i++)
		if (limits->overrides[i].limits.world)
			return anim_fail(error, ANIM_BAD_INPUT,
					 "'%s' limits joints in space. " ANIM_OPTION(
					     "reduce", "tol") " then also needs such a limit, for example 1mm@10cm",
					 limits->overrides[i].glob);
	return 0;
}

double reduce_unit_of(const struct anim_track *track, const struct anim_clip *clip, enum anim_unit *unit)
{
	bool flat = anim_types[track->type].components == 2 && clip->axes2d == ANIM_AXES2D_GODOT;
	bool angles = anim_property_is_angle(track->property);

	switch (reduce_metric_of(track)) {
	case REDUCE_ANGLE:
		*unit = ANIM_UNIT_ANGLE;
		return 180 / ANIM_PI;
	case REDUCE_LENGTH:
		*unit = flat ? ANIM_UNIT_PIXELS : ANIM_UNIT_LENGTH;
		return 1;
	default:
		*unit = angles && anim_track_is_transform(track) ? ANIM_UNIT_ANGLE : ANIM_UNIT_PLAIN;
		if (*unit == ANIM_UNIT_ANGLE)
			return track->flags & ANIM_DEGREES ? 1 : 180 / ANIM_PI;
		return track->flags & ANIM_PERCENT ? 0.01 : 1;
	}
}

void reduce_limits_clear(struct reduce_limits *limits)
{
	free(limits->used);
	*limits = (struct reduce_limits){0};
}

/* Return the last override with a limit for a track, or the general limit. */
static double find_limit(struct reduce_limits *limits, const struct anim_track *track, enum anim_unit unit)
{
	double value;

	for (size_t i = limits->count; i-- > 0;)
		if (anim_glob_match(limits->overrides[i].glob, track->node) &&
		    anim_limits_get(&limits->overrides[i].limits, unit, track->property, &value)) {
			limits->used[i] = true;
			return value;
		}
	return anim_limits_find(&limits->all, unit, track->property);
}

double reduce_limit_of(struct reduce_limits *limits, const struct anim_track *track, const struct anim_clip *clip)
{
	enum anim_unit unit;
	double times = reduce_unit_of(track, clip, &unit), limit = find_limit(limits, track, unit);

	/* The total rotation error is at most the sum of the errors about the axes. */
	if (unit == ANIM_UNIT_ANGLE && reduce_metric_of(track) != REDUCE_ANGLE)
		limit /= track->component == ANIM_WHOLE ? anim_types[track->type].components : 3;
	return limit / times;
}

void reduce_limits_record(struct reduce_limits *limits, const struct anim_track *track, const struct anim_clip *clip)
{
	enum anim_unit unit;
	double value;

	(void)reduce_unit_of(track, clip, &unit);
	limits->applied = limits->applied || anim_limits_get(&limits->given, unit, track->property, &value);
	limits->defaulted = limits->defaulted || anim_type_is_real(track->type);
}

int reduce_limits_warn(const struct reduce_limits *limits, struct anim_diagnostics *diagnostics,
		       struct anim_error *error)
{
	for (size_t i = 0; i < limits->count; i++)
		if (!limits->used[i] &&
		    anim_diagnostics_warn(diagnostics, NULL, error,
					  "'%s' matches no track or joint with such a limit; " ANIM_ADVICE(LIST_TRACKS),
					  limits->overrides[i].glob) != 0)
			return -1;
	if (limits->given.count == 0 || limits->given.world || limits->applied || !limits->defaulted)
		return 0;
	return anim_diagnostics_warn(
	    diagnostics, NULL, error,
	    ANIM_OPTION("reduce", "tol") " has no effect, because no track has values of this kind; the default is %s",
	    LIMITS_LOCAL);
}

/* ---- The sum of the limits of several programs, one after another ---- */

static const struct {
	enum anim_unit unit;
	const char *suffix;
	double times;
} summed[REDUCE_SUMMED] = {{ANIM_UNIT_LENGTH, "mm", 1000},
			   {ANIM_UNIT_ANGLE, "deg", 1},
			   {ANIM_UNIT_PLAIN, "%", 100},
			   {ANIM_UNIT_PIXELS, "px", 1}};

/* Return whether the errors to which a limit applies can have this unit. */
static bool is_in(const struct anim_limit *limit, enum anim_unit unit)
{
	if (!limit->any_unit)
		return limit->unit == unit;
	if (unit == ANIM_UNIT_ANGLE)
		return anim_glob_match(limit->property, "rotation");
	return unit == ANIM_UNIT_PLAIN || anim_glob_match(limit->property, "position");
}

/* Extend the largest limits of a sum by the largest limits of any property. */
static void add_limits(struct reduce_sum *sum, const struct anim_limits *limits)
{
	for (size_t unit = 0; unit < REDUCE_SUMMED; unit++) {
		double most = anim_limits_find(limits, summed[unit].unit, "");

		for (size_t i = 0; i < limits->count; i++) {
			const struct anim_limit *limit = &limits->items[i];

			if (limit->property[0] != '\0' && strcmp(limit->property, ANIM_LIMIT_WORLD) != 0 &&
			    is_in(limit, summed[unit].unit))
				most = fmax(most, limit->value);
		}
		sum->most[unit] = fmax(sum->most[unit], most);
	}
	if (!limits->world)
		return;
	sum->tolerance_m = fmax(sum->tolerance_m, anim_limits_find(limits, ANIM_UNIT_LENGTH, ANIM_LIMIT_WORLD));
	/* a limit for a sphere is also valid inside it */
	sum->shell_m = fmin(sum->shell_m, limits->shell_m);
}

void reduce_sum_init(struct reduce_sum *sum)
{
	*sum = (struct reduce_sum){.shell_m = (double)INFINITY};
}

int reduce_sum_read(struct reduce_sum *sum, const struct anim_record *record, struct anim_error *error)
{
	struct anim_arena arena = {0};
	struct anim_prog prog;
	int result = anim_record_prog(record, &prog, &arena, error);
	const char *text = result == 0 ? anim_attrs_get(&prog.attrs, REDUCE_SUM_ATTRIBUTE) : NULL;
	struct anim_limits limits = {0};

	/* a text that is not a limit was written by another program */
	if (text != NULL && anim_limits_parse(&limits, text, &(struct anim_error){0}) == 0) {
		add_limits(sum, &limits);
		sum->free = sum->free || !limits.world;
	}
	anim_arena_clear(&arena);
	return result;
}

/* Append a number such as "0.2mm", and the text after it. */
static size_t add_number(char *out, double value, const char *suffix, const char *after)
{
	size_t length = anim_number_print_float(out, (float)value);

	strcpy(out + length, suffix);
	strcat(out + length, after);
	return strlen(out);
}

void reduce_sum_print(const struct reduce_sum *before, const struct reduce_limits *limits, char out[REDUCE_SUM_TEXT])
{
	struct reduce_sum own;
	size_t used = 0;

	reduce_sum_init(&own);
	add_limits(&own, &limits->all);
	for (size_t i = 0; i < limits->count; i++)
		add_limits(&own, &limits->overrides[i].limits);
	if (limits->all.world && !before->free) {
		used += add_number(out, 1000 * (own.tolerance_m + before->tolerance_m), "mm", "@");
		used += add_number(out + used, 1000 * fmin(own.shell_m, before->shell_m), "mm", ",");
	}
	for (size_t i = 0; i < REDUCE_SUMMED; i++)
		used += add_number(out + used, summed[i].times * (own.most[i] + before->most[i]), summed[i].suffix,
				   i + 1 < REDUCE_SUMMED ? "," : "");
}

const char *reduce_print_bound(char out[ANIM_NUMBER_MAX], double bound)
{
	double times = 1, unit = 1;

	while (bound >= 1000 * unit && unit < 1e300) /* also for infinity */
		unit *= 10;
	while (bound * times < 100 && times < 1e22)
		times *= 10;
	/* A float is not rounded up for an error of its own rounding: 0.11f stays 0.11. */
	snprintf(out, ANIM_NUMBER_MAX, "%.3g", ceil(bound / unit * times * (1 - 1e-7)) / times * unit);
	return out;
}
