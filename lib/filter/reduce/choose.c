/* choose.c: which keys of a track stay. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/reduce/internal.h"
#include "math/block.h"
#include "math/elementary.h"
#include "math/lanes.h"
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
#define BLOCK ANIM_LANES /* keys that are looked at together */
/* One segment may turn by 2.5 radians: half a turn has no shortest way. The cosine of half of that: */
#define ARC_COSINE 0.315322362f

/*
 * The cone and what is asked of it are float32: what they are off is bounded, and what is nearer to a limit than that is looked at
 * in double. A component of a turn back is off by 6 roundings of 1 at most, its vector, which is twice as long, by those of its
 * factors, too: with those of two of them 6e-6 radians cover what 2.5 come to. Differences of numbers are off by their own
 * roundings only, some 16 of them, unless the numbers themselves are no float32.
 */
#define TURN_OFF 6e-6f
#define VECTOR_OFF 0x1p-19f /* of the largest difference */
#define TURN_SLACK 1.1f     /* of rotations: of their slopes the box knows but nearly */
#define ROUNDING 0x1p-20f   /* of a limit and the like */

/* Keys behind i, by column: their slopes from it, and how long after it they are. */
struct block {
	anim_lanes slope[REDUCE_COMPONENTS], seconds;
};

struct view {
	const struct reduce_run *run;
	float *column[REDUCE_COMPONENTS], *limit; /* the run's, as float32, BLOCK more of them */
	float off;                                /* how far these are from the run's values */
	bool wide;                                /* wider registers are there */
	size_t i, reach;      /* keys behind i that count; less where one is too far off for one segment */
	anim_lanes widest;    /* of rotations: the largest arc / sine met; of other values: the largest differences */
	uint32_t *found;      /* keys behind i that lie in the box, from 0: the next one always */
	struct block *blocks; /* of all that were looked at */
};

static const double *value_at(const struct reduce_run *run, size_t k)
{
	return run->value + k * run->components;
}

/* ---- Slopes ---- */

/* acos(w) / sin(acos(w)) for 1 - w up to 0.69, where that is 2.5 / 2: to 2e-7 of itself (fitted at Chebyshev's nodes). */
ANIM_INLINE anim_lanes arc_of_sine(anim_lanes u)
{
	anim_lanes square = u * u;

	/* by pairs: what waits for one another is less */
	return (1.00000008f + u * 0.333321416f) +
	       square * ((0.133604946f + u * 0.0548607247f) +
			 square * ((0.0342975388f - u * 0.00545504312f) + square * 0.0196363206f));
}

/* The rotation vectors from some rotations to others, by the shortest way, and how much longer their arcs are than sines. */
ANIM_INLINE anim_lane_masks turns_between(const anim_lanes a[4], const anim_lanes b[4], anim_lanes out[3],
					  anim_lanes *ratio)
{
	const anim_lanes cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
	const anim_lanes least = anim_lanes_abs(cosine);
	anim_lanes twice, factor;

	*ratio = arc_of_sine(1 - least);
	twice = *ratio * 2;
	factor = (anim_lanes)((anim_lane_masks)twice | ((anim_lane_masks)cosine & INT32_MIN));
	out[0] = (a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1]) * factor;
	out[1] = (a[3] * b[1] - a[1] * b[3] - a[2] * b[0] + a[0] * b[2]) * factor;
	out[2] = (a[3] * b[2] - a[2] * b[3] - a[0] * b[1] + a[1] * b[0]) * factor;
	return (anim_lane_masks)(least < ARC_COSINE);
}

ANIM_INLINE void load_turns(const struct view *view, size_t k, anim_lanes out[4])
{
	for (unsigned c = 0; c < 4; c++)
		out[c] = anim_lanes_load(view->column[c] + k);
}

/* From key i's rotation to those of a block; which of them are too far. */
ANIM_INLINE anim_lane_masks look_at_turns(struct view *view, size_t k, anim_lanes out[REDUCE_COMPONENTS])
{
	anim_lanes from[4], to[4], ratio;
	anim_lane_masks far;

	for (unsigned c = 0; c < 4; c++)
		from[c] = anim_lanes_all(view->column[c][view->i]);
	load_turns(view, k, to);
	far = turns_between(from, to, out, &ratio);
	out[3] = anim_lanes_all(0);
	view->widest = anim_lanes_larger(ratio, view->widest);
	return far;
}

ANIM_INLINE void look_at_numbers(struct view *view, size_t k, unsigned dimensions, anim_lanes out[REDUCE_COMPONENTS])
{
	for (unsigned c = 0; c < REDUCE_COMPONENTS; c++) {
		if (c < dimensions)
			out[c] = anim_lanes_load(view->column[c] + k) - view->column[c][view->i];
		else
			out[c] = anim_lanes_all(0);
		view->widest = anim_lanes_larger(anim_lanes_abs(out[c]), view->widest);
	}
}

/* The seconds from key i to those of a block. */
ANIM_INLINE anim_lanes seconds_to(const struct reduce_run *run, size_t i, size_t k)
{
	const double from = run->time[i], *time = run->time + k;
	double last[BLOCK];

	if (k + BLOCK > run->n) {
		for (unsigned n = 0; n < BLOCK; n++)
			last[n] = run->time[k + n < run->n ? k + n : run->n - 1];
		time = last;
	}
	return (anim_lanes){(float)(time[0] - from), (float)(time[1] - from), (float)(time[2] - from),
			    (float)(time[3] - from)};
}

/* The block that begins with the first-th key behind i, from 0; how near to its slopes a line must pass. */
ANIM_INLINE anim_lanes look(struct view *view, size_t first, unsigned dimensions, bool turns)
{
	struct block *block = &view->blocks[first / BLOCK];
	size_t k = view->i + 1 + first;
	anim_lanes seconds = seconds_to(view->run, view->i, k), by = 1 / seconds, radius;
	anim_lane_masks bad = (anim_lane_masks)(seconds <= 0);
	unsigned bits;

	if (turns)
		bad |= look_at_turns(view, k, block->slope);
	else
		look_at_numbers(view, k, dimensions, block->slope);
	radius = anim_lanes_load(view->limit + k) * (turns ? TURN_SLACK : 1 + ROUNDING) + view->off;
	for (unsigned c = 0; c < dimensions && !turns; c++)
		radius += anim_lanes_abs(block->slope[c]) * VECTOR_OFF;
	for (unsigned c = 0; c < REDUCE_COMPONENTS; c++)
		block->slope[c] *= by;
	block->seconds = seconds;
	bits = anim_lanes_bits(bad);
	for (unsigned n = 0; n < BLOCK && bits != 0; n++)
		if ((bits >> n & 1) != 0 && first + n < view->reach)
			view->reach = first + n;
	return radius * by;
}

/* ---- The cone ---- */

/* Which keys lie in the box around the cone: so many of them in view->found. */
ANIM_INLINE size_t find_inside(struct view *view, unsigned dimensions, bool turns)
{
	anim_lanes low = anim_lanes_all(-INFINITY), high = anim_lanes_all(INFINITY);
	size_t count = 1;

	view->found[0] = 0;
	for (size_t first = 0; first < view->reach; first += BLOCK) {
		anim_lanes radius = look(view, first, dimensions, turns), at[REDUCE_COMPONENTS];

		memcpy(at, view->blocks[first / BLOCK].slope, sizeof at);
		anim_lanes_turn(at);
		for (unsigned n = 0; n < BLOCK && first + n < view->reach; n++) {
			bool inside =
			    anim_lanes_bits((anim_lane_masks)(at[n] >= low) & (anim_lane_masks)(at[n] <= high)) == 15;

			low = anim_lanes_larger(at[n] - radius[n], low);
			high = anim_lanes_smaller(at[n] + radius[n], high);
			view->found[count] = (uint32_t)(first + n);
			count += inside && first + n > 0;
			if (anim_lanes_bits((anim_lane_masks)(low <= high)) != 15)
				return count;
		}
	}
	return count;
}

ANIM_INLINE size_t find_all(struct view *view)
{
	const struct reduce_run *run = view->run;

	if (run->metric == REDUCE_TURN)
		return find_inside(view, 3, true);
	return run->components == 3 ? find_inside(view, 3, false) : find_inside(view, run->components, false);
}

static size_t find_plain(struct view *view)
{
	return find_all(view);
}

ANIM_AVX2 static size_t find_avx2(struct view *view)
{
	return find_all(view);
}

static size_t see_from(struct view *view, size_t i, size_t window)
{
	const struct reduce_run *run = view->run;

	view->i = i;
	view->reach = run->n - 1 - i < window ? run->n - 1 - i : window;
	view->widest = anim_lanes_all(0);
	return view->wide ? find_avx2(view) : find_plain(view);
}

/* ---- What fits ---- */

/* An arc's value, as anim_quat_slerp_double has it; of short arcs by their sines' series. */
static void on_arc(const double a[4], const double b[4], double weight, double out[4])
{
	double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], u = 1 - fabs(dot), square, by, from, to;

	if (!(u < REDUCE_SHORT)) {
		anim_quat_slerp_double(out, a, b, weight);
		return;
	}
	square = reduce_arc_square(u > 0 ? u : 0);
	by = 1 / reduce_sine_part(1, square);
	from = reduce_sine_part(1 - weight, square) * by;
	to = copysign(reduce_sine_part(weight, square) * by, dot);
	for (int i = 0; i < 4; i++)
		out[i] = from * a[i] + to * b[i];
}

void reduce_between(const struct reduce_run *run, size_t i, size_t j, double weight, double out[REDUCE_COMPONENTS])
{
	const double *a = value_at(run, i), *b = value_at(run, j);

	if (run->metric == REDUCE_TURN && !run->by_component) {
		on_arc(a, b, weight, out);
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

/* How far a value of the player is from the straight line between keys i and j: the length, or the largest component. */
static double number_error(const struct reduce_run *run, size_t i, size_t j, size_t k)
{
	double at[REDUCE_COMPONENTS], square = 0, largest = 0;
	const double *key = value_at(run, k);

	reduce_between(run, i, j, (run->time[k] - run->time[i]) / (run->time[j] - run->time[i]), at);
	for (unsigned c = 0; c < run->components; c++) {
		double off = fabs(at[c] - key[c]);

		square += off * off;
		largest = off > largest ? off : largest;
	}
	return run->metric == REDUCE_LENGTH ? sqrt(square) : largest;
}

/* How far a rotation of the player may be from that of an arc to key j. */
static double surplus_of(const struct reduce_run *run, size_t i, size_t j, const float to[REDUCE_COMPONENTS])
{
	const double *a = value_at(run, i), *b = value_at(run, j);
	double x = (double)to[0], y = (double)to[1], z = (double)to[2];
	double turn = (run->time[j] - run->time[i]) * sqrt(x * x + y * y + z * z);

	/* chords the long way, and wide ones, are looked at closely */
	return turn < 1.5 && a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] > 0 ? reduce_turn_surplus(0, turn)
										       : (double)INFINITY;
}

/* The line from key i to a later one, and how far what is told of it by slopes may be wrong. */
struct line {
	size_t j;                                   /* behind key i, from 0 */
	float to[REDUCE_COMPONENTS], margin, least; /* least: rotations are so much of what their vectors are apart */
};

static struct line line_to(const struct view *view, size_t j)
{
	const struct reduce_run *run = view->run;
	struct line line = {.j = j, .margin = view->off, .least = 1};
	float widest = 0;

	for (unsigned c = 0; c < REDUCE_COMPONENTS; c++) {
		line.to[c] = view->blocks[j / BLOCK].slope[c][j % BLOCK];
		widest = view->widest[c] > widest ? view->widest[c] : widest;
	}
	if (run->metric != REDUCE_TURN) {
		line.margin += widest * VECTOR_OFF;
		return line;
	}
	/* far apart, they may be near the other way */
	line.least = widest < 1.3f ? 1 / (widest * widest) : 0;
	if (run->by_component)
		line.margin += (float)(surplus_of(run, view->i, view->i + 1 + j, line.to) * (1 + (double)ROUNDING));
	return line;
}

/* The squares of how far the keys of a block are from it. */
ANIM_INLINE anim_lanes squares_off(const struct view *view, const struct line *line, const struct block *block)
{
	anim_lanes square = anim_lanes_all(0), largest = square;

	for (unsigned c = 0; c < REDUCE_COMPONENTS; c++) {
		anim_lanes off = (line->to[c] - block->slope[c]) * block->seconds;

		square += off * off;
		largest = anim_lanes_larger(anim_lanes_abs(off), largest);
	}
	return view->run->metric == REDUCE_LARGEST ? largest * largest : square;
}

/* Of one key, of which slopes do not tell enough that it is near enough. */
static bool is_near(const struct view *view, const struct line *line, size_t k, float square)
{
	const struct reduce_run *run = view->run;
	size_t i = view->i, key = i + 1 + k, j = i + 1 + line->j;
	float limit = view->limit[key], most = limit * (1 + ROUNDING) + line->margin;

	/* angles beyond 1 have no such sines */
	if ((run->metric != REDUCE_TURN || limit < 1) && square * line->least > most * most)
		return false;
	return (run->metric == REDUCE_TURN ? turn_error(run, i, j, key) : number_error(run, i, j, key)) <=
	       run->limit[key];
}

/* Whether all keys between may go, with a line to the j-th behind i. */
static bool fits(const struct view *view, size_t j)
{
	const struct line line = line_to(view, j);

	for (size_t first = (j - 1) / BLOCK * BLOCK + BLOCK; first > 0;) {
		unsigned far;
		anim_lanes square, near;

		first -= BLOCK;
		square = squares_off(view, &line, &view->blocks[first / BLOCK]);
		near = anim_lanes_load(view->limit + view->i + 1 + first) * (1 - ROUNDING) - line.margin;
		far = ~anim_lanes_bits((anim_lane_masks)(near >= 0) & (anim_lane_masks)(square <= near * near)) & 15;
		for (unsigned n = BLOCK; n-- > 0 && far != 0;)
			if (first + n < j && (far >> n & 1) != 0 && !is_near(view, &line, first + n, square[n]))
				return false;
	}
	return true;
}

/* ---- Short ways, of four keys at a time: most are, where limits are tight ---- */

#define NEAR 4u

/*
 * From each of four neighbouring keys to the first, second ... behind it: slopes, how near to these a line of the box must pass,
 * and the squares of how near a line passes that fits for sure, that may fit.
 */
struct near {
	anim_lanes slope[NEAR][3], radius[NEAR], sure[NEAR], may[NEAR];
	anim_lane_masks unknown; /* what is too far, or the same time */
};

/* What is between the keys at hand: turns along arcs, along chords; points; three numbers, each by itself. */
enum near_kind { NEAR_ARCS, NEAR_CHORDS, NEAR_POINTS, NEAR_NUMBERS };

/* How far a rotation of the player may be from that of an arc, in addition. */
ANIM_INLINE anim_lanes surplus_near(const anim_lanes turn[3], const anim_lanes from[4], const anim_lanes to[4])
{
	anim_lanes square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
	anim_lanes along = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
	/* a cube is no more than the square, times the square and a quarter */
	anim_lanes surplus = square * (square + 0.25f) * (float)(1.00001 * reduce_turn_surplus(0, 1));

	return anim_lanes_pick((anim_lane_masks)(square < 2) & (anim_lane_masks)(along > 0.001f), surplus,
			       anim_lanes_all(INFINITY));
}

ANIM_INLINE anim_lanes seconds_near(const double *time, unsigned d)
{
	return (anim_lanes){(float)(time[d] - time[0]), (float)(time[d + 1] - time[1]), (float)(time[d + 2] - time[2]),
			    (float)(time[d + 3] - time[3])};
}

/* The differences of turns; how much more of a limit they may be than sines are, and how far they may be wrong. */
ANIM_INLINE void look_at_turns_near(const struct view *view, size_t i, bool chords, struct near *near,
				    anim_lanes *widest, anim_lanes *margin)
{
	anim_lanes from[4], to[4], ratio;

	*widest = anim_lanes_all(1);
	*margin = anim_lanes_all(0);
	load_turns(view, i, from);
	for (unsigned d = 0; d < NEAR; d++) {
		load_turns(view, i + d + 1, to);
		near->unknown |= turns_between(from, to, near->slope[d], &ratio);
		*widest = anim_lanes_larger(ratio, *widest);
		if (chords)
			*margin = anim_lanes_larger(surplus_near(near->slope[d], from, to), *margin);
	}
	*margin += view->off;
	near->unknown |= (anim_lane_masks)(*widest > 1.3f);
}

/* The same of numbers, which are what they are but for their roundings. */
ANIM_INLINE void look_at_numbers_near(const struct view *view, size_t i, struct near *near, anim_lanes *margin)
{
	anim_lanes most = anim_lanes_all(0);

	for (unsigned c = 0; c < 3; c++) {
		anim_lanes from = anim_lanes_load(view->column[c] + i);

		for (unsigned d = 0; d < NEAR; d++) {
			near->slope[d][c] = anim_lanes_load(view->column[c] + i + d + 1) - from;
			most = anim_lanes_larger(anim_lanes_abs(near->slope[d][c]), most);
		}
	}
	*margin = most * (3 * VECTOR_OFF) + view->off;
}

ANIM_INLINE void look_near(const struct view *view, size_t i, enum near_kind kind, struct near *near)
{
	bool turns = kind == NEAR_ARCS || kind == NEAR_CHORDS;
	anim_lanes widest = anim_lanes_all(1), margin;

	near->unknown = (anim_lane_masks){0};
	if (turns)
		look_at_turns_near(view, i, kind == NEAR_CHORDS, near, &widest, &margin);
	else
		look_at_numbers_near(view, i, near, &margin);
	for (unsigned d = 0; d < NEAR; d++) {
		anim_lanes seconds = seconds_near(view->run->time + i, d + 1), by = 1 / seconds,
			   limit = anim_lanes_load(view->limit + i + d + 1),
			   less = (limit * (1 - ROUNDING) - margin) * by;
		anim_lanes more = (limit * (1 + ROUNDING) + margin) * by * widest;

		near->unknown |= (anim_lane_masks)(seconds <= 0);
		for (unsigned c = 0; c < 3; c++)
			near->slope[d][c] *= by;
		near->radius[d] = turns ? (limit * TURN_SLACK + view->off) * by : more;
		near->sure[d] = less * anim_lanes_abs(less);
		/* angles beyond 1 have no such sines */
		near->may[d] =
		    !turns ? more * more
			   : anim_lanes_pick((anim_lane_masks)(limit < 1), more * more, anim_lanes_all(INFINITY));
	}
}

/* What is known of lines from four keys. */
struct near_lines {
	anim_lane_masks fits, fails; /* to a key: for sure */
	anim_lane_masks closed;      /* no line passes two of the keys that were looked at */
};

/* A line to the j-th key, past those before it. */
ANIM_INLINE void try_near(const struct near *near, unsigned j, enum near_kind kind, struct near_lines *lines)
{
	lines->fits = (anim_lane_masks){-1, -1, -1, -1};
	lines->fails = (anim_lane_masks){0};
	for (unsigned d = 0; d < j; d++) {
		anim_lanes x = near->slope[j][0] - near->slope[d][0], y = near->slope[j][1] - near->slope[d][1];
		anim_lanes z = near->slope[j][2] - near->slope[d][2], both = near->radius[j] + near->radius[d];
		anim_lanes square = kind != NEAR_NUMBERS ? x * x + y * y + z * z
							 : anim_lanes_larger(anim_lanes_larger(x * x, y * y), z * z);

		lines->fits &= (anim_lane_masks)(square <= near->sure[d]);
		lines->fails |= (anim_lane_masks)(square > near->may[d]);
		lines->closed |= (anim_lane_masks)(square > both * both);
	}
}

/* How far the farthest key that fits is from key i and the three behind it; 0: that has to be looked at closely. */
ANIM_INLINE void step_near(const struct view *view, size_t i, enum near_kind kind, uint8_t steps[BLOCK])
{
	anim_lane_masks known = {-1, -1, -1, -1}, step = {1, 1, 1, 1};
	struct near_lines lines = {.closed = {0}};
	struct near near;

	look_near(view, i, kind, &near);
	for (unsigned j = 1; j < NEAR; j++) {
		try_near(&near, j, kind, &lines);
		step = (lines.fits & (int32_t)(j + 1)) | (~lines.fits & step);
		/* what a longer line decides does not matter */
		known = lines.fits | (known & lines.fails);
	}
	known &= lines.closed & ~near.unknown;
	for (unsigned n = 0; n < BLOCK; n++)
		steps[n] = (uint8_t)(step[n] & known[n]);
}

/* ---- The keys ---- */

#define AHEAD 64u

ANIM_INLINE void step_all(const struct view *view, size_t first, enum near_kind kind, uint8_t steps[AHEAD])
{
	for (size_t k = 0; k < AHEAD && first + k + BLOCK + NEAR <= view->run->n; k += BLOCK)
		step_near(view, first + k, kind, steps + k);
}

/* The steps from AHEAD keys on, all at once, as none waits for another; how many are known. */
ANIM_INLINE unsigned look_ahead(const struct view *view, size_t first, uint8_t steps[AHEAD])
{
	const struct reduce_run *run = view->run;
	unsigned known = 0;

	memset(steps, 0, AHEAD);
	if (run->metric != REDUCE_TURN && run->components != 3)
		return 0;
	if (run->metric == REDUCE_TURN && run->by_component)
		step_all(view, first, NEAR_CHORDS, steps);
	else if (run->metric == REDUCE_TURN)
		step_all(view, first, NEAR_ARCS, steps);
	else if (run->metric == REDUCE_LENGTH)
		step_all(view, first, NEAR_POINTS, steps);
	else
		step_all(view, first, NEAR_NUMBERS, steps);
	for (unsigned k = 0; k < AHEAD; k++)
		known += steps[k] > 0;
	return known;
}

static unsigned look_ahead_plain(const struct view *view, size_t first, uint8_t steps[AHEAD])
{
	return look_ahead(view, first, steps);
}

ANIM_AVX2 static unsigned look_ahead_avx2(const struct view *view, size_t first, uint8_t steps[AHEAD])
{
	return look_ahead(view, first, steps);
}

static size_t step_far(struct view *view, size_t i)
{
	size_t count = see_from(view, i, (size_t)WINDOW_FAST * view->run->pieces);

	while (count > 1 && !fits(view, view->found[count - 1]))
		count--;
	return 1 + view->found[count - 1];
}

/* The farthest key that fits, again and again: within a few percent of the fewest. */
static void choose_farthest(struct view *view, uint8_t *keep)
{
	unsigned (*ahead)(const struct view *, size_t, uint8_t *) = view->wide ? look_ahead_avx2 : look_ahead_plain;
	const struct reduce_run *run = view->run;
	uint8_t steps[AHEAD];
	size_t first = 0, behind = 0; /* of the keys whose steps were looked at */

	for (size_t i = 0; i + 1 < run->n;) {
		if (i >= behind) {
			first = i;
			/* where few are known soon, few will be for a while */
			behind = i + (ahead(view, i, steps) < AHEAD / 4 ? (size_t)AHEAD * AHEAD / 8 : AHEAD);
		}
		i += i < first + AHEAD && steps[i - first] > 0 ? steps[i - first] : step_far(view, i);
		keep[i] = 1;
	}
}

/* The shortest path through the window: cost[j] keys lead to j, the last of them from[j]. */
static int choose_fewest(struct view *view, uint8_t *keep, struct anim_error *error)
{
	size_t n = view->run->n;
	uint32_t *cost = anim_zeroed(2 * n * sizeof *cost, error), *from;

	if (cost == NULL)
		return -1;
	from = cost + n;
	for (size_t k = 1; k < n; k++)
		cost[k] = UINT32_MAX;
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

/* Values of so many components as columns of float32. */
ANIM_INLINE void turn_values(const double *value, unsigned components, size_t n, float *const column[])
{
	for (size_t k = 0; k < n; k++)
		for (unsigned c = 0; c < components; c++)
			column[c][k] = (float)value[k * components + c];
}

/* The columns of a run as float32, the last key again behind them. */
static void fill_columns(struct view *view, float *columns)
{
	const struct reduce_run *run = view->run;
	size_t n = run->n, count = n + BLOCK;

	for (unsigned c = 0; c < REDUCE_COMPONENTS; c++)
		view->column[c] = columns + c * count;
	view->limit = columns + REDUCE_COMPONENTS * count;
	if (run->components == 4)
		turn_values(run->value, 4, n, view->column);
	else if (run->components == 3)
		turn_values(run->value, 3, n, view->column);
	else
		turn_values(run->value, run->components, n, view->column);
	for (size_t k = 0; k < n; k++)
		view->limit[k] = (float)run->limit[k];
	for (size_t k = n; k < count; k++) {
		view->limit[k] = view->limit[n - 1];
		for (unsigned c = 0; c < run->components; c++)
			view->column[c][k] = view->column[c][n - 1];
	}
}

/* How far differences of the columns may be off because the values are no float32. */
static float rounding_of(const struct view *view)
{
	const struct reduce_run *run = view->run;
	double most = 0;

	for (size_t i = 0; i < run->n * run->components; i++) {
		double off = fabs(run->value[i] - (double)(float)run->value[i]);

		most = off > most ? off : most;
	}
	return 4 * (float)most;
}

/* Memory of a view. 0 or -1; to be cleared in either case. */
static int view_init(struct view *view, const struct reduce_run *run, size_t window, struct anim_error *error)
{
	size_t bytes;
	float *columns = NULL;

	*view = (struct view){.run = run, .wide = anim_block_best() == ANIM_BLOCK_AVX2};
	window = window < run->n ? window : run->n;
	if (anim_size_multiply(run->n + BLOCK, (REDUCE_COMPONENTS + 1) * sizeof *columns, &bytes, error) != 0)
		return -1;
	view->column[0] = columns = malloc(bytes);
	view->blocks = aligned_alloc(_Alignof(struct block), (window / BLOCK + 1) * sizeof *view->blocks);
	view->found = malloc((window + 1) * sizeof *view->found);
	if (columns == NULL || view->blocks == NULL || view->found == NULL)
		return anim_fail_memory(error);
	fill_columns(view, columns);
	view->off = run->metric == REDUCE_TURN ? TURN_OFF : rounding_of(view);
	return 0;
}

static void view_clear(struct view *view)
{
	free(view->column[0]);
	free(view->blocks);
	free(view->found);
}

static int choose_keys(const struct reduce_run *run, bool fast, uint8_t *keep, struct anim_error *error)
{
	struct view view;
	size_t window = (size_t)(fast ? WINDOW_FAST : WINDOW_FEWEST) * run->pieces;
	int status;

	keep[0] = 1;
	if (run->cubic) {
		reduce_choose_cubic(run, keep);
		return 0;
	}
	status = view_init(&view, run, window, error);
	if (status == 0 && fast)
		choose_farthest(&view, keep);
	else if (status == 0)
		status = choose_fewest(&view, keep, error);
	view_clear(&view);
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
