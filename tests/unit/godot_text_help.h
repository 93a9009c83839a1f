/* godot_text_help.h: opens pieces of Godot text for the tests of its grammar, from memory or in windows of one byte. */
#ifndef ANIM_TESTS_GODOT_TEXT_HELP_H
#define ANIM_TESTS_GODOT_TEXT_HELP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "format/godot/text.h"

/* How the bytes come. */
enum windows { WHOLE, ONE_BYTE, WINDOWS };

struct reading {
	struct anim_input *input;
	struct godot_text *text;
	struct anim_arena arena;
	struct anim_error error;
};

/* Opens `size` bytes (they must stay). False where that fails. reading_close in any case. */
bool reading_open(struct reading *, enum windows, const char *bytes, size_t size);
void reading_close(struct reading *);

/* Opens "[resource]\nx = SOURCE" behind that '='. */
bool reading_at_value(struct reading *, enum windows, const char *source, size_t size);

/* Prints every tag, attribute and property of the text, a line each, "line:column: " before each. False on an error. */
bool reading_dump(struct reading *, struct anim_buffer *);

/* Whether the buffer holds this text. */
bool buffer_is(const struct anim_buffer *, const char *text);

#endif
