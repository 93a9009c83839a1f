/* number.c: numbers in every spelling that Unity reads. */
#include "format/unity/number.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/input.h"
#include "base/number.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Behind the word where the text begins with it in any case, else NULL. */
static const char *word(const char *at, const char *end, const char *lower)
{
	for (; *lower != '\0'; at++, lower++) {
		char c = at < end ? *at : '\0';

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c != *lower)
			return NULL;
	}
	return at;
}

static float from_bits(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Infinity and nan without their sign. The longer words come first. */
static const char *special(const char *at, const char *end, float *value)
{
	static const struct {
		const char *word;
		uint32_t bits;
	} words[] = {
	    {"infinity", 0x7f800000}, {".infinity", 0x7f800000},    {"inf", 0x7f800000},      {".inf", 0x7f800000},
	    {"1.#inf", 0x7f800000},   {"\xe2\x88\x9e", 0x7f800000}, {"nan(ind)", 0x7fc00000}, {"nan", 0x7fc00000},
	    {".nan", 0x7fc00000},     {"1.#qnan", 0x7fc00000},      {"1.#snan", 0x7fc00000},  {"1.#ind", 0x7fc00000},
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *behind = word(at, end, words[i].word);

		if (behind == NULL)
			continue;
		while (words[i].word[0] == '1' && behind < end && *behind == '0')
			behind++; /* printf's padding: 1.#INF00 */
		*value = from_bits(words[i].bits);
		return behind;
	}
	return NULL;
}

/* Hexadecimal digits: how many, their value modulo 2^64. */
static size_t hex_digits(const char *at, const char *end, uint64_t *bits)
{
	size_t count = 0;

	for (*bits = 0; at + count < end; count++) {
		char c = at[count], lower = (char)(c | 0x20);

		if (is_digit(c))
			*bits = *bits << 4 | (uint64_t)(c - '0');
		else if (lower >= 'a' && lower <= 'f')
			*bits = *bits << 4 | (uint64_t)(lower - 'a' + 10);
		else
			break;
	}
	return count;
}

static const char *hex(const char *at, const char *end, float *value)
{
	uint64_t bits;
	size_t count = hex_digits(at + 2, end, &bits);
	const char *close;
	double wide;

	if (count != 8 && count != 16)
		return NULL;
	if (count == 8) {
		*value = from_bits((uint32_t)bits);
	} else {
		memcpy(&wide, &bits, sizeof wide);
		*value = (float)wide;
	}
	at += 2 + count;
	if (at == end || *at != '(')
		return at;
	close = memchr(at, ')', (size_t)(end - at));
	return close == NULL ? NULL : close + 1;
}

/* The end of what the grammar takes, NULL where it is no decimal. */
static const char *decimal_end(const char *at, const char *end)
{
	const char *start = at, *exponent;
	bool digits;

	while (at < end && is_digit(*at))
		at++;
	digits = at > start;
	if (at < end && *at == '.') {
		start = ++at;
		while (at < end && is_digit(*at))
			at++;
		digits = digits || at > start;
	}
	if (!digits)
		return NULL;
	if (at == end || (*at | 0x20) != 'e')
		return at;
	exponent = at + 1;
	exponent += exponent < end && (*exponent == '+' || *exponent == '-');
	if (exponent == end || !is_digit(*exponent))
		return NULL;
	while (exponent < end && is_digit(*exponent))
		exponent++;
	return exponent;
}

static const char *decimal(const char *at, const char *end, float *value)
{
	char copy[1 + UNITY_NUMBER_MAX + ANIM_INPUT_SLACK]; /* base/number.h wants a digit first, and zeros behind */
	const char *behind = decimal_end(at, end);
	size_t length = behind == NULL ? 0 : (size_t)(behind - at);

	if (length == 0 || length > UNITY_NUMBER_MAX)
		return NULL;
	copy[0] = '0';
	memcpy(copy + 1, at, length);
	memset(copy + 1 + length, 0, ANIM_INPUT_SLACK);
	return anim_number_float(copy, copy + 1 + length, value) == NULL ? NULL : behind;
}

const char *unity_number_float(const char *text, const char *end, float *value)
{
	bool sign = text < end && (*text == '-' || *text == '+');
	const char *at = text + sign, *behind;

	if (at == end)
		return NULL;
	if (!sign && end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x')
		return hex(at, end, value);
	behind = special(at, end, value);
	if (behind == NULL)
		behind = decimal(at, end, value);
	if (behind != NULL && *text == '-')
		*value = -*value;
	return behind;
}
