/* deviation.h: the largest difference between two curves while both are played, and how long it lasts. */
#ifndef ANIM_CLIP_DEVIATION_H
#define ANIM_CLIP_DEVIATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define ANIM_DEVIATION_TIMES 16   /* maximum number of times per call of `at` */
#define ANIM_DEVIATION_LEVELS 480 /* four per power of two, from 2^-60 to 2^60 */

/*
 * An error is brief if it lasts no longer than this, and errors separated by no more than this count as one. At t
 * seconds, it is multiplied by max(1, |t|). Godot's player treats times within half of it as the time of a key.
 */
#define ANIM_BRIEF_S 4e-5

/* All-zero except at, context and quiet is the initial state. */
struct anim_deviation {
	/* Set off[i] to the error at `count` increasing times. Returns 0 or -1. */
	int (*at)(void *context, const double *t, size_t count, double *off, struct anim_error *);
	void *context;
	double quiet; /* smaller errors are not refined */
	/* Results: */
	double worst, at_s; /* the largest error, and its time */
	double passed_s;    /* the last time that was evaluated */
	bool started;
	/*
	 * For each level: an interval that contains the last time span above it, and an upper bound of the longest
	 * such time, divided by max(1, |t|) and in seconds.
	 */
	double since[ANIM_DEVIATION_LEVELS], until[ANIM_DEVIATION_LEVELS], longest[ANIM_DEVIATION_LEVELS];
	double longest_s[ANIM_DEVIATION_LEVELS];
	int above;                /* number of levels exceeded now */
	int lasting;              /* the first level that was never exceeded for longer than ANIM_BRIEF_S */
	size_t intervals, closer; /* private: number of intervals, and of further times evaluated to find peaks */
};

/*
 * Evaluate the error between two times: densely near both ends, as near as `near_s` to each, evenly in between, and
 * more densely if the error bends. Intervals must be in order. Returns 0 or -1.
 */
int anim_deviation_between(struct anim_deviation *, double from_s, double to_s, double near_s, struct anim_error *);

/* Evaluate the error at a single time, for a state that lasts `lasts_s` after it. Returns 0 or -1. */
int anim_deviation_at(struct anim_deviation *, double t, double lasts_s, struct anim_error *);

/*
 * Return an upper bound of the longest continuous time for which the error was above a limit. Call it after
 * anim_deviation_finish.
 */
double anim_deviation_longest(const struct anim_deviation *, double limit);

/* Return a bound of the error except for brief moments, and in *lasts_s the longest duration of such a moment. */
double anim_deviation_finish(struct anim_deviation *, double *lasts_s);

#endif
