/* packed.h: bit-packed rotation curves of legacy clips. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_PACKED_H
#define ANIM_FORMAT_UNITY_PACKED_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "clip/track.h"

/* A packed vector as the file has it: `digits` hexadecimal digits, two a byte, bits from the least significant on. */
struct unity_packed {
	uint64_t count; /* m_NumItems */
	unsigned bits;  /* m_BitSize, at most 32; of rotations 32, whatever is told */
	const char *data;
	size_t digits;
};

/*
 * The keys of a packed curve, columns in the arena: n, time, value (unit quaternions) and both slopes. Times are steps of
 * 1/100 s that are added up. Each rotation gets the sign of its neighbour before, then slopes a second by central
 * differences, one-sided at the ends, 0 where no time passes. 0, or -1 with ANIM_BAD_INPUT and no place where the data are
 * not hexadecimal, hold fewer items than they say, or are of two lengths.
 */
int unity_packed_read(const struct unity_packed *times, const struct unity_packed *rotations, struct anim_arena *,
		      struct anim_track *, struct anim_error *);

#endif
