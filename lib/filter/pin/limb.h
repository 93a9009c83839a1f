/* limb.h: two bones that bend: the rotations that bring their end to another place. Internal. */
#ifndef ANIM_FILTER_PIN_LIMB_H
#define ANIM_FILTER_PIN_LIMB_H

/* Positions of a limb in the tree's space: hip, knee and ankle of a leg, or shoulder, elbow and wrist of an arm. */
struct pin_limb {
	double root[3], middle[3], end[3];
};

/* Rotations in the tree's space, which are applied after the rotations that the bones had. */
struct pin_reach {
	double upper[4], lower[4];
	double middle[3], end[3]; /* the new positions */
};

/*
 * Compute how the limb reaches `target` from its new root. The bones keep their lengths. The knee bends in its own plane
 * (the law of cosines gives the angles), and then the whole limb takes the shortest rotation to the new direction. `hinge`
 * is the axis of the knee for a limb that is straight: thigh x shin of the same limb when it is bent. It need not be of
 * length 1. If the target is too far, the straight limb points to it.
 */
void pin_limb_reach(const struct pin_limb *, const double hinge[3], const double root[3], const double target[3],
		    struct pin_reach *out);

static inline double pin_dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void pin_cross(double out[3], const double a[3], const double b[3])
{
	const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];

	out[0] = x;
	out[1] = y;
	out[2] = z;
}

static inline void pin_subtract(double out[3], const double a[3], const double b[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = a[i] - b[i];
}

#endif
