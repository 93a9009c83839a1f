/* sjis.h: Shift-JIS as Windows writes it (code page 932), to UTF-8 and back. */
#ifndef ANIM_FORMAT_MMD_SJIS_H
#define ANIM_FORMAT_MMD_SJIS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Convert at most `count` bytes, up to the first zero byte, and store at most `capacity` - 1 bytes of whole characters
 * and a NUL. Returns the length of the full text, as snprintf does. A byte that belongs to no character becomes
 * U+F000 + byte, from which anim_sjis_from_utf8 makes the byte again, and sets *broken. Otherwise *broken is false.
 */
size_t anim_sjis_to_utf8(const unsigned char *bytes, size_t count, char *out, size_t capacity, bool *broken);

/*
 * Convert a text. Stores the whole characters that fit into `capacity` bytes and fills the rest with zeros, without a
 * NUL if the field is full. Returns the number of bytes of the full text: a larger number than `capacity` means that
 * the text was cut. A character that the code page lacks becomes '?' and sets *lacks. Otherwise *lacks is false.
 * The bytes of a name are kept, except for characters with two codes, of which Windows' choice is written.
 */
size_t anim_sjis_from_utf8(const char *text, unsigned char *out, size_t capacity, bool *lacks);

#endif
