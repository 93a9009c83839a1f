/* convert_angles.c: the bound of Linear Euler angles against a rotation at constant speed holds, and is not far too large. */
#include <math.h>
#include <stdint.h>

#include "filter/convert/fit.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "tap.h"

enum { ROUNDS = 20000, PARTS = 16 };

static uint64_t state = 1;

/* Return a number between -1 and 1. */
static double any(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 11) * 0x1p-52 - 1;
}

static double angle_between(const double p[4], const double q[4])
{
	double between[4];

	anim_quat_from_to(between, p, q);
	return 2 * anim_atan2(sqrt(between[0] * between[0] + between[1] * between[1] + between[2] * between[2]),
			      fabs(between[3]));
}

/* Return the largest difference in degrees at the times that are looked at. */
static double measure(const double from[3], const double change[3], enum anim_euler_order order)
{
	double ends[2][4], worst = 0;

	for (int part = 0; part <= PARTS; part++) {
		double angles[3], straight[4], even[4], step = part == 0 ? 0 : part == 1 ? 1 : (part - 1.0) / PARTS;

		for (int i = 0; i < 3; i++)
			angles[i] = from[i] + step * change[i];
		anim_quat_from_euler_double(part < 2 ? ends[part] : straight, angles, order);
		if (part < 2)
			continue;
		anim_quat_slerp_double(even, ends[0], ends[1], step);
		worst = fmax(worst, angle_between(straight, even));
	}
	return worst * 180 / ANIM_PI;
}

TEST(holds, "convert: angles between two keys differ from a rotation at constant speed by no more than the bound")
{
	double closest = 0;

	for (int round = 0; round < ROUNDS; round++) {
		double from[3], change[3], degrees[3], size = anim_pow(10, -2 * fabs(any())), bound, off;
		enum anim_euler_order order = (enum anim_euler_order)(round % ANIM_EULER_ORDER_COUNT);

		for (int i = 0; i < 3; i++) {
			from[i] = 4 * any();
			change[i] = 0.1 * size * any();
			degrees[i] = change[i] * 180 / ANIM_PI;
		}
		bound = convert_lines_apart(degrees, order);
		off = measure(from, change, order);
		if (!CHECKF(off <= bound + 1e-9, "%d: %g exceeds %g", round, off, bound))
			return;
		closest = bound > 0 ? fmax(closest, off / bound) : closest;
	}
	CHECKF(closest > 0.9, "the bound is never nearer than %g", closest);
}

TEST(ends, "convert: the bound is infinite beyond its derivation")
{
	CHECK(isinf(convert_lines_apart((const double[3]){10, 10, 0}, ANIM_EULER_ZYX)));
	CHECK(isinf(convert_lines_apart((const double[3]){(double)NAN, 0, 0}, ANIM_EULER_ZYX)));
	CHECK(convert_lines_apart((const double[3]){10, 0, 0}, ANIM_EULER_ZYX) == 0);
}
