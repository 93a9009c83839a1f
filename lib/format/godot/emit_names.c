/* emit_names.c: node, property and component of a track -> NodePath. */
#include "format/godot/emit_names.h"

#include <string.h>

#include "clip/engine_names.h"

static bool is_one_of(const char *text, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(text, list[i]) == 0)
			return true;
	return false;
}

/* Up to four texts, one after the other. NULL out of memory. */
static const char *join(const char *const parts[4], struct anim_arena *arena, struct anim_error *error)
{
	size_t length[4], size = 1;
	char *text, *at;

	for (int i = 0; i < 4; i++)
		size += length[i] = strlen(parts[i]);
	text = at = anim_arena_alloc(arena, size, error);
	for (int i = 0; i < 4 && text != NULL; i++) {
		memcpy(at, parts[i], length[i] + 1);
		at += length[i];
	}
	return text;
}

const char *godot_emit_node(const struct godot_emit_names *names, const char *node, const char *bone,
			    struct anim_arena *arena, struct anim_error *error)
{
	return names->from_godot ? node : anim_godot_node(node, bone, arena, error);
}

const char *godot_emit_bone(const struct godot_emit_names *names, const struct anim_track *t)
{
	return anim_track_bone(names->own_bones ? "" : "other", t);
}

const char *godot_emit_track_node(const struct godot_emit_names *names, const struct anim_track *t,
				  struct anim_arena *arena, struct anim_error *error)
{
	return godot_emit_node(names, t->node, godot_emit_bone(names, t), arena, error);
}

const char *godot_emit_shape(const struct godot_emit_names *names, const struct anim_track *t, struct anim_arena *arena,
			     struct anim_error *error)
{
	const char *name = strchr(t->property, '/') + 1;
	char *copy;

	if (names->from_godot || strchr(name, ':') == NULL)
		return name;
	copy = anim_arena_text(arena, name, strlen(name), error);
	for (char *at = copy; at != NULL && *at != '\0'; at++)
		if (*at == ':')
			*at = '_';
	return copy;
}

/* The canonical names of the model that Godot has others for. */
static const char *godot_name(const struct godot_emit_names *names, const struct anim_track *t)
{
	static const char *const turned[] = {"euler", "angle"};
	bool spatial = anim_types[t->type].lanes == 3 || anim_attrs_get(&t->attrs, "godot.type") == NULL;

	if (!anim_track_is_transform(t))
		return NULL;
	if (is_one_of(t->property, turned, 2))
		return t->flags & ANIM_DEGREES ? "rotation_degrees" : "rotation";
	if (strcmp(t->property, "rotation") == 0)
		return "quaternion";
	if (names->godot3 && strcmp(t->property, "position") == 0 &&
	    (t->component != ANIM_WHOLE ? names->spatial : spatial && anim_types[t->type].lanes == 3))
		return "translation";
	return NULL;
}

/* "position:x"; NULL out of memory. */
static const char *property_path(const struct godot_emit_names *names, const struct anim_track *t,
				 struct anim_arena *arena, struct anim_error *error)
{
	static const char shape[] = "blend_shape/";
	const char *name = godot_name(names, t), *lane = "", *colon = "";

	if (strncmp(t->property, shape, sizeof shape - 1) == 0) {
		name = godot_emit_shape(names, t, arena, error);
		return name == NULL ? NULL : join((const char *const[4]){"blend_shapes/", name, "", ""}, arena, error);
	}
	if (name == NULL)
		name = godot_emit_rename(names, t, arena, error);
	if (t->component != ANIM_WHOLE) {
		colon = ":";
		lane = anim_component_name(t->property, t->component);
	}
	return name == NULL ? NULL : join((const char *const[4]){name, colon, lane, ""}, arena, error);
}

static bool is_node_type(enum godot_track_type type)
{
	return type != GODOT_TRACK_VALUE && type != GODOT_TRACK_BEZIER && type != GODOT_TRACK_BLEND_SHAPE;
}

const char *godot_emit_track_path(const struct godot_emit_names *names, const struct anim_track *t,
				  enum godot_track_type type, struct anim_arena *arena, struct anim_error *error)
{
	const char *node = godot_emit_track_node(names, t, arena, error), *property;

	if (node == NULL || is_node_type(type))
		return node;
	if (type == GODOT_TRACK_BLEND_SHAPE)
		property = godot_emit_shape(names, t, arena, error);
	else
		property = property_path(names, t, arena, error);
	if (property != NULL && property[0] == '\0')
		return strcmp(node, ".") == 0 ? property : node;
	return property == NULL ? NULL : join((const char *const[4]){node, ":", property, ""}, arena, error);
}
