/* json.c: writes and reads the stream as JSON Lines. */
#include "format/json/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/input.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/print.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/print.h"
#include "clip/sink.h"
#include "clip/track.h"
#include "format/fields.h"
#include "stream/record.h"

/* ---- Printing ---- */

struct jsonl_writer {
	struct anim_sink sink;
	struct anim_print print;
	const struct anim_diagnostics *diagnostics;
	bool began, some; /* began: the first line has been printed, some: there was a tree or a clip */
};

static struct anim_print *begin(struct anim_sink *sink, struct anim_error *error)
{
	struct jsonl_writer *writer = (struct jsonl_writer *)sink;

	writer->print.error = error;
	if (!writer->began)
		anim_print_text(&writer->print, "{\"anim_json\":1}\n");
	writer->began = true;
	return &writer->print;
}

/*
 * JSON has no infinities and no NaN, so they are strings. For -0, ".0" is appended, because many JSON readers take "-0"
 * for an integer and then lose the sign.
 */
static void print_double(struct anim_print *print, double value)
{
	const char *quote = isfinite(value) ? "" : "\"";

	anim_print_text(print, quote);
	anim_print_exact_double(print, value);
	anim_print_text(print, value == 0 && signbit(value) ? ".0" : quote);
}

static void print_float(struct anim_print *print, float value)
{
	const char *quote = isfinite(value) ? "" : "\"";

	anim_print_text(print, quote);
	anim_print_exact_float(print, value);
	anim_print_text(print, value == 0 && signbit(value) ? ".0" : quote);
}

static void print_cell(struct anim_print *print, const struct anim_cell *cell)
{
	switch (cell->kind) {
	case ANIM_CELL_FLOAT:
		print_float(print, cell->single);
		break;
	case ANIM_CELL_DOUBLE:
		print_double(print, cell->wide);
		break;
	case ANIM_CELL_BOOL:
		anim_print_text(print, cell->natural != 0 ? "true" : "false");
		break;
	case ANIM_CELL_INTEGER:
		anim_print_int64(print, cell->whole);
		break;
	case ANIM_CELL_NATURAL:
		anim_print_uint64(print, cell->natural);
		break;
	case ANIM_CELL_WORD:
		anim_print_json_text(print, cell->text);
		break;
	case ANIM_CELL_TEXT:
		if (cell->text == NULL)
			anim_print_text(print, "null");
		else
			anim_print_json(print, cell->text, cell->length);
	}
}

#define COMPONENTS_MAX 16u /* of the largest type */
#define ELEMENT_MAX (COMPONENTS_MAX * (ANIM_NUMBER_MAX + 1) + 3)

/* Print element k of a column of floats. */
static void print_floats(struct anim_print *print, struct anim_cell_texts *cells, size_t k)
{
	size_t from = k * cells->components, end = from + cells->components;
	char *room = anim_print_room(print, ELEMENT_MAX), *at = room;

	if (at == NULL)
		return;
	if (k > 0)
		*at++ = ',';
	if (cells->components > 1)
		*at++ = '[';
	for (size_t i = from; i < end; i++) {
		float value = cells->values[i];

		if (i > from)
			*at++ = ',';
		if (isfinite(value) && (value != 0 || !signbit(value))) {
			at = anim_cell_texts_put(cells, i, at);
			continue;
		}
		anim_print_advance(print, (size_t)(at - room));
		print_float(print, value);
		at = room = anim_print_room(print, ELEMENT_MAX);
		if (at == NULL)
			return;
	}
	if (cells->components > 1)
		*at++ = ']';
	anim_print_advance(print, (size_t)(at - room));
}

/* Print element k of another column. */
static void print_cells(struct anim_print *print, const struct anim_track *track, enum anim_column column, size_t k)
{
	unsigned components = anim_cell_components(track, column);

	anim_print_text(print, k > 0 ? "," : "");
	anim_print_text(print, components > 1 ? "[" : "");
	for (unsigned component = 0; component < components; component++) {
		struct anim_cell cell = anim_cell_at(track, column, k, component);

		anim_print_text(print, component > 0 ? "," : "");
		print_cell(print, &cell);
	}
	anim_print_text(print, components > 1 ? "]" : "");
}

static void print_columns(struct anim_print *print, const struct anim_track *track)
{
	unsigned present = anim_track_columns(track);
	const char *between = "";
	struct anim_cell_texts cells;

	anim_print_member(print, "columns");
	anim_print_text(print, "{");
	for (enum anim_column column = 0; column < ANIM_COLUMN_COUNT; column++) {
		if ((present >> column & 1) == 0)
			continue;
		anim_print_text(print, between);
		anim_print_json_text(print, anim_column_names[column]);
		anim_print_text(print, ":[");
		anim_cell_texts_begin(&cells, track, column);
		for (size_t k = 0; k < track->n && !print->failed; k++) {
			if (cells.values != NULL)
				print_floats(print, &cells, k);
			else
				print_cells(print, track, column, k);
		}
		anim_print_text(print, "]");
		between = ",";
	}
	anim_print_text(print, "}");
}

/* Print a field as a member of the object, after other members. */
static void print_field(struct anim_print *print, const struct record_field *field, const void *record)
{
	const void *member = (const char *)record + field->offset;
	const float *floats = member;
	const uint32_t *rate = member;
	size_t count = field->size / sizeof *floats;
	uint64_t number = field->size <= sizeof number ? record_field_number(field, record) : 0;

	switch (field->kind) {
	case RECORD_FIELD_TEXT:
		anim_print_text_member(print, field->name, *(const char *const *)member);
		break;
	case RECORD_FIELD_WORD:
	case RECORD_FIELD_TYPE:
	case RECORD_FIELD_INTERP:
		anim_print_text_member(print, field->name, record_field_word(field, record));
		break;
	case RECORD_FIELD_BITS:
		anim_print_bits_member(print, field->name, (unsigned)number, field->names, field->count);
		break;
	case RECORD_FIELD_NATURAL:
		anim_print_natural_member(print, field->name, number != field->none, number);
		break;
	case RECORD_FIELD_KEYS:
		anim_print_count_member(print, field->name, number);
		break;
	case RECORD_FIELD_FLOATS:
		anim_print_member(print, field->name);
		anim_print_text(print, count > 1 ? "[" : "");
		for (size_t i = 0; i < count; i++) {
			anim_print_text(print, i > 0 ? "," : "");
			print_float(print, floats[i]);
		}
		anim_print_text(print, count > 1 ? "]" : "");
		break;
	case RECORD_FIELD_DOUBLE:
		anim_print_member(print, field->name);
		print_double(print, *(const double *)member);
		break;
	case RECORD_FIELD_RATE:
		anim_print_rate_member(print, rate[0], rate[1]);
		break;
	case RECORD_FIELD_ATTRS:
		anim_print_attrs_member(print, member);
		break;
	case RECORD_FIELD_COLUMNS:
		print_columns(print, record);
	}
}

/* Print the line of a record. Return 0 or -1. */
static int print_record(struct anim_print *print, const char *word, const struct record_field *field,
			const void *record)
{
	const char *first = *(const char *const *)(const void *)((const char *)record + field->offset);

	anim_print_texts(print, "{\"", word, "\":{\"", field->name, "\":");
	anim_print_json_text(print, first);
	while ((++field)->name != NULL)
		if (!field->of_raw || ((const struct anim_track *)record)->kind == ANIM_RAW)
			print_field(print, field, record);
	anim_print_text(print, "}}\n");
	return print->failed ? -1 : 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	((struct jsonl_writer *)sink)->some = true;
	return print_record(begin(sink, error), "tree", record_tree_fields, tree);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return print_record(begin(sink, error), "node", record_node_fields, node);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	((struct jsonl_writer *)sink)->some = true;
	return print_record(begin(sink, error), "clip", record_clip_fields, clip);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return print_record(begin(sink, error), "track", record_track_fields, track);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct jsonl_writer *writer = (struct jsonl_writer *)sink;

	if (!writer->some)
		return anim_fail_no_clip(error);
	if (anim_diagnostics_check(writer->diagnostics, error) != 0)
		return -1;
	writer->print.error = error;
	anim_print_text(&writer->print, "{\"end\":true}\n");
	return writer->print.failed ? -1 : 0;
}

struct anim_sink *anim_json_writer_new(struct anim_output *out, const struct anim_diagnostics *diagnostics,
				       struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end};
	struct jsonl_writer *writer = anim_sink_new(sizeof *writer, &ops, error);

	if (writer == NULL)
		return NULL;
	writer->print.out = out;
	writer->diagnostics = diagnostics;
	return &writer->sink;
}

/* ---- Reading: the state of the reader ---- */

#define JSONL_MEMBERS_MAX 20u /* more than the number of fields of any record */

/* The columns of the current track. */
struct jsonl_columns {
	unsigned present;
	size_t n; /* number of elements in each of them */
	struct anim_buffer column[ANIM_COLUMN_COUNT];
	struct anim_texts texts; /* the value column of a string track */
	struct anim_strings strings;
};

struct jsonl_reader {
	struct anim_lines lines;
	const char *at;
	struct anim_sink *sink;
	struct anim_error *error;
	struct anim_place place; /* of the current object */
	uint32_t nodes;          /* number of nodes in the last tree */
	bool tree;               /* there was a tree */
	enum anim_stage stage;   /* kind of the last record */
	struct anim_arena arena;
	struct anim_buffer text, attrs;
	struct jsonl_columns columns;
};

/* The values of an object's members, indexed by the number of the member's name: the beginning of each value, or NULL. */
struct jsonl_object {
	const char *at, *value[JSONL_MEMBERS_MAX];
	const char *const *names; /* with NULL at the end */
};

/* ---- Reading: JSON values at the cursor, checked strictly by RFC 8259 ---- */

#define SHOWN_MAX 48  /* maximum bytes of a word in a message */
#define WORDS_MAX 400 /* maximum bytes of the expected words in a message */

__attribute__((format(printf, 3, 4))) static int fail(struct jsonl_reader *reader, const char *at, const char *format,
						      ...)
{
	struct anim_place place = anim_lines_place(&reader->lines, at);
	va_list arguments;

	va_start(arguments, format);
	anim_fail_va(reader->error, ANIM_BAD_INPUT, &place, format, arguments);
	va_end(arguments);
	return -1;
}

static void skip_blanks(struct jsonl_reader *reader)
{
	while (reader->at < reader->lines.end && (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r'))
		reader->at++;
}

/* Skip blanks, then the byte if it is there, and return whether it is. */
static bool accept(struct jsonl_reader *reader, char byte)
{
	skip_blanks(reader);
	if (reader->at == reader->lines.end || *reader->at != byte)
		return false;
	reader->at++;
	return true;
}

static int expect(struct jsonl_reader *reader, char byte)
{
	return accept(reader, byte) ? 0 : fail(reader, reader->at, "'%c' is expected", byte);
}

/* Skip the word if it is at the cursor, and return whether it is. */
static bool accept_word(struct jsonl_reader *reader, const char *word)
{
	skip_blanks(reader);
	if (!anim_bytes_begin(reader->at, (size_t)(reader->lines.end - reader->at), word))
		return false;
	reader->at += strlen(word);
	return true;
}

static bool accept_null(struct jsonl_reader *reader)
{
	return accept_word(reader, "null");
}

/* Return the end of a number in JSON's grammar, or NULL. The byte after the line is never a digit. */
static const char *number_end(const char *at)
{
	return (const char *)anim_json_number_end((const uint8_t *)at);
}

/* Return the closing quote of the string that begins at the cursor, or NULL if the line ends before it. */
static const char *closing_quote(const struct jsonl_reader *reader)
{
	const char *at = reader->at + 1, *end = reader->lines.end;

	while (at < end && *at != '"')
		at += *at == '\\' ? 2 : 1;
	return at < end ? at : NULL;
}

/* Append the text of a string. */
static int read_string(struct jsonl_reader *reader, size_t limit, struct anim_buffer *out)
{
	const char *begin, *close, *why;
	const uint8_t *bad;
	size_t start = out->size;

	if (anim_buffer_reserve(out, 1, reader->error) != 0) /* `data` must not be NULL, even for an empty text */
		return -1;
	skip_blanks(reader);
	begin = reader->at;
	if (begin == reader->lines.end || *begin != '"')
		return fail(reader, begin, "a string is expected");
	if ((close = closing_quote(reader)) == NULL)
		return fail(reader, begin, "the closing quote of the string is missing");
	if (anim_json_decode((const uint8_t *)begin + 1, (size_t)(close - begin - 1), out, &bad, &why) != 0)
		return bad == NULL ? anim_fail_memory(reader->error) : fail(reader, (const char *)bad, "%s", why);
	if (out->size - start > limit)
		return fail(reader, begin, "a text of %zu bytes, at most %zu are allowed", out->size - start, limit);
	if (anim_utf8_prefix(out->data + start, out->size - start) != out->size - start)
		return fail(reader, begin, "the string is not UTF-8, or holds a NUL");
	reader->at = close + 1;
	return 0;
}

/* Read a string into the arena. */
static int read_text(struct jsonl_reader *reader, size_t limit, const char **text)
{
	reader->text.size = 0;
	if (read_string(reader, limit, &reader->text) != 0)
		return -1;
	*text = anim_arena_text(&reader->arena, (const char *)reader->text.data, reader->text.size, reader->error);
	return *text == NULL ? -1 : 0;
}

/* Return the text of a string in place of a number ("inf", "-inf", "nan", or "nan:" with bits), or NULL for another value. */
static const char *special(struct jsonl_reader *reader, const char **end)
{
	skip_blanks(reader);
	if (reader->at == reader->lines.end || *reader->at != '"' || (*end = closing_quote(reader)) == NULL)
		return NULL;
	return reader->at + 1;
}

/* Read a double if `wide` is set, otherwise a float, so that each is rounded only once. */
static int read_number(struct jsonl_reader *reader, bool wide, void *number)
{
	const char *quote, *text = special(reader, &quote), *from = text != NULL ? text : reader->at;
	const char *end = text != NULL ? quote : number_end(from), *got = NULL;

	if (text != NULL)
		got =
		    wide ? anim_number_special_double(from, end, number) : anim_number_special_float(from, end, number);
	else if (end != NULL)
		got = wide ? anim_number_double(from, end, number) : anim_number_float(from, end, number);
	if (got == NULL || got != end)
		return fail(reader, reader->at, "a number is expected");
	if (text == NULL && !isfinite(wide ? *(double *)number : (double)*(float *)number))
		return fail(reader, reader->at, "too large for a %s", wide ? "double" : "float");
	reader->at = text != NULL ? end + 1 : end;
	return 0;
}

static int read_count(struct jsonl_reader *reader, uint64_t most, uint64_t *value)
{
	const char *end;

	skip_blanks(reader);
	end = number_end(reader->at);
	if (end == NULL || anim_number_uint64(reader->at, end, value) != end || *value > most)
		return fail(reader, reader->at, "a whole number from 0 to %llu is expected", (unsigned long long)most);
	reader->at = end;
	return 0;
}

static int read_word(struct jsonl_reader *reader, const char *const *names, unsigned count, uint8_t *number)
{
	char shown[SHOWN_MAX], list[WORDS_MAX];
	const char *begin;

	skip_blanks(reader);
	begin = reader->at;
	reader->text.size = 0;
	if (read_string(reader, ANIM_NAME_MAX, &reader->text) != 0)
		return -1;
	for (unsigned i = 0; i < count; i++)
		if (strlen(names[i]) == reader->text.size &&
		    memcmp(names[i], reader->text.data, reader->text.size) == 0) {
			*number = (uint8_t)i;
			return 0;
		}
	anim_text_safe(shown, sizeof shown, (const char *)reader->text.data, reader->text.size);
	anim_text_list(list, sizeof list, names, count);
	return fail(reader, begin, "\"%s\" is not one of %s", shown, list);
}

/*
 * Move to the next element of an array after its '['. *first must be true for the first call. Return 1 with the cursor
 * at the element, 0 with the cursor after ']', or -1.
 */
static int next_element(struct jsonl_reader *reader, bool *first)
{
	if (accept(reader, ']'))
		return 0;
	if (!*first && expect(reader, ',') != 0)
		return -1;
	*first = false;
	skip_blanks(reader);
	return 1;
}

static int skip(struct jsonl_reader *, unsigned depth);

/* Skip and check a value of any type. */
static int skip(struct jsonl_reader *reader, unsigned depth)
{
	const char *end;

	skip_blanks(reader);
	if (depth >= ANIM_NESTING_JSON)
		return fail(reader, reader->at, "nested deeper than %d", ANIM_NESTING_JSON);
	if (accept(reader, '{')) {
		bool first = true;

		while (!accept(reader, '}')) {
			if (!first && expect(reader, ',') != 0)
				return -1;
			reader->text.size = 0;
			if (read_string(reader, ANIM_TEXT_MAX, &reader->text) != 0 || expect(reader, ':') != 0 ||
			    skip(reader, depth + 1) != 0)
				return -1;
			first = false;
		}
		return 0;
	}
	if (accept(reader, '[')) {
		bool first = true;
		int more;

		while ((more = next_element(reader, &first)) == 1)
			if (skip(reader, depth + 1) != 0)
				return -1;
		return more;
	}
	if (reader->at < reader->lines.end && *reader->at == '"') {
		reader->text.size = 0;
		return read_string(reader, SIZE_MAX, &reader->text);
	}
	if (accept_word(reader, "true") || accept_word(reader, "false") || accept_word(reader, "null"))
		return 0;
	if ((end = number_end(reader->at)) == NULL)
		return fail(reader, reader->at, "a value is expected");
	reader->at = end;
	return 0;
}

/* Find the members, check each value, and move the cursor after the '}'. Fail for unknown and for repeated members. */
static int read_members(struct jsonl_reader *reader, const char *const *names, struct jsonl_object *object)
{
	bool first = true;
	unsigned member;

	skip_blanks(reader);
	*object = (struct jsonl_object){.at = reader->at, .names = names};
	if (expect(reader, '{') != 0)
		return -1;
	while (!accept(reader, '}')) {
		char shown[SHOWN_MAX];
		const char *begin;

		if (!first && expect(reader, ',') != 0)
			return -1;

		skip_blanks(reader);
		begin = reader->at;
		reader->text.size = 0;
		if (read_string(reader, ANIM_NAME_MAX, &reader->text) != 0)
			return -1;
		for (member = 0; object->names[member] != NULL; member++)
			if (strlen(object->names[member]) == reader->text.size &&
			    memcmp(object->names[member], reader->text.data, reader->text.size) == 0)
				break;
		anim_text_safe(shown, sizeof shown, (const char *)reader->text.data, reader->text.size);
		if (object->names[member] == NULL)
			return fail(reader, begin, "\"%s\" is not a known member here", shown);
		if (object->value[member] != NULL)
			return fail(reader, begin, "the member \"%s\" is repeated", shown);
		if (expect(reader, ':') != 0)
			return -1;
		skip_blanks(reader);
		object->value[member] = reader->at;
		if (skip(reader, 1) != 0)
			return -1;
		first = false;
	}
	return 0;
}

/* ---- Reading: values of fields ---- */

static int needs(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member)
{
	if (object->value[member] != NULL)
		return 0;
	return fail(reader, object->at, "the member \"%s\" is missing", object->names[member]);
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(((const struct anim_attr *)a)->key, ((const struct anim_attr *)b)->key);
}

/* ---- Reading: the keys of a track, column by column ---- */

/* Sort the attributes, because their order matters, while the members of a JSON object have none. */
static int read_attrs(struct jsonl_reader *reader, struct anim_attrs *attrs)
{
	reader->attrs.size = 0;
	attrs->count = 0;
	if (expect(reader, '{') != 0)
		return -1;
	while (!accept(reader, '}')) {
		struct anim_attr *attr;

		if (attrs->count == ANIM_ATTRS_MAX)
			return fail(reader, reader->at, "more than %u attributes", ANIM_ATTRS_MAX);
		if (attrs->count > 0 && expect(reader, ',') != 0)
			return -1;
		attr = anim_buffer_extend(&reader->attrs, sizeof *attr, reader->error);
		if (attr == NULL || read_text(reader, ANIM_NAME_MAX, &attr->key) != 0 || expect(reader, ':') != 0 ||
		    read_text(reader, ANIM_TEXT_MAX, &attr->value) != 0)
			return -1;
		attrs->count++;
	}
	if (attrs->count > 0)
		qsort(reader->attrs.data, attrs->count, sizeof(struct anim_attr), compare_keys);
	attrs->items = (const struct anim_attr *)(const void *)reader->attrs.data;
	return 0;
}

static int read_component(struct jsonl_reader *reader, enum anim_type type, uint8_t *value, unsigned component)
{
	const struct anim_type_info *info = &anim_types[type];
	const char *end;

	skip_blanks(reader);
	if (info->scalar == ANIM_SCALAR_F32 || info->scalar == ANIM_SCALAR_F64)
		return read_number(reader, info->scalar == ANIM_SCALAR_F64, value + component * info->component_size);
	if (info->scalar == ANIM_SCALAR_BOOL) {
		bool is_true = accept_word(reader, "true");

		if (!is_true && !accept_word(reader, "false"))
			return fail(reader, reader->at, "true or false is expected");
		anim_component_store(type, value, component, false, is_true);
		return 0;
	}
	end = anim_component_read(type, value, component, reader->at, reader->lines.end);
	if (end == NULL)
		return fail(reader, reader->at, "a whole number that %s can hold is expected", info->name);
	reader->at = end;
	return 0;
}

static int read_element(struct jsonl_reader *reader, const struct record_element *element, struct anim_buffer *column)
{
	uint64_t number;
	uint8_t mode;

	switch (element->kind) {
	case RECORD_ELEMENT_TEXT: {
		struct anim_texts *texts = &reader->columns.texts;
		size_t start = texts->bytes.size;

		if (accept_null(reader))
			return anim_texts_add_null(texts, reader->error);
		if (read_string(reader, ANIM_TEXT_MAX, &texts->bytes) != 0)
			return -1;
		return anim_texts_close(texts, start, reader->error);
	}
	case RECORD_ELEMENT_NUMBERS: { /* Read a number, or an array with the components of the element. */
		uint8_t *value = anim_buffer_extend(column, element->size, reader->error);
		bool several = element->components > 1;

		if (value == NULL)
			return -1;
		memset(value, 0, element->size);
		for (unsigned component = 0; component < element->components; component++)
			if ((several && expect(reader, component == 0 ? '[' : ',') != 0) ||
			    read_component(reader, element->type, value, component) != 0)
				return -1;
		return several ? expect(reader, ']') : 0;
	}
	case RECORD_ELEMENT_INTERP:
		if (read_word(reader, anim_interp_names, ANIM_INTERP_COUNT, &mode) != 0)
			return -1;
		return anim_buffer_append(column, &mode, 1, reader->error);
	default:
		if (read_count(reader, element->most, &number) != 0)
			return -1;
		return anim_buffer_append(column, &number, element->size, reader->error);
	}
}

static int read_column(struct jsonl_reader *reader, enum anim_type type, enum anim_column id)
{
	struct jsonl_columns *columns = &reader->columns;
	const struct record_element element = record_element_of(id, type);
	const char *begin = reader->at;
	bool first = true;
	size_t n = 0;
	int more;

	if (type == ANIM_STRING && id >= ANIM_COLUMN_LEFT && id <= ANIM_COLUMN_RIGHT_X)
		return fail(reader, begin, "strings have no such column");
	if (expect(reader, '[') != 0)
		return -1;
	while ((more = next_element(reader, &first)) == 1) {
		if (n++ == ANIM_KEYS_MAX)
			return fail(reader, begin, "more than %u keys", ANIM_KEYS_MAX);
		if (read_element(reader, &element, &columns->column[id]) != 0)
			return -1;
	}
	if (more == 0 && columns->present != 0 && n != columns->n)
		return fail(reader, begin, "the column has %zu elements, but the columns before have %zu", n,
			    columns->n);
	columns->n = n;
	columns->present |= 1u << id;
	return more;
}

static int read_columns(struct jsonl_reader *reader, struct anim_track *track)
{
	static const uint64_t none[1]; /* an existing column is never NULL */
	struct jsonl_columns *columns = &reader->columns;
	const char *names[ANIM_COLUMN_COUNT + 1] = {NULL};
	struct jsonl_object object;
	unsigned present;

	memcpy(names, anim_column_names, sizeof anim_column_names);
	columns->present = 0;
	columns->n = 0;
	anim_texts_reset(&columns->texts);
	if (read_members(reader, names, &object) != 0)
		return -1;
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++) {
		columns->column[id].size = 0;
		if (object.value[id] == NULL)
			continue;
		reader->at = object.value[id];
		if (read_column(reader, track->type, (enum anim_column)id) != 0)
			return -1;
	}

	present = columns->present;
	track->n = columns->n;
	if (track->type == ANIM_STRING && (present >> ANIM_COLUMN_VALUE & 1) != 0) {
		anim_texts_view(&columns->texts, &columns->strings);
		track->strings = &columns->strings;
		present &= ~(1u << ANIM_COLUMN_VALUE);
	}
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++)
		if ((present >> id & 1) != 0)
			track->column[id] = columns->n == 0 ? (const void *)none : columns->column[id].data;
	return 0;
}

/* ---- Reading: a record by its fields ---- */

/* Read a field whose member is an integer. */
static int read_natural(struct jsonl_reader *reader, const struct record_field *field, uint64_t *number)
{
	uint8_t word = ANIM_INTERP_COLUMN;
	int result = 0;

	switch (field->kind) {
	case RECORD_FIELD_BITS: {
		bool first = true;
		uint8_t bit;
		int more;

		if (expect(reader, '[') != 0)
			return -1;
		*number = 0;
		while ((more = next_element(reader, &first)) == 1) {
			if (read_word(reader, field->names, field->count, &bit) != 0)
				return -1;
			*number |= UINT64_C(1) << bit;
		}
		return more;
	}
	case RECORD_FIELD_NATURAL:
		*number = field->none;
		return accept_null(reader) ? 0 : read_count(reader, field->none - 1, number);
	case RECORD_FIELD_TYPE: {
		const char *names[ANIM_TYPE_COUNT];

		for (unsigned i = 0; i < ANIM_TYPE_COUNT; i++)
			names[i] = anim_types[i].name;
		result = read_word(reader, names, ANIM_TYPE_COUNT, &word);
	} break;
	case RECORD_FIELD_INTERP:
		if (!accept_null(reader))
			result = read_word(reader, anim_interp_names, ANIM_INTERP_COUNT, &word);
		break;
	default:
		result = read_word(reader, field->names, field->count, &word);
	}
	*number = word;
	return result;
}

/* Read the value at the cursor into the field's member. read_track() reads the number of keys later. */
static int read_field(struct jsonl_reader *reader, const struct record_field *field, void *record)
{
	static const char *const names[] = {"num", "den", NULL};
	void *member = (char *)record + field->offset;
	float *floats = member;
	size_t count = field->size / sizeof *floats;
	uint64_t number;

	switch (field->kind) {
	case RECORD_FIELD_TEXT:
		return read_text(reader, ANIM_NAME_MAX, member);
	case RECORD_FIELD_FLOATS: /* one number, or an array */
		if (count == 1)
			return read_number(reader, false, floats);
		for (size_t i = 0; i < count; i++)
			if (expect(reader, i == 0 ? '[' : ',') != 0 || read_number(reader, false, &floats[i]) != 0)
				return -1;
		return expect(reader, ']');
	case RECORD_FIELD_DOUBLE:
		return read_number(reader, true, member);
	case RECORD_FIELD_RATE: {
		struct jsonl_object rate;

		if (accept_null(reader))
			return 0;
		if (read_members(reader, names, &rate) != 0 || needs(reader, &rate, 0) != 0 ||
		    needs(reader, &rate, 1) != 0)
			return -1;
		for (unsigned i = 0; i < 2; i++) {
			number = 0;
			reader->at = rate.value[i];
			if (!accept_null(reader) && read_count(reader, UINT32_MAX, &number) != 0)
				return -1;
			((uint32_t *)member)[i] = (uint32_t)number;
		}
		return 0;
	}
	case RECORD_FIELD_ATTRS:
		return read_attrs(reader, member);
	case RECORD_FIELD_COLUMNS:
		return read_columns(reader, record);
	case RECORD_FIELD_KEYS:
		return 0;
	default:
		if (read_natural(reader, field, &number) != 0)
			return -1;
		record_field_set(field, record, number);
		return 0;
	}
}

/* Read the fields of a record. A missing field leaves its member unchanged. */
static int read_fields(struct jsonl_reader *reader, const struct record_field *field, const struct jsonl_object *object,
		       void *record)
{
	for (unsigned i = 0; field[i].name != NULL; i++)
		if (field[i].required && needs(reader, object, i) != 0)
			return -1;
	for (unsigned i = 0; field[i].name != NULL; i++) {
		/* Only Raw tracks have a grid. Fail if another track has one, instead of silently losing it. */
		for (unsigned k = 0; field[i].kind == RECORD_FIELD_COLUMNS && field[k].name != NULL; k++)
			if (((const struct anim_track *)record)->kind != ANIM_RAW && field[k].of_raw &&
			    object->value[k] != NULL)
				return fail(reader, object->value[k], "\"%s\" is for Raw tracks", object->names[k]);
		if (object->value[i] == NULL)
			continue;
		reader->at = object->value[i];
		if (read_field(reader, &field[i], record) != 0)
			return -1;
	}
	return 0;
}

/* The default of `interp` is Hold for Discrete tracks, otherwise Linear. */
static int read_track(struct jsonl_reader *reader, const struct jsonl_object *object)
{
	struct anim_track track = {.node = ".", .property = "", .component = ANIM_WHOLE, .interp = ANIM_INTERP_COUNT};
	uint64_t keys;
	unsigned i = 0;

	if (read_fields(reader, record_track_fields, object, &track) != 0)
		return -1;
	/* Check the number of keys, if the track has it, against the columns. */
	keys = track.n;
	while (record_track_fields[i].kind != RECORD_FIELD_KEYS)
		i++;
	if (object->value[i] != NULL) {
		reader->at = object->value[i];
		if (!accept_null(reader) && read_count(reader, ANIM_KEYS_MAX, &keys) != 0)
			return -1;
		if (keys != track.n)
			return fail(reader, object->value[i], "the columns have %zu elements", track.n);
	}
	if (track.interp == ANIM_INTERP_COUNT)
		track.interp = track.kind == ANIM_DISCRETE ? ANIM_HOLD : ANIM_LINEAR;
	if (anim_track_validate(&track, reader->error) != 0)
		return anim_error_at(reader->error, &reader->place);
	return anim_sink_track(reader->sink, &track, reader->error);
}

/* ---- Reading: the lines ---- */

static const char first_member[] = "\"anim_json\"";

bool anim_json_is(const uint8_t *bytes, size_t size)
{
	size_t at = 0, length = sizeof first_member - 1;

	while (at < size && (bytes[at] == ' ' || bytes[at] == '\t'))
		at++;
	if (at == size || bytes[at++] != '{')
		return false;
	while (at < size && (bytes[at] == ' ' || bytes[at] == '\t'))
		at++;
	return size - at >= length && memcmp(bytes + at, first_member, length) == 0;
}

static int read_tree(struct jsonl_reader *reader, const struct jsonl_object *object)
{
	struct anim_tree tree = {.root_name = "", .source_file = ""};

	if (read_fields(reader, record_tree_fields, object, &tree) != 0)
		return -1;
	reader->tree = true;
	reader->nodes = 0;
	reader->stage = ANIM_STAGE_TREE;
	if (anim_tree_validate(&tree, reader->error) != 0)
		return anim_error_at(reader->error, &reader->place);
	return anim_sink_tree(reader->sink, &tree, reader->error);
}

static int read_node(struct jsonl_reader *reader, const struct jsonl_object *object)
{
	struct anim_node node = {
	    .path = "", .type = "", .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};

	if (read_fields(reader, record_node_fields, object, &node) != 0)
		return -1;
	if (anim_node_validate(&node, reader->nodes, reader->error) != 0)
		return anim_error_at(reader->error, &reader->place);
	reader->nodes++;
	return anim_sink_node(reader->sink, &node, reader->error);
}

static int read_clip(struct jsonl_reader *reader, const struct jsonl_object *object)
{
	struct anim_clip clip = {.name = "clip", .root = ".", .source = "json"};

	if (read_fields(reader, record_clip_fields, object, &clip) != 0)
		return -1;
	reader->stage = ANIM_STAGE_CLIP;
	if (anim_clip_validate(&clip, reader->tree, reader->error) != 0)
		return anim_error_at(reader->error, &reader->place);
	return anim_sink_clip(reader->sink, &clip, reader->error);
}

/* The names of the only member of a line's object. */
enum { LINE_VERSION, LINE_TREE, LINE_NODE, LINE_CLIP, LINE_TRACK, LINE_END, LINE_COUNT };
static const char *const line_names[LINE_COUNT] = {"anim_json", "tree", "node", "clip", "track", "end"};
static const struct {
	const struct record_field *fields;
	int (*read)(struct jsonl_reader *, const struct jsonl_object *);
} records[LINE_COUNT] = {[LINE_TREE] = {record_tree_fields, read_tree},
			 [LINE_NODE] = {record_node_fields, read_node},
			 [LINE_CLIP] = {record_clip_fields, read_clip},
			 [LINE_TRACK] = {record_track_fields, read_track}};

/* Read the value of that member at the cursor, and move the cursor after it. */
static int read_line(struct jsonl_reader *reader, unsigned line)
{
	const char *names[JSONL_MEMBERS_MAX + 1] = {NULL}, *after;
	struct jsonl_object object;
	uint64_t version;

	if (line == LINE_END) {
		if (!accept_word(reader, "true"))
			return fail(reader, reader->at, "true is expected");
		reader->stage = ANIM_STAGE_END;
		return 0;
	}
	if (line == LINE_VERSION) {
		after = reader->at;
		if (read_count(reader, UINT32_MAX, &version) != 0)
			return -1;
		if (version != 1)
			return fail(reader, after,
				    "version %llu of these lines: it needs a newer version of these programs",
				    (unsigned long long)version);
		return 0;
	}
	if (line == LINE_NODE && reader->stage != ANIM_STAGE_TREE)
		return fail(reader, reader->at, "a node before any tree, or after a clip");
	if (line == LINE_TRACK && reader->stage != ANIM_STAGE_CLIP)
		return fail(reader, reader->at, "a track before any clip");
	for (unsigned i = 0; records[line].fields[i].name != NULL; i++)
		names[i] = records[line].fields[i].name;
	if (read_members(reader, names, &object) != 0)
		return -1;
	after = reader->at;
	if (records[line].read(reader, &object) != 0)
		return -1;
	reader->at = after;
	return 0;
}

static int read_lines(struct jsonl_reader *reader)
{
	bool is_first = true;
	int more;

	while ((more = anim_lines_next(&reader->lines, reader->error)) == 1) {
		const char *begin;
		uint8_t line;

		reader->at = reader->lines.at;
		skip_blanks(reader);
		if (reader->at == reader->lines.end)
			continue;
		if (reader->stage == ANIM_STAGE_END)
			return fail(reader, reader->at, "text after the line {\"end\":true}");
		begin = reader->at;
		reader->place = anim_lines_place(&reader->lines, begin);
		anim_arena_reset(&reader->arena);
		if (expect(reader, '{') != 0 || read_word(reader, line_names, LINE_COUNT, &line) != 0)
			return -1;
		if (is_first != (line == LINE_VERSION))
			return fail(reader, begin,
				    is_first ? "the first line is not {\"anim_json\":1}"
					     : "the first line is repeated");
		if (expect(reader, ':') != 0)
			return -1;
		skip_blanks(reader);
		if (read_line(reader, line) != 0 || expect(reader, '}') != 0)
			return -1;
		skip_blanks(reader);
		if (reader->at != reader->lines.end)
			return fail(reader, reader->at, "the line should end here, after one object");
		is_first = false;
	}
	if (more == 0 && reader->stage != ANIM_STAGE_END)
		return fail(reader, reader->lines.end, "the text is cut off: the line {\"end\":true} is missing");
	return more;
}

int anim_json_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		   struct anim_error *error)
{
	struct jsonl_reader reader = {.lines = {.input = input}, .sink = sink, .error = error};
	int result = read_lines(&reader);

	(void)options;
	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++)
		anim_buffer_clear(&reader.columns.column[i]);
	anim_texts_clear(&reader.columns.texts);
	anim_buffer_clear(&reader.text);
	anim_buffer_clear(&reader.attrs);
	anim_arena_clear(&reader.arena);
	return result == 0 ? 0 : anim_error_in_file(error, anim_input_name(input));
}
