/* put.h: fields of a payload appended to a buffer; the mirror of cursor.h. */
#ifndef ANIM_STREAM_PUT_H
#define ANIM_STREAM_PUT_H

#include "stream/record.h"

/* Each returns 0 or -1 (out of memory). NULL names count as empty. */
int anim_put_varint(struct anim_buffer *, uint64_t value, struct anim_error *);
int anim_put_text(struct anim_buffer *, const char *text, struct anim_error *);
int anim_put_attrs(struct anim_buffer *, const struct anim_attrs *, struct anim_error *);

/* Appends an empty record head with this tag; the payload is what is appended after it. */
int anim_put_head(struct anim_buffer *, const char tag[4], struct anim_error *);

/* Pads what stands behind the head at `start`, sets its length and its CRC. */
int anim_put_finish(struct anim_buffer *, size_t start, struct anim_error *);

#endif
