/* keys.h: keys as a file has them, side by side, <-> columns; private to this folder. */
#ifndef ANIM_FORMAT_ANIMX_KEYS_H
#define ANIM_FORMAT_ANIMX_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/track.h"

/* n pairs of a first part of first_size bytes and a second of second_size bytes <-> a column of each. */
void animx_split(const uint8_t *pairs, size_t n, size_t first_size, size_t second_size, void *first, void *second);
void animx_join(uint8_t *pairs, size_t n, size_t first_size, size_t second_size, const void *first, const void *second);

/* True where the floats at `pairs`, `stride` bytes apart, are times of a Curve: finite, not negative, not decreasing. */
bool animx_are_times(const uint8_t *pairs, size_t n, size_t stride);

/* True where none of the floats is so small that no clip has it as a time (denormal), or -0: bytes of something else. */
bool animx_are_likely_times(const uint8_t *pairs, size_t n, size_t stride);

/* True where the type is not made of bools, or the bytes, `stride` apart, have no bit beyond its components. */
bool animx_are_bools(enum anim_type, const uint8_t *pairs, size_t n, size_t stride);

/*
 * In which order the keys of a Curve can be read, `pairs` as a file has them: both where nothing speaks for one. The end
 * of *value_first is only looked at where the values are of fixed size.
 */
void animx_key_orders(enum anim_type, const uint8_t *pairs, size_t n, bool *time_first, bool *value_first);

/*
 * Brings bytes of a bool type to what Resonite takes them for: any but 0 is true for bool, bits above the components are ignored
 * for bool2 to bool4. True where one was changed; other types are left alone.
 */
bool animx_clean_bools(enum anim_type, uint8_t *column, size_t n);

#endif
