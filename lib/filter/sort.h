/* sort.h: keys out of order, brought into it. */
#ifndef ANIM_FILTER_SORT_H
#define ANIM_FILTER_SORT_H

#include "base/arena.h"
#include "clip/losses.h"
#include "clip/track.h"

/*
 * A Curve or Discrete track with its keys by time (stable), columns in the arena; a warning says that it was sorted. 0, or
 * -1 also where a time is not finite.
 */
int anim_track_sort(const struct anim_track *, struct anim_track *out, struct anim_arena *, struct anim_losses *,
		    struct anim_error *);

#endif
