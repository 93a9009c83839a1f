/* sample_plain.c: sampling by the stream's own definitions, and what all rules share. */
#include "base/advice.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clip/rules.h"
#include "sample_help.h"

static const float seconds[4] = {1, 2, 3, 5};
static const float numbers[4] = {10, 20, 0, 8};

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-5;
}

TEST(plain_linear, "plain curves are straight between keys and hold their ends")
{
	struct anim_clip clip = sample_clip(6, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_FLOAT, 4, seconds, numbers);

	CHECK(sample_float(&clip, &track, 1.5) == 15 && sample_float(&clip, &track, 2) == 20);
	CHECK(sample_float(&clip, &track, 0) == 10 && sample_float(&clip, &track, 99) == 8);
	CHECK(sample_float(&clip, &track, 5) == 8 && sample_float(&clip, &track, 4) == 4);
}

TEST(plain_hold, "Hold keeps a key's value until the very next key")
{
	struct anim_clip clip = sample_clip(6, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_PLAIN, ANIM_HOLD, ANIM_FLOAT, 4, seconds, numbers);

	CHECK(sample_float(&clip, &track, 1.9999999) == 10 && sample_float(&clip, &track, 2) == 20);
	CHECK(sample_float(&clip, &track, 0.5) == 10);
}

TEST(plain_ends, "ends loop, go back and forth, or have no value, each side as it says")
{
	struct anim_clip clip = sample_clip(6, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_FLOAT, 4, seconds, numbers);

	track.pre = ANIM_EXTRAPOLATION_LOOP;
	track.post = ANIM_EXTRAPOLATION_PINGPONG;
	CHECK(near(sample_float(&clip, &track, 0), 4) && near(sample_float(&clip, &track, -4.5), 8 * 0.5 / 2 + 0));
	CHECK(near(sample_float(&clip, &track, 6), 4) && near(sample_float(&clip, &track, 8.5), 15));
	CHECK(near(sample_float(&clip, &track, 9.5), 15));
	track.pre = track.post = ANIM_EXTRAPOLATION_NONE;
	CHECK(isnan(sample_float(&clip, &track, 0.999)) && isnan(sample_float(&clip, &track, 5.001)));
	CHECK(sample_float(&clip, &track, 1) == 10 && sample_float(&clip, &track, 5) == 8);
}

TEST(no_value, "where there is no value the output is zero and marked, for any time that is no number too")
{
	struct anim_clip clip = sample_clip(6, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_FLOAT, 4, seconds, numbers);
	struct anim_sample_state state = {0};
	const double t[4] = {0, 1.5, (double)NAN, (double)INFINITY};
	float out[4] = {7, 7, 7, 7};
	uint8_t present[4] = {9, 9, 9, 9};

	track.pre = ANIM_EXTRAPOLATION_NONE;
	CHECK(anim_sample(&clip, &track, t, 4, out, present, &state, NULL) == 0);
	CHECK(present[0] == 0 && present[1] == 1 && present[2] == 0 && present[3] == 0);
	CHECK(out[0] == 0 && out[1] == 15 && out[2] == 0 && out[3] == 0);
	track.n = 0;
	CHECK(isnan(sample_float(&clip, &track, 1)));
	anim_sample_state_clear(&state);
}

TEST(plain_types, "integers round halves away from zero, bools and texts switch half-way")
{
	static const int32_t whole[2] = {-5, 4};
	static const uint8_t bits[2] = {1, 6};
	static const char *const texts[2] = {"first", NULL};
	static const float time[2] = {0, 1};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_INT, 2, time, whole);
	int32_t number = 0;
	uint8_t byte = 0;

	CHECK(sample_value(&clip, &track, 0.5, &number) && number == -1);
	CHECK(sample_value(&clip, &track, 1.0 / 3, &number) && number == -2);
	track = sample_curve(ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_BOOL3, 2, time, bits);
	CHECK(sample_value(&clip, &track, 0.49, &byte) && byte == 1);
	CHECK(sample_value(&clip, &track, 0.5, &byte) && byte == 6);
	track = sample_curve(ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_STRING, 2, time, NULL);
	track.strings = sample_strings(2, texts);
	CHECK(strcmp(sample_string(&clip, &track, 0.4), "first") == 0);
	CHECK(strcmp(sample_string(&clip, &track, 0.6), "(null)") == 0);
}

TEST(plain_curves, "Hermite slopes are per second, Bezier controls absolute, and an infinite slope steps")
{
	static const float time[2] = {0, 2}, value[2] = {0, 0}, slope[2] = {3, -3}, control[2] = {2, 2};
	static const float step[2] = {(float)INFINITY, 0};
	struct anim_clip clip = sample_clip(2, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_PLAIN, ANIM_HERMITE, ANIM_FLOAT, 2, time, value);

	track.left = track.right = slope;
	CHECK(near(sample_float(&clip, &track, 1), 1.5));
	track.right = step;
	CHECK(sample_float(&clip, &track, 1.9) == 0);
	track.interp = ANIM_CUBIC_BEZIER;
	track.left = track.right = control;
	CHECK(near(sample_float(&clip, &track, 1), 1.5));
}

TEST(plain_handles, "handles with a time part meet their time; a side without weight counts a third")
{
	static const float time[2] = {0, 2}, value[2] = {0, 4}, y[2] = {0, 0}, x[2] = {1, 1}, back[2] = {-1, -1};
	static const float slope[2] = {2, 2}, share[2] = {0.9f, 0.9f};
	static const uint8_t none[2] = {0, 0}, both[2] = {3, 3};
	struct anim_clip clip = sample_clip(2, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_PLAIN, ANIM_BEZIER_2D, ANIM_FLOAT, 2, time, value);

	track.left = track.right = y;
	track.right_x = x;
	track.left_x = back;
	CHECK(near(sample_float(&clip, &track, 1), 2) && sample_float(&clip, &track, 2) == 4);
	CHECK(sample_float(&clip, &track, 0.3) < 0.3f);
	track.interp = ANIM_WEIGHTED;
	track.left = track.right = slope;
	track.right_x = track.left_x = share;
	track.weighted = none;
	CHECK(near(sample_float(&clip, &track, 0.5), 1));
	track.value = y;
	track.left = back;
	track.right = x;
	CHECK(near(sample_float(&clip, &track, 1), 0.5)); /* as the Hermite of these slopes */
	track.value = value;
	track.left = track.right = slope;
	track.weighted = both;
	CHECK(near(sample_float(&clip, &track, 0.5), 1) && near(sample_float(&clip, &track, 1), 2));
}

TEST(plain_quaternions, "quaternions go the short way, and stay of length 1 in curves")
{
	static const float time[2] = {0, 1}, turns[8] = {0, 0, 0, 1, 0, 0, -0.70710678f, -0.70710678f}, flat[8] = {0};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_FLOATQ, 2, time, turns);
	float q[4];

	CHECK(sample_value(&clip, &track, 0.5, q) && near(q[2], sin(atan(1) / 2)) && near(q[3], cos(atan(1) / 2)));
	track.interp = ANIM_HERMITE;
	track.left = track.right = flat;
	CHECK(sample_value(&clip, &track, 0.25, q));
	CHECK(near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1));
}

TEST(plain_cubics, "cubics play under plain rules, floats and quaternions alike")
{
	static const float time[4] = {0, 1, 2, 3}, line[4] = {0, 1, 2, 3};
	static const float turns[16] = {0, 0, 0,    1,          0, 0, 0.1f, 0.99498744f,
					0, 0, 0.2f, 0.9797959f, 0, 0, 0.3f, 0.9539392f};
	struct anim_clip clip = sample_clip(3, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_PLAIN, ANIM_CUBIC_TIME, ANIM_FLOAT, 4, time, line);
	float q[4];

	CHECK(near(sample_float(&clip, &track, 1.5), 1.5));
	track.interp = ANIM_CUBIC_UNIFORM;
	CHECK(near(sample_float(&clip, &track, 1.25), 1.25));
	track.interp = ANIM_CUBIC_ANGLE;
	CHECK(near(sample_float(&clip, &track, 1.5), 1.5));
	track.type = ANIM_FLOATQ;
	track.value = turns;
	for (int mode = ANIM_CUBIC_TIME; mode <= ANIM_CUBIC_UNIFORM; mode++) {
		track.interp = (uint8_t)mode;
		CHECK(sample_value(&clip, &track, 1.5, q) && fabs(q[2] - 0.15) < 1e-3);
	}
}

TEST(mixed_modes, "each key's mode governs the segment that it opens")
{
	static const uint8_t modes[4] = {ANIM_HOLD, ANIM_LINEAR, ANIM_HOLD, ANIM_LINEAR};
	struct anim_clip clip = sample_clip(6, ANIM_LOOP_NONE);
	struct anim_track track = sample_curve(ANIM_RULES_PLAIN, ANIM_INTERP_COLUMN, ANIM_FLOAT, 4, seconds, numbers);

	track.interps = modes;
	CHECK(sample_float(&clip, &track, 1.5) == 10 && sample_float(&clip, &track, 2.5) == 10);
	CHECK(sample_float(&clip, &track, 4.9) == 0 && sample_float(&clip, &track, 5) == 8);
}

TEST(raw_samples, "Raw samples lie on their grid; reals blend, the rest holds")
{
	static const float value[4] = {0, 1, 4, 9};
	static const int32_t whole[4] = {0, 10, 20, 30};
	struct anim_clip clip = sample_clip(2, ANIM_LOOP_NONE);
	struct anim_track track = {.kind = ANIM_RAW,
				   .type = ANIM_FLOAT,
				   .node = "",
				   .property = "",
				   .interp = ANIM_LINEAR,
				   .n = 4,
				   .value = value,
				   .start_s = 1,
				   .rate_num = 30000,
				   .rate_den = 1001};
	int32_t number = 0;

	for (int k = 0; k < 4; k++)
		CHECK(sample_float(&clip, &track, 1 + k * 1001.0 / 30000) == value[k]);
	CHECK(near(sample_float(&clip, &track, 1 + 1.5 * 1001 / 30000), 2.5));
	CHECK(sample_float(&clip, &track, 0) == 0 && sample_float(&clip, &track, 9) == 9);
	track.interp = ANIM_HOLD;
	CHECK(sample_float(&clip, &track, 1 + 2 * 1001.0 / 30000 - 1e-7) == 4);
	CHECK(sample_float(&clip, &track, 1 + 2.9 * 1001 / 30000) == 4);
	track.type = ANIM_INT;
	track.value = whole;
	track.interp = ANIM_LINEAR;
	CHECK(sample_value(&clip, &track, 1 + 1.9 * 1001 / 30000, &number) && number == 10);
}

static int refused(const struct anim_track *track, struct anim_error *error)
{
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_sample_state state = {0};
	double t = 0.5;
	char out[128];
	uint8_t present;
	int status = anim_sample(&clip, track, &t, 1, out, &present, &state, error);

	anim_sample_state_clear(&state);
	return status;
}

TEST(refusals, "what cannot be played is refused with the way out")
{
	static const float time[2] = {0, 1}, value[2] = {0, 1};
	struct anim_track track = {.kind = ANIM_RAW,
				   .type = ANIM_FLOAT,
				   .node = "Hip",
				   .property = "scale",
				   .interp = 1,
				   .n = 2,
				   .value = value};
	struct anim_error error = {0};

	CHECK(refused(&track, &error) == -1 && error.code == ANIM_UNSUPPORTED);
	CHECKF(strstr(error.message, ANIM_OPTION("retime", "rate")) != NULL && strstr(error.message, "Hip") != NULL,
	       "%s", error.message);
	track = sample_curve(ANIM_RULES_PLAIN, ANIM_TANGENT, ANIM_FLOAT, 2, time, value);
	track.left = track.right = value;
	CHECK(refused(&track, &error) == -1 && error.code == ANIM_UNSUPPORTED);
	track.rules = ANIM_RULES_UNITY;
	CHECK(refused(&track, &error) == -1 && strstr(error.message, "unity") != NULL);
	track.interp = ANIM_HERMITE;
	CHECK(refused(&track, &error) == 0);
}

TEST(any_order, "times in any order, one by one or in blocks, give the same values")
{
	enum { KEYS = 40, TIMES = 300 };
	static const enum anim_rules rules[] = {ANIM_RULES_PLAIN, ANIM_RULES_GODOT4, ANIM_RULES_GODOT3};
	float time[KEYS], value[KEYS * 4], blocks[TIMES * 4], back[TIMES * 4], single[4];
	double t[TIMES], reversed[TIMES];
	uint8_t present[TIMES];

	for (int k = 0; k < KEYS * 4; k++)
		value[k] = (float)sin(k * 1.7);
	for (int k = 0; k < KEYS; k++)
		time[k] = (float)(0.1 * k + (k % 3) * 0.004);
	for (int i = 0; i < TIMES; i++)
		t[i] = i % 2 ? 0.1 * i / 7 : (double)time[i % KEYS] - 4e-6;
	for (int i = 0; i < TIMES; i++)
		reversed[i] = t[TIMES - 1 - i];
	for (int r = 0; r < 3; r++) {
		for (int type = ANIM_FLOAT; type <= ANIM_FLOATQ; type++) {
			struct anim_clip clip = sample_clip(3.5, ANIM_LOOP_WRAP);
			struct anim_track track =
			    sample_curve(rules[r], ANIM_LINEAR, (enum anim_type)type, KEYS, time, value);
			struct anim_sample_state state = {0};
			size_t size = anim_types[type].size;

			track.flags = ANIM_LOOP_WRAP_KEYS;
			CHECK(anim_sample(&clip, &track, t, TIMES, blocks, present, &state, NULL) == 0);
			CHECK(anim_sample(&clip, &track, reversed, TIMES, back, present, &state, NULL) == 0);
			for (int i = 0; i < TIMES; i++) {
				CHECK(sample_value(&clip, &track, t[i], single));
				CHECK(memcmp((char *)blocks + (size_t)i * size, single, size) == 0);
				CHECK(memcmp((char *)back + (size_t)(TIMES - 1 - i) * size, single, size) == 0);
			}
			anim_sample_state_clear(&state);
		}
	}
}

TEST(any_distance,
     "times with many keys between them, some as near to a key as a player tells apart, give the same values")
{
	enum { KEYS = 3000, TIMES = 150 };
	static const enum anim_rules rules[] = {ANIM_RULES_PLAIN, ANIM_RULES_GODOT4, ANIM_RULES_UNITY,
						ANIM_RULES_RESONITE};
	static const double near[] = {0, -4e-6, 4e-6, -2e-7, 2e-7, -1e-5, 1e-5, 0.003};
	static float time[KEYS], value[KEYS], blocks[TIMES];
	double t[TIMES];
	uint8_t present[TIMES];
	float single;

	for (int k = 0; k < KEYS; k++) {
		time[k] = (float)(0.01 * k + (k % 7) * 0.001);
		value[k] = (float)sin(k * 1.7);
	}
	for (int i = 0; i < TIMES; i++)
		t[i] = (double)time[i * (KEYS / TIMES) + i % 5] + near[i % 8];
	for (int r = 0; r < 4; r++) {
		struct anim_clip clip = sample_clip(time[KEYS - 1], ANIM_LOOP_NONE);
		struct anim_track track = sample_curve(rules[r], ANIM_LINEAR, ANIM_FLOAT, KEYS, time, value);
		struct anim_sample_state state = {0};

		CHECK(anim_sample(&clip, &track, t, TIMES, blocks, present, &state, NULL) == 0);
		for (int i = 0; i < TIMES; i++) {
			CHECK(sample_value(&clip, &track, t[i], &single));
			CHECKF(blocks[i] == single, "rules %d, at %.9g: %.9g, not %.9g", r, t[i], (double)blocks[i],
			       (double)single);
		}
		anim_sample_state_clear(&state);
	}
}

TEST(find_near, "a key is found from any other one as it is from none")
{
	float time[50];

	for (int k = 0; k < 50; k++) /* two at each fifth time */
		time[k] = (float)(k - k / 5 % 2);
	for (size_t n = 0; n <= 50; n++)
		for (size_t near = 0; near <= n + 1; near++)
			for (double t = -1; t < 52; t += 0.5)
				CHECKF(anim_find_key_near(time, n, t, near) == anim_find_key(time, n, t),
				       "%zu keys, from %zu, at %g", n, near, t);
}
