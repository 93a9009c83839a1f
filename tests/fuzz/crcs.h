/* crcs.h: what the fuzz targets of the stream share. */
#ifndef ANIM_TESTS_CRCS_H
#define ANIM_TESTS_CRCS_H

#include "fuzz.h"
#include "stream/record.h"

/*
 * A copy of the input with every record's CRC made right, so that what lies behind the CRC is reached too.
 * To be freed.
 */
static inline uint8_t *with_crcs(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);

	DEMAND(copy != NULL);
	memcpy(copy, data, size);
	for (size_t at = ANIM_STREAM_HEAD; at < size && size - at >= ANIM_RECORD_HEAD;) {
		struct anim_record record;
		uint32_t crc;

		anim_record_at(copy + at, at, &record);
		if (record.length > size || record.size > size - at)
			break;
		crc = anim_crc32(anim_crc32(0, copy + at, 4), copy + at + 8, record.size - 8);
		memcpy(copy + at + 4, &crc, 4);
		at += record.size;
	}
	return copy;
}

#endif
