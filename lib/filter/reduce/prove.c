/* prove.c: how far a result is off its source, between the keys too. */
#include <math.h>
#include <string.h>

#include "clip/rules.h"
#include "filter/reduce/internal.h"
#include "math/elementary.h"

/*
 * Straight lines in time on both sides: their difference is straight, too, between two times at which neither has a key, so that
 * its length is largest at one of them. Rotations run along arcs, or along chords of them that are normalised. Of two chords the
 * difference is straight before it is normalised: at most D there, and where no point is nearer to the centre than m, the
 * directions differ by at most asin(D / m). An arc and its chord meet at the ends; between them they are at most SURPLUS times
 * the cube of the rotation's angle apart, in radians (1.22e-6 degrees for one of a degree, measured to 90).
 */
#define SURPLUS 4.005e-3
#define BATCH 128u

double reduce_turn_surplus(double source_angle, double result_angle)
{
	return SURPLUS * (source_angle * source_angle * source_angle + result_angle * result_angle * result_angle);
}

/* One of the two, sampled in batches. */
struct side {
	const struct anim_track *track;
	struct anim_sample_state state;
	_Alignas(16) uint8_t values[BATCH * ANIM_VALUE_MAX];
};

struct proving {
	const struct anim_clip *clip;
	struct side sides[2];
	enum reduce_metric metric;
	bool alike; /* both run along arcs, or along chords */
	double limit;
	uint8_t *keep;
	struct reduce_proof *proof;
	/* the last time that was looked at */
	bool any, more;
	double t, off, before[2][REDUCE_COMPONENTS];
	size_t key; /* of the source, at or before it */
};

static double angle_of(const double a[4], const double b[4])
{
	double minus = 0, plus = 0;

	for (int i = 0; i < 4; i++) {
		minus += (a[i] - b[i]) * (a[i] - b[i]);
		plus += (a[i] + b[i]) * (a[i] + b[i]);
	}
	return 4 * anim_atan2(sqrt(fmin(minus, plus)), sqrt(fmax(minus, plus)));
}

static void normalise(double q[4])
{
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

	for (int i = 0; i < 4 && length > 0; i++)
		q[i] /= length;
}

static double error_of(const struct proving *p, const double a[REDUCE_COMPONENTS], const double b[REDUCE_COMPONENTS],
		       unsigned components)
{
	double square = 0, largest = 0;

	if (p->metric == REDUCE_TURN)
		return angle_of(a, b);
	for (unsigned i = 0; i < components; i++) {
		square += (a[i] - b[i]) * (a[i] - b[i]);
		largest = fmax(largest, fabs(a[i] - b[i]));
	}
	return p->metric == REDUCE_LENGTH ? sqrt(square) : largest;
}

/* What may be off between the last time and one with these values, where the error is `off`, at or behind this key. */
static double bound_between(const struct proving *p, double values[2][REDUCE_COMPONENTS], double off, size_t key)
{
	double worst = fmax(p->off, off), turns[2], narrowest, sine;

	/* between two keys of the source that both stay, a player that blends alike does the same with rotations, too */
	if (p->metric != REDUCE_TURN || (p->alike && p->keep[key] && p->keep[p->key] && key - p->key <= 1))
		return worst;
	for (int i = 0; i < 2; i++)
		turns[i] = angle_of(p->before[i], values[i]);
	narrowest = anim_cos(fmin(fmax(turns[0], turns[1]), ANIM_PI) / 4);
	sine = 2 * anim_sin(worst / 4) / narrowest;
	return (sine < 1 ? 2 * anim_atan2(sine, sqrt(1 - sine * sine)) : ANIM_PI) +
	       reduce_turn_surplus(turns[0], turns[1]);
}

/* The values of both at the next time; `key`: the source's key at or before it. */
static void look(struct proving *p, double t, size_t key, size_t element)
{
	enum anim_type type = p->sides[0].track->type;
	unsigned components = anim_types[type].components;
	double values[2][REDUCE_COMPONENTS], off, bound;

	for (int i = 0; i < 2; i++) {
		anim_components(type, p->sides[i].values, element, values[i]);
		if (p->metric == REDUCE_TURN)
			normalise(values[i]);
	}
	off = error_of(p, values[0], values[1], components);
	bound = p->any ? bound_between(p, values, off, key) : off;
	if (!(off <= p->proof->seen)) {
		p->proof->seen = off;
		p->proof->at_s = t;
	}
	p->proof->bound = fmax(p->proof->bound, bound);
	if (!(bound <= p->limit)) {
		p->more = p->more || !p->keep[key] || (p->any && !p->keep[p->key]);
		p->keep[key] = 1;
		if (p->any)
			p->keep[p->key] = 1;
	}
	memcpy(p->before, values, sizeof values);
	p->any = true;
	p->t = t;
	p->key = key;
	p->off = off;
}

static int look_at(struct proving *p, const double *t, const size_t *keys, size_t count, struct anim_error *error)
{
	uint8_t present[BATCH];

	for (int i = 0; i < 2; i++)
		if (anim_sample(p->clip, p->sides[i].track, t, count, p->sides[i].values, present, &p->sides[i].state,
				error) != 0)
			return -1;
	for (size_t k = 0; k < count; k++)
		look(p, t[k], keys[k], k);
	return 0;
}

/* Keys of the result may lie a rounding from the samples that they were. */
static int look_at_all(struct proving *p, struct anim_error *error)
{
	const struct anim_track *source = p->sides[0].track;
	double t[BATCH];
	size_t keys[BATCH], count = 0;

	for (size_t k = 0; k < source->n; k++) {
		double exact = anim_track_time(source, k), rounded = (double)(float)exact;

		if (rounded < exact && k > 0) {
			t[count] = rounded;
			keys[count++] = k - 1;
		}
		t[count] = exact;
		keys[count++] = k;
		if (rounded > exact && k + 1 < source->n) {
			t[count] = rounded;
			keys[count++] = k;
		}
		if (count + 3 > BATCH || k + 1 == source->n) {
			if (look_at(p, t, keys, count, error) != 0)
				return -1;
			count = 0;
		}
	}
	return 0;
}

int reduce_prove(const struct anim_clip *clip, const struct anim_track *source, const struct anim_track *result,
		 enum reduce_metric metric, double limit, uint8_t *keep, bool *more, struct reduce_proof *proof,
		 struct anim_error *error)
{
	struct proving p = {.clip = clip,
			    .sides = {{.track = source}, {.track = result}},
			    .metric = metric,
			    .alike = reduce_blends_components(clip, source->rules) ==
				     reduce_blends_components(clip, result->rules),
			    .limit = limit,
			    .keep = keep,
			    .proof = proof};
	int status;

	*proof = (struct reduce_proof){0};
	status = look_at_all(&p, error);
	for (int i = 0; i < 2; i++)
		anim_sample_state_clear(&p.sides[i].state);
	*more = p.more;
	return status;
}
