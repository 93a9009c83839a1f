/* filter.h: what filters have in common: a sink in front of a sink, which passes on what it does not touch. */
#ifndef ANIM_FILTER_FILTER_H
#define ANIM_FILTER_FILTER_H

#include <stddef.h>

#include "clip/sink.h"

/* The first member of a filter's struct. `next` is owned. */
struct anim_filter {
	struct anim_sink sink;
	struct anim_sink *next;
};

/*
 * A zeroed struct of `size` bytes that begins with a struct anim_filter in front of `next`. NULL out of memory; `next`
 * is freed then.
 */
void *anim_filter_new(size_t size, const struct anim_sink_ops *, struct anim_sink *next, struct anim_error *);

/* Members of struct anim_sink_ops that only pass on. */
int anim_filter_tree(struct anim_sink *, const struct anim_tree *, struct anim_error *);
int anim_filter_node(struct anim_sink *, const struct anim_node *, struct anim_error *);
int anim_filter_clip(struct anim_sink *, const struct anim_clip *, struct anim_error *);
int anim_filter_track(struct anim_sink *, const struct anim_track *, struct anim_error *);
int anim_filter_record(struct anim_sink *, const struct anim_record *, struct anim_error *);
int anim_filter_end(struct anim_sink *, struct anim_error *);
void anim_filter_free(struct anim_sink *); /* frees `next` and the struct: the last act of a filter's own free */

#endif
