/* scene_merge.c: the nodes of an instanced scene become part of the scene that instances it. */
#include <string.h>

#include "format/godot/library.h"
#include "format/godot/scene.h"

static int copy_bones(struct godot_tree *tree, uint32_t node, const struct anim_buffer *bones, struct anim_error *error)
{
	const struct godot_bone *from = (const struct godot_bone *)bones->data;

	for (size_t i = 0; i < bones->size / sizeof *from; i++) {
		struct godot_bone *bone = godot_bone_add(tree, node, from[i].index, error);

		if (bone == NULL)
			return -1;
		*bone = from[i];
	}
	return 0;
}

/* The settings of an instanced player count for libraries that the outer scene adds to it; its own clips are its file's. */
static int copy_player(struct godot_node_extra *extra, uint32_t node, const struct godot_player *from,
		       struct anim_arena *arena, struct anim_error *error)
{
	extra->player = anim_arena_zeroed(arena, 1, sizeof *extra->player, error);
	if (extra->player == NULL)
		return -1;
	extra->player->node = node;
	extra->player->root_node = from->root_node;
	extra->player->autoplay = from->autoplay;
	return 0;
}

static int copy_extra(struct godot_tree *tree, uint32_t node, const struct godot_node_extra *from,
		      struct anim_arena *arena, struct anim_error *error)
{
	struct godot_node_extra *extra = godot_tree_extra(tree, node, arena, error);

	if (extra == NULL)
		return -1;
	if (extra->instance == NULL)
		extra->instance = from->instance;
	extra->bone_name = from->bone_name;
	extra->bone_index = from->bone_index;
	memcpy(extra->rest, from->rest, sizeof extra->rest);
	extra->has_rest = from->has_rest;
	if (from->player != NULL && copy_player(extra, node, from->player, arena, error) != 0)
		return -1;
	return copy_bones(tree, node, &from->bones, error);
}

/* What an instanced node says passes to `node`, which says nothing itself yet. */
static int copy_node(struct godot_tree *tree, uint32_t node, const struct godot_node *from, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct godot_node *to = godot_tree_node(tree, node);
	struct godot_placement *placement;

	if (to->type[0] == '\0')
		to->type = from->type;
	to->flags |= from->flags & GODOT_NODE_UNREAD;
	if (from->placement != NULL) {
		placement = godot_tree_placement(tree, node, arena, error);
		if (placement == NULL)
			return -1;
		*placement = *from->placement;
	}
	return from->extra == NULL ? 0 : copy_extra(tree, node, from->extra, arena, error);
}

int godot_tree_merge(struct godot_tree *tree, uint32_t node, const struct godot_tree *inner, struct anim_arena *arena,
		     struct anim_error *error)
{
	uint32_t first = godot_tree_count(tree), count = godot_tree_count(inner), at;

	if (count == 0)
		return 0;
	if (copy_node(tree, node, godot_tree_node(inner, 0), arena, error) != 0)
		return -1;
	for (uint32_t i = 1; i < count; i++) {
		const struct godot_node *from = godot_tree_node(inner, i);
		uint32_t parent = from->parent == 0 ? node : first + from->parent - 1;

		if (godot_tree_add(tree, parent, from->name, from->type, &at, error) != 0 ||
		    copy_node(tree, at, from, arena, error) != 0)
			return -1;
		if ((from->flags & GODOT_NODE_UNIQUE) && godot_tree_unique(tree, at, error) != 0)
			return -1;
	}
	return 0;
}
