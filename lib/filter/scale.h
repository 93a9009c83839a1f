/* scale.h: make skeletons and their clips larger or smaller. */
#ifndef ANIM_FILTER_SCALE_H
#define ANIM_FILTER_SCALE_H

#include "clip/diagnostics.h"
#include "clip/sink.h"

struct anim_scale_options {
	double factor; /* of all lengths. 0: see height_m */
	/*
	 * Choose the factor of each tree so that it gets this height: the largest vertical distance from its lowest to its highest
	 * bone in its first clip, or at rest if it has no clip. Arms do not count. Without bones, all nodes count. A note reports
	 * it. A tree without height, or a clip without tree, is an error.
	 */
	double height_m;
	size_t store_memory; /* of anim_store_new, which keeps a tree and its first clip until the height is known */
	struct anim_diagnostics *diagnostics; /* required */
};

/*
 * Create a filter that writes to `next` (owned, also freed on failure). Positions of nodes and of tracks, and the origins of
 * matrices, are multiplied by the factor, with their slopes and control points. Scales stay unchanged. Returns NULL on failure.
 */
struct anim_sink *anim_scale_new(const struct anim_scale_options *, struct anim_sink *next, struct anim_error *);

#endif
