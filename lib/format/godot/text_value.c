/* text_value.c: reads a value of a Godot text file whole. */
#include <string.h>

#include "base/number.h"
#include "format/godot/text_internal.h"

int godot_string_read(struct godot_text *text, struct anim_arena *arena, struct godot_string *string,
		      struct anim_error *error)
{
	char *copy;

	text->text.size = 0;
	if (godot_lexer_string(&text->lexer, &text->text, ANIM_TEXT_MAX, error) != 0)
		return -1;
	copy = anim_arena_text(arena, (const char *)text->text.data, text->text.size, error);
	string->bytes = copy;
	string->length = text->text.size;
	return copy != NULL ? 0 : -1;
}

/* Behind an '&' (or the '@' of an old version): a StringName. */
static int string_name(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		       struct anim_error *error)
{
	int c;

	text->lexer.at++;
	c = godot_lexer_byte(&text->lexer, error);
	if (c == GODOT_LEXER_ERROR)
		return -1;
	if (c != '"')
		return godot_lexer_unexpected(&text->lexer, "a quote behind '&'", error);
	value->type = GODOT_STRING_NAME;
	return godot_string_read(text, arena, &value->text, error);
}

/* A lane of a colour from `count` (1 or 2) hex digits, in float32 as Color::html has it; a single one is doubled. */
static double color_lane(const char *digits, int count)
{
	int high = digits[0] <= '9' ? digits[0] - '0' : (digits[0] | 0x20) - 'a' + 10;
	int low = high;

	if (count == 2)
		low = digits[1] <= '9' ? digits[1] - '0' : (digits[1] | 0x20) - 'a' + 10;
	return (double)((float)(high * 16 + low) / 255.0f);
}

/* "#rgb", "#rgba", "#rrggbb", "#rrggbbaa"; with another number of digits the engine takes black, and so do we. */
static int color(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, struct anim_error *error)
{
	char digits[9];
	int c, count = 0, width;

	value->type = GODOT_COLOR;
	value->count = 4;
	value->numbers = anim_arena_zeroed(arena, 4, sizeof *value->numbers, error);
	if (value->numbers == NULL)
		return -1;
	value->numbers[3] = 1;
	text->lexer.at++;
	for (;;) {
		c = godot_lexer_byte(&text->lexer, error);
		if (c == GODOT_LEXER_ERROR)
			return -1;
		if (!godot_is_digit(c) && !((c | 0x20) >= 'a' && (c | 0x20) <= 'f'))
			break;
		if (count < 9)
			digits[count++] = (char)c;
		text->lexer.at++;
	}
	if (count < 3 || count == 5 || count == 7 || count > 8) {
		godot_note(&text->bad_colors, &value->place);
		return 0;
	}
	width = count < 5 ? 1 : 2;
	for (int i = 0; i < count / width; i++)
		value->numbers[i] = color_lane(digits + i * width, width);
	return 0;
}

static int number(struct godot_text *text, struct godot_value *value, struct anim_error *error)
{
	struct godot_number number;

	if (godot_number_digits(text, &number, error) != 0)
		return -1;
	value->type = number.is_integer ? GODOT_INT : GODOT_FLOAT;
	if (number.is_integer)
		value->integer = number.integer;
	else
		value->number = number.real;
	value->float_is_exact32 = !number.is_integer && godot_number_is_exact32(&number);
	return 0;
}

/* Moves what was pushed on the stack above `base` into the arena. */
static int pop(struct godot_text *text, struct anim_arena *arena, size_t base, struct godot_value **items,
	       size_t *count, struct anim_error *error)
{
	size_t size = text->values.size - base;

	*count = size / sizeof **items;
	*items = NULL;
	if (size == 0)
		return 0;
	*items = anim_arena_alloc(arena, size, error);
	if (*items == NULL)
		return -1;
	memcpy(*items, text->values.data + base, size);
	text->values.size = base;
	return 0;
}

static int push(struct godot_text *text, struct anim_arena *arena, unsigned nesting, struct anim_error *error)
{
	struct godot_value value;

	if (godot_value_read(text, arena, &value, nesting, error) != 0)
		return -1;
	return anim_buffer_append(&text->values, &value, sizeof value, error);
}

/* Behind the opening bracket: elements, each but the last with a ',' behind it, which the last may have too. */
static int array(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, unsigned nesting,
		 struct anim_error *error)
{
	size_t base = text->values.size;
	struct godot_value *items;
	int c;

	value->type = GODOT_ARRAY;
	while ((c = godot_lexer_token(&text->lexer, error)) != ']') {
		if (c < 0 || push(text, arena, nesting + 1, error) != 0)
			return -1;
		c = godot_lexer_token(&text->lexer, error);
		if (c != ']' && godot_lexer_expect(&text->lexer, ',', "',' or ']'", error) != 0)
			return -1;
	}
	text->lexer.at++;
	if (pop(text, arena, base, &items, &value->count, error) != 0)
		return -1;
	value->items = items;
	return 0;
}

/* Behind the opening brace. */
static int dictionary(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, unsigned nesting,
		      struct anim_error *error)
{
	size_t base = text->values.size;
	struct godot_value *items;
	int c;

	value->type = GODOT_DICTIONARY;
	while ((c = godot_lexer_token(&text->lexer, error)) != '}') {
		if (c < 0 || push(text, arena, nesting + 1, error) != 0 ||
		    godot_lexer_expect(&text->lexer, ':', "':' behind a key", error) != 0 ||
		    push(text, arena, nesting + 1, error) != 0)
			return -1;
		c = godot_lexer_token(&text->lexer, error);
		if (c != '}' && godot_lexer_expect(&text->lexer, ',', "',' or '}'", error) != 0)
			return -1;
	}
	text->lexer.at++;
	if (pop(text, arena, base, &items, &value->count, error) != 0)
		return -1;
	value->items = items;
	value->count /= 2;
	return godot_dictionary_settle(items, &value->count, error);
}

/* Takes the opening bracket and reads the container. */
static int container(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, unsigned nesting,
		     struct anim_error *error)
{
	int tag, c = *text->lexer.at;

	if (nesting >= ANIM_NESTING_GODOT)
		return godot_text_too_deep(text, error);
	tag = c == '[' ? godot_lexer_tag_ahead(&text->lexer, error) : 0;
	if (tag < 0)
		return -1;
	if (tag > 0)
		return godot_lexer_fail(&text->lexer, error, "expected a value, found a tag");
	text->lexer.at++;
	return c == '[' ? array(text, arena, value, nesting, error) : dictionary(text, arena, value, nesting, error);
}

int godot_typed_begin(struct godot_text *text, struct anim_arena *arena, struct godot_string *type,
		      struct anim_error *error)
{
	struct anim_place place;
	const char *bytes;
	size_t length;
	char *copy;

	text->text.size = 0;
	if (godot_lexer_expect(&text->lexer, '[', "'[' and a type", error) != 0)
		return -1;
	godot_lexer_place(&text->lexer, &place);
	if (godot_lexer_skip_brackets(&text->lexer, 1, &text->text, error) != 0 ||
	    godot_lexer_expect(&text->lexer, '(', "'(' behind the type", error) != 0)
		return -1;
	text->text.size--;
	if (type == NULL)
		return 0;
	if (memchr(text->text.data, '\0', text->text.size) != NULL)
		return anim_fail_at(error, ANIM_BAD_INPUT, &place, "the type holds NUL");
	if (godot_lexer_repair(&text->lexer, &text->text, 0, &place, error) != 0)
		return -1;
	bytes = (const char *)text->text.data;
	length = text->text.size;
	for (; length > 0 && (uint8_t)*bytes <= ' '; length--)
		bytes++;
	while (length > 0 && (uint8_t)bytes[length - 1] <= ' ')
		length--;
	if (length == 0)
		return anim_fail_at(error, ANIM_BAD_INPUT, &place, "expected a type between the brackets");
	copy = anim_arena_text(arena, bytes, length, error);
	type->bytes = copy;
	type->length = length;
	return copy != NULL ? 0 : -1;
}

static int typed(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, char open,
		 unsigned nesting, struct anim_error *error)
{
	struct godot_string type;
	int c;

	if (godot_typed_begin(text, arena, &type, error) != 0)
		return -1;
	c = godot_lexer_token(&text->lexer, error);
	if (c < 0)
		return -1;
	if (c != open)
		return godot_lexer_unexpected(&text->lexer, open == '[' ? "'['" : "'{'", error);
	if (container(text, arena, value, nesting, error) != 0)
		return -1;
	value->literal_type = type;
	return godot_lexer_expect(&text->lexer, ')', "')' behind a typed container", error);
}

/* A word without a meaning of ours: with parentheses its source text is kept, without it is an error. */
static int unknown(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		   struct anim_error *error)
{
	struct anim_buffer *source = &text->text;
	size_t word = source->size;
	char *copy;
	int c = godot_lexer_token(&text->lexer, error);

	if (c < 0)
		return -1;
	if (c != '(')
		return godot_word_unknown((const char *)source->data, word, &value->place, error);
	text->lexer.at++;
	if (anim_buffer_append(source, "(", 1, error) != 0 ||
	    godot_lexer_skip_brackets(&text->lexer, 1, source, error) != 0)
		return -1;
	if (memchr(source->data, '\0', source->size) != NULL)
		return anim_fail_at(error, ANIM_BAD_INPUT, &value->place, "the value holds NUL");
	if (godot_lexer_repair(&text->lexer, source, 0, &value->place, error) != 0)
		return -1;
	copy = anim_arena_text(arena, (const char *)source->data, source->size, error);
	value->text.bytes = copy;
	value->text.length = source->size;
	value->text2.bytes = anim_arena_text(arena, (const char *)source->data, word, error);
	value->text2.length = word;
	value->type = GODOT_OTHER;
	return copy != NULL && value->text2.bytes != NULL ? 0 : -1;
}

/* What a word says by itself, or begins. */
static int word_value(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, unsigned nesting,
		      struct anim_error *error)
{
	const struct godot_word *word;
	const char *name;
	size_t length;

	if (godot_lexer_word(&text->lexer, &name, &length, error) != 0)
		return -1;
	word = godot_word_find(name, length);
	if (word == NULL) {
		text->text.size = 0;
		if (anim_buffer_append(&text->text, name, length, error) != 0)
			return -1;
		return unknown(text, arena, value, error);
	}
	value->type = word->type;
	switch (word->kind) {
	case GODOT_WORD_NIL:
	case GODOT_WORD_FALSE:
		return 0;
	case GODOT_WORD_TRUE:
		value->boolean = true;
		return 0;
	case GODOT_WORD_INF:
	case GODOT_WORD_MINUS_INF:
	case GODOT_WORD_NAN:
		value->number = word->kind == GODOT_WORD_NAN ? (double)__builtin_nan("") : (double)__builtin_inf();
		if (word->kind == GODOT_WORD_MINUS_INF)
			value->number = -value->number;
		value->float_is_exact32 = true;
		return 0;
	case GODOT_WORD_ARRAY:
		return typed(text, arena, value, '[', nesting, error);
	case GODOT_WORD_DICTIONARY:
		return typed(text, arena, value, '{', nesting, error);
	default:
		return godot_construct(text, arena, value, word, error);
	}
}

int godot_value_read(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, unsigned nesting,
		     struct anim_error *error)
{
	int c = godot_lexer_token(&text->lexer, error), next;

	if (c < 0)
		return -1;
	memset(value, 0, sizeof *value);
	godot_lexer_place(&text->lexer, &value->place);
	if (godot_is_digit(c))
		return number(text, value, error);
	switch (c) {
	case '"':
		value->type = GODOT_STRING;
		return godot_string_read(text, arena, &value->text, error);
	case '&':
	case '@':
		return string_name(text, arena, value, error);
	case '#':
		return color(text, arena, value, error);
	case '[':
	case '{':
		return container(text, arena, value, nesting, error);
	}
	next = c == '-' ? godot_lexer_after_minus(&text->lexer, error) : c;
	if (next == GODOT_LEXER_ERROR)
		return -1;
	if (godot_is_digit(next))
		return number(text, value, error);
	if (godot_is_word_start(next))
		return word_value(text, arena, value, nesting, error);
	return godot_lexer_unexpected(&text->lexer, "a value", error);
}
