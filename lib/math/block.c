/* block.c: sampling in stages. One source gives the plain and the AVX2 form. */
#include "math/block.h"

#include <math.h>
#include <string.h>

#include "base/machine.h"
#include "math/lanes.h"
#include "math/quaternion.h"

bool anim_block_has(enum anim_block_form form)
{
#if ANIM_X86_64
	return form == ANIM_BLOCK_PLAIN || __builtin_cpu_supports("avx2");
#else
	return form == ANIM_BLOCK_PLAIN;
#endif
}

enum anim_block_form anim_block_best(void)
{
	return anim_block_has(ANIM_BLOCK_AVX2) ? ANIM_BLOCK_AVX2 : ANIM_BLOCK_PLAIN;
}

/* samples at a time, the last beyond the count: a constant number of iterations vectorises without a tail */
#define ROUND 16

ANIM_INLINE void weights(const struct anim_block *block, size_t count, float *restrict weight)
{
	for (size_t done = 0; done < count; done += ROUND)
		for (size_t i = done; i < done + ROUND; i++) {
			float w = block->elapsed[i] / block->duration[i];

			weight[i] = fabsf(block->duration[i]) < 1e-5f ? 0.0f : w;
		}
}

/* Store to any address. */
ANIM_INLINE void store(float *at, anim_lanes v)
{
	memcpy(at, &v, sizeof v);
}

ANIM_INLINE void lerp_one(const struct anim_block *block, const float *values, size_t components, const float *weight,
			  size_t i, float *out)
{
	const float *a = values + components * block->from[i], *b = values + components * block->to[i];

	for (size_t component = 0; component < components; component++)
		out[components * i + component] = a[component] + (b[component] - a[component]) * weight[i];
}

ANIM_INLINE void lerp_components(const struct anim_block *block, const float *values, size_t components, size_t count,
				 float *out)
{
	float weight[ANIM_BLOCK];

	weights(block, count, weight);
	for (size_t i = 0; i < count; i++)
		lerp_one(block, values, components, weight, i, out);
}

ANIM_INLINE bool reaches(const struct anim_block *block, uint32_t last)
{
	uint32_t highest = 0;

	for (int i = 0; i < ANIM_BLOCK; i++) {
		uint32_t higher = block->from[i] > block->to[i] ? block->from[i] : block->to[i];

		highest = higher > highest ? higher : highest;
	}
	return highest >= last;
}

/*
 * Three components are handled as four. The fourth belongs to the next key, and the next sample overwrites it. So the
 * last key and the last sample cannot use this path.
 */
ANIM_INLINE void lerp3(const struct anim_block *block, const float *values, size_t keys, size_t count, float *out)
{
	float weight[ANIM_BLOCK];

	if (count == 0 || reaches(block, (uint32_t)keys - 1)) {
		lerp_components(block, values, 3, count, out);
		return;
	}
	weights(block, count, weight);
	for (size_t i = 0; i + 1 < count; i++) {
		anim_lanes a = anim_lanes_load(values + 3 * (size_t)block->from[i]),
			   b = anim_lanes_load(values + 3 * (size_t)block->to[i]);

		store(out + 3 * i, a + (b - a) * weight[i]);
	}
	lerp_one(block, values, 3, weight, count - 1, out);
}

ANIM_INLINE void lerp(const struct anim_block *block, const float *values, size_t keys, unsigned components,
		      size_t count, float *out)
{
	if (components == 3)
		lerp3(block, values, keys, count, out);
	else if (components == 4)
		lerp_components(block, values, 4, count, out);
	else
		lerp_components(block, values, components, count, out);
}

ANIM_INLINE void lerp_double(const struct anim_block *block, const float *values, size_t count, float *out)
{
	float weight[ANIM_BLOCK];

	weights(block, count, weight);
	for (size_t i = 0; i < count; i++) {
		double a = (double)values[block->from[i]], b = (double)values[block->to[i]];

		out[i] = (float)(a + (b - a) * (double)weight[i]);
	}
}

ANIM_INLINE void slerp(const struct anim_block *block, const float *values, size_t count, float *out)
{
	float weight[ANIM_BLOCK], dot[ANIM_BLOCK], scale_a[ANIM_BLOCK], scale_b[ANIM_BLOCK];

	weights(block, count, weight);
	for (size_t done = 0; done < count; done += ROUND) {
		for (size_t i = done; i < done + ROUND; i++) {
			anim_lanes product = anim_lanes_load(values + 4 * (size_t)block->from[i]) *
					     anim_lanes_load(values + 4 * (size_t)block->to[i]);

			dot[i] = product[0] + product[1] + product[2] + product[3];
		}
		for (size_t i = done; i < done + ROUND; i++)
			anim_slerp_scales(dot[i], weight[i], &scale_a[i], &scale_b[i]);
	}
	for (size_t i = 0; i < count; i++) {
		const float *from = values + 4 * (size_t)block->from[i], *to = values + 4 * (size_t)block->to[i];

		if (anim_slerp_is_near(weight[i]))
			store(out + 4 * i, scale_a[i] * anim_lanes_load(from) + scale_b[i] * anim_lanes_load(to));
		else
			anim_quat_slerp(out + 4 * i, from, to, weight[i]);
	}
}

typedef double double4 __attribute__((vector_size(8 * ANIM_BLOCK_STEP)));

/* Apply anim_normalize to four quaternions, component by component. */
ANIM_INLINE void normalise(double4 q[4])
{
	double4 square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], length = square;

	for (int i = 0; i < ANIM_BLOCK_STEP; i++) {
		double size = sqrt(square[i]);

		length[i] = size > 0 && size < (double)INFINITY ? size : 1;
	}
	for (int component = 0; component < 4; component++)
		q[component] /= length;
}

/* Store this many values of four, component by component. */
ANIM_INLINE void put_samples(const double4 v[4], unsigned components, size_t count, float *out)
{
	anim_lanes f[4];

	for (int c = 0; c < 4; c++)
		f[c] = __builtin_convertvector(v[c], anim_lanes);
	for (size_t k = 0; k < count; k++) {
		const anim_lanes sample = {f[0][k], f[1][k], f[2][k], f[3][k]};

		if (components == 4)
			store(out + 4 * k, sample);
		else
			memcpy(out + k * components, &sample, components * sizeof *out);
	}
}

ANIM_INLINE void bezier(const struct anim_block_cubic *cubic, const double *parameters, size_t count, float *out)
{
	unsigned components = cubic->components;
	const double(*p)[4] = cubic->p;
	double4 u, v[4];

	for (size_t i = 0; i < count; i += ANIM_BLOCK_STEP) {
		double4 w, first, second, third, last;

		memcpy(&u, parameters + i, sizeof u);
		w = 1 - u;
		first = w * w * w;
		second = 3 * w * w * u;
		third = 3 * w * u * u;
		last = u * u * u;
		for (int c = 0; c < 4; c++)
			v[c] = first * p[0][c] + second * p[1][c] + third * p[2][c] + last * p[3][c];
		if (cubic->unit)
			normalise(v);
		put_samples(v, components, count - i < ANIM_BLOCK_STEP ? count - i : ANIM_BLOCK_STEP,
			    out + i * components);
	}
}

/* Load quaternions, at most one step, component by component. Missing ones are 0. */
ANIM_INLINE void take_quaternions(const float (*q)[4], size_t count, double4 out[4])
{
	for (int c = 0; c < 4 && count >= ANIM_BLOCK_STEP; c++)
		out[c] = (double4){(double)q[0][c], (double)q[1][c], (double)q[2][c], (double)q[3][c]};
	for (int c = 0; c < 4 && count < ANIM_BLOCK_STEP; c++)
		out[c] =
		    (double4){(double)q[0][c], count > 1 ? (double)q[1][c] : 0, count > 2 ? (double)q[2][c] : 0, 0};
}

/* The same as `wedge` in quaternion.c, product by product. */
ANIM_INLINE void put_tangents(const double4 a[4], const double4 b[4], size_t count, double *out)
{
	double4 x = a[0], y = a[1], z = a[2], w = a[3], i = b[0], j = b[1], k = b[2], l = b[3];
	double4 xj = x * j - y * i, xk = x * k - z * i, xl = x * l - w * i, yk = y * k - z * j, yl = y * l - w * j,
		zl = z * l - w * k, along = x * i + y * j + z * k + w * l;
	double4 across = xj * xj + xk * xk + xl * xl + yk * yk + yl * yl + zl * zl, square = across / (along * along);

	memcpy(out, &square, count * sizeof *out);
}

ANIM_INLINE void tangents(const float (*a)[4], const float (*b)[4], size_t count, double *out)
{
	for (size_t done = 0; done < count; done += ANIM_BLOCK_STEP) {
		size_t size = count - done < ANIM_BLOCK_STEP ? count - done : ANIM_BLOCK_STEP;
		double4 p[4], q[4];

		take_quaternions(a + done, size, p);
		take_quaternions(b + done, size, q);
		put_tangents(p, q, size, out + done);
	}
}

#if ANIM_X86_64
ANIM_AVX2 static void lerp_avx2(const struct anim_block *block, const float *values, size_t keys, unsigned components,
				size_t count, float *out)
{
	lerp(block, values, keys, components, count, out);
}

ANIM_AVX2 static void lerp_double_avx2(const struct anim_block *block, const float *values, size_t count, float *out)
{
	lerp_double(block, values, count, out);
}

ANIM_AVX2 static void slerp_avx2(const struct anim_block *block, const float *values, size_t count, float *out)
{
	slerp(block, values, count, out);
}

ANIM_AVX2 static void bezier_avx2(const struct anim_block_cubic *cubic, const double *u, size_t count, float *out)
{
	bezier(cubic, u, count, out);
}

ANIM_AVX2 static void tangents_avx2(const float (*a)[4], const float (*b)[4], size_t count, double *out)
{
	tangents(a, b, count, out);
}
#else
#define lerp_avx2 lerp
#define lerp_double_avx2 lerp_double
#define slerp_avx2 slerp
#define bezier_avx2 bezier
#define tangents_avx2 tangents
#endif

void anim_block_lerp(enum anim_block_form form, const struct anim_block *block, const float *values, size_t keys,
		     unsigned components, size_t count, float *out)
{
	if (form == ANIM_BLOCK_AVX2)
		lerp_avx2(block, values, keys, components, count, out);
	else
		lerp(block, values, keys, components, count, out);
}

void anim_block_lerp_double(enum anim_block_form form, const struct anim_block *block, const float *values,
			    size_t count, float *out)
{
	if (form == ANIM_BLOCK_AVX2)
		lerp_double_avx2(block, values, count, out);
	else
		lerp_double(block, values, count, out);
}

void anim_block_slerp(enum anim_block_form form, const struct anim_block *block, const float *values, size_t count,
		      float *out)
{
	if (form == ANIM_BLOCK_AVX2)
		slerp_avx2(block, values, count, out);
	else
		slerp(block, values, count, out);
}

void anim_block_bezier(enum anim_block_form form, const struct anim_block_cubic *cubic, const double *u, size_t count,
		       float *out)
{
	if (form == ANIM_BLOCK_AVX2)
		bezier_avx2(cubic, u, count, out);
	else
		bezier(cubic, u, count, out);
}

void anim_block_tangents(enum anim_block_form form, const float (*a)[4], const float (*b)[4], size_t count, double *out)
{
	if (form == ANIM_BLOCK_AVX2)
		tangents_avx2(a, b, count, out);
	else
		tangents(a, b, count, out);
}
