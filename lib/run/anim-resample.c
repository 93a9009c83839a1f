/* anim-resample.c: samples curves at a fixed rate. It is also anim-bake. */

#include "cli/cli.h"
#include "filter/bake.h"
#include "filter/resample.h"
#include "run/source.h"
#include "run/steps.h"

#define LOOPS_MAX 1000000u

struct options {
	struct cli_common common;
	const char *rate, *rest;
	int end;
	unsigned loops;
	bool bakes, all, drop_constant, world, trust_size;
	struct anim_bake_options bake;
	struct anim_resample_options resample;
	struct anim_rests rests; /* from --rest */
};

/* In the order of enum anim_grid_end. */
static const char *const ends[] = {"cover", "grid", "fit", "loop", NULL};

/* The first row exists only in anim-resample. */
static const struct cli_option rows[] = {
    {0, "bake", NULL, "make whole values for simple players, as anim-bake does; RATE is then optional: -r RATE",
     CLI_FLAG, AT(bakes), NULL, false},
    {'r', "rate", "RATE", "samples per second; the default of anim-bake is the rate of the clip, or 30", CLI_TEXT,
     AT(rate), NULL, false},
    {0, "end", "END",
     "if the end is between two samples: cover (add a sample after it), grid (stop before it), fit (change the rate), "
     "loop (no copy of the first sample)",
     CLI_CHOICE, AT(end), ends, false},
    {0, "all", NULL, "also sample tracks that change only in steps", CLI_FLAG, AT(all), NULL, false},
    {0, "trust-size", NULL, "allow clips of more than 4194304 samples", CLI_FLAG, AT(trust_size), NULL, false},
    {0, "loops", "N", "bake: repeat looping clips N times; a ping-pong clip goes forth and back each time", CLI_COUNT,
     AT(loops), NULL, false},
    {0, "rest", "FILE", "bake: read the rest poses of nodes that the input does not have from this file", CLI_TEXT,
     AT(rest), NULL, false},
    {0, "world", NULL, "bake: sample all moving nodes in world space, steps included", CLI_FLAG, AT(world), NULL,
     false},
    {0, "drop-constant", NULL, "bake: leave out tracks that stay at rest; keep one sample of other constants", CLI_FLAG,
     AT(drop_constant), NULL, false},
};
#define BAKE_OPTIONS "bake loops rest world drop-constant"

static const char *const resample_examples[] = {
    "anim-resample 30 walk.tscn | anim-emit animj > walk.animj", "anim-resample 24fps walk.axs -o walk24.axs",
    "anim-resample --end loop 30000/1001 walk.axs > loop.axs", "anim-resample --bake walk.tscn -o walk.animj", NULL};
static const struct cli_program resample_program = {.name = "anim-resample",
						    .summary = "samples animation curves at a fixed rate",
						    .usage = "[OPTION...] RATE [FILE]",
						    .examples = resample_examples,
						    CLI_ROWS(rows),
						    .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
						    .most_operands = 2,
						    .first_operand = "rate",
						    .first_operand_unless = "rate " BAKE_OPTIONS};

static const char *const bake_examples[] = {
    "anim-bake -r 60 walk.tscn -o walk.animj", "anim-bake --rest hero.tscn --drop-constant take.tres > take.axs",
    "anim-bake --world -r 30 hero.tscn -o joints.csv", "anim-bake --loops 4 idle.axs -o idle4.axs", NULL};
static const struct cli_program bake_program = {.name = "anim-bake",
						.summary = "samples whole values at a fixed rate, for simple players",
						.usage = "[OPTION...] [FILE]",
						.examples = bake_examples,
						.options = rows + 1,
						.option_count = sizeof rows / sizeof *rows - 1,
						.flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
						.most_operands = 1};

/* Return whether to bake: by the name of the program, by --bake, or by an option that exists only for baking. */
static bool bakes(struct cli *cli, const struct options *options)
{
	return cli->program == &bake_program || options->bakes || cli_was_given(cli, "loops") ||
	       options->rest != NULL || options->world || options->drop_constant;
}

/*
 * Read the rate from the first operand. The most common mistake is a file there, so the message suggests the intended
 * command line.
 */
static void read_rate(struct cli *cli, uint32_t *rate_num, uint32_t *rate_den)
{
	struct anim_error error = {0};
	uint32_t num, den;
	const char *word;

	if (cli->operand_count == 0 && cli->front != NULL)
		cli_usage(cli, "no rate; " ANIM_ADVICE(GIVE_RATE));
	if (cli->operand_count == 0)
		cli_usage(cli, "no rate; try: %s 30", cli_command_line(cli, NULL, NULL));
	word = cli->operands[0];
	if (anim_rate_parse(word, rate_num, rate_den, &error) == 0)
		return;
	if (cli->operand_count > 1 && anim_rate_parse(cli->operands[1], &num, &den, NULL) == 0)
		cli_usage(cli, "'%s' is not a rate; try: anim-resample %s %s", word, cli->operands[1],
			  cli_quoted(cli, word));
	if (cli->operand_count == 1 && (word[0] < '0' || word[0] > '9') && word[0] != '.')
		cli_usage(cli, "'%s' is not a rate; try: anim-resample 30 %s", word, cli_quoted(cli, word));
	cli_usage(cli, "%s", error.message);
}

static int begin_bake(struct cli *cli, struct options *options, struct anim_error *error)
{
	struct anim_bake_options *bake = &options->bake;

	(void)anim_rate_check(bake->rate_num, bake->rate_den, &cli->diagnostics, NULL);
	if (options->loops > LOOPS_MAX)
		cli_usage(cli, "%s: %u is more than %u", cli_spelled(cli, "loops"), options->loops, LOOPS_MAX);
	if (options->world && options->drop_constant)
		cli_usage(cli, "--world and --drop-constant cannot be combined");
	bake->loops = options->loops;
	bake->end = (enum anim_grid_end)options->end;
	bake->diagnostics = &cli->diagnostics;
	bake->all = options->all || options->world;
	bake->world = options->world;
	bake->drop_constant = options->drop_constant;
	bake->trust_size = options->trust_size;
	if (options->rest == NULL)
		return 0;
	bake->rests = &options->rests;
	return source_read_rests(cli, options->rest, &options->rests, error);
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;
	struct anim_resample_options *resample = &options->resample;
	struct anim_error fault = {0};
	int first = cli_first_file(cli);

	options->bakes = bakes(cli, options);
	if (cli->operand_count > first + 1 && options->rate == NULL &&
	    anim_rate_parse(cli->operands[0], &options->bake.rate_num, &options->bake.rate_den, NULL) == 0)
		cli_usage(cli, "with --bake, the rate is an option: -r %s", cli->operands[0]);
	if (cli->operand_count > first + 1)
		cli_usage(cli, "unexpected operand '%s'", cli->operands[first + 1]);
	if (options->rate != NULL &&
	    anim_rate_parse(options->rate, &options->bake.rate_num, &options->bake.rate_den, &fault) != 0)
		cli_usage(cli, "%s: %s", cli_spelled(cli, "rate"), fault.message);
	if (options->bakes)
		return begin_bake(cli, options, error);
	resample->rate_num = options->bake.rate_num;
	resample->rate_den = options->bake.rate_den;
	if (options->rate == NULL)
		read_rate(cli, &resample->rate_num, &resample->rate_den);
	resample->end = (enum anim_grid_end)options->end;
	resample->all = options->all;
	resample->trust_size = options->trust_size;
	resample->diagnostics = &cli->diagnostics;
	return anim_rate_check(resample->rate_num, resample->rate_den, &cli->diagnostics, error);
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	const struct options *options = job;

	(void)cli;
	return options->bakes ? anim_bake_new(&options->bake, next, error)
			      : anim_resample_new(&options->resample, next, error);
}

static void clear(void *job)
{
	anim_rests_clear(&((struct options *)job)->rests);
}

static const struct options defaults = {.end = ANIM_END_COVER};
const struct step_kind program_resample = {.command_line = &resample_program,
					   .size = sizeof(struct options),
					   .defaults = &defaults,
					   .begin = begin,
					   .make = make,
					   .clear = clear};
const struct step_kind program_bake = {.command_line = &bake_program,
				       .size = sizeof(struct options),
				       .defaults = &defaults,
				       .begin = begin,
				       .make = make,
				       .clear = clear};
