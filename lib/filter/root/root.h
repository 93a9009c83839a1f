/* root.h: what a body does as a whole, taken from its hips to a node above them, or back; behind anim-root. */
#ifndef ANIM_FILTER_ROOT_H
#define ANIM_FILTER_ROOT_H

#include <stdbool.h>

#include "clip/diagnostics.h"
#include "clip/sink.h"

struct anim_root_options {
	const char *hips;   /* the node, by its path in the tree or its own name; NULL: found by its name */
	const char *root;   /* a node above it, likewise; NULL: its parent */
	bool axes[3];       /* the hips' way along these is motion; x, y (up) and z of the tree */
	bool yaw;           /* and so is their turn about y: the twist */
	bool heading;       /* of it, ozz's reading: the Euler angle */
	bool in_place;      /* the motion goes nowhere */
	bool fold;          /* the other way: the root comes to rest, and the hips have what it did */
	bool loop;          /* the hips end as they began: what they are off is spread over the clip */
	double tolerance_m; /* between keys, where these alone say it not exactly */
	double tolerance_deg;
	struct anim_diagnostics *diagnostics; /* must be there */
};

/*
 * A filter in front of `next` (owned, freed on failure too). Root and hips together stand where they stood, but for what `loop`
 * and `in_place` take away. The hips' way alone is a matter of constants, so that keys stay keys, whatever their modes; a turn
 * is not: then both get straight lines through the keys of both, and more where what is between them would be farther off than
 * the tolerance; tracks on one grid of samples stay on it. A note tells of each clip how far the root goes and turns, and the
 * bound. The tracks of the two wait for the clip's end. NULL on failure.
 *
 * The yaw is the twist about y of the hips' turn from rest: 2 atan2(y, w) of that quaternion, unwrapped. With `heading` it is the
 * first of that turn's Euler angles about y, z and x, as ozz's MotionExtractor (0.16) takes it: the same while the hips lean
 * about x or z alone, and 2 atan(tan(a/2) tan(b/2)) from it where they lean by a and b about both. With yaw the root's way is
 * p - R h, for the hips' place p, its rest h and the yaw's turn R, so that hips that rest beside the y axis do not circle about it;
 * with `heading` p - h, as ozz has it.
 */
struct anim_sink *anim_root_new(const struct anim_root_options *, struct anim_sink *next, struct anim_error *);

#endif
