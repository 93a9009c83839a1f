/* text.h: UTF-8 checks, searches in text, safe printing, globs. */
#ifndef ANIM_BASE_TEXT_H
#define ANIM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Return the text after the prefix, or NULL if the text is NULL or does not begin with it. */
const char *anim_text_after(const char *text, const char *prefix);

/* Return true if the text, which may be NULL, is one of these. */
bool anim_text_is_one_of(const char *text, const char *const *texts, size_t count);

/* Return true if the bytes begin with the text. */
bool anim_bytes_begin(const void *bytes, size_t size, const char *text);

/* Return 0 to 15, or -1 if it is not a hexadecimal digit. */
static inline int anim_hex_digit(char c)
{
	unsigned digit = (unsigned)c - '0', letter = ((unsigned)c | 0x20) - 'a';

	return digit < 10 ? (int)digit : letter < 6 ? (int)letter + 10 : -1;
}

/* Return the first occurrence of a non-empty text in the bytes, or NULL. */
const uint8_t *anim_text_find(const void *bytes, size_t size, const char *text);

/* Return the last byte with this value, or NULL if it does not occur. */
const uint8_t *anim_byte_last(const void *bytes, size_t size, uint8_t byte);

/* Print "a, b, c": as many words as fit, ended by a NUL. */
void anim_text_list(char *out, size_t capacity, const char *const *words, size_t count);

bool anim_text_ends(const char *text, const char *with);
/* Return true if the word is one of the blank-separated `words`. */
bool anim_text_has_word(const char *words, const char *word, size_t length);
static inline bool anim_text_is_word(const char *words, const char *word)
{
	return anim_text_has_word(words, word, strlen(word));
}

/*
 * Return the length of the longest prefix of well-formed UTF-8 (RFC 3629) without NUL. It equals size if all bytes
 * are valid.
 */
size_t anim_utf8_prefix(const void *bytes, size_t size);

/* Decode one code point at `bytes` (size > 0). Returns its length 1..4, or 0 if it is not UTF-8. */
size_t anim_utf8_decode(const uint8_t *bytes, size_t size, uint32_t *code);
/* returns 1..4; U+FFFD for a surrogate or a code beyond U+10FFFF */
size_t anim_utf8_encode(uint32_t code, char out[4]);

/*
 * Return true for characters that must not reach a terminal: controls, line and paragraph separators, bidirectional
 * controls.
 */
bool anim_code_is_unsafe(uint32_t code);

/*
 * Write the escape of a byte that may not appear unescaped in a JSON string: a byte below 32, '"', '\\', or a byte
 * that is not UTF-8. The latter is shown as in messages, as the letters \xNN. Returns the length, 2, 5 or 6.
 */
size_t anim_json_escape(uint8_t byte, char out[6]);

/*
 * Copy text for a terminal. Control characters, bidirectional controls and invalid bytes become \xNN. At most
 * `capacity` - 1 bytes and a NUL are stored. Returns the length of the full text, as snprintf does.
 */
size_t anim_text_safe(char *out, size_t capacity, const char *text, size_t length);

/*
 * Quote a word for a POSIX shell. A word without special characters is unchanged; other words are put in apostrophes.
 * A byte that anim_text_safe would escape becomes a printf command of the shell, so that the result is safe to show.
 * At most `capacity` - 1 bytes and a NUL are stored. Returns the length of the full text, as snprintf does.
 */
size_t anim_text_quote(char *out, size_t capacity, const char *word);

/*
 * Match a text with a glob: '*' for any text, also '/', '?' for a character of UTF-8, sets such as [a-z], [!0-9] and
 * [[:upper:]], whose classes are of ASCII, and '\' before a character without its meaning.
 */
bool anim_glob_fits(const char *pattern, const char *text);

/*
 * The same for the name in a path: a pattern without '/' and ':' is matched against the last name. A name always matches itself,
 * whatever characters it contains ("Bone[1]").
 */
bool anim_glob_match(const char *pattern, const char *path);

/*
 * Return whether one of the globs matches the path or `other` (a second form of it, or NULL), and no glob after a '!'
 * does. Without globs, or if all of them begin with '!', everything else matches.
 */
bool anim_globs_match(const char *const *globs, size_t count, const char *path, const char *other);

#endif
