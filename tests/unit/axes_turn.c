/* axes_turn.c: Euler orders under a mirror; cameras and lights, and what hangs below them. */
#include <math.h>
#include <string.h>

#include "axes_help.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "tap.h"

#define GODOT ANIM_AXES_GODOT, ANIM_AXES2D_GODOT
#define UNITY ANIM_AXES_UNITY, ANIM_AXES2D_UNKNOWN

/* Two rotations about no axis of the space. */
static const float quaternions[8] = {0.5f, -0.1f, 0.7f, 0.5f, 0.1f, 0.3f, -0.9f, 0.3f};
static const float eulers[6] = {0.3f, -1.1f, 2.5f, -0.7f, 1.9f, 0.4f};

/* The root, a camera in it that is placed, and a child of the camera. */
static void send_camera(struct axes_run *run, unsigned kind, const struct anim_node *child)
{
	struct anim_node root = axes_run_make_node(".", ANIM_NODE, ANIM_NO_PARENT),
			 camera = axes_run_make_node("Cam", kind, 0);

	axes_run_tree(run, GODOT);
	axes_run_node(run, &root);
	camera.has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION;
	memcpy(camera.position, (const float[]){1, 2, 3}, sizeof camera.position);
	memcpy(camera.rotation, quaternions, sizeof camera.rotation);
	axes_run_node(run, &camera);
	if (child != NULL)
		axes_run_node(run, child);
}

/* One track of a clip in the tree with the camera, through the filter; it stays in the run. */
static const struct anim_track *send(struct axes_run *run, unsigned kind, const struct anim_track *track)
{
	struct anim_node child = axes_run_make_node("Cam/Arm", ANIM_NODE, 1);

	axes_run_open(run, UNITY);
	send_camera(run, kind, &child);
	axes_run_clip(run, GODOT);
	axes_run_track(run, track);
	axes_run_end(run);
	return &run->out.tracks[0];
}

/* F q F of the mirror of x. */
static void mirror_x(float out[4], const float q[4])
{
	memcpy(out, (const float[4]){q[0], -q[1], -q[2], q[3]}, 4 * sizeof *out);
}

static void check_same_turn(const char *what, const float a[4], const float b[4])
{
	CHECKF(anim_quat_angle(a, b) < 1e-6, "%s: (%g %g %g %g), not (%g %g %g %g)", what, (double)a[0], (double)a[1],
	       (double)a[2], (double)a[3], (double)b[0], (double)b[1], (double)b[2], (double)b[3]);
}

/* Half a rotation about Y after (a camera) and before (a node below it). */
static void turned(float out[4], const float q[4])
{
	static const float half[4] = {0, 1, 0, 0};

	mirror_x(out, q);
	anim_quat_multiply(out, out, half);
}

static void hung(float out[4], const float q[4])
{
	static const float back[4] = {0, -1, 0, 0};

	mirror_x(out, q);
	anim_quat_multiply(out, back, out);
}

static void send_euler(struct axes_run *run, const char *node, unsigned order, unsigned flags, const float *angles)
{
	struct anim_attr attr = {"order", anim_euler_order_names[order]};
	struct anim_track track = axes_run_make_track("euler", ANIM_FLOAT3, angles);

	track.node = node;
	track.flags = flags;
	track.attrs = (struct anim_attrs){&attr, 1};
	send(run, ANIM_NODE_CAMERA, &track);
	CHECK(strcmp(anim_attrs_get(&run->out.tracks[0].attrs, "order"), attr.value) == 0);
}

TEST(axes_euler_orders, "mirrored angles in the same order are the mirrored turn, in all six orders and both mirrors")
{
	for (unsigned order = 0; order < ANIM_EULER_ORDER_COUNT; order++) {
		for (int z = 0; z < 2; z++) {
			struct anim_attr attr = {"order", anim_euler_order_names[order]};
			struct anim_track track = axes_run_make_track("euler", ANIM_FLOAT3, eulers);
			struct axes_run run;
			float q[4], wanted[4], found[4];

			track.attrs = (struct anim_attrs){&attr, 1};
			if (z)
				axes_run_mirror_z(&run, ANIM_AXES_UNITY);
			else
				axes_run_open(&run, UNITY);
			axes_run_clip(&run, GODOT);
			axes_run_track(&run, &track);
			for (size_t k = 0; k < 2; k++) {
				anim_quat_from_euler(q, eulers + 3 * k, (enum anim_euler_order)order);
				for (int i = 0; i < 4; i++)
					wanted[i] = i == 3 || i == (z ? 2 : 0) ? q[i] : -q[i];
				anim_quat_from_euler(found, (const float *)run.out.tracks[0].value + 3 * k,
						     (enum anim_euler_order)order);
				check_same_turn(attr.value, found, wanted);
			}
			axes_run_close(&run);
		}
	}
}

TEST(axes_camera_track, "rotations of cameras and lights get half a turn about Y, with their slopes and weights")
{
	static const float slopes[8] = {1, 2, 3, 4, 5, 6, 7, INFINITY},
			   weights[8] = {.1f, .2f, .3f, .4f, .5f, .6f, .7f, .8f};
	static const float wanted[8] = {0.7f, 0.5f, 0.5f, -0.1f, -0.9f, 0.3f, 0.1f, 0.3f},
			   wanted_slopes[8] = {3, 4, 1, 2, 7, INFINITY, 5, 6},
			   wanted_weights[8] = {.3f, .4f, .1f, .2f, .7f, .8f, .5f, .6f};
	struct anim_track track = axes_run_make_track("rotation", ANIM_FLOATQ, quaternions);

	track.interp = ANIM_WEIGHTED;
	track.left = track.right = slopes;
	track.left_x = track.right_x = weights;
	for (unsigned kind = ANIM_NODE_CAMERA; kind <= ANIM_NODE_LIGHT; kind++) {
		struct axes_run run;
		const struct anim_track *out = send(&run, kind, &track);
		float check[4];

		axes_run_floats("value", out->value, wanted, 8);
		turned(check, quaternions);
		axes_run_floats("first value, multiplied out", out->value, check, 4);
		axes_run_floats("left", out->left, wanted_slopes, 8);
		axes_run_floats("right", out->right, wanted_slopes, 8);
		axes_run_floats("left_x", out->left_x, wanted_weights, 8);
		axes_run_floats("right_x", out->right_x, wanted_weights, 8);
		axes_run_close(&run);
	}
}

TEST(axes_camera_rest, "the rest of a camera looks the same way as before, and so does what hangs below it")
{
	static const float arm[4] = {0.1f, 0.7f, -0.1f, 0.7f}, place[3] = {4, 5, 6};
	struct anim_node child = axes_run_make_node("Cam/Arm", ANIM_NODE, 1);
	float wanted[4], found[4], world[3], was[3];
	const struct anim_node *camera, *below;
	struct axes_run run;

	child.has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION;
	memcpy(child.position, place, sizeof place);
	memcpy(child.rotation, arm, sizeof arm);
	axes_run_open(&run, UNITY);
	send_camera(&run, ANIM_NODE_CAMERA, &child);
	camera = &run.out.nodes[1];
	below = &run.out.nodes[2];
	axes_run_floats("position of the camera", camera->position, (const float[]){-1, 2, 3}, 3);

	/* Along -Z before, along +Z now: the mirrored way. */
	anim_quat_rotate(was, quaternions, (const float[3]){0, 0, -1});
	anim_quat_rotate(world, camera->rotation, (const float[3]){0, 0, 1});
	CHECK(fabsf(world[0] + was[0]) < 1e-6f && fabsf(world[1] - was[1]) < 1e-6f && fabsf(world[2] - was[2]) < 1e-6f);

	anim_quat_multiply(found, quaternions, arm);
	mirror_x(wanted, found);
	anim_quat_multiply(found, camera->rotation, below->rotation);
	check_same_turn("turn of the child in the world", found, wanted);
	anim_quat_rotate(was, quaternions, place);
	anim_quat_rotate(world, camera->rotation, below->position);
	CHECK(fabsf(world[0] + was[0]) < 1e-5f && fabsf(world[1] - was[1]) < 1e-5f && fabsf(world[2] - was[2]) < 1e-5f);
	axes_run_close(&run);
}

TEST(axes_camera_children, "tracks of what hangs below a camera take its half turn back")
{
	static const float points[6] = {1, 2, 3, 4, 5, 6}, wanted_points[6] = {1, 2, -3, 4, 5, -6};
	struct anim_track position = axes_run_make_track("position", ANIM_FLOAT3, points),
			  rotation = axes_run_make_track("rotation", ANIM_FLOATQ, quaternions);
	struct axes_run run;
	float wanted[8];

	position.node = "Cam/Arm";
	axes_run_floats("position", send(&run, ANIM_NODE_CAMERA, &position)->value, wanted_points, 6);
	axes_run_close(&run);
	position.node = "Cam/unread";
	axes_run_floats("position below, unread", send(&run, ANIM_NODE_CAMERA, &position)->value, wanted_points, 6);
	axes_run_close(&run);
	position.property = "global_position";
	axes_run_floats("global position", send(&run, ANIM_NODE_CAMERA, &position)->value,
			(const float[]){-1, 2, 3, -4, 5, 6}, 6);
	axes_run_close(&run);

	rotation.node = "Cam/Arm";
	hung(wanted, quaternions);
	hung(wanted + 4, quaternions + 4);
	axes_run_floats("rotation", send(&run, ANIM_NODE_CAMERA, &rotation)->value, wanted, 8);
	axes_run_close(&run);
	rotation.node = "Cam/Arm/Hand";
	mirror_x(wanted, quaternions);
	mirror_x(wanted + 4, quaternions + 4);
	axes_run_floats("rotation two below", send(&run, ANIM_NODE_CAMERA, &rotation)->value, wanted, 8);
	axes_run_close(&run);
}

TEST(axes_camera_euler, "Euler angles of a camera and of what hangs below it make the half turn in all six orders")
{
	for (unsigned order = 0; order < ANIM_EULER_ORDER_COUNT; order++) {
		for (int below = 0; below < 2; below++) {
			struct axes_run run;
			float q[4], wanted[4], found[4];

			send_euler(&run, below ? "Cam/Arm" : "Cam", order, 0, eulers);
			for (size_t k = 0; k < 2; k++) {
				anim_quat_from_euler(q, eulers + 3 * k, (enum anim_euler_order)order);
				(below ? hung : turned)(wanted, q);
				anim_quat_from_euler(found, (const float *)run.out.tracks[0].value + 3 * k,
						     (enum anim_euler_order)order);
				check_same_turn(anim_euler_order_names[order], found, wanted);
			}
			axes_run_close(&run);
		}
	}
}

TEST(axes_camera_degrees, "the half turn of degrees is 180, of values and handles that are values, not of slopes")
{
	static const float degrees[6] = {0, 20, 30, 40, 250, 60}, others[6] = {1, 2, 3, 4, 5, 6};
	static const uint8_t modes[2] = {ANIM_CUBIC_BEZIER, ANIM_HERMITE};
	struct anim_attr order = {"order", "YXZ"};
	struct anim_track track = axes_run_make_track("euler", ANIM_FLOAT3, degrees);
	const struct anim_track *out;
	struct axes_run run;

	track.flags = ANIM_DEGREES;
	track.attrs = (struct anim_attrs){&order, 1};
	track.interp = ANIM_INTERP_COLUMN;
	track.interps = modes;
	track.left = track.right = others;
	out = send(&run, ANIM_NODE_CAMERA, &track);
	axes_run_floats("value", out->value, (const float[]){0, 160, 30, -40, -70, 60}, 6);
	axes_run_floats("right", out->right, (const float[]){-1, 178, 3, -4, -5, 6}, 6);
	axes_run_floats("left", out->left, (const float[]){-1, 178, 3, -4, 175, 6}, 6);
	axes_run_close(&run);
}

TEST(axes_camera_components,
     "a single component of a camera's rotation becomes the component that half a rotation makes of it")
{
	static const float v[2] = {1, 2};
	static const uint8_t components[4] = {2, 3, 0, 1};
	struct anim_track track = axes_run_make_track("rotation", ANIM_FLOAT, v);

	for (uint8_t i = 0; i < 4; i++) {
		struct axes_run run;
		const struct anim_track *out;

		track.component = i;
		out = send(&run, ANIM_NODE_CAMERA, &track);
		CHECKF(out->component == components[i], "lane %u became %u", i, out->component);
		axes_run_floats("lane", out->value, v, 2);
		axes_run_close(&run);
	}
	track.property = "euler";
	track.flags = ANIM_DEGREES;
	for (uint8_t i = 0; i < 3; i++) {
		static const float wanted[3][2] = {{-1, -2}, {179, 178}, {1, 2}};
		struct axes_run run;

		track.component = i;
		axes_run_floats("angle", send(&run, ANIM_NODE_CAMERA, &track)->value, wanted[i], 2);
		CHECK(run.out.tracks[0].component == i);
		axes_run_close(&run);
	}
}

TEST(axes_camera_matrix, "a camera's transform has the half turn in the columns, a child's in the rows")
{
	static const float m[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 1};
	static const float camera[12] = {-1, -2, 3, -4, 5, 6, -7, 8, 9, 10, -11, 12},
			   child[12] = {-1, 2, 3, 4, -5, 6, 7, 8, 9, -10, -11, -12};
	struct anim_track track = axes_run_make_track("transform", ANIM_FLOAT4X4, m);
	struct axes_run run;

	axes_run_floats("camera", send(&run, ANIM_NODE_LIGHT, &track)->value, camera, 12);
	axes_run_close(&run);
	track.node = "Cam/Arm";
	axes_run_floats("child", send(&run, ANIM_NODE_LIGHT, &track)->value, child, 12);
	axes_run_close(&run);
}

TEST(axes_camera_unknown,
     "without its tree, with the other mirror, in two dimensions, and of other kinds nothing is turned")
{
	float mirrored[8];
	struct anim_track track = axes_run_make_track("rotation", ANIM_FLOATQ, quaternions);
	struct anim_node root = axes_run_make_node(".", ANIM_NODE, ANIM_NO_PARENT),
			 flat = axes_run_make_node("Cam", ANIM_NODE_CAMERA, 0);
	struct axes_run run;

	mirror_x(mirrored, quaternions);
	mirror_x(mirrored + 4, quaternions + 4);
	axes_run_floats("mesh", send(&run, ANIM_NODE_MESH, &track)->value, mirrored, 8);
	axes_run_close(&run);

	axes_run_open(&run, UNITY);
	send_camera(&run, ANIM_NODE_CAMERA, NULL);
	run.clip.flags = 0;
	axes_run_clip(&run, GODOT);
	axes_run_track(&run, &track);
	axes_run_floats("not in the tree", run.out.tracks[0].value, mirrored, 8);
	axes_run_close(&run);

	axes_run_mirror_z(&run, ANIM_AXES_UNITY);
	send_camera(&run, ANIM_NODE_CAMERA, NULL);
	axes_run_clip(&run, GODOT);
	axes_run_track(&run, &track);
	axes_run_floats("mirror of z", run.out.tracks[0].value,
			(const float[]){-0.5f, 0.1f, 0.7f, 0.5f, -0.1f, -0.3f, -0.9f, 0.3f}, 8);
	axes_run_close(&run);

	axes_run_open(&run, UNITY);
	axes_run_tree(&run, GODOT);
	axes_run_node(&run, &root);
	flat.has = ANIM_HAS_2D | ANIM_HAS_ROTATION;
	axes_run_node(&run, &flat);
	CHECK(memcmp(&run.out.nodes[1].rotation, &flat.rotation, sizeof flat.rotation) == 0);
	axes_run_close(&run);
}

/* There and back again; the track must be the same, bit for bit. */
static void check_back(const char *node, const char *property, enum anim_type type, uint8_t component,
		       const float *values)
{
	struct anim_track track = axes_run_make_track(property, type, values);
	unsigned components = anim_types[type].components;
	struct axes_run there, back;

	track.node = node;
	track.component = component;
	track.interp = ANIM_WEIGHTED;
	track.left = track.right = values;
	track.left_x = track.right_x = values;
	send(&there, ANIM_NODE_CAMERA, &track);
	axes_run_open(&back, ANIM_AXES_GODOT, ANIM_AXES2D_UNKNOWN);
	axes_run_tree(&back, UNITY);
	for (uint32_t i = 0; i < 3; i++)
		axes_run_node(&back, &there.out.nodes[i]);
	axes_run_clip(&back, UNITY);
	axes_run_track(&back, &there.out.tracks[0]);
	CHECK(back.out.tracks[0].component == component);
	axes_run_floats(property, back.out.tracks[0].value, values, 2 * components);
	axes_run_floats("left", back.out.tracks[0].left, values, 2 * components);
	axes_run_floats("right_x", back.out.tracks[0].right_x, values, 2 * components);
	axes_run_close(&there);
	axes_run_close(&back);
}

TEST(axes_camera_back, "there and back again, cameras and what hangs below them have the same bits")
{
	static const float v[32] = {0.0f, 0.0f, 1.5f, -2.25f, 1e-40f, INFINITY, -3, 0.1f};
	static const char *const nodes[] = {"Cam", "Cam/Arm"};

	for (int i = 0; i < 2; i++) {
		check_back(nodes[i], "position", ANIM_FLOAT3, ANIM_WHOLE, v);
		check_back(nodes[i], "rotation", ANIM_FLOATQ, ANIM_WHOLE, v);
		check_back(nodes[i], "transform", ANIM_FLOAT4X4, ANIM_WHOLE, v);
		for (uint8_t component = 0; component < 4; component++)
			check_back(nodes[i], "rotation", ANIM_FLOAT, component, v);
	}
}

TEST(axes_camera_back_rests, "there and back again, rests are the same, those that are not told included")
{
	struct anim_node root = axes_run_make_node(".", ANIM_NODE, ANIM_NO_PARENT),
			 bare = axes_run_make_node("Cam", ANIM_NODE_CAMERA, 0),
			 placed = axes_run_make_node("Light", ANIM_NODE_LIGHT, 0),
			 below = axes_run_make_node("Light/A", ANIM_NODE, 2),
			 player = axes_run_make_node("Light/B", ANIM_NODE, 2);
	struct anim_node *const nodes[] = {&root, &bare, &placed, &below, &player};
	struct axes_run there, back;

	placed.has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE;
	placed.position[1] = -1.5f;
	player.type = "AnimationPlayer";
	axes_run_open(&there, UNITY);
	axes_run_open(&back, ANIM_AXES_GODOT, ANIM_AXES2D_UNKNOWN);
	axes_run_tree(&there, GODOT);
	axes_run_tree(&back, UNITY);
	for (int i = 0; i < 5; i++)
		axes_run_node(&there, nodes[i]);
	for (int i = 0; i < 5; i++)
		axes_run_node(&back, &there.out.nodes[i]);
	CHECK(there.out.nodes[1].has == ANIM_HAS_ROTATION && there.out.nodes[3].has == ANIM_HAS_ROTATION);
	CHECK(there.out.nodes[4].has == 0);
	axes_run_floats("half a turn", there.out.nodes[1].rotation, (const float[]){0, 1, 0, 0}, 4);
	for (int i = 0; i < 5; i++) {
		CHECKF(back.out.nodes[i].has == nodes[i]->has, "%s has %d", nodes[i]->path, back.out.nodes[i].has);
		axes_run_floats(nodes[i]->path, back.out.nodes[i].rotation, nodes[i]->rotation, 4);
		axes_run_floats(nodes[i]->path, back.out.nodes[i].position, nodes[i]->position, 3);
	}
	axes_run_close(&there);
	axes_run_close(&back);
}

TEST(axes_component_fields, "fields of Unity's components that are called as a transform's are no transform's")
{
	static const float v[2] = {1, 2};
	struct anim_attr class = {"unity.class", "114"};
	struct anim_track track = axes_run_make_track("position", ANIM_FLOAT, v);
	struct axes_run run;

	track.component = 0;
	track.attrs = (struct anim_attrs){&class, 1};
	axes_run_open(&run, ANIM_AXES_GODOT, ANIM_AXES2D_UNKNOWN);
	axes_run_clip(&run, UNITY);
	axes_run_track(&run, &track);
	class.value = "224";
	axes_run_track(&run, &track);
	axes_run_floats("a script's", run.out.tracks[0].value, v, 2);
	axes_run_floats("a transform's", run.out.tracks[1].value, (const float[]){-1, -2}, 2);
	axes_run_close(&run);
}
