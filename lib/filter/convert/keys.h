/* keys.h: a Curve track that grows key by key. Internal to convert. */
#ifndef ANIM_FILTER_CONVERT_KEYS_H
#define ANIM_FILTER_CONVERT_KEYS_H

#include "base/buffer.h"
#include "clip/rules.h"

/* A segment: its ends, its mode, and where the mode is the cubic one, its inner control values. */
struct convert_piece {
	float from_s, to_s;
	enum anim_interp mode;
	double from[ANIM_COMPONENTS_MAX], to[ANIM_COMPONENTS_MAX];
	double inner[2][ANIM_COMPONENTS_MAX];
	bool weighted;   /* of one component: handles of other lengths than a third */
	double share[2]; /* of the segment: their lengths */
};

/* All-zero but for type and cubic is empty. */
struct convert_keys {
	enum anim_type type;
	enum anim_interp cubic; /* how cubics are written: CubicBezier, Hermite, Weighted or Bezier2D */
	enum anim_interp even;  /* and how where none is weighted */
	struct anim_buffer time, mode, value, left, right, left_x, right_x, weighted;
	double arriving[ANIM_COMPONENTS_MAX]; /* what the key to come has for its left column */
	float arriving_x;
	uint8_t arriving_weighted;
	bool arrives; /* `arriving` holds: the last segment was cubic */
	size_t n;
};

void convert_keys_reset(struct convert_keys *, enum anim_type, enum anim_interp cubic, enum anim_interp even);
void convert_keys_clear(struct convert_keys *);

/*
 * The inner control values of a piece as the target has them: numbers of the left and right column, and of left_x and
 * right_x where the mode has those.
 */
void convert_controls(const struct convert_piece *, enum anim_interp cubic, double right[ANIM_COMPONENTS_MAX],
		      double left[ANIM_COMPONENTS_MAX], float *right_x, float *left_x);

/* Appends the key that opens the piece; or a last key. 0 or -1. */
int convert_keys_add(struct convert_keys *, const struct convert_piece *, struct anim_error *);

/* Columns and modes of `out`; borrowed from the keys, which are done then. One mode for all keys stands once. */
void convert_keys_track(struct convert_keys *, struct anim_track *out);

#endif
