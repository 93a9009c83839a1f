/* append.c: the tracks of several clips, one after another in time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/advice.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/cat/join.h"
#include "filter/common/components.h"
#include "filter/convert/convert.h"
#include "filter/retime/retime.h"

/* Largest distance of a join of Raw tracks from a frame, in frames. */
#define FRAME_SLACK 0.01
/*
 * Up to this number of samples may be made by repeating a sample. Above it, at least half of the samples must be
 * original.
 */
#define SAMPLES_FREE ((size_t)1 << 20)

/* A track that grows with each part of a group. */
struct growing {
	struct anim_join_work *work;
	const struct anim_clip *clip; /* of the current part */
	const struct anim_join_part *part;
	struct anim_track head;  /* of the first part that has the track; texts in the work's arena */
	struct anim_track track; /* of the current part */
	struct anim_keys keys;
	struct anim_cutter *cutter;
	bool continues;     /* a later part also has the track */
	bool cubic, slopes; /* of the current part: its modes depend on neighbour keys; it has slopes or handles */
	double seam[ANIM_COMPONENTS_MAX]; /* for samples: the value at the end of the part before */
};

static int fail_track(const struct growing *growing, const char *what, const char *way, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;

	return anim_fail(error, ANIM_UNSUPPORTED, "track '%.100s %.100s' of clip '%.60s' in %.60s %s; %s", track->node,
			 track->property, growing->clip->name, growing->part->file, what, way);
}

/*
 * Check that the parts agree in what decides how a player reads the keys: kind, type, rules of curves, units, order of
 * Euler angles, and whether numbers are relative to the rest pose.
 */
static int check_like(const struct growing *growing, struct anim_error *error)
{
	const struct anim_track *head = &growing->head, *track = &growing->track;
	static const char equal[] = ANIM_ADVICE(MAKE_EQUAL);
	int orders[2] = {anim_track_order(head), anim_track_order(track)};
	unsigned other = (unsigned)(head->flags ^ track->flags);
	bool euler = strcmp(track->property, "euler") == 0 && track->component == ANIM_WHOLE;
	const char *way = euler ? ANIM_ADVICE(BAKE_BOTH) : ANIM_ADVICE(SAME_UNITS);
	char what[96];

	if (head->kind != track->kind)
		return fail_track(growing, "is of another kind (curve, samples or steps) than in the previous clip",
				  equal, error);
	if (head->type != track->type)
		return fail_track(growing, "has another value type than in the previous clip", equal, error);
	if (head->rules != track->rules && head->kind == ANIM_CURVE)
		return fail_track(growing,
				  "has the interpolation rules of one engine here and of another in the previous clip; "
				  "resample both first",
				  equal, error);
	if (other & ANIM_REST_RELATIVE)
		return fail_track(growing,
				  (track->flags & ANIM_REST_RELATIVE) != 0
				      ? "is relative to its rest pose, but not in the previous clip"
				      : "is not relative to its rest pose, but it is in the previous clip",
				  ANIM_ADVICE(BAKE_BOTH), error);
	if (other & ANIM_DEGREES)
		return fail_track(growing,
				  (track->flags & ANIM_DEGREES) != 0
				      ? "is in degrees, but in radians in the previous clip"
				      : "is in radians, but in degrees in the previous clip",
				  way, error);
	if (other & ANIM_PERCENT)
		return fail_track(growing,
				  (track->flags & ANIM_PERCENT) != 0
				      ? "is in percent, but not in the previous clip"
				      : "is not in percent, but it is in the previous clip",
				  way, error);
	if (!euler || orders[0] == orders[1])
		return 0;
	snprintf(what, sizeof what, "has Euler angles in the order %s, but %s in the previous clip",
		 anim_euler_order_names[orders[1]], anim_euler_order_names[orders[0]]);
	return fail_track(growing, what, way, error);
}

static double seam_before(const struct growing *growing)
{
	return (double)growing->clip->start_s + growing->part->shift_s;
}

static double seam_after(const struct growing *growing)
{
	return (double)growing->clip->end_s + growing->part->shift_s;
}

/*
 * Add key k again at time_s, which is not shifted, with slopes and handles of 0. Between two such keys of one value the
 * curve is constant in every mode. Beside such a key, a cubic segment has the same neighbour as at the end of its
 * track.
 */
static int add_rest(struct growing *growing, size_t k, double time_s, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	struct anim_text text;

	return anim_keys_add(&growing->keys, (float)time_s, anim_value_at(track, k, &text), anim_track_interp(track, k),
			     error);
}

/* Add a key at the time at which two clips join, twice if cubics depend on the keys beyond it. */
static int rest_at_seam(struct growing *growing, size_t k, double time_s, struct anim_error *error)
{
	if (growing->cubic && add_rest(growing, k, time_s, error) != 0)
		return -1;
	return add_rest(growing, k, time_s, error);
}

/*
 * The value is constant from the start of the clip to the part's first key. Keys of earlier parts must not bend its
 * first segment.
 */
static int open_curve(struct growing *growing, size_t k, struct anim_error *error)
{
	double first_s = (double)growing->track.time[k] + growing->part->shift_s;
	bool late = (float)first_s > (float)seam_before(growing);

	if (late && rest_at_seam(growing, k, seam_before(growing), error) != 0)
		return -1;
	if (growing->cubic || (late && growing->slopes))
		return add_rest(growing, k, first_s, error);
	return 0;
}

/*
 * The value is constant from the part's last key to the end of the clip. Keys of later parts must not bend its last
 * segment.
 */
static int close_curve(struct growing *growing, size_t k, struct anim_error *error)
{
	double last_s = (double)growing->track.time[k] + growing->part->shift_s;
	bool early = (float)last_s < (float)seam_after(growing);

	if ((growing->cubic || (early && growing->slopes)) && add_rest(growing, k, last_s, error) != 0)
		return -1;
	if (early && anim_track_interp(&growing->track, k) != ANIM_HOLD)
		return rest_at_seam(growing, k, seam_after(growing), error);
	return 0;
}

/* Godot's player ignores keys after the clip's end. Only bezier tracks still use them. */
static bool ends_with_clip(const struct anim_track *track)
{
	return anim_rules_are_godot(track->rules) && !anim_track_has_interp(track, ANIM_BEZIER_2D);
}

/* Find the clip's keys: *from to *to - 1. */
static void find_span(const struct growing *growing, size_t *from, size_t *to)
{
	const struct anim_track *track = &growing->track;

	*from = 0;
	*to = track->n;
	while (*to > 0 && track->time[*to - 1] > growing->clip->end_s)
		--*to;
	while (*from < *to && track->time[*from] < growing->clip->start_s)
		++*from;
}

static bool repeats(const struct anim_track *track, uint8_t ends)
{
	return track->n > 1 && (ends == ANIM_EXTRAPOLATION_LOOP || ends == ANIM_EXTRAPOLATION_PINGPONG);
}

/*
 * Return whether the clip's own keys, with constant values before the first and after the last, differ from the
 * animation that the track shows.
 */
static bool needs_cut(const struct growing *growing)
{
	const struct anim_track *track = &growing->track;
	size_t from, to;
	bool wraps;

	find_span(growing, &from, &to);
	if (from > 0 || (to < track->n && (to == 0 || !ends_with_clip(track))))
		return true;
	/* Godot interpolates across the end of the loop, from the last key in the clip to the first one. */
	wraps = track->n > 1 && growing->clip->loop != ANIM_LOOP_NONE && (track->flags & ANIM_LOOP_WRAP_KEYS) != 0 &&
		ends_with_clip(track);
	if (!wraps && !repeats(track, track->pre) && !repeats(track, track->post))
		return false;
	return from == to || track->time[from] > growing->clip->start_s || track->time[to - 1] < growing->clip->end_s;
}

/* Add the keys of a part of a curve. Returns 0 or -1. */
static int add_curve(struct growing *growing, bool first, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	size_t from, to;

	if (needs_cut(growing)) {
		/* replace keys outside the clip, and repeats in it, by the animation that the track shows in its clip */
		struct anim_track whole = growing->track;
		bool rotation = anim_types[whole.type].quaternion;
		const struct anim_cut_range range = {
		    growing->clip, {growing->clip->start_s, growing->clip->end_s}, ANIM_TOLERANCE, .unroll = true};
		double worst;

		whole.record = NULL;
		if (anim_cutter_cut(growing->cutter, &range, &whole, &growing->track, &worst, error) != 0)
			return -1;
		if (!(worst < 0) &&
		    anim_diagnostics_add_error(growing->work->diagnostics, rotation ? "rotation" : "curve", worst,
					       rotation ? "degrees" : "units", error,
					       "'%.100s %.100s' in %.100s: approximated at the ends of the clip",
					       whole.node, whole.property, growing->part->file) != 0)
			return -1;
	}
	find_span(growing, &from, &to);
	growing->slopes = track->left != NULL;
	growing->cubic = false;
	for (size_t k = 0; k < track->n && !growing->cubic; k++)
		growing->cubic = anim_interp_is_cubic(anim_track_interp(track, k));
	/* The columns must exist before keys are added that the source does not have. */
	if (anim_keys_add_part(&growing->keys, track, 0, 0, 0, error) != 0 || from == to)
		return from == to ? 0 : -1;
	if (!first && growing->keys.n > 0 && open_curve(growing, from, error) != 0)
		return -1;
	if (anim_keys_add_part(&growing->keys, track, from, to - from, growing->part->shift_s, error) != 0)
		return -1;
	return growing->continues ? close_curve(growing, to - 1, error) : 0;
}

/*
 * The value that a Discrete track has at its clip's start is set there. Events only happen at their time, so they are
 * not repeated.
 */
static int add_discrete(struct growing *growing, bool first, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	bool event = anim_track_is_event(track), late;
	size_t from, to, at;

	find_span(growing, &from, &to);
	late = from < track->n && track->time[from] > growing->clip->start_s;
	at = from > 0 ? from - 1 : 0;
	if (!event && track->n > 0 && (late || from == track->n) &&
	    (from > 0 || (!first && track->pre == ANIM_EXTRAPOLATION_HOLD)) &&
	    add_rest(growing, at, seam_before(growing), error) != 0)
		return -1;
	return anim_keys_add_part(&growing->keys, track, from, to - from, growing->part->shift_s, error);
}

/* Return the frame of a time in the joined track, or -1 if it is not at a frame. */
static double frame_of(const struct growing *growing, double time_s)
{
	const struct anim_track *head = &growing->head;
	double rate_hz = head->rate_num != 0 ? (double)head->rate_num / (double)head->rate_den : 1 / head->step_s;
	double frame = (time_s - head->start_s) * rate_hz;

	return fabs(frame - rint(frame)) <= FRAME_SLACK && rint(frame) < (double)INT32_MAX ? rint(frame) : -1;
}

/* Repeat sample k of the track up to frame `frame`, or remove the samples from there on. */
static int fill_to(struct growing *growing, const struct anim_track *track, size_t k, size_t frame,
		   struct anim_error *error)
{
	anim_keys_cut(&growing->keys, frame);
	if (frame > 2 * growing->keys.n + SAMPLES_FREE)
		return fail_track(growing, "has samples for only a small part of its clip",
				  "append first, then resample", error);
	while (growing->keys.n < frame)
		if (anim_keys_add_part(&growing->keys, track, k, 1, 0, error) != 0)
			return -1;
	return 0;
}

/* Report a jump between two clips: samples cannot jump, so the change takes a frame. */
static int report_jump(const struct growing *growing, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	bool rotation = anim_types[track->type].quaternion;
	double begin[ANIM_COMPONENTS_MAX] = {0}, jump;

	if (track->interp == ANIM_HOLD || !anim_type_is_real(track->type))
		return 0;
	anim_components(track->type, track->value, 0, begin);
	jump = anim_values_apart(track->type, growing->seam, begin);
	if (!(jump > ANIM_TOLERANCE * (rotation ? 100 : 1)))
		return 0;
	return anim_diagnostics_add_error(
	    growing->work->diagnostics, rotation ? "sampled rotation" : "sampled track", jump,
	    rotation ? "degrees" : "units", error,
	    "'%.100s %.100s' (at the start of %.100s): a jump between two clips takes one frame", track->node,
	    track->property, growing->part->file);
}

/* Add the samples of a part. Returns 0 or -1. */
static int add_raw(struct growing *growing, bool first, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	const struct anim_track *head = &growing->head;
	double begin, frame, end, last;

	if (first)
		growing->head.start_s = track->start_s + growing->part->shift_s;
	if (first && !growing->continues)
		return anim_keys_add_part(&growing->keys, track, 0, track->n, 0, error);
	if ((head->rate_num == 0 && head->step_s == 0) || head->rate_num != track->rate_num ||
	    head->rate_den != track->rate_den || head->step_s != track->step_s)
		return fail_track(growing, "has another sample rate than in the previous clip, or none",
				  ANIM_ADVICE(SAME_RATE), error);
	begin = first ? 0 : frame_of(growing, seam_before(growing));
	frame = frame_of(growing, track->start_s + growing->part->shift_s);
	end = growing->continues ? frame_of(growing, seam_after(growing)) : 0;
	if (begin < 0 || frame < begin || end < 0)
		return fail_track(growing, "does not begin and end at a frame", ANIM_ADVICE(APPEND_FIRST), error);
	if (track->n == 0)
		return 0;
	growing->head.flags = (growing->head.flags & ~ANIM_LAST_AT_END) | (track->flags & ANIM_LAST_AT_END);
	if ((!first && report_jump(growing, error) != 0) || fill_to(growing, track, 0, (size_t)frame, error) != 0 ||
	    anim_keys_add_part(&growing->keys, track, 0, track->n, 0, error) != 0)
		return -1;
	/* The value at the end of the part, which is frame `end`. The first sample is frame `frame`. */
	last = fmin(end - frame, (double)(track->n - 1));
	if (track->type != ANIM_STRING)
		anim_components(track->type, track->value, (size_t)fmax(last, 0), growing->seam);
	return growing->continues ? fill_to(growing, track, track->n - 1, (size_t)end, error) : 0;
}

/* The ends of a joined track never repeat, because the parts' ends are not the ends of the joined clip. */
static uint8_t held_end(uint8_t ends)
{
	return ends == ANIM_EXTRAPOLATION_NONE ? ANIM_EXTRAPOLATION_NONE : ANIM_EXTRAPOLATION_HOLD;
}

/*
 * Write the track of one identity. `numbers` has the number of its track + 1 for each part, or 0 if the part does not
 * have it.
 */
static int append_track(struct growing *growing, const struct anim_join_group *group, const size_t *numbers,
			struct anim_error *error)
{
	struct anim_join_work *work = growing->work;
	struct anim_track *head = &growing->head, *track = &growing->track;
	size_t left = 0, at = 0;
	bool any = false; /* there was a part */

	for (size_t i = 0; i < group->count; i++)
		left += numbers[i] != 0;
	anim_arena_reset(&work->arena);
	for (const struct anim_join_part *part = group->first; part != NULL; part = part->next, at++) {
		bool first = !any;
		int result;

		if (numbers[at] == 0)
			continue;
		growing->part = part;
		growing->clip = anim_store_clip(work->store, part->clip);
		growing->continues = --left > 0;
		if (anim_store_read(work->store, part->clip, numbers[at] - 1, track, error) != 0 ||
		    anim_track_validate(track, error) != 0)
			return -1;
		if (track->flags & ANIM_UNSORTED)
			return fail_track(growing, "has keys out of order", ANIM_ADVICE(SORT_KEYS), error);
		if (first) {
			any = true;
			*head = *track;
			if (anim_text_keep(&head->node, &work->arena, error) != 0 ||
			    anim_text_keep(&head->property, &work->arena, error) != 0 ||
			    anim_attrs_keep(&head->attrs, &work->arena, error) != 0)
				return -1;
			anim_keys_reset(&growing->keys, track->type);
		} else if (check_like(growing, error) != 0) {
			return -1;
		}
		result = track->kind == ANIM_RAW        ? add_raw(growing, first, error)
			 : track->kind == ANIM_DISCRETE ? add_discrete(growing, first, error)
							: add_curve(growing, first, error);
		if (result != 0)
			return -1;
	}
	head->pre = held_end(head->pre);
	head->post = held_end(head->post);
	anim_keys_finish(&growing->keys, head);
	return anim_sink_track(work->next, head, error);
}

int join_append(struct anim_join_work *work, const struct anim_join_group *group, struct anim_error *error)
{
	struct growing growing = {.work = work};
	struct anim_join_identities identities;
	size_t *numbers, cells, at = 0;
	int result = -1;

	if (join_identify(&identities, work->store, group, error) != 0 ||
	    (growing.cutter = anim_cutter_new(error)) == NULL ||
	    anim_size_multiply(identities.count, group->count, &cells, error) != 0 ||
	    (numbers = anim_arena_zeroed(&identities.arena, cells + 1, sizeof *numbers, error)) == NULL)
		goto done;
	for (const struct anim_join_part *part = group->first; part != NULL; part = part->next, at++)
		for (size_t i = 0; i < anim_store_tracks(work->store, part->clip); i++)
			numbers[identities.of[at][i] * group->count + at] = i + 1;
	/* tracks are in the order in which their identities first appeared */
	for (size_t i = 0; i < identities.count; i++)
		if (append_track(&growing, group, numbers + i * group->count, error) != 0)
			goto done;
	result = 0;
done:
	join_identities_clear(&identities);
	anim_keys_clear(&growing.keys);
	anim_cutter_free(growing.cutter);
	return result;
}
