/* writer_scene.c: the nodes of a scene, their bones, and the players of its clips. */
#include <string.h>

#include "base/input.h"
#include "base/number.h"
#include "format/godot/scene.h"
#include "format/godot/writer_internal.h"
#include "math/basis.h"
#include "math/euler.h"

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
	const char *node = godot_emit_track_node(&writer->names, t, &writer->scratch, error), *root = clip->root,
		   *path = NULL;
	struct anim_error trouble = {0};
	uint32_t number = GODOT_NO_PARENT;

	if (node == NULL)
		return -1;
	if (node[0] == '/') /* from the root of the running game, not of the scene */
		return 0;
	if (node[0] == '%')
		root = godot_nodes_unique(&writer->nodes, root, &node, &writer->scratch, &trouble);
	if (root != NULL)
		path = anim_tree_path(root, node, &writer->scratch, &trouble);
	if (path != NULL)
		number = godot_nodes_need(&writer->nodes, path, class_for(t, plan), &trouble);
	if (number != GODOT_NO_PARENT)
		godot_writer_furnish(writer, number, t, plan, &trouble);
	if (trouble.code == ANIM_OK)
		return 0;
	*error = trouble;
	return -1;
}

static void emit_name_value(struct godot_emit *emit, const char *name, const char *word, const float *numbers,
			    size_t count)
{
	godot_emit_text(emit, name);
	godot_emit_text(emit, " = ");
	godot_emit_reals(emit, word, numbers, count);
	godot_emit_text(emit, "\n");
}

static void emit_number(struct godot_emit *emit, const char *name, double value)
{
	godot_emit_text(emit, name);
	godot_emit_text(emit, " = ");
	godot_emit_float(emit, value, true);
	godot_emit_text(emit, "\n");
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
static void emit_transform(struct godot_emit *emit, const char *name, const float position[3], const float rotation[4],
			   const float scale[3])
{
	float m[16], numbers[12];

	anim_transform_compose(m, position, rotation, scale);
	for (int row = 0; row < 3; row++) {
		memcpy(numbers + 3 * row, m + 4 * row, 3 * sizeof *numbers);
		numbers[9 + row] = m[4 * row + 3];
	}
	emit_name_value(emit, name, godot_emit_is_3(emit) ? "Transform" : "Transform3D", numbers, 12);
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

static void emit_flat(struct godot_emit *emit, const struct godot_scene_node *node)
{
	double angle = angle_of(node->rotation);
	float skew = 0;

	if (node->position[0] != 0 || node->position[1] != 0)
		emit_name_value(emit, "position", "Vector2", node->position, 2);
	if ((float)angle != 0)
		emit_number(emit, "rotation", angle);
	if (node->scale[0] != 1 || node->scale[1] != 1)
		emit_name_value(emit, "scale", "Vector2", node->scale, 2);
	read_numbers(node->skew, &skew, 1);
	if (skew != 0 && !godot_emit_is_3(emit))
		emit_number(emit, "skew", (double)skew);
}

static void emit_placement(struct godot_emit *emit, const struct godot_scene_node *node)
{
	int order = anim_euler_order_find(node->order);

	if (node->has & ANIM_HAS_2D) {
		emit_flat(emit, node);
		return;
	}
	if (!is_identity(node))
		emit_transform(emit, "transform", node->position, node->rotation, node->scale);
	if (order >= 0 && order != ANIM_EULER_YXZ && !godot_emit_is_3(emit)) {
		godot_emit_text(emit, "rotation_order = ");
		godot_emit_int(emit, order);
		godot_emit_text(emit, "\n");
	}
}

static void emit_bone_name(struct godot_emit *emit, uint32_t index, const char *name)
{
	godot_emit_text(emit, "bones/");
	godot_emit_number(emit, index);
	godot_emit_text(emit, "/");
	godot_emit_text(emit, name);
}

static void emit_bone_value(struct godot_emit *emit, uint32_t index, const char *name, const char *word,
			    const float *numbers, size_t count)
{
	emit_bone_name(emit, index, "");
	emit_name_value(emit, name, word, numbers, count);
}

/* Godot 4 keeps a pose in three parts; Godot 3's is relative to the rest, which is shown where it has none. */
static void emit_pose(struct godot_emit *emit, const struct godot_scene_node *bone)
{
	float pose[GODOT_POSE_LANES];

	memcpy(pose, bone->position, sizeof bone->position);
	memcpy(pose + 3, bone->rotation, sizeof bone->rotation);
	memcpy(pose + 7, bone->scale, sizeof bone->scale);
	read_numbers(bone->pose, pose, GODOT_POSE_LANES);
	emit_bone_value(emit, bone->bone_index, "position", "Vector3", pose, 3);
	emit_bone_value(emit, bone->bone_index, "rotation", "Quaternion", pose + 3, 4);
	emit_bone_value(emit, bone->bone_index, "scale", "Vector3", pose + 7, 3);
}

static void emit_bone(struct godot_emit *emit, const struct godot_scene_node *bone)
{
	emit_bone_name(emit, bone->bone_index, "name = ");
	godot_emit_quoted(emit, bone->name, strlen(bone->name), true);
	godot_emit_text(emit, "\n");
	emit_bone_name(emit, bone->bone_index, "parent = ");
	godot_emit_int(emit, bone->bone_parent == GODOT_NO_PARENT ? -1 : (int64_t)bone->bone_parent);
	godot_emit_text(emit, "\n");
	emit_bone_name(emit, bone->bone_index, "");
	emit_transform(emit, "rest", bone->position, bone->rotation, bone->scale);
	emit_bone_name(emit, bone->bone_index, bone->disabled ? "enabled = false\n" : "enabled = true\n");
	if (!godot_emit_is_3(emit))
		emit_pose(emit, bone);
}

static void emit_node_tag(struct godot_writer *writer, const struct godot_scene_node *node)
{
	struct godot_emit *emit = &writer->emit;
	const char *name = writer->nodes.root_name;
	bool root = node->parent == GODOT_NO_PARENT;

	if (!root)
		name = node->name;
	else if (name == NULL || name[0] == '\0')
		name = "Root";
	godot_emit_text(emit, "[node name=");
	godot_emit_quoted(emit, name, strlen(name), false);
	godot_emit_text(emit, " type=");
	godot_emit_quoted(emit, node->class, strlen(node->class), false);
	if (!root) {
		const char *parent = godot_nodes_at(&writer->nodes, node->parent)->path;

		godot_emit_text(emit, " parent=");
		godot_emit_quoted(emit, parent, strlen(parent), false);
	}
	godot_emit_text(emit, "]\n");
}

/* The first bone of each node, and of each bone the next of its skeleton: number + 1, 0: none. NULL out of memory. */
struct bone_links {
	uint32_t *first, *last, *next;
};

static int link_bones(struct godot_writer *writer, struct bone_links *links, struct anim_error *error)
{
	size_t count = godot_nodes_count(&writer->nodes);
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

/*
 * Players are named by their nodes, so that these must be there before the first is written. Godot 3's AnimationTrees
 * hold no clips.
 */
static int need_players(struct godot_writer *writer, size_t count, struct anim_error *error)
{
	for (size_t i = 0; i < count; i++) {
		struct anim_error trouble = {0};
		uint32_t number =
		    godot_nodes_need(&writer->nodes, godot_writer_clip(writer, i)->player, "AnimationPlayer", &trouble);

		if (trouble.code != ANIM_OK) {
			*error = trouble;
			return -1;
		}
		if (godot_emit_is_3(&writer->emit) && number != GODOT_NO_PARENT &&
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
	for (uint32_t i = 0; i < godot_nodes_count(&writer->nodes); i++) {
		const struct godot_scene_node *node = godot_nodes_at(&writer->nodes, i);

		if (node->bone)
			continue;
		godot_emit_text(&writer->emit, i > 0 ? "\n" : "");
		emit_node_tag(writer, node);
		if (node->unique)
			godot_emit_text(&writer->emit, "unique_name_in_owner = true\n");
		emit_placement(&writer->emit, node);
		godot_writer_furniture(&writer->emit, node);
		for (uint32_t bone = links.first[i]; bone != 0; bone = links.next[bone - 1])
			emit_bone(&writer->emit, godot_nodes_at(&writer->nodes, bone - 1));
		if (godot_writer_player(writer, order, count, node->path, error) != 0)
			return -1;
	}
	return writer->emit.print.failed ? -1 : 0;
}
