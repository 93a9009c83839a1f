/* store.h: a sink that keeps records for later use. */
#ifndef ANIM_STREAM_STORE_H
#define ANIM_STREAM_STORE_H

#include <stdbool.h>

#include "base/buffer.h"
#include "clip/sink.h"
#include "stream/record.h"
#include "stream/spool.h"

struct anim_store;

/* The index entry of a track: about 110 bytes with the names. */
struct anim_store_track {
	const char *node, *property;
	size_t n;
	double start_s, step_s; /* of Raw tracks, like rate_num, rate_den */
	uint64_t at, size;      /* position of its record */
	uint32_t rate_num, rate_den;
	uint32_t flags;
	uint32_t hash;             /* of node and property */
	uint8_t kind, type, rules; /* enum anim_kind, anim_type, anim_rules */
	uint8_t component, pre, post, interp;
	bool bone; /* it is a bone of a skeleton: anim_track_is_bone */
};

/*
 * Return a store that keeps up to memory_bytes of records in memory, and the rest in a file of $TMPDIR (/tmp) that is
 * unlinked at once. NULL on failure. It is an anim_sink (cast with anim_store_sink). Tracks belong to the last clip.
 * end() is allowed and does nothing. The sink does not keep other records (prog, unknown ones).
 */
struct anim_store *anim_store_new(size_t memory_bytes, struct anim_error *);
/*
 * Return a store for one clip whose tracks are read only with anim_store_next: it keeps nothing but the record of
 * each track.
 */
struct anim_store *anim_store_new_plain(size_t memory_bytes, struct anim_error *);
/*
 * Return a store for the records of a stream that begins at the first byte of a regular file. Its tracks may be
 * pushed as heads. They are read from the file when needed and checked again, including the CRC. The store owns the
 * descriptor from then on, also on failure. Everything that is pushed must have its record.
 */
struct anim_store *anim_store_new_over(int fd, uint64_t size, struct anim_error *);
struct anim_sink *anim_store_sink(struct anim_store *);
void anim_store_free(struct anim_store *);

size_t anim_store_clips(const struct anim_store *);
const struct anim_clip *anim_store_clip(const struct anim_store *, size_t clip); /* its head, owned by the store */
size_t anim_store_tracks(const struct anim_store *, size_t clip);
const struct anim_store_track *anim_store_track_at(const struct anim_store *, size_t clip, size_t track);

/* Return the next track of the clip from `from` on with this node and property, or -1. */
ptrdiff_t anim_store_find(const struct anim_store *, size_t clip, size_t from, const char *node, const char *property);

/* Read one track back, borrowed until the next call on the store. Returns 0 or -1. */
int anim_store_read(struct anim_store *, size_t clip, size_t track, struct anim_track *, struct anim_error *);

/*
 * Read the track at *place of a plain store and move *place to the next track. Begin with 0. Otherwise like
 * anim_store_read.
 */
int anim_store_next(struct anim_store *, uint64_t *place, struct anim_track *, struct anim_error *);

/* Keep a record with another tag after the last tree or node. Returns 0 or -1. */
int anim_store_keep_record(struct anim_store *, const struct anim_record *, struct anim_error *);

/*
 * Push trees and nodes in their order, with the records kept after them: all trees, or one, counted from 0. Returns 0
 * or -1.
 */
int anim_store_replay_trees(struct anim_store *, struct anim_sink *, struct anim_error *);
int anim_store_replay_tree(struct anim_store *, size_t tree, struct anim_sink *, struct anim_error *);

/* Push all trees, after `change` of each node, which may leave it out by returning false. Returns 0 or -1. */
typedef bool anim_node_change(void *context, struct anim_node *);
int anim_store_replay_changed(struct anim_store *, anim_node_change *change, void *context, struct anim_sink *,
			      struct anim_error *);

/*
 * Push the clip with all its tracks. If `head` is not NULL, it replaces the head of the clip. Tracks have ->record
 * set; they were validated when they arrived. Returns 0 or -1.
 */
int anim_store_replay(struct anim_store *, size_t clip, const struct anim_clip *head, struct anim_sink *,
		      struct anim_error *);

/* Remove the last clip (a faulty one). Its bytes are reused. */
void anim_store_drop_last(struct anim_store *);

#endif
