/* archive_read_plain.h: tracks as they were before they were packed. */
#ifndef ANIM_STREAM_ARCHIVE_READ_PLAIN_H
#define ANIM_STREAM_ARCHIVE_READ_PLAIN_H

#include "stream/record.h"

/*
 * The record of a track (track->record is set) with its prepared columns plain and all else as it was, into `out`, which
 * is emptied first; a track without such columns leaves it empty. 0 or -1.
 */
int anim_track_plain(const struct anim_track *, struct anim_buffer *out, struct anim_arena *, struct anim_error *);

#endif
