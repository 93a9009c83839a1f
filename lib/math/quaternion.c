/* quaternion.c: rotations: products, lengths, blends, cubics, and the three angles about the axes. */
#include "math/quaternion.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/basis.h"
#include "math/curve.h"
#include "math/elementary.h"
#include "math/vector.h"

/* ---- Products, lengths and linear blends ---- */

float anim_quat_dot(const float a[4], const float b[4])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

void anim_quat_smooth_signs(float *q, size_t count)
{
	for (size_t k = 1; k < count; k++)
		if (anim_quat_dot(q + 4 * (k - 1), q + 4 * k) < 0)
			for (size_t i = 0; i < 4; i++)
				q[4 * k + i] = -q[4 * k + i];
}

void anim_quat_multiply(float out[4], const float a[4], const float b[4])
{
	float q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
		      a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
		      a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
		      a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};

	memcpy(out, q, sizeof q);
}

/* Invert a unit quaternion. */
static void conjugate(float out[4], const float q[4])
{
	for (int i = 0; i < 3; i++)
		out[i] = -q[i];
	out[3] = q[3];
}

void anim_quat_normalize(float out[4], const float q[4])
{
	float length = sqrtf(anim_quat_dot(q, q)), scale = length > 0 && length < INFINITY ? 1.0f / length : 1.0f;

	for (int i = 0; i < 4; i++)
		out[i] = q[i] * scale;
}

void anim_quat_rotate(float out[3], const float q[4], const float v[3])
{
	float across[3], twice[3];

	anim_vec3_cross(across, q, v);
	for (int i = 0; i < 3; i++)
		across[i] += v[i] * q[3];
	anim_vec3_cross(twice, q, across);
	for (int i = 0; i < 3; i++)
		out[i] = v[i] + 2.0f * twice[i];
}

/* Return the square of the wedge product, and the dot product in *along. */
static double wedge(const float a[4], const float b[4], double *along)
{
	double x = (double)a[0], y = (double)a[1], z = (double)a[2], w = (double)a[3];
	double i = (double)b[0], j = (double)b[1], k = (double)b[2], l = (double)b[3];
	double xj = x * j - y * i, xk = x * k - z * i, xl = x * l - w * i, yk = y * k - z * j, yl = y * l - w * j,
	       zl = z * l - w * k;

	*along = x * i + y * j + z * k + w * l;
	return xj * xj + xk * xk + xl * xl + yk * yk + yl * yl + zl * zl;
}

double anim_quat_angle(const float a[4], const float b[4])
{
	double along, across = wedge(a, b, &along);

	return along == 0 && across == 0 ? NAN : 2 * anim_atan2(sqrt(across), fabs(along));
}

double anim_quat_tangent_squared(const float a[4], const float b[4])
{
	double along, across = wedge(a, b, &along);

	return across / (along * along);
}

/*
 * Compute slerp step by step as Godot does. Cubics, and weights far outside 0..1, would magnify the error of a faster
 * method.
 */
static void slerp_godot(float out[4], const float from[4], const float to[4], float weight)
{
	float dot = anim_quat_dot(from, to), c = fabsf(dot), a = 1.0f - weight, b = weight, angle, sine;

	if (1.0f - c > 1e-5f) {
		angle = (float)anim_acos((double)c);
		sine = (float)anim_sin((double)angle);
		a = (float)(anim_sin((1.0 - (double)weight) * (double)angle) / (double)sine);
		b = (float)anim_sin((double)(b * angle)) / sine;
	}
	b = dot < 0 ? -b : b;
	for (int i = 0; i < 4; i++)
		out[i] = a * from[i] + b * to[i];
}

void anim_quat_slerp(float out[4], const float from[4], const float to[4], float weight)
{
	float a, b;

	if (!anim_slerp_is_near(weight)) {
		slerp_godot(out, from, to, weight);
		return;
	}
	anim_slerp_scales(anim_quat_dot(from, to), weight, &a, &b);
	for (int i = 0; i < 4; i++)
		out[i] = a * from[i] + b * to[i];
}

void anim_quat_slerp_double(double out[4], const double from[4], const double to[4], double weight)
{
	double dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3], c = fabs(dot);
	double a = 1 - weight, b = weight, angle, sine;

	if (1 - c > 1e-5) {
		angle = anim_acos(c);
		sine = anim_sin(angle);
		a = anim_sin(a * angle) / sine;
		b = anim_sin(b * angle) / sine;
	}
	b = dot < 0 ? -b : b;
	for (int i = 0; i < 4; i++)
		out[i] = a * from[i] + b * to[i];
}

/*
 * Compute slerp without taking the shorter arc (Godot 3's slerpni). The result is `from` itself if |dot| >
 * ANIM_QUAT_NEAR.
 */
static void slerp_far(float out[4], const float from[4], const float to[4], float weight)
{
	float dot = anim_quat_dot(from, to), angle, scale, a, b;

	if (fabsf(dot) > ANIM_QUAT_NEAR) {
		memmove(out, from, 4 * sizeof *out);
		return;
	}
	angle = (float)anim_acos((double)dot);
	scale = 1.0f / (float)anim_sin((double)angle);
	b = (float)anim_sin((double)(weight * angle)) * scale;
	a = (float)anim_sin((double)((1.0f - weight) * angle)) * scale;
	for (int i = 0; i < 4; i++)
		out[i] = a * from[i] + b * to[i];
}

/* Compute the two rotations between which the last slerp of the squad interpolates. */
static void squad_ends(float inner[4], float outer[4], const float from[4], const float to[4], const float before[4],
		       const float after[4], float weight)
{
	slerp_godot(inner, from, to, weight);
	slerp_far(outer, before, after, weight);
}

void anim_quat_cubic_slerp(float out[4], const float from[4], const float to[4], const float before[4],
			   const float after[4], float weight)
{
	float inner[4], outer[4];

	squad_ends(inner, outer, from, to, before, after, weight);
	slerp_far(out, inner, outer, 2.0f * weight * (1.0f - weight));
}

float anim_quat_cubic_slerp_dot(const float from[4], const float to[4], const float before[4], const float after[4],
				float weight)
{
	float inner[4], outer[4];

	squad_ends(inner, outer, from, to, before, after, weight);
	return anim_quat_dot(inner, outer);
}

/* ---- Godot 4's cubic ---- */

/* Compute axis times angle of the rotation. */
static void logarithm(struct anim_quat_cubic *cubic, float out[3], const float q[4])
{
	/* The index of the angle for this real part; it is computed if it is not known yet. */
	float real = q[3];
	unsigned turn;
	unsigned k = 0, count = cubic->known < ANIM_QUAT_TURNS ? cubic->known : ANIM_QUAT_TURNS;

	while (k < count && memcmp(&cubic->turns[k].real, &real, sizeof real) != 0)
		k++;
	if (k < count) {
		turn = k;
	} else {
		k = cubic->known++ % ANIM_QUAT_TURNS;
		cubic->turns[k].real = real;
		cubic->turns[k].angle = 2.0f * (float)anim_acos((double)real);
		cubic->turns[k].scale = fabsf(real) > 1.0f - 1e-5f ? 1.0f : 1.0f / sqrtf(1.0f - real * real);
		turn = k;
	}

	for (int i = 0; i < 3; i++)
		out[i] = q[i] * cubic->turns[turn].scale * cubic->turns[turn].angle;
}

static void exponential(float out[4], const float v[3])
{
	float axis[3] = {v[0], v[1], v[2]}, angle = anim_vec3_length(v), sine;
	double half_sine, half_cosine;

	anim_vec3_normalize(axis);
	out[0] = out[1] = out[2] = 0;
	out[3] = 1;
	if (!(angle >= 1e-5f))
		return;
	anim_sincos((double)(angle * 0.5f), &half_sine, &half_cosine);
	sine = (float)half_sine / anim_vec3_length(axis);
	for (int i = 0; i < 3; i++)
		out[i] = axis[i] * sine;
	out[3] = (float)half_cosine;
}

/* Give the rotation the sign that it gets when converted from a matrix, from which the engine starts. */
static void canonical(float out[4], const float q[4])
{
	float m[9];

	anim_basis_from_quat(m, q);
	anim_basis_rotation(out, m);
}

static void flip(float q[4])
{
	for (int i = 0; i < 4; i++)
		q[i] = -q[i];
}

enum { FROM, TO, BEFORE, AFTER };

/* Set one of the four keys. The own form of an equal old key is reused. */
static void set_key(struct anim_quat_cubic *cubic, int which, const float key[4], float old[2][4][4])
{
	int i = 0;

	while (i < 4 && memcmp(old[0][i], key, sizeof old[0][i]) != 0)
		i++;
	memcpy(cubic->key[which], key, sizeof cubic->key[which]);
	if (cubic->ready && i < 4)
		memcpy(cubic->own[which], old[1][i], sizeof cubic->own[which]);
	else
		canonical(cubic->own[which], key);
}

/* Compute the logarithms of all keys relative to one of the ends. */
static void prepare_end(struct anim_quat_cubic *cubic, int end, float n[4][4])
{
	float inverse[4], turned[4];

	conjugate(inverse, n[end]);
	memcpy(cubic->ends[end], n[end], sizeof cubic->ends[end]);
	memset(cubic->seen[end][end], 0, sizeof cubic->seen[end][end]);
	for (int i = 0; i < 4; i++) {
		if (i == end)
			continue;
		anim_quat_multiply(turned, inverse, n[i]);
		logarithm(cubic, cubic->seen[end][i], turned);
	}
}

void anim_quat_cubic_prepare(struct anim_quat_cubic *cubic, const float from[4], const float to[4],
			     const float before[4], const float after[4])
{
	const float *keys[4] = {from, to, before, after};
	float n[4][4], old[2][4][4];

	memcpy(old[0], cubic->key, sizeof old[0]);
	memcpy(old[1], cubic->own, sizeof old[1]);
	for (int i = 0; i < 4; i++)
		set_key(cubic, i, keys[i], old);
	memcpy(n, cubic->own, sizeof n);

	bool flipped;

	if (signbit(anim_quat_dot(n[FROM], n[BEFORE])))
		flip(n[BEFORE]);
	flipped = signbit(anim_quat_dot(n[FROM], n[TO]));
	if (flipped)
		flip(n[TO]);
	if (flipped ? anim_quat_dot(n[TO], n[AFTER]) <= 0 : signbit(anim_quat_dot(n[TO], n[AFTER])))
		flip(n[AFTER]);

	prepare_end(cubic, FROM, n);
	prepare_end(cubic, TO, n);
	cubic->ready = true;
}

/* Evaluate the cubic in the tangent space at one of its ends. */
static void evaluate_at_end(float out[4], const float origin[4], const float logs[4][3],
			    const struct anim_cubic_weights *w)
{
	float sum[3], turned[4];

	for (int i = 0; i < 3; i++)
		sum[i] = anim_cubic_weighted(logs[FROM][i], logs[TO][i], logs[BEFORE][i], logs[AFTER][i], w);
	exponential(turned, sum);
	anim_quat_multiply(out, origin, turned);
}

void anim_quat_cubic_at(float out[4], const struct anim_quat_cubic *cubic, float weight, float to_t, float before_t,
			float after_t)
{
	const struct anim_cubic_weights w = anim_cubic_weigh(weight, to_t, before_t, after_t);
	float first[4], second[4];

	evaluate_at_end(first, cubic->ends[FROM], cubic->seen[FROM], &w);
	evaluate_at_end(second, cubic->ends[TO], cubic->seen[TO], &w);
	slerp_godot(out, first, second, weight);
}

void anim_quat_cubic_in_time(float out[4], const float from[4], const float to[4], const float before[4],
			     const float after[4], float weight, float to_t, float before_t, float after_t)
{
	struct anim_quat_cubic cubic = {0};

	anim_quat_cubic_prepare(&cubic, from, to, before, after);
	anim_quat_cubic_at(out, &cubic, weight, to_t, before_t, after_t);
}

/* ---- Euler angles in the six orders ---- */

const char *const anim_euler_order_names[ANIM_EULER_ORDER_COUNT] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};

int anim_euler_order_find(const char *name)
{
	for (int i = 0; i < ANIM_EULER_ORDER_COUNT && name != NULL; i++)
		if (strcmp(name, anim_euler_order_names[i]) == 0)
			return i;
	return -1;
}

/* Get the axes of the matrix product from left to right. Odd orders have the opposite sense of x y z x. */
static int axes_of(enum anim_euler_order order, int axes[3])
{
	for (int i = 0; i < 3; i++)
		axes[i] = anim_euler_order_names[order][i] - 'X';
	return (axes[0] + 1) % 3 == axes[1] ? 1 : -1;
}

void anim_quat_multiply_double(double out[4], const double a[4], const double b[4])
{
	anim_quat_product(out, a, b);
}

void anim_quat_conjugate_double(double out[4], const double q[4])
{
	const double back[4] = {-q[0], -q[1], -q[2], q[3]};

	memcpy(out, back, sizeof back);
}

void anim_quat_rotate_double(double out[3], const double q[4], const double v[3])
{
	const double pure[4] = {v[0], v[1], v[2], 0};
	double back[4], turned[4];

	anim_quat_conjugate_double(back, q);
	anim_quat_multiply_double(turned, q, pure);
	anim_quat_multiply_double(turned, turned, back);
	memcpy(out, turned, 3 * sizeof *out);
}

void anim_quat_rotate_back(double out[3], const double q[4], const double v[3])
{
	const double back[4] = {-q[0], -q[1], -q[2], q[3]};

	anim_quat_rotate_double(out, back, v);
}

void anim_quat_unit_double(double out[4], const float q[4])
{
	double square = 0;

	for (int i = 0; i < 4; i++)
		square += (double)q[i] * (double)q[i];
	for (int i = 0; i < 4; i++)
		out[i] = square > 0 ? (double)q[i] / sqrt(square) : i == 3;
}

void anim_quat_normalize_double(double q[4])
{
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

	for (int i = 0; i < 4; i++)
		q[i] = length > 0 ? q[i] / length : i == 3;
}

void anim_quat_from_axes_double(double q[4], const double x[3], const double y[3], const double z[3])
{
	double trace = x[0] + y[1] + z[2];

	if (trace > 0) {
		memcpy(q, (const double[4]){y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace}, 4 * sizeof *q);
	} else if (x[0] >= y[1] && x[0] >= z[2]) {
		memcpy(q, (const double[4]){1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2], y[2] - z[1]},
		       4 * sizeof *q);
	} else if (y[1] >= z[2]) {
		memcpy(q, (const double[4]){x[1] + y[0], 1 + y[1] - x[0] - z[2], y[2] + z[1], z[0] - x[2]},
		       4 * sizeof *q);
	} else {
		memcpy(q, (const double[4]){z[0] + x[2], y[2] + z[1], 1 + z[2] - x[0] - y[1], x[1] - y[0]},
		       4 * sizeof *q);
	}
	anim_quat_normalize_double(q);
}

void anim_quat_between_double(double out[4], const double a[3], const double b[3])
{
	const double size = sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
	double length, q[4] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0],
			       size + (a[0] * b[0] + a[1] * b[1] + a[2] * b[2])};

	if (q[3] < 1e-12 * size) {
		const bool x = fabs(a[0]) < fabs(a[1]);

		q[0] = x ? 0 : -a[2];
		q[1] = x ? a[2] : 0;
		q[2] = x ? -a[1] : a[0];
		q[3] = 0;
	}
	length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	for (int i = 0; i < 4; i++)
		out[i] = length > 0 ? q[i] / length : i == 3;
}

void anim_quat_from_euler_double(double q[4], const double angles[3], enum anim_euler_order order)
{
	double product[4] = {0, 0, 0, 1};
	int axes[3];

	axes_of(order, axes);
	for (int i = 0; i < 3; i++) {
		double turn[4] = {0, 0, 0, 0};

		anim_sincos(angles[axes[i]] / 2, &turn[axes[i]], &turn[3]);
		anim_quat_multiply_double(product, product, turn);
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

/*
 * Get the angles of a rotation. Returns the cosine of the middle angle. Only the entries of the matrix that hold them are
 * computed.
 */
static double angles_of(double angles[3], const double q[4], enum anim_euler_order order)
{
	int axes[3], parity = axes_of(order, axes);
	double x = q[axes[0]], y = q[axes[1]], z = q[axes[2]], w = parity * q[3];
	double s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	double row[] = {1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)};
	double cosine = sqrt(row[0] * row[0] + row[1] * row[1]);

	angles[axes[1]] = anim_atan2(parity * row[2], cosine);
	if (cosine > 1e-7) {
		angles[axes[0]] = anim_atan2(-parity * (s * (y * z - w * x)), 1 - s * (x * x + y * y));
		angles[axes[2]] = anim_atan2(-parity * row[1], row[0]);
	} else {
		angles[axes[0]] = anim_atan2(parity * (s * (z * y + w * x)), 1 - s * (z * z + x * x));
		angles[axes[2]] = 0;
	}
	return cosine;
}

void anim_euler_from_quat_double(double angles[3], const double q[4], enum anim_euler_order order)
{
	angles_of(angles, q, order);
}

/*
 * Less than half a turn. The outer and the inner angles of the two ways to write a rotation differ by half a turn each, so the sums of
 * both differences from any angles add up to a turn or more: a way that is nearer than this is the nearest.
 */
#define NEAREST 3
#define LOCKED 1e-5 /* cosine of the middle angle; below it, the other two can hardly be distinguished */

void anim_euler_near(double angles[3], const double q[4], enum anim_euler_order order)
{
	double found[2][3], off[2] = {0, 0};
	int axes[3], parity = axes_of(order, axes);

	if (angles_of(found[0], q, order) < LOCKED) {
		found[0][axes[0]] = angles[axes[0]];

		/*
		 * The last angle of a rotation whose first and middle angles are known. The remaining factor of the
		 * product is the quaternion of this angle, so it holds half of it.
		 */
		double first[4] = {0, 0, 0, 0}, rest[4], sine, cosine;

		anim_sincos(-found[0][axes[0]] / 2, &first[axes[0]], &first[3]);
		anim_quat_multiply_double(rest, first, q);
		anim_sincos(found[0][axes[1]] / 2, &sine, &cosine);
		found[0][axes[2]] = 2 * anim_atan2(rest[axes[2]] * cosine + parity * rest[axes[0]] * sine,
						   rest[3] * cosine + rest[axes[1]] * sine);
	}
	for (int i = 0; i < 3; i++)
		found[1][axes[i]] = (i == 1 ? -found[0][axes[i]] : found[0][axes[i]]) + ANIM_PI;
	for (int way = 0; way < 2; way++) {
		for (int i = 0; i < 3; i++) {
			double away = angles[i] - found[way][i];

			found[way][i] += fabs(away) < NEAREST ? copysign(0, away) : ANIM_TAU * rint(away / ANIM_TAU);
			off[way] += fabs(found[way][i] - angles[i]);
		}
		if (off[0] < NEAREST) {
			off[1] = off[0];
			break;
		}
	}
	memcpy(angles, found[off[1] < off[0]], sizeof found[0]);
}
