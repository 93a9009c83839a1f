/* limits.h: the error limits of tracks and joints, and their sum over several programs. */
#ifndef ANIM_FILTER_REDUCE_LIMITS_H
#define ANIM_FILTER_REDUCE_LIMITS_H

#include "base/number.h"
#include "filter/reduce/reduce.h"
#include "stream/record.h"

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

/* Record which limits a track has, for the warning. */
void reduce_limits_record(struct reduce_limits *, const struct anim_track *, const struct anim_clip *);

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

/*
 * Print a bound, rounded up to three significant digits, so that it stays a bound. A bound is positive. The text lasts as long
 * as `out`.
 */
const char *reduce_print_bound(char out[ANIM_NUMBER_MAX], double bound);

/* ---- Joints in space ---- */

/* The allowed error of points at a distance from a joint. */
struct reduce_target {
	size_t group; /* 0: the limit of all joints; otherwise the number of the joint's override, from 1 on */
	double tolerance_m, shell_m;
};

#endif
