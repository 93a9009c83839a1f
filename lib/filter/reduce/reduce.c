/* reduce.c: the filter: tracks one by one, or those of a skeleton together; and what is told of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "filter/filter.h"
#include "filter/reduce/internal.h"

#define LIMITS_LOCAL "0.1mm,0.1deg,0.1%,0.1px"
#define LIMITS_WORLD "1mm@10cm"

/*
 * The shares of a tolerance in space are for errors that all point the same way at the same time, which they never do: they are
 * made larger as long as the proof still holds. So many tries, each by at most so much.
 */
#define TRIES 8
#define GROWTH_MAX 4.0
#define GROWTH_MIN 1.03
#define SHRINK 0.94

struct reduce {
	struct anim_filter filter;
	struct anim_reduce_options options;
	double tolerance_m; /* in space */
	struct anim_poses poses;
	struct anim_arena clip_arena;
	struct anim_clip clip;
	const struct anim_scope *scope;
	bool in_clip;
	struct anim_store *store; /* of a clip whose tracks wait for each other; NULL: they do not */
	struct reduce_work work;
	/* of the clip */
	uint64_t before, after;
	double bound_m; /* of joints; below 0: not measured in space */
	const char *joint;
	double at_s;
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

/* The track with fewer keys in `out`, or as it is; what is proven goes to `told`. 0 or -1. */
static int reduce_one(struct reduce *r, const struct anim_track *track, struct reduce_job *job,
		      enum reduce_metric metric, struct anim_track *out, struct anim_error *error)
{
	struct reduce_proof proof;

	if (reduce_track(&r->work, job, track, metric, out, &proof, error) != 0)
		return -1;
	if (out->n == track->n && out->rules == track->rules)
		*out = *track;
	return proof.bound > job->limit ? tell_open(r, track, error) : 0;
}

static struct reduce_job job_of(const struct reduce *r, double limit, bool fast)
{
	return (struct reduce_job){.clip = &r->clip, .rules = r->options.rules, .limit = limit, .fast = fast};
}

/* By the limit of its property. 0 or -1. */
static int reduce_alone(struct reduce *r, const struct anim_track *track, struct anim_sink *to,
			struct anim_error *error)
{
	struct anim_track out = *track;
	struct reduce_job job = job_of(r, 0, r->options.fast);

	if (is_stepping(track)) {
		if (drop_equal(r, track, &out, error) != 0)
			return -1;
	} else if (reduce_can(track, &r->clip)) {
		enum reduce_metric metric = reduce_limit(track, &r->clip, &r->options.limits, &job.limit);

		if (job.limit > 0 && reduce_one(r, track, &job, metric, &out, error) != 0)
			return -1;
	}
	r->before += track->n;
	r->after += out.n;
	return anim_sink_track(to, out.n == track->n ? track : &out, error);
}

/* ---- The joints of a clip ---- */

/* All tracks that move joints, with limits of that scale; `to`: where all tracks go, NULL: nowhere. 0 or -1. */
static int run_joints(struct reduce *r, struct reduce_joints *joints, double scale, bool fast, struct anim_sink *to,
		      double *bound, struct anim_error *error)
{
	struct anim_track track, out;

	r->before = r->after = 0;
	reduce_joints_begin(joints, scale);
	for (size_t i = 0; i < anim_store_tracks(r->store, 0); i++) {
		struct reduce_job job = job_of(r, 0, fast);
		double unused;
		bool joint = reduce_joints_limit(joints, i, &job.limit);

		if (!joint && to == NULL)
			continue;
		if (anim_store_read(r->store, 0, i, &track, error) != 0)
			return -1;
		if (!joint || job.limit == 0 || is_stepping(&track)) {
			if (to != NULL && reduce_alone(r, &track, to, error) != 0)
				return -1;
			continue;
		}
		job.told = reduce_joints_span;
		job.context = reduce_joints_track(joints, i);
		out = track;
		if (reduce_one(r, &track, &job, reduce_limit(&track, &r->clip, &r->options.limits, &unused), &out,
			       error) != 0)
			return -1;
		r->before += track.n;
		r->after += out.n;
		if (to != NULL && anim_sink_track(to, out.n == track.n ? &track : &out, error) != 0)
			return -1;
	}
	*bound = reduce_joints_bound(joints, &r->joint, &r->at_s);
	return 0;
}

/* The largest scale of the limits, of those tried, with which the proof holds. 0 or -1. */
static int find_scale(struct reduce *r, struct reduce_joints *joints, double *scale, struct anim_error *error)
{
	double low = 1, next = 1, high = (double)INFINITY, bound;

	for (int i = 0; i < TRIES; i++) {
		double growth;

		if (run_joints(r, joints, next, r->options.fast, NULL, &bound, error) != 0)
			return -1;
		growth = bound > 0 ? r->tolerance_m / bound : GROWTH_MAX;
		if (growth >= 1)
			low = next;
		else
			high = next;
		next = fmin(next * fmin(growth, GROWTH_MAX), (low + high) / 2);
		if (!(next > low * GROWTH_MIN)) {
			next = high < (double)INFINITY ? (low + high) / 2 : low * GROWTH_MIN;
			if (!(next > low * GROWTH_MIN))
				break;
		}
	}
	*scale = low;
	return 0;
}

static int write_joints(struct reduce *r, struct reduce_joints *joints, struct anim_error *error)
{
	struct anim_store *kept = NULL;
	double scale;
	int result = find_scale(r, joints, &scale, error);

	for (bool holds = false; result == 0 && !holds; scale = scale * SHRINK > 1 ? scale * SHRINK : 1) {
		anim_store_free(kept);
		kept = anim_store_new(r->options.store_memory, error);
		if (kept == NULL)
			return -1;
		result = anim_sink_clip(anim_store_sink(kept), &r->clip, error);
		if (result == 0)
			result =
			    run_joints(r, joints, scale, r->options.fast, anim_store_sink(kept), &r->bound_m, error);
		holds = r->bound_m <= r->tolerance_m || scale == 1;
	}
	for (size_t i = 0; result == 0 && i < anim_store_tracks(kept, 0); i++) {
		struct anim_track track;

		result = anim_store_read(kept, 0, i, &track, error);
		if (result == 0)
			result = anim_sink_track(r->filter.next, &track, error);
	}
	anim_store_free(kept);
	return result;
}

/* ---- Clips ---- */

static int tell_clip(struct reduce *r, struct anim_error *error)
{
	char bound[128] = "", number[ANIM_NUMBER_MAX + 1];

	if (r->bound_m > 0) {
		number[anim_number_print_float(number, (float)(1000 * r->bound_m))] = '\0';
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
		joints =
		    reduce_joints_new(&r->poses, &r->clip, r->store, r->tolerance_m, r->options.limits.shell_m, error);
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
	anim_poses_clear(&r->poses);
	return anim_filter_tree(sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_poses_add(&((struct reduce *)sink)->poses, node, error) != 0 ? -1
										 : anim_filter_node(sink, node, error);
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
	r->bound_m = -1;
	if (r->options.limits.world && (clip->flags & ANIM_IN_TREE) && anim_poses_count(&r->poses) > 0) {
		r->store = anim_store_new(r->options.store_memory, error);
		if (r->store == NULL || anim_sink_clip(anim_store_sink(r->store), clip, error) != 0)
			return -1;
	}
	return anim_filter_clip(sink, clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct reduce *r = (struct reduce *)sink;

	return r->store != NULL ? anim_sink_track(anim_store_sink(r->store), track, error)
				: reduce_alone(r, track, r->filter.next, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return finish_clip((struct reduce *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct reduce *r = (struct reduce *)sink;

	anim_poses_clear(&r->poses);
	anim_arena_clear(&r->clip_arena);
	anim_store_free(r->store);
	reduce_work_clear(&r->work);
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
	anim_poses_init(&r->poses, options->store_memory);
	if (complete_limits(r, error) == 0)
		return &r->filter.sink;
	on_free(&r->filter.sink);
	return NULL;
}
