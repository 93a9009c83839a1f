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
 *
 * Slopes of rotations are angular velocities, in the space that is flat at key i: two rotations are no farther apart than their
 * vectors there, and no nearer than sin(x / 2) / (x / 2) of that, x the larger of their angles. Only what lies between the two
 * has to be looked at closely.
 */

/* Of the track's own keys: */
#define WINDOW_FEWEST 256u /* that a shortest path looks ahead: the optimum to half a percent */
#define WINDOW_FAST 4096u
#define BOX_SLACK 1.1 /* of rotations: of their slopes the box knows but nearly */
#define ARC_MAX 2.5   /* radians that one segment may turn: half a turn has no shortest way */
#define BLOCK 4u      /* keys that are looked at together, in loops of vectors */

/* Keys behind i: their slopes from it, and how near to these a line must pass. */
struct block {
	double slope[REDUCE_COMPONENTS][BLOCK], radius[BLOCK];
};

struct view {
	const struct reduce_run *run;
	size_t i, reach;      /* keys behind i that count; less where one is too far off for one segment */
	double widest;        /* of rotations: the square of the largest angle that was met */
	uint32_t *found;      /* keys behind i that lie in the box, from 0: the next one always */
	struct block *blocks; /* of all that were looked at */
};

static const double *value_at(const struct reduce_run *run, size_t k)
{
	return run->value + k * run->components;
}

/* ---- Slopes ---- */

/* Rotations by column, as seen from one of them. */
struct turned {
	double x[BLOCK], y[BLOCK], z[BLOCK], w[BLOCK], square[BLOCK];
};

/* The rotation vectors by the shortest way; 0: their factors were taken from a series that does not reach so far. */
static void rotation_vectors(struct turned *t)
{
	double factor[BLOCK], most = 0;

	/* asin(s) / s by its series where the angle is below a quarter turn */
	for (unsigned n = 0; n < BLOCK; n++) {
		double s = t->square[n] = t->x[n] * t->x[n] + t->y[n] * t->y[n] + t->z[n] * t->z[n];
		double series = 1 + s * (1.0 / 6 + s * (3.0 / 40 + s * (15.0 / 336 + s * (105.0 / 3456))));

		factor[n] = t->w[n] < 0 ? -2 * series : 2 * series;
		most = s > most ? s : most;
	}
	for (unsigned n = 0; n < BLOCK && most >= 0.1; n++)
		if (t->square[n] >= 0.1) {
			double sine = sqrt(t->square[n]);

			factor[n] = copysign(2 * anim_atan2(sine, fabs(t->w[n])) / sine, t->w[n]);
		}
	for (unsigned n = 0; n < BLOCK; n++) {
		t->x[n] *= factor[n];
		t->y[n] *= factor[n];
		t->z[n] *= factor[n];
		t->square[n] *= factor[n] * factor[n];
	}
}

/* From the rotation a to those of a block, which are by column. */
static void turn_back(const double a[4], struct turned *t)
{
	for (unsigned n = 0; n < BLOCK; n++) {
		double x = t->x[n], y = t->y[n], z = t->z[n], w = t->w[n];

		t->x[n] = a[3] * x - a[0] * w - a[1] * z + a[2] * y;
		t->y[n] = a[3] * y - a[1] * w - a[2] * x + a[0] * z;
		t->z[n] = a[3] * z - a[2] * w - a[0] * y + a[1] * x;
		t->w[n] = a[0] * x + a[1] * y + a[2] * z + a[3] * w;
	}
}

/* How far the keys of a block are from key i, not yet a second. */
static void look_at_turns(struct view *view, const size_t k[BLOCK], size_t first, struct block *block)
{
	struct turned t;

	for (unsigned n = 0; n < BLOCK; n++) {
		const double *q = view->run->value + 4 * k[n];

		t.x[n] = q[0];
		t.y[n] = q[1];
		t.z[n] = q[2];
		t.w[n] = q[3];
	}
	turn_back(value_at(view->run, view->i), &t);
	rotation_vectors(&t);
	for (unsigned n = 0; n < BLOCK; n++) {
		block->slope[0][n] = t.x[n];
		block->slope[1][n] = t.y[n];
		block->slope[2][n] = t.z[n];
		view->widest = t.square[n] > view->widest ? t.square[n] : view->widest;
	}
	for (unsigned n = 0; n < BLOCK && view->widest > ARC_MAX * ARC_MAX; n++)
		if (t.square[n] > ARC_MAX * ARC_MAX && first + n < view->reach)
			view->reach = first + n;
}

/* The block that begins with the first-th key behind i, from 0. */
static void look(struct view *view, size_t first)
{
	const struct reduce_run *run = view->run;
	struct block *block = &view->blocks[first / BLOCK];
	unsigned dimensions = run->metric == REDUCE_TURN ? 3 : run->components;
	double seconds[BLOCK], least = (double)INFINITY;
	size_t k[BLOCK];

	for (unsigned n = 0; n < BLOCK; n++) {
		k[n] = view->i + 1 + first + n < run->n ? view->i + 1 + first + n : run->n - 1;
		seconds[n] = run->time[k[n]] - run->time[view->i];
		block->radius[n] = run->limit[k[n]];
		least = seconds[n] < least ? seconds[n] : least;
	}
	if (run->metric == REDUCE_TURN)
		look_at_turns(view, k, first, block);
	else
		for (unsigned c = 0; c < dimensions; c++)
			for (unsigned n = 0; n < BLOCK; n++)
				block->slope[c][n] = value_at(run, k[n])[c] - value_at(run, view->i)[c];
	for (unsigned n = BLOCK; n-- > 0 && !(least > 0);)
		if (!(seconds[n] > 0) && first + n < view->reach)
			view->reach = first + n;
	for (unsigned n = 0; n < BLOCK; n++)
		seconds[n] = 1 / seconds[n];
	for (unsigned n = 0; n < BLOCK; n++)
		block->radius[n] *= seconds[n];
	for (unsigned c = 0; c < dimensions; c++)
		for (unsigned n = 0; n < BLOCK; n++)
			block->slope[c][n] *= seconds[n];
}

/* ---- The cone ---- */

/* Which keys lie in the box around the cone: *found of them in view->found. */
ANIM_INLINE size_t find_inside(struct view *view, unsigned dimensions, double slack)
{
	double low[REDUCE_COMPONENTS], high[REDUCE_COMPONENTS];
	size_t count = 1;
	bool any = true;

	view->found[0] = 0;
	for (unsigned c = 0; c < dimensions; c++) {
		low[c] = -(double)INFINITY;
		high[c] = (double)INFINITY;
	}
	for (size_t first = 0; any && first < view->reach; first += BLOCK) {
		const struct block *block = &view->blocks[first / BLOCK];

		look(view, first);
		for (unsigned n = 0; any && n < BLOCK && first + n < view->reach; n++) {
			double radius = slack * block->radius[n];
			bool inside = true;

			for (unsigned c = 0; c < dimensions; c++) {
				double at = block->slope[c][n], from = at - radius, to = at + radius;

				inside = inside & (at >= low[c]) & (at <= high[c]);
				low[c] = from > low[c] ? from : low[c];
				high[c] = to < high[c] ? to : high[c];
				any = any & (low[c] <= high[c]);
			}
			if (inside && first + n > 0)
				view->found[count++] = (uint32_t)(first + n);
		}
	}
	return count;
}

static size_t see_from(struct view *view, size_t i, size_t window)
{
	const struct reduce_run *run = view->run;

	view->i = i;
	view->reach = run->n - 1 - i < window ? run->n - 1 - i : window;
	view->widest = 0;
	if (run->metric == REDUCE_TURN)
		return find_inside(view, 3, BOX_SLACK);
	switch (run->components) {
	case 1:
		return find_inside(view, 1, 1 + 1e-9);
	case 3:
		return find_inside(view, 3, 1 + 1e-9);
	default:
		return find_inside(view, run->components, 1 + 1e-9);
	}
}

/* ---- What fits ---- */

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

/* How far key k is from the segment of i and j: the angle. */
static double turn_error(const struct reduce_run *run, size_t i, size_t j, size_t k)
{
	double at[REDUCE_COMPONENTS], square = 0, sum = 0, difference = 0;
	const double *key = value_at(run, k);

	reduce_between(run, i, j, (run->time[k] - run->time[i]) / (run->time[j] - run->time[i]), at);
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

/* The squares of what the line to a key is off from the others, and of what it may be. */
ANIM_INLINE double off_by(const struct view *view, const double to[REDUCE_COMPONENTS], size_t behind,
			  unsigned dimensions, double *may_be)
{
	const struct block *block = &view->blocks[behind / BLOCK];
	double square = 0, radius = block->radius[behind % BLOCK];

	for (unsigned c = 0; c < dimensions; c++) {
		double off = to[c] - block->slope[c][behind % BLOCK];

		square += off * off;
	}
	*may_be = radius * fabs(radius);
	return square;
}

/* How far a rotation of the player may be from that of an arc to key j. */
static double surplus_of(const struct reduce_run *run, size_t i, size_t j, const double to[REDUCE_COMPONENTS])
{
	const double *a = value_at(run, i), *b = value_at(run, j);
	double turn = (run->time[j] - run->time[i]) * sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);

	if (!run->by_component)
		return 0;
	/* chords the long way, and wide ones, are looked at closely */
	return turn < 1.5 && a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] > 0 ? reduce_turn_surplus(0, turn)
										       : (double)INFINITY;
}

static bool fits_turn(const struct view *view, const double to[REDUCE_COMPONENTS], size_t j)
{
	const struct reduce_run *run = view->run;
	/* of what rotation vectors are apart, how much the rotations are at least; far apart, they may be near the other way */
	double least = view->widest < 6 ? (1 - view->widest / 24) * (1 - view->widest / 24) : 0;
	double surplus = surplus_of(run, view->i, view->i + 1 + j, to);

	for (size_t k = j; k-- > 0;) {
		double limit = run->limit[view->i + 1 + k], may_be,
		       off = off_by(view, to, k, 3, &may_be) * limit * limit;

		if (limit >= surplus && off <= may_be * ((limit - surplus) * (limit - surplus)))
			continue;
		if ((limit < 1 && off * least > may_be * ((limit + surplus) * (limit + surplus))) ||
		    !(turn_error(run, view->i, view->i + 1 + j, view->i + 1 + k) <= limit))
			return false;
	}
	return true;
}

ANIM_INLINE bool fits_length(const struct view *view, const double to[REDUCE_COMPONENTS], size_t j, unsigned dimensions)
{
	for (size_t k = j; k-- > 0;) {
		double may_be, off = off_by(view, to, k, dimensions, &may_be);

		if (!(off <= may_be))
			return false;
	}
	return true;
}

static bool fits_largest(const struct view *view, const double to[REDUCE_COMPONENTS], size_t j)
{
	for (size_t k = j; k-- > 0;)
		for (unsigned c = 0; c < view->run->components; c++)
			if (!(fabs(to[c] - view->blocks[k / BLOCK].slope[c][k % BLOCK]) <=
			      view->blocks[k / BLOCK].radius[k % BLOCK]))
				return false;
	return true;
}

/* Whether all keys between may go, with a line to the j-th behind i. */
static bool fits(const struct view *view, size_t j)
{
	double to[REDUCE_COMPONENTS];

	for (unsigned c = 0; c < REDUCE_COMPONENTS; c++)
		to[c] = view->blocks[j / BLOCK].slope[c][j % BLOCK];
	if (view->run->metric == REDUCE_TURN)
		return fits_turn(view, to, j);
	if (view->run->metric == REDUCE_LARGEST)
		return fits_largest(view, to, j);
	return view->run->components == 3 ? fits_length(view, to, j, 3)
					  : fits_length(view, to, j, view->run->components);
}

/* ---- The keys ---- */

/* The farthest key that fits, again and again: within a few percent of the fewest. */
static void choose_farthest(struct view *view, uint8_t *keep)
{
	for (size_t i = 0; i + 1 < view->run->n;) {
		size_t count = see_from(view, i, (size_t)WINDOW_FAST * view->run->pieces);

		while (count > 1 && !fits(view, view->found[count - 1]))
			count--;
		i += 1 + view->found[count - 1];
		keep[i] = 1;
	}
}

/* The shortest path through the window: cost[j] keys lead to j, the last of them from[j]. */
static int choose_fewest(struct view *view, uint8_t *keep, struct anim_error *error)
{
	size_t n = view->run->n;
	uint32_t *cost = malloc(2 * n * sizeof *cost), *from;

	if (cost == NULL)
		return anim_fail_memory(error);
	from = cost + n;
	memset(cost, 0xff, n * sizeof *cost);
	cost[0] = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		size_t count = see_from(view, i, (size_t)WINDOW_FEWEST * view->run->pieces);

		for (size_t c = 0; c < count; c++) {
			size_t j = i + 1 + view->found[c];

			if (cost[i] + 1 < cost[j] && fits(view, view->found[c])) {
				cost[j] = cost[i] + 1;
				from[j] = (uint32_t)i;
			}
		}
	}
	for (size_t k = n - 1; k > 0; k = from[k])
		keep[k] = 1;
	free(cost);
	return 0;
}

/* Never farther from a value than it may be. */
static bool is_constant(const struct reduce_run *run, const double *at)
{
	for (size_t k = 0; k < run->n; k++) {
		double square = 0, largest = 0, dot = 0;

		for (unsigned i = 0; i < run->components; i++) {
			double off = run->value[k * run->components + i] - at[i];

			square += off * off;
			largest = fmax(largest, fabs(off));
			dot += run->value[k * run->components + i] * at[i];
		}
		if (run->metric == REDUCE_TURN) /* 2 sin(angle / 4), and the sign of the quaternion stays */
			largest = dot > 0 ? 2 * sqrt(square) : ANIM_PI;
		if (!((run->metric == REDUCE_LENGTH ? sqrt(square) : largest) <= 0.999 * run->limit[k]))
			return false;
	}
	return true;
}

static int choose_keys(const struct reduce_run *run, bool fast, uint8_t *keep, struct anim_error *error)
{
	struct view view = {.run = run};
	size_t window = (size_t)(fast ? WINDOW_FAST : WINDOW_FEWEST) * run->pieces;
	int status = 0;

	keep[0] = 1;
	if (run->cubic) {
		reduce_choose_cubic(run, keep);
		return 0;
	}
	view.blocks = malloc((window / BLOCK + 1) * sizeof *view.blocks);
	view.found = malloc((window + 1) * sizeof *view.found);
	if (view.blocks == NULL || view.found == NULL)
		status = anim_fail_memory(error);
	else if (fast)
		choose_farthest(&view, keep);
	else
		status = choose_fewest(&view, keep, error);
	free(view.blocks);
	free(view.found);
	return status;
}

/* All but the first key and the last, between which the others are chosen as if there were no more. */
static struct reduce_run inner_of(const struct reduce_run *run)
{
	struct reduce_run inner = *run;

	inner.n -= 2;
	inner.time++;
	inner.limit++;
	inner.value += run->components;
	if (run->leaving != NULL) {
		inner.leaving += run->components;
		inner.arriving += run->components;
		inner.fixed++;
		inner.slack++;
		inner.key++;
	}
	return inner;
}

int reduce_choose(const struct reduce_run *run, bool fast, uint8_t *keep, struct anim_error *error)
{
	bool curved = run->leaving != NULL, seam = run->seam && run->n > 3;
	struct reduce_run inner = seam ? inner_of(run) : *run;

	memset(keep, 0, run->n);
	if (run->n == 0 ||
	    (run->rest != NULL && (curved ? reduce_cubic_is_constant(run, run->rest) : is_constant(run, run->rest))))
		return 0;
	keep[0] = 1;
	if (curved ? reduce_cubic_is_constant(run, run->value) : is_constant(run, run->value))
		return 0;
	keep[run->n - 1] = 1;
	return choose_keys(&inner, fast, keep + seam, error);
}
