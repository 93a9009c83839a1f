/* lanes.h: tracks of single lanes, kept until their clip ends and gathered to whole values. Internal to the filters. */
#ifndef ANIM_FILTER_LANES_H
#define ANIM_FILTER_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/rest.h"
#include "stream/store.h"

#define ANIM_LANES_JOINED 4 /* lane tracks that make one value */

/* Appends a lane track to the store of its clip, which is made at the first (NULL before). 0 or -1. */
int anim_lanes_keep(struct anim_store **, const struct anim_clip *, const struct anim_track *, struct anim_error *);

/* The lanes of one property. All-zero is empty. */
struct anim_lane_group {
	struct anim_track tracks[ANIM_LANES_JOINED]; /* columns, names and attributes in the arena of the gathering */
	bool there[ANIM_LANES_JOINED], started;
};

/* Told of a track of the property that is no lane of the group: one twice, text, too high a number. 0 or -1. */
typedef int anim_lanes_stray(void *context, const struct anim_track *, struct anim_error *);

/*
 * All tracks with the node and property of the store's track `from` that are of one object (in Unity two components may
 * have properties of one name); those taken are marked in `done`, one byte a track of the store. 0 or -1.
 */
int anim_lanes_gather(struct anim_store *, size_t from, uint8_t *done, struct anim_lane_group *, struct anim_arena *,
		      anim_lanes_stray *, void *context, struct anim_error *);

/* How many lanes there are, up to the highest; the first that is there (the group must not be empty). */
unsigned anim_lanes_there(const struct anim_lane_group *);
const struct anim_track *anim_lanes_first(const struct anim_lane_group *);

/* How many lanes the whole value has by its name, on a node with this rest (NULL: unknown); 0 where that does not tell. */
unsigned anim_lanes_by_name(const struct anim_rest *, const char *property);

/* The type of so many lanes of a lane's type: rotations, colours, vectors of 2 to 4; -1 where there is none. */
int anim_lanes_type(enum anim_type lane, const char *property, unsigned lanes);

/*
 * The rest's lanes of the track's property (position, rotation, scale; euler in radians and the track's order): how many,
 * 0 where the rest (NULL: none) does not tell.
 */
unsigned anim_lanes_of_rest(const struct anim_rest *, const struct anim_track *, double out[ANIM_LANES_JOINED]);

/* The order of turning of Euler angles: attribute `order`, else YXZ; an enum anim_euler_order. */
int anim_track_order(const struct anim_track *);

#endif
