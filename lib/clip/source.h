/* source.h: what a value is made from: a track or its components, played and brought into other units. */
#ifndef ANIM_CLIP_SOURCE_H
#define ANIM_CLIP_SOURCE_H

#include "base/buffer.h"
#include "clip/rest.h"
#include "clip/rules.h"
#include "clip/sample.h"
#include "math/quaternion.h"

/* What a value becomes on its way. */
enum anim_step {
	ANIM_STEP_KEEP,
	ANIM_STEP_EULER,         /* three radians -> quaternion */
	ANIM_STEP_ANGLE,         /* radians about z -> quaternion */
	ANIM_STEP_REST_POSITION, /* relative to the rest -> absolute */
	ANIM_STEP_REST_ROTATION,
	ANIM_STEP_REST_SCALE,
	ANIM_STEP_RELATIVE_POSITION, /* absolute -> relative to the rest */
	ANIM_STEP_RELATIVE_ROTATION,
	ANIM_STEP_RELATIVE_SCALE,
	ANIM_STEP_MATRIX_POSITION, /* of a matrix of 9 or 16 components */
	ANIM_STEP_MATRIX_ROTATION,
	ANIM_STEP_MATRIX_SCALE
};

/* What makes a value of this property and so many components absolute; ANIM_STEP_KEEP where no rest tells of such. */
enum anim_step anim_step_from_rest(const char *property, unsigned components);

#define ANIM_COMPONENTS_JOINED 4 /* component tracks that make one value */
#define ANIM_SOURCE_SAMPLES 32   /* times of one call at most */

struct anim_source {
	const struct anim_clip *clip;
	const struct anim_track
	    *tracks[ANIM_COMPONENTS_JOINED];  /* one whole track, or the components' tracks, NULL: `fixed` */
	unsigned count;                       /* of tracks; 1: a whole one */
	bool joined;                          /* tracks are components */
	double fixed[ANIM_COMPONENTS_JOINED]; /* what components without track hold */
	enum anim_step step;
	enum anim_euler_order order;
	struct anim_rest rest;  /* for ANIM_STEP_REST_*, ANIM_STEP_RELATIVE_* */
	bool radians, fraction; /* degrees, percent are converted */
	bool bytes;             /* whole numbers up to 255 become fractions */
	bool unit_length;       /* a rotation of components, or of cubics that leave the sphere */
	uint8_t filler[ANIM_COMPONENTS_JOINED][ANIM_VALUE_MAX]; /* a track's value where its player sets none */
	size_t absent;                                          /* how many samples were filled */
	struct anim_sample_state states[ANIM_COMPONENTS_JOINED];
};

/* Prepares the fillers (anim_rest_filler), from the node's rest (NULL: none). All else is set by the caller, from all-zero. */
void anim_source_open(struct anim_source *, const struct anim_rest *);
void anim_source_close(struct anim_source *);

/* A track that is there. */
const struct anim_track *anim_source_first(const struct anim_source *);

/* A number of a track in the target's unit. */
double anim_source_in_unit(const struct anim_source *, const struct anim_track *, double);

/* The values at `count` (at most ANIM_SOURCE_SAMPLES) times, after the step. 0 or -1. */
int anim_source_sample(struct anim_source *, const double *t, size_t count, double (*out)[ANIM_COMPONENTS_MAX],
		       struct anim_error *);

/* Value k of Raw or Discrete tracks that share their times, after the step. */
void anim_source_element(const struct anim_source *, size_t k, double out[ANIM_COMPONENTS_MAX]);

/*
 * The times at which the source may bend, as floats, rising, none twice: the keys inside the clip (again where an end
 * repeats them) and the clip's start and end. A clip without length ends at the last key, but for Godot's. 0 or -1.
 */
int anim_source_breaks(const struct anim_source *, struct anim_buffer *out, struct anim_error *);

/*
 * Lanes that are blended one by one, then normalised, turn fast where they pass by 0: from one sign of a rotation to the other in
 * no time at all. Adds to the breaks of a source the times at which it has turned by a few degrees more on such a way, as far as
 * float32 tells them apart; a source of other kinds has none. 1, 0 where none came, -1.
 */
int anim_source_add_swings(struct anim_source *, struct anim_buffer *breaks, struct anim_error *);

/* True where a key of a track lies at t. */
bool anim_source_is_key(const struct anim_source *, float t);

/* How near to a key at t a player may take a time for the key's own: nothing is sampled nearer. */
double anim_rules_near(enum anim_rules, double t);

/* The same for Godot's keys alone, just outside, at a time from the clip's start; 0 of other players. */
double anim_rules_reach(enum anim_rules, double t);

/*
 * Set the values before and after break k (of anim_source_breaks) where the source jumps there, else the same twice. Godot's player
 * steps from what it shows beside a key to the key, wherever keys are: that is a jump only if the key before holds, or two keys are
 * that near. 0 or -1.
 */
int anim_source_jump(struct anim_source *, const struct anim_buffer *breaks, size_t k, double v[2][ANIM_COMPONENTS_MAX],
		     struct anim_error *);

/* At a key's very time the player still shows what was before it: what it comes to is seen just behind that time. */
bool anim_source_is_late(const struct anim_source *);
double anim_time_just_behind(double t);

/* Nothing but straight lines and steps. */
bool anim_source_blends_linearly(const struct anim_source *);

#endif
