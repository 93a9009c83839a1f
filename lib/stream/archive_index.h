/* archive_index.h: collects what iNDX says while an archive is written. Internal to stream; archive.h has the other way. */
#ifndef ANIM_STREAM_ARCHIVE_INDEX_H
#define ANIM_STREAM_ARCHIVE_INDEX_H

#include "stream/archive.h"
#include "stream/archive_track.h"

/*
 * All-zero is empty. It holds the bytes of iNDX, with offsets of the inflated stream where places will stand, and notes of
 * where these are: 8 bytes for each place beside what iNDX takes.
 */
struct anim_index_writer {
	struct anim_buffer fields; /* of clips and tracks, but the number of tracks of a clip */
	struct anim_buffer clips;  /* where in `fields` each clip's tracks begin, and how many there are */
	struct anim_buffer places; /* size_t, where in `fields` a place stands */
};

/* at: the offset of the record in the inflated stream; tree_at: of its TREE, ANIM_ARCHIVE_NOWHERE for none. 0 or -1. */
int anim_index_clip(struct anim_index_writer *, const struct anim_clip *, uint64_t at, uint64_t tree_at,
		    struct anim_error *);

/* A track of the last clip, as it was packed. 0 or -1. */
int anim_index_track(struct anim_index_writer *, const struct anim_track *, const struct anim_packed_track *,
		     uint64_t at, struct anim_error *);

/* Turns all offsets into places by `place`, once, and appends the record. 0 or -1. */
int anim_index_encode(struct anim_index_writer *, struct anim_archive_place (*place)(void *context, uint64_t offset),
		      void *context, struct anim_buffer *, struct anim_error *);

void anim_index_clear(struct anim_index_writer *);

#endif
