/* lane.c: one number out of a column. */
#include "clip/lane.h"

#include <string.h>

static const unsigned char *lane_at(enum anim_type type, const void *column, size_t k, unsigned lane)
{
	const struct anim_type_info *info = &anim_types[type];

	return (const unsigned char *)column + k * info->size + (size_t)lane * info->lane_size;
}

int64_t anim_lane_integer(enum anim_type type, const void *column, size_t k, unsigned lane)
{
	const unsigned char *at = lane_at(type, column, k, anim_types[type].stored_lanes > 1 ? lane : 0);
	union {
		uint16_t u16;
		uint32_t u32;
		int16_t i16;
		int32_t i32;
		int64_t i64;
	} number = {.i64 = 0};

	if (anim_types[type].scalar == ANIM_SCALAR_BOOL)
		return *at >> lane & 1;
	memcpy(&number, at, anim_types[type].lane_size);
	switch (anim_types[type].scalar) {
	case ANIM_SCALAR_U8:
		return *at;
	case ANIM_SCALAR_I8:
		return (int8_t)*at;
	case ANIM_SCALAR_U16:
		return number.u16;
	case ANIM_SCALAR_I16:
		return number.i16;
	case ANIM_SCALAR_U32:
		return number.u32;
	case ANIM_SCALAR_I32:
		return number.i32;
	default:
		return number.i64;
	}
}

double anim_lane(enum anim_type type, const void *column, size_t k, unsigned lane)
{
	const unsigned char *at = lane_at(type, column, k, anim_types[type].stored_lanes > 1 ? lane : 0);
	enum anim_scalar scalar = anim_types[type].scalar;

	if (scalar == ANIM_SCALAR_F32) {
		float number;

		memcpy(&number, at, sizeof number);
		return (double)number;
	}
	if (scalar == ANIM_SCALAR_F64) {
		double number;

		memcpy(&number, at, sizeof number);
		return number;
	}
	if (scalar == ANIM_SCALAR_U64)
		return (double)(uint64_t)anim_lane_integer(type, column, k, lane);
	return (double)anim_lane_integer(type, column, k, lane);
}
