/* cutter.h: the part of a track for a range of its clip, as a track that shows the same there. */
#ifndef ANIM_FILTER_RETIME_CUTTER_H
#define ANIM_FILTER_RETIME_CUTTER_H

#include <stdbool.h>

#include "clip/span.h"

/* What one track after another is cut with. */
struct anim_cutter;

struct anim_cutter *anim_cutter_new(struct anim_error *); /* NULL out of memory */
void anim_cutter_free(struct anim_cutter *);              /* takes NULL */

struct anim_cut_range {
	const struct anim_clip *clip; /* as it came */
	struct anim_range range;      /* on the clip's axis */
	double tol;                   /* in the value's unit; rotations a hundred times as many degrees */
	bool unroll;                  /* what repeats becomes keys even where all of the clip is in the range */
};

/*
 * `out` is the part of a Curve or Discrete track (keys in order, no events): the keys inside, and keys with the values and
 * tangents of that place where the range cuts a segment. Borrowed from the cutter and the track until the next call.
 * *worst is how far it is off where no mode can follow (degrees of rotations, else the value's unit), negative where it is
 * exact. 0 or -1.
 */
int anim_cutter_cut(struct anim_cutter *, const struct anim_cut_range *, const struct anim_track *,
		    struct anim_track *out, double *worst, struct anim_error *);

#endif
