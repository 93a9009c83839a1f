/* text.c: UTF-8 checks, searches in text, safe printing, globs. */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

const char *anim_text_after(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);

	return text != NULL && strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

bool anim_text_is_one_of(const char *text, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text != NULL && strcmp(text, texts[i]) == 0)
			return true;
	return false;
}

bool anim_bytes_begin(const void *bytes, size_t size, const char *text)
{
	size_t length = strlen(text);

	return size >= length && memcmp(bytes, text, length) == 0;
}

const uint8_t *anim_text_find(const void *bytes, size_t size, const char *text)
{
	size_t length = strlen(text);
	const uint8_t *at = bytes;

	while (size >= length) {
		const uint8_t *found = memchr(at, text[0], size - length + 1);

		if (found == NULL || memcmp(found, text, length) == 0)
			return found;
		size -= (size_t)(found + 1 - at);
		at = found + 1;
	}
	return NULL;
}

const uint8_t *anim_byte_last(const void *bytes, size_t size, uint8_t byte)
{
	const uint8_t *first = bytes;

	while (size > 0)
		if (first[--size] == byte)
			return first + size;
	return NULL;
}

size_t anim_utf8_decode(const uint8_t *bytes, size_t size, uint32_t *code)
{
	static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
	uint8_t first = bytes[0];
	size_t length;
	uint32_t value;

	if (first < 0x80) {
		*code = first;
		return 1;
	}
	if (first < 0xc2 || first > 0xf4)
		return 0;
	length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	if (length > size)
		return 0;
	value = first & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (bytes[i] & 0x3f);
	}
	if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*code = value;
	return length;
}

/* Return how many of the bytes, in steps of eight, are ASCII other than NUL. */
static size_t ascii_prefix(const uint8_t *bytes, size_t size)
{
	size_t i = 0;
	uint64_t word;

	for (; size - i >= 8; i += 8) {
		memcpy(&word, bytes + i, sizeof word);
		/* If a byte has no top bit, it is 0 if adding 0x7f does not set its top bit. */
		if ((word & 0x8080808080808080u) != 0 ||
		    ((word + 0x7f7f7f7f7f7f7f7fu) & 0x8080808080808080u) != 0x8080808080808080u)
			break;
	}
	return i;
}

void anim_text_list(char *out, size_t capacity, const char *const *words, size_t count)
{
	out[0] = '\0';
	for (size_t i = 0, used = 0; i < count && used < capacity; i++)
		used += (size_t)snprintf(out + used, capacity - used, "%s%s", i > 0 ? ", " : "", words[i]);
}

bool anim_text_ends(const char *text, const char *with)
{
	size_t length = strlen(text), size = strlen(with);

	return length >= size && memcmp(text + length - size, with, size) == 0;
}

bool anim_text_has_word(const char *words, const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (word[i] == ' ' || word[i] == '\0')
			return false;
	for (const char *at = words; length > 0 && (at = strchr(at, *word)) != NULL; at++)
		if ((at == words || at[-1] == ' ') && strncmp(at, word, length) == 0 &&
		    (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

size_t anim_utf8_prefix(const void *bytes, size_t size)
{
	const uint8_t *text = bytes;
	size_t at = 0, length;
	uint32_t code;

	while (at < size) {
		at += ascii_prefix(text + at, size - at);
		if (at == size)
			break;
		length = anim_utf8_decode(text + at, size - at, &code);
		if (length == 0 || code == 0)
			break;
		at += length;
	}
	return at;
}

size_t anim_utf8_encode(uint32_t code, char out[4])
{
	if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		code = 0xfffd;
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xc0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xe0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3f));
		out[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | code >> 18);
	out[1] = (char)(0x80 | (code >> 12 & 0x3f));
	out[2] = (char)(0x80 | (code >> 6 & 0x3f));
	out[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

/* These are controls (C0, DEL, C1), the line and paragraph separators, and Unicode's Bidi_Control characters. */
bool anim_code_is_unsafe(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x061c || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

size_t anim_json_escape(uint8_t byte, char out[6])
{
	static const char hex[] = "0123456789abcdef";
	static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *at = memchr(plain, byte, sizeof plain - 1);
	size_t digits = byte < 0x80 ? 4 : 3;

	memcpy(out, byte < 0x80 ? "\\u00" : "\\\\x", 4);
	out[digits] = hex[byte >> 4];
	out[digits + 1] = hex[byte & 15];
	if (at == NULL)
		return digits + 2;
	out[1] = letters[at - plain];
	return 2;
}

/*
 * Text of limited size. Pieces are stored completely or not at all, and none is stored after a piece that did not
 * fit.
 */
struct safe_text {
	char *out;
	size_t capacity, stored, needed;
	bool full;
};

static void add_piece(struct safe_text *safe, const char *piece, size_t length)
{
	safe->needed += length;
	safe->full = safe->full || safe->stored + length >= safe->capacity;
	if (safe->full)
		return;
	memcpy(safe->out + safe->stored, piece, length);
	safe->stored += length;
}

size_t anim_text_safe(char *out, size_t capacity, const char *text, size_t length)
{
	static const char hex[] = "0123456789abcdef";
	struct safe_text safe = {out, capacity, 0, 0, false};
	const uint8_t *bytes = (const uint8_t *)text;
	uint32_t code;

	for (size_t at = 0; at < length;) {
		size_t size = anim_utf8_decode(bytes + at, length - at, &code);

		if (size > 0 && !anim_code_is_unsafe(code)) {
			add_piece(&safe, text + at, size);
			at += size;
			continue;
		}
		for (size_t end = at + (size > 0 ? size : 1); at < end; at++)
			add_piece(&safe, (char[]){'\\', 'x', hex[bytes[at] >> 4], hex[bytes[at] & 15]}, 4);
	}
	if (capacity > 0)
		out[safe.stored] = '\0';
	return safe.needed;
}

/* Characters without a meaning to any shell anywhere in an argument, except '=' at its start. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@="

size_t anim_text_quote(char *out, size_t capacity, const char *word)
{
	struct safe_text quoted = {out, capacity, 0, 0, false};
	size_t length = strlen(word);
	bool is_safe = anim_text_safe(NULL, 0, word, length) == length;
	bool is_plain = length > 0 && strspn(word, PLAIN) == length && word[0] != '=';
	char octal[sizeof "'\"$(printf '\\000')\"'"];

	add_piece(&quoted, "'", is_plain ? 0 : 1);
	for (; *word != '\0'; word++) {
		unsigned char byte = (unsigned char)*word;

		if (byte == '\'') {
			add_piece(&quoted, "'\\''", 4);
		} else if (is_safe || byte == '\n' || (byte >= ' ' && byte <= '~')) {
			add_piece(&quoted, word, 1); /* a command substitution would drop a line feed */
		} else {
			snprintf(octal, sizeof octal, "'\"$(printf '\\%03o')\"'", (unsigned)byte);
			add_piece(&quoted, octal, sizeof octal - 1);
		}
	}
	add_piece(&quoted, "'", is_plain ? 0 : 1);
	if (capacity > 0)
		out[quoted.stored] = '\0';
	return quoted.needed;
}

/* Get a character of UTF-8, or a byte that belongs to none. Returns its length. */
static size_t get_character(const char *text, uint32_t *code)
{
	size_t length;

	if ((uint8_t)*text < 0x80) {
		*code = (uint8_t)*text;
		return 1;
	}
	length = anim_utf8_decode((const uint8_t *)text, strnlen(text, 4), code);
	if (length == 0)
		*code = 0x110000 + (uint8_t)*text;
	return length == 0 ? 1 : length;
}

static bool is_in_class(const char *name, uint32_t code)
{
	bool upper = code >= 'A' && code <= 'Z', lower = code >= 'a' && code <= 'z', digit = code >= '0' && code <= '9';

	return (upper && strncmp(name, "upper", 5) == 0) || (lower && strncmp(name, "lower", 5) == 0) ||
	       (digit && strncmp(name, "digit", 5) == 0) || ((upper || lower) && strncmp(name, "alpha", 5) == 0) ||
	       ((upper || lower || digit) && strncmp(name, "alnum", 5) == 0) ||
	       ((code == ' ' || (code >= '\t' && code <= '\r')) && strncmp(name, "space", 5) == 0) ||
	       (code > ' ' && code < 0x7f && !upper && !lower && !digit && strncmp(name, "punct", 5) == 0);
}

/* Match a set, which begins after its '['. Returns its end, or NULL if it has none, so that '[' is a character. */
static const char *match_set(const char *at, uint32_t code, bool *fits)
{
	bool excludes = *at == '!' || *at == '^', found = false;
	const char *first = at += excludes;

	while (*at != ']' || at == first) {
		uint32_t low, high;

		if (at[0] == '[' && at[1] == ':' && strnlen(at, 9) == 9 && at[7] == ':' && at[8] == ']') {
			found |= is_in_class(at + 2, code);
			at += 9;
			continue;
		}
		at += *at == '\\';
		if (*at == '\0')
			return NULL;
		at += get_character(at, &low);
		high = low;
		if (at[0] == '-' && at[1] != ']' && at[1] != '\0')
			at += 1 + get_character(at + 1, &high);
		found |= code >= low && code <= high;
	}
	*fits = found != excludes;
	return at + 1;
}

/* Match one character, and move after it. */
static bool match_one(const char **pattern, const char **text)
{
	const char *at = *pattern, *end = at + 1;
	bool fits = true;
	uint32_t code, wanted;
	size_t length;

	if (*at == '\0' || **text == '\0')
		return false;
	length = get_character(*text, &code);
	if (*at != '?' && (*at != '[' || (end = match_set(at + 1, code, &fits)) == NULL)) {
		at += *at == '\\' && at[1] != '\0';
		end = at + get_character(at, &wanted);
		fits = wanted == code;
	}
	*pattern = end;
	*text += length;
	return fits;
}

/* fnmatch is not used because systems differ in it. */
bool anim_glob_fits(const char *pattern, const char *text)
{
	const char *star = NULL, *from = NULL; /* after the last '*', and the end of its text */
	uint32_t ignored;

	while (*pattern != '\0' || *text != '\0') {
		if (*pattern == *text && *text >= '_') { /* no character with a meaning */
			pattern++;
			text++;
		} else if (*pattern == '*') {
			star = ++pattern;
			from = text;
		} else if (!match_one(&pattern, &text)) {
			if (star == NULL || *from == '\0')
				return false;
			from += get_character(from, &ignored);
			pattern = star;
			text = from;
		}
	}
	return true;
}

bool anim_glob_match(const char *pattern, const char *path)
{
	const char *name = path;

	if (strpbrk(pattern, "/:") == NULL) {
		for (const char *at = path; *at != '\0'; at++) {
			if (*at == '/' || *at == ':')
				name = at + 1;
		}
	}
	return strcmp(pattern, name) == 0 || anim_glob_fits(pattern, name);
}

bool anim_globs_match(const char *const *globs, size_t count, const char *path, const char *other)
{
	bool found = false, wants = false;

	for (size_t i = 0; i < count; i++) {
		bool excludes = globs[i][0] == '!';

		wants |= !excludes;
		if (!anim_glob_match(globs[i] + excludes, path) &&
		    (other == NULL || !anim_glob_match(globs[i] + excludes, other)))
			continue;
		if (excludes)
			return false;
		found = true;
	}
	return found || !wants;
}
