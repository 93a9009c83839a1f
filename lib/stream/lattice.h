/* lattice.h: values of tracks as integers on a lattice, column form 2 of anim-stream(5): smaller, with a chosen error. */
#ifndef ANIM_STREAM_LATTICE_H
#define ANIM_STREAM_LATTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "clip/track.h"

#define ANIM_LATTICE_COORDINATES 4
#define ANIM_LATTICE_BLOCK_KEYS 8192u

/*
 * The lattice of a block of values. A number is base + k * step. A rotation is the mean rotation followed by
 * (2 v, 1 - v^2) / (1 + v^2) for v = k * step, with three coordinates: the tangents of a quarter of the angle, along the
 * axis. These need no elementary function, are finite up to a full turn, and distances in all directions are scaled by the
 * same factor. The angle between two rotations is at most four times the distance of their v.
 */
struct anim_lattice {
	bool rotation;
	unsigned coordinates;
	float step;                           /* 0: all k are 0 */
	float base[ANIM_LATTICE_COORDINATES]; /* of numbers */
	int8_t mean[4];                       /* of rotations: a quaternion of any length but 0 */
};

/* Return true if the values of this type can be on a lattice: float, float2..4, floatQ, color. */
bool anim_lattice_can(enum anim_type);

/*
 * Choose the base or the mean for `keys` values (at least 1) of such a type, and set the step. Returns false if the
 * values are too far apart for 32-bit integers, are not finite, or are rotations too far from their mean.
 */
bool anim_lattice_fit(struct anim_lattice *, enum anim_type, const float *values, size_t keys, float step);

/*
 * Find the nearest points of the lattice: `keys` integers of coordinate 0, then of coordinate 1, and so on. anim_lattice_fit
 * returned true for these values. Then get the values of points.
 */
void anim_lattice_find(const struct anim_lattice *, const float *values, size_t keys, int32_t *points);
void anim_lattice_values(const struct anim_lattice *, const int32_t *points, size_t keys, float *values);

/*
 * Return the bits of the codes of the points, with the best order of differences for each coordinate. The
 * points are overwritten.
 */
uint64_t anim_lattice_bits(const struct anim_lattice *, int32_t *points, size_t keys);

/* Get the coordinates of a value on the lattice, not rounded and not divided by the step. */
void anim_lattice_coordinates(const struct anim_lattice *, const float *value, double v[ANIM_LATTICE_COORDINATES]);

/* A number that is added to a coordinate of a key, so that its point is not the nearest. */
struct anim_lattice_change {
	uint32_t key;
	uint8_t coordinate;
	int8_t by;
};

/*
 * Encode a track as a record whose value column has form 2, with a step for each block of ANIM_LATTICE_BLOCK_KEYS keys.
 * The other columns are plain. Both buffers are emptied first. `values` gets the values as a reader decodes them. Returns
 * 1, 0 if anim_lattice_fit fails for a block, or -1.
 */
int anim_lattice_encode(const struct anim_track *, const float *steps, const struct anim_lattice_change *, size_t count,
			struct anim_buffer *record, struct anim_buffer *values, struct anim_error *);

#endif
