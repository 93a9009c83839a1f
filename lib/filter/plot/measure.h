/* measure.h: how the columns of a picture are looked at, one after the other; between measure*.c alone. */
#ifndef ANIM_FILTER_PLOT_MEASURE_H
#define ANIM_FILTER_PLOT_MEASURE_H

#include <math.h>

#include "filter/plot/internal.h"

#define PLOT_DENSE 24 /* keys of a rotation in a column from which on they alone are played */

#define PLOT_FLOATS 2e-6 /* of a number: more than polynomials and what players make of them are apart */

/* Of each lane both extremes, a key with both of its sides; borders; turns of what the borders cut. */
#define PLOT_TIMES (PLOT_PLAIN_LANES * 10 + 4)
#define PLOT_WAITING (ANIM_SOURCE_SAMPLES + PLOT_TIMES) /* times of several columns that are played together */

/* The breaks of one column, and its borders. */
struct plot_stretch {
	double from, to;
	const float *breaks;
	size_t count;
};

/* One run over the columns. */
struct plot_measure {
	struct plot_curve *curve;
	struct plot_columns *columns;
	size_t column;              /* at hand */
	size_t per_column;          /* breaks in the last one */
	bool keyed;                 /* breaks are the keys' times */
	size_t key;                 /* that was found last */
	struct plot_turns turns;    /* of a column of rotations */
	double lowest, highest;     /* of all lanes, so far */
	double fine;                /* the part of that which may be off */
	double apart;               /* what is no farther out in the column need not be seen; 0: all is */
	double edge[PLOT_LANES];    /* the lanes at its right border, once it is done */
	struct plot_values borders; /* what is shown at so many borders from one on: they are played together */
	size_t border, border_count;
	bool again;                 /* the borders are known */
	double times[PLOT_WAITING]; /* that are to be played together: those of its own, which rise, from `own` on */
	size_t columns_of[PLOT_WAITING];
	unsigned own, time_count;
	struct anim_error *error;
};

/* So near to t, a time of this curve, nothing but a key is looked at (plot_hair_at). */
static inline double plot_measure_hair(const struct plot_curve *curve, double t)
{
	double size = fabs(t);

	return size > 1 ? curve->hair * size : curve->hair;
}

static inline void plot_measure_widen_lane(struct plot_lane *lane, size_t column, double v)
{
	if (v < lane->least[column])
		lane->least[column] = v;
	if (v > lane->most[column])
		lane->most[column] = v;
}

static inline void plot_measure_widen(struct plot_measure *m, const double *lanes)
{
	for (unsigned i = 0; i < m->columns->lanes; i++)
		plot_measure_widen_lane(&m->columns->lane[i], m->column, lanes[i]);
}

/* Plays the times, all of them in the column at hand. 0 or -1. */
int plot_measure_look(struct plot_measure *, const double *t, unsigned count, double (*out)[PLOT_LANES]);
/* The lanes at the left border of column c. Rotations go on from the last ones. 0 or -1. */
int plot_measure_border(struct plot_measure *, size_t c, double out[PLOT_LANES]);
/* Looks at the peak of a lane (times `sign`) between t[0] and t[2], whose lanes are known. 0 or -1. */
int plot_measure_climb(struct plot_measure *, unsigned lane, double sign, const double t[3],
		       double (*lanes)[PLOT_LANES]);
/*
 * A piece in which the curve bends nowhere but at its ends, which lie in the column. At a key itself a player may show what
 * is on either side of it, so that both are looked at. `out`: the lanes at both ends. 0 or -1.
 */
int plot_measure_piece(struct plot_measure *, double from, double to, double (*out)[PLOT_LANES]);

/* What the column at hand has may be so far from what is shown, and by the rounding of floats. */
void plot_measure_be_off(struct plot_measure *, double off);

/* The last sample or key at or before the start of a stretch, and at or before its end; the first where there is none. */
void plot_measure_keys_before(struct plot_measure *, const struct plot_stretch *, size_t *first, size_t *last);
/* Plays the times that wait, if they are so many at least. 0 or -1. */
int plot_measure_play(struct plot_measure *, unsigned least);
/* A column of plain keys with segments first .. last, of which the outer two reach beyond it. 1: done; 0: it is none; -1. */
int plot_measure_plain(struct plot_measure *, const struct plot_stretch *, size_t first, size_t last);
/* No other key is so near that a player may take it for this one, which is shown at its time. */
bool plot_measure_stands_alone(const struct plot_curve *, const struct anim_track *, size_t k);

/*
 * A column of rotations between the first key and the last: the keys that may come outermost and, unless they are many, the ways
 * between them; and the right border. Each vector is the one that is nearest to that at the left border. edges: the lanes at both
 * borders, of which the left ones are known. 1: done; 0: no rough look tells; -1.
 */
int plot_measure_turned(struct plot_measure *, const struct plot_stretch *, double edges[2][PLOT_LANES]);

#endif
