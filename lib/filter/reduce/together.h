/* together.h: what the tracks of a skeleton have in common while their keys are chosen, and what is measured of them meanwhile. */
#ifndef ANIM_FILTER_REDUCE_TOGETHER_H
#define ANIM_FILTER_REDUCE_TOGETHER_H

#include "filter/reduce/internal.h"

#define REDUCE_AIM 0.985 /* of the tolerance: what is aimed at */

struct reduce_together {
	const struct reduce_scene *scene;
	const struct reduce_joints *joints;
	struct anim_arena *arena;
	struct reduce_chosen *chosen;       /* of each track of the store */
	struct anim_buffer knots, merged;   /* double: when any track has a key */
	struct anim_buffer times, knot;     /* double, uint32_t: where poses are made; at or behind which knot */
	struct anim_buffer between, wanted; /* uint32_t: pieces from this knot to the next, now and next */
	size_t nodes, pieces, stride;       /* knots in a piece */
	double *cost;                       /* of each node: keys that its tracks have */
	bool *narrower;                     /* of each node: limits of its tracks have become smaller */
	bool *stale;                        /* of each piece: it is to be measured, as keys or times have changed */
	float *allowed;                     /* of each knot: the part of its tolerance that a point may be off there */
	uint8_t *touched;                   /* of each knot: keys between it and the next have changed */
	float *scale, *off; /* of each node, of each piece: by what limits grow, what part of its tolerance it is off */
	double warp_s;      /* how far keys are moved to become float32 */
	double slack;       /* of the tolerance: what may be unknown at least */
	bool quick;         /* a few keys too many do not matter yet */
	bool hopeless;      /* float32 alone may put a point farther off than its tolerance */
	struct reduce_proof *proofs; /* of each piece, of each group of joints */
	size_t groups;
	double *worst; /* of each piece, of all nodes, the largest part of its tolerance that one may be off */
	struct anim_buffer cubics; /* of the track at hand */
	struct reduce_apart apart;
};

static inline size_t reduce_count_of(const struct anim_buffer *doubles)
{
	return doubles->size / sizeof(double);
}

static inline const double *reduce_numbers_of(const struct anim_buffer *doubles)
{
	return (const double *)(const void *)doubles->data;
}

/* ---- Of source and result: where poses are made, of what, and how far they are apart ---- */

/*
 * The times of the poses: the knots of stale pieces, and between two of them as many as are wanted. Where a piece follows that is
 * not stale, its first knot ends them. 0 or -1.
 */
int reduce_place_times(struct reduce_together *, struct anim_error *);
/* The knots alone. 0 or -1. */
int reduce_place_knots(struct reduce_together *, struct anim_error *);

/* The values of a track's keys, of all or of those kept, at the times of the poses of a side: 0 the source, 1 the result. 0 or -1. */
int reduce_put_track(struct reduce_together *, int side, const struct reduce_share *, const struct reduce_run *,
		     const uint8_t *keep, struct anim_error *);

/*
 * At all times that there are, of poses that are ready: what each piece is off, and, where the poses follow, what is proven of it
 * and how many times are wanted. 0 or -1.
 */
int reduce_measure(struct reduce_together *, struct anim_error *);

#endif
