/* split.h: one sink for every clip of a stream, each with the provenance of all. */
#ifndef ANIM_FILTER_SPLIT_H
#define ANIM_FILTER_SPLIT_H

#include "filter/pick.h"

/*
 * A sink. For every clip `make` gives a sink, which gets the stream's prog records, the clip's tree and the clip, and is
 * ended; what else is called when, stands at struct anim_pick_options, of which make, finish, saw_tree, context, losses and
 * store_memory count. A stream without clips fails at its end. NULL on failure.
 */
struct anim_sink *anim_split_new(const struct anim_pick_options *, struct anim_error *);

#endif
