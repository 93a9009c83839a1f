/* store.c: keeps records for later use, first in memory, then in an unnamed file. */
#include "stream/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/input.h"
#include "base/system.h"
#include "stream/internal.h"

/* ---- Bytes that are appended and read back ---- */

#define PENDING_BYTES ((size_t)64 << 10) /* collected before a write */
#define WINDOW_BYTES ((size_t)256 << 10) /* read at a time: a replay reads the file in order */
#define LEAP_BYTES ((size_t)4 << 10)     /* random access needs little of the surrounding bytes */

void anim_spool_init(struct anim_spool *log, size_t memory_max)
{
	*log = (struct anim_spool){.memory_max = memory_max, .fd = -1};
}

void anim_spool_clear(struct anim_spool *log)
{
	anim_buffer_clear(&log->memory);
	anim_buffer_clear(&log->pending);
	anim_buffer_clear(&log->window);
	if (log->fd >= 0)
		close(log->fd);
	anim_spool_init(log, log->memory_max);
}

uint64_t anim_spool_size(const struct anim_spool *log)
{
	return log->memory.size + log->file_size + log->pending.size;
}

static int open_file(struct anim_spool *log, struct anim_error *error)
{
	const char *folder;

	log->fd = anim_sys_open_unnamed(&folder);
	return log->fd >= 0 ? 0 : anim_fail_system(error, "cannot create a temporary file in %s", folder);
}

static int write_file(struct anim_spool *log, const uint8_t *bytes, size_t size, struct anim_error *error)
{
	while (size > 0) {
		ssize_t written = anim_sys_write_at(log->fd, bytes, size, log->file_size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return anim_fail_system(error, "cannot write a temporary file");
		bytes += written;
		size -= (size_t)written;
		log->file_size += (uint64_t)written;
	}
	return 0;
}

static int flush(struct anim_spool *log, struct anim_error *error)
{
	if (write_file(log, log->pending.data, log->pending.size, error) != 0)
		return -1;
	log->pending.size = 0;
	return 0;
}

int anim_spool_begin(struct anim_spool *log, uint64_t size, struct anim_error *error)
{
	log->spilling = log->file_size + log->pending.size > 0 || size > log->memory_max - log->memory.size;
	if (!log->spilling)
		return anim_buffer_reserve(&log->memory, (size_t)size, error);
	return log->fd >= 0 ? 0 : open_file(log, error);
}

int anim_spool_append(struct anim_spool *log, const void *bytes, size_t size, struct anim_error *error)
{
	if (!log->spilling)
		return anim_buffer_append(&log->memory, bytes, size, error);
	if (log->pending.size + size >= PENDING_BYTES && flush(log, error) != 0)
		return -1;
	if (size >= PENDING_BYTES)
		return write_file(log, bytes, size, error);
	return anim_buffer_append(&log->pending, bytes, size, error);
}

void anim_spool_truncate(struct anim_spool *log, uint64_t place)
{
	uint64_t in_file;

	log->window.size = 0;
	if (place <= log->memory.size) {
		log->memory.size = (size_t)place;
		log->file_size = log->pending.size = 0;
		return;
	}
	in_file = place - log->memory.size;
	if (in_file <= log->file_size) {
		log->file_size = in_file;
		log->pending.size = 0;
	} else {
		log->pending.size = (size_t)(in_file - log->file_size);
	}
}

/* Read `size` bytes of the file, which must exist. */
static int read_file(const struct anim_spool *log, uint64_t from, uint8_t *to, size_t size, struct anim_error *error)
{
	ssize_t got = anim_read_at(log->fd, to, size, from);

	if (got < 0)
		return anim_fail_system(error, "cannot read a temporary file");
	return (size_t)got == size ? 0 : anim_fail(error, ANIM_SYSTEM, "a temporary file has become shorter");
}

/* Fill the window from `place`, a position in the file, with at least `size` bytes. */
static int fill_window(struct anim_spool *log, uint64_t place, size_t size, struct anim_error *error)
{
	uint64_t from = place - log->memory.size, left = log->file_size - from;
	uint64_t end = log->window_at + log->window.size;
	size_t least = place >= end && place - end < LEAP_BYTES ? WINDOW_BYTES : LEAP_BYTES;
	size_t want = size < least ? least : size;

	if (want > left)
		want = (size_t)left;
	log->window.size = 0;
	if (want > log->window.capacity)
		anim_buffer_clear(&log->window);
	if (anim_buffer_reserve(&log->window, want, error) != 0)
		return -1;
	log->window_at = place;
	if (read_file(log, from, log->window.data, want, error) != 0)
		return -1;
	log->window.size = want;
	return 0;
}

int anim_spool_copy(struct anim_spool *log, uint64_t place, void *to, size_t size, struct anim_error *error)
{
	if (place < log->memory.size) {
		memcpy(to, log->memory.data + place, size);
		return 0;
	}
	if (log->pending.size > 0 && flush(log, error) != 0)
		return -1;
	return read_file(log, place - log->memory.size, to, size, error);
}

const uint8_t *anim_spool_read(struct anim_spool *log, uint64_t place, uint64_t size, struct anim_error *error)
{
	if (place < log->memory.size)
		return log->memory.data + place;
	if (log->pending.size > 0 && flush(log, error) != 0)
		return NULL;
	if (place < log->window_at || place + size > log->window_at + log->window.size)
		if (fill_window(log, place, (size_t)size, error) != 0)
			return NULL;
	return log->window.data + (place - log->window_at);
}

/* ---- Trees, clips and tracks as records, and their index ---- */

struct stored_clip {
	struct anim_clip head;
	struct anim_record record; /* of the head, if it had one */
	size_t first, count;       /* its tracks in `entries` */
	uint64_t at;               /* start of its records in the log */
};

/* A TREE or NODE record, or a record with another tag after them. */
struct stored_node {
	uint64_t at, size;
};

struct anim_store {
	struct anim_sink sink;
	bool plain; /* has no entries */
	bool over;  /* records are in the file of a stream, which is the log */
	struct anim_spool log;
	struct anim_arena kept;     /* heads, entries, names: until free */
	struct anim_arena scratch;  /* of the current track */
	struct anim_buffer clips;   /* struct stored_clip * */
	struct anim_buffer entries; /* struct anim_store_track * */
	struct anim_buffer nodes;   /* struct stored_node, trees among them */
	struct anim_buffer trees;   /* size_t: index of each TREE in `nodes` */
	uint32_t node_number;       /* of the next NODE of the last TREE */
	uint64_t nodes_end;         /* end of the last of their records in the log */
	struct anim_buffer small;
	struct anim_pieces pieces;
	struct anim_record record; /* of the track that was read last */
	uint16_t version;          /* the highest of records of tracks */
};

static struct stored_clip *clip_at(const struct anim_store *store, size_t clip)
{
	return ((struct stored_clip **)(void *)store->clips.data)[clip];
}

static struct anim_store_track *entry_at(const struct anim_store *store, size_t entry)
{
	return ((struct anim_store_track **)(void *)store->entries.data)[entry];
}

static uint32_t hash_names(const char *node, const char *property)
{
	return (uint32_t)anim_hash_text(anim_hash_text(0, node), property);
}

/* Append a complete record to the log; *at is its position. */
static int keep_bytes(struct anim_store *store, const uint8_t *bytes, size_t size, uint64_t *at,
		      struct anim_error *error)
{
	*at = anim_spool_size(&store->log);
	if (anim_spool_begin(&store->log, size, error) != 0 || anim_spool_append(&store->log, bytes, size, error) != 0)
		return -1;
	return 0;
}

static int put_bytes(void *log, const void *bytes, size_t size, struct anim_error *error)
{
	return anim_spool_append(log, bytes, size, error);
}

static int keep_pieces(struct anim_store *store, const struct anim_pieces *pieces, uint64_t *at,
		       struct anim_error *error)
{
	*at = anim_spool_size(&store->log);
	if (anim_spool_begin(&store->log, pieces->size, error) != 0)
		return -1;
	return anim_pieces_each(pieces, put_bytes, &store->log, error);
}

static int keep_node(struct anim_store *store, const struct anim_record *record, struct anim_error *error)
{
	const uint8_t *bytes = record != NULL ? record->bytes : store->small.data;
	size_t size = record != NULL ? record->size : store->small.size;
	struct stored_node *node = anim_buffer_extend(&store->nodes, sizeof *node, error);

	if (node == NULL)
		return -1;
	node->size = size;
	if (store->over) {
		node->at = record->offset;
		return 0;
	}
	if (keep_bytes(store, bytes, size, &node->at, error) != 0)
		return -1;
	store->nodes_end = anim_spool_size(&store->log);
	return 0;
}

static int store_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_store *store = (struct anim_store *)sink;
	size_t *place = anim_buffer_extend(&store->trees, sizeof *place, error);

	if (place == NULL)
		return -1;
	*place = store->nodes.size / sizeof(struct stored_node);
	store->small.size = 0;
	store->node_number = 0;
	if (tree->record == NULL && anim_encode_tree(&store->small, tree, error) != 0)
		return -1;
	return keep_node(store, tree->record, error);
}

static int store_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct anim_store *store = (struct anim_store *)sink;

	store->small.size = 0;
	if (node->record == NULL && anim_encode_node(&store->small, node, store->node_number, error) != 0)
		return -1;
	store->node_number++;
	return keep_node(store, node->record, error);
}

/* Copy the record of the head, so that a stream writer can copy it. */
static int keep_head_record(struct anim_store *store, struct stored_clip *clip, const struct anim_record *record,
			    struct anim_error *error)
{
	uint8_t *bytes = anim_arena_alloc(&store->kept, record->size, error);

	if (bytes == NULL)
		return -1;
	memcpy(bytes, record->bytes, record->size);
	anim_record_at(bytes, record->offset, &clip->record);
	clip->head.record = &clip->record;
	return 0;
}

static int store_clip(struct anim_sink *sink, const struct anim_clip *head, struct anim_error *error)
{
	struct anim_store *store = (struct anim_store *)sink;
	struct stored_clip *clip = anim_arena_zeroed(&store->kept, 1, sizeof *clip, error), **place;

	if (clip == NULL || anim_clip_validate(head, true, error) != 0 ||
	    anim_clip_copy(&clip->head, head, &store->kept, error) != 0)
		return -1;
	if (head->record != NULL && keep_head_record(store, clip, head->record, error) != 0)
		return -1;
	clip->first = store->entries.size / sizeof(struct anim_store_track *);
	clip->at = anim_spool_size(&store->log);
	place = anim_buffer_extend(&store->clips, sizeof *place, error);
	if (place == NULL)
		return -1;
	*place = clip;
	return 0;
}

/*
 * Return the text in the arena. If it equals that of the previous entry, as for nodes of consecutive tracks, that
 * text is shared.
 */
static const char *keep_name(struct anim_store *store, const char *name, const char *before, struct anim_error *error)
{
	if (name == NULL)
		return "";
	if (before != NULL && strcmp(before, name) == 0)
		return before;
	return anim_arena_text(&store->kept, name, strlen(name), error);
}

/* Add an index entry for the track. The position of its record is not set yet. */
static struct anim_store_track *add_entry(struct anim_store *store, const struct anim_track *track,
					  struct anim_error *error)
{
	size_t count = store->entries.size / sizeof(struct anim_store_track *);
	const struct anim_store_track *before = count > 0 ? entry_at(store, count - 1) : NULL;
	struct anim_store_track *entry = anim_arena_zeroed(&store->kept, 1, sizeof *entry, error), **place;

	if (entry == NULL)
		return NULL;
	*entry = (struct anim_store_track){
	    .node = keep_name(store, track->node, before != NULL ? before->node : NULL, error),
	    .bone = anim_track_is_bone(track),
	    .property = keep_name(store, track->property, before != NULL ? before->property : NULL, error),
	    .kind = (uint8_t)track->kind,
	    .type = (uint8_t)track->type,
	    .rules = (uint8_t)track->rules,
	    .component = track->component,
	    .pre = track->pre,
	    .post = track->post,
	    .interp = track->interp,
	    .flags = track->flags,
	    .n = track->n,
	    .start_s = track->start_s,
	    .step_s = track->step_s,
	    .rate_num = track->rate_num,
	    .rate_den = track->rate_den,
	};
	if (entry->node == NULL || entry->property == NULL)
		return NULL;
	entry->hash = hash_names(entry->node, entry->property);
	place = anim_buffer_extend(&store->entries, sizeof *place, error);
	if (place != NULL)
		*place = entry;
	return place != NULL ? entry : NULL;
}

static int store_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct anim_store *store = (struct anim_store *)sink;
	const struct anim_record *record = track->record;
	struct anim_store_track *entry, none;

	if (store->clips.size == 0)
		return anim_fail(error, ANIM_BAD_INPUT, "a track before any clip");
	if (record != NULL && record->version > store->version)
		store->version = record->version;
	if (record == NULL && anim_pieces_encode(&store->pieces, track, error) != 0)
		return -1;
	entry = store->plain ? &none : add_entry(store, track, error);
	if (entry == NULL)
		return -1;
	clip_at(store, anim_store_clips(store) - 1)->count++;
	entry->size = record != NULL ? record->size : store->pieces.size;
	if (record != NULL && store->over)
		entry->at = record->offset;
	else if (record != NULL)
		return keep_bytes(store, record->bytes, record->size, &entry->at, error);
	return store->over ? 0 : keep_pieces(store, &store->pieces, &entry->at, error);
}

static int store_end(struct anim_sink *sink, struct anim_error *error)
{
	(void)sink;
	(void)error;
	return 0;
}

static void store_free(struct anim_sink *sink)
{
	struct anim_store *store = (struct anim_store *)sink;

	anim_spool_clear(&store->log);
	anim_arena_clear(&store->kept);
	anim_arena_clear(&store->scratch);
	anim_buffer_clear(&store->clips);
	anim_buffer_clear(&store->entries);
	anim_buffer_clear(&store->nodes);
	anim_buffer_clear(&store->trees);
	anim_buffer_clear(&store->small);
	anim_pieces_clear(&store->pieces);
	free(store);
}

struct anim_store *anim_store_new(size_t memory_bytes, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = store_tree,
	    .node = store_node,
	    .clip = store_clip,
	    .track = store_track,
	    .end = store_end,
	    .free = store_free,
	};
	struct anim_store *store = anim_zeroed(sizeof *store, error);

	if (store == NULL)
		return NULL;
	store->sink.ops = &ops;
	anim_spool_init(&store->log, memory_bytes);
	return store;
}

struct anim_store *anim_store_new_plain(size_t memory_bytes, struct anim_error *error)
{
	struct anim_store *store = anim_store_new(memory_bytes, error);

	if (store != NULL)
		store->plain = true;
	return store;
}

struct anim_store *anim_store_new_over(int fd, uint64_t size, struct anim_error *error)
{
	struct anim_store *store = anim_store_new(0, error);

	if (store == NULL) {
		close(fd);
		return NULL;
	}
	store->over = true;
	store->log.fd = fd;
	store->log.file_size = size;
	return store;
}

struct anim_sink *anim_store_sink(struct anim_store *store)
{
	return &store->sink;
}

void anim_store_free(struct anim_store *store)
{
	if (store != NULL)
		store_free(&store->sink);
}

size_t anim_store_clips(const struct anim_store *store)
{
	return store->clips.size / sizeof(struct stored_clip *);
}

const struct anim_clip *anim_store_clip(const struct anim_store *store, size_t clip)
{
	return &clip_at(store, clip)->head;
}

size_t anim_store_tracks(const struct anim_store *store, size_t clip)
{
	return clip_at(store, clip)->count;
}

const struct anim_store_track *anim_store_track_at(const struct anim_store *store, size_t clip, size_t track)
{
	return entry_at(store, clip_at(store, clip)->first + track);
}

ptrdiff_t anim_store_find(const struct anim_store *store, size_t clip, size_t from, const char *node,
			  const char *property)
{
	const struct stored_clip *stored = clip_at(store, clip);
	uint32_t hash = hash_names(node, property);

	for (size_t i = from; i < stored->count; i++) {
		const struct anim_store_track *entry = entry_at(store, stored->first + i);

		if (entry->hash == hash && strcmp(entry->node, node) == 0 && strcmp(entry->property, property) == 0)
			return (ptrdiff_t)i;
	}
	return -1;
}

/* Read the track whose record of `size` bytes is at `at`. */
static int read_track(struct anim_store *store, uint64_t at, uint64_t size, struct anim_track *out,
		      struct anim_error *error)
{
	const uint8_t *bytes = anim_spool_read(&store->log, at, size, error);

	if (bytes == NULL && store->over && error != NULL && error->code == ANIM_SYSTEM)
		return anim_fail(error, ANIM_SYSTEM, "cannot be read any more");
	if (bytes == NULL)
		return -1;
	anim_record_at(bytes, at, &store->record);
	if (store->version > store->record.version)
		store->record.version = store->version;
	anim_arena_reset(&store->scratch);
	if (store->over) {
		const struct anim_record *record = &store->record;

		/* Other programs can write to the file meanwhile. */
		if (record->size != size || !anim_record_is(record, "TRAK") || !anim_record_is_sound(record))
			return anim_fail(error, ANIM_BAD_INPUT, "was changed while it was read");
		return anim_record_track(record, out, &store->scratch, error);
	}
	return anim_record_track_again(&store->record, out, &store->scratch, error);
}

int anim_store_read(struct anim_store *store, size_t clip, size_t track, struct anim_track *out,
		    struct anim_error *error)
{
	const struct anim_store_track *entry = anim_store_track_at(store, clip, track);

	return read_track(store, entry->at, entry->size, out, error);
}

int anim_store_next(struct anim_store *store, uint64_t *place, struct anim_track *out, struct anim_error *error)
{
	const uint8_t *head = anim_spool_read(&store->log, *place, ANIM_RECORD_HEAD, error);
	struct anim_record record;
	uint64_t at = *place;

	if (head == NULL)
		return -1;
	anim_record_at(head, at, &record);
	*place += record.size;
	return read_track(store, at, record.size, out, error);
}

int anim_store_keep_record(struct anim_store *store, const struct anim_record *record, struct anim_error *error)
{
	return keep_node(store, record, error);
}

/* Push one TREE, NODE or other record; `order` counts the nodes. */
static int replay_node(struct anim_store *store, const struct stored_node *stored, struct anim_order *order,
		       struct anim_sink *sink, struct anim_error *error)
{
	const uint8_t *bytes = anim_spool_read(&store->log, stored->at, stored->size, error);
	struct anim_decoded decoded;
	struct anim_record record;

	if (bytes == NULL)
		return -1;
	anim_record_at(bytes, stored->at, &record);
	order->nodes = anim_record_is(&record, "TREE") ? 0 : order->nodes + anim_record_is(&record, "NODE");
	if (anim_record_decode(&decoded, &record, order, &store->scratch, error) != 0)
		return -1;
	return anim_decoded_push(&decoded, sink, error);
}

/* Push nodes, and the records between them, from one index to another. */
static int replay_nodes(struct anim_store *store, size_t from, size_t to, struct anim_sink *sink,
			struct anim_error *error)
{
	const struct stored_node *nodes = (const void *)store->nodes.data;
	struct anim_order order = {.nodes = 0};

	for (size_t i = from; i < to; i++)
		if (replay_node(store, &nodes[i], &order, sink, error) != 0)
			return -1;
	return 0;
}

int anim_store_replay_trees(struct anim_store *store, struct anim_sink *sink, struct anim_error *error)
{
	return replay_nodes(store, 0, store->nodes.size / sizeof(struct stored_node), sink, error);
}

struct changing {
	struct anim_sink sink, *next;
	anim_node_change *change;
	void *context;
};

static int changing_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return anim_sink_tree(((struct changing *)sink)->next, tree, error);
}

static int changing_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct changing *changing = (struct changing *)sink;
	struct anim_node own = *node;

	return changing->change(changing->context, &own) ? anim_sink_node(changing->next, &own, error) : 0;
}

static int changing_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return anim_sink_record(((struct changing *)sink)->next, record, error);
}

int anim_store_replay_changed(struct anim_store *store, anim_node_change *change, void *context, struct anim_sink *next,
			      struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = changing_tree, .node = changing_node, .record = changing_record};
	struct changing changing = {.sink.ops = &ops, .next = next, .change = change, .context = context};

	return anim_store_replay_trees(store, &changing.sink, error);
}

int anim_store_replay_tree(struct anim_store *store, size_t tree, struct anim_sink *sink, struct anim_error *error)
{
	const size_t *places = (const void *)store->trees.data;
	size_t end = tree + 1 < store->trees.size / sizeof(size_t) ? places[tree + 1]
								   : store->nodes.size / sizeof(struct stored_node);

	return replay_nodes(store, places[tree], end, sink, error);
}

int anim_store_replay(struct anim_store *store, size_t clip, const struct anim_clip *head, struct anim_sink *sink,
		      struct anim_error *error)
{
	const struct stored_clip *stored = clip_at(store, clip);
	struct anim_track track;

	if (anim_sink_clip(sink, head != NULL ? head : &stored->head, error) != 0)
		return -1;
	for (size_t i = 0; i < stored->count; i++)
		if (anim_store_read(store, clip, i, &track, error) != 0 || anim_sink_track(sink, &track, error) != 0)
			return -1;
	return 0;
}

void anim_store_drop_last(struct anim_store *store)
{
	const struct stored_clip *last;

	if (store->clips.size == 0)
		return;
	store->clips.size -= sizeof(struct stored_clip *);
	last = clip_at(store, anim_store_clips(store));
	store->entries.size = last->first * sizeof(struct anim_store_track *);
	/* A tree that arrived after the clip stays, and so do the bytes of the clip before it. */
	anim_spool_truncate(&store->log, last->at > store->nodes_end ? last->at : store->nodes_end);
}
