/* affine.h: apply a matrix to the values of tracks. Keys, times and modes are unchanged. */
#ifndef ANIM_FILTER_COMMON_AFFINE_H
#define ANIM_FILTER_COMMON_AFFINE_H

#include "base/buffer.h"
#include "clip/track.h"

/*
 * out = m in + offset, for values of up to 4 components. Values between keys are transformed as well: all modes are
 * linear in the values. For quaternions, the matrix multiplies by both factors of q' = a q b, which rotates all
 * interpolated values.
 */
struct anim_affine {
	unsigned components;
	double m[4][4], offset[4];
};

/*
 * Compute the matrix of q -> a q b, the matrix of q -> q mirrored at the plane with this normal (0 to 2), and the
 * product out = second(first(in)).
 */
void anim_affine_rotation(struct anim_affine *, const double a[4], const double b[4]);
void anim_affine_mirror(struct anim_affine *, unsigned normal);
void anim_affine_join(struct anim_affine *out, const struct anim_affine *second, const struct anim_affine *first);

/* Compute a 3 x 3 matrix from the basis of a transform with three rows of four numbers (NULL: identity). */
void anim_affine_basis(struct anim_affine *, const double *rows);
/* Set the offset so that the result maps `from` to `to`. */
void anim_affine_about(struct anim_affine *, const double from[3], const double to[3]);

/* Round numbers that are within double rounding of -1, 0 or 1. */
void anim_affine_snap(struct anim_affine *);

/* Invert a 3 x 3 matrix without offset. Returns false if it is singular. */
bool anim_affine_invert(struct anim_affine *);

/* Return whether the matrix changes nothing. */
bool anim_affine_is_none(const struct anim_affine *);

/* Reduce the matrix to one component. Returns false if it depends on others or does not exist. */
bool anim_affine_component(struct anim_affine *, unsigned component);

/*
 * Convert a matrix of quaternions to the matrix of Euler angles in any order. Returns false if the matrix changes more
 * than signs, because no angles then follow the same path.
 */
bool anim_affine_angles(struct anim_affine *);

/*
 * Transform a track of floats or doubles with as many components. *out is a copy with its columns in the buffers, which
 * are indexed by column number. Returns 1. Returns 0 if the track cannot be transformed: the matrix mixes components,
 * and the track has handles with separate times per component or infinite slopes. Returns -1 on failure, also if a
 * value exceeds the range of its type.
 */
int anim_affine_track(const struct anim_affine *, const struct anim_track *, struct anim_buffer[ANIM_COLUMN_COUNT],
		      struct anim_track *out, struct anim_error *);

#endif
