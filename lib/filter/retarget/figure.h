/* figure.h: a human in a tree, with a frame for each bone: its orientation in the T-pose. Internal. */
#ifndef ANIM_FILTER_RETARGET_FIGURE_H
#define ANIM_FILTER_RETARGET_FIGURE_H

#include "filter/retarget/plan.h"

/*
 * The human bones of one skeleton, at rest and in samples of a motion. A bone's frame is a rotation a that is constant
 * in the bone: with the bone's rotation Q in world space, Q a has left, up and forward of the body as its columns if
 * the body is in the T-pose. A bone of another skeleton with the frame a' does the same if its rotation is
 * Q a a'^-1. Everything is right-handed, y is up.
 */
struct retarget_figure {
	const struct retarget_side *side;
	bool mirrored;   /* the tree is left-handed, so its x is negated here */
	bool complete;   /* it has hips, arms and legs, which frames require */
	bool posed;      /* it rests in a pose of a human */
	bool bodied;     /* `body` is known: the frame of the body at rest */
	bool standing;   /* the body is upright at rest */
	unsigned facing; /* quarter rotations about up from z to the direction that it faces */
	double body[4];
	uint32_t *nodes;             /* of each slot */
	int *slots;                  /* of each node, or -1 */
	size_t count;                /* of slots */
	int bones[ANIM_HUMAN_BONES]; /* slots, or -1 */
	int *trunk;                  /* slots from the first bone above the hips to the head */
	size_t trunk_count;
	int chest;              /* the slot that carries the arms */
	size_t samples;         /* of a motion. Sample 0 is the rest */
	double low;             /* height of the lower ankle that a twentieth of the samples are below */
	double (*at)[3];        /* place of each slot, sample by sample */
	double (*rotations)[4]; /* rotation, in the same order */
	double (*frames)[4];    /* of each slot */
};

/*
 * Find the bones of a side, which must have its bones. `other` (or NULL) is the other side of a plan with partners. All
 * memory is in the arena. Returns 0 or -1.
 */
int retarget_figure_make(struct retarget_figure *, const struct retarget_side *, const struct retarget_side *other,
			 struct anim_arena *, struct anim_error *);
/* Find out whether the rest is a pose, and the frame of the body. Returns `posed`. */
bool retarget_figure_judge(struct retarget_figure *);
/* Return whether upper arms, forearms, thighs and shins rest in the T-pose, to this number of degrees. */
bool retarget_figure_is_tpose(const struct retarget_figure *, double degrees);

/* Make room for a motion. Then give each sample, from poses of the same tree, and end. They return 0 or -1. */
int retarget_figure_begin(struct retarget_figure *, size_t samples, struct anim_arena *, struct anim_error *);
void retarget_figure_sample(struct retarget_figure *, const struct anim_poses *, size_t sample, size_t in_tile);
int retarget_figure_end(struct retarget_figure *, struct anim_arena *, struct anim_error *);
/* Return whether the legs bend or swing in the motion. */
bool retarget_figure_walks(const struct retarget_figure *);

/*
 * Compute all frames: from the rest of a judged figure, with arms and legs at rest or `by_direction`, or from a motion
 * with at least one sample, if the rest is not a pose. *guessed: the motion does not show everything.
 */
void retarget_frames_of_rest(struct retarget_figure *, bool by_direction);
int retarget_frames_of_motion(struct retarget_figure *, bool *guessed, struct anim_arena *, struct anim_error *);

/* Convert a rotation between the tree's space and the figure's space, in both directions. */
void retarget_frames_mirror(const struct retarget_figure *, double q[4]);

/*
 * Compute the rotation in the target's tree from the rest of its bone to the place that it has if the source's bone is at
 * rest. `turned`: the source's body at rest, facing as the target. Returns how many degrees it is off the rotation of
 * the whole body.
 */
double retarget_figure_fix(const struct retarget_figure *from, int slot, const struct retarget_figure *to, int to_slot,
			   const double turned[4], double fix[4]);

/* Return whether partners have the same axes at rest, so that they have the same frames. */
bool retarget_figures_alike(const struct retarget_figure *, const struct retarget_figure *);
/*
 * Return whether partners have the same offsets in the axes of the bones above, in whatever rests, so that their axes are the
 * same. If both rest in a pose, their frames must agree as well, because offsets alone do not show how a limb is rotated about
 * itself. Changes the frames.
 */
bool retarget_figures_same(struct retarget_figure *, struct retarget_figure *);
/* Give the bones of the second figure the frames of their partners. */
void retarget_frames_copy(const struct retarget_figure *, struct retarget_figure *);

/*
 * Put a copy of the source's tree, at rest as the source, into the T-pose: new rest rotations of all bones, facing z, and
 * the hips so high that the ankles are at `ankle`. Its poses and `rotations` follow. The figure of the target gets the frames of
 * the T-pose. Returns 0 or -1.
 */
int retarget_figure_to_tpose(const struct retarget_figure *from, struct retarget_side *to, struct retarget_figure *,
			     double ankle, struct anim_arena *, struct anim_error *);

/* The heights of the feet of a figure, and of its hips above them. */
struct retarget_stand {
	double legs;  /* length of thigh and shin */
	double drop;  /* from the hips down to the middle of the hip joints, along the body. Requires frames */
	double ankle; /* height of the ankles above the ground */
	bool rests;   /* the rest shows `ankle` */
	bool guessed; /* neither the rest nor the motion shows `ankle` */
};
void retarget_figure_stand(const struct retarget_figure *, bool target, struct retarget_stand *);

#endif
