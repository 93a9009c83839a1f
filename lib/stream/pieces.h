/* pieces.h: an encoded track as head and columns that stay where they are, so that no large column is copied. */
#ifndef ANIM_STREAM_PIECES_H
#define ANIM_STREAM_PIECES_H

#include "base/output.h"
#include "stream/record.h"

/* Columns 0 to 9, the values of strings in two. */
#define ANIM_PIECES_MAX 11

struct anim_piece {
	const void *bytes;
	size_t size; /* without the zeros to 8 that follow it */
};

/* All-zero is empty. The head is owned, the columns are borrowed from the track. */
struct anim_pieces {
	struct anim_buffer head;    /* record head, fields, column table; a multiple of 8 */
	struct anim_buffer strings; /* of a track whose strings do not lie one after another */
	struct anim_piece piece[ANIM_PIECES_MAX];
	size_t count;
	uint64_t length, size; /* of the payload, of the whole record */
};

/* Validates and encodes; length and CRC are in the head. Replaces what was there. 0 or -1. */
int anim_pieces_encode(struct anim_pieces *, const struct anim_track *, struct anim_error *);
int anim_pieces_write(const struct anim_pieces *, struct anim_output *, struct anim_error *);
int anim_pieces_append(const struct anim_pieces *, struct anim_buffer *, struct anim_error *);
void anim_pieces_clear(struct anim_pieces *);

#endif
