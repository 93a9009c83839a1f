/* reduce.c: the filter, which reduces tracks one by one, or those of a skeleton together; its limits and messages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/number.h"
#include "base/print.h"
#include "filter/common/rotations.h"
#include "filter/convert/convert.h"
#include "filter/filter.h"
#include "filter/reduce/joints.h"
#include "filter/reduce/sinks.h"
#include "filter/select.h"
#include "stream/archive.h"

#define COLUMN 110 /* bytes of JSON that describe a column of numbers in a glTF file */

/*
 * The rotations of one clip. The first three members are set before it begins and stay. If the others are zero, it
 * is empty.
 */
struct reduce_instead {
	struct anim_rests *rests; /* of the tree; borrowed */
	size_t memory;            /* of each store */
	bool hermite;             /* the player of the result may have slopes */
	struct anim_store *original, *rotations;
	struct anim_store *mixed; /* the original's tracks, with rotations for those that are used */
	size_t *place;            /* for original tracks: the rotation of which they become a part; SIZE_MAX: none */
	size_t *keys;             /* for rotations: number of keys of their Euler angles */
	uint8_t *refused;         /* for rotations: the angles stay */
};

struct reduce {
	struct anim_filter filter;
	struct anim_reduce_options options;
	struct reduce_limits limits;
	struct reduce_sum sum; /* of earlier programs */
	bool sum_written;
	struct anim_poses tree;
	struct anim_poses poses[2]; /* of the moving part of the tree: for the source and the result */
	char *used_root;            /* of the clips whose joints were matched with overrides; owned */
	struct anim_arena clip_arena;
	struct anim_clip clip;
	const struct anim_scope *scope;
	bool in_clip;
	struct anim_store *store; /* for the tracks of the clip that wait for each other; NULL: none */
	struct reduce_work work;
	struct reduce_instead instead;
	struct anim_sink *to;     /* of the tracks (borrowed) */
	struct anim_store *trees; /* the last tree, for options.measure */
	/* of the clip */
	uint64_t bytes[2]; /* before and after (0: unknown) */
	struct reduce_budget budget;
	struct reduce_scene scene;
	uint64_t before, after;
	double
	    worst[ANIM_UNIT_COUNT]; /* the largest bounds of tracks by themselves: m, pixels, degrees, plain numbers */
	bool in_space;              /* its joints are compared in space when all tracks have arrived */
	size_t packed_tracks;       /* tracks of all clips whose sizes in an archive were compared */
	size_t packed_before, packed_after;
	size_t reported;             /* clips so far */
	bool changed;                /* a track has changed */
	bool noisy;                  /* cubics are not tried for the joints: see is_noisy */
	struct reduce_proof *proofs; /* for its joints: first the joints without an override, then by override */
};

/* ---- Tracks that only step lose the keys that change nothing ---- */

static bool is_stepping(const struct anim_track *track)
{
	return track->type != ANIM_STRING && track->n > 1 && track->kind != ANIM_RAW && anim_track_steps(track) &&
	       !anim_track_is_event(track) && !(track->flags & (ANIM_UNSORTED | ANIM_DISABLED));
}

/* Leave out keys with the value of the key before. Returns 0 or -1. */
static int drop_equal(struct reduce *r, const struct anim_track *track, struct anim_track *out,
		      struct anim_error *error)
{
	size_t size = anim_types[track->type].size;
	const uint8_t *value = track->value;

	anim_keys_reset(&r->work.keys, track->type);
	for (size_t k = 0; k < track->n; k++)
		if ((k == 0 || !anim_value_equal(track->type, value + k * size, value + (k - 1) * size)) &&
		    anim_keys_add_part(&r->work.keys, track, k, 1, 0, error) != 0)
			return -1;
	*out = *track;
	anim_keys_finish(&r->work.keys, out);
	return 0;
}

/* ---- One track ---- */

/* Return true if all keys are kept, and the result's player shows the same values between them as the track's own. */
static bool is_same(const struct reduce *r, const struct anim_track *track, const struct anim_track *out, bool cubic)
{
	bool alike = !anim_types[track->type].quaternion || anim_rules_blend_components(&r->clip, track->rules) ==
								anim_rules_blend_components(&r->clip, out->rules);

	return out->n >= track->n && (reduce_is_curved(track) || (alike && !cubic));
}

/* Reduce a track into `out`. Sets *holds if the error is at most the limit. Returns 0 or -1. */
static int try_one(struct reduce *r, const struct anim_track *track, const struct reduce_job *job,
		   enum reduce_metric metric, struct anim_track *out, double *bound, bool *holds,
		   struct anim_error *error)
{
	struct reduce_proof proof;

	if (reduce_track(&r->work, job, track, metric, out, &proof, error) != 0)
		return -1;
	*bound = proof.bound;
	*holds = proof.bound <= job->limit;
	if (out->n == 0 || !is_same(r, track, out, job->cubic))
		return 0;
	*out = *track;
	*bound = 0;
	*holds = true;
	return 0;
}

/*
 * Return the size of the keys of a track in a file of the player's format. A key has a time and a sample has none.
 * In AnimJ the time takes most of the space of a value. In glTF the times are the track's own, with the description
 * of a column, while unreduced tracks of a clip share their times.
 */
static double room_of(const struct reduce *r, enum anim_type type, size_t count, bool slopes, bool own)
{
	double value = (double)(anim_types[type].size * (slopes ? 3 : 1)), time = 4, more = 0;

	if (r->options.rules == ANIM_RULES_RESONITE)
		time = 0.8 * value;
	if (r->options.rules == ANIM_RULES_PLAIN)
		more = COLUMN;
	return (double)count * (own ? value + time : value) + (own ? more : 0);
}

/* Return a measure for the choice between lines and cubics: keys, or their size. Unity's keys have slopes in any case. */
static double weight_of(const struct reduce *r, enum anim_type type, size_t count, bool slopes)
{
	return r->options.smaller && r->options.rules != ANIM_RULES_UNITY ? room_of(r, type, count, slopes, true)
									  : (double)count;
}

/*
 * Reduce a track by all methods and keep the best. If its limit is 0 or cannot be kept, `out` is the unchanged
 * track. *holds is false if the limit cannot be kept. Returns 0 or -1.
 */
static int try_all(struct reduce *r, const struct anim_track *track, double limit, struct anim_track *out,
		   double *bound, bool *holds, struct anim_error *error)
{
	struct reduce_job job = {.clip = &r->clip, .rules = r->options.rules, .limit = limit, .fast = r->options.fast};
	bool straight = !reduce_is_curved(track);
	bool cubic = reduce_is_cubic(track, job.rules, r->options.keys) && !(straight && r->noisy);
	enum reduce_metric metric = reduce_metric_of(track);
	double lines = INFINITY;

	*out = *track;
	*bound = 0;
	*holds = true;
	if (!(limit > 0))
		return 0;
	if (straight) {
		if (try_one(r, track, &job, metric, out, bound, holds, error) != 0)
			return -1;
		lines = *holds ? weight_of(r, track->type, out->n, false) : lines;
	}
	job.cubic = cubic;
	if (cubic && try_one(r, track, &job, metric, out, bound, holds, error) != 0)
		return -1;
	job.cubic = false;
	if (cubic && straight && (!*holds || weight_of(r, track->type, out->n, reduce_is_curved(out)) > lines) &&
	    try_one(r, track, &job, metric, out, bound, holds, error) != 0)
		return -1;
	if (!*holds) {
		*out = *track;
		*bound = 0;
	}
	return 0;
}

/* Return false if all keys of a track take less space than the remaining keys would. */
static bool is_smaller(const struct reduce *r, const struct anim_track *track, size_t count, bool cubic)
{
	bool own = track->kind != ANIM_RAW && r->options.rules != ANIM_RULES_PLAIN;

	if (!r->options.smaller || anim_rules_are_godot(r->options.rules) || r->options.rules == ANIM_RULES_UNITY)
		return true;
	return room_of(r, track->type, count, cubic, true) <
	       room_of(r, track->type, track->n, reduce_is_curved(track), own);
}

/* Reduce a track, and report if its limit cannot be kept. Returns 0 or -1. */
static int reduce_one(struct reduce *r, const struct anim_track *track, double limit, struct anim_track *out,
		      double *bound, struct anim_error *error)
{
	bool holds;

	if (try_all(r, track, limit, out, bound, &holds, error) != 0)
		return -1;
	if (out->n > 1 && !is_smaller(r, track, out->n, reduce_is_curved(out))) {
		*out = *track;
		*bound = 0;
	}
	return holds ? 0
		     : anim_diagnostics_track(
			   r->options.diagnostics, track, error,
			   "not reduced: the source's player and the target's interpolate differently, and "
			   "no fewer keys keep the limit");
}

/* Return true for a curve of an unknown kind that has enough keys to lose some. */
static bool is_left(const struct reduce *r, const struct anim_track *track)
{
	return track->n > 2 && track->kind != ANIM_DISCRETE && anim_type_is_real(track->type) &&
	       !anim_track_is_event(track) && !reduce_can(track, &r->clip, r->options.rules);
}

static int report_left(struct reduce *r, const struct anim_track *track, struct anim_error *error)
{
	if (anim_rotations_concern(track) && !r->options.keep_euler)
		return anim_diagnostics_add(r->options.diagnostics, ANIM_NOTE, NULL, "track of Euler angles", error,
					    "unchanged, because a rotation would have as many keys or more");
	if (strcmp(track->property, "euler") == 0)
		return anim_diagnostics_add(r->options.diagnostics, ANIM_NOTE, NULL, "track of Euler angles", error,
					    "not reduced; " ANIM_ADVICE(BAKE));
	return anim_diagnostics_add(
	    r->options.diagnostics, ANIM_NOTE, NULL, "track", error,
	    "not reduced, because the player of the result does not have such cubic keys; " ANIM_ADVICE(BAKE));
}

/* Tracks whose sizes in an archive are compared, and their first keys: a few are enough. */
#define PACKED_TRACKS 4u
#define PACKED_LEAST 64u
#define PACKED_KEYS 256u

/* Return the keys of a track up to a time, at least two. */
static struct anim_track first_keys(const struct anim_track *track, double end_s)
{
	struct anim_track first = *track;

	first.record = NULL;
	while (first.n > 2 && anim_track_time(track, first.n - 1) > end_s)
		first.n--;
	return first;
}

/* Pass on a track, unless no key is left, and compare the sizes of some tracks in an archive. Returns 0 or -1. */
static int pass_on(struct reduce *r, const struct anim_track *track, const struct anim_track *out,
		   struct anim_error *error)
{
	if (out->n != track->n && out->n >= 2 && track->kind == ANIM_RAW && track->n >= PACKED_LEAST &&
	    r->packed_tracks < PACKED_TRACKS) {
		double end_s = anim_track_time(track, (track->n < PACKED_KEYS ? track->n : PACKED_KEYS) - 1);
		struct anim_track first = first_keys(track, end_s), first_out = first_keys(out, end_s);
		size_t before, after;

		if (anim_archive_track_bytes(&first, false, &before, error) != 0 ||
		    anim_archive_track_bytes(&first_out, false, &after, error) != 0)
			return -1;
		r->packed_tracks++;
		r->packed_before += before;
		r->packed_after += after;
	}
	r->after += out->n;
	r->changed = r->changed || out->n != track->n || out->value != track->value;
	return out->n > 0 || track->n == 0 ? anim_sink_track(r->to, out, error) : 0;
}

/* Return true if the track never changes and has the value that its node shows without it. */
static bool is_idle(struct reduce *r, const struct anim_track *track)
{
	const struct anim_rest *rest = !r->options.drop_constant || track->n == 0 || !anim_track_is_constant(track) ||
					       !(r->clip.flags & ANIM_IN_TREE)
					   ? NULL
					   : anim_rests_find(&r->tree.rests, r->clip.root, track->node);
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];

	return rest != NULL && anim_type_is_real(track->type) && anim_rest_value(rest, track, value) &&
	       anim_value_equal(track->type, track->value, value);
}

/* Reduce a track by the limit of its property, and collect its bound in the unit of the limit. Returns 0 or -1. */
static int reduce_alone(struct reduce *r, const struct anim_track *track, struct anim_error *error)
{
	struct anim_track out = *track;
	enum anim_unit unit;
	double bound;

	if (is_idle(r, track)) {
		out.n = 0;
	} else if (is_stepping(track)) {
		if (drop_equal(r, track, &out, error) != 0)
			return -1;
	} else if (reduce_can(track, &r->clip, r->options.rules)) {
		if (reduce_one(r, track, reduce_limit_of(&r->limits, track, &r->clip), &out, &bound, error) != 0)
			return -1;
		bound *= reduce_unit_of(track, &r->clip, &unit);
		if (unit == ANIM_UNIT_ANGLE && reduce_metric_of(track) != REDUCE_ANGLE)
			/* angles about several axes add up */
			bound *= track->component == ANIM_WHOLE ? anim_types[track->type].components : 3;
		r->worst[unit] = fmax(r->worst[unit], bound);
	} else if (is_left(r, track) && report_left(r, track, error) != 0) {
		return -1;
	}
	return pass_on(r, track, &out, error);
}

/* ---- The joints of a clip ---- */

/*
 * Write track i of the clip with the keys that were chosen together with the keys of other tracks. If they are NULL, reduce it
 * by its share, or as a separate track. Returns 0 or -1.
 */
static int write_track(struct reduce *r, struct reduce_joints *joints, size_t i, const uint8_t *keep,
		       struct anim_error *error)
{
	struct anim_track track, out;
	struct reduce_share share;
	struct reduce_run run;
	bool joint = joints != NULL && reduce_joints_limit(joints, i, &share);
	double bound, *limits;

	if (anim_store_read(r->store, 0, i, &track, error) != 0)
		return -1;
	if (!joint || !share.can || is_stepping(&track))
		return reduce_alone(r, &track, error);
	if (keep != NULL && !(share.limit > 0)) /* set by fix_tracks */
		return pass_on(r, &track, &track, error);
	if (keep == NULL) {
		if (reduce_one(r, &track, share.limit, &out, &bound, error) != 0)
			return -1;
		reduce_joints_add(joints, i, bound);
		return pass_on(r, &track, &out, error);
	}
	if (reduce_read_shared(&r->scene, i, &share, true, &track, &run, &limits, error) != 0 ||
	    reduce_build(&r->work, &track, &run, keep, r->options.rules, &out, error) != 0)
		return -1;
	/* if lines were cut, its keys may differ, and the keys of other tracks compensate for that */
	return pass_on(r, &track, !run.cut && is_same(r, &track, &out, share.cubic) ? &track : &out, error);
}

/* Return the weight of the chosen tracks. */
static double weigh_all(const struct reduce *r, const struct reduce_joints *joints, const struct reduce_chosen *chosen)
{
	struct reduce_share share;
	double weight = 0;

	for (size_t i = 0; i < anim_store_tracks(r->store, 0); i++)
		if (chosen[i].keep != NULL && reduce_joints_limit(joints, i, &share))
			weight += weight_of(r, anim_store_track_at(r->store, 0, i)->type, chosen[i].count, share.cubic);
	return weight;
}

static void forget_proofs(struct reduce *r)
{
	memset(r->proofs, 0, (r->limits.count + 1) * sizeof *r->proofs);
}

/* Keep all keys of tracks if these take less space. Returns 1 if there are any, 0, or -1. */
static int fix_tracks(struct reduce *r, struct reduce_joints *joints, const struct reduce_chosen *chosen,
		      struct anim_error *error)
{
	int any = 0;

	for (size_t i = 0; i < anim_store_tracks(r->store, 0); i++) {
		struct anim_track track;
		struct reduce_share share;

		if (chosen[i].keep == NULL || !reduce_joints_limit(joints, i, &share) || !(share.limit > 0))
			continue;
		if (anim_store_read(r->store, 0, i, &track, error) != 0)
			return -1;
		if (is_smaller(r, &track, chosen[i].count, share.cubic))
			continue;
		reduce_joints_fix(joints, i);
		any = 1;
	}
	return any;
}

/*
 * Weigh the keys that the chosen tracks would have by their own shares, up to `most`. They are fewer if the limits
 * are so small that few keys can be removed, or if cubics stay within the limits separately but not together.
 * Returns 0 or -1.
 */
static int weigh_alone(struct reduce *r, struct reduce_joints *joints, const struct reduce_chosen *chosen, double most,
		       double *alone, struct anim_error *error)
{
	*alone = 0;
	for (size_t i = 0; *alone < most && i < anim_store_tracks(r->store, 0); i++) {
		struct anim_track track, out;
		struct reduce_share share;
		double bound;
		bool holds;

		if (chosen[i].keep == NULL || !reduce_joints_limit(joints, i, &share))
			continue;
		if (anim_store_read(r->store, 0, i, &track, error) != 0 ||
		    try_all(r, &track, share.limit, &out, &bound, &holds, error) != 0)
			return -1;
		*alone += weight_of(r, out.type, out.n, reduce_is_curved(&out));
	}
	return 0;
}

#define MANY_KEYS 4000u

/*
 * Return whether so many keys are left with lines that cubics would not be smaller, because their keys have three
 * values. Also Unity's lines have slopes, but in long and noisy clips finding cubics takes a minute for a fifth of the keys.
 */
static bool is_noisy(const struct reduce *r, const struct reduce_chosen *chosen)
{
	size_t before = 0, left = 0;

	for (size_t i = 0; i < anim_store_tracks(r->store, 0); i++) {
		before += chosen[i].keep == NULL ? 0 : anim_store_track_at(r->store, 0, i)->n;
		left += chosen[i].keep == NULL ? 0 : chosen[i].count;
	}
	if (r->options.rules == ANIM_RULES_UNITY && before <= MANY_KEYS)
		return false;
	return r->options.smaller &&
	       left > before / 4 * (before > MANY_KEYS || r->options.rules == ANIM_RULES_PLAIN ? 1 : 3);
}

/*
 * Choose the keys of the joints' tracks: with cubics, or with straight lines if these need fewer keys. If `again`, the
 * better of them is known. Returns 1, 0 if each track is reduced separately, or -1.
 */
static int choose_joints(struct reduce *r, struct reduce_joints *joints, struct anim_arena *arena,
			 struct reduce_chosen **chosen, bool again, struct anim_error *error)
{
	size_t count = anim_store_tracks(r->store, 0), groups = r->limits.count + 1;
	double least = INFINITY, alone = INFINITY, weight;
	bool both = reduce_joints_have_choice(joints) && !again, best = again && reduce_joints_have_lines(joints);

	anim_arena_reset(arena);
	r->noisy = r->noisy && again;
	for (int attempt = 0; attempt < (both ? 2 : 1); attempt++) {
		struct reduce_chosen *tried = anim_arena_zeroed(arena, count + 1, sizeof *tried, error);
		struct reduce_proof *proofs = anim_arena_zeroed(arena, groups, sizeof *proofs, error);
		bool lines = both ? attempt == !r->options.smaller : best;
		int found;

		reduce_joints_draw_lines(joints, lines);
		found = tried == NULL || proofs == NULL
			    ? -1
			    : reduce_together(&r->scene, joints, arena, tried, proofs, groups, error);
		if (found < 0)
			return -1;
		/* cubics take much longer to fail as well */
		if (found == 0 && lines && r->options.smaller && r->options.rules == ANIM_RULES_PLAIN)
			break;
		weight = found == 0 ? INFINITY : weigh_all(r, joints, tried);
		if (weight >= least)
			continue;
		least = weight;
		best = lines;
		*chosen = tried;
		memcpy(r->proofs, proofs, groups * sizeof *proofs);
		r->noisy = lines && is_noisy(r, tried);
		if (r->noisy)
			break;
	}
	reduce_joints_draw_lines(joints, best);
	if (least < INFINITY && !r->options.fast && weigh_alone(r, joints, *chosen, least, &alone, error) != 0)
		return -1;
	return least < INFINITY && least <= alone;
}

/* Write all tracks of the store, of joints and others, with fewer keys. Returns 0 or -1. */
static int write_store(struct reduce *r, struct anim_error *error)
{
	struct reduce_joints *joints = NULL;
	struct anim_arena arena = {0};
	struct reduce_chosen *chosen = NULL;
	int found = 0, result;

	r->scene = (struct reduce_scene){.clip = &r->clip,
					 .store = r->store,
					 .poses = r->poses,
					 .work = &r->work,
					 .rules = r->options.rules,
					 .fast = r->options.fast,
					 .budget = &r->budget};
	if (r->in_space) {
		joints = reduce_joints_new(&r->poses[0], &r->clip, r->store, r->options.rules, r->options.keys,
					   &r->limits, error);
		if (joints == NULL)
			return -1;
		found = choose_joints(r, joints, &arena, &chosen, false, error);
		if (found == 1 && r->options.smaller && fix_tracks(r, joints, chosen, error) == 1)
			found = choose_joints(r, joints, &arena, &chosen, true, error);
		reduce_joints_begin(joints);
	}
	result = found < 0 ? -1 : 0;
	for (size_t i = 0; result == 0 && i < anim_store_tracks(r->store, 0); i++)
		result = write_track(r, joints, i, found == 1 ? chosen[i].keep : NULL, error);
	if (joints != NULL && (found == 0 || !r->changed))
		forget_proofs(r);
	if (joints != NULL && found == 0)
		reduce_joints_bound(joints, r->proofs);
	anim_arena_clear(&arena);
	reduce_joints_free(joints);
	return result;
}

/* ---- Rotations instead of Euler angles, if these finally need no more keys ---- */

#define ROTATIONS_OFF 1e-3 /* allowed error of rotations in degrees, in addition to the limit */
#define ROTATIONS_FAR 1e-2 /* if the error is larger, the Euler angles stay */

struct forward {
	struct anim_sink sink;
	struct anim_sink *to;
};

static int forward_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_sink_clip(((struct forward *)sink)->to, clip, error);
}

static int forward_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(((struct forward *)sink)->to, track, error);
}

struct anim_sink *reduce_forward_new(struct anim_sink *to, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = forward_clip, .track = forward_track};
	struct forward *forward = anim_sink_new(sizeof *forward, &ops, error);

	if (forward == NULL)
		return NULL;
	forward->to = to;
	return &forward->sink;
}

static bool is_used(const struct reduce_instead *instead, size_t i)
{
	return instead->place[i] != SIZE_MAX && !instead->refused[instead->place[i]];
}

/*
 * Convert Euler angles of the clip to rotations in the store: all of them, or those that are used. Returns 0 or -1.
 */
static int convert_angles(struct reduce_instead *instead, const struct anim_clip *clip, bool used,
			  struct anim_diagnostics *diagnostics, struct anim_store *store, struct anim_error *error)
{
	const struct anim_rotations_options options = {
	    .hermite = instead->hermite, .tol = ROTATIONS_OFF, .rests = instead->rests, .diagnostics = diagnostics};
	struct anim_sink *sink = anim_rotations_new(&options, reduce_forward_new(anim_store_sink(store), error), error);
	struct anim_track track;
	int result;

	result = sink == NULL ? -1 : anim_sink_clip(sink, clip, error);
	for (size_t i = 0; result == 0 && i < anim_store_tracks(instead->original, 0); i++)
		if ((used ? is_used(instead, i) : instead->place[i] != SIZE_MAX) &&
		    (anim_store_read(instead->original, 0, i, &track, error) != 0 ||
		     anim_sink_track(sink, &track, error) != 0))
			result = -1;
	if (result == 0)
		result = anim_sink_end(sink, error);
	anim_sink_free(sink);
	return result;
}

/* Make the rotations for a store's clip (the store is borrowed). Returns 1, 0 if it has no Euler angles, or -1. */
static int instead_begin(struct reduce_instead *instead, const struct anim_clip *clip, struct anim_store *original,
			 struct anim_error *error)
{
	size_t count = anim_store_tracks(original, 0), angles = 0;
	struct anim_diagnostics diagnostics = {0};
	ptrdiff_t next = 0;
	double worst = 0;
	int result = -1;

	/* the places of Euler angles are 0 until the real ones are known */
	instead->original = original;
	if ((instead->place = anim_zeroed((count + 1) * sizeof *instead->place, error)) == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct anim_track track;

		if (anim_store_read(original, 0, i, &track, error) != 0)
			return -1;
		instead->place[i] = anim_rotations_concern(&track) ? 0 : SIZE_MAX;
		angles += instead->place[i] == 0;
	}
	if (angles == 0)
		return 0;
	if ((instead->rotations = anim_store_new(instead->memory, error)) == NULL ||
	    convert_angles(instead, clip, false, &diagnostics, instead->rotations, error) != 0)
		goto done;
	instead->refused = anim_zeroed(anim_store_tracks(instead->rotations, 0) + 1, error);
	instead->keys = anim_zeroed((anim_store_tracks(instead->rotations, 0) + 1) * sizeof *instead->keys, error);
	if (instead->refused == NULL || instead->keys == NULL)
		goto done;

	/* find for each of the Euler angles the rotation of which it became a part, and count its keys */
	for (size_t i = 0; i < count; i++) {
		const struct anim_store_track *track = anim_store_track_at(original, 0, i);
		ptrdiff_t found;

		if (instead->place[i] == SIZE_MAX)
			continue;
		/* whole angles become rotations in the same order, and single components come last */
		found = anim_store_find(instead->rotations, 0, (size_t)next, track->node, "rotation");
		if (found < 0)
			found = anim_store_find(instead->rotations, 0, 0, track->node, "rotation");
		instead->place[i] = found < 0 ? SIZE_MAX : (size_t)found;
		if (found < 0)
			continue;
		instead->keys[found] += track->n;
		next = track->component == ANIM_WHOLE ? found + 1 : next;
	}

	/* refuse rotations that are too far from their angles */
	for (size_t i = 0; i < diagnostics.count; i++)
		worst = diagnostics.items[i].unit != NULL ? fmax(worst, diagnostics.items[i].worst) : worst;
	for (size_t i = 0; i < anim_store_tracks(instead->rotations, 0); i++)
		instead->refused[i] =
		    worst > ROTATIONS_FAR && anim_store_track_at(instead->rotations, 0, i)->kind != ANIM_RAW;
	result = 1;
done:
	anim_diagnostics_clear(&diagnostics);
	return result;
}

/* Fill `mixed`. Returns 0 or -1. */
static int instead_mix(struct reduce_instead *instead, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_track track;
	uint8_t *done = anim_zeroed(anim_store_tracks(instead->rotations, 0) + 1, error);
	int result = 0;

	instead->mixed = anim_store_new(instead->memory, error);
	if (done == NULL || instead->mixed == NULL || anim_sink_clip(anim_store_sink(instead->mixed), clip, error) != 0)
		result = -1;
	for (size_t i = 0; i < anim_store_tracks(instead->original, 0) && result == 0; i++) {
		bool used = is_used(instead, i);

		if (used && done[instead->place[i]]++)
			continue;
		result = used ? anim_store_read(instead->rotations, 0, instead->place[i], &track, error)
			      : anim_store_read(instead->original, 0, i, &track, error);
		if (result == 0)
			result = anim_sink_track(anim_store_sink(instead->mixed), &track, error);
	}
	free(done);
	return result;
}

static void instead_clear(struct reduce_instead *instead)
{
	anim_store_free(instead->rotations);
	anim_store_free(instead->mixed);
	free(instead->place);
	free(instead->refused);
	free(instead->keys);
	instead->original = instead->rotations = instead->mixed = NULL;
	instead->place = instead->keys = NULL;
	instead->refused = NULL;
}

/*
 * Refuse rotations that do not need fewer keys, each by itself. Their Euler angles are used instead. Returns 0 or
 * -1.
 */
static int refuse_rotations(struct reduce *r, struct anim_error *error)
{
	struct reduce_instead *instead = &r->instead;
	enum anim_rules rules = r->options.rules;

	for (size_t i = 0; i < anim_store_tracks(instead->rotations, 0); i++) {
		struct anim_track track, out;
		double bound;
		bool holds, arcs, samples;

		if (anim_store_read(instead->rotations, 0, i, &track, error) != 0)
			return -1;
		out = track;
		samples = track.kind == ANIM_RAW;
		arcs = !reduce_is_cubic(&track, rules, r->options.keys) &&
		       !anim_rules_blend_components(&r->clip, rules != ANIM_RULES_COUNT ? rules : track.rules);
		/* samples on arcs get no keys, and limits of single tracks say nothing about joints in space */
		if (samples && (arcs || r->in_space))
			continue;
		if (reduce_can(&track, &r->clip, r->options.rules) &&
		    try_all(r, &track, reduce_limit_of(&r->limits, &track, &r->clip), &out, &bound, &holds, error) != 0)
			return -1;
		/* samples that stay samples lose nothing */
		instead->refused[i] |= out.n > instead->keys[i] || (out.n == instead->keys[i] && !samples);
	}
	return 0;
}

/* Write a clip, with rotations instead of Euler angles if these have fewer keys. Returns 0 or -1. */
static int write_with_rotations(struct reduce *r, bool keep_euler, struct anim_error *error)
{
	struct anim_store *original = r->store, *nowhere;
	int converted = keep_euler ? 0 : instead_begin(&r->instead, &r->clip, original, error),
	    result = converted < 0 ? -1 : 0;

	if (converted == 1) {
		if (refuse_rotations(r, error) != 0 || instead_mix(&r->instead, &r->clip, error) != 0)
			result = -1;
		r->store = r->instead.mixed;
	}
	if (result == 0)
		result = write_store(r, error);
	r->store = original;
	if (converted == 1 && result == 0) {
		/* report the tracks that finally became rotations, and their errors */
		nowhere = anim_store_new(r->instead.memory, error);
		result = nowhere == NULL
			     ? -1
			     : convert_angles(&r->instead, &r->clip, true, r->options.diagnostics, nowhere, error);
		anim_store_free(nowhere);
	}
	instead_clear(&r->instead);
	return result;
}

/* ---- The form of a clip with the fewest bytes ---- */

#define UNCHANGED 64u /* bytes that a change has to save, because unchanged clips of a file share more */

/* The forms of Euler angles, and of curves that the format of the result does not have. */
enum reduce_form { FORM_SLOPES = 1, FORM_ARCS = 2, FORM_KEPT = 4, FORM_CONVERTED = 8 };

/* A form that was tried, with the results of the clip in struct reduce. */
struct reduce_tried {
	struct anim_store *store; /* NULL: the clip is unchanged */
	uint64_t bytes, after;
	double worst[ANIM_UNIT_COUNT];
	bool changed, spent;
	struct reduce_proof *proofs;
	struct anim_diagnostics diagnostics;
};

/* Count the bytes of a store's clip (0: unknown). */
static uint64_t measure(struct reduce *r, struct anim_store *store)
{
	const struct anim_measure *by = &r->options.measure;
	struct anim_error ignored = {0};
	struct anim_sink *sink = by->begin(by->context, &ignored);
	bool written = sink != NULL && (r->trees == NULL || anim_store_replay_trees(r->trees, sink, &ignored) == 0) &&
		       anim_store_replay(store, 0, NULL, sink, &ignored) == 0;
	uint64_t bytes = by->end(by->context);

	return written ? bytes : 0;
}

/* Write the clip in the forms that the format of the result has, reduced. Returns 0 or -1. */
static int write_converted(struct reduce *r, struct anim_error *error)
{
	struct anim_caps caps = *r->options.measure.caps;
	struct anim_store *original = r->store, *converted = anim_store_new(r->options.store_memory, error);
	struct anim_sink *sink = NULL;
	int result = -1;

	caps.midway = true;
	if (converted != NULL)
		sink = anim_convert_new(&caps, ROTATIONS_OFF / 100, false, r->options.diagnostics,
					reduce_forward_new(anim_store_sink(converted), error), error);
	if (sink != NULL) {
		anim_convert_use_rests(sink, &r->tree.rests);
		anim_convert_use_degrees(sink, ROTATIONS_OFF);
		result = anim_store_replay(original, 0, NULL, sink, error);
	}
	if (result == 0)
		result = anim_sink_end(sink, error);
	anim_sink_free(sink);
	r->store = converted;
	if (result == 0)
		result = write_store(r, error);
	r->store = original;
	anim_store_free(converted);
	return result;
}

static void tried_clear(struct reduce_tried *tried)
{
	anim_store_free(tried->store);
	free(tried->proofs);
	anim_diagnostics_clear(&tried->diagnostics);
}

/* Write the clip in a form to a store, and replace *best if it has fewer bytes. Returns 0 or -1. */
static int try_form(struct reduce *r, enum reduce_form form, struct reduce_tried *best, struct anim_error *error)
{
	struct anim_diagnostics *diagnostics = r->options.diagnostics;
	size_t size = (r->limits.count + 1) * sizeof *r->proofs;
	struct reduce_tried now = {.store = anim_store_new(r->options.store_memory, error),
				   .proofs = anim_zeroed(size, error)},
			    before = *best;
	int result = now.store == NULL || now.proofs == NULL ? -1 : 0;

	now.diagnostics.scope = diagnostics->scope;
	now.diagnostics.units = diagnostics->units;
	now.diagnostics.degrees = diagnostics->degrees;
	r->options.diagnostics = &now.diagnostics;
	r->after = 0;
	r->changed = r->budget.spent = false;
	memset(r->worst, 0, sizeof r->worst);
	forget_proofs(r);
	r->instead.hermite = form == FORM_SLOPES;
	if (result == 0)
		result = anim_sink_clip(r->to = anim_store_sink(now.store), &r->clip, error);
	if (result == 0)
		result = form == FORM_CONVERTED ? write_converted(r, error)
						: write_with_rotations(r, form == FORM_KEPT, error);
	if (result == 0)
		now.bytes = measure(r, now.store);
	r->options.diagnostics = diagnostics;
	r->to = r->filter.next;
	now.after = r->after;
	now.changed = r->changed;
	now.spent = r->budget.spent;
	memcpy(now.worst, r->worst, sizeof now.worst);
	if (now.proofs != NULL)
		memcpy(now.proofs, r->proofs, size);
	if (result == 0 && now.bytes + (best->store == NULL ? UNCHANGED : 0) < best->bytes) {
		*best = now;
		now = before;
	}
	tried_clear(&now);
	return result;
}

/*
 * Return the set of forms to try. Samples of angles become the same samples of rotations in all forms. Conversion helps
 * if the player of the result does not have the keys of a track.
 */
static unsigned forms_of(struct reduce *r)
{
	const struct anim_caps *caps = r->options.measure.caps;
	bool has_angles = false, has_curves = false, has_left = false;
	struct anim_error ignored = {0};
	struct anim_track track;

	for (size_t i = 0; i < anim_store_tracks(r->store, 0); i++) {
		if (anim_store_read(r->store, 0, i, &track, &ignored) != 0)
			continue;
		if (!r->options.keep_euler && anim_rotations_concern(&track)) {
			has_angles = true;
			has_curves = has_curves || track.kind != ANIM_RAW;
		} else {
			has_left = has_left || is_left(r, &track);
		}
	}
	return (has_curves && r->instead.hermite ? FORM_SLOPES : 0) | (has_angles ? FORM_ARCS : 0) |
	       (!has_angles || (has_curves && (caps == NULL || caps->euler)) ? FORM_KEPT : 0) |
	       (caps != NULL && (has_left || (has_curves && !caps->euler)) ? FORM_CONVERTED : 0);
}

/* Write a clip in the form with the fewest bytes. Without any that has fewer, it stays unchanged. Returns 0 or -1. */
static int write_smallest(struct reduce *r, struct anim_error *error)
{
	struct reduce_tried best = {.bytes = measure(r, r->store)};
	bool slopes = r->instead.hermite;
	unsigned forms = forms_of(r);
	struct anim_store *store;
	struct anim_track track;
	int result = 0;

	r->bytes[0] = best.bytes;
	for (unsigned form = FORM_SLOPES; form <= FORM_CONVERTED && result == 0; form *= 2)
		if (forms & form)
			result = try_form(r, (enum reduce_form)form, &best, error);
	r->instead.hermite = slopes;
	if (result != 0)
		goto done;

	/* pass on the form that was chosen, with its messages */
	store = best.store != NULL ? best.store : r->store;
	for (size_t i = 0; i < anim_store_tracks(store, 0) && result == 0; i++) {
		result = anim_store_read(store, 0, i, &track, error);
		if (result == 0)
			result = anim_sink_track(r->to, &track, error);
	}
	if (result == 0)
		result = anim_diagnostics_join(r->options.diagnostics, &best.diagnostics, error);
	r->after = best.store != NULL ? best.after : r->before;
	r->changed = best.changed;
	r->budget.spent = best.spent;
	r->bytes[1] = best.bytes;
	memcpy(r->worst, best.worst, sizeof r->worst);
	forget_proofs(r);
	if (best.proofs != NULL)
		memcpy(r->proofs, best.proofs, (r->limits.count + 1) * sizeof *r->proofs);
done:
	tried_clear(&best);
	return result;
}

/* ---- Clips ---- */

static void report_proof(struct anim_print *print, const struct reduce_proof *proof, bool in_space)
{
	bool seen = in_space && proof->seen > 0;

	anim_print_member(print, "bound_m");
	anim_print_json_number(print, in_space ? proof->bound : (double)NAN, false);
	anim_print_member(print, "measured_m");
	anim_print_json_number(print, seen ? proof->seen : (double)NAN, false);
	anim_print_member(print, "measured_at_s");
	anim_print_json_number(print, seen ? proof->at_s : (double)NAN, false);
	anim_print_text_member(print, "joint", in_space ? proof->where : NULL);
}

/* Report a clip to programs. Unknown values are null. Returns 0 or -1. */
static int report_clip(struct reduce *r, struct anim_error *error)
{
	struct anim_print print = {.out = r->options.report, .error = error};
	bool first = true;

	if (r->options.report == NULL)
		return 0;
	anim_print_text(&print, r->reported++ == 0 ? "[{\"clip\":" : ",\n{\"clip\":");
	anim_print_json_text(&print, r->clip.name);
	anim_print_count_member(&print, "keys_before", r->before);
	anim_print_count_member(&print, "keys_after", r->after);
	report_proof(&print, &r->proofs[0], r->in_space);
	for (size_t i = 0; i < r->limits.count && r->in_space; i++) {
		if (!r->limits.overrides[i].limits.world)
			continue;
		anim_print_text(&print, first ? ",\"overrides\":[{\"nodes\":" : ",{\"nodes\":");
		anim_print_json_text(&print, r->limits.overrides[i].glob);
		report_proof(&print, &r->proofs[i + 1], true);
		anim_print_text(&print, "}");
		first = false;
	}
	anim_print_text(&print, first ? "}" : "]}");
	return print.failed ? -1 : 0;
}

/*
 * Print ", joints at most 0.97 mm off, '*Hand*' at most 0.19 mm": the proven errors of joints in space, and then ", tracks at
 * most 0.09 mm, 0.1 degrees off": the errors of tracks by themselves.
 */
static void print_bounds(const struct reduce *r, char *out, size_t capacity)
{
	static const struct {
		enum anim_unit unit;
		double times;
		const char *name;
	} units[] = {{ANIM_UNIT_LENGTH, 1000, " mm"},
		     {ANIM_UNIT_PIXELS, 1, " px"},
		     {ANIM_UNIT_ANGLE, 1, " degrees"},
		     {ANIM_UNIT_PLAIN, 100, " %"}};
	char number[ANIM_NUMBER_MAX];
	size_t used = 0, begun;

	out[0] = '\0';
	for (size_t i = 0; i < r->limits.count + 1 && used < capacity; i++) {
		if (!(r->proofs[i].bound > 0))
			continue;
		reduce_print_bound(number, 1000 * r->proofs[i].bound);
		used += (size_t)(i == 0 ? snprintf(out, capacity, ", joints at most %s mm off", number)
					: snprintf(out + used, capacity - used, ", '%s' at most %s mm%s",
						   r->limits.overrides[i - 1].glob, number, used == 0 ? " off" : ""));
	}
	begun = used = strlen(out);
	for (size_t i = 0; i < ANIM_COUNT(units) && used < capacity; i++)
		if (r->worst[units[i].unit] > 0)
			used += (size_t)snprintf(
			    out + used, capacity - used, "%s%s%s", used == begun ? ", tracks at most " : ", ",
			    reduce_print_bound(number, units[i].times * r->worst[units[i].unit]), units[i].name);
	if (used > begun && used < capacity)
		snprintf(out + used, capacity - used, " off");
}

static int note_clip(struct reduce *r, struct anim_error *error)
{
	const char *why = r->after > r->before ? ", because its player interpolates rotations differently" : "";
	char bound[512], bytes[80] = "";

	print_bounds(r, bound, sizeof bound);
	if (r->bytes[0] > 0)
		snprintf(bytes, sizeof bytes,
			 r->after > r->before ? ", %llu bytes for %llu" : " and %llu of %llu bytes",
			 (unsigned long long)r->bytes[1], (unsigned long long)r->bytes[0]);
	if (r->budget.spent &&
	    anim_diagnostics_note(
		r->options.diagnostics, NULL, error,
		"clip '%s': finding the fewest keys takes too long, so not all keys were tried, as with " ANIM_OPTION(
		    "reduce", "fast"),
		r->clip.name) != 0)
		return -1;
	return anim_diagnostics_note(r->options.diagnostics, NULL, error,
				     r->after > r->before ? "clip '%s': %llu keys for %llu%s%s%s"
							  : "clip '%s': %llu of %llu keys%s are left%s%s",
				     r->clip.name, (unsigned long long)r->after, (unsigned long long)r->before, bytes,
				     why, bound);
}

static int finish_clip(struct reduce *r, struct anim_error *error)
{
	const struct anim_scope *now = r->options.diagnostics->scope;
	int result = 0;

	if (!r->in_clip)
		return 0;
	r->in_clip = false;
	r->options.diagnostics->scope = r->scope;
	if (r->in_space && r->store != NULL) {
		/* the joints of the tree are matched with overrides once for all clips with the same root */
		bool matched = r->used_root != NULL && strcmp(r->used_root, r->clip.root) == 0;

		result =
		    reduce_find_branch(&r->tree, r->poses, r->clip.root, r->store, matched ? NULL : &r->limits, error);
		if (result == 0 && !matched) {
			free(r->used_root);
			if ((r->used_root = strdup(r->clip.root)) == NULL)
				result = anim_fail_memory(error);
		}
	}
	if (r->store != NULL && result == 0)
		result = r->options.smaller ? write_smallest(r, error)
					    : write_with_rotations(r, r->options.keep_euler, error);
	if (result == 0)
		result = note_clip(r, error) != 0 ? -1 : report_clip(r, error);
	anim_store_free(r->store);
	r->store = NULL;
	r->options.diagnostics->scope = now;
	return result;
}

/* Add this program's part to the provenance, after all other provenance has passed. Returns 0 or -1. */
static int write_sum(struct reduce *r, struct anim_error *error)
{
	struct anim_prog *prog = r->options.prog;
	char text[REDUCE_SUM_TEXT];
	struct anim_attrs before;

	if (r->sum_written || prog == NULL)
		return 0;
	r->sum_written = true;
	reduce_sum_print(&r->sum, &r->limits, text);
	before = prog->attrs;
	return anim_attrs_with(&prog->attrs, &before, REDUCE_SUM_ATTRIBUTE, text, r->options.prog_arena, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct reduce *r = (struct reduce *)sink;

	if ((anim_record_is(record, "prog") ? reduce_sum_read(&r->sum, record, error) : write_sum(r, error)) != 0)
		return -1;
	return anim_filter_record(sink, record, error);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct reduce *r = (struct reduce *)sink;

	if (finish_clip(r, error) != 0 || write_sum(r, error) != 0)
		return -1;
	free(r->used_root);
	r->used_root = NULL;
	if (r->options.smaller) {
		anim_store_free(r->trees);
		if ((r->trees = anim_store_new(r->options.store_memory, error)) == NULL ||
		    anim_sink_tree(anim_store_sink(r->trees), tree, error) != 0)
			return -1;
	}
	return anim_filter_tree(sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct reduce *r = (struct reduce *)sink;

	if (r->trees != NULL && anim_sink_node(anim_store_sink(r->trees), node, error) != 0)
		return -1;
	return anim_filter_node(sink, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct reduce *r = (struct reduce *)sink;

	if (finish_clip(r, error) != 0 || write_sum(r, error) != 0)
		return -1;
	anim_arena_reset(&r->clip_arena);
	if (anim_clip_copy(&r->clip, clip, &r->clip_arena, error) != 0)
		return -1;
	r->in_clip = true;
	r->scope = r->options.diagnostics->scope;
	r->before = r->after = r->bytes[0] = r->bytes[1] = 0;
	r->changed = r->noisy = false;
	r->budget.spent = false;
	memset(r->worst, 0, sizeof r->worst);
	forget_proofs(r);
	r->in_space = r->limits.all.world && (clip->flags & ANIM_IN_TREE) && anim_poses_count(&r->tree) > 0;
	return anim_filter_clip(sink, clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct reduce *r = (struct reduce *)sink;

	if (r->in_space && anim_track_is_placed(track))
		return anim_track_refuse(track,
					 "is in the space of the tree's root, so no other joint moves it. Use limits "
					 "without '@', which apply to each track separately",
					 error);
	r->before += track->n;
	reduce_limits_record(&r->limits, track, &r->clip);
	if (!r->in_space && !r->options.smaller && (r->options.keep_euler || !anim_rotations_concern(track)))
		return reduce_alone(r, track, error);
	/* store it until the other tracks of the clip have arrived */
	if (r->store == NULL && ((r->store = anim_store_new(r->options.store_memory, error)) == NULL ||
				 anim_sink_clip(anim_store_sink(r->store), &r->clip, error) != 0))
		return -1;
	return anim_sink_track(anim_store_sink(r->store), track, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct reduce *r = (struct reduce *)sink;
	struct anim_print print = {.out = r->options.report, .error = error};

	if (finish_clip(r, error) != 0 || write_sum(r, error) != 0)
		return -1;
	/* not for the file of a player. Keys have times and samples have none. */
	if (r->packed_after > r->packed_before && r->options.rules == ANIM_RULES_COUNT &&
	    anim_diagnostics_note(
		r->options.diagnostics, NULL, error,
		"these keys take more space in an archive than the samples of the source; " ANIM_ADVICE(PACK_TOL)) != 0)
		return -1;
	if (reduce_limits_warn(&r->limits, r->options.diagnostics, error) != 0)
		return -1;
	if (print.out != NULL)
		anim_print_text(&print, r->reported == 0 ? "[]\n" : "]\n");
	return print.failed ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct reduce *r = (struct reduce *)sink;

	for (int side = 0; side < 2; side++)
		anim_poses_clear(&r->poses[side]);
	free(r->used_root);
	anim_arena_clear(&r->clip_arena);
	instead_clear(&r->instead);
	anim_store_free(r->store);
	anim_store_free(r->trees);
	reduce_limits_clear(&r->limits);
	free(r->proofs);
	reduce_work_clear(&r->work);
	anim_filter_free(sink);
}

struct anim_sink *anim_reduce_new(const struct anim_reduce_options *options, struct anim_sink *next,
				  struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.tree = on_tree,
						 .node = on_node,
						 .clip = on_clip,
						 .track = on_track,
						 .record = on_record,
						 .end = on_end,
						 .free = on_free};
	struct reduce *r;

	if (options->smaller && options->measure.whole)
		return reduce_whole_new(options, next, error);
	if ((r = anim_filter_new(sizeof *r, &ops, next, error)) == NULL)
		return NULL;
	r->options = *options;
	r->to = r->filter.next;
	r->work.rests = options->drop_constant ? &r->tree.rests : NULL;
	r->work.seam = options->loop;
	r->work.move = options->move;
	r->instead.rests = &r->tree.rests;
	r->instead.memory = options->store_memory;
	r->instead.hermite = !anim_rules_are_godot(options->rules);
	reduce_sum_init(&r->sum);
	anim_poses_init(&r->tree, 0);
	r->filter.poses = &r->tree;
	for (int side = 0; side < 2; side++)
		anim_poses_init(&r->poses[side], options->store_memory);
	if (reduce_limits_init(&r->limits, &options->limits, options->overrides, options->override_count, error) == 0 &&
	    (r->proofs = anim_zeroed((options->override_count + 1) * sizeof *r->proofs, error)) != NULL)
		return &r->filter.sink;
	on_free(&r->filter.sink);
	return NULL;
}
