/* anim-cat.c: several streams -> one. */
#include <string.h>

#include "cli/cli.h"
#include "run/source.h"
#include "run/steps.h"

struct options {
	struct cli_common common;
	bool merge, append;
	const char *blend;
	struct source_join joins;
};

static const struct cli_option rows[] = {
    {0, "merge", NULL, "join clips of the same name: one clip with all tracks", CLI_FLAG, AT(merge), NULL, false},
    {0, "append", NULL, "join clips one after the other: clips of one name, of files with one clip, or all of one file",
     CLI_FLAG, AT(append), NULL, false},
    {0, "blend", "S", "with --append: let clips overlap by this many seconds and blend, from one place and heading",
     CLI_TEXT, AT(blend), NULL, false},
};
static const char *const examples[] = {"anim-cat idle.axs walk.axs | anim-emit tres > moves.tres",
				       "anim-cat --merge body.axs face.axs > take.axs",
				       "anim-cat --append part*.axs -o whole.axs", NULL};
static const struct cli_program program = {.name = "anim-cat",
					   .summary = "joins several streams into one",
					   .usage = "[OPTION...] [FILE...]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags =
					       CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT | CLI_READS_HEADS,
					   .most_operands = -1};

static int next_file(void *context, const char *path, struct anim_error *error)
{
	return source_join_next(&((struct options *)context)->joins, path, error);
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	const struct options *options = job;
	int from_stdin = 0;

	(void)error;
	if (options->merge && options->append)
		cli_usage(cli, "--merge and --append cannot be combined");
	for (int i = 0; i < cli->operand_count; i++)
		from_stdin += strcmp(cli->operands[i], "-") == 0;
	if (from_stdin > 1)
		cli_usage(cli, "'-' is standard input, which can be read once");
	source_check_blend(cli, options->append, options->blend);
	return 0;
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	struct options *options = job;

	next =
	    source_join_new(&options->joins, cli, options->merge, options->append, options->blend, NULL, next, error);
	return source_cat_new(&options->joins, next, error);
}

static int read_all(struct cli *cli, void *job, bool heads, struct anim_sink *sink, const bool *failed,
		    struct anim_error *error)
{
	struct anim_load_options source;

	(void)failed;
	source_options_init(&source, cli);
	source.streams = true;
	source.names_clips = true;
	source.heads = heads && ((struct options *)job)->blend == NULL;
	return source_read_files(
	    &(struct source_files){.cli = cli, .options = &source, .begin = next_file, .context = job}, sink, error);
}

const struct step_kind program_cat = {.command_line = &program,
				      .size = sizeof(struct options),
				      .begin = begin,
				      .make = make,
				      .read = read_all,
				      .no_own = true};
