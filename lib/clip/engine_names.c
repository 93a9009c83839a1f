/* engine_names.c: names of properties in Unity, Godot 3 and Godot 2 and in Godot 4; names of nodes for Godot. */
#include "clip/engine_names.h"

#include <string.h>

#include "base/count.h"

/* A field of a Unity component that is the same number in Godot. */
static const struct {
	const char *class, *unity, *godot, *other;
} fields[] = {
    {"20", "field of view", "fov", NULL},
    {"20", "near clip plane", "near", NULL},
    {"20", "far clip plane", "far", NULL},
    {"20", "orthographic size", "size", NULL},
    {"108", "m_Intensity", "light_energy", NULL},
    {"108", "m_Color", "light_color", NULL},
    {"108", "m_Range", "omni_range", "spot_range"},
    {"212", "m_Color", "modulate", "self_modulate"},
    {"212", "m_FlipX", "flip_h", NULL},
    {"212", "m_FlipY", "flip_v", NULL},
};

/* The name in Godot 3 or 2, and in Godot 4. Names with another meaning in the other engine are not in this table. */
static const char *const renames[][2] = {
    {"rect_position", "position"},
    {"rect_size", "size"},
    {"rect_scale", "scale"},
    {"rect_rotation", "rotation_degrees"},
    {"rect_global_position", "global_position"},
    {"rect_min_size", "custom_minimum_size"},
    {"rect_pivot_offset", "pivot_offset"},
    {"rect_clip_content", "clip_contents"},
    {"margin_left", "offset_left"},
    {"margin_top", "offset_top"},
    {"margin_right", "offset_right"},
    {"margin_bottom", "offset_bottom"},
    {"percent_visible", "visible_ratio"},
    {"unit_offset", "progress_ratio"},
    {"cast_to", "target_position"},
    {"unit_db", "volume_db"},
    {"hint_tooltip", "tooltip_text"},
    {"pause_mode", "process_mode"},
    {"global_translation", "global_position"},
    {"visibility/opacity", "modulate:a"},
    {"visibility/self_opacity", "self_modulate:a"},
    {"config/emitting", "emitting"},
    {"z/z", "z_index"},
};

/* The same for prefixes that end in '/'. */
static const char *const prefixes[][2] = {
    {"custom_colors/", "theme_override_colors/"}, {"custom_constants/", "theme_override_constants/"},
    {"custom_fonts/", "theme_override_fonts/"},   {"custom_icons/", "theme_override_icons/"},
    {"custom_styles/", "theme_override_styles/"},
};

/* Only unique names are converted back to Godot 3: Godot 4's `position` may belong to any node. */
static bool is_unique(const char *godot4)
{
	static const char *const shared[] = {"position",        "size",      "scale",      "rotation_degrees",
					     "global_position", "volume_db", "modulate:a", "self_modulate:a",
					     "emitting",        "z_index"};

	for (size_t i = 0; i < ANIM_COUNT(shared); i++)
		if (strcmp(shared[i], godot4) == 0)
			return false;
	return true;
}

/* Names of shader parameters can be anywhere: "next_pass:shader_param/x". */
static const char *const parameters[] = {":shader_param/", ":shader_parameter/"};
/* The materials of the mesh itself, by number. */
static const char *const surfaces[] = {"material/", "surface_material_override/"};

static const char *of_unity(const char *property, const char *class, bool other)
{
	for (size_t i = 0; i < ANIM_COUNT(fields); i++)
		if (strcmp(fields[i].class, class) == 0 && strcmp(fields[i].unity, property) == 0)
			return other && fields[i].other != NULL ? fields[i].other : fields[i].godot;
	return property;
}

/* Replace `from`, which is at `at` in the text, by `to`. Returns NULL if out of memory. */
static const char *replace_at(const char *text, const char *at, const char *from, const char *to,
			      struct anim_arena *arena, struct anim_error *error)
{
	size_t head = (size_t)(at - text), length = strlen(to), tail = strlen(at + strlen(from));
	char *out = anim_arena_alloc(arena, head + length + tail + 1, error);

	if (out == NULL)
		return NULL;
	memcpy(out, text, head);
	memcpy(out + head, to, length);
	memcpy(out + head + length, at + strlen(from), tail + 1);
	return out;
}

/*
 * Return the property with the other engine's name of a prefix that ends in '/'. from = 0: the older engine's name is
 * replaced.
 */
static const char *rename_prefix(const char *property, unsigned from, struct anim_arena *arena,
				 struct anim_error *error)
{
	size_t surface = strlen(surfaces[from]);
	const char *at;

	for (size_t i = 0; i < ANIM_COUNT(prefixes); i++)
		if (strncmp(prefixes[i][from], property, strlen(prefixes[i][from])) == 0)
			return replace_at(property, property, prefixes[i][from], prefixes[i][1 - from], arena, error);
	if (strncmp(property, surfaces[from], surface) == 0 && property[surface] >= '0' && property[surface] <= '9')
		property = replace_at(property, property, surfaces[from], surfaces[1 - from], arena, error);
	at = property == NULL ? NULL : strstr(property, parameters[from]);
	return at == NULL ? property : replace_at(property, at, parameters[from], parameters[1 - from], arena, error);
}

const char *anim_godot4_property(const char *property, const char *unity_class, bool other, struct anim_arena *arena,
				 struct anim_error *error)
{
	if (*unity_class != '\0')
		return of_unity(property, unity_class, other);
	for (size_t i = 0; i < ANIM_COUNT(renames); i++)
		if (strcmp(renames[i][0], property) == 0)
			return renames[i][1];
	return rename_prefix(property, 0, arena, error);
}

const char *anim_godot3_property(const char *property, struct anim_arena *arena, struct anim_error *error)
{
	for (size_t i = 0; i < ANIM_COUNT(renames); i++)
		if (strcmp(renames[i][1], property) == 0 && is_unique(property))
			return renames[i][0];
	return rename_prefix(property, 1, arena, error);
}

const char *anim_godot2_renamed(const char *property)
{
	for (size_t i = 0; i < ANIM_COUNT(renames); i++)
		if (strcmp(renames[i][0], property) == 0 && strchr(property, '/') != NULL)
			return renames[i][1];
	return property;
}

/* A path may begin with parent steps and with the one name that belongs to the scene itself. */
static size_t head_length(const char *node, const char *bone)
{
	size_t length = 0;

	while (strncmp(node + length, "../", 3) == 0)
		length += 3;
	if (strcmp(node + length, "..") == 0)
		return length + 2;
	return length + (bone != NULL && node[length] == '%');
}

const char *anim_godot_node(const char *node, const char *bone, struct anim_arena *arena, struct anim_error *error)
{
	size_t end = bone == NULL ? strlen(node) : (size_t)(bone - 1 - node), head = head_length(node, bone);
	char *copy;

	if (strcmp(node, ".") == 0 || strpbrk(node, ".@\"%:") == NULL)
		return node;
	copy = anim_arena_text(arena, node, strlen(node), error);
	for (size_t i = head; copy != NULL && i < end; i++)
		if (strchr(".@\"%:", copy[i]) != NULL)
			copy[i] = '_';
	for (size_t i = end + 1; copy != NULL && bone != NULL && copy[i] != '\0'; i++)
		if (copy[i] == ':')
			copy[i] = '_';
	return copy;
}

const char *anim_godot_root(const char *name, struct anim_arena *arena, struct anim_error *error)
{
	char *copy = anim_arena_text(arena, name, strlen(name), error);

	for (char *at = copy; at != NULL && *at != '\0'; at++)
		if (strchr(".:@/\"%", *at) != NULL)
			*at = '_';
	return copy;
}
