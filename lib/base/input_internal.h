/* input_internal.h: the source below an input's window, and inflating. Internal to base/input. */
#ifndef ANIM_BASE_INPUT_INTERNAL_H
#define ANIM_BASE_INPUT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* Bytes as they lie in the file, pipe or memory. */
struct anim_source {
	int fd; /* -1: memory */
	const uint8_t *memory;
	size_t memory_left;
	size_t read_max; /* 0: any number */
	uint64_t taken, size;
	void (*progress)(void *context, uint64_t read_bytes, uint64_t source_bytes);
	void *progress_context;
};

/* Reads up to `room` bytes: how many came, 0 at the end, -1. */
ssize_t anim_source_read(struct anim_source *, uint8_t *to, size_t room, struct anim_error *);

struct anim_gzip;

/* True where the bytes begin a gzip member; *sure is false where more of them are needed to tell. */
bool anim_gzip_is(const uint8_t *bytes, size_t size, bool *sure);

/* Inflates the source (borrowed), of which the first bytes were read already (copied, at most ANIM_GZIP_AHEAD). */
#define ANIM_GZIP_AHEAD ((size_t)64 * 1024)
struct anim_gzip *anim_gzip_new(struct anim_source *, const uint8_t *ahead, size_t size, struct anim_error *);

/*
 * Inflates up to `room` bytes: how many came, 0 when all members were whole (an archive's trailer included), -1 where
 * the data are damaged, cut or followed by something else.
 */
ssize_t anim_gzip_read(struct anim_gzip *, uint8_t *to, size_t room, struct anim_error *);
uint64_t anim_gzip_members(const struct anim_gzip *); /* inflated to their end */
void anim_gzip_free(struct anim_gzip *);              /* NULL is allowed */

#endif
