/* names.c: the model's names of nodes and properties <-> Resonite's: slots by their bare names, fields by theirs. */
#include <string.h>

#include "format/animj/writer.h"

#define BLEND_SHAPE "blend_shape/"

/* Slot.Position and its kind, and the types of those fields. */
static const struct property {
	const char *model, *resonite;
	enum anim_type type;
} properties[] = {
    {"position", "Position", ANIM_FLOAT3}, {"rotation", "Rotation", ANIM_FLOATQ}, {"scale", "Scale", ANIM_FLOAT3},
    {"visible", "Active", ANIM_BOOL},      {"euler", "Rotation", ANIM_FLOATQ},    {"angle", "Rotation", ANIM_FLOATQ},
};

static const struct property *find_property(const char *model)
{
	for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
		if (strcmp(properties[i].model, model) == 0)
			return &properties[i];
	return NULL;
}

static bool is_blend_shape(const char *property)
{
	return strncmp(property, BLEND_SHAPE, sizeof BLEND_SHAPE - 1) == 0;
}

int animj_property_type(const char *property)
{
	const struct property *known = find_property(property);

	if (known != NULL)
		return (int)known->type;
	return is_blend_shape(property) ? (int)ANIM_FLOAT : -1;
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

const char *animj_property_name(const char *property, uint8_t component, struct anim_arena *arena,
				struct anim_error *error)
{
	const struct property *known = find_property(property);
	const char *name = known != NULL ? known->resonite : property, *lane = "";
	bool whole = component == ANIM_WHOLE;

	if (!whole)
		lane = anim_component_name(property, component);
	/* An Euler lane is not one of the quaternion's. */
	if (!whole && strcmp(property, "euler") == 0)
		name = "Euler";
	if (is_blend_shape(property))
		return join((const char *const[3]){"BlendShape.", property + sizeof BLEND_SHAPE - 1, ""}, arena, error);
	return join((const char *const[3]){name, whole ? "" : ".", lane}, arena, error);
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

const char *animj_node_name(const struct animj_clip *clip, const char *node, struct anim_arena *arena,
			    struct anim_error *error)
{
	const char *colon = clip->colon_is_bone ? strchr(node, ':') : NULL;
	const char *name = node;
	size_t ups = 0, length = strlen(node);

	if (clip->bare_nodes)
		return anim_arena_text(arena, node, length, error);
	if (colon != NULL && colon[1] != '\0')
		return anim_arena_text(arena, colon + 1, strlen(colon + 1), error);
	name = last_name(node, &ups, &length);
	if (length == 0)
		name = last_name(clip->root, &ups, &length);
	if (length == 0 && ups == 0) {
		name = clip->root_name;
		length = strlen(name);
	}
	/* Godot's %Name is the node that is called Name, wherever it is. */
	if (clip->from_godot && length > 1 && *name == '%') {
		name++;
		length--;
	}
	return anim_arena_text(arena, name, length, error);
}

/* A set entry of one letter, the text, and a second text behind a NUL. 1 new, 0 seen, -1. */
static int see(struct animj_writer *writer, char letter, const char *first, const char *second,
	       struct anim_error *error)
{
	size_t a = strlen(first), b = strlen(second);
	char *text = anim_arena_alloc(&writer->scratch, a + b + 2, error);

	if (text == NULL)
		return -1;
	text[0] = letter;
	memcpy(text + 1, first, a + 1);
	memcpy(text + a + 2, second, b);
	return animj_seen_add(&writer->seen, text, a + b + 2, &writer->kept, error);
}

/* Warns where a node or a track meets another under one name. */
static int warn_of_doubles(struct animj_writer *writer, const struct animj_track *track, const char *path,
			   struct anim_error *error)
{
	struct anim_losses *losses = writer->options.losses;
	int new_path = see(writer, 'p', path, "", error);
	int new_name = new_path == 1 ? see(writer, 'n', track->node, "", error) : 1;
	int new_track = see(writer, 't', track->node, track->property, error);

	if (new_path < 0 || new_name < 0 || new_track < 0)
		return -1;
	if (new_name == 0)
		return anim_losses_add(losses, ANIM_WARNING, NULL,
				       "nodes have a name in animj that another node has too", error,
				       "node '%s' is called '%s' in animj, as another node is", path, track->node);
	if (new_track == 0)
		return anim_losses_add(
		    losses, ANIM_WARNING, NULL, "tracks have the node and property of another track in animj", error,
		    "track '%s': animj has a track of '%s' '%s' already", track->label, track->node, track->property);
	return 0;
}

/* Resonite binds a track to a whole field of exactly its type. */
static int warn_of_binding(struct animj_writer *writer, const struct animj_track *track,
			   const struct anim_track *source, struct anim_error *error)
{
	struct anim_losses *losses = writer->options.losses;
	int type = animj_property_type(source->property);

	if (source->component != ANIM_WHOLE)
		return anim_losses_add(
		    losses, ANIM_WARNING, NULL,
		    "tracks are single lanes, which Resonite cannot bind; animate the whole values", error,
		    "track '%s' is one lane of its property, which Resonite cannot bind; animate the whole "
		    "value",
		    track->label);
	if (type >= 0 && type != (int)track->track.type)
		return anim_losses_add(losses, ANIM_WARNING, NULL,
				       "tracks are not of their fields' types, so Resonite will not bind them", error,
				       "track '%s' is %s and Resonite's %s is %s: it will not bind", track->label,
				       anim_types[track->track.type].name, track->property, anim_types[type].name);
	return 0;
}

/* The property as the model has it, with the lane that a component track is of. */
static const char *source_property(const struct anim_track *source, struct anim_arena *arena, struct anim_error *error)
{
	const char *const parts[3] = {
	    source->property, source->component == ANIM_WHOLE ? "" : ".",
	    source->component == ANIM_WHOLE ? "" : anim_component_name(source->property, source->component)};

	return join(parts, arena, error);
}

int animj_name(struct animj_writer *writer, struct animj_track *track, const struct anim_track *source,
	       struct anim_error *error)
{
	bool as_is = writer->options.source_names;

	track->node = as_is ? source->node : animj_node_name(&writer->clip, source->node, &writer->scratch, error);
	track->property = as_is ? source_property(source, &writer->scratch, error)
				: animj_property_name(source->property, source->component, &writer->scratch, error);
	if (track->node == NULL || track->property == NULL)
		return -1;
	if (!as_is && warn_of_binding(writer, track, source, error) != 0)
		return -1;
	return warn_of_doubles(writer, track, source->node, error);
}
