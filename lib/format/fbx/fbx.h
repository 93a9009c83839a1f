/* fbx.h: reads binary and text FBX files, for example of Maya, 3ds Max, MotionBuilder and Blender, and writes binary ones. */
#ifndef ANIM_FORMAT_FBX_FBX_H
#define ANIM_FORMAT_FBX_FBX_H

#include "clip/caps.h"
#include "format/read.h"
#include "format/write.h"

/*
 * Read a file of version 5000 to 7700 into the sink: its models as a tree, and one clip with source "fbx" for each
 * animation stack or take that animates something. Values are in metres with Y up. Curves keep their keys if a track
 * can store them: translations, scales, Euler angles (`euler`, in degrees), weights of blend shapes, visibility and
 * other properties. Rotations with pre-rotations, positions that depend on pivots, and blended layers become fitted
 * keys, and a warning gives the error. With options->bind_rests, joints have the pose in which their skin was bound.
 * With options->keep_going, clips with an unreadable curve are left out. Meshes are skipped, and memory depends on
 * the largest curve and the number of objects. Return 0, or -1 with the place of the error: a byte, or line and
 * column of a text.
 */
int anim_fbx_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/* What the writer says of itself. Nothing is lost with such a file. */
#define FBX_CREATOR "anim-tools"

/*
 * Describe what a file holds besides animation: "2 meshes and a material"; empty if that is nothing, or if our writer made it.
 * Return 0, or -1 for a file that cannot be read.
 */
int anim_fbx_describe(struct anim_input *, size_t store_memory, struct anim_held *, struct anim_error *);

/*
 * Return a sink that writes a binary file of version 7400: the nodes as models in metres with Y up, each clip as an animation stack,
 * each component of a track as a curve with tangents, properties that FBX does not know as user properties, and the tree's pose as
 * the bind pose. There are no meshes, and no times or numbers that differ from run to run. NULL on failure.
 */
struct anim_sink *anim_fbx_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

extern const struct anim_caps anim_fbx_caps;

#endif
