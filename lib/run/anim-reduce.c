/* anim-reduce.c: fewer keys, and how far they are off at most. */
#include <string.h>

#include "base/count.h"
#include "cli/cli.h"
#include "clip/caps.h"
#include "filter/common/rotations.h"
#include "filter/reduce/reduce.h"
#include "format/format.h"
#include "run/steps.h"
#include "stream/archive.h"

struct options {
	struct cli_common common;
	struct cli_texts limits, overrides;
	int keys;
	const char *target, *json;
	bool fast, move, loop, drop_constant, keep_euler, smaller;
	struct anim_reduce_options reduce;
	const struct anim_format *format; /* whose bytes are counted (NULL: of an archive) */
	struct anim_caps caps;
	struct step trial;           /* counts them */
	struct anim_output *archive; /* counts the bytes of an archive */
	struct anim_sink *packer;
};

/* The axes of formats, and the players that show them. */
static const struct {
	const char *axes;
	enum anim_rules rules;
} players[] = {{"godot", ANIM_RULES_GODOT4},
	       {"unity", ANIM_RULES_UNITY},
	       {"resonite", ANIM_RULES_RESONITE},
	       {"gltf", ANIM_RULES_PLAIN}};

static const char *const keys[] = {"linear", "hermite", "auto", NULL}; /* enum anim_reduce_keys */

static const struct cli_option rows[] = {
    {0, "tol", "LIMITS", "largest error: 1mm@10cm (joints in space), or 0.1mm,0.1deg,0.1% and scale=1% (by track)",
     CLI_TEXTS, AT(limits), NULL, false},
    {0, "override", "GLOB=LIMITS", "use other limits for the nodes that match: '*Hand*=0.2mm@5cm'; can be repeated",
     CLI_TEXTS, AT(overrides), NULL, false},
    {0, "for", "TARGET",
     "write for this player: godot, unity, resonite, gltf (default: the player of the source), or the player of a "
     "format: tres, animx, ...",
     CLI_TEXT, AT(target), NULL, false},
    {0, "keys", "KEYS",
     "write straight lines between keys (linear), also cubics with slopes (hermite), or hermite only for unity, and "
     "with --smaller (auto); default: linear, with --smaller auto",
     CLI_CHOICE, AT(keys), keys, false},
    {0, "fast", NULL, "finish much sooner, with more keys", CLI_FLAG, AT(fast), NULL, false},
    {0, "move", NULL, "also place keys between those of the source: fewer keys, but slower", CLI_FLAG, AT(move), NULL,
     false},
    {0, "loop", NULL, "keep the first two and the last two keys, so that loops close as before", CLI_FLAG, AT(loop),
     NULL, false},
    {0, "drop-constant", NULL, "leave out tracks that stay at their rest value; other constant tracks keep one key",
     CLI_FLAG, AT(drop_constant), NULL, false},
    {0, "keep-euler", NULL, "keep Euler angles instead of converting them to rotations", CLI_FLAG, AT(keep_euler), NULL,
     false},
    {0, "smaller", NULL,
     "choose the keys with the fewest bytes in the file of --for (default: an archive), which never becomes larger",
     CLI_FLAG, AT(smaller), NULL, false},
    {0, "json", "REPORT",
     "write the number of keys before and after, the error bound and the measured error of each clip to a file",
     CLI_TEXT, AT(json), NULL, true},
};
static const char *const examples[] = {
    "anim-reduce take.anim -o take.small.anim",
    "anim-resample 30 walk.axs | anim-reduce --tol 0.5mm@10cm --for godot -o walk30.axs",
    "anim-reduce --tol 0.1mm,0.05deg,1% face.axs > small.axs", NULL};
static const struct cli_program program = {.name = "anim-reduce",
					   .summary = "removes redundant keys within a proven error bound",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 1};

/* See struct anim_measure. */
static struct anim_sink *begin_trial(void *context, struct anim_error *error)
{
	static const struct anim_archive_writer_options fast = {.jobs = 1};
	struct options *options = context;

	if (options->format == NULL)
		return anim_output_open(&options->archive, "/dev/null", error) != 0
			   ? NULL
			   : (options->packer = anim_archive_writer_new(options->archive, &fast, error));
	return emit_try(&options->trial, options->format, error) != 0 ? NULL : options->trial.sink;
}

static uint64_t end_trial(void *context)
{
	struct options *options = context;
	struct step *trial = &options->trial;
	struct anim_sink *sink = options->format == NULL ? options->packer : trial->sink;
	struct anim_error ignored = {0};
	uint64_t bytes = 0;

	if (sink != NULL && anim_sink_end(sink, &ignored) == 0)
		bytes = options->format == NULL ? anim_output_offset(options->archive) : emit_tried(trial);
	anim_sink_free(options->packer);
	anim_output_free(options->archive);
	options->packer = NULL;
	options->archive = NULL;
	if (trial->kind != NULL) {
		step_clear(trial);
		cli_clear(trial->cli);
	}
	*trial = (struct step){.kind = NULL};
	return bytes;
}

/* Choose the player and the format of the result, and the keys that both have. */
static void choose_target(struct cli *cli, struct options *options)
{
	const struct anim_write_options write = {.pretty = false};
	struct anim_reduce_options *reduce = &options->reduce;

	if (options->target != NULL)
		options->format = cli_target(cli, "for", options->target);
	for (size_t i = 0; i < ANIM_COUNT(players) && options->format != NULL; i++)
		if (options->format->axes != NULL && strcmp(options->format->axes, players[i].axes) == 0)
			reduce->rules = players[i].rules;
	reduce->keys = (enum anim_reduce_keys)options->keys;
	reduce->smaller = options->smaller;
	reduce->measure = (struct anim_measure){.begin = begin_trial,
						.end = end_trial,
						.context = options,
						.whole = options->format == NULL || options->format->frames_hz > 0,
						.sample_hz = options->format == NULL ? 0 : options->format->frames_hz};
	if (!options->smaller || options->format == NULL || options->format->caps == NULL)
		return;
	anim_format_caps(options->format, &write, &options->caps);
	if (!options->caps.frames && !options->caps.euler_only)
		reduce->measure.caps = &options->caps;
	if (cli_was_given(cli, "keys") && reduce->keys != ANIM_REDUCE_AUTO)
		return;
	if (reduce->measure.sample_hz > 0)
		reduce->keys = ANIM_REDUCE_LINEAR;
	else if ((options->caps.interps & 1u << ANIM_HERMITE) && reduce->rules != ANIM_RULES_COUNT)
		reduce->keys =
		    reduce->rules == ANIM_RULES_GODOT4 ? ANIM_REDUCE_LINEAR : ANIM_REDUCE_HERMITE; /* if smaller */
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;
	struct anim_reduce_options *reduce = &options->reduce;
	struct anim_reduce_override *overrides;

	for (size_t i = 0; i < options->limits.count; i++)
		if (anim_limits_parse(&reduce->limits, options->limits.items[i], error) != 0)
			cli_usage(cli, "%s: %s", cli_spelled(cli, "tol"), error->message);
	overrides = anim_arena_zeroed(&cli->arena, options->overrides.count + 1, sizeof *overrides, error);
	if (overrides == NULL)
		return -1;
	for (size_t i = 0; i < options->overrides.count; i++)
		if (anim_reduce_override_parse(&overrides[i], options->overrides.items[i], error) != 0)
			cli_usage(cli, "%s: %s", cli_spelled(cli, "override"), error->message);
	reduce->overrides = overrides;
	reduce->override_count = options->overrides.count;
	choose_target(cli, options);
	if (options->keys == ANIM_REDUCE_HERMITE && reduce->rules == ANIM_RULES_GODOT4)
		cli_usage(cli, "--keys hermite: Godot does not support slopes for positions, rotations and scales");
	reduce->fast = options->fast;
	reduce->move = options->move;
	reduce->store_memory = cli_store_memory();
	reduce->diagnostics = &cli->diagnostics;
	reduce->prog = &cli->prog;
	reduce->prog_arena = &cli->arena;
	reduce->loop = options->loop;
	reduce->drop_constant = options->drop_constant;
	reduce->keep_euler = options->keep_euler;
	if (options->json != NULL && options->smaller && reduce->measure.whole)
		cli_usage(cli, "--json with --smaller requires --for%s",
			  options->format == NULL ? "" : ", and another format");
	if (options->json != NULL && cli_open_file(cli, options->json, true, &cli->report, error) != 0)
		return -1;
	reduce->report = cli->report;
	return 0;
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	const struct anim_reduce_options *reduce = &((struct options *)job)->reduce;
	/* Godot gets complete tracks of lines and arcs, so keys are counted and errors are proven for these. */
	const struct anim_rotations_options rotations = {.keep = reduce->keep_euler || reduce->smaller ||
								 reduce->rules != ANIM_RULES_GODOT4,
							 .foreign = true,
							 .tol = 1e-3,
							 .diagnostics = &cli->diagnostics};

	return anim_rotations_new(&rotations, anim_reduce_new(reduce, next, error), error);
}

static const struct options defaults = {.reduce = {.rules = ANIM_RULES_COUNT}};
const struct step_kind program_reduce = {
    .command_line = &program, .size = sizeof(struct options), .defaults = &defaults, .begin = begin, .make = make};
