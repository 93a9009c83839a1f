/* text_floats.c: the fast way for keys: arrays of numbers as float32. */
#include <string.h>

#include "base/number.h"
#include "format/godot/text_internal.h"

#define RUN 8192       /* numbers asked for at once */
#define LOOK_MAX 65536 /* bytes of blanks and comments that may stand before the first element of a plain array */
#define LOOK_FIRST 64  /* enough for every word and what is usually before the first element */

/* What an array begins with, as far as it can be seen. */
enum ahead { AHEAD_NO, AHEAD_YES, AHEAD_UNKNOWN };

static const uint8_t *blanks_end(const uint8_t *p, const uint8_t *end)
{
	for (; p < end; p++) {
		if (*p == ';')
			p = memchr(p, '\n', (size_t)(end - p));
		if (p == NULL)
			return end;
		if (*p > ' ')
			return p;
	}
	return end;
}

/* Whether the bytes behind a plain array's bracket say that it holds numbers, or nothing. */
static enum ahead numbers_ahead(const uint8_t *p, const uint8_t *end)
{
	const struct godot_word *word;
	const uint8_t *begin;

	p = blanks_end(p, end);
	begin = p;
	if (p < end && *p == '-')
		p++;
	if (p >= end)
		return AHEAD_UNKNOWN;
	if (godot_is_digit(*p) || (*p == ']' && p == begin))
		return AHEAD_YES;
	while (p < end && (godot_is_word_start(*p) || godot_is_digit(*p)))
		p++;
	if (p == end)
		return AHEAD_UNKNOWN;
	word = godot_word_find((const char *)begin, (size_t)(p - begin));
	return word != NULL && word->type == GODOT_FLOAT ? AHEAD_YES : AHEAD_NO;
}

static bool is_scalar_array(const struct godot_word *word)
{
	return word != NULL && word->kind == GODOT_WORD_PACKED && word->count == 1;
}

static int plain_ahead(struct godot_text *text, struct anim_error *error)
{
	struct godot_lexer *lexer = &text->lexer;
	enum ahead ahead = AHEAD_UNKNOWN;
	size_t want;
	ssize_t got;

	got = godot_lexer_tag_ahead(lexer, error);
	if (got != 0)
		return got < 0 ? -1 : 0;
	for (want = LOOK_FIRST; ahead == AHEAD_UNKNOWN && want <= LOOK_MAX; want *= 2) {
		got = godot_lexer_more(lexer, want, error);
		if (got < 0)
			return -1;
		ahead = numbers_ahead(lexer->at + 1, lexer->end);
		if ((size_t)got < want)
			break;
	}
	return ahead == AHEAD_YES;
}

/*
 * Takes the bracket before the numbers, with the word before it. 1, 0 where there are none, -1. *close is the bracket
 * to come, *type the array's.
 */
static int enter(struct godot_text *text, char *close, enum godot_type *type, struct anim_error *error)
{
	struct godot_lexer *lexer = &text->lexer;
	const struct godot_word *word;
	const uint8_t *p;
	int c = godot_lexer_token(lexer, error), plain;

	if (c < 0 || godot_lexer_more(lexer, LOOK_FIRST, error) < 0)
		return -1;
	*close = c == '[' ? ']' : ')';
	*type = GODOT_ARRAY;
	if (c == '[') {
		plain = plain_ahead(text, error);
		lexer->at += plain > 0;
		return plain;
	}
	for (p = lexer->at; p < lexer->end && (godot_is_word_start(*p) || godot_is_digit(*p)); p++)
		;
	word = godot_word_find((const char *)lexer->at, (size_t)(p - lexer->at));
	if (!is_scalar_array(word))
		return 0;
	*type = word->type;
	lexer->at = p;
	return godot_lexer_expect(lexer, '(', "'('", error) == 0 ? 1 : -1;
}

/* One number at the cursor that the run reader left: at the window's end, or a word such as inf. */
static int one_number(struct godot_text *text, struct anim_buffer *floats, struct anim_error *error)
{
	struct godot_number number;
	const char *digits;
	size_t length;
	bool is_integer;
	float value;
	int c = godot_lexer_token(&text->lexer, error), next = c;

	if (c == '-')
		next = godot_lexer_after_minus(&text->lexer, error);
	if (c < 0 || next == GODOT_LEXER_ERROR)
		return -1;
	if (godot_is_digit(next)) {
		if (godot_lexer_number(&text->lexer, &digits, &length, &is_integer, error) != 0)
			return -1;
		anim_number_float_of_double(digits, digits + length, &value);
	} else {
		if (godot_number_read(text, "a number", &number, error) != 0)
			return -1;
		value = (float)number.real;
	}
	return anim_buffer_append(floats, &value, sizeof value, error);
}

int godot_number_run(struct godot_text *text, struct anim_buffer *floats, size_t *count, struct anim_error *error)
{
	struct godot_lexer *lexer = &text->lexer;
	const char *next = (const char *)lexer->at;

	if (anim_buffer_reserve(floats, RUN * sizeof(float), error) != 0)
		return -1;
	*count = anim_number_floats(next, (const char *)lexer->end, (float *)(void *)(floats->data + floats->size), RUN,
				    &next);
	floats->size += *count * sizeof(float);
	lexer->at = (const uint8_t *)next;
	return 0;
}

/* As many numbers as the window holds, at least one. 0 or -1. */
static int run(struct godot_text *text, struct anim_buffer *floats, struct anim_error *error)
{
	size_t count;

	if (godot_number_run(text, floats, &count, error) != 0)
		return -1;
	return count > 0 ? 0 : one_number(text, floats, error);
}

/*
 * The numbers up to the closing bracket, which is taken; there may be none. Only a plain array may have a ',' behind
 * its last. 0 or -1.
 */
static int numbers(struct godot_text *text, char close, struct anim_buffer *floats, struct anim_error *error)
{
	struct godot_lexer *lexer = &text->lexer;
	int c = godot_lexer_token(lexer, error);

	while (c != close) {
		if (c < 0 || run(text, floats, error) != 0)
			return -1;
		c = godot_lexer_token(lexer, error);
		if (c == close)
			break;
		if (godot_lexer_expect(lexer, ',', close == ']' ? "',' or ']'" : "',' or ')'", error) != 0)
			return -1;
		c = godot_lexer_token(lexer, error);
		if (c == close && close == ')')
			return godot_lexer_unexpected(lexer, "a number", error);
	}
	lexer->at++;
	return 0;
}

/* PackedByteArray("base64"). */
static int bytes(struct godot_text *text, struct anim_buffer *floats, struct anim_error *error)
{
	float value;

	if (godot_base64_read(text, error) != 0 || godot_lexer_expect(&text->lexer, ')', "')'", error) != 0)
		return -1;
	for (size_t i = 0; i < text->items.size; i++) {
		value = text->items.data[i];
		if (anim_buffer_append(floats, &value, sizeof value, error) != 0)
			return -1;
	}
	return 0;
}

int godot_text_floats(struct godot_text *text, struct anim_buffer *floats, struct anim_error *error)
{
	enum godot_type type;
	char close;
	int c, found;

	if (text->depth == ANIM_NESTING_GODOT)
		return godot_text_too_deep(text, error);
	found = enter(text, &close, &type, error);
	if (found <= 0)
		return found;
	text->pending = false;
	text->levels[text->depth++] = (struct godot_level){close, false, true};
	c = godot_lexer_token(&text->lexer, error);
	if (c < 0)
		return -1;
	if (c == '"' && type == GODOT_PACKED_BYTE)
		found = bytes(text, floats, error);
	else
		found = numbers(text, close, floats, error);
	if (found != 0)
		return -1;
	text->depth--;
	return 1;
}
