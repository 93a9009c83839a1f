/* godot_text.c: the grammar of Godot's text files above single values: tags, properties, walks, skipping, faults. */
#include "../godot_reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "tap.h"

/* A text and what reading_dump prints of it; `end` is the message that ends it, NULL for a good end. */
struct document {
	const char *text, *dump, *end;
};

static void check_document(enum windows windows, const struct document *document, size_t size)
{
	struct reading reading;
	struct anim_buffer out = {0};
	char end[600] = "";
	bool good;

	CHECK(reading_open(&reading, windows, document->text, size));
	good = reading_dump(&reading, &out);
	if (!good)
		snprintf(end, sizeof end, "%u:%u: %s", reading.error.line, reading.error.column, reading.error.message);
	CHECKF(good == (document->end == NULL), "%s: ended with '%s'", document->text, end);
	CHECKF(strcmp(end, document->end != NULL ? document->end : "") == 0, "%s: %s", document->text, end);
	CHECKF(buffer_is(&out, document->dump), "%s:\n%.*s", document->text, (int)out.size, (const char *)out.data);
	anim_buffer_clear(&out);
	reading_close(&reading);
}

static void check_documents(const struct document *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (int windows = 0; windows < WINDOWS; windows++)
			check_document(windows, &table[i], strlen(table[i].text));
}
#define CHECK_DOCUMENTS(table) check_documents(table, sizeof(table) / sizeof(table)[0])

static const struct document tags[] = {
    {"", "", NULL},
    {" ; nothing\n", "", NULL},
    {"[node]", "1:1: [node]\n", NULL},
    {"\xef\xbb\xbf[node]", "1:4: [node]\n", NULL},
    {"\n\t[gd_scene load_steps=2 format=3 uid=\"uid://x\"]\r\n",
     "2:2: [gd_scene load_steps=2 format=3 uid=\"uid://x\"]\n", NULL},
    {"[ node name = \"A\"\n ; c\n parent=\".\"\n instance = ExtResource( 1 ) ]",
     "1:1: [node name=\"A\" parent=\".\" instance=ExtResource(\"1\")]\n", NULL},
    {"[node groups=[\"a\", \"b\"] index=\"0\"][node]", "1:1: [node groups=[\"a\", \"b\"] index=\"0\"]\n1:35: [node]\n",
     NULL},
    {"[input.x:y a=1]", "1:1: [input.x:y a=1]\n", NULL},
    {"[node a=1 a=2]", "1:1: [node a=1 a=2]\n", NULL},
    {"hello", "", "1:1: expected '[' and a tag's name, found 'h'"},
    {"\xff[node]", "", "1:1: expected '[' and a tag's name, found the byte 0xff"},
    {"[\"node\"]", "", "1:2: expected a tag's name, found '\"'"},
    {"[node a]", "", "1:8: expected '=' after the name of an attribute, found ']'"},
    {"[node a=1", "", "1:10: expected ']' or an attribute, found the end of the file"},
    {"[node 1=1]", "", "1:7: expected ']' or an attribute, found '1'"},
    {"[a_tag_with_a_name_that_no_file_has]", "", "1:1: unknown tag 'a_tag_with_a_name_that_no_file_has'"},
};

TEST(tags_are_read, "tags are read with attributes of any value, in any layout")
{
	CHECK_DOCUMENTS(tags);
}

static const struct document properties[] = {
    {"[node]\na = 1\nb=2", "1:1: [node]\n2:1: a = 2:5: 1\n3:1: b = 3:3: 2\n", NULL},
    {"[node] a = 1 b = \"x\"c=3", "1:1: [node]\n1:8: a = 1:12: 1\n1:14: b = 1:18: \"x\"\n1:21: c = 1:23: 3\n", NULL},
    {"[node]\n a b\n c = 1", "1:1: [node]\n2:2: abc = 3:6: 1\n", NULL},
    {"[node]\n# no comment\nlength = 2.0\n", "1:1: [node]\n2:1: #nocommentlength = 3:10: 2.0\n", NULL},
    {"[node]\n; a comment = 3\nx ;c\n=;d\n1;e", "1:1: [node]\n3:1: x = 5:1: 1\n", NULL},
    {"[node]\ntracks/0/type = \"value\"", "1:1: [node]\n2:1: tracks/0/type = 2:17: \"value\"\n", NULL},
    {"[node]\n\"libraries/\xc3\x91\" = 1", "1:1: [node]\n2:1: libraries/\xc3\x91 = 2:18: 1\n", NULL},
    {"[node]\na\"b c=[;\\\"\" = 1", "1:1: [node]\n2:1: b c=[;\" = 2:15: 1\n", NULL},
    {"[node]\nx[0] = 1", "1:1: [node]\n2:1: x[0] = 2:8: 1\n", NULL},
    {"[node]\nx = 1\n[resource]\n[node]\ny=2",
     "1:1: [node]\n2:1: x = 2:5: 1\n3:1: [resource]\n4:1: [node]\n5:1: y = 5:3: 2\n", NULL},
    {"[node]\r\nx = {\r\n\"a\": [1,\r\n2]\r\n}\r\ny = 2\r\n",
     "1:1: [node]\n2:1: x = 2:5: {\n\"a\": [1, 2]\n}\n6:1: y = 6:5: 2\n", NULL},
    {"[node]\nx = \"a\nb\"\ny = 1", "1:1: [node]\n2:1: x = 2:5: \"a\nb\"\n4:1: y = 4:5: 1\n", NULL},
    {"[node]\n= 1", "1:1: [node]\n", "2:1: expected the name of a property, found '='"},
    {"[node]\n\"\" = 1", "1:1: [node]\n", "2:4: expected the name of a property, found '='"},
};

TEST(properties_are_read, "a property's name is all that is not blank up to its '=', or what stands in quotes")
{
	CHECK_DOCUMENTS(properties);
}

TEST(nul_between_properties,
     "NUL counts as a blank between properties, as for the engine, and as the end inside a value")
{
	static const char text[] = "[node]\0\na = 1\n\0[node]\0";
	static const char inside[] = "[node]\na = [1,\0 2]";
	struct document good = {text, "1:1: [node]\n2:1: a = 2:5: 1\n3:2: [node]\n", NULL};
	struct document bad = {inside, "1:1: [node]\n2:1: a = ", "2:8: expected a value, found the byte 0x00"};

	for (int windows = 0; windows < WINDOWS; windows++) {
		check_document(windows, &good, sizeof text - 1);
		check_document(windows, &bad, sizeof inside - 1);
	}
}

TEST(cut_names, "a file that ends inside a property's name is read, and says so")
{
	struct reading reading;
	struct anim_buffer out = {0};
	struct anim_place place;

	for (int windows = 0; windows < WINDOWS; windows++) {
		out.size = 0;
		CHECK(reading_open(&reading, windows, "[node]\na = 1\n\ntr", 16));
		CHECK(godot_text_oddities(reading.text)->cut.count == 0);
		CHECK(reading_dump(&reading, &out) && buffer_is(&out, "1:1: [node]\n2:1: a = 2:5: 1\n"));
		place = godot_text_oddities(reading.text)->cut.first;
		CHECK(godot_text_oddities(reading.text)->cut.count > 0 && place.line == 4 && place.column == 1);
		reading_close(&reading);
	}
	anim_buffer_clear(&out);
}

TEST(attributes_are_found, "of a doubled attribute the last counts, one that is not there is NULL")
{
	struct reading reading;
	struct godot_tag tag;

	CHECK(reading_open(&reading, WHOLE, "[node c=0 a=1 b=2 a=3]", 22));
	CHECK(godot_text_tag(reading.text, &tag) == 1 && tag.count == 4);
	CHECK(godot_tag_get(&tag, "a")->integer == 3 && godot_tag_get(&tag, "b")->integer == 2);
	CHECK(godot_tag_get(&tag, "c")->integer == 0 && godot_tag_get(&tag, "d") == NULL);
	reading_close(&reading);
}

/* The sources stand behind "[resource]\nx = ": column 5 of line 2 is their first byte. */
static const struct document faults[] = {
    {"", "", "2:5: expected a value, found the end of the file"},
    {"foo", "", "2:5: unknown word 'foo'"},
    {"True", "", "2:5: unknown word 'True'"},
    {"INF", "", "2:5: unknown word 'INF'"},
    {"-foo", "", "2:5: unknown word '-foo'"},
    {"Vector2", "", "2:5: expected '(' after 'Vector2'"},
    {".5", "", "2:5: expected a value, found '.'"},
    {"+1", "", "2:5: expected a value, found '+'"},
    {"- 1", "", "2:5: expected a value, found '-'"},
    {"^\"a\"", "", "2:5: expected a value, found '^'"},
    {"\x80", "", "2:5: expected a value, found the byte 0x80"},
    {"[1_000]", "", "2:7: expected ',' or ']', found '_'"},
    {"[0x10]", "", "2:7: expected ',' or ']', found 'x'"},
    {"[1,,2]", "", "2:8: expected a value, found ','"},
    {"[,1]", "", "2:6: expected a value, found ','"},
    {"[1 2]", "", "2:8: expected ',' or ']', found '2'"},
    {"[1", "", "2:7: expected ',' or ']', found the end of the file"},
    {"[\n[node ]", "", "3:1: expected a value, found a tag"},
    {"{\"a\" 1}", "", "2:10: expected ':' after a key, found '1'"},
    {"{\"a\": 1\n\"b\": 2}", "", "3:1: expected ',' or '}', found '\"'"},
    {"{\"a\": }", "", "2:11: expected a value, found '}'"},
    {"Vector2(1)", "", "2:5: Vector2 takes 2 numbers, found 1"},
    {"Vector2()", "", "2:5: Vector2 takes 2 numbers, found 0"},
    {"Color(1, 0, 0)", "", "2:5: Color takes 4 numbers, found 3"},
    {"Transform( 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 )", "", "2:5: Transform takes 12 numbers, found 13"},
    {"Color(\"red\")", "", "2:11: expected a number, found '\"'"},
    {"Vector2(1, a)", "", "2:16: expected a number, found the word 'a'"},
    {"Vector2(1, 2,)", "", "2:18: expected a number, found ')'"},
    {"Vector2(1; 2)", "", "2:18: expected ',' or ')', found the end of the file"},
    {"PackedFloat32Array(1, 2,)", "", "2:29: expected a number, found ')'"},
    {"PackedFloat32Array(\"AAAA\")", "", "2:24: expected a number, found '\"'"},
    {"PackedByteArray(\"A\")", "", "2:21: the string is not base64"},
    {"PackedByteArray(\"AQ=A\")", "", "2:21: the string is not base64"},
    {"PackedByteArray(\"AAA!\")", "", "2:21: the string is not base64"},
    {"PackedStringArray(\"a\",,)", "", "2:27: expected a string, found ','"},
    {"PackedStringArray(1)", "", "2:23: expected a string, found '1'"},
    {"NodePath()", "", "2:14: expected the path, a string, found ')'"},
    {"SubResource(1.5)", "", "2:5: the id is not a whole number"},
    {"Array([])", "", "2:10: expected '[' and a type, found '('"},
    {"Array[ ]([])", "", "2:11: expected a type between the brackets"},
    {"Array[int]([1]", "", "2:19: expected ')' after a typed container, found the end of the file"},
    {"Array[int]({})", "", "2:16: expected '[', found '{'"},
    {"\"abc", "", "2:5: this string does not end"},
    {"\"abc\\", "", "2:5: this string does not end"},
    {"NodePath(\"N:x)\n{\n\"t\": 1", "", "4:2: expected ')', found 't'"},
    {"\"\\u12\"", "", "2:10: expected a hexadecimal digit of an escape, found '\"'"},
    {"\"\\ud83d\"", "", "2:6: the escape is half of a surrogate pair"},
    {"\"a\\ud83d\\u0041\"", "", "2:7: the escape is half of a surrogate pair"},
    {"\"\\ude00\"", "", "2:6: the escape is half of a surrogate pair"},
    {"\"\\u0000\"", "", "2:6: the string contains NUL (an escape of code 0)"},
    {"\"\\U110000\"", "", "2:6: the escape is beyond U+10FFFF"},
    {"Foo(1, [2)", "", "2:9: the brackets here are not closed"},
    {"Foo(1,\n[node]\n", "", "3:1: a bracket is not closed before this tag"},
    {"&name", "", "2:6: expected a quote after '&', found 'n'"},
};

/* Reads the value behind "x = " and compares the error. */
static void check_fault(enum windows windows, const struct document *fault)
{
	struct reading reading;
	struct godot_value value;
	char end[600];

	CHECK(reading_at_value(&reading, windows, fault->text, strlen(fault->text)));
	if (CHECKF(godot_text_value(reading.text, &reading.arena, &value) != 0, "%s", fault->text)) {
		snprintf(end, sizeof end, "%u:%u: %s", reading.error.line, reading.error.column, reading.error.message);
		CHECKF(strcmp(end, fault->end) == 0, "%s: %s", fault->text, end);
		CHECK(reading.error.code != ANIM_OK && strcmp(reading.error.file, "x.tres") == 0);
	}
	reading_close(&reading);
}

TEST(faults_have_places, "a value that the engine refuses is refused with line and column")
{
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
		for (int windows = 0; windows < WINDOWS; windows++)
			check_fault(windows, &faults[i]);
}

TEST(raw_nul_in_strings, "a NUL byte in a string is refused with its place")
{
	struct reading reading;
	struct godot_value value;

	CHECK(reading_at_value(&reading, WHOLE, "\"a\0b\"", 5));
	CHECK(godot_text_value(reading.text, &reading.arena, &value) != 0);
	CHECK(reading.error.line == 2 && reading.error.column == 7);
	CHECK(strcmp(reading.error.message, "the string contains NUL") == 0);
	reading_close(&reading);
}

static const struct {
	const char *bytes, *text;
	size_t count;
} ill_formed[] = {
    {"\"N\xff:x\"", "N\xef\xbf\xbd:x", 1},
    {"\"\xe9\\n\\t\"", "\xef\xbf\xbd\n\t", 1},
    {"\"\xe4\xb8\"", "\xef\xbf\xbd", 1},
    {"\"\xc0\x80\"", "\xef\xbf\xbd\xef\xbf\xbd", 2},
    {"\"\xed\xa0\x80z\"", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz", 3},
    {"\"\xf0\x9f\x98\xc3\xa9\"", "\xef\xbf\xbd\xc3\xa9", 1},
    {"\"\xf0\x9f\x80z\"", "\xef\xbf\xbdz", 1},
    {"\"\xf4\x8f\xbfz\"", "\xef\xbf\xbdz", 1},
    {"\"\xf4\x90\x80\x80\"", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 4},
};

TEST(ill_formed_strings, "bytes that are no UTF-8 become U+FFFD, are counted, and the first place is kept")
{
	struct reading reading;
	struct godot_value value;
	struct anim_place place;

	for (size_t i = 0; i < sizeof ill_formed / sizeof ill_formed[0]; i++) {
		CHECK(reading_at_value(&reading, WHOLE, ill_formed[i].bytes, strlen(ill_formed[i].bytes)));
		CHECK(godot_text_oddities(reading.text)->bad_utf8.count == 0);
		CHECK(godot_text_value(reading.text, &reading.arena, &value) == 0);
		CHECKF(godot_string_is(&value.text, ill_formed[i].text), "%s", value.text.bytes);
		place = godot_text_oddities(reading.text)->bad_utf8.first;
		CHECK(godot_text_oddities(reading.text)->bad_utf8.count == ill_formed[i].count);
		CHECK(place.line == 2 && place.column == 5);
		reading_close(&reading);
	}
}

TEST(bad_colors, "a colour with a wrong number of digits is black, as in the engine, and is counted")
{
	static const char *const sources[] = {"#", "#12", "#12345", "#1234567", "#123456789ab"};
	struct reading reading;
	struct godot_value value;
	struct anim_place place;

	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
		CHECK(reading_at_value(&reading, WHOLE, sources[i], strlen(sources[i])));
		CHECK(godot_text_value(reading.text, &reading.arena, &value) == 0);
		CHECK(value.numbers[0] == 0 && value.numbers[1] == 0 && value.numbers[2] == 0 && value.numbers[3] == 1);
		place = godot_text_oddities(reading.text)->bad_colors.first;
		CHECK(godot_text_oddities(reading.text)->bad_colors.count == 1 && place.column == 5);
		reading_close(&reading);
	}
}

/* `count` opening brackets, a 1, and as many closing ones. */
static size_t nested(char *text, size_t count)
{
	memset(text, '[', count);
	text[count] = '1';
	memset(text + count + 1, ']', count);
	return 2 * count + 1;
}

TEST(nesting_has_a_limit, "containers may be nested as deep as the limit, and no deeper")
{
	static char text[4 * ANIM_NESTING_GODOT];
	struct reading reading;
	struct godot_value value;

	CHECK(reading_at_value(&reading, WHOLE, text, nested(text, ANIM_NESTING_GODOT)));
	CHECK(godot_text_value(reading.text, &reading.arena, &value) == 0);
	reading_close(&reading);
	CHECK(reading_at_value(&reading, WHOLE, text, nested(text, ANIM_NESTING_GODOT + 1)));
	CHECK(godot_text_value(reading.text, &reading.arena, &value) != 0);
	CHECK(reading.error.code == ANIM_TOO_LARGE && reading.error.column == 5 + ANIM_NESTING_GODOT);
	reading_close(&reading);
	CHECK(reading_at_value(&reading, WHOLE, text, nested(text, ANIM_NESTING_GODOT + 1)));
	for (int i = 0; i < ANIM_NESTING_GODOT; i++)
		CHECK(godot_text_array(reading.text) == 1 && godot_text_array_next(reading.text) == 1);
	CHECK(godot_text_array(reading.text) == -1 && reading.error.code == ANIM_TOO_LARGE);
	reading_close(&reading);
}

TEST(a_string_has_a_limit, "a string beyond the limit of texts is refused with its place")
{
	size_t size = ANIM_TEXT_MAX + 32;
	char *text = malloc(size);
	struct reading reading;
	struct godot_tag tag;

	memset(text, 'a', size);
	memcpy(text, "[node x=\"", 9);
	text[size - 2] = '"';
	text[size - 1] = ']';
	CHECK(reading_open(&reading, WHOLE, text, size));
	CHECK(godot_text_tag(reading.text, &tag) == -1);
	CHECK(reading.error.code == ANIM_TOO_LARGE && reading.error.column == 9);
	reading_close(&reading);
	free(text);
}
