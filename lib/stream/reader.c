/* reader.c: records out of bytes, proved whole. */
#include "stream/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "stream/order.h"
#include "stream/track_record.h"

struct anim_stream_reader {
	struct anim_input *input;
	bool begun, whole; /* the head was read; END was right and the last */
	bool heads_only;   /* tracks go to the sink without their columns */
	bool held;         /* `record` was read, but is still to be handed out */
	struct anim_order order;
	size_t pending; /* bytes of the record handed out, to be passed over before the next */
	struct anim_record record;
	struct anim_arena arena; /* of the model handed to a sink */
};

int anim_stream_reader_new(struct anim_stream_reader **reader, struct anim_input *input, struct anim_error *error)
{
	*reader = calloc(1, sizeof **reader);
	if (*reader == NULL)
		return anim_fail_memory(error);
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

/* Gives an error that has a message the place of a record's head, and the input's name. */
static int in_record(const struct anim_stream_reader *reader, struct anim_error *error)
{
	if (error != NULL) {
		error->at = ANIM_AT_BYTE;
		error->offset = anim_input_offset(reader->input);
	}
	return anim_error_in_file(error, anim_input_name(reader->input));
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
	if (version > ANIM_STREAM_VERSION)
		return fail_at(reader, 6, ANIM_UNSUPPORTED, error, "stream version %u: needs newer anim-tools",
			       version);
	anim_input_skip(reader->input, ANIM_STREAM_HEAD);
	reader->begun = true;
	return 0;
}

/* The record's 16 bytes; what they promise is not yet there. */
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
	return 0;
}

static int check_bytes(const struct anim_stream_reader *reader, struct anim_error *error)
{
	const struct anim_record *record = &reader->record;
	size_t end = ANIM_RECORD_HEAD + (size_t)record->length;
	uint32_t crc, stored;

	memcpy(&stored, record->bytes + 4, 4);
	crc = anim_crc32(anim_crc32(0, record->bytes, 4), record->bytes + 8, record->size - 8);
	if (crc != stored)
		return fail_at(reader, record->offset, ANIM_BAD_INPUT, error, "%s is damaged: its CRC does not agree",
			       record->tag);
	for (size_t i = end; i < record->size; i++)
		if (record->bytes[i] != 0)
			return fail_at(reader, record->offset + i, ANIM_BAD_INPUT, error,
				       "the padding after %s is not zero", record->tag);
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
	if (check_bytes(reader, error) != 0)
		return -1;
	if (anim_order_next(&reader->order, record->tag, record->length, error) != 0)
		return in_record(reader, error);
	reader->pending = record->size;
	return 0;
}

/* END must tell what came, and be the last. */
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
			       anim_stream_is(at, (size_t)size) ? ", a second stream: use anim-cat" : "");
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

/* Names the input in what a decoder complained of; the sink's own errors keep theirs. */
static int named(const struct anim_stream_reader *reader, struct anim_error *error)
{
	return anim_error_in_file(error, anim_input_name(reader->input));
}

static int push_tree(struct anim_stream_reader *reader, const struct anim_record *record, struct anim_sink *sink,
		     struct anim_error *error)
{
	struct anim_tree tree;

	if (anim_record_tree(record, &tree, &reader->arena, error) != 0)
		return named(reader, error);
	return anim_sink_tree(sink, &tree, error);
}

static int push_node(struct anim_stream_reader *reader, const struct anim_record *record, struct anim_sink *sink,
		     struct anim_error *error)
{
	struct anim_node node;

	if (anim_record_node(record, reader->order.nodes - 1, &node, &reader->arena, error) != 0)
		return named(reader, error);
	return anim_sink_node(sink, &node, error);
}

static int push_clip(struct anim_stream_reader *reader, const struct anim_record *record, struct anim_sink *sink,
		     struct anim_error *error)
{
	struct anim_clip clip;

	if (anim_record_clip(record, reader->order.tree, &clip, &reader->arena, error) != 0)
		return named(reader, error);
	return anim_sink_clip(sink, &clip, error);
}

static int push_track(struct anim_stream_reader *reader, const struct anim_record *record, struct anim_sink *sink,
		      struct anim_error *error)
{
	struct anim_track_rows rows;
	struct anim_track track;
	int result = reader->heads_only ? anim_record_track_head(record, &track, &rows, &reader->arena, error)
					: anim_record_track(record, &track, &reader->arena, error);

	if (result != 0)
		return named(reader, error);
	track.record = record;
	return anim_sink_track(sink, &track, error);
}

/* Goes to the sink as it is, but its fields must be right. */
static int push_prog(struct anim_stream_reader *reader, const struct anim_record *record, struct anim_sink *sink,
		     struct anim_error *error)
{
	struct anim_prog prog;

	if (anim_record_prog(record, &prog, &reader->arena, error) != 0)
		return named(reader, error);
	return anim_sink_record(sink, record, error);
}

static int push(struct anim_stream_reader *reader, const struct anim_record *record, struct anim_sink *sink,
		struct anim_error *error)
{
	static const struct {
		const char *tag;
		int (*push)(struct anim_stream_reader *, const struct anim_record *, struct anim_sink *,
			    struct anim_error *);
	} known[] = {
	    {"TRAK", push_track}, {"NODE", push_node}, {"CLIP", push_clip}, {"TREE", push_tree}, {"prog", push_prog}};

	anim_arena_reset(&reader->arena);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (memcmp(record->tag, known[i].tag, 4) == 0)
			return known[i].push(reader, record, sink, error);
	return anim_sink_record(sink, record, error);
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
