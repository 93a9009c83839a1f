/* anim-plot.c: the curves of an animation, drawn. */
#include <string.h>

#include "base/count.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/cli.h"
#include "filter/compare/compare.h"
#include "filter/plot/plot.h"
#include "filter/plot/viewer.h"
#include "filter/select.h"
#include "programs.h"
#include "run/source.h"

struct options {
	struct cli_common common;
	struct cli_texts clips, nodes, properties;
	struct cli_texts limits;
	const char *range, *against;
	unsigned width, depth, strip;
	int rotation, charset, palette, side; /* charset -1: by the locale */
	bool all, frames, heat, dope, onion;
};

#define SHELL_M 0.1 /* around joints, as anim-diff --world has it */

/* In the order of enum anim_plot_rotation, _charset, _side, _palette. */
static const char *const rotations[] = {"rotvec", "quat", "euler", "angle", NULL};
static const char *const charsets[] = {"braille", "block", "ascii", NULL};
static const char *const sides[] = {"three-quarter", "front", "side", NULL};
static const char *const palettes[] = {"axes", "safe", NULL};

static const char *const poses[] = {"8", NULL}; /* of --strip without a number, and of --onion */
static const struct cli_option rows[] = {
    {'c', "clip", "CLIP", "draw only clips with this name: a glob, or PLAYER:NAME; can be repeated", CLI_TEXTS,
     AT(clips), NULL, false},
    {'n', "node", "GLOB", "draw only tracks of these nodes: a glob, or '!GLOB' for all others; can be repeated",
     CLI_TEXTS, AT(nodes), NULL, false},
    {'p', "property", "GLOB", "draw only tracks of these properties; can be repeated", CLI_TEXTS, AT(properties), NULL,
     false},
    {'t', "time", "FROM..TO", "draw only this part: seconds or h:m:s; either side can be left out", CLI_TEXT, AT(range),
     NULL, false},
    {0, "against", "FILE", "draw this file over the first, with their difference", CLI_TEXT, AT(against), NULL, false},
    {0, "max", "LIMITS", "with --against: mark these limits of the error: 0.1mm,0.05deg", CLI_TEXTS, AT(limits), NULL,
     false},
    {0, "heat", NULL, "with --against: draw the error of each joint over time", CLI_FLAG, AT(heat), NULL, false},
    {0, "dope", NULL, "draw the times of keys instead of curves", CLI_FLAG, AT(dope), NULL, false},
    {0, "depth", "N", "with --dope: draw one row per node with a path of up to N names, including all nodes below it",
     CLI_COUNT, AT(depth), NULL, false},
    {0, "strip", "N", "draw the figure in N poses, side by side (default: 8)", CLI_COUNT, AT(strip), poses, false},
    {0, "onion", NULL, "draw its poses at their positions, over each other (default: 8 poses)", CLI_FLAG, AT(onion),
     NULL, false},
    {0, "view", "FROM", "look at the figure from:", CLI_CHOICE, AT(side), sides, false},
    {'a', "all", NULL, "draw all animated tracks, in their order, instead of those that move most", CLI_FLAG, AT(all),
     NULL, false},
    {0, "as", "HOW", "draw rotations as:", CLI_CHOICE, AT(rotation), rotations, false},
    {0, "frames", NULL, "count frames instead of seconds, if the clip has a rate", CLI_FLAG, AT(frames), NULL, false},
    {0, "charset", "CHARS", "draw with these characters (default: braille in a UTF-8 locale, otherwise ascii):",
     CLI_CHOICE, AT(charset), charsets, false},
    {0, "palette", "COLOURS",
     "draw x y z w in red, green, blue and grey (axes) or in colours for colour-blind readers (safe):", CLI_CHOICE,
     AT(palette), palettes, false},
    {'w', "width", "COLUMNS", "width of a line in characters (default: of the terminal, otherwise 80)", CLI_COUNT,
     AT(width), NULL, false},
};
static const char *const examples[] = {"anim-plot walk.tscn",
				       "anim-plot -n '*Hand*' -p rotation -t 0..2 walk.axs",
				       "anim-plot --against small.axs -o walk.svg walk.axs",
				       "anim-plot --against small.axs --heat --max 1mm walk.axs",
				       "anim-plot -o walk.html walk.tscn",
				       "anim-resample 30 walk.tscn | anim-plot --as euler",
				       NULL};
static const struct cli_program program = {.name = "anim-plot",
					   .summary = "draws the curves of an animation",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_HAS_STRICT,
					   .most_operands = 1};

static bool is_page(const struct options *options)
{
	return options->common.output != NULL && anim_text_ends(options->common.output, ".html");
}

static void read_options(const struct cli *cli, const struct options *options, struct anim_plot_options *plot)
{
	static const char *const ends[] = {".svg", ".html", ".txt"};
	const char *name = options->common.output == NULL ? "" : anim_path_last(options->common.output);
	const char *dot = strrchr(name, '.');
	bool strip = cli_was_given(cli, "strip"), figure = strip || options->onion;
	struct anim_error error = {0};

	/* The content would not match the suffix of another format. */
	if (dot != NULL && dot != name && !anim_text_is_one_of(dot, ends, ANIM_COUNT(ends)))
		cli_usage(cli, "-o: '%s' must end in .svg (picture), .html (page) or .txt (text)",
			  options->common.output);
	plot->rotation = (enum anim_plot_rotation)options->rotation;
	plot->palette = (enum anim_plot_palette)options->palette;
	plot->charset = options->charset >= 0  ? (enum anim_plot_charset)options->charset
			: cli_locale_is_utf8() ? ANIM_PLOT_BRAILLE
					       : ANIM_PLOT_ASCII;
	if (cli_wants_color(cli))
		plot->color = cli_has_all_colors() ? ANIM_PLOT_RGB : ANIM_PLOT_256;
	if (cli_was_given(cli, "width") &&
	    (options->width < ANIM_PLOT_LEAST_WIDTH || options->width > ANIM_PLOT_MOST_WIDTH))
		cli_usage(cli, "--width: %u is not between %d and %d", options->width, ANIM_PLOT_LEAST_WIDTH,
			  ANIM_PLOT_MOST_WIDTH);
	plot->width = options->width != 0 ? options->width : cli_width(ANIM_PLOT_LEAST_WIDTH, ANIM_PLOT_MOST_WIDTH);
	plot->svg = options->common.output != NULL && anim_text_ends(options->common.output, ".svg");
	plot->against = options->against != NULL;
	if (options->limits.count > 0 && !plot->against)
		cli_usage(cli, "--max requires --against");
	/* Views other than curves. */
	plot->view = options->heat   ? ANIM_PLOT_HEAT
		     : options->dope ? ANIM_PLOT_DOPE
		     : figure        ? ANIM_PLOT_FIGURE
				     : ANIM_PLOT_CURVES;
	plot->folds = cli_was_given(cli, "depth");
	plot->depth = options->depth;
	plot->poses = strip ? options->strip : (unsigned)atoi(poses[0]);
	plot->onion = options->onion;
	plot->side =
	    options->onion && !cli_was_given(cli, "view") ? ANIM_PLOT_SIDE : (enum anim_plot_side)options->side;
	if (options->heat + options->dope + figure > 1)
		cli_usage(cli, "--heat, --dope and --strip or --onion cannot be combined");
	if (options->heat && !plot->against)
		cli_usage(cli, "--heat requires --against");
	if (options->dope && options->limits.count > 0)
		cli_usage(cli, "--max cannot be combined with --dope, which shows keys, not errors");
	if (plot->folds && !options->dope)
		cli_usage(cli, "--depth requires --dope");
	if (cli_was_given(cli, "view") && !figure)
		cli_usage(cli, "--view requires --strip or --onion");
	if (strip && (plot->poses < 1 || plot->poses > ANIM_PLOT_MOST_POSES))
		cli_usage(cli, "--strip: %u is not between 1 and %d", plot->poses, ANIM_PLOT_MOST_POSES);
	if (plot->view != ANIM_PLOT_CURVES && is_page(options))
		cli_usage(cli, "a page (.html) has its own view; write other views as text or .svg");
	plot->all = options->all;
	plot->picked = options->nodes.count > 0 || options->properties.count > 0;
	plot->frames = options->frames;
	if (options->range != NULL && cli_time_range_parse(options->range, &plot->range, &error) != 0)
		cli_usage(cli, "-t: %s", error.message);
}

/* The tracks and clips that are wanted, in front of the picture; kept: of two files. NULL on failure. */
static struct anim_sink *pick(struct anim_sink *sink, const struct options *options,
			      struct anim_diagnostics *diagnostics, size_t *kept, struct anim_error *error)
{
	struct anim_select_options select = {
	    .nodes = {.globs = options->nodes.items, .count = options->nodes.count},
	    .properties = {.globs = options->properties.items, .count = options->properties.count},
	    .kept = kept,
	    .diagnostics = diagnostics,
	};

	if (sink != NULL && (select.nodes.count > 0 || select.properties.count > 0))
		sink = anim_select_new(&select, sink, error);
	return source_pick(sink, &options->clips, error);
}

/* A file into a sink (owned, freed; NULL: -1), to its end. */
static int read_file(struct cli *cli, const struct anim_load_options *source, const struct options *options,
		     const char *file, struct anim_sink *sink, size_t *kept, struct anim_error *error)
{
	int result;

	sink = sink == NULL ? NULL : pick(sink, options, &cli->diagnostics, kept, error);
	result = sink == NULL || source_read(cli, source, file, sink, error) != 0 ? -1 : anim_sink_end(sink, error);
	anim_sink_free(sink);
	return result;
}

/* Set the options of the comparison, except the receiver of its pairs. */
static struct anim_compare_options compare_options(struct cli *cli, const struct options *options,
						   const char *const files[2])
{
	struct anim_error error = {0};
	struct anim_compare_options settings = {.limits.shell_m = SHELL_M,
						.names = {files[0], files[1]},
						.rate_num = 60,
						.rate_den = 1,
						.ppu = ANIM_AXES_PPU,
						.store_memory = cli_store_memory(),
						.limits_joints = is_page(options),
						.quiet = true,
						.diagnostics = &cli->diagnostics,
						.advisor = &cli->advisor.advisor};

	for (size_t i = 0; i < options->limits.count; i++)
		if (anim_limits_parse(&settings.limits, options->limits.items[i], &error) != 0)
			cli_usage(cli, "--max: %s", error.message);
	return settings;
}

/* Compare both files. The viewer (NULL: none) also gets them. */
static int compare_files(struct cli *cli, const struct anim_load_options *source, const struct options *options,
			 const struct anim_compare_options *settings, struct anim_viewer *viewer,
			 struct anim_error *error)
{
	struct anim_compare *compare = anim_compare_new(settings, error);
	struct anim_output *nothing = NULL;
	bool differ, picks = options->nodes.count + options->properties.count > 0;
	size_t kept = 0;
	int result = compare == NULL ? -1 : anim_output_open(&nothing, "/dev/null", error);

	for (int side = 0; side < 2 && result == 0; side++) {
		struct anim_sink *sink = anim_compare_input(compare, side);

		if (viewer != NULL)
			sink = anim_viewer_input(viewer, side, sink, error);
		result = read_file(cli, source, options, settings->names[side], sink, &kept, error);
	}
	if (result == 0 && picks && kept == 0)
		result = anim_fail(error, ANIM_BAD_INPUT, "%s", anim_select_nothing);
	if (result == 0)
		result = anim_compare_run(compare, nothing, &differ, error);
	anim_output_free(nothing);
	anim_compare_free(compare);
	return result;
}

/* The two files are compared, and each pair of tracks is drawn. */
static int draw_against(struct cli *cli, const struct anim_load_options *source, const struct options *options,
			const char *const files[2], enum anim_plot_view view, struct anim_sink *plot,
			struct anim_error *error)
{
	struct anim_compare_options settings = compare_options(cli, options, files);

	settings.show = view == ANIM_PLOT_HEAT ? anim_heat_pair : view == ANIM_PLOT_CURVES ? anim_plot_pair : NULL;
	settings.show_clips = anim_plot_clips;
	settings.show_joint = view == ANIM_PLOT_HEAT ? anim_heat_joint : NULL;
	settings.show_apart = anim_heat_apart;
	settings.show_keys = view == ANIM_PLOT_DOPE ? anim_dope_keys : NULL;
	settings.show_world = view == ANIM_PLOT_FIGURE ? anim_figure_world : NULL;
	settings.world_if_known = view == ANIM_PLOT_HEAT;
	settings.world = view == ANIM_PLOT_FIGURE;
	settings.show_context = plot;
	return compare_files(cli, source, options, &settings, NULL, error) == 0 ? anim_sink_end(plot, error) : -1;
}

static const char *name_of(const char *file)
{
	return file == NULL ? NULL : strcmp(file, "-") == 0 ? "standard input" : anim_path_last(file);
}

/* A page that plays the file, or both of them. */
static int write_page(struct cli *cli, const struct anim_load_options *source, const struct options *options,
		      const char *const files[2], const struct anim_plot_options *plot, struct anim_output *output,
		      struct anim_error *error)
{
	struct anim_compare_options settings = compare_options(cli, options, files);
	const struct anim_viewer_options page = {
	    .names = {name_of(files[0]), name_of(files[1])},
	    .rotation = plot->rotation,
	    .palette = plot->palette,
	    .range = plot->range,
	    .limit_m = anim_limits_find(&settings.limits, ANIM_UNIT_LENGTH, ANIM_LIMIT_WORLD),
	    .limit_px = anim_limits_find(&settings.limits, ANIM_UNIT_PIXELS, ANIM_LIMIT_WORLD),
	    .shell_m = settings.limits.shell_m,
	    .shell_px = settings.limits.shell_m * settings.ppu,
	    .store_memory = cli_store_memory(),
	    .diagnostics = &cli->diagnostics,
	    .advisor = &cli->advisor.advisor};
	struct anim_viewer *viewer = anim_viewer_new(output, &page, error);
	int result = -1;

	settings.show = anim_viewer_pair;
	settings.show_clips = anim_viewer_clips;
	settings.show_world = anim_viewer_world;
	settings.world_if_known = settings.world_besides = true;
	settings.show_context = viewer;
	if (viewer != NULL && plot->against)
		result = compare_files(cli, source, options, &settings, viewer, error);
	else if (viewer != NULL)
		result =
		    read_file(cli, source, options, files[0], anim_viewer_input(viewer, 0, NULL, error), NULL, error);
	if (result == 0)
		result = anim_viewer_end(viewer, error);
	anim_viewer_free(viewer);
	return result;
}

static int run_program(int argc, char **argv)
{
	struct options options = {.charset = -1};
	struct anim_plot_options plot = {0};
	struct anim_load_options source;
	struct anim_error error = {0};
	struct anim_output *output = NULL;
	struct anim_sink *sink = NULL;
	struct cli cli;
	bool done;

	cli_start(&cli, &program, &options, argc, argv);
	read_options(&cli, &options, &plot);
	source_options_init(&source, &cli);
	source.streams = true;
	plot.diagnostics = &cli.diagnostics;
	plot.advisor = &cli.advisor.advisor;

	const char *const files[2] = {cli.operand_count > 0 ? cli.operands[0] : "-", options.against};

	done = cli_open_report(&cli, &output, &error) == 0;
	if (done && is_page(&options))
		done = write_page(&cli, &source, &options, files, &plot, output, &error) == 0;
	else if (done && (sink = anim_plot_new(output, &plot, &error)) != NULL && options.against != NULL)
		done = draw_against(&cli, &source, &options, files, plot.view, sink, &error) == 0;
	else if (done)
		done = sink != NULL && (sink = pick(sink, &options, &cli.diagnostics, NULL, &error)) != NULL &&
		       source_read_all(&cli, &source, sink, &error) == 0;
	done = done && cli_commit(&cli, &output, 1, &error) == 0;
	anim_sink_free(sink);
	anim_output_free(output);
	return cli_finish(&cli, done ? NULL : &error);
}

const struct step_kind program_plot = {.command_line = &program, .main = run_program};
