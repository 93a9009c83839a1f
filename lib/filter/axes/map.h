/* map.h: what becomes of the lanes of a value between two sets of axes; private to anim-axes. */
#ifndef ANIM_FILTER_AXES_MAP_H
#define ANIM_FILTER_AXES_MAP_H

#include <stdbool.h>

#include "base/buffer.h"
#include "clip/track.h"

#define AXES_LANES 16

/*
 * Lane i of the result is lane from[i] of the source * factor[i] / divisor[i] + offset[i]. Slopes and offsets of handles
 * go without the offset.
 */
struct axes_map {
	unsigned lanes; /* of the result */
	uint8_t from[AXES_LANES];
	double factor[AXES_LANES], divisor[AXES_LANES], offset[AXES_LANES];
};

void axes_map_init(struct axes_map *, unsigned lanes); /* each lane as it is */

/* Makes it the map of the lane *component alone, which comes to stand in the lane *component. False: it is left out. */
bool axes_map_pick(struct axes_map *, uint8_t *component);

/* True where values of so many lanes stay as they are. */
bool axes_map_is_identity(const struct axes_map *, unsigned lanes);

/* The lanes of one value; `from` and `to` may be one. False where a number is beyond a float. */
bool axes_map_floats(const struct axes_map *, const float *from, float *to);

/* What axes_map_track keeps the columns in. */
enum { AXES_VALUE, AXES_LEFT, AXES_RIGHT, AXES_LEFT_X, AXES_RIGHT_X, AXES_COLUMNS };

/*
 * The columns of `track` (of a type of floats or doubles, of as many lanes as the map takes from) through the map into
 * the buffers; they become those of *out, a copy of *track, whose type is `type` from then on. 0 or -1.
 */
int axes_map_track(const struct axes_map *, const struct anim_track *track, enum anim_type type,
		   struct anim_buffer columns[AXES_COLUMNS], struct anim_track *out, struct anim_error *);

#endif
