/* axes_flat.c: two dimensions: pixels and units, which way is up, and what Unity has in three components. */
#include <math.h>
#include <string.h>

#include "axes_help.h"
#include "base/advice.h"
#include "math/elementary.h"
#include "tap.h"

#define TO_GODOT ANIM_AXES_UNKNOWN, ANIM_AXES2D_GODOT
#define TO_UNITY ANIM_AXES_UNKNOWN, ANIM_AXES2D_UNITY
#define OF_GODOT ANIM_AXES_GODOT, ANIM_AXES2D_GODOT
#define OF_UNITY ANIM_AXES_UNITY, ANIM_AXES2D_UNITY

static const float points[4] = {16, -32, 8, 0};

/* One track of a clip without tree, from Godot to Unity or back; it stays in the run. */
static const struct anim_track *send(struct axes_run *run, bool to_unity, const struct anim_track *track)
{
	if (to_unity) {
		axes_run_open(run, TO_UNITY);
		axes_run_clip(run, OF_GODOT);
	} else {
		axes_run_open(run, TO_GODOT);
		axes_run_clip(run, OF_UNITY);
	}
	CHECK(run->out.clip.axes == run->clip.axes);
	CHECK(run->out.clip.axes2d == (to_unity ? ANIM_AXES2D_UNITY : ANIM_AXES2D_GODOT));
	axes_run_track(run, track);
	axes_run_end(run);
	return &run->out.tracks[0];
}

static void check(bool to_unity, const struct anim_track *track, const float *wanted, size_t count)
{
	struct axes_run run;

	axes_run_floats(track->property, send(&run, to_unity, track)->value, wanted, count);
	CHECKF(run.diagnostics.warnings == 0, "%s", run.diagnostics.count > 0 ? run.diagnostics.items[0].text : "");
	CHECK(strcmp(run.out.tracks[0].property, track->property) == 0);
	axes_run_close(&run);
}

TEST(axes_flat_points, "positions become units or pixels, and up is the other way; scales stay")
{
	struct anim_track track = axes_run_make_track("position", ANIM_FLOAT2, points);

	check(true, &track, (const float[]){1, 2, 0.5f, 0}, 4);
	check(false, &track, (const float[]){256, 512, 128, 0}, 4);
	track.property = "global_position";
	check(true, &track, (const float[]){1, 2, 0.5f, 0}, 4);
	track.property = "scale";
	check(true, &track, points, 4);
	track.property = "offset";
	check(true, &track, points, 4);
}

TEST(axes_flat_turns, "angles and skews run the other way round")
{
	static const char *const names[] = {"angle", "skew", "global_rotation"};

	for (int i = 0; i < 3; i++) {
		struct anim_track track = axes_run_make_track(names[i], ANIM_FLOAT, points);

		check(true, &track, (const float[]){-16, 32}, 2);
		check(false, &track, (const float[]){-16, 32}, 2);
	}
}

TEST(axes_flat_slopes, "slopes and handles of values scale as they do, times of handles do not")
{
	static const float times[4] = {0.25f, -0.25f, 0.5f, 0.5f};
	struct anim_track track = axes_run_make_track("position", ANIM_FLOAT2, points),
			  angle = axes_run_make_track("angle", ANIM_FLOAT, points);
	const struct anim_track *out;
	struct axes_run run;

	track.interp = ANIM_CUBIC_BEZIER;
	track.left = track.right = points;
	out = send(&run, true, &track);
	axes_run_floats("left", out->left, (const float[]){1, 2, 0.5f, 0}, 4);
	axes_run_floats("right", out->right, (const float[]){1, 2, 0.5f, 0}, 4);
	axes_run_close(&run);

	angle.interp = ANIM_BEZIER_2D;
	angle.left = angle.right = points;
	angle.left_x = angle.right_x = times;
	out = send(&run, true, &angle);
	axes_run_floats("left", out->left, (const float[]){-16, 32}, 2);
	axes_run_floats("left_x", out->left_x, times, 2);
	axes_run_floats("right_x", out->right_x, times, 2);
	axes_run_close(&run);
}

TEST(axes_flat_matrix, "a transform of two dimensions is mirrored on both sides, its origin scaled")
{
	static const float m[18] = {1, 2, 16, 3, 4, 32, 0, 0, 1}, wanted[9] = {1, -2, 1, -3, 4, -2, 0, 0, 1};
	const struct anim_attr variant = {"godot.variant", "Transform2D"};
	struct anim_track track = axes_run_make_track("transform", ANIM_FLOAT3X3, m);

	track.attrs = (struct anim_attrs){&variant, 1};
	check(true, &track, wanted, 9);
	track.attrs.count = 0;
	check(true, &track, m, 9);
}

TEST(axes_flat_apart, "what is of three dimensions in Godot is not touched, nor are colours or unknown properties")
{
	static const float v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct anim_track tracks[] = {
	    axes_run_make_track("position", ANIM_FLOAT3, v), axes_run_make_track("rotation", ANIM_FLOATQ, v),
	    axes_run_make_track("euler", ANIM_FLOAT3, v), axes_run_make_track("scale", ANIM_FLOAT3, v),
	    axes_run_make_track("modulate", ANIM_COLOR, v)};

	for (int i = 0; i < 5; i++)
		check(true, &tracks[i], v, 6);
}

/* A tree of Godot's with one node of each kind, and a clip in it. */
static void send_tree(struct axes_run *run)
{
	struct anim_node root = axes_run_make_node(".", ANIM_NODE, ANIM_NO_PARENT),
			 flat = axes_run_make_node("Flat", ANIM_NODE, 0),
			 solid = axes_run_make_node("Solid", ANIM_NODE_CAMERA, 0);
	const struct anim_attr attrs[2] = {{"godot.pose", "16 32 0 0 0 0.6 0.8 1 1 1"}, {"godot.skew", "0.5"}};

	flat.has = ANIM_HAS_2D | ANIM_HAS_POSITION | ANIM_HAS_ROTATION;
	memcpy(flat.position, (const float[]){16, 32, 0}, sizeof flat.position);
	memcpy(flat.rotation, (const float[]){0, 0, 0.6f, 0.8f}, sizeof flat.rotation);
	flat.attrs = (struct anim_attrs){attrs, 2};
	flat.type = "Node2D";
	solid.has = ANIM_HAS_POSITION;
	solid.position[1] = 7;
	axes_run_tree(run, OF_GODOT);
	axes_run_node(run, &root);
	axes_run_node(run, &flat);
	axes_run_node(run, &solid);
	axes_run_clip(run, OF_GODOT);
}

TEST(axes_flat_nodes, "rests, poses and skews of two-dimensional nodes change, the others do not")
{
	struct axes_run run;
	const struct anim_node *flat = &run.out.nodes[1];

	axes_run_open(&run, TO_UNITY);
	send_tree(&run);
	CHECK(run.out.tree.axes == ANIM_AXES_GODOT && run.out.tree.axes2d == ANIM_AXES2D_UNITY);
	axes_run_floats("position", flat->position, (const float[]){1, -2, 0}, 3);
	axes_run_floats("rotation", flat->rotation, (const float[]){0, 0, -0.6f, 0.8f}, 4);
	CHECK(flat->has == (ANIM_HAS_2D | ANIM_HAS_POSITION | ANIM_HAS_ROTATION));
	CHECK(strcmp(anim_attrs_get(&flat->attrs, "godot.pose"), "1 -2 0 0 0 -0.6 0.8 1 1 1") == 0);
	CHECK(strcmp(anim_attrs_get(&flat->attrs, "godot.skew"), "-0.5") == 0);
	CHECK(run.out.nodes[2].position[1] == 7);
	axes_run_close(&run);
}

TEST(axes_flat_components,
     "single components change below two-dimensional nodes; of nodes that no tree knows with a warning")
{
	static const float v[2] = {16, 32};
	struct anim_track track = axes_run_make_track("position", ANIM_FLOAT, v);
	struct axes_run run;

	track.component = 1;
	axes_run_open(&run, TO_UNITY);
	send_tree(&run);
	track.node = "Flat/unread/Sprite";
	axes_run_track(&run, &track);
	axes_run_floats("flat", run.out.tracks[0].value, (const float[]){-1, -2}, 2);
	track.node = "Solid";
	axes_run_track(&run, &track);
	axes_run_floats("solid", run.out.tracks[1].value, v, 2);
	CHECK(run.diagnostics.warnings == 0);
	axes_run_close(&run);

	track.component = 0;
	axes_run_floats("unknown", send(&run, true, &track)->value, (const float[]){1, 2}, 2);
	CHECK(run.diagnostics.warnings == 1 &&
	      strstr(run.diagnostics.items[0].text, "treated as two-dimensional") != NULL);
	axes_run_close(&run);
	track.property = "euler";
	check(true, &track, v, 2);
	track.property = "scale";
	check(true, &track, v, 2);
}

TEST(axes_flat_back, "there and back again gives the same bits where a unit is a power of two of pixels")
{
	static const float v[4] = {0.1f, 0, INFINITY, 3e-5f};
	static const struct {
		const char *property;
		enum anim_type type;
	} kinds[] = {{"position", ANIM_FLOAT2}, {"angle", ANIM_FLOAT}, {"skew", ANIM_FLOAT}, {"scale", ANIM_FLOAT2}};

	for (int i = 0; i < 4; i++) {
		struct anim_track track = axes_run_make_track(kinds[i].property, kinds[i].type, v);
		struct axes_run there, back;

		track.interp = ANIM_HERMITE;
		track.left = track.right = v;
		send(&there, true, &track);
		send(&back, false, &there.out.tracks[0]);
		axes_run_floats(kinds[i].property, back.out.tracks[0].value, v,
				2 * anim_types[kinds[i].type].components);
		axes_run_floats("left", back.out.tracks[0].left, v, 2 * anim_types[kinds[i].type].components);
		axes_run_close(&there);
		axes_run_close(&back);
	}
}

/* Of one float2 with 100 pixels a unit, the first component. */
static float hundredth(float value, enum anim_axes2d target)
{
	const float v[4] = {value, value, value, value};
	struct anim_track track = axes_run_make_track("position", ANIM_FLOAT2, v);
	struct anim_diagnostics diagnostics = {0};
	struct anim_axes_options options = {.target2d = target, .ppu = ANIM_AXES_PPU, .diagnostics = &diagnostics};
	struct anim_clip clip = {
	    .end_s = 1, .axes2d = (uint8_t)(ANIM_AXES2D_COUNT - target), .name = "c", .root = ".", .source = "x"};
	struct capture out;
	struct anim_sink *filter = anim_axes_new(&options, capture_sink(&out), NULL);
	float result = NAN;

	CHECK(anim_sink_clip(filter, &clip, NULL) == 0 && anim_sink_track(filter, &track, NULL) == 0);
	memcpy(&result, out.tracks[0].value, sizeof result);
	anim_sink_free(filter);
	capture_clear(&out);
	return result;
}

TEST(axes_flat_hundred, "with 100 pixels a unit, there and back again is at most one step of a float away")
{
	unsigned exact = 0;

	CHECK(hundredth(30, ANIM_AXES2D_UNITY) == 0.3f && hundredth(0.3f, ANIM_AXES2D_GODOT) == 100 * 0.3f);
	for (int i = 1; i <= 2000; i++) {
		float v = (float)i * 0.75f, back = hundredth(hundredth(v, ANIM_AXES2D_UNITY), ANIM_AXES2D_GODOT);

		exact += v == back;
		CHECKF(back == v || back == nextafterf(v, INFINITY) || back == nextafterf(v, 0), "%g came back as %.9g",
		       (double)v, (double)back);
	}
	CHECK(exact > 1000);
}

TEST(axes_flat_unity, "three components of Unity lose their depth, with a warning where there was one")
{
	static const float v[6] = {1, 2, 0, 3, 4, -0.0f}, deep[6] = {1, 2, 0, 3, 4, 1},
			   weights[6] = {.1f, .2f, .3f, .4f, .5f, .6f};
	struct anim_track track = axes_run_make_track("position", ANIM_FLOAT3, v);
	const struct anim_track *out;
	struct axes_run run;

	track.interp = ANIM_WEIGHTED;
	track.left = track.right = deep;
	track.left_x = track.right_x = weights;
	out = send(&run, false, &track);
	CHECK(out->type == ANIM_FLOAT2 && run.diagnostics.warnings == 0);
	axes_run_floats("value", out->value, (const float[]){16, -32, 48, -64}, 4);
	axes_run_floats("left", out->left, (const float[]){16, -32, 48, -64}, 4);
	axes_run_floats("left_x", out->left_x, (const float[]){.1f, .2f, .4f, .5f}, 4);
	axes_run_close(&run);

	track.value = deep;
	send(&run, false, &track);
	CHECK(run.diagnostics.warnings == 1 && strstr(run.diagnostics.items[0].text, "z_index") != NULL);
	axes_run_close(&run);

	track.property = "scale";
	out = send(&run, false, &track);
	CHECK(out->type == ANIM_FLOAT2 && run.diagnostics.warnings == 0);
	axes_run_floats("scale", out->value, (const float[]){1, 2, 3, 4}, 4);
	axes_run_close(&run);
}

TEST(axes_flat_euler, "Euler angles about z alone become an angle, others stay with a warning")
{
	static const float v[6] = {0, 0, 90, -0.0f, 0, -450}, leaning[6] = {0, 0, 90, 0, 0.01f, 90},
			   slopes[6] = {INFINITY, 0, 3, 0, 0, INFINITY}, lean_slopes[6] = {0, 0, 0, 0, 5, 0};
	const struct anim_attr order = {"order", "YXZ"};
	struct anim_track track = axes_run_make_track("euler", ANIM_FLOAT3, v);
	const struct anim_track *out;
	struct axes_run run;

	track.flags = ANIM_DEGREES;
	track.attrs = (struct anim_attrs){&order, 1};
	track.interp = ANIM_HERMITE;
	track.left = track.right = slopes;
	out = send(&run, false, &track);
	CHECK(strcmp(out->property, "angle") == 0 && out->type == ANIM_FLOAT && out->flags == ANIM_DEGREES);
	CHECK(out->attrs.count == 0 && out->interp == ANIM_HERMITE && run.diagnostics.warnings == 0);
	axes_run_floats("value", out->value, (const float[]){-90, 450}, 2);
	axes_run_floats("left", out->left, (const float[]){-3, -INFINITY}, 2);
	axes_run_close(&run);

	track.value = leaning;
	out = send(&run, false, &track);
	CHECK(strcmp(out->property, "euler") == 0 && out->type == ANIM_FLOAT3 && run.diagnostics.warnings == 1);
	axes_run_floats("leaning", out->value, leaning, 6);
	axes_run_close(&run);

	track.value = v;
	for (int i = 0; i < 2; i++) {
		track.left = i == 0 ? lean_slopes : slopes;
		track.right = i == 0 ? slopes : lean_slopes;
		CHECK(strcmp(send(&run, false, &track)->property, "euler") == 0 && run.diagnostics.warnings == 1);
		axes_run_close(&run);
	}
}

TEST(axes_flat_euler_components, "of single Euler components z becomes the angle, those that never rotate go")
{
	static const float zeros[2] = {0, 0}, v[2] = {0, 90};
	struct anim_track track = axes_run_make_track("euler", ANIM_FLOAT, v);
	const struct anim_track *out;
	struct axes_run run;

	track.component = 2;
	out = send(&run, false, &track);
	CHECK(strcmp(out->property, "angle") == 0 && out->component == ANIM_WHOLE);
	axes_run_floats("z", out->value, (const float[]){0, -90}, 2);
	axes_run_close(&run);
	track.component = 0;
	out = send(&run, false, &track);
	CHECK(strcmp(out->property, "euler") == 0 && run.diagnostics.warnings == 1);
	axes_run_close(&run);
	track.value = zeros;
	send(&run, false, &track);
	CHECK(run.out.track_count == 0 && run.diagnostics.warnings == 0);
	axes_run_close(&run);
	track.property = "position";
	track.component = 2;
	send(&run, false, &track);
	CHECK(run.out.track_count == 0 && run.diagnostics.warnings == 0);
	axes_run_close(&run);
	track.value = v;
	send(&run, false, &track);
	CHECK(run.out.track_count == 0 && run.diagnostics.warnings == 1);
	axes_run_close(&run);
}

/* Quaternions of three quarter rotations and a bit, in steps of 100 degrees, the last one of the other sign. */
static void fill_turns(float q[16])
{
	for (size_t k = 0; k < 4; k++) {
		double sine, cosine;

		anim_sincos((double)k * 100 * ANIM_PI / 360, &sine, &cosine);
		memset(q + 4 * k, 0, 4 * sizeof *q);
		q[4 * k + 2] = (float)(k == 3 ? -sine : sine);
		q[4 * k + 3] = (float)(k == 3 ? -cosine : cosine);
	}
}

TEST(axes_flat_rotation, "samples of a rotation about z become angles that go on from one to the next")
{
	float q[16];
	struct anim_track track;
	const struct anim_track *out;
	struct axes_run run;

	fill_turns(q);
	track = axes_run_make_track("rotation", ANIM_FLOATQ, q);
	track.kind = ANIM_RAW;
	track.time = NULL;
	track.n = 4;
	track.rate_num = 30;
	track.rate_den = 1;
	out = send(&run, false, &track);
	CHECK(strcmp(out->property, "angle") == 0 && out->type == ANIM_FLOAT && out->flags == 0 && out->n == 4);
	for (size_t k = 0; k < 4; k++) {
		double wanted = -(double)k * 100 * ANIM_PI / 180, found = (double)((const float *)out->value)[k];

		CHECKF(fabs(found - wanted) < 1e-6, "sample %zu: %g, not %g", k, found, wanted);
	}
	axes_run_close(&run);
}

TEST(axes_flat_rotation_lanes,
     "samples that their player blends component by component stay, unless the clip says that it goes the short way")
{
	float q[16];
	struct anim_attr slerp = {"resonite.slerp", "true"};
	struct anim_track track;

	fill_turns(q);
	track = axes_run_make_track("rotation", ANIM_FLOATQ, q);
	track.kind = ANIM_RAW;
	track.time = NULL;
	track.rate_num = track.rate_den = 1;
	track.rules = ANIM_RULES_RESONITE;
	for (int i = 0; i < 3; i++) {
		struct axes_run run;

		track.n = i == 2 ? 1 : 2;
		axes_run_open(&run, TO_GODOT);
		run.clip.attrs = i == 1 ? (struct anim_attrs){&slerp, 1} : (struct anim_attrs){0};
		axes_run_clip(&run, OF_UNITY);
		axes_run_track(&run, &track);
		axes_run_end(&run);
		CHECK(strcmp(run.out.tracks[0].property, i > 0 ? "angle" : "rotation") == 0);
		CHECK(run.diagnostics.warnings == (i == 0));
		axes_run_close(&run);
	}
}

TEST(axes_flat_rotation_curves,
     "a rotation by curves, or about other axes, stays one, with a warning that says what to do")
{
	float q[16];
	struct anim_track track;
	struct axes_run run;

	fill_turns(q);
	track = axes_run_make_track("rotation", ANIM_FLOATQ, q);
	track.rules = ANIM_RULES_UNITY;
	track.interp = ANIM_HERMITE;
	track.left = track.right = (const float[8]){0};
	send(&run, false, &track);
	if (!CHECK(run.out.track_count == 1 && run.diagnostics.warnings == 1))
		return;
	CHECK(strcmp(run.out.tracks[0].property, "rotation") == 0);
	CHECK(strstr(run.diagnostics.items[0].text, ANIM_ADVICE_TO(SAMPLE, "30")) != NULL);
	axes_run_floats("as it is", run.out.tracks[0].value, q, 8);
	axes_run_close(&run);

	track.left = track.right = NULL;
	track.interp = ANIM_HOLD;
	send(&run, false, &track);
	CHECK(strcmp(run.out.tracks[0].property, "angle") == 0 && run.diagnostics.warnings == 0);
	axes_run_close(&run);

	q[0] = 0.1f;
	send(&run, false, &track);
	CHECK(strcmp(run.out.tracks[0].property, "rotation") == 0 && run.diagnostics.warnings == 1);
	CHECK(strstr(run.diagnostics.items[0].text, "x or y") != NULL);
	axes_run_close(&run);
}

static struct anim_node unity_node(const char *path, const char *type, uint32_t parent)
{
	struct anim_node node = axes_run_make_node(path, ANIM_NODE, parent);

	node.type = type;
	node.has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE;
	memcpy(node.position, (const float[]){1, 2, 3}, sizeof node.position);
	return node;
}

TEST(axes_flat_unity_tree,
     "Unity's nodes become two-dimensional, but for meshes and what leans, and their tracks with them")
{
	static const float v[6] = {1, 2, 0, 3, 4, 0};
	struct anim_node root = unity_node(".", "Transform", ANIM_NO_PARENT),
			 sprite = unity_node("Cam", "SpriteRenderer", 0), mesh = unity_node("Mesh", "MeshRenderer", 0),
			 leaning = unity_node("Lean", "Transform", 0);
	struct anim_track track = axes_run_make_track("position", ANIM_FLOAT3, v);
	struct axes_run run;

	root.position[2] = 0;
	memcpy(leaning.rotation, (const float[]){0.6f, 0, 0, 0.8f}, sizeof leaning.rotation);
	axes_run_open(&run, TO_GODOT);
	axes_run_tree(&run, OF_UNITY);
	axes_run_node(&run, &root);
	axes_run_node(&run, &sprite);
	axes_run_node(&run, &mesh);
	axes_run_node(&run, &leaning);
	CHECK(run.diagnostics.warnings == 2 && run.diagnostics.count == 2);
	CHECK((run.out.nodes[0].has & ANIM_HAS_2D) && (run.out.nodes[1].has & ANIM_HAS_2D));
	CHECK(run.out.nodes[2].has == mesh.has && run.out.nodes[3].has == leaning.has);
	axes_run_floats("sprite", run.out.nodes[1].position, (const float[]){16, -32, 0}, 3);
	axes_run_floats("mesh", run.out.nodes[2].position, mesh.position, 3);
	axes_run_clip(&run, OF_UNITY);
	axes_run_track(&run, &track);
	track.node = "Mesh";
	axes_run_track(&run, &track);
	CHECK(run.out.tracks[0].type == ANIM_FLOAT2 && run.out.tracks[1].type == ANIM_FLOAT3);
	axes_run_close(&run);
}

TEST(axes_flat_then_space, "what was flattened is not mirrored again by three dimensions")
{
	static const float v[2] = {1, 2};
	struct anim_track component = axes_run_make_track("position", ANIM_FLOAT, v);
	struct axes_run flat, space;

	component.component = 0;
	send(&flat, false, &component);
	axes_run_open(&space, ANIM_AXES_GODOT, ANIM_AXES2D_UNKNOWN);
	axes_run_clip(&space, ANIM_AXES_UNITY, ANIM_AXES2D_GODOT);
	axes_run_track(&space, &flat.out.tracks[0]);
	axes_run_floats("component", space.out.tracks[0].value, (const float[]){16, 32}, 2);
	axes_run_close(&flat);
	axes_run_close(&space);
}

TEST(axes_flat_integers, "whole numbers of pixels stay as they are, with a warning")
{
	static const int32_t v[4] = {1, 2, 3, 4};
	struct anim_track track = axes_run_make_track("position", ANIM_INT2, v);
	struct axes_run run;

	send(&run, true, &track);
	CHECK(memcmp(run.out.tracks[0].value, v, sizeof v) == 0 && run.diagnostics.warnings == 1);
	axes_run_close(&run);
}

TEST(axes_flat_unknown, "a clip that does not say its two-dimensional axes is an error, unless an option does")
{
	struct anim_clip clip = {.end_s = 1, .axes = ANIM_AXES_GODOT, .name = "c", .root = ".", .source = "x"};
	struct anim_error error = {0};
	struct axes_run run;

	axes_run_open(&run, TO_UNITY);
	CHECK(anim_sink_clip(run.filter, &clip, &error) == -1);
	CHECKF(strstr(error.message, "godot2d" ANIM_ADVICE_END) != NULL, "%s", error.message);
	axes_run_close(&run);
}

TEST(axes_flat_beyond, "a node that pixels would carry beyond a float is an error")
{
	struct anim_node root = unity_node(".", "Transform", ANIM_NO_PARENT);
	struct anim_error error = {0};
	struct axes_run run;

	root.position[0] = 3e38f;
	axes_run_open(&run, TO_GODOT);
	axes_run_tree(&run, OF_UNITY);
	CHECK(anim_sink_node(run.filter, &root, &error) == -1 &&
	      strstr(error.message, "too large for a float") != NULL);
	axes_run_close(&run);
}
