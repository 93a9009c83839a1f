/* godot_text_walk.c: values of Godot text files that are walked, skipped, read as floats or left after a fault. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../godot_reading.h"
#include "format/godot/godot.h"
#include "tap.h"

/* Reads the value as floats: what was appended, or what the error says. */
static void check_floats(enum windows windows, const char *source, int result, const char *expected)
{
	struct reading reading;
	struct anim_buffer floats = {0};
	enum godot_spelling spelling;
	char text[4096] = "";
	int found;

	CHECK(reading_at_value(&reading, windows, source, strlen(source)));
	found = godot_text_floats(reading.text, &reading.arena, &floats, &spelling);
	for (size_t i = 0; i < floats.size / sizeof(float) && found == 1; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%g", i > 0 ? " " : "",
			 (double)((const float *)(void *)floats.data)[i]);
	if (found < 0)
		snprintf(text, sizeof text, "%u:%u: %s", reading.error.line, reading.error.column,
			 reading.error.message);
	CHECKF(found == result && strcmp(text, expected) == 0, "%s: %d %s", source, found, text);
	anim_buffer_clear(&floats);
	reading_close(&reading);
}

static const struct {
	const char *source;
	int result;
	const char *expected;
} floats[] = {
    {"PackedFloat32Array()", 1, ""},
    {"PackedFloat32Array(0, 1, 0.5)", 1, "0 1 0.5"},
    {"PackedFloat32Array(0,1,0.5) ", 1, "0 1 0.5"},
    {"PackedFloat32Array\t( ; c\n 0\n,\n-1.5e1 ;)\n , 2 )", 1, "0 -15 2"},
    {"PoolRealArray( 0, 1 )", 1, "0 1"},
    {"FloatArray( nan, inf, -inf, inf_neg, 1 )", 1, "nan inf -inf -inf 1"},
    {"PackedFloat64Array(0.1)", 1, "0.1"},
    {"PackedInt32Array(1, -2)", 1, "1 -2"},
    {"PackedInt64Array(3)", 1, "3"},
    {"PackedByteArray(1, 2)", 1, "1 2"},
    {"PackedByteArray(\"AQID\")", 1, "1 2 3"},
    {"[]", 1, ""},
    {"[ ; nothing\n ]", 1, ""},
    {"[0.0, 1.0, 2]", 1, "0 1 2"},
    {"[1, 2,]", 1, "1 2"},
    {"[-inf, 2]", 1, "-inf 2"},
    {"[nan]", 1, "nan"},
    {"[ ;                 more than the first look sees                                                     \n 1]", 1,
     "1"},
    {"[\"a\"]", 1, "0"},
    {"[true]", 1, "1"},
    {"[Vector2(1, 2)]", 1, "1 2"},
    {"[[1]]", 1, "0"},
    {"[-foo]", -1, "2:6: unknown word '-foo'"},
    {"{}", 0, ""},
    {"1", 0, ""},
    {"PackedVector2Array(1, 2)", 0, ""},
    {"PackedStringArray(\"a\")", 0, ""},
    {"null", 0, ""},
    {"[1, \"a\"]", 1, "1 0"},
    {"[1, Vector3(1, 2, 3)]", 1, "1 1 2 3"},
    {"PackedFloat32Array(1, 2,)", -1, "2:29: expected a number, found ')'"},
    {"PackedFloat32Array(1 2)", -1, "2:26: expected ',' or ')', found '2'"},
    {"PackedFloat32Array(\"AAAA\")", -1, "2:24: expected a number, found '\"'"},
    {"PackedFloat32Array[1]", -1, "2:23: expected '(', found '['"},
    {"PackedFloat32Array(1, 2", -1, "2:28: expected ',' or ')', found the end of the file"},
    {"[1,,2]", -1, "2:8: expected a value, found ','"},
};

TEST(arrays_of_numbers_become_floats, "arrays of numbers are read as floats, other values are left as they are")
{
	for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
		for (int windows = 0; windows < WINDOWS; windows++)
			check_floats(windows, floats[i].source, floats[i].result, floats[i].expected);
}

TEST(what_is_no_array_is_still_there, "a value that is no array of numbers can be read after it was asked for")
{
	struct reading reading;
	struct anim_buffer none = {0};
	enum godot_spelling spelling;
	struct godot_value value;

	CHECK(reading_at_value(&reading, WHOLE, "  {1: 2}", 8));
	CHECK(godot_text_floats(reading.text, &reading.arena, &none, &spelling) == 0 && none.size == 0);
	CHECK(godot_text_array(reading.text) == 0);
	CHECK(godot_text_value(reading.text, &reading.arena, &value) == 0);
	CHECK(value.type == GODOT_DICTIONARY && value.count == 1);
	reading_close(&reading);
}

TEST(a_bad_array_can_be_left, "behind an array with a fault in it the next property is found")
{
	static const char source[] = "[1, Vector3(1, 2), \"]\"]\ny = 1";
	struct reading reading;
	struct anim_buffer some = {0};
	enum godot_spelling spelling;
	struct anim_place place;
	const char *name;

	for (int windows = 0; windows < WINDOWS; windows++) {
		CHECK(reading_at_value(&reading, windows, source, sizeof source - 1));
		CHECK(godot_text_floats(reading.text, &reading.arena, &some, &spelling) == -1);
		CHECK(godot_text_property(reading.text, &name, &place) == 1);
		CHECK(strcmp(name, "y") == 0 && place.line == 3 && place.column == 1);
		reading_close(&reading);
	}
	anim_buffer_clear(&some);
}

/* Numbers of all lengths, so that windows end at every byte of some. */
static size_t print_numbers(char *text, size_t room, size_t count)
{
	size_t used = (size_t)snprintf(text, room, "PackedFloat32Array(");

	for (size_t i = 0; i < count; i++)
		used += (size_t)snprintf(text + used, room - used, "%s%.*g", i > 0 ? i % 7 == 0 ? ",\n" : ", " : "",
					 (int)(i % 17) + 1, (double)(i * i) / 7 - 500);
	return used + (size_t)snprintf(text + used, room - used, ")\ny = 1");
}

TEST(floats_over_many_windows, "a long array gives the same floats from windows of any size, and places stay right")
{
	enum { COUNT = 40000 };
	static char text[900000];
	static float expected[COUNT];
	size_t size = print_numbers(text, sizeof text, COUNT);
	struct reading reading;
	struct anim_buffer read = {0};
	enum godot_spelling spelling;
	struct anim_place place;
	const char *name, *at = text + 19;
	char *end;

	for (size_t i = 0; i < COUNT; i++, at = end + strspn(end, ", \n"))
		expected[i] = (float)strtod(at, &end);
	for (int windows = 0; windows < WINDOWS; windows++) {
		read.size = 0;
		CHECK(reading_at_value(&reading, windows, text, size));
		CHECK(godot_text_floats(reading.text, &reading.arena, &read, &spelling) == 1);
		CHECK(read.size == sizeof expected && memcmp(read.data, expected, sizeof expected) == 0);
		CHECK(godot_text_property(reading.text, &name, &place) == 1);
		CHECKF(place.line == 2 + (COUNT - 1) / 7 + 1 && place.column == 1, "%u:%u", place.line, place.column);
		reading_close(&reading);
	}
	anim_buffer_clear(&read);
}

static const char *const skipped[] = {
    "1",
    "-1.5e3",
    "true",
    "-inf",
    "#ff0000",
    "\"a\\\"b\\\\\"",
    "\"a = 1\n[node]\n\"",
    "&\"a\"",
    "@\"a\"",
    "[1, \"]\", ; ]\n [2]]",
    "{\"a\": {\"}\": 1}}",
    "PackedByteArray(1, 2)",
    "Vector2 ; c\n (1, 2)",
    "Array[int]([1])",
    "Dictionary[String, Array]({\"a\": [1]})",
    "Object(Node,\"a\":\")\")",
    "Foo([{}])",
};

TEST(values_are_skipped, "a value is passed over whole, whether asked for or left unread")
{
	struct reading reading;
	struct anim_place place;
	const char *name;
	char text[256];

	for (size_t i = 0; i < sizeof skipped / sizeof skipped[0]; i++)
		for (int way = 0; way < 2 * WINDOWS; way++) {
			snprintf(text, sizeof text, "%s\nnext = 1", skipped[i]);
			CHECK(reading_at_value(&reading, way / 2, text, strlen(text)));
			if (way % 2 == 1)
				CHECKF(godot_text_skip(reading.text) == 0, "%s: %s", text, reading.error.message);
			CHECKF(godot_text_property(reading.text, &name, &place) == 1 && strcmp(name, "next") == 0 &&
				   place.column == 1,
			       "%s: %s", text, reading.error.message);
			reading_close(&reading);
		}
}

static const struct {
	const char *source, *message;
} unskipped[] = {
    {"foo", "2:5: unknown word 'foo'"},
    {"Vector2\ny", "3:1: expected '(', found 'y'"},
    {"[1", "2:6: the brackets here are not closed"},
    {"[1\n[node]", "3:1: a bracket is not closed before this tag"},
    {"\n[node]", "3:1: expected a value, found a tag"},
    {"\"a\\\"", "2:5: this string does not end"},
    {"\"a\\", "2:5: this string does not end"},
    {"- 1", "2:5: expected a value, found '-'"},
    {"", "2:5: expected a value, found the end of the file"},
};

TEST(faults_are_not_skipped, "a value without an end is not passed over, and tags end it")
{
	struct reading reading;
	char message[600];

	for (size_t i = 0; i < sizeof unskipped / sizeof unskipped[0]; i++)
		for (int windows = 0; windows < WINDOWS; windows++) {
			CHECK(reading_at_value(&reading, windows, unskipped[i].source, strlen(unskipped[i].source)));
			CHECK(godot_text_skip(reading.text) == -1);
			snprintf(message, sizeof message, "%u:%u: %s", reading.error.line, reading.error.column,
				 reading.error.message);
			CHECKF(strcmp(message, unskipped[i].message) == 0, "%s: %s", unskipped[i].source, message);
			reading_close(&reading);
		}
}

TEST(dictionaries_are_walked, "a dictionary is walked key by key, its values read, walked, skipped or left")
{
	static const char source[] = "{\"a\": 1, &\"b\" : [2, 3], \"c\":{\"x\": 4,}, \"d\": [5], 6: \"e\",}\ny = 1";
	struct reading reading;
	struct godot_value key, value;
	struct anim_buffer some = {0};
	enum godot_spelling spelling;
	const char *name;

	for (int windows = 0; windows < WINDOWS; windows++) {
		CHECK(reading_at_value(&reading, windows, source, sizeof source - 1));
		CHECK(godot_text_dictionary(reading.text) == 1);
		CHECK(godot_text_dictionary_next(reading.text, &reading.arena, &key) == 1);
		CHECK(godot_string_is(&key.text, "a"));
		CHECK(godot_text_value(reading.text, &reading.arena, &value) == 0 && value.integer == 1);
		CHECK(godot_text_dictionary_next(reading.text, &reading.arena, &key) == 1);
		CHECK(key.type == GODOT_STRING_NAME && godot_string_is(&key.text, "b"));
		CHECK(godot_text_floats(reading.text, &reading.arena, &some, &spelling) == 1);
		CHECK(godot_text_dictionary_next(reading.text, &reading.arena, &key) == 1);
		CHECK(godot_text_dictionary(reading.text) == 1);
		CHECK(godot_text_dictionary_next(reading.text, &reading.arena, &key) == 1);
		CHECK(godot_string_is(&key.text, "x"));
		CHECK(godot_text_dictionary_next(reading.text, &reading.arena, &key) == 0);
		CHECK(godot_text_dictionary_next(reading.text, &reading.arena, &key) == 1);
		CHECK(godot_string_is(&key.text, "d") && godot_text_skip(reading.text) == 0);
		CHECK(godot_text_dictionary_next(reading.text, &reading.arena, &key) == 1);
		CHECK(key.type == GODOT_INT && key.integer == 6);
		CHECK(godot_text_dictionary_next(reading.text, &reading.arena, &key) == 0);
		CHECK(godot_text_property(reading.text, &name, NULL) == 1 && strcmp(name, "y") == 0);
		reading_close(&reading);
	}
	anim_buffer_clear(&some);
}

/* The ints that a walk over an array of ints and unread arrays finds, as digits. */
static void walk(struct reading *reading, char *digits)
{
	struct godot_value value;
	int found;

	while ((found = godot_text_array_next(reading->text)) == 1) {
		if (godot_text_array(reading->text) == 1) {
			strcat(digits, "(");
			walk(reading, digits);
			strcat(digits, ")");
			continue;
		}
		CHECK(godot_text_value(reading->text, &reading->arena, &value) == 0);
		snprintf(digits + strlen(digits), 8, "%d", (int)value.integer);
	}
	CHECKF(found == 0, "%s", reading->error.message);
}

static const struct {
	const char *source, *digits;
} arrays[] = {
    {"[]", ""},
    {"[1]", "1"},
    {"[1, 2,]", "12"},
    {"[ ; c\n1, [], [2, [3]], 4 ]", "1()(2(3))4"},
    {"Array[int]([1, 2])", "12"},
    {"Array [ Array ] ( [ Array[int]([1]), [2] ] )", "(1)(2)"},
};

TEST(arrays_are_walked, "an array is walked element by element, typed or not")
{
	struct reading reading;
	char digits[64];
	const char *name;

	for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
		for (int windows = 0; windows < WINDOWS; windows++) {
			digits[0] = '\0';
			CHECK(reading_at_value(&reading, windows, arrays[i].source, strlen(arrays[i].source)));
			CHECK(godot_text_array(reading.text) == 1);
			walk(&reading, digits);
			CHECKF(strcmp(digits, arrays[i].digits) == 0, "%s: %s", arrays[i].source, digits);
			CHECK(godot_text_property(reading.text, &name, NULL) == 0);
			reading_close(&reading);
		}
}

TEST(unread_elements, "elements of an array that are not read are passed over")
{
	struct reading reading;
	int count = 0;

	CHECK(reading_at_value(&reading, WHOLE, "[1, [2, 3], {\"a\": 4}, \"]\"]", 26));
	CHECK(godot_text_array(reading.text) == 1);
	while (godot_text_array_next(reading.text) == 1)
		count++;
	CHECK(count == 4 && reading.error.code == ANIM_OK);
	reading_close(&reading);
}

TEST(walks_are_left, "a walk that is left in the middle ends with its value, however deep it was")
{
	static const char source[] = "{\"a\": Array[int]([[1, 2], \"]\", 3]), \"b\": 4}\ny = 1";
	struct reading reading;
	struct godot_value key;
	const char *name;

	for (int windows = 0; windows < WINDOWS; windows++)
		for (int deep = 0; deep < 4; deep++) {
			CHECK(reading_at_value(&reading, windows, source, sizeof source - 1));
			CHECK(godot_text_dictionary(reading.text) == 1);
			if (deep > 0)
				CHECK(godot_text_dictionary_next(reading.text, &reading.arena, &key) == 1);
			if (deep > 1)
				CHECK(godot_text_array(reading.text) == 1 && godot_text_array_next(reading.text) == 1);
			if (deep > 2)
				CHECK(godot_text_array(reading.text) == 1 && godot_text_array_next(reading.text) == 1);
			CHECK(godot_text_property(reading.text, &name, NULL) == 1);
			CHECK(strcmp(name, "y") == 0);
			reading_close(&reading);
		}
}

TEST(recovery, "after a fault reading goes on at the next line that begins a tag")
{
	static const char *const texts[] = {"foo\nz\n[node b=1]",    "[1, 2\n[node b=1]",
					    "\n[node b=1]",          "{\"a\" [1\n[2\n[node b=1]",
					    "Vector2(1\n[node b=1]", "\"a\nx\"y\n[other]\n [node]\n[node b=1]"};
	struct reading reading;
	struct godot_value value;
	struct godot_tag tag;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		for (int windows = 0; windows < WINDOWS; windows++) {
			CHECK(reading_at_value(&reading, windows, texts[i], strlen(texts[i])));
			if (i < 5)
				CHECK(godot_text_value(reading.text, &reading.arena, &value) == -1);
			CHECKF(godot_text_recover(reading.text) == 1, "%s", texts[i]);
			CHECKF(godot_text_tag(reading.text, &tag) == 1, "%s: %s", texts[i], reading.error.message);
			CHECK(tag.count == 1 && strcmp(tag.attributes[0].key, "b") == 0);
			CHECK(godot_text_tag(reading.text, &tag) == 0);
			CHECK(godot_text_recover(reading.text) == 0);
			reading_close(&reading);
		}
}

TEST(recovery_from_a_bad_tag, "a faulty tag is passed by")
{
	static const char text[] = "[node a=]\nx = 1\n[node b=1]";
	struct reading reading;
	struct godot_tag tag;

	CHECK(reading_open(&reading, WHOLE, text, sizeof text - 1));
	CHECK(godot_text_tag(reading.text, &tag) == -1);
	CHECK(godot_text_recover(reading.text) == 1);
	CHECK(godot_text_tag(reading.text, &tag) == 1 && tag.place.line == 3);
	reading_close(&reading);
}

TEST(every_prefix, "every prefix of a file is read or refused, the same way in whole and one-byte windows")
{
	static const char text[] =
	    "[gd_scene load_steps=2 format=3]\r\n\r\n; comment\r\n[sub_resource type=\"Animation\" id=\"A_1\"]\n"
	    "tracks/0/keys = {\n\"times\": PackedFloat32Array(0, 0.5, -1e-3),\n\"values\": [Vector2(1, 2), null, -inf,"
	    " &\"x\\u00e9\", \"\\ud83d\\ude00\"],\n\"o\": Object(Curve,\"a\":1), \"t\": Array[int]([1]),"
	    "\"b\": PackedByteArray(\"AQID\")\n}\n\"quoted \\\"name\" = #ff8000\nx = SubResource( 5 )\n";
	struct reading reading;
	struct anim_buffer dumps[WINDOWS] = {{0}};
	struct anim_error errors[WINDOWS];
	bool good[WINDOWS];

	for (size_t size = 0; size < sizeof text; size++) {
		for (int windows = 0; windows < WINDOWS; windows++) {
			dumps[windows].size = 0;
			CHECK(reading_open(&reading, windows, text, size));
			good[windows] = reading_dump(&reading, &dumps[windows]);
			errors[windows] = reading.error;
			reading_close(&reading);
		}
		CHECKF(good[WHOLE] == good[ONE_BYTE] && dumps[WHOLE].size == dumps[ONE_BYTE].size &&
			   (dumps[WHOLE].size == 0 ||
			    memcmp(dumps[WHOLE].data, dumps[ONE_BYTE].data, dumps[WHOLE].size) == 0),
		       "%zu bytes", size);
		CHECKF(strcmp(errors[WHOLE].message, errors[ONE_BYTE].message) == 0 &&
			   errors[WHOLE].line == errors[ONE_BYTE].line &&
			   errors[WHOLE].column == errors[ONE_BYTE].column,
		       "%zu bytes: %s, %s", size, errors[WHOLE].message, errors[ONE_BYTE].message);
	}
	CHECK(good[WHOLE]);
	anim_buffer_clear(&dumps[WHOLE]);
	anim_buffer_clear(&dumps[ONE_BYTE]);
}

static bool is_godot(const char *text)
{
	return anim_godot_is((const uint8_t *)text, strlen(text));
}

TEST(files_are_known, "a Godot text file is known by its first tag")
{
	CHECK(is_godot("[gd_scene format=3]"));
	CHECK(is_godot("[gd_resource type=\"Animation\"]"));
	CHECK(is_godot("[gd_scene]"));
	CHECK(is_godot("\xef\xbb\xbf; c\r\n\t[sub_resource type=\"Animation\" id=1]"));
	CHECK(is_godot("[node name=\"A\"]") && is_godot("[resource]\n"));
	CHECK(!is_godot("") && !is_godot("[") && !is_godot("[gd_scene") && !is_godot("; [gd_scene]"));
	CHECK(!is_godot("[gd_scenes]") && !is_godot("[1, 2]") && !is_godot("{\"a\": 1}") && !is_godot("[node_3]") &&
	      !is_godot("{node ]"));
}
