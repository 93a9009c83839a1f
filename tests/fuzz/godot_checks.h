/* godot_checks.h: what holds of any bytes that are read as a file of Godot, for the fuzz targets of text and binary ones. */
#ifndef ANIM_TESTS_FUZZ_GODOT_CHECKS_H
#define ANIM_TESTS_FUZZ_GODOT_CHECKS_H

#include "../godot_reading.h"
#include "format/godot/godot.h"
#include "fuzz.h"

/* Reads the file into a stream. 0, or -1 with the error. */
static inline int read_file(const uint8_t *data, size_t size, const struct anim_read_options *options,
			    struct anim_output *output, struct anim_error *error)
{
	static const struct anim_stream_writer_options plain;
	struct anim_sink *writer = anim_stream_writer_new(output, &plain, error);
	struct anim_input *input = NULL;
	int result;

	DEMAND(writer != NULL && anim_input_open_memory(&input, data, size, "x.tscn", error) == 0);
	result = anim_godot_read(input, options, writer, error);
	if (result == 0)
		result = anim_sink_end(writer, error);
	anim_sink_free(writer);
	anim_input_close(input);
	return result;
}

/* Twice, once with everything in memory, once with nothing: the streams must be equal. */
static inline void check_reader(const uint8_t *data, size_t size, bool keep_going)
{
	struct anim_output *outputs[2];
	const uint8_t *bytes[2];
	size_t sizes[2];
	int results[2];

	for (int i = 0; i < 2; i++) {
		struct anim_error error = {0};
		struct anim_diagnostics diagnostics = {0};
		struct anim_read_options options = {.store_memory = i == 0 ? 1 << 20 : 0,
						    .no_external = true,
						    .keep_going = keep_going,
						    .diagnostics = &diagnostics};

		DEMAND(anim_output_open_memory(&outputs[i], NULL) == 0);
		results[i] = read_file(data, size, &options, outputs[i], &error);
		DEMAND(results[i] == 0 || (error.code != ANIM_OK && error.message[0] != '\0'));
		bytes[i] = anim_output_memory(outputs[i], &sizes[i]);
		anim_diagnostics_clear(&diagnostics);
	}
	DEMAND(results[0] == results[1]);
	if (results[0] == 0) {
		DEMAND(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
		check_stream(outputs[0]);
	}
	anim_output_free(outputs[0]);
	anim_output_free(outputs[1]);
}

/* The printed value reads back and prints the same. */
static inline void check_printed(const struct anim_buffer *printed)
{
	static const char before[] = "[resource]\nx = ";
	struct anim_buffer text = {0}, again = {0};
	struct reading reading;
	struct godot_value value;
	struct godot_tag tag;
	const char *name;

	DEMAND(anim_buffer_append(&text, before, sizeof before - 1, NULL) == 0 &&
	       anim_buffer_append(&text, printed->data, printed->size, NULL) == 0);
	DEMAND(reading_open(&reading, WHOLE, (const char *)text.data, text.size));
	DEMAND(godot_text_tag(reading.text, &tag) == 1 && godot_text_property(reading.text, &name, NULL) == 1);
	DEMAND(godot_text_value(reading.text, &reading.arena, &value) == 0);
	DEMAND(godot_value_print(&value, &again, NULL) == 0);
	DEMAND(again.size == printed->size && memcmp(again.data, printed->data, again.size) == 0);
	DEMAND(godot_text_property(reading.text, &name, NULL) == 0);
	reading_close(&reading);
	anim_buffer_clear(&text);
	anim_buffer_clear(&again);
}

static inline void check_values(const uint8_t *data, size_t size)
{
	struct anim_buffer printed = {0};
	struct reading reading;
	struct godot_value value;
	struct godot_tag tag;
	const char *name;

	DEMAND(reading_open(&reading, WHOLE, (const char *)data, size));
	while (godot_text_tag(reading.text, &tag) == 1)
		while (godot_text_property(reading.text, &name, NULL) == 1) {
			anim_arena_reset(&reading.arena);
			if (godot_text_value(reading.text, &reading.arena, &value) != 0)
				break;
			printed.size = 0;
			DEMAND(godot_value_print(&value, &printed, NULL) == 0);
			check_printed(&printed);
		}
	reading_close(&reading);
	anim_buffer_clear(&printed);
}

static inline void check_windows(const uint8_t *data, size_t size)
{
	struct anim_buffer dumps[WINDOWS] = {{0}};
	struct anim_error errors[WINDOWS];
	struct reading reading;

	for (int windows = 0; windows < WINDOWS; windows++) {
		DEMAND(reading_open(&reading, windows, (const char *)data, size));
		reading_dump(&reading, &dumps[windows]);
		errors[windows] = reading.error;
		reading_close(&reading);
	}
	DEMAND(dumps[WHOLE].size == dumps[ONE_BYTE].size &&
	       (dumps[WHOLE].size == 0 || memcmp(dumps[WHOLE].data, dumps[ONE_BYTE].data, dumps[WHOLE].size) == 0));
	DEMAND(strcmp(errors[WHOLE].message, errors[ONE_BYTE].message) == 0 &&
	       errors[WHOLE].line == errors[ONE_BYTE].line && errors[WHOLE].column == errors[ONE_BYTE].column);
	anim_buffer_clear(&dumps[WHOLE]);
	anim_buffer_clear(&dumps[ONE_BYTE]);
}

/* Refused with a message, or read: the same stream each time, which reads back; the same from windows of any size. */
static inline void check_godot(const uint8_t *data, size_t size)
{
	if (is_gzip(data, size))
		return;
	check_reader(data, size, false);
	check_reader(data, size, true);
	check_values(data, size);
	if (size <= NARROW_MAX)
		check_windows(data, size);
}

#endif
