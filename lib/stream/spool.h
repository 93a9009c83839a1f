/* spool.h: bytes that are appended and read back; the first are in memory, the rest in an unlinked file. */
#ifndef ANIM_STREAM_SPOOL_H
#define ANIM_STREAM_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/* Begin with anim_spool_init. Positions count from 0 and continue from memory to the file. */
struct anim_spool {
	size_t memory_max;
	struct anim_buffer memory;  /* positions below memory.size; does not grow while the file holds bytes */
	bool spilling;              /* the current run goes to the file */
	int fd;                     /* -1: no file yet */
	uint64_t file_size;         /* written */
	struct anim_buffer pending; /* bytes after those, not written yet */
	struct anim_buffer window;  /* bytes read back from the file */
	uint64_t window_at;         /* their position */
};

void anim_spool_init(struct anim_spool *, size_t memory_max);
void anim_spool_clear(struct anim_spool *);

uint64_t anim_spool_size(const struct anim_spool *);

/*
 * Reserve a run of `size` contiguous bytes, in memory or in the file, then append it in any pieces. Returns 0 or -1.
 */
int anim_spool_begin(struct anim_spool *, uint64_t size, struct anim_error *);
int anim_spool_append(struct anim_spool *, const void *bytes, size_t size, struct anim_error *);

/* Drop all bytes from `place` on. */
void anim_spool_truncate(struct anim_spool *, uint64_t place);

/* Copy `size` bytes of a run, for random access. Returns 0 or -1. */
int anim_spool_copy(struct anim_spool *, uint64_t place, void *to, size_t size, struct anim_error *);

/* Return the `size` bytes of a run that begins at `place`: 8-aligned, borrowed until the next call. NULL on error. */
const uint8_t *anim_spool_read(struct anim_spool *, uint64_t place, uint64_t size, struct anim_error *);

#endif
