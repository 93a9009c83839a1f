/* source.h: plays a track, or the tracks of its components, and converts the value to other units. */
#ifndef ANIM_CLIP_SOURCE_H
#define ANIM_CLIP_SOURCE_H

#include "base/buffer.h"
#include "clip/rest.h"
#include "clip/rules.h"
#include "clip/sample.h"
#include "math/quaternion.h"

/* The conversion of a value. */
enum anim_step {
	ANIM_STEP_KEEP,
	ANIM_STEP_EULER,         /* three radians -> quaternion */
	ANIM_STEP_ANGLE,         /* radians about z -> quaternion */
	ANIM_STEP_REST_POSITION, /* relative to the rest pose -> absolute */
	ANIM_STEP_REST_ROTATION,
	ANIM_STEP_REST_SCALE,
	ANIM_STEP_RELATIVE_POSITION, /* absolute -> relative to the rest pose */
	ANIM_STEP_RELATIVE_ROTATION,
	ANIM_STEP_RELATIVE_SCALE,
	ANIM_STEP_MATRIX_POSITION, /* from a matrix of 9 or 16 components */
	ANIM_STEP_MATRIX_ROTATION,
	ANIM_STEP_MATRIX_SCALE,
	/* Each component to another engine's meaning: */
	ANIM_STEP_TRUTH,         /* 1 for every number but 0, as Godot makes a bool of a number */
	ANIM_STEP_INVERSE,       /* 1 / x */
	ANIM_STEP_NOT,           /* 1 - x */
	ANIM_STEP_DECIBELS,      /* linear volume -> decibels */
	ANIM_STEP_LINEAR_VOLUME, /* decibels -> linear volume */
	ANIM_STEP_PAUSE_MODE,    /* Godot 3's pause_mode -> Godot 4's process_mode */
	ANIM_STEP_PROCESS_MODE   /* the other way */
};

/*
 * Return the step that makes a value of this property and number of components absolute. Returns ANIM_STEP_KEEP if
 * the rest pose has no such property.
 */
enum anim_step anim_step_from_rest(const char *property, unsigned components);

#define ANIM_COMPONENTS_JOINED 4 /* maximum number of component tracks of one value */
#define ANIM_SOURCE_SAMPLES 32   /* maximum number of times per call */

struct anim_source {
	const struct anim_clip *clip;
	/* one track of all components, or the component tracks; NULL: see `fixed` */
	const struct anim_track *tracks[ANIM_COMPONENTS_JOINED];
	unsigned count;                       /* of tracks; 1: a track of all components */
	bool joined;                          /* the tracks are components */
	double fixed[ANIM_COMPONENTS_JOINED]; /* values of components without a track */
	enum anim_step step;
	enum anim_euler_order order;
	struct anim_rest rest;  /* for ANIM_STEP_REST_*, ANIM_STEP_RELATIVE_* */
	bool radians, fraction; /* convert degrees, percent */
	bool bytes;             /* convert integers up to 255 to fractions */
	double factor;          /* multiply each number by this. 0: no change */
	bool unit_length;       /* a rotation of components, or of cubics that leave the unit sphere */
	uint8_t filler[ANIM_COMPONENTS_JOINED][ANIM_VALUE_MAX]; /* the value of a track when its player sets none */
	size_t absent;                                          /* number of samples that were filled */
	struct anim_sample_state states[ANIM_COMPONENTS_JOINED];
};

/*
 * Prepare the fillers (anim_rest_filler) from the rest pose of the node (NULL: none). The caller sets all other
 * members, starting from all-zero.
 */
void anim_source_open(struct anim_source *, const struct anim_rest *);
void anim_source_close(struct anim_source *);

/* Return one of the tracks that are present. */
const struct anim_track *anim_source_first(const struct anim_source *);

/* Convert a number of a track to the unit of the target. */
double anim_source_in_unit(const struct anim_source *, const struct anim_track *, double);

/* Get the values at `count` (at most ANIM_SOURCE_SAMPLES) times, after the step. Returns 0 or -1. */
int anim_source_sample(struct anim_source *, const double *t, size_t count, double (*out)[ANIM_COMPONENTS_MAX],
		       struct anim_error *);

/* Get value k of Raw or Discrete tracks that share their times, after the step. */
void anim_source_element(const struct anim_source *, size_t k, double out[ANIM_COMPONENTS_MAX]);

/*
 * Collect the times at which the source may bend, as increasing floats without duplicates: the keys inside the clip
 * (repeated if an end of the track repeats them) and the start and end of the clip. A clip without length ends at the
 * last key, except for Godot. Returns 0 or -1.
 */
int anim_source_breaks(const struct anim_source *, struct anim_buffer *out, struct anim_error *);

/*
 * Add the times of fast rotations to the breaks. Components that are blended separately and then normalised rotate
 * fast when they pass near 0, and jump from one sign of a rotation to the other. The times added are those at which
 * such a rotation has turned by a few degrees more, as far as float32 can distinguish them. Sources of other types
 * have none. Returns 1, 0 if none were added, or -1.
 */
int anim_source_add_swings(struct anim_source *, struct anim_buffer *breaks, struct anim_error *);

/* Return true if a key of a track is at t. */
bool anim_source_is_key(const struct anim_source *, float t);

/*
 * Return the distance from a key at t within which a player may treat a time as the time of the key. Nothing is
 * sampled nearer.
 */
double anim_rules_near(enum anim_rules, double t);

/*
 * The same for Godot's keys only, just outside of that distance, at a time from the start of the clip; 0 for other
 * players.
 */
double anim_rules_reach(enum anim_rules, double t);

/*
 * Get the values before and after break k (of anim_source_breaks) if the source jumps there, otherwise the same value
 * twice. Godot's player steps from the value beside any key to the value of the key. This counts as a jump only if
 * the key before holds, or two keys are within that distance. Returns 0 or -1.
 */
int anim_source_jump(struct anim_source *, const struct anim_buffer *breaks, size_t k, double v[2][ANIM_COMPONENTS_MAX],
		     struct anim_error *);

/*
 * Return whether the player still shows the previous value at the exact time of a key, so that the new value is found
 * just after that time.
 */
bool anim_source_is_late(const struct anim_source *);
double anim_time_just_after(double t);

/* Return true if there are only straight lines and steps. */
bool anim_source_blends_linearly(const struct anim_source *);

#endif
