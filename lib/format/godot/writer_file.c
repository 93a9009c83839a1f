/* writer_file.c: the text of a .tres or .tscn: the list of nodes, the order of clips, resources and players. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "format/godot/scene.h"
#include "format/godot/writer.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* ---- The class of a node that does not occur in a scene: a class with the properties of its tracks ---- */

#define NODE                                                                                                      \
	"process_mode process_priority process_physics_priority process_thread_group process_thread_group_order " \
	"process_thread_messages physics_interpolation_mode auto_translate_mode editor_description "              \
	"unique_name_in_owner "                                                                                   \
	"name owner script metadata/ "
#define PLACED                                                                                                  \
	"position rotation rotation_degrees scale transform visible top_level global_position global_rotation " \
	"global_rotation_degrees "
#define SPACE       \
	NODE PLACED \
	    "quaternion basis global_transform global_basis rotation_edit_mode rotation_order visibility_parent "
#define CANVAS                                                                                                      \
	NODE "visible top_level modulate self_modulate show_behind_parent light_mask material use_parent_material " \
	     "visibility_layer clip_children texture_filter texture_repeat z_index z_as_relative y_sort_enabled "
#define FLAT CANVAS PLACED "skew global_scale global_skew global_transform "
#define CONTROL                                                                                                       \
	CANVAS "position rotation rotation_degrees scale size global_position pivot_offset custom_minimum_size "      \
	       "anchor_left anchor_top anchor_right anchor_bottom offset_left offset_top offset_right offset_bottom " \
	       "clip_contents "                                                                                       \
	       "theme_override_colors/ theme_override_constants/ theme_override_font_sizes/ theme_override_styles/ "
#define SPRITE "texture offset centered flip_h flip_v frame frame_coords hframes vframes region_rect region_enabled "
#define SHAPE_3D SPACE "layers material_override material_overlay transparency cast_shadow "
#define SPRITE_3D SHAPE_3D "modulate pixel_size axis billboard texture_filter "
#define FRAMES "animation frame frame_progress speed_scale flip_h flip_v offset centered "
#define LIGHT                                                                                                 \
	SPACE "layers light_color light_energy light_indirect_energy light_volumetric_fog_energy light_size " \
	      "light_specular shadow_enabled shadow_bias shadow_blur shadow_opacity "
#define AUDIO "@audio stream playing volume_db volume_linear pitch_scale stream_paused bus "
#define FOLLOWS "progress progress_ratio h_offset v_offset "
#define PARTICLES "emitting amount amount_ratio lifetime speed_scale explosiveness randomness process_material "

enum godot_space { IN_NO_SPACE, IN_PLANE, IN_SPACE };

/*
 * Classes of Godot 4 and their properties, more likely classes first. The first two rows are complete. Types of tracks
 * begin with "@". A word that ends with '/' is a prefix of properties.
 */
static const struct {
	const char *class;
	enum godot_space space;
	const char *properties;
} classes[] = {
    {"Node3D", IN_SPACE, SPACE},
    {"Node2D", IN_PLANE, FLAT},
    {"Sprite2D", IN_PLANE, FLAT SPRITE},
    {"Sprite3D", IN_SPACE, SPRITE_3D SPRITE},
    {"MeshInstance3D", IN_SPACE, SHAPE_3D "blend_shapes/ mesh surface_material_override/"},
    {"OmniLight3D", IN_SPACE, LIGHT "omni_range omni_attenuation"},
    {"SpotLight3D", IN_SPACE, LIGHT "spot_range spot_attenuation spot_angle spot_angle_attenuation"},
    {"DirectionalLight3D", IN_SPACE, LIGHT "directional_shadow_max_distance"},
    {"PointLight2D", IN_PLANE, FLAT "energy color texture texture_scale offset height enabled shadow_enabled"},
    {"Camera3D", IN_SPACE, SPACE "fov near far size h_offset v_offset frustum_offset current"},
    {"Camera2D", IN_PLANE, FLAT "zoom offset enabled"},
    {"Control", IN_PLANE, CONTROL},
    {"Label", IN_PLANE, CONTROL "text visible_ratio visible_characters lines_skipped max_lines_visible"},
    {"AnimatedSprite2D", IN_PLANE, FLAT FRAMES},
    {"AnimatedSprite3D", IN_SPACE, SPRITE_3D FRAMES},
    {"PathFollow3D", IN_SPACE, SPACE FOLLOWS},
    {"PathFollow2D", IN_PLANE, FLAT FOLLOWS},
    {"GPUParticles3D", IN_SPACE, SHAPE_3D PARTICLES},
    {"GPUParticles2D", IN_PLANE, FLAT PARTICLES "texture"},
    {"AudioStreamPlayer", IN_NO_SPACE, NODE AUDIO},
    {"AudioStreamPlayer3D", IN_SPACE, SPACE AUDIO "unit_size max_distance"},
    {"AudioStreamPlayer2D", IN_PLANE, FLAT AUDIO "max_distance attenuation"},
    {"AnimationPlayer", IN_NO_SPACE, NODE "@animation current_animation speed_scale"},
    {"Skeleton3D", IN_SPACE, SPACE "motion_scale"},
};

_Static_assert(ANIM_COUNT(classes) < 32, "a set of classes is a number of 32 bits");
#define ALL_CLASSES ((1u << ANIM_COUNT(classes)) - 1)

/* Return the set of classes that have the property; all classes for NULL. */
static uint32_t classes_with(const char *property)
{
	uint32_t set = 0;

	for (size_t i = 0; i < ANIM_COUNT(classes); i++)
		if (property == NULL || anim_text_is_word(classes[i].properties, property))
			set |= 1u << i;
	return set;
}

static uint32_t classes_in(enum godot_space space)
{
	uint32_t set = 0;

	for (size_t i = 0; i < ANIM_COUNT(classes); i++)
		set |= classes[i].space == space ? 1u << i : 0;
	return set;
}

/*
 * Return the set of classes that a guessed class of Godot 4 may still become: Node3D and Node2D any class of their
 * space, an OmniLight3D also a SpotLight3D. Returns 0 if the class is final.
 */
static uint32_t classes_like(const char *class)
{
	uint32_t set = 0;

	if (strcmp(class, "Node3D") == 0 || strcmp(class, "Node2D") == 0)
		return classes_in(class[4] == '3' ? IN_SPACE : IN_PLANE);
	for (size_t i = 0; i < ANIM_COUNT(classes); i++)
		if (strcmp(classes[i].class, class) == 0)
			set = 1u << i;
	return strcmp(class, "OmniLight3D") == 0 ? set | classes_like("SpotLight3D") : set;
}

/* ---- The list of nodes ---- */

void godot_nodes_clear(struct godot_nodes *nodes)
{
	anim_buffer_clear(&nodes->items);
	anim_map_clear(&nodes->by_path);
	anim_map_clear(&nodes->by_unique);
	anim_arena_clear(&nodes->arena);
	anim_buffer_clear(&nodes->came);
	anim_buffer_clear(&nodes->shapes);
	anim_map_clear(&nodes->by_shape);
}

uint32_t godot_nodes_find(const struct godot_nodes *nodes, const char *path)
{
	uint32_t number;

	return anim_map_get(&nodes->by_path, 0, path, strlen(path), &number) ? number : GODOT_NO_PARENT;
}

/* Append a node. Its path must be new. Returns its number, or GODOT_NO_PARENT if out of memory. */
static uint32_t append(struct godot_nodes *nodes, const char *path, uint32_t parent, struct anim_error *error)
{
	struct godot_scene_node node = {.parent = parent, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	uint32_t number = (uint32_t)godot_nodes_count(nodes);
	const char *colon, *slash;

	node.path = anim_arena_text(&nodes->arena, path, strlen(path), error);
	if (node.path == NULL)
		return GODOT_NO_PARENT;
	colon = strchr(node.path, ':');
	slash = strrchr(node.path, '/');
	node.name = colon != NULL ? colon + 1 : slash != NULL ? slash + 1 : node.path;
	node.class = nodes->godot3 ? "Spatial" : "Node3D";
	node.classes = ALL_CLASSES;
	node.bone = colon != NULL;
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
	node->class = anim_godot_class(nodes->godot3, class);
	node->classes = source == GODOT_CLASS_KNOWN ? 0 : classes_like(class);
	node->source = source;
}

/* Return the class in Godot for a node of another engine. */
static const char *class_of(const struct anim_node *node)
{
	bool flat = (node->has & ANIM_HAS_2D) != 0;

	if (strcmp(node->type, "SpriteRenderer") == 0)
		return flat ? "Sprite2D" : "Sprite3D";
	switch (node->kind) {
	case ANIM_NODE_CAMERA:
		return flat ? "Camera2D" : "Camera3D";
	case ANIM_NODE_LIGHT:
		if (!flat && anim_text_is_word("SpotLight DirectionalLight", node->type))
			return anim_godot_class(false, node->type);
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

/* Read numbers separated by blanks, the format of attributes. Missing numbers are unchanged. */
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

static int keep(struct godot_nodes *nodes, const struct anim_node *from, const char *key, const char **out,
		struct anim_error *error)
{
	*out = anim_attrs_get(&from->attrs, key);
	return *out == NULL ? 0 : anim_text_keep(out, &nodes->arena, error);
}

/* Register the node as %name. If several nodes have the same name, %name refers to the first. */
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

/* A NODE of the current tree. */
struct came_node {
	uint32_t number;
	const char *path; /* in its tree */
};

static int fill(struct godot_nodes *nodes, uint32_t number, const struct godot_names *names,
		const struct anim_node *from, struct anim_error *error)
{
	struct godot_scene_node *node = godot_nodes_at(nodes, number);
	bool unknown = !names->from_godot || from->type[0] == '\0';
	bool named = anim_text_is_word("Skeleton3D BoneAttachment3D", from->type);
	bool is_rect = unknown && !nodes->godot3 && anim_attrs_get(&from->attrs, ANIM_ATTR_RECT) != NULL;
	const char *class = is_rect             ? "Control"
			    : unknown && !named ? class_of(from)
						: anim_arena_text(&nodes->arena, from->type, strlen(from->type), error);
	float scale = 0;

	if (class == NULL)
		return -1;
	if (unknown && names->from_godot && from->has == 0)
		node->class = "Node";
	else
		set_class(nodes, number, class, unknown && !named ? source_of(class) : GODOT_CLASS_KNOWN);
	node->has = from->has;
	memcpy(node->position, from->position, sizeof node->position);
	memcpy(node->rotation, from->rotation, sizeof node->rotation);
	memcpy(node->scale, from->scale, sizeof node->scale);
	read_numbers(anim_attrs_get(&from->attrs, "godot.motion_scale"), &scale, 1);
	node->motion_scale = scale > 0 && scale <= FLT_MAX ? scale : 0;
	node->disabled = anim_attrs_get(&from->attrs, "godot.enabled") != NULL;
	if (anim_attrs_get(&from->attrs, "godot.unique_name") != NULL && set_unique(nodes, number, error) != 0)
		return -1;
	if (keep(nodes, from, "godot.pose", &node->pose, error) != 0 ||
	    keep(nodes, from, "godot.skew", &node->skew, error) != 0 ||
	    (is_rect && keep(nodes, from, ANIM_ATTR_RECT, &node->rect, error) != 0) ||
	    keep(nodes, from, "godot.bone", &node->attached, error) != 0)
		return -1;
	return keep(nodes, from, "rotation_order", &node->order, error);
}

/* Add a bone. Its parent node is its skeleton, even if it is below other bones. */
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

int godot_nodes_add(struct godot_nodes *nodes, const struct godot_names *names, const struct anim_node *from,
		    const char **written, struct anim_error *error)
{
	const struct came_node *above = from->parent < nodes->came.size / sizeof *above
					    ? (const struct came_node *)(const void *)nodes->came.data + from->parent
					    : NULL;
	uint32_t parent = above == NULL ? GODOT_NO_PARENT : above->number;
	const char *name = above == NULL ? NULL : anim_node_bone(from->path, above->path),
		   *path = godot_written_node(names, from->path, name, &nodes->arena, error);
	struct came_node came = {.path = anim_arena_text(&nodes->arena, from->path, strlen(from->path), error)};
	bool bone;

	if (path == NULL || came.path == NULL)
		return -1;
	*written = path;
	bone = strchr(path, ':') != NULL && parent != GODOT_NO_PARENT;
	while (!bone && parent != GODOT_NO_PARENT && godot_nodes_at(nodes, parent)->bone) /* an attachment */
		parent = godot_nodes_at(nodes, parent)->parent;
	came.number = godot_nodes_find(nodes, path);
	if (came.number == GODOT_NO_PARENT) {
		came.number = bone ? add_bone(nodes, path, parent, error) : append(nodes, path, parent, error);
		if (came.number == GODOT_NO_PARENT || fill(nodes, came.number, names, from, error) != 0)
			return -1;
	}
	return anim_buffer_append(&nodes->came, &came, sizeof came, error);
}

/* Deeper nodes are not created: no scene has them, and each costs the memory of its complete path. */
#define DEPTH_MAX 256u

/* Return the node of the first `length` bytes of the path, below `parent`. It is created if necessary. */
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

bool godot_nodes_can_be(const char *path)
{
	unsigned depth = 0;

	for (const char *at = path; *at != '\0'; at++)
		depth += *at == '/';
	return path[0] != '\0' && path[0] != '/' && strncmp(path, "..", 2) != 0 && strchr(path, '%') == NULL &&
	       depth < DEPTH_MAX;
}

/*
 * Return the node with this path, which may be a bone. It is created with its ancestors if necessary. The class is the
 * one that its tracks need, or NULL. Returns its number, or GODOT_NO_PARENT if the path leaves the scene or if out of
 * memory (then the error is set).
 */
static uint32_t nodes_need(struct godot_nodes *nodes, const char *path, const char *class, struct anim_error *error)
{
	uint32_t number;

	if (godot_nodes_count(nodes) == 0 && append(nodes, ".", GODOT_NO_PARENT, error) == GODOT_NO_PARENT)
		return GODOT_NO_PARENT;
	if (!godot_nodes_can_be(path))
		return GODOT_NO_PARENT;
	number = godot_nodes_find(nodes, path);
	if (number == GODOT_NO_PARENT) {
		const char *colon = strchr(path, ':'), *slash = path;
		size_t end = colon != NULL ? (size_t)(colon - path) : strlen(path);

		number = 0;
		while (number != GODOT_NO_PARENT &&
		       (slash = memchr(slash, '/', end - (size_t)(slash - path))) != NULL) {
			number = need_part(nodes, path, (size_t)(slash - path), number, error);
			slash++;
		}
		if (number != GODOT_NO_PARENT && end > 0 && !(end == 1 && path[0] == '.'))
			number = need_part(nodes, path, end, number, error);
		if (number != GODOT_NO_PARENT && colon != NULL)
			number = need_part(nodes, path, strlen(path), number, error);
	}
	if (number != GODOT_NO_PARENT && class != NULL && !godot_nodes_at(nodes, number)->bone)
		set_class(nodes, number, class, source_of(class));
	return number;
}

/*
 * Resolve a path that begins with %Name. Returns the path of the node with that name, and *path becomes the rest,
 * relative to it. If the node does not exist, it is created below `root`. Returns NULL on failure.
 */
static const char *nodes_unique(struct godot_nodes *nodes, const char *root, const char **path,
				struct anim_arena *arena, struct anim_error *error)
{
	size_t length = strcspn(*path, "/:");
	const char *name = length < 2 ? NULL : anim_arena_text(arena, *path + 1, length - 1, error), *made, *rest;
	uint32_t number;

	if (name == NULL)
		return NULL;
	if (!anim_map_get(&nodes->by_unique, 0, name, length - 1, &number)) {
		made = anim_tree_path(root, name, arena, error);
		number = made == NULL ? GODOT_NO_PARENT : nodes_need(nodes, made, NULL, error);
		if (number == GODOT_NO_PARENT || set_unique(nodes, number, error) != 0)
			return NULL;
	}
	rest = anim_arena_printf(arena, error, ".%s", *path + length);
	if (rest == NULL)
		return NULL;
	*path = rest;
	return godot_nodes_at(nodes, number)->path;
}

/* ---- Requirements of a track for its node: a class, blend shapes, frames ---- */

/*
 * Return the property of the track without parts, with its name in Godot 4. Returns NULL if every node may have it, or
 * if out of memory, with *failed set.
 */
static const char *property_of(struct godot_writer *writer, const struct anim_track *t, const struct godot_plan *plan,
			       bool *failed)
{
	struct godot_names names = writer->names;
	const char *path, *copy;
	size_t length;

	if (plan->type == GODOT_TRACK_BLEND_SHAPE)
		return "blend_shapes/";
	if (plan->type == GODOT_TRACK_AUDIO || plan->type == GODOT_TRACK_ANIMATION)
		return plan->type == GODOT_TRACK_AUDIO ? "@audio" : "@animation";
	if (plan->type != GODOT_TRACK_VALUE && plan->type != GODOT_TRACK_BEZIER)
		return NULL;
	names.godot3 = names.keep = false;
	path = godot_written_property(&names, t, &writer->scratch, writer->error);
	length = path == NULL ? 0 : strcspn(path, ":/");
	copy = path == NULL ? NULL
			    : anim_arena_text(&writer->scratch, path, length + (path[length] == '/'), writer->error);
	*failed = copy == NULL;
	return copy == NULL || *copy == '\0' ? NULL : copy;
}

/*
 * Choose a class for the node on which the track plays, if no scene determines the class and the other tracks of the
 * node allow it. Otherwise warns. Returns 0 or -1.
 */
static int choose_class(struct godot_writer *writer, uint32_t number, const struct anim_track *t,
			const struct godot_plan *plan)
{
	struct godot_scene_node *node = godot_nodes_at(&writer->nodes, number);
	bool failed = false, plain;
	const char *property = property_of(writer, t, plan, &failed);
	uint32_t having = classes_with(property), fitting = node->classes & having;
	char label[GODOT_LABEL_MAX];

	/* The values of the track determine the space of the node. */
	if (strcmp(t->property, "angle") == 0 || (t->component != ANIM_WHOLE && strcmp(t->property, "size") == 0) ||
	    (t->type == ANIM_FLOAT2 && anim_text_is_word("position scale size", t->property)))
		fitting &= classes_in(IN_PLANE);
	else if (godot_is_of_space(t) || (plan->type >= GODOT_TRACK_POSITION && plan->type <= GODOT_TRACK_TRANSFORM))
		fitting &= classes_in(IN_SPACE);
	/* Every canvas item has this property, but in Unity it is the colour of a sprite. */
	if (writer->names.from_unity && property != NULL && strcmp(property, "self_modulate") == 0)
		fitting &= classes_with("flip_h");
	if (failed)
		return -1;
	if (node->bone || node->classes == 0 || godot_is_foreign(&writer->names, t))
		return 0;
	if (fitting != 0 && fitting != node->classes) {
		size_t likely = 0;

		while (!(fitting >> likely & 1))
			likely++;
		node->class = anim_godot_class(writer->nodes.godot3, classes[likely].class);
		node->classes = fitting;
	}
	plain = (node->classes & 3u) != 0; /* it has a class whose row is complete */
	if (fitting != 0 || property == NULL || (having == 0 && !plain))
		return 0;
	anim_track_label(t, label, sizeof label);
	return godot_writer_warn(
	    writer, "track", "'%s' (class %s has no property '%s'): not played, because the class lacks the property",
	    label, node->class, property);
}

/* Add the blend shape or the frames that the node needs to play the track. Returns 0 or -1. */
static int add_requirements(struct godot_writer *writer, uint32_t number, const struct anim_track *t,
			    struct anim_error *error)
{
	struct godot_nodes *nodes = &writer->nodes;
	struct godot_scene_node *node = godot_nodes_at(nodes, number);

	if (strncmp(node->class, "MeshInstance", 12) == 0 && strncmp(t->property, "blend_shape/", 12) == 0) {
		const char *name = godot_written_shape(&writer->names, t, &writer->scratch, error);
		uint32_t count = (uint32_t)(nodes->shapes.size / sizeof(struct godot_shape)), known;
		struct godot_shape shape = {0};

		if (name == NULL)
			return -1;
		if (anim_map_get(&nodes->by_shape, number, name, strlen(name), &known))
			return 0;
		shape.name = anim_arena_text(&nodes->arena, name, strlen(name), error);
		if (shape.name == NULL ||
		    anim_map_put(&nodes->by_shape, number, shape.name, strlen(name), count, error) != 0 ||
		    anim_buffer_append(&nodes->shapes, &shape, sizeof shape, error) != 0)
			return -1;
		if (node->first_shape == 0)
			node->first_shape = count + 1;
		else
			godot_shape_at(nodes, node->last_shape - 1)->next = count + 1;
		node->last_shape = count + 1;
	} else if (strncmp(node->class, "Sprite", 6) == 0 && strcmp(t->property, "frame") == 0) {
		for (size_t k = 0; k < t->n; k++) {
			double frame = -1;

			if (t->type == ANIM_INT)
				frame = ((const int32_t *)t->value)[k];
			else if (t->type == ANIM_FLOAT)
				frame = (double)((const float *)t->value)[k];
			if (frame >= node->frames && frame < GODOT_FRAMES_MAX)
				node->frames = (uint32_t)frame + 1;
		}
	}
	return 0;
}

int godot_writer_need(struct godot_writer *writer, const struct anim_track *t, const struct godot_plan *plan)
{
	size_t clips = writer->clips.size / sizeof(struct godot_written_clip);
	const struct godot_written_clip *clip = godot_writer_clip(writer, clips - 1);
	const char *node = godot_written_track_node(&writer->names, t, &writer->scratch, writer->error),
		   *root = clip->root, *path = NULL;
	struct anim_error trouble = {0};
	uint32_t number = GODOT_NO_PARENT;

	if (node == NULL)
		return -1;
	if (node[0] == '/') /* such a path begins at the root of the running game, not of the scene */
		return 0;
	if (node[0] == '%')
		root = nodes_unique(&writer->nodes, root, &node, &writer->scratch, &trouble);
	if (root != NULL)
		path = anim_tree_path(root, node, &writer->scratch, &trouble);
	if (path != NULL)
		number = nodes_need(&writer->nodes, path, NULL, &trouble);
	if (number != GODOT_NO_PARENT && choose_class(writer, number, t, plan) != 0)
		return -1;
	if (number != GODOT_NO_PARENT)
		add_requirements(writer, number, t, &trouble);
	if (trouble.code == ANIM_OK)
		return 0;
	*writer->error = trouble;
	return -1;
}

/* ---- The order in which clips are written ---- */

/* Compare by bytes, but numbers in the names by their value: walk2 before walk10. */
static int compare_names(const char *a, const char *b)
{
	while (*a != '\0' && *b != '\0') {
		if (godot_is_digit(*a) && godot_is_digit(*b)) {
			size_t x, y;
			int order;

			a += strspn(a, "0");
			b += strspn(b, "0");
			x = strspn(a, "0123456789");
			y = strspn(b, "0123456789");
			order = x != y ? (x < y ? -1 : 1) : memcmp(a, b, x);
			if (order != 0)
				return order;
			a += x;
			b += y;
		} else if (*a != *b) {
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	return (*a != '\0') - (*b != '\0');
}

static int compare_clips(const struct godot_written_clip *a, const struct godot_written_clip *b)
{
	if (a->player_number != b->player_number)
		return a->player_number < b->player_number ? -1 : 1;
	if (a->library_number != b->library_number)
		return a->library_number < b->library_number ? -1 : 1;
	return a->names.from_godot && b->names.from_godot ? 0 : compare_names(a->name, b->name);
}

/* Merge two sorted halves, keeping equal clips in order. The time is n log n for every input. */
static void merge(const struct godot_writer *writer, uint32_t *numbers, uint32_t *spare, size_t count)
{
	size_t half = count / 2, i = 0, j = half;

	if (count < 2)
		return;
	merge(writer, numbers, spare, half);
	merge(writer, numbers + half, spare, count - half);
	memcpy(spare, numbers, count * sizeof *numbers);
	for (size_t k = 0; k < count; k++) {
		bool second = i == half || (j < count && compare_clips(godot_writer_clip(writer, spare[j]),
								       godot_writer_clip(writer, spare[i])) < 0);

		numbers[k] = second ? spare[j++] : spare[i++];
	}
}

/*
 * Return the order in which clips are written: by player and library; within a library, Godot clips in their original
 * order, others by name as in Godot. The result is `count` numbers of clips in the arena, or NULL if out of memory.
 * Also find the first clip of each player in the order, and the number of libraries before it.
 */
static uint32_t *find_order(struct godot_writer *writer, size_t *count)
{
	size_t n = writer->clips.size / sizeof(struct godot_written_clip);
	struct anim_arena *arena = &writer->kept;
	uint32_t *order = anim_arena_zeroed(arena, n, sizeof *order, writer->error);
	uint32_t *spare = anim_arena_zeroed(arena, n, sizeof *spare, writer->error), library = 0;

	*count = n;
	if (order == NULL || spare == NULL)
		return NULL;
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	merge(writer, order, spare, n);
	writer->player_from = anim_arena_zeroed(arena, writer->players + 1, sizeof(uint32_t), writer->error);
	writer->player_library = anim_arena_zeroed(arena, writer->players + 1, sizeof(uint32_t), writer->error);
	if (writer->player_from == NULL || writer->player_library == NULL)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const struct godot_written_clip *clip = godot_writer_clip(writer, order[i]);
		const struct godot_written_clip *before = i == 0 ? NULL : godot_writer_clip(writer, order[i - 1]);

		if (before == NULL || before->player_number != clip->player_number) {
			writer->player_from[clip->player_number] = (uint32_t)i;
			writer->player_library[clip->player_number] = library;
		}
		library += before == NULL || before->library_number != clip->library_number;
	}
	return order;
}

/* ---- AnimationPlayers: the animated node, libraries, autoplay ---- */

/*
 * Return the path of `to` seen from `from`, both in the scene ("" is its root): "../A". It is in the arena; NULL if out
 * of memory.
 */
static const char *relative_path(const char *from, const char *to, struct anim_arena *arena, struct anim_error *error)
{
	size_t same = 0, ups = 0, length;
	char *text, *at;

	/* Skip the common part of the paths, in complete names. */
	for (size_t i = 0;; i++) {
		if ((from[i] == '\0' || from[i] == '/') && (to[i] == '\0' || to[i] == '/'))
			same = i;
		if (from[i] != to[i] || from[i] == '\0')
			break;
	}
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

/* Print the properties of a player if the node with this path is one. Returns 0 or -1. */
static int writer_player(struct godot_writer *writer, const uint32_t *order, size_t count, const char *path)
{
	const struct godot_written_clip *autoplay = NULL;
	struct godot_print *print = &writer->print;
	bool old = godot_print_is_3(print), single = print->version == ANIM_GODOT_4_6;
	size_t from, to, library;
	uint32_t player;
	const char *root;

	if (!anim_map_get(&writer->groups, 0, path, strlen(path), &player))
		return 0;
	anim_arena_reset(&writer->scratch);
	from = writer->player_from[player];
	library = writer->player_library[player];
	for (to = from; to < count && strcmp(godot_writer_clip(writer, order[to])->player, path) == 0; to++)
		if (godot_writer_clip(writer, order[to])->autoplay)
			autoplay = godot_writer_clip(writer, order[to]);
	root = relative_path(scene_path(path), scene_path(godot_writer_clip(writer, order[from])->root),
			     &writer->scratch, writer->error);
	if (root == NULL)
		return -1;
	if (strcmp(root, "..") != 0)
		godot_print_format(print, "root_node = NodePath(%q)\n", root);

	/* The clips and libraries of a player are consecutive in the order. */
	for (size_t i = from; i < to && !old; i++) {
		const struct godot_written_clip *clip = godot_writer_clip(writer, order[i]);

		if (i > from && clip->library_number == godot_writer_clip(writer, order[i - 1])->library_number)
			continue;
		if (single)
			godot_writer_named(writer, "libraries/", clip->library);
		else
			godot_print_format(print, i > from ? ",\n%k: " : "libraries = {\n%k: ", clip->library);
		godot_print_sub(print, "AnimationLibrary", ++library);
		godot_print_text(print, single ? "\n" : "");
	}
	if (!old && !single)
		godot_print_text(print, "\n}\n");
	if (autoplay != NULL) {
		const char *name = godot_full_name(autoplay->library, autoplay->name, &writer->scratch, writer->error);

		if (name == NULL)
			print->out.failed = true;
		else
			godot_print_format(print, "autoplay = %s%q\n", single ? "&" : "", name);
	}
	for (size_t i = from; i < to && old; i++) {
		godot_writer_own(writer, order[i], i + 1);
		godot_print_text(print, "\n");
	}
	return print->out.failed ? -1 : 0;
}

/* ---- The nodes ---- */

static void print_name_value(struct godot_print *print, const char *name, const char *word, const float *numbers,
			     size_t count)
{
	godot_print_format(print, "%s = ", name);
	godot_print_reals(print, word, numbers, count);
	godot_print_text(print, "\n");
}

/* Print the twelve numbers of a Transform3D: the rows of the basis, then the origin. */
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

/* Print the transform of a 2-D node. */
static void print_flat(struct godot_print *print, const struct godot_scene_node *node)
{
	const float *r = node->rotation;
	double q[4] = {(double)r[0], (double)r[1], (double)r[2], (double)r[3]}, angles[3];
	float skew = 0;

	anim_euler_from_quat_double(angles, q, ANIM_EULER_YXZ);
	if (node->position[0] != 0 || node->position[1] != 0)
		print_name_value(print, "position", "Vector2", node->position, 2);
	if ((float)angles[2] != 0)
		godot_print_format(print, "rotation = %f\n", angles[2]);
	if (node->scale[0] != 1 || node->scale[1] != 1)
		print_name_value(print, "scale", "Vector2", node->scale, 2);
	read_numbers(node->skew, &skew, 1);
	if (skew != 0 && !godot_print_is_3(print))
		godot_print_format(print, "skew = %f\n", (double)skew);
	if (strcmp(node->class, "Bone2D") == 0) {
		/* The engine cannot invert the rest pose of zeros that a Bone2D has by default. */
		double y_angle = angles[2] + (double)skew, x = (double)node->scale[0], y = (double)node->scale[1];
		const float rest[6] = {(float)(anim_cos(angles[2]) * x),
				       (float)(anim_sin(angles[2]) * x),
				       (float)(-anim_sin(y_angle) * y),
				       (float)(anim_cos(y_angle) * y),
				       node->position[0],
				       node->position[1]};

		print_name_value(print, "rest", "Transform2D", rest, 6);
	}
}

/*
 * Print the rectangle of a Control that was a RectTransform, see filter/rects.c. A canvas, which has only zeros, fills its
 * parent.
 */
static void print_rect(struct godot_print *print, const struct godot_scene_node *node)
{
	static const char *const anchors[] = {"anchor_left", "anchor_bottom", "anchor_right", "anchor_top"};
	static const char *const offsets[] = {"offset_left", "offset_bottom", "offset_right", "offset_top"};
	const double q[4] = {(double)node->rotation[0], (double)node->rotation[1], (double)node->rotation[2],
			     (double)node->rotation[3]};
	/* m_AnchorMin, m_AnchorMax, m_AnchoredPosition, m_SizeDelta, m_Pivot */
	float r[10] = {0}, pivot[2];
	double angles[3];
	bool is_canvas = true;

	read_numbers(node->rect, r, 10);
	for (size_t i = 0; i < 8; i++)
		is_canvas &= r[i] == 0;
	if (is_canvas) {
		godot_print_text(print, "anchor_right = 1.0\nanchor_bottom = 1.0\n");
		return;
	}
	for (size_t i = 0; i < 4; i++) {
		double low = (double)r[4 + i % 2] - (double)r[6 + i % 2] * (double)r[8 + i % 2],
		       end = i < 2 ? low : low + (double)r[6 + i % 2], anchor = (double)r[i];

		godot_print_format(print, "%s = %f\n%s = %f\n", anchors[i], i % 2 == 0 ? anchor : 1 - anchor,
				   offsets[i], i % 2 == 0 ? end : 0 - end);
	}
	/* The size is known if it does not follow the parent. */
	if (r[0] == r[2] && r[1] == r[3]) {
		pivot[0] = r[6] * r[8];
		pivot[1] = r[7] * (1 - r[9]);
		print_name_value(print, "pivot_offset", "Vector2", pivot, 2);
	}
	anim_euler_from_quat_double(angles, q, ANIM_EULER_YXZ);
	if ((float)angles[2] != 0)
		godot_print_format(print, "rotation = %f\n", angles[2]);
	if (node->scale[0] != 1 || node->scale[1] != 1)
		print_name_value(print, "scale", "Vector2", node->scale, 2);
}

/* Print the transform of a node. */
static void print_placement(struct godot_print *print, const struct godot_scene_node *node)
{
	static const float none[] = {0, 0, 0}, identity[] = {0, 0, 0, 1}, one[] = {1, 1, 1};
	int order = godot_print_is_3(print) ? -1 : anim_euler_order_find(node->order);
	const float *r = node->rotation;

	if (node->rect != NULL) {
		print_rect(print, node);
		return;
	}
	if (node->has & ANIM_HAS_2D) {
		print_flat(print, node);
		return;
	}
	if (node->scale[0] == 0 || node->scale[1] == 0 || node->scale[2] == 0) {
		const double q[4] = {(double)r[0], (double)r[1], (double)r[2], (double)r[3]};
		double angles[3];
		float narrow[3];

		/* Print the parts, because a matrix with a scale of 0 does not have the rotation. */
		anim_euler_from_quat_double(angles, q, order < 0 ? ANIM_EULER_YXZ : (enum anim_euler_order)order);
		for (int i = 0; i < 3; i++)
			narrow[i] = (float)angles[i];
		print_name_value(print, godot_print_is_3(print) ? "translation" : "position", "Vector3", node->position,
				 3);
		print_name_value(print, "rotation", "Vector3", narrow, 3);
		print_name_value(print, "scale", "Vector3", node->scale, 3);
	} else if (memcmp(node->position, none, sizeof none) != 0 || memcmp(r, identity, sizeof identity) != 0 ||
		   memcmp(node->scale, one, sizeof one) != 0) {
		print_transform(print, "transform", node->position, r, node->scale);
	}
	if (order >= 0 && order != ANIM_EULER_YXZ)
		godot_print_format(print, "rotation_order = %d\n", (int64_t)order);
}

/* Print the properties of a skeleton for one bone. */
static void print_bone(struct godot_print *print, const struct godot_scene_node *bone)
{
	static const struct {
		const char *name, *word;
		size_t first, count;
	} parts[] = {{"position", "Vector3", 0, 3}, {"rotation", "Quaternion", 3, 4}, {"scale", "Vector3", 7, 3}};
	char prefix[sizeof "bones//" + ANIM_NUMBER_MAX];
	float pose[GODOT_POSE_COMPONENTS];

	snprintf(prefix, sizeof prefix, "bones/%u/", (unsigned)bone->bone_index);
	godot_print_format(print, "%sname = %Q\n%sparent = %d\n%s", prefix, bone->name, prefix,
			   bone->bone_parent == GODOT_NO_PARENT ? INT64_C(-1) : (int64_t)bone->bone_parent, prefix);
	print_transform(print, "rest", bone->position, bone->rotation, bone->scale);
	godot_print_format(print, "%senabled = %s\n", prefix, bone->disabled ? "false" : "true");

	/*
	 * Godot 4 stores the pose in three parts. It is the rest pose if the bone has none. In Godot 3, a pose is
	 * relative to the rest pose and a bone without a pose shows its rest pose, so no pose is written.
	 */
	if (godot_print_is_3(print))
		return;
	memcpy(pose, bone->position, sizeof bone->position);
	memcpy(pose + 3, bone->rotation, sizeof bone->rotation);
	memcpy(pose + 7, bone->scale, sizeof bone->scale);
	read_numbers(bone->pose, pose, GODOT_POSE_COMPONENTS);
	for (size_t i = 0; i < ANIM_COUNT(parts); i++) {
		godot_print_text(print, prefix);
		print_name_value(print, parts[i].name, parts[i].word, pose + parts[i].first, parts[i].count);
	}
}

/*
 * Make Node2D of the nodes that no tree and no track describes, if all nodes below them are in the plane. A Node3D
 * between two nodes in the plane would keep the upper one from moving the lower one.
 */
static void flatten_parents(struct godot_nodes *nodes)
{
	const char *made = nodes->godot3 ? "Spatial" : "Node3D";

	for (size_t i = godot_nodes_count(nodes); i-- > 0;) {
		struct godot_scene_node *node = godot_nodes_at(nodes, (uint32_t)i), *parent;
		bool made_here = node->source == GODOT_CLASS_DEFAULT && node->classes == ALL_CLASSES && !node->bone &&
				 strcmp(node->class, made) == 0;

		if (made_here && node->above_flat && !node->above_solid)
			node->class = "Node2D";
		if (node->parent == GODOT_NO_PARENT ||
		    anim_text_is_word("Node AnimationPlayer AnimationTree AudioStreamPlayer Timer", node->class))
			continue;
		parent = godot_nodes_at(nodes, node->parent);
		if (godot_class_is_2d(node->class))
			parent->above_flat = true;
		else if (!made_here || node->above_solid)
			parent->above_solid = true;
	}
}

/* Print the [node] tags with their properties. Returns 0 or -1. */
static int print_nodes(struct godot_writer *writer, const uint32_t *order, size_t count)
{
	struct godot_print *print = &writer->print;
	struct godot_nodes *nodes = &writer->nodes;
	const char *root = nodes->root_name == NULL || nodes->root_name[0] == '\0' ? "Root" : nodes->root_name;
	/* the first and the last bone of each node, and the next bone of the same skeleton: number + 1, or 0 */
	uint32_t *first, *last, *next;

	/* Create the nodes of players first. In Godot 3, an AnimationTree cannot have clips. */
	for (size_t i = 0; i < count; i++) {
		struct anim_error trouble = {0};
		uint32_t number = nodes_need(nodes, godot_writer_clip(writer, i)->player, "AnimationPlayer", &trouble);

		if (trouble.code != ANIM_OK) {
			*writer->error = trouble;
			return -1;
		}
		if (godot_print_is_3(print) && number != GODOT_NO_PARENT &&
		    strcmp(godot_nodes_at(nodes, number)->class, "AnimationTree") == 0)
			godot_nodes_at(nodes, number)->class = "AnimationPlayer";
	}

	first = anim_arena_zeroed(&writer->kept, godot_nodes_count(nodes), sizeof *first, writer->error);
	last = anim_arena_zeroed(&writer->kept, godot_nodes_count(nodes), sizeof *last, writer->error);
	next = anim_arena_zeroed(&writer->kept, godot_nodes_count(nodes), sizeof *next, writer->error);
	if (first == NULL || last == NULL || next == NULL)
		return -1;
	for (uint32_t i = 0; i < godot_nodes_count(nodes); i++) {
		uint32_t skeleton = godot_nodes_at(nodes, i)->parent;

		if (!godot_nodes_at(nodes, i)->bone)
			continue;
		*(first[skeleton] == 0 ? &first[skeleton] : &next[last[skeleton] - 1]) = i + 1;
		last[skeleton] = i + 1;
	}

	flatten_parents(nodes);
	for (uint32_t i = 0; i < godot_nodes_count(nodes); i++) {
		const struct godot_scene_node *node = godot_nodes_at(nodes, i);
		unsigned orphans = 0;

		if (node->bone)
			continue;
		/* Bones without known parents, unless there is only one, are not where the clip has them. */
		for (uint32_t bone = first[i]; bone != 0; bone = next[bone - 1])
			orphans += godot_nodes_at(nodes, bone - 1)->orphan;
		if (orphans > 1 &&
		    godot_writer_warn(writer, "skeleton",
				      "'%s' (%u bones): unknown parents of bones, because the stream has no tree; a "
				      ".tres plays on the skeleton of a character",
				      node->path, orphans) != 0)
			return -1;
		godot_print_text(print, i > 0 ? "\n" : "");
		if (node->parent == GODOT_NO_PARENT)
			godot_print_format(print, "[node name=%q type=%q]\n", root, node->class);
		else
			godot_print_format(print, "[node name=%q type=%q parent=%q]\n", node->name, node->class,
					   godot_nodes_at(nodes, node->parent)->path);
		if (node->unique)
			godot_print_text(print, "unique_name_in_owner = true\n");
		print_placement(print, node);
		if (node->motion_scale != 0 && !godot_print_is_3(print))
			godot_print_format(print, "motion_scale = %f\n", (double)node->motion_scale);
		if (node->mesh != 0) {
			godot_print_text(print, "mesh = ");
			godot_print_sub(print, "ArrayMesh", node->mesh);
			godot_print_text(print, "\n");
		}
		if (node->attached != NULL)
			godot_print_format(print, "bone_name = %Q\n", node->attached);
		godot_sprite_print(writer, node);
		for (uint32_t bone = first[i]; bone != 0; bone = next[bone - 1])
			print_bone(print, godot_nodes_at(nodes, bone - 1));
		if (writer_player(writer, order, count, node->path) != 0)
			return -1;
	}
	return print->out.failed ? -1 : 0;
}

/* ---- The file: header, ext_resources, Animations, and their libraries and nodes ---- */

/* Print the header. load_steps counts the resources and the file itself. Godot 4.6 omits it. */
static void print_head(struct godot_writer *writer, const char *type, size_t subs)
{
	struct godot_print *print = &writer->print;
	size_t externals = print->externals.items.size / sizeof(struct godot_print_external),
	       steps = externals + subs + 1;

	godot_print_format(print, writer->options.scene ? "[gd_scene" : "[gd_resource type=\"%s\"", type);
	if (steps > 1 && print->version != ANIM_GODOT_4_6)
		godot_print_format(print, " load_steps=%u", steps);
	godot_print_format(print, " format=%s]\n\n", godot_print_is_3(print) ? "2" : print->needs_format4 ? "4" : "3");
	godot_print_new_externals(print);
	godot_print_text(print, externals > 0 ? "\n" : "");
}

int godot_writer_sub(struct godot_writer *writer, size_t clip, size_t number)
{
	godot_print_sub_tag(&writer->print, "Animation", number);
	if (godot_writer_animation(writer, clip, GODOT_WRITE_ALL) != 0)
		return -1;
	godot_print_text(&writer->print, "\n");
	return 0;
}

/* Print _data of a library with the clips order[from] .. order[to - 1]. */
static void print_data(struct godot_writer *writer, const uint32_t *order, size_t from, size_t to)
{
	godot_print_text(&writer->print, "_data = {\n");
	for (size_t i = from; i < to; i++) {
		godot_writer_entry(writer, order[i], i + 1);
		godot_print_text(&writer->print, i + 1 < to ? ",\n" : "\n}\n");
	}
}

/* Return the end of the clips that have the player and the library of order[from]. */
static size_t library_end(const struct godot_writer *writer, const uint32_t *order, size_t from, size_t count)
{
	uint32_t library = godot_writer_clip(writer, order[from])->library_number;
	size_t to = from + 1;

	while (to < count && godot_writer_clip(writer, order[to])->library_number == library)
		to++;
	return to;
}

/* Print a .tscn. Returns 0 or -1. */
static int print_scene(struct godot_writer *writer, const uint32_t *order, size_t count)
{
	struct godot_print *print = &writer->print;
	struct godot_nodes *nodes = &writer->nodes;
	bool old = godot_print_is_3(print);
	struct godot_graph_tree tree = {.node = NULL};
	size_t subs = count, number = 0;
	uint32_t meshes = 0;
	int result;

	for (size_t i = 0; !old && i < count; i = library_end(writer, order, i, count))
		subs++;
	/* Number the meshes for blend shapes, in Godot 3 after the Animations. */
	for (uint32_t i = 0; i < godot_nodes_count(nodes); i++)
		if (godot_nodes_at(nodes, i)->first_shape != 0)
			godot_nodes_at(nodes, i)->mesh = (old ? (uint32_t)count : 0) + ++meshes;
	print_head(writer, NULL, subs + meshes + (old ? 0 : godot_graph_count(writer)));
	/* The meshes have no surfaces, only the names of the shapes. */
	for (uint32_t i = 0; i < godot_nodes_count(nodes); i++) {
		const struct godot_scene_node *node = godot_nodes_at(nodes, i);

		if (node->mesh == 0)
			continue;
		godot_print_text(print, "[sub_resource type=\"ArrayMesh\" id=");
		godot_print_sub_id(print, "ArrayMesh", node->mesh);
		godot_print_format(print, "]\n%s = %s%(", old ? "blend_shape/names" : "_blend_shape_names",
				   old ? "PoolStringArray" : "PackedStringArray");
		for (uint32_t at = node->first_shape; at != 0; at = godot_shape_at(nodes, at - 1)->next)
			godot_print_format(print, at == node->first_shape ? "%Q" : ", %Q",
					   godot_shape_at(nodes, at - 1)->name);
		godot_print_format(print, "%)\n\n");
	}
	for (size_t from = 0, to; from < count; from = to) {
		to = library_end(writer, order, from, count);
		for (size_t i = from; i < to; i++)
			if (godot_writer_sub(writer, order[i], i + 1) != 0)
				return -1;
		if (old)
			continue;
		godot_print_sub_tag(print, "AnimationLibrary", ++number);
		print_data(writer, order, from, to);
		godot_print_text(print, "\n");
	}
	result = old ? 0 : godot_graph_write(writer, &tree);
	if (result == 0)
		result = print_nodes(writer, order, count);
	if (result == 0)
		godot_graph_node(writer, &tree);
	anim_buffer_clear(&tree.values);
	return result != 0 || print->out.failed ? -1 : 0;
}

int godot_writer_document(struct godot_writer *writer)
{
	size_t count;
	uint32_t *order = find_order(writer, &count);
	bool library;

	if (order == NULL)
		return -1;
	if (writer->into != NULL)
		return godot_into_write(writer->into, writer, order, count, writer->error);
	if (writer->options.scene)
		return print_scene(writer, order, count);

	/* A .tres is an AnimationLibrary or an Animation. */
	library = writer->options.library || count > 1 || godot_writer_clip(writer, order[0])->in_library;
	print_head(writer, library ? "AnimationLibrary" : "Animation", library ? count : 0);
	for (size_t i = 0; library && i < count; i++)
		if (godot_writer_sub(writer, order[i], i + 1) != 0)
			return -1;
	godot_print_text(&writer->print, "[resource]\n");
	if (!library)
		return godot_writer_animation(writer, 0, GODOT_WRITE_ALL);
	print_data(writer, order, 0, count);
	return 0;
}
