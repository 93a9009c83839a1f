/* plan.h: the plan between two skeletons: which of their nodes match, and how their rest poses differ. Internal. */
#ifndef ANIM_FILTER_RETARGET_PLAN_H
#define ANIM_FILTER_RETARGET_PLAN_H

#include "filter/retarget/retarget.h"
#include "stream/store.h"

/* The name and the attributes of a node, an element of anim_skeleton.names. */
struct anim_skeleton_name {
	const char
	    *own; /* name of a tree's root, because its path has no name, or NULL for the last name of the path */
	struct anim_attrs attrs;
	enum anim_node_kind kind;
};

/* A node of one skeleton. */
struct retarget_node {
	enum anim_human_bone bone; /* ANIM_HUMAN_BONES: not a known human bone */
	uint32_t partner;          /* the matched node of the other skeleton, or ANIM_POSE_NONE */
	bool given;                /* the map has a row for it, possibly with a name that does not exist */
	double fix[4]; /* of the target: the rotation from its rest pose to the source's pose, in the tree's space */
};

/* A chain of bones, parents first. In the plan's arena. */
struct retarget_chain {
	uint32_t *nodes;
	size_t count;
};

struct retarget_side {
	struct anim_skeleton *skeleton;
	struct retarget_node *nodes;
	double (*rotations)[4]; /* rotation of each node at rest in the tree's space, of the target after `fix` */
	uint32_t count;
	bool human;                       /* it has human bones */
	uint32_t bones[ANIM_HUMAN_BONES]; /* the node of each bone, or ANIM_POSE_NONE */
	struct retarget_chain spine;      /* from the first bone above the hips to the bone that carries the arms */
	struct retarget_chain neck;       /* between the spine and the head */
	/*
	 * The node that moves the whole body, if it is not the hips: in MikuMikuDance, the hips do not carry the spine.
	 * Otherwise ANIM_POSE_NONE.
	 */
	uint32_t centre;
	double height; /* scale for positions: the length of a human's legs, or the skeleton's size on both sides */
	double ankle;  /* of a human: height of the ankles above the ground, or 0 if it is unknown */
};

struct retarget_figure; /* figure.h */

/* The plan between two skeletons. All-zero is empty. */
struct retarget_plan {
	const struct anim_retarget_options *options;
	const char
	    *crossed[2]; /* the first bones of the source and the target that the map pairs left with right, or NULL */
	const char *not_found; /* the first name in the map that is not a bone of the target, or NULL */
	struct retarget_side from, to;
	/*
	 * The source node that carries the motion of the whole body. ANIM_POSE_NONE: in each clip, the topmost animated
	 * bone.
	 */
	uint32_t hips;
	bool same; /* matched nodes have the same rest pose, scaled by the ratio */
	/*
	 * The bones of both sides, if both are humans with arms and legs, otherwise NULL. `waits`: figures[0] can get a
	 * motion, and retarget_plan_match must be called.
	 */
	struct retarget_figure *figures;
	struct retarget_figure *known; /* both have the same bones in different rests, and this one's count, or NULL */
	bool waits;
	bool tpose;       /* the target is a copy of the source, and its rest becomes a T-pose */
	bool folds;       /* nodes between bones have no partner, and their motion is added to the bones */
	double facing[4]; /* rotates the source's space to the target's */
	double ratio;     /* target height / source height */
	double lift[3];   /* added to the hips, in the target's tree, apart from the difference of the rests */
	struct anim_arena arena;
};

/* Return an attribute of a node, or NULL if the node does not have it. */
const char *retarget_attr(const struct retarget_side *, uint32_t node, const char *key);

/* Return the name that a map gives a node, or NULL. */
const char *retarget_mapped_name(struct anim_rename_map *, const struct retarget_side *, uint32_t node);

/* Return the rest pose of a node. */
static inline const struct anim_rest *retarget_rest(const struct retarget_side *side, uint32_t node)
{
	return &side->skeleton->poses.rests.items[node];
}

/* Return the `fix` of the node's parent, or no rotation for a root. */
static inline const double *retarget_fix_above(const struct retarget_side *side, uint32_t node)
{
	static const double none[4] = {0, 0, 0, 1};
	uint32_t parent = anim_poses_parent(&side->skeleton->poses, node);

	return parent == ANIM_POSE_NONE ? none : side->nodes[parent].fix;
}

/* Return the human bone of a side's node, or of its partner on the other side if it has none itself. */
enum anim_human_bone retarget_bone(const struct retarget_side *, const struct retarget_side *other, uint32_t node);

/* Return the target's node that gets the positions of a bone: the centre for hips that do not carry the body. */
uint32_t retarget_placed(const struct retarget_plan *, uint32_t to);

/* Return the nearest ancestor with a partner, or ANIM_POSE_NONE. */
uint32_t retarget_above(const struct retarget_side *, uint32_t node);
/*
 * Return the source's node relative to which a bone with a partner moves: for a human's bone, the partner of the bone above
 * its own partner, which may be on another branch of the source. Otherwise as retarget_above.
 */
uint32_t retarget_base(const struct retarget_plan *, uint32_t node);
/*
 * Return whether the target's bone of a human's limb is not below the bone before it, as the feet of rigs for IK, so that it
 * needs a position as well.
 */
bool retarget_is_apart(const struct retarget_plan *, uint32_t node);
/* Return the nearest common ancestor of two nodes (or one of them), or ANIM_POSE_NONE, also if one is ANIM_POSE_NONE. */
uint32_t retarget_shared(const struct retarget_side *, uint32_t a, uint32_t b);
/* Return whether the node is `above` or a descendant of it. */
bool retarget_is_below(const struct retarget_side *, uint32_t node, uint32_t above);

/*
 * Fill the plan: partners, rest poses, matched poses and heights. Reports problems. The plan must be all-zero except
 * for its options. Clear it with retarget_plan_clear. Returns 0 or -1. The poses and heights of humans wait for _match,
 * because they depend on the motion as well.
 */
int retarget_plan_make(struct retarget_plan *, struct anim_skeleton *from, struct anim_error *);
int retarget_plan_match(struct retarget_plan *, struct anim_error *);
void retarget_plan_clear(struct retarget_plan *);

/*
 * Prepare the target alone, in a plan that has only options and zeros: its rest pose, and which nodes are bones of a
 * human. The map, with Unity's names of bones on its left side, has priority over names. Returns 0 or -1.
 */
int retarget_find_human(struct retarget_plan *, struct anim_error *);

/* Compute the heights and their ratio. Call it when the hips are known. */
void retarget_measure(struct retarget_plan *);

#endif
