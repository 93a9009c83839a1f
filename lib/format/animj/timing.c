/* timing.c: key times as AnimJ has them: sorted, from 0, or an interval. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "clip/keys.h"
#include "format/animj/writer.h"

/* A track whose times are in disorder: sorted, warned of. */
static int sort(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	struct anim_track unsorted = track->track;

	if (anim_track_sorted(&track->track, &unsorted, &writer->scratch, error) != 0)
		return -1;
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
			       "tracks had keys out of order and were sorted", error,
			       "track '%s' had keys out of order and was sorted", track->label);
}

/* Times from the clip's start. */
static int shift(struct animj_writer *writer, struct anim_track *t, struct anim_error *error)
{
	float *times;

	if (writer->clip.start_s == 0 && !signbit(t->time[0]))
		return 0;
	times = anim_arena_alloc(&writer->scratch, t->n * sizeof *times, error);
	if (times == NULL)
		return -1;
	for (size_t k = 0; k < t->n; k++)
		times[k] = (float)((double)t->time[k] - (double)writer->clip.start_s) + 0.0f; /* no -0 */
	t->time = times;
	return 0;
}

static int refuse_negative(const struct animj_track *track, float first_s, struct anim_error *error)
{
	char text[ANIM_NUMBER_MAX];
	int length = (int)anim_number_print_float(text, -first_s);

	return anim_fail(error, ANIM_UNSUPPORTED,
			 "track '%s' has keys up to %.*s s before the clip's start, animj has no such times: put "
			 "'anim-retime --shift %.*s' or 'anim-resample 30' before this",
			 track->label, length, text, length, text);
}

/* What became of the times: from 0 on, and still numbers. */
static int check_times(struct animj_writer *writer, const struct animj_track *track, struct anim_error *error)
{
	const struct anim_track *t = &track->track;
	float first_s = t->time[0], last_s = t->time[t->n - 1];

	if (!isfinite(first_s) || !isfinite(last_s))
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%s': a time is too large for animj", track->label);
	if (first_s < 0)
		return refuse_negative(track, first_s, error);
	if (writer->last_s < last_s)
		writer->last_s = last_s;
	return 0;
}

/* True where the engine goes on between the outer keys and the ends of the clip, and AnimJ holds. */
static bool goes_on(const struct animj_writer *writer, const struct anim_track *t)
{
	size_t size = anim_types[t->type].size;
	float length_s = writer->clip.end_s - writer->clip.start_s;
	bool late = t->time[0] > 0, early = t->time[t->n - 1] < length_s;
	bool godot = t->rules == ANIM_RULES_GODOT4 || t->rules == ANIM_RULES_GODOT3;

	if (t->kind != ANIM_CURVE || t->n < 2)
		return false;
	if ((late && t->before != ANIM_ENDS_HOLD) || (early && t->after != ANIM_ENDS_HOLD))
		return true;
	if (!godot || writer->clip.loop != ANIM_LOOP_WRAP || (t->flags & ANIM_LOOP_WRAP_KEYS) == 0)
		return false;
	if (size > 0 && memcmp(t->value, (const unsigned char *)t->value + (t->n - 1) * size, size) == 0)
		return false;
	return late || (early && anim_track_interp(t, t->n - 1) != ANIM_HOLD);
}

static int warn_of_ends(struct animj_writer *writer, const struct animj_track *track, struct anim_error *error)
{
	const struct anim_track *t = &track->track;
	struct anim_losses *losses = writer->options.losses;
	double last_s = (double)t->time[t->n - 1];

	if (last_s > (double)writer->clip.end_s - (double)writer->clip.start_s &&
	    anim_losses_add(
		losses, ANIM_WARNING, NULL,
		"tracks have keys past their clip's end, which Resonite plays: put 'anim-resample 30' before this",
		error,
		"track '%s' has keys past its clip's end, which Resonite plays: put 'anim-resample 30' before this",
		track->label) != 0)
		return -1;
	if (!goes_on(writer, t))
		return 0;
	return anim_losses_add(
	    losses, ANIM_WARNING, NULL,
	    "tracks go on beyond their outer keys, where animj holds: put 'anim-resample 30' before this", error,
	    "track '%s' goes on beyond its outer keys, where animj holds: put 'anim-resample 30' before this",
	    track->label);
}

static int time_keys(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;

	if ((t->flags & ANIM_UNSORTED) != 0 && sort(writer, track, error) != 0)
		return -1;
	if (shift(writer, t, error) != 0 || check_times(writer, track, error) != 0)
		return -1;
	return warn_of_ends(writer, track, error);
}

/* Samples become keys, for AnimJ's Raw begins at 0 and is interpolated. */
static int keys_of_raw(struct animj_writer *writer, struct animj_track *track, enum anim_kind kind,
		       struct anim_error *error)
{
	struct anim_track *t = &track->track;
	float *times = anim_arena_alloc(&writer->scratch, t->n * sizeof *times, error);

	if (times == NULL)
		return -1;
	for (size_t k = 0; k < t->n; k++)
		times[k] = (float)(anim_track_time(t, k) - (double)writer->clip.start_s);
	t->kind = kind;
	t->time = times;
	return check_times(writer, track, error);
}

static int time_samples(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;
	bool real = anim_type_is_real(t->type), holds = t->interp == ANIM_HOLD || !real;
	double step_s = t->rate_num != 0 ? (double)t->rate_den / (double)t->rate_num : t->step_s;
	float last_s;

	if (step_s == 0)
		return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
				       "tracks have samples of unknown interval and are written without one", error,
				       "track '%s' has samples of unknown interval and is written without one",
				       track->label);
	if (writer->options.raw_as_curve || t->start_s != (double)writer->clip.start_s || (real && holds)) {
		t->interp = holds ? ANIM_HOLD : ANIM_LINEAR;
		return keys_of_raw(writer, track, holds ? ANIM_DISCRETE : ANIM_CURVE, error);
	}
	track->has_interval = true;
	track->interval_s = (float)step_s;
	last_s = (float)(anim_track_time(t, t->n - 1) - (double)writer->clip.start_s);
	if (!isfinite(track->interval_s) || !isfinite(last_s))
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%s': its interval is too large for animj",
				 track->label);
	if (writer->last_s < last_s)
		writer->last_s = last_s;
	return 0;
}

int animj_timing(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	return track->track.kind == ANIM_RAW ? time_samples(writer, track, error) : time_keys(writer, track, error);
}
