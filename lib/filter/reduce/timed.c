/* timed.c: curves whose handles have times of their own, as cubics in time: in pieces that are proven to be as near as is wanted. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "clip/cubic.h"
#include "filter/reduce/internal.h"

#define DEPTH 5u        /* halvings of a segment: where it takes more, it stays as it is */
#define DEGREE 9u       /* of a cubic of a cubic */
#define ROUNDED 0x1p-44 /* of control values: more than the sums below round by */
#define FLOAT 0x1p-22   /* the same of slopes and values in float32 */

bool reduce_is_timed(const struct anim_track *track, size_t k)
{
	enum anim_interp mode = anim_track_interp(track, k);

	if (track->interp == ANIM_BEZIER_2D)
		return true;
	return mode == ANIM_WEIGHTED && track->weighted != NULL &&
	       ((track->right_x != NULL && (track->weighted[k] & 2)) ||
		(track->left_x != NULL && (track->weighted[k + 1] & 1)));
}

/* One component between keys k and k + 1; false where time does not go on all the way, or something is no number. */
static bool read_timed(const struct anim_track *track, size_t k, unsigned component, struct anim_cubic *curve)
{
	if (!(anim_track_time(track, k + 1) > anim_track_time(track, k)) ||
	    !anim_cubic_read(track, k, component, curve) || curve->steps)
		return false;
	for (int i = 0; i < 4; i++)
		if (!isfinite(curve->y[i]) || !(curve->x[i] >= 0 && curve->x[i] <= 1))
			return false;
	return true;
}

bool reduce_has_time(const struct anim_track *track, size_t k)
{
	struct anim_cubic curve;

	for (unsigned c = 0; c < anim_types[track->type].components; c++)
		if (!read_timed(track, k, c, &curve))
			return false;
	return reduce_is_timed(track, k);
}

double reduce_timed_control(const struct anim_track *track, size_t k, bool length)
{
	struct anim_cubic curve;
	double square = 0, most = 0;

	for (unsigned c = 0; c < anim_types[track->type].components; c++) {
		double largest = 0;

		read_timed(track, k, c, &curve);
		for (int i = 0; i < 4; i++)
			largest = fmax(largest, fabs(curve.y[i]));
		square += largest * largest;
		most = fmax(most, largest);
	}
	return length ? sqrt(square) : most;
}

/* ---- How far a curve is from a cubic in time ---- */

static double choose(unsigned n, unsigned k)
{
	double ways = 1;

	for (unsigned i = 0; i < k; i++)
		ways = ways * (n - i) / (i + 1);
	return ways;
}

/* The product of two polynomials by their Bernstein coefficients, which are degree + 1. */
static void multiply(const double *a, unsigned m, const double *b, unsigned n, double *out)
{
	for (unsigned k = 0; k <= m + n; k++) {
		out[k] = 0;
		for (unsigned i = k > n ? k - n : 0; i <= k && i <= m; i++)
			out[k] += choose(m, i) * choose(n, k - i) * a[i] * b[k - i];
		out[k] /= choose(m + n, k);
	}
}

/* A cubic in time by its control values. */
struct in_time {
	double y[4];
};

/*
 * |y(u) - c(x(u))| at most, for u from 0 to 1: a polynomial of degree 9, which is nowhere farther from 0 than the farthest of its
 * Bernstein coefficients.
 */
static double off_in_time(const struct anim_cubic *curve, const struct in_time *c)
{
	static const double ones[DEGREE - 2] = {1, 1, 1, 1, 1, 1, 1};
	const double *x = curve->x;
	const double rest[4] = {1 - x[0], 1 - x[1], 1 - x[2], 1 - x[3]};
	double xx[7], xr[7], rr[7], terms[4][DEGREE + 1], own[DEGREE + 1], most = 0, size = 0;

	multiply(x, 3, x, 3, xx);
	multiply(x, 3, rest, 3, xr);
	multiply(rest, 3, rest, 3, rr);
	multiply(rr, 6, rest, 3, terms[0]);
	multiply(rr, 6, x, 3, terms[1]);
	multiply(xx, 6, rest, 3, terms[2]);
	multiply(xx, 6, x, 3, terms[3]);
	multiply(curve->y, 3, ones, 6, own);
	for (unsigned k = 0; k <= DEGREE; k++) {
		double there = c->y[0] * terms[0][k] + 3 * c->y[1] * terms[1][k] + 3 * c->y[2] * terms[2][k] +
			       c->y[3] * terms[3][k];

		most = fmax(most, fabs(own[k] - there));
	}
	for (int i = 0; i < 4; i++)
		size = fmax(size, fmax(fabs(c->y[i]), fabs(curve->y[i])));
	return most + ROUNDED * size;
}

/* The slope by x at one end of the curve, where its handle has no length that of what is next. */
static double slope_at(const struct anim_cubic *curve, bool last)
{
	double sign = last ? -1 : 1;
	int end = last ? 3 : 0;

	for (int i = 1; i < 4; i++) {
		int at = last ? 3 - i : i;
		double dx = sign * (curve->x[at] - curve->x[end]);

		if (dx > 1e-6)
			return sign * (curve->y[at] - curve->y[end]) / dx;
	}
	return curve->y[3] - curve->y[0];
}

/* ---- What a solver adds that looks for the time in 1024 steps and goes straight on between two (Godot's) ---- */

#define STEPS 1024
#define SLOW 0.05 /* of the mean: where time goes on slower, each step is looked at */

static double derivative(const double p[4], double u)
{
	double v = 1 - u;

	return 3 * (v * v * (p[1] - p[0]) + 2 * v * u * (p[2] - p[1]) + u * u * (p[3] - p[2]));
}

static double second_derivative(const double p[4], double u)
{
	return 6 * ((1 - u) * (p[2] - 2 * p[1] + p[0]) + u * (p[3] - 2 * p[2] + p[1]));
}

static double value_at(const double p[4], double u)
{
	double v = 1 - u;

	return v * v * v * p[0] + 3 * v * v * u * p[1] + 3 * v * u * u * p[2] + u * u * u * p[3];
}

/* The least that x gains, by u. */
static double slowest(const double x[4])
{
	double least = fmin(derivative(x, 0), derivative(x, 1)),
	       bend[2] = {second_derivative(x, 0), second_derivative(x, 1)};
	double u = bend[0] != bend[1] ? bend[0] / (bend[0] - bend[1]) : 0;

	return u > 0 && u < 1 ? fmin(least, derivative(x, u)) : least;
}

/* A straight line from u to the next step: it meets the curve at both, so what bends between them, by an eighth. */
static double step_off(const struct anim_cubic *c, double u, double next)
{
	double dx = value_at(c->x, next) - value_at(c->x, u), dy = value_at(c->y, next) - value_at(c->y, u), slope;

	if (!(dx > 0))
		return fabs(dy);
	slope = dy / dx;
	return (next - u) * (next - u) / 8 *
	       fmax(fabs(second_derivative(c->y, u) - slope * second_derivative(c->x, u)),
		    fabs(second_derivative(c->y, next) - slope * second_derivative(c->x, next)));
}

/* Values and times go alike: a straight line however it is solved. */
static bool is_line(const struct anim_cubic *c)
{
	double height = c->y[3] - c->y[0];

	return fabs(c->y[1] - c->y[0] - height * c->x[1]) <= 0x1p-50 * fabs(height) &&
	       fabs(c->y[2] - c->y[0] - height * c->x[2]) <= 0x1p-50 * fabs(height);
}

static double solver_off(const struct anim_cubic *c)
{
	double least = slowest(c->x), bends[2] = {0, 0}, steepest = 0, most = 0;

	if (is_line(c))
		return 0;
	for (int i = 0; i < 2; i++) {
		bends[0] = fmax(bends[0], fabs(second_derivative(c->x, i)));
		bends[1] = fmax(bends[1], fabs(second_derivative(c->y, i)));
	}
	for (int i = 0; i < 3; i++)
		steepest = fmax(steepest, 3 * fabs(c->y[i + 1] - c->y[i]));
	if (least >= SLOW)
		return (bends[1] + steepest / least * bends[0]) / (8.0 * STEPS * STEPS);
	for (int i = 0; i < STEPS; i++)
		most = fmax(most, step_off(c, (double)i / STEPS, (double)(i + 1) / STEPS));
	return most;
}

/* ---- Pieces ---- */

#define SHORTEST 2e-4 /* seconds, or of the time: Godot takes keys that are nearer by far for one */

/* A run that grows key by key. */
struct pieces {
	struct reduce_work *work;
	const struct anim_track *track;
	const struct reduce_run *run;
	double off; /* how far a piece may be from its curve, and as much from what a solver shows */
	struct anim_cubic curves[ANIM_COMPONENTS_MAX]; /* between two of the track's keys */
	double start_s, length_s;                      /* of these */
	double arriving[ANIM_COMPONENTS_MAX];          /* at the key to come */
	double solver;
};

static double *last_of(const struct anim_buffer *buffer, size_t count)
{
	return (double *)(void *)(buffer->data + buffer->size) - count;
}

/* 0 or -1. */
static int add_key(struct pieces *p, double time_s, const double *value, uint32_t key, struct anim_error *error)
{
	struct reduce_work *work = p->work;
	size_t bytes = p->run->components * sizeof *value;
	static const double none[ANIM_COMPONENTS_MAX];
	const uint8_t fixed = 0;

	if (anim_buffer_append(&work->cut_time, &time_s, sizeof time_s, error) != 0 ||
	    anim_buffer_append(&work->cut_value, value, bytes, error) != 0 ||
	    anim_buffer_append(&work->slopes, none, bytes, error) != 0 ||
	    anim_buffer_append(&work->arriving, p->arriving, bytes, error) != 0 ||
	    anim_buffer_append(&work->slack, none, sizeof *none, error) != 0 ||
	    anim_buffer_append(&work->fixed, &fixed, 1, error) != 0 ||
	    anim_buffer_append(&work->key, &key, sizeof key, error) != 0)
		return -1;
	memset(p->arriving, 0, sizeof p->arriving);
	return 0;
}

/* A part of a curve in time; handles of nearly a third are taken for such then: how far that may be off. */
static double cut_curve(struct anim_cubic *curve, double from, double to)
{
	double off = 0;

	for (int i = 0; i < 3 && anim_cubic_is_even(curve); i++)
		off = fmax(off, 3 * fabs(curve->y[i + 1] - curve->y[i]));
	off *= fabs(curve->x[1] - 1.0 / 3) + fabs(curve->x[2] - 2.0 / 3);
	anim_cubic_cut(curve, from, to);
	return off;
}

/* The part of the curves between two times from the last key on, if a cubic is near enough: sets its slopes. */
static bool fit_part(struct pieces *p, double from_s, double to_s, double end[ANIM_COMPONENTS_MAX])
{
	const double *from = last_of(&p->work->cut_value, p->run->components);
	double square = 0, largest = 0, third = (to_s - from_s) / 3, off, leaving[ANIM_COMPONENTS_MAX],
	       arriving[ANIM_COMPONENTS_MAX];

	for (unsigned c = 0; c < p->run->components; c++) {
		struct anim_cubic part = p->curves[c];
		struct in_time cubic;
		double low = (from_s - p->start_s) / p->length_s, high = (to_s - p->start_s) / p->length_s;
		double taken = low > 0 || high < 1 ? cut_curve(&part, low, high) : 0;

		if (high < 1)
			end[c] = (double)(float)part.y[3];
		leaving[c] = (double)(float)(slope_at(&part, false) / (to_s - from_s));
		arriving[c] = (double)(float)(slope_at(&part, true) / (to_s - from_s));
		cubic = (struct in_time){{from[c], from[c] + leaving[c] * third, end[c] - arriving[c] * third, end[c]}};
		off = taken + off_in_time(&part, &cubic);
		off += FLOAT * (fabs(cubic.y[1] - from[c]) + fabs(cubic.y[2] - end[c]));
		square += off * off;
		largest = fmax(largest, off);
	}
	off = p->run->metric == REDUCE_LARGEST ? largest : sqrt(square);
	if (!(off <= p->off))
		return false;
	*last_of(&p->work->slack, 1) = off + p->solver;
	memcpy(last_of(&p->work->slopes, p->run->components), leaving, p->run->components * sizeof *leaving);
	memcpy(p->arriving, arriving, sizeof p->arriving);
	return true;
}

/* The same in as many pieces as it takes: 1, 0 where those were too many, -1. `end`: the value at the last time. */
static int cut_part(struct pieces *p, double from_s, double to_s, unsigned depth, const double *last,
		    struct anim_error *error)
{
	double middle_s = (double)(float)((from_s + to_s) / 2), end[ANIM_COMPONENTS_MAX] = {0};
	int status;

	memcpy(end, last, p->run->components * sizeof *end);
	if (fit_part(p, from_s, to_s, end))
		return to_s < p->start_s + p->length_s && add_key(p, to_s, end, REDUCE_BETWEEN, error) != 0 ? -1 : 1;
	if (depth == DEPTH || !(to_s - from_s > SHORTEST * fmax(1, fabs(to_s))))
		return 0;
	status = cut_part(p, from_s, middle_s, depth + 1, last, error);
	return status == 1 ? cut_part(p, middle_s, to_s, depth + 1, last, error) : status;
}

/* Buffers that grow together, as they were. */
static void take_back(struct reduce_work *work, size_t keys, unsigned components)
{
	work->cut_time.size = work->slack.size = keys * sizeof(double);
	work->cut_value.size = work->slopes.size = work->arriving.size = keys * components * sizeof(double);
	work->fixed.size = keys;
	work->key.size = keys * sizeof(uint32_t);
}

/* What is between keys k and k + 1 of the track, behind the first of them. 0 or -1. */
static int add_timed(struct pieces *p, size_t k, struct anim_error *error)
{
	double last[ANIM_COMPONENTS_MAX];
	size_t keys = p->work->fixed.size;
	int status = 0;

	p->start_s = anim_track_time(p->track, k);
	p->length_s = anim_track_time(p->track, k + 1) - p->start_s;
	p->solver = 0;
	for (unsigned c = 0; c < p->run->components; c++) {
		read_timed(p->track, k, c, &p->curves[c]);
		if (anim_rules_are_godot(p->track->rules))
			p->solver = fmax(p->solver, solver_off(&p->curves[c]));
	}
	anim_components(p->track->type, p->track->value, k + 1, last);
	if (p->solver <= p->off)
		status = cut_part(p, p->start_s, p->start_s + p->length_s, 0, last, error);
	if (status != 0)
		return status < 0 ? -1 : 0;
	take_back(p->work, keys, p->run->components);
	memset(p->arriving, 0, sizeof p->arriving);
	p->work->fixed.data[keys - 1] = 1;
	return 0;
}

/* What slopes are off as float32 has them: they are new, not the track's own. */
static void round_slopes(struct pieces *p, const double *leaving, double third)
{
	double off = 0;

	for (unsigned c = 0; c < p->run->components; c++)
		off += FLOAT * third * (fabs(leaving[c]) + fabs(p->arriving[c]));
	*last_of(&p->work->slack, 1) = off;
}

int reduce_read_slopes(struct reduce_work *work, const struct anim_track *track, double off, enum anim_rules player,
		       struct reduce_run *run, struct anim_error *error)
{
	struct pieces p = {.work = work, .track = track, .run = run, .off = off};
	size_t bytes = run->components * sizeof(double);
	bool by_keys = reduce_has_neighbours(track);

	take_back(work, 0, run->components);
	for (size_t k = 0; k < track->n; k++) {
		double leaving[ANIM_COMPONENTS_MAX];
		bool ends = run->seam && (k == 0 || k + 2 == track->n), last = k + 1 == track->n;

		if (add_key(&p, run->time[k], run->value + k * run->components, by_keys ? REDUCE_BETWEEN : (uint32_t)k,
			    error) != 0)
			return -1;
		if (last)
			continue;
		if (reduce_slopes_between(track, k, leaving, p.arriving)) {
			memcpy(last_of(&work->slopes, run->components), leaving, bytes);
			if (by_keys)
				round_slopes(&p, leaving, (run->time[k + 1] - run->time[k]) / 3);
			continue;
		}
		memset(p.arriving, 0, sizeof p.arriving);
		if (ends || !reduce_has_time(track, k))
			work->fixed.data[work->fixed.size - 1] = 1;
		else if (add_timed(&p, k, error) != 0)
			return -1;
	}
	run->n = work->fixed.size;
	run->time = (double *)(void *)work->cut_time.data;
	run->value = (double *)(void *)work->cut_value.data;
	run->leaving = (double *)(void *)work->slopes.data;
	run->arriving = (double *)(void *)work->arriving.data;
	run->slack = (double *)(void *)work->slack.data;
	run->fixed = work->fixed.data;
	run->key = (uint32_t *)(void *)work->key.data;
	run->handles = track->interp == ANIM_BEZIER_2D || (by_keys && anim_rules_are_godot(player));
	return 0;
}
