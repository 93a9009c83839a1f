/* together.c: chooses the keys of all tracks of a skeleton, with errors as large as all tracks together allow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "filter/reduce/joints.h"
#include "math/elementary.h"

/*
 * Shares that hold for any direction of the errors waste most of a tolerance, because errors of a chain seldom have
 * the same direction at the same time. So the limits of each joint are adapted for each piece of the clip's time.
 * They become larger if no point that the joint carries has reached its limit, and smaller if a point exceeds it.
 * The poses of source and result, at the keys of all tracks, show this.
 */
#define ROUNDS 6u       /* in which limits grow, only at the keys; the first one finds the cost of each joint */
#define ROUNDS_PATHS 2u /* the same if all tracks can have paths, which find the room themselves */
#define ROUNDS_FAST 4u  /* the same with --fast */
#define ROUNDS_AGAIN 8u /* with --fast: in which keys are chosen again after a failed proof */
#define NARROWER 0.1    /* part of the tolerance by which the target decreases in each of these rounds */
#define ROUNDS_MAX 24u  /* rounds with times between the keys, until the proof holds */
#define LAST 2u         /* rounds like the last one: if the budget has no more, the limits become much smaller */
#define LAST_PART 0.7   /* the factor by which they do */
#define STUCK 8u  /* rounds with the same result after which the search stops, because all keys are restored there */
#define GROWN 8u  /* a part of the keys: if more are restored, unnecessary ones are removed again */
#define START 3.0 /* initial limit as a multiple of the share */
#define START_PATHS 1.5
#define GROWTH_MAX 1.5
#define SLACK 0.01     /* part of the tolerance that may remain unknown between two times, even if it is tight */
#define SLACK_FAST 0.1 /* the same for a fast result */
/*
 * Work per clip, in transforms for each key and each node, in addition to a fixed amount: for trials of keys, and
 * for poses that prove their error. Motion capture needs at most 90 and 1. A rotation by many turns between two keys
 * needs thousands.
 */
#define TRIALS 100u
#define TRIALS_LEAST 1000000u
#define POSES 10u
#define POSES_LEAST 4000000u
#define TIME_EPSILON 1e-9 /* seconds: times that are nearer count as one, however they were computed */
#define PIECES_MAX 4096u
#define PIECES_MIN 16u
#define NUMBERS_MAX ((size_t)1024 * 1024)      /* for all pieces and nodes */
#define SAMPLES_MAX ((size_t)64 * 1024 * 1024) /* for all times and nodes; more would take too long */

/*
 * Between two keys both sides are smooth. Their difference is at most an eighth of its largest second derivative
 * from the straight line between its ends (struct reduce_bend). Additional times make this small if necessary.
 */
#define BETWEEN_MAX 4096u /* largest number of pieces between two keys */
#define DENSE 32u         /* times per knot above which more of the tolerance is left for them */
#define BETWEEN_FIRST 2u  /* pieces in the first round */
#define GROWTH_BETWEEN 8  /* largest factor from round to round: the bound of shorter pieces may be far better */
#define GAP UINT32_MAX    /* mark of a time: the next time is not its neighbour */
#define LENGTH_MIN 1e-3   /* smallest length of quaternions between keys; nearer to 0 nothing can be proven */
#define WALK_MIN 64u      /* smallest number of poses that are processed at once, if a tile has as many */

#define AIM 0.985          /* target, as a part of the tolerance */
#define AIM_COMPARED 0.999 /* the same if results are compared, because these only need to be within it */

struct together {
	const struct reduce_scene *scene;
	const struct reduce_joints *joints;
	struct anim_arena *arena;
	struct reduce_chosen *chosen; /* for each track of the store */
	double *knots;                /* the times of the keys of all tracks */
	double *times;                /* the times of the poses, */
	uint32_t *time_knot;          /* and the knot at or before each of them */
	size_t knot_count, time_count;
	uint32_t *between, *wanted; /* for each knot: number of pieces to the next, now and in the next round */
	/* the memory of these, and memory for merged knots and for a copy of a track's choice */
	struct anim_buffer knot_bytes, time_bytes, time_knot_bytes, spare;
	size_t nodes, pieces, stride; /* knots per piece */
	double *cost;                 /* for each node: number of keys of its tracks */
	bool *narrower;               /* for each node: limits of its tracks have become smaller */
	bool *stale;                  /* for each piece: it must be measured, because keys or times have changed */
	float *allowed;               /* for each knot: the allowed part of the tolerance there */
	uint8_t *touched;             /* for each knot: keys between it and the next have changed */
	float *scale, *off; /* for each node and piece: factor of the limits, and error as a part of the tolerance */
	size_t spared;      /* number of keys after unnecessary ones were last removed */
	double warp_s;      /* largest change of key times by float32 */
	double slack;       /* part of the tolerance that may remain unknown */
	bool lines;         /* all tracks are straight lines of rotations and positions, with the source's own keys */
	bool paths;         /* they also get paths: see path.c */
	bool quick;         /* some unnecessary keys do not matter yet */
	bool hopeless;      /* the rounding of float32 alone may exceed the tolerance of a point */
	struct reduce_proof *proofs; /* for each piece and each group of joints */
	size_t groups;
	double *worst; /* for each piece: the largest possible error of any node, as a part of its tolerance */
	struct anim_buffer cubics; /* of the current track */
	struct reduce_apart apart;
};

/* ---- Tracks and their knots ---- */

/* Merge increasing times into the knots. Returns 0 or -1. */
static int merge(struct together *t, const double *from, size_t count, struct anim_error *error)
{
	size_t old_count = t->knot_count, i = 0, k = 0, used = 0;
	struct anim_buffer swap;
	double *merged;

	t->spare.size = 0;
	merged = anim_buffer_extend(&t->spare, (old_count + count) * sizeof *merged, error);
	if (merged == NULL)
		return -1;
	while (i < old_count || k < count) {
		double a = i < old_count ? t->knots[i] : (double)INFINITY, b = k < count ? from[k] : (double)INFINITY;
		double next = fmin(a, b);

		i += a <= next + TIME_EPSILON;
		k += b <= next + TIME_EPSILON;
		merged[used++] = next;
	}
	t->knots = merged;
	t->knot_count = used;
	swap = t->knot_bytes;
	t->knot_bytes = t->spare;
	t->spare = swap;
	return 0;
}

int reduce_read_shared(const struct reduce_scene *scene, size_t i, const struct reduce_share *share, bool result,
		       struct anim_track *track, struct reduce_run *run, double **limits, struct anim_error *error)
{
	struct reduce_cut cut;

	if (anim_store_read(result && scene->result != NULL ? scene->result : scene->store, 0, i, track, error) != 0)
		return -1;
	cut = reduce_cut_of(scene->work, scene->clip, track, scene->rules, share->cubic, share->limit);
	if (reduce_read(scene->work, scene->clip, track, reduce_metric_of(track),
			result && scene->rules != ANIM_RULES_COUNT ? scene->rules : track->rules,
			result ? share->cubic : reduce_is_curved(track), cut, run, limits, error) != 0)
		return -1;
	run->together = true;
	return 0;
}

/* Find the knots of all tracks that move joints, and whether all can have paths. Returns 0 or -1. */
static int find_knots(struct together *t, struct anim_error *error)
{
	const double ends[] = {(double)t->scene->clip->start_s, (double)t->scene->clip->end_s};
	const struct anim_rests *rests = &t->scene->poses[0].rests;
	struct anim_track track;
	struct reduce_run run;
	double *limits;

	t->lines = true;
	for (size_t i = 0; i < rests->count && t->lines; i++)
		for (int axis = 0; axis < 3; axis++)
			t->lines = t->lines && rests->items[i].scale[axis] == 1;
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
		if (share.can && (share.cubic || run.cut || share.part == ANIM_POSE_SCALE))
			t->lines = false;
		for (size_t k = 0; k < run.n; k++)
			t->warp_s = fmax(t->warp_s, fabs(run.time[k] - (double)(float)run.time[k]));
	}
	t->paths = t->lines && !t->scene->fast;
	return 0;
}

size_t reduce_knot_from(const double *knots, size_t count, size_t knot, double at)
{
	while (knot + 1 < count && knots[knot] < at - TIME_EPSILON)
		knot++;
	return knot;
}

static size_t knot_from(const struct together *t, size_t knot, double at)
{
	return reduce_knot_from(t->knots, t->knot_count, knot, at);
}

/*
 * Set the limits of a track's keys. Each key has the smallest limit of the pieces between the key before it and the
 * key after it.
 */
static void set_limits(const struct together *t, const struct reduce_share *share, const struct reduce_run *run,
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

/* Choose a track's keys under its limits. Returns 0 or -1. */
static int choose(struct together *t, size_t i, const struct reduce_share *share, const struct reduce_run *run,
		  struct anim_error *error)
{
	struct reduce_chosen *chosen = &t->chosen[i];

	if (!(share->limit > 0))
		memset(chosen->keep, 1, run->n);
	else if (reduce_choose(run, t->scene->fast || t->quick || t->paths, chosen->keep, error) != 0)
		return -1;
	chosen->count = reduce_count_kept(chosen->keep, run->n);
	t->cost[share->node] += (double)chosen->count;
	return 0;
}

/* ---- The times of poses ---- */

/* Begin that many times of poses. Returns 0 or -1. */
static int begin_times(struct together *t, size_t count, struct anim_error *error)
{
	t->time_bytes.size = t->time_knot_bytes.size = 0;
	t->times = anim_buffer_extend(&t->time_bytes, (count + 1) * sizeof *t->times, error);
	t->time_knot = anim_buffer_extend(&t->time_knot_bytes, (count + 1) * sizeof *t->time_knot, error);
	t->time_count = count;
	return t->times == NULL || t->time_knot == NULL ? -1 : 0;
}

/*
 * Set the times of the poses: the knots of stale pieces, and the required times between them. A piece with knots that
 * need more times than there are is stale. If the next piece is not stale, its first knot is the last time, with GAP as
 * its number. Returns 0 or -1.
 */
static int place_times(struct together *t, struct anim_error *error)
{
	size_t count = 0, last = t->knot_count - 1, used = 0;

	for (size_t k = 0; k <= last; k++) {
		t->stale[k / t->stride] = t->stale[k / t->stride] || t->between[k] != t->wanted[k];
		t->between[k] = t->wanted[k];
	}
	for (size_t k = 0; k <= last; k++) {
		if (t->stale[k / t->stride])
			count += k < last ? t->between[k] : 1;
		else
			count += k > 0 && t->stale[(k - 1) / t->stride];
	}
	if (begin_times(t, count, error) != 0)
		return -1;
	for (size_t k = 0; k <= last; k++) {
		double from = t->knots[k], next = t->knots[k < last ? k + 1 : k];
		uint32_t pieces = k < last ? t->between[k] : 1;

		if (!t->stale[k / t->stride]) {
			if (k > 0 && t->stale[(k - 1) / t->stride]) {
				t->times[used] = from;
				t->time_knot[used++] = GAP;
			}
			continue;
		}
		for (uint32_t i = 0; i < pieces; i++) {
			t->times[used] = from + (next - from) * i / pieces;
			t->time_knot[used++] = (uint32_t)k;
		}
	}
	return 0;
}

/* Use only the knots as times. Returns 0 or -1. */
static int place_knots(struct together *t, struct anim_error *error)
{
	if (begin_times(t, t->knot_count, error) != 0)
		return -1;
	for (size_t k = 0; k < t->knot_count; k++) {
		t->times[k] = t->knots[k];
		t->time_knot[k] = (uint32_t)k;
	}
	return 0;
}

/* ---- Their values ---- */

/* Return the largest distance of neighbouring quaternions of a track, in radians. */
static double longest_chord(const struct reduce_run *run, const uint8_t *keep)
{
	double least = 1;

	for (size_t i = reduce_first_kept(keep, run->n), j; (j = reduce_next_kept(keep, run->n, i)) < run->n; i = j) {
		const double *a = run->value + 4 * i, *b = run->value + 4 * j;

		least = fmin(least, a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
	}
	return anim_acos(least) + 1e-7;
}

/* Return the smallest length of a curve of quaternions. If `keep` is NULL, it is the source's curve. */
static double least_length(const struct reduce_run *run, const uint8_t *keep)
{
	double least = 1;

	for (size_t k = 0; run->leaving != NULL && k + 1 < run->n; k++)
		least = fmin(least, reduce_cubic_least(run, k) - (keep != NULL ? run->limit[k] / 2 : 0));
	if (run->leaving != NULL)
		return fmax(least, LENGTH_MIN);
	for (size_t k = 0; k + 1 < run->n; k++)
		if (run->limit[k] > 0.1 || reduce_angle_between(run, k) > 0.7)
			return 0.45;
	return 0.9;
}

/* Return the largest acceleration along the curve of a part. `least` is the smallest length of its quaternions. */
static double bend_of(const struct reduce_run *run, const struct reduce_cubic *cubic, enum anim_pose_part part,
		      double least)
{
	double fastest, most = reduce_cubic_bend(run, cubic, &fastest);

	/* quaternions are divided by their lengths, which are near 1 */
	if (part == ANIM_POSE_ROTATION)
		return 2 * most / least + 4 * fastest * fastest / (least * least);
	/* for scales, the value belongs only to the largest component */
	return part == ANIM_POSE_SCALE ? 2 * most : most;
}

/*
 * Store the bounds of a part's curves between the times at which it has values. The cubics are those from which the
 * values were computed. Returns 0 or -1.
 */
static int put_bends(struct together *t, struct anim_poses *poses, const struct reduce_share *share,
		     const struct reduce_run *run, const uint8_t *keep, const struct reduce_cubic *cubic,
		     struct anim_error *error)
{
	size_t j = reduce_first_kept(keep, run->n);
	double least = share->part == ANIM_POSE_ROTATION ? least_length(run, keep) : 1, bend = 0;

	if (anim_poses_open(poses, share->node, share->part + ANIM_POSE_PARTS, error) < 0)
		return -1;
	for (size_t k = 0; k < t->time_count; k++) {
		double step = k + 1 < t->time_count ? t->times[k + 1] - t->times[k] : 0;
		bool next = false;
		float number;

		for (; j < run->n && run->time[j] <= t->times[k]; next = true)
			j = reduce_next_kept(keep, run->n, j);
		if (next)
			bend = j < run->n ? bend_of(run, cubic++, share->part, least) : 0;
		number = (float)(bend * step * step * (1 + 0x1p-22));
		if (anim_poses_put(poses, &number, 1, error) != 0)
			return -1;
	}
	return 0;
}

#define PUT 64u /* values that are stored at once */

/*
 * Store a run's values at the times of the poses, through all its keys or those kept. Sets the cubics that were used. Returns 0
 * or -1.
 */
static int put_values(struct together *t, struct anim_poses *poses, const struct reduce_run *run, const uint8_t *keep,
		      const float *exact, struct reduce_cubic *cubics, struct anim_error *error)
{
	size_t i = reduce_first_kept(keep, run->n), j = i, used = 0;
	const struct reduce_cubic *cubic = NULL;
	float numbers[PUT * REDUCE_COMPONENTS];

	for (size_t k = 0; k < t->time_count; k++) {
		double value[REDUCE_COMPONENTS], slope[REDUCE_COMPONENTS], time = t->times[k];
		const double *shown = value;
		bool next = false;

		for (; j < run->n && run->time[j] <= time; next = true) {
			i = j;
			j = reduce_next_kept(keep, run->n, j);
		}
		if (next && run->cubic && j < run->n) {
			reduce_cubic_fit(run, i, j, cubics);
			cubic = cubics++;
		}
		/* before the first key and after the last, its value is held */
		if (!(j < run->n && j > i && time > run->time[i]))
			shown = run->value + run->components * i;
		else if (run->cubic)
			reduce_cubic_at(cubic, run->components, time, value, slope);
		else
			reduce_between(run, i, j, (time - run->time[i]) / (run->time[j] - run->time[i]), value);
		/* a key as the track has it, without the rounding of a quaternion that was normalised */
		for (unsigned c = 0; c < run->components; c++)
			numbers[used++] = exact != NULL && shown == run->value + run->components * i
					      ? exact[run->components * i + c]
					      : (float)shown[c];
		if (used + REDUCE_COMPONENTS <= PUT * REDUCE_COMPONENTS && k + 1 < t->time_count)
			continue;
		if (anim_poses_put(poses, numbers, used, error) != 0)
			return -1;
		used = 0;
	}
	return 0;
}

/*
 * Store the values of a track's keys, all or those kept, at the times of the poses of a side: 0 is the source, 1 the
 * result. Returns 0 or -1.
 */
static int put_track(struct together *t, int side, const struct reduce_share *share, const struct reduce_run *run,
		     const uint8_t *keep, const float *exact, struct anim_error *error)
{
	struct anim_poses *poses = &t->scene->poses[side];
	struct reduce_cubic *cubics = NULL;
	int opened;

	/* without a key it is at its rest value, like everything without values */
	opened = keep != NULL && memchr(keep, 1, run->n) == NULL
		     ? 0
		     : anim_poses_open(poses, share->node, share->part, error);
	if (opened <= 0)
		return opened;
	if (run->metric == REDUCE_ANGLE && run->by_component && !run->cubic)
		anim_poses_chords(poses, share->node, longest_chord(run, keep));
	if (run->cubic) {
		size_t keys = keep != NULL ? reduce_count_kept(keep, run->n) : run->n;

		t->cubics.size = 0;
		cubics = anim_buffer_extend(&t->cubics, (keys + 1) * sizeof *cubics, error);
		if (cubics == NULL)
			return -1;
	}
	if (put_values(t, poses, run, keep, exact, cubics, error) != 0)
		return -1;
	return run->cubic ? put_bends(t, poses, share, run, keep, cubics, error) : 0;
}

/* ---- Errors ---- */

/* Return the error of a point as a part of its tolerance. */
static double part_of(double off, double tolerance)
{
	return off > 0 ? off / tolerance : 0;
}

/*
 * Measure a node between two times, from its errors at both ends a and b. With a bound x of the second derivative, the error is
 * at most a (1 - s) + b s + x s (1 - s) / 2 at the relative time s. The largest value of this exceeds the larger error by x / 8
 * (1 - 2 |a - b| / x)^2, or by nothing if |a - b| is at least x / 2.
 */
static void measure_between(struct together *t, uint32_t node, size_t k, double a, double b,
			    const struct anim_pose_motion *source, const struct anim_pose_motion *result,
			    const struct reduce_bend *bend)
{
	uint32_t knot = t->time_knot[k], *wanted = &t->wanted[knot];
	float *most = t->off + node * t->pieces + knot / t->stride;
	const struct reduce_target *target = reduce_joints_target(t->joints, node);
	struct reduce_proof *proof = &t->proofs[knot / t->stride * t->groups + target->group];
	double *worst = &t->worst[knot / t->stride];
	double shell = target->shell_m, tolerance = target->tolerance_m, step = t->times[k + 1] - t->times[k];
	double room, pieces, need, most_bend = bend->origin2 + shell * bend->basis2, off = fmax(a, b);
	double part = most_bend > 2 * fabs(a - b) ? 1 - 2 * fabs(a - b) / most_bend : 0;
	double slack = most_bend / 8 * part * part;
	double rounding = source->origin_rounding + result->origin_rounding +
			  shell * (source->basis_rounding + result->basis_rounding);

	/*
	 * If keys are the source's own, only the values between them are rounded. float32 changes a quaternion by at most 2^-24,
	 * which is a rotation by 2^-23: half of the bound of poses. If results are compared, the values at keys are exact as well.
	 */
	if (t->scene->result != NULL && t->between[knot] == 1)
		rounding = 0;
	else if (t->scene->result != NULL || (t->lines && source->rigid && result->rigid))
		rounding /= 2;
	t->hopeless = t->hopeless || rounding > tolerance;
	off += rounding + (result->origin1 + shell * result->basis1) * (step > 0 ? t->warp_s / step : 0);
	room = fmax((t->scene->result != NULL ? AIM_COMPARED : AIM) * tolerance - off, t->slack * tolerance);
	pieces = t->between[knot];
	/* the bound of a compared result is only used to test the tolerance */
	if (!(t->scene->result != NULL && off + slack <= tolerance) &&
	    pieces * pieces * slack > (double)*wanted * (double)*wanted * room) {
		pieces = fmin(ceil(pieces * sqrt(slack / room)), pieces * GROWTH_BETWEEN);
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

/*
 * Estimate the errors of a node in the current tile, if poses do not follow motions. The error between times is assumed to be
 * the amount that usually remains for it.
 */
static void estimate_node(struct together *t, uint32_t node, size_t first, size_t count)
{
	const struct anim_poses *poses = t->scene->poses;
	const struct reduce_target *target = reduce_joints_target(t->joints, node);

	if (!anim_poses_moves(&poses[0], node) && !anim_poses_moves(&poses[1], node))
		return;
	for (size_t k = 0; k < count; k++) {
		double off = anim_poses_distance(anim_poses_at(&poses[0], node, k), anim_poses_at(&poses[1], node, k),
						 target->shell_m, true);
		float *most = t->off + node * t->pieces + t->time_knot[first + k] / t->stride;

		*most = fmaxf(*most, (float)(part_of(off, target->tolerance_m) + t->slack));
	}
}

/* Measure a node in the current tile, whose first time has the number `first`. */
static void measure_node(struct together *t, uint32_t node, size_t first, size_t count)
{
	const struct anim_poses *poses = t->scene->poses;
	const struct reduce_target *target = reduce_joints_target(t->joints, node);
	const uint32_t *knots = t->time_knot + first;
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
		if (knots[k] != GAP) {
			struct reduce_proof *proof = &t->proofs[knots[k] / t->stride * t->groups + target->group];

			if (off > proof->seen) {
				proof->seen = off;
				proof->at_s = t->times[first + k];
			}
		}
		if (k > 0 && knots[k - 1] != GAP)
			measure_between(t, node, first + k - 1, before, off, source, result, &bends[k - 1]);
		before = off;
	}
}

/*
 * Measure all times, with poses that are ready: the error of each piece and, if the poses follow motions, the proof
 * and the number of required times. Returns 0 or -1.
 */
static int measure(struct together *t, struct anim_error *error)
{
	struct anim_poses *poses = t->scene->poses;
	/* a quarter of a tile stays in the cache, unless it is too small */
	size_t tile = poses[0].tile < poses[1].tile ? poses[0].tile : poses[1].tile, count;
	size_t walk = tile / 4 < WALK_MIN ? tile : tile / 4;

	for (size_t i = 0; i < t->pieces; i++) {
		if (!t->stale[i])
			continue;
		for (size_t node = 0; node < t->nodes; node++)
			t->off[node * t->pieces + i] = 0;
		memset(t->proofs + i * t->groups, 0, t->groups * sizeof *t->proofs);
		t->worst[i] = 0;
	}
	if (poses[0].follows && reduce_apart_begin(&t->apart, poses, error) != 0)
		return -1;
	for (size_t first = 0; first + 1 < t->time_count || first == 0; first += count > 1 ? count - 1 : 1) {
		count = t->time_count - first < walk ? t->time_count - first : walk;
		for (int side = 0; side < 2; side++)
			if (anim_poses_tile(&poses[side], first, count, error) != 0)
				return -1;
		if (poses[0].follows)
			reduce_apart_tile(&t->apart, poses, count);
		for (uint32_t node = 0; node < t->nodes; node++)
			(poses[0].follows ? measure_node : estimate_node)(t, node, first, count);
	}
	return 0;
}

/* ---- Rounds ---- */

/*
 * Store all tracks of joints on one side. For the result, keys are chosen first if requested, or only chosen.
 * Returns 0 or -1.
 */
enum putting { PUT_VALUES, PUT_CHOSEN, CHOOSE_ALONE };
static int put_side(struct together *t, int side, enum putting what, struct anim_error *error)
{
	bool choosing = what != PUT_VALUES;
	struct anim_poses *poses = &t->scene->poses[side];
	struct anim_track track;
	struct reduce_share share;
	struct reduce_run run;
	double *limits;

	anim_poses_begin(poses, t->time_count);
	memset(t->cost, 0, t->nodes * sizeof *t->cost);
	for (size_t i = 0; i < anim_store_tracks(t->scene->store, 0); i++) {
		const float *exact = NULL;

		if (t->chosen[i].keep == NULL || !reduce_joints_limit(t->joints, i, &share))
			continue;
		if (anim_progress_report(error) != 0 ||
		    reduce_read_shared(t->scene, i, &share, side == 1, &track, &run, &limits, error) != 0)
			return -1;
		if (choosing || (side == 1 && run.leaving != NULL))
			set_limits(t, &share, &run, limits);
		if (choosing && choose(t, i, &share, &run, error) != 0)
			return -1;
		/* if results are compared, keys have the track's own numbers */
		if (t->scene->result != NULL && anim_types[track.type].scalar == ANIM_SCALAR_F32 && !run.cut &&
		    !run.cubic)
			exact = track.value;
		if (what != CHOOSE_ALONE &&
		    put_track(t, side, &share, &run, side == 1 ? t->chosen[i].keep : NULL, exact, error) != 0)
			return -1;
	}
	return anim_poses_ready(poses, error);
}

/* Extend the error of each node to the largest error of all nodes that it carries. */
static void gather(struct together *t)
{
	for (uint32_t node = (uint32_t)t->nodes; node-- > 0;) {
		uint32_t parent = anim_poses_parent(&t->scene->poses[0], node);

		for (size_t i = 0; i < t->pieces && parent != ANIM_POSE_NONE; i++)
			t->off[parent * t->pieces + i] =
			    fmaxf(t->off[parent * t->pieces + i], t->off[node * t->pieces + i]);
	}
}

/* Change the limits of all nodes by the errors that they lead to. */
static void adapt(struct together *t)
{
	gather(t);
	for (uint32_t node = 0; node < t->nodes; node++)
		for (size_t i = 0; i < t->pieces; i++) {
			const float *off = t->off + node * t->pieces + i;
			/* a key has an effect on the neighbouring pieces */
			float most = fmaxf(off[0], fmaxf(i > 0 ? off[-1] : 0, i + 1 < t->pieces ? off[1] : 0));
			double room = most > 0 ? AIM / (double)most : GROWTH_MAX;

			t->scale[node * t->pieces + i] *=
			    (float)(room < 1 ? fmax(sqrt(room), 0.5) : fmin(sqrt(sqrt(room)), GROWTH_MAX));
		}
}

/*
 * Set the initial limits. The number of keys decreases with the root of the allowed error. The sum of c / sqrt(e)
 * along a path, for a given sum of the e, is smallest if each e is proportional to c^(2/3).
 */
static int set_first_limits(struct together *t, struct anim_error *error)
{
	double *weight = anim_arena_zeroed(t->arena, 3 * t->nodes + 1, sizeof *weight, error), *up, *down;
	const struct anim_poses *poses = &t->scene->poses[0];
	double start = t->paths ? START_PATHS : START;
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
				    (float)(start * weight[share.node] * share.sharers /
					    (up[share.node] + down[share.node]));
	return 0;
}

/* Find the knots, and allocate all pieces of time with their initial limits. Returns 0 or -1. */
static int start(struct together *t, struct anim_error *error)
{
	size_t knots;

	t->nodes = anim_poses_count(&t->scene->poses[0]);
	if (find_knots(t, error) != 0)
		return -1;
	knots = t->knot_count;
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
	t->between = anim_arena_zeroed(t->arena, knots, sizeof *t->between, error);
	t->wanted = anim_arena_zeroed(t->arena, knots, sizeof *t->wanted, error);
	if (t->scale == NULL || t->cost == NULL || t->off == NULL || t->narrower == NULL || t->stale == NULL ||
	    t->worst == NULL || t->proofs == NULL || t->allowed == NULL || t->touched == NULL || t->between == NULL ||
	    t->wanted == NULL)
		return -1;
	for (size_t i = 0; i < t->nodes * t->pieces; i++)
		t->scale[i] = (float)START;
	for (size_t k = 0; k < knots; k++)
		t->allowed[k] = (float)REDUCE_NEAR;
	return 0;
}

/* Forget all required times between knots. */
static void forget_between(struct together *t)
{
	for (size_t k = 0; k < t->knot_count; k++)
		t->wanted[k] = t->scene->result != NULL ? 1 : BETWEEN_FIRST;
}

static void set_stale(struct together *t, bool stale)
{
	memset(t->stale, stale, t->pieces * sizeof *t->stale);
}

static void follow(struct together *t, bool follows)
{
	for (int side = 0; side < 2; side++)
		t->scene->poses[side].follows = follows;
}

/*
 * Restore keys if points must be nearer and, with `sparing`, remove others. The poses have the chosen keys. Returns
 * 0 or -1.
 */
static int try_keys(struct together *t, bool sparing, struct anim_error *error)
{
	return reduce_spare(t->scene, t->joints, t->knots, t->knot_count, t->allowed, sparing, t->chosen, t->touched,
			    error);
}

/* Run the rounds that only use the keys. Returns 0 or -1. */
static int run_rough(struct together *t, struct anim_error *error)
{
	unsigned rounds = t->scene->fast ? ROUNDS_FAST : t->paths ? ROUNDS_PATHS : ROUNDS;

	forget_between(t);
	set_stale(t, true);
	follow(t, false);
	if (place_knots(t, error) != 0 || put_side(t, 0, PUT_VALUES, error) != 0)
		return -1;
	for (unsigned round = 0; round < rounds; round++) {
		t->quick = round + 1 < rounds;
		/* the first round finds the cost of each joint */
		if (put_side(t, 1, round == 0 ? CHOOSE_ALONE : PUT_CHOSEN, error) != 0)
			return -1;
		if (!t->quick)
			break;
		if (round == 0 ? set_first_limits(t, error) != 0 : measure(t, error) != 0)
			return -1;
		if (round > 0)
			adapt(t);
	}
	return t->scene->fast ? 0 : try_keys(t, true, error);
}

/* Measure stale pieces again. Returns 1, 0 if they have too many times, or -1. */
static int measure_stale(struct together *t, struct anim_error *error)
{
	uint64_t *left = &t->scene->budget->poses, poses;

	if (place_times(t, error) != 0)
		return -1;
	poses = (uint64_t)t->time_count * t->nodes;
	if (t->time_count > SAMPLES_MAX / (t->nodes + 1) || poses > *left) {
		*left = 0;
		return 0;
	}
	*left -= poses;
	if (t->time_count == 0)
		return 1;
	if (put_side(t, 0, PUT_VALUES, error) != 0 || put_side(t, 1, PUT_VALUES, error) != 0 || measure(t, error) != 0)
		return -1;
	set_stale(t, false);
	return 1;
}

/* Ignore the results of pieces that will be measured with more times. */
static void skip_unrefined(struct together *t)
{
	for (size_t k = 0; k < t->knot_count; k++)
		if (t->between[k] != t->wanted[k])
			t->worst[k / t->stride] = 0;
}

/* Tighten the limits of points if the proof fails. Returns false if it fails nowhere. */
static bool tighten(struct together *t, unsigned stuck)
{
	/* the budget ends after one more round, so its proof should hold */
	bool last = t->scene->budget->poses < (uint64_t)LAST * t->time_count * t->nodes, any = false;

	skip_unrefined(t);
	for (size_t k = 0; k < t->knot_count; k++) {
		/* an error between two knots belongs to both */
		double worst = fmax(t->worst[k / t->stride], k > 0 ? t->worst[(k - 1) / t->stride] : 0);

		if (!(worst > 1))
			continue;
		t->allowed[k] *= (float)(AIM / worst * (stuck > 0 ? 0.5 : last ? LAST_PART : 1));
		any = true;
	}
	return any;
}

/*
 * Reduce the limits of all nodes that carry a point beyond its limit, near that time. Later rounds reduce them more.
 * Returns true if there are any.
 */
static bool narrow(struct together *t, unsigned round)
{
	double aim = AIM - NARROWER * round;
	bool any = false;

	gather(t);
	for (size_t i = 0; i < t->pieces; i++) {
		if (!(t->worst[i] > 1))
			continue;
		for (uint32_t node = 0; node < t->nodes; node++)
			for (size_t k = i > 0 ? i - 1 : 0; k <= i + 1 && k < t->pieces; k++) {
				double off = (double)t->off[node * t->pieces + i];

				if (!(off > AIM))
					continue;
				t->scale[node * t->pieces + k] *= (float)(aim / off);
				t->narrower[node] = any = true;
			}
	}
	return any;
}

/* Mark pieces in which the keys of a track have changed. */
static void mark_stale(struct together *t, const struct reduce_run *run, const uint8_t *keep, const uint8_t *before)
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

/* Choose keys again, under smaller limits, if the proof fails. Returns 0 or -1. */
static int choose_again(struct together *t, unsigned round, struct anim_error *error)
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
		t->spare.size = 0;
		if (anim_buffer_append(&t->spare, t->chosen[i].keep, run.n, error) != 0 ||
		    choose(t, i, &share, &run, error) != 0)
			return -1;
		mark_stale(t, &run, t->chosen[i].keep, t->spare.data);
	}
	memset(t->narrower, 0, t->nodes * sizeof *t->narrower);
	return 0;
}

static size_t count_keys(const struct together *t)
{
	size_t count = 0;

	for (size_t i = 0; i < anim_store_tracks(t->scene->store, 0); i++)
		count += t->chosen[i].count;
	return count;
}

/*
 * Restore keys if points must be nearer. If intervals are similar, each may get a key, although a few more keys at
 * other places would suffice. Returns 0 or -1.
 */
static int restore_missing(struct together *t, struct anim_error *error)
{
	size_t count = t->knot_count;

	memset(t->touched, 0, count);
	follow(t, false);
	if (place_knots(t, error) != 0 || put_side(t, 0, PUT_VALUES, error) != 0 ||
	    put_side(t, 1, PUT_VALUES, error) != 0 || try_keys(t, false, error) != 0)
		return -1;
	if (count_keys(t) > t->spared + t->spared / GROWN) {
		if (put_side(t, 1, PUT_VALUES, error) != 0 || try_keys(t, true, error) != 0)
			return -1;
		t->spared = count_keys(t);
	}
	for (size_t k = 0; k < count; k++)
		t->stale[k / t->stride] = t->stale[k / t->stride] || t->touched[k];
	follow(t, true);
	return 0;
}

/*
 * Measure all pieces in the first round, then those with restored keys or more times. Nothing else has changed since
 * it was measured. Returns 1, 0 if no proof is found, or -1.
 */
static int run_fine(struct together *t, struct anim_error *error)
{
	double before = (double)INFINITY;
	unsigned stuck = 0;

	t->spared = count_keys(t);
	set_stale(t, true);
	follow(t, true);
	for (unsigned round = 0; round < ROUNDS_MAX; round++) {
		int fits = measure_stale(t, error);
		uint64_t wanted = 0;
		double worst = 0;

		if (fits <= 0 || t->hopeless)
			return fits < 0 ? -1 : 0;
		for (size_t i = 0; i < t->pieces; i++)
			worst = fmax(worst, t->worst[i]);
		if (worst <= 1)
			return 1;
		for (size_t k = 0; k < t->knot_count && round == 0; k++)
			wanted += t->wanted[k];
		if (wanted > (uint64_t)DENSE * t->knot_count) {
			/* so many times take too long: leave more of the tolerance for them, so that fewer are needed */
			t->slack = SLACK_FAST;
			for (size_t k = 0; k < t->knot_count; k++)
				t->allowed[k] *= 1 - (float)SLACK_FAST;
			forget_between(t);
			set_stale(t, true);
			if (restore_missing(t, error) != 0)
				return -1;
			continue;
		}
		stuck = worst == before ? stuck + 1 : 0;
		if (stuck == STUCK)
			return 0;
		before = worst;
		if (t->scene->fast && round < ROUNDS_AGAIN) {
			skip_unrefined(t);
			if (choose_again(t, round, error) != 0)
				return -1;
		} else if (tighten(t, stuck) && restore_missing(t, error) != 0) {
			return -1;
		}
	}
	return 0;
}

/* Combine the proofs of all pieces. */
static void sum_up(const struct together *t, struct reduce_proof *proofs)
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

/* Set the budget in steps, not by a clock, so that the same input gives the same keys on every machine. */
static void begin_budget(const struct reduce_scene *scene, size_t nodes)
{
	uint64_t keys = 0;

	for (size_t i = 0; i < anim_store_tracks(scene->store, 0); i++)
		keys += anim_store_track_at(scene->store, 0, i)->n;
	scene->budget->trials = TRIALS_LEAST + TRIALS * keys * nodes;
	scene->budget->poses = POSES_LEAST + POSES * keys * nodes;
}

static void clear(struct together *t)
{
	reduce_apart_clear(&t->apart);
	anim_buffer_clear(&t->cubics);
	anim_buffer_clear(&t->knot_bytes);
	anim_buffer_clear(&t->time_bytes);
	anim_buffer_clear(&t->time_knot_bytes);
	anim_buffer_clear(&t->spare);
}

/* Try one way: the scene's own, or fast. Returns the same as reduce_together. */
static int choose_together(const struct reduce_scene *scene, const struct reduce_joints *joints,
			   struct anim_arena *arena, struct reduce_chosen *chosen, struct reduce_proof *proofs,
			   size_t groups, struct anim_error *error)
{
	struct together t = {.scene = scene, .joints = joints, .arena = arena, .chosen = chosen, .groups = groups};
	int result = 0;

	begin_budget(scene, anim_poses_count(&scene->poses[0]));
	t.warp_s = 2 * TIME_EPSILON;
	t.slack = scene->fast ? SLACK_FAST : SLACK;
	if (!reduce_joints_are_straight(joints))
		return 0;
	result = start(&t, error);
	if (result == 0 && t.knot_count <= SAMPLES_MAX / (t.nodes + 1)) {
		result = run_rough(&t, error) != 0 ? -1 : run_fine(&t, error);
		sum_up(&t, proofs);
	}
	if (scene->budget->trials == 0 || scene->budget->poses == 0)
		scene->budget->spent = true;
	clear(&t);
	return result;
}

int reduce_together(const struct reduce_scene *scene, const struct reduce_joints *joints, struct anim_arena *arena,
		    struct reduce_chosen *chosen, struct reduce_proof *proofs, size_t groups, struct anim_error *error)
{
	struct reduce_scene fast = *scene;
	int result = choose_together(scene, joints, arena, chosen, proofs, groups, error);

	if (result != 0 || scene->fast || scene->budget->poses > 0)
		return result;
	/* The budget ended without a proof. The fast way needs fewer poses, and leaves far fewer keys than separate shares. */
	fast.fast = true;
	for (size_t i = 0; i < anim_store_tracks(scene->store, 0); i++)
		chosen[i] = (struct reduce_chosen){.keep = NULL};
	return choose_together(&fast, joints, arena, chosen, proofs, groups, error);
}

/* ---- A result with the keys of the source ---- */

struct reduce_comparison {
	struct together t;
	struct anim_arena arena;
};

int reduce_comparison_new(const struct reduce_scene *scene, const struct reduce_joints *joints, size_t groups,
			  struct reduce_comparison **made, struct anim_error *error)
{
	struct reduce_comparison *c = *made = anim_zeroed(sizeof *c, error);
	struct together *t;

	if (c == NULL)
		return -1;
	t = &c->t;
	*t = (struct together){.scene = scene, .joints = joints, .arena = &c->arena, .groups = groups, .slack = SLACK};
	if (!reduce_joints_are_straight(joints))
		return 0;
	t->chosen = anim_arena_zeroed(t->arena, anim_store_tracks(scene->store, 0) + 1, sizeof *t->chosen, error);
	if (t->chosen == NULL || start(t, error) != 0)
		return -1;
	t->warp_s = 0; /* the times of keys do not change */
	for (size_t i = 0; i < anim_store_tracks(scene->store, 0); i++) {
		if (t->chosen[i].keep == NULL)
			continue;
		t->chosen[i].count = anim_store_track_at(scene->store, 0, i)->n;
		memset(t->chosen[i].keep, 1, t->chosen[i].count);
	}
	forget_between(t);
	set_stale(t, true);
	return t->knot_count <= SAMPLES_MAX / (t->nodes + 1);
}

void reduce_comparison_free(struct reduce_comparison *c)
{
	if (c == NULL)
		return;
	clear(&c->t);
	anim_arena_clear(&c->arena);
	free(c);
}

/* Mark the pieces in which a track has other values than in an earlier result. Returns 0 or -1. */
static int mark_changed(struct together *t, struct anim_store *earlier, struct anim_error *error)
{
	for (size_t i = 0; i < anim_store_tracks(t->scene->store, 0); i++) {
		struct anim_track tracks[2];
		size_t size, from = 0, to = 0;
		bool other = false;

		if (t->chosen[i].keep == NULL)
			continue;
		if (anim_store_read(earlier, 0, i, &tracks[0], error) != 0 ||
		    anim_store_read(t->scene->result, 0, i, &tracks[1], error) != 0)
			return -1;
		size = anim_types[tracks[0].type].size;
		for (size_t k = 0; k <= tracks[0].n; k++, from = to) {
			bool last = k == tracks[0].n;
			bool differs = !last && memcmp((const uint8_t *)tracks[0].value + k * size,
						       (const uint8_t *)tracks[1].value + k * size, size) != 0;

			to = last ? t->knot_count - 1 : knot_from(t, to, anim_track_time(&tracks[0], k));
			for (size_t piece = from / t->stride; piece <= to / t->stride && (differs || other); piece++)
				t->stale[piece] = true;
			other = differs;
		}
	}
	return 0;
}

/* Set the largest error of each part of the clip. */
static void gather_cells(const struct together *t, const double *cells, size_t count, double *worst)
{
	const double *knots = t->knots;
	size_t total = t->knot_count;

	memset(worst, 0, count * sizeof *worst);
	for (size_t i = 0, c = 0; i < t->pieces && i * t->stride < total; i++) {
		size_t last = (i + 1) * t->stride < total ? (i + 1) * t->stride : total - 1;
		double from_s = knots[i * t->stride], to_s = knots[last];

		while (c < count && cells[c + 1] < from_s)
			c++;
		for (size_t k = c; k < count && cells[k] <= to_s; k++)
			worst[k] = fmax(worst[k], t->worst[i]);
	}
}

int reduce_compare(struct reduce_comparison *c, struct anim_store *earlier, struct reduce_proof *proofs,
		   const double *cells, size_t count, double *worst, struct anim_error *error)
{
	struct together *t = &c->t;

	begin_budget(t->scene, t->nodes);
	follow(t, true);
	if (earlier != NULL && mark_changed(t, earlier, error) != 0)
		return -1;
	/* with more and more times */
	for (unsigned round = 0; round < ROUNDS_MAX; round++) {
		int fits = measure_stale(t, error);

		if (fits <= 0 || t->hopeless)
			return fits < 0 ? -1 : 0;
		if (memcmp(t->between, t->wanted, t->knot_count * sizeof *t->between) == 0)
			break;
	}
	sum_up(t, proofs);
	gather_cells(t, cells, count, worst);
	return 1;
}
