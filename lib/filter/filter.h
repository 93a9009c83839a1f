/* filter.h: what filters have in common: a sink in front of a sink, which passes on what it does not touch; and small ones. */
#ifndef ANIM_FILTER_FILTER_H
#define ANIM_FILTER_FILTER_H

#include <stddef.h>

#include "base/arena.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/track.h"

/* --- What filters have in common: a sink in front of a sink, which passes on what it does not touch --- */

struct anim_rests;
struct anim_poses;

/*
 * The first member of a filter's struct. `next` is owned. What passes on keeps the nodes of the stream's last tree in what the
 * filter sets here (NULL: nothing), looks at the end whether all was found there, and clears it with the filter.
 */
struct anim_filter {
	struct anim_sink sink;
	struct anim_sink *next;
	struct anim_sink_ops ops; /* the sink's */
	struct anim_rests *rests;
	struct anim_poses *poses; /* begun */
	/* Of filters that keep it (anim_filter_keep): the head of the clip at hand as it came, and what lives as long. */
	struct anim_clip clip;
	struct anim_arena clip_arena;
};

/*
 * A zeroed struct of `size` bytes that begins with a struct anim_filter in front of `next`. What the operations leave out
 * (NULL) is passed on. NULL out of memory; `next` is freed then.
 */
void *anim_filter_new(size_t size, const struct anim_sink_ops *, struct anim_sink *next, struct anim_error *);

/* Passing on; for filters that do so with some of what comes. */
int anim_filter_tree(struct anim_sink *, const struct anim_tree *, struct anim_error *);
int anim_filter_node(struct anim_sink *, const struct anim_node *, struct anim_error *);
int anim_filter_clip(struct anim_sink *, const struct anim_clip *, struct anim_error *);
/* Forgets the clip before, and copies this one. 0 or -1. */
int anim_filter_keep(struct anim_filter *, const struct anim_clip *, struct anim_error *);
int anim_filter_track(struct anim_sink *, const struct anim_track *, struct anim_error *);
int anim_filter_record(struct anim_sink *, const struct anim_record *, struct anim_error *);
int anim_filter_end(struct anim_sink *, struct anim_error *);
void anim_filter_free(struct anim_sink *); /* frees `next` and the struct: the last act of a filter's own free */

/* --- Keys out of order, brought into it --- */

/*
 * A Curve or Discrete track with its keys by time (stable), columns in the arena; a warning says that it was sorted. 0, or
 * -1 also where a time is not finite.
 */
int anim_track_sort(const struct anim_track *, struct anim_track *out, struct anim_arena *, struct anim_diagnostics *,
		    struct anim_error *);

/* --- Names: as one key of a map, and as they are shown --- */

/* The texts one behind the other, each with its NUL but the last; *length is without that. In the arena; NULL on failure. */
char *anim_key_join(struct anim_arena *, const char *const *texts, size_t count, size_t *length, struct anim_error *);

/* The text made safe to show (anim_text_safe), in the arena. NULL on failure. */
char *anim_safe_copy(struct anim_arena *, const char *text, struct anim_error *);

/* anim_track_label of a track of that node, property and component, in the arena. NULL on failure. */
char *anim_label_copy(struct anim_arena *, const char *node, const char *property, uint8_t component,
		      struct anim_error *);

/* --- Tracks that a filter cannot work on --- */

/* Fails with "'NODE PROPERTY' " and `why`. -1. */
int anim_track_refuse(const struct anim_track *, const char *why, struct anim_error *);

/* 0, or -1 where the track is in the tree's space: for what changes what nodes have below their parents. */
int anim_track_check_local(const struct anim_track *, struct anim_error *);

/* 1 for a curve of Unity's humanoid, whose bones its avatar alone knows; a warning says that it stays as it is. 0 or -1. */
int anim_track_is_muscle(const struct anim_track *, struct anim_diagnostics *, struct anim_error *);

/* --- Axes --- */

/* 0, or -1 where both the clip's axes and those are known and differ; `what`: "the rests are". */
int anim_clip_in_axes(const struct anim_clip *, uint8_t axes, const char *what, struct anim_error *);

/* --- Sets one attribute of every clip --- */

/*
 * A filter in front of `next` (owned, freed on failure too): all is passed on, clips with `key` set to `value` (both
 * borrowed). NULL on failure.
 */
struct anim_sink *anim_attribute_new(const char *key, const char *value, struct anim_sink *next, struct anim_error *);

/* --- Counts tracks --- */

/*
 * A filter in front of `next` (owned, freed on failure too) that passes all on and adds to *count (borrowed) the tracks that
 * came and are not disabled, or with diagnostics (NULL: none) only those that `next` has not left out (anim_diagnostics_leave_out). NULL on failure.
 */
struct anim_sink *anim_count_new(size_t *count, const struct anim_diagnostics *, struct anim_sink *next,
				 struct anim_error *);

/* --- Columns that were prepared for compression become plain again --- */

/* A filter in front of `next` (owned, freed on failure too). What is not prepared passes untouched. NULL on failure. */
struct anim_sink *anim_plain_new(struct anim_sink *next, struct anim_error *);

#endif
