/* plain.h: columns that were prepared for compression become plain again. */
#ifndef ANIM_FILTER_PLAIN_H
#define ANIM_FILTER_PLAIN_H

#include "clip/sink.h"

/* A filter in front of `next` (owned, freed on failure too). What is not prepared passes untouched. NULL on failure. */
struct anim_sink *anim_plain_new(struct anim_sink *next, struct anim_error *);

#endif
