/* together.c: the tracks of a skeleton, each as far off as all of them together leave room for. */
#include <math.h>
#include <string.h>

#include "filter/reduce/together.h"
#include "math/elementary.h"

/*
 * Shares that hold whatever the errors' directions waste most of a tolerance: errors of a chain seldom point the same way at the
 * same time. So the limits of each joint are made larger, piece by piece of the clip's time, where no point that it carries is
 * as far off as it may be, and smaller where one is farther. Poses of source and result, at the keys of all tracks, tell.
 */
#define ROUNDS 3u       /* in which limits grow, at the keys alone; the first finds out what each joint costs */
#define ROUNDS_AGAIN 8u /* with --fast: in which keys are chosen anew where the proof fails */
#define NARROWER 0.1    /* of the tolerance that is aimed at less in each of these */
#define ROUNDS_MAX 24u  /* then with times between, until the proof holds */
#define STUCK 8u        /* or until it is the same for so many rounds: all keys are back where it fails */
#define GROWN 16u       /* a part of the keys: where more come back, all are chosen anew */
#define START 3.0       /* times its share a limit begins with */
#define GROWTH_MAX 1.5
#define NEAR 0.99      /* of the tolerance, at the knots: the rest is for what is between */
#define SLACK 0.01     /* of the tolerance: what may be unknown between two times at least, where it is tight */
#define SLACK_FAST 0.1 /* the same where that is to be soon */
/*
 * Work on a clip, in transforms, for each key and each node, beside what every clip may take: of trials of keys, and of poses that
 * prove what they are off. Motion capture takes at most 90 and 1, a rotation of many turns between two keys thousands.
 */
#define TRIALS 100u
#define TRIALS_LEAST 1000000u
#define POSES 10u
#define POSES_LEAST 4000000u
#define HAIR 1e-9 /* seconds: nearer times are one, however they were reckoned */
#define PIECES_MAX 4096u
#define PIECES_MIN 16u
#define NUMBERS_MAX ((size_t)1024 * 1024)      /* of all pieces and nodes */
#define SAMPLES_MAX ((size_t)64 * 1024 * 1024) /* of all times and nodes: beyond it takes too long */

/* ---- When ---- */

/* Rising times put among those that are there already. 0 or -1. */
static int merge(struct reduce_together *t, const double *from, size_t count, struct anim_error *error)
{
	const double *old = reduce_numbers_of(&t->knots);
	size_t old_count = reduce_count_of(&t->knots), i = 0, k = 0;
	struct anim_buffer swap;

	t->merged.size = 0;
	while (i < old_count || k < count) {
		double a = i < old_count ? old[i] : (double)INFINITY, b = k < count ? from[k] : (double)INFINITY;
		double next = fmin(a, b);

		i += a <= next + HAIR;
		k += b <= next + HAIR;
		if (anim_buffer_append(&t->merged, &next, sizeof next, error) != 0)
			return -1;
	}
	swap = t->knots;
	t->knots = t->merged;
	t->merged = swap;
	return 0;
}

int reduce_read_shared(const struct reduce_scene *scene, size_t i, const struct reduce_share *share, bool result,
		       struct anim_track *track, struct reduce_run *run, double **limits, struct anim_error *error)
{
	struct reduce_cut cut;

	if (anim_store_read(scene->store, 0, i, track, error) != 0)
		return -1;
	cut = reduce_cut_of(scene->work, scene->clip, track, scene->rules, share->cubic, share->limit);
	if (reduce_read(scene->work, scene->clip, track, reduce_metric_of(track),
			result && scene->rules != ANIM_RULES_COUNT ? scene->rules : track->rules,
			result ? share->cubic : reduce_is_curved(track), cut, run, limits, error) != 0)
		return -1;
	run->together = true;
	return 0;
}

static int find_knots(struct reduce_together *t, struct anim_error *error)
{
	const double ends[] = {(double)t->scene->clip->start_s, (double)t->scene->clip->end_s};
	struct anim_track track;
	struct reduce_run run;
	double *limits;

	if (merge(t, ends, ends[1] > ends[0] ? 2 : 1, error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_tracks(t->scene->store, 0); i++) {
		struct reduce_share share;

		if (!reduce_joints_limit(t->joints, i, &share))
			continue;
		if (reduce_read_shared(t->scene, i, &share, false, &track, &run, &limits, error) != 0 ||
		    merge(t, run.time, run.n, error) != 0)
			return -1;
		if ((t->chosen[i].keep = anim_arena_zeroed(t->arena, run.n, 1, error)) == NULL)
			return -1;
		for (size_t k = 0; k < run.n; k++)
			t->warp_s = fmax(t->warp_s, fabs(run.time[k] - (double)(float)run.time[k]));
	}
	return 0;
}

size_t reduce_knot_from(const double *knots, size_t count, size_t knot, double at)
{
	while (knot + 1 < count && knots[knot] < at - HAIR)
		knot++;
	return knot;
}

static size_t knot_from(const struct reduce_together *t, size_t knot, double at)
{
	return reduce_knot_from(reduce_numbers_of(&t->knots), reduce_count_of(&t->knots), knot, at);
}

/* The limits of a track's keys: each as the pieces of the time from the key before it to the one behind it have it. */
static void set_limits(const struct reduce_together *t, const struct reduce_share *share, const struct reduce_run *run,
		       double *limits)
{
	const float *scale = t->scale + share->node * t->pieces;
	size_t before = 0, knot = 0, after = knot_from(t, 0, run->time[0]);

	for (size_t k = 0; k < run->n; k++) {
		float least = scale[after / t->stride];
		double limit;

		before = knot;
		knot = after;
		after = k + 1 < run->n ? knot_from(t, knot, run->time[k + 1]) : knot;
		for (size_t i = before / t->stride; i <= after / t->stride; i++)
			least = scale[i] < least ? scale[i] : least;
		limit = share->limit * (double)least;
		limits[k] = limit < share->most ? limit : share->most;
	}
}

/* A track's keys under its limits. 0 or -1. */
static int choose(struct reduce_together *t, size_t i, const struct reduce_share *share, const struct reduce_run *run,
		  struct anim_error *error)
{
	struct reduce_chosen *chosen = &t->chosen[i];

	if (!(share->limit > 0))
		memset(chosen->keep, 1, run->n);
	else if (reduce_choose(run, t->scene->fast || t->quick, chosen->keep, error) != 0)
		return -1;
	chosen->count = reduce_count_kept(chosen->keep, run->n);
	t->cost[share->node] += (double)chosen->count;
	return 0;
}

/* All tracks of joints on one side; of the result after their keys are chosen, where that is wanted, or these alone. 0 or -1. */
enum putting { PUT_VALUES, PUT_CHOSEN, CHOOSE_ALONE };
static int put_side(struct reduce_together *t, int side, enum putting what, struct anim_error *error)
{
	bool choosing = what != PUT_VALUES;
	struct anim_poses *poses = &t->scene->poses[side];
	struct anim_track track;
	struct reduce_share share;
	struct reduce_run run;
	double *limits;

	anim_poses_begin(poses, reduce_count_of(&t->times));
	memset(t->cost, 0, t->nodes * sizeof *t->cost);
	for (size_t i = 0; i < anim_store_tracks(t->scene->store, 0); i++) {
		if (t->chosen[i].keep == NULL || !reduce_joints_limit(t->joints, i, &share))
			continue;
		if (reduce_read_shared(t->scene, i, &share, side == 1, &track, &run, &limits, error) != 0)
			return -1;
		if (choosing || (side == 1 && run.leaving != NULL))
			set_limits(t, &share, &run, limits);
		if (choosing && choose(t, i, &share, &run, error) != 0)
			return -1;
		if (what != CHOOSE_ALONE &&
		    reduce_put_track(t, side, &share, &run, side == 1 ? t->chosen[i].keep : NULL, error) != 0)
			return -1;
	}
	return anim_poses_ready(poses, error);
}

/* ---- Rounds ---- */

/* From how far its own points are off to how far any is that a node carries. */
static void gather(struct reduce_together *t)
{
	for (uint32_t node = (uint32_t)t->nodes; node-- > 0;) {
		uint32_t parent = anim_poses_parent(&t->scene->poses[0], node);

		for (size_t i = 0; i < t->pieces && parent != ANIM_POSE_NONE; i++)
			t->off[parent * t->pieces + i] =
			    fmaxf(t->off[parent * t->pieces + i], t->off[node * t->pieces + i]);
	}
}

/* How much larger or smaller limits become where points are off by that part of their tolerance. */
static double change(double off)
{
	double room = off > 0 ? REDUCE_AIM / off : GROWTH_MAX;

	return room < 1 ? fmax(sqrt(room), 0.5) : fmin(sqrt(sqrt(room)), GROWTH_MAX);
}

static void adapt(struct reduce_together *t)
{
	gather(t);
	for (uint32_t node = 0; node < t->nodes; node++)
		for (size_t i = 0; i < t->pieces; i++) {
			const float *off = t->off + node * t->pieces + i;
			/* a key reaches into the pieces beside its own */
			float most = fmaxf(off[0], fmaxf(i > 0 ? off[-1] : 0, i + 1 < t->pieces ? off[1] : 0));

			t->scale[node * t->pieces + i] *= (float)change((double)most);
		}
}

/*
 * Keys go down with the root of what their track may be off. Of a sum of c / sqrt(e) along a way, where the e have a given sum,
 * the least is where each e is in proportion to c^(2/3).
 */
static int weigh(struct reduce_together *t, struct anim_error *error)
{
	double *weight = anim_arena_zeroed(t->arena, 3 * t->nodes + 1, sizeof *weight, error), *up, *down;
	const struct anim_poses *poses = &t->scene->poses[0];
	struct reduce_share share;

	if (weight == NULL)
		return -1;
	up = weight + t->nodes;
	down = up + t->nodes;
	for (uint32_t node = 0; node < t->nodes; node++) {
		uint32_t parent = anim_poses_parent(poses, node);

		weight[node] = anim_pow(t->cost[node], 2.0 / 3);
		up[node] = weight[node] + (parent == ANIM_POSE_NONE ? 0 : up[parent]);
	}
	for (uint32_t node = (uint32_t)t->nodes; node-- > 0;) {
		uint32_t parent = anim_poses_parent(poses, node);

		if (parent != ANIM_POSE_NONE)
			down[parent] = fmax(down[parent], down[node] + weight[node]);
	}
	for (size_t i = 0; i < anim_store_tracks(t->scene->store, 0); i++)
		if (t->chosen[i].keep != NULL && reduce_joints_limit(t->joints, i, &share))
			for (size_t k = 0; k < t->pieces; k++)
				t->scale[share.node * t->pieces + k] =
				    (float)(START * weight[share.node] * share.sharers /
					    (up[share.node] + down[share.node]));
	return 0;
}

static int start(struct reduce_together *t, struct anim_error *error)
{
	size_t knots;

	t->nodes = anim_poses_count(&t->scene->poses[0]);
	if (find_knots(t, error) != 0)
		return -1;
	knots = reduce_count_of(&t->knots);
	t->pieces = NUMBERS_MAX / (t->nodes + 1);
	t->pieces = t->pieces < PIECES_MIN ? PIECES_MIN : t->pieces > PIECES_MAX ? PIECES_MAX : t->pieces;
	t->stride = knots / t->pieces + 1;
	t->pieces = knots / t->stride + 1;
	t->scale = anim_arena_zeroed(t->arena, t->nodes * t->pieces + 1, sizeof *t->scale, error);
	t->cost = anim_arena_zeroed(t->arena, t->nodes + 1, sizeof *t->cost, error);
	t->off = anim_arena_zeroed(t->arena, t->nodes * t->pieces + 1, sizeof *t->off, error);
	t->narrower = anim_arena_zeroed(t->arena, t->nodes + 1, sizeof *t->narrower, error);
	t->stale = anim_arena_zeroed(t->arena, t->pieces, sizeof *t->stale, error);
	t->allowed = anim_arena_zeroed(t->arena, knots, sizeof *t->allowed, error);
	t->touched = anim_arena_zeroed(t->arena, knots, 1, error);
	t->worst = anim_arena_zeroed(t->arena, t->pieces, sizeof *t->worst, error);
	t->proofs = anim_arena_zeroed(t->arena, t->pieces * t->groups, sizeof *t->proofs, error);
	if (t->scale == NULL || t->cost == NULL || t->off == NULL || t->narrower == NULL || t->stale == NULL ||
	    t->worst == NULL || t->proofs == NULL || t->allowed == NULL || t->touched == NULL ||
	    anim_buffer_extend(&t->between, knots * sizeof(uint32_t), error) == NULL ||
	    anim_buffer_extend(&t->wanted, knots * sizeof(uint32_t), error) == NULL)
		return -1;
	for (size_t i = 0; i < t->nodes * t->pieces; i++)
		t->scale[i] = (float)START;
	for (size_t k = 0; k < knots; k++)
		t->allowed[k] = (float)NEAR;
	return 0;
}

/* As if no time between knots had been wanted. */
static void forget_between(struct reduce_together *t)
{
	for (size_t k = 0; k < reduce_count_of(&t->knots); k++)
		((uint32_t *)(void *)t->wanted.data)[k] = 1;
}

static void set_stale(struct reduce_together *t, bool stale)
{
	memset(t->stale, stale, t->pieces * sizeof *t->stale);
}

static void follow(struct reduce_together *t, bool follows)
{
	for (int side = 0; side < 2; side++)
		t->scene->poses[side].follows = follows;
}

/* Keys come back where points are to be nearer, and with `sparing` others go; the poses have the chosen keys. 0 or -1. */
static int try_keys(struct reduce_together *t, bool sparing, struct anim_error *error)
{
	return reduce_spare(t->scene, t->joints, reduce_numbers_of(&t->knots), reduce_count_of(&t->knots), t->allowed,
			    sparing, t->chosen, t->touched, error);
}

/* At the keys alone. 0 or -1. */
static int run_rough(struct reduce_together *t, struct anim_error *error)
{
	forget_between(t);
	set_stale(t, true);
	follow(t, false);
	if (reduce_place_knots(t, error) != 0 || put_side(t, 0, PUT_VALUES, error) != 0)
		return -1;
	for (unsigned round = 0; round < ROUNDS; round++) {
		t->quick = round + 1 < ROUNDS;
		/* the first tells what each joint costs */
		if (put_side(t, 1, round == 0 ? CHOOSE_ALONE : PUT_CHOSEN, error) != 0)
			return -1;
		if (!t->quick)
			break;
		if (round == 0 ? weigh(t, error) != 0 : reduce_measure(t, error) != 0)
			return -1;
		if (round > 0)
			adapt(t);
	}
	return t->scene->fast ? 0 : try_keys(t, true, error);
}

/* What is stale is measured anew. 1, 0 where these are too many times, -1. */
static int measure_stale(struct reduce_together *t, struct anim_error *error)
{
	uint64_t *left = &t->scene->budget->poses, poses;

	if (reduce_place_times(t, error) != 0)
		return -1;
	poses = (uint64_t)reduce_count_of(&t->times) * t->nodes;
	if (reduce_count_of(&t->times) > SAMPLES_MAX / (t->nodes + 1) || poses > *left) {
		*left = 0;
		return 0;
	}
	*left -= poses;
	if (reduce_count_of(&t->times) == 0)
		return 1;
	if (put_side(t, 0, PUT_VALUES, error) != 0 || put_side(t, 1, PUT_VALUES, error) != 0 ||
	    reduce_measure(t, error) != 0)
		return -1;
	set_stale(t, false);
	return 1;
}

static double worst_of(const struct reduce_together *t)
{
	double worst = 0;

	for (size_t i = 0; i < t->pieces; i++)
		worst = fmax(worst, t->worst[i]);
	return worst;
}

/* Pieces that wait for more times tell nothing yet. */
static void wait(struct reduce_together *t)
{
	const uint32_t *between = (const uint32_t *)(const void *)t->between.data;
	const uint32_t *wanted = (const uint32_t *)(const void *)t->wanted.data;

	for (size_t k = 0; k < reduce_count_of(&t->knots); k++)
		if (between[k] != wanted[k])
			t->worst[k / t->stride] = 0;
}

/* Points are to be nearer where the proof fails. False: nowhere. */
static bool tighten(struct reduce_together *t, unsigned stuck)
{
	size_t count = reduce_count_of(&t->knots);
	bool any = false;

	wait(t);
	for (size_t k = 0; k < count; k++) {
		/* what is between two knots is of both */
		double worst = fmax(t->worst[k / t->stride], k > 0 ? t->worst[(k - 1) / t->stride] : 0);

		if (!(worst > 1))
			continue;
		t->allowed[k] *= (float)(REDUCE_AIM / worst * (stuck > 0 ? 0.5 : 1));
		any = true;
	}
	return any;
}

/* Smaller limits of what carries a point that is too far off, near that time, the later the smaller. True where there are some. */
static bool narrow(struct reduce_together *t, unsigned round)
{
	double aim = REDUCE_AIM - NARROWER * round;
	bool any = false;

	gather(t);
	for (size_t i = 0; i < t->pieces; i++) {
		if (!(t->worst[i] > 1))
			continue;
		for (uint32_t node = 0; node < t->nodes; node++)
			for (size_t k = i > 0 ? i - 1 : 0; k <= i + 1 && k < t->pieces; k++) {
				double off = (double)t->off[node * t->pieces + i];

				if (!(off > REDUCE_AIM))
					continue;
				t->scale[node * t->pieces + k] *= (float)(aim / off);
				t->narrower[node] = any = true;
			}
	}
	return any;
}

/* Pieces in which a track has not the keys that it had before. */
static void touch(struct reduce_together *t, const struct reduce_run *run, const uint8_t *keep, const uint8_t *before)
{
	size_t from = 0, to = 0;
	bool other = false;

	for (size_t k = 0; k < run->n; k++) {
		other = other || keep[k] != before[k];
		if (!(keep[k] && before[k]) && k + 1 < run->n)
			continue;
		to = knot_from(t, to, run->time[k]);
		for (size_t i = from / t->stride; i <= to / t->stride && other; i++)
			t->stale[i] = true;
		other = false;
		from = to;
	}
	for (size_t i = from / t->stride; i < t->pieces && other; i++)
		t->stale[i] = true;
}

/* Keys are chosen anew, under smaller limits, where the proof fails. 0 or -1. */
static int choose_again(struct reduce_together *t, unsigned round, struct anim_error *error)
{
	if (!narrow(t, round))
		return 0;
	for (size_t i = 0; i < anim_store_tracks(t->scene->store, 0); i++) {
		struct anim_track track;
		struct reduce_share share;
		struct reduce_run run;
		double *limits;

		if (t->chosen[i].keep == NULL || !reduce_joints_limit(t->joints, i, &share) || !t->narrower[share.node])
			continue;
		if (reduce_read_shared(t->scene, i, &share, true, &track, &run, &limits, error) != 0)
			return -1;
		set_limits(t, &share, &run, limits);
		t->merged.size = 0;
		if (anim_buffer_append(&t->merged, t->chosen[i].keep, run.n, error) != 0 ||
		    choose(t, i, &share, &run, error) != 0)
			return -1;
		touch(t, &run, t->chosen[i].keep, t->merged.data);
	}
	memset(t->narrower, 0, t->nodes * sizeof *t->narrower);
	return 0;
}

static size_t count_keys(const struct reduce_together *t)
{
	size_t count = 0;

	for (size_t i = 0; i < anim_store_tracks(t->scene->store, 0); i++)
		count += t->chosen[i].count;
	return count;
}

/*
 * Keys come back where points are to be nearer. Where ways are alike, each may get one, though a few more in other places would
 * do. 0 or -1.
 */
static int mend(struct reduce_together *t, struct anim_error *error)
{
	size_t count = reduce_count_of(&t->knots), before = count_keys(t);

	memset(t->touched, 0, count);
	follow(t, false);
	if (reduce_place_knots(t, error) != 0 || put_side(t, 0, PUT_VALUES, error) != 0 ||
	    put_side(t, 1, PUT_VALUES, error) != 0 || try_keys(t, false, error) != 0)
		return -1;
	if (count_keys(t) > before + before / GROWN &&
	    (put_side(t, 1, PUT_VALUES, error) != 0 || try_keys(t, true, error) != 0))
		return -1;
	for (size_t k = 0; k < count; k++)
		t->stale[k / t->stride] = t->stale[k / t->stride] || t->touched[k];
	follow(t, true);
	return 0;
}

/*
 * All pieces in the first round; then those in which keys come back, or times are wanted: elsewhere nothing is another than when
 * it was measured. 1, 0 where the proof does not come to hold, -1.
 */
static int run_fine(struct reduce_together *t, struct anim_error *error)
{
	double before = (double)INFINITY, worst;
	unsigned stuck = 0;

	set_stale(t, true);
	follow(t, true);
	for (unsigned round = 0; round < ROUNDS_MAX; round++) {
		int fits = measure_stale(t, error);

		if (fits <= 0 || t->hopeless)
			return fits < 0 ? -1 : 0;
		worst = worst_of(t);
		if (worst <= 1)
			return 1;
		stuck = worst == before ? stuck + 1 : 0;
		if (stuck == STUCK)
			return 0;
		before = worst;
		if (t->scene->fast && round < ROUNDS_AGAIN) {
			wait(t);
			if (choose_again(t, round, error) != 0)
				return -1;
		} else if (tighten(t, stuck) && mend(t, error) != 0) {
			return -1;
		}
	}
	return 0;
}

/* Of all pieces together. */
static void sum_up(const struct reduce_together *t, struct reduce_proof *proofs)
{
	memset(proofs, 0, t->groups * sizeof *proofs);
	for (size_t i = 0; i < t->pieces * t->groups; i++) {
		struct reduce_proof *whole = &proofs[i % t->groups];
		const struct reduce_proof *piece = &t->proofs[i];

		if (piece->bound > whole->bound) {
			whole->bound = piece->bound;
			whole->where = piece->where;
		}
		if (piece->seen > whole->seen) {
			whole->seen = piece->seen;
			whole->at_s = piece->at_s;
		}
	}
}

/* Counted in steps, not by a clock, so that the same input gives the same keys anywhere. */
static void begin_budget(const struct reduce_scene *scene, size_t nodes)
{
	uint64_t keys = 0;

	for (size_t i = 0; i < anim_store_tracks(scene->store, 0); i++)
		keys += anim_store_track_at(scene->store, 0, i)->n;
	scene->budget->trials = TRIALS_LEAST + TRIALS * keys * nodes;
	scene->budget->poses = POSES_LEAST + POSES * keys * nodes;
}

int reduce_together(const struct reduce_scene *scene, const struct reduce_joints *joints, struct anim_arena *arena,
		    struct reduce_chosen *chosen, struct reduce_proof *proofs, size_t groups, struct anim_error *error)
{
	struct reduce_together t = {
	    .scene = scene, .joints = joints, .arena = arena, .chosen = chosen, .groups = groups};
	int result = 0;

	begin_budget(scene, anim_poses_count(&scene->poses[0]));
	t.warp_s = 2 * HAIR;
	t.slack = scene->fast ? SLACK_FAST : SLACK;
	if (!reduce_joints_are_straight(joints))
		return 0;
	result = start(&t, error);
	if (result == 0 && reduce_count_of(&t.knots) <= SAMPLES_MAX / (t.nodes + 1)) {
		result = run_rough(&t, error) != 0 ? -1 : run_fine(&t, error);
		sum_up(&t, proofs);
	}
	if (scene->budget->trials == 0 || scene->budget->poses == 0)
		scene->budget->spent = true;
	reduce_apart_clear(&t.apart);
	anim_buffer_clear(&t.cubics);
	anim_buffer_clear(&t.knots);
	anim_buffer_clear(&t.merged);
	anim_buffer_clear(&t.times);
	anim_buffer_clear(&t.knot);
	anim_buffer_clear(&t.between);
	anim_buffer_clear(&t.wanted);
	return result;
}
