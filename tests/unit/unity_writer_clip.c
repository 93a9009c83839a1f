/* unity_writer_clip.c: the .anim writer: references, events, the clip's own fields, and what is told, seen as text. */
#include <math.h>
#include <string.h>

#include "base/advice.h"
#include "tap.h"
#include "unity_emit.h"

static const float three_times[] = {0, 0.5f, 1};

#define ENDS "      m_PreInfinity: 2\n      m_PostInfinity: 2\n      m_RotationOrder: 4\n"

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
	CHECK(d.diagnostics.count == 0);
	emit_discard(&d);
	emit_start(&d);
	t = texts(&strings, "m_Sprite", bad, 1, length, start, bytes);
	t.attrs = (struct anim_attrs){attrs, 2};
	emit_track(&d, &t);
	emit_finish(&d);
	CHECK(strstr(d.text, "m_Evil") == NULL && strstr(d.text, "    - time: 0\n      value: {fileID: 0}\n") != NULL);
	CHECKF(strcmp(emit_diagnostic(&d, 0),
		      "track 'A/Box m_Sprite': keys that are not references became {fileID: 0}") == 0,
	       "%s", emit_diagnostic(&d, 0));
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
	CHECKF(strcmp(emit_diagnostic(&d, 0), "track 'A/Box @event': events of other engines are left out (1)") == 0,
	       "%s", emit_diagnostic(&d, 0));
	emit_discard(&d);
}

TEST(unity_writer_left_out, "what Unity has no curve for is left out and told, each by its reason")
{
	static const float values[] = {0, 1};
	static const char *const items[] = {"{}"};
	static const char *const reasons[] = {
	    "track 'A/Box frame': left out, because Unity's clips choose images by references to assets",
	    "track 'A/Box visible': disabled; left out",
	    "track 'A/Box visible': no keys; left out",
	    "track 'A/Box @method': left out: calls or events of another engine",
	    "track 'A/Box text': left out, because Unity cannot animate text",
	    "track '../Box visible': left out, because nodes outside the animation's root have no path in Unity"};
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
		CHECKF(strcmp(emit_diagnostic(&d, i), reasons[i]) == 0, "%s", emit_diagnostic(&d, i));
	CHECK(!d.failed && d.diagnostics.count == 6 &&
	      strstr(d.text, "m_FloatCurves: []\n  m_PPtrCurves: []\n") != NULL);
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
	CHECK(d.diagnostics.count == 1 && d.diagnostics.items[0].count == 2);
	emit_check(&d, "m_FloatCurves: []\n");
	emit_start(&d);
	t.type = ANIM_FLOAT2;
	emit_track(&d, &t);
	CHECK(d.diagnostics.count == 0);
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
	CHECK(strstr(d.text, "  m_WrapMode: 4\n") != NULL && d.diagnostics.count == 0);
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
	CHECKF(strcmp(emit_diagnostic(&d, 0),
		      "clip 'walk': will loop from the start, because Unity's Animator does not support ping-pong") ==
		   0,
	       "%s", emit_diagnostic(&d, 0));
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
	emit_check_error(&d, "track 'A/Box visible' is CubicTime; unity cannot hold it: " ANIM_ADVICE_TO(SAMPLE, "30"));
	emit_start(&d);
	t = emit_make(ANIM_CURVE, ANIM_DOUBLE, "visible", 2, three_times, wide);
	emit_track(&d, &t);
	emit_check_error(&d, "track 'A/Box visible' is double; unity cannot hold it: " ANIM_ADVICE_TO(SAMPLE, "30"));
	emit_start(&d);
	t = emit_make(ANIM_RAW, ANIM_FLOAT, "visible", 2, NULL, values);
	emit_track(&d, &t);
	emit_check_error(&d,
			 "track 'A/Box visible' is of samples; unity cannot hold it: " ANIM_ADVICE_TO(SAMPLE, "30"));
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
	CHECKF(strcmp(emit_diagnostic(&d, 0),
		      "track 'A/./Box visible': same path and property as another track in Unity") == 0,
	       "%s", emit_diagnostic(&d, 0));
	emit_check(&d, "m_IsActive");
	emit_start(&d);
	d.clip.source = "unity";
	emit_track(&d, &t);
	emit_track(&d, &t);
	CHECK(d.diagnostics.count == 0);
	emit_check(&d, "m_IsActive");
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
