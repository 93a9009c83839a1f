/* limb.c: two-bone inverse kinematics. */
#include "filter/pin/limb.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/quaternion.h"

#define HINGE_SHARE 0.05 /* weight of the hinge beside the sine of the knee's angle */
#define TINY 1e-9

static double length_of(const double v[3])
{
	return sqrt(pin_dot(v, v));
}

static bool make_unit(double v[3])
{
	const double length = length_of(v);

	for (int i = 0; i < 3 && length > 0; i++)
		v[i] /= length;
	return length > 0;
}

static void about(double out[4], const double axis[3], double radians)
{
	double sine;

	anim_sincos(radians / 2, &sine, &out[3]);
	for (int i = 0; i < 3; i++)
		out[i] = sine * axis[i];
}

/* Return the angle between sides a and b of a triangle with sides a, b and c. */
static double angle_of(double a, double b, double c)
{
	return a * b > 0 ? anim_acos((a * a + b * b - c * c) / (2 * a * b)) : 0;
}

/* The axis about which the knee bends: its own, and the more of `hinge` the straighter the limb. */
static void find_axis(const double thigh[3], const double shin[3], const double hinge[3], double scale, double axis[3])
{
	double straight[3] = {hinge[0], hinge[1], hinge[2]}, along[3];

	for (int i = 0; i < 3; i++)
		along[i] = thigh[i] + shin[i];
	pin_cross(axis, thigh, shin);
	for (int i = 0; i < 3; i++)
		axis[i] /= scale;
	if (make_unit(straight))
		for (int i = 0; i < 3; i++)
			axis[i] += HINGE_SHARE * straight[i];
	/* It must be perpendicular to the limb, so that the limb's direction stays. */
	if (make_unit(along)) {
		const double part = pin_dot(axis, along);

		for (int i = 0; i < 3; i++)
			axis[i] -= part * along[i];
	}
	make_unit(axis);
}

void pin_limb_reach(const struct pin_limb *limb, const double hinge[3], const double root[3], const double target[3],
		    struct pin_reach *out)
{
	double thigh[3], shin[3], from[3], to[3], axis[3], swing[4], bend[4];
	double a, b, before, after;

	pin_subtract(thigh, limb->middle, limb->root);
	pin_subtract(shin, limb->end, limb->middle);
	pin_subtract(from, limb->end, limb->root);
	pin_subtract(to, target, root);
	a = length_of(thigh);
	b = length_of(shin);
	before = length_of(from);
	after = fmax(fabs(a - b) + TINY * (a + b), fmin(length_of(to), a + b));
	find_axis(thigh, shin, hinge, fmax(a * b, TINY * TINY), axis);
	anim_quat_between_double(swing, from, to);
	about(bend, axis, angle_of(a, before, b) - angle_of(a, after, b));
	anim_quat_multiply_double(out->upper, swing, bend);
	about(bend, axis, angle_of(b, after, a) - angle_of(b, before, a));
	anim_quat_multiply_double(out->lower, swing, bend);
	anim_quat_rotate_double(out->middle, out->upper, thigh);
	anim_quat_rotate_double(out->end, out->lower, shin);
	for (int i = 0; i < 3; i++) {
		out->middle[i] += root[i];
		out->end[i] += out->middle[i];
	}
}
