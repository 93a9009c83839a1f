/* text_set.h: which texts were seen before. */
#ifndef ANIM_BASE_TEXT_SET_H
#define ANIM_BASE_TEXT_SET_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct anim_text_entry;

/* All-zero is empty. Texts may hold any bytes, NUL too. */
struct anim_text_set {
	struct anim_text_entry *entries; /* open addressing; a power of two of them */
	size_t capacity, count;
	struct anim_arena arena; /* of the texts */
};

/* 1: not seen before, and kept now (copied); 0: seen; -1 out of memory. */
int anim_text_set_add(struct anim_text_set *, const void *text, size_t length, struct anim_error *);
void anim_text_set_clear(struct anim_text_set *);

#endif
