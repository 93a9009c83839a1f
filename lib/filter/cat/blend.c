/* blend.c: clips one after another that overlap, with a blend from each to the next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/limits.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/cat/join.h"
#include "filter/common/affine.h"
#include "filter/common/posing.h"
#include "filter/convert/convert.h"
#include "filter/filter.h"
#include "filter/rename/rename.h"
#include "filter/retime/retime.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define RATE 60   /* keys per second of blended curves */
#define NEAR 1e-6 /* a smaller motion, in radians and units, is rounding */

/* ---- The place of the body, and the motion that brings one body to another ---- */

struct blend {
	const struct anim_join_work *work;
	struct anim_store *whole; /* the complete clips, each in its new place */
	struct anim_store *made;
	struct anim_posing posing; /* the tree of the group */
	uint32_t body;             /* ANIM_POSE_NONE: unknown, so that clips are not moved */
	/* How the current clip moves. */
	bool *varies;       /* of each node: a track of its transform changes, or it is the body */
	bool moves;         /* it is not the first clip */
	double yaw, way[3]; /* x and z of the way after the rotation about the origin */
	struct anim_arena arena;
};

/* Compute the place and the rotation of the body at a time of a clip. Returns 0 or -1. */
static int find_body(struct blend *b, struct anim_store *store, size_t number, double time_s, double place[3],
		     double rotation[4], struct anim_error *error)
{
	const double *m;

	anim_posing_begin_at(&b->posing, anim_store_clip(store, number), time_s, time_s, 1);
	if (anim_posing_clip(&b->posing, store, number, error) != 0 ||
	    anim_poses_tile(&b->posing.poses, 0, 1, error) != 0)
		return -1;
	m = anim_poses_at(&b->posing.poses, b->body, 0);
	for (int c = 0; c < 3; c++)
		place[c] = m[4 * c + 3];
	anim_rows_rotation(rotation, m);
	return 0;
}

/* Find the nodes that a clip moves, and choose the body: the hips, otherwise the first of these nodes. Returns 0 or -1. */
static int find_moving(struct blend *b, struct anim_store *store, size_t number, struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(store, number);
	struct anim_poses *poses = &b->posing.poses;

	b->body = ANIM_POSE_NONE;
	b->varies = anim_arena_zeroed(&b->arena, anim_poses_count(poses) + 1, sizeof *b->varies, error);
	if (b->varies == NULL)
		return -1;
	anim_posing_begin_at(&b->posing, clip, 0, 0, 1);
	for (size_t i = 0; i < anim_store_tracks(store, number); i++) {
		struct anim_track track;
		uint32_t node;

		if (anim_store_read(store, number, i, &track, error) != 0)
			return -1;
		node = anim_posing_node(&b->posing, clip, &track);
		for (size_t k = 1; node != ANIM_POSE_NONE && k < track.n && !b->varies[node]; k++)
			b->varies[node] = !anim_value_equal(track.type, anim_value_at(&track, 0, NULL),
							    anim_value_at(&track, k, NULL));
	}
	for (uint32_t n = 0; n < anim_poses_count(poses); n++) {
		struct anim_bone_guess guess = {.doubtful = false};
		bool hips = anim_bone_of_name(&guess, anim_node_own_name(anim_poses_path(poses, n))) &&
			    guess.bones[0] == ANIM_BONE_HIPS;

		if (anim_poses_is_flat(poses, n) || (!hips && (!b->varies[n] || b->body != ANIM_POSE_NONE)))
			continue;
		b->body = n;
		if (hips)
			break;
	}
	if (b->body != ANIM_POSE_NONE)
		b->varies[b->body] = true;
	return 0;
}

/* Find the motion that brings the body at one time of a clip to its place in the clip before it. Returns 0 or -1. */
static int find_motion(struct blend *b, size_t before, double before_s, size_t number, double time_s,
		       struct anim_error *error)
{
	double place[2][3], rotation[2][4], change[4], rotated[3];

	b->moves = false;
	if (find_moving(b, b->work->store, number, error) != 0)
		return -1;
	if (b->body == ANIM_POSE_NONE)
		return 0;
	if (find_body(b, b->whole, before, before_s, place[0], rotation[0], error) != 0 ||
	    find_body(b, b->work->store, number, time_s, place[1], rotation[1], error) != 0)
		return -1;
	anim_quat_conjugate_double(change, rotation[1]);
	anim_quat_multiply_double(change, rotation[0], change);
	b->yaw = 2 * anim_atan2(change[1], change[3]);
	anim_sincos(b->yaw / 2, &change[1], &change[3]);
	change[0] = change[2] = 0;
	anim_quat_rotate_double(rotated, change, place[1]);
	b->way[0] = place[0][0] - rotated[0];
	b->way[1] = 0;
	b->way[2] = place[0][2] - rotated[2];
	b->moves = fabs(b->yaw) + fabs(b->way[0]) + fabs(b->way[2]) > NEAR;
	return 0;
}

/* ---- Moving a clip ---- */

/* A sink in front of a store (borrowed) that moves the topmost nodes of the clips that pass, if the blend does. */
struct mover {
	struct anim_sink sink;
	struct blend *blend;
	struct anim_store *to;
	struct anim_clip clip;
	struct anim_arena clip_arena;
	struct anim_buffer columns[ANIM_COLUMN_COUNT];
};

static int mover_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct mover *mover = (struct mover *)sink;

	anim_arena_reset(&mover->clip_arena);
	if (anim_clip_copy(&mover->clip, clip, &mover->clip_arena, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(mover->to), clip, error);
}

/* Return whether a node moves, but nothing above it. */
static bool carries(const struct blend *b, uint32_t node)
{
	bool found = b->varies[node];

	while (found && (node = anim_poses_parent(&b->posing.poses, node)) != ANIM_POSE_NONE)
		found = !b->varies[node];
	return found;
}

/* Compute the motion in the space of a node's parent: for positions, or for rotations. */
static void motion_of(const struct blend *b, uint32_t node, bool rotation, struct anim_affine *out)
{
	const uint32_t parent = anim_poses_parent(&b->posing.poses, node);
	struct anim_rows above = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, back, motion;
	double half[4] = {0}, own[4], inverse[4];
	static const double none[4] = {0, 0, 0, 1};

	if (parent != ANIM_POSE_NONE)
		memcpy(above.row, anim_poses_at(&b->posing.poses, parent, 0), sizeof above.row);
	anim_sincos(b->yaw / 2, &half[1], &half[3]);
	if (rotation) {
		anim_rows_rotation(own, above.row[0]);
		anim_quat_conjugate_double(inverse, own);
		anim_quat_multiply_double(half, half, own);
		anim_quat_multiply_double(half, inverse, half);
		anim_affine_rotation(out, half, none);
		return;
	}
	for (int c = 0; c < 3; c++) {
		double axis[3] = {c == 0, c == 1, c == 2};

		anim_quat_rotate_double(axis, half, axis);
		for (int i = 0; i < 3; i++)
			motion.row[i][c] = axis[i];
		motion.row[c][3] = b->way[c];
	}
	back = above;
	anim_rows_invert(&back);
	motion = anim_rows_multiply(&motion, &above);
	motion = anim_rows_multiply(&back, &motion);
	anim_affine_basis(out, motion.row[0]);
	for (int i = 0; i < 3; i++)
		out->offset[i] = motion.row[i][3];
}

static int mover_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct mover *mover = (struct mover *)sink;
	struct blend *b = mover->blend;
	const bool rotation = strcmp(track->property, "rotation") == 0,
		   position = strcmp(track->property, "position") == 0;
	uint32_t node = b->moves ? anim_posing_node(&b->posing, &mover->clip, track) : ANIM_POSE_NONE;
	struct anim_track out = *track;
	struct anim_affine affine;
	int done = 1;

	if (node != ANIM_POSE_NONE && strcmp(track->property, "scale") != 0 && carries(b, node) &&
	    !anim_poses_is_flat(&b->posing.poses, node)) {
		if (track->component != ANIM_WHOLE || (track->flags & ANIM_REST_RELATIVE) != 0 ||
		    !(rotation || position))
			return anim_track_refuse(
			    track, "cannot be turned to the heading of the clip before it; " ANIM_ADVICE(BAKE), error);
		motion_of(b, node, rotation, &affine);
		done = anim_affine_track(&affine, track, mover->columns, &out, error);
		if (done == 0)
			return anim_track_refuse(
			    track, "cannot be turned to the heading of the clip before it; " ANIM_ADVICE(BAKE), error);
	}
	return done < 0 ? -1 : anim_sink_track(anim_store_sink(mover->to), &out, error);
}

static void mover_free(struct anim_sink *sink)
{
	struct mover *mover = (struct mover *)sink;

	anim_arena_clear(&mover->clip_arena);
	for (int i = 0; i < ANIM_COLUMN_COUNT; i++)
		anim_buffer_clear(&mover->columns[i]);
	free(sink);
}

/* Copy a clip, or a part of it if a range is given, from one store to another. Returns 0 or -1. */
static int copy_clip(struct blend *b, struct anim_store *from, size_t number, const struct anim_time_range *range,
		     struct anim_store *to, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = mover_clip, .track = mover_track, .free = mover_free};
	const struct anim_retime_options options = {
	    .ranges = range, .range_count = 1, .tol = ANIM_TOLERANCE, .diagnostics = b->work->diagnostics};
	struct mover *mover = anim_sink_new(sizeof *mover, &ops, error);
	struct anim_sink *sink = NULL;
	int result;

	if (mover == NULL)
		return -1;
	mover->blend = b;
	mover->to = to;
	sink = range == NULL ? &mover->sink : anim_retime_new(&options, &mover->sink, error);
	result = sink == NULL ? -1 : anim_store_replay(from, number, NULL, sink, error);
	anim_sink_free(sink);
	return result;
}

/* ---- The blends ---- */

/* Blend two values of a track: by slerp, or by a line, for angles the short way. */
static void blend_values(const struct anim_track *track, const double a[], const double b[], double weight,
			 double out[])
{
	const struct anim_type_info *info = &anim_types[track->type];
	const double turn = anim_track_full_turn(track);

	if (info->quaternion) {
		anim_quat_slerp_double(out, a, b, weight);
		return;
	}
	for (unsigned i = 0; i < info->components; i++) {
		double step = b[i] - a[i];

		step -= turn > 0 ? turn * anim_round(step / turn) : 0;
		out[i] = a[i] + weight * step;
	}
}

/*
 * Write a track of the blend: `one` from `from_s` on becomes `other` from its clip's start on, within blend_s. Tracks that do
 * not blend have none. Returns 0 or -1.
 */
static int blend_track(struct blend *b, const size_t clips[2], const struct anim_track tracks[2], double from_s,
		       double blend_s, struct anim_error *error)
{
	const struct anim_track *one = &tracks[0], *other = &tracks[1];
	const struct anim_clip *heads[2] = {anim_store_clip(b->whole, clips[0]), anim_store_clip(b->whole, clips[1])};
	const double starts[2] = {from_s, (double)heads[1]->start_s};
	const double rate = one->kind == ANIM_RAW ? 1 / anim_track_step(one) : RATE;
	const size_t count = (size_t)fmax(1, anim_round(blend_s * rate));
	struct anim_keys keys = {0};
	struct anim_track out = *one;
	union {
		double align;
		uint8_t bytes[ANIM_VALUE_MAX];
	} stored;
	int result = 0;

	if (one->kind != other->kind || one->type != other->type || !anim_type_is_real(one->type) || one->n == 0 ||
	    other->n == 0 || anim_track_is_event(one) || anim_track_steps(one) || anim_track_steps(other) ||
	    ((one->flags | other->flags) & ANIM_DISABLED) != 0)
		return 0;
	if (count > ANIM_SAMPLES_MAX)
		return anim_track_refuse(one, "has too many samples in the blend", error);
	anim_keys_reset(&keys, one->type);
	for (size_t k = 0; k <= count && result == 0; k++) {
		double share = (double)k / (double)count, values[2][ANIM_COMPONENTS_MAX],
		       mixed[ANIM_COMPONENTS_MAX] = {0};
		int seen = 1;

		for (int side = 0; side < 2 && seen > 0; side++)
			seen = anim_sample_one(heads[side], &tracks[side], starts[side] + share * blend_s, values[side],
					       error);
		if (seen <= 0) {
			result = seen;
			continue;
		}
		blend_values(one, values[0], values[1], share * share * (3 - 2 * share), mixed);
		anim_value_store(one->type, mixed, stored.bytes);
		result = one->kind == ANIM_RAW
			     ? anim_keys_add_sample(&keys, stored.bytes, error)
			     : anim_keys_add(&keys, (float)(share * blend_s), stored.bytes, ANIM_LINEAR, error);
	}
	out.record = NULL;
	out.start_s = 0;
	out.flags &= ~(ANIM_LAST_AT_END | ANIM_UNSORTED | ANIM_LOOP_WRAP_KEYS);
	out.pre = out.post = ANIM_EXTRAPOLATION_HOLD;
	anim_keys_finish(&keys, &out);
	if (result == 0 && keys.n > 0)
		result = anim_sink_track(anim_store_sink(b->made), &out, error);
	anim_keys_clear(&keys);
	return result;
}

/* Write the clip of the blend from one complete clip to the next. Returns 0 or -1. */
static int blend_clips(struct blend *b, size_t number, double from_s, double blend_s, struct anim_error *error)
{
	const size_t clips[2] = {number, number + 1};
	struct anim_clip head = *anim_store_clip(b->whole, number);

	head.start_s = 0;
	head.end_s = (float)blend_s;
	head.record = NULL;
	if (anim_sink_clip(anim_store_sink(b->made), &head, error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_tracks(b->whole, number); i++) {
		const struct anim_store_track *at = anim_store_track_at(b->whole, number, i);
		ptrdiff_t same = anim_store_find(b->whole, number + 1, 0, at->node, at->property);
		struct anim_track tracks[2], read;

		/* the track of the next clip with the same node, property and component */
		while (same >= 0 && anim_store_track_at(b->whole, number + 1, (size_t)same)->component != at->component)
			same = anim_store_find(b->whole, number + 1, (size_t)same + 1, at->node, at->property);
		if (same < 0)
			continue;
		anim_arena_reset(&b->arena);
		if (anim_store_read(b->whole, number, i, &read, error) != 0 ||
		    anim_track_copy(&tracks[0], &read, &b->arena, error) != 0 ||
		    anim_store_read(b->whole, number + 1, (size_t)same, &tracks[1], error) != 0 ||
		    blend_track(b, clips, tracks, from_s, blend_s, error) != 0)
			return -1;
	}
	return 0;
}

/* Return the blend in whole frames of the first sampled track of a clip, or unchanged. */
static double whole_frames(const struct anim_store *store, size_t number, double blend_s)
{
	for (size_t i = 0; i < anim_store_tracks(store, number); i++) {
		const struct anim_store_track *track = anim_store_track_at(store, number, i);
		double step = track->rate_num > 0 ? (double)track->rate_den / track->rate_num : track->step_s;

		if (track->kind == ANIM_RAW && track->n > 1 && step > 0)
			return fmax(1, anim_round(blend_s / step)) * step;
	}
	return blend_s;
}

/* Append a part of the new group for the last clip of the new store. Returns 0 or -1. */
static int add_part(struct blend *b, const struct anim_join_part *like, struct anim_join_group *group,
		    struct anim_arena *arena, struct anim_error *error)
{
	struct anim_join_part *part = anim_arena_zeroed(arena, 1, sizeof *part, error);

	if (part == NULL)
		return -1;
	*part = *like;
	part->next = NULL;
	part->clip = anim_store_clips(b->made) - 1;
	if (group->last == NULL)
		group->first = part;
	else
		group->last->next = part;
	group->last = part;
	group->count++;
	return 0;
}

int join_blend(const struct anim_join_work *work, const struct anim_join_group *group, double blend_s,
	       struct anim_join_group *out, struct anim_store **made, size_t store_memory, struct anim_arena *arena,
	       struct anim_error *error)
{
	struct blend b = {.work = work, .body = ANIM_POSE_NONE};
	size_t at = 0;
	int result = -1;

	memset(out, 0, sizeof *out);
	out->tree = group->tree;
	anim_poses_init(&b.posing.poses, store_memory);
	b.whole = anim_store_new(store_memory, error);
	*made = b.made = b.whole == NULL ? NULL : anim_store_new(store_memory, error);
	if (b.made == NULL)
		goto done;
	for (size_t i = 0; group->tree != NULL && i < group->tree->count; i++)
		if (anim_poses_add(&b.posing.poses, &group->tree->nodes[i], error) != 0)
			goto done;
	if (anim_rests_check(&b.posing.poses.rests, error) != 0)
		goto done;

	/* the complete clips, each in its new place */
	blend_s = whole_frames(work->store, group->first->clip, blend_s);
	for (const struct anim_join_part *part = group->first; part != NULL; part = part->next, at++) {
		const struct anim_clip *clip = anim_store_clip(work->store, part->clip);
		double length_s = (double)clip->end_s - (double)clip->start_s;

		if (!(length_s > (at > 0 && part->next != NULL ? 2 : 1) * blend_s)) {
			(void)anim_fail(
			    error, ANIM_UNSUPPORTED,
			    "clip '%.100s' of %.100s lasts %.6g s, which is too short for a blend of %.6g s",
			    clip->name, part->file, length_s, blend_s);
			goto done;
		}
		anim_arena_reset(&b.arena);
		if (at > 0 && find_motion(&b, at - 1, (double)anim_store_clip(b.whole, at - 1)->end_s - blend_s / 2,
					  part->clip, (double)clip->start_s + blend_s / 2, error) != 0)
			goto done;
		if (copy_clip(&b, work->store, part->clip, NULL, b.whole, error) != 0)
			goto done;
	}

	/* their parts outside of the blends, and the blends */
	b.moves = false;
	at = 0;
	for (const struct anim_join_part *part = group->first; part != NULL; part = part->next, at++) {
		const struct anim_clip *clip = anim_store_clip(b.whole, at);
		double start_s = (double)clip->start_s + (at > 0 ? blend_s : 0),
		       end_s = (double)clip->end_s - (part->next != NULL ? blend_s : 0);

		if (copy_clip(&b, b.whole, at, &(struct anim_time_range){true, false, start_s, end_s}, b.made, error) !=
			0 ||
		    add_part(&b, part, out, arena, error) != 0)
			goto done;
		if (part->next != NULL &&
		    (blend_clips(&b, at, end_s, blend_s, error) != 0 || add_part(&b, part, out, arena, error) != 0))
			goto done;
	}
	result = 0;
done:
	anim_store_free(b.whole);
	anim_posing_clear(&b.posing);
	anim_arena_clear(&b.arena);
	return result;
}
