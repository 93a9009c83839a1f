/* lexer.c: the window over a Godot text file: places, blanks, words, numbers, strings, and skipped text. */
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"
#include "format/godot/godot.h"
#include "format/godot/text_internal.h"

/* ---- The window and places in it ---- */

static const uint8_t nothing[ANIM_INPUT_SLACK];

static void set_window(struct godot_lexer *lexer, const uint8_t *bytes, size_t size)
{
	lexer->window = lexer->at = lexer->counted = bytes;
	lexer->end = bytes + size;
}

void godot_lexer_init(struct godot_lexer *lexer, struct anim_input *input, struct anim_error *error)
{
	*lexer = (struct godot_lexer){.input = input, .error = error, .line = 1};
	lexer->offset = lexer->line_start = anim_input_offset(input);
	set_window(lexer, nothing, 0);
}

static void count_lines(struct godot_lexer *lexer)
{
	const uint8_t *p = lexer->counted, *newline;

	while ((newline = memchr(p, '\n', (size_t)(lexer->at - p))) != NULL) {
		p = newline + 1;
		lexer->line++;
		lexer->line_start = lexer->offset + (uint64_t)(p - lexer->window);
	}
	lexer->counted = lexer->at;
}

ssize_t godot_lexer_more(struct godot_lexer *lexer, size_t want)
{
	const uint8_t *bytes;
	size_t used = (size_t)(lexer->at - lexer->window);
	ssize_t got;

	if ((size_t)(lexer->end - lexer->at) >= want)
		return lexer->end - lexer->at;
	count_lines(lexer);
	anim_input_skip(lexer->input, used);
	lexer->offset += used;
	got = anim_input_peek(lexer->input, want, &bytes, lexer->error);
	set_window(lexer, got > 0 ? bytes : nothing, got > 0 ? (size_t)got : 0);
	return got;
}

void godot_lexer_place(struct godot_lexer *lexer, struct anim_place *place)
{
	uint64_t offset = lexer->offset + (uint64_t)(lexer->at - lexer->window), column;

	count_lines(lexer);
	column = offset - lexer->line_start + 1;
	place->file = anim_input_name(lexer->input);
	place->at = ANIM_AT_LINE;
	place->line = lexer->line;
	place->column = column < UINT32_MAX ? (uint32_t)column : UINT32_MAX;
	place->offset = offset;
}

int godot_lexer_fail(struct godot_lexer *lexer, const char *format, ...)
{
	struct anim_place place;
	va_list args;

	godot_lexer_place(lexer, &place);
	va_start(args, format);
	anim_fail_va(lexer->error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	return -1;
}

void godot_note(struct godot_oddity *oddity, const struct anim_place *place)
{
	if (oddity->count++ == 0)
		oddity->first = *place;
}

int godot_lexer_unexpected(struct godot_lexer *lexer, const char *wanted)
{
	int c = godot_lexer_byte(lexer);

	if (c == GODOT_LEXER_ERROR)
		return -1;
	if (c == GODOT_LEXER_END)
		return godot_lexer_fail(lexer, "expected %s, found the end of the file", wanted);
	if (c > ' ' && c < 0x7f)
		return godot_lexer_fail(lexer, "expected %s, found '%c'", wanted, c);
	return godot_lexer_fail(lexer, "expected %s, found the byte 0x%02x", wanted, (unsigned)c);
}

int godot_lexer_skip_comment(struct godot_lexer *lexer)
{
	const uint8_t *newline;

	for (;;) {
		newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
		if (newline != NULL) {
			lexer->at = newline + 1;
			return 0;
		}
		lexer->at = lexer->end;
		switch (godot_lexer_byte(lexer)) {
		case GODOT_LEXER_ERROR:
			return -1;
		case GODOT_LEXER_END:
			return 0;
		}
	}
}

int godot_lexer_token(struct godot_lexer *lexer)
{
	int c;

	for (;;) {
		while (lexer->at < lexer->end && *lexer->at <= ' ' && *lexer->at != '\0')
			lexer->at++;
		c = godot_lexer_byte(lexer);
		if (c == GODOT_LEXER_ERROR)
			return -1;
		if (c == GODOT_LEXER_END || c == '\0')
			return 0;
		if (c > ' ' && c != ';')
			return c;
		if (c == ';' && godot_lexer_skip_comment(lexer) != 0)
			return -1;
	}
}

int godot_lexer_expect(struct godot_lexer *lexer, char byte, const char *wanted)
{
	int c = godot_lexer_token(lexer);

	if (c < 0)
		return -1;
	if (c != byte)
		return godot_lexer_unexpected(lexer, wanted);
	lexer->at++;
	return 0;
}

int godot_lexer_after_minus(struct godot_lexer *lexer)
{
	ssize_t got = godot_lexer_more(lexer, 2);

	return got >= 2 ? lexer->at[1] : got >= 0 ? GODOT_LEXER_END : GODOT_LEXER_ERROR;
}

/* Return whether `byte` continues the item that has begun. *state is initially 0. */
typedef bool continues(unsigned *state, uint8_t byte);

static inline bool word_continues(unsigned *state, uint8_t byte)
{
	bool first = *state == 0;

	*state = 1;
	return godot_is_word_start(byte) || (first ? byte == '-' : godot_is_digit(byte));
}

enum { NUMBER_BEGIN, NUMBER_INTEGER, NUMBER_FRACTION, NUMBER_EXPONENT_SIGN, NUMBER_EXPONENT };

static inline bool number_continues(unsigned *state, uint8_t byte)
{
	unsigned old = *state;

	if (godot_is_digit(byte)) {
		if (old == NUMBER_BEGIN || old == NUMBER_EXPONENT_SIGN)
			*state = old + 1;
		return true;
	}
	if (byte == '.' && old == NUMBER_INTEGER)
		*state = NUMBER_FRACTION;
	else if ((byte == 'e' || byte == 'E') && (old == NUMBER_INTEGER || old == NUMBER_FRACTION))
		*state = NUMBER_EXPONENT_SIGN;
	else if ((byte == '-' || byte == '+') && old == NUMBER_EXPONENT_SIGN)
		*state = NUMBER_EXPONENT;
	else
		return byte == '-' && old == NUMBER_BEGIN;
	return true;
}

static inline const uint8_t *run_end(const struct godot_lexer *lexer, continues *more, unsigned *state)
{
	const uint8_t *p = lexer->at;

	while (p < lexer->end && more(state, *p))
		p++;
	return p;
}

/* Collect an item that reaches the end of the window in the scratch buffer, followed by a NUL. Used by scan(). */
static int gather(struct godot_lexer *lexer, continues *more, unsigned *state)
{
	const uint8_t *p = lexer->end;
	bool inside = true;

	lexer->scratch.size = 0;
	while (inside) {
		if (anim_buffer_append(&lexer->scratch, lexer->at, (size_t)(p - lexer->at), lexer->error) != 0)
			return -1;
		lexer->at = p;
		if (lexer->scratch.size > ANIM_TEXT_MAX)
			return godot_lexer_fail(lexer, "a word or number is longer than %u bytes", ANIM_TEXT_MAX);
		if (p < lexer->end)
			break;
		switch (godot_lexer_byte(lexer)) {
		case GODOT_LEXER_ERROR:
			return -1;
		case GODOT_LEXER_END:
			inside = false;
			break;
		default:
			p = run_end(lexer, more, state);
		}
	}
	if (anim_buffer_append(&lexer->scratch, "", 1, lexer->error) != 0)
		return -1;
	lexer->scratch.size--;
	return 0;
}

static inline int scan(struct godot_lexer *lexer, continues *more, unsigned *state, const char **text, size_t *length)
{
	const uint8_t *p = run_end(lexer, more, state);

	if (p < lexer->end) {
		*text = (const char *)lexer->at;
		*length = (size_t)(p - lexer->at);
		lexer->at = p;
		return 0;
	}
	if (gather(lexer, more, state) != 0)
		return -1;
	*text = (const char *)lexer->scratch.data;
	*length = lexer->scratch.size;
	return 0;
}

int godot_lexer_word(struct godot_lexer *lexer, const char **text, size_t *length)
{
	unsigned state = 0;

	return scan(lexer, word_continues, &state, text, length);
}

int godot_lexer_number(struct godot_lexer *lexer, const char **text, size_t *length, bool *is_integer)
{
	unsigned state = NUMBER_BEGIN;
	int result = scan(lexer, number_continues, &state, text, length);

	*is_integer = state <= NUMBER_INTEGER;
	return result;
}

/* Return true if the bytes begin with '[' and the name of a tag of such files. */
static bool tag_begins(const uint8_t *bytes, size_t size)
{
	static const char *const names[] = {"gd_scene", "gd_resource", "ext_resource", "sub_resource",
					    "resource", "node",        "connection",   "editable"};
	size_t i, length;

	if (size < 2 || bytes[0] != '[')
		return false;
	for (i = 0; i < ANIM_COUNT(names); i++) {
		length = strlen(names[i]);
		if (size > 1 + length && memcmp(bytes + 1, names[i], length) == 0 &&
		    (bytes[1 + length] == ']' || bytes[1 + length] <= ' '))
			return true;
	}
	return false;
}

int godot_lexer_tag_ahead(struct godot_lexer *lexer)
{
	struct anim_place place;
	ssize_t got;

	if (lexer->at > lexer->window && lexer->at[-1] != '\n')
		return 0;
	godot_lexer_place(lexer, &place);
	if (place.column != 1)
		return 0;
	got = godot_lexer_more(lexer, 16);
	return got < 0 ? -1 : tag_begins(lexer->at, (size_t)got);
}

int godot_lexer_not_a_tag(struct godot_lexer *lexer)
{
	int tag = godot_lexer_tag_ahead(lexer);

	return tag > 0 ? godot_lexer_fail(lexer, "expected a value, found a tag") : tag;
}

int godot_lexer_too_deep(struct godot_lexer *lexer)
{
	struct anim_place place;

	godot_lexer_place(lexer, &place);
	return anim_fail_at(lexer->error, ANIM_TOO_LARGE, &place, "more than %d brackets are open", ANIM_NESTING_GODOT);
}

/* ---- Skipping text without storing it ---- */

typedef uint8_t godot_block __attribute__((vector_size(16)));

static inline godot_block godot_block_at(const uint8_t *at)
{
	godot_block block;

	memcpy(&block, at, sizeof block);
	return block;
}

static inline bool godot_block_any(godot_block hits)
{
	uint64_t halves[2];

	memcpy(halves, &hits, sizeof halves);
	return (halves[0] | halves[1]) != 0;
}

/*
 * Return the first byte of at..end that ends the plain bytes of a string: a quote, a backslash or NUL. Returns `end` if
 * not found. The last block may extend into the readable bytes after the window.
 */
static inline const uint8_t *godot_scan_string(const uint8_t *at, const uint8_t *end)
{
	for (; at < end; at += sizeof(godot_block)) {
		godot_block block = godot_block_at(at);

		if (godot_block_any((godot_block)((block == '"') | (block == '\\') | (block == '\0'))))
			break;
	}
	while (at < end && *at != '"' && *at != '\\' && *at != '\0')
		at++;
	return at < end ? at : end;
}

static inline bool godot_is_structure(uint8_t byte)
{
	return byte == '"' || byte == ';' || byte == '(' || byte == ')' || (byte | 0x20) == '{' || (byte | 0x20) == '}';
}

/* Do the same for the bytes that matter outside strings: all kinds of brackets, a quote, the ';' of a comment. */
static inline const uint8_t *godot_scan_structure(const uint8_t *at, const uint8_t *end)
{
	for (; at < end; at += sizeof(godot_block)) {
		godot_block block = godot_block_at(at), folded = block | 0x20;
		godot_block hits = (godot_block)((block == '"') | (block == ';') | (block == '(') | (block == ')'));

		if (godot_block_any(hits | (godot_block)((folded == '{') | (folded == '}'))))
			break;
	}
	while (at < end && !godot_is_structure(*at))
		at++;
	return at < end ? at : end;
}

static int pass(struct godot_lexer *lexer, const uint8_t *upto, struct anim_buffer *copy)
{
	size_t count = (size_t)(upto - lexer->at);

	if (copy != NULL && copy->size + count > ANIM_TEXT_MAX)
		return godot_lexer_fail(lexer, "a value's text is longer than %u bytes", ANIM_TEXT_MAX);
	if (copy != NULL && anim_buffer_append(copy, lexer->at, count, lexer->error) != 0)
		return -1;
	lexer->at = upto;
	return 0;
}

/*
 * Consume plain bytes, then the two bytes of an escape or the closing quote. Returns 1 if the string continues, 0 if it
 * has ended, or -1.
 */
static int skip_piece(struct godot_lexer *lexer, const struct anim_place *opening, struct anim_buffer *copy)
{
	size_t count = 1;
	ssize_t got;
	int more;

	if (pass(lexer, godot_scan_string(lexer->at, lexer->end), copy) != 0)
		return -1;
	got = godot_lexer_more(lexer, 1);
	if (got > 0 && *lexer->at == '\0')
		return godot_lexer_fail(lexer, "the string contains NUL");
	if (got > 0 && *lexer->at == '\\') {
		count = 2;
		got = godot_lexer_more(lexer, count);
	}
	if (got < 0)
		return -1;
	if ((size_t)got < count)
		return anim_fail_at(lexer->error, ANIM_BAD_INPUT, opening, "this string does not end");
	more = *lexer->at != '"';
	return pass(lexer, lexer->at + count, copy) != 0 ? -1 : more;
}

int godot_lexer_skip_string(struct godot_lexer *lexer, struct anim_buffer *copy)
{
	struct anim_place opening;
	int more;

	godot_lexer_place(lexer, &opening);
	if (pass(lexer, lexer->at + 1, copy) != 0)
		return -1;
	do
		more = skip_piece(lexer, &opening, copy);
	while (more > 0);
	return more;
}

/* Consume the structural byte at the cursor, and adjust *depth. Returns 0 or -1. */
static int structure(struct godot_lexer *lexer, size_t *depth, struct anim_buffer *copy)
{
	int tag;

	switch (*lexer->at) {
	case '"':
		return godot_lexer_skip_string(lexer, copy);
	case ';':
		if (godot_lexer_skip_comment(lexer) != 0)
			return -1;
		return copy != NULL ? anim_buffer_append(copy, "\n", 1, lexer->error) : 0;
	case ')':
	case ']':
	case '}':
		--*depth;
		break;
	case '[':
		tag = godot_lexer_tag_ahead(lexer);
		if (tag < 0)
			return -1;
		if (tag > 0)
			return godot_lexer_fail(lexer, "a bracket is not closed before this tag");
		++*depth;
		break;
	default:
		++*depth;
	}
	return pass(lexer, lexer->at + 1, copy);
}

int godot_lexer_skip_brackets(struct godot_lexer *lexer, size_t depth, struct anim_buffer *copy)
{
	struct anim_place begin;

	godot_lexer_place(lexer, &begin);
	while (depth > 0) {
		if (pass(lexer, godot_scan_structure(lexer->at, lexer->end), copy) != 0)
			return -1;
		switch (godot_lexer_byte(lexer)) {
		case GODOT_LEXER_ERROR:
			return -1;
		case GODOT_LEXER_END:
			return anim_fail_at(lexer->error, ANIM_BAD_INPUT, &begin, "the brackets here are not closed");
		default:
			if (godot_is_structure(*lexer->at) && structure(lexer, &depth, copy) != 0)
				return -1;
		}
	}
	return 0;
}

/* ---- Strings: escapes and invalid UTF-8 ---- */

static int unterminated(const struct anim_place *opening, struct anim_error *error)
{
	return anim_fail_at(error, ANIM_BAD_INPUT, opening, "this string does not end");
}

/* Read the hex digits after \u (4 digits) or \U (6 digits). The cursor is at that letter. Returns 0 or -1. */
static int hex_escape(struct godot_lexer *lexer, uint32_t *code)
{
	int digits = *lexer->at == 'u' ? 4 : 6, c, digit;

	lexer->at++;
	for (*code = 0; digits > 0; digits--) {
		c = godot_lexer_byte(lexer);
		if (c == GODOT_LEXER_ERROR)
			return -1;
		digit = c < 0 ? -1 : anim_hex_digit((char)c);
		if (digit < 0)
			return godot_lexer_unexpected(lexer, "a hexadecimal digit of an escape");
		*code = *code << 4 | (uint32_t)digit;
		lexer->at++;
	}
	return 0;
}

/*
 * Decode an escape. The cursor is at the backslash. A letter without a special meaning represents itself. Returns 0 or
 * -1.
 */
static int escape(struct godot_lexer *lexer, const struct anim_place *opening, struct anim_buffer *out)
{
	static const char letters[] = "btnfr", meanings[] = "\b\t\n\f\r";
	struct anim_place place;
	uint32_t code, low;
	char bytes[4];
	int c;

	godot_lexer_place(lexer, &place);
	lexer->at++;
	c = godot_lexer_byte(lexer);
	if (c == GODOT_LEXER_ERROR)
		return -1;
	if (c == GODOT_LEXER_END || c == '\0')
		return unterminated(opening, lexer->error);
	if (c != 'u' && c != 'U') {
		const char *letter = strchr(letters, c);
		uint8_t byte = letter != NULL ? (uint8_t)meanings[letter - letters] : (uint8_t)c;

		lexer->at++;
		return anim_buffer_append(out, &byte, 1, lexer->error);
	}
	if (hex_escape(lexer, &code) != 0)
		return -1;
	if (code >= 0xd800 && code <= 0xdbff) {
		ssize_t got = godot_lexer_more(lexer, 2);

		/* The low surrogate must be another escape, immediately after the first. */
		if (got < 0)
			return -1;
		if (got >= 2 && lexer->at[0] == '\\' && (lexer->at[1] == 'u' || lexer->at[1] == 'U')) {
			lexer->at++;
			if (hex_escape(lexer, &low) != 0)
				return -1;
			if (low >= 0xdc00 && low <= 0xdfff)
				code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	if (code >= 0xd800 && code <= 0xdfff)
		return anim_fail_at(lexer->error, ANIM_BAD_INPUT, &place, "the escape is half of a surrogate pair");
	if (code == 0)
		return anim_fail_at(lexer->error, ANIM_BAD_INPUT, &place,
				    "the string contains NUL (an escape of code 0)");
	if (code > 0x10ffff)
		return anim_fail_at(lexer->error, ANIM_BAD_INPUT, &place, "the escape is beyond U+10FFFF");
	return anim_buffer_append(out, bytes, anim_utf8_encode(code, bytes), lexer->error);
}

/*
 * Consume plain bytes, then an escape or the closing quote. Returns 1 if the string continues, 0 if it has ended, or
 * -1.
 */
static int string_piece(struct godot_lexer *lexer, const struct anim_place *opening, struct anim_buffer *out)
{
	const uint8_t *end = godot_scan_string(lexer->at, lexer->end);
	int c;

	if (anim_buffer_append(out, lexer->at, (size_t)(end - lexer->at), lexer->error) != 0)
		return -1;
	lexer->at = end;
	c = godot_lexer_byte(lexer);
	if (c == GODOT_LEXER_ERROR)
		return -1;
	if (c == GODOT_LEXER_END)
		return unterminated(opening, lexer->error);
	if (c == '\0')
		return godot_lexer_fail(lexer, "the string contains NUL");
	if (c == '\\')
		return escape(lexer, opening, out) == 0 ? 1 : -1;
	if (c != '"')
		return 1;
	lexer->at++;
	return 0;
}

int godot_lexer_string(struct godot_lexer *lexer, struct anim_buffer *out, size_t limit)
{
	struct anim_place opening;
	size_t from = out->size;
	int more;

	godot_lexer_place(lexer, &opening);
	lexer->at++;
	do
		more = string_piece(lexer, &opening, out);
	while (more > 0 && out->size - from <= limit);
	if (more < 0)
		return -1;
	if (more == 0 && godot_lexer_repair(lexer, out, from, &opening) != 0)
		return -1;
	if (out->size - from > limit)
		return anim_fail_at(lexer->error, ANIM_TOO_LARGE, &opening, "this string is longer than %zu bytes",
				    limit);
	return 0;
}

/*
 * Return how many bytes at an ill-formed place belong together: the longest prefix of a well-formed sequence (Unicode,
 * table 3-7), at least 1.
 */
static size_t ill_formed_length(const uint8_t *bytes, size_t size)
{
	uint8_t lead = bytes[0], low = 0x80, high = 0xbf;
	size_t whole = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2, n = 1;

	if (lead < 0xc2 || lead > 0xf4)
		return 1;
	if (lead == 0xe0)
		low = 0xa0;
	else if (lead == 0xf0)
		low = 0x90;
	else if (lead == 0xed)
		high = 0x9f;
	else if (lead == 0xf4)
		high = 0x8f;
	while (n < whole && n < size && bytes[n] >= low && bytes[n] <= high) {
		low = 0x80;
		high = 0xbf;
		n++;
	}
	return n;
}

int godot_lexer_repair(struct godot_lexer *lexer, struct anim_buffer *text, size_t from, const struct anim_place *place)
{
	size_t good = anim_utf8_prefix(text->data + from, text->size - from), at = from;

	if (good == text->size - from)
		return 0;
	lexer->repaired.size = 0;
	while (at < text->size) {
		good = anim_utf8_prefix(text->data + at, text->size - at);
		if (anim_buffer_append(&lexer->repaired, text->data + at, good, lexer->error) != 0)
			return -1;
		at += good;
		if (at == text->size)
			break;
		at += ill_formed_length(text->data + at, text->size - at);
		godot_note(&lexer->oddities.bad_utf8, place);
		if (anim_buffer_append(&lexer->repaired, "\xef\xbf\xbd", 3, lexer->error) != 0)
			return -1;
	}
	text->size = from;
	return anim_buffer_append(text, lexer->repaired.data, lexer->repaired.size, lexer->error);
}

/* ---- Recognising a file by its first bytes ---- */

bool anim_godot_is(const uint8_t *bytes, size_t size)
{
	const uint8_t *p = bytes, *end = bytes + size;

	if (size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	while (p < end && (*p <= ' ' || *p == ';')) {
		if (*p == ';')
			p = memchr(p, '\n', (size_t)(end - p));
		if (p == NULL)
			return false;
		p++;
	}
	return tag_begins(p, (size_t)(end - p));
}
