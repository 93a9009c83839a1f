/* anim-dump.c: prints a stream as exact text. */
#include "cli/cli.h"
#include "format/dump/dump.h"
#include "programs.h"
#include "run/source.h"

struct options {
	struct cli_common common;
	struct cli_texts clips;
};

static const struct cli_option rows[] = {
    {'c', "clip", "CLIP", "use only clips with this name: a glob, or PLAYER:NAME; can be repeated", CLI_TEXTS,
     AT(clips), NULL, false},
};
static const char *const examples[] = {"anim-dump walk.axs | less", "anim-resample 30 walk.tscn | anim-dump",
				       "anim-dump walk.tscn > walk.txt", NULL};
static const struct cli_program program = {.name = "anim-dump",
					   .summary = "prints a stream or a file as exact text",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_HAS_STRICT,
					   .most_operands = 1};

static int run_program(int argc, char **argv)
{
	struct options options = {0};
	struct anim_load_options source;
	struct anim_error error = {0};
	struct anim_output *output = NULL;
	struct anim_sink *sink = NULL;
	struct cli cli;
	bool done;

	cli_start(&cli, &program, &options, argc, argv);
	source_options_init(&source, &cli);
	source.streams = true;

	done = cli_open_output(&cli, &output, &error) == 0 &&
	       (sink = source_pick(anim_dump_new(output, &error), &options.clips, &error)) != NULL &&
	       source_read_all(&cli, &source, sink, &error) == 0 && cli_commit(&cli, &output, 1, &error) == 0;
	anim_sink_free(sink);
	anim_output_free(output);
	return cli_finish(&cli, done ? NULL : &error);
}

const struct step_kind program_dump = {.command_line = &program, .main = run_program};
