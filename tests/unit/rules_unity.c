/* rules_unity.c: Unity's player: a table of segments from another program, lookup, ends, steps, rotations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample_help.h"
#include "tap.h"

static const struct anim_clip clip = {.end_s = 4, .name = "", .root = "", .source = ""};

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

/* Two keys and a time as the table has them. */
struct segment {
	float time[2], value[2], left[2], right[2], left_x[2], right_x[2];
	uint8_t weighted[2];
	double t, expected;
};

/* Time, value, slope, weight and mode of one key; the place behind them. */
static char *read_key(char *at, struct segment *s, int key)
{
	float *slope = key == 0 ? &s->right[0] : &s->left[1], *weight = key == 0 ? &s->right_x[0] : &s->left_x[1];

	s->time[key] = strtof(at, &at);
	s->value[key] = strtof(at, &at);
	*slope = strtof(at, &at);
	*weight = strtof(at, &at);
	s->weighted[key] = (uint8_t)strtol(at, &at, 10);
	return at;
}

static struct anim_track segment_track(const struct segment *s)
{
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_WEIGHTED, ANIM_FLOAT, 2, s->time, s->value);

	t.left = s->left;
	t.right = s->right;
	t.left_x = s->left_x;
	t.right_x = s->right_x;
	t.weighted = s->weighted;
	return t;
}

/* A float's rounding of the value, and doubles' of what cancels in it. */
static void check_segment(const struct segment *s, int line)
{
	struct anim_track t = segment_track(s);
	double size = fmax(fabs((double)s->value[0]), fabs((double)s->value[1]));
	double got = (double)sample_float(&clip, &t, s->t);

	CHECKF(fabs(got - s->expected) <= 6.0e-8 * fabs(s->expected) + 1e-14 * size, "line %d: %.9g, not %.17g", line,
	       got, s->expected);
	t.interp = ANIM_HERMITE;
	t.left_x = t.right_x = NULL;
	t.weighted = NULL;
	if (!(s->weighted[0] & 2) && !(s->weighted[1] & 1))
		CHECKF((float)got == sample_float(&clip, &t, s->t), "line %d: Hermite has other bits", line);
}

TEST(unity_segments, "segments are what 40 decimal digits say, to a float's rounding")
{
	const char *data = getenv("ANIM_DATA") != NULL ? getenv("ANIM_DATA") : "tests/data";
	char path[4096], line[512], *at;
	int number = 0, rows = 0;
	FILE *in;

	snprintf(path, sizeof path, "%s/unity/segments.tsv", data);
	in = fopen(path, "r");
	if (!CHECKF(in != NULL, "cannot open %s", path))
		return;
	while (fgets(line, sizeof line, in) != NULL) {
		struct segment s = {0};

		number++;
		if (line[0] == '#')
			continue;
		at = read_key(read_key(line, &s, 0), &s, 1);
		s.t = strtod(at, &at);
		s.expected = strtod(at, &at);
		CHECKF(*at == '\n', "line %d does not end", number);
		check_segment(&s, number);
		rows++;
	}
	fclose(in);
	CHECK(rows > 400);
}

TEST(unity_lookup, "at a key's very time the right key counts, of several keys at one time the last")
{
	const float times[5] = {0, 1, 1, 1, 2}, values[5] = {1, 2, 7, 5, 5}, slopes[5] = {0};
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_HERMITE, ANIM_FLOAT, 5, times, values);

	t.left = t.right = slopes;
	CHECK(sample_float(&clip, &t, 1) == 5 && near(sample_float(&clip, &t, 1 - 1e-9), 2));
	CHECK(near(sample_float(&clip, &t, 0.5), 1.5) && sample_float(&clip, &t, 2) == 5);
	t.n = 1;
	CHECK(sample_float(&clip, &t, -3) == 1 && sample_float(&clip, &t, 0) == 1 && sample_float(&clip, &t, 9) == 1);
}

TEST(unity_steps, "an infinite slope of either sign at either end of a segment steps that lane alone, so does NaN")
{
	const float odd[5] = {INFINITY, -INFINITY, NAN, INFINITY, -INFINITY};
	const float times[2] = {0, 1}, values[6] = {0, 0, 0, 4, 4, 4};
	float left[6] = {0}, right[6] = {0}, got[3];
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_HERMITE, ANIM_FLOAT3, 2, times, values);

	t.left = left;
	t.right = right;
	for (int i = 0; i < 5; i++) {
		for (int side = 0; side < 2; side++) {
			*(side == 0 ? &right[1] : &left[4]) = odd[i];
			for (int mode = 0; mode < 2; mode++) {
				t.interp = mode == 0 ? ANIM_HERMITE : ANIM_WEIGHTED;
				CHECK(sample_value(&clip, &t, 0.5, got) && near(got[0], 2) && near(got[2], 2));
				CHECK(got[1] == 0);
				CHECK(sample_value(&clip, &t, 1, got) && got[1] == 4);
			}
			right[1] = left[4] = 0;
		}
	}
}

TEST(unity_component_weights,
     "each lane of a vector has its own weights, and a side whose bit is not set counts a third")
{
	const float times[2] = {0, 1}, values[6] = {0, 0, 0, 1, 1, 1}, left[6] = {0, 0, 0, 2, 2, 2};
	const float right[6] = {3, 3, 3, 0, 0, 0};
	const float right_x[6] = {0.1f, 0.5f, 1, 9, 9, 9}, left_x[6] = {9, 9, 9, 0.8f, 0.5f, 0.2f};
	float got[3];

	for (uint8_t bits = 0; bits < 4; bits++) {
		const uint8_t weighted[2] = {(uint8_t)((bits & 2) | 1), (uint8_t)((bits & 1) | 2)};
		struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_WEIGHTED, ANIM_FLOAT3, 2, times, values);

		t.left = left;
		t.right = right;
		t.left_x = left_x;
		t.right_x = right_x;
		t.weighted = weighted;
		CHECK(sample_value(&clip, &t, 0.3, got));
		for (int i = 0; i < 3; i++) {
			struct segment s = {.value = {0, 1}, .time = {0, 1}, .right = {3}, .left = {0, 2}, .t = 0.3};
			struct anim_track component = segment_track(&s);

			s.right_x[0] = right_x[i];
			s.left_x[1] = left_x[3 + i];
			s.weighted[0] = weighted[0];
			s.weighted[1] = weighted[1];
			CHECKF(sample_float(&clip, &component, 0.3) == got[i], "bits %u, lane %d", bits, i);
		}
	}
}

/* The straight curve 1 at 1 s to 3 at 3 s with these ends, at a time. */
static float at_end(enum anim_extrapolation pre, enum anim_extrapolation post, double t)
{
	static const float times[2] = {1, 3}, values[2] = {1, 3}, slopes[2] = {1, 1};
	struct anim_track track = sample_curve(ANIM_RULES_UNITY, ANIM_HERMITE, ANIM_FLOAT, 2, times, values);

	track.left = track.right = slopes;
	track.pre = (uint8_t)pre;
	track.post = (uint8_t)post;
	return sample_float(&clip, &track, t);
}

TEST(unity_ends, "each end holds, repeats or goes back and forth from the first key on")
{
	CHECK(at_end(ANIM_EXTRAPOLATION_HOLD, ANIM_EXTRAPOLATION_LOOP, 0.5) == 1 &&
	      at_end(ANIM_EXTRAPOLATION_LOOP, ANIM_EXTRAPOLATION_HOLD, 3.5) == 3);
	CHECK(near(at_end(ANIM_EXTRAPOLATION_HOLD, ANIM_EXTRAPOLATION_LOOP, 3.25), 1.25));
	CHECK(near(at_end(ANIM_EXTRAPOLATION_HOLD, ANIM_EXTRAPOLATION_LOOP, 7.5), 1.5));
	CHECK(at_end(ANIM_EXTRAPOLATION_HOLD, ANIM_EXTRAPOLATION_LOOP, 3) == 1 &&
	      at_end(ANIM_EXTRAPOLATION_LOOP, ANIM_EXTRAPOLATION_HOLD, 3) == 3);
	CHECK(at_end(ANIM_EXTRAPOLATION_HOLD, ANIM_EXTRAPOLATION_LOOP, 5) == 1 &&
	      at_end(ANIM_EXTRAPOLATION_LOOP, ANIM_EXTRAPOLATION_HOLD, -1) == 1);
	CHECK(near(at_end(ANIM_EXTRAPOLATION_LOOP, ANIM_EXTRAPOLATION_HOLD, 0.75), 2.75));
	CHECK(near(at_end(ANIM_EXTRAPOLATION_LOOP, ANIM_EXTRAPOLATION_HOLD, -4.5), 1.5));
	CHECK(near(at_end(ANIM_EXTRAPOLATION_HOLD, ANIM_EXTRAPOLATION_PINGPONG, 3.25), 2.75));
	CHECK(near(at_end(ANIM_EXTRAPOLATION_HOLD, ANIM_EXTRAPOLATION_PINGPONG, 5.5), 1.5));
	CHECK(near(at_end(ANIM_EXTRAPOLATION_PINGPONG, ANIM_EXTRAPOLATION_HOLD, 0.75), 1.25));
	CHECK(near(at_end(ANIM_EXTRAPOLATION_PINGPONG, ANIM_EXTRAPOLATION_HOLD, -1.5), 2.5));
}

TEST(unity_rotation, "rotations go lane by lane and are normalised, keys and ends too; a flip of signs swings")
{
	const float times[2] = {0, 1}, values[8] = {0, 0, 0, 1, 0, 0, 0.8f, 0.6f}, zero[8] = {0};
	const float far[8] = {0, 0, 0, 2, 0, 0, -1.6f, -1.2f};
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_HERMITE, ANIM_FLOATQ, 2, times, values);
	double length = sqrt(0.4 * 0.4 + 0.8 * 0.8);
	float q[4];

	t.left = t.right = zero;
	CHECK(sample_value(&clip, &t, 0.5, q) && near(q[2], 0.4 / length) && near(q[3], 0.8 / length));
	t.value = far;
	length = sqrt(0.8 * 0.8 + 0.4 * 0.4);
	for (int mode = 0; mode < 2; mode++) {
		t.interp = mode == 0 ? ANIM_HERMITE : ANIM_LINEAR;
		CHECK(sample_value(&clip, &t, 0.5, q) && near(q[2], -0.8 / length) && near(q[3], 0.4 / length));
		CHECK(sample_value(&clip, &t, -1, q) && q[3] == 1);
		CHECK(sample_value(&clip, &t, 0, q) && q[3] == 1);
		CHECK(sample_value(&clip, &t, 9, q) && near(q[2], -0.8));
	}
}

TEST(unity_euler, "Euler angles go lane by lane in degrees, over several turns")
{
	const float times[2] = {0, 1}, values[6] = {0, 0, 0, 0, 720, -90};
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_LINEAR, ANIM_FLOAT3, 2, times, values);
	float got[3];

	t.property = "euler";
	t.flags = ANIM_DEGREES;
	CHECK(sample_value(&clip, &t, 0.75, got) && got[1] == 540 && got[2] == -67.5f);
}

/* A curve of `n` keys whose columns are made of sines. */
static void wave(float *column, size_t n, double step)
{
	for (size_t i = 0; i < n; i++)
		column[i] = (float)sin((double)i * step);
}

TEST(unity_fast, "many samples of Hermite keys have the bits of samples one by one of Weighted keys without weights")
{
	enum { KEYS = 40, TIMES = 500 };
	static float time[KEYS], value[KEYS * 4], left[KEYS * 4], right[KEYS * 4], out[TIMES * 4], one[4];
	static double t[TIMES];
	static uint8_t present[TIMES];

	wave(value, KEYS * 4, 1.7);
	wave(left, KEYS * 4, 2.3);
	wave(right, KEYS * 4, 2.9);
	right[9] = INFINITY;
	for (int k = 0; k < KEYS; k++)
		time[k] = (float)(0.1 * k - (k % 5 == 4) * 0.1);
	for (int i = 0; i < TIMES; i++)
		t[i] = i % 2 == 0 ? -0.5 + 0.01 * i : (double)time[i % KEYS];
	for (int type = ANIM_FLOAT; type <= ANIM_FLOATQ; type++) {
		struct anim_track fast =
		    sample_curve(ANIM_RULES_UNITY, ANIM_HERMITE, (enum anim_type)type, KEYS, time, value);
		struct anim_sample_state state = {0};
		size_t size = anim_types[type].size;
		struct anim_track plain;

		fast.left = left;
		fast.right = right;
		fast.pre = ANIM_EXTRAPOLATION_PINGPONG;
		plain = fast;
		plain.interp = ANIM_WEIGHTED;
		CHECK(anim_sample(&clip, &fast, t, TIMES, out, present, &state, NULL) == 0);
		for (int i = 0; i < TIMES; i++)
			CHECK(present[i] == 1 && sample_value(&clip, &plain, t[i], one) &&
			      memcmp((char *)out + (size_t)i * size, one, size) == 0);
		anim_sample_state_clear(&state);
	}
}

TEST(unity_no_weights, "Weighted keys without set bits have Hermite's bits, in doubles too")
{
	const float times[2] = {0, 0.7f}, shares[2] = {0.9f, 0.9f};
	const double values[2] = {0.1, 7.3}, left[2] = {0, -1.7}, right[2] = {2.9, 0};
	const uint8_t weighted[2] = {1, 2};
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_HERMITE, ANIM_DOUBLE, 2, times, values);

	t.left = left;
	t.right = right;
	for (int i = 0; i < 70; i++) {
		double hermite, unweighted;

		t.interp = ANIM_HERMITE;
		t.left_x = t.right_x = NULL;
		t.weighted = NULL;
		CHECK(sample_value(&clip, &t, i * 0.01, &hermite));
		t.interp = ANIM_WEIGHTED;
		t.left_x = t.right_x = shares;
		t.weighted = weighted;
		CHECK(sample_value(&clip, &t, i * 0.01, &unweighted) && hermite == unweighted);
	}
}

TEST(unity_hostile, "times out of order or not finite, weights that are no numbers and no keys at all do no harm")
{
	const float times[4] = {2, NAN, -INFINITY, 1}, values[4] = {1, 2, 3, 4}, slopes[4] = {1, NAN, 1, 1};
	const float weights[4] = {NAN, -3, 1e30f, INFINITY};
	const uint8_t weighted[4] = {3, 3, 3, 3};
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_WEIGHTED, ANIM_FLOAT, 4, times, values);
	float value;

	t.flags = ANIM_UNSORTED;
	t.left = t.right = slopes;
	t.left_x = t.right_x = weights;
	t.weighted = weighted;
	for (int ends = 0; ends < ANIM_EXTRAPOLATION_COUNT; ends++) {
		t.pre = t.post = (uint8_t)ends;
		for (int i = -40; i < 40; i++)
			CHECK(sample_value(&clip, &t, i * 0.1, &value) || ends == ANIM_EXTRAPOLATION_NONE);
	}
	t.n = 0;
	CHECK(!sample_value(&clip, &t, 0, &value));
}
