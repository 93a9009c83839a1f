/* track.c: which tracks can have fewer keys, and one track with fewer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "filter/reduce/internal.h"
#include "math/elementary.h"

#define ROUNDS_MAX 32u /* of keys that come back; each brings at least one, and most tracks need none */

/* ---- Which tracks, and what an error of theirs is ---- */

/* Straight lines from key to key, as every player here draws them. */
static bool is_straight(const struct anim_track *track)
{
	if (track->kind == ANIM_RAW)
		return track->interp == ANIM_LINEAR && !isnan(anim_track_time(track, 0));
	if (track->kind != ANIM_CURVE)
		return false;
	for (size_t k = 0; k + 1 < track->n; k++)
		if (anim_track_interp(track, k) != ANIM_LINEAR || (track->ease != NULL && track->ease[k] != 1))
			return false;
	return true;
}

static bool has_good_times(const struct anim_track *track, const struct anim_clip *clip)
{
	double before = (double)clip->start_s, end_s = (double)clip->end_s;

	for (size_t k = 0; k < track->n; k++) {
		double t = anim_track_time(track, k);

		/* the last sample of a Raw track may cover the end */
		if (!(t >= before) || (t > end_s && (track->kind != ANIM_RAW || k + 1 < track->n)))
			return false;
		before = t;
	}
	return true;
}

static bool is_property(const struct anim_track *track, const char *name)
{
	return strcmp(track->property, name) == 0 && anim_track_is_transform(track);
}

/* Angles about axes add up to no more than their sum. */
static double angle_limit(const struct anim_track *track, double degrees)
{
	double each = track->component == ANIM_WHOLE ? degrees / anim_types[track->type].components : degrees / 3;

	return track->flags & ANIM_DEGREES ? each : each * ANIM_PI / 180;
}

enum reduce_metric reduce_limit(const struct anim_track *track, const struct anim_clip *clip,
				const struct anim_limits *limits, double *limit)
{
	bool flat = anim_types[track->type].components == 2 && clip->axes2d == ANIM_AXES2D_GODOT;
	enum anim_unit length = flat ? ANIM_UNIT_PIXELS : ANIM_UNIT_LENGTH;

	if (anim_types[track->type].quaternion) {
		*limit = anim_limits_find(limits, ANIM_UNIT_ANGLE, track->property) * ANIM_PI / 180;
		return REDUCE_TURN;
	}
	if (is_property(track, "euler") || is_property(track, "angle")) {
		*limit = angle_limit(track, anim_limits_find(limits, ANIM_UNIT_ANGLE, track->property));
		return REDUCE_LARGEST;
	}
	if (is_property(track, "position")) {
		*limit = anim_limits_find(limits, length, track->property);
		return REDUCE_LENGTH;
	}
	*limit = anim_limits_find(limits, ANIM_UNIT_PLAIN, track->property) * (track->flags & ANIM_PERCENT ? 100 : 1);
	return REDUCE_LARGEST;
}

bool reduce_can(const struct anim_track *track, const struct anim_clip *clip)
{
	bool turned_lane = track->component != ANIM_WHOLE && strcmp(track->property, "rotation") == 0;
	/* samples of Euler angles may be blended as rotations; anim-bake makes these of them */
	bool angles = track->kind == ANIM_RAW && strcmp(track->property, "euler") == 0;

	return track->n > 1 && anim_type_is_real(track->type) &&
	       anim_types[track->type].components <= REDUCE_COMPONENTS && !turned_lane && !angles &&
	       !(track->flags & (ANIM_UNSORTED | ANIM_DISABLED)) && is_straight(track) && has_good_times(track, clip);
}

/* ---- One track ---- */

static int reserve(struct anim_buffer *buffer, size_t count, size_t size, struct anim_error *error)
{
	size_t bytes;

	buffer->size = 0;
	return anim_size_multiply(count, size, &bytes, error) != 0 || anim_buffer_extend(buffer, bytes, error) == NULL
		   ? -1
		   : 0;
}

/* Chords between rotations instead of arcs. */
static bool blends_components(const struct anim_clip *clip, enum anim_rules rules)
{
	const char *slerp = anim_attrs_get(&clip->attrs, "resonite.slerp");

	return rules == ANIM_RULES_UNITY ||
	       (rules == ANIM_RULES_RESONITE && (slerp == NULL || strcmp(slerp, "true") != 0));
}

static void normalise(double q[4])
{
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

	for (int i = 0; i < 4 && length > 0; i++)
		q[i] /= length;
}

int reduce_read(struct reduce_work *work, const struct anim_clip *clip, const struct anim_track *track,
		enum reduce_metric metric, enum anim_rules rules, struct reduce_run *run, double **limits,
		struct anim_error *error)
{
	unsigned components = anim_types[track->type].components;
	double *time, *value;

	if (reserve(&work->time, track->n, sizeof *time, error) != 0 ||
	    reserve(&work->value, track->n * components, sizeof *value, error) != 0 ||
	    reserve(&work->limit, track->n, sizeof **limits, error) != 0)
		return -1;
	time = (double *)(void *)work->time.data;
	value = (double *)(void *)work->value.data;
	*limits = (double *)(void *)work->limit.data;
	for (size_t k = 0; k < track->n; k++) {
		time[k] = anim_track_time(track, k);
		anim_components(track->type, track->value, k, value + k * components);
		if (metric == REDUCE_TURN)
			normalise(value + k * components);
	}
	*run = (struct reduce_run){.metric = metric,
				   .components = components,
				   .by_component = blends_components(clip, rules),
				   .n = track->n,
				   .time = time,
				   .value = value,
				   .limit = *limits};
	return 0;
}

/* What float32 makes of the values between the keys is kept free. */
static void set_limits(const struct reduce_run *run, double limit, double *limits)
{
	double largest = 0;

	for (size_t i = 0; i < run->n * run->components; i++)
		largest = fmax(largest, fabs(run->value[i]));
	for (size_t k = 0; k < run->n; k++)
		limits[k] = limit - 4 * 0x1p-24 * largest;
}

/* Rotations between their keys are bounded by more than what they are off at these: the limits there are lower. */
static void lower_limits(const struct reduce_run *run, double limit, double *limits)
{
	double before = 0;

	for (size_t k = 0; k < run->n; k++) {
		const double *a = run->value + 4 * k, *b = k + 1 < run->n ? a + 4 : a;
		double minus = 0, plus = 0, turn, surplus;

		for (int i = 0; i < 4; i++) {
			minus += (a[i] - b[i]) * (a[i] - b[i]);
			plus += (a[i] + b[i]) * (a[i] + b[i]);
		}
		turn = 4 * anim_atan2(sqrt(fmin(minus, plus)), sqrt(fmax(minus, plus)));
		surplus = reduce_turn_surplus(fmax(turn, before), fmax(turn, before) + 2 * limit);
		limits[k] = (limit - surplus) * anim_cos(fmin(fmax(turn, before), ANIM_PI) / 4) * 0.999 - 1e-7;
		before = turn;
	}
}

int reduce_build(struct reduce_work *work, const struct anim_track *track, const uint8_t *keep, enum anim_rules rules,
		 struct anim_track *out, struct anim_error *error)
{
	size_t size = anim_types[track->type].size;

	anim_keys_reset(&work->keys, track->type);
	for (size_t k = 0; k < track->n; k++)
		if (keep[k] && anim_keys_add(&work->keys, (float)anim_track_time(track, k),
					     (const uint8_t *)track->value + k * size, ANIM_LINEAR, error) != 0)
			return -1;
	*out = *track;
	out->kind = ANIM_CURVE;
	out->start_s = out->step_s = 0;
	out->rate_num = out->rate_den = 0;
	if (rules != ANIM_RULES_COUNT)
		out->rules = rules;
	memset(out->column, 0, sizeof out->column);
	anim_keys_finish(&work->keys, out);
	return 0;
}

/* Keys that come back until the bound holds, which it does with all of them at the latest. 0 or -1. */
static int certify(struct reduce_work *work, const struct reduce_job *job, const struct anim_track *track,
		   enum reduce_metric metric, struct anim_track *out, struct reduce_proof *proof,
		   struct anim_error *error)
{
	bool more = true;

	for (unsigned round = 0; more; round++) {
		if (round == ROUNDS_MAX)
			memset(work->keep.data, 1, track->n);
		if (reduce_build(work, track, work->keep.data, job->rules, out, error) != 0 ||
		    reduce_prove(job->clip, track, out, metric, job->limit, work->keep.data, &more, proof, error) != 0)
			return -1;
	}
	return 0;
}

int reduce_track(struct reduce_work *work, const struct reduce_job *job, const struct anim_track *track,
		 enum reduce_metric metric, struct anim_track *out, struct reduce_proof *proof,
		 struct anim_error *error)
{
	enum anim_rules rules = job->rules != ANIM_RULES_COUNT ? job->rules : track->rules;
	struct reduce_run run;
	double *limits;

	if (reserve(&work->keep, track->n, 1, error) != 0 ||
	    reduce_read(work, job->clip, track, metric, rules, &run, &limits, error) != 0)
		return -1;
	if (metric == REDUCE_TURN)
		lower_limits(&run, job->limit, limits);
	else
		set_limits(&run, job->limit, limits);
	if (reduce_choose(&run, job->fast, work->keep.data, error) != 0)
		return -1;
	return certify(work, job, track, metric, out, proof, error);
}

void reduce_work_clear(struct reduce_work *work)
{
	anim_buffer_clear(&work->time);
	anim_buffer_clear(&work->value);
	anim_buffer_clear(&work->limit);
	anim_buffer_clear(&work->keep);
	anim_keys_clear(&work->keys);
}
