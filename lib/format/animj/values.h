/* values.h: steps on the values of a track that the AnimJ writer writes; private to this folder. */
#ifndef ANIM_FORMAT_ANIMJ_VALUES_H
#define ANIM_FORMAT_ANIMJ_VALUES_H

#include "format/animj/writer.h"

/* Value, left and right tangent go through the same steps: column 0, 1, 2, of which 1 and 2 may be NULL. */
#define ANIMJ_COLUMNS 3
const void **animj_column(struct anim_track *, int column);

/* Replaces each column that is there by what map makes of it, `size` bytes a key, in the scratch arena. 0 or -1. */
typedef void animj_map(void *to, const void *from, size_t n);
int animj_map_columns(struct animj_writer *, struct anim_track *, size_t size, animj_map *, struct anim_error *);

#endif
