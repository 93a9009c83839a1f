/* lattices.h: lattices for the values of tracks, as coarse as limits allow. */
#ifndef ANIM_FILTER_REDUCE_LATTICES_H
#define ANIM_FILTER_REDUCE_LATTICES_H

#include "filter/reduce/joints.h"
#include "stream/lattice.h"

/* Memory that is reused from track to track. All-zero is empty. */
struct reduce_lattice_work {
	struct anim_buffer aligned, bytes, values, points;
	struct anim_record record;
};
void reduce_lattice_work_clear(struct reduce_lattice_work *);

/*
 * The lattice of a track: a step for each of its blocks, or NULL if its values stay exact. Changes of points are sorted by key.
 */
struct reduce_lattice {
	float *steps;
	struct anim_lattice_change *changes;
	size_t change_count;
};

/*
 * Find the lattices of a track's blocks, and the values at the nearest points, or at the changed ones. `out` is the track with
 * these, in the memory of the work. Returns 1, 0 if the values do not fit, or -1.
 */
int reduce_lattice_fit(struct reduce_lattice_work *, const struct anim_clip *, const struct anim_track *,
		       const struct reduce_lattice *, struct anim_lattice *blocks, struct anim_track *out,
		       struct anim_error *);
/*
 * Equal parts of the samples of a clip: their first times (count + 1), the largest error that a sample may have, the
 * proven error, and whether samples are repaired again. Errors are relative to the limit.
 */
struct reduce_windows {
	size_t count;
	double *from, *allowed, *worst;
	uint8_t *again;
};
/*
 * Change points of samples in which the errors of joints exceed their limit, in the windows that are repaired again. In others, the
 * changes of the lattices stay. Sets the changes of all lattices, in the arena.
 * Returns 1, 0 if this is not possible, because the tracks of joints do not have the same samples, or -1.
 */
int reduce_repair(const struct reduce_scene *, const struct reduce_joints *, const struct reduce_windows *,
		  struct reduce_lattice_work *, struct anim_arena *, struct reduce_lattice *, struct anim_error *);

/* Return the number of blocks of n keys. */
size_t reduce_lattice_blocks(size_t n);
/*
 * Put the values of a track on a lattice. `out` has the decoded values, and the record with them on the lattice,
 * in the memory of the work. Returns 1, 0 if the values do not fit, or -1.
 */
int reduce_lattice_encode(struct reduce_lattice_work *, const struct anim_clip *, const struct anim_track *,
			  const struct reduce_lattice *, struct anim_track *out, struct anim_error *);

#define REDUCE_LATTICE_UNITS 4 /* of the limits of tracks by themselves: enum anim_bound_unit, except in space */
struct reduce_lattice_job {
	struct reduce_scene *scene;
	struct reduce_joints *joints; /* NULL: no limit in space */
	struct reduce_limits *limits;
	struct reduce_lattice_work *work;
	struct anim_arena *arena; /* for the steps */
	size_t store_memory;
	/* results */
	struct reduce_lattice *lattices; /* for each track of the store, zero before */
	struct reduce_proof *proofs;     /* for each group of joints, zero before */
	size_t groups;
	double asked[REDUCE_LATTICE_UNITS], reached[REDUCE_LATTICE_UNITS]; /* tracks by themselves, zero before */
	double gain; /* bytes by which tracks that are clearly smaller become smaller at least, zero before */
};
/*
 * Find lattices for all tracks of the scene's store that become smaller with them, within all limits. Returns 0 or -1.
 */
int reduce_lattices(struct reduce_lattice_job *, struct anim_error *);

#endif
