/* math.c: elementary functions, rotations, matrices and curves of lib/math. */
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "clip/rules.h"
#include "math/basis.h"
#include "math/block.h"
#include "math/curve.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static double uniform(uint64_t *state, double low, double high)
{
	return low + (high - low) * (double)(next_random(state) >> 11) * 0x1p-53;
}

/* Any finite double of either sign between 2^low and 2^high. */
static double any_size(uint64_t *state, int low, int high)
{
	double m = uniform(state, 1, 2);

	return ldexp(next_random(state) & 1 ? -m : m, low + (int)(next_random(state) % (uint64_t)(high - low)));
}

/* How far x is from the truth, relative; absolute where the truth is no normal number. */
static double relative_error(double x, long double truth)
{
	long double scale = fabsl(truth);

	if (x != x || truth != truth)
		return (x != x) == (truth != truth) ? 0 : INFINITY;
	if (isinf(x) || isinf(truth))
		return x == (double)truth ? 0 : INFINITY;
	return (double)(fabsl((long double)x - truth) / (scale > 0x1p-1022L ? scale : 0x1p-1022L));
}

#define BOUND 1e-15
#define ROUNDS 200000

TEST(sine_and_cosine, "sine and cosine of any double are right to 1e-15 of the result")
{
	uint64_t state = 1;
	double worst[2] = {0, 0};

	for (int i = 0; i < ROUNDS; i++) {
		double x = any_size(&state, i % 2 ? -30 : 0, i % 2 ? 22 : 60), s, c, e;

		anim_sincos(x, &s, &c);
		e = relative_error(s, sinl((long double)x));
		worst[0] = e > worst[0] ? e : worst[0];
		e = relative_error(c, cosl((long double)x));
		worst[1] = e > worst[1] ? e : worst[1];
	}
	CHECKF(worst[0] < BOUND && worst[1] < BOUND, "sine is off by %g, cosine by %g", worst[0], worst[1]);
}

/* Published reductions of hard arguments; sinl loses digits there on machines whose long double is short. */
TEST(sine_of_hard_arguments, "angles next to a multiple of a quarter turn and of any size keep their digits")
{
	CHECKF(relative_error(anim_sin(3.14159265358979311600), 1.2246467991473531772e-16L) < BOUND, "sin(pi)");
	CHECKF(relative_error(anim_cos(6381956970095103.0 * 0x1p797), -4.6871659242546276111e-19L) < BOUND,
	       "cos of the double nearest to a quarter turn: %.17g", anim_cos(6381956970095103.0 * 0x1p797));
	CHECKF(relative_error(anim_sin(1e22), -0.8522008497671888017727L) < BOUND, "sin(1e22)");
	CHECKF(relative_error(anim_cos(1.7976931348623157e308), -0.99998768942655991L) < BOUND, "cos of the largest");
	CHECK(anim_sin(0x1p-1074) == 0x1p-1074);
	CHECK(signbit(anim_sin(-0.0)));
	CHECK(isnan(anim_sin(INFINITY)) && isnan(anim_cos(NAN)));
}

TEST(inverse_functions, "acos and atan2 are right to 1e-15 of the result")
{
	uint64_t state = 2;
	double worst[2] = {0, 0};

	for (int i = 0; i < ROUNDS; i++) {
		double x = uniform(&state, -1, 1), y = any_size(&state, -40, 40), e;

		if (i % 3 == 0)
			x = copysign(1 - fabs(any_size(&state, -52, -1)), x);
		e = relative_error(anim_acos(x), acosl((long double)x));
		worst[0] = e > worst[0] ? e : worst[0];
		x = any_size(&state, -40, 40);
		e = relative_error(anim_atan2(y, x), atan2l((long double)y, (long double)x));
		worst[1] = e > worst[1] ? e : worst[1];
	}
	CHECKF(worst[0] < BOUND && worst[1] < BOUND, "acos is off by %g, atan2 by %g", worst[0], worst[1]);
}

TEST(inverse_limits, "acos takes what lies beyond 1 as 1; atan2 knows signed zeros and infinities")
{
	static const double special[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, 0x1p-1074, 1e308, -1e308};

	CHECK(anim_acos(1.0000001) == 0 && anim_acos(-2) == 0x1.921fb54442d18p+1 && isnan(anim_acos(NAN)));
	for (size_t i = 0; i < sizeof special / sizeof *special; i++)
		for (size_t j = 0; j < sizeof special / sizeof *special; j++) {
			double a = anim_atan2(special[i], special[j]);
			double b = (double)atan2l((long double)special[i], (long double)special[j]);

			CHECKF(relative_error(a, (long double)b) < BOUND && signbit(a) == signbit(b),
			       "atan2(%g, %g) = %.17g", special[i], special[j], a);
		}
}

TEST(logarithm, "log is right to 1e-15 of the result")
{
	uint64_t state = 3;
	double worst = 0;

	for (int i = 0; i < ROUNDS; i++) {
		double y = fabs(any_size(&state, -1070, 1023)), e;

		if (i % 4 == 0)
			y = 1 + any_size(&state, -52, -1);
		e = relative_error(anim_log(y), logl((long double)y));
		worst = e > worst ? e : worst;
	}
	CHECKF(worst < BOUND, "log is off by %g", worst);
	CHECK(anim_log(1) == 0 && anim_log(0) == -INFINITY && isnan(anim_log(-1)) && anim_log(INFINITY) == INFINITY);
}

TEST(powers, "pow is right to 1e-15 of the result over its whole range")
{
	uint64_t state = 4;
	double worst = 0;

	for (int i = 0; i < ROUNDS; i++) {
		double x = i % 2 ? fabs(any_size(&state, -200, 200)) : uniform(&state, 0, 1),
		       y = any_size(&state, -6, 6);
		long double truth = powl((long double)x, (long double)y);
		double e;

		if (truth < 1e-307L || truth > 1e308L)
			continue;
		e = relative_error(anim_pow(x, y), truth);
		worst = e > worst ? e : worst;
	}
	CHECKF(worst < BOUND, "pow is off by %g", worst);
}

TEST(power_limits, "pow treats zeros, infinities and negative bases as C does")
{
	static const double special[] = {0.0, -0.0, 1,     -1,     2,        -2,        0.5, -0.5,
					 3,   -3,   1e300, -1e300, INFINITY, -INFINITY, NAN};

	for (size_t i = 0; i < sizeof special / sizeof *special; i++)
		for (size_t j = 0; j < sizeof special / sizeof *special; j++) {
			double a = anim_pow(special[i], special[j]), b = pow(special[i], special[j]);

			CHECKF(relative_error(a, (long double)b) < BOUND && (b != b || signbit(a) == signbit(b)),
			       "pow(%g, %g) = %.17g, not %.17g", special[i], special[j], a, b);
		}
}

/* A loop that compilers put into vectors of two numbers. */
static __attribute__((noinline)) void times_between(double from, double to, double t[3])
{
	for (int i = 0; i < 3; i++)
		t[i] = (double)(float)(from + (to - from) * (i + 1) / 4);
}

TEST(floats_and_back,
     "a number that becomes a float and a double again is rounded, whatever the compiler does with vectors")
{
	double t[3];

	times_between(0x1.888888p-1, 0x1.99999ap-1, t);
	for (int i = 0; i < 3; i++) {
		volatile float narrow = (float)t[i];

		CHECK(t[i] == (double)narrow);
	}
	CHECK(t[0] == 0x1.8cccccp-1);
}

TEST(rounding, "halves round away from zero, the number below a half does not")
{
	CHECK(anim_round(0.5) == 1 && anim_round(-0.5) == -1 && anim_round(2.5) == 3 && anim_round(-2.4) == -2);
	CHECK(anim_round(0.49999999999999994) == 0 && anim_round(1e300) == 1e300 && isnan(anim_round(NAN)));
}

static void random_quat(uint64_t *state, float q[4])
{
	for (int i = 0; i < 4; i++)
		q[i] = (float)uniform(state, -1, 1);
	anim_quat_normalize(q, q);
}

TEST(slerp_is_shortest, "slerp goes the short way at constant speed, whatever the signs")
{
	uint64_t state = 5;
	double worst = 0;

	for (int i = 0; i < 20000; i++) {
		float a[4], b[4], q[4], w = (float)uniform(&state, i % 2 ? -4 : 0, i % 2 ? 5 : 1);
		double wide_a[4], wide_b[4], wide[4];

		random_quat(&state, a);
		random_quat(&state, b);
		for (int k = 0; k < 4; k++) {
			b[k] = i % 3 == 0 ? a[k] + b[k] * 0.01f : b[k];
			wide_a[k] = a[k];
			wide_b[k] = b[k];
		}
		anim_quat_slerp(q, a, b, w);
		anim_quat_slerp_double(wide, wide_a, wide_b, w);
		for (int k = 0; k < 4; k++) /* beyond 0..1 the angle's own rounding counts as often as it is taken */
			worst = fmax(worst, fabs(q[k] - wide[k]) / fmax(1, fabs(w)));
	}
	CHECKF(worst < 4e-7, "float32 slerp is off by %g", worst);
}

TEST(slerp_ends, "slerp at weight 0 is the first quaternion exactly")
{
	const float a[4] = {0.1f, -0.2f, 0.3f, 0.9273618f}, b[4] = {-0.5f, 0.5f, -0.5f, -0.5f};
	float q[4];

	anim_quat_slerp(q, a, b, 0);
	CHECK(memcmp(q, a, sizeof q) == 0);
	anim_quat_slerp(q, a, a, 0.25f);
	for (int k = 0; k < 4; k++)
		CHECK(fabsf(q[k] - a[k]) <= 6e-8f);
}

TEST(quaternion_angle, "the angle between rotations is exact for tiny turns and blind to sign")
{
	const float a[4] = {0, 0, 0, 1}, b[4] = {1e-6f, 0, 0, -1}, half[4] = {0, 2, 0, 0};

	CHECK(fabs(anim_quat_angle(a, b) - 2e-6) < 1e-12);
	CHECK(fabs(anim_quat_angle(a, half) - ANIM_PI) < 1e-15);
	CHECK(anim_quat_angle(half, half) == 0);
}

TEST(rotation_of_vector, "a quaternion and its matrix turn a vector alike")
{
	uint64_t state = 6;

	for (int i = 0; i < 100; i++) {
		float q[4], m[9], v[3] = {1, -2, 3}, by_quat[3];

		random_quat(&state, q);
		anim_basis_from_quat(m, q);
		anim_quat_rotate(by_quat, q, v);
		for (int k = 0; k < 3; k++)
			CHECK(fabsf(anim_vec3_dot(m + 3 * k, v) - by_quat[k]) < 4e-6f);
	}
}

TEST(matrix_round_trip, "a quaternion survives its matrix, in each branch of the way back")
{
	static const float q[5][4] = {
	    {0, 0, 0, 1}, {0.9f, 0.1f, 0.2f, 0.1f}, {0.1f, 0.9f, 0.2f, 0.1f}, {0.1f, 0.2f, 0.9f, 0.1f}, {1, 0, 0, 0}};

	for (int i = 0; i < 5; i++) {
		float m[9], back[4];

		anim_basis_from_quat(m, q[i]);
		anim_quat_from_basis_godot(back, m);
		CHECKF(anim_quat_angle(q[i], back) < 1e-6, "quaternion %d turned by %g", i,
		       anim_quat_angle(q[i], back));
	}
}

TEST(inverse_matrix, "a matrix times its inverse is the identity, in rows of 3 and of 4; what is flat has none")
{
	static const double rows[9] = {2, 1, 0, -1, 3, 0.5, 0.25, 0, 4};

	for (unsigned stride = 3; stride <= 4; stride++) {
		double m[12] = {0}, flat[12] = {0};

		for (unsigned i = 0; i < 9; i++) {
			m[i / 3 * stride + i % 3] = rows[i];
			flat[i / 3 * stride + i % 3] = rows[i % 3];
		}
		CHECK(anim_basis_invert(m, stride) && !anim_basis_invert(flat, stride));
		for (unsigned i = 0; i < 3; i++)
			for (unsigned k = 0; k < 3; k++) {
				double sum = 0;

				for (unsigned j = 0; j < 3; j++)
					sum += rows[3 * i + j] * m[j * stride + k];
				CHECKF(fabs(sum - (i == k)) < 1e-15, "%u, %u: %g", i, k, sum);
			}
	}
}

TEST(decomposition, "position, rotation and scale come back out of a matrix, mirrored ones with a negative scale")
{
	const float position[3] = {1, 2, 3}, rotation[4] = {0.5f, 0.5f, -0.5f, 0.5f};

	for (int mirrored = 0; mirrored < 2; mirrored++) {
		float m[16], p[3], q[4], s[3], want = mirrored ? -1.0f : 1.0f;
		const float scale[3] = {2 * want, 3 * want, 0.5f * want};

		anim_transform_compose(m, position, rotation, scale);
		anim_transform_decompose(p, q, s, m);
		CHECK(memcmp(p, position, sizeof p) == 0);
		CHECK(anim_quat_angle(q, rotation) < 1e-6);
		for (int k = 0; k < 3; k++)
			CHECK(fabsf(s[k] - scale[k]) < 1e-6f);
	}
}

TEST(transform_flat, "a matrix without a volume has a rotation of length 1, and the lengths of its axes as scale")
{
	const float rotation[4] = {0.1f, 0.7f, -0.1f, 0.7f}, none[3] = {0, 0, 0};
	const float scales[][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {2, 3, 0}, {2, 0, 3}, {0, 2, 3}};
	const float plane[16] = {1, 1, 2, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1};
	float m[16], back[16], p[3], q[4], s[3];

	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
		float unit[4];

		anim_quat_normalize(unit, rotation);
		anim_transform_compose(m, none, unit, scales[i]);
		anim_transform_decompose(p, q, s, m);
		anim_transform_compose(back, p, q, s);
		CHECK(fabsf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-6f);
		for (int k = 0; k < 16; k++)
			CHECK(fabsf(back[k] - m[k]) < 1e-5f);
	}
	anim_transform_decompose(p, q, s, plane);
	CHECK(fabsf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-6f);
}

TEST(euler_orders, "angles survive the quaternion in all six orders, and gimbal lock gives the same rotation")
{
	uint64_t state = 7;

	for (int order = 0; order < ANIM_EULER_ORDER_COUNT; order++) {
		for (int i = 0; i < 500; i++) {
			int middle = anim_euler_order_names[order][1] - 'X';
			double angles[3], back[3], q[4], again[4], dot = 0;

			for (int k = 0; k < 3; k++)
				angles[k] = uniform(&state, -3.1, 3.1);
			angles[middle] = i % 10 == 0 ? copysign(ANIM_PI / 2, angles[middle]) : angles[middle] / 2;
			anim_quat_from_euler_double(q, angles, (enum anim_euler_order)order);
			anim_euler_from_quat_double(back, q, (enum anim_euler_order)order);
			anim_quat_from_euler_double(again, back, (enum anim_euler_order)order);
			for (int k = 0; k < 4; k++)
				dot += q[k] * again[k];
			CHECKF(fabs(fabs(dot) - 1) < 1e-13, "order %d turned: %g", order, fabs(dot) - 1);
			for (int k = 0; k < 3 && i % 10 != 0; k++)
				CHECK(fabs(back[k] - angles[k]) < 1e-12);
		}
	}
	CHECK(anim_euler_order_find("YXZ") == ANIM_EULER_YXZ && anim_euler_order_find("yxz") == -1);
	CHECK(anim_euler_order_find(NULL) == -1);
}

TEST(euler_near, "the angles near others are the same rotation, in gimbal lock too")
{
	for (int order = 0; order < ANIM_EULER_ORDER_COUNT; order++)
		for (int axis = 0; axis < 3; axis++)
			for (int sign = -1; sign <= 1; sign++) {
				const double near[3] = {0.3, 0.5, -0.4};
				double angles[3] = {0.7, -0.2, 1.1}, found[3], q[4], again[4];

				angles[axis] = sign * ANIM_PI / 2;
				memcpy(found, near, sizeof found);
				anim_quat_from_euler_double(q, angles, (enum anim_euler_order)order);
				anim_euler_near(found, q, (enum anim_euler_order)order);
				anim_quat_from_euler_double(again, found, (enum anim_euler_order)order);
				CHECKF(
				    fabs(fabs(q[0] * again[0] + q[1] * again[1] + q[2] * again[2] + q[3] * again[3]) -
					 1) < 1e-9,
				    "order %d: %g %g %g", order, found[0], found[1], found[2]);
			}
}

TEST(euler_yxz, "YXZ turns about z first, then x, then y")
{
	const float angles[3] = {(float)(ANIM_PI / 2), (float)(ANIM_PI / 2), 0}, z[3] = {0, 0, 1};
	float q[4], v[3];

	anim_quat_from_euler(q, angles, ANIM_EULER_YXZ);
	anim_quat_rotate(v, q, z); /* x turns z to -y, y leaves it */
	CHECK(fabsf(v[0]) < 1e-6f && fabsf(v[1] + 1) < 1e-6f && fabsf(v[2]) < 1e-6f);
}

TEST(easing, "transitions bend as Godot's ease does and hold their ends")
{
	CHECK(anim_ease(0.5, 1) == 0.5 && anim_ease(0.5, 2) == 0.25 && anim_ease(0.5, 0.5) == 0.75);
	CHECK(anim_ease(0.25, -2) == 0.125 && anim_ease(0.75, -2) == 0.875);
	CHECK(anim_ease(0.5, 0) == 0 && anim_ease(-1, 2) == 0 && anim_ease(3, 2) == 1);
}

TEST(cubic_through_keys, "cubics pass through their keys and are straight where the keys are")
{
	CHECK(anim_cubic_in_time(1, 2, 0, 3, 0, 1, -1, 2) == 1 && anim_cubic_in_time(1, 2, 0, 3, 1, 1, -1, 2) == 2);
	CHECK(fabsf(anim_cubic_in_time(1, 2, -1, 5, 0.3f, 1, -2, 4) - 1.3f) < 1e-6f);
	CHECK(fabs(anim_cubic_in_time_double(1, 2, -1, 5, 0.3, 1, -2, 4) - 1.3) < 1e-15);
	CHECK(anim_catmull_rom(1, 2, 0, 3, 0.5f) == 1.5f && anim_catmull_rom_double(1, 2, 0, 3, 0.5) == 1.5);
	CHECK(fabs(anim_hermite(0, 1, 2, 1, 2, 0.25) - 0.5) < 1e-15);
	CHECK(anim_bezier(0, 0, 1, 1, 0.5) == 0.5);
}

TEST(cubic_of_equal_times, "keys at one time do not make a cubic NaN")
{
	CHECK(anim_cubic_in_time(1, 2, 1, 2, 0.5f, 0, 0, 0) == 1.5f);
	CHECK(anim_cubic_in_time(1, 2, 1, 2, 0.5f, 1, 0, 1) == 1.5f);
}

TEST(angles_wrap, "angles go the short way round and wrap to one turn")
{
	CHECK(fabsf(anim_lerp_angle(6.0f, 0.2f, 0.5f) - 6.2415927f) < 1e-5f);
	CHECK(fabsf(anim_wrap_angle(-1.0f) - 5.2831855f) < 1e-6f && anim_wrap_angle(-0.0f) == 0);
	CHECK(!signbit(anim_wrap_angle(-0.0f)));
}

TEST(bezier_in_time, "a Bezier with handles at the thirds is a Hermite in time, and x is met")
{
	const struct anim_bezier_point p[4] = {{0, 0}, {1, 2}, {2, 4}, {3, 6}};
	const struct anim_bezier_point steep[4] = {{0, 0}, {0.2f, 0}, {0, 1e6f}, {0.2f, 1e6f}};

	CHECK(fabsf(anim_bezier_godot(p, 1.5) - 3.0f) < 1e-5f);
	CHECK(anim_bezier_godot(steep, 0.1) != anim_bezier_godot(steep, (double)0.1f)); /* the time is a double */
	for (int i = 0; i <= 100; i++) {
		double x = 0.1 * i, u = anim_bezier_parameter(0, 9, 1, 10, x);

		CHECKF(fabs(anim_bezier(0, 9, 1, 10, u) - x) < 1e-13, "x = %g is missed", x);
	}
	CHECK(anim_bezier_parameter(0, 0, 0, 0, 0) == 0 && anim_bezier_parameter(0, 1, 2, 3, 4) == 1);
}

static void random_block(uint64_t *state, struct anim_block *block, uint32_t keys)
{
	for (int i = 0; i < ANIM_BLOCK; i++) {
		block->from[i] = (uint32_t)(next_random(state) % keys);
		block->to[i] = (uint32_t)(next_random(state) % keys);
		block->duration[i] = i % 9 == 0 ? 1e-6f : (float)uniform(state, 0.01, 2);
		block->elapsed[i] = block->duration[i] * (float)uniform(state, i % 2 ? -3 : -0.001, i % 2 ? 4 : 1);
	}
}

TEST(block_forms, "wider vectors give the same bits as the plain loops, and those the same as single values")
{
	enum { KEYS = 50 };
	uint64_t state = 8;
	float keys[4 * KEYS], plain[4 * ANIM_BLOCK], wide[4 * ANIM_BLOCK];
	struct anim_block block;

	if (!anim_block_has(ANIM_BLOCK_AVX2))
		tap_skip("this processor has no wider vectors");
	for (int round = 0; round < 200; round++) {
		for (int k = 0; k < KEYS; k++)
			random_quat(&state, keys + 4 * k);
		random_block(&state, &block, KEYS);
		for (unsigned components = 1; components <= 4; components++) {
			anim_block_lerp(ANIM_BLOCK_PLAIN, &block, keys, KEYS, components, ANIM_BLOCK, plain);
			anim_block_lerp(anim_block_best(), &block, keys, KEYS, components, ANIM_BLOCK, wide);
			CHECK(memcmp(plain, wide, sizeof *plain * components * ANIM_BLOCK) == 0);
		}
		anim_block_lerp_double(ANIM_BLOCK_PLAIN, &block, keys, ANIM_BLOCK, plain);
		anim_block_lerp_double(anim_block_best(), &block, keys, ANIM_BLOCK, wide);
		CHECK(memcmp(plain, wide, sizeof *plain * ANIM_BLOCK) == 0);
		anim_block_slerp(ANIM_BLOCK_PLAIN, &block, keys, ANIM_BLOCK, plain);
		anim_block_slerp(anim_block_best(), &block, keys, ANIM_BLOCK, wide);
		CHECK(memcmp(plain, wide, sizeof plain) == 0);
		for (int i = 0; i < ANIM_BLOCK; i++) {
			float w = block.duration[i] < 1e-5f ? 0 : block.elapsed[i] / block.duration[i], q[4];

			anim_quat_slerp(q, keys + 4 * block.from[i], keys + 4 * block.to[i], w);
			CHECK(memcmp(q, plain + 4 * i, sizeof q) == 0);
		}
	}
}

/* Control values of any size, infinite and of length 0 among them; times between 0 and 1, its ends among them. */
static void random_cubic(uint64_t *state, struct anim_block_cubic *cubic, double *u)
{
	bool odd = next_random(state) % 16 == 0;

	for (int i = 0; i < 4; i++)
		for (unsigned c = 0; c < 4; c++)
			cubic->p[i][c] = c >= cubic->components ? 0
					 : odd                  ? 1e200 * (double)(i % 2)
								: any_size(state, -3, 3);
	for (int i = 0; i < ANIM_BLOCK; i++)
		u[i] = i == 0 ? 0 : i == 1 ? 1 : uniform(state, 0, 1);
}

TEST(block_cubics, "many times of a cubic give the bits of single ones, in vectors of any width")
{
	uint64_t state = 9;
	struct anim_block_cubic cubic;
	double u[ANIM_BLOCK], v[4];
	float plain[4 * ANIM_BLOCK], wide[4 * ANIM_BLOCK];

	for (int round = 0; round < 400; round++) {
		size_t count = 1 + next_random(&state) % ANIM_BLOCK;
		unsigned components = 1 + (unsigned)round % 4;

		cubic = (struct anim_block_cubic){.components = components, .unit = round % 8 == 3};
		random_cubic(&state, &cubic, u);
		memset(plain, 7, sizeof plain);
		memset(wide, 7, sizeof wide);
		anim_block_bezier(ANIM_BLOCK_PLAIN, &cubic, u, count, plain);
		anim_block_bezier(anim_block_best(), &cubic, u, count, wide);
		CHECK(memcmp(plain, wide, sizeof plain) == 0);
		for (size_t i = 0; i < count; i++) {
			float q[4];

			for (unsigned c = 0; c < 4; c++)
				v[c] = anim_bezier(cubic.p[0][c], cubic.p[1][c], cubic.p[2][c], cubic.p[3][c], u[i]);
			if (cubic.unit)
				anim_normalize(v);
			anim_components_to_float(q, v, components);
			CHECK(memcmp(q, plain + components * i, components * sizeof *q) == 0);
		}
	}
}

TEST(block_tangents, "tangents between many rotations are those of single ones, in vectors of any width")
{
	uint64_t state = 10;
	float a[ANIM_BLOCK][4], b[ANIM_BLOCK][4];
	double plain[ANIM_BLOCK], wide[ANIM_BLOCK];

	for (int round = 0; round < 100; round++) {
		size_t count = 1 + next_random(&state) % ANIM_BLOCK;

		for (size_t i = 0; i < count; i++) {
			random_quat(&state, a[i]);
			random_quat(&state, b[i]);
		}
		anim_block_tangents(ANIM_BLOCK_PLAIN, (const float(*)[4])a, (const float(*)[4])b, count, plain);
		anim_block_tangents(anim_block_best(), (const float(*)[4])a, (const float(*)[4])b, count, wide);
		CHECK(memcmp(plain, wide, count * sizeof *plain) == 0);
		for (size_t i = 0; i < count; i++)
			CHECK(plain[i] == anim_quat_tangent_squared(a[i], b[i]));
	}
}
