/*
 * fuzz_unitypackage.c: any bytes are refused with a message, or read as a Unity package: the same stream from a store in
 * memory and in a file, which reads back. The checksums of tar headers and the end of the archive are made right, so that
 * changed headers count.
 */
#include <stdio.h>

#include "format/unity/unity.h"
#include "fuzz.h"
#include "stream/stream.h"

#define BLOCK 512
#define END ((size_t)2 * BLOCK) /* zeros after the archive, without which it is cut */
#define SUM_AT 148
#define SIZE_AT 124

/* Write the checksum of each header at which a reader can arrive. */
static void seal(uint8_t *data, size_t size)
{
	for (size_t at = 0; at + BLOCK <= size;) {
		uint8_t *header = data + at;
		unsigned sum = 0;
		size_t bytes = 0;

		memset(header + SUM_AT, ' ', 8);
		for (size_t i = 0; i < BLOCK; i++)
			sum += header[i];
		if (sum == 8 * ' ') {
			memset(header + SUM_AT, 0, 8);
			return;
		}
		snprintf((char *)header + SUM_AT, 8, "%06o", sum);
		for (size_t i = SIZE_AT; i < SIZE_AT + 12 && header[i] >= '0' && header[i] <= '7' && bytes < size; i++)
			bytes = bytes * 8 + (size_t)(header[i] - '0');
		at += BLOCK + (bytes + BLOCK - 1) / BLOCK * BLOCK;
	}
}

/* Read the package, all clips or all assets with their nodes. Return 0, or -1 with the error. */
static int read_into(struct anim_output *output, const uint8_t *data, size_t size, size_t memory, const char *asset,
		     struct anim_error *error)
{
	static const struct anim_stream_writer_options plain;
	struct anim_sink *writer = anim_stream_writer_new(output, &plain, NULL);
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options options = {
	    .store_memory = memory, .keep_going = memory == 0, .asset = asset, .diagnostics = &diagnostics};
	struct anim_input *input = NULL;
	int result;

	DEMAND(writer != NULL && anim_input_open_memory(&input, data, size, "x.unitypackage", NULL) == 0);
	result = anim_unity_package_read(input, &options, writer, error);
	DEMAND(result == 0 || (error->code != ANIM_OK && error->message[0] != '\0' && error->file[0] != '\0'));
	if (result == 0)
		result = anim_sink_end(writer, error);
	anim_sink_free(writer);
	anim_input_close(input);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

static void check_equal(const struct anim_output *a, const struct anim_output *b)
{
	size_t a_size, b_size;
	const uint8_t *a_bytes = anim_output_memory(a, &a_size), *b_bytes = anim_output_memory(b, &b_size);

	DEMAND(a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0);
}

static void check(const uint8_t *data, size_t size, const char *asset)
{
	struct anim_output *outputs[2];
	int results[2];

	for (int i = 0; i < 2; i++) {
		struct anim_error error = {0};

		DEMAND(anim_output_open_memory(&outputs[i], NULL) == 0);
		results[i] = read_into(outputs[i], data, size, i == 0 ? 1 << 20 : 0, asset, &error);
	}
	if (results[0] == 0) {
		DEMAND(results[1] == 0);
		check_equal(outputs[0], outputs[1]);
		check_stream(outputs[0]);
	}
	anim_output_free(outputs[0]);
	anim_output_free(outputs[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *sealed;

	if (is_gzip(data, size))
		return 0;
	sealed = calloc(1, size + END);
	DEMAND(sealed != NULL);
	if (size > 0)
		memcpy(sealed, data, size);
	seal(sealed, size);
	check(sealed, size + END, NULL);
	check(sealed, size + END, "*");
	free(sealed);
	return 0;
}
