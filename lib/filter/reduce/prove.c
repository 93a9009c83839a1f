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
 *
 * A chord of the result that goes on over several of the source's intervals does not turn evenly in one of them: the direction
 * of a chord whose ends are A apart is atan(x) where x goes evenly from -tan(A / 2) to tan(A / 2), so that the turn gains
 * 2 x / (1 + x^2)^2 of the square of x's speed, the most at x^2 = 1/3. An interval's turn is off by an eighth of that gain at most,
 * x going through the interval in a time of 1; A being an angle of quaternions, and a turn of rotations twice as large.
 *
 * The result is what its player shows at the source's keys, which the source's own player shows as they are. Keys of the result
 * may lie a rounding from the source's, whose values they have: there the source is off by its way in between.
 */
#define SURPLUS 4.005e-3
#define BATCH 128u
#define SMALL 0.02    /* squares of sines up to which a series of the arc sine is exact to 1e-12 */
#define WIDE 0.18     /* radians off, above which sines are taken exactly */
#define CHORD_SPEED 2 /* at most, of what a chord turns by on the mean */

double reduce_turn_surplus(double source_angle, double result_angle)
{
	return SURPLUS * (source_angle * source_angle * source_angle + result_angle * result_angle * result_angle);
}

/* What is known of some keys; element 0 is the last one of those before. Angles are in radians. */
struct batch {
	_Alignas(16) uint8_t shown[BATCH * ANIM_VALUE_MAX];
	double source[BATCH * REDUCE_COMPONENTS], result[(BATCH + 1) * REDUCE_COMPONENTS];
	double off[BATCH + 1];   /* how far the result is off */
	double put[BATCH + 1];   /* seconds that float32 has put the key away, if it is one of the result's */
	double step[BATCH + 1];  /* what the source does up to it from the key before */
	double bound[BATCH + 1]; /* of what the result is off on the way to it */
};

struct proving {
	const struct anim_clip *clip;
	const struct reduce_run *run;
	const struct anim_track *source, *result;
	struct anim_sample_state state;
	bool alike;  /* both run along arcs, or along chords */
	bool chords; /* the source does */
	double limit;
	uint8_t *keep;
	bool more;
	size_t written;          /* keys of the result, before those to come */
	double tangent;          /* of half of the result's chord at hand, */
	double from_s, length_s; /* and when it is */
	struct reduce_proof *proof;
	struct batch batch;
};

/* ---- Angles ---- */

/* 4 asin(s) of the roots s of so many numbers, a batch at most: the turns between quaternions that are 2 s apart. */
static void angles_of(double squares[BATCH])
{
	double roots[BATCH], most = 0;

	for (unsigned i = 0; i < BATCH; i++) {
		double s = squares[i];

		most = s > most ? s : most;
		roots[i] =
		    4 * sqrt(s) *
		    (1 + s * (1.0 / 6 + s * (3.0 / 40 + s * (15.0 / 336 + s * (105.0 / 3456 + s * (945.0 / 42240))))));
	}
	for (unsigned i = 0; i < BATCH && !(most <= SMALL); i++)
		if (!(squares[i] <= SMALL))
			roots[i] = 4 * anim_atan2(sqrt(squares[i]), sqrt(fmax(1 - squares[i], 0)));
	memcpy(squares, roots, sizeof roots);
}

/* A quarter of the square of how far two unit quaternions are apart, with the signs that are nearer. */
static double half_chord(const double a[4], const double b[4])
{
	double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], square = 0, sign = dot < 0 ? -1 : 1;

	for (int i = 0; i < 4; i++)
		square += (a[i] - sign * b[i]) * (a[i] - sign * b[i]);
	return square / 4;
}

void reduce_normalise(double *q, size_t count)
{
	for (; count > 0; count--, q += 4) {
		double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
		double by = square > 0 ? 1 / sqrt(square) : 1;

		for (int i = 0; i < 4; i++)
			q[i] *= by;
	}
}

/* How far apart `count` values are; behind them zeros. */
static void distances(const struct reduce_run *run, const double *a, const double *b, size_t count, double out[BATCH])
{
	unsigned n = run->components;

	memset(out + count, 0, (BATCH - count) * sizeof *out);
	for (size_t k = 0; k < count && run->metric == REDUCE_TURN; k++)
		out[k] = half_chord(a + 4 * k, b + 4 * k);
	if (run->metric == REDUCE_TURN) {
		angles_of(out);
		return;
	}
	for (size_t k = 0; k < count; k++) {
		double square = 0, largest = 0;

		for (unsigned i = 0; i < n; i++) {
			double off = fabs(a[k * n + i] - b[k * n + i]);

			square += off * off;
			largest = largest > off ? largest : off;
		}
		out[k] = run->metric == REDUCE_LENGTH ? sqrt(square) : largest;
	}
}

void reduce_turns(const struct reduce_run *run, double *angles)
{
	double some[BATCH];

	for (size_t k = 0; k + 1 < run->n; k += BATCH) {
		size_t count = run->n - 1 - k < BATCH ? run->n - 1 - k : BATCH;

		distances(run, run->value + 4 * k, run->value + 4 * (k + 1), count, some);
		memcpy(angles + k, some, count * sizeof *some);
	}
}

/* ---- At the keys ---- */

/* Players may show something else at the ends, where a loop begins anew: then they do it with both. 0 or -1. */
static int look_at_end(const struct proving *p, size_t k, double *value, struct anim_error *error)
{
	struct anim_sample_state state = {0};
	_Alignas(16) uint8_t shown[ANIM_VALUE_MAX];
	uint8_t present;
	int status = anim_sample(p->clip, p->source, &p->run->time[k], 1, shown, &present, &state, error);

	anim_sample_state_clear(&state);
	if (status == 0)
		anim_components(p->source->type, shown, 0, value);
	if (p->run->metric == REDUCE_TURN)
		reduce_normalise(value, 1);
	return status;
}

/* The values of both at the times of some keys. 0 or -1. */
static int read_batch(struct proving *p, size_t first, size_t count, struct anim_error *error)
{
	const struct reduce_run *run = p->run;
	struct batch *b = &p->batch;
	size_t n = run->components, last = run->n - 1;
	uint8_t present[BATCH];

	memcpy(b->source, run->value + first * n, count * n * sizeof *b->source);
	if ((first == 0 && look_at_end(p, 0, b->source, error) != 0) ||
	    (first + count > last && look_at_end(p, last, b->source + (last - first) * n, error) != 0) ||
	    anim_sample(p->clip, p->result, run->time + first, count, b->shown, present, &p->state, error) != 0)
		return -1;
	anim_components_of(p->source->type, b->shown, 0, count, b->result + n);
	if (run->metric == REDUCE_TURN)
		reduce_normalise(b->result + n, count);
	return 0;
}

/* Whether key k is one of two at the same time that both stay: what is shown then is the later one's. */
static bool is_passed(const struct proving *p, size_t k)
{
	return k + 1 < p->run->n && p->keep[k] && p->keep[k + 1] && !(p->run->time[k + 1] > p->run->time[k]);
}

/* How far off keys are, and where those that stay are put. */
static void compare(struct proving *p, size_t first, size_t count)
{
	struct batch *b = &p->batch;
	double *off = b->off + 1, *put = b->put + 1;

	distances(p->run, b->source, b->result + p->run->components, count, off);
	for (size_t k = 0; k < count; k++) {
		put[k] = 0;
		if (!p->keep[first + k])
			continue;
		put[k] = (double)p->result->time[p->written++] - p->run->time[first + k];
		if (is_passed(p, first + k))
			off[k] = 0;
	}
	for (size_t k = 0; k < count; k++)
		if (!(off[k] <= p->proof->seen)) {
			p->proof->seen = off[k];
			p->proof->at_s = p->run->time[first + k];
		}
}

/* ---- Between them ---- */

/* The bound between two times at which rotations are at most `off` apart, while the source turns by `step`. */
static inline double bound_turn(double off, double step)
{
	double turn = step + 2 * off, half = off / 2, square = half * half, narrowest, sine;

	/* sine of a quarter of the error, twice, by the cosine of a quarter of the turn: their series, on the safe side */
	turn = turn < ANIM_PI ? turn : ANIM_PI;
	narrowest = 1 - turn * turn / 32;
	sine = half * (1 - square * (1.0 / 24 - square / 1920)) / narrowest;
	square = sine * sine;
	return 2 * sine * (1 + square * (1.0 / 6 + square * 0.0758)) +
	       SURPLUS * (step * step * step + turn * turn * turn);
}

/* The same where turns are wide. */
static double bound_wide(double off, double step)
{
	double turn = fmin(step + 2 * off, ANIM_PI), sine = 2 * anim_sin(fmin(off, ANIM_PI) / 4) / anim_cos(turn / 4);

	return (sine < 1 ? 2 * anim_atan2(sine, sqrt(1 - sine * sine)) : ANIM_PI) + reduce_turn_surplus(step, turn);
}

/*
 * A key of the result between two of the source's has the value of one of these: how far the source is from it there. Times so
 * near that float32 changes their order are none that the result could have.
 */
static double moved(const struct proving *p, size_t k, double span)
{
	const struct batch *b = &p->batch;
	double by = b->put[k - 1] > -b->put[k] ? b->put[k - 1] : -b->put[k];

	if (!(by > 0) || !(span > 0))
		return 0;
	return by > span ? (double)INFINITY : b->step[k] * by / span * (p->chords ? CHORD_SPEED : 1);
}

/* Of chords whose ends are more than a right angle apart: they turn the long way, and as fast as may be. */
static bool swings(const struct proving *p, size_t k, size_t key)
{
	const double *a = p->run->value + 4 * (key - 1), *b = p->batch.result + 4 * (k - 1);

	return (p->chords && a[0] * a[4] + a[1] * a[5] + a[2] * a[6] + a[3] * a[7] < 0) ||
	       (p->run->by_component && b[0] * b[4] + b[1] * b[5] + b[2] * b[6] + b[3] * b[7] < 0);
}

/* The result's chord from a key that stays to the next one that does. */
static void begin_chord(struct proving *p, size_t from)
{
	const double *a = p->run->value + 4 * from, *b;
	size_t next = reduce_next_kept(p->keep, p->run->n - 1, from); /* the last one, if no other does */
	double dot;

	b = p->run->value + 4 * next;
	dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] - 1e-7;
	p->tangent = dot > -1 ? sqrt((1 - dot) / (1 + dot)) : (double)INFINITY;
	p->from_s = p->run->time[from];
	p->length_s = p->run->time[next] - p->from_s;
}

/* What the way to a key adds where it is a part of a chord. */
static double uneven(struct proving *p, size_t key)
{
	const double peak = 0.57735026918962576; /* where the gain is largest */
	const double *time = p->run->time + key - 1;
	double from, to, near, far, most;

	if (!p->run->by_component)
		return 0;
	if (p->keep[key - 1])
		begin_chord(p, key - 1);
	if (p->keep[key - 1] && p->keep[key])
		return 0;
	from = p->tangent * (2 * (time[0] - p->from_s) / p->length_s - 1);
	to = p->tangent * (2 * (time[1] - p->from_s) / p->length_s - 1);
	near = from * to < 0 ? 0 : fmin(fabs(from), fabs(to));
	far = fmax(fabs(from), fabs(to));
	most = far < peak ? far : near > peak ? near : peak;
	return 2 * (to - from) * (to - from) / 8 * 2 * most / ((1 + most * most) * (1 + most * most));
}

/* Between two keys of the source that both stay, a player that blends alike does the same with rotations, too. */
static void bound_turns(struct proving *p, size_t first, size_t count)
{
	struct batch *b = &p->batch;
	double turns[BATCH];

	for (unsigned k = 0; k < BATCH; k++)
		turns[k] = bound_turn(b->bound[k + 1], b->step[k + 1]);
	for (size_t k = first == 0 ? 2 : 1; k <= count; k++) {
		size_t key = first + k - 1;
		double surplus = uneven(p, key);

		if ((p->alike && p->keep[key - 1] && p->keep[key]) || !(p->run->time[key] > p->run->time[key - 1]))
			continue;
		if (swings(p, k, key))
			b->bound[k] = ANIM_PI;
		else
			b->bound[k] = b->bound[k] < WIDE ? turns[k - 1] : bound_wide(b->bound[k], b->step[k]);
		b->bound[k] += surplus;
	}
}

/* Bounds on the way to each key from the one before. */
static void bound_all(struct proving *p, size_t first, size_t count)
{
	const struct reduce_run *run = p->run;
	struct batch *b = &p->batch;
	size_t none = first == 0; /* of the first key of all there is no way to it */

	distances(run, run->value + (first + none - 1) * run->components, run->value + (first + none) * run->components,
		  count - none, b->step + 1 + none);
	b->step[1] = none ? 0 : b->step[1];
	b->bound[1] = b->off[1];
	for (size_t k = 1 + none; k <= count; k++) {
		double worst = b->off[k - 1] > b->off[k] ? b->off[k - 1] : b->off[k];
		double put = moved(p, k, run->time[first + k - 1] - run->time[first + k - 2]);

		b->bound[k] = worst > put ? worst : put;
	}
	if (run->metric == REDUCE_TURN)
		bound_turns(p, first, count);
}

/* Keys come back where a bound is above the limit. */
static void settle(struct proving *p, size_t first, size_t count)
{
	struct batch *b = &p->batch;

	for (size_t k = 1; k <= count; k++) {
		uint8_t *keep = p->keep + first + k - 1;

		p->proof->bound = b->bound[k] > p->proof->bound ? b->bound[k] : p->proof->bound;
		if (b->bound[k] <= p->limit)
			continue;
		p->more = p->more || !keep[0] || (first + k > 1 && !keep[-1]);
		keep[0] = 1;
		if (first + k > 1)
			keep[-1] = 1;
	}
	b->off[0] = b->off[count];
	b->put[0] = b->put[count];
	memcpy(b->result, b->result + count * p->run->components, p->run->components * sizeof *b->result);
}

int reduce_prove(const struct anim_clip *clip, const struct reduce_run *run, const struct anim_track *source,
		 const struct anim_track *result, double limit, uint8_t *keep, bool *more, struct reduce_proof *proof,
		 struct anim_error *error)
{
	struct proving p = {.clip = clip,
			    .run = run,
			    .source = source,
			    .result = result,
			    .alike = reduce_blends_components(clip, source->rules) ==
				     reduce_blends_components(clip, result->rules),
			    .chords = reduce_blends_components(clip, source->rules),
			    .limit = limit,
			    .keep = keep,
			    .proof = proof};
	int status = 0;

	*proof = (struct reduce_proof){0};
	for (size_t first = 0; first < run->n && status == 0; first += BATCH) {
		size_t count = run->n - first < BATCH ? run->n - first : BATCH;

		status = read_batch(&p, first, count, error);
		if (status != 0)
			break;
		compare(&p, first, count);
		bound_all(&p, first, count);
		settle(&p, first, count);
	}
	anim_sample_state_clear(&p.state);
	*more = p.more;
	return status;
}
