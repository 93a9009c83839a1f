/* animj_reading.h: AnimJ read into a stream in every way there is, for tests and the fuzz target. */
#ifndef ANIM_TESTS_ANIMJ_READING_H
#define ANIM_TESTS_ANIMJ_READING_H

#include <stdio.h>
#include <string.h>

#include "format/animj/reader.h"
#include "stream/stream.h"

/* How: templates from memory, tokens alone from memory, templates byte by byte from a file and stored in one. */
enum animj_way { BY_TEMPLATES, BY_TOKENS, BY_BYTES, ANIMJ_WAYS };

struct animj_reading {
	struct anim_output *output;
	struct anim_diagnostics diagnostics;
	struct anim_error error;
	int result;
};

/* *file is set where the bytes come from one, to be closed behind the input. 0 or -1. */
static inline int animj_reading_input(struct anim_input **input, FILE **file, enum animj_way way, const void *bytes,
				      size_t size, struct anim_error *error)
{
	static const struct anim_input_options one_byte = {.read_max = 1};

	*file = NULL;
	if (way != BY_BYTES)
		return anim_input_open_memory(input, bytes, size, "x.animj", error);
	*file = tmpfile();
	if (*file == NULL)
		return -1;
	fwrite(bytes, 1, size, *file);
	rewind(*file);
	return anim_input_open_fd(input, fileno(*file), "x.animj", &one_byte, error);
}

/* Reads; `output` holds the stream where `result` is 0. To be cleared. False where not even that could be tried. */
static inline bool animj_reading_do(struct animj_reading *reading, enum animj_way way, const void *bytes, size_t size)
{
	static const struct anim_stream_writer_options plain;
	struct anim_read_options options = {.store_memory = way == BY_BYTES ? 0 : 1 << 20,
					    .diagnostics = &reading->diagnostics};
	struct anim_input *input;
	struct anim_sink *writer;
	FILE *file;

	memset(reading, 0, sizeof *reading);
	if (anim_output_open_memory(&reading->output, NULL) != 0 ||
	    animj_reading_input(&input, &file, way, bytes, size, &reading->error) != 0)
		return false;
	writer = anim_stream_writer_new(reading->output, &plain, &reading->error);
	reading->result = animj_read(input, &options, way != BY_TOKENS, writer, &reading->error);
	if (reading->result == 0)
		reading->result = anim_sink_end(writer, &reading->error);
	anim_sink_free(writer);
	anim_input_close(input);
	if (file != NULL)
		fclose(file);
	return true;
}

static inline void animj_reading_clear(struct animj_reading *reading)
{
	anim_output_free(reading->output);
	anim_diagnostics_clear(&reading->diagnostics);
}

/*
 * Whether two readings came to the same: stream and number of warnings, or both to nothing. By tokens another one of
 * several faults may be met first; else message and place are the same too.
 */
static inline bool animj_reading_same(const struct animj_reading *a, const struct animj_reading *b, enum animj_way way)
{
	size_t a_size, b_size;
	const uint8_t *a_bytes = anim_output_memory(a->output, &a_size);
	const uint8_t *b_bytes = anim_output_memory(b->output, &b_size);

	if (a->result != b->result)
		return false;
	if (a->result != 0)
		return way == BY_TOKENS || (strcmp(a->error.message, b->error.message) == 0 &&
					    a->error.line == b->error.line && a->error.column == b->error.column);
	return a->diagnostics.warnings == b->diagnostics.warnings && a_size == b_size &&
	       memcmp(a_bytes, b_bytes, a_size) == 0;
}

#endif
