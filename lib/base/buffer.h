/* buffer.h: byte buffers that grow. Sizes are checked before memory is allocated. */
#ifndef ANIM_BASE_BUFFER_H
#define ANIM_BASE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * All-zero is an empty buffer. `data` is 64-byte aligned and owned by the buffer. It moves when the buffer grows, so
 * borrow it only between two calls. ANIM_BUFFER_SLACK bytes after `capacity` may safely be read, but not written.
 */
struct anim_buffer {
	uint8_t *data;
	size_t size, capacity;
};

#define ANIM_BUFFER_SLACK 64

void anim_buffer_clear(struct anim_buffer *); /* frees the memory and leaves an empty buffer */

/* Reserve room for `more` bytes after `size`. The capacity grows by doubling. Returns 0, or -1 if out of memory. */
int anim_buffer_reserve(struct anim_buffer *, size_t more, struct anim_error *);

/* Append bytes. `bytes` may be NULL if count is 0. Returns 0 or -1. */
int anim_buffer_append(struct anim_buffer *, const void *bytes, size_t count, struct anim_error *);

/* Append a text without its NUL. Returns 0 or -1. */
int anim_buffer_append_text(struct anim_buffer *, const char *text, struct anim_error *);

/* Append zero bytes up to the next multiple of 8. Returns 0 or -1. */
int anim_buffer_align8(struct anim_buffer *, struct anim_error *);

/* Append `count` bytes that the caller fills. Returns their address, or NULL if out of memory. */
void *anim_buffer_extend(struct anim_buffer *, size_t count, struct anim_error *);

/* Return zeroed memory, which the caller frees with free(), or NULL if out of memory. */
void *anim_zeroed(size_t size, struct anim_error *);

/* Set *product to a * b. Returns 0, or -1 with the error "too large" if the product overflows. */
int anim_size_multiply(size_t a, size_t b, size_t *product, struct anim_error *);

#endif
