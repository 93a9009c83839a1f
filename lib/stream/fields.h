/* fields.h: fields of payloads one after another: read from a record, and appended to a buffer. */
#ifndef ANIM_STREAM_FIELDS_H
#define ANIM_STREAM_FIELDS_H

#include "clip/keys.h"
#include "stream/record.h"

/* ---- Reading, each field checked against what is there ---- */

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

/* Copies `size` bytes; little-endian fields of any width. */
int anim_cursor_get(struct anim_cursor *, void *to, size_t size);

/* Passes over `size` bytes and says where they were. */
int anim_cursor_take(struct anim_cursor *, uint64_t size, const uint8_t **at);

int anim_cursor_varint(struct anim_cursor *, uint64_t *value);
int anim_cursor_name(struct anim_cursor *,
		     const char **name); /* UTF-8 without NUL, copied; at most ANIM_NAME_MAX bytes */
int anim_cursor_attrs(struct anim_cursor *, struct anim_attrs *);
int anim_cursor_zeros(struct anim_cursor *, size_t size);
int anim_cursor_align8(struct anim_cursor *);     /* zeros to a multiple of 8 from the record's start */
int anim_cursor_done(const struct anim_cursor *); /* no byte may be left */

/* ---- Writing ---- */

/* Each returns 0 or -1 (out of memory). NULL names count as empty. */
int anim_put_varint(struct anim_buffer *, uint64_t value, struct anim_error *);
int anim_put_text(struct anim_buffer *, const char *text, struct anim_error *);

/* Appends an empty record head with this tag; the payload is what is appended after it. */
int anim_put_head(struct anim_buffer *, const char tag[4], struct anim_error *);

/* Pads what stands behind the head at `start`, sets its length and its CRC. */
int anim_put_finish(struct anim_buffer *, size_t start, struct anim_error *);

/* ---- Tracks ---- */

#define ANIM_COLUMN_ROW 16u /* bytes of a row of the column table */

/*
 * Appends the head of a record and a track's fields up to its column table, which will have so many rows; `interp` as it
 * is. Not checked. 0, or -1 out of memory.
 */
int anim_put_track_fields(struct anim_buffer *, const struct anim_track *, unsigned columns, struct anim_error *);

/* How many keys a block of a prepared column may hold. */
#define ANIM_FORM1_KEYS_LEAST 256u
#define ANIM_FORM1_KEYS_MOST 65536u

/* Bytes of a whole prepared column, its head included. */
uint64_t anim_form1_column_size(uint64_t n, uint64_t block_keys, struct anim_column_shape);

/* Prepares `keys` keys into a block of anim_form1_block_size bytes, with these orders (0..3), one for each component. */
void anim_form1_prepare_block(uint8_t *block, const uint8_t *column, size_t keys, struct anim_column_shape,
			      const uint8_t *orders);

#endif
