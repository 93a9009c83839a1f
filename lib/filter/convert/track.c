/* track.c: converts a source with one step to a track of the target, and measures its error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/limits.h"
#include "clip/deviation.h"
#include "clip/keys.h"
#include "filter/convert/track.h"
#include "math/elementary.h"

/* ======== The error of a finished track ======== */

#define SPARE 1.25 /* factor for the error between two sampled times */

#define DEGREES (180 / ANIM_PI)
#define ROUNDED 0x1p-21 /* rounding error, as a share of the largest number */
#define SOLVED 6e-5     /* the same for the error of Godot's solver */

struct jump {
	/* In this interval one player may show the value before the jump and the other the value after it. */
	double from_s, to_s;
	double size;
};

struct check {
	struct convert_meter *meter;
	const struct anim_track *track;
	struct anim_buffer breaks; /* double */
	struct anim_buffer jumps;  /* struct jump */
	double jump;               /* sum of the jumps in the current interval */
	double low_s, high_s;      /* the interval of times that are sampled */
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
		if (m->period > 0)
			v[0] += m->period * rint((real[i][0] - v[0]) / m->period);
		if (m->fit->angles)
			convert_nearest_angles(m->fit, v, real[i]);
		off[i] = present[i] ? fmax(convert_deviation(m, v, real[i]) - check->jump, 0) : (double)INFINITY;
	}
	return 0;
}

static double reach_of(const struct check *check, enum anim_rules rules, double t)
{
	return anim_rules_reach(rules, t - (double)check->meter->clip.start_s);
}

/* Return whether the error of the segment after break k is known. */
static bool is_known(const struct convert_fitting *fit, size_t k)
{
	return k < fit->known->size && fit->known->data[k];
}

/* Return whether the error of the segments on both sides of break k is known. */
static bool is_between_known(const struct convert_fitting *fit, size_t k)
{
	return (k == 0 || is_known(fit, k - 1)) && (is_known(fit, k) || k + 1 == fit->breaks->size / sizeof(float));
}

static int add_break(struct check *check, double t, struct anim_error *error)
{
	const struct anim_buffer *breaks = check->meter->fit->breaks;
	const float *bounds = (const float *)(const void *)breaks->data;

	if (!(t >= (double)bounds[0] && t <= (double)bounds[breaks->size / sizeof *bounds - 1]))
		return 0;
	return anim_buffer_append(&check->breaks, &t, sizeof t, error);
}

/* Add a key's time, and the interval around it in which its player shows the key. */
static int add_key(struct check *check, enum anim_rules rules, double t, struct anim_error *error)
{
	double reach = reach_of(check, rules, t);

	if (reach > 0 && (add_break(check, t - reach, error) != 0 || add_break(check, t + reach, error) != 0))
		return -1;
	return add_break(check, t, error);
}

/* Get the source's values before and after break k, in the representation of the target. */
static int play_jump(const struct check *check, size_t k, double v[2][ANIM_COMPONENTS_MAX], struct anim_error *error)
{
	static const double none[ANIM_COMPONENTS_MAX];
	const struct convert_fitting *fit = check->meter->fit;

	if (anim_source_jump(fit->source, fit->breaks, k, v, error) != 0)
		return -1;
	for (int i = 0; i < 2 && fit->angles; i++)
		convert_nearest_angles(fit, i == 0 ? none : v[0], v[i]);
	return 0;
}

/*
 * Godot's players take times for a key's time within a hundred-thousandth of the time, and so show a jump earlier or
 * later. That is part of the error after the first second, and after ten seconds it is reported even if nothing else
 * is approximated.
 */
#define EARLY_S 1.1e-5
#define FAR_TOO_EARLY_S 1e-4

/* Find all times at which a value may change suddenly. */
static int find_breaks(struct check *check, struct anim_error *error)
{
	const struct convert_fitting *fit = check->meter->fit;
	enum anim_rules rules = anim_source_first(fit->source)->rules;
	const float *t = (const float *)(const void *)fit->breaks->data;
	size_t n = fit->breaks->size / sizeof *t;

	for (size_t k = 0; k < n; k++) {
		if (is_between_known(fit, k))
			continue;
		if (add_key(check, rules, (double)t[k], error) != 0)
			return -1;
		/*
		 * Add a jump of the source. The target may show it earlier or later, by the largest distance at which
		 * either player takes a time for a key's time.
		 */
		if ((anim_rules_are_godot(fit->caps->rules) ||
		     anim_rules_are_godot(anim_source_first(fit->source)->rules))) {
			double at = (double)((const float *)(const void *)fit->breaks->data)[k],
			       v[2][ANIM_COMPONENTS_MAX];
			double reach = fmax(reach_of(check, anim_source_first(fit->source)->rules, at),
					    reach_of(check, check->track->rules, at));
			struct jump jump = {at - reach, at + reach, 0};

			if (play_jump(check, k, v, error) != 0)
				return -1;
			jump.size = convert_deviation(check->meter, v[0], v[1]);
			if (jump.size > 0 && !(reach > EARLY_S)) {
				if (anim_buffer_append(&check->jumps, &jump, sizeof jump, error) != 0)
					return -1;
			}
		}
	}
	for (size_t k = 0, at = 0; k < check->track->n; k++) {
		double key_s = (double)check->track->time[k];

		while (at + 1 < n && (double)t[at + 1] <= key_s)
			at++;
		if (((double)t[at] == key_s ? !is_between_known(fit, at) : !is_known(fit, at)) &&
		    add_key(check, check->track->rules, key_s, error) != 0)
			return -1;
	}
	qsort(check->breaks.data, check->breaks.size / sizeof(double), sizeof(double), anim_compare_doubles);
	return 0;
}

/* Return the nearest float after t, or before it. */
static double float_beside(double t, double towards)
{
	float at = (float)t;
	bool beyond = towards > t ? (double)at > t : (double)at < t;

	return (double)(beyond ? at : nextafterf(at, (float)towards));
}

/* In seconds, multiplied by the time if that is above 1: smallest distance from a break that is sampled. */
#define NEAREST 0x1p-30

static int measure_errors(struct check *check, struct anim_error *error)
{
	const double *t = (const double *)(const void *)check->breaks.data;
	const struct jump *jump = (const struct jump *)(const void *)check->jumps.data;
	size_t n = check->breaks.size / sizeof *t, jumps = check->jumps.size / sizeof *jump, first = 0;
	const float *bounds = (const float *)(const void *)check->meter->fit->breaks->data;
	size_t segment = 0, segments = check->meter->fit->breaks->size / sizeof *bounds - 1;

	check->low_s = t[0];
	check->high_s = t[n - 1];
	if (anim_deviation_at(&check->deviation, t[0], 0, error) != 0)
		return -1;
	for (size_t k = 0; k + 1 < n; k++) {
		double from_s = t[k];
		double to_s = t[k + 1];
		bool floats = convert_asks_at_floats(check->meter->fit);

		/* Between measured segments, the error is within its bound. */
		while (segment + 1 < segments && (double)bounds[segment + 1] <= (from_s + to_s) / 2)
			segment++;
		if (is_known(check->meter->fit, segment)) {
			check->low_s = t[0];
			check->high_s = t[n - 1];
			if (anim_deviation_at(&check->deviation, from_s, 0, error) != 0)
				return -1;
			continue;
		}
		check->low_s = floats ? float_beside(from_s, (double)INFINITY) : from_s;
		check->high_s = floats ? float_beside(to_s, -(double)INFINITY) : to_s;
		if (!(check->low_s <= check->high_s) || !(to_s - from_s > 2 * NEAREST * fmax(1, fabs(to_s))))
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

	/*
	 * Measure the end of the clip, whose pose stays visible. A step at exactly this time is ignored, because its
	 * player may not show it.
	 */
	double end_s = t[n - 1];
	const struct convert_fitting *fit = check->meter->fit;
	double v[2][ANIM_COMPONENTS_MAX];

	if (play_jump(check, fit->breaks->size / sizeof(float) - 1, v, error) != 0)
		return -1;
	check->jump = convert_deviation(check->meter, v[0], v[1]);
	check->low_s = t[0];
	check->high_s = end_s;
	return anim_deviation_at(&check->deviation, end_s, 1, error);
}

/* Increase the errors for times between the samples, and for errors that samples cannot find. */
static void add_rounding(const struct check *check, struct convert_errors *errors)
{
	const struct convert_fitting *fit = check->meter->fit;
	/* Three angles are rounded, and their numbers can be far larger than the rotation. */
	double rounding = (fit->angles ? 2 : 1) * 0x1p-23 * check->size * fit->unit;
	double leap = fit->leap;

	errors->lasting = fmax(fmax(SPARE * errors->lasting, errors->lasting + rounding), fit->solver);
	/* Beside a jump, the target's curve is not exact either. */
	leap += leap > 0 ? fmax(errors->lasting, fit->tolerance) : 0;
	errors->worst = fmax(fmax(fmax(SPARE * errors->worst, errors->worst + rounding), leap), errors->lasting);
	if (anim_types[fit->type].quaternion) { /* the largest possible angle between two rotations */
		errors->lasting = fmin(errors->lasting, 180);
		errors->worst = fmin(errors->worst, 180);
	}
}

/* Compare the result of convert_fit with the source by playing both. Returns 0 or -1. */
static int convert_check(const struct convert_fitting *fit, const struct anim_track *track,
			 struct convert_errors *errors, struct anim_error *error)
{
	struct convert_meter meter = {.fit = fit, .clip = *fit->source->clip, .period = fit->period};
	struct check check = {.meter = &meter, .track = track};
	struct convert_errors measured = {0};
	double early_s, quiet;
	int result;

	errors->lasts_s = fit->beside_s;
	errors->lasting = fit->bound > 0 ? fit->bound + 0x1p-22 * DEGREES : 0;
	errors->worst = errors->lasting + fit->beside;
	if (memchr(fit->known->data, 0, fit->breaks->size / sizeof(float) - 1) == NULL) {
		if (!fit->approximated)
			errors->worst = errors->lasting = 0;
		return 0;
	}
	check.deviation = (struct anim_deviation){.at = errors_at, .context = &check, .quiet = fit->tolerance / 4};
	meter.clip.attrs = (struct anim_attrs){NULL, 0};
	result = find_breaks(&check, error);
	if (result == 0)
		result = measure_errors(&check, error);
	measured.lasting = anim_deviation_finish(&check.deviation, &measured.lasts_s);
	measured.worst = check.deviation.worst;
	add_rounding(&check, &measured);
	errors->lasting = fmax(errors->lasting, measured.lasting);
	errors->lasts_s = fmax(errors->lasts_s, measured.lasts_s);
	errors->worst = fmax(errors->worst, measured.worst);
	/* The source's own keys lose nothing if their player only shows them slightly earlier or later. */
	early_s = fmax(reach_of(&check, anim_source_first(fit->source)->rules, fit->jump_s),
		       reach_of(&check, track->rules, fit->jump_s));
	/* Godot's solver is not more precise for an equal curve. */
	quiet = (fit->keys->cubic == ANIM_BEZIER_2D ? SOLVED : ROUNDED) * check.size * fit->unit;
	if (!fit->approximated && errors->lasting <= fmax(fit->tolerance, quiet) &&
	    !(fit->jump_s > 0 && early_s > FAR_TOO_EARLY_S))
		errors->worst = errors->lasting = 0;
	anim_buffer_clear(&check.breaks);
	anim_buffer_clear(&check.jumps);
	anim_sample_state_clear(&meter.state);
	return result;
}

/* ======== A track under the target's rules ======== */

#define USELESS_DEGREES 90 /* a rotation that is so far off shows nothing of its source */
#define LABEL_MAX 256u     /* bytes of a track's name in a message */

/* ---- From a source ---- */

static bool is_raw(const struct anim_source *s)
{
	const struct anim_track *first = anim_source_first(s);

	for (unsigned i = 0; i < s->count; i++) {
		const struct anim_track *t = s->tracks[i];

		if (t != NULL && (t->kind != ANIM_RAW || t->n != first->n || t->start_s != first->start_s ||
				  t->step_s != first->step_s || t->rate_num != first->rate_num ||
				  t->rate_den != first->rate_den || t->interp != first->interp))
			return false;
	}
	return true;
}

static bool is_stepping(const struct anim_source *s)
{
	for (unsigned i = 0; i < s->count; i++)
		if (s->tracks[i] != NULL && s->tracks[i]->kind != ANIM_DISCRETE)
			return false;
	return true;
}

bool convert_ends_early(const struct convert *c, const struct anim_track *t)
{
	size_t size = anim_types[t->type].size, last = t->n > 1 ? t->n - 1 : 0;
	const uint8_t *value = t->value;

	return c->caps.rules == ANIM_RULES_RESONITE && last > 0 && t->type != ANIM_STRING &&
	       anim_track_shown_s(t, last, &c->filter.clip) != anim_track_time(t, last) &&
	       memcmp(value + last * size, value + (last - 1) * size, size) != 0;
}

/* A rotation for a target that has angles alone. */
static bool becomes_angles(const struct convert *c, const char *property, enum anim_type type)
{
	return c->caps.euler_only && anim_types[type].quaternion && strcmp(property, "rotation") == 0;
}

static int convert_raw(struct convert *c, const struct anim_source *s, struct anim_track *out, struct anim_error *error)
{
	const struct anim_track *from = anim_source_first(s);

	out->kind = ANIM_RAW;
	out->n = from->n;
	out->interp = from->interp;
	out->start_s = from->start_s;
	out->step_s = from->step_s;
	out->rate_num = from->rate_num;
	out->rate_den = from->rate_den;
	out->flags |= from->flags & ANIM_LAST_AT_END;
	if (from->type == ANIM_STRING) {
		out->strings = from->strings;
	} else {
		/* Convert all values of Raw tracks on a common grid into c->samples. */
		enum anim_type type = out->type;
		double v[ANIM_COMPONENTS_MAX] = {0}, last[ANIM_COMPONENTS_MAX] = {0};
		size_t size = anim_types[type].size, bytes;

		/* Tracks from Resonite keep their signs, which affect the animation there. */
		bool own = s->step == ANIM_STEP_KEEP || s->step == ANIM_STEP_REST_ROTATION ||
			   s->step == ANIM_STEP_RELATIVE_ROTATION;
		bool aligned = !(own && anim_source_first(s)->rules == ANIM_RULES_RESONITE) &&
			       c->caps.continuous_rotations && anim_types[type].quaternion;

		c->samples.size = 0;
		if (anim_size_multiply(from->n, size, &bytes, error) != 0 ||
		    anim_buffer_extend(&c->samples, bytes, error) == NULL)
			return -1;
		for (size_t k = 0; k < from->n; k++) {
			anim_source_element(s, k, v);
			if (aligned) {
				double dot = 0;

				for (int i = 0; i < 4; i++)
					dot += last[i] * v[i];
				for (int i = 0; i < 4 && dot < 0; i++)
					v[i] = 0.0 - v[i];
			}
			anim_value_store(type, v, c->samples.data + k * size);
			memcpy(last, v, sizeof last);
		}

		out->value = c->samples.data;
	}
	if (!becomes_angles(c, out->property, out->type) && (c->caps.kinds & 1u << ANIM_RAW) &&
	    !convert_ends_early(c, out) && (c->caps.raw_start || out->start_s == (double)c->filter.clip.start_s))
		return convert_put(c, out, error);

	/* Convert samples to keys that are linear or hold, like the samples. */
	float *times = anim_arena_zeroed(&c->scratch, from->n, sizeof *times, error);
	bool straight = from->interp != ANIM_HOLD && anim_type_is_real(from->type) && anim_type_is_real(out->type);

	if (times == NULL)
		return -1;
	if (from->n > 1 && from->rate_num == 0 && !(from->step_s > 0))
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "%s %s: the time between the samples is not known; set it with " ANIM_OPTION("retime", "rate"),
		    from->node, from->property);
	for (size_t k = 0; k < from->n; k++)
		times[k] = (float)(from->n > 1 ? anim_track_shown_s(from, k, &c->filter.clip) : from->start_s);
	out->time = times;
	out->flags &= ~ANIM_LAST_AT_END;
	out->kind = straight && (c->caps.kinds & 1u << ANIM_CURVE) ? ANIM_CURVE : ANIM_DISCRETE;
	out->interp = out->kind == ANIM_CURVE ? ANIM_LINEAR : ANIM_HOLD;
	out->rules = anim_types[from->type].quaternion && anim_rules_blend_components(&c->filter.clip, from->rules)
			 ? from->rules
			 : ANIM_RULES_PLAIN;
	out->start_s = out->step_s = 0;
	out->rate_num = out->rate_den = 0;
	c->meaning = (struct anim_engine_property){.property = NULL}; /* the samples have it already */
	return convert_whole(c, out, error);
}

struct shown_step {
	double t;
	bool absent; /* for texts: the player shows no value of the track */
	union {
		uint8_t value[ANIM_VALUE_MAX];
		struct anim_text text;
	} at;
};

/* Get the value that a stepping source shows at the step's time. */
static int step_value(struct anim_source *s, enum anim_type type, struct shown_step *step, struct anim_error *error)
{
	double values[1][ANIM_COMPONENTS_MAX] = {{0}};

	if (type == ANIM_STRING) {
		/* Get a text. Texts have no rest pose and no values in between, so there may be none. */
		const struct anim_track *track = s->tracks[0];
		uint8_t present;

		if (anim_sample(s->clip, track, &step->t, 1, &step->at, &present, &s->states[0], error) != 0)
			return -1;
		step->absent = !present && !anim_rest_is_blanked(track);
		s->absent += !present;
		return 0;
	}
	if (anim_source_sample(s, &step->t, 1, values, error) != 0)
		return -1;
	anim_value_store(type, values[0], &step->at);
	return 0;
}

/*
 * Add keys where integers or switches change between two times, to a precision of 5 microseconds. A change that is
 * reversed before the next sample is not found.
 */
static int find_changes(struct convert *c, struct anim_source *s, enum anim_type type, const struct shown_step *low,
			const struct shown_step *high, struct anim_error *error)
{
	struct shown_step middle = {.t = (low->t + high->t) / 2};

	if (anim_value_equal(type, &low->at, &high->at))
		return 0;
	if (c->steps.n > ANIM_KEYS_MAX / 64 || high->t - low->t <= 1e-5 * fmax(1, fabs(high->t)))
		return anim_keys_add(&c->steps, (float)high->t, &high->at, ANIM_HOLD, error);
	if (step_value(s, type, &middle, error) != 0 || find_changes(c, s, type, low, &middle, error) != 0)
		return -1;
	return find_changes(c, s, type, &middle, high, error);
}

#define PARTS 24 /* number of samples of a segment in the search for changes */

/* Return a time at which the value after break k is shown. If several keys have the same time, the last one counts. */
static double shown_at(const struct anim_source *s, const float *t, size_t n, size_t k, bool blends)
{
	double at = (double)t[k], after = at + anim_rules_near(anim_source_first(s)->rules, at);

	if (anim_source_is_late(s))
		return anim_time_just_after(at);
	return !blends && k + 1 < n && after < (double)t[k + 1] ? after : at;
}

/* Make Discrete keys with the values that the source shows. */
static int make_steps(struct convert *c, struct anim_source *s, enum anim_type type, struct anim_error *error)
{
	bool blends = type != ANIM_STRING && !is_stepping(s);
	const float *t;
	size_t n;

	if (anim_source_breaks(s, &c->breaks, error) != 0)
		return -1;
	t = (const float *)(const void *)c->breaks.data;
	n = c->breaks.size / sizeof *t;
	for (size_t k = 0; k < n; k++) {
		struct shown_step step = {.t = shown_at(s, t, n, k, blends)};

		if (step_value(s, type, &step, error) != 0)
			return -1;
		step.t = (double)t[k];

		/* Add a key at a break, unless the value does not change there and the source has no key. */
		bool first = k == 0;
		if (!step.absent) {
			size_t j = c->steps.n;
			bool key = anim_source_is_key(s, (float)step.t), same;
			struct anim_text text;

			same = j > 0 && anim_value_equal(type, anim_keys_value(&c->steps, j - 1, &text), &step.at);
			if (!same || key) {
				/*
				 * A key that exists only because the clip starts there is removed if the first key of
				 * the source has the same value.
				 */
				if (same && !first && j == 1 && !anim_source_is_key(s, anim_keys_time(&c->steps, 0)))
					anim_keys_reset(&c->steps, type);
				if (anim_keys_add(&c->steps, (float)step.t, &step.at, ANIM_HOLD, error) != 0)
					return -1;
			}
		}

		double end = (double)t[k + 1];
		if (blends && k + 1 < n) {
			struct shown_step low = step, high;
			double last = end - anim_rules_near(anim_source_first(s)->rules, end);

			for (int i = 1; i <= PARTS; i++) {
				high.t = step.t + (last - step.t) * i / PARTS;
				if (high.t <= low.t)
					continue;
				if (step_value(s, type, &high, error) != 0 ||
				    find_changes(c, s, type, &low, &high, error) != 0)
					return -1;
				low = high;
			}
		}
	}
	/* A player never sets a track that only steps and has no key inside the clip, so it gets no keys here. */
	if (s->count == 1 && is_stepping(s) && s->absent >= n)
		anim_keys_reset(&c->steps, type);
	return 0;
}

/* Convert a source to steps. Returns 0 or -1. */
static int convert_steps(struct convert *c, struct anim_source *s, struct anim_track *out, struct anim_error *error)
{
	const struct anim_track *first = anim_source_first(s);
	struct anim_track like = *out, held;
	bool discrete = (c->caps.kinds & 1u << ANIM_DISCRETE) != 0, events = first->property[0] == '@';
	struct anim_text text;
	int result = 0;

	anim_keys_reset(&c->steps, events ? first->type : out->type);
	if (events) {
		/* Copy the events inside the clip. Events are not played but fired. */
		for (size_t k = 0; k < first->n && result == 0; k++)
			if (first->time[k] >= c->filter.clip.start_s && first->time[k] <= c->filter.clip.end_s)
				result = anim_keys_add(&c->steps, first->time[k], anim_value_at(first, k, &text),
						       ANIM_HOLD, error);
	} else if (out->type != ANIM_STRING) {
		result = make_steps(c, s, out->type, error);
	} else {
		/* The text of a key is held: the mixture of two texts that some players show is not meant as a text. */
		const struct anim_track *track = s->tracks[0];

		held = *track;
		held.interp = ANIM_HOLD;
		held.interps = NULL;
		s->tracks[0] = &held;
		result = make_steps(c, s, out->type, error);
		s->tracks[0] = track;
	}
	if (result != 0)
		return -1;
	if (c->steps.n == 0) {
		/* No key: all events are outside the clip, or the track has no value inside it. */
		s->absent = 0;
		return anim_diagnostics_track(c->diagnostics, first, error,
					      events ? "only events outside the clip; left out"
						     : "never a value inside the clip; left out");
	}
	anim_keys_finish_steps(&c->steps, &like, out);
	out->component = like.component;
	out->kind = discrete ? ANIM_DISCRETE : ANIM_CURVE;
	return convert_put(c, out, error);
}

/* Return whether the track's errors are in degrees. */
static bool is_rotation(const struct convert_target *target)
{
	return anim_types[target->type].quaternion || strcmp(target->property, "euler") == 0 ||
	       strcmp(target->property, "angle") == 0;
}

/* Convert a curve and measure its error. Returns 0, -1, or 1 if the target is rigid and more keys are needed. */
static int convert_curve(struct convert *c, struct anim_source *s, const struct convert_target *target,
			 struct anim_track *out, struct convert_errors *errors, struct anim_error *error)
{
	struct convert_fitting fit = {.source = s,
				      .caps = &c->caps,
				      .keys = &c->keys,
				      .breaks = &c->breaks,
				      .known = &c->known,
				      .spare = &c->spare,
				      .type = target->type,
				      .rigid = target->rigid,
				      .rotation = is_rotation(target),
				      .angles = becomes_angles(c, target->property, target->type)};
	double bound;
	int result;

	if (fit.angles) {
		struct anim_attrs before = out->attrs;

		if (convert_choose_order(c, out, error) != 0)
			return -1;
		out->property = "euler";
		out->type = ANIM_FLOAT3;
		out->flags |= ANIM_DEGREES;
		if (anim_attrs_with(&out->attrs, &before, "order", anim_euler_order_names[c->order], &c->scratch,
				    error) != 0)
			return -1;
	}

	fit.type = out->type;
	fit.order = c->order;

	fit.unit = fit.rotation && !anim_types[fit.type].quaternion && !(out->flags & ANIM_DEGREES) ? 180 / ANIM_PI : 1;

	/*
	 * The largest error of a curve. Errors of a transform move all nodes below it, and small things are looked at
	 * closely. So the default is smaller if a part of a transform gets its one form for Godot from curves that
	 * Godot has for components only: a share of the largest value of a position or scale, and a quarter of the
	 * limit of other rotations.
	 */
	const double share = 2e-5, aligned = 0.25;
	double largest = 0, tolerance = fit.rotation ? c->tol_deg : c->tol;

	if (c->asked || !convert_has_one_form(c, out)) {
		fit.tolerance = tolerance;
	} else if (fit.rotation) {
		fit.tolerance = aligned * tolerance;
	} else {
		for (unsigned i = 0; i < s->count; i++)
			for (size_t k = 0; s->tracks[i] != NULL && k < s->tracks[i]->n; k++)
				for (unsigned at = 0; at < anim_types[s->tracks[i]->type].components; at++)
					largest =
					    fmax(largest,
						 fabs(anim_component(s->tracks[i]->type, s->tracks[i]->value, k, at)));
		fit.tolerance = largest > 0 ? fmin(tolerance, share * largest) : tolerance;
	}

	result = convert_fit(&fit, out, &bound, error);
	if (result == 1 && bound >= 0) {
		errors->lasting = bound;
		errors->worst = bound > 0 ? bound + fit.beside : 0; /* 0: the source's own keys, slightly earlier */
		errors->lasts_s = fit.beside_s;
		return convert_put(c, out, error);
	}
	if (result == 0 && target->rigid)
		return 1;
	if (result == 0)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "track '%s %s' is not supported by %s; " ANIM_ADVICE_TO(SAMPLE, "30"), out->node,
				 out->property, c->caps.format);
	if (result < 0)
		return -1;
	if (!fit.direct && convert_check(&fit, out, errors, error) != 0)
		return -1;
	errors->is_useless = fit.exhausted && fit.rotation && errors->lasting > USELESS_DEGREES;
	if (fit.not_finite &&
	    anim_diagnostics_warn(c->diagnostics, "track", error,
				  "'%s %s': values that are not finite; the values before them are held", out->node,
				  out->property) != 0)
		return -1;
	return convert_put(c, out, error);
}

/* Report the error. If it is much larger for brief moments only, report both errors. */
static int add_error(struct convert *c, const char *noun, const struct convert_errors *errors, bool degrees,
		     struct anim_error *error, const char *what, const char *label)
{
	bool peaks = errors->worst > 2 * errors->lasting;

	if (anim_diagnostics_add_error(c->diagnostics, noun, peaks ? errors->lasting : errors->worst,
				       degrees ? "degrees" : "units", error, "'%s': %s", label, what) != 0)
		return -1;
	if (peaks)
		anim_diagnostics_peak(c->diagnostics, errors->worst, errors->lasts_s);
	return 0;
}

/* Report the approximation of a track. If warnings are forbidden, one that is not tolerated is an error. */
static int report_error(struct convert *c, const struct anim_track *t, const struct convert_target *target,
			const struct convert_errors *errors, struct anim_error *error)
{
	const char *unit = is_rotation(target) ? "degrees" : "units";
	char label[LABEL_MAX];

	anim_track_label(t, label, sizeof label);
	if (c->strict && !anim_diagnostics_tolerates(c->diagnostics, errors->lasting, unit))
		return anim_fail(error, ANIM_STRICT,
				 "track '%s' can only be approximated in %s: stopped by " ANIM_OPTION("emit", "strict"),
				 label, c->caps.format);
	if (errors->is_useless)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "track '%s' turns too fast between its keys for %s: %.3g degrees off, however many "
				 "keys are added; " ANIM_ADVICE(CUT_TIME),
				 label, c->caps.format, errors->lasting);
	if (becomes_angles(c, target->property, target->type))
		return errors->worst > 0 ? add_error(c, "rotation", errors, true, error, "became Euler angles", label)
					 : 0;
	if (target->became_rotation && errors->worst > 0)
		return add_error(c, "track of Euler angles", errors, true, error, "became quaternions", label);
	if (target->became_rotation && anim_track_is_captured(t))
		return 0;
	if (target->became_rotation)
		return anim_diagnostics_note(c->diagnostics, "track of Euler angles", error, "'%s': became quaternions",
					     label);
	if (!(errors->worst > 0))
		return 0;
	if (anim_types[target->type].quaternion)
		return add_error(c, "rotation", errors, true, error, "approximated", label);
	return add_error(c, "curve", errors, is_rotation(target), error, "approximated", label);
}

/* Return whether the track has integers that a float cannot represent exactly. */
static bool is_rounded(const struct anim_track *t)
{
	static const double exact = 0x1p53;

	for (size_t k = 0; k < t->n; k++)
		for (unsigned component = 0; component < anim_types[t->type].components; component++) {
			double v = anim_component(t->type, t->value, k, component);

			if ((double)(float)v != v || fabs(v) > exact)
				return true;
		}
	return false;
}

int convert_track(struct convert *c, struct anim_source *s, const struct anim_track *like,
		  const struct convert_target *target, struct anim_error *error)
{
	size_t left_out = c->diagnostics->left_out;
	struct anim_track out;
	struct convert_errors errors = {0};
	int result;
	static const struct anim_track none;

	out = none;
	out.type = target->type;
	out.rules = c->caps.rules;
	out.node = like->node;
	out.property = target->property;
	out.component = like->component;
	out.flags = like->flags & c->caps.flags & ~(ANIM_UNSORTED | ANIM_LOOP_WRAP_KEYS);
	if (target->step >= ANIM_STEP_RELATIVE_POSITION && target->step <= ANIM_STEP_RELATIVE_SCALE)
		out.flags |= ANIM_REST_RELATIVE;
	out.attrs = like->attrs;
	s->step = target->step;
	anim_source_open(s, convert_rest(c, like->node));
	if (is_raw(s) && !(becomes_angles(c, target->property, target->type) && convert_keeps_angles(s, c->order)))
		result = convert_raw(c, s, &out, error);
	else if (!becomes_angles(c, target->property, target->type) &&
		 (is_stepping(s) || s->step == ANIM_STEP_TRUTH || !anim_type_is_real(target->type) ||
		  !anim_type_is_real(anim_source_first(s)->type)))
		result = convert_steps(c, s, &out, error);
	else
		result = convert_curve(c, s, target, &out, &errors, error);
	anim_source_close(s);
	if (result == 1)
		return 1;
	if (result == 0 && c->diagnostics->left_out != left_out)
		return 0;
	if (result == 0) {
		/* Report strings that blend, because only the source's engine can do that. */
		result = like->type != ANIM_STRING || like->kind != ANIM_CURVE || like->n < 2 ||
				 !anim_track_has_interp(like, ANIM_LINEAR)
			     ? 0
			     : anim_diagnostics_track(
				   c->diagnostics, like, error,
				   "each text is held, because the target cannot blend from text to text");
	}
	if (result == 0) {
		/* Resonite does not document the curve between Tangent keys, so the most likely one was converted. */
		result = like->kind != ANIM_CURVE || like->n < 2 || like->rules != ANIM_RULES_RESONITE ||
				 !anim_track_has_interp(like, ANIM_TANGENT)
			     ? 0
			     : anim_diagnostics_track(c->diagnostics, like, error,
						      "the curve of Tangent keys, which Resonite does not document, "
						      "was read as a Hermite curve");
	}
	if (result == 0) {
		bool rounded = false;

		for (unsigned i = 0; i < s->count && anim_type_is_real(target->type); i++)
			rounded = rounded || (s->tracks[i] != NULL && !anim_type_is_real(s->tracks[i]->type) &&
					      is_rounded(s->tracks[i]));
		if (!rounded) {
			result = 0;
		} else {
			result = anim_diagnostics_track(c->diagnostics, like, error,
							"integers that are too large for floats were rounded");
		}
	}
	if (result == 0) {
		const struct anim_track *first = anim_source_first(s);

		/*
		 * In every version of Godot a text appears only at its first key. In other engines its first value
		 * applies from the start.
		 */
		if (s->absent == 0 || (first->type == ANIM_STRING && anim_rules_are_godot(c->caps.rules))) {
			result = 0;
		} else if (anim_rest_is_reset(first)) {
			result = anim_rest_report_reset(c->diagnostics, first, error);
		} else {
			result = anim_diagnostics_track(
			    c->diagnostics, like, error,
			    "no value in parts of the clip; the rest pose or the first value is used there");
		}
	}
	return result != 0 ? -1 : report_error(c, like, target, &errors, error);
}
