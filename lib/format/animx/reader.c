/* reader.c: anim_animx_read: the header, the tracks into a store, then the clip into the sink. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "format/animx/reader.h"

#define VERSION_MAX 1u

static const uint8_t magic[] = {5, 'A', 'n', 'i', 'm', 'X'};

bool anim_animx_is(const uint8_t *bytes, size_t size)
{
	return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

struct header {
	uint64_t tracks;
	float duration_s;
	const char *name; /* in the arena */
	enum anim_animx_encoding encoding;
};

static int read_magic(struct animx_body *body, struct anim_error *error)
{
	uint8_t bytes[sizeof magic];

	if (animx_body_read(body, bytes, sizeof bytes, error) != 0)
		return -1;
	return anim_animx_is(bytes, sizeof bytes) ? 0 : animx_body_fail(body, 0, error, "not an AnimX file");
}

static int read_version(struct animx_reader *reader, struct anim_error *error)
{
	struct animx_body *body = &reader->body;
	uint64_t offset = body->offset;
	uint8_t bytes[4];

	if (animx_body_read(body, bytes, sizeof bytes, error) != 0)
		return -1;
	reader->version =
	    (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	if (reader->version > VERSION_MAX)
		return animx_body_fail(body, offset, error, "AnimX version %u; versions 0 and 1 are read",
				       (unsigned)reader->version);
	return 0;
}

static int read_clip_name(struct animx_reader *reader, struct header *header, struct anim_arena *arena,
			  struct anim_error *error)
{
	struct anim_buffer *bytes = &reader->columns.pairs;
	uint32_t length;

	bytes->size = 0;
	if (animx_body_text(&reader->body, ANIM_NAME_MAX, bytes, &length, error) != 0)
		return -1;
	header->name =
	    length == 0 ? anim_read_base_name(anim_read_source_file(reader->options, reader->body.input), arena, error)
			: anim_arena_text(arena, (const char *)bytes->data, length, error);
	return header->name == NULL ? -1 : 0;
}

static int read_encoding(struct animx_body *body, struct header *header, struct anim_error *error)
{
	uint64_t offset = body->offset;
	uint8_t encoding;

	if (animx_body_read(body, &encoding, 1, error) != 0)
		return -1;
	if (encoding >= ANIM_ANIMX_ENCODING_COUNT)
		return animx_body_fail(body, offset, error, "encoding %u; 0 (plain), 1 (LZ4) and 2 (LZMA) are known",
				       encoding);
	header->encoding = (enum anim_animx_encoding)encoding;
	return 0;
}

static int read_header(struct animx_reader *reader, struct header *header, struct anim_arena *arena,
		       struct anim_error *error)
{
	struct animx_body *body = &reader->body;
	uint64_t offset;

	if (read_magic(body, error) != 0 || read_version(reader, error) != 0 ||
	    animx_body_varint(body, &header->tracks, error) != 0)
		return -1;
	offset = body->offset;
	if (animx_body_read(body, &header->duration_s, sizeof header->duration_s, error) != 0)
		return -1;
	if (!(header->duration_s >= 0) || isinf(header->duration_s)) {
		header->duration_s = 0;
		if (animx_warn(reader, offset, NULL, error,
			       "globalDuration is no length of time; that of the tracks is taken") != 0)
			return -1;
	}
	return read_clip_name(reader, header, arena, error) != 0 ? -1 : read_encoding(body, header, error);
}

/* 1 where only keys read time first would be so, -1 where only keys read value first would be, 0: neither or both. */
static int compare(bool time_first, bool value_first)
{
	return (int)time_first - (int)value_first;
}

/*
 * Where every track that tells nothing could be read both ways, the file as a whole speaks: keys lie within
 * globalDuration, tracks end together, and the last of them at globalDuration.
 */
static void decide(struct animx_reader *reader)
{
	float length_s = reader->duration_s;
	const float *ends_s = reader->duration_end_s;
	int says = 0;

	if (reader->order != ANIMX_UNKNOWN_ORDER || !reader->doubtful)
		return;
	if (length_s > 0)
		says = compare(ends_s[0] <= length_s, ends_s[1] <= length_s);
	if (says == 0 && reader->doubts_count > 1)
		says = compare(!reader->ends_differ[0], !reader->ends_differ[1]);
	if (says == 0)
		says = compare(ends_s[0] == length_s, ends_s[1] == length_s);
	if (says != 0)
		reader->order = says > 0 ? ANIMX_TIME_FIRST : ANIMX_VALUE_FIRST;
}

/* Tells which order the Curve keys were read in where Resonite's own is in dispute. */
static int tell_order(struct animx_reader *reader, struct anim_error *error)
{
	if (reader->forced)
		return 0;
	if (reader->order == ANIMX_VALUE_FIRST)
		return animx_warn(reader, reader->body.base, NULL, error,
				  "Curve keys of this file have their value before their time, and were read so");
	if (reader->order == ANIMX_TIME_FIRST || !reader->doubtful)
		return 0;
	return animx_warn(reader, reader->body.base, NULL, error,
			  "Curve keys of this file could have their value before their time as well; they were read "
			  "time first; --key-order says otherwise");
}

static void clear_columns(struct animx_columns *columns)
{
	anim_buffer_clear(&columns->pairs);
	anim_buffer_clear(&columns->time);
	anim_buffer_clear(&columns->value);
	anim_buffer_clear(&columns->left);
	anim_buffer_clear(&columns->right);
	anim_buffer_clear(&columns->interps);
	animx_strings_clear(&columns->strings);
}

static int write_track(struct animx_reader *reader, size_t number, struct anim_sink *sink, struct anim_error *error)
{
	bool swap = reader->order == ANIMX_VALUE_FIRST && reader->doubts.data[number] != 0;
	struct anim_track track;

	if (anim_store_read(reader->store, 0, number, &track, error) != 0)
		return -1;
	if (swap && animx_swap_keys(reader, &track, error) != 0)
		return -1;
	return anim_sink_track(sink, &track, error);
}

static int write_clip(struct animx_reader *reader, const struct header *header, struct anim_sink *sink,
		      struct anim_error *error)
{
	float end_s = reader->order == ANIMX_VALUE_FIRST ? reader->value_first_s : reader->time_first_s;
	struct anim_clip clip = {.end_s = header->duration_s > end_s ? header->duration_s : end_s,
				 .axes = ANIM_AXES_RESONITE,
				 .name = header->name,
				 .root = ".",
				 .source = "animx"};

	clear_columns(&reader->columns); /* the store reads what it kept into columns of its own */
	if (anim_sink_clip(sink, &clip, error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_tracks(reader->store, 0); i++)
		if (write_track(reader, i, sink, error) != 0)
			return -1;
	return 0;
}

static int read_tracks(struct animx_reader *reader, const struct header *header, struct anim_error *error)
{
	const struct anim_clip clip = {.name = header->name, .root = ".", .source = "animx"};

	reader->duration_s = header->duration_s;
	if (animx_body_inflate(&reader->body, header->encoding, error) != 0 ||
	    anim_sink_clip(anim_store_sink(reader->store), &clip, error) != 0)
		return -1;
	for (uint64_t i = 0; i < header->tracks; i++) {
		if (i == ANIM_ANIMX_TRACKS_MAX && !reader->options->trust_size)
			return animx_body_fail(&reader->body, reader->body.offset, error,
					       "more than %u tracks; anim-parse --trust-size reads them",
					       ANIM_ANIMX_TRACKS_MAX);
		if (animx_read_track(reader, error) != 0)
			return -1;
	}
	return animx_body_end(&reader->body, error);
}

static void clear(struct animx_reader *reader)
{
	animx_body_clear(&reader->body);
	anim_store_free(reader->store);
	anim_arena_clear(&reader->names);
	anim_buffer_clear(&reader->doubts);
	clear_columns(&reader->columns);
}

int anim_animx_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		    struct anim_error *error)
{
	static const enum animx_order orders[] = {[ANIM_KEY_ORDER_ANY] = ANIMX_UNKNOWN_ORDER,
						  [ANIM_KEY_ORDER_TIME_VALUE] = ANIMX_TIME_FIRST,
						  [ANIM_KEY_ORDER_VALUE_TIME] = ANIMX_VALUE_FIRST};
	struct animx_reader reader = {.options = options,
				      .order = orders[options->key_order],
				      .forced = options->key_order != ANIM_KEY_ORDER_ANY};
	struct anim_arena arena = {0};
	struct header header;
	int result = -1;

	animx_body_init(&reader.body, input);
	reader.body.trust_size = options->trust_size;
	reader.store = anim_store_new(options->store_memory, error);
	if (reader.store != NULL && read_header(&reader, &header, &arena, error) == 0)
		result = read_tracks(&reader, &header, error);
	if (result == 0) {
		decide(&reader);
		result = tell_order(&reader, error);
	}
	if (result == 0)
		result = write_clip(&reader, &header, sink, error);
	else
		anim_error_in_file(error, anim_input_name(input));
	clear(&reader);
	anim_arena_clear(&arena);
	return result;
}
