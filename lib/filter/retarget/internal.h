/* internal.h: two skeletons side by side: which bone is whose partner, and what their rests make of a track. Internal to this folder. */
#ifndef ANIM_FILTER_RETARGET_INTERNAL_H
#define ANIM_FILTER_RETARGET_INTERNAL_H

#include "clip/keys.h"
#include "filter/affine.h"
#include "filter/retarget/retarget.h"
#include "stream/store.h"

/* One node of either side. */
struct retarget_node {
	enum anim_human_bone bone; /* ANIM_HUMAN_BONES: it is none that is known */
	uint32_t partner;          /* on the other side; ANIM_POSE_NONE: it has none */
	bool given;                /* by the map, which may have said a name that is not there */
	double fix[4];             /* of the target: what brings it into the source's pose, in the tree's space */
};

/* Bones one below the other; in the plan's arena. */
struct retarget_chain {
	uint32_t *nodes;
	size_t count;
};

struct retarget_side {
	struct anim_skeleton *skeleton;
	struct retarget_node *nodes;
	double (*turns)[4]; /* of each at rest, in the tree's space; of the target as it is after `fix` */
	uint32_t count;
	bool human;                       /* it has bones of a human */
	uint32_t bones[ANIM_HUMAN_BONES]; /* the node of each; ANIM_POSE_NONE: it has none */
	struct retarget_chain spine;      /* from above the hips to what carries the arms */
	struct retarget_chain neck;       /* between that and the head */
	double
	    height; /* a length of both sides, by which positions are scaled: that of a human's legs, or the skeleton's size */
	double raise; /* of the hips: how much higher they are, when they stand on the ground, than they rest */
	double ankle; /* of a human: how high the ankles are above the ground; 0: not known */
};

/* What is known of two skeletons. All-zero is empty. */
struct retarget_plan {
	const struct anim_retarget_options *options;
	struct retarget_side from, to;
	uint32_t
	    hips; /* of the source, whose motion is that of the whole; ANIM_POSE_NONE: each clip's topmost bone that moves */
	bool same;        /* partners have the same rests, but for the ratio */
	double facing[4]; /* turns the source's space to the target's */
	double ratio;     /* of the heights */
	struct anim_arena arena;
};

/* The bone of a human that the node of a side is, else what its partner on the other side is. */
enum anim_human_bone retarget_bone(const struct retarget_side *, const struct retarget_side *other, uint32_t node);

/* The nearest node above that has a partner; ANIM_POSE_NONE: none has. */
uint32_t retarget_above(const struct retarget_side *, uint32_t node);
/* The node is `above`, or somewhere below it. */
bool retarget_is_below(const struct retarget_side *, uint32_t node, uint32_t above);

/*
 * Both skeletons, side by side: partners, rests, poses that are brought together, heights; tells of what is not as it
 * should be. The plan is begun with options and zeros, and cleared by retarget_plan_clear. 0 or -1.
 */
int retarget_plan_make(struct retarget_plan *, struct anim_skeleton *from, struct anim_error *);
void retarget_plan_clear(struct retarget_plan *);

/*
 * The target alone, of a plan that is begun likewise: its rests, and which nodes are bones of a human, by the map (which then has
 * Unity's names of bones on its left side) or by their names. 0 or -1.
 */
int retarget_find_human(struct retarget_plan *, struct anim_error *);

/* Once the hips are chosen: heights, and their ratio. */
void retarget_measure(struct retarget_plan *);

/* How a quaternion of a node becomes one of a target's: q' = a q b. relative: q turns from the rest, and so does q'. */
void retarget_factors(const struct retarget_plan *, uint32_t node, uint32_t to, bool relative, double a[4],
		      double b[4]);

/* What a turn of the node makes of n: n = a q b, in the target's space. */
void retarget_turn_factors(const struct retarget_plan *, uint32_t node, bool relative, double a[4], double b[4]);
/* q' of a target's bone = a n b. */
void retarget_back_factors(const struct retarget_plan *, uint32_t to, bool relative, double a[4], double b[4]);

/* A position of the source: in the space of a node (ANIM_POSE_NONE: the tree's), where it is at rest. */
struct retarget_place {
	uint32_t space;
	double rest[3];
	bool relative; /* to the rest, in the node's own space, and so is what it becomes */
};

/* How it becomes one of the target's bone. False where something is scaled to nothing. */
bool retarget_position(const struct retarget_plan *, const struct retarget_place *, uint32_t to,
		       struct anim_affine *out);

/* The target's bone at rest, in the pose of the source's: false where that is its own rest. */
bool retarget_posed(const struct retarget_plan *, uint32_t to, float rotation[4]);

/* ---- Clips of Unity's humanoid ---- */

struct retarget_humanoid;

struct retarget_humanoid *retarget_humanoid_new(const struct anim_retarget_options *, struct anim_error *);
void retarget_humanoid_free(struct retarget_humanoid *); /* NULL is allowed */

/* Whether the track is a curve of a humanoid. */
bool retarget_is_humanoid(const struct anim_track *);

/* Take such a track of the clip at hand. 0 or -1. */
int retarget_humanoid_track(struct retarget_humanoid *, const struct anim_clip *, const struct anim_track *,
			    struct anim_error *);

/* Whether the clip at hand had any. */
bool retarget_humanoid_has(const struct retarget_humanoid *);

/*
 * The clip is over: calls `send` with a track of each bone that moves, which has no name yet, and the bone's node. Then nothing is
 * held any more. 0 or -1.
 */
typedef int retarget_send(void *context, struct anim_track *, uint32_t node, struct anim_error *);
int retarget_humanoid_finish(struct retarget_humanoid *, retarget_send *, void *context, struct anim_error *);

#endif
