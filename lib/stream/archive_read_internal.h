/* archive_read_internal.h: an open archive, and reading the parts of it. Internal to archive_read. */
#ifndef ANIM_STREAM_ARCHIVE_READ_INTERNAL_H
#define ANIM_STREAM_ARCHIVE_READ_INTERNAL_H

#include "clip/span.h"
#include "stream/archive_read_member.h"
#include "stream/track_record.h"

struct anim_archive {
	int fd;
	bool owns_fd;
	char *name;
	uint64_t size;     /* of the file */
	uint64_t index_at; /* the member that begins with iNDX */
	struct anim_members members;
	struct anim_arena index_arena, arena; /* of the index; of the record at hand */
	struct anim_archive_index index;
	struct anim_buffer record;                                     /* the bytes of the record at hand */
	struct anim_buffer columns[ANIM_COLUMN_COUNT], texts, scratch; /* of a track that is read in part */
	struct anim_buffer starts;                                     /* where its strings begin */
	struct anim_strings strings;
};

/*
 * Reads the record at the place into archive->record, its CRC and padding checked; the place moves behind it. `tag` NULL:
 * any. Offsets in later complaints about it count from its head. 0 or -1.
 */
int anim_archive_record(struct anim_archive *, struct anim_archive_place *, const char *tag, struct anim_record *,
			struct anim_error *);

/* Reads the stream's first bytes at the place, which moves behind them. 0 or -1 where it is none, or a newer one. */
int anim_archive_stream_head(struct anim_archive *, struct anim_archive_place *, struct anim_error *);

/* Reads the 16 bytes of the record at the place, which stays: its tag and length. 0 or -1. */
int anim_archive_record_head(struct anim_archive *, const struct anim_archive_place *, struct anim_record *,
			     struct anim_error *);

/* True where the track is what the index says of it. */
bool anim_archive_track_agrees(const struct anim_archive_track *, const struct anim_track *);

/*
 * Reads a track whole, or the span of the range (NULL: whole) where its head tells what that needs, and gives it to the
 * sink. 0 or -1.
 */
int anim_archive_push_track(struct anim_archive *, const struct anim_archive_track *, const struct anim_range *,
			    struct anim_sink *, struct anim_error *);

/* A track of which only the head was read. */
struct anim_archive_head {
	const struct anim_archive_track *entry;
	struct anim_track track; /* without columns; texts in the archive's arena */
	struct anim_track_rows rows;
};

/* The counts of the time column for a range, by its blocks. 0 or -1. */
int anim_archive_count(struct anim_archive *, const struct anim_archive_head *, const struct anim_range *,
		       struct anim_span_counts *, struct anim_error *);

/* The span as a track without ->record; its columns lie in the archive's buffers until the next track. 0 or -1. */
int anim_archive_read_span(struct anim_archive *, const struct anim_archive_head *, const struct anim_span *,
			   struct anim_track *out, struct anim_error *);

#endif
