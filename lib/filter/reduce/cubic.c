/* cubic.c: cubic curves through some keys of a track, with separate slopes on both sides of each key. */
#include <math.h>
#include <string.h>

#include "filter/reduce/run.h"
#include "math/block.h"
#include "math/curve.h"
#include "math/elementary.h"
#include "math/lanes.h"

#define WINDOW 1024u /* source intervals that one curve can span */
#define POINTS 2u    /* points in each of them that the curve approximates */
#define ROUNDS 5u    /* rounds in which points with a large error gain weight, so that the largest error decreases */
#define TOGETHER 3u  /* the same for joints, for which the largest error is not the only one that matters */
/* part of the allowed error below which the search stops; better curves are searched when the keys are known */
#define ENOUGH 0.9
#define HALVINGS 4u /* of a source interval; then a bound by control points is accurate to a few percent */

static const double *value_at(const struct reduce_run *run, size_t k)
{
	return run->value + k * run->components;
}

/* ---- Slopes ---- */

/* Four numbers, one per component. The compiler's operators work on each of them. */
typedef double numbers __attribute__((vector_size(REDUCE_COMPONENTS * sizeof(double))));

ANIM_INLINE double sum_of_squares(numbers v)
{
	numbers square = v * v;

	return square[0] + square[1] + square[2] + square[3];
}

/*
 * A point that the curve approximates: the source's value there minus the curve without slopes, and the amount that
 * slopes of one unit per second add.
 */
struct point {
	double target[REDUCE_COMPONENTS], leaving, arriving, weight;
	double may_be; /* the square of the allowed error of the curve */
};

/*
 * Return a component of the source between keys k and k + 1, at `part` of the interval. Its values there are a and
 * b.
 */
static double source_at(const struct reduce_run *run, size_t k, double part, double a, double b, unsigned c)
{
	if (run->leaving == NULL)
		return a + part * (b - a);
	return anim_hermite(a, run->leaving[k * run->components + c], b, run->arriving[(k + 1) * run->components + c],
			    run->time[k + 1] - run->time[k], part);
}

/* for unit quaternions |p - q| is 2 sin(angle / 4) */
static double most_off(const struct reduce_run *run, size_t k)
{
	return (run->metric == REDUCE_ANGLE ? 0.4995 : 1) * fmin(run->limit[k], run->limit[k + 1]);
}

/*
 * Place the points between the keys of the cubic, and at all keys but its own. Missing components of the run are 0. Returns
 * their number.
 */
static size_t place_points(const struct reduce_run *run, const struct reduce_cubic *cubic, size_t i, size_t j,
			   struct point *points)
{
	size_t count = 0;

	for (size_t k = i; k < j; k++)
		for (unsigned p = k == i; p < POINTS; p++) {
			const double *a = value_at(run, k), *b = a + run->components;
			double part = (double)p / POINTS, seconds = run->time[k + 1] - run->time[k];
			double u = (run->time[k] + part * seconds - cubic->start_s) / cubic->length_s;
			double to = u * u * (3 - 2 * u);
			struct point *point = &points[count++];

			*point = (struct point){.leaving = u * (1 - u) * (1 - u) * cubic->length_s,
						.arriving = -u * u * (1 - u) * cubic->length_s,
						.weight = 1};
			for (unsigned c = 0; c < run->components; c++)
				point->target[c] = source_at(run, k, part, a[c], b[c], c) - cubic->from[c] -
						   to * (cubic->to[c] - cubic->from[c]);
		}
	return count;
}

/* Set the allowed errors of the points between keys i and j. Limits are above 0. */
static void limit_points(const struct reduce_run *run, size_t i, size_t j, struct point *points)
{
	/* the length of a vector can be larger than its largest component */
	unsigned factor = run->metric == REDUCE_LARGEST ? run->components : 1;

	for (size_t k = i; k < j; k++) {
		double most = most_off(run, k), before = k > i ? most_off(run, k - 1) : most;

		for (unsigned p = k == i; p < POINTS; p++) {
			double off = p == 0 ? fmin(before, most) : most;

			(points++)->may_be = off * off * factor;
		}
	}
}

/* Find the slopes with the least squares. Returns false if the equations have no solution. */
ANIM_INLINE bool solve(const struct point *points, size_t count, struct reduce_cubic *cubic)
{
	double aa = 0, ab = 0, bb = 0, determinant;
	numbers a = {0}, b = {0};

	for (size_t p = 0; p < count; p++) {
		double leaving = points[p].weight * points[p].leaving, arriving = points[p].weight * points[p].arriving;
		numbers target;

		memcpy(&target, points[p].target, sizeof target);
		aa += leaving * points[p].leaving;
		ab += leaving * points[p].arriving;
		bb += arriving * points[p].arriving;
		a += leaving * target;
		b += arriving * target;
	}
	determinant = aa * bb - ab * ab;
	if (!(determinant > 1e-12 * aa * bb))
		return false;
	for (unsigned c = 0; c < REDUCE_COMPONENTS; c++) {
		cubic->leaving[c] = (double)(float)((a[c] * bb - b[c] * ab) / determinant);
		cubic->arriving[c] = (double)(float)((b[c] * aa - a[c] * ab) / determinant);
	}
	return true;
}

/* The result of a round of weights. */
struct round {
	double most;        /* the error at the farthest point */
	double off, may_be; /* sums of the weighted squares */
};

/* Measure the error at the points. The weights are multiplied by the errors, or for joints set to them. */
ANIM_INLINE struct round weigh(struct point *points, size_t count, const struct reduce_cubic *cubic, bool together)
{
	struct round round = {0};
	numbers leaving, arriving;
	double by;

	memcpy(&leaving, cubic->leaving, sizeof leaving);
	memcpy(&arriving, cubic->arriving, sizeof arriving);
	for (size_t p = 0; p < count; p++) {
		double square, off;
		numbers target;

		memcpy(&target, points[p].target, sizeof target);
		square = sum_of_squares(target - (points[p].leaving * leaving + points[p].arriving * arriving));
		off = sqrt(square);
		round.off += points[p].weight * square;
		round.may_be += points[p].weight * points[p].may_be;
		points[p].weight = together ? off : points[p].weight * off;
		round.most = round.most > off ? round.most : off;
	}
	by = 1 / round.most;
	for (size_t p = 0; p < count && round.most > 0; p++)
		points[p].weight = points[p].weight * by + 1e-6;
	return round;
}

static void start_cubic(const struct reduce_run *run, size_t i, size_t j, struct reduce_cubic *cubic)
{
	*cubic = (struct reduce_cubic){.from = value_at(run, i),
				       .to = value_at(run, j),
				       .start_s = run->time[i],
				       .length_s = run->time[j] - run->time[i]};
	for (unsigned c = 0; c < run->components; c++) {
		cubic->leaving[c] = cubic->arriving[c] =
		    (double)(float)((cubic->to[c] - cubic->from[c]) / cubic->length_s);
		if (run->leaving == NULL || j > i + 1)
			continue;
		cubic->leaving[c] = run->leaving[i * run->components + c];
		cubic->arriving[c] = run->arriving[j * run->components + c];
	}
}

/* The points of a curve, and how it is fitted. */
struct drawing {
	struct point points[WINDOW * POINTS];
	size_t count;
	unsigned rounds;
	bool together;
	double enough;
};

ANIM_INLINE bool run_rounds(struct drawing *d, struct reduce_cubic *cubic)
{
	double least = (double)INFINITY;

	for (unsigned round = 0; round < d->rounds && least > d->enough; round++) {
		struct reduce_cubic tried = *cubic;
		bool solved = solve(d->points, d->count, &tried);
		struct round now = weigh(d->points, d->count, &tried, d->together);

		if (d->enough > 0 && solved && now.off > (1 + 1e-6) * now.may_be)
			return false;
		if (now.most < least) {
			least = now.most;
			*cubic = tried;
		}
	}
	return true;
}

static bool run_rounds_plain(struct drawing *d, struct reduce_cubic *cubic)
{
	return run_rounds(d, cubic);
}

ANIM_AVX2 static bool run_rounds_avx2(struct drawing *d, struct reduce_cubic *cubic)
{
	return run_rounds(d, cubic);
}

/*
 * Fit by least squares, then with weights that follow the errors. This is Lawson's method for the smallest largest
 * error. For joints the weights are the errors, which leads to the smallest sum of their cubes. If `enough` is above
 * 0, the search stops when all points are that near. Returns false if no cubic is near enough to all points: the
 * least sum of weighted squares then exceeds the sum of the allowed ones.
 */
static bool draw(const struct reduce_run *run, size_t i, size_t j, double enough, struct reduce_cubic *cubic)
{
	struct drawing d;

	d.count = place_points(run, cubic, i, j, d.points);
	d.rounds = run->together ? TOGETHER : ROUNDS;
	d.together = run->together;
	d.enough = enough;
	if (enough > 0)
		limit_points(run, i, j, d.points);
	return (anim_block_best() == ANIM_BLOCK_AVX2 && !run->plain ? run_rounds_avx2 : run_rounds_plain)(&d, cubic);
}

void reduce_cubic_fit(const struct reduce_run *run, size_t i, size_t j, struct reduce_cubic *cubic)
{
	start_cubic(run, i, j, cubic);
	if (j - i >= 2 && j - i <= WINDOW)
		draw(run, i, j, 0, cubic);
}

void reduce_cubic_at(const struct reduce_cubic *cubic, unsigned components, double t, double value[REDUCE_COMPONENTS],
		     double slope[REDUCE_COMPONENTS])
{
	double u = (t - cubic->start_s) / cubic->length_s;

	for (unsigned c = 0; c < components; c++) {
		value[c] = anim_hermite(cubic->from[c], cubic->leaving[c], cubic->to[c], cubic->arriving[c],
					cubic->length_s, u);
		slope[c] = 6 * u * (1 - u) * (cubic->to[c] - cubic->from[c]) / cubic->length_s +
			   (1 - u) * (1 - 3 * u) * cubic->leaving[c] + u * (3 * u - 2) * cubic->arriving[c];
	}
}

/* ---- Errors ---- */

static double size_of(const struct reduce_run *run, const double *v)
{
	double square = 0, largest = 0;

	for (unsigned c = 0; c < run->components; c++) {
		square += v[c] * v[c];
		largest = fmax(largest, fabs(v[c]));
	}
	return run->metric == REDUCE_LARGEST ? largest : sqrt(square);
}

/*
 * Return a bound of the length of a cubic. A cubic is within the hull of its four control points, so no point is
 * longer than the longest of them. The bound of its two halves is closer. If the limit is above 0, the curve is
 * halved as long as this can decide whether it stays within the limit.
 */
static double longest(const struct reduce_run *run, const double p[4][REDUCE_COMPONENTS], double limit,
		      unsigned halvings)
{
	double left[4][REDUCE_COMPONENTS], right[4][REDUCE_COMPONENTS];
	double inner = fmax(size_of(run, p[1]), size_of(run, p[2])),
	       ends = fmax(size_of(run, p[0]), size_of(run, p[3]));

	if (inner <= fmax(ends, limit) || halvings == 0 || (limit > 0 && ends > limit))
		return fmax(inner, ends);
	for (unsigned c = 0; c < run->components; c++) {
		double middle = (p[1][c] + p[2][c]) / 2;

		left[0][c] = p[0][c];
		left[1][c] = (p[0][c] + p[1][c]) / 2;
		right[2][c] = (p[2][c] + p[3][c]) / 2;
		right[3][c] = p[3][c];
		left[2][c] = (left[1][c] + middle) / 2;
		right[1][c] = (right[2][c] + middle) / 2;
		left[3][c] = right[0][c] = (left[2][c] + right[1][c]) / 2;
	}
	return fmax(longest(run, (const double(*)[REDUCE_COMPONENTS])left, limit, halvings - 1),
		    longest(run, (const double(*)[REDUCE_COMPONENTS])right, limit, halvings - 1));
}

double reduce_cubic_off(const struct reduce_run *run, const struct reduce_cubic *cubic, size_t k, double limit)
{
	double p[4][REDUCE_COMPONENTS], slopes[2][REDUCE_COMPONENTS], third = (run->time[k + 1] - run->time[k]) / 3;
	const double *a = value_at(run, k), *b = a + run->components;

	reduce_cubic_at(cubic, run->components, run->time[k], p[0], slopes[0]);
	reduce_cubic_at(cubic, run->components, run->time[k + 1], p[3], slopes[1]);
	for (unsigned c = 0; c < run->components; c++) {
		double step = (b[c] - a[c]) / 3, leaving = step, arriving = step;

		if (run->leaving != NULL) {
			leaving = third * run->leaving[k * run->components + c];
			arriving = third * run->arriving[(k + 1) * run->components + c];
		}
		p[0][c] -= a[c];
		p[3][c] -= b[c];
		p[1][c] = p[0][c] + third * slopes[0][c] - leaving;
		p[2][c] = p[3][c] - third * slopes[1][c] + arriving;
	}
	return longest(run, (const double(*)[REDUCE_COMPONENTS])p, limit, HALVINGS);
}

double reduce_cubic_bend(const struct reduce_run *run, const struct reduce_cubic *cubic, double *fastest)
{
	double ends[3][REDUCE_COMPONENTS], middle[REDUCE_COMPONENTS];

	for (unsigned c = 0; c < run->components; c++) {
		double mean = (cubic->to[c] - cubic->from[c]) / cubic->length_s;

		ends[0][c] = (6 * mean - 4 * cubic->leaving[c] - 2 * cubic->arriving[c]) / cubic->length_s;
		ends[1][c] = (2 * cubic->leaving[c] + 4 * cubic->arriving[c] - 6 * mean) / cubic->length_s;
		middle[c] = 3 * mean - cubic->leaving[c] - cubic->arriving[c];
	}
	*fastest = fmax(fmax(size_of(run, cubic->leaving), size_of(run, cubic->arriving)), size_of(run, middle));
	return fmax(size_of(run, ends[0]), size_of(run, ends[1]));
}

double reduce_cubic_least(const struct reduce_run *run, size_t k)
{
	const double *a = value_at(run, k), *b = a + 4, *leaving = run->leaving + 4 * k,
		     *arriving = run->arriving + 4 * (k + 1);
	double third = (run->time[k + 1] - run->time[k]) / 3, middle[4], along[4] = {0}, length = 0, least;

	/* along the direction of its middle, a curve reaches at least as far as the least of its control points */
	for (unsigned c = 0; c < 4; c++) {
		middle[c] = (a[c] + b[c]) / 2 + third * (leaving[c] - arriving[c]) * 0.375;
		length += middle[c] * middle[c];
	}
	for (unsigned c = 0; c < 4; c++) {
		along[0] += a[c] * middle[c];
		along[1] += (a[c] + third * leaving[c]) * middle[c];
		along[2] += (b[c] - third * arriving[c]) * middle[c];
		along[3] += b[c] * middle[c];
	}
	least = length > 0 ? fmin(fmin(along[0], along[1]), fmin(along[2], along[3])) / sqrt(length) : 0;
	return fmax(least, 0);
}

/* Return the rotation angle for a quaternion with this distance from one whose length is at least `least`. */
static double angle_off(double off, double least)
{
	double sine = least > 0 ? off / least : 1;

	return sine < 1 ? 2 * anim_atan2(sine, sqrt(1 - sine * sine)) : ANIM_PI;
}

double reduce_angle_between(const struct reduce_run *run, size_t k)
{
	const double *a = value_at(run, k), *b = a + 4;
	double minus = 0, plus = 0;

	for (int i = 0; i < 4; i++) {
		minus += (a[i] - b[i]) * (a[i] - b[i]);
		plus += (a[i] + b[i]) * (a[i] + b[i]);
	}
	return 4 * anim_atan2(sqrt(fmin(minus, plus)), sqrt(fmax(minus, plus)));
}

/* Return the proven bound between keys k and k + 1, on the curve or, if it is NULL, at the value of the last key. */
static double bound_between(const struct reduce_run *run, const struct reduce_cubic *cubic, const double *held,
			    size_t k, bool arcs)
{
	struct reduce_cubic still = {.from = held, .to = held, .start_s = run->time[k], .length_s = 1};
	const struct reduce_cubic *curve = cubic != NULL ? cubic : &still;
	double off = reduce_cubic_off(run, curve, k, 0), last_s = curve->start_s + curve->length_s, fastest, step,
	       angle;

	/* the rounding error of float32 in the curve's values and times */
	double moved_s =
	    fmax(fabs(curve->start_s - (double)(float)curve->start_s), fabs(last_s - (double)(float)last_s));

	(void)reduce_cubic_bend(run, curve, &fastest);
	off += 0x1p-22 * fmax(size_of(run, curve->from), size_of(run, curve->to)) + 2 * moved_s * fastest;
	if (run->metric != REDUCE_ANGLE)
		return off;
	if (run->leaving != NULL)
		return angle_off(off, reduce_cubic_least(run, k));
	step = reduce_angle_between(run, k);
	angle = angle_off(off, anim_cos(fmin(step, ANIM_PI) / 4));
	return angle + (arcs ? reduce_angle_surplus(step, 0) : 0);
}

void reduce_cubic_prove(const struct reduce_run *run, bool arcs, double limit, uint8_t *keep, bool *more,
			struct reduce_proof *proof)
{
	struct reduce_cubic cubic;
	size_t i = 0, j = 0;

	*proof = (struct reduce_proof){0};
	*more = false;
	for (size_t k = 0; k + 1 < run->n; k++) {
		double bound;

		if (keep[k]) {
			i = k;
			j = reduce_next_kept(keep, run->n, k);
			if (j < run->n)
				reduce_cubic_fit(run, i, j, &cubic);
		}
		if (run->leaving != NULL && keep[k] && keep[k + 1])
			continue;
		bound = bound_between(run, j < run->n ? &cubic : NULL, value_at(run, i), k, arcs);
		if (bound > proof->bound) {
			proof->bound = bound;
			proof->at_s = run->time[k];
		}
		if (bound > limit && !(keep[k] && keep[k + 1])) {
			keep[k + 1] = 1;
			*more = true;
		}
	}
}

/* ---- The keys ---- */

static bool fits(const struct reduce_run *run, size_t i, size_t j)
{
	struct reduce_cubic cubic;
	double least = (double)INFINITY;

	if (j - i == 1)
		return true;
	if (j - i > WINDOW || !(run->time[j] > run->time[i]))
		return false;
	for (size_t k = i; k < j; k++) {
		least = fmin(least, most_off(run, k));
		if (run->fixed != NULL && run->fixed[k])
			return false;
	}
	start_cubic(run, i, j, &cubic);
	if (!(least > 0) || !draw(run, i, j, ENOUGH * least, &cubic))
		return false;
	for (size_t k = i; k < j; k++)
		if (!(reduce_cubic_off(run, &cubic, k, most_off(run, k)) <= most_off(run, k)))
			return false;
	return true;
}

/* Return the farthest key that a curve from key i reaches, by doubling and halving. */
static size_t farthest(const struct reduce_run *run, size_t i, size_t guess)
{
	size_t last = run->n - 1, good = i + 1, bad = last + 1, step = guess;

	while (good < last && bad == last + 1) {
		size_t j = good + step < last ? good + step : last;

		if (fits(run, i, j)) {
			good = j;
			step *= 2;
		} else {
			bad = j;
		}
	}
	while (bad - good > 1) {
		size_t j = good + (bad - good) / 2;

		if (fits(run, i, j))
			good = j;
		else
			bad = j;
	}
	return good;
}

bool reduce_cubic_is_constant(const struct reduce_run *run, const double *at)
{
	for (size_t k = 0; k + 1 < run->n; k++) {
		const struct reduce_cubic still = {.from = at, .to = at, .start_s = run->time[k], .length_s = 1};

		if (run->fixed[k] || !(reduce_cubic_off(run, &still, k, most_off(run, k)) <= most_off(run, k)))
			return false;
	}
	return true;
}

void reduce_choose_cubic(const struct reduce_run *run, uint8_t *keep)
{
	size_t guess = 4;

	for (size_t i = 0; i + 1 < run->n;) {
		size_t j = farthest(run, i, guess);

		guess = (j - i + 1) / 2;
		keep[j] = 1;
		i = j;
	}
}
