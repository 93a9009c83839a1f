/* prove.c: the error of a result compared with its source, including the time between keys. */
#include <math.h>
#include <string.h>

#include "clip/rules.h"
#include "filter/reduce/run.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/*
 * Both sides are straight lines in time. Between two times at which neither has a key, their difference is also a
 * straight line, so it is largest at one of these times. Rotations follow arcs, or chords of arcs that are
 * normalised. The difference of two chords is a straight line before normalisation. If it is at most D there, and no
 * point is nearer to the centre than m, the directions differ by at most asin(D / m). An arc and its chord meet at
 * the ends. Between them their distance is at most REDUCE_SURPLUS times the cube of the angle of the rotation, in
 * radians (1.22e-6 degrees for an angle of one degree, measured up to 90).
 *
 * If a chord of the result spans several intervals of the source, its rotation is not uniform within one of them.
 * The direction of a chord whose ends are at an angle A is atan(x), while x moves uniformly from -tan(A / 2) to
 * tan(A / 2). So the rotation accelerates by 2 x / (1 + x^2)^2 times the square of the speed of x, with its maximum
 * at x^2 = 1/3. The rotation in an interval is off by at most an eighth of this acceleration, if x needs a time of 1
 * for the interval. A is an angle of quaternions, and the angle of the rotation is twice as large.
 *
 * Keys of the result have the source's values as they are written. Their times can differ from the source's by a
 * rounding error. Between the two times one side moves away from the value by its own motion during this rounding
 * error.
 */
#define WIDE 0.18  /* radians of error above which sines are computed exactly */
#define SMALL 1e-4 /* square of a tangent up to which an angle can be replaced by its tangent, to 4e-5 of the angle */
#define PEAK 0.57735026918962576 /* the x at which a chord accelerates most */
#define CHORD_SPEED 2            /* largest speed of a chord, relative to its mean speed */

struct proving {
	const struct reduce_run *run;
	const struct anim_track *track;
	bool arcs;  /* the source's rotations follow arcs, not chords */
	bool alike; /* both sides follow arcs, or both follow chords */
	double limit;
	double step_s;   /* longest time from one key to the next */
	double by_least; /* 1 divided by the shortest time */
	double distance; /* for numbers: the longest distance from one key to the next */
	double written;  /* largest change of values by float32 */
	bool moves;      /* float32 may change times */
	bool closely;    /* every interval must be proven individually */
	uint8_t *keep;
	bool more;
	struct reduce_proof *proof;
};

/*
 * The result from a remaining key i to the next remaining key j. After the last key, j is the number of keys, and
 * the value of i is held.
 */
struct chord {
	size_t i, j, last;                                     /* last: the source's last key of the interval */
	double from[REDUCE_COMPONENTS], to[REDUCE_COMPONENTS]; /* as written */
	double from_s, by; /* as written; by: 1 divided by the duration in seconds */
	double square;     /* of the angle of an arc between quaternions, in radians */
	double tangent;    /* of half the angle of a chord, rounded up */
	double ends[2];    /* errors at its ends, and near them */
};

/* Return the larger error. An error that is not a number counts as infinite. */
static inline double larger(double a, double b)
{
	return a >= b ? a : a < b ? b : (double)INFINITY;
}

/* ---- Rotations ---- */

void reduce_normalise(double *q, size_t count)
{
	for (; count > 0; count--, q += 4) {
		double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], off = square - 1, by;

		/* the series of the root, for a length near 1, as most are */
		if (fabs(off) < 1e-4)
			by = 1 - off * (0.5 - off * (0.375 - off * 0.3125));
		else
			by = square > 0 ? 1 / sqrt(square) : 1;
		for (int i = 0; i < 4; i++)
			q[i] *= by;
	}
}

/*
 * acos(1 - u) / sqrt(2 u) is 1 + u / 12 + 3 u^2 / 160 + ..., and no term of it is negative. The sum of all terms
 * from the third on, divided by u^2, is largest at u = 1, at which the whole is pi / sqrt(8). This value is used for
 * all u.
 */
static inline float angle_to_next(const double a[4])
{
	const double *b = a + 4;
	double dot = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
	float u = (float)(dot < 1 ? 1 - dot + 1e-15 : 1e-15);

	return 2.000002f * sqrtf(2 * u) * (1 + u * (0.0833334f + u * 0.027388f));
}

void reduce_angles(const struct reduce_run *run, float *restrict angles)
{
	const double *value = run->value;
	size_t k = 0;

	for (; k + REDUCE_ROUND < run->n; k += REDUCE_ROUND)
		for (size_t i = k; i < k + REDUCE_ROUND; i++)
			angles[i] = angle_to_next(value + 4 * i);
	for (; k + 1 < run->n; k++)
		angles[k] = angle_to_next(value + 4 * k);
}

/*
 * Return the bound between two times at which rotations differ by at most `off`, while the source rotates by `step`.
 */
double reduce_angle_bound(double off, double step)
{
	double angle = step + 2 * off, half = off / 2, square = half * half, narrowest, sine;

	angle = angle < ANIM_PI ? angle : ANIM_PI;
	if (!(off < WIDE)) {
		sine = 2 * anim_sin(fmin(off, ANIM_PI) / 4) / anim_cos(angle / 4);
		return (sine < 1 ? 2 * anim_atan2(sine, sqrt(1 - sine * sine)) : ANIM_PI) +
		       reduce_angle_surplus(step, angle);
	}
	/*
	 * twice the sine of a quarter of the error, divided by the cosine of a quarter of the rotation, by their
	 * series, rounded up
	 */
	narrowest = 1 - angle * angle / 32;
	sine = half * (1 - square * (1.0 / 24 - square / 1920)) / narrowest;
	square = sine * sine;
	return 2 * sine * (1 + square * (1.0 / 6 + square * 0.0758)) +
	       REDUCE_SURPLUS * (step * step * step + angle * angle * angle);
}

/* ---- The result between two of its own keys ---- */

/*
 * Read the value of key k as the result has it. It is the value of the track. If lines were cut, it is the value
 * converted to the track's type.
 */
static void read_written(const struct proving *p, size_t k, double out[REDUCE_COMPONENTS])
{
	const struct reduce_run *run = p->run;
	double numbers[ANIM_COMPONENTS_MAX];
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];

	if (!run->cut) {
		if (anim_types[p->track->type].scalar != ANIM_SCALAR_F32)
			anim_components(p->track->type, p->track->value, k, out);
		else
			for (unsigned c = 0; c < run->components; c++)
				out[c] = (double)((const float *)p->track->value)[run->components * k + c];
		return;
	}
	memset(numbers, 0, sizeof numbers);
	memcpy(numbers, run->value + run->components * k, run->components * sizeof *numbers);
	anim_value_store(p->track->type, numbers, value);
	anim_components(p->track->type, value, 0, out);
}

/* The form of the result between the keys of a run. */
enum shape { NUMBERS, ARCS, CHORDS };

static enum shape shape_of(const struct reduce_run *run)
{
	return run->metric != REDUCE_ANGLE ? NUMBERS : run->by_component ? CHORDS : ARCS;
}

/* Return the value that the result shows at a time. Rotations can have any length. */
ANIM_INLINE void show(enum shape shape, unsigned components, const struct chord *c, double time_s,
		      double out[REDUCE_COMPONENTS])
{
	double to = (time_s - c->from_s) * c->by, from;

	to = to > 0 ? to : 0;
	to = to < 1 ? to : 1;
	from = 1 - to;
	if (shape == ARCS) {
		from = reduce_sine_part(from, c->square);
		to = reduce_sine_part(to, c->square);
	}
	for (unsigned n = 0; n < components; n++)
		out[n] = from * c->from[n] + to * c->to[n];
}

/* Return the squared error of a shown value at key k: of a distance, or of the tangent of half an angle. */
ANIM_INLINE double square_off(enum shape shape, const struct reduce_run *run, unsigned components, size_t k,
			      const double shown[REDUCE_COMPONENTS])
{
	const double *key = run->value + components * k;
	double square = 0, largest = 0, along = 0;

	if (shape != NUMBERS) {
		/* the part across divided by the part along; both signs are the same rotation */
		along = key[0] * shown[0] + key[1] * shown[1] + key[2] * shown[2] + key[3] * shown[3];
		for (int n = 0; n < 4; n++) {
			double across = shown[n] - along * key[n];

			square += across * across;
		}
		return square / (along * along);
	}
	for (unsigned n = 0; n < components; n++) {
		double off = fabs(shown[n] - key[n]);

		square += off * off;
		largest = off > largest ? off : largest;
	}
	return run->metric == REDUCE_LENGTH ? square : largest * largest;
}

/* Return the error of a value of the result at key k. An angle is exact or slightly too large. */
static double off_of(const struct proving *p, size_t k, const double shown[REDUCE_COMPONENTS])
{
	const struct reduce_run *run = p->run;
	double square = square_off(shape_of(run), run, run->components, k, shown), root = sqrt(square);

	if (run->metric != REDUCE_ANGLE)
		return root;
	return square < SMALL ? 2 * root : 2 * anim_atan2(root, 1);
}

/* Return the distance that the source moves from key k to the next. */
static double distance_from(const struct proving *p, size_t k)
{
	const struct reduce_run *run = p->run;

	return run->metric == REDUCE_ANGLE ? (double)run->angle[k]
					   : off_of(p, k, run->value + run->components * (k + 1));
}

/* Return the largest speed of the result on a chord. */
static double speed_of(const struct proving *p, const struct chord *c)
{
	double square = 0;

	switch (shape_of(p->run)) {
	case ARCS:
		return 2 * sqrt(c->square) * c->by;
	case CHORDS:
		return 4 * c->tangent * c->by;
	default:
		for (unsigned n = 0; n < p->run->components; n++)
			square += (c->to[n] - c->from[n]) * (c->to[n] - c->from[n]);
		return sqrt(square) * c->by;
	}
}

/*
 * Return the error at one end of a chord whose time float32 may have changed: the motion from one time to the other,
 * if the result has this speed. It is infinite if times are so near that the change could alter their order, because
 * the result cannot have such times.
 */
static double end_of(const struct proving *p, size_t k, double speed)
{
	const struct reduce_run *run = p->run;
	double put = fabs((double)(float)run->time[k] - run->time[k]), distance;

	if (!(put > 0))
		return 0;
	distance = k > 0 ? distance_from(p, k - 1) : 0;
	if (k + 1 < run->n) {
		double next = distance_from(p, k);

		distance = distance > next ? distance : next;
	}
	distance *= (p->arcs ? 1 : CHORD_SPEED) * p->by_least;
	return put * p->by_least < 1 ? put * (distance > speed ? distance : speed) : (double)INFINITY;
}

/* Begin the chord from remaining key i to the next, j. */
static void begin_chord(const struct proving *p, struct chord *c, size_t i, size_t j)
{
	const struct reduce_run *run = p->run;
	bool ends = j < run->n;
	double *a = c->from, *b = c->to, dot, u, angle;

	c->i = i;
	c->j = j;
	c->last = ends ? j : run->n - 1;
	c->from_s = (double)(float)run->time[i];
	c->by = ends ? 1 / ((double)(float)run->time[j] - c->from_s) : 0;
	c->square = c->tangent = 0;
	read_written(p, i, a);
	read_written(p, ends ? j : i, b);
	if (run->metric != REDUCE_ANGLE || !ends)
		return;
	dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
	if (run->by_component) {
		dot -= 1e-7;
		c->tangent = dot > -1 ? sqrt((1 - dot) / (1 + dot)) : (double)INFINITY;
		return;
	}
	for (int n = 0; n < 4 && dot < 0; n++)
		b[n] = -b[n];
	u = 1 - fabs(dot);
	u = u > 0 ? u : 0;
	angle = u < REDUCE_SHORT ? 0 : anim_acos(1 - u);
	c->square = u < REDUCE_SHORT ? reduce_arc_square(u) : angle * angle;
}

/* Measure the errors at the ends of a chord. */
static void measure_ends(const struct proving *p, struct chord *c)
{
	double speed = speed_of(p, c);
	bool ends = c->j < p->run->n;

	c->ends[0] = end_of(p, c->i, speed);
	c->ends[1] = ends ? end_of(p, c->j, speed) : 0;
	if (p->run->cut) {
		c->ends[0] += off_of(p, c->i, c->from);
		c->ends[1] += ends ? off_of(p, c->j, c->to) : 0;
	}
}

/* ---- Between its keys and the source's ---- */

/* Return the error that the interval from key k - 1 to k adds if it is a part of a chord. */
static double uneven(const struct proving *p, const struct chord *c, size_t k)
{
	const double *time = p->run->time + k - 1;
	double from, to, near, far, most;

	if (!p->run->by_component || c->j == c->i + 1)
		return 0;
	from = c->tangent * (2 * (time[0] - c->from_s) * c->by - 1);
	to = c->tangent * (2 * (time[1] - c->from_s) * c->by - 1);
	near = from * to < 0 ? 0 : fmin(fabs(from), fabs(to));
	far = fmax(fabs(from), fabs(to));
	most = far < PEAK ? far : near > PEAK ? near : PEAK;
	return 2 * (to - from) * (to - from) / 8 * 2 * most / ((1 + most * most) * (1 + most * most));
}

/* Return the shown value at key k, and its error there. */
static double value_at(const struct proving *p, const struct chord *c, size_t k, double shown[REDUCE_COMPONENTS])
{
	if (k == c->i || k == c->j) {
		memcpy(shown, k == c->i ? c->from : c->to, sizeof c->to);
		return c->ends[k == c->j];
	}
	show(shape_of(p->run), p->run->components, c, p->run->time[k], shown);
	return off_of(p, k, shown);
}

/* Bound the interval from key k - 1 to k. Both keys are restored if the bound exceeds the limit. */
static void bound_interval(struct proving *p, const struct chord *c, size_t k)
{
	const double *key = p->run->value + p->run->components * k;
	double shown[2][REDUCE_COMPONENTS], before = value_at(p, c, k - 1, shown[0]),
					    here = value_at(p, c, k, shown[1]);
	double bound = larger(here, before);

	if (p->run->metric == REDUCE_ANGLE && p->run->time[k] > p->run->time[k - 1] && !(p->alike && c->j == c->i + 1))
		bound = reduce_angle_bound(bound, (double)p->run->angle[k - 1]) + uneven(p, c, k);
	if (p->run->metric == REDUCE_ANGLE && !(p->alike && c->j == c->i + 1) &&
	    ((!p->arcs && reduce_is_apart(key - 4, key)) ||
	     (p->run->by_component && reduce_is_apart(shown[0], shown[1]))))
		bound = ANIM_PI;
	p->proof->bound = bound > p->proof->bound ? bound : p->proof->bound;
	if (bound <= p->limit)
		return;
	p->more = p->more || !p->keep[k - 1] || !p->keep[k];
	p->keep[k - 1] = p->keep[k] = 1;
}

/* ---- All intervals. A rough bound is enough for most ---- */

#define BATCH 128u

/* The intervals up to some keys of the source, the keys that are removed, and the chords between remaining keys. */
struct batch {
	size_t first, last, count, key[BATCH + 1], chords, kept[BATCH + 2];
	uint32_t on[BATCH + 1];
	struct chord chord[BATCH + 1]; /* the chords that contain removed keys in the batch */
	double off[BATCH];             /* first the squares of the errors */
	/* largest change of times by float32, and the error that it causes at any key on the source's intervals */
	double put, time_error;
};

/*
 * Collect a batch. Key i is the last remaining key before it. *next is the first one after it, if it is not less.
 * Returns i of the next batch.
 */
static size_t gather(const struct proving *p, struct batch *b, size_t i, size_t *next)
{
	const uint8_t *keep = p->keep;
	size_t chords = 0, count = 0;

	b->kept[0] = i;
	for (size_t k = b->first, last = b->last; k < last; k++) {
		/* entries that do not count are overwritten */
		b->kept[chords + 1] = k;
		chords += keep[k];
		b->key[count] = k;
		b->on[count] = (uint32_t)chords;
		count += !keep[k];
	}
	if (*next < b->last)
		*next = reduce_next_kept(keep, p->run->n, b->last - 1);
	b->count = count;
	b->chords = chords + 1;
	b->kept[b->chords] = *next;
	for (size_t n = 0; n < count; n++)
		if (n == 0 || b->on[n] != b->on[n - 1])
			begin_chord(p, &b->chord[b->on[n]], b->kept[b->on[n]], b->kept[b->on[n] + 1]);
	return b->kept[chords];
}

ANIM_INLINE void compare(const struct reduce_run *run, struct batch *b, enum shape shape, unsigned components)
{
	for (size_t n = 0; n < b->count; n++) {
		double shown[REDUCE_COMPONENTS];

		show(shape, components, &b->chord[b->on[n]], run->time[b->key[n]], shown);
		b->off[n] = square_off(shape, run, components, b->key[n], shown);
	}
}

/* Measure the error of the result at the removed keys. */
static void measure_batch(struct proving *p, struct batch *b)
{
	const struct reduce_run *run = p->run;
	double twice = run->metric == REDUCE_ANGLE ? 2 : 1;

	switch (shape_of(run)) {
	case ARCS:
		compare(run, b, ARCS, 4);
		break;
	case CHORDS:
		compare(run, b, CHORDS, 4);
		break;
	default:
		compare(run, b, NUMBERS, run->components);
	}
	for (size_t n = 0; n < b->count; n++)
		b->off[n] = twice * sqrt(b->off[n]);
	for (size_t n = 0; n < b->count; n++)
		if (b->off[n] > p->proof->seen) {
			p->proof->seen = b->off[n];
			p->proof->at_s = run->time[b->key[n]];
		}
}

/*
 * Return a bound that is fast to compute and at least reduce_angle_bound. For rotations below 0.7 radians the further terms
 * of the series are less than the difference between 1/31 and 1/32.
 */
static inline double bound_roughly(double off, double step)
{
	double angle = step + 2 * off;

	return angle < 0.7 ? off * (1.000001 + (angle * angle + off * off) * (1.0 / 31)) +
				 REDUCE_SURPLUS * (step * step * step + angle * angle * angle)
			   : (double)INFINITY;
}

/* Return the bound in the intervals up to key k of the source and after it. */
static inline double bound_near(const struct proving *p, size_t k, double off)
{
	const float *angle = p->run->angle;
	float step;

	if (p->run->metric != REDUCE_ANGLE)
		return off;
	step = k + 1 < p->run->n && angle[k] > angle[k - 1] ? angle[k] : angle[k - 1];
	return bound_roughly(off, (double)step);
}

/* Return the largest error that uneven rotation can add in any interval of a chord. */
static double most_uneven(const struct proving *p, const struct chord *c)
{
	double most = c->tangent < PEAK ? c->tangent : PEAK, distance = 2 * c->tangent * p->step_s * c->by;

	return reduce_is_apart(c->from, c->to)
		   ? (double)INFINITY
		   : distance * distance / 8 * 4 * most / ((1 + most * most) * (1 + most * most));
}

/* Return true, and count the bound, if a rough bound is enough. */
static inline bool is_proven(struct proving *p, double bound)
{
	if (p->closely || !(bound <= p->limit))
		return false;
	p->proof->bound = bound > p->proof->bound ? bound : p->proof->bound;
	return true;
}

/*
 * Compute the error that the rounding of times causes: the rounding error times the speed in the intervals around
 * it.
 */
static void bound_times(const struct proving *p, struct batch *b)
{
	const struct reduce_run *run = p->run;
	bool rotates = run->metric == REDUCE_ANGLE;
	double speed = 1.1 * p->by_least * (p->arcs && !run->by_component ? 1 : CHORD_SPEED);

	b->put = b->time_error = 0;
	for (size_t k = b->first - 1; k <= b->last && k < run->n && p->moves; k++) {
		double put = fabs((double)(float)run->time[k] - run->time[k]);
		double before = rotates && k > 0 ? (double)run->angle[k - 1] : p->distance;
		double after = rotates && k + 1 < run->n ? (double)run->angle[k] : p->distance;
		double time_error = put * (before > after ? before : after);

		b->put = put > b->put ? put : b->put;
		b->time_error = time_error > b->time_error ? time_error : b->time_error;
	}
	b->time_error = b->put * p->by_least < 1.0 / 32 ? b->time_error * speed + p->written : (double)INFINITY;
}

/* Prove the intervals between neighbouring keys that both remain. */
static void prove_neighbours(struct proving *p, struct batch *b)
{
	const float *angle = p->run->angle;
	float step = 0;

	for (size_t k = b->first; k < b->last && !p->alike; k++)
		step = angle[k - 1] > step ? angle[k - 1] : step;
	if (is_proven(p, p->alike ? b->time_error : bound_roughly(b->time_error, (double)step)))
		return;
	for (size_t n = 0; n < b->chords; n++) {
		struct chord c;

		if (b->kept[n + 1] != b->kept[n] + 1 || b->kept[n + 1] == p->run->n)
			continue;
		begin_chord(p, &c, b->kept[n], b->kept[n + 1]);
		measure_ends(p, &c);
		bound_interval(p, &c, c.j);
	}
}

/* Return the longest and the shortest time between neighbouring keys. */
static void measure_steps(const double *time, size_t n, double *longest, double *shortest)
{
	double most[REDUCE_ROUND] = {0}, least[REDUCE_ROUND];
	size_t k = 1;

	for (unsigned i = 0; i < REDUCE_ROUND; i++)
		least[i] = (double)INFINITY;
	for (; k + REDUCE_ROUND <= n; k += REDUCE_ROUND)
		for (unsigned i = 0; i < REDUCE_ROUND; i++) {
			double seconds = time[k + i] - time[k + i - 1];

			most[i] = seconds > most[i] ? seconds : most[i];
			least[i] = seconds < least[i] ? seconds : least[i];
		}
	for (; k < n; k++) {
		most[0] = fmax(time[k] - time[k - 1], most[0]);
		least[0] = fmin(time[k] - time[k - 1], least[0]);
	}
	*longest = most[0];
	*shortest = least[0];
	for (unsigned i = 1; i < REDUCE_ROUND; i++) {
		*longest = fmax(most[i], *longest);
		*shortest = fmin(least[i], *shortest);
	}
}

/* Find properties of all intervals, and whether these suffice to skip most intervals. */
static void measure_all(struct proving *p)
{
	const struct reduce_run *run = p->run;
	bool even = p->track->kind == ANIM_RAW && !run->cut;
	double least, largest = 0;

	if (even) { /* except for the last bits of times */
		double seconds = (run->time[run->n - 1] - run->time[0]) / (double)(run->n - 1);

		p->step_s = seconds * (1 + 1e-6);
		least = seconds * (1 - 1e-6);
	} else {
		measure_steps(run->time, run->n, &p->step_s, &least);
	}
	p->by_least = 1 / least;
	p->moves = even || run->cut;
	for (size_t k = 0; k + 1 < run->n && p->moves && run->metric != REDUCE_ANGLE; k++) {
		double distance = distance_from(p, k);

		p->distance = larger(distance, p->distance);
	}
	/* for these, a bound from the distance of rotations says nothing about the path between them */
	p->closely = (run->metric == REDUCE_ANGLE && (!p->arcs || run->by_component) && reduce_changes_sign(run)) ||
		     (run->cut && anim_types[p->track->type].scalar != ANIM_SCALAR_F32);
	/* float32 rounds half of the last of 24 bits in each component, and twice as much for rotations */
	for (size_t i = 0; i < run->n * run->components && run->cut; i++)
		largest = larger(largest, fabs(run->value[i]));
	p->written = run->cut ? 0x1p-24 * 1.01 * largest * (run->metric == REDUCE_ANGLE ? 4 : 2) : 0;
}

void reduce_prove(const struct reduce_run *run, const struct anim_track *track, bool arcs, double limit, uint8_t *keep,
		  bool *more, struct reduce_proof *proof)
{
	struct proving p = {.run = run,
			    .track = track,
			    .arcs = arcs || run->metric != REDUCE_ANGLE,
			    .alike = run->metric != REDUCE_ANGLE || arcs != run->by_component,
			    .limit = limit,
			    .keep = keep,
			    .proof = proof};
	bool chords = shape_of(run) == CHORDS;
	size_t i = reduce_first_kept(keep, run->n), next = 0;
	struct batch batch;

	*proof = (struct reduce_proof){0};
	measure_all(&p);
	for (size_t from = i + 1; from < run->n; from += BATCH) {
		batch.first = from;
		batch.last = run->n - from < BATCH ? run->n : from + BATCH;
		i = gather(&p, &batch, i, &next);
		measure_batch(&p, &batch);
		bound_times(&p, &batch);
		prove_neighbours(&p, &batch);
		for (size_t n = 0; n < batch.count; n++) {
			struct chord *c = &batch.chord[batch.on[n]];
			size_t k = batch.key[n];
			double near = batch.put > 0 ? batch.put * speed_of(&p, c) + p.written : 0;

			near = near > batch.time_error ? near : batch.time_error;
			near = bound_near(&p, k, larger(batch.off[n], near));
			if (is_proven(&p, near + (chords ? most_uneven(&p, c) : 0)))
				continue;
			measure_ends(&p, c);
			bound_interval(&p, c, k);
			if (k < c->last)
				bound_interval(&p, c, k + 1);
		}
	}
	if (run->metric == REDUCE_ANGLE) /* so far it was twice a tangent */
		proof->seen = 2 * anim_atan2(proof->seen / 2, 1);
	*more = p.more;
}
