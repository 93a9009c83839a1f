/* bones_plan.c: which nodes are bones, and where everything at and below them goes. */
#include "filter/rename/bones_plan.h"

#include <string.h>

/* A node that tracks drive. Texts lie in the arena. */
struct driven {
	enum anim_bones_scope scope;
	const char *root, *path; /* in the tree */
};

void anim_bones_plan_reset(struct anim_bones_plan *plan)
{
	plan->moved.size = plan->others.size = 0;
	anim_text_set_clear(&plan->seen);
	anim_map_clear(&plan->bones);
	anim_map_clear(&plan->kept);
	anim_map_clear(&plan->attached);
	anim_arena_reset(&plan->arena);
}

void anim_bones_plan_clear(struct anim_bones_plan *plan)
{
	anim_bones_plan_reset(plan);
	anim_buffer_clear(&plan->moved);
	anim_buffer_clear(&plan->others);
	anim_arena_clear(&plan->arena);
}

/* anim_tree_path; *path NULL where it leaves the tree. 0, or -1 out of memory. */
static int tree_path(const char *root, const char *node, const char **path, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct anim_error memory = {0};

	*path = anim_tree_path(root, node, arena, &memory);
	return *path == NULL && memory.code != ANIM_OK ? anim_fail_memory(error) : 0;
}

/* Two paths, `between` them; "." in front is nothing. NULL out of memory. */
static char *join(const char *first, const char *between, const char *second, struct anim_arena *arena,
		  struct anim_error *error)
{
	bool is_root = strcmp(first, ".") == 0 && between[0] == '/';
	size_t length = is_root ? 0 : strlen(first), middle = is_root ? 0 : strlen(between), size = strlen(second) + 1;
	char *out = anim_arena_alloc(arena, length + middle + size, error);

	if (out == NULL)
		return NULL;
	memcpy(out, first, length);
	memcpy(out + length, between, middle);
	memcpy(out + length + middle, second, size);
	return out;
}

/* The tree's path of the skeleton; Godot's "%Name" is a node called Name. 0 or -1. */
static int skeleton_path(const struct anim_bones_plan *plan, const char *root, const char **path,
			 struct anim_arena *arena, struct anim_error *error)
{
	if (tree_path(root, plan->path + (plan->path[0] == '%'), path, arena, error) != 0)
		return -1;
	if (*path == NULL)
		return anim_fail(error, ANIM_BAD_INPUT, "the skeleton '%.200s' does not lie below the root '%.200s'",
				 plan->path, root);
	return 0;
}

int anim_bones_plan_add(struct anim_bones_plan *plan, enum anim_bones_scope scope, const char *root, const char *node,
			bool transform, struct anim_error *error)
{
	struct driven driven = {.scope = scope};
	char *key;
	int is_new;

	if (tree_path(root, ".", &driven.root, &plan->arena, error) != 0 ||
	    tree_path(root, node, &driven.path, &plan->arena, error) != 0)
		return -1;
	if (driven.root == NULL || driven.path == NULL)
		return 0;
	key = join(scope == ANIM_BONES_IN_TREE ? "t" : "l", transform ? "t" : "o", driven.path, &plan->arena, error);
	if (key == NULL)
		return -1;
	is_new = anim_text_set_add(&plan->seen, key, strlen(key), error);
	if (is_new <= 0)
		return is_new;
	return anim_buffer_append(transform ? &plan->moved : &plan->others, &driven, sizeof driven, error);
}

/* True where the path lies strictly below the other one. */
static bool is_below(const char *path, const char *above)
{
	size_t length = strlen(above);

	if (strcmp(above, ".") == 0)
		return strcmp(path, ".") != 0;
	return strncmp(path, above, length) == 0 && path[length] == '/';
}

static const struct driven *driven_at(const struct anim_buffer *list, size_t i)
{
	return (const struct driven *)(const void *)list->data + i;
}

static size_t driven_count(const struct anim_buffer *list)
{
	return list->size / sizeof(struct driven);
}

static bool any_below(const struct anim_bones_plan *plan, const struct driven *like, const char *above)
{
	for (size_t i = 0; i < driven_count(&plan->moved); i++) {
		const struct driven *driven = driven_at(&plan->moved, i);

		if (driven->scope == like->scope && strcmp(driven->root, like->root) == 0 &&
		    is_below(driven->path, above))
			return true;
	}
	return false;
}

/* The node below which bones are looked for, for tracks of clips with this root: in the arena. NULL out of memory. */
static const char *anchor_of(struct anim_bones_plan *plan, const struct driven *like, const char *skeleton,
			     struct anim_error *error)
{
	const char *slash = strrchr(skeleton, '/'), *above;

	if (any_below(plan, like, skeleton))
		return skeleton;
	if (slash == NULL)
		return like->root;
	above = anim_arena_text(&plan->arena, skeleton, (size_t)(slash - skeleton), error);
	return above == NULL || any_below(plan, like, above) ? above : like->root;
}

static bool is_bone(const struct anim_bones_plan *plan, enum anim_bones_scope scope, const char *path, size_t length)
{
	uint32_t unused;

	return anim_map_get(&plan->bones, scope, path, length, &unused);
}

static int mark(struct anim_bones_plan *plan, enum anim_bones_scope scope, const char *path, size_t length,
		struct anim_error *error)
{
	return anim_map_put(&plan->bones, scope, path, length, 1, error);
}

/* Marks a node and what is between it and the anchor, nodes on the way to the skeleton left out. */
static int mark_chain(struct anim_bones_plan *plan, const struct driven *driven, const char *anchor,
		      const char *skeleton, struct anim_error *error)
{
	size_t length = strlen(driven->path), top = strcmp(anchor, ".") == 0 ? 0 : strlen(anchor), kept;
	uint32_t unused;

	if (!is_below(driven->path, anchor) ||
	    (driven->scope == ANIM_BONES_IN_TREE && anim_map_get(&plan->kept, 0, driven->path, length, &unused)))
		return 0;
	for (; length > top; length = kept) {
		bool on_the_way = strncmp(skeleton, driven->path, length) == 0 &&
				  (skeleton[length] == '/' || skeleton[length] == '\0');

		if (on_the_way || is_bone(plan, driven->scope, driven->path, length))
			return 0;
		if (mark(plan, driven->scope, driven->path, length, error) != 0)
			return -1;
		for (kept = length - 1; kept > top && driven->path[kept] != '/';)
			kept--;
	}
	return 0;
}

/* Tracks of one root stand together as a rule: what was found out for the last one is kept. */
static int mark_moved(struct anim_bones_plan *plan, struct anim_error *error)
{
	const struct driven *last = NULL;
	const char *skeleton = NULL, *anchor = NULL;

	for (size_t i = 0; i < driven_count(&plan->moved); i++) {
		const struct driven *driven = driven_at(&plan->moved, i);

		if (last == NULL || last->scope != driven->scope || strcmp(last->root, driven->root) != 0) {
			if (skeleton_path(plan, driven->root, &skeleton, &plan->arena, error) != 0 ||
			    (anchor = anchor_of(plan, driven, skeleton, error)) == NULL)
				return -1;
			last = driven;
		}
		if (mark_chain(plan, driven, anchor, skeleton, error) != 0)
			return -1;
	}
	return 0;
}

static bool is_plain(const struct anim_node *node)
{
	return node->kind == ANIM_NODE && (node->has & ANIM_HAS_2D) == 0 && strcmp(node->type, "RectTransform") != 0;
}

/* Nodes that are more than a transform, and bones of other skeletons, are not made bones of. */
static int find_kept(struct anim_bones_plan *plan, const struct anim_new_tree *tree, struct anim_error *error)
{
	for (size_t i = 0; tree->held && i < anim_new_tree_count(tree); i++) {
		const struct anim_node *node = &anim_new_tree_at(tree, i)->node;

		if (!is_plain(node) && anim_map_put(&plan->kept, 0, node->path, strlen(node->path), 1, error) != 0)
			return -1;
	}
	return 0;
}

/* The bone's own name as Godot allows it. NULL out of memory. */
static const char *bone_name(const char *path, size_t length, struct anim_arena *arena, struct anim_error *error)
{
	const char *end = path + length, *from = end;
	char *name;

	while (from > path && from[-1] != '/')
		from--;
	name = anim_arena_text(arena, from, (size_t)(end - from), error);
	for (char *at = name; at != NULL && *at != '\0'; at++)
		if (*at == ':')
			*at = '_';
	return name;
}

static bool leads_to(const char *path, const char *skeleton)
{
	return strcmp(path, ".") == 0 || strcmp(path, skeleton) == 0 || is_below(skeleton, path);
}

/* The attachment of a bone in the tree, made at the first call. NULL on failure. */
static const char *attach(struct anim_bones_plan *plan, struct anim_new_tree *tree, const char *skeleton,
			  const char *name, struct anim_error *error)
{
	char *path = join(skeleton, "/", name, &tree->arena, error);
	uint32_t unused;

	if (path == NULL)
		return NULL;
	if (anim_map_get(&plan->attached, 0, path, strlen(path), &unused))
		return path;
	if (anim_map_put(&plan->attached, 0, path, strlen(path), 1, error) != 0 ||
	    anim_new_tree_make(tree, path, "BoneAttachment3D", name, error) != 0)
		return NULL;
	return path;
}

/* Gives a node that is no bone the path that follows from its parent's. */
static int follow(struct anim_bones_plan *plan, struct anim_new_tree *tree, size_t place, const char *skeleton,
		  struct anim_error *error)
{
	const struct anim_new_node *node = anim_new_tree_at(tree, place), *parent;
	const char *above, *base, *name, *rest = node->node.path;
	size_t length;

	if (node->node.parent == ANIM_NO_PARENT)
		return 0;
	parent = anim_new_tree_at(tree, node->node.parent);
	above = parent->node.path;
	base = parent->path;
	length = strlen(above);
	if (is_bone(plan, ANIM_BONES_IN_TREE, above, length)) {
		name = bone_name(above, length, &tree->arena, error);
		base = name == NULL ? NULL : attach(plan, tree, skeleton, name, error);
		if (base == NULL)
			return -1;
	}
	if (strcmp(base, above) == 0 || !is_below(rest, above))
		return 0;
	rest += strcmp(above, ".") == 0 ? 0 : length + 1;
	name = join(base, "/", rest, &tree->arena, error);
	if (name == NULL)
		return -1;
	anim_new_tree_at(tree, place)->path = name; /* not through `node`: the list may have moved */
	return 0;
}

static int make_bone(struct anim_new_node *node, const char *skeleton, struct anim_arena *arena,
		     struct anim_error *error)
{
	const char *name = bone_name(node->node.path, strlen(node->node.path), arena, error);

	node->path = name == NULL ? NULL : join(skeleton, ":", name, arena, error);
	node->node.kind = ANIM_NODE_BONE;
	node->node.type = "";
	return node->path == NULL ? -1 : 0;
}

/* Nodes come behind their parents, so that each sees what its parent has become. */
static int make_nodes(struct anim_bones_plan *plan, struct anim_new_tree *tree, const char *skeleton,
		      struct anim_error *error)
{
	size_t count = anim_new_tree_count(tree);

	for (size_t i = 1; i < count; i++) {
		struct anim_new_node *node = anim_new_tree_at(tree, i);
		const char *path = node->node.path, *above = anim_new_tree_at(tree, node->node.parent)->node.path;
		bool bone = is_bone(plan, ANIM_BONES_IN_TREE, path, strlen(path));

		if (!bone && is_plain(&node->node) && !leads_to(path, skeleton) &&
		    is_bone(plan, ANIM_BONES_IN_TREE, above, strlen(above))) {
			bone = true;
			if (mark(plan, ANIM_BONES_IN_TREE, path, strlen(path), error) != 0)
				return -1;
		}
		if ((bone ? make_bone(node, skeleton, &tree->arena, error) : follow(plan, tree, i, skeleton, error)) !=
		    0)
			return -1;
	}
	return 0;
}

/* Tracks of a bone's node that are no transform play on its attachment. */
static int attach_others(struct anim_bones_plan *plan, struct anim_new_tree *tree, const char *skeleton,
			 struct anim_error *error)
{
	for (size_t i = 0; i < driven_count(&plan->others); i++) {
		const struct driven *driven = driven_at(&plan->others, i);
		size_t length = strlen(driven->path);
		const char *name;

		if (driven->scope != ANIM_BONES_IN_TREE || !is_bone(plan, ANIM_BONES_IN_TREE, driven->path, length))
			continue;
		name = bone_name(driven->path, length, &tree->arena, error);
		if (name == NULL || attach(plan, tree, skeleton, name, error) == NULL)
			return -1;
	}
	return 0;
}

int anim_bones_plan_make(struct anim_bones_plan *plan, struct anim_new_tree *tree, struct anim_error *error)
{
	const char *skeleton = NULL;

	if (find_kept(plan, tree, error) != 0 || mark_moved(plan, error) != 0)
		return -1;
	for (size_t i = 0; i < driven_count(&plan->moved) && skeleton == NULL; i++)
		if (driven_at(&plan->moved, i)->scope == ANIM_BONES_IN_TREE &&
		    skeleton_path(plan, driven_at(&plan->moved, i)->root, &skeleton, &plan->arena, error) != 0)
			return -1;
	if (!tree->held || skeleton == NULL)
		return 0;
	return make_nodes(plan, tree, skeleton, error) != 0 ? -1 : attach_others(plan, tree, skeleton, error);
}

const char *anim_bones_plan_node(const struct anim_bones_plan *plan, enum anim_bones_scope scope, const char *root,
				 const char *node, bool transform, bool *bone, struct anim_arena *arena,
				 struct anim_error *error)
{
	const char *path, *name, *made;
	size_t length;

	*bone = false;
	if (tree_path(root, node, &path, arena, error) != 0)
		return NULL;
	length = path == NULL ? 0 : strlen(path);
	while (length > 0 && !is_bone(plan, scope, path, length)) {
		for (length--; length > 0 && path[length] != '/';)
			length--;
	}
	if (length == 0)
		return node;
	name = bone_name(path, length, arena, error);
	*bone = transform && path[length] == '\0';
	made = name == NULL ? NULL : join(plan->path, *bone ? ":" : "/", name, arena, error);
	return made == NULL || path[length] == '\0' ? made : join(made, "/", path + length + 1, arena, error);
}
