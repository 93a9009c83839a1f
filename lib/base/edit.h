/* edit.h: a file copied but for pieces of it that give way to others. */
#ifndef ANIM_BASE_EDIT_H
#define ANIM_BASE_EDIT_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/input.h"
#include "base/output.h"

/* The first member of an edit; where nothing gives way, from == to. */
struct anim_edit {
	uint64_t from, to; /* bytes of the file that go */
	uint64_t order;    /* among edits of one place */
};

/* By place, then order; `size` is that of an element, which begins with a struct anim_edit. */
void anim_edits_sort(struct anim_buffer *, size_t size);

/* Passes `count` bytes on, or over where the output is NULL. 0 or -1, where the input ends before them, too. */
int anim_edit_pass(struct anim_input *, uint64_t count, struct anim_output *, struct anim_error *);

#endif
