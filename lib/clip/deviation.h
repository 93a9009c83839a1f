/* deviation.h: how far two curves are apart while both are played: the largest error, and how long it lasts. */
#ifndef ANIM_CLIP_DEVIATION_H
#define ANIM_CLIP_DEVIATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define ANIM_DEVIATION_TIMES 16   /* times of one question at most */
#define ANIM_DEVIATION_LEVELS 480 /* four for each power of two, from 2^-60 to 2^60 */

/*
 * An error that lasts no longer is brief, and one that is gone for no longer lasts: at t seconds, times max(1, |t|). Godot's player
 * takes half of it for a key's time.
 */
#define ANIM_BRIEF_S 4e-5

/* All-zero but for at, context and quiet is ready. */
struct anim_deviation {
	/* Set how far apart they are at `count` rising times. 0 or -1. */
	int (*at)(void *context, const double *t, size_t count, double *off, struct anim_error *);
	void *context;
	double quiet; /* smaller errors need no closer look */
	/* Found: */
	double worst, at_s; /* the largest error, and its time */
	double passed_s;    /* the last time that was looked at */
	bool started;
	/* From when to when a level was exceeded last, at most, and the longest such time, for times max(1, |t|). */
	double since[ANIM_DEVIATION_LEVELS], until[ANIM_DEVIATION_LEVELS], longest[ANIM_DEVIATION_LEVELS];
	int above;                /* so many levels are exceeded now */
	int lasting;              /* the first level that was never exceeded for longer than ANIM_BRIEF_S */
	size_t intervals, closer; /* private: how many were looked at, and at how many more times for peaks */
};

/*
 * Look between two times: densely towards either, as near as `near_s` (of each), evenly in between, and closer where the error
 * bends. Intervals come in their order. 0 or -1.
 */
int anim_deviation_between(struct anim_deviation *, double from_s, double to_s, double near_s, struct anim_error *);

/* Take the error at a time of its own, which lasts for `lasts_s` after it. 0 or -1. */
int anim_deviation_look(struct anim_deviation *, double t, double lasts_s, struct anim_error *);

/* Return for how long the error was above a limit at one go, at most; to be asked after anim_deviation_finish. */
double anim_deviation_longest(const struct anim_deviation *, double limit);

/* Return a bound of the error but for brief moments, and in *lasts_s how long such a moment lasts at most. */
double anim_deviation_finish(struct anim_deviation *, double *lasts_s);

#endif
