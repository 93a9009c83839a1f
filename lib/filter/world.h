/* world.h: samples of nodes in world space. */
#ifndef ANIM_FILTER_WORLD_H
#define ANIM_FILTER_WORLD_H

#include <stddef.h>

#include "clip/diagnostics.h"
#include "clip/sink.h"

/*
 * Create a filter that writes to `next` (owned, also freed on failure), for complete Raw tracks on one grid. Positions,
 * rotations and scales of a clip's nodes are stored until its end. Then all nodes that moved, alone or with a parent,
 * get tracks in world space: the space of the tree's first node. Scales are written only if they are not 1. 2D nodes
 * have positions and scales with 2 numbers and an angle in radians. Shear, which occurs if rotated nodes have a parent
 * with a non-uniform scale, is lost. Skew is ignored. Tracks that are in world space already are used as such. Nodes
 * outside of the tree are unchanged, with a warning. Returns NULL on failure.
 */
struct anim_sink *anim_world_new(size_t memory_max, struct anim_diagnostics *, struct anim_sink *next,
				 struct anim_error *);

#endif
