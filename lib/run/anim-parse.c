/* anim-parse.c: reads files into a stream. */
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/depfile.h"
#include "filter/filter.h"
#include "filter/resample.h"
#include "format/bvh/bvh.h"
#include "run/source.h"
#include "run/steps.h"
#include "stream/boundary.h"

struct options {
	struct cli_common common;
	int format, godot, key_order, up, rest, human; /* -1: not given */
	struct cli_texts clips;
	const char *source_name, *depfile, *target, *unit, *asset, *asf, *model, *avatar, *fps, *read_as;
	bool keep_going, no_external, slerp, trust_size, states, add_offset, godot_paths;
	bool merge, append;
	const char *blend;

	double unit_m;               /* of --unit, or 0 */
	uint32_t rate_num, rate_den; /* of --fps, or 0 and 0 */
	unsigned as;                 /* of -x read-as, or 0 */
	struct source_join joins;
	struct cli_depfile rule; /* of --depfile */
};

enum { GODOT_4_2, GODOT_NEWEST };
static const char *const key_orders[] = {"time-value", "value-time", NULL};
static const char *const ups[] = {"y", "z", NULL};
static const char *const rests[] = {"node", "bind", NULL};
static const char *const humans[] = {"bones", "muscles", NULL};
static const char *const godot_versions[] = {"4.2", "newest", NULL};

static const struct cli_option rows[] = {
    CLI_SECTION_ROW("What to read"),
    {'f', "format", "FORMAT", "read all files as this format, whatever their content:", CLI_CHOICE, AT(format),
     cli_formats_read, false},
    {'c', "clip", "CLIP", "use only clips with this name: a glob, PLAYER:NAME, or NAME#2 (the second); can be repeated",
     CLI_TEXTS, AT(clips), NULL, false},
    {0, "merge", NULL, "join clips of the same name: one clip with all tracks", CLI_FLAG, AT(merge), NULL, false},
    {0, "append", NULL, "join clips one after the other: clips of one name, of files with one clip, or all of one file",
     CLI_FLAG, AT(append), NULL, false},
    {0, "blend", "S", "with --append: let clips overlap by this many seconds and blend, from one place and heading",
     CLI_TEXT, AT(blend), NULL, false},
    {0, "keep-going", NULL, "skip clips and files with errors instead of failing", CLI_FLAG, AT(keep_going), NULL,
     false},
    {0, "no-external", NULL, "do not open the files that a file refers to", CLI_FLAG, AT(no_external), NULL, false},
    {0, "unit", "UNIT",
     "length unit of a bvh, amc or npz: cm, m, in, cmu (Carnegie Mellon), or a number of metres; the output is in "
     "metres",
     CLI_TEXT, AT(unit), NULL, false},
    {0, "up", "AXIS", "up axis of a bvh, amc or npz: y, z", CLI_CHOICE, AT(up), ups, false},
    CLI_MORE_ROW,
    {0, "source-name", "NAME", "use this as the name of the input file, for example if it is standard input", CLI_TEXT,
     AT(source_name), NULL, true},
    {0, "depfile", "FILE", "write a make rule with all files that were opened", CLI_TEXT, AT(depfile), NULL, true},
    {0, "target", "NAME", "target of that rule (default: the output file)", CLI_TEXT, AT(target), NULL, true},
    CLI_SET_ROW,
    {0, "godot-rules", "VERSION", "sample as this Godot version does: 4.2, newest", CLI_CHOICE, AT(godot),
     godot_versions, false},
    {0, "key-order", "ORDER",
     "animx: order of times and values in Curve keys: time-value, value-time (default: found from the file)",
     CLI_CHOICE, AT(key_order), key_orders, false},
    {0, "slerp", NULL, "animj, animx: interpolate Linear rotations the short way instead of component by component",
     CLI_FLAG, AT(slerp), NULL, false},
    {0, "trust-size", NULL, "animx, fbx, npz, unitypackage: allow more tracks and more data than any known file has",
     CLI_FLAG, AT(trust_size), NULL, false},
    {0, "asset", "GLOB", "unitypackage: read the assets with this path, with their nodes", CLI_TEXT, AT(asset), NULL,
     false},
    {0, "human", "WHAT", "unity, fbx: clips of humans in models: bones, muscles (default: bones)", CLI_CHOICE,
     AT(human), humans, false},
    {0, "states", NULL, "unity: make a clip of each state of a controller, with its name, speed and settings", CLI_FLAG,
     AT(states), NULL, false},
    {0, "fps", "RATE", "amc, bvh, npz, face: frames per second (default: from the file, or a usual rate)", CLI_TEXT,
     AT(fps), NULL, false},
    {0, "read-as", "MEANING", "npz, face: meaning of numbers (default: found from their values): " ANIM_READ_AS_WORDS,
     CLI_TEXT, AT(read_as), NULL, false},
    {0, "asf", "FILE", "amc: the file of the skeleton (default: found beside the motion)", CLI_TEXT, AT(asf), NULL,
     false},
    {0, "model", "FILE", "vmd: the model that the motion moves, a .pmx or .pmd (default: found beside the motion)",
     CLI_TEXT, AT(model), NULL, false},
    {0, "avatar", "FILE", "vmc: the VRM model of the sender, whose rest poses the rotations need", CLI_TEXT, AT(avatar),
     NULL, false},
    {0, "add-offset", NULL, "bvh: add the OFFSET of the joint to its positions", CLI_FLAG, AT(add_offset), NULL, false},
    {0, "joint-rest", "WHOSE", "fbx, gltf: rest pose of joints: node (their node) or bind (their skin)", CLI_CHOICE,
     AT(rest), rests, false},
    {0, "godot-paths", NULL, "gltf, fbx: name the nodes as Godot's importer does", CLI_FLAG, AT(godot_paths), NULL,
     false},
};
static const char *const examples[] = {"anim-parse walk.tscn -o walk.axs",
				       "anim-parse walk.tscn | anim-resample 30 | anim-emit animj > walk.animj",
				       "anim-parse -c 'walk*' hero.tscn -o walks.axs", NULL};
static const struct cli_program program = {.name = "anim-parse",
					   .summary = "reads animation files into a stream",
					   .usage = "[-f FORMAT] [-c CLIP] [OPTION...] [FILE...]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags =
					       CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT | CLI_READS_HEADS,
					   .most_operands = -1};

static void check_options(struct cli *cli, struct options *options)
{
	struct anim_error error;

	if (options->merge && options->append)
		cli_usage(cli, "--merge and --append cannot be combined");
	if (options->target != NULL && options->depfile == NULL)
		cli_usage(cli, "--target requires --depfile");
	if (options->depfile != NULL && options->target == NULL && anim_output_is_standard(options->common.output))
		cli_usage(cli, "--depfile needs the target of its rule: --target NAME, or -o FILE");
	if (options->source_name != NULL && cli->operand_count > 1)
		cli_usage(cli, "--source-name names one file, there are %d", cli->operand_count);
	if (options->source_name != NULL &&
	    (options->source_name[0] == '\0' || strchr(options->source_name, '/') != NULL))
		cli_usage(cli, "%s: '%s' is not a file's base name", cli_spelled(cli, "source-name"),
			  options->source_name);
	if (options->unit != NULL && !anim_bvh_unit(options->unit, &options->unit_m))
		cli_usage(cli, "%s '%s' is not a unit: use cm, m, in, cmu or a number of metres",
			  cli_spelled(cli, "unit"), options->unit);
	if (options->fps != NULL && anim_rate_parse(options->fps, &options->rate_num, &options->rate_den, &error) != 0)
		cli_usage(cli, "%s: %s", cli_spelled(cli, "fps"), error.message);
	if (options->read_as != NULL && !anim_read_as_parse(options->read_as, &options->as))
		cli_usage(cli, "%s: '%s' is not one or more of: " ANIM_READ_AS_WORDS, cli_spelled(cli, "read-as"),
			  options->read_as);
}

static int add_dependency(void *context, const char *path, struct anim_error *error)
{
	return cli_depfile_add(context, path, error);
}

/* The options that at least one of the files accepts, by the formats of the files. */
struct takers {
	bool takes[ANIM_COUNT(rows)];
	const struct anim_format *format; /* of the last file; NULL: it was left out */
};

/* An option that has no meaning for any file would otherwise be ignored silently. Returns 0 or -1. */
static int check_used(struct cli *cli, const struct takers *takers, struct anim_error *error)
{
	char list[64];

	for (size_t i = 0; i < ANIM_COUNT(rows) && takers->format != NULL; i++)
		if (rows[i].name != NULL && cli_was_given(cli, rows[i].name) && !takers->takes[i] &&
		    cli_list_takers(rows[i].name, false, list, sizeof list))
			return anim_fail(error, ANIM_UNSUPPORTED, "%s is for %s, not for %s%s",
					 cli_spelled(cli, rows[i].name), list,
					 takers->format->name == NULL ? takers->format->title : takers->format->name,
					 strcmp(rows[i].name, "fps") != 0
					     ? ""
					     : "; to sample at a rate, use " ANIM_OPTION("resample", "rate"));
	return 0;
}

/* The context for reading several files. */
struct reading {
	struct cli *cli;
	struct options *options;
	struct takers takers;
	const bool *sink_failed;
};

static int next_file(void *context, const char *path, struct anim_error *error)
{
	struct options *options = ((struct reading *)context)->options;

	if (options->depfile != NULL && cli_depfile_add(&options->rule, path, error) != 0)
		return -1;
	return source_join_next(&options->joins, path, error);
}

/* With --keep-going, report an invalid file and leave it out. Other errors remain errors. */
static int file_failed(void *context, struct anim_error *error)
{
	struct reading *reading = context;
	struct anim_place place = {.file = error->file,
				   .at = error->at,
				   .line = error->line,
				   .column = error->column,
				   .offset = error->offset};

	/* In a pipe, a filter that fails also ends the run. */
	if (*reading->sink_failed || !reading->options->keep_going || error->file[0] == '\0' ||
	    (error->code != ANIM_BAD_INPUT && error->code != ANIM_UNSUPPORTED && error->code != ANIM_SYSTEM))
		return -1;
	return anim_diagnostics_add(&reading->cli->diagnostics, ANIM_WARNING, &place, NULL, error, "left out: %s",
				    error->message);
}

static void file_done(void *context)
{
	struct takers *takers = &((struct reading *)context)->takers;
	const char *takes = takers->format == NULL ? NULL : takers->format->read_options;

	for (size_t i = 0; i < ANIM_COUNT(rows) && takes != NULL; i++)
		takers->takes[i] |= rows[i].name != NULL && anim_text_is_word(takes, rows[i].name);
}

static void fill_source(struct anim_load_options *source, struct cli *cli, struct options *options, bool heads)
{
	source_options_init(source, cli);
	source->format = options->format < 0 ? NULL : anim_format_find(cli_formats_read[options->format], false);
	source->read.source_name = options->source_name;
	source->streams = true;
	source->names_clips = true;
	source->heads = heads;
	source->read.no_external = options->no_external;
	source->read.key_order = (enum anim_key_order)(options->key_order + 1); /* if not given: ANIM_KEY_ORDER_ANY */
	source->read.trust_size = options->trust_size;
	source->read.keep_going = options->keep_going;
	source->read.asset = options->asset;
	source->read.asf = options->asf;
	source->read.model = options->avatar != NULL ? options->avatar : options->model;
	source->read.unit_m = options->unit_m;
	source->read.read_as = options->as;
	source->read.muscles = options->human == 1 ? retarget_muscles : NULL;
	source->read.states = options->states;
	source->read.bind_rests = options->rest == 1;
	source->read.bvh.unit = options->unit;
	source->read.bvh.unit_option = ANIM_OPTION("parse", "unit");
	source->read.bvh.z_up = options->up == 1;
	source->read.up = (enum anim_read_up)(options->up + 1); /* if not given: ANIM_READ_UP_ANY */
	source->read.rate_num = options->rate_num;
	source->read.rate_den = options->rate_den;
	source->read.bvh.add_offset = options->add_offset;
	source->read.godot_paths = options->godot_paths;
	if (options->depfile != NULL) {
		source->read.opened = add_dependency;
		source->read.opened_context = &options->rule;
	}
}

static int read_files(struct cli *cli, void *job, bool heads, struct anim_sink *sink, const bool *failed,
		      struct anim_error *error)
{
	struct anim_load_options source;
	struct anim_boundary before; /* notes whether the own filters fail */
	struct reading reading = {.cli = cli, .options = job, .sink_failed = failed};
	const struct source_files files = {.cli = cli,
					   .options = &source,
					   .begin = next_file,
					   .failed = file_failed,
					   .done = file_done,
					   .context = &reading};

	fill_source(&source, cli, job, heads && !((struct options *)job)->merge && !((struct options *)job)->append);
	source.read_as = &reading.takers.format;
	if (failed == NULL) {
		sink = anim_boundary_init(&before, NULL, NULL, NULL, sink);
		reading.sink_failed = &before.failed;
	}
	if (source_read_files(&files, sink, error) != 0)
		return -1;
	return check_used(cli, &reading.takers, error);
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;

	check_options(cli, options);
	source_check_blend(cli, options->append, options->blend);
	if (options->source_name != NULL)
		cli_provenance(cli, "files", options->source_name);
	return cli_check_replaced(cli, options->depfile, true, error);
}

/* Return the filters of the options. */
static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	struct options *options = job;

	options->joins.converts_axes = true;
	next = source_join_new(&options->joins, cli, options->merge, options->append, options->blend, &options->clips,
			       next, error);
	next = source_pick(next, &options->clips, error);
	if (next != NULL && options->godot == GODOT_4_2)
		next = anim_attribute_new("godot.version", "4.2", next, error);
	if (next != NULL && options->slerp)
		next = anim_attribute_new("resonite.slerp", "true", next, error);
	return cli->operand_count > 1 ? source_cat_new(&options->joins, next, error) : next;
}

/* Write the make rule of --depfile. */
static int write_rule(struct cli *cli, void *job, struct anim_error *error)
{
	const struct options *options = job;

	if (options->depfile == NULL)
		return 0;
	return cli_open_file(cli, options->depfile, true, &cli->report, error) != 0
		   ? -1
		   : cli_depfile_write(&options->rule,
				       options->target != NULL ? options->target : options->common.output, cli->report,
				       error);
}

static void clear(void *job)
{
	cli_depfile_clear(&((struct options *)job)->rule);
}

static const struct options defaults = {.format = -1, .godot = -1, .key_order = -1, .up = -1, .rest = -1, .human = -1};
const struct step_kind program_parse = {.command_line = &program,
					.size = sizeof(struct options),
					.defaults = &defaults,
					.begin = begin,
					.read = read_files,
					.make = make,
					.report = write_rule,
					.clear = clear};
