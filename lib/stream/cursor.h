/* cursor.h: the fields of a payload, one after another, each checked against what is there. */
#ifndef ANIM_STREAM_CURSOR_H
#define ANIM_STREAM_CURSOR_H

#include "stream/record.h"

/*
 * Where a decoder stands in a record. Strings go to the arena. Each function returns 0, or -1 with a message and the
 * offset, in the stream, of the field that is wrong.
 */
struct anim_cursor {
	const struct anim_record *record;
	const uint8_t *at, *end;
	struct anim_arena *arena;
	struct anim_error *error;
};

void anim_cursor_init(struct anim_cursor *, const struct anim_record *, struct anim_arena *, struct anim_error *);

/* Fails with ANIM_BAD_INPUT at `place`, a byte of the record. */
int anim_cursor_fail(const struct anim_cursor *, const uint8_t *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Gives the error that a check without place has set the place `place`; returns -1. */
int anim_cursor_place(const struct anim_cursor *, const uint8_t *place);

/* Copies `size` bytes; little-endian fields of any width. */
int anim_cursor_get(struct anim_cursor *, void *to, size_t size);

/* Passes over `size` bytes and says where they were. */
int anim_cursor_take(struct anim_cursor *, uint64_t size, const uint8_t **at);

int anim_cursor_varint(struct anim_cursor *, uint64_t *value);
int anim_cursor_text(struct anim_cursor *, size_t limit, const char **text); /* UTF-8 without NUL, copied */
int anim_cursor_name(struct anim_cursor *, const char **name);               /* at most ANIM_NAME_MAX bytes */
int anim_cursor_attrs(struct anim_cursor *, struct anim_attrs *);
int anim_cursor_zeros(struct anim_cursor *, size_t size);
int anim_cursor_align8(struct anim_cursor *);     /* zeros to a multiple of 8 from the record's start */
int anim_cursor_done(const struct anim_cursor *); /* no byte may be left */

#endif
