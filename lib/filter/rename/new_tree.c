/* new_tree.c: a tree that waits for its new paths, and is written in their order. */
#include "filter/rename/new_tree.h"

#include <string.h>

#include "filter/filter.h"
#include "stream/record.h"

/* Deeper paths are rejected. No scene has them, and each name of a path costs a search. */
#define DEPTH_MAX 512u

int anim_new_tree_begin(struct anim_new_tree *tree, const struct anim_tree *head, struct anim_error *error)
{
	tree->nodes.size = tree->others.size = tree->head_others = 0;
	anim_map_clear(&tree->by_path);
	anim_arena_reset(&tree->arena);
	tree->written = 0;
	tree->held = true;
	return anim_tree_copy(&tree->head, head, &tree->arena, error);
}

static int append(struct anim_new_tree *tree, const struct anim_new_node *node, struct anim_error *error)
{
	if (anim_new_tree_count(tree) >= ANIM_NO_PARENT)
		return anim_fail(error, ANIM_TOO_LARGE, "too many nodes");
	return anim_buffer_append(&tree->nodes, node, sizeof *node, error);
}

int anim_new_tree_add(struct anim_new_tree *tree, const struct anim_node *from, struct anim_error *error)
{
	struct anim_new_node node = {.number = ANIM_NO_PARENT};

	if (anim_node_copy(&node.node, from, &tree->arena, error) != 0)
		return -1;
	node.path = node.node.path;
	node.parted = from->parent != ANIM_NO_PARENT && from->kind == ANIM_NODE_BONE &&
		      anim_node_bone(from->path, anim_new_tree_at(tree, from->parent)->node.path) != NULL;
	node.others_at = tree->others.size;
	return append(tree, &node, error);
}

int anim_new_tree_record(struct anim_new_tree *tree, const struct anim_record *record, struct anim_error *error)
{
	size_t count = anim_new_tree_count(tree);

	*(count > 0 ? &anim_new_tree_at(tree, count - 1)->others : &tree->head_others) += record->size;
	return anim_buffer_append(&tree->others, record->bytes, record->size, error);
}

size_t anim_new_tree_count(const struct anim_new_tree *tree)
{
	return tree->nodes.size / sizeof(struct anim_new_node);
}

struct anim_new_node *anim_new_tree_at(const struct anim_new_tree *tree, size_t place)
{
	return (struct anim_new_node *)(void *)tree->nodes.data + place;
}

int anim_new_tree_make(struct anim_new_tree *tree, const char *path, const char *type, const char *bone,
		       struct anim_error *error)
{
	struct anim_new_node node = {.number = ANIM_NO_PARENT};
	struct anim_node from = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = path, .type = type};

	if (anim_node_copy(&node.node, &from, &tree->arena, error) != 0)
		return -1;
	if (bone != NULL &&
	    anim_attrs_with(&node.node.attrs, &from.attrs, "godot.bone", bone, &tree->arena, error) != 0)
		return -1;
	node.path = node.node.path;
	return append(tree, &node, error);
}

/* Return the bone's name after the ':' of its path, or NULL if the node is not a bone of a skeleton. */
static const char *bone_of(const struct anim_new_node *node)
{
	return node->parted ? anim_bone_name("other", node->path, true) : NULL;
}

/* Return the length of the skeleton's path (for a bone) or of the parent's path, 0 if this is the root. */
static size_t folder_length(const struct anim_new_node *node)
{
	const char *bone = bone_of(node), *end = bone != NULL ? bone - 1 : strrchr(node->path, '/');

	return end == NULL ? 0 : (size_t)(end - node->path);
}

static int write_others(const struct anim_new_tree *tree, size_t at, size_t size, struct anim_sink *sink,
			struct anim_error *error)
{
	struct anim_record record;

	for (size_t end = at + size; at < end; at += record.size) {
		anim_record_at(tree->others.data + at, at, &record);
		if (anim_sink_record(sink, &record, error) != 0)
			return -1;
	}
	return 0;
}

static int write_node(struct anim_new_tree *tree, size_t place, uint32_t parent, struct anim_sink *sink,
		      struct anim_error *error)
{
	struct anim_new_node *node = anim_new_tree_at(tree, place);
	struct anim_node out = node->node;

	out.path = node->path;
	out.parent = parent;
	node->number = tree->written++;
	if (anim_sink_node(sink, &out, error) != 0)
		return -1;
	return write_others(tree, node->others_at, node->others, sink, error);
}

/* Return the index of the node with this path and create the node if necessary. Returns -1 on failure. */
static ptrdiff_t place_of(struct anim_new_tree *tree, const char *path, size_t length, bool skeleton,
			  struct anim_error *error)
{
	const char *copy;
	uint32_t place;

	if (anim_map_get(&tree->by_path, 0, path, length, &place))
		return place;
	copy = anim_arena_text(&tree->arena, path, length, error);
	place = (uint32_t)anim_new_tree_count(tree);
	if (copy == NULL || anim_new_tree_make(tree, copy, skeleton ? "Skeleton3D" : "", NULL, error) != 0 ||
	    anim_map_put(&tree->by_path, 0, copy, length, place, error) != 0)
		return -1;
	return (ptrdiff_t)place;
}

/* Write the nodes above a node, which its path names, and return the number of its parent. Returns 0 or -1. */
static int write_folder(struct anim_new_tree *tree, const char *path, size_t length, bool skeleton, uint32_t *parent,
			struct anim_sink *sink, struct anim_error *error)
{
	unsigned depth = 0;

	*parent = 0;
	if (path[0] == '/' || strncmp(path, "../", 3) == 0)
		return 0;
	for (size_t end = 0; end < length; end++) {
		ptrdiff_t place;

		end += strcspn(path + end, "/");
		if (end > length)
			end = length;
		if (++depth > DEPTH_MAX)
			return anim_fail(error, ANIM_TOO_LARGE, "the path '%.100s...' is deeper than %u nodes", path,
					 DEPTH_MAX);
		place = place_of(tree, path, end, skeleton && end == length, error);
		if (place < 0)
			return -1;
		if (anim_new_tree_at(tree, (size_t)place)->number == ANIM_NO_PARENT &&
		    write_node(tree, (size_t)place, *parent, sink, error) != 0)
			return -1;
		*parent = anim_new_tree_at(tree, (size_t)place)->number;
	}
	return 0;
}

/* Return the original parent if it is written and the new path is still directly below it. Otherwise return NULL. */
static const struct anim_new_node *old_parent(const struct anim_new_tree *tree, const struct anim_new_node *node)
{
	const struct anim_new_node *parent;
	size_t length = folder_length(node);

	if (node->node.parent == ANIM_NO_PARENT)
		return NULL;
	parent = anim_new_tree_at(tree, node->node.parent);
	if (parent->number == ANIM_NO_PARENT)
		return NULL;
	if (length == 0)
		return node->node.parent == 0 ? parent : NULL;
	if (bone_of(parent) != NULL) /* of a bone or of an attachment */
		return folder_length(parent) == length && memcmp(parent->path, node->path, length) == 0 ? parent : NULL;
	return strlen(parent->path) == length && memcmp(parent->path, node->path, length) == 0 ? parent : NULL;
}

static int write_below(struct anim_new_tree *tree, size_t place, struct anim_sink *sink, struct anim_error *error)
{
	const struct anim_new_node *node = anim_new_tree_at(tree, place), *above = old_parent(tree, node);
	uint32_t parent;

	if (above != NULL)
		return write_node(tree, place, above->number, sink, error);
	if (write_folder(tree, node->path, folder_length(node), bone_of(node) != NULL, &parent, sink, error) != 0)
		return -1;
	/* A path can lead through the node itself only if a name is empty. */
	if (anim_new_tree_at(tree, place)->number != ANIM_NO_PARENT)
		return 0;
	return write_node(tree, place, parent, sink, error);
}

int anim_new_tree_write(struct anim_new_tree *tree, struct anim_diagnostics *diagnostics, struct anim_sink *sink,
			struct anim_error *error)
{
	if (!tree->held)
		return 0;
	tree->held = false;

	struct anim_place nowhere = {.file = "", .at = ANIM_AT_FILE};
	size_t count = anim_new_tree_count(tree);
	uint32_t other;

	for (size_t i = 0; i < count; i++) {
		const struct anim_new_node *node = anim_new_tree_at(tree, i);
		size_t length = strlen(node->path);

		if (!anim_map_get(&tree->by_path, 0, node->path, length, &other)) {
			if (anim_map_put(&tree->by_path, 0, node->path, length, (uint32_t)i, error) != 0)
				return -1;
			continue;
		}
		if (strcmp(anim_new_tree_at(tree, other)->node.path, node->node.path) != 0 &&
		    anim_diagnostics_add(diagnostics, ANIM_WARNING, &nowhere, "node", error,
					 "'%s' (now '%s'): same path as another node" ANIM_DETAIL ", '%s'",
					 node->node.path, node->path, anim_new_tree_at(tree, other)->node.path) != 0)
			return -1;
	}
	if (anim_sink_tree(sink, &tree->head, error) != 0 || write_others(tree, 0, tree->head_others, sink, error) != 0)
		return -1;

	if (anim_new_tree_count(tree) > 0 && write_node(tree, 0, ANIM_NO_PARENT, sink, error) != 0)
		return -1;
	/* The list grows when missing nodes are created. */
	for (size_t i = 1; i < anim_new_tree_count(tree); i++)
		if (anim_new_tree_at(tree, i)->number == ANIM_NO_PARENT && write_below(tree, i, sink, error) != 0)
			return -1;
	return 0;
}

void anim_new_tree_clear(struct anim_new_tree *tree)
{
	anim_buffer_clear(&tree->nodes);
	anim_buffer_clear(&tree->others);
	anim_map_clear(&tree->by_path);
	anim_arena_clear(&tree->arena);
}
