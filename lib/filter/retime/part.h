/* part.h: find a part of a clip by the poses of its nodes: the best loop, or the part that moves. Close a loop. Internal. */
#ifndef ANIM_FILTER_RETIME_PART_H
#define ANIM_FILTER_RETIME_PART_H

#include "clip/span.h"
#include "filter/common/posing.h"
#include "stream/store.h"

/* A loop of a clip, and the difference between its end and its start. */
struct retime_loop {
	double start_s, end_s;
	double size;  /* of the skeleton: the longest side of the box around its nodes at the start */
	double gap;   /* the largest distance of a node at the end from its place at the start */
	double rush;  /* the largest difference of a node's velocity, per second */
	bool travels; /* distances are measured after a motion over the ground and a turn about the vertical axis */
	double way;   /* how far the body moves over the ground from the start to the end, or 0 if it does not travel */
	/* For closing: the node whose motion may stay open, if it travels (ANIM_POSE_NONE: none), and its parent's place. */
	uint32_t carrier;
	double above[ANIM_POSE_NUMBERS];
};

/*
 * Find the loop in a range of the only clip of a store, whose nodes are in the poses. Poses are compared at up to 60 samples
 * per second, at the samples themselves if the tracks have them. The result is the loop with the smallest seam, or one that is
 * at least a quarter shorter and has a seam at most 1.15 times as large. A loop is at least 0.3 s long and leaves the pose of
 * its start. The seam is the root mean square over the nodes of their distance, and of the difference of their velocities times
 * 0.1 s. The rotation of a node counts through points beside it. Returns 1, 0 if the clip moves no nodes or has no loop, or -1.
 */
int retime_find_loop(struct anim_posing *, struct anim_store *, const struct anim_range *, struct retime_loop *,
		     struct anim_error *);

/*
 * Find the part of a range that moves: from the last sample at which no point within `shell` of a node has moved by more
 * than `tol` since the start, to the first from which on none moves by more until the end. Other numbers and events must not
 * change at all. Returns 1, 0 if nothing moves, or -1.
 */
int retime_find_motion(struct anim_posing *, struct anim_store *, const struct anim_range *, double tol, double shell,
		       struct anim_range *out, struct anim_error *);

/*
 * Return a filter in front of `next` (owned, also freed on failure), or NULL on failure, that closes the tracks of a loop:
 * the difference of their ends is spread over the clip. The node that carries a travelling body keeps its motion over the
 * ground and its heading. The poses and the loop are borrowed. If the end of the loop is NaN, the clip stays unchanged.
 */
struct anim_sink *retime_closer_new(struct anim_posing *, const struct retime_loop *, struct anim_sink *next,
				    struct anim_error *);

#endif
