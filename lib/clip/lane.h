/* lane.h: one number out of a column, whatever its type; for code that is not in a hurry. */
#ifndef ANIM_CLIP_LANE_H
#define ANIM_CLIP_LANE_H

#include "clip/type.h"

/*
 * Lane `lane` (less than the type's lanes) of element k of a column of `type` (no string), as double: bools 0 or 1,
 * 64-bit integers rounded.
 */
double anim_lane(enum anim_type type, const void *column, size_t k, unsigned lane);

/* The same as a 64-bit integer, for types made of bools or integers; ulong keeps its bits. */
int64_t anim_lane_integer(enum anim_type type, const void *column, size_t k, unsigned lane);

#endif
