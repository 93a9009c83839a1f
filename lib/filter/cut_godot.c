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

static int append_element(struct anim_buffer *to, const void *column, size_t k, size_t size, struct anim_error *error)
{
	return column == NULL ? 0 : anim_buffer_append(to, (const char *)column + k * size, size, error);
}

/* What key k has beside its time and value. */
static int append_settings(struct anim_cut_godot *work, const struct anim_track *track, size_t k,
			   struct anim_error *error)
{
	const struct anim_type_info *info = &anim_types[track->type];
	size_t lanes = info->lanes * sizeof(float);

	return append_element(&work->interps, track->interps, k, 1, error) ||
	       append_element(&work->left, track->left, k, info->size, error) ||
	       append_element(&work->right, track->right, k, info->size, error) ||
	       append_element(&work->left_x, track->left_x, k, lanes, error) ||
	       append_element(&work->right_x, track->right_x, k, lanes, error) ||
	       append_element(&work->ease, track->ease, k, sizeof(float), error) ||
	       append_element(&work->weighted, track->weighted, k, 1, error);
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
	if (anim_steps_add(&work->steps, part->track->type, time_s, &value, error) != 0)
		return -1;
	return append_settings(work, part->track, like, error) != 0 ? -1 : 0;
}

static int append_keys(struct anim_cut_godot *work, const struct part *part, struct anim_error *error)
{
	const struct anim_track *track = part->track;

	if (part->from_border && append_border(work, part, part->range->start_s, part->from_like, error) != 0)
		return -1;
	for (size_t k = part->first; k < part->end; k++) {
		struct anim_text text;

		if (anim_steps_add(&work->steps, track->type, track->time[k], anim_value_at(track, k, &text), error) !=
			0 ||
		    append_settings(work, track, k, error) != 0)
			return -1;
	}
	if (part->to_border)
		return append_border(work, part, part->range->end_s, part->to_like, error);
	return 0;
}

/* Changed keys lose the editor's notes. */
static void set_track(struct anim_cut_godot *work, const struct anim_track *track, struct anim_track *out)
{
	struct anim_track keys;

	anim_steps_track(&work->steps, track, &keys);
	*out = *track;
	out->record = NULL;
	out->n = work->steps.n;
	if (out->n == 0)
		return;
	out->time = keys.time;
	out->value = keys.value;
	out->strings = keys.strings;
	out->interps = track->interps == NULL ? NULL : work->interps.data;
	out->left = track->left == NULL ? NULL : work->left.data;
	out->right = track->right == NULL ? NULL : work->right.data;
	out->left_x = track->left_x == NULL ? NULL : (const float *)(const void *)work->left_x.data;
	out->right_x = track->right_x == NULL ? NULL : (const float *)(const void *)work->right_x.data;
	out->ease = track->ease == NULL ? NULL : (const float *)(const void *)work->ease.data;
	out->weighted = track->weighted == NULL ? NULL : work->weighted.data;
	out->hint = NULL;
}

static void reset(struct anim_cut_godot *work)
{
	anim_steps_reset(&work->steps);
	work->interps.size = work->left.size = work->right.size = work->left_x.size = work->right_x.size = 0;
	work->ease.size = work->weighted.size = 0;
	anim_sample_state_clear(&work->state);
	work->approximated = work->changed = false;
}

int anim_cut_godot(struct anim_cut_godot *work, const struct anim_clip *clip, const struct anim_range *range,
		   const struct anim_track *track, struct anim_track *out, struct anim_error *error)
{
	struct part part = {.clip = clip, .range = range, .track = track};

	reset(work);
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
	set_track(work, track, out);
	return 0;
}

void anim_cut_godot_clear(struct anim_cut_godot *work)
{
	anim_steps_clear(&work->steps);
	anim_buffer_clear(&work->interps);
	anim_buffer_clear(&work->left);
	anim_buffer_clear(&work->right);
	anim_buffer_clear(&work->left_x);
	anim_buffer_clear(&work->right_x);
	anim_buffer_clear(&work->ease);
	anim_buffer_clear(&work->weighted);
	anim_sample_state_clear(&work->state);
}
