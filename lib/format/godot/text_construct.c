/* text_construct.c: values that are words with parentheses: vectors, packed arrays, paths, resources. */
#include <string.h>

#include "base/number.h"
#include "format/godot/text_internal.h"

/* Takes "," (1) or ")" (0); else fails. */
static int comma_or_end(struct godot_text *text, const char *wanted, struct anim_error *error)
{
	int c = godot_lexer_token(&text->lexer, error);

	if (c < 0)
		return -1;
	if (c != ',' && c != ')')
		return godot_lexer_unexpected(&text->lexer, wanted, error);
	text->lexer.at++;
	return c == ',';
}

/* Behind "(": 1 where something else than ")" follows, 0 where that was taken, -1. */
static int has_items(struct godot_text *text, struct anim_error *error)
{
	int c = godot_lexer_token(&text->lexer, error);

	if (c != ')')
		return c < 0 ? -1 : 1;
	text->lexer.at++;
	return 0;
}

static int numbers(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		   const struct godot_word *word, struct anim_error *error)
{
	struct godot_number number;
	size_t count = 0;
	int more = has_items(text, error);

	value->numbers = anim_arena_alloc(arena, word->count * sizeof *value->numbers, error);
	if (value->numbers == NULL)
		return -1;
	for (; more > 0; count++) {
		if (godot_number_read(text, "a number", &number, error) != 0)
			return -1;
		if (count < word->count)
			value->numbers[count] =
			    word->kind == GODOT_WORD_INTEGERS ? (double)(int32_t)(uint32_t)number.integer : number.real;
		more = comma_or_end(text, "',' or ')'", error);
	}
	if (more < 0)
		return -1;
	if (count != word->count)
		return anim_fail_at(error, ANIM_BAD_INPUT, &value->place, "%s takes %d numbers, found %zu", word->name,
				    word->count, count);
	value->count = count;
	return 0;
}

/* Appends one element of a packed array in the width that its kind has. */
static int push_item(struct godot_text *text, enum godot_type type, const struct godot_number *number,
		     struct anim_error *error)
{
	uint8_t byte = (uint8_t)number->integer;
	int64_t integer = number->integer;

	switch (type) {
	case GODOT_PACKED_BYTE:
		return anim_buffer_append(&text->items, &byte, sizeof byte, error);
	case GODOT_PACKED_INT32:
		integer = (int32_t)(uint32_t)integer;
		return anim_buffer_append(&text->items, &integer, sizeof integer, error);
	case GODOT_PACKED_INT64:
		return anim_buffer_append(&text->items, &integer, sizeof integer, error);
	default:
		return anim_buffer_append(&text->items, &number->real, sizeof number->real, error);
	}
}

static int packed_items(struct godot_text *text, enum godot_type type, struct anim_error *error)
{
	struct godot_number number;
	int more = has_items(text, error);

	while (more > 0) {
		if (godot_number_read(text, "a number", &number, error) != 0 ||
		    push_item(text, type, &number, error) != 0)
			return -1;
		more = comma_or_end(text, "',' or ')'", error);
	}
	return more;
}

/* Moves text->items into the arena; vectors that are not whole are dropped, as the engine does. */
static int keep_items(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, size_t width,
		      size_t lanes, struct anim_error *error)
{
	size_t count = text->items.size / width;

	value->count = count - count % lanes;
	if (value->count == 0)
		return 0;
	value->items = anim_arena_alloc(arena, value->count * width, error);
	if (value->items == NULL)
		return -1;
	memcpy(value->items, text->items.data, value->count * width);
	return 0;
}

static int packed(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		  const struct godot_word *word, struct anim_error *error)
{
	size_t width = word->type == GODOT_PACKED_BYTE ? 1 : 8;
	int c = godot_lexer_token(&text->lexer, error);

	text->items.size = 0;
	if (c < 0)
		return -1;
	if (c == '"' && word->type == GODOT_PACKED_BYTE) {
		if (godot_base64_read(text, error) != 0 || godot_lexer_expect(&text->lexer, ')', "')'", error) != 0)
			return -1;
	} else if (packed_items(text, word->type, error) != 0) {
		return -1;
	}
	return keep_items(text, arena, value, width, word->count, error);
}

/* A String or StringName at the cursor. */
static int quoted(struct godot_text *text, struct anim_arena *arena, struct godot_string *string, const char *wanted,
		  struct anim_error *error)
{
	int c = godot_lexer_token(&text->lexer, error);

	if (c < 0)
		return -1;
	if (c == '&') {
		text->lexer.at++;
		c = godot_lexer_byte(&text->lexer, error);
	}
	if (c == GODOT_LEXER_ERROR)
		return -1;
	if (c != '"')
		return godot_lexer_unexpected(&text->lexer, wanted, error);
	return godot_string_read(text, arena, string, error);
}

static int strings(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		   struct anim_error *error)
{
	struct godot_string string;
	int more = 1, any;

	text->items.size = 0;
	while (more > 0 && (any = has_items(text, error)) != 0) {
		if (any < 0 || quoted(text, arena, &string, "a string", error) != 0 ||
		    anim_buffer_append(&text->items, &string, sizeof string, error) != 0)
			return -1;
		more = comma_or_end(text, "',' or ')'", error);
	}
	if (more < 0)
		return -1;
	return keep_items(text, arena, value, sizeof string, 1, error);
}

static int node_path(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		     struct anim_error *error)
{
	if (quoted(text, arena, &value->text, "the path, a string", error) != 0)
		return -1;
	return godot_lexer_expect(&text->lexer, ')', "')'", error);
}

/* SubResource and ExtResource: a string, or the whole number of older files; both become text. */
static int resource_id(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		       struct anim_error *error)
{
	struct godot_number number;
	char digits[ANIM_NUMBER_MAX];
	size_t length;
	int c = godot_lexer_token(&text->lexer, error);

	if (c < 0)
		return -1;
	if (!godot_is_digit(c)) {
		if (quoted(text, arena, &value->text, "an id", error) != 0)
			return -1;
		return godot_lexer_expect(&text->lexer, ')', "')'", error);
	}
	if (godot_number_digits(text, &number, error) != 0)
		return -1;
	if (!number.is_integer)
		return anim_fail_at(error, ANIM_BAD_INPUT, &value->place, "the id is not a whole number");
	length = anim_number_print_int64(digits, number.integer);
	value->text.bytes = anim_arena_text(arena, digits, length, error);
	value->text.length = length;
	if (value->text.bytes == NULL)
		return -1;
	return godot_lexer_expect(&text->lexer, ')', "')'", error);
}

static bool is_uid(const struct godot_string *string)
{
	return strncmp(string->bytes, "uid://", 6) == 0;
}

/* Resource("path"), Resource("uid://...", "path") or the other way round; a single uid has no path. */
static int resource(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		    struct anim_error *error)
{
	struct godot_string swap;
	int more;

	value->text2 = (struct godot_string){"", 0};
	if (quoted(text, arena, &value->text, "a path", error) != 0)
		return -1;
	more = comma_or_end(text, "',' or ')'", error);
	if (more < 0)
		return -1;
	if (more > 0 && (quoted(text, arena, &value->text2, "a path", error) != 0 ||
			 godot_lexer_expect(&text->lexer, ')', "')'", error) != 0))
		return -1;
	if (more == 0 ? is_uid(&value->text) : is_uid(&value->text) || !is_uid(&value->text2)) {
		swap = value->text;
		value->text = value->text2;
		value->text2 = swap;
	}
	return 0;
}

int godot_construct(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		    const struct godot_word *word, struct anim_error *error)
{
	int c = godot_lexer_token(&text->lexer, error);

	if (c < 0)
		return -1;
	if (c != '(')
		return anim_fail_at(error, ANIM_BAD_INPUT, &value->place, "expected '(' behind '%s'", word->name);
	text->lexer.at++;
	switch (word->kind) {
	case GODOT_WORD_NUMBERS:
	case GODOT_WORD_INTEGERS:
		return numbers(text, arena, value, word, error);
	case GODOT_WORD_PACKED:
		return packed(text, arena, value, word, error);
	case GODOT_WORD_STRINGS:
		return strings(text, arena, value, error);
	case GODOT_WORD_NODE_PATH:
		return node_path(text, arena, value, error);
	case GODOT_WORD_ID:
		return resource_id(text, arena, value, error);
	default:
		return resource(text, arena, value, error);
	}
}
