/* pose.c: compute world transforms of a tree's nodes in tiles. */
#include "filter/common/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "filter/common/pose_rows.h"
#include "math/block.h"
#include "math/elementary.h"
#include "math/lanes.h"
#include "math/quaternion.h"

/* Maximum doubles in a tile's transforms: 4 MiB, so that memory does not depend on the clip and hardly on the tree. */
#define TILE_NUMBERS ((size_t)512 * 1024)
#define TILE_MIN 16u /* samples */
#define TILE_MAX 4096u

static const float straight = 0;
static const float origin[3] = {0}, unrotated[4] = {0, 0, 0, 1}, unscaled[3] = {1, 1, 1};
static const unsigned part_numbers[ANIM_POSE_COLUMNS] = {3, 4, 3, 1, 1, 1};

struct anim_pose_node {
	uint32_t parent;                    /* ANIM_POSE_NONE: none */
	uint32_t child, sibling;            /* its last child, and its parent's previous child; ANIM_POSE_NONE: none */
	uint32_t slot;                      /* index among moving nodes; ANIM_POSE_NONE: it does not move */
	bool apart;                         /* nothing above moves it in this clip */
	bool driven[ANIM_POSE_COLUMNS];     /* the part has values */
	uint64_t values[ANIM_POSE_COLUMNS]; /* offsets of the values in the spool */
	double still[ANIM_POSE_NUMBERS];    /* its rest transform, if it does not move */
	struct anim_pose_motion motion;     /* its motion, if it does not move */
	double length, scale;               /* of its rest pose: distance from the parent, and largest scale */
	bool is_one;                        /* the scale is 1 */
	double speed, bend; /* factors of rotations: largest speed / mean speed; for the second derivative */
};

static struct anim_pose_node *node_at(const struct anim_poses *poses, size_t number)
{
	return (struct anim_pose_node *)(void *)poses->nodes.data + number;
}

size_t anim_poses_count(const struct anim_poses *poses)
{
	return poses->nodes.size / sizeof(struct anim_pose_node);
}

void anim_poses_init(struct anim_poses *poses, size_t memory_max)
{
	memset(poses, 0, sizeof *poses);
	anim_spool_init(&poses->spool, memory_max);
}

void anim_poses_clear(struct anim_poses *poses)
{
	size_t memory_max = poses->spool.memory_max;

	anim_rests_clear(&poses->rests);
	anim_buffer_clear(&poses->nodes);
	anim_buffer_clear(&poses->moved);
	anim_buffer_clear(&poses->floats);
	anim_spool_clear(&poses->spool);
	anim_buffer_clear(&poses->transforms);
	anim_buffer_clear(&poses->motions);
	anim_poses_init(poses, memory_max);
}

uint32_t anim_poses_find(struct anim_poses *poses, const char *root, const char *node)
{
	const struct anim_rest *rest = anim_rests_find(&poses->rests, root, node);

	return rest == NULL ? ANIM_POSE_NONE : (uint32_t)(rest - poses->rests.items);
}

uint32_t anim_poses_find_loosely(struct anim_poses *poses, const char *root, const char *node)
{
	uint32_t found = anim_poses_find(poses, root, node);
	const struct anim_rest *rest =
	    found == ANIM_POSE_NONE ? anim_rests_find_name(&poses->rests, node) : &poses->rests.items[found];

	return rest == NULL ? ANIM_POSE_NONE : (uint32_t)(rest - poses->rests.items);
}

const char *anim_poses_path(const struct anim_poses *poses, uint32_t node)
{
	return poses->rests.items[node].path;
}

uint32_t anim_poses_parent(const struct anim_poses *poses, uint32_t node)
{
	return node_at(poses, node)->parent;
}

bool anim_poses_is_flat(const struct anim_poses *poses, uint32_t node)
{
	return (poses->rests.items[node].has & ANIM_HAS_2D) != 0;
}

const double *anim_poses_rotation_above(const struct anim_poses *poses, double (*rotations)[4], uint32_t node)
{
	static const double none[4] = {0, 0, 0, 1};
	uint32_t parent = anim_poses_parent(poses, node);

	return parent == ANIM_POSE_NONE ? none : rotations[parent];
}

int anim_poses_rotations(const struct anim_poses *poses, double (**out)[4], struct anim_arena *arena,
			 struct anim_error *error)
{
	size_t count = anim_poses_count(poses);
	double(*rotations)[4] = anim_arena_zeroed(arena, count + 1, sizeof *rotations, error);

	*out = rotations;
	for (uint32_t n = 0; n < count && rotations != NULL; n++) {
		anim_quat_unit_double(rotations[n], poses->rests.items[n].rotation);
		if (anim_poses_parent(poses, n) != ANIM_POSE_NONE)
			anim_quat_multiply_double(rotations[n], anim_poses_rotation_above(poses, rotations, n),
						  rotations[n]);
	}
	return rotations == NULL ? -1 : 0;
}

/* ---- Moving nodes: nodes with values, and all nodes below them ---- */

static uint32_t *moved_of(const struct anim_poses *poses)
{
	return (uint32_t *)(void *)poses->moved.data;
}

static size_t moved_count(const struct anim_poses *poses)
{
	return poses->moved.size / sizeof(uint32_t);
}

uint32_t anim_poses_moved(const struct anim_poses *poses, size_t i)
{
	return moved_of(poses)[i];
}

uint32_t anim_poses_slot(const struct anim_poses *poses, uint32_t node)
{
	return node_at(poses, node)->slot;
}

bool anim_poses_moves(const struct anim_poses *poses, uint32_t node)
{
	return node_at(poses, node)->slot != ANIM_POSE_NONE;
}

/* Add a node to the moving nodes. Nodes in the list have a slot. Its final value is set when the list is sorted. */
static struct anim_pose_node *set_moving(struct anim_poses *poses, uint32_t number)
{
	struct anim_pose_node *node = node_at(poses, number);

	if (node->slot == ANIM_POSE_NONE) {
		node->slot = 0;
		moved_of(poses)[moved_count(poses)] = number;
		poses->moved.size += sizeof number;
	}
	return node;
}

/* Reset only the nodes that the last clip moved, so that the cost of a clip does not grow with its tree. */
void anim_poses_begin(struct anim_poses *poses, size_t samples)
{
	anim_spool_truncate(&poses->spool, 0);
	poses->samples = samples;
	poses->made = 0;
	for (size_t i = 0; i < moved_count(poses); i++) {
		struct anim_pose_node *node = node_at(poses, moved_of(poses)[i]);

		node->slot = ANIM_POSE_NONE;
		node->apart = false;
		memset(node->driven, 0, sizeof node->driven);
		node->speed = node->bend = 1;
	}
	poses->moved.size = poses->moving = 0;
}

void anim_poses_set_apart(struct anim_poses *poses, uint32_t node)
{
	set_moving(poses, node)->apart = true;
}

int anim_poses_open(struct anim_poses *poses, uint32_t number, enum anim_pose_part part, struct anim_error *error)
{
	struct anim_pose_node *node = set_moving(poses, number);
	uint64_t size = (uint64_t)poses->samples * part_numbers[part] * sizeof(float);

	if (node->driven[part])
		return 0;
	node->values[part] = anim_spool_size(&poses->spool);
	node->driven[part] = true;
	return anim_spool_begin(&poses->spool, size, error) != 0 ? -1 : 1;
}

int anim_poses_put(struct anim_poses *poses, const float *numbers, size_t count, struct anim_error *error)
{
	return anim_spool_append(&poses->spool, numbers, count * sizeof *numbers, error);
}

int anim_poses_put_value(struct anim_poses *poses, uint32_t node, enum anim_pose_part part, const float *value,
			 unsigned components, struct anim_error *error)
{
	const struct anim_rest *rest = &poses->rests.items[node];
	float three[3];

	if (components != 2)
		return anim_poses_put(poses, value, components, error);
	three[0] = value[0];
	three[1] = value[1];
	three[2] = part == ANIM_POSE_SCALE ? rest->scale[2] : rest->position[2];
	return anim_poses_put(poses, three, 3, error);
}

enum anim_pose_part anim_pose_part_of(const struct anim_rest *rest, const char *property, unsigned components)
{
	bool flat = (rest->has & ANIM_HAS_2D) != 0, vector = components == 3 || (flat && components == 2);

	if (strcmp(property, "position") == 0)
		return vector ? ANIM_POSE_POSITION : ANIM_POSE_PARTS;
	if (strcmp(property, "scale") == 0)
		return vector ? ANIM_POSE_SCALE : ANIM_POSE_PARTS;
	if (strcmp(property, "angle") == 0)
		return flat && components == 1 ? ANIM_POSE_ROTATION : ANIM_POSE_PARTS;
	return strcmp(property, "rotation") == 0 && components == 4 ? ANIM_POSE_ROTATION : ANIM_POSE_PARTS;
}

/* ---- Transforms ---- */

void anim_pose_compose(double m[ANIM_POSE_NUMBERS], const float position[3], const float rotation[4],
		       const float scale[3])
{
	anim_pose_rows_compose(m, position, rotation, scale);
}

void anim_pose_multiply(double out[ANIM_POSE_NUMBERS], const double a[ANIM_POSE_NUMBERS],
			const double b[ANIM_POSE_NUMBERS])
{
	anim_pose_rows_multiply(out, a, b);
}

ANIM_INLINE void place(double out[ANIM_POSE_NUMBERS], const double *parent, const float *const parts[ANIM_POSE_PARTS])
{
	const float *position = parts[ANIM_POSE_POSITION], *rotation = parts[ANIM_POSE_ROTATION],
		    *scale = parts[ANIM_POSE_SCALE];
	double own[ANIM_POSE_NUMBERS];

	if (parent == NULL) {
		anim_pose_rows_compose(out, position, rotation, scale);
		return;
	}
	anim_pose_rows_compose(own, position, rotation, scale);
	anim_pose_rows_multiply(out, parent, own);
}

/* ---- Motions ---- */

/*
 * For a chord whose ends are an angle a apart, the tangent of the direction's angle from the middle is tan(a / 2)
 * times the relative position on the chord (-1 to 1). The speed is at most 1 / cos(a / 2)^2 times the mean speed. The change of the speed is at most tan(a
 * / 2) times the square of the speed. A quaternion's angle is half the rotation angle.
 */
void anim_poses_chords(struct anim_poses *poses, uint32_t number, double radians)
{
	struct anim_pose_node *node = set_moving(poses, number);
	double cosine = anim_cos(radians / 2), sine = anim_sin(radians / 2);

	node->speed = fmax(node->speed, 1 / (cosine * cosine));
	node->bend = fmax(node->bend, 1 + sine / cosine);
}

static inline double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Return the distance of two positions or scales, and the larger length in *longest. */
ANIM_INLINE double step_of(const float *a, const float *b, double *longest)
{
	double step = 0, first = 0, second = 0;

	for (int i = 0; i < 3; i++) {
		step += ((double)b[i] - (double)a[i]) * ((double)b[i] - (double)a[i]);
		first += (double)a[i] * (double)a[i];
		second += (double)b[i] * (double)b[i];
	}
	*longest = sqrt(larger(first, second));
	return sqrt(step);
}

ANIM_INLINE double largest_of(const float *a, const float *b)
{
	double most = 0;

	for (int i = 0; i < 3; i++)
		most = larger(most, larger(fabs((double)a[i]), fabs((double)b[i])));
	return most;
}

ANIM_INLINE bool is_one(const float *scale)
{
	return scale[0] == 1 && scale[1] == 1 && scale[2] == 1;
}

/* Return the angle of the rotation between two quaternions, never too small: |p - q| = 2 sin(angle / 4). */
ANIM_INLINE double angle_of(const float *a, const float *b)
{
	double ax = (double)a[0], ay = (double)a[1], az = (double)a[2], aw = (double)a[3];
	double bx = (double)b[0], by = (double)b[1], bz = (double)b[2], bw = (double)b[3];
	double dot = ax * bx + ay * by + az * bz + aw * bw, first = ax * ax + ay * ay + az * az + aw * aw;
	double second = bx * bx + by * by + bz * bz + bw * bw;
	double sine = sqrt(larger(2 - 2 * fabs(dot) / sqrt(first * second), 0) + 1e-15) / 2;

	/* asin x <= x (1 + x^2 / 4) up to 0.5 */
	return sine < 0.5 ? 4 * sine * (1 + sine * sine / 4) : ANIM_PI;
}

/* Compute the motion between two adjacent samples, below the parent's motion (NULL: none). */
ANIM_INLINE void follow(const struct anim_pose_node *node, struct anim_pose_motion *out,
			const struct anim_pose_motion *parent, const float *const from[ANIM_POSE_COLUMNS],
			const float *const to[ANIM_POSE_COLUMNS])
{
	static const struct anim_pose_motion none = {.basis = 1, .rigid = true};
	const struct anim_pose_motion p = parent != NULL ? *parent : none;
	bool moves = node->driven[ANIM_POSE_POSITION], grows = node->driven[ANIM_POSE_SCALE];
	double bend = (double)*from[ANIM_POSE_POSITION_BEND], spin = (double)*from[ANIM_POSE_ROTATION_BEND];
	double swell = (double)*from[ANIM_POSE_SCALE_BEND];
	double length = node->length, unused;
	double step = (moves ? step_of(from[ANIM_POSE_POSITION], to[ANIM_POSE_POSITION], &length) : 0) + bend / 2;
	double scale = (grows ? largest_of(from[ANIM_POSE_SCALE], to[ANIM_POSE_SCALE]) : node->scale) + swell / 8;
	double growth = (grows ? step_of(from[ANIM_POSE_SCALE], to[ANIM_POSE_SCALE], &unused) : 0) + swell / 2;
	double turn = node->speed * angle_of(from[ANIM_POSE_ROTATION], to[ANIM_POSE_ROTATION]) + spin / 2;
	double first = turn * scale + growth;
	double second = (turn * turn * node->bend + spin) * scale + 2 * turn * growth + swell;
	double gain = turn * turn * (node->bend - 1) + spin;

	memcpy(out->position, from[ANIM_POSE_POSITION], sizeof out->position);
	out->bend = *from[ANIM_POSE_POSITION_BEND];
	out->gain = (float)(gain * (1 + 0x1p-20));
	length += bend / 8;
	/* a curve of scales may differ from 1 between two samples of 1 */
	out->rigid = p.rigid && (grows ? is_one(from[ANIM_POSE_SCALE]) && is_one(to[ANIM_POSE_SCALE]) && !(swell > 0)
				       : node->is_one);
	out->basis = p.basis * scale;
	out->basis1 = p.basis1 * scale + p.basis * first;
	out->basis2 = p.basis2 * scale + 2 * p.basis1 * first + p.basis * second;
	out->origin1 = p.origin1 + p.basis1 * length + p.basis * step;
	out->origin2 = p.origin2 + p.basis2 * length + 2 * p.basis1 * step + p.basis * bend;
	out->basis_rounding = p.basis_rounding * scale + p.basis * scale * 0x1p-22;
	out->origin_rounding = p.origin_rounding + p.basis_rounding * length + p.basis * length * 0x1p-23;
}

static struct anim_pose_motion *motions_of(const struct anim_poses *poses, const struct anim_pose_node *node)
{
	return (struct anim_pose_motion *)(void *)poses->motions.data + (size_t)node->slot * poses->tile;
}

const struct anim_pose_motion *anim_poses_motion(const struct anim_poses *poses, uint32_t number, size_t k)
{
	const struct anim_pose_node *node = node_at(poses, number);

	return node->slot == ANIM_POSE_NONE ? &node->motion : motions_of(poses, node) + k;
}

/* ---- Nodes that do not move ---- */

static double *tile_of(const struct anim_poses *poses, const struct anim_pose_node *node)
{
	return (double *)(void *)poses->transforms.data + (size_t)node->slot * poses->tile * ANIM_POSE_NUMBERS;
}

const double *anim_poses_at(const struct anim_poses *poses, uint32_t number, size_t k)
{
	const struct anim_pose_node *node = node_at(poses, number);

	return node->slot == ANIM_POSE_NONE ? node->still : tile_of(poses, node) + k * ANIM_POSE_NUMBERS;
}

/* Return the node's parent in this clip. */
static uint32_t above(const struct anim_pose_node *node)
{
	return node->apart ? ANIM_POSE_NONE : node->parent;
}

/* Set all parts of a node to their values at rest. */
static void set_rest_parts(const struct anim_poses *poses, uint32_t number, const float *parts[ANIM_POSE_COLUMNS])
{
	const struct anim_rest *rest = &poses->rests.items[number];
	bool apart = node_at(poses, number)->apart;
	const float *const still[ANIM_POSE_COLUMNS] = {apart ? origin : rest->position,
						       apart ? unrotated : rest->rotation,
						       apart ? unscaled : rest->scale,
						       &straight,
						       &straight,
						       &straight};

	memcpy(parts, still, sizeof still);
}

/* Set all parts of a node to their values at rest, and compute the data that motions need. */
static void set_to_rest(struct anim_poses *poses, uint32_t number, const float *parts[ANIM_POSE_COLUMNS])
{
	struct anim_pose_node *node = node_at(poses, number);
	const float *scale;

	set_rest_parts(poses, number, parts);
	scale = parts[ANIM_POSE_SCALE];
	step_of(parts[ANIM_POSE_POSITION], parts[ANIM_POSE_POSITION], &node->length);
	node->scale = largest_of(scale, scale);
	node->is_one = is_one(scale);
}

/* Place a node at rest, for all clips that do not move it. Its parent is already placed. */
static void set_still(struct anim_poses *poses, uint32_t number)
{
	struct anim_pose_node *node = node_at(poses, number);
	const struct anim_pose_node *parent = node->parent == ANIM_POSE_NONE ? NULL : node_at(poses, node->parent);
	const float *parts[ANIM_POSE_COLUMNS];

	set_to_rest(poses, number, parts);
	place(node->still, parent == NULL ? NULL : parent->still, parts);
	follow(node, &node->motion, parent == NULL ? NULL : &parent->motion, parts, parts);
}

void anim_poses_rest_again(struct anim_poses *poses)
{
	for (uint32_t n = 0; n < anim_poses_count(poses); n++)
		set_still(poses, n);
}

/* ---- Adding nodes ---- */

/*
 * Add the node of the last rest pose. Also reserve its entry in the list of moving nodes, which needs no memory later.
 */
static int add_node(struct anim_poses *poses, uint32_t parent, struct anim_error *error)
{
	uint32_t number = (uint32_t)anim_poses_count(poses);
	struct anim_pose_node *added;

	if (anim_buffer_reserve(&poses->moved, (number + (size_t)1) * sizeof number, error) != 0 ||
	    (added = anim_buffer_extend(&poses->nodes, sizeof *added, error)) == NULL)
		return -1;
	*added = (struct anim_pose_node){.parent = parent,
					 .child = ANIM_POSE_NONE,
					 .sibling = ANIM_POSE_NONE,
					 .slot = ANIM_POSE_NONE,
					 .speed = 1,
					 .bend = 1};
	if (parent != ANIM_POSE_NONE) {
		added->sibling = node_at(poses, parent)->child;
		node_at(poses, parent)->child = number;
	}
	set_still(poses, number);
	if (poses->rests.items[number].kind == ANIM_NODE_BONE)
		poses->has_bones[anim_poses_is_flat(poses, number)] = true;
	return 0;
}

int anim_poses_add(struct anim_poses *poses, const struct anim_node *node, struct anim_error *error)
{
	if (anim_rests_add(&poses->rests, node, error) != 0)
		return -1;
	return add_node(poses, node->parent == ANIM_NO_PARENT ? ANIM_POSE_NONE : node->parent, error);
}

struct poses_sink {
	struct anim_sink sink;
	struct anim_poses *poses;
	uint32_t first; /* first node of the current tree */
};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct poses_sink *s = (struct poses_sink *)sink;

	(void)error;
	s->poses->axes = tree->axes;
	s->first = (uint32_t)anim_poses_count(s->poses);
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct poses_sink *s = (struct poses_sink *)sink;
	struct anim_node own = *node;

	if (own.parent != ANIM_NO_PARENT)
		own.parent += s->first;
	return anim_poses_add(s->poses, &own, error);
}

struct anim_sink *anim_poses_sink_new(struct anim_poses *poses, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.tree = on_tree, .node = on_node};
	struct poses_sink *sink = anim_sink_new(sizeof *sink, &ops, error);

	if (sink == NULL)
		return NULL;
	sink->poses = poses;
	return &sink->sink;
}

/* ---- Tiles ---- */

static int by_number(const void *one, const void *other)
{
	uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;

	return (a > b) - (a < b);
}

/* Add all nodes below moving nodes to the list. */
static void add_below(struct anim_poses *poses)
{
	for (size_t i = 0; i < moved_count(poses); i++)
		for (uint32_t below = node_at(poses, moved_of(poses)[i])->child; below != ANIM_POSE_NONE;
		     below = node_at(poses, below)->sibling)
			set_moving(poses, below);
}

/* Number the slots in node order, so that parents come before their children. */
static void sort_moving(struct anim_poses *poses)
{
	poses->moving = moved_count(poses);
	if (poses->moving > 1)
		qsort(moved_of(poses), poses->moving, sizeof(uint32_t), by_number);
	for (size_t i = 0; i < poses->moving; i++)
		node_at(poses, moved_of(poses)[i])->slot = (uint32_t)i;
}

/* Reserve `count` elements; old content is lost. Returns 0 or -1. */
static int make_room(struct anim_buffer *buffer, size_t count, size_t size, struct anim_error *error)
{
	size_t bytes;

	if (anim_size_multiply(count, size, &bytes, error) != 0)
		return -1;
	if (bytes > buffer->capacity)
		anim_buffer_clear(buffer);
	return anim_buffer_reserve(buffer, bytes, error);
}

int anim_poses_ready(struct anim_poses *poses, struct anim_error *error)
{
	const float *parts[ANIM_POSE_COLUMNS];
	size_t cells;

	poses->made = 0;
	add_below(poses);
	sort_moving(poses);
	for (size_t i = 0; i < poses->moving; i++)
		set_to_rest(poses, moved_of(poses)[i], parts);
	poses->tile = TILE_NUMBERS / ANIM_POSE_NUMBERS / (poses->moving + 1);
	if (poses->tile > poses->samples)
		poses->tile = poses->samples;
	if (poses->tile < TILE_MIN)
		poses->tile = TILE_MIN;
	if (poses->tile > TILE_MAX)
		poses->tile = TILE_MAX;
	if (anim_size_multiply(poses->moving + 1, poses->tile, &cells, error) != 0 ||
	    make_room(&poses->transforms, cells, ANIM_POSE_NUMBERS * sizeof(double), error) != 0)
		return -1;
	return poses->follows ? make_room(&poses->motions, cells, sizeof(struct anim_pose_motion), error) : 0;
}

void anim_poses_mark(struct anim_poses *poses, uint32_t node)
{
	set_moving(poses, node);
}

void anim_poses_find_branch(struct anim_poses *tree)
{
	size_t marked;

	add_below(tree);
	marked = moved_count(tree);
	if (anim_poses_count(tree) > 0)
		set_moving(tree, 0);
	for (size_t i = 0; i < marked; i++)
		for (uint32_t node = node_at(tree, moved_of(tree)[i])->parent;
		     node != ANIM_POSE_NONE && !anim_poses_moves(tree, node); node = node_at(tree, node)->parent)
			set_moving(tree, node);
	sort_moving(tree);
}

int anim_poses_copy_branch(struct anim_poses *branch, const struct anim_poses *tree, struct anim_error *error)
{
	anim_poses_clear(branch);
	branch->axes = tree->axes;
	for (size_t i = 0; i < tree->moving; i++) {
		uint32_t node = moved_of(tree)[i], parent = node_at(tree, node)->parent;

		if (anim_rests_add_copy(&branch->rests, &tree->rests.items[node], error) != 0 ||
		    add_node(branch, parent == ANIM_POSE_NONE ? ANIM_POSE_NONE : node_at(tree, parent)->slot, error) !=
			0)
			return -1;
	}
	return 0;
}

int anim_poses_column(struct anim_poses *poses, uint32_t number, enum anim_pose_part part, size_t first, size_t count,
		      const float **values, struct anim_error *error)
{
	const struct anim_pose_node *node = node_at(poses, number);
	size_t size = part_numbers[part] * sizeof(float);

	*values = NULL;
	if (!node->driven[part])
		return 0;
	*values = (const float *)(const void *)anim_spool_read(&poses->spool, node->values[part] + first * size,
							       count * size, error);
	return *values == NULL ? -1 : 0;
}

ANIM_INLINE void follow_all(struct anim_poses *poses, const struct anim_pose_node *node, size_t count,
			    const float *const first[ANIM_POSE_COLUMNS], const size_t stride[ANIM_POSE_COLUMNS])
{
	bool root = above(node) == ANIM_POSE_NONE, still = root || !anim_poses_moves(poses, node->parent);
	const struct anim_pose_motion *parent = root ? NULL : anim_poses_motion(poses, node->parent, 0);
	struct anim_pose_motion *out = motions_of(poses, node);
	const float *parts[ANIM_POSE_COLUMNS], *next[ANIM_POSE_COLUMNS];

	memcpy(parts, first, sizeof parts);
	for (size_t k = 0; k + 1 < count; k++, out++) {
		for (int part = 0; part < ANIM_POSE_COLUMNS; part++)
			next[part] = parts[part] + stride[part];
		follow(node, out, parent, parts, next);
		if (!still)
			parent++;
		memcpy(parts, next, sizeof parts);
	}
	memcpy(out->position, parts[ANIM_POSE_POSITION], sizeof out->position);
}

ANIM_INLINE void make_all(struct anim_poses *poses, const struct anim_pose_node *node, size_t count,
			  const float *const first[ANIM_POSE_COLUMNS], const size_t stride[ANIM_POSE_COLUMNS])
{
	/* Compute the transforms of a node from its parts. */
	const float *parts[ANIM_POSE_PARTS] = {first[0], first[1], first[2]};
	bool root = above(node) == ANIM_POSE_NONE, still = root || !anim_poses_moves(poses, node->parent);
	const double *parent = root ? NULL : anim_poses_at(poses, node->parent, 0);
	double *out = tile_of(poses, node);

	for (size_t k = 0; k < count; k++, out += ANIM_POSE_NUMBERS) {
		place(out, parent, parts);
		if (!still)
			parent += ANIM_POSE_NUMBERS;
		for (int part = 0; part < ANIM_POSE_PARTS; part++)
			parts[part] += stride[part];
	}

	if (poses->follows && count > 0)
		follow_all(poses, node, count, first, stride);
}

static void make_plain(struct anim_poses *poses, const struct anim_pose_node *node, size_t count,
		       const float *const first[ANIM_POSE_COLUMNS], const size_t stride[ANIM_POSE_COLUMNS])
{
	make_all(poses, node, count, first, stride);
}

ANIM_AVX2 static void make_avx2(struct anim_poses *poses, const struct anim_pose_node *node, size_t count,
				const float *const first[ANIM_POSE_COLUMNS], const size_t stride[ANIM_POSE_COLUMNS])
{
	make_all(poses, node, count, first, stride);
}

int anim_poses_tile(struct anim_poses *poses, size_t first, size_t count, struct anim_error *error)
{
	if (poses->made == count && poses->first == first && (poses->made_motions || !poses->follows))
		return 0;
	if (anim_progress_report(error) != 0)
		return -1;
	poses->made = 0;
	poses->first = first;
	for (size_t i = 0; i < poses->moving; i++) {
		uint32_t number = moved_of(poses)[i];
		const struct anim_pose_node *node = node_at(poses, number);
		const float *parts[ANIM_POSE_COLUMNS];
		size_t stride[ANIM_POSE_COLUMNS];

		/* Copy the values of the tile's samples. A part without values has its rest value. */
		size_t used = 0;

		set_rest_parts(poses, number, parts);
		poses->floats.size = 0;
		if (anim_buffer_extend(&poses->floats, count * 13 * sizeof(float), error) == NULL)
			return -1;
		for (int part = 0; part < ANIM_POSE_COLUMNS; part++) {
			float *room = (float *)(void *)poses->floats.data + used;
			size_t size = part_numbers[part] * sizeof(float);
			const uint8_t *values;

			if (!node->driven[part])
				continue;
			values = anim_spool_read(&poses->spool, node->values[part] + poses->first * size, count * size,
						 error);
			if (values == NULL)
				return -1;
			memcpy(room, values, count * size);
			parts[part] = room;
			used += count * part_numbers[part];
		}

		for (int part = 0; part < ANIM_POSE_COLUMNS; part++)
			stride[part] = node->driven[part] ? part_numbers[part] : 0;
		(anim_block_best() == ANIM_BLOCK_AVX2 ? make_avx2 : make_plain)(poses, node, count, parts, stride);
	}
	poses->made = count;
	poses->made_motions = poses->follows;
	return 0;
}

int anim_poses_each(struct anim_poses *poses, anim_poses_visit *visit, void *context, struct anim_error *error)
{
	for (size_t first = 0; first < poses->samples; first += poses->tile) {
		size_t left = poses->samples - first, size = left < poses->tile ? left : poses->tile;

		if (anim_poses_tile(poses, first, size, error) != 0)
			return -1;
		for (size_t k = 0; k < size; k++)
			visit(context, first + k, k);
	}
	return 0;
}

/* ---- Distances ---- */

/*
 * Return the largest factor by which a matrix stretches a vector. It is the square root of the largest eigenvalue of
 * the transpose times the matrix, from the trigonometric solution for symmetric 3 x 3 matrices. For the difference of
 * two rotations it is 2 sin(angle / 2).
 */
static double norm(const double d[9])
{
	double s[3][3], mean, spread = 0, determinant, cosine;

	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			s[i][k] = d[i] * d[k] + d[3 + i] * d[3 + k] + d[6 + i] * d[6 + k];
	mean = (s[0][0] + s[1][1] + s[2][2]) / 3;
	for (int i = 0; i < 3; i++) {
		s[i][i] -= mean;
		for (int k = 0; k < 3; k++)
			spread += s[i][k] * s[i][k];
	}
	spread = sqrt(spread / 6);
	if (!(spread > 0))
		return sqrt(mean);
	determinant = s[0][0] * (s[1][1] * s[2][2] - s[1][2] * s[2][1]) -
		      s[0][1] * (s[1][0] * s[2][2] - s[1][2] * s[2][0]) +
		      s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]);
	cosine = fmin(fmax(determinant / (2 * spread * spread * spread), -1), 1);
	return sqrt(fmax(mean + 2 * spread * anim_cos(anim_acos(cosine) / 3), 0));
}

double anim_poses_distance(const double a[ANIM_POSE_NUMBERS], const double b[ANIM_POSE_NUMBERS], double shell,
			   bool rigid)
{
	double basis[9], square = 0;

	if (rigid || !(shell > 0))
		return anim_pose_rows_distance(a, b, shell > 0 ? shell : 0);
	for (int row = 0; row < 3; row++) {
		double off = a[4 * row + 3] - b[4 * row + 3];

		square += off * off;
		for (int column = 0; column < 3; column++)
			basis[3 * row + column] = a[4 * row + column] - b[4 * row + column];
	}
	return sqrt(square) + shell * norm(basis);
}
