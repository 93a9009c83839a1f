/* anim-emit.c: stream -> a file of an engine's format. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/file_name.h"
#include "filter/convert.h"
#include "filter/pick.h"
#include "format/animj/animj.h"
#include "format/animx/animx.h"

struct options {
	struct cli_common common;
	const char *clip, *each, *tol;
	bool force, pretty, keep_double;
	int raw_as, names, axes, encoding, key_order, tangent_order;
};

static const char *const raw_kinds[] = {"raw", "curve", NULL};
static const char *const name_kinds[] = {"target", "source", NULL};
static const char *const axes_kinds[] = {"warn", "keep", NULL};
static const char *const encodings[] = {"plain", "lz4", "lzma", NULL};
static const char *const key_orders[] = {"time-value", "value-time", NULL};
static const char *const tangent_orders[] = {"left-right", "right-left", NULL};

#define AT(member) offsetof(struct options, member)
static const struct cli_option rows[] = {
    {'c', "clip", "CLIP", "the clip to write: a name, PLAYER:NAME, or a glob that one fits", CLI_TEXT, AT(clip), NULL,
     false},
    {0, "each", "PATTERN", "a file for every clip: %c is its name, %p its player, %f the source file", CLI_TEXT,
     AT(each), NULL, false},
    {0, "force", NULL, "--each may overwrite files", CLI_FLAG, AT(force), NULL, false},
    {0, "pretty", NULL, "one key a line instead of one track a line", CLI_FLAG, AT(pretty), NULL, false},
    {0, "raw-as", "KIND", "how samples at a fixed rate are written: raw, curve (Linear keys)", CLI_CHOICE, AT(raw_as),
     raw_kinds, false},
    {0, "double", NULL, "keep doubles; else a scalar that Godot wrote as a double becomes a float", CLI_FLAG,
     AT(keep_double), NULL, false},
    {0, "tol", "OFF", "how far a curve that is approximated may be off (0.0001); rotations a hundred times in degrees",
     CLI_TEXT, AT(tol), NULL, false},
    {0, "names", "WHOSE", "whose names: target (of the engine written for), source", CLI_CHOICE, AT(names), name_kinds,
     false},
    {0, "encoding", "HOW", "how animx is stored: plain, lz4, lzma", CLI_CHOICE, AT(encoding), encodings, false},
    {0, "key-order", "ORDER", "of the halves of animx Curve keys: time-value, value-time", CLI_CHOICE, AT(key_order),
     key_orders, false},
    {0, "tangent-order", "ORDER", "of animx tangents: left-right, right-left", CLI_CHOICE, AT(tangent_order),
     tangent_orders, false},
    {0, "axes", "HOW", "where axes are not the target's: warn, keep (say nothing)", CLI_CHOICE, AT(axes), axes_kinds,
     false},
};
static const char *const examples[] = {
    "anim-parse walk.tscn | anim-axes resonite | anim-resample 30 | anim-emit -o walk.animj",
    "anim-emit animj -c idle hero.axs > idle.animj", "anim-emit --each 'hero/%c.animj' hero.axs", NULL};
static const struct cli_program program = {.name = "anim-emit",
					   .summary = "writes a stream as a file of an engine's format (animj, animx)",
					   .usage = "[OPTION...] [FORMAT] [FILE]",
					   .examples = examples,
					   .options = rows,
					   .option_count = sizeof rows / sizeof *rows,
					   .flags = CLI_HAS_OUTPUT | CLI_HAS_STRICT,
					   .most_operands = 2};

/* Formats by name, which is also their suffix but for unity's. */
static const char *const format_names[] = {"animj", "animx", "tres", "tscn", "unity", "csv", "json", NULL};

/* What make and finish need, and the files of --each, which get their names together when the stream was whole. */
struct emit {
	struct cli *cli;
	const struct options *options;
	bool is_animx;
	struct anim_animj_options animj;
	struct anim_animx_options animx;
	double tol;
	struct anim_output *output; /* of the clip at hand; of the whole run without --each */
	struct cli_file_names names;
	char *source_file; /* of the last TREE, without its suffix; owned */
	struct anim_output **sealed;
	size_t sealed_count;
};

static bool is_format(const char *word)
{
	for (size_t i = 0; format_names[i] != NULL; i++)
		if (strcmp(format_names[i], word) == 0)
			return true;
	return false;
}

/* The format that a file's name stands for, NULL where its suffix is none. */
static const char *format_of_name(const char *name)
{
	const char *dot = name == NULL ? NULL : strrchr(name, '.');

	if (dot != NULL && strcmp(dot, ".anim") == 0)
		return "unity";
	return dot != NULL && is_format(dot + 1) ? dot + 1 : NULL;
}

/* Takes FORMAT from the operands, else from -o or --each; *file is the operand that is left. */
static const char *choose_format(const struct cli *cli, const struct options *options, const char **file)
{
	const char *format = format_of_name(options->each != NULL ? options->each : options->common.output);
	const char *first = cli->operand_count > 0 ? cli->operands[0] : NULL;
	struct stat info;

	*file = first;
	if (first != NULL && is_format(first)) {
		*file = cli->operand_count > 1 ? cli->operands[1] : NULL;
		return first;
	}
	if (cli->operand_count > 1 && is_format(cli->operands[1]))
		cli_usage(cli, "'%s' is not a format; try: anim-emit %s %s", first, cli->operands[1], first);
	if (cli->operand_count > 1)
		cli_usage(cli, "'%s' is not a format; try: anim-emit animj %s", first, first);
	if (format != NULL)
		return format;
	if (first != NULL && stat(first, &info) != 0 && strchr(first, '.') == NULL)
		cli_usage(cli, "'%s' is not a format; try: anim-emit animj", first);
	cli_usage(cli, "no format; try: anim-emit animj%s%s", first == NULL ? "" : " ", first == NULL ? "" : first);
}

/* The number that --tol gives: above 0, at most 1000. */
static double tolerance(const struct cli *cli, const char *text)
{
	char padded[64 + ANIM_INPUT_SLACK] = {0};
	size_t length = text == NULL ? 0 : strlen(text);
	double tol;

	if (text == NULL)
		return ANIM_TOLERANCE;
	if (length < 64)
		memcpy(padded, text, length);
	if (length == 0 || length >= 64 || anim_number_double(padded, padded + length, &tol) != padded + length ||
	    !(tol > 0 && tol <= 1000))
		cli_usage(cli, "--tol '%s' is not a number above 0 and up to 1000", text);
	return tol;
}

static void check_options(const struct cli *cli, const struct options *options)
{
	const char *fault = options->each == NULL ? NULL : cli_file_pattern_fault(options->each);

	if (options->each != NULL && options->clip != NULL)
		cli_usage(cli, "--each writes every clip, -c picks one");
	if (options->each != NULL && options->common.output != NULL)
		cli_usage(cli, "--each names the files, -o cannot");
	if (fault != NULL)
		cli_usage(cli, "--each '%s': %s", options->each, fault);
}

/* The base name without its suffix. */
static char *stem_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash == NULL ? path : slash + 1, *dot = strrchr(base, '.');

	return strndup(base, dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base));
}

static int saw_tree(void *context, const struct anim_tree *tree, struct anim_error *error)
{
	struct emit *emit = context;

	free(emit->source_file);
	emit->source_file = stem_of(tree->source_file);
	return emit->source_file == NULL ? anim_fail_memory(error) : 0;
}

/* The path of the clip's file, owned by the caller; NULL with the error. %f is the file that the clip itself came from. */
static char *path_of(struct emit *emit, const struct anim_clip *clip, struct anim_error *error)
{
	const char *player = anim_attrs_get(&clip->attrs, "player"), *external = anim_attrs_get(&clip->attrs, "file");
	char *stem = external == NULL ? NULL : stem_of(external), *path;
	struct cli_name_parts parts = {clip->name, player, stem != NULL ? stem : emit->source_file};

	if (external != NULL && stem == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	path = cli_file_name(&emit->names, emit->options->each, &parts, error);
	free(stem);
	return path;
}

/* Opens the file of one clip of --each. */
static int open_each(struct emit *emit, const struct anim_clip *clip, struct anim_error *error)
{
	char *path = path_of(emit, clip, error);
	struct stat info;
	int result = -1;

	if (path == NULL)
		return -1;
	if (!emit->options->force && lstat(path, &info) == 0) {
		anim_fail(error, ANIM_UNSUPPORTED, "is there already; --force overwrites");
		anim_error_in_file(error, path);
	} else {
		result = anim_output_open(&emit->output, path, error);
	}
	free(path);
	return result;
}

/* The writer behind the filter that makes what it can hold; the source's own names keep lanes, angles and units, too. */
static struct anim_sink *convert_before(const struct emit *emit, struct anim_sink *writer, struct anim_error *error)
{
	struct anim_caps caps = emit->is_animx ? anim_animx_caps : anim_animj_caps;

	if (writer == NULL)
		return NULL;
	if (emit->animj.source_names) {
		caps.components = caps.euler = caps.angle = true;
		caps.flags |= ANIM_DEGREES | ANIM_PERCENT;
	}
	return anim_convert_new(&caps, emit->tol, emit->cli->losses.strict, &emit->cli->losses, writer, error);
}

static struct anim_sink *make(void *context, const struct anim_clip *clip, struct anim_error *error)
{
	struct emit *emit = context;

	if (emit->options->each != NULL && open_each(emit, clip, error) != 0)
		return NULL;
	return convert_before(emit,
			      emit->is_animx ? anim_animx_writer_new(emit->output, &emit->animx, error)
					     : anim_animj_writer_new(emit->output, &emit->animj, error),
			      error);
}

static int finish(void *context, struct anim_error *error)
{
	struct emit *emit = context;
	struct anim_output **grown;

	if (emit->options->each == NULL)
		return 0;
	if (anim_output_seal(emit->output, error) != 0)
		return -1;
	grown = realloc(emit->sealed, (emit->sealed_count + 1) * sizeof *grown);
	if (grown == NULL)
		return anim_fail_memory(error);
	emit->sealed = grown;
	emit->sealed[emit->sealed_count++] = emit->output;
	emit->output = NULL;
	return 0;
}

static int commit(struct emit *emit, struct anim_error *error)
{
	if (emit->options->each == NULL)
		return anim_output_commit(emit->output, error);
	for (size_t i = 0; i < emit->sealed_count; i++)
		if (anim_output_commit(emit->sealed[i], error) != 0)
			return -1;
	return 0;
}

static int run(struct emit *emit, const char *format, const char *file, struct anim_error *error)
{
	struct anim_pick_options pick = {.clip = emit->options->clip,
					 .each = emit->options->each != NULL,
					 .format = format,
					 .store_memory = cli_store_memory(),
					 .losses = &emit->cli->losses,
					 .make = make,
					 .finish = finish,
					 .saw_tree = saw_tree,
					 .context = emit};
	struct anim_input *input = NULL;
	struct anim_sink *sink = NULL;
	int result = pick.each ? 0 : cli_open_output(emit->cli, &emit->output, error);

	if (result == 0)
		result = cli_open_input(emit->cli, file, &input, error);
	if (result == 0)
		result = (sink = anim_pick_new(&pick, error)) == NULL ? -1 : 0;
	if (result == 0)
		result = cli_pump(emit->cli, input, sink, error);
	if (result == 0)
		result = commit(emit, error);
	anim_sink_free(sink);
	anim_input_close(input);
	return result;
}

static void clear(struct emit *emit)
{
	for (size_t i = 0; i < emit->sealed_count; i++)
		anim_output_free(emit->sealed[i]);
	anim_output_free(emit->output);
	cli_file_names_clear(&emit->names);
	free(emit->sealed);
	free(emit->source_file);
}

int main(int argc, char **argv)
{
	struct options options = {0};
	struct anim_error error = {0};
	const char *format, *file;
	struct cli cli;
	struct emit emit = {.cli = &cli, .options = &options};
	int result;

	cli_start(&cli, &program, &options, argc, argv);
	format = choose_format(&cli, &options, &file);
	check_options(&cli, &options);
	emit.animj = (struct anim_animj_options){.pretty = options.pretty,
						 .raw_as_curve = options.raw_as == 1,
						 .keep_double = options.keep_double,
						 .source_names = options.names == 1,
						 .axes_keep = options.axes == 1,
						 .losses = &cli.losses};
	emit.animx = (struct anim_animx_options){.encoding = (enum anim_animx_encoding)options.encoding,
						 .key_order = (enum anim_animx_key_order)options.key_order,
						 .tangent_order = (enum anim_animx_tangent_order)options.tangent_order,
						 .keep_double = options.keep_double,
						 .source_names = options.names == 1,
						 .axes_keep = options.axes == 1,
						 .store_memory = cli_store_memory(),
						 .losses = &cli.losses};
	emit.is_animx = strcmp(format, "animx") == 0;
	emit.tol = tolerance(&cli, options.tol);
	if (emit.is_animx || strcmp(format, "animj") == 0)
		result = run(&emit, format, file, &error);
	else
		result = anim_fail(&error, ANIM_UNSUPPORTED, "%s is not written by this version", format);
	clear(&emit);
	return cli_finish(&cli, result == 0 ? NULL : &error);
}
