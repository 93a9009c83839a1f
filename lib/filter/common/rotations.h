/* rotations.h: convert Euler angles to rotations, and join components, for filters that need whole transforms. */
#ifndef ANIM_FILTER_COMMON_ROTATIONS_H
#define ANIM_FILTER_COMMON_ROTATIONS_H

#include <stdbool.h>

#include "clip/diagnostics.h"
#include "clip/rest.h"
#include "clip/sink.h"
#include "clip/track.h"

struct anim_rotations_options {
	bool keep;    /* do nothing: keep Euler angles */
	bool hermite; /* rotations may have slopes; otherwise they are arcs between keys */
	bool foreign; /* clips from Godot stay unchanged */
	/*
	 * Returns 1 if `next` supports the track unchanged, 0 if it does not, or -1 on failure. NULL: it supports none.
	 */
	int (*fits)(struct anim_sink *next, const struct anim_track *, struct anim_error *);
	double tol;               /* maximum error of curves in degrees; 0: 100 * ANIM_TOLERANCE */
	struct anim_rests *rests; /* rest poses of nodes outside of the stream's trees; NULL: none; borrowed */
	struct anim_diagnostics *diagnostics; /* required; borrowed */
};

/*
 * Return a filter in front of `next` (owned, also freed on failure), or NULL on failure. Tracks of Euler angles, and of
 * their single components, become rotations as in anim_convert_new, and components of other parts of 3-D transforms are
 * joined, except in clips from Godot: samples stay samples, and curves have an error of
 * at most `tol`. If float32 requires a larger error, a warning reports it. Joined components are written after the
 * clip's other tracks. All other tracks are unchanged. A NULL `next` gives NULL, so that the caller checks only once.
 */
struct anim_sink *anim_rotations_new(const struct anim_rotations_options *, struct anim_sink *next,
				     struct anim_error *);

/* Return whether the filter converts the track to a rotation. */
bool anim_rotations_concern(const struct anim_track *);

#endif
