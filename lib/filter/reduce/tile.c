/* tile.c: the poses of a skeleton at some of its knots, of source and result, and what becomes of them with other values. */
#include <math.h>
#include <string.h>

#include "filter/pose_rows.h"
#include "filter/reduce/tile.h"
#include "math/block.h"
#include "math/lanes.h"

#define RIGID 1e-4 /* scales that are as near to 1 are it */

const unsigned reduce_part_from[ANIM_POSE_PARTS] = {0, 3, 7};
static const unsigned part_numbers[ANIM_POSE_PARTS] = {3, 4, 3};

/* ---- Poses ---- */

static float *source_parts(const struct reduce_tile *t, uint32_t node, size_t frame)
{
	return t->source + (t->slot[node] * t->room + frame) * REDUCE_PARTS;
}

static double *transform_at(const struct reduce_tile *t, double *transforms, uint32_t node, size_t frame)
{
	return transforms + (t->slot[node] * t->room + frame) * ANIM_POSE_NUMBERS;
}

static uint32_t parent_of(const struct reduce_tile *t, uint32_t node)
{
	return anim_poses_parent(&t->poses[1], node);
}

static const double *source_at(const struct reduce_tile *t, uint32_t node, size_t frame)
{
	return anim_poses_at(&t->poses[0], node, frame);
}

/* The transform that a node's own is relative to; NULL: none. */
static const double *above(const struct reduce_tile *t, uint32_t node, size_t frame)
{
	uint32_t parent = parent_of(t, node);

	if (parent == ANIM_POSE_NONE)
		return NULL;
	return t->slot[parent] != ANIM_POSE_NONE ? transform_at(t, t->world, parent, frame)
						 : anim_poses_at(&t->poses[1], parent, 0);
}

static void place(double out[ANIM_POSE_NUMBERS], const double *parent, const double *local)
{
	if (parent == NULL)
		memcpy(out, local, ANIM_POSE_NUMBERS * sizeof *out);
	else
		anim_pose_multiply(out, parent, local);
}

static void compose(double out[ANIM_POSE_NUMBERS], const float parts[REDUCE_PARTS])
{
	anim_pose_compose(out, parts, parts + reduce_part_from[ANIM_POSE_ROTATION],
			  parts + reduce_part_from[ANIM_POSE_SCALE]);
}

/* What part of its tolerance a node is off. */
static double off_at(const struct reduce_tile *t, uint32_t node, size_t frame, const double *result)
{
	const struct reduce_target *target = reduce_joints_target(t->joints, node);
	double off = anim_poses_distance(source_at(t, node, frame), result, target->shell_m, t->rigid[node]);

	return off > 0 ? off / target->tolerance_m : 0;
}

static double allowed_at(const struct reduce_tile *t, size_t frame)
{
	return (double)t->allowed[t->first + frame];
}

/* A frame's poses, from the parts of all nodes, parents first; and which node is farthest off. */
static void place_all(struct reduce_tile *t, size_t frame)
{
	t->off[frame] = 0;
	for (uint32_t node = 0; node < t->nodes; node++) {
		double *local, *world, off;

		if (t->slot[node] == ANIM_POSE_NONE)
			continue;
		local = transform_at(t, t->local, node, frame);
		world = transform_at(t, t->world, node, frame);
		compose(local, reduce_tile_parts(t, node, frame));
		place(world, above(t, node, frame), local);
		off = off_at(t, node, frame, world);
		if (off > t->off[frame]) {
			t->off[frame] = off;
			t->worst[frame] = node;
		}
	}
}

/* ---- The tile ---- */

static int number_nodes(struct reduce_tile *t, struct anim_arena *arena, struct anim_error *error)
{
	t->slot = anim_arena_zeroed(arena, t->nodes + 1, sizeof *t->slot, error);
	for (uint32_t node = 0; node < t->nodes && t->slot != NULL; node++)
		t->slot[node] = anim_poses_moves(&t->poses[0], node) || anim_poses_moves(&t->poses[1], node)
				    ? (uint32_t)t->moving++
				    : ANIM_POSE_NONE;
	return t->slot == NULL ? -1 : 0;
}

static int make_room(struct reduce_tile *t, size_t knots, struct anim_arena *arena, struct anim_error *error)
{
	size_t tile = t->poses[0].tile < t->poses[1].tile ? t->poses[0].tile : t->poses[1].tile;
	size_t samples = (t->room = tile < knots ? tile : knots) * (t->moving + 1);

	t->parts = anim_arena_zeroed(arena, samples, REDUCE_PARTS * sizeof *t->parts, error);
	t->source = anim_arena_zeroed(arena, samples, REDUCE_PARTS * sizeof *t->source, error);
	t->local = anim_arena_zeroed(arena, samples, ANIM_POSE_NUMBERS * sizeof *t->local, error);
	t->world = anim_arena_zeroed(arena, samples, ANIM_POSE_NUMBERS * sizeof *t->world, error);
	t->missed = anim_arena_zeroed(arena, samples, 1, error);
	t->rigid = anim_arena_zeroed(arena, t->nodes, sizeof *t->rigid, error);
	t->off = anim_arena_zeroed(arena, t->room, sizeof *t->off, error);
	t->worst = anim_arena_zeroed(arena, t->room, sizeof *t->worst, error);
	t->changed = anim_arena_zeroed(arena, t->room, 1, error);
	t->trial = anim_arena_zeroed(arena, t->moving + 1, ANIM_POSE_NUMBERS * sizeof *t->trial, error);
	t->carried = anim_arena_zeroed(arena, t->nodes, sizeof *t->carried, error);
	t->below = anim_arena_zeroed(arena, t->nodes, sizeof *t->below, error);
	return t->parts == NULL || t->source == NULL || t->local == NULL || t->world == NULL || t->missed == NULL ||
		       t->rigid == NULL || t->off == NULL || t->worst == NULL || t->changed == NULL ||
		       t->trial == NULL || t->carried == NULL || t->below == NULL
		   ? -1
		   : 0;
}

int reduce_tile_init(struct reduce_tile *t, const struct reduce_scene *scene, const struct reduce_joints *joints,
		     const float *allowed, size_t knots, struct anim_arena *arena, struct anim_error *error)
{
	*t = (struct reduce_tile){.poses = scene->poses,
				  .joints = joints,
				  .budget = scene->budget,
				  .allowed = allowed,
				  .nodes = anim_poses_count(&scene->poses[0]),
				  .wide = anim_block_best() == ANIM_BLOCK_AVX2};
	return number_nodes(t, arena, error) != 0 || make_room(t, knots, arena, error) != 0 ? -1 : 0;
}

/* One side's parts of a node, the rest's where they have no values. 0 or -1. */
static int take_parts(struct reduce_tile *t, int side, uint32_t node, struct anim_error *error)
{
	struct anim_poses *poses = &t->poses[side];
	const struct anim_rest *rest = &poses->rests.items[node];
	const float *const rests[] = {rest->position, rest->rotation, rest->scale};

	for (int part = 0; part < ANIM_POSE_PARTS; part++) {
		unsigned numbers = part_numbers[part];
		const float *values;

		if (anim_poses_column(poses, node, (enum anim_pose_part)part, t->first, t->frames, &values, error) != 0)
			return -1;
		for (size_t f = 0; f < t->frames; f++)
			memcpy((side == 0 ? source_parts : reduce_tile_parts)(t, node, f) + reduce_part_from[part],
			       values != NULL ? values + numbers * f : rests[part], numbers * sizeof *values);
	}
	return 0;
}

int reduce_tile_load(struct reduce_tile *t, struct anim_error *error)
{
	if (anim_poses_tile(&t->poses[0], t->first, t->frames, error) != 0)
		return -1;
	for (uint32_t node = 0; node < t->nodes; node++)
		if (t->slot[node] != ANIM_POSE_NONE &&
		    (take_parts(t, 0, node, error) != 0 || take_parts(t, 1, node, error) != 0))
			return -1;
	return 0;
}

static bool is_rigid(const struct reduce_tile *t, uint32_t node)
{
	uint32_t parent = parent_of(t, node);
	float most = 0;

	if (parent != ANIM_POSE_NONE && !t->rigid[parent])
		return false;
	if (t->slot[node] == ANIM_POSE_NONE)
		return anim_poses_motion(&t->poses[1], node, 0)->rigid;
	for (size_t f = 0; f < t->frames; f++)
		for (unsigned i = 0; i < 3; i++)
			most = fmaxf(most,
				     fabsf(reduce_tile_parts(t, node, f)[reduce_part_from[ANIM_POSE_SCALE] + i] - 1));
	return (double)most < RIGID;
}

void reduce_tile_begin(struct reduce_tile *t)
{
	for (uint32_t node = 0; node < t->nodes; node++)
		t->rigid[node] = is_rigid(t, node);
	memset(t->changed, 1, t->frames);
}

/* ---- Other values ---- */

static void carry(struct reduce_tile *t, uint32_t node)
{
	uint32_t parent = parent_of(t, node);

	t->carried[node] = true;
	t->below[t->below_count++] =
	    (struct reduce_carried){.node = node,
				    .slot = t->slot[node],
				    .above = parent != ANIM_POSE_NONE ? t->slot[parent] : ANIM_POSE_NONE,
				    .on = anim_poses_moves(&t->poses[0], node) ? ANIM_POSE_NUMBERS : 0,
				    .source = source_at(t, node, 0),
				    .local = transform_at(t, t->local, node, 0),
				    .target = reduce_joints_target(t->joints, node),
				    .rigid = t->rigid[node]};
}

void reduce_tile_take(struct reduce_tile *t, uint32_t node)
{
	memset(t->carried, 0, t->nodes * sizeof *t->carried);
	t->below_count = 0;
	carry(t, node);
	for (uint32_t other = node + 1; other < t->nodes; other++) {
		uint32_t parent = parent_of(t, other);

		if (parent != ANIM_POSE_NONE && t->carried[parent])
			carry(t, other);
	}
}

ANIM_INLINE void place_below(struct reduce_tile *t, size_t frame)
{
	uint32_t node = t->below[0].node;

	compose(transform_at(t, t->local, node, frame), reduce_tile_parts(t, node, frame));
	place(transform_at(t, t->world, node, frame), above(t, node, frame), transform_at(t, t->local, node, frame));
	for (size_t i = 1; i < t->below_count; i++) {
		const struct reduce_carried *c = &t->below[i];

		anim_pose_rows_multiply(t->world + (c->slot * t->room + frame) * ANIM_POSE_NUMBERS,
					t->world + (c->above * t->room + frame) * ANIM_POSE_NUMBERS,
					c->local + frame * ANIM_POSE_NUMBERS);
	}
}

static void place_plain(struct reduce_tile *t, size_t frame)
{
	place_below(t, frame);
}

ANIM_AVX2 static void place_avx2(struct reduce_tile *t, size_t frame)
{
	place_below(t, frame);
}

void reduce_tile_place(struct reduce_tile *t, size_t frame)
{
	(t->wide ? place_avx2 : place_plain)(t, frame);
}

/* What part of its tolerance a node is off that is carried. */
ANIM_INLINE double part_off(const struct reduce_carried *c, size_t frame, const double *result)
{
	const double *source = c->source + c->on * frame;
	double shell_m = c->target->shell_m;
	double off = c->rigid && shell_m > 0 ? anim_pose_rows_distance(source, result, shell_m)
					     : anim_poses_distance(source, result, shell_m, c->rigid);

	return off > 0 ? off / c->target->tolerance_m : 0;
}

ANIM_INLINE double cost_of(struct reduce_tile *t, size_t frame, const float parts[REDUCE_PARTS])
{
	double most = allowed_at(t, frame), sum = 0, local[ANIM_POSE_NUMBERS];

	anim_pose_rows_compose(local, parts, parts + reduce_part_from[ANIM_POSE_ROTATION],
			       parts + reduce_part_from[ANIM_POSE_SCALE]);
	place(t->trial + t->below[0].slot * ANIM_POSE_NUMBERS, above(t, t->below[0].node, frame), local);
	for (size_t i = 0; i < t->below_count; i++) {
		const struct reduce_carried *c = &t->below[i];
		double *out = t->trial + c->slot * ANIM_POSE_NUMBERS, part;

		if (i > 0)
			anim_pose_rows_multiply(out, t->trial + c->above * ANIM_POSE_NUMBERS,
						c->local + frame * ANIM_POSE_NUMBERS);
		part = part_off(c, frame, out) / most;
		if (!(part <= 1))
			return (double)INFINITY;
		sum += part * part * part * part;
	}
	return sum;
}

static double cost_plain(struct reduce_tile *t, size_t frame, const float parts[REDUCE_PARTS])
{
	return cost_of(t, frame, parts);
}

ANIM_AVX2 static double cost_avx2(struct reduce_tile *t, size_t frame, const float parts[REDUCE_PARTS])
{
	return cost_of(t, frame, parts);
}

double reduce_tile_cost(struct reduce_tile *t, size_t frame, const float parts[REDUCE_PARTS])
{
	t->budget->trials -= t->budget->trials < t->below_count ? t->budget->trials : t->below_count;
	return t->wide ? cost_avx2(t, frame, parts) : cost_plain(t, frame, parts);
}

/* ---- What is missed ---- */

/* How far a node would be off if a part of one that carries it, or of itself, were the source's. */
static double off_without(const struct reduce_tile *t, uint32_t node, uint32_t blamed, unsigned part, size_t frame,
			  const double suffix[ANIM_POSE_NUMBERS])
{
	double local[ANIM_POSE_NUMBERS], whole[ANIM_POSE_NUMBERS], out[ANIM_POSE_NUMBERS];
	float parts[REDUCE_PARTS];

	memcpy(parts, reduce_tile_parts(t, blamed, frame), sizeof parts);
	memcpy(parts + reduce_part_from[part], source_parts(t, blamed, frame) + reduce_part_from[part],
	       part_numbers[part] * sizeof *parts);
	compose(local, parts);
	anim_pose_multiply(whole, local, suffix);
	place(out, above(t, blamed, frame), whole);
	return off_at(t, node, frame, out);
}

/* All from a node up of which a part is another than the source's. */
static bool blame_all(struct reduce_tile *t, uint32_t node, size_t frame)
{
	bool any = false;

	for (uint32_t up = node; up != ANIM_POSE_NONE && t->slot[up] != ANIM_POSE_NONE; up = parent_of(t, up))
		for (unsigned part = 0; part < ANIM_POSE_PARTS; part++) {
			if (memcmp(reduce_tile_parts(t, up, frame) + reduce_part_from[part],
				   source_parts(t, up, frame) + reduce_part_from[part],
				   part_numbers[part] * sizeof *t->parts) == 0)
				continue;
			t->missed[t->slot[up] * t->room + frame] |= (uint8_t)(1 << part);
			any = true;
		}
	return any;
}

/* Of the nodes from one up, the one of which a part does the most for it being too far off is to have a key of that. */
static bool blame(struct reduce_tile *t, uint32_t node, size_t frame)
{
	double suffix[ANIM_POSE_NUMBERS] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, least = t->off[frame] - 1e-6;
	uint32_t found = ANIM_POSE_NONE;
	unsigned found_part = 0;

	for (uint32_t up = node; up != ANIM_POSE_NONE && t->slot[up] != ANIM_POSE_NONE; up = parent_of(t, up)) {
		double next[ANIM_POSE_NUMBERS];

		for (unsigned part = 0; part < ANIM_POSE_PARTS; part++) {
			double off = off_without(t, node, up, part, frame, suffix);

			if (off < least) {
				least = off;
				found = up;
				found_part = part;
			}
		}
		anim_pose_multiply(next, transform_at(t, t->local, up, frame), suffix);
		memcpy(suffix, next, sizeof suffix);
	}
	if (found == ANIM_POSE_NONE)
		return blame_all(t, node, frame);
	t->missed[t->slot[found] * t->room + frame] |= (uint8_t)(1 << found_part);
	return true;
}

bool reduce_tile_find_missed(struct reduce_tile *t)
{
	bool any = false;

	for (size_t f = 0; f < t->frames; f++)
		if (t->changed[f])
			place_all(t, f);
	memset(t->changed, 0, t->frames);
	memset(t->missed, 0, t->moving * t->room);
	for (size_t f = 0; f < t->frames; f++) {
		double most = allowed_at(t, f);

		if (t->off[f] > most && (f == 0 || t->off[f] / most > t->off[f - 1] / allowed_at(t, f - 1)) &&
		    (f + 1 == t->frames || t->off[f] / most >= t->off[f + 1] / allowed_at(t, f + 1)))
			any = blame(t, t->worst[f], f) || any;
	}
	return any;
}
