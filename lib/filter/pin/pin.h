/* pin.h: keep feet and hands in place while they touch something. */
#ifndef ANIM_FILTER_PIN_PIN_H
#define ANIM_FILTER_PIN_PIN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/input.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

/* A contact that the user gives. */
struct anim_pin_contact {
	const char *bone;        /* path or name of a foot, toes or a hand */
	double from_s, to_s;     /* from the clip's start */
	struct anim_place place; /* of its line */
	bool used;
};

/* All-zero is empty. */
struct anim_pin_contacts {
	struct anim_buffer items; /* struct anim_pin_contact */
	struct anim_arena arena;
};

/*
 * Read lines "bone,from,to" with times in seconds. A first line with these words is a heading. Returns 0, or -1 with the
 * place.
 */
int anim_pin_contacts_read(struct anim_pin_contacts *, struct anim_input *, struct anim_error *);
void anim_pin_contacts_clear(struct anim_pin_contacts *);

struct anim_pin_options {
	struct anim_pin_contacts *contacts; /* NULL: find the contacts of feet */
	double height;                      /* of the leg: a foot at most this much above its lowest position ... */
	double speed;  /* ... touches the ground if it moves at most this many leg lengths per second */
	double ease_s; /* the time to leave the clip's path before a contact, and to return to it afterwards */
	double lower;  /* of the leg: how far the hips may be lowered so that legs reach the ground */
	struct anim_diagnostics *diagnostics; /* required */
};

/*
 * Return a filter that pins feet and hands and passes the result to `next` (owned, also freed on failure), or NULL on
 * failure. Limbs are found by the names of human bones, in a tree of the stream. During a contact, ankle or wrist and toes
 * keep their mean position. Two-bone inverse kinematics changes the rotations of the upper and lower bone. The hand keeps
 * its direction in space, and so does the foot unless its toes touch as well. Segments that do not change keep their
 * keys and modes. In others there is a key at each sample of the clip's rate, or of 60 per second, and the tracks are
 * linear. Sampled tracks stay sampled. A note reports how far feet slid before and after, and how far a joint moved.
 */
struct anim_sink *anim_pin_new(const struct anim_pin_options *, struct anim_sink *next, struct anim_error *);

#endif
