/* rules_resonite.c: Resonite's player: lookup, ends, and each of its modes. */
#include <math.h>
#include <string.h>

#include "sample_help.h"
#include "tap.h"

static const float seconds[3] = {0, 1, 3};

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-5;
}

TEST(resonite_ends, "Resonite holds both ends, and at a key's time the segment before it still counts")
{
	const float values[3] = {1, 5, 2};
	struct anim_clip clip = sample_clip(4, ANIM_LOOP_WRAP);
	struct anim_track t = sample_curve(ANIM_RULES_RESONITE, ANIM_HOLD, ANIM_FLOAT, 3, seconds, values);

	CHECK(sample_float(&clip, &t, -1) == 1 && sample_float(&clip, &t, 9) == 2);
	CHECK(sample_float(&clip, &t, 1) == 1 && sample_float(&clip, &t, 1.0001) == 5);
	CHECK(sample_float(&clip, &t, 3) == 5 && sample_float(&clip, &t, 3.0001) == 2);
	t.interp = ANIM_LINEAR;
	CHECK(near(sample_float(&clip, &t, 0.25), 2) && near(sample_float(&clip, &t, 2), 3.5));
	CHECK(sample_float(&clip, &t, 1) == 5);
}

TEST(resonite_bezier, "control values of CubicBezier are absolute: 0, 4/3, 4/3, 0 is 1 in the middle")
{
	const float times[2] = {0, 1}, values[2] = {0, 0}, left[2] = {0, 4.0f / 3}, right[2] = {4.0f / 3, 0};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_track t = sample_curve(ANIM_RULES_RESONITE, ANIM_CUBIC_BEZIER, ANIM_FLOAT, 2, times, values);

	t.left = left;
	t.right = right;
	CHECK(near(sample_float(&clip, &t, 0.5), 1));
}

TEST(resonite_tangent, "Tangent is a Hermite curve whose tangents do not grow with the segment's length")
{
	const float times[2] = {0, 2}, values[2] = {0, 0}, left[2] = {0, -4}, right[2] = {4, 0};
	struct anim_clip clip = sample_clip(2, ANIM_LOOP_NONE);
	struct anim_track t = sample_curve(ANIM_RULES_RESONITE, ANIM_TANGENT, ANIM_FLOAT, 2, times, values);

	t.left = left;
	t.right = right;
	CHECK(near(sample_float(&clip, &t, 1), 1));
}

TEST(resonite_rotation, "Linear rotations go lane by lane and are normalised, the long way where signs say so")
{
	const float times[2] = {0, 1}, values[8] = {0, 0, 0, 1, 0, 0, 0.8f, 0.6f};
	const float far[8] = {0, 0, 0, 1, 0, 0, -0.8f, -0.6f};
	const struct anim_attr slerp = {"resonite.slerp", "true"};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_track t = sample_curve(ANIM_RULES_RESONITE, ANIM_LINEAR, ANIM_FLOATQ, 2, times, values);
	double length = sqrt(0.2 * 0.2 + 0.9 * 0.9);
	float q[4];

	CHECK(sample_value(&clip, &t, 0.25, q) && near(q[2], 0.2 / length) && near(q[3], 0.9 / length));
	t.value = far;
	length = sqrt(0.4 * 0.4 + 0.2 * 0.2);
	CHECK(sample_value(&clip, &t, 0.5, q) && near(q[2], -0.4 / length) && near(q[3], 0.2 / length));
	clip.attrs = (struct anim_attrs){&slerp, 1};
	CHECK(sample_value(&clip, &t, 0.5, q) && near(q[2], 0.4472136) && near(q[3], 0.8944272));
}

TEST(resonite_whole, "whole numbers are rounded, halves away from zero; switches change in the middle")
{
	const int32_t values[3] = {0, -1, 4};
	const uint8_t switches[3] = {0, 1, 1};
	struct anim_clip clip = sample_clip(4, ANIM_LOOP_NONE);
	struct anim_track t = sample_curve(ANIM_RULES_RESONITE, ANIM_LINEAR, ANIM_INT, 3, seconds, values);
	int32_t whole;
	uint8_t on;

	CHECK(sample_value(&clip, &t, 0.5, &whole) && whole == -1);
	CHECK(sample_value(&clip, &t, 0.49, &whole) && whole == 0);
	CHECK(sample_value(&clip, &t, 2.4, &whole) && whole == 3);
	t.type = ANIM_BOOL;
	t.value = switches;
	CHECK(sample_value(&clip, &t, 0.49, &on) && on == 0);
	CHECK(sample_value(&clip, &t, 0.5, &on) && on == 1);
}
