/* sample.h: the value of a track at a time, as its player would show it. */
#ifndef ANIM_CLIP_SAMPLE_H
#define ANIM_CLIP_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "clip/track.h"

/* State between calls for one track. All-zero before the first call for a track. */
struct anim_sample_state {
	const struct anim_track *track; /* the track of this state */
	size_t cursor;
	bool refused;            /* Godot plays no rotation for some keys of the track */
	struct anim_arena arena; /* for blended strings; reset at each call */
};

void anim_sample_state_clear(struct anim_sample_state *);

/* One sampled string, borrowed from the track or from the state until its next call. */
struct anim_text {
	const char *bytes;
	uint32_t length; /* ANIM_NULL_STRING: null */
};

/*
 * Sample the track at the `count` times t. They are seconds on the time axis of the clip and are not wrapped: outside
 * the clip, the ends of the track apply. out: count values of the track's type in the layout of the stream (strings:
 * struct anim_text). present: count bytes, 1 if there is a value; otherwise out is zero there. Increasing times are
 * fastest, but any order is allowed. The rules are track->rules; clip gives the length and the loop mode. Returns 0,
 * or -1: Raw of unknown interval (the message names anim-retime --rate), a mode that the rules do not play, out of
 * memory.
 */
int anim_sample(const struct anim_clip *, const struct anim_track *, const double *t, size_t count, void *out,
		uint8_t *present, struct anim_sample_state *, struct anim_error *);

/* Get all components of a track of numbers at one time, in its type. Returns 1, 0 if there is no value, or -1. */
int anim_sample_one(const struct anim_clip *, const struct anim_track *, double t, double *out, struct anim_error *);

/*
 * Round times to those that the track's player can use, for sampling on a grid. Unity and Resonite use float32, as
 * for their keys and the keys of tracks without an engine, so that a grid meets the keys on it. Godot uses doubles (3
 * rounds them itself) and has a tolerance. Raw samples keep their times. anim_sample itself accepts any time, because
 * curves are also measured between two floats.
 */
void anim_sample_times(const struct anim_track *, double *t, size_t count);

#endif
