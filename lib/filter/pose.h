/* pose.h: where a clip puts the nodes of its tree, in the space that the tree stands in. */
#ifndef ANIM_FILTER_POSE_H
#define ANIM_FILTER_POSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "clip/rest.h"
#include "clip/sink.h"
#include "stream/store.h"

/* What moves a node relative to its parent; a part without values is the rest's. */
enum anim_pose_part {
	ANIM_POSE_POSITION,
	ANIM_POSE_ROTATION,
	ANIM_POSE_SCALE,
	ANIM_POSE_PARTS,
	/*
	 * For motions, where a part does not go straight from a sample to the next: of each, one number, its second derivative
	 * up to the next at most, of rotations in radians; by a time that counts 1 from sample to sample.
	 */
	ANIM_POSE_POSITION_BEND = ANIM_POSE_PARTS,
	ANIM_POSE_ROTATION_BEND,
	ANIM_POSE_SCALE_BEND,
	ANIM_POSE_COLUMNS
};

/* A node's transform: three rows of its basis, each with that row's part of the origin behind: x' = m[0] x + m[1] y + m[2] z + m[3]. */
#define ANIM_POSE_NUMBERS 12

#define ANIM_POSE_NONE UINT32_MAX /* no node */

/*
 * The nodes of one tree, and for the clip at hand the values of their parts at so many samples. Values wait in a spool, in
 * memory up to a size; transforms are made tile by tile, all nodes that move of some samples at once. All members are private but
 * `rests`, which finds nodes, and `axes`; begin with anim_poses_init.
 */
struct anim_poses {
	bool follows; /* set by the caller: tiles tell how nodes move from sample to sample, too */
	struct anim_rests rests;
	uint8_t axes;             /* enum anim_axes of the last tree that a sink brought */
	bool has_bones[2];        /* in space; in the plane */
	struct anim_buffer nodes; /* struct anim_pose_node */
	struct anim_spool spool;
	size_t samples;
	const double *times;           /* of the samples; NULL: nobody told */
	size_t first, tile;            /* the tile at hand: its first sample, how many a tile has */
	size_t made;                   /* samples that it has; 0: none are made */
	bool made_motions;             /* and how nodes move */
	struct anim_buffer moved;      /* uint32_t: nodes that move in the clip */
	size_t moving;                 /* how many those are */
	struct anim_buffer transforms; /* of the tile: by node that moves, then by sample */
	struct anim_buffer motions;    /* struct anim_pose_motion: likewise */
	struct anim_buffer floats;
};

/*
 * What a node's transform does from a sample to the next, while positions and scales go straight and rotations along arcs or
 * chords, or as the _BEND columns say: bounds of its derivatives by a time that counts 1 from sample to sample, of the basis as a
 * matrix' norm. Between the two samples a transform is no farther from the straight line between them than an eighth of the second
 * derivative.
 */
struct anim_pose_motion {
	double basis, basis1, basis2, origin1, origin2;
	double basis_rounding, origin_rounding; /* what float32 makes of the values that were put, at most */
	bool rigid;                             /* no scale but 1 */
	/*
	 * Of the node by itself: its position at the sample (also at the last one of a tile, where nothing else is told), that one's
	 * second derivative at most, and by how much the speed of its turn may change.
	 */
	float position[3], bend, gain;
};

void anim_poses_init(struct anim_poses *, size_t memory_max);
void anim_poses_clear(struct anim_poses *); /* also leaves it as _init does, the spool's size apart */

/*
 * What a whole value of this property and so many components moves of its node: ANIM_POSE_PARTS, nothing. Positions and scales
 * have three, a rotation four; of a node of the plane also two, and its angle one.
 */
enum anim_pose_part anim_pose_part_of(const struct anim_rest *, const char *property, unsigned components);

/* The next node of the tree, in the order of its records. 0 or -1. */
int anim_poses_add(struct anim_poses *, const struct anim_node *, struct anim_error *);
/* A sink that adds all nodes that come (the poses are borrowed). NULL on failure. */
struct anim_sink *anim_poses_sink_new(struct anim_poses *, struct anim_error *);

size_t anim_poses_count(const struct anim_poses *);
/* The node that a track of a clip under `root` drives; ANIM_POSE_NONE where the tree has none. */
uint32_t anim_poses_find(struct anim_poses *, const char *root, const char *node);
const char *anim_poses_path(const struct anim_poses *, uint32_t node);
uint32_t anim_poses_parent(const struct anim_poses *,
			   uint32_t node); /* smaller than its own; ANIM_POSE_NONE of the root */
bool anim_poses_is_flat(const struct anim_poses *, uint32_t node); /* it lies in the plane */

/* The same, in a tree of another file also by the node's own name. */
uint32_t anim_poses_find_loosely(struct anim_poses *, const char *root, const char *node);

/* The rotations of all nodes at rest, in the space that the tree stands in; in the arena. 0 or -1. */
int anim_poses_turns(const struct anim_poses *, double (**out)[4], struct anim_arena *, struct anim_error *);
/* That of what the node hangs on; none above the first. */
const double *anim_poses_turn_above(const struct anim_poses *, double (*turns)[4], uint32_t node);

/* A clip of so many samples begins; the values of the one before are forgotten. */
void anim_poses_begin(struct anim_poses *, size_t samples);

/*
 * A tree as small as a clip needs it: after anim_poses_begin(tree, 0) nodes are marked; to the branch belong these, all above and all
 * below them, and the first. The copy forgets what it was; a search there finds what it finds in the tree, or nothing. 0 or -1.
 */
void anim_poses_mark(struct anim_poses *tree, uint32_t node);
void anim_poses_find_branch(struct anim_poses *tree);
int anim_poses_copy_branch(struct anim_poses *branch, const struct anim_poses *tree, struct anim_error *);

/*
 * The node's values are told in the space that the tree stands in: nothing above moves it, and parts without values are no
 * part of its rest but change nothing. (Said between _begin and _ready.)
 */
void anim_poses_set_apart(struct anim_poses *, uint32_t node);

/*
 * A part of a node has values: anim_poses_put then takes them, `samples` in all and in any pieces, of three numbers each or, for
 * rotations, four (quaternions of any length but 0). A part that has some already keeps those: false. -1 on error.
 */
int anim_poses_open(struct anim_poses *, uint32_t node, enum anim_pose_part, struct anim_error *);
int anim_poses_put(struct anim_poses *, const float *numbers, size_t count, struct anim_error *);
/* The same of one value of so many components; of two, the third is as the node rests. 0 or -1. */
int anim_poses_put_value(struct anim_poses *, uint32_t node, enum anim_pose_part, const float *value,
			 unsigned components, struct anim_error *);

/*
 * The rotations of a node are no arcs between their keys but chords, brought back to length 1, of quaternions that are at most
 * `radians` apart. (For their motion; said between _begin and _ready.)
 */
void anim_poses_chords(struct anim_poses *, uint32_t node, double radians);

/* All values are there: says which nodes move, and makes room for a tile. 0 or -1. */
int anim_poses_ready(struct anim_poses *, struct anim_error *);
bool anim_poses_moves(const struct anim_poses *, uint32_t node);
/* The `i`th node that moves of poses->moving, by rising numbers: for loops whose cost follows the clip and not its tree. */
uint32_t anim_poses_moved(const struct anim_poses *, size_t i);
uint32_t anim_poses_slot(const struct anim_poses *, uint32_t node); /* its i; ANIM_POSE_NONE: it does not move */

/* `count` samples from `first` on, at most poses->tile and all there, become the tile at hand. 0 or -1. */
int anim_poses_tile(struct anim_poses *, size_t first, size_t count, struct anim_error *);

/*
 * After anim_poses_ready: calls `look` for each sample in order with its number and its place in the tile at hand, by which
 * anim_poses_at finds it. 0 or -1.
 */
typedef void anim_poses_look(void *context, size_t sample, size_t in_tile);
int anim_poses_each(struct anim_poses *, anim_poses_look *, void *context, struct anim_error *);

/* The values of a part at `count` samples from `first` on, to be read until the next call; NULL where it has none. 0 or -1. */
int anim_poses_column(struct anim_poses *, uint32_t node, enum anim_pose_part, size_t first, size_t count,
		      const float **values, struct anim_error *);

/* Scale first, then rotation, then position; and what is so placed in what `a` places. */
void anim_pose_compose(double out[ANIM_POSE_NUMBERS], const float position[3], const float rotation[4],
		       const float scale[3]);
void anim_pose_multiply(double out[ANIM_POSE_NUMBERS], const double a[ANIM_POSE_NUMBERS],
			const double b[ANIM_POSE_NUMBERS]);

/* The bounds from sample k of the tile at hand to k + 1, which is in it too; the poses follow. Borrowed until the next tile. */
const struct anim_pose_motion *anim_poses_motion(const struct anim_poses *, uint32_t node, size_t k);

/*
 * The largest distance of a point of a sphere around a node in one transform from the same point in the other; never too small.
 * `rigid`: both only turn and move.
 */
double anim_poses_distance(const double a[ANIM_POSE_NUMBERS], const double b[ANIM_POSE_NUMBERS], double shell,
			   bool rigid);

/* The transform of a node at sample k of the tile at hand: ANIM_POSE_NUMBERS numbers. */
const double *anim_poses_at(const struct anim_poses *, uint32_t node, size_t k);

#endif
