/* euler.c: rotations as three angles, in the six orders. */
#include "math/euler.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"

const char *const anim_euler_order_names[ANIM_EULER_ORDER_COUNT] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};

int anim_euler_order_find(const char *name)
{
	for (int i = 0; i < ANIM_EULER_ORDER_COUNT && name != NULL; i++)
		if (strcmp(name, anim_euler_order_names[i]) == 0)
			return i;
	return -1;
}

/* The axes of the matrix product from left to right; odd orders turn the other way round than x y z x. */
static int axes_of(enum anim_euler_order order, int axes[3])
{
	for (int i = 0; i < 3; i++)
		axes[i] = anim_euler_order_names[order][i] - 'X';
	return (axes[0] + 1) % 3 == axes[1] ? 1 : -1;
}

static void multiply(double out[4], const double a[4], const double b[4])
{
	const double q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
			     a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
			     a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
			     a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};

	memcpy(out, q, sizeof q);
}

void anim_quat_from_euler_double(double q[4], const double angles[3], enum anim_euler_order order)
{
	double product[4] = {0, 0, 0, 1};
	int axes[3];

	axes_of(order, axes);
	for (int i = 0; i < 3; i++) {
		double turn[4] = {0, 0, 0, 0};

		anim_sincos(angles[axes[i]] / 2, &turn[axes[i]], &turn[3]);
		multiply(product, product, turn);
	}
	memcpy(q, product, sizeof product);
}

void anim_quat_from_euler(float q[4], const float angles[3], enum anim_euler_order order)
{
	double wide[3] = {angles[0], angles[1], angles[2]}, out[4];

	anim_quat_from_euler_double(out, wide, order);
	for (int i = 0; i < 4; i++)
		q[i] = (float)out[i];
}

static void matrix_of(double m[3][3], const double q[4])
{
	double s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;

		m[i][i] = 1 - s * (q[j] * q[j] + q[k] * q[k]);
		m[i][j] = s * (q[i] * q[j] - q[3] * q[k]);
		m[i][k] = s * (q[i] * q[k] + q[3] * q[j]);
	}
}

void anim_euler_from_quat_double(double angles[3], const double q[4], enum anim_euler_order order)
{
	double m[3][3], sine, cosine;
	int axes[3], parity = axes_of(order, axes), i = axes[0], j = axes[1], k = axes[2];

	matrix_of(m, q);
	sine = parity * m[i][k];
	cosine = sqrt(m[i][i] * m[i][i] + m[i][j] * m[i][j]);
	angles[j] = anim_atan2(sine, cosine);
	if (cosine > 1e-7) {
		angles[i] = anim_atan2(-parity * m[j][k], m[k][k]);
		angles[k] = anim_atan2(-parity * m[i][j], m[i][i]);
	} else {
		angles[i] = anim_atan2(parity * m[k][j], m[j][j]);
		angles[k] = 0;
	}
}
