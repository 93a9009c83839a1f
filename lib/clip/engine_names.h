/* engine_names.h: what engines call otherwise: properties that mean the same number, and nodes, as Godot calls them. */
#ifndef ANIM_CLIP_ENGINE_NAMES_H
#define ANIM_CLIP_ENGINE_NAMES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Godot 4's name of a property. unity_class: the decimal number of the component in Unity that has it, "" where it is
 * not Unity's; then Godot 3's and 2's names are looked for. `other`: the second name of a field that nodes of two types
 * have under names of their own; the first where there is one alone. The property itself where it has no such name, else
 * a constant or a text in the arena. NULL out of memory.
 */
const char *anim_godot4_property(const char *property, const char *unity_class, bool other, struct anim_arena *,
				 struct anim_error *);

/* Godot 3's name of a property of Godot 4's, where there is but one; else the property itself. NULL out of memory. */
const char *anim_godot3_property(const char *property, struct anim_arena *, struct anim_error *);

/*
 * Another engine's path of a node with what Godot does not allow in names of nodes made '_', byte for byte; bone: where
 * in it that of a bone begins, NULL: nowhere. The path itself where it may stay. NULL out of memory. And the one name of
 * a scene's root, always a copy.
 */
const char *anim_godot_node(const char *node, const char *bone, struct anim_arena *, struct anim_error *);
const char *anim_godot_root(const char *name, struct anim_arena *, struct anim_error *);

/* What Godot 2 alone calls otherwise (a group and '/'), as Godot 3 and 4 call it; else the property itself. */
const char *anim_godot2_renamed(const char *property);

#endif
