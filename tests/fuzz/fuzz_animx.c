/*
 * fuzz_animx.c: any bytes are refused with a message and a place, or read as AnimX, the same with a store in memory and in
 * a file; what was read is written in every encoding and order, and reads back the same.
 */
#include "format/animx/animx.h"
#include "fuzz.h"
#include "stream/store.h"
#include "stream/stream.h"

/* Reads the file into a stream. 0, or -1 with the error. */
static int read_stream(const uint8_t *data, size_t size, size_t memory, struct anim_output *output,
		       struct anim_error *error)
{
	static const struct anim_stream_writer_options plain;
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options options = {.store_memory = memory, .diagnostics = &diagnostics};
	struct anim_sink *writer = anim_stream_writer_new(output, &plain, error);
	struct anim_input *input = NULL;
	int result;

	DEMAND(writer != NULL && anim_input_open_memory(&input, data, size, "x.animx", error) == 0);
	result = anim_animx_read(input, &options, writer, error);
	if (result == 0)
		result = anim_sink_end(writer, error);
	anim_sink_free(writer);
	anim_input_close(input);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

/* Reads the file straight into a writer. 0 or -1. */
static int rewrite(const uint8_t *data, size_t size, struct anim_write_options options, struct anim_output *output,
		   struct anim_error *error)
{
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options reading = {.store_memory = 1 << 20, .diagnostics = &diagnostics};
	struct anim_input *input = NULL;
	struct anim_sink *writer;
	int result;

	options.diagnostics = &diagnostics;
	writer = anim_animx_writer_new(output, &options, error);
	DEMAND(writer != NULL && anim_input_open_memory(&input, data, size, "x.animx", error) == 0);
	result = anim_animx_read(input, &reading, writer, error);
	if (result == 0)
		result = anim_sink_end(writer, error);
	anim_sink_free(writer);
	anim_input_close(input);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

/* What was written plain is written the same again, whatever encoding lay between. */
static void check_encodings(const uint8_t *data, size_t size)
{
	struct anim_output *first, *between, *last;
	struct anim_error error = {0};
	const uint8_t *a, *b, *c;
	size_t a_size, b_size, c_size;

	DEMAND(anim_output_open_memory(&first, NULL) == 0);
	if (rewrite(data, size, (struct anim_write_options){0}, first, &error) == 0) {
		a = anim_output_memory(first, &a_size);
		for (int encoding = 0; encoding < ANIM_ANIMX_ENCODING_COUNT; encoding++) {
			const struct anim_write_options options = {.encoding = (enum anim_animx_encoding)encoding};

			DEMAND(anim_output_open_memory(&between, NULL) == 0 &&
			       anim_output_open_memory(&last, NULL) == 0);
			DEMAND(rewrite(a, a_size, options, between, &error) == 0);
			b = anim_output_memory(between, &b_size);
			DEMAND(rewrite(b, b_size, (struct anim_write_options){0}, last, &error) == 0);
			c = anim_output_memory(last, &c_size);
			DEMAND(a_size == c_size && memcmp(a, c, a_size) == 0);
			anim_output_free(between);
			anim_output_free(last);
		}
	} else {
		DEMAND(error.code == ANIM_UNSUPPORTED && error.message[0] != '\0');
	}
	anim_output_free(first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct anim_output *outputs[2];
	struct anim_error errors[2] = {{0}, {0}};
	const uint8_t *bytes[2];
	size_t sizes[2];
	int results[2];

	if (is_gzip(data, size))
		return 0;
	for (int i = 0; i < 2; i++) {
		DEMAND(anim_output_open_memory(&outputs[i], NULL) == 0);
		results[i] = read_stream(data, size, i == 0 ? 1 << 20 : 0, outputs[i], &errors[i]);
		bytes[i] = anim_output_memory(outputs[i], &sizes[i]);
	}
	DEMAND(results[0] == results[1]);
	if (results[0] == 0) {
		DEMAND(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
		check_encodings(data, size);
	} else {
		DEMAND(errors[0].message[0] != '\0' && errors[0].file[0] != '\0');
		DEMAND(strcmp(errors[0].message, errors[1].message) == 0 && errors[0].offset == errors[1].offset);
	}
	anim_output_free(outputs[0]);
	anim_output_free(outputs[1]);
	return 0;
}
