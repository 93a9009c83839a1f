/* rules_godot3.c: Godot 3's Animation: all in float32, uniform cubics, no value before the first key. */
#include <math.h>
#include <string.h>

#include "clip/blend.h"
#include "math/basis.h"
#include "math/cubic.h"
#include "math/elementary.h"
#include "math/vector.h"

static float key_time(const struct anim_sampler *s, size_t k)
{
	return (float)anim_godot_key(s, k);
}

/* The segment of the time; false before the first key of a clip that does not loop. */
static bool place(struct anim_sampler *s, float t, struct anim_segment *segment, float *elapsed)
{
	ptrdiff_t at = anim_godot_find(s, s->track->n, (double)t), n = (ptrdiff_t)s->usable;
	float length = (float)s->length, left;

	segment->from = at < 0 ? 0 : (size_t)at;
	segment->to = segment->from;
	*elapsed = t - key_time(s, segment->from);
	if (at < 0 && !s->wraps)
		return s->clip->loop != ANIM_LOOP_NONE;
	if (at >= 0 && at + 1 < n) {
		segment->to = (size_t)at + 1;
		segment->duration = (double)(key_time(s, segment->to) - key_time(s, segment->from));
	} else if (s->wraps) {
		segment->from = at < 0 ? (size_t)n - 1 : segment->from;
		segment->to = 0;
		left = length - key_time(s, segment->from);
		left = at < 0 && left < 0 ? 0 : left;
		segment->duration = (double)(left + key_time(s, 0));
		*elapsed = at < 0 ? left + t : *elapsed;
	}
	return true;
}

static void fill_neighbours(const struct anim_sampler *s, struct anim_segment *segment)
{
	size_t last = s->usable - 1;

	segment->before = segment->from > 0 ? segment->from - 1 : s->wraps ? last : 0;
	segment->after = segment->to < last ? segment->to + 1 : s->wraps ? 0 : segment->to;
	segment->to_t = (float)segment->duration;
	segment->before_t = -(float)segment->duration;
	segment->after_t = 2 * (float)segment->duration;
}

static bool locate(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	float elapsed = 0;

	if (s->track->interp == ANIM_BEZIER_2D) {
		bool present = anim_godot_locate_bezier(s, s->origin + (double)(float)(t - s->origin), segment);

		segment->weight = (double)(float)segment->weight;
		return present;
	}
	memset(segment, 0, sizeof *segment);
	segment->hold = true;
	if (s->usable <= 1)
		return s->usable == 1;
	if (!place(s, (float)(t - s->origin), segment, &elapsed))
		return false;
	if (fabs(segment->duration) >= 1e-5)
		segment->weight = (double)(elapsed / (float)segment->duration);
	segment->hold = segment->from == segment->to || !anim_godot_ease(s, segment);
	fill_neighbours(s, segment);
	return true;
}

static void matrix_blend(const struct anim_sampler *s, const double from[ANIM_LANES_MAX],
			 const double to[ANIM_LANES_MAX], float weight, double out[ANIM_LANES_MAX])
{
	float a[ANIM_LANES_MAX], b[ANIM_LANES_MAX];
	unsigned lanes = anim_types[s->track->type].lanes;

	anim_lanes_to_float(a, from, lanes);
	anim_lanes_to_float(b, to, lanes);
	if (lanes == 16)
		anim_transform_interpolate(a, a, b, weight);
	else if (s->shape == ANIM_SHAPE_TRANSFORM2D)
		anim_transform2d_interpolate(a, a, b, weight);
	else
		anim_basis_interpolate(a, a, b, weight);
	anim_lanes_from_float(out, a, lanes);
}

/* Variant::interpolate. Integers are cut towards zero, bools and Planes stay. */
static void blend_linear(const struct anim_sampler *s, const struct anim_segment *segment, double out[ANIM_LANES_MAX])
{
	const struct anim_track *track = s->track;
	const struct anim_type_info *info = &anim_types[track->type];
	double from[ANIM_LANES_MAX], to[ANIM_LANES_MAX];
	float weight = (float)segment->weight;

	anim_value_load(track, segment->from, from);
	anim_value_load(track, segment->to, to);
	if (info->scalar == ANIM_SCALAR_BOOL || s->shape == ANIM_SHAPE_PLANE) {
		memcpy(out, from, sizeof from);
	} else if (info->quaternion || (info->scalar == ANIM_SCALAR_F64 && info->lanes > 1)) {
		anim_blend_linear(track->type, from, to, segment->weight, out);
	} else if (track->type == ANIM_FLOAT3X3 || track->type == ANIM_FLOAT4X4) {
		matrix_blend(s, from, to, weight, out);
	} else {
		for (unsigned i = 0; i < info->lanes; i++) {
			out[i] = (double)anim_lerp((float)from[i], (float)to[i], weight);
			if (!anim_type_is_real(track->type))
				out[i] = trunc((double)((float)from[i] + (float)(to[i] - from[i]) * weight));
		}
	}
}

static void blend_cubic(const struct anim_sampler *s, const struct anim_segment *segment, double out[ANIM_LANES_MAX])
{
	struct anim_cubic_keys keys;

	anim_cubic_keys_load(s->track, segment, &keys);
	if (s->track->type == ANIM_FLOATQ) {
		anim_blend_cubic_quat(&keys, segment, false, out);
		return;
	}
	for (unsigned lane = 0; lane < anim_types[s->track->type].lanes; lane++)
		out[lane] =
		    (double)anim_catmull_rom((float)keys.from[lane], (float)keys.to[lane], (float)keys.before[lane],
					     (float)keys.after[lane], (float)segment->weight);
}

static int blend(struct anim_sampler *s, enum anim_interp mode, const struct anim_segment *segment, void *out,
		 struct anim_error *error)
{
	const struct anim_track *track = s->track;
	double lanes[ANIM_LANES_MAX];

	if (track->interp == ANIM_BEZIER_2D) {
		anim_godot_blend_bezier(s, segment, out);
		return 0;
	}
	if (track->type == ANIM_STRING) {
		if (mode == ANIM_LINEAR && s->shape == ANIM_SHAPE_LANES)
			return anim_godot3_blend_text(s, segment, out, error);
		anim_value_copy(track, segment->from, out);
		return 0;
	}
	if (mode == ANIM_CUBIC_UNIFORM && anim_godot_old_cubic(s))
		blend_cubic(s, segment, lanes);
	else if (mode == ANIM_CUBIC_UNIFORM || mode == ANIM_LINEAR)
		blend_linear(s, segment, lanes);
	else
		return anim_rules_plain.blend(s, mode, segment, out, error);
	anim_value_store(track->type, lanes, out);
	return 0;
}

const struct anim_rules_ops anim_rules_godot3 = {anim_godot_prepare, locate, blend};
