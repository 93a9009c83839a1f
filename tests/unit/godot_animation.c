/* godot_animation.c: Animation resources: heads, the table of tracks, paths, rows of numbers. */
#include <string.h>

#include "format/godot/animation.h"
#include "godot_clip.h"
#include "tap.h"

/* A value track of floats at path P with two keys. */
#define VALUE_KEYS "tracks/0/keys = {\"times\": PackedFloat32Array(0, 1), \"update\": 0, \"values\": [1.0, 2.0]}\n"
#define VALUE(path) "tracks/0/type = \"value\"\ntracks/0/path = NodePath(\"" path "\")\n" VALUE_KEYS
#define FLOATS "float Curve/Linear godot4 wrap {godot.type=value}: 0=1 1=2\n"

TEST(heads, "an animation's length, loop, name and step are read as the engine stores them")
{
	static const struct {
		const char *body, *head;
		int format;
	} cases[] = {
	    {"", "1 0 '' {} 4", 3},
	    {"length = 2.5\nloop_mode = 2\nstep = 0.1\nresource_name = \"a b\"",
	     "2.5 2 'a b' {godot.resource_name=a b godot.step=0.1} 4", 3},
	    {"resource/name = \"old\"\nloop = true\nlength = \"2\"", "2 1 'old' {godot.resource_name=old} 3", 2},
	    {"length = -1.0\nloop = false", "0.001 0 '' {} 4", 3},
	    {"length = 3\nlength = 7", "7 0 '' {} 4", 3},
	    {"loop_mode = 9\nlength = 1e30", "1e30 0 '' {} 4", 3},
	    {"foo = {\"a\": [1, 2]}\nmetadata/x = 1\nlength = 0.25", "0.25 0 '' {} 4", 3},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *head = godot_clip_head(cases[i].body, cases[i].format);

		CHECKF(strcmp(head, cases[i].head) == 0, "%s: %s", cases[i].body, head);
	}
}

TEST(generations, "whose semantics a clip has is decided by its content, then by the format")
{
#define OLD_VALUE(array) "tracks/0/type = \"value\"\ntracks/0/keys = {\"times\": " array "(0), \"values\": [1]}\n"
	static const struct {
		const char *body;
		int format, generation;
	} cases[] = {
	    {OLD_VALUE("PoolRealArray"), 3, 4},
	    {OLD_VALUE("PoolRealArray"), 2, 3},
	    {OLD_VALUE("PackedFloat32Array"), 2, 4},
	    {OLD_VALUE("FloatArray"), 1, 2},
	    {OLD_VALUE(""), 2, -1},
	    {"tracks/0/type = \"value\"\ntracks/0/keys = {\"times\": [0], \"values\": [1]}", 2, 3},
	    {"tracks/0/type = \"value\"\ntracks/0/keys = {\"times\": [0], \"values\": [1], \"cont\": true}", 2, 2},
	    {"tracks/0/type = \"value\"\ntracks/0/imported = true\ntracks/0/path = NodePath(\"a\")", 2, 4},
	    {"tracks/0/type = \"value\"\ntracks/0/path = NodePath(\"a\")\ntracks/0/imported = true", 2, 3},
	    {"tracks/0/type = \"scale_3d\"", 2, 4},
	    {"tracks/0/type = \"transform\"\ntracks/0/keys = PackedFloat32Array()", 2, 3},
	    {"loop_mode = 1", 2, 4},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *head = godot_clip_head(cases[i].body, cases[i].format);

		CHECKF(cases[i].generation < 0 || head[strlen(head) - 1] - '0' == cases[i].generation, "%s: %s",
		       cases[i].body, head);
	}
}

static const struct {
	const char *path, *node, *property;
	enum anim_type type;
	uint8_t component;
	bool euler, degrees, dotted;
} paths[] = {
    {"A/B:position", "A/B", "position", ANIM_FLOAT3, 255, 0, 0, 0},
    {"A/B:translation", "A/B", "position", ANIM_FLOAT3, 255, 0, 0, 0},
    {"A:position:x", "A", "position", ANIM_FLOAT, 0, 0, 0, 0},
    {"A:position:x", "A", "position:x", ANIM_STRING, 255, 0, 0, 0},
    {"A:x", "A", "x", ANIM_FLOAT, 255, 0, 0, 0},
    {"A:scale.y", "A", "scale", ANIM_DOUBLE, 1, 0, 0, 1},
    {"A:modulate:a", "A", "modulate", ANIM_FLOAT, 3, 0, 0, 0},
    {"A:material:albedo_color:g", "A", "material:albedo_color", ANIM_FLOAT, 1, 0, 0, 0},
    {"A:transform:origin:z", "A", "transform:origin", ANIM_FLOAT, 2, 0, 0, 0},
    {"A:position:q", "A", "position:q", ANIM_FLOAT, 255, 0, 0, 0},
    {"A:quaternion", "A", "rotation", ANIM_FLOATQ, 255, 0, 0, 0},
    {"A:quaternion:w", "A", "rotation", ANIM_FLOAT, 3, 0, 0, 0},
    {"A:rotation", "A", "rotation", ANIM_FLOATQ, 255, 0, 0, 0},
    {"A:rotation", "A", "euler", ANIM_FLOAT3, 255, 1, 0, 0},
    {"A:rotation", "A", "angle", ANIM_FLOAT, 255, 0, 0, 0},
    {"A:rotation", "A", "angle", ANIM_INT, 255, 0, 0, 0},
    {"A:rotation:y", "A", "euler", ANIM_FLOAT, 1, 1, 0, 0},
    {"A:rotation_degrees", "A", "euler", ANIM_FLOAT3, 255, 1, 1, 0},
    {"A:rotation_degrees", "A", "angle", ANIM_FLOAT, 255, 0, 1, 0},
    {"A:rotation_degrees:z", "A", "euler", ANIM_DOUBLE, 2, 1, 1, 0},
    {"A:transform/pos", "A", "position", ANIM_FLOAT2, 255, 0, 0, 0},
    {"A:transform/rot", "A", "transform/rot", ANIM_FLOAT, 255, 0, 1, 0},
    {"A:visibility/visible", "A", "visible", ANIM_BOOL, 255, 0, 0, 0},
    {"A/M:blend_shapes/Key 1", "A/M", "blend_shape/Key 1", ANIM_FLOAT, 255, 0, 0, 0},
    {"A/M:blend_shapes/", "A/M", "blend_shapes/", ANIM_FLOAT, 255, 0, 0, 0},
    {"M:surface_material_override/0:shader_parameter/x y", "M", "surface_material_override/0:shader_parameter/x y",
     ANIM_FLOAT, 255, 0, 0, 0},
    {"", ".", "", ANIM_FLOAT, 255, 0, 0, 0},
    {":", ".", "", ANIM_FLOAT, 255, 0, 0, 0},
    {":frame", ".", "frame", ANIM_INT, 255, 0, 0, 0},
    {".:frame:", ".", "frame", ANIM_INT, 255, 0, 0, 0},
    {"..:modulate", "..", "modulate", ANIM_COLOR, 255, 0, 0, 0},
    {"A", "A", "", ANIM_FLOAT, 255, 0, 0, 0},
};

TEST(property_paths, "a NodePath becomes node, canonical property and component")
{
	struct anim_arena arena = {0};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct godot_target target;

		if (!CHECK(godot_target_of_property(paths[i].path, paths[i].type, &arena, &target, NULL) == 0))
			continue;
		CHECKF(strcmp(target.node, paths[i].node) == 0 && strcmp(target.property, paths[i].property) == 0,
		       "%s: '%s' '%s'", paths[i].path, target.node, target.property);
		CHECKF(target.component == paths[i].component && target.euler == paths[i].euler &&
			   target.degrees == paths[i].degrees && target.dotted == paths[i].dotted,
		       "%s: %u %d %d %d", paths[i].path, target.component, target.euler, target.degrees, target.dotted);
	}
	anim_arena_clear(&arena);
}

#define ROWS(type, keys) "tracks/0/type = \"" type "\"\ntracks/0/path = NodePath(\"S/K:B\")\ntracks/0/keys = " keys "\n"

TEST(rows_of_numbers, "rows of numbers become times, transitions and values")
{
	static const struct godot_clip_case cases[] = {
	    {ROWS("position_3d", "PackedFloat32Array(0, 1, 1, 2, 3, 0.5, 1, 4, 5, 6)"),
	     "S/K:B position float3 Curve/Linear godot4 wrap {godot.type=position_3d}: 0=1,2,3 0.5=4,5,6\n", NULL, 0,
	     0},
	    {ROWS("rotation_3d", "PackedFloat64Array(0, 2, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0)"),
	     "S/K:B rotation floatQ Curve/Linear godot4 wrap {godot.type=rotation_3d}: 0*2=0,0,0,1 1*1=0,1,0,0\n", NULL,
	     0, 0},
	    {ROWS("scale_3d", "[1, 1, 1, 1, 1, 0, 1, 2, 2, 2]"),
	     "S/K:B scale float3 Curve/Linear godot4 wrap unsorted {godot.type=scale_3d}: 1=1,1,1 0=2,2,2\n", NULL, 0,
	     0},
	    {ROWS("scale_3d", "PackedFloat32Array(nan, 1, 1, 1, 1)"),
	     "S/K:B scale float3 Curve/Linear godot4 wrap unsorted {godot.type=scale_3d}: nan=1,1,1\n", NULL, 0, 0},
	    {ROWS("scale_3d", "PackedFloat32Array(0, 1, 1, 1, 1, inf, 1, 1, 1, 1)"),
	     "S/K:B scale float3 Curve/Linear godot4 wrap unsorted {godot.type=scale_3d}: 0=1,1,1 inf=1,1,1\n", NULL, 0,
	     0},
	    {ROWS("blend_shape", "Array[float]([0, 1, 0.25])"),
	     "S/K blend_shape/B float Curve/Linear godot4 wrap {godot.type=blend_shape}: 0=0.25\n", NULL, 0, 0},
	    {ROWS("position_3d", "PackedFloat32Array()"),
	     "S/K:B position float3 Curve/Linear godot4 wrap {godot.type=position_3d}:\n", NULL, 0, 0},
	    {ROWS("position_3d", "PackedFloat32Array(0, 1, 1, 2, 3, 4)"),
	     "S/K:B position float3 Curve/Linear godot4 wrap {godot.type=position_3d}:\n",
	     "4:1: track 'S/K:B': no key is read, because the last one is incomplete, as in Godot: 6 numbers are not a "
	     "multiple of 5",
	     0, 0},
	    {ROWS("rotation_3d", "{\"times\": [0]}"),
	     "S/K:B rotation floatQ Curve/Linear godot4 wrap {godot.type=rotation_3d}:\n",
	     "4:1: track 'S/K:B' (rotation_3d): no key is read, because the keys are not an array of numbers", 0, 0},
	};

	CHECK_CLIPS(cases);
}

TEST(transforms, "a transform track of Godot 3 becomes position, rotation and scale, relative to the rest on a bone")
{
	static const struct godot_clip_case cases[] = {
	    {ROWS("transform", "PoolRealArray( 0, 1, 1, 2, 3, 0, 0, 0, 1, 4, 5, 6 )"),
	     "S/K:B position float3 Curve/Linear godot3 wrap rest {godot.type=transform}: 0=1,2,3\n"
	     "S/K:B rotation floatQ Curve/Linear godot3 wrap rest {godot.type=transform}: 0=0,0,0,1\n"
	     "S/K:B scale float3 Curve/Linear godot3 wrap rest {godot.type=transform}: 0=4,5,6\n",
	     NULL, .format = 2},
	    {"tracks/0/type = \"transform\"\ntracks/0/path = NodePath(\"A\")\ntracks/0/interp = 2\ntracks/0/keys = "
	     "[0.0, 1.0, "
	     "Vector3(1, 2, 3), Quat(0, 0, 0, 1), Vector3(4, 5, 6)]",
	     "A position float3 Curve/CubicUniform godot3 wrap {godot.type=transform}: 0=1,2,3\n"
	     "A rotation floatQ Curve/CubicUniform godot3 wrap {godot.type=transform}: 0=0,0,0,1\n"
	     "A scale float3 Curve/CubicUniform godot3 wrap {godot.type=transform}: 0=4,5,6\n",
	     "2:1: a Godot 3 transform track is read as position, rotation and scale, but Godot 4 would drop it and "
	     "all later tracks of this Godot 4 file",
	     0, 0},
	};

	CHECK_CLIPS(cases);
}

TEST(bezier_keys, "Bezier keys keep value, handles and handle modes")
{
	static const struct godot_clip_case cases[] = {
	    {"tracks/0/type = \"bezier\"\ntracks/0/path = NodePath(\"N:position:y\")\ntracks/0/keys = "
	     "{\"handle_modes\": "
	     "PackedInt32Array(0, 2), \"points\": PackedFloat32Array(1, -0.25, 0.5, 0.25, -0.5, 3, 0, 1, 2, 3), "
	     "\"times\": "
	     "PackedFloat32Array(0, 1)}",
	     "N position.1 float Curve/Bezier2D godot4 wrap {godot.type=bezier}: 0=1~-0.25,0.5,0.25,-0.5#0 "
	     "1=3~0,1,2,3#2\n",
	     NULL, 0, 0},
	    {"tracks/0/type = \"bezier\"\ntracks/0/keys = {\"handle_modes\": [0], \"times\": [0, 1], \"points\": "
	     "[1, 0, 0, 0, 0, 3, 0, 0, 0, 0]}",
	     ".  float Curve/Bezier2D godot4 wrap {godot.type=bezier}: 0=1~0,0,0,0 1=3~0,0,0,0\n", NULL, 0, 0},
	    {"tracks/0/type = \"bezier\"\ntracks/0/keys = {\"points\": PackedFloat32Array(), \"times\": "
	     "PackedFloat32Array()}",
	     ".  float Curve/Bezier2D godot4 wrap {godot.type=bezier}:\n", NULL, 0, 0},
	    {"tracks/0/type = \"bezier\"\ntracks/0/keys = {\"points\": [1, 0, 0, 0, 0, 0], \"times\": [0]}",
	     ".  float Curve/Bezier2D godot4 wrap {godot.type=bezier}:\n",
	     "3:1: track 'a track without path': no key is read, because a Bezier track needs five numbers in 'points' "
	     "for each time, as in "
	     "Godot: 1 times, 6 numbers",
	     0, 0},
	};

	CHECK_CLIPS(cases);
}

TEST(track_heads, "what a track says beside its keys becomes flags, modes and attributes, in any order")
{
	static const struct godot_clip_case cases[] = {
	    {"tracks/0/type = \"value\"\n" VALUE_KEYS
	     "tracks/0/interp = 2\ntracks/0/loop_wrap = false\ntracks/0/enabled = "
	     "false\ntracks/0/imported = true\ntracks/0/path = \"N:x\"",
	     "N x float Curve/CubicTime godot4 disabled {godot.imported=true godot.type=value}: 0=1 1=2\n", NULL, 0, 0},
	    {"tracks/0/type = \"position_3d\"\ntracks/0/interp = \"4\"\ntracks/0/keys = [0, 1, 1, 2, 3]",
	     ". position float3 Curve/CubicTime godot4 wrap {godot.interp=4 godot.type=position_3d}: 0=1,2,3\n", NULL,
	     0, 0},
	    {"tracks/0/type = \"blend_shape\"\ntracks/0/interp = 3\ntracks/0/keys = [0, 1, 2]",
	     ". blend_shape/ float Curve/LinearAngle godot4 wrap {godot.type=blend_shape}: 0=2\n", NULL, 0, 0},
	    {VALUE("N:x") "tracks/0/interp = 7",
	     "N x float Curve/Hold godot4 wrap {godot.interp=7 godot.type=value}: 0=1 1=2\n",
	     "5:1: an unknown interpolation is held, as in Godot: 7", 0, 0},
	    {VALUE("Box:scale.x"), "Box scale.0 " FLOATS,
	     "2:1: track 'Box:scale.x': the end of the path is read as a component, which Godot spells ':x'", 0, 0},
	    {VALUE("N:rotation:x"), "N euler.0 float Curve/Linear godot4 wrap {godot.type=value order=YXZ}: 0=1 1=2\n",
	     NULL, 0, 0},
	};

	CHECK_CLIPS(cases);
}

#define SCALE(n, x) "tracks/" n "/keys = PackedFloat32Array(0, 1, " x ", 1, 1)\n"
#define SCALE_LINE(x) ". scale float3 Curve/Linear godot4 wrap {godot.type=scale_3d}: 0=" x ",1,1\n"
#define NO_KEYS ". scale float3 Curve/Linear godot4 wrap {godot.type=scale_3d}:\n"
#define TYPE(n) "tracks/" n "/type = \"scale_3d\"\n"

TEST(track_numbers, "tracks are made and numbered as the engine makes them; what it passes over is told")
{
	static const struct godot_clip_case cases[] = {
	    {TYPE("0") TYPE("1") SCALE("0", "1") SCALE("1", "2"), SCALE_LINE("1") SCALE_LINE("2"), NULL, 0, 0},
	    {TYPE("0") TYPE("1") TYPE("2") SCALE("2", "3"), NO_KEYS NO_KEYS SCALE_LINE("3"), NULL, 0, 0},
	    {TYPE("0") SCALE("0", "1") SCALE("0", "2"), SCALE_LINE("2"), NULL, 0, 0},
	    {TYPE("0") TYPE("1") SCALE("1", "2") SCALE("0", "1"), NO_KEYS SCALE_LINE("2"),
	     "5:1: property 'keys' of track 0: not read, because keys of a later track come before", 0, 0},
	    {TYPE("1") SCALE("1", "1"), "",
	     "2:1: 2 properties: not read, because the track does not exist yet, as in Godot (first 'type')", 0, 0},
	    {SCALE("0", "1") TYPE("0"), NO_KEYS,
	     "2:1: property 'keys' of track 0: not read, because the track does not exist yet, as in Godot", 0, 0},
	    {TYPE("99999999999") SCALE("99999999999", "1"), "",
	     "2:1: 2 properties: not read, because the track does not exist yet, as in Godot (first 'type')", 0, 0},
	    {"tracks/0/type = \"foo\"\ntracks/0/keys = [[[1]]]\n" TYPE("1") SCALE("1", "2"), SCALE_LINE("2"),
	     "2:1: an unknown type of track is not read: 'foo'", 0, 0},
	};

	CHECK_CLIPS(cases);
}

TEST(faults, "what no engine reads makes the clip faulty, or ends reading, with its place")
{
	static const struct godot_clip_case cases[] = {
	    {"length = inf", "", "2:1: the length of the clip is not a finite number", .result = 1},
	    {"tracks/0/type = \"value\"\ntracks/0/keys = {\"times\": [0], \"values\": [[{\"a\": Foo(1)}]]}",
	     ".  string Curve/Hold godot4 wrap {godot.interp=1 godot.type=value literal=Array}: 0=[{\n\"a\": "
	     "Foo(1)\n}]\n",
	     "3:50: unknown word 'Foo'", .result = 1},
	    {TYPE("0") "tracks/0/keys = PackedFloat32Array(0, 1, x)", NULL,
	     "3:42: expected a number, found the word 'x'", .result = -1},
	};

	CHECK_CLIPS(cases);
}
