/* part.c: sample the poses of a clip, then search them for the best loop or for stillness at the ends. */
#include "filter/retime/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "clip/keys.h"
#include "filter/rename/rename.h"
#include "math/elementary.h"

#define RATE 60.0                /* samples per second */
#define SAMPLES 36000u           /* of a search: ten minutes */
#define PLACES ((size_t)2 << 20) /* nodes times samples: 220 MB */
#define LEAST_S 0.3              /* length of a loop: a sprint needs 0.4 */
#define CHOICE 1.15              /* a loop of fewer cycles may have a seam that is so many times larger */
#define REACH 0.05               /* of the size: distance of the points that show the rotation of a node */
#define AHEAD_S 0.1              /* a velocity counts as the distance that it covers in this time */
#define LEAVES 0.5   /* of the mean squared distance from the mean pose: a loop must get that far from its start */
#define TRAVELS 0.5  /* of the size: a body that moves farther over the ground travels */
#define BLOCK 16u    /* numbers between two checks whether a pose is already too far away */
#define FEATURES 18u /* of a node: its place and two points beside it, and their velocities */

/* ---- The poses of a range ---- */

/*
 * Choose the times of the samples: the times of the sampled tracks, without some if they are more than 60 per second. Clips of
 * curves have 60 per second. Returns 0 or -1.
 */
static int choose_times(struct anim_store *store, const struct anim_range *range, struct anim_buffer *times,
			struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(store, 0);
	double first_s = (double)range->start_s, end_s = (double)range->end_s, step_s = 1 / RATE;
	double *t;
	size_t count;
	bool sampled = false;

	for (size_t i = 0; i < anim_store_tracks(store, 0); i++) {
		const struct anim_store_track *track = anim_store_track_at(store, 0, i);
		double own_s = track->rate_num > 0 ? (double)track->rate_den / track->rate_num : track->step_s;

		if (track->kind != ANIM_RAW || track->n < 2 || !(own_s > 0))
			continue;
		sampled = true;
		step_s = own_s * fmax(1, ceil(1 / RATE / own_s - 1e-6));
		first_s = track->start_s + ceil((first_s - track->start_s) / own_s - 1e-3) * own_s;
		break;
	}
	if (!(end_s > first_s))
		return 0;
	if ((end_s - first_s) / step_s >= SAMPLES)
		return anim_fail(error, ANIM_TOO_LARGE,
				 "clip '%.100s' of %.6g s is too long for a search; " ANIM_ADVICE(CUT_TIME), clip->name,
				 end_s - first_s);
	/* curves also have a sample at the end, because many clips are a single cycle */
	count =
	    (size_t)(sampled ? floor((end_s - first_s) / step_s + 1e-3) : ceil((end_s - first_s) / step_s - 1e-3)) + 1;
	if ((t = anim_buffer_extend(times, count * sizeof *t, error)) == NULL)
		return -1;
	for (size_t k = 0; k < count; k++)
		t[k] = fmin(first_s + (double)k * step_s, end_s);
	return 0;
}

/* Sample all tracks of the clip. Returns 1, 0 if they move no nodes, or -1. */
static int sample(struct anim_posing *posing, struct anim_store *store, const struct anim_buffer *times,
		  struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(store, 0);
	size_t count = times->size / sizeof(double);

	if (count < 3 || !(clip->flags & ANIM_IN_TREE) || anim_poses_count(&posing->poses) == 0)
		return 0;
	anim_posing_begin_times(posing, (const double *)(const void *)times->data, count);
	if (anim_posing_clip(posing, store, 0, error) != 0)
		return -1;
	return posing->poses.moving > 0;
}

/* ---- The best loop ---- */

struct search {
	struct anim_posing *posing;
	const double *times;
	size_t samples, nodes;
	size_t used,
	    width;     /* nodes that change at all, and the numbers of their pose in `poses`, a multiple of BLOCK */
	uint32_t body; /* the node whose place and heading are taken away if the clip travels */
	double size;
	bool travels;
	double *place;   /* of each sample: x and z of the body, and its heading in radians since the first sample */
	float *points;   /* of each sample and node: its place, then two vectors of length REACH * size */
	float *poses;    /* of each sample: FEATURES numbers of each node, first the nodes that move most */
	double *way;     /* of each sample: the sum of the distances of neighbouring poses up to it */
	double basis[9]; /* of the body at the first sample */
	struct anim_arena arena;
};

/* Return the node that carries the motion over the ground: the hips, otherwise the first node that changes its place. */
static uint32_t find_body(const struct search *s)
{
	const struct anim_poses *poses = &s->posing->poses;
	size_t row = s->nodes * 9;

	for (size_t i = 0; i < s->nodes; i++) {
		const uint32_t node = anim_poses_moved(poses, i);
		struct anim_bone_guess guess = {.doubtful = false};

		if (!anim_poses_is_flat(poses, node) &&
		    anim_bone_of_name(&guess, anim_node_own_name(anim_poses_path(poses, node))) &&
		    guess.bones[0] == ANIM_BONE_HIPS)
			return node;
	}
	for (size_t i = 0; i < s->nodes; i++)
		for (size_t k = 1; k < s->samples; k++)
			for (int c = 0; c < 3; c++)
				if (fabs((double)(s->points[k * row + i * 9 + (size_t)c] -
						  s->points[i * 9 + (size_t)c])) > 1e-3 * s->size)
					return anim_poses_moved(poses, i);
	return anim_poses_moved(poses, 0);
}

/* Store the points of a sample. The first sample gives the size. */
static void store_points(void *context, size_t k, size_t in_tile)
{
	struct search *s = context;
	const struct anim_poses *poses = &s->posing->poses;
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	float *out = s->points + k * s->nodes * 9;

	for (size_t i = 0; i < s->nodes && k == 0; i++)
		for (int c = 0; c < 3; c++) {
			double at = anim_poses_at(poses, anim_poses_moved(poses, i), in_tile)[4 * c + 3];

			low[c] = fmin(low[c], at);
			high[c] = fmax(high[c], at);
			s->size = fmax(s->size, high[c] - low[c]);
		}
	for (size_t i = 0; i < s->nodes; i++, out += 9) {
		const double *m = anim_poses_at(poses, anim_poses_moved(poses, i), in_tile);

		for (int c = 0; c < 3; c++) {
			double x = m[4 * c], y = m[4 * c + 1], reach = REACH * (s->size > 0 ? s->size : 1);

			out[c] = (float)m[4 * c + 3];
			out[3 + c] = (float)(x * reach);
			out[6 + c] = (float)(y * reach);
		}
	}
}

/* Store the place and the heading of the body. The heading is the rotation about the vertical axis since the first sample. */
static void store_place(void *context, size_t k, size_t in_tile)
{
	struct search *s = context;
	const double *m = anim_poses_at(&s->posing->poses, s->body, in_tile);
	double *place = s->place + 3 * k, r[9], trace = 0, scale = 0;

	for (int i = 0; i < 9; i++) {
		if (k == 0)
			s->basis[i] = m[4 * (i / 3) + i % 3];
		scale += s->basis[i] * s->basis[i] / 3;
	}
	for (int i = 0; i < 9; i++) { /* this basis times the transpose of the first one */
		r[i] = 0;
		for (int c = 0; c < 3; c++)
			r[i] += m[4 * (i / 3) + c] * s->basis[3 * (i % 3) + c] / scale;
		trace += i % 4 == 0 ? r[i] : 0;
	}
	place[0] = m[3];
	place[1] = m[11];
	place[2] = 2 * anim_atan2(r[2] - r[6], 1 + trace);
}

struct spread {
	double size;
	uint32_t node;
};

static int compare_spreads(const void *a, const void *b)
{
	const struct spread *one = a, *other = b;

	return one->size != other->size ? (one->size < other->size) - (one->size > other->size)
					: (one->node > other->node) - (one->node < other->node);
}

/*
 * Order the nodes by how much they move relative to the body, so that most poses are found to differ at once. Nodes that do
 * not move, such as a root of the scene, come last and are not used.
 */
static struct spread *order_nodes(struct search *s, struct anim_error *error)
{
	struct spread *order = anim_arena_zeroed(&s->arena, s->nodes, sizeof *order, error);

	for (size_t i = 0; order != NULL && i < s->nodes; i++) {
		double sum[3] = {0}, squares = 0;
		bool changes = false;

		for (size_t k = 0; k < s->samples; k++) {
			const float *at = s->points + (k * s->nodes + i) * 9;
			const double v[3] = {(double)at[0] - s->place[3 * k], (double)at[1],
					     (double)at[2] - s->place[3 * k + 1]};

			for (int c = 0; c < 3; c++) {
				sum[c] += v[c];
				squares += v[c] * v[c];
			}
			changes = changes || memcmp(at, s->points + i * 9, 9 * sizeof *at) != 0;
		}
		for (int c = 0; c < 3; c++)
			squares -= sum[c] * sum[c] / (double)s->samples;
		order[i] = (struct spread){changes ? fmax(0, squares) : -1, (uint32_t)i};
		s->used += changes;
	}
	if (order != NULL)
		qsort(order, s->nodes, sizeof *order, compare_spreads);
	return order;
}

/* Fill the poses: points and their velocities, seen from the body if it travels. */
static void fill_poses(const struct search *s, const struct spread *order)
{
	for (size_t k = 0; k < s->samples; k++) {
		size_t before = k > 0 ? k - 1 : 0, after = k + 1 < s->samples ? k + 1 : k;
		double sine = 0, cosine = 1, ahead = AHEAD_S / (s->times[after] - s->times[before]);

		if (s->travels)
			anim_sincos(-s->place[3 * k + 2], &sine, &cosine);
		for (size_t i = 0; i < s->used; i++) {
			const float *at = s->points + (k * s->nodes + order[i].node) * 9,
				    *from = s->points + (before * s->nodes + order[i].node) * 9,
				    *to = s->points + (after * s->nodes + order[i].node) * 9;
			float *out = s->poses + k * s->width + i * FEATURES;

			for (int c = 0; c < 9; c += 3)
				for (int part = 0; part < 2; part++) {
					double v[3];

					for (int j = 0; j < 3; j++)
						v[j] = part == 0 ? (double)at[c + j]
								 : ((double)to[c + j] - (double)from[c + j]) * ahead;
					if (s->travels && part == 0 && c == 0) {
						v[0] -= s->place[3 * k];
						v[2] -= s->place[3 * k + 1];
					}
					out[9 * part + c] = (float)(cosine * v[0] + sine * v[2]);
					out[9 * part + c + 1] = (float)v[1];
					out[9 * part + c + 2] = (float)(cosine * v[2] - sine * v[0]);
				}
		}
	}
}

/* Return the squared distance of two poses, or a number of at least `most` if it is not smaller. */
static float apart(const struct search *s, size_t one, size_t other, float most)
{
	const float *a = s->poses + one * s->width, *b = s->poses + other * s->width;
	float sum = 0;

	for (size_t i = 0; i < s->width && sum < most; i += BLOCK) {
		float part[4] = {0};

		for (unsigned k = 0; k < BLOCK; k += 4)
			for (unsigned j = 0; j < 4; j++) {
				float d = a[i + k + j] - b[i + k + j];

				part[j] += d * d;
			}
		sum += (part[0] + part[1]) + (part[2] + part[3]);
	}
	return sum;
}

/* Return the squared distance that a pose must have from the start of a loop that contains it. */
static float least_departure(const struct search *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->width; i++) {
		double mean = 0, squares = 0;

		for (size_t k = 0; k < s->samples; k++) {
			double v = (double)s->poses[k * s->width + i];

			mean += v / (double)s->samples;
			squares += v * v / (double)s->samples;
		}
		sum += fmax(0, squares - mean * mean);
	}
	return (float)(LEAVES * sum);
}

/*
 * Search all pairs of samples with a squared distance below `best` and up to `longest` apart for the smallest one. Until a pose is `leaves` away from the start, no loop ends. Poses that cannot be so far away are skipped: the distance of
 * two poses is at most the way between them.
 */
static bool search_pairs(const struct search *s, float leaves, size_t longest, float best, size_t found[2], float *seam)
{
	const double departs = sqrt((double)leaves);
	bool any = false;

	for (size_t start = 0; start + 1 < s->samples; start++) {
		double known = 0, way = s->way[start];
		bool left = false;

		for (size_t end = start + 1; end < s->samples && end - start <= longest; end++) {
			float d;

			if (!left && known + s->way[end] - way < departs)
				continue;
			d = apart(s, start, end, left ? best : leaves);
			if (!left) {
				left = d >= leaves;
				known = sqrt((double)d);
				way = s->way[end];
				continue;
			}
			if (!(d < best) || s->times[end] - s->times[start] < LEAST_S)
				continue;
			any = true;
			found[0] = start;
			found[1] = end;
			*seam = best = d;
		}
	}
	return any;
}

/* Prepare the poses. Returns 1, 0 if they do not move, or -1. */
static int prepare(struct search *s, struct anim_error *error)
{
	struct spread *order;
	double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};

	s->nodes = s->posing->poses.moving;
	if (s->nodes > PLACES / s->samples)
		return anim_fail(error, ANIM_TOO_LARGE,
				 "%zu poses of %zu nodes are too many for a search; " ANIM_ADVICE(CUT_TIME), s->samples,
				 s->nodes);
	s->points = anim_arena_zeroed(&s->arena, s->samples * s->nodes, 9 * sizeof *s->points, error);
	s->place = anim_arena_zeroed(&s->arena, s->samples * 3, sizeof *s->place, error);
	s->way = anim_arena_zeroed(&s->arena, s->samples, sizeof *s->way, error);
	if (s->points == NULL || s->place == NULL || s->way == NULL ||
	    anim_poses_each(&s->posing->poses, store_points, s, error) != 0)
		return -1;
	s->body = find_body(s);
	if (anim_poses_each(&s->posing->poses, store_place, s, error) != 0 || (order = order_nodes(s, error)) == NULL)
		return -1;
	s->width = (s->used * FEATURES + BLOCK - 1) / BLOCK * BLOCK;
	s->poses = anim_arena_zeroed(&s->arena, s->samples * s->width + 1, sizeof *s->poses, error);
	if (s->poses == NULL)
		return -1;
	for (size_t k = 0; k < s->samples; k++)
		for (int c = 0; c < 2; c++) {
			low[c] = fmin(low[c], s->place[3 * k + (size_t)c]);
			high[c] = fmax(high[c], s->place[3 * k + (size_t)c]);
		}
	s->travels = !anim_poses_is_flat(&s->posing->poses, s->body) &&
		     fmax(high[0] - low[0], high[1] - low[1]) > TRAVELS * s->size;
	fill_poses(s, order);
	for (size_t k = 1; k < s->samples; k++) /* a little more, so that rounding skips no pose */
		s->way[k] = s->way[k - 1] + 1.0001 * sqrt((double)apart(s, k - 1, k, INFINITY));
	return s->size > 0;
}

/* Describe a loop between two samples. */
static void describe(const struct search *s, size_t from, size_t to, struct retime_loop *loop)
{
	const float *a = s->poses + from * s->width, *b = s->poses + to * s->width;
	const double *start = s->place + 3 * from, *end = s->place + 3 * to;

	*loop = (struct retime_loop){.start_s = s->times[from],
				     .end_s = s->times[to],
				     .size = s->size,
				     .travels = s->travels,
				     .carrier = ANIM_POSE_NONE};
	for (size_t i = 0; i < s->used * FEATURES; i += 9) {
		double d[3] = {(double)a[i] - (double)b[i], (double)a[i + 1] - (double)b[i + 1],
			       (double)a[i + 2] - (double)b[i + 2]};
		double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
		double *most = i % FEATURES == 0 ? &loop->gap : &loop->rush;

		*most = fmax(*most, i % FEATURES == 0 ? length : length / AHEAD_S);
	}
	if (!s->travels)
		return;
	loop->way = sqrt((end[0] - start[0]) * (end[0] - start[0]) + (end[1] - start[1]) * (end[1] - start[1]));
	/* The topmost node above the body that changes its place carries it. Nothing above that node moves. */
	loop->carrier = s->body;
	for (uint32_t n = s->body; n != ANIM_POSE_NONE; n = anim_poses_parent(&s->posing->poses, n)) {
		const uint32_t i = anim_poses_slot(&s->posing->poses, n);
		bool changes = false;

		for (size_t k = 1; k < s->samples && i != ANIM_POSE_NONE && !changes; k++)
			changes =
			    memcmp(s->points + (k * s->nodes + i) * 9, s->points + i * 9, 9 * sizeof *s->points) != 0;
		loop->carrier = changes ? n : loop->carrier;
	}
	for (int i = 0; i < 3; i++)
		loop->above[5 * i] = 1;
	if (anim_poses_parent(&s->posing->poses, loop->carrier) != ANIM_POSE_NONE)
		memcpy(loop->above,
		       anim_poses_at(&s->posing->poses, anim_poses_parent(&s->posing->poses, loop->carrier), 0),
		       sizeof loop->above);
}

int retime_find_loop(struct anim_posing *posing, struct anim_store *store, const struct anim_range *range,
		     struct retime_loop *loop, struct anim_error *error)
{
	struct search s = {.posing = posing};
	struct anim_buffer times = {0};
	size_t found[2] = {0};
	float best = 0, leaves, most;
	int result = choose_times(store, range, &times, error);

	s.times = (const double *)(const void *)times.data;
	s.samples = times.size / sizeof(double);
	if (result == 0)
		result = sample(posing, store, &times, error);
	if (result > 0)
		result = prepare(&s, error);
	if (result > 0) {
		leaves = least_departure(&s);
		result = leaves > 0 && search_pairs(&s, leaves, s.samples, leaves, found, &best);
		/* a loop of fewer cycles may have a seam that is a little larger */
		most = fminf(best * (float)(CHOICE * CHOICE), leaves);
		while (result > 0 && search_pairs(&s, leaves, (found[1] - found[0]) * 3 / 4, most, found, &best))
			;
	}
	if (result > 0)
		describe(&s, found[0], found[1], loop);
	anim_buffer_clear(&times);
	anim_arena_clear(&s.arena);
	return result;
}

/* ---- The part that moves ---- */

struct stillness {
	struct anim_posing *posing;
	double tol, shell;
	const double *ends[2]; /* the transforms of all moving nodes at the first and at the last sample */
	size_t first, last; /* the first sample that differs from the start, and the last that differs from the end */
	bool any;
};

static void find_movement(void *context, size_t k, size_t in_tile)
{
	struct stillness *s = context;
	const struct anim_poses *poses = &s->posing->poses;

	for (size_t i = 0; i < poses->moving; i++) {
		const double *at = anim_poses_at(poses, anim_poses_moved(poses, i), in_tile);

		if (!s->any && anim_poses_distance(at, s->ends[0] + i * ANIM_POSE_NUMBERS, s->shell, false) > s->tol) {
			s->any = true;
			s->first = k;
		}
		if (s->last < k &&
		    anim_poses_distance(at, s->ends[1] + i * ANIM_POSE_NUMBERS, s->shell, false) > s->tol)
			s->last = k;
	}
}

/* Copy the transforms of all moving nodes at a sample. Returns NULL if out of memory. */
static const double *copy_pose(struct anim_poses *poses, size_t k, struct anim_arena *arena, struct anim_error *error)
{
	double *copy = anim_arena_zeroed(arena, poses->moving, ANIM_POSE_NUMBERS * sizeof *copy, error);

	if (copy == NULL || anim_poses_tile(poses, k, 1, error) != 0)
		return NULL;
	for (size_t i = 0; i < poses->moving; i++)
		memcpy(copy + i * ANIM_POSE_NUMBERS, anim_poses_at(poses, anim_poses_moved(poses, i), 0),
		       ANIM_POSE_NUMBERS * sizeof *copy);
	return copy;
}

/* Extend the part by the changes of a track that moves no node: events, and keys with another value than their neighbour. */
static void include_changes(const struct anim_track *track, double *start_s, double *end_s)
{
	struct anim_text texts[2];

	for (size_t k = 0; k < track->n; k++) {
		double from = anim_track_time(track, k), to = from;

		if (!anim_track_is_event(track)) {
			if (k + 1 == track->n || anim_value_equal(track->type, anim_value_at(track, k, &texts[0]),
								  anim_value_at(track, k + 1, &texts[1])))
				continue;
			to = anim_track_time(track, k + 1);
		}
		*start_s = fmin(*start_s, from);
		*end_s = fmax(*end_s, to);
	}
}

int retime_find_motion(struct anim_posing *posing, struct anim_store *store, const struct anim_range *range, double tol,
		       double shell, struct anim_range *out, struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(store, 0);
	struct stillness s = {.posing = posing, .tol = tol, .shell = shell};
	struct anim_buffer times = {0};
	struct anim_arena arena = {0};
	double start_s = INFINITY, end_s = -INFINITY;
	const double *t;
	int result = choose_times(store, range, &times, error);

	if (result == 0)
		result = sample(posing, store, &times, error);
	t = (const double *)(const void *)times.data;
	if (result > 0) {
		size_t samples = times.size / sizeof *t;

		s.ends[0] = copy_pose(&posing->poses, 0, &arena, error);
		s.ends[1] = s.ends[0] == NULL ? NULL : copy_pose(&posing->poses, samples - 1, &arena, error);
		if (s.ends[1] == NULL || anim_poses_each(&posing->poses, find_movement, &s, error) != 0)
			result = -1;
		else if (s.any) {
			start_s = t[s.first > 0 ? s.first - 1 : 0];
			end_s = t[s.last + 1 < samples ? s.last + 1 : s.last];
		}
	}
	for (size_t i = 0; result >= 0 && i < anim_store_tracks(store, 0); i++) {
		struct anim_track track;

		if (anim_store_read(store, 0, i, &track, error) != 0)
			result = -1;
		else if (anim_play_can(&track) ? anim_posing_node(posing, clip, &track) == ANIM_POSE_NONE
					       : (track.flags & ANIM_DISABLED) == 0)
			include_changes(&track, &start_s, &end_s);
	}
	anim_arena_clear(&arena);
	anim_buffer_clear(&times);
	if (result < 0 || !(end_s > start_s))
		return result < 0 ? -1 : 0;
	out->start_s = fmaxf(range->start_s, (float)start_s);
	out->end_s = fminf(range->end_s, (float)end_s);
	return out->end_s > out->start_s;
}
