/*
 * fuzz_npz.c: any bytes are either refused with a message, or read as arrays or as a face. The result is the same with
 * a store in memory and in a file, and it is a valid stream.
 */
#include <zlib.h>

#include "format/face/face.h"
#include "format/npz/npz.h"
#include "fuzz.h"
#include "stream/stream.h"

/* Read the file into the sink (owned) and end it. Return 0, or -1 with the error. */
static int read_into(struct anim_sink *sink, const uint8_t *data, size_t size, size_t memory, struct anim_error *error)
{
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options options = {
	    .store_memory = memory, .diagnostics = &diagnostics, .bvh = {.unit_option = "--unit"}};
	struct anim_input *input = NULL;
	int result;

	DEMAND(sink != NULL && anim_input_open_memory(&input, data, size, "x", error) == 0);
	if (anim_npy_is(data, size) || anim_npz_is(data, size))
		result = anim_npz_read(input, &options, sink, error);
	else
		result = anim_face_read(input, &options, sink, error);
	if (result == 0)
		result = anim_sink_end(sink, error);
	anim_sink_free(sink);
	anim_input_close(input);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

static uint32_t get(const uint8_t *at, unsigned size)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value |= (uint32_t)at[i] << 8 * i;
	return value;
}

static void put(uint8_t *at, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

#define FILES_MAX 64

/* Make the CRCs of stored files right, so that changed numbers are not refused before they are used. */
static void fix_crcs(uint8_t *data, size_t size)
{
	uint32_t crcs[FILES_MAX];
	size_t at = 0, count = 0, seen = 0;

	while (size - at >= 46 && count < FILES_MAX && memcmp(data + at, "PK\003\004", 4) == 0) {
		size_t name = get(data + at + 26, 2), extra = get(data + at + 28, 2), packed = get(data + at + 18, 4);
		size_t begin = at + 30 + name + extra;

		if (packed == UINT32_MAX && extra >= 20 && begin <= size)
			packed = get(data + at + 30 + name + 12, 4);
		if (begin > size || packed > size - begin)
			return;
		crcs[count] = get(data + at + 14, 4);
		if (get(data + at + 8, 2) == 0)
			crcs[count] = (uint32_t)crc32_z(0, data + begin, packed);
		put(data + at + 14, crcs[count++]);
		at = begin + packed;
	}
	while (size - at >= 46 && seen < count && memcmp(data + at, "PK\001\002", 4) == 0) {
		put(data + at + 16, crcs[seen++]);
		at += 46 + get(data + at + 28, 2) + get(data + at + 30, 2) + get(data + at + 32, 2);
		if (at > size)
			return;
	}
}

static void check(const uint8_t *data, size_t size)
{
	static const struct anim_stream_writer_options plain;
	struct anim_output *outputs[2];
	struct anim_error errors[2] = {{0}, {0}};
	size_t a_size, b_size;
	int results[2];

	for (int i = 0; i < 2; i++) {
		DEMAND(anim_output_open_memory(&outputs[i], NULL) == 0);
		results[i] = read_into(anim_stream_writer_new(outputs[i], &plain, &errors[i]), data, size,
				       i == 0 ? 1 << 20 : 0, &errors[i]);
	}
	DEMAND(results[0] == results[1]);
	if (results[0] == 0) {
		const uint8_t *a = anim_output_memory(outputs[0], &a_size),
			      *b = anim_output_memory(outputs[1], &b_size);

		DEMAND(a_size == b_size && memcmp(a, b, a_size) == 0);
		check_stream(outputs[0]);
	} else {
		DEMAND(errors[0].message[0] != '\0' && strcmp(errors[0].message, errors[1].message) == 0);
		DEMAND(errors[0].offset == errors[1].offset && errors[0].line == errors[1].line);
	}
	anim_output_free(outputs[0]);
	anim_output_free(outputs[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy;

	if (is_gzip(data, size))
		return 0;
	check(data, size);
	if (size < 4 || memcmp(data, "PK", 2) != 0)
		return 0;
	copy = malloc(size);
	DEMAND(copy != NULL);
	memcpy(copy, data, size);
	fix_crcs(copy, size);
	check(copy, size);
	free(copy);
	return 0;
}
