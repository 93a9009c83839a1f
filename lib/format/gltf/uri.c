/* uri.c: data URIs decoded window by window; percent-encoded names. */
#include "format/gltf/uri.h"

#include <string.h>

#include "base/text.h"
#include "format/gltf/data.h"

#define HEAD_MAX 1024  /* bytes of "data:application/octet-stream;base64," */
#define ESCAPE_MAX 6   /* of \uXXXX */
#define OUT_BYTES 6144 /* decoded at once; a multiple of 3 */
#define NO_DIGIT 64

/* The digits of base64 that came since the last whole byte, and what was decoded. */
struct base64 {
	uint32_t bits;
	unsigned digits, padding; /* of the group at hand */
	size_t size;
	uint8_t out[OUT_BYTES + 3];
};

static unsigned digit_of(uint8_t c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26u;
	if (c >= '0' && c <= '9')
		return c - '0' + 52u;
	return c == '+' ? 62 : c == '/' ? 63 : NO_DIGIT;
}

static void fill_table(uint8_t table[256])
{
	for (unsigned c = 0; c < 256; c++)
		table[c] = (uint8_t)digit_of((uint8_t)c);
}

static void put_group(struct base64 *b, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		b->out[b->size++] = (uint8_t)(b->bits >> (16 - 8 * i));
	b->bits = 0;
	b->digits = 0;
}

/* Whole groups of four as long as there are any. */
static const uint8_t *take_groups(struct base64 *b, const uint8_t table[256], const uint8_t *at, const uint8_t *end)
{
	while (end - at >= 4 && b->size + 3 <= OUT_BYTES) {
		unsigned w = table[at[0]], x = table[at[1]], y = table[at[2]], z = table[at[3]];
		uint32_t group = w << 18 | x << 12 | y << 6 | z;

		if ((w | x | y | z) >= NO_DIGIT)
			break;
		b->out[b->size] = (uint8_t)(group >> 16);
		b->out[b->size + 1] = (uint8_t)(group >> 8);
		b->out[b->size + 2] = (uint8_t)group;
		b->size += 3;
		at += 4;
	}
	return at;
}

/* One character; false where it has no place here. */
static bool take_character(struct base64 *b, uint8_t c)
{
	unsigned digit = digit_of(c);

	if (c == '=') {
		b->padding++;
		return b->digits >= 2 && b->digits + b->padding <= 4;
	}
	if (digit == NO_DIGIT || b->padding > 0)
		return false;
	b->bits |= digit << (18 - 6 * b->digits);
	b->digits++;
	if (b->digits == 4)
		put_group(b, 3);
	return true;
}

/* What an escape at the cursor stands for ("\/", "\u002B"), 0 for one that base64 has no use for. */
static uint8_t take_escape(struct anim_json_text *text)
{
	unsigned value = 0;

	if (text->end - text->at >= 2 && text->at[1] == '/') {
		text->at += 2;
		return '/';
	}
	if (text->end - text->at < ESCAPE_MAX || text->at[1] != 'u')
		return 0;
	for (int i = 2; i < ESCAPE_MAX; i++) {
		int digit = anim_hex_digit((char)text->at[i]);

		if (digit < 0)
			return 0;
		value = value << 4 | (unsigned)digit;
	}
	text->at += ESCAPE_MAX;
	return value < 128 ? (uint8_t)value : 0;
}

static int flush(struct base64 *b, struct gltf_buffer *buffer, struct anim_spool *data, struct anim_error *error)
{
	buffer->data_size += b->size;
	if (data != NULL && gltf_data_append(data, b->out, b->size, error) != 0)
		return -1;
	b->size = 0;
	return 0;
}

static int refuse(struct anim_json *json, const char *what, struct anim_error *error)
{
	struct anim_place place = anim_json_here(json);

	return anim_json_refuse(json, &place, error, "%s", what);
}

/* The next character that is no whole group's. 1; 0 behind the closing quote; -1. */
static int take_odd(struct anim_json *json, struct base64 *b, struct anim_error *error)
{
	struct anim_json_text *text = json->text;
	ssize_t got = text->end - text->at < ESCAPE_MAX ? anim_json_more(text, ESCAPE_MAX, error) : 1;
	uint8_t c;

	if (got <= 0)
		return got < 0 ? -1 : anim_json_unexpected_here(json, "the end of a string", error);
	c = *text->at;
	if (c == '"') {
		text->at++;
		return 0;
	}
	if (c == '\\')
		c = take_escape(text);
	else if (take_character(b, c))
		return text->at++, 1;
	else
		return refuse(json, "a character that base64 does not have here", error);
	if (!take_character(b, c))
		return refuse(json, "an escape in base64", error);
	return 1;
}

static int take_base64(struct anim_json *json, struct gltf_buffer *buffer, struct anim_spool *data,
		       struct anim_error *error)
{
	struct anim_json_text *text = json->text;
	struct base64 b = {.size = 0};
	uint8_t table[256];
	int more = 1;

	fill_table(table);
	while (more == 1) {
		if (b.digits == 0 && b.padding == 0)
			text->at = take_groups(&b, table, text->at, text->end);
		if (b.size + 3 <= OUT_BYTES)
			more = take_odd(json, &b, error);
		else if (flush(&b, buffer, data, error) != 0)
			return -1;
	}
	if (more < 0)
		return -1;
	if (b.digits == 1 || (b.padding > 0 && b.digits + b.padding != 4))
		return refuse(json, "base64 whose length cannot be", error);
	if (b.digits > 1)
		put_group(&b, b.digits - 1);
	return flush(&b, buffer, data, error);
}

/* The head of a data URI, the cursor on its quote: 1 with the cursor behind the comma and *length, 0 it is another URI, -1. */
static int take_head(struct anim_json *json, size_t *length, struct anim_error *error)
{
	static const char begin[] = "\"data:", base64[] = ";base64";
	struct anim_json_text *text = json->text;
	ssize_t got = anim_json_more(text, HEAD_MAX, error);
	size_t size = got > HEAD_MAX ? HEAD_MAX : (size_t)got, word = sizeof base64 - 1;
	const uint8_t *comma;

	*length = 0;
	if (got < 0)
		return -1;
	if (!anim_bytes_begin(text->at, size, begin))
		return 0;
	comma = memchr(text->at, ',', size);
	if (comma == NULL || (size_t)(comma - text->at) < sizeof begin - 1 + word ||
	    memcmp(comma - word, base64, word) != 0)
		return refuse(json, "a data URI that is not in base64", error);
	*length = (size_t)(comma + 1 - text->at);
	text->at = comma + 1;
	return 1;
}

/* In place; a '%' without two digits stays. */
static void percent_decode(char *text)
{
	char *to = text;

	for (const char *at = text; *at != '\0'; at++) {
		int high = *at == '%' ? anim_hex_digit(at[1]) : -1, low = high < 0 ? -1 : anim_hex_digit(at[2]);

		if (low < 0) {
			*to++ = *at;
			continue;
		}
		*to++ = (char)(high << 4 | low);
		at += 2;
	}
	*to = '\0';
}

static int take_name(struct anim_json *json, struct gltf_buffer *buffer, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct anim_place place = anim_json_here(json);
	bool is_null;
	char *text;

	if (anim_json_take_string(json, &json->name, &is_null, "a string", error) != 0)
		return -1;
	if (is_null)
		return anim_json_refuse(json, &place, error, "a string is needed, found null");
	text = anim_arena_text(arena, (const char *)json->name.data, json->name.size, error);
	if (text == NULL)
		return -1;
	if (strstr(text, "%00") != NULL)
		return anim_json_refuse(json, &place, error, "a NUL in the name of a file");
	percent_decode(text);
	buffer->uri = text;
	return 0;
}

int gltf_take_uri(struct anim_json *json, struct gltf_buffer *buffer, struct anim_spool *data, struct anim_arena *arena,
		  size_t *head, struct anim_error *error)
{
	int is_data = take_head(json, head, error);

	buffer->uri = NULL;
	buffer->is_data = is_data == 1;
	buffer->data_size = 0;
	if (is_data < 0)
		return -1;
	if (is_data == 0)
		return take_name(json, buffer, arena, error);
	if (data != NULL && gltf_data_align(data, error) != 0)
		return -1;
	buffer->data_place = data == NULL ? 0 : anim_spool_size(data);
	return take_base64(json, buffer, data, error);
}
