/* arena.h: many small allocations that are freed together. */
#ifndef ANIM_BASE_ARENA_H
#define ANIM_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "base/error.h"

struct anim_arena_block;

/* All-zero is an empty arena. Its allocations are 16-byte aligned and live until reset or clear. */
struct anim_arena {
	struct anim_arena_block *first, *current;
	size_t used; /* bytes used in the current block */
};

void *anim_arena_alloc(struct anim_arena *, size_t size, struct anim_error *); /* not zeroed; NULL on failure */
/* checks count * size for overflow */
void *anim_arena_zeroed(struct anim_arena *, size_t count, size_t size, struct anim_error *);
/* a copy with NUL */
char *anim_arena_text(struct anim_arena *, const char *bytes, size_t length, struct anim_error *);
/* Return a text formatted as by printf, or by vprintf. Returns NULL on failure. */
char *anim_arena_printf(struct anim_arena *, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
char *anim_arena_vprintf(struct anim_arena *, struct anim_error *, const char *format, va_list)
    __attribute__((format(printf, 3, 0)));
void anim_arena_reset(struct anim_arena *); /* drops all allocations, keeps the first block for reuse */
void anim_arena_clear(struct anim_arena *); /* frees everything */

#endif
