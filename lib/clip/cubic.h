/* cubic.h: one component of a track between two keys as a polynomial of third degree. */
#ifndef ANIM_CLIP_CUBIC_H
#define ANIM_CLIP_CUBIC_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/track.h"

/* Control values, and their places in the segment from 0 to 1. */
struct anim_cubic {
	double x[4], y[4];
	bool cubic; /* by its mode */
	bool steps; /* an infinite slope holds it */
	bool whole; /* a segment from key to key; for the caller */
};

/* Stays at the value, its handles a third of the segment. */
void anim_cubic_hold(struct anim_cubic *, double value);

/* The segment from key k to key k + 1 of a sorted track; false where it is no polynomial of third degree. */
bool anim_cubic_read(const struct anim_track *, size_t k, unsigned component, struct anim_cubic *);

/* True where both handles take a third of the segment up to the rounding of a float. */
bool anim_cubic_is_even(const struct anim_cubic *);

/* Makes it its part from `from` to `to`, which are 0..1 in it; x is 0..1 in the part then. */
void anim_cubic_cut(struct anim_cubic *, double from, double to);

#endif
