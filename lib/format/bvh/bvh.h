/* bvh.h: reads and writes BVH, a text format for motion capture. */
#ifndef ANIM_FORMAT_BVH_H
#define ANIM_FORMAT_BVH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/sink.h"
#include "format/read.h"
#include "format/write.h"

/* Return whether the bytes begin like BVH. */
bool anim_bvh_is(const uint8_t *bytes, size_t size);

/*
 * Read one file into the sink, but do not end the sink. The joints become a tree of bones, with one clip of source
 * "bvh". Each joint gets Raw tracks for its channels: `position` in the parent's space, and `euler` in degrees, in the
 * order of the channels. The sink receives nothing before the last number has been read. Memory use depends on the
 * joints and on one track. Return 0, or -1 with line and column.
 */
int anim_bvh_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/* Only components are converted: they are joined. */
extern const struct anim_caps anim_bvh_caps;

/*
 * Return a sink for exactly one clip and its tree. A second clip is an error. The bones become joints, or all nodes
 * except the root if there are no bones. Joints keep no rotation or scale of their rest poses. The clip's tracks must
 * be Raw, of whole values and on one grid. Otherwise there is an error (ANIM_UNSUPPORTED) that names the remedy. Tracks
 * other than position and rotation of a joint are left out with a warning. Quaternions, and angles of another order
 * than the joint's, become the angles nearest to the previous frame's. The output is borrowed and not committed. Return
 * NULL on failure.
 */
struct anim_sink *anim_bvh_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/*
 * Convert a unit to metres: "cm", "m", "in", "cmu" (the Carnegie Mellon files), or a number above 0. Return false for
 * other texts.
 */
bool anim_bvh_unit(const char *text, double *metres);

#endif
