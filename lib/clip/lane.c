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

void anim_lanes(enum anim_type type, const void *column, size_t k, double *out)
{
	const struct anim_type_info *info = &anim_types[type];
	float number;

	if (info->scalar != ANIM_SCALAR_F32) {
		for (unsigned lane = 0; lane < info->lanes; lane++)
			out[lane] = anim_lane(type, column, k, lane);
		return;
	}
	for (unsigned lane = 0; lane < info->lanes; lane++) {
		memcpy(&number, (const unsigned char *)column + k * info->size + lane * sizeof number, sizeof number);
		out[lane] = (double)number;
	}
}

bool anim_lane_store(enum anim_type type, void *value, unsigned lane, bool negative, uint64_t size)
{
	const struct anim_type_info *info = &anim_types[type];
	unsigned char *at = (unsigned char *)value + (info->stored_lanes > 1 ? (size_t)lane * info->lane_size : 0);
	uint64_t half = (uint64_t)1 << (8 * info->lane_size - 1);
	bool is_signed = info->scalar >= ANIM_SCALAR_I8 && info->scalar <= ANIM_SCALAR_I64;

	if (info->scalar == ANIM_SCALAR_BOOL) {
		if (size > 1 || (negative && size > 0))
			return false;
		*at |= (unsigned char)(size << lane);
		return true;
	}
	if (negative ? size > (is_signed ? half : 0) : size > (is_signed ? half - 1 : half - 1 + half))
		return false;
	size = negative ? 0 - size : size;
	memcpy(at, &size, info->lane_size);
	return true;
}
