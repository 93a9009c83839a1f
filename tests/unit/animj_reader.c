/* animj_reader.c: AnimJ documents into the model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../animj_reading.h"
#include "capture.h"
#include "tap.h"

/* What was read of one document. */
struct document {
	struct capture capture;
	struct anim_diagnostics diagnostics;
	struct anim_error error;
	int result;
};

static void read_text(struct document *d, const char *text)
{
	struct anim_read_options options = {.store_memory = 1 << 20, .diagnostics = &d->diagnostics};
	struct anim_input *input;

	memset(d, 0, sizeof *d);
	capture_sink(&d->capture);
	d->result = anim_input_open_memory(&input, text, strlen(text), "dir/x.animj", &d->error);
	if (d->result != 0)
		return;
	d->result = anim_animj_read(input, &options, &d->capture.sink, &d->error);
	anim_input_close(input);
}

/* One track with these keys. */
static void read_keys(struct document *d, const char *kind, const char *type, const char *keys)
{
	char text[4096];

	snprintf(
	    text, sizeof text,
	    "{\"name\":\"x\",\"tracks\":[{\"trackType\":\"%s\",\"valueType\":\"%s\",\"data\":{\"keyframes\":[%s]}}]}",
	    kind, type, keys);
	read_text(d, text);
	CHECKF(d->result == 0, "%s", d->error.message);
}

static void clear(struct document *d)
{
	capture_clear(&d->capture);
	anim_diagnostics_clear(&d->diagnostics);
}

static bool warned(const struct document *d, const char *text)
{
	char line[700];

	for (size_t i = 0; i < d->diagnostics.count; i++) {
		anim_diagnostic_print(&d->diagnostics.items[i], line, sizeof line);
		if (strstr(line, text) != NULL)
			return true;
	}
	return false;
}

static bool same_floats(const void *column, const float *wanted, size_t count)
{
	return column != NULL && memcmp(column, wanted, count * sizeof *wanted) == 0;
}

TEST(head, "the clip has the document's name, Resonite's axes, and ends at its duration")
{
	struct document d;
	const struct anim_clip *clip = &d.capture.clip;

	read_text(&d, "{\"tracks\":[],\"globalDuration\":2.5,\"name\":\"w\\u00e4lk\"}");
	CHECK(d.result == 0 && strcmp(clip->name, "w\xc3\xa4lk") == 0 && strcmp(clip->source, "animj") == 0);
	CHECK(clip->start_s == 0 && clip->end_s == 2.5f && clip->flags == 0);
	CHECK(clip->axes == ANIM_AXES_RESONITE && clip->axes2d == ANIM_AXES2D_UNKNOWN && clip->loop == ANIM_LOOP_NONE);
	clear(&d);
}

TEST(end, "the end is the last key's where the duration is shorter, and said to be derived; the name is the file's")
{
	struct document d;

	read_text(&d, "{\"name\":\"\",\"globalDuration\":0,\"tracks\":[{\"trackType\":\"Discrete\",\"valueType\":"
		      "\"int\",\"data\":"
		      "{\"keyframes\":[{\"time\":0,\"value\":1},{\"time\":5,\"value\":2}]}}]}");
	CHECK(d.capture.clip.end_s == 5 && d.capture.clip.flags == ANIM_END_DERIVED);
	CHECK(strcmp(d.capture.clip.name, "x") == 0);
	clear(&d);
}

TEST(names, "fields that the model knows get its names where the type is theirs, others stay")
{
	static const struct {
		const char *type, *property, *wanted;
	} rows[] = {{"float3", "Position", "position"},
		    {"floatQ", "Rotation", "rotation"},
		    {"float3", "Scale", "scale"},
		    {"bool", "Active", "visible"},
		    {"float", "BlendShape.A.B", "blend_shape/A.B"},
		    {"float2", "Rotation", "Rotation"},
		    {"float3", "position.x", "position.x"}};
	struct document d;
	char text[512];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(text, sizeof text,
			 "{\"tracks\":[{\"trackType\":\"Discrete\",\"valueType\":\"%s\",\"data\":{\"keyframes\":[{}],"
			 "\"property\":\"%s\",\"node\":\"A/B\"}}]}",
			 rows[i].type, rows[i].property);
		read_text(&d, text);
		CHECKF(d.result == 0 && strcmp(d.capture.tracks[0].property, rows[i].wanted) == 0, "%s: %s",
		       rows[i].property, d.result == 0 ? d.capture.tracks[0].property : d.error.message);
		CHECK(strcmp(d.capture.tracks[0].node, "A/B") == 0 && d.capture.tracks[0].rules == ANIM_RULES_RESONITE);
		clear(&d);
	}
}

TEST(intervals, "an interval is a rate where its float is that of one, else a step; none is warned of")
{
	static const struct {
		const char *interval;
		uint32_t rate;
		double step_s;
	} rows[] = {{"0.033333335", 30, 0},
		    {"0.03333333333333333", 30, 0},
		    {"1", 1, 0},
		    {"0.001", 1000, 0},
		    {"0.03", 0, (double)0.03f},
		    {"2.5", 0, 2.5},
		    {"0", 0, 0},
		    {"1e-9", 0, (double)1e-9f}};
	struct document d;
	char text[512];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(text, sizeof text,
			 "{\"tracks\":[{\"trackType\":\"Raw\",\"valueType\":\"float\",\"data\":{\"keyframes\":[1,2,3],"
			 "\"interval\":%s}}]}",
			 rows[i].interval);
		read_text(&d, text);
		CHECKF(d.result == 0 && d.capture.tracks[0].rate_num == rows[i].rate &&
			   d.capture.tracks[0].step_s == rows[i].step_s && d.capture.clip.rate_num == rows[i].rate,
		       "%s", rows[i].interval);
		CHECK(warned(&d, "without interval") == (rows[i].rate == 0 && rows[i].step_s == 0));
		CHECK(rows[i].rate != 30 || fabsf(d.capture.clip.end_s - 2 / 30.f) < 1e-8f);
		clear(&d);
	}
}

TEST(curve, "modes and tangents come as columns, one mode as a constant")
{
	static const float left[] = {-1, -2, 0}, right[] = {5, 0, 7}, values[] = {0, 1, 2};
	const struct anim_track *track;
	struct document d;

	read_keys(&d, "Curve", "float",
		  "{\"time\":0,\"value\":0,\"leftTangent\":-1,\"rightTangent\":5,\"interpolation\":\"CubicBezier\"},"
		  "{\"time\":1,\"value\":1,\"leftTangent\":-2,\"interpolation\":\"hold\"},"
		  "{\"rightTangent\":7,\"interpolation\":2,\"time\":2,\"value\":2}");
	track = &d.capture.tracks[0];
	CHECK(track->interp == ANIM_INTERP_COLUMN && track->interps[0] == ANIM_CUBIC_BEZIER &&
	      track->interps[1] == ANIM_HOLD && track->interps[2] == ANIM_TANGENT);
	CHECK(same_floats(track->value, values, 3) && same_floats(track->left, left, 3) &&
	      same_floats(track->right, right, 3));
	CHECK(d.diagnostics.warnings == 0);
	clear(&d);
	read_keys(&d, "Curve", "float",
		  "{\"value\":1,\"interpolation\":\"Linear\",\"leftTangent\":3},{\"time\":1,\"interpolation\":1}");
	track = &d.capture.tracks[0];
	CHECK(track->interp == ANIM_LINEAR && track->interps == NULL && track->left == NULL);
	clear(&d);
}

TEST(tangents, "tangents that a segment needs and no key gives are zeros and warned of, the outer ones are not missed")
{
	struct document d;

	read_keys(&d, "Curve", "float",
		  "{\"time\":0,\"value\":1,\"interpolation\":\"CubicBezier\",\"rightTangent\":1},"
		  "{\"time\":1,\"value\":1,\"interpolation\":\"CubicBezier\",\"leftTangent\":1}");
	CHECK(d.diagnostics.warnings == 0 && d.capture.tracks[0].left != NULL);
	clear(&d);
	read_keys(&d, "Curve", "float",
		  "{\"time\":0,\"value\":1,\"interpolation\":\"Tangent\"},"
		  "{\"time\":1,\"value\":1,\"interpolation\":\"Hold\"}");
	CHECK(d.diagnostics.warnings == 2 && warned(&d, "no rightTangent; zeros are read (keyframes[0])"));
	CHECK(same_floats(d.capture.tracks[0].left, (const float[]){0, 0}, 2));
	clear(&d);
}

TEST(defaults, "missing members are zeros, a colour's alpha is full, a missing interpolation holds")
{
	static const float color[] = {0.5f, 0, 0, 1, 0, 0, 0, 0};
	struct document d;

	read_keys(&d, "Curve", "color", "{\"value\":{\"r\":0.5}},{\"time\":1}");
	CHECK(same_floats(d.capture.tracks[0].value, color, 8) && d.capture.tracks[0].interp == ANIM_HOLD);
	CHECK(d.diagnostics.warnings == 4 && warned(&d, "no value; zeros are read"));
	CHECK(warned(&d, "no time; 0 is read") && warned(&d, "no interpolation; Hold is read"));
	clear(&d);
	read_keys(&d, "Discrete", "color32", "{\"value\":{\"g\":7}}");
	CHECK(memcmp(d.capture.tracks[0].value, "\0\7\0\377", 4) == 0);
	clear(&d);
}

TEST(whole_numbers, "64-bit integers are exact, at both ends of their ranges")
{
	static const uint64_t most = UINT64_MAX;
	static const int64_t ends[] = {INT64_MIN, INT64_MAX, -1};
	struct document d;

	read_keys(&d, "Raw", "ulong", "18446744073709551615");
	CHECK(memcmp(d.capture.tracks[0].value, &most, 8) == 0);
	clear(&d);
	read_keys(&d, "Raw", "long3", "{\"x\":-9223372036854775808,\"y\":9223372036854775807,\"z\":-1}");
	CHECK(memcmp(d.capture.tracks[0].value, ends, 24) == 0);
	clear(&d);
	read_keys(&d, "Raw", "sbyte", "-128,127,-0");
	CHECK(memcmp(d.capture.tracks[0].value, "\200\177\0", 3) == 0);
	clear(&d);
}

/* Raw keys have no interval here, which is the last warning. */
TEST(bools, "True and False are read and warned of, lanes go to bits")
{
	struct document d;

	read_keys(&d, "Raw", "bool4", "{\"x\":True,\"y\":False,\"z\":true,\"w\":false},{\"w\":true}");
	CHECK(memcmp(d.capture.tracks[0].value, "\5\10", 2) == 0 && d.diagnostics.warnings == 3);
	clear(&d);
}

TEST(strings, "strings keep escapes, pairs of surrogates and null; True inside one stays")
{
	const struct anim_strings *strings;
	struct document d;

	read_keys(&d, "Raw", "string", "\"a\\n\\ud83d\\ude00\",null,\"\",\"True\"");
	strings = d.capture.tracks[0].strings;
	CHECK(strings->length[0] == 6 && memcmp(strings->bytes, "a\n\xf0\x9f\x98\x80", 6) == 0);
	CHECK(strings->length[1] == ANIM_NULL_STRING && strings->length[2] == 0 && strings->length[3] == 4);
	CHECK(memcmp(strings->bytes + strings->start[3], "True", 4) == 0 && d.diagnostics.warnings == 1);
	clear(&d);
}

TEST(twice, "a member that stands twice is warned of and the last one counts")
{
	struct document d;

	read_keys(&d, "Discrete", "string",
		  "{\"time\":0,\"value\":\"a\",\"value\":\"b\"},{\"value\":\"c\",\"time\":3,\"time\":1}");
	CHECK(d.diagnostics.warnings == 2 && d.capture.tracks[0].time[1] == 1);
	CHECK(d.capture.tracks[0].strings->length[0] == 1 &&
	      d.capture.tracks[0].strings->bytes[d.capture.tracks[0].strings->start[0]] == 'b');
	clear(&d);
	read_text(&d, "{\"tracks\":[{\"trackType\":\"Raw\",\"valueType\":\"int\",\"data\":{\"keyframes\":[1]}}],"
		      "\"tracks\":[]}");
	CHECK(d.result == 0 && d.capture.track_count == 0 && d.capture.clip_count == 1);
	clear(&d);
}

#define EIGHT_LINES "\n\n\n\n\n\n\n\n" /* lines are counted by blocks of 64 bytes */

TEST(data_first, "data that stands before its types is read like any other, with the places of the document")
{
	struct document d;

	read_text(&d, "{\"tracks\":[{\"data\":{\"keyframes\":[1,2]},\"valueType\":\"float\",\"trackType\":\"Raw\"}]}");
	CHECK(d.result == 0 && same_floats(d.capture.tracks[0].value, (const float[]){1, 2}, 2));
	CHECK(warned(&d, "in this order"));
	clear(&d);
	read_text(
	    &d,
	    "{\"tracks\":[\n {\"data\":{\"keyframes\":[1,\n  true]},\"valueType\":\"float\",\"trackType\":\"Raw\"}]}");
	CHECK(d.result != 0 && d.error.line == 3 && d.error.column == 3);
	CHECK(strncmp(d.error.message, "tracks[0].data.keyframes[1]: ", 29) == 0);
	clear(&d);
	read_text(&d, "{" EIGHT_LINES EIGHT_LINES EIGHT_LINES EIGHT_LINES EIGHT_LINES EIGHT_LINES EIGHT_LINES
			  EIGHT_LINES EIGHT_LINES " \"tracks\":[true]}");
	CHECK(d.result != 0 && d.error.line == 73 && d.error.column == 12);
	clear(&d);
}

TEST(other_names, "Bezier and colorX are read as what is nearest, with a warning; names of kinds may stand in blanks")
{
	struct document d;

	read_keys(&d, "Bezier", "colorX", "{\"time\":0,\"value\":{\"r\":1},\"interpolation\":\"Hold\"}");
	CHECK(d.capture.tracks[0].kind == ANIM_CURVE && d.capture.tracks[0].type == ANIM_COLOR);
	CHECK(d.diagnostics.warnings == 2 && warned(&d, "Bezier") && warned(&d, "colorX"));
	clear(&d);
	read_keys(&d, " 1 ", "float", "{\"time\":0,\"value\":1}");
	CHECK(d.capture.tracks[0].kind == ANIM_DISCRETE && d.diagnostics.warnings == 0);
	clear(&d);
}

TEST(unsorted, "keys out of order are kept as they are, flagged and warned of")
{
	struct document d;

	read_keys(&d, "Discrete", "float",
		  "{\"time\":2,\"value\":1},{\"time\":1,\"value\":2},{\"time\":3,\"value\":3}");
	CHECK(d.capture.tracks[0].flags == ANIM_UNSORTED && d.capture.tracks[0].time[0] == 2);
	CHECK(warned(&d, "not sorted") && d.capture.clip.end_s == 3);
	clear(&d);
}

/* Text that grows, of a fixed size. */
struct text {
	char *bytes;
	size_t size;
};

static void add(struct text *text, const char *piece)
{
	size_t length = strlen(piece);

	text->bytes = realloc(text->bytes, text->size + length + 1);
	memcpy(text->bytes + text->size, piece, length + 1);
	text->size += length;
}

/* A number of many shapes, some of them hard for a fast reader. */
static const char *some_number(unsigned k)
{
	static const char *const numbers[] = {
	    "0",         "-0",     "1.5",       "1e3",          "-2.5E-7",
	    "16777217",  "3.4e38", "1e-46",     "0.1",          "123456789012345678901",
	    "1.401e-45", "0.0001", "5.0000001", "16777219.000", "0.30000001192092896"};

	return numbers[k * 7 % (sizeof numbers / sizeof *numbers)];
}

/* A key of some shape; `style` changes blanks and order. */
static void add_key(struct text *text, unsigned k, unsigned style)
{
	char piece[256];

	switch (style % 4) {
	case 0:
		snprintf(piece, sizeof piece,
			 "{\"time\":%u,\"value\":{\"x\":%s,\"y\":%s,\"z\":%s},\"interpolation\":\"Linear\"}", k,
			 some_number(k), some_number(k + 1), some_number(k + 2));
		break;
	case 1:
		snprintf(piece, sizeof piece,
			 "{ \"interpolation\" : \"Linear\",\n  \"value\" : { \"z\" : %s, \"x\" : %s },\n  \"time\" : "
			 "%u.25\n}",
			 some_number(k), some_number(k + 3), k);
		break;
	case 2:
		snprintf(
		    piece, sizeof piece,
		    "{\"time\":%u,\"value\":{\"x\":%s},\"interpolation\":\"CubicBezier\",\"leftTangent\":{\"y\":%s},"
		    "\"rightTangent\":{\"x\":%s,\"y\":1,\"z\":2}}",
		    k, some_number(k), some_number(k + 4), some_number(k + 5));
		break;
	default:
		snprintf(piece, sizeof piece, "{\"time\":%u,\"value\":{\"x\":1},\"interpolation\":%u,\"own\":%u}", k,
			 k % 2, k);
		break;
	}
	add(text, piece);
}

TEST(templates, "keys of any shapes in any mixture are the same by templates, by tokens, and byte by byte")
{
	static const char *const types[] = {"float3", "double3"};

	for (unsigned mixture = 0; mixture < 24; mixture++) {
		struct text text = {0};
		struct animj_reading readings[ANIMJ_WAYS];

		add(&text, "{\"tracks\":[{\"trackType\":\"Curve\",\"valueType\":\"");
		add(&text, types[mixture % 2]);
		add(&text, "\",\"data\":{\"keyframes\":[\n");
		for (unsigned k = 0; k < 300; k++) {
			add(&text, k > 0 ? mixture % 3 == 0 || k % 50 != 0 ? "," : " ,\n " : "");
			add_key(&text, k, mixture < 8 ? mixture / 2 : k / (1 + mixture / 2) + k % (mixture / 4));
		}
		add(&text, "]}}]}");
		for (int way = 0; way < ANIMJ_WAYS; way++) {
			CHECK(animj_reading_do(&readings[way], (enum animj_way)way, text.bytes, text.size));
			CHECKF(readings[way].result == 0, "%s", readings[way].error.message);
			CHECKF(animj_reading_same(&readings[0], &readings[way], (enum animj_way)way),
			       "mixture %u, way %d", mixture, way);
		}
		for (int way = 0; way < ANIMJ_WAYS; way++)
			animj_reading_clear(&readings[way]);
		free(text.bytes);
	}
}

TEST(template_blanks, "blanks between keys that are more, fewer or others than between those before change nothing")
{
	static const char *const separators[] = {",\n", ",\n\t", ",\n\t\t", ",", " ,\n", ",\n\n"};
	struct text text = {0};
	struct document d;

	add(&text,
	    "{\"tracks\":[{\"trackType\":\"Raw\",\"valueType\":\"float2\",\"data\":{\"interval\":1,\"keyframes\":[");
	for (unsigned k = 0; k < 600; k++) {
		if (k > 0)
			add(&text, separators[k % 7 == 0 ? k / 7 % 6 : k / 100]);
		add(&text, "{\"x\":0.5,\"y\":2}");
	}
	add(&text, "]}}]}");
	read_text(&d, text.bytes);
	CHECKF(d.result == 0, "%s", d.error.message);
	CHECK(d.result != 0 || d.capture.tracks[0].n == 600);
	clear(&d);
	free(text.bytes);
}

TEST(template_faults, "a fault behind many keys of one shape is told with the key's number, whatever it is")
{
	static const char *const keys[] = {
	    "{\"time\":01,\"value\":1}",   "{\"time\":1.,\"value\":1}",  "{\"time\":1,\"value\":1e}",
	    "{\"time\":1,\"value\":.5}",   "{\"time\":1,\"value\":-}",   "{\"time\":1,\"value\":1e99}",
	    "{\"time\":1e99,\"value\":1}", "{\"time\":1,\"value\":NaN}", "{\"time\":1,\"value\":1.e5}",
	    "{\"time\":1,\"value\":1]",    "{\"time\":1,\"value\":1 1}", "{\"time\":1,\"value\":\"1\"}",
	    "{\"time\":1,\"value\":-01}",  "{\"time\":1,\"value\":1e+}", "]"};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct text text = {0};
		struct document d;

		add(&text,
		    "{\"tracks\":[{\"trackType\":\"Discrete\",\"valueType\":\"float\",\"data\":{\"keyframes\":[");
		for (unsigned k = 0; k < 100; k++)
			add(&text, "{\"time\":1,\"value\":0.5},");
		add(&text, keys[i]);
		for (unsigned k = 0; k < 100; k++)
			add(&text, ",{\"time\":1,\"value\":0.5}");
		add(&text, "]}}]}");
		read_text(&d, text.bytes);
		CHECKF(d.result != 0 && strncmp(d.error.message, "tracks[0].data.keyframes[100]", 29) == 0, "%s: %s",
		       keys[i], d.result != 0 ? d.error.message : "read");
		clear(&d);
		free(text.bytes);
	}
}

TEST(prefixes, "no beginning of a document is a document")
{
	static const char whole[] =
	    "{\"name\":\"x\",\"globalDuration\":1,\"tracks\":[{\"trackType\":\"Curve\",\"valueType\":\"float2\","
	    "\"data\":"
	    "{\"node\":\"a\",\"property\":\"b\",\"keyframes\":[{\"time\":0,\"value\":{\"x\":1,\"y\":2},"
	    "\"interpolation\":"
	    "\"Linear\"},{\"time\":1,\"value\":{\"x\":1,\"y\":2},\"interpolation\":\"Linear\"}]}}]}";
	char text[sizeof whole];
	struct document d;

	for (size_t size = 0; size < sizeof whole - 1; size++) {
		memcpy(text, whole, size);
		text[size] = '\0';
		read_text(&d, text);
		CHECKF(d.result != 0 && d.error.message[0] != '\0' && d.capture.clip_count == 0, "%zu bytes", size);
		clear(&d);
	}
	read_text(&d, whole);
	CHECK(d.result == 0);
	clear(&d);
}

TEST(looks, "an object that names tracks or a duration is AnimJ, other JSON is not")
{
	static const char yes[] = "\xef\xbb\xbf {\"globalDuration\": 1}", no[] = "{\"asset\":{}}",
			  list[] = "[\"trackType\"]";

	CHECK(anim_animj_is((const uint8_t *)yes, sizeof yes - 1));
	CHECK(!anim_animj_is((const uint8_t *)no, sizeof no - 1));
	CHECK(!anim_animj_is((const uint8_t *)list, sizeof list - 1));
	CHECK(!anim_animj_is((const uint8_t *)"", 0));
}
