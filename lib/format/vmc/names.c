/* names.c: the names of human bones and expressions in the VMC protocol. */
#include "format/vmc/names.h"

#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "clip/source.h"

enum { HIPS, SPINE, CHEST, UPPER_CHEST, NECK, HEAD, SIDES = 9 };

#define FINGER(side, name, at, hand)                                  \
	{side name "Proximal", hand}, {side name "Intermediate", at}, \
	{                                                             \
		side name "Distal", (at) + 1                          \
	}
#define SIDE(side, at)                                                                                               \
	{side "Shoulder", UPPER_CHEST}, {side "UpperArm", at}, {side "LowerArm", (at) + 1}, {side "Hand", (at) + 2}, \
	    {side "UpperLeg", HIPS}, {side "LowerLeg", (at) + 4}, {side "Foot", (at) + 5}, {side "Toes", (at) + 6},  \
	    FINGER(side, "Thumb", (at) + 8, (at) + 3), FINGER(side, "Index", (at) + 11, (at) + 3),                   \
	    FINGER(side, "Middle", (at) + 14, (at) + 3), FINGER(side, "Ring", (at) + 17, (at) + 3),                  \
	    FINGER(side, "Little", (at) + 20, (at) + 3)

const struct vmc_bone vmc_bones[VMC_BONES] = {{"Hips", -1},          {"Spine", HIPS},          {"Chest", SPINE},
					      {"UpperChest", CHEST}, {"Neck", UPPER_CHEST},    {"Head", NECK},
					      {"Jaw", HEAD},         {"LeftEye", HEAD},        {"RightEye", HEAD},
					      SIDE("Left", SIDES),   SIDE("Right", SIDES + 23)};

int vmc_bone_find(const char *name)
{
	for (int i = 0; i < VMC_BONES; i++)
		if (strcmp(vmc_bones[i].name, name) == 0)
			return i;
	return -1;
}

void vmc_bone_vrm(int bone, char out[VMC_BONE_NAME_MAX])
{
	const char *name = vmc_bones[bone].name, *thumb = strstr(name, "Thumb");

	snprintf(out, VMC_BONE_NAME_MAX, "%s", name);
	/* VRM 1.0 begins the thumb with the metacarpal, and Unity with the proximal bone. */
	if (thumb != NULL && strcmp(thumb, "ThumbProximal") == 0)
		snprintf(out + (thumb - name), (size_t)(VMC_BONE_NAME_MAX - (thumb - name)), "ThumbMetacarpal");
	if (thumb != NULL && strcmp(thumb, "ThumbIntermediate") == 0)
		snprintf(out + (thumb - name), (size_t)(VMC_BONE_NAME_MAX - (thumb - name)), "ThumbProximal");
	out[0] = (char)(out[0] - 'A' + 'a');
}

int vmc_bone_find_vrm(const char *name)
{
	char vrm[VMC_BONE_NAME_MAX];

	for (int i = 0; i < VMC_BONES; i++) {
		vmc_bone_vrm(i, vrm);
		if (strcmp(vrm, name) == 0)
			return i;
	}
	return -1;
}

int vmc_bone_of(const char *path, const struct anim_attrs *attrs)
{
	const char *vrm = anim_attrs_get(attrs, "gltf.vrm"), *name = anim_node_own_name(path);
	int bone = vrm == NULL ? vmc_bone_find(name) : vmc_bone_find_vrm(vrm);

	return bone >= 0 ? bone : vmc_bone_find_vrm(name);
}

static const char *const expressions[][2] = {
    {"Joy", "happy"},
    {"Angry", "angry"},
    {"Sorrow", "sad"},
    {"Fun", "relaxed"},
    {"Surprised", "surprised"},
    {"Neutral", "neutral"},
    {"A", "aa"},
    {"I", "ih"},
    {"U", "ou"},
    {"E", "ee"},
    {"O", "oh"},
    {"Blink", "blink"},
    {"Blink_L", "blinkLeft"},
    {"Blink_R", "blinkRight"},
    {"LookUp", "lookUp"},
    {"LookDown", "lookDown"},
    {"LookLeft", "lookLeft"},
    {"LookRight", "lookRight"},
};

static const char *convert(const char *name, int from)
{
	for (size_t i = 0; i < ANIM_COUNT(expressions); i++)
		if (strcmp(expressions[i][from], name) == 0)
			return expressions[i][1 - from];
	return name;
}

const char *vmc_expression_vrm1(const char *name)
{
	return convert(name, 0);
}

const char *vmc_expression_vrm0(const char *name)
{
	return convert(name, 1);
}
