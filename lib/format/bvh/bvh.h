/* bvh.h: BVH, what motion capture is handed on in (text), read and written. */
#ifndef ANIM_FORMAT_BVH_H
#define ANIM_FORMAT_BVH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/sink.h"
#include "format/read.h"
#include "format/write.h"

/* True where the bytes begin as BVH does. */
bool anim_bvh_is(const uint8_t *bytes, size_t size);

/*
 * Reads one file into the sink: its joints as a tree of bones, one clip of source "bvh", and for each joint Raw tracks of
 * what its channels tell: `position` in the parent's space, and `euler` in degrees, whose order is that of the channels. No
 * end. Nothing is said to the sink before the last number was read. Memory follows one track and the joints. 0, or -1
 * with line and column.
 */
int anim_bvh_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/*
 * A sink for exactly one clip (a second one is an error) and the tree that it belongs to: the bones, or without any all nodes
 * but the root, become joints, whose rests lose their turns and scales. The clip's tracks must be Raw and whole, on one grid,
 * else it is an error (ANIM_UNSUPPORTED) that names the way round; what is neither position nor rotation of a joint is left
 * out with a warning. Angles of another order than the joint's, and quaternions, become the angles nearest to those of the
 * frame before. The output is borrowed and not committed. NULL on failure.
 */
struct anim_sink *anim_bvh_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/* How many metres a unit is: "cm", "m", "in", "cmu" (the Carnegie Mellon files), or a number above 0. False for another text. */
bool anim_bvh_unit(const char *text, double *metres);

#endif
