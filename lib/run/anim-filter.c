/* anim-filter.c: keeps the selected tracks. */
#include <strings.h>

#include "base/text.h"
#include "cli/cli.h"
#include "filter/select.h"
#include "format/format.h"
#include "run/steps.h"

struct options {
	struct cli_common common;
	struct cli_texts nodes, properties, clips, types, kinds;
	unsigned min_keys;
	bool regular, invert, constant, require;
	struct anim_select_options select;
};

static const struct cli_option rows[] = {
    {'n', "node", "GLOB",
     "keep tracks of these nodes: a glob, a part of a human (fingers, left-arm, head, legs, ...), or '!GLOB' for all "
     "others; can be repeated",
     CLI_TEXTS, AT(nodes), NULL, false},
    {'p', "property", "GLOB",
     "keep tracks of these properties: position, 'material.*', position.x, or '!GLOB' for all others", CLI_TEXTS,
     AT(properties), NULL, false},
    {'c', "clip", "GLOB", "keep tracks of these clips: NAME or PLAYER:NAME", CLI_TEXTS, AT(clips), NULL, false},
    {0, "type", "TYPE", "keep tracks with these value types: float3, 'double*'", CLI_TEXTS, AT(types), NULL, false},
    {0, "kind", "KIND", "keep tracks of these kinds: raw, discrete, curve", CLI_TEXTS, AT(kinds), NULL, false},
    {0, "constant", NULL, "keep tracks whose value never changes", CLI_FLAG, AT(constant), NULL, false},
    {0, "min-keys", "N", "keep tracks with at least N keys", CLI_COUNT, AT(min_keys), NULL, false},
    {'E', "regex", NULL, "read -n, -p and -c as extended regular expressions", CLI_FLAG, AT(regular), NULL, false},
    {'v', "invert", NULL, "keep the tracks that do not match", CLI_FLAG, AT(invert), NULL, false},
    {0, "require", NULL, "fail if no track is left", CLI_FLAG, AT(require), NULL, true},
};
static const char *const examples[] = {"anim-filter -c walk -n '*Hand*' hero.tscn -o hands.animj",
				       "anim-filter -c walk -c run -p rotation hero.axs > turns.axs",
				       "anim-filter -v --constant take.axs -o moving.axs", NULL};
static const struct cli_program program = {.name = "anim-filter",
					   .summary = "keeps the tracks that you choose",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags =
					       CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT | CLI_READS_HEADS,
					   .most_operands = 1};

static void read_types(struct cli *cli, const struct cli_texts *texts, uint64_t *types)
{
	for (size_t i = 0; i < texts->count; i++) {
		uint64_t fit = 0;

		for (unsigned type = 0; type < ANIM_TYPE_COUNT; type++)
			if (anim_glob_match(texts->items[i], anim_types[type].name))
				fit |= (uint64_t)1 << type;
		if (fit == 0)
			cli_usage(cli, "%s '%s' is not a value type such as float, float3, floatQ or bool",
				  cli_spelled(cli, "type"), texts->items[i]);
		*types |= fit;
	}
}

static void read_kinds(struct cli *cli, const struct cli_texts *texts, unsigned *kinds)
{
	for (size_t i = 0; i < texts->count; i++) {
		unsigned kind = ANIM_RAW;

		while (kind <= ANIM_CURVE && strcasecmp(texts->items[i], anim_kind_names[kind]) != 0)
			kind++;
		if (kind > ANIM_CURVE)
			cli_usage(cli, "%s: '%s' is not one of raw, discrete, curve", cli_spelled(cli, "kind"),
				  texts->items[i]);
		*kinds |= 1u << kind;
	}
}

static void read_patterns(struct cli *cli, const struct cli_texts *texts, bool regular, struct anim_patterns *patterns)
{
	struct anim_error error = {0};

	if (anim_patterns_init(patterns, texts->items, texts->count, regular, &error) != 0)
		cli_usage(cli, "%s", error.message);
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;
	struct anim_select_options *select = &options->select;
	const struct anim_format *format = anim_format_to_write(options->common.output);

	(void)error;
	read_patterns(cli, &options->nodes, options->regular, &select->nodes);
	read_patterns(cli, &options->properties, options->regular, &select->properties);
	read_patterns(cli, &options->clips, options->regular, &select->clips);
	read_types(cli, &options->types, &select->types);
	read_kinds(cli, &options->kinds, &select->kinds);
	select->constant = options->constant;
	select->min_keys = options->min_keys;
	select->invert = options->invert;
	/* a file without tracks is an error, and this error explains the reason */
	select->require = options->require || (format != NULL && format->sort != ANIM_FORMAT_STREAM);
	select->diagnostics = &cli->diagnostics;
	return 0;
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	(void)cli;
	return anim_select_new(&((struct options *)job)->select, next, error);
}

static void clear(void *job)
{
	struct options *options = job;

	anim_patterns_clear(&options->select.nodes);
	anim_patterns_clear(&options->select.properties);
	anim_patterns_clear(&options->select.clips);
}

const struct step_kind program_filter = {
    .command_line = &program, .size = sizeof(struct options), .begin = begin, .make = make, .clear = clear};
