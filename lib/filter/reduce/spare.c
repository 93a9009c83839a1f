/* spare.c: restores keys that the poses of a skeleton need, and removes keys that they can spare. */
#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/progress.h"
#include "filter/common/pose_rows.h"
#include "filter/reduce/joints.h"
#include "math/block.h"
#include "math/lanes.h"

/*
 * The error of a track alone says little about the positions of the points of its joint. At some times it can
 * compensate for errors of the joints above. So keys are tried here: without one key, or with one key instead of
 * two, the poses of the joint and of all joints below it are computed again from the key before to the key after,
 * and compared. This is done only at the knots and in float32. The proof checks the times between them. If all tracks
 * are straight lines of rotations and positions, each gets a shortest path instead (path.c).
 */
#define PASSES 4u          /* paths of each track. Lines become longer in each of them */
#define GAINED 32u         /* no other pass follows if fewer than this part of the keys were removed */
#define DENSE 4u           /* nor if more than this part of the keys stay, because their lines are short */
#define LOOPS 2u           /* in which keys are tried at other places, and others are then removed */
#define GAIN 0.999         /* relative cost below which a new place is accepted */
#define RESTORE_ROUNDS 64u /* times that poses are searched for missing keys */
#define CHAIN 64u          /* largest number of new keys before one of the previous keys */

/* ---- The tile: poses of source and result at some knots, and their changes with other values ---- */

#define PARTS 10 /* numbers of a node: position, rotation, scale */

/* A node that is carried, with the data that every frame needs. */
struct carried {
	/* above: the slot of its parent, which is carried as well, except for the first node */
	uint32_t node, slot, above;
	size_t on; /* distance from one transform of the source to the next */
	const double *source, *local;
	const struct reduce_target *target;
	bool rigid;
};

/* Poses at consecutive knots. Frames are knots, counted from the first of the tile. */
struct tile {
	struct anim_poses *poses; /* two: source and result */
	const struct reduce_joints *joints;
	const float *allowed; /* for each knot: the allowed part of its tolerance */
	size_t nodes, moving;
	uint32_t *slot;             /* for each node: its number among those that move, otherwise ANIM_POSE_NONE */
	size_t first, frames, room; /* its first knot, its number of frames, and the largest number */
	/* for each node that moves and each frame: */
	float *parts, *source; /* position, rotation and scale, of result and source */
	double *local, *world; /* transforms of the result */
	uint8_t *missed;       /* bits of the parts whose keys may be missing here */
	bool *rigid;           /* for each node: nothing is scaled */
	double *off;           /* for each frame: the largest error of a node as a part of its tolerance, */
	uint32_t *worst;       /* and the node that has it */
	uint8_t *changed;      /* for each frame: parts have changed since its poses were computed */
	double *trial;         /* for each node that moves: its transform with the tried values */
	bool *carried;         /* for each node: the current node carries it */
	struct carried *below; /* these nodes, beginning with the current one */
	size_t below_count;
	bool wide; /* wider registers are available */
	struct reduce_budget *budget;
};

#define RIGID 1e-4 /* scales this near to 1 count as 1 */

static const unsigned part_from[ANIM_POSE_PARTS] = {0, 3, 7}; /* offset of each part */
static const unsigned part_numbers[ANIM_POSE_PARTS] = {3, 4, 3};

/* ---- Poses ---- */

static float *source_parts(const struct tile *t, uint32_t node, size_t frame)
{
	return t->source + (t->slot[node] * t->room + frame) * PARTS;
}

/* Return the result's numbers of a node that moves. */
static float *tile_parts(const struct tile *t, uint32_t node, size_t frame)
{
	return t->parts + (t->slot[node] * t->room + frame) * PARTS;
}

static double *transform_at(const struct tile *t, double *transforms, uint32_t node, size_t frame)
{
	return transforms + (t->slot[node] * t->room + frame) * ANIM_POSE_NUMBERS;
}

static uint32_t parent_of(const struct tile *t, uint32_t node)
{
	return anim_poses_parent(&t->poses[1], node);
}

static const double *source_at(const struct tile *t, uint32_t node, size_t frame)
{
	return anim_poses_at(&t->poses[0], node, frame);
}

/* Return the transform to which a node's own is relative, or NULL. */
static const double *above(const struct tile *t, uint32_t node, size_t frame)
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

static void compose(double out[ANIM_POSE_NUMBERS], const float parts[PARTS])
{
	anim_pose_compose(out, parts, parts + part_from[ANIM_POSE_ROTATION], parts + part_from[ANIM_POSE_SCALE]);
}

/* Return the error of a node as a part of its tolerance. */
static double off_at(const struct tile *t, uint32_t node, size_t frame, const double *result)
{
	const struct reduce_target *target = reduce_joints_target(t->joints, node);
	double off = anim_poses_distance(source_at(t, node, frame), result, target->shell_m, t->rigid[node]);

	return off > 0 ? off / target->tolerance_m : 0;
}

static double allowed_at(const struct tile *t, size_t frame)
{
	return (double)t->allowed[t->first + frame];
}

/*
 * Compute the poses of a frame from the parts of all nodes, parents first, and find the node with the largest error.
 */
static void place_all(struct tile *t, size_t frame)
{
	t->off[frame] = 0;
	for (uint32_t node = 0; node < t->nodes; node++) {
		double *local, *world, off;

		if (t->slot[node] == ANIM_POSE_NONE)
			continue;
		local = transform_at(t, t->local, node, frame);
		world = transform_at(t, t->world, node, frame);
		compose(local, tile_parts(t, node, frame));
		place(world, above(t, node, frame), local);
		off = off_at(t, node, frame, world);
		if (off > t->off[frame]) {
			t->off[frame] = off;
			t->worst[frame] = node;
		}
	}
}

/* ---- A tile: its memory, and the parts of its nodes ---- */

/* Allocate a tile for that many knots and for poses that have values at them, in the arena. Returns 0 or -1. */
static int tile_init(struct tile *t, const struct reduce_scene *scene, const struct reduce_joints *joints,
		     const float *allowed, size_t knots, struct anim_arena *arena, struct anim_error *error)
{
	size_t nodes = anim_poses_count(&scene->poses[0]), samples;

	*t = (struct tile){.poses = scene->poses,
			   .joints = joints,
			   .budget = scene->budget,
			   .allowed = allowed,
			   .nodes = nodes,
			   .wide = anim_block_best() == ANIM_BLOCK_AVX2};
	if ((t->slot = anim_arena_zeroed(arena, nodes + 1, sizeof *t->slot, error)) == NULL)
		return -1;
	for (uint32_t node = 0; node < nodes; node++)
		t->slot[node] = anim_poses_moves(&t->poses[0], node) || anim_poses_moves(&t->poses[1], node)
				    ? (uint32_t)t->moving++
				    : ANIM_POSE_NONE;

	t->room = t->poses[0].tile < t->poses[1].tile ? t->poses[0].tile : t->poses[1].tile;
	t->room = t->room < knots ? t->room : knots;
	samples = t->room * (t->moving + 1);
	t->parts = anim_arena_zeroed(arena, samples, PARTS * sizeof *t->parts, error);
	t->source = anim_arena_zeroed(arena, samples, PARTS * sizeof *t->source, error);
	t->local = anim_arena_zeroed(arena, samples, ANIM_POSE_NUMBERS * sizeof *t->local, error);
	t->world = anim_arena_zeroed(arena, samples, ANIM_POSE_NUMBERS * sizeof *t->world, error);
	t->missed = anim_arena_zeroed(arena, samples, 1, error);
	t->rigid = anim_arena_zeroed(arena, nodes, sizeof *t->rigid, error);
	t->off = anim_arena_zeroed(arena, t->room, sizeof *t->off, error);
	t->worst = anim_arena_zeroed(arena, t->room, sizeof *t->worst, error);
	t->changed = anim_arena_zeroed(arena, t->room, 1, error);
	t->trial = anim_arena_zeroed(arena, t->moving + 1, ANIM_POSE_NUMBERS * sizeof *t->trial, error);
	t->carried = anim_arena_zeroed(arena, nodes, sizeof *t->carried, error);
	t->below = anim_arena_zeroed(arena, nodes, sizeof *t->below, error);
	return t->parts == NULL || t->source == NULL || t->local == NULL || t->world == NULL || t->missed == NULL ||
		       t->rigid == NULL || t->off == NULL || t->worst == NULL || t->changed == NULL ||
		       t->trial == NULL || t->carried == NULL || t->below == NULL
		   ? -1
		   : 0;
}

/* Read one side's parts of a node, or the rest pose if it has no values. Returns 0 or -1. */
static int read_parts(struct tile *t, int side, uint32_t node, struct anim_error *error)
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
			memcpy((side == 0 ? source_parts : tile_parts)(t, node, f) + part_from[part],
			       values != NULL ? values + numbers * f : rests[part], numbers * sizeof *values);
	}
	return 0;
}

/* Return whether nothing is scaled at the node in the tile. */
static bool is_rigid(const struct tile *t, uint32_t node)
{
	uint32_t parent = parent_of(t, node);
	float most = 0;

	if (parent != ANIM_POSE_NONE && !t->rigid[parent])
		return false;
	if (t->slot[node] == ANIM_POSE_NONE)
		return anim_poses_motion(&t->poses[1], node, 0)->rigid;
	for (size_t f = 0; f < t->frames; f++)
		for (unsigned i = 0; i < 3; i++)
			most = fmaxf(most, fabsf(tile_parts(t, node, f)[part_from[ANIM_POSE_SCALE] + i] - 1));
	return (double)most < RIGID;
}

/* ---- The cost of other values of one node, at it and below it ---- */

static void carry(struct tile *t, uint32_t node)
{
	uint32_t parent = parent_of(t, node);

	t->carried[node] = true;
	t->below[t->below_count++] =
	    (struct carried){.node = node,
			     .slot = t->slot[node],
			     .above = parent != ANIM_POSE_NONE ? t->slot[parent] : ANIM_POSE_NONE,
			     .on = anim_poses_moves(&t->poses[0], node) ? ANIM_POSE_NUMBERS : 0,
			     .source = source_at(t, node, 0),
			     .local = transform_at(t, t->local, node, 0),
			     .target = reduce_joints_target(t->joints, node),
			     .rigid = t->rigid[node]};
}

/* Select the current node for the functions below. */
static void tile_select(struct tile *t, uint32_t node)
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

/* Return the error of a carried node as a part of its tolerance. */
ANIM_INLINE double part_off(const struct carried *c, size_t frame, const double *result)
{
	const double *source = c->source + c->on * frame;
	double shell_m = c->target->shell_m;
	double off = c->rigid && shell_m > 0 ? anim_pose_rows_distance(source, result, shell_m)
					     : anim_poses_distance(source, result, shell_m, c->rigid);

	return off > 0 ? off / c->target->tolerance_m : 0;
}

ANIM_INLINE double cost_of(struct tile *t, size_t frame, const float parts[PARTS])
{
	double most = allowed_at(t, frame), sum = 0, local[ANIM_POSE_NUMBERS];
	double *first = t->trial + t->below[0].slot * ANIM_POSE_NUMBERS;
	const double *parent = above(t, t->below[0].node, frame);

	anim_pose_rows_compose(parent == NULL ? first : local, parts, parts + part_from[ANIM_POSE_ROTATION],
			       parts + part_from[ANIM_POSE_SCALE]);
	if (parent != NULL)
		anim_pose_rows_multiply(first, parent, local);
	for (size_t i = 0; i < t->below_count; i++) {
		const struct carried *c = &t->below[i];
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

static double cost_plain(struct tile *t, size_t frame, const float parts[PARTS])
{
	return cost_of(t, frame, parts);
}

ANIM_AVX2 static double cost_avx2(struct tile *t, size_t frame, const float parts[PARTS])
{
	return cost_of(t, frame, parts);
}

/*
 * Return the cost of the errors of the carried points for other numbers of the current node, as one number. The
 * largest error counts most. It is INFINITY if an error exceeds its limit.
 */
static double tile_cost(struct tile *t, size_t frame, const float parts[PARTS])
{
	t->budget->trials -= t->budget->trials < t->below_count ? t->budget->trials : t->below_count;
	return t->wide ? cost_avx2(t, frame, parts) : cost_plain(t, frame, parts);
}

/* ---- Missing keys ---- */

/* Return the error of a node if a part of an ancestor, or of the node itself, had the source's value. */
static double off_without(const struct tile *t, uint32_t node, uint32_t blamed, unsigned part, size_t frame,
			  const double suffix[ANIM_POSE_NUMBERS])
{
	double local[ANIM_POSE_NUMBERS], whole[ANIM_POSE_NUMBERS], out[ANIM_POSE_NUMBERS];
	float parts[PARTS];

	memcpy(parts, tile_parts(t, blamed, frame), sizeof parts);
	memcpy(parts + part_from[part], source_parts(t, blamed, frame) + part_from[part],
	       part_numbers[part] * sizeof *parts);
	compose(local, parts);
	anim_pose_multiply(whole, local, suffix);
	place(out, above(t, blamed, frame), whole);
	return off_at(t, node, frame, out);
}

/*
 * Mark the part that contributes most to the error of a node, among the nodes from it upwards, because it needs a
 * key. Returns false if no part differs from the source's.
 */
static bool blame(struct tile *t, uint32_t node, size_t frame)
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
	if (found != ANIM_POSE_NONE) {
		t->missed[t->slot[found] * t->room + frame] |= (uint8_t)(1 << found_part);
		return true;
	}
	/* no part alone helps: mark all parts that differ from the source's */
	bool any = false;

	for (uint32_t up = node; up != ANIM_POSE_NONE && t->slot[up] != ANIM_POSE_NONE; up = parent_of(t, up))
		for (unsigned part = 0; part < ANIM_POSE_PARTS; part++) {
			if (memcmp(tile_parts(t, up, frame) + part_from[part],
				   source_parts(t, up, frame) + part_from[part],
				   part_numbers[part] * sizeof *t->parts) == 0)
				continue;
			t->missed[t->slot[up] * t->room + frame] |= (uint8_t)(1 << part);
			any = true;
		}
	return any;
}

/*
 * Compute the poses of changed frames, and mark parts that may need a key, if the error of a node exceeds its limit
 * and is larger than at the neighbouring frames. Returns true if there are any.
 */
static bool tile_find_missed(struct tile *t)
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

/* ---- Tracks whose keys can be removed ---- */

/* The state of a track at a knot. */
enum { HAS = 1, STAYS = 2, FIXED = 4, STAYED = 8 };

/* A track whose keys can be removed. */
struct member {
	struct reduce_run kind; /* its pointers are invalid */
	size_t track;
	struct reduce_share share;
	bool curved, aligned; /* it already had slopes; quaternions have the sign of the previous one */
	/* HAS: it has a key there, STAYS: the key stays, FIXED: it must stay, STAYED: it stayed before */
	uint8_t *knots;
};

struct spare {
	const struct reduce_scene *scene;
	const struct reduce_joints *joints;
	struct anim_arena arena;
	const double *knots;
	size_t count; /* of the knots */
	struct member *members;
	size_t member_count;
	struct tile tile;
	/*
	 * the current track's keys in the tile, with one remaining key on each side, or all keys of a track with
	 * slopes
	 */
	struct reduce_run run;
	size_t capacity;
	double *time, *value;
	ptrdiff_t *frame;
	uint8_t *keep;
	bool paths; /* all tracks are straight lines of rotations and positions, and get paths */
	struct reduce_path path;
	uint8_t *on_path; /* for each frame of the tile: a key is on the path */
};

/* ---- A track in the tile ---- */

/* Return the nearest knot before or after the tile at which a key stays, or `count`. */
static size_t beside(const struct spare *s, const struct member *member, bool after)
{
	size_t knot = after ? s->tile.first + s->tile.frames : s->tile.first;

	while (after ? knot < s->count : knot > 0) {
		if (member->knots[after ? knot : knot - 1] & STAYS)
			return after ? knot : knot - 1;
		knot = after ? knot + 1 : knot - 1;
	}
	return s->count;
}

/* Add the source's values at knots that have a key. Returns 0 or -1. */
static int add_keys(struct spare *s, const struct member *member, size_t first, size_t count, struct anim_error *error)
{
	unsigned components = s->run.components;
	const float *values;

	if (first == s->count)
		return 0;
	if (anim_poses_column(&s->scene->poses[0], member->share.node, member->share.part, first, count, &values,
			      error) != 0)
		return -1;
	for (size_t i = 0; i < count && values != NULL; i++) {
		size_t knot = first + i, n = s->run.n;

		if (!(member->knots[knot] & HAS))
			continue;
		s->time[n] = s->knots[knot];
		s->frame[n] = (ptrdiff_t)knot - (ptrdiff_t)s->tile.first;
		s->keep[n] = (member->knots[knot] & STAYS) != 0;
		for (unsigned c = 0; c < components; c++)
			s->value[n * components + c] = (double)values[i * components + c];
		s->run.n++;
	}
	return 0;
}

/* Load the keys of a track in the tile: all keys if it already had slopes. Returns 0 or -1. */
static int load_track(struct spare *s, struct member *member, struct anim_error *error)
{
	if (member->curved) {
		struct anim_track track;
		double *limits;
		size_t knot = 0;

		if (reduce_read_shared(s->scene, member->track, &member->share, true, &track, &s->run, &limits,
				       error) != 0)
			return -1;
		for (size_t k = 0; k < s->run.n; k++) {
			knot = reduce_knot_from(s->knots, s->count, knot, s->run.time[k]);
			s->frame[k] = (ptrdiff_t)knot - (ptrdiff_t)s->tile.first;
			s->keep[k] = (member->knots[knot] & STAYS) != 0;
		}
		return 0;
	}
	s->run = member->kind;
	s->run.n = 0;
	s->run.time = s->time;
	s->run.value = s->value;
	if (add_keys(s, member, beside(s, member, false), 1, error) != 0 ||
	    add_keys(s, member, s->tile.first, s->tile.frames, error) != 0 ||
	    add_keys(s, member, beside(s, member, true), 1, error) != 0)
		return -1;
	for (size_t k = 1; k < s->run.n && member->aligned; k++)
		reduce_align(s->value + 4 * k, s->value + 4 * (k - 1));
	return 0;
}

/* Store the remaining keys of the current track at its knots in the tile. */
static void store_track(const struct spare *s, struct member *member)
{
	for (size_t k = 0; k < s->run.n; k++) {
		uint8_t *knot = member->knots + ((ptrdiff_t)s->tile.first + s->frame[k]);

		*knot = (uint8_t)((*knot & ~STAYS) | (s->keep[k] ? STAYS : 0));
	}
}

static size_t next_kept(const struct spare *s, size_t k)
{
	return reduce_next_kept(s->keep, s->run.n, k);
}

static size_t first_kept(const struct spare *s)
{
	return reduce_first_kept(s->keep, s->run.n);
}

/* ---- The interval between two keys ---- */

/* The interval from key a to key b of the current track. b may be after the last key, which means none. */
struct interval {
	size_t a, b;
	struct reduce_cubic cubic;
	anim_pose_row power[4]; /* the same as a polynomial of the weight */
};

static struct interval interval_between(const struct spare *s, size_t a, size_t b)
{
	struct interval interval = {.a = a, .b = b};

	if (!s->run.cubic || b >= s->run.n)
		return interval;
	reduce_cubic_fit(&s->run, a, b, &interval.cubic);
	for (unsigned c = 0; c < s->run.components; c++) {
		const struct reduce_cubic *cubic = &interval.cubic;
		double leaving = cubic->leaving[c] * cubic->length_s, arriving = cubic->arriving[c] * cubic->length_s;
		double step = cubic->to[c] - cubic->from[c];

		interval.power[0][c] = cubic->from[c];
		interval.power[1][c] = leaving;
		interval.power[2][c] = 3 * step - 2 * leaving - arriving;
		interval.power[3][c] = leaving + arriving - 2 * step;
	}
	return interval;
}

/* Return the frames of the interval in the tile, beginning with key a's own. */
static size_t frames_of(const struct spare *s, const struct interval *interval, size_t *first)
{
	ptrdiff_t from = s->frame[interval->a],
		  to = interval->b < s->run.n ? s->frame[interval->b] : (ptrdiff_t)s->tile.frames;

	from = from < 0 ? 0 : from;
	to = to < (ptrdiff_t)s->tile.frames ? to : (ptrdiff_t)s->tile.frames;
	*first = (size_t)from;
	return to > from ? (size_t)(to - from) : 0;
}

/* Set a node's parts to the track's value in the interval. */
static void show(const struct spare *s, const struct member *member, const struct interval *interval, size_t frame,
		 float parts[PARTS])
{
	const float *now = tile_parts(&s->tile, member->share.node, frame);
	double value[REDUCE_COMPONENTS], t = s->knots[s->tile.first + frame], weight = 0;

	if (parts != now)
		memcpy(parts, now, PARTS * sizeof *parts);
	if (interval->b < s->run.n)
		weight = (t - s->run.time[interval->a]) / (s->run.time[interval->b] - s->run.time[interval->a]);
	if (s->run.cubic && weight > 0) {
		const anim_pose_row *power = interval->power;
		anim_pose_row sum = ((power[3] * weight + power[2]) * weight + power[1]) * weight + power[0];

		memcpy(value, &sum, sizeof value);
	} else {
		reduce_between(&s->run, interval->a, weight > 0 ? interval->b : interval->a, weight, value);
	}
	for (unsigned c = 0; c < s->run.components; c++)
		parts[part_from[member->share.part] + c] = (float)value[c];
}

/*
 * Return the cost of all frames of the interval in the tile. Every eighth frame comes first, then the frames between these,
 * so that failures are found early. Returns INFINITY as soon as the cost is not below `most`.
 */
static double cost_along(struct spare *s, const struct member *member, const struct interval *interval, double most)
{
	static const uint8_t turns[] = {4, 0, 2, 6, 1, 3, 5, 7};
	size_t first, count = frames_of(s, interval, &first);
	double sum = 0;

	for (size_t turn = 0; turn < ANIM_COUNT(turns); turn++)
		for (size_t i = turns[turn]; i < count; i += ANIM_COUNT(turns)) {
			size_t frame = first + i;
			float parts[PARTS];

			if (frame == first && s->keep[interval->a]) /* unchanged at this frame */
				continue;
			show(s, member, interval, frame, parts);
			sum += tile_cost(&s->tile, frame, parts);
			if (!(sum < most))
				return (double)INFINITY;
		}
	return sum;
}

/* Store the values of all remaining keys in the parts, without computing poses. */
static void store_values(struct spare *s, const struct member *member)
{
	for (size_t a = first_kept(s), b; a < s->run.n; a = b) {
		struct interval interval = interval_between(s, a, b = next_kept(s, a));
		size_t first, count = frames_of(s, &interval, &first);

		for (size_t frame = first; frame < first + count; frame++) {
			float *parts = tile_parts(&s->tile, member->share.node, frame), before[PARTS];

			memcpy(before, parts, sizeof before);
			show(s, member, &interval, frame, parts);
			s->tile.changed[frame] |= memcmp(before, parts, sizeof before) != 0;
		}
	}
}

/* Store the values of an interval, and compute the poses of the current node and of the nodes that it carries from them. */
static void apply_along(struct spare *s, const struct member *member, const struct interval *interval)
{
	struct tile *t = &s->tile;
	uint32_t node = member->share.node;
	size_t first, count = frames_of(s, interval, &first);

	for (size_t frame = first; frame < first + count; frame++) {
		float *parts = tile_parts(t, node, frame);
		double *local = transform_at(t, t->local, node, frame);

		show(s, member, interval, frame, parts);
		compose(local, parts);
		place(transform_at(t, t->world, node, frame), above(t, node, frame), local);
		for (size_t i = 1; i < t->below_count; i++) {
			const struct carried *c = &t->below[i];

			anim_pose_rows_multiply(t->world + (c->slot * t->room + frame) * ANIM_POSE_NUMBERS,
						t->world + (c->above * t->room + frame) * ANIM_POSE_NUMBERS,
						c->local + frame * ANIM_POSE_NUMBERS);
		}
	}
}

/* ---- Keys that are removed ---- */

static bool is_fixed(const struct spare *s, const struct member *member, size_t k)
{
	return (member->knots[(ptrdiff_t)s->tile.first + s->frame[k]] & FIXED) != 0;
}

/* The intervals from key a to key k and from k to key b. */
struct detour {
	struct interval to, from;
};

/* Return the cost of both intervals, as cost_along does. If it is not below `most`, the detour is not complete. */
static double cost_around(struct spare *s, const struct member *member, struct detour *detour, size_t a, size_t k,
			  size_t b, double most)
{
	double cost;

	detour->from = interval_between(s, k, b);
	cost = cost_along(s, member, &detour->from, most);
	if (!(cost < most))
		return cost;
	detour->to = interval_between(s, a, k);
	return cost + cost_along(s, member, &detour->to, most - cost);
}

/* Return whether the interval up to a key that may be new is within the limits, including the key itself. */
static bool reaches(struct spare *s, const struct member *member, size_t a, size_t k)
{
	const struct interval at = {.a = k, .b = s->run.n};
	struct interval interval;
	float parts[PARTS];

	if (!s->keep[k]) {
		show(s, member, &at, (size_t)s->frame[k], parts);
		if (!(tile_cost(&s->tile, (size_t)s->frame[k], parts) < (double)INFINITY))
			return false;
	}
	interval = interval_between(s, a, k);
	return cost_along(s, member, &interval, (double)INFINITY) < (double)INFINITY;
}

/*
 * Return the farthest key up to the last that an interval from key a reaches, by doubling and halving from a guess.
 * Otherwise returns `a`.
 */
static size_t farthest(struct spare *s, const struct member *member, size_t a, size_t guess, size_t last)
{
	size_t good = a, bad = last + 1, step = guess;

	while (good < last && bad == last + 1) {
		size_t k = last - good < step ? last : good + step;

		if (reaches(s, member, a, k)) {
			good = k;
			step *= 2;
		} else {
			bad = k;
		}
	}
	while (bad - good > 1) {
		size_t k = good + (bad - good) / 2;

		if (reaches(s, member, a, k))
			good = k;
		else
			bad = k;
	}
	return good;
}

/*
 * Build a chain of keys, each as far as the previous one reaches, as long as this can lead to an existing key with
 * fewer keys. This key is the one that is as many keys farther as the chain is long, plus one. Returns the start of
 * the next chain.
 */
static size_t reach_on(struct spare *s, const struct member *member, size_t from, size_t last)
{
	size_t chain[CHAIN], count = 1, old = next_kept(s, from), aim;

	chain[0] = from;
	while (count < CHAIN && old < last) {
		size_t a = chain[count - 1], to;

		aim = next_kept(s, old);
		if (aim > last || is_fixed(s, member, old))
			break;
		if (reaches(s, member, a, aim)) {
			/* the chain replaces all keys before `aim` */
			memset(s->keep + from + 1, 0, aim - from - 1);
			for (size_t i = 0; i < count; i++) {
				struct interval interval =
				    interval_between(s, chain[i], i + 1 < count ? chain[i + 1] : aim);

				s->keep[chain[i]] = 1;
				apply_along(s, member, &interval);
			}
			return aim;
		}
		to = farthest(s, member, a, old > a ? old - a : 1, aim - 1);
		if (to < old || to == a)
			break;
		chain[count++] = to;
		old = aim;
	}
	return old;
}

/* Replace keys by fewer keys at new places, from the first key in the tile to the last. */
static void choose_new(struct spare *s, const struct member *member)
{
	size_t from, last;

	from = last = first_kept(s);
	while (from < s->run.n && s->frame[from] < 0)
		from = next_kept(s, from);
	for (size_t k = from; k < s->run.n && s->frame[k] < (ptrdiff_t)s->tile.frames; k = next_kept(s, k))
		last = k;
	while (from < last)
		from = reach_on(s, member, from, last);
}

/* Move each key to a neighbouring place with a lower cost. Other keys can then be removed. */
static void shift(struct spare *s, const struct member *member)
{
	size_t a = first_kept(s), k = next_kept(s, a), b;

	for (; k < s->run.n && (b = next_kept(s, k)) < s->run.n; a = k, k = b) {
		struct detour best;
		size_t old = k;
		double least;

		if (s->frame[a] < 0 || s->frame[b] >= (ptrdiff_t)s->tile.frames || is_fixed(s, member, k))
			continue;
		s->keep[k] = 0;
		least = GAIN * cost_around(s, member, &best, a, k, b, (double)INFINITY);
		for (int i = 0; i < 4; i++) {
			size_t far = i < 2 ? 1 : (b - a) / 6, m = i % 2 == 0 ? old - far : old + far;
			struct detour detour;
			double cost;

			if (far == 0 || (i > 1 && far == 1) || m <= a || m >= b)
				continue;
			cost = cost_around(s, member, &detour, a, m, b, least);
			if (!(cost < least))
				continue;
			least = cost;
			best = detour;
			k = m;
		}
		s->keep[k] = 1;
		if (k == old)
			continue;
		apply_along(s, member, &best.to);
		apply_along(s, member, &best.from);
		memset(s->keep + a + 1, 0, b - a - 1);
		s->keep[k] = 1;
	}
}

/* ---- The fewest keys of a track ---- */

/* Return whether the current track gets a path: nothing is scaled either. */
static bool has_path(const struct spare *s, const struct member *member)
{
	if (!s->paths || member->kind.metric == REDUCE_LARGEST)
		return false;
	for (size_t i = 0; i < s->tile.below_count; i++)
		if (!s->tile.below[i].rigid)
			return false;
	return true;
}

/* Choose the fewest keys of a track between its first and last key in the tile. Returns 0 or -1. */
static int choose_path(struct spare *s, const struct member *member, struct anim_error *error)
{
	struct tile *t = &s->tile;
	const uint32_t node = member->share.node;
	const unsigned from_number = part_from[member->share.part];
	const size_t part_size = part_numbers[member->share.part] * sizeof(float);
	struct reduce_path_node *nodes;
	size_t first = t->frames, last = 0;
	bool any = false;

	if (reduce_path_begin(&s->path, t->frames, t->below_count, error) != 0)
		return -1;
	for (size_t i = 0; i < t->below_count; i++) {
		const struct carried *c = &t->below[i];

		reduce_path_points(&s->path)[i] =
		    (struct reduce_path_point){.source = c->source,
					       .source_on = c->on,
					       .result = t->world + c->slot * t->room * ANIM_POSE_NUMBERS,
					       .shell = c->target->shell_m,
					       .tolerance = c->target->tolerance_m};
	}
	nodes = reduce_path_nodes(&s->path);
	for (size_t f = 0; f < t->frames; f++) {
		uint8_t state = member->knots[t->first + f];

		nodes[f].key = state & HAS;
		s->on_path[f] = nodes[f].kept = state & STAYS;
		if (nodes[f].kept) {
			first = first < f ? first : f;
			last = f;
		}
	}
	if (last <= first + 1)
		return 0;

	s->path.rotates = member->kind.metric == REDUCE_ANGLE;
	s->path.chords = member->kind.by_component;
	s->path.time = s->knots + t->first;
	s->path.work = 0;
	s->path.wide = t->wide;
	for (size_t f = first; f <= last; f++) {
		const float *source = source_parts(t, node, f) + from_number;
		double own[ANIM_POSE_NUMBERS];
		float parts[PARTS];

		memcpy(nodes[f].value, source, part_size);
		memcpy(parts, tile_parts(t, node, f), sizeof parts);
		memcpy(parts + from_number, source, part_size);
		compose(own, parts);
		reduce_path_put(&s->path, f, above(t, node, f), own, transform_at(t, t->world, node, f),
				allowed_at(t, f));
	}
	for (size_t from = first, to; from < last; from = to) {
		for (to = from + 1; to < last && !(member->knots[t->first + to] & FIXED); to++)
			;
		any = reduce_path_find(&s->path, from, to, s->on_path) || any;
	}
	t->budget->trials -= t->budget->trials < s->path.work ? t->budget->trials : s->path.work;
	if (!any)
		return 0;

	/* keep the keys of the path, and compute the poses from them */
	for (size_t k = 0; k < s->run.n; k++)
		if (s->frame[k] >= (ptrdiff_t)first && s->frame[k] <= (ptrdiff_t)last)
			s->keep[k] = s->on_path[s->frame[k]];
	for (size_t a = first_kept(s), b; (b = next_kept(s, a)) < s->run.n; a = b) {
		struct interval interval = interval_between(s, a, b);

		if (s->frame[a] >= (ptrdiff_t)first && s->frame[b] <= (ptrdiff_t)last)
			apply_along(s, member, &interval);
	}
	return 0;
}

/*
 * Choose keys of each track. Joints with the fewest points below them come first, because their errors affect few other
 * tracks. With `paths`, a shortest path chooses the keys of every track that has one. `with` chooses the keys of all other
 * tracks, unless it is NULL. Returns 0 or -1.
 */
static int try_tracks(struct spare *s, void (*with)(struct spare *, const struct member *), bool paths,
		      struct anim_error *error)
{
	for (size_t i = 0; i < s->member_count && s->scene->budget->trials > 0; i++) {
		struct member *member = &s->members[s->paths ? s->member_count - 1 - i : i];
		bool path;

		tile_select(&s->tile, member->share.node);
		path = has_path(s, member);
		if (path ? !paths : with == NULL)
			continue;
		if (load_track(s, member, error) != 0 || (path && choose_path(s, member, error) != 0))
			return -1;
		if (!path)
			with(s, member);
		store_track(s, member);
	}
	return 0;
}

/* Count the keys of all tracks in the tile that have a state. */
static size_t count_in_tile(const struct spare *s, uint8_t state)
{
	size_t count = 0;

	for (size_t i = 0; i < s->member_count; i++)
		for (size_t f = 0; f < s->tile.frames; f++)
			count += (s->members[i].knots[s->tile.first + f] & state) != 0;
	return count;
}

/* Remove the keys in the tile that the poses can spare. Returns 0 or -1. */
static int remove_keys(struct spare *s, struct anim_error *error)
{
	size_t keys, before, now;

	now = before = count_in_tile(s, STAYS);
	keys = count_in_tile(s, HAS);
	for (unsigned pass = 0; pass == 0 || (pass < PASSES && now < keys / DENSE && before - now > before / GAINED);
	     pass++) {
		before = now;
		if (try_tracks(s, pass == 0 ? choose_new : NULL, true, error) != 0)
			return -1;
		now = count_in_tile(s, STAYS);
	}
	for (unsigned loop = 0; loop < LOOPS && !s->scene->fast && s->scene->budget->trials > 0; loop++)
		if (try_tracks(s, shift, false, error) != 0 || try_tracks(s, choose_new, false, error) != 0)
			return -1;
	return 0;
}

/* ---- Restoring keys ---- */

/*
 * Return the removed key that is nearest to a frame, or `n` if no removed key is between the remaining keys around
 * the frame.
 */
static size_t nearest(const struct spare *s, size_t frame)
{
	size_t found = s->run.n, least = SIZE_MAX;

	for (size_t k = 0; k < s->run.n; k++) {
		ptrdiff_t off = s->frame[k] - (ptrdiff_t)frame;
		size_t distance = (size_t)(off < 0 ? -off : off);

		if (s->keep[k]) {
			if (off >= 0)
				break;
			found = s->run.n;
			least = SIZE_MAX;
		} else if (distance < least) {
			least = distance;
			found = k;
		}
	}
	return found;
}

/* Restore keys of a track at frames that need them. Returns 0 or -1. */
static int restore_keys(struct spare *s, struct member *member, struct anim_error *error)
{
	const uint8_t *missed = s->tile.missed + s->tile.slot[member->share.node] * s->tile.room,
		      part = (uint8_t)(1 << member->share.part);
	size_t staying = 0, first = 0, last = s->count - 1;
	bool any = false;

	for (size_t f = 0; f < s->tile.frames && !any; f++)
		any = missed[f] & part;
	if (!any)
		return 0;
	if (load_track(s, member, error) != 0)
		return -1;
	for (size_t k = 0; k < s->count; k++)
		staying += (member->knots[k] & STAYS) != 0;
	if (staying <= 1) {
		/* it was constant, or at its rest value: give it its two end keys */
		while (!(member->knots[first] & HAS))
			first++;
		while (!(member->knots[last] & HAS))
			last--;
		member->knots[first] |= STAYS;
		member->knots[last] |= STAYS;
		if (load_track(s, member, error) != 0)
			return -1;
	}
	for (size_t f = 0; f < s->tile.frames; f++) {
		size_t k = missed[f] & part ? nearest(s, f) : s->run.n;

		if (k < s->run.n)
			s->keep[k] = 1;
	}
	store_values(s, member);
	store_track(s, member);
	return 0;
}

/* ---- Tile by tile ---- */

/* Read the poses at the knots of the tile, and restore keys that they need. Returns 0 or -1. */
static int begin_tile(struct spare *s, struct anim_error *error)
{
	struct tile *t = &s->tile;

	if (anim_poses_tile(&t->poses[0], t->first, t->frames, error) != 0)
		return -1;
	for (uint32_t node = 0; node < t->nodes; node++)
		if (t->slot[node] != ANIM_POSE_NONE &&
		    (read_parts(t, 0, node, error) != 0 || read_parts(t, 1, node, error) != 0))
			return -1;
	/* keys shared with the previous tile have changed since the poses were computed */
	for (size_t i = 0; i < s->member_count && t->first > 0; i++) {
		if (load_track(s, &s->members[i], error) != 0)
			return -1;
		store_values(s, &s->members[i]);
	}
	for (uint32_t node = 0; node < t->nodes; node++)
		t->rigid[node] = is_rigid(t, node);
	memset(t->changed, 1, t->frames);

	for (unsigned round = 0; round < RESTORE_ROUNDS && tile_find_missed(t); round++)
		for (size_t i = 0; i < s->member_count; i++)
			if (restore_keys(s, &s->members[i], error) != 0)
				return -1;
	return 0;
}

/* Copy a track's keys from the chosen keys to the knots, or back. Returns 0 or -1. */
static int map_keys(struct spare *s, struct member *member, struct reduce_chosen *chosen, bool back,
		    struct anim_error *error)
{
	size_t knot = 0, before = SIZE_MAX;
	struct anim_track track;
	struct reduce_run run;
	double *limits;

	if (reduce_read_shared(s->scene, member->track, &member->share, true, &track, &run, &limits, error) != 0)
		return -1;
	member->kind = run;
	member->curved = reduce_is_curved(&track);
	member->aligned =
	    run.metric == REDUCE_ANGLE && run.cubic && !anim_rules_blend_components(s->scene->clip, track.rules);
	for (size_t k = 0; k < run.n; k++) {
		uint8_t *at;

		knot = reduce_knot_from(s->knots, s->count, knot, run.time[k]);
		at = &member->knots[knot];
		if (back && !(*at & FIXED))
			chosen->keep[k] = (*at & STAYS) != 0;
		if (!back)
			*at |= (uint8_t)(HAS | (chosen->keep[k] ? STAYS | STAYED : 0) |
					 (knot == before || (run.seam && (k < 2 || k + 2 >= run.n)) ? FIXED : 0));
		before = knot;
	}
	s->capacity = member->curved && run.n > s->capacity ? run.n : s->capacity;
	chosen->count = reduce_count_kept(chosen->keep, run.n);
	return 0;
}

/*
 * Mark each interval between remaining keys if one of the two keys did not stay before, or if a key between them
 * did.
 */
static void mark_touched(const struct spare *s, const struct member *member, uint8_t *touched)
{
	bool other = false;

	for (size_t from = 0, k = 0; k < s->count; k++) {
		bool stays = member->knots[k] & STAYS, last = k + 1 == s->count;

		other = other || stays != ((member->knots[k] & STAYED) != 0);
		if (!stays && !last)
			continue;
		if (other)
			memset(touched + from, 1, k - from + last);
		other = stays && !(member->knots[k] & STAYED);
		from = k;
	}
}

/* Find the tracks of joints that can have fewer keys. Returns 0 or -1. */
static int find_members(struct spare *s, struct reduce_chosen *chosen, struct anim_error *error)
{
	size_t tracks = anim_store_tracks(s->scene->store, 0);

	s->paths = true;
	s->members = anim_arena_zeroed(&s->arena, tracks + 1, sizeof *s->members, error);
	for (size_t i = 0; i < tracks && s->members != NULL; i++) {
		struct member *member = &s->members[s->member_count];

		if (chosen[i].keep == NULL || !reduce_joints_limit(s->joints, i, &member->share) ||
		    !member->share.can || !(member->share.limit > 0))
			continue;
		member->track = i;
		member->knots = anim_arena_zeroed(&s->arena, s->count, 1, error);
		if (member->knots == NULL || map_keys(s, member, &chosen[i], false, error) != 0)
			return -1;
		s->paths =
		    s->paths && !member->kind.cubic && !member->kind.cut && member->share.part != ANIM_POSE_SCALE;
		s->member_count++;
	}
	return s->members == NULL ? -1 : 0;
}

#define OVERLAP 64u /* frames of a tile that are part of the next one, if all tracks get paths */
#define AROUND 64u  /* frames around those with missing keys */

/*
 * Place the tile for the frames from a knot on: all of them, or those around the next knots with a lower limit. Sets its number
 * of frames, which may be 0, and returns the knot for the next tile.
 */
static size_t place_tile(struct spare *s, size_t from, bool all)
{
	struct tile *t = &s->tile;
	size_t end, overlap = !s->paths || t->room / 2 < OVERLAP ? t->room / 2 : OVERLAP;

	while (!all && from < s->count && !(t->allowed[from] < (float)REDUCE_NEAR))
		from++;
	t->first = all ? from : from < AROUND ? 0 : from - AROUND;
	end = s->count - t->first < t->room ? s->count : t->first + t->room;
	for (size_t far = 0, k = from; !all && k < end; k++) {
		far = t->allowed[k] < (float)REDUCE_NEAR ? 0 : far + 1;
		end = far == AROUND ? k : end;
	}
	t->frames = from < s->count ? end - t->first : 0;
	return end == s->count ? s->count : all ? end - overlap : end;
}

int reduce_spare(const struct reduce_scene *scene, const struct reduce_joints *joints, const double *knots,
		 size_t count, const float *allowed, bool sparing, struct reduce_chosen *chosen, uint8_t *touched,
		 struct anim_error *error)
{
	struct spare s = {.scene = scene, .joints = joints, .knots = knots, .count = count};
	int result = -1;
	size_t keys;

	if (tile_init(&s.tile, scene, joints, allowed, count, &s.arena, error) != 0 ||
	    find_members(&s, chosen, error) != 0)
		goto done;
	keys = s.capacity > s.tile.room + 2 ? s.capacity : s.tile.room + 2;
	s.time = anim_arena_zeroed(&s.arena, keys, sizeof *s.time, error);
	s.value = anim_arena_zeroed(&s.arena, keys, REDUCE_COMPONENTS * sizeof *s.value, error);
	s.frame = anim_arena_zeroed(&s.arena, keys, sizeof *s.frame, error);
	s.keep = anim_arena_zeroed(&s.arena, keys, 1, error);
	s.on_path = anim_arena_zeroed(&s.arena, s.tile.room + 1, 1, error);
	if (s.on_path == NULL || s.time == NULL || s.value == NULL || s.frame == NULL || s.keep == NULL)
		goto done;

	for (size_t next = 0; next < count;) {
		next = place_tile(&s, next, sparing);
		if (s.tile.frames == 0)
			break;
		if (anim_progress_report(error) != 0 || begin_tile(&s, error) != 0 ||
		    (sparing && remove_keys(&s, error) != 0))
			goto done;
	}
	for (size_t i = 0; i < s.member_count; i++) {
		mark_touched(&s, &s.members[i], touched);
		if (map_keys(&s, &s.members[i], &chosen[s.members[i].track], true, error) != 0)
			goto done;
	}
	result = 0;
done:
	reduce_path_clear(&s.path);
	anim_arena_clear(&s.arena);
	return result;
}
