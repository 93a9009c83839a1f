/* scene.c: the tree of nodes: adding, looking up by path, merging an instanced scene. */
#include "format/godot/scene.h"

#include <string.h>

#include "math/euler.h"

#define NODES_MAX 0x7FFFFFFFu

/* Scopes of tree->names: children have their parent's number, bones lie with an empty name in a scope of their own. */
#define SCOPE_UNIQUE ((uint64_t)1 << 40)

static uint64_t bone_scope(uint32_t node, uint32_t index)
{
	return (uint64_t)1 << 63 | (uint64_t)node << 32 | index;
}

struct godot_node *godot_tree_node(const struct godot_tree *tree, uint32_t node)
{
	return (struct godot_node *)tree->nodes.data + node;
}

uint32_t godot_tree_count(const struct godot_tree *tree)
{
	return (uint32_t)(tree->nodes.size / sizeof(struct godot_node));
}

bool godot_tree_child(const struct godot_tree *tree, uint32_t parent, const char *name, size_t length, uint32_t *child)
{
	return anim_map_get(&tree->names, parent, name, length, child);
}

int godot_tree_add(struct godot_tree *tree, uint32_t parent, const char *name, const char *type, uint32_t *node,
		   struct anim_error *error)
{
	struct godot_node *added;
	uint32_t twin;

	*node = godot_tree_count(tree);
	if (*node >= NODES_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "too many nodes");
	added = anim_buffer_extend(&tree->nodes, sizeof *added, error);
	if (added == NULL)
		return -1;
	*added = (struct godot_node){.name = name, .type = type, .parent = parent};
	if (parent == GODOT_NO_NODE || godot_tree_child(tree, parent, name, strlen(name), &twin))
		return 0;
	return anim_map_put(&tree->names, parent, name, strlen(name), *node, error);
}

int godot_tree_unique(struct godot_tree *tree, uint32_t node, struct anim_error *error)
{
	struct godot_node *named = godot_tree_node(tree, node);

	named->flags |= GODOT_NODE_UNIQUE;
	return anim_map_put(&tree->names, SCOPE_UNIQUE, named->name, strlen(named->name), node, error);
}

struct godot_node_extra *godot_tree_extra(struct godot_tree *tree, uint32_t node, struct anim_arena *arena,
					  struct anim_error *error)
{
	struct godot_node *owner = godot_tree_node(tree, node);

	if (owner->extra == NULL && (owner->extra = anim_arena_zeroed(arena, 1, sizeof *owner->extra, error)) != NULL)
		owner->extra->bone_index = GODOT_NO_BONE;
	return owner->extra;
}

struct godot_placement *godot_tree_placement(struct godot_tree *tree, uint32_t node, struct anim_arena *arena,
					     struct anim_error *error)
{
	struct godot_node *owner = godot_tree_node(tree, node);

	if (owner->placement == NULL &&
	    (owner->placement = anim_arena_zeroed(arena, 1, sizeof *owner->placement, error)) != NULL)
		owner->placement->rotation_order = ANIM_EULER_YXZ;
	return owner->placement;
}

/* One step of a path. False where it leads nowhere. */
static bool step(const struct godot_tree *tree, uint32_t *node, const char *name, size_t length)
{
	if (length == 0 || (length == 1 && name[0] == '.'))
		return true;
	if (length == 2 && memcmp(name, "..", 2) == 0) {
		*node = godot_tree_node(tree, *node)->parent;
		return *node != GODOT_NO_NODE;
	}
	if (name[0] == '%')
		return anim_map_get(&tree->names, SCOPE_UNIQUE, name + 1, length - 1, node);
	return godot_tree_child(tree, *node, name, length, node);
}

bool godot_tree_find(const struct godot_tree *tree, uint32_t from, const char *path, uint32_t *node)
{
	size_t length = strcspn(path, ":");

	*node = from;
	if (from >= godot_tree_count(tree) || path[0] == '/')
		return false;
	for (size_t at = 0; at < length;) {
		size_t name = strcspn(path + at, "/:");

		if (!step(tree, node, path + at, name))
			return false;
		at += name + 1;
	}
	return true;
}

int godot_tree_path(const struct godot_tree *tree, uint32_t node, struct anim_buffer *out, struct anim_error *error)
{
	size_t size = 0, end;
	char *at;

	if (node == 0)
		return anim_buffer_append(out, ".", 1, error);
	for (uint32_t i = node; i != 0; i = godot_tree_node(tree, i)->parent)
		size += strlen(godot_tree_node(tree, i)->name) + 1;
	at = anim_buffer_extend(out, size - 1, error);
	if (at == NULL)
		return -1;
	end = size - 1;
	for (uint32_t i = node; i != 0; i = godot_tree_node(tree, i)->parent) {
		const char *name = godot_tree_node(tree, i)->name;
		size_t length = strlen(name);

		memcpy(at + end - length, name, length);
		if (end > length)
			at[end - length - 1] = '/';
		end -= length + 1;
	}
	return 0;
}

/* Takes the last name off the path in `out`; above the scene's root the path grows by `..`. */
static int step_up(struct anim_buffer *out, struct anim_error *error)
{
	size_t size = out->size;

	if (size == 0)
		return anim_buffer_append(out, "..", 2, error);
	if (size >= 2 && memcmp(out->data + size - 2, "..", 2) == 0 && (size == 2 || out->data[size - 3] == '/'))
		return anim_buffer_append(out, "/..", 3, error);
	while (out->size > 0 && out->data[out->size - 1] != '/')
		out->size--;
	if (out->size > 0)
		out->size--;
	return 0;
}

/* One step of a path as text; nodes need not be known but for %Name. */
static int step_text(const struct godot_tree *tree, struct anim_buffer *out, const char *name, size_t length,
		     struct anim_error *error)
{
	uint32_t node;

	if (length == 0 || (length == 1 && name[0] == '.'))
		return 0;
	if (length == 2 && memcmp(name, "..", 2) == 0)
		return step_up(out, error);
	if (name[0] == '%' && anim_map_get(&tree->names, SCOPE_UNIQUE, name + 1, length - 1, &node)) {
		out->size = 0;
		return node == 0 ? 0 : godot_tree_path(tree, node, out, error);
	}
	if (out->size > 0 && anim_buffer_append(out, "/", 1, error) != 0)
		return -1;
	return anim_buffer_append(out, name, length, error);
}

const char *godot_tree_resolve(const struct godot_tree *tree, uint32_t from, const char *relative,
			       struct anim_arena *arena, struct anim_error *error)
{
	size_t length = strcspn(relative, ":");
	struct anim_buffer out = {0};
	const char *result = NULL;

	if (length > 0 && relative[0] == '/')
		return anim_arena_text(arena, relative, length, error);
	if (from != 0 && godot_tree_path(tree, from, &out, error) != 0)
		goto done;
	for (size_t at = 0; at < length;) {
		size_t name = strcspn(relative + at, "/:");

		if (step_text(tree, &out, relative + at, name, error) != 0)
			goto done;
		at += name + 1;
	}
	result = out.size == 0 ? "." : anim_arena_text(arena, (const char *)out.data, out.size, error);
done:
	anim_buffer_clear(&out);
	return result;
}

struct godot_bone *godot_bone_find(const struct godot_tree *tree, uint32_t node, uint32_t index)
{
	uint32_t at;

	if (!anim_map_get(&tree->names, bone_scope(node, index), "", 0, &at))
		return NULL;
	return (struct godot_bone *)godot_tree_node(tree, node)->extra->bones.data + at;
}

struct godot_bone *godot_bone_add(struct godot_tree *tree, uint32_t node, uint32_t index, struct anim_error *error)
{
	struct anim_buffer *bones = &godot_tree_node(tree, node)->extra->bones;
	uint32_t at = (uint32_t)(bones->size / sizeof(struct godot_bone));
	struct godot_bone *bone = anim_buffer_extend(bones, sizeof *bone, error);

	if (bone == NULL || anim_map_put(&tree->names, bone_scope(node, index), "", 0, at, error) != 0)
		return NULL;
	*bone = (struct godot_bone){.index = index, .parent = GODOT_NO_BONE};
	godot_pose_identity(bone->rest);
	godot_pose_identity(bone->pose);
	tree->bones++;
	return bone;
}

void godot_tree_clear(struct godot_tree *tree)
{
	for (uint32_t i = 0; i < godot_tree_count(tree); i++)
		if (godot_tree_node(tree, i)->extra != NULL)
			anim_buffer_clear(&godot_tree_node(tree, i)->extra->bones);
	anim_buffer_clear(&tree->nodes);
	anim_map_clear(&tree->names);
}
