/* godot.h: reads Godot scenes and resources, text and binary (Godot 1 to 4), and writes them as text. */
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
 * Read one file into the sink: TREE and NODEs if it is a scene, then its clips, without the end record. Returns 0 or
 * -1. If the diagnostics have errors, the error gives their number. Only complete clips reach the sink.
 */
int anim_godot_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/*
 * Describe the parts of a file that a stream cannot hold: "2 scripts, a mesh and 3 ext_resources", "a resource of type
 * Theme". The text is empty if the file has only nodes and animation. Returns 0, or -1, also if the file has errors.
 */
int anim_godot_describe(struct anim_input *, size_t store_memory, struct anim_held *, struct anim_error *);

/*
 * Return true if the bytes begin a Godot text file: blanks and comments, then [gd_scene or [gd_resource, or the
 * [sub_resource ... of a fragment.
 */
bool anim_godot_is(const uint8_t *bytes, size_t size);
/* Return true if the bytes begin a Godot binary file (.scn .res .anim). */
bool anim_godot_is_binary(const uint8_t *bytes, size_t size);

/* ---- Writing ---- */

/* Track types and modes that the writer supports, for Godot 4 and for Godot 3. */
extern const struct anim_caps anim_godot_caps, anim_godot3_caps;

/*
 * Return a sink for any number of clips. end() writes the file, and fails if there was no clip or if the diagnostics
 * forbid it. A .tres with one clip is an Animation, with several clips (or `library`) an AnimationLibrary. A .tscn has
 * the nodes of the trees of the stream. If the clips have no tree, nodes are made from the paths of the tracks. It has
 * an AnimationPlayer with libraries for each player of the clips.
 *
 * A track that was read from Godot is written with its original type (attributes godot.*, literal). Other tracks become
 * types that Godot can play: position_3d, rotation_3d, scale_3d, blend_shape, bezier for scalar curves with handles,
 * otherwise value. Times begin at 0. Types and modes that Godot does not support are errors (ANIM_UNSUPPORTED). To
 * prevent them, put filter/convert with the caps before this sink. Omitted and renamed parts are reported to the
 * diagnostics. The output is borrowed and not committed. Returns NULL on failure.
 */
struct anim_sink *anim_godot_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/*
 * Read the Godot version of the file options->into.file into options->version, because conversion of tracks depends on
 * it. Returns 0 or -1.
 */
int anim_godot_into(struct anim_write_options *, struct anim_error *);

#endif
