/* retime.c: what a track shows at mapped times is what it showed before, whatever its mode, rules and ends. */
#include "filter/retime/retime.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clip/rules.h"
#include "retime_help.h"
#include "tap.h"

static const struct {
	enum anim_rules rules;
	enum anim_interp mode;
	enum anim_type type;
	double tolerance;
} exact[] = {
    {ANIM_RULES_PLAIN, ANIM_HOLD, ANIM_FLOAT, 0},
    {ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_FLOAT3, 2e-6},
    {ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_FLOATQ, 2e-6},
    {ANIM_RULES_PLAIN, ANIM_HERMITE, ANIM_FLOAT3, 2e-6},
    {ANIM_RULES_PLAIN, ANIM_WEIGHTED, ANIM_FLOAT, 3e-6},
    {ANIM_RULES_PLAIN, ANIM_WEIGHTED, ANIM_FLOAT3, 3e-6},
    {ANIM_RULES_PLAIN, ANIM_CUBIC_BEZIER, ANIM_FLOAT2, 2e-6},
    {ANIM_RULES_PLAIN, ANIM_BEZIER_2D, ANIM_FLOAT, 3e-6},
    {ANIM_RULES_PLAIN, ANIM_CUBIC_TIME, ANIM_FLOAT3, 3e-6},
    {ANIM_RULES_PLAIN, ANIM_CUBIC_UNIFORM, ANIM_FLOAT, 3e-6},
    {ANIM_RULES_UNITY, ANIM_HERMITE, ANIM_FLOATQ, 2e-6},
    {ANIM_RULES_UNITY, ANIM_LINEAR, ANIM_FLOATQ, 2e-6},
    {ANIM_RULES_UNITY, ANIM_WEIGHTED, ANIM_FLOAT3, 3e-6},
    {ANIM_RULES_UNITY, ANIM_HOLD, ANIM_FLOAT, 0},
    {ANIM_RULES_RESONITE, ANIM_LINEAR, ANIM_FLOATQ, 2e-6},
    {ANIM_RULES_RESONITE, ANIM_TANGENT, ANIM_FLOAT3, 2e-6},
    {ANIM_RULES_RESONITE, ANIM_CUBIC_BEZIER, ANIM_FLOATQ, 2e-6},
    {ANIM_RULES_RESONITE, ANIM_HOLD, ANIM_FLOAT3, 0},
    {ANIM_RULES_GODOT4, ANIM_HOLD, ANIM_FLOAT, 0},
    {ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_FLOAT3, 3e-6},
    {ANIM_RULES_GODOT4, ANIM_LINEAR, ANIM_FLOATQ, 3e-6},
    {ANIM_RULES_GODOT4, ANIM_CUBIC_TIME, ANIM_FLOAT3, 4e-6},
    {ANIM_RULES_GODOT4, ANIM_BEZIER_2D, ANIM_FLOAT, 1e-5},
    {ANIM_RULES_GODOT3, ANIM_LINEAR, ANIM_FLOAT3, 3e-6},
    {ANIM_RULES_GODOT3, ANIM_CUBIC_UNIFORM, ANIM_FLOAT3, 4e-6},
};

TEST(exact_modes, "cut, turned and hurried tracks of every exact mode show at mapped times what they showed")
{
	for (size_t row = 0; row < sizeof exact / sizeof *exact; row++)
		for (unsigned seed = 0; seed < 12; seed++) {
			struct retime_maker m;
			char name[80];

			retime_make(&m, seed, exact[row].rules, exact[row].mode, exact[row].type);
			snprintf(name, sizeof name, "%s %s %s", anim_rules_names[exact[row].rules],
				 anim_interp_names[exact[row].mode], anim_types[exact[row].type].name);
			retime_check_all(&m, exact[row].tolerance, name);
		}
}

TEST(repeating_ends, "a part that reaches into repetitions shows them as keys of its own, forward and backward")
{
	static const enum anim_interp modes[] = {ANIM_HOLD, ANIM_LINEAR, ANIM_HERMITE, ANIM_WEIGHTED,
						 ANIM_CUBIC_BEZIER};

	for (unsigned i = 0; i < 5 * 8; i++) {
		enum anim_rules rules = i & 1 ? ANIM_RULES_UNITY : ANIM_RULES_PLAIN;
		uint8_t ends = i & 2 ? ANIM_EXTRAPOLATION_LOOP : ANIM_EXTRAPOLATION_PINGPONG;
		struct retime_maker m;

		retime_make(&m, i, rules, modes[i / 8], ANIM_FLOAT);
		for (unsigned k = 0; k < RETIME_KEYS; k++)
			m.time[k] = i & 4 ? 3.9f + (m.time[k] - 1.25f) * 0.5f : 3 + (m.time[k] - 1.25f) * 0.2f;
		m.track.pre = m.track.post = ends;
		retime_check_all(&m, 4e-6, anim_extrapolation_names[ends]);
	}
}

TEST(mixed_modes, "keys of several modes with lanes that infinite slopes hold show the same, cut or turned")
{
	static const uint8_t modes[] = {ANIM_HOLD, ANIM_LINEAR, ANIM_HERMITE, ANIM_WEIGHTED, ANIM_CUBIC_BEZIER};

	for (unsigned seed = 0; seed < 40; seed++) {
		struct retime_maker m;

		retime_make(&m, seed, seed & 1 ? ANIM_RULES_UNITY : ANIM_RULES_PLAIN, ANIM_WEIGHTED, ANIM_FLOAT3);
		for (unsigned k = 0; k < RETIME_KEYS; k++)
			m.modes[k] = modes[retime_pick(&m, 5)];
		m.modes[3] = ANIM_WEIGHTED;
		for (unsigned i = 0; i < 4; i++)
			m.right[retime_pick(&m, RETIME_KEYS * 3)] = INFINITY;
		m.left[retime_pick(&m, RETIME_KEYS * 3)] = -INFINITY;
		for (unsigned k = 0; k < RETIME_KEYS * 3; k++) /* finite where no slope is meant */
			if (m.modes[k / 3] == ANIM_CUBIC_BEZIER || (k >= 3 && m.modes[k / 3 - 1] == ANIM_CUBIC_BEZIER))
				m.left[k] = m.right[k] = 0.5f;
		m.track.interp = ANIM_INTERP_COLUMN;
		m.track.interps = m.modes;
		retime_check_all(&m, 4e-6, "mixed");
	}
}

TEST(transitions, "a transition turns into its mirror, and a cut one is within the tolerance and told")
{
	static const float curves[] = {1, 2.5f, 0.4f, -2, 0, -0.5f};

	for (unsigned seed = 0; seed < 12; seed++) {
		struct anim_retime_options turn = {.reverse = true}, cut = {PART(2.1, 4.3)};
		struct retime_maker m;
		struct retime_result r;
		double worst;

		retime_make(&m, seed, seed & 1 ? ANIM_RULES_GODOT4 : ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_FLOAT2);
		for (unsigned k = 0; k < RETIME_KEYS; k++)
			m.ease[k] = curves[retime_pick(&m, 6)];
		m.track.ease = m.ease;
		retime_run(&r, turn, &m.clip, &m.track);
		worst = retime_compare(&m.clip, &m.track, &r, 0.5, 9, -1);
		CHECKF(worst <= 1e-5 && r.diagnostics.count == 0, "seed %u: %g off", seed, worst);
		retime_finish(&r);
		m.ease[anim_find_key(m.time, RETIME_KEYS, 2.1)] = m.ease[anim_find_key(m.time, RETIME_KEYS, 4.3)] =
		    2.5f;
		retime_run(&r, cut, &m.clip, &m.track);
		worst = retime_compare(&m.clip, &m.track, &r, 2.1, 4.3, 1);
		CHECKF(worst <= 1.5e-4, "seed %u: %g off", seed, worst);
		CHECK(r.diagnostics.count == 1 && r.diagnostics.warnings == 0 && r.diagnostics.items[0].worst <= 1e-4 &&
		      r.diagnostics.items[0].worst > 0);
		retime_finish(&r);
	}
}

TEST(rotation_cubics, "a cut rotation along cubics is within a hundredth of a degree and told")
{
	for (unsigned seed = 0; seed < 4; seed++) {
		struct anim_retime_options cut = {PART(1.7, 4.3)};
		struct retime_maker m;
		struct retime_result r;
		double worst;

		retime_make(&m, seed, seed & 1 ? ANIM_RULES_GODOT4 : ANIM_RULES_GODOT3,
			    seed & 1 ? ANIM_CUBIC_TIME : ANIM_CUBIC_UNIFORM, ANIM_FLOATQ);
		retime_run(&r, cut, &m.clip, &m.track);
		worst = retime_compare(&m.clip, &m.track, &r, 1.7, 4.3, 1);
		CHECKF(worst <= 1e-4, "seed %u: %g off", seed, worst);
		CHECK(r.diagnostics.count == 1 && strcmp(r.diagnostics.items[0].unit, "degrees") == 0);
		retime_finish(&r);
	}
}

TEST(wrapping, "the way over the end of a looping Godot clip becomes keys when the clip is cut, and turns")
{
	for (unsigned seed = 0; seed < 16; seed++) {
		struct retime_maker m;

		retime_make(&m, seed, seed & 1 ? ANIM_RULES_GODOT4 : ANIM_RULES_GODOT3,
			    seed & 2 ? ANIM_LINEAR : ANIM_HOLD, ANIM_FLOAT3);
		for (unsigned k = 0; k < RETIME_KEYS; k++)
			m.time[k] = 2 + (m.time[k] - 0.5f) * 0.6f;
		m.clip.loop = seed & 4 ? ANIM_LOOP_PINGPONG : ANIM_LOOP_WRAP;
		if (seed & 4 && !(seed & 1))
			m.clip.loop = ANIM_LOOP_WRAP;
		m.track.flags = ANIM_LOOP_WRAP_KEYS;
		retime_check_all(&m, 1e-5, "wrapping");
	}
}

TEST(inverse, "a clip made twice as slow, turned and moved comes back by the inverse")
{
	for (size_t row = 0; row < sizeof exact / sizeof *exact; row++) {
		struct anim_retime_options there = {.reverse = true, .speed_num = 1, .speed_den = 2, .shift_s = 3},
					   back = {.reverse = true, .speed_num = 2, .speed_den = 1, .shift_s = -3};
		struct retime_maker m;
		struct retime_result first, second;
		double worst;

		retime_make(&m, row, exact[row].rules, exact[row].mode, exact[row].type);
		retime_run(&first, there, &m.clip, &m.track);
		CHECK(first.capture.clip.start_s == 3.5f && first.capture.clip.end_s == 20.5f);
		retime_run(&second, back, &first.capture.clip, &first.capture.tracks[0]);
		CHECK(second.capture.clip.start_s == 0.5f && second.capture.clip.end_s == 9);
		worst = retime_compare(&m.clip, &m.track, &second, 0.5, 9, 1);
		CHECKF(worst <= exact[row].tolerance + 1e-6, "%s: %g off", anim_interp_names[exact[row].mode], worst);
		retime_finish(&first);
		retime_finish(&second);
	}
}

TEST(turning_handles, "a cut segment whose handles turn back is approximated and told")
{
	static const float t[] = {1, 3}, v[] = {0, 1}, left_x[] = {0, -3}, right_x[] = {3, 0}, y[] = {0, 0};
	struct anim_retime_options cut = {PART(1.2, 1.5)};
	struct retime_maker m;
	struct retime_result r;

	retime_make(&m, 1, ANIM_RULES_PLAIN, ANIM_BEZIER_2D, ANIM_FLOAT);
	m.track.n = 2;
	m.track.time = t;
	m.track.value = v;
	m.track.left = m.track.right = y;
	m.track.left_x = left_x;
	m.track.right_x = right_x;
	retime_run(&r, cut, &m.clip, &m.track);
	CHECK(r.diagnostics.count == 1 && r.capture.tracks[0].interp == ANIM_BEZIER_2D);
	CHECK(retime_compare(&m.clip, &m.track, &r, (double)1.2f, 1.5, 1) < 1e-4);
	retime_finish(&r);
}
