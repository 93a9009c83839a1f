/* choose.c: which keys of a track stay. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/reduce/internal.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/*
 * From a key i to a later key j the others may go when each k between lies within its limit of the straight line from i to j.
 * Seen from i the line's slope must then lie within limit[k] / (time[k] - time[i]) of k's own, for all k: a cone that only
 * grows narrower. A box around it is kept, which is cheap; when it is empty no later j fits. What lies in the box is looked at
 * key by key. (J. O'Rourke, "An on-line algorithm for fitting straight lines between data ranges", 1981; H. Imai and M. Iri,
 * "Polygonal approximations of a curve", 1988: the fewest keys are a shortest path over all i and j that fit.)
 */

#define WINDOW_FEWEST 256u /* keys that a shortest path looks ahead: the optimum to half a percent */
#define WINDOW_FAST 4096u
#define BOX_SLACK 1.1 /* of rotations: their slopes are angular velocities, of which the box knows but nearly */
#define ARC_MAX 2.5   /* radians that one segment may turn: half a turn has no shortest way */

struct box {
	double low[REDUCE_COMPONENTS], high[REDUCE_COMPONENTS];
	unsigned dimensions;
};

static const double *value_at(const struct reduce_run *run, size_t k)
{
	return run->value + k * run->components;
}

/* The rotation vector from quaternion a to b, by the shortest way. */
static void rotation_vector(const double a[4], const double b[4], double out[3])
{
	double x = a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
	double y = a[3] * b[1] - a[1] * b[3] - a[2] * b[0] + a[0] * b[2];
	double z = a[3] * b[2] - a[2] * b[3] - a[0] * b[1] + a[1] * b[0];
	double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
	double square = x * x + y * y + z * z, factor;

	/* asin(s) / s by its series where the angle is below a quarter turn */
	if (square < 0.1)
		factor = 1 + square * (1.0 / 6 + square * (3.0 / 40 + square * (15.0 / 336 + square * (105.0 / 3456))));
	else
		factor = anim_atan2(sqrt(square), fabs(w)) / sqrt(square);
	factor = w < 0 ? -2 * factor : 2 * factor;
	out[0] = factor * x;
	out[1] = factor * y;
	out[2] = factor * z;
}

/* From key i to key j, a second. False where they are too far apart for one segment. */
static bool slope(const struct reduce_run *run, size_t i, size_t j, double out[REDUCE_COMPONENTS])
{
	double seconds = run->time[j] - run->time[i];
	const double *a = value_at(run, i), *b = value_at(run, j);

	if (!(seconds > 0))
		return false;
	if (run->metric == REDUCE_TURN) {
		rotation_vector(a, b, out);
		if (out[0] * out[0] + out[1] * out[1] + out[2] * out[2] > ARC_MAX * ARC_MAX)
			return false;
		for (int c = 0; c < 3; c++)
			out[c] /= seconds;
		return true;
	}
	for (unsigned c = 0; c < run->components; c++)
		out[c] = (b[c] - a[c]) / seconds;
	return true;
}

static void open_box(struct box *box, const struct reduce_run *run)
{
	box->dimensions = run->metric == REDUCE_TURN ? 3 : run->components;
	for (unsigned c = 0; c < box->dimensions; c++) {
		box->low[c] = -(double)INFINITY;
		box->high[c] = (double)INFINITY;
	}
}

static bool is_inside(const struct box *box, const double at[REDUCE_COMPONENTS])
{
	for (unsigned c = 0; c < box->dimensions; c++)
		if (!(at[c] >= box->low[c] && at[c] <= box->high[c]))
			return false;
	return true;
}

/* Narrows the box to what is so near to a slope. False where nothing is left. */
static bool narrow(struct box *box, const double at[REDUCE_COMPONENTS], double radius)
{
	bool any = true;

	for (unsigned c = 0; c < box->dimensions; c++) {
		box->low[c] = fmax(box->low[c], at[c] - radius);
		box->high[c] = fmin(box->high[c], at[c] + radius);
		any = any && box->low[c] <= box->high[c];
	}
	return any;
}

void reduce_between(const struct reduce_run *run, size_t i, size_t j, double weight, double out[REDUCE_COMPONENTS])
{
	const double *a = value_at(run, i), *b = value_at(run, j);

	if (run->metric == REDUCE_TURN && !run->by_component) {
		anim_quat_slerp_double(out, a, b, weight);
		return;
	}
	for (unsigned c = 0; c < run->components; c++)
		out[c] = a[c] + weight * (b[c] - a[c]);
}

static double turn_error(const double at[4], const double *key)
{
	double square = 0, sum = 0, difference = 0;

	for (int c = 0; c < 4; c++)
		square += at[c] * at[c];
	square = 1 / sqrt(square);
	for (int c = 0; c < 4; c++) {
		double minus = at[c] * square - key[c], plus = at[c] * square + key[c];

		difference += minus * minus;
		sum += plus * plus;
	}
	/* |p - q| of unit quaternions is 2 sin(angle / 4) */
	difference = sqrt(fmin(difference, sum)) / 2;
	return 4 * difference * (1 + difference * difference / 6);
}

/* How far key k is from the segment of i and j. */
static double error_at(const struct reduce_run *run, size_t i, size_t j, size_t k)
{
	double at[REDUCE_COMPONENTS], square = 0, largest = 0;
	const double *key = value_at(run, k);

	reduce_between(run, i, j, (run->time[k] - run->time[i]) / (run->time[j] - run->time[i]), at);
	if (run->metric == REDUCE_TURN)
		return turn_error(at, key);
	for (unsigned c = 0; c < run->components; c++) {
		double off = at[c] - key[c];

		square += off * off;
		largest = fmax(largest, fabs(off));
	}
	return run->metric == REDUCE_LENGTH ? sqrt(square) : largest;
}

static bool fits(const struct reduce_run *run, size_t i, size_t j)
{
	for (size_t k = j - 1; k > i; k--)
		if (!(error_at(run, i, j, k) <= run->limit[k]))
			return false;
	return true;
}

/* Where a walk over the keys behind i is. */
struct walk {
	const struct reduce_run *run;
	struct box box;
	size_t i, j, end;
	double slack;
};

static void start_walk(struct walk *walk, const struct reduce_run *run, size_t i, size_t window)
{
	walk->run = run;
	walk->i = walk->j = i;
	walk->end = run->n - i > window ? i + window : run->n - 1;
	walk->slack = run->metric == REDUCE_TURN ? BOX_SLACK : 1 + 1e-9;
	open_box(&walk->box, run);
}

/* The next key that the box does not rule out; the next key of all is always one. 0: there is none. */
static size_t next_of_walk(struct walk *walk)
{
	const struct reduce_run *run = walk->run;
	double at[REDUCE_COMPONENTS];

	while (walk->j < walk->end) {
		size_t j = ++walk->j;
		bool usable = slope(run, walk->i, j, at), inside = usable && is_inside(&walk->box, at);
		double radius = walk->slack * run->limit[j] / (run->time[j] - run->time[walk->i]);

		if (!usable || !narrow(&walk->box, at, radius))
			walk->end = j;
		if (inside || j == walk->i + 1)
			return j;
	}
	return 0;
}

/* The farthest key that fits, again and again: within a few percent of the fewest. */
static int choose_farthest(const struct reduce_run *run, uint8_t *keep, struct anim_error *error)
{
	size_t *found = malloc((WINDOW_FAST + 1) * sizeof *found);

	if (found == NULL)
		return anim_fail_memory(error);
	for (size_t i = 0; i + 1 < run->n;) {
		struct walk walk;
		size_t count = 0, j;

		start_walk(&walk, run, i, WINDOW_FAST);
		while ((j = next_of_walk(&walk)) != 0)
			found[count++] = j;
		while (count > 1 && !fits(run, i, found[count - 1]))
			count--;
		i = found[count - 1];
		keep[i] = 1;
	}
	free(found);
	return 0;
}

/* The shortest path through the window: cost[j] keys lead to j, the last of them from[j]. */
static int choose_fewest(const struct reduce_run *run, uint8_t *keep, struct anim_error *error)
{
	uint32_t *cost = malloc(2 * run->n * sizeof *cost), *from;

	if (cost == NULL)
		return anim_fail_memory(error);
	from = cost + run->n;
	memset(cost, 0xff, run->n * sizeof *cost);
	cost[0] = 0;
	for (size_t i = 0; i + 1 < run->n; i++) {
		struct walk walk;
		size_t j;

		start_walk(&walk, run, i, WINDOW_FEWEST);
		while ((j = next_of_walk(&walk)) != 0)
			if (cost[i] + 1 < cost[j] && fits(run, i, j)) {
				cost[j] = cost[i] + 1;
				from[j] = (uint32_t)i;
			}
	}
	for (size_t k = run->n - 1; k > 0; k = from[k])
		keep[k] = 1;
	free(cost);
	return 0;
}

/* Never farther from its first value than it may be: one key is enough. */
static bool is_constant(const struct reduce_run *run)
{
	for (size_t k = 1; k < run->n; k++) {
		double square = 0, largest = 0, dot = 0;

		for (unsigned i = 0; i < run->components; i++) {
			double off = run->value[k * run->components + i] - run->value[i];

			square += off * off;
			largest = fmax(largest, fabs(off));
			dot += run->value[k * run->components + i] * run->value[i];
		}
		if (run->metric == REDUCE_TURN) /* 2 sin(angle / 4), and the sign of the quaternion stays */
			largest = dot > 0 ? 2 * sqrt(square) : ANIM_PI;
		if (!((run->metric == REDUCE_LENGTH ? sqrt(square) : largest) <= 0.999 * run->limit[k]))
			return false;
	}
	return true;
}

int reduce_choose(const struct reduce_run *run, bool fast, uint8_t *keep, struct anim_error *error)
{
	memset(keep, 0, run->n);
	if (run->n == 0)
		return 0;
	keep[0] = 1;
	if (is_constant(run))
		return 0;
	if (run->cubic) {
		reduce_choose_cubic(run, keep);
		return 0;
	}
	return fast ? choose_farthest(run, keep, error) : choose_fewest(run, keep, error);
}
