/* sjis.c: Shift-JIS as Windows writes it (code page 932), to UTF-8 and back. */
#include "format/mmd/sjis.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"

#define CELLS 188u

/* A row of characters with the same first byte. The second byte is 40 to FC, without 7F. */
static const struct row {
	unsigned char first;
	uint16_t cells[CELLS + 1]; /* code points. 0 and ' ' mean that the pair is not a character. */
} rows[] = {
#include "format/mmd/cp932.inc"
};
#define ROWS (sizeof rows / sizeof rows[0])

/* Users define the characters of the rows F0 to F9, which Windows maps to U+E000 and on. */
#define USER_FIRST 0xF0u
#define USER_ROWS 10u
#define USER_CODE 0xE000u

/* Half-width katakana: the bytes A1 to DF. */
#define KATAKANA_BYTE 0xA1u
#define KATAKANA_CODE 0xFF61u
#define KATAKANA_COUNT 63u

/* Bytes that belong to no character. */
#define BROKEN_CODE 0xF000u

/* Return the code point of two bytes, or 0 if they are not a character. */
static uint32_t code_of(unsigned first, unsigned second)
{
	unsigned cell = second - 0x40 - (second > 0x7F);

	if (second < 0x40 || second == 0x7F || second > 0xFC)
		return 0;
	if (first - USER_FIRST < USER_ROWS)
		return USER_CODE + (first - USER_FIRST) * CELLS + cell;
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].first == first)
			return rows[i].cells[cell] == ' ' ? 0 : rows[i].cells[cell];
	return 0;
}

size_t anim_sjis_to_utf8(const unsigned char *bytes, size_t count, char *out, size_t capacity, bool *broken)
{
	size_t length = 0, stored = 0;

	*broken = false;
	for (size_t i = 0; i < count && bytes[i] != 0; i++) {
		uint32_t code = bytes[i];
		char character[4];
		size_t size;

		if (code - KATAKANA_BYTE < KATAKANA_COUNT) {
			code += KATAKANA_CODE - KATAKANA_BYTE;
		} else if (code >= 0x80) {
			uint32_t both = i + 1 < count ? code_of(code, bytes[i + 1]) : 0;

			*broken |= both == 0;
			i += both != 0;
			code = both != 0 ? both : BROKEN_CODE + code;
		}
		size = anim_utf8_encode(code, character);
		if (length == stored && stored + size < capacity) {
			memcpy(out + stored, character, size);
			stored += size;
		}
		length += size;
	}
	if (capacity > 0)
		out[stored] = '\0';
	return length;
}

/* Other characters than Windows' for the same signs: the standards of Shift-JIS and other systems map these. */
static uint32_t as_windows(uint32_t code)
{
	static const uint16_t pairs[][2] = {
	    {0x00A2, 0xFFE0}, {0x00A3, 0xFFE1}, {0x00A5, '\\'},   {0x00AC, 0xFFE2}, {0x2014, 0x2015},
	    {0x2016, 0x2225}, {0x203E, '~'},    {0x2212, 0xFF0D}, {0x301C, 0xFF5E},
	};

	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		if (pairs[i][0] == code)
			return pairs[i][1];
	return code;
}

/* Store the bytes of a character. Returns 1 or 2, or 0 if the code page lacks it. */
static size_t bytes_of(uint32_t code, unsigned char out[2])
{
	unsigned cell = code - USER_CODE;

	out[0] = (unsigned char)code;
	if (code < 0x80 || code - BROKEN_CODE - 0x80 < 0x80)
		return 1;
	out[0] = (unsigned char)(code - KATAKANA_CODE + KATAKANA_BYTE);
	if (code - KATAKANA_CODE < KATAKANA_COUNT)
		return 1;
	out[0] = (unsigned char)(USER_FIRST + cell / CELLS);
	if (cell >= USER_ROWS * CELLS) {
		size_t at = 0, end = ROWS * CELLS;

		while (at < end && rows[at / CELLS].cells[at % CELLS] != code)
			at++;
		if (at == end)
			return 0;
		out[0] = rows[at / CELLS].first;
		cell = (unsigned)at;
	}
	cell = cell % CELLS + 0x40;
	out[1] = (unsigned char)(cell + (cell >= 0x7F));
	return 2;
}

size_t anim_sjis_from_utf8(const char *text, unsigned char *out, size_t capacity, bool *lacks)
{
	size_t length = 0, stored = 0, left = strlen(text);

	*lacks = false;
	while (left > 0) {
		unsigned char bytes[2];
		uint32_t code = 0;
		size_t read = anim_utf8_decode((const uint8_t *)text, left, &code);
		size_t size = read > 0 ? bytes_of(as_windows(code), bytes) : 0;

		if (size == 0) {
			*lacks = true;
			bytes[0] = '?';
			size = 1;
		}
		if (length == stored && stored + size <= capacity) {
			memcpy(out + stored, bytes, size);
			stored += size;
		}
		length += size;
		text += read > 0 ? read : 1;
		left -= read > 0 ? read : 1;
	}
	if (capacity > stored)
		memset(out + stored, 0, capacity - stored);
	return length;
}
