/* constant.c: whether a track ever changes. */
#include "filter/select/constant.h"

#include <math.h>
#include <string.h>

#include "clip/keys.h"

static bool strings_are_equal(const struct anim_strings *strings, size_t n)
{
	for (size_t k = 1; k < n; k++) {
		if (strings->length[k] != strings->length[0])
			return false;
		if (strings->length[k] != ANIM_NULL_STRING &&
		    memcmp(strings->bytes + strings->start[k], strings->bytes + strings->start[0],
			   strings->length[k]) != 0)
			return false;
	}
	return true;
}

/* Element k has the lanes of element 0 in both columns: with two columns, handles that lie on their keys. */
static bool is_same(const struct anim_track *track, const void *column, size_t k)
{
	unsigned lanes = anim_types[track->type].lanes;

	for (unsigned lane = 0; lane < lanes; lane++) {
		enum anim_scalar scalar = anim_types[track->type].scalar;

		/* 64-bit integers are more than a double holds. */
		if (scalar != ANIM_SCALAR_F32 && scalar != ANIM_SCALAR_F64) {
			if (anim_lane_integer(track->type, column, k, lane) !=
			    anim_lane_integer(track->type, track->value, 0, lane))
				return false;
		} else if (!(anim_lane(track->type, column, k, lane) ==
			     anim_lane(track->type, track->value, 0, lane))) {
			return false;
		}
	}
	return true;
}

/* Slopes or offsets of element k are 0; an infinite or NaN slope steps its lane and moves it no more than 0. */
static bool is_flat(const struct anim_track *track, const void *column, size_t k, bool steps)
{
	for (unsigned lane = 0; lane < anim_types[track->type].lanes; lane++) {
		double slope = anim_lane(track->type, column, k, lane);

		if (slope != 0 && !(steps && !isfinite(slope)))
			return false;
	}
	return true;
}

/* Nothing that the mode reads of key k's side `column` (left or right) moves the value. */
static bool is_still(const struct anim_track *track, enum anim_interp mode, const void *column, size_t k)
{
	switch (mode) {
	case ANIM_HERMITE:
	case ANIM_WEIGHTED:
		return is_flat(track, column, k, true);
	case ANIM_TANGENT:
	case ANIM_BEZIER_2D:
		return is_flat(track, column, k, false);
	case ANIM_CUBIC_BEZIER:
		return is_same(track, column, k);
	default:
		return true;
	}
}

bool anim_track_is_constant(const struct anim_track *track)
{
	if (track->n == 0)
		return true;
	if (anim_track_is_event(track))
		return false;
	if (track->type == ANIM_STRING)
		return strings_are_equal(track->strings, track->n);
	for (size_t k = 0; k < track->n; k++)
		if (!is_same(track, track->value, k))
			return false;
	for (size_t k = 0; k + 1 < track->n && track->kind == ANIM_CURVE; k++) {
		enum anim_interp mode = anim_track_interp(track, k);

		if (!is_still(track, mode, track->right, k) || !is_still(track, mode, track->left, k + 1))
			return false;
	}
	return true;
}
