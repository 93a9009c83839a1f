/* cat.h: several streams combined into one. */
#ifndef ANIM_FILTER_CAT_H
#define ANIM_FILTER_CAT_H

#include "clip/diagnostics.h"
#include "clip/sink.h"

/* --- Several streams, read one after another, as one stream --- */

/*
 * Return a filter that combines the records of several inputs and passes them to `next` (owned, also freed on failure),
 * or NULL on failure. The caller first sends the records before the first TREE or CLIP (the prog records) of all
 * inputs, then the remaining records of each input. A chain of prog records that is byte for byte equal to the chain of
 * an earlier input is dropped. A TREE that is equal to the last TREE is also dropped, so the parts that anim-split made
 * become one stream again.
 */
struct anim_sink *anim_cat_new(struct anim_sink *next, struct anim_error *);

/* Begin the next input: all following records belong to it. Returns 0 or -1. */
int anim_cat_begin(struct anim_sink *, struct anim_error *);

/* --- One clip from the clips of several inputs: with all their tracks, or one after another in time --- */

enum anim_join {
	ANIM_JOIN_MERGE, /* all tracks in one clip; if several inputs have a track, the last one is used */
	ANIM_JOIN_APPEND /* each clip begins where the previous one ends; tracks that one clip lacks hold their value */
};

struct anim_join_options {
	enum anim_join how;
	double blend_s;           /* of ANIM_JOIN_APPEND: clips overlap by this time and blend in it (0: they do not) */
	const char *const *order; /* of ANIM_JOIN_APPEND with one input: patterns of clips (borrowed) in their order */
	size_t order_count;
	size_t store_memory;
	struct anim_diagnostics *diagnostics; /* must not be NULL */
};

/*
 * Return a filter that joins clips and passes them to `next` (owned, also freed on failure), or NULL on failure. A clip
 * is joined with the clip of an earlier input that has the same name. If several clips have that name, the clip of the
 * same player is used. If each input has only one clip (RESET is not counted), these are joined whatever their names
 * are. ANIM_JOIN_APPEND joins all clips of a single input that have the same player, in the order of the patterns,
 * otherwise of the input. If nothing is joined, a warning says so. RESET clips are always merged. The trees of joined
 * clips are merged by path. All records except prog records wait in a store until end(). Unknown records are dropped.
 */
struct anim_sink *anim_join_new(const struct anim_join_options *, struct anim_sink *next, struct anim_error *);

/*
 * Begin the next input: all following records belong to it. Its name is for messages, and is borrowed for the filter's
 * life.
 */
void anim_join_begin(struct anim_sink *, const char *name);

#endif
