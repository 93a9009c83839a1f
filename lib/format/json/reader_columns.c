/* reader_columns.c: the keys of a track, column by column. */
#include <string.h>

#include "base/limits.h"
#include "base/number.h"
#include "clip/keys.h"
#include "format/json/reader.h"

/* "true" or "false". */
static int read_bool(struct jsonl_reader *reader, enum anim_type type, uint8_t *value, unsigned lane)
{
	const char *at = reader->at;
	size_t left = (size_t)(reader->lines.end - at);

	if (left >= 4 && memcmp(at, "true", 4) == 0) {
		anim_lane_store(type, value, lane, false, 1);
		reader->at += 4;
		return 0;
	}
	if (left < 5 || memcmp(at, "false", 5) != 0)
		return jsonl_fail(reader, at, "true or false is expected");
	reader->at += 5;
	return 0;
}

static int read_integer(struct jsonl_reader *reader, enum anim_type type, uint8_t *value, unsigned lane)
{
	const char *at = reader->at, *end;
	bool negative = *at == '-';
	uint64_t size;

	end = anim_number_uint64(at + negative, reader->lines.end, &size);
	if (end == NULL || !anim_lane_store(type, value, lane, negative, size))
		return jsonl_fail(reader, at, "a whole number that %s can hold is expected", anim_types[type].name);
	reader->at = end;
	return 0;
}

static int read_lane(struct jsonl_reader *reader, enum anim_type type, uint8_t *value, unsigned lane)
{
	float single;
	double wide;

	jsonl_blanks(reader);
	switch (anim_types[type].scalar) {
	case ANIM_SCALAR_F32:
		if (jsonl_float(reader, &single) != 0)
			return -1;
		memcpy(value + lane * sizeof single, &single, sizeof single);
		return 0;
	case ANIM_SCALAR_F64:
		if (jsonl_double(reader, &wide) != 0)
			return -1;
		memcpy(value + lane * sizeof wide, &wide, sizeof wide);
		return 0;
	case ANIM_SCALAR_BOOL:
		return read_bool(reader, type, value, lane);
	default:
		return read_integer(reader, type, value, lane);
	}
}

/* A number, or an array of so many. */
static int read_value(struct jsonl_reader *reader, enum anim_type type, struct anim_buffer *column)
{
	unsigned lanes = anim_types[type].lanes;
	uint8_t *value = anim_buffer_extend(column, anim_types[type].size, reader->error);

	if (value == NULL)
		return -1;
	memset(value, 0, anim_types[type].size);
	for (unsigned lane = 0; lane < lanes; lane++)
		if ((lanes > 1 && jsonl_expect(reader, lane == 0 ? '[' : ',') != 0) ||
		    read_lane(reader, type, value, lane) != 0)
			return -1;
	return lanes > 1 ? jsonl_expect(reader, ']') : 0;
}

static int read_handle(struct jsonl_reader *reader, enum anim_type type, struct anim_buffer *column)
{
	unsigned lanes = anim_types[type].lanes;

	for (unsigned lane = 0; lane < lanes; lane++) {
		float value;

		if (lanes > 1 && jsonl_expect(reader, lane == 0 ? '[' : ',') != 0)
			return -1;
		jsonl_blanks(reader);
		if (jsonl_float(reader, &value) != 0 ||
		    anim_buffer_append(column, &value, sizeof value, reader->error) != 0)
			return -1;
	}
	return lanes > 1 ? jsonl_expect(reader, ']') : 0;
}

static int read_string(struct jsonl_reader *reader)
{
	struct jsonl_columns *columns = &reader->columns;
	uint32_t length = ANIM_NULL_STRING;
	uint64_t start = columns->bytes.size;

	if (!jsonl_accept_null(reader)) {
		if (jsonl_string(reader, ANIM_TEXT_MAX, &columns->bytes) != 0)
			return -1;
		length = (uint32_t)(columns->bytes.size - start);
	}
	if (anim_buffer_append(&columns->starts, &start, sizeof start, reader->error) != 0)
		return -1;
	return anim_buffer_append(&columns->column[ANIM_COLUMN_VALUE], &length, sizeof length, reader->error);
}

static int read_byte(struct jsonl_reader *reader, enum anim_column id, struct anim_buffer *column)
{
	uint64_t number;
	uint8_t byte;

	if (id == ANIM_COLUMN_WEIGHTED) {
		if (jsonl_count(reader, 3, &number) != 0)
			return -1;
		byte = (uint8_t)number;
	} else if (jsonl_word(reader, anim_interp_names, ANIM_INTERP_COUNT, &byte) != 0) {
		return -1;
	}
	return anim_buffer_append(column, &byte, 1, reader->error);
}

static int read_element(struct jsonl_reader *reader, enum anim_type type, enum anim_column id)
{
	struct anim_buffer *column = &reader->columns.column[id];
	uint64_t number;
	uint32_t word;

	switch (id) {
	case ANIM_COLUMN_VALUE:
	case ANIM_COLUMN_LEFT:
	case ANIM_COLUMN_RIGHT:
		return type == ANIM_STRING ? read_string(reader) : read_value(reader, type, column);
	case ANIM_COLUMN_LEFT_X:
	case ANIM_COLUMN_RIGHT_X:
		return read_handle(reader, type, column);
	case ANIM_COLUMN_TIME:
	case ANIM_COLUMN_EASE:
		return read_handle(reader, ANIM_FLOAT, column);
	case ANIM_COLUMN_INTERP:
	case ANIM_COLUMN_WEIGHTED:
		return read_byte(reader, id, column);
	default:
		break;
	}
	if (jsonl_count(reader, UINT32_MAX, &number) != 0)
		return -1;
	word = (uint32_t)number;
	return anim_buffer_append(column, &word, sizeof word, reader->error);
}

static int read_column(struct jsonl_reader *reader, enum anim_type type, enum anim_column id)
{
	struct jsonl_columns *columns = &reader->columns;
	const char *begin = reader->at;
	bool first = true;
	int more;

	if (type == ANIM_STRING && id >= ANIM_COLUMN_LEFT && id <= ANIM_COLUMN_RIGHT_X)
		return jsonl_fail(reader, begin, "strings have no such column");
	if (jsonl_expect(reader, '[') != 0)
		return -1;
	while ((more = jsonl_next_element(reader, &first)) == 1) {
		if (columns->n[id]++ == ANIM_KEYS_MAX)
			return jsonl_fail(reader, begin, "more than %u keys", ANIM_KEYS_MAX);
		if (read_element(reader, type, id) != 0)
			return -1;
	}
	if (more == 0 && columns->present != 0 && columns->n[id] != columns->n[__builtin_ctz(columns->present)])
		return jsonl_fail(reader, begin, "%zu elements, the columns before have %zu", columns->n[id],
				  columns->n[__builtin_ctz(columns->present)]);
	columns->present |= 1u << id;
	return more;
}

/* The elements of a column as a track has them: NULL where it does not stand, and never where it does. */
static const void *elements(const struct jsonl_columns *columns, enum anim_column id)
{
	static const uint64_t none[1];

	if ((columns->present >> id & 1) == 0)
		return NULL;
	return columns->n[id] == 0 ? (const void *)none : columns->column[id].data;
}

static void set_strings(struct jsonl_columns *columns, struct anim_track *track)
{
	columns->strings = (struct anim_strings){.length = elements(columns, ANIM_COLUMN_VALUE),
						 .start = (const uint64_t *)(const void *)columns->starts.data,
						 .bytes = columns->bytes.size == 0 ? "" : (char *)columns->bytes.data,
						 .bytes_size = columns->bytes.size};
	track->strings = columns->strings.length == NULL ? NULL : &columns->strings;
}

static void set_columns(struct jsonl_columns *columns, struct anim_track *track)
{
	track->n = columns->present == 0 ? 0 : columns->n[__builtin_ctz(columns->present)];
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++)
		track->column[id] = id == ANIM_COLUMN_VALUE && track->type == ANIM_STRING
					? NULL
					: elements(columns, (enum anim_column)id);
	if (track->type == ANIM_STRING)
		set_strings(columns, track);
}

int jsonl_read_columns(struct jsonl_reader *reader, struct anim_track *track)
{
	struct jsonl_columns *columns = &reader->columns;
	const char *names[ANIM_COLUMN_COUNT + 1] = {NULL};
	struct jsonl_object object;

	memcpy(names, anim_column_names, sizeof anim_column_names);
	columns->present = 0;
	columns->starts.size = columns->bytes.size = 0;
	if (jsonl_members(reader, names, &object) != 0)
		return -1;
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++) {
		columns->n[id] = columns->column[id].size = 0;
		if (object.value[id] == NULL)
			continue;
		reader->at = object.value[id];
		if (read_column(reader, track->type, (enum anim_column)id) != 0)
			return -1;
	}
	set_columns(columns, track);
	return 0;
}

void jsonl_columns_clear(struct jsonl_columns *columns)
{
	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++)
		anim_buffer_clear(&columns->column[i]);
	anim_buffer_clear(&columns->starts);
	anim_buffer_clear(&columns->bytes);
}
