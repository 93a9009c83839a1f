/* compare_match.c: which tracks and clips anim-diff holds against each other, and what it brings over for that. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axs.h"
#include "compare_help.h"
#include "sample_help.h"
#include "tap.h"

TEST(compare_names, "tracks are matched by their paths first, and what is left by last names, a bone's own")
{
	struct anim_track one = diff_curve("position", ANIM_FLOAT3, diff_flat), two = one, third = one;
	struct diff_bench b;

	one.node = "A/Skeleton3D:Hips";
	two.node = "Skin/Hips";
	third.node = "Gone";
	diff_begin(&b);
	diff_track(&b, 0, &one);
	diff_track(&b, 0, &third);
	diff_track(&b, 0, &two);
	one.node = "B/Hips";
	diff_track(&b, 1, &two);
	diff_track(&b, 1, &one);
	diff_finish(&b);
	diff_check_row(&b, "walk: 2 tracks compared, 1 only in a.axs\n");
	diff_check_row(&b, "A/Skeleton3D:Hips  position  0 m      0 m  against B/Hips\n");
	diff_check_row(&b, "Gone               position                only in a.axs\n");
	diff_check_row(&b, "Skin/Hips          position  0 m      0 m\n");
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
	struct anim_track t = diff_curve("position", ANIM_FLOAT3, diff_flat);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diff_bench b;

		diff_begin(&b);
		b.options.match = cases[i].match;
		t.node = "A/Hips";
		diff_track(&b, 0, &t);
		t.node = "B/Hips";
		diff_track(&b, 0, &t);
		diff_track(&b, 1, &t);
		t.node = "Hips";
		diff_track(&b, 1, &t);
		diff_finish(&b);
		diff_check_row(&b, cases[i].text);
	}
}

TEST(compare_components, "single lanes are joined with the rest of their node, and a lane without is said")
{
	static const float up[] = {1, 2, 3}, whole[] = {4, 1, 6, 4, 2, 6, 4, 3, 6};
	struct anim_node nodes[2] = {axs_node(0), axs_node(1)};
	struct anim_track component = diff_curve("position", ANIM_FLOAT, up),
			  all = diff_curve("position", ANIM_FLOAT3, whole);
	struct diff_bench b;

	component.component = 1;
	nodes[1].path = component.node = all.node = "Box";
	nodes[1].has = ANIM_HAS_POSITION;
	memcpy(nodes[1].position, (const float[]){4, 5, 6}, sizeof nodes[1].position);
	diff_begin(&b);
	diff_tree(&b, 0, nodes, 2);
	diff_track(&b, 0, &component);
	diff_track(&b, 1, &all);
	diff_finish(&b);
	diff_check_row(&b, "  Box   position.y  0 m      0 m\n");
	CHECK(!b.differ);
	diff_begin(&b);
	diff_track(&b, 0, &component);
	diff_track(&b, 1, &all);
	diff_finish(&b);
	diff_check_row(&b, "the other side lacks some components\n");
	CHECK(b.differ);
}

TEST(compare_axes, "what is in other axes is brought over first, unless the numbers are wanted as they are")
{
	static const float here[] = {1, 2, 3, 1, 2, 3, 1, 2, 3}, there[] = {-1, 2, 3, -1, 2, 3, -1, 2, 3};
	struct anim_track one = diff_curve("position", ANIM_FLOAT3, here),
			  other = diff_curve("position", ANIM_FLOAT3, there);

	for (int keep = 0; keep < 2; keep++) {
		struct diff_bench b;

		diff_begin(&b);
		b.clips[0].axes = ANIM_AXES_GODOT;
		b.options.axes_keep = keep == 1;
		diff_track(&b, 0, &one);
		diff_track(&b, 1, &other);
		diff_finish(&b);
		diff_check_row(&b, keep == 1 ? "Hips  position  2 m      2 m  0 s" : "Hips  position  0 m      0 m\n");
		CHECK(b.differ == (keep == 1));
	}
}

TEST(compare_starts, "clips count from their own starts")
{
	static const float later[] = {10, 10.5f, 11}, rise[] = {0, 0, 0, 1, 1, 1, 0, 0, 0};
	struct anim_track one = diff_curve("position", ANIM_FLOAT3, rise), other = one;
	struct diff_bench b;

	other.time = later;
	diff_begin(&b);
	b.clips[1].start_s = 10;
	b.clips[1].end_s = 11;
	diff_check_tracks(&b, &one, &other, false,
			  "walk: 1 track compared\n"
			  "  node  property  largest  rms\n"
			  "  Hips  position  0 m      0 m\n");
}

TEST(compare_rests, "what one side has relative to its rest is made absolute for a side that is not")
{
	static const float bit[] = {1, 0, 0, 1, 0, 0, 1, 0, 0}, sum[] = {5, 5, 6, 5, 5, 6, 5, 5, 6};
	struct anim_node nodes[2] = {axs_node(0), axs_node(1)};
	struct anim_track one = diff_curve("position", ANIM_FLOAT3, bit),
			  other = diff_curve("position", ANIM_FLOAT3, sum);
	struct diff_bench b;

	nodes[1].path = "Hips";
	nodes[1].has = ANIM_HAS_POSITION;
	memcpy(nodes[1].position, (const float[]){4, 5, 6}, sizeof nodes[1].position);
	one.flags = ANIM_REST_RELATIVE;
	diff_begin(&b);
	diff_tree(&b, 0, nodes, 2);
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &other);
	diff_finish(&b);
	CHECKF(!b.failed && !b.differ, "%s", b.text);
	diff_begin(&b);
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &other);
	diff_finish(&b);
	diff_check_row(&b, "relative to an unknown rest pose\n");
}

TEST(compare_guesses, "names that fit several tracks are taken in their order, and that is told")
{
	struct anim_track t = diff_curve("position", ANIM_FLOAT3, diff_flat);
	struct diff_bench b;

	diff_begin(&b);
	t.node = "A/Hips";
	diff_track(&b, 0, &t);
	t.node = "B/Hips";
	diff_track(&b, 1, &t);
	t.node = "C/Hips";
	diff_track(&b, 1, &t);
	b.kept = true;
	diff_finish(&b);
	diff_check_row(&b, "  A/Hips  position  0 m      0 m  against B/Hips\n");
	CHECK(b.diagnostics.warnings == 1 &&
	      strcmp(b.diagnostics.items[0].text, "clip 'walk': the last names of 1 track match several others, "
						  "and these were matched in order") == 0);
	anim_diagnostics_clear(&b.diagnostics);
}

TEST(compare_flat, "positions of Godot's two dimensions are off by pixels, as far as they are apart")
{
	static const float pixels[] = {100, 200, 100, 200, 100, 200}, moved[] = {103, 204, 103, 204, 103, 204};
	struct anim_track one = diff_curve("position", ANIM_FLOAT2, pixels),
			  other = diff_curve("position", ANIM_FLOAT2, moved);
	struct diff_bench b;

	diff_begin(&b);
	for (int i = 0; i < 2; i++) {
		b.clips[i].axes = ANIM_AXES_GODOT;
		b.clips[i].axes2d = ANIM_AXES2D_GODOT;
	}
	diff_track(&b, 0, &one);
	diff_track(&b, 1, &other);
	diff_finish(&b);
	diff_check_row(&b, "  Hips  position  5 px     5 px  0 s\n");
}

TEST(compare_left_out, "disabled tracks and tracks without keys are not there, on whichever side")
{
	struct anim_track one = diff_curve("position", ANIM_FLOAT3, diff_flat),
			  other = diff_curve("scale", ANIM_FLOAT3, diff_flat);
	struct diff_bench b;

	one.flags = ANIM_DISABLED;
	other.n = 0;
	diff_begin(&b);
	diff_check_tracks(&b, &one, &other, false, "walk: 0 tracks compared\n");
}

TEST(compare_lengths, "clips of other lengths differ, by more than rounding or their limit")
{
	static const struct {
		float end_s;
		const char *limits;
		bool differ;
	} cases[] = {{1.0000001f, NULL, false},    {1.01f, NULL, true},    {1.01f, "20ms", false},
		     {1.01f, "1mm,1deg,1%", true}, {1.001f, "1ms", false}, {1.0011f, "1ms", true}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct anim_track t = diff_curve("position", ANIM_FLOAT3, diff_flat);
		struct diff_bench b;

		diff_begin(&b);
		if (cases[i].limits != NULL)
			CHECK(anim_limits_parse(&b.options.limits, cases[i].limits, &b.error) == 0);
		b.clips[1].end_s = cases[i].end_s;
		diff_track(&b, 0, &t);
		diff_track(&b, 1, &t);
		diff_finish(&b);
		CHECKF(!b.failed && b.differ == cases[i].differ, "%zu: %s", i, b.text);
	}
}

TEST(compare_same_names, "of two tracks that Resonite calls alike each is held against the one of its own name")
{
	static const float turns[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	struct anim_track euler = diff_curve("euler", ANIM_FLOAT3, diff_flat);
	struct anim_track rotation = diff_curve("rotation", ANIM_FLOATQ, turns);
	struct diff_bench b;

	diff_begin(&b);
	diff_track(&b, 0, &euler);
	diff_track(&b, 0, &rotation);
	diff_track(&b, 1, &rotation);
	diff_track(&b, 1, &euler);
	diff_finish(&b);
	diff_check_row(&b, "  Hips  euler     0 deg    0 deg\n  Hips  rotation  0 deg    0 deg\n");
}

TEST(compare_one_name, "of two tracks of which a format makes one name the first is the first")
{
	static const float turned[] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0},
			   still[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	struct anim_track euler = diff_curve("euler", ANIM_FLOAT3, diff_flat);
	struct anim_track rotation = diff_curve("rotation", ANIM_FLOATQ, turned);
	struct anim_track made = diff_curve("rotation", ANIM_FLOATQ, still);
	struct diff_bench b;

	diff_begin(&b);
	diff_track(&b, 0, &euler);
	diff_track(&b, 0, &rotation);
	diff_track(&b, 1, &made);
	diff_track(&b, 1, &rotation);
	diff_finish(&b);
	CHECKF(!b.failed && !b.differ, "%s%s", b.error.message, b.text);
}

TEST(compare_engine_names, "what Unity or Godot 3 call otherwise is one property, and of two components the right one")
{
	static const struct {
		const char *class, *field, *godot;
	} cases[] = {{"108", "m_Intensity", "light_energy"},
		     {"108", "m_Range", "spot_range"},
		     {"108", "m_Range", "omni_range"},
		     {"20", "field of view", "fov"},
		     {"", "margin_left", "offset_left"},
		     {"", "material:shader_param/heat", "material:shader_parameter/heat"}};
	struct anim_attr attr = {.key = "unity.class"};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct anim_track unity = diff_curve(cases[i].field, ANIM_FLOAT, diff_flat);
		struct anim_track godot = diff_curve(cases[i].godot, ANIM_FLOAT, diff_flat);
		char wanted[80];
		struct diff_bench b;

		attr.value = cases[i].class;
		unity.attrs = (struct anim_attrs){.items = &attr, .count = *attr.value != '\0'};
		snprintf(wanted, sizeof wanted, "against %s\n", cases[i].godot);
		diff_begin(&b);
		diff_track(&b, 0, &unity);
		diff_track(&b, 1, &godot);
		diff_finish(&b);
		diff_check_row(&b, wanted);
		CHECKF(!b.differ, "%s", b.text);
		if (*attr.value == '\0')
			continue;
		attr.value = "114"; /* a script's field that is called so by chance */
		diff_begin(&b);
		diff_track(&b, 0, &unity);
		diff_track(&b, 1, &godot);
		diff_finish(&b);
		diff_check_row(&b, "walk: 0 tracks compared, 1 only in a.axs, 1 only in b.axs\n");
	}
}

TEST(compare_dotted_names, "a name that ends in a lane is that lane, whichever reader took it apart")
{
	struct anim_track name = diff_curve("RootT.y", ANIM_FLOAT, diff_flat);
	struct anim_track component = diff_curve("RootT", ANIM_FLOAT, diff_flat);
	struct diff_bench b;

	component.component = 1;
	for (int turned = 0; turned < 2; turned++) {
		diff_begin(&b);
		diff_track(&b, turned, &name);
		diff_track(&b, !turned, &component);
		diff_finish(&b);
		diff_check_row(&b, "  Hips  RootT.y   0        0\n");
		CHECK(!b.differ);
	}
}

TEST(compare_flat_unit, "pixels are pixels whichever side says so, and the limit is that of positions")
{
	static const float pixels[] = {100, 200, 100, 200, 100, 200}, moved[] = {103, 204, 103, 204, 103, 204};
	struct anim_track scene = diff_curve("position", ANIM_FLOAT2, pixels);
	struct anim_track field = diff_curve("Position", ANIM_FLOAT2, moved);

	for (int first = 0; first < 2; first++) {
		struct diff_bench b;

		diff_begin(&b);
		CHECK(anim_limits_parse(&b.options.limits, "position=7px", &b.error) == 0);
		b.clips[first].axes2d = ANIM_AXES2D_GODOT;
		b.clips[!first].axes = ANIM_AXES_UNKNOWN; /* other engines have units, of which one is 100 pixels */
		diff_track(&b, first, &scene);
		diff_track(&b, !first, &field);
		diff_finish(&b);
		diff_check_row(&b, "5 px     5 px  0 s  7 px");
		CHECK(!b.differ);
	}
}

/* A position in single components, against all of it in Unity. */
static void add_components(struct diff_bench *b, unsigned components, const float *values)
{
	static const float there[] = {-1, 2, 3, -1, 2, 3, -1, 2, 3};
	struct anim_track component = diff_curve("position", ANIM_FLOAT, NULL);
	struct anim_track unity = diff_curve("position", ANIM_FLOAT3, there);

	diff_begin(b);
	b->clips[0].axes = ANIM_AXES_GODOT;
	b->clips[0].axes2d = ANIM_AXES2D_GODOT;
	b->clips[1].axes = ANIM_AXES_UNITY;
	b->clips[1].axes2d = ANIM_AXES2D_UNITY;
	component.rules = ANIM_RULES_GODOT4;
	for (uint8_t i = 0; i < components; i++) {
		component.component = i;
		component.value = values + 3 * (size_t)i;
		diff_track(b, 0, &component);
	}
	diff_track(b, 1, &unity);
	diff_finish(b);
}

TEST(compare_spatial_components, "three single lanes of a position are of three dimensions, though no tree says so")
{
	static const float x_y_z[] = {1, 1, 1, 2, 2, 2, 3, 3, 3};
	struct diff_bench b;

	add_components(&b, 3, x_y_z);
	diff_check_row(&b, "  Hips  position  0 m      0 m\n");
	CHECK(!b.differ);
}

TEST(compare_ppu, "pixels become units by as many as the options say")
{
	static const float pixels[] = {16, 32, 16, 32, 16, 32}, units[] = {1, -2, 1, -2, 1, -2};
	struct anim_track godot = diff_curve("position", ANIM_FLOAT2, pixels);
	struct anim_track unity = diff_curve("position", ANIM_FLOAT2, units);

	for (int fits = 0; fits < 2; fits++) {
		struct diff_bench b;

		diff_begin(&b);
		if (fits == 1)
			b.options.ppu = 16;
		b.clips[0].axes = ANIM_AXES_GODOT;
		b.clips[0].axes2d = ANIM_AXES2D_GODOT;
		b.clips[1].axes = ANIM_AXES_UNITY;
		b.clips[1].axes2d = ANIM_AXES2D_UNITY;
		diff_track(&b, 0, &godot);
		diff_track(&b, 1, &unity);
		diff_finish(&b);
		CHECKF(!b.failed && b.differ == (fits == 0), "%s%s", b.error.message, b.text);
	}
}
