/* handle.h: an open handle of the interface, and how faults are filled. */
#ifndef ANIM_API_HANDLE_H
#define ANIM_API_HANDLE_H

#include "api/anim.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "clip/sample.h"
#include "clip/sink.h"
#include "filter/common/posing.h"
#include "stream/store.h"

/* A tree and its nodes, which belong to the handle. */
struct api_tree {
	struct anim_tree head;
	struct anim_buffer nodes;  /* struct anim_node */
	struct anim_posing posing; /* of the same nodes: finds them, and computes their transforms in a clip */
};

struct api_message {
	const char *text;
	bool is_warning;
};

struct anim {
	struct anim_sink sink; /* receives the output of the reader */
	char *name;
	size_t memory;
	struct anim_store *store;
	struct anim_arena kept;        /* heads, nodes, messages: until close */
	struct anim_buffer trees;      /* struct api_tree * */
	struct anim_buffer clip_trees; /* ptrdiff_t: for each clip the number of its tree, or -1 */
	struct anim_buffer messages;   /* struct api_message */
	bool has_track;                /* a current track exists: its numbers, and its borrowed data */
	size_t clip_number, track_number;
	struct anim_track track;
	struct anim_sample_state state;
	struct anim_buffer values, present; /* of the current times */
	struct anim_arena texts;            /* returned to the caller, valid until the next call */
};

struct api_tree *api_tree(const struct anim *, size_t number); /* the number must be valid */

size_t api_node_count(const struct api_tree *);
const struct anim_node *api_node(const struct api_tree *, size_t number); /* the number must be valid */

/* Return the tree of the clip, or NULL if it has no tree. */
struct api_tree *api_tree_of_clip(const struct anim *, size_t clip);

/* Make the track the current one, h->track. An error names the file. Returns 0 or -1. */
int api_fetch(struct anim *, size_t clip, size_t track, struct anim_error *);

/* Check numbers. Return 0, or -1 with the error. */
int api_check_clip(const struct anim *, size_t clip, struct anim_error *);
int api_check_track(const struct anim *, size_t clip, size_t track, struct anim_error *);
int api_check_tree(const struct anim *, size_t tree, struct anim_error *);

/* Copy the error to the fault. Returns -1. */
int api_fault(struct anim_fault *, const struct anim_error *);
/* Return the code of the fault for the code of an error, of which there are more. */
int api_fault_code(int code);

/* Check that an array of `capacity` elements has room for `count` x `width`. Returns 0 or -1. */
int api_check_room(size_t capacity, size_t count, size_t width, struct anim_error *);

/* Check that times are finite and that neither array is NULL, unless there are no times. Returns 0 or -1. */
int api_check_times(const double *times, size_t count, const void *out, struct anim_error *);

/* Write the trees and clips as a stream. *bytes belongs to the caller, who frees them with free(). Returns 0 or -1. */
int api_stream_of(struct anim *, void **bytes, size_t *size, struct anim_error *);

/* Set an error of the call. Returns -1. */
int api_misuse(struct anim_error *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Copy from or to a struct of the caller the members that its version has. The struct begins with its size; a size of
 * 0 is an error of the call. Return 0 or -1.
 */
int api_copy_struct(void *own, size_t own_size, const void *theirs, struct anim_error *);
int api_give(void *theirs, const void *own, size_t own_size, struct anim_error *);

#endif
