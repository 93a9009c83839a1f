/* frames.h: clips as frames of whole values, for formats that hold nothing else. */
#ifndef ANIM_FILTER_FRAMES_H
#define ANIM_FILTER_FRAMES_H

#include "clip/diagnostics.h"
#include "clip/rest.h"
#include "clip/sink.h"

/*
 * Create a filter that writes to `next` (owned, also freed on failure). A clip whose transforms are samples of whole
 * values at the same times passes unchanged. Other clips are baked (anim_bake_new): at the rate of their samples, else at
 * their own rate, else at 30 frames per second, with a note. `rests` are the rest poses of nodes outside of the stream's
 * trees (borrowed). Returns NULL on failure.
 */
struct anim_sink *anim_frames_new(struct anim_rests *rests, struct anim_diagnostics *, struct anim_sink *next,
				  struct anim_error *);

#endif
