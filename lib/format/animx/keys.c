/* keys.c: takes keys apart into columns and puts them together; on the way of every key. */
#include "format/animx/keys.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* With constant sizes a copy is a few moves: inlined once for each pair of sizes that is common. */
static inline __attribute__((always_inline)) void split(const uint8_t *pairs, size_t n, size_t first_size,
							size_t second_size, uint8_t *first, uint8_t *second)
{
	for (size_t k = 0; k < n; k++) {
		memcpy(first + k * first_size, pairs, first_size);
		memcpy(second + k * second_size, pairs + first_size, second_size);
		pairs += first_size + second_size;
	}
}

static inline __attribute__((always_inline)) void join(uint8_t *pairs, size_t n, size_t first_size, size_t second_size,
						       const uint8_t *first, const uint8_t *second)
{
	for (size_t k = 0; k < n; k++) {
		memcpy(pairs, first + k * first_size, first_size);
		memcpy(pairs + first_size, second + k * second_size, second_size);
		pairs += first_size + second_size;
	}
}

/* `way` with the sizes as constants where they are common ones. */
#define BY_SIZES(way, pairs, n, first_size, second_size, first, second)        \
	do {                                                                   \
		if ((first_size) == 4 && (second_size) == 4)                   \
			way(pairs, n, 4, 4, first, second);                    \
		else if ((first_size) == 4 && (second_size) == 12)             \
			way(pairs, n, 4, 12, first, second);                   \
		else if ((first_size) == 4 && (second_size) == 16)             \
			way(pairs, n, 4, 16, first, second);                   \
		else if ((first_size) == 12 && (second_size) == 12)            \
			way(pairs, n, 12, 12, first, second);                  \
		else if ((first_size) == 16 && (second_size) == 16)            \
			way(pairs, n, 16, 16, first, second);                  \
		else                                                           \
			way(pairs, n, first_size, second_size, first, second); \
	} while (0)

void animx_split(const uint8_t *pairs, size_t n, size_t first_size, size_t second_size, void *first, void *second)
{
	BY_SIZES(split, pairs, n, first_size, second_size, first, second);
}

void animx_join(uint8_t *pairs, size_t n, size_t first_size, size_t second_size, const void *first, const void *second)
{
	BY_SIZES(join, pairs, n, first_size, second_size, first, second);
}

bool animx_are_times(const uint8_t *pairs, size_t n, size_t stride)
{
	float before = 0;

	for (size_t k = 0; k < n; k++) {
		float time;

		memcpy(&time, pairs + k * stride, sizeof time);
		if (!(time >= before && time <= FLT_MAX))
			return false;
		before = time;
	}
	return true;
}

bool animx_are_likely_times(const uint8_t *pairs, size_t n, size_t stride)
{
	for (size_t k = 0; k < n; k++) {
		float time;

		memcpy(&time, pairs + k * stride, sizeof time);
		if (fpclassify(time) == FP_SUBNORMAL || (time == 0 && signbit(time)))
			return false;
	}
	return true;
}

bool animx_are_bools(enum anim_type type, const uint8_t *pairs, size_t n, size_t stride)
{
	unsigned all = 0;

	if (anim_types[type].scalar != ANIM_SCALAR_BOOL)
		return true;
	for (size_t k = 0; k < n; k++)
		all |= pairs[k * stride];
	return all >> anim_types[type].components == 0;
}

/*
 * True where the type is no quaternion, or all of them, `stride` apart, are of length 1: exporters' are but for rounding,
 * bytes that are shifted by a time are not.
 */
static bool are_turns(enum anim_type type, const uint8_t *pairs, size_t n, size_t stride)
{
	bool wide = anim_types[type].scalar == ANIM_SCALAR_F64;

	for (size_t k = 0; anim_types[type].quaternion && k < n; k++) {
		double square = 0, components[4];
		float narrow[4];

		if (wide)
			memcpy(components, pairs + k * stride, sizeof components);
		else
			memcpy(narrow, pairs + k * stride, sizeof narrow);
		for (int i = 0; i < 4; i++)
			square += wide ? components[i] * components[i] : (double)narrow[i] * (double)narrow[i];
		if (!(fabs(square - 1) <= 1e-3))
			return false;
	}
	return true;
}

void animx_key_orders(enum anim_type type, const uint8_t *pairs, size_t n, bool *time_first, bool *value_first)
{
	size_t size = anim_types[type].size, stride = size + sizeof(float);
	const uint8_t *behind = pairs + sizeof(float), *last = pairs + size;
	bool first, second;

	*time_first = animx_are_times(pairs, n, stride);
	*value_first = n > 0 && animx_are_times(last, n, stride);
	if (!*time_first || !*value_first)
		return;
	first = animx_are_bools(type, behind, n, stride) && are_turns(type, behind, n, stride) &&
		animx_are_likely_times(pairs, n, stride);
	second = animx_are_bools(type, pairs, n, stride) && are_turns(type, pairs, n, stride) &&
		 animx_are_likely_times(last, n, stride);
	if (first == second)
		return;
	*time_first = first;
	*value_first = second;
}

bool animx_clean_bools(enum anim_type type, uint8_t *column, size_t n)
{
	unsigned mask = (1u << anim_types[type].components) - 1;

	if (animx_are_bools(type, column, n, 1))
		return false;
	for (size_t k = 0; k < n; k++)
		column[k] = (uint8_t)(type == ANIM_BOOL ? column[k] != 0 : column[k] & mask);
	return true;
}
