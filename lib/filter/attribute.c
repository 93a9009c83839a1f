/* attribute.c: sets one attribute of every clip. */
#include "filter/attribute.h"

#include "base/arena.h"
#include "filter/filter.h"

struct attribute {
	struct anim_filter filter;
	const char *key, *value;
	struct anim_arena arena; /* of the clip at hand */
};

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct attribute *attribute = (struct attribute *)sink;
	struct anim_clip changed = *clip;

	anim_arena_reset(&attribute->arena);
	if (anim_attrs_with(&changed.attrs, &clip->attrs, attribute->key, attribute->value, &attribute->arena, error) !=
	    0)
		return -1;
	changed.record = NULL;
	return anim_filter_clip(sink, &changed, error);
}

static void on_free(struct anim_sink *sink)
{
	anim_arena_clear(&((struct attribute *)sink)->arena);
	anim_filter_free(sink);
}

struct anim_sink *anim_attribute_new(const char *key, const char *value, struct anim_sink *next,
				     struct anim_error *error)
{
	static const struct anim_sink_ops ops = {anim_filter_tree,   anim_filter_node, on_clip, anim_filter_track,
						 anim_filter_record, anim_filter_end,  on_free};
	struct attribute *attribute = anim_filter_new(sizeof *attribute, &ops, next, error);

	if (attribute == NULL)
		return NULL;
	attribute->key = key;
	attribute->value = value;
	return &attribute->filter.sink;
}
