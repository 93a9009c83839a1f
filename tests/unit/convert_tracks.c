/* convert_tracks.c: what becomes of tracks that are no plain curves, and what is said of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "convert_help.h"
#include "math/quaternion.h"
#include "sample_help.h"
#include "tap.h"

static const float two_times[2] = {0, 1};
static struct convert_bench b;

static struct anim_track curve(enum anim_rules rules, enum anim_interp mode, enum anim_type type, const void *values)
{
	return sample_curve(rules, mode, type, 2, two_times, values);
}

/* One track through; the number that came out. */
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

static bool told(const char *part)
{
	return convert_tells(&b, part);
}

TEST(convert_untouched, "a track that fits keeps its record")
{
	const float values[2] = {1, 2};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_FLOAT, values);

	t.record = (const struct anim_record *)(const void *)&t;
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].record == t.record && b.diagnostics.count == 0);
	convert_clear(&b);
}

TEST(convert_hermite, "Hermite slopes become control values a third away, and come back")
{
	const float values[2] = {1, 3}, left[2] = {9, -6}, right[2] = {3, 9};
	struct anim_track t = curve(ANIM_RULES_PLAIN, ANIM_HERMITE, ANIM_FLOAT, values);
	struct anim_caps caps = caps_resonite;
	const float *got;

	t.left = left;
	t.right = right;
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 2 && b.diagnostics.count == 0);
	CHECK(b.capture.tracks[0].interp == ANIM_CUBIC_BEZIER);
	got = b.capture.tracks[0].right;
	CHECKF(got[0] == 2, "%g", (double)got[0]);
	got = b.capture.tracks[0].left;
	CHECKF(got[1] == 5, "%g", (double)got[1]);
	t = b.capture.tracks[0];
	caps.interps = 1u << ANIM_HERMITE;
	caps.rules = ANIM_RULES_PLAIN;
	{
		static struct convert_bench back;
		struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);

		convert_begin(&back, &caps, &clip);
		convert_add(&back, &t);
		convert_finish(&back);
		CHECK(!back.failed && back.capture.track_count == 1);
		CHECK(((const float *)back.capture.tracks[0].right)[0] == 3);
		CHECK(((const float *)back.capture.tracks[0].left)[1] == -6);
		convert_clear(&back);
	}
	convert_clear(&b);
}

TEST(convert_steps_of_slopes, "an infinite slope holds, and so does transition 0")
{
	const float values[2] = {1, 3}, left[2] = {0, 0}, right[2] = {INFINITY, 0}, ease[2] = {0, 1};
	struct anim_track t = curve(ANIM_RULES_PLAIN, ANIM_HERMITE, ANIM_FLOAT, values);

	t.left = left;
	t.right = right;
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 2 && b.diagnostics.count == 0);
	CHECK(b.capture.tracks[0].interp == ANIM_HOLD && values_of(0)[1] == 3);
	convert_clear(&b);
	t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_FLOAT, values);
	t.ease = ease;
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 2 && b.diagnostics.count == 0);
	CHECK(b.capture.tracks[0].interp == ANIM_HOLD);
	convert_clear(&b);
}

TEST(convert_cubic_exact, "Godot's cubics of numbers and vectors are cubics of the target without loss")
{
	const float times[4] = {0, 0.2f, 0.7f, 1}, values[12] = {1, 2, 3, -4, 5, 6, 7, -8, 9, 0, 1, 2};
	struct anim_track t = sample_curve(ANIM_RULES_GODOT4, ANIM_CUBIC_TIME, ANIM_FLOAT3, 4, times, values);

	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 4 && b.diagnostics.count == 0);
	CHECK(memcmp(values_of(0), values, sizeof values) == 0);
	CHECK(b.capture.tracks[0].interp == ANIM_CUBIC_BEZIER);
	CHECK(convert_compare(&b, &t, 0, 1000) < 1e-5);
	convert_clear(&b);
}

TEST(convert_strict, "strict refuses at the first curve whose error is not tolerated")
{
	const float values[2] = {0, 1}, ease[2] = {3, 1};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_FLOAT, values);
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_caps caps = caps_resonite;

	t.ease = ease;
	caps.interps = 1u << ANIM_LINEAR;
	b.strict = true;
	convert_begin(&b, &caps, &clip);
	b.diagnostics.units = 1e-12;
	convert_add(&b, &t);
	CHECK(b.failed && b.error.code == ANIM_STRICT && strstr(b.error.message, "'N p'") != NULL);
	convert_finish(&b);
	convert_clear(&b);
	b.strict = false;
}

TEST(convert_angle_modes, "angles by the shortest way become keys that need no turn of their own")
{
	const float values[2] = {0.1f, 6.2f};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR_ANGLE, ANIM_FLOAT, values);
	struct anim_caps caps = caps_resonite;

	t.property = "angle";
	caps.angle = true;
	CHECK(run(&caps, &t) == 1 && b.capture.tracks[0].n == 2);
	CHECKF(fabs((double)values_of(0)[1] - (6.2 - 6.283185307)) < 1e-5, "%g", (double)values_of(0)[1]);
	convert_clear(&b);
}

TEST(convert_wrapped_number, "a number that is no angle but blends like one has the wrapped values that are seen")
{
	const float values[2] = {0.1f, 6.2f};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR_ANGLE, ANIM_FLOAT, values);

	t.property = "blend_shape/Smile";
	CHECK(run(&caps_resonite, &t) == 1);
	CHECK(convert_compare(&b, &t, 0, 500) <= 1.1 * ANIM_TOLERANCE);
	convert_clear(&b);
}

TEST(convert_euler, "Euler curves become rotations within the tolerance, and the error is told")
{
	const float values[6] = {0, 0, 0, 60, 90, 45};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_FLOAT3, values);
	float want[4], got[4], angles[3];
	double q[4], radians[3], worst = 0;

	t.property = "euler";
	t.flags = ANIM_DEGREES;
	CHECK(run(&caps_resonite, &t) == 1 && strcmp(b.capture.tracks[0].property, "rotation") == 0);
	CHECK(b.capture.tracks[0].type == ANIM_FLOATQ && b.capture.tracks[0].flags == 0);
	CHECK(told("track of Euler angles 'N euler': became quaternions"));
	for (int i = 0; i <= 100; i++) {
		double at = i / 100.0;

		CHECK(sample_value(&b.clip, &t, at, angles) && sample_value(&b.clip, &b.capture.tracks[0], at, got));
		for (int k = 0; k < 3; k++)
			radians[k] = (double)angles[k] * 0.017453292519943295;
		anim_quat_from_euler_double(q, radians, ANIM_EULER_YXZ);
		for (int k = 0; k < 4; k++)
			want[k] = (float)q[k];
		worst = fmax(worst, anim_quat_angle(want, got) * 57.29577951308232);
	}
	CHECKF(worst <= convert_told(&b) && convert_told(&b) <= 0.01, "off %g, told %g", worst, convert_told(&b));
	convert_clear(&b);
}

TEST(convert_wide_turns, "Linear rotations get keys where the target's blend would leave the arc, and stay where not")
{
	const float wide[8] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
	const float small[8] = {0, 0, 0, 1, 0, 0, 0.08715574f, 0.9961947f};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_FLOATQ, wide);

	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].interp == ANIM_LINEAR);
	CHECK(b.capture.tracks[0].n > 3 && b.capture.tracks[0].n < 20 && told("approximated"));
	CHECK(convert_compare(&b, &t, 0, 500) <= 0.01);
	convert_clear(&b);
	t.value = small;
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 2 && b.diagnostics.count == 0);
	CHECK(convert_compare(&b, &t, 0, 500) <= 0.01);
	convert_clear(&b);
}

/* The second key is on the other side, the third on the first one's. */
static const float flipped[] = {0, 0, 0, 1, 0, 0, -0.6f, -0.8f, 0, 0, 0.8f, 0.6f};
static const float three_times[] = {0, 0.5f, 1};

TEST(convert_signs, "samples of rotations get signs that agree; steps, and what came from Resonite, keep their own")
{
	static const float agreed[] = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f, 0, 0, 0.8f, 0.6f};
	struct anim_track t = sample_curve(ANIM_RULES_PLAIN, ANIM_HOLD, ANIM_FLOATQ, 3, three_times, flipped);

	t.kind = ANIM_DISCRETE;
	CHECK(run(&caps_resonite, &t) == 1 && memcmp(values_of(0), flipped, sizeof flipped) == 0);
	convert_clear(&b);
	t.kind = ANIM_RAW;
	t.interp = ANIM_LINEAR;
	t.time = NULL;
	t.step_s = 0.5;
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].kind == ANIM_RAW && b.diagnostics.count == 0);
	CHECK(memcmp(values_of(0), agreed, sizeof agreed) == 0);
	convert_clear(&b);
	t.rules = ANIM_RULES_RESONITE;
	CHECK(run(&caps_resonite, &t) == 1 && memcmp(values_of(0), flipped, sizeof flipped) == 0);
	convert_clear(&b);
}

TEST(convert_long_way, "Resonite's rotations that go the long way do so still, beside keys that had to change")
{
	static const uint8_t modes[] = {ANIM_LINEAR, ANIM_TANGENT, ANIM_TANGENT};
	static const float still[12];
	struct anim_track t =
	    sample_curve(ANIM_RULES_RESONITE, ANIM_INTERP_COLUMN, ANIM_FLOATQ, 3, three_times, flipped);

	t.interps = modes;
	t.left = t.right = still;
	CHECK(run(&caps_resonite, &t) == 1 && !anim_track_has_interp(&b.capture.tracks[0], ANIM_TANGENT));
	CHECK(convert_compare(&b, &t, 0, 500) <= 0.01);
	convert_clear(&b);
	t.interp = ANIM_LINEAR;
	t.interps = NULL;
	t.left = t.right = NULL;
	CHECK(run(&caps_resonite, &t) == 1 && memcmp(values_of(0), flipped, sizeof flipped) == 0);
	convert_clear(&b);
}

TEST(convert_percent, "percent become fractions of the same keys")
{
	const float values[2] = {0, 35};
	struct anim_track t = curve(ANIM_RULES_UNITY, ANIM_LINEAR, ANIM_FLOAT, values);

	t.flags = ANIM_PERCENT;
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 2 && b.diagnostics.count == 0);
	CHECK(values_of(0)[1] == 0.35f && b.capture.tracks[0].interp == ANIM_LINEAR);
	convert_clear(&b);
}

TEST(convert_whole_numbers, "cubics of whole numbers become the steps that they take")
{
	const int32_t values[2] = {0, 3};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_CUBIC_TIME, ANIM_INT, values);
	int32_t a, c;

	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].kind == ANIM_DISCRETE);
	CHECKF(b.capture.tracks[0].n == 4 || b.capture.tracks[0].n == 5, "%zu keys", b.capture.tracks[0].n);
	for (int i = 0; i <= 100; i++) {
		double at = 0.0012 + i / 101.0;

		CHECK(sample_value(&b.clip, &t, at, &a) && sample_value(&b.clip, &b.capture.tracks[0], at, &c) &&
		      a == c);
	}
	convert_clear(&b);
}

TEST(convert_raw_euler, "samples of Euler angles stay samples")
{
	const float values[6] = {0, 0, 0, 90, 90, 0};
	struct anim_track t = curve(ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_FLOAT3, values);

	t.kind = ANIM_RAW;
	t.time = NULL;
	t.rate_num = t.rate_den = 1;
	t.property = "euler";
	t.flags = ANIM_DEGREES;
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].kind == ANIM_RAW && b.capture.tracks[0].n == 2);
	CHECK(fabs((double)values_of(0)[4] - 0.5) < 1e-6 && told("became quaternions"));
	convert_clear(&b);
}

TEST(convert_raw_keys, "a target without samples gets them as Linear keys")
{
	const float values[2] = {1, 2};
	struct anim_track t = curve(ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_FLOAT, values);
	struct anim_caps caps = caps_resonite;

	caps.kinds = 1u << ANIM_CURVE | 1u << ANIM_DISCRETE;
	t.kind = ANIM_RAW;
	t.time = NULL;
	t.rate_num = 4;
	t.rate_den = 1;
	CHECK(run(&caps, &t) == 1 && b.capture.tracks[0].kind == ANIM_CURVE && b.capture.tracks[0].n == 2);
	CHECK(b.capture.tracks[0].time[1] == 0.25f && values_of(0)[1] == 2);
	convert_clear(&b);
}

TEST(convert_transform, "a transform is split into position, rotation and scale; another matrix is left out")
{
	const float values[32] = {2, 0, 0, 5, 0, 2, 0, 6, 0, 0, 2, 7, 0, 0, 0, 1,
				  2, 0, 0, 8, 0, 2, 0, 6, 0, 0, 2, 7, 0, 0, 0, 1};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_FLOAT4X4, values);

	t.property = "transform";
	if (CHECK(run(&caps_resonite, &t) == 3)) {
		CHECK(strcmp(b.capture.tracks[0].property, "position") == 0 && values_of(0)[3] == 8);
		CHECK(strcmp(b.capture.tracks[1].property, "rotation") == 0 && values_of(1)[3] == 1);
		CHECK(strcmp(b.capture.tracks[2].property, "scale") == 0 && fabsf(values_of(2)[0] - 2) < 1e-6f);
	}
	convert_clear(&b);
	t.property = "custom";
	CHECK(run(&caps_resonite, &t) == 0 && told("because animj does not support the type"));
	convert_clear(&b);
}

TEST(convert_disabled, "disabled tracks are left out and told; keys out of order are sorted and told")
{
	const float values[2] = {1, 2}, times[2] = {1, 0};
	struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_FLOAT, values);

	t.flags = ANIM_DISABLED;
	CHECK(run(&caps_resonite, &t) == 0 && told("disabled; left out"));
	convert_clear(&b);
	t.flags = ANIM_UNSORTED;
	t.time = times;
	CHECK(run(&caps_resonite, &t) == 1 && values_of(0)[0] == 2 && b.capture.tracks[0].time[1] == 1);
	CHECK(told("out of order"));
	convert_clear(&b);
}

/* Components of position with a tree of one node N, or none. */
static size_t run_components(unsigned count, bool tree)
{
	static const float values[3][2] = {{1, 2}, {3, 4}, {5, 6}};
	const struct anim_tree head = {.root_name = "R", .source_file = ""};
	const struct anim_node node = {.parent = ANIM_NO_PARENT,
				       .has = ANIM_HAS_POSITION,
				       .position = {7, 8, 9},
				       .rotation = {0, 0, 0, 1},
				       .scale = {1, 1, 1},
				       .path = "N",
				       .type = ""};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);

	convert_begin(&b, &caps_resonite, &clip);
	if (tree)
		CHECK(anim_sink_tree(b.filter, &head, NULL) == 0 && anim_sink_node(b.filter, &node, NULL) == 0);
	for (unsigned i = 0; i < count; i++) {
		struct anim_track t = curve(ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_FLOAT, values[i]);

		t.property = "position";
		t.component = (uint8_t)i;
		convert_add(&b, &t);
	}
	convert_finish(&b);
	CHECKF(!b.failed, "%s", b.error.message);
	return b.capture.track_count;
}

TEST(convert_join, "lanes are joined; those without track have their rest, without a rest all is left out")
{
	const float whole[6] = {1, 3, 5, 2, 4, 6}, rest[6] = {1, 3, 9, 2, 4, 9};

	CHECK(run_components(3, false) == 1 && b.diagnostics.count == 0);
	CHECK(b.capture.tracks[0].type == ANIM_FLOAT3 && b.capture.tracks[0].component == ANIM_WHOLE);
	CHECK(b.capture.tracks[0].n == 2 && memcmp(values_of(0), whole, sizeof whole) == 0);
	convert_clear(&b);
	CHECK(run_components(2, true) == 1 && told("joined with values of the rest pose"));
	CHECK(b.capture.tracks[0].n == 2 && memcmp(values_of(0), rest, sizeof rest) == 0);
	convert_clear(&b);
	CHECK(run_components(2, false) == 0 && told("neither a track nor a rest value"));
	convert_clear(&b);
}

TEST(convert_rest_relative, "what is relative to the rest becomes absolute where the tree has it")
{
	const float values[6] = {1, 0, 0, 2, 0, 0};
	const struct anim_tree head = {.root_name = "R", .source_file = ""};
	const struct anim_node node = {.parent = ANIM_NO_PARENT,
				       .has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION,
				       .position = {10, 0, 0},
				       .rotation = {0, 0, 1, 0},
				       .scale = {1, 1, 1},
				       .path = "N",
				       .type = ""};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_track t = curve(ANIM_RULES_GODOT3, ANIM_LINEAR, ANIM_FLOAT3, values);

	t.property = "position";
	t.flags = ANIM_REST_RELATIVE;
	convert_begin(&b, &caps_resonite, &clip);
	CHECK(anim_sink_tree(b.filter, &head, NULL) == 0 && anim_sink_node(b.filter, &node, NULL) == 0);
	convert_add(&b, &t);
	convert_finish(&b);
	if (CHECK(b.capture.track_count == 1)) {
		CHECKF(values_of(0)[0] == 9 && values_of(0)[3] == 8, "%g", (double)values_of(0)[0]);
		CHECK(b.capture.tracks[0].flags == 0 && b.diagnostics.count == 0);
	}
	convert_clear(&b);
	CHECK(run(&caps_resonite, &t) == 1 && told("still relative, because the rest pose of the node is unknown"));
	CHECK(values_of(0)[0] == 1);
	convert_clear(&b);
}

TEST(convert_events, "events outside the clip go, texts that blend are held")
{
	const char *const texts[2] = {"{}", "[]"};
	const float times[2] = {0.5f, 2};
	struct anim_track t = sample_curve(ANIM_RULES_GODOT4, ANIM_HOLD, ANIM_STRING, 2, times, NULL);

	t.kind = ANIM_DISCRETE;
	t.property = "@method";
	t.strings = sample_strings(2, texts);
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 1);
	convert_clear(&b);
	t.kind = ANIM_CURVE;
	t.interp = ANIM_LINEAR;
	t.time = two_times;
	t.property = "text";
	CHECK(run(&caps_resonite, &t) == 1 && b.capture.tracks[0].n == 2 && told("each text is held, because"));
	CHECK(b.capture.tracks[0].kind == ANIM_DISCRETE);
	convert_clear(&b);
}

TEST(convert_no_numbers, "values that are no numbers end in finite time and are told")
{
	const float values[2] = {1, NAN};
	struct anim_track t = curve(ANIM_RULES_PLAIN, ANIM_CUBIC_TIME, ANIM_FLOAT, values);

	CHECK(run(&caps_resonite, &t) == 1 && told("values that are not finite"));
	convert_clear(&b);
}

TEST(convert_before_first, "before Godot 3's first key stands the rest, else the first value, and it is told")
{
	const float values[6] = {1, 2, 3, 4, 5, 6}, times[2] = {0.5f, 1};
	const struct anim_tree head = {.root_name = "R", .source_file = ""};
	const struct anim_node node = {.parent = ANIM_NO_PARENT,
				       .has = ANIM_HAS_POSITION,
				       .position = {7, 8, 9},
				       .rotation = {0, 0, 0, 1},
				       .scale = {1, 1, 1},
				       .path = "N",
				       .type = ""};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_track t = sample_curve(ANIM_RULES_GODOT3, ANIM_LINEAR, ANIM_FLOAT3, 2, times, values);
	float got[3];

	t.property = "position";
	convert_begin(&b, &caps_resonite, &clip);
	CHECK(anim_sink_tree(b.filter, &head, NULL) == 0 && anim_sink_node(b.filter, &node, NULL) == 0);
	convert_add(&b, &t);
	convert_finish(&b);
	CHECK(b.capture.track_count == 1 && told("no value in parts of the clip"));
	CHECK(sample_value(&clip, &b.capture.tracks[0], 0.4, got) && got[0] == 7 && got[2] == 9);
	CHECK(sample_value(&clip, &b.capture.tracks[0], 0.75, got) && got[0] == 2.5f);
	convert_clear(&b);
	CHECK(run(&caps_resonite, &t) == 1 && told("no value in parts of the clip"));
	CHECK(sample_value(&clip, &b.capture.tracks[0], 0.4, got) && got[0] == 1);
	convert_clear(&b);
}
