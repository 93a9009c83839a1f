/* bytes.h: the numbers in the files of MikuMikuDance, which are little-endian. Internal to format/mmd. */
#ifndef ANIM_FORMAT_MMD_BYTES_H
#define ANIM_FORMAT_MMD_BYTES_H

#include <stdint.h>
#include <string.h>

#include "base/input.h"

/* A file that is read from its beginning to its end. All members are borrowed. */
struct mmd_bytes {
	struct anim_input *input;
	struct anim_error *error;
	const char *part; /* the current section, for messages: "the bone keys" */
};

/* Fail at the current byte. Return -1. */
int mmd_fail(struct mmd_bytes *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Read the next `count` bytes, borrowed until the next call. Return NULL if there are fewer, or if they cannot be read. */
const uint8_t *mmd_read(struct mmd_bytes *, size_t count);

/* Pass over bytes. Return 0, or -1 if there are fewer. */
int mmd_skip(struct mmd_bytes *, uint64_t count);

/* Return 1 if another byte follows, 0 at the end, or -1. */
int mmd_more(struct mmd_bytes *);

static inline uint16_t mmd_u16(const uint8_t *at)
{
	return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t mmd_u32(const uint8_t *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline float mmd_f32(const uint8_t *at)
{
	uint32_t bits = mmd_u32(at);
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Read `count` floats. */
static inline void mmd_floats(float *out, const uint8_t *at, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] = mmd_f32(at + 4 * i);
}

#endif
