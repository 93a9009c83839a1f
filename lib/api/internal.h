/* internal.h: what the files of this folder know of each other: a handle and how faults are told. */
#ifndef ANIM_API_INTERNAL_H
#define ANIM_API_INTERNAL_H

#include "api/anim.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "clip/sample.h"
#include "clip/sink.h"
#include "filter/posing.h"
#include "stream/store.h"

/* A tree and its nodes, which are the handle's. */
struct api_tree {
	struct anim_tree head;
	struct anim_buffer nodes;  /* struct anim_node */
	struct anim_posing posing; /* of the same nodes: finds them, and puts them where a clip does */
};

struct api_message {
	const char *text;
	bool is_warning;
};

struct anim {
	struct anim_sink sink; /* takes what the reader finds */
	char *name;
	size_t memory;
	struct anim_store *store;
	struct anim_arena kept;        /* heads, nodes, messages: until close */
	struct anim_buffer trees;      /* struct api_tree * */
	struct anim_buffer clip_trees; /* ptrdiff_t: of each clip the number of its tree, or -1 */
	struct anim_buffer messages;   /* struct api_message */
	bool has_track;                /* the track at hand: which, and the borrow of it */
	size_t clip_number, track_number;
	struct anim_track track;
	struct anim_sample_state state;
	struct anim_buffer values, present; /* of the times at hand */
	struct anim_arena texts;            /* handed out until the next call */
};

struct api_tree *api_tree(const struct anim *, size_t number); /* which is there */

size_t api_node_count(const struct api_tree *);
const struct anim_node *api_node(const struct api_tree *, size_t number); /* which is there */

/* The tree that the clip plays in; NULL: none. */
struct api_tree *api_tree_of_clip(const struct anim *, size_t clip);

/* The track becomes the one at hand, h->track; an error names the file. 0 or -1. */
int api_fetch(struct anim *, size_t clip, size_t track, struct anim_error *);

/* Checks of numbers; 0, or -1 with the error. */
int api_check_clip(const struct anim *, size_t clip, struct anim_error *);
int api_check_track(const struct anim *, size_t clip, size_t track, struct anim_error *);
int api_check_tree(const struct anim *, size_t tree, struct anim_error *);

/* Tells the error as a fault; returns -1. */
int api_fault(struct anim_fault *, const struct anim_error *);

/* Check that an array of `capacity` elements has room for `count` x `width`. 0 or -1. */
int api_check_room(size_t capacity, size_t count, size_t width, struct anim_error *);

/* Check that times are finite and that neither array is NULL, unless there are none. 0 or -1. */
int api_check_times(const double *times, size_t count, const void *out, struct anim_error *);

/* A call that makes no sense. -1. */
int api_misuse(struct anim_error *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What the caller knows of a struct that begins with its size; a size of 0 is a misuse. 0 or -1. */
int api_take(void *own, size_t own_size, const void *theirs, struct anim_error *);
int api_give(void *theirs, const void *own, size_t own_size, struct anim_error *);

#endif
