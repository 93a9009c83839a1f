/* load.c: finds out what a file is and reads it. */
#include "format/load.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/advice.h"
#include "base/system.h"
#include "base/text.h"
#include "format/fbx/fbx.h"
#include "format/gltf/gltf.h"
#include "format/unity/unity.h"
#include "stream/stream.h"

const struct anim_format *anim_format_guess(const uint8_t *bytes, size_t size, const char *name)
{
	const struct anim_format *format = anim_format_of(bytes, size), *named = anim_format_of_name(name);

	if (format == NULL ||
	    (format->sort == ANIM_FORMAT_JSON && named != NULL && named == anim_format_find("animj", false)))
		return named;
	return format;
}

int anim_load_empty(const struct anim_input *input, struct anim_error *error)
{
	struct anim_place place = {.file = anim_input_name(input), .at = ANIM_AT_FILE};
	bool is_stdin = strcmp(place.file, "-") == 0;
	struct anim_stat in, out;
	bool is_known = (is_stdin ? anim_sys_fstat(STDIN_FILENO, &in) : anim_sys_stat(place.file, &in)) == 0;

	/* The shell has emptied the file before a program could read it: "anim-resample 30 x.axs > x.axs". */
	if (is_known && in.kind == ANIM_FILE && anim_sys_fstat(STDOUT_FILENO, &out) == 0 &&
	    anim_is_same_file(&in, &out))
		return anim_fail_at(error, ANIM_BAD_INPUT, &place,
				    "the input is empty: the shell has emptied it for the output; use " ANIM_OPTION_TO(
					"emit", "output", "FILE") " instead");
	if (!is_stdin || !is_known || in.kind != ANIM_PIPE)
		return anim_fail_at(error, ANIM_BAD_INPUT, &place, "the input is empty");
	return anim_fail_at(error, ANIM_BAD_INPUT, &place,
			    "the input is empty: the program before this one in the pipe wrote nothing");
}

static int refuse(const struct anim_format *format, struct anim_input *input, struct anim_error *error)
{
	struct anim_place place = {.file = anim_input_name(input), .at = ANIM_AT_FILE, .line = 1, .column = 1};

	if (format == NULL) {
		char list[256] = "";
		size_t used = 0;

		while ((format = anim_format_next(format, false)) != NULL && used < sizeof list)
			used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
						 format->name);
		return anim_fail_at(
		    error, ANIM_BAD_INPUT, &place,
		    "unknown file format (known: %s); to choose one, use " ANIM_OPTION_TO("parse", "format", "FORMAT"),
		    list);
	}
	switch (format->sort) {
	case ANIM_FORMAT_STREAM:
		return anim_fail_at(error, ANIM_UNSUPPORTED, &place, "already a stream; use it directly");
	case ANIM_FORMAT_EMPTY:
		return anim_load_empty(input, error);
	case ANIM_FORMAT_HTML:
		place.at = ANIM_AT_LINE;
		return anim_fail_at(error, ANIM_BAD_INPUT, &place,
				    "a web page, not an animation; download the file itself");
	case ANIM_FORMAT_JSON:
		place.at = ANIM_AT_LINE;
		return anim_fail_at(error, ANIM_BAD_INPUT, &place, "%s, not an animation", format->title);
	default:
		break;
	}
	return anim_fail_at(error, ANIM_UNSUPPORTED, &place, "%s is not read; %s", format->title, format->way);
}

/* Return the format of a model or motion that a package of Unity may hold, or NULL. */
static const struct anim_format *other_format(const uint8_t *bytes, size_t size)
{
	const struct anim_format *format = anim_format_of(bytes, size);

	return format != NULL && format->name != NULL && anim_text_is_word("fbx bvh gltf", format->name) ? format
													 : NULL;
}

static bool is_other(const uint8_t *bytes, size_t size)
{
	return other_format(bytes, size) != NULL;
}

static int read_other(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		      struct anim_error *error)
{
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, ANIM_LOAD_LOOK_AT, &at, error);

	return size < 0 ? -1 : other_format(at, (size_t)size)->read(input, options, sink, error);
}

static const struct anim_read_other others = {is_other, read_other};

/* JSON is a stream as text, so its clips stay unchanged, like the clips of a stream. */
static int load(struct anim_input *input, const struct anim_load_options *options, struct anim_naming_sink *naming,
		struct anim_sink *sink, struct anim_error *error)
{
	const struct anim_format *format = options->format, *looks = NULL;
	struct anim_read_options read = options->read;
	const uint8_t *at;
	int result;
	/* for a stream, do not wait for more bytes than have arrived */
	ssize_t size = anim_input_peek(input, 8, &at, error);

	if (size >= 0 && (size < 8 || !anim_stream_is(at, (size_t)size)))
		size = anim_input_peek(input, ANIM_LOAD_LOOK_AT, &at, error);
	if (size < 0 || anim_diagnostics_enter(options->read.diagnostics, anim_input_name(input), NULL, error) == NULL)
		return -1;
	if (format == NULL)
		format = anim_format_guess(at, (size_t)size, anim_input_name(input));
	else
		looks = anim_format_of(at, (size_t)size);
	if (options->read_as != NULL)
		*options->read_as = format;
	if (format != NULL && format->sort == ANIM_FORMAT_STREAM && options->streams) {
		struct anim_stream_reader *reader;

		if (anim_stream_reader_new(&reader, input, error) != 0)
			return -1;
		result = (options->heads ? anim_stream_pump_heads : anim_stream_pump)(reader, sink, error);
		anim_stream_reader_free(reader);
		return result;
	}
	if (format == NULL || format->read == NULL)
		return refuse(format, input, error);
	if (format->sort != ANIM_FORMAT_LINES)
		sink = anim_naming_sink_init(naming, anim_read_source_file(&options->read, input), options->names_clips,
					     sink);
	read.clip_count = &naming->clips;
	read.other = &others;
	/* Unity's import settings beside a model name its clips, unless the user names the format. */
	if (options->format == NULL && format->read == anim_fbx_read) {
		int got = anim_unity_model_read(input, &read, sink, error);

		if (got <= 0)
			return got;
	}
	if (options->format == NULL && format->read == anim_gltf_read) {
		const struct anim_read_other itself = {.read = format->read};
		int got = anim_unity_gltf_read(input, &read, &itself, sink, error);

		if (got <= 0)
			return got;
	}
	result = format->read(input, &read, sink, error);
	if (result != 0 && error->code == ANIM_BAD_INPUT && looks != NULL && looks->name != NULL &&
	    looks->read != format->read) {
		struct anim_place place = {.file = anim_input_name(input), .at = ANIM_AT_FILE};

		return anim_fail_at(error, ANIM_BAD_INPUT, &place,
				    "the file is %s, not %s; leave out " ANIM_OPTION("parse", "format"), looks->name,
				    format->name);
	}
	return result;
}

int anim_load(struct anim_input *input, const struct anim_load_options *options, struct anim_sink *sink,
	      struct anim_error *error)
{
	struct anim_naming_sink naming = {.next = NULL};
	struct anim_load_options named = *options;
	const char *file = anim_read_source_file(&options->read, input);
	char safe[4 * ANIM_PATH_LAST_MAX + 1]; /* at worst \xNN for each byte */
	int result;

	if (options->read.encoding != NULL)
		*options->read.encoding = NULL;
	/* Texts of a stream are UTF-8. A file name that is not UTF-8 is stored as messages show it. */
	named.read.source_name = file;
	if (anim_utf8_prefix(file, strlen(file)) != strlen(file)) {
		anim_text_safe(safe, sizeof safe, file, strlen(file));
		named.read.source_name = safe;
	}
	result = load(input, &named, &naming, sink, error);
	anim_naming_sink_clear(&naming);
	options->read.diagnostics->scope = NULL;
	return result != 0 ? anim_input_name_error(input, error) : 0;
}

int anim_load_graph(struct anim_input *input, const struct anim_load_options *options, struct anim_graph *graph,
		    struct anim_error *error)
{
	struct anim_place place = {.file = anim_input_name(input), .at = ANIM_AT_FILE};
	struct anim_read_options read = options->read;
	const struct anim_format *format = options->format;
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, ANIM_LOAD_LOOK_AT, &at, error);
	int got;

	if (size < 0 || anim_diagnostics_enter(options->read.diagnostics, anim_input_name(input), NULL, error) == NULL)
		return -1;
	if (format == NULL)
		format = anim_format_guess(at, (size_t)size, anim_input_name(input));
	if (format == NULL || format->read == NULL)
		return refuse(format, input, error);
	read.other = &others;
	got = format->graph == NULL ? 0 : format->graph(input, &read, graph, error);
	options->read.diagnostics->scope = NULL;
	if (got < 0)
		return anim_input_name_error(input, error);
	return got > 0 ? 0 : anim_fail_at(error, ANIM_UNSUPPORTED, &place, "no controller with states in this file");
}
