/* attribute.c: sets one attribute of every clip. */
#include "filter/attribute.h"

#include <stdlib.h>

#include "base/arena.h"

struct attribute {
	struct anim_sink sink;
	struct anim_sink *next;
	const char *key, *value;
	struct anim_arena arena; /* of the clip at hand */
};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return anim_sink_tree(((struct attribute *)sink)->next, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(((struct attribute *)sink)->next, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct attribute *attribute = (struct attribute *)sink;
	struct anim_clip changed = *clip;

	anim_arena_reset(&attribute->arena);
	if (anim_attrs_with(&changed.attrs, &clip->attrs, attribute->key, attribute->value, &attribute->arena, error) !=
	    0)
		return -1;
	changed.record = NULL;
	return anim_sink_clip(attribute->next, &changed, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(((struct attribute *)sink)->next, track, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return anim_sink_record(((struct attribute *)sink)->next, record, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return anim_sink_end(((struct attribute *)sink)->next, error);
}

static void on_free(struct anim_sink *sink)
{
	struct attribute *attribute = (struct attribute *)sink;

	anim_sink_free(attribute->next);
	anim_arena_clear(&attribute->arena);
	free(attribute);
}

static const struct anim_sink_ops attribute_ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};

struct anim_sink *anim_attribute_new(const char *key, const char *value, struct anim_sink *next,
				     struct anim_error *error)
{
	struct attribute *attribute = calloc(1, sizeof *attribute);

	if (attribute == NULL) {
		anim_sink_free(next);
		anim_fail_memory(error);
		return NULL;
	}
	attribute->sink.ops = &attribute_ops;
	attribute->next = next;
	attribute->key = key;
	attribute->value = value;
	return &attribute->sink;
}
