/* convert_godot.c: what becomes of other players' tracks where Godot is to play them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "convert_help.h"
#include "filter/convert/fit.h"
#include "format/godot/godot.h"
#include "math/curve.h"
#include "math/quaternion.h"
#include "sample_help.h"
#include "tap.h"

static const float times[3] = {0, 0.4f, 1};
static struct convert_bench b;

/* Unity's, of three keys. */
static struct anim_track curve(enum anim_interp mode, enum anim_type type, const char *property, const void *values)
{
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, mode, type, 3, times, values);

	t.property = property;
	return t;
}

static size_t run_in(const struct anim_caps *caps, const struct anim_clip *clip, const struct anim_track *t)
{
	convert_begin(&b, caps, clip);
	convert_add(&b, t);
	convert_finish(&b);
	CHECKF(!b.failed, "%s", b.error.message);
	return b.capture.track_count;
}

static size_t run(const struct anim_caps *caps, const struct anim_track *t)
{
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);

	return run_in(caps, &clip, t);
}

static const float *values_of(size_t track)
{
	return b.capture.tracks[track].value;
}

static bool went_through(const struct anim_caps *caps, const struct anim_track *t)
{
	return run(caps, t) == 1 && b.capture.tracks[0].record == t->record && t->record != NULL;
}

TEST(to_godot_hermite, "slopes become handles of a third by the formula, and nothing is told")
{
	const float values[3] = {1, 4, -2}, left[3] = {0, 3.5f, -1}, right[3] = {2, 5, 0};
	struct anim_track t = curve(ANIM_HERMITE, ANIM_FLOAT, "m_Intensity", values), *out = &b.capture.tracks[0];

	t.left = left;
	t.right = right;
	if (!CHECK(run(&anim_godot_caps, &t) == 1 && out->n == 3 && b.diagnostics.count == 0))
		return;
	CHECK(out->interp == ANIM_BEZIER_2D && out->rules == ANIM_RULES_GODOT4);
	for (int k = 0; k < 2; k++) {
		double third = ((double)times[k + 1] - (double)times[k]) / 3;

		CHECK(out->right_x[k] == (float)third && out->left_x[k + 1] == (float)-third);
		CHECK(fabs((double)((const float *)out->right)[k] - third * (double)right[k]) < 1e-6);
		CHECK(fabs((double)((const float *)out->left)[k + 1] + third * (double)left[k + 1]) < 1e-6);
	}
	CHECK(convert_compare(&b, &t, 0, 2000) <= 1e-5);
	convert_clear(&b);
}

/* Numbers between 0 and 1 that are the same in every run. */
static float next_number(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (float)(*state >> 8) / 16777216.0f;
}

#define SEGMENTS 120

TEST(to_godot_weighted, "weighted slopes of any weights stay within a ten thousandth of the curve's range")
{
	float time[SEGMENTS + 1] = {0}, value[SEGMENTS + 1] = {0}, in[SEGMENTS + 1], out[SEGMENTS + 1];
	float in_x[SEGMENTS + 1], out_x[SEGMENTS + 1];
	uint8_t weighted[SEGMENTS + 1];
	uint32_t state = 7;
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_WEIGHTED, ANIM_FLOAT, SEGMENTS + 1, time, value);
	struct anim_clip clip = sample_clip(SEGMENTS, ANIM_LOOP_NONE);

	for (int k = 0; k <= SEGMENTS; k++) {
		time[k] = (float)k;
		value[k] = 300 * next_number(&state);
		in[k] = 900 * (next_number(&state) - 0.5f);
		out[k] = 900 * (next_number(&state) - 0.5f);
		in_x[k] = k % 3 == 0 ? 1 - 0.03f * next_number(&state) : next_number(&state);
		out_x[k] = k % 3 == 2 ? 1 - 0.03f * next_number(&state) : next_number(&state);
		weighted[k] = (uint8_t)(k % 3 == 1 ? k % 4 : 3);
	}
	t.left = in;
	t.right = out;
	t.left_x = in_x;
	t.right_x = out_x;
	t.weighted = weighted;
	CHECK(run_in(&anim_godot_caps, &clip, &t) == 1 && b.diagnostics.count == 0);
	CHECK(b.capture.tracks[0].interp == ANIM_BEZIER_2D);
	CHECKF(b.capture.tracks[0].n < 2 * SEGMENTS, "%zu keys", b.capture.tracks[0].n);
	CHECKF(convert_compare(&b, &t, 0, 1000 * SEGMENTS) < 1e-4 * 300, "%g",
	       convert_compare(&b, &t, 0, 1000 * SEGMENTS));
	convert_clear(&b);
}

/* A curve of Unity's through many keys, as Godot's handles; all its numbers so many times as large. */
static void take_handles(float size, float right[SEGMENTS + 1], float left[SEGMENTS + 1])
{
	float time[SEGMENTS + 1] = {0}, value[SEGMENTS + 1] = {0}, in[SEGMENTS + 1], out[SEGMENTS + 1];
	uint32_t state = 11;
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_HERMITE, ANIM_FLOAT, SEGMENTS + 1, time, value);
	struct anim_clip clip;

	for (int k = 0; k <= SEGMENTS; k++) {
		time[k] = (float)k / 30;
		value[k] = size * next_number(&state);
		in[k] = size * 30 * (next_number(&state) - 0.5f);
		out[k] = size * 30 * (next_number(&state) - 0.5f);
	}
	t.left = in;
	t.right = out;
	clip = sample_clip(time[SEGMENTS], ANIM_LOOP_NONE);
	CHECK(run_in(&anim_godot_caps, &clip, &t) == 1 && b.diagnostics.count == 0);
	if (CHECKF(b.capture.tracks[0].n == SEGMENTS + 1, "%zu keys", b.capture.tracks[0].n)) {
		memcpy(right, b.capture.tracks[0].right, sizeof out);
		memcpy(left, b.capture.tracks[0].left, sizeof in);
	}
	CHECK(convert_compare(&b, &t, 0, 100 * SEGMENTS) < 1e-5 * (double)size);
	convert_clear(&b);
}

TEST(to_godot_large,
     "curves that Godot's solver is known to show and those that it is asked about become the same keys")
{
	float small[2][SEGMENTS + 1] = {{0}}, large[2][SEGMENTS + 1] = {{0}};

	take_handles(1, small[0], small[1]);
	take_handles(4096, large[0], large[1]);
	for (int k = 0; k <= SEGMENTS; k++)
		CHECK(large[0][k] == 4096 * small[0][k] && large[1][k] == 4096 * small[1][k]);
}

/* The largest difference of Godot's player from an even curve, at so many times; those next to its ends among them. */
static double farthest_solved(const struct convert_piece *piece)
{
	double length = (double)piece->to_s - (double)piece->from_s, right[ANIM_COMPONENTS_MAX],
	       left[ANIM_COMPONENTS_MAX], worst = 0;
	float right_x, left_x;
	struct anim_bezier_point p[4];

	convert_controls(piece, ANIM_BEZIER_2D, right, left, &right_x, &left_x);
	p[0] = (struct anim_bezier_point){0, (float)piece->from[0]};
	p[3] = (struct anim_bezier_point){(float)length, (float)piece->to[0]};
	p[1] = (struct anim_bezier_point){right_x, p[0].y + (float)right[0]};
	p[2] = (struct anim_bezier_point){p[3].x + left_x, p[3].y + (float)left[0]};
	for (int i = 0; i <= 3000; i++) {
		double u = i < 1000 ? i * 1e-6 : i < 2000 ? (i - 1000) / 1000.0 : 1 - (i - 2000) * 1e-6;
		double v = anim_bezier(piece->from[0], piece->inner[0][0], piece->inner[1][0], piece->to[0], u);

		worst = fmax(worst, fabs((double)anim_bezier_godot(p, u * length) - v));
	}
	return worst;
}

TEST(to_godot_solved, "Godot's player is never farther from a curve in time than it is taken to be, nor far nearer")
{
	uint32_t state = 5;
	double nearest = 0;

	for (int round = 0; round < 200; round++) {
		struct convert_fitting fit = {.type = ANIM_FLOAT, .unit = 1};
		struct convert_piece piece = {.from_s = round % 3 == 0 ? 0 : 100 * next_number(&state)};
		double size = pow(10, 6 * (double)next_number(&state) - 3), off, most;
		double level = round % 2 == 0 ? 0 : 100 * size;

		piece.to_s = piece.from_s + (round % 5 == 0 ? 3.0f : 0.01f) * (next_number(&state) + 0.1f);
		piece.from[0] = (double)(float)(level + size * (double)next_number(&state));
		piece.to[0] = (double)(float)(level - size * (double)next_number(&state));
		piece.inner[0][0] = level + size * ((double)next_number(&state) - 0.5) * 10;
		piece.inner[1][0] = level + size * ((double)next_number(&state) - 0.5) * 10;
		off = farthest_solved(&piece);
		most = convert_solver_off(&fit, &piece);
		CHECKF(off <= most, "%g, not %g", off, most);
		nearest = fmax(nearest, off / most);
	}
	CHECKF(nearest > 0.05, "at most %g of it", nearest);
}

TEST(to_godot_step, "a step among curves is a step, also where Godot takes the key before it for a time behind it")
{
	const float values[3] = {1, 4, 2}, left[3] = {0, INFINITY, -1}, right[3] = {2, 5, 0};
	const double near[] = {-9e-6, -1e-7, 0, 1e-8, 1e-7, 1e-6, 9e-6};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_track t = curve(ANIM_HERMITE, ANIM_FLOAT, "m_Intensity", values);

	t.left = left;
	t.right = right;
	CHECK(run(&anim_godot_caps, &t) == 1 && b.capture.tracks[0].interp == ANIM_BEZIER_2D &&
	      b.diagnostics.count == 0);
	CHECK(b.capture.tracks[0].n == 4 && b.capture.tracks[0].time[1] == nextafterf(0.4f, 0));
	CHECK(convert_compare(&b, &t, 0, 2000) <= 1e-5);
	CHECK(sample_float(&clip, &b.capture.tracks[0], 0.39998) == 1);
	for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
		float v = sample_float(&clip, &b.capture.tracks[0], (double)0.4f + near[i]);

		CHECKF(fabsf(v - 1) < 1e-3f || fabsf(v - 4) < 1e-3f, "%g s beside it: %g", near[i], (double)v);
	}
	convert_clear(&b);
}

TEST(to_godot_steps, "a curve of nothing but steps holds its keys")
{
	const float values[3] = {1, 4, 2}, steps[3] = {INFINITY, INFINITY, INFINITY};
	struct anim_track t = curve(ANIM_HERMITE, ANIM_FLOAT, "m_Intensity", values);

	t.left = t.right = steps;
	CHECK(run(&anim_godot_caps, &t) == 1 && b.capture.tracks[0].interp == ANIM_HOLD && b.capture.tracks[0].n == 3);
	CHECK(b.diagnostics.count == 0 && convert_compare(&b, &t, 0, 500) == 0);
	convert_clear(&b);
}

static const float places[9] = {0, 1, 2, 3, 0, 2, -1, 2, 1}, slopes[9] = {4, -3, 1, 0, 2, 2, 5, -1, 0};

/* A curve of three components; `control` points are its slopes. */
static struct anim_track moving(const char *property)
{
	struct anim_track t = curve(ANIM_HERMITE, ANIM_FLOAT3, property, places);

	t.left = t.right = slopes;
	return t;
}

TEST(to_godot_components, "a vector's curve becomes exact curves of its lanes, beside which nothing is told")
{
	struct anim_track t = moving("position"), component;
	float values[3], left[3];

	if (!CHECK(run(&anim_godot_caps, &t) == 3 && b.diagnostics.count == 0))
		return;
	for (uint8_t i = 0; i < 3; i++) {
		component = t;
		component.type = ANIM_FLOAT;
		component.value = values;
		component.left = component.right = left;
		for (int k = 0; k < 3; k++) {
			values[k] = places[3 * k + i];
			left[k] = slopes[3 * k + i];
		}
		CHECK(b.capture.tracks[i].component == i && b.capture.tracks[i].interp == ANIM_BEZIER_2D);
		CHECK(b.capture.tracks[i].type == ANIM_FLOAT && convert_compare(&b, &component, i, 1000) <= 1e-5);
	}
	convert_clear(&b);
}

TEST(to_godot_whole, "a vector's curve stays whole where asked for or of a bone, approximated, or if it is straight")
{
	const float straight[9] = {2.5f, -2.5f, 0, 2.5f, -2.5f, 0, 2.5f, -2.5f, 0},
		    line[9] = {0, 1, 2, 1, 0, 2, 2.5f, -1.5f, 2};
	struct anim_track t = moving("position");
	struct anim_caps never = anim_godot_caps, always = anim_godot_caps;

	never.bezier = ANIM_BEZIER_NEVER;
	always.bezier = ANIM_BEZIER_ALWAYS;
	CHECK(run(&never, &t) == 1 && b.capture.tracks[0].interp == ANIM_LINEAR && convert_told(&b) > 0);
	CHECK(convert_compare(&b, &t, 0, 2000) <= 1.1 * ANIM_TOLERANCE);
	convert_clear(&b);
	t.node = "Rig/Skeleton3D:Hips";
	CHECK(run(&always, &t) == 1 && b.capture.tracks[0].type == ANIM_FLOAT3);
	convert_clear(&b);
	t.node = "N";
	t.value = line;
	t.left = t.right = straight;
	CHECK(run(&anim_godot_caps, &t) == 1 && b.capture.tracks[0].interp == ANIM_LINEAR &&
	      b.capture.tracks[0].n == 3);
	CHECK(b.diagnostics.count == 0);
	convert_clear(&b);
	CHECK(run(&always, &t) == 3);
	convert_clear(&b);
}

TEST(to_godot_weighted_components, "the lanes of a vector keep weights of their own")
{
	const float values[6] = {0, 10, 5, -10}, slope[6] = {1, 2, 3, 4}, in_x[4] = {0, 0, 0.2f, 0.9f},
		    out_x[4] = {0.8f, 0.1f, 0, 0};
	const uint8_t weighted[2] = {3, 3};
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_WEIGHTED, ANIM_FLOAT2, 2, times, values);

	t.property = "m_AnchoredPosition";
	t.left = t.right = slope;
	t.left_x = in_x;
	t.right_x = out_x;
	t.weighted = weighted;
	CHECK(run(&anim_godot_caps, &t) == 2);
	CHECK(b.capture.tracks[0].right_x[0] == (float)((double)0.8f * (double)0.4f));
	CHECK(b.capture.tracks[1].left_x[1] == (float)-((double)0.9f * (double)0.4f));
	CHECK(fabsf(((const float *)b.capture.tracks[0].right)[0] - 0.32f) < 1e-6f);
	convert_clear(&b);
}

static void turn_about(int axis, double degrees, float out[4])
{
	memset(out, 0, 4 * sizeof *out);
	out[axis] = (float)sin(degrees * 0.00872664625997);
	out[3] = (float)cos(degrees * 0.00872664625997);
}

TEST(to_godot_rotation, "rotations of other players become turns along the arc within the tolerance")
{
	float values[12] = {0}, slope[12] = {0.5f, 0, 0, 0.1f, 0.2f, 0.4f, 0, 0, 0.3f, 0, 0.1f, 0};
	struct anim_track t = curve(ANIM_HERMITE, ANIM_FLOATQ, "rotation", values);

	turn_about(0, 10, values);
	turn_about(1, 80, values + 4);
	turn_about(2, 150, values + 8);
	t.left = t.right = slope;
	CHECK(run(&anim_godot_caps, &t) == 1 && b.capture.tracks[0].interp == ANIM_LINEAR && convert_told(&b) > 0);
	CHECK(convert_compare(&b, &t, 0, 2000) <= 110 * ANIM_TOLERANCE);
	convert_clear(&b);
	t.interp = ANIM_LINEAR;
	t.left = t.right = NULL;
	CHECK(run(&anim_godot_caps, &t) == 1 && b.capture.tracks[0].n > 3);
	CHECK(convert_compare(&b, &t, 0, 2000) <= 110 * ANIM_TOLERANCE);
	convert_clear(&b);
}

/* A component each of `property`, whose keys are `values`. */
static size_t run_components(const char *node, const char *property, uint8_t count, const float values[][3],
			     unsigned flags)
{
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);

	convert_begin(&b, &anim_godot_caps, &clip);
	for (uint8_t i = 0; i < count; i++) {
		struct anim_track t = curve(ANIM_LINEAR, ANIM_FLOAT, property, values[i]);

		t.node = node;
		t.component = i;
		t.flags = flags;
		convert_add(&b, &t);
	}
	convert_finish(&b);
	CHECKF(!b.failed, "%s", b.error.message);
	return b.capture.track_count;
}

TEST(to_godot_joined, "lanes of rotations and those of bones are joined, others stand alone")
{
	const float components[4][3] = {{0, 0.6f, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0.8f, 1}};

	CHECK(run_components("N", "rotation", 4, components, 0) == 1 && b.capture.tracks[0].type == ANIM_FLOATQ);
	convert_clear(&b);
	CHECK(run_components("N", "position", 3, components, 0) == 3 && b.capture.tracks[1].component == 1);
	convert_clear(&b);
	CHECK(run_components("A/S:B", "position", 3, components, 0) == 1 && b.capture.tracks[0].type == ANIM_FLOAT3);
	convert_clear(&b);
	CHECK(run_components("A/S:B", "euler", 3, components, ANIM_DEGREES) == 1);
	CHECK(strcmp(b.capture.tracks[0].property, "rotation") == 0);
	convert_clear(&b);
}

TEST(to_godot_degrees, "degrees become radians, also of single lanes, but not where Godot itself animates degrees")
{
	const float values[3] = {0, 90, 180}, whole[9] = {0, 90, 0, 0, 180, 0, 0, 90, 0};
	struct anim_track t = curve(ANIM_LINEAR, ANIM_FLOAT, "euler", values);

	t.component = 1;
	t.flags = ANIM_DEGREES;
	CHECK(run(&anim_godot_caps, &t) == 1 && !(b.capture.tracks[0].flags & ANIM_DEGREES));
	CHECK(fabsf(values_of(0)[2] - 3.14159265f) < 1e-6f && b.diagnostics.count == 0);
	convert_clear(&b);
	t = curve(ANIM_LINEAR, ANIM_FLOAT3, "euler", whole);
	t.flags = ANIM_DEGREES;
	CHECK(run(&anim_godot_caps, &t) == 1 && fabsf(values_of(0)[4] - 3.14159265f) < 1e-6f);
	convert_clear(&b);
	t.rules = ANIM_RULES_GODOT3;
	CHECK(run(&anim_godot_caps, &t) == 1 && fabsf(values_of(0)[4] - 3.14159265f) < 1e-6f);
	convert_clear(&b);
	t.rules = ANIM_RULES_GODOT4;
	t.record = (const struct anim_record *)(const void *)values;
	CHECK(went_through(&anim_godot_caps, &t));
	convert_clear(&b);
}

TEST(to_godot_order, "Euler angles of another order than the node turns by become a rotation")
{
	const float whole[9] = {0, 1, 0, 0.2f, 1.1f, 0.3f, 0, 1, 0};
	const struct anim_attr other = {"order", "XYZ"}, of_node = {"rotation_order", "XYZ"};
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_track t = curve(ANIM_LINEAR, ANIM_FLOAT3, "euler", whole);
	struct anim_node node = {.parent = ANIM_NO_PARENT,
				 .rotation = {0, 0, 0, 1},
				 .scale = {1, 1, 1},
				 .path = "N",
				 .type = "Node3D",
				 .attrs = {&of_node, 1}};

	t.attrs = (struct anim_attrs){&other, 1};
	CHECK(run(&anim_godot_caps, &t) == 1 && strcmp(b.capture.tracks[0].property, "rotation") == 0);
	convert_clear(&b);
	convert_begin(&b, &anim_godot_caps, &clip);
	CHECK(anim_sink_node(b.filter, &node, &b.error) == 0);
	convert_add(&b, &t);
	convert_finish(&b);
	CHECK(b.capture.track_count == 1 && strcmp(b.capture.tracks[0].property, "euler") == 0);
	convert_clear(&b);
}

TEST(to_godot_switch, "Unity's switch of an object becomes a bool, its percent a share")
{
	const float on[3] = {1, 0, 1}, steps[3] = {INFINITY, INFINITY, INFINITY}, percent[3] = {0, 100, 50};
	struct anim_track t = curve(ANIM_HERMITE, ANIM_FLOAT, "visible", on);

	t.left = t.right = steps;
	CHECK(run(&anim_godot_caps, &t) == 1 && b.capture.tracks[0].type == ANIM_BOOL &&
	      b.capture.tracks[0].kind == ANIM_DISCRETE);
	CHECK(b.capture.tracks[0].n == 3 && ((const uint8_t *)b.capture.tracks[0].value)[1] == 0);
	convert_clear(&b);
	t = curve(ANIM_LINEAR, ANIM_FLOAT, "blend_shape/Smile", percent);
	t.flags = ANIM_PERCENT;
	CHECK(run(&anim_godot_caps, &t) == 1 && b.capture.tracks[0].flags == 0 && values_of(0)[1] == 1 &&
	      values_of(0)[2] == 0.5f);
	convert_clear(&b);
}

TEST(to_godot_own, "what Godot has written goes through as it is, odd or not")
{
	const float swapped[3] = {0, 0.9f, 0.4f}, values[12] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2},
		    ease[3] = {2, -1, 1};
	const struct anim_record *record = (const struct anim_record *)(const void *)values;
	struct anim_track t = curve(ANIM_CUBIC_TIME, ANIM_FLOATQ, "rotation", values);

	t.rules = ANIM_RULES_GODOT4;
	t.record = record;
	t.ease = ease;
	t.node = "S:Hips";
	CHECK(went_through(&anim_godot_caps, &t));
	convert_clear(&b);
	t = curve(ANIM_LINEAR, ANIM_FLOAT, "rotation", values);
	t.rules = ANIM_RULES_GODOT4;
	t.record = record;
	t.component = 2;
	t.time = swapped;
	t.flags = ANIM_UNSORTED | ANIM_DISABLED | ANIM_LOOP_WRAP_KEYS;
	CHECK(went_through(&anim_godot_caps, &t) && b.diagnostics.count == 0);
	convert_clear(&b);
	t.flags = ANIM_LOOP_WRAP_KEYS;
	t.time = times;
	t.property = "visible";
	t.component = ANIM_WHOLE;
	CHECK(went_through(&anim_godot_caps, &t));
	convert_clear(&b);
}

TEST(to_godot_bezier3, "Bezier tracks of Godot 3 go through to Godot 4 and back")
{
	const float values[3] = {0, 4, 2}, in[3] = {0, -1, 2}, out[3] = {1, 3, 0}, in_x[3] = {-0.1f, -0.3f, -0.2f},
		    out_x[3] = {0.3f, 0.5f, 0.1f};
	struct anim_track t = curve(ANIM_BEZIER_2D, ANIM_FLOAT, "position", values);

	t.left = in;
	t.right = out;
	t.left_x = in_x;
	t.right_x = out_x;
	t.component = 0;
	t.record = (const struct anim_record *)(const void *)values;
	t.rules = ANIM_RULES_GODOT3;
	CHECK(went_through(&anim_godot_caps, &t));
	convert_clear(&b);
	t.rules = ANIM_RULES_GODOT4;
	CHECK(went_through(&anim_godot3_caps, &t));
	convert_clear(&b);
}

TEST(to_godot_ends, "what repeats outside the keys becomes keys, and no key stands behind the clip's end")
{
	const float early[3] = {0.2f, 0.4f, 0.7f}, late[3] = {0, 0.6f, 1.7f}, values[3] = {0, 3, 1};
	struct anim_track t = curve(ANIM_LINEAR, ANIM_FLOAT, "speed", values);

	t.time = early;
	t.post = ANIM_EXTRAPOLATION_LOOP;
	t.pre = ANIM_EXTRAPOLATION_PINGPONG;
	CHECK(run(&anim_godot_caps, &t) == 1 && convert_compare(&b, &t, 0, 997) <= 1.1 * ANIM_TOLERANCE);
	CHECK(b.capture.tracks[0].time[b.capture.tracks[0].n - 1] <= 1);
	convert_clear(&b);
	t = curve(ANIM_LINEAR, ANIM_FLOAT, "speed", values);
	t.time = late;
	CHECK(run(&anim_godot_caps, &t) == 1 && b.capture.tracks[0].time[b.capture.tracks[0].n - 1] == 1);
	CHECK(convert_compare(&b, &t, 0, 997) <= 1e-6);
	convert_clear(&b);
}

TEST(to_godot_raw, "samples become straight keys")
{
	const float values[3] = {0.5f, 0.7f, 1};
	struct anim_track t = curve(ANIM_LINEAR, ANIM_FLOAT, "speed", values);

	t.kind = ANIM_RAW;
	t.rules = ANIM_RULES_RESONITE;
	t.time = NULL;
	t.rate_num = 2;
	t.rate_den = 1;
	CHECK(run(&anim_godot_caps, &t) == 1 && b.capture.tracks[0].kind == ANIM_CURVE && b.capture.tracks[0].n == 3);
	CHECK(b.capture.tracks[0].interp == ANIM_LINEAR && b.capture.tracks[0].time[2] == 1);
	convert_clear(&b);
}

/* A bone that is moved, turned and scaled. */
static struct anim_node bone(const char *path)
{
	struct anim_node node = {.kind = ANIM_NODE_BONE,
				 .parent = ANIM_NO_PARENT,
				 .has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE,
				 .position = {1, 2, 3},
				 .scale = {2, 1, 0.5f},
				 .path = path,
				 .type = ""};

	turn_about(1, 90, node.rotation);
	return node;
}

static void run_bone(const struct anim_caps *caps, struct anim_rests *rests, const char *path,
		     const struct anim_track *t)
{
	struct anim_clip clip = sample_clip(1, ANIM_LOOP_NONE);
	struct anim_node node = bone(path);

	convert_begin(&b, caps, &clip);
	if (rests != NULL) {
		CHECK(anim_rests_add(rests, &node, &b.error) == 0);
		anim_convert_use_rests(b.filter, rests);
	} else {
		CHECK(anim_sink_node(b.filter, &node, &b.error) == 0);
	}
	convert_add(&b, t);
	convert_finish(&b);
	CHECKF(!b.failed, "%s", b.error.message);
}

TEST(to_godot_rest, "poses of Godot 3 that are relative to a rest become absolute, and those of Godot 4 relative")
{
	const char *const properties[3] = {"position", "rotation", "scale"};
	const float moved[3] = {2.5f, 4, 1}, scaled[3] = {2, 2, 1.5f};
	float values[12] = {0}, back[12];

	for (int i = 0; i < 3; i++) {
		enum anim_type type = i == 1 ? ANIM_FLOATQ : ANIM_FLOAT3;
		struct anim_track t = curve(ANIM_LINEAR, type, properties[i], values), absolute;

		for (int k = 0; k < 12; k++)
			values[k] = (float)(1 + k % 3);
		turn_about(0, 30, i == 1 ? values : back);
		turn_about(0, 60, i == 1 ? values + 4 : back);
		turn_about(1, 20, i == 1 ? values + 8 : back);
		t.rules = ANIM_RULES_GODOT3;
		t.flags = ANIM_REST_RELATIVE | ANIM_LOOP_WRAP_KEYS;
		t.node = "A/Skeleton:Hips";
		run_bone(&anim_godot_caps, NULL, t.node, &t);
		CHECK(b.capture.track_count == 1 && b.capture.tracks[0].n == 3 && b.diagnostics.count == 0);
		CHECK(b.capture.tracks[0].flags == 0);
		for (int k = 0; k < 3 && i == 0; k++) /* x turns to -z, z to x */
			CHECK(fabsf(values_of(0)[k] - moved[k]) < 1e-5f);
		for (int k = 0; k < 3 && i == 2; k++)
			CHECK(values_of(0)[k] == scaled[k]);
		memcpy(back, b.capture.tracks[0].value, sizeof(float) * 3 * (i == 1 ? 4 : 3));
		convert_clear(&b);
		absolute = curve(ANIM_LINEAR, type, properties[i], back);
		absolute.rules = ANIM_RULES_GODOT4;
		absolute.node = t.node;
		run_bone(&anim_godot3_caps, NULL, t.node, &absolute);
		CHECK(b.capture.track_count == 1 && b.capture.tracks[0].flags == ANIM_REST_RELATIVE);
		CHECK(convert_compare(&b, &t, 0, 300) <= (i == 1 ? 0.05 : 1e-5) && b.diagnostics.count == 0);
		convert_clear(&b);
	}
}

TEST(to_godot_other_rests, "rests of another file are found by the bone's name, and without any it is told")
{
	const float values[9] = {1, 2, 3, 1, 2, 3, 1, 2, 3};
	struct anim_rests rests = {0};
	struct anim_track t = curve(ANIM_LINEAR, ANIM_FLOAT3, "scale", values);

	t.rules = ANIM_RULES_GODOT3;
	t.flags = ANIM_REST_RELATIVE;
	t.node = "A/Skeleton:Hips";
	run_bone(&anim_godot_caps, &rests, "Character/Rig/Skeleton3D:Hips", &t);
	CHECK(b.capture.track_count == 1 && values_of(0)[0] == 2 && values_of(0)[2] == 1.5f &&
	      b.diagnostics.count == 0);
	convert_clear(&b);
	CHECK(run(&anim_godot_caps, &t) == 1 && values_of(0)[0] == 1 &&
	      convert_tells(&b, "rest pose of the node is unknown"));
	convert_clear(&b);
	/* Two of one name: neither is meant. */
	run_bone(&anim_godot_caps, &rests, "Other/Skeleton3D:Hips", &t);
	CHECK(values_of(0)[0] == 1 && convert_tells(&b, "rest pose of the node is unknown"));
	convert_clear(&b);
	anim_rests_clear(&rests);
}

TEST(to_godot3_before, "Godot 3, which plays nothing before the first key, gets one at the start")
{
	const float late[3] = {0.3f, 0.6f, 1}, values[3] = {5, 3, 1};
	struct anim_track t = curve(ANIM_LINEAR, ANIM_FLOAT, "speed", values);

	t.time = late;
	CHECK(run(&anim_godot3_caps, &t) == 1 && b.capture.tracks[0].time[0] == 0 && values_of(0)[0] == 5);
	CHECK(b.capture.tracks[0].n == 4 && convert_compare(&b, &t, 0, 997) <= 1e-5);
	convert_clear(&b);
	t.interp = ANIM_HOLD;
	CHECK(run(&anim_godot3_caps, &t) == 1 && b.capture.tracks[0].time[0] == 0 && b.capture.tracks[0].n == 4);
	convert_clear(&b);
	CHECK(run(&anim_godot_caps, &t) == 1 && b.capture.tracks[0].n == 3);
	convert_clear(&b);
}

TEST(to_godot_events,
     "events go through from Godot to Godot; of others those inside the clip do, and it is told where none is")
{
	const char *const texts[3] = {"{}", "{}", "{}"};
	const float late[3] = {0, 2, 3}, later[3] = {2, 3, 4};
	struct anim_track t = curve(ANIM_HOLD, ANIM_STRING, "@event", NULL);

	t.kind = ANIM_DISCRETE;
	t.strings = sample_strings(3, texts);
	t.time = late;
	CHECK(run(&anim_godot_caps, &t) == 1 && b.capture.tracks[0].n == 1 && b.diagnostics.count == 0);
	convert_clear(&b);
	t.time = later;
	CHECK(run(&anim_godot_caps, &t) == 0 && convert_tells(&b, "'N @event': only events outside the clip"));
	convert_clear(&b);
	t.property = "@method";
	t.rules = ANIM_RULES_GODOT3;
	CHECK(run(&anim_godot_caps, &t) == 1 && b.capture.tracks[0].n == 3);
	convert_clear(&b);
}
