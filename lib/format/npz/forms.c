/* forms.c: finds the meaning of the numbers of a joint from their values, and converts them to rotations. */
#include <math.h>
#include <string.h>

#include "format/npz/reader.h"
#include "math/elementary.h"
#include "math/vector.h"

/* ---- Rotations ---- */

#define UNIT_OFF 0.1 /* largest error of the length of a quaternion, and of an element of a rotation matrix */

/* Make two vectors unit vectors at a right angle: the first two rows of a matrix. Return false if they have no plane. */
static bool make_rows(double m[3][3])
{
	double length = sqrt(anim_vec3_dot_double(m[0], m[0])), along;

	for (unsigned i = 0; i < 3; i++)
		m[0][i] /= length;
	along = anim_vec3_dot_double(m[0], m[1]);
	for (unsigned i = 0; i < 3; i++)
		m[1][i] -= along * m[0][i];
	along = sqrt(anim_vec3_dot_double(m[1], m[1]));
	for (unsigned i = 0; i < 3; i++)
		m[1][i] /= along;
	for (unsigned i = 0; i < 3; i++)
		m[2][i] = m[0][(i + 1) % 3] * m[1][(i + 2) % 3] - m[0][(i + 2) % 3] * m[1][(i + 1) % 3];
	return length > 1e-6 && along > 1e-6;
}

/* Convert a rotation matrix. The largest component comes from the diagonal, so that no small number is divided by. */
static void matrix_rotation(double m[3][3], double q[4])
{
	unsigned i = m[0][0] > m[1][1] ? 0 : 1, j, k;
	double root;

	i = m[2][2] > m[i][i] ? 2 : i;
	j = (i + 1) % 3;
	k = (i + 2) % 3;
	if (m[0][0] + m[1][1] + m[2][2] > 0) {
		root = sqrt(1 + m[0][0] + m[1][1] + m[2][2]);
		for (unsigned a = 0; a < 3; a++)
			q[a] = (m[(a + 2) % 3][(a + 1) % 3] - m[(a + 1) % 3][(a + 2) % 3]) / (2 * root);
		q[3] = root / 2;
		return;
	}
	root = sqrt(1 + m[i][i] - m[j][j] - m[k][k]);
	q[i] = root / 2;
	q[j] = (m[j][i] + m[i][j]) / (2 * root);
	q[k] = (m[k][i] + m[i][k]) / (2 * root);
	q[3] = (m[k][j] - m[j][k]) / (2 * root);
}

bool npz_rotation(enum npz_form form, const double *v, float q[4])
{
	double wide[4] = {0}, length, angle, sine, cosine, m[3][3];
	bool is_rotation = true, pairs = form == NPZ_SIX_PAIRS;

	switch (form) {
	case NPZ_AXIS: /* whose length is the angle in radians */
		angle = sqrt(anim_vec3_dot_double(v, v));
		anim_sincos(angle / 2, &sine, &cosine);
		for (unsigned i = 0; i < 3; i++)
			wide[i] = v[i] * (angle > 0 ? sine / angle : 0.5);
		wide[3] = cosine;
		break;
	case NPZ_QUATERNION:
		length = sqrt(anim_vec3_dot_double(v, v) + v[3] * v[3]);
		for (unsigned i = 0; i < 4; i++)
			wide[i] = v[i] / length;
		is_rotation = fabs(length - 1) <= UNIT_OFF;
		break;
	case NPZ_MATRIX:
		memcpy(m, v, sizeof m);
		is_rotation = make_rows(m);
		for (unsigned i = 0; i < 9 && is_rotation; i++)
			is_rotation = fabs(v[i] - m[i / 3][i % 3]) <= UNIT_OFF; /* false also for a mirroring */
		if (is_rotation)
			matrix_rotation(m, wide);
		break;
	default: /* two rows, or pairs of numbers of two columns, which programs that learn do not make units */
		for (unsigned i = 0; i < 6; i++)
			m[pairs ? i % 2 : i / 3][pairs ? i / 2 : i % 3] = v[i];
		is_rotation = make_rows(m);
		if (is_rotation)
			matrix_rotation(m, wide);
		for (unsigned i = 0; i < 3 && pairs; i++) /* the rows are columns */
			wide[i] = -wide[i];
	}
	for (unsigned i = 0; i < 4; i++)
		q[i] = (float)wide[i];
	return is_rotation && isfinite(q[0] + q[1] + q[2] + q[3]);
}

/* ---- The form, by its values ---- */

/* Return how far two vectors are from unit vectors at a right angle. `step`: the distance of their components. */
static double off_square(const double *a, const double *b, size_t step)
{
	double aa = 0, bb = 0, ab = 0;

	for (size_t i = 0; i < 3 * step; i += step) {
		aa += a[i] * a[i];
		bb += b[i] * b[i];
		ab += a[i] * b[i];
	}
	return fabs(aa - 1) + fabs(bb - 1) + fabs(ab);
}

bool npz_six_is_pairs(const double *numbers, size_t count)
{
	double rows = 0, pairs = 0;

	for (; count > 0; count--, numbers += 6) {
		rows += off_square(numbers, numbers + 3, 1);
		pairs += off_square(numbers, numbers + 1, 2);
	}
	return pairs < rows;
}

#define LENGTH_CLAMP 1.5 /* of the logarithm of a ratio: joints may share a place */

void npz_body_measure(const double *tile, size_t width, size_t frames, struct npz_body *body)
{
	double lengths = 0, usual_lengths = 0, changes = 0, moves = 0, ratios[SMPL_BODY], mean_ratio = 0, all = 0;

	for (unsigned i = 1; i < SMPL_BODY; i++) {
		const int8_t *offset = smpl_joints[i].offset;
		const double mean[3] = {offset[0] / 100.0, offset[1] / 100.0, offset[2] / 100.0};
		double usual = sqrt(anim_vec3_dot_double(mean, mean)), sum[3] = {0}, squares = 0, length = 0,
		       n = (double)frames;

		for (size_t k = 0; k < frames; k++) {
			const double *at = tile + k * width + (size_t)3 * i,
				     *from = tile + k * width + (size_t)3 * smpl_joints[i].parent;
			const double bone[3] = {at[0] - from[0], at[1] - from[1], at[2] - from[2]};

			for (unsigned c = 0; c < 3; c++)
				sum[c] += bone[c] / n;
			all += sqrt(anim_vec3_dot_double(at, at)) / (n * (SMPL_BODY - 1));
			squares += anim_vec3_dot_double(bone, bone) / n;
			length += sqrt(anim_vec3_dot_double(bone, bone)) / n;
		}
		lengths += length;
		usual_lengths += usual;
		changes += sqrt(fmax(0, squares - length * length));
		moves += sqrt(fmax(0, squares - anim_vec3_dot_double(sum, sum)));
		ratios[i] = length > 0 ? anim_log(length / usual) : -20;
		mean_ratio += fmax(ratios[i], -20) / (SMPL_BODY - 1);
	}
	*body = (struct npz_body){.size = lengths / usual_lengths, .changes = 1, .mean = all};
	for (unsigned i = 1; i < SMPL_BODY; i++)
		body->off += fmin(fabs(ratios[i] - mean_ratio), LENGTH_CLAMP) / (SMPL_BODY - 1);
	body->moves = moves > 1e-5 * lengths;
	if (body->moves)
		body->changes = changes / moves;
}
