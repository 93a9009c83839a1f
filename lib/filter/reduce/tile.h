/* tile.h: the poses of a skeleton at some knots, of source and result, and what becomes of them with other values. */
#ifndef ANIM_FILTER_REDUCE_TILE_H
#define ANIM_FILTER_REDUCE_TILE_H

#include "filter/reduce/internal.h"

#define REDUCE_PARTS 10 /* numbers of a node: position, rotation, scale */

extern const unsigned reduce_part_from[ANIM_POSE_PARTS]; /* where each of these begins */

/* A node that is carried: what is asked of it for every frame. */
struct reduce_carried {
	uint32_t node, slot, above; /* above: the slot of its parent, which is carried as well, but for the first */
	size_t on;                  /* from one transform of the source to the next */
	const double *source, *local;
	const struct reduce_target *target;
	bool rigid;
};

/* Frames are knots, counted from the first of the tile. */
struct reduce_tile {
	struct anim_poses *poses; /* two: source and result */
	const struct reduce_joints *joints;
	const float *allowed; /* of each knot: the part of its tolerance that a point may be off */
	size_t nodes, moving;
	uint32_t *slot;             /* of each node: its number among those that move, ANIM_POSE_NONE of others */
	size_t first, frames, room; /* where it begins, how many frames it has, and has at most */
	/* of each node that moves, of each frame: */
	float *parts, *source;        /* position, rotation and scale, of result and source */
	double *local, *world;        /* transforms of the result */
	uint8_t *missed;              /* keys of these parts (bits) may be missing here */
	bool *rigid;                  /* of each node: nothing is scaled */
	double *off;                  /* of each frame: the largest part of its tolerance that a node is off, */
	uint32_t *worst;              /* and which one that is */
	uint8_t *changed;             /* of each frame: parts have, since its poses were made */
	double *trial;                /* of each node that moves: its transform with what is tried */
	bool *carried;                /* of each node: by the one at hand */
	struct reduce_carried *below; /* these, the node itself first */
	size_t below_count;
	bool wide; /* wider registers are there */
	struct reduce_budget *budget;
};

/* For so many knots, and poses that have values at them; all is in the arena. 0 or -1. */
int reduce_tile_init(struct reduce_tile *, const struct reduce_scene *, const struct reduce_joints *,
		     const float *allowed, size_t knots, struct anim_arena *, struct anim_error *);

/* Both sides' parts at the tile's knots, as the scene's poses have them. 0 or -1. */
int reduce_tile_load(struct reduce_tile *, struct anim_error *);

/* All parts are what they are to begin with: none of the poses are made. */
void reduce_tile_begin(struct reduce_tile *);

/* The result's numbers of a node that moves. */
static inline float *reduce_tile_parts(const struct reduce_tile *tile, uint32_t node, size_t frame)
{
	return tile->parts + (tile->slot[node] * tile->room + frame) * REDUCE_PARTS;
}

/* The node at hand: those below are about it. */
void reduce_tile_take(struct reduce_tile *, uint32_t node);

/* The poses of what it carries follow its numbers. */
void reduce_tile_place(struct reduce_tile *, size_t frame);

/*
 * What the points that it carries are off with other numbers of its own, as one number: the largest count most of all. INFINITY
 * where one is farther off than it may be.
 */
double reduce_tile_cost(struct reduce_tile *, size_t frame, const float parts[REDUCE_PARTS]);

/*
 * Makes the poses of frames that have changed, and says which parts may miss a key, where a node is farther off than it may be,
 * and than one is at the frames beside. True where there are some.
 */
bool reduce_tile_find_missed(struct reduce_tile *);
/* Those of a node. */
static inline const uint8_t *reduce_tile_missed(const struct reduce_tile *tile, uint32_t node)
{
	return tile->missed + tile->slot[node] * tile->room;
}

#endif
