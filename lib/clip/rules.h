/* rules.h: how players find the keys around a time and blend them, for sampling and for exact analysis. */
#ifndef ANIM_CLIP_RULES_H
#define ANIM_CLIP_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "clip/sample.h"
#include "clip/track.h"
#include "math/curve.h"

/* The meaning of a value in its engine, if the type alone does not determine it. */
enum anim_shape {
	ANIM_SHAPE_COMPONENTS, /* component by component; quaternions as quaternions */
	ANIM_SHAPE_SINGLE,     /* a number that Godot keeps in float32 (blend_shape tracks), not in double */
	ANIM_SHAPE_RECT,
	ANIM_SHAPE_PLANE,
	ANIM_SHAPE_TRANSFORM2D,
	ANIM_SHAPE_TRANSFORM3D,
	ANIM_SHAPE_PROJECTION,
	ANIM_SHAPE_NAME,   /* text of a StringName: &"..." */
	ANIM_SHAPE_LITERAL /* text of a value that does not blend */
};

/*
 * Return whether linear interpolation of rotations blends the components and normalises the result, also along the
 * longer arc if the signs say so. Unity does, and so does Resonite as users see it. The clip attribute resonite.slerp
 * selects the other reading of Resonite, the shortest arc. The same holds for samples.
 */
bool anim_rules_blend_components(const struct anim_clip *, enum anim_rules);
/* Return whether a track of rotations blends the components from key k to the next, as all curves with tangents do. */
bool anim_segment_blends_components(const struct anim_clip *, const struct anim_track *, size_t k);

/*
 * The position of a time among the keys. from == to if a single key counts. `hold`: the value of `from` counts,
 * whatever the mode.
 */
struct anim_segment {
	size_t from, to;
	size_t before, after; /* their neighbours, for cubic modes */
	bool hold;
	double weight;                 /* of `to`; rounded to float32 if the player does so */
	double duration;               /* seconds from `from` to `to` */
	float to_t, before_t, after_t; /* seconds from key `from`, for cubic modes in time */
};

/* The state of one call of anim_sample: a track with the data that its rules need. Everything is borrowed. */
struct anim_sampler {
	const struct anim_clip *clip;
	const struct anim_track *track;
	const struct anim_rules_ops *rules;
	struct anim_sample_state *state;
	enum anim_shape shape;
	size_t usable; /* Godot: number of keys that exist for the player; keys after the end of the clip do not */
	double origin, length; /* Godot: times are relative to the start of the clip */
	bool wraps;            /* Godot: the track continues across the end of the clip */
	bool neighbours;       /* locate must fill before, after and their times */
	bool old_cubics;       /* Godot 4.2 and before */
	double early;          /* Raw: share of the last interval at which the last sample counts, or 0 */
	double tolerance;      /* keys within this count as at the time, times max(1, |t|) */
};

/* One row per player. */
struct anim_rules_ops {
	void (*prepare)(struct anim_sampler *);
	/* Find the segment of the finite time t. Returns false if the track has no value. */
	bool (*locate)(struct anim_sampler *, double t, struct anim_segment *);
	/* Compute the value in the segment for any mode except Hold. Returns 0 or -1. */
	int (*blend)(struct anim_sampler *, enum anim_interp, const struct anim_segment *, void *out,
		     struct anim_error *);
};

extern const struct anim_rules_ops anim_rules_plain, anim_rules_godot4, anim_rules_godot3, anim_rules_unity,
    anim_rules_resonite;

/*
 * Return true if Godot does not play a rotation because its length is not 1 (Quaternion::is_normalized, to 1e-3 of
 * its square). Instead of blending it, Godot shows no rotation. Its editor and debug builds do so; released games
 * blend it.
 */
bool anim_godot_refuses(const float q[4]);
/* Return whether Godot refuses any key of a track of rotations, whatever its rules. */
bool anim_godot_refuses_some(const struct anim_track *);

/*
 * Prepare the sampler for locate and blend of its rules, for code that must know how a player reads a track.
 * Everything is borrowed. Returns 0, or -1 like anim_sample.
 */
int anim_sampler_open(struct anim_sampler *, const struct anim_clip *, const struct anim_track *,
		      struct anim_sample_state *, struct anim_error *);

/*
 * Return the last of n keys at or before t, or -1 if there is none. For unsorted keys, return the result of
 * bisection.
 */
ptrdiff_t anim_find_key(const float *time, size_t n, double t);
/* The same for sorted keys, faster if the key is near key `near` and after it. */
ptrdiff_t anim_find_key_near(const float *time, size_t n, double t, size_t near);

/* Apply the transition of the key to the weight. */
double anim_segment_ease(const struct anim_track *, size_t key, double weight);

/* ---- Values as arrays of numbers, and the blends that players share ---- */

#define ANIM_COMPONENTS_MAX 16 /* a matrix of four rows */
#define ANIM_VALUE_MAX 128     /* bytes of a value: this many doubles */

static inline void anim_components_to_float(float *out, const double *components, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		out[i] = (float)components[i];
}

static inline void anim_components_from_float(double *components, const float *in, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		components[i] = (double)in[i];
}

/*
 * Store components as a value of the type. Integers are rounded, halves away from zero, and clamped to their range.
 * An int64 beyond its range and not-a-number become the smallest integer, as in conversions on the engines' machines.
 * A bool is >= 0.5.
 */
void anim_value_store(enum anim_type, const double components[ANIM_COMPONENTS_MAX], void *out);

/* Copy the value of key k unchanged. Strings: struct anim_text borrowed from the track. */
void anim_value_copy(const struct anim_track *, size_t k, void *out);

/* Blend linearly by components, or with slerp. Floats are computed in float32, everything else in double. */
void anim_blend_linear(enum anim_type, const double from[ANIM_COMPONENTS_MAX], const double to[ANIM_COMPONENTS_MAX],
		       double weight, double out[ANIM_COMPONENTS_MAX]);

/* The four keys of a cubic mode. */
struct anim_cubic_keys {
	double from[ANIM_COMPONENTS_MAX], to[ANIM_COMPONENTS_MAX], before[ANIM_COMPONENTS_MAX],
	    after[ANIM_COMPONENTS_MAX];
};
void anim_cubic_keys_load(const struct anim_track *, const struct anim_segment *, struct anim_cubic_keys *);

/* Blend one component of a cubic mode in float32 (`single`) or in double. */
double anim_blend_cubic_component(const struct anim_cubic_keys *, const struct anim_segment *, unsigned component,
				  bool single);

/* Blend quaternions with CubicTime (`in_time`) or CubicUniform. */
void anim_blend_cubic_quat(const struct anim_cubic_keys *, const struct anim_segment *, bool in_time,
			   double out[ANIM_COMPONENTS_MAX]);

/* Blend one component with LinearAngle or CubicAngle in float32, wrapped to one full turn. */
double anim_blend_angle(const struct anim_track *, const struct anim_segment *, bool cubic);

/* Get the points of a segment of a one-component Bezier2D track as Godot solves it. */
void anim_bezier_points(const struct anim_track *, const struct anim_segment *, struct anim_bezier_point points[4]);

/* Normalise a quaternion. A quaternion of length 0, or without a finite length, is unchanged. */
void anim_normalize(double q[4]);

#endif
