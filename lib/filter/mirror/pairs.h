/* pairs.h: which node is whose mirror image. Internal to this folder. */
#ifndef ANIM_FILTER_MIRROR_PAIRS_H
#define ANIM_FILTER_MIRROR_PAIRS_H

#include "filter/mirror/mirror.h"

/* The side that a name tells: where its word or letter stands. */
struct mirror_side {
	char side; /* 'l', 'r'; 0: none */
	size_t start, length;
};

/* "LeftArm", "upperarm_l", "Bip01 L Thigh", "Hand.R.001", "arm_joint_L__4_"; at_end: the word must end the name. */
struct mirror_side mirror_side_of(const char *name, bool at_end);

/* The name with the other side's word in the place of its own, in the same capitals; in the arena. NULL on failure. */
const char *mirror_other_side(const char *name, struct mirror_side, struct anim_arena *, struct anim_error *);

/* All-zero is empty. */
struct mirror_pairs {
	const struct anim_poses *poses; /* borrowed, with every node at its rest */
	struct anim_rename_map *given;
	unsigned normal;           /* of the plane: 0 to 2 */
	double extent;             /* diagonal of the box around all nodes */
	struct mirror_node *nodes; /* one a node of the poses */
	bool sided;                /* some names tell their side, so others that do not are in the middle */
	double worst;              /* how far partners' rests are from being mirror images, of the extent */
	uint32_t worst_node;
	struct anim_arena arena;
	struct anim_buffer way;
};

/* Looks at the nodes, and at the plane where it is to be found. 0 or -1. */
int mirror_pairs_begin(struct mirror_pairs *, const struct anim_poses *, const struct anim_mirror_options *,
		       struct anim_error *);
void mirror_pairs_clear(struct mirror_pairs *);

/*
 * The partner of a node, which may be itself; its parent is the partner of the node's. First what was given, then names that
 * differ in their side, then those without their digits, both where their rests are mirror images to 2 % of the extent, then
 * whoever's rest is, then names alone, and itself where the name tells no side though others do and it does not lie across the plane. ANIM_POSE_NONE: there is none. 0 or -1.
 */
int mirror_pairs_find(struct mirror_pairs *, uint32_t node, uint32_t *partner, struct anim_error *);

/* A middle bone, by its name, that rests across the plane: such a rest is no mirror image of itself. */
bool mirror_pairs_across(const struct mirror_pairs *, uint32_t node);

#endif
