/* rules_godot4_blend.c: Godot 4's blends of values: Animation::interpolate_variant and its cubic sister. */
#include <math.h>
#include <string.h>

#include "clip/blend.h"
#include "clip/rules_godot4.h"
#include "math/basis.h"
#include "math/vector.h"

/*
 * The engine blends single numbers in double (FLOAT, INT, BOOL), vectors of any kind in float32, and the distance of a
 * Plane in double.
 */
static bool is_single(const struct anim_sampler *s, unsigned lane)
{
	const struct anim_type_info *info = &anim_types[s->track->type];

	if (info->lanes == 1)
		return s->shape == ANIM_SHAPE_SINGLE;
	return info->scalar != ANIM_SCALAR_F64 && info->scalar != ANIM_SCALAR_BOOL &&
	       !(s->shape == ANIM_SHAPE_PLANE && lane == 3);
}

static void linear_lanes(const struct anim_sampler *s, const double from[ANIM_LANES_MAX],
			 const double to[ANIM_LANES_MAX], double weight, double out[ANIM_LANES_MAX])
{
	for (unsigned lane = 0; lane < anim_types[s->track->type].lanes; lane++)
		out[lane] = is_single(s, lane) ? (double)anim_lerp((float)from[lane], (float)to[lane], (float)weight)
					       : from[lane] + (to[lane] - from[lane]) * weight;
}

static void linear_matrix(const struct anim_sampler *s, const double from[ANIM_LANES_MAX],
			  const double to[ANIM_LANES_MAX], double weight, double out[ANIM_LANES_MAX])
{
	float a[ANIM_LANES_MAX], b[ANIM_LANES_MAX];
	unsigned lanes = anim_types[s->track->type].lanes;

	anim_lanes_to_float(a, from, lanes);
	anim_lanes_to_float(b, to, lanes);
	if (s->shape == ANIM_SHAPE_TRANSFORM3D)
		anim_transform_interpolate(a, a, b, (float)weight);
	else
		anim_transform2d_interpolate(a, a, b, (float)weight);
	anim_lanes_from_float(out, a, lanes);
}

static void blend_linear(const struct anim_sampler *s, const struct anim_segment *segment, double out[ANIM_LANES_MAX])
{
	const struct anim_track *track = s->track;
	double from[ANIM_LANES_MAX], to[ANIM_LANES_MAX];

	anim_value_load(track, segment->from, from);
	anim_value_load(track, segment->to, to);
	if (s->shape == ANIM_SHAPE_PROJECTION)
		memcpy(out, segment->weight < 0.5 ? from : to, sizeof from);
	else if (anim_types[track->type].quaternion)
		anim_blend_linear(track->type, from, to, segment->weight, out);
	else if ((s->shape == ANIM_SHAPE_TRANSFORM3D && track->type == ANIM_FLOAT4X4) ||
		 (s->shape == ANIM_SHAPE_TRANSFORM2D && track->type == ANIM_FLOAT3X3))
		linear_matrix(s, from, to, segment->weight, out);
	else
		linear_lanes(s, from, to, segment->weight, out);
}

/* Colours and the distance of a Plane go through double. */
static bool is_cubic_single(const struct anim_sampler *s, unsigned lane)
{
	return s->track->type != ANIM_COLOR && is_single(s, lane);
}

/* The engine hands the rows that it blended to a constructor that takes axes: a cubic basis comes out transposed. */
static void turn_rows(double *m, int stride)
{
	for (int row = 0; row < 3; row++)
		for (int column = row + 1; column < 3; column++) {
			double other = m[stride * row + column];

			m[stride * row + column] = m[stride * column + row];
			m[stride * column + row] = other;
		}
}

static void blend_cubic(const struct anim_sampler *s, const struct anim_segment *segment, double out[ANIM_LANES_MAX])
{
	struct anim_cubic_keys keys;

	anim_cubic_keys_load(s->track, segment, &keys);
	if (anim_types[s->track->type].quaternion) {
		anim_blend_cubic_quat(&keys, segment, true, out);
		return;
	}
	for (unsigned lane = 0; lane < anim_types[s->track->type].lanes; lane++)
		out[lane] = anim_blend_cubic_lane(&keys, segment, lane, is_cubic_single(s, lane));
	if (s->shape == ANIM_SHAPE_TRANSFORM3D || (s->track->type == ANIM_FLOAT3X3 && s->shape == ANIM_SHAPE_LANES))
		turn_rows(out, s->track->type == ANIM_FLOAT4X4 ? 4 : 3);
}

/* What 4.2 knew cubics of; a cubic angle of a vector it did not. */
static bool is_old_cubic(const struct anim_sampler *s)
{
	const char *interp = anim_attrs_get(&s->track->attrs, "godot.interp");

	return !(interp != NULL && strcmp(interp, "4") == 0) && anim_godot_old_cubic(s);
}

static int blend_text(struct anim_sampler *s, enum anim_interp mode, const struct anim_segment *segment, void *out,
		      struct anim_error *error)
{
	if (s->shape == ANIM_SHAPE_LITERAL || mode != ANIM_LINEAR) {
		anim_value_copy(s->track, segment->from, out);
		return 0;
	}
	return anim_godot4_blend_text(s, segment, out, error);
}

int anim_godot4_blend(struct anim_sampler *s, enum anim_interp mode, const struct anim_segment *segment, void *out,
		      struct anim_error *error)
{
	const struct anim_track *track = s->track;
	bool angle = mode == ANIM_LINEAR_ANGLE || mode == ANIM_CUBIC_ANGLE;
	bool cubic = mode == ANIM_CUBIC_TIME || mode == ANIM_CUBIC_ANGLE;
	double lanes[ANIM_LANES_MAX];

	if (track->type == ANIM_STRING)
		return blend_text(s, mode, segment, out, error);
	if (track->interp == ANIM_BEZIER_2D) {
		anim_godot_blend_bezier(s, segment, out);
		return 0;
	}
	if (angle && anim_type_is_real(track->type))
		lanes[0] = anim_blend_angle(track, segment, cubic);
	else if (cubic && s->shape != ANIM_SHAPE_PROJECTION && (!s->old_cubics || (!angle && is_old_cubic(s))))
		blend_cubic(s, segment, lanes);
	else if (cubic || angle || mode == ANIM_LINEAR)
		blend_linear(s, segment, lanes);
	else
		return anim_rules_plain.blend(s, mode, segment, out, error);
	anim_value_store(track->type, lanes, out);
	return 0;
}
