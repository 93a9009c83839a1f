/* scene.c: the tree of nodes: what it holds, looking up by path, and its records, TREE and NODE. */

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "format/godot/scene.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* ---- The tree ---- */

#define NODES_MAX 0x7FFFFFFFu

/* Scopes of tree->names: children have their parent's number, bones lie with an empty name in a scope of their own. */
#define SCOPE_UNIQUE ((uint64_t)1 << 40)

static uint64_t bone_scope(uint32_t node, uint32_t index)
{
	return (uint64_t)1 << 63 | (uint64_t)node << 32 | index;
}

struct godot_node *godot_tree_node(const struct godot_tree *tree, uint32_t node)
{
	return (struct godot_node *)tree->nodes.data + node;
}

uint32_t godot_tree_count(const struct godot_tree *tree)
{
	return (uint32_t)(tree->nodes.size / sizeof(struct godot_node));
}

bool godot_tree_child(const struct godot_tree *tree, uint32_t parent, const char *name, size_t length, uint32_t *child)
{
	return anim_map_get(&tree->names, parent, name, length, child);
}

int godot_tree_add(struct godot_tree *tree, uint32_t parent, const char *name, const char *type, uint32_t *node,
		   struct anim_error *error)
{
	struct godot_node *added;
	uint32_t twin;

	*node = godot_tree_count(tree);
	if (*node >= NODES_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "too many nodes");
	added = anim_buffer_extend(&tree->nodes, sizeof *added, error);
	if (added == NULL)
		return -1;
	*added = (struct godot_node){.name = name, .type = type, .parent = parent};
	if (parent == GODOT_NO_NODE || godot_tree_child(tree, parent, name, strlen(name), &twin))
		return 0;
	return anim_map_put(&tree->names, parent, name, strlen(name), *node, error);
}

int godot_tree_unique(struct godot_tree *tree, uint32_t node, struct anim_error *error)
{
	struct godot_node *named = godot_tree_node(tree, node);

	named->flags |= GODOT_NODE_UNIQUE;
	return anim_map_put(&tree->names, SCOPE_UNIQUE, named->name, strlen(named->name), node, error);
}

struct godot_node_extra *godot_tree_extra(struct godot_tree *tree, uint32_t node, struct anim_arena *arena,
					  struct anim_error *error)
{
	struct godot_node *owner = godot_tree_node(tree, node);

	if (owner->extra == NULL && (owner->extra = anim_arena_zeroed(arena, 1, sizeof *owner->extra, error)) != NULL)
		owner->extra->bone_index = GODOT_NO_BONE;
	return owner->extra;
}

struct godot_placement *godot_tree_placement(struct godot_tree *tree, uint32_t node, struct anim_arena *arena,
					     struct anim_error *error)
{
	struct godot_node *owner = godot_tree_node(tree, node);

	if (owner->placement == NULL &&
	    (owner->placement = anim_arena_zeroed(arena, 1, sizeof *owner->placement, error)) != NULL)
		owner->placement->rotation_order = ANIM_EULER_YXZ;
	return owner->placement;
}

bool godot_tree_find_unique(const struct godot_tree *tree, const char *name, size_t length, uint32_t *node)
{
	return anim_map_get(&tree->names, SCOPE_UNIQUE, name, length, node);
}

/* One step of a path. False where it leads nowhere. */
static bool step(const struct godot_tree *tree, uint32_t *node, const char *name, size_t length)
{
	if (length == 0 || (length == 1 && name[0] == '.'))
		return true;
	if (length == 2 && memcmp(name, "..", 2) == 0) {
		*node = godot_tree_node(tree, *node)->parent;
		return *node != GODOT_NO_NODE;
	}
	if (name[0] == '%')
		return godot_tree_find_unique(tree, name + 1, length - 1, node);
	return godot_tree_child(tree, *node, name, length, node);
}

bool godot_tree_find(const struct godot_tree *tree, uint32_t from, const char *path, uint32_t *node)
{
	size_t length = strcspn(path, ":");

	*node = from;
	if (from >= godot_tree_count(tree) || path[0] == '/')
		return false;
	for (size_t at = 0; at < length;) {
		size_t name = strcspn(path + at, "/:");

		if (!step(tree, node, path + at, name))
			return false;
		at += name + 1;
	}
	return true;
}

float godot_tree_motion_scale(const struct godot_tree *tree, uint32_t from, const char *path)
{
	const struct godot_node_extra *extra;
	uint32_t node;

	if (!godot_tree_find(tree, from, path, &node))
		return 1;
	extra = godot_tree_node(tree, node)->extra;
	return extra == NULL || extra->motion_scale == 0 ? 1 : extra->motion_scale;
}

int godot_tree_path(const struct godot_tree *tree, uint32_t node, struct anim_buffer *out, struct anim_error *error)
{
	size_t size = 0, end;
	char *at;

	if (node == 0)
		return anim_buffer_append(out, ".", 1, error);
	for (uint32_t i = node; i != 0; i = godot_tree_node(tree, i)->parent)
		size += strlen(godot_tree_node(tree, i)->name) + 1;
	at = anim_buffer_extend(out, size - 1, error);
	if (at == NULL)
		return -1;
	end = size - 1;
	for (uint32_t i = node; i != 0; i = godot_tree_node(tree, i)->parent) {
		const char *name = godot_tree_node(tree, i)->name;
		size_t length = strlen(name);

		memcpy(at + end - length, name, length);
		if (end > length)
			at[end - length - 1] = '/';
		end -= length + 1;
	}
	return 0;
}

struct godot_bone *godot_bone_find(const struct godot_tree *tree, uint32_t node, uint32_t index)
{
	uint32_t at;

	if (!anim_map_get(&tree->names, bone_scope(node, index), "", 0, &at))
		return NULL;
	return (struct godot_bone *)godot_tree_node(tree, node)->extra->bones.data + at;
}

static void pose_identity(float pose[GODOT_POSE_COMPONENTS])
{
	static const float identity[GODOT_POSE_COMPONENTS] = {[6] = 1, [7] = 1, [8] = 1, [9] = 1};

	memcpy(pose, identity, sizeof identity);
}

struct godot_bone *godot_bone_add(struct godot_tree *tree, uint32_t node, uint32_t index, struct anim_error *error)
{
	struct anim_buffer *bones = &godot_tree_node(tree, node)->extra->bones;
	uint32_t at = (uint32_t)(bones->size / sizeof(struct godot_bone));
	struct godot_bone *bone = anim_buffer_extend(bones, sizeof *bone, error);

	if (bone == NULL || anim_map_put(&tree->names, bone_scope(node, index), "", 0, at, error) != 0)
		return NULL;
	*bone = (struct godot_bone){.index = index, .parent = GODOT_NO_BONE};
	pose_identity(bone->rest);
	pose_identity(bone->pose);
	tree->bones++;
	return bone;
}

void godot_tree_clear(struct godot_tree *tree)
{
	for (uint32_t i = 0; i < godot_tree_count(tree); i++)
		if (godot_tree_node(tree, i)->extra != NULL)
			anim_buffer_clear(&godot_tree_node(tree, i)->extra->bones);
	anim_buffer_clear(&tree->nodes);
	anim_map_clear(&tree->names);
}

/* ---- What a node is, by the name of its class ---- */

/*
 * What the class makes of a node; a node without a type, or of an unknown one, is an ANIM_NODE in space.
 * A transform that is two-dimensional makes its node so too.
 */
static enum anim_node_kind class_kind(const char *type)
{
	static const struct {
		enum anim_node_kind kind;
		const char *types;
	} kinds[] = {
	    {ANIM_NODE_BONE, "Bone2D"},
	    {ANIM_NODE_CAMERA, "Camera Camera2D Camera3D ClippedCamera InterpolatedCamera ARVRCamera XRCamera3D"},
	    {ANIM_NODE_LIGHT, "DirectionalLight DirectionalLight2D DirectionalLight3D Light2D OmniLight OmniLight3D "
			      "PointLight2D SpotLight SpotLight3D"},
	    {ANIM_NODE_MESH, "ImporterMeshInstance3D MeshInstance MeshInstance2D MeshInstance3D"},
	};

	for (size_t i = 0; i < ANIM_COUNT(kinds); i++)
		if (anim_text_is_word(kinds[i].types, type))
			return kinds[i].kind;
	return ANIM_NODE;
}

/* The Controls and canvas items of Godot 2, 3 and 4 whose names do not end in "2D". */
static const char flat_classes[] =
    "AcceptDialog AnimatedSprite AspectRatioContainer BackBufferCopy BaseButton BoxContainer "
    "Button ButtonArray CanvasGroup CanvasItem CanvasLayer CanvasModulate CenterContainer "
    "CheckBox CheckButton CodeEdit ColorPicker ColorPickerButton ColorRect ConfirmationDialog "
    "Container Control FileDialog FlowContainer FoldableContainer GraphEdit GraphElement "
    "GraphFrame GraphNode GridContainer HBoxContainer HButtonArray HFlowContainer HScrollBar "
    "HSeparator HSlider HSplitContainer ItemList Label LineEdit LinkButton MarginContainer "
    "MenuBar MenuButton NinePatchRect OptionButton Panel PanelContainer ParallaxBackground "
    "ParallaxLayer Patch9Frame Popup PopupDialog PopupMenu PopupPanel ProgressBar Range "
    "ReferenceFrame ReferenceRect RichTextLabel ScrollBar ScrollContainer Separator Slider "
    "SpinBox SplitContainer Sprite SubViewportContainer TabBar TabContainer Tabs TextEdit "
    "TextureButton TextureFrame TextureProgress TextureProgressBar TextureRect TileMap "
    "TileMapLayer ToolButton TouchScreenButton Tree VBoxContainer VButtonArray VFlowContainer "
    "VScrollBar VSeparator VSlider VSplitContainer VideoPlayer VideoStreamPlayer "
    "ViewportContainer ViewportSprite WindowDialog YSort";

static bool class_is_2d(const char *type)
{
	return (strlen(type) > 2 && anim_text_ends(type, "2D")) ||
	       (!anim_text_ends(type, "3D") && anim_text_is_word(flat_classes, type));
}

/* ---- Rests, poses and placements as position, rotation and scale ---- */

static void multiply(float out[16], const float a[16], const float b[16])
{
	for (size_t row = 0; row < 4; row++)
		for (size_t column = 0; column < 4; column++) {
			float sum = 0;

			for (size_t i = 0; i < 4; i++)
				sum += a[4 * row + i] * b[4 * i + column];
			out[4 * row + column] = sum;
		}
}

/* pose = parent * pose, both as position, rotation, scale. */
static void pose_multiply(const float parent[GODOT_POSE_COMPONENTS], float pose[GODOT_POSE_COMPONENTS])
{
	float a[16], b[16], product[16];

	anim_transform_compose(a, parent, parent + 3, parent + 7);
	anim_transform_compose(b, pose, pose + 3, pose + 7);
	multiply(product, a, b);
	godot_pose_of_matrix(pose, product);
}

/* Math::is_equal_approx: absolute below 1, relative above. */
static bool nearly(float a, float b)
{
	float tolerance = fabsf(a) > 1 ? 1e-5f * fabsf(a) : 1e-5f;

	return fabsf(a - b) < tolerance;
}

/* As Godot compares; a quaternion and its opposite turn alike. */
static bool pose_equal(const float a[GODOT_POSE_COMPONENTS], const float b[GODOT_POSE_COMPONENTS])
{
	bool same = true, opposite = true;

	for (size_t i = 0; i < GODOT_POSE_COMPONENTS; i++) {
		bool rotation = i >= 3 && i < 7;

		if (!rotation && !nearly(a[i], b[i]))
			return false;
		same = same && (!rotation || nearly(a[i], b[i]));
		opposite = opposite && (!rotation || nearly(a[i], -b[i]));
	}
	return same || opposite;
}

/* The rotation as a quaternion. */
static void get_rotation(const struct godot_placement *placement, float rotation[4])
{
	double sine, cosine;

	if (!(placement->has & GODOT_EULER)) {
		memcpy(rotation, placement->rotation, sizeof placement->rotation);
	} else if (placement->has & ANIM_HAS_2D) {
		anim_sincos((double)placement->euler[2] / 2, &sine, &cosine);
		rotation[0] = rotation[1] = 0;
		rotation[2] = (float)sine;
		rotation[3] = (float)cosine;
	} else {
		anim_quat_from_euler(rotation, placement->euler, placement->rotation_order);
	}
}

static bool all_finite(const float *components, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(components[i]))
			return false;
	return true;
}

/* Copies the components where they are given and finite; false where they are not finite. */
static bool put(struct anim_node *node, float *to, const float *components, size_t count, unsigned given, unsigned bit)
{
	if (!(given & bit))
		return true;
	if (!all_finite(components, count))
		return false;
	memcpy(to, components, count * sizeof *components);
	node->has |= (uint8_t)bit;
	return true;
}

/* Fills has, position, rotation, scale of the node; what is not finite is left out (false). */
static bool get_placement(const struct godot_placement *placement, struct anim_node *node)
{
	size_t components = placement->has & ANIM_HAS_2D ? 2 : 3;
	float rotation[4] = {0, 0, 0, 1};
	bool finite;

	if (placement->has & ANIM_HAS_ROTATION)
		get_rotation(placement, rotation);
	node->has |= placement->has & ANIM_HAS_2D;
	finite = put(node, node->position, placement->position, components, placement->has, ANIM_HAS_POSITION);
	finite &= put(node, node->rotation, rotation, 4, placement->has, ANIM_HAS_ROTATION);
	finite &= put(node, node->scale, placement->scale, components, placement->has, ANIM_HAS_SCALE);
	return finite;
}

/* ---- The records ---- */

/* What one record needs while it is written. */
struct scene_records {
	struct anim_error *error;
	struct godot_tree *tree;
	struct anim_sink *sink;
	struct anim_diagnostics *diagnostics;
	const char *shown;       /* the file, for messages */
	uint32_t count;          /* NODEs written */
	struct anim_buffer path; /* of the node, with NUL */
	struct anim_attr attrs[8];
	size_t attr_count;
	char pose[GODOT_POSE_COMPONENTS * (ANIM_NUMBER_MAX + 1)], skew[ANIM_NUMBER_MAX + 1];
	char motion_scale[ANIM_NUMBER_MAX + 1];
};

/* The keys must come in the order of their bytes. */
static void add_attr(struct scene_records *records, const char *key, const char *value)
{
	records->attrs[records->attr_count++] = (struct anim_attr){key, value};
}

/* Warns of the node of this name. */
static int warn(struct scene_records *records, const char *many, const char *name, const char *text)
{
	struct anim_place place = {.file = records->shown, .at = ANIM_AT_FILE};

	if (anim_diagnostics_add(records->diagnostics, ANIM_WARNING, &place, many, records->error, "node '%s': %s",
				 name, text) != 0)
		return -1;
	return anim_diagnostics_name(records->diagnostics, records->error, "'%s'", name);
}

static void print_pose(struct scene_records *records, const float *pose)
{
	char *at = records->pose;

	for (size_t i = 0; i < GODOT_POSE_COMPONENTS; i++) {
		if (i > 0)
			*at++ = ' ';
		at += anim_number_print_float(at, pose[i]);
	}
	*at = '\0';
}

static int write_node(struct scene_records *records, struct anim_node *node, uint32_t *number)
{
	if (anim_buffer_append(&records->path, "", 1, records->error) != 0)
		return -1;
	if (records->path.size - 1 > ANIM_NAME_MAX)
		return anim_fail(records->error, ANIM_TOO_LARGE, "the path of a node is longer than %u bytes",
				 ANIM_NAME_MAX);
	node->path = (const char *)records->path.data;
	node->attrs = (struct anim_attrs){records->attrs, records->attr_count};
	*number = records->count++;
	return anim_sink_node(records->sink, node, records->error);
}

/* The rest of a Bone2D is its transform; what the scene places it at is its pose. */
static void place_bone2d(struct scene_records *records, const struct godot_node_extra *extra, struct anim_node *node)
{
	float rest[GODOT_POSE_COMPONENTS], pose[GODOT_POSE_COMPONENTS], skew;

	godot_pose_of_transform2d(extra->rest, rest, &skew);
	if (!godot_pose_finite(rest))
		return;
	memcpy(pose, node->position, sizeof node->position);
	memcpy(pose + 3, node->rotation, sizeof node->rotation);
	memcpy(pose + 7, node->scale, sizeof node->scale);
	memcpy(node->position, rest, sizeof node->position);
	memcpy(node->rotation, rest + 3, sizeof node->rotation);
	memcpy(node->scale, rest + 7, sizeof node->scale);
	node->has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE | ANIM_HAS_2D;
	if (pose_equal(rest, pose))
		return;
	print_pose(records, pose);
	add_attr(records, "godot.pose", records->pose);
}

static const char *attached_bone(const struct godot_tree *tree, const struct godot_node *node)
{
	const struct godot_bone *bone;

	if (node->extra->bone_name != NULL)
		return node->extra->bone_name;
	if (node->extra->bone_index == GODOT_NO_BONE || node->parent == GODOT_NO_NODE)
		return NULL;
	bone = godot_bone_find(tree, node->parent, node->extra->bone_index);
	return bone == NULL ? NULL : bone->name;
}

static void add_extra_attrs(struct scene_records *records, const struct godot_node *from, struct anim_node *node)
{
	const char *bone = attached_bone(records->tree, from);

	if (bone != NULL)
		add_attr(records, "godot.bone", bone);
	if (from->extra->instance != NULL)
		add_attr(records, "godot.instance", from->extra->instance);
	if (from->extra->motion_scale != 0 && from->extra->motion_scale != 1) {
		records->motion_scale[anim_number_print_float(records->motion_scale, from->extra->motion_scale)] = '\0';
		add_attr(records, "godot.motion_scale", records->motion_scale);
	}
	if (from->extra->has_rest && node->kind == ANIM_NODE_BONE)
		place_bone2d(records, from->extra, node);
}

static int add_placement(struct scene_records *records, const struct godot_node *from, struct anim_node *node)
{
	if (!get_placement(from->placement, node) &&
	    warn(records, "nodes have a transform that is not finite, it is left out", from->name,
		 "its transform is not finite and is left out") != 0)
		return -1;
	return 0;
}

static int write_own(struct scene_records *records, uint32_t at)
{
	struct godot_node *from = godot_tree_node(records->tree, at);
	struct anim_node node = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .type = from->type};
	const struct godot_placement *placement = from->placement;

	node.kind = (uint8_t)class_kind(from->type);
	node.has = class_is_2d(from->type) ? ANIM_HAS_2D : 0;
	node.parent = at == 0 ? ANIM_NO_PARENT : godot_tree_node(records->tree, from->parent)->number;
	records->attr_count = 0;
	records->path.size = 0;
	if (placement != NULL && add_placement(records, from, &node) != 0)
		return -1;
	if (from->extra != NULL)
		add_extra_attrs(records, from, &node);
	if (placement != NULL && (placement->has & GODOT_SKEW) && placement->skew != 0) {
		records->skew[anim_number_print_float(records->skew, placement->skew)] = '\0';
		add_attr(records, "godot.skew", records->skew);
	}
	if (from->flags & GODOT_NODE_UNIQUE)
		add_attr(records, "godot.unique_name", "true");
	if (placement != NULL && placement->rotation_order != ANIM_EULER_YXZ)
		add_attr(records, "rotation_order", anim_euler_order_names[placement->rotation_order]);
	if (godot_tree_path(records->tree, at, &records->path, records->error) != 0)
		return -1;
	return write_node(records, &node, &from->number);
}

/* The pose where it differs from the rest: what the file leaves out is the rest's. */
static void add_pose(struct scene_records *records, const struct godot_bone *bone)
{
	float pose[GODOT_POSE_COMPONENTS];

	memcpy(pose, bone->rest, sizeof pose);
	if (bone->flags & GODOT_BONE_RELATIVE) {
		memcpy(pose, bone->pose, sizeof pose);
		pose_multiply(bone->rest, pose);
	} else {
		if (bone->flags & GODOT_BONE_POSITION)
			memcpy(pose, bone->pose, 3 * sizeof *pose);
		if (bone->flags & GODOT_BONE_ROTATION)
			memcpy(pose + 3, bone->pose + 3, 4 * sizeof *pose);
		if (bone->flags & GODOT_BONE_SCALE)
			memcpy(pose + 7, bone->pose + 7, 3 * sizeof *pose);
	}
	if (!godot_pose_finite(pose) || pose_equal(pose, bone->rest))
		return;
	print_pose(records, pose);
	add_attr(records, "godot.pose", records->pose);
}

static int bone_path(struct scene_records *records, uint32_t skeleton, const struct godot_bone *bone)
{
	char number[ANIM_NUMBER_MAX + 1] = "#";
	size_t length = 1 + anim_number_print_uint64(number + 1, bone->index);

	records->path.size = 0;
	if (godot_tree_path(records->tree, skeleton, &records->path, records->error) != 0 ||
	    anim_buffer_append(&records->path, ":", 1, records->error) != 0)
		return -1;
	if (bone->name != NULL)
		return anim_buffer_append(&records->path, bone->name, strlen(bone->name), records->error);
	return anim_buffer_append(&records->path, number, length, records->error);
}

static int write_bone(struct scene_records *records, uint32_t skeleton, struct godot_bone *bone)
{
	struct anim_node node = {.kind = ANIM_NODE_BONE, .type = ""};
	const struct godot_bone *parent = godot_bone_find(records->tree, skeleton, bone->parent);

	records->attr_count = 0;
	node.parent = bone->parent == GODOT_NO_BONE || parent == NULL ? godot_tree_node(records->tree, skeleton)->number
								      : parent->number;
	if (bone->flags & GODOT_BONE_REST)
		node.has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE;
	memcpy(node.position, bone->rest, sizeof node.position);
	memcpy(node.rotation, bone->rest + 3, sizeof node.rotation);
	memcpy(node.scale, bone->rest + 7, sizeof node.scale);
	if (bone->flags & GODOT_BONE_DISABLED)
		add_attr(records, "godot.enabled", "false");
	add_pose(records, bone);
	if (bone_path(records, skeleton, bone) != 0)
		return -1;
	return write_node(records, &node, &bone->number);
}

/* Marks in bone->number while the order is found. */
#define BONE_WAITING 0xFFFFFFFFu
#define BONE_ASKED 0xFFFFFFFEu

/* Puts the bone and its ancestors that are not written yet on the stack; parents that run in a ring are cut. */
static int push_chain(struct scene_records *records, uint32_t skeleton, struct godot_bone *bone,
		      struct anim_buffer *stack)
{
	while (bone != NULL && bone->number == BONE_WAITING) {
		struct godot_bone *parent = godot_bone_find(records->tree, skeleton, bone->parent);

		bone->number = BONE_ASKED;
		if (anim_buffer_append(stack, &bone, sizeof bone, records->error) != 0)
			return -1;
		if (parent != NULL && parent->number == BONE_ASKED) {
			bone->parent = GODOT_NO_BONE;
			return warn(records, "bones have parents that run in a ring; they are hung under the skeleton",
				    godot_tree_node(records->tree, skeleton)->name,
				    "the parents of a bone run in a ring; it is hung under the skeleton");
		}
		bone = parent;
	}
	return 0;
}

static int write_chain(struct scene_records *records, uint32_t skeleton, struct anim_buffer *stack)
{
	struct godot_bone **bones = (struct godot_bone **)stack->data;

	for (size_t i = stack->size / sizeof *bones; i-- > 0;)
		if (write_bone(records, skeleton, bones[i]) != 0)
			return -1;
	stack->size = 0;
	return 0;
}

static int write_bones(struct scene_records *records, uint32_t skeleton)
{
	const struct anim_buffer *bones = &godot_tree_node(records->tree, skeleton)->extra->bones;
	struct godot_bone *bone = (struct godot_bone *)bones->data;
	size_t count = bones->size / sizeof *bone;
	struct anim_buffer stack = {0};
	int result = 0;

	for (size_t i = 0; i < count; i++)
		bone[i].number = BONE_WAITING;
	for (size_t i = 0; i < count && result == 0; i++) {
		result = push_chain(records, skeleton, &bone[i], &stack);
		if (result == 0)
			result = write_chain(records, skeleton, &stack);
	}
	anim_buffer_clear(&stack);
	return result;
}

static int write_tree(struct scene_records *records, const char *source_file, const char *left)
{
	uint32_t count = godot_tree_count(records->tree);
	struct anim_attr attr = {"godot.left", left};
	struct anim_tree head = {.axes = ANIM_AXES_GODOT,
				 .axes2d = ANIM_AXES2D_GODOT,
				 .source_file = source_file,
				 .attrs = {&attr, left[0] != '\0'}};

	head.root_name = count == 0 ? "" : godot_tree_node(records->tree, 0)->name;
	if (anim_sink_tree(records->sink, &head, records->error) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		if (write_own(records, i) != 0)
			return -1;
		if (godot_tree_node(records->tree, i)->extra != NULL && write_bones(records, i) != 0)
			return -1;
	}
	return 0;
}

int godot_scene_write(struct godot_tree *tree, const char *source_file, const char *shown, const char *left,
		      struct anim_diagnostics *diagnostics, struct anim_sink *sink, struct anim_error *error)
{
	struct scene_records records = {
	    .tree = tree, .sink = sink, .error = error, .diagnostics = diagnostics, .shown = shown};
	int result = write_tree(&records, source_file, left);

	anim_buffer_clear(&records.path);
	return result;
}
