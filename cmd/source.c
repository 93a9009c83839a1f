/* source.c: finds out what a file is and reads it. */
#include "source.h"

#include <string.h>

#include "filter/clips.h"
#include "stream/stream.h"

void source_options_init(struct source_options *options, struct cli *cli)
{
	memset(options, 0, sizeof *options);
	options->read.store_memory = cli_store_memory();
	options->read.diagnostics = &cli->diagnostics;
	cli_input_options(&options->input);
	options->read.input_options = &options->input;
}

static int refuse(const struct anim_format *format, struct anim_input *input, struct anim_error *error)
{
	struct anim_place place = {.file = anim_input_name(input), .at = ANIM_AT_FILE, .line = 1, .column = 1};
	char list[256];

	if (format == NULL) {
		cli_list_words(anim_format_names(false), list, sizeof list);
		return anim_fail_at(error, ANIM_BAD_INPUT, &place,
				    "in no format that is read (%s); if it is, name it: anim-parse -f FORMAT", list);
	}
	switch (format->sort) {
	case ANIM_FORMAT_STREAM:
		return anim_fail_at(error, ANIM_UNSUPPORTED, &place, "a stream already; pipe it on as it is");
	case ANIM_FORMAT_EMPTY:
		return cli_refuse_empty(input, error);
	case ANIM_FORMAT_HTML:
	case ANIM_FORMAT_JSON:
		place.at = ANIM_AT_LINE;
		return anim_fail_at(error, ANIM_BAD_INPUT, &place, "%s, not an animation", format->title);
	default:
		break;
	}
	return anim_fail_at(error, ANIM_UNSUPPORTED, &place, "%s is not read; %s", format->title, format->way);
}

static int read_stream(struct anim_input *input, struct anim_sink *sink, struct anim_error *error)
{
	struct anim_stream_reader *reader;
	int result = anim_stream_reader_new(&reader, input, error);

	if (result == 0) {
		result = anim_stream_pump(reader, sink, error);
		anim_stream_reader_free(reader);
	}
	if (result != 0 && error->at == ANIM_AT_BYTE)
		anim_error_in_file(error, anim_input_name(input));
	return result;
}

const struct anim_format *source_format_of(const uint8_t *bytes, size_t size, const char *name)
{
	const struct anim_format *format = anim_format_of(bytes, size), *named = anim_format_of_name(name);

	if (format == NULL ||
	    (format->sort == ANIM_FORMAT_JSON && named != NULL && named == anim_format_find("animj", false)))
		return named;
	return format;
}

/* By what was asked for, then content, then name. JSON is the stream as text and stays what it was, as streams do. */
static int read_format(const struct source_options *options, struct anim_input *input, struct anim_naming_sink *naming,
		       struct anim_sink *sink, struct anim_error *error)
{
	const struct anim_format *format = options->format;
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, SOURCE_LOOK_AT, &at, error);

	if (size < 0 || anim_diagnostics_enter(options->read.diagnostics, anim_input_name(input), NULL, error) == NULL)
		return -1;
	if (format == NULL)
		format = source_format_of(at, (size_t)size, anim_input_name(input));
	if (format != NULL && format->sort == ANIM_FORMAT_STREAM && options->streams)
		return read_stream(input, sink, error);
	if (format == NULL || format->read == NULL)
		return refuse(format, input, error);
	if (options->names_clips && format->sort != ANIM_FORMAT_LINES)
		sink = anim_naming_sink_init(naming, anim_read_source_file(&options->read, input), sink);
	return format->read(input, &options->read, sink, error);
}

int source_read(struct cli *cli, const struct source_options *options, const char *path, struct anim_sink *sink,
		struct anim_error *error)
{
	struct anim_naming_sink naming = {.next = NULL};
	struct anim_input *input;
	bool done =
	    cli_open_input(cli, path, &input, error) == 0 && read_format(options, input, &naming, sink, error) == 0;

	anim_naming_sink_clear(&naming);
	options->read.diagnostics->scope = NULL;
	anim_input_close(input);
	return done ? 0 : -1;
}

struct anim_sink *source_pick(struct anim_sink *sink, const struct cli_texts *clips, struct anim_error *error)
{
	return sink == NULL || clips->count == 0 ? sink : anim_clips_new(clips->items, clips->count, sink, error);
}

int source_read_all(struct cli *cli, const struct source_options *options, struct anim_sink *sink,
		    struct anim_error *error)
{
	for (int i = 0; i < cli->operand_count || i == 0; i++)
		if (source_read(cli, options, i < cli->operand_count ? cli->operands[i] : NULL, sink, error) != 0)
			return -1;
	return anim_diagnostics_check(&cli->diagnostics, error) != 0 ? -1 : anim_sink_end(sink, error);
}

int source_read_aside(struct cli *cli, const char *path, struct anim_sink *sink, struct anim_error *error)
{
	struct source_options options;
	struct anim_diagnostics diagnostics = {0};
	int result;

	source_options_init(&options, cli);
	options.streams = true;
	options.read.diagnostics = &diagnostics;
	result = sink == NULL ? -1 : source_read(cli, &options, path, sink, error);
	if (result == 0)
		result = anim_diagnostics_check(&diagnostics, error);
	anim_sink_free(sink);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

static int check_rests(const char *path, const struct anim_rests *rests, struct anim_error *error)
{
	if (rests->count > 0)
		return 0;
	anim_fail(error, ANIM_UNSUPPORTED, "has no nodes, so no rests; a scene has them");
	return anim_error_in_file(error, path);
}

int source_read_rests(struct cli *cli, const char *path, struct anim_rests *rests, struct anim_error *error)
{
	if (source_read_aside(cli, path, anim_rests_sink_new(rests, error), error) != 0)
		return -1;
	return check_rests(path, rests, error);
}

int source_read_poses(struct cli *cli, const char *path, struct anim_poses *poses, struct anim_error *error)
{
	if (source_read_aside(cli, path, anim_poses_sink_new(poses, error), error) != 0)
		return -1;
	return check_rests(path, &poses->rests, error);
}

int source_read_map(struct cli *cli, const char *path, struct anim_rename_map *map, struct anim_error *error)
{
	struct anim_input *input;
	bool done = cli_open_input(cli, path, &input, error) == 0 && anim_rename_map_read(map, input, error) == 0;

	anim_input_close(input);
	return done ? 0 : anim_error_in_file(error, path);
}
