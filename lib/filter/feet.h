/* feet.h: how far the feet of a human slide over the ground while they stand, as a clip plays. */
#ifndef ANIM_FILTER_FEET_H
#define ANIM_FILTER_FEET_H

#include "filter/posing.h"
#include "filter/rename/rename.h"

/* What a foot did while it stood; of the stretches where it slid, the one where it came farthest. */
struct anim_slide {
	const char *node;                 /* its path; as long as the tree is at hand */
	uint32_t number;                  /* of that node in the tree */
	double lowest;                    /* its height where it is lowest */
	uint64_t count;                   /* of such stretches */
	double size, share, from_s, to_s; /* share: of its leg; times from the clip's start on */
	bool stands, counted;             /* the stretch at hand, which began there and then */
	double x, z, start_s;
};

/* The feet of the tree and of the clip at hand. All-zero but for `percent` and the poses' own beginning (anim_poses_init). */
struct anim_feet {
	unsigned percent; /* of the leg that a foot may slide */
	struct anim_posing posing;
	struct anim_buffer feet;
	struct anim_buffer legs;   /* uint8_t: whether each node is an upper leg */
	struct anim_buffer slides; /* struct anim_slide; of each foot, after anim_feet_end */
	bool follows;              /* the clip moves a tree with feet */
};

/*
 * In the order of the stream. Feet are known by what their names mean in any naming (anim_bone_of_name), or by what the caller
 * says the bone is (NULL: it does not; ANIM_HUMAN_BONES: no bone of a human), with an upper leg above them. 0 or -1.
 */
void anim_feet_tree(struct anim_feet *); /* another tree begins */
int anim_feet_node(struct anim_feet *, const struct anim_node *, const enum anim_human_bone *bone, struct anim_error *);
void anim_feet_clip(struct anim_feet *, const struct anim_clip *);
int anim_feet_track(struct anim_feet *, const struct anim_clip *, const struct anim_track *,
		    struct anim_error *);                   /* 0 or -1 */
int anim_feet_end(struct anim_feet *, struct anim_error *); /* of the clip: fills the slides. 0 or -1 */
void anim_feet_clear(struct anim_feet *);

#endif
