/* nodes.c: the nodes of a tree, as Unity finds them by their paths. */
#include <string.h>

#include "filter/lint/find.h"

/* The node's own name: its path behind that of the node above it. NULL where that is no part of it, as with bones. */
static const char *own_name(const struct lint_nodes *nodes, const struct anim_node *node)
{
	const char *const *paths = (const char *const *)(const void *)nodes->paths.data;
	size_t count = nodes->paths.size / sizeof *paths, length;

	if (node->parent >= count)
		return NULL;
	if (strcmp(paths[node->parent], ".") == 0)
		return node->path;
	length = strlen(paths[node->parent]);
	if (strncmp(node->path, paths[node->parent], length) != 0 || node->path[length] != '/')
		return NULL;
	return node->path + length + 1;
}

int lint_nodes_add(struct lint_nodes *nodes, const struct anim_node *node, unsigned *kinds, struct anim_error *error)
{
	const char *parts[LINT_NAME_PARTS] = {node->path, "", "", "", ""};
	int added = lint_names_add(&nodes->seen, parts, error);
	const char **path, *name = own_name(nodes, node);

	if (added < 0)
		return -1;
	*kinds = added == 0 ? 1u << LINT_NODE_TWICE : 0;
	if (name != NULL && strchr(name, '/') != NULL)
		*kinds |= 1u << LINT_NODE_NAME;
	path = anim_buffer_extend(&nodes->paths, sizeof *path, error);
	if (path == NULL)
		return -1;
	*path = anim_arena_text(&nodes->texts, node->path, strlen(node->path), error);
	return *path == NULL ? -1 : 0;
}

void lint_nodes_reset(struct lint_nodes *nodes)
{
	lint_names_reset(&nodes->seen);
	anim_arena_reset(&nodes->texts);
	nodes->paths.size = 0;
}

void lint_nodes_clear(struct lint_nodes *nodes)
{
	lint_names_clear(&nodes->seen);
	anim_arena_clear(&nodes->texts);
	anim_buffer_clear(&nodes->paths);
}
