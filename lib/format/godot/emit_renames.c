/* emit_renames.c: what properties are called in Godot 4 that Godot 3 or Unity call otherwise. */
#include <string.h>

#include "format/godot/emit_names.h"

/* Godot 3's or 2's name and Godot 4's. Names that mean something else in the other engine are not here. */
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
    {"transform/rot", "rotation_degrees"},
};

/* The same for what stands before a '/'. */
static const char *const prefixes[][2] = {
    {"material:shader_param/", "material:shader_parameter/"},
    {"material_override:shader_param/", "material_override:shader_parameter/"},
    {"custom_colors/", "theme_override_colors/"},
    {"custom_constants/", "theme_override_constants/"},
    {"custom_fonts/", "theme_override_fonts/"},
    {"custom_icons/", "theme_override_icons/"},
    {"custom_styles/", "theme_override_styles/"},
};

/* Only these are told backwards: Godot 4's `position` may be anything's. */
static bool is_unique(const char *godot4)
{
	static const char *const shared[] = {"position",        "size",      "scale",      "rotation_degrees",
					     "global_position", "volume_db", "modulate:a", "self_modulate:a",
					     "emitting",        "z_index"};

	for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
		if (strcmp(shared[i], godot4) == 0)
			return false;
	return true;
}

/* A field of a Unity component that is the same number in Godot. */
static const struct {
	const char *class, *unity, *godot;
} fields[] = {
    {"20", "field of view", "fov"},      {"20", "near clip plane", "near"},      {"20", "far clip plane", "far"},
    {"20", "orthographic size", "size"}, {"108", "m_Intensity", "light_energy"}, {"108", "m_Color", "light_color"},
    {"108", "m_Range", "omni_range"},    {"212", "m_Color", "modulate"},         {"212", "m_FlipX", "flip_h"},
    {"212", "m_FlipY", "flip_v"},
};

static const char *unity_name(const struct anim_track *t)
{
	const char *class = anim_attrs_get(&t->attrs, "unity.class");

	for (size_t i = 0; class != NULL && i < sizeof fields / sizeof *fields; i++)
		if (strcmp(fields[i].class, class) == 0 && strcmp(fields[i].unity, t->property) == 0)
			return fields[i].godot;
	return NULL;
}

bool godot_emit_is_foreign(const struct godot_emit_names *names, const struct anim_track *t)
{
	return names->from_unity && !anim_track_is_transform(t) && unity_name(t) == NULL;
}

/* `to` in place of `from` at the text's beginning. NULL out of memory. */
static const char *replace_prefix(const char *text, const char *from, const char *to, struct anim_arena *arena,
				  struct anim_error *error)
{
	size_t head = strlen(to), cut = strlen(from), rest = strlen(text + cut);
	char *out = anim_arena_alloc(arena, head + rest + 1, error);

	if (out == NULL)
		return NULL;
	memcpy(out, to, head);
	memcpy(out + head, text + cut, rest + 1);
	return out;
}

const char *godot_emit_rename(const struct godot_emit_names *names, const struct anim_track *t,
			      struct anim_arena *arena, struct anim_error *error)
{
	unsigned from = names->from3 ? 0 : 1, to = 1 - from;
	const char *unity = names->from_unity ? unity_name(t) : NULL;

	if (names->keep)
		return t->property;
	if (unity != NULL)
		return unity;
	if (!names->from_godot || (!names->from3 && !names->godot3))
		return t->property;
	for (size_t i = 0; i < sizeof renames / sizeof *renames; i++)
		if (strcmp(renames[i][from], t->property) == 0 && (from == 0 || is_unique(renames[i][1])) &&
		    (names->from3 != names->godot3 || strchr(renames[i][0], '/') != NULL))
			return renames[i][to];
	if (names->from3 == names->godot3) /* only those of Godot 2, which have a group before a '/' */
		return t->property;
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strncmp(prefixes[i][from], t->property, strlen(prefixes[i][from])) == 0)
			return replace_prefix(t->property, prefixes[i][from], prefixes[i][to], arena, error);
	return t->property;
}
