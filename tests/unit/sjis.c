/* sjis.c: Shift-JIS to UTF-8 and back, against the C library's table where it has one. */
#include "format/mmd/sjis.h"

#include <iconv.h>
#include <stdio.h>
#include <string.h>

#include "tap.h"

TEST(sjis_names, "names of bones become UTF-8 and the same bytes again")
{
	/* left arm twist; half-width nekutai; a second byte 5C; a character that only IBM's rows have; full width 1 */
	static const struct {
		const char *bytes, *text;
	} names[] = {
	    {"\x8D\xB6\x98\x72\x9D\x80", "左腕捩"},
	    {"\xC8\xB8\xC0\xB2", "ﾈｸﾀｲ"},
	    {"\x94\x5C\x97\xCD\x95\x5C", "能力表"},
	    {"\xFB\xFC\x8B\xB4", "髙橋"},
	    {"\x89\x45\x82\x50", "右１"},
	    {"\x87\x40\x81\x60\x81\x7C", "①～－"},
	    {"a\\~ 0", "a\\~ 0"},
	    {"\xF0\x40\xF9\xFC", "\xEE\x80\x80\xEE\x9D\x97"},
	    {"", ""},
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		unsigned char bytes[32];
		char text[64];
		bool broken = true, lacks = true;
		size_t length = strlen(names[i].bytes);
		size_t size =
		    anim_sjis_to_utf8((const unsigned char *)names[i].bytes, length, text, sizeof text, &broken);

		CHECKF(size == strlen(names[i].text) && strcmp(text, names[i].text) == 0 && !broken, "%s", text);
		size = anim_sjis_from_utf8(names[i].text, bytes, sizeof bytes, &lacks);
		CHECKF(size == length && memcmp(bytes, names[i].bytes, length) == 0 && !lacks, "%s", names[i].text);
	}
}

TEST(sjis_limits, "texts end at a zero byte, are cut between characters, and give their full length")
{
	static const unsigned char field[8] = {0x8D, 0xB6, 0x91, 0xAB, 0, 0xFD, 0xFD, 0xFD}; /* 左足, and padding */
	unsigned char bytes[15];
	char text[8];
	bool flag;

	CHECK(anim_sjis_to_utf8(field, 8, text, 8, &flag) == 6 && strcmp(text, "左足") == 0 && !flag);
	CHECK(anim_sjis_to_utf8(field, 8, text, 6, &flag) == 6 && strcmp(text, "左") == 0);
	CHECK(anim_sjis_to_utf8(field, 8, text, 1, &flag) == 6 && text[0] == '\0');
	CHECK(anim_sjis_to_utf8(field, 8, NULL, 0, &flag) == 6);
	CHECK(anim_sjis_to_utf8(field, 0, text, 8, &flag) == 0 && text[0] == '\0');
	memset(bytes, 1, sizeof bytes);
	CHECK(anim_sjis_from_utf8("左足", bytes, 3, &flag) == 4 && memcmp(bytes, "\x8D\xB6\0\1", 4) == 0 && !flag);
	CHECK(anim_sjis_from_utf8("a左", bytes, 2, &flag) == 3 && memcmp(bytes, "a\0", 2) == 0);
	/* A shorter character after the cut does not follow. */
	CHECK(anim_sjis_from_utf8("左a", bytes, 1, &flag) == 3 && bytes[0] == 0);
	CHECK(anim_sjis_from_utf8("左足", NULL, 0, &flag) == 4);
	CHECK(anim_sjis_from_utf8("左足ＩＫ", bytes, 15, &flag) == 8 && bytes[14] == 0);
}

TEST(sjis_broken, "bytes that are not a character in Shift-JIS survive the way to UTF-8 and back")
{
	/* half a character, an unused pair, an unused byte, a first byte before a zero */
	static const char *const broken[] = {"ab\x8D", "\x85\x40", "\xFDx\x80\xA0\xFF", "\x8D", "\x81\x7F", "\x82\x20"};
	bool flag;

	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		unsigned char bytes[16];
		char text[64];
		size_t length = strlen(broken[i]);

		anim_sjis_to_utf8((const unsigned char *)broken[i], length + 1, text, sizeof text, &flag);
		CHECKF(flag, "%zu", i);
		CHECKF(anim_sjis_from_utf8(text, bytes, sizeof bytes, &flag) == length && !flag &&
			   memcmp(bytes, broken[i], length) == 0,
		       "%zu", i);
	}
}

TEST(sjis_lacks, "characters that Shift-JIS lacks become question marks, signs of other systems their twins")
{
	unsigned char bytes[16];
	bool lacks;

	CHECK(anim_sjis_from_utf8("aé한", bytes, 16, &lacks) == 3 && memcmp(bytes, "a??", 4) == 0 && lacks);
	CHECK(anim_sjis_from_utf8("\xFFz", bytes, 16, &lacks) == 2 && memcmp(bytes, "?z", 3) == 0 && lacks);
	CHECK(anim_sjis_from_utf8("〜−—‖", bytes, 16, &lacks) == 8 && !lacks &&
	      memcmp(bytes, "\x81\x60\x81\x7C\x81\x5C\x81\x61", 8) == 0);
}

TEST(sjis_table, "all bytes and all pairs of bytes are the characters of the C library's code page 932")
{
	iconv_t reference = iconv_open("UTF-8", "CP932"), back = iconv_open("CP932", "UTF-8");
	unsigned differ = 0, differ_back = 0, known = 0;

#ifndef __GLIBC__ /* musl has fewer characters */
	reference = (iconv_t)-1;
#endif
	if (reference == (iconv_t)-1 || back == (iconv_t)-1) {
		tap_skip("the C library does not know Windows' CP932");
		return;
	}
	for (unsigned pair = 0; pair < 0x10000; pair++) {
		unsigned char bytes[2] = {(unsigned char)(pair >> 8), (unsigned char)pair}, again[8];
		size_t count = bytes[0] == 0 ? 1 : 2, left = count, room = 15, twin_left, twin_room = 8;
		char in[2] = {(char)bytes[2 - count], (char)bytes[1]}, wanted[16] = "", got[16], twin[8] = "";
		char *from = in, *to = wanted;
		bool broken, lacks;
		size_t size = anim_sjis_to_utf8(bytes + 2 - count, count, got, sizeof got, &broken);
		bool valid = iconv(reference, &from, &left, &to, &room) == 0 && left == 0;

		iconv(reference, NULL, NULL, NULL, NULL);
		if (bytes[1] == 0)
			continue;
		known += valid;
		differ += valid == broken || (valid && (size != 15 - room || memcmp(got, wanted, size) != 0));
		if (!valid)
			continue;
		from = got;
		to = twin;
		twin_left = size;
		iconv(back, &from, &twin_left, &to, &twin_room);
		size = anim_sjis_from_utf8(got, again, sizeof again, &lacks);
		if (size != 8 - twin_room || memcmp(again, twin, size) != 0 || lacks)
			if (differ_back++ < 5)
				printf("# %04x: %02x%02x, not %02x%02x\n", pair, again[0], again[1],
				       (unsigned char)twin[0], (unsigned char)twin[1]);
	}
	iconv_close(reference);
	iconv_close(back);
	CHECKF(differ == 0, "%u differ", differ);
	CHECKF(differ_back == 0, "%u differ on the way back", differ_back);
	CHECKF(known > 9000, "%u known", known);
}
