/* godot.h: reads Godot's scenes and resources, text and binary (Godot 1 to 4), and writes them as text. */
#ifndef ANIM_FORMAT_GODOT_H
#define ANIM_FORMAT_GODOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/input.h"
#include "base/output.h"
#include "clip/caps.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "format/read.h"
#include "format/write.h"

/* ---- Reading ---- */

/*
 * Reads one file into the sink: TREE and NODEs where it is a scene, then its clips; no end. 0, or -1: the error, or
 * faults in diagnostics (then the error says how many). Nothing but whole clips reaches the sink.
 */
int anim_godot_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/*
 * What a file holds that no stream does, in words: "2 scripts, a mesh and 3 ext_resources", "a resource of type Theme";
 * empty where that is nothing but nodes and animation. 0; -1 also where the file has faults.
 */
int anim_godot_describe(struct anim_input *, size_t store_memory, size_t *clips, char *text, size_t capacity,
			struct anim_error *);

/*
 * True where the window begins such a file (blanks and comments, then [gd_scene or [gd_resource, or a fragment's [sub_resource
 * ...).
 */
bool anim_godot_is(const uint8_t *bytes, size_t size);
/* The same of the engine's binary files (.scn .res .anim). */
bool anim_godot_is_binary(const uint8_t *bytes, size_t size);

/* ---- Writing ---- */

/* What the writer holds, for Godot 4 and for Godot 3. */
extern const struct anim_caps anim_godot_caps, anim_godot3_caps;

/*
 * A sink for any number of clips, written by end(), which fails where none came or diagnostics forbid it. .tres: one clip is an
 * Animation, several (or `library`) an AnimationLibrary. .tscn: the nodes of the trees that came, or, where the clips
 * have none, nodes made of the tracks' paths, and an AnimationPlayer with libraries for each of the clips' players.
 *
 * A track that came from Godot is written as what it was (attributes godot.*, literal); others as what Godot plays:
 * position_3d, rotation_3d, scale_3d, blend_shape, bezier for scalar curves with handles, value else. Times begin at 0.
 * Types and modes that Godot has no place for are errors (ANIM_UNSUPPORTED): put filter/convert with the caps before it.
 * What is left out or renamed goes to diagnostics. Output is borrowed and not committed. NULL on failure.
 */
struct anim_sink *anim_godot_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/* Looks at the file that options->into names: whose Godot's it is decides what conversion makes of tracks. 0 or -1. */
int anim_godot_into(struct anim_write_options *, struct anim_error *);

#endif
