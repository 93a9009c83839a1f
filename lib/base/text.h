/* text.h: UTF-8 checks, text found among bytes and made safe to show, globs. */
#ifndef ANIM_BASE_TEXT_H
#define ANIM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands behind the prefix; NULL where the text is NULL or does not begin with it. */
const char *anim_text_behind(const char *text, const char *prefix);

/* True where the text, which may be NULL, is one of these. */
bool anim_text_is_one_of(const char *text, const char *const *texts, size_t count);

/* True where the bytes begin with the text. */
bool anim_bytes_begin(const void *bytes, size_t size, const char *text);

/* 0 to 15; -1 for what is no hexadecimal digit. */
static inline int anim_hex_digit(char c)
{
	unsigned digit = (unsigned)c - '0', letter = ((unsigned)c | 0x20) - 'a';

	return digit < 10 ? (int)digit : letter < 6 ? (int)letter + 10 : -1;
}

/* Where the text, which is not empty, stands first in the bytes; NULL where it does not. */
const uint8_t *anim_text_find(const void *bytes, size_t size, const char *text);

/* The last byte of that value; NULL where there is none. */
const uint8_t *anim_byte_last(const void *bytes, size_t size, uint8_t byte);

/* "a, b, c": the words as far as there is room; a NUL ends it. */
void anim_text_list(char *out, size_t capacity, const char *const *words, size_t count);

bool anim_text_ends(const char *text, const char *with);
/* True where the word is one of those that stand with a blank between them in `words`. */
bool anim_text_is_word(const char *words, const char *word);

/* Length of the longest prefix of well-formed UTF-8 (RFC 3629) without NUL; equals size where all is well. */
size_t anim_utf8_prefix(const void *bytes, size_t size);

/* Decodes one code point at `bytes` (size > 0): its length 1..4, or 0 where it is not UTF-8. */
size_t anim_utf8_decode(const uint8_t *bytes, size_t size, uint32_t *code);
size_t anim_utf8_encode(uint32_t code, char out[4]); /* 1..4; U+FFFD for a surrogate or beyond U+10FFFF */

/* True for what must not reach a terminal: controls, line and paragraph separators, bidirectional controls. */
bool anim_code_is_unsafe(uint32_t code);

/*
 * The escape of a byte that a JSON string may not hold as it is: below 32, '"', '\\', and of what is not UTF-8, which stands
 * there as people are shown it: the letters \xNN. Its length, 2, 5 or 6.
 */
size_t anim_json_escape(uint8_t byte, char out[6]);

/*
 * Copies text for a terminal: control characters, bidirectional controls and invalid bytes become \xNN. At most
 * `capacity` - 1 bytes and a NUL are stored. Returns what the whole would have needed, as snprintf does.
 */
size_t anim_text_safe(char *out, size_t capacity, const char *text, size_t length);

/*
 * Write the word as a POSIX shell has to be given it: unchanged if the shell gives no character of it a meaning, else in
 * apostrophes. A byte that anim_text_safe would escape becomes a printf of the shell, so that the result is safe to show. At
 * most `capacity` - 1 bytes and a NUL are stored. Returns the length of the whole, as snprintf does.
 */
size_t anim_text_quote(char *out, size_t capacity, const char *word);

/*
 * fnmatch's globs: '*' crosses '/'; a pattern without '/' and ':' is matched against the last name. The name itself fits,
 * whatever is in it ("Bone[1]").
 */
bool anim_glob_match(const char *pattern, const char *path);

#endif
