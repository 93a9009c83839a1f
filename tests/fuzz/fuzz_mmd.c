/*
 * fuzz_mmd.c: a motion or a model of MikuMikuDance. The bytes after the first "PMX " or "Pmd" of other bytes are a model,
 * and the bytes before it a motion for it. Both are refused with a message or give a valid stream, which is the same with
 * a store in memory and in a file. The stream becomes a motion, which is read again.
 */
#include <stdio.h>

#include "base/text.h"
#include "filter/convert/convert.h"
#include "format/mmd/mmd.h"
#include "fuzz.h"
#include "stream/stream.h"

/* Read the file into the output. Return 0, or -1 with the error. */
static int read_into(struct anim_output *output, const uint8_t *data, size_t size, const char *model, size_t memory,
		     struct anim_error *error)
{
	static const struct anim_stream_writer_options plain;
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options options = {.store_memory = memory,
						  .diagnostics = &diagnostics,
						  .no_external = true,
						  .model = model,
						  .bvh = {.unit_option = "--unit"}};
	struct anim_sink *writer = anim_stream_writer_new(output, &plain, error);
	struct anim_input *input = NULL;
	int result;

	DEMAND(writer != NULL && anim_input_open_memory(&input, data, size, "x", error) == 0);
	if (anim_pmx_is(data, size) || anim_pmd_is(data, size))
		result = anim_mmd_model_read(input, &options, writer, error);
	else
		result = anim_vmd_read(input, &options, writer, error);
	if (result == 0)
		result = anim_sink_end(writer, error);
	anim_sink_free(writer);
	anim_input_close(input);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

/* Write the stream as a motion. Return 0, or -1 with the error. */
static int write_motion(const struct anim_output *stream, size_t memory, struct anim_output *output,
			struct anim_error *error)
{
	struct anim_diagnostics diagnostics = {0};
	const struct anim_write_options options = {.store_memory = memory, .diagnostics = &diagnostics};
	struct anim_sink *writer = anim_vmd_writer_new(output, &options, error);
	struct anim_sink *convert = anim_convert_new(&anim_vmd_caps, 1e-3, false, &diagnostics, writer, error);
	size_t size;
	const uint8_t *bytes = anim_output_memory(stream, &size);
	int result;

	DEMAND(writer != NULL && convert != NULL);
	result = pump_bytes(bytes, size, convert, error);
	anim_sink_free(convert);
	anim_diagnostics_clear(&diagnostics);
	DEMAND(result == 0 || error->message[0] != '\0');
	return result;
}

/* A motion that is written is the same with a store in a file, and is read again. */
static void check_motion(const struct anim_output *stream)
{
	struct anim_output *outputs[3];
	struct anim_error error = {0}, other = {0};
	size_t sizes[2];

	for (int i = 0; i < 3; i++)
		DEMAND(anim_output_open_memory(&outputs[i], NULL) == 0);
	if (write_motion(stream, 1 << 20, outputs[0], &error) == 0) {
		const uint8_t *a = anim_output_memory(outputs[0], &sizes[0]), *b;

		DEMAND(write_motion(stream, 0, outputs[1], &other) == 0);
		b = anim_output_memory(outputs[1], &sizes[1]);
		DEMAND(sizes[0] == sizes[1] && memcmp(a, b, sizes[0]) == 0);
		DEMAND(read_into(outputs[2], a, sizes[0], NULL, 1 << 20, &error) == 0);
	}
	for (int i = 0; i < 3; i++)
		anim_output_free(outputs[i]);
}

static void check(const uint8_t *data, size_t size, const char *model)
{
	struct anim_output *outputs[2];
	struct anim_error errors[2] = {{0}, {0}};
	size_t sizes[2];
	int results[2];

	for (int i = 0; i < 2; i++) {
		DEMAND(anim_output_open_memory(&outputs[i], NULL) == 0);
		results[i] = read_into(outputs[i], data, size, model, i == 0 ? 1 << 20 : 0, &errors[i]);
	}
	DEMAND(results[0] == results[1]);
	if (results[0] == 0) {
		const uint8_t *a = anim_output_memory(outputs[0], &sizes[0]);
		const uint8_t *b = anim_output_memory(outputs[1], &sizes[1]);

		DEMAND(sizes[0] == sizes[1] && memcmp(a, b, sizes[0]) == 0);
		check_stream(outputs[0]);
		check_motion(outputs[0]);
	} else {
		DEMAND(errors[0].message[0] != '\0' && strcmp(errors[0].message, errors[1].message) == 0);
	}
	anim_output_free(outputs[0]);
	anim_output_free(outputs[1]);
}

#define MODEL_MAX 2048 /* bytes */

/* Return whether all keys of bones are early, so that sampling takes little time. Other motions are read without a model. */
static bool is_short(const uint8_t *data, size_t size)
{
	const size_t head = 50, record = 111;

	for (size_t at = head + 4; at + 19 <= size; at += record)
		if ((data[at + 15] >= 64) | data[at + 16] | data[at + 17] | data[at + 18])
			return false;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *model = anim_text_find(data, size, "PMX ");
	char path[64];
	FILE *file;

	if (is_gzip(data, size))
		return 0;
	model = model != NULL ? model : anim_text_find(data, size, "Pmd");
	if (model == NULL || model == data) {
		check(data, size, NULL);
		return 0;
	}
	check(data, (size_t)(model - data), NULL);
	if (size - (size_t)(model - data) > MODEL_MAX || !is_short(data, (size_t)(model - data)))
		return 0;
	size -= (size_t)(model - data);
	file = tmpfile();
	DEMAND(file != NULL && fwrite(model, 1, size, file) == size && fflush(file) == 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
	check(data, (size_t)(model - data), path);
	fclose(file);
	return 0;
}
