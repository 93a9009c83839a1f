/* buffer.h: bytes that grow, with sizes checked before they are asked for. */
#ifndef ANIM_BASE_BUFFER_H
#define ANIM_BASE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * All-zero is an empty buffer. `data` is 64-byte aligned and owned; it moves when the buffer grows, so borrow it only
 * between two calls. ANIM_BUFFER_SLACK bytes behind `capacity` may be read (not written) without harm.
 */
struct anim_buffer {
	uint8_t *data;
	size_t size, capacity;
};

#define ANIM_BUFFER_SLACK 64

void anim_buffer_clear(struct anim_buffer *); /* frees; leaves an empty buffer */

/* Room for `more` bytes behind `size`, growing by doubling. 0, or -1 out of memory. */
int anim_buffer_reserve(struct anim_buffer *, size_t more, struct anim_error *);

/* Appends; `bytes` may be NULL where count is 0. 0 or -1. */
int anim_buffer_append(struct anim_buffer *, const void *bytes, size_t count, struct anim_error *);

/* Appends a text without its NUL. 0 or -1. */
int anim_buffer_append_text(struct anim_buffer *, const char *text, struct anim_error *);

/* Appends zero bytes up to the next multiple of 8. 0 or -1. */
int anim_buffer_align8(struct anim_buffer *, struct anim_error *);

/* Appends and returns `count` bytes to be written by the caller, NULL out of memory. */
void *anim_buffer_extend(struct anim_buffer *, size_t count, struct anim_error *);

/* Zeroed memory, for free(); NULL out of memory. */
void *anim_zeroed(size_t size, struct anim_error *);

/* a * b into *product; -1 with "too large" where it does not fit. */
int anim_size_multiply(size_t a, size_t b, size_t *product, struct anim_error *);

#endif
