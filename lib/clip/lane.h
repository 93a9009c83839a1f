/* lane.h: one number out of a column, whatever its type; for code that is not in a hurry. */
#ifndef ANIM_CLIP_LANE_H
#define ANIM_CLIP_LANE_H

#include "clip/type.h"

/*
 * Lane `lane` (less than the type's lanes) of element k of a column of `type` (no string), as double: bools 0 or 1,
 * 64-bit integers rounded.
 */
double anim_lane(enum anim_type type, const void *column, size_t k, unsigned lane);

/* All lanes of element k. */
void anim_lanes(enum anim_type type, const void *column, size_t k, double *out);

/* One lane as a 64-bit integer, for types made of bools or integers; ulong keeps its bits. */
int64_t anim_lane_integer(enum anim_type type, const void *column, size_t k, unsigned lane);

/*
 * Stores a whole number, of which sign and size are told, as lane `lane` of one value of `type` (made of bools or integers;
 * a bool's byte begins as 0). False where it does not fit: it stays.
 */
bool anim_lane_store(enum anim_type type, void *value, unsigned lane, bool negative, uint64_t size);

#endif
