/* anim-undump.c: the text of anim-dump back into the stream that it shows. */
#include "cli/cli.h"
#include "format/dump/undump.h"
#include "stream/stream.h"

static const char *const examples[] = {"anim-undump walk.txt > walk.axs",
				       "anim-dump walk.axs | sed 's/\"Hips\"/\"Pelvis\"/' | anim-undump > pelvis.axs",
				       NULL};
static const struct cli_program program = {.name = "anim-undump",
					   .summary = "turns the text of anim-dump back into a stream, byte for byte",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM,
					   .most_operands = 1};

int main(int argc, char **argv)
{
	struct cli_common options = {0};
	struct anim_stream_writer_options write = {0};
	struct anim_error error = {0};
	struct anim_output *output = NULL;
	struct anim_input *input = NULL;
	struct anim_sink *sink = NULL;
	struct cli cli;
	int result;

	cli_start(&cli, &program, &options, argc, argv);
	write.no_provenance = options.no_provenance;
	result = cli_open_output(&cli, &output, &error);
	if (result == 0)
		result = cli_open_input(&cli, cli_file(&cli), &input, &error);
	if (result == 0)
		result = (sink = anim_stream_writer_new(output, &write, &error)) == NULL ? -1 : 0;
	if (result == 0)
		result = anim_undump(input, sink, &error);
	if (result == 0)
		result = anim_sink_end(sink, &error);
	if (result == 0)
		result = anim_output_commit(output, &error);
	anim_sink_free(sink);
	anim_input_close(input);
	anim_output_free(output);
	return cli_finish(&cli, result == 0 ? NULL : &error);
}
