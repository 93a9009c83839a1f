/* skeleton.c: read the tree of a skeleton. */
#include <string.h>

#include "filter/retarget/internal.h"

void anim_skeleton_init(struct anim_skeleton *skeleton)
{
	memset(skeleton, 0, sizeof *skeleton);
	anim_poses_init(&skeleton->poses, 0);
}

void anim_skeleton_clear(struct anim_skeleton *skeleton)
{
	anim_poses_clear(&skeleton->poses);
	anim_buffer_clear(&skeleton->names);
	anim_store_free(skeleton->records);
	anim_arena_clear(&skeleton->arena);
	anim_skeleton_init(skeleton);
}

struct skeleton_sink {
	struct anim_sink sink;
	struct anim_skeleton *skeleton;
	uint32_t first;        /* first node of the current tree */
	const char *root_name; /* of the current tree, in the skeleton's arena */
};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct skeleton_sink *s = (struct skeleton_sink *)sink;
	struct anim_skeleton *skeleton = s->skeleton;

	skeleton->trees++;
	skeleton->poses.axes = tree->axes;
	s->first = (uint32_t)anim_poses_count(&skeleton->poses);
	s->root_name = anim_arena_text(&skeleton->arena, tree->root_name, strlen(tree->root_name), error);
	skeleton->file = anim_arena_text(&skeleton->arena, tree->source_file, strlen(tree->source_file), error);
	if (s->root_name == NULL || skeleton->file == NULL)
		return -1;
	return skeleton->records == NULL ? 0 : anim_sink_tree(anim_store_sink(skeleton->records), tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct skeleton_sink *s = (struct skeleton_sink *)sink;
	struct anim_skeleton *skeleton = s->skeleton;
	struct anim_skeleton_name name = {.own = strcmp(node->path, ".") == 0 ? s->root_name : NULL,
					  .attrs = node->attrs,
					  .kind = (enum anim_node_kind)node->kind};
	struct anim_node own = *node;

	if (own.parent != ANIM_NO_PARENT)
		own.parent += s->first;
	if (anim_poses_add(&skeleton->poses, &own, error) != 0 ||
	    anim_attrs_keep(&name.attrs, &skeleton->arena, error) != 0 ||
	    anim_buffer_append(&skeleton->names, &name, sizeof name, error) != 0)
		return -1;
	return skeleton->records == NULL ? 0 : anim_sink_node(anim_store_sink(skeleton->records), node, error);
}

struct anim_sink *anim_skeleton_sink_new(struct anim_skeleton *skeleton, bool records, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.tree = on_tree, .node = on_node};
	struct skeleton_sink *sink = anim_sink_new(sizeof *sink, &ops, error);

	if (sink != NULL && records && (skeleton->records = anim_store_new(0, error)) == NULL) {
		anim_sink_free(&sink->sink);
		return NULL;
	}
	if (sink == NULL)
		return NULL;
	sink->skeleton = skeleton;
	return &sink->sink;
}
