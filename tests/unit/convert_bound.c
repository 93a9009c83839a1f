/* convert_bound.c: what is told as the largest error of a converted track is at least what a dense look finds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "clip/rules.h"
#include "convert_help.h"
#include "format/animj/animj.h"
#include "format/animx/animx.h"
#include "format/fbx/fbx.h"
#include "format/godot/godot.h"
#include "format/unity/unity.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "sample_help.h"
#include "stream/stream.h"
#include "tap.h"

enum { KEYS = 7, COMPONENTS = 4, BLOCK = 256 };

#define RATE 1e5         /* points a second, at times that are floats: most players know no others */
#define POINTS 6000000   /* of a track at most: ANIM_BOUND_POINTS */
#define FEW_POINTS 20000 /* the same for many tracks */
#define CLOSE 1.05e-5
#define UNITS (ANIM_REST_RELATIVE | ANIM_DEGREES | ANIM_PERCENT)
#ifdef __SANITIZE_ADDRESS__ /* several times slower */
enum { ROUNDS = 16, SQUADS = 2, MANY_SQUADS = 6 };
#else
enum { ROUNDS = 32, SQUADS = 4, MANY_SQUADS = 60 };
#endif

static uint64_t most_points = POINTS;

static const struct anim_caps *const targets[] = {&anim_animj_caps, &anim_animx_caps,  &anim_unity_caps,
						  &anim_godot_caps, &anim_godot3_caps, &anim_fbx_caps};

/* One track played beside what it became. */
struct look {
	const struct anim_clip *clip;
	const struct anim_track *source, *target;
	struct anim_sample_state states[2];
	int component; /* of the source, which the target holds alone; -1: whole */
	double worst, at_s, size;
};

static bool is_godot(const struct anim_track *t)
{
	return t->rules == ANIM_RULES_GODOT4 || t->rules == ANIM_RULES_GODOT3;
}

/* At a key's own time, and where Godot takes a time for the key's, players show one side of it or the other. */
static bool is_at_key(const struct anim_clip *clip, const struct anim_track *t, double at)
{
	double reach = is_godot(t) ? CLOSE * fmax(1, fabs(at - (double)clip->start_s)) : 0x1p-40 * fmax(1, fabs(at));
	ptrdiff_t k = t->kind == ANIM_RAW ? -1 : anim_find_key(t->time, t->n, at);

	return (k >= 0 && at - (double)t->time[k] <= reach) ||
	       (k + 1 >= 0 && (size_t)(k + 1) < t->n && t->kind != ANIM_RAW && (double)t->time[k + 1] - at <= reach);
}

/* A rotation that became angles in degrees. */
static bool has_angles(const struct anim_track *source, const struct anim_track *target)
{
	return anim_types[source->type].quaternion && strcmp(target->property, "euler") == 0;
}

static double apart_from_angles(const struct look *look, const void *one, const void *two, size_t k)
{
	const char *order = anim_attrs_get(&look->target->attrs, "order");
	double angles[3], turn[4];
	float p[4], q[4];

	for (unsigned i = 0; i < 3; i++)
		angles[i] = anim_component(look->target->type, two, k, i) * (ANIM_PI / 180);
	anim_quat_from_euler_double(turn, angles, (enum anim_euler_order)anim_euler_order_find(order));
	for (unsigned i = 0; i < 4; i++) {
		p[i] = (float)anim_component(look->source->type, one, k, i);
		q[i] = (float)turn[i];
	}
	return anim_quat_angle(p, q) * (180 / ANIM_PI);
}

static double apart(struct look *look, const void *one, const void *two, size_t k)
{
	enum anim_type type = look->target->type;
	double off = 0, turn = 0;
	float p[4], q[4];

	if (has_angles(look->source, look->target))
		return apart_from_angles(look, one, two, k);
	if (anim_types[type].quaternion) {
		for (unsigned i = 0; i < 4; i++) {
			p[i] = (float)anim_component(look->source->type, one, k, i);
			q[i] = (float)anim_component(type, two, k, i);
		}
		return anim_quat_angle(p, q) * (180 / ANIM_PI);
	}
	for (unsigned i = 0; i < anim_types[type].components; i++) {
		double a =
		    anim_component(look->source->type, one, k, look->component < 0 ? i : (unsigned)look->component);
		double b = anim_component(type, two, k, i);

		look->size = fmax(look->size, fabs(a));
		if (strcmp(look->source->property, "angle") == 0)
			turn = ANIM_TAU * rint((a - b) / ANIM_TAU);
		off = fmax(off, fabs(a - b - turn));
	}
	return strcmp(look->source->property, "angle") == 0 ? off * (180 / ANIM_PI) : off;
}

static void look_at(struct look *look, const double *t, size_t count)
{
	static _Alignas(16) uint8_t one[BLOCK * 128], two[BLOCK * 128];
	uint8_t here[BLOCK], there[BLOCK];
	struct anim_error error = {0};

	if (!CHECKF(anim_sample(look->clip, look->source, t, count, one, here, &look->states[0], &error) == 0 &&
			anim_sample(look->clip, look->target, t, count, two, there, &look->states[1], &error) == 0,
		    "%s", error.message))
		return;
	for (size_t k = 0; k < count; k++) {
		double off = here[k] && there[k] ? apart(look, one, two, k) : 0;

		if (!(off > look->worst) || is_at_key(look->clip, look->source, t[k]) ||
		    is_at_key(look->clip, look->target, t[k]))
			continue;
		look->worst = off;
		look->at_s = t[k];
	}
}

/* A number from the environment, or what is said here. */
static uint64_t number_from(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text != NULL ? (uint64_t)strtoull(text, NULL, 10) : otherwise;
}

static void look_between(struct look *look, double from, double to, double step)
{
	double t[BLOCK];
	size_t count = 0, steps = (size_t)fmax(0, floor((to - from) / step));

	for (size_t i = 0; i <= steps; i++) {
		t[count++] = (double)(float)(from + (double)i * step);
		if (count < BLOCK && i < steps)
			continue;
		look_at(look, t, count);
		count = 0;
	}
}

/* Beside the keys, as anim-diff looks, and a hundred times denser around the worst. */
static void look_closely(struct look *look, const struct anim_track *keys, double from, double to)
{
	double t[4], worst_s;

	for (size_t k = 0; k < keys->n && keys->kind != ANIM_RAW; k++) {
		double at = (double)keys->time[k], hair = 2e-5 * fmax(1, fabs(at)), half = 1.1e-5 * fmax(1, fabs(at));

		t[0] = (double)(float)(at - hair);
		t[1] = (double)(float)(at - half);
		t[2] = (double)(float)(at + half);
		t[3] = (double)(float)(at + hair);
		if (t[0] >= from && t[3] <= to)
			look_at(look, t, 4);
	}
	worst_s = look->at_s;
	look_between(look, fmax(from, worst_s - 1e-5), fmin(to, worst_s + 1e-5), 1e-7);
}

/* What is never told: rounding, and Linear rotations that stay as they are within the tolerance. */
static double never_told(const struct look *look)
{
	if (anim_types[look->target->type].quaternion || has_angles(look->source, look->target))
		return 0.01;
	if (strcmp(look->source->property, "angle") == 0)
		return fmax(0.01, 1e-5 * look->size * (180 / ANIM_PI));
	return fmax(ANIM_TOLERANCE, 1e-5 * look->size);
}

static void check_pair(struct convert_bench *b, const struct anim_track *source, size_t number, int component,
		       const char *what)
{
	struct look look = {
	    .clip = &b->clip, .source = source, .target = &b->capture.tracks[number], .component = component};
	double from = (double)b->clip.start_s, to = (double)b->clip.end_s;

	if (source->n > 0 && source->kind != ANIM_RAW) {
		from = fmax(from, (double)source->time[0] - 0.05);
		to = fmin(to, (double)source->time[source->n - 1] + 0.05);
	}
	if (look.target->n == 0)
		return;
	look_between(&look, from, to,
		     fmax(1 / RATE, (to - from) / (double)number_from("ANIM_BOUND_POINTS", most_points)));
	look_closely(&look, source, from, to);
	look_closely(&look, look.target, from, to);
	CHECKF(look.worst <= fmax(convert_told(b), never_told(&look)),
	       "%s: %s %s of %s: %.9g off at %.9g, told %.9g, %zu keys", what, anim_rules_names[source->rules],
	       anim_interp_names[anim_track_interp(source, 0)], anim_types[source->type].name, look.worst, look.at_s,
	       convert_told(b), look.target->n);
	anim_sample_state_clear(&look.states[0]);
	anim_sample_state_clear(&look.states[1]);
}

/*
 * The track, whole or in its components, under the target. What changes its meaning (units, rests, Euler angles) is not here,
 * nor what has values beyond floats, which are held and told as that.
 */
static void check_bound(const struct anim_caps *caps, const struct anim_clip *clip, const struct anim_track *track,
			const char *what)
{
	static struct convert_bench b;
	char name[160];
	size_t count;

	snprintf(name, sizeof name, "%s to %s", what, caps->format);
	convert_begin(&b, caps, clip);
	convert_add(&b, track);
	convert_finish(&b);
	count = b.capture.track_count;
	if (!CHECKF(!b.failed, "%s: %s", name, b.error.message) || convert_tells(&b, "values that are not finite"))
		count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct anim_track *out = &b.capture.tracks[i];
		bool whole = count == 1 && anim_types[out->type].components == anim_types[track->type].components;

		if (has_angles(track, out)) {
			check_pair(&b, track, i, -1, name);
			continue;
		}
		if (strcmp(out->property, track->property) != 0 || !anim_type_is_real(out->type) ||
		    !anim_type_is_real(track->type) || ((out->flags ^ track->flags) & UNITS) != 0)
			continue;
		if (whole)
			check_pair(&b, track, i, -1, name);
		else if (anim_types[out->type].components == 1 && out->component != ANIM_WHOLE)
			check_pair(&b, track, i, out->component, name);
	}
	convert_clear(&b);
}

/* A random curve; its columns. */
struct curve {
	struct anim_track track;
	float time[KEYS], value[KEYS * COMPONENTS], left[KEYS * COMPONENTS], right[KEYS * COMPONENTS];
	float left_x[KEYS * COMPONENTS], right_x[KEYS * COMPONENTS], ease[KEYS];
	uint8_t weighted[KEYS];
};

static uint64_t state;

static uint32_t next(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33);
}

/* 0..1 */
static float some(void)
{
	return (float)(next() >> 8) / 8388608.0f;
}

static float noise(void)
{
	return 2 * some() - 1;
}

static float pick(const float *from, size_t count)
{
	return from[next() % count];
}

#define PICK(...) pick((const float[]){__VA_ARGS__}, sizeof((const float[]){__VA_ARGS__}) / sizeof(float))

/* Mostly ordinary distances; some keys stand a float's step or microseconds apart. */
static void make_times(struct curve *c, float start)
{
	c->time[0] = start;
	for (int k = 1; k < KEYS; k++) {
		float step = next() % 4 == 0 ? PICK(0, 1e-6f, 3e-6f, 1e-5f, 2.5e-5f, 5e-5f, 1e-4f, 1e-3f)
					     : 0.02f + 0.08f * some();

		c->time[k] = fmaxf(c->time[k - 1] + step, nextafterf(c->time[k - 1], INFINITY));
	}
}

/* Some opposite to, almost equal to, or half a turn from the one before; some as three numbers of 16 bits have them. */
static void make_rotations(struct curve *c)
{
	for (int k = 0; k < KEYS; k++) {
		float *q = &c->value[4 * k], length = 0, near = k == 0 ? 0 : PICK(0, 0, 0, 1, -1, 100, -100, 1e4f);

		for (int i = 0; i < 4; i++)
			q[i] = noise() + (k > 0 ? near * q[i - 4] : 0);
		for (int i = 0; i < 4; i++)
			length += q[i] * q[i];
		for (int i = 0; i < 4; i++)
			q[i] /= sqrtf(length);
		if (next() % 8 != 0 || k == 0)
			continue;
		for (int i = 0; i < 4; i++)
			q[i] = q[i - 4];
		for (int i = 0; i < 4; i++) {
			float turn = i == 0 ? -q[1] : i == 1 ? q[0] : i == 2 ? -q[3] : q[2];

			c->left[i] = turn;
		}
		memcpy(q, c->left, 4 * sizeof *q);
	}
}

static void make_handles(struct curve *c, enum anim_interp mode, unsigned components, float size)
{
	float wild = size * PICK(0, 1, 1, 10, 100);

	if (anim_types[c->track.type].quaternion)
		wild = PICK(0.1f, 0.5f, 3);
	for (unsigned i = 0; i < KEYS * components; i++) {
		float length = i / components + 1 < KEYS ? c->time[i / components + 1] - c->time[i / components] : 0.1f;
		float before = i >= components ? c->time[i / components] - c->time[i / components - 1] : 0.1f;

		c->left[i] = wild * noise() + (mode == ANIM_CUBIC_BEZIER ? c->value[i] : 0);
		c->right[i] = wild * noise() + (mode == ANIM_CUBIC_BEZIER ? c->value[i] : 0);
		c->left_x[i] = mode == ANIM_BEZIER_2D ? -before * PICK(0, 0.1f, 1.0f / 3, 0.7f, 1, 1.5f) : some();
		c->right_x[i] = mode == ANIM_BEZIER_2D ? length * PICK(0, 0.1f, 1.0f / 3, 0.7f, 1, 1.5f) : some();
		c->weighted[i / components] = (uint8_t)(next() & 3);
	}
}

static void make_eases(struct curve *c)
{
	for (int k = 0; k < KEYS; k++) {
		c->ease[k] = PICK(0, 1, 2, -1, -0.2f, -0.5f, -0.01f, 0.01f, 0.2f, 4, -4, 100, -100, 30, -30, 0.05f);
		if (next() % 4 == 0)
			c->ease[k] = (float)anim_pow(10, 4 * (double)some() - 2) * (next() & 1 ? 1 : -1);
	}
	c->track.ease = c->ease;
}

static void make(struct curve *c, enum anim_rules rules, enum anim_interp mode, enum anim_type type, float start)
{
	unsigned components = anim_types[type].components;
	float size = PICK(1, 1, 10, 1000);
	bool angle = mode == ANIM_LINEAR_ANGLE || mode == ANIM_CUBIC_ANGLE;

	memset(c, 0, sizeof *c);
	make_times(c, start);
	for (unsigned i = 0; i < KEYS * components; i++)
		c->value[i] =
		    i >= components && next() % 8 == 0 ? c->value[i - components] : (angle ? 5 : size) * noise();
	if (anim_types[type].quaternion)
		make_rotations(c);
	c->track = sample_curve(rules, mode, type, KEYS, c->time, c->value);
	c->track.property = angle ? "angle" : anim_types[type].quaternion ? "rotation" : "v";
	if (mode < ANIM_TANGENT || mode > ANIM_BEZIER_2D)
		return;
	make_handles(c, mode, components, size);
	c->track.left = c->left;
	c->track.right = c->right;
	if (mode == ANIM_WEIGHTED || mode == ANIM_BEZIER_2D) {
		c->track.left_x = c->left_x;
		c->track.right_x = c->right_x;
	}
	c->track.weighted = mode == ANIM_WEIGHTED ? c->weighted : NULL;
}

static const struct {
	enum anim_rules rules;
	enum anim_interp mode;
	bool eases;
} sources[] = {
    {ANIM_RULES_GODOT4, ANIM_LINEAR, true},          {ANIM_RULES_GODOT4, ANIM_CUBIC_TIME, true},
    {ANIM_RULES_GODOT4, ANIM_BEZIER_2D, false},      {ANIM_RULES_GODOT4, ANIM_LINEAR_ANGLE, true},
    {ANIM_RULES_GODOT4, ANIM_CUBIC_ANGLE, true},     {ANIM_RULES_GODOT4, ANIM_HOLD, false},
    {ANIM_RULES_GODOT3, ANIM_LINEAR, true},          {ANIM_RULES_GODOT3, ANIM_CUBIC_UNIFORM, true},
    {ANIM_RULES_UNITY, ANIM_LINEAR, false},          {ANIM_RULES_UNITY, ANIM_HERMITE, false},
    {ANIM_RULES_UNITY, ANIM_WEIGHTED, false},        {ANIM_RULES_RESONITE, ANIM_LINEAR, false},
    {ANIM_RULES_RESONITE, ANIM_CUBIC_BEZIER, false}, {ANIM_RULES_RESONITE, ANIM_TANGENT, false},
    {ANIM_RULES_RESONITE, ANIM_HOLD, false},         {ANIM_RULES_PLAIN, ANIM_CUBIC_TIME, false},
};

static void check_round(uint64_t round)
{
	static const enum anim_type types[] = {ANIM_FLOAT, ANIM_FLOAT3, ANIM_FLOATQ};
	size_t i = round % (sizeof sources / sizeof *sources), t = round / (sizeof sources / sizeof *sources) % 3;
	enum anim_interp mode = sources[i].mode;
	enum anim_type type =
	    mode == ANIM_BEZIER_2D || mode == ANIM_LINEAR_ANGLE || mode == ANIM_CUBIC_ANGLE ? ANIM_FLOAT : types[t];
	struct anim_clip clip;
	struct curve c;
	char what[40];

	state = round * 2 + 1;
	next();
	make(&c, sources[i].rules, mode, type, next() % 4 == 0 ? PICK(0, 1, 30, 200) + some() : 0.1f * some());
	if (sources[i].eases && next() % 2 == 0)
		make_eases(&c);
	clip = sample_clip((double)c.time[KEYS - 1] + (next() % 4 == 0 ? -0.05 : 0.05), ANIM_LOOP_NONE);
	if (c.track.ease != NULL && next() % 4 == 0) {
		clip.loop = ANIM_LOOP_WRAP;
		c.track.flags |= ANIM_LOOP_WRAP_KEYS;
	}
	snprintf(what, sizeof what, "round %llu", (unsigned long long)round);
	for (size_t k = 0; k < sizeof targets / sizeof *targets; k++)
		check_bound(targets[k], &clip, &c.track, what);
}

/* Keys about as near to each other as where the last slerp of Godot 3's cubic stays at its start: there it jumps. */
static void check_squad(uint64_t round)
{
	struct anim_clip clip;
	struct curve c;
	char what[40];
	float near;

	state = round * 2 + 1;
	next();
	make(&c, ANIM_RULES_GODOT3, ANIM_CUBIC_UNIFORM, ANIM_FLOATQ,
	     (next() % 4 == 0 ? PICK(1, 30, 200) : 0) + 0.1f * some());
	near = PICK(20, 40, 70, 100);
	for (int k = 0; k < KEYS; k++) {
		float *q = &c.value[4 * k];

		for (int i = 0; i < 4; i++)
			q[i] = noise() + (k > 0 ? near * q[i - 4] : 0);
		anim_quat_normalize(q, q);
	}
	if (next() % 4 == 0)
		make_eases(&c);
	clip = sample_clip((double)c.time[KEYS - 1] + 0.05, ANIM_LOOP_NONE);
	if (next() % 4 == 0) {
		clip.loop = ANIM_LOOP_WRAP;
		c.track.flags |= ANIM_LOOP_WRAP_KEYS;
	}
	snprintf(what, sizeof what, "squad %llu", (unsigned long long)round);
	for (size_t k = 0; k < sizeof targets / sizeof *targets; k++)
		check_bound(targets[k], &clip, &c.track, what);
}

/* Godot goes straight from one 1024th of the curve to the next: where a handle is short, that is told as it is and no more. */
TEST(convert_bound_solver, "how far Unity's curve is from Godot's next to a short handle is told to a tenth")
{
	static const float time[] = {0.25f, 1 / 3.0f}, value[] = {9.13344195f, -2.05936333f};
	static const float left[] = {0, 4.57775645f}, right[] = {-7.63562039f, 0};
	static const float left_x[] = {0, -0.0418897841f}, right_x[] = {0.0004939763f, 0};
	struct anim_track track = sample_curve(ANIM_RULES_GODOT3, ANIM_BEZIER_2D, ANIM_FLOAT, 2, time, value);
	struct anim_clip clip = sample_clip((double)time[1], ANIM_LOOP_NONE);
	static struct convert_bench b;
	double told;

	track.left = left;
	track.right = right;
	track.left_x = left_x;
	track.right_x = right_x;
	for (size_t k = 0; k < sizeof targets / sizeof *targets; k++)
		check_bound(targets[k], &clip, &track, "a short handle");
	convert_begin(&b, &anim_unity_caps, &clip);
	convert_add(&b, &track);
	convert_finish(&b);
	told = convert_lasting(&b); /* but for moments: where Godot takes times for a key's it is steep */
	CHECKF(told > 2.40e-4 && told < 1.1 * 2.41e-4, "told %.9g", told);
	convert_clear(&b);
}

/* ANIM_BOUND_ROUNDS of them, from ANIM_BOUND_FROM on. */
static void check_rounds(void (*check)(uint64_t), uint64_t rounds)
{
	uint64_t first = number_from("ANIM_BOUND_FROM", 0), count = number_from("ANIM_BOUND_ROUNDS", rounds);

	if (getenv("ANIM_BOUND_STREAM") != NULL) {
		tap_skip("ANIM_BOUND_STREAM names a stream");
		return;
	}
	for (uint64_t round = first; round < first + count; round++)
		check(round);
}

TEST(convert_bound_squad, "cubic rotations of Godot 3, which jump by themselves, are never farther off than is told")
{
	check_rounds(check_squad, SQUADS);
}

TEST(convert_bound_many_squads, "a jump that rounding repeats is reported even if all keys are from the source")
{
	static const uint64_t found[] = {48, 122, 257, 1147}; /* rounds for which less was told */

	most_points = FEW_POINTS;
	for (size_t i = 0; i < sizeof found / sizeof *found; i++)
		check_squad(found[i]);
	check_rounds(check_squad, MANY_SQUADS);
	most_points = POINTS;
}

TEST(convert_bound_random, "random curves with jumps and any easing are never farther off than is told")
{
	check_rounds(check_round, ROUNDS);
}

/* Each track of a stream, for every target. */
struct checker {
	struct anim_sink sink;
	struct anim_arena arena;
	struct anim_clip clip;
	size_t number;
};

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct checker *checker = (struct checker *)sink;

	anim_arena_reset(&checker->arena);
	return anim_clip_copy(&checker->clip, clip, &checker->arena, error);
}

/* A stream may hold modes that the rules do not play: these are refused. */
static bool is_played(const struct anim_clip *clip, const struct anim_track *t)
{
	_Alignas(16) uint8_t value[128];
	struct anim_sample_state played = {0};
	uint8_t present;
	int result = 0;

	for (size_t k = 0; k + 1 < t->n && result == 0; k++) {
		double at = ((double)t->time[k] + (double)t->time[k + 1]) / 2;

		result = anim_sample(clip, t, &at, 1, value, &present, &played, NULL);
	}
	anim_sample_state_clear(&played);
	return result == 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct checker *checker = (struct checker *)sink;
	char what[120];

	(void)error;
	if (track->n == 0 || !anim_type_is_real(track->type) || (track->flags & (ANIM_UNSORTED | ANIM_DISABLED)) ||
	    track->kind != ANIM_CURVE || !is_played(&checker->clip, track))
		return 0;
	snprintf(what, sizeof what, "%.40s %.40s %.20s", checker->clip.name, track->node, track->property);
	for (size_t k = 0; k < sizeof targets / sizeof *targets; k++)
		check_bound(targets[k], &checker->clip, track, what);
	return 0;
}

TEST(convert_bound_stream, "the tracks of the stream named by ANIM_BOUND_STREAM are never farther off than is told")
{
	static const struct anim_sink_ops ops = {.clip = on_clip, .track = on_track};
	struct checker checker = {.sink = {.ops = &ops}};
	const char *name = getenv("ANIM_BOUND_STREAM");
	struct anim_stream_reader *reader = NULL;
	struct anim_input *input = NULL;
	struct anim_error error = {0};

	if (name == NULL) {
		tap_skip("ANIM_BOUND_STREAM names no stream");
		return;
	}
	CHECKF(anim_input_open(&input, name, NULL, &error) == 0 &&
		   anim_stream_reader_new(&reader, input, &error) == 0 &&
		   anim_stream_pump(reader, &checker.sink, &error) == 0,
	       "%s", error.message);
	anim_stream_reader_free(reader);
	anim_input_close(input);
	anim_arena_clear(&checker.arena);
}
