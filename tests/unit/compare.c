/* compare.c: how far two animations built by hand are found to be apart. */
#include "filter/compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axs.h"
#include "sample_help.h"
#include "tap.h"

#define TEXT_MAX 8192

/* Two sides that grow, and what was found in the end. */
struct bench {
	struct anim_compare_options options;
	struct anim_compare *compare;
	struct anim_losses losses;
	struct anim_error error;
	struct anim_clip clips[2];
	bool begun[2], failed, differ;
	bool kept; /* the losses are the test's to clear */
	char text[TEXT_MAX];
};

/* Clips "walk" from 0 to 1 s in resonite axes; what is set in options counts from the first record on. */
static void begin(struct bench *b)
{
	memset(b, 0, sizeof *b);
	b->options = (struct anim_compare_options){.names = {"a.axs", "b.axs"},
						   .rate_num = 60,
						   .rate_den = 1,
						   .ppu = ANIM_AXES_PPU,
						   .store_memory = 1 << 16,
						   .all_tracks = true,
						   .losses = &b->losses};
	for (int i = 0; i < 2; i++) {
		b->clips[i] = axs_clip();
		b->clips[i].axes = ANIM_AXES_RESONITE;
		b->clips[i].loop = ANIM_LOOP_NONE;
	}
}

static struct anim_sink *side(struct bench *b, int number)
{
	if (b->compare == NULL)
		b->compare = anim_compare_new(&b->options, &b->error);
	return anim_compare_input(b->compare, number);
}

static void clip(struct bench *b, int number)
{
	b->failed = b->failed || anim_sink_clip(side(b, number), &b->clips[number], &b->error) != 0;
	b->begun[number] = true;
}

static void track(struct bench *b, int number, const struct anim_track *t)
{
	if (!b->begun[number])
		clip(b, number);
	CHECKF(anim_track_validate(t, &b->error) == 0, "%s", b->error.message);
	b->failed = b->failed || anim_sink_track(side(b, number), t, &b->error) != 0;
}

static void tree(struct bench *b, int number, const struct anim_node *nodes, size_t count)
{
	struct anim_tree head = axs_tree();

	head.axes = b->clips[number].axes;
	b->failed = b->failed || anim_sink_tree(side(b, number), &head, &b->error) != 0;
	for (size_t i = 0; i < count; i++)
		b->failed = b->failed || anim_sink_node(side(b, number), &nodes[i], &b->error) != 0;
	b->clips[number].flags |= ANIM_IN_TREE;
}

static const char *finish(struct bench *b)
{
	struct anim_output *out = NULL;
	const uint8_t *bytes;
	size_t size;

	for (int i = 0; i < 2; i++)
		b->failed = b->failed || anim_sink_end(side(b, i), &b->error) != 0;
	CHECK(anim_output_open_memory(&out, &b->error) == 0);
	b->failed = b->failed || anim_compare_run(b->compare, out, &b->differ, &b->error) != 0;
	bytes = anim_output_memory(out, &size);
	memcpy(b->text, bytes, size < TEXT_MAX ? size : TEXT_MAX - 1);
	anim_output_free(out);
	anim_compare_free(b->compare);
	if (!b->kept)
		anim_losses_clear(&b->losses);
	return b->text;
}

/* Two clips of one track each: all that is printed, and whether they differ. */
static void check_tracks(struct bench *b, const struct anim_track *one, const struct anim_track *other, bool differ,
			 const char *wanted)
{
	track(b, 0, one);
	track(b, 1, other);
	finish(b);
	CHECKF(!b->failed, "%s", b->error.message);
	CHECKF(strcmp(b->text, wanted) == 0 && b->differ == differ, "differ %d:\n%s", b->differ, b->text);
}

static const float halves[] = {0, 0.5f, 1};
static const float flat[] = {0, 0, 0, 0, 0, 0, 0, 0, 0};

static struct anim_track curve(const char *property, enum anim_type type, const void *value)
{
	struct anim_track t = sample_curve(ANIM_RULES_RESONITE, ANIM_LINEAR, type, 3, halves, value);

	t.node = "Hips";
	t.property = property;
	return t;
}

TEST(compare_planted, "an error planted at a key is found with its size, its place and its mean square")
{
	static const float peak[] = {0, 0, 0, 0.03f, 0.04f, 0, 0, 0, 0};
	struct anim_track one = curve("position", ANIM_FLOAT3, flat), other = curve("position", ANIM_FLOAT3, peak);
	struct bench b;

	begin(&b);
	check_tracks(&b, &one, &other, true,
		     "walk: 1 track compared, 1 differs\n"
		     "  node  property  largest  rms        at\n"
		     "  Hips  position  0.05 m   0.02887 m  0.5 s\n"
		     "worst: 0.05 m, Hips position at 0.5 s\n");
}

TEST(compare_limits, "a limit that is not passed makes the same sides of them, one that is does not")
{
	static const float peak[] = {0, 0, 0, 0.03f, 0.04f, 0, 0, 0, 0};
	struct anim_track one = curve("position", ANIM_FLOAT3, flat), other = curve("position", ANIM_FLOAT3, peak);
	static const struct {
		const char *limits;
		bool differ;
	} cases[] = {{"5.1cm", false},  {"49mm", true},         {"position=0.051", false}, {"position=49mm,1m", true},
		     {"1,1deg", false}, {"scale=1,1deg", true}, {"*=0.1m", false},         {"0.001,5.1cm", false}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench b;

		begin(&b);
		CHECK(anim_limits_parse(&b.options.limits, cases[i].limits, &b.error) == 0);
		track(&b, 0, &one);
		track(&b, 1, &other);
		finish(&b);
		CHECKF(!b.failed && b.differ == cases[i].differ, "%s: %d", cases[i].limits, b.differ);
	}
}

TEST(compare_limits_read, "limits have a number and a unit that suits the property; all else is refused")
{
	static const char *const bad[] = {"",      "1furlong",     "-1mm",          "mm",       "=1",   "1mm,",
					  "1e999", "rotation=1mm", "position=1deg", "scale=1m", "1 mm", "0x1"};
	struct anim_limits limits = {.count = 0};
	struct anim_error error = {0};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct anim_limits none = {.count = 0};

		CHECKF(anim_limits_parse(&none, bad[i], &error) != 0 && error.message[0] != '\0', "'%s'", bad[i]);
	}
	CHECK(anim_limits_parse(&limits, "2mm,1rad,5%,7,rotation=0.5deg,20ms", &error) == 0);
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
	struct anim_track one = curve("euler", ANIM_FLOAT3, degrees), other = curve("rotation", ANIM_FLOATQ, turns);
	struct bench b;

	one.flags = ANIM_DEGREES;
	one.interp = other.interp = ANIM_HOLD;
	begin(&b);
	CHECK(anim_limits_parse(&b.options.limits, "0.001deg", &b.error) == 0);
	track(&b, 0, &one);
	track(&b, 1, &other);
	finish(&b);
	CHECKF(!b.failed && !b.differ, "%s%s", b.error.message, b.text);
	begin(&b);
	one.flags = 0; /* 90 radians */
	track(&b, 0, &one);
	track(&b, 1, &other);
	CHECKF(strstr(finish(&b), "Hips  euler     26.62 deg") != NULL && b.differ, "%s", b.text);
}

/* Whether the text has a row for the first side's node that says this of the second's. */
static void check_row(const struct bench *b, const char *part)
{
	CHECKF(!b->failed && strstr(b->text, part) != NULL, "'%s' is not in\n%s%s", part, b->text, b->error.message);
}

TEST(compare_names, "tracks are matched by their paths first, and what is left by last names, a bone's own")
{
	struct anim_track one = curve("position", ANIM_FLOAT3, flat), two = one, third = one;
	struct bench b;

	one.node = "A/Skeleton3D:Hips";
	two.node = "Skin/Hips";
	third.node = "Gone";
	begin(&b);
	track(&b, 0, &one);
	track(&b, 0, &third);
	track(&b, 0, &two);
	one.node = "B/Hips";
	track(&b, 1, &two);
	track(&b, 1, &one);
	finish(&b);
	check_row(&b, "walk: 2 tracks compared, 1 only in a.axs\n");
	check_row(&b, "A/Skeleton3D:Hips  position  0 m      0 m  against B/Hips\n");
	check_row(&b, "Gone               position                only in a.axs\n");
	check_row(&b, "Skin/Hips          position  0 m      0 m\n");
	CHECK(b.differ);
}

TEST(compare_match, "--match takes paths alone, names alone, or the order alone")
{
	static const struct {
		enum anim_compare_match match;
		const char *text;
	} cases[] = {
	    {ANIM_MATCH_PATH, "walk: 1 track compared, 1 only in a.axs, 1 only in b.axs\n"},
	    {ANIM_MATCH_NAME, "  A/Hips  position  0 m      0 m  against B/Hips\n"},
	    {ANIM_MATCH_INDEX,
	     "  A/Hips  position  0 m      0 m  against B/Hips\n  B/Hips  position  0 m      0 m  against Hips\n"},
	};
	struct anim_track t = curve("position", ANIM_FLOAT3, flat);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench b;

		begin(&b);
		b.options.match = cases[i].match;
		t.node = "A/Hips";
		track(&b, 0, &t);
		t.node = "B/Hips";
		track(&b, 0, &t);
		track(&b, 1, &t);
		t.node = "Hips";
		track(&b, 1, &t);
		finish(&b);
		check_row(&b, cases[i].text);
	}
}

TEST(compare_lanes, "single lanes are joined with the rest of their node, and a lane without is said")
{
	static const float up[] = {1, 2, 3}, whole[] = {4, 1, 6, 4, 2, 6, 4, 3, 6};
	struct anim_node nodes[2] = {axs_node(0), axs_node(1)};
	struct anim_track lane = curve("position", ANIM_FLOAT, up), all = curve("position", ANIM_FLOAT3, whole);
	struct bench b;

	lane.component = 1;
	nodes[1].path = lane.node = all.node = "Box";
	nodes[1].has = ANIM_HAS_POSITION;
	memcpy(nodes[1].position, (const float[]){4, 5, 6}, sizeof nodes[1].position);
	begin(&b);
	tree(&b, 0, nodes, 2);
	track(&b, 0, &lane);
	track(&b, 1, &all);
	finish(&b);
	check_row(&b, "  Box   position.y  0 m      0 m\n");
	CHECK(!b.differ);
	begin(&b);
	track(&b, 0, &lane);
	track(&b, 1, &all);
	finish(&b);
	check_row(&b, "lanes of one side are not known on the other\n");
	CHECK(b.differ);
}

TEST(compare_axes, "what is in other axes is brought over first, unless the numbers are wanted as they are")
{
	static const float here[] = {1, 2, 3, 1, 2, 3, 1, 2, 3}, there[] = {-1, 2, 3, -1, 2, 3, -1, 2, 3};
	struct anim_track one = curve("position", ANIM_FLOAT3, here), other = curve("position", ANIM_FLOAT3, there);

	for (int keep = 0; keep < 2; keep++) {
		struct bench b;

		begin(&b);
		b.clips[0].axes = ANIM_AXES_GODOT;
		b.options.axes_keep = keep == 1;
		track(&b, 0, &one);
		track(&b, 1, &other);
		finish(&b);
		check_row(&b, keep == 1 ? "Hips  position  2 m      2 m  0 s" : "Hips  position  0 m      0 m\n");
		CHECK(b.differ == (keep == 1));
	}
}

TEST(compare_starts, "clips count from their own starts")
{
	static const float later[] = {10, 10.5f, 11}, rise[] = {0, 0, 0, 1, 1, 1, 0, 0, 0};
	struct anim_track one = curve("position", ANIM_FLOAT3, rise), other = one;
	struct bench b;

	other.time = later;
	begin(&b);
	b.clips[1].start_s = 10;
	b.clips[1].end_s = 11;
	check_tracks(&b, &one, &other, false,
		     "walk: 1 track compared\n"
		     "  node  property  largest  rms\n"
		     "  Hips  position  0 m      0 m\n");
}

TEST(compare_steps,
     "a step that comes a rounding later is none, one that comes a frame later is, and so is the last pose")
{
	static const uint8_t switches[] = {0, 1, 1}, last[] = {0, 1, 0};
	static const float near[] = {0, 0.50000006f, 1}, far[] = {0, 0.52f, 1};
	struct anim_track one = curve("visible", ANIM_BOOL, switches), other = one;
	struct bench b;

	one.kind = other.kind = ANIM_DISCRETE;
	one.interp = other.interp = ANIM_HOLD;
	other.time = near;
	begin(&b);
	track(&b, 0, &one);
	track(&b, 1, &other);
	finish(&b);
	CHECKF(!b.failed && !b.differ, "%s", b.text);
	other.time = far;
	begin(&b);
	track(&b, 0, &one);
	track(&b, 1, &other);
	finish(&b);
	check_row(&b, "  Hips  visible   1        0.1414  0.5 s\n");
	one.rules = other.rules = ANIM_RULES_UNITY; /* Resonite never comes to a key at the end */
	other.time = halves;
	other.value = last;
	for (int loop = 0; loop < 2; loop++) {
		begin(&b);
		b.clips[0].loop = loop == 1 ? ANIM_LOOP_WRAP : ANIM_LOOP_NONE;
		track(&b, 0, &one);
		track(&b, 1, &other);
		finish(&b);
		CHECKF(!b.failed && b.differ == (loop == 0), "%s", b.text);
	}
}

TEST(compare_switches, "a switch and Unity's curve of it are the same, on from 0.5 up; percent and fractions, too")
{
	static const uint8_t switches[] = {0, 1, 1};
	static const float numbers[] = {0, 0.5f, 2}, percent[] = {0, 50, 200};
	struct anim_track one = curve("visible", ANIM_BOOL, switches), other = curve("visible", ANIM_FLOAT, numbers);
	struct anim_track half = curve("blend_shape/Smile", ANIM_FLOAT, numbers), fifty = half;
	struct bench b;

	one.kind = other.kind = ANIM_DISCRETE;
	one.interp = other.interp = ANIM_HOLD;
	half.interp = ANIM_HOLD;
	fifty.interp = ANIM_HOLD;
	fifty.value = percent;
	fifty.flags = ANIM_PERCENT;
	begin(&b);
	track(&b, 0, &one);
	track(&b, 1, &other);
	track(&b, 0, &half);
	track(&b, 1, &fifty);
	finish(&b);
	CHECKF(!b.failed && !b.differ && strstr(b.text, "walk: 2 tracks compared\n") != NULL, "%s", b.text);
}

TEST(compare_curved_switches, "two switches that are curves differ only where one is on and the other is not")
{
	static const float weak[] = {0, 0.5f, 2}, strong[] = {0.25f, 1, 1};
	struct anim_track one = curve("visible", ANIM_FLOAT, weak), other = curve("visible", ANIM_FLOAT, strong);
	struct bench b;

	one.kind = other.kind = ANIM_DISCRETE;
	one.interp = other.interp = ANIM_HOLD;
	begin(&b);
	track(&b, 0, &one);
	track(&b, 1, &other);
	finish(&b);
	CHECKF(!b.failed && !b.differ, "%s", b.text);
}

TEST(compare_rests, "what one side has relative to its rest is made absolute for a side that is not")
{
	static const float bit[] = {1, 0, 0, 1, 0, 0, 1, 0, 0}, sum[] = {5, 5, 6, 5, 5, 6, 5, 5, 6};
	struct anim_node nodes[2] = {axs_node(0), axs_node(1)};
	struct anim_track one = curve("position", ANIM_FLOAT3, bit), other = curve("position", ANIM_FLOAT3, sum);
	struct bench b;

	nodes[1].path = "Hips";
	nodes[1].has = ANIM_HAS_POSITION;
	memcpy(nodes[1].position, (const float[]){4, 5, 6}, sizeof nodes[1].position);
	one.flags = ANIM_REST_RELATIVE;
	begin(&b);
	tree(&b, 0, nodes, 2);
	track(&b, 0, &one);
	track(&b, 1, &other);
	finish(&b);
	CHECKF(!b.failed && !b.differ, "%s", b.text);
	begin(&b);
	track(&b, 0, &one);
	track(&b, 1, &other);
	finish(&b);
	check_row(&b, "relative to a rest that no tree tells of\n");
}

TEST(compare_guesses, "names that fit several tracks are taken in their order, and that is told")
{
	struct anim_track t = curve("position", ANIM_FLOAT3, flat);
	struct bench b;

	begin(&b);
	t.node = "A/Hips";
	track(&b, 0, &t);
	t.node = "B/Hips";
	track(&b, 1, &t);
	t.node = "C/Hips";
	track(&b, 1, &t);
	b.kept = true;
	finish(&b);
	check_row(&b, "  A/Hips  position  0 m      0 m  against B/Hips\n");
	CHECK(b.losses.warnings == 1 &&
	      strcmp(b.losses.items[0].one, "clip 'walk': the last names of 1 track fit several others; "
					    "these were matched in their order") == 0);
	anim_losses_clear(&b.losses);
}

TEST(compare_flat, "positions of Godot's two dimensions are off by pixels, as far as they are apart")
{
	static const float pixels[] = {100, 200, 100, 200, 100, 200}, moved[] = {103, 204, 103, 204, 103, 204};
	struct anim_track one = curve("position", ANIM_FLOAT2, pixels), other = curve("position", ANIM_FLOAT2, moved);
	struct bench b;

	begin(&b);
	for (int i = 0; i < 2; i++) {
		b.clips[i].axes = ANIM_AXES_GODOT;
		b.clips[i].axes2d = ANIM_AXES2D_GODOT;
	}
	track(&b, 0, &one);
	track(&b, 1, &other);
	finish(&b);
	check_row(&b, "  Hips  position  5 px     5 px  0 s\n");
}

TEST(compare_texts, "texts are compared key by key: other texts, and keys of one side alone")
{
	static const char *const one[] = {"a", "b", "c"}, *const other[] = {"a", "x", "c"};
	static const float times[] = {0, 0.5f, 0.75f};
	struct anim_track t = axs_strings(), u;
	struct anim_strings strings;
	struct bench b;

	t.n = 3;
	t.time = halves;
	begin(&b);
	t.strings = sample_strings(3, one);
	track(&b, 0, &t);
	u = t;
	strings = *sample_strings(3, other);
	u.strings = &strings;
	u.time = times;
	track(&b, 1, &u);
	finish(&b);
	check_row(&b, "3 keys   0.5 s\n"); /* b against x, x at 0.75 s and c at 1 s */
}

TEST(compare_types, "what cannot be compared differs, and says why")
{
	struct anim_track one = curve("size", ANIM_FLOAT3, flat), other = curve("size", ANIM_FLOAT2, flat);
	struct bench b;

	begin(&b);
	check_tracks(&b, &one, &other, true,
		     "walk: 1 track compared, 1 differs\n"
		     "  node  property  notes\n"
		     "  Hips  size      float3 against float2\n");
}

TEST(compare_left_out, "disabled tracks and tracks without keys are not there, on whichever side")
{
	struct anim_track one = curve("position", ANIM_FLOAT3, flat), other = curve("scale", ANIM_FLOAT3, flat);
	struct bench b;

	one.flags = ANIM_DISABLED;
	other.n = 0;
	begin(&b);
	check_tracks(&b, &one, &other, false, "walk: 0 tracks compared\n");
}

TEST(compare_lengths, "clips of other lengths differ, by more than rounding or their limit")
{
	static const struct {
		float end_s;
		const char *limits;
		bool differ;
	} cases[] = {
	    {1.0000001f, NULL, false}, {1.01f, NULL, true}, {1.01f, "20ms", false}, {1.01f, "1mm,1deg,1", true}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct anim_track t = curve("position", ANIM_FLOAT3, flat);
		struct bench b;

		begin(&b);
		if (cases[i].limits != NULL)
			CHECK(anim_limits_parse(&b.options.limits, cases[i].limits, &b.error) == 0);
		b.clips[1].end_s = cases[i].end_s;
		track(&b, 0, &t);
		track(&b, 1, &t);
		finish(&b);
		CHECKF(!b.failed && b.differ == cases[i].differ, "%zu: %s", i, b.text);
	}
}

TEST(compare_not_finite, "a value that is no number differs from any number, and not from another one")
{
	static const float numbers[] = {0, NAN, 0, 1, 1, 1};

	for (int same = 0; same < 2; same++) {
		struct anim_track one = curve("size", ANIM_FLOAT, numbers), other = one;
		struct bench b;

		other.value = same == 1 ? numbers : numbers + 3;
		begin(&b);
		track(&b, 0, &one);
		track(&b, 1, &other);
		finish(&b);
		CHECKF(!b.failed && b.differ == (same == 0), "%s", b.text);
	}
}

TEST(compare_json, "the document holds every track, numbers in full and what stands on one side alone")
{
	static const float peak[] = {0, 0, 0, 0.25f, 0, 0, 0, 0, 0};
	struct anim_track one = curve("position", ANIM_FLOAT3, flat), other = curve("position", ANIM_FLOAT3, peak);
	struct bench b;

	begin(&b);
	b.options.json = true;
	track(&b, 0, &one);
	track(&b, 1, &other);
	one.node = "Gone";
	track(&b, 0, &one);
	finish(&b);
	check_row(&b, "{\"a\":\"a.axs\",\"b\":\"b.axs\",\"clips\":[\n{\"a\":{\"name\":\"walk\",\"player\":null,"
		      "\"start\":0,\"end\":1}");
	check_row(
	    &b,
	    "{\"status\":\"differs\",\"a\":{\"node\":\"Hips\",\"property\":\"position\",\"component\":null},"
	    "\"b\":{\"node\":\"Hips\",\"property\":\"position\",\"component\":null},\"unit\":\"m\",\"largest\":0.25,");
	check_row(&b, "\"at\":0.5,\"limit\":0,\"note\":null}");
	check_row(
	    &b,
	    "{\"status\":\"only-a\",\"a\":{\"node\":\"Gone\",\"property\":\"position\",\"component\":null},\"b\":null,"
	    "\"note\":null}");
	check_row(&b,
		  "\"counts\":{\"clips\":1,\"clips_only_a\":0,\"clips_only_b\":0,\"same\":0,\"within\":0,\"differs\":1,"
		  "\"types\":0,\"only-a\":1,\"only-b\":0},\"differs\":true}\n");
}

TEST(compare_unplayed, "a track that nobody can play is told, and the others are compared")
{
	struct anim_track raw = axs_raw(), one = curve("position", ANIM_FLOAT3, flat);
	struct bench b;

	raw.rate_num = raw.rate_den = 0;
	begin(&b);
	track(&b, 0, &raw);
	track(&b, 0, &one);
	track(&b, 1, &raw);
	track(&b, 1, &one);
	finish(&b);
	check_row(&b, "walk: 2 tracks compared, 1 differs\n");
	check_row(&b, "the time between its samples is not known; set it with anim-retime --rate\n");
}

TEST(compare_long, "a clip of years is compared in a moment, at its keys and between them")
{
	static const float ages[] = {0, 1e9f, 2e9f}, peak[] = {0, 0, 0, 1, 0, 0, 0, 0, 0};
	struct anim_track one = curve("position", ANIM_FLOAT3, flat), other = curve("position", ANIM_FLOAT3, peak);
	struct bench b;

	one.time = other.time = ages;
	begin(&b);
	b.clips[0].end_s = b.clips[1].end_s = 2e9f;
	track(&b, 0, &one);
	track(&b, 1, &other);
	finish(&b);
	check_row(&b, "  Hips  position  1 m      0.5774 m  1000000000 s\n");
}
