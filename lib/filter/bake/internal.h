/* internal.h: the filter's state and its parts. Internal to bake. */
#ifndef ANIM_FILTER_BAKE_INTERNAL_H
#define ANIM_FILTER_BAKE_INTERNAL_H

#include "clip/keys.h"
#include "filter/bake/bake.h"
#include "filter/bake/reset.h"
#include "filter/convert/source.h"
#include "filter/filter.h"
#include "filter/lanes.h"

struct bake {
	struct anim_filter filter; /* next: the resampling filter, which takes what need not change */
	struct anim_bake_options options;
	struct anim_sink *tidy; /* behind it: takes samples that are ready; owned by the resampling filter */
	struct anim_rests rests;
	struct bake_resets resets;
	bool in_reset;                         /* the clip that comes in is a RESET */
	struct anim_arena clip_arena, scratch; /* scratch: of the track at hand */
	struct anim_clip clip;                 /* the head of the clip at work, as it came */
	const struct anim_scope *scope;        /* of the clip at work */
	bool in_clip;
	struct anim_store *lanes; /* its lane tracks; NULL: none */
	bool waits;               /* its lanes wait for its RESET, and what came behind it is held */
	struct anim_store *held;
	struct anim_buffer held_scopes; /* const struct anim_scope *, one a held clip */
	size_t held_next;               /* the first of the held clips that is not done */
	struct anim_buffer samples;
	struct anim_keys steps;
};

/* bake.c: the rest of a track's node, in the stream or elsewhere; NULL where nothing tells. */
const struct anim_rest *bake_rest(struct bake *, const char *node);

/* join.c: whether a lane is missing that a RESET could tell; joins all lanes of the clip. */
int bake_has_gap(struct bake *, bool *gap, struct anim_error *);
int bake_join(struct bake *, struct anim_error *);

/*
 * track.c: the step that a track of this name, type and flags on a node of this rest (NULL: unknown) needs;
 * CONVERT_KEEP: none.
 */
enum convert_step bake_step(const struct anim_track *, const struct anim_rest *);

/* A whole track: as it is, or through its step. 0 or -1. */
int bake_whole(struct bake *, const struct anim_track *, struct anim_error *);

/* Samples of a source, whose step, units and tracks are set, as one Raw track; `like` as for bake_step. 0 or -1. */
int bake_sample(struct bake *, struct convert_source *, const struct anim_track *like, struct anim_error *);

/* tidy.c: the sink behind the resampling filter, in front of `next` (owned, freed on failure too). */
struct anim_sink *bake_tidy_new(struct bake *, struct anim_sink *next, struct anim_error *);

#endif
