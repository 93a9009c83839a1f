/* blend.h: values as lanes of numbers, and the blends that players share; internal to sampling. */
#ifndef ANIM_CLIP_BLEND_H
#define ANIM_CLIP_BLEND_H

#include "clip/rules.h"

#define ANIM_LANES_MAX 16

static inline void anim_lanes_to_float(float *out, const double *lanes, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		out[i] = (float)lanes[i];
}

static inline void anim_lanes_from_float(double *lanes, const float *in, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		lanes[i] = (double)in[i];
}

/* Key k of the track's values, lane by lane; 64-bit integers are rounded to double. */
void anim_value_load(const struct anim_track *, size_t k, double lanes[ANIM_LANES_MAX]);

/*
 * Stores lanes as a value of the type: integers are rounded, halves away from zero, and kept within their range (int64
 * beyond its range and not-a-number become its smallest, as conversion on the engines' machines does); bool is >= 0.5.
 */
void anim_value_store(enum anim_type, const double lanes[ANIM_LANES_MAX], void *out);

/* The value of key k as it is. Strings: struct anim_text borrowed from the track. */
void anim_value_copy(const struct anim_track *, size_t k, void *out);

/* Linear by lanes, or slerp; floats in float32, all else in double. */
void anim_blend_linear(enum anim_type, const double from[ANIM_LANES_MAX], const double to[ANIM_LANES_MAX],
		       double weight, double out[ANIM_LANES_MAX]);

/* The four keys of a cubic. */
struct anim_cubic_keys {
	double from[ANIM_LANES_MAX], to[ANIM_LANES_MAX], before[ANIM_LANES_MAX], after[ANIM_LANES_MAX];
};
void anim_cubic_keys_load(const struct anim_track *, const struct anim_segment *, struct anim_cubic_keys *);

/* A cubic of one lane in float32 or in double. */
double anim_blend_cubic_lane(const struct anim_cubic_keys *, const struct anim_segment *, unsigned lane, bool single);

/* CubicTime and CubicUniform of quaternions. */
void anim_blend_cubic_quat(const struct anim_cubic_keys *, const struct anim_segment *, bool in_time,
			   double out[ANIM_LANES_MAX]);

/* LinearAngle and CubicAngle of one lane, in float32, wrapped to one turn. */
double anim_blend_angle(const struct anim_track *, const struct anim_segment *, bool cubic);

/* A quaternion to length 1; one of length 0, or of no finite length, stays. */
void anim_normalize(double q[ANIM_LANES_MAX]);

/*
 * Curves with tangents as the stream defines them: Hermite, Weighted, CubicBezier, Bezier2D; quaternions are
 * normalised. False for another mode.
 */
bool anim_blend_curve(const struct anim_track *, enum anim_interp, const struct anim_segment *,
		      double out[ANIM_LANES_MAX]);

#endif
