/* cut_godot.c: part of a track whose player ends at the clip's end: a key at a border stands for what lay beyond it. */
#include "filter/cut_godot.h"

#include <math.h>
#include <string.h>

#define EPSILON 1e-5 /* the engine's: a key so near to a time is at it */

/* What of the track is taken: a border key, keys first .. end - 1, a border key. */
struct part {
	const struct anim_clip *clip;
	const struct anim_range *range;
	const struct anim_track *track;
	size_t first, end;
	bool from_border, to_border;
	size_t from_like, to_like; /* the key whose mode and handles a border key gets */
};

/* is_equal_approx, on the axis of the new clip. */
static bool is_near(const struct part *part, float key, float t)
{
	double at = (double)t - (double)part->range->start_s, tolerance = EPSILON * fmax(fabs(at), 1);

	return fabs(at - ((double)key - (double)part->range->start_s)) < tolerance;
}

static bool wraps(const struct part *part)
{
	return part->clip->loop != ANIM_LOOP_NONE && (part->track->flags & ANIM_LOOP_WRAP_KEYS) != 0 &&
	       part->track->interp != ANIM_BEZIER_2D;
}

/* Keys that the player of the new clip knows: those at its end count, up to rounding. */
static void find_end(struct part *part)
{
	const struct anim_track *track = part->track;

	while (part->end < track->n && is_near(part, track->time[part->end], part->range->end_s))
		part->end++;
	while (part->end > 0 && track->time[part->end - 1] > part->range->end_s &&
	       !is_near(part, track->time[part->end - 1], part->range->end_s))
		part->end--;
}

/* Bezier keys behind the end count, but two keys before it must be there. */
static void find_bezier(struct part *part)
{
	if (part->end == 0 || part->end == part->track->n)
		return;
	if (part->end - part->first < 2 && part->first > 0)
		part->first--;
	part->to_border = part->end - part->first < 2;
	part->end += !part->to_border;
}

/* True where the value goes on changing behind the last key that stays. */
static bool moves_on(const struct part *part)
{
	const struct anim_track *track = part->track;

	if (part->end == 0)
		return wraps(part);
	if (is_near(part, track->time[part->end - 1], part->range->end_s) ||
	    anim_track_interp(track, part->end - 1) == ANIM_HOLD)
		return false;
	return part->end < track->n || wraps(part);
}

/* A part without length is one key. */
static void be_moment(struct part *part)
{
	part->from_border = true;
	part->from_like = part->to_like;
	part->to_border = false;
	part->first = part->end;
}

static void find_part(struct part *part)
{
	const struct anim_track *track = part->track;
	bool steps = anim_track_steps(track), bezier = track->interp == ANIM_BEZIER_2D;
	struct anim_span_counts counts;
	size_t before, reach = steps ? 1 : 1 + anim_span_reach(track);

	anim_span_count(&counts, track->time, track->n, part->range);
	before = steps ? counts.to_start : counts.before_start;
	part->first = before > reach ? before - reach : 0;
	part->end = counts.to_end;
	find_end(part);
	part->from_border = part->end == 0 || (wraps(part) && counts.to_start == 0 &&
					       !is_near(part, track->time[0], part->range->start_s));
	part->from_like = wraps(part) ? track->n - 1 : 0;
	part->to_like = part->end > 0 ? part->end - 1 : part->from_like;
	if (bezier)
		find_bezier(part);
	else
		part->to_border = !steps && moves_on(part);
	if (part->to_border && part->range->end_s == part->range->start_s)
		be_moment(part);
}

static bool is_straight(const struct anim_track *track, size_t k)
{
	enum anim_interp mode = anim_track_interp(track, k);

	return (mode == ANIM_LINEAR || mode == ANIM_LINEAR_ANGLE) && anim_type_is_real(track->type) &&
	       (track->ease == NULL || track->ease[k] == 1);
}

static bool is_cubic(enum anim_interp mode)
{
	return mode == ANIM_CUBIC_TIME || mode == ANIM_CUBIC_UNIFORM || mode == ANIM_CUBIC_ANGLE;
}

/* The last whole segment is a cubic whose neighbour behind the part is gone, or another key now. */
static bool loses_neighbour(const struct part *part)
{
	size_t end = part->end;

	return end >= 2 && (end < part->track->n || part->to_border) &&
	       part->track->time[end - 1] > part->range->start_s && is_cubic(anim_track_interp(part->track, end - 2));
}

/* A border key is right where the segment that it cuts is straight, or nothing moves. */
static bool is_approximated(const struct part *part)
{
	const struct anim_track *track = part->track;

	if (anim_track_steps(track) || part->range->end_s == part->range->start_s)
		return false;
	if (wraps(part) && anim_span_reach(track) > 0)
		return true;
	if (loses_neighbour(part) || (part->to_border && !is_straight(track, part->to_like)))
		return true;
	return part->from_border && wraps(part) && !is_straight(track, part->from_like);
}

/* What key k has beside its time and value goes to the last key. */
static int set_settings(struct anim_cut_godot *work, const struct anim_track *track, size_t k, struct anim_error *error)
{
	for (enum anim_column id = ANIM_COLUMN_LEFT; id < ANIM_COLUMN_HINT; id++) {
		const uint8_t *column = track->column[id];

		if (column != NULL &&
		    anim_keys_set(&work->keys, id, column + k * anim_column_size(id, track->type), error) != 0)
			return -1;
	}
	return 0;
}

/* A key with the value that the whole track has at the time; none where it has none. */
static int append_border(struct anim_cut_godot *work, const struct part *part, float time_s, size_t like,
			 struct anim_error *error)
{
	union {
		double align;
		struct anim_text text;
		uint8_t bytes[128];
	} value;
	struct anim_clip clip = *part->clip;
	const double t = (double)time_s;
	uint8_t present = 0;

	/* The engine's tolerance grows with the time since the clip's start; in the part it is that of the part. */
	if (!wraps(part) || (time_s >= part->track->time[0] && time_s <= part->track->time[part->track->n - 1])) {
		clip.start_s = part->range->start_s;
		clip.loop = wraps(part) ? ANIM_LOOP_NONE : clip.loop;
	}
	if (anim_sample(&clip, part->track, &t, 1, &value, &present, &work->state, error) != 0)
		return -1;
	if (!present)
		return 0;
	if (anim_keys_add(&work->keys, time_s, &value, anim_track_interp(part->track, like), error) != 0)
		return -1;
	return set_settings(work, part->track, like, error);
}

static int append_keys(struct anim_cut_godot *work, const struct part *part, struct anim_error *error)
{
	const struct anim_track *track = part->track;

	if (part->from_border && append_border(work, part, part->range->start_s, part->from_like, error) != 0)
		return -1;
	/* Moved by -0: a time of -0 stays one. */
	if (anim_keys_add_part(&work->keys, track, part->first, part->end - part->first, -0.0, error) != 0)
		return -1;
	if (part->to_border)
		return append_border(work, part, part->range->end_s, part->to_like, error);
	return 0;
}

static void reset(struct anim_cut_godot *work, enum anim_type type)
{
	anim_keys_reset(&work->keys, type);
	anim_sample_state_clear(&work->state);
	work->approximated = work->changed = false;
}

int anim_cut_godot(struct anim_cut_godot *work, const struct anim_clip *clip, const struct anim_range *range,
		   const struct anim_track *track, struct anim_track *out, struct anim_error *error)
{
	struct part part = {.clip = clip, .range = range, .track = track};

	reset(work, track->type);
	*out = *track;
	if (track->n == 0)
		return 0;
	if (track->flags & ANIM_UNSORTED) {
		work->approximated = true;
		return 0;
	}
	find_part(&part);
	if (part.end - part.first == track->n && !part.from_border && !part.to_border)
		return 0;
	work->changed = true;
	work->approximated = is_approximated(&part);
	if (append_keys(work, &part, error) != 0)
		return -1;
	anim_keys_finish(&work->keys, out);
	if (track->interps != NULL && out->n > 0) { /* modes stay a column, even where one is left */
		out->interp = ANIM_INTERP_COLUMN;
		out->interps = work->keys.column[ANIM_COLUMN_INTERP].data;
	}
	return 0;
}

void anim_cut_godot_clear(struct anim_cut_godot *work)
{
	anim_keys_clear(&work->keys);
	anim_sample_state_clear(&work->state);
}
