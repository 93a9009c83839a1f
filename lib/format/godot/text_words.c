/* text_words.c: the words of Godot's text files, in every version's spelling. */
#include <string.h>

#include "format/godot/text_internal.h"

/* Sorted by name, in the order of bytes. Old names: Godot 2 (Matrix32, RealArray ...) and 3 (Quat, Pool...). */
static const struct godot_word words[] = {
    {"-inf", GODOT_WORD_MINUS_INF, GODOT_FLOAT, 0},
    {"AABB", GODOT_WORD_NUMBERS, GODOT_AABB, 6},
    {"Array", GODOT_WORD_ARRAY, GODOT_ARRAY, 0},
    {"Basis", GODOT_WORD_NUMBERS, GODOT_BASIS, 9},
    {"ByteArray", GODOT_WORD_PACKED, GODOT_PACKED_BYTE, 1},
    {"Color", GODOT_WORD_NUMBERS, GODOT_COLOR, 4},
    {"ColorArray", GODOT_WORD_PACKED, GODOT_PACKED_COLOR, 4},
    {"Dictionary", GODOT_WORD_DICTIONARY, GODOT_DICTIONARY, 0},
    {"ExtResource", GODOT_WORD_ID, GODOT_EXT_RESOURCE, 0},
    {"FloatArray", GODOT_WORD_PACKED, GODOT_PACKED_FLOAT32, 1},
    {"IntArray", GODOT_WORD_PACKED, GODOT_PACKED_INT32, 1},
    {"Matrix3", GODOT_WORD_NUMBERS, GODOT_BASIS, 9},
    {"Matrix32", GODOT_WORD_NUMBERS, GODOT_TRANSFORM2D, 6},
    {"NodePath", GODOT_WORD_NODE_PATH, GODOT_NODE_PATH, 0},
    {"PackedByteArray", GODOT_WORD_PACKED, GODOT_PACKED_BYTE, 1},
    {"PackedColorArray", GODOT_WORD_PACKED, GODOT_PACKED_COLOR, 4},
    {"PackedFloat32Array", GODOT_WORD_PACKED, GODOT_PACKED_FLOAT32, 1},
    {"PackedFloat64Array", GODOT_WORD_PACKED, GODOT_PACKED_FLOAT64, 1},
    {"PackedInt32Array", GODOT_WORD_PACKED, GODOT_PACKED_INT32, 1},
    {"PackedInt64Array", GODOT_WORD_PACKED, GODOT_PACKED_INT64, 1},
    {"PackedIntArray", GODOT_WORD_PACKED, GODOT_PACKED_INT32, 1},
    {"PackedRealArray", GODOT_WORD_PACKED, GODOT_PACKED_FLOAT32, 1},
    {"PackedStringArray", GODOT_WORD_STRINGS, GODOT_PACKED_STRING, 0},
    {"PackedVector2Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR2, 2},
    {"PackedVector3Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR3, 3},
    {"PackedVector4Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR4, 4},
    {"Plane", GODOT_WORD_NUMBERS, GODOT_PLANE, 4},
    {"PoolByteArray", GODOT_WORD_PACKED, GODOT_PACKED_BYTE, 1},
    {"PoolColorArray", GODOT_WORD_PACKED, GODOT_PACKED_COLOR, 4},
    {"PoolIntArray", GODOT_WORD_PACKED, GODOT_PACKED_INT32, 1},
    {"PoolRealArray", GODOT_WORD_PACKED, GODOT_PACKED_FLOAT32, 1},
    {"PoolStringArray", GODOT_WORD_STRINGS, GODOT_PACKED_STRING, 0},
    {"PoolVector2Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR2, 2},
    {"PoolVector3Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR3, 3},
    {"PoolVector4Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR4, 4},
    {"Projection", GODOT_WORD_NUMBERS, GODOT_PROJECTION, 16},
    {"Quat", GODOT_WORD_NUMBERS, GODOT_QUATERNION, 4},
    {"Quaternion", GODOT_WORD_NUMBERS, GODOT_QUATERNION, 4},
    {"RealArray", GODOT_WORD_PACKED, GODOT_PACKED_FLOAT32, 1},
    {"Rect2", GODOT_WORD_NUMBERS, GODOT_RECT2, 4},
    {"Rect2i", GODOT_WORD_INTEGERS, GODOT_RECT2I, 4},
    {"Rect3", GODOT_WORD_NUMBERS, GODOT_AABB, 6},
    {"Resource", GODOT_WORD_RESOURCE, GODOT_RESOURCE, 0},
    {"StringArray", GODOT_WORD_STRINGS, GODOT_PACKED_STRING, 0},
    {"SubResource", GODOT_WORD_ID, GODOT_SUB_RESOURCE, 0},
    {"Transform", GODOT_WORD_NUMBERS, GODOT_TRANSFORM3D, 12},
    {"Transform2D", GODOT_WORD_NUMBERS, GODOT_TRANSFORM2D, 6},
    {"Transform3D", GODOT_WORD_NUMBERS, GODOT_TRANSFORM3D, 12},
    {"Vector2", GODOT_WORD_NUMBERS, GODOT_VECTOR2, 2},
    {"Vector2Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR2, 2},
    {"Vector2i", GODOT_WORD_INTEGERS, GODOT_VECTOR2I, 2},
    {"Vector3", GODOT_WORD_NUMBERS, GODOT_VECTOR3, 3},
    {"Vector3Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR3, 3},
    {"Vector3i", GODOT_WORD_INTEGERS, GODOT_VECTOR3I, 3},
    {"Vector4", GODOT_WORD_NUMBERS, GODOT_VECTOR4, 4},
    {"Vector4Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR4, 4},
    {"Vector4i", GODOT_WORD_INTEGERS, GODOT_VECTOR4I, 4},
    {"false", GODOT_WORD_FALSE, GODOT_BOOL, 0},
    {"inf", GODOT_WORD_INF, GODOT_FLOAT, 0},
    {"inf_neg", GODOT_WORD_MINUS_INF, GODOT_FLOAT, 0},
    {"nan", GODOT_WORD_NAN, GODOT_FLOAT, 0},
    {"nil", GODOT_WORD_NIL, GODOT_NIL, 0},
    {"null", GODOT_WORD_NIL, GODOT_NIL, 0},
    {"true", GODOT_WORD_TRUE, GODOT_BOOL, 0},
};

const struct godot_word *godot_word_find(const char *text, size_t length)
{
	size_t low = 0, high = sizeof words / sizeof words[0], middle;
	int order;

	while (low < high) {
		middle = (low + high) / 2;
		order = length > 0 ? words[middle].name[0] - text[0] : 0;
		if (order == 0)
			order = strncmp(words[middle].name, text, length);
		if (order == 0 && words[middle].name[length] != '\0')
			order = 1;
		if (order == 0)
			return &words[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

bool godot_word_is_constant(const struct godot_word *word)
{
	return word != NULL && word->kind <= GODOT_WORD_NAN;
}

int godot_word_unknown(const char *text, size_t length, const struct anim_place *place, struct anim_error *error)
{
	return anim_fail_at(error, ANIM_BAD_INPUT, place, "unknown word '%.*s'", (int)(length < 64 ? length : 64),
			    text);
}

const char *godot_type_name(enum godot_type type)
{
	static const char *const names[GODOT_TYPE_COUNT] = {
	    [GODOT_NIL] = "Nil",
	    [GODOT_BOOL] = "bool",
	    [GODOT_INT] = "int",
	    [GODOT_FLOAT] = "float",
	    [GODOT_STRING] = "String",
	    [GODOT_STRING_NAME] = "StringName",
	    [GODOT_NODE_PATH] = "NodePath",
	    [GODOT_VECTOR2] = "Vector2",
	    [GODOT_VECTOR2I] = "Vector2i",
	    [GODOT_VECTOR3] = "Vector3",
	    [GODOT_VECTOR3I] = "Vector3i",
	    [GODOT_VECTOR4] = "Vector4",
	    [GODOT_VECTOR4I] = "Vector4i",
	    [GODOT_RECT2] = "Rect2",
	    [GODOT_RECT2I] = "Rect2i",
	    [GODOT_PLANE] = "Plane",
	    [GODOT_QUATERNION] = "Quaternion",
	    [GODOT_AABB] = "AABB",
	    [GODOT_BASIS] = "Basis",
	    [GODOT_TRANSFORM2D] = "Transform2D",
	    [GODOT_TRANSFORM3D] = "Transform3D",
	    [GODOT_PROJECTION] = "Projection",
	    [GODOT_COLOR] = "Color",
	    [GODOT_ARRAY] = "Array",
	    [GODOT_DICTIONARY] = "Dictionary",
	    [GODOT_PACKED_BYTE] = "PackedByteArray",
	    [GODOT_PACKED_INT32] = "PackedInt32Array",
	    [GODOT_PACKED_INT64] = "PackedInt64Array",
	    [GODOT_PACKED_FLOAT32] = "PackedFloat32Array",
	    [GODOT_PACKED_FLOAT64] = "PackedFloat64Array",
	    [GODOT_PACKED_STRING] = "PackedStringArray",
	    [GODOT_PACKED_VECTOR2] = "PackedVector2Array",
	    [GODOT_PACKED_VECTOR3] = "PackedVector3Array",
	    [GODOT_PACKED_VECTOR4] = "PackedVector4Array",
	    [GODOT_PACKED_COLOR] = "PackedColorArray",
	    [GODOT_SUB_RESOURCE] = "Object",
	    [GODOT_EXT_RESOURCE] = "Object",
	    [GODOT_RESOURCE] = "Object",
	    [GODOT_OTHER] = "Object",
	};

	return names[type];
}
