/* repair.c: other points of the lattices for the few samples whose rounding errors add up. */
#include <math.h>
#include <string.h>

#include "filter/reduce/lattices.h"
#include "math/block.h"
#include "math/lanes.h"

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
	uint32_t *parents;     /* of each node */
	struct near *near;     /* of each node, for the sample */
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

			status = reduce_lattice_fit(work, r->scene->clip, &track, &nearest, own->blocks, &out, error);
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

/* Mark the node and all nodes below it. */
static void find_below(struct repair *r, uint32_t first)
{
	memset(r->below, 0, r->nodes);
	r->below[first] = 1;
	for (uint32_t node = first + 1; node < r->nodes; node++)
		r->below[node] = r->parents[node] != ANIM_POSE_NONE && r->below[r->parents[node]];
}

/* Move the node and all nodes below it into `trial`, as if a track had other coordinates. */
static void move_below(struct repair *r, const struct repaired *own, const double v[3])
{
	const double *at = r->now[own->node];
	double centre[3] = {at[3], at[7], at[11]}, shift[3] = {0}, m[3][3], rotation[3][3];
	uint32_t parent = r->parents[own->node];

	if (own->part == ANIM_POSE_ROTATION) {
		rotation_between(own->v, v, m);
		to_world(at, m, rotation);
	}
	for (int i = 0; i < 3 && own->part == ANIM_POSE_POSITION; i++)
		for (int j = 0; j < 3; j++)
			shift[i] +=
			    (parent == ANIM_POSE_NONE ? i == j : r->now[parent][4 * i + j]) * (v[j] - own->v[j]);
	find_below(r, own->node);
	for (uint32_t node = own->node; node < r->nodes; node++) {
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

/*
 * The changes of a track at a sample, side by side: both neighbours of each coordinate. Each rotates all nodes below the joint by
 * a small angle, or shifts them. Two of the eight columns are unused.
 */
#define LANES 8u
#define CHANGES 6u
struct changes {
	float centre[3], turn[3][LANES], shift[3][LANES], cost[LANES];
};

/* A node that a change of a joint above it moves: its place and its errors, in the space of the root. */
struct near {
	float at[3], off[3], turned[3], shell, by_tolerance, cost;
};

/*
 * Add the difference between the cost of a node after each change and its current cost. The errors are far smaller than
 * distances, so a rotation adds a vector to them: its cross product with the arm to the position, and itself to the
 * rotation.
 */
ANIM_INLINE void add_cost(struct changes *c, const struct near *node)
{
	const float x = node->at[0] - c->centre[0], y = node->at[1] - c->centre[1], z = node->at[2] - c->centre[2];

	for (unsigned i = 0; i < LANES; i++) {
		float a = c->turn[0][i], b = c->turn[1][i], d = c->turn[2][i];
		float off0 = node->off[0] + c->shift[0][i] + (b * z - d * y);
		float off1 = node->off[1] + c->shift[1][i] + (d * x - a * z);
		float off2 = node->off[2] + c->shift[2][i] + (a * y - b * x);
		float turned0 = node->turned[0] + a, turned1 = node->turned[1] + b, turned2 = node->turned[2] + d;
		float off = sqrtf(off0 * off0 + off1 * off1 + off2 * off2) +
			    node->shell * sqrtf(turned0 * turned0 + turned1 * turned1 + turned2 * turned2);
		float square = off * node->by_tolerance * (off * node->by_tolerance), fourth = square * square;
		float eighth = fourth * fourth;

		c->cost[i] += eighth * eighth - node->cost;
	}
}

ANIM_INLINE void add_costs(struct changes *c, const struct near *nodes, const uint8_t *below, size_t first,
			   size_t count)
{
	for (size_t node = first; node < count; node++)
		if (below[node])
			add_cost(c, &nodes[node]);
}

static void add_costs_plain(struct changes *c, const struct near *nodes, const uint8_t *below, size_t first,
			    size_t count)
{
	add_costs(c, nodes, below, first, count);
}

ANIM_AVX2 static void add_costs_avx2(struct changes *c, const struct near *nodes, const uint8_t *below, size_t first,
				     size_t count)
{
	add_costs(c, nodes, below, first, count);
}

/* Describe a node with its transforms of both sides. */
static void describe(struct repair *r, uint32_t node, size_t in_tile)
{
	const double *source = anim_poses_at(&r->scene->poses[0], node, in_tile), *result = r->now[node];
	const struct reduce_target *target = reduce_joints_target(r->joints, node);
	struct near *near = &r->near[node];

	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		double turned = 0;

		near->at[i] = (float)result[4 * i + 3];
		near->off[i] = (float)(result[4 * i + 3] - source[4 * i + 3]);
		/* half of the cross products of the axes: the sine of the angle between them, along its axis */
		for (int axis = 0; axis < 3; axis++)
			turned +=
			    source[4 * j + axis] * result[4 * k + axis] - source[4 * k + axis] * result[4 * j + axis];
		near->turned[i] = (float)(turned / 2);
	}
	near->shell = (float)target->shell_m;
	near->by_tolerance = (float)(1 / target->tolerance_m);
	near->cost = (float)cost_of(r->ratio[node]);
}

/* Find the rotations and shifts of all changes of a track. */
static void list_changes(const struct repair *r, const struct repaired *own, double step, struct changes *c)
{
	const double *at = r->now[own->node];
	const uint32_t parent = r->parents[own->node];
	const double *space = own->part == ANIM_POSE_ROTATION ? at : parent == ANIM_POSE_NONE ? NULL : r->now[parent];
	float(*moved)[LANES] = own->part == ANIM_POSE_ROTATION ? c->turn : c->shift;

	*c = (struct changes){.centre = {(float)at[3], (float)at[7], (float)at[11]}};
	for (unsigned i = 0; i < 3; i++) {
		double vector[3] = {0};

		vector[i] = step;
		if (own->part == ANIM_POSE_ROTATION) {
			double v[3] = {own->v[0], own->v[1], own->v[2]}, m[3][3];

			v[i] += step;
			rotation_between(own->v, v, m);
			vector[0] = (m[2][1] - m[1][2]) / 2;
			vector[1] = (m[0][2] - m[2][0]) / 2;
			vector[2] = (m[1][0] - m[0][1]) / 2;
		}
		for (int row = 0; row < 3; row++) {
			double sum = 0;

			for (int column = 0; column < 3; column++)
				sum += (space == NULL ? row == column : space[4 * row + column]) * vector[column];
			moved[row][2 * i] = -(float)sum;
			moved[row][2 * i + 1] = (float)sum;
		}
	}
}

/* Try both neighbours of each coordinate of a track at a sample. Keeps the best change. Returns 0 or -1. */
static int try_track(struct repair *r, struct repaired *own, size_t sample, struct change *best,
		     struct anim_error *error)
{
	const struct anim_lattice *lattice = &own->blocks[sample / ANIM_LATTICE_BLOCK_KEYS];
	double step = (double)lattice->step;
	struct changes changes;

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
	list_changes(r, own, step, &changes);
	find_below(r, own->node);
	(anim_block_best() == ANIM_BLOCK_AVX2 ? add_costs_avx2 : add_costs_plain)(&changes, r->near, r->below,
										  own->node, r->nodes);
	for (unsigned i = 0; i < CHANGES; i++)
		if ((double)changes.cost[i] < best->cost)
			*best = (struct change){own, i / 2, i % 2 == 0 ? -1 : 1, (double)changes.cost[i]};
	return 0;
}

static size_t window_of(const struct repair *r, size_t sample)
{
	return sample * r->windows->count / r->n;
}

/* Repair a sample whose errors are in `ratio`, change by change. Returns 0 or -1. */
static int fix_sample(struct repair *r, size_t sample, size_t in_tile, struct anim_error *error)
{
	double cost = 0, allowed = r->windows->allowed[window_of(r, sample)], tried;

	for (uint32_t node = 0; node < r->nodes; node++) {
		memcpy(r->now[node], anim_poses_at(&r->scene->poses[1], node, in_tile), sizeof r->now[node]);
		cost += cost_of(r->ratio[node]);
		describe(r, node, in_tile);
	}
	for (unsigned i = 0; i < TRIES; i++) {
		struct change best = {.cost = cost * (GAIN - 1)};
		struct anim_lattice_change record;
		struct repaired *own;
		uint32_t worst = 0;
		double v[3];

		for (uint32_t node = 1; node < r->nodes; node++)
			if (r->ratio[node] > r->ratio[worst])
				worst = node;
		if (!(r->ratio[worst] > allowed))
			return 0;
		for (uint32_t node = worst; node != ANIM_POSE_NONE; node = r->parents[node])
			for (int part = 0; part < 2; part++)
				if (r->driven[node][part] != ANIM_POSE_NONE &&
				    try_track(r, &r->tracks[r->driven[node][part]], sample, &best, error) != 0)
					return -1;
		if ((own = best.track) == NULL)
			return 0;

		/* make the change */
		memcpy(v, own->v, sizeof v);
		v[best.coordinate] += best.by * (double)own->blocks[sample / ANIM_LATTICE_BLOCK_KEYS].step;
		move_below(r, own, v);
		tried = trial_cost(r, in_tile);
		if (!(tried < cost))
			return 0;
		cost = tried;
		memcpy(r->ratio, r->tried, r->nodes * sizeof *r->ratio);
		for (uint32_t node = own->node; node < r->nodes; node++)
			if (r->below[node]) {
				memcpy(r->now[node], r->trial[node], sizeof r->now[node]);
				describe(r, node, in_tile);
			}
		memcpy(own->v, v, sizeof v);
		record = (struct anim_lattice_change){(uint32_t)sample, (uint8_t)best.coordinate, (int8_t)best.by};
		if (anim_buffer_append(&own->changes, &record, sizeof record, error) != 0)
			return -1;
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
	r->parents = anim_arena_zeroed(r->arena, r->nodes + 1, sizeof *r->parents, error);
	r->near = anim_arena_zeroed(r->arena, r->nodes + 1, sizeof *r->near, error);
	if (r->parents == NULL || r->near == NULL || r->tracks == NULL || r->driven == NULL || r->now == NULL ||
	    r->ratio == NULL || r->below == NULL)
		return -1;
	r->trial = r->now + r->nodes;
	r->tried = r->ratio + r->nodes;
	for (uint32_t node = 0; node < r->nodes; node++)
		r->parents[node] = anim_poses_parent(&r->scene->poses[1], node);
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

/* Repair the samples whose errors exceed their limit. Returns 0 or -1. */
static int fix_all(struct repair *r, struct anim_error *error)
{
	struct anim_poses *poses = r->scene->poses;
	size_t tile = poses[0].tile < poses[1].tile ? poses[0].tile : poses[1].tile, count;

	for (size_t first = 0; first < r->n; first += count) {
		bool again = r->windows->again[window_of(r, first)];

		for (count = 1; count < tile && first + count < r->n; count++)
			if (again != (bool)r->windows->again[window_of(r, first + count)])
				break;
		if (!again)
			continue;
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
			if (worst > r->windows->allowed[window_of(r, first + k)] &&
			    fix_sample(r, first + k, k, error) != 0)
				return -1;
		}
	}
	return 0;
}

/* Merge the changes of each track with its earlier changes in other windows, in the arena. Returns 0 or -1. */
static int keep_changes(struct repair *r, struct reduce_lattice *lattices, struct anim_error *error)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct anim_buffer *changes = &r->tracks[i].changes;
		const struct anim_lattice_change *now = (const void *)changes->data, *earlier = lattices[i].changes;
		size_t count = changes->size / sizeof *now, k = 0, used = 0;
		struct anim_lattice_change *kept =
		    anim_arena_alloc(r->arena, (count + lattices[i].change_count) * sizeof *kept + 1, error);

		if (kept == NULL)
			return -1;
		for (size_t old = 0; old < lattices[i].change_count; old++) {
			if (r->windows->again[window_of(r, earlier[old].key)])
				continue;
			while (k < count && now[k].key < earlier[old].key)
				kept[used++] = now[k++];
			kept[used++] = earlier[old];
		}
		while (k < count)
			kept[used++] = now[k++];
		lattices[i].changes = kept;
		lattices[i].change_count = used;
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
