/* posing.h: sample the tracks of a clip into poses, 60 times per second, as a viewer does. */
#ifndef ANIM_FILTER_COMMON_POSING_H
#define ANIM_FILTER_COMMON_POSING_H

#include "clip/source.h"
#include "filter/common/pose.h"
#include "stream/store.h"

/* ---- One track as its player shows it ---- */

/*
 * Return whether the track has numbers over time. Tracks without keys, texts, disabled tracks and samples without an
 * interval do not.
 */
bool anim_play_can(const struct anim_track *);

/*
 * Prepare a source for a complete track: angles in radians, rotations as unit quaternions. Then call anim_source_open,
 * and anim_source_close at the end.
 */
void anim_play_open(struct anim_source *, const struct anim_clip *, const struct anim_track *);

/*
 * Call anim_source_sample, but a track that cannot be played is not an error. Returns 1, 0 if it cannot be played, or
 * -1 if out of memory.
 */
int anim_play_sample(struct anim_source *, const double *t, size_t count, double (*out)[ANIM_COMPONENTS_MAX],
		     struct anim_error *);

/* ---- All tracks that move nodes ---- */

/* All-zero at first. Initialize the poses with anim_poses_init and add the tree's nodes. anim_posing_begin sets the other members. */
struct anim_posing {
	struct anim_poses poses;
	size_t samples; /* 0: no tree has the clip's nodes */
	double start_s, end_s, step_s;
	const double *times;           /* times of uneven samples, or NULL */
	bool unsure;                   /* a node's motion is incomplete (a second track), so no pose is correct */
	struct anim_store *components; /* of the current clip, until they are joined, or NULL */
};

void anim_posing_begin(struct anim_posing *, const struct anim_clip *);
/* Begin with `samples` samples (at least 1), evenly from one time of the clip to another. */
void anim_posing_begin_at(struct anim_posing *, const struct anim_clip *, double start_s, double end_s, size_t samples);

/* Begin with samples at these times (borrowed until the last sample is used), in a tree that has the clip's nodes. */
void anim_posing_begin_times(struct anim_posing *, const double *times, size_t count);

/* Return the node that the track moves, or ANIM_POSE_NONE. */
uint32_t anim_posing_node(struct anim_posing *, const struct anim_clip *, const struct anim_track *);
int anim_posing_track(struct anim_posing *, const struct anim_clip *, const struct anim_track *, uint32_t node,
		      struct anim_error *); /* 0 or -1 */

/*
 * Join the components among the tracks, after the last one. Missing components get the rest pose, or neutral values.
 * Returns 0 or -1.
 */
int anim_posing_join(struct anim_posing *, struct anim_error *);

/*
 * After one of the begins: sample all tracks of a clip in a store, join components, and make the poses ready. Returns 0 or
 * -1.
 */
int anim_posing_clip(struct anim_posing *, struct anim_store *, size_t clip, struct anim_error *);

/* Free the memory of the poses and of components. */
void anim_posing_clear(struct anim_posing *);

#endif
