/* span.c: finds the keys of a track that decide its values in a part of its clip. */
#include "clip/span.h"

#include <math.h>

int anim_range_of_clip(struct anim_range *range, const struct anim_clip *clip, const struct anim_time_range *asked,
		       struct anim_error *error)
{
	double frame_s = !asked->frames ? 1 : (double)clip->rate_den / (double)clip->rate_num;
	double from_s = asked->from * frame_s, to_s = asked->to * frame_s;

	if (asked->frames && clip->rate_num == 0)
		return anim_fail(error, ANIM_UNSUPPORTED, "clip '%.100s' has no frame rate; give the range in seconds",
				 clip->name);
	if (from_s > to_s || from_s > (double)clip->end_s || to_s < (double)clip->start_s)
		return 0;
	range->start_s = from_s > (double)clip->start_s ? (float)from_s : clip->start_s;
	range->end_s = to_s < (double)clip->end_s ? (float)to_s : clip->end_s;
	return 1;
}

bool anim_range_is_whole(const struct anim_range *range, const struct anim_clip *clip)
{
	return range->start_s == clip->start_s && range->end_s == clip->end_s;
}

size_t anim_span_reach(const struct anim_track *track)
{
	switch (track->interp) {
	case ANIM_CUBIC_TIME:
	case ANIM_CUBIC_UNIFORM:
	case ANIM_CUBIC_ANGLE:
	case ANIM_INTERP_COLUMN:
		return 1;
	default:
		return 0;
	}
}

bool anim_span_follows_clip(const struct anim_track *track)
{
	return track->kind != ANIM_RAW && anim_rules_are_godot(track->rules);
}

static bool goes_on(uint8_t ends)
{
	return ends == ANIM_EXTRAPOLATION_LOOP || ends == ANIM_EXTRAPOLATION_PINGPONG;
}

/* Return true if the range extends beyond the outermost keys into a repetition of them. */
static bool repeats(const struct anim_track *track, const struct anim_range *range, double first_s, double last_s)
{
	return (goes_on(track->pre) && (double)range->start_s < first_s) ||
	       (goes_on(track->post) && (double)range->end_s > last_s);
}

static void all_keys(struct anim_span *span, const struct anim_track *track)
{
	span->first = 0;
	span->count = track->n;
}

/* Set the span to keys from .. to (not included). They are signed, so that missing neighbours can be requested. */
static void between(struct anim_span *span, const struct anim_track *track, ptrdiff_t from, ptrdiff_t to)
{
	ptrdiff_t n = (ptrdiff_t)track->n;

	from = from < 0 ? 0 : from;
	to = to > n ? n : to;
	span->first = (size_t)from;
	span->count = to > from ? (size_t)(to - from) : 0;
}

/*
 * Return the position of a time among the samples. A time that equals a sample time up to rounding is that sample, as
 * in sampling.
 */
static double sample_at(const struct anim_track *track, double t)
{
	double at = track->rate_num != 0 ? (t - track->start_s) * (double)track->rate_num / (double)track->rate_den
					 : (t - track->start_s) / track->step_s;
	double whole = rint(at);

	if (fabs(at - whole) <= fabs(at) * 0x1p-50)
		return whole;
	/* The ends of a range are floats. */
	return whole >= 0 && whole < (double)track->n && (float)anim_track_time(track, (size_t)whole) == (float)t
		   ? whole
		   : at;
}

void anim_span_of_raw(struct anim_span *span, const struct anim_track *track, const struct anim_range *range)
{
	bool timed = track->rate_num != 0 || track->step_s > 0;
	double last = (double)track->n - 1, from, to;

	all_keys(span, track);
	if (track->n < 2 || !timed ||
	    repeats(track, range, anim_track_time(track, 0), anim_track_time(track, track->n - 1)))
		return;
	from = fmin(fmax(floor(sample_at(track, (double)range->start_s)), 0), last);
	to = fmin(fmax(ceil(sample_at(track, (double)range->end_s)), from), last);
	between(span, track, (ptrdiff_t)from, (ptrdiff_t)to + 1);
}

void anim_span_count(struct anim_span_counts *counts, const float *time, size_t n, const struct anim_range *range)
{
	const float limit[2] = {range->start_s, range->end_s};
	size_t found[2];

	for (int i = 0; i < 2; i++) {
		size_t low = 0, high = n;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (time[middle] <= limit[i])
				low = middle + 1;
			else
				high = middle;
		}
		found[i] = low;
	}
	counts->to_start = found[0];
	counts->to_end = found[1];
	while (found[0] > 0 && time[found[0] - 1] == range->start_s)
		found[0]--;
	counts->before_start = found[0];
}

/*
 * A track that only steps needs the key that holds at the start. Resonite still shows it at the exact time of the
 * next.
 */
static void span_of_steps(struct anim_span *span, const struct anim_track *track, const struct anim_span_counts *counts)
{
	size_t started = track->rules == ANIM_RULES_RESONITE ? counts->before_start : counts->to_start;
	ptrdiff_t first = started > 0 ? (ptrdiff_t)started - 1 : 0;

	between(span, track, first, (ptrdiff_t)counts->to_end > first ? (ptrdiff_t)counts->to_end : first + 1);
}

void anim_span_of_keys(struct anim_span *span, const struct anim_track *track, const struct anim_range *range,
		       const struct anim_span_counts *counts, double first_s, double last_s)
{
	ptrdiff_t more = 1 + (ptrdiff_t)anim_span_reach(track);

	if (track->flags & ANIM_UNSORTED)
		all_keys(span, track);
	else if (track->property[0] == '@')
		between(span, track, (ptrdiff_t)counts->before_start, (ptrdiff_t)counts->to_end);
	else if (repeats(track, range, first_s, last_s))
		all_keys(span, track);
	else if (track->kind == ANIM_DISCRETE || track->interp == ANIM_HOLD)
		span_of_steps(span, track, counts);
	else
		between(span, track, (ptrdiff_t)counts->before_start - more, (ptrdiff_t)counts->to_end + more);
}

void anim_span_of_track(struct anim_span *span, const struct anim_track *track, const struct anim_range *range)
{
	struct anim_span_counts counts;

	all_keys(span, track);
	if (track->n == 0 || (track->flags & ANIM_UNSORTED))
		return;
	anim_span_count(&counts, track->time, track->n, range);
	anim_span_of_keys(span, track, range, &counts, (double)track->time[0], (double)track->time[track->n - 1]);
}
