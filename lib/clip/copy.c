/* copy.c: heads (clip, tree, node) that outlive the call that brought them; paths in a tree. */
#include <string.h>

#include "clip/track.h"

int anim_text_keep(const char **text, struct anim_arena *arena, struct anim_error *error)
{
	const char *from = *text != NULL ? *text : "";

	*text = anim_arena_text(arena, from, strlen(from), error);
	return *text != NULL ? 0 : -1;
}

int anim_attrs_keep(struct anim_attrs *attrs, struct anim_arena *arena, struct anim_error *error)
{
	struct anim_attr *items = anim_arena_zeroed(arena, attrs->count, sizeof *items, error);

	if (items == NULL)
		return -1;
	for (size_t i = 0; i < attrs->count; i++) {
		items[i] = attrs->items[i];
		if (anim_text_keep(&items[i].key, arena, error) != 0 ||
		    anim_text_keep(&items[i].value, arena, error) != 0)
			return -1;
	}
	attrs->items = items;
	return 0;
}

int anim_clip_copy(struct anim_clip *out, const struct anim_clip *clip, struct anim_arena *arena,
		   struct anim_error *error)
{
	*out = *clip;
	out->record = NULL;
	if (anim_text_keep(&out->name, arena, error) != 0 || anim_text_keep(&out->root, arena, error) != 0 ||
	    anim_text_keep(&out->source, arena, error) != 0)
		return -1;
	return anim_attrs_keep(&out->attrs, arena, error);
}

int anim_tree_copy(struct anim_tree *out, const struct anim_tree *tree, struct anim_arena *arena,
		   struct anim_error *error)
{
	*out = *tree;
	out->record = NULL;
	if (anim_text_keep(&out->root_name, arena, error) != 0 || anim_text_keep(&out->source_file, arena, error) != 0)
		return -1;
	return anim_attrs_keep(&out->attrs, arena, error);
}

int anim_node_copy(struct anim_node *out, const struct anim_node *node, struct anim_arena *arena,
		   struct anim_error *error)
{
	*out = *node;
	out->record = NULL;
	if (anim_text_keep(&out->path, arena, error) != 0 || anim_text_keep(&out->type, arena, error) != 0)
		return -1;
	return anim_attrs_keep(&out->attrs, arena, error);
}

/* Appends one name to the path of `size` bytes in `out`; ".." takes one off. The new size, or -1 where it leaves the tree. */
static ptrdiff_t add_name(char *out, size_t size, const char *name, size_t length)
{
	if (length == 0 || (length == 1 && name[0] == '.'))
		return (ptrdiff_t)size;
	if (length == 2 && name[0] == '.' && name[1] == '.') {
		if (size == 0)
			return -1;
		while (size > 0 && out[size - 1] != '/')
			size--;
		return (ptrdiff_t)(size > 0 ? size - 1 : 0);
	}
	if (size > 0)
		out[size++] = '/';
	memcpy(out + size, name, length);
	return (ptrdiff_t)(size + length);
}

/* How much of a path's last name ".:Hips" or "..:Hips" is the node, whose bone follows; 0: it is no such name. */
static size_t step_length(const char *name, size_t length)
{
	size_t dots = strspn(name, ".");

	return name[length] == '\0' && (dots == 1 || dots == 2) && name[dots] == ':' ? dots : 0;
}

/* Appends the names of a path. */
static ptrdiff_t add_path(char *out, ptrdiff_t size, const char *path)
{
	while (*path != '\0' && size >= 0) {
		size_t length = strcspn(path, "/"), step = step_length(path, length);

		if (step > 0) {
			size = add_name(out, (size_t)size, path, step);
			if (size == 0)
				out[size++] = '.';
			if (size > 0)
				memcpy(out + size, path + step, length - step);
			return size > 0 ? size + (ptrdiff_t)(length - step) : size;
		}
		size = add_name(out, (size_t)size, path, length);
		path += length + (path[length] == '/');
	}
	return size;
}

char *anim_tree_path(const char *root, const char *node, struct anim_arena *arena, struct anim_error *error)
{
	char *out = anim_arena_alloc(arena, strlen(root) + strlen(node) + 3, error);
	ptrdiff_t size;

	if (out == NULL)
		return NULL;
	size = add_path(out, add_path(out, 0, root), node);
	if (size < 0)
		return NULL;
	if (size == 0)
		out[size++] = '.';
	out[size] = '\0';
	return out;
}
