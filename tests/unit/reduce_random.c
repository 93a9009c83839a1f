/* reduce_random.c: random tracks through anim-reduce, for every player: none is farther off than its limit, looked at in double. */
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/reduce/reduce.h"
#include "number_help.h"

/* All of what follows is of this file alone: nothing of the library's arithmetic is in it. */
#define TRACKS 10000u
#define TRACKS_FEW 300u /* where they take too long: sanitizers, and runs whose subject is reading */
#define KEYS 48u
#define LANES 4u
#define POINTS 16u
#define PI 3.14159265358979323846

/* A track as it came, and how far it may be off. */
struct trial {
	float time[KEYS], value[KEYS * LANES], left[KEYS * LANES], right[KEYS * LANES], left_x[KEYS * LANES],
	    right_x[KEYS * LANES];
	uint8_t weighted[KEYS];
	struct anim_track track;
	double limit; /* radians of rotations */
};

static double part(uint64_t *seed)
{
	return (double)(next_random(seed) >> 11) / 9007199254740992.0 - 0.5;
}

static unsigned below(uint64_t *seed, unsigned count)
{
	return (unsigned)(next_random(seed) >> 33) % count;
}

/* ---- Tracks that are hard to leave keys out of ---- */

enum shape { WANDER, DRIFT, ZIGZAG, FAR, NOISE, SMOOTH, STILL, SHAPES };

/* Lane c of key k: with a limit of 1, near to which most of it happens. */
static double lane(enum shape shape, unsigned c, unsigned k, double roughness, uint64_t *seed, double *state)
{
	switch (shape) {
	case WANDER:
		return *state += 3 * roughness * part(seed);
	case DRIFT: /* each step differs from the one before by less than may be off */
		return *state += 0.2 * roughness * k;
	case ZIGZAG: /* just within the limit, or just beyond */
		return (k % 2 == 0 ? 1 : -1) * (0.98 + 0.04 * roughness) + 0.01 * c;
	case FAR:
		return 1e3 * part(seed);
	case NOISE:
		return 1e-4 * part(seed);
	case SMOOTH:
		return 50 * sin(0.1 * (1 + roughness) * k + c);
	default:
		return k == KEYS / 2 ? 1.01 : 0;
	}
}

static void unit(double *q)
{
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

	for (int c = 0; c < 4; c++)
		q[c] /= length;
}

/* Steps of 170 degrees about one axis and another, and signs that jump. */
static void turn_far(double *q, unsigned k, uint64_t *seed)
{
	double half = k % 2 == 0 ? 0 : 85 * PI / 180;

	memset(q, 0, 4 * sizeof *q);
	q[below(seed, 3)] = sin(half);
	q[3] = cos(half);
	for (int c = 0; c < 4 && below(seed, 8) == 0; c++)
		q[c] = -q[c];
}

static void make_values(struct trial *t, enum shape shape, unsigned lanes, uint64_t *seed)
{
	double state[LANES] = {0}, roughness = part(seed) + 0.5;
	double size = t->limit * (lanes == 4 ? 0.25 : 1);

	for (unsigned k = 0; k < t->track.n; k++) {
		double v[LANES];

		for (unsigned c = 0; c < lanes; c++)
			v[c] = size * lane(shape, c, k, roughness, seed, &state[c]);
		if (lanes == 4 && shape == FAR)
			turn_far(v, k, seed);
		if (lanes == 4 && shape != FAR) {
			v[3] = 1;
			unit(v);
		}
		for (unsigned c = 0; c < lanes; c++)
			t->value[k * lanes + c] = (float)v[c];
	}
}

/* Times that rise by little or much; now and then two keys at one. */
static void make_times(struct trial *t, uint64_t *seed)
{
	double at = 0;

	for (unsigned k = 0; k < t->track.n; k++) {
		t->time[k] = (float)at;
		at += below(seed, 30) == 0 ? 0 : below(seed, 3) == 0 ? 0.5 * (part(seed) + 0.51) : 1.0 / 30;
	}
}

/* Slopes of the way from the key before to the one behind. */
static void make_slopes(struct trial *t, unsigned lanes)
{
	for (size_t k = 0; k < t->track.n; k++) {
		size_t a = k > 0 ? k - 1 : 0, b = k + 1 < t->track.n ? k + 1 : k;
		float seconds = t->time[b] - t->time[a];

		for (size_t c = 0; c < lanes; c++)
			t->left[k * lanes + c] = t->right[k * lanes + c] =
			    seconds > 0 ? (t->value[b * lanes + c] - t->value[a * lanes + c]) / seconds : 0;
	}
	t->track.interp = ANIM_HERMITE;
	t->track.left = t->left;
	t->track.right = t->right;
}

/* How long a handle is, of its segment: any length, none, a third, or so that time all but stands still somewhere. */
static float share(uint64_t *seed)
{
	static const float odd[] = {0, 1, 1.0f / 3, 0.42f, 0.9999f, 1e-6f};

	return below(seed, 2) == 0 ? odd[below(seed, 6)] : (float)(part(seed) + 0.5);
}

/* Unity's weights, of each lane its own. */
static void make_weights(struct trial *t, unsigned lanes, uint64_t *seed)
{
	for (size_t i = 0; i < t->track.n * lanes; i++) {
		t->left_x[i] = share(seed);
		t->right_x[i] = share(seed);
	}
	for (size_t k = 0; k < t->track.n; k++)
		t->weighted[k] = (uint8_t)below(seed, 4);
	t->track.interp = ANIM_WEIGHTED;
	t->track.weighted = t->weighted;
	t->track.left_x = t->left_x;
	t->track.right_x = t->right_x;
}

/*
 * Handles of Bezier tracks in the direction of the slopes, or anywhere; some reach beyond the next key. And curves so large that
 * what Godot's solver misses of them counts.
 */
static void make_handles(struct trial *t, uint64_t *seed)
{
	float size = below(seed, 4) == 0 ? 3000 : 1;

	make_slopes(t, 1);
	for (size_t k = 0; k < t->track.n; k++) {
		float before = k > 0 ? t->time[k] - t->time[k - 1] : 0,
		      behind = k + 1 < t->track.n ? t->time[k + 1] - t->time[k] : 0;

		t->value[k] *= size;
		t->left[k] *= size;
		t->right[k] *= size;
		t->left_x[k] = -share(seed) * before * (below(seed, 40) == 0 ? 3 : 1);
		t->right_x[k] = share(seed) * behind;
		t->left[k] = below(seed, 8) == 0 ? (float)(5 * t->limit * part(seed)) : t->left[k] * t->left_x[k];
		t->right[k] = below(seed, 8) == 0 ? (float)(5 * t->limit * part(seed)) : t->right[k] * t->right_x[k];
	}
	t->track.interp = ANIM_BEZIER_2D;
	t->track.left_x = t->left_x;
	t->track.right_x = t->right_x;
}

static void make_trial(struct trial *t, double limit, uint64_t *seed)
{
	static const enum anim_type types[] = {ANIM_FLOAT, ANIM_FLOAT3, ANIM_FLOATQ, ANIM_FLOATQ};
	static const char *const properties[] = {"x", "position", "rotation", "rotation"};
	static const enum anim_rules rules[] = {ANIM_RULES_PLAIN, ANIM_RULES_GODOT4, ANIM_RULES_UNITY,
						ANIM_RULES_RESONITE};
	unsigned kind = below(seed, 4), lanes = kind == 0 ? 1 : kind == 1 ? 3 : 4;

	memset(t, 0, sizeof *t);
	t->limit = kind >= 2 ? limit * PI / 180 * 100 : limit * (kind == 0 ? 10 : 1);
	t->track = (struct anim_track){.kind = ANIM_CURVE,
				       .type = types[kind],
				       .rules = rules[below(seed, 4)],
				       .node = "N",
				       .property = properties[kind],
				       .component = ANIM_WHOLE,
				       .interp = ANIM_LINEAR,
				       .n = 2 + below(seed, KEYS - 1)};
	t->track.time = t->time;
	t->track.value = t->value;
	make_times(t, seed);
	make_values(t, (enum shape)below(seed, SHAPES), lanes, seed);
	if (t->track.rules != ANIM_RULES_GODOT4 && below(seed, 2) == 0)
		make_slopes(t, lanes);
	if (t->track.rules == ANIM_RULES_UNITY && t->track.interp == ANIM_HERMITE && below(seed, 2) == 0)
		make_weights(t, lanes, seed);
	if (t->track.rules == ANIM_RULES_GODOT4 && lanes < 4 && below(seed, 3) == 0)
		t->track.interp = ANIM_CUBIC_TIME;
	else if (t->track.rules == ANIM_RULES_GODOT4 && lanes == 1 && below(seed, 2) == 0)
		make_handles(t, seed);
}

/* ---- What players show ---- */

static void blend(const struct anim_track *track, const float *a, const float *b, double w, double *out)
{
	double dot = 0, from = 1 - w, to = w, angle, sign;

	for (int c = 0; c < 4; c++)
		dot += (double)a[c] * (double)b[c];
	if (track->rules != ANIM_RULES_UNITY && track->rules != ANIM_RULES_RESONITE) {
		sign = dot < 0 ? -1 : 1;
		angle = acos(fmin(fabs(dot), 1));
		from = angle > 1e-4 ? sin((1 - w) * angle) / sin(angle) : from;
		to = sign * (angle > 1e-4 ? sin(w * angle) / sin(angle) : to);
	}
	for (int c = 0; c < 4; c++)
		out[c] = from * (double)a[c] + to * (double)b[c];
}

static double bezier(const double p[4], double u)
{
	double v = 1 - u;

	return v * v * v * p[0] + 3 * v * v * u * p[1] + 3 * v * u * u * p[2] + u * u * u * p[3];
}

/*
 * One lane of a curve whose time has to be solved for, to a share w of the segment: Godot halves ten times and goes straight on
 * between the two ends.
 */
static double solve(const struct anim_track *track, const double x[4], const double y[4], double w)
{
	double low = 0, high = 1, from, to;

	for (int i = 0; i < (track->rules == ANIM_RULES_GODOT4 ? 10 : 60); i++) {
		double middle = (low + high) / 2;

		*(bezier(x, middle) < w ? &low : &high) = middle;
	}
	from = bezier(x, low);
	to = bezier(x, high);
	w = to > from ? (w - from) / (to - from) : 0;
	return bezier(y, low) + w * (bezier(y, high) - bezier(y, low));
}

static double lerp(double a, double b, double w)
{
	return a + (b - a) * w;
}

/* Lane c between keys k and k + 1 by these and their neighbours, as Godot blends them in time. */
static double show_neighbours(const struct anim_track *track, unsigned lanes, size_t k, unsigned c, double w)
{
	size_t before = k > 0 ? k - 1 : k, after = k + 2 < track->n ? k + 2 : k + 1;
	const float *value = track->value, *time = track->time;
	double start = (double)time[k], to_t = (double)time[k + 1] - start, t = w * to_t;
	double before_t = (double)time[before] - start, after_t = (double)time[after] - start;
	double from = (double)value[k * lanes + c], to = (double)value[(k + 1) * lanes + c];
	double one = lerp((double)value[before * lanes + c], from, before_t == 0 ? 0 : (t - before_t) / -before_t);
	double two = lerp(from, to, w);
	double three = lerp(to, (double)value[after * lanes + c], after_t == to_t ? 1 : (t - to_t) / (after_t - to_t));

	return lerp(lerp(one, two, (t - before_t) / (to_t - before_t)), lerp(two, three, t / after_t), w);
}

/* Lane c between keys k and k + 1, which are so far apart. */
static double show_lane(const struct anim_track *track, unsigned lanes, size_t k, unsigned c, double length, double w)
{
	const float *value = track->value, *left = track->left, *right = track->right;
	size_t i = k * lanes + c, j = i + lanes;
	bool handles = track->interp == ANIM_BEZIER_2D, weighted = track->weighted != NULL;
	double x[4] = {0, 1.0 / 3, 2.0 / 3, 1}, y[4] = {(double)value[i], 0, 0, (double)value[j]};

	if (track->interp == ANIM_CUBIC_TIME)
		return show_neighbours(track, lanes, k, c, w);
	if (handles) {
		x[1] = (double)track->right_x[k] / length;
		x[2] = 1 + (double)track->left_x[k + 1] / length;
	}
	if (weighted && (track->weighted[k] & 2))
		x[1] = (double)track->right_x[i];
	if (weighted && (track->weighted[k + 1] & 1))
		x[2] = 1 - (double)track->left_x[j];
	y[1] = y[0] + (double)right[i] * (handles ? 1 : x[1] * length);
	y[2] = y[3] + (double)left[j] * (handles ? 1 : (x[2] - 1) * length);
	return handles || weighted ? solve(track, x, y, w) : bezier(y, w);
}

static void show(const struct anim_track *track, unsigned lanes, double time_s, double *out)
{
	const float *value = track->value, *a, *b;
	double length, w;
	size_t k = 0;

	while (k + 1 < track->n && (double)track->time[k + 1] <= time_s)
		k++;
	a = value + k * lanes;
	b = k + 1 < track->n ? a + lanes : a;
	length = b > a ? (double)track->time[k + 1] - (double)track->time[k] : 1;
	w = b > a ? fmax(time_s - (double)track->time[k], 0) / length : 0;
	for (unsigned c = 0; c < lanes; c++)
		out[c] = b > a && track->interp != ANIM_LINEAR ? show_lane(track, lanes, k, c, length, w)
							       : (double)a[c] + w * ((double)b[c] - (double)a[c]);
	if (lanes == 4 && track->interp == ANIM_LINEAR)
		blend(track, a, b, w, out);
	if (lanes == 4)
		unit(out);
}

static double off_at(const struct trial *t, const struct anim_track *result, double time_s)
{
	unsigned lanes = t->track.type == ANIM_FLOAT ? 1 : t->track.type == ANIM_FLOAT3 ? 3 : 4;
	double a[LANES], b[LANES], minus = 0, plus = 0;

	show(&t->track, lanes, time_s, a);
	show(result, lanes, time_s, b);
	for (unsigned c = 0; c < lanes; c++) {
		minus += (a[c] - b[c]) * (a[c] - b[c]);
		plus += (a[c] + b[c]) * (a[c] + b[c]);
	}
	return lanes == 4 ? 4 * asin(fmin(sqrt(fmin(minus, plus)) / 2, 1)) : sqrt(minus);
}

/* The farthest between two keys, and at the keys that are no jump. */
static double farthest(const struct trial *t, const struct anim_track *result, double *at_s)
{
	double most = 0;

	for (size_t k = 0; k + 1 < t->track.n; k++)
		for (unsigned i = 0; i < POINTS; i++) {
			double from = (double)t->time[k], to = (double)t->time[k + 1];
			double time_s = from + (to - from) * (i + 0.5) / POINTS, off;

			if (!(to > from))
				continue;
			off = off_at(t, result, time_s);
			if (off > most) {
				most = off;
				*at_s = time_s;
			}
		}
	return most;
}

/* ---- Through the filter ---- */

struct watch {
	struct anim_sink sink;
	const struct trial *trial;
	size_t before, after, seen;
};

static int on_track(struct anim_sink *sink, const struct anim_track *result, struct anim_error *error)
{
	struct watch *w = (struct watch *)sink;
	const struct trial *t = w->trial;
	double size = 1, at_s = 0, off = farthest(t, result, &at_s);

	(void)error;
	for (size_t i = 0; t->track.type != ANIM_FLOATQ && i < t->track.n; i++)
		size = fmax(size, fabs((double)t->value[i]));
	w->before += t->track.n;
	w->after += result->n;
	w->seen++;
	/* texts of float32 are what both sides are made of: a rounding of theirs is none of the reducer's */
	CHECKF(off <= t->limit * 1.000001 + 5e-7 * size, "track %zu, %s, %zu of %zu keys: %g off, may be %g, at %g s",
	       w->seen, result->property, result->n, t->track.n, off, t->limit, at_s);
	return 0;
}

/* The watch is the test's own. */
static void on_free(struct anim_sink *sink)
{
	(void)sink;
}

static void run(const struct anim_reduce_options *how, unsigned count, double limit, uint64_t seed, struct watch *watch)
{
	static const struct anim_sink_ops ops = {.track = on_track, .free = on_free};
	static struct trial trial;
	struct anim_diagnostics diagnostics = {0};
	struct anim_reduce_options options = *how;
	struct anim_clip clip = {.end_s = 1000, .name = "c", .root = "."};
	struct anim_error error = {0};
	struct anim_sink *reduce;
	char limits[64];

	watch->sink.ops = &ops;
	snprintf(limits, sizeof limits, "%gm,%gdeg,%g%%", limit, 100 * limit, 1000 * limit);
	options.diagnostics = &diagnostics;
	CHECK(anim_limits_parse(&options.limits, limits, &error) == 0);
	reduce = anim_reduce_new(&options, &watch->sink, &error);
	CHECK(reduce != NULL && anim_sink_clip(reduce, &clip, &error) == 0);
	for (unsigned i = 0; i < count; i++) {
		make_trial(&trial, limit, &seed);
		watch->trial = &trial;
		CHECK(anim_sink_track(reduce, &trial.track, &error) == 0);
	}
	CHECK(anim_sink_end(reduce, &error) == 0);
	anim_sink_free(reduce);
	anim_diagnostics_clear(&diagnostics);
}

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

TEST(random_tracks_hold, "ten thousand random tracks, for every player, are within their limits everywhere")
{
	static const enum anim_rules players[] = {ANIM_RULES_COUNT, ANIM_RULES_GODOT4, ANIM_RULES_UNITY,
						  ANIM_RULES_RESONITE, ANIM_RULES_PLAIN};
	static const double limits[] = {1e-5, 1e-3, 0.05};
	bool few = IS_SANITIZED || getenv("ANIM_READ_MAX") != NULL;
	unsigned runs = 5 * 2 * 4, count = (few ? TRACKS_FEW : TRACKS) / runs + 1;
	struct watch watch = {.trial = NULL};

	for (unsigned i = 0; i < runs; i++) {
		struct anim_reduce_options how = {.rules = players[i % 5],
						  .keys = i / 5 % 2 == 1 && players[i % 5] != ANIM_RULES_GODOT4
							      ? ANIM_REDUCE_HERMITE
							      : ANIM_REDUCE_LINEAR,
						  .fast = i / 15 == 1,
						  .move = i / 10 % 2 == 1,
						  .store_memory = 1u << 20};

		run(&how, count, limits[i % 3], i + 1, &watch);
	}
	CHECK(watch.seen == runs * count);
	CHECKF(watch.after < watch.before * 8 / 10, "%zu of %zu keys are left", watch.after, watch.before);
}
