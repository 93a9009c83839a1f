/* archive_list.h: shows what an archive's index says, for anim-pack --list. */
#ifndef ANIM_FILTER_ARCHIVE_LIST_H
#define ANIM_FILTER_ARCHIVE_LIST_H

#include "base/output.h"
#include "stream/archive.h"

/*
 * Prints a line for each clip and, under it, one for each track: node, property, type, kind, keys, times, columns aligned
 * within the clip. The output is borrowed. 0 or -1.
 */
int anim_archive_list(const struct anim_archive_index *, struct anim_output *, struct anim_error *);

#endif
