/* fold.h: make tracks of the target from tracks of the source, by factors for one bone or for a chain of bones. Internal. */
#ifndef ANIM_FILTER_RETARGET_FOLD_H
#define ANIM_FILTER_RETARGET_FOLD_H

#include "clip/keys.h"
#include "filter/common/affine.h"
#include "filter/retarget/plan.h"

/* ---- One bone ---- */

enum retarget_role { ROLE_OTHER, ROLE_POSITION, ROLE_ROTATION, ROLE_EULER, ROLE_SCALE };

/* Return the part of a transform that the track animates. ROLE_OTHER: none, or it has no keys. */
enum retarget_role retarget_role_of(const struct anim_track *);

static inline bool retarget_is_rotation(enum retarget_role role)
{
	return role == ROLE_ROTATION || role == ROLE_EULER;
}

/*
 * Return whether the track never leaves the rest value (or its first value, if `any_value` is set), so that dropping it
 * has no visible effect. `height` is the size of the skeleton, for rounding of positions.
 */
bool retarget_stays(const struct anim_track *, enum retarget_role, const struct anim_rest *, double height,
		    bool any_value);

/*
 * Compute the factors that convert a node's quaternion to the target's: q' = a q b. relative: q and q' are relative to
 * the rest pose.
 */
void retarget_factors(const struct retarget_plan *, uint32_t node, uint32_t to, bool relative, double a[4],
		      double b[4]);

/* A position of the source: in the space of a node (ANIM_POSE_NONE: of the tree), with the position at rest. */
struct retarget_place {
	uint32_t space;
	double rest[3];
	bool relative; /* The position and its result are relative to the rest pose, in the node's own space. */
};

/* Compute how a position becomes one of the target's bone. Returns false if a scale is zero. */
bool retarget_position(const struct retarget_plan *, const struct retarget_place *, uint32_t to,
		       struct anim_affine *out);

/* Return the target bone's rotation at rest in the source's pose. Returns false if it equals its own rest pose. */
bool retarget_posed(const struct retarget_plan *, uint32_t to, float rotation[4]);

/* ---- A chain of bones ---- */

/*
 * A bone of a chain, from the bone with a partner upwards, and then down to another bone (`back`), relative to which the
 * partner moves. The tracks are complete vectors: a rotation or angles, and a position. NULL: at rest.
 */
struct retarget_link {
	uint32_t node;
	bool back;
	const struct anim_track *rotation, *position;
	double at[3]; /* of a position: the place at rest, which retarget_fold_position sets */
};

struct retarget_fold {
	const struct retarget_plan *plan;
	const struct anim_clip *clip;
	struct retarget_link *links; /* the partner of the first link gets the track */
	size_t count;
	bool limb;              /* of a position: the bones below the hips have the target's lengths */
	uint32_t space;         /* of a position: the node above the chain, or ANIM_POSE_NONE */
	struct anim_keys *keys; /* of the new track */
	double worst;           /* out: bound of the error between new keys, in degrees or the target's length unit */
};

/*
 * Compute the partner's rotation or position. There are keys at the times of all tracks, and more if the error
 * between them would be too large. If all tracks are sampled at the same times, the result is sampled as well. *out
 * gets kind, type, rules and columns, which belong to the keys. Returns 0 or -1.
 */
int retarget_fold_rotation(struct retarget_fold *, struct anim_track *out, struct anim_error *);
int retarget_fold_position(struct retarget_fold *, struct anim_track *out, struct anim_error *);

#endif
