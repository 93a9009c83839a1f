/* convert.c: the filter: which tracks change, and what is said of those that cannot. */
#include "filter/convert/convert.h"

#include <string.h>

#include "filter/convert/internal.h"

#define LABEL_MAX 256u /* bytes of a track's name in a message */

const struct anim_rest *convert_rest(struct convert *c, const char *node)
{
	return anim_rests_find_either(&c->rests, c->other_rests, c->clip.root, node);
}

static int finish_clip(struct convert *c, struct anim_error *error)
{
	const struct anim_scope *now = c->diagnostics->scope;
	int result = 0;

	if (c->in_clip && c->components != NULL) {
		c->diagnostics->scope = c->scope;
		result = convert_join(c, error);
		c->diagnostics->scope = now;
	}
	anim_store_free(c->components);
	c->components = NULL;
	c->in_clip = false;
	return result;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct convert *c = (struct convert *)sink;

	if (finish_clip(c, error) != 0)
		return -1;
	anim_rests_clear(&c->rests);
	return anim_filter_tree(sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct convert *c = (struct convert *)sink;

	return anim_rests_add(&c->rests, node, error) != 0 ? -1 : anim_filter_node(sink, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct convert *c = (struct convert *)sink;

	if (finish_clip(c, error) != 0)
		return -1;
	anim_arena_reset(&c->clip_arena);
	if (anim_clip_copy(&c->clip, clip, &c->clip_arena, error) != 0)
		return -1;
	c->in_clip = true;
	c->scope = c->diagnostics->scope;
	return anim_filter_clip(sink, clip, error);
}

int convert_put(struct convert *c, const struct anim_track *track, struct anim_error *error)
{
	struct anim_track plain = *track;
	struct anim_strings strings;

	if (c->caps.source_texts || !anim_texts_are_quoted(track))
		return anim_sink_track(c->filter.next, track, error);
	anim_texts_reset(&c->texts);
	if (anim_texts_unquote(&c->texts, track, error) != 0 ||
	    anim_attrs_with(&plain.attrs, &track->attrs, "literal", NULL, &c->scratch, error) != 0)
		return -1;
	anim_texts_view(&c->texts, &strings);
	plain.strings = &strings;
	plain.record = NULL;
	return anim_sink_track(c->filter.next, &plain, error);
}

/* What a humanoid clip moves, only its avatar knows. */
static int tell_humanoid(struct convert *c, const struct anim_track *t, struct anim_error *error)
{
	char label[LABEL_MAX];

	if (c->caps.rules == ANIM_RULES_UNITY || anim_attrs_get(&t->attrs, "unity.humanoid") == NULL)
		return 0;
	anim_track_label(t, label, sizeof label);
	return anim_diagnostics_warn(
	    c->diagnostics,
	    "muscle curves need the avatar; written as plain floats, they move no bone; bake to a "
	    "generic clip in Unity first",
	    error,
	    "'%s' is a muscle curve and needs the avatar; written as plain floats, it moves no bone; "
	    "bake to a generic clip in Unity first",
	    label);
}

/* Keys out of order stay so where the target holds them and they come from its own player. */
static bool must_be_sorted(const struct convert *c, const struct anim_track *track)
{
	bool held = (convert_flags(&c->caps, track) & ANIM_UNSORTED) && track->rules == c->caps.rules &&
		    !convert_is_component(c, track);

	return (track->flags & ANIM_UNSORTED) && !held && track->kind != ANIM_RAW;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct convert *c = (struct convert *)sink;
	struct anim_track sorted, wide;

	anim_arena_reset(&c->scratch);
	if (track->flags & ANIM_DISABLED & ~convert_flags(&c->caps, track))
		return convert_leave_out(c, track, error);
	if (track->n == 0 && convert_is_whole_part(c, track) && convert_is_component(c, track))
		return convert_leave_out(c, track, error);
	if (track->n == 0)
		return convert_put(c, track, error);
	if (tell_humanoid(c, track, error) != 0)
		return -1;
	/* Sorted before anything else: all that follows looks for keys by their times. */
	if (must_be_sorted(c, track)) {
		if (anim_track_sort(track, &sorted, &c->scratch, c->diagnostics, error) != 0)
			return -1;
		track = &sorted;
	}
	if (convert_is_component(c, track))
		return convert_keep_component(c, track, error);
	return convert_widen(c, track, &wide, error) != 0 ? -1 : convert_whole(c, &wide, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct convert *c = (struct convert *)sink;

	if (finish_clip(c, error) != 0 || anim_rests_check(&c->rests, error) != 0 ||
	    (c->other_rests != NULL && anim_rests_check(c->other_rests, error) != 0))
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct convert *c = (struct convert *)sink;

	anim_rests_clear(&c->rests);
	anim_arena_clear(&c->clip_arena);
	anim_arena_clear(&c->scratch);
	anim_store_free(c->components);
	convert_keys_clear(&c->keys);
	anim_keys_clear(&c->steps);
	anim_buffer_clear(&c->breaks);
	anim_buffer_clear(&c->samples);
	anim_texts_clear(&c->texts);
	anim_filter_free(sink);
}

struct anim_sink *anim_convert_new(const struct anim_caps *caps, double tol, bool strict,
				   struct anim_diagnostics *diagnostics, struct anim_sink *next,
				   struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, NULL, on_end, on_free};
	struct convert *c = anim_filter_new(sizeof *c, &ops, next, error);

	if (c == NULL)
		return NULL;
	c->caps = *caps;
	c->tol = tol;
	c->strict = strict;
	c->diagnostics = diagnostics;
	return &c->filter.sink;
}

void anim_convert_use_rests(struct anim_sink *sink, struct anim_rests *rests)
{
	((struct convert *)sink)->other_rests = rests;
}
