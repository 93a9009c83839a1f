/* pairs.h: the side that a name tells. */
#ifndef ANIM_FILTER_MIRROR_PAIRS_H
#define ANIM_FILTER_MIRROR_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

/* The side that a name tells: where its word or letter stands. */
struct mirror_side {
	char side; /* 'l', 'r'; 0: none */
	size_t start, length;
};

/* "LeftArm", "upperarm_l", "Bip01 L Thigh", "Hand.R.001", "arm_joint_L__4_"; at_end: the word must end the name. */
struct mirror_side mirror_side_of(const char *name, bool at_end);

#endif
