/* emit_class.h: what a node's class is called in the Godot that is written. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_EMIT_CLASS_H
#define ANIM_FORMAT_GODOT_EMIT_CLASS_H

#include <stdbool.h>

/*
 * The class of Godot 4 (godot3: of Godot 3) for one of any Godot; `class` itself where it has no other name. Classes that
 * Godot 4 gave up become what is left of them: a YSort a Node2D, a Tween a Node.
 */
const char *godot_class_in(bool godot3, const char *class);

/* True for the components and objects that Unity's scenes call their nodes by, and Godot none. */
bool godot_class_is_unity(const char *type);

#endif
