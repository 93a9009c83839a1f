/* convert.c: every mode into every set of modes, played beside the source. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "convert_help.h"
#include "sample_help.h"
#include "tap.h"

#ifdef __SANITIZE_ADDRESS__ /* how near it comes is a matter of numbers, which the plain build looks at */
enum { POINTS = 40 };
#else
enum { POINTS = 600 };
#endif
enum { KEYS = 7, COMPONENTS = 4 };

/* A random curve; its columns. */
struct curve {
	struct anim_track track;
	float time[KEYS], value[KEYS * COMPONENTS], left[KEYS * COMPONENTS], right[KEYS * COMPONENTS];
	float left_x[KEYS * COMPONENTS], right_x[KEYS * COMPONENTS], ease[KEYS];
	uint8_t weighted[KEYS];
};

static uint32_t seed;

/* -1..1 */
static float noise(void)
{
	seed = seed * 1664525u + 1013904223u;
	return (float)(seed >> 8) / 8388608.0f - 1;
}

static void make_rotations(struct curve *c)
{
	for (int k = 0; k < KEYS; k++) {
		float *q = &c->value[4 * k], length;

		for (int i = 0; i < 4; i++)
			q[i] = noise();
		length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
		for (int i = 0; i < 4; i++)
			q[i] /= length;
	}
}

/* Slopes, control values or offsets near the values, as the mode wants them. */
static void make_handles(struct curve *c, enum anim_interp mode, unsigned components)
{
	float unit = anim_types[c->track.type].quaternion ? 0.2f : 1;

	for (unsigned i = 0; i < KEYS * components; i++) {
		c->left[i] = unit * noise() + (mode == ANIM_CUBIC_BEZIER ? c->value[i] : 0);
		c->right[i] = unit * noise() + (mode == ANIM_CUBIC_BEZIER ? c->value[i] : 0);
		c->left_x[i] = mode == ANIM_BEZIER_2D ? -0.1f - 0.1f * fabsf(noise()) : 0.2f + 0.3f * fabsf(noise());
		c->right_x[i] = mode == ANIM_BEZIER_2D ? 0.1f + 0.1f * fabsf(noise()) : 0.2f + 0.3f * fabsf(noise());
		c->weighted[i / components] = (uint8_t)(seed >> 10 & 3);
	}
}

static void make(struct curve *c, enum anim_rules rules, enum anim_interp mode, enum anim_type type)
{
	unsigned components = anim_types[type].components;
	float t = 0.1f;

	memset(c, 0, sizeof *c);
	for (int k = 0; k < KEYS; k++, t += 0.25f + 0.2f * fabsf(noise()))
		c->time[k] = t;
	for (unsigned i = 0; i < KEYS * components; i++)
		c->value[i] = 2 * noise();
	if (anim_types[type].quaternion)
		make_rotations(c);
	c->track = sample_curve(rules, mode, type, KEYS, c->time, c->value);
	make_handles(c, mode, components);
	if (mode < ANIM_TANGENT || mode > ANIM_BEZIER_2D)
		return;
	c->track.left = c->left;
	c->track.right = c->right;
	if (mode == ANIM_WEIGHTED || mode == ANIM_BEZIER_2D) {
		c->track.left_x = c->left_x;
		c->track.right_x = c->right_x;
	}
	c->track.weighted = mode == ANIM_WEIGHTED ? c->weighted : NULL;
}

static void make_ease(struct curve *c)
{
	static const float eases[] = {1, 2, 0.5f, -2, 0, 1, 4};

	memcpy(c->ease, eases, sizeof c->ease);
	c->track.ease = c->ease;
}

/* Values that may not be told: rounding of floats in each engine's own way. */
static double floor_of(enum anim_type type)
{
	return anim_types[type].quaternion ? 5e-4 : 6e-6;
}

static void check_against(const struct anim_caps *caps, const struct curve *c, const struct anim_clip *clip,
			  const char *what)
{
	static struct convert_bench b;
	double off, told, lasting, limit = anim_types[c->track.type].quaternion ? 0.01 : 1e-4;
	enum anim_interp mode = anim_track_interp(&c->track, 0);

	convert_begin(&b, caps, clip);
	convert_add(&b, &c->track);
	convert_finish(&b);
	if (!CHECKF(!b.failed && b.capture.track_count == 1, "%s %s: %s", what, anim_interp_names[mode],
		    b.error.message)) {
		convert_clear(&b);
		return;
	}
	off = convert_compare(&b, &c->track, 0, POINTS);
	told = convert_told(&b);
	lasting = convert_lasting(&b);
	if (mode == ANIM_LINEAR && anim_types[c->track.type].quaternion)
		told = lasting = limit;
	if (mode == ANIM_CUBIC_UNIFORM && anim_types[c->track.type].quaternion)
		told = limit *= 10; /* Godot 3's squad jumps a little where its slerp finds two rotations near enough */
	CHECKF(off <= fmax(told, floor_of(c->track.type)) && lasting <= 2.5 * limit,
	       "%s %s %s %s: off %g, told %g, %g lasting, %zu keys", what, anim_rules_names[c->track.rules],
	       anim_interp_names[mode], anim_types[c->track.type].name, off, told, lasting, b.capture.tracks[0].n);
	CHECKF(b.capture.tracks[0].n < 3000, "%zu keys", b.capture.tracks[0].n);
	convert_clear(&b);
}

/* Sets of modes that a target may have. */
static const struct {
	const char *name;
	unsigned interps;
	bool mixed;
	enum anim_rules rules;
} targets[] = {
    {"resonite", 1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_CUBIC_BEZIER, true, ANIM_RULES_RESONITE},
    {"linear", 1u << ANIM_HOLD | 1u << ANIM_LINEAR, true, ANIM_RULES_PLAIN},
    {"hermite", 1u << ANIM_HERMITE, false, ANIM_RULES_PLAIN},
    {"weighted", 1u << ANIM_HOLD | 1u << ANIM_WEIGHTED, true, ANIM_RULES_PLAIN},
    {"bezier", 1u << ANIM_BEZIER_2D | 1u << ANIM_LINEAR, false, ANIM_RULES_PLAIN},
    {"godot", 1u << ANIM_HOLD | 1u << ANIM_LINEAR, false, ANIM_RULES_GODOT4},
    {"unity", 1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE | 1u << ANIM_WEIGHTED, true, ANIM_RULES_UNITY},
};

static const struct {
	enum anim_rules rules;
	enum anim_interp mode;
} sources[] = {
    {ANIM_RULES_PLAIN, ANIM_HOLD},           {ANIM_RULES_PLAIN, ANIM_LINEAR},
    {ANIM_RULES_PLAIN, ANIM_CUBIC_BEZIER},   {ANIM_RULES_PLAIN, ANIM_HERMITE},
    {ANIM_RULES_PLAIN, ANIM_WEIGHTED},       {ANIM_RULES_PLAIN, ANIM_BEZIER_2D},
    {ANIM_RULES_PLAIN, ANIM_CUBIC_TIME},     {ANIM_RULES_PLAIN, ANIM_CUBIC_UNIFORM},
    {ANIM_RULES_RESONITE, ANIM_HOLD},        {ANIM_RULES_RESONITE, ANIM_LINEAR},
    {ANIM_RULES_RESONITE, ANIM_TANGENT},     {ANIM_RULES_RESONITE, ANIM_CUBIC_BEZIER},
    {ANIM_RULES_GODOT4, ANIM_HOLD},          {ANIM_RULES_GODOT4, ANIM_LINEAR},
    {ANIM_RULES_GODOT4, ANIM_CUBIC_TIME},    {ANIM_RULES_GODOT4, ANIM_BEZIER_2D},
    {ANIM_RULES_GODOT3, ANIM_HOLD},          {ANIM_RULES_GODOT3, ANIM_LINEAR},
    {ANIM_RULES_GODOT3, ANIM_CUBIC_UNIFORM}, {ANIM_RULES_UNITY, ANIM_HOLD},
    {ANIM_RULES_UNITY, ANIM_LINEAR},         {ANIM_RULES_UNITY, ANIM_HERMITE},
    {ANIM_RULES_UNITY, ANIM_WEIGHTED},
};

static void check_target(size_t target, bool eased, enum anim_loop loop, float end_s)
{
	static const enum anim_type types[] = {ANIM_FLOAT, ANIM_FLOAT3, ANIM_FLOATQ};
	struct anim_caps caps = caps_resonite;
	struct anim_clip clip = sample_clip((double)end_s, loop);
	struct curve c;

	caps.interps = targets[target].interps;
	caps.mixed_interps = targets[target].mixed;
	caps.rules = targets[target].rules;
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
			bool godot = sources[i].rules == ANIM_RULES_GODOT4 || sources[i].rules == ANIM_RULES_GODOT3;

			if (sources[i].mode == ANIM_BEZIER_2D && types[t] != ANIM_FLOAT)
				continue;
			make(&c, sources[i].rules, sources[i].mode, types[t]);
			if (eased && godot && sources[i].mode != ANIM_BEZIER_2D)
				make_ease(&c);
			if (loop != ANIM_LOOP_NONE && godot)
				c.track.flags |= ANIM_LOOP_WRAP_KEYS;
			check_against(&caps, &c, &clip, targets[target].name);
		}
}

#define EACH_TARGET(body)                                                            \
	for (size_t target = 0; target < sizeof targets / sizeof *targets; target++) \
	body

TEST(convert_modes, "every mode becomes one of each target's, off by no more than is told")
{
	seed = 1;
	EACH_TARGET(check_target(target, false, ANIM_LOOP_NONE, 3.5f));
}

TEST(convert_cut, "keys past the clip's end are played as the source's player does, and then gone")
{
	seed = 2;
	EACH_TARGET(check_target(target, false, ANIM_LOOP_NONE, 1.3f));
}

TEST(convert_wrapped, "the segment over a loop's seam becomes keys")
{
	seed = 3;
	EACH_TARGET(check_target(target, false, ANIM_LOOP_WRAP, 3.5f));
	EACH_TARGET(check_target(target, false, ANIM_LOOP_PINGPONG, 3.5f));
	check_target(0, false, ANIM_LOOP_WRAP, 1.3f);
}

TEST(convert_eased, "transitions become curves, 0 holds")
{
	seed = 4;
	EACH_TARGET(check_target(target, true, ANIM_LOOP_NONE, 3.5f));
}

TEST(convert_controls_exact, "slopes become control values by the formula, to the last bit")
{
	static struct convert_bench b;
	struct anim_clip clip = sample_clip(3.5, ANIM_LOOP_NONE);
	const float *left, *right;
	struct curve c;

	seed = 5;
	make(&c, ANIM_RULES_PLAIN, ANIM_HERMITE, ANIM_FLOAT);
	convert_begin(&b, &caps_resonite, &clip);
	convert_add(&b, &c.track);
	convert_finish(&b);
	if (!CHECK(!b.failed && b.capture.track_count == 1 && b.capture.tracks[0].n == KEYS))
		return;
	left = b.capture.tracks[0].left;
	right = b.capture.tracks[0].right;
	for (int k = 0; k + 1 < KEYS; k++) {
		double third = ((double)c.time[k + 1] - (double)c.time[k]) / 3;

		CHECK(right[k] == (float)((double)c.value[k] + (double)c.right[k] * third));
		CHECK(left[k + 1] == (float)((double)c.value[k + 1] - (double)c.left[k + 1] * third));
	}
	convert_clear(&b);
}

TEST(convert_repeated_ends, "ends that loop or go back and forth become keys inside the clip")
{
	struct anim_clip clip = sample_clip(9, ANIM_LOOP_NONE);
	struct curve c;

	clip.start_s = -4;
	seed = 6;
	for (int ends = 0; ends < 4; ends++) {
		struct anim_caps caps = caps_resonite;

		make(&c, ANIM_RULES_PLAIN, ANIM_HERMITE, ANIM_FLOAT);
		c.track.pre = ends & 1 ? ANIM_EXTRAPOLATION_LOOP : ANIM_EXTRAPOLATION_PINGPONG;
		c.track.post = ends & 2 ? ANIM_EXTRAPOLATION_LOOP : ANIM_EXTRAPOLATION_PINGPONG;
		check_against(&caps, &c, &clip, "ends");
	}
}
