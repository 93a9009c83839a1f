/* scene_write.c: the tree as TREE and NODE records. */
#include <string.h>

#include "base/limits.h"
#include "base/number.h"
#include "format/godot/library.h"
#include "format/godot/scene.h"
#include "math/euler.h"

/* What one record needs while it is written. */
struct writing {
	struct godot_tree *tree;
	struct anim_sink *sink;
	struct anim_losses *losses;
	const char *shown;       /* the file, for messages */
	uint32_t count;          /* NODEs written */
	struct anim_buffer path; /* of the node, with NUL */
	struct anim_attr attrs[8];
	size_t attr_count;
	char pose[GODOT_POSE_LANES * (ANIM_NUMBER_MAX + 1)], skew[ANIM_NUMBER_MAX + 1];
};

/* The keys must come in the order of their bytes. */
static void add_attr(struct writing *writing, const char *key, const char *value)
{
	writing->attrs[writing->attr_count++] = (struct anim_attr){key, value};
}

/* Warns of the node of this name. */
static int warn(struct writing *writing, const char *many, const char *name, const char *text, struct anim_error *error)
{
	struct anim_place place = {.file = writing->shown, .at = ANIM_AT_FILE};

	if (anim_losses_add(writing->losses, ANIM_WARNING, &place, many, error, "node '%s': %s", name, text) != 0)
		return -1;
	return anim_losses_name(writing->losses, error, "'%s'", name);
}

static void print_pose(struct writing *writing, const float *pose)
{
	char *at = writing->pose;

	for (size_t i = 0; i < GODOT_POSE_LANES; i++) {
		if (i > 0)
			*at++ = ' ';
		at += anim_number_print_float(at, pose[i]);
	}
	*at = '\0';
}

static int write_node(struct writing *writing, struct anim_node *node, uint32_t *number, struct anim_error *error)
{
	if (anim_buffer_append(&writing->path, "", 1, error) != 0)
		return -1;
	if (writing->path.size - 1 > ANIM_NAME_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "the path of a node is longer than %u bytes", ANIM_NAME_MAX);
	node->path = (const char *)writing->path.data;
	node->attrs = (struct anim_attrs){writing->attrs, writing->attr_count};
	*number = writing->count++;
	return anim_sink_node(writing->sink, node, error);
}

/* The rest of a Bone2D is its transform; what the scene places it at is its pose. */
static void place_bone2d(struct writing *writing, const struct godot_node_extra *extra, struct anim_node *node)
{
	float rest[GODOT_POSE_LANES], pose[GODOT_POSE_LANES], skew;

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
	if (godot_pose_equal(rest, pose))
		return;
	print_pose(writing, pose);
	add_attr(writing, "godot.pose", writing->pose);
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

static void add_extra_attrs(struct writing *writing, const struct godot_node *from, struct anim_node *node)
{
	const char *bone = attached_bone(writing->tree, from);

	if (bone != NULL)
		add_attr(writing, "godot.bone", bone);
	if (from->extra->instance != NULL)
		add_attr(writing, "godot.instance", from->extra->instance);
	if (from->extra->has_rest && node->kind == ANIM_NODE_BONE)
		place_bone2d(writing, from->extra, node);
}

static int add_placement(struct writing *writing, const struct godot_node *from, struct anim_node *node,
			 struct anim_error *error)
{
	if (!godot_placement_get(from->placement, node) &&
	    warn(writing, "nodes have a transform that is not finite, it is left out", from->name,
		 "its transform is not finite and is left out", error) != 0)
		return -1;
	return 0;
}

static int write_own(struct writing *writing, uint32_t at, struct anim_error *error)
{
	struct godot_node *from = godot_tree_node(writing->tree, at);
	struct anim_node node = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .type = from->type};
	const struct godot_placement *placement = from->placement;

	node.kind = (uint8_t)godot_class_kind(from->type);
	node.has = godot_class_is_2d(from->type) ? ANIM_HAS_2D : 0;
	node.parent = at == 0 ? ANIM_NO_PARENT : godot_tree_node(writing->tree, from->parent)->number;
	writing->attr_count = 0;
	writing->path.size = 0;
	if (placement != NULL && add_placement(writing, from, &node, error) != 0)
		return -1;
	if (from->extra != NULL)
		add_extra_attrs(writing, from, &node);
	if (placement != NULL && (placement->has & GODOT_SKEW) && placement->skew != 0) {
		writing->skew[anim_number_print_float(writing->skew, placement->skew)] = '\0';
		add_attr(writing, "godot.skew", writing->skew);
	}
	if (from->flags & GODOT_NODE_UNIQUE)
		add_attr(writing, "godot.unique_name", "true");
	if (placement != NULL && placement->rotation_order != ANIM_EULER_YXZ)
		add_attr(writing, "rotation_order", anim_euler_order_names[placement->rotation_order]);
	if (godot_tree_path(writing->tree, at, &writing->path, error) != 0)
		return -1;
	return write_node(writing, &node, &from->number, error);
}

/* The pose where it differs from the rest: what the file leaves out is the rest's. */
static void add_pose(struct writing *writing, const struct godot_bone *bone)
{
	float pose[GODOT_POSE_LANES];

	memcpy(pose, bone->rest, sizeof pose);
	if (bone->flags & GODOT_BONE_RELATIVE) {
		memcpy(pose, bone->pose, sizeof pose);
		godot_pose_multiply(bone->rest, pose);
	} else {
		if (bone->flags & GODOT_BONE_POSITION)
			memcpy(pose, bone->pose, 3 * sizeof *pose);
		if (bone->flags & GODOT_BONE_ROTATION)
			memcpy(pose + 3, bone->pose + 3, 4 * sizeof *pose);
		if (bone->flags & GODOT_BONE_SCALE)
			memcpy(pose + 7, bone->pose + 7, 3 * sizeof *pose);
	}
	if (!godot_pose_finite(pose) || godot_pose_equal(pose, bone->rest))
		return;
	print_pose(writing, pose);
	add_attr(writing, "godot.pose", writing->pose);
}

static int bone_path(struct writing *writing, uint32_t skeleton, const struct godot_bone *bone,
		     struct anim_error *error)
{
	char number[ANIM_NUMBER_MAX + 1] = "#";
	size_t length = 1 + anim_number_print_uint64(number + 1, bone->index);

	writing->path.size = 0;
	if (godot_tree_path(writing->tree, skeleton, &writing->path, error) != 0 ||
	    anim_buffer_append(&writing->path, ":", 1, error) != 0)
		return -1;
	if (bone->name != NULL)
		return anim_buffer_append(&writing->path, bone->name, strlen(bone->name), error);
	return anim_buffer_append(&writing->path, number, length, error);
}

static int write_bone(struct writing *writing, uint32_t skeleton, struct godot_bone *bone, struct anim_error *error)
{
	struct anim_node node = {.kind = ANIM_NODE_BONE, .type = ""};
	const struct godot_bone *parent = godot_bone_find(writing->tree, skeleton, bone->parent);

	writing->attr_count = 0;
	node.parent = bone->parent == GODOT_NO_BONE || parent == NULL ? godot_tree_node(writing->tree, skeleton)->number
								      : parent->number;
	if (bone->flags & GODOT_BONE_REST)
		node.has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE;
	memcpy(node.position, bone->rest, sizeof node.position);
	memcpy(node.rotation, bone->rest + 3, sizeof node.rotation);
	memcpy(node.scale, bone->rest + 7, sizeof node.scale);
	if (bone->flags & GODOT_BONE_DISABLED)
		add_attr(writing, "godot.enabled", "false");
	add_pose(writing, bone);
	if (bone_path(writing, skeleton, bone, error) != 0)
		return -1;
	return write_node(writing, &node, &bone->number, error);
}

/* Marks in bone->number while the order is found. */
#define BONE_WAITING 0xFFFFFFFFu
#define BONE_ASKED 0xFFFFFFFEu

/* Puts the bone and its ancestors that are not written yet on the stack; parents that run in a ring are cut. */
static int push_chain(struct writing *writing, uint32_t skeleton, struct godot_bone *bone, struct anim_buffer *stack,
		      struct anim_error *error)
{
	while (bone != NULL && bone->number == BONE_WAITING) {
		struct godot_bone *parent = godot_bone_find(writing->tree, skeleton, bone->parent);

		bone->number = BONE_ASKED;
		if (anim_buffer_append(stack, &bone, sizeof bone, error) != 0)
			return -1;
		if (parent != NULL && parent->number == BONE_ASKED) {
			bone->parent = GODOT_NO_BONE;
			return warn(writing, "bones have parents that run in a ring; they are hung under the skeleton",
				    godot_tree_node(writing->tree, skeleton)->name,
				    "the parents of a bone run in a ring; it is hung under the skeleton", error);
		}
		bone = parent;
	}
	return 0;
}

static int write_chain(struct writing *writing, uint32_t skeleton, struct anim_buffer *stack, struct anim_error *error)
{
	struct godot_bone **bones = (struct godot_bone **)stack->data;

	for (size_t i = stack->size / sizeof *bones; i-- > 0;)
		if (write_bone(writing, skeleton, bones[i], error) != 0)
			return -1;
	stack->size = 0;
	return 0;
}

static int write_bones(struct writing *writing, uint32_t skeleton, struct anim_error *error)
{
	const struct anim_buffer *bones = &godot_tree_node(writing->tree, skeleton)->extra->bones;
	struct godot_bone *bone = (struct godot_bone *)bones->data;
	size_t count = bones->size / sizeof *bone;
	struct anim_buffer stack = {0};
	int result = 0;

	for (size_t i = 0; i < count; i++)
		bone[i].number = BONE_WAITING;
	for (size_t i = 0; i < count && result == 0; i++) {
		result = push_chain(writing, skeleton, &bone[i], &stack, error);
		if (result == 0)
			result = write_chain(writing, skeleton, &stack, error);
	}
	anim_buffer_clear(&stack);
	return result;
}

static int write_tree(struct writing *writing, const char *source_file, const char *left, struct anim_error *error)
{
	uint32_t count = godot_tree_count(writing->tree);
	struct anim_attr attr = {"godot.left", left};
	struct anim_tree head = {.axes = ANIM_AXES_GODOT,
				 .axes2d = ANIM_AXES2D_GODOT,
				 .source_file = source_file,
				 .attrs = {&attr, left[0] != '\0'}};

	head.root_name = count == 0 ? "" : godot_tree_node(writing->tree, 0)->name;
	if (anim_sink_tree(writing->sink, &head, error) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		if (write_own(writing, i, error) != 0)
			return -1;
		if (godot_tree_node(writing->tree, i)->extra != NULL && write_bones(writing, i, error) != 0)
			return -1;
	}
	return 0;
}

int godot_scene_write(struct godot_tree *tree, const char *source_file, const char *shown, const char *left,
		      struct anim_losses *losses, struct anim_sink *sink, struct anim_error *error)
{
	struct writing writing = {.tree = tree, .sink = sink, .losses = losses, .shown = shown};
	int result = write_tree(&writing, source_file, left, error);

	anim_buffer_clear(&writing.path);
	return result;
}
