/* rules_plain.c: tracks of no engine in particular: ends as the track says, modes as the stream defines them. */
#include <math.h>
#include <string.h>

#include "clip/blend.h"
#include "math/cubic.h"

static void prepare(struct anim_sampler *s)
{
	s->usable = s->track->n;
	s->tolerance = 0x1p-1000; /* a key counts from its very time on */
}

/* `t` brought between the first and last key as this end says; false where there is nothing. */
static bool bring_inside(enum anim_ends end, double first, double last, double *t)
{
	double span = last - first, turns;

	if (end == ANIM_ENDS_NONE)
		return false;
	if (end == ANIM_ENDS_HOLD || !(span > 0)) {
		*t = *t < first ? first : last;
		return true;
	}
	turns = fmod(*t - first, end == ANIM_ENDS_PINGPONG ? 2 * span : span);
	if (turns < 0)
		turns += end == ANIM_ENDS_PINGPONG ? 2 * span : span;
	if (turns > span)
		turns = 2 * span - turns;
	*t = first + turns;
	return true;
}

static size_t at_most(size_t k, size_t last)
{
	return k < last ? k : last;
}

static void fill_neighbours(const struct anim_track *track, struct anim_segment *segment)
{
	double start = anim_track_time(track, segment->from);

	segment->before = segment->from > 0 ? segment->from - 1 : 0;
	segment->after = at_most(segment->to + 1, track->n - 1);
	segment->to_t = (float)(anim_track_time(track, segment->to) - start);
	segment->before_t = (float)(anim_track_time(track, segment->before) - start);
	segment->after_t = (float)(anim_track_time(track, segment->after) - start);
}

/*
 * The sample at or before t and how far it is behind, 0..1. A time that is a sample's up to rounding is taken as it;
 * samples that hold begin a whole frame's tolerance early, so that a grid in float32 does not show the sample before.
 */
static size_t raw_position(const struct anim_track *track, double t, double *weight)
{
	double at, whole, near;

	if (track->rate_num != 0)
		at = (t - track->start_s) * (double)track->rate_num / (double)track->rate_den;
	else
		at = (t - track->start_s) / track->step_s;
	whole = rint(at);
	near = fabs(at) * (track->interp == ANIM_HOLD ? 0x1p-23 : 0x1p-50);
	if (track->interp == ANIM_HOLD)
		near = near < 1e-4 ? 1e-4 : near > 0.01 ? 0.01 : near;
	if (fabs(at - whole) > near)
		whole = floor(at);
	whole = whole < 0 ? 0 : whole > (double)(track->n - 1) ? (double)(track->n - 1) : whole;
	*weight = at - whole > 0 && fabs(at - whole) > near ? at - whole : 0;
	return (size_t)whole;
}

static void locate_raw(const struct anim_track *track, double t, struct anim_segment *segment)
{
	segment->from = raw_position(track, t, &segment->weight);
	segment->to = at_most(segment->from + 1, track->n - 1);
	segment->duration = anim_track_time(track, segment->to) - anim_track_time(track, segment->from);
	segment->hold = segment->from == segment->to;
}

/* Key k is the last at or before t. */
static bool is_at(const struct anim_track *track, size_t k, double t)
{
	return (track->flags & ANIM_UNSORTED) == 0 && k < track->n && (double)track->time[k] <= t &&
	       (k + 1 == track->n || t < (double)track->time[k + 1]);
}

static void locate_curve(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	const struct anim_track *track = s->track;
	size_t cursor = s->state->cursor, from;

	if (is_at(track, cursor, t)) {
		from = cursor;
	} else if (is_at(track, cursor + 1, t)) {
		from = cursor + 1;
	} else {
		ptrdiff_t found = anim_find_key(track->time, track->n, t);

		from = found < 0 ? 0 : (size_t)found;
	}
	s->state->cursor = from;
	segment->from = from;
	segment->to = at_most(from + 1, track->n - 1);
	segment->duration = (double)track->time[segment->to] - (double)track->time[from];
	segment->weight = segment->duration > 0 ? (t - (double)track->time[from]) / segment->duration : 0;
	segment->weight = segment->weight > 0 ? segment->weight : 0;
	segment->hold = from == segment->to;
}

static bool locate(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	const struct anim_track *track = s->track;
	double first, last;

	if (track->n == 0)
		return false;
	first = anim_track_time(track, 0);
	last = anim_track_time(track, track->n - 1);
	if (track->kind == ANIM_RAW && track->n == 1)
		first = last = track->start_s;
	if (t < first && !bring_inside((enum anim_ends)track->before, first, last, &t))
		return false;
	if (t > last && !bring_inside((enum anim_ends)track->after, first, last, &t))
		return false;
	if (track->kind == ANIM_RAW && track->n > 1)
		locate_raw(track, t, segment);
	else if (track->kind == ANIM_RAW)
		*segment = (struct anim_segment){.hold = true};
	else
		locate_curve(s, t, segment);
	segment->weight = anim_segment_ease(track, segment->from, segment->weight);
	if (s->neighbours)
		fill_neighbours(track, segment);
	return true;
}

static void blend_cubic(const struct anim_track *track, bool in_time, const struct anim_segment *segment,
			double out[ANIM_LANES_MAX])
{
	const struct anim_type_info *info = &anim_types[track->type];
	struct anim_cubic_keys keys;

	anim_cubic_keys_load(track, segment, &keys);
	if (info->quaternion) {
		anim_blend_cubic_quat(&keys, segment, in_time, out);
		return;
	}
	for (unsigned lane = 0; lane < info->lanes; lane++)
		out[lane] = in_time ? anim_blend_cubic_lane(&keys, segment, lane, info->scalar == ANIM_SCALAR_F32)
				    : anim_catmull_rom_double(keys.from[lane], keys.to[lane], keys.before[lane],
							      keys.after[lane], segment->weight);
}

static void blend_linear(const struct anim_track *track, const struct anim_segment *segment, double out[ANIM_LANES_MAX])
{
	double to[ANIM_LANES_MAX];

	anim_value_load(track, segment->from, out);
	anim_value_load(track, segment->to, to);
	anim_blend_linear(track->type, out, to, segment->weight, out);
}

/* Raw samples of what has no values in between. */
static bool raw_holds(const struct anim_track *track)
{
	return track->kind == ANIM_RAW && !anim_type_is_real(track->type);
}

static int blend(struct anim_sampler *s, enum anim_interp mode, const struct anim_segment *segment, void *out,
		 struct anim_error *error)
{
	const struct anim_track *track = s->track;
	double lanes[ANIM_LANES_MAX];

	if (raw_holds(track) || track->type == ANIM_STRING || anim_types[track->type].scalar == ANIM_SCALAR_BOOL) {
		bool second = !raw_holds(track) && segment->weight >= 0.5;

		anim_value_copy(track, second ? segment->to : segment->from, out);
		return 0;
	}
	switch (mode) {
	case ANIM_LINEAR:
		blend_linear(track, segment, lanes);
		break;
	case ANIM_CUBIC_TIME:
	case ANIM_CUBIC_UNIFORM:
		blend_cubic(track, mode == ANIM_CUBIC_TIME, segment, lanes);
		break;
	case ANIM_LINEAR_ANGLE:
	case ANIM_CUBIC_ANGLE:
		lanes[0] = anim_blend_angle(track, segment, mode == ANIM_CUBIC_ANGLE);
		break;
	default:
		if (!anim_blend_curve(track, mode, segment, lanes))
			return anim_fail(error, ANIM_UNSUPPORTED, "%s keys are not played under %s rules",
					 anim_interp_names[mode], anim_rules_names[track->rules]);
	}
	anim_value_store(track->type, lanes, out);
	return 0;
}

const struct anim_rules_ops anim_rules_plain = {prepare, locate, blend};
