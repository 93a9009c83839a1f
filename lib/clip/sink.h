/* sink.h: where clips flow to: writers, filters (sinks that hold a sink), stores. */
#ifndef ANIM_CLIP_SINK_H
#define ANIM_CLIP_SINK_H

#include "base/error.h"
#include "clip/track.h"

struct anim_sink;

/*
 * Everything passed is borrowed for the call. Order as in the stream: (tree node* | clip track*)*, other records (prog,
 * unknown ones) where they stood, then end, once, on success only. Each returns 0 or -1 with the error filled; after -1
 * only free may follow. free without end abandons; a filter's free frees the sink behind it.
 * A NULL member ignores what it would take; free NULL: nothing but the struct (of anim_sink_new) is to be freed.
 */
struct anim_sink_ops {
	int (*tree)(struct anim_sink *, const struct anim_tree *, struct anim_error *);
	int (*node)(struct anim_sink *, const struct anim_node *, struct anim_error *);
	int (*clip)(struct anim_sink *, const struct anim_clip *, struct anim_error *);
	int (*track)(struct anim_sink *, const struct anim_track *, struct anim_error *);
	int (*record)(struct anim_sink *, const struct anim_record *, struct anim_error *);
	int (*end)(struct anim_sink *, struct anim_error *);
	void (*free)(struct anim_sink *);
};

/* The first member of every sink's struct. */
struct anim_sink {
	const struct anim_sink_ops *ops;
};

/* A zeroed struct of `size` bytes that begins with a struct anim_sink. NULL out of memory. */
void *anim_sink_new(size_t size, const struct anim_sink_ops *, struct anim_error *);

int anim_sink_tree(struct anim_sink *, const struct anim_tree *, struct anim_error *);
int anim_sink_node(struct anim_sink *, const struct anim_node *, struct anim_error *);
int anim_sink_clip(struct anim_sink *, const struct anim_clip *, struct anim_error *);
int anim_sink_track(struct anim_sink *, const struct anim_track *, struct anim_error *);
int anim_sink_record(struct anim_sink *, const struct anim_record *, struct anim_error *);
int anim_sink_end(struct anim_sink *, struct anim_error *);
void anim_sink_free(struct anim_sink *); /* NULL is allowed */

#endif
