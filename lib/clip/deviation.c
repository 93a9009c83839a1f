/* deviation.c: evaluates the difference between two curves, and records how long it was above each of many levels. */
#include "clip/deviation.h"

#include <math.h>

#define LOWEST (-60) /* the exponent of the first level */
#define WIDER 4      /* towards the ends, each time is nearer by this factor */
#define EVEN 12      /* parts of the middle of an interval */
#define POINTS 64    /* maximum number of times in an interval */
#define CLOSER 14    /* maximum number of halvings between two times */
#define CLOSER_ALL \
	65536 /* maximum number of further times: an error that is rough at every scale has peaks without end */
#define CLOSER_EACH 64 /* and this many more per interval */
#define SPARE 1.25     /* an interval is refined if its error may exceed the largest by this factor */

static double level(int i)
{
	return ldexp(4 + i % 4, i / 4 + LOWEST - 2);
}

/* Return how many levels are below the error. */
static int levels_below(double off)
{
	int exponent, i;
	double part;

	if (!(off > 0))
		return 0;
	part = isfinite(off) ? frexp(off, &exponent) : 1;
	i = isfinite(off) ? 4 * (exponent - 1 - LOWEST) + (int)ceil(8 * part - 4) : ANIM_DEVIATION_LEVELS;
	return i < 0 ? 0 : i > ANIM_DEVIATION_LEVELS ? ANIM_DEVIATION_LEVELS : i;
}

/* Record the error at the next time. It may have changed anywhere since the previous time. */
static void record(struct anim_deviation *d, double t, double off)
{
	int above = levels_below(off);
	double size = fmax(1, fabs(t));

	if (off > d->worst) {
		d->worst = off;
		d->at_s = t;
	}
	d->passed_s = d->started ? d->passed_s : t;
	d->started = true;
	for (int i = d->above; i < above; i++)
		if (d->longest[i] == 0 || d->passed_s - d->until[i] > ANIM_BRIEF_S * size)
			d->since[i] = d->passed_s;
	for (int i = above; i < d->above; i++) {
		double lasted_s = t - d->since[i];

		d->until[i] = t;
		if (lasted_s > d->longest_s[i])
			d->longest_s[i] = lasted_s;
		if (lasted_s > d->longest[i] * size)
			d->longest[i] = lasted_s / size;
	}
	while (d->lasting < ANIM_DEVIATION_LEVELS && d->longest[d->lasting] > ANIM_BRIEF_S)
		d->lasting++;
	d->above = above;
	d->passed_s = t;
}

/* Refine between two times whose errors are known, and record the errors inside. */
static int refine(struct anim_deviation *d, double a, double b, double off_a, double off_b, double bend, int depth,
		  struct anim_error *error)
{
	double middle = a + (b - a) / 2, most = fmax(off_a, off_b), off;

	if (depth == 0 || !(middle > a && middle < b) || d->closer >= CLOSER_ALL + CLOSER_EACH * d->intervals ||
	    !(most + bend > SPARE * fmax(most, fmax(d->quiet, level(d->lasting)))))
		return 0;
	d->closer++;
	if (d->at(d->context, &middle, 1, &off, error) != 0)
		return -1;
	bend = fabs(off_a + off_b - 2 * off);
	if (refine(d, a, middle, off_a, off, bend, depth - 1, error) != 0)
		return -1;
	record(d, middle, off);
	return refine(d, middle, b, off, off_b, bend, depth - 1, error);
}

/* Return twice the distance of the middle error of three times from the straight line between the others. */
static double bend_at(const double *t, const double *off)
{
	double share = (t[0] - t[-1]) / (t[1] - t[-1]);

	return 2 * fabs(off[0] - off[-1] - (off[1] - off[-1]) * share);
}

/* Place increasing times inside the interval. Returns their number. */
static size_t place(double from, double to, double near, double t[POINTS])
{
	double length = to - from, late[POINTS];
	size_t count = 0, mirrored = 0;

	for (double way = near; way < length / EVEN && count < (POINTS - EVEN) / 2; way *= WIDER) {
		t[count++] = from + way;
		late[mirrored++] = to - way;
	}
	for (int i = 1; i < EVEN; i++)
		t[count++] = from + length * i / EVEN;
	while (mirrored > 0)
		t[count++] = late[--mirrored];
	return count;
}

int anim_deviation_between(struct anim_deviation *d, double from_s, double to_s, double near_s,
			   struct anim_error *error)
{
	double t[POINTS], off[POINTS], bend = 0;
	size_t count = place(from_s, to_s, near_s, t);

	d->intervals++;
	for (size_t k = 0; k < count; k += ANIM_DEVIATION_TIMES) {
		size_t some = count - k < ANIM_DEVIATION_TIMES ? count - k : ANIM_DEVIATION_TIMES;

		if (d->at(d->context, t + k, some, off + k, error) != 0)
			return -1;
	}
	for (size_t k = 0; k < count; k++) {
		double next = k > 0 && k + 1 < count ? bend_at(t + k, off + k) : 0;

		if (k > 0 && refine(d, t[k - 1], t[k], off[k - 1], off[k], fmax(bend, next), CLOSER, error) != 0)
			return -1;
		record(d, t[k], off[k]);
		bend = next;
	}
	return 0;
}

int anim_deviation_at(struct anim_deviation *d, double t, double lasts_s, struct anim_error *error)
{
	double off;

	if (d->at(d->context, &t, 1, &off, error) != 0)
		return -1;
	record(d, t, off);
	if (lasts_s > 0)
		record(d, t + lasts_s * fmax(1, fabs(t)), off);
	return 0;
}

double anim_deviation_longest(const struct anim_deviation *d, double limit)
{
	int below = levels_below(limit);

	return d->worst > limit ? d->longest[below > 0 ? below - 1 : 0] : 0;
}

double anim_deviation_finish(struct anim_deviation *d, double *lasts_s)
{
	record(d, d->passed_s, 0);
	*lasts_s = 0;
	if (d->lasting == ANIM_DEVIATION_LEVELS)
		return d->worst;
	*lasts_s = d->longest_s[d->lasting];
	return fmin(d->worst, d->lasting > 0 ? level(d->lasting) : 0);
}
