/*
 * generate_unity.c: makes the .anim that the bars are measured on, the same bytes each time.
 *   bench_generate_unity BONES KEYS   a clip of rotation and position curves for each bone, at 30 Hz
 * Values are sums of sinusoids, slopes their derivatives; numbers are the shortest float32. Writes to stdout.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "math/elementary.h"

#define TURN 6.283185307179586
#define STEP 1e-4 /* of the differences that slopes are */

static void put(const char *text)
{
	fputs(text, stdout);
}

static void number(double value)
{
	char text[ANIM_NUMBER_MAX];

	fwrite(text, 1, anim_number_print_float(text, (float)value), stdout);
}

static double component_at(unsigned bone, unsigned component, bool rotation, double t)
{
	double angle = 0.9 * anim_sin(TURN * t * (0.2 + 0.01 * bone)) + 0.3 * anim_sin(TURN * t * 0.73 + bone);
	double tilt = 0.5 * anim_sin(TURN * t * 0.11 + 0.3 * bone), half = angle / 2;

	if (!rotation)
		return 0.1 * bone + 0.5 * anim_sin(TURN * t * (0.31 + 0.07 * component) + bone + component);
	if (component == 3)
		return anim_cos(half);
	if (component == 0)
		return anim_sin(half) * anim_cos(tilt);
	return anim_sin(half) * anim_sin(tilt) * (component == 1 ? 0.8 : 0.6);
}

/* A member with a component for each component: the values at t, their slopes, or the weight of keys without one. */
enum member { VALUE, SLOPE, WEIGHT };

static void vector(const char *name, enum member member, unsigned bone, bool rotation, double t)
{
	static const char *const before[] = {"{x: ", ", y: ", ", z: ", ", w: "};

	put("        ");
	put(name);
	put(": ");
	for (unsigned component = 0; component < (rotation ? 4 : 3); component++) {
		put(before[component]);
		if (member == WEIGHT)
			number(1.0f / 3.0f);
		else if (member == VALUE)
			number(component_at(bone, component, rotation, t));
		else
			number((component_at(bone, component, rotation, t + STEP) -
				component_at(bone, component, rotation, t - STEP)) /
			       (2 * STEP));
	}
	put("}\n");
}

static void key(unsigned bone, bool rotation, double t)
{
	put("      - serializedVersion: 3\n        time: ");
	number(t);
	put("\n");
	vector("value", VALUE, bone, rotation, t);
	vector("inSlope", SLOPE, bone, rotation, t);
	vector("outSlope", SLOPE, bone, rotation, t);
	put("        tangentMode: 0\n        weightedMode: 0\n");
	vector("inWeight", WEIGHT, bone, rotation, t);
	vector("outWeight", WEIGHT, bone, rotation, t);
}

static void curves(const char *list, bool rotation, unsigned bones, unsigned keys)
{
	printf("  %s:\n", list);
	for (unsigned bone = 0; bone < bones; bone++) {
		put("  - curve:\n      serializedVersion: 2\n      m_Curve:\n");
		for (unsigned k = 0; k < keys; k++)
			key(bone, rotation, k / 30.0);
		put("      m_PreInfinity: 2\n      m_PostInfinity: 2\n      m_RotationOrder: 4\n");
		printf("    path: Armature/bone%u\n", bone);
	}
}

int main(int argc, char **argv)
{
	unsigned bones, keys;

	if (argc != 3 || (bones = (unsigned)atoi(argv[1])) == 0 || (keys = (unsigned)atoi(argv[2])) == 0) {
		put("usage: bench_generate_unity BONES KEYS\n");
		return 2;
	}
	put("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_ObjectHideFlags: 0\n"
	    "  m_Name: take\n  serializedVersion: 6\n  m_Legacy: 0\n  m_Compressed: 0\n  m_UseHighQualityCurve: 1\n");
	curves("m_RotationCurves", true, bones, keys);
	put("  m_CompressedRotationCurves: []\n  m_EulerCurves: []\n");
	curves("m_PositionCurves", false, bones, keys);
	put("  m_ScaleCurves: []\n  m_FloatCurves: []\n  m_PPtrCurves: []\n  m_SampleRate: 30\n  m_WrapMode: 0\n"
	    "  m_AnimationClipSettings:\n    serializedVersion: 2\n    m_StartTime: 0\n    m_StopTime: ");
	number((keys - 1) / 30.0);
	put("\n    m_LoopTime: 1\n  m_EditorCurves: []\n  m_EulerEditorCurves: []\n  m_Events: []\n");
	return fflush(stdout) != 0 || ferror(stdout);
}
