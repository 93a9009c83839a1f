/* feet.h: measure how far human feet slide over the ground while a clip plays. */
#ifndef ANIM_FILTER_COMMON_FEET_H
#define ANIM_FILTER_COMMON_FEET_H

#include "filter/common/posing.h"
#include "filter/rename/rename.h"

/* The sliding of one foot. Only the stretch with the largest distance is described. */
struct anim_slide {
	const char *node; /* its path; valid while the tree is */
	uint32_t number;  /* number of the node in the tree */
	double lowest;    /* its smallest height */
	double lift, leg; /* the same minus its height at rest, and the length of its leg */
	bool stood;       /* it is a foot, not toes, and the rest pose of the model touches the ground */
	uint64_t count;   /* number of stretches in which it slides */
	double size, share, from_s, to_s; /* share: relative to its leg; times count from the clip's start */
	bool on_ground, counted;          /* the current stretch, which began at x, z and start_s */
	double x, z, start_s;
};

/* The feet of the current tree and clip. All-zero except for `percent` and the poses (anim_poses_init). */
struct anim_feet {
	unsigned percent; /* part of the leg that a foot may slide */
	struct anim_posing posing;
	struct anim_buffer feet;
	struct anim_buffer legs;   /* uint8_t, an enum leg for each node */
	struct anim_buffer slides; /* struct anim_slide of each foot, after anim_feet_end */
	bool follows;              /* the clip animates a tree with feet */
};

/*
 * Call these in the order of the stream. Feet are identified by their name in any naming (anim_bone_of_name), or by the
 * bone that the caller gives (NULL: unknown; ANIM_HUMAN_BONES: not a human bone). An upper leg must be above them.
 * Returns 0 or -1.
 */
void anim_feet_tree(struct anim_feet *); /* begin another tree */
int anim_feet_node(struct anim_feet *, const struct anim_node *, const enum anim_human_bone *bone, struct anim_error *);
void anim_feet_clip(struct anim_feet *, const struct anim_clip *);
int anim_feet_track(struct anim_feet *, const struct anim_clip *, const struct anim_track *,
		    struct anim_error *);                   /* 0 or -1 */
int anim_feet_end(struct anim_feet *, struct anim_error *); /* end the clip and fill the slides; 0 or -1 */
void anim_feet_clear(struct anim_feet *);

#endif
