/* archive_write.c: the sink that writes an archive: records cut into members, iNDX, END, the trailer. */
#include "stream/archive_write.h"

#include <stdlib.h>
#include <string.h>

#include "stream/archive_index.h"
#include "stream/archive_pool.h"
#include "stream/order.h"
#include "stream/put.h"

struct writer {
	struct anim_sink sink;
	struct anim_output *output;
	struct anim_member_pool *pool;
	struct anim_index_writer index;
	struct anim_packed_track packed;
	struct anim_order order;
	bool no_provenance;
	uint64_t offset;          /* in the inflated stream */
	uint64_t tree_at;         /* of the last TREE */
	bool dropping;            /* a known record was left out: unknown ones go with it until the next known */
	struct anim_buffer small; /* the record being encoded */
};

/* Begins a new member, where the current one holds anything. */
static int cut(struct writer *writer, struct anim_error *error)
{
	if (anim_member_pool_current(writer->pool)->plain_size == 0)
		return 0;
	return anim_member_pool_submit(writer->pool, error);
}

/* Adds the bytes of one stretch to the current member and those that it needs. */
static int add_stretch(struct writer *writer, const uint8_t *bytes, const struct anim_stretch *stretch,
		       struct anim_error *error)
{
	struct anim_stretch part = *stretch;
	size_t left = stretch->size;

	if (stretch->begins_member && cut(writer, error) != 0)
		return -1;
	writer->offset += left;
	while (left > 0) {
		struct anim_member *member = anim_member_pool_current(writer->pool);
		size_t room = ANIM_MEMBER_MAX - member->plain_size;

		part.size = left < room ? left : room;
		memcpy(member->plain + member->plain_size, bytes, part.size);
		if (anim_stretches_add(&member->stretches, &part, error) != 0)
			return -1;
		member->plain_size += part.size;
		bytes += part.size;
		left -= part.size;
		part.begins_member = false;
		if (member->plain_size == ANIM_MEMBER_MAX && cut(writer, error) != 0)
			return -1;
	}
	return 0;
}

static int add_bytes(struct writer *writer, const uint8_t *bytes, size_t size, struct anim_error *error)
{
	const struct anim_stretch stretch = {size, ANIM_DEFLATE_MATCHES, false};

	return add_stretch(writer, bytes, &stretch, error);
}

/* The head of the stream stands before its first record, and alone where there is none but END. */
static int begin(struct writer *writer, struct anim_error *error)
{
	return writer->offset > 0 ? 0 : add_bytes(writer, anim_stream_head, ANIM_STREAM_HEAD, error);
}

/* Sees that a record may stand here and counts it. */
static int count_record(struct writer *writer, const char *tag, uint64_t length, struct anim_error *error)
{
	return begin(writer, error) != 0 ? -1 : anim_order_next(&writer->order, tag, length, error);
}

static int add_record(struct writer *writer, const struct anim_record *record, struct anim_error *error)
{
	if (count_record(writer, record->tag, record->length, error) != 0)
		return -1;
	return add_bytes(writer, record->bytes, record->size, error);
}

/* Adds the one record in writer->small. */
static int add_small(struct writer *writer, struct anim_error *error)
{
	struct anim_record record;

	anim_record_at(writer->small.data, 0, &record);
	return add_record(writer, &record, error);
}

static int write_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;

	writer->dropping = false;
	if (begin(writer, error) != 0)
		return -1;
	writer->tree_at = writer->offset;
	if (tree->record != NULL)
		return add_record(writer, tree->record, error);
	writer->small.size = 0;
	return anim_encode_tree(&writer->small, tree, error) != 0 ? -1 : add_small(writer, error);
}

static int write_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;

	writer->dropping = false;
	if (node->record != NULL)
		return add_record(writer, node->record, error);
	writer->small.size = 0;
	return anim_encode_node(&writer->small, node, writer->order.nodes, error) != 0 ? -1 : add_small(writer, error);
}

static int write_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;
	uint64_t tree_at = clip->flags & ANIM_IN_TREE ? writer->tree_at : ANIM_ARCHIVE_NOWHERE;

	writer->dropping = false;
	if (begin(writer, error) != 0 || anim_clip_validate(clip, writer->order.tree, error) != 0 ||
	    anim_index_clip(&writer->index, clip, writer->offset, tree_at, error) != 0)
		return -1;
	if (clip->record != NULL)
		return add_record(writer, clip->record, error);
	writer->small.size = 0;
	return anim_encode_clip(&writer->small, clip, writer->order.tree, error) != 0 ? -1 : add_small(writer, error);
}

static int write_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;
	struct anim_packed_track *packed = &writer->packed;
	const uint8_t *at;

	writer->dropping = false;
	if (anim_packed_track_make(packed, track, error) != 0 ||
	    count_record(writer, "TRAK", packed->bytes.size - ANIM_RECORD_HEAD, error) != 0 ||
	    anim_index_track(&writer->index, track, packed, writer->offset, error) != 0)
		return -1;
	at = packed->bytes.data;
	for (size_t i = 0; i < anim_stretches_count(&packed->stretches); i++) {
		const struct anim_stretch *stretch = anim_stretches_at(&packed->stretches, i);

		if (add_stretch(writer, at, stretch, error) != 0)
			return -1;
		at += stretch->size;
	}
	return 0;
}

/* Records keep their meaning, but not their places and sizes: what describes these is left out. */
static int write_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;
	bool describes = record->tag[1] >= 'A' && record->tag[1] <= 'Z';

	if (memcmp(record->tag, "prog", 4) == 0)
		writer->dropping = writer->no_provenance;
	if (memcmp(record->tag, "iNDX", 4) == 0)
		writer->dropping = true;
	return writer->dropping || describes ? 0 : add_record(writer, record, error);
}

static struct anim_archive_place place_of(void *context, uint64_t offset)
{
	return anim_member_pool_place(context, offset);
}

/* iNDX begins a member, whose place in the file is known only now. */
static int write_index(struct writer *writer, uint64_t *member, struct anim_error *error)
{
	if (begin(writer, error) != 0 || cut(writer, error) != 0 || anim_member_pool_finish(writer->pool, error) != 0)
		return -1;
	*member = anim_member_pool_end(writer->pool);
	writer->small.size = 0;
	return anim_index_encode(&writer->index, place_of, writer->pool, &writer->small, error) != 0
		   ? -1
		   : add_small(writer, error);
}

static int write_end_record(struct writer *writer, struct anim_error *error)
{
	const uint64_t totals[2] = {writer->order.records, writer->order.bytes};

	writer->small.size = 0;
	if (anim_put_head(&writer->small, "END ", error) != 0 ||
	    anim_buffer_append(&writer->small, totals, sizeof totals, error) != 0 ||
	    anim_put_finish(&writer->small, 0, error) != 0 || add_small(writer, error) != 0)
		return -1;
	return cut(writer, error) != 0 ? -1 : anim_member_pool_finish(writer->pool, error);
}

static int write_end(struct anim_sink *sink, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;
	uint8_t trailer[ANIM_TRAILER_SIZE];
	uint64_t member;

	if (write_index(writer, &member, error) != 0 || write_end_record(writer, error) != 0)
		return -1;
	memcpy(trailer, anim_archive_trailer, sizeof trailer);
	memcpy(trailer + ANIM_TRAILER_OFFSET_AT, &member, sizeof member);
	return anim_output_write(writer->output, trailer, sizeof trailer, error);
}

static void free_writer(struct anim_sink *sink)
{
	struct writer *writer = (struct writer *)sink;

	anim_member_pool_free(writer->pool);
	anim_index_clear(&writer->index);
	anim_packed_track_clear(&writer->packed);
	anim_buffer_clear(&writer->small);
	free(writer);
}

struct anim_sink *anim_archive_writer_new(struct anim_output *output, const struct anim_archive_writer_options *options,
					  struct anim_error *error)
{
	static const struct anim_sink_ops ops = {write_tree,   write_node, write_clip, write_track,
						 write_record, write_end,  free_writer};
	struct writer *writer = calloc(1, sizeof *writer);

	if (writer == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	writer->sink.ops = &ops;
	writer->output = output;
	writer->no_provenance = options->no_provenance;
	writer->pool = anim_member_pool_new(output, options->jobs > 0 ? options->jobs : 1, options->level, error);
	if (writer->pool == NULL) {
		free_writer(&writer->sink);
		return NULL;
	}
	return &writer->sink;
}
