/* undump.h: the text of anim-dump -> the records that it shows, byte for byte. */
#ifndef ANIM_FORMAT_DUMP_UNDUMP_H
#define ANIM_FORMAT_DUMP_UNDUMP_H

#include "base/input.h"
#include "clip/sink.h"

/*
 * Reads the text (its grammar is in anim-dump(1)) into the sink: each record goes out with ->record set, checked as that of
 * a stream is. Does not call end: 0 says that the line "end" came and the input ended there. -1 with line and column.
 */
int anim_undump(struct anim_input *, struct anim_sink *, struct anim_error *);

#endif
