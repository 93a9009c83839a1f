/* print.c: prints text to an output and keeps the first failure. */
#include "base/print.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

char *anim_print_room(struct anim_print *print, size_t count)
{
	uint8_t *room = NULL;

	if (print->failed)
		return NULL;
	if (print->out != NULL)
		room = anim_output_reserve(print->out, count, print->error);
	else if (anim_buffer_reserve(print->buffer, count, print->error) == 0)
		room = print->buffer->data + print->buffer->size;
	print->failed = room == NULL;
	return (char *)room;
}

void anim_print_advance(struct anim_print *print, size_t count)
{
	if (print->out != NULL)
		anim_output_advance(print->out, count);
	else
		print->buffer->size += count;
}

static void print_plain(struct anim_print *print, const void *bytes, size_t count)
{
	if (print->failed || count == 0)
		return;
	if (print->out != NULL)
		print->failed = anim_output_write(print->out, bytes, count, print->error) != 0;
	else
		print->failed = anim_buffer_append(print->buffer, bytes, count, print->error) != 0;
}

void anim_print_bytes(struct anim_print *print, const void *bytes, size_t count)
{
	const char *at = bytes, *end = at + count, *feed;

	if (!print->crlf) {
		print_plain(print, bytes, count);
		return;
	}
	while (at < end && (feed = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		print_plain(print, at, (size_t)(feed - at));
		print_plain(print, "\r\n", 2);
		at = feed + 1;
	}
	print_plain(print, at, (size_t)(end - at));
}

void anim_print_list(struct anim_print *print, const char *const *texts)
{
	while (*texts != NULL)
		anim_print_text(print, *texts++);
}

void anim_print_spaces(struct anim_print *print, size_t count)
{
	static const char spaces[] = "                                ";

	for (; count > sizeof spaces - 1; count -= sizeof spaces - 1)
		anim_print_bytes(print, spaces, sizeof spaces - 1);
	anim_print_bytes(print, spaces, count);
}

void anim_print_float(struct anim_print *print, float value)
{
	char *room = anim_print_room(print, ANIM_NUMBER_MAX);

	if (room != NULL)
		anim_print_advance(print, anim_number_print_float(room, value));
}

void anim_print_double(struct anim_print *print, double value)
{
	char *room = anim_print_room(print, ANIM_NUMBER_MAX);

	if (room != NULL)
		anim_print_advance(print, anim_number_print_double(room, value));
}

void anim_print_exact_float(struct anim_print *print, float value)
{
	uint32_t bits;

	if (!isnan(value)) {
		anim_print_float(print, value);
		return;
	}
	memcpy(&bits, &value, sizeof bits);
	anim_print_text(print, "nan:");
	anim_print_hex(print, bits, 8);
}

void anim_print_exact_double(struct anim_print *print, double value)
{
	uint64_t bits;

	if (!isnan(value)) {
		anim_print_double(print, value);
		return;
	}
	memcpy(&bits, &value, sizeof bits);
	anim_print_text(print, "nan:");
	anim_print_hex(print, bits, 16);
}

void anim_print_int64(struct anim_print *print, int64_t value)
{
	char text[ANIM_NUMBER_MAX];

	anim_print_bytes(print, text, anim_number_print_int64(text, value));
}

void anim_print_uint64(struct anim_print *print, uint64_t value)
{
	char *room = anim_print_room(print, ANIM_NUMBER_MAX);

	if (room != NULL)
		anim_print_advance(print, anim_number_print_uint64(room, value));
}

void anim_print_hex(struct anim_print *print, uint64_t value, unsigned digits)
{
	char text[16];

	for (unsigned i = 0; i < digits; i++)
		text[i] = "0123456789abcdef"[value >> 4 * (digits - 1 - i) & 15];
	anim_print_bytes(print, text, digits);
}

void anim_print_bits(struct anim_print *print, unsigned bits, const char *const *names, unsigned count,
		     const char *between)
{
	for (unsigned i = 0; i < count; i++) {
		if ((bits >> i & 1) != 0)
			anim_print_texts(print, names[i], bits >> i > 1 ? between : "");
	}
}

void anim_print_json_number(struct anim_print *print, double value, bool single)
{
	if (!isfinite(value))
		anim_print_text(print, "null");
	else if (single)
		anim_print_float(print, (float)value);
	else
		anim_print_double(print, value);
}

/* Return how many bytes need no escape in a JSON string; 0: the first byte needs one. */
static size_t json_plain(const uint8_t *bytes, size_t size)
{
	uint32_t code;

	if (bytes[0] >= 0x80)
		return anim_utf8_decode(bytes, size, &code);
	return bytes[0] >= ' ' && bytes[0] != '"' && bytes[0] != '\\';
}

void anim_print_json(struct anim_print *print, const char *text, size_t length)
{
	size_t from = 0;

	anim_print_bytes(print, "\"", 1);
	for (size_t i = 0; i < length;) {
		size_t plain = json_plain((const uint8_t *)text + i, length - i);
		char escape[6];

		i += plain;
		if (plain > 0)
			continue;
		anim_print_bytes(print, text + from, i - from);
		anim_print_bytes(print, escape, anim_json_escape((uint8_t)text[i], escape));
		from = ++i;
	}
	anim_print_bytes(print, text + from, length - from);
	anim_print_bytes(print, "\"", 1);
}

void anim_print_json_text(struct anim_print *print, const char *text)
{
	if (text == NULL)
		anim_print_text(print, "null");
	else
		anim_print_json(print, text, strlen(text));
}

void anim_print_csv(struct anim_print *print, const char *text, size_t length)
{
	size_t from = 0, plain = 0;

	while (plain < length && strchr("\",\r\n", text[plain]) == NULL)
		plain++;
	if (plain == length && length > 0) {
		anim_print_bytes(print, text, length);
		return;
	}
	anim_print_text(print, "\"");
	for (size_t i = 0; i < length; i++) {
		if (text[i] != '"')
			continue;
		anim_print_bytes(print, text + from, i + 1 - from);
		from = i;
	}
	anim_print_bytes(print, text + from, length - from);
	anim_print_text(print, "\"");
}

void anim_print_member(struct anim_print *print, const char *name)
{
	anim_print_texts(print, ",\"", name, "\":");
}

void anim_print_text_member(struct anim_print *print, const char *name, const char *text)
{
	anim_print_member(print, name);
	anim_print_json_text(print, text);
}

void anim_print_count_member(struct anim_print *print, const char *name, uint64_t value)
{
	anim_print_member(print, name);
	anim_print_uint64(print, value);
}

void anim_print_bool_member(struct anim_print *print, const char *name, bool value)
{
	anim_print_member(print, name);
	anim_print_text(print, value ? "true" : "false");
}

void anim_print_natural_member(struct anim_print *print, const char *name, bool there, uint64_t value)
{
	anim_print_member(print, name);
	if (there)
		anim_print_uint64(print, value);
	else
		anim_print_text(print, "null");
}

void anim_print_number_member(struct anim_print *print, const char *name, double value, bool single)
{
	anim_print_member(print, name);
	anim_print_json_number(print, value, single);
}

void anim_print_rate_member(struct anim_print *print, uint32_t num, uint32_t den)
{
	anim_print_member(print, "rate");
	if (num == 0) {
		anim_print_text(print, "null");
		return;
	}
	anim_print_text(print, "{\"num\":");
	anim_print_uint64(print, num);
	anim_print_count_member(print, "den", den);
	anim_print_text(print, "}");
}

void anim_print_bits_member(struct anim_print *print, const char *name, unsigned bits, const char *const *names,
			    unsigned count)
{
	anim_print_member(print, name);
	anim_print_text(print, bits == 0 ? "[" : "[\"");
	anim_print_bits(print, bits, names, count, "\",\"");
	anim_print_text(print, bits == 0 ? "]" : "\"]");
}
