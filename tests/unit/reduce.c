/* reduce.c: which keys anim-reduce leaves, against the plain form of it, and what it proves, against a dense look. */
#include "tap.h"

#include <math.h>
#include <string.h>

#include "filter/common/pose.h"
#include "filter/reduce/joints.h"
#include "math/block.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "number_help.h"
#include "sample_help.h"

#define KEYS 300u

/* ---- Tracks that wander ---- */

struct wander {
	double time[KEYS], value[KEYS * 4], limit[KEYS];
	float time_s[KEYS], written[KEYS * 4], angle[KEYS];
	struct reduce_run run;
};

static double random_part(uint64_t *seed)
{
	return (double)(next_random(seed) >> 11) / 9007199254740992.0 - 0.5;
}

/* Random steps that keep most of their speed: smooth enough that segments are long, rough enough that they end. */
static void wander(struct wander *w, enum reduce_metric metric, unsigned components, double roughness, uint64_t seed)
{
	double speed[4] = {0}, at[4] = {0.1, 0.2, 0.3, 0.9}, t = 0;

	for (unsigned k = 0; k < KEYS; k++) {
		double square = 0;

		w->time_s[k] = (float)t;
		w->time[k] = (double)w->time_s[k];
		t += 0.03 + 0.01 * random_part(&seed);
		w->limit[k] = 0.002 * (1 + 0.2 * random_part(&seed));
		for (unsigned c = 0; c < components; c++) {
			speed[c] = 0.95 * speed[c] + roughness * random_part(&seed);
			at[c] += speed[c];
			square += at[c] * at[c];
		}
		for (unsigned c = 0; c < components; c++) {
			double number = metric == REDUCE_ANGLE ? at[c] / sqrt(square) : at[c];

			w->written[k * components + c] = (float)number;
			w->value[k * components + c] = (double)(float)number;
		}
		if (metric == REDUCE_ANGLE)
			anim_quat_unit_double(w->value + 4 * k, w->written + 4 * k);
	}
	w->run = (struct reduce_run){.pieces = 1,
				     .metric = metric,
				     .components = components,
				     .n = KEYS,
				     .time = w->time,
				     .value = w->value,
				     .limit = w->limit,
				     .angle = w->angle};
}

static const struct {
	enum reduce_metric metric;
	unsigned components;
	bool chords;
} kinds[] = {{REDUCE_LENGTH, 3, false},  {REDUCE_LENGTH, 2, false},  {REDUCE_LARGEST, 1, false},
	     {REDUCE_LARGEST, 4, false}, {REDUCE_LARGEST, 3, false}, {REDUCE_ANGLE, 4, false},
	     {REDUCE_ANGLE, 4, true}};
#define KIND_COUNT (sizeof kinds / sizeof *kinds)

/* ---- The plain form: key by key, every one that the box leaves looked at exactly ---- */

static void plain_slope(const struct reduce_run *run, size_t i, size_t j, double out[4])
{
	double a[4], turn[4], seconds = run->time[j] - run->time[i], sine = 0;
	const double *from = run->value + i * run->components, *to = run->value + j * run->components;

	for (unsigned c = 0; c < run->components; c++)
		out[c] = (to[c] - from[c]) / seconds;
	if (run->metric != REDUCE_ANGLE)
		return;
	for (int c = 0; c < 4; c++)
		a[c] = c < 3 ? -from[c] : from[c];
	anim_quat_multiply_double(turn, a, to);
	for (int c = 0; c < 3; c++)
		sine += turn[c] * turn[c];
	sine = sqrt(sine);
	for (int c = 0; c < 3; c++)
		out[c] =
		    sine > 0 ? copysign(2, turn[3]) * anim_atan2(sine, fabs(turn[3])) * turn[c] / sine / seconds : 0;
	out[3] = 0;
}

static double plain_error(const struct reduce_run *run, size_t i, size_t j, size_t k)
{
	double at[REDUCE_COMPONENTS], square = 0, largest = 0, along = 0, length = 0;
	const double *key = run->value + k * run->components;

	reduce_between(run, i, j, (run->time[k] - run->time[i]) / (run->time[j] - run->time[i]), at);
	for (unsigned c = 0; c < run->components; c++) {
		square += (at[c] - key[c]) * (at[c] - key[c]);
		largest = fmax(largest, fabs(at[c] - key[c]));
		along += at[c] * key[c];
		length += at[c] * at[c];
	}
	if (run->metric == REDUCE_ANGLE)
		return 2 * anim_acos(fmin(fabs(along) / sqrt(length), 1));
	return run->metric == REDUCE_LENGTH ? sqrt(square) : largest;
}

static bool plain_fits(const struct reduce_run *run, size_t i, size_t j)
{
	for (size_t k = i + 1; k < j; k++)
		if (!(plain_error(run, i, j, k) <= run->limit[k]))
			return false;
	return true;
}

/* The keys behind i that the box around the cone does not rule out: byte j. */
static void plain_walk(const struct reduce_run *run, size_t i, size_t window, uint8_t *inside)
{
	double low[4], high[4], at[4], slack = run->metric == REDUCE_ANGLE ? 1.1 : 1 + 1e-9;
	bool any = true;

	memset(inside, 0, run->n);
	for (int c = 0; c < 4; c++) {
		low[c] = -(double)INFINITY;
		high[c] = (double)INFINITY;
	}
	for (size_t j = i + 1; any && j < run->n && j <= i + window; j++) {
		double radius = slack * run->limit[j] / (run->time[j] - run->time[i]);

		plain_slope(run, i, j, at);
		inside[j] = 1;
		for (unsigned c = 0; c < run->components; c++) {
			inside[j] = inside[j] && (j == i + 1 || (at[c] >= low[c] && at[c] <= high[c]));
			low[c] = fmax(low[c], at[c] - radius);
			high[c] = fmin(high[c], at[c] + radius);
			any = any && low[c] <= high[c];
		}
	}
}

static void plain_farthest(const struct reduce_run *run, uint8_t *keep)
{
	uint8_t inside[KEYS];

	memset(keep, 0, run->n);
	keep[0] = 1;
	for (size_t i = 0, j; i + 1 < run->n; i = j) {
		plain_walk(run, i, 4096, inside);
		for (j = run->n - 1; j > i + 1 && !(inside[j] && plain_fits(run, i, j)); j--)
			;
		keep[j] = 1;
	}
}

/* The fewest of all: a shortest path over every two keys that fit. */
static size_t plain_fewest(const struct reduce_run *run)
{
	size_t cost[KEYS] = {0};

	for (size_t j = 1; j < run->n; j++) {
		cost[j] = cost[j - 1] + 1;
		for (size_t i = 0; i + 1 < j; i++)
			if (cost[i] + 1 < cost[j] && plain_fits(run, i, j))
				cost[j] = cost[i] + 1;
	}
	return cost[run->n - 1] + 1;
}

static size_t count_kept(const uint8_t *keep, size_t n)
{
	size_t count = 0;

	for (size_t k = 0; k < n; k++)
		count += keep[k];
	return count;
}

/* Both forms of the choice, whatever the processor has. */
static void check_farthest(struct wander *w, size_t n, const char *what, size_t kind, unsigned seed)
{
	uint8_t keep[KEYS], plain[KEYS];
	struct anim_error error = {0};

	w->run.n = n;
	plain_farthest(&w->run, plain);
	for (int form = 0; form < 2; form++) {
		w->run.plain = form == 1;
		CHECK(reduce_choose(&w->run, true, keep, &error) == 0);
		CHECKF(memcmp(keep, plain, n) == 0, "%s: kind %zu, seed %u, form %d: %zu keys, plain %zu", what, kind,
		       seed, form, count_kept(keep, n), count_kept(plain, n));
	}
}

TEST(fast_choice_is_plain,
     "the farthest keys that fit are those of a walk key by key, be the limits near float32's or wide")
{
	static const double sizes[] = {1, 1e-3, 50,
				       1e-4}; /* of limits: angles of 2e-6 radians are float32's own errors */
	static struct wander w;

	for (unsigned seed = 1; seed <= 24; seed++)
		for (size_t kind = 0; kind < KIND_COUNT; kind++) {
			wander(&w, kinds[kind].metric, kinds[kind].components, seed % 3 == 0 ? 0.1 : 0.002, seed);
			w.run.by_component = kinds[kind].chords;
			for (unsigned k = 0; k < KEYS; k++)
				w.limit[k] *= sizes[seed % 4];
			check_farthest(&w, KEYS, "all", kind, seed);
			if (seed % 2 == 1) /* limits that a few keys are not within by themselves */
				check_farthest(&w, 2 + seed / 2, "a few", kind, seed);
		}
}

TEST(choice_is_fewest, "the shortest path is the optimum to a percent, the farthest keys to five; all of them fit")
{
	static struct wander w;
	size_t sums[3] = {0};
	uint8_t keep[KEYS], plain[KEYS];
	struct anim_error error = {0};

	for (size_t kind = 0; kind < KIND_COUNT; kind++) {
		wander(&w, kinds[kind].metric, kinds[kind].components, 0.001, 77 + kind);
		w.run.by_component = kinds[kind].chords;
		sums[2] += plain_fewest(&w.run);
		for (int fast = 0; fast < 2; fast++) {
			w.run.plain = true;
			CHECK(reduce_choose(&w.run, fast == 1, plain, &error) == 0);
			w.run.plain = false;
			CHECK(reduce_choose(&w.run, fast == 1, keep, &error) == 0);
			CHECK(memcmp(keep, plain, KEYS) == 0);
			CHECK(keep[0] == 1 && keep[KEYS - 1] == 1);
			sums[fast] += count_kept(keep, KEYS);
			for (size_t i = 0, j; i + 1 < KEYS; i = j) {
				for (j = i + 1; !keep[j]; j++)
					;
				CHECKF(plain_fits(&w.run, i, j), "kind %zu: %zu to %zu", kind, i, j);
			}
		}
	}
	CHECKF(100 * sums[0] <= 101 * sums[2], "%zu keys for %zu", sums[0], sums[2]);
	CHECKF(100 * sums[1] <= 105 * sums[2], "%zu keys for %zu", sums[1], sums[2]);
}

/* ---- Cubics: all rounds for every two keys that are tried, each point from its formula ---- */

#define POINTS 2 /* in each interval of the source */

/* Where point p behind key i is, from 0 to 1 of the way to key j, and the line's value. */
static double plain_point(const struct reduce_run *run, size_t i, size_t j, size_t p, double value[4])
{
	size_t k = i + p / POINTS, n = run->components;
	double part = (double)(p % POINTS) / POINTS, t = run->time[k] + part * (run->time[k + 1] - run->time[k]);

	for (size_t c = 0; c < n; c++)
		value[c] = run->value[k * n + c] + part * (run->value[(k + 1) * n + c] - run->value[k * n + c]);
	return (t - run->time[i]) / (run->time[j] - run->time[i]);
}

static void plain_solve(const struct reduce_run *run, size_t j, const double *weights, struct reduce_cubic *cubic)
{
	size_t i = (size_t)(cubic->from - run->value) / run->components;

	for (unsigned c = 0; c < run->components; c++) {
		double aa = 0, ab = 0, bb = 0, ax = 0, bx = 0;

		for (size_t p = 1; p < POINTS * (j - i); p++) {
			double value[4], u = plain_point(run, i, j, p, value), length = cubic->length_s;
			double a = u * (1 - u) * (1 - u) * length, b = -u * u * (1 - u) * length;
			double x = value[c] - cubic->from[c] - u * u * (3 - 2 * u) * (cubic->to[c] - cubic->from[c]);

			aa += weights[p] * a * a;
			ab += weights[p] * a * b;
			bb += weights[p] * b * b;
			ax += weights[p] * a * x;
			bx += weights[p] * b * x;
		}
		cubic->leaving[c] = (double)(float)((ax * bb - bx * ab) / (aa * bb - ab * ab));
		cubic->arriving[c] = (double)(float)((bx * aa - ax * ab) / (aa * bb - ab * ab));
	}
}

static void plain_cubic(const struct reduce_run *run, size_t i, size_t j, struct reduce_cubic *best)
{
	static double weights[POINTS * KEYS];
	struct reduce_cubic cubic;
	double least = (double)INFINITY;

	reduce_cubic_fit(run, i, j, best);
	for (size_t p = 0; p < POINTS * (j - i); p++)
		weights[p] = 1;
	for (int round = 0; round < (run->together ? 3 : 5) && j > i + 1; round++) {
		double most = 0, value[4], at[4], slope[4];

		cubic = *best;
		plain_solve(run, j, weights, &cubic);
		for (size_t p = 1; p < POINTS * (j - i); p++) {
			double u = plain_point(run, i, j, p, value), square = 0;

			reduce_cubic_at(&cubic, run->components, cubic.start_s + u * cubic.length_s, at, slope);
			for (unsigned c = 0; c < run->components; c++)
				square += (at[c] - value[c]) * (at[c] - value[c]);
			weights[p] = (run->together ? 1 : weights[p]) * sqrt(square);
			most = fmax(most, sqrt(square));
		}
		for (size_t p = 1; p < POINTS * (j - i); p++)
			weights[p] = weights[p] / most + 1e-6;
		if (most < least)
			*best = cubic;
		least = fmin(least, most);
	}
}

static bool plain_cubic_fits(const struct reduce_run *run, size_t i, size_t j)
{
	struct reduce_cubic cubic;
	double half = run->metric == REDUCE_ANGLE ? 0.4995 : 1;

	plain_cubic(run, i, j, &cubic);
	for (size_t k = i; k < j && j > i + 1; k++) {
		double limit = half * fmin(run->limit[k], run->limit[k + 1]);

		if (!(reduce_cubic_off(run, &cubic, k, limit) <= limit))
			return false;
	}
	return true;
}

TEST(cubics_are_plain, "curves are those of all rounds, and none is taken that these refuse or given up that they take")
{
	static struct wander w;
	uint8_t keep[KEYS];
	struct anim_error error = {0};

	for (size_t way = 0; way < 2 * KIND_COUNT; way++) {
		size_t kind = way / 2;

		wander(&w, kinds[kind].metric, kinds[kind].components, 0.0005, 31 + kind);
		w.run.cubic = true;
		w.run.together = way % 2 == 1;
		CHECK(reduce_choose(&w.run, false, keep, &error) == 0);
		CHECKF(count_kept(keep, KEYS) < KEYS / 3, "%zu keys", count_kept(keep, KEYS));
		for (size_t i = 0, j; i + 1 < KEYS; i = j) {
			struct reduce_cubic plain, cubic;

			for (j = i + 1; !keep[j]; j++)
				;
			CHECKF(plain_cubic_fits(&w.run, i, j), "kind %zu: %zu to %zu", kind, i, j);
			CHECKF(j + 1 == KEYS || !plain_cubic_fits(&w.run, i, j + 1), "kind %zu: %zu to %zu", kind, i,
			       j);
			reduce_cubic_fit(&w.run, i, j, &cubic);
			plain_cubic(&w.run, i, j, &plain);
			for (unsigned c = 0; c < w.run.components; c++) {
				CHECK(fabs(cubic.leaving[c] - plain.leaving[c]) < 1e-5);
				CHECK(fabs(cubic.arriving[c] - plain.arriving[c]) < 1e-5);
			}
		}
	}
}

/* ---- The proof ---- */

static double distance(const struct wander *w, const float *a, const float *b)
{
	double square = 0, largest = 0;

	if (w->run.metric == REDUCE_ANGLE)
		return anim_quat_angle(a, b);
	for (unsigned c = 0; c < w->run.components; c++) {
		double off = fabs((double)a[c] - (double)b[c]);

		square += off * off;
		largest = fmax(largest, off);
	}
	return w->run.metric == REDUCE_LENGTH ? sqrt(square) : largest;
}

/* The farthest that two tracks are apart: at the keys of the source, and everywhere. */
static double farthest(const struct wander *w, const struct anim_track *a, const struct anim_track *b, unsigned points)
{
	const struct anim_clip clip = sample_clip(10, ANIM_LOOP_NONE);
	double most = 0;

	for (size_t k = 0; k < KEYS; k++)
		for (unsigned i = 0; i < points; i++) {
			double next = k + 1 < KEYS ? w->time[k + 1] : w->time[k];
			double t = w->time[k] + (next - w->time[k]) * i / points;
			float values[2][4];

			CHECK(sample_value(&clip, a, t, values[0]) && sample_value(&clip, b, t, values[1]));
			most = fmax(most, distance(w, values[0], values[1]));
		}
	return most;
}

static enum anim_type type_of(const struct wander *w)
{
	static const enum anim_type types[] = {ANIM_FLOAT, ANIM_FLOAT, ANIM_FLOAT2, ANIM_FLOAT3, ANIM_FLOAT4};

	return w->run.metric == REDUCE_ANGLE ? ANIM_FLOATQ : types[w->run.components];
}

/* Every `every`-th key, and the last. */
static void check_proof(struct wander *w, bool chords, unsigned every, double limit)
{
	struct anim_track source = {.type = type_of(w), .kind = ANIM_CURVE, .interp = ANIM_LINEAR, .n = KEYS}, result;
	struct reduce_work work = {0};
	struct reduce_proof proof;
	struct anim_error error = {0};
	uint8_t keep[KEYS];
	double seen, dense;
	bool more;

	source.time = w->time_s;
	source.value = w->written;
	source.component = ANIM_WHOLE;
	source.rules = chords ? ANIM_RULES_UNITY : ANIM_RULES_PLAIN;
	w->run.by_component = chords;
	for (size_t k = 0; k < KEYS; k++)
		keep[k] = k % every == 0 || k + 1 == KEYS;
	CHECK(reduce_build(&work, &source, &w->run, keep, ANIM_RULES_COUNT, &result, &error) == 0);
	if (w->run.metric == REDUCE_ANGLE)
		reduce_angles(&w->run, w->angle);
	reduce_prove(&w->run, &source, !chords, limit, keep, &more, &proof);
	seen = farthest(w, &source, &result, 1);
	dense = farthest(w, &source, &result, 16);
	CHECKF(fabs(proof.seen - seen) <= 1e-6 * (1 + seen), "%g seen, plain %g", proof.seen, seen);
	CHECKF(dense <= proof.bound + 1e-6, "%g off, %g proven", dense, proof.bound);
	CHECKF(proof.bound <= 1.02 * dense + 1e-5, "%g proven, %g off", proof.bound, dense);
	CHECK(more == (proof.bound > limit));
	reduce_work_clear(&work);
}

TEST(proof_is_near, "what is proven is what a dense look sees, and hardly more")
{
	static struct wander w;

	for (size_t kind = 0; kind < KIND_COUNT; kind++)
		for (unsigned every = 2; every <= 8; every += 3) {
			wander(&w, kinds[kind].metric, kinds[kind].components, 0.002, 5 + kind);
			check_proof(&w, kinds[kind].chords, every, 0.001);
			check_proof(&w, kinds[kind].chords, every, 10);
		}
}

TEST(angles_are_plain, "the angles between keys are those of the arc tangent or hardly more, wide ones too")
{
	static struct wander w;

	for (unsigned seed = 1; seed < 4; seed++) {
		wander(&w, REDUCE_ANGLE, 4, seed == 1 ? 0.001 : 0.2, seed);
		reduce_angles(&w.run, w.angle);
		for (size_t k = 0; k + 1 < KEYS; k++) {
			double plain = reduce_angle_between(&w.run, k), angle = (double)w.angle[k];

			CHECKF(angle >= plain && angle <= 1.0001 * plain + 1e-7, "%.9g for %.9g", angle, plain);
		}
	}
}

/* ---- Arcs that are cut ---- */

/* Samples that rotate by 0.02 radians about x each, by 0.95 if they must rotate far; with signs that change. */
static void turn_samples(float *values, unsigned count, bool far)
{
	double angle = 0;

	for (unsigned k = 0; k < count; k++) {
		float sign = k % 3 == 1 ? -1 : 1;

		memset(values + 4 * k, 0, 4 * sizeof *values);
		values[4 * k] = sign * (float)anim_sin(angle / 2);
		values[4 * k + 3] = sign * (float)anim_cos(angle / 2);
		angle += far && k == count / 2 ? 0.95 : 0.02;
	}
}

static size_t check_cut(enum anim_kind kind, bool far, double wide)
{
	enum { SAMPLES = 12 };
	const struct anim_clip clip = sample_clip(10, ANIM_LOOP_NONE);
	struct anim_track track = {.node = "n",
				   .property = "rotation",
				   .type = ANIM_FLOATQ,
				   .kind = kind,
				   .interp = ANIM_LINEAR,
				   .n = SAMPLES,
				   .rules = ANIM_RULES_PLAIN};
	float values[4 * SAMPLES], times[SAMPLES], shown[4], own[4];
	const struct reduce_cut cut = {.wide = wide, .pieces = 1};
	struct reduce_work work = {0};
	struct reduce_run run;
	struct anim_error error = {0};
	double *limits;
	size_t count;

	turn_samples(values, SAMPLES, far);
	for (unsigned k = 0; k < SAMPLES; k++)
		times[k] = (float)k / 30;
	track.value = values;
	track.component = ANIM_WHOLE;
	track.time = kind == ANIM_RAW ? NULL : times;
	track.rate_num = kind == ANIM_RAW ? 30 : 0;
	track.rate_den = kind == ANIM_RAW ? 1 : 0;
	track.step_s = kind == ANIM_RAW ? 1.0 / 30 : 0;
	CHECK(reduce_read(&work, &clip, &track, REDUCE_ANGLE, ANIM_RULES_UNITY, false, cut, &run, &limits, &error) ==
	      0);
	for (size_t k = 0; k < run.n; k++) {
		const double *q = run.value + 4 * k;

		for (int c = 0; c < 4; c++)
			own[c] = (float)q[c];
		CHECK(sample_value(&clip, &track, run.time[k], shown));
		CHECKF(anim_quat_angle(shown, own) < 1e-6, "key %zu is %g off", k, anim_quat_angle(shown, own));
		CHECK(k == 0 || run.time[k] > run.time[k - 1]);
		CHECK(k == 0 || reduce_angle_between(&run, k - 1) < wide * 1.001);
		CHECK(k == 0 || !run.cut || q[0] * q[-4] + q[3] * q[-1] > 0);
		CHECK(run.cut || anim_quat_dot(own, values + 4 * k) > 0);
	}
	count = run.n;
	reduce_work_clear(&work);
	return count;
}

TEST(wide_arcs_are_cut,
     "arcs get keys if they rotate far, and samples then get a few everywhere; no others, and no sign changes")
{
	CHECK(check_cut(ANIM_CURVE, false, 0.1) == 12);
	CHECK(check_cut(ANIM_RAW, false, 0.1) == 12);
	CHECK(check_cut(ANIM_CURVE, true, 0.1) == 12 + 9);
	CHECK(check_cut(ANIM_RAW, true, 0.1) == 12 + 9 + 10 * 3);
}

/* ---- Paths ---- */

#define PATH_LIMIT 0.002

/* Find the path of a track of a joint that carries one point. The limit of a rotation and of a shift is PATH_LIMIT. */
static void find_path(const struct wander *w, bool wide, uint8_t keep[KEYS])
{
	static double at[KEYS * ANIM_POSE_NUMBERS];
	struct reduce_path path = {.rotates = w->run.metric == REDUCE_ANGLE, .wide = wide, .time = w->time};
	struct anim_error error = {0};

	CHECK(reduce_path_begin(&path, KEYS, 1, &error) == 0);
	*reduce_path_points(&path) = (struct reduce_path_point){
	    .source = at, .result = at, .source_on = ANIM_POSE_NUMBERS, .shell = path.rotates, .tolerance = PATH_LIMIT};
	for (size_t k = 0; k < KEYS; k++) {
		const float *value = w->written + w->run.components * k, none[4] = {0, 0, 0, 1}, one[3] = {1, 1, 1};
		double *own = at + ANIM_POSE_NUMBERS * k;
		struct reduce_path_node *node = &reduce_path_nodes(&path)[k];

		anim_pose_compose(own, path.rotates ? none : value, path.rotates ? value : none, one);
		memcpy(node->value, value, w->run.components * sizeof *value);
		node->key = node->kept = true;
		reduce_path_put(&path, k, NULL, own, own, 1);
	}
	CHECK(reduce_path_find(&path, 0, KEYS - 1, keep));
	reduce_path_clear(&path);
}

TEST(paths_have_the_fewest_keys,
     "paths have hardly more keys than the fewest by limits, all within these, and the same in wider registers")
{
	static struct wander w;
	uint8_t keep[KEYS], other[KEYS], fewest[KEYS];
	struct anim_error error = {0};

	for (uint64_t seed = 1; seed <= 40; seed++) {
		bool rotates = seed % 2 == 0;

		wander(&w, rotates ? REDUCE_ANGLE : REDUCE_LENGTH, rotates ? 4 : 3, seed % 3 == 0 ? 0.02 : 0.002, seed);
		for (size_t k = 0; k < KEYS; k++)
			w.limit[k] = PATH_LIMIT;
		find_path(&w, false, keep);
		if (anim_block_has(ANIM_BLOCK_AVX2)) {
			find_path(&w, true, other);
			CHECK(memcmp(keep, other, sizeof keep) == 0);
		}
		CHECK(keep[0] && keep[KEYS - 1] && reduce_choose(&w.run, false, fewest, &error) == 0);
		CHECKF(reduce_count_kept(keep, KEYS) <= reduce_count_kept(fewest, KEYS) * 101 / 100 + 1,
		       "%zu keys for %zu", reduce_count_kept(keep, KEYS), reduce_count_kept(fewest, KEYS));
		for (size_t i = 0, j; (j = reduce_next_kept(keep, KEYS, i)) < KEYS; i = j)
			for (size_t k = i + 1; k < j; k++)
				CHECKF(plain_error(&w.run, i, j, k) < 1.001 * PATH_LIMIT, "key %zu is %g off", k,
				       plain_error(&w.run, i, j, k));
	}
}
