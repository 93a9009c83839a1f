/* writer_nodes.c: the table of a scene's nodes, and what they must have so that their tracks play. */

#include <float.h>
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "format/godot/writer.h"

/* ---- Classes that Godot 4 calls otherwise than Godot 3 and 2 ---- */

/* Godot 4's class and Godot 3's. */
static const char *const both[][2] = {
    {"AnimatedSprite2D", "AnimatedSprite"},
    {"Area3D", "Area"},
    {"AudioListener2D", "Listener2D"},
    {"AudioListener3D", "Listener"},
    {"BoneAttachment3D", "BoneAttachment"},
    {"CPUParticles3D", "CPUParticles"},
    {"CSGBox3D", "CSGBox"},
    {"CSGCombiner3D", "CSGCombiner"},
    {"CSGCylinder3D", "CSGCylinder"},
    {"CSGMesh3D", "CSGMesh"},
    {"CSGPolygon3D", "CSGPolygon"},
    {"CSGSphere3D", "CSGSphere"},
    {"CSGTorus3D", "CSGTorus"},
    {"Camera3D", "Camera"},
    {"CharacterBody2D", "KinematicBody2D"},
    {"CharacterBody3D", "KinematicBody"},
    {"CollisionPolygon3D", "CollisionPolygon"},
    {"CollisionShape3D", "CollisionShape"},
    {"ConeTwistJoint3D", "ConeTwistJoint"},
    {"DirectionalLight3D", "DirectionalLight"},
    {"GPUParticles2D", "Particles2D"},
    {"GPUParticles3D", "Particles"},
    {"Generic6DOFJoint3D", "Generic6DOFJoint"},
    {"HingeJoint3D", "HingeJoint"},
    {"LightmapGI", "BakedLightmap"},
    {"Marker2D", "Position2D"},
    {"Marker3D", "Position3D"},
    {"MeshInstance3D", "MeshInstance"},
    {"MultiMeshInstance3D", "MultiMeshInstance"},
    {"NavigationAgent3D", "NavigationAgent"},
    {"NavigationObstacle3D", "NavigationObstacle"},
    {"NavigationRegion2D", "NavigationPolygonInstance"},
    {"NavigationRegion3D", "NavigationMeshInstance"},
    {"Node3D", "Spatial"},
    {"OccluderInstance3D", "Occluder"},
    {"OmniLight3D", "OmniLight"},
    {"Path3D", "Path"},
    {"PathFollow3D", "PathFollow"},
    {"PhysicalBone3D", "PhysicalBone"},
    {"PinJoint3D", "PinJoint"},
    {"PointLight2D", "Light2D"},
    {"RayCast3D", "RayCast"},
    {"RemoteTransform3D", "RemoteTransform"},
    {"RigidBody3D", "RigidBody"},
    {"ShapeCast3D", "ShapeCast"},
    {"Skeleton3D", "Skeleton"},
    {"SkeletonIK3D", "SkeletonIK"},
    {"SliderJoint3D", "SliderJoint"},
    {"SoftBody3D", "SoftBody"},
    {"SpotLight3D", "SpotLight"},
    {"SpringArm3D", "SpringArm"},
    {"Sprite2D", "Sprite"},
    {"StaticBody3D", "StaticBody"},
    {"SubViewport", "Viewport"},
    {"SubViewportContainer", "ViewportContainer"},
    {"TabBar", "Tabs"},
    {"TextureProgressBar", "TextureProgress"},
    {"VehicleBody3D", "VehicleBody"},
    {"VehicleWheel3D", "VehicleWheel"},
    {"VideoStreamPlayer", "VideoPlayer"},
    {"VisibleOnScreenEnabler2D", "VisibilityEnabler2D"},
    {"VisibleOnScreenEnabler3D", "VisibilityEnabler"},
    {"VisibleOnScreenNotifier2D", "VisibilityNotifier2D"},
    {"VisibleOnScreenNotifier3D", "VisibilityNotifier"},
    {"VoxelGI", "GIProbe"},
    {"Window", "WindowDialog"},
    {"XRAnchor3D", "ARVRAnchor"},
    {"XRCamera3D", "ARVRCamera"},
    {"XRController3D", "ARVRController"},
    {"XROrigin3D", "ARVROrigin"},
};

/* What became of the classes of Godot 2 and 3 that are no more; not told backwards. */
static const char *const gone[][2] = {
    {"AnimationTree", "AnimationTreePlayer"},
    {"AudioStreamPlayer", "EventPlayer SamplePlayer StreamPlayer"},
    {"AudioStreamPlayer2D", "SamplePlayer2D"},
    {"AudioStreamPlayer3D", "SpatialSamplePlayer SpatialStreamPlayer"},
    {"Button", "ToolButton"},
    {"Camera3D", "ClippedCamera InterpolatedCamera"},
    {"HBoxContainer", "HButtonArray"},
    {"MeshInstance3D", "ImmediateGeometry TestCube"},
    {"NinePatchRect", "Patch9Frame"},
    {"Node", "Tween"},
    {"Node2D", "Navigation2D ParticleAttractor2D YSort"},
    {"Node3D", "LOD MergeGroup Navigation Portal ProximityGroup Room RoomGroup RoomManager"},
    {"Popup", "PopupDialog"},
    {"ReferenceRect", "ReferenceFrame"},
    {"Sprite2D", "ViewportSprite"},
    {"TextureRect", "TextureFrame"},
    {"VBoxContainer", "VButtonArray"},
};

/*
 * The class of Godot 4 (godot3: of Godot 3) for one of any Godot; `class` itself where it has no other name. Classes that
 * Godot 4 gave up become what is left of them: a YSort a Node2D, a Tween a Node.
 */
static const char *class_in(bool godot3, const char *class)
{
	unsigned to = godot3 ? 1 : 0;

	for (size_t i = 0; i < ANIM_COUNT(both); i++)
		if (strcmp(both[i][1 - to], class) == 0)
			return both[i][to];
	for (size_t i = 0; !godot3 && i < ANIM_COUNT(gone); i++)
		if (anim_text_is_word(gone[i][1], class))
			return gone[i][0];
	return class;
}

/* ---- The class of a node that no scene tells: one that has the properties of its tracks ---- */

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
#define AUDIO "@audio stream playing volume_db pitch_scale stream_paused bus "
#define FOLLOWS "progress progress_ratio h_offset v_offset "
#define PARTICLES "emitting amount amount_ratio lifetime speed_scale explosiveness randomness process_material "

enum godot_space { IN_NO_SPACE, IN_PLANE, IN_SPACE };

/*
 * Classes of Godot 4 and properties of theirs, the likelier class first. The first two rows are complete. "@" is before
 * types of tracks; a word with '/' at its end is what the property begins with.
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

/* The set of the classes that have the property; all of them for NULL. */
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

/* The likeliest of a set that is not empty. */
static const char *first_class(uint32_t set)
{
	size_t i = 0;

	while (!(set >> i & 1))
		i++;
	return classes[i].class;
}

/*
 * What a class of Godot 4 that was guessed may still become: Node3D any of its space, a light the other one. 0: the class
 * stays.
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

/* ---- The table ---- */

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

size_t godot_nodes_count(const struct godot_nodes *nodes)
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
	uint32_t number = (uint32_t)godot_nodes_count(nodes);

	node.path = anim_arena_text(&nodes->arena, path, strlen(path), error);
	if (node.path == NULL)
		return GODOT_NO_PARENT;
	node.name = last_name(node.path);
	node.class = nodes->godot3 ? "Spatial" : "Node3D";
	node.classes = ALL_CLASSES;
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
	node->class = class_in(nodes->godot3, class);
	node->classes = source == GODOT_CLASS_TOLD ? 0 : classes_like(class);
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

void godot_read_numbers(const char *text, float *numbers, size_t count)
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

/* The scale of an attribute; 0 where it is none. */
static float motion_scale_of(const struct anim_node *from)
{
	float scale = 0;

	godot_read_numbers(anim_attrs_get(&from->attrs, "godot.motion_scale"), &scale, 1);
	return scale > 0 && scale <= FLT_MAX ? scale : 0;
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
	node->motion_scale = motion_scale_of(from);
	node->disabled = anim_attrs_get(&from->attrs, "godot.enabled") != NULL;
	if (anim_attrs_get(&from->attrs, "godot.unique_name") != NULL && set_unique(nodes, number, error) != 0)
		return -1;
	if (keep(nodes, from, "godot.pose", &node->pose, error) != 0 ||
	    keep(nodes, from, "godot.skew", &node->skew, error) != 0)
		return -1;
	return keep(nodes, from, "rotation_order", &node->order, error);
}

/* A NODE of the tree at hand. */
struct came_node {
	uint32_t number;
	const char *path; /* in its tree */
};

static const struct came_node *came_above(const struct godot_nodes *nodes, const struct anim_node *node)
{
	return node->parent < nodes->came.size / sizeof(struct came_node)
		   ? (const struct came_node *)(const void *)nodes->came.data + node->parent
		   : NULL;
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

int godot_nodes_add(struct godot_nodes *nodes, const struct godot_names *names, const struct anim_node *from,
		    const char **written, struct anim_error *error)
{
	const struct came_node *above = came_above(nodes, from);
	uint32_t parent = above == NULL ? GODOT_NO_PARENT : above->number;
	const char *name = above == NULL ? NULL : anim_node_bone(from->path, above->path),
		   *path = godot_written_node(names, from->path, name, &nodes->arena, error);
	struct came_node came = {.path = anim_arena_text(&nodes->arena, from->path, strlen(from->path), error)};
	bool bone;

	if (path == NULL || came.path == NULL)
		return -1;
	*written = path;
	bone = strchr(path, ':') != NULL && parent != GODOT_NO_PARENT;
	came.number = godot_nodes_find(nodes, path);
	if (came.number == GODOT_NO_PARENT) {
		came.number = bone ? add_bone(nodes, path, parent, error) : append(nodes, path, parent, error);
		if (came.number == GODOT_NO_PARENT || fill(nodes, came.number, names, from, error) != 0)
			return -1;
	}
	return anim_buffer_append(&nodes->came, &came, sizeof came, error);
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

uint32_t godot_nodes_need(struct godot_nodes *nodes, const char *path, const char *class, struct anim_error *error)
{
	uint32_t number;

	if (godot_nodes_count(nodes) == 0 && append(nodes, ".", GODOT_NO_PARENT, error) == GODOT_NO_PARENT)
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
	number = path == NULL ? GODOT_NO_PARENT : godot_nodes_need(nodes, path, NULL, error);
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

/* ---- What a track wants of its node: a class, blend shapes, frames ---- */

#define SHAPE "blend_shape/"
#define FRAMES_MAX 65536u /* more are no sheet */

static int need_shape(struct godot_nodes *nodes, uint32_t number, const char *name, struct anim_error *error)
{
	uint32_t count = (uint32_t)(nodes->shapes.size / sizeof(struct godot_shape)), known;
	struct godot_scene_node *node = godot_nodes_at(nodes, number);
	struct godot_shape shape = {0};

	if (anim_map_get(&nodes->by_shape, number, name, strlen(name), &known))
		return 0;
	shape.name = anim_arena_text(&nodes->arena, name, strlen(name), error);
	if (shape.name == NULL || anim_map_put(&nodes->by_shape, number, shape.name, strlen(name), count, error) != 0 ||
	    anim_buffer_append(&nodes->shapes, &shape, sizeof shape, error) != 0)
		return -1;
	if (node->first_shape == 0)
		node->first_shape = count + 1;
	else
		godot_shape_at(nodes, node->last_shape - 1)->next = count + 1;
	node->last_shape = count + 1;
	return 0;
}

static void need_frame(struct godot_scene_node *node, double frame)
{
	if (frame >= node->frames && frame < FRAMES_MAX)
		node->frames = (uint32_t)frame + 1;
}

static int need_frames(struct godot_writer *writer, struct godot_scene_node *node, const struct anim_track *t,
		       bool sprites)
{
	const char *sheet;
	const uint32_t *turns = sprites ? godot_sprite_frames(t, &sheet, &writer->scratch, writer->error) : NULL;

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
		return need_frames(writer, node, t, plan->sprite);
	return 0;
}

/* The track's property without parts, as Godot 4 calls it. NULL: it may be any node's; or no memory, then *failed is set. */
static const char *property_of(struct godot_writer *writer, const struct anim_track *t, const struct godot_plan *plan,
			       bool *failed)
{
	struct godot_names names = writer->names;
	const char *path, *copy;
	size_t length;

	if (plan->sprite)
		return "frame";
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

/* The classes of the space that the track's values are of. */
static uint32_t classes_of_space(const struct anim_track *t, const struct godot_plan *plan)
{
	bool sized = t->component != ANIM_WHOLE && strcmp(t->property, "size") == 0;

	if (strcmp(t->property, "angle") == 0 || sized ||
	    (t->type == ANIM_FLOAT2 && anim_text_is_word("position scale size", t->property)))
		return classes_in(IN_PLANE);
	if (godot_is_of_space(t) || (plan->type >= GODOT_TRACK_POSITION && plan->type <= GODOT_TRACK_TRANSFORM))
		return classes_in(IN_SPACE);
	return ALL_CLASSES;
}

/*
 * Makes the node's class one that the track plays on, where no scene tells the class and the node's other tracks allow that;
 * else tells. 0 or -1.
 */
static int suit(struct godot_writer *writer, uint32_t number, const struct anim_track *t, const struct godot_plan *plan)
{
	struct godot_scene_node *node = godot_nodes_at(&writer->nodes, number);
	bool failed = false, plain;
	const char *property = property_of(writer, t, plan, &failed);
	uint32_t having = classes_with(property), fitting = node->classes & having & classes_of_space(t, plan);
	char label[GODOT_LABEL_MAX];

	if (failed)
		return -1;
	if (node->bone || node->classes == 0 || (!plan->sprite && godot_is_foreign(&writer->names, t)))
		return 0;
	if (fitting != 0 && fitting != node->classes) {
		node->class = class_in(writer->nodes.godot3, first_class(fitting));
		node->classes = fitting;
	}
	plain = (node->classes & 3u) != 0; /* of a class whose row is complete */
	if (fitting != 0 || property == NULL || (having == 0 && !plain))
		return 0;
	anim_track_label(t, label, sizeof label);
	return godot_writer_warn(writer, "tracks do not play: their nodes are of classes without such properties",
				 "track '%s' does not play: class %s has no property '%s'; change the type of its node",
				 label, node->class, property);
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
	if (node[0] == '/') /* from the root of the running game, not of the scene */
		return 0;
	if (node[0] == '%')
		root = nodes_unique(&writer->nodes, root, &node, &writer->scratch, &trouble);
	if (root != NULL)
		path = anim_tree_path(root, node, &writer->scratch, &trouble);
	if (path != NULL)
		number = godot_nodes_need(&writer->nodes, path, NULL, &trouble);
	if (number != GODOT_NO_PARENT && suit(writer, number, t, plan) != 0)
		return -1;
	if (number != GODOT_NO_PARENT)
		writer_furnish(writer, number, t, plan, &trouble);
	if (trouble.code == ANIM_OK)
		return 0;
	*writer->error = trouble;
	return -1;
}
