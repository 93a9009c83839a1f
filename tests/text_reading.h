/* text_reading.h: the texts of anim-dump and anim-emit json made of streams and read back, for tests and fuzz targets. */
#ifndef ANIM_TESTS_TEXT_READING_H
#define ANIM_TESTS_TEXT_READING_H

#include <stdio.h>
#include <string.h>

#include "format/dump/dump.h"
#include "format/json/json.h"
#include "recode.h"

enum text_kind { TEXT_DUMP, TEXT_JSON };

/* The text of a stream, in `output` (memory, to be freed). 0 or -1. */
static inline int text_of_stream(enum text_kind kind, const void *bytes, size_t size, struct anim_output **output,
				 struct anim_error *error)
{
	static const struct anim_diagnostics none;
	struct anim_sink *sink;
	int result;

	if (anim_output_open_memory(output, error) != 0)
		return -1;
	sink = kind == TEXT_DUMP ? anim_dump_new(*output, error) : anim_json_writer_new(*output, &none, error);
	result = sink == NULL ? -1 : pump_bytes(bytes, size, sink, error);
	anim_sink_free(sink);
	return result;
}

/* The stream of a text, in `output` (memory, to be freed), read from memory or byte by byte. 0 or -1. */
static inline int stream_of_text(enum text_kind kind, const void *text, size_t size, bool by_bytes,
				 struct anim_output **output, struct anim_error *error)
{
	static const struct anim_input_options one_byte = {.read_max = 1};
	static const struct anim_stream_writer_options plain;
	struct anim_diagnostics diagnostics = {0};
	struct anim_read_options options = {.diagnostics = &diagnostics};
	struct anim_input *input = NULL;
	struct anim_sink *sink = NULL;
	FILE *file = by_bytes ? tmpfile() : NULL;
	int result = anim_output_open_memory(output, error);

	if (file != NULL) {
		fwrite(text, 1, size, file);
		rewind(file);
	}
	if (result == 0)
		result = file != NULL ? anim_input_open_fd(&input, fileno(file), "x", &one_byte, error)
				      : anim_input_open_memory(&input, text, size, "x", error);
	if (result == 0)
		result = (sink = anim_stream_writer_new(*output, &plain, error)) == NULL ? -1 : 0;
	if (result == 0)
		result =
		    kind == TEXT_DUMP ? anim_undump(input, sink, error) : anim_json_read(input, &options, sink, error);
	if (result == 0)
		result = anim_sink_end(sink, error);
	anim_sink_free(sink);
	anim_input_close(input);
	if (file != NULL)
		fclose(file);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

/* Whether two outputs in memory hold the same bytes. */
static inline bool same_memory(const struct anim_output *a, const struct anim_output *b)
{
	size_t size_a, size_b;
	const uint8_t *bytes_a = anim_output_memory(a, &size_a), *bytes_b = anim_output_memory(b, &size_b);

	return size_a == size_b && (size_a == 0 || memcmp(bytes_a, bytes_b, size_a) == 0);
}

#endif
