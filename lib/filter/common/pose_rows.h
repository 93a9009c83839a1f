/* pose_rows.h: arithmetic of transforms by rows, inline in loops that are compiled twice (math/lanes.h). */
#ifndef ANIM_FILTER_COMMON_POSE_ROWS_H
#define ANIM_FILTER_COMMON_POSE_ROWS_H

#include <math.h>
#include <string.h>

#include "filter/common/pose.h"
#include "math/quaternion.h"

/* A row of a transform: three numbers of the basis, then one of the origin. */
typedef double anim_pose_row __attribute__((vector_size(4 * sizeof(double))));

/*
 * Load the rows of a transform. They are copied one by one: compilers copy an array of them in halves of a row, and
 * reading such a row as one vector then waits until its halves are stored.
 */
ANIM_INLINE void anim_pose_rows_load(anim_pose_row rows[3], const double *at)
{
	anim_pose_row first, second, third;

	memcpy(&first, at, sizeof first);
	memcpy(&second, at + 4, sizeof second);
	memcpy(&third, at + 8, sizeof third);
	rows[0] = first;
	rows[1] = second;
	rows[2] = third;
}

/* Compute the same as anim_pose_compose. */
ANIM_INLINE void anim_pose_rows_compose(double m[ANIM_POSE_NUMBERS], const float position[3], const float rotation[4],
					const float scale[3])
{
	double x = (double)rotation[0], y = (double)rotation[1], z = (double)rotation[2], w = (double)rotation[3];
	double square = x * x + y * y + z * z + w * w, s = square > 0 ? 2 / square : 0;
	const anim_pose_row scales = {(double)scale[0], (double)scale[1], (double)scale[2], 1};
	anim_pose_row first = {1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), (double)position[0]};
	anim_pose_row second = {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x), (double)position[1]};
	anim_pose_row third = {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y), (double)position[2]};

	first *= scales;
	second *= scales;
	third *= scales;
	memcpy(m, &first, sizeof first);
	memcpy(m + 4, &second, sizeof second);
	memcpy(m + 8, &third, sizeof third);
}

/* Compute one row of a product, with the origin as its last number. */
ANIM_INLINE void anim_pose_rows_product(double out[4], const double a[4], const anim_pose_row *b)
{
	anim_pose_row sum = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

	sum[3] += a[3];
	memcpy(out, &sum, sizeof sum);
}

/* Compute the same as anim_pose_multiply. `out` must differ from the others. */
ANIM_INLINE void anim_pose_rows_multiply(double out[ANIM_POSE_NUMBERS], const double a[ANIM_POSE_NUMBERS],
					 const double b[ANIM_POSE_NUMBERS])
{
	anim_pose_row rows[3];

	anim_pose_rows_load(rows, b);
	anim_pose_rows_product(out, a, rows);
	anim_pose_rows_product(out + 4, a + 4, rows);
	anim_pose_rows_product(out + 8, a + 8, rows);
}

ANIM_INLINE void anim_pose_rows_subtract(anim_pose_row out[3], const double *a, const double *b)
{
	anim_pose_row rows[2][3];

	anim_pose_rows_load(rows[0], a);
	anim_pose_rows_load(rows[1], b);
	for (int row = 0; row < 3; row++)
		out[row] = rows[0][row] - rows[1][row];
}

/* Return the sum of squares of a difference's basis. *origin is the sum for its origin. */
ANIM_INLINE double anim_pose_rows_squares(const anim_pose_row rows[3], double *origin)
{
	anim_pose_row sums = rows[0] * rows[0] + rows[1] * rows[1] + rows[2] * rows[2];

	*origin = sums[3];
	return sums[0] + sums[1] + sums[2];
}

/*
 * Compute the same as anim_poses_distance for transforms that only rotate and translate. Perpendicular to the axis of
 * the rotation between them, all distances are equal. Along the axis, the distance is 0.
 */
ANIM_INLINE double anim_pose_rows_distance(const double a[ANIM_POSE_NUMBERS], const double b[ANIM_POSE_NUMBERS],
					   double shell)
{
	anim_pose_row rows[3];
	double origin, basis;

	anim_pose_rows_subtract(rows, a, b);
	basis = anim_pose_rows_squares(rows, &origin);
	return sqrt(origin) + shell * sqrt(basis / 2);
}

#endif
