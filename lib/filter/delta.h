/* delta.h: clips as differences from a pose, for additive layers, and back. */
#ifndef ANIM_FILTER_DELTA_H
#define ANIM_FILTER_DELTA_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

/* The attribute of clips that are differences: "own,ratio", an order and a way with scales. */
#define ANIM_ATTR_DELTA "delta"

/* ---- The pose that a file begins with ---- */

/* All-zero is empty. */
struct anim_delta_pose {
	uint8_t axes; /* enum anim_axes of the clip */
	struct anim_map
	    values; /* node, NUL, property; in the scope of the component -> number of its first in `numbers` */
	struct anim_buffer numbers; /* double */
	struct anim_arena arena;
};

/* A sink that keeps what the first clip's tracks have at its start; the pose is borrowed. NULL on failure. */
struct anim_sink *anim_delta_pose_sink_new(struct anim_delta_pose *, struct anim_error *);
void anim_delta_pose_clear(struct anim_delta_pose *);

/* ---- Differences ---- */

enum anim_delta_from {
	ANIM_DELTA_FIRST, /* the clip's start */
	ANIM_DELTA_LAST,  /* its end */
	ANIM_DELTA_TIME,
	ANIM_DELTA_REST, /* of the stream's tree */
	ANIM_DELTA_POSE
};
enum anim_delta_order { ANIM_DELTA_OWN, ANIM_DELTA_PARENT, ANIM_DELTA_ORDER_COUNT };
enum anim_delta_scale { ANIM_DELTA_DIFFERENCE, ANIM_DELTA_RATIO, ANIM_DELTA_OFFSET, ANIM_DELTA_SCALE_COUNT };
extern const char *const anim_delta_orders[], *const anim_delta_scales[]; /* NULL at the end */

struct anim_delta_options {
	enum anim_delta_from from;
	double time_s;                      /* ANIM_DELTA_TIME */
	const struct anim_delta_pose *pose; /* ANIM_DELTA_POSE; borrowed */
	enum anim_delta_order order;
	enum anim_delta_scale scale;
	bool told;  /* order and scale were asked for; else `apply` takes what the clip's attribute says */
	bool apply; /* differences are put on the pose */
	struct anim_diagnostics *diagnostics; /* must be there */
};

/*
 * A filter in front of `next` (owned, freed on failure too). With r for what the pose has of a track's value v, rotations
 * become r^-1 v (own: about the bone's axes) or v r^-1 (parent), scales v - r, v / r or v / r - 1, all else v - r; `apply` undoes
 * it. r is constant, so keys stay keys and slopes go along. What only steps, what is not made of floats, and muscles of Unity's
 * humanoid stay. NULL on failure.
 */
struct anim_sink *anim_delta_new(const struct anim_delta_options *, struct anim_sink *next, struct anim_error *);

#endif
