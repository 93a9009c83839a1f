/*
 * fuzz_gltf.c: any bytes are refused with a message, or read as glTF: the same stream with bytes kept in memory, in a file,
 * and with windows of one byte; what is read with faults left out reads, too.
 */
#include <stdio.h>

#include "format/gltf/gltf.h"
#include "fuzz.h"
#include "stream/stream.h"

enum way { IN_MEMORY, IN_A_FILE, BY_BYTES, KEEP_GOING, WAYS };

struct reading {
	struct anim_output *output;
	struct anim_diagnostics diagnostics;
	struct anim_error error;
	int result;
};

/* *file is set where the bytes come from one, to be closed behind the input. */
static struct anim_input *open_input(enum way way, const uint8_t *data, size_t size, FILE **file)
{
	static const struct anim_input_options one_byte = {.read_max = 1};
	struct anim_input *input = NULL;
	struct anim_error error = {0};

	*file = NULL;
	if (way != BY_BYTES) {
		DEMAND(anim_input_open_memory(&input, data, size, "x.gltf", &error) == 0);
		return input;
	}
	*file = tmpfile();
	DEMAND(*file != NULL && fwrite(data, 1, size, *file) == size);
	rewind(*file);
	DEMAND(anim_input_open_fd(&input, fileno(*file), "x.gltf", &one_byte, &error) == 0);
	return input;
}

static void read_one(struct reading *reading, enum way way, const uint8_t *data, size_t size)
{
	static const struct anim_stream_writer_options plain;
	const struct anim_read_options options = {.store_memory = way == IN_A_FILE ? 0 : 1 << 20,
						  .no_external = true,
						  .bind_rests = size % 2 == 1,
						  .keep_going = way == KEEP_GOING,
						  .diagnostics = &reading->diagnostics};
	struct anim_input *input;
	struct anim_sink *writer;
	FILE *file;

	memset(reading, 0, sizeof *reading);
	DEMAND(anim_output_open_memory(&reading->output, NULL) == 0);
	input = open_input(way, data, size, &file);
	writer = anim_stream_writer_new(reading->output, &plain, &reading->error);
	DEMAND(writer != NULL);
	reading->result = anim_gltf_read(input, &options, writer, &reading->error);
	if (reading->result == 0)
		reading->result = anim_sink_end(writer, &reading->error);
	anim_sink_free(writer);
	anim_input_close(input);
	if (file != NULL)
		fclose(file);
}

static void compare(const struct reading *a, const struct reading *b)
{
	size_t a_size, b_size;
	const uint8_t *a_bytes = anim_output_memory(a->output, &a_size);
	const uint8_t *b_bytes = anim_output_memory(b->output, &b_size);

	DEMAND(a->result == b->result);
	if (a->result == 0)
		DEMAND(a->diagnostics.warnings == b->diagnostics.warnings && a_size == b_size &&
		       memcmp(a_bytes, b_bytes, a_size) == 0);
	else
		DEMAND(strcmp(a->error.message, b->error.message) == 0 && a->error.offset == b->error.offset &&
		       a->error.column == b->error.column);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reading readings[WAYS];

	if (is_gzip(data, size))
		return 0;
	for (int way = 0; way < WAYS; way++) {
		struct reading *reading = &readings[way];

		read_one(reading, way == BY_BYTES && size > NARROW_MAX ? IN_MEMORY : (enum way)way, data, size);
		DEMAND(reading->result == 0 || (reading->error.code != ANIM_OK && reading->error.message[0] != '\0'));
		if (way < KEEP_GOING)
			compare(&readings[0], reading);
	}
	DEMAND(readings[0].result != 0 || readings[KEEP_GOING].result == 0);
	for (int way = 0; way < WAYS; way++) {
		if (readings[way].result == 0 && way != IN_A_FILE && way != BY_BYTES)
			check_stream(readings[way].output);
		anim_output_free(readings[way].output);
		anim_diagnostics_clear(&readings[way].diagnostics);
	}
	return 0;
}
