/* reader_walk.c: the frame of an AnimJ document, read by hand: objects, arrays and scalars outside keyframes. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "format/animj/reader.h"

#define ESCAPE_MAX 6                 /* bytes of \uXXXX; two of them make a pair of surrogates */
#define SCALAR_MAX ((size_t)1 << 20) /* bytes of a number; one of 5,000 digits was seen */

int animj_expect(struct animj_reader *reader, char bracket, const char *what, struct anim_error *error)
{
	int byte = animj_blank(reader->text, error);

	if (byte != bracket)
		return animj_unexpected_here(reader, what, error);
	reader->text->at++;
	return 0;
}

/* Between elements or members: 1 with the cursor on the next, 0 behind the closing bracket, -1. */
static int next(struct animj_reader *reader, char close, bool *first, const char *needed, struct anim_error *error)
{
	int byte = animj_blank(reader->text, error);
	bool comma = byte == ',' && !*first;
	struct anim_place place;

	if (byte == ANIMJ_ERROR)
		return -1;
	if (byte == close) {
		reader->text->at++;
		return 0;
	}
	if (!comma && !*first)
		return animj_unexpected_here(reader, needed, error);
	*first = false;
	if (!comma)
		return 1;
	place = animj_here(reader);
	reader->text->at++;
	byte = animj_blank(reader->text, error);
	if (byte == close)
		return animj_refuse(reader, &place, error, "a comma behind the last one, which JSON does not have");
	return byte == ANIMJ_ERROR ? -1 : 1;
}

int animj_next_element(struct animj_reader *reader, bool *first, struct anim_error *error)
{
	return next(reader, ']', first, "',' or ']'", error);
}

/* The text of a string at the cursor, between its quotes, decoded into the buffer with a NUL behind it. */
static int take_string(struct animj_reader *reader, struct anim_buffer *buffer, struct anim_error *error)
{
	struct anim_place place = animj_here(reader);
	const uint8_t *bad;
	const char *why;
	size_t none;
	int result;

	reader->scalar.size = 0;
	result = animj_take_text(reader->text, &reader->scalar, 0, &none, error);
	if (result > 0)
		return animj_unexpected_here(reader, "the end of a string", error);
	if (result < 0)
		return animj_refuse(reader, &place, error, "%s", error->message);
	buffer->size = 0;
	if (anim_json_decode(reader->scalar.data + 1, reader->scalar.size - 2, buffer, &bad, &why) != 0) {
		if (bad == NULL)
			return anim_fail_memory(error);
		place.column += (uint32_t)(bad - reader->scalar.data);
		return animj_refuse(reader, &place, error, "%s", why);
	}
	if (anim_buffer_append(buffer, "", 1, error) != 0)
		return -1;
	buffer->size--;
	return 0;
}

int animj_next_member(struct animj_reader *reader, bool *first, struct anim_error *error)
{
	int found = next(reader, '}', first, "',' or '}'", error);

	if (found <= 0)
		return found;
	if (animj_byte(reader->text, error) != '"')
		return animj_unexpected_here(reader, "a member's name in double quotes", error);
	if (take_string(reader, &reader->name, error) != 0)
		return -1;
	if (animj_blank(reader->text, error) != ':')
		return animj_unexpected_here(reader, "':'", error);
	reader->text->at++;
	return animj_blank(reader->text, error) == ANIMJ_ERROR ? -1 : 1;
}

/* The bytes of a number or word at the cursor, without what is around it. */
static int take_word(struct animj_reader *reader, struct anim_error *error)
{
	struct animj_text *text = reader->text;
	int byte;

	reader->scalar.size = 0;
	while ((byte = animj_byte(text, error)) > ' ' && strchr(",]}:[{\"", byte) == NULL) {
		if (anim_buffer_append(&reader->scalar, text->at, 1, error) != 0)
			return -1;
		text->at++;
		if (reader->scalar.size > SCALAR_MAX) {
			struct anim_place place = animj_here(reader);

			return animj_refuse(reader, &place, error, "a number of more than %zu bytes", SCALAR_MAX);
		}
	}
	return byte == ANIMJ_ERROR ? -1 : 0;
}

static bool is_word(const struct animj_reader *reader, const char *word)
{
	return reader->scalar.size == strlen(word) && memcmp(reader->scalar.data, word, reader->scalar.size) == 0;
}

static bool is_number(const struct animj_reader *reader)
{
	const uint8_t *end = reader->scalar.data + reader->scalar.size;

	return reader->scalar.size > 0 && animj_number_end(reader->scalar.data, end) == end;
}

int animj_take_null(struct animj_reader *reader, struct anim_error *error)
{
	ssize_t got = animj_more(reader->text, 5, error);

	if (got < 0)
		return -1;
	if (got < 4 || memcmp(reader->text->at, "null", 4) != 0)
		return 0;
	reader->text->at += 4;
	return 1;
}

int animj_take_string(struct animj_reader *reader, struct anim_buffer *buffer, bool *is_null, const char *what,
		      struct anim_error *error)
{
	int null = animj_take_null(reader, error);

	*is_null = null == 1;
	if (null != 0)
		return null < 0 ? -1 : 0;
	if (animj_byte(reader->text, error) != '"')
		return animj_unexpected_here(reader, what, error);
	return take_string(reader, buffer, error);
}

int animj_take_number(struct animj_reader *reader, double *value, const char *what, struct anim_error *error)
{
	struct anim_place place = animj_here(reader);

	if (take_word(reader, error) != 0)
		return -1;
	/* The number's reader looks at bytes behind its end, and the byte at the end must be none of a number. */
	if (anim_buffer_append(&reader->scalar, "", 1, error) != 0)
		return -1;
	reader->scalar.size--;
	if (!is_number(reader)) {
		if (reader->scalar.size == 0)
			return animj_unexpected_here(reader, what, error);
		return animj_bad_word(reader, &place, reader->scalar.data, reader->scalar.size, error);
	}
	anim_number_double((const char *)reader->scalar.data, (const char *)reader->scalar.data + reader->scalar.size,
			   value);
	if (!isfinite((float)*value))
		return animj_refuse(reader, &place, error, "a number beyond the largest float");
	return 0;
}

static int skip_scalar(struct animj_reader *reader, struct anim_error *error)
{
	struct anim_place place = animj_here(reader);

	if (take_word(reader, error) != 0)
		return -1;
	if (is_number(reader) || is_word(reader, "true") || is_word(reader, "false") || is_word(reader, "null"))
		return 0;
	if (reader->scalar.size == 0)
		return animj_unexpected_here(reader, "a value", error);
	return animj_bad_word(reader, &place, reader->scalar.data, reader->scalar.size, error);
}

/* Bytes of the character or escape at `at`; of others than ASCII one, their rest follows by itself. */
static size_t unit(const uint8_t *at)
{
	if (*at != '\\')
		return 1;
	if (at[1] != 'u')
		return 2;
	return (at[2] | 0x20) == 'd' && strchr("89abAB", at[3]) != NULL && at[3] != '\0' ? 2 * ESCAPE_MAX : ESCAPE_MAX;
}

/* The end of a string's bytes that stand whole in at..end, which is its own end where *done. */
static const uint8_t *whole_units(const uint8_t *at, const uint8_t *end, bool last, bool *done)
{
	size_t spare = last ? 0 : 2 * ESCAPE_MAX;

	*done = false;
	while (at < end && ((size_t)(end - at) > spare || (*at & 0xc0) == 0x80)) {
		*done = *at == '"';
		if (*done)
			return at;
		at += unit(at);
	}
	return at < end ? at : end;
}

/* A string that nobody wants: checked window by window and not held, however long it is. */
static int skip_string(struct animj_reader *reader, struct anim_error *error)
{
	struct animj_text *text = reader->text;
	struct anim_place place;
	const uint8_t *bad, *end;
	const char *why;
	bool done, last;

	text->at++;
	do {
		if (text->end - text->at <= 2 * ESCAPE_MAX && animj_more(text, 4 * ESCAPE_MAX, error) < 0)
			return -1;
		last = text->end - text->at <= 2 * ESCAPE_MAX;
		end = whole_units(text->at, text->end, last, &done);
		if (last && !done) {
			text->at = end;
			return animj_unexpected_here(reader, "the end of a string", error);
		}
		reader->name.size = 0;
		if (anim_json_decode(text->at, (size_t)(end - text->at), &reader->name, &bad, &why) != 0) {
			if (bad == NULL)
				return anim_fail_memory(error);
			text->at = bad;
			place = animj_here(reader);
			return animj_refuse(reader, &place, error, "%s", why);
		}
		text->at = end;
	} while (!done);
	text->at++;
	return 0;
}

int animj_skip(struct animj_reader *reader, unsigned depth, struct anim_error *error)
{
	int byte = animj_byte(reader->text, error), more;
	struct anim_place place;
	bool first = true;

	if (byte == '"')
		return skip_string(reader, error);
	if (byte != '{' && byte != '[')
		return byte == ANIMJ_ERROR ? -1 : skip_scalar(reader, error);
	place = animj_here(reader);
	if (depth >= ANIM_NESTING_JSON)
		return animj_refuse(reader, &place, error, "nested deeper than %d", ANIM_NESTING_JSON);
	reader->text->at++;
	do {
		more =
		    byte == '{' ? animj_next_member(reader, &first, error) : animj_next_element(reader, &first, error);
		if (more == 1 && depth == ANIMJ_DEPTH_OF_KEYS && byte == '{')
			animj_path_name(reader, reader->name.data, reader->name.size);
		if (more == 1 && animj_skip(reader, depth + 1, error) != 0)
			return -1;
	} while (more == 1);
	return more;
}
