/* edit.h: copying a file while replacing pieces of it. */
#ifndef ANIM_BASE_EDIT_H
#define ANIM_BASE_EDIT_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/input.h"
#include "base/output.h"

/* The first member of an edit. from == to if nothing is removed. */
struct anim_edit {
	uint64_t from, to; /* removed bytes of the file */
	uint64_t order;    /* order among edits at the same position */
};

/* Sort edits by position, then by order. `size` is the size of an element, which begins with a struct anim_edit. */
void anim_edits_sort(struct anim_buffer *, size_t size);

/*
 * Copy `count` bytes to the output, or skip them if the output is NULL. Returns 0, or -1, also if the input ends
 * before.
 */
int anim_edit_pass(struct anim_input *, uint64_t count, struct anim_output *, struct anim_error *);

#endif
