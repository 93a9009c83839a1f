/* clips.h: keeps the clips that are wanted by name. */
#ifndef ANIM_FILTER_CLIPS_H
#define ANIM_FILTER_CLIPS_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/sink.h"

/*
 * A filter in front of `next` (owned, freed on failure too): passes on trees, and clips that one of the `count`
 * patterns (borrowed; NAME, PLAYER:NAME or globs) fits. end() fails, naming the clips, where a pattern fitted none.
 * NULL on failure.
 */
struct anim_sink *anim_clips_new(const char *const *patterns, size_t count, struct anim_sink *next,
				 struct anim_error *);

/*
 * Whether a clip of this name may fit one of the patterns: for a reader that can leave out what does not; a clip that it
 * leaves out counts as seen. (What may be PLAYER:NAME is looked at by its name alone, the player stands in the head.)
 */
bool anim_clips_may_fit(struct anim_sink *, const char *name);

#endif
