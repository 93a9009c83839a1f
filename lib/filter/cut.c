/* cut.c: keep tracks by name, and cut clips and tracks to a range of time. */
#include "filter/cut.h"

#include <math.h>
#include <string.h>

#include "base/advice.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "clip/span.h"
#include "filter/filter.h"
#include "stream/store.h"

/* --- A part of a track whose player ends at the clip's end: border keys replace the keys outside --- */

/* Columns of the new track. All-zero is empty. */
struct godot_part {
	struct anim_keys keys;
	struct anim_sample_state state;
	bool approximated; /* the last track's values in the range changed slightly */
	bool changed;      /* it has other keys; otherwise `out` is the track itself */
};

#define EPSILON 1e-5 /* of the engine: a key this close to a time is at that time */

/* The kept part of a track: a border key, keys first to end - 1, a border key. */
struct border_part {
	const struct anim_clip *clip;
	const struct anim_range *range;
	const struct anim_track *track;
	size_t first, end;
	bool from_border, to_border;
	size_t from_like, to_like; /* the keys with the modes and handles of the border keys */
};

/* Godot's is_equal_approx, in the times of the new clip. */
static bool is_near(const struct border_part *part, float key, float t)
{
	double at = (double)t - (double)part->range->start_s, tolerance = EPSILON * fmax(fabs(at), 1);

	return fabs(at - ((double)key - (double)part->range->start_s)) < tolerance;
}

static bool wraps(const struct border_part *part)
{
	return part->clip->loop != ANIM_LOOP_NONE && (part->track->flags & ANIM_LOOP_WRAP_KEYS) != 0 &&
	       part->track->interp != ANIM_BEZIER_2D;
}

/* Return whether the value changes after the last kept key. */
static bool moves_on(const struct border_part *part)
{
	const struct anim_track *track = part->track;

	if (part->end == 0)
		return wraps(part);
	if (is_near(part, track->time[part->end - 1], part->range->end_s) ||
	    anim_track_interp(track, part->end - 1) == ANIM_HOLD)
		return false;
	return part->end < track->n || wraps(part);
}

static void find_part(struct border_part *part)
{
	const struct anim_track *track = part->track;
	bool steps = anim_track_steps(track), bezier = track->interp == ANIM_BEZIER_2D;
	struct anim_span_counts counts;
	size_t before, reach = steps ? 1 : 1 + anim_span_reach(track);

	anim_span_count(&counts, track->time, track->n, part->range);
	before = steps ? counts.to_start : counts.before_start;
	part->first = before > reach ? before - reach : 0;
	part->end = counts.to_end;
	/* The player of the new clip uses keys at its end, up to rounding. */
	while (part->end < track->n && is_near(part, track->time[part->end], part->range->end_s))
		part->end++;
	while (part->end > 0 && track->time[part->end - 1] > part->range->end_s &&
	       !is_near(part, track->time[part->end - 1], part->range->end_s))
		part->end--;
	part->from_border = part->end == 0 || (wraps(part) && counts.to_start == 0 &&
					       !is_near(part, track->time[0], part->range->start_s));
	part->from_like = wraps(part) ? track->n - 1 : 0;
	part->to_like = part->end > 0 ? part->end - 1 : part->from_like;
	if (bezier) {
		/*
		 * Include the Bezier key after the end, which is used if there are two keys before it. Otherwise add a
		 * border key.
		 */
		if (part->end != 0 && part->end != part->track->n) {
			if (part->end - part->first < 2 && part->first > 0)
				part->first--;
			part->to_border = part->end - part->first < 2;
			part->end += !part->to_border;
		}
	} else
		part->to_border = !steps && moves_on(part);
	if (part->to_border && part->range->end_s == part->range->start_s) {
		/* A part without length is one key. */
		part->from_border = true;
		part->from_like = part->to_like;
		part->to_border = false;
		part->first = part->end;
	}
}

static bool is_straight(const struct anim_track *track, size_t k)
{
	enum anim_interp mode = anim_track_interp(track, k);

	return (mode == ANIM_LINEAR || mode == ANIM_LINEAR_ANGLE) && anim_type_is_real(track->type) &&
	       (track->ease == NULL || track->ease[k] == 1);
}

/*
 * Return whether the part differs from the track. A border key is exact if it cuts a linear segment or the value is
 * constant.
 */
static bool is_approximated(const struct border_part *part)
{
	const struct anim_track *track = part->track;

	if (anim_track_steps(track) || part->range->end_s == part->range->start_s)
		return false;
	if (wraps(part) && anim_span_reach(track) > 0)
		return true;

	size_t end = part->end;

	if (end >= 2 && (end < part->track->n || part->to_border) &&
	    part->track->time[end - 1] > part->range->start_s &&
	    anim_interp_is_cubic(anim_track_interp(part->track, end - 2)))
		return true;
	if ((part->to_border && !is_straight(track, part->to_like)))
		return true;

	return part->from_border && wraps(part) && !is_straight(track, part->from_like);
}

/* Append a key with the track's value at the time, if the track has one. */
static int append_border(struct godot_part *work, const struct border_part *part, float time_s, size_t like,
			 struct anim_error *error)
{
	union {
		double align;
		struct anim_text text;
		uint8_t bytes[ANIM_VALUE_MAX];
	} value;
	struct anim_clip clip = *part->clip;
	const double t = (double)time_s;
	uint8_t present = 0;

	/*
	 * The engine's tolerance grows with the time since the clip's start. In the part, it is the tolerance of the
	 * new clip.
	 */
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
	/* Copy the other columns of key `like` to the last key. */
	for (enum anim_column id = ANIM_COLUMN_LEFT; id < ANIM_COLUMN_HINT; id++) {
		const uint8_t *column = part->track->column[id];

		if (column != NULL &&
		    anim_keys_set(&work->keys, id, column + like * anim_column_size(id, part->track->type), error) != 0)
			return -1;
	}
	return 0;
}

/*
 * Cut the track (rules godot3 or godot4, not Raw) to a range of the clip. `out` is borrowed from the work and the track
 * until the next call. Returns 0 or -1.
 */
static int part_for_godot(struct godot_part *work, const struct anim_clip *clip, const struct anim_range *range,
			  const struct anim_track *track, struct anim_track *out, struct anim_error *error)
{
	struct border_part part = {.clip = clip, .range = range, .track = track};

	anim_keys_reset(&work->keys, track->type);
	anim_sample_state_clear(&work->state);
	work->approximated = work->changed = false;
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
	/* Adding -0 keeps a time of -0. */
	if ((part.from_border && append_border(work, &part, range->start_s, part.from_like, error) != 0) ||
	    anim_keys_add_part(&work->keys, track, part.first, part.end - part.first, -0.0, error) != 0 ||
	    (part.to_border && append_border(work, &part, range->end_s, part.to_like, error) != 0))
		return -1;
	anim_keys_finish(&work->keys, out);
	if (track->interps != NULL && out->n > 0) { /* keep a column of modes, even for one key */
		out->interp = ANIM_INTERP_COLUMN;
		out->interps = work->keys.column[ANIM_COLUMN_INTERP].data;
	}
	return 0;
}

/* --- The filter --- */

#define TREE_MEMORY ((size_t)256 * 1024) /* for a tree that waits for its clip; the rest is in a file */

struct cut {
	struct anim_filter filter;
	struct anim_cut_options options;
	struct anim_store *tree; /* the last TREE and its nodes, until one of its clips is passed on; NULL: none */
	struct anim_arena arena; /* of the clip's head */
	struct anim_clip clip;   /* the original clip */
	struct anim_range range; /* of the clip */
	bool dropping;           /* the current clip is dropped with its content */
	bool cutting;            /* the range is shorter than the clip */
	size_t clips_kept, tracks_kept, clips_outside;
	struct anim_strings strings;
	struct godot_part godot;
};

bool anim_cut_wants_track(const struct anim_sink *sink, const char *node, const char *property)
{
	const struct cut *cut = (const struct cut *)sink;

	return !cut->dropping && anim_globs_match(cut->options.nodes.items, cut->options.nodes.count, node, NULL) &&
	       anim_globs_match(cut->options.properties.items, cut->options.properties.count, property, NULL);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct cut *cut = (struct cut *)sink;

	cut->dropping = false;
	anim_store_free(cut->tree);
	cut->tree = anim_store_new(TREE_MEMORY, error);
	return cut->tree == NULL ? -1 : anim_sink_tree(anim_store_sink(cut->tree), tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(anim_store_sink(((struct cut *)sink)->tree), node, error);
}

/* Print "12..14.5", "12.." or "..14.5" for messages. */
static void print_range(const struct cut *cut, char out[2 * ANIM_NUMBER_MAX + 3])
{
	const struct anim_cut_options *options = &cut->options;
	size_t used = isfinite(options->range.from) ? anim_number_print_double(out, options->range.from) : 0;

	memcpy(out + used, "..", 2);
	used += 2 + (isfinite(options->range.to) ? anim_number_print_double(out + used + 2, options->range.to) : 0);
	out[used] = '\0';
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct cut *cut = (struct cut *)sink;

	cut->dropping = cut->cutting = false;
	if (cut->options.range.given) {
		int overlaps = anim_range_of_clip(&cut->range, clip, &cut->options.range, error);

		if (overlaps < 0)
			return -1;
		if (overlaps == 0) {
			char wanted[2 * ANIM_NUMBER_MAX + 3], start[ANIM_NUMBER_MAX + 1], end[ANIM_NUMBER_MAX + 1];

			print_range(cut, wanted);
			start[anim_number_print_float(start, clip->start_s)] = '\0';
			end[anim_number_print_float(end, clip->end_s)] = '\0';
			cut->dropping = true;
			cut->clips_outside++;
			return anim_diagnostics_note(cut->options.diagnostics, "clip", error,
						     "'%.100s' (%s..%s s): left out, because it is outside %s",
						     clip->name, start, end, wanted);
		}
		cut->cutting = !anim_range_is_whole(&cut->range, clip);
	}
	cut->clips_kept++;

	if (cut->tree != NULL && clip->flags & ANIM_IN_TREE) {
		if (anim_store_replay_trees(cut->tree, cut->filter.next, error) != 0)
			return -1;
		anim_store_free(cut->tree);
		cut->tree = NULL;
	}

	if (!cut->cutting)
		return anim_filter_clip(sink, clip, error);

	struct anim_clip out = *clip;

	anim_arena_reset(&cut->arena);
	if (anim_clip_copy(&cut->clip, clip, &cut->arena, error) != 0)
		return -1;
	out.start_s = cut->range.start_s;
	out.end_s = cut->range.end_s;
	if (out.end_s != clip->end_s)
		out.flags &= (uint8_t)~ANIM_END_DERIVED;
	out.record = NULL;
	return anim_filter_clip(sink, &out, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct cut *cut = (struct cut *)sink;

	if (!anim_cut_wants_track(sink, track->node, track->property))
		return 0;
	cut->tracks_kept++;
	if (!cut->cutting || (cut->options.was_cut && track->record == NULL))
		return anim_filter_track(sink, track, error);
	if (anim_span_follows_clip(track) && track->property[0] != '@') {
		struct anim_track out;

		if (part_for_godot(&cut->godot, &cut->clip, &cut->range, track, &out, error) != 0)
			return -1;
		if (cut->godot.approximated &&
		    anim_diagnostics_warn(cut->options.diagnostics, "track", error,
					  "'%.100s %.100s': changed at an end of the range because of a curve or "
					  "unsorted keys there; resample before packing",
					  track->node, track->property) != 0)
			return -1;
		return anim_filter_track(&cut->filter.sink, &out, error);
	}

	struct anim_span span;
	struct anim_track out;

	if (track->kind == ANIM_RAW)
		anim_span_of_raw(&span, track, &cut->range);
	else
		anim_span_of_track(&span, track, &cut->range);
	if (span.count == track->n)
		return anim_filter_track(&cut->filter.sink, track, error);
	anim_track_part(&out, &cut->strings, track, span.first, span.count);
	return anim_filter_track(&cut->filter.sink, &out, error);
}

/* Records of other programs about clips and tracks may not apply to a part, so they are dropped. */
static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return memcmp(record->tag, "prog", 4) == 0 ? anim_filter_record(sink, record, error) : 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct cut *cut = (struct cut *)sink;
	bool picky = cut->options.nodes.count > 0 || cut->options.properties.count > 0;
	char wanted[2 * ANIM_NUMBER_MAX + 3];

	if (!(cut->clips_kept > 0) && cut->clips_outside != 0) {
		print_range(cut, wanted);
		return anim_fail(error, ANIM_BAD_INPUT, "no clip overlaps %s; " ANIM_ADVICE(LIST_CLIPS), wanted);
	}

	if (picky && cut->tracks_kept == 0 &&
	    anim_diagnostics_warn(cut->options.diagnostics, NULL, error,
				  "no track matches; " ANIM_ADVICE(LIST_TRACKS)) != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct cut *cut = (struct cut *)sink;

	anim_store_free(cut->tree);
	anim_arena_clear(&cut->arena);
	anim_keys_clear(&cut->godot.keys);
	anim_sample_state_clear(&cut->godot.state);
	anim_filter_free(sink);
}

struct anim_sink *anim_cut_new(const struct anim_cut_options *options, struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};
	struct cut *cut = anim_filter_new(sizeof *cut, &ops, next, error);

	if (cut == NULL)
		return NULL;
	cut->options = *options;
	return &cut->filter.sink;
}
