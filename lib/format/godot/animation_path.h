/* animation_path.h: the NodePath of a track <-> node, property and component. */
#ifndef ANIM_FORMAT_GODOT_ANIMATION_PATH_H
#define ANIM_FORMAT_GODOT_ANIMATION_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "clip/type.h"

/* Texts live in the arena that was given, or are constant. */
struct godot_target {
	const char *node, *property;
	uint8_t component; /* ANIM_WHOLE, or the lane */
	bool euler;        /* the property is `euler`: the track tells its order */
	bool degrees;
	bool spatial; /* it was called `translation`, as only nodes of three dimensions of Godot 3 have it */
	bool dotted;  /* the lane was spelled `scale.x`, which Godot does not read */
};

/* Of a value or Bezier track whose keys have this type. 0 or -1. */
int godot_target_of_property(const char *path, enum anim_type, struct anim_arena *, struct godot_target *,
			     struct anim_error *);

/* Of a 3-D or event track: the whole path names a node or a bone. 0 or -1. */
int godot_target_of_node(const char *path, const char *property, struct anim_arena *, struct godot_target *,
			 struct anim_error *);

/* Of a blend_shape track `Mesh:NAME`. 0 or -1. */
int godot_target_of_blend_shape(const char *path, struct anim_arena *, struct godot_target *, struct anim_error *);

/* True for `Path/Skeleton:Bone`. */
bool godot_path_is_bone(const char *path);

#endif
