/* print.c: numbers and texts spelled as Unity's YAML has them. */
#include "format/unity/print.h"

#include <math.h>
#include <string.h>

#include "format/unity/yaml.h"

/* Numbers below this have an exponent (of ten; lowest that is written without). */
#define PLAIN_EXPONENT_MIN 9

static size_t put(char *out, const char *text)
{
	size_t length = strlen(text);

	memcpy(out, text, length);
	return length;
}

/* "d.ddd" of a number d.ddd * 10^-exponent as "0.000dddd". */
static size_t put_small(char *out, const char *digits, size_t count, unsigned exponent)
{
	char *at = out;

	*at++ = '0';
	*at++ = '.';
	for (unsigned i = 1; i < exponent; i++)
		*at++ = '0';
	for (size_t i = 0; i < count; i++)
		if (digits[i] != '.')
			*at++ = digits[i];
	return (size_t)(at - out);
}

/* Numbers that base/number prints with an exponent, without their sign. */
static size_t put_scientific(char *out, float size)
{
	char text[ANIM_NUMBER_MAX] = "", *at = out;
	size_t length = anim_number_print_float(text, size);
	const char *e = memchr(text, 'e', length);
	size_t mantissa = e == NULL ? length : (size_t)(e - text);
	unsigned exponent = 0;

	for (size_t i = mantissa; i < length; i++)
		if (text[i] >= '0' && text[i] <= '9')
			exponent = 10 * exponent + (unsigned)(text[i] - '0');
	if (e != NULL && e[1] == '-' && exponent <= PLAIN_EXPONENT_MIN)
		return put_small(out, text, mantissa, exponent);
	memcpy(at, text, mantissa);
	at += mantissa;
	if (e != NULL) {
		*at++ = 'e';
		*at++ = e[1] == '-' ? '-' : '+';
		at += anim_number_print_uint64(at, exponent);
	}
	return (size_t)(at - out);
}

static size_t put_rare(char *out, float value)
{
	size_t sign = signbit(value) != 0;

	if (isnan(value))
		return put(out, "NaN");
	*out = '-';
	if (isinf(value))
		return sign + put(out + sign, "Infinity");
	return sign + put_scientific(out + sign, fabsf(value));
}

size_t unity_format_float(char *out, float value)
{
	float size = fabsf(value);

	if ((size > 1e-5f && size < 1e10f) || size == 0)
		return anim_number_print_float(out, value);
	return put_rare(out, value);
}

void unity_put_float(struct anim_print *print, float value)
{
	char text[ANIM_NUMBER_MAX];

	anim_print_bytes(print, text, unity_format_float(text, value));
}

void unity_put_scalar(struct anim_print *print, const char *text)
{
	struct anim_buffer out = {0};

	if (print->failed)
		return;
	print->failed = unity_print_scalar(&out, text, strlen(text), false, print->error) != 0;
	anim_print_bytes(print, out.data, out.size);
	anim_buffer_clear(&out);
}

/* The first byte behind a quoted text, NULL where it does not end. */
static const char *behind_quotes(const char *at)
{
	char quote = *at++;

	while (*at >= ' ' && *at <= '~' && *at != quote)
		at += 1 + (*at == '\\' && quote == '"' && at[1] >= ' ');
	return *at == quote ? at + 1 : NULL;
}

/*
 * A flow map of printable ASCII in which nothing ends it early: words, numbers, texts in quotes, maps and lists of
 * such.
 */
static bool is_flow_map(const char *text)
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw"
				   "xyz0123456789_+-.,: {}[]";
	size_t depth = 0;

	if (text[0] != '{')
		return false;
	for (const char *at = text; at != NULL && *at != '\0';) {
		if (*at == '"' || *at == '\'') {
			at = behind_quotes(at);
			continue;
		}
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		if (strchr(good, *at) == NULL || (depth == 0) != (at[1] == '\0'))
			return false;
		at++;
	}
	return depth == 0;
}

void unity_put_kept(struct anim_print *print, const char *text)
{
	if (is_flow_map(text))
		anim_print_text(print, text);
	else
		unity_put_scalar(print, text);
}
