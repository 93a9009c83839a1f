/* vmc.h: reads and writes takes of the VMC protocol (.vmc): datagrams of live motion with the times of their arrival. */
#ifndef ANIM_FORMAT_VMC_VMC_H
#define ANIM_FORMAT_VMC_VMC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/sink.h"
#include "format/read.h"
#include "format/write.h"

/*
 * A take begins with this magic. Each datagram follows as its time in nanoseconds since the start (8 bytes), its size (4
 * bytes, both little-endian), and its bytes.
 */
#define ANIM_VMC_MAGIC "AnimVMC1"
#define ANIM_VMC_HEAD 12u
#define ANIM_VMC_DATAGRAM_MAX 65535u

/* Write the time and size of a datagram. */
void anim_vmc_head_write(uint8_t head[ANIM_VMC_HEAD], uint64_t time_ns, uint32_t size);

/*
 * Get the next datagram of a take, borrowed until the next call. The struct is zeroed before the first one. Times never
 * decrease. Return 1, 0 at the end, or -1 with the byte. A take that was not ended may be cut anywhere: then `is_cut` is set
 * at the end, and the offset of the input is the first byte of the last datagram.
 */
struct anim_vmc_datagram {
	uint64_t time_ns;
	const uint8_t *bytes;
	size_t size;
	bool is_cut, has_begun;
};
int anim_vmc_next(struct anim_input *, struct anim_vmc_datagram *, struct anim_error *);

/* Fail because the take is cut here. Return -1. */
#define ANIM_VMC_CUT "the take was not ended: its last datagram is cut off and left out"
int anim_vmc_fail_cut(const struct anim_input *, struct anim_error *);

/*
 * Read a take into the sink, but do not end the sink. There is one clip of source "vmc". Bones of a human become a tree of
 * bones with Unity's names, whose rest poses have no rotation, or come from the model options->model. Bones, the root and
 * expressions have Raw tracks if the frames are regular and complete, otherwise Curves of Linear keys. Memory use depends on
 * the number of frames, on the items of a frame and on one track. Return 0, or -1 with the byte.
 */
int anim_vmc_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/* Transforms are frames of whole values. Other tracks are sampled by the writer. */
extern const struct anim_caps anim_vmc_caps;

/*
 * Return a sink for exactly one clip. Nodes with names of human bones, of Unity or VRM, are sent as bones, the root of the clip as
 * the root, and `expression/NAME` as expressions. Other tracks are left out with a warning. The output is borrowed and not
 * committed. Return NULL on failure.
 */
struct anim_sink *anim_vmc_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

#endif
