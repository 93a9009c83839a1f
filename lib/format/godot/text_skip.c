/* text_skip.c: passing over parts of a Godot text file without holding them. */
#include "base/limits.h"
#include "format/godot/text_lexer.h"
#include "format/godot/text_scan.h"

static int pass(struct godot_lexer *lexer, const uint8_t *upto, struct anim_buffer *copy, struct anim_error *error)
{
	size_t count = (size_t)(upto - lexer->at);

	if (copy != NULL && copy->size + count > ANIM_TEXT_MAX)
		return godot_lexer_fail(lexer, error, "a value's text is longer than %u bytes", ANIM_TEXT_MAX);
	if (copy != NULL && anim_buffer_append(copy, lexer->at, count, error) != 0)
		return -1;
	lexer->at = upto;
	return 0;
}

/* Takes plain bytes, or an escape's two, or the closing quote. 1 the string goes on, 0 it has ended, -1. */
static int skip_piece(struct godot_lexer *lexer, const struct anim_place *opening, struct anim_buffer *copy,
		      struct anim_error *error)
{
	size_t count = 1;
	ssize_t got;
	int more;

	if (pass(lexer, godot_scan_string(lexer->at, lexer->end), copy, error) != 0)
		return -1;
	got = godot_lexer_more(lexer, 1, error);
	if (got > 0 && *lexer->at == '\0')
		return godot_lexer_fail(lexer, error, "the string holds NUL");
	if (got > 0 && *lexer->at == '\\') {
		count = 2;
		got = godot_lexer_more(lexer, count, error);
	}
	if (got < 0)
		return -1;
	if ((size_t)got < count)
		return anim_fail_at(error, ANIM_BAD_INPUT, opening, "this string does not end");
	more = *lexer->at != '"';
	return pass(lexer, lexer->at + count, copy, error) != 0 ? -1 : more;
}

int godot_lexer_skip_string(struct godot_lexer *lexer, struct anim_buffer *copy, struct anim_error *error)
{
	struct anim_place opening;
	int more;

	godot_lexer_place(lexer, &opening);
	if (pass(lexer, lexer->at + 1, copy, error) != 0)
		return -1;
	do
		more = skip_piece(lexer, &opening, copy, error);
	while (more > 0);
	return more;
}

static int skip_comment(struct godot_lexer *lexer, struct anim_buffer *copy, struct anim_error *error)
{
	if (godot_lexer_skip_comment(lexer, error) != 0)
		return -1;
	return copy != NULL ? anim_buffer_append(copy, "\n", 1, error) : 0;
}

/* The byte of structure at the cursor: how the depth changes is added to *depth. 0 or -1. */
static int structure(struct godot_lexer *lexer, size_t *depth, struct anim_buffer *copy, struct anim_error *error)
{
	int tag;

	switch (*lexer->at) {
	case '"':
		return godot_lexer_skip_string(lexer, copy, error);
	case ';':
		return skip_comment(lexer, copy, error);
	case ')':
	case ']':
	case '}':
		--*depth;
		break;
	case '[':
		tag = godot_lexer_tag_ahead(lexer, error);
		if (tag < 0)
			return -1;
		if (tag > 0)
			return godot_lexer_fail(lexer, error, "a bracket is not closed before this tag");
		++*depth;
		break;
	default:
		++*depth;
	}
	return pass(lexer, lexer->at + 1, copy, error);
}

int godot_lexer_skip_brackets(struct godot_lexer *lexer, size_t depth, struct anim_buffer *copy,
			      struct anim_error *error)
{
	struct anim_place begin;

	godot_lexer_place(lexer, &begin);
	while (depth > 0) {
		if (pass(lexer, godot_scan_structure(lexer->at, lexer->end), copy, error) != 0)
			return -1;
		switch (godot_lexer_byte(lexer, error)) {
		case GODOT_LEXER_ERROR:
			return -1;
		case GODOT_LEXER_END:
			return anim_fail_at(error, ANIM_BAD_INPUT, &begin, "the brackets here are not closed");
		default:
			if (godot_is_structure(*lexer->at) && structure(lexer, &depth, copy, error) != 0)
				return -1;
		}
	}
	return 0;
}
