/* blend.c: values as lanes of numbers; linear and cubic blends of them. */
#include "clip/blend.h"

#include <math.h>
#include <string.h>

#include "clip/lane.h"
#include "math/cubic.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

void anim_value_load(const struct anim_track *track, size_t k, double lanes[ANIM_LANES_MAX])
{
	for (unsigned lane = 0; lane < anim_types[track->type].lanes; lane++)
		lanes[lane] = anim_lane(track->type, track->value, k, lane);
}

static int64_t to_int64(double number)
{
	return number >= -9223372036854775808.0 && number < 9223372036854775808.0 ? (int64_t)number : INT64_MIN;
}

static int64_t clamp(double number, int64_t low, int64_t high)
{
	if (number != number)
		return 0;
	return number <= (double)low ? low : number >= (double)high ? high : (int64_t)number;
}

/* A whole number as an integer lane. */
static void store_integer(enum anim_scalar scalar, double number, unsigned char *at)
{
	static const int64_t low[] = {0, 0, 0, 0, 0, INT8_MIN, INT16_MIN, INT32_MIN};
	static const int64_t high[] = {0, UINT8_MAX, UINT16_MAX, UINT32_MAX, 0, INT8_MAX, INT16_MAX, INT32_MAX};
	uint64_t bits;

	if (scalar == ANIM_SCALAR_I64)
		bits = (uint64_t)to_int64(number);
	else if (scalar == ANIM_SCALAR_U64)
		bits = number >= 0x1p64 ? UINT64_MAX : number > 0 ? (uint64_t)number : 0;
	else
		bits = (uint64_t)clamp(number, low[scalar], high[scalar]);
	switch (scalar) {
	case ANIM_SCALAR_U8:
	case ANIM_SCALAR_I8:
		*at = (uint8_t)bits;
		break;
	case ANIM_SCALAR_U16:
	case ANIM_SCALAR_I16:
		memcpy(at, &(uint16_t){(uint16_t)bits}, 2);
		break;
	case ANIM_SCALAR_U32:
	case ANIM_SCALAR_I32:
		memcpy(at, &(uint32_t){(uint32_t)bits}, 4);
		break;
	default:
		memcpy(at, &bits, 8);
	}
}

void anim_value_store(enum anim_type type, const double lanes[ANIM_LANES_MAX], void *out)
{
	const struct anim_type_info *info = &anim_types[type];
	unsigned char *at = out;

	memset(out, 0, info->size);
	for (unsigned lane = 0; lane < info->lanes; lane++) {
		if (info->scalar == ANIM_SCALAR_BOOL)
			*at = (unsigned char)(*at | (lanes[lane] >= 0.5) << lane);
		else if (info->scalar == ANIM_SCALAR_F32)
			memcpy(at + (size_t)4 * lane, &(float){(float)lanes[lane]}, 4);
		else if (info->scalar == ANIM_SCALAR_F64)
			memcpy(at + (size_t)8 * lane, &lanes[lane], 8);
		else
			store_integer(info->scalar, anim_round(lanes[lane]), at + (size_t)info->lane_size * lane);
	}
}

void anim_value_copy(const struct anim_track *track, size_t k, void *out)
{
	size_t size = anim_types[track->type].size;

	if (track->type == ANIM_STRING) {
		struct anim_text *text = out;

		text->length = track->strings->length[k];
		text->bytes =
		    text->length == ANIM_NULL_STRING ? NULL : track->strings->bytes + track->strings->start[k];
		return;
	}
	memcpy(out, (const char *)track->value + size * k, size);
}

static void blend_quat(enum anim_type type, const double from[ANIM_LANES_MAX], const double to[ANIM_LANES_MAX],
		       double weight, double out[ANIM_LANES_MAX])
{
	float a[4], b[4];

	if (type == ANIM_DOUBLEQ) {
		anim_quat_slerp_double(out, from, to, weight);
		return;
	}
	anim_lanes_to_float(a, from, 4);
	anim_lanes_to_float(b, to, 4);
	anim_quat_slerp(a, a, b, (float)weight);
	anim_lanes_from_float(out, a, 4);
}

void anim_blend_linear(enum anim_type type, const double from[ANIM_LANES_MAX], const double to[ANIM_LANES_MAX],
		       double weight, double out[ANIM_LANES_MAX])
{
	if (anim_types[type].quaternion) {
		blend_quat(type, from, to, weight, out);
		return;
	}
	for (unsigned lane = 0; lane < anim_types[type].lanes; lane++)
		out[lane] = anim_types[type].scalar == ANIM_SCALAR_F32
				? (double)anim_lerp((float)from[lane], (float)to[lane], (float)weight)
				: from[lane] + (to[lane] - from[lane]) * weight;
}

void anim_cubic_keys_load(const struct anim_track *track, const struct anim_segment *segment,
			  struct anim_cubic_keys *keys)
{
	anim_value_load(track, segment->from, keys->from);
	anim_value_load(track, segment->to, keys->to);
	anim_value_load(track, segment->before, keys->before);
	anim_value_load(track, segment->after, keys->after);
}

double anim_blend_cubic_lane(const struct anim_cubic_keys *keys, const struct anim_segment *segment, unsigned lane,
			     bool single)
{
	double a = keys->from[lane], b = keys->to[lane], before = keys->before[lane], after = keys->after[lane];

	if (single)
		return (double)anim_cubic_in_time((float)a, (float)b, (float)before, (float)after,
						  (float)segment->weight, segment->to_t, segment->before_t,
						  segment->after_t);
	return anim_cubic_in_time_double(a, b, before, after, segment->weight, (double)segment->to_t,
					 (double)segment->before_t, (double)segment->after_t);
}

void anim_blend_cubic_quat(const struct anim_cubic_keys *keys, const struct anim_segment *segment, bool in_time,
			   double out[ANIM_LANES_MAX])
{
	float from[4], to[4], before[4], after[4];

	anim_lanes_to_float(from, keys->from, 4);
	anim_lanes_to_float(to, keys->to, 4);
	anim_lanes_to_float(before, keys->before, 4);
	anim_lanes_to_float(after, keys->after, 4);
	if (in_time)
		anim_quat_cubic_in_time(from, from, to, before, after, (float)segment->weight, segment->to_t,
					segment->before_t, segment->after_t);
	else
		anim_quat_cubic_slerp(from, from, to, before, after, (float)segment->weight);
	anim_lanes_from_float(out, from, 4);
}

double anim_blend_angle(const struct anim_track *track, const struct anim_segment *segment, bool cubic)
{
	struct anim_cubic_keys keys;
	float weight = (float)segment->weight, angle;

	anim_cubic_keys_load(track, segment, &keys);
	if (cubic)
		angle = anim_cubic_angle_in_time((float)keys.from[0], (float)keys.to[0], (float)keys.before[0],
						 (float)keys.after[0], weight, segment->to_t, segment->before_t,
						 segment->after_t);
	else
		angle = anim_lerp_angle((float)keys.from[0], (float)keys.to[0], weight);
	return (double)anim_wrap_angle(angle);
}
