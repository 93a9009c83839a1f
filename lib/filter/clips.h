/* clips.h: keeps the clips that are wanted by name. */
#ifndef ANIM_FILTER_CLIPS_H
#define ANIM_FILTER_CLIPS_H

#include <stddef.h>

#include "clip/sink.h"

/*
 * A filter in front of `next` (owned, freed on failure too): passes on trees, and clips that one of the `count`
 * patterns (borrowed; NAME, PLAYER:NAME or globs) fits. end() fails, naming the clips, where a pattern fitted none.
 * NULL on failure.
 */
struct anim_sink *anim_clips_new(const char *const *patterns, size_t count, struct anim_sink *next,
				 struct anim_error *);

#endif
