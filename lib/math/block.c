/* block.c: sampling in stages; one source for plain and wider vectors. */
#include "math/block.h"

#include "math/slerp_scales.h"

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

ANIM_INLINE void lerp_lanes(const struct anim_block *block, const float *values, size_t lanes, size_t count,
			    float *restrict out)
{
	float weight[ANIM_BLOCK];

	weights(block, weight);
	for (size_t i = 0; i < count; i++) {
		const float *a = values + lanes * block->from[i], *b = values + lanes * block->to[i];

		for (size_t lane = 0; lane < lanes; lane++)
			out[lanes * i + lane] = a[lane] + (b[lane] - a[lane]) * weight[i];
	}
}

ANIM_INLINE void lerp(const struct anim_block *block, const float *values, unsigned lanes, size_t count, float *out)
{
	if (lanes == 3)
		lerp_lanes(block, values, 3, count, out);
	else if (lanes == 1)
		lerp_lanes(block, values, 1, count, out);
	else if (lanes == 4)
		lerp_lanes(block, values, 4, count, out);
	else
		lerp_lanes(block, values, lanes, count, out);
}

ANIM_INLINE void lerp_double(const struct anim_block *block, const float *values, size_t count, float *restrict out)
{
	float weight[ANIM_BLOCK];

	weights(block, weight);
	for (size_t i = 0; i < count; i++) {
		double a = (double)values[block->from[i]], b = (double)values[block->to[i]];

		out[i] = (float)(a + (b - a) * (double)weight[i]);
	}
}

ANIM_INLINE void slerp(const struct anim_block *block, const float *values, size_t count, float *restrict out)
{
	float weight[ANIM_BLOCK], dot[ANIM_BLOCK], scale_a[ANIM_BLOCK], scale_b[ANIM_BLOCK];

	weights(block, weight);
	for (size_t i = 0; i < ANIM_BLOCK; i++) {
		const float *a = values + 4 * (size_t)block->from[i], *b = values + 4 * (size_t)block->to[i];

		dot[i] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
	}
	for (int i = 0; i < ANIM_BLOCK; i++)
		anim_slerp_scales(dot[i], weight[i], &scale_a[i], &scale_b[i]);
	for (size_t i = 0; i < count; i++) {
		const float *a = values + 4 * (size_t)block->from[i], *b = values + 4 * (size_t)block->to[i];

		for (int lane = 0; lane < 4; lane++)
			out[4 * i + lane] = scale_a[i] * a[lane] + scale_b[i] * b[lane];
	}
}

#if HAVE_AVX2
AVX2 static void lerp_avx2(const struct anim_block *block, const float *values, unsigned lanes, size_t count,
			   float *out)
{
	lerp(block, values, lanes, count, out);
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

void anim_block_lerp(enum anim_block_form form, const struct anim_block *block, const float *values, unsigned lanes,
		     size_t count, float *out)
{
	if (form == ANIM_BLOCK_AVX2)
		lerp_avx2(block, values, lanes, count, out);
	else
		lerp(block, values, lanes, count, out);
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
