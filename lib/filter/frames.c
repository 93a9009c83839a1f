/* frames.c: clips that are not frames of whole values are baked. */
#include "filter/frames.h"

#include <string.h>

#include "base/text.h"
#include "filter/bake.h"
#include "filter/filter.h"
#include "stream/store.h"

#define WAITING ((size_t)1 << 20) /* bytes of a clip in memory. Others are in a file */

struct frames {
	struct anim_filter filter; /* its `next` bakes */
	struct anim_sink *after;   /* gets the frames, owned by the baking filter */
	struct anim_store *store;  /* the current clip, or NULL */
	struct anim_track grid;    /* the first track with samples: its times count */
	bool has_grid, fits;       /* fits: all transforms are samples at these times */
	struct anim_diagnostics *diagnostics;
	const struct anim_scope *scope; /* of the clip */
};

static int finish_clip(struct frames *f, struct anim_error *error)
{
	const struct anim_scope *scope = f->diagnostics->scope;
	struct anim_clip head;
	int result;

	if (f->store == NULL)
		return 0;
	f->diagnostics->scope = f->scope;
	head = *anim_store_clip(f->store, 0);
	if (!f->fits && f->has_grid && f->grid.rate_num > 0) {
		head.rate_num = f->grid.rate_num;
		head.rate_den = f->grid.rate_den;
	}
	result = anim_store_replay(f->store, 0, f->fits ? NULL : &head, f->fits ? f->after : f->filter.next, error);
	anim_store_free(f->store);
	f->store = NULL;
	f->diagnostics->scope = scope;
	return result;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return finish_clip((struct frames *)sink, error) != 0 ? -1 : anim_filter_tree(sink, tree, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct frames *f = (struct frames *)sink;

	if (finish_clip(f, error) != 0 || (f->store = anim_store_new(WAITING, error)) == NULL)
		return -1;
	f->scope = f->diagnostics->scope;
	f->has_grid = false;
	f->fits = true;
	return anim_sink_clip(anim_store_sink(f->store), clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct frames *f = (struct frames *)sink;

	/* A single sample is constant and fits every grid. */
	bool whole = track->component == ANIM_WHOLE && !(track->flags & ANIM_REST_RELATIVE);

	if (track->n != 0 && !(track->flags & ANIM_DISABLED) && anim_track_is_transform(track) &&
	    anim_text_is_word("position rotation euler", track->property)) {
		f->fits = f->fits && whole && track->kind == ANIM_RAW;
		if (track->kind == ANIM_RAW && track->n != 1) {
			f->fits = f->fits && (!f->has_grid ||
					      (track->n == f->grid.n && track->start_s == f->grid.start_s &&
					       track->step_s == f->grid.step_s && track->rate_num == f->grid.rate_num &&
					       track->rate_den == f->grid.rate_den));
			if (!f->has_grid)
				f->grid = *track;
			f->has_grid = true;
		}
	}

	return anim_sink_track(anim_store_sink(f->store), track, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return finish_clip((struct frames *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	anim_store_free(((struct frames *)sink)->store);
	anim_filter_free(sink);
}

struct anim_sink *anim_frames_new(struct anim_rests *rests, struct anim_diagnostics *diagnostics,
				  struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	const struct anim_bake_options bake = {.all = true, .rests = rests, .diagnostics = diagnostics};
	struct anim_sink *baked = next == NULL ? NULL : anim_bake_new(&bake, next, error);
	struct frames *f = baked == NULL ? NULL : anim_filter_new(sizeof *f, &ops, baked, error);

	if (f == NULL)
		return NULL;
	f->after = next;
	f->diagnostics = diagnostics;
	return &f->filter.sink;
}
