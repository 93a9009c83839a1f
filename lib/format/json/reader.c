/* reader.c: anim_json_read: the stream out of JSON Lines. */
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
#include "base/text.h"
#include "clip/keys.h"
#include "clip/sink.h"
#include "clip/track.h"
#include "stream/record.h"

#define JSONL_MEMBERS_MAX 20u

/* The columns of the track at hand. */
struct jsonl_columns {
	unsigned present;
	size_t n; /* of each of them */
	struct anim_buffer column[ANIM_COLUMN_COUNT];
	struct anim_texts texts; /* in place of the value column */
	struct anim_strings strings;
};

struct jsonl_reader {
	struct anim_lines lines;
	const char *at;
	struct anim_sink *sink;
	struct anim_error *error;
	struct anim_place place; /* of the object at hand */
	uint32_t nodes;          /* of the last tree */
	bool tree;               /* one came */
	enum anim_stage stage;   /* what the last record was */
	struct anim_arena arena;
	struct anim_buffer text, attrs;
	struct jsonl_columns columns;
};

/* The values of an object's members by the number of their name: where each begins, NULL where it is not there. */
struct jsonl_object {
	const char *at, *value[JSONL_MEMBERS_MAX];
	const char *const *names; /* NULL at the end */
};

/* ---- JSON values at the cursor, checked by the letter of RFC 8259 ---- */

#define SHOWN_MAX 48  /* bytes of a word that a message shows */
#define WORDS_MAX 400 /* of the words that may stand there */

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

/* Blanks, then the byte, where it stands. */
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

/* Whether the word stands at the cursor and ends there; takes it. */
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

/* The end of a number by JSON's grammar, NULL where there is none. What stands behind the line is no digit. */
static const char *number_end(const char *at)
{
	return (const char *)anim_json_number_end((const uint8_t *)at);
}

/* The quote that ends the string whose first one is at the cursor; NULL where the line ends before. */
static const char *closing_quote(const struct jsonl_reader *reader)
{
	const char *at = reader->at + 1, *end = reader->lines.end;

	while (at < end && *at != '"')
		at += *at == '\\' ? 2 : 1;
	return at < end ? at : NULL;
}

/* Appended. */
static int read_string(struct jsonl_reader *reader, size_t limit, struct anim_buffer *out)
{
	const char *begin, *close, *why;
	const uint8_t *bad;
	size_t start = out->size;

	if (anim_buffer_reserve(out, 1, reader->error) != 0) /* of an empty text, too, `data` is something */
		return -1;
	skip_blanks(reader);
	begin = reader->at;
	if (begin == reader->lines.end || *begin != '"')
		return fail(reader, begin, "a string is expected");
	if ((close = closing_quote(reader)) == NULL)
		return fail(reader, begin, "a string without its closing quote");
	if (anim_json_decode((const uint8_t *)begin + 1, (size_t)(close - begin - 1), out, &bad, &why) != 0)
		return bad == NULL ? anim_fail_memory(reader->error) : fail(reader, (const char *)bad, "%s", why);
	if (out->size - start > limit)
		return fail(reader, begin, "a text of %zu bytes, at most %zu are allowed", out->size - start, limit);
	if (anim_utf8_prefix(out->data + start, out->size - start) != out->size - start)
		return fail(reader, begin, "a text that is not UTF-8 or holds a NUL");
	reader->at = close + 1;
	return 0;
}

/* In the arena. */
static int read_text(struct jsonl_reader *reader, size_t limit, const char **text)
{
	reader->text.size = 0;
	if (read_string(reader, limit, &reader->text) != 0)
		return -1;
	*text = anim_arena_text(&reader->arena, (const char *)reader->text.data, reader->text.size, reader->error);
	return *text == NULL ? -1 : 0;
}

/* A string where a number may be one ("inf", "-inf", "nan", "nan:" and bits): its text, NULL where there is none. */
static const char *special(struct jsonl_reader *reader, const char **end)
{
	skip_blanks(reader);
	if (reader->at == reader->lines.end || *reader->at != '"' || (*end = closing_quote(reader)) == NULL)
		return NULL;
	return reader->at + 1;
}

/* A double where `wide` is set, else a float: each is rounded once. */
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
	return fail(reader, begin, "\"%s\" is none of %s", shown, list);
}

/* The next element of an array whose '[' was taken: 1 with the cursor on it, 0 behind ']', -1. *first: true at first. */
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

static int skip_members(struct jsonl_reader *reader, unsigned depth)
{
	bool first = true;

	while (!accept(reader, '}')) {
		if (!first && expect(reader, ',') != 0)
			return -1;
		reader->text.size = 0;
		if (read_string(reader, ANIM_TEXT_MAX, &reader->text) != 0 || expect(reader, ':') != 0 ||
		    skip(reader, depth) != 0)
			return -1;
		first = false;
	}
	return 0;
}

static int skip_elements(struct jsonl_reader *reader, unsigned depth)
{
	bool first = true;
	int more;

	while ((more = next_element(reader, &first)) == 1)
		if (skip(reader, depth) != 0)
			return -1;
	return more;
}

/* A value of any kind, checked. */
static int skip(struct jsonl_reader *reader, unsigned depth)
{
	const char *end;

	skip_blanks(reader);
	if (depth >= ANIM_NESTING_JSON)
		return fail(reader, reader->at, "nested deeper than %d", ANIM_NESTING_JSON);
	if (accept(reader, '{'))
		return skip_members(reader, depth + 1);
	if (accept(reader, '['))
		return skip_elements(reader, depth + 1);
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

/* The name at the cursor, its ':' taken: its number. */
static int take_name(struct jsonl_reader *reader, struct jsonl_object *object, unsigned *member)
{
	char shown[SHOWN_MAX];
	const char *begin;

	skip_blanks(reader);
	begin = reader->at;
	reader->text.size = 0;
	if (read_string(reader, ANIM_NAME_MAX, &reader->text) != 0)
		return -1;
	for (*member = 0; object->names[*member] != NULL; ++*member)
		if (strlen(object->names[*member]) == reader->text.size &&
		    memcmp(object->names[*member], reader->text.data, reader->text.size) == 0)
			break;
	anim_text_safe(shown, sizeof shown, (const char *)reader->text.data, reader->text.size);
	if (object->names[*member] == NULL)
		return fail(reader, begin, "\"%s\" is no member that is known here", shown);
	if (object->value[*member] != NULL)
		return fail(reader, begin, "\"%s\" stands twice", shown);
	return expect(reader, ':');
}

/* Finds the members, each value checked, and goes behind the '}'. Others than those named are refused, and any twice. */
static int read_members(struct jsonl_reader *reader, const char *const *names, struct jsonl_object *object)
{
	bool first = true;
	unsigned member;

	skip_blanks(reader);
	*object = (struct jsonl_object){.at = reader->at, .names = names};
	if (expect(reader, '{') != 0)
		return -1;
	while (!accept(reader, '}')) {
		if ((!first && expect(reader, ',') != 0) || take_name(reader, object, &member) != 0)
			return -1;
		skip_blanks(reader);
		object->value[member] = reader->at;
		if (skip(reader, 1) != 0)
			return -1;
		first = false;
	}
	return 0;
}

/* ---- members of an object as fields of the model; one that is not there leaves what stands in the result ---- */

static int needs(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member)
{
	if (object->value[member] != NULL)
		return 0;
	return fail(reader, object->at, "the member \"%s\" is missing", object->names[member]);
}

/* Goes to a member's value; false where there is none. */
static bool go_to(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member)
{
	if (object->value[member] == NULL)
		return false;
	reader->at = object->value[member];
	return true;
}

static int text_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member, const char **text)
{
	return go_to(reader, object, member) ? read_text(reader, ANIM_NAME_MAX, text) : 0;
}

static int word_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member,
		   const char *const *names, unsigned count, uint8_t *number)
{
	return go_to(reader, object, member) ? read_word(reader, names, count, number) : 0;
}

static int bits_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member,
		   const char *const *names, unsigned count, unsigned *bits)
{
	bool first = true;
	uint8_t number;
	int more;

	if (!go_to(reader, object, member))
		return 0;
	if (expect(reader, '[') != 0)
		return -1;
	*bits = 0;
	while ((more = next_element(reader, &first)) == 1) {
		if (read_word(reader, names, count, &number) != 0)
			return -1;
		*bits |= 1u << number;
	}
	return more;
}

static int float_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member, float *value)
{
	return go_to(reader, object, member) ? read_number(reader, false, value) : 0;
}

static int double_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member, double *value)
{
	return go_to(reader, object, member) ? read_number(reader, true, value) : 0;
}

static int count_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member, uint64_t most,
		    uint64_t *value)
{
	if (!go_to(reader, object, member) || accept_null(reader))
		return 0;
	return read_count(reader, most, value);
}

static int floats_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member, float *numbers,
		     unsigned count)
{
	if (!go_to(reader, object, member))
		return 0;
	for (unsigned i = 0; i < count; i++)
		if (expect(reader, i == 0 ? '[' : ',') != 0 || read_number(reader, false, &numbers[i]) != 0)
			return -1;
	return expect(reader, ']');
}

static int rate_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member, uint32_t *num,
		   uint32_t *den)
{
	static const char *const names[] = {"num", "den", NULL};
	struct jsonl_object rate;
	uint64_t numbers[2] = {0, 0};

	if (!go_to(reader, object, member) || accept_null(reader))
		return 0;
	if (read_members(reader, names, &rate) != 0 || needs(reader, &rate, 0) != 0 || needs(reader, &rate, 1) != 0 ||
	    count_of(reader, &rate, 0, UINT32_MAX, &numbers[0]) != 0 ||
	    count_of(reader, &rate, 1, UINT32_MAX, &numbers[1]) != 0)
		return -1;
	*num = (uint32_t)numbers[0];
	*den = (uint32_t)numbers[1];
	return 0;
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(((const struct anim_attr *)a)->key, ((const struct anim_attr *)b)->key);
}

static int take_attr(struct jsonl_reader *reader)
{
	struct anim_attr *attr = anim_buffer_extend(&reader->attrs, sizeof *attr, reader->error);

	if (attr == NULL || read_text(reader, ANIM_NAME_MAX, &attr->key) != 0 || expect(reader, ':') != 0)
		return -1;
	return read_text(reader, ANIM_TEXT_MAX, &attr->value);
}

/* Members of an object have no order, attributes have. */
static int attrs_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member,
		    struct anim_attrs *attrs)
{
	reader->attrs.size = 0;
	attrs->count = 0;
	if (!go_to(reader, object, member))
		return 0;
	if (expect(reader, '{') != 0)
		return -1;
	while (!accept(reader, '}')) {
		if (attrs->count == ANIM_ATTRS_MAX)
			return fail(reader, reader->at, "more than %u attributes", ANIM_ATTRS_MAX);
		if ((attrs->count > 0 && expect(reader, ',') != 0) || take_attr(reader) != 0)
			return -1;
		attrs->count++;
	}
	if (attrs->count > 0)
		qsort(reader->attrs.data, attrs->count, sizeof(struct anim_attr), compare_keys);
	attrs->items = (const struct anim_attr *)(const void *)reader->attrs.data;
	return 0;
}

/* ---- the keys of a track, column by column ---- */

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

/* A number of the type, or an array of so many, `size` bytes in all. */
static int read_components(struct jsonl_reader *reader, enum anim_type type, unsigned components, size_t size,
			   struct anim_buffer *column)
{
	uint8_t *value = anim_buffer_extend(column, size, reader->error);

	if (value == NULL)
		return -1;
	memset(value, 0, size);
	for (unsigned component = 0; component < components; component++)
		if ((components > 1 && expect(reader, component == 0 ? '[' : ',') != 0) ||
		    read_component(reader, type, value, component) != 0)
			return -1;
	return components > 1 ? expect(reader, ']') : 0;
}

static int read_text_value(struct jsonl_reader *reader)
{
	struct anim_texts *texts = &reader->columns.texts;
	size_t start = texts->bytes.size;

	if (accept_null(reader))
		return anim_texts_add_null(texts, reader->error);
	if (read_string(reader, ANIM_TEXT_MAX, &texts->bytes) != 0)
		return -1;
	return anim_texts_close(texts, start, reader->error);
}

static int read_byte(struct jsonl_reader *reader, enum anim_column id, struct anim_buffer *column)
{
	uint64_t number;
	uint8_t byte;

	if (id == ANIM_COLUMN_WEIGHTED) {
		if (read_count(reader, 3, &number) != 0)
			return -1;
		byte = (uint8_t)number;
	} else if (read_word(reader, anim_interp_names, ANIM_INTERP_COUNT, &byte) != 0) {
		return -1;
	}
	return anim_buffer_append(column, &byte, 1, reader->error);
}

static int read_element(struct jsonl_reader *reader, enum anim_type type, enum anim_column id)
{
	struct anim_buffer *column = &reader->columns.column[id];
	const struct anim_type_info *info = &anim_types[type];
	uint64_t number;
	uint32_t word;

	switch (id) {
	case ANIM_COLUMN_VALUE:
	case ANIM_COLUMN_LEFT:
	case ANIM_COLUMN_RIGHT:
		return type == ANIM_STRING ? read_text_value(reader)
					   : read_components(reader, type, info->components, info->size, column);
	case ANIM_COLUMN_LEFT_X:
	case ANIM_COLUMN_RIGHT_X:
		return read_components(reader, ANIM_FLOAT, info->components, info->components * sizeof(float), column);
	case ANIM_COLUMN_TIME:
	case ANIM_COLUMN_EASE:
		return read_components(reader, ANIM_FLOAT, 1, sizeof(float), column);
	case ANIM_COLUMN_INTERP:
	case ANIM_COLUMN_WEIGHTED:
		return read_byte(reader, id, column);
	default:
		break;
	}
	if (read_count(reader, UINT32_MAX, &number) != 0)
		return -1;
	word = (uint32_t)number;
	return anim_buffer_append(column, &word, sizeof word, reader->error);
}

static int read_column(struct jsonl_reader *reader, enum anim_type type, enum anim_column id)
{
	struct jsonl_columns *columns = &reader->columns;
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
		if (read_element(reader, type, id) != 0)
			return -1;
	}
	if (more == 0 && columns->present != 0 && n != columns->n)
		return fail(reader, begin, "%zu elements, the columns before have %zu", n, columns->n);
	columns->n = n;
	columns->present |= 1u << id;
	return more;
}

static void set_columns(struct jsonl_columns *columns, struct anim_track *track)
{
	static const uint64_t none[1]; /* a column that stands is never NULL */
	unsigned present = columns->present;

	track->n = columns->n;
	if (track->type == ANIM_STRING && (present >> ANIM_COLUMN_VALUE & 1) != 0) {
		anim_texts_view(&columns->texts, &columns->strings);
		track->strings = &columns->strings;
		present &= ~(1u << ANIM_COLUMN_VALUE);
	}
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++)
		if ((present >> id & 1) != 0)
			track->column[id] = columns->n == 0 ? (const void *)none : columns->column[id].data;
}

static int read_columns(struct jsonl_reader *reader, struct anim_track *track)
{
	struct jsonl_columns *columns = &reader->columns;
	const char *names[ANIM_COLUMN_COUNT + 1] = {NULL};
	struct jsonl_object object;

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
	set_columns(columns, track);
	return 0;
}

static void clear_columns(struct jsonl_columns *columns)
{
	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++)
		anim_buffer_clear(&columns->column[i]);
	anim_texts_clear(&columns->texts);
}

/* ---- a track ---- */

enum { NODE, PROPERTY, COMPONENT, KIND, TYPE, RULES, FLAGS, BEFORE, AFTER };
enum { INTERP = AFTER + 1, KEYS, START, STEP, RATE, ATTRIBUTES, COLUMNS };
static const char *const track_members[] = {"node",  "property", "component",  "kind",    "type", "rules",
					    "flags", "before",   "after",      "interp",  "keys", "start",
					    "step",  "rate",     "attributes", "columns", NULL};
_Static_assert(sizeof track_members / sizeof *track_members <= JSONL_MEMBERS_MAX + 1,
	       "an object has room for all members");

static int read_kind_and_type(struct jsonl_reader *reader, const struct jsonl_object *object, struct anim_track *track)
{
	const char *names[ANIM_TYPE_COUNT];
	uint8_t kind = 0, type = 0, rules = ANIM_RULES_PLAIN;

	for (unsigned i = 0; i < ANIM_TYPE_COUNT; i++)
		names[i] = anim_types[i].name;
	if (word_of(reader, object, KIND, anim_kind_names, ANIM_CURVE + 1, &kind) != 0 ||
	    word_of(reader, object, TYPE, names, ANIM_TYPE_COUNT, &type) != 0 ||
	    word_of(reader, object, RULES, anim_rules_names, ANIM_RULES_COUNT, &rules) != 0)
		return -1;
	track->kind = (enum anim_kind)kind;
	track->type = (enum anim_type)type;
	track->rules = (enum anim_rules)rules;
	return 0;
}

/* The mode of all keys, or null where a column has that of each; Linear where nothing is said, but Hold of Discrete. */
static int read_interp(struct jsonl_reader *reader, const struct jsonl_object *object, struct anim_track *track)
{
	track->interp = track->kind == ANIM_DISCRETE ? ANIM_HOLD : ANIM_LINEAR;
	if (object->value[INTERP] == NULL)
		return 0;
	reader->at = object->value[INTERP];
	track->interp = ANIM_INTERP_COLUMN;
	return accept_null(reader) ? 0 : read_word(reader, anim_interp_names, ANIM_INTERP_COUNT, &track->interp);
}

static int read_head(struct jsonl_reader *reader, const struct jsonl_object *object, struct anim_track *track)
{
	uint64_t component = ANIM_WHOLE;
	unsigned flags = 0;

	if (text_of(reader, object, NODE, &track->node) != 0 ||
	    text_of(reader, object, PROPERTY, &track->property) != 0 ||
	    count_of(reader, object, COMPONENT, 254, &component) != 0 ||
	    read_kind_and_type(reader, object, track) != 0 ||
	    bits_of(reader, object, FLAGS, anim_track_flag_names, ANIM_TRACK_FLAG_COUNT, &flags) != 0 ||
	    word_of(reader, object, BEFORE, anim_extrapolation_names, ANIM_EXTRAPOLATION_COUNT, &track->pre) != 0 ||
	    word_of(reader, object, AFTER, anim_extrapolation_names, ANIM_EXTRAPOLATION_COUNT, &track->post) != 0 ||
	    read_interp(reader, object, track) != 0 || double_of(reader, object, START, &track->start_s) != 0 ||
	    double_of(reader, object, STEP, &track->step_s) != 0 ||
	    rate_of(reader, object, RATE, &track->rate_num, &track->rate_den) != 0)
		return -1;
	track->component = (uint8_t)component;
	track->flags = flags;
	return attrs_of(reader, object, ATTRIBUTES, &track->attrs);
}

/* Only Raw tracks have a grid: that of another would be lost without a word. */
static int check_grid(struct jsonl_reader *reader, const struct jsonl_object *object, const struct anim_track *track)
{
	static const unsigned grid[] = {START, STEP, RATE};

	for (unsigned i = 0; i < 3; i++)
		if (track->kind != ANIM_RAW && object->value[grid[i]] != NULL)
			return fail(reader, object->value[grid[i]], "\"%s\" is for Raw tracks", track_members[grid[i]]);
	return 0;
}

static int read_track(struct jsonl_reader *reader, const struct jsonl_object *object)
{
	struct anim_track track = {.node = ".", .property = ""};
	uint64_t keys;

	if (needs(reader, object, PROPERTY) != 0 || needs(reader, object, KIND) != 0 ||
	    needs(reader, object, TYPE) != 0 || needs(reader, object, COLUMNS) != 0 ||
	    read_head(reader, object, &track) != 0 || check_grid(reader, object, &track) != 0)
		return -1;
	reader->at = object->value[COLUMNS];
	if (read_columns(reader, &track) != 0)
		return -1;
	keys = track.n;
	if (count_of(reader, object, KEYS, ANIM_KEYS_MAX, &keys) != 0)
		return -1;
	if (keys != track.n)
		return fail(reader, object->value[KEYS], "the columns have %zu elements", track.n);
	if (anim_track_validate(&track, reader->error) != 0)
		return anim_error_at(reader->error, &reader->place);
	return anim_sink_track(reader->sink, &track, reader->error);
}

/* ---- the lines, and all objects but tracks ---- */

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

static const char *const tree_members[] = {"root", "source", "axes", "axes2d", "attributes", NULL};

static int read_tree(struct jsonl_reader *reader, const struct jsonl_object *object)
{
	struct anim_tree tree = {.root_name = "", .source_file = ""};

	if (text_of(reader, object, 0, &tree.root_name) != 0 || text_of(reader, object, 1, &tree.source_file) != 0 ||
	    word_of(reader, object, 2, anim_axes_names, ANIM_AXES_COUNT, &tree.axes) != 0 ||
	    word_of(reader, object, 3, anim_axes2d_names, ANIM_AXES2D_COUNT, &tree.axes2d) != 0 ||
	    attrs_of(reader, object, 4, &tree.attrs) != 0)
		return -1;
	reader->tree = true;
	reader->nodes = 0;
	reader->stage = ANIM_STAGE_TREE;
	if (anim_tree_validate(&tree, reader->error) != 0)
		return anim_error_at(reader->error, &reader->place);
	return anim_sink_tree(reader->sink, &tree, reader->error);
}

static const char *const node_members[] = {"path",     "type",     "kind",  "has",        "parent",
					   "position", "rotation", "scale", "attributes", NULL};

static int read_node(struct jsonl_reader *reader, const struct jsonl_object *object)
{
	struct anim_node node = {.path = "", .type = "", .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	uint64_t parent = ANIM_NO_PARENT;
	unsigned has = 0;

	if (needs(reader, object, 0) != 0 || text_of(reader, object, 0, &node.path) != 0 ||
	    text_of(reader, object, 1, &node.type) != 0 ||
	    word_of(reader, object, 2, anim_node_kind_names, ANIM_NODE_KIND_COUNT, &node.kind) != 0 ||
	    bits_of(reader, object, 3, anim_node_has_names, ANIM_NODE_HAS_COUNT, &has) != 0 ||
	    count_of(reader, object, 4, ANIM_NO_PARENT - 1, &parent) != 0 ||
	    floats_of(reader, object, 5, node.position, 3) != 0 ||
	    floats_of(reader, object, 6, node.rotation, 4) != 0 || floats_of(reader, object, 7, node.scale, 3) != 0 ||
	    attrs_of(reader, object, 8, &node.attrs) != 0)
		return -1;
	node.parent = (uint32_t)parent;
	node.has = (uint8_t)has;
	if (anim_node_validate(&node, reader->nodes, reader->error) != 0)
		return anim_error_at(reader->error, &reader->place);
	reader->nodes++;
	return anim_sink_node(reader->sink, &node, reader->error);
}

static const char *const clip_members[] = {"name", "root",   "source", "start", "end",        "loop",
					   "axes", "axes2d", "flags",  "rate",  "attributes", NULL};

static int read_clip(struct jsonl_reader *reader, const struct jsonl_object *object)
{
	struct anim_clip clip = {.name = "clip", .root = ".", .source = "json"};
	unsigned flags = 0;

	if (needs(reader, object, 4) != 0 || text_of(reader, object, 0, &clip.name) != 0 ||
	    text_of(reader, object, 1, &clip.root) != 0 || text_of(reader, object, 2, &clip.source) != 0 ||
	    float_of(reader, object, 3, &clip.start_s) != 0 || float_of(reader, object, 4, &clip.end_s) != 0 ||
	    word_of(reader, object, 5, anim_loop_names, ANIM_LOOP_COUNT, &clip.loop) != 0 ||
	    word_of(reader, object, 6, anim_axes_names, ANIM_AXES_COUNT, &clip.axes) != 0 ||
	    word_of(reader, object, 7, anim_axes2d_names, ANIM_AXES2D_COUNT, &clip.axes2d) != 0 ||
	    bits_of(reader, object, 8, anim_clip_flag_names, ANIM_CLIP_FLAG_COUNT, &flags) != 0 ||
	    rate_of(reader, object, 9, &clip.rate_num, &clip.rate_den) != 0 ||
	    attrs_of(reader, object, 10, &clip.attrs) != 0)
		return -1;
	clip.flags = (uint8_t)flags;
	reader->stage = ANIM_STAGE_CLIP;
	if (anim_clip_validate(&clip, reader->tree, reader->error) != 0)
		return anim_error_at(reader->error, &reader->place);
	return anim_sink_clip(reader->sink, &clip, reader->error);
}

/* {"end":true} */
static int read_end(struct jsonl_reader *reader)
{
	if (!accept_word(reader, "true"))
		return fail(reader, reader->at, "true is expected");
	reader->stage = ANIM_STAGE_END;
	return 0;
}

static int read_version(struct jsonl_reader *reader)
{
	const char *at = reader->at;
	uint64_t version;

	if (read_count(reader, UINT32_MAX, &version) != 0)
		return -1;
	if (version == 1)
		return 0;
	return fail(reader, at, "version %llu of these lines: needs newer anim-tools", (unsigned long long)version);
}

/* What a line's object has as its one member, by its name. */
enum { LINE_VERSION, LINE_TREE, LINE_NODE, LINE_CLIP, LINE_TRACK, LINE_END, LINE_COUNT };
static const char *const line_names[LINE_COUNT] = {"anim_json", "tree", "node", "clip", "track", "end"};
static const struct {
	const char *const *members;
	int (*read)(struct jsonl_reader *, const struct jsonl_object *);
} records[LINE_COUNT] = {[LINE_TREE] = {tree_members, read_tree},
			 [LINE_NODE] = {node_members, read_node},
			 [LINE_CLIP] = {clip_members, read_clip},
			 [LINE_TRACK] = {track_members, read_track}};

/* The value of that member, at the cursor, which goes behind it. */
static int read_line(struct jsonl_reader *reader, unsigned line)
{
	struct jsonl_object object;
	const char *behind;

	if (line == LINE_VERSION || line == LINE_END)
		return line == LINE_END ? read_end(reader) : read_version(reader);
	if (line == LINE_NODE && reader->stage != ANIM_STAGE_TREE)
		return fail(reader, reader->at, "a node before any tree, or behind a clip");
	if (line == LINE_TRACK && reader->stage != ANIM_STAGE_CLIP)
		return fail(reader, reader->at, "a track before any clip");
	if (read_members(reader, records[line].members, &object) != 0)
		return -1;
	behind = reader->at;
	if (records[line].read(reader, &object) != 0)
		return -1;
	reader->at = behind;
	return 0;
}

static int read_object(struct jsonl_reader *reader, bool is_first)
{
	const char *begin = reader->at;
	uint8_t line;

	reader->place = anim_lines_place(&reader->lines, begin);
	anim_arena_reset(&reader->arena);
	if (expect(reader, '{') != 0 || read_word(reader, line_names, LINE_COUNT, &line) != 0)
		return -1;
	if (is_first != (line == LINE_VERSION))
		return fail(reader, begin,
			    is_first ? "the first line is not {\"anim_json\":1}" : "the first line comes again");
	if (expect(reader, ':') != 0)
		return -1;
	skip_blanks(reader);
	return read_line(reader, line) != 0 ? -1 : expect(reader, '}');
}

static int read_lines(struct jsonl_reader *reader)
{
	bool is_first = true;
	int more;

	while ((more = anim_lines_next(&reader->lines, reader->error)) == 1) {
		reader->at = reader->lines.at;
		skip_blanks(reader);
		if (reader->at == reader->lines.end)
			continue;
		if (reader->stage == ANIM_STAGE_END)
			return fail(reader, reader->at, "more text behind the line {\"end\":true}");
		if (read_object(reader, is_first) != 0)
			return -1;
		skip_blanks(reader);
		if (reader->at != reader->lines.end)
			return fail(reader, reader->at, "an object a line; nothing more is expected");
		is_first = false;
	}
	if (more == 0 && reader->stage != ANIM_STAGE_END)
		return fail(reader, reader->lines.end, "the text is cut: there is no line {\"end\":true}");
	return more;
}

int anim_json_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		   struct anim_error *error)
{
	struct jsonl_reader reader = {.lines = {.input = input}, .sink = sink, .error = error};
	int result = read_lines(&reader);

	(void)options;
	clear_columns(&reader.columns);
	anim_buffer_clear(&reader.text);
	anim_buffer_clear(&reader.attrs);
	anim_arena_clear(&reader.arena);
	return result == 0 ? 0 : anim_error_in_file(error, anim_input_name(input));
}
