/* text.c: words, numbers and quoted texts of anim-dump. */
#include "filter/dump/text.h"

#include <string.h>

#include "base/text.h"

#define BYTES_A_LINE 32u

void dump_name(struct anim_print *print, const char *name)
{
	anim_print_text(print, " ");
	anim_print_text(print, name);
	anim_print_text(print, "=");
}

/* One code point, or a byte that is none: as it is where it is safe to show, else escaped. */
static void quote_one(struct anim_print *print, const char *text, size_t length)
{
	char safe[32];

	if (*text == '\n')
		anim_print_text(print, "\\n");
	else if (*text == '\t')
		anim_print_text(print, "\\t");
	else if (*text == '"' || *text == '\\')
		anim_print_bytes(print, (const char[2]){'\\', *text}, 2);
	else {
		anim_text_safe(safe, sizeof safe, text, length);
		anim_print_text(print, safe);
	}
}

static bool is_plain(char c)
{
	return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

void dump_quoted(struct anim_print *print, const char *text, size_t length)
{
	size_t at = 0;

	anim_print_text(print, "\"");
	while (at < length) {
		size_t run = at, one;
		uint32_t code;

		while (run < length && is_plain(text[run]))
			run++;
		anim_print_bytes(print, text + at, run - at);
		at = run;
		if (at == length)
			break;
		one = anim_utf8_decode((const uint8_t *)text + at, length - at, &code);
		one = one == 0 ? 1 : one;
		quote_one(print, text + at, one);
		at += one;
	}
	anim_print_text(print, "\"");
}

void dump_text(struct anim_print *print, const char *name, const char *text)
{
	dump_name(print, name);
	dump_quoted(print, text, strlen(text));
}

void dump_word(struct anim_print *print, const char *name, const char *word)
{
	dump_name(print, name);
	anim_print_text(print, word);
}

void dump_count(struct anim_print *print, const char *name, uint64_t value)
{
	dump_name(print, name);
	anim_print_uint64(print, value);
}

void dump_bits(struct anim_print *print, const char *name, unsigned bits, const char *const *names, unsigned count)
{
	bool some = false;

	dump_name(print, name);
	for (unsigned i = 0; i < count; i++) {
		if ((bits >> i & 1) == 0)
			continue;
		anim_print_text(print, some ? "," : "");
		anim_print_text(print, names[i]);
		some = true;
	}
	anim_print_text(print, some ? "" : "-");
}

void dump_attrs(struct anim_print *print, const struct anim_attrs *attrs)
{
	for (size_t i = 0; i < attrs->count; i++) {
		anim_print_text(print, "\tattr ");
		dump_quoted(print, attrs->items[i].key, strlen(attrs->items[i].key));
		anim_print_text(print, " ");
		dump_quoted(print, attrs->items[i].value, strlen(attrs->items[i].value));
		anim_print_text(print, "\n");
	}
}

void dump_bytes(struct anim_print *print, const char *indent, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (i % BYTES_A_LINE == 0)
			anim_print_text(print, indent);
		anim_print_hex(print, bytes[i], 2);
		if (i % BYTES_A_LINE == BYTES_A_LINE - 1 || i + 1 == size)
			anim_print_text(print, "\n");
	}
}
