/* stream.c: reads a stream into a sink; a sink that writes a stream. */
#include "stream/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/limits.h"
#include "stream/boundary.h"
#include "stream/columns.h"

/* ---- Reading: records from bytes, with all checks ---- */

struct anim_stream_reader {
	struct anim_input *input;
	bool begun, whole; /* the head was read; END was valid and last */
	unsigned version;
	bool heads_only; /* tracks are passed to the sink without their columns */
	bool held;       /* `record` was read, but not returned yet */
	struct anim_order order;
	size_t pending; /* bytes of the returned record, to be skipped before the next */
	struct anim_record record;
	struct anim_arena arena; /* of the model passed to a sink */
};

int anim_stream_reader_new(struct anim_stream_reader **reader, struct anim_input *input, struct anim_error *error)
{
	*reader = anim_zeroed(sizeof **reader, error);
	if (*reader == NULL)
		return -1;
	(*reader)->input = input;
	return 0;
}

void anim_stream_reader_free(struct anim_stream_reader *reader)
{
	if (reader == NULL)
		return;
	anim_arena_clear(&reader->arena);
	free(reader);
}

bool anim_stream_is(const uint8_t *bytes, size_t size)
{
	return size >= 6 && memcmp(bytes, anim_stream_head, 6) == 0;
}

static int fail_at(const struct anim_stream_reader *reader, uint64_t offset, int code, struct anim_error *error,
		   const char *format, ...) __attribute__((format(printf, 5, 6)));

static int fail_at(const struct anim_stream_reader *reader, uint64_t offset, int code, struct anim_error *error,
		   const char *format, ...)
{
	struct anim_place place = {anim_input_name(reader->input), ANIM_AT_BYTE, 0, 0, offset};
	va_list args;

	va_start(args, format);
	anim_fail_va(error, code, &place, format, args);
	va_end(args);
	return -1;
}

static int read_head(struct anim_stream_reader *reader, struct anim_error *error)
{
	static const uint8_t animx[] = {5, 'A', 'n', 'i', 'm', 'X'};
	const uint8_t *at;
	ssize_t size = anim_input_peek(reader->input, ANIM_STREAM_HEAD, &at, error);
	size_t common;
	unsigned version;

	if (size < 0)
		return -1;
	if (size == 0)
		return fail_at(reader, 0, ANIM_BAD_INPUT, error, "empty input, not a stream");
	common = (size_t)size < 6 ? (size_t)size : 6;
	if (common == sizeof animx && memcmp(at, animx, common) == 0)
		return fail_at(reader, 0, ANIM_BAD_INPUT, error, "an AnimX file, not a stream");
	if (memcmp(at, anim_stream_head, common) != 0)
		return fail_at(reader, 0, ANIM_BAD_INPUT, error, "not a stream");
	if ((size_t)size < ANIM_STREAM_HEAD)
		return fail_at(reader, (uint64_t)size, ANIM_BAD_INPUT, error, "the stream is cut in its head");
	version = at[6] | (unsigned)at[7] << 8;
	if (version == 0)
		return fail_at(reader, 6, ANIM_BAD_INPUT, error, "stream version 0");
	if (version > ANIM_STREAM_VERSION_LATTICE)
		return fail_at(reader, 6, ANIM_UNSUPPORTED, error,
			       "stream version %u: it needs a newer version of these programs", version);
	anim_input_skip(reader->input, ANIM_STREAM_HEAD);
	reader->version = version;
	reader->begun = true;
	return 0;
}

/* Read the 16 bytes of a record's head. The payload is not available yet. */
static int read_record_head(struct anim_stream_reader *reader, struct anim_error *error)
{
	uint64_t offset = anim_input_offset(reader->input);
	const uint8_t *at;
	ssize_t size = anim_input_peek(reader->input, ANIM_RECORD_HEAD, &at, error);
	uint64_t length;

	if (size < 0)
		return -1;
	if (size == 0)
		return fail_at(reader, offset, ANIM_BAD_INPUT, error, "no END: the stream is cut");
	if ((size_t)size < ANIM_RECORD_HEAD)
		return fail_at(reader, offset, ANIM_BAD_INPUT, error, "the stream is cut inside the head of a record");
	if (!anim_tag_is(at))
		return fail_at(reader, offset, ANIM_BAD_INPUT, error, "no record begins here");
	memcpy(&length, at + 8, 8);
	if (length > ANIM_RECORD_MAX)
		return fail_at(reader, offset + 8, ANIM_BAD_INPUT, error, "a record of %llu bytes",
			       (unsigned long long)length);
	if (length > PTRDIFF_MAX - ANIM_RECORD_HEAD - 8)
		return fail_at(reader, offset + 8, ANIM_TOO_LARGE, error, "a record too large for this machine");
	anim_record_at(at, offset, &reader->record);
	reader->record.version = (uint16_t)reader->version;
	return 0;
}

static int read_record(struct anim_stream_reader *reader, struct anim_error *error)
{
	struct anim_record *record = &reader->record;
	ssize_t size;

	if (read_record_head(reader, error) != 0)
		return -1;
	size = anim_input_peek(reader->input, record->size, &record->bytes, error);
	if (size < 0)
		return -1;
	if ((size_t)size < record->size)
		return fail_at(reader, record->offset, ANIM_BAD_INPUT, error,
			       "the stream is cut inside a record (%.4s)", record->tag);
	if (!anim_record_is_sound(record))
		return fail_at(reader, record->offset, ANIM_BAD_INPUT, error, "%s is damaged: its CRC does not match",
			       record->tag);
	for (size_t i = ANIM_RECORD_HEAD + (size_t)record->length; i < record->size; i++)
		if (record->bytes[i] != 0)
			return fail_at(reader, record->offset + i, ANIM_BAD_INPUT, error,
				       "the padding after %s is not zero", record->tag);
	if (anim_order_next(&reader->order, record->tag, record->length, error) != 0) {
		if (error != NULL) {
			error->at = ANIM_AT_BYTE;
			error->offset = anim_input_offset(reader->input);
		}
		return anim_error_in_file(error, anim_input_name(reader->input));
	}
	reader->pending = record->size;
	return 0;
}

/* END must match the records before it, and be the last. */
static int check_end(struct anim_stream_reader *reader, struct anim_error *error)
{
	const struct anim_record *record = &reader->record;
	const uint8_t *at;
	uint64_t said[2];
	ssize_t size;

	if (record->length != sizeof said)
		return fail_at(reader, record->offset + 8, ANIM_BAD_INPUT, error, "an END of %llu bytes",
			       (unsigned long long)record->length);
	memcpy(said, record->bytes + ANIM_RECORD_HEAD, sizeof said);
	if (said[0] != reader->order.records || said[1] != reader->order.bytes)
		return fail_at(reader, record->offset, ANIM_BAD_INPUT, error,
			       "END says %llu records of %llu bytes, %llu of %llu came", (unsigned long long)said[0],
			       (unsigned long long)said[1], (unsigned long long)reader->order.records,
			       (unsigned long long)reader->order.bytes);
	anim_input_skip(reader->input, reader->pending);
	reader->pending = 0;
	size = anim_input_peek(reader->input, ANIM_STREAM_HEAD, &at, error);
	if (size > 0)
		return fail_at(reader, anim_input_offset(reader->input), ANIM_BAD_INPUT, error, "bytes after the END%s",
			       anim_stream_is(at, (size_t)size) ? ", a second stream; " ANIM_ADVICE(JOIN_FILES) : "");
	reader->whole = size == 0;
	return reader->whole ? 0 : -1;
}

int anim_stream_next(struct anim_stream_reader *reader, struct anim_record *record, struct anim_error *error)
{
	if (!reader->begun && read_head(reader, error) != 0)
		return -1;
	if (reader->whole)
		return 0;
	if (reader->held) {
		reader->held = false;
		*record = reader->record;
		return 1;
	}
	anim_input_skip(reader->input, reader->pending);
	reader->pending = 0;
	if (read_record(reader, error) != 0)
		return -1;
	*record = reader->record;
	if (reader->order.stage == ANIM_STAGE_END)
		return check_end(reader, error);
	return 1;
}

/* Name the input in the error of a decoder. Errors of the sink are unchanged. */
static int push(struct anim_stream_reader *reader, const struct anim_record *record, struct anim_sink *sink,
		struct anim_error *error)
{
	struct anim_decoded decoded;
	int status;

	if (reader->heads_only && anim_record_is(record, "TRAK")) {
		struct anim_track_rows rows;

		anim_arena_reset(&reader->arena);
		decoded.record = record;
		status = anim_record_track_head(record, &decoded.track, &rows, &reader->arena, error);
		decoded.track.record = record;
	} else {
		status = anim_record_decode(&decoded, record, &reader->order, &reader->arena, error);
	}
	if (status != 0)
		return anim_error_in_file(error, anim_input_name(reader->input));
	return anim_decoded_push(&decoded, sink, error);
}

int anim_stream_pump(struct anim_stream_reader *reader, struct anim_sink *sink, struct anim_error *error)
{
	struct anim_record record;
	int status;

	while ((status = anim_stream_next(reader, &record, error)) == 1)
		if (push(reader, &record, sink, error) != 0)
			return -1;
	return status;
}

int anim_stream_pump_heads(struct anim_stream_reader *reader, struct anim_sink *sink, struct anim_error *error)
{
	reader->heads_only = true;
	return anim_stream_pump(reader, sink, error);
}

int anim_stream_pump_progs(struct anim_stream_reader *reader, struct anim_sink *sink, struct anim_error *error)
{
	struct anim_record record;
	int status;

	while ((status = anim_stream_next(reader, &record, error)) == 1) {
		reader->held = reader->order.stage != ANIM_STAGE_PROG;
		if (reader->held)
			return 0;
		if (sink != NULL && push(reader, &record, sink, error) != 0)
			return -1;
	}
	return status;
}

/* ---- Writing ---- */

struct stream_writer {
	struct anim_sink sink;
	struct anim_output *output;
	struct anim_order order;
	bool begun;               /* the head is written */
	struct anim_buffer small; /* the record that is being encoded */
	struct anim_pieces pieces;
	struct anim_arena arena; /* of a track that is decoded again */
};

/* Check that a record is allowed here, and count it. This finds our own mistakes before they are in a file. */
static int count_record(struct stream_writer *writer, const char *tag, uint64_t length, struct anim_error *error)
{
	if (!writer->begun) {
		writer->begun = true;
		if (anim_output_write(writer->output, anim_stream_head, ANIM_STREAM_HEAD, error) != 0)
			return -1;
	}
	return anim_order_next(&writer->order, tag, length, error);
}

static int copy_record(struct stream_writer *writer, const struct anim_record *record, struct anim_error *error)
{
	if (count_record(writer, record->tag, record->length, error) != 0)
		return -1;
	return anim_output_write(writer->output, record->bytes, record->size, error);
}

static int write_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct stream_writer *writer = (struct stream_writer *)sink;
	struct anim_record record;

	if (anim_tree_record(&record, tree, &writer->small, error) != 0)
		return -1;
	return copy_record(writer, &record, error);
}

static int write_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct stream_writer *writer = (struct stream_writer *)sink;
	struct anim_record record;

	if (anim_node_record(&record, node, writer->order.nodes, &writer->small, error) != 0)
		return -1;
	return copy_record(writer, &record, error);
}

static int write_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct stream_writer *writer = (struct stream_writer *)sink;
	struct anim_record record;

	if (anim_clip_record(&record, clip, writer->order.tree, &writer->small, error) != 0)
		return -1;
	return copy_record(writer, &record, error);
}

static int put_bytes(void *output, const void *bytes, size_t size, struct anim_error *error)
{
	return anim_output_write(output, bytes, size, error);
}

static int write_track(struct anim_sink *sink, const struct anim_track *given, struct anim_error *error)
{
	struct stream_writer *writer = (struct stream_writer *)sink;
	struct anim_track plain = *given;
	const struct anim_track *track = &plain;
	int has_lattice = track->record == NULL ? 0 : anim_record_has_lattice(track->record, error);

	if (has_lattice < 0)
		return -1;
	if (track->record != NULL && !has_lattice)
		return copy_record(writer, track->record, error);
	/*
	 * A record with a lattice cannot be copied, because the stream has version 1. A track that was passed as a head has no
	 * columns yet.
	 */
	if (track->record != NULL) {
		anim_arena_reset(&writer->arena);
		if (plain.value == NULL && anim_record_track(given->record, &plain, &writer->arena, error) != 0)
			return -1;
		plain.record = NULL;
	}
	if (anim_pieces_encode(&writer->pieces, track, error) != 0 ||
	    count_record(writer, "TRAK", writer->pieces.length, error) != 0)
		return -1;
	return anim_pieces_each(&writer->pieces, put_bytes, writer->output, error);
}

static int write_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return copy_record((struct stream_writer *)sink, record, error);
}

static int write_end(struct anim_sink *sink, struct anim_error *error)
{
	struct stream_writer *writer = (struct stream_writer *)sink;
	struct anim_record record;

	if (anim_end_record(&record, &writer->order, &writer->small, error) != 0)
		return -1;
	return copy_record(writer, &record, error);
}

static void free_writer(struct anim_sink *sink)
{
	struct stream_writer *writer = (struct stream_writer *)sink;

	anim_buffer_clear(&writer->small);
	anim_pieces_clear(&writer->pieces);
	anim_arena_clear(&writer->arena);
	free(writer);
}

struct anim_sink *anim_stream_writer_new(struct anim_output *output, const struct anim_stream_writer_options *options,
					 struct anim_error *error)
{
	static const struct anim_sink_ops ops = {write_tree,   write_node, write_clip, write_track,
						 write_record, write_end,  free_writer};
	struct stream_writer *writer = anim_zeroed(sizeof *writer, error);

	if (writer == NULL)
		return NULL;
	writer->sink.ops = &ops;
	writer->output = output;
	return options == NULL ? &writer->sink : anim_boundary_new(options, &writer->sink, error);
}
