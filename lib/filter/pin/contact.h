/* contact.h: when a foot touches the ground, and the places that it keeps meanwhile. Internal. */
#ifndef ANIM_FILTER_PIN_CONTACT_H
#define ANIM_FILTER_PIN_CONTACT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/* The two points of a limb that can touch: the ankle or wrist, and the toes. */
enum pin_point { PIN_END, PIN_TIP, PIN_POINTS };

/* A limb at one sample, in the tree's space. */
struct pin_sample {
	double root[3], middle[3];
	double turn[4];           /* rotation of the upper bone */
	double at[PIN_POINTS][3]; /* positions in the clip */
	double to[PIN_POINTS][3]; /* new positions */
	bool moves;               /* the two differ */
	double side[2]; /* complex: the side to which the limb bends, seen along it. 1 is the side of its hinge. */
};

/* A contact, from one sample to another. */
struct pin_contact {
	size_t first, last;
	double place[3];
};

/* One limb over a clip. */
struct pin_motion {
	const double *times;
	struct pin_sample *samples;
	size_t count;
	bool has_tip;
	bool found;                              /* its contacts were found, not given */
	double length;                           /* of the limb: the largest distance of its end from its root */
	double low[PIN_POINTS];                  /* the smallest height of each point */
	struct anim_buffer contacts[PIN_POINTS]; /* struct pin_contact, in order, apart by a sample at least */
};

/* Measure `length` and `low`. */
void pin_measure(struct pin_motion *);

/*
 * Find the contacts of a point. It touches the ground while it is at most `height` above its lowest position and moves at
 * most at `speed` per second, both as shares of the limb's length. Short interruptions and short contacts are ignored.
 * Returns 0 or -1.
 */
int pin_find_contacts(struct pin_motion *, enum pin_point, double height, double speed, struct anim_error *);

/*
 * Add a contact from one time to another, if samples are in it. It must not begin before another contact of the point.
 * Returns 0 or -1.
 */
int pin_add_contact(struct pin_motion *, enum pin_point, double from_s, double to_s, struct anim_error *);

/*
 * Choose the place of each contact: the mean position. Ankle and toes that touch together keep their distance. Contacts that
 * were found, not given, are shortened first: a foot that still moves when a contact begins has not landed, and from one
 * place to the next it needs as much time as it would take in the clip.
 */
void pin_choose_places(struct pin_motion *, double ease_s);

/*
 * Fill `to` and `moves` of all samples. A point is at its place during a contact. It leaves its own path and returns to it
 * within `ease_s` before and after. If contacts that were found are nearer to each other, it moves directly from one to the
 * other. The other point of the foot moves with it. No point gets lower than its `low`.
 */
void pin_place_points(struct pin_motion *, double ease_s);

/*
 * Compute how far the body must be lowered at each sample so that its legs reach their places, at most by `most`. The
 * lowering begins `ease_s` before it is needed and ends as much later. `lower` has room for the samples of the legs, which
 * all have the same. Legs keep their feet meanwhile. Returns 0 or -1.
 */
int pin_lower_body(struct pin_motion *const legs[], size_t leg_count, double ease_s, double most, double *lower,
		   struct anim_error *);

#endif
