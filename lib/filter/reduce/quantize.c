/* quantize.c: the sink that puts the values of an archive on lattices, clip by clip. */
#include "filter/reduce/quantize.h"

#include <stdlib.h>
#include <string.h>

#include "filter/common/rotations.h"
#include "filter/filter.h"
#include "filter/reduce/lattices.h"
#include "filter/reduce/limits.h"
#include "filter/reduce/sinks.h"
#include "stream/archive.h"

/* The largest part of an archive's gain that the record of errors and the provenance may take: their bytes, roughly. */
#define OVERHEAD 512u
#define CLEAR_GAIN (8.0 * OVERHEAD) /* a gain of so many bytes does not have to be measured */

/* The decisions about a clip. */
struct plan {
	bool lossy;
	size_t trees; /* in the input before the clip */
	struct reduce_lattice *lattices;
	struct anim_archive_clip_bounds bounds;
};

struct quantize {
	struct anim_sink sink;
	struct anim_sink *next;
	struct anim_quantize_options options;
	struct reduce_limits limits;
	struct reduce_sum sum; /* of earlier programs */
	struct anim_store *store;
	struct anim_buffer records; /* the provenance of the input */
	struct anim_buffer places;  /* size_t: the number of trees before each clip */
	size_t trees;
	struct anim_arena arena; /* plans */
	struct plan *plans;
	/* of the current clip */
	size_t loaded; /* trees before the one in `tree` and with it, or 0 for none */
	struct anim_poses tree, poses[2];
	struct reduce_lattice_work work;
	struct reduce_work reduce;
	struct reduce_proof *proofs;
	struct reduce_budget budget;
};

/* ---- The tracks of a clip, with rotations instead of samples of Euler angles ---- */

static int is_no_sampled_angle(struct anim_sink *next, const struct anim_track *track, struct anim_error *error)
{
	(void)next;
	(void)error;
	return track->kind != ANIM_RAW;
}

/*
 * Return a store with one clip, as it will be quantised. Samples of Euler angles are converted to rotations. NULL on failure.
 */
static struct anim_store *open_clip(struct quantize *q, size_t clip, struct anim_error *error)
{
	struct anim_store *store = anim_store_new(q->options.store_memory, error);
	bool angles = false;
	int status;

	if (store == NULL)
		return NULL;
	for (size_t i = 0; i < anim_store_tracks(q->store, clip) && !angles; i++) {
		const struct anim_store_track *track = anim_store_track_at(q->store, clip, i);

		angles = track->kind == ANIM_RAW && strcmp(track->property, "euler") == 0;
	}
	if (angles) {
		struct anim_diagnostics silent = {0};
		const struct anim_rotations_options options = {
		    .fits = is_no_sampled_angle, .rests = &q->tree.rests, .diagnostics = &silent};
		struct anim_sink *sink =
		    anim_rotations_new(&options, reduce_forward_new(anim_store_sink(store), error), error);

		status = sink == NULL ? -1 : anim_store_replay(q->store, clip, NULL, sink, error);
		if (status == 0)
			status = anim_sink_end(sink, error);
		anim_sink_free(sink);
		anim_diagnostics_clear(&silent);
	} else {
		status = anim_store_replay(q->store, clip, NULL, anim_store_sink(store), error);
	}
	if (status == 0)
		return store;
	anim_store_free(store);
	return NULL;
}

/* ---- The tree of a clip ---- */

/* Read the tree before the clip, if it is another one than the last. Returns 0 or -1. */
static int load_tree(struct quantize *q, const struct plan *plan, struct anim_error *error)
{
	struct anim_sink *sink;
	int result;

	if (plan->trees == q->loaded)
		return 0;
	anim_poses_clear(&q->tree);
	sink = anim_poses_sink_new(&q->tree, error);
	result = sink == NULL ? -1 : anim_store_replay_tree(q->store, plan->trees - 1, sink, error);
	anim_sink_free(sink);
	q->loaded = plan->trees;
	return result;
}

/* ---- One clip ---- */

/* Add a row of bounds. The reached error is rounded up. */
static void add_row(struct plan *plan, const char *nodes, enum anim_bound_unit unit, double asked, double shell_m,
		    double reached)
{
	float bound = (float)reached;

	if ((double)bound < reached)
		bound *= 1 + 0x1p-22f;
	plan->bounds.rows[plan->bounds.count++] =
	    (struct anim_archive_bound){nodes, unit, (float)asked, bound, (float)shell_m};
}

/* Record the errors of the clip. Returns 0 or -1. */
static int set_bounds(struct quantize *q, struct plan *plan, const struct reduce_lattice_job *job,
		      struct anim_error *error)
{
	size_t most = job->groups + REDUCE_LATTICE_UNITS;

	plan->bounds.rows = anim_arena_zeroed(&q->arena, most, sizeof *plan->bounds.rows, error);
	if (plan->bounds.rows == NULL)
		return -1;
	for (size_t i = 0; i < job->groups; i++) {
		const struct anim_limits *limits = i == 0 ? &q->limits.all : &q->limits.overrides[i - 1].limits;

		if (job->proofs[i].bound > 0)
			add_row(plan, i == 0 ? "" : q->limits.overrides[i - 1].glob, ANIM_BOUND_SPACE,
				anim_limits_find(limits, ANIM_UNIT_LENGTH, ANIM_LIMIT_WORLD), limits->shell_m,
				job->proofs[i].bound);
	}
	for (size_t i = 0; i < REDUCE_LATTICE_UNITS; i++)
		if (job->asked[i] > 0)
			add_row(plan, "", (enum anim_bound_unit)i, job->asked[i], 0, job->reached[i]);
	return 0;
}

/*
 * Find the lattices of a clip in a store, and record its errors. *gain is set to the bytes by which it is known to become
 * smaller. Returns 0 or -1.
 */
static int find_lattices(struct quantize *q, const struct anim_clip *clip, struct anim_store *store, struct plan *plan,
			 double *gain, struct anim_error *error)
{
	struct reduce_scene scene = {.clip = clip,
				     .store = store,
				     .poses = q->poses,
				     .work = &q->reduce,
				     .rules = ANIM_RULES_COUNT,
				     .budget = &q->budget};
	struct reduce_lattice_job job = {.scene = &scene,
					 .limits = &q->limits,
					 .work = &q->work,
					 .arena = &q->arena,
					 .store_memory = q->options.store_memory,
					 .lattices = plan->lattices,
					 .proofs = q->proofs,
					 .groups = q->limits.count + 1};
	bool in_space = q->limits.all.world && (clip->flags & ANIM_IN_TREE) && anim_poses_count(&q->tree) > 0;
	int result;

	memset(q->proofs, 0, job.groups * sizeof *q->proofs);
	for (size_t i = 0; in_space && i < anim_store_tracks(store, 0); i++) {
		struct anim_track track;

		/* no joint moves a track in the space of the root */
		if (anim_store_read(store, 0, i, &track, error) != 0)
			return -1;
		in_space = !anim_track_is_placed(&track);
	}
	if (in_space) {
		if (reduce_find_branch(&q->tree, q->poses, clip->root, store, &q->limits, error) != 0)
			return -1;
		job.joints = reduce_joints_new(&q->poses[0], clip, store, ANIM_RULES_COUNT, ANIM_REDUCE_LINEAR,
					       &q->limits, error);
		if (job.joints == NULL)
			return -1;
	}
	result = reduce_lattices(&job, error);
	*gain = job.gain;
	if (result == 0)
		result = set_bounds(q, plan, &job, error);
	reduce_joints_free(job.joints);
	return result;
}

/* Push a clip into a sink, according to its plan: unchanged, or with its tracks on lattices. Returns 0 or -1. */
static int push_clip(struct quantize *q, size_t number, bool lossy, struct anim_store *opened, struct anim_sink *sink,
		     struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(q->store, number);
	struct anim_store *store = opened;
	int result;

	if (!lossy)
		return anim_store_replay(q->store, number, NULL, sink, error);
	if (store == NULL && (store = open_clip(q, number, error)) == NULL)
		return -1;
	result = anim_sink_clip(sink, clip, error);
	for (size_t i = 0; i < anim_store_tracks(store, 0) && result == 0; i++) {
		const struct reduce_lattice *lattice = &q->plans[number].lattices[i];
		struct anim_track track, out;
		int status = 0;

		result = anim_store_read(store, 0, i, &track, error);
		if (result == 0 && lattice->steps != NULL)
			status = reduce_lattice_encode(&q->work, clip, &track, lattice, &out, error);
		if (result == 0)
			result = status < 0 ? -1 : anim_sink_track(sink, status == 1 ? &out : &track, error);
	}
	if (opened == NULL)
		anim_store_free(store);
	return result;
}

/* Return the size of an archive with this clip, without its tree. Returns 0 or -1. */
static int clip_bytes(struct quantize *q, size_t number, bool lossy, struct anim_store *opened, size_t *bytes,
		      struct anim_error *error)
{
	const struct anim_archive_writer_options options = {.jobs = 1};
	struct anim_clip head = *anim_store_clip(q->store, number);
	struct anim_output *output = NULL;
	struct anim_sink *writer = NULL;
	const struct anim_tree tree = {.root_name = "", .source_file = ""};
	int result = anim_output_open_memory(&output, error);

	if (result == 0)
		writer = anim_archive_writer_new(output, &options, error);
	if (writer == NULL || (lossy && anim_archive_writer_lattice(writer, error) != 0) ||
	    ((head.flags & ANIM_IN_TREE) && anim_sink_tree(writer, &tree, error) != 0) ||
	    push_clip(q, number, lossy, opened, writer, error) != 0 || anim_sink_end(writer, error) != 0)
		result = -1;
	if (result == 0)
		(void)anim_output_memory(output, bytes);
	anim_sink_free(writer);
	anim_output_free(output);
	return result;
}

/* Decide about a clip. *gain is the number of bytes by which it becomes smaller. Returns 0 or -1. */
static int plan_clip(struct quantize *q, size_t number, size_t *gain, struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(q->store, number);
	struct plan *plan = &q->plans[number];
	struct anim_store *store;
	size_t exact = 0, smaller = 0, count;
	double known = 0;
	bool any = false;
	int result;

	*gain = 0;
	if (((clip->flags & ANIM_IN_TREE) && load_tree(q, plan, error) != 0) ||
	    (store = open_clip(q, number, error)) == NULL)
		return -1;
	count = anim_store_tracks(store, 0);
	plan->lattices = anim_arena_zeroed(&q->arena, count + 1, sizeof *plan->lattices, error);
	result = plan->lattices == NULL ? -1 : find_lattices(q, clip, store, plan, &known, error);
	for (size_t i = 0; result == 0 && i < count; i++)
		any = any || plan->lattices[i].steps != NULL;
	/* a clip is packed in both ways only if their sizes may be nearly the same */
	if (any && known > CLEAR_GAIN)
		exact = (size_t)known;
	else if (result == 0 && any &&
		 (clip_bytes(q, number, true, store, &smaller, error) != 0 ||
		  clip_bytes(q, number, false, NULL, &exact, error) != 0))
		result = -1;
	anim_store_free(store);
	plan->lossy = smaller < exact;
	*gain = plan->lossy ? exact - smaller : 0;
	return result;
}

/* ---- The archive ---- */

/* Write the provenance of this program. Returns 0 or -1. */
static int push_prog(struct quantize *q, struct anim_error *error)
{
	struct anim_prog *prog = q->options.prog;
	struct anim_buffer bytes = {0};
	struct anim_record record;
	char text[REDUCE_SUM_TEXT];
	struct anim_attrs before;
	int result;

	if (prog == NULL)
		return 0;
	reduce_sum_print(&q->sum, &q->limits, text);
	before = prog->attrs;
	if (anim_attrs_with(&prog->attrs, &before, REDUCE_SUM_ATTRIBUTE, text, q->options.prog_arena, error) != 0)
		return -1;
	result = anim_encode_prog(&bytes, prog, error);
	if (result == 0) {
		anim_record_at(bytes.data, 0, &record);
		result = anim_sink_record(q->next, &record, error);
	}
	anim_buffer_clear(&bytes);
	return result;
}

/* Write the errors of all clips. Returns 0 or -1. */
static int push_bounds(struct quantize *q, struct anim_error *error)
{
	size_t count = anim_store_clips(q->store);
	struct anim_archive_bounds bounds = {.limits = q->options.limits_text,
					     .override_count = q->options.override_count,
					     .overrides = (const char **)(uintptr_t)q->options.override_texts,
					     .clip_count = count};
	struct anim_buffer bytes = {0};
	struct anim_record record;
	int result = -1;

	bounds.clips = anim_arena_zeroed(&q->arena, count, sizeof *bounds.clips, error);
	for (size_t i = 0; i < count && bounds.clips != NULL; i++)
		if (q->plans[i].lossy)
			bounds.clips[i] = q->plans[i].bounds;
	if (bounds.clips != NULL && anim_archive_bounds_encode(&bytes, &bounds, error) == 0) {
		anim_record_at(bytes.data, 0, &record);
		result = anim_sink_record(q->next, &record, error);
	}
	anim_buffer_clear(&bytes);
	return result;
}

/* Report the errors of a clip, or that it stays exact. Returns 0 or -1. */
static int note_clip(struct quantize *q, size_t number, bool lossy, struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(q->store, number);
	const struct plan *plan = &q->plans[number];
	char millimetres[ANIM_NUMBER_MAX];

	if (!lossy || !plan->lossy)
		return anim_diagnostics_note(q->options.diagnostics, NULL, error,
					     "clip '%s' stays exact: with errors within the limits it would not be "
					     "smaller",
					     clip->name);
	for (size_t i = 0; i < plan->bounds.count; i++) {
		const struct anim_archive_bound *row = &plan->bounds.rows[i];

		if (row->unit != ANIM_BOUND_SPACE)
			continue;
		if (anim_diagnostics_note(q->options.diagnostics, NULL, error, "clip '%s': %s%s%s at most %s mm off",
					  clip->name, row->nodes[0] == '\0' ? "joints" : "'", row->nodes,
					  row->nodes[0] == '\0' ? "" : "'",
					  reduce_print_bound(millimetres, 1000 * (double)row->reached)) != 0)
			return -1;
	}
	return 0;
}

/* Write everything according to the plans. Returns 0 or -1. */
static int push_all(struct quantize *q, bool lossy, struct anim_error *error)
{
	struct anim_record record;
	size_t pushed = 0;

	if (lossy && anim_archive_writer_lattice(q->next, error) != 0)
		return -1;
	for (size_t at = 0; at < q->records.size; at += record.size) {
		anim_record_at(q->records.data + at, 0, &record);
		if (anim_sink_record(q->next, &record, error) != 0)
			return -1;
	}
	if (lossy && push_prog(q, error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_clips(q->store); i++) {
		const struct plan *plan = &q->plans[i];

		for (; pushed < plan->trees; pushed++)
			if (anim_store_replay_tree(q->store, pushed, q->next, error) != 0)
				return -1;
		if (lossy && plan->lossy && (anim_store_clip(q->store, i)->flags & ANIM_IN_TREE) &&
		    load_tree(q, plan, error) != 0)
			return -1;
		if (push_clip(q, i, lossy && plan->lossy, NULL, q->next, error) != 0 ||
		    note_clip(q, i, lossy, error) != 0)
			return -1;
	}
	for (; pushed < q->trees; pushed++)
		if (anim_store_replay_tree(q->store, pushed, q->next, error) != 0)
			return -1;
	return lossy ? push_bounds(q, error) : 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct quantize *q = (struct quantize *)sink;
	size_t count = anim_store_clips(q->store), total = 0, gain;

	q->plans = anim_arena_zeroed(&q->arena, count + 1, sizeof *q->plans, error);
	if (q->plans == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		q->plans[i].trees = ((const size_t *)(const void *)q->places.data)[i];
		if (plan_clip(q, i, &gain, error) != 0)
			return -1;
		total += gain;
	}
	if (push_all(q, total > OVERHEAD, error) != 0 ||
	    reduce_limits_warn(&q->limits, q->options.diagnostics, error) != 0 ||
	    anim_diagnostics_check(q->options.diagnostics, error) != 0)
		return -1;
	return anim_sink_end(q->next, error);
}

/* ---- The input ---- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct quantize *q = (struct quantize *)sink;

	q->trees++;
	return anim_sink_tree(anim_store_sink(q->store), tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(anim_store_sink(((struct quantize *)sink)->store), node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct quantize *q = (struct quantize *)sink;

	if (anim_buffer_append(&q->places, &q->trees, sizeof q->trees, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(q->store), clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(anim_store_sink(((struct quantize *)sink)->store), track, error);
}

/*
 * Keep the records before the first tree or clip, and those after a tree. Others describe records that change, or may be left
 * out.
 */
static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct quantize *q = (struct quantize *)sink;

	if (anim_record_is(record, "prog") && reduce_sum_read(&q->sum, record, error) != 0)
		return -1;
	if (anim_store_clips(q->store) > 0 || (record->tag[1] >= 'A' && record->tag[1] <= 'Z') ||
	    anim_record_is(record, "iNDX"))
		return 0;
	if (q->trees > 0)
		return anim_store_keep_record(q->store, record, error);
	return anim_buffer_append(&q->records, record->bytes, record->size, error);
}

static void on_free(struct anim_sink *sink)
{
	struct quantize *q = (struct quantize *)sink;

	anim_sink_free(q->next);
	anim_store_free(q->store);
	reduce_limits_clear(&q->limits);
	anim_buffer_clear(&q->records);
	anim_buffer_clear(&q->places);
	anim_poses_clear(&q->tree);
	for (int side = 0; side < 2; side++)
		anim_poses_clear(&q->poses[side]);
	reduce_lattice_work_clear(&q->work);
	reduce_work_clear(&q->reduce);
	free(q->proofs);
	anim_arena_clear(&q->arena);
	free(q);
}

struct anim_sink *anim_quantize_new(const struct anim_quantize_options *options, struct anim_sink *writer,
				    struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};
	struct quantize *q = writer == NULL ? NULL : anim_sink_new(sizeof *q, &ops, error);

	if (q == NULL) {
		anim_sink_free(writer);
		return NULL;
	}
	q->next = writer;
	q->options = *options;
	reduce_sum_init(&q->sum);
	anim_poses_init(&q->tree, 0);
	for (int side = 0; side < 2; side++)
		anim_poses_init(&q->poses[side], options->store_memory);
	q->store = anim_store_new(options->store_memory, error);
	q->proofs = anim_zeroed((options->override_count + 1) * sizeof *q->proofs, error);
	if (q->store != NULL && q->proofs != NULL &&
	    reduce_limits_init(&q->limits, &options->limits, options->overrides, options->override_count, error) == 0)
		return &q->sink;
	on_free(&q->sink);
	return NULL;
}
