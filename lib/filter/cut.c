/* cut.c: keeps tracks by name, and of clips and tracks a part in time. */
#include "filter/cut.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "filter/cut_godot.h"
#include "filter/filter.h"
#include "stream/store.h"

#define TREE_MEMORY ((size_t)256 * 1024)

struct cut {
	struct anim_filter filter;
	struct anim_cut_options options;
	struct anim_store *tree; /* the last TREE and its nodes, until a clip in it passes; NULL: none waits */
	struct anim_arena arena; /* of the clip's head */
	struct anim_clip clip;   /* as it came */
	struct anim_range range; /* of it */
	bool dropping;           /* the clip at hand and what stands in it */
	bool cutting;            /* the range is less than the clip */
	size_t clips_kept, tracks_kept, clips_outside;
	struct anim_strings strings;
	struct anim_cut_godot godot;
};

static bool fits_any(const struct anim_cut_patterns *patterns, const char *path)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (anim_glob_match(patterns->items[i], path))
			return true;
	return patterns->count == 0;
}

bool anim_cut_wants_track(const struct anim_sink *sink, const char *node, const char *property)
{
	const struct cut *cut = (const struct cut *)sink;

	return !cut->dropping && fits_any(&cut->options.nodes, node) && fits_any(&cut->options.properties, property);
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

static int pass_tree(struct cut *cut, const struct anim_clip *clip, struct anim_error *error)
{
	if (cut->tree == NULL || !(clip->flags & ANIM_IN_TREE))
		return 0;
	if (anim_store_replay_trees(cut->tree, cut->filter.next, error) != 0)
		return -1;
	anim_store_free(cut->tree);
	cut->tree = NULL;
	return 0;
}

/* "12..14.5", "12..", "..14.5", for messages. */
static void print_range(const struct cut *cut, char out[2 * ANIM_NUMBER_MAX + 3])
{
	const struct anim_cut_options *options = &cut->options;
	size_t used = isfinite(options->from_s) ? anim_number_print_double(out, options->from_s) : 0;

	memcpy(out + used, "..", 2);
	used += 2 + (isfinite(options->to_s) ? anim_number_print_double(out + used + 2, options->to_s) : 0);
	out[used] = '\0';
}

static int leave_out(struct cut *cut, const struct anim_clip *clip, struct anim_error *error)
{
	char wanted[2 * ANIM_NUMBER_MAX + 3], start[ANIM_NUMBER_MAX + 1], end[ANIM_NUMBER_MAX + 1];

	print_range(cut, wanted);
	start[anim_number_print_float(start, clip->start_s)] = '\0';
	end[anim_number_print_float(end, clip->end_s)] = '\0';
	cut->dropping = true;
	cut->clips_outside++;
	return anim_losses_add(
	    cut->options.losses, ANIM_NOTE, NULL, "clips have no time in that range and were left out", error,
	    "clip '%.100s' is %s..%s s, outside %s, and was left out", clip->name, start, end, wanted);
}

static int pass_part(struct cut *cut, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_clip out = *clip;

	anim_arena_reset(&cut->arena);
	if (anim_clip_copy(&cut->clip, clip, &cut->arena, error) != 0)
		return -1;
	out.start_s = cut->range.start_s;
	out.end_s = cut->range.end_s;
	if (out.end_s != clip->end_s)
		out.flags &= (uint8_t)~ANIM_END_DERIVED;
	out.record = NULL;
	return anim_filter_clip(&cut->filter.sink, &out, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct cut *cut = (struct cut *)sink;

	cut->dropping = cut->cutting = false;
	if (cut->options.ranged) {
		if (!anim_range_of_clip(&cut->range, clip, cut->options.from_s, cut->options.to_s))
			return leave_out(cut, clip, error);
		cut->cutting = !anim_range_is_whole(&cut->range, clip);
	}
	cut->clips_kept++;
	if (pass_tree(cut, clip, error) != 0)
		return -1;
	return cut->cutting ? pass_part(cut, clip, error) : anim_filter_clip(sink, clip, error);
}

static int cut_godot(struct cut *cut, const struct anim_track *track, struct anim_error *error)
{
	struct anim_track out;

	if (anim_cut_godot(&cut->godot, &cut->clip, &cut->range, track, &out, error) != 0)
		return -1;
	if (cut->godot.approximated &&
	    anim_losses_add(cut->options.losses, ANIM_WARNING, NULL,
			    "tracks have a bent curve or keys out of order at an end of the range, where they differ "
			    "now; resample before packing",
			    error,
			    "track '%.100s %.100s' has a bent curve or keys out of order at an end of the range, where "
			    "it differs now; resample before packing",
			    track->node, track->property) != 0)
		return -1;
	return anim_filter_track(&cut->filter.sink, &out, error);
}

static int cut_span(struct cut *cut, const struct anim_track *track, struct anim_error *error)
{
	struct anim_span span = {0, track->n};
	struct anim_track out;

	if (track->kind == ANIM_RAW) {
		anim_span_of_raw(&span, track, &cut->range);
	} else if (track->n > 0 && !(track->flags & ANIM_UNSORTED)) {
		struct anim_span_counts counts;

		anim_span_count(&counts, track->time, track->n, &cut->range);
		anim_span_of_keys(&span, track, &cut->range, &counts, (double)track->time[0],
				  (double)track->time[track->n - 1]);
	}
	if (span.count == track->n)
		return anim_filter_track(&cut->filter.sink, track, error);
	anim_track_part(&out, &cut->strings, track, span.first, span.count);
	return anim_filter_track(&cut->filter.sink, &out, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct cut *cut = (struct cut *)sink;

	if (!anim_cut_wants_track(sink, track->node, track->property))
		return 0;
	cut->tracks_kept++;
	if (!cut->cutting || (cut->options.was_cut && track->record == NULL))
		return anim_filter_track(sink, track, error);
	if (anim_span_follows_clip(track) && track->property[0] != '@')
		return cut_godot(cut, track, error);
	return cut_span(cut, track, error);
}

/* What others' records say of clips and tracks need not be so of a part of them. */
static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return memcmp(record->tag, "prog", 4) == 0 ? anim_filter_record(sink, record, error) : 0;
}

static int check_clips(const struct cut *cut, struct anim_error *error)
{
	char wanted[2 * ANIM_NUMBER_MAX + 3];

	if (cut->clips_kept > 0 || cut->clips_outside == 0)
		return 0;
	print_range(cut, wanted);
	return anim_fail(error, ANIM_BAD_INPUT, "no clip has any time in %s; anim-info tells where they lie", wanted);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct cut *cut = (struct cut *)sink;
	bool picky = cut->options.nodes.count > 0 || cut->options.properties.count > 0;

	if (check_clips(cut, error) != 0)
		return -1;
	if (picky && cut->tracks_kept == 0 &&
	    anim_losses_add(cut->options.losses, ANIM_WARNING, NULL, NULL, error,
			    "no track fits; anim-info tells what there is") != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct cut *cut = (struct cut *)sink;

	anim_store_free(cut->tree);
	anim_arena_clear(&cut->arena);
	anim_cut_godot_clear(&cut->godot);
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
