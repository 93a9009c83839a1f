/* packed.h: the bit-packed columns of m_CompressedRotationCurves. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_PACKED_H
#define ANIM_FORMAT_UNITY_PACKED_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define UNITY_PACKED_QUAT_BITS 32u

/* A packed vector as the file has it: `digits` hexadecimal digits, two a byte, bits from the least significant on. */
struct unity_packed {
	uint64_t count; /* m_NumItems */
	unsigned bits;  /* m_BitSize, at most 32 */
	const char *data;
	size_t digits;
};

/*
 * Each checks that the data are hexadecimal and hold `count` items (a width of 0 needs no data, so that a caller must
 * bound the count itself before it allocates). 0, or -1 with ANIM_BAD_INPUT and no place.
 */
int unity_packed_check(const struct unity_packed *, struct anim_error *);
int unity_packed_times(const struct unity_packed *, float *time_s,
		       struct anim_error *);                                           /* steps of 1/100 s, added up */
int unity_packed_quats(const struct unity_packed *, float *xyzw, struct anim_error *); /* 32 bits each, normalised */

/*
 * n quaternions: each sign made that of its neighbour before, then the slope of each lane per second by central
 * differences, one-sided at the ends, 0 where no time passes.
 */
void unity_packed_slopes(const float *time_s, float *xyzw, float *slopes, size_t n);

#endif
