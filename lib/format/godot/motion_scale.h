/* motion_scale.h: keys of bones' positions in units of their skeleton's motion_scale <-> metres. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_MOTION_SCALE_H
#define ANIM_FORMAT_GODOT_MOTION_SCALE_H

#include <stdbool.h>

#include "base/arena.h"
#include "clip/track.h"

/* Return whether the engine multiplies values of such a track by the scale: whole positions of a bone, but not Godot 3's. */
bool godot_is_scaled(const struct anim_track *);

/*
 * Copy the track to `out` with each position multiplied, in float32 as the engine does. Several keys of a file may have one
 * product: the hint column then keeps which one it was. Columns lie in the arena. 0 or -1.
 */
int godot_positions_multiply(struct anim_track *out, const struct anim_track *, float scale, struct anim_arena *,
			     struct anim_error *);

/* Undo it: copy the track to `out` with the keys that the engine multiplies to these positions. 0 or -1. */
int godot_positions_divide(struct anim_track *out, const struct anim_track *, float scale, struct anim_arena *,
			   struct anim_error *);

#endif
