/* bind.h: lists of tracks as Resonite's Animator needs them, which binds its fields to tracks by their numbers. */
#ifndef ANIM_FILTER_BIND_H
#define ANIM_FILTER_BIND_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/diagnostics.h"
#include "clip/rest.h"
#include "clip/sink.h"

/*
 * A filter in front of `next` (owned, freed on failure too). Tracks that Resonite finds a field for go through as they come;
 * the others would shift those behind them: they wait in a store for the clip's end, or are left out, counted in diagnostics,
 * where `drop` is set. The order is otherwise the source's. NULL on failure.
 */
struct anim_sink *anim_bind_order_new(bool drop, size_t store_memory, struct anim_diagnostics *, struct anim_sink *next,
				      struct anim_error *);

/*
 * A filter that keeps the whole stream in a store and gives all its clips one list of tracks in one order, so that an
 * Animator can change between them: the tracks of the first clip, then those that later ones add, and of both first the
 * ones that Resonite finds a field for. Tracks are the same where Resonite's names of node and property and the types are.
 * What a clip lacks is added with one key, its node's rest: by its own tree, the one of the clip that has the track, or
 * `others` (borrowed; NULL: none); where none tells, 0, no turn, scale 1, visible, counted in diagnostics.
 * `next` is owned, freed on failure too. NULL on failure.
 */
struct anim_sink *anim_bind_same_new(struct anim_rests *others, size_t store_memory, struct anim_diagnostics *,
				     struct anim_sink *next, struct anim_error *);

#endif
