/* solver.c: how far Godot's player misses a curve with handles, at most, and where a key would help. */
#include <math.h>

#include "filter/convert/measure.h"
#include "math/curve.h"

#define PARTS 1024      /* ten halvings, then a straight line (Animation::bezier_track_interpolate) */
#define AROUND 24       /* of them on either side of where the curve is steepest are looked at */
#define STEEP 0.3       /* where time passes that slow, or slower */
#define SHARE 0.03      /* of the curve on either side of it that goes to a segment of its own */
#define NARROW_S 1.2e-4 /* such a segment is no shorter: keys nearer than 1e-5 s are one to Godot */

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

/* Where time passes slowest, if slow; false where that is at an end, where the value does not move either. */
static bool find_steepest(const struct curve *c, double *u)
{
	double square = 3 * c->x[1] - 3 * c->x[2] + 1, linear = 2 * c->x[2] - 4 * c->x[1];

	*u = square > 0 ? -linear / (2 * square) : 0;
	return *u > 0 && *u < 1 && 3 * (c->x[1] + *u * (linear + *u * square)) < STEEP;
}

/* What Godot's player misses at some times about the steepest one; in float32, as it computes. */
static double miss_around(const struct curve *c, double steepest, double duration)
{
	struct anim_bezier_point points[4];
	double worst = 0;

	for (int i = 0; i < 4; i++)
		points[i] = (struct anim_bezier_point){(float)(c->x[i] * duration), (float)c->y[i]};
	for (int i = -AROUND; i <= AROUND; i++) {
		double u = steepest + (i + 0.3) / PARTS;

		if (u > 0 && u < 1)
			worst =
			    fmax(worst, fabs((double)anim_bezier_godot(points, x_at(c, u) * duration) - y_at(c, u)));
	}
	return worst;
}

/* The time, from 0 to 1, at which the steepest part is cut off: its far end where it lies at the start. */
static double cut_of(const struct curve *c, double steepest, double narrow)
{
	double around = SHARE, from, to;

	while (around < 0.25 && x_at(c, fmin(steepest + around, 1)) - x_at(c, fmax(steepest - around, 0)) < narrow)
		around *= 1.25;
	from = steepest - around;
	to = steepest + around;
	return from > 1.5 * around ? x_at(c, from) : to < 1 ? x_at(c, to) : x_at(c, from);
}

double convert_solver_miss(const struct convert_piece *piece, double *cut_s)
{
	const struct curve c = curve_of(piece);
	double duration = (double)piece->to_s - (double)piece->from_s, steepest, cut;

	*cut_s = 0;
	if (!find_steepest(&c, &steepest))
		return 0;
	cut = cut_of(&c, steepest, NARROW_S / duration) * duration;
	if (cut < NARROW_S || duration - cut < NARROW_S)
		return 0;
	*cut_s = (double)piece->from_s + cut;
	return miss_around(&c, steepest, duration);
}

/* Where time passes that slow. */
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
 * How far the curve is from the straight line between two of its points. Their difference is 0 at both, so it is at most
 * the square of the way between them by an eighth of its second derivative, which is largest at one of them.
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

double convert_solver_bound(const struct convert_piece *piece, double low_s, double high_s)
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
