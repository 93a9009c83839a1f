/* fbx.h: reads binary and text FBX files, for example of Maya, 3ds Max, MotionBuilder and Blender. */
#ifndef ANIM_FORMAT_FBX_FBX_H
#define ANIM_FORMAT_FBX_FBX_H

#include "format/read.h"

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

#endif
