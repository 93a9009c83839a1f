/* godot_tracks.c: value tracks of every Variant type, events and compressed tracks of Animation resources. */
#include "godot_clip.h"
#include "tap.h"

/* A value track N:x; `more` are further entries of the dictionary. */
#define KEYS(times, more, values)                                                                                      \
	"tracks/0/type = \"value\"\ntracks/0/path = NodePath(\"N:x\")\ntracks/0/keys = {\"times\": [" times "], " more \
	"\"values\": [" values "]}\n"
#define VALUES(values) KEYS("0, 1", "", values)
#define LINE(type, attrs, keys) "N x " type " Curve/Linear godot4 wrap {" attrs "}: " keys "\n"
#define HELD(type, literal, keys) \
	"N x string Curve/Hold godot4 wrap {godot.interp=1 godot.type=value literal=" literal "}: " keys "\n"

TEST(number_types, "numbers take the narrowest type that holds every one of them exactly")
{
	static const struct godot_clip_case cases[] = {
	    {VALUES("1, -2"), LINE("int", "godot.type=value", "0=1 1=-2"), NULL, 0, 0},
	    {VALUES("2147483647, 2147483648"), LINE("long", "godot.type=value", "0=2147483647 1=2147483648"), NULL, 0,
	     0},
	    {VALUES("9223372036854775807, -9223372036854775808"),
	     LINE("long", "godot.type=value", "0=9223372036854775807 1=-9223372036854775808"), NULL, 0, 0},
	    {VALUES("0.1, 2.5"), LINE("float", "godot.type=value", "0=0.1 1=2.5"), NULL, 0, 0},
	    {VALUES("0.1, 0.3333333333333333"), LINE("double", "godot.type=value", "0=0.1 1=0.3333333333333333"), NULL,
	     0, 0},
	    {VALUES("7.0, 8.5"), LINE("float", "godot.type=value", "0=7 1=8.5"), NULL, 0, 0},
	    {VALUES("8.5, 16777217"), LINE("double", "godot.type=value", "0=8.5 1=16777217"), NULL, 0, 0},
	    {VALUES("inf, nan"), LINE("float", "godot.type=value", "0=inf 1=nan"), NULL, 0, 0},
	    {VALUES("-0.0, -0"), LINE("float", "godot.type=value", "0=-0 1=0"), NULL, 0, 0},
	    {VALUES("true, false"), LINE("bool", "godot.type=value", "0=true 1=false"), NULL, 0, 0},
	    {VALUES("\"a\", \"\""), LINE("string", "godot.type=value", "0=a 1="), NULL, 0, 0},
	    {KEYS("", "", ""), "N x float Curve/Linear godot4 wrap {godot.type=value}:\n", NULL, 0, 0},
	};

	CHECK_CLIPS(cases);
}

TEST(constructor_types, "vectors, colours and matrices lie as the stream lays them out")
{
	static const struct godot_clip_case cases[] = {
	    {VALUES("Vector2(1, 2.5), Vector2( 3 , 4 )"), LINE("float2", "godot.type=value", "0=1,2.5 1=3,4"), NULL, 0,
	     0},
	    {VALUES("Vector2i(1, 2), Vector2i(3, 4)"), LINE("int2", "godot.type=value", "0=1,2 1=3,4"), NULL, 0, 0},
	    {VALUES("Vector3(1, 2, 3), Vector3(4, 5, 6)"), LINE("float3", "godot.type=value", "0=1,2,3 1=4,5,6"), NULL,
	     0, 0},
	    {KEYS("0", "", "Vector3i(1, 2, 3)"), LINE("int3", "godot.type=value", "0=1,2,3"), NULL, 0, 0},
	    {KEYS("0", "", "Vector4(1, 2, 3, 4)"), LINE("float4", "godot.type=value", "0=1,2,3,4"), NULL, 0, 0},
	    {KEYS("0", "", "Vector4i(1, 2, 3, 4)"), LINE("int4", "godot.type=value", "0=1,2,3,4"), NULL, 0, 0},
	    {KEYS("0", "", "Rect2(1, 2, 3, 4)"), LINE("float4", "godot.type=value godot.variant=Rect2", "0=1,2,3,4"),
	     NULL, 0, 0},
	    {KEYS("0", "", "Rect2i(1, 2, 3, 4)"), LINE("int4", "godot.type=value godot.variant=Rect2i", "0=1,2,3,4"),
	     NULL, 0, 0},
	    {KEYS("0", "", "Plane(1, 2, 3, 4)"), LINE("float4", "godot.type=value godot.variant=Plane", "0=1,2,3,4"),
	     NULL, 0, 0},
	    {KEYS("0", "", "Quat(1, 2, 3, 4)"), LINE("floatQ", "godot.type=value", "0=1,2,3,4"), NULL, 0, 0},
	    {KEYS("0", "", "Color(1, 2, 3, 0.5)"), LINE("color", "godot.type=value", "0=1,2,3,0.5"), NULL, 0, 0},
	    {KEYS("0", "", "Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)"),
	     LINE("float3x3", "godot.type=value", "0=1,2,3,4,5,6,7,8,9"), NULL, 0, 0},
	    {KEYS("0", "", "Matrix32(1, 2, 3, 4, 5, 6)"),
	     LINE("float3x3", "godot.type=value godot.variant=Transform2D", "0=1,3,5,2,4,6,0,0,1"), NULL, 0, 0},
	    {KEYS("0", "", "Transform(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)"),
	     LINE("float4x4", "godot.type=value", "0=1,2,3,10,4,5,6,11,7,8,9,12,0,0,0,1"), NULL, 0, 0},
	    {KEYS("0", "", "Projection(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)"),
	     LINE("float4x4", "godot.type=value godot.variant=Projection", "0=1,5,9,13,2,6,10,14,3,7,11,15,4,8,12,16"),
	     NULL, 0, 0},
	    {KEYS("0", "", "AABB(1, 2, 3, 4, 5, 6)"),
	     "N x:position float3 Curve/Linear godot4 wrap {godot.type=value godot.variant=AABB}: 0=1,2,3\n"
	     "N x:size float3 Curve/Linear godot4 wrap {godot.type=value godot.variant=AABB}: 0=4,5,6\n",
	     NULL, 0, 0},
	};

	CHECK_CLIPS(cases);
}

TEST(literal_types, "values that the stream has no type for are kept as Godot's source text")
{
	static const struct godot_clip_case cases[] = {
	    {VALUES("&\"a\", @\"b\""), LINE("string", "godot.type=value literal=StringName", "0=&\"a\" 1=&\"b\""), NULL,
	     0, 0},
	    {VALUES("NodePath(\"A/B\"), NodePath(\"\")"), HELD("", "NodePath", "0=NodePath(\"A/B\") 1=NodePath(\"\")"),
	     NULL, 0, 0},
	    {VALUES("null, SubResource(\"x_1\")"), HELD("", "Object", "0=null 1=SubResource(\"x_1\")"), NULL, 0, 0},
	    {VALUES("ExtResource(\"1\"), null"), HELD("", "Object", "0=ExtResource(\"1\") 1=null"), NULL, 0, 0},
	    {VALUES("null, null"), HELD("", "Nil", "0=null 1=null"), NULL, 0, 0},
	    {VALUES("{}, {\"a\": 1}"), HELD("", "Dictionary", "0={} 1={\n\"a\": 1\n}"), NULL, 0, 0},
	    {VALUES("PackedByteArray(\"AQID\"), PackedByteArray()"),
	     HELD("", "PackedByteArray", "0=PackedByteArray(1, 2, 3) 1=PackedByteArray()"), NULL, 0, 0},
	    {VALUES("RID(), RID()"), HELD("", "RID", "0=RID() 1=RID()"), NULL, 0, 0},
	    {VALUES("Object(Curve,\"a\":2.0), null"), HELD("", "Object", "0=Object(Curve,\"a\":2.0) 1=null"), NULL, 0,
	     0},
	    {VALUES("[1], [2]"), HELD("", "Array", "0=[1] 1=[2]"),
	     "2:1: track 'N:x': arrays are held, but Godot interpolates them", 0, 0},
	};

	CHECK_CLIPS(cases);
}

TEST(mixed_types, "a track whose values are of several types keeps each of them as source text")
{
	static const struct godot_clip_case cases[] = {
	    {KEYS("0, 1, 2", "", "1.0, \"str\", Vector2(1, 2)"), HELD("", "mixed", "0=1.0 1=\"str\" 2=Vector2(1, 2)"),
	     NULL, 0, 0},
	    {KEYS("0, 1, 2, 3", "", "1, true, 2.5, 3"), HELD("", "mixed", "0=1 1=true 2=2.5 3=3"),
	     "2:1: track 'N:x': values of several types are held, but Godot interpolates between some of them", 0, 0},
	    {KEYS("0, 1, 2", "", "1, 2.5, \"a\""), HELD("", "mixed", "0=1 1=2.5 2=\"a\""),
	     "2:1: track 'N:x': values of several types are held, but Godot interpolates between some of them", 0, 0},
	    {KEYS("0, 1, 2", "", "\"a\", \"\", null"), HELD("", "mixed", "0=\"a\" 1=\"\" 2=null"),
	     "2:1: track 'N:x': values of several types are held, but Godot interpolates between some of them", 0, 0},
	    {KEYS("0, 1", "\"update\": 1, ", "Transform3D(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), Vector2i(1, 2)"),
	     "N x string Discrete godot4 wrap {godot.type=value literal=mixed}: "
	     "0=Transform3D(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) 1=Vector2i(1, 2)\n",
	     NULL, 0, 0},
	};

	CHECK_CLIPS(cases);
}

TEST(packed_values, "values may come as packed arrays")
{
#define PACKED(values)                                                                                                \
	"tracks/0/type = \"value\"\ntracks/0/path = NodePath(\"N:x\")\ntracks/0/keys = {\"times\": PoolRealArray(0, " \
	"1), "                                                                                                        \
	"\"values\": " values "}\n"
	static const struct godot_clip_case cases[] = {
	    {PACKED("PackedInt32Array(1, 2)"), LINE("int", "godot.type=value", "0=1 1=2"), NULL, 0, 0},
	    {PACKED("PackedFloat64Array(0.5, 2)"), LINE("float", "godot.type=value", "0=0.5 1=2"), NULL, 0, 0},
	    {PACKED("PackedVector2Array(1, 2, 3, 4, 5)"), LINE("float2", "godot.type=value", "0=1,2 1=3,4"), NULL, 0,
	     0},
	    {PACKED("PackedColorArray(1, 2, 3, 4, 5, 6, 7, 8)"),
	     LINE("color", "godot.type=value", "0=1,2,3,4 1=5,6,7,8"), NULL, 0, 0},
	    {PACKED("PackedStringArray(\"a\", \"b\")"), LINE("string", "godot.type=value", "0=a 1=b"), NULL, 0, 0},
	    {PACKED("Array[int]([1, 2])"), LINE("int", "godot.type=value", "0=1 1=2"), NULL, 0, 0},
	};

	CHECK_CLIPS(cases);
}

TEST(value_modes, "interpolation and update mode of a value track choose kind and mode as the engine plays it")
{
#define MODE(update, interp, values) KEYS("0, 1", "\"update\": " update ", ", values) "tracks/0/interp = " interp
#define OLD(update) KEYS("0, 1", "\"update\": " update ", ", "1.0, 2.0") "tracks/0/interp = 2"
#define IS(type, mode, attrs) "N x " type " " mode " godot4 wrap {" attrs "}: "
	static const struct godot_clip_case cases[] = {
	    {MODE("0", "0", "1, 2"), IS("int", "Curve/Hold", "godot.type=value") "0=1 1=2\n", NULL, 0, 0},
	    {MODE("0", "2", "1, 2"), IS("int", "Curve/CubicTime", "godot.type=value") "0=1 1=2\n", NULL, 0, 0},
	    {MODE("0", "3", "1.0, 2.0"), IS("float", "Curve/LinearAngle", "godot.type=value") "0=1 1=2\n", NULL, 0, 0},
	    {MODE("0", "4", "1.0, 2"), IS("float", "Curve/CubicAngle", "godot.type=value") "0=1 1=2\n", NULL, 0, 0},
	    {MODE("0", "3", "1, 2"), IS("int", "Curve/Linear", "godot.interp=3 godot.type=value") "0=1 1=2\n", NULL, 0,
	     0},
	    {MODE("0", "4", "Vector2(1, 2), Vector2(1, 2)"),
	     IS("float2", "Curve/CubicTime", "godot.interp=4 godot.type=value") "0=1,2 1=1,2\n", NULL, 0, 0},
	    {MODE("0", "2", "\"a\", \"b\""),
	     IS("string", "Curve/Linear", "godot.interp=2 godot.type=value") "0=a 1=b\n", NULL, 0, 0},
	    {MODE("1", "2", "1, 2"), IS("int", "Discrete", "godot.interp=2 godot.type=value") "0=1 1=2\n", NULL, 0, 0},
	    {MODE("1", "1", "1, 2") "\ntracks/1/type = \"value\"\ntracks/1/path = NodePath(\"N:y\")\n"
				    "tracks/1/keys = {\"times\": [0], \"values\": [1]}",
	     IS("int", "Discrete",
		"godot.type=value") "0=1 1=2\nN y int Curve/Linear godot4 wrap {godot.type=value}: 0=1\n",
	     NULL, 0, 0},
	    {MODE("2", "1", "1, 2"), IS("int", "Curve/Linear", "godot.type=value godot.update=capture") "0=1 1=2\n",
	     NULL, 0, 0},
	    {MODE("9", "1", "1, 2"), IS("int", "Curve/Linear", "godot.type=value godot.update=3") "0=1 1=2\n", NULL, 0,
	     0},
	    {MODE("-1", "1", "1, 2"), IS("int", "Curve/Linear", "godot.type=value") "0=1 1=2\n", NULL, 0, 0},
	    {OLD("2"),
	     "N x float Discrete godot3 wrap {godot.interp=2 godot.type=value godot.update=trigger}: 0=1 1=2\n", NULL,
	     2, 0},
	    {OLD("3"), "N x float Curve/CubicUniform godot3 wrap {godot.type=value godot.update=capture}: 0=1 1=2\n",
	     NULL, 2, 0},
	    {KEYS("0, 1", "\"cont\": false, ", "1, 2"), "N x int Discrete godot3 wrap {godot.type=value}: 0=1 1=2\n",
	     NULL, 1, 0},
	    {KEYS("0, 1", "\"transitions\": [1, 0.5], ", "1, 2"),
	     "N x int Curve/Linear godot4 wrap {godot.type=value}: 0*1=1 1*0.5=2\n", NULL, 0, 0},
	};

	CHECK_CLIPS(cases);
}

TEST(value_sizes, "times and values of different numbers give no keys, transitions of another number are passed over")
{
#define EMPTY "N x float Curve/Linear godot4 wrap {godot.type=value}:\n"
	static const struct godot_clip_case cases[] = {
	    {KEYS("0", "", "1, 2"), EMPTY,
	     "4:1: track 'N:x' (1 times, 2 values): no key is read, because the numbers of times and values differ, as "
	     "in Godot",
	     0, 0},
	    {"tracks/0/type = \"value\"\ntracks/0/path = NodePath(\"N:x\")\ntracks/0/keys = {\"values\": [1]}", EMPTY,
	     "4:1: track 'N:x' (no times): no key is read, because times or values are missing, as in Godot", 0, 0},
	    {"tracks/0/type = \"value\"\ntracks/0/path = NodePath(\"N:x\")\ntracks/0/keys = [1, 2]", EMPTY,
	     "4:1: track 'N:x': no key is read, because the keys are not a dictionary, as in Godot", 0, 0},
	    {KEYS("0, 1", "\"transitions\": [2], ", "1, 2"), LINE("int", "godot.type=value", "0=1 1=2"),
	     "4:1: track 'N:x' (2 times, 1 transitions): the transitions are not read, because their number differs, "
	     "as "
	     "in Godot",
	     0, 0},
	    {KEYS("0, 1", "\"values\": [5], \"other\": {\"a\": [1]}, ", "1, 2"),
	     LINE("int", "godot.type=value", "0=1 1=2"), NULL, 0, 0},
	};

	CHECK_CLIPS(cases);
}

#define EVENTS(type, keys) "tracks/0/type = \"" type "\"\ntracks/0/path = NodePath(\"P\")\ntracks/0/keys = {" keys "}\n"
#define EVENT_LINE(type, keys) "P @" type " string Discrete godot4 wrap {godot.type=" type "}:" keys "\n"

TEST(method_keys, "method keys become JSON objects, sorted and replaced as the engine inserts them")
{
	static const struct godot_clip_case cases[] = {
	    {EVENTS("method",
		    "\"times\": [0], \"values\": [{\"args\": [\"a\\\"\\n\\u0001\", 3, 0.5, 2.0, null, true, [1, "
		    "{\"k\": \"v\"}], Vector2(1, 2), &\"s\", {1: 2}, inf, PackedByteArray(1)], \"method\": &\"hit\"}]"),
	     EVENT_LINE("method",
			" 0={\"method\":\"hit\",\"args\":[\"a\\\"\\n\\u0001\",3,0.5,2.0,null,true,[1,{\"k\":\"v\"}],"
			"{\"godot\":\"Vector2(1, 2)\"},{\"godot\":\"&\\\"s\\\"\"},{\"godot\":\"{\\n1: 2\\n}\"},"
			"{\"godot\":\"inf\"},{\"godot\":\"PackedByteArray(1)\"}]}"),
	     NULL, 0, 0},
	    {EVENTS("method", "\"times\": [1, 0, 1], \"values\": [{\"args\": [], \"method\": \"a\"}, {\"args\": [], "
			      "\"method\": \"b\"}, {\"args\": PackedInt32Array(1, 2), \"method\": \"c\"}]"),
	     EVENT_LINE("method", " 0={\"method\":\"b\",\"args\":[]} 1={\"method\":\"c\",\"args\":[1,2]}"),
	     "4:1: track 'P' (1 keys): only the last of several keys at the same time is kept, as in Godot", 0, 0},
	    {EVENTS("method",
		    "\"values\": [{\"method\": \"a\"}, {\"method\": \"b\", \"args\": []}], \"times\": [0, 1]"),
	     EVENT_LINE("method", " 1={\"method\":\"b\",\"args\":[]}"),
	     "4:1: track 'P': a key without a required entry is dropped, as in Godot (needed in a track of type "
	     "method: 'method' or "
	     "'args')",
	     0, 0},
	    {EVENTS("method", "\"times\": [0], \"values\": []"), EVENT_LINE("method", ""),
	     "4:1: track 'P' (1 times, 0 keys, method): no key is read, because the numbers of times and values "
	     "differ, "
	     "as in Godot",
	     0, 0},
	};

	CHECK_CLIPS(cases);
}

TEST(other_events, "audio, animation and marker keys become JSON objects")
{
	static const struct godot_clip_case cases[] = {
	    {EVENTS("audio",
		    "\"clips\": [{\"stream\": SubResource(\"w\"), \"start_offset\": 0.1, \"end_offset\": 0}, "
		    "{\"stream\": null}, {\"stream\": null, \"start_offset\": 0, \"end_offset\": 2.5}], \"times\": "
		    "[0, 1, 2]") "tracks/0/use_blend = false",
	     "P @audio string Discrete godot4 wrap {godot.type=audio godot.use_blend=false}: "
	     "0={\"stream\":\"SubResource(\\\"w\\\")\",\"start_offset\":0.1,\"end_offset\":0} "
	     "2={\"stream\":null,\"start_offset\":0,\"end_offset\":2.5}\n",
	     "4:1: track 'P': a key without a required entry is dropped, as in Godot (needed in a track of type audio: "
	     "its stream "
	     "or an offset)",
	     0, 0},
	    {EVENTS("animation", "\"clips\": PackedStringArray(\"walk\", \"[stop]\"), \"times\": [1, 0]"),
	     "P @animation string Discrete godot4 wrap unsorted {godot.type=animation}: 1={\"clip\":\"walk\"} "
	     "0={\"clip\":\"[stop]\"}\n",
	     NULL, 0, 0},
	    {"markers = [{\"color\": Color(1, 0.5, 0, 1), \"name\": &\"b\", \"time\": 1}, {\"name\": \"a\", \"time\": "
	     "0.5}]\n"
	     "tracks/0/type = \"scale_3d\"",
	     ". scale float3 Curve/Linear godot4 wrap {godot.type=scale_3d}:\n"
	     ". @marker string Discrete godot4 {}: 0.5={\"name\":\"a\",\"color\":[1,1,1,1]} "
	     "1={\"name\":\"b\",\"color\":[1,0.5,0,1]}\n",
	     NULL, 0, 0},
	    {"markers = [{\"time\": 1}]", "", "2:1: a marker without name or time is dropped", 0, 0},
	};

	CHECK_CLIPS(cases);
}

/*
 * Two compressed tracks at 10 frames a second. Page 0 s: the position (bounds 0..1, 2..4, 5) has a packet of one key at
 * frame 0 and one of two keys, 5 frames apart, x lower by 1 in 16 bits; the blend shape has one key, 65535.
 */
#define HEAD "36, 0, 0, 0, 2, 0, 0, 0, 48, 0, 0, 0, 44, 0, 0, 0, 1, 0, 0, 0, 68, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
#define PAD "0, 0, 0, 0, "
#define TIMES "0, 0, 0, 0, 10, 0, 2, 16, 0, 0, 0, 0, "
#define KEY_0 "0, 0, 0, 0, 0, 0, 0, 0"
#define KEY_10 "255, 255, 255, 255, 0, 0, 1, 32, 21, 0, 0, 0, "
#define BLEND "255, 255, 0, 0"
#define PAGE(bytes) "{\"data\": PackedByteArray(" bytes "), \"time_offset\": 0.0}"
#define COMPRESSION(pages)                                                                              \
	"length = 1.25\n_compression = {\"bounds\": [AABB(0, 2, 5, 1, 2, 0), AABB(0, 0, 0, 0, 0, 0)], " \
	"\"format_version\": "                                                                          \
	"1, \"fps\": 10, \"pages\": [" pages "]}\ntracks/0/type = \"position_3d\"\ntracks/0/compressed_track = 0\n"
#define POSITIONS ". position float3 Curve/Linear plain {godot.type=position_3d}:"

TEST(compressed_tracks, "compressed tracks are decoded, up to the length, as far as they are whole")
{
	static const struct godot_clip_case cases[] = {
	    {COMPRESSION(PAGE(HEAD PAD TIMES KEY_0
			      ", " KEY_10 BLEND)) "tracks/1/type = \"blend_shape\"\ntracks/1/compressed_track = 1",
	     POSITIONS " 0=0,2,5 1=1,4,5 1.25=0.9999924,4,5\n"
		       ". blend_shape/ float Curve/Linear plain {godot.type=blend_shape}: 0=8\n",
	     NULL, 0, 0},
	    {COMPRESSION(PAGE(HEAD PAD TIMES KEY_0 ", 255, 255, 255, 255, 0, 0")), POSITIONS " 0=0,2,5 1=1,4,5\n",
	     "4:1: track 'a track without path': the compressed data are damaged and only partly read: 2 keys", 0, 0},
	    {COMPRESSION(PAGE(HEAD PAD TIMES KEY_0)), POSITIONS " 0=0,2,5\n",
	     "4:1: track 'a track without path': the compressed data are damaged and only partly read: 1 keys", 0, 0},
	    {COMPRESSION(PAGE("255, 0, 0, 0, 2, 0, 0, 0, 48, 0, 0, 0")), POSITIONS "\n",
	     "4:1: track 'a track without path': the compressed data are damaged and only partly read: 0 keys", 0, 0},
	    {COMPRESSION("{\"time_offset\": 0}"),
	     ". position float3 Curve/Linear godot4 wrap {godot.type=position_3d}:\n",
	     "3:1: _compression without fps, bounds, pages or a format_version of at most 1 is not read", 0, 0},
	    {COMPRESSION("") "tracks/0/compressed_track = 2", POSITIONS "\n",
	     "6:1: a compressed track without data is left empty, as in Godot: 2", 0, 0},
	};

	CHECK_CLIPS(cases);
}

/* One compressed position at 10 frames a second: page A has keys at frames 0 and 10, page B one at its start. */
#define PAGE_A(time)                                                                                                   \
	"{\"data\": PackedByteArray(12, 0, 0, 0, 2, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 10, 0, 2, 0, 0, 0, 0, 0, 0, 0, " \
	"0, "                                                                                                          \
	"0, 255, 255, 0, 0, 0, 0), \"time_offset\": " time "}"
#define PAGE_B(time)                                                                                           \
	"{\"data\": PackedByteArray(12, 0, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0), " \
	"\"time_offset\": " time "}"
#define PAGES(pages)                                                                                               \
	"length = 3.0\n_compression = {\"bounds\": [AABB(0, 0, 0, 1, 1, 1)], \"format_version\": 1, \"fps\": 10, " \
	"\"pages\": [" pages "]}\ntracks/0/type = \"position_3d\"\ntracks/0/compressed_track = 0\n"

TEST(compressed_pages, "compressed pages are joined as the engine goes from one to the next")
{
	static const struct godot_clip_case cases[] = {
	    {PAGES(PAGE_A("0.0") ", " PAGE_B("1.0")), POSITIONS " 0=0,0,0 1=1,0,0 1=0,1,0\n", NULL, 0, 0},
	    {PAGES(PAGE_A("0.0") ", " PAGE_B("0.99")), POSITIONS " 0=0,0,0 0.99=0.99,0,0 0.99=0,1,0\n", NULL, 0, 0},
	    {PAGES(PAGE_A("0.0") ", " PAGE_B("0.5")), POSITIONS " 0=0,0,0 0.5=0.5,0,0 0.5=0,1,0\n", NULL, 0, 0},
	    {PAGES(PAGE_A("0.0") ", " PAGE_B("1.5")), POSITIONS " 0=0,0,0 1=1,0,0 1.4999999=1,0,0 1.5=0,1,0\n", NULL, 0,
	     0},
	    {PAGES(PAGE_A("0.0") ", " PAGE_A("1.0")), POSITIONS " 0=0,0,0 1=1,0,0 1=0,0,0 2=1,0,0\n", NULL, 0, 0},
	};

	CHECK_CLIPS(cases);
}
