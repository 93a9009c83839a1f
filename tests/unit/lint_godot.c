/* lint_godot.c: what anim-lint --for godot finds in records built by hand. */
#include <stdio.h>

#include "axs.h"
#include "lint_help.h"

static const float quarters[] = {0, 0.25f, 0.5f, 0.75f};

/* A float curve of Box with two keys, as Godot 4 has it. */
static struct anim_track number(const char *property)
{
	static const float values[8] = {0, 1};
	struct anim_track track = axs_curve();

	track.property = property;
	track.type = ANIM_FLOAT;
	track.value = values;
	track.time = quarters;
	track.n = 2;
	track.rules = ANIM_RULES_GODOT4;
	return track;
}

/* In a clip of Godot's axes. */
static void check(const struct anim_track *track, const char *wanted)
{
	struct lint_run run;
	char whole[LINT_RUN_TEXT] = "";

	if (wanted[0] != '\0')
		snprintf(whole, sizeof whole, "a.axs: clip 'walk': %s\n", wanted);
	lint_run_begin(&run, ANIM_LINT_GODOT, false);
	run.clip.axes = ANIM_AXES_GODOT;
	run.clip.axes2d = ANIM_AXES2D_GODOT;
	lint_run_clip(&run);
	lint_run_track(&run, track);
	LINT_RUN_CHECK(&run, NULL, whole);
}

TEST(lint_godot_clean, "what Godot writes is found clean")
{
	const char *const own[] = {"angle", "blend_shape/Smile", "modulate", "shader_parameter/speed", "energy"};
	struct anim_track track = axs_curve();

	track.rules = ANIM_RULES_GODOT4;
	check(&track, "");
	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		track = number(own[i]);
		check(&track, "");
	}
	track = number("position");
	track.component = 1;
	check(&track, "");
	track.flags = ANIM_DISABLED | ANIM_LOOP_WRAP_KEYS;
	check(&track, "");
}

TEST(lint_godot_path, "a lane written behind a point never resolves")
{
	struct anim_track track = number("scale.x");

	check(
	    &track,
	    "track 'Box scale.x': its path never resolves: Godot separates a component with a colon, as in ':scale:x'");
	track.property = "theme.xyz";
	check(&track, "");
	track.property = "m_Intensity";
	track.rules = ANIM_RULES_UNITY;
	check(&track, "");
}

TEST(lint_godot_colon, "a name with a colon never resolves, but in Godot's own paths of properties")
{
	struct anim_track track = number("blend_shape/a:b");

	check(&track, "track 'Box blend_shape/a:b': its path never resolves: Godot splits a path at a ':' in a name");
	track.rules = ANIM_RULES_UNITY;
	check(&track, "");
	track.property = "material:albedo_color";
	check(&track, "");
	track.rules = ANIM_RULES_GODOT3;
	check(&track, "");
	track.property = "@a:b";
	track.rules = ANIM_RULES_UNITY;
	check(&track, "");
}

TEST(lint_godot_handles, "a handle that reaches beyond its segment is found, where the segment is no jump")
{
	float left[2] = {0, 0}, right[2] = {0, 0}, left_x[2] = {0, -0.1f}, right_x[2] = {0.3f, 0};
	const float jump[2] = {0.25f, 0.25000003f};
	struct anim_track track = number("energy");

	track.interp = ANIM_BEZIER_2D;
	track.left = left;
	track.right = right;
	track.left_x = left_x;
	track.right_x = right_x;
	check(&track,
	      "track 'Box energy': key 0: a handle reaches beyond its segment, so some times have several values");
	right_x[0] = 0.25f;
	check(&track, "");
	left_x[1] = 0.01f;
	check(&track,
	      "track 'Box energy': key 0: a handle reaches beyond its segment, so some times have several values");
	track.time = jump;
	check(&track, "");
}

TEST(lint_godot_bones, "a bone that its skeleton does not have is found; of a skeleton without bones nothing is known")
{
	const struct anim_tree tree = {
	    .axes = ANIM_AXES_GODOT, .axes2d = ANIM_AXES2D_GODOT, .root_name = "Hero", .source_file = "hero.tscn"};
	static const char *const paths[] = {".", "Rig", "Rig:Hips", "Other"};
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_GODOT, false);
	run.clip.axes = ANIM_AXES_GODOT;
	run.clip.source = "godot4";
	run.clip.flags |= ANIM_IN_TREE;
	run.clip.root = ".";
	CHECK(anim_sink_tree(run.sink, &tree, &run.error) == 0);
	for (uint32_t i = 0; i < 4; i++) {
		const struct anim_node node = {.kind = i == 2 ? ANIM_NODE_BONE : ANIM_NODE,
					       .parent = i == 0 ? ANIM_NO_PARENT : i - 1,
					       .path = paths[i],
					       .type = ""};

		CHECK(anim_sink_node(run.sink, &node, &run.error) == 0);
	}
	lint_run_clip(&run);
	for (int i = 0; i < 3; i++) {
		static const char *const nodes[] = {"Rig:Hips", "Rig:Head", "Other:Head"};
		struct anim_track track = axs_curve();

		track.node = nodes[i];
		track.rules = ANIM_RULES_GODOT4;
		lint_run_track(&run, &track);
	}
	LINT_RUN_CHECK(&run, NULL,
		       "a.axs: clip 'walk': track 'Rig:Head position': the skeleton has no bone with this name\n");
}
