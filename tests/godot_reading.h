/* godot_reading.h: opens Godot text from memory or in windows of one byte, and dumps it; for tests and fuzz targets. */
#ifndef ANIM_TESTS_GODOT_READING_H
#define ANIM_TESTS_GODOT_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "format/godot/print.h"
#include "format/godot/text.h"

/* How the bytes come. */
enum windows { WHOLE, ONE_BYTE, WINDOWS };

struct reading {
	struct anim_input *input;
	struct godot_text *text;
	struct anim_arena arena;
	struct anim_error error;
	FILE *file; /* of narrow windows; NULL: the bytes are in memory */
};

/* An input over a file without a name. */
static inline int open_narrow(struct reading *reading, const char *bytes, size_t size)
{
	static const struct anim_input_options one_byte = {.read_max = 1};

	reading->file = tmpfile();
	if (reading->file == NULL)
		return -1;
	fwrite(bytes, 1, size, reading->file);
	rewind(reading->file);
	return anim_input_open_fd(&reading->input, fileno(reading->file), "x.tres", &one_byte, &reading->error);
}

/* Opens `size` bytes (they must stay). False where that fails. reading_close in any case. */
static inline bool reading_open(struct reading *reading, enum windows windows, const char *bytes, size_t size)
{
	int result;

	memset(reading, 0, sizeof *reading);
	if (windows == ONE_BYTE)
		result = open_narrow(reading, bytes, size);
	else
		result = anim_input_open_memory(&reading->input, bytes, size, "x.tres", &reading->error);
	return result == 0 && godot_text_new(&reading->text, reading->input, &reading->error) == 0;
}

static inline void reading_close(struct reading *reading)
{
	godot_text_free(reading->text);
	anim_arena_clear(&reading->arena);
	anim_input_close(reading->input);
	if (reading->file != NULL)
		fclose(reading->file);
	memset(reading, 0, sizeof *reading);
}

/* Opens "[resource]\nx = SOURCE" behind that '='. */
static inline bool reading_at_value(struct reading *reading, enum windows windows, const char *source, size_t size)
{
	static char bytes[1 << 20];
	static const char before[] = "[resource]\nx = ";
	struct godot_tag tag;
	const char *name;

	memcpy(bytes, before, sizeof before - 1);
	memcpy(bytes + sizeof before - 1, source, size);
	return reading_open(reading, windows, bytes, sizeof before - 1 + size) &&
	       godot_text_tag(reading->text, &tag) == 1 && godot_text_property(reading->text, &name, NULL) == 1;
}

static inline void print_place(struct anim_buffer *out, const struct anim_place *place)
{
	char text[64];
	int length = snprintf(text, sizeof text, "%u:%u: ", place->line, place->column);

	anim_buffer_append(out, text, (size_t)length, NULL);
}

static inline void print_text(struct anim_buffer *out, const char *text)
{
	anim_buffer_append(out, text, strlen(text), NULL);
}

static inline void print_tag(struct anim_buffer *out, const struct godot_tag *tag)
{
	print_place(out, &tag->place);
	print_text(out, "[");
	print_text(out, tag->name);
	for (size_t i = 0; i < tag->count; i++) {
		print_text(out, " ");
		print_text(out, tag->attributes[i].key);
		print_text(out, "=");
		godot_value_print(&tag->attributes[i].value, out, NULL);
	}
	print_text(out, "]\n");
}

static inline int dump_properties(struct reading *reading, struct anim_buffer *out)
{
	struct godot_value value;
	struct anim_place place;
	const char *name;
	int found;

	while ((found = godot_text_property(reading->text, &name, &place)) == 1) {
		print_place(out, &place);
		print_text(out, name);
		print_text(out, " = ");
		anim_arena_reset(&reading->arena);
		if (godot_text_value(reading->text, &reading->arena, &value) != 0)
			return -1;
		print_place(out, &value.place);
		godot_value_print(&value, out, NULL);
		print_text(out, "\n");
	}
	return found;
}

/* Prints every tag, attribute and property of the text, a line each, "line:column: " before each. False on an error. */
static inline bool reading_dump(struct reading *reading, struct anim_buffer *out)
{
	struct godot_tag tag;
	int found;

	while ((found = godot_text_tag(reading->text, &tag)) == 1) {
		print_tag(out, &tag);
		if (dump_properties(reading, out) != 0)
			return false;
	}
	return found == 0;
}

/* Whether the buffer holds this text. */
static inline bool buffer_is(const struct anim_buffer *buffer, const char *text)
{
	return buffer->size == strlen(text) && (buffer->size == 0 || memcmp(buffer->data, text, buffer->size) == 0);
}

#endif
