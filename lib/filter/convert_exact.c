/* convert_exact.c: segments that are the same curve under another mode, without loss. */
#include "filter/convert_exact.h"

#include <math.h>

#include "clip/lane.h"

/* True where a share of the segment is a third up to the rounding of a float. */
static bool is_third(double share)
{
	return fabs(share - 1.0 / 3) < 1e-6;
}

/* Sides that are not weighted count a third. */
static bool has_thirds(const struct anim_track *track, size_t k, unsigned lanes)
{
	bool right = track->weighted != NULL && (track->weighted[k] & 2) && track->right_x != NULL;
	bool left = track->weighted != NULL && (track->weighted[k + 1] & 1) && track->left_x != NULL;

	for (unsigned i = 0; i < lanes; i++)
		if ((right && !is_third((double)track->right_x[k * lanes + i])) ||
		    (left && !is_third((double)track->left_x[(k + 1) * lanes + i])))
			return false;
	return true;
}

static bool is_even(const struct anim_track *track, enum anim_interp mode, size_t k, double duration)
{
	if (mode == ANIM_WEIGHTED)
		return has_thirds(track, k, anim_types[track->type].lanes);
	if (mode == ANIM_BEZIER_2D)
		return is_third((double)track->right_x[k] / duration) &&
		       is_third(-(double)track->left_x[k + 1] / duration);
	return mode == ANIM_HERMITE || mode == ANIM_TANGENT || mode == ANIM_CUBIC_BEZIER;
}

bool convert_exact(const struct anim_track *track, size_t k, double inner[2][ANIM_LANES_MAX])
{
	enum anim_interp mode = anim_track_interp(track, k);
	double duration = (double)track->time[k + 1] - (double)track->time[k], reach;

	if (!(duration > 0) || track->left == NULL || track->right == NULL || !is_even(track, mode, k, duration))
		return false;
	reach = mode == ANIM_BEZIER_2D ? 1 : mode == ANIM_TANGENT ? 1.0 / 3 : duration / 3;
	for (unsigned i = 0; i < anim_types[track->type].lanes; i++) {
		double right = anim_lane(track->type, track->right, k, i);
		double left = anim_lane(track->type, track->left, k + 1, i);

		if (!isfinite(right) || !isfinite(left))
			return false;
		inner[0][i] = right;
		inner[1][i] = left;
		if (mode == ANIM_CUBIC_BEZIER)
			continue;
		inner[0][i] = anim_lane(track->type, track->value, k, i) + right * reach;
		inner[1][i] =
		    anim_lane(track->type, track->value, k + 1, i) + (mode == ANIM_BEZIER_2D ? left : -left) * reach;
	}
	return true;
}
