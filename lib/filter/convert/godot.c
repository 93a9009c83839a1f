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
