/* measure.h: how far a segment of the target is from what it stands for. Internal to convert. */
#ifndef ANIM_FILTER_CONVERT_MEASURE_H
#define ANIM_FILTER_CONVERT_MEASURE_H

#include "filter/convert/fit.h"

#define CONVERT_POINTS 26 /* samples of a segment, the first at its start, the last just before its end */

/* A segment at work. */
struct convert_span {
	struct convert_piece piece; /* its `to` is what the curve comes to */
	double t[CONVERT_POINTS], v[CONVERT_POINTS][ANIM_COMPONENTS_MAX];
	double next[ANIM_COMPONENTS_MAX]; /* the value at its end, from there on */
	bool constant, jumps, finite;
	bool from_key;       /* begins at a key of the source, or where one was added */
	bool starts, ends;   /* at a break of the source, where its player may take one side for the other */
	double cut_s;        /* where a key helps most; 0: in the middle */
	double noise;        /* what rounding alone may make of its values */
	double range;        /* of the first component between the two breaks that it lies between */
	bool prefers_linear; /* Linear keys in the source: more of them are better than a cubic */
};

struct convert_measure {
	const struct convert_fit *fit;
	struct anim_clip clip;
	struct anim_sample_state state;
	double turn; /* as in the fit */
};

void convert_measure_open(struct convert_measure *, const struct convert_fit *, double turn);
void convert_measure_close(struct convert_measure *);

/*
 * The largest deviation of the span's piece, played by the target's rules. Up to `limit` it is looked for between the
 * samples as well, wherever it could be larger by more than a quarter; beyond it only where all is to be known, with
 * `closely`. 0 or -1.
 */
int convert_measure(struct convert_measure *, const struct convert_span *, double limit, bool closely, double *off,
		    struct anim_error *);

/* What the rounding of times to floats may make of the span's values, where it goes fast. */
double convert_grain(const struct convert_measure *, const struct convert_span *);

#define CONVERT_NEARER 0.52 /* of a margin: as near to a key as its player tells the two sides apart */

/* How near to a time the span's values are not asked for; `at_break`: of the source, else of the target alone. */
double convert_margin(const struct convert_fit *, double t, bool at_break);

/* How far two values are apart: degrees of rotations, else the largest difference of a component. */
double convert_deviation(const struct convert_measure *, const double a[ANIM_COMPONENTS_MAX],
			 const double b[ANIM_COMPONENTS_MAX]);

/* What rounding alone may make of the span's values. */
double convert_noise(const struct convert_measure *, const struct convert_span *);

/*
 * solver.c: what Godot's player misses of a weighted piece of one component at the most; 0 where no key would help. Where
 * one would in *cut_s.
 */
double convert_solver_miss(const struct convert_piece *, double *cut_s);
/* The same where it is steep between two times, wherever in between, and never less: rounding alone comes on top. */
double convert_solver_bound(const struct convert_piece *, double low_s, double high_s);

/* The inner control values that follow the samples best, the ends as they are. */
void convert_least_squares(struct convert_span *);

#endif
