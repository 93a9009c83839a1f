/*
 * fuzz_unity.c: any bytes are refused with a message, or read as a Unity file: the same stream from a store in memory, a
 * store in a file and windows of one byte, which reads back.
 */
#include <stdio.h>

#include "format/unity/unity.h"
#include "fuzz.h"

enum way { IN_MEMORY, IN_A_FILE, BY_BYTES, WAYS };

/* One way of reading, and what came of it. */
struct reading {
	struct anim_output *output;
	struct anim_error error;
	size_t faults, warnings;
	int result;
};

/* The bytes behind a window of one byte; the file holds them. */
static struct anim_input *open_narrow(const uint8_t *data, size_t size, FILE **file)
{
	static const struct anim_input_options options = {.read_max = 1};
	struct anim_input *input = NULL;

	*file = tmpfile();
	DEMAND(*file != NULL && fwrite(data, 1, size, *file) == size && fflush(*file) == 0);
	rewind(*file);
	DEMAND(anim_input_open_fd(&input, fileno(*file), "x.prefab", &options, NULL) == 0);
	return input;
}

static void read_input(struct reading *reading, struct anim_input *input, const struct anim_read_options *options)
{
	static const struct anim_stream_writer_options plain;
	struct anim_sink *writer = anim_stream_writer_new(reading->output, &plain, NULL);

	DEMAND(writer != NULL);
	reading->result = anim_unity_read(input, options, writer, &reading->error);
	if (reading->result == 0)
		reading->result = anim_sink_end(writer, &reading->error);
	anim_sink_free(writer);
}

static void read_way(struct reading *reading, enum way way, const uint8_t *data, size_t size, bool keep_going)
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_read_options options = {.store_memory = way == IN_A_FILE ? 0 : 1 << 20,
					    .no_external = true,
					    .source_name = "x.prefab",
					    .keep_going = keep_going,
					    .diagnostics = &diagnostics};
	struct anim_input *input = NULL;
	FILE *file = NULL;

	*reading = (struct reading){0};
	DEMAND(anim_output_open_memory(&reading->output, NULL) == 0);
	if (way == BY_BYTES)
		input = open_narrow(data, size, &file);
	else
		DEMAND(anim_input_open_memory(&input, data, size, "x.prefab", NULL) == 0);
	read_input(reading, input, &options);
	DEMAND(reading->result == 0 || (reading->error.code != ANIM_OK && reading->error.message[0] != '\0'));
	reading->faults = diagnostics.faults;
	reading->warnings = diagnostics.warnings;
	anim_diagnostics_clear(&diagnostics);
	anim_input_close(input);
	if (file != NULL)
		fclose(file);
}

static void check_same(const struct reading *a, const struct reading *b)
{
	size_t size_a, size_b;
	const uint8_t *bytes_a = anim_output_memory(a->output, &size_a);
	const uint8_t *bytes_b = anim_output_memory(b->output, &size_b);

	DEMAND(a->result == b->result && a->faults == b->faults && a->warnings == b->warnings);
	DEMAND(strcmp(a->error.message, b->error.message) == 0 && a->error.line == b->error.line &&
	       a->error.column == b->error.column);
	if (a->result == 0)
		DEMAND(size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0);
}

static void check_reader(const uint8_t *data, size_t size, bool keep_going)
{
	int ways = size <= NARROW_MAX ? WAYS : BY_BYTES;
	struct reading readings[WAYS];

	for (int way = 0; way < ways; way++) {
		read_way(&readings[way], (enum way)way, data, size, keep_going);
		check_same(&readings[0], &readings[way]);
	}
	if (readings[0].result == 0)
		check_stream(readings[0].output);
	for (int way = 0; way < ways; way++)
		anim_output_free(readings[way].output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (is_gzip(data, size))
		return 0;
	anim_unity_is(data, size);
	check_reader(data, size, false);
	check_reader(data, size, true);
	return 0;
}
