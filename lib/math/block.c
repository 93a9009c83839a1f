/* block.c: sampling in stages; one source for plain and wider vectors. */
#include "math/block.h"

#include <string.h>

#include "math/quaternion.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define HAVE_AVX2 1
#define AVX2 __attribute__((target("avx2")))
#else
#define HAVE_AVX2 0
#endif

bool anim_block_has(enum anim_block_form form)
{
#if HAVE_AVX2
	return form == ANIM_BLOCK_PLAIN || __builtin_cpu_supports("avx2");
#else
	return form == ANIM_BLOCK_PLAIN;
#endif
}

enum anim_block_form anim_block_best(void)
{
	return anim_block_has(ANIM_BLOCK_AVX2) ? ANIM_BLOCK_AVX2 : ANIM_BLOCK_PLAIN;
}

/* Over the whole block whatever the count: a constant number of rounds vectorises without a tail. */
ANIM_INLINE void weights(const struct anim_block *block, float *restrict weight)
{
	for (int i = 0; i < ANIM_BLOCK; i++) {
		float w = block->elapsed[i] / block->duration[i];

		weight[i] = fabsf(block->duration[i]) < 1e-5f ? 0.0f : w;
	}
}

/* Four neighbouring floats, at any address. */
typedef float float4 __attribute__((vector_size(16)));

ANIM_INLINE float4 load(const float *at)
{
	float4 v;

	memcpy(&v, at, sizeof v);
	return v;
}

ANIM_INLINE void store(float *at, float4 v)
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

	weights(block, weight);
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
 * Three components as four: the fourth is the next key's, and what is written of it the next sample writes over. So neither
 * the last key nor the last sample goes this way.
 */
ANIM_INLINE void lerp3(const struct anim_block *block, const float *values, size_t keys, size_t count, float *out)
{
	float weight[ANIM_BLOCK];

	if (count == 0 || reaches(block, (uint32_t)keys - 1)) {
		lerp_components(block, values, 3, count, out);
		return;
	}
	weights(block, weight);
	for (size_t i = 0; i + 1 < count; i++) {
		float4 a = load(values + 3 * (size_t)block->from[i]), b = load(values + 3 * (size_t)block->to[i]);

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

	weights(block, weight);
	for (size_t i = 0; i < count; i++) {
		double a = (double)values[block->from[i]], b = (double)values[block->to[i]];

		out[i] = (float)(a + (b - a) * (double)weight[i]);
	}
}

ANIM_INLINE void slerp(const struct anim_block *block, const float *values, size_t count, float *out)
{
	float weight[ANIM_BLOCK], dot[ANIM_BLOCK], scale_a[ANIM_BLOCK], scale_b[ANIM_BLOCK];

	weights(block, weight);
	for (size_t i = 0; i < ANIM_BLOCK; i++) {
		float4 product = load(values + 4 * (size_t)block->from[i]) * load(values + 4 * (size_t)block->to[i]);

		dot[i] = product[0] + product[1] + product[2] + product[3];
	}
	for (int i = 0; i < ANIM_BLOCK; i++)
		anim_slerp_scales(dot[i], weight[i], &scale_a[i], &scale_b[i]);
	for (size_t i = 0; i < count; i++) {
		float4 a = load(values + 4 * (size_t)block->from[i]), b = load(values + 4 * (size_t)block->to[i]);

		store(out + 4 * i, scale_a[i] * a + scale_b[i] * b);
	}
}

#if HAVE_AVX2
AVX2 static void lerp_avx2(const struct anim_block *block, const float *values, size_t keys, unsigned components,
			   size_t count, float *out)
{
	lerp(block, values, keys, components, count, out);
}

AVX2 static void lerp_double_avx2(const struct anim_block *block, const float *values, size_t count, float *out)
{
	lerp_double(block, values, count, out);
}

AVX2 static void slerp_avx2(const struct anim_block *block, const float *values, size_t count, float *out)
{
	slerp(block, values, count, out);
}
#else
#define lerp_avx2 lerp
#define lerp_double_avx2 lerp_double
#define slerp_avx2 slerp
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
