/* anim-undump.c: converts the text of anim-dump back into a stream. */
#include "cli/cli.h"
#include "format/dump/dump.h"
#include "programs.h"

static const char *const examples[] = {"anim-undump walk.txt > walk.axs",
				       "anim-dump walk.axs | sed 's/\"Hips\"/\"Pelvis\"/' | anim-undump > pelvis.axs",
				       NULL};
static const struct cli_program program = {.name = "anim-undump",
					   .summary = "turns the text of anim-dump back into the same stream",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM,
					   .most_operands = 1};

static int read_all(struct cli *cli, void *job, bool heads, struct anim_sink *sink, const bool *failed,
		    struct anim_error *error)
{
	struct anim_input *input;
	bool done = cli_open_input(cli, cli_file(cli), &input, error) == 0 && anim_undump(input, sink, error) == 0;

	(void)job;
	(void)heads;
	(void)failed;
	anim_input_close(input);
	return done ? 0 : -1;
}

const struct step_kind program_undump = {.command_line = &program,
					 .size = sizeof(struct cli_common),
					 .read = read_all,
					 .no_own = true,
					 .changes_nothing = true};
