/* reader_text.c: JSON values at the cursor, checked by the letter of RFC 8259. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "format/json/reader.h"

#define SHOWN_MAX 48 /* bytes of a word that a message shows */

int jsonl_fail(struct jsonl_reader *reader, const char *at, const char *format, ...)
{
	struct anim_place place = anim_lines_place(&reader->lines, at);
	va_list arguments;

	va_start(arguments, format);
	anim_fail_va(reader->error, ANIM_BAD_INPUT, &place, format, arguments);
	va_end(arguments);
	return -1;
}

int jsonl_place(struct jsonl_reader *reader)
{
	char message[sizeof reader->error->message];
	int code = reader->error->code;

	if (!anim_error_is_of_input(reader->error))
		return -1;
	memcpy(message, reader->error->message, sizeof message);
	return anim_fail_at(reader->error, code, &reader->place, "%s", message);
}

void jsonl_blanks(struct jsonl_reader *reader)
{
	while (reader->at < reader->lines.end && (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r'))
		reader->at++;
}

bool jsonl_accept(struct jsonl_reader *reader, char byte)
{
	jsonl_blanks(reader);
	if (reader->at == reader->lines.end || *reader->at != byte)
		return false;
	reader->at++;
	return true;
}

int jsonl_expect(struct jsonl_reader *reader, char byte)
{
	return jsonl_accept(reader, byte) ? 0 : jsonl_fail(reader, reader->at, "'%c' is expected", byte);
}

/* Whether the word stands at the cursor and ends there; takes it. */
static bool accept_word(struct jsonl_reader *reader, const char *word)
{
	size_t length = strlen(word);

	jsonl_blanks(reader);
	if ((size_t)(reader->lines.end - reader->at) < length || memcmp(reader->at, word, length) != 0)
		return false;
	reader->at += length;
	return true;
}

bool jsonl_accept_null(struct jsonl_reader *reader)
{
	return accept_word(reader, "null");
}

static const char *digits(const char *at)
{
	while (*at >= '0' && *at <= '9')
		at++;
	return at;
}

/* The end of a number by JSON's grammar, NULL where there is none. What stands behind the line is no digit. */
static const char *number_end(const char *at)
{
	const char *whole, *part;

	at += *at == '-';
	whole = digits(at);
	if (whole == at || (*at == '0' && whole > at + 1))
		return NULL;
	if (*whole == '.') {
		part = digits(whole + 1);
		if (part == whole + 1)
			return NULL;
		whole = part;
	}
	if (*whole != 'e' && *whole != 'E')
		return whole;
	at = whole + 1 + (whole[1] == '+' || whole[1] == '-');
	part = digits(at);
	return part == at ? NULL : part;
}

/* The quote that ends the string whose first one is at the cursor; NULL where the line ends before. */
static const char *closing_quote(const struct jsonl_reader *reader)
{
	const char *at = reader->at + 1, *end = reader->lines.end;

	while (at < end && *at != '"')
		at += *at == '\\' ? 2 : 1;
	return at < end ? at : NULL;
}

int jsonl_string(struct jsonl_reader *reader, size_t limit, struct anim_buffer *out)
{
	const char *begin, *close, *why;
	const uint8_t *bad;
	size_t start = out->size;

	if (anim_buffer_reserve(out, 1, reader->error) != 0) /* of an empty text, too, `data` is something */
		return -1;
	jsonl_blanks(reader);
	begin = reader->at;
	if (begin == reader->lines.end || *begin != '"')
		return jsonl_fail(reader, begin, "a string is expected");
	if ((close = closing_quote(reader)) == NULL)
		return jsonl_fail(reader, begin, "a string without its closing quote");
	if (anim_json_decode((const uint8_t *)begin + 1, (size_t)(close - begin - 1), out, &bad, &why) != 0)
		return bad == NULL ? anim_fail_memory(reader->error) : jsonl_fail(reader, (const char *)bad, "%s", why);
	if (out->size - start > limit)
		return jsonl_fail(reader, begin, "a text of %zu bytes, at most %zu are allowed", out->size - start,
				  limit);
	if (anim_utf8_prefix(out->data + start, out->size - start) != out->size - start)
		return jsonl_fail(reader, begin, "a text that is not UTF-8 or holds a NUL");
	reader->at = close + 1;
	return 0;
}

int jsonl_text(struct jsonl_reader *reader, size_t limit, const char **text)
{
	reader->text.size = 0;
	if (jsonl_string(reader, limit, &reader->text) != 0)
		return -1;
	*text = anim_arena_text(&reader->arena, (const char *)reader->text.data, reader->text.size, reader->error);
	return *text == NULL ? -1 : 0;
}

/* A string where a number may be one ("inf", "-inf", "nan", "nan:" and bits): its text, NULL where there is none. */
static const char *special(struct jsonl_reader *reader, const char **end)
{
	jsonl_blanks(reader);
	if (reader->at == reader->lines.end || *reader->at != '"' || (*end = closing_quote(reader)) == NULL)
		return NULL;
	return reader->at + 1;
}

/* A double where `wide` is set, else a float: each is rounded once. */
static int read_number(struct jsonl_reader *reader, double *wide, float *single)
{
	const char *quote, *text = special(reader, &quote), *from = text != NULL ? text : reader->at;
	const char *end = text != NULL ? quote : number_end(from), *got = NULL;

	if (text != NULL)
		got = wide != NULL ? anim_number_special_double(from, end, wide)
				   : anim_number_special_float(from, end, single);
	else if (end != NULL)
		got = wide != NULL ? anim_number_double(from, end, wide) : anim_number_float(from, end, single);
	if (got == NULL || got != end)
		return jsonl_fail(reader, reader->at, "a number is expected");
	if (text == NULL && !isfinite(wide != NULL ? *wide : (double)*single))
		return jsonl_fail(reader, reader->at, "too large for a %s", wide != NULL ? "double" : "float");
	reader->at = text != NULL ? end + 1 : end;
	return 0;
}

int jsonl_double(struct jsonl_reader *reader, double *value)
{
	return read_number(reader, value, NULL);
}

int jsonl_float(struct jsonl_reader *reader, float *value)
{
	return read_number(reader, NULL, value);
}

int jsonl_count(struct jsonl_reader *reader, uint64_t most, uint64_t *value)
{
	const char *end;

	jsonl_blanks(reader);
	end = number_end(reader->at);
	if (end == NULL || anim_number_uint64(reader->at, end, value) != end || *value > most)
		return jsonl_fail(reader, reader->at, "a whole number from 0 to %llu is expected",
				  (unsigned long long)most);
	reader->at = end;
	return 0;
}

int jsonl_word(struct jsonl_reader *reader, const char *const *names, unsigned count, uint8_t *number)
{
	char shown[SHOWN_MAX];
	const char *begin;

	jsonl_blanks(reader);
	begin = reader->at;
	reader->text.size = 0;
	if (jsonl_string(reader, ANIM_NAME_MAX, &reader->text) != 0)
		return -1;
	for (unsigned i = 0; i < count; i++)
		if (strlen(names[i]) == reader->text.size &&
		    memcmp(names[i], reader->text.data, reader->text.size) == 0) {
			*number = (uint8_t)i;
			return 0;
		}
	anim_text_safe(shown, sizeof shown, (const char *)reader->text.data, reader->text.size);
	return jsonl_fail(reader, begin, "\"%s\" is no word that may stand here", shown);
}

int jsonl_next_element(struct jsonl_reader *reader, bool *first)
{
	if (jsonl_accept(reader, ']'))
		return 0;
	if (!*first && jsonl_expect(reader, ',') != 0)
		return -1;
	*first = false;
	jsonl_blanks(reader);
	return 1;
}

static int skip_members(struct jsonl_reader *reader, unsigned depth)
{
	bool first = true;

	while (!jsonl_accept(reader, '}')) {
		if (!first && jsonl_expect(reader, ',') != 0)
			return -1;
		reader->text.size = 0;
		if (jsonl_string(reader, ANIM_TEXT_MAX, &reader->text) != 0 || jsonl_expect(reader, ':') != 0 ||
		    jsonl_skip(reader, depth) != 0)
			return -1;
		first = false;
	}
	return 0;
}

static int skip_elements(struct jsonl_reader *reader, unsigned depth)
{
	bool first = true;
	int more;

	while ((more = jsonl_next_element(reader, &first)) == 1)
		if (jsonl_skip(reader, depth) != 0)
			return -1;
	return more;
}

int jsonl_skip(struct jsonl_reader *reader, unsigned depth)
{
	const char *end;

	jsonl_blanks(reader);
	if (depth >= ANIM_NESTING_JSON)
		return jsonl_fail(reader, reader->at, "nested deeper than %d", ANIM_NESTING_JSON);
	if (jsonl_accept(reader, '{'))
		return skip_members(reader, depth + 1);
	if (jsonl_accept(reader, '['))
		return skip_elements(reader, depth + 1);
	if (reader->at < reader->lines.end && *reader->at == '"') {
		reader->text.size = 0;
		return jsonl_string(reader, SIZE_MAX, &reader->text);
	}
	if (accept_word(reader, "true") || accept_word(reader, "false") || accept_word(reader, "null"))
		return 0;
	if ((end = number_end(reader->at)) == NULL)
		return jsonl_fail(reader, reader->at, "a value is expected");
	reader->at = end;
	return 0;
}

/* The name at the cursor, its ':' taken: its number. */
static int take_name(struct jsonl_reader *reader, struct jsonl_object *object, unsigned *member)
{
	char shown[SHOWN_MAX];
	const char *begin;

	jsonl_blanks(reader);
	begin = reader->at;
	reader->text.size = 0;
	if (jsonl_string(reader, ANIM_NAME_MAX, &reader->text) != 0)
		return -1;
	for (*member = 0; object->names[*member] != NULL; ++*member)
		if (strlen(object->names[*member]) == reader->text.size &&
		    memcmp(object->names[*member], reader->text.data, reader->text.size) == 0)
			break;
	anim_text_safe(shown, sizeof shown, (const char *)reader->text.data, reader->text.size);
	if (object->names[*member] == NULL)
		return jsonl_fail(reader, begin, "\"%s\" is no member that is known here", shown);
	if (object->value[*member] != NULL)
		return jsonl_fail(reader, begin, "\"%s\" stands twice", shown);
	return jsonl_expect(reader, ':');
}

int jsonl_members(struct jsonl_reader *reader, const char *const *names, struct jsonl_object *object)
{
	bool first = true;
	unsigned member;

	jsonl_blanks(reader);
	*object = (struct jsonl_object){.at = reader->at, .names = names};
	if (jsonl_expect(reader, '{') != 0)
		return -1;
	while (!jsonl_accept(reader, '}')) {
		if ((!first && jsonl_expect(reader, ',') != 0) || take_name(reader, object, &member) != 0)
			return -1;
		jsonl_blanks(reader);
		object->value[member] = reader->at;
		if (jsonl_skip(reader, 1) != 0)
			return -1;
		first = false;
	}
	return 0;
}
