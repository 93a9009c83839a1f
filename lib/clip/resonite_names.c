/* resonite_names.c: the table of names that Resonite's formats share, both ways. */
#include "clip/resonite_names.h"

#include <string.h>

#define BLEND_SHAPE "blend_shape/"
#define BLEND_SHAPE_FIELD "BlendShape."
#define FIELD "field:"

/* Slot.Position and its kind, and the types of those fields. The first that fits is taken: reading never gives euler. */
static const struct property {
	const char *model, *resonite;
	enum anim_type type;
} properties[] = {
    {"position", "Position", ANIM_FLOAT3}, {"rotation", "Rotation", ANIM_FLOATQ}, {"scale", "Scale", ANIM_FLOAT3},
    {"visible", "Active", ANIM_BOOL},      {"euler", "Rotation", ANIM_FLOATQ},    {"angle", "Rotation", ANIM_FLOATQ},
};
#define PROPERTY_COUNT (sizeof properties / sizeof *properties)

static const struct property *find_property(const char *model)
{
	for (size_t i = 0; i < PROPERTY_COUNT; i++)
		if (strcmp(properties[i].model, model) == 0)
			return &properties[i];
	return NULL;
}

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* A name of Resonite's that the model would take for its own, or for one that was marked so. */
static bool is_taken(const char *name)
{
	while (starts_with(name, FIELD))
		name += sizeof FIELD - 1;
	return find_property(name) != NULL || starts_with(name, BLEND_SHAPE);
}

/* The parts one after the other, in the arena. */
static const char *join(const char *const parts[3], struct anim_arena *arena, struct anim_error *error)
{
	size_t lengths[3], length = 0;
	char *text, *at;

	for (int i = 0; i < 3; i++)
		length += lengths[i] = strlen(parts[i]);
	text = at = anim_arena_alloc(arena, length + 1, error);
	if (text == NULL)
		return NULL;
	for (int i = 0; i < 3; i++) {
		memcpy(at, parts[i], lengths[i]);
		at += lengths[i];
	}
	*at = '\0';
	return text;
}

const char *anim_resonite_property_read(const char *name, enum anim_type type, struct anim_arena *arena,
					struct anim_error *error)
{
	if (type == ANIM_FLOAT && starts_with(name, BLEND_SHAPE_FIELD))
		return join((const char *const[3]){BLEND_SHAPE, name + sizeof BLEND_SHAPE_FIELD - 1, ""}, arena, error);
	for (size_t i = 0; i < PROPERTY_COUNT; i++)
		if (properties[i].type == type && strcmp(properties[i].resonite, name) == 0)
			return properties[i].model;
	return is_taken(name) ? join((const char *const[3]){FIELD, name, ""}, arena, error) : name;
}

const char *anim_resonite_node_read(const char *name)
{
	return name[0] == '\0' ? "." : name;
}

int anim_resonite_field_type(const char *property)
{
	const struct property *known = find_property(property);

	return known == NULL ? -1 : (int)known->type;
}

int anim_resonite_property_type(const char *property)
{
	const struct property *known = find_property(property);

	if (known != NULL)
		return (int)known->type;
	return starts_with(property, BLEND_SHAPE) ? (int)ANIM_FLOAT : -1;
}

const char *anim_resonite_property(const char *property, uint8_t component, struct anim_arena *arena,
				   struct anim_error *error)
{
	const struct property *known = find_property(property);
	const char *name = known != NULL ? known->resonite : property;
	bool whole = component == ANIM_WHOLE;

	if (starts_with(property, FIELD) && is_taken(property))
		name = property + sizeof FIELD - 1;
	/* An Euler lane is not one of the quaternion's. */
	if (!whole && strcmp(property, "euler") == 0)
		name = "Euler";
	if (starts_with(property, BLEND_SHAPE))
		return join((const char *const[3]){BLEND_SHAPE_FIELD, property + sizeof BLEND_SHAPE - 1, ""}, arena,
			    error);
	return join(
	    (const char *const[3]){name, whole ? "" : ".", whole ? "" : anim_component_name(property, component)},
	    arena, error);
}

void anim_resonite_names_init(struct anim_resonite_names *names, const struct anim_clip *clip, const char *root_name)
{
	bool in_tree = (clip->flags & ANIM_IN_TREE) != 0;

	*names = (struct anim_resonite_names){
	    .from_godot = starts_with(clip->source, "godot"),
	    /* Kept past the clip's head, which is only borrowed: which engine's, not its text. */
	    .source = clip->source[0] == '\0'                  ? ""
		      : strncmp(clip->source, "godot", 5) == 0 ? "godot"
							       : "other",
	    .bare_nodes = strcmp(clip->source, "animj") == 0 || strcmp(clip->source, "animx") == 0,
	    .root = clip->root,
	    .root_name = in_tree && root_name != NULL ? root_name : "",
	};
}

/*
 * The last name of a path, "." and ".." resolved: *ups counts the names still to be passed over and is left for the path
 * before this one. Empty where nothing is left.
 */
static const char *last_name(const char *path, size_t *ups, size_t *length)
{
	const char *end = path + strlen(path);

	while (end > path) {
		const char *from = end;

		while (from > path && from[-1] != '/')
			from--;
		*length = (size_t)(end - from);
		if (*length == 2 && memcmp(from, "..", 2) == 0)
			++*ups;
		else if (*length > 0 && !(*length == 1 && *from == '.') && (*ups == 0 || (*ups)-- == 0))
			return from;
		end = from > path ? from - 1 : path;
	}
	*length = 0;
	return path;
}

const char *anim_resonite_node(const struct anim_resonite_names *names, const char *node, struct anim_arena *arena,
			       struct anim_error *error)
{
	const char *bone = names->bare_nodes ? NULL : anim_bone_name(names->source, node, false), *name;
	size_t ups = 0, length;

	if (names->bare_nodes && strcmp(node, ".") != 0)
		return anim_arena_text(arena, node, strlen(node), error);
	if (bone != NULL && bone[0] != '\0')
		return anim_arena_text(arena, bone, strlen(bone), error);
	name = last_name(node, &ups, &length);
	if (length == 0)
		name = last_name(names->root, &ups, &length);
	if (length == 0 && ups == 0) {
		name = names->root_name;
		length = strlen(name);
	}
	if (names->from_godot && length > 1 && *name == '%') {
		name++;
		length--;
	}
	return anim_arena_text(arena, name, length, error);
}
