/* internal.h: declarations that the parts of anim-reduce share. */
#ifndef ANIM_FILTER_REDUCE_INTERNAL_H
#define ANIM_FILTER_REDUCE_INTERNAL_H

#include "base/buffer.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/common/pose.h"
#include "filter/reduce/reduce.h"
#include "math/quaternion.h"
#include "stream/lattice.h"

/* The kinds of error of a value. */
enum reduce_metric {
	REDUCE_LENGTH,  /* the distance between two points */
	REDUCE_LARGEST, /* the largest error of a component */
	REDUCE_TURN     /* the angle between two rotations, in radians */
};

#define REDUCE_COMPONENTS 4
#define REDUCE_ROUND 8u /* keys or numbers at a time; the number is constant so that loops become vector instructions */
#define REDUCE_PIECES 4u /* pieces per line if keys may be moved; much finer pieces save no more keys */

/* The keys of a track as numbers, with straight lines between them. All pointers are borrowed. */
struct reduce_run {
	enum reduce_metric metric;
	unsigned components;
	bool by_component; /* REDUCE_TURN: the player blends component by component, not along the arc */
	bool cubic;        /* the remaining keys get slopes, with cubics of the components between them */
	bool together;     /* a joint: cubics must be near on average, because the errors of other joints are added */
	bool cut;          /* the lines were cut, so there are more keys than in the track, with their own values */
	bool plain;        /* do not use wider registers; tests check that the keys are the same */
	unsigned pieces;   /* pieces of each line; 1: only a few lines were cut */
	size_t n;
	const double *time;
	const double *value; /* n times the components; rotations have length 1 */
	const double *limit; /* for each key: the error limit */
	const float *turn;   /* REDUCE_TURN, during the proof: the result of reduce_turns */
	/* for tracks whose keys have slopes: slopes at the start and end of the cubics; NULL: straight lines */
	const double *leaving, *arriving;
	const uint8_t *fixed; /* the interval after this key is not a cubic and must stay */
	const double *rest;   /* the value without keys; NULL: at least one key must stay */
	bool seam;            /* the first and last intervals stay, so that a loop closes as before */
};

/* Return the square of the angle a of an arc, in radians, for u = 1 - cos(a) below REDUCE_SHORT. */
#define REDUCE_SHORT 5e-3
ANIM_INLINE double reduce_arc_square(double u)
{
	return u * (2 + u * (1.0 / 3 + u * (4.0 / 45 + u * (1.0 / 35 + u * (16.0 / 1575)))));
}

/* Return sin(x a) / a for the square of a. x is from 0 to 1. */
ANIM_INLINE double reduce_sine_part(double x, double square)
{
	double y = x * x * square, rest = 1;

	if (square > 1e-2)
		rest = 1 - y * (1.0 / 72) * (1 - y * (1.0 / 110) * (1 - y * (1.0 / 156) * (1 - y * (1.0 / 210))));
	return x * (1 - y * (1.0 / 6) * (1 - y * (1.0 / 20) * (1 - y * (1.0 / 42) * rest)));
}

/* Return the value between keys i and j at a weight of 0..1 from i. Rotations on chords are not normalised. */
void reduce_between(const struct reduce_run *, size_t i, size_t j, double weight, double out[REDUCE_COMPONENTS]);

/*
 * Mark the keys that stay: the fewest, to within half a percent, or with `fast` a few percent more. A track that
 * stays within its limit of its first value keeps one key, and a track that stays at its rest value keeps none.
 * Returns 0 or -1.
 */
int reduce_choose(const struct reduce_run *, bool fast, uint8_t *keep, struct anim_error *);

/* Return the next key of n that stays. If `keep` is NULL, all stay. Otherwise returns n. */
static inline size_t reduce_next_kept(const uint8_t *keep, size_t n, size_t k)
{
	for (k++; k < n && keep != NULL && !keep[k]; k++)
		;
	return k;
}

/* Return the first key that stays, or n if none stays. */
static inline size_t reduce_first_kept(const uint8_t *keep, size_t n)
{
	return n == 0 || keep == NULL || keep[0] ? 0 : reduce_next_kept(keep, n, 0);
}

/* Return the number of keys that stay. */
size_t reduce_count_kept(const uint8_t *keep, size_t n);

/*
 * Return true if one of two quaternions is nearer to the other with its sign changed. A chord between them would go
 * the long way.
 */
static inline bool reduce_is_apart(const double a[4], const double b[4])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0;
}

/* Return whether reduce_is_apart is true for any two neighbouring rotations. */
bool reduce_changes_sign(const struct reduce_run *);

/* Change q to the quaternion of the same rotation that is nearer to another quaternion. */
static inline void reduce_align(double q[4], const double near[4])
{
	bool apart = reduce_is_apart(q, near);

	for (int i = 0; i < 4 && apart; i++)
		q[i] = -q[i];
}

/* Normalise that many quaternions. A quaternion of length 0 stays unchanged. */
void reduce_normalise(double *q, size_t count);

/* The proven bound of the error of a result, and the largest observed error with its time. */
struct reduce_proof {
	double bound, seen, at_s;
	const char *where; /* the joint; NULL for a track; borrowed from the poses */
};

/* ---- Limits ---- */

struct reduce_limits {
	struct anim_limits all;                       /* complete */
	const struct anim_reduce_override *overrides; /* borrowed */
	size_t count;
	bool *used;               /* which of them matched something */
	struct anim_limits given; /* without the defaults */
	bool applied, defaulted;  /* some track has one of these limits, or numbers */
};

/*
 * Initialise limits: the given ones and the defaults, with overrides (borrowed). Returns 0 or -1. They must be cleared in
 * both cases.
 */
int reduce_limits_init(struct reduce_limits *, const struct anim_limits *given, const struct anim_reduce_override *,
		       size_t count, struct anim_error *);
void reduce_limits_clear(struct reduce_limits *);

/* Return how many of a limit's unit one unit of the track's own values is: 180 / pi for radians. Sets the limit's unit. */
double reduce_unit_of(const struct anim_track *, const struct anim_clip *, enum anim_unit *);

/* Return the limit of a track by itself, in its own unit, or in radians for rotations. */
double reduce_limit_of(struct reduce_limits *, const struct anim_track *, const struct anim_clip *);

/* Look at a track, for the warning. */
void reduce_limits_see(struct reduce_limits *, const struct anim_track *, const struct anim_clip *);

/* Warn at the end about overrides that matched nothing, and limits that no track has. Returns 0 or -1. */
int reduce_limits_warn(const struct reduce_limits *, struct anim_diagnostics *, struct anim_error *);

/*
 * The sum of the limits of several reductions. A clip that is reduced again can have an error up to the sum of both
 * limits. Each program records this sum, so that the next one can add to it: the largest limit of any track or joint
 * in each unit.
 */
#define REDUCE_SUM_ATTRIBUTE "tol-sum"
#define REDUCE_SUM_TEXT 256
#define REDUCE_SUMMED 4 /* all units except joints in space */
struct reduce_sum {
	double tolerance_m, shell_m;
	double most[REDUCE_SUMMED];
	bool free; /* one program had no limit for joints in space */
};

void reduce_sum_init(struct reduce_sum *);
/* Add the sum of a prog record from upstream. Returns 0 or -1. */
int reduce_sum_read(struct reduce_sum *, const struct anim_record *, struct anim_error *);
/* Print the sum, including the limits of this program, as a text of limits. */
void reduce_sum_print(const struct reduce_sum *before, const struct reduce_limits *, char out[REDUCE_SUM_TEXT]);

enum reduce_metric reduce_metric_of(const struct anim_track *);

/* The allowed error of points at a distance from a joint. */
struct reduce_target {
	size_t group; /* 0: the limit of all joints; otherwise the number of the joint's override, from 1 on */
	double tolerance_m, shell_m;
};
/* Return the target of a node by its path in the tree. `root` is the root of the clip. */
struct reduce_target reduce_target_of(struct reduce_limits *, const char *root, const char *path);

/*
 * Find the joints of a tree that the clip in a store moves, with their ancestors and descendants, for the poses of source and
 * result. Matches all joints with the overrides of the limits, unless these are NULL. Returns 0 or -1.
 */
int reduce_find_branch(struct anim_poses *tree, struct anim_poses poses[2], const char *root, struct anim_store *,
		       struct reduce_limits *, struct anim_error *);

/* ---- Cubics between the keys that stay ---- */

/* A Hermite curve. Slopes are per second, and float32. */
struct reduce_cubic {
	const double *from, *to; /* borrowed from the run */
	double start_s, length_s, leaving[REDUCE_COMPONENTS], arriving[REDUCE_COMPONENTS];
};

/*
 * Fit a cubic from key i to key j > i. Its slopes bring it as near as possible to the straight lines between the
 * keys of the run.
 */
void reduce_cubic_fit(const struct reduce_run *, size_t i, size_t j, struct reduce_cubic *);
void reduce_cubic_at(const struct reduce_cubic *, unsigned components, double t, double value[REDUCE_COMPONENTS],
		     double slope[REDUCE_COMPONENTS]);

/*
 * Return a bound of the distance between the curve and the run's straight line between keys k and k + 1. It is
 * refined if it is near the limit. Rotations count as four numbers.
 */
double reduce_cubic_off(const struct reduce_run *, const struct reduce_cubic *, size_t k, double limit);

/* Return the largest second derivative of a whole curve, and set *fastest to the largest slope. */
double reduce_cubic_bend(const struct reduce_run *, const struct reduce_cubic *, double *fastest);

/* Return the smallest length of the source's quaternions between keys k and k + 1, if the keys have slopes. */
double reduce_cubic_least(const struct reduce_run *, size_t k);

/* Return true if the run stays within its limits of a value. */
bool reduce_cubic_is_constant(const struct reduce_run *, const double *at);

void reduce_choose_cubic(const struct reduce_run *, uint8_t *keep);

/* Do the same as reduce_prove, for curves through the remaining keys. `arcs`: the source's rotations follow arcs. */
void reduce_cubic_prove(const struct reduce_run *, bool arcs, double limit, uint8_t *keep, bool *more,
			struct reduce_proof *);

/* Return the angle between the rotations of keys k and k + 1. */
double reduce_turn_between(const struct reduce_run *, size_t k);
/*
 * Return these angles for all keys but the last. They are never too small, and too large by at most 1e-4 up to a
 * right angle, plus 1e-7.
 */
void reduce_turns(const struct reduce_run *, float *angles);

/*
 * Prove the error of a result: compare the remaining keys, as they are written, with their track (and its run) at
 * the keys of both, as its player shows it, and bound the error between them. `arcs`: the track's own rotations
 * follow arcs. Sets `keep` for source keys between which the bound exceeds the limit, and then sets *more.
 */
void reduce_prove(const struct reduce_run *, const struct anim_track *, bool arcs, double limit, uint8_t *keep,
		  bool *more, struct reduce_proof *);

#define REDUCE_SURPLUS 4.005e-3 /* see prove.c */
/*
 * Return the amount by which the error of two rotations can grow between two times at which it is known, if the
 * rotations turn by these angles in radians between them. They follow arcs or their chords, and do not reach the
 * corresponding points at the same time.
 */
static inline double reduce_turn_surplus(double source_angle, double result_angle)
{
	return REDUCE_SURPLUS *
	       (source_angle * source_angle * source_angle + result_angle * result_angle * result_angle);
}

/*
 * Return the bound between two times at which two rotations differ by at most `off`, while one of them rotates by `step`.
 * Both follow arcs, or both follow chords.
 */
double reduce_turn_bound(double off, double step);

/* ---- One track ---- */

/* Memory that is reused from track to track. All-zero is empty. */
struct reduce_work {
	struct anim_rests *rests; /* tracks that stay at these values are removed; NULL: they are not; borrowed */
	bool seam;                /* see struct reduce_run */
	bool move;                /* keys may be moved along straight lines */
	double rest[REDUCE_COMPONENTS];
	struct anim_buffer time, value, limit, turn, keep, slopes, arriving, fixed, cut_time, cut_value;
	struct anim_keys keys;
};
void reduce_work_clear(struct reduce_work *);

struct reduce_job {
	const struct anim_clip *clip;
	enum anim_rules rules; /* ANIM_RULES_COUNT: the rules of the track */
	double limit;          /* in the unit of the metric; above 0 */
	bool fast, cubic;
};

/* ---- Tracks whose keys already have slopes ---- */

/*
 * Return whether a track has a cubic between two of its keys. The second function returns whether it has cubics or
 * straight lines between all keys, and at least one cubic.
 */
bool reduce_is_curved(const struct anim_track *);
bool reduce_is_all_curved(const struct anim_track *);

/* Return the longest control point of its cubics, or their largest component. No value exceeds it. */
double reduce_largest_control(const struct anim_track *, bool length);

/* ---- Tracks and players ---- */

/* Return whether the remaining keys of a track can get slopes, as a player needs or accepts them. */
bool reduce_is_cubic(const struct anim_track *, enum anim_rules, enum anim_reduce_keys);

/* How the lines of a track are cut, so that new keys are possible between its own. */
struct reduce_cut {
	/*
	 * The largest angle, in radians, of a piece of an arc that will become a chord or a cubic. Wider pieces
	 * would have an error with any keys, compared with the track's own player. INFINITY: no arc is cut for this
	 * reason.
	 */
	double wide;
	unsigned pieces; /* smallest number of pieces of every line and arc */
};
/*
 * Return the cut of a track. Lines are cut if keys may be moved, unless they become cubics. The limit of rotations
 * is in radians. With a limit of 0 nothing is cut.
 */
struct reduce_cut reduce_cut_of(const struct reduce_work *, const struct anim_clip *, const struct anim_track *,
				enum anim_rules, bool cubic, double limit);

/* Return true if times increase and rotations have length 1. */
bool reduce_is_regular(const struct anim_track *);

/*
 * Return whether a track of the clip can have fewer keys under a player (ANIM_RULES_COUNT: its own). It needs
 * straight lines between its keys, or cubics that the player also has, and numbers with a metric.
 */
bool reduce_can(const struct anim_track *, const struct anim_clip *, enum anim_rules);

/*
 * Read a track as numbers under a player. The caller fills the limits. With `cubic`, the signs of rotations are made
 * to agree if the track's own player ignores them. Lines that are cut get more keys. The run is borrowed from the
 * work. Returns 0 or -1.
 */
int reduce_read(struct reduce_work *, const struct anim_clip *, const struct anim_track *, enum reduce_metric,
		enum anim_rules, bool cubic, struct reduce_cut, struct reduce_run *, double **limits,
		struct anim_error *);

/*
 * Build a track with the remaining keys for the target's player (ANIM_RULES_COUNT: its own), in the memory of the
 * work. The run belongs to the same track and is needed for cubics. Returns 0 or -1.
 */
int reduce_build(struct reduce_work *, const struct anim_track *, const struct reduce_run *, const uint8_t *keep,
		 enum anim_rules, struct anim_track *out, struct anim_error *);

/*
 * Reduce such a track, and prove its error. The result is in the memory of the work until its next use. Returns 0 or
 * -1.
 */
int reduce_track(struct reduce_work *, const struct reduce_job *, const struct anim_track *, enum reduce_metric,
		 struct anim_track *out, struct reduce_proof *, struct anim_error *);

/* ---- The joints of a clip: error limits of its tracks, so that all points stay within their limits in space ---- */

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
	uint32_t *slot; /* for each node: its number among those that move on either side, otherwise ANIM_POSE_NONE */
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
	bool turns, chords; /* the track rotates, and its player shows chords instead of arcs */
	bool wide;          /* wider registers are available */
	const double *time; /* of the frames */
	size_t lanes, count;
	uint64_t work; /* increased by the number of points that were tried */
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

/*
 * Prove the error of the scene's result, whose tracks have the keys of the source. Sets the proofs of each group of joints.
 * The clip is divided at increasing times cells[0..count]. worst[i] is set to the largest bound in part i, relative to the
 * tolerance of its joint. Returns 1, 0 if this method finds no bound, or -1.
 */
int reduce_compare(const struct reduce_scene *, const struct reduce_joints *, struct anim_arena *,
		   struct reduce_proof *proofs, size_t groups, const double *cells, size_t count, double *worst,
		   struct anim_error *);

/* ---- Lattices for the values of tracks: steps.c ---- */

/* Memory that is reused from track to track. All-zero is empty. */
struct reduce_lattice_work {
	struct anim_buffer aligned, bytes, values, points;
	struct anim_record record;
};
void reduce_lattice_work_clear(struct reduce_lattice_work *);

/*
 * The lattice of a track: a step for each of its blocks, or NULL if its values stay exact. Changes of points are sorted by key.
 */
struct reduce_lattice {
	float *steps;
	struct anim_lattice_change *changes;
	size_t change_count;
};

/* Return whether the values of a track of the clip can be on a lattice. */
bool reduce_lattice_can(const struct anim_track *, const struct anim_clip *);
/*
 * Find the lattices of a track's blocks, and the values at the nearest points. `out` is the track with these, in the memory of
 * the work. Returns 1, 0 if the values do not fit, or -1.
 */
int reduce_lattice_fit(struct reduce_lattice_work *, const struct anim_clip *, const struct anim_track *,
		       const float *steps, struct anim_lattice *blocks, struct anim_track *out, struct anim_error *);
/*
 * Equal parts of the samples of a clip: their first times (count + 1), the largest error that a sample may have, and the
 * proven error. Errors are relative to the limit.
 */
struct reduce_windows {
	size_t count;
	double *from, *allowed, *worst;
};
/*
 * Change points of samples in which the errors of joints exceed their limit. Sets the changes of all lattices, in the arena.
 * Returns 1, 0 if this is not possible, because the tracks of joints do not have the same samples, or -1.
 */
int reduce_repair(const struct reduce_scene *, const struct reduce_joints *, const struct reduce_windows *,
		  struct reduce_lattice_work *, struct anim_arena *, struct reduce_lattice *, struct anim_error *);

/* Return the number of blocks of n keys. */
size_t reduce_lattice_blocks(size_t n);
/*
 * Put the values of a track on a lattice. `out` has the decoded values, and the record with them on the lattice,
 * in the memory of the work. Returns 1, 0 if the values do not fit, or -1.
 */
int reduce_lattice_encode(struct reduce_lattice_work *, const struct anim_clip *, const struct anim_track *,
			  const struct reduce_lattice *, struct anim_track *out, struct anim_error *);

#define REDUCE_LATTICE_UNITS 4 /* of the limits of tracks by themselves: enum anim_bound_unit, except in space */
struct reduce_lattice_job {
	struct reduce_scene *scene;
	struct reduce_joints *joints; /* NULL: no limit in space */
	struct reduce_limits *limits;
	struct reduce_lattice_work *work;
	struct anim_arena *arena; /* for the steps */
	size_t store_memory;
	/* results */
	struct reduce_lattice *lattices; /* for each track of the store, zero before */
	struct reduce_proof *proofs;     /* for each group of joints, zero before */
	size_t groups;
	double asked[REDUCE_LATTICE_UNITS], reached[REDUCE_LATTICE_UNITS]; /* tracks by themselves, zero before */
};
/*
 * Find lattices for all tracks of the scene's store that become smaller with them, within all limits. Returns 0 or -1.
 */
int reduce_lattices(struct reduce_lattice_job *, struct anim_error *);

/* Return the knot at a time or just after it, searching from another knot on. */
size_t reduce_knot_from(const double *knots, size_t count, size_t knot, double at);

/* Read track i of the store, of a joint, as numbers, under its own rules or the result's. Returns 0 or -1. */
int reduce_read_shared(const struct reduce_scene *, size_t i, const struct reduce_share *, bool result,
		       struct anim_track *, struct reduce_run *, double **limits, struct anim_error *);

/* Return a sink that passes clips and tracks to a sink with another owner. NULL on failure. */
struct anim_sink *reduce_forward_new(struct anim_sink *to, struct anim_error *);

/* The filter for options->measure.whole, as anim_reduce_new. */
struct anim_sink *reduce_whole_new(const struct anim_reduce_options *, struct anim_sink *next, struct anim_error *);

#endif
