/* limb.h: two bones that bend: on which side they bend, and the rotations that bring their end to another place. Internal. */
#ifndef ANIM_FILTER_PIN_LIMB_H
#define ANIM_FILTER_PIN_LIMB_H

#include "filter/pin/contact.h"
#include "math/vector.h"

/*
 * Find the hinge of a limb over a clip: the axis of its knee in the space of the upper bone, thigh x shin of the limb when it
 * is bent. Clear bends decide, then `anatomy`, the hinge that the rest pose suggests, of length 1 or 0. Without both it is the
 * mean. The result has length 1, or 0 if the limb is always straight.
 */
void pin_find_hinge(const struct pin_motion *, const double anatomy[3], double hinge[3]);

/*
 * Choose `side` of all samples, once their new places are known. `lower` is how far each root is lowered. If a limb is clearly
 * bent to the side of its hinge, it keeps its own side. A nearly straight or overstretched limb bends to the side of its
 * hinge, and sides do not jump. Returns 0 or -1.
 */
int pin_choose_sides(struct pin_motion *, const double hinge[3], const double *lower, struct anim_error *);

/* Rotations in the tree's space, which are applied after the rotations that the bones had. */
struct pin_reach {
	double upper[4], lower[4];
	double middle[3], end[3]; /* the new positions */
};

/*
 * Compute how the limb of a sample reaches `to` of its end, with its root lowered. The bones keep their lengths. The limb takes
 * the shortest rotation to its new direction, and bends to its side (the law of cosines gives the angles). No bone rotates
 * about itself more than that needs. If the target is too far, the straight limb points to it.
 */
void pin_limb_reach(const struct pin_sample *, const double hinge[3], double lower, struct pin_reach *out);

/* Return 1 - x^2 (3 - 2 x), which falls from 1 to 0 without a corner. */
static inline double pin_fall(double x)
{
	x = x < 0 ? 0 : x > 1 ? 1 : x;
	return 1 - x * x * (3 - 2 * x);
}

#endif
