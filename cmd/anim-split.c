/* anim-split.c: splits a stream into one stream per clip. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/each.h"
#include "filter/clips.h"
#include "programs.h"
#include "run/source.h"
#include "stream/stream.h"

struct options {
	struct cli_common common;
	const char *to;
	bool dry_run;
};

static const struct cli_option rows[] = {
    {0, "to", "PATTERN", "names of the files: %c is the clip, %p its player, %f the source file (default: %c.axs)",
     CLI_TEXT, AT(to), NULL, false},
    {0, "force", NULL, "replace an existing file even if the new one lacks some of its content", CLI_FLAG,
     AT(common.force), NULL, false},
    {0, "no-sync", NULL, "do not wait until replaced files are on the disk", CLI_FLAG, AT(common.no_sync), NULL, false},
    {0, "dry-run", NULL, "print the names of the files, write nothing", CLI_FLAG, AT(dry_run), NULL, false},
};
static const char *const examples[] = {"anim-split hero.axs", "anim-split --to 'hero/%c.axs' hero.tscn",
				       "anim-split --to '%f-%c.axs' --dry-run all.axs", NULL};
static const struct cli_program program = {.name = "anim-split",
					   .summary = "writes every clip of a stream to its own file",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_WRITES_STREAM | CLI_READS_HEADS,
					   .most_operands = 1};

struct splitting {
	struct cli *cli;
	const struct options *options;
	struct cli_each each;
	struct anim_output *output; /* of the current clip */
	struct anim_buffer listed;  /* names, for --dry-run */
};

static int saw_tree(void *context, const struct anim_tree *tree, struct anim_error *error)
{
	return cli_each_tree(&((struct splitting *)context)->each, tree, error);
}

static void keep(struct anim_sink *sink)
{
	(void)sink;
}

static struct anim_sink *make(void *context, const struct anim_clip *clip, struct anim_sink *last,
			      struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.free = keep};
	static struct anim_sink nowhere = {.ops = &ops}; /* of clips that are only listed */
	struct splitting *run = context;
	const struct anim_stream_writer_options writer = {.no_provenance = run->options->common.no_provenance,
							  .changes = true,
							  .diagnostics = &run->cli->diagnostics};
	char *path = cli_each_path(&run->each, clip, &run->cli->diagnostics, error);
	struct anim_sink *sink = NULL;

	(void)last;
	if (path != NULL && run->options->dry_run) {
		if (anim_buffer_append(&run->listed, path, strlen(path), error) == 0 &&
		    anim_buffer_append(&run->listed, "\n", 1, error) == 0)
			sink = &nowhere;
	} else if (path != NULL && cli_each_open(&run->each, path, &run->output, error) == 0) {
		sink = anim_stream_writer_new(run->output, &writer, error);
	}
	free(path);
	return sink;
}

static int finish(void *context, struct anim_error *error)
{
	struct splitting *run = context;
	struct anim_output *output = run->output;

	run->output = NULL;
	return output == NULL ? 0 : cli_each_seal(&run->each, output, error);
}

static int split(struct splitting *run, const char *path, struct anim_error *error)
{
	const struct anim_pick_options pick = {.store_memory = cli_store_memory(),
					       .diagnostics = &run->cli->diagnostics,
					       .make = make,
					       .finish = finish,
					       .on_tree = saw_tree,
					       .context = run};
	struct anim_sink *sink = anim_split_new(&pick, error);
	struct anim_output *output = NULL;
	struct anim_load_options source;
	int result;

	source_options_init(&source, run->cli);
	source.streams = source.names_clips = source.heads = true;
	result = sink == NULL ? -1 : source_read(run->cli, &source, path, sink, error);
	if (result == 0)
		result = anim_sink_end(sink, error);
	if (result == 0 && !run->options->dry_run)
		result = cli_each_commit(&run->each, error);
	else if (result == 0)
		result = anim_output_open(&output, NULL, error) == 0 &&
				 anim_output_write(output, run->listed.data, run->listed.size, error) == 0
			     ? cli_commit(run->cli, &output, 1, error)
			     : -1;
	anim_output_free(output);
	anim_sink_free(sink);
	return result;
}

static int run_program(int argc, char **argv)
{
	struct options options = {.to = "%c.axs"};
	struct anim_error error = {0};
	struct cli cli;
	struct splitting run = {.cli = &cli, .options = &options};
	const char *fault;
	int result;

	cli_start(&cli, &program, &options, argc, argv);
	fault = cli_file_pattern_fault(options.to);
	if (fault != NULL)
		cli_usage(&cli, "--to '%s': %s", options.to, fault);
	run.each.pattern = options.to;
	run.each.cli = &cli;
	result = split(&run, cli_file(&cli), &error);
	cli_each_clear(&run.each);
	anim_output_free(run.output);
	anim_buffer_clear(&run.listed);
	return cli_finish(&cli, result == 0 ? NULL : &error);
}

const struct step_kind program_split = {.command_line = &program, .main = run_program};
