/* anim-emit.c: writes a stream as a file of an engine's format. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/each.h"
#include "clip/engine_names.h"
#include "clip/graph.h"
#include "filter/angles.h"
#include "filter/axes/axes.h"
#include "filter/bind.h"
#include "filter/clips.h"
#include "filter/common/rotations.h"
#include "filter/compare/compare.h"
#include "filter/convert/convert.h"
#include "filter/filter.h"
#include "filter/frames.h"
#include "filter/rects.h"
#include "filter/retarget/retarget.h"
#include "format/bvh/bvh.h"
#include "format/format.h"
#include "format/gltf/gltf.h"
#include "format/unity/unity.h"
#include "run/source.h"
#include "run/steps.h"

struct options {
	struct cli_common common;
	const char *format, *clip, *each, *tol, *meta, *digits, *rest, *into, *player, *unit, *axes, *images,
	    *bind_sheet, *graph;
	bool only, keep, compact, follow, pretty, keep_double, library, keep_names, bindable, same_tracks, pointer,
	    extras, loop_name, bin, wide;
	int up, order, angles, raw_as, names, encoding, key_order, tangent_order, godot, bezier, packets;
};

static const char *const raw_kinds[] = {"raw", "curve", NULL};
static const char *const name_kinds[] = {"target", "source", NULL};
static const char *const axes_words[] = {"keep", "godot", "unity", "resonite", "gltf", "godot2d", "unity2d", NULL};
static const char *const encodings[] = {"plain", "lz4", "lzma", NULL};
static const char *const key_orders[] = {"time-value", "value-time", NULL};
static const char *const tangent_orders[] = {"left-right", "right-left", NULL};

static const char *const godot_versions[] = {"4.5", "3", "4.2", "4.6", NULL}; /* enum anim_godot_version */
static const char *const ups[] = {"y", "z", NULL};
static const char *const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", NULL}; /* enum anim_euler_order */
static const char *const packet_kinds[] = {"small", "one", NULL};
static const char *const angle_kinds[] = {"xyz", "xzy", "yxz",     "yzx",
					  "zxy", "zyx", "flexion", NULL}; /* the same order */
static const char *const bezier_kinds[] = {"auto", "never", "always", NULL};

static const struct cli_option rows[] = {
    CLI_SECTION_ROW("What to write"),
    {'f', "format", "FORMAT", "write this format; the same as the first operand", CLI_TEXT, AT(format), NULL, false},
    {'c', "clip", "CLIP", "write this clip: a name, PLAYER:NAME, or a glob that matches one clip", CLI_TEXT, AT(clip),
     NULL, false},
    {0, "each", "PATTERN", "write one file per clip: %c is the clip, %p its player, %f the source file", CLI_TEXT,
     AT(each), NULL, false},
    {0, "into", "FILE", "add the clips to this existing file; all its other bytes stay the same", CLI_TEXT, AT(into),
     NULL, false},
    {0, "player", "PATH", "with --into: the AnimationPlayer that gets the clips", CLI_TEXT, AT(player), NULL, false},
    {0, "only", NULL, "with --into: delete existing clips that are not in the input", CLI_FLAG, AT(only), NULL, false},
    {0, "keep", NULL, "with --into: fail if a clip would replace one that the file has", CLI_FLAG, AT(keep), NULL,
     false},
    CLI_MORE_ROW,
    {0, "follow", NULL, "with --into: also change clips in other files that the file refers to", CLI_FLAG, AT(follow),
     NULL, false},
    {0, "compact", NULL, "glb, gltf: with --into: drop the data of clips that are replaced or deleted", CLI_FLAG,
     AT(compact), NULL, false},
    {0, "same-tracks", NULL, "with --each: give all clips the same list of tracks; missing tracks are at their rest",
     CLI_FLAG, AT(same_tracks), NULL, false},
    CLI_SECTION_ROW("How to write it"),
    {0, "axes", "AXES", "write other axes than the format has: see anim-axes; keep: do not convert", CLI_TEXT, AT(axes),
     NULL, false},
    {0, "tol", "LIMITS", "largest error of approximated curves (default: 0.1mm,0.01deg,0.01%)", CLI_TEXT, AT(tol), NULL,
     false},
    {0, "rest", "FILE", "read the rest poses of nodes that the input does not have from this file", CLI_TEXT, AT(rest),
     NULL, false},
    {0, "bind-sheet", "FILE",
     "animj, animx: also write the number of each track and its field in Resonite, as text, .csv or .json", CLI_TEXT,
     AT(bind_sheet), NULL, false},
    {0, "pretty", NULL, "write one key per line instead of one track per line", CLI_FLAG, AT(pretty), NULL, false},
    {0, "names", "WHOSE", "names to write: target (of the target engine) or source (unchanged)", CLI_CHOICE, AT(names),
     name_kinds, false},
    {0, "godot", "VERSION", "tres, tscn: write for this Godot version: 4.5, 3, 4.2, 4.6", CLI_CHOICE, AT(godot),
     godot_versions, false},
    {0, "meta", "GUID", "unity: also write FILE.meta with this guid; auto derives one from the file", CLI_TEXT,
     AT(meta), NULL, false},
    {0, "wide", NULL, "csv: write one row per frame; all tracks of the clip must have the same times", CLI_FLAG,
     AT(wide), NULL, false},
    {0, "angles", "KIND",
     "csv, npz: write angles in degrees instead of rotations: in an Euler order (xyz, ...), or bend, twist and swing "
     "(flexion)",
     CLI_CHOICE, AT(angles), angle_kinds, false},
    {0, "bin", NULL, "gltf: write the numbers to a separate .bin file", CLI_FLAG, AT(bin), NULL, false},
    {0, "to-unit", "UNIT", "bvh: length unit to write: cm, m, in, cmu, or a number of metres", CLI_TEXT, AT(unit), NULL,
     false},
    CLI_MORE_ROW,
    {0, "to-up", "AXIS", "bvh: up axis to write: y, z", CLI_CHOICE, AT(up), ups, false},
    {0, "graph", "FILE", "tscn: also write an AnimationTree with the states of this Unity controller", CLI_TEXT,
     AT(graph), NULL, false},
    CLI_SET_ROW,
    {0, "double", NULL, "animj, animx: keep doubles; by default they become floats", CLI_FLAG, AT(keep_double), NULL,
     false},
    {0, "bindable", NULL, "animj, animx: write only Position, Rotation, Scale and Active of slots", CLI_FLAG,
     AT(bindable), NULL, false},
    {0, "raw-as", "KIND", "animj: write samples as raw samples (raw) or as Linear keys (curve)", CLI_CHOICE, AT(raw_as),
     raw_kinds, false},
    {0, "encoding", "HOW", "animx: compression: plain, lz4, lzma", CLI_CHOICE, AT(encoding), encodings, false},
    {0, "to-key-order", "ORDER", "animx: order of times and values in Curve keys: time-value, value-time", CLI_CHOICE,
     AT(key_order), key_orders, false},
    {0, "tangent-order", "ORDER", "animx: order of tangents: left-right, right-left", CLI_CHOICE, AT(tangent_order),
     tangent_orders, false},
    {0, "packets", "SIZE", "vmc: size of datagrams: small (at most 1400 bytes) or one (one per frame)", CLI_CHOICE,
     AT(packets), packet_kinds, false},
    {0, "library", NULL, "tres: write an AnimationLibrary even for one clip", CLI_FLAG, AT(library), NULL, false},
    {0, "digits", "N",
     "tres, tscn: significant digits of numbers, for example 6 as in older files; by default the shortest exact text",
     CLI_TEXT, AT(digits), NULL, false},
    {0, "bezier", "WHEN",
     "tres, tscn: write vector curves with handles as Bezier tracks of their components: auto, never, always",
     CLI_CHOICE, AT(bezier), bezier_kinds, false},
    {0, "keep-names", NULL, "tres, tscn: keep the names of properties that Godot 4 has renamed", CLI_FLAG,
     AT(keep_names), NULL, false},
    {0, "images", "FOLDER",
     "tres, tscn: this folder (res://art) has the images of Unity's folder Assets: write the textures of sprites",
     CLI_TEXT, AT(images), NULL, false},
    {0, "pointer", NULL, "glb, gltf: also write visibility and other properties, with KHR_animation_pointer", CLI_FLAG,
     AT(pointer), NULL, false},
    {0, "extras", NULL, "glb, gltf: also write events, as extras of the animation", CLI_FLAG, AT(extras), NULL, false},
    {0, "loop-name", NULL, "glb, gltf: add -loop to the names of clips that loop, which Godot understands", CLI_FLAG,
     AT(loop_name), NULL, false},
    {0, "order", "ORDER", "bvh: order of the rotation channels: XYZ, XZY, YXZ, YZX, ZXY, ZYX", CLI_CHOICE, AT(order),
     orders, false},
};
static const char *const examples[] = {
    "anim-resample 30 walk.tscn -o walk.animj",  "anim-emit --meta auto walk.tscn -o Assets/walk.anim",
    "anim-emit --into hero.tscn idle.tres",      "anim-emit --into hero.glb hero.tscn",
    "anim-emit hero.tscn -o hero.glb",           "anim-emit animj -c idle hero.axs > idle.animj",
    "anim-emit --each 'hero/%c.animj' hero.axs", NULL};
static const struct cli_program program = {.name = "anim-emit",
					   .summary = "writes animation in any format; csv, npz and json are tables "
						      "for other programs, and the JSON of Resonite is animj",
					   .usage = "[OPTION...] [FORMAT] [FILE]",
					   .examples = examples,
					   .options = rows,
					   .option_count = sizeof rows / sizeof *rows,
					   .flags = CLI_HAS_OUTPUT | CLI_HAS_STRICT,
					   .most_operands = 2,
					   .operand_words = cli_formats_written};

/* The state of a run. */
struct emit {
	struct options own;
	struct cli *cli;
	const struct options *options;
	const struct anim_format *format;
	struct anim_write_options write;
	double tol, tol_deg; /* for approximated curves, and for approximated rotations */
	struct anim_axes_options axes;
	struct anim_rests rests;     /* from --rest */
	struct anim_output *output;  /* of the current clip; of the whole run without --each */
	struct anim_buffer others;   /* struct anim_output *: files of --follow and --bin, not sealed yet */
	struct cli_each each;        /* files that are renamed together after the end of the stream */
	char *path, *clip;           /* of the current file and its clip, for the .meta; owned */
	char *bin_path;              /* owned */
	struct anim_graph graph;     /* from --graph */
	struct anim_buffer replaced; /* names of the clips of the file of --into that are replaced: "walk, run" */
	size_t replaced_count;
	bool has_foreign;         /* a clip that is put into the file is from another file */
	struct anim_sink *writer; /* writer of the current clip, inside its sink */
	size_t came, written;     /* numbers of tracks: before conversion, and in the output */
	bool is_trial;            /* see emit_try */
	struct anim_bind_sheet sheet;
};

/* Exit because a word, or the suffix of the output, is not a format. The message lists the formats. */
static void refuse_format(struct cli *cli, const char *option, const char *word) __attribute__((noreturn));
static void refuse_format(struct cli *cli, const char *option, const char *word)
{
	/* other common names of the formats */
	static const char *const others[][2] = {
	    {"anim", "unity"}, {"resonite", "animj"}, {"godot", "tres"}, {"escn", "tscn"}, {"jsonl", "json"}};
	char list[128];

	cli_list_words(cli_formats_written, list, sizeof list);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcasecmp(others[i][0], word) == 0)
			cli_usage(cli, "%s'%s' is not one of %s; did you mean %s?", option, word, list, others[i][1]);
	cli_usage_word(cli, option, word, cli_formats_written);
}

/* Exit with a suggestion for a file without a format, or for two files. It suggests tres, which holds any clips. */
static void refuse_files(struct cli *cli, const char *first) __attribute__((noreturn));
static void refuse_files(struct cli *cli, const char *first)
{
	const char *second = cli->operand_count > 1 ? cli->operands[1] : "", *base = anim_path_last(first);
	const char *one = cli_quoted(cli, first), *other = cli_quoted(cli, second);
	struct anim_stat info;

	if (second[0] != '\0' && anim_sys_stat(first, &info) != 0)
		cli_usage(cli, "'%s' is not a format; try: anim-emit tres %s", first, other);
	if (second[0] != '\0')
		cli_usage(cli, "one file is read; try: anim-parse %s %s | anim-emit tres", one, other);
	if (cli_is_stream(first))
		cli_usage(cli, "no format; try: anim-emit tres %s", one);
	if (anim_sys_stat(first, &info) != 0 && anim_format_to_write(first) != NULL)
		cli_usage(cli, "no file is called '%s'; to write it, try: anim-emit -o %s", first, one);
	base = cli_quoted(cli, cli_printf(cli, "%.*s.tres", (int)strcspn(base, "."), base));
	cli_usage(cli, "no format; try: anim-emit -o %s %s", base, one);
}

/* Further suffixes of files that clips can be put into, besides those that the formats themselves write. */
static const struct {
	const char *suffix, *format;
} also_into[] = {{".escn", "tscn"},    {".asset", "unity"},    {".controller", "unity"},
		 {".prefab", "unity"}, {".playable", "unity"}, {".unity", "unity"}};

/* Return the format of a file that clips can be put into, by its name, or NULL. */
static const struct anim_format *find_into(const char *file)
{
	const struct anim_format *format = anim_format_to_write(file);

	for (size_t i = 0; i < ANIM_COUNT(also_into) && file != NULL; i++)
		if (anim_path_has_suffix(file, &also_into[i].suffix, 1))
			format = anim_format_find(also_into[i].format, true);
	return format != NULL && format->into != NULL ? format : NULL;
}

/* The same, but exit if it is missing. */
static const struct anim_format *format_into(struct cli *cli, const char *file)
{
	const struct anim_format *format = find_into(file);
	const char *const *names = cli_formats_written;
	char list[128];
	size_t used = 0;

	if (format != NULL)
		return format;
	for (; *names != NULL && used < sizeof list; names++)
		if (anim_format_find(*names, true)->into != NULL)
			used += (size_t)snprintf(list + used, sizeof list - used, ".%s, ",
						 anim_format_find(*names, true)->suffix);
	for (size_t i = 0; i < ANIM_COUNT(also_into) && used < sizeof list; i++)
		used +=
		    (size_t)snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ", also_into[i].suffix);
	cli_usage(cli, "%s '%s': clips can be added only to files with the suffix %s", cli_spelled(cli, "into"), file,
		  list);
}

/* Take FORMAT from the operands, which leaves the file, or otherwise from the suffix of -o or --each. */
static const struct anim_format *choose_format(struct cli *cli, const struct options *options)
{
	const char *output = options->into != NULL   ? options->into
			     : options->each != NULL ? options->each
						     : options->common.output;
	const struct anim_format *named =
	    options->into != NULL ? format_into(cli, output) : anim_format_to_write(output);
	const char *dot = output == NULL ? NULL : strrchr(output, '.');
	const char *first = cli->operand_count > 0 ? cli->operands[0] : NULL;
	struct anim_stat info;

	if (options->format != NULL && cli->operand_count > 1)
		cli_usage(cli, "unexpected operand '%s'", cli->operands[1]);
	if (options->format != NULL && anim_format_find(options->format, true) == NULL)
		refuse_format(cli, "--format: ", options->format);
	if (options->format != NULL)
		return anim_format_find(options->format, true);
	if (first != NULL && anim_format_find(first, true) != NULL) {
		cli->operands++;
		cli->operand_count--;
		return anim_format_find(first, true);
	}
	if (cli->operand_count > 1 && anim_format_find(cli->operands[1], true) != NULL)
		cli_usage(cli, "'%s' is not a format; try: anim-emit %s %s", first, cli->operands[1],
			  cli_quoted(cli, first));
	if ((cli->operand_count > 1 || named == NULL) && first != NULL && strchr(first, '.') == NULL &&
	    anim_sys_stat(first, &info) != 0)
		refuse_format(cli, "", first);
	if (cli->operand_count > 1)
		refuse_files(cli, first);
	if (named != NULL)
		return named;
	if (output != NULL)
		cli_check_written(cli, options->each != NULL ? "--each: " : "-o: ", output);
	if (dot != NULL && dot[1] != '\0' && strchr(dot, '/') == NULL && strchr(dot, '%') == NULL)
		refuse_format(cli, options->each != NULL ? "--each: " : "-o: ", dot + 1);
	if (first == NULL)
		cli_usage(cli, "no format; try: %s tres", cli_command_line(cli, NULL, NULL));
	refuse_files(cli, first);
}

/* Set the tolerances of --tol. If it limits both lengths and plain numbers, the smaller one is used for both. */
static void read_tolerance(struct emit *emit, const char *text)
{
	struct anim_limits limits = {.count = 0};
	struct anim_error error = {0};
	double length;
	bool plain;

	emit->tol = ANIM_TOLERANCE;
	emit->tol_deg = 100 * ANIM_TOLERANCE;
	if (text == NULL)
		return;
	if (anim_limits_parse(&limits, text, &error) != 0)
		cli_usage(emit->cli, "%s: %s", cli_spelled(emit->cli, "tol"), error.message);
	for (size_t i = 0; i < limits.count; i++)
		if (limits.world || limits.items[i].property[0] != '\0' || !(limits.items[i].value > 0) ||
		    limits.items[i].value > 1000)
			cli_usage(emit->cli,
				  "%s '%s': limits are above 0 and up to 1000, and without names: 0.1mm,0.01deg,0.01%%",
				  cli_spelled(emit->cli, "tol"), text);
	plain = anim_limits_get(&limits, ANIM_UNIT_PLAIN, "", &emit->tol);
	if (anim_limits_get(&limits, ANIM_UNIT_LENGTH, "", &length))
		emit->tol = plain ? fmin(emit->tol, length) : length;
	(void)anim_limits_get(&limits, ANIM_UNIT_ANGLE, "", &emit->tol_deg);
	emit->cli->diagnostics.units = emit->tol;
	emit->cli->diagnostics.degrees = emit->tol_deg;
}

/* Return the number of -x digits: 1 to 17, or 0 if it was not given. */
static unsigned digits(struct cli *cli, const char *text)
{
	uint64_t number;

	if (text == NULL)
		return 0;
	if (!cli_whole_number(text, &number) || number < 1 || number > 17 || text[0] == '0')
		cli_usage(cli, "%s: '%s' is not a whole number from 1 to 17", cli_spelled(cli, "digits"), text);
	return (unsigned)number;
}

static void check_options(struct cli *cli, const struct options *options, const struct anim_format *format)
{
	const char *fault = options->each == NULL ? NULL : cli_file_pattern_fault(options->each);
	double metres;

	if (options->unit != NULL && !anim_bvh_unit(options->unit, &metres))
		cli_usage(cli, "%s '%s' is not a unit: use cm, m, in, cmu or a number of metres",
			  cli_spelled(cli, "to-unit"), options->unit);
	if (options->images != NULL && strncmp(options->images, "res://", 6) != 0)
		cli_usage(cli, "%s: '%s' is not a folder of a Godot project, such as res://art",
			  cli_spelled(cli, "images"), options->images);
	if (options->each != NULL && options->clip != NULL)
		cli_usage(cli, "--each cannot be combined with -c");
	if (options->each != NULL && options->into != NULL)
		cli_usage(cli, "--each cannot be combined with --into");
	if (options->graph != NULL && (options->each != NULL || options->into != NULL))
		cli_usage(
		    cli,
		    "--graph cannot be combined with --%s: an AnimationTree is written only with a new scene that "
		    "has all its clips; use -o FILE.tscn",
		    options->each != NULL ? "each" : "into");
	if (options->graph != NULL && options->godot == ANIM_GODOT_3)
		cli_usage(cli, "--graph is for Godot 4");
	if (options->into != NULL && cli_was_given(cli, "godot"))
		cli_usage(cli, "--godot cannot be combined with --into, which keeps the version of the file");
	if (options->each != NULL && options->common.output != NULL)
		cli_usage(cli, "--each cannot be combined with -o");
	if (options->into == NULL && options->common.output != NULL && cli_file_pattern_is(options->common.output))
		cli_usage(cli, "-o '%s' contains a pattern for clip names; try: %s", options->common.output,
			  cli_command_line(cli, options->common.output,
					   cli_printf(cli, "--each %s", cli_quoted(cli, options->common.output))));
	if (fault != NULL)
		cli_usage(cli, "%s '%s': %s", cli_spelled(cli, "each"), options->each, fault);
	if (options->bind_sheet != NULL && options->names == 1)
		cli_usage(
		    cli,
		    "--bind-sheet cannot be combined with --names source, because Resonite binds by its own names");
	if (options->same_tracks && options->clip != NULL)
		cli_usage(cli, "--same-tracks is for several clips, -c picks one");
	if (options->same_tracks && options->each == NULL)
		cli_usage(cli, "--same-tracks is for several clips; try: %s --each '%%c.%s'",
			  cli_command_line(cli, options->common.output, NULL), format->suffix);
}

/* Check options of a command line of this program alone. Those without a meaning for the format would be ignored silently. */
static void check_typed(struct cli *cli, const struct options *options, const struct anim_format *format)
{
	static const char *const with_into[] = {"only", "keep", "compact", "follow", "player"};
	bool is_auto = options->meta != NULL && strcmp(options->meta, "auto") == 0;
	const char *output = options->common.output;
	char takers[64];

	for (size_t i = 0; i < ANIM_COUNT(with_into) && options->into == NULL; i++)
		if (cli_was_given(cli, with_into[i]))
			cli_usage(cli, "--%s requires --into", with_into[i]);
	if (options->follow && (format->axes == NULL || strcmp(format->axes, "godot") != 0))
		cli_usage(cli, "--follow is for tres and tscn, not for %s", format->name);
	if (options->follow && output != NULL)
		cli_usage(cli, "--follow cannot be combined with -o: it changes the files that the output refers to");

	/* The .meta is written beside a file, and each file needs its own guid. */
	if (options->meta != NULL && !anim_text_is_word(format->options, "meta"))
		cli_usage(cli, "--meta is for unity");
	if (options->meta != NULL && !is_auto && !anim_unity_guid_is(options->meta))
		cli_usage(cli, "%s '%s' must be auto or a guid of 32 hexadecimal digits", cli_spelled(cli, "meta"),
			  options->meta);
	if (options->meta != NULL && !is_auto && options->each != NULL)
		cli_usage(cli, "--meta GUID is for one file, --each takes --meta auto");
	if (options->meta != NULL && options->each == NULL && (output == NULL || strcmp(output, "-") == 0))
		cli_usage(cli, "--meta writes beside a file; name it with -o or --each");

	for (size_t i = 0; i < cli->given_count; i++) {
		const char *name = cli->given[i].row->name;

		if (!anim_text_is_word(format->options, name) && cli_list_takers(name, true, takers, sizeof takers))
			cli_usage(cli, "%s is for %s, not for %s", cli_spelled(cli, name), takers, format->name);
	}
	if (options->bin && options->each == NULL && anim_output_is_standard(output))
		cli_usage(cli, "--bin writes beside a file; name it with -o or --each");
}

static int saw_tree(void *context, const struct anim_tree *tree, struct anim_error *error)
{
	return cli_each_tree(&((struct emit *)context)->each, tree, error);
}

/* Return whether the file exists and contains the text. */
static bool has_text(const char *path, const char *text)
{
	struct anim_error error = {0};
	struct anim_input *input = NULL;
	size_t length = strlen(text);
	bool found = false;
	const uint8_t *at;
	ssize_t size;

	if (anim_input_open(&input, path, NULL, &error) != 0)
		return false;
	while (!found && (size = anim_input_peek(input, (size_t)1 << 16, &at, &error)) >= (ssize_t)length) {
		found = anim_text_find(at, (size_t)size, text) != NULL;
		anim_input_skip(input, (size_t)size - length + 1);
	}
	anim_input_close(input);
	return found;
}

/* Open the .bin for the file of this path: "walk.bin" for "walk.gltf". Returns 0 or -1. */
static int open_bin(struct emit *emit, const char *path, struct anim_error *error)
{
	struct anim_buffer quoted = {0};
	struct anim_output **place;
	size_t kept;
	bool is_part;
	int result;

	if (!emit->options->bin)
		return 0;
	kept = strlen(path);
	if (kept > 5 && strcasecmp(path + kept - 5, ".gltf") == 0)
		kept -= 5;
	free(emit->bin_path);
	emit->bin_path = malloc(kept + sizeof ".bin");
	if (emit->bin_path == NULL)
		return anim_fail_memory(error);
	memcpy(emit->bin_path, path, kept);
	memcpy(emit->bin_path + kept, ".bin", sizeof ".bin");
	emit->write.bin_name = anim_path_last(emit->bin_path);
	place = anim_buffer_extend(&emit->others, sizeof *place, error);
	if (place == NULL)
		return -1;
	*place = NULL;
	/* If the .bin belongs to the .gltf that is replaced, both are replaced together. */
	is_part = anim_buffer_append_text(&quoted, "\"", error) == 0 &&
		  anim_gltf_uri(&quoted, emit->write.bin_name, error) == 0 &&
		  anim_buffer_append(&quoted, "\"", sizeof "\"", error) == 0 &&
		  has_text(path, (const char *)quoted.data);
	anim_buffer_clear(&quoted);
	if (is_part)
		result = cli_open_any(emit->cli, emit->bin_path, place, error);
	else
		result = cli_each_open(&emit->each, emit->bin_path, place, error);
	emit->write.bin = *place;
	return result;
}

/*
 * Put the track order that the format needs in front of `next` (owned, also freed on failure; NULL: NULL). Names of
 * the source are not bound to nodes, so their order has no meaning.
 */
static struct anim_sink *order(struct emit *emit, struct anim_sink *next, struct anim_error *error)
{
	bool is_ordered = emit->format->is_ordered && (!emit->write.source_names || emit->options->bindable);

	if (next == NULL || !is_ordered)
		return next;
	return anim_bind_order_new(emit->options->bindable, cli_store_memory(), &emit->cli->diagnostics, next, error);
}

#define TPOSE 15 /* degrees: arms and legs of a T-pose differ from straight ones by less */

/*
 * Let the skeleton rest in a T-pose, for formats whose players take the rest for one: VRMA always, FBX if the rest is not a
 * pose. Same ownership.
 */
static struct anim_sink *pose(struct emit *emit, bool fbx, struct anim_sink *next, struct anim_error *error)
{
	const struct anim_retarget_options options = {.only_poseless = fbx,
						      .silhouette_degrees = TPOSE,
						      .partial = true,
						      .store_memory = cli_store_memory(),
						      .diagnostics = &emit->cli->diagnostics};

	return next == NULL || strcmp(emit->format->name, fbx ? "fbx" : "vrma") != 0
		   ? next
		   : anim_retarget_new(&options, next, error);
}

/* Put the conversion to axes and values that the format supports in front of `next`, with the same ownership. */
static struct anim_sink *convert(struct emit *emit, struct anim_sink *next, struct anim_error *error)
{
	struct anim_diagnostics *diagnostics = &emit->cli->diagnostics;
	bool changes = emit->axes.target != ANIM_AXES_UNKNOWN || emit->axes.target2d != ANIM_AXES2D_UNKNOWN;
	struct anim_axes_options flat = emit->axes;
	struct anim_caps caps;

	if (next != NULL && emit->format->caps != NULL) {
		anim_format_caps(emit->format, &emit->write, &caps);
		next = anim_convert_new(&caps, emit->tol, diagnostics->strict, diagnostics, next, error);
		if (next != NULL) {
			anim_convert_use_rests(next, &emit->rests);
			if (emit->options->tol != NULL)
				anim_convert_use_degrees(next, emit->tol_deg);
		}
		if (next != NULL && caps.frames)
			next = anim_frames_new(emit->options->rest != NULL ? &emit->rests : NULL, diagnostics, next,
					       error);
		if (next != NULL && caps.engine == ANIM_ENGINE_GODOT4)
			next = anim_rects_new(emit->options->rest != NULL ? &emit->rests : NULL, cli_store_memory(),
					      diagnostics, next, error);
	}
	next = pose(emit, true, next, error);
	/* With -c, tracks of the other clips do not count. */
	if (next != NULL && emit->options->clip == NULL)
		next = anim_count_new(&emit->came, NULL, next, error);

	/*
	 * By default, axes of both two and three dimensions are converted. All formats but Godot's have +Y up and no pixels,
	 * as Unity has.
	 */
	flat.target = ANIM_AXES_UNKNOWN;
	flat.target2d = emit->axes.target == ANIM_AXES_GODOT ? ANIM_AXES2D_GODOT : ANIM_AXES2D_UNITY;
	flat.asks = flat.target2d == ANIM_AXES2D_GODOT && emit->options->into == NULL && emit->options->rest == NULL;
	if (next != NULL && changes)
		next = anim_axes_new(&emit->axes, next, error);
	return next == NULL || !changes || !emit->axes.by_default ? next : anim_axes_new(&flat, next, error);
}

/* With --same-tracks all clips have already been ordered. */
static struct anim_sink *new_sink(struct emit *emit, struct anim_error *error)
{
	struct anim_sink *writer = emit->format->writer(emit->output, &emit->write, error);

	emit->writer = writer;
	if (emit->options->bind_sheet != NULL)
		writer = anim_bind_sheet_new(&emit->sheet, writer, error);
	writer = pose(emit, false, writer, error);
	/* Formats of MikuMikuDance have no other bones than the usual ones. */
	if (writer != NULL && emit->format->skeleton != NULL)
		writer = anim_retarget_mmd_new(cli_store_memory(), &emit->cli->diagnostics, writer, error);
	if (writer != NULL)
		writer = anim_count_new(&emit->written, &emit->cli->diagnostics, writer, error);
	if (writer != NULL && emit->options->clip != NULL)
		writer = anim_count_new(&emit->came, NULL, writer, error);
	return emit->options->same_tracks ? writer : order(emit, writer, error);
}

static struct anim_sink *open_clip(void *context, const struct anim_clip *clip, struct anim_sink *last,
				   struct anim_error *error)
{
	struct emit *emit = context;

	if (emit->options->each != NULL) {
		free(emit->path);
		emit->path = cli_each_path(&emit->each, clip, &emit->cli->diagnostics, error);
		if (emit->path == NULL || cli_each_open(&emit->each, emit->path, &emit->output, error) != 0 ||
		    open_bin(emit, emit->path, error) != 0)
			return NULL;
	}
	free(emit->clip);
	emit->clip = strdup(clip->name);
	if (emit->clip == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	emit->write.last = last == NULL ? NULL : emit->writer;
	return new_sink(emit, error);
}

/* Seal the current output and its further files, which get their names with all others. Returns 0 or -1. */
static int seal(struct emit *emit, struct anim_error *error)
{
	struct anim_output *output = emit->output, **others = (struct anim_output **)(void *)emit->others.data;

	emit->output = NULL;
	if (output != NULL && cli_each_seal(&emit->each, output, error) != 0)
		return -1;
	while (emit->others.size > 0) {
		emit->others.size -= sizeof *others;
		if (cli_each_seal(&emit->each, others[emit->others.size / sizeof *others], error) != 0)
			return -1;
	}
	return 0;
}

static int close_clip(void *context, struct anim_error *error)
{
	struct emit *emit = context;
	const struct options *options = emit->options;
	const char *path = options->each != NULL ? emit->path : options->common.output;
	struct anim_output *meta;

	if (options->each != NULL && seal(emit, error) != 0)
		return -1;
	if (options->meta == NULL)
		return 0;
	if (anim_unity_meta_open(&meta, path, strcmp(options->meta, "auto") == 0 ? NULL : options->meta, emit->clip,
				 options->common.force, error) != 0) {
		anim_output_free(meta);
		return -1;
	}
	return meta == NULL ? 0 : cli_each_seal(&emit->each, meta, error);
}

/* See struct anim_into. */
static int follow(void *context, const char *path, struct anim_output **output, struct anim_error *error)
{
	struct emit *emit = context;
	struct anim_output **place = anim_buffer_extend(&emit->others, sizeof *place, error);

	if (place == NULL)
		return -1;
	*place = NULL;
	if (cli_open_successor(emit->cli, path, place, error) != 0)
		return -1;
	*output = *place;
	return 0;
}

/* ---- Clips of a file that others replace ---- */

/* See struct anim_into. */
static int replaces(void *context, const char *name, struct anim_error *error)
{
	struct emit *emit = context;
	char safe[200];

	anim_text_safe(safe, sizeof safe, name, strlen(name));
	if (emit->options->keep) {
		anim_fail(error, ANIM_UNSUPPORTED, "has a clip '%s', which --keep does not replace", safe);
		return anim_error_in_file(error, emit->options->into);
	}
	emit->replaced_count++;
	return anim_buffer_append_text(&emit->replaced, emit->replaced.size == 0 ? "" : ", ", error) != 0
		   ? -1
		   : anim_buffer_append_text(&emit->replaced, safe, error);
}

/*
 * Report the clips that are replaced, unless the file stays the same, as if the same command has run before. To change
 * clips of the file itself is the purpose of such a command. Otherwise the user may not know that the file has such a clip.
 * Returns 0 or -1.
 */
static int report_replaced(struct emit *emit, struct anim_error *error)
{
	const struct anim_place place = {.file = emit->options->into, .at = ANIM_AT_FILE};
	bool is_warning = emit->has_foreign && !emit->options->common.force;
	/* the replaced keys stay in a glTF file, which grows even if the new ones are fewer */
	bool keeps = strcmp(emit->format->name, "gltf") == 0 || strcmp(emit->format->name, "glb") == 0;

	if (emit->replaced_count == 0 || (emit->others.size == 0 && !cli_changes_file(emit->output)))
		return 0;
	if (anim_buffer_append(&emit->replaced, "", 1, error) != 0)
		return -1;
	emit->cli->diagnostics.scope = NULL;
	return anim_diagnostics_add(&emit->cli->diagnostics, is_warning ? ANIM_WARNING : ANIM_NOTE, &place, NULL, error,
				    keeps && !emit->options->compact
					? "%zu clip%s replaced: %.400s; the old keys stay in the file; to drop them, "
					  "use " ANIM_OPTION("emit", "compact")
					: "%zu clip%s replaced: %.400s",
				    emit->replaced_count, emit->replaced_count == 1 ? " is" : "s are",
				    (const char *)emit->replaced.data);
}

/*
 * A filter before everything else: notes whether the clips are from the file of --into. If they are, they get the names that
 * they have there. A file of the same name with another suffix counts as another form of it.
 */
struct origin {
	struct anim_filter filter;
	struct emit *emit;
	char *tree_file; /* owned */
};

static int origin_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct origin *origin = (struct origin *)sink;

	free(origin->tree_file);
	origin->tree_file = strdup(tree->source_file);
	return origin->tree_file == NULL ? anim_fail_memory(error) : anim_filter_tree(sink, tree, error);
}

static int origin_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct origin *origin = (struct origin *)sink;
	const char *file = anim_clip_file(clip, origin->tree_file);
	const char *name = anim_attrs_get(&clip->attrs, ANIM_ATTR_OLD_NAME);
	const char *into = anim_path_last(origin->emit->options->into);
	struct anim_clip named = *clip;

	file = anim_path_last(file);
	if (strcmp(file, into) == 0 && name != NULL) {
		named.name = name;
		named.record = NULL;
	}
	if (strcspn(file, ".") != strcspn(into, ".") || strncmp(file, into, strcspn(file, ".")) != 0)
		origin->emit->has_foreign = true;
	return anim_filter_clip(sink, &named, error);
}

static void origin_free(struct anim_sink *sink)
{
	free(((struct origin *)sink)->tree_file);
	anim_filter_free(sink);
}

/* Put the filter in front of `next` (owned, also freed on failure, may be NULL) if there is a file of --into. */
static struct anim_sink *watch_origin(struct emit *emit, struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.tree = origin_tree, .clip = origin_clip, .free = origin_free};
	struct origin *origin;

	if (next == NULL || emit->options->into == NULL)
		return next;
	origin = anim_filter_new(sizeof *origin, &ops, next, error);
	if (origin == NULL)
		return NULL;
	origin->emit = emit;
	return &origin->filter.sink;
}

/* Put the filters for --angles in front of `next`, with the same ownership. */
static struct anim_sink *angles(struct emit *emit, struct anim_sink *next, struct anim_error *error)
{
	const struct anim_rotations_options rotations = {.tol = emit->tol_deg, .diagnostics = &emit->cli->diagnostics};

	if (emit->options->angles < 0)
		return next;
	next = anim_angles_new((enum anim_euler_order)emit->options->angles, &emit->cli->diagnostics, next, error);
	return anim_rotations_new(&rotations, next, error);
}

/*
 * Build the sinks. A format of one clip gets one clip; other formats get all clips, unless one is selected or each
 * has its own file.
 */
static struct anim_sink *sink_of(struct emit *emit, struct anim_error *error)
{
	const struct options *options = emit->options;
	const struct anim_pick_options pick = {.clip = options->clip,
					       .each = options->each != NULL || emit->is_trial,
					       .takes_tree = emit->format->takes_tree,
					       .format = emit->format->name,
					       .suffix = emit->format->suffix,
					       .store_memory = cli_store_memory(),
					       .diagnostics = &emit->cli->diagnostics,
					       .make = open_clip,
					       .finish = close_clip,
					       .on_tree = saw_tree,
					       .context = emit};
	struct anim_sink *sink;

	if ((emit->format->holds_many || emit->write.into.several) && !options->wide && options->clip == NULL &&
	    options->each == NULL)
		return convert(emit, new_sink(emit, error), error);
	sink = emit->format->sort == ANIM_FORMAT_STREAM && options->each != NULL ? anim_split_new(&pick, error)
										 : anim_pick_new(&pick, error);
	/* All clips get the same list of tracks before each is written to its file. */
	if (options->same_tracks && sink != NULL)
		sink = anim_bind_same_new(&emit->rests, cli_store_memory(), &emit->cli->diagnostics, sink, error);
	if (options->same_tracks)
		sink = order(emit, sink, error);
	return convert(emit, sink, error); /* once for all clips, because it reads each tree once */
}

static struct anim_sink *make(struct cli *cli, void *context, struct anim_sink *next, struct anim_error *error)
{
	struct emit *emit = context;
	const char *into = emit->options->into;
	bool is_each = emit->options->each != NULL;

	(void)next;
	if (emit->format->is_binary && !is_each && cli_check_terminal(cli, emit->format->name, error) != 0)
		return NULL;
	if (into != NULL && emit->format->into(&emit->write, error) != 0)
		return NULL;
	/* A file of --into is replaced unless -o names another output. */
	if (!is_each && (into == NULL || emit->options->common.output != NULL
			     ? cli_open_output(cli, &emit->output, error)
			     : cli_open_successor(cli, into, &emit->output, error)) != 0)
		return NULL;
	if (!is_each && open_bin(emit, emit->options->common.output, error) != 0)
		return NULL;
	if (emit->options->rest != NULL && source_read_rests(cli, emit->options->rest, &emit->rests, error) != 0)
		return NULL;
	return watch_origin(emit, angles(emit, sink_of(emit, error), error), error);
}

/* Write the sheet of --bind-sheet. */
static int write_sheet(struct cli *cli, void *context, struct anim_error *error)
{
	struct emit *emit = context;
	const char *path = emit->options->bind_sheet;

	if (path == NULL)
		return 0;
	return anim_bind_sheet_end(&emit->sheet, error) != 0 || cli_open_file(cli, path, true, &cli->report, error) != 0
		   ? -1
		   : anim_output_write(cli->report, emit->sheet.text.data, emit->sheet.text.size, error);
}

/* Note which options changed nothing. Returns 0 or -1. */
static int note_unused(struct emit *emit, struct anim_error *error)
{
	struct anim_diagnostics *diagnostics = &emit->cli->diagnostics;
	const struct cli *front = emit->cli->front == NULL ? emit->cli : emit->cli->front->cli;
	bool approximates = emit->format->caps == NULL || emit->is_trial;
	/* steps before this one take the same file, and a scene also has the classes and paths of nodes */
	bool rests = emit->options->rest == NULL || emit->rests.used || emit->options->same_tracks ||
		     cli_was_given(front, "mirror") || cli_was_given(front, "bake") || cli_was_given(front, "world") ||
		     cli_was_given(front, "loops") || cli_was_given(front, "drop-constant");

	for (size_t i = 0; i < diagnostics->count; i++)
		approximates = approximates || diagnostics->items[i].unit != NULL;
	if (emit->options->tol != NULL && !approximates &&
	    anim_diagnostics_note(diagnostics, NULL, error,
				  ANIM_OPTION("emit", "tol") " has no effect, because no curve was approximated") != 0)
		return -1;
	for (size_t i = 0; i < emit->rests.count; i++)
		rests = rests || emit->rests.items[i].type[0] != '\0';
	return rests
		   ? 0
		   : anim_diagnostics_note(
			 diagnostics, NULL, error,
			 ANIM_OPTION("emit", "rest") " has no effect, because no track needs a rest pose of this file");
}

/* Commit all files of a run together. */
static int commit(struct cli *cli, void *context, struct anim_output **reports, size_t count, struct anim_error *error)
{
	struct emit *emit = context;
	int result = 0;

	(void)cli;
	/*
	 * A file that has none of the input tracks would look like an animation but play nothing. The warnings printed with
	 * the error say why.
	 */
	if (emit->came > 0 && emit->written == 0)
		result = anim_fail(error, ANIM_STRICT, "no file is written: %s can hold none of the tracks (%zu)",
				   emit->format->name, emit->came);
	if (result == 0)
		result = note_unused(emit, error);
	if (result == 0 && emit->output != NULL && (result = anim_output_seal(emit->output, error)) == 0)
		result = report_replaced(emit, error);
	if (result == 0)
		result = anim_diagnostics_check(&emit->cli->diagnostics, error);
	for (size_t i = 0; i < count; i++)
		if (result == 0)
			result = cli_each_seal(&emit->each, reports[i], error);
		else
			anim_output_free(reports[i]);
	return result != 0 || seal(emit, error) != 0 ? -1 : cli_each_commit(&emit->each, error);
}

static void clear(void *context)
{
	struct emit *emit = context;

	anim_output_free(emit->output);
	for (size_t i = 0; i < emit->others.size / sizeof(struct anim_output *); i++)
		anim_output_free(((struct anim_output **)(void *)emit->others.data)[i]);
	anim_buffer_clear(&emit->others);
	cli_each_clear(&emit->each);
	anim_rests_clear(&emit->rests);
	anim_graph_clear(&emit->graph);
	anim_buffer_clear(&emit->replaced);
	anim_buffer_clear(&emit->sheet.text);
	free(emit->path);
	free(emit->clip);
	free(emit->bin_path);
}

static void fill_write(struct emit *emit)
{
	const struct options *options = emit->options;

	emit->write =
	    (struct anim_write_options){.pretty = options->pretty,
					.raw_as_curve = options->raw_as == 1,
					.keep_double = options->keep_double,
					.source_names = options->names == 1,
					.library = options->library,
					.keep_names = options->keep_names,
					.images = options->images,
					.encoding = (enum anim_animx_encoding)options->encoding,
					.key_order = (enum anim_animx_key_order)options->key_order,
					.tangent_order = (enum anim_animx_tangent_order)options->tangent_order,
					.version = (enum anim_godot_version)options->godot,
					.bezier = (enum anim_bezier)options->bezier,
					.wide = options->wide,
					.one_packet = options->packets == 1,
					.digits = digits(emit->cli, options->digits),
					.pointers = options->pointer,
					.extras = options->extras,
					.loop_names = options->loop_name,
					.into = {.file = options->into,
						 .player = options->player,
						 .only = options->only,
						 .compact = options->compact,
						 .force = options->common.force,
						 .follow = options->follow ? follow : NULL,
						 .replaces = replaces,
						 .context = emit},
					.bvh = {.unit = options->unit,
						.up = (enum anim_bvh_up)(options->up + 1),
						.order = (unsigned)(options->order + 1)},
					.store_memory = cli_store_memory(),
					.diagnostics = &emit->cli->diagnostics};
}

/* Set the axes. The default is the axes of the format. */
static void choose_axes(struct emit *emit)
{
	const char *asked = emit->options->axes, *axes = asked != NULL ? asked : emit->format->axes;
	struct anim_axes_options *out = &emit->axes;

	*out = (struct anim_axes_options){
	    .ppu = ANIM_AXES_PPU, .by_default = asked == NULL, .diagnostics = &emit->cli->diagnostics};
	if (axes == NULL || strcasecmp(axes, "keep") == 0)
		return;
	if (anim_axes_find(axes, &out->target, &out->target2d) != 0)
		cli_usage_word(emit->cli, cli_printf(emit->cli, "%s: ", cli_spelled(emit->cli, "axes")), axes,
			       axes_words);
	if (out->target2d == ANIM_AXES2D_GODOT) /* clips of other engines have +Y up and no pixels, as Unity's have */
		out->from2d = ANIM_AXES2D_UNITY;
}

/* Read the controller of --graph. Messages about its files come with the clips. Returns 0 or -1. */
static int read_graph(struct emit *emit, struct anim_error *error)
{
	struct anim_diagnostics unsaid = {0};
	struct anim_load_options source;
	struct anim_input *input;
	int result = cli_open_input(emit->cli, emit->options->graph, &input, error);

	source_options_init(&source, emit->cli);
	source.read.diagnostics = &unsaid;
	if (result == 0)
		result = anim_load_graph(input, &source, &emit->graph, error);
	anim_input_close(input);
	anim_diagnostics_clear(&unsaid);
	emit->write.graph = &emit->graph;
	return result;
}

/* When appended to another program, the step has no options of its own, and the suffix of -o chooses the format. */
static int begin(struct cli *cli, void *context, struct anim_error *error)
{
	struct emit *emit = context;
	struct options *options = &emit->own;
	const struct anim_format *suffixed;
	const char *output;

	emit->cli = cli;
	emit->options = options;
	if (cli->program == &program)
		emit->format = choose_format(cli, options);
	else
		emit->format = anim_format_to_write(options->common.output);
	cli->lint_target = emit->format->name;
	if (find_into(options->common.output) == emit->format)
		cli->into = cli->program == &program ? "--into" : "anim convert --into";
	check_options(cli, options, emit->format);
	output = options->each != NULL ? options->each : options->common.output;
	suffixed = options->into == NULL ? anim_format_to_write(output) : NULL;
	if (suffixed != NULL && suffixed != emit->format &&
	    anim_diagnostics_note(&cli->diagnostics, NULL, error, "'%s' gets the contents of a .%s file", output,
				  emit->format->suffix) != 0)
		return -1;
	if (cli->program == &program)
		check_typed(cli, options, emit->format);
	choose_axes(emit);
	read_tolerance(emit, options->tol);
	emit->each = (struct cli_each){.cli = cli, .pattern = options->each};
	if (options->bind_sheet != NULL)
		emit->sheet.form = anim_text_ends(options->bind_sheet, ".csv")    ? ANIM_BIND_CSV
				   : anim_text_ends(options->bind_sheet, ".json") ? ANIM_BIND_JSON
										  : ANIM_BIND_TEXT;
	fill_write(emit);
	if (cli_check_replaced(cli, options->bind_sheet, true, error) != 0)
		return -1;
	return options->graph == NULL ? 0 : read_graph(emit, error);
}

static const struct emit defaults = {.own = {.up = -1, .order = -1, .angles = -1}};
const struct step_kind program_emit = {.command_line = &program,
				       .size = sizeof(struct emit),
				       .defaults = &defaults,
				       .begin = begin,
				       .make = make,
				       .report = write_sheet,
				       .commit = commit,
				       .clear = clear};

int emit_try(struct step *step, const struct anim_format *format, struct anim_error *error)
{
	struct emit *emit = anim_zeroed(sizeof *emit, error);

	*step = (struct step){.kind = &program_emit, .cli = &step->own, .job = emit};
	step->own = (struct cli){.program = &program, .options = &step->common, .diagnostics = {.apart = true}};
	if (emit == NULL)
		return -1;
	*emit = defaults;
	emit->own.format = format->name;
	emit->own.common = (struct cli_common){.quiet = true, .output = "/dev/null"};
	emit->is_trial = true;
	step->common = emit->own.common;
	if (begin(step->cli, emit, error) == 0)
		step->sink = make(step->cli, emit, NULL, error);
	return step->sink == NULL ? -1 : 0;
}

uint64_t emit_tried(const struct step *step)
{
	const struct emit *emit = step->job;

	return emit == NULL || emit->output == NULL ? 0 : anim_output_offset(emit->output);
}
