/* positions.c: rotations of joints from their positions, by the smallest rotation of each bone. */
#include <math.h>
#include <string.h>

#include "base/count.h"
#include "format/npz/reader.h"
#include "math/quaternion.h"
#include "math/vector.h"

#define TINY 1e-9 /* metres: a shorter bone has no direction */

/* A joint with several children is oriented by the line between two of them and by a third one. */
struct hub {
	uint8_t joint, left, right, middle;
};
static const struct hub hubs[] = {
    {0, 1, 2, 3},                                     /* pelvis */
    {9, 13, 14, 12},                                  /* spine3 */
    {15, SMPL_EYES, SMPL_EYES + 1, SMPL_JAW},         /* head */
    {20, SMPL_HANDS, SMPL_HANDS + 6, SMPL_HANDS + 3}, /* left wrist: index, pinky, middle finger */
    {21, SMPL_HANDS + 15, SMPL_HANDS + 21, SMPL_HANDS + 18},
};

/* Return the hub of a joint if the array has its children, or NULL. */
static const struct hub *hub_of(const struct npz_solver *solver, unsigned joint)
{
	for (unsigned i = 0; i < ANIM_COUNT(hubs); i++)
		if (hubs[i].joint == joint && solver->place[hubs[i].left] != SMPL_NO_JOINT)
			return &hubs[i];
	return NULL;
}

static void subtract(double out[3], const double *a, const double *b)
{
	for (unsigned i = 0; i < 3; i++)
		out[i] = a[i] - b[i];
}

/* Scale to length 1. Return the length, or 0 if it is too short. */
static double normalise(double v[3])
{
	double length = sqrt(anim_vec3_dot_double(v, v));

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
	anim_vec3_cross_double(axes[2], axes[0], up);
	if (normalise(axes[2]) == 0)
		return false;
	anim_vec3_cross_double(axes[1], axes[2], axes[0]);
	return true;
}

/* Compute the rotation from three axes to three others. */
static void axes_rotation(double q[4], double from[3][3], double to[3][3])
{
	double first[4], turned[3], second[4];

	anim_quat_between_double(first, from[0], to[0]);
	anim_quat_rotate_double(turned, first, from[1]);
	anim_quat_between_double(second, turned, to[1]);
	if (anim_vec3_dot_double(turned, to[1]) <
	    -1 + 1e-12) { /* half a turn about the axis that is already in place */
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

static const double *at_joint(const struct npz_solver *solver, const double *frame, unsigned joint)
{
	return frame + 3 * solver->place[joint];
}

/* Compute the axes of a hub in a frame. Return false if they have no direction. */
static bool now_axes(const struct npz_solver *solver, const struct hub *hub, const double *frame, double axes[3][3])
{
	return hub_axes(axes, at_joint(solver, frame, hub->joint), at_joint(solver, frame, hub->left),
			at_joint(solver, frame, hub->right), at_joint(solver, frame, hub->middle));
}

/* Find the offsets of the T-pose: the lengths of the first frame in the directions of the mean offsets. */
static void find_offsets(struct npz_reader *reader, const double *frame)
{
	const struct npz_solver *solver = &reader->solver;

	for (unsigned k = 1; k < solver->count; k++) {
		unsigned joint = solver->joints[k], parent = smpl_joints[joint].parent;
		const struct hub *hub = hub_of(solver, parent);
		double bone[3], *offset = reader->offsets[joint], rest[3][3], now[3][3];

		subtract(bone, frame + 3 * k, at_joint(solver, frame, parent));
		mean_offset(offset, joint);
		if (hub != NULL && rest_axes(hub, rest) && now_axes(solver, hub, frame, now)) {
			/* The children of a hub are expressed in its axes, and placed by its axes in the T-pose. */
			for (unsigned i = 0; i < 3; i++)
				offset[i] = anim_vec3_dot_double(bone, now[0]) * rest[0][i] +
					    anim_vec3_dot_double(bone, now[1]) * rest[1][i] +
					    anim_vec3_dot_double(bone, now[2]) * rest[2][i];
		} else if (hub != NULL) {
			memcpy(offset, bone, sizeof bone);
		} else {
			double length = sqrt(anim_vec3_dot_double(bone, bone));

			normalise(offset);
			for (unsigned axis = 0; axis < 3; axis++)
				offset[axis] *= length;
		}
	}
}

/* Find the rotation of a joint in space. Without a direction it follows its parent's, which `q` holds. */
static void orient(const struct npz_reader *reader, unsigned joint, const double *frame, double q[4])
{
	const struct npz_solver *solver = &reader->solver;
	const struct hub *hub = hub_of(solver, joint);
	double rest[3][3], now[3][3], from[3], to[3], rotation[4];
	unsigned child = solver->child[joint];

	if (hub != NULL && rest_axes(hub, rest) && now_axes(solver, hub, frame, now)) {
		axes_rotation(q, rest, now);
	} else if (hub == NULL && child != SMPL_NO_JOINT) {
		anim_quat_rotate_double(from, q, reader->offsets[child]);
		subtract(to, at_joint(solver, frame, child), at_joint(solver, frame, joint));
		if (normalise(from) == 0 || normalise(to) == 0)
			return;
		anim_quat_between_double(rotation, from, to);
		anim_quat_multiply_double(q, rotation, q);
	}
}

/* Find all local rotations of a frame. Items of `values` are `stride` floats apart. Also measure the residual. */
static void solve_frame(struct npz_reader *reader, const double *frame, float *values, size_t stride)
{
	const struct npz_solver *solver = &reader->solver;
	const double none[4] = {0, 0, 0, 1};
	double world[SMPL_JOINTS][4], place[SMPL_JOINTS][3], local[4], bone[3], inverse[4];

	for (unsigned k = 0; k < solver->count; k++, values += stride) {
		unsigned joint = solver->joints[k], parent = smpl_joints[joint].parent;
		const double *above = k == 0 ? none : world[parent];

		memcpy(world[joint], above, sizeof world[joint]);
		orient(reader, joint, frame, world[joint]);
		anim_quat_conjugate_double(inverse, above);
		anim_quat_multiply_double(local, inverse, world[joint]);
		for (unsigned j = 0; j < 4; j++)
			values[j] = (float)local[j];
		memcpy(place[joint], frame + 3 * k, sizeof place[joint]);
		if (k == 0)
			continue;
		anim_quat_rotate_double(bone, above, reader->offsets[joint]);
		for (unsigned j = 0; j < 3; j++)
			place[joint][j] = place[parent][j] + bone[j];
		subtract(bone, place[joint], frame + 3 * k);
		reader->residual = fmax(reader->residual, sqrt(anim_vec3_dot_double(bone, bone)));
	}
	for (unsigned j = 0; j < 3; j++)
		values[j] = (float)frame[j];
	values[3] = 0;
}

void npz_solver_begin(struct npz_reader *reader, const uint8_t *joints, unsigned count)
{
	struct npz_solver *solver = &reader->solver;

	*solver = (struct npz_solver){.joints = joints, .count = count};
	memset(solver->place, SMPL_NO_JOINT, sizeof solver->place);
	memset(solver->child, SMPL_NO_JOINT, sizeof solver->child);
	for (unsigned k = 0; k < count; k++)
		solver->place[joints[k]] = (uint8_t)k;
	for (unsigned k = 1; k < count; k++)
		if (hub_of(solver, smpl_joints[joints[k]].parent) == NULL)
			solver->child[smpl_joints[joints[k]].parent] = joints[k];
	memset(reader->offsets, 0, sizeof reader->offsets);
	reader->has_offsets = true;
	reader->offsets[0][1] = SMPL_ROOT_HEIGHT;
	reader->residual = 0;
}

int npz_solve(struct npz_reader *reader, double *tile, size_t width, size_t frames, bool is_first)
{
	size_t items = reader->solver.count + 1;
	float *to;

	reader->run.size = 0;
	to = anim_buffer_extend(&reader->run, items * frames * 4 * sizeof *to, reader->error);
	if (to == NULL)
		return -1;
	for (size_t i = 0; i < frames * width; i++)
		tile[i] *= reader->unit_m;
	if (is_first && frames > 0)
		find_offsets(reader, tile);
	for (size_t k = 0; k < frames; k++)
		solve_frame(reader, tile + k * width, to + 4 * k, 4 * frames);
	return npz_block_append(reader, items, frames);
}
