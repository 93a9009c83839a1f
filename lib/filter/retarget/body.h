/* body.h: the bones of a human in a tree, as the body that Unity's muscles move. Internal. */
#ifndef ANIM_FILTER_RETARGET_BODY_H
#define ANIM_FILTER_RETARGET_BODY_H

#include "filter/retarget/muscle.h"
#include "filter/retarget/plan.h"

/* Begin with zeros and plan.options, whose `to` is the tree. Clear the plan at the end. */
struct retarget_body {
	struct retarget_plan plan; /* only its `to` is used */
	struct anim_muscle_body body;
	/* Set by the caller: the tree is the source of clips, and its map has Unity's names on the right. NULL: none */
	bool is_source;
	struct anim_rename_map *map;
	bool mirrored;        /* its tree has the other handedness than Unity */
	double root_place[3]; /* the origin of RootT, in the tree's space */
	double root_turn[4];  /* from the root's space to the mirrored tree's space */
};

/*
 * Find the bones of the tree at rest, align its arms and legs with the T-pose, and make the body. plan.options->map has
 * Unity's names on the left. Reports problems. Returns 0 or -1.
 */
int retarget_body_make(struct retarget_body *, struct anim_error *);

/* Convert between Unity's space and the tree's space, if they differ in handedness. The same mirror converts back. */
void retarget_mirror_place(const struct retarget_body *, double v[3]);
void retarget_mirror_rotation(const struct retarget_body *, double q[4]);

#endif
