/* joints.h: the joints of a clip, whose tracks are reduced together, and the errors of points in space. */
#ifndef ANIM_FILTER_REDUCE_JOINTS_H
#define ANIM_FILTER_REDUCE_JOINTS_H

#include "filter/common/pose.h"
#include "filter/reduce/limits.h"
#include "filter/reduce/run.h"

/*
 * Find the joints of a tree that the clip in a store moves, with their ancestors and descendants, for the poses of source and
 * result. Matches all joints with the overrides of the limits, unless these are NULL. Returns 0 or -1.
 */
int reduce_find_branch(struct anim_poses *tree, struct anim_poses poses[2], const char *root, struct anim_store *,
		       struct reduce_limits *, struct anim_error *);

/*
 * The limits of the tracks of a skeleton. For nodes below each other, each with some error, the error of a point
 * below all of them is at most the sum. The nodes above are rigid, whatever their error is, and carry the point by
 * the same amount. A rotation error moves a point at a distance d from its joint by 2 sin(angle / 2) d. Scales above
 * multiply all of this.
 */
struct reduce_joints;

/*
 * Return the joints for the tree's nodes (borrowed) and a clip whose tracks are in the store. Returns NULL on
 * failure.
 */
struct reduce_joints *reduce_joints_new(struct anim_poses *, const struct anim_clip *, struct anim_store *,
					enum anim_rules, enum anim_reduce_keys, struct reduce_limits *,
					struct anim_error *);
void reduce_joints_free(struct reduce_joints *);

/*
 * Return true if all tracks that move joints are parts of transforms with straight lines, so that poses between keys
 * are known.
 */
bool reduce_joints_are_straight(const struct reduce_joints *);

/* The error limit of a track of a joint, so that the tolerance holds together with the tracks above and below it. */
struct reduce_share {
	uint32_t node;
	enum anim_pose_part part;
	bool can;         /* it can have fewer keys */
	double limit;     /* 0: no error is allowed */
	unsigned sharers; /* tracks on the longest path through it; alone it may have so many times the limit */
	double most;      /* absolute upper bound of its error */
	bool cubic;       /* its keys get slopes */
};
/* Return false for a track that moves no joint. */
bool reduce_joints_limit(const struct reduce_joints *, size_t track, struct reduce_share *);
/* Return whether any track that can become cubics can also be straight lines. */
bool reduce_joints_have_choice(const struct reduce_joints *);
/*
 * Choose whether tracks that can become cubics become straight lines for now. Tracks that already have cubics stay
 * cubic.
 */
void reduce_joints_draw_lines(struct reduce_joints *, bool lines);
/* Return that choice. */
bool reduce_joints_have_lines(const struct reduce_joints *);
/* Keep all keys of a track. */
void reduce_joints_fix(struct reduce_joints *, size_t track);
const struct reduce_target *reduce_joints_target(const struct reduce_joints *, uint32_t node);

/*
 * Collect the proven bounds of tracks again from the beginning, and return the resulting errors of points, for each
 * group of joints.
 */
void reduce_joints_begin(struct reduce_joints *);
void reduce_joints_add(struct reduce_joints *, size_t track, double bound);
void reduce_joints_bound(struct reduce_joints *, struct reduce_proof *proofs);

/* ---- Between two samples of poses ---- */

/*
 * Bounds of the difference of a node's transforms in two poses, from one sample to the next, with the interval as
 * unit of time: the norm of the basis as a matrix, of its derivatives, and of the second derivative of the origin,
 * and the differences of the rotation speeds and of their change. Also the difference at the sample: the length for
 * the origin and, if both only rotate and move, the norm of the basis. The last sample of a tile has these as well.
 */
struct reduce_bend {
	double basis, basis1, basis2, origin2, speed, gain;
	double basis_at, origin_at;
};

/* For all nodes in a tile. All-zero is empty. */
struct reduce_apart {
	size_t nodes, room;
	uint32_t *slot; /* of each node: moving nodes are numbered, all others have ANIM_POSE_NONE */
	struct reduce_bend *bends;
};

/*
 * Begin with two poses that are ready. Call it again when they change. Returns 0 or -1. The struct must be cleared
 * in both cases.
 */
int reduce_apart_begin(struct reduce_apart *, const struct anim_poses poses[2], struct anim_error *);
/* Measure all nodes. Both poses have the same `count` samples in their tiles, and must follow motions. */
void reduce_apart_tile(struct reduce_apart *, const struct anim_poses poses[2], size_t count);
/* Return the difference from sample k of the tile to the next. */
const struct reduce_bend *reduce_apart_at(const struct reduce_apart *, uint32_t node, size_t k);
void reduce_apart_clear(struct reduce_apart *);

/* ---- All tracks together: limits as large as the poses allow ---- */

/* The remaining work that may be spent on the keys of a clip. */
struct reduce_budget {
	uint64_t trials, poses;
	bool spent; /* one of them ran out, so the search for keys was not completed */
};

struct reduce_scene {
	const struct anim_clip *clip;
	struct anim_store *store;  /* for its tracks */
	struct anim_store *result; /* for the same tracks with other values (for reduce_compare), or NULL */
	struct anim_poses *poses;  /* two of its tree, for the source and the result */
	struct reduce_work *work;
	enum anim_rules rules; /* the player that shows the result; ANIM_RULES_COUNT: the player of each track */
	bool fast;
	struct reduce_budget *budget; /* begun by reduce_together */
};

/*
 * The keys of a track's run that stay: a byte of 1 for each of them, and their number. NULL: the track moves no
 * joint.
 */
struct reduce_chosen {
	uint8_t *keep;
	size_t count;
};

/*
 * Choose the keys of all tracks that move joints. chosen[i] is all zero before and gets the keys of track i, in the
 * arena. Sets the proofs of each group of joints. Returns 1, 0 if this method finds no proof within the tolerances,
 * or -1.
 */
int reduce_together(const struct reduce_scene *, const struct reduce_joints *, struct anim_arena *,
		    struct reduce_chosen *chosen, struct reduce_proof *proofs, size_t groups, struct anim_error *);

#define REDUCE_NEAR 0.98 /* part of the tolerance at the knots, because the rest is for the times between them */
/*
 * Restore keys of chosen tracks if points exceed the part of their tolerance that is allowed at a knot. With
 * `sparing`, also remove more keys if they do not. The knots are the times of all keys. The scene's poses have
 * samples there, for the source and for the chosen keys. Sets `touched` for knots whose interval to the next has
 * changed keys. Returns 0 or -1.
 */
int reduce_spare(const struct reduce_scene *, const struct reduce_joints *, const double *knots, size_t count,
		 const float *allowed, bool sparing, struct reduce_chosen *chosen, uint8_t *touched,
		 struct anim_error *);

/* ---- The fewest keys of one track under the limits of all points that its joint carries: path.c ---- */

/* A frame of a path. The caller sets the first members. */
struct reduce_path_node {
	float value[REDUCE_COMPONENTS]; /* the source's */
	bool key, kept;                 /* it can have a key, and it has one now */
	bool can;
	uint32_t count, from;
	float sum, vector[3];
};

/* A point that the joint carries, and the sphere around it. */
struct reduce_path_point {
	/* borrowed: the transforms at the first frame, and the distance from one of the source to the next (0: the same) */
	const double *source, *result;
	size_t source_on;
	double shell, tolerance;
};

struct reduce_path {
	bool rotates, chords; /* the track rotates, and its player shows chords instead of arcs */
	bool wide;            /* wider registers are available */
	const double *time;   /* of the frames */
	size_t padded, count; /* of the points: rounded up to whole blocks, and theirs */
	uint64_t work;        /* increased by the number of points that were tried */
	struct anim_buffer numbers, points, nodes;
};
/* Begin with that many frames and points. The caller then sets the points and all frames. Returns 0 or -1. */
int reduce_path_begin(struct reduce_path *, size_t frames, size_t points, struct anim_error *);
struct reduce_path_point *reduce_path_points(struct reduce_path *);
struct reduce_path_node *reduce_path_nodes(struct reduce_path *);
/*
 * Set the errors of all points at a frame. `above` is the transform of the joint's parent, or NULL, `own` the joint's own in its
 * space with the source's value, and `now` its transform in the result. `allowed` is a factor of the tolerances.
 */
void reduce_path_put(struct reduce_path *, size_t frame, const double *above, const double own[ANIM_POSE_NUMBERS],
		     const double now[ANIM_POSE_NUMBERS], double allowed);
/*
 * Find the fewest keys from one kept key to another. Sets `keep` for the keys from first to last, and returns true. Returns
 * false if this needs more keys than now.
 */
bool reduce_path_find(struct reduce_path *, size_t first, size_t last, uint8_t *keep);
void reduce_path_clear(struct reduce_path *);

/* Proofs of the error of results whose tracks have the keys of the source. Unchanged parts are not measured again. */
struct reduce_comparison;
/* Borrow the scene and the joints. Returns 1, 0 if this method finds no bound, or -1. *made must be freed in all cases. */
int reduce_comparison_new(const struct reduce_scene *, const struct reduce_joints *, size_t groups,
			  struct reduce_comparison **made, struct anim_error *);
void reduce_comparison_free(struct reduce_comparison *);
/*
 * Prove the error of the scene's result. `earlier` is the result of the previous proof, or NULL for the first one. Sets the proofs
 * of each group of joints. The clip is divided at increasing times cells[0..count]. worst[i] is set to the largest bound in part
 * i, relative to the tolerance of its joint. Returns 1, 0 if this method finds no bound, or -1.
 */
int reduce_compare(struct reduce_comparison *, struct anim_store *earlier, struct reduce_proof *proofs,
		   const double *cells, size_t count, double *worst, struct anim_error *);

/* Return the knot at a time or just after it, searching from another knot on. */
size_t reduce_knot_from(const double *knots, size_t count, size_t knot, double at);

/* Read track i of the store, of a joint, as numbers, under its own rules or the result's. Returns 0 or -1. */
int reduce_read_shared(const struct reduce_scene *, size_t i, const struct reduce_share *, bool result,
		       struct anim_track *, struct reduce_run *, double **limits, struct anim_error *);

#endif
