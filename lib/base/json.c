/* json.c: reads JSON window by window. Documents are parsed by hand, complete values with jsmn. */
#include "base/json.h"

#include <assert.h>
#include <jsmn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"

/* ---- Windows of the text, places in it ---- */

#define VALUE_MAX ((size_t)256 << 20) /* bytes of one value in memory; longer than any string with all its escapes */
#define BLOCK 64

void anim_json_text_init(struct anim_json_text *text, struct anim_input *input, const struct anim_place *place)
{
	*text = (struct anim_json_text){.input = input, .line = 1};
	if (place != NULL) {
		text->line = place->line;
		text->line_start = 1 - (uint64_t)place->column;
	}
}

/* Compilers vectorise blocks of a constant size. */
static size_t count_lines(const uint8_t *at, size_t size)
{
	size_t count = 0;

	for (; size >= BLOCK; size -= BLOCK, at += BLOCK) {
		uint8_t some = 0;

		for (size_t i = 0; i < BLOCK; i++)
			some = (uint8_t)(some + (at[i] == '\n'));
		count += some;
	}
	for (; size > 0; size--)
		count += *at++ == '\n';
	return count;
}

/* Counts the lines up to the cursor. */
static void count_to_cursor(struct anim_json_text *text)
{
	const uint8_t *from = text->window + (text->counted - text->offset), *newline;
	size_t size = (size_t)(text->at - from), lines = size > 0 ? count_lines(from, size) : 0;

	if (lines > 0) {
		newline = anim_byte_last(from, size, '\n');
		text->line += (uint32_t)lines;
		text->line_start = text->offset + (uint64_t)(newline + 1 - text->window);
	}
	text->counted += size;
}

static void place_of(struct anim_json_text *text, struct anim_place *place)
{
	uint64_t offset = text->offset + (uint64_t)(text->at - text->window);

	if (text->window != NULL)
		count_to_cursor(text);
	*place = (struct anim_place){.file = anim_input_name(text->input),
				     .at = ANIM_AT_LINE,
				     .line = text->line,
				     .column = (uint32_t)(offset - text->line_start + 1),
				     .offset = offset};
}

ssize_t anim_json_more(struct anim_json_text *text, size_t want, struct anim_error *error)
{
	const uint8_t *window;
	ssize_t got;

	if (text->window != NULL) {
		count_to_cursor(text);
		anim_input_skip(text->input, (size_t)(text->at - text->window));
		text->offset += (uint64_t)(text->at - text->window);
		text->window = text->at;
	}
	got = anim_input_peek(text->input, want, &window, error);
	if (got < 0)
		return -1;
	if (text->limit != 0 && (uint64_t)got > text->limit - text->offset)
		got = (ssize_t)(text->limit - text->offset);
	text->window = text->at = window;
	text->end = window + got;
	return got;
}

static inline bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

int anim_json_blank(struct anim_json_text *text, struct anim_error *error)
{
	int byte;

	do {
		while (text->at < text->end && is_blank(*text->at))
			text->at++;
		byte = anim_json_byte(text, error);
	} while (byte >= 0 && is_blank((uint8_t)byte));
	return byte;
}

/* State of anim_json_read_text in the value that it passes. */
struct passed_value {
	size_t depth, levels; /* `levels`: the maximum */
	bool in_string, escaped, begun;
};

/* Return the end of the bytes that belong to the value. *done is set if the value ends there or is nested too deep. */
static const uint8_t *pass_over(struct passed_value *span, const uint8_t *at, const uint8_t *end, bool *done)
{
	*done = false;
	for (; at < end; at++) {
		if (span->in_string) {
			span->in_string = span->escaped || *at != '"';
			span->escaped = !span->escaped && *at == '\\';
		} else if (*at == '"') {
			span->in_string = span->begun = true;
			continue;
		} else if (*at == '{' || *at == '[') {
			*done = ++span->depth > span->levels;
			if (*done)
				return at + 1;
		} else if (span->depth == 0 && (*at == ',' || *at == ']' || *at == '}' || is_blank(*at))) {
			*done = true;
			return at;
		} else if ((*at == '}' || *at == ']') && --span->depth == 0) {
			*done = true;
			return at + 1;
		}
		if (span->begun && !span->in_string && span->depth == 0) {
			*done = true; /* a string that is the whole value */
			return at + 1;
		}
	}
	return at;
}

/* Convert True and False to lower case. Python prints them so, and Resonite's own pages show them. */
static void lower_capitals(uint8_t *at, size_t size, size_t *capitals)
{
	bool in_string = false;

	for (size_t i = 0; i < size; i++) {
		if (at[i] == '"')
			in_string = !in_string;
		else if (in_string && at[i] == '\\')
			i++;
		else if (!in_string && ((size - i >= 4 && memcmp(at + i, "True", 4) == 0) ||
					(size - i >= 5 && memcmp(at + i, "False", 5) == 0))) {
			at[i] |= 0x20;
			++*capitals;
		}
	}
}

/*
 * A value that is nested too deep is not read to its end, because jsmn searches all tokens for the partner of each
 * bracket.
 */
int anim_json_read_text(struct anim_json_text *text, struct anim_buffer *buffer, unsigned depth, size_t *capitals,
			struct anim_error *error)
{
	struct passed_value span = {.levels = ANIM_NESTING_JSON - depth};
	size_t before = buffer->size;
	bool done = false;

	while (!done) {
		int byte = anim_json_byte(text, error);
		const uint8_t *end;

		if (byte == ANIM_JSON_ERROR)
			return -1;
		if (byte == ANIM_JSON_END)
			break;
		end = pass_over(&span, text->at, text->end, &done);
		if (anim_buffer_append(buffer, text->at, (size_t)(end - text->at), error) != 0)
			return -1;
		text->at = end;
		if (buffer->size - before > VALUE_MAX)
			return anim_fail(error, ANIM_TOO_LARGE, "a value of more than %zu bytes", VALUE_MAX);
	}
	if (!done && (span.depth > 0 || span.in_string))
		return ANIM_JSON_CUT;
	if (buffer->size > before)
		lower_capitals(buffer->data + before, buffer->size - before, capitals);
	return span.depth > span.levels ? ANIM_JSON_DEEP : 0;
}

/* ---- Messages: the position in the document, then the error ---- */

struct anim_place anim_json_here(struct anim_json *json)
{
	struct anim_place place;

	place_of(json->text, &place);
	return place;
}

/*
 * Lines are counted forwards or backwards from the place that was requested last. A warning per member of a long key
 * must not count the lines of the key from its beginning each time.
 */
struct anim_place anim_json_place(struct anim_json *json, const uint8_t *at)
{
	const uint8_t *text = json->values.data, *known = text + json->known_at, *line;
	size_t size = (size_t)(at > known ? at - known : known - at);
	size_t lines = count_lines(at > known ? known : at, size);

	if (at > known)
		json->known_line += lines;
	else
		json->known_line -= lines;
	if (lines > 0) {
		line = anim_byte_last(text, (size_t)(at - text), '\n');
		json->line_start = line == NULL ? 0 : (size_t)(line + 1 - text);
	}
	json->known_at = (size_t)(at - text);
	return (struct anim_place){.file = json->begin.file,
				   .at = json->begin.at,
				   .line = json->begin.line + (uint32_t)json->known_line,
				   .column = (json->line_start > 0 ? 1 : json->begin.column) +
					     (uint32_t)(json->known_at - json->line_start),
				   .offset = json->begin.offset + json->known_at};
}

void anim_json_begin(struct anim_json *json)
{

	json->values.size = json->capitals = 0;
	json->begin = anim_json_here(json);
	json->known_at = json->known_line = json->line_start = 0;
}

void anim_json_name_member(struct anim_json *json, const uint8_t *name, size_t size)
{
	anim_text_safe(json->unknown, sizeof json->unknown, (const char *)name, size);
	json->member = json->unknown;
}

void anim_json_message(const struct anim_json *json, char *out, size_t capacity, const char *format, va_list args)
{
	size_t used;

	out[0] = '\0';
	if (json->where != NULL)
		json->where(json, out);
	used = strlen(out);
	used += (size_t)snprintf(out + used, capacity - used, "%s", used > 0 ? ": " : "");
	vsnprintf(out + used, capacity - used, format, args);
}

int anim_json_refuse(struct anim_json *json, const struct anim_place *place, struct anim_error *error,
		     const char *format, ...)
{
	char message[sizeof error->message];
	va_list args;

	va_start(args, format);
	anim_json_message(json, message, sizeof message, format, args);
	va_end(args);
	return anim_fail_at(error, ANIM_BAD_INPUT, place, "%s", message);
}

/* Recognise common mistakes of people and programs in JSON. */
static const char *known_mistake(const uint8_t *at, const uint8_t *end)
{
	static const struct {
		const char *begin, *says;
	} mistakes[] = {
	    {"//", "a comment; JSON has none"},
	    {"/*", "a comment; JSON has none"},
	    {"#", "a comment; JSON has none"},
	    {"'", "a single quote; JSON's strings need double quotes"},
	    {"NaN", "NaN, which JSON does not have"},
	    {"nan", "NaN, which JSON does not have"},
	    {"Infinity", "Infinity, which JSON does not have"},
	    {"-Infinity", "Infinity, which JSON does not have"},
	    {"inf", "Infinity, which JSON does not have"},
	    {"-inf", "Infinity, which JSON does not have"},
	    {"+", "a number with a plus sign, which JSON does not have"},
	    {".", "a number without a digit before its point, which JSON does not have"},
	};

	for (size_t i = 0; i < ANIM_COUNT(mistakes); i++)
		if (anim_bytes_begin(at, (size_t)(end - at), mistakes[i].begin))
			return mistakes[i].says;
	return NULL;
}

/*
 * Fail because the text at at..end (the document from the place on, empty at its end) is not the needed text. Returns
 * -1.
 */
static int unexpected(struct anim_json *json, const struct anim_place *place, const uint8_t *at, const uint8_t *end,
		      const char *needed, struct anim_error *error)
{
	uint32_t code;
	size_t length = at < end ? anim_utf8_decode(at, (size_t)(end - at), &code) : 0;
	char shown[32];

	if (at == end)
		return anim_json_refuse(json, place, error, "the document ends here, %s is needed", needed);
	if (known_mistake(at, end) != NULL)
		return anim_json_refuse(json, place, error, "%s", known_mistake(at, end));
	anim_text_safe(shown, sizeof shown, (const char *)at, length > 0 ? length : 1);
	return anim_json_refuse(json, place, error, "%s is needed, found '%s'", needed, shown);
}

/* Fail with a word or number that JSON does not have. Returns -1. */
static int bad_word(struct anim_json *json, const struct anim_place *place, const uint8_t *at, size_t size,
		    struct anim_error *error)
{
	char shown[48];

	if (known_mistake(at, at + size) != NULL)
		return anim_json_refuse(json, place, error, "%s", known_mistake(at, at + size));
	anim_text_safe(shown, sizeof shown, (const char *)at, size);
	if (*at == '-' || (*at >= '0' && *at <= '9'))
		return anim_json_refuse(json, place, error, "'%s' is not a valid JSON number", shown);
	return anim_json_refuse(json, place, error, "'%s' is not a valid JSON value", shown);
}

int anim_json_unexpected_here(struct anim_json *json, const char *needed, struct anim_error *error)
{
	struct anim_place place;

	if (anim_json_more(json->text, 16, error) < 0)
		return -1;
	place = anim_json_here(json);
	return unexpected(json, &place, json->text->at, json->text->end, needed, error);
}

/* ---- The structure of a document, parsed by hand ---- */

#define ESCAPE_MAX 6                 /* bytes of \uXXXX; two of them make a surrogate pair */
#define SCALAR_MAX ((size_t)1 << 20) /* bytes of a number; a number of 5,000 digits was seen */

int anim_json_expect(struct anim_json *json, char bracket, const char *what, struct anim_error *error)
{
	int byte = anim_json_blank(json->text, error);

	if (byte != bracket)
		return anim_json_unexpected_here(json, what, error);
	json->text->at++;
	return 0;
}

/* Move between elements or members. Returns 1 with the cursor on the next, 0 after the closing bracket, or -1. */
static int next(struct anim_json *json, char close, bool *first, const char *needed, struct anim_error *error)
{
	int byte = anim_json_blank(json->text, error);
	bool comma = byte == ',' && !*first;
	struct anim_place place;

	if (byte == ANIM_JSON_ERROR)
		return -1;
	if (byte == close) {
		json->text->at++;
		return 0;
	}
	if (!comma && !*first)
		return anim_json_unexpected_here(json, needed, error);
	*first = false;
	if (!comma)
		return 1;
	place = anim_json_here(json);
	json->text->at++;
	byte = anim_json_blank(json->text, error);
	if (byte == close)
		return anim_json_refuse(json, &place, error, "a comma after the last value, which JSON does not allow");
	return byte == ANIM_JSON_ERROR ? -1 : 1;
}

int anim_json_next_element(struct anim_json *json, bool *first, struct anim_error *error)
{
	return next(json, ']', first, "',' or ']'", error);
}

/* Decode the string at the cursor, between its quotes, into the buffer with a NUL after it. */
static int read_string(struct anim_json *json, struct anim_buffer *buffer, struct anim_error *error)
{
	struct anim_place place = anim_json_here(json);
	const uint8_t *bad;
	const char *why;
	size_t none;
	int result;

	json->scalar.size = 0;
	result = anim_json_read_text(json->text, &json->scalar, 0, &none, error);
	if (result > 0)
		return anim_json_unexpected_here(json, "the end of a string", error);
	if (result < 0)
		return anim_error_is_of_input(error) ? anim_json_refuse(json, &place, error, "%s", error->message) : -1;
	buffer->size = 0;
	if (anim_json_decode(json->scalar.data + 1, json->scalar.size - 2, buffer, &bad, &why) != 0) {
		if (bad == NULL)
			return anim_fail_memory(error);
		place.column += (uint32_t)(bad - json->scalar.data);
		return anim_json_refuse(json, &place, error, "%s", why);
	}
	if (anim_buffer_append(buffer, "", 1, error) != 0)
		return -1;
	buffer->size--;
	return 0;
}

int anim_json_next_member(struct anim_json *json, bool *first, struct anim_error *error)
{
	int found = next(json, '}', first, "',' or '}'", error);

	if (found <= 0)
		return found;
	if (anim_json_byte(json->text, error) != '"')
		return anim_json_unexpected_here(json, "a member's name in double quotes", error);
	if (read_string(json, &json->name, error) != 0)
		return -1;
	if (anim_json_blank(json->text, error) != ':')
		return anim_json_unexpected_here(json, "':'", error);
	json->text->at++;
	return anim_json_blank(json->text, error) == ANIM_JSON_ERROR ? -1 : 1;
}

static bool ends_word(int byte)
{
	return byte <= ' ' || byte == ',' || byte == ']' || byte == '}' || byte == ':' || byte == '[' || byte == '{' ||
	       byte == '"';
}

/* Read the bytes of the number or word at the cursor. */
static int read_word(struct anim_json *json, struct anim_error *error)
{
	struct anim_json_text *text = json->text;
	int byte;

	json->scalar.size = 0;
	while ((byte = anim_json_byte(text, error)) >= 0 && !ends_word(byte)) {
		const uint8_t *from = text->at;

		while (text->at < text->end && !ends_word(*text->at))
			text->at++;
		if (anim_buffer_append(&json->scalar, from, (size_t)(text->at - from), error) != 0)
			return -1;
		if (json->scalar.size > SCALAR_MAX) {
			struct anim_place place = anim_json_here(json);

			return anim_json_refuse(json, &place, error, "a number of more than %zu bytes", SCALAR_MAX);
		}
	}
	/* Number readers look at bytes after the end, and the first of them must not continue a number. */
	if (byte == ANIM_JSON_ERROR || anim_buffer_append(&json->scalar, "", 1, error) != 0)
		return -1;
	json->scalar.size--;
	return 0;
}

static bool is_word(const uint8_t *text, size_t size, const char *word)
{
	return size == strlen(word) && memcmp(text, word, size) == 0;
}

static bool is_number(const struct anim_json *json)
{
	const uint8_t *end = json->scalar.data + json->scalar.size;

	return json->scalar.size > 0 && anim_json_number_end(json->scalar.data) == end;
}

int anim_json_read_null(struct anim_json *json, struct anim_error *error)
{
	ssize_t got = anim_json_more(json->text, 5, error);

	if (got < 0)
		return -1;
	if (got < 4 || memcmp(json->text->at, "null", 4) != 0)
		return 0;
	json->text->at += 4;
	return 1;
}

int anim_json_read_string(struct anim_json *json, struct anim_buffer *buffer, bool *is_null, const char *what,
			  struct anim_error *error)
{
	int null = anim_json_read_null(json, error);

	*is_null = null == 1;
	if (null != 0)
		return null < 0 ? -1 : 0;
	if (anim_json_byte(json->text, error) != '"')
		return anim_json_unexpected_here(json, what, error);
	return read_string(json, buffer, error);
}

int anim_json_read_number(struct anim_json *json, double *value, const char *what, struct anim_error *error)
{
	struct anim_place place = anim_json_here(json);

	if (read_word(json, error) != 0)
		return -1;
	if (!is_number(json)) {
		if (json->scalar.size == 0)
			return anim_json_unexpected_here(json, what, error);
		return bad_word(json, &place, json->scalar.data, json->scalar.size, error);
	}
	anim_number_double((const char *)json->scalar.data, (const char *)json->scalar.data + json->scalar.size, value);
	if (!isfinite((float)*value))
		return anim_json_refuse(json, &place, error, "a number beyond the largest float");
	return 0;
}

static int skip_scalar(struct anim_json *json, struct anim_error *error)
{
	struct anim_place place = anim_json_here(json);

	if (read_word(json, error) != 0)
		return -1;
	if (is_number(json) || is_word(json->scalar.data, json->scalar.size, "true") ||
	    is_word(json->scalar.data, json->scalar.size, "false") ||
	    is_word(json->scalar.data, json->scalar.size, "null"))
		return 0;
	if (json->scalar.size == 0)
		return anim_json_unexpected_here(json, "a value", error);
	return bad_word(json, &place, json->scalar.data, json->scalar.size, error);
}

/*
 * Return the bytes of the character or escape at `at`. For other characters than ASCII this is 1, because the rest
 * follows by itself.
 */
static size_t unit(const uint8_t *at)
{
	if (*at != '\\')
		return 1;
	if (at[1] != 'u')
		return 2;
	return (at[2] | 0x20) == 'd' && strchr("89abAB", at[3]) != NULL && at[3] != '\0' ? 2 * ESCAPE_MAX : ESCAPE_MAX;
}

/* Return the end of the bytes of a string that are complete in at..end. If *done, it is the end of the string. */
static const uint8_t *whole_units(const uint8_t *at, const uint8_t *end, bool last, bool *done)
{
	size_t spare = last ? 0 : 2 * ESCAPE_MAX;

	*done = false;
	while (at < end && ((size_t)(end - at) > spare || (*at & 0xc0) == 0x80)) {
		*done = *at == '"';
		if (*done)
			return at;
		at += unit(at);
	}
	return at < end ? at : end;
}

/* Check and skip a string window by window without keeping it, however long it is. */
static int skip_string(struct anim_json *json, struct anim_error *error)
{
	struct anim_json_text *text = json->text;
	struct anim_place place;
	const uint8_t *bad, *end;
	const char *why;
	bool done, last;

	text->at++;
	do {
		if (text->end - text->at <= 2 * ESCAPE_MAX && anim_json_more(text, 4 * ESCAPE_MAX, error) < 0)
			return -1;
		last = text->end - text->at <= 2 * ESCAPE_MAX;
		end = whole_units(text->at, text->end, last, &done);
		if (last && !done) {
			text->at = end;
			return anim_json_unexpected_here(json, "the end of a string", error);
		}
		json->name.size = 0;
		if (anim_json_decode(text->at, (size_t)(end - text->at), &json->name, &bad, &why) != 0) {
			if (bad == NULL)
				return anim_fail_memory(error);
			text->at = bad;
			place = anim_json_here(json);
			return anim_json_refuse(json, &place, error, "%s", why);
		}
		text->at = end;
	} while (!done);
	text->at++;
	return 0;
}

int anim_json_skip(struct anim_json *json, unsigned depth, struct anim_error *error)
{
	int byte = anim_json_byte(json->text, error), more;
	struct anim_place place;
	bool first = true;

	if (byte == '"')
		return skip_string(json, error);
	if (byte != '{' && byte != '[')
		return byte == ANIM_JSON_ERROR ? -1 : skip_scalar(json, error);
	place = anim_json_here(json);
	if (depth >= ANIM_NESTING_JSON)
		return anim_json_refuse(json, &place, error, "nested deeper than %d", ANIM_NESTING_JSON);
	json->text->at++;
	do {
		more = byte == '{' ? anim_json_next_member(json, &first, error)
				   : anim_json_next_element(json, &first, error);
		if (more == 1 && depth == json->depth && byte == '{')
			anim_json_name_member(json, json->name.data, json->name.size);
		if (more == 1 && anim_json_skip(json, depth + 1, error) != 0)
			return -1;
	} while (more == 1);
	return more;
}

/* ---- jsmn on complete values, and the checks that it does not make ---- */

#define TOKENS_FIRST ((size_t)1024)
#define TOKENS_MAX ((size_t)1 << 20) /* of one batch: 20 MB */

static const jsmntok_t *token_at(const struct anim_json *json, size_t token)
{
	return (const jsmntok_t *)json->tokens.data + token;
}

struct anim_json_token anim_json_token_at(const struct anim_json *json, size_t token)
{
	static const enum anim_json_type types[] = {[JSMN_OBJECT] = ANIM_JSON_OBJECT,
						    [JSMN_ARRAY] = ANIM_JSON_ARRAY,
						    [JSMN_STRING] = ANIM_JSON_STRING,
						    [JSMN_PRIMITIVE] = ANIM_JSON_PRIMITIVE};
	const jsmntok_t *found = token_at(json, token);

	return (struct anim_json_token){types[found->type], (uint32_t)found->start, (uint32_t)found->end};
}

const uint8_t *anim_json_token_text(const struct anim_json *json, size_t token)
{
	return json->values.data + token_at(json, token)->start;
}

size_t anim_json_token_size(const struct anim_json *json, size_t token)
{
	return (size_t)(token_at(json, token)->end - token_at(json, token)->start);
}

/* The cursor of the check. */
struct token_check {
	struct anim_json *json;
	const uint8_t *at;
	size_t token; /* the next one */
	unsigned depth;
};

static int refuse(struct token_check *check, const uint8_t *at, const char *needed, struct anim_error *error)
{
	const struct anim_json *json = check->json;
	const uint8_t *end = json->values.data + json->values.size;
	struct anim_place place = anim_json_place(check->json, at < end ? at : end);

	return unexpected(check->json, &place, at < end ? at : end, end, needed, error);
}

static void skip_blanks(struct token_check *check)
{
	while (*check->at == ' ' || *check->at == '\n' || *check->at == '\r' || *check->at == '\t')
		check->at++;
}

/* Skip blanks, the byte, and blanks. */
static int expect(struct token_check *check, char byte, const char *needed, struct anim_error *error)
{
	skip_blanks(check);
	if (*check->at != byte)
		return refuse(check, check->at, needed, error);
	check->at++;
	skip_blanks(check);
	return 0;
}

static int check_string(struct token_check *check, struct anim_error *error)
{
	struct anim_json *json = check->json;
	size_t token = check->token++;
	const uint8_t *bad;
	const char *why;
	struct anim_place place;

	check->at += 1 + anim_json_token_size(json, token) + 1;
	json->scalar.size = 0;
	if (anim_json_decode(anim_json_token_text(json, token), anim_json_token_size(json, token), &json->scalar, &bad,
			     &why) == 0)
		return 0;
	if (bad == NULL)
		return anim_fail_memory(error);
	place = anim_json_place(json, bad);
	return anim_json_refuse(json, &place, error, "%s", why);
}

static int check_primitive(struct token_check *check, struct anim_error *error)
{
	const struct anim_json *json = check->json;
	const uint8_t *text = anim_json_token_text(json, check->token);
	size_t size = anim_json_token_size(json, check->token++);
	struct anim_place place;

	check->at += size;
	if (anim_json_number_end(text) != text + size && !is_word(text, size, "true") &&
	    !is_word(text, size, "false") && !is_word(text, size, "null")) {
		place = anim_json_place(check->json, text);
		return bad_word(check->json, &place, text, size, error);
	}
	return 0;
}

static int check_value(struct token_check *check, struct anim_error *error);

static int check_member(struct token_check *check, struct anim_error *error)
{
	const struct anim_json *json = check->json;

	if (*check->at != '"' || check->token >= json->count ||
	    anim_json_token_text(json, check->token) != check->at + 1)
		return refuse(check, check->at, "a member's name in double quotes", error);
	if (check->depth == json->depth + 1)
		anim_json_name_member(check->json, anim_json_token_text(json, check->token),
				      anim_json_token_size(json, check->token));
	if (check_string(check, error) != 0 || expect(check, ':', "':'", error) != 0)
		return -1;
	return check_value(check, error);
}

/* Check elements or members up to the closing bracket. */
static int check_inside(struct token_check *check, bool object, struct anim_error *error)
{
	const struct anim_json *json = check->json;
	const uint8_t *close = json->values.data + token_at(json, check->token++)->end - 1;

	check->at++;
	skip_blanks(check);
	for (bool first = true; check->at != close; first = false) {
		if (!first && expect(check, ',', object ? "',' or '}'" : "',' or ']'", error) != 0)
			return -1;
		if ((object ? check_member(check, error) : check_value(check, error)) != 0)
			return -1;
		skip_blanks(check);
	}
	check->at++;
	return 0;
}

/* Check the value at the cursor, which must be the next token. */
static int check_value(struct token_check *check, struct anim_error *error)
{
	const struct anim_json *json = check->json;
	const jsmntok_t *token = token_at(json, check->token);
	int result;

	if (check->token >= json->count || json->values.data + token->start != check->at + (token->type == JSMN_STRING))
		return refuse(check, check->at, "a value", error);
	if (token->type == JSMN_STRING)
		return check_string(check, error);
	if (token->type == JSMN_PRIMITIVE)
		return check_primitive(check, error);
	assert(check->depth < ANIM_NESTING_JSON); /* anim_json_read_text does not pass deeper values */
	check->depth++;
	result = check_inside(check, token->type == JSMN_OBJECT, error);
	check->depth--;
	return result;
}

static int check_all(struct anim_json *json, struct anim_error *error)
{
	struct token_check check = {.json = json, .at = json->values.data, .depth = json->depth};
	const uint8_t *end = json->values.data + json->values.size;

	skip_blanks(&check);
	for (bool first = true; check.at < end; first = false) {
		if (!first && expect(&check, ',', "',' or ']'", error) != 0)
			return -1;
		if (check_value(&check, error) != 0)
			return -1;
		skip_blanks(&check);
		json->member = NULL;
		if (json->element >= 0)
			json->element++;
	}
	return 0;
}

/* Make room for more tokens. Returns 0 or -1. */
static int grow(struct anim_json *json, struct anim_error *error)
{
	size_t have = json->tokens.size / sizeof(jsmntok_t), want = have == 0 ? TOKENS_FIRST : have;

	if (have >= TOKENS_MAX)
		return anim_json_refuse(json, &json->begin, error, "%s of more than %zu values", json->what,
					TOKENS_MAX);
	return anim_buffer_extend(&json->tokens, want * sizeof(jsmntok_t), error) == NULL ? -1 : 0;
}

int anim_json_explain(struct anim_json *json, const uint8_t *from, size_t size, const struct anim_place *begin,
		      unsigned depth, struct anim_error *error)
{
	struct anim_json_text *outer = json->text, text;
	struct anim_input *input;
	int byte = ',', result = 0;

	if (anim_input_open_memory(&input, from, size, begin->file, error) != 0)
		return -1;
	anim_json_text_init(&text, input, begin);
	json->text = &text;
	while (result == 0 && byte == ',') {
		result = anim_json_blank(&text, error) == ANIM_JSON_ERROR ? -1 : 0;
		if (result == 0)
			result = anim_json_skip(json, depth, error);
		if (result == 0 && (byte = anim_json_blank(&text, error)) == ',') {
			text.at++;
			json->element += json->element >= 0;
		}
	}
	json->text = outer;
	anim_input_close(input);
	return result;
}

int anim_json_tokenise(struct anim_json *json, struct anim_error *error)
{
	int64_t key = json->element;
	jsmn_parser parser;
	int count;

	/* jsmn ends a number only if a byte follows it. The added blank does not belong to the text. */
	if (anim_buffer_append(&json->values, " ", 2, error) != 0)
		return -1;
	json->values.size -= 2;
	jsmn_init(&parser);
	while ((count = jsmn_parse(&parser, (const char *)json->values.data, json->values.size + 1,
				   (jsmntok_t *)json->tokens.data,
				   (unsigned)(json->tokens.size / sizeof(jsmntok_t)))) == JSMN_ERROR_NOMEM ||
	       json->tokens.size == 0) {
		if (json->tokens.size == 0)
			jsmn_init(&parser);
		if (grow(json, error) != 0)
			return -1;
	}
	json->count = parser.toknext;
	if (count < 0) {
		struct token_check check = {.json = json};
		int result =
		    anim_json_explain(json, json->values.data, json->values.size, &json->begin, json->depth, error);

		/* jsmn gives no reason. Parsing by hand does. */
		if (result != 0)
			return result;
		return refuse(&check, json->values.data + parser.pos, "another character", error);
	}
	if (check_all(json, error) != 0)
		return -1;
	json->element = key;
	return 0;
}

size_t anim_json_after(const struct anim_json *json, size_t token)
{
	int end = token_at(json, token)->end;

	do
		token++;
	while (token < json->count && token_at(json, token)->start < end);
	return token;
}

bool anim_json_is_null(const struct anim_json *json, size_t token)
{
	return token_at(json, token)->type == JSMN_PRIMITIVE && *anim_json_token_text(json, token) == 'n';
}

bool anim_json_is_number(const struct anim_json *json, size_t token)
{
	uint8_t first = *anim_json_token_text(json, token);

	return token_at(json, token)->type == JSMN_PRIMITIVE && (first == '-' || (first >= '0' && first <= '9'));
}

const char *anim_json_token_name(const struct anim_json *json, size_t token)
{
	switch (token_at(json, token)->type) {
	case JSMN_OBJECT:
		return "an object";
	case JSMN_ARRAY:
		return "an array";
	case JSMN_STRING:
		return "a string";
	default:
		break;
	}
	if (anim_json_is_null(json, token))
		return "null";
	return anim_json_is_number(json, token) ? "a number" : "true or false";
}

/* Names with escapes are rare, so only they are decoded. */
bool anim_json_is_named(const struct anim_json *json, size_t token, const char *name)
{
	const uint8_t *text = anim_json_token_text(json, token);
	size_t size = anim_json_token_size(json, token), length = strlen(name);
	struct anim_buffer decoded = {0};
	const uint8_t *bad;
	const char *why;
	bool same;

	if (size == length)
		return memcmp(text, name, length) == 0;
	if (size < length || memchr(text, '\\', size) == NULL)
		return false;
	same = anim_json_decode(text, size, &decoded, &bad, &why) == 0 && decoded.size == length &&
	       memcmp(decoded.data, name, length) == 0;
	anim_buffer_clear(&decoded);
	return same;
}

void anim_json_clear(struct anim_json *json)
{
	anim_buffer_clear(&json->name);
	anim_buffer_clear(&json->scalar);
	anim_buffer_clear(&json->values);
	anim_buffer_clear(&json->tokens);
}
