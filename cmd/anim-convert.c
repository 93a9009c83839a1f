/* anim-convert.c: files -> a file: picks the programs by the files and runs them as steps of one chain. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/each.h"
#include "filter/axes/axes.h"
#include "programs.h"
#include "source.h"

struct options {
	struct cli_common common;
	const char *each, *into, *player, *time, *duration, *speed, *shift, *snap, *loop, *from, *flip, *ppu, *axes,
	    *on, *reduce, *keys, *humanoid, *crc, *skeleton, *rate, *end, *loops, *rest, *raw_as, *tol, *names,
	    *encoding, *retarget, *additive, *key_order, *tangent_order, *meta, *godot, *digits, *bezier, *read,
	    *godot_rules, *to_key_order, *to_unit, *to_up, *joint_rest, *unit, *up, *order, *source_name, *depfile,
	    *target, *min_keys, *jobs;
	struct cli_texts clips, nodes, properties, types, kinds, expressions, maps;
	int format; /* -1: not given */
	bool only, follow, compact, keep_going, no_external, trust_size, slerp, add_offset, pointer, extras, loop_name,
	    bin, merge, append, constant, require, reverse, bake, all, drop_constant, world, pretty, keep_double,
	    mirror, in_place, root_motion, keep_names, bindable, same_tracks, library, fast, best, verbose, dry_run;
};

static const struct cli_option rows[] = {
    {'f', "format", "FORMAT", "the format to write, whatever OUT is called:", CLI_CHOICE, AT(format),
     cli_formats_written, false},
    {0, "each", "PATTERN", "a file for every clip: %c is its name, %p its player, %f the source file", CLI_TEXT,
     AT(each), NULL, false},
    {0, "into", "FILE", "put the clips into this Godot scene or library", CLI_TEXT, AT(into), NULL, false},
    {'c', "clip", "CLIP", "only clips of this name: a glob, or PLAYER:NAME; may be given again", CLI_TEXTS, AT(clips),
     NULL, false},
    {'n', "node", "GLOB", "tracks of these nodes; may be given again", CLI_TEXTS, AT(nodes), NULL, false},
    {'p', "property", "GLOB", "tracks of these properties: position, 'material.*', position.x", CLI_TEXTS,
     AT(properties), NULL, false},
    {0, "type", "TYPE", "tracks of these value types: float3, 'double*'; may be given again", CLI_TEXTS, AT(types),
     NULL, false},
    {0, "kind", "KIND", "tracks of these kinds: raw, discrete, curve; may be given again", CLI_TEXTS, AT(kinds), NULL,
     false},
    {0, "constant", NULL, "tracks that never change", CLI_FLAG, AT(constant), NULL, false},
    {0, "min-keys", "N", "tracks with at least N keys", CLI_TEXT, AT(min_keys), NULL, false},
    {0, "require", NULL, "fail where nothing is left of these", CLI_FLAG, AT(require), NULL, false},
    {0, "read", "FORMAT", "read files as this, whatever they look like (-f of anim-parse)", CLI_TEXT, AT(read), NULL,
     false},
    {0, "godot-rules", "VERSION", "whose arithmetic counts in files that are read", CLI_TEXT, AT(godot_rules), NULL,
     false},
    {0, "key-order", "ORDER", "of animx files that are read", CLI_TEXT, AT(key_order), NULL, false},
    {0, "unit", "UNIT", "what one is in a bvh that is read: cm, m, in, cmu, metres", CLI_TEXT, AT(unit), NULL, false},
    {0, "up", "AXIS", "the axis of a bvh that is read that points up: y, z", CLI_TEXT, AT(up), NULL, false},
    {0, "joint-rest", "WHOSE", "rests of joints in a glTF that is read: node, bind", CLI_TEXT, AT(joint_rest), NULL,
     false},
    {0, "add-offset", NULL, "positions of a bvh that is read count from the OFFSET of the joint", CLI_FLAG,
     AT(add_offset), NULL, false},
    {0, "slerp", NULL, "Resonite's Linear rotations turn the short way round", CLI_FLAG, AT(slerp), NULL, false},
    {0, "trust-size", NULL, "read an animx of more tracks, or that inflates to more, than is likely", CLI_FLAG,
     AT(trust_size), NULL, false},
    {0, "source-name", "NAME", "the file's name in what is written; standard input has none", CLI_TEXT, AT(source_name),
     NULL, false},
    {0, "depfile", "FILE", "write a make rule over every file that was opened", CLI_TEXT, AT(depfile), NULL, false},
    {0, "target", "NAME", "the target of that rule", CLI_TEXT, AT(target), NULL, false},
    {0, "keep-going", NULL, "leave faulty clips and files out instead of failing", CLI_FLAG, AT(keep_going), NULL,
     false},
    {0, "no-external", NULL, "do not open the files that a file refers to", CLI_FLAG, AT(no_external), NULL, false},
    {0, "merge", NULL, "clips of one name become one clip with the tracks of all", CLI_FLAG, AT(merge), NULL, false},
    {0, "append", NULL, "clips of one name become one clip, each behind the end of the one before", CLI_FLAG,
     AT(append), NULL, false},
    {'t', "time", "FROM..TO", "clips become this part, which starts at 0: 12..14.5, 0:12:00..0:12:02, 12.., ..14.5",
     CLI_TEXT, AT(time), NULL, false},
    {0, "reverse", NULL, "backwards", CLI_FLAG, AT(reverse), NULL, false},
    {0, "speed", "X", "so many times as fast: 2, 0.5, 30/24", CLI_TEXT, AT(speed), NULL, false},
    {0, "duration", "S", "as fast as it takes to last so many seconds", CLI_TEXT, AT(duration), NULL, false},
    {0, "shift", "S", "so many seconds later; earlier with a minus", CLI_TEXT, AT(shift), NULL, false},
    {0, "snap", "RATE", "keys to the nearest whole frame", CLI_TEXT, AT(snap), NULL, false},
    {0, "loop", "HOW", "what clips do at their end: none, wrap, ping-pong", CLI_TEXT, AT(loop), NULL, false},
    {0, "from", "AXES", "what clips are in that do not say, as anim-axes has them", CLI_TEXT, AT(from), NULL, false},
    {0, "axes", "AXES", "those to write, as anim-axes has them, instead of the format's; keep: change none", CLI_TEXT,
     AT(axes), NULL, false},
    {0, "flip", "AXIS", "the axis to mirror: x (the default) or z", CLI_TEXT, AT(flip), NULL, false},
    {0, "ppu", "PIXELS", "two dimensions, with so many of Godot's pixels to one of Unity's units", CLI_TEXT, AT(ppu),
     NULL, false},
    {'e', "expression", "s/ERE/TEXT/[gi]", "what sed would do to a name; may be given again", CLI_TEXTS,
     AT(expressions), NULL, false},
    {0, "on", "WHAT", "what -e and --map rename: node, name, property, clip", CLI_TEXT, AT(on), NULL, false},
    {0, "map", "FILE", "lines of from,to: names, or paths with a '/'; may be given again", CLI_TEXTS, AT(maps), NULL,
     false},
    {0, "humanoid", "FROM:TO", "bones of a human: unity, godot, mixamo, vrm, vrm0, cmu, rokoko, neuron", CLI_TEXT,
     AT(humanoid), NULL, false},
    {0, "crc", "FILE", "nodes that are CRC-32 numbers get the path again: lines of paths, or any file that is read",
     CLI_TEXT, AT(crc), NULL, false},
    {0, "skeleton", "PATH", "tracks of transforms become those of bones of the skeleton there; none: they do not",
     CLI_TEXT, AT(skeleton), NULL, false},
    {'r', "rate", "RATE", "samples a second; else, and with --reduce, curves stay curves", CLI_TEXT, AT(rate), NULL,
     false},
    {0, "end", "END",
     "where the end is no whole frame: cover (a sample past it), grid, fit (bend the rate), loop (no copy of the "
     "first)",
     CLI_TEXT, AT(end), NULL, false},
    {0, "all", NULL, "sample what only steps too", CLI_FLAG, AT(all), NULL, false},
    {0, "bake", NULL, "sample with anim-bake: whole values; with --reduce, too", CLI_FLAG, AT(bake), NULL, false},
    {0, "loops", "N", "write out N runs of clips that loop; one of a ping-pong clip is there and back", CLI_TEXT,
     AT(loops), NULL, false},
    {0, "drop-constant", NULL, "leave out what stays at its rest, keep one sample of other constants", CLI_FLAG,
     AT(drop_constant), NULL, false},
    {0, "world", NULL, "sample with anim-bake: nodes in the space that their tree stands in", CLI_FLAG, AT(world), NULL,
     false},
    {0, "rest", "FILE", "a file whose nodes tell the rests of those that the stream's trees do not have", CLI_TEXT,
     AT(rest), NULL, false},
    {0, "retarget", "FILE", "bring the clips onto the skeleton in this file; --map then pairs bones", CLI_TEXT,
     AT(retarget), NULL, false},
    {0, "mirror", NULL, "left becomes right", CLI_FLAG, AT(mirror), NULL, false},
    {0, "in-place", NULL, "the body stays where it is: the motion of its hips over the ground goes", CLI_FLAG,
     AT(in_place), NULL, false},
    {0, "root-motion", NULL, "the motion of the hips over the ground goes to the root", CLI_FLAG, AT(root_motion), NULL,
     false},
    {0, "additive", "POSE", "make differences from a pose: first, last, @SECONDS, rest or a file", CLI_TEXT,
     AT(additive), NULL, false},
    {0, "reduce", "LIMITS",
     "leave out keys of the curves themselves, with anim-reduce, for the target's player: 1mm@10cm, 0.1deg", CLI_TEXT,
     AT(reduce), NULL, false},
    {0, "keys", "KEYS", "with --reduce: straight lines between keys, or cubics with slopes: linear, hermite, auto",
     CLI_TEXT, AT(keys), NULL, false},
    {0, "tol", "OFF", "how far a curve that is approximated may be off (0.0001); rotations a hundred times in degrees",
     CLI_TEXT, AT(tol), NULL, false},
    {0, "names", "WHOSE", "whose names: target (of the engine written for), source", CLI_TEXT, AT(names), NULL, false},
    {0, "double", NULL, "keep doubles; else a scalar that Godot wrote as a double becomes a float", CLI_FLAG,
     AT(keep_double), NULL, false},
    {0, "pretty", NULL, "one key a line instead of one track a line", CLI_FLAG, AT(pretty), NULL, false},
    {0, "raw-as", "KIND", "how samples at a fixed rate are written: raw, curve (Linear keys)", CLI_TEXT, AT(raw_as),
     NULL, false},
    {0, "bindable", NULL, "animj, animx: only tracks of slots' Position, Rotation, Scale and Active", CLI_FLAG,
     AT(bindable), NULL, false},
    {0, "player", "PATH", "with --into: the AnimationPlayer that the clips are for", CLI_TEXT, AT(player), NULL, false},
    {0, "only", NULL, "with --into: clips that the stream does not have go", CLI_FLAG, AT(only), NULL, false},
    {0, "follow", NULL, "with --into: clips that the file has in others are put into these", CLI_FLAG, AT(follow), NULL,
     false},
    {0, "compact", NULL, "glb, gltf: with --into: what only animations had that are replaced or go is dropped",
     CLI_FLAG, AT(compact), NULL, false},
    {0, "same-tracks", NULL, "with --each: one list of tracks for all clips, what one lacks at its rest", CLI_FLAG,
     AT(same_tracks), NULL, false},
    {0, "encoding", "HOW", "how animx is stored: plain, lz4, lzma", CLI_TEXT, AT(encoding), NULL, false},
    {0, "to-key-order", "ORDER", "of the halves of animx Curve keys: time-value, value-time", CLI_TEXT,
     AT(to_key_order), NULL, false},
    {0, "tangent-order", "ORDER", "of animx tangents: left-right, right-left", CLI_TEXT, AT(tangent_order), NULL,
     false},
    {0, "meta", "GUID", "unity: write FILE.meta beside FILE, with this guid, or with auto one of its own", CLI_TEXT,
     AT(meta), NULL, false},
    {0, "godot", "VERSION", "tres, tscn: spelled as this Godot writes: 4.5, 3, 4.2, 4.6", CLI_TEXT, AT(godot), NULL,
     false},
    {0, "library", NULL, "tres: an AnimationLibrary for one clip, too", CLI_FLAG, AT(library), NULL, false},
    {0, "bezier", "WHEN",
     "tres, tscn: vectors' curves with handles as Bezier tracks of their lanes: auto, never, always", CLI_TEXT,
     AT(bezier), NULL, false},
    {0, "digits", "N", "tres, tscn: significant digits of numbers, 6 as in older files; else the shortest exact text",
     CLI_TEXT, AT(digits), NULL, false},
    {0, "keep-names", NULL, "tres, tscn: properties that Godot 4 renamed keep their names", CLI_FLAG, AT(keep_names),
     NULL, false},
    {0, "pointer", NULL, "glb, gltf: visibility and other properties, too, for players of KHR_animation_pointer",
     CLI_FLAG, AT(pointer), NULL, false},
    {0, "extras", NULL, "glb, gltf: events, too, as extras of their animations", CLI_FLAG, AT(extras), NULL, false},
    {0, "loop-name", NULL, "glb, gltf: names of clips that loop end in -loop, by which Godot knows them", CLI_FLAG,
     AT(loop_name), NULL, false},
    {0, "bin", NULL, "gltf: the numbers in a file of their own beside it", CLI_FLAG, AT(bin), NULL, false},
    {0, "to-unit", "UNIT", "bvh: what one is in the file: cm, m, in, cmu, or a number of metres", CLI_TEXT, AT(to_unit),
     NULL, false},
    {0, "to-up", "AXIS", "bvh: the axis that points up in the file: y, z", CLI_TEXT, AT(to_up), NULL, false},
    {0, "order", "ORDER", "bvh: of the channels that turn: XYZ, XZY, YXZ, YZX, ZXY, ZYX", CLI_TEXT, AT(order), NULL,
     false},
    {'j', "jobs", "N", "an archive: threads that compress, 1 to 256", CLI_TEXT, AT(jobs), NULL, false},
    {'1', "fast", NULL, "an archive: zlib's level 1", CLI_FLAG, AT(fast), NULL, false},
    {'9', "best", NULL, "an archive: zlib's level 9", CLI_FLAG, AT(best), NULL, false},
    {'v', "verbose", NULL, "print the line of shell that does the same, on standard error", CLI_FLAG, AT(verbose), NULL,
     false},
    {0, "dry-run", NULL, "print that line on standard output, and run nothing", CLI_FLAG, AT(dry_run), NULL, false},
};
static const char *const examples[] = {"anim convert walk.tscn walk.animj",
				       "anim convert -r 30 hero.tscn 'out/%c.animj'",
				       "anim convert -v --skeleton Armature/Skeleton3D dance.anim dance.tres", NULL};
static const struct cli_program program = {.name = "anim-convert",
					   .summary = "converts files with the other programs, in one process",
					   .usage = "[OPTION...] IN... OUT",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_HAS_STRICT,
					   .least_operands = 1,
					   .most_operands = -1};

/* The programs in the order of the pipe; in two dimensions SAMPLE stands before AXES, as anim-axes(1) says. */
enum stage {
	UNPACK,
	PARSE,
	FILTER,
	RETIME,
	AXES,
	RENAME,
	RETARGET,
	MIRROR,
	ROOT,
	DELTA,
	SAMPLE,
	REDUCE,
	EMIT,
	PACK,
	STAGE_COUNT
};
static const enum stage order_3d[] = {UNPACK, PARSE, FILTER, RETIME, AXES,   RENAME, RETARGET,
				      MIRROR, ROOT,  DELTA,  SAMPLE, REDUCE, EMIT,   PACK};
static const enum stage order_2d[] = {UNPACK,   PARSE,  FILTER, RETIME, SAMPLE, AXES, RENAME,
				      RETARGET, MIRROR, ROOT,   DELTA,  REDUCE, EMIT, PACK};
_Static_assert(STAGE_COUNT < STEPS_MAX, "a chain has room for all stages");

/* The options that go to a program, under `as` where that has them under another name. What is not here is seen to apart. */
static const struct {
	enum stage to;
	const char *name, *as;
} passed[] = {
    {PARSE, "read", "format"},     {PARSE, "godot-rules", NULL}, {PARSE, "key-order", NULL},
    {PARSE, "unit", NULL},         {PARSE, "up", NULL},          {PARSE, "joint-rest", NULL},
    {PARSE, "add-offset", NULL},   {PARSE, "slerp", NULL},       {PARSE, "keep-going", NULL},
    {PARSE, "no-external", NULL},  {PARSE, "trust-size", NULL},  {PARSE, "source-name", NULL},
    {PARSE, "depfile", NULL},      {PARSE, "target", NULL},      {FILTER, "node", NULL},
    {FILTER, "property", NULL},    {FILTER, "type", NULL},       {FILTER, "kind", NULL},
    {FILTER, "constant", NULL},    {FILTER, "min-keys", NULL},   {FILTER, "require", NULL},
    {RETIME, "time", NULL},        {RETIME, "reverse", NULL},    {RETIME, "speed", NULL},
    {RETIME, "duration", NULL},    {RETIME, "shift", NULL},      {RETIME, "snap", NULL},
    {RETIME, "loop", NULL},        {AXES, "from", NULL},         {AXES, "flip", NULL},
    {AXES, "ppu", NULL},           {RENAME, "expression", NULL}, {RENAME, "on", NULL},
    {RETARGET, "retarget", "to"},  {DELTA, "additive", "from"},  {RENAME, "humanoid", NULL},
    {RENAME, "crc", NULL},         {SAMPLE, "rate", NULL},       {SAMPLE, "end", NULL},
    {SAMPLE, "all", NULL},         {SAMPLE, "loops", NULL},      {SAMPLE, "drop-constant", NULL},
    {SAMPLE, "world", NULL},       {REDUCE, "reduce", "tol"},    {REDUCE, "keys", NULL},
    {EMIT, "format", NULL},        {EMIT, "rest", NULL},         {EMIT, "tol", NULL},
    {EMIT, "names", NULL},         {EMIT, "double", NULL},       {EMIT, "pretty", NULL},
    {EMIT, "raw-as", NULL},        {EMIT, "bindable", NULL},     {EMIT, "player", NULL},
    {EMIT, "only", NULL},          {EMIT, "follow", NULL},       {EMIT, "compact", NULL},
    {EMIT, "same-tracks", NULL},   {EMIT, "encoding", NULL},     {EMIT, "to-key-order", NULL},
    {EMIT, "tangent-order", NULL}, {EMIT, "meta", NULL},         {EMIT, "godot", NULL},
    {EMIT, "library", NULL},       {EMIT, "digits", NULL},       {EMIT, "bezier", NULL},
    {EMIT, "keep-names", NULL},    {EMIT, "pointer", NULL},      {EMIT, "extras", NULL},
    {EMIT, "loop-name", NULL},     {EMIT, "bin", NULL},          {EMIT, "to-unit", NULL},
    {EMIT, "to-up", NULL},         {EMIT, "order", NULL},        {PACK, "jobs", NULL},
    {PACK, "fast", NULL},          {PACK, "best", NULL},
};

struct words {
	char **items; /* the first is the program's path; NULL at the end */
	size_t count; /* 0: the program does not stand in the pipe */
};

struct file {
	const char *path;
	bool is_stream, is_archive;
	const char *axes; /* that its clips are in; NULL: what is in it tells */
};

struct convert {
	struct cli *cli;
	const struct options *options;
	struct words stages[STAGE_COUNT];
	struct file *inputs;
	size_t input_count, stream_count;
	const char *out, *out_option;     /* "-o": a file, - is standard output; "--each": a pattern; "--into" */
	const struct anim_format *format; /* that is written; NULL: a stream */
	const char *axes;                 /* what anim-axes is told; NULL: nothing */
	const enum stage *order;
};

/* ---- The words of the programs ---- */

/* The program stands in the pipe. */
static void use(struct convert *convert, enum stage stage)
{
	if (convert->stages[stage].count == 0)
		convert->stages[stage].count = 1;
}

/* Appends a word, for which there is room. */
static void add(struct convert *convert, enum stage stage, const char *word)
{
	use(convert, stage);
	convert->stages[stage].items[convert->stages[stage].count++] = (char *)(uintptr_t)word;
}

static const struct cli_option *row_of(const char *name)
{
	for (size_t i = 0; i < ANIM_COUNT(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

/* An option with its letter where it has one, or `as` the program has it (NULL: the same); value NULL: a flag. */
static void add_option(struct convert *convert, enum stage stage, const struct cli_option *row, const char *as,
		       const char *value)
{
	size_t length = strlen(as != NULL ? as : row->name) + 3;
	char *word = anim_arena_alloc(&convert->cli->arena, length, NULL);

	if (word == NULL)
		cli_no_memory(convert->cli);
	if (as == NULL && row->letter != '\0')
		snprintf(word, length, "-%c", row->letter);
	else
		snprintf(word, length, "--%s", as != NULL ? as : row->name);
	add(convert, stage, word);
	if (value != NULL)
		add(convert, stage, value);
}

/* What was given of an option, as often as it was given. */
static void pass_on(struct convert *convert, enum stage stage, const char *name, const char *as)
{
	const struct cli_option *row = row_of(name);
	const void *at = (const char *)convert->options + row->offset;
	const struct cli_texts *texts = at;

	if (!cli_was_given(convert->cli, name))
		return;
	if (row->kind == CLI_FLAG)
		add_option(convert, stage, row, as, NULL);
	else if (row->kind == CLI_TEXT)
		add_option(convert, stage, row, as, *(const char *const *)at);
	else if (row->kind == CLI_CHOICE)
		add_option(convert, stage, row, as, row->choices[*(const int *)at]);
	else
		for (size_t i = 0; i < texts->count; i++)
			add_option(convert, stage, row, as, texts->items[i]);
}

/* Room for all words that a command line can become: each program may get all of them, and some more. */
static void make_room(struct convert *convert)
{
	size_t count = 2 * (size_t)convert->cli->argument_count + 32; /* an option and its value may be one argument */

	for (size_t i = 0; i < STAGE_COUNT; i++) {
		convert->stages[i].items =
		    anim_arena_zeroed(&convert->cli->arena, count, sizeof *convert->stages[i].items, NULL);
		if (convert->stages[i].items == NULL)
			cli_no_memory(convert->cli);
	}
}

/* ---- What is read and what is written ---- */

/* What a file is, by its content or, where it cannot be looked at, its name; NULL: nothing tells. *gzip: it is, and is there. */
static const struct anim_format *format_of_file(const char *path, bool *gzip)
{
	struct anim_error error = {0};
	struct anim_input *input = NULL;
	const struct anim_format *format = anim_format_of_name(path);
	struct stat info;
	const uint8_t *at;
	ssize_t size;

	*gzip = false;
	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || anim_input_open(&input, path, NULL, &error) != 0)
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

static void look_at_inputs(struct convert *convert)
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

		if (!is_stream && convert->options->read != NULL)
			format = anim_format_find(convert->options->read, false);
		convert->inputs[i] =
		    (struct file){cli->operands[i], is_stream, is_stream && gzip, format == NULL ? NULL : format->axes};
		convert->stream_count += is_stream;
	}
}

static bool is_same_file(const char *one, const char *other)
{
	struct stat a, b;

	return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The format of the file, if clips can be put into it; else NULL. */
static const struct anim_format *can_be_put_into(const char *file)
{
	const struct anim_format *format = anim_format_to_write(file);

	return format == NULL || format->into == NULL ? NULL : format;
}

/* Return the command line as typed without OUT, the operand or the value of -o (NULL: with it), but with this option. */
static const char *typed(struct cli *cli, const char *out, const char *option, const char *value)
{
	const char *rest = cli_command_line(cli, out, NULL) + strlen(cli->program->name);

	return cli_printf(cli, "anim convert %s %s%s", option, cli_quoted(cli, value), rest);
}

/*
 * A file that is read and written is one whose clips are changed: all else in it would be lost. For a format of one clip
 * -o says that this is meant.
 */
static void check_same(struct convert *convert, bool is_operand)
{
	const struct anim_format *into = can_be_put_into(convert->out);

	for (size_t i = 0; i < convert->input_count && into != NULL; i++)
		if ((is_operand || into->holds_many) && is_same_file(convert->out, convert->cli->operands[i]))
			cli_refuse(convert->cli, "'%s' is read, too; to change its clips and keep the rest, try: %s",
				   convert->out, typed(convert->cli, convert->out, "--into", convert->out));
}

/*
 * Who forgets OUT would have his last file written over: one that exists and is called as what is read has to be named
 * as the output.
 */
static void check_there(struct convert *convert)
{
	const char *out = convert->out, *last = convert->cli->operands[convert->input_count - 1];
	const char *dot = strrchr(out, '.'), *other = strrchr(last, '.');
	struct stat info;

	if (dot == NULL || other == NULL || strcasecmp(dot, other) != 0 || stat(out, &info) != 0 ||
	    !S_ISREG(info.st_mode))
		return;
	if (can_be_put_into(out) != NULL)
		cli_refuse(convert->cli, "OUT '%s' exists; to write over it: -o %s; to put the clips into it, try: %s",
			   out, cli_quoted(convert->cli, out), typed(convert->cli, out, "--into", out));
	cli_refuse(convert->cli, "OUT '%s' exists; to write over it, try: %s", out,
		   typed(convert->cli, out, "-o", out));
}

/* Of the operands the last one, where no option names what is written. */
static void choose_out(struct convert *convert)
{
	struct cli *cli = convert->cli;
	const struct options *options = convert->options;
	const char *output = options->common.output;
	bool is_operand = output == NULL && options->each == NULL && options->into == NULL;

	if ((output != NULL) + (options->each != NULL) + (options->into != NULL) > 1)
		cli_usage(cli, "-o, --each and --into do not go together");
	convert->input_count = (size_t)cli->operand_count;
	convert->out = output != NULL ? output : options->each != NULL ? options->each : options->into;
	convert->out_option = options->each != NULL ? "--each" : options->into != NULL ? "--into" : "-o";
	if (options->into != NULL && cli->operand_count > 1 && access(cli->operands[cli->operand_count - 1], F_OK) != 0)
		cli_usage(cli, "'%s' is not there; --into '%s' is what is written, and all operands are read",
			  cli->operands[cli->operand_count - 1], options->into);
	if (is_operand && cli->operand_count < 2)
		cli_usage(cli, "one file is named, and no OUT; try: anim convert%s 'out/%%c.animj'",
			  cli_command_line(cli, NULL, NULL) + strlen(cli->program->name));
	if (is_operand)
		convert->out = cli->operands[--convert->input_count];
	if (options->into == NULL && cli_file_pattern_is(convert->out))
		convert->out_option = "--each";
	if (strcmp(convert->out_option, "-o") != 0 || options->common.force)
		return;
	check_same(convert, is_operand);
	if (is_operand)
		check_there(convert);
}

static bool writes_to(const struct convert *convert, const char *option)
{
	return strcmp(convert->out_option, option) == 0;
}

/* What is written, as -f or OUT's name says: a format, else a stream. */
static void choose_format(struct convert *convert)
{
	struct cli *cli = convert->cli;
	const char *out = convert->out, *const *names = cli_formats_written, *suffix;
	char list[128] = "";
	struct stat info;

	convert->format = anim_format_to_write(out);
	if (convert->options->format >= 0)
		convert->format = anim_format_find(names[convert->options->format], true);
	else if (convert->format == NULL && writes_to(convert, "--into"))
		convert->format = anim_format_of_name(out);
	suffix = convert->format == NULL ? "animj" : convert->format->suffix;
	if (writes_to(convert, "-o") && stat(out, &info) == 0 && S_ISDIR(info.st_mode))
		cli_usage(cli, "'%s' is a folder; try: %s", out,
			  typed(cli, out, "--each", cli_printf(cli, "%s/%%c.%s", out, suffix)));
	if (convert->format != NULL || (writes_to(convert, "-o") && has_stream_name(out)))
		return;
	if (strcmp(out, "-") == 0)
		cli_usage(cli, "standard output has no name that tells the format; try: %s",
			  typed(cli, NULL, "-f", "tres"));
	cli_list_words(names, list, sizeof list);
	cli_check_written(cli, "", out);
	cli_usage(cli, "the name '%s' tells no format; name one with -f: %s", out, list);
}

/* ---- What stands between ---- */

/* True where something that is read is in axes of another hand than the target, or in what is not known yet. */
static bool axes_differ(const struct convert *convert, const char *target)
{
	enum anim_axes from, to;
	enum anim_axes2d flat;

	for (size_t i = 0; i < convert->input_count; i++) {
		const char *axes = convert->inputs[i].axes;

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

static void choose_axes(struct convert *convert)
{
	const struct options *options = convert->options;
	const char *target = convert->format == NULL ? NULL : convert->format->axes;

	if (options->axes != NULL && strcasecmp(options->axes, "keep") == 0) {
		if (convert->format != NULL) {
			add(convert, EMIT, "--axes");
			add(convert, EMIT, "keep");
		}
		return;
	}
	if (target != NULL && options->ppu != NULL)
		target = is_godot(target) ? "godot2d" : "unity2d";
	if (options->axes != NULL)
		target = options->axes;
	if (convert->stages[AXES].count > 0 || options->axes != NULL ||
	    (target != NULL && axes_differ(convert, target))) {
		use(convert, AXES);
		convert->axes = target;
	}
	if (options->axes != NULL && convert->format != NULL && convert->format->axes != NULL) {
		add(convert, EMIT, "--axes");
		add(convert, EMIT, "keep");
	}
	if (target != NULL && has_suffix(target, "2d"))
		convert->order = order_2d;
}

/* The path of the skeleton whose bone a node is: "Armature/Skeleton3D" of "Armature/Skeleton3D:Hips"; NULL: it is none. */
static char *skeleton_of(struct convert *convert, const char *node)
{
	const char *colon = strchr(node, ':');
	char *path;

	if (colon == NULL)
		return NULL;
	path = anim_arena_text(&convert->cli->arena, node, (size_t)(colon - node), NULL);
	if (path == NULL)
		cli_no_memory(convert->cli);
	return path;
}

/* The only skeleton of a Godot scene; NULL: it has none, or cannot be read, which the program that reads it tells. */
static const char *find_skeleton(struct convert *convert, const char *file)
{
	struct anim_rests rests = {0};
	struct anim_error error = {0};
	const char *found = NULL, *other = NULL;

	if (source_read_rests(convert->cli, file, &rests, &error) != 0)
		rests.count = 0;
	for (size_t i = 0; i < rests.count && other == NULL; i++) {
		const char *path = skeleton_of(convert, rests.items[i].path);

		if (path != NULL && found != NULL && strcmp(path, found) != 0)
			other = path;
		else if (path != NULL)
			found = path;
	}
	anim_rests_clear(&rests);
	if (other != NULL)
		cli_usage(convert->cli,
			  "%s has more than one skeleton: %s, %s; say whose bones: --skeleton %s, or none", file, found,
			  other, found);
	return found;
}

static bool is_foreign(const struct convert *convert)
{
	for (size_t i = 0; i < convert->input_count; i++)
		if (convert->inputs[i].axes != NULL && !is_godot(convert->inputs[i].axes))
			return true;
	return false;
}

/* Other engines' nodes become bones of the skeleton that is named, or that the Godot scene on the other side has. */
static void choose_skeleton(struct convert *convert)
{
	const struct options *options = convert->options;
	const char *scene = options->into != NULL ? options->into : options->rest, *skeleton = options->skeleton;
	bool gzip;
	const struct anim_format *format = scene == NULL ? NULL : format_of_file(scene, &gzip);

	if (skeleton == NULL && convert->format != NULL && is_godot(convert->format->axes) && format != NULL &&
	    is_godot(format->axes) && is_foreign(convert))
		skeleton = find_skeleton(convert, scene);
	if (skeleton == NULL || strcasecmp(skeleton, "none") == 0)
		return;
	add(convert, RENAME, "--bones");
	add(convert, RENAME, skeleton);
}

static bool is_baked(const struct options *options)
{
	return options->bake || options->loops != NULL || options->drop_constant || options->world;
}

/* Curves lose their own keys; samples of them, which may be more, only if sampling is asked for in another way, too. */
static bool keeps_curves(const struct options *options)
{
	return options->reduce != NULL && !is_baked(options) && options->end == NULL && !options->all;
}

/* Options of a program that does not stand in the pipe would be passed over in silence. */
static void check_passed(const struct convert *convert, enum stage stage, const char *why)
{
	for (size_t i = 0; i < ANIM_COUNT(passed); i++)
		if (passed[i].to == stage && cli_was_given(convert->cli, passed[i].name))
			cli_usage(convert->cli, "--%s is for %s", passed[i].name, why);
}

static bool writes_archive(const struct convert *convert)
{
	return convert->format == NULL && has_suffix(convert->out, ".gz");
}

/*
 * True where a part of one archive is wanted: anim-unpack reads no more than that, but leaves its times as they were, so that
 * anim-retime cuts as well.
 */
static bool unpacks(const struct convert *convert)
{
	const struct options *options = convert->options;

	return convert->input_count == 1 && convert->inputs[0].is_archive &&
	       options->clips.count + options->nodes.count + options->properties.count + (options->time != NULL) > 0;
}

static void pass_all(struct convert *convert)
{
	bool unpack = unpacks(convert);

	pass_on(convert, PARSE, "merge", NULL);
	pass_on(convert, PARSE, "append", NULL);
	pass_on(convert, unpack ? UNPACK : convert->stream_count == 0 ? PARSE : FILTER, "clip", NULL);
	for (size_t i = 0; i < ANIM_COUNT(passed); i++) {
		enum stage to = passed[i].to;

		if (keeps_curves(convert->options) && strcmp(passed[i].name, "rate") == 0)
			continue;
		if (unpack && anim_text_is_word("node property time", passed[i].name))
			pass_on(convert, UNPACK, passed[i].name, NULL);
		if (!unpack || !anim_text_is_word("node property", passed[i].name))
			pass_on(convert, to, passed[i].name, passed[i].as);
	}
}

/* What is proven holds for the player of what is written, which is to be a small file. */
static void choose_player(struct convert *convert)
{
	const char *player = convert->format == NULL ? NULL : convert->format->axes;

	if (convert->options->reduce == NULL)
		return;
	if (player == NULL || strcmp(player, "gltf") == 0 || strcmp(player, "resonite") == 0)
		add(convert, REDUCE, "--smaller"); /* elsewhere fewer keys are always smaller */
	if (player == NULL)
		return;
	add(convert, REDUCE, "--for");
	add(convert, REDUCE, player);
}

static void choose_filters(struct convert *convert)
{
	struct anim_error error = {0};

	if (convert->stream_count == convert->input_count)
		check_passed(convert, PARSE, "files, and what is read is a stream");
	if (convert->format == NULL)
		check_passed(convert, EMIT, "files, and what is written is a stream");
	if (!writes_archive(convert))
		check_passed(convert, PACK, "archives, which are called .axs.gz");
	if (convert->options->reduce == NULL)
		check_passed(convert, REDUCE, "what --reduce leaves");
	if (keeps_curves(convert->options) && convert->options->rate != NULL &&
	    anim_diagnostics_note(
		&convert->cli->diagnostics, NULL, &error,
		"--reduce works on the curves themselves, so -r %s has no effect; add --bake to sample "
		"them first",
		convert->options->rate) != 0)
		exit(cli_finish(convert->cli, &error));
	pass_all(convert);
	pass_on(convert, convert->options->retarget != NULL ? RETARGET : RENAME, "map", NULL);
	if (convert->options->mirror)
		use(convert, MIRROR);
	if (convert->options->in_place && convert->options->root_motion)
		cli_usage(convert->cli, "--in-place and --root-motion do not go together");
	if (convert->options->in_place)
		add(convert, ROOT, "--in-place");
	else if (convert->options->root_motion)
		use(convert, ROOT);
	choose_axes(convert);
	choose_skeleton(convert);
	choose_player(convert);
	if (is_baked(convert->options)) {
		use(convert, SAMPLE);
		pass_on(convert, SAMPLE, "rest", NULL);
	}
}

/* ---- Both ends ---- */

/* The programs that stand in the pipe, in order; their number. */
static size_t list_stages(const struct convert *convert, enum stage *list)
{
	size_t count = 0;

	for (size_t i = 0; i < STAGE_COUNT; i++)
		if (convert->stages[convert->order[i]].count > 0)
			list[count++] = convert->order[i];
	return count;
}

/* Files go through anim-parse, and so do several streams; one stream is the first program's own operand. */
static void choose_ends(struct convert *convert)
{
	enum stage list[STAGE_COUNT];

	if (convert->format != NULL)
		use(convert, EMIT);
	else if (writes_archive(convert))
		use(convert, PACK);
	if (convert->stream_count < convert->input_count || convert->input_count > 1 || list_stages(convert, list) == 0)
		use(convert, PARSE);
}

/* What all programs are told, and the last one of OUT. */
static void add_common(struct convert *convert)
{
	const struct cli_common *common = &convert->options->common;
	enum stage list[STAGE_COUNT];
	size_t count = list_stages(convert, list);

	for (size_t i = 0; i < count; i++) {
		if (common->quiet)
			add(convert, list[i], "-q");
		if (common->strict && list[i] != PACK) /* which has no warnings */
			add(convert, list[i], "--strict");
	}
	if (common->force)
		add(convert, list[count - 1], "--force");
	if (common->no_sync) {
		add(convert, list[count - 1], "--no-sync");
		if (convert->options->depfile != NULL && list[count - 1] != PARSE)
			add(convert, PARSE, "--no-sync");
	}
	if (strcmp(convert->out, "-") != 0) {
		add(convert, list[count - 1], convert->out_option);
		add(convert, list[count - 1], convert->out);
	}
}

static void add_operands(struct convert *convert)
{
	enum stage list[STAGE_COUNT], first;

	list_stages(convert, list);
	first = convert->stages[PARSE].count > 0 ? PARSE : list[0];
	if (convert->axes != NULL)
		add(convert, AXES, convert->axes);
	for (size_t i = 0; i < convert->input_count; i++)
		if (convert->inputs[i].path[0] == '-' && convert->inputs[i].path[1] != '\0') {
			add(convert, first, "--");
			break;
		}
	for (size_t i = 0; i < convert->input_count; i++)
		add(convert, first, convert->inputs[i].path);
}

/* ---- Running ---- */

/* The program of a stage. */
static const struct step_kind *kind_of(const struct convert *convert, enum stage stage)
{
	static const struct step_kind *const kinds[STAGE_COUNT] = {
	    &program_unpack,   &program_parse,    &program_filter, &program_retime, &program_axes,
	    &program_rename,   &program_retarget, &program_mirror, &program_root,   &program_delta,
	    &program_resample, &program_reduce,   &program_emit,   &program_pack};

	return stage == SAMPLE && is_baked(convert->options) ? &program_bake : kinds[stage];
}

static int add_word(struct anim_buffer *line, const char *word, const char *before, struct anim_error *error)
{
	size_t need = anim_text_quote(NULL, 0, word) + 1;

	if (anim_buffer_append_text(line, before, error) != 0 || anim_buffer_reserve(line, need, error) != 0)
		return -1;
	line->size += anim_text_quote((char *)line->data + line->size, need, word);
	return 0;
}

/* Prints the line of shell that does the same. 0 or -1. */
static int print_line(const struct convert *convert, FILE *file, struct anim_error *error)
{
	struct anim_buffer line = {0};
	enum stage list[STAGE_COUNT];
	size_t count = list_stages(convert, list);
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		char **word = convert->stages[list[i]].items;

		for (size_t w = 0; word[w] != NULL && result == 0; w++)
			result = add_word(&line, word[w], w > 0 ? " " : i > 0 ? " | " : "", error);
	}
	if (result == 0)
		result = anim_buffer_append_text(&line, "\n", error);
	if (result == 0 && (fwrite(line.data, 1, line.size, file) != line.size || fflush(file) != 0))
		result = anim_fail_system(error, "cannot write standard output");
	anim_buffer_clear(&line);
	return result;
}

/* Runs the programs as steps of one chain; *count are begun. 0 or -1. */
static int run(struct convert *convert, struct step *steps, size_t *count, struct anim_error *error)
{
	const struct options *options = convert->options;
	enum stage list[STAGE_COUNT];
	size_t stages = list_stages(convert, list);

	for (size_t i = 0; i < stages; i++)
		convert->stages[list[i]].items[0] = (char *)(uintptr_t)kind_of(convert, list[i])->command_line->name;
	if (options->dry_run)
		return print_line(convert, stdout, error);
	if (options->verbose && print_line(convert, stderr, error) != 0)
		return -1;
	for (size_t i = 0; i < stages; i++) {
		const struct words *words = &convert->stages[list[i]];

		(*count)++;
		if (step_start(&steps[i], kind_of(convert, list[i]), (int)words->count, words->items, error) != 0)
			return -1;
	}
	return step_run(steps, count, error);
}

/* Says if a file that was to become small is larger than the one that it is from. */
static int tell_larger(struct convert *convert, struct anim_error *error)
{
	const char *in = convert->inputs[0].path;
	struct stat before, after;

	if (convert->options->reduce == NULL || convert->options->dry_run || convert->input_count != 1 ||
	    !writes_to(convert, "-o") || stat(in, &before) != 0 || stat(convert->out, &after) != 0 ||
	    !S_ISREG(before.st_mode) || !S_ISREG(after.st_mode) || after.st_size <= before.st_size)
		return 0;
	return anim_diagnostics_note(&convert->cli->diagnostics, NULL, error,
				     "%s is larger than %s: %lld bytes for %lld; its format takes more for a key",
				     convert->out, in, (long long)after.st_size, (long long)before.st_size);
}

static int run_program(int argc, char **argv)
{
	struct options options = {.format = -1};
	struct anim_error error = {0};
	struct cli cli;
	struct convert convert = {.cli = &cli, .options = &options, .order = order_3d};
	struct step steps[STEPS_MAX];
	size_t count = 0;
	int result;

	cli_start(&cli, &program, &options, argc, argv);
	make_room(&convert);
	choose_out(&convert);
	choose_format(&convert);
	look_at_inputs(&convert);
	choose_filters(&convert);
	choose_ends(&convert);
	add_common(&convert);
	add_operands(&convert);
	result = run(&convert, steps, &count, &error);
	if (result == 0)
		result = tell_larger(&convert, &error);
	return step_finish(steps, count, &cli, result == 0 ? NULL : &error);
}

const struct step_kind program_convert = {.command_line = &program, .main = run_program};
