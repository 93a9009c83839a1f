/* text_lexer.c: the window over a Godot text file, its places, blanks, words and numbers. */
#include "format/godot/text_lexer.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"

static const uint8_t nothing[ANIM_INPUT_SLACK];

static void set_window(struct godot_lexer *lexer, const uint8_t *bytes, size_t size)
{
	lexer->window = lexer->at = lexer->counted = bytes;
	lexer->end = bytes + size;
}

void godot_lexer_init(struct godot_lexer *lexer, struct anim_input *input)
{
	memset(lexer, 0, sizeof *lexer);
	lexer->input = input;
	lexer->line = 1;
	lexer->offset = lexer->line_start = anim_input_offset(input);
	set_window(lexer, nothing, 0);
}

void godot_lexer_clear(struct godot_lexer *lexer)
{
	anim_buffer_clear(&lexer->scratch);
	anim_buffer_clear(&lexer->repaired);
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

ssize_t godot_lexer_more(struct godot_lexer *lexer, size_t want, struct anim_error *error)
{
	const uint8_t *bytes;
	size_t used = (size_t)(lexer->at - lexer->window);
	ssize_t got;

	if ((size_t)(lexer->end - lexer->at) >= want)
		return lexer->end - lexer->at;
	count_lines(lexer);
	anim_input_skip(lexer->input, used);
	lexer->offset += used;
	got = anim_input_peek(lexer->input, want, &bytes, error);
	set_window(lexer, got > 0 ? bytes : nothing, got > 0 ? (size_t)got : 0);
	return got;
}

void godot_lexer_place_of(const struct godot_lexer *lexer, struct anim_place *place)
{
	uint64_t offset = lexer->offset + (uint64_t)(lexer->at - lexer->window), column;
	uint64_t line_start = lexer->line_start;
	const uint8_t *p = lexer->counted, *newline;

	place->line = lexer->line;
	while ((newline = memchr(p, '\n', (size_t)(lexer->at - p))) != NULL) {
		p = newline + 1;
		place->line++;
		line_start = lexer->offset + (uint64_t)(p - lexer->window);
	}
	column = offset - line_start + 1;
	place->file = anim_input_name(lexer->input);
	place->at = ANIM_AT_LINE;
	place->column = column < UINT32_MAX ? (uint32_t)column : UINT32_MAX;
	place->offset = offset;
}

void godot_lexer_place(struct godot_lexer *lexer, struct anim_place *place)
{
	count_lines(lexer);
	godot_lexer_place_of(lexer, place);
}

int godot_lexer_fail(struct godot_lexer *lexer, struct anim_error *error, const char *format, ...)
{
	struct anim_place place;
	va_list args;

	godot_lexer_place(lexer, &place);
	va_start(args, format);
	anim_fail_va(error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	return -1;
}

void godot_note(struct godot_note *note, const struct anim_place *place)
{
	if (note->count++ == 0)
		note->first = *place;
}

int godot_lexer_unexpected(struct godot_lexer *lexer, const char *wanted, struct anim_error *error)
{
	int c = godot_lexer_byte(lexer, error);

	if (c == GODOT_LEXER_ERROR)
		return -1;
	if (c == GODOT_LEXER_END)
		return godot_lexer_fail(lexer, error, "expected %s, found the end of the file", wanted);
	if (c > ' ' && c < 0x7f)
		return godot_lexer_fail(lexer, error, "expected %s, found '%c'", wanted, c);
	return godot_lexer_fail(lexer, error, "expected %s, found the byte 0x%02x", wanted, (unsigned)c);
}

int godot_lexer_skip_comment(struct godot_lexer *lexer, struct anim_error *error)
{
	const uint8_t *newline;

	for (;;) {
		newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
		if (newline != NULL) {
			lexer->at = newline + 1;
			return 0;
		}
		lexer->at = lexer->end;
		switch (godot_lexer_byte(lexer, error)) {
		case GODOT_LEXER_ERROR:
			return -1;
		case GODOT_LEXER_END:
			return 0;
		}
	}
}

int godot_lexer_token(struct godot_lexer *lexer, struct anim_error *error)
{
	int c;

	for (;;) {
		while (lexer->at < lexer->end && *lexer->at <= ' ' && *lexer->at != '\0')
			lexer->at++;
		c = godot_lexer_byte(lexer, error);
		if (c == GODOT_LEXER_ERROR)
			return -1;
		if (c == GODOT_LEXER_END || c == '\0')
			return 0;
		if (c > ' ' && c != ';')
			return c;
		if (c == ';' && godot_lexer_skip_comment(lexer, error) != 0)
			return -1;
	}
}

int godot_lexer_expect(struct godot_lexer *lexer, char byte, const char *wanted, struct anim_error *error)
{
	int c = godot_lexer_token(lexer, error);

	if (c < 0)
		return -1;
	if (c != byte)
		return godot_lexer_unexpected(lexer, wanted, error);
	lexer->at++;
	return 0;
}

int godot_lexer_after_minus(struct godot_lexer *lexer, struct anim_error *error)
{
	ssize_t got = godot_lexer_more(lexer, 2, error);

	return got >= 2 ? lexer->at[1] : got >= 0 ? GODOT_LEXER_END : GODOT_LEXER_ERROR;
}

/* Says whether `byte` goes on with what was begun; *state is 0 at first. */
typedef bool goes_on(unsigned *state, uint8_t byte);

static inline bool word_goes_on(unsigned *state, uint8_t byte)
{
	bool first = *state == 0;

	*state = 1;
	return godot_is_word_start(byte) || (first ? byte == '-' : godot_is_digit(byte));
}

enum { NUMBER_BEGIN, NUMBER_INTEGER, NUMBER_FRACTION, NUMBER_EXPONENT_SIGN, NUMBER_EXPONENT };

static inline bool number_goes_on(unsigned *state, uint8_t byte)
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

static inline const uint8_t *run_end(const struct godot_lexer *lexer, goes_on *more, unsigned *state)
{
	const uint8_t *p = lexer->at;

	while (p < lexer->end && more(state, *p))
		p++;
	return p;
}

/* The rest of scan() for what touches the window's end: it is gathered in the scratch buffer, with a NUL behind it. */
static int gather(struct godot_lexer *lexer, goes_on *more, unsigned *state, struct anim_error *error)
{
	const uint8_t *p = lexer->end;
	bool inside = true;

	lexer->scratch.size = 0;
	while (inside) {
		if (anim_buffer_append(&lexer->scratch, lexer->at, (size_t)(p - lexer->at), error) != 0)
			return -1;
		lexer->at = p;
		if (lexer->scratch.size > ANIM_TEXT_MAX)
			return godot_lexer_fail(lexer, error, "a word or number is longer than %u bytes",
						ANIM_TEXT_MAX);
		if (p < lexer->end)
			break;
		switch (godot_lexer_byte(lexer, error)) {
		case GODOT_LEXER_ERROR:
			return -1;
		case GODOT_LEXER_END:
			inside = false;
			break;
		default:
			p = run_end(lexer, more, state);
		}
	}
	if (anim_buffer_append(&lexer->scratch, "", 1, error) != 0)
		return -1;
	lexer->scratch.size--;
	return 0;
}

static inline int scan(struct godot_lexer *lexer, goes_on *more, unsigned *state, const char **text, size_t *length,
		       struct anim_error *error)
{
	const uint8_t *p = run_end(lexer, more, state);

	if (p < lexer->end) {
		*text = (const char *)lexer->at;
		*length = (size_t)(p - lexer->at);
		lexer->at = p;
		return 0;
	}
	if (gather(lexer, more, state, error) != 0)
		return -1;
	*text = (const char *)lexer->scratch.data;
	*length = lexer->scratch.size;
	return 0;
}

int godot_lexer_word(struct godot_lexer *lexer, const char **text, size_t *length, struct anim_error *error)
{
	unsigned state = 0;

	return scan(lexer, word_goes_on, &state, text, length, error);
}

int godot_lexer_number(struct godot_lexer *lexer, const char **text, size_t *length, bool *is_integer,
		       struct anim_error *error)
{
	unsigned state = NUMBER_BEGIN;
	int result = scan(lexer, number_goes_on, &state, text, length, error);

	*is_integer = state <= NUMBER_INTEGER;
	return result;
}

bool godot_tag_begins(const uint8_t *bytes, size_t size)
{
	static const char *const names[] = {"gd_scene", "gd_resource", "ext_resource", "sub_resource",
					    "resource", "node",        "connection",   "editable"};
	size_t i, length;

	if (size < 2 || bytes[0] != '[')
		return false;
	for (i = 0; i < sizeof names / sizeof names[0]; i++) {
		length = strlen(names[i]);
		if (size > 1 + length && memcmp(bytes + 1, names[i], length) == 0 &&
		    (bytes[1 + length] == ']' || bytes[1 + length] <= ' '))
			return true;
	}
	return false;
}

int godot_lexer_tag_ahead(struct godot_lexer *lexer, struct anim_error *error)
{
	struct anim_place place;
	ssize_t got;

	if (lexer->at > lexer->window && lexer->at[-1] != '\n')
		return 0;
	godot_lexer_place(lexer, &place);
	if (place.column != 1)
		return 0;
	got = godot_lexer_more(lexer, 16, error);
	return got < 0 ? -1 : godot_tag_begins(lexer->at, (size_t)got);
}
