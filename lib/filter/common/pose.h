/* pose.h: the positions of a tree's nodes in world space while a clip plays. */
#ifndef ANIM_FILTER_COMMON_POSE_H
#define ANIM_FILTER_COMMON_POSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "clip/rest.h"
#include "clip/sink.h"
#include "stream/store.h"

/* The parts of a node's transform relative to its parent. A part without values has the rest value. */
enum anim_pose_part {
	ANIM_POSE_POSITION,
	ANIM_POSE_ROTATION,
	ANIM_POSE_SCALE,
	ANIM_POSE_PARTS,
	/*
	 * For motions: columns for parts that are not linear between samples. Each is one number, a bound of the second
	 * derivative up to the next sample, with time counted in samples. For rotations it is in radians.
	 */
	ANIM_POSE_POSITION_BEND = ANIM_POSE_PARTS,
	ANIM_POSE_ROTATION_BEND,
	ANIM_POSE_SCALE_BEND,
	ANIM_POSE_COLUMNS
};

/*
 * A node's transform: three rows, each with a row of the basis followed by a number of the origin: x' = m[0] x + m[1] y
 * + m[2] z + m[3].
 */
#define ANIM_POSE_NUMBERS 12

#define ANIM_POSE_NONE UINT32_MAX /* no node */

/*
 * The nodes of one tree, and the values of their parts at the samples of the current clip. Values are in a spool, in
 * memory up to a limit. Transforms are computed in tiles: some samples of all moving nodes at once. All members are
 * private except `rests`, which finds nodes, and `axes`. Begin with anim_poses_init.
 */
struct anim_poses {
	bool follows; /* set by the caller: tiles also describe the motion between samples */
	struct anim_rests rests;
	uint8_t axes;             /* enum anim_axes of the last tree from a sink */
	bool has_bones[2];        /* 3D bones; 2D bones */
	struct anim_buffer nodes; /* struct anim_pose_node */
	struct anim_spool spool;
	size_t samples;
	const double *times;           /* of the samples; NULL: not given */
	size_t first, tile;            /* the current tile's first sample; the size of a tile */
	size_t made;                   /* number of computed samples in the tile; 0: none */
	bool made_motions;             /* motions were computed as well */
	struct anim_buffer moved;      /* uint32_t: nodes that the clip moves */
	size_t moving;                 /* their number */
	struct anim_buffer transforms; /* of the tile: by moving node, then by sample */
	struct anim_buffer motions;    /* struct anim_pose_motion, in the same order */
	struct anim_buffer floats;
};

/*
 * Bounds of a node's motion from one sample to the next. Positions and scales are linear, and rotations follow arcs or
 * chords, or as the _BEND columns say. The members bound derivatives of the transform, with time counted in samples.
 * For the basis they bound the matrix norm. Between two samples, the distance of a transform from the straight line is
 * at most an eighth of the second derivative.
 */
struct anim_pose_motion {
	double basis, basis1, basis2, origin1, origin2;
	double basis_rounding, origin_rounding; /* bounds of the float32 rounding of the values */
	bool rigid;                             /* all scales are 1 */
	/*
	 * Of the node alone: its position at the sample, the bound of its second derivative, and the bound of the
	 * change of its rotation speed. The position is also valid at the last sample of a tile, unlike the other
	 * members.
	 */
	float position[3], bend, gain;
};

void anim_poses_init(struct anim_poses *, size_t memory_max);
void anim_poses_clear(struct anim_poses *); /* also initializes again, with the same memory limit */

/*
 * Return the part that a vector of this property with this number of components moves. ANIM_POSE_PARTS: none. Positions
 * and scales have 3 components, rotations 4. 2D nodes may also have 2, and an angle with 1.
 */
enum anim_pose_part anim_pose_part_of(const struct anim_rest *, const char *property, unsigned components);

/* Add the next node of the tree, in the order of its records. Returns 0 or -1. */
int anim_poses_add(struct anim_poses *, const struct anim_node *, struct anim_error *);
/* Return a sink that adds all incoming nodes. The poses are borrowed. Returns NULL on failure. */
struct anim_sink *anim_poses_sink_new(struct anim_poses *, struct anim_error *);

size_t anim_poses_count(const struct anim_poses *);
/* Return the node that a track of a clip under `root` animates, or ANIM_POSE_NONE if the tree does not have it. */
uint32_t anim_poses_find(struct anim_poses *, const char *root, const char *node);
const char *anim_poses_path(const struct anim_poses *, uint32_t node);
uint32_t anim_poses_parent(const struct anim_poses *,
			   uint32_t node); /* smaller than its own number; ANIM_POSE_NONE for the root */
bool anim_poses_is_flat(const struct anim_poses *, uint32_t node); /* whether it is a 2D node */

/* Like anim_poses_find, but in a tree of another file nodes are also found by their own names. */
uint32_t anim_poses_find_loosely(struct anim_poses *, const char *root, const char *node);

/* Compute the rotations of all nodes at rest in world space, in the arena. Returns 0 or -1. */
int anim_poses_rotations(const struct anim_poses *, double (**out)[4], struct anim_arena *, struct anim_error *);
/* Return the rotation of the node's parent, or the identity. */
const double *anim_poses_rotation_above(const struct anim_poses *, double (*rotations)[4], uint32_t node);

/* Call it after a change of values in `rests`, before anim_poses_begin. */
void anim_poses_rest_again(struct anim_poses *);

/* Begin a clip with `samples` samples. The values of the previous clip are dropped. */
void anim_poses_begin(struct anim_poses *, size_t samples);

/*
 * Copy the part of a tree that a clip needs. After anim_poses_begin(tree, 0), mark nodes. The branch consists of these,
 * all nodes above and below them, and the first node. The copy replaces the content of `branch`. A search in it finds
 * the same nodes as in the tree, or nothing. Returns 0 or -1.
 */
void anim_poses_mark(struct anim_poses *tree, uint32_t node);
void anim_poses_find_branch(struct anim_poses *tree);
int anim_poses_copy_branch(struct anim_poses *branch, const struct anim_poses *tree, struct anim_error *);

/*
 * Declare that the node's values are in world space. Nothing above moves it, and parts without values are the identity
 * instead of the rest value. Call it between _begin and _ready.
 */
void anim_poses_set_apart(struct anim_poses *, uint32_t node);

/*
 * Begin the values of a node's part. Then call anim_poses_put for `samples` values in any number of pieces. A value has
 * 3 numbers or, for rotations, 4 (a quaternion of any length except 0). Returns 1, 0 if the part already has values, or
 * -1.
 */
int anim_poses_open(struct anim_poses *, uint32_t node, enum anim_pose_part, struct anim_error *);
int anim_poses_put(struct anim_poses *, const float *numbers, size_t count, struct anim_error *);
/* Append one value with `components` numbers. If there are 2, the third is the rest value. Returns 0 or -1. */
int anim_poses_put_value(struct anim_poses *, uint32_t node, enum anim_pose_part, const float *value,
			 unsigned components, struct anim_error *);

/*
 * Declare that the node's rotations follow normalised chords between keys instead of arcs. Their quaternions are at
 * most `radians` apart. For motions; call it between _begin and _ready.
 */
void anim_poses_chords(struct anim_poses *, uint32_t node, double radians);

/* End the values: find the nodes that move and reserve a tile. Returns 0 or -1. */
int anim_poses_ready(struct anim_poses *, struct anim_error *);
bool anim_poses_moves(const struct anim_poses *, uint32_t node);
/*
 * Return the `i`th of poses->moving nodes that move, in ascending order. Such loops depend on the clip, not on the size
 * of the tree.
 */
uint32_t anim_poses_moved(const struct anim_poses *, size_t i);
uint32_t anim_poses_slot(const struct anim_poses *, uint32_t node); /* its i; ANIM_POSE_NONE: it does not move */

/* Compute the tile of `count` samples from `first` on, at most poses->tile. Returns 0 or -1. */
int anim_poses_tile(struct anim_poses *, size_t first, size_t count, struct anim_error *);

/*
 * After anim_poses_ready: call `visit` for each sample in order with its number and its index in the current tile, which
 * anim_poses_at uses. Returns 0 or -1.
 */
typedef void anim_poses_visit(void *context, size_t sample, size_t in_tile);
int anim_poses_each(struct anim_poses *, anim_poses_visit *, void *context, struct anim_error *);

/*
 * Get the values of a part at `count` samples from `first` on, valid until the next call. *values is NULL if it has
 * none. Returns 0 or -1.
 */
int anim_poses_column(struct anim_poses *, uint32_t node, enum anim_pose_part, size_t first, size_t count,
		      const float **values, struct anim_error *);

/* Compose a transform from scale, rotation and position, applied in this order; multiply two transforms, `b` first. */
void anim_pose_compose(double out[ANIM_POSE_NUMBERS], const float position[3], const float rotation[4],
		       const float scale[3]);
void anim_pose_multiply(double out[ANIM_POSE_NUMBERS], const double a[ANIM_POSE_NUMBERS],
			const double b[ANIM_POSE_NUMBERS]);

/*
 * Return the bounds from sample k of the current tile to k + 1, which must be in the tile. Requires poses->follows.
 * Borrowed until the next tile.
 */
const struct anim_pose_motion *anim_poses_motion(const struct anim_poses *, uint32_t node, size_t k);

/*
 * Return the largest distance between a point of a sphere around a node in one transform and the same point in the
 * other. It is never too small. `rigid`: both transforms only rotate and translate.
 */
double anim_poses_distance(const double a[ANIM_POSE_NUMBERS], const double b[ANIM_POSE_NUMBERS], double shell,
			   bool rigid);

/* Return the node's transform at sample k of the current tile: ANIM_POSE_NUMBERS numbers. */
const double *anim_poses_at(const struct anim_poses *, uint32_t node, size_t k);

#endif
