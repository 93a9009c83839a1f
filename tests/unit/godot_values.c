/* godot_values.c: values of Godot's text files: each is read in whole and in one-byte windows, and printed. */
#include <math.h>
#include <string.h>

#include "../godot_reading.h"
#include "tap.h"

struct expected {
	const char *source, *printed;
};

/* Reads the value, prints it, compares; then the cursor must be behind it. */
static void check_value(enum windows windows, const char *source, const char *printed)
{
	struct reading reading;
	struct godot_value value;
	struct anim_buffer out = {0};
	const char *name;

	if (CHECK(reading_at_value(&reading, windows, source, strlen(source))) &&
	    CHECKF(godot_text_value(reading.text, &reading.arena, &value) == 0, "%s: %s", source,
		   reading.error.message)) {
		CHECK(godot_value_print(&value, &out, NULL) == 0);
		CHECKF(buffer_is(&out, printed), "%s: %.*s", source, (int)out.size, (const char *)out.data);
		CHECKF(godot_text_property(reading.text, &name, NULL) == 0, "%s: left %s", source,
		       reading.error.message);
	}
	anim_buffer_clear(&out);
	reading_close(&reading);
}

static void check_values(const struct expected *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (int windows = 0; windows < WINDOWS; windows++)
			check_value(windows, table[i].source, table[i].printed);
}
#define CHECK_VALUES(table) check_values(table, sizeof(table) / sizeof(table)[0])

/* What was printed reads back and prints the same. */
static void check_stable(const struct expected *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_value(WHOLE, table[i].printed, table[i].printed);
}
#define CHECK_STABLE(table) check_stable(table, sizeof(table) / sizeof(table)[0])

static const struct expected numbers[] = {
    {"0", "0"},
    {"-0", "0"},
    {"007", "7"},
    {"08.5", "8.5"},
    {"12 ", "12"},
    {"-12\n", "-12"},
    {"1.", "1.0"},
    {"1.e2", "100.0"},
    {"1e+1", "10.0"},
    {"2.0E1", "20.0"},
    {"1e", "1.0"},
    {"1e-", "1.0"},
    {"-0.0", "0.0"},
    {"9223372036854775807", "9223372036854775807"},
    {"9223372036854775808", "9223372036854775807"},
    {"-9223372036854775808", "-9223372036854775808"},
    {"-99999999999999999999", "-9223372036854775808"},
    {"0.1000000000000000055511151231257827", "0.1"},
    {"0.10000000149011612", "0.10000000149011612"},
    {"3.4028235e38", "3.4028235e+38"},
    {"1e-400", "0.0"},
    {"1e400", "inf"},
    {"0.0001", "0.0001"},
    {"0.00012", "0.00012"},
    {"0.00001", "1e-05"},
    {"0.000012345", "1.2345e-05"},
    {"123456.75", "123456.75"},
    {"100000000000000.0", "100000000000000.0"},
    {"1000000000000000.0", "1e+15"},
    {"1.5e300", "1.5e+300"},
    {"-2.5e-300", "-2.5e-300"},
    {"inf", "inf"},
    {"-inf", "-inf"},
    {"inf_neg", "-inf"},
    {"nan", "nan"},
};

TEST(numbers_are_read, "numbers are read as the engine reads them and printed as it writes them")
{
	CHECK_VALUES(numbers);
	CHECK_STABLE(numbers);
}

static const struct expected constants[] = {
    {"true", "true"}, {"false", "false"}, {"null", "null"}, {"nil", "null"}, {";c\n\t true ; c", "true"},
};

TEST(constants_are_read, "true, false, null and nil are values, comments around them are not")
{
	CHECK_VALUES(constants);
}

static const struct expected strings[] = {
    {"\"\"", "\"\""},
    {"\"a b\"", "\"a b\""},
    {"\"a\nb\"", "\"a\nb\""},
    {"\"a\r\nb\"", "\"a\r\nb\""},
    {"\"a;b#[c]\"", "\"a;b#[c]\""},
    {"\"x\\\"y\\\\\"", "\"x\\\"y\\\\\""},
    {"\"\\n\\t\\r\\b\\f\"", "\"\n\t\r\b\f\""},
    {"\"\\a\\v\\'\\0\\q\\x41\"", "\"av'0qx41\""},
    {"\"c\\\nd\"", "\"c\nd\""},
    {"\"\\u00e9\\u4E2d\"", "\"\xc3\xa9\xe4\xb8\xad\""},
    {"\"\\U01f600\"", "\"\xf0\x9f\x98\x80\""},
    {"\"\\ud83d\\ude00!\"", "\"\xf0\x9f\x98\x80!\""},
    {"\"\\ud83d\\U00de00\"", "\"\xf0\x9f\x98\x80\""},
    {"\"\xc3\xa9\xf0\x9f\x98\x80\"", "\"\xc3\xa9\xf0\x9f\x98\x80\""},
    {"&\"name\"", "&\"name\""},
    {"@\"name\"", "&\"name\""},
    {"&\"a\nb\tc'd\"", "&\"a\\nb\\tc\\'d\""},
    {"NodePath(\"A/B:c\")", "NodePath(\"A/B:c\")"},
    {"NodePath ( \"..:\" )", "NodePath(\"..:\")"},
    {"NodePath(\"\")", "NodePath(\"\")"},
};

TEST(strings_are_read, "strings mean what their escapes say, in every spelling")
{
	CHECK_VALUES(strings);
	CHECK_STABLE(strings);
}

static const struct expected constructors[] = {
    {"Vector2(1,2)", "Vector2(1, 2)"},
    {"Vector2( 3 , 4.50 )", "Vector2(3, 4.5)"},
    {"Vector2(1,\n2)", "Vector2(1, 2)"},
    {"Vector2 ;c)\n (1, ; d\n 2)", "Vector2(1, 2)"},
    {"Vector2(inf, nan)", "Vector2(inf, nan)"},
    {"Vector2(inf_neg, -inf)", "Vector2(-inf, -inf)"},
    {"Vector2(-0.0, 0.1)", "Vector2(0, 0.1)"},
    {"Vector2i(1.9, -1.9)", "Vector2i(1, -1)"},
    {"Vector2i(4294967297, 2)", "Vector2i(1, 2)"},
    {"Vector3(1, 2, 3)", "Vector3(1, 2, 3)"},
    {"Vector3i(1, 2, 3)", "Vector3i(1, 2, 3)"},
    {"Vector4(1, 2, 3, 4)", "Vector4(1, 2, 3, 4)"},
    {"Vector4i(1, 2, 3, 4)", "Vector4i(1, 2, 3, 4)"},
    {"Rect2(1, 2, 3, 4)", "Rect2(1, 2, 3, 4)"},
    {"Rect2i(1, 2, 3, 4)", "Rect2i(1, 2, 3, 4)"},
    {"Plane(1, 2, 3, 4)", "Plane(1, 2, 3, 4)"},
    {"Quaternion(0, 0, 0, 1)", "Quaternion(0, 0, 0, 1)"},
    {"Quat( 0, 0, 0, 1 )", "Quaternion(0, 0, 0, 1)"},
    {"AABB(1, 2, 3, 4, 5, 6)", "AABB(1, 2, 3, 4, 5, 6)"},
    {"Rect3(1, 2, 3, 4, 5, 6)", "AABB(1, 2, 3, 4, 5, 6)"},
    {"Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)", "Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)"},
    {"Matrix3(1, 2, 3, 4, 5, 6, 7, 8, 9)", "Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)"},
    {"Transform2D(1, 2, 3, 4, 5, 6)", "Transform2D(1, 2, 3, 4, 5, 6)"},
    {"Matrix32( 1, 2, 3, 4, 5, 6 )", "Transform2D(1, 2, 3, 4, 5, 6)"},
    {"Transform3D(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)", "Transform3D(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)"},
    {"Transform( 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 )", "Transform3D(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)"},
    {"Projection(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)",
     "Projection(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)"},
    {"Color(1, 0, 0, 0.5)", "Color(1, 0, 0, 0.5)"},
    {"#ff0000", "Color(1, 0, 0, 1)"},
    {"#00FF0080", "Color(0, 1, 0, 0.5019608)"},
    {"#f00", "Color(1, 0, 0, 1)"},
    {"#0f08", "Color(0, 1, 0, 0.53333336)"},
};

TEST(constructors_are_read, "constructors of numbers are read in every version's spelling")
{
	CHECK_VALUES(constructors);
	CHECK_STABLE(constructors);
}

static const struct expected packed[] = {
    {"PackedByteArray(1, 2, 255)", "PackedByteArray(1, 2, 255)"},
    {"PackedByteArray(\"AQID\")", "PackedByteArray(1, 2, 3)"},
    {"PackedByteArray(\"AQI=\")", "PackedByteArray(1, 2)"},
    {"PackedByteArray(\"AQ==\")", "PackedByteArray(1)"},
    {"PackedByteArray(\"\")", "PackedByteArray()"},
    {"PoolByteArray( 256, -1 )", "PackedByteArray(0, 255)"},
    {"ByteArray()", "PackedByteArray()"},
    {"PackedInt32Array(1, -2, 3.9)", "PackedInt32Array(1, -2, 3)"},
    {"PackedIntArray(4294967295)", "PackedInt32Array(-1)"},
    {"PoolIntArray( 1 )", "PackedInt32Array(1)"},
    {"IntArray( 1 )", "PackedInt32Array(1)"},
    {"PackedInt64Array(9223372036854775807)", "PackedInt64Array(9223372036854775807)"},
    {"PackedInt64Array(1e30, -1e30, nan)", "PackedInt64Array(9223372036854775807, -9223372036854775808, 0)"},
    {"PackedFloat32Array(0, 0.1, 1e20)", "PackedFloat32Array(0, 0.1, 1e+20)"},
    {"PackedRealArray(1)", "PackedFloat32Array(1)"},
    {"PoolRealArray( 0, 1 )", "PackedFloat32Array(0, 1)"},
    {"FloatArray( 0, 1 )", "PackedFloat32Array(0, 1)"},
    {"PackedFloat64Array(0.1, inf, nan)", "PackedFloat64Array(0.1, inf, nan)"},
    {"PackedStringArray(\"a\", \"b\nc\",)", "PackedStringArray(\"a\", \"b\\nc\")"},
    {"PoolStringArray(  )", "PackedStringArray()"},
    {"StringArray( \"x\" )", "PackedStringArray(\"x\")"},
    {"PackedVector2Array(1, 2, 3, 4)", "PackedVector2Array(1, 2, 3, 4)"},
    {"PoolVector2Array( 1, 2, 3 )", "PackedVector2Array(1, 2)"},
    {"Vector2Array( 1, 2 )", "PackedVector2Array(1, 2)"},
    {"PackedVector3Array(1, 2, 3, 4, 5)", "PackedVector3Array(1, 2, 3)"},
    {"PoolVector3Array( 1, 2, 3 )", "PackedVector3Array(1, 2, 3)"},
    {"Vector3Array( 1, 2, 3 )", "PackedVector3Array(1, 2, 3)"},
    {"PackedVector4Array(1, 2, 3, 4)", "PackedVector4Array(1, 2, 3, 4)"},
    {"PoolVector4Array(1, 2, 3, 4)", "PackedVector4Array(1, 2, 3, 4)"},
    {"Vector4Array(1, 2, 3, 4)", "PackedVector4Array(1, 2, 3, 4)"},
    {"PackedColorArray(1, 0, 0, 1)", "PackedColorArray(1, 0, 0, 1)"},
    {"PoolColorArray( 1, 0, 0, 1 )", "PackedColorArray(1, 0, 0, 1)"},
    {"ColorArray( 1, 0, 0, 1 )", "PackedColorArray(1, 0, 0, 1)"},
};

TEST(packed_arrays_are_read,
     "packed arrays are read in every version's spelling, with a tail that is no vector dropped")
{
	CHECK_VALUES(packed);
	CHECK_STABLE(packed);
}

TEST(long_byte_arrays_are_base64, "byte arrays of more than 64 bytes are printed as base64 and read back")
{
	static char source[1024] = "PackedByteArray(0", printed[1024] = "PackedByteArray(\"AAAA";

	for (int i = 1; i < 66; i++)
		strcat(source, ", 0");
	strcat(source, ", 255)");
	for (int i = 0; i < 21; i++)
		strcat(printed, "AAAA");
	strcat(printed, "/w==\")");
	check_value(WHOLE, source, printed);
	check_value(ONE_BYTE, printed, printed);
}

static const struct expected containers[] = {
    {"[]", "[]"},
    {"[ ; c\n ]", "[]"},
    {"[1.0, ; c\n2.0]", "[1.0, 2.0]"},
    {"[1, \"a\", [true,], {}]", "[1, \"a\", [true], {}]"},
    {"{}", "{}"},
    {"{\"a\": 1, &\"b\" : [2],}", "{\n\"a\": 1,\n&\"b\": [2]\n}"},
    {"{1: 2, Vector2(1, 2): null}", "{\n1: 2,\nVector2(1, 2): null\n}"},
    {"Array[int]([1, 2])", "Array[int]([1, 2])"},
    {"Array [ ExtResource(\"1_a]\") ] ( [ ] )", "Array[ExtResource(\"1_a]\")]([])"},
    {"Dictionary[String, int]({\"a\": 1})", "Dictionary[String, int]({\n\"a\": 1\n})"},
    {"Dictionary[int,\nNode]({})", "Dictionary[int,\nNode]({})"},
};

TEST(containers_are_read, "arrays and dictionaries are read, typed or not, with one comma behind the last")
{
	CHECK_VALUES(containers);
	CHECK_STABLE(containers);
}

static const struct expected doubled[] = {
    {"{\"a\": 1, \"b\": 2, \"a\": 3}", "{\n\"a\": 3,\n\"b\": 2\n}"},
    {"{\"a\": 1, &\"a\": 2}", "{\n\"a\": 2\n}"},
    {"{1: 1, 1.0: 2, 1: 3}", "{\n1: 3,\n1.0: 2\n}"},
    {"{[1, {\"x\": 2}]: 1, [1, {\"x\": 2}]: 2, [1]: 3}", "{\n[1, {\n\"x\": 2\n}]: 2,\n[1]: 3\n}"},
    {"{Vector2(1, 2): 1, Vector2(1, 3): 2, Vector2(1, 2): 3}", "{\nVector2(1, 2): 3,\nVector2(1, 3): 2\n}"},
    {"{true: 1, null: 2, true: 3, null: 4, false: 5}", "{\ntrue: 3,\nnull: 4,\nfalse: 5\n}"},
    {"{PackedStringArray(\"a\"): 1, PackedStringArray(\"a\"): 2}", "{\nPackedStringArray(\"a\"): 2\n}"},
    {"{PackedByteArray(1): 1, PackedByteArray(2): 2}", "{\nPackedByteArray(1): 1,\nPackedByteArray(2): 2\n}"},
};

TEST(doubled_keys, "of equal keys in a dictionary the last value counts, at the place of the first")
{
	CHECK_VALUES(doubled);
}

static const struct expected references[] = {
    {"SubResource(\"Animation_ab12c\")", "SubResource(\"Animation_ab12c\")"},
    {"SubResource( 5 )", "SubResource(\"5\")"},
    {"ExtResource( 1 )", "ExtResource(\"1\")"},
    {"ExtResource(\"1_a\")", "ExtResource(\"1_a\")"},
    {"Resource(\"res://a.tres\")", "Resource(\"res://a.tres\")"},
    {"Resource(\"uid://abc\", \"res://a.tres\")", "Resource(\"uid://abc\", \"res://a.tres\")"},
    {"Resource(\"res://a.tres\", \"uid://abc\")", "Resource(\"uid://abc\", \"res://a.tres\")"},
    {"Resource(\"uid://abc\")", "Resource(\"uid://abc\", \"\")"},
    {"Resource(\"a\", \"b\")", "Resource(\"a\", \"b\")"},
    {"Object(Curve,\"min_value\":2.0)", "Object(Curve,\"min_value\":2.0)"},
    {"RID()", "RID()"},
    {"Callable()", "Callable()"},
    {"Foo ( [1, \")\" ; )\n] )", "Foo( [1, \")\" \n] )"},
};

TEST(references_are_read, "resources become ids, and what is unknown keeps its source text")
{
	CHECK_VALUES(references);
	CHECK_STABLE(references);
}

TEST(other_values_name_their_word, "a value of an unknown constructor says which")
{
	struct reading reading;
	struct godot_value value;

	CHECK(reading_at_value(&reading, WHOLE, "InputEvent( NONE )", 18));
	CHECK(godot_text_value(reading.text, &reading.arena, &value) == 0);
	CHECK(value.type == GODOT_OTHER && godot_string_is(&value.text2, "InputEvent"));
	reading_close(&reading);
}

/* The flag of one float. */
static bool exact32(const char *source)
{
	struct reading reading;
	struct godot_value value = {0};

	CHECK(reading_at_value(&reading, WHOLE, source, strlen(source)));
	CHECK(godot_text_value(reading.text, &reading.arena, &value) == 0);
	CHECKF(value.type == GODOT_FLOAT, "%s", source);
	reading_close(&reading);
	return value.float_is_exact32;
}

TEST(floats_say_whether_they_are_narrow, "a float says whether the shortest text of its float32 is what the file has")
{
	static const char *const narrow[] = {"0.1",        "0.0",           "-0.0",       "1.0",    "0.333333",
					     "16777216.0", "1e-05",         "0.33333334", "0.1000", "3.4028235e+38",
					     "1e400",      "0.00012345678", "1e-45"};
	static const char *const wide[] = {"0.10000000149011612", "0.12345678901", "16777217.0",     "1e39",
					   "0.333333333",         "1e-46",         "1.401298464e-45"};

	for (size_t i = 0; i < sizeof narrow / sizeof narrow[0]; i++)
		CHECKF(exact32(narrow[i]), "%s", narrow[i]);
	for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
		CHECKF(!exact32(wide[i]), "%s", wide[i]);
}

TEST(values_are_converted, "bools, ints and floats are numbers, other values are not")
{
	struct godot_value value = {.type = GODOT_BOOL, .boolean = true};
	double number = 0;

	CHECK(godot_value_number(&value, &number) && number == 1);
	value = (struct godot_value){.type = GODOT_INT, .integer = -7};
	CHECK(godot_value_number(&value, &number) && number == -7);
	value = (struct godot_value){.type = GODOT_FLOAT, .number = 2.5};
	CHECK(godot_value_number(&value, &number) && number == 2.5);
	value = (struct godot_value){.type = GODOT_NIL};
	CHECK(!godot_value_number(&value, &number));
}

TEST(dictionaries_are_looked_into, "a dictionary is asked by String or StringName key")
{
	static const char source[] = "{\"a\": 1, &\"b\": 2, 3: 4, \"a\": 5}";
	struct reading reading;
	struct godot_value value;
	const struct godot_value *found;

	CHECK(reading_at_value(&reading, WHOLE, source, strlen(source)));
	CHECK(godot_text_value(reading.text, &reading.arena, &value) == 0);
	found = godot_dictionary_get(&value, "a");
	CHECK(found != NULL && found->integer == 5);
	found = godot_dictionary_get(&value, "b");
	CHECK(found != NULL && found->integer == 2);
	CHECK(godot_dictionary_get(&value, "3") == NULL);
	CHECK(godot_dictionary_get(found, "a") == NULL);
	reading_close(&reading);
}
