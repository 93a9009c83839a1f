/* bake.c: the filter: clips one by one, those that wait for their RESET, and which track goes which way. */
#include "filter/bake/bake.h"

#include <string.h>

#include "filter/bake/internal.h"
#include "filter/clip_names.h"
#include "filter/resample.h"
#include "filter/sort.h"

#define DEFAULT_RATE 30u
#define LABEL_MAX 256u /* bytes of a track's name in a message */
#define STORE_MEMORY ((size_t)1 << 20)

const struct anim_rest *bake_rest(struct bake *b, const char *node)
{
	return anim_rests_find_either(&b->rests, b->options.rests, b->clip.root, node);
}

static int tell_clip(struct bake *b, const struct anim_clip *clip, struct anim_error *error)
{
	bool rate = b->options.rate_num > 0 || clip->rate_num > 0;

	if (anim_clip_is_reset(clip))
		return 0;
	if (!rate && anim_losses_add(b->options.losses, ANIM_NOTE, NULL,
				     "clips have no rate of their own and were sampled at 30; give one with -r", error,
				     "clip '%s' has no rate of its own and was sampled at 30; give one with -r",
				     clip->name) != 0)
		return -1;
	if (b->options.loops < 2 || clip->loop != ANIM_LOOP_NONE)
		return 0;
	return anim_losses_add(b->options.losses, ANIM_NOTE, NULL, "clips do not loop and are played once", error,
			       "clip '%s' does not loop and is played once", clip->name);
}

static int begin_clip(struct bake *b, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_clip rated;

	b->scope = b->options.losses->scope;
	anim_arena_reset(&b->clip_arena);
	if (anim_clip_copy(&b->clip, clip, &b->clip_arena, error) != 0 || tell_clip(b, clip, error) != 0)
		return -1;
	b->in_clip = true;
	rated = *clip;
	if (b->options.rate_num == 0 && clip->rate_num == 0) {
		rated.rate_num = DEFAULT_RATE;
		rated.rate_den = 1;
		rated.record = NULL;
	}
	return anim_sink_clip(b->filter.next, &rated, error);
}

/* Whether lanes of the clip at work may yet be told by a RESET behind it. 0 or -1. */
static int may_wait(struct bake *b, bool *wait, struct anim_error *error)
{
	*wait = false;
	if (strncmp(b->clip.source, "godot", 5) != 0 || anim_clip_is_reset(&b->clip) ||
	    bake_resets_find(&b->resets, &b->clip) >= 0)
		return 0;
	return bake_has_gap(b, wait, error);
}

/* Joins the lanes of the clip at work, and is done with it. */
static int close_clip(struct bake *b, struct anim_error *error)
{
	int result;

	b->options.losses->scope = b->scope;
	result = b->lanes != NULL ? bake_join(b, error) : 0;
	anim_store_free(b->lanes);
	b->lanes = NULL;
	b->in_clip = false;
	return result;
}

/* All tracks of the clip at work are there. It is closed, or waits where more may come (not `last`). 0 or -1. */
static int finish_clip(struct bake *b, bool last, struct anim_error *error)
{
	if (b->in_clip && b->lanes != NULL && !last && may_wait(b, &b->waits, error) != 0)
		return -1;
	return b->waits ? 0 : close_clip(b, error);
}

/* A track of the clip at work. What has no keys or is disabled, the resampling filter leaves out and tells. */
static int bake_track(struct bake *b, const struct anim_track *track, struct anim_error *error)
{
	struct anim_track sorted;

	anim_arena_reset(&b->scratch);
	if ((track->flags & ANIM_DISABLED) || track->n == 0)
		return anim_sink_track(b->filter.next, track, error);
	if ((track->flags & ANIM_UNSORTED) && track->kind != ANIM_RAW) {
		if (anim_track_sort(track, &sorted, &b->scratch, b->options.losses, error) != 0)
			return -1;
		track = &sorted;
	}
	if (track->component != ANIM_WHOLE && track->type != ANIM_STRING)
		return anim_lanes_keep(&b->lanes, &b->clip, track, error);
	return bake_whole(b, track, error);
}

static int bake_held(struct bake *b, size_t number, bool last, struct anim_error *error)
{
	struct anim_track track;

	b->options.losses->scope = ((const struct anim_scope **)(void *)b->held_scopes.data)[number];
	if (begin_clip(b, anim_store_clip(b->held, number), error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_tracks(b->held, number); i++)
		if (anim_store_read(b->held, number, i, &track, error) != 0 || bake_track(b, &track, error) != 0)
			return -1;
	return finish_clip(b, last, error);
}

/* Closes the clip that waits and goes on with those held behind it, until one waits again. 0 or -1. */
static int release(struct bake *b, bool last, struct anim_error *error)
{
	b->waits = false;
	if (close_clip(b, error) != 0)
		return -1;
	while (!b->waits && b->held != NULL && b->held_next < anim_store_clips(b->held))
		if (bake_held(b, b->held_next++, last, error) != 0)
			return -1;
	if (b->waits)
		return 0;
	anim_store_free(b->held);
	b->held = NULL;
	b->held_next = 0;
	b->held_scopes.size = 0;
	return 0;
}

/* What came is whole: a clip, or (last) all that a RESET could belong to. 0 or -1. */
static int settle(struct bake *b, bool last, struct anim_error *error)
{
	const struct anim_scope *now = b->options.losses->scope;

	if (!b->waits && finish_clip(b, last, error) != 0)
		return -1;
	if (b->waits && (last || bake_resets_find(&b->resets, &b->clip) >= 0) && release(b, last, error) != 0)
		return -1;
	b->options.losses->scope = now;
	return 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct bake *b = (struct bake *)sink;

	if (settle(b, true, error) != 0)
		return -1;
	bake_resets_clear(&b->resets);
	anim_rests_clear(&b->rests);
	return anim_filter_tree(sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct bake *b = (struct bake *)sink;

	return anim_rests_add(&b->rests, node, error) != 0 ? -1 : anim_filter_node(sink, node, error);
}

static int hold_clip(struct bake *b, const struct anim_clip *clip, struct anim_error *error)
{
	if (b->held == NULL && (b->held = anim_store_new(STORE_MEMORY, error)) == NULL)
		return -1;
	if (anim_buffer_append(&b->held_scopes, &b->options.losses->scope, sizeof b->options.losses->scope, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(b->held), clip, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct bake *b = (struct bake *)sink;

	if (settle(b, false, error) != 0)
		return -1;
	b->in_reset = anim_clip_is_reset(clip);
	if (b->in_reset && bake_resets_begin(&b->resets, clip, error) != 0)
		return -1;
	return b->waits ? hold_clip(b, clip, error) : begin_clip(b, clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct bake *b = (struct bake *)sink;

	if (b->in_reset && bake_resets_add(&b->resets, track, error) != 0)
		return -1;
	return b->waits ? anim_sink_track(anim_store_sink(b->held), track, error) : bake_track(b, track, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct bake *b = (struct bake *)sink;

	if (settle(b, true, error) != 0 || anim_rests_check(&b->rests, error) != 0 ||
	    (b->options.rests != NULL && anim_rests_check(b->options.rests, error) != 0))
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct bake *b = (struct bake *)sink;

	anim_rests_clear(&b->rests);
	bake_resets_clear(&b->resets);
	anim_arena_clear(&b->clip_arena);
	anim_arena_clear(&b->scratch);
	anim_store_free(b->lanes);
	anim_store_free(b->held);
	anim_buffer_clear(&b->held_scopes);
	anim_buffer_clear(&b->samples);
	anim_keys_clear(&b->steps);
	anim_filter_free(sink);
}

struct anim_sink *anim_bake_new(const struct anim_bake_options *options, struct anim_sink *next,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, anim_filter_record,
						 on_end,  on_free};
	const struct anim_resample_options resample = {.rate_num = options->rate_num,
						       .rate_den = options->rate_den,
						       .end = options->end,
						       .all = options->all,
						       .loops = options->loops,
						       .losses = options->losses};
	struct bake *b = anim_filter_new(sizeof *b, &ops, next, error);
	struct anim_sink *behind;

	if (b == NULL)
		return NULL;
	b->options = *options;
	b->tidy = bake_tidy_new(b, next, error);
	behind = b->tidy != NULL ? anim_resample_new(&resample, b->tidy, error) : NULL;
	b->filter.next = behind;
	if (behind == NULL) {
		anim_filter_free(&b->filter.sink);
		return NULL;
	}
	return &b->filter.sink;
}
