/* lint_unity.c: what anim-lint --for unity finds in records built by hand. */
#include <math.h>
#include <stdio.h>

#include "axs.h"
#include "lint_help.h"

static const float quarters[] = {0, 0.25f, 0.5f, 0.75f};

static void check(const struct anim_track *track, const char *wanted)
{
	lint_run_check_track(ANIM_LINT_UNITY, track, wanted);
}

/* A float curve of Box with two keys. */
static struct anim_track number(const char *property)
{
	static const float values[8] = {0, 1};
	struct anim_track track = axs_curve();

	track.property = property;
	track.type = ANIM_FLOAT;
	track.value = values;
	track.time = quarters;
	track.n = 2;
	track.rules = ANIM_RULES_UNITY;
	return track;
}

TEST(lint_unity_clean, "what Unity writes is found clean")
{
	const struct anim_attr script[2] = {{"unity.class", "114"},
					    {"unity.script", "{fileID: 11500000, guid: 0, type: 3}"}};
	const struct anim_attr light = {"unity.class", "108"}, order = {"order", "YXZ"};
	const char *const own[] = {"visible", "blend_shape/Smile"};
	struct anim_track position = axs_curve(), euler = axs_curve(), track = axs_raw();

	check(&position, "");
	euler.property = "euler";
	euler.attrs = (struct anim_attrs){&order, 1};
	check(&euler, "");
	for (int i = 0; i < 2; i++) {
		track = number(own[i]);
		check(&track, "");
	}
	track = number("position");
	track.component = 1;
	check(&track, "");
	track = number("m_Intensity");
	track.attrs = (struct anim_attrs){&light, 1};
	check(&track, "");
	track.property = "speed";
	track.attrs = (struct anim_attrs){script, 2};
	check(&track, "");
	track.post = ANIM_EXTRAPOLATION_LOOP;
	track.pre = ANIM_EXTRAPOLATION_PINGPONG;
	check(&track, "");
}

#define BOUND "Unity has no property with this name, and the component that has it is unknown"

TEST(lint_unity_unbound, "properties that Unity does not have need a class, a script's its script")
{
	const struct anim_attr script = {"unity.class", "114"};
	struct anim_track track = number("light_energy"), event = axs_strings();

	check(&track, "track 'Box light_energy': " BOUND);
	track.attrs = (struct anim_attrs){&script, 1};
	check(&track, "track 'Box light_energy': " BOUND);
	track.property = "position";
	check(&track, "track 'Box position': " BOUND);
	track = number("angle");
	check(&track, "the direction of its two-dimensional axes is unknown");
	event.node = ".";
	event.property = "@event";
	event.n = 2;
	check(&event, "");
	event.property = "@method";
	check(&event, "");
}

TEST(lint_unity_weights, "weights that are used and lie outside 0..1")
{
	const float zeros[3] = {0}, left[] = {9, 1, 0.5f}, right[] = {0, -0.1f, NAN};
	const uint8_t bits[] = {3, 3, 3}, left_only[] = {1, 1, 1};
	struct anim_track track = number("m_Range");
	const struct anim_attr class = {"unity.class", "108"};

	track.n = 3;
	track.value = zeros;
	track.attrs = (struct anim_attrs){&class, 1};
	track.interp = ANIM_WEIGHTED;
	track.left = track.right = zeros;
	track.left_x = left;
	track.right_x = right;
	track.weighted = bits;
	check(&track, "track 'Box m_Range': key 1: a weight is not between 0 and 1");
	track.weighted = left_only;
	check(&track, "");
	track.weighted = NULL;
	check(&track, "");
	track.left_x = right;
	track.weighted = left_only;
	check(&track,
	      "track 'Box m_Range': key 1: a tangent or easing is not a finite number\n"
	      "a.axs: clip 'walk': track 'Box m_Range': key 0: a weight is not between 0 and 1; and 1 more key");
}

TEST(lint_unity_slopes, "a slope that is no number; infinite ones only step")
{
	const float slopes[] = {NAN, INFINITY, 0}, last[] = {0, -INFINITY, NAN};
	struct anim_track track = number("visible");

	track.n = 2;
	track.interp = ANIM_HERMITE;
	track.left = track.right = last;
	check(&track, "");
	track.right = slopes;
	check(&track, "track 'Box visible': key 0: a tangent or easing is not a finite number");
}

TEST(lint_unity_turns, "rotations whose signs differ turn the long way, unless all lanes step")
{
	static const float turns[] = {0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, 1};
	static const float still[12] = {0},
			   steps[12] = {INFINITY, INFINITY, -INFINITY, INFINITY, INFINITY, 0, INFINITY, INFINITY};
	struct anim_track track = axs_curve();

	track.property = "rotation";
	track.type = ANIM_FLOATQ;
	track.value = turns;
	track.interp = ANIM_HERMITE;
	track.left = track.right = still;
	check(&track, "track 'Box rotation': key 1: at 0.5 s, by 360 degrees instead of 0: the rotation takes the long "
		      "way; and 1 more key");
	track.right = steps;
	check(&track,
	      "track 'Box rotation': key 2: at 1 s, by 360 degrees instead of 0: the rotation takes the long way");
}

TEST(lint_unity_components, "fields of one name on two components of a node are two")
{
	const struct anim_attr light = {"unity.class", "108"}, camera = {"unity.class", "20"};
	struct anim_track track = number("m_Enabled");
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_UNITY, false);
	lint_run_clip(&run);
	track.attrs = (struct anim_attrs){&light, 1};
	lint_run_track(&run, &track);
	track.attrs = (struct anim_attrs){&camera, 1};
	lint_run_track(&run, &track);
	lint_run_track(&run, &track);
	LINT_RUN_CHECK(&run, NULL,
		       "a.axs: clip 'walk': track 'Box m_Enabled': an earlier track animates the same property of the "
		       "same node\n");
}

/* A tree of these paths. */
static void send_tree(struct lint_run *run, const char *const *paths, const uint32_t *parents, uint32_t count)
{
	struct anim_tree tree = axs_tree();

	CHECK(anim_sink_tree(run->sink, &tree, &run->error) == 0);
	for (uint32_t i = 0; i < count; i++) {
		struct anim_node node = axs_node(i);

		node.path = paths[i];
		node.parent = parents[i];
		CHECK(anim_sink_node(run->sink, &node, &run->error) == 0);
	}
}

TEST(lint_unity_nodes, "nodes of one path, and names that hold a slash; told of each tree by itself, and not of bones")
{
	static const char *const paths[] = {".",   "A",        "A/B",       "A/B",   "A/B/L/R",
					    "C/D", "A/B:Hips", "A/B:Spine", "A/BC/D"};
	static const uint32_t parents[] = {ANIM_NO_PARENT, 0, 1, 1, 2, 0, 2, 6, 2};
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_UNITY, false);
	send_tree(&run, paths, parents, 9);
	send_tree(&run, paths, parents, 3);
	LINT_RUN_CHECK(&run, NULL,
		       "a.axs: node 'A/B': an earlier node has this path; Unity binds to the first one\n"
		       "a.axs: node 'A/B/L/R': its name contains a '/', so no Unity path can refer to it\n"
		       "a.axs: node 'C/D': its name contains a '/', so no Unity path can refer to it\n");
	lint_run_begin(&run, ANIM_LINT_ANY, false);
	send_tree(&run, paths, parents, 9);
	LINT_RUN_CHECK(&run, NULL, "");
}

TEST(lint_humanoid_root, "generic clips have root motion, which needs no avatar")
{
	const struct anim_attr attrs[2] = {{"unity.class", "95"}, {"unity.humanoid", "root"}};
	struct anim_track track = number("RootT.x");

	track.attrs = (struct anim_attrs){attrs, 2};
	check(&track, "");
}

/* The muscle with these values, at 0 and 0.25 s. */
static void check_muscle(const char *name, const float values[2], const char *wanted)
{
	struct anim_track track = number(name);

	track.node = ".";
	track.value = values;
	lint_run_check_track(ANIM_LINT_ANY, &track, wanted);
}

TEST(lint_muscle_range, "a muscle may leave its range by 45 degrees, also between its keys")
{
	static const float low[] = {-1.5f, 0}, far[] = {0, -1.6f}, wild[] = {3, 100}, none[] = {0, INFINITY};
	static const float slopes[] = {60, 0}, still[] = {0, 0};
	struct anim_track track = number("Left Forearm Stretch");

	check_muscle("Left Forearm Stretch", low, "");
	check_muscle(
	    "Left Forearm Stretch", far,
	    "track '. Left Forearm Stretch': at 0.25 s it is -1.6, 48 degrees beyond its range; Unity does not "
	    "clamp muscles, so the joint bends too far");
	check_muscle("LeftHand.Index.Spread", low, "");
	check_muscle("LeftHand.Index.Spread", wild,
		     "track '. LeftHand.Index.Spread': at 0.25 s it is 100, 1980 degrees beyond its range; Unity does "
		     "not clamp muscles, so the joint bends too far");
	check_muscle("Jaw Close", none, "track '. Jaw Close': key 1: the value is not a finite number");
	track.node = ".";
	track.interp = ANIM_HERMITE;
	track.value = still;
	track.right = track.left = slopes;
	lint_run_check_track(ANIM_LINT_ANY, &track,
			     "track '. Left Forearm Stretch': at 0.063 s it is 2.109, 89 degrees beyond its range; "
			     "Unity does not clamp muscles, so the joint bends too far");
}

/* A clip of a muscle and of the first curves of a goal. */
static void check_goals(enum anim_lint_target target, const char *muscle, size_t count, const char *wanted)
{
	static const char *const goal[] = {"LeftFootT.x", "LeftFootT.y", "LeftFootT.z", "LeftFootQ.x",
					   "LeftFootQ.y", "LeftFootQ.z", "LeftFootQ.w"};
	struct lint_run run;

	lint_run_begin(&run, target, false);
	run.clip.source = "unity";
	lint_run_clip(&run);
	for (size_t i = 0; i <= count; i++) {
		const struct anim_attr attrs[2] = {{"unity.class", "95"},
						   {"unity.humanoid", i == 0 ? "muscle" : "goal"}};
		struct anim_track track = number(i == 0 ? muscle : goal[i - 1]);

		track.node = ".";
		track.attrs = (struct anim_attrs){attrs, 2};
		lint_run_track(&run, &track);
	}
	LINT_RUN_CHECK(&run, NULL, wanted);
}

TEST(lint_goals, "goals need all seven curves, and legs need goals for Foot IK")
{
	check_goals(ANIM_LINT_ANY, "Left Upper Leg Front-Back", 0, "");
	check_goals(ANIM_LINT_ANY, "Left Upper Leg Front-Back", 7, "");
	check_goals(
	    ANIM_LINT_ANY, "Jaw Close", 5,
	    "a.axs: clip 'walk': some curves of LeftFootT and LeftFootQ are missing, such as LeftFootQ.z; Unity "
	    "needs all seven\n");
	check_goals(ANIM_LINT_UNITY, "Jaw Close", 0, "");
	check_goals(ANIM_LINT_UNITY, "Left Upper Leg Front-Back", 0,
		    "a.axs: clip 'walk': it moves the legs, but has no goals of the feet (LeftFootT, LeftFootQ, ...); "
		    "leave Foot IK of its state off\n");
}

TEST(lint_unity_events, "an event behind the clip's end")
{
	struct anim_track event = axs_strings();

	event.node = ".";
	event.property = "@event";
	check(&event, "track '. @event': key 2: the time is past the clip's end");
}
