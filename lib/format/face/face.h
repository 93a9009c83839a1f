/* face.h: reads tables and JSON of face capture: the weights of a face's shapes in each frame. */
#ifndef ANIM_FORMAT_FACE_FACE_H
#define ANIM_FORMAT_FACE_FACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/sink.h"
#include "format/read.h"

/* Return whether the bytes begin a table whose first line names shapes, or JSON with names of shapes. */
bool anim_face_is(const uint8_t *bytes, size_t size);

/*
 * Read one file into the sink, but do not end the sink. It becomes one clip of source "face" without a tree. Each shape
 * becomes a track `blend_shape/NAME` on ".", with ARKit's spelling if it is one of ARKit's. Angles, whose names end with
 * yaw, pitch or roll, become tracks of their own names. Frames at a fixed rate become Raw tracks, others Curves with linear keys. Times begin at 0. Memory use
 * depends on a tile of frames, on the times and on one track. Return 0, or -1 with line and column.
 */
int anim_face_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

#endif
