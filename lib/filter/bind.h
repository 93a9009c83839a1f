/* bind.h: order tracks for Resonite's Animator, which binds its fields to tracks by their numbers. */
#ifndef ANIM_FILTER_BIND_H
#define ANIM_FILTER_BIND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "clip/diagnostics.h"
#include "clip/rest.h"
#include "clip/sink.h"

/*
 * Create a filter that writes to `next` (owned, also freed on failure). Tracks that match a Resonite field are passed
 * on immediately. Other tracks would change the numbers of the tracks after them, so they wait in a store for the end
 * of the clip. If `drop` is set, they are left out and counted in diagnostics. Otherwise the source order is kept.
 * Returns NULL on failure.
 */
struct anim_sink *anim_bind_order_new(bool drop, size_t store_memory, struct anim_diagnostics *, struct anim_sink *next,
				      struct anim_error *);

/*
 * Create a filter that stores the complete stream and gives all clips the same list of tracks in the same order, so
 * that an Animator can switch between them. The list has the tracks of the first clip, then new tracks of later clips.
 * In both parts, tracks that match a Resonite field come first. Tracks are equal if their node and property in
 * Resonite's names and their types are.
 *
 * A track that a clip lacks is added with one key, the rest value of its node. It comes from the clip's own tree, the
 * tree of the clip that has the track, or `others` (borrowed; NULL: none). If none has it, the defaults are 0, no
 * rotation, scale 1 and visible, counted in diagnostics. `next` is owned, also freed on failure. Returns NULL on
 * failure.
 */
struct anim_sink *anim_bind_same_new(struct anim_rests *others, size_t store_memory, struct anim_diagnostics *,
				     struct anim_sink *next, struct anim_error *);

/* The list of the tracks that were written, with the field to which an Animator binds each, or why it binds none. */
struct anim_bind_sheet {
	enum anim_bind_form { ANIM_BIND_TEXT, ANIM_BIND_CSV, ANIM_BIND_JSON } form;
	struct anim_buffer text; /* to be freed by the caller */
	size_t clips;            /* in the text */
};

/*
 * Create a filter in front of a writer for Resonite (owned, also freed on failure, NULL gives NULL) that appends each clip to
 * the sheet. Several writers can follow one another. After the last one, anim_bind_sheet_end ends the text, and returns
 * 0 or -1.
 */
struct anim_sink *anim_bind_sheet_new(struct anim_bind_sheet *, struct anim_sink *next, struct anim_error *);
int anim_bind_sheet_end(struct anim_bind_sheet *, struct anim_error *);

#endif
