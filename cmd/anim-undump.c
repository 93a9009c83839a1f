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
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_READS_FILES,
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
	bool done;

	cli_start(&cli, &program, &options, argc, argv);
	write.no_provenance = options.no_provenance;
	done =
	    cli_open_output(&cli, &output, &error) == 0 && cli_open_input(&cli, cli_file(&cli), &input, &error) == 0 &&
	    (sink = anim_stream_writer_new(output, &write, &error)) != NULL && anim_undump(input, sink, &error) == 0 &&
	    anim_sink_end(sink, &error) == 0 && anim_output_commit(output, &error) == 0;
	anim_sink_free(sink);
	anim_input_close(input);
	anim_output_free(output);
	return cli_finish(&cli, done ? NULL : &error);
}
