/* crc.h: the plain form of anim_crc32 (stream/record.h), which the fast one is tested against. */
#ifndef ANIM_STREAM_CRC_H
#define ANIM_STREAM_CRC_H

#include <stddef.h>
#include <stdint.h>

/* zlib's own. */
uint32_t anim_crc32_plain(uint32_t crc, const void *bytes, size_t size);

#endif
