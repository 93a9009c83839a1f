/* archive_track.h: a TRAK record as an archive holds it: numeric columns prepared where they gain. Internal to stream. */
#ifndef ANIM_STREAM_ARCHIVE_TRACK_H
#define ANIM_STREAM_ARCHIVE_TRACK_H

#include "stream/stretch.h"
#include "stream/track_record.h"

struct anim_packed_column {
	uint8_t id;
	bool is_prepared;
	size_t at;    /* in the record: form 0: the first byte, form 1: the first block */
	size_t lanes; /* of form 1, with the next the shape that tells how far apart blocks lie */
	size_t width;
};

/* All-zero is empty; what was there is replaced. Owned. */
struct anim_packed_track {
	struct anim_buffer bytes; /* the whole record */
	struct anim_stretches stretches;
	struct anim_packed_column columns[256];
	size_t column_count;
	bool is_prepared;         /* any column */
	struct anim_buffer plain; /* the record of a track that came without one */
	struct anim_track_rows rows;
	struct anim_arena names; /* of the head that is read for the rows */
};

/* Packs a track that was checked; with ->record the columns 128 and on are kept. 0, or -1 out of memory. */
int anim_packed_track_make(struct anim_packed_track *, const struct anim_track *, struct anim_error *);
void anim_packed_track_clear(struct anim_packed_track *);

#endif
