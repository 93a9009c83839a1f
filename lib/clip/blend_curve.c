/* blend_curve.c: curves with tangents or handles, one lane at a time, solved in double. */
#include <math.h>

#include "clip/blend.h"
#include "clip/lane.h"
#include "math/bezier.h"
#include "math/cubic.h"

/* A lane of a segment: its keys and what the columns say of its inner ends. */
struct span {
	double from, to, right, left; /* values; right of the first key, left of the second */
	double duration, weight;
};

static double slope_curve(const struct span *s)
{
	if (!isfinite(s->right) || !isfinite(s->left))
		return s->from;
	return anim_hermite(s->from, s->right, s->to, s->left, s->duration, s->weight);
}

static bool is_weighted(const struct anim_track *track, const float *column, size_t key, int bit)
{
	return column != NULL && track->weighted != NULL && (track->weighted[key] & bit) != 0;
}

/* The share of the segment that a handle takes; lanes side by side as in the value. */
static double handle_share(const struct anim_track *track, const float *column, size_t key, unsigned lane, int bit)
{
	if (!is_weighted(track, column, key, bit))
		return 1.0 / 3.0;
	return (double)column[key * anim_types[track->type].lanes + lane];
}

static double weighted_curve(const struct anim_track *track, const struct anim_segment *segment, unsigned lane,
			     const struct span *s)
{
	double right = handle_share(track, track->right_x, segment->from, lane, 2);
	double left = handle_share(track, track->left_x, segment->to, lane, 1);
	double u;

	if (!isfinite(s->right) || !isfinite(s->left))
		return s->from;
	if (!is_weighted(track, track->right_x, segment->from, 2) && !is_weighted(track, track->left_x, segment->to, 1))
		return slope_curve(s);
	u = anim_bezier_parameter(0, right, 1 - left, 1, s->weight);
	return anim_bezier(s->from, s->from + s->right * right * s->duration, s->to - s->left * left * s->duration,
			   s->to, u);
}

static double handle_curve(const struct anim_track *track, const struct anim_segment *segment, const struct span *s)
{
	double x1 = (double)track->right_x[segment->from];
	double x2 = s->duration + (double)track->left_x[segment->to];
	double u = anim_bezier_parameter(0, x1, x2, s->duration, s->weight * s->duration);

	return anim_bezier(s->from, s->from + s->right, s->to + s->left, s->to, u);
}

static double curve_lane(const struct anim_track *track, enum anim_interp mode, const struct anim_segment *segment,
			 unsigned lane)
{
	const struct span s = {anim_lane(track->type, track->value, segment->from, lane),
			       anim_lane(track->type, track->value, segment->to, lane),
			       anim_lane(track->type, track->right, segment->from, lane),
			       anim_lane(track->type, track->left, segment->to, lane),
			       segment->duration,
			       segment->weight};

	switch (mode) {
	case ANIM_HERMITE:
		return slope_curve(&s);
	case ANIM_WEIGHTED:
		return weighted_curve(track, segment, lane, &s);
	case ANIM_CUBIC_BEZIER:
		return anim_bezier(s.from, s.right, s.left, s.to, s.weight);
	default:
		return handle_curve(track, segment, &s);
	}
}

void anim_normalize(double q[ANIM_LANES_MAX])
{
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

	for (int i = 0; i < 4 && length > 0 && length < INFINITY; i++)
		q[i] /= length;
}

bool anim_blend_curve(const struct anim_track *track, enum anim_interp mode, const struct anim_segment *segment,
		      double out[ANIM_LANES_MAX])
{
	if (mode != ANIM_HERMITE && mode != ANIM_WEIGHTED && mode != ANIM_CUBIC_BEZIER && mode != ANIM_BEZIER_2D)
		return false;
	for (unsigned lane = 0; lane < anim_types[track->type].lanes; lane++)
		out[lane] = segment->from == segment->to ? anim_lane(track->type, track->value, segment->from, lane)
							 : curve_lane(track, mode, segment, lane);
	if (anim_types[track->type].quaternion)
		anim_normalize(out);
	return true;
}
