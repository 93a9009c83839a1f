/* anim-convert.c: converts files to a file. Chooses the programs by the files and runs them as steps of one chain. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/count.h"
#include "base/named.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/each.h"
#include "filter/axes/axes.h"
#include "filter/compare/compare.h"
#include "run/folder.h"
#include "run/many.h"
#include "run/source.h"
#include "run/steps.h"

struct options {
	struct cli_common common;
	int format; /* -1: not given */
	bool no_clobber, backup;
};

static const char *const examples[] = {"anim convert walk.tscn walk.animj",
				       "anim convert -r 30 hero.tscn 'out/%c.animj'",
				       "anim convert -v --skeleton Armature/Skeleton3D dance.anim dance.tres", NULL};
/*
 * The programs in the order of the pipe. For two dimensions SAMPLE comes before AXES, see anim-axes(1). For --world it comes
 * before FILTER, because the place of a node in space depends on its parents. For --muscles RETARGET comes after MIRROR,
 * PIN and ROOT, which need bones. For --retarget with --humanoid RENAME comes after RETARGET, whose skeleton has the names.
 */
enum stage {
	UNPACK,
	PARSE,
	FILTER,
	RETIME,
	AXES,
	RENAME,
	RETARGET,
	MIRROR,
	PIN,
	ROOT,
	DELTA,
	SAMPLE,
	REDUCE,
	EMIT,
	PACK,
	STAGE_COUNT
};
static const enum stage order_3d[] = {UNPACK, PARSE, FILTER, RETIME, AXES,   RENAME, RETARGET, MIRROR,
				      PIN,    ROOT,  DELTA,  SAMPLE, REDUCE, EMIT,   PACK};
static const enum stage order_world[] = {UNPACK, PARSE, RETIME, AXES,   RENAME, RETARGET, MIRROR, PIN,
					 ROOT,   DELTA, SAMPLE, FILTER, REDUCE, EMIT,     PACK};
static const enum stage order_2d[] = {UNPACK, PARSE, FILTER, RETIME, SAMPLE, AXES, RENAME, RETARGET,
				      MIRROR, PIN,   ROOT,   DELTA,  REDUCE, EMIT, PACK};
static const enum stage order_muscles[] = {UNPACK, PARSE,    FILTER, RETIME, AXES,   RENAME, MIRROR, PIN,
					   ROOT,   RETARGET, DELTA,  SAMPLE, REDUCE, EMIT,   PACK};
static const enum stage order_renamed[] = {UNPACK, PARSE, FILTER, RETIME, AXES,   RETARGET, RENAME, MIRROR,
					   PIN,    ROOT,  DELTA,  SAMPLE, REDUCE, EMIT,     PACK};
_Static_assert(STAGE_COUNT < STEPS_MAX, "a chain has room for all stages");

/* The options of this program itself. All values but the first are looked up when they are needed. */
static const struct cli_option own[] = {
    {'f', "format", "FORMAT", "write this format, whatever the suffix of OUT:", CLI_CHOICE, AT(format),
     cli_formats_written, false},
    {0, "each", "PATTERN", "write one file per clip: %c is the clip, %p its player, %f the source file", CLI_TEXT,
     CLI_NOWHERE, NULL, false},
    {0, "into", "FILE",
     "add the clips to this existing file; the rest of it stays unchanged; with -o, write the whole to another file",
     CLI_TEXT, CLI_NOWHERE, NULL, false},
    {0, "list", "FILE",
     "convert each file of this list, one on a line (-: standard input), to a file below the folder OUT", CLI_TEXT,
     CLI_NOWHERE, NULL, false},
    {0, "no-clobber", NULL, "keep an existing output, and convert only the files without one", CLI_FLAG, AT(no_clobber),
     NULL, false},
    {0, "backup", NULL, "keep the replaced file as OUT~", CLI_FLAG, AT(backup), NULL, false},
    {0, "axes", "AXES", "write other axes than the format has: see anim-axes; keep: do not convert", CLI_TEXT,
     CLI_NOWHERE, NULL, false},
    {0, "skeleton", "PATH", "put the tracks on the bones of the skeleton at this path; none: leave them on nodes",
     CLI_TEXT, CLI_NOWHERE, NULL, false},
    {0, "graph", NULL, "tscn: also write an AnimationTree with the states of the Unity controller", CLI_FLAG,
     CLI_NOWHERE, NULL, false},
    {0, "mirror", NULL, "swap left and right", CLI_FLAG, CLI_NOWHERE, NULL, false},
    {0, "pin", NULL, "keep feet in place while they touch the ground", CLI_FLAG, CLI_NOWHERE, NULL, false},
    {0, "in-place", NULL, "remove the motion of the hips over the ground", CLI_FLAG, CLI_NOWHERE, NULL, false},
    {0, "root-motion", NULL, "move the motion of the hips over the ground to the root node", CLI_FLAG, CLI_NOWHERE,
     NULL, false},
    {'v', "verbose", NULL, "print the equivalent pipe on standard error", CLI_FLAG, CLI_NOWHERE, NULL, false},
    {0, "dry-run", NULL, "print the equivalent pipe and do not run it", CLI_FLAG, CLI_NOWHERE, NULL, false},
};

/*
 * The table of options in the order of the help. Most belong to another program, under the name `as` if that differs.
 * The help is that program's, unless a text is given here. OWN: a row of the table above. The other values of `to`
 * begin parts of the help.
 */
enum { OWN = STAGE_COUNT, SECTION, MORE, SET };
static const struct entry {
	int to;
	const char *name, *as, *help;
} entries[] = {
    {SECTION, "Choose what to convert", NULL, NULL},
    {PARSE, "clip", NULL, NULL},
    {FILTER, "node", NULL, NULL},
    {FILTER, "property", NULL, NULL},
    {RETIME, "time", NULL, NULL},
    {MORE, NULL, NULL, NULL},
    {FILTER, "type", NULL, NULL},
    {FILTER, "kind", NULL, NULL},
    {FILTER, "constant", NULL, NULL},
    {FILTER, "min-keys", NULL, NULL},
    {FILTER, "require", NULL, NULL},
    {SECTION, "Read", NULL, NULL},
    {PARSE, "unit", NULL, NULL},
    {MORE, NULL, NULL, NULL},
    {PARSE, "read", "format", NULL},
    {PARSE, "up", NULL, NULL},
    {PARSE, "source-name", NULL, NULL},
    {PARSE, "depfile", NULL, NULL},
    {PARSE, "target", NULL, NULL},
    {PARSE, "keep-going", NULL, NULL},
    {PARSE, "no-external", NULL, NULL},
    {PARSE, "merge", NULL, NULL},
    {PARSE, "append", NULL, NULL},
    {PARSE, "blend", NULL, NULL},
    {SECTION, "Change times", NULL, NULL},
    {SAMPLE, "rate", NULL, "sample at this many frames per second (default: keep curves)"},
    {RETIME, "speed", NULL, NULL},
    {MORE, NULL, NULL, NULL},
    {RETIME, "find-loop", NULL, NULL},
    {RETIME, "trim", NULL, NULL},
    {RETIME, "loop", NULL, NULL},
    {RETIME, "reverse", NULL, NULL},
    {RETIME, "duration", NULL, NULL},
    {RETIME, "shift", NULL, NULL},
    {RETIME, "snap", NULL, NULL},
    {RETIME, "source-rate", "rate", NULL},
    {SAMPLE, "end", NULL, NULL},
    {SAMPLE, "all", NULL, NULL},
    {SAMPLE, "bake", NULL, "sample whole values first, as anim-bake does"},
    {SAMPLE, "loops", NULL, NULL},
    {SAMPLE, "drop-constant", NULL, NULL},
    {SAMPLE, "world", NULL, NULL},
    {SECTION, "Change names and skeletons", NULL, NULL},
    {RETARGET, "retarget", "to", "put the clips on the skeleton in this file"},
    {RETARGET, "muscles", NULL, NULL},
    {OWN, "mirror", NULL, NULL},
    {OWN, "pin", NULL, NULL},
    {OWN, "in-place", NULL, NULL},
    {RENAME, "humanoid", NULL, NULL},
    {OWN, "skeleton", NULL, NULL},
    {MORE, NULL, NULL, NULL},
    {AXES, "scale", NULL, NULL},
    {AXES, "height", NULL, NULL},
    {RETARGET, "character", NULL, NULL},
    {RETARGET, "partial", NULL, NULL},
    {RETARGET, "keep-scale", "scale", NULL},
    {MIRROR, "pairs", NULL, NULL},
    {PIN, "foot-height", "height", NULL},
    {PIN, "foot-speed", "speed", "and if it moves at most this part of the leg in percent per second (default: 40)"},
    {ROOT, "hips", "extract",
     "the node that moves the body, for --in-place, --root-motion and --retarget (default: the hips)"},
    {PIN, "contacts", NULL, "keep feet and hands in place at the times in the bone,from,to lines of this CSV file"},
    {OWN, "root-motion", NULL, NULL},
    {DELTA, "additive", "from",
     "write the difference from a pose, an additive clip: first, last, @SECONDS, rest or a file"},
    {RENAME, "face", NULL, NULL},
    {RENAME, "expression", NULL, NULL},
    {RENAME, "on", NULL, NULL},
    {RENAME, "map", NULL, NULL},
    {RENAME, "crc", NULL, NULL},
    {EMIT, "rest", NULL,
     "read rest poses of nodes that the input lacks from this file; FILE@SECONDS: its pose at a time, to retarget or "
     "mirror"},
    {AXES, "from", NULL, NULL},
    {AXES, "flip", NULL, NULL},
    {AXES, "ppu", NULL, NULL},
    {SECTION, "Write", NULL, NULL},
    {OWN, "format", NULL, NULL},
    {OWN, "each", NULL, NULL},
    {OWN, "into", NULL, NULL},
    {REDUCE, "reduce", "tol",
     "remove keys within this error: 1mm@10cm (joints, and points 10 cm around them, in space) or 0.1mm,0.1deg (each "
     "track)"},
    {OWN, "verbose", NULL, NULL},
    {MORE, NULL, NULL, NULL},
    {OWN, "list", NULL, NULL},
    {OWN, "no-clobber", NULL, NULL},
    {OWN, "backup", NULL, NULL},
    {REDUCE, "keys", NULL,
     "write straight lines between keys (linear), also cubics with slopes (hermite), or what takes the fewest bytes "
     "(auto, the default)"},
    {OWN, "axes", NULL, NULL},
    {EMIT, "tol", NULL,
     "largest error of approximated curves (default: 0.1mm,0.01deg,0.01%); for an archive: limits such as 0.1mm@3cm, "
     "within which it becomes smaller"},
    {EMIT, "names", NULL, NULL},
    {EMIT, "pretty", NULL, NULL},
    {EMIT, "player", NULL, NULL},
    {EMIT, "only", NULL, NULL},
    {EMIT, "keep", NULL, NULL},
    {EMIT, "follow", NULL, NULL},
    {EMIT, "compact", NULL, NULL},
    {EMIT, "same-tracks", NULL, NULL},
    {EMIT, "bind-sheet", NULL, NULL},
    {EMIT, "godot", NULL, NULL},
    {EMIT, "meta", NULL, NULL},
    {EMIT, "wide", NULL, NULL},
    {EMIT, "angles", NULL, NULL},
    {EMIT, "bin", NULL, NULL},
    {OWN, "graph", NULL, NULL},
    {EMIT, "to-unit", NULL, NULL},
    {EMIT, "to-up", NULL, NULL},
    {PACK, "jobs", NULL,
     "convert this many files of a folder or a list at once, 1 to 256, or compress an archive with as many threads "
     "(default: one "
     "per processor)"},
    {PACK, "fast", NULL, NULL},
    {PACK, "best", NULL, NULL},
    {PACK, "override", NULL, NULL},
    {OWN, "dry-run", NULL, NULL},
    {SET, NULL, NULL, NULL},
    {PARSE, "godot-rules", NULL, NULL},
    {PARSE, "key-order", NULL, NULL},
    {PARSE, "slerp", NULL, NULL},
    {PARSE, "trust-size", NULL, NULL},
    {PARSE, "asset", NULL, NULL},
    {PARSE, "human", NULL, "unity, fbx: clips of humans in models: bones, muscles (default for .anim files)"},
    {PARSE, "states", NULL, NULL},
    {PARSE, "fps", NULL, NULL},
    {PARSE, "read-as", NULL, NULL},
    {PARSE, "asf", NULL, NULL},
    {PARSE, "model", NULL, NULL},
    {PARSE, "avatar", NULL, NULL},
    {PARSE, "add-offset", NULL, NULL},
    {PARSE, "joint-rest", NULL, NULL},
    {PARSE, "godot-paths", NULL, NULL},
    {EMIT, "double", NULL, NULL},
    {EMIT, "bindable", NULL, NULL},
    {EMIT, "raw-as", NULL, NULL},
    {EMIT, "encoding", NULL, NULL},
    {EMIT, "to-key-order", NULL, NULL},
    {EMIT, "tangent-order", NULL, NULL},
    {EMIT, "library", NULL, NULL},
    {EMIT, "digits", NULL, NULL},
    {EMIT, "bezier", NULL, NULL},
    {EMIT, "keep-names", NULL, NULL},
    {EMIT, "images", NULL, NULL},
    {EMIT, "pointer", NULL, NULL},
    {EMIT, "extras", NULL, NULL},
    {EMIT, "loop-name", NULL, NULL},
    {EMIT, "order", NULL, NULL},
    {EMIT, "packets", NULL, NULL},
};

/* These options go to other programs than the table says, or only in some cases. */
#define PASSED_APART "clip map bake merge append blend tol unit hips override"

static const struct step_kind *const programs_of[STAGE_COUNT] = {
    &program_unpack, &program_parse,    &program_filter, &program_retime, &program_axes,
    &program_rename, &program_retarget, &program_mirror, &program_pin,    &program_root,
    &program_delta,  &program_resample, &program_reduce, &program_emit,   &program_pack};

static struct cli_option rows[ANIM_COUNT(entries)]; /* made from `entries` */
static const struct cli_program program = {.name = "anim-convert",
					   .summary =
					       "converts animation files: one command for reading, editing and writing",
					   .usage = "[OPTION...] IN... OUT",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_HAS_STRICT,
					   .least_operands = 1,
					   .most_operands = -1};

static const struct cli_option *find_row(const struct cli_option *table, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (table[i].name != NULL && strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

/* Return the row of an option, from the table of its program or from the own table. */
static struct cli_option row_of(const struct entry *entry)
{
	const struct cli_program *from = entry->to == OWN ? NULL : programs_of[entry->to]->command_line;
	const struct cli_option *found =
	    from == NULL ? find_row(own, ANIM_COUNT(own), entry->name)
			 : find_row(from->options, from->option_count, entry->as != NULL ? entry->as : entry->name);
	struct cli_option row = *found;

	row.name = entry->name;
	row.letter = entry->as != NULL ? '\0' : row.letter;
	row.help = entry->help != NULL ? entry->help : row.help;
	row.offset = from == NULL ? row.offset : CLI_NOWHERE;
	return row;
}

static pthread_once_t rows_made = PTHREAD_ONCE_INIT;

static void make_rows(void)
{
	for (size_t i = 0; i < ANIM_COUNT(entries); i++)
		switch (entries[i].to) {
		case SECTION:
			rows[i] = (struct cli_option)CLI_SECTION_ROW(entries[i].name);
			break;
		case MORE:
			rows[i] = (struct cli_option)CLI_MORE_ROW;
			break;
		case SET:
			rows[i] = (struct cli_option)CLI_SET_ROW;
			break;
		default:
			rows[i] = row_of(&entries[i]);
		}
}

/* The options and operands of a program. */
struct arguments {
	struct cli_argument *items; /* with an empty one at the end */
	size_t count;
	bool is_used; /* the program is in the pipe */
};

struct file {
	const char *path;
	bool is_stream, is_gzip;
	const struct anim_format *format; /* NULL: unknown */
};

struct convert {
	struct cli *cli;
	const struct options *options;
	struct arguments stages[STAGE_COUNT];
	struct file *inputs;
	size_t input_count, stream_count;
	const char *out, *out_option;     /* "output": a file or standard output (-), "each": a pattern, "into" */
	const struct anim_format *format; /* the output format; NULL: a stream */
	const char *axes;                 /* the argument of anim-axes; NULL: none */
	struct anim_rests scene;          /* see scene_of */
	bool scene_sought, has_scene;
	const char *model; /* of MikuMikuDance, among the inputs, for the motions beside it, or NULL */
	bool own_model; /* --retarget or --rest names a model for the inputs, whose reader puts them on the skeleton */
	const enum stage *order;
	enum stage own_order[STAGE_COUNT]; /* of this run alone */
	struct cli_front fronts[STAGE_COUNT];
	struct step steps[STEPS_MAX];
	size_t step_count; /* number of steps that have begun */
};

/* ---- The options of the programs ---- */

/* Put the program into the pipe. */
static void use(struct convert *convert, enum stage stage)
{
	convert->stages[stage].is_used = true;
}

/* Append an option and its value (NULL for a flag), or an operand without a name. There is room for it. */
static void add(struct convert *convert, enum stage stage, const char *name, const char *value)
{
	struct arguments *to = &convert->stages[stage];

	to->is_used = true;
	to->items[to->count++] = (struct cli_argument){name, value};
}

static const char *value(const struct convert *convert, const char *name)
{
	return cli_value(convert->cli, name);
}

static bool has(const struct convert *convert, const char *name)
{
	return cli_was_given(convert->cli, name);
}

/* Append every occurrence of an option on the command line, unchanged or under the name that the program uses. */
static void pass_on(struct convert *convert, enum stage stage, const char *name, const char *as)
{
	for (size_t i = 0; i < convert->cli->given_count; i++) {
		const struct cli_given *given = &convert->cli->given[i];

		if (strcmp(given->row->name, name) == 0)
			add(convert, stage, as != NULL ? as : name, given->value);
	}
}

/* ---- Input and output files ---- */

/*
 * Return the format of a file by its content, or by its name if it cannot be read, or NULL if it is unknown. *gzip is
 * set if the file was read and is gzip.
 */
static const struct anim_format *format_of_file(const char *path, bool *gzip)
{
	struct anim_error error = {0};
	struct anim_input *input = NULL;
	const struct anim_format *format = anim_format_of_name(path);
	const uint8_t *at;
	ssize_t size;

	*gzip = false;
	if ((anim_named_find(path, false) == NULL && !anim_is_file(path)) ||
	    anim_input_open(&input, path, NULL, &error) != 0)
		return format;
	size = anim_input_peek(input, ANIM_LOAD_LOOK_AT, &at, &error);
	if (size > 0)
		format = anim_format_guess(at, (size_t)size, path);
	*gzip = anim_input_was_gzip(input);
	anim_input_close(input);
	return format;
}

static bool has_suffix(const char *path, const char *suffix)
{
	return anim_path_has_suffix(path, &suffix, 1);
}

static bool has_stream_name(const char *path)
{
	static const char *const suffixes[] = {".axs", ".axs.gz"};

	return anim_path_has_suffix(path, suffixes, ANIM_COUNT(suffixes));
}

static void find_input_formats(struct convert *convert)
{
	const struct cli *cli = convert->cli;

	convert->inputs = anim_arena_zeroed(&convert->cli->arena, convert->input_count, sizeof *convert->inputs, NULL);
	if (convert->inputs == NULL)
		cli_no_memory(convert->cli);
	for (size_t i = 0; i < convert->input_count; i++) {
		bool gzip;
		const struct anim_format *format = format_of_file(cli->operands[i], &gzip);
		bool is_stream =
		    format == NULL ? has_stream_name(cli->operands[i]) : format->sort == ANIM_FORMAT_STREAM;

		if (!is_stream && has(convert, "read"))
			format = anim_format_find(value(convert, "read"), false);
		convert->inputs[i] = (struct file){cli->operands[i], is_stream, gzip, format};
		convert->stream_count += is_stream;
	}
}

static bool is_same_file(const char *one, const char *other)
{
	struct anim_stat a, b;

	return anim_sys_stat(one, &a) == 0 && anim_sys_stat(other, &b) == 0 && anim_is_same_file(&a, &b);
}

/* Return the format of the file if clips can be put into it, otherwise NULL. */
static const struct anim_format *can_be_put_into(const char *file)
{
	const struct anim_format *format = anim_format_to_write(file);

	return format == NULL || format->into == NULL ? NULL : format;
}

/*
 * Return the command line as typed without OUT, the operand or the value of -o (NULL: keep it), but with this option.
 */
static const char *typed(struct cli *cli, const char *out, const char *option, const char *value)
{
	const char *rest = cli_command_line(cli, out, NULL) + strlen(cli->program->name);

	return cli_printf(cli, "anim convert %s %s%s", option, cli_quoted(cli, value), rest);
}

/*
 * A user who forgets OUT would have the last input file replaced. Therefore an existing file with the suffix of an
 * input must be named with -o.
 */
static void check_there(struct convert *convert)
{
	const char *out = convert->out, *last = convert->cli->operands[convert->input_count - 1];
	const char *dot = strrchr(out, '.'), *other = strrchr(last, '.');
	bool is_written = convert->options->format >= 0 || anim_format_to_write(out) != NULL;

	if (dot == NULL || other == NULL || strcasecmp(dot, other) != 0 || !anim_is_file(out))
		return;
	for (size_t i = 0; i < convert->input_count; i++)
		if (is_same_file(out, convert->cli->operands[i]))
			cli_refuse(convert->cli, "'%s' is also an input; name another file%s", out,
				   is_written ? ", or use --force to replace it" : "");
	cli_refuse(convert->cli, "'%s' exists and has the suffix of the input, so it may be one; name another file%s%s",
		   out, can_be_put_into(out) == NULL ? "" : ", put the clips into it with --into",
		   is_written ? ", or use --force to replace it" : "");
}

/* Return the one file that will be written. */
static const char *written(const struct convert *convert)
{
	const char *output = convert->options->common.output;

	return output != NULL ? output : convert->out;
}

/* An existing file stays with --no-clobber, and nothing else is to be done. With --backup it may be replaced. */
static void keep_existing(struct convert *convert)
{
	const struct options *options = convert->options;
	const char *outputs[] = {written(convert), value(convert, "bind-sheet")};
	struct anim_error error = {0};

	if ((options->no_clobber || options->backup) && strcmp(convert->out_option, "each") == 0)
		cli_usage(convert->cli, "--%s is for a single output, not for --each",
			  options->backup ? "backup" : "no-clobber");
	if (options->backup)
		convert->cli->options->force = true;
	for (size_t i = 0; options->no_clobber && i < ANIM_COUNT(outputs); i++) {
		if (outputs[i] == NULL || !anim_sys_may(outputs[i], ANIM_EXISTS))
			continue;
		(void)anim_diagnostics_note(&convert->cli->diagnostics, NULL, &error, "%s exists, so it is kept",
					    outputs[i]);
		cli_leave(convert->cli, cli_finish(convert->cli, NULL));
	}
}

/* Take the last operand as OUT if no option names the output. */
static void choose_out(struct convert *convert)
{
	struct cli *cli = convert->cli;
	const char *output = convert->options->common.output, *each = value(convert, "each"),
		   *into = value(convert, "into");
	static const char *const limits[] = {"reduce", "trim"};
	bool is_operand = output == NULL && each == NULL && into == NULL;
	const struct anim_format *format;

	if (each != NULL && (output != NULL || into != NULL))
		cli_usage(cli, "--each cannot be combined with -o or --into");
	convert->input_count = (size_t)cli->operand_count;
	convert->out = each != NULL ? each : into != NULL ? into : output;
	convert->out_option = each != NULL ? "each" : into != NULL ? "into" : "output";
	if (into != NULL && cli->operand_count > 1 && !anim_sys_may(cli->operands[cli->operand_count - 1], ANIM_EXISTS))
		cli_usage(cli, "'%s' does not exist; with --into '%s', all operands are inputs; -o writes another file",
			  cli->operands[cli->operand_count - 1], into);
	for (size_t i = 0; i < ANIM_COUNT(limits) && is_operand && cli->operand_count < 2; i++)
		if (has(convert, limits[i]) && anim_sys_may(value(convert, limits[i]), ANIM_EXISTS))
			cli_usage(cli, "--%s: '%s' is a file, and not a limit such as 1mm@10cm", limits[i],
				  value(convert, limits[i]));
	if (is_operand && cli->operand_count < 2 && has(convert, "retarget"))
		cli_usage(cli, "OUT is missing: '%s' is the model of --retarget, and '%s' the only other file",
			  value(convert, "retarget"), cli->operands[0]);
	if (is_operand && cli->operand_count < 2)
		cli_usage(
		    cli,
		    "OUT is missing; its suffix chooses the format, such as .glb, .vrma, .tres, .anim or .fbx; try: "
		    "anim convert%s 'out/%%c.animj'",
		    cli_command_line(cli, NULL, NULL) + strlen(cli->program->name));
	if (is_operand)
		convert->out = cli->operands[--convert->input_count];
	if (into == NULL && cli_file_pattern_is(convert->out))
		convert->out_option = "each";
	keep_existing(convert);
	if (strcmp(convert->out_option, "output") != 0 || convert->options->common.force)
		return;
	/*
	 * The clips of a file that is both input and output are changed with --into, because everything else in it would be
	 * lost. For a format of a single clip, -o says that replacing is intended.
	 */
	format = can_be_put_into(convert->out);
	for (size_t i = 0; i < convert->input_count && format != NULL; i++)
		if ((is_operand || format->holds_many) && is_same_file(convert->out, cli->operands[i]))
			cli_refuse(cli, "'%s' is also an input; to change its clips and keep the rest, try: %s",
				   convert->out, typed(cli, convert->out, "--into", convert->out));
	if (is_operand)
		check_there(convert);
}

static bool writes_to(const struct convert *convert, const char *option)
{
	return strcmp(convert->out_option, option) == 0;
}

/* Set the output format by -f or the name of OUT. The default is a stream. */
static void choose_format(struct convert *convert)
{
	struct cli *cli = convert->cli;
	const char *out = convert->out, *dot = strrchr(out, '.'), *const *names = cli_formats_written, *suffix;
	const char *suffixes[ANIM_COUNT(entries)];
	const struct anim_format *format = NULL;
	char list[128] = "";
	size_t count = 0;

	convert->format = anim_format_to_write(out);
	if (convert->format != NULL && convert->format->sort == ANIM_FORMAT_STREAM && writes_to(convert, "output"))
		convert->format = NULL;
	if (convert->options->format >= 0)
		convert->format = anim_format_find(names[convert->options->format], true);
	else if (convert->format == NULL && writes_to(convert, "into"))
		convert->format = anim_format_of_name(out);
	suffix = convert->format == NULL ? "animj" : convert->format->suffix;
	if (writes_to(convert, "output") && (anim_is_folder(out) || anim_text_ends(out, "/")))
		cli_usage(cli, "'%s' is a folder; try: %s", out,
			  typed(cli, out, "--each",
				cli_printf(cli, "%s%s%%c.%s", out, anim_text_ends(out, "/") ? "" : "/", suffix)));
	if (convert->format != NULL || (writes_to(convert, "output") && has_stream_name(out)))
		return;
	if (strcmp(out, "-") == 0)
		cli_usage(cli, "standard output has no suffix to choose a format by; try: %s",
			  typed(cli, NULL, "-f", "tres"));
	cli_list_words(names, list, sizeof list);
	cli_check_written(cli, "", out);
	while ((format = anim_format_next(format, true)) != NULL)
		if (format->suffix != NULL && count + 1 < ANIM_COUNT(suffixes))
			suffixes[count++] = format->suffix;
	suffixes[count] = NULL;
	suffix = dot == NULL || strlen(dot + 1) > CLI_WORD_MAX ? NULL : cli_nearest(dot + 1, suffixes);
	if (suffix != NULL)
		cli_usage(cli, "the suffix of '%s' is not one of a format; did you mean .%s?", out, suffix);
	cli_usage(cli, "the suffix of '%s' is not one of a format; choose one with -f: %s", out, list);
}

/* ---- The filters between both ends ---- */

/* Return the axes of the clips in the file, or NULL if they depend on its content. */
static const char *axes_of(const struct file *file)
{
	return file->format == NULL ? NULL : file->format->axes;
}

/* Return true if an input is in axes that anim-axes has to convert to the target, or in axes not yet known. */
static bool axes_differ(const struct convert *convert, const char *target)
{
	enum anim_axes from, to;
	enum anim_axes2d flat;

	for (size_t i = 0; i < convert->input_count; i++) {
		const char *axes = axes_of(&convert->inputs[i]);

		if (axes == NULL || anim_axes_find(axes, &from, &flat) != 0 ||
		    anim_axes_find(target, &to, &flat) != 0 || anim_axes_differ(from, to))
			return true;
	}
	return false;
}

static bool is_godot(const char *axes)
{
	return axes != NULL && strcmp(axes, "godot") == 0;
}

/*
 * Return the rest poses of the Godot scene of --into or --rest if clips of other engines are written for Godot,
 * otherwise NULL. It is read once. A scene that cannot be read is empty here, and its reader reports the error later.
 */
static struct anim_rests *scene_of(struct convert *convert, const char **path)
{
	const struct anim_format *format;
	struct anim_error error = {0};
	bool gzip, is_foreign = false;

	*path = value(convert, has(convert, "into") ? "into" : "rest");
	for (size_t i = 0; i < convert->input_count; i++)
		is_foreign =
		    is_foreign || (axes_of(&convert->inputs[i]) != NULL && !is_godot(axes_of(&convert->inputs[i])));
	if (!convert->scene_sought && *path != NULL && convert->format != NULL && is_godot(convert->format->axes) &&
	    is_foreign) {
		format = format_of_file(*path, &gzip);
		convert->has_scene = format != NULL && is_godot(format->axes);
		if (convert->has_scene && source_read_rests(convert->cli, *path, &convert->scene, &error) != 0)
			anim_rests_clear(&convert->scene);
	}
	convert->scene_sought = true;
	return convert->has_scene ? &convert->scene : NULL;
}

/*
 * Return whether clips of other engines go to the nodes of a two-dimensional Godot scene. The other engines do not
 * record whether nodes are two-dimensional.
 */
static bool goes_to_flat_scene(struct convert *convert)
{
	const char *path;
	struct anim_rests *scene = scene_of(convert, &path);
	const struct anim_rest *root = scene == NULL ? NULL : anim_rests_find(scene, ".", ".");
	struct anim_error error = {0};
	bool flat = root != NULL && (root->has & ANIM_HAS_2D);

	if (flat && anim_diagnostics_note(&convert->cli->diagnostics, NULL, &error,
					  "%s is two-dimensional: one unit is %g of its pixels (--ppu)", path,
					  ANIM_AXES_PPU) != 0)
		cli_leave(convert->cli, cli_finish(convert->cli, &error));
	return flat;
}

/*
 * Return whether the scene of --into or --rest, whose path is set, has cameras or lights. A scene that cannot be read
 * has none here, and its reader reports the error later.
 */
static bool has_cameras(struct convert *convert, const char **path)
{
	struct anim_rests other = {0}, *rests = scene_of(convert, path);
	struct anim_error error = {0};
	bool has_some = false;

	if (rests == NULL) {
		rests = &other;
		*path = value(convert, "rest");
		if (*path != NULL && source_read_rests(convert->cli, *path, &other, &error) != 0)
			other.count = 0;
	}
	for (size_t i = 0; i < rests->count; i++)
		has_some |= rests->items[i].kind == ANIM_NODE_CAMERA || rests->items[i].kind == ANIM_NODE_LIGHT;
	anim_rests_clear(&other);
	return has_some;
}

static void choose_axes(struct convert *convert)
{
	const char *axes = value(convert, "axes"), *target = convert->format == NULL ? NULL : convert->format->axes;
	const char *path;
	bool flat, lacks_flat = false; /* clips of some input do not say which two-dimensional axes they have */

	if (axes != NULL && strcasecmp(axes, "keep") == 0) {
		if (convert->format != NULL)
			add(convert, EMIT, "axes", "keep");
		return;
	}
	for (size_t i = 0; i < convert->input_count && has(convert, "ppu") && !has(convert, "from"); i++)
		if (axes_of(&convert->inputs[i]) != NULL && !is_godot(axes_of(&convert->inputs[i])) &&
		    strcmp(axes_of(&convert->inputs[i]), "unity") != 0 && !is_godot(target))
			cli_usage(convert->cli, "--ppu is for two-dimensional clips, and %s has none",
				  convert->inputs[i].path);
	if (target != NULL &&
	    (has(convert, "ppu") || (axes == NULL && is_godot(target) && goes_to_flat_scene(convert))))
		target = is_godot(target) ? "godot2d" : "unity2d";
	if (axes != NULL)
		target = axes;
	/* Unity's clips say which two-dimensional axes they have. Others of +Y up and without pixels have the same. */
	for (size_t i = 0; i < convert->input_count; i++) {
		const char *from = axes_of(&convert->inputs[i]);

		lacks_flat = lacks_flat || from == NULL || (!is_godot(from) && strcmp(from, "unity") != 0);
	}
	if (target != NULL && strcasecmp(target, "godot2d") == 0 && !has(convert, "from") && lacks_flat)
		add(convert, AXES, "from", "unity2d");
	flat = target != NULL && has_suffix(target, "2d");
	if (convert->stages[AXES].is_used || axes != NULL || flat || (target != NULL && axes_differ(convert, target))) {
		use(convert, AXES);
		convert->axes = target;
		if (!flat && has_cameras(convert, &path))
			add(convert, AXES, "rest", path);
	}
	if (axes != NULL && convert->format != NULL && convert->format->axes != NULL)
		add(convert, EMIT, "axes", "keep");
	if (flat)
		convert->order = order_2d;
	else if (has(convert, "world"))
		convert->order = order_world;
}

/*
 * Return the only skeleton of a Godot scene, or NULL if it does not have exactly one or the file cannot be read. The
 * program that reads the file reports the error.
 */
static const char *find_skeleton(struct convert *convert, const char *file, const struct anim_rests *rests)
{
	const char *found = NULL, *other = NULL;

	for (size_t i = 0; i < rests->count && other == NULL; i++) {
		/* "Armature/Skeleton3D:Hips" is a bone of "Armature/Skeleton3D" */
		const char *node = rests->items[i].path, *colon = strchr(node, ':'), *path;

		if (colon == NULL)
			continue;
		path = anim_arena_text(&convert->cli->arena, node, (size_t)(colon - node), NULL);
		if (path == NULL)
			cli_no_memory(convert->cli);
		if (found != NULL && strcmp(path, found) != 0)
			other = path;
		else
			found = path;
	}
	if (other != NULL)
		cli_usage(convert->cli,
			  "%s has more than one skeleton: %s, %s; say whose bones: --skeleton %s, or none", file, found,
			  other, found);
	return found;
}

/* Return whether the reader of a format (NULL: unknown) has the option. */
static bool has_option(const struct anim_format *format, const char *name)
{
	return format != NULL && format->read_options != NULL && anim_text_is_word(format->read_options, name);
}

/* Return true for an input that Godot imports as a scene. A .vrma is only motion. */
static bool is_model(const struct file *input)
{
	return !input->is_stream && !has_suffix(input->path, ".vrma") && has_option(input->format, "godot-paths");
}

/* Return true if the scene that Godot imports from each input has this skeleton. */
static bool all_have(struct convert *convert, const char *skeleton)
{
	bool found = true;

	for (size_t i = 0; i < convert->input_count && found; i++) {
		struct anim_rests rests = {0};
		struct anim_error error = {0};
		size_t length = strlen(skeleton);

		found = false;
		if (!is_model(&convert->inputs[i]) ||
		    source_read_imported(convert->cli, convert->inputs[i].path, &rests, &error) != 0)
			rests.count = 0;
		for (size_t k = 0; k < rests.count && !found; k++)
			found =
			    strncmp(rests.items[k].path, skeleton, length) == 0 && rests.items[k].path[length] == ':';
		anim_rests_clear(&rests);
	}
	return found;
}

/*
 * Return true if the scene has the nodes of the model as Godot imports them, somewhere: a bone of the model, or its
 * first node if it has no bones.
 */
static bool has_model(struct convert *convert, const struct anim_rests *scene, const char *model)
{
	struct anim_rests rests = {0};
	struct anim_error error = {0};
	const char *probe = NULL;
	bool found = false;

	if (source_read_imported(convert->cli, model, &rests, &error) != 0)
		rests.count = 0;
	for (size_t i = 0; i < rests.count && (probe == NULL || strchr(probe, ':') == NULL); i++)
		if (strcmp(rests.items[i].path, ".") != 0 &&
		    (probe == NULL || strchr(rests.items[i].path, ':') != NULL))
			probe = rests.items[i].path;
	for (size_t i = 0; i < scene->count && probe != NULL && !found; i++) {
		const char *path = scene->items[i].path;
		size_t length = strlen(path), size = strlen(probe);

		found = length >= size && strcmp(path + length - size, probe) == 0 &&
			(length == size || path[length - size - 1] == '/');
	}
	anim_rests_clear(&rests);
	return found;
}

/*
 * Choose the paths of nodes from other programs in Godot: bones of the named skeleton, the paths in the scene that
 * Godot imports from a model, also if it has the named skeleton, or bones of the only skeleton of the Godot scene on the other side.
 */
static void choose_skeleton(struct convert *convert)
{
	const char *skeleton = value(convert, "skeleton"), *model = NULL, *path;
	const struct anim_rests *scene;
	bool imports;

	for (size_t i = 0; i < convert->input_count && model == NULL; i++)
		if (is_model(&convert->inputs[i]))
			model = convert->inputs[i].path;
	imports = !has(convert, "muscles") && model != NULL && !has(convert, "godot-paths") &&
		  convert->format != NULL && is_godot(convert->format->axes);

	/* --retarget has already put the tracks on the bones of its skeleton. */
	if (has(convert, "retarget")) {
		imports = false;
	} else if (skeleton != NULL) {
		imports = imports && all_have(convert, skeleton);
		skeleton = imports ? NULL : skeleton;
	} else if ((scene = scene_of(convert, &path)) != NULL) {
		/* A library has no nodes, and plays in the imported model. */
		imports = imports && (scene->count == 0 || has_model(convert, scene, model));
		if (!imports)
			skeleton = find_skeleton(convert, path, scene);
	}
	if (imports)
		add(convert, PARSE, "godot-paths", NULL);
	if (skeleton == NULL || strcasecmp(skeleton, "none") == 0)
		return;
	add(convert, RENAME, "bones", skeleton);
}

static bool is_baked(const struct convert *convert)
{
	return has(convert, "bake") || has(convert, "loops") || has(convert, "drop-constant") || has(convert, "world");
}

/*
 * Reduction removes the keys of the curves themselves. It works on samples, which may be more numerous, only if
 * another option also requests sampling.
 */
static bool keeps_curves(const struct convert *convert)
{
	return has(convert, "reduce") && !is_baked(convert) && !has(convert, "end") && !has(convert, "all");
}

/* Return whether --rest names a pose of a clip, which only anim-retarget and anim-mirror read. */
static bool has_timed_rest(const struct convert *convert)
{
	double time_s;

	return has(convert, "rest") && source_find_time(value(convert, "rest"), &time_s) > 0;
}

/* Return the program that reads the pose of a clip, which --rest names. */
static enum stage reads_timed_rest(const struct convert *convert)
{
	return has(convert, "retarget") || has(convert, "muscles") ? RETARGET : MIRROR;
}

/* Return whether all inputs are motions of MikuMikuDance, which are for any model. */
static bool are_motions(const struct convert *convert)
{
	for (size_t i = 0; i < convert->input_count; i++)
		if (!has_option(convert->inputs[i].format, "model"))
			return false;
	return true;
}

/* Return whether anim-retarget puts the clips on the skeleton of --retarget. */
static bool retargets(const struct convert *convert)
{
	return has(convert, "retarget") && !convert->own_model;
}

/* Return whether the reader of at least one input has the option. */
static bool is_read_with(const struct convert *convert, const char *name)
{
	for (size_t i = 0; i < convert->input_count; i++)
		if (has_option(convert->inputs[i].format, name))
			return true;
	return false;
}

/* Return whether --rest is for the reader of a take, whose rotations need the rest poses of an avatar. */
static bool is_own_rest(const struct convert *convert)
{
	return has(convert, "rest") && !has_timed_rest(convert) && is_read_with(convert, "avatar");
}

/*
 * If one of the inputs is a model, or --retarget or --rest names one, and all other inputs are motions, their reader puts them on
 * the model. The reader of a take also gets the avatar of --rest.
 */
static void choose_model(struct convert *convert)
{
	size_t model = convert->input_count;
	bool fits = convert->input_count > 1 && !has(convert, "model"), gzip;

	for (size_t i = 0; i < convert->input_count && fits; i++) {
		const struct anim_format *format = convert->inputs[i].format;

		if (format != NULL && format->is_model && model == convert->input_count)
			model = i;
		else
			fits = has_option(format, "model");
	}
	if (fits && model < convert->input_count) {
		convert->model = convert->inputs[model].path;
		convert->input_count--;
		memmove(convert->inputs + model, convert->inputs + model + 1,
			(convert->input_count - model) * sizeof *convert->inputs);
	} else if ((has(convert, "retarget") || has(convert, "rest")) && are_motions(convert) &&
		   !has(convert, "model")) {
		const char *path = value(convert, has(convert, "retarget") ? "retarget" : "rest");
		const struct anim_format *format = format_of_file(path, &gzip);

		convert->own_model = format != NULL && format->is_model;
		if (convert->own_model)
			convert->model = path;
	}
	if (convert->model != NULL)
		add(convert, PARSE, "model", convert->model);
	if (is_own_rest(convert))
		add(convert, PARSE, "avatar", value(convert, "rest"));
}

/* Return whether an option is not passed to a program by the table alone. */
static bool is_passed_apart(const struct convert *convert, const struct entry *entry)
{
	return anim_text_is_word(PASSED_APART, entry->name) ||
	       (strcmp(entry->name, "retarget") == 0 && convert->own_model) ||
	       (strcmp(entry->name, "rest") == 0 && (has_timed_rest(convert) || is_own_rest(convert) ||
						     (convert->own_model && !has(convert, "retarget")))) ||
	       /* it is also an option of sampling */
	       (strcmp(entry->name, "trust-size") == 0 && (has(convert, "rate") || has(convert, "bake")) &&
		!is_read_with(convert, entry->name));
}

/* Options of a program that is not in the pipe would otherwise be ignored silently. */
static void check_passed(const struct convert *convert, int stage, const char *why)
{
	for (size_t i = 0; i < ANIM_COUNT(entries); i++)
		if (entries[i].to == stage && !is_passed_apart(convert, &entries[i]) && has(convert, entries[i].name))
			cli_usage(convert->cli, "%s is for %s", cli_spelled(convert->cli, entries[i].name), why);
}

static bool writes_archive(const struct convert *convert)
{
	return convert->format == NULL && has_suffix(convert->out, ".gz");
}

/* Return true if clips are joined: they are chosen before, and -c may give their order. */
static bool joins(const struct convert *convert)
{
	return has(convert, "merge") || has(convert, "append");
}

/* Return how often -t was given, with a text in its value. */
static size_t count_times(const struct convert *convert, const char *text)
{
	size_t count = 0;

	for (size_t i = 0; i < convert->cli->given_count; i++)
		count += strcmp(convert->cli->given[i].row->name, "time") == 0 &&
			 strstr(convert->cli->given[i].value, text) != NULL;
	return count;
}

static void pass_all(struct convert *convert)
{
	/*
	 * If a part of one archive is requested, anim-unpack reads only this part, but leaves its times unchanged, so
	 * anim-retime also has to cut.
	 */
	bool unpack =
	    convert->input_count == 1 && convert->inputs[0].is_stream && convert->inputs[0].is_gzip &&
	    !joins(convert) &&
	    (has(convert, "clip") || has(convert, "node") || has(convert, "property") || has(convert, "time"));
	bool unpacks_time = count_times(convert, "") == 1;

	pass_on(convert, PARSE, "merge", NULL);
	pass_on(convert, PARSE, "append", NULL);
	pass_on(convert, PARSE, "blend", NULL);
	pass_on(convert, unpack ? UNPACK : convert->stream_count == 0 || joins(convert) ? PARSE : FILTER, "clip", NULL);
	for (size_t i = 0; i < ANIM_COUNT(entries); i++) {
		const struct entry *entry = &entries[i];

		if (entry->to >= OWN || !has(convert, entry->name) || is_passed_apart(convert, entry) ||
		    (keeps_curves(convert) && strcmp(entry->name, "rate") == 0))
			continue;
		if (unpack && (strcmp(entry->name, "time") == 0
				   ? unpacks_time
				   : !has(convert, "world") && anim_text_is_word("node property", entry->name)))
			pass_on(convert, UNPACK, entry->name, NULL);
		if (!unpack || has(convert, "world") || !anim_text_is_word("node property", entry->name))
			pass_on(convert, (enum stage)entry->to, entry->name, entry->as);
	}
	/* -t 10f..20f of a clip that has no rate means frames of -r. */
	if (count_times(convert, "f") > 0 && has(convert, "rate") && strcmp(value(convert, "rate"), "source") != 0)
		pass_on(convert, RETIME, "rate", "rate");
	pass_on(convert, writes_archive(convert) ? PACK : EMIT, "tol", NULL);
	pass_on(convert, has(convert, "reduce") ? REDUCE : PACK, "override", NULL);
	if (convert->options->format >= 0)
		pass_on(convert, EMIT, "format", NULL);
}

/*
 * Feet are pinned, and keys are reduced, on the skeleton of the output. A motion that becomes a motion keeps its keys if no
 * model is needed for a step between.
 */
static void choose_dance(struct convert *convert)
{
	static const enum stage posing[] = {RETARGET, ROOT, PIN, SAMPLE, REDUCE};
	bool poses = has(convert, "model") || convert->model != NULL;

	if (convert->format == NULL || convert->format->skeleton == NULL || has(convert, "muscles"))
		return;
	if ((has(convert, "reduce") || has(convert, "pin")) && !has(convert, "retarget"))
		add(convert, RETARGET, "to", convert->format->skeleton);
	for (size_t i = 0; i < ANIM_COUNT(posing); i++)
		poses = poses || convert->stages[posing[i]].is_used;
	if (!poses && !is_baked(convert) && are_motions(convert) && !has(convert, "no-external"))
		add(convert, PARSE, "no-external", NULL);
}

/*
 * The proof of a reduction holds for the player of the output, and the output file should be small, so data that only replaced
 * clips used is removed.
 */
static void choose_player(struct convert *convert)
{
	struct anim_limits limits = {.count = 0};
	struct anim_error ignored = {0};

	if (!has(convert, "reduce"))
		return;
	/* "50%" is meant as half the keys or half the size, and would leave the default limits of joints. */
	if (anim_limits_parse(&limits, value(convert, "reduce"), &ignored) == 0 && limits.count == 1 &&
	    limits.items[0].property[0] == '\0' && limits.items[0].unit == ANIM_UNIT_PLAIN)
		cli_usage(convert->cli,
			  "--reduce '%s': percent is for scales, colours and other numbers; limit the error of joints, "
			  "too: 1mm@10cm,%s",
			  value(convert, "reduce"), value(convert, "reduce"));
	add(convert, REDUCE, "smaller", NULL);
	if (convert->format == NULL)
		return;
	add(convert, REDUCE, "for", convert->format->name);
	if (has(convert, "into") && anim_text_is_word(convert->format->options, "compact") && !has(convert, "compact"))
		add(convert, EMIT, "compact", NULL);
}

/*
 * In Unity, a clip of a human in a model is one of muscles. It stays a clip of bones if the user asks for a program that needs
 * bones.
 */
static void choose_human(struct convert *convert)
{
	static const char *const needs_bones[] = {"human",    "retarget", "muscles",  "root-motion", "pin",
						  "contacts", "humanoid", "skeleton", "read",        "world"};
	bool has_models = false; /* an input of Unity can lead to clips in models, or is a model with import settings */

	for (size_t i = 0; i < ANIM_COUNT(needs_bones); i++)
		if (has(convert, needs_bones[i]))
			return;
	if (convert->format == NULL || convert->format->lint == NULL || strcmp(convert->format->lint, "unity") != 0)
		return;
	for (size_t i = 0; i < convert->input_count && !has_models; i++) {
		const struct file *input = &convert->inputs[i];

		has_models = has_option(input->format, "human") &&
			     (is_model(input) ? anim_is_file(cli_printf(convert->cli, "%s.meta", input->path))
					      : !has_suffix(input->path, ".anim"));
	}
	if (!has_models)
		return;
	add(convert, PARSE, "human", "muscles");
}

#define SCALE_MODEL \
	"scale the model in another program, such as Blender, and put the clips on it with --retarget SCALED_MODEL"

/* Check options that need a certain input or output, or another option, or exclude it, or have no effect. */
static void check_options(const struct convert *convert)
{
	static const char *const sizes[] = {"scale", "height"};
	static const char *const needs[][2] = {{"partial", "retarget"}, {"keep-scale", "retarget"}, {"pairs", "mirror"},
					       {"foot-height", "pin"},  {"foot-speed", "pin"},      {"keys", "reduce"}};
	struct anim_error error = {0};
	bool archive = writes_archive(convert), uses_rate;

	if (convert->stream_count == convert->input_count)
		check_passed(convert, PARSE, "files, but the input is a stream");
	if (convert->format == NULL)
		check_passed(convert, EMIT, "files, but the output is a stream");
	if (convert->format == NULL && !archive && has(convert, "tol"))
		cli_usage(convert->cli, "--tol is for files and archives, but the output is a stream");
	if (!archive && has(convert, "jobs"))
		cli_usage(convert->cli, "%s is for folders, lists and archives, which are called .axs.gz%s",
			  cli_spelled(convert->cli, "jobs"),
			  convert->input_count < 2 ? "" : "; list several files with --list");
	if (!archive)
		check_passed(convert, PACK, "archives, which are called .axs.gz");
	if (has(convert, "override") && !archive && !has(convert, "reduce"))
		cli_usage(convert->cli, "--override requires --reduce, or an archive, which is called .axs.gz");
	if (keeps_curves(convert) && has(convert, "rate") &&
	    anim_diagnostics_note(
		&convert->cli->diagnostics, NULL, &error,
		"--reduce works on the curves themselves, so -r %s has no effect; add --bake to sample "
		"them first",
		value(convert, "rate")) != 0)
		cli_leave(convert->cli, cli_finish(convert->cli, &error));
	if (has(convert, "reduce") && convert->format != NULL && strcmp(convert->format->name, "bvh") == 0 &&
	    anim_diagnostics_note(&convert->cli->diagnostics, NULL, &error,
				  "--reduce has no effect on the size, because BVH holds every frame") != 0)
		cli_leave(convert->cli, cli_finish(convert->cli, &error));
	if (has(convert, "shift") && !has(convert, "dry-run") &&
	    retime_warn_shift(convert->cli, convert->format, &error) != 0)
		cli_leave(convert->cli, cli_finish(convert->cli, &error));

	/* The rate of the source may change the output by its times in frames, by samples without times, or itself. */
	uses_rate = has(convert, "rate") || convert->format == NULL || !convert->format->starts_at_0 ||
		    strcmp(convert->format->name, "bvh") == 0 || count_times(convert, "f") > 0;
	for (size_t i = 0; i < convert->input_count; i++)
		uses_rate = uses_rate || convert->inputs[i].is_stream || axes_of(&convert->inputs[i]) == NULL;
	if (has(convert, "source-rate") && !uses_rate &&
	    anim_diagnostics_note(&convert->cli->diagnostics, NULL, &error,
				  "--source-rate has no effect, because .%s keeps no frame rate of clips",
				  convert->format->suffix) != 0)
		cli_leave(convert->cli, cli_finish(convert->cli, &error));

	for (size_t i = 0; i < ANIM_COUNT(needs); i++)
		if (has(convert, needs[i][0]) && !has(convert, needs[i][1]) &&
		    !(strcmp(needs[i][1], "pin") == 0 && has(convert, "contacts")))
			cli_usage(convert->cli, "--%s requires --%s", needs[i][0], needs[i][1]);
	for (size_t i = 0; i < ANIM_COUNT(sizes) && writes_to(convert, "into"); i++)
		if (has(convert, sizes[i]) && convert->format != NULL &&
		    anim_text_is_word("tscn glb gltf vrma", convert->format->name))
			cli_usage(convert->cli,
				  "--%s and --into cannot be combined: the mesh and nodes of %s keep their "
				  "size; " SCALE_MODEL,
				  sizes[i], convert->out);
	if (has(convert, "retarget") && has(convert, "muscles"))
		cli_usage(convert->cli, "--retarget and --muscles cannot be combined: muscles move every humanoid, so "
					"leave out --retarget");
	if (has(convert, "muscles") && convert->format != NULL && convert->format->caps != NULL &&
	    (convert->format->lint == NULL || strcmp(convert->format->lint, "unity") != 0))
		cli_usage(convert->cli, "--muscles is for Unity's .anim files, because no other player moves muscles");
	if (has_timed_rest(convert) && reads_timed_rest(convert) == MIRROR && !has(convert, "mirror"))
		cli_usage(convert->cli, "--rest FILE@SECONDS requires --retarget, --muscles or --mirror");
	if (has(convert, "character") && !has(convert, "retarget") && !has(convert, "muscles"))
		cli_usage(convert->cli, "--character requires --retarget or --muscles");
	if (has(convert, "root-motion") && has(convert, "muscles"))
		cli_usage(convert->cli, "--root-motion and --muscles cannot be combined: Unity takes the motion of the "
					"object from the muscle clip, by the settings of the clip");
}

/* How the length unit of files is known, in bits. */
enum { UNIT_OF_FORMAT = 1, UNIT_MISSING = 2 };

static unsigned unit_of(const struct anim_format *format)
{
	return !source_has_unit(format)                          ? 0
	       : format->is_model || has_option(format, "model") ? UNIT_OF_FORMAT
								 : UNIT_MISSING;
}

/*
 * Pass the length unit to the programs that read files of formats with a unit. Formats that define a unit get it only if there
 * are no others. If no file can take it, the first program reports that.
 */
static void pass_unit(struct convert *convert)
{
	const char *files[2] = {value(convert, "retarget"),
				has(convert, "muscles") || has_timed_rest(convert) ? value(convert, "rest") : NULL};
	unsigned aside = 0, inside = 0,
		 all; /* of the files that anim-retarget or anim-mirror reads, and of the inputs */
	struct anim_error error = {0};
	double time_s;
	bool gzip;

	for (size_t i = 0; i < 2 && has(convert, "unit"); i++) {
		size_t length = files[i] == NULL ? 0 : source_find_time(files[i], &time_s);

		if (length > 0)
			files[i] = anim_arena_text(&convert->cli->arena, files[i], length, NULL);
		aside |= files[i] == NULL ? 0 : unit_of(format_of_file(files[i], &gzip));
	}
	for (size_t i = 0; i < convert->input_count; i++)
		if (!convert->inputs[i].is_stream)
			inside |= convert->inputs[i].format == NULL ? (unsigned)UNIT_MISSING
								    : unit_of(convert->inputs[i].format);
	if (aside == 0 && has(convert, "unit") && convert->stream_count == convert->input_count)
		cli_usage(convert->cli, "--unit is for files, but the input is a stream");
	all = aside | inside;
	if (all == (UNIT_MISSING | UNIT_OF_FORMAT) && has(convert, "unit") &&
	    anim_diagnostics_note(&convert->cli->diagnostics, NULL, &error,
				  "--unit is for the files without a length unit, not for files of MikuMikuDance") != 0)
		cli_leave(convert->cli, cli_finish(convert->cli, &error));
	if (aside == 0 || (inside & UNIT_MISSING) || (inside != 0 && !(all & UNIT_MISSING)))
		pass_on(convert, PARSE, "unit", NULL);
	if ((aside & UNIT_MISSING) || (aside != 0 && !(all & UNIT_MISSING)))
		pass_on(convert, reads_timed_rest(convert), "unit", NULL);
}

static void choose_root(struct convert *convert)
{
	if (has(convert, "in-place") && has(convert, "root-motion"))
		cli_usage(convert->cli, "--in-place and --root-motion cannot be combined");
	if (has(convert, "in-place"))
		add(convert, ROOT, "in-place", NULL);
	else if (has(convert, "root-motion"))
		use(convert, ROOT);
	else if (has(convert, "hips") && !has(convert, "retarget"))
		cli_usage(convert->cli, "--hips requires --in-place, --root-motion or --retarget");
	if (has(convert, "in-place") && has(convert, "find-loop")) {
		/* a round that turns on its way would turn the hips back at its end */
		add(convert, ROOT, "yaw", NULL);
		add(convert, ROOT, "loop", NULL);
	}
	if (retargets(convert)) /* after it the tree is the target's, whose hips are known */
		pass_on(convert, RETARGET, "hips", NULL);
	else
		pass_on(convert, ROOT, "hips", "extract");
}

/* Choose sampling and mirroring, which may read rest poses, and options that follow from the steps in the pipe. */
static void choose_rest(struct convert *convert)
{
	size_t count = 0;

	if (is_baked(convert)) {
		use(convert, SAMPLE);
		if (!has_timed_rest(convert) && !is_own_rest(convert))
			pass_on(convert, SAMPLE, "rest", NULL);
	}
	if (convert->stages[SAMPLE].is_used && has(convert, "trust-size"))
		add(convert, SAMPLE, "trust-size", NULL);
	if (has(convert, "mirror") && !has_timed_rest(convert) && !is_own_rest(convert))
		pass_on(convert, MIRROR, "rest", NULL);
	/* A file without tracks is an error, and this error explains the reason. */
	if (convert->stages[FILTER].is_used && convert->format != NULL && !has(convert, "require"))
		add(convert, FILTER, "require", NULL);
	if (has(convert, "depfile") && !has(convert, "target") && writes_to(convert, "output"))
		add(convert, PARSE, "target", convert->out);
	if (!has_timed_rest(convert) || reads_timed_rest(convert) != MIRROR)
		return;
	/* The pose of a clip is in the axes and has the names of its file, so that mirroring comes before all changes of them. */
	for (size_t i = 0; i < STAGE_COUNT; i++) {
		if (convert->order[i] == AXES)
			convert->own_order[count++] = MIRROR;
		if (convert->order[i] != MIRROR)
			convert->own_order[count++] = convert->order[i];
	}
	convert->order = convert->own_order;
}

/* ---- Both ends ---- */

/* List the programs in the pipe, in order. Returns their number. */
static size_t list_stages(const struct convert *convert, enum stage *list)
{
	size_t count = 0;

	for (size_t i = 0; i < STAGE_COUNT; i++)
		if (convert->stages[convert->order[i]].is_used)
			list[count++] = convert->order[i];
	return count;
}

/* Add the programs that read and write, the options common to all programs, the operands of the first and OUT of the last. */
static void add_ends(struct convert *convert)
{
	const struct cli_common *common = &convert->options->common;
	enum stage list[STAGE_COUNT], first, last;
	size_t count;

	/* Files go through anim-parse, and so do several streams. A single stream is the operand of the first program. */
	if (convert->format != NULL)
		use(convert, EMIT);
	else if (writes_archive(convert))
		use(convert, PACK);
	if (convert->stream_count < convert->input_count || convert->input_count > 1 || list_stages(convert, list) == 0)
		use(convert, PARSE);
	count = list_stages(convert, list);
	last = list[count - 1];
	for (size_t i = 0; i < count; i++) {
		if (common->quiet)
			add(convert, list[i], "quiet", NULL);
		if (common->strict && list[i] != PACK) /* anim-pack has no warnings */
			add(convert, list[i], "strict", NULL);
	}
	if (common->force)
		add(convert, last, "force", NULL);
	if (common->no_sync) {
		add(convert, last, "no-sync", NULL);
		if (has(convert, "depfile") && last != PARSE)
			add(convert, PARSE, "no-sync", NULL);
	}
	if (strcmp(convert->out, "-") != 0)
		add(convert, last, convert->out_option, convert->out);
	if (written(convert) != convert->out)
		add(convert, last, "output", written(convert));

	(void)list_stages(convert, list);
	first = convert->stages[PARSE].is_used ? PARSE : list[0];
	if (convert->axes != NULL)
		add(convert, AXES, NULL, convert->axes);
	for (size_t i = 0; i < convert->input_count; i++)
		add(convert, first, NULL, convert->inputs[i].path);
}

/* ---- Running ---- */

/* Return the program of a stage. */
static const struct step_kind *kind_of(const struct convert *convert, enum stage stage)
{
	return stage == SAMPLE && is_baked(convert) ? &program_bake : programs_of[stage];
}

/* Append a word, quoted for a shell. */
static int print_word(struct anim_buffer *line, const char *before, const char *word, struct anim_error *error)
{
	size_t need = anim_text_quote(NULL, 0, word) + 1;

	if (anim_buffer_append_text(line, before, error) != 0 || anim_buffer_reserve(line, need, error) != 0)
		return -1;
	line->size += anim_text_quote((char *)line->data + line->size, need, word);
	return 0;
}

/*
 * Append an option or an operand as it is typed for a program: -r 30, --rest FILE, -x model=FILE. *no_options: all words that
 * follow are operands.
 */
static int print_argument(struct cli *cli, const struct cli_rows *known, const struct cli_argument *argument,
			  bool *no_options, struct anim_buffer *line, struct anim_error *error)
{
	const char *value = argument->value;
	size_t i = 0;

	if (argument->name == NULL) {
		if (!*no_options && value[0] == '-' && value[1] != '\0') {
			*no_options = true;
			if (print_word(line, " ", "--", error) != 0)
				return -1;
		}
		return print_word(line, " ", value, error);
	}
	while (i + 1 < known->count && strcmp(known->row[i]->name, argument->name) != 0)
		i++;
	if (known->place[i].is_set)
		value = cli_printf(cli, value == NULL ? "%s" : "%s=%s", argument->name, value);
	if (print_word(line, " ",
		       known->place[i].is_set          ? "-x"
		       : known->row[i]->letter != '\0' ? cli_printf(cli, "-%c", known->row[i]->letter)
						       : cli_printf(cli, "--%s", argument->name),
		       error) != 0)
		return -1;
	return value == NULL ? 0 : print_word(line, " ", value, error);
}

/* Print the equivalent shell command to the file, or show it to the host. Returns 0 or -1. */
static int print_line(const struct convert *convert, FILE *file, struct anim_error *error)
{
	struct cli_host *host = convert->cli->host;
	struct anim_buffer line = {0};
	enum stage list[STAGE_COUNT];
	size_t count = list_stages(convert, list);
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		const struct cli_program *of = kind_of(convert, list[i])->command_line;
		const struct arguments *arguments = &convert->stages[list[i]];
		struct cli_rows known;
		bool no_options = false;

		cli_rows_of(of, &known);
		result = print_word(&line, i > 0 ? " | " : "", of->name, error);
		for (size_t k = 0; k < arguments->count && result == 0; k++)
			result = print_argument(convert->cli, &known, &arguments->items[k], &no_options, &line, error);
	}
	if (result == 0)
		result = anim_buffer_append(&line, "\n", sizeof "\n", error);
	line.size -= result == 0; /* without the NUL */
	if (result == 0 && host != NULL)
		host->show_pipe(host, (const char *)line.data);
	else if (result == 0 && (fwrite(line.data, 1, line.size, file) != line.size || fflush(file) != 0))
		result = anim_fail_system(error, "cannot write standard output");
	anim_buffer_clear(&line);
	return result;
}

/* Return whether a stage comes after another in the pipe, or is it. */
static bool comes_after(const struct convert *convert, enum stage stage, enum stage other)
{
	size_t at = 0;

	while (convert->order[at] != stage && convert->order[at] != other)
		at++;
	return convert->order[at] == other;
}

/* Return the name that an option of a step has here, or NULL. */
static const char *option_of(const char *step, const char *name)
{
	const struct cli_option *row = NULL;

	if (strcmp(step, programs_of[RETARGET]->command_line->name) == 0 && strcmp(name, "from") == 0)
		return "rest";
	for (size_t i = 0; i < ANIM_COUNT(entries); i++) {
		const struct entry *entry = &entries[i];
		const char *from = entry->to < OWN ? programs_of[entry->to]->command_line->name : "anim-emit";

		if (entry->to > OWN || strcmp(entry->as != NULL ? entry->as : entry->name, name) != 0)
			continue;
		if (strcmp(from, step) == 0 ||
		    (entry->to == SAMPLE && strcmp(program_bake.command_line->name, step) == 0))
			return entry->name;
	}
	row = find_row(rows, ANIM_COUNT(rows), name);
	return row != NULL && anim_text_is_word(PASSED_APART " rest trust-size", name)            ? row->name
	       : anim_text_is_word("output force strict", name) && strcmp(step, "anim-emit") == 0 ? name
												  : NULL;
}

/* Run the programs as steps of one chain. Returns 0 or -1. */
static int run(struct convert *convert, struct anim_error *error)
{
	enum stage list[STAGE_COUNT];
	size_t stages = list_stages(convert, list);
	bool is_early = true;

	if (convert->cli->host != NULL && convert->cli->host->show_pipe == NULL &&
	    (has(convert, "dry-run") || has(convert, "verbose")))
		cli_usage(convert->cli, "the options dry-run and verbose are for the program");
	if (has(convert, "dry-run"))
		return print_line(convert, stdout, error);
	if (has(convert, "verbose") && print_line(convert, stderr, error) != 0)
		return -1;
	for (size_t i = 0; i < stages; i++) {
		const struct cli_call call = {.front = &convert->fronts[i],
					      .arguments = convert->stages[list[i]].items};

		is_early = is_early && !comes_after(convert, list[i], SAMPLE);
		convert->fronts[i] = (struct cli_front){convert->cli, option_of, is_early};
		convert->step_count++;
		if (step_start(&convert->steps[i], kind_of(convert, list[i]), &call, error) != 0)
			return -1;
	}
	return step_run(convert->steps, &convert->step_count, error);
}

/*
 * Find the contents of the only input that a new scene or model does not have. An input that cannot be read gives none. *fits: the
 * format could have them. Returns whether there are any.
 */
static bool find_left_out(const struct convert *convert, struct anim_held *held, bool *fits)
{
	const char *in = convert->inputs[0].path;
	const struct anim_format *from = convert->inputs[0].format, *to = convert->format;
	struct anim_error unread = {0};
	struct anim_input *input = NULL;

	*held = (struct anim_held){.clips = 0};
	if (has(convert, "dry-run") || writes_to(convert, "into") || convert->input_count != 1 || to == NULL ||
	    !anim_text_is_word("tscn glb gltf fbx", to->name))
		return false;
	if (from == NULL || from->describe == NULL || convert->inputs[0].is_gzip || strcmp(in, "-") == 0)
		return false;
	*fits = from->into != NULL && strcmp(from->axes, to->axes) == 0;
	if (!*fits && strcmp(from->name, "fbx") != 0) /* scripts of an engine have no place in another */
		return false;
	if (anim_input_open(&input, in, NULL, &unread) != 0 ||
	    from->describe(input, cli_store_memory(), held, &unread) != 0)
		held->text[0] = '\0';
	anim_input_close(input);
	anim_text_set_clear(&held->parts);
	return held->text[0] != '\0';
}

/* With one of these, clips may not fit the nodes of their file any more, by sizes (the first two) or names. */
static const char *const misfits[] = {"scale", "height",   "humanoid", "expression", "map",    "crc",
				      "face",  "retarget", "skeleton", "axes",       "muscles"};
#define SIZES 2

/* Fail if the model of a new size would lose its mesh. Returns 0 or -1. */
static int check_mesh(const struct convert *convert, struct anim_error *error)
{
	struct anim_held held;
	bool fits;

	for (size_t i = 0; i < SIZES && !has(convert, "retarget"); i++)
		if (has(convert, misfits[i]) && find_left_out(convert, &held, &fits) && fits &&
		    strstr(held.text, "mesh") != NULL)
			return anim_fail(error, ANIM_UNSUPPORTED,
					 "--%s does not change the mesh of %s, which would not fit; " SCALE_MODEL
					 ", or write the skeleton and its clips alone, as .axs",
					 misfits[i], convert->inputs[0].path);
	return 0;
}

/*
 * Note the contents of the input that a new scene or model does not have: only animation and nodes are converted. The new file is
 * written already, so an input that cannot be read again gives no note. Returns 0 or -1.
 */
static int note_left_out(struct convert *convert, struct anim_error *error)
{
	struct anim_held held;
	bool fits, keeps; /* keeps: --into keeps the contents */

	if (convert->options->common.quiet || !find_left_out(convert, &held, &fits))
		return 0;
	keeps = fits && convert->format->into != NULL;
	for (size_t i = 0; i < ANIM_COUNT(misfits); i++)
		keeps = keeps && !has(convert, misfits[i]);
	return anim_diagnostics_note(&convert->cli->diagnostics, NULL, error,
				     "%s also holds %s, which the new file does not have%s", convert->inputs[0].path,
				     held.text, keeps ? "; " ANIM_ADVICE(KEEP_REST) : "");
}

/* Note if a file that was to become smaller is larger than its source, or than before if its own clips are changed. */
static int note_larger(struct convert *convert, const struct anim_stat *before, struct anim_error *error)
{
	const char *in = convert->inputs[0].path, *out = written(convert);
	struct anim_stat after;
	bool into = writes_to(convert, "into");

	if (!has(convert, "reduce") || has(convert, "dry-run") || convert->input_count != 1 ||
	    !(into ? is_same_file(in, convert->out) : writes_to(convert, "output")) || before->kind != ANIM_FILE ||
	    anim_sys_stat(out, &after) != 0 || after.kind != ANIM_FILE || after.size <= before->size)
		return 0;
	return anim_diagnostics_note(
	    &convert->cli->diagnostics, NULL, error,
	    into ? "%s (%lld bytes) is larger than %s was (%lld): the old keys were packed, or "
		   "stay in it"
		 : "%s (%lld bytes) is larger than %s (%lld): its format needs more bytes for a key",
	    out, (long long)after.size, in, (long long)before->size);
}

/* A file that --backup keeps. The names outlive the memory of the run, so they are owned. */
struct backup {
	char *held; /* its second name until the new file is written, or NULL */
	char *kept; /* its name after that */
};

static void clear_backup(struct backup *backup)
{
	free(backup->held);
	free(backup->kept);
	*backup = (struct backup){NULL, NULL};
}

/* Remove the second name of a file. */
static void drop_backup(struct backup *backup)
{
	if (backup->held != NULL)
		(void)anim_sys_remove(backup->held);
	clear_backup(backup);
}

/*
 * Give an existing output of --backup (NULL: none) a second name until the new file is written. A link stays, and its target
 * is replaced, so the target is kept. `before` is another held file. It is dropped on a failure.
 */
static void hold_backup(struct convert *convert, const char *out, struct backup *before, struct backup *backup)
{
	struct cli *cli = convert->cli;
	struct anim_stat info;
	char *real;
	const char *held, *kept;

	if (!convert->options->backup || out == NULL || has(convert, "dry-run") || !anim_is_file(out))
		return;
	real = anim_sys_real_path(out);
	if (real != NULL && anim_sys_lstat(out, &info) == 0 && info.kind != ANIM_FILE)
		out = cli_printf(cli, "%s", real);
	free(real);
	kept = cli_printf(cli, "%s~", out);
	held = cli_printf(cli, "%s~%ld", out, (long)getpid());
	if (anim_sys_lstat(kept, &info) == 0 && info.kind == ANIM_FOLDER) {
		drop_backup(before);
		cli_refuse(cli, "cannot keep '%s' as '%s': it is a folder", out, kept);
	}
	backup->held = strdup(held);
	backup->kept = strdup(kept);
	if (backup->held == NULL || backup->kept == NULL) {
		clear_backup(backup);
		drop_backup(before);
		cli_no_memory(cli);
	}
	if (anim_sys_link(out, held) != 0) {
		struct anim_error error = {0};

		anim_fail_system(&error, "cannot keep '%s' as '%s'", out, held);
		clear_backup(backup);
		drop_backup(before);
		cli_refuse(cli, "%s", error.message);
	}
}

/* Rename the held file to the backup, or remove it if the conversion failed. If it cannot be renamed, it stays. Returns the status. */
static int end_backup(struct convert *convert, struct backup *backup, int status)
{
	struct anim_error error = {0};

	if (status != 0)
		drop_backup(backup);
	if (backup->held == NULL || anim_sys_rename(backup->held, backup->kept) == 0) {
		clear_backup(backup);
		return status;
	}
	anim_fail_system(&error, "the replaced file is '%s', because it cannot be renamed to '%s'", backup->held,
			 backup->kept);
	clear_backup(backup);
	cli_message(convert->cli, NULL, NULL, error.message);
	cli_clear(convert->cli);
	return cli_failure(convert->cli);
}

/* Convert the operands to the output. Returns the exit status. */
static int run_one(struct convert *convert)
{
	struct anim_error error = {0};
	struct backup held = {NULL, NULL}, held_sheet = {NULL, NULL};
	struct anim_stat before;
	/* Each program may get all arguments, and some more. */
	const size_t room = 2 * convert->cli->given_count + (size_t)convert->cli->operand_count + 32;
	int result, status, sheet_status;

	convert->order = order_3d;
	for (size_t i = 0; i < STAGE_COUNT; i++) {
		convert->stages[i].items =
		    anim_arena_zeroed(&convert->cli->arena, room, sizeof *convert->stages[i].items, NULL);
		if (convert->stages[i].items == NULL)
			cli_no_memory(convert->cli);
	}
	choose_out(convert);
	choose_format(convert);
	find_input_formats(convert);
	check_options(convert);
	choose_model(convert);
	choose_human(convert);
	pass_all(convert);
	pass_unit(convert);
	pass_on(convert, retargets(convert) || has(convert, "muscles") ? RETARGET : RENAME, "map", NULL);
	if (has(convert, "muscles") || has_timed_rest(convert))
		pass_on(convert, reads_timed_rest(convert), "rest",
			reads_timed_rest(convert) == RETARGET ? "from" : NULL);
	if (has(convert, "graph"))
		add(convert, EMIT, "graph", convert->inputs[0].path);
	if (has(convert, "mirror"))
		use(convert, MIRROR);
	if (has(convert, "pin"))
		use(convert, PIN);
	choose_root(convert);
	choose_axes(convert);
	if (has(convert, "muscles"))
		convert->order = order_muscles;
	else if (retargets(convert) && has(convert, "humanoid") && convert->order == order_3d)
		convert->order = order_renamed;
	choose_skeleton(convert);
	choose_player(convert);
	choose_dance(convert);
	choose_rest(convert);
	add_ends(convert);
	hold_backup(convert, written(convert), &held_sheet, &held);
	hold_backup(convert, value(convert, "bind-sheet"), &held, &held_sheet);
	result = anim_diagnostics_check(&convert->cli->diagnostics, &error);
	if (anim_sys_stat(convert->inputs[0].path, &before) != 0)
		before.kind = ANIM_OTHER_FILE;
	if (result == 0)
		result = check_mesh(convert, &error);
	if (result == 0)
		result = run(convert, &error);
	if (result == 0)
		result = note_larger(convert, &before, &error);
	if (result == 0)
		result = note_left_out(convert, &error);
	anim_rests_clear(&convert->scene);
	status = step_finish(convert->steps, convert->step_count, convert->cli, result == 0 ? NULL : &error);
	sheet_status = end_backup(convert, &held_sheet, status);
	status = end_backup(convert, &held, status);
	return status != 0 ? status : sheet_status;
}

/* ---- Folders ---- */

/* Check the options of a conversion of many files, and return the folder of the outputs. The operands are the inputs then. */
static const char *check_folders(struct convert *convert)
{
	static const char *const apart[] = {"each", "into", "merge", "append", "depfile", "source-name", "bind-sheet"};
	struct cli *cli = convert->cli;
	const char *out = convert->options->common.output;
	bool lists = has(convert, "list");

	for (size_t i = 0; i < ANIM_COUNT(apart); i++)
		if (has(convert, apart[i]))
			cli_usage(cli, "--%s is not for folders", apart[i]);
	if (out == NULL && cli->operand_count < 2 - lists)
		cli_usage(cli, "the folder of the outputs is missing");
	out = out != NULL ? out : cli->operands[--cli->operand_count];
	if (anim_sys_may(out, ANIM_EXISTS) && !anim_is_folder(out))
		cli_usage(cli, "'%s' is a file; the outputs of a folder need a folder", out);
	for (int i = 0; i < cli->operand_count; i++)
		if (!anim_is_folder(cli->operands[i]))
			cli_usage(cli, "'%s' is not a folder; convert files by themselves, or with --list",
				  cli->operands[i]);
		else if (is_same_file(cli->operands[i], out))
			cli_usage(cli, "'%s' is the folder of the inputs; choose another one for the outputs", out);
	if (convert->options->format < 0 && anim_format_to_write(out) != NULL) {
		const char *stem = cli_printf(cli, "%.*s", (int)(strrchr(out, '.') - out), out);

		cli_usage(cli, "the outputs of a folder need a folder; try: anim convert -f %s%s",
			  anim_format_to_write(out)->name,
			  cli_command_line(cli, out, cli_quoted(cli, stem)) + strlen(cli->program->name));
	}
	if (convert->options->format < 0)
		cli_usage(cli, "a folder has no suffix to choose a format by; try: %s", typed(cli, NULL, "-f", "tres"));
	return out;
}

/* List the files below the folders and in the list, and count the folders that cannot be read. Returns 0 or -1. */
static int list_files(struct convert *convert, const char *out, const struct anim_format *format,
		      struct anim_buffer *files, size_t *left_out, struct anim_error *error)
{
	struct folder_walk *walk =
	    folder_walk_new(convert->cli, out, format->suffix != NULL ? format->suffix : format->name, files, error);
	int result = walk == NULL ? -1 : 0;

	for (int i = 0; i < convert->cli->operand_count && result == 0; i++)
		result = folder_walk_below(walk, convert->cli->operands[i]);
	if (result == 0 && has(convert, "list"))
		result = folder_walk_list(walk, value(convert, "list"));
	*left_out = walk == NULL ? 0 : folder_walk_left_out(walk);
	folder_walk_free(walk);
	return result != 0 || files->size > 0
		   ? result
		   : anim_fail(error, ANIM_BAD_INPUT,
			       has(convert, "list") ? "the list has no files"
						    : "the folder has no files with animation");
}

static int run_program(int argc, char **argv)
{
	struct options options = {.format = -1};
	struct cli cli;
	struct convert convert = {.cli = &cli, .options = &options};
	struct many many = {.cli = &cli};
	struct anim_buffer files = {0};
	struct anim_error error = {0};
	uint64_t jobs = anim_sys_processors();
	const struct anim_format *format;
	const char *out;
	size_t left_out;
	bool goes_on;
	int result;

	(void)pthread_once(&rows_made, make_rows);
	cli_start(&cli, &program, &options, argc, argv);
	if (!has(&convert, "list") && !anim_is_folder(cli.operands[0]))
		return run_one(&convert);

	/* All files of the folders and of the list. */
	out = check_folders(&convert);
	if (has(&convert, "jobs") &&
	    (!cli_whole_number(value(&convert, "jobs"), &jobs) || jobs < 1 || jobs > MANY_JOBS_MAX))
		cli_usage(&cli, "--jobs: %s is not a number from 1 to %u", value(&convert, "jobs"), MANY_JOBS_MAX);
	format = anim_format_find(cli_formats_written[options.format], true);
	result = list_files(&convert, out, format, &files, &left_out, &error);
	many.jobs = jobs < MANY_JOBS_MAX ? (unsigned)jobs : MANY_JOBS_MAX;
	many.folder = out;
	many.holds_many = format->holds_many;
	many.keeps_there = options.no_clobber;
	many.prints_notes = has(&convert, "verbose");
	many.files = (const struct folder_file *)(const void *)files.data;
	many.count = files.size / sizeof *many.files;
	if (result == 0)
		result = many_convert(&many, &error);
	if (result == 0)
		result = anim_diagnostics_note(&cli.diagnostics, NULL, &error,
					       "files: %zu converted, %zu kept, %zu left out", many.done, many.there,
					       many.count - many.done - many.there + left_out);
	anim_buffer_clear(&files);
	goes_on = has(&convert, "keep-going");
	result = cli_finish(&cli, result == 0 ? NULL : &error);
	return result != 0 || goes_on ? result : many.done + many.there < many.count + left_out;
}

struct convert_call {
	struct options options;
	struct cli cli;
	struct convert convert;
	struct cli_call call;
	int status;
};

struct convert_call *convert_call_new(const struct cli_call *from)
{
	struct convert_call *call = anim_zeroed(sizeof *call, NULL);

	if (call == NULL)
		return NULL;
	(void)pthread_once(&rows_made, make_rows);
	call->options.format = -1;
	call->convert = (struct convert){.cli = &call->cli, .options = &call->options};
	call->call = *from;
	call->status = CLI_FAILED;
	return call;
}

void convert_call_run(void *context)
{
	struct convert_call *call = context;

	cli_start_call(&call->cli, &call->call, &program, &call->options);
	call->status = run_one(&call->convert);
}

int convert_call_end(struct convert_call *call, bool has_left)
{
	int status = has_left ? call->call.host->status : call->status;

	for (size_t i = 0; has_left && i < call->convert.step_count; i++) {
		step_clear(&call->convert.steps[i]);
		if (call->convert.steps[i].cli == &call->convert.steps[i].own)
			cli_clear(call->convert.steps[i].cli);
	}
	if (has_left) {
		anim_rests_clear(&call->convert.scene);
		cli_clear(&call->cli);
	}
	free(call);
	return status;
}

const struct step_kind program_convert = {.command_line = &program, .main = run_program};
