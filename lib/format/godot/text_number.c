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
 * Whether the shortest text of the nearest float is this decimal. Of decimals with up to FLT_DIG digits every one has a
 * float of its own, so that short texts need no look at their digits.
 */
static bool is_exact32(const char *text, size_t length, double value)
{
	float narrow = (float)value;
	char shortest[ANIM_NUMBER_MAX + 64]; /* the reader may look at bytes behind the number */
	double back;
	size_t size;

	if (value == 0 || !isfinite(value))
		return true;
	if (!isfinite(narrow))
		return false;
	if (significant_digits(text, length) <= 6 && fabsf(narrow) >= 0x1p-126f)
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

int godot_number_digits(struct godot_text *text, struct godot_number *number, struct anim_error *error)
{
	const char *digits;
	size_t length;

	if (godot_lexer_number(&text->lexer, &digits, &length, &number->is_integer, error) != 0)
		return -1;
	if (number->is_integer) {
		anim_number_int64(digits, digits + length, &number->integer);
		number->real = (double)number->integer;
		number->is_exact32 = false;
		return 0;
	}
	anim_number_double(digits, digits + length, &number->real);
	number->integer = saturated(number->real);
	number->is_exact32 = is_exact32(digits, length, number->real);
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
	number->is_exact32 = true;
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
