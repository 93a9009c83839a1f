/* delta.h: convert clips to differences from a pose, for additive layers, and back. */
#ifndef ANIM_FILTER_DELTA_H
#define ANIM_FILTER_DELTA_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

/* The attribute of clips with differences, such as "own,ratio": an order and a convention for scales. */
#define ANIM_ATTR_DELTA "delta"

/* ---- The pose at the start of a file ---- */

/* All-zero is empty. */
struct anim_delta_pose {
	uint8_t axes;           /* enum anim_axes of the clip */
	struct anim_map values; /* node, NUL, property; scope: component -> index of its first number in `numbers` */
	struct anim_buffer numbers; /* double */
	struct anim_arena arena;
};

/*
 * Return a sink that keeps the values of the first clip's tracks at its start. The pose is borrowed. Returns NULL on
 * failure.
 */
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
	bool given; /* order and scale were given; otherwise `apply` uses the clip's attribute */
	bool apply; /* add differences to the pose */
	struct anim_diagnostics *diagnostics; /* required */
};

/*
 * Create a filter that writes to `next` (owned, also freed on failure). r is the pose's value of a track, and v is the
 * track's value. Rotations become r^-1 v (own: about the bone's axes) or v r^-1 (parent). Scales become v - r, v / r or
 * v / r - 1. Other values become v - r. `apply` reverses this. r is constant, so keys stay keys and slopes are
 * converted. Stepping tracks, tracks that are not floats, and muscles of Unity's humanoid are unchanged. Returns NULL
 * on failure.
 */
struct anim_sink *anim_delta_new(const struct anim_delta_options *, struct anim_sink *next, struct anim_error *);

#endif
