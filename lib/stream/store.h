/* store.h: a sink that keeps finished records until they are wanted, and the spool below it. */
#ifndef ANIM_STREAM_STORE_H
#define ANIM_STREAM_STORE_H

#include <stdbool.h>

#include "base/buffer.h"
#include "clip/sink.h"
#include "stream/record.h"

struct anim_store;

/* What the index holds of each track: about 110 bytes with the names. */
struct anim_store_track {
	const char *node, *property;
	size_t n;
	double start_s, step_s; /* of Raw tracks, as rate_num, rate_den */
	uint64_t at, size;      /* where its record lies */
	uint32_t rate_num, rate_den;
	uint32_t flags;
	uint32_t hash;             /* of node and property */
	uint8_t kind, type, rules; /* enum anim_kind, anim_type, anim_rules */
	uint8_t component, pre, post, interp;
	bool bone; /* of a skeleton: anim_track_is_bone */
};

/*
 * Keeps records in memory to memory_bytes, then in a file of $TMPDIR (/tmp) that is unlinked at once. NULL on failure.
 * It is an anim_sink (cast with anim_store_sink): tracks go to the last clip that was begun; end() is allowed and does nothing.
 * Other records (prog, unknown ones) are not kept by the sink.
 */
struct anim_store *anim_store_new(size_t memory_bytes, struct anim_error *);
/* For one clip and tracks that are read with anim_store_next alone: of a track nothing is held but its record. */
struct anim_store *anim_store_new_plain(size_t memory_bytes, struct anim_error *);
/*
 * For the records of a stream that lies in a regular file from its first byte on, and whose tracks may come as heads: they are
 * read from there when they are wanted, and checked again, CRC and all. The descriptor is the store's from then on, on failure
 * too. All that is pushed must have its record.
 */
struct anim_store *anim_store_new_over(int fd, uint64_t size, struct anim_error *);
struct anim_sink *anim_store_sink(struct anim_store *);
void anim_store_free(struct anim_store *);

size_t anim_store_clips(const struct anim_store *);
const struct anim_clip *anim_store_clip(const struct anim_store *, size_t clip); /* its head, owned by the store */
size_t anim_store_tracks(const struct anim_store *, size_t clip);
const struct anim_store_track *anim_store_track_at(const struct anim_store *, size_t clip, size_t track);

/* The next track of the clip from `from` on with this node and property, or -1. */
ptrdiff_t anim_store_find(const struct anim_store *, size_t clip, size_t from, const char *node, const char *property);

/* Reads one track back; borrowed until the next call on the store. 0 or -1. */
int anim_store_read(struct anim_store *, size_t clip, size_t track, struct anim_track *, struct anim_error *);

/* Of a plain store: the track at *place, 0 for the first, which becomes that of the next; else as anim_store_read. */
int anim_store_next(struct anim_store *, uint64_t *place, struct anim_track *, struct anim_error *);

/* Keeps a record of another tag behind the last tree or node. 0 or -1. */
int anim_store_keep_record(struct anim_store *, const struct anim_record *, struct anim_error *);

/* Trees and nodes, as they came, and the records kept behind them: of all, or of one, counted from 0. 0 or -1. */
int anim_store_replay_trees(struct anim_store *, struct anim_sink *, struct anim_error *);
int anim_store_replay_tree(struct anim_store *, size_t tree, struct anim_sink *, struct anim_error *);

/*
 * The clip with all its tracks, under `head` instead of its own where that is not NULL. Tracks go out with ->record set;
 * they were validated when they came. 0 or -1.
 */
int anim_store_replay(struct anim_store *, size_t clip, const struct anim_clip *head, struct anim_sink *,
		      struct anim_error *);

/* Takes the last clip begun out again (a faulty one); its bytes are reused. */
void anim_store_drop_last(struct anim_store *);

/* ---- The spool: bytes that are appended and read back, the first in memory, the rest in an unlinked file ---- */

/* Begin with anim_spool_init. Places count from 0 and run on from memory into the file. */
struct anim_spool {
	size_t memory_max;
	struct anim_buffer memory;  /* places below memory.size; does not grow while the file holds bytes */
	bool spilling;              /* the run being appended goes to the file */
	int fd;                     /* -1: no file yet */
	uint64_t file_size;         /* written */
	struct anim_buffer pending; /* behind them, not yet written */
	struct anim_buffer window;  /* bytes of the file read back */
	uint64_t window_at;         /* their place */
};

void anim_spool_init(struct anim_spool *, size_t memory_max);
void anim_spool_clear(struct anim_spool *);

uint64_t anim_spool_size(const struct anim_spool *);

/* Room for a run of `size` bytes that lie together, in memory or in the file; then append them in any pieces. 0 or -1. */
int anim_spool_begin(struct anim_spool *, uint64_t size, struct anim_error *);
int anim_spool_append(struct anim_spool *, const void *bytes, size_t size, struct anim_error *);

/* Forgets what lies from `place` on. */
void anim_spool_truncate(struct anim_spool *, uint64_t place);

/* Copies `size` bytes of a run out; for those who jump back and forth. 0 or -1. */
int anim_spool_copy(struct anim_spool *, uint64_t place, void *to, size_t size, struct anim_error *);

/* The `size` bytes of a run that begins at `place`: 8-aligned, borrowed until the next call. NULL on error. */
const uint8_t *anim_spool_read(struct anim_spool *, uint64_t place, uint64_t size, struct anim_error *);

#endif
