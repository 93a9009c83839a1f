/* anim-diff.c: measures how much two animations differ when they are played. */
#include <string.h>

#include "base/text.h"
#include "cli/cli.h"
#include "filter/compare/compare.h"
#include "filter/plot/plot.h"
#include "filter/resample.h"
#include "format/bvh/bvh.h"
#include "programs.h"
#include "run/source.h"

struct options {
	struct cli_common common;
	const char *rate, *ppu, *shell, *plot, *unit;
	struct cli_texts clips, limits;
	int match, axes, flip; /* -1: not given */
	bool all, all_clips, world, json;
};

/* In the order of enum anim_compare_match from ANIM_MATCH_PATH on, then of enum anim_mirror. */
static const char *const matches[] = {"path", "name", "index", NULL};
static const char *const axes_words[] = {"keep", NULL};
static const char *const flips[] = {"x", "z", NULL};

static const struct cli_option rows[] = {
    {0, "max", "LIMITS", "exit with 1 if the error is larger: 0.1mm,0.05deg or position=0.1mm,scale=1%", CLI_TEXTS,
     AT(limits), NULL, false},
    {'r', "rate", "RATE", "compare at the keys and at this many points per second (default: 60)", CLI_TEXT, AT(rate),
     NULL, false},
    {'c', "clip", "NAME", "compare only clips with this name: PLAYER:NAME, globs", CLI_TEXTS, AT(clips), NULL, false},
    {0, "all-clips", NULL, "also count clips that only one side has as different", CLI_FLAG, AT(all_clips), NULL,
     false},
    {'a', "all", NULL, "show all tracks, not only those that differ", CLI_FLAG, AT(all), NULL, false},
    {0, "world", NULL, "compare node positions in world space instead of tracks", CLI_FLAG, AT(world), NULL, false},
    {0, "shell", "LENGTH", "with --world: compare points at this distance around each joint (default: 10cm)", CLI_TEXT,
     AT(shell), NULL, false},
    {0, "match", "HOW", "match tracks by path, name or index (default: path, then name)", CLI_CHOICE, AT(match),
     matches, false},
    {0, "axes", "keep", "compare the raw numbers, without converting axes", CLI_CHOICE, AT(axes), axes_words, false},
    {0, "flip", "AXIS", "the axis that was mirrored between the two files: x (the default) or z", CLI_CHOICE, AT(flip),
     flips, false},
    {0, "ppu", "PIXELS", "two dimensions: Godot pixels per Unity unit (default: 100)", CLI_TEXT, AT(ppu), NULL, false},
    {0, "unit", "UNIT", "length unit of a bvh or amc: cm, m, in, cmu (Carnegie Mellon), or a number of metres",
     CLI_TEXT, AT(unit), NULL, false},
    {0, "plot", "FILE", "draw both curves and their error as SVG", CLI_TEXT, AT(plot), NULL, true},
    {0, "json", NULL, "print one JSON document", CLI_FLAG, AT(json), NULL, false},
};
static const char *const examples[] = {"anim-diff walk.tscn walk.animj",
				       "anim-diff --max 0.1mm,0.05deg walk.axs small.axs",
				       "anim-diff --world --max 1mm@10cm walk.tscn walk.animj",
				       "anim-resample 30 walk.tscn | anim-diff --all walk.tscn -", NULL};
static const struct cli_program program = {.name = "anim-diff",
					   .summary = "compares two animations as their players show them",
					   .usage = "[OPTION...] FILE FILE",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_FINDS,
					   .most_operands = 2};

static void read_options(const struct cli *cli, const struct options *options, struct anim_compare_options *compare,
			 double *unit_m)
{
	struct anim_error error = {0};

	if (cli->operand_count < 2)
		cli_usage(cli, "two files are compared; - is standard input");
	if (strcmp(cli->operands[0], "-") == 0 && strcmp(cli->operands[1], "-") == 0)
		cli_usage(cli, "standard input is one of the two files only");
	if (anim_rate_parse(options->rate, &compare->rate_num, &compare->rate_den, &error) != 0)
		cli_usage(cli, "--rate: %s", error.message);
	if (compare->rate_num == 0)
		cli_usage(cli, "--rate: 'source' is not a rate that both files share; give one: -r 60");
	for (size_t i = 0; i < options->limits.count; i++)
		if (anim_limits_parse(&compare->limits, options->limits.items[i], &error) != 0)
			cli_usage(cli, "--max: %s", error.message);
	if (options->shell != NULL && anim_length_parse(&compare->limits.shell_m, options->shell, &error) != 0)
		cli_usage(cli, "--shell: %s", error.message);
	compare->world = options->world || compare->limits.world;
	if (options->shell != NULL && !compare->world)
		cli_usage(cli, "--shell requires --world");
	if (options->ppu != NULL && (!cli_number(options->ppu, &compare->ppu) || compare->ppu <= 0))
		cli_usage(cli, "--ppu: '%s' is not a number above 0", options->ppu);
	if (options->unit != NULL && !anim_bvh_unit(options->unit, unit_m))
		cli_usage(cli, "--unit '%s' is not a unit: use cm, m, in, cmu or a number of metres", options->unit);
	if (options->flip >= 0)
		compare->mirror = (enum anim_mirror)options->flip;
	if (options->plot != NULL && !anim_text_ends(options->plot, ".svg"))
		cli_usage(cli, "--plot: '%s' must end in .svg", options->plot);
	compare->match = (enum anim_compare_match)(ANIM_MATCH_PATH + options->match);
	compare->axes_keep = options->axes >= 0;
	compare->all_clips = options->all_clips;
	compare->all_tracks = options->all;
	compare->json = options->json;
	compare->quiet = options->common.quiet;
	compare->names[0] = cli->operands[0];
	compare->names[1] = cli->operands[1];
}

/*
 * Read both files completely, but only the selected clips. An option for a format that neither has would otherwise be
 * ignored silently. Returns 0 or -1.
 */
static int read_sides(struct cli *cli, struct anim_load_options *source, const struct options *options,
		      struct anim_compare *compare, const struct anim_format *formats[2], struct anim_error *error)
{
	bool taken = options->unit == NULL;

	for (int side = 0; side < 2; side++) {
		struct anim_sink *sink = source_pick(anim_compare_input(compare, side), &options->clips, error);
		int result;

		if (sink == NULL)
			return -1;
		source->read_as = &formats[side];
		result = source_read(cli, source, cli->operands[side], sink, error);
		if (result == 0)
			result = anim_diagnostics_check(&cli->diagnostics, error);
		if (result == 0 && anim_sink_end(sink, error) != 0)
			result = anim_error_in_file(error, cli->operands[side]);
		anim_sink_free(sink);
		if (result != 0)
			return -1;
		taken = taken || source_has_unit(formats[side]);
	}
	return taken ? 0
		     : anim_fail(error, ANIM_UNSUPPORTED, "--unit is for bvh, amc and asf, and neither file is one");
}

/*
 * Open the picture, which has an output of its own. It shows curves or, if joints are compared, when they differ.
 * Returns 0 or -1.
 */
static int open_plot(struct cli *cli, const char *path, struct anim_compare_options *settings, struct anim_sink **plot,
		     struct anim_output **output, struct anim_error *error)
{
	const struct anim_plot_options options = {.view = settings->world ? ANIM_PLOT_HEAT : ANIM_PLOT_CURVES,
						  .svg = true,
						  .against = true,
						  .diagnostics = &cli->diagnostics,
						  .advisor = &cli->advisor.advisor};

	if (path == NULL)
		return 0;
	if (cli_open_file(cli, path, true, output, error) != 0)
		return -1;
	*plot = anim_plot_new(*output, &options, error);
	settings->show = settings->world ? anim_heat_pair : anim_plot_pair;
	settings->show_clips = anim_plot_clips;
	settings->show_joint = settings->world ? anim_heat_joint : NULL;
	settings->show_apart = anim_heat_apart;
	settings->show_context = *plot;
	return *plot == NULL ? -1 : 0;
}

static int run_program(int argc, char **argv)
{
	struct options options = {.rate = "60", .match = -1, .axes = -1, .flip = -1};
	struct anim_compare_options settings = {.ppu = ANIM_AXES_PPU, .limits.shell_m = 0.1};
	struct anim_load_options source;
	struct anim_compare *compare = NULL;
	const struct anim_format *formats[2] = {NULL, NULL};
	struct anim_output *outputs[2] = {NULL, NULL};
	struct anim_sink *plot = NULL;
	struct anim_error error = {0};
	double unit_m = 0;
	bool differ = false;
	struct cli cli;
	bool done;

	cli_start(&cli, &program, &options, argc, argv);
	read_options(&cli, &options, &settings, &unit_m);
	source_options_init(&source, &cli);
	source.read.bvh.unit = options.unit;
	source.read.bvh.unit_option = ANIM_OPTION("parse", "unit");
	source.read.unit_m = unit_m;
	source.streams = true;
	settings.diagnostics = &cli.diagnostics;
	settings.advisor = &cli.advisor.advisor;
	settings.store_memory = cli_store_memory();
	settings.color = cli_wants_color(&cli);

	done = cli_open_report(&cli, &outputs[0], &error) == 0 &&
	       open_plot(&cli, options.plot, &settings, &plot, &outputs[1], &error) == 0 &&
	       (compare = anim_compare_new(&settings, &error)) != NULL &&
	       read_sides(&cli, &source, &options, compare, formats, &error) == 0 &&
	       anim_compare_run(compare, outputs[0], &differ, &error) == 0 &&
	       (plot == NULL || anim_sink_end(plot, &error) == 0) &&
	       cli_commit(&cli, outputs, plot == NULL ? 1 : 2, &error) == 0; /* both outputs, or none */
	anim_compare_free(compare);
	anim_sink_free(plot);
	anim_output_free(outputs[0]);
	anim_output_free(outputs[1]);
	if (cli_finish(&cli, done ? NULL : &error) != CLI_DONE)
		return CLI_TROUBLE;
	return differ ? CLI_FOUND : CLI_DONE;
}

const struct step_kind program_diff = {.command_line = &program, .main = run_program};
