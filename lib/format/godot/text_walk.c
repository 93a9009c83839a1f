/* text_walk.c: values taken piece by piece: skipped, or dictionaries and arrays element by element. */
#include <assert.h>
#include <string.h>

#include "format/godot/text_internal.h"

/* A word by itself, or with the brackets that belong to it. */
static int skip_word(struct godot_text *text, struct anim_error *error)
{
	const struct godot_word *word;
	struct anim_place place;
	const char *name;
	size_t length;
	int c;

	godot_lexer_place(&text->lexer, &place);
	if (godot_lexer_word(&text->lexer, &name, &length, error) != 0)
		return -1;
	word = godot_word_find(name, length);
	text->text.size = 0;
	if (word == NULL && anim_buffer_append(&text->text, name, length, error) != 0)
		return -1;
	if (godot_word_is_constant(word))
		return 0;
	if (word != NULL && (word->kind == GODOT_WORD_ARRAY || word->kind == GODOT_WORD_DICTIONARY)) {
		if (godot_typed_begin(text, NULL, NULL, error) != 0)
			return -1;
		return godot_lexer_skip_brackets(&text->lexer, 1, NULL, error);
	}
	c = godot_lexer_token(&text->lexer, error);
	if (c != '(' && word == NULL)
		return c < 0 ? -1 : godot_word_unknown((const char *)text->text.data, length, &place, error);
	if (godot_lexer_expect(&text->lexer, '(', "'('", error) != 0)
		return -1;
	return godot_lexer_skip_brackets(&text->lexer, 1, NULL, error);
}

/* A tag where a value should be: its bracket is left for the recovery. */
static int not_a_tag(struct godot_text *text, struct anim_error *error)
{
	int tag = godot_lexer_tag_ahead(&text->lexer, error);

	return tag > 0 ? godot_lexer_fail(&text->lexer, error, "expected a value, found a tag") : tag;
}

static int skip_container(struct godot_text *text, struct anim_error *error)
{
	if (not_a_tag(text, error) != 0)
		return -1;
	text->lexer.at++;
	return godot_lexer_skip_brackets(&text->lexer, 1, NULL, error);
}

/* A number or colour: nothing of it is worth a look. */
static int skip_number(struct godot_text *text, struct anim_error *error)
{
	struct godot_number number;

	return godot_number_digits(text, &number, error);
}

static int skip_color(struct godot_text *text, struct anim_error *error)
{
	int c;

	do {
		text->lexer.at++;
		c = godot_lexer_byte(&text->lexer, error);
	} while (godot_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'));
	return c == GODOT_LEXER_ERROR ? -1 : 0;
}

int godot_value_skip(struct godot_text *text, struct anim_error *error)
{
	int c = godot_lexer_token(&text->lexer, error), next = c;

	if (c == '[' || c == '{')
		return skip_container(text, error);
	if (c == '#')
		return skip_color(text, error);
	if (c == '&' || c == '@') {
		text->lexer.at++;
		c = next = godot_lexer_byte(&text->lexer, error);
	}
	if (c == '"')
		return godot_lexer_skip_string(&text->lexer, NULL, error);
	if (c == '-')
		next = godot_lexer_after_minus(&text->lexer, error);
	if (c < 0 || next == GODOT_LEXER_ERROR)
		return -1;
	if (godot_is_digit(next))
		return skip_number(text, error);
	if (godot_is_word_start(next))
		return skip_word(text, error);
	return godot_lexer_unexpected(&text->lexer, "a value", error);
}

int godot_text_skip(struct godot_text *text, struct anim_error *error)
{
	text->pending = false;
	return godot_value_skip(text, error);
}

int godot_text_value(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		     struct anim_error *error)
{
	text->pending = false;
	return godot_value_read(text, arena, value, text->depth, error);
}

/* 1 where the word `name` is at the cursor, which is left there; 0, -1. */
static int word_ahead(struct godot_text *text, const char *name, struct anim_error *error)
{
	size_t length = strlen(name);
	ssize_t got = godot_lexer_more(&text->lexer, length + 1, error);
	const uint8_t *at = text->lexer.at;

	if (got < 0)
		return -1;
	if ((size_t)got < length || memcmp(at, name, length) != 0)
		return 0;
	return (size_t)got == length || !(godot_is_word_start(at[length]) || godot_is_digit(at[length]));
}

int godot_text_too_deep(struct godot_text *text, struct anim_error *error)
{
	struct anim_place place;

	godot_lexer_place(&text->lexer, &place);
	return anim_fail_at(error, ANIM_TOO_LARGE, &place, "more than %d brackets are open", ANIM_NESTING_GODOT);
}

/* Begins to walk a container of this bracket, which may be typed by `word` before it. 1 begun, 0 it is none, -1. */
static int enter(struct godot_text *text, char open, char close, const char *word, struct anim_error *error)
{
	int c = godot_lexer_token(&text->lexer, error), typed = 0;

	if (c != open && c >= 0)
		typed = word_ahead(text, word, error);
	if (c < 0 || typed < 0)
		return -1;
	if (c != open && typed == 0)
		return 0;
	if (text->depth == ANIM_NESTING_GODOT)
		return godot_text_too_deep(text, error);
	if (typed == 0 && open == '[' && not_a_tag(text, error) != 0)
		return -1;
	text->pending = false;
	if (typed > 0) {
		text->lexer.at += strlen(word);
		if (godot_typed_begin(text, NULL, NULL, error) != 0)
			return -1;
	}
	if (godot_lexer_expect(&text->lexer, open, open == '[' ? "'['" : "'{'", error) != 0)
		return -1;
	text->levels[text->depth++] = (struct godot_level){close, typed > 0, false};
	return 1;
}

/* To the next element: 1 the cursor is at it, 0 the container was left, -1. */
static int next(struct godot_text *text, char close, struct anim_error *error)
{
	struct godot_level *level;
	int c;

	assert(text->depth > 0 && text->levels[text->depth - 1].close == close);
	level = &text->levels[text->depth - 1];
	if (text->pending && godot_text_skip(text, error) != 0)
		return -1;
	c = godot_lexer_token(&text->lexer, error);
	if (level->begun && c != close && c >= 0) {
		if (godot_lexer_expect(&text->lexer, ',', close == ']' ? "',' or ']'" : "',' or '}'", error) != 0)
			return -1;
		c = godot_lexer_token(&text->lexer, error);
	}
	if (c < 0)
		return -1;
	level->begun = true;
	if (c != close)
		return 1;
	text->lexer.at++;
	text->depth--;
	return level->typed ? godot_lexer_expect(&text->lexer, ')', "')' behind a typed container", error) : 0;
}

int godot_text_dictionary(struct godot_text *text, struct anim_error *error)
{
	return enter(text, '{', '}', "Dictionary", error);
}

int godot_text_dictionary_next(struct godot_text *text, struct anim_arena *arena, struct godot_value *key,
			       struct anim_error *error)
{
	int found = next(text, '}', error);

	if (found <= 0)
		return found;
	if (godot_value_read(text, arena, key, text->depth, error) != 0 ||
	    godot_lexer_expect(&text->lexer, ':', "':' behind a key", error) != 0)
		return -1;
	text->pending = true;
	return 1;
}

int godot_text_array(struct godot_text *text, struct anim_error *error)
{
	return enter(text, '[', ']', "Array", error);
}

int godot_text_array_next(struct godot_text *text, struct anim_error *error)
{
	int found = next(text, ']', error);

	text->pending = found > 0;
	return found;
}
