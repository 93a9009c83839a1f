/* frames.h: numbers that arrive by frame and are read back by column. A column has one number of each frame. */
#ifndef ANIM_STREAM_FRAMES_H
#define ANIM_STREAM_FRAMES_H

#include "stream/spool.h"

/* Begin with anim_frames_init. */
struct anim_frames {
	struct anim_spool spool; /* tiles of frames, column by column */
	size_t width;            /* number of columns, set before the first frame */
	size_t count;            /* frames */
	size_t tile_frames;
	struct anim_buffer tile, run;
};

void anim_frames_init(struct anim_frames *, size_t memory_max); /* as anim_spool_init */
void anim_frames_clear(struct anim_frames *);

/* Begin the next frame. Returns its numbers, all 0 and writable until the next call, or NULL. */
float *anim_frames_add(struct anim_frames *, struct anim_error *);

/* End the last frame, before columns are copied. Returns 0 or -1. */
int anim_frames_end(struct anim_frames *, struct anim_error *);

/* Copy `n` adjacent columns to to[frame * stride], to[frame * stride + 1] ... Returns 0 or -1. */
int anim_frames_copy(struct anim_frames *, size_t column, size_t n, float *to, size_t stride, struct anim_error *);

#endif
