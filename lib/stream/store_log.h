/* store_log.h: bytes that are appended and read back: the first in memory, the rest in an unlinked file. */
#ifndef ANIM_STREAM_STORE_LOG_H
#define ANIM_STREAM_STORE_LOG_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"

/* Begin with anim_log_init. Places count from 0 and run on from memory into the file. */
struct anim_log {
	size_t memory_max;
	struct anim_buffer memory;  /* places below memory.size; does not grow while the file holds bytes */
	bool spilling;              /* the run being appended goes to the file */
	int fd;                     /* -1: no file yet */
	uint64_t file_size;         /* written */
	struct anim_buffer pending; /* behind them, not yet written */
	struct anim_buffer window;  /* bytes of the file read back */
	uint64_t window_at;         /* their place */
};

void anim_log_init(struct anim_log *, size_t memory_max);
void anim_log_clear(struct anim_log *);

uint64_t anim_log_size(const struct anim_log *);

/* Room for a run of `size` bytes that lie together, in memory or in the file; then append them in any pieces. 0 or -1. */
int anim_log_begin(struct anim_log *, uint64_t size, struct anim_error *);
int anim_log_append(struct anim_log *, const void *bytes, size_t size, struct anim_error *);

/* Forgets what lies from `place` on. */
void anim_log_truncate(struct anim_log *, uint64_t place);

/* The `size` bytes of a run that begins at `place`: 8-aligned, borrowed until the next call. NULL on error. */
const uint8_t *anim_log_read(struct anim_log *, uint64_t place, uint64_t size, struct anim_error *);

#endif
