/* text.c: a Godot text file as a source of properties: tags, names, and values read element by element. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "format/godot/binary.h"
#include "format/godot/godot.h"
#include "format/godot/text.h"
#include "format/godot/text_internal.h"

/* ---- Skipping values, and reading dictionaries and arrays element by element ---- */

static int value_skip(struct godot_text *text)
{
	int c = godot_lexer_token(&text->lexer), next = c;

	if (c == '[' || c == '{') {
		if (godot_lexer_not_a_tag(&text->lexer) != 0)
			return -1;
		text->lexer.at++;
		return godot_lexer_skip_brackets(&text->lexer, 1, NULL);
	}
	if (c == '#') {
		do {
			text->lexer.at++;
			c = godot_lexer_byte(&text->lexer);
		} while (godot_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'));
		return c == GODOT_LEXER_ERROR ? -1 : 0;
	}
	if (c == '&' || c == '@') {
		text->lexer.at++;
		c = next = godot_lexer_byte(&text->lexer);
	}
	if (c == '"')
		return godot_lexer_skip_string(&text->lexer, NULL);
	if (c == '-')
		next = godot_lexer_after_minus(&text->lexer);
	if (c < 0 || next == GODOT_LEXER_ERROR)
		return -1;
	if (godot_is_digit(next)) {
		struct godot_number number;

		/* Skip a number or colour without checking its content. */
		return godot_number_digits(text, &number);
	}
	if (godot_is_word_start(next)) {
		const struct godot_word *word;
		struct anim_place place;
		const char *name;
		size_t length;

		/* Skip a word, and the brackets after it, if any. */
		godot_lexer_place(&text->lexer, &place);
		if (godot_lexer_word(&text->lexer, &name, &length) != 0)
			return -1;
		word = godot_word_find(name, length);
		text->text.size = 0;
		if (word == NULL && anim_buffer_append(&text->text, name, length, text->lexer.error) != 0)
			return -1;
		if (godot_word_is_constant(word))
			return 0;
		if (word != NULL && (word->type == GODOT_ARRAY || word->type == GODOT_DICTIONARY)) {
			if (godot_typed_begin(text, NULL, NULL) != 0)
				return -1;
			return godot_lexer_skip_brackets(&text->lexer, 1, NULL);
		}
		c = godot_lexer_token(&text->lexer);
		if (c != '(' && word == NULL)
			return c < 0 ? -1
				     : godot_word_unknown((const char *)text->text.data, length, &place,
							  text->lexer.error);
		if (godot_lexer_expect(&text->lexer, '(', "'('") != 0)
			return -1;
		return godot_lexer_skip_brackets(&text->lexer, 1, NULL);
	}
	return godot_lexer_unexpected(&text->lexer, "a value");
}

int godot_text_skip(struct godot_text *text)
{
	if (text->binary != NULL)
		return godot_binary_skip(text->binary);
	text->pending = false;
	return value_skip(text);
}

int godot_text_value(struct godot_text *text, struct anim_arena *arena, struct godot_value *value)
{
	if (text->binary != NULL)
		return godot_binary_value(text->binary, arena, value);
	text->pending = false;
	return godot_value_read(text, arena, value, text->depth);
}

/* Return 1 if the word `name` is at the cursor, which does not move, 0 if not, or -1. */
static int word_ahead(struct godot_text *text, const char *name)
{
	size_t length = strlen(name);
	ssize_t got = godot_lexer_more(&text->lexer, length + 1);
	const uint8_t *at = text->lexer.at;

	if (got < 0)
		return -1;
	if ((size_t)got < length || memcmp(at, name, length) != 0)
		return 0;
	return (size_t)got == length || !(godot_is_word_start(at[length]) || godot_is_digit(at[length]));
}

static uint64_t offset_of(const struct godot_text *text)
{
	return text->lexer.offset + (uint64_t)(text->lexer.at - text->lexer.window);
}

/*
 * Begin to read a container with this bracket, which may be typed by `word` before it. Returns 1, 0 if the value is
 * something else, or -1.
 */
static int enter(struct godot_text *text, char open, char close, const char *word)
{
	int c = godot_lexer_token(&text->lexer), typed = 0;

	if (c != open && c >= 0)
		typed = word_ahead(text, word);
	if (c < 0 || typed < 0)
		return -1;
	if (c != open && typed == 0)
		return 0;
	if (text->depth == ANIM_NESTING_GODOT)
		return godot_lexer_too_deep(&text->lexer);
	if (typed == 0 && open == '[' && godot_lexer_not_a_tag(&text->lexer) != 0)
		return -1;
	text->pending = false;
	if (typed > 0) {
		text->lexer.at += strlen(word);
		if (godot_typed_begin(text, NULL, NULL) != 0)
			return -1;
	}
	if (godot_lexer_expect(&text->lexer, open, open == '[' ? "'['" : "'{'") != 0)
		return -1;
	text->levels[text->depth++] = (struct godot_level){close, typed > 0, false};
	return 1;
}

/* Move to the next element. Returns 1 with the cursor at it, 0 after the end of the container, or -1. */
static int next(struct godot_text *text, char close)
{
	struct godot_level *level;
	int c;

	assert(text->depth > 0 && text->levels[text->depth - 1].close == close);
	level = &text->levels[text->depth - 1];
	if (text->pending && godot_text_skip(text) != 0)
		return -1;
	text->end = offset_of(text);
	text->comma = 0;
	c = godot_lexer_token(&text->lexer);
	if (level->begun && c != close && c >= 0) {
		text->comma = offset_of(text);
		if (godot_lexer_expect(&text->lexer, ',', close == ']' ? "',' or ']'" : "',' or '}'") != 0)
			return -1;
		c = godot_lexer_token(&text->lexer);
	}
	if (c < 0)
		return -1;
	level->begun = true;
	if (c != close)
		return 1;
	text->lexer.at++;
	text->depth--;
	return level->typed ? godot_lexer_expect(&text->lexer, ')', "')' after a typed container") : 0;
}

int godot_text_dictionary(struct godot_text *text)
{
	if (text->binary != NULL)
		return godot_binary_enter(text->binary, GODOT_DICTIONARY);
	return enter(text, '{', '}', "Dictionary");
}

int godot_text_dictionary_next(struct godot_text *text, struct anim_arena *arena, struct godot_value *key)
{
	int found;

	if (text->binary != NULL)
		return godot_binary_next(text->binary, arena, key);
	found = next(text, '}');
	if (found <= 0)
		return found;
	if (godot_value_read(text, arena, key, text->depth) != 0 ||
	    godot_lexer_expect(&text->lexer, ':', "':' after a key") != 0)
		return -1;
	text->pending = true;
	return 1;
}

int godot_text_array(struct godot_text *text)
{
	if (text->binary != NULL)
		return godot_binary_enter(text->binary, GODOT_ARRAY);
	return enter(text, '[', ']', "Array");
}

int godot_text_array_next(struct godot_text *text)
{
	int found;

	if (text->binary != NULL)
		return godot_binary_next(text->binary, NULL, NULL);
	found = next(text, ']');
	text->pending = found > 0;
	return found;
}

/* ---- Tags and properties ---- */

/* Make sure that these buffers are not NULL, because an empty string needs a pointer. */
static int reserve_some(struct godot_text *text)
{
	if (anim_buffer_reserve(&text->name, 1, text->lexer.error) != 0 ||
	    anim_buffer_reserve(&text->text, 1, text->lexer.error) != 0)
		return -1;
	return anim_buffer_reserve(&text->items, 1, text->lexer.error);
}

/* Return whether the input is a binary file. The lexer finds and reports read errors later. */
static bool is_binary(struct anim_input *input)
{
	const uint8_t *bytes;
	ssize_t got = anim_input_peek(input, 4, &bytes, NULL);

	return got > 0 && anim_godot_is_binary(bytes, (size_t)got);
}

int godot_text_new(struct godot_text **text, struct anim_input *input, struct anim_error *error)
{
	*text = anim_zeroed(sizeof **text, error);
	if (*text == NULL)
		return -1;
	godot_lexer_init(&(*text)->lexer, input, error);
	if (reserve_some(*text) == 0 &&
	    (!is_binary(input) || godot_binary_new(&(*text)->binary, input, &(*text)->lexer, error) == 0))
		return 0;
	godot_text_free(*text);
	*text = NULL;
	return -1;
}

void godot_text_free(struct godot_text *text)
{
	if (text == NULL)
		return;
	godot_binary_free(text->binary);
	anim_buffer_clear(&text->lexer.scratch);
	anim_buffer_clear(&text->lexer.repaired);
	anim_buffer_clear(&text->name);
	anim_buffer_clear(&text->attributes);
	anim_arena_clear(&text->tag_arena);
	anim_buffer_clear(&text->text);
	anim_buffer_clear(&text->values);
	anim_buffer_clear(&text->items);
	free(text);
}

bool godot_text_is_binary(const struct godot_text *text)
{
	return text->binary != NULL;
}

void godot_text_place(struct godot_text *text, struct anim_place *place)
{
	if (text->binary != NULL) {
		godot_binary_place(text->binary, place);
		return;
	}
	godot_lexer_place(&text->lexer, place);
}

struct godot_marks godot_text_marks(const struct godot_text *text)
{
	return (struct godot_marks){offset_of(text), text->begin, text->end, text->comma};
}

const struct godot_oddities *godot_text_oddities(const struct godot_text *text)
{
	return &text->lexer.oddities;
}

/* Skip everything that the caller did not read: the rest of a value, and of the containers around it. */
static int leave_value(struct godot_text *text)
{
	size_t brackets = 0;

	if (text->pending && value_skip(text) != 0)
		return -1;
	text->pending = false;
	while (text->depth > 0)
		brackets += 1u + text->levels[--text->depth].typed;
	text->values.size = 0;
	if (godot_lexer_skip_brackets(&text->lexer, brackets, NULL) != 0)
		return -1;
	if (!text->ended)
		text->end = offset_of(text);
	return 0;
}

/* Append the plain bytes of a name at the cursor. `begin` is the place of the name. */
static int name_bytes(struct godot_text *text, const struct anim_place *begin)
{
	struct godot_lexer *lexer = &text->lexer;
	const uint8_t *p = lexer->at;

	while (p<lexer->end && * p> ' ' && *p != '=' && *p != '"' && *p != ';')
		p++;
	if (text->name.size + (size_t)(p - lexer->at) > ANIM_NAME_MAX)
		return anim_fail_at(text->lexer.error, ANIM_BAD_INPUT, begin,
				    "the name of a property is longer than %u bytes", ANIM_NAME_MAX);
	if (anim_buffer_append(&text->name, lexer->at, (size_t)(p - lexer->at), text->lexer.error) != 0)
		return -1;
	lexer->at = p;
	return 0;
}

/*
 * Consume a piece of a name. All bytes except blanks belong to it, up to the '='. A quoted string replaces the earlier
 * pieces. `c` is the byte at the cursor, `begin` the place of the name. Returns 0 or -1.
 */
static int name_piece(struct godot_text *text, int c, const struct anim_place *begin)
{
	if (c <= ' ') {
		text->lexer.at++;
		return 0;
	}
	if (c == ';')
		return godot_lexer_skip_comment(&text->lexer);
	if (c != '"')
		return name_bytes(text, begin);
	text->name.size = 0;
	return godot_lexer_string(&text->lexer, &text->name, ANIM_NAME_MAX);
}

/*
 * Read the name up to its '='. `place` becomes the place of its first byte. Returns 1, 0 at the end of the section, or
 * -1.
 */
static int read_name(struct godot_text *text, struct anim_place *place)
{
	bool begun = false;
	int c;

	text->name.size = 0;
	while ((c = godot_lexer_byte(&text->lexer)) != '=') {
		if (c == GODOT_LEXER_ERROR)
			return -1;
		if (c == GODOT_LEXER_END && begun)
			godot_note(&text->lexer.oddities.cut, place);
		if (c == GODOT_LEXER_END || (c == '[' && text->name.size == 0))
			return 0;
		if (!begun && c > ' ' && c != ';') {
			begun = true;
			text->begin = offset_of(text);
			godot_lexer_place(&text->lexer, place);
		}
		if (name_piece(text, c, place) != 0)
			return -1;
	}
	if (text->name.size == 0)
		return godot_lexer_fail(&text->lexer, "expected the name of a property, found '='");
	return 1;
}

int godot_text_property(struct godot_text *text, const char **name, struct anim_place *place)
{
	struct anim_place begin;
	int found;

	if (text->binary != NULL)
		return godot_binary_property(text->binary, name, place);
	if (leave_value(text) != 0)
		return -1;
	found = read_name(text, &begin);
	text->ended = found == 0;
	if (found <= 0)
		return found;
	text->lexer.at++;
	if (godot_lexer_repair(&text->lexer, &text->name, 0, &begin) != 0 ||
	    anim_buffer_append(&text->name, "", 1, text->lexer.error) != 0)
		return -1;
	*name = (const char *)text->name.data;
	if (place != NULL)
		*place = begin;
	text->pending = true;
	return 1;
}

/*
 * Move to the '[' of the next tag. Only a byte order mark, blanks and comments may precede the first. Returns 1, 0 at
 * the end, or -1.
 */
static int find_tag(struct godot_text *text)
{
	struct godot_lexer *lexer = &text->lexer;
	const char *name;
	int c, found;

	if (!text->started) {
		ssize_t got = godot_lexer_more(lexer, 3);

		if (got < 0)
			return -1;
		if (got >= 3 && memcmp(lexer->at, "\xef\xbb\xbf", 3) == 0)
			lexer->at += 3;
		text->started = true;
		c = godot_lexer_token(lexer);
		if (c <= 0)
			return c;
		return c == '[' ? 1 : godot_lexer_unexpected(lexer, "'[' and a tag's name");
	}
	do
		found = godot_text_property(text, &name, NULL);
	while (found > 0);
	if (found < 0)
		return -1;
	c = godot_lexer_byte(lexer);
	return c == GODOT_LEXER_ERROR ? -1 : c == '[';
}

/* Read a word of the tag at the cursor. It is valid until the next call. */
static int tag_word(struct godot_text *text, const char *wanted, const char **word, size_t *length)
{
	int c = godot_lexer_token(&text->lexer);

	if (c < 0)
		return -1;
	if (!godot_is_word_start(c))
		return godot_lexer_unexpected(&text->lexer, wanted);
	return godot_lexer_word(&text->lexer, word, length);
}

/* Read "name", or "name.of.parts" as in project files. */
static int tag_name(struct godot_text *text, struct godot_tag *tag)
{
	const char *word;
	size_t length, used = 0;
	int c;

	for (;;) {
		if (tag_word(text, "a tag's name", &word, &length) != 0)
			return -1;
		if (length >= sizeof tag->name - 1 - used)
			return anim_fail_at(text->lexer.error, ANIM_BAD_INPUT, &tag->place, "unknown tag '%s%.*s'",
					    tag->name, (int)(length < 64 ? length : 64), word);
		memcpy(tag->name + used, word, length);
		used += length;
		c = godot_lexer_token(&text->lexer);
		if (c < 0)
			return -1;
		if (c != '.' && c != ':')
			return 0;
		text->lexer.at++;
		tag->name[used++] = (char)c;
	}
}

int godot_text_tag(struct godot_text *text, struct godot_tag *tag)
{
	struct godot_lexer *lexer = &text->lexer;
	struct anim_error *error = lexer->error;
	int c, found;

	if (text->binary != NULL)
		return godot_binary_tag(text->binary, tag);
	found = find_tag(text);
	if (found <= 0)
		return found;
	memset(tag, 0, sizeof *tag);
	text->attributes.size = 0;
	anim_arena_reset(&text->tag_arena);
	godot_lexer_place(lexer, &tag->place);
	lexer->at++;
	if (tag_name(text, tag) != 0)
		return -1;
	while ((c = godot_lexer_token(lexer)) != ']') {
		struct godot_attribute attribute;
		const char *word;
		size_t length;

		if (c < 0 || tag_word(text, "']' or an attribute", &word, &length) != 0)
			return -1;
		if (text->attributes.size >= ANIM_ATTRS_MAX * sizeof attribute)
			return godot_lexer_fail(lexer, "the tag has more than %u attributes", ANIM_ATTRS_MAX);
		attribute.key = anim_arena_text(&text->tag_arena, word, length, error);
		if (attribute.key == NULL ||
		    godot_lexer_expect(lexer, '=', "'=' after the name of an attribute") != 0 ||
		    godot_value_read(text, &text->tag_arena, &attribute.value, 1) != 0 ||
		    anim_buffer_append(&text->attributes, &attribute, sizeof attribute, error) != 0)
			return -1;
	}
	lexer->at++;
	text->ended = false;
	tag->attributes = (const struct godot_attribute *)text->attributes.data;
	tag->count = text->attributes.size / sizeof(struct godot_attribute);
	return 1;
}

const struct godot_value *godot_tag_get(const struct godot_tag *tag, const char *key)
{
	for (size_t i = tag->count; i > 0; i--)
		if (strcmp(tag->attributes[i - 1].key, key) == 0)
			return &tag->attributes[i - 1].value;
	return NULL;
}

bool godot_text_can_continue(const struct godot_text *text, const struct anim_error *error)
{
	if (error->code == ANIM_NO_MEMORY || error->code == ANIM_SYSTEM)
		return false;
	return text->binary != NULL ? godot_binary_can_continue(text->binary) : error->at == ANIM_AT_LINE;
}

int godot_text_recover(struct godot_text *text)
{
	struct godot_lexer *lexer = &text->lexer;
	const uint8_t *newline;
	int found;

	if (text->binary != NULL)
		return godot_binary_recover(text->binary);
	text->started = true;
	text->pending = false;
	text->depth = 0;
	text->values.size = 0;
	for (;;) {
		found = godot_lexer_tag_ahead(lexer);
		if (found != 0)
			return found;
		newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
		lexer->at = newline != NULL ? newline + 1 : lexer->end;
		found = godot_lexer_byte(lexer);
		if (found < 0)
			return found == GODOT_LEXER_END ? 0 : -1;
	}
}
