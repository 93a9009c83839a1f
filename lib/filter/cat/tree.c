/* tree.c: trees that are kept, and united by the paths of their nodes. */
#include "filter/cat/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

static int grow(struct anim_kept_tree *tree, struct anim_error *error)
{
	size_t capacity = tree->capacity == 0 ? 16 : tree->capacity * 2, bytes;
	struct anim_node *moved;

	if (tree->count < tree->capacity)
		return 0;
	if (tree->count >= ANIM_NO_PARENT)
		return anim_fail(error, ANIM_TOO_LARGE, "more nodes in a tree than there are numbers");
	if (anim_size_multiply(capacity, sizeof *moved, &bytes, error) != 0)
		return -1;
	moved = realloc(tree->nodes, bytes);
	if (moved == NULL)
		return anim_fail_memory(error);
	tree->nodes = moved;
	tree->capacity = capacity;
	return 0;
}

/* Adds a node whose texts stay. */
static int add(struct anim_kept_tree *tree, const struct anim_node *node, struct anim_error *error)
{
	uint32_t number;

	if (grow(tree, error) != 0)
		return -1;
	tree->nodes[tree->count] = *node;
	if (!anim_map_get(&tree->numbers, 0, node->path, strlen(node->path), &number) &&
	    anim_map_put(&tree->numbers, 0, node->path, strlen(node->path), (uint32_t)tree->count, error) != 0)
		return -1;
	tree->count++;
	return 0;
}

int anim_kept_tree_add(struct anim_kept_tree *tree, const struct anim_node *node, struct anim_arena *arena,
		       struct anim_error *error)
{
	struct anim_node copy;

	return anim_node_copy(&copy, node, arena, error) != 0 ? -1 : add(tree, &copy, error);
}

static bool is_same_place(const struct anim_node *a, const struct anim_node *b)
{
	return a->has == b->has && memcmp(a->position, b->position, sizeof a->position) == 0 &&
	       memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0 &&
	       memcmp(a->scale, b->scale, sizeof a->scale) == 0;
}

/* Finds or adds node i of `from`; numbers[i] is its number in `to`. Parents come first, so theirs is known. */
static int unite_node(struct anim_kept_tree *to, const struct anim_kept_tree *from, size_t i, uint32_t *numbers,
		      size_t *differ, struct anim_error *error)
{
	struct anim_node node = from->nodes[i];

	if (anim_map_get(&to->numbers, 0, node.path, strlen(node.path), &numbers[i])) {
		*differ += !is_same_place(&to->nodes[numbers[i]], &node);
		return 0;
	}
	numbers[i] = (uint32_t)to->count;
	if (to->count > 0)
		node.parent = node.parent == ANIM_NO_PARENT ? 0 : numbers[node.parent];
	return add(to, &node, error);
}

int anim_kept_tree_unite(struct anim_kept_tree *to, const struct anim_kept_tree *from, size_t *differ,
			 struct anim_error *error)
{
	uint32_t *numbers;
	int result = 0;

	*differ = 0;
	if (to->united == from && to->united_count == from->count)
		return 0;
	numbers = calloc(from->count + 1, sizeof *numbers);
	if (numbers == NULL)
		return anim_fail_memory(error);
	to->united = from;
	to->united_count = from->count;
	for (size_t i = 0; i < from->count && result == 0; i++)
		result = unite_node(to, from, i, numbers, differ, error);
	free(numbers);
	return result;
}

int anim_kept_tree_replay(const struct anim_kept_tree *tree, struct anim_sink *sink, struct anim_error *error)
{
	if (anim_sink_tree(sink, &tree->head, error) != 0)
		return -1;
	for (size_t i = 0; i < tree->count; i++)
		if (anim_sink_node(sink, &tree->nodes[i], error) != 0)
			return -1;
	return 0;
}

void anim_kept_tree_clear(struct anim_kept_tree *tree)
{
	free(tree->nodes);
	anim_map_clear(&tree->numbers);
	*tree = (struct anim_kept_tree){.nodes = NULL};
}
