/* rules.h: how players find the keys around a time and blend them: for sampling, and for what must know it exactly. */
#ifndef ANIM_CLIP_RULES_H
#define ANIM_CLIP_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "clip/sample.h"
#include "clip/track.h"
#include "math/curve.h"

/* What a value is to its engine, where the type alone does not say. */
enum anim_shape {
	ANIM_SHAPE_COMPONENTS, /* component by component; quaternions as such */
	ANIM_SHAPE_SINGLE,     /* a Godot number kept in float32 (blend_shape tracks), not in double */
	ANIM_SHAPE_RECT,
	ANIM_SHAPE_PLANE,
	ANIM_SHAPE_TRANSFORM2D,
	ANIM_SHAPE_TRANSFORM3D,
	ANIM_SHAPE_PROJECTION,
	ANIM_SHAPE_NAME,   /* text of a StringName: &"..." */
	ANIM_SHAPE_LITERAL /* text that stands for a value that does not blend */
};

/*
 * Straight lines between rotations go lane by lane and are normalised, the long way where the signs say so: Unity's, and
 * Resonite's as users see it; the clip's attribute resonite.slerp chooses the other reading, the shortest arc. So do samples.
 */
bool anim_rules_blend_lanes(const struct anim_clip *, enum anim_rules);
/* Whether the way from key k to the next goes lane by lane, which all curves with tangents do; of a track of rotations. */
bool anim_segment_blends_lanes(const struct anim_clip *, const struct anim_track *, size_t k);

/* Where a time falls among the keys. from == to where one key counts; `hold`: its value, whatever the mode. */
struct anim_segment {
	size_t from, to;
	size_t before, after; /* their neighbours, for cubics */
	bool hold;
	double weight;                 /* of `to`; what a player has in float32 is a float32 here too */
	double duration;               /* seconds from `from` to `to` */
	float to_t, before_t, after_t; /* seconds from key `from`, for cubics in time */
};

/* One call of anim_sample: a track with what its rules need to know of it. Everything is borrowed. */
struct anim_sampler {
	const struct anim_clip *clip;
	const struct anim_track *track;
	const struct anim_rules_ops *rules;
	struct anim_sample_state *state;
	enum anim_shape shape;
	size_t usable;         /* Godot: how many keys exist for the player, those behind the clip's end do not */
	double origin, length; /* Godot: times count from the clip's start */
	bool wraps;            /* Godot: the track goes on over the clip's end */
	bool neighbours;       /* locate must fill before, after and their times */
	bool old_cubics;       /* Godot 4.2 and before */
	double tolerance;      /* how near a key counts as at it, times max(1, |t|) */
};

/* One row a player. */
struct anim_rules_ops {
	void (*prepare)(struct anim_sampler *);
	/* Finds the segment of the finite time t; false where the track has no value. */
	bool (*locate)(struct anim_sampler *, double t, struct anim_segment *);
	/* The value in the segment under a mode other than Hold. 0 or -1. */
	int (*blend)(struct anim_sampler *, enum anim_interp, const struct anim_segment *, void *out,
		     struct anim_error *);
};

extern const struct anim_rules_ops anim_rules_plain, anim_rules_godot4, anim_rules_godot3, anim_rules_unity,
    anim_rules_resonite;

/*
 * Godot plays no rotation whose length is not 1 (Quaternion::is_normalized, to 1e-3 of its square): where it would blend one,
 * it shows no rotation at all. So do its editor and debug builds; released games blend what is there.
 */
bool anim_godot_refuses(const float q[4]);
/* Whether it does so for some key of a track of rotations, whatever its rules. */
bool anim_godot_refuses_some(const struct anim_track *);

/*
 * Makes the sampler ready for its rules' locate and blend: for what must know how a player sees a track, not only what it
 * shows. All is borrowed. 0, or -1 as anim_sample.
 */
int anim_sampler_open(struct anim_sampler *, const struct anim_clip *, const struct anim_track *,
		      struct anim_sample_state *, struct anim_error *);

/* The last of n keys at or before t, -1 where there is none; of unsorted ones what bisection finds. */
ptrdiff_t anim_find_key(const float *time, size_t n, double t);
/* The same for sorted keys, sooner where it lies near key `near`, and behind it. */
ptrdiff_t anim_find_key_near(const float *time, size_t n, double t, size_t near);

/* The transition of key k bends the weight. */
double anim_segment_ease(const struct anim_track *, size_t key, double weight);

/* ---- Values as components of numbers, and the blends that players share ---- */

#define ANIM_COMPONENTS_MAX 16 /* of a matrix of four rows */
#define ANIM_VALUE_MAX 128     /* bytes of a value: so many doubles */

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
 * Stores components as a value of the type: integers are rounded, halves away from zero, and kept within their range (int64
 * beyond its range and not-a-number become its smallest, as conversion on the engines' machines does); bool is >= 0.5.
 */
void anim_value_store(enum anim_type, const double components[ANIM_COMPONENTS_MAX], void *out);

/* The value of key k as it is. Strings: struct anim_text borrowed from the track. */
void anim_value_copy(const struct anim_track *, size_t k, void *out);

/* Linear by components, or slerp; floats in float32, all else in double. */
void anim_blend_linear(enum anim_type, const double from[ANIM_COMPONENTS_MAX], const double to[ANIM_COMPONENTS_MAX],
		       double weight, double out[ANIM_COMPONENTS_MAX]);

/* The four keys of a cubic. */
struct anim_cubic_keys {
	double from[ANIM_COMPONENTS_MAX], to[ANIM_COMPONENTS_MAX], before[ANIM_COMPONENTS_MAX],
	    after[ANIM_COMPONENTS_MAX];
};
void anim_cubic_keys_load(const struct anim_track *, const struct anim_segment *, struct anim_cubic_keys *);

/* A cubic of one component in float32 or in double. */
double anim_blend_cubic_component(const struct anim_cubic_keys *, const struct anim_segment *, unsigned component,
				  bool single);

/* CubicTime and CubicUniform of quaternions. */
void anim_blend_cubic_quat(const struct anim_cubic_keys *, const struct anim_segment *, bool in_time,
			   double out[ANIM_COMPONENTS_MAX]);

/* LinearAngle and CubicAngle of one component, in float32, wrapped to one turn. */
double anim_blend_angle(const struct anim_track *, const struct anim_segment *, bool cubic);

/* A segment of a Bezier2D track of one component as Godot solves it. */
void anim_bezier_points(const struct anim_track *, const struct anim_segment *, struct anim_bezier_point points[4]);

/* A quaternion to length 1; one of length 0, or of no finite length, stays. */
void anim_normalize(double q[4]);

#endif
