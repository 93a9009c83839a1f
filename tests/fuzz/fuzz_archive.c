/* fuzz_archive.c: any bytes as an archive: what a full check accepts is by the index what it is as a stream. */
#include <zlib.h>

#include "../archive_reading.h"
#include "crcs.h"
#include "fuzz.h"

#define STORED_HEAD (ANIM_MEMBER_HEAD + 5) /* up to the bytes of a member that is one stored block */

/*
 * The inflated bytes of an archive whose members are one stored block each: where they lie. False where it is not such a
 * one; the trailer is no member of these.
 */
struct stored {
	size_t at[4096], size[4096], count;
};

static bool find_stored(const uint8_t *data, size_t size, struct stored *stored)
{
	size_t at = 0;

	stored->count = 0;
	while (size - at > ANIM_TRAILER_SIZE && stored->count < 4096) {
		uint32_t ax;
		uint16_t length;

		if (size - at < STORED_HEAD + ANIM_MEMBER_TAIL || data[at + ANIM_MEMBER_HEAD] != 1)
			return false;
		memcpy(&ax, data + at + ANIM_MEMBER_AX_AT, sizeof ax);
		memcpy(&length, data + at + ANIM_MEMBER_HEAD + 1, sizeof length);
		if (length + STORED_HEAD + ANIM_MEMBER_TAIL != (size_t)ax + 1 || ax >= size - at)
			return false;
		stored->at[stored->count] = at;
		stored->size[stored->count++] = length;
		at += (size_t)ax + 1;
	}
	return stored->count > 0 && size - at == ANIM_TRAILER_SIZE;
}

/* Every record's CRC right, then every member's: what lies behind them is reached. */
static void repair(uint8_t *data, const struct stored *stored)
{
	uint8_t *stream, *right;
	size_t size = 0, done = 0;

	for (size_t i = 0; i < stored->count; i++)
		size += stored->size[i];
	stream = malloc(size + 1);
	DEMAND(stream != NULL);
	for (size_t i = 0; i < stored->count; i++, done += stored->size[i - 1])
		memcpy(stream + done, data + stored->at[i] + STORED_HEAD, stored->size[i]);
	right = with_crcs(stream, size);
	done = 0;
	for (size_t i = 0; i < stored->count; i++, done += stored->size[i - 1]) {
		uint8_t *member = data + stored->at[i];
		uint16_t length = (uint16_t)stored->size[i], other = (uint16_t)~length;
		uint32_t tail[2] = {(uint32_t)crc32(0, right + done, length), length};

		memcpy(member + ANIM_MEMBER_HEAD + 3, &other, sizeof other);
		memcpy(member + STORED_HEAD, right + done, length);
		memcpy(member + STORED_HEAD + length, tail, sizeof tail);
	}
	free(stream);
	free(right);
}

static struct anim_output *new_output(void)
{
	struct anim_output *output;

	DEMAND(anim_output_open_memory(&output, NULL) == 0);
	return output;
}

/* Both ways of reading a part; `whole`: the archive was proved, so both must come to the same. */
static void read_part(const char *path, const uint8_t *data, size_t size, const struct anim_cut_options *part,
		      bool whole)
{
	struct anim_output *a = new_output(), *b = new_output();
	struct anim_error error = {0};
	struct anim_diagnostics diagnostics = {0};
	struct anim_cut_options cut = *part;
	int by_index, by_stream;
	const uint8_t *a_bytes, *b_bytes;
	size_t a_size, b_size;

	cut.diagnostics = &diagnostics;
	by_index = archive_by_index(path, &cut, a, &error);
	DEMAND(by_index >= 0 || (error.code != ANIM_OK && error.message[0] != '\0'));
	if (whole) {
		by_stream = archive_by_stream(data, size, &cut, b, &error);
		DEMAND(by_index == by_stream);
		a_bytes = anim_output_memory(a, &a_size);
		b_bytes = anim_output_memory(b, &b_size);
		DEMAND(by_index != 0 || (a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0));
	}
	anim_diagnostics_clear(&diagnostics);
	anim_output_free(a);
	anim_output_free(b);
}

static void check(const uint8_t *data, size_t size)
{
	static const struct anim_cut_options parts[] = {{.was_cut = false},
							{.range = {true, false, 0.25, 0.5}},
							{.range = {true, false, -1e9, 0}},
							{.range = {true, false, 5, 1e9}}};
	struct archive_file file;
	struct anim_error error = {0};
	bool whole;

	archive_file_new(&file);
	DEMAND(file.fd >= 0 && archive_file_set(&file, data, size));
	whole = archive_check(file.path, &error) == 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		read_part(file.path, data, size, &parts[i], whole);
	archive_file_free(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stored *stored = malloc(sizeof *stored);
	uint8_t *copy;

	DEMAND(stored != NULL);
	check(data, size);
	if (find_stored(data, size, stored)) {
		copy = malloc(size);
		DEMAND(copy != NULL);
		memcpy(copy, data, size);
		repair(copy, stored);
		check(copy, size);
		free(copy);
	}
	free(stored);
	return 0;
}
