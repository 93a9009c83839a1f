/* internal.h: what the filter and its way with tracks share. */
#ifndef ANIM_FILTER_AXES_INTERNAL_H
#define ANIM_FILTER_AXES_INTERNAL_H

#include "base/buffer.h"
#include "clip/rest.h"
#include "clip/rules.h"
#include "clip/track.h"
#include "filter/axes/axes.h"
#include "filter/filter.h"

/*
 * Component i of the result is component from[i] of the source * factor[i] / divisor[i] + offset[i]. Slopes and offsets of
 * handles go without the offset.
 */
struct axes_map {
	unsigned components; /* of the result */
	uint8_t from[ANIM_COMPONENTS_MAX];
	double factor[ANIM_COMPONENTS_MAX], divisor[ANIM_COMPONENTS_MAX], offset[ANIM_COMPONENTS_MAX];
};

void axes_map_init(struct axes_map *, unsigned components); /* each component as it is */

/* The components of one value; `from` and `to` may be one. False where a number is beyond a float. */
bool axes_map_floats(const struct axes_map *, const float *from, float *to);

/* What axes_map_track keeps the columns in. */
enum { AXES_VALUE, AXES_LEFT, AXES_RIGHT, AXES_LEFT_X, AXES_RIGHT_X, AXES_COLUMNS };

/* What the tree tells of a node beside its rest. */
struct axes_node {
	bool turned;       /* a camera or light in space: what it is lies half a turn about Y apart */
	bool below_turned; /* a child of one, which must stay where it is */
	bool flat;         /* two-dimensional */
};

struct axes {
	struct anim_filter filter;
	struct anim_axes_options options;
	bool flat; /* the target is two-dimensional */

	/* of the tree */
	bool changes_tree;        /* it is in other axes than the target */
	bool flattens_tree;       /* nodes of Unity that may be two-dimensional become so */
	struct anim_rests rests;  /* the nodes by their paths */
	struct anim_buffer nodes; /* struct axes_node, in the order of rests.items */
	struct anim_arena node_arena;

	/* of the clip */
	bool changes_clip;
	uint8_t from;          /* the axes that the clip was in, until its change was told */
	struct anim_clip clip; /* as it came, a copy */
	struct anim_arena clip_arena;

	struct anim_buffer columns[AXES_COLUMNS]; /* of the track at hand */
	struct anim_arena track_arena;
};

/* What to do with a track. */
enum axes_verdict { AXES_FAILED = -1, AXES_PASS, AXES_CHANGED, AXES_DROPPED };
enum axes_verdict axes_track(struct axes *, const struct anim_track *, struct anim_track *out, struct anim_error *);

/* Three dimensions. */
void axes_space_point(const struct axes *, bool below_turned, struct axes_map *);
void axes_space_rotation(const struct axes *, bool below_turned, bool turned, struct axes_map *);

/* Two dimensions. */
void axes_flat_point(const struct axes *, struct axes_map *);

/* How far a turn may lean out of the plane and still count as one about z: the components of a quaternion, radians. */
#define AXES_LEAN 1e-6

#endif
