/* cubic.h: one component of a track between two keys as a cubic polynomial. */
#ifndef ANIM_CLIP_CUBIC_H
#define ANIM_CLIP_CUBIC_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/track.h"

/* Control values, and their positions in the segment from 0 to 1. */
struct anim_cubic {
	double x[4], y[4];
	bool cubic; /* its mode is cubic */
	bool steps; /* an infinite slope makes it hold */
	bool whole; /* a segment from key to key; set by the caller */
};

/* Make a segment that stays at the value, with handles of a third of the segment. */
void anim_cubic_hold(struct anim_cubic *, double value);

/* Read the segment from key k to key k + 1 of a sorted track. Returns false if it is not a cubic polynomial. */
bool anim_cubic_read(const struct anim_track *, size_t k, unsigned component, struct anim_cubic *);

/* Return true if both handles are a third of the segment, up to the rounding of a float. */
bool anim_cubic_is_even(const struct anim_cubic *);

/* Cut it to the part from `from` to `to`, which are in 0..1. x is then 0..1 within the part. */
void anim_cubic_cut(struct anim_cubic *, double from, double to);

#endif
