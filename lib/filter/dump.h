/* dump.h: tracks as text. */
#ifndef ANIM_FILTER_DUMP_H
#define ANIM_FILTER_DUMP_H

#include "base/output.h"
#include "clip/sink.h"

/*
 * Every field of every record, in an order and form that anim-undump can turn back into the same bytes: the grammar is
 * in anim-dump(1). Output borrowed, not committed. NULL on failure.
 */
struct anim_sink *anim_dump_new(struct anim_output *, struct anim_error *);

#endif
