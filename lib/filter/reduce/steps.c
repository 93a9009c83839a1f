/* steps.c: lattices for the values of a clip's tracks, as coarse as the limits of its tracks and joints allow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/reduce/lattices.h"
#include "math/elementary.h"
#include "stream/archive.h"
#include "stream/lattice.h"

/*
 * A step of a lattice costs about log2(1 / step) bits for each coordinate of each sample. Errors of different tracks are
 * independent, so the mean square of the error of a point is the sum over all tracks above it: (step * distance)^2. The
 * cheapest steps under a limit for every point satisfy
 *
 *   step^2 = weight / (sum over the points i below the track of lambda_i * distance_i^2)
 *
 * with a multiplier lambda_i for each point, which is 0 if the point does not reach its limit. A track of the hips, on which
 * all points depend, gets a smaller step than a track of a hand. Some rounds find the multipliers: quantise samples of the
 * clip, measure the largest error of each point, and reduce the multipliers of points with room. The weight is the number of
 * bits that a twice as large step would save, which is less than 1 for tracks that hardly move.
 */
#define ROUNDS 14u
#define WEIGH_FIRST 3u /* the rounds that compute weights */
#define WEIGH_SECOND 7u
#define WEIGHT_LEAST 0.03
#define QUICK 5u             /* rounds with larger changes of multipliers */
#define LAMBDA_LEAST 1e-7    /* smallest multiplier, as a part of the largest: points whose limit is far away */
#define SAMPLES_MOST 256u    /* with more, the steps are hardly better */
#define WINDOW 16u           /* samples in a row, if the clip has more than SAMPLES_MOST */
#define DISTANCE_SAMPLES 16u /* poses in which distances are measured */
#define PAIRS_MOST ((size_t)4 * 1024 * 1024)

/* The rounds that prove the result. */
#define PROOFS 60u
#define PROOFS_FINE 30u
#define REPAIR_GAINS 0.995 /* if repairs do not reduce the worst error by this factor, steps become smaller */
#define REPAIRED 0.98      /* the largest error of a sample in the first round, relative to the limit */
#define TIGHTEN 0.985
#define ALLOWED_LEAST 0.2
#define WINDOWS_MOST 4096u
#define DESCENT_FROM 1.8 /* the first factor of steps */
#define DESCENT_STEP 0.96
#define DESCENT_ALONE 0.985    /* without repairs */
#define DESCENT_STEP_LONG 0.92 /* for long clips, whose proofs take time */
#define NUMBERS_QUICK 2000000u /* transforms of a clip that is not long */

#define SEARCH_GROWN 0.999   /* the largest error of the search, relative to the limit */
#define LARGE_KEYS 16384u    /* tracks with more keys get all bits of a step, which cost others more than they save */
#define MEASURED_KEYS 65536u /* of a track, to compare its size on a lattice with its exact size */
#define CLEARLY 2.0          /* an estimate of the exact size that is larger by this factor is enough */
#define BLOCK_OVERHEAD 64u   /* bytes of a block on a lattice beside its codes */

/* ---- One track ---- */

/* Give each rotation the sign that is nearer to the one before. */
static void align_signs(float *values, size_t n)
{
	for (size_t k = 1; k < n; k++) {
		const float *before = values + 4 * (k - 1);
		float *q = values + 4 * k;
		double dot = 0;

		for (int i = 0; i < 4; i++)
			dot += (double)before[i] * (double)q[i];
		for (int i = 0; i < 4 && dot < 0; i++)
			q[i] = -q[i];
	}
}

/* Give each rotation the sign that is nearer to the sum of all. */
static void align_to_mean(float *values, size_t n)
{
	double sum[4] = {0};

	for (size_t k = 0; k < n; k++)
		for (int i = 0; i < 4; i++)
			sum[i] += (double)values[4 * k + i];
	for (size_t k = 0; k < n; k++) {
		float *q = values + 4 * k;
		double dot = 0;

		for (int i = 0; i < 4; i++)
			dot += sum[i] * (double)q[i];
		for (int i = 0; i < 4 && dot < 0; i++)
			q[i] = -q[i];
	}
}

/* Return whether the sign of a rotation is not the nearer one to the one before. */
static bool signs_change(const float *values, size_t n)
{
	for (size_t k = 1; k < n; k++) {
		double dot = 0;

		for (int i = 0; i < 4; i++)
			dot += (double)values[4 * (k - 1) + i] * (double)values[4 * k + i];
		if (dot < 0)
			return true;
	}
	return false;
}

/* Return whether the values of a track of the clip can be on a lattice. */
static bool fits_lattice(const struct anim_track *track, const struct anim_clip *clip)
{
	return reduce_can(track, clip, ANIM_RULES_COUNT) && !reduce_is_curved(track) && anim_lattice_can(track->type) &&
	       track->column[ANIM_COLUMN_HINT] == NULL && reduce_is_regular(track) &&
	       !(anim_types[track->type].quaternion && anim_rules_blend_components(clip, track->rules) &&
		 signs_change(track->value, track->n));
}

/* Fit all blocks of values. Returns false if one does not fit. */
static bool fit_blocks(const struct anim_track *track, const float *values, const float *steps,
		       struct anim_lattice *blocks)
{
	const size_t components = anim_types[track->type].components;
	struct anim_lattice lattice;

	for (size_t done = 0; done < track->n; done += ANIM_LATTICE_BLOCK_KEYS) {
		size_t left = track->n - done, keys = left < ANIM_LATTICE_BLOCK_KEYS ? left : ANIM_LATTICE_BLOCK_KEYS;
		size_t number = done / ANIM_LATTICE_BLOCK_KEYS;

		if (!anim_lattice_fit(&lattice, track->type, values + done * components, keys, steps[number]))
			return false;
		if (blocks != NULL)
			blocks[number] = lattice;
	}
	return true;
}

/*
 * Set the aligned values of a track for which all blocks fit. Signs of rotations that follow arcs are free, and are made to
 * agree with the one before. If rotations go too far from their mean in this way, they are made to agree with the mean.
 * Returns 1, 0 if some blocks do not fit, or -1.
 */
static int align(struct reduce_lattice_work *work, const struct anim_clip *clip, const struct anim_track *track,
		 const float *steps, struct anim_lattice *blocks, struct anim_error *error)
{
	bool free = anim_types[track->type].quaternion && !anim_rules_blend_components(clip, track->rules);
	size_t size = track->n * anim_types[track->type].size;

	for (int far = 0; far < 2; far++) {
		float *values;

		work->aligned.size = 0;
		values = anim_buffer_extend(&work->aligned, size, error);
		if (values == NULL)
			return -1;
		memcpy(values, track->value, size);
		if (free)
			align_signs(values, track->n);
		for (size_t done = 0; free && far == 1 && done < track->n; done += ANIM_LATTICE_BLOCK_KEYS) {
			size_t left = track->n - done;

			align_to_mean(values + 4 * done,
				      left < ANIM_LATTICE_BLOCK_KEYS ? left : ANIM_LATTICE_BLOCK_KEYS);
		}
		if (fit_blocks(track, values, steps, blocks))
			return 1;
	}
	return 0;
}

int reduce_lattice_fit(struct reduce_lattice_work *work, const struct anim_clip *clip, const struct anim_track *track,
		       const struct reduce_lattice *lattice, struct anim_lattice *blocks, struct anim_track *out,
		       struct anim_error *error)
{
	const size_t components = anim_types[track->type].components;
	int status = align(work, clip, track, lattice->steps, blocks, error);
	const struct anim_lattice_change *change = lattice->changes, *last = change + lattice->change_count;
	int32_t *points;
	float *values;

	if (status != 1)
		return status;
	work->points.size = work->values.size = 0;
	points = anim_buffer_extend(&work->points, ANIM_LATTICE_BLOCK_KEYS * components * sizeof *points, error);
	values = anim_buffer_extend(&work->values, track->n * components * sizeof *values, error);
	if (points == NULL || values == NULL)
		return -1;
	for (size_t done = 0; done < track->n; done += ANIM_LATTICE_BLOCK_KEYS) {
		const struct anim_lattice *block = &blocks[done / ANIM_LATTICE_BLOCK_KEYS];
		size_t left = track->n - done, keys = left < ANIM_LATTICE_BLOCK_KEYS ? left : ANIM_LATTICE_BLOCK_KEYS;

		anim_lattice_find(block, (const float *)(const void *)work->aligned.data + done * components, keys,
				  points);
		for (; change < last && change->key < done + keys; change++)
			points[change->coordinate * keys + (change->key - done)] += change->by;
		anim_lattice_values(block, points, keys, values + done * components);
	}
	*out = *track;
	out->value = values;
	out->record = NULL;
	return 1;
}

int reduce_lattice_encode(struct reduce_lattice_work *work, const struct anim_clip *clip,
			  const struct anim_track *track, const struct reduce_lattice *lattice, struct anim_track *out,
			  struct anim_error *error)
{
	struct anim_track aligned = *track;
	int status = align(work, clip, track, lattice->steps, NULL, error);

	if (status != 1)
		return status;
	aligned.value = work->aligned.data;
	aligned.record = NULL;
	status = anim_lattice_encode(&aligned, lattice->steps, lattice->changes, lattice->change_count, &work->bytes,
				     &work->values, error);
	if (status != 1)
		return status;
	anim_record_at(work->bytes.data, 0, &work->record);
	work->record.version = ANIM_STREAM_VERSION_LATTICE;
	*out = *track;
	out->value = work->values.data;
	out->record = &work->record;
	return 1;
}

void reduce_lattice_work_clear(struct reduce_lattice_work *work)
{
	anim_buffer_clear(&work->aligned);
	anim_buffer_clear(&work->bytes);
	anim_buffer_clear(&work->values);
	anim_buffer_clear(&work->points);
}

/* Round a step down to a number whose low bytes are 0. */
static float short_step(double step, size_t n)
{
	float number = (float)step;
	uint32_t bits;

	memcpy(&bits, &number, sizeof bits);
	if (n < LARGE_KEYS)
		bits &= 0xFFFF8000u;
	memcpy(&number, &bits, sizeof number);
	return number;
}

size_t reduce_lattice_blocks(size_t n)
{
	return (n + ANIM_LATTICE_BLOCK_KEYS - 1) / ANIM_LATTICE_BLOCK_KEYS;
}

/* ---- The error of a track by itself ---- */

static double angle_between(const double a[4], const double b[4])
{
	double same = 0, other = 0, least;

	for (int i = 0; i < 4; i++) {
		same += (a[i] - b[i]) * (a[i] - b[i]);
		other += (a[i] + b[i]) * (a[i] + b[i]);
	}
	least = same < other ? same : other;
	return 4 * anim_atan2(sqrt(least) / 2, sqrt(least < 4 ? 1 - least / 4 : 0));
}

/* Return the largest error of a track whose values have changed, with the bound between keys. */
static double error_of(const struct anim_track *source, const struct anim_track *result)
{
	enum reduce_metric metric = reduce_metric_of(source);
	const unsigned components = anim_types[source->type].components;
	double before[2][REDUCE_COMPONENTS] = {{0}}, here[2][REDUCE_COMPONENTS], worst = 0, last = 0;

	for (size_t k = 0; k < source->n; k++) {
		double off = 0;

		anim_components(source->type, source->value, k, here[0]);
		anim_components(result->type, result->value, k, here[1]);
		if (metric == REDUCE_ANGLE) {
			reduce_normalise(here[0], 1);
			reduce_normalise(here[1], 1);
			off = angle_between(here[0], here[1]);
			if (k > 0)
				worst =
				    fmax(worst, reduce_angle_bound(fmax(off, last), angle_between(before[0], here[0])));
			last = off;
			memcpy(before, here, sizeof before);
		}
		for (unsigned i = 0; i < components && metric != REDUCE_ANGLE; i++) {
			double apart = fabs(here[0][i] - here[1][i]);

			off = metric == REDUCE_LENGTH ? off + apart * apart : fmax(off, apart);
		}
		off = metric == REDUCE_LENGTH ? sqrt(off) : off;
		worst = off >= worst ? off : worst >= off ? worst : (double)INFINITY;
	}
	return worst;
}

/* Return the largest step that can keep a limit of a track by itself. */
static double step_for(const struct anim_track *track, double limit)
{
	switch (reduce_metric_of(track)) {
	case REDUCE_ANGLE:
		return limit / (2 * sqrt(3.0));
	case REDUCE_LENGTH:
		return 2 * limit / sqrt((double)anim_types[track->type].components);
	default:
		return 2 * limit;
	}
}

#define ALONE_TRIES 24u
#define ALONE_AGAIN 0.97 /* factor of a step that was too large */

/*
 * Find the step for a track by itself, the same for all blocks. Sets *bound to its error. Returns 1, 0 if the track must
 * stay exact, or -1.
 */
static int find_alone(struct reduce_lattice_work *work, const struct anim_clip *clip, const struct anim_track *track,
		      double limit, float *steps, double *bound, struct anim_error *error)
{
	const struct reduce_lattice lattice = {.steps = steps};
	double step = step_for(track, limit);
	struct anim_track out;

	*bound = 0;
	for (unsigned i = 0; i < ALONE_TRIES && limit > 0; i++, step *= ALONE_AGAIN) {
		int status;

		for (size_t b = 0; b < reduce_lattice_blocks(track->n); b++)
			steps[b] = short_step(step, track->n);
		status = reduce_lattice_encode(work, clip, track, &lattice, &out, error);
		if (status != 1)
			return status;
		*bound = error_of(track, &out);
		if (*bound <= limit)
			return 1;
	}
	*bound = 0;
	return 0;
}

/* ---- The joints of a clip: samples of the poses ---- */

struct stepped {
	bool can;
	uint32_t node; /* ANIM_POSE_NONE: moves no joint */
	enum anim_pose_part part;
	enum anim_type type;
	size_t n;
	double limit,
	    most; /* the step that the share of its limit would allow, and the largest that is allowed at all */
	float *samples;
	double weight, step, best;
	double bits; /* of a key, about */
};

struct pair {
	uint32_t above, below;
	double square; /* of the distance, with the radius around the point */
};

struct search {
	const struct reduce_scene *scene;
	const struct reduce_joints *joints;
	struct anim_arena *arena;
	size_t count, nodes, samples, pair_count;
	struct stepped *tracks;
	double *times;
	struct pair *pairs;
	double *lambda, *ratio, *rotated, *moved; /* for each node */
	struct anim_buffer points, shown;
};

static size_t longest_track(const struct anim_store *store)
{
	size_t longest = 0;

	for (size_t i = 1; i < anim_store_tracks(store, 0); i++)
		if (anim_store_track_at(store, 0, i)->n > anim_store_track_at(store, 0, longest)->n)
			longest = i;
	return longest;
}

/* Choose the times of samples: all keys of the track with most keys, or windows of them. Returns 0 or -1. */
static int choose_times(struct search *s, struct anim_error *error)
{
	struct anim_store *store = s->scene->store;
	struct anim_track track;
	size_t windows;

	if (anim_store_read(store, 0, longest_track(store), &track, error) != 0)
		return -1;
	s->samples = track.n < SAMPLES_MOST ? track.n : SAMPLES_MOST;
	s->times = anim_arena_zeroed(s->arena, s->samples + 1, sizeof *s->times, error);
	if (s->times == NULL)
		return -1;
	windows = SAMPLES_MOST / WINDOW;
	for (size_t i = 0; i < s->samples; i++) {
		size_t k = track.n <= SAMPLES_MOST ? i : i / WINDOW * (track.n - WINDOW) / (windows - 1) + i % WINDOW;

		s->times[i] = anim_track_time(&track, k);
	}
	return 0;
}

/* Set `out` to the values of a run at the times of the samples. */
static void sample_run(const struct search *s, const struct reduce_run *run, float *out)
{
	size_t i = 0;

	for (size_t k = 0; k < s->samples; k++) {
		double value[REDUCE_COMPONENTS];
		const double *shown;

		while (i + 1 < run->n && run->time[i + 1] <= s->times[k])
			i++;
		shown = run->value + run->components * i;
		if (i + 1 < run->n && s->times[k] > run->time[i]) {
			reduce_between(run, i, i + 1, (s->times[k] - run->time[i]) / (run->time[i + 1] - run->time[i]),
				       value);
			shown = value;
		}
		for (unsigned c = 0; c < run->components; c++)
			out[k * run->components + c] = (float)shown[c];
	}
}

/* Read the tracks of joints at the times of the samples. Returns 1, 0 if a track has other curves than lines and arcs, or -1. */
static int read_samples(struct search *s, struct anim_error *error)
{
	for (size_t i = 0; i < s->count; i++) {
		struct stepped *own = &s->tracks[i];
		struct reduce_share share;
		struct anim_track track;
		struct reduce_run run;
		double *limits;

		own->node = ANIM_POSE_NONE;
		if (!reduce_joints_limit(s->joints, i, &share))
			continue;
		if (reduce_read_shared(s->scene, i, &share, false, &track, &run, &limits, error) != 0)
			return -1;
		if (run.cubic || run.cut || reduce_is_curved(&track))
			return 0;
		*own = (struct stepped){.can = own->can,
					.node = share.node,
					.part = share.part,
					.type = track.type,
					.n = track.n,
					.limit = step_for(&track, share.limit),
					.most = step_for(&track, share.most),
					.weight = 1};
		own->can = own->can && share.can && share.limit > 0;
		own->samples =
		    anim_arena_zeroed(s->arena, s->samples * run.components + 1, sizeof *own->samples, error);
		if (own->samples == NULL)
			return -1;
		sample_run(s, &run, own->samples);
		if (anim_types[track.type].quaternion && own->can)
			align_to_mean(own->samples, s->samples);
	}
	return 1;
}

/* Give a track's values at the samples to poses. Returns 0 or -1. */
static int put_samples(struct search *s, struct anim_poses *poses, const struct stepped *track, const float *values,
		       struct anim_error *error)
{
	int opened = anim_poses_open(poses, track->node, track->part, error);

	if (opened <= 0)
		return opened;
	return anim_poses_put(poses, values, s->samples * anim_types[track->type].components, error);
}

/* Quantise the samples of a track. If they do not fit, the values stay exact. Returns the values, or NULL. */
static const float *quantise(struct search *s, const struct stepped *track, double step, struct anim_lattice *lattice,
			     struct anim_error *error)
{
	const size_t components = anim_types[track->type].components;
	float *shown;

	s->points.size = s->shown.size = 0;
	if (anim_buffer_extend(&s->points, s->samples * ANIM_LATTICE_COORDINATES * sizeof(int32_t), error) == NULL ||
	    (shown = anim_buffer_extend(&s->shown, s->samples * components * sizeof *shown, error)) == NULL)
		return NULL;
	if (!anim_lattice_fit(lattice, track->type, track->samples, s->samples, (float)step)) {
		lattice->coordinates = 0;
		return track->samples;
	}
	anim_lattice_find(lattice, track->samples, s->samples, (int32_t *)(void *)s->points.data);
	anim_lattice_values(lattice, (const int32_t *)(const void *)s->points.data, s->samples, shown);
	return shown;
}

/* Fill the poses of the result with values on lattices of the current steps. Returns 0 or -1. */
static int put_quantised(struct search *s, struct anim_error *error)
{
	struct anim_poses *poses = &s->scene->poses[1];

	anim_poses_begin(poses, s->samples);
	for (size_t i = 0; i < s->count; i++) {
		const struct stepped *track = &s->tracks[i];
		struct anim_lattice lattice;
		const float *values = track->samples;

		if (track->node == ANIM_POSE_NONE)
			continue;
		if (track->can && (values = quantise(s, track, track->step, &lattice, error)) == NULL)
			return -1;
		if (put_samples(s, poses, track, values, error) != 0)
			return -1;
	}
	return anim_poses_ready(poses, error);
}

/* Measure the largest error of each node, as a part of its tolerance. Returns 0 or -1. */
static int measure_nodes(struct search *s, struct anim_error *error)
{
	struct anim_poses *poses = s->scene->poses;
	size_t tile = poses[0].tile < poses[1].tile ? poses[0].tile : poses[1].tile, count;

	memset(s->ratio, 0, s->nodes * sizeof *s->ratio);
	for (size_t first = 0; first < s->samples; first += count) {
		count = s->samples - first < tile ? s->samples - first : tile;
		for (int side = 0; side < 2; side++)
			if (anim_poses_tile(&poses[side], first, count, error) != 0)
				return -1;
		for (uint32_t node = 0; node < s->nodes; node++) {
			const struct reduce_target *target = reduce_joints_target(s->joints, node);

			if (!anim_poses_moves(&poses[0], node))
				continue;
			for (size_t k = 0; k < count; k++) {
				double off =
				    anim_poses_distance(anim_poses_at(&poses[0], node, k),
							anim_poses_at(&poses[1], node, k), target->shell_m, true);

				s->ratio[node] = fmax(s->ratio[node], off / target->tolerance_m);
			}
		}
	}
	return 0;
}

/* ---- Distances ---- */

/* List all pairs of a node with a lattice and a node below it, or itself. Returns 1, 0 if there are too many, or -1. */
static int list_pairs(struct search *s, struct anim_error *error)
{
	const struct anim_poses *poses = &s->scene->poses[0];
	size_t count = 0;

	for (size_t i = 0; i < s->count; i++)
		if (s->tracks[i].node != ANIM_POSE_NONE && s->tracks[i].can)
			s->rotated[s->tracks[i].node] = 1;
	for (int fill = 0; fill < 2; fill++) {
		if (fill == 1 && (s->pairs = anim_arena_zeroed(s->arena, count + 1, sizeof *s->pairs, error)) == NULL)
			return -1;
		count = 0;
		for (uint32_t below = 0; below < s->nodes; below++)
			for (uint32_t above = below; above != ANIM_POSE_NONE; above = anim_poses_parent(poses, above)) {
				if (!(s->rotated[above] > 0))
					continue;
				if (fill == 1)
					s->pairs[count] = (struct pair){above, below, 0};
				if (++count > PAIRS_MOST)
					return 0;
			}
	}
	s->pair_count = count;
	return 1;
}

/* Measure the mean square of all distances in some poses of the source. Returns 0 or -1. */
static int measure_distances(struct search *s, struct anim_error *error)
{
	struct anim_poses *poses = &s->scene->poses[0];
	size_t count = s->samples < DISTANCE_SAMPLES ? s->samples : DISTANCE_SAMPLES;
	double part = 1 / (double)count;

	for (size_t n = 0; n < count; n++) {
		if (anim_poses_tile(poses, n * s->samples / count, 1, error) != 0)
			return -1;
		for (size_t i = 0; i < s->pair_count; i++) {
			const double *a = anim_poses_at(poses, s->pairs[i].above, 0);
			const double *b = anim_poses_at(poses, s->pairs[i].below, 0);

			for (int axis = 3; axis < ANIM_POSE_NUMBERS; axis += 4)
				s->pairs[i].square += part * (a[axis] - b[axis]) * (a[axis] - b[axis]);
		}
	}
	for (size_t i = 0; i < s->pair_count; i++) {
		double shell = reduce_joints_target(s->joints, s->pairs[i].below)->shell_m;

		s->pairs[i].square += shell * shell;
	}
	return 0;
}

/* ---- Rounds ---- */

/* Set the step of each track from the multipliers. */
static void set_steps(struct search *s, double scale)
{
	memset(s->rotated, 0, s->nodes * sizeof *s->rotated);
	memset(s->moved, 0, s->nodes * sizeof *s->moved);
	for (size_t i = 0; i < s->pair_count; i++) {
		const struct pair *pair = &s->pairs[i];

		s->rotated[pair->above] += s->lambda[pair->below] * pair->square;
		s->moved[pair->above] += s->lambda[pair->below];
	}
	for (size_t i = 0; i < s->count; i++) {
		struct stepped *track = &s->tracks[i];
		double pull;

		if (track->node == ANIM_POSE_NONE || !track->can)
			continue;
		/* a step of v rotates by four times as much, and a step of another coordinate moves by itself */
		pull = track->part == ANIM_POSE_ROTATION ? 16 * s->rotated[track->node]
		       : track->part == ANIM_POSE_SCALE  ? s->rotated[track->node]
							 : s->moved[track->node];
		track->step = fmin(scale * sqrt(track->weight / pull), track->most);
	}
}

/* Compute the weights: the bits that a twice as large step saves per coordinate and sample. Returns 0 or -1. */
static int set_weights(struct search *s, struct anim_error *error)
{
	for (size_t i = 0; i < s->count; i++) {
		struct stepped *track = &s->tracks[i];
		struct anim_lattice lattice;
		double bits[2] = {(double)INFINITY, 0};

		if (track->node == ANIM_POSE_NONE || !track->can)
			continue;
		for (int coarse = 0; coarse < 2; coarse++) {
			if (quantise(s, track, track->step * (coarse ? 1.4142135623730951 : 0.70710678118654752),
				     &lattice, error) == NULL)
				return -1;
			if (lattice.coordinates > 0)
				bits[coarse] =
				    (double)anim_lattice_bits(&lattice, (int32_t *)(void *)s->points.data, s->samples);
		}
		track->bits = bits[0] / (double)s->samples;
		track->weight =
		    isfinite(bits[0]) ? (bits[0] - bits[1]) / ((double)s->samples * lattice.coordinates) : 0;
		track->weight = fmin(fmax(track->weight, WEIGHT_LEAST), 1);
	}
	return 0;
}

/* Return the number of bits that these steps save, compared with steps of 1. */
static double saved_bits(const struct search *s, double factor)
{
	double sum = 0;

	for (size_t i = 0; i < s->count; i++)
		if (s->tracks[i].node != ANIM_POSE_NONE && s->tracks[i].can)
			sum += s->tracks[i].weight * anim_log(s->tracks[i].step * factor) *
			       anim_types[s->tracks[i].type].components;
	return sum;
}

static void keep_best(struct search *s, double factor)
{
	for (size_t i = 0; i < s->count; i++)
		s->tracks[i].best = s->tracks[i].step * factor;
}

/* Find the steps of the joints' tracks from samples. Returns 0 or -1. */
static int run_rounds(struct search *s, struct anim_error *error)
{
	double scale = (double)INFINITY, best = -(double)INFINITY;

	/* at the first scale no step exceeds a few times the step that its share allows */
	set_steps(s, 1);
	for (size_t i = 0; i < s->count; i++)
		if (s->tracks[i].node != ANIM_POSE_NONE && s->tracks[i].can)
			scale = fmin(scale, s->tracks[i].limit / s->tracks[i].step);
	scale *= 2;
	for (unsigned round = 0; round < ROUNDS; round++) {
		double worst = 0, most = 0, saved;

		set_steps(s, scale);
		if (round == WEIGH_FIRST || round == WEIGH_SECOND) {
			if (set_weights(s, error) != 0)
				return -1;
			set_steps(s, scale);
			best = -(double)INFINITY;
		}
		if (put_quantised(s, error) != 0 || measure_nodes(s, error) != 0)
			return -1;
		for (size_t i = 0; i < s->nodes; i++)
			worst = fmax(worst, s->ratio[i]);
		if (!(worst > 0)) {
			keep_best(s, 1);
			return 0;
		}
		saved = saved_bits(s, SEARCH_GROWN / worst);
		if (saved > best) {
			best = saved;
			keep_best(s, SEARCH_GROWN / worst);
		}
		scale /= worst;

		/* points with room get smaller multipliers */
		for (size_t i = 0; i < s->nodes; i++) {
			s->lambda[i] *= anim_pow(fmax(s->ratio[i] / worst, 1e-3), round < QUICK ? 2 : 1);
			most = fmax(most, s->lambda[i]);
		}
		for (size_t i = 0; i < s->nodes; i++)
			s->lambda[i] = fmax(s->lambda[i] / most, LAMBDA_LEAST);
	}
	return 0;
}

/*
 * Find the steps of tracks that move joints together. Sets `best` of the tracks. Returns 1, 0 if each track must keep its own
 * share, or -1.
 */
static int search_steps(struct search *s, struct anim_error *error)
{
	struct anim_poses *poses = s->scene->poses;
	int status;

	if (!reduce_joints_are_straight(s->joints))
		return 0;
	s->nodes = anim_poses_count(&poses[0]);
	s->lambda = anim_arena_zeroed(s->arena, 4 * s->nodes + 1, sizeof *s->lambda, error);
	if (s->lambda == NULL)
		return -1;
	s->ratio = s->lambda + s->nodes;
	s->rotated = s->ratio + s->nodes;
	s->moved = s->rotated + s->nodes;
	for (uint32_t i = 0; i < s->nodes; i++) {
		double tolerance = reduce_joints_target(s->joints, i)->tolerance_m;

		s->lambda[i] = 1 / (tolerance * tolerance);
	}
	if (choose_times(s, error) != 0)
		return -1;
	status = read_samples(s, error);
	if (status == 1)
		status = list_pairs(s, error);
	if (status != 1)
		return status;

	/* the poses of the source stay the same in all rounds */
	poses[0].follows = poses[1].follows = false;
	anim_poses_begin(&poses[0], s->samples);
	for (size_t i = 0; i < s->count; i++)
		if (s->tracks[i].node != ANIM_POSE_NONE &&
		    put_samples(s, &poses[0], &s->tracks[i], s->tracks[i].samples, error) != 0)
			return -1;
	if (anim_poses_ready(&poses[0], error) != 0 || measure_distances(s, error) != 0 || run_rounds(s, error) != 0)
		return -1;
	return 1;
}

/* ---- All tracks of a clip ---- */

/* The pieces of the clip's time whose steps are scaled separately: the blocks of the longest track. */
struct cells {
	size_t count;
	double *from; /* count + 1 times */
	double *factor;
	struct reduce_windows windows; /* smaller pieces, whose samples are repaired */
	bool repaired;                 /* repairs are possible */
};

/* Set the times of all cells and windows, with factors and limits of the first round. Returns 0 or -1. */
static int make_cells(struct cells *cells, const struct reduce_scene *scene, struct anim_arena *arena,
		      struct anim_error *error)
{
	struct reduce_windows *windows = &cells->windows;
	struct anim_track track;
	double *numbers;

	if (anim_store_read(scene->store, 0, longest_track(scene->store), &track, error) != 0)
		return -1;
	cells->count = reduce_lattice_blocks(track.n);
	windows->count = track.n < WINDOWS_MOST ? track.n : WINDOWS_MOST;
	numbers = anim_arena_zeroed(arena, 2 * cells->count + 3 * windows->count + 2, sizeof *numbers, error);
	if (numbers == NULL)
		return -1;
	cells->from = numbers;
	cells->factor = cells->from + cells->count + 1;
	windows->from = cells->factor + cells->count;
	windows->allowed = windows->from + windows->count + 1;
	windows->worst = windows->allowed + windows->count;
	for (size_t i = 0; i < cells->count; i++) {
		cells->from[i] =
		    i == 0 ? (double)scene->clip->start_s : anim_track_time(&track, i * ANIM_LATTICE_BLOCK_KEYS);
		cells->factor[i] = 1;
	}
	cells->from[cells->count] = (double)INFINITY;
	for (size_t i = 0; i < windows->count; i++) {
		size_t key = (i * track.n + windows->count - 1) / windows->count;

		windows->from[i] = i == 0 ? (double)scene->clip->start_s : anim_track_time(&track, key);
		windows->allowed[i] = REPAIRED;
	}
	windows->from[windows->count] = (double)INFINITY;
	windows->again = anim_arena_alloc(arena, windows->count, error);
	if (windows->again != NULL)
		memset(windows->again, 1, windows->count);
	return windows->again == NULL ? -1 : 0;
}

/* Return the smallest factor of the cells that the block of a track touches. */
static double factor_of(const struct cells *cells, const struct anim_track *track, size_t block)
{
	size_t first = block * ANIM_LATTICE_BLOCK_KEYS, after = first + ANIM_LATTICE_BLOCK_KEYS;
	double from_s = anim_track_time(track, first),
	       to_s = anim_track_time(track, (after < track->n ? after : track->n) - 1);
	double factor = (double)INFINITY;

	for (size_t i = 0; i < cells->count; i++)
		if (cells->from[i] <= to_s && cells->from[i + 1] > from_s)
			factor = fmin(factor, cells->factor[i]);
	return isfinite(factor) ? factor : cells->factor[0];
}

/* Set the steps of a track's blocks. */
static void set_block_steps(const struct cells *cells, const struct anim_track *track, double step, float *steps)
{
	for (size_t b = 0; b < reduce_lattice_blocks(track->n); b++)
		steps[b] = short_step(step * factor_of(cells, track, b), track->n);
}

/*
 * Return 1 if the track is smaller on the lattice, 0 if not, or -1. `bits` is about the number of bits of a key on the lattice.
 * If the exact values certainly take more, nothing is packed to find out.
 */
static int is_smaller(struct reduce_lattice_job *job, const struct anim_track *track, double bits, float *steps,
		      struct anim_error *error)
{
	const struct reduce_lattice lattice = {.steps = steps};
	const double known = anim_archive_value_bytes(track) / CLEARLY;
	const double bytes = bits / 8 * (double)track->n + (double)(reduce_lattice_blocks(track->n) * BLOCK_OVERHEAD);
	struct anim_track part = *track, out;
	size_t exact, smaller;
	int status;

	if (known > bytes) {
		job->gain += known - bytes;
		return 1;
	}
	if (part.n > MEASURED_KEYS) {
		part.n = MEASURED_KEYS;
		part.record = NULL;
	}
	status = reduce_lattice_encode(job->work, job->scene->clip, &part, &lattice, &out, error);
	if (status != 1)
		return status;
	if (anim_archive_track_bytes(&out, true, &smaller, error) != 0 ||
	    anim_archive_track_bytes(&part, false, &exact, error) != 0)
		return -1;
	return smaller < exact;
}

/* Write all tracks of the clip, as they will be decoded, into the scene's result. Returns 0 or -1. */
static int write_result(const struct reduce_scene *scene, struct reduce_lattice_work *work,
			struct reduce_lattice *lattices, struct anim_arena *arena, struct anim_error *error)
{
	struct anim_sink *sink = anim_store_sink(scene->result);

	if (anim_sink_clip(sink, scene->clip, error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_tracks(scene->store, 0); i++) {
		struct anim_track track, out;
		int status = 0;

		if (anim_store_read(scene->store, 0, i, &track, error) != 0)
			return -1;
		if (lattices[i].steps != NULL) {
			struct anim_lattice *blocks =
			    anim_arena_zeroed(arena, reduce_lattice_blocks(track.n), sizeof *blocks, error);

			status = blocks == NULL
				     ? -1
				     : reduce_lattice_fit(work, scene->clip, &track, &lattices[i], blocks, &out, error);
		}
		if (status < 0)
			return -1;
		if (status == 0)
			lattices[i].steps = NULL;
		out.record = NULL;
		if (anim_sink_track(sink, status == 1 ? &out : &track, error) != 0)
			return -1;
	}
	return 0;
}

/*
 * Set the steps of all tracks of joints, and prove the result, which is different from the previous one only if there are repairs
 * again or other steps. Returns 1 with the errors of the cells, 0, or -1.
 */
static int prove_steps(struct reduce_lattice_job *job, struct search *s, struct cells *cells,
		       struct reduce_comparison *comparison, struct anim_arena *repairs, struct anim_error *error)
{
	struct reduce_scene *scene = job->scene;
	struct anim_store *earlier = scene->result;
	struct anim_arena arena = {0};
	int status;

	for (size_t i = 0; i < s->count; i++) {
		struct anim_track track;

		if (s->tracks[i].node == ANIM_POSE_NONE || job->lattices[i].steps == NULL)
			continue;
		if (anim_store_read(scene->store, 0, i, &track, error) != 0)
			return -1;
		set_block_steps(cells, &track, s->tracks[i].best, job->lattices[i].steps);
	}
	status = reduce_repair(scene, s->joints, &cells->windows, job->work, repairs, job->lattices, error);
	if (status < 0)
		return -1;
	cells->repaired = status == 1;
	scene->result = anim_store_new(job->store_memory, error);
	status = scene->result == NULL ? -1 : write_result(scene, job->work, job->lattices, &arena, error);
	if (status == 0)
		status = reduce_compare(comparison, earlier, job->proofs, cells->windows.from, cells->windows.count,
					cells->windows.worst, error);
	anim_store_free(earlier);
	anim_arena_clear(&arena);
	return status;
}

static double worst_of(const struct cells *cells)
{
	double worst = 0;

	for (size_t i = 0; i < cells->windows.count; i++)
		worst = fmax(worst, cells->windows.worst[i]);
	return worst;
}

/* Make the limits of samples near failed proofs smaller: an error between two samples belongs to both. */
static void tighten(struct reduce_windows *windows)
{
	for (size_t i = 0; i < windows->count; i++) {
		double worst = windows->worst[i];

		if (i > 0)
			worst = fmax(worst, windows->worst[i - 1]);
		windows->again[i] = worst > 1;
		if (worst > 1)
			windows->allowed[i] = fmax(windows->allowed[i] * TIGHTEN / worst, ALLOWED_LEAST);
	}
}

/* Make the steps of blocks with failed proofs smaller. All samples are then repaired again. */
static void descend(struct cells *cells, double by)
{
	const struct reduce_windows *windows = &cells->windows;

	memset(windows->again, 1, windows->count);
	for (size_t i = 0; i < cells->count; i++) {
		double worst = 0;

		for (size_t w = 0; w < windows->count; w++)
			if (windows->from[w] < cells->from[i + 1] && windows->from[w + 1] >= cells->from[i])
				worst = fmax(worst, windows->worst[w]);
		if (worst > 1)
			cells->factor[i] *=
			    cells->repaired ? fmin(by, sqrt(1 / worst)) : fmin(DESCENT_ALONE, 1.01 / worst);
	}
}

/*
 * Find factors for which the proof holds. The largest error depends on the steps in a random way, apart from their size. So
 * the search begins with steps that are probably too large, and makes them smaller until the proof holds. Returns 1, 0 if
 * no such factor exists, or -1.
 */
static int prove_all(struct reduce_lattice_job *job, struct search *s, struct cells *cells, struct anim_error *error)
{
	struct anim_store *store = job->scene->store;
	uint64_t numbers = (uint64_t)s->nodes * anim_store_track_at(store, 0, longest_track(store))->n;
	double by = numbers < NUMBERS_QUICK ? DESCENT_STEP : DESCENT_STEP_LONG;
	struct anim_arena repairs[2] = {{0}}; /* of this round and of the one before */
	struct reduce_comparison *comparison;
	double before;
	int status = reduce_comparison_new(job->scene, s->joints, job->groups, &comparison, error);

	for (size_t i = 0; i < cells->count; i++)
		cells->factor[i] = DESCENT_FROM;
	for (unsigned round = 0; round < PROOFS && status >= 0 && (round > 0 || status == 1); round++) {
		anim_arena_reset(&repairs[round % 2]);
		before = round == 0 ? (double)INFINITY : worst_of(cells);
		status = prove_steps(job, s, cells, comparison, &repairs[round % 2], error);
		if (status <= 0 || worst_of(cells) <= 1)
			break;
		tighten(&cells->windows);
		if (!cells->repaired || !(worst_of(cells) < before * REPAIR_GAINS))
			descend(cells, round < PROOFS_FINE ? by : by * by * by);
		status = 0;
	}
	/* copy the changes of all tracks to an arena that stays */
	for (size_t i = 0; status == 1 && i < s->count; i++) {
		size_t size = job->lattices[i].change_count * sizeof *job->lattices[i].changes;
		struct anim_lattice_change *kept = anim_arena_alloc(s->arena, size + 1, error);

		if (kept != NULL && size > 0)
			memcpy(kept, job->lattices[i].changes, size);
		job->lattices[i].changes = kept;
		status = kept == NULL ? -1 : 1;
	}
	for (int i = 0; i < 2; i++)
		anim_arena_clear(&repairs[i]);
	anim_store_free(job->scene->result);
	job->scene->result = NULL;
	reduce_comparison_free(comparison);
	return status;
}

/* Record the limit and the error of a track by itself, in the units of bounds. */
static void add_bound(struct reduce_lattice_job *job, const struct anim_track *track, double limit, double bound)
{
	bool flat = anim_types[track->type].components == 2 && job->scene->clip->axes2d == ANIM_AXES2D_GODOT;
	enum anim_bound_unit unit = ANIM_BOUND_NUMBER;
	double by = track->flags & ANIM_PERCENT ? 0.01 : 1;

	switch (reduce_metric_of(track)) {
	case REDUCE_ANGLE:
		unit = ANIM_BOUND_ANGLE;
		by = 180 / ANIM_PI;
		break;
	case REDUCE_LENGTH:
		unit = flat ? ANIM_BOUND_PIXELS : ANIM_BOUND_LENGTH;
		by = 1;
		break;
	default:
		break;
	}
	job->asked[unit] = fmax(job->asked[unit], limit * by);
	job->reached[unit] = fmax(job->reached[unit], bound * by);
}

/* Find the lattices of tracks by their own limits: of all tracks that move no joint, or with `shares` of those that move one. */
static int choose_others(struct reduce_lattice_job *job, bool shares, struct anim_error *error)
{
	const struct anim_clip *clip = job->scene->clip;
	struct anim_track track;

	for (size_t i = 0; i < anim_store_tracks(job->scene->store, 0); i++) {
		float *steps = job->lattices[i].steps;
		struct reduce_share share;
		bool joint = job->joints != NULL && reduce_joints_limit(job->joints, i, &share);
		double limit, bound;
		int status;

		if (steps == NULL || joint != shares)
			continue;
		if (anim_store_read(job->scene->store, 0, i, &track, error) != 0)
			return -1;
		limit = joint ? share.limit : reduce_limit_of(job->limits, &track, clip);
		status = find_alone(job->work, clip, &track, limit, steps, &bound, error);
		if (status == 1)
			status =
			    is_smaller(job, &track, 8 * (double)job->work->record.size / (double)track.n, steps, error);
		if (status < 0)
			return -1;
		if (status == 0)
			job->lattices[i].steps = NULL;
		else if (joint)
			reduce_joints_add(job->joints, i, bound);
		else
			add_bound(job, &track, limit, bound);
	}
	return 0;
}

/* Put the tracks of joints on the lattices that the search found, if these are smaller and proven. Returns 0 or -1. */
static int choose_together(struct reduce_lattice_job *job, struct search *s, struct anim_error *error)
{
	struct cells cells;
	bool any = false;
	int status;

	if (make_cells(&cells, job->scene, job->arena, error) != 0)
		return -1;
	for (size_t i = 0; i < s->count; i++) {
		struct reduce_lattice *lattice = &job->lattices[i];
		struct anim_track track;

		if (lattice->steps == NULL || s->tracks[i].node == ANIM_POSE_NONE)
			continue;
		/* exact: the search left the track out, or it would not become smaller */
		if (!s->tracks[i].can || !(s->tracks[i].best > 0)) {
			lattice->steps = NULL;
			continue;
		}
		if (anim_store_read(job->scene->store, 0, i, &track, error) != 0)
			return -1;
		set_block_steps(&cells, &track, s->tracks[i].best, lattice->steps);
		status = is_smaller(job, &track, s->tracks[i].bits, lattice->steps, error);
		if (status < 0)
			return -1;
		if (status == 0)
			lattice->steps = NULL;
		any = any || status == 1;
	}
	if (!any)
		return 0;
	status = prove_all(job, s, &cells, error);
	for (size_t i = 0; status == 0 && i < s->count; i++)
		if (s->tracks[i].node != ANIM_POSE_NONE)
			job->lattices[i].steps = NULL;
	if (status == 0) {
		memset(job->proofs, 0, job->groups * sizeof *job->proofs);
		job->gain = 0;
	}
	return status < 0 ? -1 : 0;
}

int reduce_lattices(struct reduce_lattice_job *job, struct anim_error *error)
{
	struct anim_store *store = job->scene->store;
	struct search s = {
	    .scene = job->scene, .joints = job->joints, .arena = job->arena, .count = anim_store_tracks(store, 0)};
	int together = 0, result = -1;

	/* allocate the steps of all tracks that can be on a lattice */
	if ((s.tracks = anim_arena_zeroed(job->arena, s.count + 1, sizeof *s.tracks, error)) == NULL)
		goto done;
	for (size_t i = 0; i < s.count; i++) {
		struct anim_track track;

		if (anim_store_read(store, 0, i, &track, error) != 0)
			goto done;
		s.tracks[i].can = fits_lattice(&track, job->scene->clip);
		s.tracks[i].node = ANIM_POSE_NONE;
		if (!s.tracks[i].can)
			continue;
		job->lattices[i].steps =
		    anim_arena_zeroed(job->arena, reduce_lattice_blocks(track.n), sizeof(float), error);
		if (job->lattices[i].steps == NULL)
			goto done;
	}
	if (s.count > 0 && job->joints != NULL)
		together = search_steps(&s, error);
	if (together < 0 || (together == 1 && choose_together(job, &s, error) != 0))
		goto done;
	if (together == 0 && job->joints != NULL) {
		reduce_joints_begin(job->joints);
		if (choose_others(job, true, error) != 0)
			goto done;
		reduce_joints_bound(job->joints, job->proofs);
	}
	result = choose_others(job, false, error);
done:
	anim_buffer_clear(&s.points);
	anim_buffer_clear(&s.shown);
	return result;
}
