/* scene.c: the tree of nodes: classes, placements, looking up by path, bones, and instanced scenes. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "format/godot/document.h"
#include "format/godot/scene.h"
#include "format/godot/writer.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* --- What a node is, by the name of its class --- */

enum anim_node_kind godot_class_kind(const char *type)
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

bool godot_class_is_2d(const char *type)
{
	return (strlen(type) > 2 && anim_text_ends(type, "2D")) ||
	       (!anim_text_ends(type, "3D") && anim_text_is_word(flat_classes, type));
}

/* --- Rests and poses as position, rotation and scale --- */

static void pose_identity(float pose[GODOT_POSE_COMPONENTS])
{
	static const float identity[GODOT_POSE_COMPONENTS] = {[6] = 1, [7] = 1, [8] = 1, [9] = 1};

	memcpy(pose, identity, sizeof identity);
}

bool godot_pose_finite(const float pose[GODOT_POSE_COMPONENTS])
{
	for (size_t i = 0; i < GODOT_POSE_COMPONENTS; i++)
		if (!isfinite(pose[i]))
			return false;
	return true;
}

/* A transform that flattens an axis has no rotation that could be told: it counts as not turned. */
static void settle_rotation(float rotation[4])
{
	static const float none[4] = {0, 0, 0, 1};

	double length = 0;

	for (size_t i = 0; i < 4; i++)
		length += (double)rotation[i] * rotation[i];
	if (!(fabs(length - 1) < 1e-3))
		memcpy(rotation, none, sizeof none);
}

static void decompose(float pose[GODOT_POSE_COMPONENTS], const float m[16])
{
	anim_transform_decompose(pose, pose + 3, pose + 7, m);
	settle_rotation(pose + 3);
}

static void pose_of_transform(const double numbers[12], float pose[GODOT_POSE_COMPONENTS])
{
	float m[16] = {[15] = 1};

	for (size_t row = 0; row < 3; row++) {
		for (size_t column = 0; column < 3; column++)
			m[4 * row + column] = (float)numbers[3 * row + column];
		m[4 * row + 3] = (float)numbers[9 + row];
	}
	decompose(pose, m);
}

/* Godot's Transform2D::get_rotation, get_scale, get_skew; numbers are the x axis, the y axis and the origin. */
void godot_pose_of_transform2d(const float numbers[6], float pose[GODOT_POSE_COMPONENTS], float *skew)
{
	double xx = numbers[0], xy = numbers[1], yx = numbers[2], yy = numbers[3];
	double x_length = sqrt(xx * xx + xy * xy), y_length = sqrt(yx * yx + yy * yy);
	double sign = xx * yy - xy * yx < 0 ? -1 : 1, sine, cosine;

	pose_identity(pose);
	pose[0] = numbers[4];
	pose[1] = numbers[5];
	anim_sincos(anim_atan2(xy, xx) / 2, &sine, &cosine);
	pose[5] = (float)sine;
	pose[6] = (float)cosine;
	pose[7] = (float)x_length;
	pose[8] = (float)(sign * y_length);
	*skew = 0;
	if (x_length > 0 && y_length > 0)
		*skew = (float)(anim_acos(sign * (xx * yx + xy * yy) / (x_length * y_length)) - ANIM_PI / 2);
}

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

void godot_pose_multiply(const float parent[GODOT_POSE_COMPONENTS], float pose[GODOT_POSE_COMPONENTS])
{
	float a[16], b[16], product[16];

	anim_transform_compose(a, parent, parent + 3, parent + 7);
	anim_transform_compose(b, pose, pose + 3, pose + 7);
	multiply(product, a, b);
	decompose(pose, product);
}

/* Math::is_equal_approx: absolute below 1, relative above. */
static bool nearly(float a, float b)
{
	float tolerance = fabsf(a) > 1 ? 1e-5f * fabsf(a) : 1e-5f;

	return fabsf(a - b) < tolerance;
}

bool godot_pose_equal(const float a[GODOT_POSE_COMPONENTS], const float b[GODOT_POSE_COMPONENTS])
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

/* --- What Godot's transform properties say --- */

enum meaning {
	MEANS_POSITION,
	MEANS_ROTATION,
	MEANS_DEGREES,
	MEANS_DEGREES_UP, /* Godot 2's 2-D degrees run against the clock on the screen, later ones with it */
	MEANS_SCALE,
	MEANS_SKEW,
	MEANS_TRANSFORM,
	MEANS_ORDER
};

static const struct {
	const char *property;
	enum meaning meaning;
} properties[] = {
    {"transform", MEANS_TRANSFORM},
    {"position", MEANS_POSITION},
    {"rotation", MEANS_ROTATION},
    {"quaternion", MEANS_ROTATION},
    {"basis", MEANS_TRANSFORM},
    {"scale", MEANS_SCALE},
    {"skew", MEANS_SKEW},
    {"rotation_order", MEANS_ORDER},
    {"rotation_degrees", MEANS_DEGREES},
    {"translation", MEANS_POSITION},
    {"rect_position", MEANS_POSITION},
    {"rect_rotation", MEANS_DEGREES},
    {"rect_scale", MEANS_SCALE},
    {"transform/pos", MEANS_POSITION},
    {"transform/rot", MEANS_DEGREES_UP},
    {"transform/scale", MEANS_SCALE},
    {"transform/local", MEANS_TRANSFORM},
};

static int find_property(const char *property)
{
	for (size_t i = 0; i < ANIM_COUNT(properties); i++)
		if (strcmp(properties[i].property, property) == 0)
			return (int)i;
	return -1;
}

bool godot_placement_is(const char *property)
{
	return find_property(property) >= 0;
}

static void to_floats(float *out, const double *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] = (float)numbers[i];
}

/* A vector of three components, or of two, which makes the node two-dimensional. */
static bool set_vector(struct godot_placement *placement, float *components, uint8_t bit,
		       const struct godot_value *value)
{
	if (value->type != GODOT_VECTOR3 && value->type != GODOT_VECTOR2)
		return false;
	to_floats(components, value->numbers, value->type == GODOT_VECTOR3 ? 3 : 2);
	placement->has |= bit;
	if (value->type == GODOT_VECTOR2)
		placement->has |= ANIM_HAS_2D;
	return true;
}

/* Euler angles, a quaternion, or the one angle of a two-dimensional node. */
static bool set_rotation(struct godot_placement *placement, const struct godot_value *value, double unit)
{
	double angle;

	if (value->type == GODOT_QUATERNION) {
		to_floats(placement->rotation, value->numbers, 4);
		placement->has = (uint8_t)((placement->has | ANIM_HAS_ROTATION) & ~GODOT_EULER);
		return true;
	}
	if (value->type == GODOT_VECTOR3) {
		for (size_t i = 0; i < 3; i++)
			placement->euler[i] = (float)(value->numbers[i] * unit);
	} else if (godot_value_number(value, &angle)) {
		placement->euler[2] = (float)(angle * unit);
		placement->has |= ANIM_HAS_2D;
	} else {
		return false;
	}
	placement->has |= ANIM_HAS_ROTATION | GODOT_EULER;
	return true;
}

static void set_pose(struct godot_placement *placement, const float *pose, bool position)
{
	if (position)
		memcpy(placement->position, pose, sizeof placement->position);
	memcpy(placement->rotation, pose + 3, sizeof placement->rotation);
	memcpy(placement->scale, pose + 7, sizeof placement->scale);
	placement->has =
	    (uint8_t)((placement->has | (position ? ANIM_HAS_POSITION : 0) | ANIM_HAS_ROTATION | ANIM_HAS_SCALE) &
		      ~GODOT_EULER);
}

static bool set_transform(struct godot_placement *placement, const struct godot_value *value)
{
	float pose[GODOT_POSE_COMPONENTS], numbers[6];
	double basis[12] = {0};

	switch (value->type) {
	case GODOT_TRANSFORM3D:
		pose_of_transform(value->numbers, pose);
		set_pose(placement, pose, true);
		return true;
	case GODOT_BASIS:
		memcpy(basis, value->numbers, 9 * sizeof *basis);
		pose_of_transform(basis, pose);
		set_pose(placement, pose, false);
		return true;
	case GODOT_TRANSFORM2D:
		to_floats(numbers, value->numbers, 6);
		godot_pose_of_transform2d(numbers, pose, &placement->skew);
		set_pose(placement, pose, true);
		placement->has |= ANIM_HAS_2D | GODOT_SKEW;
		return true;
	default:
		return false;
	}
}

static bool set_skew(struct godot_placement *placement, const struct godot_value *value)
{
	double skew;

	if (!godot_value_number(value, &skew) || !isfinite(skew))
		return false;
	placement->skew = (float)skew;
	placement->has |= GODOT_SKEW;
	return true;
}

static bool set_order(struct godot_placement *placement, const struct godot_value *value)
{
	if (value->type != GODOT_INT || value->integer < 0 || value->integer > 5)
		return false;
	placement->rotation_order = (uint8_t)value->integer;
	return true;
}

bool godot_placement_set(struct godot_placement *placement, const char *property, const struct godot_value *value)
{
	int known = find_property(property);

	if (known < 0)
		return false;
	switch (properties[known].meaning) {
	case MEANS_POSITION:
		return set_vector(placement, placement->position, ANIM_HAS_POSITION, value);
	case MEANS_SCALE:
		return set_vector(placement, placement->scale, ANIM_HAS_SCALE, value);
	case MEANS_ROTATION:
		return set_rotation(placement, value, 1);
	case MEANS_DEGREES:
		return set_rotation(placement, value, ANIM_PI / 180);
	case MEANS_DEGREES_UP:
		return set_rotation(placement, value, -ANIM_PI / 180);
	case MEANS_SKEW:
		return set_skew(placement, value);
	case MEANS_TRANSFORM:
		return set_transform(placement, value);
	case MEANS_ORDER:
		return set_order(placement, value);
	}
	return false;
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

bool godot_placement_get(const struct godot_placement *placement, struct anim_node *node)
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

/* --- The tree --- */

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
		return anim_map_get(&tree->names, SCOPE_UNIQUE, name + 1, length - 1, node);
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

/* Takes the last name off the path in `out`; above the scene's root the path grows by `..`. */
static int step_up(struct anim_buffer *out, struct anim_error *error)
{
	size_t size = out->size;

	if (size == 0)
		return anim_buffer_append(out, "..", 2, error);
	if (size >= 2 && memcmp(out->data + size - 2, "..", 2) == 0 && (size == 2 || out->data[size - 3] == '/'))
		return anim_buffer_append(out, "/..", 3, error);
	while (out->size > 0 && out->data[out->size - 1] != '/')
		out->size--;
	if (out->size > 0)
		out->size--;
	return 0;
}

/* One step of a path as text; nodes need not be known but for %Name. */
static int step_text(const struct godot_tree *tree, struct anim_buffer *out, const char *name, size_t length,
		     struct anim_error *error)
{
	uint32_t node;

	if (length == 0 || (length == 1 && name[0] == '.'))
		return 0;
	if (length == 2 && memcmp(name, "..", 2) == 0)
		return step_up(out, error);
	if (name[0] == '%' && anim_map_get(&tree->names, SCOPE_UNIQUE, name + 1, length - 1, &node)) {
		out->size = 0;
		return node == 0 ? 0 : godot_tree_path(tree, node, out, error);
	}
	if (out->size > 0 && anim_buffer_append(out, "/", 1, error) != 0)
		return -1;
	return anim_buffer_append(out, name, length, error);
}

const char *godot_tree_resolve(const struct godot_tree *tree, uint32_t from, const char *relative,
			       struct anim_arena *arena, struct anim_error *error)
{
	size_t length = strcspn(relative, ":");
	struct anim_buffer out = {0};
	const char *result = NULL;

	if (length > 0 && relative[0] == '/')
		return anim_arena_text(arena, relative, length, error);
	if (from != 0 && godot_tree_path(tree, from, &out, error) != 0)
		goto done;
	for (size_t at = 0; at < length;) {
		size_t name = strcspn(relative + at, "/:");

		if (step_text(tree, &out, relative + at, name, error) != 0)
			goto done;
		at += name + 1;
	}
	result = out.size == 0 ? "." : anim_arena_text(arena, (const char *)out.data, out.size, error);
done:
	anim_buffer_clear(&out);
	return result;
}

struct godot_bone *godot_bone_find(const struct godot_tree *tree, uint32_t node, uint32_t index)
{
	uint32_t at;

	if (!anim_map_get(&tree->names, bone_scope(node, index), "", 0, &at))
		return NULL;
	return (struct godot_bone *)godot_tree_node(tree, node)->extra->bones.data + at;
}

/* Adds it, all identity, to a node that has an extra; NULL out of memory. */
static struct godot_bone *bone_add(struct godot_tree *tree, uint32_t node, uint32_t index, struct anim_error *error)
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

/* --- bones/N/WHAT of a Skeleton, Skeleton3D, or of an instance that overrides one --- */

/* Splits bones/N/WHAT; NULL where the property is none. */
static const char *split_bone(const char *property, uint32_t *index)
{
	static const char prefix[] = "bones/";
	const char *digits = property + sizeof prefix - 1;
	size_t count;

	if (strncmp(property, prefix, sizeof prefix - 1) != 0)
		return NULL;
	count = strspn(digits, "0123456789");
	if (count == 0 || count > 9 || digits[count] != '/')
		return NULL;
	*index = 0;
	for (size_t i = 0; i < count; i++)
		*index = 10 * *index + (uint32_t)(digits[i] - '0');
	return digits + count + 1;
}

bool godot_bone_is(const char *property)
{
	uint32_t index;
	const char *what = split_bone(property, &index);

	return what != NULL && anim_text_is_word("name parent rest pose position rotation scale enabled", what);
}

static int set_name(struct godot_bone *bone, const struct godot_value *value, struct anim_arena *arena,
		    struct anim_error *error)
{
	if ((value->type != GODOT_STRING && value->type != GODOT_STRING_NAME) || value->text.length == 0)
		return 0;
	bone->name = anim_arena_text(arena, value->text.bytes, value->text.length, error);
	return bone->name == NULL ? -1 : 0;
}

static void set_parent(struct godot_bone *bone, const struct godot_value *value)
{
	if (value->type == GODOT_INT && value->integer >= 0 && value->integer < GODOT_NO_BONE)
		bone->parent = (uint32_t)value->integer;
	else
		bone->parent = GODOT_NO_BONE;
}

/* A rest or a pose as a whole; one that is not finite counts as not given. */
static void set_bone_transform(struct godot_bone *bone, float *components, unsigned flags,
			       const struct godot_value *value)
{
	float pose[GODOT_POSE_COMPONENTS];

	if (value->type != GODOT_TRANSFORM3D)
		return;
	pose_of_transform(value->numbers, pose);
	if (!godot_pose_finite(pose))
		return;
	memcpy(components, pose, sizeof pose);
	bone->flags |= flags;
}

/* Some components of the pose, as Godot 4 writes it. */
static void set_components(struct godot_bone *bone, size_t first, size_t count, enum godot_type type, unsigned flag,
			   const struct godot_value *value)
{
	float pose[GODOT_POSE_COMPONENTS];

	if (value->type != type)
		return;
	memcpy(pose, bone->pose, sizeof pose);
	for (size_t i = 0; i < count; i++)
		pose[first + i] = (float)value->numbers[i];
	if (!godot_pose_finite(pose))
		return;
	memcpy(bone->pose, pose, sizeof pose);
	bone->flags |= flag;
}

static void set_enabled(struct godot_bone *bone, const struct godot_value *value)
{
	if (value->type != GODOT_BOOL)
		return;
	bone->flags &= ~GODOT_BONE_DISABLED;
	if (!value->boolean)
		bone->flags |= GODOT_BONE_DISABLED;
}

static int set_bone(struct godot_bone *bone, const char *what, const struct godot_value *value,
		    struct anim_arena *arena, struct anim_error *error)
{
	const unsigned whole = GODOT_BONE_POSITION | GODOT_BONE_ROTATION | GODOT_BONE_SCALE;

	if (strcmp(what, "name") == 0)
		return set_name(bone, value, arena, error);
	if (strcmp(what, "parent") == 0)
		set_parent(bone, value);
	else if (strcmp(what, "rest") == 0)
		set_bone_transform(bone, bone->rest, GODOT_BONE_REST, value);
	else if (strcmp(what, "pose") == 0)
		set_bone_transform(bone, bone->pose, whole | GODOT_BONE_RELATIVE, value);
	else if (strcmp(what, "position") == 0)
		set_components(bone, 0, 3, GODOT_VECTOR3, GODOT_BONE_POSITION, value);
	else if (strcmp(what, "rotation") == 0)
		set_components(bone, 3, 4, GODOT_QUATERNION, GODOT_BONE_ROTATION, value);
	else if (strcmp(what, "scale") == 0)
		set_components(bone, 7, 3, GODOT_VECTOR3, GODOT_BONE_SCALE, value);
	else
		set_enabled(bone, value);
	return 0;
}

int godot_bone_set(struct godot_tree *tree, uint32_t node, const char *property, const struct godot_value *value,
		   struct anim_arena *arena, struct anim_error *error)
{
	struct godot_bone *bone;
	uint32_t index;
	const char *what = split_bone(property, &index);

	if (godot_tree_extra(tree, node, arena, error) == NULL)
		return -1;
	bone = godot_bone_find(tree, node, index);
	if (bone == NULL && (bone = bone_add(tree, node, index, error)) == NULL)
		return -1;
	return set_bone(bone, what, value, arena, error);
}

/* --- The nodes of an instanced scene become part of the scene that instances it --- */

static int copy_bones(struct godot_tree *tree, uint32_t node, const struct anim_buffer *bones, struct anim_error *error)
{
	const struct godot_bone *from = (const struct godot_bone *)bones->data;

	for (size_t i = 0; i < bones->size / sizeof *from; i++) {
		struct godot_bone *bone = bone_add(tree, node, from[i].index, error);

		if (bone == NULL)
			return -1;
		*bone = from[i];
	}
	return 0;
}

/* The settings of an instanced player count for libraries that the outer scene adds to it; its own clips are its file's. */
static int copy_player(struct godot_node_extra *extra, uint32_t node, const struct godot_player *from,
		       struct anim_arena *arena, struct anim_error *error)
{
	extra->player = anim_arena_zeroed(arena, 1, sizeof *extra->player, error);
	if (extra->player == NULL)
		return -1;
	extra->player->node = node;
	extra->player->root_node = from->root_node;
	extra->player->autoplay = from->autoplay;
	return 0;
}

static int copy_extra(struct godot_tree *tree, uint32_t node, const struct godot_node_extra *from,
		      struct anim_arena *arena, struct anim_error *error)
{
	struct godot_node_extra *extra = godot_tree_extra(tree, node, arena, error);

	if (extra == NULL)
		return -1;
	if (extra->instance == NULL)
		extra->instance = from->instance;
	extra->bone_name = from->bone_name;
	extra->bone_index = from->bone_index;
	memcpy(extra->rest, from->rest, sizeof extra->rest);
	extra->has_rest = from->has_rest;
	if (from->player != NULL && copy_player(extra, node, from->player, arena, error) != 0)
		return -1;
	return copy_bones(tree, node, &from->bones, error);
}

/* What an instanced node says passes to `node`, which says nothing itself yet. */
static int copy_node(struct godot_tree *tree, uint32_t node, const struct godot_node *from, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct godot_node *to = godot_tree_node(tree, node);
	struct godot_placement *placement;

	if (to->type[0] == '\0')
		to->type = from->type;
	to->flags |= from->flags & GODOT_NODE_UNREAD;
	if (from->placement != NULL) {
		placement = godot_tree_placement(tree, node, arena, error);
		if (placement == NULL)
			return -1;
		*placement = *from->placement;
	}
	return from->extra == NULL ? 0 : copy_extra(tree, node, from->extra, arena, error);
}

int godot_tree_merge(struct godot_tree *tree, uint32_t node, const struct godot_tree *inner, struct anim_arena *arena,
		     struct anim_error *error)
{
	uint32_t first = godot_tree_count(tree), count = godot_tree_count(inner), at;

	if (count == 0)
		return 0;
	if (copy_node(tree, node, godot_tree_node(inner, 0), arena, error) != 0)
		return -1;
	for (uint32_t i = 1; i < count; i++) {
		const struct godot_node *from = godot_tree_node(inner, i);
		uint32_t parent = from->parent == 0 ? node : first + from->parent - 1;

		if (godot_tree_add(tree, parent, from->name, from->type, &at, error) != 0 ||
		    copy_node(tree, at, from, arena, error) != 0)
			return -1;
		if ((from->flags & GODOT_NODE_UNIQUE) && godot_tree_unique(tree, at, error) != 0)
			return -1;
	}
	return 0;
}
