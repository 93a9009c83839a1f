/* animj.c: the AnimJ writer: the text it makes of tracks built by hand, what it refuses and what it warns of. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "format/animj/animj.h"
#include "tap.h"

#define TEXT_MAX 65536

/* One document: options and clip may be changed before the first track. */
struct document {
	struct anim_animj_options options;
	struct anim_clip clip;
	const char *root_name; /* NULL: no tree */
	struct anim_losses losses;
	struct anim_error error;
	struct anim_output *out;
	struct anim_sink *sink;
	bool failed;
	char text[TEXT_MAX];
};

static void start(struct document *d)
{
	*d = (struct document){.clip = {.end_s = 1,
					.axes = ANIM_AXES_RESONITE,
					.axes2d = ANIM_AXES2D_GODOT,
					.name = "walk",
					.root = ".",
					.source = "godot4"}};
}

static void open_document(struct document *d)
{
	struct anim_tree tree = {.root_name = d->root_name, .source_file = ""};

	if (d->sink != NULL || d->failed)
		return;
	d->options.losses = &d->losses;
	d->failed = anim_output_open_memory(&d->out, &d->error) != 0 ||
		    (d->sink = anim_animj_writer_new(d->out, &d->options, &d->error)) == NULL;
	if (!d->failed && d->root_name != NULL) {
		d->clip.flags = ANIM_IN_TREE;
		d->failed = anim_sink_tree(d->sink, &tree, &d->error) != 0;
	}
	d->failed = d->failed || anim_sink_clip(d->sink, &d->clip, &d->error) != 0;
}

static void add(struct document *d, const struct anim_track *track)
{
	open_document(d);
	d->failed = d->failed || anim_sink_track(d->sink, track, &d->error) != 0;
}

/* Ends the document; its text, "" where it failed. */
static const char *finish(struct document *d)
{
	const uint8_t *bytes;
	size_t size;

	open_document(d);
	d->failed = d->failed || anim_sink_end(d->sink, &d->error) != 0;
	if (!d->failed && (bytes = anim_output_memory(d->out, &size)) != NULL && size < TEXT_MAX)
		memcpy(d->text, bytes, size);
	anim_sink_free(d->sink);
	anim_output_free(d->out);
	return d->text;
}

static void discard(struct document *d)
{
	anim_losses_clear(&d->losses);
}

/* The keyframes of the only track. */
static void check_keys(struct document *d, const char *keys)
{
	const char *text = finish(d), *from = strstr(text, "\"keyframes\":["), *to = strstr(text, "]}}\n]}\n");

	CHECKF(!d->failed, "%s", d->error.message);
	if (CHECK(from != NULL && to != NULL)) {
		from += strlen("\"keyframes\":[");
		CHECKF((size_t)(to - from) == strlen(keys) && memcmp(from, keys, strlen(keys)) == 0, "%s", text);
	}
	discard(d);
}

static void check_error(struct document *d, const char *message)
{
	finish(d);
	CHECK(d->failed && d->error.code == ANIM_UNSUPPORTED);
	CHECKF(strcmp(d->error.message, message) == 0, "%s", d->error.message);
	discard(d);
}

/* The message of loss i, "" where there are fewer. */
static const char *loss(const struct document *d, size_t i)
{
	return i < d->losses.count ? d->losses.items[i].one : "";
}

/* A track of the kind with the columns; others may be set afterwards. */
static struct anim_track make(enum anim_kind kind, enum anim_type type, const char *property, size_t n,
			      const float *time, const void *value)
{
	return (struct anim_track){.kind = kind,
				   .type = type,
				   .node = "A/Box",
				   .property = property,
				   .component = ANIM_WHOLE,
				   .interp = kind == ANIM_DISCRETE ? ANIM_HOLD : ANIM_LINEAR,
				   .n = n,
				   .time = time,
				   .value = value};
}

static const float two_times[] = {0, 0.5f};

TEST(animj_raw, "a Raw track has members in Resonite's order, bare names and its interval")
{
	struct document d;
	const float values[] = {1, 1, 1, 0.96666664f, 0.5f, -2};
	struct anim_track t = make(ANIM_RAW, ANIM_FLOAT3, "scale", 2, NULL, values);

	start(&d);
	d.clip.end_s = 1.5f;
	d.clip.name = "scale_down";
	t.rate_num = 30;
	t.rate_den = 1;
	add(&d, &t);
	CHECKF(strcmp(finish(&d), "{\"name\":\"scale_down\",\"globalDuration\":1.5,\"tracks\":[\n"
				  "{\"trackType\":\"Raw\",\"valueType\":\"float3\",\"data\":{\"node\":\"Box\","
				  "\"property\":\"Scale\",\"interval\":0.033333335,\"keyframes\":["
				  "{\"x\":1,\"y\":1,\"z\":1},{\"x\":0.96666664,\"y\":0.5,\"z\":-2}]}}\n]}\n") == 0,
	       "%s", d.text);
	CHECK(d.losses.count == 0);
	discard(&d);
}

TEST(animj_pretty, "pretty text has one key a line")
{
	struct document d;
	const float values[] = {1, 2};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "energy", 2, two_times, values);

	start(&d);
	d.options.pretty = true;
	add(&d, &t);
	CHECKF(strcmp(finish(&d),
		      "{\n\t\"name\": \"walk\",\n\t\"globalDuration\": 1,\n\t\"tracks\": [\n\t\t{\n"
		      "\t\t\t\"trackType\": \"Curve\",\n\t\t\t\"valueType\": \"float\",\n\t\t\t\"data\": {\n"
		      "\t\t\t\t\"node\": \"Box\",\n\t\t\t\t\"property\": \"energy\",\n\t\t\t\t\"keyframes\": [\n"
		      "\t\t\t\t\t{\"time\":0,\"value\":1,\"interpolation\":\"Linear\"},\n"
		      "\t\t\t\t\t{\"time\":0.5,\"value\":2,\"interpolation\":\"Linear\"}\n"
		      "\t\t\t\t]\n\t\t\t}\n\t\t}\n\t]\n}\n") == 0,
	       "%s", d.text);
	discard(&d);
}

TEST(animj_modes_of_keys, "each key of a Curve says its own interpolation")
{
	struct document d;
	const float times[] = {0, 0.25f, 0.5f}, values[] = {1, 2, 3};
	const uint8_t modes[] = {ANIM_HOLD, ANIM_LINEAR, ANIM_HOLD};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "energy", 3, times, values);

	start(&d);
	t.interp = ANIM_INTERP_COLUMN;
	t.interps = modes;
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":1,\"interpolation\":\"Hold\"},"
		       "{\"time\":0.25,\"value\":2,\"interpolation\":\"Linear\"},"
		       "{\"time\":0.5,\"value\":3,\"interpolation\":\"Hold\"}");
}

TEST(animj_bezier, "CubicBezier keys carry both tangents")
{
	struct document d;
	const float values[] = {1, 2}, left[] = {0.5f, 1.5f}, right[] = {1.25f, 2.5f};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "energy", 2, two_times, values);

	start(&d);
	t.interp = ANIM_CUBIC_BEZIER;
	t.left = left;
	t.right = right;
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":1,\"interpolation\":\"CubicBezier\",\"leftTangent\":0.5,"
		       "\"rightTangent\":1.25},{\"time\":0.5,\"value\":2,\"interpolation\":\"CubicBezier\","
		       "\"leftTangent\":1.5,\"rightTangent\":2.5}");
}

TEST(animj_types, "every type but matrices has its JSON")
{
	const struct {
		enum anim_type type;
		const void *value;
		const char *json;
	} cases[] = {
	    {ANIM_BOOL, (const uint8_t[]){1}, "true"},
	    {ANIM_BOOL2, (const uint8_t[]){2}, "{\"x\":false,\"y\":true}"},
	    {ANIM_BOOL3, (const uint8_t[]){5}, "{\"x\":true,\"y\":false,\"z\":true}"},
	    {ANIM_BOOL4, (const uint8_t[]){8}, "{\"x\":false,\"y\":false,\"z\":false,\"w\":true}"},
	    {ANIM_BYTE, (const uint8_t[]){255}, "255"},
	    {ANIM_SBYTE, (const int8_t[]){-128}, "-128"},
	    {ANIM_USHORT, (const uint16_t[]){65535}, "65535"},
	    {ANIM_SHORT, (const int16_t[]){-32768}, "-32768"},
	    {ANIM_UINT, (const uint32_t[]){4294967295u}, "4294967295"},
	    {ANIM_INT, (const int32_t[]){-2147483647}, "-2147483647"},
	    {ANIM_ULONG, (const uint64_t[]){UINT64_MAX}, "18446744073709551615"},
	    {ANIM_LONG, (const int64_t[]){INT64_MIN}, "-9223372036854775808"},
	    {ANIM_INT2, (const int32_t[]){-1, 2}, "{\"x\":-1,\"y\":2}"},
	    {ANIM_UINT3, (const uint32_t[]){1, 2, 3}, "{\"x\":1,\"y\":2,\"z\":3}"},
	    {ANIM_LONG4, (const int64_t[]){1, -2, 3, -4}, "{\"x\":1,\"y\":-2,\"z\":3,\"w\":-4}"},
	    {ANIM_FLOAT, (const float[]){0.1f}, "0.1"},
	    {ANIM_FLOAT2, (const float[]){-0.5f, 1e20f}, "{\"x\":-0.5,\"y\":1e20}"},
	    {ANIM_FLOAT4, (const float[]){1, 2, 3, 4}, "{\"x\":1,\"y\":2,\"z\":3,\"w\":4}"},
	    {ANIM_DOUBLE3, (const double[]){0.1, 2, 1e300}, "{\"x\":0.1,\"y\":2,\"z\":1e300}"},
	    {ANIM_DOUBLEQ, (const double[]){0, 0, 0, 1}, "{\"x\":0,\"y\":0,\"z\":0,\"w\":1}"},
	    {ANIM_COLOR, (const float[]){1, 0.5f, 0, 1}, "{\"r\":1,\"g\":0.5,\"b\":0,\"a\":1}"},
	    {ANIM_COLOR32, (const uint8_t[]){1, 2, 3, 255}, "{\"r\":1,\"g\":2,\"b\":3,\"a\":255}"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct document d;
		struct anim_track t = make(ANIM_DISCRETE, cases[i].type, "thing", 1, two_times, cases[i].value);
		char keys[256];

		start(&d);
		add(&d, &t);
		snprintf(keys, sizeof keys, "{\"time\":0,\"value\":%s}", cases[i].json);
		check_keys(&d, keys);
	}
}

static struct anim_strings make_strings(const uint32_t *length, const uint64_t *start_of, const char *bytes)
{
	return (struct anim_strings){.length = length, .start = start_of, .bytes = bytes, .bytes_size = strlen(bytes)};
}

TEST(animj_strings, "strings are escaped, null is null and UTF-8 stays")
{
	struct document d;
	const uint32_t lengths[] = {9, ANIM_NULL_STRING, 0, 2};
	const uint64_t starts[] = {0, 0, 9, 9};
	const float times[] = {0, 0.25f, 0.5f, 1};
	struct anim_strings strings = make_strings(lengths, starts, "a\"b\\c\n\t\x01\x7fé");
	struct anim_track t = make(ANIM_DISCRETE, ANIM_STRING, "@method", 4, times, NULL);

	start(&d);
	t.strings = &strings;
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":\"a\\\"b\\\\c\\n\\t\\u0001\x7f\"},{\"time\":0.25,\"value\":null},"
		       "{\"time\":0.5,\"value\":\"\"},{\"time\":1,\"value\":\"é\"}");
}

TEST(animj_typewriter, "strings that blend are held and warned of")
{
	struct document d;
	const uint32_t lengths[] = {1, 1};
	const uint64_t starts[] = {0, 1};
	struct anim_strings strings = make_strings(lengths, starts, "ab");
	struct anim_track t = make(ANIM_CURVE, ANIM_STRING, "text", 2, two_times, NULL);

	start(&d);
	t.strings = &strings;
	add(&d, &t);
	open_document(&d);
	CHECKF(strcmp(loss(&d, 0), "track 'A/Box text' blends from text to text; animj holds each") == 0, "%s",
	       loss(&d, 0));
	check_keys(&d, "{\"time\":0,\"value\":\"a\",\"interpolation\":\"Hold\"},"
		       "{\"time\":0.5,\"value\":\"b\",\"interpolation\":\"Hold\"}");
}

TEST(animj_refused_modes, "a mode that AnimJ cannot hold is an error that says to resample")
{
	const float values[] = {1, 2};
	struct document d;
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "energy", 2, two_times, values);

	start(&d);
	t.interp = ANIM_CUBIC_TIME;
	add(&d, &t);
	check_error(
	    &d, "track 'A/Box energy' is cubic (Godot 4); animj cannot hold it: put 'anim-resample 30' before this");
}

TEST(animj_ease, "transition 0 becomes Hold, another one than 1 is refused")
{
	const float values[] = {1, 2}, holds[] = {0, 2}, bends[] = {2, 1};
	struct document d;
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "energy", 2, two_times, values);

	start(&d);
	t.ease = holds;
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":1,\"interpolation\":\"Hold\"},"
		       "{\"time\":0.5,\"value\":2,\"interpolation\":\"Linear\"}");
	start(&d);
	t.ease = bends;
	add(&d, &t);
	check_error(&d, "track 'A/Box energy' is eased; animj cannot hold it: put 'anim-resample 30' before this");
}

TEST(animj_one_key, "a single key is a constant whatever its mode")
{
	const float values[] = {7};
	struct document d;
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "energy", 1, two_times, values);

	start(&d);
	t.interp = ANIM_CUBIC_ANGLE;
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":7,\"interpolation\":\"Hold\"}");
}

TEST(animj_not_finite, "a number that JSON has not is an error with the key")
{
	const float values[] = {1, 2, 3, 4, NAN, 6};
	struct document d;
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT3, "position", 2, two_times, values);

	start(&d);
	add(&d, &t);
	check_error(&d, "track 'A/Box position': key 1 is not a finite number, and JSON has no other");
}

TEST(animj_too_large, "a double that float cannot hold is an error")
{
	const double values[] = {1, 1e300};
	struct document d;
	struct anim_track t = make(ANIM_CURVE, ANIM_DOUBLE, "energy", 2, two_times, values);

	start(&d);
	add(&d, &t);
	check_error(&d, "track 'A/Box energy': key 1 is not a finite number, and JSON has no other");
}

TEST(animj_narrow, "Godot's doubles become floats, others and those of --double stay")
{
	const double values[] = {0.1, 0.30000000000000004};
	struct anim_track t = make(ANIM_CURVE, ANIM_DOUBLE, "energy", 2, two_times, values);
	const char *wide = "{\"time\":0,\"value\":0.1,\"interpolation\":\"Linear\"},"
			   "{\"time\":0.5,\"value\":0.30000000000000004,\"interpolation\":\"Linear\"}";
	struct document d;

	start(&d);
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":0.1,\"interpolation\":\"Linear\"},"
		       "{\"time\":0.5,\"value\":0.3,\"interpolation\":\"Linear\"}");
	CHECK(strstr(d.text, "\"valueType\":\"float\"") != NULL);
	start(&d);
	d.options.keep_double = true;
	add(&d, &t);
	check_keys(&d, wide);
	start(&d);
	d.clip.source = "unity";
	add(&d, &t);
	check_keys(&d, wide);
	CHECK(strstr(d.text, "\"valueType\":\"double\"") != NULL);
}

TEST(animj_signs, "quaternions of Curve and Raw tracks stay on one side, Discrete ones as they are")
{
	const float values[] = {0, 0, 0, 1, 0, 0, -0.6f, -0.8f, 0, 0, 0.8f, 0.6f};
	const float times[] = {0, 0.25f, 0.5f};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOATQ, "rotation", 3, times, values);
	struct document d;

	start(&d);
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":{\"x\":0,\"y\":0,\"z\":0,\"w\":1}},"
		       "{\"time\":0.25,\"value\":{\"x\":0,\"y\":0,\"z\":-0.6,\"w\":-0.8}},"
		       "{\"time\":0.5,\"value\":{\"x\":0,\"y\":0,\"z\":0.8,\"w\":0.6}}");
	start(&d);
	t.kind = ANIM_RAW;
	t.time = NULL;
	t.interp = ANIM_LINEAR;
	t.step_s = 0.25;
	add(&d, &t);
	check_keys(&d, "{\"x\":0,\"y\":0,\"z\":0,\"w\":1},{\"x\":0,\"y\":0,\"z\":0.6,\"w\":0.8},"
		       "{\"x\":0,\"y\":0,\"z\":0.8,\"w\":0.6}");
}

TEST(animj_zero_quaternion, "a quaternion of zeros is written as it is and warned of")
{
	const float values[] = {0, 0, 0, 1, 0, 0, 0, 0};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOATQ, "rotation", 2, two_times, values);
	struct document d;

	start(&d);
	add(&d, &t);
	CHECKF(strstr(loss(&d, 0), "key 1 is a quaternion of zeros") != NULL, "%s", loss(&d, 0));
	check_keys(&d, "{\"time\":0,\"value\":{\"x\":0,\"y\":0,\"z\":0,\"w\":1},\"interpolation\":\"Linear\"},"
		       "{\"time\":0.5,\"value\":{\"x\":0,\"y\":0,\"z\":0,\"w\":0},\"interpolation\":\"Linear\"}");
}

TEST(animj_euler, "Euler samples become quaternions by the track's order and unit, with a warning")
{
	const float values[] = {0, 0, 0, 90, 90, 0};
	const struct anim_attr order = {"order", "XYZ"};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT3, "euler", 2, two_times, values);
	struct document d;

	start(&d);
	t.flags = ANIM_DEGREES;
	add(&d, &t);
	CHECKF(strcmp(loss(&d, 0), "track 'A/Box euler' of Euler angles became quaternions") == 0, "%s", loss(&d, 0));
	check_keys(&d, "{\"time\":0,\"value\":{\"x\":0,\"y\":0,\"z\":0,\"w\":1}},"
		       "{\"time\":0.5,\"value\":{\"x\":0.5,\"y\":0.5,\"z\":-0.5,\"w\":0.5}}");
	CHECK(strstr(d.text, "\"valueType\":\"floatQ\",\"data\":{\"node\":\"Box\",\"property\":\"Rotation\"") != NULL);
	start(&d);
	t.attrs = (struct anim_attrs){&order, 1};
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":{\"x\":0,\"y\":0,\"z\":0,\"w\":1}},"
		       "{\"time\":0.5,\"value\":{\"x\":0.5,\"y\":0.5,\"z\":0.5,\"w\":0.5}}");
}

TEST(animj_angle, "a 2-D angle turns about z")
{
	const float values[] = {180};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "angle", 1, two_times, values);
	struct document d;

	start(&d);
	t.flags = ANIM_DEGREES;
	add(&d, &t);
	finish(&d);
	CHECK(strstr(d.text, "\"z\":1,") != NULL && strstr(d.text, "\"property\":\"Rotation\"") != NULL);
	discard(&d);
}

TEST(animj_euler_curve, "a curve of Euler angles is refused with the way round")
{
	const float values[] = {0, 0, 0, 1, 0, 0};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT3, "euler", 2, two_times, values);
	struct document d;

	start(&d);
	add(&d, &t);
	check_error(&d, "track 'A/Box euler' is a curve of Euler angles and Resonite turns by quaternions: put "
			"'anim-resample 30' before this");
}

TEST(animj_percent, "blend shapes in percent become 0..1")
{
	const float values[] = {0, 35};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "blend_shape/Smile", 2, two_times, values);
	struct document d;

	start(&d);
	t.flags = ANIM_PERCENT;
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":0,\"interpolation\":\"Linear\"},"
		       "{\"time\":0.5,\"value\":0.35,\"interpolation\":\"Linear\"}");
	CHECK(strstr(d.text, "\"property\":\"BlendShape.Smile\"") != NULL);
}

TEST(animj_visible, "visible becomes a Discrete bool Active")
{
	const uint8_t values[] = {1, 0};
	struct anim_track t = make(ANIM_CURVE, ANIM_BOOL, "visible", 2, two_times, values);
	struct document d;

	start(&d);
	t.interp = ANIM_HOLD;
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":true},{\"time\":0.5,\"value\":false}");
	CHECK(strstr(d.text, "\"trackType\":\"Discrete\"") != NULL && strstr(d.text, "\"Active\"") != NULL);
}

TEST(animj_node_names, "slots have the last name of the path, bones their own, the root the tree's")
{
	static const struct {
		const char *source, *root, *node, *name;
	} cases[] = {
	    {"godot4", ".", "A/B", "B"},           {"godot4", ".", ".", "Scene"},
	    {"godot4", ".", "", "Scene"},          {"godot4", "Hero", ".", "Hero"},
	    {"godot4", "Hero/Body", "..", "Hero"}, {"godot4", "Hero/Body", "../..", "Scene"},
	    {"godot4", "Hero", "../Box", "Box"},   {"godot4", "Hero", "../../..", ""},
	    {"godot4", ".", "A/./B/", "B"},        {"godot4", ".", "A/Skeleton3D:Hips", "Hips"},
	    {"godot4", ".", "A/%Hand", "Hand"},    {"unity", "", "Armature/mixamorig:Hips", "mixamorig:Hips"},
	    {"animj", "", "L/R", "L/R"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const float values[] = {1};
		struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 1, two_times, values);
		struct document d;
		char wanted[64];

		start(&d);
		d.root_name = "Scene";
		d.clip.root = cases[i].root;
		d.clip.source = cases[i].source;
		t.node = cases[i].node;
		add(&d, &t);
		snprintf(wanted, sizeof wanted, "\"node\":\"%s\",", cases[i].name);
		CHECKF(strstr(finish(&d), wanted) != NULL, "%s %s: %s", cases[i].root, cases[i].node, d.text);
		discard(&d);
	}
}

TEST(animj_no_tree, "without a tree the root has no name")
{
	const float values[] = {1};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 1, two_times, values);
	struct document d;

	start(&d);
	t.node = ".";
	add(&d, &t);
	CHECK(strstr(finish(&d), "\"node\":\"\",") != NULL);
	discard(&d);
}

TEST(animj_source_names, "names of the source keep both halves, and Euler angles")
{
	const float values[] = {1, 2, 3};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT3, "euler", 1, two_times, values);
	struct document d;

	start(&d);
	d.options.source_names = true;
	add(&d, &t);
	finish(&d);
	CHECKF(strstr(d.text, "\"float3\",\"data\":{\"node\":\"A/Box\",\"property\":\"euler\"") != NULL, "%s", d.text);
	CHECK(d.losses.count == 0);
	discard(&d);
}

TEST(animj_doubles, "two nodes or two tracks with one name are warned of once each")
{
	const float values[] = {1};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 1, two_times, values);
	struct document d;

	start(&d);
	add(&d, &t);
	t.property = "color";
	add(&d, &t);
	CHECK(d.losses.count == 0);
	add(&d, &t);
	CHECKF(strcmp(loss(&d, 0), "track 'A/Box color': animj has a track of 'Box' 'color' already") == 0, "%s",
	       loss(&d, 0));
	t.node = "B/Box";
	t.property = "range";
	add(&d, &t);
	CHECKF(strcmp(loss(&d, 1), "node 'B/Box' is called 'Box' in animj, as another node is") == 0, "%s",
	       loss(&d, 1));
	t.property = "size";
	add(&d, &t);
	CHECK(d.losses.count == 2 && d.losses.items[1].count == 1);
	finish(&d);
	discard(&d);
}

TEST(animj_lane, "a lone lane is written under its name and warned of")
{
	const float values[] = {1};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT, "position", 1, two_times, values);
	struct document d;

	start(&d);
	t.component = 0;
	add(&d, &t);
	CHECK(strstr(finish(&d), "\"property\":\"Position.x\"") != NULL);
	CHECKF(strcmp(loss(&d, 0), "track 'A/Box position.x' is one lane of its property, which Resonite cannot bind; "
				   "animate the whole value") == 0,
	       "%s", loss(&d, 0));
	discard(&d);
}

TEST(animj_binding, "a track that is not of its field's type is warned of")
{
	const float values[] = {1, 2};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT2, "position", 1, two_times, values);
	struct document d;

	start(&d);
	add(&d, &t);
	finish(&d);
	CHECKF(strcmp(loss(&d, 0),
		      "track 'A/Box position' is float2 and Resonite's Position is float3: it will not bind") == 0,
	       "%s", loss(&d, 0));
	discard(&d);
}

TEST(animj_axes, "tracks in other axes are counted, but not scales, and not where --axes keep was said")
{
	const float values[] = {1, 2, 3};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT3, "position", 1, two_times, values);
	struct document d;

	start(&d);
	d.clip.axes = ANIM_AXES_GODOT;
	add(&d, &t);
	t.node = "C";
	add(&d, &t);
	t.property = "scale";
	add(&d, &t);
	finish(&d);
	CHECK(d.losses.count == 1 && d.losses.warnings == 2 && d.losses.items[0].count == 2);
	if (CHECK(d.losses.count == 1))
		CHECKF(strcmp(d.losses.items[0].many, "tracks are in godot axes, animj plays in resonite axes: put "
						      "'anim-axes resonite' before this, or --axes keep") == 0,
		       "%s", d.losses.items[0].many);
	discard(&d);
	start(&d);
	d.clip.axes = ANIM_AXES_GLTF;
	d.options.axes_keep = true;
	t.property = "position";
	add(&d, &t);
	finish(&d);
	CHECK(d.losses.count == 0);
	discard(&d);
}

TEST(animj_strict, "under --strict a warning forbids the end")
{
	const float values[] = {1, 2, 3};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT3, "position", 1, two_times, values);
	struct document d;

	start(&d);
	d.clip.axes = ANIM_AXES_GODOT;
	d.losses.strict = true;
	add(&d, &t);
	finish(&d);
	CHECK(d.failed && d.error.code == ANIM_STRICT);
	discard(&d);
}

TEST(animj_left_out, "disabled tracks, matrices and tracks without keys are left out with a warning each")
{
	const float values[16] = {1};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT4X4, "transform", 1, two_times, values);
	struct document d;

	start(&d);
	add(&d, &t);
	t.type = ANIM_FLOAT;
	t.flags = ANIM_DISABLED;
	add(&d, &t);
	t.flags = 0;
	t.n = 0;
	add(&d, &t);
	CHECKF(strcmp(finish(&d), "{\"name\":\"walk\",\"globalDuration\":1,\"tracks\":[]}\n") == 0, "%s", d.text);
	CHECK(strcmp(loss(&d, 0), "track 'A/Box transform' is float4x4, which animj cannot hold, and left out") == 0);
	CHECK(strcmp(loss(&d, 1), "track 'A/Box transform' is disabled and left out") == 0);
	CHECK(strcmp(loss(&d, 2), "track 'A/Box transform' has no keys and is left out") == 0);
	discard(&d);
}

TEST(animj_loop, "a loop mode has no place and is noted")
{
	struct document d;

	start(&d);
	d.clip.loop = ANIM_LOOP_PINGPONG;
	finish(&d);
	CHECKF(strcmp(loss(&d, 0), "animj has no loop mode: ping-pong of 'walk' is not kept; the Animator sets it") ==
		   0,
	       "%s", loss(&d, 0));
	CHECK(d.losses.count == 1 && d.losses.items[0].severity == ANIM_NOTE);
	discard(&d);
}

TEST(animj_ends, "a loop that runs on between its outer keys is warned of")
{
	const float values[] = {1, 2};
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "energy", 2, two_times, values);
	struct document d;

	start(&d);
	d.clip.loop = ANIM_LOOP_WRAP;
	t.rules = ANIM_RULES_GODOT4;
	t.flags = ANIM_LOOP_WRAP_KEYS;
	add(&d, &t);
	finish(&d);
	CHECKF(strcmp(loss(&d, 1), "track 'A/Box energy' goes on beyond its outer keys, where animj holds: put "
				   "'anim-resample 30' before this") == 0,
	       "%s", loss(&d, 1));
	discard(&d);
}

TEST(animj_unsorted, "keys out of order are sorted stably and warned of")
{
	const float times[] = {0.5f, 0, 0.5f, 0.25f}, values[] = {1, 2, 3, 4};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 4, times, values);
	struct document d;

	start(&d);
	t.flags = ANIM_UNSORTED;
	add(&d, &t);
	CHECK(strcmp(loss(&d, 0), "track 'A/Box energy' had keys out of order and was sorted") == 0);
	check_keys(&d, "{\"time\":0,\"value\":2},{\"time\":0.25,\"value\":4},{\"time\":0.5,\"value\":1},"
		       "{\"time\":0.5,\"value\":3}");
}

TEST(animj_unsorted_nan, "a time that is no number is an error")
{
	const float times[] = {0.5f, NAN}, values[] = {1, 2};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 2, times, values);
	struct document d;

	start(&d);
	t.flags = ANIM_UNSORTED;
	add(&d, &t);
	check_error(&d, "track 'A/Box energy': the time of key 1 is not a finite number");
}

TEST(animj_start, "the clip's start becomes 0")
{
	const float times[] = {2, 2.5f}, values[] = {1, 2};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 2, times, values);
	struct document d;

	start(&d);
	d.clip.start_s = 2;
	d.clip.end_s = 3;
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":1},{\"time\":0.5,\"value\":2}");
	CHECK(strstr(d.text, "\"globalDuration\":1,") != NULL);
}

TEST(animj_negative, "a key before the clip's start is an error that says how far to shift")
{
	const float times[] = {-0.25f, 0.5f}, values[] = {1, 2};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 2, times, values);
	struct document d;

	start(&d);
	add(&d, &t);
	check_error(&d,
		    "track 'A/Box energy' has keys up to 0.25 s before the clip's start, animj has no such times: put "
		    "'anim-retime --shift 0.25' or 'anim-resample 30' before this");
}

TEST(animj_minus_zero, "a time of -0 is written as 0")
{
	const float times[] = {-0.0f, 0.5f}, values[] = {1, -0.0f};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 2, times, values);
	struct document d;

	start(&d);
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":1},{\"time\":0.5,\"value\":-0}");
}

TEST(animj_late_raw, "Raw that does not begin with its clip becomes Linear keys")
{
	const float values[] = {1, 2};
	struct anim_track t = make(ANIM_RAW, ANIM_FLOAT, "energy", 2, NULL, values);
	struct document d;

	start(&d);
	t.start_s = 0.25;
	t.step_s = 0.5;
	add(&d, &t);
	check_keys(&d, "{\"time\":0.25,\"value\":1,\"interpolation\":\"Linear\"},"
		       "{\"time\":0.75,\"value\":2,\"interpolation\":\"Linear\"}");
	start(&d);
	d.options.raw_as_curve = true;
	t.start_s = 0;
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":1,\"interpolation\":\"Linear\"},"
		       "{\"time\":0.5,\"value\":2,\"interpolation\":\"Linear\"}");
}

TEST(animj_held_raw, "samples that hold become Discrete, for Raw is interpolated")
{
	const float values[] = {1, 2};
	struct anim_track t = make(ANIM_RAW, ANIM_FLOAT, "energy", 2, NULL, values);
	struct document d;

	start(&d);
	t.interp = ANIM_HOLD;
	t.step_s = 0.5;
	add(&d, &t);
	check_keys(&d, "{\"time\":0,\"value\":1},{\"time\":0.5,\"value\":2}");
}

TEST(animj_no_interval, "Raw of unknown interval is written without one and warned of")
{
	const float values[] = {1, 2};
	struct anim_track t = make(ANIM_RAW, ANIM_FLOAT, "energy", 2, NULL, values);
	struct document d;

	start(&d);
	add(&d, &t);
	CHECK(strcmp(loss(&d, 0), "track 'A/Box energy' has samples of unknown interval and is written without one") ==
	      0);
	check_keys(&d, "1,2");
	CHECK(strstr(d.text, "interval") == NULL);
}

TEST(animj_duration, "a clip of length 0 whose keys go on has the last key's time as its duration")
{
	const float values[] = {1, 2};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 2, two_times, values);
	struct document d;

	start(&d);
	d.clip.end_s = 0;
	add(&d, &t);
	CHECK(strstr(finish(&d), "],\"globalDuration\":0.5}\n") != NULL);
	discard(&d);
	start(&d);
	d.clip.end_s = 0;
	t.n = 1;
	add(&d, &t);
	CHECK(strstr(finish(&d), "],\"globalDuration\":0}\n") != NULL);
	discard(&d);
}

TEST(animj_one_clip, "a second clip and no clip are errors")
{
	struct document d;
	struct anim_output *out = NULL;
	struct anim_sink *sink;
	struct anim_error error = {0};

	start(&d);
	open_document(&d);
	CHECK(anim_sink_clip(d.sink, &d.clip, &d.error) != 0);
	CHECK(strcmp(d.error.message, "animj holds one clip; 'walk' is a second one") == 0);
	d.failed = true;
	finish(&d);
	discard(&d);
	start(&d);
	d.options.losses = &d.losses;
	CHECK(anim_output_open_memory(&out, &error) == 0);
	sink = anim_animj_writer_new(out, &d.options, &error);
	CHECK(sink != NULL && anim_sink_end(sink, &error) != 0 && error.code == ANIM_BAD_INPUT);
	anim_sink_free(sink);
	anim_output_free(out);
}

TEST(animj_shared_times, "times shared with the track before come out the same, others anew")
{
	const float other[] = {0, 0.75f}, values[] = {1, 2};
	struct anim_track t = make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 2, two_times, values);
	struct document d;

	start(&d);
	add(&d, &t);
	t.property = "b";
	add(&d, &t);
	t.property = "c";
	t.time = other;
	add(&d, &t);
	finish(&d);
	CHECK(strstr(d.text, "\"b\",\"keyframes\":[{\"time\":0,\"value\":1},{\"time\":0.5,\"value\":2}]") != NULL);
	CHECK(strstr(d.text, "\"c\",\"keyframes\":[{\"time\":0,\"value\":1},{\"time\":0.75,\"value\":2}]") != NULL);
	discard(&d);
}

TEST(animj_long, "a track longer than any buffer is whole")
{
	enum { N = 200000 };
	static float times[N], values[N];
	struct anim_track t = make(ANIM_CURVE, ANIM_FLOAT, "energy", N, times, values);
	struct document d;
	const char *text;
	size_t size, keys = 0;

	for (size_t k = 0; k < N; k++) {
		times[k] = (float)k / 1024;
		values[k] = (float)k;
	}
	start(&d);
	d.clip.end_s = 200;
	add(&d, &t);
	CHECK(!d.failed && anim_sink_end(d.sink, &d.error) == 0);
	text = (const char *)anim_output_memory(d.out, &size);
	for (size_t at = 0; at + 8 < size; at++)
		keys += memcmp(text + at, "{\"time\":", 8) == 0;
	CHECKF(keys == N, "%zu keys", keys);
	CHECK(memcmp(text + size - 6, "]}}\n]}\n" + 1, 6) == 0);
	anim_sink_free(d.sink);
	anim_output_free(d.out);
	discard(&d);
}
