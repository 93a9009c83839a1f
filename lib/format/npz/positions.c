/* positions.c: rotations of joints from their positions, by the smallest rotation of each bone. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "format/npz/internal.h"
#include "math/quaternion.h"

#define FRAMES 256u /* of a tile */
#define TINY 1e-9   /* metres: a shorter bone has no direction */

/* A joint with three children is oriented by the line between two of them and by the third. */
struct hub {
	uint8_t joint, left, right, middle;
};
static const struct hub hubs[] = {{0, 1, 2, 3}, {9, 13, 14, 12}}; /* pelvis, spine3 */

static const struct hub *hub_of(unsigned joint)
{
	for (unsigned i = 0; i < 2; i++)
		if (hubs[i].joint == joint)
			return &hubs[i];
	return NULL;
}

/* Joints of SMPL in the order of the array: the last two are its hands. */
static unsigned smpl_number(unsigned i)
{
	return i < SMPL_BODY ? i : SMPL_PALMS + (i - SMPL_BODY);
}

struct solver {
	struct npz_reader *reader;
	unsigned count; /* of joints */
	/* by place in the array: parent, and the only child, or NO_JOINT if there are several or none */
	uint8_t parent[24], child[24];
	double offset[24][3];
};

static void subtract(double out[3], const double *a, const double *b)
{
	for (unsigned i = 0; i < 3; i++)
		out[i] = a[i] - b[i];
}

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double out[3], const double a[3], const double b[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Scale to length 1. Return the length, or 0 if it is too short. */
static double normalise(double v[3])
{
	double length = sqrt(dot(v, v));

	if (!(length > TINY))
		return 0;
	for (unsigned i = 0; i < 3; i++)
		v[i] /= length;
	return length;
}

/* Compute the axes of a hub as columns: across to the left, up, forward. Return false if they have no direction. */
static bool hub_axes(double axes[3][3], const double *at, const double *left, const double *right, const double *middle)
{
	double up[3];

	subtract(axes[0], left, right);
	subtract(up, middle, at);
	if (normalise(axes[0]) == 0 || normalise(up) == 0)
		return false;
	cross(axes[2], axes[0], up);
	if (normalise(axes[2]) == 0)
		return false;
	cross(axes[1], axes[2], axes[0]);
	return true;
}

/* Compute the rotation from three axes to three others. */
static void axes_rotation(double q[4], double from[3][3], double to[3][3])
{
	double first[4], turned[3], second[4];

	anim_quat_between_double(first, from[0], to[0]);
	anim_quat_rotate_double(turned, first, from[1]);
	anim_quat_between_double(second, turned, to[1]);
	if (dot(turned, to[1]) < -1 + 1e-12) { /* half a turn about the axis that is already in place */
		memcpy(second, to[0], sizeof to[0]);
		second[3] = 0;
	}
	anim_quat_multiply_double(q, second, first);
}

/* Return the place of a joint in the T-pose with the mean offsets, relative to the parent. */
static void mean_offset(double out[3], unsigned number)
{
	for (unsigned i = 0; i < 3; i++)
		out[i] = smpl_joints[number].offset[i] / 100.0;
}

static bool rest_axes(const struct hub *hub, double axes[3][3])
{
	static const double origin[3];
	double left[3], right[3], middle[3];

	mean_offset(left, hub->left);
	mean_offset(right, hub->right);
	mean_offset(middle, hub->middle);
	return hub_axes(axes, origin, left, right, middle);
}

static void find_tree(struct solver *solver)
{
	memset(solver->child, SMPL_NO_JOINT, sizeof solver->child);
	for (unsigned i = 1; i < solver->count; i++) {
		solver->parent[i] = smpl_joints[smpl_number(i)].parent;
		if (hub_of(solver->parent[i]) == NULL)
			solver->child[solver->parent[i]] = (uint8_t)i;
	}
}

/* Express the children of a hub in its axes, and place them by its axes in the T-pose. */
static void hub_offset(double out[3], const struct hub *hub, const double *frame, const double bone[3])
{
	double rest[3][3], now[3][3];

	if (!rest_axes(hub, rest) || !hub_axes(now, frame + 3 * hub->joint, frame + 3 * hub->left,
					       frame + 3 * hub->right, frame + 3 * hub->middle)) {
		memcpy(out, bone, 3 * sizeof *out);
		return;
	}
	for (unsigned i = 0; i < 3; i++)
		out[i] =
		    dot(bone, now[0]) * rest[0][i] + dot(bone, now[1]) * rest[1][i] + dot(bone, now[2]) * rest[2][i];
}

/* Find the offsets of the T-pose: the lengths of the first frame in the directions of the mean offsets. */
static void find_offsets(struct solver *solver, const double *frame)
{
	for (unsigned i = 1; i < solver->count; i++) {
		const struct hub *hub = hub_of(solver->parent[i]);
		double bone[3], *offset = solver->offset[i];

		subtract(bone, frame + 3 * i, frame + 3 * solver->parent[i]);
		mean_offset(offset, smpl_number(i));
		if (hub != NULL) {
			hub_offset(offset, hub, frame, bone);
		} else {
			double length = sqrt(dot(bone, bone));

			normalise(offset);
			for (unsigned axis = 0; axis < 3; axis++)
				offset[axis] *= length;
		}
		memcpy(solver->reader->offsets[smpl_number(i)], offset, sizeof solver->offset[i]);
	}
}

/* Find the rotation of a joint in space. Without a direction it follows its parent's, which `q` holds. */
static void orient(const struct solver *solver, unsigned joint, const double *frame, double q[4])
{
	const struct hub *hub = hub_of(joint);
	double rest[3][3], now[3][3], from[3], to[3], turn[4];
	unsigned child = solver->child[joint];

	if (hub != NULL && rest_axes(hub, rest) &&
	    hub_axes(now, frame + 3 * joint, frame + 3 * hub->left, frame + 3 * hub->right, frame + 3 * hub->middle)) {
		axes_rotation(q, rest, now);
	} else if (hub == NULL && child != SMPL_NO_JOINT) {
		anim_quat_rotate_double(from, q, solver->offset[child]);
		subtract(to, frame + 3 * child, frame + 3 * joint);
		if (normalise(from) == 0 || normalise(to) == 0)
			return;
		anim_quat_between_double(turn, from, to);
		anim_quat_multiply_double(q, turn, q);
	}
}

/* Find all local rotations of a frame. values[i][4] are `stride` floats apart. Also measure the residual. */
static void solve_frame(struct solver *solver, const double *frame, float *values, size_t stride)
{
	double world[24][4], place[24][3], local[4], bone[3], inverse[4];

	for (unsigned i = 0; i < solver->count; i++, values += stride) {
		unsigned parent = solver->parent[i];
		const double none[4] = {0, 0, 0, 1}, *above = i == 0 ? none : world[parent];

		memcpy(world[i], above, sizeof world[i]);
		orient(solver, i, frame, world[i]);
		anim_quat_conjugate_double(inverse, above);
		anim_quat_multiply_double(local, inverse, world[i]);
		for (unsigned j = 0; j < 4; j++)
			values[j] = (float)local[j];
		memcpy(place[i], frame, sizeof place[i]);
		if (i == 0)
			continue;
		anim_quat_rotate_double(bone, above, solver->offset[i]);
		for (unsigned j = 0; j < 3; j++)
			place[i][j] = place[parent][j] + bone[j];
		subtract(bone, place[i], frame + 3 * i);
		solver->reader->residual = fmax(solver->reader->residual, sqrt(dot(bone, bone)));
	}
	for (unsigned j = 0; j < 3; j++)
		values[j] = (float)frame[j];
	values[3] = 0;
}

static int solve_tile(struct solver *solver, struct npy_array *array, size_t first, size_t frames)
{
	struct npz_reader *reader = solver->reader;
	size_t width = 3 * solver->count, size = (solver->count + 1) * frames * 4;
	const double *from;
	float *to;

	reader->tile.size = reader->run.size = 0;
	if (anim_buffer_reserve(&reader->tile, frames * width * sizeof *from, reader->error) != 0 ||
	    npy_doubles(array, (double *)(void *)reader->tile.data, frames * width) != 0 ||
	    (to = anim_buffer_extend(&reader->run, size * sizeof *to, reader->error)) == NULL)
		return -1;
	from = (const double *)(const void *)reader->tile.data;
	for (size_t i = 0; i < frames * width; i++)
		if (!(fabs(from[i]) < 1e15))
			return npy_refuse(array, "a number in frame %zu is not finite or too large", first + i / width);
	if (first == 0)
		find_offsets(solver, from);
	for (size_t k = 0; k < frames; k++)
		solve_frame(solver, from + k * width, to + 4 * k, 4 * frames);
	return npz_block_append(reader, solver->count + 1, frames);
}

int npz_read_positions(struct npz_reader *reader, struct npy_array *array)
{
	struct solver solver = {.reader = reader, .count = (unsigned)array->shape[1]};
	struct npz_block *block;

	if (array->kind > NPY_UNSIGNED || array->by_columns || array->shape[0] > ANIM_KEYS_MAX)
		return npy_refuse(array, "positions of joints need plain numbers in C order");
	block = npz_block_begin(reader, array, solver.count + 1, (size_t)array->shape[0]);
	if (block == NULL)
		return -1;
	block->tile_frames = FRAMES;
	find_tree(&solver);
	for (unsigned i = 0; i < solver.count; i++) {
		reader->of[smpl_number(i)].block = 0;
		reader->of[smpl_number(i)].item = (uint8_t)i;
	}
	reader->root.block = 0;
	reader->root.item = (uint8_t)solver.count;
	reader->has_offsets = reader->is_y_up = true;
	reader->offsets[0][1] = SMPL_ROOT_HEIGHT;
	for (size_t first = 0, frames; first < block->frames; first += frames) {
		frames = block->frames - first < FRAMES ? block->frames - first : FRAMES;
		if (solve_tile(&solver, array, first, frames) != 0)
			return -1;
	}
	return 0;
}
