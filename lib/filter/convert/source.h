/* source.h: what a target track is made from: a track or its components, in the target's units. Internal to convert. */
#ifndef ANIM_FILTER_CONVERT_SOURCE_H
#define ANIM_FILTER_CONVERT_SOURCE_H

#include "base/buffer.h"
#include "clip/rules.h"
#include "clip/sample.h"
#include "filter/rest.h"
#include "math/quaternion.h"

/* What a value becomes on its way. */
enum convert_step {
	CONVERT_KEEP,
	CONVERT_EULER,         /* three radians -> quaternion */
	CONVERT_ANGLE,         /* radians about z -> quaternion */
	CONVERT_REST_POSITION, /* relative to the rest -> absolute */
	CONVERT_REST_ROTATION,
	CONVERT_REST_SCALE,
	CONVERT_RELATIVE_POSITION, /* absolute -> relative to the rest */
	CONVERT_RELATIVE_ROTATION,
	CONVERT_RELATIVE_SCALE,
	CONVERT_MATRIX_POSITION, /* of a matrix of 9 or 16 components */
	CONVERT_MATRIX_ROTATION,
	CONVERT_MATRIX_SCALE
};

#define CONVERT_COMPONENTS 4 /* component tracks that make one value */
#define CONVERT_SAMPLES 32   /* times of one call at most */

struct convert_source {
	const struct anim_clip *clip;
	const struct anim_track
	    *tracks[CONVERT_COMPONENTS];  /* one whole track, or the components' tracks, NULL: `fixed` */
	unsigned count;                   /* of tracks; 1: a whole one */
	bool joined;                      /* tracks are components */
	double fixed[CONVERT_COMPONENTS]; /* what components without track hold */
	enum convert_step step;
	enum anim_euler_order order;
	struct anim_rest rest;                   /* for CONVERT_REST_*, CONVERT_RELATIVE_* */
	bool radians, fraction;                  /* degrees, percent are converted */
	bool bytes;                              /* whole numbers up to 255 become fractions */
	bool unit_length;                        /* a rotation of components, or of cubics that leave the sphere */
	uint8_t filler[CONVERT_COMPONENTS][128]; /* a track's value where its player sets none */
	size_t absent;                           /* how many samples were filled */
	struct anim_sample_state states[CONVERT_COMPONENTS];
};

/* Prepares the fillers (anim_rest_filler), from the node's rest (NULL: none). All else is set by the caller, from all-zero. */
void convert_source_open(struct convert_source *, const struct anim_rest *);
void convert_source_close(struct convert_source *);

/* A track that is there. */
const struct anim_track *convert_source_first(const struct convert_source *);

/* A number of a track in the target's unit. */
double convert_in_unit(const struct convert_source *, const struct anim_track *, double);

/* The values at `count` (at most CONVERT_SAMPLES) times, after the step. 0 or -1. */
int convert_sample(struct convert_source *, const double *t, size_t count, double (*out)[ANIM_COMPONENTS_MAX],
		   struct anim_error *);

/* Value k of Raw or Discrete tracks that share their times, after the step. */
void convert_element(const struct convert_source *, size_t k, double out[ANIM_COMPONENTS_MAX]);

/*
 * The times at which the source may bend, as floats, rising, none twice: the keys inside the clip (again where an end
 * repeats them) and the clip's start and end. A clip without length ends at the last key, but for Godot's. 0 or -1.
 */
int convert_breaks(const struct convert_source *, struct anim_buffer *out, struct anim_error *);

/* True where a key of a track lies at t. */
bool convert_is_key(const struct convert_source *, float t);

/* How near to a key at t a player may take a time for the key's own: nothing is sampled nearer. */
double convert_near(enum anim_rules, double t);

/* At a key's very time the player still shows what was before it: what it comes to is seen just behind that time. */
bool convert_is_late(const struct convert_source *);
double convert_just_behind(double t);

/* Nothing but straight lines and steps. */
bool convert_blends_linearly(const struct convert_source *);

/*
 * Angles that the source's player wraps to one turn are one however many turns they hold: the turn. 0 where none are, and of
 * other numbers that it wraps, such as degrees, which it wraps at 6.28 like radians: there the wrapped one is meant.
 */
double convert_turn(const struct convert_source *);

#endif
