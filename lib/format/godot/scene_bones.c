/* scene_bones.c: bones/N/WHAT of a Skeleton, Skeleton3D, or of an instance that overrides one. */
#include <string.h>

#include "format/godot/scene.h"

/* Splits bones/N/WHAT; NULL where the property is none. */
static const char *split(const char *property, uint32_t *index)
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
	const char *what = split(property, &index);

	return what != NULL &&
	       (strcmp(what, "name") == 0 || strcmp(what, "parent") == 0 || strcmp(what, "rest") == 0 ||
		strcmp(what, "pose") == 0 || strcmp(what, "position") == 0 || strcmp(what, "rotation") == 0 ||
		strcmp(what, "scale") == 0 || strcmp(what, "enabled") == 0);
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
static void set_transform(struct godot_bone *bone, float *lanes, unsigned flags, const struct godot_value *value)
{
	float pose[GODOT_POSE_LANES];

	if (value->type != GODOT_TRANSFORM3D)
		return;
	godot_pose_of_transform(value->numbers, pose);
	if (!godot_pose_finite(pose))
		return;
	memcpy(lanes, pose, sizeof pose);
	bone->flags |= flags;
}

/* Some lanes of the pose, as Godot 4 writes it. */
static void set_lanes(struct godot_bone *bone, size_t first, size_t count, enum godot_type type, unsigned flag,
		      const struct godot_value *value)
{
	float pose[GODOT_POSE_LANES];

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

static int set(struct godot_bone *bone, const char *what, const struct godot_value *value, struct anim_arena *arena,
	       struct anim_error *error)
{
	const unsigned whole = GODOT_BONE_POSITION | GODOT_BONE_ROTATION | GODOT_BONE_SCALE;

	if (strcmp(what, "name") == 0)
		return set_name(bone, value, arena, error);
	if (strcmp(what, "parent") == 0)
		set_parent(bone, value);
	else if (strcmp(what, "rest") == 0)
		set_transform(bone, bone->rest, GODOT_BONE_REST, value);
	else if (strcmp(what, "pose") == 0)
		set_transform(bone, bone->pose, whole | GODOT_BONE_RELATIVE, value);
	else if (strcmp(what, "position") == 0)
		set_lanes(bone, 0, 3, GODOT_VECTOR3, GODOT_BONE_POSITION, value);
	else if (strcmp(what, "rotation") == 0)
		set_lanes(bone, 3, 4, GODOT_QUATERNION, GODOT_BONE_ROTATION, value);
	else if (strcmp(what, "scale") == 0)
		set_lanes(bone, 7, 3, GODOT_VECTOR3, GODOT_BONE_SCALE, value);
	else
		set_enabled(bone, value);
	return 0;
}

int godot_bone_set(struct godot_tree *tree, uint32_t node, const char *property, const struct godot_value *value,
		   struct anim_arena *arena, struct anim_error *error)
{
	struct godot_bone *bone;
	uint32_t index;
	const char *what = split(property, &index);

	if (godot_tree_extra(tree, node, arena, error) == NULL)
		return -1;
	bone = godot_bone_find(tree, node, index);
	if (bone == NULL && (bone = godot_bone_add(tree, node, index, error)) == NULL)
		return -1;
	return set(bone, what, value, arena, error);
}
