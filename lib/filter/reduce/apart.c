/* apart.c: bounds of the difference of two poses of a tree between two samples at which it is known. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/common/pose_rows.h"
#include "filter/reduce/joints.h"
#include "math/vector.h"

/*
 * The basis of a node is W, and W' = [T] W. T is its angular velocity in space: the sum of the velocities of all
 * nodes above it and its own velocity t. So T' is the sum of three terms: T' of its parent, the cross product of the
 * parent's T and t, and the change of t itself. For two such bases S and R, let D be their difference and x an upper
 * bound of its second derivative:
 *
 *   D'  = [Ts - Tr] S + [Tr] D       so Ts - Tr is at most D' plus T times D,
 *   D'' = ([Ts]^2 + [Ts'] - [Tr]^2 - [Tr']) S + ([Tr]^2 + [Tr']) D
 *
 * The last bracket is at most R''. D is at most x / 8 from the straight line between its ends, and D' at most x / 2
 * from the slope of that line. This gives x <= constant + factor x, and the factor is small if rotations are small.
 * An origin is the parent's origin plus the parent's W times a position, which moves in a straight line or bends as
 * the motion says. If anything is scaled, or if rotations are wide, D'' is at most the sum of both sides' second
 * derivatives.
 */
#define FACTOR_MAX 0.5 /* above it the equation gives no useful bound */

static const struct reduce_bend none;

/* A node from a sample to the next: bounds of the motion of both sides, and the difference at the two samples. */
struct ends {
	const struct anim_pose_motion *source, *result, *source_above, *result_above; /* above: NULL: none */
	double basis, step; /* the larger difference of the bases; the change of the difference */
};

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static double speed_above(const struct anim_pose_motion *above)
{
	return above != NULL ? above->basis1 : 0;
}

/*
 * The motion of a node in one of two poses, from sample to sample. A node that does not move is the same at all of
 * them.
 */
struct side {
	const double *transform;
	const struct anim_pose_motion *motion, *above; /* above: NULL: none */
	size_t on, above_on;                           /* 1; 0: it does not move */
};

static struct side side_of(const struct anim_poses *poses, uint32_t node)
{
	uint32_t parent = anim_poses_parent(poses, node);

	return (struct side){.transform = anim_poses_at(poses, node, 0),
			     .motion = anim_poses_motion(poses, node, 0),
			     .above = parent == ANIM_POSE_NONE ? NULL : anim_poses_motion(poses, parent, 0),
			     .on = anim_poses_moves(poses, node),
			     .above_on = parent != ANIM_POSE_NONE && anim_poses_moves(poses, parent)};
}

/* Bound D and its derivatives if nothing is scaled. */
static void bend_basis(const struct ends *e, const struct reduce_bend *above, struct reduce_bend *out)
{
	double fast = larger(e->source->basis1, e->result->basis1);
	double fast_above = larger(speed_above(e->source_above), speed_above(e->result_above));
	double own =
	    larger(e->source->basis1 - speed_above(e->source_above), e->result->basis1 - speed_above(e->result_above));
	double fixed = above->gain + above->speed * own + (double)e->source->gain + (double)e->result->gain;
	double speed = e->step + fast * e->basis;
	double constant = 2 * fast * speed + fixed + fast_above * (speed + above->speed) + e->result->basis2 * e->basis;
	double factor = (2 * fast + fast_above) * (0.5 + fast / 8) + e->result->basis2 / 8;
	double most = e->source->basis2 + e->result->basis2;

	out->basis2 = factor < FACTOR_MAX ? smaller(constant / (1 - factor), most) : most;
	out->basis = e->basis + out->basis2 / 8;
	out->basis1 = e->step + out->basis2 / 2;
	out->speed = smaller(out->basis1 + fast * out->basis, 2 * fast);
	out->gain = fixed + fast_above * smaller(out->speed + above->speed, 2 * own);
}

/* Bound the origin, from positions at two samples. Nothing above it is scaled. */
static double bend_origin(const struct ends *e, const struct reduce_bend *above, const struct side *source_side,
			  const struct side *result_side)
{
	const float *const source[2] = {e->source->position, (e->source + source_side->on)->position};
	const float *const result[2] = {e->result->position, (e->result + result_side->on)->position};
	double apart[2][3], along[3], away[3], at[2][3], bend = (double)e->source->bend,
							 both = bend + (double)e->result->bend;
	double far, moved, still, most = e->source->origin2 + e->result->origin2;

	for (int i = 0; i < 3; i++) {
		for (int end = 0; end < 2; end++) {
			at[end][i] = (double)source[end][i];
			apart[end][i] = at[end][i] - (double)result[end][i];
		}
		along[i] = at[1][i] - at[0][i];
		away[i] = apart[1][i] - apart[0][i];
	}
	far = larger(anim_vec3_length_double(at[0]), anim_vec3_length_double(at[1])) + bend / 8;
	moved = anim_vec3_length_double(along) + bend / 2;
	still = larger(anim_vec3_length_double(apart[0]), anim_vec3_length_double(apart[1])) + both / 8;
	if (e->result_above == NULL)
		return smaller(both, most);
	return smaller(
	    above->origin2 + above->basis2 * far + e->result_above->basis2 * still +
		2 * (above->basis1 * moved + e->result_above->basis1 * (anim_vec3_length_double(away) + both / 2)) +
		both,
	    most);
}

/* Bound the difference of a node from each sample of the tile to the next. */
static void bend_node(struct reduce_apart *a, const struct anim_poses poses[2], uint32_t node, size_t count)
{
	struct side source = side_of(&poses[0], node), result = side_of(&poses[1], node);
	uint32_t parent = anim_poses_parent(&poses[0], node);
	const struct reduce_bend *above = parent == ANIM_POSE_NONE ? &none : reduce_apart_at(a, parent, 0);
	size_t above_on = parent != ANIM_POSE_NONE && a->slot[parent] != ANIM_POSE_NONE;
	struct reduce_bend *out = a->bends + a->slot[node] * a->room;
	anim_pose_row before[3] = {{0}}, here[3], step[3];
	double unused, square;

	for (size_t k = 0; k < count; k++) {
		struct ends e = {.source = source.motion,
				 .result = result.motion,
				 .source_above = source.above,
				 .result_above = result.above};

		anim_pose_rows_subtract(here, source.transform, result.transform);
		/* the rotation between the two has two equal factors across its axis, and none along it */
		out[k].basis_at = sqrt(anim_pose_rows_squares(here, &square) / 2);
		out[k].origin_at = sqrt(square);
		source.transform += source.on * ANIM_POSE_NUMBERS;
		result.transform += result.on * ANIM_POSE_NUMBERS;
		for (int row = 0; row < 3; row++)
			step[row] = here[row] - before[row];
		memcpy(before, here, sizeof before);
		if (k == 0)
			continue;

		e.basis = larger(out[k - 1].basis_at, out[k].basis_at);
		e.step = sqrt(anim_pose_rows_squares(step, &unused));
		if (e.source->rigid && e.result->rigid) {
			bend_basis(&e, above, &out[k - 1]);
			out[k - 1].origin2 = bend_origin(&e, above, &source, &result);
		} else {
			/* bound each side by itself if anything is scaled. The values at the sample stay */
			out[k - 1].basis = e.source->basis + e.result->basis;
			out[k - 1].basis1 = e.source->basis1 + e.result->basis1;
			out[k - 1].basis2 = e.source->basis2 + e.result->basis2;
			out[k - 1].origin2 = e.source->origin2 + e.result->origin2;
			out[k - 1].speed = out[k - 1].gain = 0;
		}
		above += above_on;
		source.motion += source.on;
		result.motion += result.on;
		source.above = source.above_on > 0 ? source.above + 1 : source.above;
		result.above = result.above_on > 0 ? result.above + 1 : result.above;
	}
}

void reduce_apart_tile(struct reduce_apart *a, const struct anim_poses poses[2], size_t count)
{
	for (uint32_t node = 0; node < a->nodes; node++)
		if (a->slot[node] != ANIM_POSE_NONE)
			bend_node(a, poses, node, count);
}

const struct reduce_bend *reduce_apart_at(const struct reduce_apart *a, uint32_t node, size_t k)
{
	return a->slot[node] == ANIM_POSE_NONE ? &none : a->bends + a->slot[node] * a->room + k;
}

int reduce_apart_begin(struct reduce_apart *a, const struct anim_poses poses[2], struct anim_error *error)
{
	size_t moving = 0, bytes;

	reduce_apart_clear(a);
	a->nodes = anim_poses_count(&poses[0]);
	a->room = poses[0].tile < poses[1].tile ? poses[0].tile : poses[1].tile;
	a->slot = malloc((a->nodes + 1) * sizeof *a->slot);
	for (uint32_t node = 0; node < a->nodes && a->slot != NULL; node++)
		a->slot[node] = anim_poses_moves(&poses[0], node) || anim_poses_moves(&poses[1], node)
				    ? (uint32_t)moving++
				    : ANIM_POSE_NONE;
	if (anim_size_multiply(moving + 1, a->room * sizeof *a->bends, &bytes, error) != 0)
		return -1;
	a->bends = malloc(bytes);
	return a->slot == NULL || a->bends == NULL ? anim_fail_memory(error) : 0;
}

void reduce_apart_clear(struct reduce_apart *a)
{
	free(a->slot);
	free(a->bends);
	*a = (struct reduce_apart){0};
}
