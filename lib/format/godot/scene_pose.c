/* scene_pose.c: rests and poses as position, rotation and scale. */
#include <math.h>
#include <string.h>

#include "format/godot/scene.h"
#include "math/basis.h"
#include "math/elementary.h"

void godot_pose_identity(float pose[GODOT_POSE_LANES])
{
	static const float identity[GODOT_POSE_LANES] = {[6] = 1, [7] = 1, [8] = 1, [9] = 1};

	memcpy(pose, identity, sizeof identity);
}

bool godot_pose_finite(const float pose[GODOT_POSE_LANES])
{
	for (size_t i = 0; i < GODOT_POSE_LANES; i++)
		if (!isfinite(pose[i]))
			return false;
	return true;
}

/* A transform that flattens an axis has no rotation that could be told: it counts as not turned. */
static void settle_rotation(float rotation[4])
{
	static const float none[4] = {0, 0, 0, 1};

	double length = 0;

	for (size_t i = 0; i < 4; i++)
		length += (double)rotation[i] * rotation[i];
	if (!(fabs(length - 1) < 1e-3))
		memcpy(rotation, none, sizeof none);
}

static void decompose(float pose[GODOT_POSE_LANES], const float m[16])
{
	anim_transform_decompose(pose, pose + 3, pose + 7, m);
	settle_rotation(pose + 3);
}

void godot_pose_of_transform(const double numbers[12], float pose[GODOT_POSE_LANES])
{
	float m[16] = {[15] = 1};

	for (size_t row = 0; row < 3; row++) {
		for (size_t column = 0; column < 3; column++)
			m[4 * row + column] = (float)numbers[3 * row + column];
		m[4 * row + 3] = (float)numbers[9 + row];
	}
	decompose(pose, m);
}

/* Godot's Transform2D::get_rotation, get_scale, get_skew; numbers are the x axis, the y axis and the origin. */
void godot_pose_of_transform2d(const float numbers[6], float pose[GODOT_POSE_LANES], float *skew)
{
	double xx = numbers[0], xy = numbers[1], yx = numbers[2], yy = numbers[3];
	double x_length = sqrt(xx * xx + xy * xy), y_length = sqrt(yx * yx + yy * yy);
	double sign = xx * yy - xy * yx < 0 ? -1 : 1, sine, cosine;

	godot_pose_identity(pose);
	pose[0] = numbers[4];
	pose[1] = numbers[5];
	anim_sincos(anim_atan2(xy, xx) / 2, &sine, &cosine);
	pose[5] = (float)sine;
	pose[6] = (float)cosine;
	pose[7] = (float)x_length;
	pose[8] = (float)(sign * y_length);
	*skew = 0;
	if (x_length > 0 && y_length > 0)
		*skew = (float)(anim_acos(sign * (xx * yx + xy * yy) / (x_length * y_length)) - ANIM_PI / 2);
}

static void multiply(float out[16], const float a[16], const float b[16])
{
	for (size_t row = 0; row < 4; row++)
		for (size_t column = 0; column < 4; column++) {
			float sum = 0;

			for (size_t i = 0; i < 4; i++)
				sum += a[4 * row + i] * b[4 * i + column];
			out[4 * row + column] = sum;
		}
}

void godot_pose_multiply(const float parent[GODOT_POSE_LANES], float pose[GODOT_POSE_LANES])
{
	float a[16], b[16], product[16];

	anim_transform_compose(a, parent, parent + 3, parent + 7);
	anim_transform_compose(b, pose, pose + 3, pose + 7);
	multiply(product, a, b);
	decompose(pose, product);
}

/* Math::is_equal_approx: absolute below 1, relative above. */
static bool nearly(float a, float b)
{
	float tolerance = fabsf(a) > 1 ? 1e-5f * fabsf(a) : 1e-5f;

	return fabsf(a - b) < tolerance;
}

bool godot_pose_equal(const float a[GODOT_POSE_LANES], const float b[GODOT_POSE_LANES])
{
	bool same = true, opposite = true;

	for (size_t i = 0; i < GODOT_POSE_LANES; i++) {
		bool rotation = i >= 3 && i < 7;

		if (!rotation && !nearly(a[i], b[i]))
			return false;
		same = same && (!rotation || nearly(a[i], b[i]));
		opposite = opposite && (!rotation || nearly(a[i], -b[i]));
	}
	return same || opposite;
}
