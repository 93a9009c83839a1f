/* choose.c: chooses the keys of a track that stay. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/reduce/run.h"
#include "math/block.h"
#include "math/elementary.h"
#include "math/lanes.h"
#include "math/quaternion.h"

/*
 * The keys between a key i and a later key j can be removed if each k between them is within its limit of the
 * straight line from i to j. Seen from i, the slope of the line must then be within limit[k] / (time[k] - time[i])
 * of k's own slope, for all k. This is a cone that only becomes narrower. The code keeps a box around it, which is
 * cheap. When the box is empty, no later j fits. Keys inside the box are checked one by one. (J. O'Rourke, "An
 * on-line algorithm for fitting straight lines between data ranges", 1981; H. Imai and M. Iri, "Polygonal
 * approximations of a curve", 1988: the fewest keys are a shortest path over all i and j that fit.)
 *
 * Slopes of rotations are angular velocities, in the space that is flat at key i. The distance of two rotations is
 * at most the distance of their vectors there, and at least sin(x / 2) / (x / 2) of it, if x is the larger of their
 * angles. Only keys between these two bounds need a closer check.
 */

/* In keys of the track: */
#define WINDOW_FEWEST 256u /* keys that a shortest path looks ahead, which gives the optimum to half a percent */
#define WINDOW_FAST 4096u
#define BLOCK 8u /* keys that are checked together, so that loops become vector instructions */
/*
 * One segment may rotate by 2.5 radians, because a rotation by 180 degrees has no shortest way. This is the cosine
 * of half of that.
 */
#define ARC_COSINE 0.315322362f

/*
 * The cone and the values compared with it are float32. Their errors are bounded, and values nearer to a limit than
 * this bound are checked in double. A component of a relative rotation is off by at most 6 roundings of 1. Its
 * vector is twice as long, and also has the roundings of its factors. Together with the roundings of two of them,
 * 6e-6 radians cover the error at 2.5 radians. Differences of numbers only have their own roundings, about 16 of
 * them, unless the numbers themselves are not float32.
 */
#define ANGLE_OFF 6e-6f
#define VECTOR_OFF 0x1p-19f /* of the largest difference */
#define ANGLE_SLACK 1.1f    /* for rotations: the box knows their slopes only approximately */
#define ROUNDING 0x1p-20f   /* of a limit and similar values */

/* Keys after i, by column: their slopes from i, and their times after it. */
struct block {
	float slope[REDUCE_COMPONENTS][BLOCK], seconds[BLOCK];
};

/* Further data of these keys. */
struct reach_data {
	float radius[BLOCK]; /* largest distance of a line from its slope */
	float widest[BLOCK]; /* the largest value so far: see `widest` in struct view */
	int32_t bad[BLOCK];  /* too far for one segment, or not later */
};

struct view {
	const struct reduce_run *run;
	float *column[REDUCE_COMPONENTS], *limit; /* the run's values as float32, with BLOCK additional ones */
	float off;                                /* largest difference between these and the run's values */
	size_t i, reach; /* number of keys after i that count; fewer if one is too far for one segment */
	float widest;    /* for rotations: the largest arc / sine so far; for other values: the largest difference */
	struct block *blocks; /* of all keys that were checked */
	uint8_t *inside; /* for each block, a bit for each key inside the box; the next key always counts as inside */
};

#define AHEAD 64u /* keys whose steps are computed at once */

static const double *value_at(const struct reduce_run *run, size_t k)
{
	return run->value + k * run->components;
}

/* ---- Slopes ---- */

ANIM_INLINE float larger(float a, float b)
{
	return a > b ? a : b;
}

/*
 * Return acos(w) / sin(acos(w)) for u = 1 - w up to 0.69, at which the angle is 2.5 / 2. The relative error is 2e-7.
 * The polynomial was fitted at Chebyshev nodes.
 */
ANIM_INLINE float arc_of_sine(float u)
{
	float square = u * u;

	/* in pairs, to shorten the chain of dependencies */
	return (1.00000008f + u * 0.333321416f) +
	       square * ((0.133604946f + u * 0.0548607247f) +
			 square * ((0.0342975388f - u * 0.00545504312f) + square * 0.0196363206f));
}

struct rotation {
	float x, y, z, w;
};

/* A rotation vector, the cosine of half its angle (negative for the long way), and the ratio of arcs to sines. */
struct arc {
	float x, y, z, cosine, ratio;
};

ANIM_INLINE struct rotation rotation_at(const struct view *view, size_t k)
{
	return (struct rotation){view->column[0][k], view->column[1][k], view->column[2][k], view->column[3][k]};
}

/* Return the rotation from one rotation to another by the shortest way. */
ANIM_INLINE struct arc arc_between(struct rotation a, struct rotation b)
{
	float cosine = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, ratio = arc_of_sine(1 - fabsf(cosine));
	float factor = copysignf(ratio * 2, cosine);

	return (struct arc){.x = (a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y) * factor,
			    .y = (a.w * b.y - a.y * b.w - a.z * b.x + a.x * b.z) * factor,
			    .z = (a.w * b.z - a.z * b.w - a.x * b.y + a.y * b.x) * factor,
			    .cosine = cosine,
			    .ratio = ratio};
}

/* Return true if the rotation is too wide for one segment. */
ANIM_INLINE bool is_far(struct arc arc)
{
	return fabsf(arc.cosine) < ARC_COSINE;
}

/* Compute the rotations from key i to the keys from k on. */
ANIM_INLINE void measure_rotations(const struct view *view, size_t k, struct block *restrict block,
				   struct reach_data *restrict data)
{
	const struct rotation from = rotation_at(view, view->i);

	for (unsigned n = 0; n < BLOCK; n++) {
		struct arc arc = arc_between(from, rotation_at(view, k + n));

		block->slope[0][n] = arc.x;
		block->slope[1][n] = arc.y;
		block->slope[2][n] = arc.z;
		block->slope[3][n] = 0;
		data->bad[n] |= is_far(arc) ? -1 : 0;
		data->widest[n] = larger(arc.ratio, data->widest[n]);
	}
}

ANIM_INLINE void measure_numbers(const struct view *view, size_t k, unsigned dimensions, struct block *restrict block,
				 struct reach_data *restrict data)
{
	memset(block->slope, 0, sizeof block->slope);
	for (unsigned c = 0; c < dimensions; c++)
		for (unsigned n = 0; n < BLOCK; n++) {
			float off = view->column[c][k + n] - view->column[c][view->i];

			block->slope[c][n] = off;
			data->widest[n] = larger(fabsf(off), data->widest[n]);
		}
}

/* Compute the seconds from key i to the keys of a block. */
ANIM_INLINE void seconds_to(const struct reduce_run *run, size_t i, size_t k, float seconds[BLOCK])
{
	const double from = run->time[i], *time = run->time + k;
	double last[BLOCK];

	if (k + BLOCK > run->n) {
		for (unsigned n = 0; n < BLOCK; n++)
			last[n] = run->time[k + n < run->n ? k + n : run->n - 1];
		time = last;
	}
	for (unsigned n = 0; n < BLOCK; n++)
		seconds[n] = (float)(time[n] - from);
}

/* Return a bit for each of a block's masks. */
ANIM_INLINE unsigned bits_of(const int32_t masks[BLOCK])
{
	anim_lane_masks half[2];

	memcpy(half, masks, sizeof half);
	return anim_lanes_bits(half[0]) | anim_lanes_bits(half[1]) << ANIM_LANES;
}

/* Fill the block that begins with key number `first` after i, counted from 0. */
ANIM_INLINE void measure_block(struct view *view, size_t first, unsigned dimensions, bool rotates,
			       struct reach_data *data)
{
	struct block *restrict block = &view->blocks[first / BLOCK];
	size_t k = view->i + 1 + first;
	unsigned bits;

	seconds_to(view->run, view->i, k, block->seconds);
	for (unsigned n = 0; n < BLOCK; n++)
		data->bad[n] = block->seconds[n] <= 0 ? -1 : 0;
	if (rotates)
		measure_rotations(view, k, block, data);
	else
		measure_numbers(view, k, dimensions, block, data);
	for (unsigned n = 0; n < BLOCK; n++)
		data->radius[n] = view->limit[k + n] * (rotates ? ANGLE_SLACK : 1 + ROUNDING) + view->off;
	for (unsigned c = 0; c < dimensions && !rotates; c++)
		for (unsigned n = 0; n < BLOCK; n++)
			data->radius[n] += fabsf(block->slope[c][n]) * VECTOR_OFF;
	for (unsigned n = 0; n < BLOCK; n++) {
		float by = 1 / block->seconds[n];

		data->radius[n] *= by;
		for (unsigned c = 0; c < REDUCE_COMPONENTS; c++)
			block->slope[c][n] *= by;
	}
	bits = bits_of(data->bad);
	for (unsigned n = 0; n < BLOCK && bits != 0; n++)
		if ((bits >> n & 1) != 0 && first + n < view->reach)
			view->reach = first + n;
}

/* ---- The cone ---- */

/* A box around the cone. */
struct box {
	anim_lanes low, high;
};

/* Narrow the box by the slope of a key. Returns whether the key was inside. */
ANIM_INLINE unsigned narrow(struct box *box, anim_lanes at, float radius)
{
	anim_lane_masks inside = (anim_lane_masks)(at >= box->low) & (anim_lane_masks)(at <= box->high);

	box->low = anim_lanes_larger(at - radius, box->low);
	box->high = anim_lanes_smaller(at + radius, box->high);
	return anim_lanes_bits(inside) == 15;
}

/* Narrow the box by four keys of a block, one by one. Returns a bit for each that was inside. */
ANIM_INLINE unsigned narrow_by_four(struct box *box, const struct block *block, const float *radius, unsigned from)
{
	anim_lanes at[ANIM_LANES];
	unsigned inside;

	for (unsigned c = 0; c < REDUCE_COMPONENTS; c++)
		at[c] = anim_lanes_load(block->slope[c] + from);
	anim_lanes_turn(at);
	inside = narrow(box, at[0], radius[from]);
	inside |= narrow(box, at[1], radius[from + 1]) << 1;
	inside |= narrow(box, at[2], radius[from + 2]) << 2;
	inside |= narrow(box, at[3], radius[from + 3]) << 3;
	return inside << from;
}

/* Find the keys inside the box. */
ANIM_INLINE size_t find_inside(struct view *view, unsigned dimensions, bool rotates)
{
	struct box box = {anim_lanes_all(-INFINITY), anim_lanes_all(INFINITY)};
	struct reach_data data;
	size_t count = 0, first = 0;

	memset(data.widest, 0, sizeof data.widest);
	do {
		unsigned inside;

		measure_block(view, first, dimensions, rotates, &data);
		inside = narrow_by_four(&box, &view->blocks[count], data.radius, 0);
		inside |= narrow_by_four(&box, &view->blocks[count], data.radius, ANIM_LANES);
		if (view->reach < first + BLOCK)
			inside &= (1u << (view->reach - first)) - 1;
		view->inside[count++] = (uint8_t)(first == 0 ? inside | 1 : inside);
		first += BLOCK;
		/* if the box is empty, no later key is inside */
	} while (first < view->reach && anim_lanes_bits((anim_lane_masks)(box.low <= box.high)) == 15);
	view->widest = 0;
	for (unsigned n = 0; n < BLOCK; n++)
		view->widest = larger(data.widest[n], view->widest);
	return count;
}

ANIM_INLINE size_t find_all(struct view *view)
{
	const struct reduce_run *run = view->run;

	if (run->metric == REDUCE_ANGLE)
		return find_inside(view, 3, true);
	return run->components == 3 ? find_inside(view, 3, false) : find_inside(view, run->components, false);
}

/* Return the number of blocks after key i that may have keys inside the box. */
ANIM_INLINE size_t search_from(struct view *view, size_t i, size_t window)
{
	const struct reduce_run *run = view->run;

	view->i = i;
	view->reach = run->n - 1 - i < window ? run->n - 1 - i : window;
	return find_all(view);
}

/* ---- Lines that fit ---- */

/* Return a value on an arc, like anim_quat_slerp_double. Short arcs use the series of their sines. */
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

	if (run->metric == REDUCE_ANGLE && !run->by_component) {
		on_arc(a, b, weight, out);
		return;
	}
	for (unsigned c = 0; c < run->components; c++)
		out[c] = a[c] + weight * (b[c] - a[c]);
}

/* Return the error of key k on the segment from i to j, as an angle. */
static double angle_error(const struct reduce_run *run, size_t i, size_t j, size_t k)
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
	/*
	 * p - q| of unit quaternions is 2 sin(angle / 4)
	 */
	difference = sqrt(fmin(difference, sum)) / 2;
	return 4 * difference * (1 + difference * difference / 6);
}

/* Return the error of key k on the straight line between keys i and j: the length, or the largest component. */
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

/* Return the largest distance between the player's rotation and an arc to key j. */
static double surplus_of(const struct reduce_run *run, size_t i, size_t j, const float to[REDUCE_COMPONENTS])
{
	const double *a = value_at(run, i), *b = value_at(run, j);
	double x = (double)to[0], y = (double)to[1], z = (double)to[2];
	double angle = (run->time[j] - run->time[i]) * sqrt(x * x + y * y + z * z);

	/* chords that are wide or go the long way need a closer check */
	return angle < 1.5 && a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] > 0 ? reduce_angle_surplus(0, angle)
											: (double)INFINITY;
}

/* The line from key i to a later one, and the error bound of decisions by slopes. */
struct line {
	size_t j; /* after key i, counted from 0 */
	/* least: smallest ratio of the distance of rotations to the distance of their vectors */
	float to[REDUCE_COMPONENTS], margin, least;
};

static struct line line_to(const struct view *view, size_t j)
{
	const struct reduce_run *run = view->run;
	struct line line = {.j = j, .margin = view->off, .least = 1};
	float widest = view->widest;

	for (unsigned c = 0; c < REDUCE_COMPONENTS; c++)
		line.to[c] = view->blocks[j / BLOCK].slope[c][j % BLOCK];
	if (run->metric != REDUCE_ANGLE) {
		line.margin += widest * VECTOR_OFF;
		return line;
	}
	/* if they are far apart, they may be near in the other direction */
	line.least = widest < 1.3f ? 1 / (widest * widest) : 0;
	if (run->by_component)
		line.margin += (float)(surplus_of(run, view->i, view->i + 1 + j, line.to) * (1 + (double)ROUNDING));
	return line;
}

/* Check a key for which slopes do not decide. */
static bool is_near(const struct view *view, const struct line *line, size_t k, float square)
{
	const struct reduce_run *run = view->run;
	size_t i = view->i, key = i + 1 + k, j = i + 1 + line->j;
	float limit = view->limit[key], most = limit * (1 + ROUNDING) + line->margin;

	/* angles beyond 1 have no such sines */
	if ((run->metric != REDUCE_ANGLE || limit < 1) && square * line->least > most * most)
		return false;
	return (run->metric == REDUCE_ANGLE ? angle_error(run, i, j, key) : number_error(run, i, j, key)) <=
	       run->limit[key];
}

/*
 * Return a bit for each key of a block that slopes do not prove to be near, and the squared distances from the line.
 */
ANIM_INLINE unsigned find_far(const struct view *view, const struct line *line, size_t first, unsigned dimensions,
			      bool largest, float square[BLOCK])
{
	const struct block *block = &view->blocks[first / BLOCK];
	const float *limit = view->limit + view->i + 1 + first;
	int32_t far[BLOCK];

	for (unsigned n = 0; n < BLOCK; n++)
		square[n] = 0;
	for (unsigned c = 0; c < dimensions; c++)
		for (unsigned n = 0; n < BLOCK; n++) {
			float off = (line->to[c] - block->slope[c][n]) * block->seconds[n];

			square[n] = largest ? larger(off * off, square[n]) : square[n] + off * off;
		}
	for (unsigned n = 0; n < BLOCK; n++) {
		float near = limit[n] * (1 - ROUNDING) - line->margin;

		far[n] = near >= 0 && square[n] <= near * near ? 0 : -1;
	}
	return bits_of(far);
}

/* Return whether all keys between i and key number j after it can be removed. */
ANIM_INLINE bool fits_in(const struct view *view, size_t j, unsigned dimensions, bool largest)
{
	const struct line line = line_to(view, j);

	for (size_t first = (j + BLOCK - 1) / BLOCK * BLOCK; first > 0;) {
		float square[BLOCK];
		unsigned far;

		first -= BLOCK;
		far = find_far(view, &line, first, dimensions, largest, square);
		for (unsigned n = BLOCK; n-- > 0 && far != 0;)
			if (first + n < j && (far >> n & 1) != 0 && !is_near(view, &line, first + n, square[n]))
				return false;
	}
	return true;
}

ANIM_INLINE bool fits_all(const struct view *view, size_t j)
{
	const struct reduce_run *run = view->run;

	if (run->metric == REDUCE_LARGEST)
		return fits_in(view, j, REDUCE_COMPONENTS, true);
	if (run->metric == REDUCE_ANGLE || run->components == 3)
		return fits_in(view, j, 3, false);
	return fits_in(view, j, REDUCE_COMPONENTS, false);
}

/* ---- Short intervals, for a block of keys at a time. Most are short if limits are tight ---- */

#define NEAR 4u

/*
 * Data from each of some neighbouring keys to the first, second ... key after it: slopes, the largest distance of a
 * line of the box from them, and the squared distances up to which a line fits for sure, or may fit.
 */
struct near {
	float slope[NEAR][3][BLOCK], radius[NEAR][BLOCK], sure[NEAR][BLOCK], may[NEAR][BLOCK];
	float widest[BLOCK], margin[BLOCK]; /* ratio of arcs to sines; largest error of limits */
	int32_t unknown[BLOCK];             /* too far, or at the same time */
};

/* The values between the keys: rotations along arcs or chords, points, or three separate numbers. */
enum near_kind { NEAR_ARCS, NEAR_CHORDS, NEAR_POINTS, NEAR_NUMBERS };

/* Return the largest additional distance between the player's rotation and an arc. */
ANIM_INLINE float surplus_near(struct arc arc)
{
	float square = arc.x * arc.x + arc.y * arc.y + arc.z * arc.z;
	/* a cube is at most the square, times the square plus a quarter */
	float surplus = square * (square + 0.25f) * (float)(1.00001 * reduce_angle_surplus(0, 1));

	return square < 2 && arc.cosine > 0.001f ? surplus : INFINITY;
}

/* Compute the differences of rotations. */
ANIM_INLINE void measure_rotations_near(const struct view *view, size_t i, bool chords, struct near *near)
{
	for (unsigned d = 0; d < NEAR; d++)
		for (unsigned n = 0; n < BLOCK; n++) {
			struct arc arc = arc_between(rotation_at(view, i + n), rotation_at(view, i + d + 1 + n));

			near->slope[d][0][n] = arc.x;
			near->slope[d][1][n] = arc.y;
			near->slope[d][2][n] = arc.z;
			near->unknown[n] |= is_far(arc) ? -1 : 0;
			near->widest[n] = larger(arc.ratio, near->widest[n]);
			near->margin[n] = chords ? larger(surplus_near(arc), near->margin[n]) : 0;
		}
	for (unsigned n = 0; n < BLOCK; n++)
		near->unknown[n] |= near->widest[n] > 1.3f ? -1 : 0;
}

/* Compute the differences of numbers, which are exact up to their roundings. */
ANIM_INLINE void measure_numbers_near(const struct view *view, size_t i, struct near *near)
{
	for (unsigned d = 0; d < NEAR; d++)
		for (unsigned c = 0; c < 3; c++)
			for (unsigned n = 0; n < BLOCK; n++) {
				float off = view->column[c][i + d + 1 + n] - view->column[c][i + n];

				near->slope[d][c][n] = off;
				near->margin[n] = larger(fabsf(off), near->margin[n]);
			}
	for (unsigned n = 0; n < BLOCK; n++)
		near->margin[n] *= 3 * VECTOR_OFF;
}

/* Compute the limits for slopes to key number d after each key. */
ANIM_INLINE void weigh_near(const struct view *view, size_t i, unsigned d, bool rotates, struct near *near)
{
	const double *time = view->run->time + i;
	const float *limits = view->limit + i + d + 1;

	for (unsigned n = 0; n < BLOCK; n++) {
		float seconds = (float)(time[d + 1 + n] - time[n]), by = 1 / seconds, limit = limits[n];
		float margin = near->margin[n] + view->off, less = (limit * (1 - ROUNDING) - margin) * by;
		float more = (limit * (1 + ROUNDING) + margin) * by * near->widest[n];

		near->unknown[n] |= seconds <= 0 ? -1 : 0;
		for (unsigned c = 0; c < 3; c++)
			near->slope[d][c][n] *= by;
		near->radius[d][n] = rotates ? (limit * ANGLE_SLACK + view->off) * by : more;
		near->sure[d][n] = less * fabsf(less);
		/* angles beyond 1 have no such sines */
		near->may[d][n] = !rotates || limit < 1 ? more * more : INFINITY;
	}
}

ANIM_INLINE void measure_near(const struct view *view, size_t i, enum near_kind kind, struct near *near)
{
	bool rotates = kind == NEAR_ARCS || kind == NEAR_CHORDS;

	for (unsigned n = 0; n < BLOCK; n++) {
		near->widest[n] = 1;
		near->margin[n] = 0;
		near->unknown[n] = 0;
	}
	if (rotates)
		measure_rotations_near(view, i, kind == NEAR_CHORDS, near);
	else
		measure_numbers_near(view, i, near);
	for (unsigned d = 0; d < NEAR; d++)
		weigh_near(view, i, d, rotates, near);
}

/* Results for lines from a block of keys. */
struct near_lines {
	int32_t fits[BLOCK], fails[BLOCK]; /* to a key, for sure */
	int32_t closed[BLOCK];             /* no line passes two of the keys that were checked */
};

/* Check a line to key number j against the keys before it. */
ANIM_INLINE void try_near(const struct near *near, unsigned j, enum near_kind kind, struct near_lines *lines)
{
	for (unsigned n = 0; n < BLOCK; n++) {
		lines->fits[n] = -1;
		lines->fails[n] = 0;
	}
	for (unsigned d = 0; d < j; d++)
		for (unsigned n = 0; n < BLOCK; n++) {
			float x = near->slope[j][0][n] - near->slope[d][0][n];
			float y = near->slope[j][1][n] - near->slope[d][1][n];
			float z = near->slope[j][2][n] - near->slope[d][2][n];
			float both = near->radius[j][n] + near->radius[d][n];
			float square =
			    kind != NEAR_NUMBERS ? x * x + y * y + z * z : larger(larger(x * x, y * y), z * z);

			lines->fits[n] &= square <= near->sure[d][n] ? -1 : 0;
			lines->fails[n] |= square > near->may[d][n] ? -1 : 0;
			lines->closed[n] |= square > both * both ? -1 : 0;
		}
}

/*
 * Set the distance of the farthest key that fits, from key i and from the keys after it. 0 means that a closer check
 * is needed.
 */
ANIM_INLINE void step_near(const struct view *view, size_t i, enum near_kind kind, uint32_t steps[BLOCK])
{
	int32_t known[BLOCK], step[BLOCK];
	struct near_lines lines = {.closed = {0}};
	struct near near;

	measure_near(view, i, kind, &near);
	for (unsigned n = 0; n < BLOCK; n++) {
		known[n] = -1;
		step[n] = 1;
	}
	for (unsigned j = 1; j < NEAR; j++) {
		try_near(&near, j, kind, &lines);
		for (unsigned n = 0; n < BLOCK; n++) {
			step[n] = (lines.fits[n] & (int32_t)(j + 1)) | (~lines.fits[n] & step[n]);
			/* a longer line decides, so this one does not matter */
			known[n] = lines.fits[n] | (known[n] & lines.fails[n]);
		}
	}
	for (unsigned n = 0; n < BLOCK; n++)
		steps[n] = (uint32_t)(step[n] & known[n] & lines.closed[n] & ~near.unknown[n]);
}

/* ---- The keys ---- */

ANIM_INLINE void step_all(const struct view *view, size_t first, enum near_kind kind, uint32_t steps[AHEAD])
{
	for (size_t k = 0; k < AHEAD && first + k + BLOCK + NEAR <= view->run->n; k += BLOCK)
		step_near(view, first + k, kind, steps + k);
}

/*
 * Compute the steps from AHEAD keys at once, because they do not depend on each other. Returns the number of known
 * steps.
 */
ANIM_INLINE unsigned step_ahead(const struct view *view, size_t first, uint32_t steps[AHEAD])
{
	const struct reduce_run *run = view->run;
	unsigned known = 0;

	memset(steps, 0, AHEAD * sizeof *steps);
	if (run->metric != REDUCE_ANGLE && run->components != 3)
		return 0;
	if (run->metric == REDUCE_ANGLE && run->by_component)
		step_all(view, first, NEAR_CHORDS, steps);
	else if (run->metric == REDUCE_ANGLE)
		step_all(view, first, NEAR_ARCS, steps);
	else if (run->metric == REDUCE_LENGTH)
		step_all(view, first, NEAR_POINTS, steps);
	else
		step_all(view, first, NEAR_NUMBERS, steps);
	for (unsigned k = 0; k < AHEAD; k++)
		known += steps[k] > 0;
	return known;
}

ANIM_INLINE size_t step_far(struct view *view, size_t i)
{
	for (size_t b = search_from(view, i, (size_t)WINDOW_FAST * view->run->pieces); b-- > 0;)
		for (unsigned n = BLOCK; n-- > 0;)
			if ((view->inside[b] >> n & 1) != 0 && fits_all(view, b * BLOCK + n))
				return 1 + b * BLOCK + n;
	return 1;
}

/* Choose the farthest key that fits, again and again. This is within a few percent of the fewest. */
ANIM_INLINE void choose_farthest(struct view *view, uint8_t *keep)
{
	const struct reduce_run *run = view->run;
	uint32_t steps[AHEAD];
	size_t first = 0, end = 0; /* of the keys whose steps were computed */

	for (size_t i = 0; i + 1 < run->n;) {
		if (i >= end) {
			first = i;
			/* if few are known now, few will be known for some time */
			end = i + (step_ahead(view, i, steps) < AHEAD / 4 ? (size_t)AHEAD * AHEAD / 8 : AHEAD);
		}
		i += i < first + AHEAD && steps[i - first] > 0 ? steps[i - first] : step_far(view, i);
		keep[i] = 1;
	}
}

/* Return a bit for each of a block of keys that needs more steps. */
static unsigned bits_above(const uint32_t cost[BLOCK], uint32_t least)
{
	int32_t above[BLOCK];

	for (unsigned n = 0; n < BLOCK; n++)
		above[n] = cost[n] > least ? -1 : 0;
	return bits_of(above);
}

/* Find the shortest path through the window: cost[j] keys lead to j, the last of them from[j]. */
ANIM_INLINE int choose_fewest(struct view *view, uint8_t *keep, struct anim_error *error)
{
	size_t n = view->run->n;
	uint32_t *cost = anim_zeroed((2 * n + BLOCK) * sizeof *cost, error), *from;

	if (cost == NULL)
		return -1;
	from = cost + n + BLOCK;
	for (size_t k = 1; k < n; k++)
		cost[k] = UINT32_MAX;
	for (size_t i = 0; i + 1 < n; i++) {
		size_t count = search_from(view, i, (size_t)WINDOW_FEWEST * view->run->pieces);

		for (size_t b = 0; b < count; b++) {
			unsigned bits = view->inside[b] & bits_above(cost + i + 1 + b * BLOCK, cost[i] + 1);

			for (size_t j = b * BLOCK; bits != 0; j++, bits >>= 1) {
				if ((bits & 1) == 0 || !fits_all(view, j))
					continue;
				cost[i + 1 + j] = cost[i] + 1;
				from[i + 1 + j] = (uint32_t)i;
			}
		}
	}
	for (size_t k = n - 1; k > 0; k = from[k])
		keep[k] = 1;
	free(cost);
	return 0;
}

ANIM_INLINE int choose_all(struct view *view, bool fast, uint8_t *keep, struct anim_error *error)
{
	if (!fast)
		return choose_fewest(view, keep, error);
	choose_farthest(view, keep);
	return 0;
}

static int choose_plain(struct view *view, bool fast, uint8_t *keep, struct anim_error *error)
{
	return choose_all(view, fast, keep, error);
}

/* Do the same in wider registers, with the same bits as result. */
ANIM_AVX2 static int choose_avx2(struct view *view, bool fast, uint8_t *keep, struct anim_error *error)
{
	return choose_all(view, fast, keep, error);
}

/* Return true if the run stays within its limits of a value. */
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
		if (run->metric == REDUCE_ANGLE) /* 2 sin(angle / 4), and the sign of the quaternion stays */
			largest = dot > 0 ? 2 * sqrt(square) : ANIM_PI;
		if (!((run->metric == REDUCE_LENGTH ? sqrt(square) : largest) <= 0.999 * run->limit[k]))
			return false;
	}
	return true;
}

/* Transpose the values of four keys to columns of float32. Four numbers are read for each. */
ANIM_INLINE void transpose_four(const double *value, unsigned components, size_t k, float *const column[])
{
	anim_lanes at[ANIM_LANES];

	for (unsigned n = 0; n < ANIM_LANES; n++) {
		const double *v = value + (k + n) * components;

		at[n] = (anim_lanes){(float)v[0], (float)v[1], (float)v[2], (float)v[3]};
	}
	anim_lanes_turn(at);
	for (unsigned c = 0; c < components; c++)
		memcpy(column[c] + k, &at[c], sizeof at[c]);
}

/* Convert values with that many components to columns of float32. */
ANIM_INLINE void transpose_values(const double *value, unsigned components, size_t n, float *const column[])
{
	size_t k = 0;

	for (; components >= 3 && k + ANIM_LANES < n; k += ANIM_LANES)
		transpose_four(value, components, k, column);
	for (; k < n; k++)
		for (unsigned c = 0; c < components; c++)
			column[c][k] = (float)value[k * components + c];
}

static void to_floats(const double *restrict numbers, size_t count, float *restrict out)
{
	size_t done = 0;

	for (; done + REDUCE_ROUND <= count; done += REDUCE_ROUND)
		for (unsigned n = 0; n < REDUCE_ROUND; n++)
			out[done + n] = (float)numbers[done + n];
	for (; done < count; done++)
		out[done] = (float)numbers[done];
}

/* Return the largest error of differences of the columns, because the values are not float32. */
static float rounding_of(const struct view *view)
{
	const double *value = view->run->value;
	size_t count = view->run->n * view->run->components, done = 0;
	double most[REDUCE_ROUND] = {0};

	for (; done + REDUCE_ROUND <= count; done += REDUCE_ROUND)
		for (unsigned n = 0; n < REDUCE_ROUND; n++) {
			double off = fabs(value[done + n] - (double)(float)value[done + n]);

			most[n] = off > most[n] ? off : most[n];
		}
	for (; done < count; done++)
		most[0] = fmax(most[0], fabs(value[done] - (double)(float)value[done]));
	for (unsigned n = 1; n < REDUCE_ROUND; n++)
		most[0] = fmax(most[0], most[n]);
	return 4 * (float)most[0];
}

/* Allocate the memory of a view, and fill its columns. Returns 0 or -1. It must be cleared in both cases. */
static int view_init(struct view *view, const struct reduce_run *run, size_t window, struct anim_error *error)
{
	size_t n = run->n, count = n + BLOCK, bytes;
	float *columns = NULL;

	*view = (struct view){.run = run};
	window = window < n ? window : n;
	if (anim_size_multiply(count, (REDUCE_COMPONENTS + 1) * sizeof *columns, &bytes, error) != 0)
		return -1;
	view->column[0] = columns = malloc(bytes);
	view->blocks = malloc((window / BLOCK + 1) * sizeof *view->blocks);
	view->inside = malloc(window / BLOCK + 1);
	if (columns == NULL || view->blocks == NULL || view->inside == NULL)
		return anim_fail_memory(error);

	/* the run as float32, with the last key repeated after it */
	for (unsigned c = 0; c < REDUCE_COMPONENTS; c++)
		view->column[c] = columns + c * count;
	view->limit = columns + REDUCE_COMPONENTS * count;
	if (run->components == 4)
		transpose_values(run->value, 4, n, view->column);
	else if (run->components == 3)
		transpose_values(run->value, 3, n, view->column);
	else
		transpose_values(run->value, run->components, n, view->column);
	to_floats(run->limit, n, view->limit);
	for (size_t k = n; k < count; k++) {
		view->limit[k] = view->limit[n - 1];
		for (unsigned c = 0; c < run->components; c++)
			view->column[c][k] = view->column[c][n - 1];
	}
	view->off = run->metric == REDUCE_ANGLE ? ANGLE_OFF : rounding_of(view);
	return 0;
}

int reduce_choose(const struct reduce_run *run, bool fast, uint8_t *keep, struct anim_error *error)
{
	bool curved = run->leaving != NULL, wide = !run->plain && anim_block_best() == ANIM_BLOCK_AVX2;
	size_t window = (size_t)(fast ? WINDOW_FAST : WINDOW_FEWEST) * run->pieces;
	struct reduce_run inner = *run;
	struct view view;
	int status;

	memset(keep, 0, run->n);
	if (run->n == 0 ||
	    (run->rest != NULL && (curved ? reduce_cubic_is_constant(run, run->rest) : is_constant(run, run->rest))))
		return 0;
	keep[0] = 1;
	if (curved ? reduce_cubic_is_constant(run, run->value) : is_constant(run, run->value))
		return 0;
	keep[run->n - 1] = 1;
	if (run->seam && run->n > 3) {
		/* choose between the second key and the last but one, independently of the others */
		inner.n -= 2;
		inner.time++;
		inner.limit++;
		inner.value += run->components;
		inner.leaving = curved ? run->leaving + run->components : NULL;
		inner.arriving = curved ? run->arriving + run->components : NULL;
		inner.fixed = curved ? run->fixed + 1 : run->fixed;
		keep++;
		keep[0] = 1;
	}
	if (run->cubic) {
		reduce_choose_cubic(&inner, keep);
		return 0;
	}
	status = view_init(&view, &inner, window, error);
	if (status == 0)
		status = (wide ? choose_avx2 : choose_plain)(&view, fast, keep, error);
	free(view.column[0]);
	free(view.blocks);
	free(view.inside);
	return status;
}
