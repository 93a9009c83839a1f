/* animation_path.c: the NodePath of a track -> node, property and component. */
#include "format/godot/animation_path.h"

#include <stddef.h>
#include <string.h>

#include "clip/track.h"

/* What Godot calls a property, and what the model calls it. `euler` and `angle` are told apart by the type. */
struct property_name {
	const char *godot, *name;
};

static const struct property_name property_names[] = {
    {"translation", "position"},           {"quaternion", "rotation"},   {"transform/pos", "position"},
    {"transform/translation", "position"}, {"transform/scale", "scale"}, {"visibility/visible", "visible"},
};

/* Length of the path without colons at its end, which Blender's exporter writes. */
static size_t trimmed_length(const char *path)
{
	size_t length = strlen(path);

	while (length > 0 && path[length - 1] == ':')
		length--;
	return length;
}

static int copy_node(struct godot_target *target, const char *path, size_t length, struct anim_arena *arena,
		     struct anim_error *error)
{
	target->node = length == 0 ? "." : anim_arena_text(arena, path, length, error);
	return target->node != NULL ? 0 : -1;
}

bool godot_path_is_bone(const char *path)
{
	const char *colon = strchr(path, ':');

	return colon != NULL && (size_t)(colon - path) < trimmed_length(path);
}

int godot_target_of_node(const char *path, const char *property, struct anim_arena *arena, struct godot_target *target,
			 struct anim_error *error)
{
	*target = (struct godot_target){.property = property, .component = ANIM_WHOLE};
	return copy_node(target, path, trimmed_length(path), arena, error);
}

/* prefix + text, in the arena. */
static const char *joined(const char *prefix, const char *text, size_t length, struct anim_arena *arena,
			  struct anim_error *error)
{
	size_t head = strlen(prefix);
	char *name = anim_arena_alloc(arena, head + length + 1, error);

	if (name == NULL)
		return NULL;
	memcpy(name, prefix, head);
	memcpy(name + head, text, length);
	name[head + length] = '\0';
	return name;
}

int godot_target_of_blend_shape(const char *path, struct anim_arena *arena, struct godot_target *target,
				struct anim_error *error)
{
	size_t length = trimmed_length(path);
	const char *colon = memchr(path, ':', length);
	size_t node = colon != NULL ? (size_t)(colon - path) : length;
	size_t name = colon != NULL ? node + 1 : length;

	*target = (struct godot_target){.component = ANIM_WHOLE};
	target->property = joined("blend_shape/", path + name, length - name, arena, error);
	return target->property != NULL ? copy_node(target, path, node, arena, error) : -1;
}

static bool is_one_number(enum anim_type type)
{
	return type == ANIM_FLOAT || type == ANIM_DOUBLE || type == ANIM_INT || type == ANIM_LONG;
}

/* The lane that a subname of one letter means, or ANIM_WHOLE. */
static uint8_t lane_of_letter(char letter)
{
	static const char letters[] = "xyzwrgba";
	const char *at = letter != '\0' ? strchr(letters, letter) : NULL;

	return (uint8_t)(at != NULL ? (at - letters) % 4 : (ptrdiff_t)ANIM_WHOLE);
}

/* Takes ":x" or ".x" off the end of a property whose values are numbers: the length that remains. */
static size_t split_component(const char *property, size_t length, struct godot_target *target)
{
	uint8_t lane;

	if (length < 3 || (property[length - 2] != ':' && property[length - 2] != '.'))
		return length;
	lane = lane_of_letter(property[length - 1]);
	if (lane == ANIM_WHOLE)
		return length;
	target->component = lane;
	target->dotted = property[length - 2] == '.';
	return length - 2;
}

static bool equals(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* `rotation` and `rotation_degrees` are Euler angles in 3-D, one angle in 2-D; a quaternion stays `rotation`. */
static const char *rotation_name(enum anim_type type, bool degrees, struct godot_target *target)
{
	const char *name = NULL;

	if (type == ANIM_FLOAT3 || target->component != ANIM_WHOLE)
		name = "euler";
	else if (is_one_number(type))
		name = "angle";
	target->euler = name != NULL && name[0] == 'e';
	target->degrees = name != NULL && degrees;
	return name;
}

/* The canonical name of a property, or NULL where its own text stays. */
static const char *canonical_name(const char *text, size_t length, enum anim_type type, struct godot_target *target)
{
	if (equals(text, length, "rotation"))
		return rotation_name(type, false, target);
	if (equals(text, length, "rotation_degrees"))
		return rotation_name(type, true, target);
	/* Godot 2 turned the other way round, so the angle keeps its name; the unit is known. */
	if (equals(text, length, "transform/rot"))
		target->degrees = is_one_number(type);
	target->spatial = equals(text, length, "translation");
	for (size_t i = 0; i < sizeof property_names / sizeof *property_names; i++)
		if (equals(text, length, property_names[i].godot))
			return property_names[i].name;
	return NULL;
}

int godot_target_of_property(const char *path, enum anim_type type, struct anim_arena *arena,
			     struct godot_target *target, struct anim_error *error)
{
	static const char shapes[] = "blend_shapes/";
	size_t length = trimmed_length(path);
	const char *colon = memchr(path, ':', length);
	size_t node = colon != NULL ? (size_t)(colon - path) : length;
	const char *text = path + (colon != NULL ? node + 1 : length);

	*target = (struct godot_target){.component = ANIM_WHOLE};
	if (copy_node(target, path, node, arena, error) != 0)
		return -1;
	length -= (size_t)(text - path);
	if (length >= sizeof shapes && memcmp(text, shapes, sizeof shapes - 1) == 0) {
		target->property =
		    joined("blend_shape/", text + sizeof shapes - 1, length - (sizeof shapes - 1), arena, error);
		return target->property != NULL ? 0 : -1;
	}
	if (is_one_number(type))
		length = split_component(text, length, target);
	target->property = canonical_name(text, length, type, target);
	if (target->property == NULL)
		target->property = anim_arena_text(arena, text, length, error);
	return target->property != NULL ? 0 : -1;
}
