/* components.h: join tracks of single components to vectors when their clip ends. Internal to the filters. */
#ifndef ANIM_FILTER_COMMON_COMPONENTS_H
#define ANIM_FILTER_COMMON_COMPONENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/rest.h"
#include "clip/source.h"
#include "stream/store.h"

/*
 * Append a component track to the clip's store, which is created for the first track (before that, NULL). Returns 0 or
 * -1.
 */
int anim_components_keep(struct anim_store **, const struct anim_clip *, const struct anim_track *,
			 struct anim_error *);

/* The components of one property. All-zero is empty. */
struct anim_component_group {
	struct anim_track
	    tracks[ANIM_COMPONENTS_JOINED]; /* columns, names and attributes are in the arena of the gathering */
	bool there[ANIM_COMPONENTS_JOINED], started;
};

/*
 * Called for a track of the property that cannot be part of the group: a duplicate, a text, or too high a component.
 * Returns 0 or -1.
 */
typedef int anim_components_stray(void *context, const struct anim_track *, struct anim_error *);

/*
 * Gather all tracks with the node and property of the store's track `from` that belong to one object. (In Unity, two
 * components of an object may have properties with the same name.) Gathered tracks are marked in `done`, which has one
 * byte per track of the store. Returns 0 or -1.
 */
int anim_components_gather(struct anim_store *, size_t from, uint8_t *done, struct anim_component_group *,
			   struct anim_arena *, anim_components_stray *, void *context, struct anim_error *);

/*
 * Call `join` for each track of the store that is not yet marked. `join` marks the tracks that it uses. Returns 0 or
 * -1.
 */
int anim_components_join(struct anim_store *,
			 int (*join)(void *context, size_t from, uint8_t *done, struct anim_error *), void *context,
			 struct anim_error *);

/* Return the highest component + 1, and the first component that exists. The group must not be empty. */
unsigned anim_components_there(const struct anim_component_group *);
const struct anim_track *anim_components_first(const struct anim_component_group *);

/*
 * Fill a source with `components` components from the group's tracks (borrowed). Euler angles are in radians, with
 * their order. The caller sets `fixed` for the other components, the step, the rest and other units.
 */
void anim_components_source(struct anim_source *, const struct anim_clip *, const struct anim_component_group *,
			    unsigned components);

/* Return the default value of a component without any information. */
double anim_components_neutral(const char *property, unsigned component);

/*
 * Return the number of components that the property's name implies, on a node with this rest (NULL: unknown), or 0 if
 * unknown.
 */
unsigned anim_components_by_name(const struct anim_rest *, const char *property);

/*
 * Return the type with `components` components of a component's type: a rotation, a colour or a vector of 2 to 4.
 * Returns -1 if it does not exist.
 */
int anim_components_type(enum anim_type component, const char *property, unsigned components);

/*
 * Get the rest value of the track's property (position, rotation, scale; euler in radians and the track's order).
 * Returns its number of components, or 0 if the rest (NULL: none) does not have it.
 */
unsigned anim_components_of_rest(const struct anim_rest *, const struct anim_track *,
				 double out[ANIM_COMPONENTS_JOINED]);

/* Return the distance of two numeric values: degrees for rotations, otherwise the largest difference of a component. */
double anim_values_apart(enum anim_type, const double a[ANIM_COMPONENTS_MAX], const double b[ANIM_COMPONENTS_MAX]);

/* Return the rotation order of Euler angles (enum anim_euler_order): attribute `order`, by default YXZ. */
int anim_track_order(const struct anim_track *);

#endif
