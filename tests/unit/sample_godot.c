/* sample_godot.c: what Godot's players do at the edges of rows, and what its versions do differently. */
#include "tap.h"

#include <math.h>
#include <string.h>

#include "sample_help.h"

static const float seconds[3] = {0.25f, 0.5f, 0.75f};
static const float numbers[3] = {1, 2, 4};

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-5;
}

static struct anim_track curve(enum anim_rules rules, enum anim_interp interp)
{
	struct anim_track track = sample_curve(rules, interp, ANIM_FLOAT, 3, seconds, numbers);

	track.flags = ANIM_LOOP_WRAP_KEYS;
	return track;
}

TEST(before_the_first, "before the first key Godot 4 shows the first value, Godot 3 nothing unless the clip loops")
{
	struct anim_clip once = sample_clip(1, ANIM_LOOP_NONE), loop = sample_clip(1, ANIM_LOOP_WRAP);
	struct anim_track track = curve(ANIM_RULES_GODOT4, ANIM_LINEAR);

	CHECK(sample_float(&once, &track, 0) == 1 && sample_float(&once, &track, 1) == 4);
	track.rules = ANIM_RULES_GODOT3;
	CHECK(isnan(sample_float(&once, &track, 0)) && sample_float(&once, &track, 0.3) > 1);
	track.flags = 0;
	CHECK(sample_float(&loop, &track, 0) == 1);
}

TEST(wrap, "a looping track goes on from its last key to its first over the clip's end")
{
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_WRAP);

	for (int rules = ANIM_RULES_GODOT4; rules <= ANIM_RULES_GODOT3; rules++) {
		struct anim_track track = curve((enum anim_rules)rules, ANIM_LINEAR);

		CHECK(near(sample_float(&clip, &track, 0), 2.5) && near(sample_float(&clip, &track, 0.875), 3.25));
		CHECK(near(sample_float(&clip, &track, 0.125), 1.75));
		track.flags = 0;
		CHECK(sample_float(&clip, &track, 0.875) == 4);
	}
}

TEST(pingpong, "a clip that goes back and forth turns at its ends with the last key's value")
{
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_PINGPONG);
	struct anim_track track = curve(ANIM_RULES_GODOT4, ANIM_LINEAR);

	CHECK(sample_float(&clip, &track, 0.1) == 1 && sample_float(&clip, &track, 0.9) == 4);
}

TEST(beyond_the_end, "keys behind the clip's end do not exist, not even as something to go to")
{
	struct anim_clip clip = sample_clip(0.6, ANIM_LOOP_NONE), early = sample_clip(0.1, ANIM_LOOP_NONE);

	for (int rules = ANIM_RULES_GODOT4; rules <= ANIM_RULES_GODOT3; rules++) {
		struct anim_track track = curve((enum anim_rules)rules, ANIM_LINEAR);

		CHECK(sample_float(&clip, &track, 0.6) == 2);
		CHECK(isnan(sample_float(&early, &track, 0.05)));
	}
}

TEST(tolerance, "a time a hair before a key is at it")
{
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_track track = curve(ANIM_RULES_GODOT4, ANIM_HOLD);

	CHECK(sample_float(&clip, &track, 0.5 - 9e-6) == 2 && sample_float(&clip, &track, 0.5 - 2e-5) == 1);
	track.rules = ANIM_RULES_GODOT3;
	CHECK(sample_float(&clip, &track, 0.5 - 9e-6) == 2 && sample_float(&clip, &track, 0.5 - 2e-5) == 1);
	track.rules = ANIM_RULES_PLAIN;
	CHECK(sample_float(&clip, &track, 0.5 - 9e-6) == 1);
}

TEST(crowded, "of two keys within the tolerance the one that the engine's bisection meets first counts")
{
	static const float time[4] = {0, 0.5f, 0.500004f, 1}, value[4] = {1, 2, 4, 8};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);

	for (int mode = ANIM_HOLD; mode <= ANIM_LINEAR; mode++) {
		struct anim_track track =
		    sample_curve(ANIM_RULES_GODOT4, (enum anim_interp)mode, ANIM_FLOAT, 4, time, value);

		CHECK(sample_float(&clip, &track, 0.500003) == 2 && sample_float(&clip, &track, 0.499995) == 2);
		CHECK(sample_float(&clip, &track, 0.500013) >= 4);
	}
}

TEST(overshoot, "a cubic of integers that leaves their range stays at its end")
{
	static const float time[4] = {0, 1, 2, 3};
	static const int32_t low[4] = {0, INT32_MIN, INT32_MIN, 0}, high[4] = {0, INT32_MAX, INT32_MAX, 0};
	struct anim_clip clip = sample_clip(3, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_GODOT4, ANIM_CUBIC_TIME, ANIM_INT, 4, time, low);
	int32_t number = 0;

	CHECK(sample_value(&clip, &track, 1.5, &number) && number == INT32_MIN);
	track.value = high;
	CHECK(sample_value(&clip, &track, 1.5, &number) && number == INT32_MAX);
}

TEST(transitions, "a transition bends its segment, 0 holds it")
{
	static const float ease[3] = {2, 0, 1};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);

	for (int rules = ANIM_RULES_GODOT4; rules <= ANIM_RULES_GODOT3; rules++) {
		struct anim_track track = curve((enum anim_rules)rules, ANIM_LINEAR);

		track.ease = ease;
		CHECK(near(sample_float(&clip, &track, 0.375), 1.25) && sample_float(&clip, &track, 0.7) == 2);
	}
}

TEST(angles, "angles go the short way and come out between 0 and a turn")
{
	static const float time[2] = {0, 1}, turns[2] = {6, 0.2f};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_GODOT4, ANIM_LINEAR_ANGLE, ANIM_FLOAT, 2, time, turns);

	CHECK(near(sample_float(&clip, &track, 0.5), 6.2415927) && near(sample_float(&clip, &track, 0.75), 0.0792037));
}

TEST(cubic_versions, "4.2 blends colours and integers straight where 4.3 curves them")
{
	static const float time[4] = {0, 1, 2, 3}, colors[16] = {0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1};
	static const int64_t whole[4] = {0, 0, 100, 0};
	static const struct anim_attr version = {"godot.version", "4.2.2"};
	struct anim_clip clip = sample_clip(3, ANIM_LOOP_NONE), old = clip;
	struct anim_track track = sample_curve(ANIM_RULES_GODOT4, ANIM_CUBIC_TIME, ANIM_COLOR, 4, time, colors);
	int64_t number = 0;
	float color[4];

	old.attrs = (struct anim_attrs){&version, 1};
	CHECK(sample_value(&clip, &track, 1.5, color) && near(color[0], 0.5625));
	CHECK(sample_value(&old, &track, 1.5, color) && near(color[0], 0.5));
	track.type = ANIM_LONG;
	track.value = whole;
	CHECK(sample_value(&clip, &track, 1.5, &number) && number == 56);
	CHECK(sample_value(&old, &track, 1.5, &number) && number == 50);
}

TEST(uniform_cubic, "Godot 3's cubic ignores the times of its neighbours and knows only some types")
{
	static const float time[4] = {0, 1, 2, 9}, values[4] = {0, 0, 1, 0};
	static const float colors[16] = {0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1};
	struct anim_clip clip = sample_clip(9, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_GODOT3, ANIM_CUBIC_UNIFORM, ANIM_FLOAT, 4, time, values);
	float color[4];

	CHECK(near(sample_float(&clip, &track, 1.5), 0.5625) && sample_float(&clip, &track, 9) == 0);
	track.type = ANIM_COLOR;
	track.value = colors;
	CHECK(sample_value(&clip, &track, 1.5, color) && near(color[0], 0.5));
}

TEST(godot3_types, "Godot 3 cuts integers towards zero, keeps bools and planes, and turns bases")
{
	static const float time[2] = {0, 1}, plane[8] = {0, 1, 0, 0, 1, 0, 0, 9};
	static const float bases[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 1, 0, 0, 0, 0, 1};
	static const int64_t whole[2] = {0, -7};
	static const uint8_t truth[2] = {0, 1};
	/* the y axis leans from upright to 45 degrees and on to lie down */
	static const float skewed[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1e-6f, 0, 0, 0, 1};
	static const struct anim_attr variant = {"godot.variant", "Plane"}, flat = {"godot.variant", "Transform2D"};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_GODOT3, ANIM_LINEAR, ANIM_LONG, 2, time, whole);
	int64_t number = 0;
	uint8_t bit = 9;
	float out[9];

	CHECK(sample_value(&clip, &track, 0.7, &number) && number == -4);
	track = sample_curve(ANIM_RULES_GODOT3, ANIM_LINEAR, ANIM_BOOL, 2, time, truth);
	CHECK(sample_value(&clip, &track, 0.9, &bit) && bit == 0);
	track = sample_curve(ANIM_RULES_GODOT3, ANIM_LINEAR, ANIM_FLOAT4, 2, time, plane);
	track.attrs = (struct anim_attrs){&variant, 1};
	CHECK(sample_value(&clip, &track, 0.9, out) && out[1] == 1 && out[3] == 0);
	track = sample_curve(ANIM_RULES_GODOT3, ANIM_LINEAR, ANIM_FLOAT3X3, 2, time, bases);
	CHECK(sample_value(&clip, &track, 0.5, out) && near(out[0], sqrt(0.5)) && near(out[1], -sqrt(0.5)));
	track.value = skewed;
	track.attrs = (struct anim_attrs){&flat, 1};
	CHECK(sample_value(&clip, &track, 0.5, out) && near(out[0], 1) && near(out[1], sqrt(0.5)) && near(out[3], 0) &&
	      near(out[4], sqrt(0.5)));
}

TEST(texts, "Godot 4 blends the letters of strings and names, Godot 3 types them over")
{
	static const float time[2] = {0, 1};
	static const char *const words[2] = {"a", "hello"}, *const names[2] = {"&\"a\\\"\"", "&\"c$\""};
	static const struct anim_attr name = {"literal", "StringName"}, other = {"literal", "NodePath"};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_STRING, 2, time, NULL);

	track.strings = sample_strings(2, words);
	CHECK(strcmp(sample_string(&clip, &track, 0.4), "del") == 0);
	track.attrs = (struct anim_attrs){&other, 1};
	CHECK(strcmp(sample_string(&clip, &track, 0.9), "a") == 0);
	track.attrs = (struct anim_attrs){0};
	track.rules = ANIM_RULES_GODOT3;
	CHECK(strcmp(sample_string(&clip, &track, 0.8), "aell") == 0);
	track.rules = ANIM_RULES_GODOT4;
	track.strings = sample_strings(2, names);
	track.attrs = (struct anim_attrs){&name, 1};
	CHECK(strcmp(sample_string(&clip, &track, 0.5), "&\"b#\"") == 0);
	CHECK(strcmp(sample_string(&clip, &track, 0), "&\"a\\\"\"") == 0);
}

TEST(discrete, "Discrete keys are held, and wrap where the track does")
{
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_WRAP);
	struct anim_track track = curve(ANIM_RULES_GODOT4, ANIM_HOLD);

	track.kind = ANIM_DISCRETE;
	CHECK(sample_float(&clip, &track, 0.1) == 4 && sample_float(&clip, &track, 0.6) == 2);
	clip.loop = ANIM_LOOP_NONE;
	CHECK(sample_float(&clip, &track, 0.1) == 1);
}

TEST(beziers, "Bezier tracks see keys behind the clip's end once two are before it, and wrap nowhere")
{
	static const float zero[3] = {0, 0, 0};
	struct anim_clip clip = sample_clip(0.6, ANIM_LOOP_WRAP), early = sample_clip(0.1, ANIM_LOOP_NONE);
	struct anim_track track = curve(ANIM_RULES_GODOT4, ANIM_BEZIER_2D);

	track.left = track.right = zero;
	track.left_x = track.right_x = zero;
	CHECK(near(sample_float(&clip, &track, 0.6), 2.8) && sample_float(&clip, &track, 0) == 1);
	CHECK(sample_float(&early, &track, 0.05) == 0);
}

TEST(cut_clips, "the times of a clip that starts later count from there")
{
	static const float later[3] = {10.25f, 10.5f, 10.75f};
	struct anim_clip clip = sample_clip(11, ANIM_LOOP_WRAP);
	struct anim_track track = curve(ANIM_RULES_GODOT4, ANIM_LINEAR);

	clip.start_s = 10;
	track.time = later;
	CHECK(near(sample_float(&clip, &track, 10), 2.5) && near(sample_float(&clip, &track, 10.375), 1.5));
}
