/* angle.c: what only turns about z as one angle that runs the other way round, as Godot counts it. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/axes/internal.h"
#include "math/elementary.h"

static enum axes_verdict warn(struct axes *a, const struct anim_track *track, const char *many, const char *one,
			      struct anim_error *error)
{
	int status = anim_losses_add(a->options.losses, ANIM_WARNING, NULL, many, error, "'%s %s' %s", track->node,
				     track->property, one);

	return status != 0 ? AXES_FAILED : AXES_PASS;
}

enum axes_verdict axes_stays_in_space(struct axes *a, const struct anim_track *track, struct anim_error *error)
{
	return warn(a, track, "tracks turn about x or y, which two dimensions do not; they stay as they are",
		    "turns about x or y, which two dimensions do not; it stays as it is", error);
}

/* True where a lane of the column is never far from 0; infinite slopes only step. */
static bool is_still(const struct anim_track *track, const void *column, unsigned lane, double most)
{
	for (size_t k = 0; column != NULL && k < track->n; k++) {
		double number = fabs(anim_lane(track->type, column, k, lane));

		if (number > most && isfinite(number))
			return false;
	}
	return true;
}

static bool turns_in_plane(const struct anim_track *track, double most)
{
	for (unsigned lane = 0; lane < 2; lane++)
		if (!is_still(track, track->value, lane, most) || !is_still(track, track->left, lane, most) ||
		    !is_still(track, track->right, lane, most))
			return false;
	return true;
}

/* The names of an angle; `order` says nothing of one. */
static int name_angle(struct axes *a, const struct anim_track *track, struct anim_track *out, struct anim_error *error)
{
	out->property = "angle";
	out->component = ANIM_WHOLE;
	if (anim_attrs_get(&track->attrs, "order") == NULL)
		return 0;
	return anim_attrs_with(&out->attrs, &track->attrs, "order", NULL, &a->track_arena, error);
}

enum axes_verdict axes_angle_of_euler(struct axes *a, const struct anim_track *track, struct anim_track *out,
				      struct anim_error *error)
{
	double most = track->flags & ANIM_DEGREES ? AXES_LEAN * 180 / ANIM_PI : AXES_LEAN;
	struct axes_map map;

	axes_map_init(&map, 1);
	map.factor[0] = -1;
	if (track->component == ANIM_WHOLE) {
		if (!turns_in_plane(track, most))
			return axes_stays_in_space(a, track, error);
		map.from[0] = 2;
	}
	if (axes_map_track(&map, track, anim_type_of_lane(track->type), a->columns, out, error) != 0)
		return AXES_FAILED;
	return name_angle(a, track, out, error) != 0 ? AXES_FAILED : AXES_CHANGED;
}

/*
 * Between keys an angle takes the course of a quaternion where nothing comes between them, or both go linearly: where the
 * quaternion's player goes the shortest way at an even pace.
 */
static bool goes_evenly(const struct anim_track *track)
{
	bool slerps = track->rules != ANIM_RULES_UNITY && track->rules != ANIM_RULES_RESONITE;

	for (size_t k = 0; track->kind == ANIM_CURVE && k + 1 < track->n; k++) {
		enum anim_interp interp = anim_track_interp(track, k);

		if (interp != ANIM_HOLD && (interp != ANIM_LINEAR || !slerps || track->ease != NULL))
			return false;
	}
	return true;
}

/* The angle of key k, on the side of the one before it. */
static double angle_of(const struct anim_track *track, size_t k, double before)
{
	double z = anim_lane(track->type, track->value, k, 2), w = anim_lane(track->type, track->value, k, 3);
	double angle = 0.0 - 2 * anim_atan2(z, w);

	return angle + ANIM_TAU * anim_round((before - angle) / ANIM_TAU);
}

static int fill_angles(struct axes *a, const struct anim_track *track, struct anim_track *out, struct anim_error *error)
{
	bool doubles = anim_types[track->type].scalar == ANIM_SCALAR_F64;
	size_t size = doubles ? sizeof(double) : sizeof(float), bytes;
	struct anim_buffer *buffer = &a->columns[AXES_VALUE];
	double angle = 0;

	buffer->size = 0;
	if (anim_size_multiply(track->n, size, &bytes, error) != 0 || anim_buffer_extend(buffer, bytes, error) == NULL)
		return -1;
	for (size_t k = 0; k < track->n; k++) {
		angle = angle_of(track, k, isfinite(angle) ? angle : 0);
		if (doubles)
			((double *)(void *)buffer->data)[k] = angle;
		else
			((float *)(void *)buffer->data)[k] = (float)angle;
	}
	out->value = buffer->data;
	return 0;
}

enum axes_verdict axes_angle_of_rotation(struct axes *a, const struct anim_track *track, struct anim_track *out,
					 struct anim_error *error)
{
	if (!turns_in_plane(track, AXES_LEAN))
		return axes_stays_in_space(a, track, error);
	if (!goes_evenly(track))
		return warn(a, track,
			    "tracks turn by curves of quaternions, which no angle follows exactly; they stay as "
			    "they are: put anim-resample 30 before this",
			    "turns by curves of quaternions, which no angle follows exactly; it stays as it is: put "
			    "anim-resample 30 before this",
			    error);
	if (track->n > 0 && fill_angles(a, track, out, error) != 0)
		return AXES_FAILED;
	out->record = NULL;
	out->type = anim_type_of_lane(track->type);
	out->left = out->right = NULL;
	out->left_x = out->right_x = out->ease = NULL;
	out->weighted = NULL;
	return name_angle(a, track, out, error) != 0 ? AXES_FAILED : AXES_CHANGED;
}
