/* store.c: keeps trees, clips and tracks for later use, as records in a spool. */
#include "stream/store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "stream/columns.h"

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

static int store_clip(struct anim_sink *sink, const struct anim_clip *head, struct anim_error *error)
{
	struct anim_store *store = (struct anim_store *)sink;
	struct stored_clip *clip = anim_arena_zeroed(&store->kept, 1, sizeof *clip, error), **place;

	if (clip == NULL || anim_clip_validate(head, true, error) != 0 ||
	    anim_clip_copy(&clip->head, head, &store->kept, error) != 0)
		return -1;
	if (head->record != NULL) {
		/* A stream writer can copy the record. */
		uint8_t *bytes = anim_arena_alloc(&store->kept, head->record->size, error);

		if (bytes == NULL)
			return -1;
		memcpy(bytes, head->record->bytes, head->record->size);
		anim_record_at(bytes, head->record->offset, &clip->record);
		clip->head.record = &clip->record;
	}
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
	if (store->over) {
		if (record != NULL)
			entry->at = record->offset;
		return 0;
	}
	if (record != NULL)
		return keep_bytes(store, record->bytes, record->size, &entry->at, error);
	entry->at = anim_spool_size(&store->log);
	if (anim_spool_begin(&store->log, store->pieces.size, error) != 0)
		return -1;
	return anim_pieces_each(&store->pieces, put_bytes, &store->log, error);
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

/* Push nodes, and the records between them, from one index to another. */
static int replay_nodes(struct anim_store *store, size_t from, size_t to, struct anim_sink *sink,
			struct anim_error *error)
{
	const struct stored_node *nodes = (const void *)store->nodes.data;
	struct anim_order order = {.nodes = 0}; /* counts the nodes of a tree */

	for (size_t i = from; i < to; i++) {
		const uint8_t *bytes = anim_spool_read(&store->log, nodes[i].at, nodes[i].size, error);
		struct anim_decoded decoded;
		struct anim_record record;

		if (bytes == NULL)
			return -1;
		anim_record_at(bytes, nodes[i].at, &record);
		order.nodes = anim_record_is(&record, "TREE") ? 0 : order.nodes + anim_record_is(&record, "NODE");
		if (anim_record_decode(&decoded, &record, &order, &store->scratch, error) != 0 ||
		    anim_decoded_push(&decoded, sink, error) != 0)
			return -1;
	}
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
