/* godot.c: where the curves that Godot's players show are not what their keys say. */
#include <math.h>

#include "clip/rules.h"
#include "filter/convert/internal.h"
#include "math/curve.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* ---- The jumps of Godot 3's cubic rotations ---- */

/*
 * The last of its three slerps stays at its start while that is near its end, and sets out with a jump of up to 0.8 degrees,
 * or half a turn, where it no longer is.
 */

#define NOISE 5e-7     /* of the nearness: as float32 has it, it may be of either sign this near to 0 */
#define NARROW 0x1p-12 /* of a segment: nothing is looked for nearer, whatever the keys are */
#define NOT_UNIT 2     /* times what it is for keys of length 1 is the bend of others */

/* One segment of the source. */
struct squad {
	struct anim_sampler sampler;
	struct anim_segment segment;
	float from[4], to[4], before[4], after[4];
	double bend; /* the second derivative of its nearness by the weight, at most */
	/* Seen so far, from the left: */
	double side,
	    change[2]; /* the last sign that noise cannot turn (0: none), the weight of it and of the next other */
	double leap;   /* how far it jumps, degrees, there and where noise makes it flicker */
};

static double dot_at(const struct squad *q, double weight)
{
	return (double)anim_quat_cubic_slerp_dot(q->from, q->to, q->before, q->after, (float)weight);
}

/* Above 0 the last slerp stays at its start. */
static double nearness_at(const struct squad *q, double weight)
{
	return fabs(dot_at(q, weight)) - (double)ANIM_QUAT_NEAR;
}

static double weight_at(struct squad *q, float t)
{
	struct anim_segment segment;

	return q->sampler.rules->locate(&q->sampler, (double)t, &segment) ? segment.weight : 0;
}

/* The segment at t: 1, 0 where it is no squad, -1. */
static int open_squad(struct anim_source *source, float t, struct squad *q, struct anim_error *error)
{
	const struct anim_track *track = source->tracks[0];
	struct anim_cubic_keys keys;
	double angle;

	if (source->joined || track->rules != ANIM_RULES_GODOT3 || track->kind != ANIM_CURVE ||
	    track->type != ANIM_FLOATQ)
		return 0;
	if (anim_sampler_open(&q->sampler, source->clip, track, &source->states[0], error) != 0)
		return -1;
	if (!q->sampler.rules->locate(&q->sampler, (double)t, &q->segment) || q->segment.hold ||
	    anim_track_interp(track, q->segment.from) != ANIM_CUBIC_UNIFORM)
		return 0;
	anim_cubic_keys_load(track, &q->segment, &keys);
	anim_components_to_float(q->from, keys.from, 4);
	anim_components_to_float(q->to, keys.to, 4);
	anim_components_to_float(q->before, keys.before, 4);
	anim_components_to_float(q->after, keys.after, 4);
	/* Both ends of the last slerp go round a circle, each by its angle: their product has both for its speed. */
	angle = anim_acos(fabs((double)anim_quat_dot(q->from, q->to))) +
		anim_acos((double)anim_quat_dot(q->before, q->after));
	q->bend = NOT_UNIT * angle * angle;
	q->side = q->leap = 0;
	return 1;
}

/* It may jump here. */
static void take_leap(struct squad *q, double weight)
{
	double turn = 4 * weight * (1 - weight) * anim_acos(dot_at(q, weight));

	q->leap = fmax(q->leap, fmin(turn, ANIM_TAU - turn) * (180 / ANIM_PI));
}

/* The next weight to the right; true where its sign is surely another than the last sure one. */
static bool visit(struct squad *q, double weight, double nearness)
{
	double side = copysign(1, nearness);
	bool changes = q->side == -side;

	if (!(fabs(nearness) > NOISE)) {
		take_leap(q, weight);
		return false;
	}
	q->change[changes] = weight;
	q->side = side;
	return changes;
}

/*
 * Visits what is needed between two weights, and the second, up to the first change. A sign that both have by more than
 * the curve can bend away from the straight line between them is that of all that lies there.
 */
static bool find_change(struct squad *q, double low, double high, double at_low, double at_high)
{
	double middle = low + (high - low) / 2, reach = q->bend * (high - low) * (high - low) / 8, at_middle;
	bool differs = signbit(at_low) != signbit(at_high);

	if (reach < NOISE / 4 || high - low < NARROW ||
	    !(differs || fmin(fabs(at_low), fabs(at_high)) <= reach + NOISE))
		return visit(q, high, at_high);
	at_middle = nearness_at(q, middle);
	return find_change(q, low, middle, at_low, at_middle) || find_change(q, middle, high, at_middle, at_high);
}

/* The neighbouring floats between which the sign changes. */
static bool narrow_down(struct squad *q, float *low, float *high)
{
	bool near = q->side < 0; /* before it changed */

	while (nextafterf(*low, *high) < *high) {
		float middle = (float)((double)*low + ((double)*high - (double)*low) / 2);
		double weight = weight_at(q, middle);
		bool before =
		    weight <= q->change[0] || (weight < q->change[1] && (nearness_at(q, weight) >= 0) == near);

		*(before ? low : high) = middle;
	}
	return *low < *high;
}

int convert_squad_jump(struct anim_source *source, float *low, float *high, double *leap, struct anim_error *error)
{
	struct squad q;
	double first, last, at_first;
	int found = open_squad(source, *low, &q, error);
	bool changes;

	if (found != 1)
		return found;
	first = weight_at(&q, *low);
	last = weight_at(&q, *high);
	if (!(last > first))
		return 0;
	at_first = nearness_at(&q, first);
	visit(&q, first, at_first);
	changes = find_change(&q, first, last, at_first, nearness_at(&q, last)) && narrow_down(&q, low, high);
	if (changes)
		take_leap(&q, weight_at(&q, *low));
	*leap = q.leap;
	return changes;
}

/* ---- What the solver of Bezier tracks misses ---- */

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
