/* anim-reduce.c: fewer keys, and how far they are off at most. */
#include "cli/cli.h"
#include "filter/reduce/reduce.h"
#include "filter/rotations.h"
#include "programs.h"

struct options {
	struct cli_common common;
	struct cli_texts limits, overrides;
	int target; /* -1: not given */
	int keys;
	const char *json;
	bool fast, move, loop, drop_constant, keep_euler, smaller;
	struct anim_reduce_options reduce;
};

static const char *const targets[] = {"godot", "unity", "resonite", "gltf", NULL};
static const enum anim_rules rules[] = {ANIM_RULES_GODOT4, ANIM_RULES_UNITY, ANIM_RULES_RESONITE, ANIM_RULES_PLAIN};

static const char *const keys[] = {"linear", "hermite", "auto", NULL}; /* enum anim_reduce_keys */

static const struct cli_option rows[] = {
    {0, "tol", "LIMITS", "largest error: 1mm@10cm (joints in space), or 0.1mm,0.1deg,0.1% and scale=1% (by track)",
     CLI_TEXTS, AT(limits), NULL, false},
    {0, "override", "GLOB=LIMITS", "use other limits for the nodes that match: '*Hand*=0.2mm@5cm'; can be repeated",
     CLI_TEXTS, AT(overrides), NULL, false},
    {0, "for", "TARGET", "write for this player: godot, unity, resonite, gltf (default: the player of the source)",
     CLI_CHOICE, AT(target), targets, false},
    {0, "keys", "KEYS",
     "write straight lines between keys (linear), cubics with slopes (hermite), or hermite only for unity (auto)",
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
    {0, "smaller", NULL, "keep all keys of a track if fewer keys would make the file larger", CLI_FLAG, AT(smaller),
     NULL, false},
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

/* 0, or -1 out of memory. */
static int read_overrides(struct cli *cli, const struct cli_texts *texts, struct anim_reduce_options *reduce,
			  struct anim_error *error)
{
	struct anim_reduce_override *all = anim_arena_zeroed(&cli->arena, texts->count + 1, sizeof *all, error);

	if (all == NULL)
		return -1;
	for (size_t i = 0; i < texts->count; i++)
		if (anim_reduce_override_parse(&all[i], texts->items[i], error) != 0)
			cli_usage(cli, "%s: %s", cli_spelled(cli, "override"), error->message);
	reduce->overrides = all;
	reduce->override_count = texts->count;
	return 0;
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;
	struct anim_reduce_options *reduce = &options->reduce;

	for (size_t i = 0; i < options->limits.count; i++)
		if (anim_limits_parse(&reduce->limits, options->limits.items[i], error) != 0)
			cli_usage(cli, "%s: %s", cli_spelled(cli, "tol"), error->message);
	if (read_overrides(cli, &options->overrides, reduce, error) != 0)
		return -1;
	if (options->target >= 0)
		reduce->rules = rules[options->target];
	reduce->keys = (enum anim_reduce_keys)options->keys;
	if (reduce->keys == ANIM_REDUCE_HERMITE && reduce->rules == ANIM_RULES_GODOT4)
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
	reduce->smaller = options->smaller;
	if (options->json != NULL && cli_open_file(cli, options->json, true, &cli->report, error) != 0)
		return -1;
	reduce->report = cli->report;
	return 0;
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	const struct anim_reduce_options *reduce = &((struct options *)job)->reduce;
	/* Godot gets complete tracks of lines and arcs, so keys are counted and errors are proven for these. */
	const struct anim_rotations_options rotations = {.keep =
							     reduce->keep_euler || reduce->rules != ANIM_RULES_GODOT4,
							 .foreign = true,
							 .tol = 1e-3,
							 .diagnostics = &cli->diagnostics};

	return anim_rotations_new(&rotations, anim_reduce_new(reduce, next, error), error);
}

static const struct options defaults = {.target = -1, .reduce = {.rules = ANIM_RULES_COUNT}};
const struct step_kind program_reduce = {
    .command_line = &program, .size = sizeof(struct options), .defaults = &defaults, .begin = begin, .make = make};
