/* fields.c: the table of an AnimationClip's scalar fields. */
#include "format/unity/fields.h"

#include <string.h>

#define NOWHERE "{x: 0, y: 0, z: 0}"
#define SETTING(name) UNITY_SETTINGS "." name

const struct unity_clip_field unity_clip_fields[] = {
    {"m_ObjectHideFlags", "0", false},
    {"m_Name", NULL, true},
    {"m_Legacy", "0", false},
    {"m_Compressed", "0", false},
    {"m_UseHighQualityCurve", "1", false},
    {"m_SampleRate", NULL, true},
    {"m_WrapMode", "0", false},
    {"m_Bounds.m_Center", NOWHERE, false},
    {"m_Bounds.m_Extent", NOWHERE, false},
    {SETTING("serializedVersion"), "2", false},
    {SETTING("m_AdditiveReferencePoseClip"), "{fileID: 0}", false},
    {SETTING("m_AdditiveReferencePoseTime"), "0", false},
    {SETTING("m_StartTime"), NULL, true},
    {SETTING("m_StopTime"), NULL, true},
    {SETTING("m_OrientationOffsetY"), "0", false},
    {SETTING("m_Level"), "0", false},
    {SETTING("m_CycleOffset"), "0", false},
    {SETTING("m_HasAdditiveReferencePose"), "0", false},
    {SETTING("m_LoopTime"), NULL, true},
    {SETTING("m_LoopBlend"), "0", false},
    {SETTING("m_LoopBlendOrientation"), "0", false},
    {SETTING("m_LoopBlendPositionY"), "0", false},
    {SETTING("m_LoopBlendPositionXZ"), "0", false},
    {SETTING("m_KeepOriginalOrientation"), "0", false},
    {SETTING("m_KeepOriginalPositionY"), "1", false},
    {SETTING("m_KeepOriginalPositionXZ"), "0", false},
    {SETTING("m_HeightFromFeet"), "0", false},
    {SETTING("m_Mirror"), "0", false},
    {"m_HasGenericRootTransform", "0", false},
    {"m_HasMotionFloatCurves", "0", false},
    {"m_GenerateMotionCurves", NULL, false},
};
const size_t unity_clip_field_count = sizeof unity_clip_fields / sizeof *unity_clip_fields;

static const char *const foreign[] = {
    "m_CorrespondingSourceObject",
    "m_PrefabInstance",
    "m_PrefabAsset",
    "m_PrefabParentObject",
    "m_PrefabInternal",
    "serializedVersion",
    "m_AnimationType",
    "m_RotationCurves",
    "m_CompressedRotationCurves",
    "m_EulerCurves",
    "m_PositionCurves",
    "m_ScaleCurves",
    "m_FloatCurves",
    "m_PPtrCurves",
    "m_ClipBindingConstant",
    "m_EditorCurves",
    "m_EulerEditorCurves",
    "m_Events",
};

const struct unity_clip_field *unity_clip_field(const char *path)
{
	for (size_t i = 0; i < unity_clip_field_count; i++)
		if (strcmp(unity_clip_fields[i].path, path) == 0)
			return &unity_clip_fields[i];
	return NULL;
}

bool unity_clip_field_is_foreign(const char *name)
{
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (strcmp(foreign[i], name) == 0)
			return true;
	return false;
}

bool unity_clip_field_is_default(const char *path, const char *text)
{
	const struct unity_clip_field *field = unity_clip_field(path);

	return field != NULL && field->value != NULL && strcmp(field->value, text) == 0;
}
