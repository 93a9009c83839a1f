/* pose.h: the pose of a model at one time, with IK and copied motion, as MikuMikuDance plays it. Internal to format/mmd. */
#ifndef ANIM_FORMAT_MMD_POSE_H
#define ANIM_FORMAT_MMD_POSE_H

#include "format/mmd/model.h"

/* The state of a bone, in the axes and units of MikuMikuDance. */
struct mmd_bone_pose {
	double rotation[4],
	    position[3]; /* set by the caller: of the keys and morphs. The position is without the rest */
	/* The following members are set by mmd_pose_evaluate. */
	double local_rotation[4], local_position[3]; /* with everything that moves the bone, relative to the parent */
	double world_rotation[4], world_position[3];
	/* private */
	double appended_rotation[4], appended_position[3], ik_rotation[4], before_ik[4];
};

/* Begin with mmd_pose_init. */
struct mmd_pose {
	const struct mmd_model *model;
	struct mmd_bone_pose *bones;
	bool *ik_on; /* set by the caller, for each chain, true at first */
	/* For each bone: it is evaluated, because IK or another bone needs it. The caller may add further bones. */
	bool *used;
	uint64_t steps;          /* of all chains so far */
	struct pose_bone *fixed; /* private, like the following members: the constant part of bones */
	struct pose_ik *iks;
	uint32_t *order, *path;
	struct anim_arena arena;
};

/* Prepare a model, which is borrowed. Call mmd_pose_clear in any case. Return 0 or -1. */
int mmd_pose_init(struct mmd_pose *, const struct mmd_model *, struct anim_error *);
void mmd_pose_clear(struct mmd_pose *);

void mmd_pose_evaluate(struct mmd_pose *);

/* Compute a power of a rotation, as bones that copy others have it: its angle times k, the short way. */
void mmd_rotation_power(double out[4], const double q[4], double k);

/* Return the largest number of steps of IK in one pose. */
uint64_t mmd_pose_cost(const struct mmd_pose *);

#endif
