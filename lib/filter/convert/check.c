/* check.c: plays a finished track beside its source: how far it is off, and for how long. */
#include <math.h>
#include <stdlib.h>

#include "clip/deviation.h"
#include "clip/keys.h"
#include "filter/convert/internal.h"

#define SPARE 1.25 /* the error between two times that were looked at may be larger by so much */

#define ROUNDED 0x1p-21 /* of the largest number: what rounding may make of it */
#define SOLVED 6e-5     /* and what Godot's solver may miss */

struct jump {
	double from_s, to_s; /* where one player may show the side before it and the other the one after it */
	double size;
};

struct check {
	struct convert_meter *meter;
	const struct anim_track *track;
	struct anim_buffer breaks; /* double */
	struct anim_buffer jumps;  /* struct jump */
	double jump;               /* at the times at hand */
	double low_s, high_s;      /* between which these lie, as the players can be asked for them */
	double size;               /* the largest number so far */
	struct anim_deviation deviation;
};

static int errors_at(void *context, const double *times, size_t count, double *off, struct anim_error *error)
{
	struct check *check = context;
	struct convert_meter *m = check->meter;
	double real[ANIM_DEVIATION_TIMES][ANIM_COMPONENTS_MAX] = {{0}}, v[ANIM_COMPONENTS_MAX];
	_Alignas(16) uint8_t values[ANIM_DEVIATION_TIMES * ANIM_VALUE_MAX];
	uint8_t present[ANIM_DEVIATION_TIMES];
	double t[ANIM_DEVIATION_TIMES];

	for (size_t i = 0; i < count; i++)
		t[i] = convert_asks_at_floats(m->fit) ? (double)(float)times[i] : times[i];
	for (size_t i = 0; i < count; i++)
		t[i] = fmin(fmax(t[i], check->low_s), check->high_s);
	if (anim_source_sample(m->fit->source, t, count, real, error) != 0 ||
	    anim_sample(&m->clip, check->track, t, count, values, present, &m->state, error) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		anim_components(check->track->type, values, i, v);
		for (unsigned component = 0; component < anim_types[check->track->type].components; component++)
			check->size = convert_larger(check->size, fabs(v[component]));
		if (m->turn > 0)
			v[0] += m->turn * rint((real[i][0] - v[0]) / m->turn);
		off[i] = present[i] ? fmax(convert_deviation(m, v, real[i]) - check->jump, 0) : (double)INFINITY;
	}
	return 0;
}

static bool is_godot(const struct convert_fitting *fit)
{
	return anim_rules_are_godot(fit->caps->rules) || anim_rules_are_godot(anim_source_first(fit->source)->rules);
}

static double reach_of(const struct check *check, enum anim_rules rules, double t)
{
	return anim_rules_reach(rules, t - (double)check->meter->clip.start_s);
}

static int add_break(struct check *check, double t, struct anim_error *error)
{
	const struct anim_buffer *breaks = check->meter->fit->breaks;
	const float *bounds = (const float *)(const void *)breaks->data;

	if (!(t >= (double)bounds[0] && t <= (double)bounds[breaks->size / sizeof *bounds - 1]))
		return 0;
	return anim_buffer_append(&check->breaks, &t, sizeof t, error);
}

/* A key's time, and those from which on and up to which its player shows the key. */
static int add_key(struct check *check, enum anim_rules rules, double t, struct anim_error *error)
{
	double reach = reach_of(check, rules, t);

	if (reach > 0 && (add_break(check, t - reach, error) != 0 || add_break(check, t + reach, error) != 0))
		return -1;
	return add_break(check, t, error);
}

/* A jump of the source: the target may show it as much sooner or later as either player takes times for a key's. */
static int add_jump(struct check *check, size_t k, struct anim_error *error)
{
	const struct convert_fitting *fit = check->meter->fit;
	double at = (double)((const float *)(const void *)fit->breaks->data)[k], v[2][ANIM_COMPONENTS_MAX];
	double reach =
	    fmax(reach_of(check, anim_source_first(fit->source)->rules, at), reach_of(check, check->track->rules, at));
	struct jump jump = {at - reach, at + reach, 0};

	if (anim_source_jump(fit->source, fit->breaks, k, v, error) != 0)
		return -1;
	jump.size = convert_deviation(check->meter, v[0], v[1]);
	return jump.size > 0 && anim_buffer_append(&check->jumps, &jump, sizeof jump, error) != 0 ? -1 : 0;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* All times at which something may change at once. */
static int find_breaks(struct check *check, struct anim_error *error)
{
	const struct convert_fitting *fit = check->meter->fit;
	enum anim_rules rules = anim_source_first(fit->source)->rules;
	const float *t = (const float *)(const void *)fit->breaks->data;
	size_t n = fit->breaks->size / sizeof *t;

	for (size_t k = 0; k < n; k++)
		if (add_key(check, rules, (double)t[k], error) != 0 ||
		    (is_godot(fit) && add_jump(check, k, error) != 0))
			return -1;
	for (size_t k = 0; k < check->track->n; k++)
		if (add_key(check, check->track->rules, (double)check->track->time[k], error) != 0)
			return -1;
	qsort(check->breaks.data, check->breaks.size / sizeof(double), sizeof(double), compare);
	return 0;
}

/* The next float after t, or before it. */
static double float_beside(double t, double towards)
{
	float at = (float)t;
	bool beyond = towards > t ? (double)at > t : (double)at < t;

	return (double)(beyond ? at : nextafterf(at, (float)towards));
}

#define NEAREST 0x1p-30 /* seconds, at large times times them: how near to a break it is worth to look */

/* Two neighbouring breaks; false where there is nothing between them. */
static bool set_interval(struct check *check, double from_s, double to_s)
{
	bool floats = convert_asks_at_floats(check->meter->fit);

	check->low_s = floats ? float_beside(from_s, (double)INFINITY) : from_s;
	check->high_s = floats ? float_beside(to_s, -(double)INFINITY) : to_s;
	return check->low_s <= check->high_s && to_s - from_s > 2 * NEAREST * fmax(1, fabs(to_s));
}

/* The clip's end, whose pose stays; but a step at that very time is one that its player may leave out. */
static int look_at_end(struct check *check, double start_s, double end_s, struct anim_error *error)
{
	const struct convert_fitting *fit = check->meter->fit;
	double v[2][ANIM_COMPONENTS_MAX];

	if (anim_source_jump(fit->source, fit->breaks, fit->breaks->size / sizeof(float) - 1, v, error) != 0)
		return -1;
	check->jump = convert_deviation(check->meter, v[0], v[1]);
	check->low_s = start_s;
	check->high_s = end_s;
	return anim_deviation_look(&check->deviation, end_s, 1, error);
}

static int look(struct check *check, struct anim_error *error)
{
	const double *t = (const double *)(const void *)check->breaks.data;
	const struct jump *jump = (const struct jump *)(const void *)check->jumps.data;
	size_t n = check->breaks.size / sizeof *t, jumps = check->jumps.size / sizeof *jump, first = 0;

	check->low_s = t[0];
	check->high_s = t[n - 1];
	if (anim_deviation_look(&check->deviation, t[0], 0, error) != 0)
		return -1;
	for (size_t k = 0; k + 1 < n; k++) {
		if (!set_interval(check, t[k], t[k + 1]))
			continue;
		while (first < jumps && jump[first].to_s <= t[k])
			first++;
		check->jump = 0;
		for (size_t i = first; i < jumps && jump[i].from_s < t[k + 1]; i++)
			check->jump += jump[i].to_s > t[k] ? jump[i].size : 0;
		if (anim_deviation_between(&check->deviation, t[k], t[k + 1], NEAREST * fmax(1, fabs(t[k + 1])),
					   error) != 0)
			return -1;
	}
	return look_at_end(check, t[0], t[n - 1], error);
}

/* What may lie between the times that were looked at, and what no look at some times finds. */
static void take_rounding(const struct check *check, struct convert_told *told)
{
	const struct convert_fitting *fit = check->meter->fit;
	double rounding = 0x1p-23 * check->size * fit->unit;

	told->lasting = fmax(fmax(SPARE * told->lasting, told->lasting + rounding), fit->solver);
	told->worst = fmax(fmax(fmax(SPARE * told->worst, told->worst + rounding), fit->leap), told->lasting);
	if (anim_types[fit->type].quaternion) { /* no two rotations are farther apart */
		told->lasting = fmin(told->lasting, 180);
		told->worst = fmin(told->worst, 180);
	}
}

/* What is not worth a word if keys are the source's own: Godot's solver comes no nearer to the same curve. */
static double quiet_of(const struct check *check)
{
	const struct convert_fitting *fit = check->meter->fit;
	double share = fit->keys->cubic == ANIM_BEZIER_2D ? SOLVED : ROUNDED;

	return fmax(fit->tolerance, share * check->size * fit->unit);
}

int convert_check(const struct convert_fitting *fit, const struct anim_track *track, struct convert_told *told,
		  struct anim_error *error)
{
	struct convert_meter meter = {.fit = fit, .clip = *fit->source->clip, .turn = fit->turn};
	struct check check = {.meter = &meter, .track = track};
	int result;

	check.deviation = (struct anim_deviation){.at = errors_at, .context = &check, .quiet = fit->tolerance / 4};
	meter.clip.attrs = (struct anim_attrs){NULL, 0};
	result = find_breaks(&check, error);
	if (result == 0)
		result = look(&check, error);
	told->lasting = anim_deviation_finish(&check.deviation, &told->lasts_s);
	told->worst = check.deviation.worst;
	take_rounding(&check, told);
	/* Keys that are the source's own show it; that their player shows them a little around their times is no loss. */
	if (!fit->approximated && told->lasting <= quiet_of(&check))
		told->worst = told->lasting = 0;
	anim_buffer_clear(&check.breaks);
	anim_buffer_clear(&check.jumps);
	anim_sample_state_clear(&meter.state);
	return result;
}
