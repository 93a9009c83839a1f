/* array.c: the header of an array, which is a Python literal, and its numbers. */
#include "format/npz/array.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/scan.h"
#include "base/text.h"

int npy_refuse(struct npy_array *array, const char *format, ...)
{
	struct anim_input *input = array->zip != NULL ? array->zip->input : array->input;
	struct anim_place place = {
	    .file = anim_input_name(input), .at = ANIM_AT_BYTE, .offset = anim_input_offset(input)};
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return anim_fail_at(array->error, ANIM_BAD_INPUT, &place, "%s%.80s%s%s",
			    array->name[0] != '\0' ? "array '" : "", array->name, array->name[0] != '\0' ? "': " : "",
			    text);
}

void npy_print_shape(const struct npy_array *array, char *out, size_t capacity)
{
	size_t used = (size_t)snprintf(out, capacity, "(");

	for (unsigned i = 0; i < array->dimensions && used < capacity; i++)
		used += (size_t)snprintf(out + used, capacity - used, "%s%llu", i > 0 ? ", " : "",
					 (unsigned long long)array->shape[i]);
	if (used < capacity)
		snprintf(out + used, capacity - used, ")");
}

static int read_bytes(struct npy_array *array, void *to, size_t size)
{
	uint8_t *bytes = to;
	const uint8_t *at;

	if (array->zip != NULL)
		return zip_read(array->zip, to, size);
	while (size > 0) {
		ssize_t got = anim_input_peek(array->input, 1, &at, array->error);
		size_t part = got > 0 && (size_t)got < size ? (size_t)got : size;

		if (got <= 0)
			return got < 0 ? -1 : npy_refuse(array, "the file ends too early");
		memcpy(bytes, at, part);
		anim_input_skip(array->input, part);
		bytes += part;
		size -= part;
	}
	return 0;
}

/* ---- The header: {'descr': '<f8', 'fortran_order': False, 'shape': (601, 156), } ---- */

#define MAGIC "\x93NUMPY"
#define MAGIC_SIZE 6u
#define HEADER_SLACK 16

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
		at++;
	return at;
}

/* Return the text after this word and the blanks after it, or NULL if another text is there. */
static const char *after_word(const char *at, const char *word)
{
	const char *end = at == NULL ? NULL : anim_text_after(at, word);

	return end == NULL ? NULL : skip_blanks(end);
}

/* Read a quoted text without escapes. Return the text after it, or NULL. */
static const char *read_quoted(const char *at, const char **text, size_t *length)
{
	const char *end = *at == '\'' || *at == '"' ? strchr(at + 1, *at) : NULL;

	if (end == NULL)
		return NULL;
	*text = at + 1;
	*length = (size_t)(end - at) - 1;
	return skip_blanks(end + 1);
}

/* Read "<f8", "|S6", ">i4", "<U5" or "|b1". Types of other kinds are NPY_OTHER. */
static void read_type(struct npy_array *array, const char *text, size_t length)
{
	size_t size = 0;

	array->kind = NPY_OTHER;
	if (length < 2 || strchr("<>|=", text[0]) == NULL)
		return;
	array->big_endian = text[0] == '>';
	for (size_t i = 2; i < length && anim_is_digit(text[i]) && size < ANIM_NPZ_TEXT_MAX; i++)
		size = size * 10 + (size_t)(text[i] - '0');
	array->item_size = size;
	if (text[1] == 'O')
		array->kind = NPY_OBJECTS;
	else if (text[1] == 'f' && (size == 2 || size == 4 || size == 8))
		array->kind = NPY_FLOAT;
	else if (text[1] == 'i' && (size == 1 || size == 2 || size == 4 || size == 8))
		array->kind = NPY_SIGNED;
	else if ((text[1] == 'u' || text[1] == 'b') && (size == 1 || size == 2 || size == 4 || size == 8))
		array->kind = NPY_UNSIGNED;
	else if (text[1] == 'S' && size <= ANIM_NPZ_TEXT_MAX)
		array->kind = NPY_BYTES;
	else if (text[1] == 'U' && size <= ANIM_NPZ_TEXT_MAX / 4)
		array->kind = NPY_TEXT;
	if (array->kind == NPY_TEXT)
		array->item_size = 4 * size;
	if (array->kind == NPY_OBJECTS)
		array->item_size = 1; /* unused: objects are pickled and never read */
}

/* Read "(601, 156)", whose numbers may end with Python 2's L. Return the text after it, or NULL. */
static const char *read_shape(struct npy_array *array, const char *at)
{
	at = after_word(at, "(");
	while (at != NULL && *at != ')') {
		uint64_t size = 0;

		if (array->dimensions == NPY_DIMENSIONS_MAX || !anim_is_digit(*at))
			return NULL;
		for (; anim_is_digit(*at); at++) {
			if (size > (UINT64_MAX - 9) / 10)
				return NULL;
			size = size * 10 + (uint64_t)(*at - '0');
		}
		array->shape[array->dimensions++] = size;
		at = skip_blanks(at + (*at == 'L'));
		if (*at == ',')
			at = skip_blanks(at + 1);
		else if (*at != ')')
			return NULL;
	}
	return at == NULL ? NULL : skip_blanks(at + 1);
}

static const char *read_order(struct npy_array *array, const char *at)
{
	const char *end = after_word(at, "True");

	array->by_columns = end != NULL;
	return end != NULL ? end : after_word(at, "False");
}

/* Read a member of the header. Set its bit in *seen. Return the text after it, or NULL. */
static const char *read_member(struct npy_array *array, const char *at, unsigned *seen)
{
	const char *name, *type;
	size_t length, type_length;

	at = after_word(read_quoted(at, &name, &length), ":");
	if (at == NULL)
		return NULL;
	if (length == 5 && memcmp(name, "descr", 5) == 0) {
		*seen |= 1;
		if (*at == '[') { /* a type with fields, whose text is not needed */
			array->kind = NPY_OTHER;
			at = strchr(at, ']');
			return at == NULL ? NULL : skip_blanks(at + 1);
		}
		at = read_quoted(at, &type, &type_length);
		if (at != NULL)
			read_type(array, type, type_length);
		return at;
	}
	if (length == 13 && memcmp(name, "fortran_order", 13) == 0) {
		*seen |= 2;
		return read_order(array, at);
	}
	if (length == 5 && memcmp(name, "shape", 5) == 0) {
		*seen |= 4;
		return read_shape(array, at);
	}
	return NULL;
}

static bool read_literal(struct npy_array *array, const char *at)
{
	unsigned seen = 0;

	array->dimensions = 0;
	array->by_columns = false;
	at = after_word(skip_blanks(at), "{");
	while (at != NULL && *at != '}') {
		at = read_member(array, at, &seen);
		if (at != NULL && *at == ',')
			at = skip_blanks(at + 1);
		else if (at != NULL && *at != '}')
			return false;
	}
	return at != NULL && seen == 7 && *skip_blanks(at + 1) == '\0';
}

/* Compute the count and check that all bytes of the array can be counted. Return false if they cannot. */
static bool count_numbers(struct npy_array *array)
{
	uint64_t most = (uint64_t)INT64_MAX / (array->item_size > 0 ? array->item_size : 1), count = 1;
	bool empty = false;

	for (unsigned i = 0; i < array->dimensions; i++)
		empty |= array->shape[i] == 0;
	for (unsigned i = 0; i < array->dimensions && !empty; i++) {
		if (array->shape[i] > most / count)
			return false;
		count *= array->shape[i];
	}
	array->count = empty ? 0 : count;
	return true;
}

static int read_header(struct npy_array *array, struct anim_buffer *text)
{
	uint8_t head[12];
	size_t size;

	if (read_bytes(array, head, MAGIC_SIZE + 4) != 0)
		return -1;
	if (memcmp(head, MAGIC, MAGIC_SIZE) != 0 || head[6] < 1 || head[6] > 3)
		return npy_refuse(array, "not an array of numpy, version 1 to 3");
	size = (size_t)head[8] | (size_t)head[9] << 8;
	if (head[6] > 1) {
		if (read_bytes(array, head + 10, 2) != 0)
			return -1;
		size |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
	}
	if (size > ANIM_NPZ_HEADER_MAX)
		return npy_refuse(array, "a header of more than %u bytes", ANIM_NPZ_HEADER_MAX);
	if (anim_buffer_reserve(text, size + HEADER_SLACK, array->error) != 0 ||
	    read_bytes(array, text->data, size) != 0)
		return -1;
	text->data[size] = '\0';
	if (!read_literal(array, (const char *)text->data))
		return npy_refuse(array, "the header is not one of numpy");
	return count_numbers(array) ? 0 : npy_refuse(array, "the shape is too large");
}

int npy_begin(struct npy_array *array)
{
	struct anim_buffer text = {0};
	int result = read_header(array, &text);

	anim_buffer_clear(&text);
	if (result == 0 && array->zip != NULL && array->kind < NPY_OBJECTS &&
	    array->count * array->item_size != array->zip->left)
		return npy_refuse(array, "the shape does not agree with the size of the file");
	return result;
}

/* ---- The numbers ---- */

static uint64_t load(const uint8_t *at, size_t size, bool big_endian)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)at[big_endian ? size - 1 - i : i] << 8 * i;
	return value;
}

/* Convert a half-precision float, exactly. */
static double half_value(uint64_t bits)
{
	int exponent = (int)(bits >> 10 & 31);
	double fraction = (double)(bits & 1023) / 1024, value;

	if (exponent == 31)
		value = fraction == 0 ? (double)INFINITY : (double)NAN;
	else
		value = exponent == 0 ? ldexp(fraction, -14) : ldexp(1 + fraction, exponent - 15);
	return (bits & 0x8000) != 0 ? -value : value;
}

static double float_value(uint64_t bits, size_t size)
{
	double value;
	float single;
	uint32_t low = (uint32_t)bits;

	if (size == 2)
		return half_value(bits);
	memcpy(&single, &low, sizeof single);
	memcpy(&value, &bits, sizeof value);
	return size == 4 ? (double)single : value;
}

static double signed_value(uint64_t bits, size_t size)
{
	unsigned shift = 64 - 8 * (unsigned)size;

	return (double)((int64_t)(bits << shift) >> shift);
}

/* The usual types get loops of their own, which compilers turn into plain loads. */
static void convert(const struct npy_array *array, const uint8_t *from, double *to, size_t count)
{
	size_t size = array->item_size;

	if (array->kind == NPY_FLOAT && size == 8 && !array->big_endian)
		for (size_t i = 0; i < count; i++)
			to[i] = float_value(load(from + 8 * i, 8, false), 8);
	else if (array->kind == NPY_FLOAT && size == 4 && !array->big_endian)
		for (size_t i = 0; i < count; i++)
			to[i] = float_value(load(from + 4 * i, 4, false), 4);
	else
		for (size_t i = 0; i < count; i++) {
			uint64_t bits = load(from + size * i, size, array->big_endian);

			to[i] = array->kind == NPY_FLOAT    ? float_value(bits, size)
				: array->kind == NPY_SIGNED ? signed_value(bits, size)
							    : (double)bits;
		}
}

#define CHUNK ((size_t)4096)

int npy_doubles(struct npy_array *array, double *to, size_t count)
{
	uint8_t bytes[CHUNK * sizeof(double)];

	while (count > 0) {
		size_t part = count < CHUNK ? count : CHUNK;

		if (read_bytes(array, bytes, part * array->item_size) != 0)
			return -1;
		convert(array, bytes, to, part);
		to += part;
		count -= part;
	}
	return 0;
}

int npy_text(struct npy_array *array, struct anim_buffer *to)
{
	uint8_t bytes[4];
	char code[4];
	size_t step = array->kind == NPY_TEXT ? 4 : 1;
	bool ended = false;

	for (size_t i = 0; i < array->item_size; i += step) {
		uint64_t value;

		if (read_bytes(array, bytes, step) != 0)
			return -1;
		value = load(bytes, step, array->big_endian);
		ended |= value == 0;
		if (!ended &&
		    anim_buffer_append(to, code, anim_utf8_encode(value > 0x10FFFF ? 0xFFFD : (uint32_t)value, code),
				       array->error) != 0)
			return -1;
	}
	return 0;
}

int npy_end(struct npy_array *array)
{
	const uint8_t *at;

	if (array->zip != NULL)
		return 0;
	if (anim_input_peek(array->input, 1, &at, array->error) > 0)
		return npy_refuse(array, "bytes after the last number");
	return array->error->code == ANIM_OK ? 0 : -1;
}
