/* compare.c: how far two animations built by hand are found to be apart. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axs.h"
#include "compare_help.h"
#include "sample_help.h"
#include "tap.h"

TEST(compare_planted, "an error planted at a key is found with its size, its place and its mean square")
{
	static const float peak[] = {0, 0, 0, 0.03f, 0.04f, 0, 0, 0, 0};
	struct anim_track one = diff_curve("position", ANIM_FLOAT3, diff_flat),
			  other = diff_curve("position", ANIM_FLOAT3, peak);
	struct diff_bench b;

	diff_begin(&b);
	diff_check_tracks(&b, &one, &other, true,
			  "walk: 1 track compared, 1 differs\n"
			  "  node  property  largest  rms        at\n"
			  "  Hips  position  0.05 m   0.02887 m  0.5 s\n"
			  "worst: 0.05 m, Hips position at 0.5 s\n");
}

TEST(compare_limits, "a limit that is not passed makes the same sides of them, one that is does not")
{
	static const float peak[] = {0, 0, 0, 0.03f, 0.04f, 0, 0, 0, 0};
	struct anim_track one = diff_curve("position", ANIM_FLOAT3, diff_flat),
			  other = diff_curve("position", ANIM_FLOAT3, peak);
	static const struct {
		const char *limits;
		bool differ;
	} cases[] = {{"5.1cm", false},           {"49mm", true},       {"position=51mm", false},
		     {"position=49mm,1m", true}, {"1m,1deg", false},   {"scale=100%,1deg", true},
		     {"*=0.1m", false},          {"0.1%,5.1cm", false}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diff_bench b;

		diff_begin(&b);
		CHECK(anim_limits_parse(&b.options.limits, cases[i].limits, &b.error) == 0);
		diff_track(&b, 0, &one);
		diff_track(&b, 1, &other);
		diff_finish(&b);
		CHECKF(!b.failed && b.differ == cases[i].differ, "%s: %d", cases[i].limits, b.differ);
	}
}

TEST(compare_limits_read, "limits have a number and a unit that suits the property; all else is refused")
{
	static const char *const bad[] = {"",      "1furlong",     "-1mm",          "mm",       "=1",   "1mm,",
					  "1e999", "rotation=1mm", "position=1deg", "scale=1m", "1 mm", "0x1",
					  "7",     "position=7"};
	struct anim_limits limits = {.count = 0};
	struct anim_error error = {0};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct anim_limits none = {.count = 0};

		CHECKF(anim_limits_parse(&none, bad[i], &error) != 0 && error.message[0] != '\0', "'%s'", bad[i]);
	}
	CHECK(anim_limits_parse(&limits, "2mm,1rad,5%,7px,rotation=0.5deg,20ms", &error) == 0);
	CHECK(anim_limits_find(&limits, ANIM_UNIT_LENGTH, "position") == 0.002);
	CHECK(anim_limits_find(&limits, ANIM_UNIT_ANGLE, "rotation") == 0.5);
	CHECK(anim_limits_find(&limits, ANIM_UNIT_ANGLE, "euler") == 0.5);
	CHECK(anim_limits_find(&limits, ANIM_UNIT_PLAIN, "scale") == 0.05);
	CHECK(anim_limits_find(&limits, ANIM_UNIT_PIXELS, "position") == 7);
	CHECK(anim_limits_find(&limits, ANIM_UNIT_KEYS, "@method") == 0);
	CHECK(anim_limits_find(&limits, ANIM_UNIT_TIME, "") == 0.02);
}

TEST(compare_turns, "rotations differ by the angle between them, whatever their signs and their spelling")
{
	static const float degrees[] = {0, 0, 0, 0, 90, 0, 0, 0, 0};
	static const float turns[] = {0, 0, 0, -1, 0, -0.70710678f, 0, -0.70710678f, 0, 0, 0, 1};
	struct anim_track one = diff_curve("euler", ANIM_FLOAT3, degrees),
			  other = diff_curve("rotation", ANIM_FLOATQ, turns);
	struct diff_bench b;

	one.flags = ANIM_DEGREES;
	one.interp = other.interp = ANIM_HOLD;
	diff_begin(&b);
	CHECK(anim_limits_parse(&b.options.limits, "0.001deg", &b.error) == 0);
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &other);
	diff_finish(&b);
	CHECKF(!b.failed && !b.differ, "%s%s", b.error.message, b.text);
	diff_begin(&b);
	one.flags = 0; /* 90 radians */
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &other);
	CHECKF(strstr(diff_finish(&b), "Hips  euler     26.62 deg") != NULL && b.differ, "%s", b.text);
}

TEST(compare_steps,
     "a step that comes a rounding later is none, one that comes a frame later is, and so is the last pose")
{
	static const uint8_t switches[] = {0, 1, 1}, last[] = {0, 1, 0};
	static const float near[] = {0, 0.50000006f, 1}, far[] = {0, 0.52f, 1};
	struct anim_track one = diff_curve("visible", ANIM_BOOL, switches), other = one;
	struct diff_bench b;

	one.kind = other.kind = ANIM_DISCRETE;
	one.interp = other.interp = ANIM_HOLD;
	other.time = near;
	diff_begin(&b);
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &other);
	diff_finish(&b);
	CHECKF(!b.failed && !b.differ, "%s", b.text);
	other.time = far;
	diff_begin(&b);
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &other);
	diff_finish(&b);
	diff_check_row(&b, "  Hips  visible   1        0.1414  0.5 s\n");
	one.rules = other.rules = ANIM_RULES_UNITY; /* Resonite never comes to a key at the end */
	other.time = diff_halves;
	other.value = last;
	for (int loop = 0; loop < 2; loop++) {
		diff_begin(&b);
		b.clips[0].loop = loop == 1 ? ANIM_LOOP_WRAP : ANIM_LOOP_NONE;
		diff_track(&b, 0, &one);
		diff_track(&b, 1, &other);
		diff_finish(&b);
		CHECKF(!b.failed && b.differ == (loop == 0), "%s", b.text);
	}
}

TEST(compare_switches, "a switch and Unity's curve of it are the same, on from 0.5 up; percent and fractions, too")
{
	static const uint8_t switches[] = {0, 1, 1};
	static const float numbers[] = {0, 0.5f, 2}, percent[] = {0, 50, 200};
	struct anim_track one = diff_curve("visible", ANIM_BOOL, switches),
			  other = diff_curve("visible", ANIM_FLOAT, numbers);
	struct anim_track half = diff_curve("blend_shape/Smile", ANIM_FLOAT, numbers), fifty = half;
	struct diff_bench b;

	one.kind = other.kind = ANIM_DISCRETE;
	one.interp = other.interp = ANIM_HOLD;
	half.interp = ANIM_HOLD;
	fifty.interp = ANIM_HOLD;
	fifty.value = percent;
	fifty.flags = ANIM_PERCENT;
	diff_begin(&b);
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &other);
	diff_track(&b, 0, &half);
	diff_track(&b, 1, &fifty);
	diff_finish(&b);
	CHECKF(!b.failed && !b.differ && strstr(b.text, "walk: 2 tracks compared\n") != NULL, "%s", b.text);
}

TEST(compare_curved_switches, "two switches that are curves differ only where one is on and the other is not")
{
	static const float weak[] = {0, 0.5f, 2}, strong[] = {0.25f, 1, 1};
	struct anim_track one = diff_curve("visible", ANIM_FLOAT, weak),
			  other = diff_curve("visible", ANIM_FLOAT, strong);
	struct diff_bench b;

	one.kind = other.kind = ANIM_DISCRETE;
	one.interp = other.interp = ANIM_HOLD;
	diff_begin(&b);
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &other);
	diff_finish(&b);
	CHECKF(!b.failed && !b.differ, "%s", b.text);
}

TEST(compare_texts, "texts are compared key by key: other texts, and keys of one side alone")
{
	static const char *const one[] = {"a", "b", "c"}, *const other[] = {"a", "x", "c"};
	static const float times[] = {0, 0.5f, 0.75f};
	struct anim_track t = axs_strings(), u;
	struct anim_strings strings;
	struct diff_bench b;

	t.n = 3;
	t.time = diff_halves;
	diff_begin(&b);
	t.strings = sample_strings(3, one);
	diff_track(&b, 0, &t);
	u = t;
	strings = *sample_strings(3, other);
	u.strings = &strings;
	u.time = times;
	diff_track(&b, 1, &u);
	diff_finish(&b);
	diff_check_row(&b, "3 keys   0.5 s\n"); /* b against x, x at 0.75 s and c at 1 s */
}

TEST(compare_types, "what cannot be compared differs, and says why")
{
	struct anim_track one = diff_curve("size", ANIM_FLOAT3, diff_flat),
			  other = diff_curve("size", ANIM_FLOAT2, diff_flat);
	struct diff_bench b;

	diff_begin(&b);
	diff_check_tracks(&b, &one, &other, true,
			  "walk: 1 track compared, 1 differs\n"
			  "  node  property  notes\n"
			  "  Hips  size      float3 against float2\n");
}

TEST(compare_not_finite, "a value that is no number differs from any number, and not from another one")
{
	static const float numbers[] = {0, NAN, 0, 1, 1, 1};

	for (int same = 0; same < 2; same++) {
		struct anim_track one = diff_curve("size", ANIM_FLOAT, numbers), other = one;
		struct diff_bench b;

		other.value = same == 1 ? numbers : numbers + 3;
		diff_begin(&b);
		diff_track(&b, 0, &one);
		diff_track(&b, 1, &other);
		diff_finish(&b);
		CHECKF(!b.failed && b.differ == (same == 0), "%s", b.text);
	}
}

TEST(compare_json, "the document holds every track, numbers in full and what stands on one side alone")
{
	static const float peak[] = {0, 0, 0, 0.25f, 0, 0, 0, 0, 0};
	struct anim_track one = diff_curve("position", ANIM_FLOAT3, diff_flat),
			  other = diff_curve("position", ANIM_FLOAT3, peak);
	struct diff_bench b;

	diff_begin(&b);
	b.options.json = true;
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &other);
	one.node = "Gone";
	diff_track(&b, 0, &one);
	diff_finish(&b);
	diff_check_row(&b, "{\"a\":\"a.axs\",\"b\":\"b.axs\",\"clips\":[\n{\"a\":{\"name\":\"walk\",\"player\":null,"
			   "\"start\":0,\"end\":1,\"loop\":\"none\"}");
	diff_check_row(
	    &b,
	    "{\"status\":\"differs\",\"a\":{\"node\":\"Hips\",\"property\":\"position\",\"component\":null},"
	    "\"b\":{\"node\":\"Hips\",\"property\":\"position\",\"component\":null},\"unit\":\"m\",\"largest\":0.25,");
	diff_check_row(&b, "\"at\":0.5,\"limit\":0,\"note\":null}");
	diff_check_row(
	    &b,
	    "{\"status\":\"only-a\",\"a\":{\"node\":\"Gone\",\"property\":\"position\",\"component\":null},\"b\":null,"
	    "\"note\":null}");
	diff_check_row(
	    &b, "\"counts\":{\"clips\":1,\"clips_only_a\":0,\"clips_only_b\":0,\"same\":0,\"within\":0,\"differs\":1,"
		"\"types\":0,\"only-a\":1,\"only-b\":0},\"differs\":true}\n");
}

TEST(compare_json_names, "names of any length are whole in the document, and those of files are UTF-8")
{
	char name[1000], wanted[1100];
	struct anim_track one = diff_curve("size", ANIM_FLOAT3, diff_flat), other = one;
	static const float peak[] = {0, 0, 0, 0.25f, 0, 0, 0, 0, 0};
	struct diff_bench b;

	for (size_t i = 0; i + 3 < sizeof name; i += 3)
		memcpy(name + i, "\xe3\x81\xb8", 4);
	one.node = other.node = name;
	other.value = peak;
	diff_begin(&b);
	b.options.json = true;
	b.options.names[1] = "b\xff.axs";
	b.clips[0].name = b.clips[1].name = name;
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &other);
	diff_finish(&b);
	diff_check_row(&b, "\"b\":\"b\\\\xff.axs\"");
	snprintf(wanted, sizeof wanted, "\"track\":\"%s size\"}]", name);
	diff_check_row(&b, wanted);
	snprintf(wanted, sizeof wanted, "\"at\":0.5,\"clip\":\"%s\"", name);
	diff_check_row(&b, wanted);
}

TEST(compare_unplayed, "a track that nobody can play is told, and the others are compared")
{
	struct anim_track raw = axs_raw(), one = diff_curve("position", ANIM_FLOAT3, diff_flat);
	struct diff_bench b;

	diff_begin(&b);
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &one);
	diff_track(&b, 0, &raw);
	raw.rate_num = raw.rate_den = 0;
	diff_track(&b, 1, &raw);
	diff_finish(&b);
	diff_check_row(&b, "walk: 2 tracks compared, 1 differs\n");
	diff_check_row(&b, "the interval of its samples is unknown. Set it with \n");
}

TEST(compare_bare_samples, "samples that nobody can play are the same where each is, and off by the one that is not")
{
	static const float values[] = {1, 2, 3, 4}, others[] = {1, 2, 3.5f, 4};

	for (int same = 0; same < 2; same++) {
		struct anim_track one = axs_raw(), other;
		struct diff_bench b;

		one.type = ANIM_FLOAT;
		one.n = 4;
		one.rate_num = one.rate_den = 0;
		one.value = values;
		other = one;
		other.value = same == 1 ? values : others;
		diff_begin(&b);
		diff_track(&b, 0, &one);
		diff_track(&b, 1, &other);
		diff_finish(&b);
		diff_check_row(&b, same == 1 ? "  0        0\n" : "  0.5      0.25  0 s\n");
		CHECK(b.differ == (same == 0));
	}
}

TEST(compare_long, "a clip of years is compared in a moment, at its keys and between them")
{
	static const float ages[] = {0, 1e9f, 2e9f}, peak[] = {0, 0, 0, 1, 0, 0, 0, 0, 0};
	struct anim_track one = diff_curve("position", ANIM_FLOAT3, diff_flat),
			  other = diff_curve("position", ANIM_FLOAT3, peak);
	struct diff_bench b;

	one.time = other.time = ages;
	diff_begin(&b);
	b.clips[0].end_s = b.clips[1].end_s = 2e9f;
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &other);
	diff_finish(&b);
	diff_check_row(&b, "  Hips  position  1 m      0.5774 m  1000000000 s\n");
}
