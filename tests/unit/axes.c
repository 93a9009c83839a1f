/* axes.c: mirrors of tracks and rests. */
#include "filter/axes/axes.h"

#include <string.h>

#include "capture.h"
#include "tap.h"

static const float times[] = {0, 1};

static struct anim_track curve(const char *property, enum anim_type type, const void *value)
{
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = type,
				   .node = "A",
				   .property = property,
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = 2,
				   .time = times,
				   .value = value};

	return track;
}

/* Sends one track of a clip in `from` axes through the filter into the capture. */
static void send(struct capture *capture, enum anim_axes from, enum anim_axes target, enum anim_mirror mirror,
		 const struct anim_track *track)
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_axes_options options = {.target = target, .mirror = mirror, .diagnostics = &diagnostics};
	struct anim_clip clip = {.end_s = 1, .axes = (uint8_t)from, .name = "c", .root = ".", .source = "godot4"};
	struct anim_sink *filter = anim_axes_new(&options, capture_sink(capture), NULL);

	CHECK(anim_sink_clip(filter, &clip, NULL) == 0);
	CHECK(anim_sink_track(filter, track, NULL) == 0);
	CHECK(anim_sink_end(filter, NULL) == 0 && capture->ended);
	anim_sink_free(filter);
	CHECK(capture->freed && capture->clip.axes == target);
	anim_diagnostics_clear(&diagnostics);
}

static void expect(const struct anim_track *track, const float *values, enum anim_mirror mirror, const float *want,
		   size_t count)
{
	struct capture capture;
	const float *got;

	(void)values;
	send(&capture, ANIM_AXES_GODOT, ANIM_AXES_RESONITE, mirror, track);
	got = capture.tracks[0].value;
	for (size_t i = 0; i < count; i++)
		CHECKF(got[i] == want[i], "%s component %zu: %g, not %g", track->property, i, got[i], want[i]);
	capture_clear(&capture);
}

TEST(points, "positions lose the sign of the mirrored axis, scales keep theirs")
{
	static const float v[] = {1, 2, 3, 4, 5, 6}, x[] = {-1, 2, 3, -4, 5, 6}, z[] = {1, 2, -3, 4, 5, -6};
	struct anim_track position = curve("position", ANIM_FLOAT3, v), scale = curve("scale", ANIM_FLOAT3, v);

	expect(&position, v, ANIM_MIRROR_X, x, 6);
	expect(&position, v, ANIM_MIRROR_Z, z, 6);
	expect(&scale, v, ANIM_MIRROR_X, v, 6);
}

TEST(turns, "rotations keep the rotation about the mirrored axis and reverse the other two")
{
	static const float q[] = {1, 2, 3, 4, 5, 6, 7, 8}, x[] = {1, -2, -3, 4, 5, -6, -7, 8},
			   z[] = {-1, -2, 3, 4, -5, -6, 7, 8};
	static const float e[] = {1, 2, 3, 4, 5, 6}, ex[] = {1, -2, -3, 4, -5, -6};
	struct anim_track rotation = curve("rotation", ANIM_FLOATQ, q), euler = curve("euler", ANIM_FLOAT3, e);

	expect(&rotation, q, ANIM_MIRROR_X, x, 8);
	expect(&rotation, q, ANIM_MIRROR_Z, z, 8);
	expect(&euler, e, ANIM_MIRROR_X, ex, 6);
}

TEST(components, "a single component is mirrored as the component it is")
{
	static const float v[] = {1, 2}, minus[] = {-1, -2};
	struct anim_track component = curve("position", ANIM_FLOAT, v);

	component.component = 0;
	expect(&component, v, ANIM_MIRROR_X, minus, 2);
	component.component = 1;
	expect(&component, v, ANIM_MIRROR_X, v, 2);
	component.property = "rotation";
	expect(&component, v, ANIM_MIRROR_X, minus, 2);
}

TEST(matrices, "a transform is mirrored on both sides")
{
	static const float m[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 1};
	static const float want[16] = {1, -2, -3, -4, -5, 6, 7, 8, -9, 10, 11, 12, 0, 0, 0, 1};
	struct anim_track track = curve("transform", ANIM_FLOAT4X4, m);

	expect(&track, m, ANIM_MIRROR_X, want, 16);
}

TEST(others, "colours, two-dimensional values and unknown properties pass unchanged")
{
	static const float v[] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct anim_track flat = curve("position", ANIM_FLOAT2, v), color = curve("modulate", ANIM_COLOR, v),
			  other = curve("velocity", ANIM_FLOAT3, v);

	expect(&flat, v, ANIM_MIRROR_X, v, 4);
	expect(&color, v, ANIM_MIRROR_X, v, 8);
	expect(&other, v, ANIM_MIRROR_X, v, 6);
}

TEST(slopes, "slopes and handles are mirrored as their values")
{
	static const float v[] = {1, 2, 3, 4, 5, 6}, s[] = {7, 8, 9, 1, 2, 3};
	struct anim_track track = curve("position", ANIM_FLOAT3, v);
	struct capture capture;

	track.interp = ANIM_HERMITE;
	track.left = s;
	track.right = v;
	send(&capture, ANIM_AXES_UNITY, ANIM_AXES_GLTF, ANIM_MIRROR_X, &track);
	CHECK(((const float *)capture.tracks[0].left)[0] == -7 && ((const float *)capture.tracks[0].right)[3] == -4);
	CHECK(((const float *)capture.tracks[0].left)[1] == 8);
	capture_clear(&capture);
}

TEST(same_hand, "between engines of one hand only the label changes")
{
	static const float v[] = {1, 2, 3, 4, 5, 6};
	struct anim_track track = curve("position", ANIM_FLOAT3, v);
	struct capture capture;

	send(&capture, ANIM_AXES_UNITY, ANIM_AXES_RESONITE, ANIM_MIRROR_X, &track);
	CHECK(memcmp(capture.tracks[0].value, v, sizeof v) == 0);
	capture_clear(&capture);
}

TEST(inverse, "there and back again gives the same bits, zeros and infinities included")
{
	static const float v[] = {0.0f, -0.0f, 1.5f, -__builtin_inff(), 1e-40f, -3};
	struct anim_track track = curve("position", ANIM_FLOAT3, v), back;
	struct capture there, home;

	send(&there, ANIM_AXES_GODOT, ANIM_AXES_UNITY, ANIM_MIRROR_X, &track);
	back = there.tracks[0];
	send(&home, ANIM_AXES_UNITY, ANIM_AXES_GODOT, ANIM_MIRROR_X, &back);
	CHECK(memcmp(home.tracks[0].value, v, sizeof v) == 0);
	capture_clear(&there);
	capture_clear(&home);
}

TEST(unknown, "a clip that does not say its axes is an error, unless an option does")
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_axes_options options = {.target = ANIM_AXES_UNITY, .diagnostics = &diagnostics};
	struct anim_clip clip = {.end_s = 1, .name = "c", .root = ".", .source = "x"};
	struct capture capture;
	struct anim_sink *filter = anim_axes_new(&options, capture_sink(&capture), NULL);
	struct anim_error error;

	CHECK(anim_sink_clip(filter, &clip, &error) == -1 && strstr(error.message, "from") != NULL);
	anim_sink_free(filter);
	options.from = ANIM_AXES_GODOT;
	filter = anim_axes_new(&options, capture_sink(&capture), NULL);
	CHECK(anim_sink_clip(filter, &clip, &error) == 0 && capture.clip.axes == ANIM_AXES_UNITY);
	anim_sink_free(filter);
	capture_clear(&capture);
}

TEST(rests, "rests of the tree are mirrored, two-dimensional ones are not")
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_axes_options options = {.target = ANIM_AXES_UNITY, .diagnostics = &diagnostics};
	struct anim_tree tree = {.axes = ANIM_AXES_GODOT, .root_name = "R", .source_file = "r.tscn"};
	struct anim_attr pose = {"godot.pose", "1 2 3 0.5 0.5 0.5 0.5 1 1 1"};
	struct anim_node node = {.kind = ANIM_NODE_BONE,
				 .has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION,
				 .parent = ANIM_NO_PARENT,
				 .position = {1, 2, 3},
				 .rotation = {0.5f, 0.5f, 0.5f, 0.5f},
				 .scale = {1, 1, 1},
				 .path = ".",
				 .type = "Node3D",
				 .attrs = {&pose, 1}};
	struct capture capture;
	struct anim_sink *filter = anim_axes_new(&options, capture_sink(&capture), NULL);

	CHECK(anim_sink_tree(filter, &tree, NULL) == 0 && capture.tree.axes == ANIM_AXES_UNITY);
	CHECK(anim_sink_node(filter, &node, NULL) == 0);
	node.has |= ANIM_HAS_2D;
	CHECK(anim_sink_node(filter, &node, NULL) == 0);
	CHECK(capture.nodes[0].position[0] == -1 && capture.nodes[0].rotation[1] == -0.5f &&
	      capture.nodes[0].rotation[0] == 0.5f);
	CHECK(strcmp(capture.nodes[0].attrs.items[0].value, "-1 2 3 0.5 -0.5 -0.5 0.5 1 1 1") == 0);
	CHECK(capture.nodes[1].position[0] == 1);
	anim_sink_free(filter);
	capture_clear(&capture);
}

TEST(lone_components,
     "a component of a node that no tree knows is mirrored with a warning, below a two-dimensional node it is not")
{
	static const float v[] = {1, 2};
	struct anim_diagnostics diagnostics = {0};
	struct anim_axes_options options = {.target = ANIM_AXES_UNITY, .diagnostics = &diagnostics};
	struct anim_tree tree = {.axes = ANIM_AXES_GODOT, .root_name = "R", .source_file = "r.tscn"};
	struct anim_node root = {.parent = ANIM_NO_PARENT,
				 .rotation = {0, 0, 0, 1},
				 .scale = {1, 1, 1},
				 .path = ".",
				 .type = "Node"},
			 flat = {.has = ANIM_HAS_2D,
				 .rotation = {0, 0, 0, 1},
				 .scale = {1, 1, 1},
				 .path = "Flat",
				 .type = "Node2D"};
	struct anim_clip clip = {
	    .end_s = 1, .axes = ANIM_AXES_GODOT, .flags = ANIM_IN_TREE, .name = "c", .root = ".", .source = "godot4"};
	struct anim_track track = curve("position", ANIM_FLOAT, v);
	struct capture capture;
	struct anim_sink *filter = anim_axes_new(&options, capture_sink(&capture), NULL);

	track.component = 0;
	track.rules = ANIM_RULES_GODOT4;
	CHECK(anim_sink_tree(filter, &tree, NULL) == 0 && anim_sink_node(filter, &root, NULL) == 0 &&
	      anim_sink_node(filter, &flat, NULL) == 0 && anim_sink_clip(filter, &clip, NULL) == 0);
	track.node = "Flat/unread/Sprite";
	CHECK(anim_sink_track(filter, &track, NULL) == 0 && diagnostics.warnings == 0);
	CHECK(((const float *)capture.tracks[0].value)[0] == 1);
	track.node = "unread/Sprite";
	CHECK(anim_sink_track(filter, &track, NULL) == 0 && diagnostics.warnings == 1);
	CHECK(((const float *)capture.tracks[1].value)[0] == -1);
	anim_sink_free(filter);
	anim_diagnostics_clear(&diagnostics);
	capture_clear(&capture);
}
