/* rules.h: how players find the keys around a time and blend them; internal to sampling. */
#ifndef ANIM_CLIP_RULES_H
#define ANIM_CLIP_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "clip/sample.h"
#include "clip/track.h"

/* What a value is to its engine, where the type alone does not say. */
enum anim_shape {
	ANIM_SHAPE_LANES,  /* lane by lane; quaternions as such */
	ANIM_SHAPE_SINGLE, /* a Godot number kept in float32 (blend_shape tracks), not in double */
	ANIM_SHAPE_RECT,
	ANIM_SHAPE_PLANE,
	ANIM_SHAPE_TRANSFORM2D,
	ANIM_SHAPE_TRANSFORM3D,
	ANIM_SHAPE_PROJECTION,
	ANIM_SHAPE_NAME,   /* text of a StringName: &"..." */
	ANIM_SHAPE_LITERAL /* text that stands for a value that does not blend */
};

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
 * Makes the sampler ready for its rules' locate and blend: for what must know how a player sees a track, not only what it
 * shows. All is borrowed. 0, or -1 as anim_sample.
 */
int anim_sampler_open(struct anim_sampler *, const struct anim_clip *, const struct anim_track *,
		      struct anim_sample_state *, struct anim_error *);

/* The last of n keys at or before t, -1 where there is none; of unsorted ones what bisection finds. */
ptrdiff_t anim_find_key(const float *time, size_t n, double t);

/* The transition of key k bends the weight. */
double anim_segment_ease(const struct anim_track *, size_t key, double weight);

/* Godot's part that both versions share: rules_godot.c. */
void anim_godot_prepare(struct anim_sampler *);
ptrdiff_t anim_godot_find(const struct anim_sampler *, size_t n, double t); /* t from the clip's start */
double anim_godot_key(const struct anim_sampler *, size_t k);               /* so is the key's time */
bool anim_godot_ease(const struct anim_sampler *, struct anim_segment *);   /* false: the transition holds */
bool anim_godot_old_cubic(const struct anim_sampler *); /* 3.x and 4.0 to 4.2 have cubics of this type */
bool anim_godot_locate_bezier(struct anim_sampler *, double t, struct anim_segment *);
void anim_godot_blend_bezier(const struct anim_sampler *, const struct anim_segment *, void *out);

/* Blends of text, each into the state's arena: rules_godot_text.c. 0 or -1. */
int anim_godot4_blend_text(struct anim_sampler *, const struct anim_segment *, struct anim_text *, struct anim_error *);
int anim_godot3_blend_text(struct anim_sampler *, const struct anim_segment *, struct anim_text *, struct anim_error *);

/* sample_block.c: what is linear in a few floats. True where it plays this track. */
bool anim_sample_block_plays(const struct anim_sampler *);
void anim_sample_block(struct anim_sampler *, const double *t, size_t count, float *out, uint8_t *present);

/* sample_hermite.c: what is Hermite in a few floats; gives the bits that the rules' own blend gives. */
bool anim_sample_hermite_plays(const struct anim_sampler *);
void anim_sample_hermite(struct anim_sampler *, const double *t, size_t count, float *out, uint8_t *present);

#endif
