/* godot_writer.c: the writer of Godot's files: its numbers, names, tracks, libraries and nodes, seen as text. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/advice.h"
#include "base/error.h"
#include "format/godot/godot.h"
#include "format/godot/print.h"
#include "tap.h"

#define TEXT_MAX 16384

/* A file in the making. */
struct document {
	struct anim_write_options options;
	struct anim_diagnostics diagnostics;
	struct anim_error error;
	struct anim_output *out;
	struct anim_sink *sink;
	bool failed;
	char text[TEXT_MAX];
};

static void start(struct document *d)
{
	*d = (struct document){.failed = false};
}

static void begin(struct document *d, const struct anim_clip *clip)
{
	if (d->sink == NULL && !d->failed) {
		d->options.diagnostics = &d->diagnostics;
		d->failed = anim_output_open_memory(&d->out, &d->error) != 0 ||
			    (d->sink = anim_godot_writer_new(d->out, &d->options, &d->error)) == NULL;
	}
	d->failed = d->failed || anim_sink_clip(d->sink, clip, &d->error) != 0;
}

/* A clip of 1 s from this engine. */
static void begin_clip(struct document *d, const char *name, const char *source)
{
	const struct anim_clip clip = {.end_s = 1, .name = name, .root = ".", .source = source};

	begin(d, &clip);
}

static void add(struct document *d, const struct anim_track *track)
{
	d->failed = d->failed || anim_sink_track(d->sink, track, &d->error) != 0;
}

static const char *finish(struct document *d)
{
	const uint8_t *bytes;
	size_t size;

	d->failed = d->failed || anim_sink_end(d->sink, &d->error) != 0;
	if (!d->failed && (bytes = anim_output_memory(d->out, &size)) != NULL && size < TEXT_MAX)
		memcpy(d->text, bytes, size);
	anim_sink_free(d->sink);
	anim_output_free(d->out);
	return d->text;
}

/* Ends the file, which must hold these lines. */
static void check(struct document *d, const char *lines)
{
	const char *text = finish(d);

	CHECKF(!d->failed, "%s", d->error.message);
	CHECKF(strstr(text, lines) != NULL, "%s", text);
	anim_diagnostics_clear(&d->diagnostics);
}

static const float times[] = {0, 0.5f, 1};

static struct anim_track make(enum anim_kind kind, enum anim_type type, const char *property, size_t n,
			      const void *value)
{
	return (struct anim_track){.kind = kind,
				   .type = type,
				   .node = "A/Box",
				   .property = property,
				   .component = ANIM_WHOLE,
				   .interp = kind == ANIM_DISCRETE ? ANIM_HOLD : ANIM_LINEAR,
				   .n = n,
				   .time = times,
				   .value = value};
}

static void check_real(double value, bool narrow, unsigned digits, const char *text)
{
	struct anim_buffer out = {0};
	struct anim_error error = {0};
	struct godot_print print = {
	    .out = {.buffer = &out, .error = &error}, .digits = digits, .needs_format4 = true}; /* -inf is "-inf" */

	godot_print_real(&print, value, narrow);
	CHECKF(out.size == strlen(text) && memcmp(out.data, text, out.size) == 0, "%.*s, not %s", (int)out.size,
	       (const char *)out.data, text);
	anim_buffer_clear(&out);
}

TEST(godot_writer_shortest, "numbers are the shortest text, plain from 1e-4 to below 1e15, zero without sign")
{
	check_real((double)0.1f, true, 0, "0.1");
	check_real(0.1, false, 0, "0.1");
	check_real((double)0.1f, false, 0, "0.10000000149011612");
	check_real(1e-4, false, 0, "0.0001");
	check_real(-9.9e-5, false, 0, "-9.9e-05");
	check_real(3.82137e-15, false, 0, "3.82137e-15");
	check_real(999999999999999, false, 0, "999999999999999");
	check_real(1e15, false, 0, "1e+15");
	check_real(16777216e3, true, 0, "16777216000");
	check_real(-0.0, false, 0, "0");
	check_real((double)FLT_MAX, true, 0, "3.4028235e+38");
	check_real(DBL_MAX, false, 0, "1.7976931348623157e+308");
	check_real(INFINITY, false, 0, "inf");
	check_real(NAN, false, 0, "nan");
}

TEST(godot_writer_middle, "of two texts as near, or at the end of what reads back, that which Godot 4.6.3 prints")
{
	check_real(-408402.625, true, 0, "-408402.62");
	check_real(-480564.625, true, 0, "-480564.63");
	check_real(-2154773.75, true, 0, "-2154773.7");
	check_real(-1945844.25, true, 0, "-1945844.3");
	check_real(56189.0625, true, 0, "56189.063");
	check_real(8159200256, true, 0, "8159200300");
	check_real(117846944, true, 0, "117846944");
	check_real(-40078688, true, 0, "-40078688");
	check_real(5e-324, false, 0, "5e-324");
	check_real(0.2612130105455647, false, 0, "0.26121301054556467");
	check_real(-29290947659102.0625, false, 0, "-29290947659102.063");
}

TEST(godot_writer_digits,
     "with a count of digits numbers are as C's %g has them: rounded by their own value, ties to even")
{
	check_real((double)0.1f, true, 6, "0.1");
	check_real(1.0 / 3, false, 6, "0.333333");
	check_real(2.0 / 3, false, 6, "0.666667");
	check_real(999999.5, false, 6, "1e+06");
	check_real(0.00009999994, false, 6, "9.99999e-05");
	check_real(0.00009999996, false, 6, "0.0001");
	check_real(123456789, false, 6, "1.23457e+08");
	check_real(0.5, false, 6, "0.5");
	check_real(1.5, false, 1, "2");
	check_real(2.5, false, 1, "2");
	check_real(1.0000025, false, 6, "1");
	check_real(1.0000005, false, 6, "1");
	check_real(1.000055, false, 6, "1.00005"); /* odd before the 5, but the double lies below it */
	check_real(1.000045, false, 6, "1.00005"); /* even before the 5, but the double lies above it */
	check_real((double)0.707106769f, true, 6, "0.707107");
	check_real(0.1, false, 17, "0.1");
}

TEST(godot_writer_value, "a value track has times, transitions, update and values, and its property behind a colon")
{
	static const float values[] = {1, 2.5f, -3};
	static const float ease[] = {1, -2, 0.5f};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "speed", 3, values);
	struct document d;

	start(&d);
	begin_clip(&d, "walk", "animj");
	t.ease = ease;
	add(&d, &t);
	check(&d, "[gd_resource type=\"Animation\" format=3]\n\n[resource]\nresource_name = \"walk\"\n"
		  "tracks/0/type = \"value\"\ntracks/0/imported = false\ntracks/0/enabled = true\n"
		  "tracks/0/path = NodePath(\"A/Box:speed\")\ntracks/0/interp = 1\ntracks/0/loop_wrap = false\n"
		  "tracks/0/keys = {\n\"times\": PackedFloat32Array(0, 0.5, 1),\n"
		  "\"transitions\": PackedFloat32Array(1, -2, 0.5),\n\"update\": 0,\n"
		  "\"values\": [1.0, 2.5, -3.0]\n}\n");
}

TEST(godot_writer_rows, "whole positions, rotations, scales and blend shapes have tracks of their own, lanes have not")
{
	static const float values[] = {1, 2, 3, 0.5f, 0.25f, 0.125f};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT3, "scale", 2, values), shape = t, component = t;
	struct document d;

	start(&d);
	begin_clip(&d, "walk", "animj");
	shape.type = component.type = ANIM_FLOAT;
	shape.property = "blend_shape/a b";
	component.property = "position";
	component.component = 1;
	add(&d, &t);
	add(&d, &shape);
	add(&d, &component);
	finish(&d);
	CHECK(strstr(d.text, "type = \"scale_3d\"") != NULL &&
	      strstr(d.text, "keys = PackedFloat32Array(0, 1, 1, 2, 3, 0.5, 1, 0.5, 0.25, 0.125)\n") != NULL);
	CHECK(strstr(d.text, "type = \"blend_shape\"") != NULL && strstr(d.text, "NodePath(\"A/Box:a b\")") != NULL);
	CHECK(strstr(d.text, "tracks/2/type = \"value\"") != NULL &&
	      strstr(d.text, "NodePath(\"A/Box:position:y\")") != NULL);
	anim_diagnostics_clear(&d.diagnostics);
}

TEST(godot_writer_bezier, "handles stand behind each value, in before out, seconds before value")
{
	static const float values[] = {1, 2}, left[] = {0, -0.5f}, right[] = {3, 0}, left_x[] = {-1, -0.25f},
			   right_x[] = {0.125f, 9};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "light_color", 2, values);
	struct document d;

	start(&d);
	begin_clip(&d, "walk", "godot4");
	t.interp = ANIM_BEZIER_2D;
	t.component = 2;
	t.left = left;
	t.right = right;
	t.left_x = left_x;
	t.right_x = right_x;
	add(&d, &t);
	check(&d, "tracks/0/path = NodePath(\"A/Box:light_color:b\")\ntracks/0/interp = 1\ntracks/0/loop_wrap = false\n"
		  "tracks/0/keys = {\n\"handle_modes\": PackedInt32Array(0, 0),\n"
		  "\"points\": PackedFloat32Array(1, -1, 0, 0.125, 3, 2, -0.25, -0.5, 9, 0),\n"
		  "\"times\": PackedFloat32Array(0, 0.5)\n}\n");
}

TEST(godot_writer_start, "times are told from the clip's start, which is 0 in Godot")
{
	static const float values[] = {1, 2, 3};
	const struct anim_clip clip = {.start_s = -1, .end_s = 2, .name = "walk", .root = ".", .source = "unity"};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "speed", 3, values);
	struct document d;

	start(&d);
	begin(&d, &clip);
	add(&d, &t);
	finish(&d);
	CHECK(strstr(d.text, "length = 3.0\n") != NULL &&
	      strstr(d.text, "\"times\": PackedFloat32Array(1, 1.5, 2)") != NULL);
	anim_diagnostics_clear(&d.diagnostics);
}

TEST(godot_writer_order, "clips of other engines stand by name as Godot sorts, numbers in them by their size")
{
	static const char *const names[] = {"walk10", "walk2", "idle", "walk02"};
	struct document d;

	start(&d);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		begin_clip(&d, names[i], "animj");
	check(&d, "_data = {\n&\"idle\": SubResource(\"Animation_1\"),\n&\"walk2\": SubResource(\"Animation_2\"),\n"
		  "&\"walk02\": SubResource(\"Animation_3\"),\n&\"walk10\": SubResource(\"Animation_4\")\n}\n");
}

TEST(godot_writer_own_order, "clips of Godot stand as they came")
{
	struct document d;

	start(&d);
	begin_clip(&d, "b", "godot4");
	begin_clip(&d, "a", "godot4");
	check(&d, "_data = {\n&\"b\": SubResource(\"Animation_1\"),\n&\"a\": SubResource(\"Animation_2\")\n}\n");
}

TEST(godot_writer_names, "names that Godot refuses and names that are taken are changed, warned of")
{
	struct document d;

	start(&d);
	begin_clip(&d, "a:b", "animj");
	begin_clip(&d, "a_b", "animj");
	begin_clip(&d, "", "animj");
	finish(&d);
	CHECK(strstr(d.text, "&\"a_b\": ") != NULL && strstr(d.text, "&\"a_b-2\": ") != NULL);
	CHECK(strstr(d.text, "&\"animation\": ") != NULL);
	CHECK(
	    d.diagnostics.warnings == 3 &&
	    strcmp(d.diagnostics.items[0].text,
		   "'a:b' (now 'a_b'): renamed, because names in Godot are unique and have no '/', ':', ',' or '['") ==
		0);
	anim_diagnostics_clear(&d.diagnostics);
}

/* A track of texts that are Godot's source. */
static struct anim_track make_texts(struct anim_strings *strings, const struct anim_attr *literal, const char *text,
				    uint32_t *length, uint64_t *starts)
{
	struct anim_track t = make(ANIM_DISCRETE, ANIM_STRING, "thing", 1, NULL);

	*length = (uint32_t)strlen(text);
	*starts = 0;
	*strings = (struct anim_strings){length, starts, text, *length};
	t.strings = strings;
	t.attrs = (struct anim_attrs){literal, literal != NULL};
	return t;
}

static void check_literal(enum anim_godot_version version, const char *text, const char *lines)
{
	static const struct anim_attr literal = {"literal", "Array"};
	struct anim_strings strings;
	struct document d;
	uint32_t length;
	uint64_t starts;
	struct anim_track t = make_texts(&strings, &literal, text, &length, &starts);

	start(&d);
	d.options.version = version;
	begin_clip(&d, "walk", "godot4");
	add(&d, &t);
	check(&d, lines);
}

TEST(godot_writer_references, "references to files become ext_resources, once each, whichever half comes first")
{
	check_literal(
	    ANIM_GODOT_4_5,
	    "[Resource(\"uid://a\", \"res://x.png\"), Resource(\"res://x.png\"), Resource(\"res://y.wav\", "
	    "\"uid://b\")]",
	    "[gd_resource type=\"Animation\" load_steps=3 format=3]\n\n"
	    "[ext_resource type=\"Texture2D\" uid=\"uid://a\" path=\"res://x.png\" id=\"1\"]\n"
	    "[ext_resource type=\"AudioStream\" uid=\"uid://b\" path=\"res://y.wav\" id=\"2\"]\n\n[resource]\n");
	check_literal(ANIM_GODOT_4_5,
		      "[Resource(\"uid://a\", \"res://x.png\"), Resource(\"res://x.png\"), SubResource(\"1\")]",
		      "\"values\": [[ExtResource(\"1\"), ExtResource(\"1\"), null]]\n");
	check_literal(ANIM_GODOT_4_5, "\"Resource(\\\"res://x.png\\\")\"",
		      "\"values\": [\"Resource(\\\"res://x.png\\\")\"]\n");
}

TEST(godot_writer_old_literals, "source text is respelled for Godot 3, strings and paths in it are not")
{
	check_literal(
	    ANIM_GODOT_3,
	    "[PackedFloat32Array(1, 2), Quaternion(0, 0, 0, 1), &\"a\", NodePath(\"b(c)\"), \"Quaternion(1)\", -inf]",
	    "\"values\": [ [ PoolRealArray( 1, 2 ), Quat( 0, 0, 0, 1 ), \"a\", NodePath(\"b(c)\"), "
	    "\"Quaternion(1)\", inf_neg ] ]\n");
}

TEST(godot_writer_format, "a Vector4 array or bytes in base64 make it a file of format 4, which spells -inf so")
{
	check_literal(ANIM_GODOT_4_5, "[PackedVector4Array(1, 2, 3, 4), -inf]",
		      "[gd_resource type=\"Animation\" format=4]\n");
	check_literal(ANIM_GODOT_4_5, "[PackedVector4Array(1, 2, 3, 4), -inf]",
		      "\"values\": [[PackedVector4Array(1, 2, 3, 4), -inf]]\n");
	check_literal(ANIM_GODOT_4_5, "[PackedByteArray(1, 2)]", "[gd_resource type=\"Animation\" format=3]\n");
}

TEST(godot_writer_cut_literals, "source text that breaks off is taken to its end")
{
	check_literal(ANIM_GODOT_4_5, "Resource(\"res://x", "\"values\": [ExtResource(\"1\")]\n");
	check_literal(ANIM_GODOT_4_5, "SubResource(\"", "\"values\": [null]\n");
	check_literal(ANIM_GODOT_4_5, "Resource(", "\"values\": [null]\n");
	check_literal(ANIM_GODOT_3, "NodePath(\"", "NodePath(\"");
	check_literal(ANIM_GODOT_4_5, "\"a\\", "\"values\": [\"a\\]\n");
}

static void check_event(const char *property, const char *text, const char *lines, size_t warnings)
{
	struct anim_strings strings;
	struct document d;
	uint32_t length;
	uint64_t starts;
	struct anim_track t = make_texts(&strings, NULL, text, &length, &starts);

	t.property = property;
	start(&d);
	begin_clip(&d, "walk", "godot4");
	add(&d, &t);
	CHECKF(d.diagnostics.warnings == warnings, "%zu warnings of %s", d.diagnostics.warnings, text);
	check(&d, lines);
}

TEST(godot_writer_events, "events come out of their JSON as the calls, sounds and clips that they were")
{
	check_event(
	    "@method", "{\"method\":\"hit\",\"args\":[1,2.0,\"x\",{\"godot\":\"Vector2(1, 2)\"},{\"k\":[]}]}",
	    "\"values\": [{\n\"args\": [1, 2.0, \"x\", Vector2(1, 2), {\n\"k\": []\n}],\n\"method\": &\"hit\"\n}]\n}\n",
	    0);
	check_event("@animation", "{\"clip\":\"a\\\"b\"}",
		    "\"clips\": PackedStringArray(\"a\\\"b\"),\n\"times\": PackedFloat32Array(0)\n}\n", 0);
	check_event(
	    "@audio", "{\"stream\":\"Resource(\\\"res://a.ogg\\\")\",\"start_offset\":0.5,\"end_offset\":0}",
	    "\"clips\": [{\n\"end_offset\": 0.0,\n\"start_offset\": 0.5,\n\"stream\": ExtResource(\"1\")\n}],\n", 0);
	check_event("@marker", "{\"name\":\"x\",\"color\":[1,0.5,0,1]}",
		    "markers = [{\n\"color\": Color(1, 0.5, 0, 1),\n\"name\": &\"x\",\n\"time\": 0.0\n}]\n", 0);
	check_event("@event", "{\"functionName\":\"Step\",\"data\":\"left\",\"floatParameter\":0.5,\"intParameter\":2}",
		    "\"args\": [0.5, 2, \"left\"],\n\"method\": &\"Step\"\n", 0);
}

TEST(godot_writer_bad_events, "what is no such event is left out of times and values, warned of")
{
	static const char *const bad[] = {"",
					  "x",
					  "{",
					  "{}",
					  "[]",
					  "{\"method\":1}",
					  "{\"method\":\"a\",\"args\":[}",
					  "{\"method\":\"a\",\"args\":[1,]}",

					  "{\"method\":\"a\"",
					  "{\"method\":\"a\\ud800\"}"};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		check_event(
		    "@method", bad[i],
		    "{\n\"times\": PackedFloat32Array(),\n\"transitions\": PackedFloat32Array(),\n\"values\": []\n}\n",
		    1);
}

TEST(godot_writer_deep_events, "nesting beyond the limit is no event")
{
	static char text[400] = "{\"method\":\"a\",\"args\":";
	size_t length = strlen(text);

	memset(text + length, '[', 150);
	memset(text + length + 150, ']', 150);
	text[length + 300] = '}';
	check_event("@method", text, "\"values\": []\n", 1);
}

TEST(godot_writer_godot3,
     "in Godot 3 position, rotation and scale of a node are one row a key, on the times of all three")
{
	static const float position[] = {0, 0, 0, 4, 0, 0}, scale[] = {1, 1, 1, 1, 1, 1, 3, 1, 1}, ends[] = {0, 1};
	struct anim_track p = make(ANIM_CURVE, ANIM_FLOAT3, "position", 2, position),
			  s = make(ANIM_CURVE, ANIM_FLOAT3, "scale", 3, scale);
	struct document d;

	start(&d);
	d.options.version = ANIM_GODOT_3;
	begin_clip(&d, "walk", "godot3");
	p.time = ends;
	p.rules = s.rules = ANIM_RULES_GODOT3;
	add(&d, &p);
	add(&d, &s);
	CHECK(d.diagnostics.warnings == 0);
	check(
	    &d,
	    "tracks/0/type = \"transform\"\ntracks/0/path = NodePath(\"A/Box\")\ntracks/0/interp = 1\n"
	    "tracks/0/loop_wrap = false\ntracks/0/imported = false\ntracks/0/enabled = true\n"
	    "tracks/0/keys = PoolRealArray( 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0.5, 1, 2, 0, 0, 0, 0, 0, 1, 1, 1, 1, "
	    "1, 1, 4, 0, 0, 0, 0, 0, 1, 3, 1, 1 )\n");
}

TEST(godot_writer_bones, "a scene has bones at their skeleton, parents by number, and a player for the clip")
{
	static const float values[] = {1, 2, 3};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT3, "position", 1, values);
	struct document d;

	start(&d);
	d.options.scene = true;
	begin_clip(&d, "lib/walk", "animj");
	t.node = "A/Skeleton:Hips";
	add(&d, &t);
	check(&d, "[node name=\"Root\" type=\"Node3D\"]\n\n[node name=\"A\" type=\"Node3D\" parent=\".\"]\n\n"
		  "[node name=\"Skeleton\" type=\"Skeleton3D\" parent=\"A\"]\nbones/0/name = \"Hips\"\n"
		  "bones/0/parent = -1\nbones/0/rest = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)\n"
		  "bones/0/enabled = true\nbones/0/position = Vector3(0, 0, 0)\n"
		  "bones/0/rotation = Quaternion(0, 0, 0, 1)\nbones/0/scale = Vector3(1, 1, 1)\n\n"
		  "[node name=\"AnimationPlayer\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {\n"
		  "&\"lib\": SubResource(\"AnimationLibrary_1\")\n}\n");
}

TEST(godot_writer_outside, "nodes above the scene and too deep paths make no nodes; of a unique name one is made")
{
	static const float values[] = {1};
	static char deep[2048];
	const char *const nodes[] = {"../Other", "/root/X", "%Unique", deep};
	struct document d;

	for (size_t i = 0; i + 2 < sizeof deep; i += 2)
		memcpy(deep + i, "a/", 2);
	deep[sizeof deep - 2] = 'b';
	start(&d);
	d.options.scene = true;
	begin_clip(&d, "walk", "godot4");
	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
		struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "speed", 1, values);

		t.node = nodes[i];
		add(&d, &t);
	}
	finish(&d);
	CHECKF(!d.failed, "%s", d.error.message);
	CHECK(strstr(d.text, "%Unique:speed") != NULL && strstr(d.text, "name=\"Other\"") == NULL &&
	      strstr(d.text, "name=\"X\"") == NULL && strstr(d.text, "name=\"a\"") == NULL);
	CHECK(strstr(d.text, "[node name=\"Unique\" type=\"Node3D\" parent=\".\"]\nunique_name_in_owner = true\n") !=
	      NULL);
	anim_diagnostics_clear(&d.diagnostics);
}

TEST(godot_writer_unsupported, "what convert should have changed is refused by name")
{
	static const float values[] = {1, 2, 3};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "speed", 3, values);
	struct document d;

	start(&d);
	begin_clip(&d, "walk", "unity");
	t.interp = ANIM_HERMITE;
	add(&d, &t);
	finish(&d);
	CHECK(d.failed &&
	      strcmp(d.error.message,
		     "track 'A/Box speed' is Hermite; godot cannot hold it: " ANIM_ADVICE_TO(SAMPLE, "30")) == 0);
	anim_diagnostics_clear(&d.diagnostics);
}

TEST(godot_writer_none, "a file without a clip is refused")
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_write_options options = {.diagnostics = &diagnostics};
	struct anim_output *out;
	struct anim_error error = {0};
	struct anim_sink *sink;

	if (!CHECK(anim_output_open_memory(&out, &error) == 0))
		return;
	sink = anim_godot_writer_new(out, &options, &error);
	CHECK(sink != NULL && anim_sink_end(sink, &error) == -1 &&
	      strcmp(error.message, "no clip to write, because no animation was read") == 0);
	anim_sink_free(sink);
	anim_output_free(out);
}
