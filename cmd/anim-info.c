/* anim-info.c: lists the contents of a stream or a file. */
#include <string.h>
#include <unistd.h>

#include "base/print.h"
#include "base/system.h"
#include "cli/cli.h"
#include "clip/graph.h"
#include "filter/filter.h"
#include "filter/info/info.h"
#include "programs.h"
#include "run/source.h"

struct options {
	struct cli_common common;
	struct cli_texts clips;
	bool list, tree, bones, json, csv, reach, spark, graph;
};

static const struct cli_option rows[] = {
    {'c', "clip", "CLIP", "use only clips with this name: a glob, or PLAYER:NAME; can be repeated", CLI_TEXTS,
     AT(clips), NULL, false},
    {'l', "list", NULL, "print one line per clip, without its tracks", CLI_FLAG, AT(list), NULL, false},
    {0, "tree", NULL, "print the node tree with types and rest poses", CLI_FLAG, AT(tree), NULL, false},
    {0, "bones", NULL, "print which nodes are the bones of a human, and which bones are missing; with --json: add it",
     CLI_FLAG, AT(bones), NULL, false},
    {0, "json", NULL, "print one JSON document", CLI_FLAG, AT(json), NULL, false},
    {0, "reach", NULL,
     "print the largest distance of each joint from the root, and of its descendants from it; with --json: add it",
     CLI_FLAG, AT(reach), NULL, false},
    {0, "spark", NULL, "print one line of blocks per track that shows how it moves", CLI_FLAG, AT(spark), NULL, false},
    {0, "graph", NULL, "print layers, states, blend trees and transitions of a Unity controller; with --json: as JSON",
     CLI_FLAG, AT(graph), NULL, false},
    {0, "csv", NULL, "print one comma-separated row per track; with -l: per clip", CLI_FLAG, AT(csv), NULL, false},
};
static const char *const examples[] = {"anim-info walk.tscn", "anim-resample 30 walk.tscn | anim-info",
				       "anim-info --json walk.axs", NULL};
static const struct cli_program program = {.name = "anim-info",
					   .summary = "shows what is in a file",
					   .usage = "[OPTION...] [FILE...]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_HAS_STRICT,
					   .most_operands = -1};

/*
 * Return whether the table of tracks is printed on a screen, which has fewer lines, and the files can be read twice. Errors
 * and messages of this first reading are dropped, because they occur again when the files are read.
 */
static bool would_scroll(struct cli *cli, const struct anim_load_options *source, const struct options *options,
			 struct anim_info_options info)
{
	struct anim_diagnostics unsaid = {0};
	struct anim_load_options first = *source;
	struct anim_output *output = NULL;
	struct anim_sink *sink = NULL;
	struct anim_error error = {0};
	struct anim_stat file;
	size_t tracks = 0;
	bool done;

	if (info.form != ANIM_INFO_TABLE || options->common.output != NULL || cli->operand_count == 0 ||
	    !anim_sys_is_terminal(STDOUT_FILENO))
		return false;
	for (int i = 0; i < cli->operand_count; i++)
		if (anim_sys_stat(cli->operands[i], &file) != 0 || file.kind != ANIM_FILE)
			return false;
	info.form = ANIM_INFO_CLIPS;
	info.diagnostics = first.read.diagnostics = &unsaid;
	first.heads = true;
	done = anim_output_open_memory(&output, &error) == 0 && (sink = anim_info_new(output, &info, &error)) != NULL &&
	       (sink = anim_count_new(&tracks, NULL, sink, &error)) != NULL &&
	       (sink = source_pick(sink, &options->clips, &error)) != NULL &&
	       source_read_all(cli, &first, sink, &error) == 0;
	anim_sink_free(sink);
	anim_output_free(output);
	anim_diagnostics_clear(&unsaid);
	return done && tracks + 4 > cli_height();
}

/* Print the structure of each controller. Returns 0 or -1. */
static int print_graphs(struct cli *cli, const struct anim_load_options *source, bool json, struct anim_output *output,
			struct anim_error *error)
{
	struct anim_print print = {.out = output, .error = error};
	int result = 0;

	for (int i = 0; i < (cli->operand_count > 0 ? cli->operand_count : 1) && result == 0; i++) {
		struct anim_graph graph = {.name = NULL};
		struct anim_input *input;

		result = cli_open_input(cli, cli->operands[i], &input, error);
		if (result == 0)
			result = anim_load_graph(input, source, &graph, error);
		if (result == 0)
			(json ? anim_graph_print_json : anim_graph_print)(&graph, &print);
		anim_input_close(input);
		anim_graph_clear(&graph);
		result = result == 0 && !print.failed ? 0 : -1;
	}
	return result;
}

static int run_program(int argc, char **argv)
{
	struct options options = {0};
	struct anim_load_options source;
	struct anim_info_options info = {0};
	struct anim_error error = {0};
	struct anim_output *output = NULL;
	struct anim_sink *sink = NULL;
	struct cli cli;
	const char *encoding = NULL;
	bool done, scrolls;

	cli_start(&cli, &program, &options, argc, argv);
	if ((options.list && !options.csv) + options.tree + options.json + options.csv + options.spark > 1)
		cli_usage(&cli, "-l, --tree, --spark, --json and --csv cannot be combined, except -l --csv");
	if (options.bones &&
	    (options.list || options.tree || options.csv || options.spark || options.reach || options.graph))
		cli_usage(&cli, "--bones can be combined only with --json");
	if (options.graph && (options.list || options.tree || options.csv || options.spark || options.reach))
		cli_usage(&cli, "--graph can be combined only with --json");
	if (options.reach && (options.list || options.tree || options.csv || options.spark))
		cli_usage(&cli, "--reach can be combined only with --json");
	source_options_init(&source, &cli);
	source.streams = true;
	source.names_clips = info.files = cli.operand_count > 1;
	source.read.encoding = info.encoding = &encoding;
	info.form = options.csv     ? options.list ? ANIM_INFO_CSV_CLIPS : ANIM_INFO_CSV
		    : options.json  ? ANIM_INFO_JSON
		    : options.reach ? ANIM_INFO_REACH
		    : options.spark ? ANIM_INFO_SPARK
		    : options.tree  ? ANIM_INFO_TREE
		    : options.bones ? ANIM_INFO_BONES
		    : options.list  ? ANIM_INFO_CLIPS
				    : ANIM_INFO_TABLE;
	info.reach = options.reach;
	info.bones = options.bones;
	info.memory_max = cli_store_memory();
	info.color = cli_wants_color(&cli);
	info.utf8 = cli_locale_is_utf8();
	info.width = cli_width(20, 1000);
	info.diagnostics = &cli.diagnostics;

	if (options.graph) {
		done = cli_open_report(&cli, &output, &error) == 0 &&
		       print_graphs(&cli, &source, options.json, output, &error) == 0 &&
		       cli_commit(&cli, &output, 1, &error) == 0;
		anim_output_free(output);
		return cli_finish(&cli, done ? NULL : &error);
	}
	scrolls = would_scroll(&cli, &source, &options, info);
	if (scrolls)
		info.form = ANIM_INFO_CLIPS;
	done = cli_open_report(&cli, &output, &error) == 0 &&
	       (sink = source_pick(anim_info_new(output, &info, &error), &options.clips, &error)) != NULL &&
	       source_read_all(&cli, &source, sink, &error) == 0;
	if (done && scrolls) {
		const char *line =
		    cli_printf(&cli, "The screen is too small for the tracks; to see them, try: %s | less\n",
			       cli_command_line(&cli, NULL, NULL));

		done = anim_output_write(output, line, strlen(line), &error) == 0;
	}
	done = done && cli_commit(&cli, &output, 1, &error) == 0;
	anim_sink_free(sink);
	anim_output_free(output);
	return cli_finish(&cli, done ? NULL : &error);
}

const struct step_kind program_info = {.command_line = &program, .main = run_program};
