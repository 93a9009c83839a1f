/* components.h: tracks of single components, kept until their clip ends and gathered to whole values. Internal to the filters. */
#ifndef ANIM_FILTER_COMPONENTS_H
#define ANIM_FILTER_COMPONENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/rest.h"
#include "clip/source.h"
#include "stream/store.h"

/* Appends a component track to the store of its clip, which is made at the first (NULL before). 0 or -1. */
int anim_components_keep(struct anim_store **, const struct anim_clip *, const struct anim_track *,
			 struct anim_error *);

/* The components of one property. All-zero is empty. */
struct anim_component_group {
	struct anim_track
	    tracks[ANIM_COMPONENTS_JOINED]; /* columns, names and attributes in the arena of the gathering */
	bool there[ANIM_COMPONENTS_JOINED], started;
};

/* Told of a track of the property that is no component of the group: one twice, text, too high a number. 0 or -1. */
typedef int anim_components_stray(void *context, const struct anim_track *, struct anim_error *);

/*
 * All tracks with the node and property of the store's track `from` that are of one object (in Unity two components may
 * have properties of one name); those taken are marked in `done`, one byte a track of the store. 0 or -1.
 */
int anim_components_gather(struct anim_store *, size_t from, uint8_t *done, struct anim_component_group *,
			   struct anim_arena *, anim_components_stray *, void *context, struct anim_error *);

/* Has `join` (which marks what it takes) begin a value with each track of the store that none has taken yet. 0 or -1. */
int anim_components_join(struct anim_store *,
			 int (*join)(void *context, size_t from, uint8_t *done, struct anim_error *), void *context,
			 struct anim_error *);

/* How many components there are, up to the highest; the first that is there (the group must not be empty). */
unsigned anim_components_there(const struct anim_component_group *);
const struct anim_track *anim_components_first(const struct anim_component_group *);

/*
 * A source of so many components from the group's tracks (which it borrows), Euler angles in radians and their order; what the
 * others hold (`fixed`), step, rest and other units are the caller's to set.
 */
void anim_components_source(struct anim_source *, const struct anim_clip *, const struct anim_component_group *,
			    unsigned components);

/* What a component shows that nothing tells of. */
double anim_components_neutral(const char *property, unsigned component);

/* How many components the whole value has by its name, on a node with this rest (NULL: unknown); 0 where that does not tell. */
unsigned anim_components_by_name(const struct anim_rest *, const char *property);

/* The type of so many components of a component's type: rotations, colours, vectors of 2 to 4; -1 where there is none. */
int anim_components_type(enum anim_type component, const char *property, unsigned components);

/*
 * The rest's components of the track's property (position, rotation, scale; euler in radians and the track's order): how many,
 * 0 where the rest (NULL: none) does not tell.
 */
unsigned anim_components_of_rest(const struct anim_rest *, const struct anim_track *,
				 double out[ANIM_COMPONENTS_JOINED]);

/* How far two values of a type of numbers are apart: degrees of rotations, else the largest difference of a component. */
double anim_values_apart(enum anim_type, const double a[ANIM_COMPONENTS_MAX], const double b[ANIM_COMPONENTS_MAX]);

/* The order of turning of Euler angles: attribute `order`, else YXZ; an enum anim_euler_order. */
int anim_track_order(const struct anim_track *);

#endif
