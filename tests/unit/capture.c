/* capture.c: a sink that keeps what flows into it, for tests of filters. */
#include "capture.h"

#include <string.h>

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct capture *c = (struct capture *)sink;

	return anim_tree_copy(&c->tree, tree, &c->arena, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct capture *c = (struct capture *)sink;

	return c->node_count == CAPTURE_MAX ? -1 : anim_node_copy(&c->nodes[c->node_count++], node, &c->arena, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct capture *c = (struct capture *)sink;

	c->clip_count++;
	return anim_clip_copy(&c->clip, clip, &c->arena, error);
}

static const void *keep(struct capture *c, const void *bytes, size_t size)
{
	void *copy = bytes != NULL ? anim_arena_alloc(&c->arena, size, NULL) : NULL;

	return copy != NULL ? memcpy(copy, bytes, size) : NULL;
}

static const struct anim_strings *keep_strings(struct capture *c, const struct anim_strings *strings, size_t n)
{
	struct anim_strings copy;

	if (strings == NULL)
		return NULL;
	copy = *strings;
	copy.length = keep(c, strings->length, n * sizeof *strings->length);
	copy.start = keep(c, strings->start, n * sizeof *strings->start);
	copy.bytes = keep(c, strings->bytes, strings->bytes_size);
	return keep(c, &copy, sizeof copy);
}

static struct anim_attrs keep_attrs(struct capture *c, const struct anim_attrs *attrs)
{
	struct anim_attrs copy = {NULL, 0}, longer;

	for (size_t i = 0; i < attrs->count; i++, copy = longer)
		if (anim_attrs_with(&longer, &copy, attrs->items[i].key, attrs->items[i].value, &c->arena, NULL) != 0)
			break;
	return copy;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct capture *c = (struct capture *)sink;
	struct anim_track *copy = &c->tracks[c->track_count];
	size_t bytes = track->n * anim_types[track->type].size,
	       components = track->n * anim_types[track->type].components;

	if (anim_track_validate(track, error) != 0 || c->track_count == CAPTURE_MAX)
		return -1;
	c->track_count++;
	*copy = *track;
	copy->node = anim_arena_text(&c->arena, track->node, strlen(track->node), error);
	copy->property = anim_arena_text(&c->arena, track->property, strlen(track->property), error);
	copy->time = keep(c, track->time, track->n * sizeof *track->time);
	copy->value = keep(c, track->value, bytes);
	copy->left = keep(c, track->left, bytes);
	copy->right = keep(c, track->right, bytes);
	copy->interps = keep(c, track->interps, track->n);
	copy->left_x = keep(c, track->left_x, components * sizeof *track->left_x);
	copy->right_x = keep(c, track->right_x, components * sizeof *track->right_x);
	copy->ease = keep(c, track->ease, track->n * sizeof *track->ease);
	copy->weighted = keep(c, track->weighted, track->n);
	copy->strings = keep_strings(c, track->strings, track->n);
	copy->attrs = keep_attrs(c, &track->attrs);
	return 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	(void)error;
	((struct capture *)sink)->ended = true;
	return 0;
}

static void on_free(struct anim_sink *sink)
{
	((struct capture *)sink)->freed = true;
}

struct anim_sink *capture_sink(struct capture *c)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, NULL, on_end, on_free};

	memset(c, 0, sizeof *c);
	c->sink.ops = &ops;
	return &c->sink;
}

void capture_clear(struct capture *c)
{
	anim_arena_clear(&c->arena);
}
