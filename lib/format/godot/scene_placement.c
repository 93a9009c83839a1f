/* scene_placement.c: what Godot's transform properties say -> position, rotation, scale. */
#include <math.h>
#include <string.h>

#include "format/godot/scene.h"
#include "math/elementary.h"
#include "math/euler.h"

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
	for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
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

/* A vector of three lanes, or of two, which makes the node two-dimensional. */
static bool set_vector(struct godot_placement *placement, float *lanes, uint8_t bit, const struct godot_value *value)
{
	if (value->type != GODOT_VECTOR3 && value->type != GODOT_VECTOR2)
		return false;
	to_floats(lanes, value->numbers, value->type == GODOT_VECTOR3 ? 3 : 2);
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
	float pose[GODOT_POSE_LANES], numbers[6];
	double basis[12] = {0};

	switch (value->type) {
	case GODOT_TRANSFORM3D:
		godot_pose_of_transform(value->numbers, pose);
		set_pose(placement, pose, true);
		return true;
	case GODOT_BASIS:
		memcpy(basis, value->numbers, 9 * sizeof *basis);
		godot_pose_of_transform(basis, pose);
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

static bool all_finite(const float *lanes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(lanes[i]))
			return false;
	return true;
}

/* Copies the lanes where they are given and finite; false where they are not finite. */
static bool put(struct anim_node *node, float *to, const float *lanes, size_t count, unsigned given, unsigned bit)
{
	if (!(given & bit))
		return true;
	if (!all_finite(lanes, count))
		return false;
	memcpy(to, lanes, count * sizeof *lanes);
	node->has |= (uint8_t)bit;
	return true;
}

bool godot_placement_get(const struct godot_placement *placement, struct anim_node *node)
{
	size_t lanes = placement->has & ANIM_HAS_2D ? 2 : 3;
	float rotation[4] = {0, 0, 0, 1};
	bool finite;

	if (placement->has & ANIM_HAS_ROTATION)
		get_rotation(placement, rotation);
	node->has |= placement->has & ANIM_HAS_2D;
	finite = put(node, node->position, placement->position, lanes, placement->has, ANIM_HAS_POSITION);
	finite &= put(node, node->rotation, rotation, 4, placement->has, ANIM_HAS_ROTATION);
	finite &= put(node, node->scale, placement->scale, lanes, placement->has, ANIM_HAS_SCALE);
	return finite;
}
