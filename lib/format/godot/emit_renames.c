/* emit_renames.c: what properties are called in the target that the other Godot or Unity call otherwise. */
#include <string.h>

#include "clip/engine_names.h"
#include "format/godot/emit_names.h"

/* Godot's name of a field of Unity's, the field itself where it has none. */
static const char *unity_name(const struct anim_track *t)
{
	const char *class = anim_attrs_get(&t->attrs, "unity.class");

	return class == NULL || *class == '\0' ? t->property
					       : anim_godot4_property(t->property, class, false, NULL, NULL);
}

bool godot_emit_is_foreign(const struct godot_emit_names *names, const struct anim_track *t)
{
	return names->from_unity && !anim_track_is_transform(t) && unity_name(t) == t->property;
}

const char *godot_emit_rename(const struct godot_emit_names *names, const struct anim_track *t,
			      struct anim_arena *arena, struct anim_error *error)
{
	if (names->keep)
		return t->property;
	if (names->from_unity)
		return unity_name(t);
	if (!names->from_godot || (!names->from3 && !names->godot3))
		return t->property;
	if (!names->from3)
		return anim_godot3_property(t->property, arena, error);
	if (strcmp(t->property, "transform/rot") == 0) /* its sign is turned, too */
		return "rotation_degrees";
	return names->godot3 ? anim_godot2_renamed(t->property)
			     : anim_godot4_property(t->property, "", false, arena, error);
}
