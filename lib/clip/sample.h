/* sample.h: the value of a track at a time, as the player of its rules would show it. */
#ifndef ANIM_CLIP_SAMPLE_H
#define ANIM_CLIP_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "clip/track.h"

/* What is kept between calls on one track. All-zero before the first call on a track. */
struct anim_sample_state {
	const struct anim_track *track; /* the track that the rest belongs to */
	size_t cursor;
	bool refused;            /* Godot plays some of the track's rotations as none */
	struct anim_arena arena; /* of blended strings; reset at each call */
};

void anim_sample_state_clear(struct anim_sample_state *);

/* One sampled string; borrowed from the track or from the state until its next call. */
struct anim_text {
	const char *bytes;
	uint32_t length; /* ANIM_NULL_STRING: null */
};

/*
 * Samples the track at the `count` times t (seconds on the clip's axis, not wrapped: what lies outside the clip
 * is for the track's own ends). out: count values of the track's type in their stream layout (strings: struct anim_text).
 * present: count bytes, 1 where there is a value; else out is zero there. Rising times are fastest, any order is right.
 * Rules are those of track->rules; clip gives length and loop mode. -1: Raw of unknown interval (the message names
 * anim-retime --rate), a mode that the rules do not play, no memory.
 */
int anim_sample(const struct anim_clip *, const struct anim_track *, const double *t, size_t count, void *out,
		uint8_t *present, struct anim_sample_state *, struct anim_error *);

/* All components of what a track of numbers shows at a time, as the type has them. 1; 0: nothing; -1. */
int anim_sample_one(const struct anim_clip *, const struct anim_track *, double t, double *out, struct anim_error *);

/*
 * Brings times to those that the track's player can be asked for: Unity and Resonite take float32, as their keys and
 * those of tracks of no engine are, so that a grid meets the keys that lie on it; Godot takes doubles (3 rounds them
 * itself) and has a tolerance. Samples lie where they lie. For sampling on a grid; anim_sample itself takes any time, as
 * curves are measured between two floats too.
 */
void anim_sample_times(const struct anim_track *, double *t, size_t count);

#endif
