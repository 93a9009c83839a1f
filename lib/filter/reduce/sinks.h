/* sinks.h: the sinks within the reducer. */
#ifndef ANIM_FILTER_REDUCE_SINKS_H
#define ANIM_FILTER_REDUCE_SINKS_H

#include "filter/reduce/reduce.h"

/* Return a sink that passes clips and tracks to a sink with another owner. NULL on failure. */
struct anim_sink *reduce_forward_new(struct anim_sink *to, struct anim_error *);

/* The filter for options->measure.whole, as anim_reduce_new. */
struct anim_sink *reduce_whole_new(const struct anim_reduce_options *, struct anim_sink *next, struct anim_error *);

#endif
