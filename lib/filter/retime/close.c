/* close.c: change the tracks of a loop so that their last values are their first ones. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/filter.h"
#include "filter/retime/part.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "math/quaternion.h"

struct closer {
	struct anim_filter filter;
	struct anim_posing *posing;     /* borrowed */
	const struct retime_loop *loop; /* borrowed. Its end is NaN if the clip is not closed */
	struct anim_arena arena;        /* of a track */
};

/* The change of a track: nothing at the first key, the whole at the last key, linear in time between them. */
struct closing {
	double first_s, last_s;
	double vector[ANIM_COMPONENTS_MAX];
	double rotation[4];
	bool rotates;
};

/* Keep the motion over the ground: only the height changes, in the space of the parent. */
static void keep_way(const double above[ANIM_POSE_NUMBERS], double vector[3])
{
	double up = 0, size = 0;

	for (int c = 0; c < 3; c++) {
		up += above[4 + c] * vector[c];
		size += above[c] * above[c] + above[4 + c] * above[4 + c] + above[8 + c] * above[8 + c];
	}
	for (int c = 0; c < 3; c++) /* the inverse of an evenly scaled rotation is its transpose by the squared scale */
		vector[c] = size > 0 ? above[4 + c] * up / (size / 3) : 0;
}

/* Keep the heading: change the target of the end by the twist about the vertical axis from the start to the end. */
static void keep_heading(const double above[ANIM_POSE_NUMBERS], const double start[4], const double end[4],
			 double target[4])
{
	double parent[4], change[4], back[4];

	anim_rows_rotation(parent, above);
	anim_quat_conjugate_double(back, start);
	anim_quat_multiply_double(change, end, back);
	anim_quat_multiply_double(change, parent, change);
	anim_quat_conjugate_double(back, parent);
	anim_quat_multiply_double(change, change, back);
	change[0] = change[2] = 0;
	anim_quat_normalize_double(change);
	anim_quat_multiply_double(target, back, change);
	anim_quat_multiply_double(target, target, parent);
	anim_quat_multiply_double(target, target, start);
}

/* Find the change that closes a track. Returns false if it is closed or stays open. */
static bool find_closing(const struct closer *c, const struct anim_track *track, struct closing *out)
{
	const struct anim_type_info *info = &anim_types[track->type];
	const bool carries = c->loop->carrier != ANIM_POSE_NONE && anim_track_is_transform(track) &&
			     anim_poses_find(&c->posing->poses, c->filter.clip.root, track->node) == c->loop->carrier;
	double ends[2][ANIM_COMPONENTS_MAX] = {{0}}, full = anim_track_full_turn(track), sum = 0;

	*out = (struct closing){anim_track_time(track, 0), anim_track_time(track, track->n - 1),
				.rotates = info->quaternion};
	anim_components(track->type, track->value, 0, ends[0]);
	anim_components(track->type, track->value, track->n - 1, ends[1]);
	if (!(out->last_s > out->first_s) || (carries && (full > 0 || track->component != ANIM_WHOLE)))
		return false;
	if (info->quaternion) {
		double target[4], back[4];

		anim_quat_normalize_double(ends[0]);
		anim_quat_normalize_double(ends[1]);
		memcpy(target, ends[0], sizeof target);
		if (carries)
			keep_heading(c->loop->above, ends[0], ends[1], target);
		anim_quat_conjugate_double(back, ends[1]);
		anim_quat_multiply_double(out->rotation, target, back);
		for (int i = 0; i < 4 && out->rotation[3] < 0; i++)
			out->rotation[i] = -out->rotation[i];
		return fabs(out->rotation[0]) + fabs(out->rotation[1]) + fabs(out->rotation[2]) > 0;
	}
	for (unsigned i = 0; i < info->components; i++) {
		out->vector[i] = ends[0][i] - ends[1][i];
		if (full > 0)
			out->vector[i] -= full * anim_round(out->vector[i] / full);
	}
	if (carries && info->components == 3 && strcmp(track->property, "position") == 0)
		keep_way(c->loop->above, out->vector);
	for (unsigned i = 0; i < info->components; i++)
		sum += fabs(out->vector[i]);
	return sum > 0;
}

/* Return a column with the change at each key, in the arena. Slopes of rotations rotate with them. */
static void *change_column(struct closer *c, const struct anim_track *track, const struct closing *closing,
			   const void *column, struct anim_error *error)
{
	static const double none[4] = {0, 0, 0, 1};
	const struct anim_type_info *info = &anim_types[track->type];
	uint8_t *out = anim_arena_zeroed(&c->arena, track->n, info->size, error);

	for (size_t k = 0; out != NULL && k < track->n; k++) {
		double share = (anim_track_time(track, k) - closing->first_s) / (closing->last_s - closing->first_s);
		double value[ANIM_COMPONENTS_MAX] = {0}, rotation[4];

		anim_components(track->type, column, k, value);
		if (closing->rotates) {
			anim_quat_slerp_double(rotation, none, closing->rotation, share);
			anim_quat_multiply_double(value, rotation, value);
		} else {
			for (unsigned i = 0; i < info->components; i++)
				value[i] += share * closing->vector[i];
		}
		anim_value_store(track->type, value, out + k * info->size);
	}
	return out;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	if (anim_filter_keep(&((struct closer *)sink)->filter, clip, error) != 0)
		return -1;
	return anim_filter_clip(sink, clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct closer *c = (struct closer *)sink;
	struct closing closing;
	struct anim_track out = *track;

	anim_arena_reset(&c->arena);
	if (isnan(c->loop->end_s) || track->n < 2 || !anim_type_is_real(track->type) || anim_track_steps(track) ||
	    (track->flags & (ANIM_DISABLED | ANIM_UNSORTED)) != 0 || !find_closing(c, track, &closing))
		return anim_filter_track(sink, track, error);
	out.record = NULL;
	if ((out.value = change_column(c, track, &closing, track->value, error)) == NULL)
		return -1;
	/* control points are values. Slopes and offsets stay, except in rotations, which change their direction */
	if (track->left != NULL && (closing.rotates || anim_track_has_interp(track, ANIM_CUBIC_BEZIER)) &&
	    ((out.left = change_column(c, track, &closing, track->left, error)) == NULL ||
	     (out.right = change_column(c, track, &closing, track->right, error)) == NULL))
		return -1;
	return anim_filter_track(sink, &out, error);
}

static void on_free(struct anim_sink *sink)
{
	anim_arena_clear(&((struct closer *)sink)->arena);
	anim_filter_free(sink);
}

struct anim_sink *retime_closer_new(struct anim_posing *posing, const struct retime_loop *loop, struct anim_sink *next,
				    struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = on_clip, .track = on_track, .free = on_free};
	struct closer *c = anim_filter_new(sizeof *c, &ops, next, error);

	if (c == NULL)
		return NULL;
	c->posing = posing;
	c->loop = loop;
	return &c->filter.sink;
}
