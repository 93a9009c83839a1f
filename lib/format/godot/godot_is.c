/* godot_is.c: knows a Godot text file by its first bytes. */
#include <string.h>

#include "format/godot/godot.h"
#include "format/godot/text_lexer.h"

bool anim_godot_is(const uint8_t *bytes, size_t size)
{
	const uint8_t *p = bytes, *end = bytes + size;

	if (size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	while (p < end && (*p <= ' ' || *p == ';')) {
		if (*p == ';')
			p = memchr(p, '\n', (size_t)(end - p));
		if (p == NULL)
			return false;
		p++;
	}
	return godot_tag_begins(p, (size_t)(end - p));
}
