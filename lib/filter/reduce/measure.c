/* measure.c: the poses of source and result at some times, and how far they are apart there and in between: the proof in space. */
#include <math.h>
#include <string.h>

#include "filter/reduce/together.h"
#include "math/elementary.h"

/*
 * Between two keys both sides are smooth: their difference is no farther from the straight line between its ends than an eighth
 * of what its second derivative is at most (struct reduce_bend). Times in between make that small where it matters.
 */
#define BETWEEN_MAX 4096u /* pieces that the time between two keys is cut into */
#define GAP UINT32_MAX    /* of a time: what comes behind it is none of its neighbours */
#define LENGTH_MIN 1e-3   /* of quaternions between keys: nearer to 0 nothing is proven anyway */
#define WALK_MIN 64u      /* poses that are walked over at once at least, where a tile has as many */

/* ---- When ---- */

static int add_time(struct reduce_together *t, double at, uint32_t knot, struct anim_error *error)
{
	return anim_buffer_append(&t->times, &at, sizeof at, error) != 0 ||
		       anim_buffer_append(&t->knot, &knot, sizeof knot, error) != 0
		   ? -1
		   : 0;
}

/* Pieces with knots between which more times are wanted than there are. */
static void refine(struct reduce_together *t)
{
	uint32_t *between = (uint32_t *)(void *)t->between.data;
	const uint32_t *wanted = (const uint32_t *)(const void *)t->wanted.data;

	for (size_t k = 0; k < reduce_count_of(&t->knots); k++) {
		t->stale[k / t->stride] = t->stale[k / t->stride] || between[k] != wanted[k];
		between[k] = wanted[k];
	}
}

/* What ends the times of a stale piece has GAP for a number. */
int reduce_place_times(struct reduce_together *t, struct anim_error *error)
{
	const double *knots = reduce_numbers_of(&t->knots);
	const uint32_t *between;
	size_t count = reduce_count_of(&t->knots);

	refine(t);
	between = (const uint32_t *)(const void *)t->between.data;
	t->times.size = t->knot.size = 0;
	for (size_t k = 0; k < count; k++) {
		double next = k + 1 < count ? knots[k + 1] : knots[k];
		uint32_t pieces = k + 1 < count ? between[k] : 1;

		if (!t->stale[k / t->stride]) {
			if (k > 0 && t->stale[(k - 1) / t->stride] && add_time(t, knots[k], GAP, error) != 0)
				return -1;
			continue;
		}
		for (uint32_t i = 0; i < pieces; i++)
			if (add_time(t, knots[k] + (next - knots[k]) * i / pieces, (uint32_t)k, error) != 0)
				return -1;
	}
	return 0;
}

int reduce_place_knots(struct reduce_together *t, struct anim_error *error)
{
	t->times.size = t->knot.size = 0;
	for (size_t k = 0; k < reduce_count_of(&t->knots); k++)
		if (add_time(t, reduce_numbers_of(&t->knots)[k], (uint32_t)k, error) != 0)
			return -1;
	return 0;
}

/* ---- Values ---- */

/* How far apart neighbouring quaternions of a track are at most, in radians. */
static double longest_chord(const struct reduce_run *run, const uint8_t *keep)
{
	double least = 1;

	for (size_t i = reduce_first_kept(keep, run->n), j; (j = reduce_next_kept(keep, run->n, i)) < run->n; i = j) {
		const double *a = run->value + 4 * i, *b = run->value + 4 * j;

		least = fmin(least, a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
	}
	return anim_acos(least) + 1e-7;
}

/* How fast rotations gain speed along a curve of quaternions: they are divided by their lengths, which are near 1. */
static double gain(double bend, double fastest, double least)
{
	return 2 * bend / least + 4 * fastest * fastest / (least * least);
}

/* How near to 0 a curve of quaternions may come, of the source where `keep` is NULL. */
static double least_length(const struct reduce_run *run, const uint8_t *keep)
{
	double least = 1;

	for (size_t k = 0; run->leaving != NULL && k + 1 < run->n; k++)
		least = fmin(least, reduce_cubic_least(run, k) - (keep != NULL ? run->limit[k] / 2 : 0));
	if (run->leaving != NULL)
		return fmax(least, LENGTH_MIN);
	for (size_t k = 0; k + 1 < run->n; k++)
		if (run->limit[k] > 0.1 || reduce_turn_between(run, k) > 0.7)
			return 0.45;
	return 0.9;
}

static double bend_of(const struct reduce_run *run, const struct reduce_cubic *cubic, enum anim_pose_part part,
		      double least)
{
	double fastest, most = reduce_cubic_bend(run, cubic, &fastest);

	/* of scales the largest component was taken */
	return part == ANIM_POSE_ROTATION ? gain(most, fastest, least) : part == ANIM_POSE_SCALE ? 2 * most : most;
}

/* How a part's curves bend between the times at which it has values; the curves are those that these were taken from. 0 or -1. */
static int put_bends(struct reduce_together *t, struct anim_poses *poses, const struct reduce_share *share,
		     const struct reduce_run *run, const uint8_t *keep, struct anim_error *error)
{
	const double *times = reduce_numbers_of(&t->times);
	const struct reduce_cubic *cubic = (const struct reduce_cubic *)(const void *)t->cubics.data;
	size_t total = reduce_count_of(&t->times), j = reduce_first_kept(keep, run->n);
	double least = share->part == ANIM_POSE_ROTATION ? least_length(run, keep) : 1, bend = 0;

	if (anim_poses_open(poses, share->node, share->part + ANIM_POSE_PARTS, error) < 0)
		return -1;
	for (size_t k = 0; k < total; k++) {
		double step = k + 1 < total ? times[k + 1] - times[k] : 0;
		bool next = false;
		float number;

		for (; j < run->n && run->time[j] <= times[k]; next = true)
			j = reduce_next_kept(keep, run->n, j);
		if (next)
			bend = j < run->n ? bend_of(run, cubic++, share->part, least) : 0;
		number = (float)(bend * step * step * (1 + 0x1p-22));
		if (anim_poses_put(poses, &number, 1, error) != 0)
			return -1;
	}
	return 0;
}

#define PUT 64u /* values that are put at once */

/* A run's values at the times of the poses, through all its keys or those kept; of cubics these are kept. 0 or -1. */
static int put_values(struct reduce_together *t, struct anim_poses *poses, const struct reduce_run *run,
		      const uint8_t *keep, struct anim_error *error)
{
	const double *times = reduce_numbers_of(&t->times);
	size_t i = reduce_first_kept(keep, run->n), j = i, total = reduce_count_of(&t->times), used = 0;
	float numbers[PUT * REDUCE_COMPONENTS];
	struct reduce_cubic cubic;

	for (size_t k = 0; k < total; k++) {
		double value[REDUCE_COMPONENTS], slope[REDUCE_COMPONENTS];
		const double *shown = value;
		bool next = false;

		for (; j < run->n && run->time[j] <= times[k]; next = true) {
			i = j;
			j = reduce_next_kept(keep, run->n, j);
		}
		if (next && run->cubic && j < run->n) {
			reduce_cubic_fit(run, i, j, &cubic);
			if (anim_buffer_append(&t->cubics, &cubic, sizeof cubic, error) != 0)
				return -1;
		}
		/* before the first key, and behind the last, its value */
		if (!(j < run->n && j > i && times[k] > run->time[i]))
			shown = run->value + run->components * i;
		else if (run->cubic)
			reduce_cubic_at(&cubic, run->components, times[k], value, slope);
		else
			reduce_between(run, i, j, (times[k] - run->time[i]) / (run->time[j] - run->time[i]), value);
		for (unsigned c = 0; c < run->components; c++)
			numbers[used++] = (float)shown[c];
		if (used + REDUCE_COMPONENTS <= PUT * REDUCE_COMPONENTS && k + 1 < total)
			continue;
		if (anim_poses_put(poses, numbers, used, error) != 0)
			return -1;
		used = 0;
	}
	return 0;
}

int reduce_put_track(struct reduce_together *t, int side, const struct reduce_share *share,
		     const struct reduce_run *run, const uint8_t *keep, struct anim_error *error)
{
	struct anim_poses *poses = &t->scene->poses[side];
	int opened;

	t->cubics.size = 0;
	/* without a key it is at its rest, as all are that have no values */
	opened = keep != NULL && memchr(keep, 1, run->n) == NULL
		     ? 0
		     : anim_poses_open(poses, share->node, share->part, error);
	if (opened <= 0)
		return opened;
	if (run->metric == REDUCE_TURN && run->by_component && !run->cubic)
		anim_poses_chords(poses, share->node, longest_chord(run, keep));
	if (put_values(t, poses, run, keep, error) != 0)
		return -1;
	return run->cubic ? put_bends(t, poses, share, run, keep, error) : 0;
}

/* ---- How far they are apart ---- */

/* What part of its tolerance a point is off. */
static double part_of(double off, double tolerance)
{
	return off > 0 ? off / tolerance : 0;
}

/* A node between two times: how far it is off at their ends, and what is between them may come to. */
static void look(struct reduce_together *t, uint32_t node, size_t k, double off, const struct anim_pose_motion *source,
		 const struct anim_pose_motion *result, const struct reduce_bend *bend)
{
	const double *times = reduce_numbers_of(&t->times);
	uint32_t knot = ((const uint32_t *)(const void *)t->knot.data)[k],
		 *wanted = (uint32_t *)(void *)t->wanted.data + knot;
	float *most = t->off + node * t->pieces + knot / t->stride;
	const struct reduce_target *target = reduce_joints_target(t->joints, node);
	struct reduce_proof *proof = &t->proofs[knot / t->stride * t->groups + target->group];
	double *worst = &t->worst[knot / t->stride];
	double shell = target->shell_m, tolerance = target->tolerance_m, step = times[k + 1] - times[k];
	double room, pieces, need, slack = (bend->origin2 + shell * bend->basis2) / 8;
	double rounding = source->origin_rounding + result->origin_rounding +
			  shell * (source->basis_rounding + result->basis_rounding);

	t->hopeless = t->hopeless || rounding > tolerance;
	off += rounding + (result->origin1 + shell * result->basis1) * (step > 0 ? t->warp_s / step : 0);
	room = fmax(REDUCE_AIM * tolerance - off, t->slack * tolerance);
	pieces = ((const uint32_t *)(const void *)t->between.data)[knot];
	if (pieces * pieces * slack > (double)*wanted * (double)*wanted * room) {
		pieces = ceil(pieces * sqrt(slack / room));
		*wanted = pieces < (double)BETWEEN_MAX ? (uint32_t)pieces : BETWEEN_MAX;
	}
	need = part_of(off + fmin(slack, t->slack * tolerance), tolerance);
	off += slack;
	*worst = fmax(*worst, part_of(off, tolerance));
	if (off > proof->bound) {
		proof->bound = off;
		proof->where = anim_poses_path(&t->scene->poses[0], node);
	}
	if (need > (double)*most)
		*most = (float)need;
}

/* The same at a time, where nobody follows how nodes move: what is between is taken for as much as it is mostly left to be. */
static void glance(struct reduce_together *t, uint32_t node, size_t k, double off)
{
	uint32_t knot = ((const uint32_t *)(const void *)t->knot.data)[k];
	float *most = t->off + node * t->pieces + knot / t->stride;

	*most = fmaxf(*most, (float)(part_of(off, reduce_joints_target(t->joints, node)->tolerance_m) + t->slack));
}

static void glance_at_node(struct reduce_together *t, uint32_t node, size_t first, size_t count)
{
	const struct anim_poses *poses = t->scene->poses;

	if (!anim_poses_moves(&poses[0], node) && !anim_poses_moves(&poses[1], node))
		return;
	for (size_t k = 0; k < count; k++)
		glance(t, node, first + k,
		       anim_poses_distance(anim_poses_at(&poses[0], node, k), anim_poses_at(&poses[1], node, k),
					   reduce_joints_target(t->joints, node)->shell_m, true));
}

static void see(const struct reduce_together *t, struct reduce_proof *proof, size_t k, double off)
{
	if (!(off > proof->seen))
		return;
	proof->seen = off;
	proof->at_s = reduce_numbers_of(&t->times)[k];
}

/* Of a node in the tile at hand, whose first time is number `first`. */
static void measure_node(struct reduce_together *t, uint32_t node, size_t first, size_t count)
{
	const struct anim_poses *poses = t->scene->poses;
	const struct reduce_target *target = reduce_joints_target(t->joints, node);
	const uint32_t *knots = (const uint32_t *)(const void *)t->knot.data + first;
	const struct reduce_bend *bends = reduce_apart_at(&t->apart, node, 0);
	double before = 0, off;

	if (!anim_poses_moves(&poses[0], node) && !anim_poses_moves(&poses[1], node))
		return;
	for (size_t k = 0; k < count; k++) {
		const struct anim_pose_motion *source = anim_poses_motion(&poses[0], node, k > 0 ? k - 1 : 0);
		const struct anim_pose_motion *result = anim_poses_motion(&poses[1], node, k > 0 ? k - 1 : 0);

		if (count > 1 && source->rigid && result->rigid)
			off = bends[k].origin_at + target->shell_m * bends[k].basis_at;
		else
			off = anim_poses_distance(anim_poses_at(&poses[0], node, k), anim_poses_at(&poses[1], node, k),
						  target->shell_m, false);
		if (knots[k] != GAP)
			see(t, &t->proofs[knots[k] / t->stride * t->groups + target->group], first + k, off);
		if (k > 0 && knots[k - 1] != GAP)
			look(t, node, first + k - 1, fmax(before, off), source, result, &bends[k - 1]);
		before = off;
	}
}

/* What was known of stale pieces. */
static void forget_stale(struct reduce_together *t)
{
	for (size_t i = 0; i < t->pieces; i++) {
		if (!t->stale[i])
			continue;
		for (size_t node = 0; node < t->nodes; node++)
			t->off[node * t->pieces + i] = 0;
		memset(t->proofs + i * t->groups, 0, t->groups * sizeof *t->proofs);
		t->worst[i] = 0;
	}
}

/* So many poses are walked over at once: a quarter of a tile, which stays in the cache, unless that is next to nothing. */
static size_t walk_of(const struct anim_poses poses[2])
{
	size_t tile = poses[0].tile < poses[1].tile ? poses[0].tile : poses[1].tile;

	return tile / 4 < WALK_MIN ? tile : tile / 4;
}

int reduce_measure(struct reduce_together *t, struct anim_error *error)
{
	size_t total = reduce_count_of(&t->times), walk = walk_of(t->scene->poses), count;

	forget_stale(t);
	if (t->scene->poses[0].follows && reduce_apart_begin(&t->apart, t->scene->poses, error) != 0)
		return -1;
	for (size_t first = 0; first + 1 < total || first == 0; first += count > 1 ? count - 1 : 1) {
		count = total - first < walk ? total - first : walk;
		for (int side = 0; side < 2; side++)
			if (anim_poses_tile(&t->scene->poses[side], first, count, error) != 0)
				return -1;
		if (t->scene->poses[0].follows)
			reduce_apart_tile(&t->apart, t->scene->poses, count);
		for (uint32_t node = 0; node < t->nodes; node++)
			(t->scene->poses[0].follows ? measure_node : glance_at_node)(t, node, first, count);
	}
	return 0;
}
