/* unity_writer.c: the .anim writer: its keyframes and curves, seen as text. */
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

TEST(unity_writer_angle, "one angle of two dimensions turns about z alone, its slopes and weights with it")
{
	static const float values[] = {0, -3.1415927f}, slopes[] = {-6.2831855f, 0}, in[] = {0.25f, 0.5f},
			   out[] = {0.75f, 0.125f};
	static const uint8_t bits[] = {2, 1};
	struct anim_track t = emit_make(ANIM_CURVE, ANIM_FLOAT, "angle", 2, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	t.interp = ANIM_WEIGHTED;
	t.left = t.right = slopes;
	t.left_x = in;
	t.right_x = out;
	t.weighted = bits;
	emit_track(&d, &t);
	emit_check(&d, "  m_EulerCurves:\n  - curve:\n      serializedVersion: 2\n      m_Curve:\n" KEY(
			   "0", "{x: 0, y: 0, z: 0}", "{x: 0, y: 0, z: -360}", "{x: 0, y: 0, z: -360}", "0", "2",
			   "{x: 0.33333334, y: 0.33333334, z: 0.25}", "{x: 0.33333334, y: 0.33333334, z: 0.75}")
			   KEY("0.5", "{x: 0, y: 0, z: -180}", "{x: 0, y: 0, z: 0}", "{x: 0, y: 0, z: 0}", "0", "1",
			       "{x: 0.33333334, y: 0.33333334, z: 0.5}", "{x: 0.33333334, y: 0.33333334, z: 0.125}")
			       ENDS "    path: A/Box\n");
	emit_start(&d);
	t.flags = ANIM_DEGREES;
	emit_track(&d, &t);
	emit_check(&d, "value: {x: 0, y: 0, z: -3.1415927}");
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

TEST(unity_writer_components, "values of several lanes without a list of their own become a curve a lane")
{
	static const float values[] = {0.25f, 0.5f, 0.75f, 1};
	static const struct anim_attr class_id[] = {{"unity.class", "212"}};
	struct anim_track t = emit_make(ANIM_DISCRETE, ANIM_COLOR, "m_Color", 1, three_times, values);
	struct unity_emit d;

	emit_start(&d);
	t.attrs = (struct anim_attrs){class_id, 1};
	emit_track(&d, &t);
	emit_finish(&d);
	CHECK(!d.failed && d.diagnostics.count == 0);
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
	t.pre = ANIM_EXTRAPOLATION_PINGPONG;
	t.post = ANIM_EXTRAPOLATION_LOOP;
	t.attrs = (struct anim_attrs){flags, 2};
	emit_track(&d, &t);
	emit_finish(&d);
	CHECKF(strstr(d.text, "  - serializedVersion: 2\n    curve:\n      serializedVersion: 2\n") != NULL, "%s",
	       d.text);
	CHECK(strstr(d.text, "      m_PreInfinity: 0\n      m_PostInfinity: 1\n") != NULL);
	CHECK(strstr(d.text, "    classID: 20\n    script: {fileID: 0}\n    flags: 2\n  m_PPtrCurves: []\n") != NULL);
	emit_discard(&d);
}
