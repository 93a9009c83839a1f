/* cat.h: several streams, read one after another, as one. */
#ifndef ANIM_FILTER_CAT_H
#define ANIM_FILTER_CAT_H

#include "clip/sink.h"

/*
 * A filter in front of `next` (owned, freed on failure too) that takes the records of several inputs. What stands before
 * their first TREE or CLIP, the prog records, must come first, of all inputs; then the rest of each. A chain of prog
 * records that an earlier input had byte for byte is left out, and so is a TREE that is the last one again: what
 * anim-split took apart becomes whole. NULL on failure.
 */
struct anim_sink *anim_cat_new(struct anim_sink *next, struct anim_error *);

/* What comes from now on is of another input. 0 or -1. */
int anim_cat_begin(struct anim_sink *, struct anim_error *);

#endif
