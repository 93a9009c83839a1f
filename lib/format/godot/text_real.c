/* text_real.c: numbers as Godot prints them: the shortest text, or a fixed count of digits as older engines have it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "format/godot/text_real.h"

/* 0.d1d2d3... * 10^point, without zeros at either end. */
struct decimal {
	char digits[ANIM_NUMBER_MAX];
	int count, point;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Takes a printed number apart: "-12.5e-3" and the like, not 0. */
static void take_apart(const char *text, size_t length, struct decimal *decimal)
{
	int64_t exponent = 0;
	bool fraction = false;

	decimal->count = decimal->point = 0;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == 'e' || text[i] == 'E') {
			i += text[i + 1] == '+' ? 2 : 1;
			anim_number_int64(text + i, text + length, &exponent);
			break;
		}
		if (text[i] == '.')
			fraction = true;
		if (!is_digit(text[i]))
			continue;
		if (decimal->count > 0 || text[i] != '0')
			decimal->digits[decimal->count++] = text[i];
		decimal->point += fraction ? -(decimal->count == 0) : decimal->count > 0;
	}
	decimal->point += (int)exponent;
	while (decimal->count > 0 && decimal->digits[decimal->count - 1] == '0')
		decimal->count--;
}

#define POWER_EXACT 22    /* 10^22 is the last power of ten that a double holds exactly */
#define SPLIT 134217729.0 /* 2^27 + 1: Veltkamp's, halves a double's digits */

static void split(double x, double *high, double *low)
{
	double c = SPLIT * x;

	*high = c - (c - x);
	*low = x - *high;
}

/*
 * The sign of value - digits for digits that are the shortest text of the value: Dekker's exact product of the value and
 * a power of ten against the digits as a whole number. 0 where they are the same, or out of the range of exact powers.
 */
static int side_of(double value, const struct decimal *decimal)
{
	double whole = 0, power = 1, product, value_high, value_low, power_high, power_low, rest;
	int shift = decimal->count - decimal->point;

	if (shift <= 0 || shift > POWER_EXACT)
		return 0;
	for (int i = 0; i < decimal->count; i++)
		whole = whole * 10 + (decimal->digits[i] - '0');
	for (int i = 0; i < shift; i++)
		power *= 10;
	value = fabs(value);
	product = value * power;
	split(value, &value_high, &value_low);
	split(power, &power_high, &power_low);
	rest = ((value_high * power_high - product) + value_high * power_low + value_low * power_high) +
	       value_low * power_low;
	rest += product - whole;
	return (rest > 0) - (rest < 0);
}

/* Up or down at `digits` digits, as C's printf: by the value itself where the text stands in the middle, then to even. */
static bool rounds_up(double value, const struct decimal *decimal, int digits)
{
	char next = decimal->digits[digits];
	int side;

	if (next != '5' || decimal->count > digits + 1)
		return next >= '5';
	side = side_of(value, decimal);
	return side != 0 ? side > 0 : (decimal->digits[digits - 1] - '0') % 2 != 0;
}

static void round_to(double value, struct decimal *decimal, int digits)
{
	bool up;

	if (decimal->count <= digits)
		return;
	up = rounds_up(value, decimal, digits);
	decimal->count = digits;
	while (up && decimal->count > 0 && decimal->digits[decimal->count - 1] == '9')
		decimal->count--;
	if (up && decimal->count == 0) {
		decimal->digits[decimal->count++] = '1';
		decimal->point++;
	} else if (up) {
		decimal->digits[decimal->count - 1]++;
	}
	while (decimal->count > 1 && decimal->digits[decimal->count - 1] == '0')
		decimal->count--;
}

static char *put(char *at, const char *bytes, int count)
{
	memcpy(at, bytes, (size_t)count);
	return at + count;
}

static char *put_zeros(char *at, int count)
{
	for (int i = 0; i < count; i++)
		*at++ = '0';
	return at;
}

/* d.ddde-05: at least two digits of exponent, always a sign. */
static char *put_scientific(char *at, const struct decimal *decimal)
{
	int exponent = decimal->point - 1, size = abs(exponent);

	*at++ = decimal->digits[0];
	if (decimal->count > 1)
		*at++ = '.';
	at = put(at, decimal->digits + 1, decimal->count - 1);
	*at++ = 'e';
	*at++ = exponent < 0 ? '-' : '+';
	if (size >= 100)
		*at++ = (char)('0' + size / 100);
	*at++ = (char)('0' + size / 10 % 10);
	*at++ = (char)('0' + size % 10);
	return at;
}

/* Plain from 1e-4 up to below 10^most. */
static char *put_decimal(char *at, const struct decimal *decimal, int most)
{
	int point = decimal->point, count = decimal->count;

	if (point <= -4 || point > most)
		return put_scientific(at, decimal);
	if (point <= 0) {
		at = put_zeros(put(at, "0.", 2), -point);
		return put(at, decimal->digits, count);
	}
	if (count <= point)
		return put_zeros(put(at, decimal->digits, count), point - count);
	at = put(at, decimal->digits, point);
	*at++ = '.';
	return put(at, decimal->digits + point, count - point);
}

/* The notations agree from 1e-4 up to here: most numbers of most files. */
#define PLAIN_FROM 1e-4
#define PLAIN_BELOW 1e15

size_t godot_real_print(char *text, double value, bool narrow, unsigned digits)
{
	char shortest[ANIM_NUMBER_MAX + ANIM_NUMBER_MAX] = {0}, *at = text;
	struct decimal decimal;
	size_t length;

	if (narrow)
		value = (double)(float)value;
	if (value == 0 || value != value || isinf(value)) {
		const char *word = value == 0 ? "0" : value != value ? "nan" : value < 0 ? "-inf" : "inf";

		length = strlen(word);
		memcpy(text, word, length);
		return length;
	}
	if (digits == 0 && fabs(value) >= PLAIN_FROM && fabs(value) < PLAIN_BELOW)
		return anim_number_print_grisu2(text, value, narrow);
	length =
	    digits == 0 ? anim_number_print_grisu2(shortest, value, narrow) : anim_number_print_double(shortest, value);
	memset(shortest + length, 0, sizeof shortest - length);
	take_apart(shortest, length, &decimal);
	if (digits > 0)
		round_to(value, &decimal, (int)digits);
	if (value < 0)
		*at++ = '-';
	return (size_t)(put_decimal(at, &decimal, digits > 0 ? (int)digits : 15) - text);
}
