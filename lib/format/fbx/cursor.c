/* cursor.c: the window, then the records of binary files, then the records of texts, then what both share. */
#include "format/fbx/cursor.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "base/advice.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"

#define MAGIC "Kaydara FBX Binary  "
#define HEAD_BYTES 27       /* magic, NUL, 0x1a, byte order, version */
#define TOKEN_MAX 255u      /* bytes of a word or a number in a text */
#define WIDE_VERSION 7500u  /* from this version on, record headers have 64-bit numbers */
#define BITS_VERSION 7200u  /* from this version on, texts write packed floats as integers with the same bits */
#define INFLATE_BYTES 16384 /* output of one step */

/* ---- The window ---- */

static uint64_t offset_of(const struct fbx_cursor *cursor)
{
	return anim_input_offset(cursor->input) + (uint64_t)(cursor->at - cursor->begin);
}

int fbx_fail(const struct fbx_cursor *cursor, struct anim_error *error, const char *format, ...)
{
	uint64_t offset = offset_of(cursor), column = offset - cursor->line_start + 1;
	struct anim_place place = {.file = anim_input_name(cursor->input), .at = ANIM_AT_BYTE, .offset = offset};
	va_list args;

	if (!cursor->is_binary)
		place = (struct anim_place){.file = place.file,
					    .at = ANIM_AT_LINE,
					    .line = cursor->line + 1,
					    .column = column < UINT32_MAX ? (uint32_t)column : UINT32_MAX};
	va_start(args, format);
	anim_fail_va(error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	return -1;
}

/* Make `want` bytes, or all remaining bytes, follow cursor->at. Return 0 or -1. */
static int need(struct fbx_cursor *cursor, size_t want, struct anim_error *error)
{
	const uint8_t *window;
	ssize_t got;

	if (cursor->is_last || (size_t)(cursor->end - cursor->at) >= want)
		return 0;
	if (cursor->begin != NULL)
		anim_input_skip(cursor->input, (size_t)(cursor->at - cursor->begin));
	cursor->begin = cursor->at = cursor->end = NULL;
	got = anim_input_peek(cursor->input, want, &window, error);
	if (got < 0)
		return -1;
	cursor->begin = cursor->at = (const char *)window;
	cursor->end = cursor->begin + got;
	cursor->is_last = (size_t)got < want;
	return 0;
}

static size_t left(const struct fbx_cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

static int fail_cut(const struct fbx_cursor *cursor, struct anim_error *error)
{
	if (cursor->name[0] != '\0')
		return fbx_fail(cursor, error, "the file is cut off: it ends within or after '%s'", cursor->name);
	return fbx_fail(cursor, error, "the file ends too early");
}

/* Like need, but fail if there are fewer bytes. */
static int must_have(struct fbx_cursor *cursor, size_t want, struct anim_error *error)
{
	if (need(cursor, want, error) != 0)
		return -1;
	return left(cursor) < want ? fail_cut(cursor, error) : 0;
}

/* Skip everything before this offset. Return 0 or -1. */
static int pass_to(struct fbx_cursor *cursor, uint64_t offset, struct anim_error *error)
{
	for (;;) {
		uint64_t more = offset - offset_of(cursor);

		if (more == 0)
			return 0;
		if (more > left(cursor) && !cursor->is_last && cursor->begin != NULL) {
			anim_input_skip(cursor->input, (size_t)(cursor->at - cursor->begin));
			cursor->begin = cursor->at = cursor->end = NULL;
			anim_input_pass(cursor->input, more);
			continue;
		}
		if (left(cursor) == 0 && must_have(cursor, 1, error) != 0)
			return -1;
		cursor->at += more < left(cursor) ? (size_t)more : left(cursor);
	}
}

/* Keep the name of the current record. It is also used in messages. */
static void keep_name(struct fbx_cursor *cursor, const char *name, size_t length)
{
	memcpy(cursor->name, name, length);
	cursor->name[length] = '\0';
}

static int keep_text(struct fbx_cursor *cursor, const char *text, size_t length, struct fbx_value *value,
		     struct anim_error *error)
{
	cursor->text.size = 0;
	if (anim_buffer_append(&cursor->text, text, length, error) != 0 ||
	    anim_buffer_append(&cursor->text, "", 1, error) != 0)
		return -1;
	value->kind = FBX_TEXT;
	value->text = (const char *)cursor->text.data;
	value->length = length;
	return 0;
}

/* Round towards 0. Return 0 if the result does not fit 64 bits. */
static int64_t integer_of(double real)
{
	return fabs(real) < 9223372036854775808.0 ? (int64_t)real : 0;
}

/* ---- Binary files ---- */

/* Return the number of `size` bytes (at most 8) in the byte order of the file. */
static uint64_t unsigned_at(const struct fbx_cursor *cursor, const char *at, unsigned size)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < size; i++)
		number |= (uint64_t)(uint8_t)at[cursor->is_big_endian ? size - 1 - i : i] << (8 * i);
	return number;
}

/* Return one number: a value of type C B Z Y I L F D, or an element of an array. */
static struct fbx_value number_at(const struct fbx_cursor *cursor, char type, const char *at, unsigned size)
{
	struct fbx_value value = {.kind = FBX_INT, .is_letter = type == 'C'};
	uint64_t bits = unsigned_at(cursor, at, size);

	if (size == 4 && (type | 0x20) == 'f') {
		float single;

		memcpy(&single, &(uint32_t){(uint32_t)bits}, sizeof single);
		value.kind = FBX_REAL;
		value.real = (double)single;
	} else if (size == 8 && (type | 0x20) == 'd') {
		value.kind = FBX_REAL;
		memcpy(&value.real, &bits, sizeof value.real);
	} else {
		value.integer = size == 1   ? (int64_t)bits
				: size == 2 ? (int16_t)(uint16_t)bits
				: size == 4 ? (int32_t)(uint32_t)bits
					    : (int64_t)bits;
		value.real = (double)value.integer;
		return value;
	}
	value.integer = integer_of(value.real);
	return value;
}

/* Return the size of a single value or an array element, or 0 for an unknown type. */
static unsigned size_of_type(char type)
{
	switch (type) {
	case 'C':
	case 'B':
	case 'Z':
	case 'b':
	case 'c':
		return 1;
	case 'Y':
		return 2;
	case 'I':
	case 'F':
	case 'i':
	case 'f':
		return 4;
	case 'L':
	case 'D':
	case 'l':
	case 'd':
		return 8;
	default:
		return 0;
	}
}

static bool is_array(char type)
{
	return type >= 'a' && size_of_type(type) > 0;
}

/* Fail if the values of the record end before `more` further bytes. */
static int check_values(const struct fbx_cursor *cursor, uint64_t more, struct anim_error *error)
{
	uint64_t offset = offset_of(cursor);

	if (offset <= cursor->values_end && more <= cursor->values_end - offset)
		return 0;
	return fbx_fail(cursor, error, "a value of '%s' is longer than its record", cursor->name);
}

/* The header of an array. */
struct array {
	char type;
	uint64_t count;
	uint32_t encoding;
	uint64_t bytes; /* size in the file */
};

/* Read the header of an array after its type letter. Return 0 or -1. */
static int read_array_head(struct fbx_cursor *cursor, char type, struct array *array, struct anim_error *error)
{
	if (check_values(cursor, 12, error) != 0 || must_have(cursor, 12, error) != 0)
		return -1;
	array->type = type;
	array->count = unsigned_at(cursor, cursor->at, 4);
	array->encoding = (uint32_t)unsigned_at(cursor, cursor->at + 4, 4);
	array->bytes = unsigned_at(cursor, cursor->at + 8, 4);
	cursor->at += 12;
	if (check_values(cursor, array->bytes, error) != 0)
		return -1;
	if (array->encoding > 1)
		return fbx_fail(cursor, error, "unknown encoding %" PRIu32 " of an array of '%s'", array->encoding,
				cursor->name);
	if (array->encoding == 0 && array->bytes != array->count * size_of_type(type))
		return fbx_fail(cursor, error, "an array of '%s' has %" PRIu64 " elements in %" PRIu64 " bytes",
				cursor->name, array->count, array->bytes);
	return 0;
}

static int read_text(struct fbx_cursor *cursor, struct fbx_value *value, struct anim_error *error)
{
	uint64_t length;

	if (check_values(cursor, 4, error) != 0 || must_have(cursor, 4, error) != 0)
		return -1;
	length = unsigned_at(cursor, cursor->at, 4);
	cursor->at += 4;
	if (check_values(cursor, length, error) != 0)
		return -1;
	/* Longer texts are the contents of embedded files. */
	if (length > ANIM_NAME_MAX)
		return pass_to(cursor, offset_of(cursor) + length, error) != 0 ? -1
									       : keep_text(cursor, "", 0, value, error);
	if (must_have(cursor, (size_t)length, error) != 0 ||
	    keep_text(cursor, cursor->at, (size_t)length, value, error) != 0)
		return -1;
	cursor->at += length;
	return 0;
}

/* Read the type letter of the next value. Return 1, 0 after the last value, or -1 on error. */
static int next_type(struct fbx_cursor *cursor, char *type, struct anim_error *error)
{
	if (cursor->state != FBX_VALUES || cursor->values_left == 0)
		return 0;
	if (check_values(cursor, 1, error) != 0 || must_have(cursor, 1, error) != 0)
		return -1;
	*type = *cursor->at++;
	cursor->values_left--;
	return 1;
}

static int binary_value(struct fbx_cursor *cursor, struct fbx_value *value, struct anim_error *error)
{
	struct array array;
	unsigned size;
	char type;
	int more = next_type(cursor, &type, error);

	if (more <= 0)
		return more;
	if (type == 'S' || type == 'R')
		return read_text(cursor, value, error) == 0 ? 1 : -1;
	if (is_array(type)) {
		value->kind = FBX_NUMBERS;
		if (read_array_head(cursor, type, &array, error) != 0 ||
		    pass_to(cursor, offset_of(cursor) + array.bytes, error) != 0)
			return -1;
		return 1;
	}
	size = size_of_type(type);
	if (size == 0)
		return fbx_fail(cursor, error, "a value of '%s' has the unknown type %u", cursor->name,
				(unsigned)(uint8_t)type);
	if (check_values(cursor, size, error) != 0 || must_have(cursor, size, error) != 0)
		return -1;
	*value = number_at(cursor, type, cursor->at, size);
	cursor->at += size;
	return 1;
}

/* Close the list that ends at the next byte. Return 0 or -1. */
static int close_list(struct fbx_cursor *cursor, struct anim_error *error)
{
	if (cursor->depth > 0 && pass_to(cursor, cursor->list_end[--cursor->depth], error) != 0)
		return -1;
	cursor->state = FBX_BETWEEN;
	return 0;
}

static int binary_next(struct fbx_cursor *cursor, struct anim_error *error)
{
	unsigned word = cursor->version >= WIDE_VERSION ? 8 : 4, length;
	uint64_t list_end = cursor->depth > 0 ? cursor->list_end[cursor->depth - 1] : UINT64_MAX, bytes;

	if (cursor->state != FBX_BETWEEN && pass_to(cursor, cursor->record_end, error) != 0)
		return -1;
	if (offset_of(cursor) == list_end)
		return close_list(cursor, error);
	if (list_end - offset_of(cursor) < 3 * word + 1)
		return fbx_fail(cursor, error, "a record ends after the list that contains it");
	if (must_have(cursor, 3 * word + 1, error) != 0)
		return -1;
	cursor->record_end = unsigned_at(cursor, cursor->at, word);
	cursor->values_left = unsigned_at(cursor, cursor->at + word, word);
	bytes = unsigned_at(cursor, cursor->at + 2 * word, word);
	length = (uint8_t)cursor->at[3 * word];
	cursor->at += 3 * word + 1;
	if (cursor->record_end == 0 && length == 0)
		return close_list(cursor, error);
	if (must_have(cursor, length, error) != 0)
		return -1;
	keep_name(cursor, cursor->at, length);
	cursor->at += length;
	/* Some files give no end for records without a list. */
	if (cursor->record_end == 0 && bytes <= UINT64_MAX - offset_of(cursor))
		cursor->record_end = offset_of(cursor) + bytes;
	if (cursor->record_end > list_end || cursor->record_end < offset_of(cursor) ||
	    bytes > cursor->record_end - offset_of(cursor))
		return fbx_fail(cursor, error, "the sizes in the header of a record contradict each other");
	cursor->values_end = offset_of(cursor) + bytes;
	cursor->state = FBX_VALUES;
	return 1;
}

/* ---- Arrays of binary files ---- */

static int append_number(struct fbx_cursor *cursor, enum fbx_element as, const struct fbx_value *value,
			 struct anim_buffer *out, struct anim_error *error)
{
	float single = (float)value->real;
	uint32_t bits = (uint32_t)value->integer;

	switch (as) {
	case FBX_AS_INT64:
		return anim_buffer_append(out, &value->integer, sizeof value->integer, error);
	case FBX_AS_DOUBLE:
		return anim_buffer_append(out, &value->real, sizeof value->real, error);
	default:
		if (!cursor->is_binary && value->kind == FBX_REAL && value->text != NULL)
			anim_number_float(value->text, value->text + value->length, &single);
		if (value->kind == FBX_REAL || (!cursor->is_binary && cursor->version < BITS_VERSION))
			memcpy(&bits, &single, sizeof bits);
		return anim_buffer_append(out, &bits, sizeof bits, error);
	}
}

/*
 * Append elements in the byte order of this machine: like append_number for each element, but in one loop. Return 0
 * or -1.
 */
static int append_fast(char type, enum fbx_element as, const char *bytes, size_t count, struct anim_buffer *out,
		       struct anim_error *error)
{
	bool is_wide = as != FBX_AS_BITS;
	uint8_t *to = count == 0 ? NULL : anim_buffer_extend(out, count * (is_wide ? 8 : 4), error);

	if (to == NULL)
		return count == 0 ? 0 : -1;
	if (!is_wide || type == 'l' || type == 'd') {
		memcpy(to, bytes, count * (is_wide ? 8 : 4));
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		int32_t integer;
		float single;
		int64_t wide;
		double real;

		memcpy(&integer, bytes + 4 * i, sizeof integer);
		memcpy(&single, bytes + 4 * i, sizeof single);
		wide = integer;
		real = (double)single;
		memcpy(to + 8 * i, type == 'i' ? (const void *)&wide : (const void *)&real, 8);
	}
	return 0;
}

/* Append the complete elements among `size` bytes. *used: their bytes. Return 0 or -1. */
static int append_elements(struct fbx_cursor *cursor, const struct array *array, enum fbx_element as, const char *bytes,
			   size_t size, size_t *used, struct anim_buffer *out, struct anim_error *error)
{
	const unsigned width = size_of_type(array->type);
	const char type = array->type;
	/* true for all arrays of curves */
	bool is_fast = as == FBX_AS_INT64    ? type == 'l' || type == 'i'
		       : as == FBX_AS_DOUBLE ? type == 'f' || type == 'd'
					     : type == 'f' || type == 'i';

	*used = size / width * width;
	if (!cursor->is_big_endian && is_fast)
		return append_fast(type, as, bytes, *used / width, out, error);
	for (*used = 0; size - *used >= width; *used += width) {
		struct fbx_value value = number_at(cursor, array->type, bytes + *used, width);

		/* These floats contain packed integers, and converting a float can change its bits. */
		if (as == FBX_AS_BITS && width == 4) {
			value.kind = FBX_INT;
			value.integer = (int64_t)unsigned_at(cursor, bytes + *used, width);
		}
		if (append_number(cursor, as, &value, out, error) != 0)
			return -1;
	}
	return 0;
}

/* Inflate an array. Its checksum and its size must be correct. Return 0 or -1. */
static int inflate_array(struct fbx_cursor *cursor, const struct array *array, enum fbx_element as,
			 struct anim_buffer *out, struct anim_error *error)
{
	const uint64_t size = array->count * size_of_type(array->type);
	z_stream zip = {0};
	char bytes[INFLATE_BYTES + 8];
	size_t kept = 0, used; /* bytes of an incomplete element */
	uint64_t more = array->bytes, count = 0;
	int status = Z_OK, result = -1;

	cursor->inflated += size;
	cursor->packed += array->bytes;
	if (!cursor->trust_size && cursor->inflated > ANIM_FBX_INFLATED_MAX &&
	    cursor->inflated / ANIM_FBX_EXPANSION_MAX > cursor->packed)
		return fbx_fail(cursor, error,
				"'%s': the arrays of curves unpack to more than %u times their size; if that is right, "
				"use " ANIM_OPTION("parse", "trust-size"),
				cursor->name, ANIM_FBX_EXPANSION_MAX);
	if (inflateInit(&zip) != Z_OK)
		return anim_fail_memory(error);
	while (status == Z_OK) {
		if (zip.avail_in == 0 && more > 0) {
			if (must_have(cursor, 1, error) != 0)
				goto done;
			zip.next_in = (z_const Bytef *)cursor->at;
			zip.avail_in = (uInt)(left(cursor) < more ? left(cursor) : more);
			cursor->at += zip.avail_in;
			more -= zip.avail_in;
		}
		zip.next_out = (Bytef *)bytes + kept;
		zip.avail_out = INFLATE_BYTES;
		status = inflate(&zip, Z_NO_FLUSH);
		if (status != Z_OK && status != Z_STREAM_END)
			break;
		kept += INFLATE_BYTES - zip.avail_out;
		if (append_elements(cursor, array, as, bytes, kept, &used, out, error) != 0)
			goto done;
		count += used / size_of_type(array->type);
		if (count > array->count)
			break;
		memmove(bytes, bytes + used, kept - used);
		kept -= used;
	}
	if (status == Z_MEM_ERROR)
		anim_fail_memory(error);
	else if (status != Z_STREAM_END || zip.avail_in > 0 || more > 0 || kept > 0 || count != array->count)
		fbx_fail(cursor, error, "the compressed array of '%s' is damaged", cursor->name);
	else
		result = 0;
done:
	inflateEnd(&zip);
	return result;
}

static int binary_numbers(struct fbx_cursor *cursor, enum fbx_element as, struct anim_buffer *out,
			  struct anim_error *error)
{
	struct fbx_value value;
	struct array array;
	char type;
	int more;

	while ((more = next_type(cursor, &type, error)) == 1) {
		if (!is_array(type)) {
			cursor->at--;
			cursor->values_left++;
			more = binary_value(cursor, &value, error);
			if (more == 1 && value.kind == FBX_TEXT)
				return fbx_fail(cursor, error, "'%s' contains a text instead of numbers", cursor->name);
			if (more != 1 || append_number(cursor, as, &value, out, error) != 0)
				return -1;
			continue;
		}
		if (read_array_head(cursor, type, &array, error) != 0)
			return -1;
		if (array.encoding != 0 && inflate_array(cursor, &array, as, out, error) != 0)
			return -1;
		for (uint64_t bytes = array.bytes; array.encoding == 0 && bytes > 0;) {
			size_t used;

			if (must_have(cursor, size_of_type(type), error) != 0 ||
			    append_elements(cursor, &array, as, cursor->at,
					    left(cursor) < bytes ? left(cursor) : (size_t)bytes, &used, out,
					    error) != 0)
				return -1;
			cursor->at += used;
			bytes -= used;
		}
	}
	return more;
}

/* ---- Text: blanks, words, strings ---- */

static bool is_word_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
	       c == '(' || c == ')';
}

static bool is_number_letter(char c)
{
	return is_word_letter(c) || c == '+' || c == '.' || c == '#';
}

static void end_line(struct fbx_cursor *cursor)
{
	cursor->line++;
	cursor->line_start = offset_of(cursor) + 1;
}

/* Move to the next `wanted` byte. Return 1, 0 at the end of the file, or -1 on error. */
static int find_byte(struct fbx_cursor *cursor, char wanted, struct anim_error *error)
{
	for (;;) {
		for (; cursor->at < cursor->end; cursor->at++) {
			if (*cursor->at == wanted)
				return 1;
			if (*cursor->at == '\n')
				end_line(cursor);
		}
		if (cursor->is_last)
			return 0;
		if (need(cursor, 1, error) != 0)
			return -1;
	}
}

/* Skip whitespace and comments. Return 1 if anything follows, 0 at the end of the file, or -1 on error. */
static int skip_blanks(struct fbx_cursor *cursor, struct anim_error *error)
{
	for (;;) {
		for (; cursor->at < cursor->end; cursor->at++) {
			if (*cursor->at == '\n')
				end_line(cursor);
			else if (*cursor->at == ';')
				break;
			else if (*cursor->at != ' ' && (*cursor->at < '\t' || *cursor->at > '\r'))
				return 1;
		}
		if (cursor->at < cursor->end) {
			int more = find_byte(cursor, '\n', error);

			if (more <= 0)
				return more;
		} else if (cursor->is_last) {
			return 0;
		} else if (need(cursor, 1, error) != 0) {
			return -1;
		}
	}
}

/* Get the length of the token at cursor->at. Return 0 or -1. */
static int find_token(struct fbx_cursor *cursor, bool (*belongs)(char), size_t *length, struct anim_error *error)
{
	if (need(cursor, TOKEN_MAX + 1, error) != 0)
		return -1;
	*length = 0;
	while (*length < left(cursor) && belongs(cursor->at[*length]))
		++*length;
	if (*length > TOKEN_MAX)
		return fbx_fail(cursor, error, "a word or number has more than %u characters", TOKEN_MAX);
	if (*length == 0 && left(cursor) > 0)
		return fbx_fail(cursor, error, "unexpected character \\x%02x", (unsigned)(uint8_t)*cursor->at);
	return 0;
}

/* Replace the three entities that FBX uses. They are the only ones. */
static void decode_entities(struct anim_buffer *text)
{
	static const struct {
		const char *name;
		char meaning;
	} entities[] = {{"&quot;", '"'}, {"&cr;", '\r'}, {"&lf;", '\n'}};
	char *to = (char *)text->data;
	const char *at = to, *end = at + text->size;

	while (at < end) {
		size_t length = 1;

		*to = *at;
		for (size_t i = 0; *at == '&' && i < 3; i++)
			if (anim_bytes_begin(at, (size_t)(end - at), entities[i].name)) {
				*to = entities[i].meaning;
				length = strlen(entities[i].name);
				break;
			}
		to++;
		at += length;
	}
	text->size -= (size_t)(end - to);
}

/*
 * Read the string at the current quote into cursor->text. A string longer than a name becomes empty. Return 0 or -1.
 */
static int read_string(struct fbx_cursor *cursor, bool keep, struct anim_error *error)
{
	cursor->text.size = 0;
	cursor->at++;
	for (;;) {
		const char *from = cursor->at;
		size_t length;

		while (cursor->at < cursor->end && *cursor->at != '"') {
			if (*cursor->at == '\n')
				end_line(cursor);
			cursor->at++;
		}
		length = (size_t)(cursor->at - from);
		keep &= cursor->text.size + length <= ANIM_NAME_MAX;
		if (keep && anim_buffer_append(&cursor->text, from, length, error) != 0)
			return -1;
		if (cursor->at < cursor->end)
			break;
		if (must_have(cursor, 1, error) != 0)
			return -1;
	}
	cursor->at++;
	if (!keep)
		cursor->text.size = 0;
	if (cursor->text.size > 0)
		decode_entities(&cursor->text);
	return 0;
}

/* Skip everything up to the brace that closes the current list. Return 0 or -1. */
static int skip_body(struct fbx_cursor *cursor, struct anim_error *error)
{
	uint64_t depth = 1;

	while (depth > 0) {
		int more = skip_blanks(cursor, error);
		char c;

		if (more <= 0)
			return more < 0 ? -1 : fail_cut(cursor, error);
		c = *cursor->at;
		if (c == '"') {
			if (read_string(cursor, false, error) != 0)
				return -1;
			continue;
		}
		depth += c == '{';
		depth -= c == '}';
		cursor->at++;
	}
	return 0;
}

/* ---- Text: values ---- */

/* Read "1.#INF", "0.#INF", "-nan(ind)" and similar words. Return false for other words. */
static bool read_special(const char *text, size_t length, double *number)
{
	bool is_negative = length > 0 && text[0] == '-';

	if (length > 2 && (text[0] == '-' || text[0] == '+')) {
		text++;
		length--;
	}
	if (length > 3 && text[0] >= '0' && text[0] <= '9' && memcmp(text + 1, ".#", 2) == 0) {
		text += 3;
		length -= 3;
	}
	if (length >= 3 && strncasecmp(text, "inf", 3) == 0)
		*number = is_negative ? -(double)INFINITY : (double)INFINITY;
	else if (length >= 3 && (strncasecmp(text, "nan", 3) == 0 || strncasecmp(text, "ind", 3) == 0 ||
				 strncasecmp(text, "qnan", 4) == 0 || strncasecmp(text, "snan", 4) == 0))
		*number = (double)NAN;
	else
		return false;
	return true;
}

/* Read the number in the next `length` bytes. Return 1 or -1. */
static int text_number(struct fbx_cursor *cursor, size_t length, struct fbx_value *value, struct anim_error *error)
{
	const char *text = cursor->at, *end = text + length;
	char shown[64];

	*value = (struct fbx_value){.kind = FBX_REAL, .text = text, .length = length};
	cursor->at += length;
	if (anim_number_int64(text, end, &value->integer) == end) {
		value->kind = FBX_INT;
		value->real = (double)value->integer;
		return 1;
	}
	if (anim_number_typed(text, length, &value->real) == length) {
		value->integer = integer_of(value->real);
		return 1;
	}
	if (read_special(text, length, &value->real) || cursor->is_skipping)
		return 1;
	anim_text_safe(shown, sizeof shown, text, length);
	cursor->at = text;
	return fbx_fail(cursor, error, "'%s' is not a number", shown);
}

/*
 * Skip a colon. Return 1 if there was one, which means that the word before it is a name. Return 0 if not, or -1 on
 * error.
 */
static int skip_colon(struct fbx_cursor *cursor, struct anim_error *error)
{
	int more = skip_blanks(cursor, error);

	if (more <= 0 || *cursor->at != ':')
		return more < 0 ? -1 : 0;
	cursor->at++;
	return 1;
}

/* Read a word or a string. Return 1, 0 if it is the name of the next record, or -1 on error. */
static int text_word(struct fbx_cursor *cursor, struct fbx_value *value, struct anim_error *error)
{
	bool is_quoted = *cursor->at == '"';
	int is_name;

	*value = (struct fbx_value){.kind = FBX_TEXT};
	if (is_quoted) {
		if (read_string(cursor, true, error) != 0)
			return -1;
	} else {
		size_t length;

		if (find_token(cursor, is_word_letter, &length, error) != 0)
			return -1;
		cursor->text.size = 0;
		if (anim_buffer_append(&cursor->text, cursor->at, length, error) != 0)
			return -1;
		cursor->at += length;
	}
	value->length = cursor->text.size;
	if (anim_buffer_append(&cursor->text, "", 1, error) != 0)
		return -1;
	value->text = (const char *)cursor->text.data;
	is_name = skip_colon(cursor, error);
	if (is_name < 0)
		return -1;
	if (is_name > 0) { /* which ends the current record */
		if (value->length > FBX_NAME_MAX)
			return fbx_fail(cursor, error, "a name has more than %u bytes", FBX_NAME_MAX);
		keep_name(cursor, value->text, value->length);
		cursor->is_named = true;
		cursor->state = FBX_BETWEEN;
		return 0;
	}
	if (is_quoted)
		return 1;
	if (value->length == 1) {
		*value = (struct fbx_value){.kind = FBX_INT, .integer = value->text[0], .is_letter = true};
		value->real = (double)value->integer;
	} else if (read_special(value->text, value->length, &value->real)) {
		value->kind = FBX_REAL;
		value->text = NULL;
	}
	return 1;
}

/* Read "*3 { a: 1,2,3 }" up to the first number. Return 0 or -1. */
static int open_array(struct fbx_cursor *cursor, struct anim_error *error)
{
	struct fbx_value count;
	size_t length;
	int more;

	cursor->at++;
	if (find_token(cursor, is_number_letter, &length, error) != 0 ||
	    text_number(cursor, length, &count, error) != 1)
		return -1;
	if (count.kind != FBX_INT || count.integer < 0)
		return fbx_fail(cursor, error, "the array '%s' has no count", cursor->name);
	cursor->values_left = (uint64_t)count.integer;
	more = skip_blanks(cursor, error);
	if (more <= 0 || *cursor->at != '{')
		return more < 0 ? -1 : fbx_fail(cursor, error, "{ expected after the count of '%s'", cursor->name);
	cursor->at++;
	cursor->state = FBX_ARRAY;
	more = skip_blanks(cursor, error);
	if (more <= 0 || *cursor->at != 'a')
		return more < 0 ? -1 : 0;
	cursor->at++;
	return skip_colon(cursor, error) < 0 ? -1 : 0;
}

static int text_value(struct fbx_cursor *cursor, struct fbx_value *value, struct anim_error *error)
{
	while (cursor->state == FBX_VALUES || cursor->state == FBX_ARRAY) {
		int more = skip_blanks(cursor, error);
		size_t length;
		char c;

		if (more < 0)
			return -1;
		if (more == 0 && cursor->state == FBX_ARRAY)
			return fail_cut(cursor, error);
		c = more == 0 ? '}' : *cursor->at;
		if (c == ',') {
			cursor->at++;
		} else if (cursor->state == FBX_ARRAY && c == '}') {
			if (cursor->values_left > 0)
				return fbx_fail(cursor, error, "%" PRIu64 " numbers of '%s' are missing",
						cursor->values_left, cursor->name);
			cursor->at++;
			cursor->state = FBX_BETWEEN;
		} else if (cursor->state == FBX_ARRAY) {
			if (cursor->values_left == 0)
				return fbx_fail(cursor, error, "more numbers than the count of '%s' says",
						cursor->name);
			cursor->values_left--;
			if (find_token(cursor, is_number_letter, &length, error) != 0)
				return -1;
			return text_number(cursor, length, value, error);
		} else if (c == '{' || c == '}') {
			cursor->state = FBX_BODY;
		} else if (c == '*') {
			if (open_array(cursor, error) != 0)
				return -1;
		} else if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') {
			if (find_token(cursor, is_number_letter, &length, error) != 0)
				return -1;
			return text_number(cursor, length, value, error);
		} else {
			return text_word(cursor, value, error);
		}
	}
	return 0;
}

/* Skip the rest of the current record. Return 0 or -1. */
static int skip_record(struct fbx_cursor *cursor, struct anim_error *error)
{
	struct fbx_value value;
	int more = 1;

	cursor->is_skipping = true;
	while (more == 1 && (cursor->state == FBX_VALUES || cursor->state == FBX_ARRAY)) {
		if (cursor->state == FBX_ARRAY) {
			cursor->state = FBX_BETWEEN;
			cursor->is_skipping = false;
			return skip_body(cursor, error);
		}
		more = text_value(cursor, &value, error);
	}
	cursor->is_skipping = false;
	if (more < 0)
		return -1;
	if (cursor->state == FBX_BODY && cursor->at < cursor->end && *cursor->at == '{') {
		cursor->at++;
		if (skip_body(cursor, error) != 0)
			return -1;
	}
	cursor->state = FBX_BETWEEN;
	return 0;
}

/* ---- Both ---- */

static int text_next(struct fbx_cursor *cursor, struct anim_error *error)
{
	struct fbx_value name;
	int more;

	if (cursor->state != FBX_BETWEEN && skip_record(cursor, error) != 0)
		return -1;
	if (!cursor->is_named) {
		more = skip_blanks(cursor, error);
		if (more < 0)
			return -1;
		if (more == 0)
			return cursor->depth == 0 ? 0 : fail_cut(cursor, error);
		if (*cursor->at == '}' && cursor->depth > 0) {
			cursor->at++;
			cursor->depth--;
			return 0;
		}
		if (text_word(cursor, &name, error) < 0)
			return -1;
		if (!cursor->is_named)
			return fbx_fail(cursor, error,
					cursor->depth == 0 ? "this text is not FBX: expected ':' after a name"
							   : "expected ':' after a name");
	}
	cursor->is_named = false;
	cursor->state = FBX_VALUES;
	return 1;
}

int fbx_next(struct fbx_cursor *cursor, struct anim_error *error)
{
	return cursor->is_binary ? binary_next(cursor, error) : text_next(cursor, error);
}

int fbx_value(struct fbx_cursor *cursor, struct fbx_value *value, struct anim_error *error)
{
	*value = (struct fbx_value){0};
	return cursor->is_binary ? binary_value(cursor, value, error) : text_value(cursor, value, error);
}

int fbx_enter(struct fbx_cursor *cursor, struct anim_error *error)
{
	if (cursor->depth == FBX_DEPTH)
		return fbx_fail(cursor, error, "lists are nested deeper than %d", FBX_DEPTH);
	if (cursor->is_binary) {
		if (cursor->state != FBX_VALUES || cursor->values_end == cursor->record_end)
			return 0;
		if (pass_to(cursor, cursor->values_end, error) != 0)
			return -1;
		cursor->list_end[cursor->depth++] = cursor->record_end;
	} else {
		struct fbx_value value;
		int more;

		while ((more = text_value(cursor, &value, error)) == 1)
			continue;
		if (more < 0)
			return -1;
		if (cursor->state != FBX_BODY || cursor->at == cursor->end || *cursor->at != '{')
			return 0;
		cursor->at++;
		cursor->depth++;
	}
	cursor->state = FBX_BETWEEN;
	return 1;
}

int fbx_numbers(struct fbx_cursor *cursor, enum fbx_element as, struct anim_buffer *out, struct anim_error *error)
{
	struct fbx_value value;
	int more;

	if (cursor->is_binary)
		return binary_numbers(cursor, as, out, error);
	while ((more = fbx_value(cursor, &value, error)) == 1) {
		if (value.kind == FBX_TEXT || value.is_letter)
			return fbx_fail(cursor, error, "'%s' contains a text instead of numbers", cursor->name);
		if (append_number(cursor, as, &value, out, error) != 0)
			return -1;
	}
	return more;
}

int fbx_open(struct fbx_cursor *cursor, struct anim_error *error)
{
	if (need(cursor, 64, error) != 0)
		return -1;
	cursor->is_binary = anim_bytes_begin(cursor->at, left(cursor), MAGIC);
	if (!cursor->is_binary) {
		static const char begin[] = "; FBX ";
		const char *at;

		if (anim_bytes_begin(cursor->at, left(cursor), "\xef\xbb\xbf"))
			cursor->at += 3;
		cursor->version = FBX_TEXT_VERSION;

		/* Read the version from a first line such as "; FBX 7.7.0 project file". */
		at = cursor->at + sizeof begin - 1;
		if (anim_bytes_begin(cursor->at, left(cursor), begin) && left(cursor) >= sizeof begin + 4 &&
		    at[0] >= '1' && at[0] <= '9' && at[1] == '.' && at[2] >= '0' && at[2] <= '9' && at[3] == '.' &&
		    at[4] >= '0' && at[4] <= '9') {
			cursor->version = (uint32_t)(at[0] - '0') * 1000 + (uint32_t)(at[2] - '0') * 100 +
					  (uint32_t)(at[4] - '0') * 10;
			cursor->is_version_known = true;
		}
		return 0;
	}
	if (must_have(cursor, HEAD_BYTES, error) != 0)
		return -1;
	cursor->is_big_endian = cursor->at[22] != 0;
	cursor->version = (uint32_t)unsigned_at(cursor, cursor->at + 23, 4);
	cursor->is_version_known = true;
	cursor->at += HEAD_BYTES;
	return 0;
}

void fbx_cursor_clear(struct fbx_cursor *cursor)
{
	anim_buffer_clear(&cursor->text);
}
