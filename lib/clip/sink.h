/* sink.h: receivers of clips: writers, filters (sinks that hold a sink), stores. */
#ifndef ANIM_CLIP_SINK_H
#define ANIM_CLIP_SINK_H

#include "base/error.h"
#include "clip/track.h"

struct anim_sink;

/*
 * The functions of a sink. All arguments are borrowed for the call. The order is that of the stream: (tree node* |
 * clip track*)*, with other records (prog, unknown ones) at their places, then end, once, only on success. Each
 * function returns 0, or -1 with the error filled; after -1 only free may be called. free without end abandons the
 * output. The free of a filter frees the next sink. A NULL member ignores its records. If free is NULL, only the
 * struct (of anim_sink_new) is freed.
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
#ifndef NDEBUG
	const char *file; /* of the call that made it, or NULL */
	unsigned long trees, nodes, clips, tracks, records;
#endif
};

/* Return a zeroed struct of `size` bytes that begins with a struct anim_sink. NULL if out of memory. */
void *anim_sink_new(size_t size, const struct anim_sink_ops *, struct anim_error *);

#ifndef NDEBUG
extern void (*anim_sink_trace)(const struct anim_sink *); /* called at the end of each sink, in the order of a chain */
void *anim_sink_made_by(void *sink, const char *file);
#define anim_sink_new(...) anim_sink_made_by(anim_sink_new(__VA_ARGS__), __FILE__)
#endif

int anim_sink_tree(struct anim_sink *, const struct anim_tree *, struct anim_error *);
int anim_sink_node(struct anim_sink *, const struct anim_node *, struct anim_error *);
int anim_sink_clip(struct anim_sink *, const struct anim_clip *, struct anim_error *);
int anim_sink_track(struct anim_sink *, const struct anim_track *, struct anim_error *);
int anim_sink_record(struct anim_sink *, const struct anim_record *, struct anim_error *);
int anim_sink_end(struct anim_sink *, struct anim_error *);
void anim_sink_free(struct anim_sink *); /* NULL is allowed */

#endif
