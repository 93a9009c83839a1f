/* rects.h: a filter that writes rectangles of a RectTransform of Unity as rectangles of a Control of Godot. */
#ifndef ANIM_FILTER_RECTS_H
#define ANIM_FILTER_RECTS_H

#include <stddef.h>

#include "clip/diagnostics.h"
#include "clip/rest.h"
#include "clip/sink.h"

/*
 * Return a sink that replaces the tracks of a RectTransform in clips of Unity by the anchors and offsets of a Control in Godot 4,
 * if they are exact. Others are left out (warning). `rests`: nodes of another file, or NULL. `next` is owned. NULL on failure.
 */
struct anim_sink *anim_rects_new(struct anim_rests *rests, size_t store_memory, struct anim_diagnostics *,
				 struct anim_sink *next, struct anim_error *);

#endif
