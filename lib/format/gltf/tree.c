/* tree.c: parents, roots, names of nodes and animations, and the TREE that they become. */
#include "format/gltf/asset.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/number.h"
#include "format/read.h"

/* ---- parents ---- */

static int refuse_node(const struct gltf_asset *asset, const char *what, size_t which, uint32_t node,
		       struct anim_error *error)
{
	return anim_fail(error, ANIM_BAD_INPUT, "%s[%zu]: node %" PRIu32 " is missing; the number of nodes is %" PRIu32,
			 what, which, node, gltf_node_count(asset));
}

/* Set the parents of nodes, their joints and their VRM names. Return 0 or -1. */
static int link_nodes(const struct gltf_asset *asset, struct anim_error *error)
{
	struct gltf_node *look = gltf_node_at(asset, asset->look);

	for (uint32_t i = 0; i < gltf_node_count(asset); i++) {
		struct gltf_run children = gltf_node_at(asset, i)->children;

		for (uint32_t k = 0; k < children.count; k++) {
			uint32_t child = *GLTF_AT(asset, indices, uint32_t, children.first + k);
			struct gltf_node *node = gltf_node_at(asset, child);

			if (node == NULL)
				return refuse_node(asset, "nodes", i, child, error);
			if (node->parent != GLTF_NONE)
				return anim_fail(error, ANIM_BAD_INPUT,
						 "nodes[%" PRIu32 "] is a child of two nodes, %" PRIu32 " and %" PRIu32,
						 child, node->parent, i);
			node->parent = i;
		}
	}
	for (uint32_t i = 0; i < GLTF_COUNT(asset, joints, uint32_t); i++) {
		uint32_t joint = *GLTF_AT(asset, joints, uint32_t, i);

		if (gltf_node_at(asset, joint) == NULL)
			return refuse_node(asset, "joints of skins", i, joint, error);
		gltf_node_at(asset, joint)->is_joint = true;
	}
	for (uint32_t i = 0; i < GLTF_COUNT(asset, vrms, struct gltf_vrm); i++) {
		const struct gltf_vrm *vrm = GLTF_AT(asset, vrms, struct gltf_vrm, i);
		struct gltf_node *node = gltf_node_at(asset, vrm->node);

		if (node == NULL && vrm->is_model) /* a model may list bones that do not exist */
			continue;
		if (node == NULL)
			return refuse_node(asset, "VRMC_vrm_animation", i, vrm->node, error);
		if (vrm->is_expression)
			node->expression = vrm->name;
		else
			node->human = vrm->name;
	}
	if (asset->look != GLTF_NONE && look == NULL)
		return refuse_node(asset, "lookAt of VRMC_vrm_animation", 0, asset->look, error);
	if (look != NULL && look->human == NULL)
		look->human = GLTF_LOOK;
	return 0;
}

/*
 * Fail if nodes form a cycle. Such nodes cannot be reached from a node without a parent. *order gets all other nodes,
 * parents before their children.
 */
static int find_rings(const struct gltf_asset *asset, struct anim_buffer *order, struct anim_error *error)
{
	for (uint32_t i = 0; i < gltf_node_count(asset); i++)
		if (gltf_node_at(asset, i)->parent == GLTF_NONE && anim_buffer_append(order, &i, sizeof i, error) != 0)
			return -1;
	for (size_t at = 0; at < order->size / sizeof(uint32_t); at++) {
		struct gltf_run children = gltf_node_at(asset, ((const uint32_t *)(void *)order->data)[at])->children;

		for (uint32_t k = 0; k < children.count; k++)
			if (anim_buffer_append(order, GLTF_AT(asset, indices, uint32_t, children.first + k),
					       sizeof(uint32_t), error) != 0)
				return -1;
	}
	if (order->size / sizeof(uint32_t) == gltf_node_count(asset))
		return 0;
	for (uint32_t i = 0; i < gltf_node_count(asset); i++)
		gltf_node_at(asset, i)->is_placed = false;
	for (size_t at = 0; at < order->size / sizeof(uint32_t); at++)
		gltf_node_at(asset, ((const uint32_t *)(void *)order->data)[at])->is_placed = true;
	for (uint32_t i = 0; i < gltf_node_count(asset); i++)
		if (!gltf_node_at(asset, i)->is_placed)
			return anim_fail(error, ANIM_BAD_INPUT, "nodes[%" PRIu32 "] is its own ancestor", i);
	return 0;
}

/* ---- roots ---- */

/* Add the topmost node above this one to the roots, once. Nodes on the way are marked, so that each is visited only once. */
static int add_root(struct gltf_asset *asset, uint32_t node, struct anim_error *error)
{
	struct gltf_node *above = gltf_node_at(asset, node);

	while (!above->is_placed) {
		above->is_placed = true;
		if (above->parent == GLTF_NONE)
			return anim_buffer_append(&asset->roots, &node, sizeof node, error);
		node = above->parent;
		above = gltf_node_at(asset, node);
	}
	return 0;
}

/* Return the node that a channel moves, without checks. */
static uint32_t moved_node(const struct gltf_channel *channel)
{
	uint32_t node = 0;

	if (channel->path != GLTF_POINTER || channel->pointer == NULL || strncmp(channel->pointer, "/nodes/", 7) != 0)
		return channel->node;
	for (const char *at = channel->pointer + 7; *at >= '0' && *at <= '9'; at++)
		node = node < GLTF_NONE / 16 ? node * 10 + (uint32_t)(*at - '0') : GLTF_NONE;
	return node;
}

static int find_roots(struct gltf_asset *asset, struct anim_error *error)
{
	bool has_scenes = asset->scenes.size > 0;

	if (has_scenes) {
		uint32_t number = asset->scene == GLTF_NONE ? 0 : asset->scene;
		const struct gltf_run *scene = GLTF_AT(asset, scenes, struct gltf_run, number);

		if (scene == NULL)
			return anim_fail(error, ANIM_BAD_INPUT, "scene: scene %" PRIu32 " is missing", number);
		for (uint32_t k = 0; k < scene->count; k++) {
			uint32_t node = *GLTF_AT(asset, indices, uint32_t, scene->first + k);

			if (gltf_node_at(asset, node) == NULL)
				return refuse_node(asset, "scenes", number, node, error);
			if (add_root(asset, node, error) != 0)
				return -1;
		}
	}
	for (uint32_t i = 0; i < gltf_node_count(asset) && !has_scenes; i++)
		if (gltf_node_at(asset, i)->parent == GLTF_NONE && add_root(asset, i, error) != 0)
			return -1;
	asset->scene_roots = (uint32_t)(asset->roots.size / sizeof(uint32_t));
	for (uint32_t i = 0; i < GLTF_COUNT(asset, channels, struct gltf_channel); i++) {
		uint32_t node = moved_node(GLTF_AT(asset, channels, struct gltf_channel, i));

		if (gltf_node_at(asset, node) != NULL && add_root(asset, node, error) != 0)
			return -1;
	}
	return 0;
}

/* ---- names: '/' would split a path, ':' can split off a bone, and siblings must have different names ---- */

static const char *escaped(const char *name, uint32_t node, struct anim_arena *arena, struct anim_error *error)
{
	char *copy;

	if (name == NULL || name[0] == '\0')
		return anim_arena_printf(arena, error, "node_%" PRIu32, node);
	if (strchr(name, '/') == NULL && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
	    anim_bone_name("gltf", name, false) == NULL)
		return name;
	copy = anim_arena_text(arena, name, strlen(name), error);
	for (char *at = copy; at != NULL && *at != '\0'; at++)
		if (*at == '/' || *at == ':' || strspn(name, ".") == strlen(name))
			*at = '_';
	return copy;
}

/* List all nodes below the roots in the order in which they are written. */
static int list_nodes(const struct gltf_asset *asset, struct anim_buffer *order, struct anim_error *error)
{
	struct anim_buffer stack = {0};
	int result = 0;

	for (uint32_t i = (uint32_t)(asset->roots.size / sizeof(uint32_t)); i-- > 0 && result == 0;)
		result = anim_buffer_append(&stack, asset->roots.data + i * sizeof(uint32_t), sizeof(uint32_t), error);
	while (stack.size > 0 && result == 0) {
		struct gltf_run children;
		uint32_t node;

		stack.size -= sizeof node;
		memcpy(&node, stack.data + stack.size, sizeof node);
		children = gltf_node_at(asset, node)->children;
		result = anim_buffer_append(order, &node, sizeof node, error);
		for (uint32_t k = children.count; k-- > 0 && result == 0;)
			result = anim_buffer_append(&stack, GLTF_AT(asset, indices, uint32_t, children.first + k),
						    sizeof(uint32_t), error);
	}
	anim_buffer_clear(&stack);
	return result;
}

/* Give each node of the tree a name that no sibling has. Return 0 or -1. */
static int give_names(struct gltf_asset *asset, struct anim_error *error)
{
	struct anim_buffer order = {0};
	struct anim_map names = {0};
	int result = list_nodes(asset, &order, error);

	for (size_t i = 0; i < order.size / sizeof(uint32_t) && result == 0; i++) {
		uint32_t number = ((const uint32_t *)(void *)order.data)[i];
		struct gltf_node *node = gltf_node_at(asset, number);
		uint64_t scope = node->parent == GLTF_NONE ? 0 : (uint64_t)node->parent + 1;

		node->path_name = escaped(node->name, number, &asset->arena, error);
		if (node->path_name != NULL)
			node->path_name = anim_read_unique_name(&names, scope, node->path_name, &asset->arena, error);
		result = node->path_name == NULL ? -1 : 0;
	}
	anim_buffer_clear(&order);
	anim_map_clear(&names);
	return result;
}

static void set_first(uint32_t *first, uint32_t node)
{
	if (first != NULL && *first == GLTF_NONE)
		*first = node;
}

int gltf_tree_make(struct gltf_asset *asset, struct anim_error *error)
{
	struct anim_buffer order = {0};
	int result = link_nodes(asset, error);
	uint32_t none = GLTF_NONE;

	if (result == 0)
		result = find_rings(asset, &order, error);
	anim_buffer_clear(&order);
	if (result == 0)
		result = find_roots(asset, error);
	if (result == 0)
		result = give_names(asset, error);
	if (result != 0)
		return -1;
	/* Find the first node in the tree for each camera and each mesh. */
	for (uint32_t i = 0; i < asset->cameras; i++)
		if (anim_buffer_append(&asset->camera_nodes, &none, sizeof none, error) != 0)
			return -1;
	for (uint32_t i = 0; i < gltf_node_count(asset); i++) {
		const struct gltf_node *node = gltf_node_at(asset, i);
		struct gltf_mesh *mesh = gltf_mesh_at(asset, node->mesh);

		if (node->path_name == NULL)
			continue;
		set_first(GLTF_AT(asset, camera_nodes, uint32_t, node->camera), i);
		set_first(mesh == NULL ? NULL : &mesh->node, i);
	}
	return 0;
}

/* Godot's importer replaces these characters by '_' before it searches a name for words. */
#define LIKE_UNDERSCORE "_.:@/\"%"

/*
 * Return the name without the suffix "-word", "_word" or ".word" or the part "$word", by which Godot's importer knows a
 * loop. A number after the suffix stays. Returns the name itself if it has none, or NULL if out of memory.
 */
static const char *without_word(const char *name, const char *word, struct anim_arena *arena, struct anim_error *error)
{
	size_t length = strlen(name), size = strlen(word);
	const char *at;

	/* Ignore digits, blanks and '_' at the end, which programs add to equal names. */
	while (length > 0 && ((unsigned char)name[length - 1] <= ' ' ||
			      strchr("0123456789" LIKE_UNDERSCORE, name[length - 1]) != NULL))
		length--;
	at = length <= size ? NULL : name + length - size - 1;
	if (at == NULL || strncasecmp(at + 1, word, size) != 0 || strchr("-" LIKE_UNDERSCORE, *at) == NULL) {
		for (at = strchr(name, '$'); at != NULL && strncasecmp(at + 1, word, size) != 0;)
			at = strchr(at + 1, '$');
		if (at == NULL)
			return name;
	}
	return anim_arena_printf(arena, error, "%.*s%s", (int)(at - name), name, at + 1 + size);
}

const char *gltf_loop_name(const char *name, bool *loops, struct anim_arena *arena, struct anim_error *error)
{
	static const char *const words[] = {"loop_mode", "loop", "cycle"};
	const char *own = name;

	*loops = false;
	for (size_t i = 0; i < ANIM_COUNT(words) && name != NULL; i++) {
		size_t length = strlen(own), size = strlen(words[i]);

		if (i > 0 && length >= size)
			*loops |=
			    strncasecmp(own, words[i], size) == 0 || strcasecmp(own + length - size, words[i]) == 0;
		name = without_word(name, words[i], arena, error);
	}
	*loops |= name != own;
	return name;
}

int gltf_name_animations(struct gltf_asset *asset, const char *base_name, struct anim_error *error)
{
	uint32_t unnamed = 0, count = gltf_animation_count(asset);
	struct anim_map names = {0};
	int result = 0;

	for (uint32_t i = 0; i < count && result == 0; i++) {
		struct gltf_animation *animation = gltf_animation_at(asset, i);

		animation->is_unnamed = animation->name == NULL || animation->name[0] == '\0';
		if (animation->is_unnamed)
			animation->name =
			    ++unnamed == 1 ? base_name
					   : anim_arena_printf(&asset->arena, error, "%s-%" PRIu32, base_name, unnamed);
		animation->own = animation->name;
		if (animation->name == NULL ||
		    anim_map_put(&names, 0, animation->name, strlen(animation->name), i, error) != 0)
			result = -1;
	}
	/* An animation that loops by its name gets the name without the word, if no other animation has it. */
	for (uint32_t i = 0; i < count && result == 0; i++) {
		struct gltf_animation *animation = gltf_animation_at(asset, i);
		const char *name;
		uint32_t known;

		if (animation->is_unnamed)
			continue;
		name = gltf_loop_name(animation->own, &animation->loops, &asset->arena, error);
		if (name == NULL) {
			result = -1;
		} else if (name[0] != '\0' && !anim_map_get(&names, 0, name, strlen(name), &known)) {
			animation->name = name;
			result = anim_map_put(&names, 0, name, strlen(name), 0, error);
		}
	}
	anim_map_clear(&names);
	return result;
}

/* ---- paths, and the TREE ---- */

/*
 * Return whether the tree needs an additional root. A single root becomes the root of the tree, unless it is a joint: a
 * skeleton is part of the object that it moves, and its first bone needs a name.
 */
static bool has_own_root(const struct gltf_asset *asset)
{
	return asset->keeps_root || asset->roots.size != sizeof(uint32_t) ||
	       gltf_node_at(asset, *(const uint32_t *)(void *)asset->roots.data)->is_joint;
}

/* The path is written backwards, from its end. */
const char *gltf_tree_path(struct gltf_asset *asset, uint32_t number, struct anim_error *error)
{
	const struct gltf_node *node = gltf_node_at(asset, number), *at;
	size_t length = 0;
	char *end;

	/* Without an additional root, the name of the root is not in any path. */
	for (at = node; at->parent != GLTF_NONE || has_own_root(asset); at = gltf_node_at(asset, at->parent)) {
		length += strlen(at->path_name) + 1;
		if (length > ANIM_NAME_MAX + 1) {
			anim_fail(error, ANIM_TOO_LARGE, "nodes[%" PRIu32 "]: a path of more than %u bytes", number,
				  ANIM_NAME_MAX);
			return NULL;
		}
		if (at->parent == GLTF_NONE)
			break;
	}
	if (length == 0)
		return ".";
	asset->path.size = 0;
	end = anim_buffer_extend(&asset->path, length, error);
	if (end == NULL)
		return NULL;
	end += length;
	*--end = '\0';
	for (at = node;; at = gltf_node_at(asset, at->parent)) {
		size_t size = strlen(at->path_name);

		end -= size;
		memcpy(end, at->path_name, size);
		if (end == (char *)asset->path.data)
			return end;
		*--end = '/';
	}
}

/* Return the type of the NODE of a light, or NULL for other nodes. */
static const char *light_of(const struct gltf_asset *asset, const struct gltf_node *node)
{
	const char *type = node->light < GLTF_COUNT(asset, lights, const char *)
			       ? *GLTF_AT(asset, lights, const char *, node->light)
			       : NULL;

	if (node->light == GLTF_NONE || type == NULL)
		return node->light == GLTF_NONE ? NULL : "";
	return strcmp(type, "spot") == 0 ? "SpotLight" : strcmp(type, "directional") == 0 ? "DirectionalLight" : "";
}

/* Write a NODE for a glTF node, which has its kind, path and parent already. */
static int write_node(struct gltf_asset *asset, uint32_t number, struct anim_node *node, struct anim_sink *sink,
		      struct anim_error *error)
{
	const struct gltf_node *from = (const struct gltf_node *)(const void *)asset->nodes.data + number;
	struct anim_attr attrs[6];
	size_t count = 0;
	char index[16], offset[3 * (ANIM_NUMBER_MAX + 1)];

	node->has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE;
	memcpy(node->position, from->position, sizeof node->position);
	memcpy(node->rotation, from->rotation, sizeof node->rotation);
	memcpy(node->scale, from->scale, sizeof node->scale);
	snprintf(index, sizeof index, "%" PRIu32, number);
	if (from->expression != NULL)
		attrs[count++] = (struct anim_attr){GLTF_EXPRESSION, from->expression};
	if (!from->is_visible)
		attrs[count++] = (struct anim_attr){"gltf.hidden", "true"};
	if (number == asset->look && asset->has_look_offset) {
		char *out = offset;

		for (int i = 0; i < 3; i++) {
			out += anim_number_print_float(out, asset->look_offset[i]);
			*out++ = i < 2 ? ',' : '\0';
		}
		attrs[count++] = (struct anim_attr){GLTF_LOOK_OFFSET, offset};
	}
	if (from->name != NULL && strcmp(from->name, from->path_name) != 0)
		attrs[count++] = (struct anim_attr){"gltf.name", from->name};
	attrs[count++] = (struct anim_attr){"gltf.node", index};
	if (from->human != NULL)
		attrs[count++] = (struct anim_attr){"gltf.vrm", from->human};
	node->attrs = (struct anim_attrs){attrs, count};
	return node->path == NULL ? -1 : anim_sink_node(sink, node, error);
}

struct imported {
	struct gltf_asset *asset;
	struct anim_sink *sink;
};

/* Write a NODE of the scene that Godot's importer makes. */
static int write_imported(void *context, uint32_t node, struct anim_node *out, struct anim_error *error)
{
	const struct imported *imported = context;

	return write_node(imported->asset, node, out, imported->sink, error);
}

static int write_nodes(struct gltf_asset *asset, const struct anim_buffer *order, struct anim_sink *sink,
		       struct anim_error *error)
{
	static const struct anim_node own = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};
	uint32_t shift = has_own_root(asset), *numbers;
	int result = shift > 0 ? anim_sink_node(sink, &own, error) : 0;

	numbers = anim_zeroed(((size_t)gltf_node_count(asset) + 1) * sizeof *numbers, error);
	if (numbers == NULL)
		return -1;
	for (uint32_t i = 0; i < order->size / sizeof(uint32_t) && result == 0; i++) {
		uint32_t number = ((const uint32_t *)(void *)order->data)[i];
		const struct gltf_node *from = gltf_node_at(asset, number);
		struct anim_node node = {.path = gltf_tree_path(asset, number, error)};

		node.kind = from->is_joint              ? ANIM_NODE_BONE
			    : from->camera != GLTF_NONE ? ANIM_NODE_CAMERA
			    : from->light != GLTF_NONE  ? ANIM_NODE_LIGHT
			    : from->mesh != GLTF_NONE   ? ANIM_NODE_MESH
							: ANIM_NODE;
		numbers[number] = i + shift;
		node.parent = from->parent != GLTF_NONE ? numbers[from->parent] : shift > 0 ? 0 : ANIM_NO_PARENT;
		node.type = node.kind == ANIM_NODE_LIGHT ? light_of(asset, from) : "";
		result = write_node(asset, number, &node, sink, error);
	}
	free(numbers);
	return result;
}

int gltf_tree_write(struct gltf_asset *asset, const char *file, const char *name, struct anim_sink *sink,
		    struct anim_error *error)
{
	struct anim_tree head = {.axes = ANIM_AXES_GLTF, .root_name = name, .source_file = file};
	struct anim_buffer order = {0};
	struct imported imported = {asset, sink};
	bool is_imported = asset->import.places.size > 0;
	int result = list_nodes(asset, &order, error);

	if (!is_imported && !has_own_root(asset))
		head.root_name = gltf_node_at(asset, *(const uint32_t *)(void *)asset->roots.data)->path_name;
	if (result == 0)
		result = anim_sink_tree(sink, &head, error);
	if (result == 0)
		result = is_imported ? anim_import_write(&asset->import, write_imported, &imported, sink, error)
				     : write_nodes(asset, &order, sink, error);
	anim_buffer_clear(&order);
	return result;
}

int gltf_tree_import(struct gltf_asset *asset, struct anim_error *error)
{
	uint32_t count = gltf_node_count(asset), skins = GLTF_COUNT(asset, skins, struct gltf_skin);
	struct anim_import *import = &asset->import;
	struct anim_import_skin *to =
	    anim_arena_zeroed(&asset->arena, (size_t)skins + 1, sizeof(struct anim_import_skin), error);
	struct anim_buffer order = {0};
	int result;

	*import = (struct anim_import){
	    .arena = &asset->arena,
	    .nodes = anim_arena_zeroed(&asset->arena, (size_t)count + 1, sizeof(struct anim_import_node), error),
	    .node_count = count,
	    .skins = to,
	    .skin_count = skins};
	if (import->nodes == NULL || to == NULL)
		return -1;
	for (uint32_t i = 0; i < skins; i++) {
		struct gltf_run run = GLTF_AT(asset, skins, struct gltf_skin, i)->joints;

		to[i] = (struct anim_import_skin){GLTF_AT(asset, joints, uint32_t, run.first), run.count};
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct gltf_node *node = gltf_node_at(asset, i);

		import->nodes[i] = (struct anim_import_node){.name = node->name,
							     .parent = node->parent,
							     .skin = node->skin < skins ? node->skin : ANIM_IMPORT_NONE,
							     .is_placed = node->path_name != NULL,
							     .is_joint = node->is_joint,
							     .has_mesh = node->mesh != GLTF_NONE,
							     .has_camera = node->camera != GLTF_NONE,
							     .light = light_of(asset, node)};
	}
	for (uint32_t i = 0; i < GLTF_COUNT(asset, used, const char *); i++)
		import->has_single_root |= strcmp(*GLTF_AT(asset, used, const char *, i), "GODOT_single_root") == 0;
	result = list_nodes(asset, &order, error);
	for (uint32_t i = asset->scene_roots; i < asset->roots.size / sizeof(uint32_t); i++)
		gltf_node_at(asset, *GLTF_AT(asset, roots, uint32_t, i))->is_outside = true;
	for (uint32_t i = 0; i < order.size / sizeof(uint32_t); i++) {
		struct gltf_node *node = gltf_node_at(asset, ((const uint32_t *)(void *)order.data)[i]);

		if (node->parent != GLTF_NONE)
			node->is_outside = gltf_node_at(asset, node->parent)->is_outside;
	}
	import->order = (const uint32_t *)(const void *)order.data;
	import->order_count = (uint32_t)(order.size / sizeof(uint32_t));
	if (result == 0)
		result = anim_import_make(import, error);
	anim_buffer_clear(&order);
	return result;
}
