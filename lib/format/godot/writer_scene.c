/* writer_scene.c: a scene: the table of its nodes, what they must have so that their tracks play, and its text. */
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/number.h"
#include "clip/engine_names.h"
#include "format/godot/scene.h"
#include "format/godot/writer.h"
#include "math/basis.h"
#include "math/quaternion.h"

/* --- The table of nodes, out of trees and of the paths of tracks --- */

void godot_nodes_clear(struct godot_nodes *nodes)
{
	anim_buffer_clear(&nodes->items);
	anim_map_clear(&nodes->by_path);
	anim_map_clear(&nodes->by_unique);
	anim_arena_clear(&nodes->arena);
	anim_buffer_clear(&nodes->numbers);
	anim_buffer_clear(&nodes->shapes);
	anim_map_clear(&nodes->by_shape);
}

static size_t nodes_count(const struct godot_nodes *nodes)
{
	return nodes->items.size / sizeof(struct godot_scene_node);
}

struct godot_scene_node *godot_nodes_at(const struct godot_nodes *nodes, uint32_t number)
{
	return (struct godot_scene_node *)(void *)nodes->items.data + number;
}

uint32_t godot_nodes_find(const struct godot_nodes *nodes, const char *path)
{
	uint32_t number;

	return anim_map_get(&nodes->by_path, 0, path, strlen(path), &number) ? number : GODOT_NO_PARENT;
}

static const char *last_name(const char *path)
{
	const char *colon = strchr(path, ':'), *slash = strrchr(path, '/');

	if (colon != NULL)
		return colon + 1;
	return slash == NULL ? path : slash + 1;
}

/* Appends a node; its path must be new. Its number, or GODOT_NO_PARENT out of memory. */
static uint32_t append(struct godot_nodes *nodes, const char *path, uint32_t parent, struct anim_error *error)
{
	struct godot_scene_node node = {.parent = parent, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	uint32_t number = (uint32_t)nodes_count(nodes);

	node.path = anim_arena_text(&nodes->arena, path, strlen(path), error);
	if (node.path == NULL)
		return GODOT_NO_PARENT;
	node.name = last_name(node.path);
	node.class = nodes->godot3 ? "Spatial" : "Node3D";
	node.bone = strchr(node.path, ':') != NULL;
	node.bone_parent = GODOT_NO_PARENT;
	if (node.bone)
		node.bone_index = godot_nodes_at(nodes, parent)->bones++;
	if (anim_map_put(&nodes->by_path, 0, node.path, strlen(node.path), number, error) != 0 ||
	    anim_buffer_append(&nodes->items, &node, sizeof node, error) != 0)
		return GODOT_NO_PARENT;
	return number;
}

static void set_class(struct godot_nodes *nodes, uint32_t number, const char *class, enum godot_class_source source)
{
	struct godot_scene_node *node = godot_nodes_at(nodes, number);

	if (class == NULL || source <= node->source)
		return;
	node->class = godot_class_in(nodes->godot3, class);
	node->source = source;
}

/* What an object of another engine is in Godot. */
static const char *class_of(const struct anim_node *node)
{
	bool flat = (node->has & ANIM_HAS_2D) != 0;

	if (strcmp(node->type, "SpriteRenderer") == 0)
		return flat ? "Sprite2D" : "Sprite3D";
	switch (node->kind) {
	case ANIM_NODE_CAMERA:
		return flat ? "Camera2D" : "Camera3D";
	case ANIM_NODE_LIGHT:
		return flat ? "PointLight2D" : "OmniLight3D";
	case ANIM_NODE_MESH:
		return flat ? "MeshInstance2D" : "MeshInstance3D";
	default:
		return flat ? "Node2D" : "Node3D";
	}
}

static enum godot_class_source source_of(const char *class)
{
	return strcmp(class, "Node3D") == 0 || strcmp(class, "Node2D") == 0 ? GODOT_CLASS_SPACE : GODOT_CLASS_GUESSED;
}

int godot_nodes_tree(struct godot_nodes *nodes, const struct anim_tree *tree, struct anim_error *error)
{
	nodes->numbers.size = 0;
	if (nodes->root_name == NULL) /* Godot's own stays as it is */
		nodes->root_name = anim_godot_root(tree->root_name, &nodes->arena, error);
	return nodes->root_name == NULL ? -1 : 0;
}

static int keep(struct godot_nodes *nodes, const struct anim_node *from, const char *key, const char **out,
		struct anim_error *error)
{
	const char *value = anim_attrs_get(&from->attrs, key);

	if (value == NULL)
		return 0;
	*out = anim_arena_text(&nodes->arena, value, strlen(value), error);
	return *out == NULL ? -1 : 0;
}

/* Of several nodes of one name the first is found by it. */
static int set_unique(struct godot_nodes *nodes, uint32_t number, struct anim_error *error)
{
	struct godot_scene_node *node = godot_nodes_at(nodes, number);
	uint32_t first;

	if (node->parent == GODOT_NO_PARENT || node->bone ||
	    anim_map_get(&nodes->by_unique, 0, node->name, strlen(node->name), &first))
		return 0;
	node->unique = true;
	return anim_map_put(&nodes->by_unique, 0, node->name, strlen(node->name), number, error);
}

static int fill(struct godot_nodes *nodes, uint32_t number, const struct godot_names *names,
		const struct anim_node *from, struct anim_error *error)
{
	struct godot_scene_node *node = godot_nodes_at(nodes, number);
	bool untold = !names->from_godot || from->type[0] == '\0';
	const char *class =
	    untold ? class_of(from) : anim_arena_text(&nodes->arena, from->type, strlen(from->type), error);

	if (class == NULL)
		return -1;
	if (untold && names->from_godot && from->has == 0)
		node->class = "Node";
	else
		set_class(nodes, number, class, untold ? source_of(class) : GODOT_CLASS_TOLD);
	node->has = from->has;
	memcpy(node->position, from->position, sizeof node->position);
	memcpy(node->rotation, from->rotation, sizeof node->rotation);
	memcpy(node->scale, from->scale, sizeof node->scale);
	node->disabled = anim_attrs_get(&from->attrs, "godot.enabled") != NULL;
	if (anim_attrs_get(&from->attrs, "godot.unique_name") != NULL && set_unique(nodes, number, error) != 0)
		return -1;
	if (keep(nodes, from, "godot.pose", &node->pose, error) != 0 ||
	    keep(nodes, from, "godot.skew", &node->skew, error) != 0)
		return -1;
	return keep(nodes, from, "rotation_order", &node->order, error);
}

/* The number of the tree's NODE; its own parents came before. */
static uint32_t parent_of(const struct godot_nodes *nodes, const struct anim_node *node)
{
	const uint32_t *numbers = (const uint32_t *)(const void *)nodes->numbers.data;
	size_t count = nodes->numbers.size / sizeof *numbers;

	return node->parent < count ? numbers[node->parent] : GODOT_NO_PARENT;
}

/* A bone hangs at its skeleton, whatever bone is above it. */
static uint32_t add_bone(struct godot_nodes *nodes, const char *path, uint32_t parent, struct anim_error *error)
{
	uint32_t above = parent, number;

	while (above != GODOT_NO_PARENT && godot_nodes_at(nodes, above)->bone)
		above = godot_nodes_at(nodes, above)->parent;
	if (above == GODOT_NO_PARENT)
		return GODOT_NO_PARENT;
	number = append(nodes, path, above, error);
	if (number != GODOT_NO_PARENT && godot_nodes_at(nodes, parent)->bone)
		godot_nodes_at(nodes, number)->bone_parent = godot_nodes_at(nodes, parent)->bone_index;
	if (number != GODOT_NO_PARENT)
		set_class(nodes, above, "Skeleton3D", GODOT_CLASS_GUESSED);
	return number;
}

static const char *bone_of(const struct godot_names *names, const struct anim_node *node)
{
	return anim_bone_name(names->own_bones ? "" : "other", node->path, node->kind == ANIM_NODE_BONE);
}

/* True where what stands before the bone is a node: another engine may have a bone "rig:Hips" that is below none. */
static bool has_skeleton(const struct godot_nodes *nodes, const char *path)
{
	uint32_t number;

	return anim_map_get(&nodes->by_path, 0, path, (size_t)(strrchr(path, ':') - path), &number);
}

int godot_nodes_add(struct godot_nodes *nodes, const struct godot_names *names, const struct anim_node *from,
		    const char **written, struct anim_error *error)
{
	uint32_t parent = parent_of(nodes, from), number;
	const char *name = bone_of(names, from),
		   *path = godot_written_node(names, from->path, name, &nodes->arena, error);
	bool bone;

	if (path != NULL && name != NULL && !names->own_bones && !has_skeleton(nodes, path))
		path = godot_written_node(names, from->path, NULL, &nodes->arena, error);
	if (path == NULL)
		return -1;
	*written = path;
	bone = strchr(path, ':') != NULL && parent != GODOT_NO_PARENT;
	number = godot_nodes_find(nodes, path);
	if (number == GODOT_NO_PARENT) {
		number = bone ? add_bone(nodes, path, parent, error) : append(nodes, path, parent, error);
		if (number == GODOT_NO_PARENT || fill(nodes, number, names, from, error) != 0)
			return -1;
	}
	return anim_buffer_append(&nodes->numbers, &number, sizeof number, error);
}

/* Nodes deeper than this are not made: no scene has them, and each costs its whole path. */
#define DEPTH_MAX 256u

static bool is_too_deep(const char *path)
{
	unsigned depth = 0;

	for (; *path != '\0'; path++)
		depth += *path == '/';
	return depth >= DEPTH_MAX;
}

/* The node of the path's first `length` bytes, below `parent`; made where it is not there. */
static uint32_t need_part(struct godot_nodes *nodes, const char *path, size_t length, uint32_t parent,
			  struct anim_error *error)
{
	char *part = anim_arena_text(&nodes->arena, path, length, error);
	uint32_t number;

	if (part == NULL)
		return GODOT_NO_PARENT;
	number = godot_nodes_find(nodes, part);
	if (number != GODOT_NO_PARENT)
		return number;
	if (strchr(part, ':') == NULL)
		return append(nodes, part, parent, error);
	number = add_bone(nodes, part, parent, error);
	if (number != GODOT_NO_PARENT)
		godot_nodes_at(nodes, number)->orphan = true;
	return number;
}

static uint32_t make(struct godot_nodes *nodes, const char *path, struct anim_error *error)
{
	const char *colon = strchr(path, ':'), *slash = path;
	size_t end = colon != NULL ? (size_t)(colon - path) : strlen(path);
	uint32_t parent = 0;

	while (parent != GODOT_NO_PARENT && (slash = memchr(slash, '/', end - (size_t)(slash - path))) != NULL) {
		parent = need_part(nodes, path, (size_t)(slash - path), parent, error);
		slash++;
	}
	if (parent != GODOT_NO_PARENT && end > 0 && !(end == 1 && path[0] == '.'))
		parent = need_part(nodes, path, end, parent, error);
	if (parent != GODOT_NO_PARENT && colon != NULL)
		parent = need_part(nodes, path, strlen(path), parent, error);
	return parent;
}

bool godot_nodes_can_be(const char *path)
{
	return path[0] != '\0' && path[0] != '/' && strncmp(path, "..", 2) != 0 && strchr(path, '%') == NULL &&
	       !is_too_deep(path);
}

/*
 * The node of this path in the tree, made with all that is above it where it is not there; a bone too. The class is
 * what its tracks want (NULL: nothing in particular). Its number, or GODOT_NO_PARENT: it leaves the scene, or no memory
 * (then error is filled).
 */
static uint32_t nodes_need(struct godot_nodes *nodes, const char *path, const char *class, struct anim_error *error)
{
	uint32_t number;

	if (nodes_count(nodes) == 0 && append(nodes, ".", GODOT_NO_PARENT, error) == GODOT_NO_PARENT)
		return GODOT_NO_PARENT;
	if (!godot_nodes_can_be(path))
		return GODOT_NO_PARENT;
	number = godot_nodes_find(nodes, path);
	if (number == GODOT_NO_PARENT)
		number = make(nodes, path, error);
	if (number != GODOT_NO_PARENT && class != NULL && !godot_nodes_at(nodes, number)->bone)
		set_class(nodes, number, class, source_of(class));
	return number;
}

/* The node called so, made below `root`. */
static uint32_t need_unique(struct godot_nodes *nodes, const char *root, const char *name, struct anim_arena *arena,
			    struct anim_error *error)
{
	const char *path;
	uint32_t number;

	if (anim_map_get(&nodes->by_unique, 0, name, strlen(name), &number))
		return number;
	path = anim_tree_path(root, name, arena, error);
	number = path == NULL ? GODOT_NO_PARENT : nodes_need(nodes, path, NULL, error);
	if (number == GODOT_NO_PARENT || set_unique(nodes, number, error) != 0)
		return GODOT_NO_PARENT;
	return number;
}

/*
 * Where a path that begins with %Name goes on from: *path is the rest of it, seen from the node whose path is returned,
 * which is made below `root` where no node is called so. NULL on failure.
 */
static const char *nodes_unique(struct godot_nodes *nodes, const char *root, const char **path,
				struct anim_arena *arena, struct anim_error *error)
{
	size_t length = strcspn(*path, "/:");
	char *name = length < 2 ? NULL : anim_arena_text(arena, *path + 1, length - 1, error);
	uint32_t number = name == NULL ? GODOT_NO_PARENT : need_unique(nodes, root, name, arena, error);
	char *rest;

	if (number == GODOT_NO_PARENT)
		return NULL;
	rest = anim_arena_printf(arena, error, ".%s", *path + length);
	if (rest == NULL)
		return NULL;
	*path = rest;
	return godot_nodes_at(nodes, number)->path;
}

/* --- Meshes and sprites: blend shapes, frames --- */

#define SHAPE "blend_shape/"
#define FRAMES_MAX 65536u /* more are no sheet */

/* A blend shape of a node's; `next` of the same node: number + 1, 0: none. */
struct shape {
	const char *name;
	uint32_t next;
};

static struct shape *shape_at(const struct godot_nodes *nodes, uint32_t number)
{
	return (struct shape *)(void *)nodes->shapes.data + number;
}

static int need_shape(struct godot_nodes *nodes, uint32_t number, const char *name, struct anim_error *error)
{
	uint32_t count = (uint32_t)(nodes->shapes.size / sizeof(struct shape)), known;
	struct godot_scene_node *node = godot_nodes_at(nodes, number);
	struct shape shape = {0};

	if (anim_map_get(&nodes->by_shape, number, name, strlen(name), &known))
		return 0;
	shape.name = anim_arena_text(&nodes->arena, name, strlen(name), error);
	if (shape.name == NULL || anim_map_put(&nodes->by_shape, number, shape.name, strlen(name), count, error) != 0 ||
	    anim_buffer_append(&nodes->shapes, &shape, sizeof shape, error) != 0)
		return -1;
	if (node->first_shape == 0)
		node->first_shape = count + 1;
	else
		shape_at(nodes, node->last_shape - 1)->next = count + 1;
	node->last_shape = count + 1;
	return 0;
}

static void need_frame(struct godot_scene_node *node, double frame)
{
	if (frame >= node->frames && frame < FRAMES_MAX)
		node->frames = (uint32_t)frame + 1;
}

static int need_frames(struct godot_writer *writer, struct godot_scene_node *node, const struct anim_track *t,
		       bool sprites, struct anim_error *error)
{
	const char *sheet;
	const uint32_t *turns = sprites ? godot_sprite_frames(t, &sheet, &writer->scratch, error) : NULL;

	if (sprites && turns == NULL)
		return -1;
	for (size_t k = 0; k < t->n; k++)
		if (sprites)
			need_frame(node, turns[k]);
		else if (t->type == ANIM_INT)
			need_frame(node, ((const int32_t *)t->value)[k]);
		else if (t->type == ANIM_FLOAT)
			need_frame(node, (double)((const float *)t->value)[k]);
	return 0;
}

/* What node `number` must have so that the track plays: a blend shape, frames. 0 or -1. */
static int writer_furnish(struct godot_writer *writer, uint32_t number, const struct anim_track *t,
			  const struct godot_plan *plan, struct anim_error *error)
{
	struct godot_scene_node *node = godot_nodes_at(&writer->nodes, number);
	const char *shape;

	if (strncmp(node->class, "MeshInstance", 12) == 0 && strncmp(t->property, SHAPE, sizeof SHAPE - 1) == 0) {
		shape = godot_written_shape(&writer->names, t, &writer->scratch, error);
		return shape == NULL ? -1 : need_shape(&writer->nodes, number, shape, error);
	}
	if (strncmp(node->class, "Sprite", 6) == 0 && (plan->sprite || strcmp(t->property, "frame") == 0))
		return need_frames(writer, node, t, plan->sprite, error);
	return 0;
}

static void print_mesh(struct godot_print *print, const struct godot_nodes *nodes, const struct godot_scene_node *node)
{
	bool old = godot_print_is_3(print);

	godot_print_text(print, "[sub_resource type=\"ArrayMesh\" id=");
	godot_print_sub_id(print, "ArrayMesh", node->mesh);
	godot_print_format(print, "]\n%s = %s%(", old ? "blend_shape/names" : "_blend_shape_names",
			   old ? "PoolStringArray" : "PackedStringArray");
	for (uint32_t i = node->first_shape; i != 0; i = shape_at(nodes, i - 1)->next)
		godot_print_format(print, i == node->first_shape ? "%Q" : ", %Q", shape_at(nodes, i - 1)->name);
	godot_print_format(print, "%)\n\n");
}

size_t godot_writer_count_meshes(struct godot_writer *writer, size_t animations)
{
	uint32_t first = godot_print_is_3(&writer->print) ? (uint32_t)animations : 0, count = 0;

	for (uint32_t i = 0; i < nodes_count(&writer->nodes); i++) {
		struct godot_scene_node *node = godot_nodes_at(&writer->nodes, i);

		if (node->first_shape != 0)
			node->mesh = first + ++count;
	}
	return count;
}

void godot_writer_meshes(struct godot_writer *writer)
{
	for (uint32_t i = 0; i < nodes_count(&writer->nodes); i++)
		if (godot_nodes_at(&writer->nodes, i)->mesh != 0)
			print_mesh(&writer->print, &writer->nodes, godot_nodes_at(&writer->nodes, i));
}

/* The properties of the node that name its mesh and its frames. */
static void writer_furniture(struct godot_print *print, const struct godot_scene_node *node)
{
	if (node->mesh != 0) {
		godot_print_text(print, "mesh = ");
		godot_print_sub(print, "ArrayMesh", node->mesh);
		godot_print_text(print, "\n");
	}
	if (node->frames > 1)
		godot_print_format(print, "hframes = %u\n", (size_t)node->frames);
}

/* --- AnimationPlayers: what they animate, their libraries, what plays at once --- */

/* The length of what two paths have in common, in whole names. */
static size_t common_length(const char *a, const char *b)
{
	size_t same = 0;

	for (size_t i = 0;; i++) {
		bool both_end = (a[i] == '\0' || a[i] == '/') && (b[i] == '\0' || b[i] == '/');

		if (both_end)
			same = i;
		if (a[i] != b[i] || a[i] == '\0')
			return same;
	}
}

/* The path of `to` seen from `from`, both of the scene ("" its root): "../A". In the arena; NULL out of memory. */
static const char *relative_path(const char *from, const char *to, struct anim_arena *arena, struct anim_error *error)
{
	size_t same = common_length(from, to), ups = 0, length;
	char *text, *at;

	from += same + (from[same] == '/');
	to += same + (to[same] == '/');
	for (size_t i = 0; from[i] != '\0'; i++)
		ups += i == 0 || from[i] == '/' ? 1u : 0u;
	length = strlen(to);
	text = at = anim_arena_alloc(arena, 3 * ups + length + 2, error);
	if (text == NULL)
		return NULL;
	for (size_t i = 0; i < ups; i++, at += 3)
		memcpy(at, "../", 3);
	memcpy(at, to, length + 1);
	if (length == 0 && at > text)
		at[-1] = '\0';
	return text[0] == '\0' ? "." : text;
}

static const char *scene_path(const char *path)
{
	return strcmp(path, ".") == 0 ? "" : path;
}

static int print_root(struct godot_writer *writer, const struct godot_written_clip *clip, struct anim_error *error)
{
	const char *path = relative_path(scene_path(clip->player), scene_path(clip->root), &writer->scratch, error);

	if (path == NULL)
		return -1;
	if (strcmp(path, "..") != 0)
		godot_print_format(&writer->print, "root_node = NodePath(%q)\n", path);
	return 0;
}

/* Full name of the clip that the player begins with. */
static void print_autoplay(struct godot_writer *writer, const struct godot_written_clip *clip, struct anim_error *error)
{
	const char *name = clip->library[0] == '\0'
			       ? clip->name
			       : anim_arena_printf(&writer->scratch, error, "%s/%s", clip->library, clip->name);

	if (name == NULL)
		writer->print.out.failed = true;
	else
		godot_print_format(&writer->print, "autoplay = %s%q\n",
				   writer->print.version == ANIM_GODOT_4_6 ? "&" : "", name);
}

/* A property named prefix + name, which may want quotes. */
static void print_named(struct godot_writer *writer, const char *prefix, const char *name, struct anim_error *error)
{
	const char *text = anim_arena_printf(&writer->scratch, error, "%s%s", prefix, name);

	if (text == NULL)
		writer->print.out.failed = true;
	else
		godot_print_property(&writer->print, text);
}

/* The clips of one player lie side by side in the order, and its libraries too. */
static void print_libraries(struct godot_writer *writer, const uint32_t *order, size_t from, size_t to, size_t library,
			    struct anim_error *error)
{
	struct godot_print *print = &writer->print;
	bool single = print->version == ANIM_GODOT_4_6;

	for (size_t i = from; i < to; i++) {
		const struct godot_written_clip *clip = godot_writer_clip(writer, order[i]);

		if (i > from && clip->library_number == godot_writer_clip(writer, order[i - 1])->library_number)
			continue;
		if (single)
			print_named(writer, "libraries/", clip->library, error);
		else
			godot_print_format(print, i > from ? ",\n%k: " : "libraries = {\n%k: ", clip->library);
		godot_print_sub(print, "AnimationLibrary", ++library);
		godot_print_text(print, single ? "\n" : "");
	}
	godot_print_text(print, single ? "" : "\n}\n");
}

/* Godot 3's players hold their clips themselves. */
static void print_own(struct godot_writer *writer, const uint32_t *order, size_t from, size_t to,
		      struct anim_error *error)
{
	for (size_t i = from; i < to; i++) {
		print_named(writer, "anims/", godot_writer_clip(writer, order[i])->name, error);
		godot_print_sub(&writer->print, "Animation", i + 1);
		godot_print_text(&writer->print, "\n");
	}
}

/* What the node of this path says where it is the player of clips. 0 or -1. */
static int writer_player(struct godot_writer *writer, const uint32_t *order, size_t count, const char *path,
			 struct anim_error *error)
{
	const struct godot_written_clip *autoplay = NULL;
	bool old = godot_print_is_3(&writer->print);
	size_t from, to, library;
	uint32_t player;

	if (!anim_map_get(&writer->groups, 0, path, strlen(path), &player))
		return 0;
	anim_arena_reset(&writer->scratch);
	from = writer->player_from[player];
	library = writer->player_library[player];
	for (to = from; to < count && strcmp(godot_writer_clip(writer, order[to])->player, path) == 0; to++)
		if (godot_writer_clip(writer, order[to])->autoplay)
			autoplay = godot_writer_clip(writer, order[to]);
	if (print_root(writer, godot_writer_clip(writer, order[from]), error) != 0)
		return -1;
	if (autoplay != NULL && old)
		print_autoplay(writer, autoplay, error);
	if (old)
		print_own(writer, order, from, to, error);
	else
		print_libraries(writer, order, from, to, library, error);
	if (autoplay != NULL && !old)
		print_autoplay(writer, autoplay, error);
	return writer->print.out.failed ? -1 : 0;
}

/* --- The nodes --- */

/* What a node must be for such a track. NULL: anything. */
static const char *class_for(const struct anim_track *t, const struct godot_plan *plan)
{
	if (plan->sprite || strcmp(t->property, "frame") == 0)
		return "Sprite2D";
	if (strncmp(t->property, "blend_shape/", 12) == 0)
		return "MeshInstance3D";
	if (plan->type == GODOT_TRACK_AUDIO)
		return "AudioStreamPlayer";
	if (plan->type == GODOT_TRACK_ANIMATION)
		return "AnimationPlayer";
	if (strcmp(t->property, "angle") == 0 || strcmp(t->property, "modulate") == 0 ||
	    (t->type == ANIM_FLOAT2 && (strcmp(t->property, "position") == 0 || strcmp(t->property, "scale") == 0)))
		return "Node2D";
	if (plan->type >= GODOT_TRACK_POSITION && plan->type <= GODOT_TRACK_TRANSFORM)
		return "Node3D";
	return NULL;
}

int godot_writer_need(struct godot_writer *writer, const struct anim_track *t, const struct godot_plan *plan,
		      struct anim_error *error)
{
	size_t clips = writer->clips.size / sizeof(struct godot_written_clip);
	const struct godot_written_clip *clip = godot_writer_clip(writer, clips - 1);
	const char *node = godot_written_track_node(&writer->names, t, &writer->scratch, error), *root = clip->root,
		   *path = NULL;
	struct anim_error trouble = {0};
	uint32_t number = GODOT_NO_PARENT;

	if (node == NULL)
		return -1;
	if (node[0] == '/') /* from the root of the running game, not of the scene */
		return 0;
	if (node[0] == '%')
		root = nodes_unique(&writer->nodes, root, &node, &writer->scratch, &trouble);
	if (root != NULL)
		path = anim_tree_path(root, node, &writer->scratch, &trouble);
	if (path != NULL)
		number = nodes_need(&writer->nodes, path, class_for(t, plan), &trouble);
	if (number != GODOT_NO_PARENT)
		writer_furnish(writer, number, t, plan, &trouble);
	if (trouble.code == ANIM_OK)
		return 0;
	*error = trouble;
	return -1;
}

static void print_name_value(struct godot_print *print, const char *name, const char *word, const float *numbers,
			     size_t count)
{
	godot_print_format(print, "%s = ", name);
	godot_print_reals(print, word, numbers, count);
	godot_print_text(print, "\n");
}

/* Numbers as text with a blank between them; what is not there stays. */
static void read_numbers(const char *text, float *numbers, size_t count)
{
	char copy[ANIM_NUMBER_MAX + 1 + ANIM_INPUT_SLACK];

	for (size_t i = 0; text != NULL && *text != '\0' && i < count; i++) {
		size_t length = strcspn(text, " ");

		memset(copy, 0, sizeof copy);
		if (length <= ANIM_NUMBER_MAX) {
			memcpy(copy, text, length);
			anim_number_float(copy, copy + length, &numbers[i]);
		}
		text += length + (text[length] == ' ');
	}
}

/* The twelve numbers of a Transform3D: rows of the basis, then the origin. */
static void print_transform(struct godot_print *print, const char *name, const float position[3],
			    const float rotation[4], const float scale[3])
{
	float m[16], numbers[12];

	anim_transform_compose(m, position, rotation, scale);
	for (int row = 0; row < 3; row++) {
		memcpy(numbers + 3 * row, m + 4 * row, 3 * sizeof *numbers);
		numbers[9 + row] = m[4 * row + 3];
	}
	print_name_value(print, name, godot_print_is_3(print) ? "Transform" : "Transform3D", numbers, 12);
}

static bool is_identity(const struct godot_scene_node *node)
{
	static const float none[] = {0, 0, 0}, turn[] = {0, 0, 0, 1}, one[] = {1, 1, 1};

	return memcmp(node->position, none, sizeof none) == 0 && memcmp(node->rotation, turn, sizeof turn) == 0 &&
	       memcmp(node->scale, one, sizeof one) == 0;
}

/* About z: half the angle's sine and cosine. */
static double angle_of(const float rotation[4])
{
	double q[4] = {(double)rotation[0], (double)rotation[1], (double)rotation[2], (double)rotation[3]}, angles[3];

	anim_euler_from_quat_double(angles, q, ANIM_EULER_YXZ);
	return angles[2];
}

static void print_flat(struct godot_print *print, const struct godot_scene_node *node)
{
	double angle = angle_of(node->rotation);
	float skew = 0;

	if (node->position[0] != 0 || node->position[1] != 0)
		print_name_value(print, "position", "Vector2", node->position, 2);
	if ((float)angle != 0)
		godot_print_format(print, "rotation = %f\n", angle);
	if (node->scale[0] != 1 || node->scale[1] != 1)
		print_name_value(print, "scale", "Vector2", node->scale, 2);
	read_numbers(node->skew, &skew, 1);
	if (skew != 0 && !godot_print_is_3(print))
		godot_print_format(print, "skew = %f\n", (double)skew);
}

static void print_placement(struct godot_print *print, const struct godot_scene_node *node)
{
	int order = anim_euler_order_find(node->order);

	if (node->has & ANIM_HAS_2D) {
		print_flat(print, node);
		return;
	}
	if (!is_identity(node))
		print_transform(print, "transform", node->position, node->rotation, node->scale);
	if (order >= 0 && order != ANIM_EULER_YXZ && !godot_print_is_3(print))
		godot_print_format(print, "rotation_order = %d\n", (int64_t)order);
}

/* Godot 4 keeps a pose in three parts; Godot 3's is relative to the rest, which is shown where it has none. */
static void print_pose(struct godot_print *print, const struct godot_scene_node *bone, const char *prefix)
{
	static const struct {
		const char *name, *word;
		size_t first, count;
	} parts[] = {{"position", "Vector3", 0, 3}, {"rotation", "Quaternion", 3, 4}, {"scale", "Vector3", 7, 3}};
	float pose[GODOT_POSE_COMPONENTS];

	memcpy(pose, bone->position, sizeof bone->position);
	memcpy(pose + 3, bone->rotation, sizeof bone->rotation);
	memcpy(pose + 7, bone->scale, sizeof bone->scale);
	read_numbers(bone->pose, pose, GODOT_POSE_COMPONENTS);
	for (size_t i = 0; i < ANIM_COUNT(parts); i++) {
		godot_print_text(print, prefix);
		print_name_value(print, parts[i].name, parts[i].word, pose + parts[i].first, parts[i].count);
	}
}

static void print_bone(struct godot_print *print, const struct godot_scene_node *bone)
{
	char prefix[sizeof "bones//" + ANIM_NUMBER_MAX];

	snprintf(prefix, sizeof prefix, "bones/%u/", (unsigned)bone->bone_index);
	godot_print_format(print, "%sname = %Q\n%sparent = %d\n%s", prefix, bone->name, prefix,
			   bone->bone_parent == GODOT_NO_PARENT ? INT64_C(-1) : (int64_t)bone->bone_parent, prefix);
	print_transform(print, "rest", bone->position, bone->rotation, bone->scale);
	godot_print_format(print, "%senabled = %s\n", prefix, bone->disabled ? "false" : "true");
	if (!godot_print_is_3(print))
		print_pose(print, bone, prefix);
}

static void print_node_tag(struct godot_writer *writer, const struct godot_scene_node *node)
{
	const char *root =
	    writer->nodes.root_name == NULL || writer->nodes.root_name[0] == '\0' ? "Root" : writer->nodes.root_name;

	if (node->parent == GODOT_NO_PARENT)
		godot_print_format(&writer->print, "[node name=%q type=%q]\n", root, node->class);
	else
		godot_print_format(&writer->print, "[node name=%q type=%q parent=%q]\n", node->name, node->class,
				   godot_nodes_at(&writer->nodes, node->parent)->path);
}

/* The first bone of each node, and of each bone the next of its skeleton: number + 1, 0: none. NULL out of memory. */
struct bone_links {
	uint32_t *first, *last, *next;
};

static int link_bones(struct godot_writer *writer, struct bone_links *links, struct anim_error *error)
{
	size_t count = nodes_count(&writer->nodes);
	struct anim_arena *arena = &writer->kept;

	links->first = anim_arena_zeroed(arena, count, sizeof *links->first, error);
	links->last = anim_arena_zeroed(arena, count, sizeof *links->last, error);
	links->next = anim_arena_zeroed(arena, count, sizeof *links->next, error);
	if (links->first == NULL || links->last == NULL || links->next == NULL)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		const struct godot_scene_node *bone = godot_nodes_at(&writer->nodes, i);
		uint32_t skeleton = bone->parent;

		if (!bone->bone)
			continue;
		if (links->first[skeleton] == 0)
			links->first[skeleton] = i + 1;
		else
			links->next[links->last[skeleton] - 1] = i + 1;
		links->last[skeleton] = i + 1;
	}
	return 0;
}

/* Bones without parents are not where the clip has them, unless there is but one. */
static int tell_orphans(struct godot_writer *writer, const struct bone_links *links, uint32_t skeleton,
			struct anim_error *error)
{
	unsigned orphans = 0;

	for (uint32_t bone = links->first[skeleton]; bone != 0; bone = links->next[bone - 1])
		orphans += godot_nodes_at(&writer->nodes, bone - 1)->orphan;
	if (orphans < 2)
		return 0;
	return anim_diagnostics_add(
	    writer->options.diagnostics, ANIM_WARNING, NULL, "skeletons have bones without parents", error,
	    "%u bones of '%s' have no parents, which no tree tells; a .tres plays on the character's own", orphans,
	    godot_nodes_at(&writer->nodes, skeleton)->path);
}

/*
 * Players are named by their nodes, so that these must be there before the first is written. Godot 3's AnimationTrees
 * hold no clips.
 */
static int need_players(struct godot_writer *writer, size_t count, struct anim_error *error)
{
	for (size_t i = 0; i < count; i++) {
		struct anim_error trouble = {0};
		uint32_t number =
		    nodes_need(&writer->nodes, godot_writer_clip(writer, i)->player, "AnimationPlayer", &trouble);

		if (trouble.code != ANIM_OK) {
			*error = trouble;
			return -1;
		}
		if (godot_print_is_3(&writer->print) && number != GODOT_NO_PARENT &&
		    strcmp(godot_nodes_at(&writer->nodes, number)->class, "AnimationTree") == 0)
			godot_nodes_at(&writer->nodes, number)->class = "AnimationPlayer";
	}
	return 0;
}

int godot_writer_nodes(struct godot_writer *writer, const uint32_t *order, size_t count, struct anim_error *error)
{
	struct bone_links links;

	if (need_players(writer, count, error) != 0 || link_bones(writer, &links, error) != 0)
		return -1;
	for (uint32_t i = 0; i < nodes_count(&writer->nodes); i++) {
		const struct godot_scene_node *node = godot_nodes_at(&writer->nodes, i);

		if (node->bone)
			continue;
		if (tell_orphans(writer, &links, i, error) != 0)
			return -1;
		godot_print_text(&writer->print, i > 0 ? "\n" : "");
		print_node_tag(writer, node);
		if (node->unique)
			godot_print_text(&writer->print, "unique_name_in_owner = true\n");
		print_placement(&writer->print, node);
		writer_furniture(&writer->print, node);
		for (uint32_t bone = links.first[i]; bone != 0; bone = links.next[bone - 1])
			print_bone(&writer->print, godot_nodes_at(&writer->nodes, bone - 1));
		if (writer_player(writer, order, count, node->path, error) != 0)
			return -1;
	}
	return writer->print.out.failed ? -1 : 0;
}
