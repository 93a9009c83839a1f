/* repair.c: other points of the lattices for the few samples whose rounding errors add up. */
#include <math.h>
#include <string.h>

#include "filter/reduce/lattices.h"

/*
 * The errors of the joints above a point are independent, so only a few samples exceed a limit that most keep easily. In these
 * samples, another of the neighbouring points of a lattice is better for a joint, although it is farther from the joint's own
 * value. This allows much larger steps for all samples. A change of a rotation rotates everything below its joint about the joint:
 * no pose has to be computed again.
 */
#define TRIES 24u       /* changes of one sample */
#define STEP_LEAST 4e-6 /* smaller steps cannot be recovered from float32 */
#define GAIN 0.999      /* a change must reduce the sum by this factor */

struct repaired {
	bool can;
	uint32_t node;
	enum anim_pose_part part;
	struct anim_lattice *blocks;
	struct anim_buffer changes; /* struct anim_lattice_change */
	size_t sample;              /* for which v is the current value, plus 1 */
	double v[3];
};

struct repair {
	const struct reduce_scene *scene;
	const struct reduce_joints *joints;
	struct anim_arena *arena;
	size_t n, nodes, count;
	struct repaired *tracks;
	uint32_t (*driven)[2]; /* for each node: its tracks with a position and a rotation, or ANIM_POSE_NONE */
	double (*now)[ANIM_POSE_NUMBERS]; /* the transforms of the current sample */
	double (*trial)[ANIM_POSE_NUMBERS];
	double *ratio, *tried; /* for each node: its error as a part of its tolerance */
	uint8_t *below;        /* for each node: whether the change moves it */
	const struct reduce_windows *windows;
};

/* ---- The values of both sides ---- */

/* Return 1 if all tracks of joints have samples at the same times, or one key, 0 if not, or -1. */
static int find_grid(struct repair *r, struct anim_error *error)
{
	struct anim_track first = {.n = 0}, track;

	for (size_t i = 0; i < r->count; i++) {
		struct reduce_share share;

		if (!reduce_joints_limit(r->joints, i, &share))
			continue;
		if (anim_store_read(r->scene->store, 0, i, &track, error) != 0)
			return -1;
		if (anim_types[track.type].scalar != ANIM_SCALAR_F32)
			return 0;
		if (track.n == 1)
			continue;
		if (first.n == 0)
			first = track;
		if (first.kind != ANIM_RAW || track.kind != ANIM_RAW || first.n != track.n ||
		    first.start_s != track.start_s || first.step_s != track.step_s ||
		    first.rate_num != track.rate_num || first.rate_den != track.rate_den)
			return 0;
		r->n = track.n;
	}
	return r->n > 0;
}

/* Store the values of a side: 0 is the source, 1 the result. Returns 0 or -1. */
static int put_side(struct repair *r, int side, struct reduce_lattice_work *work, const struct reduce_lattice *lattices,
		    struct anim_error *error)
{
	struct anim_poses *poses = &r->scene->poses[side];
	struct anim_track track, out;

	poses->follows = false;
	anim_poses_begin(poses, r->n);
	for (size_t i = 0; i < r->count; i++) {
		struct repaired *own = &r->tracks[i];
		const float *values;
		size_t components, times;
		int status = 0, opened;

		if (own->node == ANIM_POSE_NONE)
			continue;
		if (anim_store_read(r->scene->store, 0, i, &track, error) != 0)
			return -1;
		values = track.value;
		if (side == 1 && lattices[i].steps != NULL) {
			const struct reduce_lattice nearest = {.steps = lattices[i].steps};

			status =
			    reduce_lattice_fit(work, r->scene->clip, &track, &nearest, own->blocks, &out, error);
			if (status < 0)
				return -1;
			own->can = status == 1 && own->part != ANIM_POSE_SCALE;
			values = status == 1 ? out.value : track.value;
		}
		if ((opened = anim_poses_open(poses, own->node, own->part, error)) < 0)
			return -1;
		/* a single key is the value of all samples */
		components = anim_types[track.type].components * (track.n > 1 ? r->n : 1);
		times = track.n > 1 ? 1 : r->n;
		for (size_t k = 0; k < times && opened > 0; k++)
			if (anim_poses_put(poses, values, components, error) != 0)
				return -1;
	}
	return anim_poses_ready(poses, error);
}

/* ---- One sample ---- */

static double error_at(const struct repair *r, uint32_t node, const double *source, const double *result)
{
	const struct reduce_target *target = reduce_joints_target(r->joints, node);

	return anim_poses_distance(source, result, target->shell_m, true) / target->tolerance_m;
}

/* A smooth form of the maximum, so that a change may help one point of several. */
static double cost_of(double ratio)
{
	double square = ratio * ratio, fourth = square * square, eighth = fourth * fourth;

	return eighth * eighth;
}

static bool is_rigid(const double m[ANIM_POSE_NUMBERS])
{
	double square = 0;

	for (int row = 0; row < 3; row++)
		for (int column = 0; column < 3; column++)
			square += m[4 * row + column] * m[4 * row + column];
	return fabs(square - 3) < 1e-3;
}

/* Set q to the rotation of coordinates, as a quaternion of length 1. */
static void rotation_of(const double v[3], double q[4])
{
	double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], by = 1 / (1 + square);

	for (int i = 0; i < 3; i++)
		q[i] = 2 * v[i] * by;
	q[3] = (1 - square) * by;
}

/* Set the matrix of the rotation from coordinates `from` to `to`, in the space of the node. */
static void rotation_between(const double from[3], const double to[3], double m[3][3])
{
	double a[4], b[4], x, y, z, w;

	rotation_of(from, a);
	rotation_of(to, b);
	/* the inverse of a, then b */
	x = a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
	y = a[3] * b[1] - a[1] * b[3] - a[2] * b[0] + a[0] * b[2];
	z = a[3] * b[2] - a[2] * b[3] - a[0] * b[1] + a[1] * b[0];
	w = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
	m[0][0] = 1 - 2 * (y * y + z * z);
	m[0][1] = 2 * (x * y - w * z);
	m[0][2] = 2 * (x * z + w * y);
	m[1][0] = 2 * (x * y + w * z);
	m[1][1] = 1 - 2 * (x * x + z * z);
	m[1][2] = 2 * (y * z - w * x);
	m[2][0] = 2 * (x * z - w * y);
	m[2][1] = 2 * (y * z + w * x);
	m[2][2] = 1 - 2 * (x * x + y * y);
}

/* Set `world` to the rotation `m` of a node's own space as seen from the root: B m B^T, for the node's basis B. */
static void to_world(const double basis[ANIM_POSE_NUMBERS], double m[3][3], double world[3][3])
{
	double part[3][3];

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			part[i][j] = basis[4 * i] * m[0][j] + basis[4 * i + 1] * m[1][j] + basis[4 * i + 2] * m[2][j];
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			world[i][j] =
			    part[i][0] * basis[4 * j] + part[i][1] * basis[4 * j + 1] + part[i][2] * basis[4 * j + 2];
}

/* Rotate a transform about a point. */
static void rotate_about(const double centre[3], double rotation[3][3], const double m[ANIM_POSE_NUMBERS],
			 double out[ANIM_POSE_NUMBERS])
{
	double arm[3];

	for (int i = 0; i < 3; i++)
		arm[i] = m[4 * i + 3] - centre[i];
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++)
			out[4 * i + j] = rotation[i][0] * m[j] + rotation[i][1] * m[4 + j] + rotation[i][2] * m[8 + j];
		out[4 * i + 3] =
		    centre[i] + rotation[i][0] * arm[0] + rotation[i][1] * arm[1] + rotation[i][2] * arm[2];
	}
}

/* Move the node and all nodes below it into `trial`, as if a track had other coordinates. */
static void move_below(struct repair *r, const struct repaired *own, const double v[3])
{
	const struct anim_poses *poses = &r->scene->poses[1];
	const double *at = r->now[own->node];
	double centre[3] = {at[3], at[7], at[11]}, shift[3] = {0}, m[3][3], rotation[3][3];
	uint32_t parent = anim_poses_parent(poses, own->node);

	if (own->part == ANIM_POSE_ROTATION) {
		rotation_between(own->v, v, m);
		to_world(at, m, rotation);
	}
	for (int i = 0; i < 3 && own->part == ANIM_POSE_POSITION; i++)
		for (int j = 0; j < 3; j++)
			shift[i] +=
			    (parent == ANIM_POSE_NONE ? i == j : r->now[parent][4 * i + j]) * (v[j] - own->v[j]);
	memset(r->below, 0, r->nodes);
	for (uint32_t node = own->node; node < r->nodes; node++) {
		uint32_t above = anim_poses_parent(poses, node);

		r->below[node] = node == own->node || (above != ANIM_POSE_NONE && r->below[above]);
		if (!r->below[node])
			continue;
		if (own->part == ANIM_POSE_ROTATION) {
			rotate_about(centre, rotation, r->now[node], r->trial[node]);
			continue;
		}
		memcpy(r->trial[node], r->now[node], sizeof r->trial[node]);
		for (int i = 0; i < 3; i++)
			r->trial[node][4 * i + 3] += shift[i];
	}
}

/* Return the sum of costs with the trial, and set `tried`. */
static double trial_cost(struct repair *r, size_t in_tile)
{
	double sum = 0;

	for (uint32_t node = 0; node < r->nodes; node++) {
		r->tried[node] = r->below[node] ? error_at(r, node, anim_poses_at(&r->scene->poses[0], node, in_tile),
							   r->trial[node])
						: r->ratio[node];
		sum += cost_of(r->tried[node]);
	}
	return sum;
}

struct change {
	struct repaired *track;
	unsigned coordinate;
	int by;
	double cost;
};

/* Try both neighbours of each coordinate of a track at a sample. Keeps the best change. Returns 0 or -1. */
static int try_track(struct repair *r, struct repaired *own, size_t sample, size_t in_tile, struct change *best,
		     struct anim_error *error)
{
	const struct anim_lattice *lattice = &own->blocks[sample / ANIM_LATTICE_BLOCK_KEYS];
	double step = (double)lattice->step;

	if (!own->can || !(step > STEP_LEAST) || !is_rigid(r->now[own->node]))
		return 0;
	if (own->sample != sample + 1) {
		double v[ANIM_LATTICE_COORDINATES];
		const float *value;

		if (anim_poses_column(&r->scene->poses[1], own->node, own->part, sample, 1, &value, error) != 0)
			return -1;
		anim_lattice_coordinates(lattice, value, v);
		for (int i = 0; i < 3; i++)
			own->v[i] = floor(v[i] / step + 0.5) * step;
		own->sample = sample + 1;
	}
	for (unsigned i = 0; i < 3; i++)
		for (int by = -1; by <= 1; by += 2) {
			double v[3] = {own->v[0], own->v[1], own->v[2]}, cost;

			v[i] += by * step;
			move_below(r, own, v);
			cost = trial_cost(r, in_tile);
			if (cost < best->cost)
				*best = (struct change){own, i, by, cost};
		}
	return 0;
}

static double allowed_at(const struct repair *r, size_t sample)
{
	return r->windows->allowed[sample * r->windows->count / r->n];
}

/* Repair a sample whose errors are in `ratio`, change by change. Returns 0 or -1. */
static int fix_sample(struct repair *r, size_t sample, size_t in_tile, struct anim_error *error)
{
	double cost = 0, allowed = allowed_at(r, sample);

	for (uint32_t node = 0; node < r->nodes; node++) {
		memcpy(r->now[node], anim_poses_at(&r->scene->poses[1], node, in_tile), sizeof r->now[node]);
		cost += cost_of(r->ratio[node]);
	}
	for (unsigned i = 0; i < TRIES; i++) {
		struct change best = {.cost = cost * GAIN};
		struct anim_lattice_change record;
		struct repaired *own;
		uint32_t worst = 0;
		double v[3];

		for (uint32_t node = 1; node < r->nodes; node++)
			if (r->ratio[node] > r->ratio[worst])
				worst = node;
		if (!(r->ratio[worst] > allowed))
			return 0;
		for (uint32_t node = worst; node != ANIM_POSE_NONE; node = anim_poses_parent(&r->scene->poses[1], node))
			for (int part = 0; part < 2; part++)
				if (r->driven[node][part] != ANIM_POSE_NONE &&
				    try_track(r, &r->tracks[r->driven[node][part]], sample, in_tile, &best, error) != 0)
					return -1;
		if ((own = best.track) == NULL)
			return 0;

		/* make the change */
		memcpy(v, own->v, sizeof v);
		v[best.coordinate] += best.by * (double)own->blocks[sample / ANIM_LATTICE_BLOCK_KEYS].step;
		move_below(r, own, v);
		(void)trial_cost(r, in_tile);
		for (uint32_t node = 0; node < r->nodes; node++)
			if (r->below[node])
				memcpy(r->now[node], r->trial[node], sizeof r->now[node]);
		memcpy(r->ratio, r->tried, r->nodes * sizeof *r->ratio);
		memcpy(own->v, v, sizeof v);
		record = (struct anim_lattice_change){(uint32_t)sample, (uint8_t)best.coordinate, (int8_t)best.by};
		if (anim_buffer_append(&own->changes, &record, sizeof record, error) != 0)
			return -1;
		cost = best.cost;
	}
	return 0;
}

/* ---- All samples ---- */

/* Find the tracks and their samples. Returns 1, 0 if not all tracks of joints have the same samples, or -1. */
static int begin(struct repair *r, struct anim_error *error)
{
	int status;

	r->nodes = anim_poses_count(&r->scene->poses[0]);
	r->count = anim_store_tracks(r->scene->store, 0);
	r->tracks = anim_arena_zeroed(r->arena, r->count + 1, sizeof *r->tracks, error);
	r->driven = anim_arena_zeroed(r->arena, r->nodes + 1, sizeof *r->driven, error);
	r->now = anim_arena_zeroed(r->arena, 2 * r->nodes + 1, sizeof *r->now, error);
	r->ratio = anim_arena_zeroed(r->arena, 2 * r->nodes + 1, sizeof *r->ratio, error);
	r->below = anim_arena_zeroed(r->arena, r->nodes + 1, 1, error);
	if (r->tracks == NULL || r->driven == NULL || r->now == NULL || r->ratio == NULL || r->below == NULL)
		return -1;
	r->trial = r->now + r->nodes;
	r->tried = r->ratio + r->nodes;
	memset(r->driven, 0xff, r->nodes * sizeof *r->driven);
	if ((status = find_grid(r, error)) != 1)
		return status;
	for (size_t i = 0; i < r->count; i++) {
		struct repaired *own = &r->tracks[i];
		struct reduce_share share;

		own->node = ANIM_POSE_NONE;
		if (!reduce_joints_limit(r->joints, i, &share))
			continue;
		own->node = share.node;
		own->part = share.part;
		if (own->part != ANIM_POSE_SCALE)
			r->driven[own->node][own->part] = (uint32_t)i;
		own->blocks = anim_arena_zeroed(r->arena, reduce_lattice_blocks(r->n), sizeof *own->blocks, error);
		if (own->blocks == NULL)
			return -1;
	}
	return 1;
}

/* Repair all samples whose errors exceed their limit. Returns 0 or -1. */
static int fix_all(struct repair *r, struct anim_error *error)
{
	struct anim_poses *poses = r->scene->poses;
	size_t tile = poses[0].tile < poses[1].tile ? poses[0].tile : poses[1].tile, count;

	for (size_t first = 0; first < r->n; first += count) {
		count = r->n - first < tile ? r->n - first : tile;
		for (int side = 0; side < 2; side++)
			if (anim_poses_tile(&poses[side], first, count, error) != 0)
				return -1;
		for (size_t k = 0; k < count; k++) {
			double worst = 0;

			for (uint32_t node = 0; node < r->nodes; node++) {
				r->ratio[node] = anim_poses_moves(&poses[0], node)
						     ? error_at(r, node, anim_poses_at(&poses[0], node, k),
								anim_poses_at(&poses[1], node, k))
						     : 0;
				worst = fmax(worst, r->ratio[node]);
			}
			if (worst > allowed_at(r, first + k) && fix_sample(r, first + k, k, error) != 0)
				return -1;
		}
	}
	return 0;
}

/* Copy the changes of each track into the arena. Returns 0 or -1. */
static int keep_changes(struct repair *r, struct reduce_lattice *lattices, struct anim_error *error)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct anim_buffer *changes = &r->tracks[i].changes;
		struct anim_lattice_change *kept = anim_arena_alloc(r->arena, changes->size + 1, error);

		if (kept == NULL)
			return -1;
		if (changes->size > 0)
			memcpy(kept, changes->data, changes->size);
		lattices[i].changes = kept;
		lattices[i].change_count = changes->size / sizeof *kept;
	}
	return 0;
}

int reduce_repair(const struct reduce_scene *scene, const struct reduce_joints *joints,
		  const struct reduce_windows *windows, struct reduce_lattice_work *work, struct anim_arena *arena,
		  struct reduce_lattice *lattices, struct anim_error *error)
{
	struct repair r = {.scene = scene, .joints = joints, .arena = arena, .windows = windows};
	int status = begin(&r, error);

	if (status != 1)
		return status;
	if (put_side(&r, 0, work, lattices, error) != 0 || put_side(&r, 1, work, lattices, error) != 0 ||
	    fix_all(&r, error) != 0 || keep_changes(&r, lattices, error) != 0)
		status = -1;
	for (size_t i = 0; i < r.count; i++)
		anim_buffer_clear(&r.tracks[i].changes);
	return status;
}
