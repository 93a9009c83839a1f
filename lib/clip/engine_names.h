/* engine_names.h: properties that engines call otherwise though they mean the same number, as Godot 4 calls them. */
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

/* What Godot 2 alone calls otherwise (a group and '/'), as Godot 3 and 4 call it; else the property itself. */
const char *anim_godot2_renamed(const char *property);

#endif
