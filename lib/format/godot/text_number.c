/* text_number.c: the numbers of Godot's text files. */
#include <math.h>

#include "base/number.h"
#include "format/godot/text_internal.h"

/* How many digits count: those of the mantissa from the first that is not 0 on. */
static int significant_digits(const char *text, size_t length)
{
	int digits = 0;

	for (size_t i = 0; i < length && text[i] != 'e' && text[i] != 'E'; i++)
		if (godot_is_digit(text[i]) && (digits > 0 || text[i] != '0'))
			digits++;
	return digits;
}

/*
 * Of decimals with up to FLT_DIG digits every one has a float of its own, so that short texts need no look at their
 * digits.
 */
bool godot_number_is_exact32(const struct godot_number *number)
{
	double value = number->real, back;
	float narrow = (float)value;
	char shortest[ANIM_NUMBER_MAX + 64]; /* the reader may look at bytes behind the number */
	size_t size;

	if (value == 0 || !isfinite(value))
		return true;
	if (!isfinite(narrow))
		return false;
	if (significant_digits(number->digits, number->length) <= 6 && fabsf(narrow) >= 0x1p-126f)
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

/* The number at the cursor where the window shows its end: one look at each byte. False: nothing was taken. */
static bool whole_number(struct godot_lexer *lexer, struct godot_number *number)
{
	const char *begin = (const char *)lexer->at, *end = (const char *)lexer->end;
	const char *behind = anim_number_int64(begin, end, &number->integer);

	number->is_integer = behind != NULL && *behind != '.' && (*behind | 0x20) != 'e';
	if (behind != NULL && !number->is_integer)
		behind = anim_number_double(begin, end, &number->real);
	if (behind == NULL || behind >= end)
		return false;
	number->digits = begin;
	number->length = (size_t)(behind - begin);
	lexer->at = (const uint8_t *)behind;
	return true;
}

int godot_number_digits(struct godot_text *text, struct godot_number *number, struct anim_error *error)
{
	if (!whole_number(&text->lexer, number)) {
		if (godot_lexer_number(&text->lexer, &number->digits, &number->length, &number->is_integer, error) != 0)
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

static int number_word(struct godot_text *text, struct godot_number *number, struct anim_error *error)
{
	const struct godot_word *word;
	struct anim_place place;
	const char *name;
	size_t length;

	godot_lexer_place(&text->lexer, &place);
	if (godot_lexer_word(&text->lexer, &name, &length, error) != 0)
		return -1;
	word = godot_word_find(name, length);
	if (word == NULL || word->type != GODOT_FLOAT)
		return anim_fail_at(error, ANIM_BAD_INPUT, &place, "expected a number, found the word '%.*s'",
				    (int)(length < 64 ? length : 64), name);
	number->real = word->kind == GODOT_WORD_NAN   ? (double)NAN
		       : word->kind == GODOT_WORD_INF ? (double)INFINITY
						      : -(double)INFINITY;
	number->integer = saturated(number->real);
	number->is_integer = false;
	return 0;
}

int godot_number_read(struct godot_text *text, const char *wanted, struct godot_number *number,
		      struct anim_error *error)
{
	int c = godot_lexer_token(&text->lexer, error), next = c;

	if (c == '-')
		next = godot_lexer_after_minus(&text->lexer, error);
	if (c < 0 || next == GODOT_LEXER_ERROR)
		return -1;
	if (godot_is_digit(next))
		return godot_number_digits(text, number, error);
	if (godot_is_word_start(next))
		return number_word(text, number, error);
	return godot_lexer_unexpected(&text->lexer, wanted, error);
}
