/* decode_track.c: TRAK payloads -> tracks, whose plain columns stay where they lie. */
#include <string.h>

#include "base/limits.h"
#include "stream/track_record.h"

/* A track in the making, and where its fields began: a field that was not met stands at the record's head. */
struct decoder {
	struct anim_cursor cursor;
	struct anim_track *track;
	const uint8_t *place[ANIM_FIELD_COUNT];
	const uint8_t *table; /* the rows of the column table */
	size_t rows;
	unsigned present;
};

struct row {
	uint8_t id, form;
	uint16_t zero16;
	uint32_t zero32;
	uint64_t bytes;
};
_Static_assert(sizeof(struct row) == ANIM_COLUMN_ROW, "a row is 16 bytes without holes");

static int read_byte(struct decoder *decoder, enum anim_field field, uint8_t *byte)
{
	decoder->place[field] = decoder->cursor.at;
	return anim_cursor_get(&decoder->cursor, byte, 1);
}

static int read_name(struct decoder *decoder, enum anim_field field, const char **name)
{
	decoder->place[field] = decoder->cursor.at;
	return anim_cursor_name(&decoder->cursor, name);
}

static int read_names(struct decoder *decoder)
{
	struct anim_track *track = decoder->track;
	uint8_t kind, type;
	uint64_t n;

	if (read_byte(decoder, ANIM_FIELD_KIND, &kind) != 0 || read_byte(decoder, ANIM_FIELD_TYPE, &type) != 0 ||
	    read_name(decoder, ANIM_FIELD_NODE, &track->node) != 0 ||
	    read_name(decoder, ANIM_FIELD_PROPERTY, &track->property) != 0)
		return -1;
	decoder->place[ANIM_FIELD_KEYS] = decoder->cursor.at;
	if (anim_cursor_varint(&decoder->cursor, &n) != 0)
		return -1;
	track->kind = kind;
	track->type = type;
	track->n = (size_t)n;
	return 0;
}

static int read_settings(struct decoder *decoder)
{
	struct anim_track *track = decoder->track;
	uint8_t rules, flags;

	if (read_byte(decoder, ANIM_FIELD_COMPONENT, &track->component) != 0 ||
	    read_byte(decoder, ANIM_FIELD_RULES, &rules) != 0 || read_byte(decoder, ANIM_FIELD_FLAGS, &flags) != 0 ||
	    read_byte(decoder, ANIM_FIELD_BEFORE, &track->before) != 0 ||
	    read_byte(decoder, ANIM_FIELD_AFTER, &track->after) != 0 ||
	    read_byte(decoder, ANIM_FIELD_INTERP, &track->interp) != 0)
		return -1;
	track->rules = rules;
	track->flags = flags;
	decoder->place[ANIM_FIELD_ATTRS] = decoder->cursor.at;
	return anim_cursor_attrs(&decoder->cursor, &track->attrs);
}

static int read_raw(struct decoder *decoder)
{
	struct anim_cursor *cursor = &decoder->cursor;
	struct anim_track *track = decoder->track;

	decoder->place[ANIM_FIELD_START] = cursor->at;
	if (anim_cursor_get(cursor, &track->start_s, 8) != 0)
		return -1;
	decoder->place[ANIM_FIELD_STEP] = cursor->at;
	if (anim_cursor_get(cursor, &track->step_s, 8) != 0)
		return -1;
	decoder->place[ANIM_FIELD_RATE] = cursor->at;
	return anim_cursor_get(cursor, &track->rate_num, 4) != 0 || anim_cursor_get(cursor, &track->rate_den, 4) != 0
		   ? -1
		   : 0;
}

static int read_head(struct decoder *decoder)
{
	struct anim_cursor *cursor = &decoder->cursor;
	const uint8_t *place;
	enum anim_field field;
	uint64_t rows;

	if (read_names(decoder) != 0 || read_settings(decoder) != 0)
		return -1;
	place = cursor->at;
	if (anim_cursor_varint(cursor, &rows) != 0 || anim_cursor_align8(cursor) != 0)
		return -1;
	if (decoder->track->kind == ANIM_RAW && read_raw(decoder) != 0)
		return -1;
	if (anim_track_check_head(decoder->track, &field, cursor->error) != 0)
		return anim_cursor_place(cursor, decoder->place[field]);
	if (rows > 256 || rows * ANIM_COLUMN_ROW > (uint64_t)(cursor->end - cursor->at))
		return anim_cursor_fail(cursor, place, "%llu columns in a TRAK", (unsigned long long)rows);
	decoder->rows = (size_t)rows;
	return anim_cursor_take(cursor, rows * ANIM_COLUMN_ROW, &decoder->table);
}

/* Row i of the table; `at` is where it lies. */
static void get_row(const struct decoder *decoder, size_t i, struct row *row, const uint8_t **at)
{
	*at = decoder->table + i * ANIM_COLUMN_ROW;
	memcpy(row, *at, sizeof *row);
}

static int check_row(const struct decoder *decoder, const struct row *row, int last_id, const uint8_t *at)
{
	const struct anim_cursor *cursor = &decoder->cursor;
	bool text = decoder->track->type == ANIM_STRING &&
		    (row->id == ANIM_COLUMN_VALUE || row->id == ANIM_COLUMN_LEFT || row->id == ANIM_COLUMN_RIGHT);

	if (row->id >= ANIM_COLUMN_COUNT && row->id < ANIM_COLUMN_OTHERS)
		return anim_cursor_fail(cursor, at, "unknown column %d in a TRAK", row->id);
	if (row->id <= last_id)
		return anim_cursor_fail(cursor, at, "column %d after column %d", row->id, last_id);
	if (text && row->id != ANIM_COLUMN_VALUE)
		return anim_cursor_fail(cursor, at, "column %d in a track of type string", row->id);
	if (row->form > 1)
		return anim_cursor_fail(cursor, at + 1, "form %d of column %d", row->form, row->id);
	if (row->form == 1 && (row->id >= ANIM_COLUMN_OTHERS || text || decoder->track->n == 0))
		return anim_cursor_fail(cursor, at + 1, "column %d cannot be prepared", row->id);
	if (row->zero16 != 0 || row->zero32 != 0)
		return anim_cursor_fail(cursor, at + 2, "a reserved byte of a column table that is not zero");
	return 0;
}

/* The value column of a string track: n lengths, padding, the bytes. */
static int read_strings(struct decoder *decoder, const uint8_t *bytes, uint64_t size)
{
	struct anim_cursor cursor = decoder->cursor;
	size_t n = decoder->track->n;
	struct anim_strings *strings = anim_arena_alloc(cursor.arena, sizeof *strings, cursor.error);
	const uint8_t *lengths;
	uint64_t *start, total = 0;

	cursor.at = bytes;
	cursor.end = bytes + size;
	if (strings == NULL || anim_cursor_take(&cursor, (uint64_t)n * 4, &lengths) != 0 ||
	    anim_cursor_align8(&cursor) != 0)
		return -1;
	start = anim_arena_alloc(cursor.arena, n * sizeof *start, cursor.error);
	if (start == NULL)
		return -1;
	strings->length = (const uint32_t *)(const void *)lengths;
	strings->start = start;
	strings->bytes = (const char *)cursor.at;
	strings->bytes_size = (uint64_t)(cursor.end - cursor.at);
	for (size_t i = 0; i < n; i++) {
		start[i] = total;
		if (strings->length[i] == ANIM_NULL_STRING)
			continue;
		if (strings->length[i] > ANIM_TEXT_MAX)
			return anim_cursor_fail(&cursor, lengths + 4 * i,
						"string %zu of %u bytes, at most %u are allowed", i,
						(unsigned)strings->length[i], ANIM_TEXT_MAX);
		total += strings->length[i];
	}
	if (total != strings->bytes_size)
		return anim_cursor_fail(&cursor, cursor.at, "a string column of %llu bytes, its lengths say %llu",
					(unsigned long long)strings->bytes_size, (unsigned long long)total);
	decoder->track->strings = strings;
	return 0;
}

static int read_column(struct decoder *decoder, const struct row *row)
{
	struct anim_cursor *cursor = &decoder->cursor;
	struct anim_column_shape shape;
	const uint8_t *bytes = cursor->at;
	uint64_t need;

	if (anim_cursor_take(cursor, row->bytes, &bytes) != 0 || anim_cursor_align8(cursor) != 0)
		return -1;
	if (row->id >= ANIM_COLUMN_COUNT) /* others' */
		return 0;
	decoder->place[ANIM_FIELD_COLUMN + row->id] = bytes;
	decoder->present |= 1u << row->id;
	if (row->id == ANIM_COLUMN_VALUE && decoder->track->type == ANIM_STRING)
		return read_strings(decoder, bytes, row->bytes);
	shape = anim_column_shape(row->id, decoder->track->type);
	if (row->form == 1)
		return anim_form1_undo(cursor, bytes, row->bytes, decoder->track->n, shape,
				       &decoder->track->column[row->id]);
	need = (uint64_t)decoder->track->n * shape.lanes * shape.width;
	if (row->bytes != need)
		return anim_cursor_fail(cursor, bytes, "column %d of %llu bytes, %zu keys need %llu", row->id,
					(unsigned long long)row->bytes, decoder->track->n, (unsigned long long)need);
	decoder->track->column[row->id] = bytes;
	return 0;
}

static int read_columns(struct decoder *decoder)
{
	const uint8_t *at;
	struct row row;
	int last_id = -1;

	for (size_t i = 0; i < decoder->rows; i++) {
		get_row(decoder, i, &row, &at);
		if (check_row(decoder, &row, last_id, at) != 0)
			return -1;
		last_id = row.id;
	}
	for (size_t i = 0; i < decoder->rows; i++) {
		get_row(decoder, i, &row, &at);
		if (read_column(decoder, &row) != 0)
			return -1;
	}
	return anim_cursor_done(&decoder->cursor);
}

static int decode(const struct anim_record *record, struct decoder *decoder, struct anim_track *track,
		  struct anim_arena *arena, struct anim_error *error)
{
	memset(track, 0, sizeof *track);
	memset(decoder, 0, sizeof *decoder);
	decoder->track = track;
	track->record = record;
	anim_cursor_init(&decoder->cursor, record, arena, error);
	for (size_t i = 0; i < ANIM_FIELD_COUNT; i++)
		decoder->place[i] = record->bytes;
	return read_head(decoder) != 0 ? -1 : read_columns(decoder);
}

int anim_record_track(const struct anim_record *record, struct anim_track *track, struct anim_arena *arena,
		      struct anim_error *error)
{
	struct decoder decoder;
	enum anim_field field;

	if (decode(record, &decoder, track, arena, error) != 0)
		return -1;
	if (anim_track_check_columns(track, decoder.present, &field, error) != 0)
		return anim_cursor_place(&decoder.cursor, decoder.place[field]);
	return 0;
}

int anim_record_track_head(const struct anim_record *record, struct anim_track *track, struct anim_track_rows *rows,
			   struct anim_arena *arena, struct anim_error *error)
{
	struct decoder decoder = {.track = track};
	struct row row;
	const uint8_t *at;
	int last_id = -1;

	memset(track, 0, sizeof *track);
	anim_cursor_init(&decoder.cursor, record, arena, error);
	for (size_t i = 0; i < ANIM_FIELD_COUNT; i++)
		decoder.place[i] = record->bytes;
	if (read_head(&decoder) != 0)
		return -1;
	rows->count = decoder.rows;
	rows->size = (size_t)(decoder.cursor.at - record->bytes);
	for (size_t i = 0; i < decoder.rows; i++) {
		get_row(&decoder, i, &row, &at);
		if (check_row(&decoder, &row, last_id, at) != 0)
			return -1;
		last_id = row.id;
		rows->row[i] = (struct anim_track_row){row.id, row.form, row.bytes};
	}
	return 0;
}

int anim_record_track_again(const struct anim_record *record, struct anim_track *track, struct anim_arena *arena,
			    struct anim_error *error)
{
	struct decoder decoder;

	return decode(record, &decoder, track, arena, error);
}
