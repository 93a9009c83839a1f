/* unity_writer.c: the .anim writer: its keyframes, lists and fields, seen as text. */
#include <math.h>
#include <string.h>

#include "tap.h"
#include "unity_emit.h"

static const float three_times[] = {0, 0.5f, 1};

#define KEY(time, value, in, out, tangents, weighted, in_weight, out_weight)                                   \
	"      - serializedVersion: 3\n        time: " time "\n        value: " value "\n        inSlope: " in \
	"\n        outSlope: " out "\n        tangentMode: " tangents "\n        weightedMode: " weighted      \
	"\n        inWeight: " in_weight "\n        outWeight: " out_weight "\n"
#define THIRD "0.33333334"
#define PLAIN(time, value, in, out, tangents) KEY(time, value, in, out, tangents, "0", THIRD, THIRD)
#define THIRDS "{x: 0.33333334, y: 0.33333334, z: 0.33333334}"
#define VECTOR(time, value, in, out) KEY(time, value, in, out, "0", "0", THIRDS, THIRDS)
#define ENDS "      m_PreInfinity: 2\n      m_PostInfinity: 2\n      m_RotationOrder: 4\n"

TEST(unity_writer_modes, "a step is two infinite slopes, a line its own slope on both sides, each side for its segment")
{
	static const float values[] = {1, 3, 2};
	static const uint8_t modes[] = {ANIM_HOLD, ANIM_LINEAR, ANIM_LINEAR};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT, "visible", 3, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	t.interp = ANIM_INTERP_COLUMN;
	t.interps = modes;
	emit_track(&d, &t);
	emit_check(&d, "m_FloatCurves:\n  - curve:\n      serializedVersion: 2\n      m_Curve:\n" PLAIN(
			   "0", "1", "Infinity", "Infinity", "103") PLAIN("0.5", "3", "Infinity", "-2", "71")
			   PLAIN("1", "2", "-2", "-2", "69") ENDS "    attribute: m_IsActive\n    path: A/Box\n"
								  "    classID: 1\n    script: {fileID: 0}\n");
}

TEST(unity_writer_steps, "all keys of a Discrete track are constant on both sides, one key too")
{
	static const float values[] = {1, 0};
	struct anim_track t = emit_make(ANIM_DISCRETE, ANIM_FLOAT, "visible", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	emit_track(&d, &t);
	emit_check(&d, PLAIN("0", "1", "Infinity", "Infinity", "103") PLAIN("0.5", "0", "Infinity", "Infinity", "103"));
	emit_start(&d);
	t.n = 1;
	emit_track(&d, &t);
	emit_check(&d, "m_Curve:\n" PLAIN("0", "1", "Infinity", "Infinity", "103") ENDS);
}

TEST(unity_writer_equal_times, "two keys at one time make a step, not a slope of nothing over nothing")
{
	static const float times[] = {0, 0, 1}, values[] = {2, 2, 3};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT, "blend_shape/a", 3, times, values);
	struct unity_emit d;

	emit_start(&d);
	t.flags = ANIM_PERCENT;
	emit_track(&d, &t);
	emit_check(&d, PLAIN("0", "2", "Infinity", "Infinity", "69") PLAIN("0", "2", "Infinity", "1", "69")
			   PLAIN("1", "3", "1", "1", "69"));
}

TEST(unity_writer_steep, "a slope too large for a float stays a slope")
{
	static const float times[] = {0, 1e-40f}, values[] = {0, -1};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT, "visible", 2, times, values);
	struct unity_emit d;

	emit_start(&d);
	emit_track(&d, &t);
	emit_check(&d, PLAIN("0", "0", "-3.4028235e+38", "-3.4028235e+38", "69"));
}

TEST(unity_writer_hermite, "slopes, weights, their bits and the editor's notes are written as they are")
{
	static const float values[] = {1, 1}, left[] = {INFINITY, 35.946526f}, right[] = {-117.86376f, -INFINITY};
	static const float left_x[] = {0, 0.33084863f}, right_x[] = {0.06708715f, 0};
	static const uint8_t bits[] = {2, 1};
	static const uint32_t hints[] = {7, 97};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT, "visible", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	t.rules = ANIM_RULES_UNITY;
	t.interp = ANIM_WEIGHTED;
	t.left = left;
	t.right = right;
	t.left_x = left_x;
	t.right_x = right_x;
	t.weighted = bits;
	t.hint = hints;
	emit_track(&d, &t);
	emit_check(&d, KEY("0", "1", "Infinity", "-117.86376", "7", "2", "0", "0.06708715")
			   KEY("0.5", "1", "35.946526", "-Infinity", "97", "1", "0.33084863", "0"));
	emit_start(&d);
	t.interp = ANIM_HERMITE;
	t.left_x = t.right_x = NULL;
	t.weighted = NULL;
	t.hint = NULL;
	emit_track(&d, &t);
	emit_check(&d, PLAIN("0", "1", "Infinity", "-117.86376", "0") PLAIN("0.5", "1", "35.946526", "-Infinity", "0"));
}

TEST(unity_writer_mixed_weights, "a weighted side beside a Hermite segment keeps its weight, the other is a third")
{
	static const float values[] = {0, 1, 2}, slopes[] = {1, 2, 3}, in[] = {0.1f, 0.2f, 0.3f},
			   out[] = {0.4f, 0.5f, 0.6f};
	static const uint8_t bits[] = {3, 3, 3}, modes[] = {ANIM_WEIGHTED, ANIM_HERMITE, ANIM_HERMITE};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT, "visible", 3, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	t.interp = ANIM_INTERP_COLUMN;
	t.interps = modes;
	t.left = t.right = slopes;
	t.left_x = in;
	t.right_x = out;
	t.weighted = bits;
	emit_track(&d, &t);
	emit_check(&d, KEY("0", "0", "1", "1", "0", "3", "0.1", "0.4") KEY("0.5", "1", "2", "2", "0", "1", "0.2", THIRD)
			   PLAIN("1", "2", "3", "3", "0"));
}

#define QUAT_THIRDS "{x: 0.33333334, y: 0.33333334, z: 0.33333334, w: 0.33333334}"
#define QUAT(time, value, slope) KEY(time, value, slope, slope, "0", "0", QUAT_THIRDS, QUAT_THIRDS)

TEST(unity_writer_signs, "neighbouring quaternions agree in sign, but Unity's own and Resonite's go the way they say")
{
	static const float values[] = {0, 0, 0, 1, 0, 0, -0.5f, -0.875f};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOATQ, "rotation", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	emit_track(&d, &t);
	emit_check(&d, "  m_RotationCurves:\n  - curve:\n      serializedVersion: 2\n      m_Curve:\n" QUAT(
			   "0", "{x: 0, y: 0, z: 0, w: 1}", "{x: 0, y: 0, z: 1, w: -0.25}")
			   QUAT("0.5", "{x: 0, y: 0, z: 0.5, w: 0.875}", "{x: 0, y: 0, z: 1, w: -0.25}") ENDS
		   "    path: A/Box\n  m_CompressedRotationCurves: []\n");
	emit_start(&d);
	t.rules = ANIM_RULES_UNITY;
	emit_track(&d, &t);
	emit_check(&d, QUAT("0.5", "{x: 0, y: 0, z: -0.5, w: -0.875}", "{x: 0, y: 0, z: -1, w: -3.75}"));
}

TEST(unity_writer_euler, "angles in radians become degrees, and the order of turns Unity's number")
{
	static const float values[] = {0, 0, 0, 0, 3.1415927f, -0.7853982f};
	static const struct anim_attr order[] = {{"order", "ZYX"}};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT3, "euler", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	t.attrs = (struct anim_attrs){order, 1};
	emit_track(&d, &t);
	emit_check(&d, "  m_EulerCurves:\n  - curve:\n      serializedVersion: 2\n      m_Curve:\n" VECTOR(
			   "0", "{x: 0, y: 0, z: 0}", "{x: 0, y: 360, z: -90}", "{x: 0, y: 360, z: -90}")
			   VECTOR("0.5", "{x: 0, y: 180, z: -45}", "{x: 0, y: 360, z: -90}",
				  "{x: 0, y: 360, z: -90}") "      m_PreInfinity: 2\n      m_PostInfinity: 2\n      "
							    "m_RotationOrder: 0\n");
	emit_start(&d);
	t.flags = ANIM_DEGREES;
	t.attrs.count = 0;
	emit_track(&d, &t);
	emit_check(&d, "value: {x: 0, y: 3.1415927, z: -0.7853982}");
}

TEST(unity_writer_blend_shape, "a blend shape that is a fraction becomes percent, one in percent stays")
{
	static const float values[] = {0, 0.55f};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT, "blend_shape/Smile: é", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	emit_track(&d, &t);
	emit_check(&d, PLAIN("0.5", "55", "110", "110", "69") ENDS
		   "    attribute: \"blendShape.Smile: \\xE9\"\n    path: A/Box\n    classID: 137\n");
	emit_start(&d);
	t.flags = ANIM_PERCENT;
	emit_track(&d, &t);
	emit_check(&d, PLAIN("0.5", "0.55", "1.1", "1.1", "69"));
}

TEST(unity_writer_lanes, "values of several lanes without a list of their own become a curve a lane")
{
	static const float values[] = {0.25f, 0.5f, 0.75f, 1};
	static const struct anim_attr class_id[] = {{"unity.class", "212"}};
	struct anim_track t = emit_make(ANIM_DISCRETE, ANIM_COLOR, "m_Color", 1, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	t.attrs = (struct anim_attrs){class_id, 1};
	emit_track(&d, &t);
	emit_finish(&d);
	CHECK(!d.failed && d.losses.count == 0);
	CHECK(strstr(d.text, "value: 0.25\n") != NULL && strstr(d.text, "attribute: m_Color.r\n") != NULL);
	CHECK(strstr(d.text, "value: 0.5\n") != NULL && strstr(d.text, "attribute: m_Color.g\n") != NULL);
	CHECK(strstr(d.text, "value: 0.75\n") != NULL && strstr(d.text, "attribute: m_Color.b\n") != NULL);
	CHECKF(strstr(d.text, "value: 1\n") != NULL && strstr(d.text, "attribute: m_Color.a\n    path: A/Box\n"
								      "    classID: 212\n") != NULL,
	       "%s", d.text);
	emit_discard(&d);
}

TEST(unity_writer_component, "a lane that stands alone is a curve of the Transform")
{
	static const float values[] = {0, 1.5707964f};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT, "euler", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	t.component = 1;
	emit_track(&d, &t);
	emit_check(&d, PLAIN("0.5", "90", "180", "180", "69") ENDS
		   "    attribute: localEulerAnglesRaw.y\n    path: A/Box\n    classID: 4\n    script: {fileID: 0}\n");
}

TEST(unity_writer_ends,
     "repeated and swinging ends are Unity's numbers; flags that a file had are kept with their version")
{
	static const float values[] = {0, 1};
	static const struct anim_attr flags[] = {{"unity.class", "20"}, {"unity.flags", "2"}};
	struct anim_track t = emit_make(ANIM_DISCRETE, ANIM_FLOAT, "field of view", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	t.before = ANIM_ENDS_PINGPONG;
	t.after = ANIM_ENDS_LOOP;
	t.attrs = (struct anim_attrs){flags, 2};
	emit_track(&d, &t);
	emit_finish(&d);
	CHECKF(strstr(d.text, "  - serializedVersion: 2\n    curve:\n      serializedVersion: 2\n") != NULL, "%s",
	       d.text);
	CHECK(strstr(d.text, "      m_PreInfinity: 0\n      m_PostInfinity: 1\n") != NULL);
	CHECK(strstr(d.text, "    classID: 20\n    script: {fileID: 0}\n    flags: 2\n  m_PPtrCurves: []\n") != NULL);
	emit_discard(&d);
}

static struct anim_track texts(struct anim_strings *strings, const char *property, const char *const *items, size_t n,
			       uint32_t length[], uint64_t start[], char *bytes)
{
	struct anim_track t = emit_make(ANIM_DISCRETE, ANIM_STRING, property, n, three_times, NULL);
	uint64_t size = 0;

	for (size_t i = 0; i < n; i++) {
		length[i] = items[i] == NULL ? ANIM_NULL_STRING : (uint32_t)strlen(items[i]);
		start[i] = size;
		if (items[i] != NULL)
			memcpy(bytes + size, items[i], length[i]);
		size += items[i] == NULL ? 0 : length[i];
	}
	*strings = (struct anim_strings){length, start, bytes, size};
	t.strings = strings;
	return t;
}

TEST(unity_writer_references, "PPtr keys keep Unity's members only, each reference is mapped once, nonsense is told")
{
	static const char *const items[] = {
	    "{fileID: 21300000, guid: 0123456789abcdef0123456789abcdef, type: 3, path: \"A/b.png\"}", NULL,
	    "{fileID: 21300000, guid: 0123456789abcdef0123456789abcdef, type: 3}"};
	static const char *const bad[] = {"{fileID: 1\n  m_Evil: 1}"};
	static const struct anim_attr attrs[] = {{"literal", "PPtr"}, {"unity.class", "212"}};
	struct anim_strings strings;
	uint32_t length[3];
	uint64_t start[3];
	char bytes[512];
	struct anim_track t = texts(&strings, "m_Sprite", items, 3, length, start, bytes);
	struct unity_emit d;

	emit_start(&d);
	t.attrs = (struct anim_attrs){attrs, 2};
	emit_track(&d, &t);
	emit_finish(&d);
	CHECKF(strstr(d.text,
		      "  m_PPtrCurves:\n  - curve:\n    - time: 0\n"
		      "      value: {fileID: 21300000, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
		      "    - time: 0.5\n      value: {fileID: 0}\n    - time: 1\n"
		      "      value: {fileID: 21300000, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
		      "    attribute: m_Sprite\n    path: A/Box\n    classID: 212\n    script: {fileID: 0}\n") != NULL,
	       "%s", d.text);
	CHECK(strstr(d.text, "    genericBindings: []\n    pptrCurveMapping:\n"
			     "    - {fileID: 21300000, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
			     "    - {fileID: 0}\n  m_AnimationClipSettings:\n") != NULL);
	CHECK(d.losses.count == 0);
	emit_discard(&d);
	emit_start(&d);
	t = texts(&strings, "m_Sprite", bad, 1, length, start, bytes);
	t.attrs = (struct anim_attrs){attrs, 2};
	emit_track(&d, &t);
	emit_finish(&d);
	CHECK(strstr(d.text, "m_Evil") == NULL && strstr(d.text, "    - time: 0\n      value: {fileID: 0}\n") != NULL);
	CHECKF(strcmp(emit_loss(&d, 0),
		      "track 'A/Box m_Sprite' has keys that are no references; they became {fileID: 0}") == 0,
	       "%s", emit_loss(&d, 0));
	emit_discard(&d);
}

TEST(unity_writer_events, "events of several tracks come by time; what is no event of Unity's is told")
{
	static const char *const steps[] = {"{\"functionName\":\"Step\",\"data\":\"a: b\",\"floatParameter\":0.5,"
					    "\"objectReferenceParameter\":{\"fileID\":11400000,"
					    "\"guid\":\"0123456789abcdef0123456789abcdef\",\"type\":2}}",
					    "{\"functionName\":\"Last\"}", "no event"};
	static const char *const late[] = {"{\"functionName\":\"\",\"intParameter\":-3,\"messageOptions\":1}"};
	struct anim_strings strings;
	uint32_t length[3];
	uint64_t start[3];
	char bytes[512];
	struct anim_track t = texts(&strings, "@event", steps, 3, length, start, bytes);
	static const float quarter = 0.25f;
	struct unity_emit d;

	emit_start(&d);
	emit_track(&d, &t);
	t = texts(&strings, "@event", late, 1, length, start, bytes);
	t.time = &quarter;
	emit_track(&d, &t);
	emit_finish(&d);
	CHECKF(strstr(d.text,
		      "  m_Events:\n  - time: 0\n    functionName: Step\n    data: 'a: b'\n"
		      "    objectReferenceParameter: {fileID: 11400000, guid: 0123456789abcdef0123456789abcdef, "
		      "type: 2}\n    floatParameter: 0.5\n    intParameter: 0\n    messageOptions: 0\n"
		      "  - time: 0.25\n    functionName: \n    data: \n"
		      "    objectReferenceParameter: {fileID: 0}\n    floatParameter: 0\n    intParameter: -3\n"
		      "    messageOptions: 1\n  - time: 0.5\n    functionName: Last\n") != NULL,
	       "%s", d.text);
	CHECKF(strcmp(emit_loss(&d, 0), "track 'A/Box @event' has 1 events that are not Unity's and are left out") == 0,
	       "%s", emit_loss(&d, 0));
	emit_discard(&d);
}

TEST(unity_writer_left_out, "what Unity has no curve for is left out and told, each by its reason")
{
	static const float values[] = {0, 1};
	static const char *const items[] = {"{}"};
	static const char *const reasons[] = {
	    "track 'A/Box frame' drives a property that Unity does not have and is left out",
	    "track 'A/Box visible' is disabled and left out",
	    "track 'A/Box visible' has no keys and is left out",
	    "track 'A/Box @method' is of another engine's calls or events and left out",
	    "track 'A/Box text' is of text, which Unity cannot animate, and left out",
	    ("track '../Box visible' is of a node beside the animation's root, which no path of Unity's reaches, and "
	     "left out")};
	struct anim_strings strings;
	uint32_t length[1];
	uint64_t start[1];
	char bytes[8];
	struct anim_track t[6];
	struct unity_emit d;

	for (size_t i = 0; i < 6; i++)
		t[i] = emit_make(ANIM_DISCRETE, ANIM_FLOAT, i == 0 ? "frame" : "visible", 2, three_times, values);
	t[1].flags = ANIM_DISABLED;
	t[2].n = 0;
	t[3] = texts(&strings, "@method", items, 1, length, start, bytes);
	t[4] = texts(&strings, "text", items, 1, length, start, bytes);
	t[5].node = "../Box";
	emit_start(&d);
	for (size_t i = 0; i < 6; i++)
		emit_track(&d, &t[i]);
	emit_finish(&d);
	for (size_t i = 0; i < 6; i++)
		CHECKF(strcmp(emit_loss(&d, i), reasons[i]) == 0, "%s", emit_loss(&d, i));
	CHECK(!d.failed && d.losses.count == 6 && strstr(d.text, "m_FloatCurves: []\n  m_PPtrCurves: []\n") != NULL);
	emit_discard(&d);
}

TEST(unity_writer_odd_types, "a position of four lanes or of one is none of Unity's")
{
	static const float values[] = {0, 1, 2, 3, 4, 5, 6, 7};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT4, "position", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	emit_track(&d, &t);
	t.type = ANIM_FLOAT;
	emit_track(&d, &t);
	CHECK(d.losses.count == 1 && d.losses.items[0].count == 2);
	emit_check(&d, "m_FloatCurves: []\n");
	emit_start(&d);
	t.type = ANIM_FLOAT2;
	emit_track(&d, &t);
	CHECK(d.losses.count == 0);
	emit_check(&d, "    attribute: m_LocalPosition.y\n");
}

TEST(unity_writer_empty, "a curve of Unity's without keys stays one")
{
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT3, "position", 0, three_times, three_times);
	struct unity_emit d;

	emit_start(&d);
	t.rules = ANIM_RULES_UNITY;
	t.node = ".";
	emit_track(&d, &t);
	emit_check(&d, "  m_PositionCurves:\n  - curve:\n      serializedVersion: 2\n      m_Curve: []\n" ENDS
		       "    path: \n  m_ScaleCurves: []\n");
}

TEST(unity_writer_guess, "properties of Godot's lights and cameras get Unity's names where the tree knows the node")
{
	static const float values[] = {1, 2};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT, "light_energy", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	emit_node(&d, ANIM_NODE, ANIM_NO_PARENT, ".", "Node3D");
	emit_node(&d, ANIM_NODE, 0, "A", "Node3D");
	emit_node(&d, ANIM_NODE_LIGHT, 1, "A/Box", "OmniLight3D");
	emit_track(&d, &t);
	CHECK(d.losses.count == 0);
	emit_check(&d, "    attribute: m_Intensity\n    path: A/Box\n    classID: 108\n");
	emit_start(&d);
	emit_track(&d, &t);
	CHECK(d.losses.count == 1);
	emit_check(&d, "m_FloatCurves: []\n");
}

TEST(unity_writer_bindings, "known curves have their row in the table, and one unknown curve leaves it to the editor")
{
	static const float values[] = {0, 0, 0, 0, 0, 0};
	static const struct anim_attr class_id[] = {{"unity.class", "108"}};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT3, "position", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	t.node = "Cube (2)";
	emit_track(&d, &t);
	t = emit_make(ANIM_DISCRETE, ANIM_FLOAT, "visible", 2, three_times, values);
	t.node = "Body";
	emit_track(&d, &t);
	t.property = "blend_shape/blendShape1.MTH_A";
	emit_track(&d, &t);
	t = emit_make(ANIM_CURVE, ANIM_FLOAT3, "euler", 2, three_times, values);
	t.node = ".";
	emit_track(&d, &t);
#define ROW(path, attribute, type, custom)                                              \
	"    - serializedVersion: 2\n      path: " path "\n      attribute: " attribute \
	"\n      script: {fileID: 0}\n      typeID: " type "\n      customType: " custom "\n      isPPtrCurve: 0\n"
	emit_finish(&d);
	CHECKF(strstr(d.text, "    genericBindings:\n" ROW("1361102844", "1", "4", "0")
				  ROW("2073732236", "2086281974", "1", "0") ROW("2073732236", "1783637695", "137", "20")
				      ROW("0", "4", "4", "4") "    pptrCurveMapping: []\n") != NULL,
	       "%s", d.text);
	CHECK(strstr(d.text, "  m_HasGenericRootTransform: 1\n") != NULL);
	emit_discard(&d);
	emit_start(&d);
	t = emit_make(ANIM_DISCRETE, ANIM_FLOAT, "visible", 2, three_times, values);
	emit_track(&d, &t);
	t.property = "m_Intensity";
	t.attrs = (struct anim_attrs){class_id, 1};
	emit_track(&d, &t);
	emit_check(&d, "    genericBindings: []\n    pptrCurveMapping: []\n");
}

TEST(unity_writer_clip,
     "start, stop, loop and rate are the clip's; what was kept of Unity's fields stands in its place")
{
	static const struct anim_attr attrs[] = {{"unity.m_AnimationClipSettings.m_CycleOffset", "0.25"},
						 {"unity.m_AnimationClipSettings.m_Foo", "{a: 1}"},
						 {"unity.m_Bounds.m_Extent", "{x: 1, y: 2, z: 3}"},
						 {"unity.m_New.a", "1"},
						 {"unity.m_New.b.c", "x: y"},
						 {"unity.m_ObjectHideFlags", "2"},
						 {"unity.m_RotationCurves", "3"},
						 {"unity.x\n  y", "3"}};
	struct unity_emit d;

	emit_start(&d);
	d.clip = (struct anim_clip){.start_s = 0.5f,
				    .end_s = 1.25f,
				    .loop = ANIM_LOOP_WRAP,
				    .axes = ANIM_AXES_UNITY,
				    .rate_num = 30000,
				    .rate_den = 1001,
				    .name = "- walk",
				    .root = ".",
				    .source = "unity",
				    .attrs = {attrs, sizeof attrs / sizeof *attrs}};
	emit_finish(&d);
	CHECKF(strstr(d.text, "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n"
			      "  m_ObjectHideFlags: 2\n  m_CorrespondingSourceObject: {fileID: 0}\n") == d.text,
	       "%s", d.text);
	CHECK(strstr(d.text, "  m_PrefabAsset: {fileID: 0}\n  m_Name: '- walk'\n  serializedVersion: 6\n  m_Legacy: 0\n"
			     "  m_Compressed: 0\n  m_UseHighQualityCurve: 1\n  m_RotationCurves: []\n") != NULL);
	CHECK(strstr(d.text,
		     "  m_SampleRate: 29.97003\n  m_WrapMode: 0\n  m_Bounds:\n    m_Center: {x: 0, y: 0, z: 0}\n"
		     "    m_Extent: {x: 1, y: 2, z: 3}\n  m_ClipBindingConstant:\n") != NULL);
	CHECK(strstr(d.text, "    m_StartTime: 0.5\n    m_StopTime: 1.25\n") != NULL);
	CHECK(strstr(d.text, "    m_CycleOffset: 0.25\n    m_HasAdditiveReferencePose: 0\n    m_LoopTime: 1\n") !=
	      NULL);
	CHECK(strstr(d.text, "    m_Mirror: 0\n    m_Foo: {a: 1}\n  m_EditorCurves: []\n") != NULL);
	CHECK(strstr(d.text,
		     "  m_HasMotionFloatCurves: 0\n  m_New:\n    a: 1\n    b:\n      c: 'x: y'\n  m_Events: []\n") !=
	      NULL);
	CHECK(strstr(d.text, "m_RotationCurves: 3") == NULL && strstr(d.text, "  y: 3") == NULL);
	emit_discard(&d);
}

TEST(unity_writer_legacy, "a legacy clip wraps by its mode, kept where it still says so, and keeps its settings")
{
	static const struct anim_attr attrs[] = {
	    {"unity.m_AnimationClipSettings.m_StopTime", "7"}, {"unity.m_Legacy", "1"}, {"unity.m_WrapMode", "8"}};
	struct unity_emit d;

	emit_start(&d);
	d.clip.source = "unity";
	d.clip.attrs = (struct anim_attrs){attrs, 3};
	emit_finish(&d);
	CHECK(strstr(d.text, "  m_Legacy: 1\n") != NULL &&
	      strstr(d.text, "  m_SampleRate: 60\n  m_WrapMode: 8\n") != NULL);
	CHECKF(strstr(d.text, "    m_StopTime: 7\n") != NULL, "%s", d.text);
	emit_discard(&d);
	emit_start(&d);
	d.clip.loop = ANIM_LOOP_PINGPONG;
	d.clip.attrs = (struct anim_attrs){attrs, 3};
	emit_finish(&d);
	CHECK(strstr(d.text, "  m_WrapMode: 4\n") != NULL && d.losses.count == 0);
	emit_discard(&d);
	emit_start(&d);
	d.clip.loop = ANIM_LOOP_WRAP;
	d.clip.attrs = (struct anim_attrs){attrs, 3};
	emit_finish(&d);
	CHECK(strstr(d.text, "  m_WrapMode: 2\n") != NULL);
	emit_discard(&d);
	emit_start(&d);
	d.clip.loop = ANIM_LOOP_PINGPONG;
	emit_finish(&d);
	CHECK(strstr(d.text, "  m_WrapMode: 4\n") != NULL && strstr(d.text, "    m_LoopTime: 1\n") != NULL);
	CHECKF(strcmp(emit_loss(&d, 0), "unity's Animator plays no ping-pong: 'walk' will loop from its start") == 0,
	       "%s", emit_loss(&d, 0));
	emit_discard(&d);
}

TEST(unity_writer_compressed, "m_Compressed is not said of rotations that are not packed")
{
	static const float values[] = {0, 0, 0, 1};
	static const struct anim_attr attrs[] = {{"unity.m_Compressed", "1"}};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOATQ, "rotation", 1, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	d.clip.attrs = (struct anim_attrs){attrs, 1};
	emit_check(&d, "  m_Compressed: 1\n");
	emit_start(&d);
	d.clip.attrs = (struct anim_attrs){attrs, 1};
	emit_track(&d, &t);
	emit_check(&d, "  m_Compressed: 0\n");
}

TEST(unity_writer_refusals, "what convert should have changed is refused, and so is a second clip")
{
	static const float values[] = {0, 1};
	static const double wide[] = {0, 1};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT, "visible", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	t.interp = ANIM_CUBIC_TIME;
	emit_track(&d, &t);
	emit_check_error(
	    &d, "track 'A/Box visible' is CubicTime; unity cannot hold it: put 'anim-resample 30' before this");
	emit_start(&d);
	t = emit_make(ANIM_CURVE, ANIM_DOUBLE, "visible", 2, three_times, wide);
	emit_track(&d, &t);
	emit_check_error(&d,
			 "track 'A/Box visible' is double; unity cannot hold it: put 'anim-resample 30' before this");
	emit_start(&d);
	t = emit_make(ANIM_RAW, ANIM_FLOAT, "visible", 2, NULL, values);
	emit_track(&d, &t);
	emit_check_error(
	    &d, "track 'A/Box visible' is of samples; unity cannot hold it: put 'anim-resample 30' before this");
	emit_start(&d);
	emit_node(&d, ANIM_NODE, ANIM_NO_PARENT, ".", "");
	d.in_clip = true;
	CHECK(anim_sink_clip(d.sink, &d.clip, &d.error) == 0 && anim_sink_clip(d.sink, &d.clip, &d.error) != 0);
	d.failed = true;
	emit_check_error(&d, "unity's .anim holds one clip; 'walk' is a second one");
}

TEST(unity_writer_doubles, "two tracks that end in one curve are told of, but not Unity's own")
{
	static const float values[] = {0, 1};
	struct anim_track t = emit_make(ANIM_DISCRETE, ANIM_FLOAT, "visible", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	emit_track(&d, &t);
	t.node = "A/./Box";
	emit_track(&d, &t);
	CHECKF(strcmp(emit_loss(&d, 0),
		      "track 'A/./Box visible' has the path and property of another track in Unity") == 0,
	       "%s", emit_loss(&d, 0));
	emit_check(&d, "m_IsActive");
	emit_start(&d);
	d.clip.source = "unity";
	emit_track(&d, &t);
	emit_track(&d, &t);
	CHECK(d.losses.count == 0);
	emit_check(&d, "m_IsActive");
}

TEST(unity_writer_axes, "tracks in other axes are told of, those without a direction are not")
{
	static const float values[] = {0, 1, 2, 3, 4, 5};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT3, "position", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	d.clip.axes = ANIM_AXES_GODOT;
	emit_track(&d, &t);
	t.property = "scale";
	emit_track(&d, &t);
	CHECK(d.losses.count == 1 && d.losses.items[0].count == 1);
	CHECKF(strcmp(emit_loss(&d, 0),
		      "track 'A/Box position' is in godot axes, unity plays in unity axes: put 'anim-axes "
		      "unity' before this, or --axes keep") == 0,
	       "%s", emit_loss(&d, 0));
	emit_check(&d, "m_PositionCurves:\n");
	emit_start(&d);
	d.clip.axes = ANIM_AXES_RESONITE;
	t.property = "position";
	emit_track(&d, &t);
	CHECK(d.losses.count == 0);
	emit_check(&d, "m_PositionCurves:\n");
	emit_start(&d);
	d.clip.axes = ANIM_AXES_GLTF;
	d.options.axes_keep = true;
	emit_track(&d, &t);
	CHECK(d.losses.count == 0);
	emit_check(&d, "m_PositionCurves:\n");
}

TEST(unity_writer_guid, "a guid is FNV-1a of 128 bits over the file's name, a zero byte and the clip's")
{
	char guid[ANIM_UNITY_GUID], other[ANIM_UNITY_GUID];

	anim_unity_guid("", "", guid);
	/* One zero byte: the offset basis times the prime. */
	CHECKF(strcmp(guid, "d228cb69101a8caf78912b704e4a147f") == 0, "%s", guid);
	anim_unity_guid("walk.anim", "walk", guid);
	CHECKF(strcmp(guid, "0c58d36d5d03c9c82d06ee45894225fc") == 0, "%s", guid);
	anim_unity_guid("a", "b", guid);
	anim_unity_guid("a", "c", other);
	CHECK(strcmp(guid, other) != 0 && anim_unity_guid_is(guid));
	CHECK(!anim_unity_guid_is("0123") && !anim_unity_guid_is("0123456789abcdef0123456789abcdeg") &&
	      !anim_unity_guid_is("0123456789abcdef0123456789abcdef0") &&
	      anim_unity_guid_is("0123456789ABCDEF0123456789abcdef"));
}
