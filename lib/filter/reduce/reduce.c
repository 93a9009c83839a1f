/* reduce.c: the filter: tracks one by one, or those of a skeleton together; and what is told of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "filter/filter.h"
#include "filter/reduce/internal.h"

#define LIMITS_LOCAL "0.1mm,0.1deg,0.1%,0.1px"
#define LIMITS_WORLD "1mm@10cm"

struct reduce {
	struct anim_filter filter;
	struct anim_reduce_options options;
	double tolerance_m;         /* in space */
	struct anim_poses poses[2]; /* of the tree: for the source and the result */
	struct anim_arena clip_arena;
	struct anim_clip clip;
	const struct anim_scope *scope;
	bool in_clip;
	struct anim_store *store; /* of a clip whose tracks wait for each other; NULL: they do not */
	struct reduce_work work, split;
	/* of the clip */
	uint64_t before, after;
	struct reduce_proof proof; /* of its joints */
};

/* ---- Tracks that only step lose the keys that change nothing ---- */

static bool is_stepping(const struct anim_track *track)
{
	return track->type != ANIM_STRING && track->n > 1 && track->kind != ANIM_RAW && anim_track_steps(track) &&
	       !anim_track_is_event(track) && !(track->flags & (ANIM_UNSORTED | ANIM_DISABLED));
}

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

static int tell_open(struct reduce *r, const struct anim_track *track, struct anim_error *error)
{
	return anim_diagnostics_track(
	    r->options.diagnostics, track,
	    "tracks keep all their keys, and what the other player makes of them is off by more "
	    "than the limit; resample them at a higher rate before",
	    error,
	    "keeps all its keys, and what the other player makes of them is off by more than the limit; "
	    "resample it at a higher rate before");
}

/* Nothing was left out. */
static bool is_whole(const struct anim_track *track, const struct anim_track *out)
{
	return out->n >= track->n && out->rules == track->rules;
}

/* The track with fewer keys in `out`. 0 or -1. */
static int reduce_one(struct reduce *r, const struct anim_track *track, const struct reduce_job *job,
		      enum reduce_metric metric, struct anim_track *out, struct reduce_proof *proof,
		      struct anim_error *error)
{
	if (reduce_track(&r->work, job, track, metric, out, proof, error) != 0)
		return -1;
	return proof->bound > job->limit ? tell_open(r, track, error) : 0;
}

static struct reduce_job job_of(const struct reduce *r, const struct anim_track *track, double limit)
{
	return (struct reduce_job){.clip = &r->clip,
				   .rules = r->options.rules,
				   .limit = limit,
				   .fast = r->options.fast,
				   .cubic = reduce_is_cubic(track, r->options.rules, r->options.keys)};
}

/* By the limit of its property; `as_it_came`: before it was split. 0 or -1. */
static int reduce_alone(struct reduce *r, const struct anim_track *as_it_came, const struct anim_track *track,
			struct anim_error *error)
{
	struct anim_track out = *track;
	struct reduce_job job = job_of(r, track, 0);
	struct reduce_proof proof;

	if (is_stepping(track)) {
		if (drop_equal(r, track, &out, error) != 0)
			return -1;
	} else if (reduce_can(track, &r->clip)) {
		enum reduce_metric metric = reduce_limit(track, &r->clip, &r->options.limits, &job.limit);

		if (job.limit > 0 && reduce_one(r, track, &job, metric, &out, &proof, error) != 0)
			return -1;
	}
	if (is_whole(as_it_came, &out))
		out = *as_it_came;
	r->before += as_it_came->n;
	r->after += out.n;
	return anim_sink_track(r->filter.next, &out, error);
}

/* ---- The joints of a clip ---- */

/* A track of a joint by its share alone. 0 or -1. */
static int reduce_share_of(struct reduce *r, struct reduce_joints *joints, size_t i, double limit,
			   const struct anim_track *track, struct anim_track *out, struct anim_error *error)
{
	struct reduce_job job = job_of(r, track, limit);
	struct reduce_proof proof;
	double unused;

	if (reduce_one(r, track, &job, reduce_limit(track, &r->clip, &r->options.limits, &unused), out, &proof,
		       error) != 0)
		return -1;
	reduce_joints_add(joints, i, proof.bound);
	return 0;
}

/* The keys that were chosen together with those of other tracks. 0 or -1. */
static int build_chosen(struct reduce *r, const struct anim_track *track, const uint8_t *keep, struct anim_track *out,
			struct anim_error *error)
{
	struct reduce_run run;
	double *limits, unused;

	if (reduce_read(&r->work, &r->clip, track, reduce_limit(track, &r->clip, &r->options.limits, &unused),
			r->options.rules, reduce_is_cubic(track, r->options.rules, r->options.keys), &run, &limits,
			error) != 0)
		return -1;
	return reduce_build(&r->work, track, &run, keep, r->options.rules, out, error);
}

/* Track i of the clip goes on: with the keys that were chosen, by its share, or alone. 0 or -1. */
static int write_track(struct reduce *r, struct reduce_joints *joints, size_t i, const uint8_t *keep,
		       struct anim_error *error)
{
	struct anim_track track, out;
	struct reduce_share share;
	bool joint = reduce_joints_limit(joints, i, &share);

	if (anim_store_read(r->store, 0, i, &track, error) != 0)
		return -1;
	out = track;
	if (!joint || share.limit == 0 || is_stepping(&track))
		return reduce_alone(r, &track, &track, error);
	if (keep == NULL ? reduce_share_of(r, joints, i, share.limit, &track, &out, error) != 0
			 : build_chosen(r, &track, keep, &out, error) != 0)
		return -1;
	r->before += track.n;
	r->after += out.n;
	return anim_sink_track(r->filter.next, is_whole(&track, &out) ? &track : &out, error);
}

static int write_joints(struct reduce *r, struct reduce_joints *joints, struct anim_error *error)
{
	const struct reduce_scene scene = {.clip = &r->clip,
					   .store = r->store,
					   .poses = r->poses,
					   .work = &r->work,
					   .rules = r->options.rules,
					   .keys = r->options.keys,
					   .tolerance_m = r->tolerance_m,
					   .shell_m = r->options.limits.shell_m,
					   .fast = r->options.fast};
	size_t count = anim_store_tracks(r->store, 0);
	struct anim_arena arena = {0};
	uint8_t **keep = anim_arena_zeroed(&arena, count + 1, sizeof *keep, error);
	int found = keep == NULL ? -1 : reduce_together(&scene, joints, &arena, keep, &r->proof, error);

	reduce_joints_begin(joints);
	for (size_t i = 0; found >= 0 && i < count; i++)
		if (write_track(r, joints, i, found == 1 ? keep[i] : NULL, error) != 0)
			found = -1;
	if (found == 0) {
		r->proof = (struct reduce_proof){0};
		r->proof.bound = reduce_joints_bound(joints, &r->proof.where);
	}
	anim_arena_clear(&arena);
	return found < 0 ? -1 : 0;
}

/* ---- Clips ---- */

static int tell_clip(struct reduce *r, struct anim_error *error)
{
	char bound[128] = "", number[ANIM_NUMBER_MAX + 1];

	if (r->proof.bound > 0) {
		number[anim_number_print_float(number, (float)(1000 * r->proof.bound))] = '\0';
		snprintf(bound, sizeof bound, ", joints at most %s mm off", number);
	}
	return anim_diagnostics_note(r->options.diagnostics, NULL, error, "clip '%s': %llu of %llu keys are left%s",
				     r->clip.name, (unsigned long long)r->after, (unsigned long long)r->before, bound);
}

static int finish_clip(struct reduce *r, struct anim_error *error)
{
	const struct anim_scope *now = r->options.diagnostics->scope;
	struct reduce_joints *joints = NULL;
	int result = 0;

	if (!r->in_clip)
		return 0;
	r->in_clip = false;
	r->options.diagnostics->scope = r->scope;
	if (r->store != NULL) {
		joints = reduce_joints_new(&r->poses[0], &r->clip, r->store, r->tolerance_m, r->options.limits.shell_m,
					   error);
		result = joints == NULL ? -1 : write_joints(r, joints, error);
		if (result == 0)
			result = tell_clip(r, error);
		reduce_joints_free(joints);
		anim_store_free(r->store);
		r->store = NULL;
	} else {
		result = tell_clip(r, error);
	}
	r->options.diagnostics->scope = now;
	return result;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct reduce *r = (struct reduce *)sink;

	if (finish_clip(r, error) != 0)
		return -1;
	for (int side = 0; side < 2; side++)
		anim_poses_clear(&r->poses[side]);
	return anim_filter_tree(sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct reduce *r = (struct reduce *)sink;

	for (int side = 0; side < 2; side++)
		if (anim_poses_add(&r->poses[side], node, error) != 0)
			return -1;
	return anim_filter_node(sink, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct reduce *r = (struct reduce *)sink;

	if (finish_clip(r, error) != 0)
		return -1;
	anim_arena_reset(&r->clip_arena);
	if (anim_clip_copy(&r->clip, clip, &r->clip_arena, error) != 0)
		return -1;
	r->in_clip = true;
	r->scope = r->options.diagnostics->scope;
	r->before = r->after = 0;
	r->proof = (struct reduce_proof){0};
	if (r->options.limits.world && (clip->flags & ANIM_IN_TREE) && anim_poses_count(&r->poses[0]) > 0) {
		r->store = anim_store_new(r->options.store_memory, error);
		if (r->store == NULL || anim_sink_clip(anim_store_sink(r->store), clip, error) != 0)
			return -1;
	}
	return anim_filter_clip(sink, clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct reduce *r = (struct reduce *)sink;
	enum anim_rules rules = r->options.rules != ANIM_RULES_COUNT ? r->options.rules : track->rules;
	struct anim_track split;
	double limit;

	reduce_limit(track, &r->clip, &r->options.limits, &limit);
	if (reduce_split(&r->split, &r->clip, track, rules, reduce_is_cubic(track, rules, r->options.keys),
			 r->store != NULL ? 0 : limit, &split, error) != 0)
		return -1;
	if (r->store != NULL)
		r->before -= split.n - track->n;
	return r->store != NULL ? anim_sink_track(anim_store_sink(r->store), &split, error)
				: reduce_alone(r, track, &split, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return finish_clip((struct reduce *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct reduce *r = (struct reduce *)sink;

	for (int side = 0; side < 2; side++)
		anim_poses_clear(&r->poses[side]);
	anim_arena_clear(&r->clip_arena);
	anim_store_free(r->store);
	reduce_work_clear(&r->work);
	reduce_work_clear(&r->split);
	anim_filter_free(sink);
}

/* A number without unit is for all that has no limit of its own. */
static bool is_for_all(const struct anim_limits *limits)
{
	for (size_t i = 0; i < limits->count; i++)
		if (limits->items[i].any_unit && limits->items[i].property[0] == '\0')
			return true;
	return false;
}

/* What is not told holds as it does without options. 0 or -1. */
static int complete_limits(struct reduce *r, struct anim_error *error)
{
	const struct anim_limits told = r->options.limits;
	struct anim_limits *limits = &r->options.limits;

	*limits = (struct anim_limits){0};
	if ((!is_for_all(&told) && anim_limits_parse(limits, LIMITS_LOCAL, error) != 0) ||
	    (told.count == 0 && anim_limits_parse(limits, LIMITS_WORLD, error) != 0))
		return -1;
	if (told.count + limits->count > ANIM_LIMITS_MAX)
		return anim_fail(error, ANIM_BAD_INPUT, "more than %u limits",
				 ANIM_LIMITS_MAX - (unsigned)limits->count);
	memcpy(limits->items + limits->count, told.items, told.count * sizeof *told.items);
	limits->count += told.count;
	limits->world = limits->world || told.world;
	limits->shell_m = told.world ? told.shell_m : limits->shell_m;
	r->tolerance_m = anim_limits_find(limits, ANIM_UNIT_LENGTH, ANIM_LIMIT_WORLD);
	return 0;
}

struct anim_sink *anim_reduce_new(const struct anim_reduce_options *options, struct anim_sink *next,
				  struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct reduce *r = anim_filter_new(sizeof *r, &ops, next, error);

	if (r == NULL)
		return NULL;
	r->options = *options;
	for (int side = 0; side < 2; side++)
		anim_poses_init(&r->poses[side], options->store_memory);
	if (complete_limits(r, error) == 0)
		return &r->filter.sink;
	on_free(&r->filter.sink);
	return NULL;
}
