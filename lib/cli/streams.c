/* streams.c: the streams of several files, one after another, with their provenance first. */
#include "cli/streams.h"

#include <stdlib.h>

#include "stream/reader.h"

/* One input; both NULL between the two times that a regular file is open. */
struct stream {
	struct anim_input *input;
	struct anim_stream_reader *reader;
};

static int open_stream(struct cli *cli, const char *path, struct stream *stream, struct anim_error *error)
{
	if (cli_open_input(cli, path, &stream->input, error) != 0 || cli_check_stream(cli, stream->input, error) != 0)
		return -1;
	return anim_stream_reader_new(&stream->reader, stream->input, error);
}

static void close_stream(struct stream *stream)
{
	anim_stream_reader_free(stream->reader);
	anim_input_close(stream->input);
	*stream = (struct stream){NULL, NULL};
}

/* Gives what a reader complained of by its offset the file's name. */
static int named(const struct stream *stream, struct anim_error *error)
{
	if (error->at == ANIM_AT_BYTE)
		anim_error_in_file(error, anim_input_name(stream->input));
	return -1;
}

static int read_progs(struct cli *cli, const char *path, struct stream *stream, struct anim_sink *sink,
		      struct anim_error *error)
{
	if (open_stream(cli, path, stream, error) != 0)
		return -1;
	if (anim_stream_pump_progs(stream->reader, sink, error) != 0)
		return named(stream, error);
	if (!anim_input_is_pipe(stream->input))
		close_stream(stream);
	return 0;
}

static int read_rest(struct cli *cli, const char *path, struct stream *stream, struct anim_sink *sink,
		     struct anim_error *error)
{
	bool reopened = stream->input == NULL;

	if (reopened && open_stream(cli, path, stream, error) != 0)
		return -1;
	if (reopened && anim_stream_pump_progs(stream->reader, NULL, error) != 0)
		return named(stream, error);
	if (anim_stream_pump_heads(stream->reader, sink, error) != 0)
		return named(stream, error);
	close_stream(stream);
	return 0;
}

static int read_all(struct cli *cli, struct stream *streams, size_t count, struct anim_sink *sink,
		    cli_begin_stream *begin, void *context, struct anim_error *error)
{
	static int (*const read[2])(struct cli *, const char *, struct stream *, struct anim_sink *,
				    struct anim_error *) = {read_progs, read_rest};

	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < count; i++) {
			const char *path = cli->operand_count > 0 ? cli->operands[i] : "-";

			if (begin(context, path, error) != 0 || read[pass](cli, path, &streams[i], sink, error) != 0)
				return -1;
		}
	return 0;
}

int cli_pump_streams(struct cli *cli, struct anim_sink *sink, cli_begin_stream *begin, void *context,
		     struct anim_error *error)
{
	size_t count = cli->operand_count > 0 ? (size_t)cli->operand_count : 1;
	struct stream *streams = calloc(count, sizeof *streams);
	int result;

	if (streams == NULL)
		return anim_fail_memory(error);
	result = read_all(cli, streams, count, sink, begin, context, error);
	for (size_t i = 0; i < count; i++)
		close_stream(&streams[i]);
	free(streams);
	return result;
}
