/* internal.h: what the parts of anim-reduce share. */
#ifndef ANIM_FILTER_REDUCE_INTERNAL_H
#define ANIM_FILTER_REDUCE_INTERNAL_H

#include "base/buffer.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/pose.h"
#include "filter/reduce/reduce.h"
#include "math/quaternion.h"

/* What an error of a value is. */
enum reduce_metric {
	REDUCE_LENGTH,  /* the distance of two points */
	REDUCE_LARGEST, /* the component that is farthest off */
	REDUCE_TURN     /* the angle between two rotations, in radians */
};

#define REDUCE_COMPONENTS 4
#define REDUCE_ROUND 8u /* keys or numbers at a time, a constant number: loops over so many become vectors */
#define REDUCE_PIECES \
	4u /* of one line, where keys may stand between: they save as many keys as pieces finer by far do */

/* The keys of a track, with straight lines between them, as numbers. All borrowed. */
struct reduce_run {
	enum reduce_metric metric;
	unsigned components;
	bool by_component; /* REDUCE_TURN: the player blends component by component, not along the arc */
	bool cubic;        /* keys that stay get slopes: cubics of the components between them */
	bool together;     /* of a joint: cubics are to be near on the whole, as others' errors come along */
	bool cut;          /* the keys are more than the track's, and have values of their own */
	bool plain;        /* wider registers are left alone: the same keys, as tests see to */
	unsigned pieces;   /* that every line was cut into; 1: what lines were cut were few */
	size_t n;
	const double *time;
	const double *value; /* n times the components; rotations of length 1 */
	const double *limit; /* of each key: what may be off there */
	const float *turn;   /* REDUCE_TURN, where it is proven: reduce_turns of it */
	/* Of tracks whose keys have slopes: those of the cubic that leaves a key, that arrives; NULL: straight lines. */
	const double *leaving, *arriving;
	const uint8_t *fixed; /* from this key to the next is no cubic: what is there stays */
	const double *rest;   /* what is shown where no key is left; NULL: one has to stay */
	bool seam;            /* what is at both ends stays, so that a loop closes as it did */
};

/* The square of an arc's angle a in radians, where 1 - cos(a) is u, below REDUCE_SHORT. */
#define REDUCE_SHORT 5e-3
ANIM_INLINE double reduce_arc_square(double u)
{
	return u * (2 + u * (1.0 / 3 + u * (4.0 / 45 + u * (1.0 / 35 + u * (16.0 / 1575)))));
}

/* sin(x a) / a, of the square of a; x from 0 to 1. */
ANIM_INLINE double reduce_sine_part(double x, double square)
{
	double y = x * x * square, rest = 1;

	if (square > 1e-2)
		rest = 1 - y * (1.0 / 72) * (1 - y * (1.0 / 110) * (1 - y * (1.0 / 156) * (1 - y * (1.0 / 210))));
	return x * (1 - y * (1.0 / 6) * (1 - y * (1.0 / 20) * (1 - y * (1.0 / 42) * rest)));
}

/* What is between keys i and j, so far (0..1) from i; rotations of chords are not normalised. */
void reduce_between(const struct reduce_run *, size_t i, size_t j, double weight, double out[REDUCE_COMPONENTS]);

/*
 * Marks the keys that stay: the fewest, to half a percent, or with `fast` a few percent more; one of what never leaves its first
 * value by more than it may, none of what never leaves its rest. 0 or -1.
 */
int reduce_choose(const struct reduce_run *, bool fast, uint8_t *keep, struct anim_error *);

/* The next key that stays, of n; of all where `keep` is NULL. n: there is none. */
static inline size_t reduce_next_kept(const uint8_t *keep, size_t n, size_t k)
{
	for (k++; k < n && keep != NULL && !keep[k]; k++)
		;
	return k;
}

/* The first one; n: none stays. */
static inline size_t reduce_first_kept(const uint8_t *keep, size_t n)
{
	return n == 0 || keep == NULL || keep[0] ? 0 : reduce_next_kept(keep, n, 0);
}

/* How many of n stay. */
size_t reduce_count_kept(const uint8_t *keep, size_t n);

/* True where one of two rotations is nearer to the other with other signs: chords between these turn the long way. */
static inline bool reduce_is_apart(const double a[4], const double b[4])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0;
}

/* Of rotations: whether any two neighbours are. */
bool reduce_changes_sign(const struct reduce_run *);

/* Of the two quaternions of a rotation the one that is nearer to another. */
void reduce_align(double q[4], const double near[4]);

/* So many quaternions become of length 1; one of 0 stays. */
void reduce_normalise(double *q, size_t count);

/* How far the result is off, proven; and the largest error seen, and when. */
struct reduce_proof {
	double bound, seen, at_s;
	const char *where; /* a joint; NULL: told of a track. Borrowed from the poses. */
};

/* ---- What may be off ---- */

struct reduce_limits {
	struct anim_limits all;                       /* complete */
	const struct anim_reduce_override *overrides; /* borrowed */
	size_t count;
	bool *used; /* which of them concerned something */
};

/* 0, or -1; to be cleared in either case. */
int reduce_limits_init(struct reduce_limits *, const struct anim_reduce_options *, struct anim_error *);
void reduce_limits_clear(struct reduce_limits *);

enum reduce_metric reduce_metric_of(const struct anim_track *);
/* The limit that a track has by itself, in its own unit; of rotations in radians. */
double reduce_limit(struct reduce_limits *, const struct anim_track *, const struct anim_clip *);

/* How far points at a distance from a joint may be off. */
struct reduce_target {
	size_t group; /* 0: as those of all joints; else the number of its override, from 1 on */
	double tolerance_m, shell_m;
};
/* Of a node by its path in the tree; root: the clip's. */
struct reduce_target reduce_target_of(struct reduce_limits *, const char *root, const char *path);

/* At the end: warns of overrides that concerned nothing. 0 or -1. */
int reduce_limits_end(const struct reduce_limits *, struct anim_diagnostics *, struct anim_error *);

/*
 * Reduced again, a clip may be off by the sum of what both programs were told. Each records that sum, so that the next one can
 * add to it: the largest limit of any track or joint in each unit.
 */
#define REDUCE_SUM_ATTRIBUTE "tol-sum"
#define REDUCE_SUM_TEXT 256
#define REDUCE_SUMMED 4 /* units but that of joints in space */
struct reduce_sum {
	double tolerance_m, shell_m;
	double most[REDUCE_SUMMED];
	bool free; /* one that had no limit of joints in space */
};
void reduce_sum_init(struct reduce_sum *);
/* Of a prog record from upstream. 0 or -1. */
int reduce_sum_read(struct reduce_sum *, const struct anim_record *, struct anim_error *);
/* The sum, with what this program was told, as a text of limits. */
void reduce_sum_print(const struct reduce_sum *before, const struct reduce_limits *, char out[REDUCE_SUM_TEXT]);

/* ---- Cubics between the keys that stay ---- */

/* A Hermite curve; slopes are a second's, and float32. */
struct reduce_cubic {
	const double *from, *to; /* borrowed from the run */
	double start_s, length_s, leaving[REDUCE_COMPONENTS], arriving[REDUCE_COMPONENTS];
};

/* From key i to key j > i, with the slopes that bring it nearest to the straight lines between the keys of the run. */
void reduce_cubic_fit(const struct reduce_run *, size_t i, size_t j, struct reduce_cubic *);
void reduce_cubic_at(const struct reduce_cubic *, unsigned components, double t, double value[REDUCE_COMPONENTS],
		     double slope[REDUCE_COMPONENTS]);

/*
 * How far the curve may be from the run's straight line between keys k and k + 1; looked at closely where it is about as far as
 * the limit. Rotations: as four numbers.
 */
double reduce_cubic_off(const struct reduce_run *, const struct reduce_cubic *, size_t k, double limit);

/* The largest second derivative, and the largest slope, of a whole curve. */
double reduce_cubic_bend(const struct reduce_run *, const struct reduce_cubic *, double *fastest);

/* How near to 0 the source's quaternions may come between keys k and k + 1, of keys with slopes. */
double reduce_cubic_least(const struct reduce_run *, size_t k);

/* Never farther from a value than it may be. */
bool reduce_cubic_is_constant(const struct reduce_run *, const double *at);

void reduce_choose_cubic(const struct reduce_run *, uint8_t *keep);

/* As reduce_prove, of curves through the keys that stay; `arcs`: the source's rotations run along arcs. */
void reduce_cubic_prove(const struct reduce_run *, bool arcs, double limit, uint8_t *keep, bool *more,
			struct reduce_proof *);

/* The angle between the rotations of keys k and k + 1. */
double reduce_turn_between(const struct reduce_run *, size_t k);
/* The same of all but the last key; never less, and hardly more: 1e-4 of it to a right angle, and 1e-7. */
void reduce_turns(const struct reduce_run *, float *angles);

/*
 * Holds a result of the keys that stay, as they are written, against the track that they are from (and its run): what its player
 * shows, at the keys of both, and bounds what is between. `arcs`: the track's own rotations run along arcs. `keep` is set for
 * source keys between which the bound is above the limit, *more says so.
 */
void reduce_prove(const struct reduce_run *, const struct anim_track *, bool arcs, double limit, uint8_t *keep,
		  bool *more, struct reduce_proof *);

#define REDUCE_SURPLUS 4.005e-3 /* see prove.c */
/*
 * What may come to the error of two rotations between two times, where it is known at both, when the rotations turn by so many
 * radians between these: they run along arcs or chords of them, whose points are not met at the same time.
 */
static inline double reduce_turn_surplus(double source_angle, double result_angle)
{
	return REDUCE_SURPLUS *
	       (source_angle * source_angle * source_angle + result_angle * result_angle * result_angle);
}

/* ---- One track ---- */

/* What is reused from track to track. All-zero is empty. */
struct reduce_work {
	struct anim_rests *rests; /* tracks that stay at these go; NULL: they do not. Borrowed */
	bool seam;                /* see struct reduce_run */
	bool move;                /* keys may stand between those of straight lines */
	double rest[REDUCE_COMPONENTS];
	struct anim_buffer time, value, limit, turn, keep, slopes, arriving, fixed, cut_time, cut_value;
	struct anim_keys keys;
};
void reduce_work_clear(struct reduce_work *);

struct reduce_job {
	const struct anim_clip *clip;
	enum anim_rules rules; /* ANIM_RULES_COUNT: the track's */
	double limit;          /* in the metric's unit; above 0 */
	bool fast, cubic;
};

/* ---- Tracks whose keys have slopes as they come ---- */

/* Return whether a track has a cubic between two of its keys; cubics between all keys, straight lines among them. */
bool reduce_is_curved(const struct anim_track *);
bool reduce_is_all_curved(const struct anim_track *);

/* Sets the slopes of a run that has the keys of such a track, in the memory of the work. Returns 0 or -1. */
int reduce_read_slopes(struct reduce_work *, const struct anim_track *, struct reduce_run *, struct anim_error *);

/* The longest of its cubics' control points, or their largest component: beyond that no value is. */
double reduce_largest_control(const struct anim_track *, bool length);

/* Appends the keys that stay, with the source's slopes and modes but where keys are missing between them. 0 or -1. */
int reduce_add_cubics(struct anim_keys *, const struct anim_track *, const struct reduce_run *, const uint8_t *keep,
		      struct anim_error *);

/* ---- Tracks and players ---- */

/* Whether the keys that stay of a track can get slopes, as a player wants or takes them. */
bool reduce_is_cubic(const struct anim_track *, enum anim_rules, enum anim_reduce_keys);

/* How a track's lines are cut, so that keys may stand between its own. */
struct reduce_cut {
	/*
	 * How far a piece of its arcs may turn, in radians, that is to become a chord or a cubic: else these would be off whatever
	 * stays, as its own player shows it. INFINITY: no arc is cut for that.
	 */
	double wide;
	unsigned pieces; /* of every line and arc at least */
};
/* Lines are cut where keys may move, unless they become cubics. The limit of rotations is in radians; 0: nothing is cut. */
struct reduce_cut reduce_cut_of(const struct reduce_work *, const struct anim_clip *, const struct anim_track *,
				enum anim_rules, bool cubic, double limit);

/* Times that rise, and rotations of length 1. */
bool reduce_is_regular(const struct anim_track *);

/*
 * Whether a track of the clip can have fewer keys under a player (ANIM_RULES_COUNT: its own): straight lines between them, or
 * cubics that the player has, too, and numbers that have a metric.
 */
bool reduce_can(const struct anim_track *, const struct anim_clip *, enum anim_rules);

/*
 * A track as numbers under a player; the limits are there to be written. Cubic: the signs of rotations agree, where the track's
 * own player does not look at them. Lines that are cut get more keys. Borrowed from the work. 0 or -1.
 */
int reduce_read(struct reduce_work *, const struct anim_clip *, const struct anim_track *, enum reduce_metric,
		enum anim_rules, bool cubic, struct reduce_cut, struct reduce_run *, double **limits,
		struct anim_error *);

/*
 * The keys that stay as a track of the target's player (ANIM_RULES_COUNT: its own), in the memory of the work; the run: of the
 * same track, for cubics. 0 or -1.
 */
int reduce_build(struct reduce_work *, const struct anim_track *, const struct reduce_run *, const uint8_t *keep,
		 enum anim_rules, struct anim_track *out, struct anim_error *);

/* Such a track with fewer keys, in the memory of the work until it is used again, and what is proven of it. 0 or -1. */
int reduce_track(struct reduce_work *, const struct reduce_job *, const struct anim_track *, enum reduce_metric,
		 struct anim_track *out, struct reduce_proof *, struct anim_error *);

/* ---- The joints of a clip: what each of its tracks may be off, so that no point near a joint is farther off in space ---- */

/*
 * Of nodes one below the other, each off by so much, a point below all is off by no more than the sum: the ones above are
 * rigid, whatever their error, and carry the point as far as they did. A turn that is off by an angle moves a point at a
 * distance d from its joint by 2 sin(angle / 2) d, and scales above multiply it all.
 */
struct reduce_joints;

/* For the tree's nodes (borrowed) and a clip whose tracks the store has. NULL on failure. */
struct reduce_joints *reduce_joints_new(struct anim_poses *, const struct anim_clip *, struct anim_store *,
					enum anim_rules, enum anim_reduce_keys, struct reduce_limits *,
					struct anim_error *);
void reduce_joints_free(struct reduce_joints *);

/* True where all tracks that move joints are parts of transforms in straight lines, so that poses can be had in between. */
bool reduce_joints_are_straight(const struct reduce_joints *);

/* What a track of a joint may be off by, so that with those above and below it the tolerance holds. */
struct reduce_share {
	uint32_t node;
	enum anim_pose_part part;
	bool can;         /* have fewer keys */
	double limit;     /* 0: nothing may be off */
	unsigned sharers; /* tracks on the longest way through it: alone it may be off by so many times the limit */
	double most;      /* and never by more than that */
	bool cubic;       /* its keys get slopes */
};
/* False for a track that moves no joint. */
bool reduce_joints_limit(const struct reduce_joints *, size_t track, struct reduce_share *);
/* Whether any of what can become cubics can be straight lines as well. */
bool reduce_joints_have_choice(const struct reduce_joints *);
/* Whether what is to become cubics becomes straight lines for now; what came as cubics stays. */
void reduce_joints_draw_lines(struct reduce_joints *, bool lines);
/* All keys of a track stay. */
void reduce_joints_fix(struct reduce_joints *, size_t track);
const struct reduce_target *reduce_joints_target(const struct reduce_joints *, uint32_t node);

/* What is proven of tracks, begun anew, and what it comes to: how far points may be off, for each group of joints. */
void reduce_joints_begin(struct reduce_joints *);
void reduce_joints_add(struct reduce_joints *, size_t track, double bound);
void reduce_joints_bound(struct reduce_joints *, struct reduce_proof *proofs);

/* ---- Between two samples of poses ---- */

/*
 * Bounds of how a node's transform in one of two poses less that in the other goes from a sample to the next, by a time that counts
 * 1: of the basis as a matrix' norm, of its derivatives, of the second derivative of the origin; how much the two differ in how fast
 * they turn, and in how that changes. And what it is at the sample: the origin's length, and, where both only turn and move, the
 * basis' norm; these of the last sample of a tile, too.
 */
struct reduce_bend {
	double basis, basis1, basis2, origin2, speed, gain;
	double basis_at, origin_at;
};

/* Of all nodes in a tile. All-zero is empty. */
struct reduce_apart {
	size_t nodes, room;
	uint32_t *slot; /* of each node: its number among those that move on either side, else ANIM_POSE_NONE */
	struct reduce_bend *bends;
};

/* For two poses that are ready; again where others are. 0 or -1; to be cleared in either case. */
int reduce_apart_begin(struct reduce_apart *, const struct anim_poses poses[2], struct anim_error *);
/* Both have the same `count` samples in their tiles, and follow: looks at all nodes. */
void reduce_apart_tile(struct reduce_apart *, const struct anim_poses poses[2], size_t count);
/* From sample k of the tile to the next. */
const struct reduce_bend *reduce_apart_at(const struct reduce_apart *, uint32_t node, size_t k);
void reduce_apart_clear(struct reduce_apart *);

/* ---- All together: limits as large as the poses allow ---- */

/* What is left of the work that the keys of a clip are worth. */
struct reduce_budget {
	uint64_t trials, poses;
	bool spent; /* of either, at some time: keys were not tried to the end */
};

struct reduce_scene {
	const struct anim_clip *clip;
	struct anim_store *store; /* of its tracks */
	struct anim_poses *poses; /* two of its tree, for the source and the result */
	struct reduce_work *work;
	enum anim_rules rules; /* whose player shows the result; ANIM_RULES_COUNT: that of each track */
	bool fast;
	struct reduce_budget *budget; /* begun by reduce_together */
};

/* Of a track's run: a byte for each key, 1 where it stays; how many do. NULL: the track moves no joint. */
struct reduce_chosen {
	uint8_t *keep;
	size_t count;
};

/*
 * Chooses the keys of all tracks that move joints: chosen[i], all zero before, those of track i, in the arena; and what is proven
 * of each group of joints. 1; 0 where this way leads to no proof below the tolerances; -1.
 */
int reduce_together(const struct reduce_scene *, const struct reduce_joints *, struct anim_arena *,
		    struct reduce_chosen *chosen, struct reduce_proof *proofs, size_t groups, struct anim_error *);

/*
 * Brings back keys of chosen tracks where points are farther off than the part of their tolerance that is allowed at a knot, and
 * where `sparing` leaves out more where they are not. The knots are the times of all keys; the scene's poses have samples there,
 * of the source and of what was chosen. Sets `touched` of knots up to the next of which keys have changed. 0 or -1.
 */
int reduce_spare(const struct reduce_scene *, const struct reduce_joints *, const double *knots, size_t count,
		 const float *allowed, bool sparing, struct reduce_chosen *chosen, uint8_t *touched,
		 struct anim_error *);

/* The knot at or just behind a time, looked for from another one on. */
size_t reduce_knot_from(const double *knots, size_t count, size_t knot, double at);

/* Track i of the store, one of a joint, as numbers, under its own rules or those of the result. 0 or -1. */
int reduce_read_shared(const struct reduce_scene *, size_t i, const struct reduce_share *, bool result,
		       struct anim_track *, struct reduce_run *, double **limits, struct anim_error *);

/* ---- Rotations instead of Euler angles, which can lose keys ---- */

/* Of one clip. The first three members are set before it is begun and stay; all-zero else is empty. */
struct reduce_instead {
	struct anim_rests *rests; /* of the tree; borrowed */
	size_t memory;            /* of each store */
	bool hermite;             /* the result's player may have slopes */
	struct anim_store *original, *rotations;
	struct anim_store *mixed; /* the original's tracks, with rotations where they are used */
	size_t *place;            /* of original tracks: the rotation that they become a part of; SIZE_MAX: none */
	size_t *keys;             /* of rotations: those of the angles that they come from */
	uint8_t *refused;         /* of rotations: the angles stay */
};

/* Makes the rotations for a store's clip (the store is borrowed). 1, 0 where it has no Euler angles, -1. */
int reduce_instead_begin(struct reduce_instead *, const struct anim_clip *, struct anim_store *, struct anim_error *);
/* Fills `mixed`. 0 or -1. */
int reduce_instead_mix(struct reduce_instead *, const struct anim_clip *, struct anim_error *);
/* Tells what became rotations for good, and how far these are off. 0 or -1. */
int reduce_instead_tell(struct reduce_instead *, const struct anim_clip *, struct anim_diagnostics *,
			struct anim_error *);
void reduce_instead_clear(struct reduce_instead *);

#endif
