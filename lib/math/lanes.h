/* lanes.h: four floats in a vector that every processor of an architecture supports, with the same bits. */
#ifndef ANIM_MATH_LANES_H
#define ANIM_MATH_LANES_H

#include <stdint.h>
#include <string.h>

#include "base/machine.h"
#include "math/quaternion.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define ANIM_LANES 4u

/*
 * Marks the second version of a function. Both versions are made from one inlined source. Call the ANIM_AVX2 version
 * if anim_block_best (math/block.h) selects it. Both give the same bits.
 */
#if ANIM_X86_64
#define ANIM_AVX2 __attribute__((target("avx2")))
#else
#define ANIM_AVX2
#endif

/* The compiler's operators work on each element. Comparisons set all bits of an element, or none. */
typedef float anim_lanes __attribute__((vector_size(16)));
typedef int32_t anim_lane_masks __attribute__((vector_size(16)));

/* Load four floats from any address. */
ANIM_INLINE anim_lanes anim_lanes_load(const float *at)
{
	anim_lanes v;

	memcpy(&v, at, sizeof v);
	return v;
}

ANIM_INLINE anim_lanes anim_lanes_all(float x)
{
	return (anim_lanes){x, x, x, x};
}

/* Return a where the mask is set, and b elsewhere. */
ANIM_INLINE anim_lanes anim_lanes_pick(anim_lane_masks mask, anim_lanes a, anim_lanes b)
{
	return (anim_lanes)((mask & (anim_lane_masks)a) | (~mask & (anim_lane_masks)b));
}

/* Return a > b ? a : b. If one of them is NaN, the result is b. */
ANIM_INLINE anim_lanes anim_lanes_larger(anim_lanes a, anim_lanes b)
{
#ifdef __SSE2__
	return (anim_lanes)_mm_max_ps((__m128)a, (__m128)b);
#else
	return anim_lanes_pick((anim_lane_masks)(a > b), a, b);
#endif
}

ANIM_INLINE anim_lanes anim_lanes_smaller(anim_lanes a, anim_lanes b)
{
#ifdef __SSE2__
	return (anim_lanes)_mm_min_ps((__m128)a, (__m128)b);
#else
	return anim_lanes_pick((anim_lane_masks)(a < b), a, b);
#endif
}

/* Return the absolute values. */
ANIM_INLINE anim_lanes anim_lanes_size(anim_lanes a)
{
	return (anim_lanes)((anim_lane_masks)a & (anim_lane_masks){INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX});
}

/* Return one bit per set element: 15 for all. */
ANIM_INLINE unsigned anim_lanes_bits(anim_lane_masks mask)
{
#ifdef __SSE2__
	return (unsigned)_mm_movemask_ps((__m128)mask);
#else
	return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

/* Transpose rows and columns. */
ANIM_INLINE void anim_lanes_turn(anim_lanes v[4])
{
#ifdef __SSE2__
	__m128 a = (__m128)v[0], b = (__m128)v[1], c = (__m128)v[2], d = (__m128)v[3];

	_MM_TRANSPOSE4_PS(a, b, c, d);
	v[0] = (anim_lanes)a;
	v[1] = (anim_lanes)b;
	v[2] = (anim_lanes)c;
	v[3] = (anim_lanes)d;
#else
	anim_lanes rows[4];

	memcpy(rows, v, sizeof rows);
	for (int i = 0; i < 4; i++)
		v[i] = (anim_lanes){rows[0][i], rows[1][i], rows[2][i], rows[3][i]};
#endif
}

#endif
