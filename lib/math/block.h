/* block.h: sampling in stages over blocks of samples, so that the arithmetic runs over vectors. */
#ifndef ANIM_MATH_BLOCK_H
#define ANIM_MATH_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ANIM_BLOCK 64

/*
 * Up to ANIM_BLOCK samples: the two keys around each, the time since key `from`, and the length of the segment.
 * Unused entries must also hold numbers (keys 0, times 0).
 */
struct anim_block {
	uint32_t from[ANIM_BLOCK], to[ANIM_BLOCK];
	float elapsed[ANIM_BLOCK], duration[ANIM_BLOCK];
};

/* Every form of a stage gives the same bits; the plain one is the reference. */
enum anim_block_form { ANIM_BLOCK_PLAIN, ANIM_BLOCK_AVX2 };

enum anim_block_form anim_block_best(void); /* for this processor */
bool anim_block_has(enum anim_block_form);

/*
 * Interpolate linearly. The weight of each sample is elapsed / duration, or 0 if the duration is below 1e-5. `values`
 * holds `keys` keys of `components` floats. `out` gets count values.
 */
void anim_block_lerp(enum anim_block_form, const struct anim_block *, const float *values, size_t keys,
		     unsigned components, size_t count, float *out);

/* Interpolate one float per key, computed in double and rounded once (Godot's FLOAT). */
void anim_block_lerp_double(enum anim_block_form, const struct anim_block *, const float *values, size_t count,
			    float *out);

/* Interpolate quaternions along the shortest arc, as anim_quat_slerp does. */
void anim_block_slerp(enum anim_block_form, const struct anim_block *, const float *values, size_t count, float *out);

/* One cubic of up to four components, given by its control values. Unused components are 0. */
struct anim_block_cubic {
	double p[4][4]; /* the components of each of the four points */
	unsigned components;
	bool unit; /* four components are normalised, unless their length is 0 or not finite */
};
#define ANIM_BLOCK_STEP 4 /* parameters are read in steps of this size */

/*
 * Evaluate anim_bezier of each component at each of `count` parameters, in double and rounded once. `u` must hold
 * numbers up to the next multiple of ANIM_BLOCK_STEP. `out` gets count values.
 */
void anim_block_bezier(enum anim_block_form, const struct anim_block_cubic *, const double *u, size_t count,
		       float *out);

/* Compute anim_quat_tangent_squared of each pair of quaternions. */
void anim_block_tangents(enum anim_block_form, const float (*a)[4], const float (*b)[4], size_t count, double *out);

#endif
