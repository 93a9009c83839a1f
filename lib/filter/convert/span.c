/* span.c: segments of the target: their error compared with the source, and the best cubic for them. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "clip/cubic.h"
#include "clip/keys.h"
#include "filter/convert/fit.h"
#include "math/block.h"
#include "math/curve.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define DEGREES (180 / ANIM_PI)
#define SOLVED 6e-5 /* largest error of Godot's solver for an equal curve, as a share of the range between two keys */
/* The same for steep curves, as a share of the segment's range: Godot stops after ten halvings, in float32. */
#define SOLVERS 5e-3

/* Return the angle in degrees, or 0 if one of them is not a rotation. */
static double angle_between(const float a[4], const float b[4])
{
	double angle = anim_quat_angle(a, b);

	return angle == angle ? angle * DEGREES : 0;
}

static void rotation_of(const struct convert_fitting *fit, const double degrees[ANIM_COMPONENTS_MAX], double q[4])
{
	const double angles[3] = {degrees[0] / DEGREES, degrees[1] / DEGREES, degrees[2] / DEGREES};

	anim_quat_from_euler_double(q, angles, fit->order);
}

void convert_nearest_angles(const struct convert_fitting *fit, const double near[ANIM_COMPONENTS_MAX],
			    double v[ANIM_COMPONENTS_MAX])
{
	double angles[3] = {near[0] / DEGREES, near[1] / DEGREES, near[2] / DEGREES};

	anim_euler_near(angles, v, fit->order);
	for (int i = 0; i < 3; i++)
		v[i] = angles[i] * DEGREES;
	v[3] = 0;
}

/* The angle between two rotations, or a bound of it. Each angle adds no more than its difference. */
static double angle_of_rotations(const struct convert_fitting *fit, const double a[ANIM_COMPONENTS_MAX],
				 const double b[ANIM_COMPONENTS_MAX])
{
	double sum = fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]), wide[2][4];
	float p[4], q[4];

	if (sum <= fit->tolerance / 4)
		return sum;
	rotation_of(fit, a, wide[0]);
	rotation_of(fit, b, wide[1]);
	anim_components_to_float(p, wide[0], 4);
	anim_components_to_float(q, wide[1], 4);
	return convert_smaller(sum, angle_between(p, q));
}

double convert_deviation(const struct convert_meter *m, const double a[ANIM_COMPONENTS_MAX],
			 const double b[ANIM_COMPONENTS_MAX])
{
	const struct anim_type_info *type = &anim_types[m->fit->type];
	float p[4], q[4];
	double off = 0;

	if (m->fit->angles)
		return angle_of_rotations(m->fit, a, b);
	if (type->quaternion) {
		anim_components_to_float(p, a, 4);
		anim_components_to_float(q, b, 4);
		return angle_between(p, q);
	}
	for (unsigned i = 0; i < type->components; i++)
		off = convert_larger(off, fabs(a[i] - b[i]));
	return off * m->fit->unit;
}

/*
 * Return the largest of several angles, in degrees, each divided by its seconds. An angle is computed only if it can be
 * the largest: the angle of a tangent x is at most x and at least x - x^3/3. Squares are compared.
 */
static double largest_angle(const float (*a)[4], const float (*b)[4], const double *seconds, int count)
{
	double most = 0, least = 0, high[CONVERT_POINTS], squares[CONVERT_POINTS], part;

	anim_block_tangents(anim_block_best(), a, b, (size_t)count, squares);
	for (int i = 0; i < count; i++) {
		high[i] = squares[i] / (seconds[i] * seconds[i]);
		part = squares[i] < 1 ? 1 - squares[i] / 3 : 0;
		least = convert_larger(least, high[i] * (part * part));
	}
	for (int i = 0; i < count; i++)
		if (!(high[i] < least * (1 - 1e-9)))
			most = convert_larger(most, angle_between(a[i], b[i]) / seconds[i]);
	return most;
}

/* Convert the span's rotations to floats, as players store them. */
static void round_to_floats(const struct convert_span *span, float q[CONVERT_POINTS][4])
{
	for (int i = 0; i < CONVERT_POINTS; i++)
		anim_components_to_float(q[i], span->v[i], 4);
}

#define STRIDE 4 /* speeds are measured over this many samples, because neighbouring samples may differ only by noise */

/* The buffers of a track with the piece as its only segment. */
struct piece_track {
	float time[2], left_x[2], right_x[2];
	uint8_t weighted[2];
	_Alignas(16) uint8_t value[2 * ANIM_VALUE_MAX], left[2 * ANIM_VALUE_MAX], right[2 * ANIM_VALUE_MAX];
};

static void make_pair(const struct convert_meter *m, const struct convert_piece *piece, float end,
		      struct piece_track *pair, struct anim_track *track)
{
	static const struct anim_track none;
	size_t size = anim_types[m->fit->type].size;
	double right[ANIM_COMPONENTS_MAX], left[ANIM_COMPONENTS_MAX];

	memset(pair, 0, sizeof *pair);
	*track = none;
	track->kind = ANIM_CURVE;
	track->type = m->fit->type;
	track->rules = m->fit->caps->rules;
	track->node = track->property = "";
	track->component = ANIM_WHOLE;
	track->interp = (uint8_t)piece->mode;
	track->n = 2;
	track->time = pair->time;
	track->value = pair->value;
	pair->time[0] = piece->from_s;
	pair->time[1] = end;
	anim_value_store(track->type, piece->from, pair->value);
	anim_value_store(track->type, piece->to, pair->value + size);
	if (piece->mode == ANIM_HOLD || piece->mode == ANIM_LINEAR)
		return;
	convert_controls(piece, piece->mode, right, left, &pair->right_x[0], &pair->left_x[1]);
	anim_value_store(track->type, right, pair->right);
	anim_value_store(track->type, left, pair->left + size);
	track->left = pair->left;
	track->right = pair->right;
	if (piece->mode != ANIM_BEZIER_2D && !piece->weighted)
		return;
	track->left_x = pair->left_x;
	track->right_x = pair->right_x;
	pair->weighted[0] = 2;
	pair->weighted[1] = 1;
	track->weighted = piece->weighted ? pair->weighted : NULL;
}

double convert_margin(const struct convert_fitting *fit, double t, bool at_break)
{
	double own = anim_rules_near(fit->caps->rules, t);

	return at_break ? fmax(own, anim_rules_near(anim_source_first(fit->source)->rules, t)) : own;
}

#define CLOSER 14  /* number of halvings between two samples */
#define SPARE 1.25 /* factor between the reported error and the largest one that was found */
/* The search for errors between the samples. */
struct deviation_search {
	struct convert_meter *m;
	const struct convert_span *span;
	const struct anim_track *piece;
	double limit, off;
	struct anim_error *error;
};

static double deviation_at(const struct deviation_search *search, size_t i, const void *values, const uint8_t *present,
			   const double real[ANIM_COMPONENTS_MAX])
{
	const struct convert_meter *m = search->m;
	double v[ANIM_COMPONENTS_MAX];

	if (!present[i])
		return (double)INFINITY;
	anim_components(search->piece->type, values, i, v);
	if (m->period > 0)
		v[0] += m->period * rint((real[0] - v[0]) / m->period);
	return convert_deviation(m, v, real);
}

/* Measure the error at one time. Returns 0 or -1. */
static int measure_at(struct deviation_search *search, double t, double *off)
{
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];
	double real[1][ANIM_COMPONENTS_MAX] = {{0}};
	uint8_t present;

	if (anim_source_sample(search->m->fit->source, &t, 1, real, search->error) != 0 ||
	    anim_sample(&search->m->clip, search->piece, &t, 1, value, &present, &search->m->state, search->error) != 0)
		return -1;
	if (search->m->fit->angles)
		convert_nearest_angles(search->m->fit, search->span->v[0], real[0]);
	*off = deviation_at(search, 0, value, &present, real[0]);
	if (*off > search->off)
		search->off = *off;
	return 0;
}

/* Return whether the error between the samples may exceed the reported one. */
static bool is_worth(const struct deviation_search *search, double most, double bend)
{
	return most + bend > SPARE * convert_larger(search->off, search->limit);
}

/* Search between two times with known errors. */
static int measure_between(struct deviation_search *search, double a, double b, double off_a, double off_b, int depth)
{
	double middle = a + (b - a) / 2, off;

	if (!(middle > a && middle < b))
		return 0;
	if (measure_at(search, middle, &off) != 0)
		return -1;
	if (depth == 0 || !is_worth(search, fmax(off, fmax(off_a, off_b)), fabs(off_a + off_b - 2 * off)))
		return 0;
	return measure_between(search, a, middle, off_a, off, depth - 1) != 0
		   ? -1
		   : measure_between(search, middle, b, off, off_b, depth - 1);
}

/* Measure as close to the ends as players distinguish a time from a key's time, if the samples do not. */
static int measure_ends(struct deviation_search *search)
{
	const struct convert_span *span = search->span;
	double start = (double)span->piece.from_s, end = (double)span->piece.to_s, off;

	start += CONVERT_NEARER * convert_margin(search->m->fit, start, span->starts);
	end -= CONVERT_NEARER * convert_margin(search->m->fit, end, span->ends);
	if (start < span->t[1] - 1e-6 && measure_at(search, start, &off) != 0)
		return -1;
	return end > span->t[CONVERT_POINTS - 1] + 1e-6 ? measure_at(search, end, &off) : 0;
}

/* Search between samples where the error changes nonlinearly. */
static int search_between(struct deviation_search *search, const double off[CONVERT_POINTS])
{
	const struct convert_span *span = search->span;
	double last;

	for (int i = 0; i + 1 < CONVERT_POINTS; i++) {
		double step = off[i + 1] - off[i], bend = 0;

		if (i > 0)
			bend = convert_larger(bend, fabs(step - (off[i] - off[i - 1])));
		if (i + 2 < CONVERT_POINTS)
			bend = convert_larger(bend, fabs(off[i + 2] - off[i + 1] - step));
		if (is_worth(search, convert_larger(off[i], off[i + 1]), bend / 4) &&
		    measure_between(search, span->t[i], span->t[i + 1], off[i], off[i + 1], CLOSER) != 0)
			return -1;
	}
	last = fmax(off[1], off[CONVERT_POINTS - 1]);
	return span->jumps || last > search->limit / 4 ? measure_ends(search) : 0;
}

/*
 * Return the end of the piece. Before a jump it is one float earlier, if the curve is so fast that the rounding of times to
 * floats is visible.
 */
static float end_of(const struct convert_meter *m, const struct convert_span *span, double limit)
{
	const struct convert_piece *piece = &span->piece;
	float before = nextafterf(piece->to_s, piece->from_s);
	double seconds[CONVERT_POINTS], most = 0;

	if (!span->jumps || piece->mode == ANIM_HOLD || !(before > piece->from_s))
		return piece->to_s;
	for (int i = 0; i + STRIDE < CONVERT_POINTS; i++) {
		seconds[i] = span->t[i + STRIDE] - span->t[i];
		if (!(seconds[i] > 0)) /* no speed at equal times */
			seconds[i] = (double)INFINITY;
	}
	if (anim_types[m->fit->type].quaternion) {
		float q[CONVERT_POINTS][4];

		round_to_floats(span, q);
		most = largest_angle((const float(*)[4])q, (const float(*)[4])q + STRIDE, seconds,
				     CONVERT_POINTS - STRIDE);
	}
	for (int i = 0; i + STRIDE < CONVERT_POINTS && !anim_types[m->fit->type].quaternion; i++)
		most = convert_larger(most, convert_deviation(m, span->v[i], span->v[i + STRIDE]) / seconds[i]);
	return most * 0x1p-23 * fabs((double)piece->to_s) > limit / 8 ? before : piece->to_s;
}

/* Part of the limit up to which no search is needed: a bend is at most twice the largest of its three errors. */
#define CALM 0.8

/*
 * Decide from the largest error of rotations alone, if possible: it exceeds the limit, or it is so small that
 * search_between would check only the ends. Returns 1 and sets *off, 0 if each error is needed, or -1.
 */
static int measure_most(struct deviation_search *search, const void *values, const uint8_t *present, bool closely,
			double *off)
{
	static const double once[CONVERT_POINTS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
						    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	const struct convert_span *span = search->span;
	const int end = CONVERT_POINTS - 1;
	float p[CONVERT_POINTS][4], q[CONVERT_POINTS][4];
	double most, last = 0;

	if (search->piece->type != ANIM_FLOATQ || search->m->period > 0 || memchr(present, 0, CONVERT_POINTS))
		return 0;
	memcpy(p, values, sizeof p);
	round_to_floats(span, q);
	most = largest_angle((const float(*)[4])p, (const float(*)[4])q, once, CONVERT_POINTS);
	if (most > search->limit ? closely : most > CALM * search->limit)
		return 0;
	search->off = most;
	if (most <= search->limit && (span->jumps || most > search->limit / 4))
		last = convert_larger(angle_between(p[1], q[1]), angle_between(p[end], q[end]));
	if (most <= search->limit && (span->jumps || last > search->limit / 4) && measure_ends(search) != 0)
		return -1;
	*off = search->off;
	return 1;
}

/*
 * Return whether the middle sample exceeds the limit. This is a shortcut for spans whose exact error is not needed. No other
 * mode can be chosen for them, and Godot's spans are cut in any case.
 */
static bool is_far(const struct convert_pass *pass, const struct deviation_search *search, double *off)
{
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];
	const int middle = CONVERT_POINTS / 2;
	bool cubic = pass->fit->keys->cubic < ANIM_INTERP_COUNT && (pass->modes & 1u << pass->fit->keys->cubic);
	uint8_t present;

	if (!pass->splits || pass->closely || cubic || !anim_rules_are_godot(pass->fit->caps->rules))
		return false;
	if (anim_sample(&search->m->clip, search->piece, &search->span->t[middle], 1, value, &present,
			&search->m->state, search->error) != 0)
		return false;
	*off = deviation_at(search, 0, value, &present, search->span->v[middle]);
	return *off > search->limit;
}

/* Compute the inner control values that fit the samples best. The ends stay unchanged. */
static void least_squares(struct convert_span *span)
{
	double a = (double)span->piece.from_s, length = (double)span->piece.to_s - a;
	double aa = 0, ab = 0, bb = 0, determinant, u[CONVERT_POINTS];

	for (int i = 0; i < CONVERT_POINTS; i++) {
		double v, first, second;

		u[i] = (span->t[i] - a) / length;
		v = 1 - u[i];
		first = 3 * v * v * u[i];
		second = 3 * v * u[i] * u[i];
		aa += first * first;
		ab += first * second;
		bb += second * second;
	}
	determinant = aa * bb - ab * ab;
	if (!(determinant > 1e-12 * aa * bb)) { /* too few different times */
		for (int component = 0; component < ANIM_COMPONENTS_MAX; component++)
			span->piece.inner[0][component] = span->piece.inner[1][component] =
			    (span->piece.from[component] + span->piece.to[component]) / 2;
		return;
	}
	for (int component = 0; component < ANIM_COMPONENTS_MAX; component++) {
		double p = span->piece.from[component], q = span->piece.to[component], x = 0, y = 0;

		for (int i = 0; i < CONVERT_POINTS; i++) {
			double v = 1 - u[i], rest = span->v[i][component] - v * v * v * p - u[i] * u[i] * u[i] * q;

			x += 3 * v * v * u[i] * rest;
			y += 3 * v * u[i] * u[i] * rest;
		}
		span->piece.inner[0][component] = (x * bb - y * ab) / determinant;
		span->piece.inner[1][component] = (y * aa - x * ab) / determinant;
	}
}

/* ---- Spans that are already a cubic ---- */

/*
 * Read a component between two times, the first of them near key `near`. Returns false if it is not a single polynomial
 * there.
 */
static bool read_component(const struct anim_track *track, unsigned component, size_t near, double from, double to,
			   struct anim_cubic *l)
{
	double start, length;
	ptrdiff_t k;
	bool whole;

	anim_cubic_hold(l, 0);
	if (track->kind == ANIM_RAW || (track->flags & ANIM_UNSORTED) || track->n == 0)
		return false;
	k = anim_find_key_near(track->time, track->n, from, near);
	if (k < 0 || (size_t)k + 1 == track->n) {
		/* Read a component before the first key or after the last. */
		bool first = k < 0;

		if (anim_rules_are_godot(track->rules) ||
		    (first ? track->pre : track->post) != ANIM_EXTRAPOLATION_HOLD ||
		    (first && to > (double)track->time[0]))
			return false;
		anim_cubic_hold(l, anim_component(track->type, track->value, first ? 0 : track->n - 1, component));
		return true;
	}
	start = (double)track->time[k];
	length = (double)track->time[k + 1] - start;
	whole = from == start && to == start + length;
	/* Only the rules know which keys Godot plays after a cut. */
	if (to > start + length || (!whole && anim_rules_are_godot(track->rules)) ||
	    !anim_cubic_read(track, (size_t)k, component, l))
		return false;
	l->whole = whole;
	if (!whole)
		anim_cubic_cut(l, (from - start) / length, (to - start) / length);
	return true;
}

/* Return the share, limited to 1 if it exceeds the segment only by the rounding of floats. */
static double inside(double share)
{
	return share > 1 && share < 1 + 1e-6 ? 1 : share;
}

/*
 * Set the lengths of the handles. Returns false if the target cannot represent them: they must be inside the segment,
 * with finite slopes.
 */
static bool set_shares(const struct anim_cubic *l, struct convert_piece *piece)
{
	double right = inside(l->x[1]), left = inside(1 - l->x[2]);
	double most = (double)FLT_MAX * ((double)piece->to_s - (double)piece->from_s);

	if (!(right >= 0 && right <= 1 && left >= 0 && left <= 1) || fabs(l->y[1] - l->y[0]) > right * most ||
	    fabs(l->y[2] - l->y[3]) > left * most)
		return false;
	piece->weighted = true;
	piece->share[0] = right;
	piece->share[1] = left;
	return true;
}

/*
 * Return whether every component of the source is one cubic polynomial in the span, and at least one of them has a
 * cubic mode: Hermite, Tangent, CubicBezier, or Weighted or Bezier2D with handles of a third of the segment. Sets the
 * inner control values of the piece, and at a jump the value that the span approaches. A component with an infinite
 * slope, which makes it step, stays a step. `type` is the target's type.
 *
 * uneven: the target has handles of any length. Then a single component with such handles, none longer than the
 * segment, is also accepted. The piece becomes `weighted`, with its shares.
 *
 * straight: also accept a span that is linear in all components, for a target without another mode.
 */
static bool exact(const struct anim_source *s, enum anim_type type, bool uneven, bool straight,
		  struct convert_span *span)
{
	struct anim_cubic components[ANIM_COMPONENTS_MAX];
	unsigned count = anim_types[type].components;
	struct convert_piece *piece = &span->piece;

	if (s->step != ANIM_STEP_KEEP)
		return false;

	bool cubic = straight;

	for (unsigned i = 0; i < anim_types[type].components; i++) {
		const struct anim_track *track = s->tracks[s->joined ? i : 0];

		if (track == NULL) {
			anim_cubic_hold(&components[i], s->fixed[i]);
			continue;
		}
		if (!read_component(track, s->joined ? 0 : i, span->k, (double)piece->from_s, (double)piece->to_s,
				    &components[i]))
			return false;
		/* Keys of rotations have length 1, but values between them on the components' curves do not. */
		if (anim_types[type].quaternion && (!components[i].whole || components[i].steps))
			return false;
		for (int k = 0; k < 4; k++)
			components[i].y[k] = anim_source_in_unit(s, track, components[i].y[k]);
		cubic = cubic || components[i].cubic;
	}
	if (!cubic)
		return false;

	for (unsigned i = 0; i < count; i++)
		if (!anim_cubic_is_even(&components[i]) && (!uneven || count > 1 || !set_shares(&components[i], piece)))
			return false;
	if (anim_types[type].quaternion) {
		/* Give the control values of a rotation the signs of the piece's values. */
		double first = 0, last = 0;

		for (int i = 0; i < 4; i++) {
			first += piece->from[i] * components[i].y[0];
			last += piece->to[i] * components[i].y[3];
		}
		for (int i = 0; i < 4; i++) {
			components[i].y[1] = first < 0 ? 0.0 - components[i].y[1] : components[i].y[1];
			components[i].y[2] = last < 0 ? 0.0 - components[i].y[2] : components[i].y[2];
		}
	}
	for (unsigned i = 0; i < count; i++) {
		piece->inner[0][i] = components[i].y[1];
		piece->inner[1][i] = components[i].y[2];
		if (span->jumps && !anim_types[type].quaternion)
			piece->to[i] = components[i].y[3];
	}
	return true;
}

/* ---- Euler angles that become a rotation ---- */

/*
 * Read an angle between two times, in degrees. Returns false if it is not a cubic that is even in time, or if another value
 * follows at its end.
 */
static bool read_angle(const struct anim_source *s, unsigned i, size_t near, double from_s, double to_s,
		       struct anim_cubic *angle)
{
	const struct anim_track *track = s->tracks[s->joined ? i : 0];
	unsigned component = s->joined ? 0 : i;
	ptrdiff_t k;

	if (!read_component(track, component, near, from_s, to_s, angle) || angle->steps || !anim_cubic_is_even(angle))
		return false;
	k = anim_find_key_near(track->time, track->n, to_s, near + 1);
	if (k >= 0 && (double)track->time[k] == to_s &&
	    anim_component(track->type, track->value, (size_t)k, component) != angle->y[3])
		return false;
	for (int point = 0; point < 4; point++)
		angle->y[point] = anim_source_in_unit(s, track, angle->y[point]) * DEGREES;
	return true;
}

/*
 * A cubic is at most this share of the larger distance of its inner control values away from the line between its ends: the
 * largest sum of their two weights.
 */
#define BULGE 0.75
#define NLERP 0.032 /* slerp and normalised lerp differ by at most this times the cube of half the angle */

double convert_bound_rotation(const struct convert_fitting *fit, size_t k, double from_s, double to_s)
{
	const struct anim_source *s = fit->source;
	double change[3], bulge = 0, half = 0;
	struct anim_cubic angle;

	for (unsigned i = 0; i < 3; i++) {
		change[i] = 0;
		if (s->tracks[s->joined ? i : 0] == NULL)
			continue;
		if (!read_angle(s, i, k, from_s, to_s, &angle))
			return (double)INFINITY;
		change[i] = angle.y[3] - angle.y[0];
		bulge += BULGE * fmax(fabs(angle.y[1] - angle.y[0] - change[i] / 3),
				      fabs(angle.y[3] - angle.y[2] - change[i] / 3));
		half += fabs(change[i]) / DEGREES / 2;
	}
	if (anim_rules_blend_components(s->clip, fit->caps->rules))
		bulge += NLERP * half * half * half * DEGREES;
	return bulge + convert_lines_apart(change, s->order);
}

/* ---- The error of Godot's solver for Bezier tracks ---- */

#define PARTS 1024      /* ten halvings, then a straight line (Animation::bezier_track_interpolate) */
#define AROUND 24       /* number of parts that are checked on each side of the steepest point */
#define STEEP 0.3       /* a curve is steep if its time advances at most this fast */
#define SHARE 0.03      /* share of the curve on each side of the steepest point that gets its own segment */
#define NARROW_S 1.2e-4 /* minimum length of such a segment: Godot treats keys nearer than 1e-5 s as one */

struct curve {
	double x[4], y[4]; /* time in the segment from 0 to 1; value */
};

static struct curve curve_of(const struct convert_piece *piece)
{
	return (struct curve){{0, piece->share[0], 1 - piece->share[1], 1},
			      {piece->from[0], piece->inner[0][0], piece->inner[1][0], piece->to[0]}};
}

static double x_at(const struct curve *c, double u)
{
	return anim_bezier(c->x[0], c->x[1], c->x[2], c->x[3], u);
}

static double y_at(const struct curve *c, double u)
{
	return anim_bezier(c->y[0], c->y[1], c->y[2], c->y[3], u);
}

/*
 * Return the largest error of Godot's player for a weighted piece of one component, or 0 if no key would help. If a key
 * would help, *cut_s is its time.
 */
static double solver_miss(const struct convert_piece *piece, double *cut_s)
{
	const struct curve c = curve_of(piece);
	double duration = (double)piece->to_s - (double)piece->from_s, steepest, cut;
	struct anim_bezier_point points[4];
	double worst = 0, around = SHARE, from, to;

	*cut_s = 0;

	/* Find the point at which time advances slowest. */
	double square = 3 * c.x[1] - 3 * c.x[2] + 1, linear = 2 * c.x[2] - 4 * c.x[1];

	steepest = square > 0 ? -linear / (2 * square) : 0;
	if (!(steepest > 0) || !(steepest < 1) || !(3 * (c.x[1] + steepest * (linear + steepest * square)) < STEEP))
		return 0;

	/* the time at which the steepest part is cut off: its right end if it is at the start of the curve */
	while (around < 0.25 &&
	       x_at(&c, fmin(steepest + around, 1)) - x_at(&c, fmax(steepest - around, 0)) < NARROW_S / duration)
		around *= 1.25;
	from = steepest - around;
	to = steepest + around;
	cut = (from > 1.5 * around ? x_at(&c, from) : to < 1 ? x_at(&c, to) : x_at(&c, from)) * duration;
	if (cut < NARROW_S || duration - cut < NARROW_S)
		return 0;
	*cut_s = (double)piece->from_s + cut;
	/* Measure the error of Godot's player near the steepest point, in float32, as it computes. */
	for (int i = 0; i < 4; i++)
		points[i] = (struct anim_bezier_point){(float)(c.x[i] * duration), (float)c.y[i]};
	for (int i = -AROUND; i <= AROUND; i++) {
		double u = steepest + (i + 0.3) / PARTS;

		if (u > 0 && u < 1)
			worst =
			    fmax(worst, fabs((double)anim_bezier_godot(points, x_at(&c, u) * duration) - y_at(&c, u)));
	}
	return worst;
}

/* Return whether the curve is steep at u. */
static bool is_steep(const struct curve *c, double u)
{
	double v = 1 - u;

	return 3 * (v * v * c->x[1] + 2 * v * u * (c->x[2] - c->x[1]) + u * u * (1 - c->x[2])) < STEEP;
}

static double second_derivative(const double p[4], double u)
{
	return 6 * ((1 - u) * (p[2] - 2 * p[1] + p[0]) + u * (p[3] - 2 * p[2] + p[1]));
}

/*
 * Return a bound of the distance of the curve from the straight line between two of its points. The difference is 0 at
 * both points, so it is at most the squared distance between them times an eighth of its second derivative, which is
 * largest at one of them.
 */
static double bulge(const struct curve *c, double u, double next)
{
	double dx = x_at(c, next) - x_at(c, u), dy = y_at(c, next) - y_at(c, u), at_u, at_next;

	if (!(dx > 0))
		return fabs(dy);
	at_u = second_derivative(c->y, u) - dy / dx * second_derivative(c->x, u);
	at_next = second_derivative(c->y, next) - dy / dx * second_derivative(c->x, next);
	return fmax(fabs(at_u), fabs(at_next)) * (next - u) * (next - u) / 8;
}

/*
 * Return a bound of the solver's error in the steep parts between two times. It is never too small, except for
 * rounding, which is added later.
 */
static double solver_bound(const struct convert_piece *piece, double low_s, double high_s)
{
	const struct curve c = curve_of(piece);
	double duration = (double)piece->to_s - (double)piece->from_s, worst = 0;
	double low = (low_s - (double)piece->from_s) / duration, high = (high_s - (double)piece->from_s) / duration;

	for (int i = 0; i < PARTS; i++) {
		double u = (double)i / PARTS, next = (double)(i + 1) / PARTS;

		if ((is_steep(&c, u) || is_steep(&c, next)) && x_at(&c, next) > low && x_at(&c, u) < high)
			worst = fmax(worst, bulge(&c, u, next));
	}
	return worst;
}

/*
 * In float32 roundings of the largest control value: the rounding of times and values adds up to 74, and the source may
 * also be rounded.
 */
#define ROUNDINGS 128

double convert_solver_off(const struct convert_fitting *fit, const struct convert_piece *piece)
{
	double p[4] = {piece->from[0], piece->inner[0][0], piece->inner[1][0], piece->to[0]}, size = 0, bend;

	for (int i = 0; i < 4; i++)
		size = convert_larger(size, fabs(p[i]));
	bend = fmax(fabs(second_derivative(p, 0)), fabs(second_derivative(p, 1)));
	return (bend / (8.0 * PARTS * PARTS) + ROUNDINGS * 0x1p-24 * size) * fit->unit;
}

/* ---- The best mode for a span ---- */

double convert_limit(const struct convert_pass *pass, const struct convert_span *span)
{
	return fmax(CONVERT_MEASURED * pass->fit->tolerance, span->noise);
}

/* Try one mode. Sets *off to its error, or to infinity if the pass may not use it. */
static int try_mode(struct convert_pass *pass, struct convert_span *span, enum anim_interp mode, double *off,
		    struct anim_error *error)
{
	*off = (double)INFINITY;
	if (mode >= ANIM_INTERP_COUNT || !(pass->modes & 1u << mode))
		return 0;
	span->piece.mode = mode;

	/*
	 * Measure the largest error of the span's piece, played by the target's rules. If it is within `limit`, search
	 * between the samples wherever it could be larger by more than a quarter. If it is larger, search only with
	 * `closely`, when the complete error is needed.
	 */
	double limit = convert_limit(pass, span);
	_Alignas(16) uint8_t values[CONVERT_POINTS * ANIM_VALUE_MAX];
	uint8_t present[CONVERT_POINTS];
	double offs[CONVERT_POINTS];
	int decided;
	struct anim_track track;
	struct deviation_search search = {
	    .m = &pass->measure, .span = span, .piece = &track, .limit = limit, .error = error};
	struct piece_track pair;

	make_pair(&pass->measure, &span->piece, end_of(&pass->measure, span, limit), &pair, &track);
	pass->measure.state.track = NULL; /* another track at the same address */
	if (is_far(pass, &search, off))
		return 0;
	if (anim_sample(&pass->measure.clip, &track, span->t, CONVERT_POINTS, values, present, &pass->measure.state,
			error) != 0)
		return -1;
	decided = measure_most(&search, values, present, pass->closely, off);
	if (decided != 0)
		return decided < 0 ? -1 : 0;
	for (int i = 0; i < CONVERT_POINTS; i++) {
		offs[i] = deviation_at(&search, (size_t)i, values, present, span->v[i]);
		search.off = convert_larger(search.off, offs[i]);
	}
	if ((pass->closely || search.off <= limit) && isfinite(search.off) && search_between(&search, offs) != 0)
		return -1;
	*off = search.off;
	return 0;
}

double convert_range(const struct convert_span *span)
{
	double low = span->v[0][0], high = span->v[0][0];

	for (int i = 1; i < CONVERT_POINTS; i++) {
		low = convert_smaller(low, span->v[i][0]);
		high = convert_larger(high, span->v[i][0]);
	}
	return high - low;
}

static bool is_from_godot(const struct convert_pass *pass)
{
	return anim_rules_are_godot(anim_source_first(pass->fit->source)->rules);
}

/*
 * Try to copy the source's curve, if the target has its mode. Returns 1, 0 if that is not possible, or -1. Players
 * solve curves with handles of any length to different precisions, so a larger error is accepted here. More keys would
 * only copy the remaining error of one of them.
 */
static int try_exact(struct convert_pass *pass, struct convert_span *span, double limit, double *off,
		     struct anim_error *error)
{
	enum anim_interp cubic = pass->fit->keys->cubic;
	struct convert_piece before = span->piece;
	bool uneven = cubic == ANIM_WEIGHTED || cubic == ANIM_BEZIER_2D;
	bool straight = cubic == ANIM_HERMITE && !(pass->modes & 1u << ANIM_LINEAR);
	bool closely = pass->closely, fits;
	double miss;
	int result;

	if (pass->fit->angles || !exact(pass->fit->source, pass->fit->type, uneven, straight, span))
		return 0;

	/*
	 * Correct `jumps` when the value that the curve approaches is known exactly: it may equal the value from the
	 * end on.
	 */
	if (span->jumps && !anim_types[pass->fit->type].quaternion) {
		span->jumps = convert_deviation(&pass->measure, span->piece.to, span->next) > span->noise;
		if (!span->jumps)
			memcpy(span->piece.to, span->next, sizeof span->piece.to);
	}

	if (span->piece.weighted && pass->fit->caps->weight_units > 0) {
		/* Round the lengths of the handles to lengths that the target can store, and keep their slopes. */
		for (int end = 0; end < 2; end++) {
			double *share = &span->piece.share[end],
			       at = end == 0 ? span->piece.from[0] : span->piece.to[0];
			double rounded = fabs(*share - 1.0 / 3) < 1e-6 ? 1.0 / 3
								       : rint(*share * pass->fit->caps->weight_units) /
									     pass->fit->caps->weight_units;

			if (*share > 0)
				span->piece.inner[end][0] = at + (span->piece.inner[end][0] - at) * (rounded / *share);
			*share = rounded;
		}
	}
	memcpy(before.to, span->piece.to, sizeof before.to);
	pass->closely = true;
	result = try_mode(pass, span, cubic, off, error);
	pass->closely = closely;
	if (result != 0)
		return -1;

	/* Whether only the target's player is inexact. Then more keys help if its error is too large. */
	if (pass->fit->keys->cubic == ANIM_BEZIER_2D && !is_from_godot(pass)) {
		miss = span->piece.weighted ? solver_miss(&span->piece, &span->cut_s) : 0;
		fits = miss <= SOLVED * span->range && *off <= fmax(limit, SOLVED * span->range);
		*off = fits && *off <= limit ? 0 : *off;
	} else {
		fits = *off <= limit || (span->piece.weighted && *off <= SOLVERS * convert_range(span));
	}

	if (fits) {
		*off = *off <= 16 * span->noise ? 0 : *off;
		if (*off > 0 && span->piece.weighted && is_from_godot(pass) != (cubic == ANIM_BEZIER_2D)) {
			/*
			 * Record the error of Godot's solver. If a curve with handles is copied and Godot plays it on
			 * only one side, its error comes only from the solver's straight lines, so its bound is known
			 * without sampling.
			 */
			const struct convert_piece *piece = &span->piece;
			double a = (double)piece->from_s, b = (double)piece->to_s, most[ANIM_COMPONENTS_MAX] = {0};
			static const double none[ANIM_COMPONENTS_MAX];

			a += CONVERT_NEARER * convert_margin(pass->fit, a, span->starts);
			b -= CONVERT_NEARER * convert_margin(pass->fit, b, span->ends);
			most[0] = solver_bound(piece, a, b);
			pass->fit->solver = fmax(pass->fit->solver, convert_deviation(&pass->measure, most, none));
		}
		return 1;
	}
	span->piece = before;
	return 0;
}

bool convert_source_holds(const struct convert_pass *pass, float from_s)
{
	const struct anim_track *track = anim_source_first(pass->fit->source);
	struct anim_cubic component;
	ptrdiff_t k;

	if (track->kind != ANIM_CURVE || pass->fit->source->joined)
		return track->kind == ANIM_DISCRETE;
	k = anim_find_key(track->time, track->n, (double)from_s);
	if (k < 0 || anim_track_interp(track, (size_t)k) == ANIM_HOLD || (size_t)k + 1 == track->n)
		return true;
	for (unsigned i = 0; i < anim_types[track->type].components; i++)
		if (!anim_cubic_read(track, (size_t)k, i, &component) || !component.steps)
			return false;
	return true;
}

int convert_choose(struct convert_pass *pass, struct convert_span *span, double *off, struct anim_error *error)
{
	double limit = convert_limit(pass, span), straight;
	enum anim_interp cubic = pass->fit->keys->cubic;
	struct convert_piece best;
	int exact;

	if (span->constant && (pass->modes & 1u << ANIM_HOLD) &&
	    (span->jumps || convert_source_holds(pass, span->piece.from_s))) {
		span->piece.mode = ANIM_HOLD;
		*off = 0;
		return 1;
	}
	exact = try_exact(pass, span, limit, off, error);
	if (exact != 0)
		return exact;
	if (try_mode(pass, span, ANIM_LINEAR, &straight, error) != 0)
		return -1;
	*off = straight;
	if (straight <= limit)
		return 1;
	if (span->prefers_linear && (pass->modes & 1u << ANIM_LINEAR))
		return 0;
	if (cubic >= ANIM_INTERP_COUNT || !(pass->modes & 1u << cubic))
		return 0;
	best = span->piece;
	least_squares(span);
	if (try_mode(pass, span, cubic, off, error) != 0)
		return -1;
	if (*off > straight) {
		span->piece = best;
		*off = straight;
	}
	return *off <= limit;
}
