/* text.c: tags and properties of Godot's text files. */
#include "format/godot/text.h"

#include <stdlib.h>
#include <string.h>

#include "format/godot/text_internal.h"

/* An empty string is some bytes too: these buffers are never NULL. */
static int reserve_some(struct godot_text *text, struct anim_error *error)
{
	if (anim_buffer_reserve(&text->name, 1, error) != 0 || anim_buffer_reserve(&text->text, 1, error) != 0)
		return -1;
	return anim_buffer_reserve(&text->items, 1, error);
}

int godot_text_new(struct godot_text **text, struct anim_input *input, struct anim_error *error)
{
	*text = calloc(1, sizeof **text);
	if (*text == NULL)
		return anim_fail_memory(error);
	godot_lexer_init(&(*text)->lexer, input);
	if (reserve_some(*text, error) == 0)
		return 0;
	godot_text_free(*text);
	*text = NULL;
	return -1;
}

void godot_text_free(struct godot_text *text)
{
	if (text == NULL)
		return;
	godot_lexer_clear(&text->lexer);
	anim_buffer_clear(&text->name);
	anim_buffer_clear(&text->attributes);
	anim_arena_clear(&text->tag_arena);
	anim_buffer_clear(&text->text);
	anim_buffer_clear(&text->values);
	anim_buffer_clear(&text->items);
	free(text);
}

void godot_text_place(const struct godot_text *text, struct anim_place *place)
{
	godot_lexer_place_of(&text->lexer, place);
}

static size_t noted(const struct godot_note *note, struct anim_place *place)
{
	if (place != NULL && note->count > 0)
		*place = note->first;
	return note->count;
}

size_t godot_text_bad_utf8(const struct godot_text *text, struct anim_place *place)
{
	return noted(&text->lexer.bad_utf8, place);
}

size_t godot_text_bad_colors(const struct godot_text *text, struct anim_place *place)
{
	return noted(&text->bad_colors, place);
}

bool godot_text_cut(const struct godot_text *text, struct anim_place *place)
{
	return noted(&text->cut, place) > 0;
}

/* Leaves whatever the caller did not read to its end: a value, and the containers that were being walked. */
static int leave_value(struct godot_text *text, struct anim_error *error)
{
	size_t brackets = 0;

	if (text->pending && godot_value_skip(text, error) != 0)
		return -1;
	text->pending = false;
	while (text->depth > 0)
		brackets += 1u + text->levels[--text->depth].typed;
	text->values.size = 0;
	return godot_lexer_skip_brackets(&text->lexer, brackets, NULL, error);
}

/* Appends the plain bytes of a name at the cursor; `begin` is where the name began. */
static int name_bytes(struct godot_text *text, const struct anim_place *begin, struct anim_error *error)
{
	struct godot_lexer *lexer = &text->lexer;
	const uint8_t *p = lexer->at;

	while (p<lexer->end && * p> ' ' && *p != '=' && *p != '"' && *p != ';')
		p++;
	if (text->name.size + (size_t)(p - lexer->at) > ANIM_NAME_MAX)
		return anim_fail_at(error, ANIM_BAD_INPUT, begin, "a property's name is longer than %u bytes",
				    ANIM_NAME_MAX);
	if (anim_buffer_append(&text->name, lexer->at, (size_t)(p - lexer->at), error) != 0)
		return -1;
	lexer->at = p;
	return 0;
}

/*
 * Takes a piece of a name: all that is not blank counts, up to the '='; a quoted string replaces what was before it.
 * `c` is the byte at the cursor, `begin` where the name began. 0 or -1.
 */
static int name_piece(struct godot_text *text, int c, const struct anim_place *begin, struct anim_error *error)
{
	if (c <= ' ') {
		text->lexer.at++;
		return 0;
	}
	if (c == ';')
		return godot_lexer_skip_comment(&text->lexer, error);
	if (c != '"')
		return name_bytes(text, begin, error);
	text->name.size = 0;
	return godot_lexer_string(&text->lexer, &text->name, ANIM_NAME_MAX, error);
}

/* The name behind the cursor up to its '='. 1; 0 where the section ends; -1. `place` is of its first byte. */
static int read_name(struct godot_text *text, struct anim_place *place, struct anim_error *error)
{
	bool begun = false;
	int c;

	text->name.size = 0;
	while ((c = godot_lexer_byte(&text->lexer, error)) != '=') {
		if (c == GODOT_LEXER_ERROR)
			return -1;
		if (c == GODOT_LEXER_END && begun)
			godot_note(&text->cut, place);
		if (c == GODOT_LEXER_END || (c == '[' && text->name.size == 0))
			return 0;
		if (!begun && c > ' ' && c != ';') {
			begun = true;
			godot_lexer_place(&text->lexer, place);
		}
		if (name_piece(text, c, place, error) != 0)
			return -1;
	}
	if (text->name.size == 0)
		return godot_lexer_fail(&text->lexer, error, "expected a property's name, found '='");
	return 1;
}

int godot_text_property(struct godot_text *text, const char **name, struct anim_place *place, struct anim_error *error)
{
	struct anim_place begin;
	int found;

	if (leave_value(text, error) != 0)
		return -1;
	found = read_name(text, &begin, error);
	if (found <= 0)
		return found;
	text->lexer.at++;
	if (godot_lexer_repair(&text->lexer, &text->name, 0, &begin, error) != 0 ||
	    anim_buffer_append(&text->name, "", 1, error) != 0)
		return -1;
	*name = (const char *)text->name.data;
	if (place != NULL)
		*place = begin;
	text->pending = true;
	return 1;
}

/* Before the first tag there may be a byte order mark, blanks and comments, but nothing else. 1, 0 at the end, -1. */
static int first_tag(struct godot_text *text, struct anim_error *error)
{
	ssize_t got = godot_lexer_more(&text->lexer, 3, error);
	int c;

	if (got < 0)
		return -1;
	if (got >= 3 && memcmp(text->lexer.at, "\xef\xbb\xbf", 3) == 0)
		text->lexer.at += 3;
	text->started = true;
	c = godot_lexer_token(&text->lexer, error);
	if (c <= 0)
		return c;
	return c == '[' ? 1 : godot_lexer_unexpected(&text->lexer, "'[' and a tag's name", error);
}

/* To the '[' of the next tag. 1, 0 at the end, -1. */
static int find_tag(struct godot_text *text, struct anim_error *error)
{
	const char *name;
	int c, found;

	if (!text->started)
		return first_tag(text, error);
	do
		found = godot_text_property(text, &name, NULL, error);
	while (found > 0);
	if (found < 0)
		return -1;
	c = godot_lexer_byte(&text->lexer, error);
	return c == GODOT_LEXER_ERROR ? -1 : c == '[';
}

/* A word of the tag at the cursor; borrowed until the next call. */
static int tag_word(struct godot_text *text, const char *wanted, const char **word, size_t *length,
		    struct anim_error *error)
{
	int c = godot_lexer_token(&text->lexer, error);

	if (c < 0)
		return -1;
	if (!godot_is_word_start(c))
		return godot_lexer_unexpected(&text->lexer, wanted, error);
	return godot_lexer_word(&text->lexer, word, length, error);
}

/* "name", or "name.of.parts" as project files have them. */
static int tag_name(struct godot_text *text, struct godot_tag *tag, struct anim_error *error)
{
	const char *word;
	size_t length, used = 0;
	int c;

	for (;;) {
		if (tag_word(text, "a tag's name", &word, &length, error) != 0)
			return -1;
		if (length >= sizeof tag->name - 1 - used)
			return anim_fail_at(error, ANIM_BAD_INPUT, &tag->place, "unknown tag '%s%.*s'", tag->name,
					    (int)(length < 64 ? length : 64), word);
		memcpy(tag->name + used, word, length);
		used += length;
		c = godot_lexer_token(&text->lexer, error);
		if (c < 0)
			return -1;
		if (c != '.' && c != ':')
			return 0;
		text->lexer.at++;
		tag->name[used++] = (char)c;
	}
}

static int attribute(struct godot_text *text, struct anim_error *error)
{
	struct godot_attribute attribute;
	const char *word;
	size_t length;

	if (tag_word(text, "']' or an attribute", &word, &length, error) != 0)
		return -1;
	if (text->attributes.size >= ANIM_ATTRS_MAX * sizeof attribute)
		return godot_lexer_fail(&text->lexer, error, "the tag has more than %u attributes", ANIM_ATTRS_MAX);
	attribute.key = anim_arena_text(&text->tag_arena, word, length, error);
	if (attribute.key == NULL ||
	    godot_lexer_expect(&text->lexer, '=', "'=' behind an attribute's name", error) != 0 ||
	    godot_value_read(text, &text->tag_arena, &attribute.value, 1, error) != 0)
		return -1;
	return anim_buffer_append(&text->attributes, &attribute, sizeof attribute, error);
}

int godot_text_tag(struct godot_text *text, struct godot_tag *tag, struct anim_error *error)
{
	int c, found = find_tag(text, error);

	if (found <= 0)
		return found;
	memset(tag, 0, sizeof *tag);
	text->attributes.size = 0;
	anim_arena_reset(&text->tag_arena);
	godot_lexer_place(&text->lexer, &tag->place);
	text->lexer.at++;
	if (tag_name(text, tag, error) != 0)
		return -1;
	while ((c = godot_lexer_token(&text->lexer, error)) != ']')
		if (c < 0 || attribute(text, error) != 0)
			return -1;
	text->lexer.at++;
	tag->attributes = (const struct godot_attribute *)text->attributes.data;
	tag->count = text->attributes.size / sizeof(struct godot_attribute);
	return 1;
}

int godot_text_recover(struct godot_text *text, struct anim_error *error)
{
	struct godot_lexer *lexer = &text->lexer;
	const uint8_t *newline;
	int found;

	text->started = true;
	text->pending = false;
	text->depth = 0;
	text->values.size = 0;
	for (;;) {
		found = godot_lexer_tag_ahead(lexer, error);
		if (found != 0)
			return found;
		newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
		lexer->at = newline != NULL ? newline + 1 : lexer->end;
		found = godot_lexer_byte(lexer, error);
		if (found < 0)
			return found == GODOT_LEXER_END ? 0 : -1;
	}
}
