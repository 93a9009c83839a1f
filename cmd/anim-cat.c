/* anim-cat.c: several streams -> one. */
#include <string.h>

#include "cli/cli.h"
#include "filter/cat/cat.h"
#include "stream/stream.h"

struct options {
	struct cli_common common;
	bool merge, append;
};

static const struct cli_option rows[] = {
    {0, "merge", NULL, "clips of one name become one clip with the tracks of all", CLI_FLAG, AT(merge), NULL, false},
    {0, "append", NULL, "clips of one name become one clip, each behind the end of the one before", CLI_FLAG,
     AT(append), NULL, false},
};
static const char *const examples[] = {"anim-cat idle.axs walk.axs | anim-emit tres > moves.tres",
				       "anim-cat --merge body.axs face.axs > take.axs",
				       "anim-cat --append part*.axs -o whole.axs", NULL};
static const struct cli_program program = {.name = "anim-cat",
					   .summary = "makes one stream of several",
					   .usage = "[OPTION...] [FILE...]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = -1};

/* What flows through a run. */
struct joining {
	struct cli *cli;
	struct anim_sink *first, *join; /* join: NULL where clips stay apart; owned by `first`, as all is */
};

static int begin(void *context, const char *name, struct anim_error *error)
{
	struct joining *run = context;

	if (run->join != NULL)
		anim_join_begin(run->join, name);
	return anim_cat_begin(run->first, error);
}

/* Puts the filters before a stream writer. 0 or -1; run->first is to be freed either way. */
static int build(struct joining *run, const struct options *options, struct anim_output *output,
		 struct anim_error *error)
{
	const struct anim_stream_writer_options writer = {
	    .no_provenance = options->common.no_provenance, .changes = true, .diagnostics = &run->cli->diagnostics};
	const struct anim_join_options join = {options->append ? ANIM_JOIN_APPEND : ANIM_JOIN_MERGE, cli_store_memory(),
					       &run->cli->diagnostics};

	run->first = anim_stream_writer_new(output, &writer, error);
	if (run->first != NULL && (options->merge || options->append))
		run->first = run->join = anim_join_new(&join, run->first, error);
	if (run->first != NULL)
		run->first = anim_cat_new(run->first, error);
	return run->first == NULL ? -1 : 0;
}

static void check_options(const struct cli *cli, const struct options *options)
{
	int from_stdin = 0;

	if (options->merge && options->append)
		cli_usage(cli, "--merge and --append do not go together");
	for (int i = 0; i < cli->operand_count; i++)
		from_stdin += strcmp(cli->operands[i], "-") == 0;
	if (from_stdin > 1)
		cli_usage(cli, "'-' is standard input, which can be read once");
}

int main(int argc, char **argv)
{
	struct options options = {.merge = false};
	struct anim_error error = {0};
	struct anim_output *output = NULL;
	struct cli cli;
	struct joining run = {.cli = &cli};
	bool done;

	cli_start(&cli, &program, &options, argc, argv);
	check_options(&cli, &options);
	done = cli_open_output(&cli, &output, &error) == 0 && build(&run, &options, output, &error) == 0 &&
	       cli_pump_streams(&cli, run.first, begin, &run, &error) == 0 && anim_sink_end(run.first, &error) == 0 &&
	       anim_output_commit(output, &error) == 0;
	anim_sink_free(run.first);
	anim_output_free(output);
	return cli_finish(&cli, done ? NULL : &error);
}
