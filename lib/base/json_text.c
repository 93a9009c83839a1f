/* json_text.c: JSON strings in both directions, and the syntax of JSON numbers. */
#include "base/json.h"

#include <string.h>

#include "base/print.h"
#include "base/text.h"

/* Return the value of four hexadecimal digits, or -1. */
static int32_t hex4(const uint8_t *at, const uint8_t *end)
{
	int32_t value = 0;

	if (end - at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		uint8_t c = at[i], letter = (uint8_t)((c | 0x20) - 'a');

		if (c >= '0' && c <= '9')
			value = value * 16 + (c - '0');
		else if (letter < 6)
			value = value * 16 + letter + 10;
		else
			return -1;
	}
	return value;
}

/* Decode \uXXXX at `at`, or two of them for a surrogate pair. Returns the bytes taken, or 0 with *why. */
static size_t decode_unicode(const uint8_t *at, const uint8_t *end, uint32_t *code, const char **why)
{
	int32_t first = hex4(at + 2, end), second;

	*why = first < 0 ? "\\u without four hexadecimal digits" : "an unpaired surrogate";
	if (first < 0 || (first >= 0xdc00 && first <= 0xdfff))
		return 0;
	*code = (uint32_t)first;
	if (first < 0xd800 || first > 0xdfff)
		return 6;
	if (end - at < 12 || at[6] != '\\' || at[7] != 'u')
		return 0;
	second = hex4(at + 8, end);
	if (second < 0xdc00 || second > 0xdfff)
		return 0;
	*code = 0x10000 + (((uint32_t)first & 0x3ff) << 10) + ((uint32_t)second & 0x3ff);
	return 12;
}

/* Decode the escape at `at`; `out` gets `length` bytes. Returns the bytes taken, or 0 with *why. */
static size_t decode_escape(const uint8_t *at, const uint8_t *end, char out[4], size_t *length, const char **why)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *letter = end - at > 1 && at[1] != '\0' ? strchr(letters, at[1]) : NULL;
	uint32_t code = 0;
	size_t taken;

	if (letter != NULL) {
		out[0] = meanings[letter - letters];
		*length = 1;
		return 2;
	}
	*why = "an escape that JSON does not allow";
	if (end - at < 2 || at[1] != 'u')
		return 0;
	taken = decode_unicode(at, end, &code, why);
	if (taken > 0 && code == 0) {
		*why = "a NUL in a string, which no stream can hold";
		return 0;
	}
	*length = anim_utf8_encode(code, out);
	return taken;
}

/* Return the end of a run of unescaped characters. */
static const uint8_t *plain_run(const uint8_t *at, const uint8_t *end)
{
	while (at < end && *at != '\\' && *at != '"' && *at >= 0x20)
		at++;
	return at;
}

int anim_json_decode(const uint8_t *text, size_t size, struct anim_buffer *out, const uint8_t **bad, const char **why)
{
	const uint8_t *at = text, *end = text + size;
	struct anim_error ignored;

	while (at < end) {
		const uint8_t *run = plain_run(at, end);
		size_t length = (size_t)(run - at), taken;
		char bytes[4];

		*bad = at + anim_utf8_prefix(at, length);
		*why = "a byte that is not UTF-8";
		if (*bad != run)
			return -1;
		*bad = NULL;
		if (anim_buffer_append(out, at, length, &ignored) != 0)
			return -1;
		at = run;
		if (at == end)
			break;
		*bad = at;
		*why = "a control character in a string; write it as an escape";
		taken = *at == '\\' ? decode_escape(at, end, bytes, &length, why) : 0;
		if (taken == 0)
			return -1;
		if (anim_buffer_append(out, bytes, length, &ignored) != 0) {
			*bad = NULL;
			return -1;
		}
		at += taken;
	}
	return 0;
}

static inline const uint8_t *digits(const uint8_t *at)
{
	while (*at >= '0' && *at <= '9')
		at++;
	return at;
}

const uint8_t *anim_json_number_end(const uint8_t *at)
{
	const uint8_t *whole, *part;

	at += *at == '-';
	whole = digits(at);
	if (whole == at || (*at == '0' && whole > at + 1))
		return NULL;
	if (*whole == '.') {
		part = digits(whole + 1);
		if (part == whole + 1)
			return NULL;
		whole = part;
	}
	if (*whole != 'e' && *whole != 'E')
		return whole;
	at = whole + 1 + (whole[1] == '+' || whole[1] == '-');
	part = digits(at);
	return part == at ? NULL : part;
}

int anim_json_append(struct anim_buffer *buffer, const char *text, size_t length, struct anim_error *error)
{
	struct anim_print print = {.buffer = buffer, .error = error};

	anim_print_json(&print, text, length);
	return print.failed ? -1 : 0;
}
