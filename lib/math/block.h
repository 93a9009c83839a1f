/* block.h: sampling in stages over blocks of samples, so that the arithmetic runs over vectors. */
#ifndef ANIM_MATH_BLOCK_H
#define ANIM_MATH_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ANIM_BLOCK 64

/*
 * Up to ANIM_BLOCK samples: the keys each lies between, how long after key `from` it is, how long the segment is.
 * Entries that are not used must hold numbers all the same (keys 0, times 0).
 */
struct anim_block {
	uint32_t from[ANIM_BLOCK], to[ANIM_BLOCK];
	float elapsed[ANIM_BLOCK], duration[ANIM_BLOCK];
};

/* Every form of a stage gives the same bits; the plain one is the reference. */
enum anim_block_form { ANIM_BLOCK_PLAIN, ANIM_BLOCK_AVX2 };

enum anim_block_form anim_block_best(void); /* of this processor */
bool anim_block_has(enum anim_block_form);

/*
 * The weight of each sample is elapsed / duration, 0 where the duration is below 1e-5. `values` holds `keys` keys of
 * `components` floats; `out` gets count values.
 */
void anim_block_lerp(enum anim_block_form, const struct anim_block *, const float *values, size_t keys,
		     unsigned components, size_t count, float *out);

/* One float a key, computed in double and rounded once (Godot's FLOAT). */
void anim_block_lerp_double(enum anim_block_form, const struct anim_block *, const float *values, size_t count,
			    float *out);

/* Quaternions, the shortest way, as anim_quat_slerp. */
void anim_block_slerp(enum anim_block_form, const struct anim_block *, const float *values, size_t count, float *out);

/* One cubic of up to four components by its control values, those of components that are not 0. */
struct anim_block_cubic {
	double p[4][4]; /* of each of the four points the components */
	unsigned components;
	bool unit; /* four components are brought to length 1, but where that is 0 or not finite */
};
#define ANIM_BLOCK_STEP 4 /* parameters are read by so many */

/*
 * As anim_bezier of each component at each of `count` parameters, in double and rounded once. `u` has numbers up to the next
 * multiple of ANIM_BLOCK_STEP; `out` gets count values.
 */
void anim_block_bezier(enum anim_block_form, const struct anim_block_cubic *, const double *u, size_t count,
		       float *out);

/* anim_quat_tangent_squared of each pair of quaternions. */
void anim_block_tangents(enum anim_block_form, const float (*a)[4], const float (*b)[4], size_t count, double *out);

#endif
