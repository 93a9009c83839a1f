/* anim-bake.c: whole values at a fixed rate, for simple players. */
#include "cli/cli.h"
#include "filter/bake.h"
#include "programs.h"
#include "source.h"

#define LOOPS_MAX 1000000u

struct options {
	struct cli_common common;
	const char *rate, *rest;
	int end;
	unsigned loops;
	bool all, drop_constant, world, trust_size;
	struct anim_bake_options bake;
	struct anim_rests rests; /* of --rest */
};

/* In the order of enum anim_grid_end. */
static const char *const ends[] = {"cover", "grid", "fit", "loop", NULL};

static const struct cli_option rows[] = {
    {'r', "rate", "RATE", "samples a second (the clip's own rate, else 30)", CLI_TEXT, AT(rate), NULL, false},
    {0, "end", "END",
     "where the end is no whole frame: cover (a sample past it), grid, fit (bend the rate), loop (no copy of the "
     "first)",
     CLI_CHOICE, AT(end), ends, false},
    {0, "loops", "N", "write out N runs of clips that loop; one of a ping-pong clip is there and back", CLI_COUNT,
     AT(loops), NULL, false},
    {0, "rest", "FILE", "a file whose nodes tell the rests of those that the stream's trees do not have", CLI_TEXT,
     AT(rest), NULL, false},
    {0, "all", NULL, "sample what only steps too", CLI_FLAG, AT(all), NULL, false},
    {0, "world", NULL,
     "nodes in the space that their tree stands in, with those that only move along; samples steps, too", CLI_FLAG,
     AT(world), NULL, false},
    {0, "drop-constant", NULL, "leave out what stays at its rest, keep one sample of other constants", CLI_FLAG,
     AT(drop_constant), NULL, false},
    {0, "trust-size", NULL, "sample clips that take more than 4194304 samples, too", CLI_FLAG, AT(trust_size), NULL,
     false},
};
static const char *const examples[] = {"anim-parse walk.tscn | anim-bake -r 60 | anim-emit -o walk.animj",
				       "anim-parse take.tres | anim-bake --rest hero.tscn --drop-constant > take.axs",
				       "anim-parse hero.tscn | anim-bake --world -r 30 | anim-emit -o joints.csv",
				       "anim-bake --loops 4 idle.axs -o idle4.axs", NULL};
static const struct cli_program program = {.name = "anim-bake",
					   .summary = "makes what a simple player needs: whole values at a fixed rate",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 1};

static void read_options(struct cli *cli, const struct options *options, struct anim_bake_options *bake)
{
	struct anim_error error = {0};

	if (options->rate != NULL && anim_rate_parse(options->rate, &bake->rate_num, &bake->rate_den, &error) != 0)
		cli_usage(cli, "--rate: %s", error.message);
	(void)anim_rate_check(bake->rate_num, bake->rate_den, &cli->diagnostics, NULL);
	if (options->loops > LOOPS_MAX)
		cli_usage(cli, "--loops: %u is more than %u", options->loops, LOOPS_MAX);
	if (options->world && options->drop_constant)
		cli_usage(cli, "--world leaves no node at its rest: --drop-constant is not for it");
	bake->loops = options->loops;
	bake->end = (enum anim_grid_end)options->end;
	bake->diagnostics = &cli->diagnostics;
	bake->all = options->all || options->world;
	bake->world = options->world;
	bake->drop_constant = options->drop_constant;
	bake->trust_size = options->trust_size;
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;

	read_options(cli, options, &options->bake);
	if (options->rest == NULL)
		return 0;
	options->bake.rests = &options->rests;
	return source_read_rests(cli, options->rest, &options->rests, error);
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	(void)cli;
	return anim_bake_new(&((struct options *)job)->bake, next, error);
}

static void clear(void *job)
{
	anim_rests_clear(&((struct options *)job)->rests);
}

static const struct options defaults = {.end = ANIM_END_COVER};
const struct step_kind program_bake = {.command_line = &program,
				       .size = sizeof(struct options),
				       .defaults = &defaults,
				       .begin = begin,
				       .make = make,
				       .clear = clear};
