/* append.c: the tracks of several clips one after another in time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/cat/internal.h"
#include "filter/components.h"
#include "filter/convert/convert.h"
#include "filter/retime/retime.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* How far from a whole frame, in frames, a seam of Raw tracks may lie. */
#define FRAME_SLACK 0.01
/* More samples than these are not made up of one where fewer than half as many came. */
#define SAMPLES_FREE ((size_t)1 << 20)

/* A track that grows over the parts of a group. */
struct growing {
	struct anim_join_work *work;
	const struct anim_clip *clip; /* of the part at hand */
	const struct anim_join_part *part;
	struct anim_track head;  /* of the first part that has the track; texts in the work's arena */
	struct anim_track track; /* of the part at hand */
	struct anim_keys keys;
	struct anim_cutter *cutter;
	bool any, continues;              /* a part came; a later one has the track, too */
	bool cubic, slopes;               /* of the part at hand: modes look at neighbours; have slopes or handles */
	double seam[ANIM_COMPONENTS_MAX]; /* of samples: what the part before comes to at its end */
};

static int fail_track(const struct growing *growing, const char *what, const char *way, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;

	return anim_fail(error, ANIM_UNSUPPORTED, "track '%.100s %.100s' of clip '%.60s' in %.60s %s; %s", track->node,
			 track->property, growing->clip->name, growing->part->file, what, way);
}

static int keep_head(struct growing *growing, struct anim_error *error)
{
	struct anim_arena *arena = &growing->work->arena;
	const struct anim_track *track = &growing->track;

	growing->any = true;
	growing->head = *track;
	if (anim_text_keep(&growing->head.node, arena, error) != 0 ||
	    anim_text_keep(&growing->head.property, arena, error) != 0 ||
	    anim_attrs_keep(&growing->head.attrs, arena, error) != 0)
		return -1;
	anim_keys_reset(&growing->keys, track->type);
	return 0;
}

/* The same of what numbers count, of which samples keep that of their source. */
static int check_units(const struct growing *growing, struct anim_error *error)
{
	const struct anim_track *head = &growing->head, *track = &growing->track;
	int orders[2] = {anim_track_order(head), anim_track_order(track)};
	unsigned other = (unsigned)(head->flags ^ track->flags);
	bool euler = strcmp(track->property, "euler") == 0 && track->component == ANIM_WHOLE;
	const char *way = euler ? "anim-bake before this makes quaternions of both"
				: "anim-emit brings both to the units of one format";
	char what[96];

	if (other & ANIM_REST_RELATIVE)
		return fail_track(growing,
				  (track->flags & ANIM_REST_RELATIVE) != 0
				      ? "is relative to its rest, in the clip before it is not"
				      : "is not relative to its rest, in the clip before it is",
				  "anim-bake before this makes both absolute", error);
	if (other & ANIM_DEGREES)
		return fail_track(growing,
				  (track->flags & ANIM_DEGREES) != 0 ? "is in degrees, in the clip before in radians"
								     : "is in radians, in the clip before in degrees",
				  way, error);
	if (other & ANIM_PERCENT)
		return fail_track(growing,
				  (track->flags & ANIM_PERCENT) != 0 ? "is in percent, in the clip before it is not"
								     : "is not in percent, in the clip before it is",
				  way, error);
	if (!euler || orders[0] == orders[1])
		return 0;
	snprintf(what, sizeof what, "has its angles in the order %s, in the clip before %s",
		 anim_euler_order_names[orders[1]], anim_euler_order_names[orders[0]]);
	return fail_track(growing, what, way, error);
}

/* What decides how a player reads the keys must be the same in all parts. */
static int check_like(const struct growing *growing, struct anim_error *error)
{
	const struct anim_track *head = &growing->head, *track = &growing->track;
	static const char way[] = "make them alike with anim-bake or anim-resample before this";

	if (head->kind != track->kind)
		return fail_track(growing, "is of another kind than in the clip before", way, error);
	if (head->type != track->type)
		return fail_track(growing, "has another value type than in the clip before", way, error);
	if (head->rules != track->rules && head->kind == ANIM_CURVE)
		return fail_track(growing, "follows another player's rules than in the clip before", way, error);
	return check_units(growing, error);
}

static double seam_before(const struct growing *growing)
{
	return (double)growing->clip->start_s + growing->part->shift_s;
}

static double seam_behind(const struct growing *growing)
{
	return (double)growing->clip->end_s + growing->part->shift_s;
}

static void note_modes(struct growing *growing)
{
	const struct anim_track *track = &growing->track;

	growing->slopes = track->left != NULL;
	growing->cubic = false;
	for (size_t k = 0; k < track->n && !growing->cubic; k++)
		growing->cubic = anim_interp_is_cubic(anim_track_interp(track, k));
}

/*
 * Key k once more, at time_s (not moved), with slopes and handles that rest: between two such keys of one value the curve
 * stands still in every mode, and beside one a cubic sees what it would see at the end of its track.
 */
static int add_rest(struct growing *growing, size_t k, double time_s, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	struct anim_text text;

	return anim_keys_add(&growing->keys, (float)time_s, anim_value_at(track, k, &text), anim_track_interp(track, k),
			     error);
}

/* A key at a seam, twice where cubics look beyond it. */
static int rest_at_seam(struct growing *growing, size_t k, double time_s, struct anim_error *error)
{
	if (growing->cubic && add_rest(growing, k, time_s, error) != 0)
		return -1;
	return add_rest(growing, k, time_s, error);
}

/* From the seam to the part's first key its value stands; what comes before must not bend the first segment. */
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

/* From the part's last key to the seam its value stands; what comes behind must not bend the last segment. */
static int close_curve(struct growing *growing, size_t k, struct anim_error *error)
{
	double last_s = (double)growing->track.time[k] + growing->part->shift_s;
	bool early = (float)last_s < (float)seam_behind(growing);

	if ((growing->cubic || (early && growing->slopes)) && add_rest(growing, k, last_s, error) != 0)
		return -1;
	if (early && anim_track_interp(&growing->track, k) != ANIM_HOLD)
		return rest_at_seam(growing, k, seam_behind(growing), error);
	return 0;
}

/* To Godot's player keys behind the clip's end do not exist, but for those of bezier tracks. */
static bool ends_with_clip(const struct anim_track *track)
{
	return anim_rules_are_godot(track->rules) && !anim_track_has_interp(track, ANIM_BEZIER_2D);
}

/* The keys *from to *to - 1 are the clip's. */
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

/* Godot's way over the end of a loop, from the last key in the clip to the first one. */
static bool wraps(const struct growing *growing)
{
	const struct anim_track *track = &growing->track;

	return track->n > 1 && growing->clip->loop != ANIM_LOOP_NONE && (track->flags & ANIM_LOOP_WRAP_KEYS) != 0 &&
	       ends_with_clip(track);
}

/* Whether the clip's own keys, standing still beyond the last of them, do not show what the track shows. */
static bool needs_cut(const struct growing *growing)
{
	const struct anim_track *track = &growing->track;
	size_t from, to;

	find_span(growing, &from, &to);
	if (from > 0 || (to < track->n && (to == 0 || !ends_with_clip(track))))
		return true;
	if (!wraps(growing) && !repeats(track, track->pre) && !repeats(track, track->post))
		return false;
	return from == to || track->time[from] > growing->clip->start_s || track->time[to - 1] < growing->clip->end_s;
}

/* A track whose keys lie outside its clip, or repeat in it, becomes what it shows in its clip. */
static int cut_to_clip(struct growing *growing, struct anim_error *error)
{
	struct anim_track track = growing->track;
	bool rotation = anim_types[track.type].quaternion;
	const struct anim_cut_range range = {
	    growing->clip, {growing->clip->start_s, growing->clip->end_s}, ANIM_TOLERANCE, .unroll = true};
	double worst;

	track.record = NULL;
	if (anim_cutter_cut(growing->cutter, &range, &track, &growing->track, &worst, error) != 0)
		return -1;
	if (worst < 0)
		return 0;
	return anim_diagnostics_add_error(growing->work->diagnostics,
					  rotation ? "rotations were approximated where their clip cuts them"
						   : "curves were approximated where their clip cuts them",
					  worst, rotation ? "degrees" : "units", error,
					  "track '%.100s %.100s' in %.100s was approximated where its clip cuts it",
					  track.node, track.property, growing->part->file);
}

static int add_curve(struct growing *growing, bool first, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	size_t from, to;

	if (needs_cut(growing) && cut_to_clip(growing, error) != 0)
		return -1;
	find_span(growing, &from, &to);
	note_modes(growing);
	/* Columns must stand before keys that are made up. */
	if (anim_keys_add_part(&growing->keys, track, 0, 0, 0, error) != 0 || from == to)
		return from == to ? 0 : -1;
	if (!first && growing->keys.n > 0 && open_curve(growing, from, error) != 0)
		return -1;
	if (anim_keys_add_part(&growing->keys, track, from, to - from, growing->part->shift_s, error) != 0)
		return -1;
	return growing->continues ? close_curve(growing, to - 1, error) : 0;
}

/* What a Discrete track shows from its clip's start on is set there; events only happen. */
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

/* Which frame of the track that grows a time is; -1 where it is none. */
static double frame_of(const struct growing *growing, double time_s)
{
	const struct anim_track *head = &growing->head;
	double rate_hz = head->rate_num != 0 ? (double)head->rate_num / (double)head->rate_den : 1 / head->step_s;
	double frame = (time_s - head->start_s) * rate_hz;

	return fabs(frame - rint(frame)) <= FRAME_SLACK && rint(frame) < (double)INT32_MAX ? rint(frame) : -1;
}

static bool is_of_rate(const struct growing *growing)
{
	const struct anim_track *head = &growing->head, *track = &growing->track;

	if (head->rate_num == 0 && head->step_s == 0)
		return false;
	return head->rate_num == track->rate_num && head->rate_den == track->rate_den && head->step_s == track->step_s;
}

/* The last sample of the track, again, up to frame `frame`; or those from there on are forgotten. */
static int fill_to(struct growing *growing, const struct anim_track *track, size_t k, size_t frame,
		   struct anim_error *error)
{
	anim_keys_cut(&growing->keys, frame);
	if (frame > 2 * growing->keys.n + SAMPLES_FREE)
		return fail_track(growing, "has samples for a small part of its clip only",
				  "append first, then resample", error);
	while (growing->keys.n < frame)
		if (anim_keys_add_part(&growing->keys, track, k, 1, 0, error) != 0)
			return -1;
	return 0;
}

/* How far two values are apart, of rotations in degrees. */
static double distance(enum anim_type type, const double a[ANIM_COMPONENTS_MAX], const double b[ANIM_COMPONENTS_MAX])
{
	double worst = 0;
	float x[4], y[4];

	if (anim_types[type].quaternion) {
		anim_components_to_float(x, a, 4);
		anim_components_to_float(y, b, 4);
		return anim_quat_angle(x, y) * 180 / ANIM_PI;
	}
	for (unsigned component = 0; component < anim_types[type].components; component++)
		worst = fmax(worst, fabs(a[component] - b[component]));
	return worst;
}

/* Between two samples there is no jump, but a way. */
static int tell_jump(const struct growing *growing, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	bool rotation = anim_types[track->type].quaternion;
	double begin[ANIM_COMPONENTS_MAX] = {0}, jump;

	if (track->interp == ANIM_HOLD || !anim_type_is_real(track->type))
		return 0;
	anim_components(track->type, track->value, 0, begin);
	jump = distance(track->type, growing->seam, begin);
	if (!(jump > ANIM_TOLERANCE * (rotation ? 100 : 1)))
		return 0;
	return anim_diagnostics_add_error(
	    growing->work->diagnostics,
	    rotation ? "sampled rotations jump from clip to clip, which takes a whole frame now"
		     : "sampled tracks jump from clip to clip, which takes a whole frame now",
	    jump, rotation ? "degrees" : "units", error,
	    "track '%.100s %.100s' jumps where %.100s begins, which takes a whole frame now", track->node,
	    track->property, growing->part->file);
}

/* What the part's samples come to at its end, frame `end`; the first of them is frame `frame`. */
static void note_seam(struct growing *growing, double frame, double end)
{
	const struct anim_track *track = &growing->track;
	double last = fmin(end - frame, (double)(track->n - 1));

	if (track->type != ANIM_STRING)
		anim_components(track->type, track->value, (size_t)fmax(last, 0), growing->seam);
}

static int add_raw(struct growing *growing, bool first, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	double begin, frame, end;

	if (first)
		growing->head.start_s = track->start_s + growing->part->shift_s;
	if (first && !growing->continues)
		return anim_keys_add_part(&growing->keys, track, 0, track->n, 0, error);
	if (!is_of_rate(growing))
		return fail_track(growing, "has another rate than in the clip before, or none",
				  "bring all to one rate with anim-resample before this", error);
	begin = first ? 0 : frame_of(growing, seam_before(growing));
	frame = frame_of(growing, track->start_s + growing->part->shift_s);
	end = growing->continues ? frame_of(growing, seam_behind(growing)) : 0;
	if (begin < 0 || frame < begin || end < 0)
		return fail_track(growing, "does not begin and end with a whole frame",
				  "append first, then resample, or resample with --end fit", error);
	if (track->n == 0)
		return 0;
	if ((!first && tell_jump(growing, error) != 0) || fill_to(growing, track, 0, (size_t)frame, error) != 0 ||
	    anim_keys_add_part(&growing->keys, track, 0, track->n, 0, error) != 0)
		return -1;
	note_seam(growing, frame, end);
	return growing->continues ? fill_to(growing, track, track->n - 1, (size_t)end, error) : 0;
}

static int add_track(struct growing *growing, bool first, struct anim_error *error)
{
	switch (growing->track.kind) {
	case ANIM_RAW:
		return add_raw(growing, first, error);
	case ANIM_DISCRETE:
		return add_discrete(growing, first, error);
	default:
		return add_curve(growing, first, error);
	}
}

/* Adds track number `number` of the part at hand. */
static int add_part(struct growing *growing, size_t number, struct anim_error *error)
{
	struct anim_join_work *work = growing->work;
	bool first = !growing->any;

	if (anim_store_read(work->store, growing->part->clip, number, &growing->track, error) != 0 ||
	    anim_track_validate(&growing->track, error) != 0)
		return -1;
	if (growing->track.flags & ANIM_UNSORTED)
		return fail_track(growing, "has keys out of order", "anim-retime puts them in order", error);
	if ((first ? keep_head(growing, error) : check_like(growing, error)) != 0)
		return -1;
	return add_track(growing, first, error);
}

/* Beyond the joined clip nothing goes round: its ends are those of no part. */
static uint8_t held_end(uint8_t ends)
{
	return ends == ANIM_EXTRAPOLATION_NONE ? ANIM_EXTRAPOLATION_NONE : ANIM_EXTRAPOLATION_HOLD;
}

/* Of one identity: the number of its track in each part + 1, 0 where the part has none. */
static int append_track(struct growing *growing, const struct anim_join_group *group, const size_t *numbers,
			struct anim_error *error)
{
	struct anim_join_work *work = growing->work;
	size_t left = 0, at = 0;

	for (size_t i = 0; i < group->count; i++)
		left += numbers[i] != 0;
	growing->any = false;
	anim_arena_reset(&work->arena);
	for (const struct anim_join_part *part = group->first; part != NULL; part = part->next, at++) {
		if (numbers[at] == 0)
			continue;
		growing->part = part;
		growing->clip = anim_store_clip(work->store, part->clip);
		growing->continues = --left > 0;
		if (add_part(growing, numbers[at] - 1, error) != 0)
			return -1;
	}
	growing->head.pre = held_end(growing->head.pre);
	growing->head.post = held_end(growing->head.post);
	anim_keys_finish(&growing->keys, &growing->head);
	return anim_sink_track(work->next, &growing->head, error);
}

/* Tracks of one identity, in the order in which identities came first. */
static int append_all(struct growing *growing, const struct anim_join_group *group,
		      struct anim_join_identities *identities, struct anim_error *error)
{
	struct anim_store *store = growing->work->store;
	size_t *numbers, cells, at = 0;

	if (anim_size_multiply(identities->count, group->count, &cells, error) != 0)
		return -1;
	numbers = anim_arena_zeroed(&identities->arena, cells + 1, sizeof *numbers, error);
	if (numbers == NULL)
		return -1;
	for (const struct anim_join_part *part = group->first; part != NULL; part = part->next, at++)
		for (size_t i = 0; i < anim_store_tracks(store, part->clip); i++)
			numbers[identities->of[at][i] * group->count + at] = i + 1;
	for (size_t i = 0; i < identities->count; i++)
		if (append_track(growing, group, numbers + i * group->count, error) != 0)
			return -1;
	return 0;
}

int anim_join_append(struct anim_join_work *work, const struct anim_join_group *group, struct anim_error *error)
{
	struct growing growing = {.work = work};
	struct anim_join_identities identities;
	int result = anim_join_identify(&identities, work->store, group, error);

	if (result == 0)
		result = (growing.cutter = anim_cutter_new(error)) == NULL ? -1 : 0;
	if (result == 0)
		result = append_all(&growing, group, &identities, error);
	anim_join_identities_clear(&identities);
	anim_keys_clear(&growing.keys);
	anim_cutter_free(growing.cutter);
	return result;
}
