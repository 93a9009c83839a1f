/* text_string.c: strings of Godot text files: escapes, and bytes that are no UTF-8. */
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "format/godot/text_lexer.h"
#include "format/godot/text_scan.h"

static int hex_digit(int c)
{
	if (godot_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int unterminated(const struct anim_place *opening, struct anim_error *error)
{
	return anim_fail_at(error, ANIM_BAD_INPUT, opening, "this string does not end");
}

/* The hex digits behind \u (4) or \U (6); the cursor is at that letter. 0 or -1. */
static int hex_escape(struct godot_lexer *lexer, uint32_t *code, struct anim_error *error)
{
	int digits = *lexer->at == 'u' ? 4 : 6, c, digit;

	lexer->at++;
	for (*code = 0; digits > 0; digits--) {
		c = godot_lexer_byte(lexer, error);
		if (c == GODOT_LEXER_ERROR)
			return -1;
		digit = hex_digit(c);
		if (digit < 0)
			return godot_lexer_unexpected(lexer, "a hexadecimal digit of an escape", error);
		*code = *code << 4 | (uint32_t)digit;
		lexer->at++;
	}
	return 0;
}

/* The low half behind a high surrogate: another \u escape must follow at once. 1 it did, 0 it did not, -1. */
static int low_surrogate(struct godot_lexer *lexer, uint32_t *code, struct anim_error *error)
{
	ssize_t got = godot_lexer_more(lexer, 2, error);

	if (got < 0)
		return -1;
	if (got < 2 || lexer->at[0] != '\\' || (lexer->at[1] != 'u' && lexer->at[1] != 'U'))
		return 0;
	lexer->at++;
	if (hex_escape(lexer, code, error) != 0)
		return -1;
	return *code >= 0xdc00 && *code <= 0xdfff;
}

/* A \u or \U escape; the cursor is at the letter, `place` at the backslash. */
static int unicode_escape(struct godot_lexer *lexer, const struct anim_place *place, struct anim_buffer *out,
			  struct anim_error *error)
{
	uint32_t code, low;
	char bytes[4];
	int paired = 0;

	if (hex_escape(lexer, &code, error) != 0)
		return -1;
	if (code >= 0xd800 && code <= 0xdbff) {
		paired = low_surrogate(lexer, &low, error);
		if (paired < 0)
			return -1;
		if (paired > 0)
			code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	}
	if (code >= 0xd800 && code <= 0xdfff)
		return anim_fail_at(error, ANIM_BAD_INPUT, place, "the escape is half of a surrogate pair");
	if (code == 0)
		return anim_fail_at(error, ANIM_BAD_INPUT, place, "the string holds NUL (an escape of code 0)");
	if (code > 0x10ffff)
		return anim_fail_at(error, ANIM_BAD_INPUT, place, "the escape is beyond U+10FFFF");
	return anim_buffer_append(out, bytes, anim_utf8_encode(code, bytes), error);
}

/* What a backslash begins; the cursor is at it. Letters without a meaning of their own stand for themselves. */
static int escape(struct godot_lexer *lexer, const struct anim_place *opening, struct anim_buffer *out,
		  struct anim_error *error)
{
	static const char letters[] = "btnfr", meanings[] = "\b\t\n\f\r";
	const char *letter;
	struct anim_place place;
	uint8_t byte;
	int c;

	godot_lexer_place(lexer, &place);
	lexer->at++;
	c = godot_lexer_byte(lexer, error);
	if (c == GODOT_LEXER_ERROR)
		return -1;
	if (c == GODOT_LEXER_END || c == '\0')
		return unterminated(opening, error);
	if (c == 'u' || c == 'U')
		return unicode_escape(lexer, &place, out, error);
	letter = strchr(letters, c);
	byte = letter != NULL ? (uint8_t)meanings[letter - letters] : (uint8_t)c;
	lexer->at++;
	return anim_buffer_append(out, &byte, 1, error);
}

/* Takes plain bytes, or one escape, or the closing quote. 1 the string goes on, 0 it has ended, -1. */
static int string_piece(struct godot_lexer *lexer, const struct anim_place *opening, struct anim_buffer *out,
			struct anim_error *error)
{
	const uint8_t *end = godot_scan_string(lexer->at, lexer->end);
	int c;

	if (anim_buffer_append(out, lexer->at, (size_t)(end - lexer->at), error) != 0)
		return -1;
	lexer->at = end;
	c = godot_lexer_byte(lexer, error);
	if (c == GODOT_LEXER_ERROR)
		return -1;
	if (c == GODOT_LEXER_END)
		return unterminated(opening, error);
	if (c == '\0')
		return godot_lexer_fail(lexer, error, "the string holds NUL");
	if (c == '\\')
		return escape(lexer, opening, out, error) == 0 ? 1 : -1;
	if (c != '"')
		return 1;
	lexer->at++;
	return 0;
}

int godot_lexer_string(struct godot_lexer *lexer, struct anim_buffer *out, size_t limit, struct anim_error *error)
{
	struct anim_place opening;
	size_t from = out->size;
	int more;

	godot_lexer_place(lexer, &opening);
	lexer->at++;
	do
		more = string_piece(lexer, &opening, out, error);
	while (more > 0 && out->size - from <= limit);
	if (more < 0)
		return -1;
	if (more == 0 && godot_lexer_repair(lexer, out, from, &opening, error) != 0)
		return -1;
	if (out->size - from > limit)
		return anim_fail_at(error, ANIM_TOO_LARGE, &opening, "this string is longer than %zu bytes", limit);
	return 0;
}

/*
 * How many bytes from an ill-formed place on belong together: the longest beginning of some well-formed sequence
 * (Unicode, table 3-7), at least 1.
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

int godot_lexer_repair(struct godot_lexer *lexer, struct anim_buffer *text, size_t from, const struct anim_place *place,
		       struct anim_error *error)
{
	size_t good = anim_utf8_prefix(text->data + from, text->size - from), at = from;

	if (good == text->size - from)
		return 0;
	lexer->repaired.size = 0;
	while (at < text->size) {
		good = anim_utf8_prefix(text->data + at, text->size - at);
		if (anim_buffer_append(&lexer->repaired, text->data + at, good, error) != 0)
			return -1;
		at += good;
		if (at == text->size)
			break;
		at += ill_formed_length(text->data + at, text->size - at);
		godot_note(&lexer->bad_utf8, place);
		if (anim_buffer_append(&lexer->repaired, "\xef\xbf\xbd", 3, error) != 0)
			return -1;
	}
	text->size = from;
	return anim_buffer_append(text, lexer->repaired.data, lexer->repaired.size, error);
}
