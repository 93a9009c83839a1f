/* emit.h: writes Godot's text resources and scenes (.tres, .tscn; Godot 4 and 3). */
#ifndef ANIM_FORMAT_GODOT_EMIT_H
#define ANIM_FORMAT_GODOT_EMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/output.h"
#include "clip/caps.h"
#include "clip/losses.h"
#include "clip/sink.h"

/* Whose spelling: each stands for the engines from it up to the next. */
enum anim_godot_version {
	ANIM_GODOT_4_5, /* the default: what every Godot 4 reads */
	ANIM_GODOT_3,
	ANIM_GODOT_4_2, /* names of animations and libraries as strings */
	ANIM_GODOT_4_6  /* libraries/NAME, no load_steps */
};

struct anim_godot_options {
	bool scene;   /* .tscn: nodes and AnimationPlayers; else .tres */
	bool library; /* .tres: an AnimationLibrary, one clip or not */
	enum anim_godot_version version;
	unsigned digits;            /* significant digits of numbers, as older engines print; 0: the shortest text */
	bool keep_names;            /* properties that Godot 4 renamed keep the name that they have */
	bool axes_keep;             /* no warning where the clips' axes are not Godot's */
	size_t store_memory;        /* bytes that tracks may take before they go to a file */
	struct anim_losses *losses; /* must be there */
};

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
struct anim_sink *anim_godot_writer_new(struct anim_output *, const struct anim_godot_options *, struct anim_error *);

#endif
