/* affine.h: tracks whose values go through a matrix, keys, times and modes as they are. */
#ifndef ANIM_FILTER_AFFINE_H
#define ANIM_FILTER_AFFINE_H

#include "base/buffer.h"
#include "clip/track.h"

/*
 * out = m in + offset, for values of so many components, at most 4. What comes between keys goes along: every mode is linear in
 * the values, and those of quaternions turn with both factors of q' = a q b, which is what such a matrix stands for there.
 */
struct anim_affine {
	unsigned components;
	double m[4][4], offset[4];
};

/* q -> a q b, and q -> q mirrored at the plane of this normal (0 to 2), as matrices; out = second(first(in)). */
void anim_affine_turn(struct anim_affine *, const double a[4], const double b[4]);
void anim_affine_mirror(struct anim_affine *, unsigned normal);
void anim_affine_join(struct anim_affine *out, const struct anim_affine *second, const struct anim_affine *first);

/* The basis of a transform of three rows of four numbers (NULL: none), as a matrix of points. */
void anim_affine_basis(struct anim_affine *, const double *rows);
/* Its offset becomes the one that brings `from` to `to`. */
void anim_affine_about(struct anim_affine *, const double from[3], const double to[3]);

/* Numbers that products in double leave next to -1, 0 and 1 become those. */
void anim_affine_snap(struct anim_affine *);

/* Three rows without offset become their inverse. False where they have none. */
bool anim_affine_invert(struct anim_affine *);

/* True where each component comes from one alone, or from none; where nothing changes. */
bool anim_affine_parts(const struct anim_affine *);
bool anim_affine_is_none(const struct anim_affine *);

/* What it does to one component alone. False where others take part, or there is no such component. */
bool anim_affine_lane(struct anim_affine *, unsigned component);

/*
 * A matrix of quaternions becomes that of their angles about the axes, whatever their order: where it changes no more than signs.
 * False where it does more: angles take no such course then.
 */
bool anim_affine_angles(struct anim_affine *);

/*
 * A track of floats or doubles, of as many components, through the matrix: *out is a copy whose columns lie in the buffers (by
 * the columns' numbers). 1; 0 where it cannot be: handles with times of their own for each component, or slopes that are not
 * finite, under a matrix that mixes components; -1, also where a value leaves its type's range.
 */
int anim_affine_track(const struct anim_affine *, const struct anim_track *, struct anim_buffer[ANIM_COLUMN_COUNT],
		      struct anim_track *out, struct anim_error *);

#endif
