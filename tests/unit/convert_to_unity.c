/* convert_to_unity.c: what becomes of other players' tracks where Unity is to play them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "convert_help.h"
#include "math/quaternion.h"
#include "sample_help.h"
#include "tap.h"

#define BIT(type) ((uint64_t)1 << (type))

static const struct anim_caps unity = {
    .format = "unity",
    .kinds = 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
    .types = BIT(ANIM_FLOAT) | BIT(ANIM_FLOAT2) | BIT(ANIM_FLOAT3) | BIT(ANIM_FLOAT4) | BIT(ANIM_FLOATQ) |
	     BIT(ANIM_COLOR) | BIT(ANIM_STRING),
    .interps = 1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE | 1u << ANIM_WEIGHTED,
    .flags = ANIM_DEGREES | ANIM_PERCENT,
    .rules = ANIM_RULES_UNITY,
    .mixed_interps = true,
    .components = true,
    .euler = true,
    .ends = true,
    .negative_times = true,
    .continuous_rotations = true};

static const float times[3] = {0, 0.4f, 1};
static struct convert_bench b;

static struct anim_track curve(enum anim_rules rules, enum anim_interp mode, enum anim_type type, const void *values)
{
	return sample_curve(rules, mode, type, 3, times, values);
}

static size_t run(const struct anim_caps *caps, const struct anim_track *t)
{
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);

	convert_begin(&b, caps, &clip);
	convert_add(&b, t);
	convert_finish(&b);
	CHECKF(!b.failed, "%s", b.error.message);
	return b.capture.track_count;
}

static const float *values_of(size_t track)
{
	return b.capture.tracks[track].value;
}

static bool went_through(const struct anim_track *t)
{
	return run(&unity, t) == 1 && b.capture.tracks[0].record == t->record && t->record != NULL;
}

TEST(to_unity_controls, "control values become slopes by the formula, the component stays, nothing is told")
{
	const float values[3] = {1, 4, -2}, left[3] = {0, 3.5f, -1}, right[3] = {2, 5, 0};
	struct anim_track t = curve(ANIM_RULES_RESONITE, ANIM_CUBIC_BEZIER, ANIM_FLOAT, values);
	const float *in, *out;

	t.left = left;
	t.right = right;
	t.property = "position";
	t.component = 1;
	if (!CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0))
		return;
	CHECK(b.capture.tracks[0].interp == ANIM_HERMITE && b.capture.tracks[0].component == 1);
	CHECK(b.capture.tracks[0].weighted == NULL && b.capture.tracks[0].rules == ANIM_RULES_UNITY);
	in = b.capture.tracks[0].left;
	out = b.capture.tracks[0].right;
	for (int k = 0; k < 2; k++) {
		double third = ((double)times[k + 1] - (double)times[k]) / 3;

		CHECK(out[k] == (float)(((double)right[k] - (double)values[k]) / third));
		CHECK(in[k + 1] == (float)(((double)left[k + 1] - (double)values[k + 1]) / -third));
	}
	CHECK(convert_compare(&b, &t, 0, 1000) <= 1e-6);
	convert_clear(&b);
}

/* A curve of Godot's whose handles have lengths of their own. */
static struct anim_track handles(void)
{
	static const float values[3] = {1, 4, -2}, left[3] = {0, -2, 3}, right[3] = {1, 0.5f, 0};
	static const float left_x[3] = {0, -0.3f, -0.06f}, right_x[3] = {0.02f, 0.5f, 0};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_BEZIER_2D, ANIM_FLOAT, values);

	t.left = left;
	t.right = right;
	t.left_x = left_x;
	t.right_x = right_x;
	return t;
}

TEST(to_unity_handles, "handles become slopes and weights without loss")
{
	struct anim_track t = handles(), *got = &b.capture.tracks[0];
	double length = (double)times[1], rest = 1 - (double)times[1];
	const float *in, *out;

	if (!CHECK(run(&unity, &t) == 1 && got->n == 3 && got->interp == ANIM_WEIGHTED && b.diagnostics.count == 0))
		return;
	in = got->left;
	out = got->right;
	CHECK(got->weighted[0] == 2 && got->weighted[1] == 3 && got->weighted[2] == 1);
	CHECK(got->right_x[0] == (float)((double)t.right_x[0] / length));
	CHECK(fabs((double)got->left_x[1] - 0.3 / length) < 1e-7 && fabs((double)got->left_x[2] - 0.06 / rest) < 1e-7);
	CHECK(fabs((double)out[0] - 1 / 0.02) < 1e-4 && fabs((double)in[1] - 2 / 0.3) < 1e-6);
	CHECK(got->left_x[0] == 1.0f / 3 && got->right_x[2] == 1.0f / 3);
	CHECKF(convert_compare(&b, &t, 0, 3000) <= 2e-5, "off %g", convert_compare(&b, &t, 0, 3000));
	convert_clear(&b);
}

TEST(to_unity_short, "a handle of no length has a weight of 0")
{
	static const float left[3] = {0, 0, 0}, left_x[3] = {0, 0, -0.3f};
	struct anim_track t = handles();

	t.left = left;
	t.left_x = left_x;
	CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].n == 3 && b.capture.tracks[0].interp == ANIM_WEIGHTED);
	CHECK(b.capture.tracks[0].left_x != NULL && b.capture.tracks[0].left_x[1] == 0);
	convert_clear(&b);
}

TEST(to_unity_solver, "a curve that is all but upright needs no more keys, though Godot's solver stops early there")
{
	static const float left_x[3] = {0, -0.4f, -0.6f}, right_x[3] = {0.4f, 0.6f, 0};
	struct anim_track t = handles();

	t.left_x = left_x;
	t.right_x = right_x;
	CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].n == 3);
	CHECKF(convert_told(&b) > ANIM_TOLERANCE && convert_told(&b) < 0.05, "told %g", convert_told(&b));
	CHECK(convert_compare(&b, &t, 0, 3000) <= 2 * convert_told(&b));
	convert_clear(&b);
}

TEST(to_unity_thirds, "handles at a third are Hermite keys; handles that Unity cannot have are followed with more keys")
{
	const float values[3] = {1, 4, -2}, left[3] = {0, -2, 3}, right[3] = {1, 0.5f, 0};
	const float left_x[3] = {0, -0.4f / 3, -0.2f}, right_x[3] = {0.4f / 3, 0.2f, 0}, none[3] = {0};
	const float slight[3] = {0.004f, 0.004f, 0}, beyond[3] = {0.5f, 0.2f, 0};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_BEZIER_2D, ANIM_FLOAT, values);

	t.left = left;
	t.right = right;
	t.left_x = left_x;
	t.right_x = right_x;
	CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].interp == ANIM_HERMITE && b.capture.tracks[0].n == 3);
	CHECK(b.capture.tracks[0].left_x == NULL && b.diagnostics.count == 0);
	convert_clear(&b);
	t.right_x = none; /* straight up */
	for (int round = 0; round < 2; round++) {
		t.right = round == 0 ? right : slight;
		CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].n > 3 && convert_tells(&b, "approximated"));
		CHECK(convert_compare(&b, &t, 0, 2000) <= 1.1 * ANIM_TOLERANCE);
		convert_clear(&b);
	}
	t.right_x = beyond;
	t.right = right;
	CHECK(run(&unity, &t) == 1 && convert_compare(&b, &t, 0, 2000) <= 0.01);
	for (size_t k = 0; b.capture.tracks[0].weighted != NULL && k < b.capture.tracks[0].n; k++)
		CHECK(b.capture.tracks[0].right_x[k] <= 1);
	convert_clear(&b);
}

TEST(to_unity_same, "what Unity plays alike goes through untouched")
{
	const float values[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, slopes[9] = {1}, weights[9] = {0.5f};
	const uint8_t weighted[3] = {2, 3, 1};
	struct anim_track t = curve(ANIM_RULES_PLAIN, ANIM_WEIGHTED, ANIM_FLOAT3, values);

	t.record = (const struct anim_record *)(const void *)&t;
	t.left = t.right = slopes;
	t.left_x = t.right_x = weights;
	t.weighted = weighted;
	CHECK(went_through(&t) && b.diagnostics.count == 0);
	convert_clear(&b);
	t.rules = ANIM_RULES_UNITY;
	t.pre = ANIM_EXTRAPOLATION_LOOP;
	t.flags = ANIM_DEGREES;
	t.property = "euler";
	CHECK(went_through(&t));
	convert_clear(&b);
	t.rules = ANIM_RULES_PLAIN;
	CHECK(went_through(&t));
	convert_clear(&b);
	t.pre = ANIM_EXTRAPOLATION_NONE;
	CHECK(!went_through(&t));
	convert_clear(&b);
}

TEST(to_unity_cubic, "Godot's cubics of both versions become Hermite keys without loss")
{
	const float values[9] = {1, 2, 3, -4, 5, 6, 7, -8, 9};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_CUBIC_TIME, ANIM_FLOAT3, values);

	for (int round = 0; round < 2; round++) {
		CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0);
		CHECK(b.capture.tracks[0].interp == ANIM_HERMITE && convert_compare(&b, &t, 0, 1000) < 1e-5);
		CHECK(memcmp(values_of(0), values, sizeof values) == 0);
		convert_clear(&b);
		t.rules = ANIM_RULES_GODOT3;
		t.interp = ANIM_CUBIC_UNIFORM;
	}
}

TEST(to_unity_rotations, "arcs get keys where lanes would leave them; Resonite's rotations and small turns stay")
{
	const float wide[12] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f, 0, 0, 0, -1};
	const float small[12] = {0, 0, 0, 1, 0, 0, 0.08715574f, 0.9961947f, 0, 0, 0, 1};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_FLOATQ, wide);

	CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].interp == ANIM_LINEAR && convert_tells(&b, "approximated"));
	CHECK(b.capture.tracks[0].n > 6 && b.capture.tracks[0].n < 40 && convert_compare(&b, &t, 0, 999) <= 0.01);
	for (size_t k = 1; k < b.capture.tracks[0].n; k++)
		CHECK(anim_quat_dot(values_of(0) + 4 * k - 4, values_of(0) + 4 * k) > 0);
	convert_clear(&b);
	t.record = (const struct anim_record *)(const void *)&t;
	t.rules = ANIM_RULES_RESONITE;
	CHECK(went_through(&t));
	convert_clear(&b);
	t.rules = ANIM_RULES_GODOT4;
	t.value = small;
	CHECK(went_through(&t));
	convert_clear(&b);
}

TEST(to_unity_whole, "switches and whole numbers become steps of floats, and what a float cannot hold is told")
{
	const int32_t whole[3] = {3, -7, 16777217};
	const uint8_t on[3] = {0, 1, 0}, color[12] = {0, 51, 255, 255, 255, 0, 0, 255};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_HOLD, ANIM_BOOL, on);
	static const float want[3] = {0, 1, 0};

	t.kind = ANIM_DISCRETE;
	t.property = "visible";
	CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].kind == ANIM_DISCRETE && b.diagnostics.count == 0);
	CHECK(b.capture.tracks[0].type == ANIM_FLOAT && memcmp(values_of(0), want, sizeof want) == 0);
	convert_clear(&b);
	t.type = ANIM_INT;
	t.value = whole;
	CHECK(run(&unity, &t) == 1 && values_of(0)[1] == -7 && convert_tells(&b, "too large for floats"));
	convert_clear(&b);
	t.n = 2;
	t.kind = ANIM_CURVE;
	t.interp = ANIM_LINEAR;
	CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].kind == ANIM_DISCRETE && b.capture.tracks[0].n == 12);
	CHECK(b.diagnostics.count == 0);
	convert_clear(&b);
	t.type = ANIM_COLOR32;
	t.value = color;
	t.kind = ANIM_DISCRETE;
	t.interp = ANIM_HOLD;
	CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].type == ANIM_COLOR && values_of(0)[1] == 0.2f);
	convert_clear(&b);
}

TEST(to_unity_samples, "samples become Linear keys, those of switches steps; doubles become floats")
{
	const double values[3] = {0.1, 0.7, 0.3};
	const uint8_t on[3] = {0, 1, 1};
	struct anim_track t = curve(ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_DOUBLE, values);

	t.kind = ANIM_RAW;
	t.time = NULL;
	t.rate_num = 2;
	t.rate_den = 1;
	CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].kind == ANIM_CURVE && values_of(0)[1] == 0.7f);
	CHECK(b.capture.tracks[0].interp == ANIM_LINEAR && b.capture.tracks[0].time[1] == 0.5f);
	convert_clear(&b);
	t.type = ANIM_BOOL;
	t.value = on;
	CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].kind == ANIM_DISCRETE && values_of(0)[1] == 1);
	convert_clear(&b);
}

TEST(to_unity_eased, "eased keys and angles by the shortest way become Hermite keys within the tolerance")
{
	const float values[3] = {1, 4, -2}, ease[3] = {-2.5f, 0.4f, 1}, angles[3] = {0.1f, 6, 2};
	struct anim_caps held = unity;
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_FLOAT, values);

	t.ease = ease;
	CHECK(run(&unity, &t) == 1 && anim_track_has_interp(&b.capture.tracks[0], ANIM_HERMITE));
	CHECK(convert_compare(&b, &t, 0, 2000) <= 1.1 * ANIM_TOLERANCE && b.capture.tracks[0].n < 80);
	convert_clear(&b);
	t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR_ANGLE, ANIM_FLOAT, angles);
	t.property = "angle";
	held.angle = true;
	CHECK(run(&held, &t) == 1 && b.capture.tracks[0].n == 3);
	CHECKF(fabs((double)values_of(0)[1] - (6 - 6.283185307)) < 1e-5, "%g", (double)values_of(0)[1]);
	convert_clear(&b);
}

TEST(to_unity_no_ease, "transitions that bend nothing do not reach a target that has none")
{
	const float values[3] = {1, 4, -2}, ease[3] = {2, 2, 2};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_HOLD, ANIM_FLOAT, values);

	t.ease = ease;
	CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].ease == NULL && b.diagnostics.count == 0);
	CHECK(b.capture.tracks[0].n == 3 && b.capture.tracks[0].interp == ANIM_HOLD);
	convert_clear(&b);
}

TEST(to_unity_tangent, "Resonite's Tangent becomes Hermite keys without loss, its steps move to the key")
{
	const float values[9] = {1, 2, 3, -4, 5, 6, 7, -8, 9}, slopes[9] = {3, 2, 1, -4, 1, 1, 2, 0, 5};
	struct anim_track t = curve(ANIM_RULES_RESONITE, ANIM_TANGENT, ANIM_FLOAT3, values);

	t.left = t.right = slopes;
	CHECK(run(&unity, &t) == 1 && b.capture.tracks[0].n == 3);
	/* Which curve a Tangent means is a guess, and told. */
	CHECK(b.diagnostics.count == 1 && strstr(b.diagnostics.items[0].text, "Tangent") != NULL);
	CHECK(b.capture.tracks[0].interp == ANIM_HERMITE && convert_compare(&b, &t, 0, 1000) <= 2e-6);
	convert_clear(&b);
}

/* Curves of handles only, as Godot's Bezier tracks are. */
static struct anim_caps godot(void)
{
	struct anim_caps caps = unity;

	caps.format = "tres";
	caps.interps = 1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_BEZIER_2D;
	caps.rules = ANIM_RULES_GODOT4;
	caps.ends = false;
	return caps;
}

TEST(weights_to_handles, "Unity's weights become Godot's handles without more keys, as far apart as Godot's solver is")
{
	const float values[3] = {0, 1, 0}, slopes[3] = {4, -3, 2}, weights[3] = {0.8f, 0.1f, 0.6f};
	const uint8_t weighted[3] = {2, 2, 1};
	struct anim_track t = curve(ANIM_RULES_UNITY, ANIM_WEIGHTED, ANIM_FLOAT, values), *got = &b.capture.tracks[0];
	struct anim_caps caps = godot();
	const float *out;

	t.left = t.right = slopes;
	t.left_x = t.right_x = weights;
	t.weighted = weighted;
	if (CHECK(run(&caps, &t) == 1 && got->n == 3 && got->interp == ANIM_BEZIER_2D && b.diagnostics.count == 0)) {
		double length = (double)times[1];

		out = got->right;
		CHECK(got->right_x[0] == (float)((double)weights[0] * length));
		CHECK(out[0] == (float)(4 * (double)weights[0] * length));
		CHECK(got->left_x[1] == (float)(-length / 3));
		CHECKF(convert_compare(&b, &t, 0, 3000) <= 2e-6, "off %g", convert_compare(&b, &t, 0, 3000));
	}
	convert_clear(&b);
}

TEST(weights_cut, "a weighted segment that the clip cuts keeps its curve in weights of its own")
{
	const float values[3] = {0, 1, 0}, slopes[3] = {4, -3, 2}, weights[3] = {0.8f, 0.1f, 0.6f};
	const uint8_t weighted[3] = {2, 2, 1};
	struct anim_track t = curve(ANIM_RULES_UNITY, ANIM_WEIGHTED, ANIM_FLOAT, values);
	struct anim_clip clip = sample_clip(0.75, ANIM_LOOP_NONE);
	struct anim_caps caps = unity;

	caps.rules = ANIM_RULES_PLAIN;
	caps.negative_times = false;
	clip.start_s = 0.15f;
	t.left = t.right = slopes;
	t.left_x = t.right_x = weights;
	t.weighted = weighted;
	convert_begin(&b, &caps, &clip);
	convert_add(&b, &t);
	convert_finish(&b);
	CHECK(!b.failed && b.capture.tracks[0].n == 3 && b.capture.tracks[0].interp == ANIM_WEIGHTED);
	CHECKF(b.diagnostics.count == 0 && convert_compare(&b, &t, 0, 3000) <= 1e-6, "off %g",
	       convert_compare(&b, &t, 0, 3000));
	convert_clear(&b);
}

TEST(weights_joined, "lanes with weights that become one track keep them, each end of a segment its own")
{
	const float values[3] = {0, 1, 0}, slopes[3] = {4, -3, 2}, weights[3] = {0.8f, 0.1f, 0.6f};
	const uint8_t weighted[3] = {2, 2, 1};
	struct anim_track t = curve(ANIM_RULES_UNITY, ANIM_WEIGHTED, ANIM_FLOAT, values), *got = &b.capture.tracks[0];
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_caps caps = unity;

	caps.whole_transforms = true;
	t.property = "position";
	t.left = t.right = slopes;
	t.left_x = t.right_x = weights;
	t.weighted = weighted;
	convert_begin(&b, &caps, &clip);
	for (t.component = 0; t.component < 3; t.component++)
		convert_add(&b, &t);
	convert_finish(&b);
	if (CHECK(!b.failed && b.capture.track_count == 1 && got->n == 3 && got->weighted != NULL)) {
		CHECK(memcmp(got->weighted, weighted, sizeof weighted) == 0);
		CHECK(got->left_x[8] == weights[2] && got->right_x[0] == weights[0]);
	}
	convert_clear(&b);
}
