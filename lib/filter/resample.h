/* resample.h: curves -> Raw tracks on one grid. */
#ifndef ANIM_FILTER_RESAMPLE_H
#define ANIM_FILTER_RESAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "clip/losses.h"
#include "clip/sink.h"
#include "filter/grid.h"

struct anim_resample_options {
	uint32_t rate_num, rate_den; /* samples a second; 0, 0: the clip's own rate hint (an error where it has none) */
	enum anim_grid_end end;
	bool all;       /* what only steps becomes Raw too, instead of Discrete */
	unsigned loops; /* runs of clips that loop, which do not loop afterwards; 0: one, and they still do */
	struct anim_losses *losses; /* must be there */
};

/*
 * A filter in front of `next` (owned by it from then on, freed on failure too). NULL on failure.
 * Every clip starts at 0 afterwards and keeps its length; its tracks become Raw with one sample per point of the grid,
 * under the rules `plain`. What only steps stays what it is: Discrete tracks and curves that hold at every key keep their keys
 * (cut to the clip); sampled strings and bools become Discrete with a key where the value changes.
 * Disabled tracks are left out with a warning.
 */
struct anim_sink *anim_resample_new(const struct anim_resample_options *, struct anim_sink *next, struct anim_error *);

/* The grid of the last clip that came; borrowed. For a filter in front that takes samples of its own. */
const struct anim_grid *anim_resample_grid(const struct anim_sink *);

#endif
