/* bounds.c: what bounds a curve between its keys, and which of many keys and turns come outermost. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/plot/internal.h"
#include "math/curve.h"

/* --- The polynomials --- */

unsigned plot_turns_of(const double p[4], double out[2])
{
	double a = p[3] - 3 * p[2] + 3 * p[1] - p[0], b = 2 * (p[2] - 2 * p[1] + p[0]), c = p[1] - p[0];
	double discriminant = b * b - 4 * a * c, q;
	unsigned count = 0;

	if (!(discriminant >= 0))
		return 0;
	q = -0.5 * (b + copysign(sqrt(discriminant), b));
	if (a != 0 && q / a > 0 && q / a < 1)
		out[count++] = q / a;
	if (q != 0 && c / q > 0 && c / q < 1)
		out[count++] = c / q;
	return count;
}

/* Slopes at both ends of a segment of a curve that takes them from its neighbours, times a third of its length. */
static bool slopes_of_neighbours(const struct anim_track *track, enum anim_interp mode, size_t k, const double v[4],
				 double *right, double *left)
{
	double t0, t1, t2, t3;

	if (mode == ANIM_CUBIC_UNIFORM) {
		*right = (v[2] - v[0]) / 6;
		*left = (v[3] - v[1]) / 6;
		return true;
	}
	t0 = anim_track_time(track, k - 1);
	t1 = anim_track_time(track, k);
	t2 = anim_track_time(track, k + 1);
	t3 = anim_track_time(track, k + 2);
	if (!(t0 < t1 && t1 < t2 && t2 < t3))
		return false;
	*right = ((v[1] - v[0]) / (t1 - t0) - (v[2] - v[0]) / (t2 - t0)) * (t2 - t1) / 3 + (v[2] - v[1]) / 3;
	*left = ((v[3] - v[2]) / (t3 - t2) - (v[3] - v[1]) / (t3 - t1)) * (t2 - t1) / 3 + (v[2] - v[1]) / 3;
	return true;
}

/* The same for floats of one mode without transitions, and for Hermite curves. */
static bool controls_of_floats(const struct anim_track *track, enum anim_interp mode, size_t k, unsigned lane,
			       double p[4])
{
	size_t stride = anim_types[track->type].components, at = k * stride + lane;
	const float *values = track->value, *rights = track->right, *lefts = track->left;
	double third, right, left;

	p[0] = p[1] = (double)values[at];
	p[3] = p[2] = (double)values[at + stride];
	if (mode == ANIM_LINEAR || mode == ANIM_HOLD)
		return true;
	if (mode == ANIM_HERMITE) {
		third = ((double)track->time[k + 1] - (double)track->time[k]) / 3;
		right = (double)rights[at] * third;
		left = (double)lefts[at + stride] * third;
		if (!isfinite(right) || !isfinite(left)) /* it steps */
			return true;
	} else {
		const double v[4] = {k > 0 ? (double)values[at - stride] : 0, p[0], p[3],
				     k + 2 < track->n ? (double)values[at + 2 * stride] : 0};

		if (k == 0 || k + 2 >= track->n || !slopes_of_neighbours(track, mode, k, v, &right, &left))
			return false;
	}
	p[1] = p[0] + right;
	p[2] = p[3] - left;
	return true;
}

static bool has_simple_controls(const struct anim_track *track, enum anim_interp mode)
{
	return anim_types[track->type].scalar == ANIM_SCALAR_F32 &&
	       (mode == ANIM_HOLD || mode == ANIM_LINEAR ||
		(track->ease == NULL &&
		 (mode == ANIM_HERMITE || mode == ANIM_CUBIC_TIME || mode == ANIM_CUBIC_UNIFORM)));
}

bool plot_controls_of(const struct anim_track *track, size_t k, unsigned lane, struct anim_cubic *cubic)
{
	enum anim_interp mode = track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(track, k);

	if (has_simple_controls(track, mode)) {
		anim_cubic_hold(cubic, 0);
		cubic->cubic = mode > ANIM_LINEAR;
		return controls_of_floats(track, mode, k, lane, cubic->y);
	}
	if (mode == ANIM_HOLD || mode == ANIM_LINEAR) { /* a transition stays between the two */
		anim_cubic_hold(cubic, anim_component(track->type, track->value, k, lane));
		cubic->y[2] = cubic->y[3] = anim_component(track->type, track->value, k + 1, lane);
		return true;
	}
	return mode != ANIM_BEZIER_2D && anim_cubic_read(track, k, lane, cubic);
}

bool plot_reach_of(const struct anim_track *track, unsigned lane, size_t k, struct plot_reach *out)
{
	struct anim_cubic cubic;
	double u[2];
	unsigned turns;

	if (!plot_controls_of(track, k, lane, &cubic) || !cubic.cubic)
		return false;
	turns = plot_turns_of(cubic.y, u);
	*out = (struct plot_reach){.least = fmin(cubic.y[0], cubic.y[3]), .most = fmax(cubic.y[0], cubic.y[3])};
	for (unsigned i = 0; i < turns; i++) {
		double y = anim_bezier(cubic.y[0], cubic.y[1], cubic.y[2], cubic.y[3], u[i]);

		if (y < out->least) {
			out->least = y;
			out->least_u = u[i];
		}
		if (y > out->most) {
			out->most = y;
			out->most_u = u[i];
		}
	}
	return true;
}

/* --- Many keys of floats in one mode --- */

/* A mode whose segments are simple: see has_simple_controls. */
static enum anim_interp mode_of(const struct anim_track *track)
{
	return track->kind == ANIM_DISCRETE ? ANIM_HOLD
	       : track->kind == ANIM_RAW    ? ANIM_LINEAR
					    : (enum anim_interp)track->interp;
}

bool plot_is_plain(const struct anim_track *track)
{
	unsigned components = anim_types[track->type].components;

	return components >= 1 && components <= PLOT_PLAIN_LANES && has_simple_controls(track, mode_of(track)) &&
	       (track->ease == NULL || mode_of(track) == ANIM_HOLD);
}

#define FLAT 12  /* numbers of one step: whole keys of 1, 2, 3 or 4 components */
#define BLOCK 48 /* keys whose bounds are found together: whole steps of any of these */

/*
 * Of the lanes of a block, again and again up to FLAT: the keys themselves, and the largest slope, or difference to a neighbour,
 * which with struct scan bounds what is beside the keys.
 */
struct bounds {
	float least[FLAT], most[FLAT], steepest[FLAT];
};

/* How keys of a stretch of a track are bounded. */
struct scan {
	const struct anim_track *track;
	enum anim_interp mode;
	size_t stride, first, last; /* keys */
	float part;                 /* of the steepest that a control value is away from its key at most */
};

static float lesser(float a, float b)
{
	return a < b ? a : b;
}

static float greater(float a, float b)
{
	return a > b ? a : b;
}

static void fold(float *numbers, size_t stride, float (*outer)(float, float))
{
	for (size_t j = FLAT - 1; j >= stride; j--)
		numbers[j - stride] = outer(numbers[j], numbers[j - stride]);
}

/*
 * A control value beside a key of a Hermite curve is a third of the segment's length times the slope away from it. Of a curve that
 * takes its slopes from its neighbours the slope at a key is a mean of those to both, times the segment's length, which may be
 * longer than the neighbour's. False where two keys stand at one time, and such a curve has no slope.
 */
static bool open_scan(struct scan *s)
{
	const float *time = s->track->time;
	float shortest[FLAT], longest[FLAT];
	size_t k = s->first - 1, end = s->last + 1 < s->track->n ? s->last + 1 : s->last;

	if (s->mode <= ANIM_LINEAR)
		return true;
	for (int j = 0; j < FLAT; j++)
		shortest[j] = longest[j] = time[end] - time[end - 1];
	for (; k + FLAT <= end; k += FLAT)
		for (size_t j = 0; j < FLAT; j++) {
			float length = time[k + 1 + j] - time[k + j];

			shortest[j] = lesser(length, shortest[j]);
			longest[j] = greater(length, longest[j]);
		}
	for (; k < end; k++) {
		shortest[0] = lesser(time[k + 1] - time[k], shortest[0]);
		longest[0] = greater(time[k + 1] - time[k], longest[0]);
	}
	fold(shortest, 1, lesser);
	fold(longest, 1, greater);
	s->part = (1.0f / 3 + 1e-6f) * (s->mode == ANIM_HERMITE      ? longest[0]
					: s->mode == ANIM_CUBIC_TIME ? longest[0] / shortest[0]
								     : 1);
	return s->mode != ANIM_CUBIC_TIME || shortest[0] > 0;
}

/* FLAT numbers of keys. `one`, `other`: the slopes behind and before them, or the keys' neighbours. */
static void bound_step(const struct scan *s, struct bounds *restrict b, const float *restrict value,
		       const float *restrict one, const float *restrict other)
{
	for (int j = 0; j < FLAT; j++) {
		b->least[j] = lesser(value[j], b->least[j]);
		b->most[j] = greater(value[j], b->most[j]);
	}
	if (s->mode == ANIM_HERMITE)
		for (int j = 0; j < FLAT; j++)
			b->steepest[j] = greater(greater(fabsf(one[j]), fabsf(other[j])), b->steepest[j]);
	else if (s->mode > ANIM_LINEAR)
		for (int j = 0; j < FLAT; j++)
			b->steepest[j] =
			    greater(greater(fabsf(value[j] - one[j]), fabsf(other[j] - value[j])), b->steepest[j]);
}

/* The numbers of fewer keys than a step has come several times. */
static void bound_few(const struct scan *s, struct bounds *b, const float *const columns[3], size_t count)
{
	float copies[3][FLAT];

	for (int column = 0; column < 3; column++)
		for (size_t j = 0; j < FLAT; j++)
			copies[column][j] = columns[column][j % count];
	bound_step(s, b, copies[0], copies[1], copies[2]);
}

/* Keys first .. last, a block at most. */
static void bound_block(const struct scan *s, size_t first, size_t last, struct bounds *b)
{
	size_t at = first * s->stride, count = (last + 1 - first) * s->stride, i = 0;
	const float *value = (const float *)s->track->value + at, *one = value, *other = value;

	if (s->mode == ANIM_HERMITE) {
		one = (const float *)s->track->right + at;
		other = (const float *)s->track->left + at;
	} else if (s->mode > ANIM_LINEAR) {
		one = value - s->stride;
		other = value + s->stride;
	}
	for (int j = 0; j < FLAT; j++) {
		b->least[j] = INFINITY;
		b->most[j] = -INFINITY;
		b->steepest[j] = 0;
	}
	if (count < FLAT)
		bound_few(s, b, (const float *const[]){value, one, other}, count);
	for (; i + FLAT <= count; i += FLAT)
		bound_step(s, b, value + i, one + i, other + i);
	if (i < count && i > 0) { /* the last step's keys partly again */
		i = count - FLAT;
		bound_step(s, b, value + i, one + i, other + i);
	}
	fold(b->least, s->stride, lesser);
	fold(b->most, s->stride, greater);
	if (s->mode > ANIM_LINEAR)
		fold(b->steepest, s->stride, greater);
}

/* The first of the keys that has the value. */
static size_t key_with(const struct scan *s, size_t first, size_t last, unsigned lane, double value)
{
	const float *values = (const float *)s->track->value + lane;

	while (first < last && (double)values[first * s->stride] != value)
		first++;
	return first;
}

static void note_least(struct plot_outer *o, double value, size_t key, double u)
{
	if (value < o->least) {
		o->least = value;
		o->lowest = key;
		o->least_u = u;
		o->sinks = true;
	}
}

static void note_most(struct plot_outer *o, double value, size_t key, double u)
{
	if (value > o->most) {
		o->most = value;
		o->highest = key;
		o->most_u = u;
		o->rises = true;
	}
}

/* Polynomials are as exact as doubles are, players' values as floats: what is no farther out than that is not. */
static double hair_of(const struct plot_outer *o)
{
	return isfinite(o->least) && isfinite(o->most) ? 1e-7 * fmax(fabs(o->least), fabs(o->most)) : 0;
}

/* By the same bounds as a block's: what lies between two keys may come farther out. */
static bool may_reach(const struct scan *s, size_t k, unsigned lane, const struct plot_outer *o)
{
	size_t at = k * s->stride + lane, next = at + s->stride;
	const float *value = s->track->value;
	float a = value[at], b = value[next], away;

	if (s->mode == ANIM_HERMITE) {
		a += ((const float *)s->track->right)[at] * s->part;
		b -= ((const float *)s->track->left)[next] * s->part;
		return (double)lesser(a, b) < o->least || (double)greater(a, b) > o->most;
	}
	away = s->part *
	       greater(greater(fabsf(a - value[at - s->stride]), fabsf(b - a)), fabsf(value[next + s->stride] - b));
	return (double)(lesser(a, b) - away) < o->least || (double)(greater(a, b) + away) > o->most;
}

/* Segments between the keys of a block, and the one before it. */
static void look_at_turns(const struct scan *s, size_t first, size_t last, unsigned lane, struct plot_outer *o)
{
	double hair = hair_of(o);
	struct plot_reach reach;
	struct anim_cubic cubic;

	for (size_t k = first > s->first ? first - 1 : first; k <= last && k < s->last; k++) {
		if (!may_reach(s, k, lane, o) || !plot_controls_of(s->track, k, lane, &cubic))
			continue;
		if (!(fmin(cubic.y[1], cubic.y[2]) < o->least - hair ||
		      fmax(cubic.y[1], cubic.y[2]) > o->most + hair) ||
		    !plot_reach_of(s->track, lane, k, &reach))
			continue;
		if (reach.least < o->least - hair)
			note_least(o, reach.least, k, reach.least_u);
		if (reach.most > o->most + hair)
			note_most(o, reach.most, k, reach.most_u);
	}
}

#define AT_ONCE 64 /* blocks */

/* At most AT_ONCE blocks of keys. */
static void scan_blocks(const struct scan *s, size_t first, size_t last, struct plot_outer *outer)
{
	struct bounds bounds[AT_ONCE];
	size_t count = 0;

	for (size_t k = first; k <= last; k += BLOCK, count++)
		bound_block(s, k, k + BLOCK - 1 < last ? k + BLOCK - 1 : last, &bounds[count]);
	for (unsigned lane = 0; lane < s->stride; lane++) {
		struct plot_outer *o = &outer[lane];

		for (size_t i = 0; i < count; i++) {
			size_t from = first + i * BLOCK, to = from + BLOCK - 1 < last ? from + BLOCK - 1 : last;

			if ((double)bounds[i].least[lane] < o->least)
				note_least(o, (double)bounds[i].least[lane],
					   key_with(s, from, to, lane, (double)bounds[i].least[lane]), 0);
			if ((double)bounds[i].most[lane] > o->most)
				note_most(o, (double)bounds[i].most[lane],
					  key_with(s, from, to, lane, (double)bounds[i].most[lane]), 0);
		}
		for (size_t i = 0; i < count && s->mode > ANIM_LINEAR; i++) {
			size_t from = first + i * BLOCK, to = from + BLOCK - 1 < last ? from + BLOCK - 1 : last;

			float away = bounds[i].steepest[lane] * s->part;

			if ((double)(bounds[i].least[lane] - away) < o->least ||
			    (double)(bounds[i].most[lane] + away) > o->most)
				look_at_turns(s, from, to, lane, o);
		}
	}
}

bool plot_find_outermost(const struct anim_track *track, size_t first, size_t last, struct plot_outer *outer)
{
	struct scan s = {.track = track,
			 .mode = mode_of(track),
			 .stride = anim_types[track->type].components,
			 .first = first,
			 .last = last};

	if (!open_scan(&s))
		return false;
	for (size_t k = first; k <= last; k += BLOCK * AT_ONCE)
		scan_blocks(&s, k, k + BLOCK * AT_ONCE - 1 < last ? k + BLOCK * AT_ONCE - 1 : last, outer);
	return true;
}
