/* run.h: reduction of one track: its keys as numbers, the keys to keep, and the proof of the error. */
#ifndef ANIM_FILTER_REDUCE_RUN_H
#define ANIM_FILTER_REDUCE_RUN_H

#include "base/buffer.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/common/pose.h"
#include "filter/reduce/reduce.h"
#include "math/quaternion.h"

/* The kinds of error of a value. */
enum reduce_metric {
	REDUCE_LENGTH,  /* the distance between two points */
	REDUCE_LARGEST, /* the largest error of a component */
	REDUCE_ANGLE    /* the angle between two rotations, in radians */
};

#define REDUCE_COMPONENTS 4
#define REDUCE_ROUND 8u /* keys or numbers at a time; the number is constant so that loops become vector instructions */
#define REDUCE_PIECES 4u /* pieces per line if keys may be moved; much finer pieces save no more keys */

/* The keys of a track as numbers, with straight lines between them. All pointers are borrowed. */
struct reduce_run {
	enum reduce_metric metric;
	unsigned components;
	bool by_component; /* REDUCE_ANGLE: the player blends component by component, not along the arc */
	bool cubic;        /* the remaining keys get slopes, with cubics of the components between them */
	bool together;     /* a joint: cubics must be near on average, because the errors of other joints are added */
	bool cut;          /* the lines were cut, so there are more keys than in the track, with their own values */
	bool plain;        /* do not use wider registers; tests check that the keys are the same */
	unsigned pieces;   /* pieces of each line; 1: only a few lines were cut */
	size_t n;
	const double *time;
	const double *value; /* n times the components; rotations have length 1 */
	const double *limit; /* for each key: the error limit */
	const float *angle;  /* REDUCE_ANGLE, during the proof: the result of reduce_angles */
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

enum reduce_metric reduce_metric_of(const struct anim_track *);

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
double reduce_angle_between(const struct reduce_run *, size_t k);
/*
 * Return these angles for all keys but the last. They are never too small, and too large by at most 1e-4 up to a
 * right angle, plus 1e-7.
 */
void reduce_angles(const struct reduce_run *, float *angles);

/*
 * Prove the error of a result. A player of the written keys is compared with a player of the track, or of its run. The
 * error is measured at the keys of both and bounded between them. `arcs`: the track's own rotations follow arcs. Sets
 * `keep` for source keys between which the bound exceeds the limit, and then sets *more.
 */
void reduce_prove(const struct reduce_run *, const struct anim_track *, bool arcs, double limit, uint8_t *keep,
		  bool *more, struct reduce_proof *);

#define REDUCE_SURPLUS 4.005e-3 /* see prove.c */
/*
 * Return the amount by which the error of two rotations can grow between two times at which it is known, if the
 * rotations angle by these angles in radians between them. They follow arcs or their chords, and do not reach the
 * corresponding points at the same time.
 */
static inline double reduce_angle_surplus(double source_angle, double result_angle)
{
	return REDUCE_SURPLUS *
	       (source_angle * source_angle * source_angle + result_angle * result_angle * result_angle);
}

/*
 * Return the bound between two times at which two rotations differ by at most `off`, while one of them rotates by `step`.
 * Both follow arcs, or both follow chords.
 */
double reduce_angle_bound(double off, double step);

/* ---- One track ---- */

/* Memory that is reused from track to track. All-zero is empty. */
struct reduce_work {
	struct anim_rests *rests; /* tracks that stay at these values are removed; NULL: they are not; borrowed */
	bool seam;                /* see struct reduce_run */
	bool move;                /* keys may be moved along straight lines */
	double rest[REDUCE_COMPONENTS];
	struct anim_buffer time, value, limit, angle, keep, slopes, arriving, fixed, cut_time, cut_value;
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

#endif
