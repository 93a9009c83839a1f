/* bounds.c: what bounds a curve between its keys, and which of many keys and turns come outermost. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/plot/internal.h"
#include "math/curve.h"
#include "math/lanes.h"

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

/* The same for floats of one mode without transitions, and for curves whose handles stand evenly. */
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
	if (mode <= ANIM_HERMITE) {
		third = mode == ANIM_HERMITE ? ((double)track->time[k + 1] - (double)track->time[k]) / 3 : 1.0 / 3;
		right = mode == ANIM_CUBIC_BEZIER ? (double)rights[at] - p[0] : (double)rights[at] * third;
		left =
		    mode == ANIM_CUBIC_BEZIER ? p[3] - (double)lefts[at + stride] : (double)lefts[at + stride] * third;
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
		(track->ease == NULL && (mode == ANIM_HERMITE || mode == ANIM_TANGENT || mode == ANIM_CUBIC_BEZIER ||
					 mode == ANIM_CUBIC_TIME || mode == ANIM_CUBIC_UNIFORM)));
}

/* Each time has one value. */
static bool is_within(const struct anim_cubic *cubic)
{
	return cubic->x[1] >= 0 && cubic->x[1] <= 1 && cubic->x[2] >= 0 && cubic->x[2] <= 1;
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
	return anim_cubic_read(track, k, lane, cubic) && (mode != ANIM_BEZIER_2D || is_within(cubic));
}

double plot_part_of(const struct anim_cubic *cubic, double u)
{
	return anim_cubic_is_even(cubic) ? u : anim_bezier(cubic->x[0], cubic->x[1], cubic->x[2], cubic->x[3], u);
}

double plot_hair_at(const struct anim_track *track, double t)
{
	bool repeats = track->pre != ANIM_EXTRAPOLATION_HOLD || track->post != ANIM_EXTRAPOLATION_HOLD;

	return fmax(anim_rules_near(track->rules, t), repeats ? 5e-7 * fmax(1, fabs(t)) : 0);
}

/* Brings a part of a segment's time to what a player tells apart from its keys. */
static double clear_of_keys(const struct anim_track *track, size_t k, double part)
{
	double start = anim_track_time(track, k), end = anim_track_time(track, k + 1);
	double low = plot_hair_at(track, start) / (end - start), high = 1 - plot_hair_at(track, end) / (end - start);

	return low < high ? fmin(fmax(part, low), high) : 0.5;
}

/* Where a turn at u is looked at; *y becomes what is shown there. */
static double place_of_turn(const struct anim_track *track, size_t k, const struct anim_cubic *c, double u, double *y)
{
	double turn = plot_part_of(c, u), part = clear_of_keys(track, k, turn);

	if (part == turn)
		return part;
	u = anim_cubic_is_even(c) ? part : anim_bezier_parameter(c->x[0], c->x[1], c->x[2], c->x[3], part);
	*y = anim_bezier(c->y[0], c->y[1], c->y[2], c->y[3], u);
	return part;
}

/* Widens what has been reached by the turns that are farther out. */
static void reach_turns(const struct anim_track *track, size_t k, const struct anim_cubic *c, struct plot_reach *out)
{
	double u[2];
	unsigned turns = plot_turns_of(c->y, u);

	for (unsigned i = 0; i < turns; i++) {
		double y = anim_bezier(c->y[0], c->y[1], c->y[2], c->y[3], u[i]), part;

		if (y >= out->least && y <= out->most)
			continue;
		part = place_of_turn(track, k, c, u[i], &y);
		if (y < out->least) {
			out->least = y;
			out->least_u = part;
		}
		if (y > out->most) {
			out->most = y;
			out->most_u = part;
		}
	}
}

bool plot_reach_of(const struct anim_track *track, unsigned lane, size_t k, struct plot_reach *out)
{
	struct anim_cubic cubic;

	if (!plot_controls_of(track, k, lane, &cubic) || !cubic.cubic)
		return false;
	*out = (struct plot_reach){.least = fmin(cubic.y[0], cubic.y[3]), .most = fmax(cubic.y[0], cubic.y[3])};
	reach_turns(track, k, &cubic, out);
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

static bool has_slopes(const struct anim_track *track, enum anim_interp mode)
{
	return mode >= ANIM_TANGENT && mode <= ANIM_BEZIER_2D && track->left != NULL && track->right != NULL;
}

bool plot_is_plain(const struct anim_track *track)
{
	unsigned components = anim_types[track->type].components;
	enum anim_interp mode = mode_of(track);

	return components >= 1 && components <= PLOT_PLAIN_LANES && anim_types[track->type].scalar == ANIM_SCALAR_F32 &&
	       (track->ease == NULL || mode == ANIM_HOLD) &&
	       (has_simple_controls(track, mode) || has_slopes(track, mode));
}

#define FLAT 12  /* numbers of one step: whole keys of 1, 2, 3 or 4 components */
#define BLOCK 48 /* keys whose bounds are found together: whole steps of any of these */

/* Of the lanes of a block, again and again up to FLAT: the keys themselves, and the control values beside them. */
struct bounds {
	float least[FLAT], most[FLAT], low[FLAT], high[FLAT];
};

/* How keys of a stretch of a track are bounded. */
struct scan {
	const struct anim_track *track;
	enum anim_interp mode;
	size_t stride, first, last; /* keys */
	bool cubic, handles;
	float base, right,
	    left; /* of handles: of the key's value, and of each column, what makes control values of them at most */
	float half, other;  /* of neighbours: of the difference of both, and of those to each */
	double apart, near; /* what is no farther out is not looked for: in blocks, in turns */
	double rest;        /* as far out as that may be */
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

/* The shortest and the longest time from one to the next of keys first .. last. */
static struct plot_lengths find_lengths(const float *time, size_t first, size_t last)
{
	float shortest[FLAT], longest[FLAT];
	size_t k = first;

	for (int j = 0; j < FLAT; j++)
		shortest[j] = longest[j] = time[last] - time[last - 1];
	for (; k + FLAT <= last; k += FLAT)
		for (size_t j = 0; j < FLAT; j++) {
			float length = time[k + 1 + j] - time[k + j];

			shortest[j] = lesser(length, shortest[j]);
			longest[j] = greater(length, longest[j]);
		}
	for (; k < last; k++) {
		shortest[0] = lesser(time[k + 1] - time[k], shortest[0]);
		longest[0] = greater(time[k + 1] - time[k], longest[0]);
	}
	fold(shortest, 1, lesser);
	fold(longest, 1, greater);
	return (struct plot_lengths){shortest[0], longest[0]};
}

bool plot_is_even(const struct anim_track *track, struct plot_lengths *lengths)
{
	if (track->time == NULL || track->n < 2)
		return false;
	*lengths = find_lengths(track->time, 0, track->n - 1);
	return lengths->most <= 1.001f * lengths->least;
}

/* What the longest handle takes of the time of its segment: a part of it, or seconds. Those to the left may count back. */
static float longest_handle(const struct scan *s)
{
	const float *columns[2] = {s->track->left_x, s->track->right_x};
	size_t end = (s->last + 1) * s->stride;
	float longest[FLAT] = {0};

	for (int c = 0; c < 2; c++) {
		size_t i = (s->first - 1) * s->stride;

		for (; columns[c] != NULL && i + FLAT <= end; i += FLAT)
			for (size_t j = 0; j < FLAT; j++)
				longest[j] = greater(fabsf(columns[c][i + j]), longest[j]);
		for (; columns[c] != NULL && i < end; i++)
			longest[0] = greater(fabsf(columns[c][i]), longest[0]);
	}
	fold(longest, 1, greater);
	return longest[0];
}

#define HAIR 1e-6f /* of a number: more than the rounding of floats */

/*
 * A control value beside a key of a Hermite curve is a third of the segment's length times the slope away from it; with weights,
 * another part. Of handles with times no time may have two values. The slope at a key of a curve that takes it from its neighbours is, for segments of lengths g and h, r the longest to
 * the shortest, the sum of h / g and g / h times the differences to both, over g + h: times either length, half of the difference
 * of both neighbours, but for r * r / (1 + r) - 1 / 2 of each. False, too, where two keys stand at one
 * time, of which one may never be shown.
 */
static bool open_scan(struct scan *s, const struct plot_lengths *lengths)
{
	size_t last = s->last + 1 < s->track->n ? s->last + 1 : s->last;
	struct plot_lengths at_hand;
	float ratio;

	s->cubic = s->mode > ANIM_LINEAR;
	s->handles = has_slopes(s->track, s->mode);
	s->base = 1;
	if (s->track->time == NULL) /* samples of a rate */
		return true;
	if (lengths == NULL) {
		at_hand = find_lengths(s->track->time, s->first - 1, last);
		lengths = &at_hand;
	}
	if (s->apart > 0 && (double)lengths->least <= 2 * plot_hair_at(s->track, anim_track_time(s->track, s->last)))
		return false;
	if (!s->cubic || lengths->least <= 0)
		return lengths->least > 0;
	if (s->mode == ANIM_CUBIC_BEZIER || s->mode == ANIM_BEZIER_2D) {
		s->base = s->mode == ANIM_BEZIER_2D;
		s->right = s->left = 1;
		return s->mode != ANIM_BEZIER_2D || longest_handle(s) <= lengths->least;
	}
	ratio = s->mode == ANIM_CUBIC_TIME ? lengths->most / lengths->least : 1;
	s->half = (0.5f + HAIR) / 3;
	s->other = (ratio * ratio / (1 + ratio) - 0.5f + HAIR) / 3;
	s->right = (s->mode == ANIM_TANGENT    ? 1.0f / 3
		    : s->mode == ANIM_WEIGHTED ? greater(longest_handle(s), 1.0f / 3) * lengths->most
					       : lengths->most / 3) *
		   (1 + HAIR);
	s->left = -s->right;
	return true;
}

/* So many numbers of keys, FLAT at most. `one`, `other`: the handles behind and before them, or the keys' neighbours. */
static inline void bound_numbers(const struct scan *s, struct bounds *restrict b, const float *const columns[3],
				 size_t count)
{
	const float *restrict value = columns[0], *restrict one = columns[1], *restrict other = columns[2];
	float base = s->base, right = s->right, left = s->left, half = s->half, rest = s->other;

	for (size_t j = 0; j < count; j++) {
		b->least[j] = lesser(value[j], b->least[j]);
		b->most[j] = greater(value[j], b->most[j]);
	}
	if (s->handles)
		for (size_t j = 0; j < count; j++) {
			float p = base * value[j] + right * one[j], q = base * value[j] + left * other[j];

			b->low[j] = lesser(lesser(p, q), b->low[j]);
			b->high[j] = greater(greater(p, q), b->high[j]);
		}
	else if (s->cubic)
		for (size_t j = 0; j < count; j++) {
			float away = half * fabsf(other[j] - one[j]) +
				     rest * (fabsf(value[j] - one[j]) + fabsf(other[j] - value[j]));

			b->low[j] = lesser(value[j] - away, b->low[j]);
			b->high[j] = greater(value[j] + away, b->high[j]);
		}
}

/* The columns of bound_numbers from a number on. */
static void columns_at(const struct scan *s, size_t at, const float *out[3])
{
	out[0] = out[1] = out[2] = (const float *)s->track->value + at;
	if (s->handles) {
		out[1] = (const float *)s->track->right + at;
		out[2] = (const float *)s->track->left + at;
	} else if (s->cubic) {
		out[1] -= s->stride;
		out[2] += s->stride;
	}
}

static void clear_bounds(struct bounds *b)
{
	for (int j = 0; j < FLAT; j++) {
		b->least[j] = b->low[j] = INFINITY;
		b->most[j] = b->high[j] = -INFINITY;
	}
}

/* Keys first .. last, a block at most. */
static void bound_block(const struct scan *s, size_t first, size_t last, struct bounds *b)
{
	size_t at = first * s->stride, left = (last + 1 - first) * s->stride;
	const float *columns[3];

	clear_bounds(b);
	for (; left >= FLAT; at += FLAT, left -= FLAT) {
		columns_at(s, at, columns);
		bound_numbers(s, b, columns, FLAT);
	}
	columns_at(s, at, columns);
	bound_numbers(s, b, columns, left);
	fold(b->least, s->stride, lesser);
	fold(b->most, s->stride, greater);
	if (s->cubic) {
		fold(b->low, s->stride, lesser);
		fold(b->high, s->stride, greater);
	}
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

/* Numbers of FLAT segments: the keys at both ends; the handles beside them, or the keys' neighbours. */
struct ends {
	const float *a, *b, *p, *q;
};

static void ends_at(const struct scan *s, size_t at, struct ends *e)
{
	e->a = (const float *)s->track->value + at;
	e->b = e->a + s->stride;
	e->p = s->handles ? (const float *)s->track->right + at : e->a - s->stride;
	e->q = s->handles ? (const float *)s->track->left + at + s->stride : e->b + s->stride;
}

/* What the inner control values of a cubic are at most, of its keys a, b and their neighbours before and behind. */
static inline void find_controls(const struct scan *s, anim_lanes a, anim_lanes b, anim_lanes before, anim_lanes after,
				 anim_lanes *least, anim_lanes *most)
{
	anim_lanes half = anim_lanes_all(s->half), other = anim_lanes_all(s->other), step = anim_lanes_size(b - a);
	anim_lanes one = half * anim_lanes_size(b - before) + other * (anim_lanes_size(a - before) + step);
	anim_lanes two = half * anim_lanes_size(after - a) + other * (anim_lanes_size(after - b) + step);

	*least = anim_lanes_smaller(a - one, b - two);
	*most = anim_lanes_larger(a + one, b + two);
}

/*
 * Which segments may come below one number or above another, a bit each: by the same bounds as a block's, but that the inner two
 * control values count three quarters together at most, so that of what lies beyond the keys no more than that is reached.
 */
static unsigned find_reaching(const struct scan *s, const struct ends *e, const float *least, const float *most)
{
	anim_lanes base = anim_lanes_all(s->base), right = anim_lanes_all(s->right), left = anim_lanes_all(s->left);
	anim_lanes share = anim_lanes_all(0.75f);
	unsigned bits = 0;

	for (unsigned j = 0; j < FLAT; j += ANIM_LANES) {
		anim_lanes a = anim_lanes_load(e->a + j), b = anim_lanes_load(e->b + j);
		anim_lanes p = anim_lanes_load(e->p + j), q = anim_lanes_load(e->q + j), below, above;
		anim_lanes low = anim_lanes_smaller(a, b), high = anim_lanes_larger(a, b);

		if (s->handles) {
			p = base * a + right * p;
			q = base * b + left * q;
			below = anim_lanes_smaller(p, q);
			above = anim_lanes_larger(p, q);
		} else {
			find_controls(s, a, b, p, q, &below, &above);
		}
		bits |= anim_lanes_bits((low + share * (below - low) < anim_lanes_load(least + j)) |
					(high + share * (above - high) > anim_lanes_load(most + j)) | ~(below <= above))
			<< j;
	}
	return bits;
}

/* The same for fewer segments than FLAT numbers; bits beyond theirs mean nothing. */
static unsigned find_few_reaching(const struct scan *s, const struct ends *e, size_t count, const float *least,
				  const float *most)
{
	float a[FLAT] = {0}, b[FLAT] = {0}, p[FLAT] = {0}, q[FLAT] = {0};
	size_t size = count * sizeof *a;

	memcpy(a, e->a, size);
	memcpy(b, e->b, size);
	memcpy(p, e->p, size);
	memcpy(q, e->q, size);
	return find_reaching(s, &(struct ends){a, b, p, q}, least, most);
}

/* What is beyond these is found, in each lane. */
static void set_limits(const struct scan *s, const struct plot_outer *outer, float *least, float *most)
{
	for (size_t lane = 0; lane < s->stride; lane++) {
		float low = (float)(outer[lane].least - s->near), high = (float)(outer[lane].most + s->near);

		for (size_t j = lane; j < FLAT; j += s->stride) {
			least[j] = low;
			most[j] = high;
		}
	}
}

static void look_at_turn(const struct scan *s, size_t k, unsigned lane, struct plot_outer *o)
{
	double hair = fmax(hair_of(o), s->near);
	struct plot_reach reach = {.least = o->least - hair, .most = o->most + hair};
	struct anim_cubic cubic;

	if (!plot_controls_of(s->track, k, lane, &cubic) || !cubic.cubic)
		return;
	reach_turns(s->track, k, &cubic, &reach);
	if (reach.least < o->least - hair)
		note_least(o, reach.least, k, reach.least_u);
	if (reach.most > o->most + hair)
		note_most(o, reach.most, k, reach.most_u);
}

/* Segments between the keys of a block, and the one before it. */
static void look_at_turns(const struct scan *s, size_t first, size_t last, struct plot_outer *outer)
{
	size_t from = first > s->first ? first - 1 : first, end = last < s->last ? last + 1 : s->last;
	size_t at = from * s->stride, count = (end - from) * s->stride;
	float least[FLAT], most[FLAT];
	struct ends ends;

	set_limits(s, outer, least, most);
	for (size_t i = 0; i < count; i += FLAT) {
		size_t step = i + FLAT <= count || count < FLAT ? i : count - FLAT; /* the last one's partly again */
		unsigned bits;

		ends_at(s, at + step, &ends);
		bits = count < FLAT ? find_few_reaching(s, &ends, count, least, most) & ((1u << count) - 1)
				    : find_reaching(s, &ends, least, most);
		if (bits == 0)
			continue;
		for (size_t j = 0; bits >> j != 0; j++)
			if (bits >> j & 1)
				look_at_turn(s, (at + step + j) / s->stride, (unsigned)(j % s->stride),
					     &outer[j % s->stride]);
		set_limits(s, outer, least, most);
	}
}

#define AT_ONCE 64 /* blocks */

/* The outermost keys of a block. Which they are does not matter where not all is looked for. */
static void note_keys(const struct scan *s, size_t from, size_t to, const struct bounds *b, struct plot_outer *outer)
{
	for (unsigned lane = 0; lane < s->stride; lane++) {
		struct plot_outer *o = &outer[lane];
		double least = (double)b->least[lane], most = (double)b->most[lane];

		if (least < o->least)
			note_least(o, least, s->apart > 0 ? from : key_with(s, from, to, lane, least), 0);
		if (most > o->most)
			note_most(o, most, s->apart > 0 ? from : key_with(s, from, to, lane, most), 0);
	}
}

/* How far a block's cubics may come out beyond all that is known. */
static double reach_of(const struct scan *s, const struct bounds *b, const struct plot_outer *outer)
{
	double reach = 0;

	for (unsigned lane = 0; lane < s->stride; lane++) {
		double below = outer[lane].least - (double)b->low[lane],
		       above = (double)b->high[lane] - outer[lane].most;

		reach = below > reach ? below : reach;
		reach = above > reach ? above : reach;
	}
	return reach;
}

/* At most AT_ONCE blocks of keys. */
static void scan_blocks(struct scan *s, size_t first, size_t last, struct plot_outer *outer)
{
	struct bounds bounds[AT_ONCE];
	size_t count = 0;

	for (size_t k = first; k <= last; k += BLOCK, count++) {
		size_t end = k + BLOCK - 1 < last ? k + BLOCK - 1 : last;

		bound_block(s, k, end, &bounds[count]);
		note_keys(s, k, end, &bounds[count], outer);
	}
	for (size_t i = 0; i < count && s->cubic; i++) {
		double reach = reach_of(s, &bounds[i], outer);

		if (reach > s->apart) {
			look_at_turns(s, first + i * BLOCK, i + 1 < count ? first + (i + 1) * BLOCK - 1 : last, outer);
			reach = s->near;
		}
		s->rest = reach > s->rest ? reach : s->rest;
	}
}

bool plot_find_outermost(const struct anim_track *track, const struct plot_lengths *lengths, size_t first, size_t last,
			 double apart, struct plot_outer *outer, double *rest)
{
	struct scan s = {.track = track,
			 .mode = mode_of(track),
			 .stride = anim_types[track->type].components,
			 .first = first,
			 .last = last,
			 .apart = apart,
			 .near = apart / PLOT_FINER};

	if (!open_scan(&s, lengths))
		return false;
	for (size_t k = first; k <= last; k += BLOCK * AT_ONCE)
		scan_blocks(&s, k, k + BLOCK * AT_ONCE - 1 < last ? k + BLOCK * AT_ONCE - 1 : last, outer);
	*rest = s.rest;
	return true;
}
