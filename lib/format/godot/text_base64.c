/* text_base64.c: the bytes of PackedByteArray("..."). */
#include "format/godot/text_internal.h"

/* The value of a digit of RFC 4648's alphabet, -1 for another byte. */
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

/* Decodes in place; blanks are passed over. The number of bytes, or -1 where it is not base64. */
static ptrdiff_t decode(uint8_t *bytes, size_t size)
{
	uint32_t bits = 0;
	size_t digits = 0, padding = 0, out = 0;
	int value;

	for (size_t i = 0; i < size; i++) {
		if (bytes[i] <= ' ')
			continue;
		if (bytes[i] == '=') {
			padding++;
			continue;
		}
		value = digit_value(bytes[i]);
		if (value < 0 || padding > 0)
			return -1;
		bits = bits << 6 | (uint32_t)value;
		if (++digits % 4 == 1)
			continue;
		bytes[out++] = (uint8_t)(bits >> (6 - 2 * ((digits - 1) % 4)));
	}
	if ((digits + padding) % 4 != 0 || padding > 2)
		return -1;
	return (ptrdiff_t)out;
}

int godot_base64_read(struct godot_text *text, struct anim_error *error)
{
	struct anim_place place;
	ptrdiff_t size;

	godot_lexer_place(&text->lexer, &place);
	text->items.size = 0;
	if (godot_lexer_string(&text->lexer, &text->items, SIZE_MAX / 4, error) != 0)
		return -1;
	size = decode(text->items.data, text->items.size);
	if (size < 0)
		return anim_fail_at(error, ANIM_BAD_INPUT, &place, "the string is not base64");
	text->items.size = (size_t)size;
	return 0;
}

int godot_base64_print(struct anim_buffer *out, const uint8_t *bytes, size_t size, struct anim_error *error)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t four[4];
	uint32_t bits;

	if (anim_buffer_append(out, "\"", 1, error) != 0)
		return -1;
	for (size_t i = 0; i < size; i += 3) {
		bits = (uint32_t)bytes[i] << 16;
		bits |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
		bits |= i + 2 < size ? (uint32_t)bytes[i + 2] : 0;
		for (int k = 0; k < 4; k++)
			four[k] = (uint8_t)alphabet[bits >> (18 - 6 * k) & 63];
		if (i + 2 >= size)
			four[3] = '=';
		if (i + 1 >= size)
			four[2] = '=';
		if (anim_buffer_append(out, four, sizeof four, error) != 0)
			return -1;
	}
	return anim_buffer_append(out, "\"", 1, error);
}
