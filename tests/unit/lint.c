/* lint.c: what anim-lint finds in records built by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axs.h"
#include "lint_help.h"
#include "tap.h"

static const float quarters[] = {0, 0.25f, 0.5f, 0.75f};

/* A Linear rotation of Hips with a key each quarter of a second. */
static struct anim_track rotation(const float *value, size_t n)
{
	struct anim_track track = axs_curve();

	track.node = "Hips";
	track.property = "rotation";
	track.type = ANIM_FLOATQ;
	track.rules = ANIM_RULES_RESONITE;
	track.n = n;
	track.time = quarters;
	track.value = value;
	return track;
}

static const float turns[] = {0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, 1};

TEST(lint_clean, "a track without faults gives no line, whatever the target")
{
	struct anim_track curve = axs_curve(), raw = axs_raw(), strings = axs_strings();

	lint_run_check_track(ANIM_LINT_ANY, &curve, "");
	lint_run_check_track(ANIM_LINT_RESONITE, &curve, "");
	lint_run_check_track(ANIM_LINT_RESONITE, &raw, "");
	strings.n = 2;
	lint_run_check_track(ANIM_LINT_RESONITE, &strings, "");
}

TEST(lint_long_way, "a quaternion of the other sign turns the long way in Resonite, told once with how many more")
{
	struct anim_track track = rotation(turns, 4);

	lint_run_check_track(ANIM_LINT_RESONITE, &track,
			     "track 'Hips rotation': key 1: at 0.25 s, by 360 degrees instead of 0: the rotation takes "
			     "the long way; and 1 more key");
	track.rules = ANIM_RULES_GODOT4;
	lint_run_check_track(ANIM_LINT_ANY, &track, "");
	track.rules = ANIM_RULES_RESONITE;
	track.n = 2;
	lint_run_check_track(
	    ANIM_LINT_ANY, &track,
	    "track 'Hips rotation': key 1: at 0.25 s, by 360 degrees instead of 0: the rotation takes the long way");
	lint_run_check_track(
	    ANIM_LINT_RESONITE, &track,
	    "track 'Hips rotation': key 1: at 0.25 s, by 360 degrees instead of 0: the rotation takes the long way");
}

TEST(lint_long_way_held, "a segment that holds does not turn")
{
	const uint8_t modes[] = {ANIM_HOLD, ANIM_LINEAR, ANIM_HOLD, ANIM_LINEAR};
	struct anim_track track = rotation(turns, 4);

	track.interp = ANIM_INTERP_COLUMN;
	track.interps = modes;
	lint_run_check_track(ANIM_LINT_RESONITE, &track, "");
	track.kind = ANIM_DISCRETE;
	track.interp = ANIM_HOLD;
	track.interps = NULL;
	lint_run_check_track(ANIM_LINT_RESONITE, &track, "");
}

TEST(lint_unit, "a quaternion is of length 1 to 1e-3 of its square")
{
	const float value[] = {0, 0, 0, 1, 0, 0, 0, 1.0004f, 0, 0, 0, 1.0006f, 0, 0, 0, 0};
	const float infinite[] = {0, 0, 0, INFINITY, 0, 0, 0, 1};
	const double doubles[] = {0, 0, 0, 0.5, 0, 0, 0, 1};
	struct anim_track track = rotation(value, 4);

	lint_run_check_track(ANIM_LINT_ANY, &track,
			     "track 'Hips rotation': key 2: the quaternion is not of length 1; and 1 more key");
	track = rotation(infinite, 2);
	lint_run_check_track(ANIM_LINT_ANY, &track, "track 'Hips rotation': key 0: the value is not a finite number");
	track.type = ANIM_DOUBLEQ;
	track.property = "turn";
	track.value = doubles;
	lint_run_check_track(ANIM_LINT_ANY, &track, "track 'Hips turn': key 0: the quaternion is not of length 1");
}

TEST(lint_no_keys, "a track without keys")
{
	struct anim_track track = axs_curve();

	track.n = 0;
	lint_run_check_track(ANIM_LINT_ANY, &track, "track 'Box position': it has no keys");
}

TEST(lint_times, "times that stand, fall, are no numbers, or lie outside the clip")
{
	const float time[] = {0, 0.5f, 0.5f, 0.25f, NAN, 2, -1}, value[21] = {0};
	struct anim_track track = axs_curve();

	track.n = 7;
	track.time = time;
	track.value = value;
	track.flags = ANIM_UNSORTED;
	lint_run_check_track(
	    ANIM_LINT_ANY, &track,
	    "track 'Box position': key 4: the time is not a finite number\n"
	    "a.axs: clip 'walk': track 'Box position': key 3: the time is before the time of the previous key; and 1 "
	    "more key\n"
	    "a.axs: clip 'walk': track 'Box position': key 2: the time equals the time of the previous key\n"
	    "a.axs: clip 'walk': track 'Box position': key 6: the time is before the clip's start\n"
	    "a.axs: clip 'walk': track 'Box position': key 5: the time is past the clip's end");
}

TEST(lint_samples, "the sample that covers the clip's end is needed, those behind it are not")
{
	const float value[40] = {0};
	struct anim_track track = axs_raw();

	track.value = value;
	track.n = 31; /* the last one at 1 s */
	lint_run_check_track(ANIM_LINT_ANY, &track, "");
	track.rate_num = 28;
	track.n = 29;
	lint_run_check_track(ANIM_LINT_ANY, &track, "");
	track.n = 31;
	lint_run_check_track(ANIM_LINT_ANY, &track,
			     "track 'Box energy': key 29: the time is past the clip's end; and 1 more key");
	track.n = 2;
	track.start_s = -1.0 / 28;
	lint_run_check_track(ANIM_LINT_ANY, &track, "track 'Box energy': key 0: the time is before the clip's start");
}

TEST(lint_sample_start, "a start in double may lie a rounding before the clip's, which is a float")
{
	struct anim_track track = axs_raw();
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	run.clip.start_s = 0.1f;
	lint_run_clip(&run);
	track.start_s = 0.1;
	lint_run_track(&run, &track);
	LINT_RUN_CHECK(&run, NULL, "");
}

TEST(lint_no_interval, "Raw samples of unknown interval")
{
	struct anim_track track = axs_raw();

	track.rate_num = track.rate_den = 0;
	lint_run_check_track(ANIM_LINT_ANY, &track,
			     "track 'Box energy': the interval between its samples is unknown, so it cannot be played");
	track.step_s = 0.1;
	lint_run_check_track(ANIM_LINT_ANY, &track, "");
}

TEST(lint_not_finite, "values that are no numbers, in floats and doubles")
{
	const float value[] = {0, 1, 2, 3, NAN, 5, INFINITY, 7, 8};
	const double doubles[] = {0, -INFINITY, 2};
	struct anim_track track = axs_curve();

	track.value = value;
	lint_run_check_track(ANIM_LINT_ANY, &track,
			     "track 'Box position': key 1: the value is not a finite number; and 1 more key");
	track.type = ANIM_DOUBLE;
	track.value = doubles;
	track.property = "energy";
	lint_run_check_track(ANIM_LINT_ANY, &track, "track 'Box energy': key 1: the value is not a finite number");
}

TEST(lint_tangents, "tangents that a segment uses must be numbers; slopes may be infinite")
{
	const float value[] = {0, 1, 2}, left[] = {NAN, 0, INFINITY}, right[] = {0, 0, NAN};
	struct anim_track track = axs_curve();

	track.type = ANIM_FLOAT;
	track.property = "energy";
	track.value = value;
	track.left = left;
	track.right = right;
	track.interp = ANIM_CUBIC_BEZIER;
	lint_run_check_track(ANIM_LINT_RESONITE, &track,
			     "track 'Box energy': key 1: a tangent or easing is not a finite number");
	track.interp = ANIM_HERMITE;
	lint_run_check_track(ANIM_LINT_ANY, &track, "");
}

TEST(lint_handles, "handles and easing that a segment uses must be numbers")
{
	const float value[] = {0, 1, 2}, zeros[3] = {0}, handles[] = {0, NAN, 0}, ease[] = {1, INFINITY, NAN};
	const uint8_t modes[] = {ANIM_LINEAR, ANIM_HOLD, ANIM_LINEAR};
	struct anim_track track = axs_curve();

	track.type = ANIM_FLOAT;
	track.property = "energy";
	track.value = value;
	track.left = track.right = track.left_x = zeros;
	track.right_x = handles;
	track.interp = ANIM_WEIGHTED;
	lint_run_check_track(ANIM_LINT_ANY, &track,
			     "track 'Box energy': key 1: a tangent or easing is not a finite number");
	track.left = track.right = track.left_x = track.right_x = NULL;
	track.ease = ease;
	track.interp = ANIM_LINEAR;
	lint_run_check_track(ANIM_LINT_ANY, &track,
			     "track 'Box energy': key 1: a tangent or easing is not a finite number");
	track.interp = ANIM_INTERP_COLUMN;
	track.interps = modes;
	lint_run_check_track(ANIM_LINT_RESONITE, &track, "");
}

TEST(lint_tangent_mode, "Tangent keys, whose curve nobody knows")
{
	const float zeros[9] = {0};
	struct anim_track track = axs_curve();

	track.interp = ANIM_TANGENT;
	track.left = track.right = zeros;
	lint_run_check_track(ANIM_LINT_ANY, &track,
			     "track 'Box position': key 0: the curve between Tangent keys is not documented; use "
			     "CubicBezier keys; and 2 more keys");
}

TEST(lint_attributes, "attributes without a dot that are not known are named, those of one format are not")
{
	const struct anim_attr of_track[] = {{"godot.type", ""}, {"literal", ""}, {"ordre", ""}, {"zzz", ""}};
	const struct anim_attr of_clip[] = {{"file", ""}, {"loop", ""}, {"player", ""}};
	const struct anim_attr of_node[] = {{"rest", ""}, {"rotation_order", ""}};
	struct anim_track track = axs_curve();
	struct anim_tree tree = axs_tree();
	struct anim_node node = axs_node(0);
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	track.attrs = (struct anim_attrs){of_track, 4};
	run.clip.attrs = (struct anim_attrs){of_clip, 3};
	node.attrs = (struct anim_attrs){of_node, 2};
	tree.attrs = (struct anim_attrs){of_clip, 1};
	CHECK(anim_sink_tree(run.sink, &tree, &run.error) == 0);
	CHECK(anim_sink_node(run.sink, &node, &run.error) == 0);
	lint_run_clip(&run);
	lint_run_track(&run, &track);
#define UNKNOWN "'; attributes of one format begin with its name and a dot"
	LINT_RUN_CHECK(&run, NULL,
		       "a.axs: unknown attribute 'file" UNKNOWN "\n"
		       "a.axs: node '.': unknown attribute 'rest" UNKNOWN "\n"
		       "a.axs: clip 'walk': unknown attribute 'loop" UNKNOWN "\n"
		       "a.axs: clip 'walk': track 'Box position': unknown attribute 'ordre" UNKNOWN
		       "; and 1 more attribute\n");
}

TEST(lint_axes, "axes that are not known are told once for a clip")
{
	const float flat[6] = {0};
	struct anim_track track = axs_curve();
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	run.clip.axes = ANIM_AXES_UNKNOWN;
	lint_run_clip(&run);
	lint_run_track(&run, &track);
	track.node = "B";
	lint_run_track(&run, &track);
	LINT_RUN_CHECK(&run, NULL, "a.axs: clip 'walk': the direction of its axes is unknown\n");

	track.type = ANIM_FLOAT2;
	track.value = flat;
	lint_run_check_track(ANIM_LINT_ANY, &track, "the direction of its two-dimensional axes is unknown");
	track.property = "scale";
	lint_run_check_track(ANIM_LINT_ANY, &track, "");
}

TEST(lint_names, "a property of a node that two tracks drive; Resonite knows nodes by their last names alone")
{
	struct anim_track track = axs_curve();
	struct lint_run run;

	for (int target = ANIM_LINT_ANY; target <= ANIM_LINT_RESONITE; target++) {
		lint_run_begin(&run, (enum anim_lint_target)target, false);
		run.clip.source = "unity";
		lint_run_clip(&run);
		track.node = "A/Hips";
		lint_run_track(&run, &track);
		track.property = "scale";
		lint_run_track(&run, &track);
		lint_run_track(&run, &track);
		track.property = "position";
		track.node = "B/Hips";
		lint_run_track(&run, &track);
		if (target == ANIM_LINT_ANY)
			LINT_RUN_CHECK(&run, NULL,
				       "a.axs: clip 'walk': track 'A/Hips scale': an earlier track animates the same "
				       "property of the "
				       "same node\n");
		else
			LINT_RUN_CHECK(
			    &run, NULL,
			    "a.axs: clip 'walk': track 'A/Hips scale': by the last part of node paths, which Resonite "
			    "uses, an earlier track animates the same property of the same node\n"
			    "a.axs: clip 'walk': track 'B/Hips position': by the last part of node paths, which "
			    "Resonite uses, an earlier track animates the same property of the same node\n");
	}
}

TEST(lint_names_apart, "lanes of a property, events, and tracks of other clips are no names used twice")
{
	struct anim_track component = axs_curve(), event = axs_strings();
	const float value[3] = {0};
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	run.clip.end_s = 2;
	lint_run_clip(&run);
	component.type = ANIM_FLOAT;
	component.value = value;
	for (uint8_t i = 0; i < 3; i++) {
		component.component = i;
		lint_run_track(&run, &component);
	}
	event.property = "@method";
	lint_run_track(&run, &event);
	lint_run_track(&run, &event);
	run.clip.name = "run";
	lint_run_clip(&run);
	lint_run_track(&run, &component);
	LINT_RUN_CHECK(&run, NULL, "");
}

TEST(lint_clips, "clips of one name and player; another file may have the same")
{
	const struct anim_attr player = {"player", "B"};
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	lint_run_clip(&run);
	run.clip.attrs = (struct anim_attrs){&player, 1};
	lint_run_clip(&run);
	lint_run_clip(&run);
	CHECK(anim_lint_end_file(run.sink, &run.diagnostics, NULL, &run.error) == 0);
	CHECK(anim_lint_findings(run.sink) == 1);
	CHECK(anim_lint_begin_file(run.sink, "b.axs", NULL, NULL, &run.error) == 0);
	lint_run_clip(&run);
	LINT_RUN_CHECK(&run, NULL, "a.axs: clip 'walk': an earlier clip has this name\n");
}

TEST(lint_duration, "a clip of length 0 with later keys, told once; a pose is none")
{
	struct anim_track track = axs_curve();
	const float time[] = {0, 2, INFINITY};
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	run.clip.end_s = 0;
	lint_run_clip(&run);
	lint_run_track(&run, &track);
	run.clip.name = "pose";
	lint_run_clip(&run);
	track.n = 1;
	lint_run_track(&run, &track);
	run.clip.name = "run";
	lint_run_clip(&run);
	track.n = 3;
	track.time = time;
	track.flags = ANIM_UNSORTED;
	lint_run_track(&run, &track);
	LINT_RUN_CHECK(&run, NULL,
		       "a.axs: clip 'walk': it lasts 0 s, but has keys up to 1 s\n"
		       "a.axs: clip 'run': track 'Box position': key 2: the time is not a finite number\n"
		       "a.axs: clip 'run': it lasts 0 s, but has keys up to 2 s\n");
}

TEST(lint_derived, "Resonite's files should tell their length, other clips may end with their last key")
{
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_RESONITE, false);
	run.clip.flags = ANIM_END_DERIVED;
	lint_run_clip(&run);
	run.clip.source = "unity";
	run.clip.name = "run";
	lint_run_clip(&run);
	LINT_RUN_CHECK(&run, NULL, "a.axs: clip 'walk': globalDuration is missing or before the last key\n");
}

TEST(lint_diagnostics, "what the reader warned of is found, with its place and count; notes are not")
{
	struct anim_place place = {.file = "b.tscn", .at = ANIM_AT_LINE, .line = 3, .column = 7};
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	for (int i = 0; i < 2; i++)
		CHECK(anim_diagnostics_add(&run.diagnostics, ANIM_WARNING, &place, "track", &run.error, "odd") == 0);
	CHECK(anim_diagnostics_add(&run.diagnostics, ANIM_WARNING, NULL, NULL, &run.error, "no animation\n") == 0);
	CHECK(anim_diagnostics_add(&run.diagnostics, ANIM_NOTE, NULL, NULL, &run.error, "a note") == 0);
	LINT_RUN_CHECK(&run, NULL, "b.tscn:3:7: 2 tracks: odd\na.axs: no animation\\x0a\n");
}

TEST(lint_faults, "faults and what ended the reading are found; their sum, or a file that is not there, is not")
{
	struct anim_place place = {.file = "a.axs", .at = ANIM_AT_BYTE, .offset = 40};
	struct anim_error failure = {0};
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	lint_run_clip(&run);
	anim_fail_at(&failure, ANIM_BAD_INPUT, &place, "the stream is cut");
	LINT_RUN_CHECK(&run, &failure, "a.axs: byte 40: the stream is cut\n");

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	CHECK(anim_diagnostics_add(&run.diagnostics, ANIM_FAULT, NULL, NULL, &run.error, "wrong") == 0);
	anim_diagnostics_check(&run.diagnostics, &failure);
	anim_error_in_file(&failure, "a.axs");
	LINT_RUN_CHECK(&run, &failure, "a.axs: wrong\n");

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	failure.code = ANIM_SYSTEM;
	CHECK(!anim_lint_is_fault(&failure));
	LINT_RUN_CHECK(&run, &failure, "");
}

TEST(lint_trees, "a tree ends the clip before it")
{
	struct anim_track track = axs_curve();
	struct anim_tree tree = axs_tree();
	const struct anim_attr odd = {"odd", ""};
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	run.clip.end_s = 0;
	tree.attrs = (struct anim_attrs){&odd, 1};
	lint_run_clip(&run);
	lint_run_track(&run, &track);
	CHECK(anim_sink_tree(run.sink, &tree, &run.error) == 0);
	LINT_RUN_CHECK(&run, NULL,
		       "a.axs: clip 'walk': it lasts 0 s, but has keys up to 1 s\n"
		       "a.axs: unknown attribute 'odd" UNKNOWN "\n");
}

TEST(lint_file_after_cut, "the names of a clip that was cut do not count in the next file")
{
	struct anim_track track = axs_curve();
	struct anim_error failure = {0};
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	lint_run_clip(&run);
	lint_run_track(&run, &track);
	anim_fail(&failure, ANIM_SYSTEM, "cannot read");
	CHECK(anim_lint_end_file(run.sink, &run.diagnostics, &failure, &run.error) == 0);
	CHECK(anim_lint_begin_file(run.sink, "b.axs", NULL, NULL, &run.error) == 0);
	lint_run_clip(&run);
	lint_run_track(&run, &track);
	LINT_RUN_CHECK(&run, NULL, "");
}

TEST(lint_cut_clip, "of a clip that is cut, its length is not judged")
{
	struct anim_track track = axs_curve();
	struct anim_error failure = {0};
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	run.clip.end_s = 0;
	lint_run_clip(&run);
	lint_run_track(&run, &track);
	anim_fail(&failure, ANIM_SYSTEM, "cannot read");
	LINT_RUN_CHECK(&run, &failure, "");
}

TEST(lint_safe, "names cannot drive the terminal")
{
	struct anim_track track = axs_curve();
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	run.clip.name = "a\033[2Jb";
	track.node = "n\nm";
	track.n = 0;
	lint_run_clip(&run);
	lint_run_track(&run, &track);
	LINT_RUN_CHECK(&run, NULL, "a.axs: clip 'a\\x1b[2Jb': track 'n\\x0am position': it has no keys\n");
}

TEST(lint_json, "the document has a finding a line, with null for what is not concerned, and the sums")
{
	struct anim_track track = rotation(turns, 4);
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_RESONITE, true);
	run.clip.name = "\"walk\"";
	lint_run_clip(&run);
	lint_run_track(&run, &track);
	CHECK(anim_diagnostics_add(&run.diagnostics, ANIM_WARNING, NULL, NULL, &run.error, "odd") == 0);
	LINT_RUN_CHECK(
	    &run, NULL,
	    "{\"target\":null,\"findings\":[\n"
	    "{\"file\":\"a.axs\",\"line\":null,\"column\":null,\"byte\":null,\"clip\":\"\\\"walk\\\"\","
	    "\"node\":\"Hips\",\"property\":\"rotation\",\"component\":null,\"key\":1,"
	    "\"kind\":\"quaternion-long-way\",\"count\":2,\"message\":\"at 0.25 s, by 360 degrees instead of "
	    "0: the rotation takes the long way\"},\n"
	    "{\"file\":\"a.axs\",\"line\":null,\"column\":null,\"byte\":null,\"clip\":null,\"node\":null,"
	    "\"property\":null,\"component\":null,\"key\":null,\"kind\":\"reading\",\"count\":1,"
	    "\"message\":\"odd\"}\n"
	    "],\"counts\":{\"files\":1,\"unreadable\":0,\"clips\":1,\"tracks\":1,\"keys\":4,\"findings\":2,"
	    "\"kinds\":{\"reading\":1,\"quaternion-long-way\":2}}}\n");
}

TEST(lint_json_empty, "a document without findings is whole")
{
	struct lint_run run;

	lint_run_begin(&run, ANIM_LINT_ANY, true);
	LINT_RUN_CHECK(
	    &run, NULL,
	    "{\"target\":null,\"findings\":[],\"counts\":{\"files\":1,\"unreadable\":0,\"clips\":0,\"tracks\":0,"
	    "\"keys\":0,\"findings\":0,\"kinds\":{}}}\n");
}

TEST(lint_many_names, "ten thousand names are told apart, and the one that comes again is found")
{
	struct anim_track track = axs_curve();
	struct lint_run run;
	char node[16];

	lint_run_begin(&run, ANIM_LINT_ANY, false);
	lint_run_clip(&run);
	track.node = node;
	for (int i = 0; i <= 10000; i++) {
		snprintf(node, sizeof node, "n%d", i % 10000);
		lint_run_track(&run, &track);
	}
	LINT_RUN_CHECK(
	    &run, NULL,
	    "a.axs: clip 'walk': track 'n0 position': an earlier track animates the same property of the same "
	    "node\n");
}
