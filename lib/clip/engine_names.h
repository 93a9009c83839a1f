/* engine_names.h: names and meanings of properties in different engines, and valid Godot names of nodes. */
#ifndef ANIM_CLIP_ENGINE_NAMES_H
#define ANIM_CLIP_ENGINE_NAMES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "clip/source.h"

/* The engines whose properties are in the table. The model's own names are Godot 4's, which glTF's reader uses. */
enum anim_engine {
	ANIM_ENGINE_OTHER,
	ANIM_ENGINE_GODOT4,
	ANIM_ENGINE_GODOT4_0, /* 4.0 to 4.3, only as a target */
	ANIM_ENGINE_GODOT3,
	ANIM_ENGINE_UNITY,
	ANIM_ENGINE_FBX /* read only, with Godot's classes */
};

/* Return the engine of a clip, by its source. Godot 2 counts as Godot 3. */
enum anim_engine anim_engine_of(const char *source);

/* The images and texts of Unity's package UI, which are scripts: takes the place of the number of a class. */
#define ANIM_UNITY_GRAPHIC "graphic"

/* A property that changes its name or its meaning. */
struct anim_engine_property {
	const char *property,
	    *unity_class; /* unity_class: decimal number of the Unity component that has it, or NULL */
	/* Set by anim_engine_property: */
	char letter;         /* of the component that it becomes, or 0 */
	enum anim_step step; /* of each number, before `factor` */
	double factor;
	bool gone; /* the target has no such property; its name stays */
};

/*
 * Change the property from one engine to another. `type` is the class of the node in any version of Godot (NULL or "":
 * unknown). Returns 1 if anything differs, 0 if not, -1 if out of memory. Texts are constants, or in the arena.
 */
int anim_engine_property(enum anim_engine from, enum anim_engine to, const char *type, struct anim_engine_property *,
			 struct anim_arena *, struct anim_error *);

/*
 * Return Godot 4's name of a property, for comparing names. `unity_class` is "" if it is not from Unity: then names of
 * Godot 3 and 2 are looked up. `other` selects the last name of a field that has several, in different types of nodes.
 * The result is `property`, a constant or a text in the arena, or NULL if out of memory.
 */
const char *anim_godot4_property(const char *property, const char *unity_class, bool other, struct anim_arena *,
				 struct anim_error *);

/*
 * Return the name of a class of any Godot version in Godot 4, or in Godot 3 if godot3 is set. It is `class` itself if
 * it has no other name. Classes that Godot 4 removed become the closest existing class: a YSort becomes a Node2D, a
 * Tween a Node.
 */
const char *anim_godot_class(bool godot3, const char *class);

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
