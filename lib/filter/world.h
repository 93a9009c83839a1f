/* world.h: samples of nodes brought from their parents' space to the tree's; behind anim-bake. */
#ifndef ANIM_FILTER_WORLD_H
#define ANIM_FILTER_WORLD_H

#include <stddef.h>

#include "clip/diagnostics.h"
#include "clip/sink.h"

/*
 * A filter in front of `next` (owned, freed on failure too) for whole Raw tracks on one grid. The positions, rotations and
 * scales of a clip's nodes wait for its end; then all nodes that moved, by themselves or with one above them, have tracks in
 * the space that the tree's first node stands in, scales only where they are not 1. Nodes of the plane have positions and scales
 * of two numbers and an angle in radians. Shear, which rotated nodes below unequal scales get, is lost, and skew is not looked at.
 * Tracks that are in that space already are taken as what they are. Nodes that no tree has stay as they are (with a warning).
 * NULL on failure.
 */
struct anim_sink *anim_world_new(size_t memory_max, struct anim_diagnostics *, struct anim_sink *next,
				 struct anim_error *);

#endif
