/* emit.h: writes Godot's text resources and scenes (.tres, .tscn; Godot 4 and 3). */
#ifndef ANIM_FORMAT_GODOT_EMIT_H
#define ANIM_FORMAT_GODOT_EMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/output.h"
#include "clip/caps.h"
#include "clip/losses.h"
#include "clip/sink.h"
#include "format/write.h"

/* What the writer holds, for Godot 4 and for Godot 3. */
extern const struct anim_caps anim_godot_caps, anim_godot3_caps;

/*
 * A sink for any number of clips, written by end(), which fails where none came or losses forbid it. .tres: one clip is an
 * Animation, several (or `library`) an AnimationLibrary. .tscn: the nodes of the trees that came, or, where the clips
 * have none, nodes made of the tracks' paths, and an AnimationPlayer with libraries for each of the clips' players.
 *
 * A track that came from Godot is written as what it was (attributes godot.*, literal); others as what Godot plays:
 * position_3d, rotation_3d, scale_3d, blend_shape, bezier for scalar curves with handles, value else. Times begin at 0.
 * Types and modes that Godot has no place for are errors (ANIM_UNSUPPORTED): put filter/convert with the caps before it.
 * What is left out or renamed goes to losses. Output is borrowed and not committed. NULL on failure.
 */
struct anim_sink *anim_godot_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

#endif
