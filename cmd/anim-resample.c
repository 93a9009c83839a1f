/* anim-resample.c: curves -> values at a fixed rate. */
#include <stdio.h>

#include "cli/cli.h"
#include "filter/resample.h"
#include "programs.h"

struct options {
	struct cli_common common;
	const char *rate;
	int end;
	bool all, trust_size;
	struct anim_resample_options resample;
};

/* In the order of enum anim_grid_end. */
static const char *const ends[] = {"cover", "grid", "fit", "loop", NULL};

static const struct cli_option rows[] = {
    {'r', "rate", "RATE", "samples a second, as the first operand else", CLI_TEXT, AT(rate), NULL, false},
    {0, "end", "END",
     "where the end is no whole frame: cover (a sample past it), grid, fit (bend the rate), loop (no copy of the "
     "first)",
     CLI_CHOICE, AT(end), ends, false},
    {0, "all", NULL, "sample what only steps too", CLI_FLAG, AT(all), NULL, false},
    {0, "trust-size", NULL, "sample clips that take more than 4194304 samples, too", CLI_FLAG, AT(trust_size), NULL,
     false},
};
static const char *const examples[] = {"anim-parse walk.tscn | anim-resample 30 | anim-emit animj > walk.animj",
				       "anim-resample 24fps walk.axs -o walk24.axs",
				       "anim-resample --end loop 30000/1001 walk.axs > loop.axs", NULL};
static const struct cli_program program = {.name = "anim-resample",
					   .summary = "samples animation curves at a fixed rate",
					   .usage = "[OPTION...] RATE [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 2,
					   .first_operand = "rate"};

/* The first operand as a rate; a file there is the commonest slip and gets the command line that was meant. */
static void read_rate(struct cli *cli, const char *given, struct anim_resample_options *options)
{
	struct anim_error error = {0};
	uint32_t num, den;
	const char *word;

	if (given != NULL && cli->operand_count > 1)
		cli_usage(cli, "'%s' is one operand too many", cli->operands[1]);
	if (given != NULL && anim_rate_parse(given, &options->rate_num, &options->rate_den, &error) != 0)
		cli_usage(cli, "--rate: %s", error.message);
	if (given != NULL)
		return;
	if (cli->operand_count == 0)
		cli_usage(cli, "no rate; try: %s 30", cli_command_line(cli, NULL, NULL));
	word = cli->operands[0];
	if (anim_rate_parse(word, &options->rate_num, &options->rate_den, &error) == 0)
		return;
	if (cli->operand_count > 1 && anim_rate_parse(cli->operands[1], &num, &den, NULL) == 0)
		cli_usage(cli, "'%s' is not a rate; try: anim-resample %s %s", word, cli->operands[1],
			  cli_quoted(cli, word));
	if (cli->operand_count == 1 && (word[0] < '0' || word[0] > '9') && word[0] != '.')
		cli_usage(cli, "'%s' is not a rate; try: anim-resample 30 %s", word, cli_quoted(cli, word));
	cli_usage(cli, "%s", error.message);
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;
	struct anim_resample_options *resample = &options->resample;

	read_rate(cli, options->rate, resample);
	resample->end = (enum anim_grid_end)options->end;
	resample->all = options->all;
	resample->trust_size = options->trust_size;
	resample->diagnostics = &cli->diagnostics;
	return anim_rate_check(resample->rate_num, resample->rate_den, &cli->diagnostics, error);
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	(void)cli;
	return anim_resample_new(&((struct options *)job)->resample, next, error);
}

static const struct options defaults = {.end = ANIM_END_COVER};
const struct step_kind program_resample = {
    .command_line = &program, .size = sizeof(struct options), .defaults = &defaults, .begin = begin, .make = make};
