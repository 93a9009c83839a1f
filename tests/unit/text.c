/* text.c: UTF-8, safe text and globs. */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/path.h"
#include "tap.h"

TEST(text_parts, "prefixes, words of a list, suffixes of a path and hexadecimal digits are told")
{
	static const char *const words[] = {".png", ".tiff"};
	struct anim_arena arena = {0};
	char *text = anim_arena_printf(&arena, NULL, "%.*s-%d", 2, "abc", 7);

	CHECK(text != NULL && strcmp(text, "ab-7") == 0);
	CHECK(strcmp(anim_text_after("m_Local.x", "m_Local"), ".x") == 0 && strcmp(anim_text_after("a", ""), "a") == 0);
	CHECK(anim_text_after("m_Loca", "m_Local") == NULL && anim_text_after(NULL, "") == NULL);
	CHECK(anim_text_is_one_of(".tiff", words, 2) && !anim_text_is_one_of(".tif", words, 2) &&
	      !anim_text_is_one_of(NULL, words, 2));
	CHECK(anim_bytes_begin("%YAML", 5, "%YAML") && !anim_bytes_begin("%YAML", 4, "%YAML"));
	CHECK(anim_path_has_suffix("a/b.PNG", words, 2) && !anim_path_has_suffix(".png", words, 2) &&
	      !anim_path_has_suffix("a.png.x", words, 2));
	for (int c = -128; c < 128; c++) {
		const char *at = c > 0 ? strchr("0123456789abcdefABCDEF", c) : NULL;

		CHECKF((anim_hex_digit((char)c) >= 0) == (at != NULL), "%d", c);
	}
	CHECK(anim_hex_digit('9') == 9 && anim_hex_digit('a') == 10 && anim_hex_digit('F') == 15);
	anim_arena_clear(&arena);
}

TEST(text_find, "a text is found where it stands first, and only where it is whole")
{
	static const char bytes[] = "ababac\nab\0c";
	const uint8_t *begin = (const uint8_t *)bytes;

	CHECK(anim_text_find(bytes, 6, "abac") == begin + 2);
	CHECK(anim_text_find(bytes, 5, "abac") == NULL);
	CHECK(anim_text_find(bytes, 6, "ab") == begin);
	CHECK(anim_text_find(bytes, 3, "abac") == NULL);
	CHECK(anim_text_find(bytes, sizeof bytes - 1, "c\n") == begin + 5);
	CHECK(anim_text_find(bytes, sizeof bytes - 1, "d") == NULL);
	CHECK(anim_text_find(NULL, 0, "a") == NULL);
}

TEST(byte_last, "the last byte of a value is found, NUL too, and none among no bytes")
{
	static const char bytes[] = "ab\0ab";
	const uint8_t *begin = (const uint8_t *)bytes;

	CHECK(anim_byte_last(bytes, 5, 'a') == begin + 3);
	CHECK(anim_byte_last(bytes, 3, 'a') == begin);
	CHECK(anim_byte_last(bytes, 5, 0) == begin + 2);
	CHECK(anim_byte_last(bytes, 5, 'c') == NULL);
	CHECK(anim_byte_last(NULL, 0, 'a') == NULL);
}

TEST(utf8_round, "every code point decodes to itself, surrogates and too large ones encode as U+FFFD")
{
	uint32_t code;
	char bytes[4];

	for (uint32_t wanted = 0; wanted < 0x110010; wanted++) {
		size_t length = anim_utf8_encode(wanted, bytes);
		bool valid = wanted <= 0x10ffff && (wanted < 0xd800 || wanted > 0xdfff);

		code = 0;
		CHECKF(anim_utf8_decode((const uint8_t *)bytes, length, &code) == length, "U+%04X", (unsigned)wanted);
		CHECKF(code == (valid ? wanted : 0xfffd), "U+%04X decodes to U+%04X", (unsigned)wanted, (unsigned)code);
		CHECKF(length == 1 || anim_utf8_decode((const uint8_t *)bytes, length - 1, &code) == 0, "cut U+%04X",
		       (unsigned)wanted);
	}
}

TEST(utf8_bad, "overlong, surrogate, stray and too large sequences are no UTF-8")
{
	static const char *const rows[] = {
	    "\x80",         "\xbf",         "\xc0\x80",     "\xc1\xbf",         "\xc3\x28",         "\xe0\x80\x80",
	    "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
	    "\xf5\x80\x80", "\xfe",         "\xff",         "\xe2\x82\x28"};
	uint32_t code;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECKF(anim_utf8_decode((const uint8_t *)rows[i], strlen(rows[i]), &code) == 0, "row %zu", i);
		CHECKF(anim_utf8_prefix(rows[i], strlen(rows[i])) == 0, "row %zu", i);
	}
}

TEST(utf8_prefix, "the prefix ends before the first byte that is NUL or not UTF-8, wherever it stands")
{
	static const char good[] = "plain text, gr\xc3\xbc\xc3\x9f"
				   "e, \xe2\x82\xac, \xf0\x9f\x8e\xac and more plain text";
	char text[sizeof good];
	size_t size = sizeof good - 1;

	CHECK(anim_utf8_prefix(good, size) == size);
	CHECK(anim_utf8_prefix(good, 0) == 0);
	for (size_t place = 0; place < size; place++) {
		if ((good[place] & 0xc0) == 0x80)
			continue;
		memcpy(text, good, sizeof good);
		text[place] = '\0';
		CHECKF(anim_utf8_prefix(text, size) == place, "NUL at %zu", place);
		text[place] = '\xff';
		CHECKF(anim_utf8_prefix(text, size) == place, "ff at %zu", place);
		CHECKF(anim_utf8_prefix(good, place) == place, "cut at %zu", place);
	}
}

TEST(text_safe, "controls, bidirectional controls and invalid bytes show as \\xNN, other text as it is")
{
	static const struct {
		const char *text, *shown;
	} rows[] = {
	    {"", ""},
	    {"Hips", "Hips"},
	    {"Gr\xc3\xbc\xc3\x9f"
	     "e \xe9\xab\x98",
	     "Gr\xc3\xbc\xc3\x9f"
	     "e \xe9\xab\x98"},
	    {"a\nb\tc\x7f", "a\\x0ab\\x09c\\x7f"},
	    {"\x1b[31m", "\\x1b[31m"},
	    {"\xc2\x85", "\\xc2\\x85"},
	    {"a\xe2\x80\xae"
	     "b",
	     "a\\xe2\\x80\\xaeb"},
	    {"\xe2\x81\xa6\xe2\x81\xa9\xd8\x9c\xe2\x80\x8e", "\\xe2\\x81\\xa6\\xe2\\x81\\xa9\\xd8\\x9c\\xe2\\x80\\x8e"},
	    {"\xff\xc3", "\\xff\\xc3"},
	    {"\xe2\x82", "\\xe2\\x82"},
	    {"\\x41", "\\x41"}};
	char out[64];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t needed = anim_text_safe(out, sizeof out, rows[i].text, strlen(rows[i].text));

		CHECKF(strcmp(out, rows[i].shown) == 0, "row %zu shows %s", i, out);
		CHECKF(needed == strlen(rows[i].shown), "row %zu needs %zu", i, needed);
	}
	CHECK(anim_text_safe(out, sizeof out, "a\0b", 3) == 6 && strcmp(out, "a\\x00b") == 0);
}

TEST(text_safe_cut, "text that does not fit is cut between whole characters and escapes")
{
	static const char text[] = "a\xe2\x82\xac\n"
				   "b";
	char out[16];

	for (size_t capacity = 1; capacity <= sizeof out; capacity++) {
		static const size_t lengths[] = {0, 0, 1, 1, 1, 4, 4, 4, 4, 8, 9, 9, 9, 9, 9, 9, 9};

		memset(out, '#', sizeof out);
		CHECK(anim_text_safe(out, capacity, text, sizeof text - 1) == 9);
		CHECKF(strlen(out) == lengths[capacity], "%zu bytes hold %zu", capacity, strlen(out));
		CHECKF(capacity == sizeof out || out[capacity] == '#', "%zu bytes are written beyond", capacity);
	}
	CHECK(anim_text_safe(NULL, 0, text, sizeof text - 1) == 9);
}

TEST(text_quote, "a word is given to a shell as it is, in apostrophes, or by printf where a terminal should not get it")
{
	static const struct {
		const char *word, *quoted;
	} rows[] = {{"walk-2.tscn", "walk-2.tscn"},
		    {"", "''"},
		    {"a b", "'a b'"},
		    {"%c.animj", "'%c.animj'"},
		    {"it's $HOME", "'it'\\''s $HOME'"},
		    {"Gr\xc3\xbc\xc3\x9f", "'Gr\xc3\xbc\xc3\x9f'"},
		    {"a\x1b[m", "'a'\"$(printf '\\033')\"'[m'"}};
	char out[64];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t needed = anim_text_quote(out, sizeof out, rows[i].word);

		CHECKF(strcmp(out, rows[i].quoted) == 0, "row %zu is %s", i, out);
		CHECKF(needed == strlen(rows[i].quoted), "row %zu needs %zu", i, needed);
	}
}

TEST(glob, "a star crosses '/', a pattern without '/' and ':' is matched against the last name")
{
	static const struct {
		const char *pattern, *path;
		bool match;
	} rows[] = {{"Hips", "A/Skeleton3D:Hips", true},
		    {"Skeleton3D", "A/Skeleton3D:Hips", false},
		    {"A/*", "A/Skeleton3D:Hips", true},
		    {"A/*:*", "A/B/Skeleton3D:Hips", true},
		    {"A", "A/B", false},
		    {"B", "A/B", true},
		    {"*Hand*", "Armature/LeftHandThumb", true},
		    {"*Hand*", "LeftHand/Thumb", false},
		    {"*Hand*/*", "LeftHand/Thumb", true},
		    {"?and", "x/Hand", true},
		    {"[GH]and", "x/Hand", true},
		    {"[!GH]and", "x/Hand", false},
		    {".", ".", true},
		    {"*", "", true},
		    {"", "", true},
		    {"", "A", false},
		    {"*", ".hidden", true},
		    {"hips", "Hips", false},
		    {"Bone[1]", "A/Bone[1]", true},
		    {"A/B*[1]", "A/B*[1]", true},
		    {"Bone[1]", "Bone1", true}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECKF(anim_glob_match(rows[i].pattern, rows[i].path) == rows[i].match, "'%s' on '%s'", rows[i].pattern,
		       rows[i].path);
}
