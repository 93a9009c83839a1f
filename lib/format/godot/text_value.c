/* text_value.c: reads a complete value of a Godot text file. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "format/godot/binary.h"
#include "format/godot/text_internal.h"

/* ---- Numbers ---- */

/*
 * Return whether the number is the shortest text of a float32. Decimals with up to FLT_DIG digits all have different
 * floats, so short texts need not be compared.
 */
static bool number_is_exact32(const struct godot_number *number)
{
	double value = number->real, back;
	float narrow = (float)value;
	char shortest[ANIM_NUMBER_MAX + 64]; /* the number parser may look at bytes after the number */
	const char *text = number->digits;
	size_t size, digits = 0; /* of the mantissa, from the first digit that is not 0 */

	if (value == 0 || !isfinite(value))
		return true;
	if (!isfinite(narrow))
		return false;
	for (size_t i = 0; i < number->length && text[i] != 'e' && text[i] != 'E'; i++)
		if (godot_is_digit(text[i]) && (digits > 0 || text[i] != '0'))
			digits++;
	if (digits <= 6 && fabsf(narrow) >= 0x1p-126f)
		return true;
	size = anim_number_print_float(shortest, narrow);
	for (size_t i = size; i < sizeof shortest; i++)
		shortest[i] = '\0';
	return anim_number_double(shortest, shortest + size, &back) != NULL && back == value;
}

static int64_t saturated(double value)
{
	if (value >= 0x1p63)
		return INT64_MAX;
	if (value >= -0x1p63)
		return (int64_t)value;
	return value < 0 ? INT64_MIN : 0;
}

/*
 * Read the number at the cursor if its end is in the window, with only one look at each byte. If it returns false,
 * nothing is consumed.
 */
static bool whole_number(struct godot_lexer *lexer, struct godot_number *number)
{
	const char *begin = (const char *)lexer->at, *end = (const char *)lexer->end;
	const char *after = anim_number_int64(begin, end, &number->integer);

	number->is_integer = after != NULL && *after != '.' && (*after | 0x20) != 'e';
	if (after != NULL && !number->is_integer)
		after = anim_number_double(begin, end, &number->real);
	if (after == NULL || after >= end)
		return false;
	number->digits = begin;
	number->length = (size_t)(after - begin);
	lexer->at = (const uint8_t *)after;
	return true;
}

int godot_number_digits(struct godot_text *text, struct godot_number *number)
{
	if (!whole_number(&text->lexer, number)) {
		if (godot_lexer_number(&text->lexer, &number->digits, &number->length, &number->is_integer) != 0)
			return -1;
		anim_number_int64(number->digits, number->digits + number->length, &number->integer);
		anim_number_double(number->digits, number->digits + number->length, &number->real);
	}
	if (number->is_integer)
		number->real = (double)number->integer;
	else
		number->integer = saturated(number->real);
	return 0;
}

/*
 * Read a number, or one of the words inf, -inf, inf_neg, nan. `wanted` names the missing item in the message. Returns 0
 * or -1.
 */
static int read_number(struct godot_text *text, const char *wanted, struct godot_number *number)
{
	int c = godot_lexer_token(&text->lexer), next = c;

	if (c == '-')
		next = godot_lexer_after_minus(&text->lexer);
	if (c < 0 || next == GODOT_LEXER_ERROR)
		return -1;
	if (godot_is_digit(next))
		return godot_number_digits(text, number);
	if (godot_is_word_start(next)) {
		const struct godot_word *word;
		struct anim_place place;
		const char *name;
		size_t length;

		godot_lexer_place(&text->lexer, &place);
		if (godot_lexer_word(&text->lexer, &name, &length) != 0)
			return -1;
		word = godot_word_find(name, length);
		if (word == NULL || word->type != GODOT_FLOAT)
			return anim_fail_at(text->lexer.error, ANIM_BAD_INPUT, &place,
					    "expected a number, found the word '%.*s'",
					    (int)(length < 64 ? length : 64), name);
		number->real = word->number;
		number->integer = saturated(number->real);
		number->is_integer = false;
		return 0;
	}
	return godot_lexer_unexpected(&text->lexer, wanted);
}

/* ---- The bytes of PackedByteArray("...") ---- */

/* Return the value of a digit in the alphabet of RFC 4648, or -1 for another byte. */
static int digit_value(uint8_t c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Read the base64 text at the cursor into text->items, and decode it. Blanks are skipped. Returns 0 or -1. */
static int read_base64(struct godot_text *text)
{
	struct anim_place place;
	uint32_t bits = 0;
	size_t digits = 0, padding = 0, out = 0;
	uint8_t *bytes;
	bool good = true;

	godot_lexer_place(&text->lexer, &place);
	text->items.size = 0;
	if (godot_lexer_string(&text->lexer, &text->items, SIZE_MAX / 4) != 0)
		return -1;
	bytes = text->items.data;
	for (size_t i = 0; i < text->items.size && good; i++) {
		int value = digit_value(bytes[i]);

		if (bytes[i] == '=')
			padding++;
		if (bytes[i] == '=' || bytes[i] <= ' ')
			continue;
		good = value >= 0 && padding == 0;
		bits = bits << 6 | ((uint32_t)value & 63);
		if (++digits % 4 != 1)
			bytes[out++] = (uint8_t)(bits >> (6 - 2 * ((digits - 1) % 4)));
	}
	if (!good || (digits + padding) % 4 != 0 || padding > 2)
		return anim_fail_at(text->lexer.error, ANIM_BAD_INPUT, &place, "the string is not base64");
	text->items.size = out;
	return 0;
}

/* ---- Words with parentheses: vectors, packed arrays, paths, resources ---- */

/* Consume "," and return 1, or consume ")" and return 0. Other bytes are errors. */
static int comma_or_end(struct godot_text *text, const char *wanted)
{
	int c = godot_lexer_token(&text->lexer);

	if (c < 0)
		return -1;
	if (c != ',' && c != ')')
		return godot_lexer_unexpected(&text->lexer, wanted);
	text->lexer.at++;
	return c == ',';
}

/* After "(": return 1 if something other than ")" follows, 0 if ")" has been consumed, or -1. */
static int has_items(struct godot_text *text)
{
	int c = godot_lexer_token(&text->lexer);

	if (c != ')')
		return c < 0 ? -1 : 1;
	text->lexer.at++;
	return 0;
}

static int numbers(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		   const struct godot_word *word)
{
	const size_t wanted = godot_types[word->type].numbers;
	bool integers = !anim_type_is_real(godot_types[word->type].type);
	struct godot_number number;
	size_t count = 0;
	int more = has_items(text);

	value->numbers = anim_arena_alloc(arena, wanted * sizeof *value->numbers, text->lexer.error);
	if (value->numbers == NULL)
		return -1;
	for (; more > 0; count++) {
		if (read_number(text, "a number", &number) != 0)
			return -1;
		if (count < wanted)
			value->numbers[count] = integers ? (double)(int32_t)(uint32_t)number.integer : number.real;
		more = comma_or_end(text, "',' or ')'");
	}
	if (more < 0)
		return -1;
	if (count != wanted)
		return anim_fail_at(text->lexer.error, ANIM_BAD_INPUT, &value->place, "%s takes %zu numbers, found %zu",
				    word->name, wanted, count);
	value->count = count;
	return 0;
}

/* Move text->items into the arena. An incomplete vector at the end is dropped, as in the engine. */
static int keep_items(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, size_t width,
		      size_t components)
{
	size_t count = text->items.size / width;

	value->count = count - count % components;
	if (value->count == 0)
		return 0;
	value->items = anim_arena_alloc(arena, value->count * width, text->lexer.error);
	if (value->items == NULL)
		return -1;
	memcpy(value->items, text->items.data, value->count * width);
	return 0;
}

/* Read a packed array of numbers, whose elements are kept in the width of its type. */
static int packed(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		  const struct godot_word *word)
{
	size_t width = word->type == GODOT_PACKED_BYTE ? 1 : 8;
	struct godot_number number;
	int c = godot_lexer_token(&text->lexer), more;

	text->items.size = 0;
	if (c < 0)
		return -1;
	if (c == '"' && word->type == GODOT_PACKED_BYTE) {
		if (read_base64(text) != 0 || godot_lexer_expect(&text->lexer, ')', "')'") != 0)
			return -1;
		return keep_items(text, arena, value, width, godot_types[word->type].numbers);
	}
	for (more = has_items(text); more > 0; more = comma_or_end(text, "',' or ')'")) {
		const void *item = &number.real;
		uint8_t byte;

		if (read_number(text, "a number", &number) != 0)
			return -1;
		byte = (uint8_t)number.integer;
		if (word->type == GODOT_PACKED_BYTE)
			item = &byte;
		else if (word->type == GODOT_PACKED_INT32 || word->type == GODOT_PACKED_INT64)
			item = &number.integer;
		if (word->type == GODOT_PACKED_INT32)
			number.integer = (int32_t)(uint32_t)number.integer;
		if (anim_buffer_append(&text->items, item, width, text->lexer.error) != 0)
			return -1;
	}
	return more < 0 ? -1 : keep_items(text, arena, value, width, godot_types[word->type].numbers);
}

static int string_read(struct godot_text *text, struct anim_arena *arena, struct godot_string *string)
{
	char *copy;

	text->text.size = 0;
	if (godot_lexer_string(&text->lexer, &text->text, ANIM_TEXT_MAX) != 0)
		return -1;
	copy = anim_arena_text(arena, (const char *)text->text.data, text->text.size, text->lexer.error);
	string->bytes = copy;
	string->length = text->text.size;
	return copy != NULL ? 0 : -1;
}

/* Read a String or StringName at the cursor. */
static int quoted(struct godot_text *text, struct anim_arena *arena, struct godot_string *string, const char *wanted)
{
	int c = godot_lexer_token(&text->lexer);

	if (c < 0)
		return -1;
	if (c == '&') {
		text->lexer.at++;
		c = godot_lexer_byte(&text->lexer);
	}
	if (c == GODOT_LEXER_ERROR)
		return -1;
	if (c != '"')
		return godot_lexer_unexpected(&text->lexer, wanted);
	return string_read(text, arena, string);
}

static int strings(struct godot_text *text, struct anim_arena *arena, struct godot_value *value)
{
	struct godot_string string;
	int more = 1, any;

	text->items.size = 0;
	while (more > 0 && (any = has_items(text)) != 0) {
		if (any < 0 || quoted(text, arena, &string, "a string") != 0 ||
		    anim_buffer_append(&text->items, &string, sizeof string, text->lexer.error) != 0)
			return -1;
		more = comma_or_end(text, "',' or ')'");
	}
	if (more < 0)
		return -1;
	return keep_items(text, arena, value, sizeof string, 1);
}

/* Read the id of SubResource or ExtResource: a string, or an integer in older files. Both become text. */
static int resource_id(struct godot_text *text, struct anim_arena *arena, struct godot_value *value)
{
	struct godot_number number;
	char digits[ANIM_NUMBER_MAX];
	size_t length;
	int c = godot_lexer_token(&text->lexer);

	if (c < 0)
		return -1;
	if (!godot_is_digit(c)) {
		if (quoted(text, arena, &value->text, "an id") != 0)
			return -1;
		return godot_lexer_expect(&text->lexer, ')', "')'");
	}
	if (godot_number_digits(text, &number) != 0)
		return -1;
	if (!number.is_integer)
		return anim_fail_at(text->lexer.error, ANIM_BAD_INPUT, &value->place, "the id is not a whole number");
	length = anim_number_print_int64(digits, number.integer);
	value->text.bytes = anim_arena_text(arena, digits, length, text->lexer.error);
	value->text.length = length;
	if (value->text.bytes == NULL)
		return -1;
	return godot_lexer_expect(&text->lexer, ')', "')'");
}

static bool is_uid(const struct godot_string *string)
{
	return strncmp(string->bytes, "uid://", 6) == 0;
}

/* Read Resource("path"), Resource("uid://...", "path") or the reverse order. A single uid has no path. */
static int resource(struct godot_text *text, struct anim_arena *arena, struct godot_value *value)
{
	struct godot_string swap;
	int more;

	value->text2 = (struct godot_string){"", 0};
	if (quoted(text, arena, &value->text, "a path") != 0)
		return -1;
	more = comma_or_end(text, "',' or ')'");
	if (more < 0)
		return -1;
	if (more > 0 &&
	    (quoted(text, arena, &value->text2, "a path") != 0 || godot_lexer_expect(&text->lexer, ')', "')'") != 0))
		return -1;
	if (more == 0 ? is_uid(&value->text) : is_uid(&value->text) || !is_uid(&value->text2)) {
		swap = value->text;
		value->text = value->text2;
		value->text2 = swap;
	}
	return 0;
}

/* ---- Any value ---- */

/* Read the rest of a constructor after its word. value->type and place are set. Returns 0 or -1. */
static int construct(struct godot_text *text, struct anim_arena *arena, struct godot_value *value,
		     const struct godot_word *word)
{
	int c = godot_lexer_token(&text->lexer);

	if (c < 0)
		return -1;
	if (c != '(')
		return anim_fail_at(text->lexer.error, ANIM_BAD_INPUT, &value->place, "expected '(' after '%s'",
				    word->name);
	text->lexer.at++;
	switch (word->type) {
	case GODOT_PACKED_STRING:
		return strings(text, arena, value);
	case GODOT_NODE_PATH:
		if (quoted(text, arena, &value->text, "the path, a string") != 0)
			return -1;
		return godot_lexer_expect(&text->lexer, ')', "')'");
	case GODOT_SUB_RESOURCE:
	case GODOT_EXT_RESOURCE:
		return resource_id(text, arena, value);
	case GODOT_RESOURCE:
		return resource(text, arena, value);
	default:
		return godot_type_is_packed(word->type) ? packed(text, arena, value, word)
							: numbers(text, arena, value, word);
	}
}

/*
 * Read "#rgb", "#rgba", "#rrggbb" or "#rrggbbaa". With another number of digits, the colour is black, as in the engine.
 */
static int color(struct godot_text *text, struct anim_arena *arena, struct godot_value *value)
{
	char digits[9];
	int c, count = 0, width;

	value->type = GODOT_COLOR;
	value->count = 4;
	value->numbers = anim_arena_zeroed(arena, 4, sizeof *value->numbers, text->lexer.error);
	if (value->numbers == NULL)
		return -1;
	value->numbers[3] = 1;
	text->lexer.at++;
	for (;;) {
		c = godot_lexer_byte(&text->lexer);
		if (c == GODOT_LEXER_ERROR)
			return -1;
		if (!godot_is_digit(c) && !((c | 0x20) >= 'a' && (c | 0x20) <= 'f'))
			break;
		if (count < 9)
			digits[count++] = (char)c;
		text->lexer.at++;
	}
	if (count < 3 || count == 5 || count == 7 || count > 8) {
		godot_note(&text->lexer.oddities.bad_colors, &value->place);
		return 0;
	}
	width = count < 5 ? 1 : 2;
	for (int i = 0; i < count / width; i++) {
		int high = anim_hex_digit(digits[i * width]);
		int low = width == 2 ? anim_hex_digit(digits[i * width + 1]) : high;

		/* in float32, like Color::html */
		value->numbers[i] = (double)((float)(high * 16 + low) / 255.0f);
	}
	return 0;
}

static int number(struct godot_text *text, struct godot_value *value)
{
	struct godot_number number;

	if (godot_number_digits(text, &number) != 0)
		return -1;
	value->type = number.is_integer ? GODOT_INT : GODOT_FLOAT;
	if (number.is_integer)
		value->integer = number.integer;
	else
		value->number = number.real;
	value->float_is_exact32 = !number.is_integer && number_is_exact32(&number);
	return 0;
}

/* Move the values above `base` on the stack into the arena. */
static int pop(struct godot_text *text, struct anim_arena *arena, size_t base, struct godot_value **items,
	       size_t *count)
{
	size_t size = text->values.size - base;

	*count = size / sizeof **items;
	*items = NULL;
	if (size == 0)
		return 0;
	*items = anim_arena_alloc(arena, size, text->lexer.error);
	if (*items == NULL)
		return -1;
	memcpy(*items, text->values.data + base, size);
	text->values.size = base;
	return 0;
}

static int push(struct godot_text *text, struct anim_arena *arena, unsigned nesting)
{
	struct godot_value value;

	if (godot_value_read(text, arena, &value, nesting) != 0)
		return -1;
	return anim_buffer_append(&text->values, &value, sizeof value, text->lexer.error);
}

/* Read an array after its opening bracket. Elements are separated by ','. The last may also be followed by one. */
static int array(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, unsigned nesting)
{
	size_t base = text->values.size;
	struct godot_value *items;
	int c;

	value->type = GODOT_ARRAY;
	while ((c = godot_lexer_token(&text->lexer)) != ']') {
		if (c < 0 || push(text, arena, nesting + 1) != 0)
			return -1;
		c = godot_lexer_token(&text->lexer);
		if (c != ']' && godot_lexer_expect(&text->lexer, ',', "',' or ']'") != 0)
			return -1;
	}
	text->lexer.at++;
	if (pop(text, arena, base, &items, &value->count) != 0)
		return -1;
	value->items = items;
	return 0;
}

/* Read a dictionary after its opening brace. */
static int dictionary(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, unsigned nesting)
{
	size_t base = text->values.size;
	struct godot_value *items;
	int c;

	value->type = GODOT_DICTIONARY;
	while ((c = godot_lexer_token(&text->lexer)) != '}') {
		if (c < 0 || push(text, arena, nesting + 1) != 0 ||
		    godot_lexer_expect(&text->lexer, ':', "':' after a key") != 0 ||
		    push(text, arena, nesting + 1) != 0)
			return -1;
		c = godot_lexer_token(&text->lexer);
		if (c != '}' && godot_lexer_expect(&text->lexer, ',', "',' or '}'") != 0)
			return -1;
	}
	text->lexer.at++;
	if (pop(text, arena, base, &items, &value->count) != 0)
		return -1;
	value->items = items;
	value->count /= 2;
	return godot_dictionary_unique(items, &value->count, text->lexer.error);
}

/* Consume the opening bracket and read the container. */
static int container(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, unsigned nesting)
{
	int c = *text->lexer.at;

	if (nesting >= ANIM_NESTING_GODOT)
		return godot_lexer_too_deep(&text->lexer);
	if (c == '[' && godot_lexer_not_a_tag(&text->lexer) != 0)
		return -1;
	text->lexer.at++;
	return c == '[' ? array(text, arena, value, nesting) : dictionary(text, arena, value, nesting);
}

int godot_typed_begin(struct godot_text *text, struct anim_arena *arena, struct godot_string *type)
{
	struct anim_place place;
	const char *bytes;
	size_t length;
	char *copy;

	text->text.size = 0;
	if (godot_lexer_expect(&text->lexer, '[', "'[' and a type") != 0)
		return -1;
	godot_lexer_place(&text->lexer, &place);
	if (godot_lexer_skip_brackets(&text->lexer, 1, &text->text) != 0 ||
	    godot_lexer_expect(&text->lexer, '(', "'(' after the type") != 0)
		return -1;
	text->text.size--;
	if (type == NULL)
		return 0;
	if (memchr(text->text.data, '\0', text->text.size) != NULL)
		return anim_fail_at(text->lexer.error, ANIM_BAD_INPUT, &place, "the type contains NUL");
	if (godot_lexer_repair(&text->lexer, &text->text, 0, &place) != 0)
		return -1;
	bytes = (const char *)text->text.data;
	length = text->text.size;
	for (; length > 0 && (uint8_t)*bytes <= ' '; length--)
		bytes++;
	while (length > 0 && (uint8_t)bytes[length - 1] <= ' ')
		length--;
	if (length == 0)
		return anim_fail_at(text->lexer.error, ANIM_BAD_INPUT, &place, "expected a type between the brackets");
	copy = anim_arena_text(arena, bytes, length, text->lexer.error);
	type->bytes = copy;
	type->length = length;
	return copy != NULL ? 0 : -1;
}

static int typed(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, char open,
		 unsigned nesting)
{
	struct godot_string type;
	int c;

	if (godot_typed_begin(text, arena, &type) != 0)
		return -1;
	c = godot_lexer_token(&text->lexer);
	if (c < 0)
		return -1;
	if (c != open)
		return godot_lexer_unexpected(&text->lexer, open == '[' ? "'['" : "'{'");
	if (container(text, arena, value, nesting) != 0)
		return -1;
	value->literal_type = type;
	return godot_lexer_expect(&text->lexer, ')', "')' after a typed container");
}

/* Read a word that is not known. With parentheses, its source text is kept. Without them, it is an error. */
static int unknown(struct godot_text *text, struct anim_arena *arena, struct godot_value *value)
{
	struct anim_buffer *source = &text->text;
	size_t word = source->size;
	char *copy;
	int c = godot_lexer_token(&text->lexer);

	if (c < 0)
		return -1;
	if (c != '(')
		return godot_word_unknown((const char *)source->data, word, &value->place, text->lexer.error);
	text->lexer.at++;
	if (anim_buffer_append(source, "(", 1, text->lexer.error) != 0 ||
	    godot_lexer_skip_brackets(&text->lexer, 1, source) != 0)
		return -1;
	if (memchr(source->data, '\0', source->size) != NULL)
		return anim_fail_at(text->lexer.error, ANIM_BAD_INPUT, &value->place, "the value contains NUL");
	if (godot_lexer_repair(&text->lexer, source, 0, &value->place) != 0)
		return -1;
	copy = anim_arena_text(arena, (const char *)source->data, source->size, text->lexer.error);
	value->text.bytes = copy;
	value->text.length = source->size;
	value->text2.bytes = anim_arena_text(arena, (const char *)source->data, word, text->lexer.error);
	value->text2.length = word;
	value->type = GODOT_OTHER;
	return copy != NULL && value->text2.bytes != NULL ? 0 : -1;
}

int godot_value_read(struct godot_text *text, struct anim_arena *arena, struct godot_value *value, unsigned nesting)
{
	const struct godot_word *word;
	const char *name;
	size_t length;
	int c = godot_lexer_token(&text->lexer), next;

	if (c < 0)
		return -1;
	memset(value, 0, sizeof *value);
	godot_lexer_place(&text->lexer, &value->place);
	if (godot_is_digit(c))
		return number(text, value);
	switch (c) {
	case '"':
		value->type = GODOT_STRING;
		return string_read(text, arena, &value->text);
	case '&':
	case '@': /* the spelling of an old version */
		text->lexer.at++;
		c = godot_lexer_byte(&text->lexer);
		if (c == GODOT_LEXER_ERROR)
			return -1;
		if (c != '"')
			return godot_lexer_unexpected(&text->lexer, "a quote after '&'");
		value->type = GODOT_STRING_NAME;
		return string_read(text, arena, &value->text);
	case '#':
		return color(text, arena, value);
	case '[':
	case '{':
		return container(text, arena, value, nesting);
	}
	next = c == '-' ? godot_lexer_after_minus(&text->lexer) : c;
	if (next == GODOT_LEXER_ERROR)
		return -1;
	if (godot_is_digit(next))
		return number(text, value);
	if (!godot_is_word_start(next))
		return godot_lexer_unexpected(&text->lexer, "a value");

	/* The value begins with a word, or is one. */
	if (godot_lexer_word(&text->lexer, &name, &length) != 0)
		return -1;
	word = godot_word_find(name, length);
	if (word == NULL) {
		text->text.size = 0;
		if (anim_buffer_append(&text->text, name, length, text->lexer.error) != 0)
			return -1;
		return unknown(text, arena, value);
	}
	value->type = word->type;
	if (word->type == GODOT_ARRAY || word->type == GODOT_DICTIONARY)
		return typed(text, arena, value, word->type == GODOT_ARRAY ? '[' : '{', nesting);
	if (!godot_word_is_constant(word))
		return construct(text, arena, value, word);
	value->boolean = word->type == GODOT_BOOL && word->number != 0;
	value->number = word->type == GODOT_FLOAT ? word->number : 0;
	value->float_is_exact32 = word->type == GODOT_FLOAT;
	return 0;
}

/* ---- Keys: numbers of an array as float32 ---- */

#define RUN 8192     /* numbers per request; more would waste memory for small tracks */
#define WORD_PEEK 32 /* bytes; longer than the name of every array */

static int append_float(struct anim_buffer *floats, double number, struct anim_error *error)
{
	float value = (float)number;

	return anim_buffer_append(floats, &value, sizeof value, error);
}

/* Read one number that number_run cannot read: a number at the end of the window, or a word such as inf. */
static int one_number(struct godot_text *text, struct anim_buffer *floats)
{
	struct godot_number number;
	const char *digits;
	size_t length;
	bool is_integer;
	float value;
	int c = godot_lexer_token(&text->lexer), next = c;

	if (c == '-')
		next = godot_lexer_after_minus(&text->lexer);
	if (c < 0 || next == GODOT_LEXER_ERROR)
		return -1;
	if (godot_is_digit(next)) {
		if (godot_lexer_number(&text->lexer, &digits, &length, &is_integer) != 0)
			return -1;
		anim_number_float_of_double(digits, digits + length, &value);
	} else {
		if (read_number(text, "a number", &number) != 0)
			return -1;
		value = (float)number.real;
	}
	return append_float(floats, (double)value, text->lexer.error);
}

/* Append the numbers in the window from the cursor on, at most RUN. *count is their number. Returns 0 or -1. */
static int number_run(struct godot_text *text, struct anim_buffer *floats, size_t *count)
{
	struct godot_lexer *lexer = &text->lexer;
	const char *next = (const char *)lexer->at;

	if (anim_buffer_reserve(floats, RUN * sizeof(float), text->lexer.error) != 0)
		return -1;
	*count = anim_number_floats(next, (const char *)lexer->end, (float *)(void *)(floats->data + floats->size), RUN,
				    &next);
	floats->size += *count * sizeof(float);
	lexer->at = (const uint8_t *)next;
	return 0;
}

/* Append the numbers up to the ')', which is consumed. There may be none. Returns 0 or -1. */
static int packed_numbers(struct godot_text *text, struct anim_buffer *floats)
{
	struct godot_lexer *lexer = &text->lexer;
	int c = godot_lexer_token(lexer);

	while (c != ')') {
		size_t count;

		/* Append the numbers in the window, at least one. */
		if (c < 0 || number_run(text, floats, &count) != 0 || (count == 0 && one_number(text, floats) != 0))
			return -1;
		c = godot_lexer_token(lexer);
		if (c == ')')
			break;
		if (godot_lexer_expect(lexer, ',', "',' or ')'") != 0)
			return -1;
		c = godot_lexer_token(lexer);
		if (c == ')') /* the engine accepts a ',' after the last element only in plain arrays */
			return godot_lexer_unexpected(lexer, "a number");
	}
	lexer->at++;
	return 0;
}

/* Append the bytes of PackedByteArray("base64"). */
static int base64_numbers(struct godot_text *text, struct anim_buffer *floats)
{
	if (read_base64(text) != 0 || godot_lexer_expect(&text->lexer, ')', "')'") != 0)
		return -1;
	for (size_t i = 0; i < text->items.size; i++)
		if (append_float(floats, text->items.data[i], text->lexer.error) != 0)
			return -1;
	return 0;
}

/* Append a packed array of numbers. The cursor is after its word. Returns 1 or -1. */
static int packed_floats(struct godot_text *text, enum godot_type type, struct anim_buffer *floats)
{
	int c, result;

	if (godot_lexer_expect(&text->lexer, '(', "'('") != 0)
		return -1;
	if (text->depth == ANIM_NESTING_GODOT)
		return godot_lexer_too_deep(&text->lexer);
	text->pending = false;
	text->levels[text->depth++] = (struct godot_level){')', false, true};
	c = godot_lexer_token(&text->lexer);
	if (c < 0)
		return -1;
	result = c == '"' && type == GODOT_PACKED_BYTE ? base64_numbers(text, floats) : packed_numbers(text, floats);
	if (result != 0)
		return -1;
	text->depth--;
	return 1;
}

/*
 * Append the numbers in the window from the cursor on. Returns 1, 0 if the next element is not a number that is
 * completely in the window, or -1.
 */
static int numbers_here(struct godot_text *text, struct anim_buffer *floats)
{
	const struct godot_lexer *lexer = &text->lexer;
	size_t count;

	if (lexer->at == lexer->end || (!godot_is_digit(*lexer->at) && *lexer->at != '-'))
		return 0;
	if (number_run(text, floats, &count) != 0)
		return -1;
	if (count > 0)
		text->pending = false;
	return count > 0;
}

/* Append one element of any type. Returns 0 or -1. */
static int element(struct godot_text *text, struct anim_arena *arena, struct anim_buffer *floats)
{
	struct godot_value value;
	double number;

	anim_arena_reset(arena);
	if (godot_text_value(text, arena, &value) != 0)
		return -1;
	if (value.type < GODOT_VECTOR2 || value.type > GODOT_COLOR)
		return append_float(floats, godot_value_number(&value, &number) ? number : 0, text->lexer.error);
	for (size_t i = 0; i < value.count; i++)
		if (append_float(floats, value.numbers[i], text->lexer.error) != 0)
			return -1;
	return 0;
}

/* Append a plain array at the cursor. Returns 1, 0 if the value is something else, or -1. */
static int plain_floats(struct godot_text *text, struct anim_arena *arena, struct anim_buffer *floats)
{
	int status = godot_text_array(text);

	if (status == 0)
		return 0;
	while (status == 1 && (status = godot_text_array_next(text)) == 1) {
		int taken = numbers_here(text, floats);

		if (taken < 0 || (taken == 0 && element(text, arena, floats) != 0))
			return -1;
	}
	return status < 0 ? -1 : 1;
}

int godot_text_floats(struct godot_text *text, struct anim_arena *arena, struct anim_buffer *floats,
		      enum godot_spelling *spelling)
{
	struct godot_lexer *lexer = &text->lexer;
	const struct godot_word *word;
	size_t length = 0;
	int c;

	if (text->binary != NULL) {
		int got = godot_binary_floats(text->binary, floats, spelling);

		return got != 0 ? got : plain_floats(text, arena, floats);
	}
	c = godot_lexer_token(lexer);
	if (c == '[')
		return plain_floats(text, arena, floats);
	if (c < 0 || !godot_is_word_start(c))
		return c < 0 ? -1 : 0;
	if (godot_lexer_more(lexer, WORD_PEEK) < 0)
		return -1;
	while (lexer->at + length < lexer->end &&
	       (godot_is_word_start(lexer->at[length]) || godot_is_digit(lexer->at[length])))
		length++;
	word = godot_word_find((const char *)lexer->at, length);
	if (word == NULL || !godot_type_is_packed(word->type))
		return 0;
	*spelling = strncmp(word->name, "Packed", 6) == 0 ? GODOT_SPELLING_4
		    : strncmp(word->name, "Pool", 4) == 0 ? GODOT_SPELLING_3
							  : GODOT_SPELLING_2;
	if (godot_types[word->type].numbers != 1)
		return 0;
	lexer->at += length;
	return packed_floats(text, word->type, floats);
}
