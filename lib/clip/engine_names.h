/* engine_names.h: different names of the same property in different engines, and valid Godot names of nodes. */
#ifndef ANIM_CLIP_ENGINE_NAMES_H
#define ANIM_CLIP_ENGINE_NAMES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Return Godot 4's name of a property. `unity_class` is the decimal number of the Unity component that has it, or ""
 * if it is not from Unity: then names of Godot 3 and 2 are looked up. `other` selects the second name of a field that
 * has different names in two types of nodes; if it has only one name, that one is returned. A property without such a
 * name is returned itself. The result is `property`, a constant or a text in the arena, or NULL if out of memory.
 */
const char *anim_godot4_property(const char *property, const char *unity_class, bool other, struct anim_arena *,
				 struct anim_error *);

/*
 * Return Godot 3's name of a Godot 4 property if there is exactly one, otherwise the property itself. NULL if out of
 * memory.
 */
const char *anim_godot3_property(const char *property, struct anim_arena *, struct anim_error *);

/*
 * Return the path of another engine's node, with every byte that Godot does not allow in names of nodes replaced by
 * '_'. `bone` is the position in it where the name of a bone begins, or NULL. A valid path is returned itself.
 * anim_godot_root does the same for the name of the root of a scene, and always returns a copy. NULL if out of
 * memory.
 */
const char *anim_godot_node(const char *node, const char *bone, struct anim_arena *, struct anim_error *);
const char *anim_godot_root(const char *name, struct anim_arena *, struct anim_error *);

/*
 * Return the name in Godot 3 and 4 of a property whose name differs only in Godot 2 (a group and '/'), otherwise the
 * property itself.
 */
const char *anim_godot2_renamed(const char *property);

#endif
