/* arena.h: many small allocations that end together. */
#ifndef ANIM_BASE_ARENA_H
#define ANIM_BASE_ARENA_H

#include <stddef.h>

#include "base/error.h"

struct anim_arena_block;

/* All-zero is an empty arena. What it hands out is 16-byte aligned and lives until reset or clear. */
struct anim_arena {
	struct anim_arena_block *first, *current;
	size_t used; /* of the current block */
};

void *anim_arena_alloc(struct anim_arena *, size_t size, struct anim_error *); /* not cleared; NULL on failure */
void *anim_arena_zeroed(struct anim_arena *, size_t count, size_t size, struct anim_error *);      /* checked product */
char *anim_arena_text(struct anim_arena *, const char *bytes, size_t length, struct anim_error *); /* a copy with NUL */
/* A text put together as printf does. NULL on failure. */
char *anim_arena_printf(struct anim_arena *, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void anim_arena_reset(struct anim_arena *); /* forgets all, keeps the first block for reuse */
void anim_arena_clear(struct anim_arena *); /* frees all */

#endif
