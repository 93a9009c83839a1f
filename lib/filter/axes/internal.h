/* internal.h: what the parts of anim-axes share; private to lib/filter/axes*.c. */
#ifndef ANIM_FILTER_AXES_INTERNAL_H
#define ANIM_FILTER_AXES_INTERNAL_H

#include "filter/axes/axes.h"
#include "filter/axes/map.h"
#include "filter/filter.h"
#include "filter/rest.h"

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
	bool in_tree;
	const char *root;
	enum anim_axes axes;     /* of three dimensions, as they were told */
	enum anim_axes2d axes2d; /* likewise */
	struct anim_arena clip_arena;

	struct anim_buffer columns[AXES_COLUMNS]; /* of the track at hand */
	struct anim_arena track_arena;
};

/* The node that a track drives; NULL where no tree tells of it. */
const struct axes_node *axes_find(struct axes *, const char *node);

/* The same, or else the nearest node above that is told of. */
const struct axes_node *axes_find_nearest(struct axes *, const char *node);

/* The node above the one that a track drives. */
const struct axes_node *axes_find_above(struct axes *, const char *node);

/* What a property's lanes are where they are of one node's transform. */
enum axes_meaning { AXES_NOTHING, AXES_POINT, AXES_QUATERNION, AXES_EULER, AXES_MATRIX, AXES_SCALE, AXES_TURN };

/* What to do with a track. */
enum axes_verdict { AXES_FAILED = -1, AXES_PASS, AXES_CHANGED, AXES_DROPPED };

/* node.c: a node into the target's axes. *out is a copy of the node; texts are kept in node_arena. 0 or -1. */
int axes_node_enter(struct axes *, const struct anim_node *, struct axes_node *, struct anim_error *);
int axes_node_change(struct axes *, const struct axes_node *, struct anim_node *out, struct anim_error *);

/* space.c: three dimensions. */
void axes_space_point(const struct axes *, bool below_turned, struct axes_map *);
void axes_space_rotation(const struct axes *, bool below_turned, bool turned, struct axes_map *);
enum axes_verdict axes_space_track(struct axes *, const struct anim_track *, struct anim_track *out,
				   struct anim_error *);

/* flat.c: two dimensions. */
void axes_flat_point(const struct axes *, struct axes_map *);
enum axes_verdict axes_flat_track(struct axes *, const struct anim_track *, struct anim_track *out,
				  struct anim_error *);

/* How far a turn may lean out of the plane and still count as one about z: the lanes of a quaternion, radians. */
#define AXES_LEAN 1e-6

/*
 * angle.c: a rotation or Euler angles of three lanes that only turn about z, as the one angle that runs the other
 * way round, in the columns. AXES_PASS with a warning where it is no such turn, or no angle takes the same course.
 */
enum axes_verdict axes_angle_of_euler(struct axes *, const struct anim_track *, struct anim_track *out,
				      struct anim_error *);
enum axes_verdict axes_angle_of_rotation(struct axes *, const struct anim_track *, struct anim_track *out,
					 struct anim_error *);

/* AXES_PASS with a warning: the track turns about x or y, too. */
enum axes_verdict axes_stays_in_space(struct axes *, const struct anim_track *, struct anim_error *);

#endif
