/* fields.h: the fields of payloads, read from a record one after another, or appended to a buffer. */
#ifndef ANIM_STREAM_FIELDS_H
#define ANIM_STREAM_FIELDS_H

#include "clip/keys.h"
#include "stream/record.h"

/* ---- Reading: each field is checked against the available bytes ---- */

/*
 * The position of a decoder in a record. Strings are copied to the arena. Each function returns 0, or -1 with a
 * message and the offset, in the stream, of the wrong field.
 */
struct anim_cursor {
	const struct anim_record *record;
	const uint8_t *at, *end;
	struct anim_arena *arena;
	struct anim_error *error;
};

void anim_cursor_init(struct anim_cursor *, const struct anim_record *, struct anim_arena *, struct anim_error *);

/* Fail with ANIM_BAD_INPUT at `place`, a byte of the record. Returns -1. */
int anim_cursor_fail(const struct anim_cursor *, const uint8_t *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Copy `size` bytes: little-endian fields of any width. */
int anim_cursor_get(struct anim_cursor *, void *to, size_t size);

/* Skip `size` bytes and return their address in *at. */
int anim_cursor_borrow(struct anim_cursor *, uint64_t size, const uint8_t **at);

int anim_cursor_varint(struct anim_cursor *, uint64_t *value);
int anim_cursor_name(struct anim_cursor *,
		     const char **name); /* UTF-8 without NUL, copied; at most ANIM_NAME_MAX bytes */
int anim_cursor_attrs(struct anim_cursor *, struct anim_attrs *);
int anim_cursor_zeros(struct anim_cursor *, size_t size);
int anim_cursor_align8(struct anim_cursor *);     /* zeros to a multiple of 8 from the start of the record */
int anim_cursor_done(const struct anim_cursor *); /* fails if bytes are left */

/* ---- Writing ---- */

/* Each function returns 0, or -1 if out of memory. NULL names count as empty. */
int anim_put_varint(struct anim_buffer *, uint64_t value, struct anim_error *);
int anim_put_text(struct anim_buffer *, const char *text, struct anim_error *);

/* Append an empty record head with this tag. Bytes appended afterwards are its payload. */
int anim_put_head(struct anim_buffer *, const char tag[4], struct anim_error *);

/* Pad the payload after the head at `start`, and set its length and CRC. */
int anim_put_finish(struct anim_buffer *, size_t start, struct anim_error *);

/* ---- Tracks ---- */

#define ANIM_COLUMN_ROW 16u /* bytes of a row of the column table */

/*
 * Append the head of a record and the fields of a track up to its column table, which will have this many rows.
 * `interp` is written unchanged. Nothing is checked. Returns 0, or -1 if out of memory.
 */
int anim_put_track_fields(struct anim_buffer *, const struct anim_track *, unsigned columns, struct anim_error *);

/* Limits of the keys per block of a prepared column. */
#define ANIM_FORM1_KEYS_LEAST 256u
#define ANIM_FORM1_KEYS_MOST 65536u

/* Return the bytes of a complete prepared column, including its head. */
uint64_t anim_form1_column_size(uint64_t n, uint64_t block_keys, struct anim_column_shape);

/* Prepare `keys` keys into a block of anim_form1_block_size bytes, with these orders (0..3), one per component. */
void anim_form1_prepare_block(uint8_t *block, const uint8_t *column, size_t keys, struct anim_column_shape,
			      const uint8_t *orders);

#endif
