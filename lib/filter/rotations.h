/* rotations.h: Euler angles as rotations, for filters that work on rotations. */
#ifndef ANIM_FILTER_ROTATIONS_H
#define ANIM_FILTER_ROTATIONS_H

#include <stdbool.h>

#include "clip/diagnostics.h"
#include "clip/rest.h"
#include "clip/sink.h"
#include "clip/track.h"

struct anim_rotations_options {
	bool keep;    /* do nothing: Euler angles stay */
	bool hermite; /* rotations may have slopes; else they are arcs between keys */
	/*
	 * Returns 1 for a track that the sink behind (`next`) can work on as it is, 0 for one that it cannot, -1 on failure.
	 * NULL: it can work on none.
	 */
	int (*fits)(struct anim_sink *next, const struct anim_track *, struct anim_error *);
	double tol;                           /* degrees that curves may be off; 0: a hundred times ANIM_TOLERANCE */
	struct anim_rests *rests;             /* of nodes that the stream's trees do not have; NULL: none; borrowed */
	struct anim_diagnostics *diagnostics; /* must be there; borrowed */
};

/*
 * Return a filter in front of `next` (owned, freed on failure too), or NULL on failure. Tracks of Euler angles, and of single
 * components of them, become rotations as anim_convert_new makes them: samples stay samples, and curves are off by at most `tol`,
 * or as little more as float32 allows, which a warning says. Components are joined behind the other tracks of their clip.
 * All other tracks pass untouched. NULL for `next` is passed on, so that the caller checks once.
 */
struct anim_sink *anim_rotations_new(const struct anim_rotations_options *, struct anim_sink *next,
				     struct anim_error *);

/* Return true for a track that the filter makes a rotation of. */
bool anim_rotations_concern(const struct anim_track *);

#endif
