/*
 * fuzz_fbx_out.c: any stream, its CRCs made right, is refused by the writer of FBX with a message, or becomes a file that is the same
 * twice, with a store in memory and in a file, and that the reader takes.
 */
#include "crcs.h"
#include "filter/convert/convert.h"
#include "format/fbx/fbx.h"
#include "fuzz.h"

/* Write the stream. Return 0, or -1 with the error. */
static int write_fbx(const uint8_t *data, size_t size, size_t memory, struct anim_output *output,
		     struct anim_error *error)
{
	struct anim_diagnostics diagnostics = {0};
	const struct anim_write_options options = {.store_memory = memory, .diagnostics = &diagnostics};
	struct anim_sink *writer = anim_fbx_writer_new(output, &options, error);
	struct anim_sink *convert = anim_convert_new(&anim_fbx_caps, 1e-3, false, &diagnostics, writer, error);
	int result;

	DEMAND(writer != NULL && convert != NULL);
	result = pump_bytes(data, size, convert, error);
	anim_sink_free(convert);
	anim_diagnostics_clear(&diagnostics);
	DEMAND(result == 0 || (error->code != ANIM_OK && error->message[0] != '\0'));
	return result;
}

/* What is written is read again, unless names that the stream's paths do not have make paths that are too long. */
static void check_reads_back(const uint8_t *data, size_t size)
{
	static const struct anim_stream_writer_options plain;
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options options = {.store_memory = 1 << 20, .diagnostics = &diagnostics};
	struct anim_error error = {0};
	struct anim_input *input = NULL;
	struct anim_output *output;
	struct anim_sink *writer;
	int result;

	DEMAND(anim_output_open_memory(&output, NULL) == 0);
	writer = anim_stream_writer_new(output, &plain, &error);
	DEMAND(writer != NULL && anim_input_open_memory(&input, data, size, "x.fbx", &error) == 0);
	result = anim_fbx_read(input, &options, writer, &error);
	DEMAND(result == 0 || error.code == ANIM_TOO_LARGE);
	if (result == 0) {
		DEMAND(anim_sink_end(writer, &error) == 0);
		check_stream(output);
	}
	anim_sink_free(writer);
	anim_input_close(input);
	anim_output_free(output);
	anim_diagnostics_clear(&diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *right = with_crcs(data, size);
	struct anim_output *outputs[2];
	struct anim_error errors[2] = {{0}, {0}};
	const uint8_t *bytes[2];
	size_t sizes[2];
	int results[2];

	for (int i = 0; i < 2; i++) {
		DEMAND(anim_output_open_memory(&outputs[i], NULL) == 0);
		results[i] = write_fbx(right, size, i == 0 ? 1 << 20 : 0, outputs[i], &errors[i]);
		bytes[i] = anim_output_memory(outputs[i], &sizes[i]);
	}
	DEMAND(results[0] == results[1]);
	if (results[0] == 0) {
		DEMAND(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
		check_reads_back(bytes[0], sizes[0]);
	}
	anim_output_free(outputs[0]);
	anim_output_free(outputs[1]);
	free(right);
	return 0;
}
