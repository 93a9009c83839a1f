/* writer_target.c: where a node lies in Unity's hierarchy: paths of curves out of nodes, bones and the tree. */
#include "format/unity/writer.h"

#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/path.h"

#define CAMERA_CLASS 20
#define LIGHT_CLASS 108
#define SPRITE_CLASS 212

struct node {
	const char *path, *type;
	uint32_t parent;
	uint8_t kind;
};

/* Scopes of the map; a last name that several nodes have stands for none. */
enum { BY_PATH, BY_NAME };
#define SEVERAL 0xFFFFFFFFu

static const struct node *node_at(const struct unity_target *target, uint32_t number)
{
	return &((const struct node *)(const void *)target->nodes.data)[number];
}

/* A bone's own name, behind its skeleton's path. */
static const char *bone_name(const char *path)
{
	const char *colon = strchr(path, ':');

	return colon == NULL ? anim_path_last(path) : colon + 1;
}

void unity_target_tree(struct unity_target *target)
{
	target->nodes.size = 0;
	anim_map_clear(&target->names);
	anim_arena_reset(&target->arena);
}

int unity_target_node(struct unity_target *target, const struct anim_node *from, struct anim_error *error)
{
	uint32_t number = (uint32_t)(target->nodes.size / sizeof(struct node)), other;
	struct node node = {.parent = from->parent, .kind = from->kind};
	const char *name;

	node.path = anim_arena_text(&target->arena, from->path, strlen(from->path), error);
	node.type = anim_arena_text(&target->arena, from->type, strlen(from->type), error);
	if (node.path == NULL || node.type == NULL ||
	    anim_buffer_append(&target->nodes, &node, sizeof node, error) != 0)
		return -1;
	if (anim_map_put(&target->names, BY_PATH, node.path, strlen(node.path), number, error) != 0)
		return -1;
	if (from->kind == ANIM_NODE_BONE)
		return 0;
	name = anim_path_last(node.path);
	if (anim_map_get(&target->names, BY_NAME, name, strlen(name), &other))
		number = SEVERAL;
	return anim_map_put(&target->names, BY_NAME, name, strlen(name), number, error);
}

void unity_target_clear(struct unity_target *target)
{
	anim_buffer_clear(&target->nodes);
	anim_map_clear(&target->names);
	anim_arena_clear(&target->arena);
}

static enum unity_nodes kind_of(const char *source)
{
	if (strcmp(source, "unity") == 0)
		return UNITY_NODES_PATHS;
	if (strcmp(source, "animj") == 0 || strcmp(source, "animx") == 0)
		return UNITY_NODES_BARE;
	return strncmp(source, "godot", 5) == 0 ? UNITY_NODES_GODOT : UNITY_NODES_OTHER;
}

/* anim_tree_path, with memory and a way out of the tree told apart: *path NULL for the latter. 0 or -1. */
static int tree_path(const char *root, const char *node, const char **path, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct anim_error memory = {0};

	*path = anim_tree_path(root, node, arena, &memory);
	return *path == NULL && memory.code != ANIM_OK ? anim_fail_memory(error) : 0;
}

int unity_target_clip(struct unity_target *target, const struct anim_clip *clip, struct anim_error *error)
{
	target->kind = kind_of(clip->source);
	target->in_tree = (clip->flags & ANIM_IN_TREE) != 0;
	return tree_path(clip->root, ".", &target->root, &target->arena, error);
}

/*
 * The node with its last "%Name" replaced by the path of the one node of that name; *known false where it is not, then
 * without its '%'. NULL out of memory.
 */
static const char *without_unique(const struct unity_target *target, const char *node, bool *known,
				  struct anim_arena *arena, struct anim_error *error)
{
	const char *name = NULL, *slash = node;
	uint32_t number = SEVERAL;
	size_t length;

	for (; slash != NULL; slash = strchr(slash, '/')) {
		slash += *slash == '/';
		if (slash[0] == '%' && slash[1] != '\0' && slash[1] != '/')
			name = slash + 1;
	}
	*known = true;
	if (name == NULL)
		return node;
	length = strcspn(name, "/");
	*known = target->in_tree && anim_map_get(&target->names, BY_NAME, name, length, &number) && number != SEVERAL;
	if (!*known)
		return name;
	return anim_arena_printf(arena, error, "%s%s%s", "/", node_at(target, number)->path, name + length);
}

/*
 * The tree's path of the part of a track's node before the bone: NULL where it leaves the tree. A path that begins with
 * '/' is the tree's already.
 */
static int find(const struct unity_target *target, const char *node, const char **path, bool *known,
		struct anim_arena *arena, struct anim_error *error)
{
	const char *colon = strchr(node, ':');
	const char *part = colon == NULL ? node : anim_arena_text(arena, node, (size_t)(colon - node), error);

	*known = true;
	*path = NULL;
	if (part != NULL && target->kind == UNITY_NODES_GODOT)
		part = without_unique(target, part, known, arena, error);
	if (part == NULL)
		return -1;
	if (target->root == NULL)
		return 0;
	return tree_path(part[0] == '/' ? "." : target->root, part, path, arena, error);
}

/* The path seen from the root's; NULL where it does not lie below it. */
static const char *below(const char *root, const char *path)
{
	size_t length = strlen(root);

	if (strcmp(path, ".") == 0)
		path = "";
	if (strcmp(root, ".") == 0)
		return path;
	if (strncmp(path, root, length) != 0)
		return NULL;
	if (path[length] == '\0')
		return "";
	return path[length] == '/' ? path + length + 1 : NULL;
}

/*
 * "Spine/Chest/" of a bone's parents, the skeleton's own path left out; NULL out of memory or beyond a name's length.
 */
static char *parents_of(const struct unity_target *target, uint32_t bone, struct anim_arena *arena,
			struct anim_error *error)
{
	size_t length = 0;
	char *text, *at;

	for (uint32_t i = node_at(target, bone)->parent;
	     i != ANIM_NO_PARENT && node_at(target, i)->kind == ANIM_NODE_BONE; i = node_at(target, i)->parent) {
		length += strlen(bone_name(node_at(target, i)->path)) + 1;
		if (length > ANIM_NAME_MAX) {
			anim_fail(error, ANIM_TOO_LARGE, "the path of bone '%.200s' is too long",
				  node_at(target, bone)->path);
			return NULL;
		}
	}
	text = anim_arena_alloc(arena, length + 1, error);
	if (text == NULL)
		return NULL;
	at = text + length;
	*at = '\0';
	for (uint32_t i = node_at(target, bone)->parent; at > text; i = node_at(target, i)->parent) {
		const char *name = bone_name(node_at(target, i)->path);

		*--at = '/';
		at -= strlen(name);
		memcpy(at, name, strlen(name));
	}
	return text;
}

/* Puts a bone behind the path of its skeleton: `full` is the one in the tree, `seen` the one from the root. */
static int add_bone(const struct unity_target *target, const char *full, const char *seen, const char *bone,
		    const char **path, enum unity_placing *place, struct anim_arena *arena, struct anim_error *error)
{
	const char *key = anim_arena_printf(arena, error, "%s%s%s", full, ":", bone), *parents = "";
	const char *slash = seen[0] == '\0' ? "" : "/";
	uint32_t number;

	if (key == NULL)
		return -1;
	if (target->in_tree && anim_map_get(&target->names, BY_PATH, key, strlen(key), &number))
		parents = parents_of(target, number, arena, error);
	else
		*place = UNITY_LOOSE_BONE;
	*path = parents == NULL ? NULL : anim_arena_printf(arena, error, "%s%s%s", seen, slash, parents);
	if (*path != NULL)
		*path = anim_arena_printf(arena, error, "%s%s", *path, bone);
	return *path == NULL ? -1 : 0;
}

/* True where the bone is called as the node was, but for the ':', which no bone's name may have. */
static bool is_called(const char *bone, const char *name)
{
	while (*bone != '\0' && (*bone == *name || (*bone == '_' && *name == ':'))) {
		bone++;
		name++;
	}
	return *bone == *name;
}

int unity_target_kept(const char *node, const char *kept, const char **path, struct anim_arena *arena,
		      struct anim_error *error)
{
	const char *colon = strchr(node, ':'), *last = anim_path_last(kept), *above;

	*path = colon == NULL ? NULL : kept;
	if (colon == NULL || is_called(colon + 1, last))
		return 0;
	above = anim_arena_text(arena, kept, (size_t)(last - kept), error);
	*path = above == NULL ? NULL : anim_arena_printf(arena, error, "%s%s", above, colon + 1);
	return *path == NULL ? -1 : 0;
}

static bool is_own_path(const struct unity_target *target)
{
	return target->kind == UNITY_NODES_PATHS || target->kind == UNITY_NODES_BARE;
}

int unity_target_path(const struct unity_target *target, const char *node, const char **path, enum unity_placing *place,
		      struct anim_arena *arena, struct anim_error *error)
{
	const char *colon, *full, *seen;
	bool known;

	*place = UNITY_PLACED;
	*path = strcmp(node, ".") == 0 ? "" : node;
	if (target->kind == UNITY_NODES_BARE && **path != '\0')
		*place = UNITY_LOOSE_NAME;
	if (is_own_path(target))
		return 0;
	if (find(target, node, &full, &known, arena, error) != 0)
		return -1;
	*path = seen = full == NULL ? NULL : below(target->root, full);
	*place = seen == NULL ? UNITY_OUTSIDE : known ? UNITY_PLACED : UNITY_LOOSE_NAME;
	colon = strchr(node, ':');
	if (seen == NULL || colon == NULL || colon[1] == '\0')
		return 0;
	return add_bone(target, full, seen, colon + 1, path, place, arena, error);
}

/* Godot's properties that are the same number in Unity. type: the node's, NULL: any of its kind. */
static const struct property {
	const char *name, *type;
	enum anim_node_kind kind;
	const char *unity;
	int64_t class_id;
} properties[] = {
    {"fov", NULL, ANIM_NODE_CAMERA, "field of view", CAMERA_CLASS},
    {"near", NULL, ANIM_NODE_CAMERA, "near clip plane", CAMERA_CLASS},
    {"far", NULL, ANIM_NODE_CAMERA, "far clip plane", CAMERA_CLASS},
    {"light_energy", NULL, ANIM_NODE_LIGHT, "m_Intensity", LIGHT_CLASS},
    {"light_color", NULL, ANIM_NODE_LIGHT, "m_Color", LIGHT_CLASS},
    {"omni_range", NULL, ANIM_NODE_LIGHT, "m_Range", LIGHT_CLASS},
    {"spot_range", NULL, ANIM_NODE_LIGHT, "m_Range", LIGHT_CLASS},
    {"self_modulate", "Sprite2D", ANIM_NODE, "m_Color", SPRITE_CLASS},
    {"flip_h", "Sprite2D", ANIM_NODE, "m_FlipX", SPRITE_CLASS},
    {"flip_v", "Sprite2D", ANIM_NODE, "m_FlipY", SPRITE_CLASS},
    {"modulate", "Sprite3D", ANIM_NODE_MESH, "m_Color", SPRITE_CLASS},
    {"flip_h", "Sprite3D", ANIM_NODE_MESH, "m_FlipX", SPRITE_CLASS},
    {"flip_v", "Sprite3D", ANIM_NODE_MESH, "m_FlipY", SPRITE_CLASS},
};

static const struct property *find_property(const struct node *node, const char *name)
{
	for (size_t i = 0; i < ANIM_COUNT(properties); i++)
		if (strcmp(properties[i].name, name) == 0 &&
		    (properties[i].type == NULL ? properties[i].kind == node->kind
						: strcmp(properties[i].type, node->type) == 0))
			return &properties[i];
	return NULL;
}

int unity_target_property(const struct unity_target *target, const char *node, const char *property, const char **name,
			  int64_t *class_id, struct anim_arena *arena, struct anim_error *error)
{
	const struct property *found;
	const char *full;
	uint32_t number;
	bool known;

	*name = property;
	*class_id = -1;
	if (target->kind != UNITY_NODES_GODOT || !target->in_tree)
		return 0;
	if (find(target, node, &full, &known, arena, error) != 0)
		return -1;
	if (full == NULL || !anim_map_get(&target->names, BY_PATH, full, strlen(full), &number))
		return 0;
	found = find_property(node_at(target, number), property);
	if (found != NULL) {
		*name = found->unity;
		*class_id = found->class_id;
	}
	return 0;
}
