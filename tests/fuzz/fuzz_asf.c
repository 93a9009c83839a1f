/*
 * fuzz_asf.c: the bytes before the first form feed are a skeleton, and the bytes after it a motion. Both are refused with a
 * message and a line, or read, the same with a store in memory and in a file and with the other axis up.
 */
#include <stdio.h>

#include "format/asf/asf.h"
#include "fuzz.h"
#include "stream/stream.h"

/* Read into a stream. Return 0, or -1 with the error. */
static int read_into(struct anim_output *output, const uint8_t *data, size_t size, const char *asf, size_t memory,
		     bool z_up, struct anim_error *error)
{
	static const struct anim_stream_writer_options plain;
	struct anim_sink *writer = anim_stream_writer_new(output, &plain, NULL);
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options options = {.store_memory = memory,
						  .asf = asf,
						  .diagnostics = &diagnostics,
						  .bvh = {.unit_option = "--unit", .z_up = z_up}};
	struct anim_input *input = NULL;
	int result;

	DEMAND(writer != NULL && anim_input_open_memory(&input, data, size, "x", NULL) == 0);
	result = (asf == NULL ? anim_asf_read : anim_amc_read)(input, &options, writer, error);
	if (result == 0)
		result = anim_sink_end(writer, error);
	else
		DEMAND(error->message[0] != '\0' && error->file[0] != '\0' && error->line > 0);
	anim_sink_free(writer);
	anim_input_close(input);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

static void check(const uint8_t *data, size_t size, const char *asf)
{
	struct anim_output *outputs[3];
	const uint8_t *bytes[3];
	size_t sizes[3];
	int results[3];

	for (int i = 0; i < 3; i++) {
		struct anim_error error = {0};

		DEMAND(anim_output_open_memory(&outputs[i], NULL) == 0);
		results[i] = read_into(outputs[i], data, size, asf, i == 1 ? 0 : 1 << 20, i == 2, &error);
		bytes[i] = anim_output_memory(outputs[i], &sizes[i]);
	}
	DEMAND(results[0] == results[1] && results[0] == results[2]);
	if (results[0] == 0) {
		DEMAND(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
		check_stream(outputs[0]);
		check_stream(outputs[2]);
	}
	for (int i = 0; i < 3; i++)
		anim_output_free(outputs[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *feed = size == 0 ? NULL : memchr(data, '\f', size);
	size_t head = feed == NULL ? size : (size_t)(feed - data);
	char path[64];
	FILE *file;

	if (is_gzip(data, size) || (feed != NULL && is_gzip(feed + 1, size - head - 1)))
		return 0;
	anim_asf_is(data, size);
	anim_amc_is(data, size);
	check(data, head, NULL);
	if (feed == NULL)
		return 0;
	file = tmpfile();
	DEMAND(file != NULL && fwrite(data, 1, head, file) == head && fflush(file) == 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
	check(feed + 1, size - head - 1, path);
	fclose(file);
	return 0;
}
