/* zip.c: reads a zip archive from its first byte to its last (PKWARE's APPNOTE 6.3, sections 4.3 and 4.5.3). */
#include "format/npz/zip.h"

#include <stdarg.h>
#include <string.h>

#include "base/advice.h"
#include "base/limits.h"
#include "base/text.h"

#define LOCAL_HEAD 0x04034b50u
#define DIRECTORY_HEAD 0x02014b50u
#define LONG_END 0x06064b50u
#define LONG_END_PLACE 0x07064b50u
#define END 0x06054b50u

#define LOCAL_SIZE 30u
#define DIRECTORY_SIZE 46u
#define LONG_END_SIZE 56u
#define LONG_END_PLACE_SIZE 20u
#define END_SIZE 22u

#define FLAG_ENCRYPTED 1u
#define FLAG_SIZES_FOLLOW 8u
#define STORED 0u
#define DEFLATED 8u
#define ZIP64 1u

struct zip_entry {
	uint64_t size, packed, place;
	uint32_t crc;
};

static uint64_t get(const uint8_t *at, unsigned size)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)at[i] << 8 * i;
	return value;
}

__attribute__((format(printf, 2, 3))) static int refuse(struct zip_reader *zip, const char *format, ...)
{
	struct anim_place place = {
	    .file = anim_input_name(zip->input), .at = ANIM_AT_BYTE, .offset = anim_input_offset(zip->input)};
	va_list args;

	va_start(args, format);
	anim_fail_va(zip->error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	return -1;
}

/* Make `size` bytes visible. Return 0 or -1. */
static int need(struct zip_reader *zip, size_t size, const uint8_t **at)
{
	ssize_t got = anim_input_peek(zip->input, size, at, zip->error);

	if (got < 0)
		return -1;
	return (size_t)got >= size ? 0 : refuse(zip, "the archive ends too early");
}

static size_t entry_count(const struct zip_reader *zip)
{
	return zip->entries.size / sizeof(struct zip_entry);
}

/*
 * Find the 64-bit numbers that replace 32-bit fields whose bits are all set. They follow each other in the order of
 * `fields`. Return false if the extra bytes have none for such a field.
 */
static bool read_long_fields(const uint8_t *extra, size_t size, uint64_t *const *fields, unsigned count)
{
	const uint8_t *end = extra + size;

	while (end - extra >= 4) {
		size_t length = get(extra + 2, 2);

		if (length > (size_t)(end - extra - 4))
			return false;
		if (get(extra, 2) == ZIP64) {
			end = extra + 4 + length;
			extra += 4;
			break;
		}
		extra += 4 + length;
		if (extra == end)
			break;
	}
	for (unsigned i = 0; i < count; i++) {
		if (*fields[i] != UINT32_MAX)
			continue;
		if (end - extra < 8)
			return false;
		*fields[i] = get(extra, 8);
		extra += 8;
	}
	return true;
}

static int begin_file(struct zip_reader *zip)
{
	uint64_t *const fields[] = {&zip->size, &zip->packed};
	struct zip_entry entry = {.place = anim_input_offset(zip->input)};
	size_t name_length, extra_length;
	unsigned flags, method;
	const uint8_t *at;
	int result;

	if (need(zip, LOCAL_SIZE, &at) != 0)
		return -1;
	flags = (unsigned)get(at + 6, 2);
	method = (unsigned)get(at + 8, 2);
	name_length = get(at + 26, 2);
	extra_length = get(at + 28, 2);
	if (need(zip, LOCAL_SIZE + name_length + extra_length, &at) != 0)
		return -1;
	/* Keep the name as text that messages can show. */
	zip->name.size = 0;
	if (anim_utf8_prefix(at + LOCAL_SIZE, name_length) != name_length || name_length == 0)
		return refuse(zip, "a file name in the archive is not UTF-8");
	if (anim_buffer_append(&zip->name, at + LOCAL_SIZE, name_length, zip->error) != 0 ||
	    anim_buffer_append(&zip->name, "", 1, zip->error) != 0)
		return -1;
	if ((flags & FLAG_ENCRYPTED) != 0)
		return refuse(zip, "'%s' is encrypted", (const char *)zip->name.data);
	if ((flags & FLAG_SIZES_FOLLOW) != 0)
		return refuse(zip,
			      "the size of '%s' follows its bytes, as in archives that are written to a pipe; "
			      "unpack the archive and pack it again",
			      (const char *)zip->name.data);
	if (method != STORED && method != DEFLATED)
		return refuse(zip, "'%s' is compressed by method %u, only stored and deflated files can be read",
			      (const char *)zip->name.data, method);
	zip->deflated = method == DEFLATED;
	zip->wanted_crc = (uint32_t)get(at + 14, 4);
	zip->packed = get(at + 18, 4);
	zip->size = get(at + 22, 4);
	if (!read_long_fields(at + LOCAL_SIZE + name_length, extra_length, fields, 2))
		return refuse(zip, "'%s' has no size", (const char *)zip->name.data);
	if (entry_count(zip) >= ANIM_NPZ_ARRAYS_MAX)
		return refuse(zip, "more than %u files in the archive", ANIM_NPZ_ARRAYS_MAX);
	if (!zip->deflated && zip->size != zip->packed)
		return refuse(zip, "'%s' has two sizes", (const char *)zip->name.data);
	if (!zip->trust_size && zip->deflated && zip->size > ANIM_NPZ_INFLATED_MAX &&
	    zip->size / ANIM_NPZ_EXPANSION_MAX > zip->packed)
		return refuse(zip,
			      "'%s' unpacks to more than %u times its size; if that is right, use " ANIM_OPTION(
				  "parse", "trust-size"),
			      (const char *)zip->name.data, ANIM_NPZ_EXPANSION_MAX);
	entry.size = zip->size;
	entry.packed = zip->packed;
	entry.crc = zip->wanted_crc;
	zip->left = zip->size;
	zip->left_packed = zip->packed;
	zip->crc = 0;
	anim_input_skip(zip->input, LOCAL_SIZE + name_length + extra_length);
	if (anim_buffer_append(&zip->entries, &entry, sizeof entry, zip->error) != 0)
		return -1;
	if (!zip->deflated)
		return 0;
	if (zip->inflating)
		result = inflateReset(&zip->zip);
	else
		result = inflateInit2(&zip->zip, -15);
	zip->inflating |= result == Z_OK;
	return result == Z_OK ? 0 : anim_fail_memory(zip->error);
}

/* ---- The directory at the end ---- */

/* Compare an entry of the directory with the file of this number. Return 0 or -1. */
static int check_entry(struct zip_reader *zip, size_t number)
{
	const struct zip_entry *entry = (const struct zip_entry *)(const void *)zip->entries.data + number;
	uint64_t size = 0, packed = 0, place = 0;
	uint64_t *const fields[] = {&size, &packed, &place};
	size_t name_length, extra_length, comment_length;
	const uint8_t *at;

	if (need(zip, DIRECTORY_SIZE, &at) != 0)
		return -1;
	packed = get(at + 20, 4);
	size = get(at + 24, 4);
	name_length = get(at + 28, 2);
	extra_length = get(at + 30, 2);
	comment_length = get(at + 32, 2);
	place = get(at + 42, 4);
	if (need(zip, DIRECTORY_SIZE + name_length + extra_length + comment_length, &at) != 0)
		return -1;
	if (number >= entry_count(zip) ||
	    !read_long_fields(at + DIRECTORY_SIZE + name_length, extra_length, fields, 3) || size != entry->size ||
	    packed != entry->packed || place != entry->place || get(at + 16, 4) != entry->crc)
		return refuse(zip, "the directory of the archive does not agree with its files");
	anim_input_skip(zip->input, DIRECTORY_SIZE + name_length + extra_length + comment_length);
	return 0;
}

/* Read a part of the archive's end of this size if it has this mark. Return 1, 0 if it has another mark, or -1. */
static int read_end_part(struct zip_reader *zip, uint32_t mark, size_t size)
{
	const uint8_t *at;

	if (need(zip, 4, &at) != 0)
		return -1;
	if (get(at, 4) != mark)
		return 0;
	if (need(zip, size, &at) != 0)
		return -1;
	anim_input_skip(zip->input, size);
	return 1;
}

static int read_directory(struct zip_reader *zip)
{
	size_t count = 0, comment;
	const uint8_t *at;

	while (need(zip, 4, &at) == 0 && get(at, 4) == DIRECTORY_HEAD)
		if (check_entry(zip, count++) != 0)
			return -1;
	if (read_end_part(zip, LONG_END, LONG_END_SIZE) < 0 ||
	    read_end_part(zip, LONG_END_PLACE, LONG_END_PLACE_SIZE) < 0 || need(zip, END_SIZE, &at) != 0)
		return -1;
	if (get(at, 4) != END || count != entry_count(zip) || get(at + 10, 2) != (count & 0xFFFF))
		return refuse(zip, "the end of the archive does not agree with its files");
	comment = get(at + 20, 2);
	if (need(zip, END_SIZE + comment, &at) != 0)
		return -1;
	anim_input_skip(zip->input, END_SIZE + comment);
	if (anim_input_peek(zip->input, 1, &at, zip->error) > 0)
		return refuse(zip, "bytes after the end of the archive");
	return zip->error->code == ANIM_OK ? 0 : -1;
}

int zip_next(struct zip_reader *zip)
{
	const uint8_t *at;

	/* Pass over the packed bytes of the current file. */
	while (zip->left_packed > 0) {
		if (need(zip, 1, &at) != 0)
			return -1;
		zip->left_packed -= anim_input_pass(zip->input, zip->left_packed);
	}
	if (need(zip, 4, &at) != 0)
		return -1;
	if (get(at, 4) == LOCAL_HEAD)
		return begin_file(zip) == 0 ? 1 : -1;
	return read_directory(zip);
}

/* ---- The bytes of a file ---- */

static int read_stored(struct zip_reader *zip, uint8_t *to, size_t size)
{
	const uint8_t *at;

	while (size > 0) {
		ssize_t got = anim_input_peek(zip->input, 1, &at, zip->error);
		size_t part = got > 0 && (size_t)got < size ? (size_t)got : size;

		if (got <= 0)
			return got < 0 ? -1 : refuse(zip, "the archive ends too early");
		memcpy(to, at, part);
		anim_input_skip(zip->input, part);
		zip->left_packed -= part;
		to += part;
		size -= part;
	}
	return 0;
}

static int read_deflated(struct zip_reader *zip, uint8_t *to, size_t size)
{
	z_stream *stream = &zip->zip;
	const uint8_t *at;

	stream->next_out = to;
	stream->avail_out = (uInt)size;
	while (stream->avail_out > 0) {
		ssize_t got = zip->left_packed == 0 ? 0 : anim_input_peek(zip->input, 1, &at, zip->error);
		size_t part = got > 0 && (uint64_t)got > zip->left_packed ? (size_t)zip->left_packed : (size_t)got;
		int result;

		if (got < 0)
			return -1;
		stream->next_in = (Bytef *)(uintptr_t)at; /* zlib only reads it */
		stream->avail_in = (uInt)part;
		result = got == 0 ? Z_DATA_ERROR : inflate(stream, Z_NO_FLUSH);
		part -= stream->avail_in;
		anim_input_skip(zip->input, part);
		zip->left_packed -= part;
		if (result == Z_MEM_ERROR)
			return anim_fail_memory(zip->error);
		if (result != Z_OK && !(result == Z_STREAM_END && stream->avail_out == 0))
			return refuse(zip, "'%s' is damaged", (const char *)zip->name.data);
	}
	return 0;
}

#define PART ((size_t)1 << 20) /* less than the largest uInt */

int zip_read(struct zip_reader *zip, void *to, size_t size)
{
	uint8_t *bytes = to;

	if (size > zip->left)
		return refuse(zip, "'%s' ends too early", (const char *)zip->name.data);
	while (size > 0) {
		size_t part = size < PART ? size : PART;

		if ((zip->deflated ? read_deflated : read_stored)(zip, bytes, part) != 0)
			return -1;
		zip->crc = (uint32_t)crc32_z(zip->crc, bytes, part);
		zip->left -= part;
		bytes += part;
		size -= part;
	}
	if (zip->left == 0 && zip->crc != zip->wanted_crc)
		return refuse(zip, "'%s' is damaged: its CRC is wrong", (const char *)zip->name.data);
	return 0;
}

void zip_clear(struct zip_reader *zip)
{
	if (zip->inflating)
		inflateEnd(&zip->zip);
	anim_buffer_clear(&zip->name);
	anim_buffer_clear(&zip->entries);
}
