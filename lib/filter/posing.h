/* posing.h: a clip that plays into poses, 60 times a second, as its tracks come by: for what looks at it as a viewer does. */
#ifndef ANIM_FILTER_POSING_H
#define ANIM_FILTER_POSING_H

#include "clip/source.h"
#include "filter/pose.h"

/* ---- One track as its player shows it ---- */

/* False for what has no numbers in time: no keys, texts, a track that is disabled, samples without interval. */
bool anim_play_can(const struct anim_track *);

/* A whole track in radians, a rotation as quaternion of length 1. Then anim_source_open; anim_source_close at the end. */
void anim_play_open(struct anim_source *, const struct anim_clip *, const struct anim_track *);

/* As anim_source_sample, but what cannot be played is no failure: 1, 0 where it cannot, -1 out of memory. */
int anim_play_sample(struct anim_source *, const double *t, size_t count, double (*out)[ANIM_COMPONENTS_MAX],
		     struct anim_error *);

/* ---- All that move nodes ---- */

/* The poses begin with anim_poses_init and get the tree's nodes from the caller; the rest is set by anim_posing_begin. */
struct anim_posing {
	struct anim_poses poses;
	size_t samples; /* 0: no tree has the clip's nodes */
	double start_s, end_s, step_s;
	const double *times; /* of the samples, where they are not even; NULL */
	bool
	    unsure; /* something moves a node that cannot be told whole: a single lane, a second track; no pose is right then */
};

void anim_posing_begin(struct anim_posing *, const struct anim_clip *);
/* The same with so many samples (1 at least), evenly from one time of the clip to another. */
void anim_posing_begin_at(struct anim_posing *, const struct anim_clip *, double start_s, double end_s, size_t samples);

/* The same at these times (borrowed until the last sample is looked at), in a tree that has the clip's nodes. */
void anim_posing_begin_times(struct anim_posing *, const double *times, size_t count);

/* The node that the track moves, ANIM_POSE_NONE: none. */
uint32_t anim_posing_node(struct anim_posing *, const struct anim_clip *, const struct anim_track *);
int anim_posing_track(struct anim_posing *, const struct anim_clip *, const struct anim_track *, uint32_t node,
		      struct anim_error *); /* 0 or -1 */

/* The same of a source that gives all numbers of a part; what it holds is closed. */
int anim_posing_put(struct anim_posing *, struct anim_source *, uint32_t node, enum anim_pose_part,
		    struct anim_error *); /* 0 or -1 */

#endif
