/* decode.c: converts payloads to the model. Plain columns of tracks are not copied. */
#include "stream/fields.h"

#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "stream/columns.h"

/* ---- The fields of a payload, one after another ---- */

void anim_cursor_init(struct anim_cursor *cursor, const struct anim_record *record, struct anim_arena *arena,
		      struct anim_error *error)
{
	cursor->record = record;
	cursor->at = record->bytes + ANIM_RECORD_HEAD;
	cursor->end = cursor->at + record->length;
	cursor->arena = arena;
	cursor->error = error;
}

static int place_error(const struct anim_cursor *cursor, const uint8_t *place)
{
	if (cursor->error != NULL) {
		cursor->error->at = ANIM_AT_BYTE;
		cursor->error->offset = cursor->record->offset + (uint64_t)(place - cursor->record->bytes);
	}
	return -1;
}

int anim_cursor_fail(const struct anim_cursor *cursor, const uint8_t *place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	anim_fail_va(cursor->error, ANIM_BAD_INPUT, NULL, format, args);
	va_end(args);
	return place_error(cursor, place);
}

int anim_cursor_borrow(struct anim_cursor *cursor, uint64_t size, const uint8_t **at)
{
	*at = cursor->at;
	if (size > (uint64_t)(cursor->end - cursor->at))
		return anim_cursor_fail(cursor, cursor->at, "%s ends inside a field", cursor->record->tag);
	cursor->at += size;
	return 0;
}

int anim_cursor_get(struct anim_cursor *cursor, void *to, size_t size)
{
	const uint8_t *at;

	if (anim_cursor_borrow(cursor, size, &at) != 0)
		return -1;
	memcpy(to, at, size);
	return 0;
}

int anim_cursor_varint(struct anim_cursor *cursor, uint64_t *value)
{
	const uint8_t *start = cursor->at;
	unsigned shift = 0;
	uint8_t byte;

	*value = 0;
	do {
		if (shift > 56)
			return anim_cursor_fail(cursor, start, "a number of 2^63 or more in %s", cursor->record->tag);
		if (anim_cursor_get(cursor, &byte, 1) != 0)
			return -1;
		*value |= (uint64_t)(byte & 127) << shift;
		shift += 7;
	} while (byte & 128);
	if (byte == 0 && shift > 7)
		return anim_cursor_fail(cursor, start, "a number that is not in its shortest form in %s",
					cursor->record->tag);
	return 0;
}

static int read_text(struct anim_cursor *cursor, size_t limit, const char **text)
{
	const uint8_t *start = cursor->at, *bytes;
	uint64_t size;

	if (anim_cursor_varint(cursor, &size) != 0)
		return -1;
	if (size > limit)
		return anim_cursor_fail(cursor, start, "a string of %llu bytes in %s, at most %zu are allowed",
					(unsigned long long)size, cursor->record->tag, limit);
	if (anim_cursor_borrow(cursor, size, &bytes) != 0)
		return -1;
	if (anim_utf8_prefix(bytes, size) != size)
		return anim_cursor_fail(cursor, start, "a string in %s that is not UTF-8 or holds a NUL",
					cursor->record->tag);
	*text = anim_arena_text(cursor->arena, (const char *)bytes, size, cursor->error);
	return *text == NULL ? -1 : 0;
}

int anim_cursor_name(struct anim_cursor *cursor, const char **name)
{
	return read_text(cursor, ANIM_NAME_MAX, name);
}

int anim_cursor_attrs(struct anim_cursor *cursor, struct anim_attrs *attrs)
{
	const uint8_t *start = cursor->at;
	struct anim_attr *items;
	uint64_t count;

	if (anim_cursor_varint(cursor, &count) != 0)
		return -1;
	if (count > ANIM_ATTRS_MAX || count * 2 > (uint64_t)(cursor->end - cursor->at))
		return anim_cursor_fail(cursor, start, "%llu attributes in %s", (unsigned long long)count,
					cursor->record->tag);
	items = anim_arena_alloc(cursor->arena, count * sizeof *items, cursor->error);
	if (items == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const uint8_t *here = cursor->at;

		if (anim_cursor_name(cursor, &items[i].key) != 0)
			return -1;
		if (i > 0 && strcmp(items[i - 1].key, items[i].key) >= 0)
			return anim_cursor_fail(cursor, here, "attributes of %s not sorted or not unique",
						cursor->record->tag);
		if (read_text(cursor, ANIM_TEXT_MAX, &items[i].value) != 0)
			return -1;
	}
	attrs->items = items;
	attrs->count = count;
	return 0;
}

int anim_cursor_zeros(struct anim_cursor *cursor, size_t size)
{
	const uint8_t *at;

	if (anim_cursor_borrow(cursor, size, &at) != 0)
		return -1;
	for (size_t i = 0; i < size; i++)
		if (at[i] != 0)
			return anim_cursor_fail(cursor, at + i, "padding or a reserved byte of %s that is not zero",
						cursor->record->tag);
	return 0;
}

int anim_cursor_align8(struct anim_cursor *cursor)
{
	return anim_cursor_zeros(cursor, (size_t)(cursor->record->bytes - cursor->at) & 7);
}

int anim_cursor_done(const struct anim_cursor *cursor)
{
	if (cursor->at != cursor->end)
		return anim_cursor_fail(cursor, cursor->at, "%zu bytes after the last field of %s",
					(size_t)(cursor->end - cursor->at), cursor->record->tag);
	return 0;
}

/* ---- prog, TREE, NODE and CLIP ---- */

/*
 * A record that is being decoded, and the start of each field. A field that was not read has the start of the record.
 */
struct record_fields {
	struct anim_cursor cursor;
	const uint8_t *place[ANIM_FIELD_COUNT];
};

static void fields_init(struct record_fields *fields, const struct anim_record *record, struct anim_arena *arena,
			struct anim_error *error)
{
	anim_cursor_init(&fields->cursor, record, arena, error);
	for (size_t i = 0; i < ANIM_FIELD_COUNT; i++)
		fields->place[i] = record->bytes;
}

/* Record where `field` begins, and read a number or an array of numbers. */
static int field_get(struct record_fields *fields, enum anim_field field, void *to, size_t size)
{
	fields->place[field] = fields->cursor.at;
	return anim_cursor_get(&fields->cursor, to, size);
}

static int field_name(struct record_fields *fields, enum anim_field field, const char **name)
{
	fields->place[field] = fields->cursor.at;
	return anim_cursor_name(&fields->cursor, name);
}

static int field_attrs(struct record_fields *fields, struct anim_attrs *attrs)
{
	fields->place[ANIM_FIELD_ATTRS] = fields->cursor.at;
	return anim_cursor_attrs(&fields->cursor, attrs);
}

/* Return the result of a check of the model, with the place of the field that it names. */
static int checked(const struct record_fields *fields, int status, enum anim_field field)
{
	return status == 0 ? 0 : place_error(&fields->cursor, fields->place[field]);
}

int anim_record_prog(const struct anim_record *record, struct anim_prog *prog, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct anim_cursor cursor;

	anim_cursor_init(&cursor, record, arena, error);
	if (anim_cursor_name(&cursor, &prog->program) != 0 || anim_cursor_name(&cursor, &prog->version) != 0 ||
	    anim_cursor_attrs(&cursor, &prog->attrs) != 0)
		return -1;
	return anim_cursor_done(&cursor);
}

int anim_record_tree(const struct anim_record *record, struct anim_tree *tree, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct record_fields fields;
	enum anim_field field;
	int status;

	fields_init(&fields, record, arena, error);
	tree->record = record;
	if (field_get(&fields, ANIM_FIELD_AXES, &tree->axes, 1) != 0 ||
	    field_get(&fields, ANIM_FIELD_AXES2D, &tree->axes2d, 1) != 0 || anim_cursor_zeros(&fields.cursor, 2) != 0 ||
	    field_name(&fields, ANIM_FIELD_ROOT, &tree->root_name) != 0 ||
	    field_name(&fields, ANIM_FIELD_SOURCE, &tree->source_file) != 0 ||
	    field_attrs(&fields, &tree->attrs) != 0 || anim_cursor_done(&fields.cursor) != 0)
		return -1;
	status = anim_tree_check(tree, &field, error);
	return checked(&fields, status, field);
}

int anim_record_node(const struct anim_record *record, uint32_t number, struct anim_node *node,
		     struct anim_arena *arena, struct anim_error *error)
{
	struct record_fields fields;
	enum anim_field field;
	int status;

	fields_init(&fields, record, arena, error);
	node->record = record;
	if (field_get(&fields, ANIM_FIELD_KIND, &node->kind, 1) != 0 ||
	    field_get(&fields, ANIM_FIELD_FLAGS, &node->has, 1) != 0 || anim_cursor_zeros(&fields.cursor, 2) != 0 ||
	    field_get(&fields, ANIM_FIELD_PARENT, &node->parent, 4) != 0 ||
	    field_get(&fields, ANIM_FIELD_TRANSFORM, node->position, sizeof node->position) != 0 ||
	    anim_cursor_get(&fields.cursor, node->rotation, sizeof node->rotation) != 0 ||
	    anim_cursor_get(&fields.cursor, node->scale, sizeof node->scale) != 0 ||
	    field_name(&fields, ANIM_FIELD_NODE, &node->path) != 0 ||
	    field_name(&fields, ANIM_FIELD_TYPE, &node->type) != 0 || field_attrs(&fields, &node->attrs) != 0 ||
	    anim_cursor_done(&fields.cursor) != 0)
		return -1;
	status = anim_node_check(node, number, &field, error);
	return checked(&fields, status, field);
}

int anim_record_clip(const struct anim_record *record, bool tree_before, struct anim_clip *clip,
		     struct anim_arena *arena, struct anim_error *error)
{
	struct record_fields fields;
	enum anim_field field;
	int status;

	fields_init(&fields, record, arena, error);
	clip->record = record;
	if (field_get(&fields, ANIM_FIELD_START, &clip->start_s, 4) != 0 ||
	    field_get(&fields, ANIM_FIELD_END, &clip->end_s, 4) != 0 ||
	    field_get(&fields, ANIM_FIELD_LOOP, &clip->loop, 1) != 0 ||
	    field_get(&fields, ANIM_FIELD_AXES, &clip->axes, 1) != 0 ||
	    field_get(&fields, ANIM_FIELD_AXES2D, &clip->axes2d, 1) != 0 ||
	    field_get(&fields, ANIM_FIELD_FLAGS, &clip->flags, 1) != 0 ||
	    field_get(&fields, ANIM_FIELD_RATE, &clip->rate_num, 4) != 0 ||
	    anim_cursor_get(&fields.cursor, &clip->rate_den, 4) != 0 ||
	    field_name(&fields, ANIM_FIELD_NAME, &clip->name) != 0 ||
	    field_name(&fields, ANIM_FIELD_ROOT, &clip->root) != 0 ||
	    field_name(&fields, ANIM_FIELD_SOURCE, &clip->source) != 0 || field_attrs(&fields, &clip->attrs) != 0 ||
	    anim_cursor_done(&fields.cursor) != 0)
		return -1;
	status = anim_clip_check(clip, tree_before, &field, error);
	return checked(&fields, status, field);
}

/* ---- TRAK ---- */

/* A track that is being decoded. */
struct track_decoder {
	struct record_fields fields;
	struct anim_track *track;
	const uint8_t *table; /* the rows of the column table */
	size_t rows;
	unsigned present;
};

struct table_row {
	uint8_t id, form;
	uint16_t zero16;
	uint32_t zero32;
	uint64_t bytes;
};
_Static_assert(sizeof(struct table_row) == ANIM_COLUMN_ROW, "a row is 16 bytes without holes");

/* Read all fields before the first column, and find the column table. */
static int read_head(struct track_decoder *decoder)
{
	struct anim_track *track = decoder->track;
	struct record_fields *fields = &decoder->fields;
	struct anim_cursor *cursor = &fields->cursor;
	uint8_t kind, type, rules, flags;
	struct anim_attr *items;
	const uint8_t *place;
	enum anim_field field;
	size_t kept = 0;
	uint64_t n, rows;

	if (field_get(fields, ANIM_FIELD_KIND, &kind, 1) != 0 || field_get(fields, ANIM_FIELD_TYPE, &type, 1) != 0 ||
	    field_name(fields, ANIM_FIELD_NODE, &track->node) != 0 ||
	    field_name(fields, ANIM_FIELD_PROPERTY, &track->property) != 0)
		return -1;
	fields->place[ANIM_FIELD_KEYS] = cursor->at;
	if (anim_cursor_varint(cursor, &n) != 0)
		return -1;
	track->kind = kind;
	track->type = type;
	track->n = (size_t)n;
	if (field_get(fields, ANIM_FIELD_COMPONENT, &track->component, 1) != 0 ||
	    field_get(fields, ANIM_FIELD_RULES, &rules, 1) != 0 ||
	    field_get(fields, ANIM_FIELD_FLAGS, &flags, 1) != 0 ||
	    field_get(fields, ANIM_FIELD_PRE, &track->pre, 1) != 0 ||
	    field_get(fields, ANIM_FIELD_POST, &track->post, 1) != 0 ||
	    field_get(fields, ANIM_FIELD_INTERP, &track->interp, 1) != 0)
		return -1;
	if (flags & ANIM_LAST_AT_END)
		return anim_cursor_fail(cursor, cursor->at - 4, "unknown flags of a TRAK: %d", flags);
	track->rules = rules;
	track->flags = flags;
	if (field_attrs(fields, &track->attrs) != 0)
		return -1;
	/* In the model, a flag replaces the attribute of a last sample. The items are in the decoder's arena. */
	items = (struct anim_attr *)(uintptr_t)track->attrs.items;
	for (size_t i = 0; i < track->attrs.count; i++)
		if (track->kind == ANIM_RAW && strcmp(items[i].key, ANIM_LAST_AT_END_KEY) == 0)
			track->flags |= ANIM_LAST_AT_END;
		else
			items[kept++] = items[i];
	track->attrs.count = kept;
	place = cursor->at;
	if (anim_cursor_varint(cursor, &rows) != 0 || anim_cursor_align8(cursor) != 0)
		return -1;
	if (track->kind == ANIM_RAW && (field_get(fields, ANIM_FIELD_START, &track->start_s, 8) != 0 ||
					field_get(fields, ANIM_FIELD_STEP, &track->step_s, 8) != 0 ||
					field_get(fields, ANIM_FIELD_RATE, &track->rate_num, 4) != 0 ||
					anim_cursor_get(cursor, &track->rate_den, 4) != 0))
		return -1;
	if (anim_track_check_head(track, &field, cursor->error) != 0)
		return checked(fields, -1, field);
	if (rows > 256 || rows * ANIM_COLUMN_ROW > (uint64_t)(cursor->end - cursor->at))
		return anim_cursor_fail(cursor, place, "%llu columns in a TRAK", (unsigned long long)rows);
	decoder->rows = (size_t)rows;
	return anim_cursor_borrow(cursor, rows * ANIM_COLUMN_ROW, &decoder->table);
}

/* Get row i of the table; `at` is its address. */
static void get_row(const struct track_decoder *decoder, size_t i, struct table_row *row, const uint8_t **at)
{
	*at = decoder->table + i * ANIM_COLUMN_ROW;
	memcpy(row, *at, sizeof *row);
}

static int check_row(const struct track_decoder *decoder, const struct table_row *row, int last_id, const uint8_t *at)
{
	const struct anim_cursor *cursor = &decoder->fields.cursor;
	bool text = decoder->track->type == ANIM_STRING &&
		    (row->id == ANIM_COLUMN_VALUE || row->id == ANIM_COLUMN_LEFT || row->id == ANIM_COLUMN_RIGHT);

	if (row->id >= ANIM_COLUMN_COUNT && row->id < ANIM_COLUMN_OTHERS)
		return anim_cursor_fail(cursor, at, "unknown column %d in a TRAK", row->id);
	if (row->id <= last_id)
		return anim_cursor_fail(cursor, at, "column %d after column %d", row->id, last_id);
	if (text && row->id != ANIM_COLUMN_VALUE)
		return anim_cursor_fail(cursor, at, "column %d in a track of type string", row->id);
	if (row->form >
	    (cursor->record->version < ANIM_STREAM_VERSION_LATTICE ? ANIM_FORM_PREPARED : ANIM_FORM_LATTICE))
		return anim_cursor_fail(cursor, at + 1, "form %d of column %d", row->form, row->id);
	if (row->form == ANIM_FORM_LATTICE && (row->id != ANIM_COLUMN_VALUE || !anim_lattice_can(decoder->track->type)))
		return anim_cursor_fail(cursor, at + 1, "column %d cannot be on a lattice", row->id);
	if (row->form != ANIM_FORM_PLAIN && (row->id >= ANIM_COLUMN_OTHERS || text || decoder->track->n == 0))
		return anim_cursor_fail(cursor, at + 1, "column %d cannot be prepared", row->id);
	if (row->zero16 != 0 || row->zero32 != 0)
		return anim_cursor_fail(cursor, at + 2, "a reserved byte of a column table that is not zero");
	return 0;
}

/* Read the value column of a string track: n lengths, padding, the bytes. */
static int read_strings(struct track_decoder *decoder, const uint8_t *bytes, uint64_t size)
{
	struct anim_cursor cursor = decoder->fields.cursor;
	size_t n = decoder->track->n;
	struct anim_strings *strings = anim_arena_alloc(cursor.arena, sizeof *strings, cursor.error);
	const uint8_t *lengths;
	uint64_t *start, total = 0;

	cursor.at = bytes;
	cursor.end = bytes + size;
	if (strings == NULL || anim_cursor_borrow(&cursor, (uint64_t)n * 4, &lengths) != 0 ||
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

static int read_column(struct track_decoder *decoder, const struct table_row *row)
{
	struct anim_cursor *cursor = &decoder->fields.cursor;
	struct anim_column_shape shape;
	const uint8_t *bytes = cursor->at;
	uint64_t need;

	if (anim_cursor_borrow(cursor, row->bytes, &bytes) != 0 || anim_cursor_align8(cursor) != 0)
		return -1;
	if (row->id >= ANIM_COLUMN_COUNT) /* unknown column */
		return 0;
	decoder->fields.place[ANIM_FIELD_COLUMN + row->id] = bytes;
	decoder->present |= 1u << row->id;
	if (row->id == ANIM_COLUMN_VALUE && decoder->track->type == ANIM_STRING)
		return read_strings(decoder, bytes, row->bytes);
	shape = anim_column_shape_of(row->id, decoder->track->type);
	if (row->form == ANIM_FORM_LATTICE)
		return anim_lattice_undo(cursor, bytes, row->bytes, decoder->track->n, decoder->track->type,
					 &decoder->track->column[row->id]);
	if (row->form == ANIM_FORM_PREPARED)
		return anim_form1_undo(cursor, bytes, row->bytes, decoder->track->n, shape,
				       &decoder->track->column[row->id]);
	need = (uint64_t)decoder->track->n * shape.components * shape.width;
	if (row->bytes != need)
		return anim_cursor_fail(cursor, bytes, "column %d of %llu bytes, %zu keys need %llu", row->id,
					(unsigned long long)row->bytes, decoder->track->n, (unsigned long long)need);
	decoder->track->column[row->id] = bytes;
	return 0;
}

/* Check all rows, and store them if `rows` is not NULL. */
static int read_rows(const struct track_decoder *decoder, struct anim_track_rows *rows)
{
	const uint8_t *at;
	struct table_row row;
	int last_id = -1;

	for (size_t i = 0; i < decoder->rows; i++) {
		get_row(decoder, i, &row, &at);
		if (check_row(decoder, &row, last_id, at) != 0)
			return -1;
		last_id = row.id;
		if (rows != NULL)
			rows->row[i] = (struct anim_track_row){row.id, row.form, row.bytes};
	}
	return 0;
}

static int begin(struct track_decoder *decoder, const struct anim_record *record, struct anim_track *track,
		 struct anim_arena *arena, struct anim_error *error)
{
	memset(track, 0, sizeof *track);
	memset(decoder, 0, sizeof *decoder);
	decoder->track = track;
	fields_init(&decoder->fields, record, arena, error);
	return read_head(decoder);
}

static int decode(struct track_decoder *decoder, const struct anim_record *record, struct anim_track *track,
		  struct anim_arena *arena, struct anim_error *error)
{
	const uint8_t *at;
	struct table_row row;

	if (begin(decoder, record, track, arena, error) != 0 || read_rows(decoder, NULL) != 0)
		return -1;
	track->record = record;
	for (size_t i = 0; i < decoder->rows; i++) {
		get_row(decoder, i, &row, &at);
		if (read_column(decoder, &row) != 0)
			return -1;
	}
	return anim_cursor_done(&decoder->fields.cursor);
}

int anim_record_track(const struct anim_record *record, struct anim_track *track, struct anim_arena *arena,
		      struct anim_error *error)
{
	struct track_decoder decoder;
	enum anim_field field;
	int status;

	if (decode(&decoder, record, track, arena, error) != 0)
		return -1;
	status = anim_track_check_columns(track, decoder.present, &field, error);
	return checked(&decoder.fields, status, field);
}

int anim_record_track_head(const struct anim_record *record, struct anim_track *track, struct anim_track_rows *rows,
			   struct anim_arena *arena, struct anim_error *error)
{
	struct track_decoder decoder;

	if (begin(&decoder, record, track, arena, error) != 0)
		return -1;
	rows->count = decoder.rows;
	rows->size = (size_t)(decoder.fields.cursor.at - record->bytes);
	return read_rows(&decoder, rows);
}

int anim_record_track_again(const struct anim_record *record, struct anim_track *track, struct anim_arena *arena,
			    struct anim_error *error)
{
	struct track_decoder decoder;

	return decode(&decoder, record, track, arena, error);
}

int anim_record_has_lattice(const struct anim_record *record, struct anim_error *error)
{
	struct anim_arena arena = {0};
	struct anim_track_rows rows;
	struct anim_track head;
	int found;

	if (record->version < ANIM_STREAM_VERSION_LATTICE || !anim_record_is(record, "TRAK"))
		return 0;
	found = anim_record_track_head(record, &head, &rows, &arena, error);
	for (size_t i = 0; found == 0 && i < rows.count; i++)
		found = rows.row[i].form == ANIM_FORM_LATTICE;
	anim_arena_clear(&arena);
	return found;
}

/* ---- Any record ---- */

int anim_record_decode(struct anim_decoded *out, const struct anim_record *record, const struct anim_order *order,
		       struct anim_arena *arena, struct anim_error *error)
{
	anim_arena_reset(arena);
	out->record = record;
	if (anim_record_is(record, "TRAK"))
		return anim_record_track(record, &out->track, arena, error);
	if (anim_record_is(record, "NODE"))
		return anim_record_node(record, order->nodes - 1, &out->node, arena, error);
	if (anim_record_is(record, "CLIP"))
		return anim_record_clip(record, order->tree, &out->clip, arena, error);
	if (anim_record_is(record, "TREE"))
		return anim_record_tree(record, &out->tree, arena, error);
	return anim_record_is(record, "prog") ? anim_record_prog(record, &out->prog, arena, error) : 0;
}

int anim_decoded_push(const struct anim_decoded *decoded, struct anim_sink *sink, struct anim_error *error)
{
	if (anim_record_is(decoded->record, "TRAK"))
		return anim_sink_track(sink, &decoded->track, error);
	if (anim_record_is(decoded->record, "NODE"))
		return anim_sink_node(sink, &decoded->node, error);
	if (anim_record_is(decoded->record, "CLIP"))
		return anim_sink_clip(sink, &decoded->clip, error);
	if (anim_record_is(decoded->record, "TREE"))
		return anim_sink_tree(sink, &decoded->tree, error);
	return anim_sink_record(sink, decoded->record, error);
}
