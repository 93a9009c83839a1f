/* anim-rename.c: renames nodes, properties and clips; makes nodes bones of a skeleton. */
#include <string.h>

#include "cli/cli.h"
#include "filter/rename/rename.h"
#include "run/source.h"
#include "run/steps.h"

struct options {
	struct cli_common common;
	struct cli_texts expressions, nodes, properties, clips, maps, crcs;
	int on; /* -1: not given */
	const char *humanoid, *face, *bones;
	bool dry_run;

	struct cli *cli;
	struct anim_rename_options rename;
	enum anim_face_naming face_from, face_to;
	struct anim_bones_options to_bones;
	struct anim_expression *parsed; /* from the expressions */
	size_t parsed_count;
	struct anim_rename_map map;
	struct anim_crc_names crc;
};

static const struct cli_option rows[] = {
    {'e', "expression", "s/ERE/TEXT/[gi]", "change names as sed does; can be repeated", CLI_TEXTS, AT(expressions),
     NULL, false},
    {0, "on", "WHAT", "rename with -e and --map: node (the whole path, the default), name, property, clip", CLI_CHOICE,
     AT(on), anim_rename_on_names, false},
    {0, "map", "FILE", "read from,to lines from this file: names, or paths with a '/'; can be repeated", CLI_TEXTS,
     AT(maps), NULL, false},
    {0, "humanoid", "FROM:TO",
     "change the bone names of a human: unity, godot, mixamo, vrm, vrm0, cmu, rokoko, neuron, smpl, mmd; FROM may be "
     "auto",
     CLI_TEXT, AT(humanoid), NULL, false},
    {0, "crc", "FILE", "replace CRC-32 numbers by node paths from this file: a list, or any animation file", CLI_TEXTS,
     AT(crcs), NULL, false},
    {0, "bones", "PATH", "put transform tracks on the bones of the skeleton at this path", CLI_TEXT, AT(bones), NULL,
     false},
    {'n', "node", "GLOB", "change only tracks of these nodes: a glob, or '!GLOB' for all others; can be repeated",
     CLI_TEXTS, AT(nodes), NULL, false},
    {'p', "property", "GLOB", "change only tracks of these properties; can be repeated", CLI_TEXTS, AT(properties),
     NULL, false},
    {'c', "clip", "CLIP", "change only these clips: a glob, or PLAYER:NAME; can be repeated", CLI_TEXTS, AT(clips),
     NULL, false},
    {0, "dry-run", NULL, "print the old and new names, write nothing", CLI_FLAG, AT(dry_run), NULL, true},
    CLI_MORE_ROW,
    {0, "face", "FROM:TO",
     "rename the blend shapes of a face, as in arkit:vrm: arkit, unified (VRCFaceTracking), perfectsync, vrm, mmd",
     CLI_TEXT, AT(face), NULL, false},
};
static const char *const examples[] = {
    "anim-rename -e 's/^Body/Miltina\\/Body/' dance.anim > dance.axs",
    "anim-axes godot dance.anim | anim-rename --bones Armature/Skeleton3D | anim-info",
    "anim-rename --dry-run --humanoid mixamo:godot walk.axs", NULL};
static const struct cli_program program = {.name = "anim-rename",
					   .summary = "renames nodes, properties and clips",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 1};

/* Read "FROM:TO", each one of the names (NULL at the end). Returns false for another text. */
static bool read_namings(const char *text, const char *const *names, int found[2])
{
	const char *colon = strchr(text, ':');

	found[0] = found[1] = -1;
	for (int i = 0; colon != NULL && names[i] != NULL; i++) {
		size_t length = strlen(names[i]);

		if (length == (size_t)(colon - text) && strncmp(text, names[i], length) == 0)
			found[0] = i;
		if (strcmp(colon + 1, names[i]) == 0)
			found[1] = i;
	}
	return found[0] >= 0 && found[1] >= 0;
}

static void read_humanoid(struct options *job)
{
	const char *text = job->humanoid;
	int found[2];

	if (!read_namings(text, anim_humanoid_names, found) &&
	    !(found[1] >= 0 && strncmp(text, "auto:", strlen("auto:")) == 0))
		cli_usage(job->cli,
			  "--humanoid: '%s' is not FROM:TO, each one of unity, godot, mixamo, vrm, vrm0, cmu, rokoko, "
			  "neuron, smpl, mmd; FROM may be auto",
			  text);
	if (found[0] < 0 && (job->properties.count > 0 || job->clips.count > 0))
		cli_usage(job->cli,
			  "--humanoid auto:... renames the bones of all clips; do not combine it with -p and -c");
	job->rename.humanoid = true;
	job->rename.from = found[0] < 0 ? ANIM_HUMANOID_AUTO : (enum anim_humanoid)found[0];
	job->rename.to = (enum anim_humanoid)found[1];
}

/* Parse the expressions. Returns 0, or -1 if out of memory. */
static int read_expressions(struct options *job, struct anim_error *error)
{
	const struct cli_texts *texts = &job->expressions;

	job->parsed = anim_arena_zeroed(&job->cli->arena, texts->count, sizeof *job->parsed, error);
	if (job->parsed == NULL)
		return -1;
	for (size_t i = 0; i < texts->count; i++) {
		if (anim_expression_parse(&job->parsed[job->parsed_count++], texts->items[i], error) == 0)
			continue;
		if (error->code == ANIM_NO_MEMORY)
			return -1;
		cli_usage(job->cli, "-e '%s': %s", texts->items[i], error->message);
	}
	job->rename.expressions = job->parsed;
	job->rename.expression_count = job->parsed_count;
	return 0;
}

/* Check the command line itself, before any file is read, and set the options of the filters. */
static void read_options(struct options *job)
{
	const struct options *options = job;
	const char *bones = options->bones;
	bool named = options->expressions.count > 0 || options->maps.count > 0;
	int found[2];

	if (!named && options->humanoid == NULL && options->face == NULL && options->crcs.count == 0 && bones == NULL)
		cli_usage(job->cli, "nothing to rename; try: %s -e 's/^Armature\\//Rig\\//'",
			  cli_command_line(job->cli, NULL, NULL));
	if (options->on >= 0 && !named)
		cli_usage(job->cli, "--on requires -e or --map");
	if (bones != NULL &&
	    (bones[0] == '\0' || bones[0] == '/' || strchr(bones, ':') != NULL || bones[strlen(bones) - 1] == '/'))
		cli_usage(job->cli, "%s: '%s' is not the path of a skeleton, as Armature/Skeleton3D",
			  cli_spelled(job->cli, "bones"), bones);
	if (options->humanoid != NULL)
		read_humanoid(job);
	if (options->face != NULL) {
		if (!read_namings(job->face, anim_face_naming_names, found))
			cli_usage(job->cli,
				  "%s: '%s' is not FROM:TO, each one of arkit, unified, perfectsync, vrm, mmd",
				  cli_spelled(job->cli, "face"), job->face);
		job->face_from = (enum anim_face_naming)found[0];
		job->face_to = (enum anim_face_naming)found[1];
	}
	job->rename.on = options->on < 0 ? ANIM_RENAME_NODE : (enum anim_rename_on)options->on;
	job->rename.map = options->maps.count > 0 ? &job->map : NULL;
	job->rename.crc = options->crcs.count > 0 ? &job->crc : NULL;
	job->rename.select =
	    (struct anim_rename_selection){options->nodes.items, options->properties.items, options->clips.items,
					   options->nodes.count, options->properties.count, options->clips.count};
	job->rename.diagnostics = &job->cli->diagnostics;
	job->to_bones = (struct anim_bones_options){.path = options->bones,
						    .select = job->rename.select,
						    .store_memory = cli_store_memory(),
						    .diagnostics = &job->cli->diagnostics};
}

/* Read the names in a file with one path per line, or the names of the nodes in a file of another type. Returns 0 or -1. */
static int read_crc(struct options *job, const char *path, struct anim_error *error)
{
	struct anim_load_options source;
	struct anim_input *input;
	struct anim_sink *sink;
	const uint8_t *at;
	int result = cli_open_input(job->cli, path, &input, error);
	bool is_text = false;

	if (result == 0) {
		ssize_t size = anim_input_peek(input, 4096, &at, error);

		result = size < 0 ? -1 : 0;
		is_text = size >= 0 && anim_format_of(at, (size_t)size) == NULL;
	}
	if (is_text)
		result = anim_crc_names_read(&job->crc, input, error) != 0 ? -1 : 0;
	anim_input_close(input);
	if (result < 0)
		return anim_error_in_file(error, path);
	if (is_text)
		return 0;
	source_options_init(&source, job->cli);
	source.streams = true;
	sink = anim_crc_names_sink_new(&job->crc, error);
	result = sink == NULL ? -1 : source_read(job->cli, &source, path, sink, error);
	anim_sink_free(sink);
	return result;
}

/* Return the filters of the options, in front of `next`. */
static struct anim_sink *make(struct cli *cli, void *context, struct anim_sink *next, struct anim_error *error)
{
	const struct options *job = context;
	const struct anim_rename_options *rename = &job->rename;

	if (job->bones != NULL)
		next = anim_bones_new(&job->to_bones, next, error);
	if (next != NULL && job->face != NULL)
		next = anim_rename_face_new(job->face_from, job->face_to, &cli->diagnostics, next, error);
	if (next == NULL ||
	    (rename->expression_count == 0 && rename->map == NULL && rename->crc == NULL && !rename->humanoid))
		return next;
	return anim_rename_new(rename, next, error);
}

/* Run --dry-run, which prints a list instead of a stream. */
static int dry_run(struct cli *cli, void *context, struct anim_error *error)
{
	struct options *job = context;
	struct anim_rename_list *list = NULL;
	struct anim_load_options source;
	struct anim_output *output = NULL;
	struct anim_sink *sink = NULL;
	bool done;

	if (!job->dry_run)
		return 1;
	source_options_init(&source, cli);
	source.streams = true;
	done = (list = anim_rename_list_new(error)) != NULL && cli_open_report(cli, &output, error) == 0 &&
	       (sink = anim_rename_list_back(list, output, &cli->diagnostics, error)) != NULL &&
	       (sink = make(cli, job, sink, error)) != NULL &&
	       (sink = anim_rename_list_front(list, sink, error)) != NULL &&
	       source_read(cli, &source, cli_file(cli), sink, error) == 0 &&
	       anim_diagnostics_check(&cli->diagnostics, error) == 0 && anim_sink_end(sink, error) == 0 &&
	       cli_commit(cli, &output, 1, error) == 0;
	anim_sink_free(sink);
	anim_rename_list_free(list);
	anim_output_free(output);
	return done ? 0 : -1;
}

static int begin(struct cli *cli, void *context, struct anim_error *error)
{
	struct options *job = context;

	job->cli = cli;
	read_options(job);
	if (read_expressions(job, error) != 0)
		return -1;
	for (size_t i = 0; i < job->maps.count; i++)
		if (source_read_map(cli, job->maps.items[i], &job->map, error) != 0)
			return -1;
	for (size_t i = 0; i < job->crcs.count; i++)
		if (read_crc(job, job->crcs.items[i], error) != 0)
			return -1;
	return 0;
}

static void clear(void *context)
{
	struct options *job = context;

	for (size_t i = 0; i < job->parsed_count; i++)
		anim_expression_clear(&job->parsed[i]);
	anim_rename_map_clear(&job->map);
	anim_crc_names_clear(&job->crc);
}

static const struct options defaults = {.on = -1};
const struct step_kind program_rename = {.command_line = &program,
					 .size = sizeof(struct options),
					 .defaults = &defaults,
					 .begin = begin,
					 .alone = dry_run,
					 .make = make,
					 .clear = clear};
