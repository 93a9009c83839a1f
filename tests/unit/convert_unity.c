/* convert_unity.c: what becomes of Unity's curves in other players. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/advice.h"
#include "convert_help.h"
#include "math/quaternion.h"
#include "sample_help.h"
#include "tap.h"

static const float times[3] = {0, 0.4f, 1};
static struct convert_bench b;

static struct anim_track hermite(enum anim_type type, const float *values, const float *left, const float *right)
{
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_HERMITE, type, 3, times, values);

	t.left = left;
	t.right = right;
	return t;
}

static struct anim_clip clip_from(float start, float end)
{
	return (struct anim_clip){.start_s = start, .end_s = end, .name = "c", .root = "", .source = "unity"};
}

static size_t run_in(const struct anim_clip *clip, const struct anim_caps *caps, const struct anim_track *t)
{
	convert_begin(&b, caps, clip);
	convert_add(&b, t);
	convert_finish(&b);
	CHECKF(!b.failed, "%s", b.error.message);
	return b.capture.track_count;
}

static size_t run(const struct anim_caps *caps, const struct anim_track *t)
{
	struct anim_clip clip = clip_from(0, 1);

	return run_in(&clip, caps, t);
}

static const float *values_of(size_t track)
{
	return b.capture.tracks[track].value;
}

static const float vector[9] = {0, 1, 2, 3, -4, 5, 6, 7, 8}, into[9] = {0, 0, 0, 5, -6, 7, 1, 2, 3};
static const float out[9] = {9, -8, 7, 3, 2, 1, 0, 0, 0};

TEST(unity_exact, "Hermite curves become control values without loss")
{
	struct anim_track t = hermite(ANIM_FLOAT3, vector, into, out);
	const float *right, *left;

	if (!CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0))
		return;
	CHECK(b.capture.tracks[0].interp == ANIM_CUBIC_BEZIER && memcmp(values_of(0), vector, sizeof vector) == 0);
	right = b.capture.tracks[0].right;
	left = b.capture.tracks[0].left;
	for (int i = 0; i < 6; i++) {
		double third = ((double)times[i / 3 + 1] - (double)times[i / 3]) / 3;

		CHECK(right[i] == (float)((double)vector[i] + (double)out[i] * third));
		CHECK(left[i + 3] == (float)((double)vector[i + 3] - (double)into[i + 3] * third));
	}
	convert_clear(&b);
}

TEST(unity_direct, "keys converted without playing them are those that playing them finds")
{
	const float bends_nothing[3] = {1, 1, 1}, steps[3] = {INFINITY, -INFINITY, INFINITY};
	float slopes[9] = {0}, played[9];
	struct anim_track t = hermite(ANIM_FLOAT3, vector, into, slopes);

	for (int round = 0; round < 3; round++) {
		memcpy(slopes, out, sizeof slopes);
		if (round > 0)
			memcpy(slopes + 3, steps, sizeof steps);
		t.flags = round == 2 ? ANIM_PERCENT : 0;
		t.ease = bends_nothing;
		CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 3);
		memcpy(played, b.capture.tracks[0].right, sizeof played);
		convert_clear(&b);
		t.ease = NULL;
		CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0);
		CHECK(memcmp(played, b.capture.tracks[0].right, sizeof played) == 0);
		CHECK(anim_track_interp(&b.capture.tracks[0], 0) == ANIM_CUBIC_BEZIER);
		CHECK(anim_track_interp(&b.capture.tracks[0], 1) == (round > 0 ? ANIM_HOLD : ANIM_CUBIC_BEZIER));
		CHECK(values_of(0)[6] == (round == 2 ? 0.06f : 6));
		convert_clear(&b);
	}
}

TEST(unity_cut, "a clip that starts and stops between keys keeps the curve between, without loss")
{
	struct anim_track t = hermite(ANIM_FLOAT3, vector, into, out);
	struct anim_clip clip = clip_from(0.13f, 0.8f);

	CHECK(run_in(&clip, &caps_resonite, &t) == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0);
	CHECK(b.capture.tracks[0].time[0] == 0.13f && b.capture.tracks[0].time[2] == 0.8f);
	CHECKF(convert_compare(&b, &t, 0, 1000) <= 2e-6, "off %g", convert_compare(&b, &t, 0, 1000));
	convert_clear(&b);
}

TEST(unity_step_component, "a lane that an infinite slope holds jumps at the next key, the others stay exact")
{
	float slopes[9] = {0}, steep[9] = {0};
	struct anim_track t = hermite(ANIM_FLOAT3, vector, steep, slopes);

	memcpy(slopes, out, sizeof slopes);
	memcpy(steep, into, sizeof steep);
	slopes[1] = INFINITY;
	steep[3] = 300;
	if (CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 4 && b.diagnostics.count == 0)) {
		CHECK(b.capture.tracks[0].time[1] == nextafterf(0.4f, 0) && values_of(0)[4] == 1);
		CHECK(values_of(0)[3] == 3 && values_of(0)[5] == 5 && values_of(0)[7] == -4);
		/* The key before the jump lies a float's step of time early: 3e-8 s at 300 a second. */
		CHECKF(convert_compare(&b, &t, 0, 1000) <= 1e-5, "off %g", convert_compare(&b, &t, 0, 1000));
	}
	convert_clear(&b);
	steep[3] = 3e6f;
	CHECK(run(&caps_resonite, &t) == 1 && convert_told(&b) > 0 && convert_told(&b) < 0.3);
	CHECKF(convert_compare(&b, &t, 0, 1000) <= convert_told(&b), "off %g, told %g",
	       convert_compare(&b, &t, 0, 1000), convert_told(&b));
	convert_clear(&b);
}

TEST(unity_swing, "rotations stay exact, also where flipped signs make them swing the long way")
{
	const float q[12] = {0, 0, 0, 1, 0, 0, -0.6f, -0.8f, 0, 0, 0.8f, 0.6f}, zero[12] = {0};
	const float slope[12] = {0.1f, 0, 1, 0, 0.3f, 0, 1, -2};
	struct anim_track t = hermite(ANIM_FLOATQ, q, zero, slope);

	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0);
	CHECKF(convert_compare(&b, &t, 0, 1000) <= 1e-4, "off %g", convert_compare(&b, &t, 0, 1000));
	convert_clear(&b);
}

TEST(unity_turned, "where a step turned the signs, the controls behind it turn too")
{
	const float q[12] = {0, 0, 0, 1, 0, 0, -0.6f, -0.8f, 0, 0, -0.8f, -0.6f}, zero[12] = {0};
	const float slope[12] = {INFINITY, INFINITY, INFINITY, INFINITY, 0.3f, 0, -1, 0.5f};
	const float bends_nothing[3] = {1, 1, 1};
	struct anim_track t = hermite(ANIM_FLOATQ, q, zero, slope);
	const float *right;

	t.ease = bends_nothing;
	if (CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0)) {
		right = b.capture.tracks[0].right;
		for (int i = 4; i < 8; i++)
			CHECKF(right[i] == -(float)((double)q[i] + (double)slope[i] * ((1 - (double)times[1]) / 3)),
			       "lane %d: %.9g", i - 4, (double)right[i]);
		CHECK(fabsf(values_of(0)[7] - 0.8f) < 1e-6f);
	}
	convert_clear(&b);
}

TEST(unity_weights, "weighted segments are followed within the tolerance and told; without set bits they are exact")
{
	const float values[3] = {0, 1, 0}, slopes[3] = {4, -3, 2}, weights[3] = {0.8f, 0.1f, 0.6f};
	uint8_t weighted[3] = {2, 0, 0};
	struct anim_track t = hermite(ANIM_FLOAT, values, slopes, slopes);

	t.interp = ANIM_WEIGHTED;
	t.left_x = t.right_x = weights;
	t.weighted = weighted;
	CHECK(run(&caps_resonite, &t) == 1 && convert_tells(&b, "approximated"));
	CHECK(b.capture.tracks[0].n > 3 && b.capture.tracks[0].n < 60);
	CHECK(convert_compare(&b, &t, 0, 2000) <= convert_told(&b) && convert_told(&b) <= 1.001 * ANIM_TOLERANCE);
	convert_clear(&b);
	weighted[0] = 1; /* the left of the first key and the right of the last say nothing */
	weighted[2] = 2;
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0);
	convert_clear(&b);
}

TEST(unity_repeats, "infinity modes become keys inside the clip without loss")
{
	struct anim_track t = hermite(ANIM_FLOAT3, vector, into, out);
	struct anim_clip clip = clip_from(-0.7f, 2.3f);

	t.pre = ANIM_EXTRAPOLATION_PINGPONG;
	t.post = ANIM_EXTRAPOLATION_LOOP;
	for (int round = 0; round < 2; round++) {
		t.rules = round == 0 ? ANIM_RULES_UNITY : ANIM_RULES_PLAIN;
		CHECK(run_in(&clip, &caps_resonite, &t) == 1 && b.diagnostics.count == 0);
		CHECKF(convert_compare(&b, &t, 0, 1000) <= 2e-5, "off %g", convert_compare(&b, &t, 0, 1000));
		CHECK(b.capture.tracks[0].n < 16 && b.capture.tracks[0].pre == ANIM_EXTRAPOLATION_HOLD);
		convert_clear(&b);
	}
}

TEST(unity_visible, "visible becomes a switch that is on from 0.5 up, at the keys of steps and where a curve crosses")
{
	const float values[3] = {0, 1, 0.4f}, steps[3] = {INFINITY, INFINITY, INFINITY}, zero[3] = {0};
	struct anim_track t = hermite(ANIM_FLOAT, values, steps, steps);
	const uint8_t *on;

	t.property = "visible";
	if (CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0)) {
		on = b.capture.tracks[0].value;
		CHECK(b.capture.tracks[0].kind == ANIM_DISCRETE && b.capture.tracks[0].type == ANIM_BOOL);
		CHECK(b.capture.tracks[0].time[1] == 0.4f && !on[0] && on[1] && !on[2]);
	}
	convert_clear(&b);
	t.kind = ANIM_DISCRETE;
	t.interp = ANIM_HOLD;
	t.left = t.right = NULL;
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].type == ANIM_BOOL && b.capture.tracks[0].n == 3);
	convert_clear(&b);
	t = hermite(ANIM_FLOAT, values, zero, zero);
	t.property = "visible";
	if (CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n >= 3)) {
		const struct anim_track *got = &b.capture.tracks[0];

		for (size_t k = 1; k < got->n; k++) {
			double at = (double)got->time[k];

			on = got->value;
			CHECK(at == (double)0.4f || at == 1 || on[k] != on[k - 1]);
			CHECK((sample_float(&b.clip, &t, at) >= 0.5f) == on[k]);
		}
		CHECKF(fabs((double)got->time[1] - 0.2) < 1e-4, "%g", (double)got->time[1]);
	}
	convert_clear(&b);
}

TEST(unity_percent, "percent of Hermite curves become fractions without loss")
{
	const float values[3] = {0, 100, 35}, slopes[3] = {90, 0, -30};
	struct anim_track t = hermite(ANIM_FLOAT, values, slopes, slopes);
	const float *right;

	t.property = "blend_shape/Smile";
	t.flags = ANIM_PERCENT;
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0);
	right = b.capture.tracks[0].right;
	CHECK(b.capture.tracks[0].flags == 0 && values_of(0)[1] == 1 && values_of(0)[2] == 0.35f);
	CHECK(right != NULL && fabs((double)right[0] - 0.9 * 0.4 / 3) < 1e-8);
	convert_clear(&b);
}

/* Hermite components of a property on one node, each with its own keys. */
static size_t run_components(const char *property, unsigned count, const struct anim_attr *attrs)
{
	static float component_times[4][3];
	static const float values[3] = {0.2f, 0.9f, 0.3f}, slopes[3] = {1, -1, 2};
	struct anim_clip clip = clip_from(0, 1);

	convert_begin(&b, &caps_resonite, &clip);
	for (unsigned i = 0; i < count; i++) {
		struct anim_track t = hermite(ANIM_FLOAT, values, slopes, slopes);

		memcpy(component_times[i % 4], times, sizeof times);
		component_times[i % 4][1] += 0.1f * (float)(i % 4);
		t.time = component_times[i % 4];
		t.property = property;
		t.component = (uint8_t)(i % 4);
		t.attrs = (struct anim_attrs){attrs + 2 * (i / 4), attrs != NULL ? 2 : 0};
		convert_add(&b, &t);
	}
	convert_finish(&b);
	CHECKF(!b.failed, "%s", b.error.message);
	return b.capture.track_count;
}

static void check_components(const char *property, unsigned count, enum anim_type type)
{
	CHECK(run_components(property, count, NULL) == 1 && b.diagnostics.count == 0);
	CHECKF(b.capture.tracks[0].type == type && b.capture.tracks[0].n == 2 + count, "%s: %s, %zu keys", property,
	       anim_types[b.capture.tracks[0].type].name, b.capture.tracks[0].n);
	convert_clear(&b);
}

TEST(unity_components, "lanes are joined to colours and vectors without loss, whatever keys each has")
{
	check_components("m_Color", 4, ANIM_COLOR);
	check_components("material._Color", 4, ANIM_COLOR);
	check_components("material._MainTex_ST", 4, ANIM_FLOAT4);
	check_components("m_AnchoredPosition", 2, ANIM_FLOAT2);
	check_components("scale", 3, ANIM_FLOAT3);
}

TEST(unity_owners, "lanes of two components of one node make two values")
{
	const struct anim_attr attrs[4] = {{"unity.attribute", "m_Color.r"},
					   {"unity.class", "108"},
					   {"unity.attribute", "m_Color.r"},
					   {"unity.class", "212"}};

	CHECK(run_components("m_Color", 8, attrs) == 2 && b.diagnostics.count == 0);
	for (size_t i = 0; i < b.capture.track_count; i++) {
		CHECK(anim_attrs_get(&b.capture.tracks[i].attrs, "unity.attribute") == NULL);
		CHECK(strcmp(anim_attrs_get(&b.capture.tracks[i].attrs, "unity.class"), attrs[2 * i + 1].value) == 0);
	}
	convert_clear(&b);
}

TEST(unity_rotation_components, "lanes of a rotation become rotations of length 1")
{
	CHECK(run_components("rotation", 4, NULL) == 1 && b.capture.tracks[0].type == ANIM_FLOATQ);
	for (size_t k = 0; k < b.capture.tracks[0].n; k++)
		CHECK(fabsf(anim_quat_dot(values_of(0) + 4 * k, values_of(0) + 4 * k) - 1) < 1e-6f);
	convert_clear(&b);
}

TEST(unity_euler_order, "Euler curves become rotations in their order")
{
	const float values[9] = {0, 0, 0, 30, 60, 80, 10, 200, -50}, zero[9] = {0};
	struct anim_track t = hermite(ANIM_FLOAT3, values, zero, zero);
	const struct anim_attr order = {"order", "XZY"};
	double worst = 0;

	t.property = "euler";
	t.flags = ANIM_DEGREES;
	t.attrs = (struct anim_attrs){&order, 1};
	CHECK(run(&caps_resonite, &t) == 1 && convert_tells(&b, "track of Euler angles 'N euler': became quaternions"));
	for (int i = 0; i <= 200; i++) {
		float angles[3], got[4], want[4];

		CHECK(sample_value(&b.clip, &t, i / 200.0, angles));
		CHECK(sample_value(&b.clip, &b.capture.tracks[0], i / 200.0, got));
		for (int k = 0; k < 3; k++)
			angles[k] *= 0.017453292f;
		anim_quat_from_euler(want, angles, ANIM_EULER_XZY);
		worst = fmax(worst, anim_quat_angle(want, got) * 57.29577951308232);
	}
	CHECKF(worst <= 0.01 && worst <= convert_told(&b) + 1e-4, "off %g, told %g", worst, convert_told(&b));
	convert_clear(&b);
}

TEST(unity_humanoid, "muscle curves are counted in one warning for every target but Unity")
{
	static const char *const kinds[4] = {"muscle", "root", "goal", "tdof"};
	const float values[3] = {0, 1, 0}, zero[3] = {0};
	struct anim_clip clip = clip_from(0, 1);
	struct anim_caps caps = caps_resonite;

	for (int round = 0; round < 2; round++) {
		convert_begin(&b, &caps, &clip);
		for (int i = 0; i < 4; i++) {
			const struct anim_attr mark = {"unity.humanoid", kinds[i]};
			struct anim_track t = hermite(ANIM_FLOAT, values, zero, zero);

			t.property = "Spine Front-Back";
			t.attrs = (struct anim_attrs){&mark, 1};
			convert_add(&b, &t);
		}
		convert_finish(&b);
		CHECK(!b.failed && b.capture.track_count == 4 && b.diagnostics.count == (round == 0));
		if (round == 0)
			CHECK(
			    b.diagnostics.items[0].count == 1 &&
			    convert_tells(&b, "muscle curves are not bones and move nothing; " ANIM_ADVICE(TO_MODEL)));
		convert_clear(&b);
		caps.rules = ANIM_RULES_UNITY;
	}
}

TEST(unity_texts, "object references and events stay string tracks; events outside the clip go")
{
	const char *const texts[3] = {"{fileID: 0}", "{fileID: 21300000}", "{}"};
	const struct anim_attr literal = {"literal", "PPtr"};
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_HOLD, ANIM_STRING, 3, times, NULL);
	struct anim_clip clip = clip_from(0.2f, 1);

	t.kind = ANIM_DISCRETE;
	t.property = "m_Sprite";
	t.strings = sample_strings(3, texts);
	t.attrs = (struct anim_attrs){&literal, 1};
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0);
	convert_clear(&b);
	CHECK(run_in(&clip, &caps_resonite, &t) == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0);
	CHECK(b.capture.tracks[0].time[0] == 0.2f && anim_attrs_get(&b.capture.tracks[0].attrs, "literal") != NULL);
	convert_clear(&b);
	t.property = "@event";
	CHECK(run_in(&clip, &caps_resonite, &t) == 1 && b.capture.tracks[0].n == 2);
	convert_clear(&b);
}
