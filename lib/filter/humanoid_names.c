/* humanoid_names.c: what the bones of a human are called by Unity, Godot, Mixamo and VRM. */
#include "filter/humanoid_names.h"

#include <stdbool.h>
#include <string.h>

const char *const anim_humanoid_names[] = {"unity", "godot", "mixamo", "vrm", "vrm0", NULL};

#define PREFIX "mixamorig"

/*
 * In the order of enum anim_humanoid. From HumanBodyBones (Unity), SkeletonProfileHumanoid (Godot 4), the skeleton of
 * mixamo.com, and the bone names of VRMC_vrm 1.0 and of VRM 0.x. Unity and VRM 0.x call the first bone of the thumb
 * proximal, the other two metacarpal, as anatomy does. Mixamo's three bones of the spine are taken from below.
 */
static const char *const bones[][ANIM_HUMANOID_COUNT] = {
    {"Hips", "Hips", "mixamorig:Hips", "hips", "hips"},
    {"Spine", "Spine", "mixamorig:Spine", "spine", "spine"},
    {"Chest", "Chest", "mixamorig:Spine1", "chest", "chest"},
    {"UpperChest", "UpperChest", "mixamorig:Spine2", "upperChest", "upperChest"},
    {"Neck", "Neck", "mixamorig:Neck", "neck", "neck"},
    {"Head", "Head", "mixamorig:Head", "head", "head"},
    {"Jaw", "Jaw", NULL, "jaw", "jaw"},
    {"LeftEye", "LeftEye", "mixamorig:LeftEye", "leftEye", "leftEye"},
    {"LeftShoulder", "LeftShoulder", "mixamorig:LeftShoulder", "leftShoulder", "leftShoulder"},
    {"LeftUpperArm", "LeftUpperArm", "mixamorig:LeftArm", "leftUpperArm", "leftUpperArm"},
    {"LeftLowerArm", "LeftLowerArm", "mixamorig:LeftForeArm", "leftLowerArm", "leftLowerArm"},
    {"LeftHand", "LeftHand", "mixamorig:LeftHand", "leftHand", "leftHand"},
    {"LeftUpperLeg", "LeftUpperLeg", "mixamorig:LeftUpLeg", "leftUpperLeg", "leftUpperLeg"},
    {"LeftLowerLeg", "LeftLowerLeg", "mixamorig:LeftLeg", "leftLowerLeg", "leftLowerLeg"},
    {"LeftFoot", "LeftFoot", "mixamorig:LeftFoot", "leftFoot", "leftFoot"},
    {"LeftToes", "LeftToes", "mixamorig:LeftToeBase", "leftToes", "leftToes"},
    {"LeftThumbProximal", "LeftThumbMetacarpal", "mixamorig:LeftHandThumb1", "leftThumbMetacarpal",
     "leftThumbProximal"},
    {"LeftThumbIntermediate", "LeftThumbProximal", "mixamorig:LeftHandThumb2", "leftThumbProximal",
     "leftThumbIntermediate"},
    {"LeftThumbDistal", "LeftThumbDistal", "mixamorig:LeftHandThumb3", "leftThumbDistal", "leftThumbDistal"},
    {"LeftIndexProximal", "LeftIndexProximal", "mixamorig:LeftHandIndex1", "leftIndexProximal", "leftIndexProximal"},
    {"LeftIndexIntermediate", "LeftIndexIntermediate", "mixamorig:LeftHandIndex2", "leftIndexIntermediate",
     "leftIndexIntermediate"},
    {"LeftIndexDistal", "LeftIndexDistal", "mixamorig:LeftHandIndex3", "leftIndexDistal", "leftIndexDistal"},
    {"LeftMiddleProximal", "LeftMiddleProximal", "mixamorig:LeftHandMiddle1", "leftMiddleProximal",
     "leftMiddleProximal"},
    {"LeftMiddleIntermediate", "LeftMiddleIntermediate", "mixamorig:LeftHandMiddle2", "leftMiddleIntermediate",
     "leftMiddleIntermediate"},
    {"LeftMiddleDistal", "LeftMiddleDistal", "mixamorig:LeftHandMiddle3", "leftMiddleDistal", "leftMiddleDistal"},
    {"LeftRingProximal", "LeftRingProximal", "mixamorig:LeftHandRing1", "leftRingProximal", "leftRingProximal"},
    {"LeftRingIntermediate", "LeftRingIntermediate", "mixamorig:LeftHandRing2", "leftRingIntermediate",
     "leftRingIntermediate"},
    {"LeftRingDistal", "LeftRingDistal", "mixamorig:LeftHandRing3", "leftRingDistal", "leftRingDistal"},
    {"LeftLittleProximal", "LeftLittleProximal", "mixamorig:LeftHandPinky1", "leftLittleProximal",
     "leftLittleProximal"},
    {"LeftLittleIntermediate", "LeftLittleIntermediate", "mixamorig:LeftHandPinky2", "leftLittleIntermediate",
     "leftLittleIntermediate"},
    {"LeftLittleDistal", "LeftLittleDistal", "mixamorig:LeftHandPinky3", "leftLittleDistal", "leftLittleDistal"},
    {"RightEye", "RightEye", "mixamorig:RightEye", "rightEye", "rightEye"},
    {"RightShoulder", "RightShoulder", "mixamorig:RightShoulder", "rightShoulder", "rightShoulder"},
    {"RightUpperArm", "RightUpperArm", "mixamorig:RightArm", "rightUpperArm", "rightUpperArm"},
    {"RightLowerArm", "RightLowerArm", "mixamorig:RightForeArm", "rightLowerArm", "rightLowerArm"},
    {"RightHand", "RightHand", "mixamorig:RightHand", "rightHand", "rightHand"},
    {"RightUpperLeg", "RightUpperLeg", "mixamorig:RightUpLeg", "rightUpperLeg", "rightUpperLeg"},
    {"RightLowerLeg", "RightLowerLeg", "mixamorig:RightLeg", "rightLowerLeg", "rightLowerLeg"},
    {"RightFoot", "RightFoot", "mixamorig:RightFoot", "rightFoot", "rightFoot"},
    {"RightToes", "RightToes", "mixamorig:RightToeBase", "rightToes", "rightToes"},
    {"RightThumbProximal", "RightThumbMetacarpal", "mixamorig:RightHandThumb1", "rightThumbMetacarpal",
     "rightThumbProximal"},
    {"RightThumbIntermediate", "RightThumbProximal", "mixamorig:RightHandThumb2", "rightThumbProximal",
     "rightThumbIntermediate"},
    {"RightThumbDistal", "RightThumbDistal", "mixamorig:RightHandThumb3", "rightThumbDistal", "rightThumbDistal"},
    {"RightIndexProximal", "RightIndexProximal", "mixamorig:RightHandIndex1", "rightIndexProximal",
     "rightIndexProximal"},
    {"RightIndexIntermediate", "RightIndexIntermediate", "mixamorig:RightHandIndex2", "rightIndexIntermediate",
     "rightIndexIntermediate"},
    {"RightIndexDistal", "RightIndexDistal", "mixamorig:RightHandIndex3", "rightIndexDistal", "rightIndexDistal"},
    {"RightMiddleProximal", "RightMiddleProximal", "mixamorig:RightHandMiddle1", "rightMiddleProximal",
     "rightMiddleProximal"},
    {"RightMiddleIntermediate", "RightMiddleIntermediate", "mixamorig:RightHandMiddle2", "rightMiddleIntermediate",
     "rightMiddleIntermediate"},
    {"RightMiddleDistal", "RightMiddleDistal", "mixamorig:RightHandMiddle3", "rightMiddleDistal", "rightMiddleDistal"},
    {"RightRingProximal", "RightRingProximal", "mixamorig:RightHandRing1", "rightRingProximal", "rightRingProximal"},
    {"RightRingIntermediate", "RightRingIntermediate", "mixamorig:RightHandRing2", "rightRingIntermediate",
     "rightRingIntermediate"},
    {"RightRingDistal", "RightRingDistal", "mixamorig:RightHandRing3", "rightRingDistal", "rightRingDistal"},
    {"RightLittleProximal", "RightLittleProximal", "mixamorig:RightHandPinky1", "rightLittleProximal",
     "rightLittleProximal"},
    {"RightLittleIntermediate", "RightLittleIntermediate", "mixamorig:RightHandPinky2", "rightLittleIntermediate",
     "rightLittleIntermediate"},
    {"RightLittleDistal", "RightLittleDistal", "mixamorig:RightHandPinky3", "rightLittleDistal", "rightLittleDistal"},
};

/* What stands behind "mixamorig", digits and a separator; the text itself where it does not begin so. */
static const char *behind_prefix(const char *name, const char *end)
{
	size_t length = sizeof PREFIX - 1;
	const char *at = name + length;

	if ((size_t)(end - name) < length || memcmp(name, PREFIX, length) != 0)
		return name;
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return at < end && (*at == ':' || *at == '_') ? at + 1 : at;
}

/* Whether the name is `bone` but for blanks in the name. */
static bool is_bone(const char *bone, const char *name, const char *end)
{
	for (; name < end; name++) {
		if (*name == ' ')
			continue;
		if (*bone != *name)
			return false;
		bone++;
	}
	return *bone == '\0';
}

const char *anim_humanoid_find(enum anim_humanoid from, enum anim_humanoid to, const char *name, size_t length)
{
	const char *end = name + length;
	size_t skip = 0;

	if (from == ANIM_HUMANOID_MIXAMO) {
		name = behind_prefix(name, end);
		skip = sizeof PREFIX; /* and the colon */
	}
	for (size_t i = 0; i < sizeof bones / sizeof *bones; i++)
		if (bones[i][from] != NULL && is_bone(bones[i][from] + skip, name, end))
			return bones[i][to];
	return NULL;
}
