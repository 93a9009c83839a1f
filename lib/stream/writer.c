/* writer.c: the sink that writes a stream. */
#include "stream/writer.h"

#include <stdlib.h>
#include <string.h>

#include "stream/order.h"
#include "stream/pieces.h"
#include "stream/put.h"

struct writer {
	struct anim_sink sink;
	struct anim_output *output;
	struct anim_stream_writer_options options;
	struct anim_order order;
	bool begun;               /* the head is written */
	bool own_written;         /* the own prog has had its place */
	bool dropping;            /* a known record was left out: unknown ones go with it until the next known */
	struct anim_buffer small; /* the record being encoded */
	struct anim_pieces pieces;
};

static int write_head(struct writer *writer, struct anim_error *error)
{
	if (writer->begun)
		return 0;
	writer->begun = true;
	return anim_output_write(writer->output, anim_stream_head, ANIM_STREAM_HEAD, error);
}

/* Counts a record and sees that it may stand here; our own mistakes are found before they are in a file. */
static int count_record(struct writer *writer, const char *tag, uint64_t length, struct anim_error *error)
{
	return write_head(writer, error) != 0 ? -1 : anim_order_next(&writer->order, tag, length, error);
}

static int copy_record(struct writer *writer, const struct anim_record *record, struct anim_error *error)
{
	if (count_record(writer, record->tag, record->length, error) != 0)
		return -1;
	return anim_output_write(writer->output, record->bytes, record->size, error);
}

/* Writes the one record in writer->small. */
static int write_small(struct writer *writer, struct anim_error *error)
{
	struct anim_record record;

	anim_record_at(writer->small.data, 0, &record);
	return copy_record(writer, &record, error);
}

/* Before the first record that is no prog: our own, behind those from upstream. */
static int write_own(struct writer *writer, struct anim_error *error)
{
	bool wanted = !writer->own_written && writer->options.own != NULL && !writer->options.no_provenance;

	writer->dropping = false;
	writer->own_written = true;
	if (!wanted)
		return 0;
	writer->small.size = 0;
	if (anim_encode_prog(&writer->small, writer->options.own, error) != 0)
		return -1;
	return write_small(writer, error);
}

static int write_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;

	if (write_own(writer, error) != 0)
		return -1;
	if (tree->record != NULL)
		return copy_record(writer, tree->record, error);
	writer->small.size = 0;
	return anim_encode_tree(&writer->small, tree, error) != 0 ? -1 : write_small(writer, error);
}

static int write_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;
	uint32_t number = writer->order.nodes;

	if (write_own(writer, error) != 0)
		return -1;
	if (node->record == NULL) {
		writer->small.size = 0;
		return anim_encode_node(&writer->small, node, number, error) != 0 ? -1 : write_small(writer, error);
	}
	/* Copied bytes hold a parent's number: it must still be one of this tree. */
	if (anim_node_validate(node, number, error) != 0)
		return -1;
	return copy_record(writer, node->record, error);
}

static int write_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;

	if (write_own(writer, error) != 0)
		return -1;
	if (clip->record == NULL) {
		writer->small.size = 0;
		return anim_encode_clip(&writer->small, clip, writer->order.tree, error) != 0
			   ? -1
			   : write_small(writer, error);
	}
	if (anim_clip_validate(clip, writer->order.tree, error) != 0)
		return -1;
	return copy_record(writer, clip->record, error);
}

static int write_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;

	if (write_own(writer, error) != 0)
		return -1;
	if (track->record != NULL)
		return copy_record(writer, track->record, error);
	if (anim_pieces_encode(&writer->pieces, track, error) != 0 ||
	    count_record(writer, "TRAK", writer->pieces.length, error) != 0)
		return -1;
	return anim_pieces_write(&writer->pieces, writer->output, error);
}

/* True where this program's output has other records than its input, so that offsets and totals no longer hold. */
static bool changes_records(const struct writer *writer)
{
	return writer->options.changes || writer->options.own != NULL || writer->options.no_provenance;
}

static int write_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;
	bool describes = record->tag[1] >= 'A' && record->tag[1] <= 'Z';

	if (memcmp(record->tag, "prog", 4) == 0) {
		writer->dropping = writer->options.no_provenance;
		return writer->dropping ? 0 : copy_record(writer, record, error);
	}
	if (memcmp(record->tag, "iNDX", 4) == 0) {
		if (write_own(writer, error) != 0)
			return -1;
		writer->dropping = changes_records(writer);
		return writer->dropping ? 0 : copy_record(writer, record, error);
	}
	if (writer->dropping || (describes && changes_records(writer)))
		return 0;
	return copy_record(writer, record, error);
}

static int write_end(struct anim_sink *sink, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;
	uint64_t totals[2];

	if (anim_losses_check(writer->options.losses, error) != 0 || write_own(writer, error) != 0)
		return -1;
	totals[0] = writer->order.records;
	totals[1] = writer->order.bytes;
	writer->small.size = 0;
	if (anim_put_head(&writer->small, "END ", error) != 0 ||
	    anim_buffer_append(&writer->small, totals, sizeof totals, error) != 0 ||
	    anim_put_finish(&writer->small, 0, error) != 0)
		return -1;
	return write_small(writer, error);
}

static void free_writer(struct anim_sink *sink)
{
	struct writer *writer = (struct writer *)sink;

	anim_buffer_clear(&writer->small);
	anim_pieces_clear(&writer->pieces);
	free(writer);
}

struct anim_sink *anim_stream_writer_new(struct anim_output *output, const struct anim_stream_writer_options *options,
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
	if (options != NULL)
		writer->options = *options;
	return &writer->sink;
}
