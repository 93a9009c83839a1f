/* type.c: the table of the 40 value types. */
#include "clip/type.h"

#include <string.h>

/* name, lanes, stored lanes, bytes of a stored lane, bytes of a value, scalar, quaternion, matrix */
const struct anim_type_info anim_types[ANIM_TYPE_COUNT] = {
    [ANIM_BOOL] = {"bool", 1, 1, 1, 1, ANIM_SCALAR_BOOL, false, false},
    [ANIM_BOOL2] = {"bool2", 2, 1, 1, 1, ANIM_SCALAR_BOOL, false, false},
    [ANIM_BOOL3] = {"bool3", 3, 1, 1, 1, ANIM_SCALAR_BOOL, false, false},
    [ANIM_BOOL4] = {"bool4", 4, 1, 1, 1, ANIM_SCALAR_BOOL, false, false},
    [ANIM_BYTE] = {"byte", 1, 1, 1, 1, ANIM_SCALAR_U8, false, false},
    [ANIM_USHORT] = {"ushort", 1, 1, 2, 2, ANIM_SCALAR_U16, false, false},
    [ANIM_UINT] = {"uint", 1, 1, 4, 4, ANIM_SCALAR_U32, false, false},
    [ANIM_ULONG] = {"ulong", 1, 1, 8, 8, ANIM_SCALAR_U64, false, false},
    [ANIM_SBYTE] = {"sbyte", 1, 1, 1, 1, ANIM_SCALAR_I8, false, false},
    [ANIM_SHORT] = {"short", 1, 1, 2, 2, ANIM_SCALAR_I16, false, false},
    [ANIM_INT] = {"int", 1, 1, 4, 4, ANIM_SCALAR_I32, false, false},
    [ANIM_LONG] = {"long", 1, 1, 8, 8, ANIM_SCALAR_I64, false, false},
    [ANIM_INT2] = {"int2", 2, 2, 4, 8, ANIM_SCALAR_I32, false, false},
    [ANIM_INT3] = {"int3", 3, 3, 4, 12, ANIM_SCALAR_I32, false, false},
    [ANIM_INT4] = {"int4", 4, 4, 4, 16, ANIM_SCALAR_I32, false, false},
    [ANIM_UINT2] = {"uint2", 2, 2, 4, 8, ANIM_SCALAR_U32, false, false},
    [ANIM_UINT3] = {"uint3", 3, 3, 4, 12, ANIM_SCALAR_U32, false, false},
    [ANIM_UINT4] = {"uint4", 4, 4, 4, 16, ANIM_SCALAR_U32, false, false},
    [ANIM_LONG2] = {"long2", 2, 2, 8, 16, ANIM_SCALAR_I64, false, false},
    [ANIM_LONG3] = {"long3", 3, 3, 8, 24, ANIM_SCALAR_I64, false, false},
    [ANIM_LONG4] = {"long4", 4, 4, 8, 32, ANIM_SCALAR_I64, false, false},
    [ANIM_FLOAT] = {"float", 1, 1, 4, 4, ANIM_SCALAR_F32, false, false},
    [ANIM_FLOAT2] = {"float2", 2, 2, 4, 8, ANIM_SCALAR_F32, false, false},
    [ANIM_FLOAT3] = {"float3", 3, 3, 4, 12, ANIM_SCALAR_F32, false, false},
    [ANIM_FLOAT4] = {"float4", 4, 4, 4, 16, ANIM_SCALAR_F32, false, false},
    [ANIM_FLOATQ] = {"floatQ", 4, 4, 4, 16, ANIM_SCALAR_F32, true, false},
    [ANIM_FLOAT2X2] = {"float2x2", 4, 4, 4, 16, ANIM_SCALAR_F32, false, true},
    [ANIM_FLOAT3X3] = {"float3x3", 9, 9, 4, 36, ANIM_SCALAR_F32, false, true},
    [ANIM_FLOAT4X4] = {"float4x4", 16, 16, 4, 64, ANIM_SCALAR_F32, false, true},
    [ANIM_DOUBLE] = {"double", 1, 1, 8, 8, ANIM_SCALAR_F64, false, false},
    [ANIM_DOUBLE2] = {"double2", 2, 2, 8, 16, ANIM_SCALAR_F64, false, false},
    [ANIM_DOUBLE3] = {"double3", 3, 3, 8, 24, ANIM_SCALAR_F64, false, false},
    [ANIM_DOUBLE4] = {"double4", 4, 4, 8, 32, ANIM_SCALAR_F64, false, false},
    [ANIM_DOUBLEQ] = {"doubleQ", 4, 4, 8, 32, ANIM_SCALAR_F64, true, false},
    [ANIM_DOUBLE2X2] = {"double2x2", 4, 4, 8, 32, ANIM_SCALAR_F64, false, true},
    [ANIM_DOUBLE3X3] = {"double3x3", 9, 9, 8, 72, ANIM_SCALAR_F64, false, true},
    [ANIM_DOUBLE4X4] = {"double4x4", 16, 16, 8, 128, ANIM_SCALAR_F64, false, true},
    [ANIM_COLOR] = {"color", 4, 4, 4, 16, ANIM_SCALAR_F32, false, false},
    [ANIM_COLOR32] = {"color32", 4, 4, 1, 4, ANIM_SCALAR_U8, false, false},
    [ANIM_STRING] = {"string", 1, 0, 0, 0, ANIM_SCALAR_TEXT, false, false},
};

int anim_type_find(const char *name, size_t length)
{
	for (int i = 0; i < ANIM_TYPE_COUNT; i++)
		if (strlen(anim_types[i].name) == length && memcmp(anim_types[i].name, name, length) == 0)
			return i;
	return -1;
}

enum anim_type anim_type_of_lane(enum anim_type type)
{
	static const enum anim_type lanes[] = {
	    [ANIM_SCALAR_BOOL] = ANIM_BOOL, [ANIM_SCALAR_U8] = ANIM_BYTE,    [ANIM_SCALAR_U16] = ANIM_USHORT,
	    [ANIM_SCALAR_U32] = ANIM_UINT,  [ANIM_SCALAR_U64] = ANIM_ULONG,  [ANIM_SCALAR_I8] = ANIM_SBYTE,
	    [ANIM_SCALAR_I16] = ANIM_SHORT, [ANIM_SCALAR_I32] = ANIM_INT,    [ANIM_SCALAR_I64] = ANIM_LONG,
	    [ANIM_SCALAR_F32] = ANIM_FLOAT, [ANIM_SCALAR_F64] = ANIM_DOUBLE, [ANIM_SCALAR_TEXT] = ANIM_STRING,
	};

	return lanes[anim_types[type].scalar];
}

bool anim_type_is_real(enum anim_type type)
{
	return anim_types[type].scalar == ANIM_SCALAR_F32 || anim_types[type].scalar == ANIM_SCALAR_F64;
}
