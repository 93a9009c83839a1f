/* type.h: the 40 value types of the model; AnimX's table, which the stream shares. */
#ifndef ANIM_CLIP_TYPE_H
#define ANIM_CLIP_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum anim_type {
	ANIM_BOOL,
	ANIM_BOOL2,
	ANIM_BOOL3,
	ANIM_BOOL4,
	ANIM_BYTE,
	ANIM_USHORT,
	ANIM_UINT,
	ANIM_ULONG,
	ANIM_SBYTE,
	ANIM_SHORT,
	ANIM_INT,
	ANIM_LONG,
	ANIM_INT2,
	ANIM_INT3,
	ANIM_INT4,
	ANIM_UINT2,
	ANIM_UINT3,
	ANIM_UINT4,
	ANIM_LONG2,
	ANIM_LONG3,
	ANIM_LONG4,
	ANIM_FLOAT,
	ANIM_FLOAT2,
	ANIM_FLOAT3,
	ANIM_FLOAT4,
	ANIM_FLOATQ,
	ANIM_FLOAT2X2,
	ANIM_FLOAT3X3,
	ANIM_FLOAT4X4,
	ANIM_DOUBLE,
	ANIM_DOUBLE2,
	ANIM_DOUBLE3,
	ANIM_DOUBLE4,
	ANIM_DOUBLEQ,
	ANIM_DOUBLE2X2,
	ANIM_DOUBLE3X3,
	ANIM_DOUBLE4X4,
	ANIM_COLOR,
	ANIM_COLOR32,
	ANIM_STRING,
	ANIM_TYPE_COUNT
};

enum anim_scalar { /* what a lane is made of */
		   ANIM_SCALAR_BOOL,
		   ANIM_SCALAR_U8,
		   ANIM_SCALAR_U16,
		   ANIM_SCALAR_U32,
		   ANIM_SCALAR_U64,
		   ANIM_SCALAR_I8,
		   ANIM_SCALAR_I16,
		   ANIM_SCALAR_I32,
		   ANIM_SCALAR_I64,
		   ANIM_SCALAR_F32,
		   ANIM_SCALAR_F64,
		   ANIM_SCALAR_TEXT
};

/*
 * One row a type. A value is `size` bytes: lanes x lane_size, row-major for matrices, x y z w for quaternions. bool to
 * bool4 are ONE byte with lane i in bit i (stored_lanes 1); a string has size 0, see struct anim_strings.
 */
struct anim_type_info {
	const char *name;
	uint8_t lanes, stored_lanes, lane_size;
	uint8_t size;
	enum anim_scalar scalar;
	bool quaternion, matrix;
};

extern const struct anim_type_info anim_types[ANIM_TYPE_COUNT];

/* The type called `name` (as AnimX and AnimJ spell it), or -1. */
int anim_type_find(const char *name, size_t length);

/* The one-lane type of a lane of `type` (float3 -> float, floatQ -> float, bool4 -> bool, color32 -> byte). */
enum anim_type anim_type_of_lane(enum anim_type type);

/* True for types made of float or double, color included. */
bool anim_type_is_real(enum anim_type type);

#endif
