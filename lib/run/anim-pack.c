/* anim-pack.c: packs a stream into a seekable gzip archive; lists and tests archives. */
#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "base/count.h"
#include "base/path.h"
#include "base/system.h"
#include "cli/cli.h"
#include "filter/compare/compare.h"
#include "filter/info/info.h"
#include "filter/reduce/quantize.h"
#include "format/format.h"
#include "run/source.h"
#include "run/steps.h"
#include "stream/archive.h"

#define LEVELS 9
#define JOBS_UNSET UINT_MAX

struct options {
	struct cli_common common;
	unsigned jobs;
	bool level[LEVELS];
	bool list, test;
	const char *against;
	struct cli_texts limits, overrides;
	struct anim_archive_writer_options how;
	struct anim_quantize_options quantize;
	struct anim_output *made;
};

#define LEVEL(n) CLI_FLAG, AT(level) + (n)-1, NULL, true
static const struct cli_option rows[] = {
    {0, "tol", "LIMITS",
     "allow errors up to these limits: 0.1mm@3cm (joints in space), or 0.1mm,0.1deg,0.1% and scale=1% (by track); "
     "default: none",
     CLI_TEXTS, AT(limits), NULL, false},
    {0, "override", "GLOB=LIMITS", "use other limits for the nodes that match: '*Hand*=0.2mm@5cm'; can be repeated",
     CLI_TEXTS, AT(overrides), NULL, false},
    {'j', "jobs", "N", "compress with N threads, 1 to 256 (default: one per processor); the bytes do not depend on it",
     CLI_COUNT, AT(jobs), NULL, true},
    {'1', "fast", NULL, "use zlib's level 1; the default method is faster. -2 to -8: the levels between", LEVEL(1)},
    {'2', "2", NULL, NULL, LEVEL(2)},
    {'3', "3", NULL, NULL, LEVEL(3)},
    {'4', "4", NULL, NULL, LEVEL(4)},
    {'5', "5", NULL, NULL, LEVEL(5)},
    {'6', "6", NULL, NULL, LEVEL(6)},
    {'7', "7", NULL, NULL, LEVEL(7)},
    {'8', "8", NULL, NULL, LEVEL(8)},
    {'9', "best", NULL, "use zlib's level 9: slow, and hardly smaller than -6", LEVEL(9)},
    {'l', "list", NULL, "list the clips and tracks of an archive, from its index", CLI_FLAG, AT(list), NULL, true},
    {0, "test", NULL, "read a whole archive and check it", CLI_FLAG, AT(test), NULL, true},
    {0, "against", "SOURCE", "with --test: also check the errors against this file, from which it was packed", CLI_TEXT,
     AT(against), NULL, true},
};
static const char *const examples[] = {"anim-resample 60 take.tscn | anim-pack > take.axs.gz",
				       "anim-pack --tol 0.1mm@3cm take.axs -o take.axs.gz", "anim-pack -l take.axs.gz",
				       NULL};
static const struct cli_program program = {.name = "anim-pack",
					   .summary = "writes a gzip archive from which parts can be read",
					   .usage = "[--tol LIMITS] [OPTION...] [FILE] | -l ARCHIVE | --test ARCHIVE",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM,
					   .most_operands = 1};

static unsigned jobs_of(struct cli *cli, const struct options *options)
{
	unsigned processors = anim_sys_processors();

	if (options->jobs == JOBS_UNSET)
		return processors > ANIM_ARCHIVE_JOBS_MAX ? ANIM_ARCHIVE_JOBS_MAX : processors;
	if (options->jobs < 1 || options->jobs > ANIM_ARCHIVE_JOBS_MAX)
		cli_usage(cli, "%s: %u is not a number from 1 to %u", cli_spelled(cli, "jobs"), options->jobs,
			  ANIM_ARCHIVE_JOBS_MAX);
	return options->jobs;
}

/*
 * Report why the path cannot be opened through an index: it cannot be opened at all, is a pipe, or is not an archive.
 * Returns -1.
 */
static int refuse(struct cli *cli, const char *path, struct anim_error *error)
{
	struct anim_place place = {.file = path, .at = ANIM_AT_FILE};
	struct anim_input *input;
	bool is_pipe;

	if (anim_input_open(&input, path, NULL, error) != 0)
		return -1;
	is_pipe = anim_input_is_pipe(input);
	anim_input_close(input);
	if (is_pipe)
		return anim_fail_at(error, ANIM_UNSUPPORTED, &place,
				    "no archive in a regular file; save it, then name it");
	if (cli_is_stream(path))
		return anim_fail_at(error, ANIM_UNSUPPORTED, &place, "no archive; try: anim-pack %s -o %s.gz",
				    cli_quoted(cli, path), cli_quoted(cli, path));
	return anim_fail_at(error, ANIM_UNSUPPORTED, &place, "no archive; try: anim-pack %s -o %s.axs.gz",
			    cli_quoted(cli, path), cli_quoted(cli, path));
}

/* Open the operand, or standard input, through its index. Returns 0 or -1. */
static int open_archive(struct cli *cli, struct anim_archive **archive, struct anim_error *error)
{
	const char *path = cli->operand_count > 0 ? cli->operands[0] : "-";
	int opened = anim_archive_open(archive, path, error);

	if (opened == 0)
		return refuse(cli, path, error);
	return opened < 0 ? anim_error_in_file(error, path) : 0;
}

static int list(struct cli *cli, struct anim_error *error)
{
	struct anim_archive *archive = NULL;
	struct anim_output *output = NULL;
	bool done = cli_open_report(cli, &output, error) == 0 && open_archive(cli, &archive, error) == 0 &&
		    anim_archive_list(anim_archive_index_get(archive), output, error) == 0 &&
		    cli_commit(cli, &output, 1, error) == 0;

	anim_archive_close(archive);
	anim_output_free(output);
	return done ? 0 : -1;
}

/*
 * Set the limits of a comparison to the limits of the archive and the largest limit of any joint, because overrides are not compared. A
 * quarter of the last digit is added, because the record has float32 numbers. Returns 0 or -1.
 */
static int limits_of(const struct anim_archive_bounds *bounds, struct anim_limits *limits, struct anim_error *error)
{
	double most = 0;

	if (bounds == NULL)
		return 0;
	if (anim_limits_parse(limits, "0.1mm,0.1deg,0.1%,0.1px", error) != 0 ||
	    anim_limits_parse(limits, bounds->limits, error) != 0)
		return -1;
	for (size_t i = 0; i < bounds->clip_count; i++)
		for (size_t k = 0; k < bounds->clips[i].count; k++)
			if (bounds->clips[i].rows[k].unit == ANIM_BOUND_SPACE)
				most = fmax(most, (double)bounds->clips[i].rows[k].asked);
	for (size_t i = 0; i < limits->count; i++)
		if (strcmp(limits->items[i].property, ANIM_LIMIT_WORLD) == 0)
			limits->items[i].value = fmax(limits->items[i].value, most * (1 + 1e-7));
	return 0;
}

/* Read one side of the comparison. Returns 0 or -1. */
static int read_side(struct cli *cli, struct anim_compare *compare, int side, const char *path,
		     struct anim_error *error)
{
	struct anim_load_options source;
	struct anim_sink *sink = source_pick(anim_compare_input(compare, side), &(struct cli_texts){0}, error);
	int result;

	source_options_init(&source, cli);
	source.streams = true;
	source.read.bvh.unit_option = ANIM_OPTION("parse", "unit");
	result = sink == NULL ? -1 : source_read(cli, &source, path, sink, error);
	if (result == 0 && anim_sink_end(sink, error) != 0)
		result = anim_error_in_file(error, path);
	anim_sink_free(sink);
	return result;
}

/* Compare the archive with its source, at the keys of both and 240 times per second. Returns 0 or -1. */
static int test_against(struct cli *cli, const struct options *options, const struct anim_archive_bounds *bounds,
			struct anim_error *error)
{
	const char *archive = cli->operand_count > 0 ? cli->operands[0] : "-";
	struct anim_compare_options settings = {.names = {options->against, archive},
						.match = ANIM_MATCH_PATH,
						.rate_num = 240,
						.rate_den = 1,
						.all_clips = true,
						.ppu = ANIM_AXES_PPU,
						.limits.shell_m = 0.1,
						.quiet = true,
						.diagnostics = &cli->diagnostics,
						.store_memory = cli_store_memory()};
	struct anim_compare *compare = NULL;
	struct anim_output *report = NULL;
	bool differ = false, done;

	if (limits_of(bounds, &settings.limits, error) != 0)
		return -1;
	settings.world = settings.world_if_known = settings.limits.world;
	done = cli_open_report(cli, &report, error) == 0 && (compare = anim_compare_new(&settings, error)) != NULL &&
	       read_side(cli, compare, 0, options->against, error) == 0 &&
	       read_side(cli, compare, 1, archive, error) == 0 &&
	       anim_compare_run(compare, report, &differ, error) == 0 && cli_commit(cli, &report, 1, error) == 0;
	anim_compare_free(compare);
	anim_output_free(report);
	if (done && differ)
		return anim_fail(error, ANIM_BAD_INPUT, "%s differs from %s by more than its limits", archive,
				 options->against);
	return done ? 0 : -1;
}

static int test(struct cli *cli, const struct options *options, struct anim_error *error)
{
	struct anim_input_options watched;
	struct anim_archive *archive = NULL;
	int result = open_archive(cli, &archive, error);

	cli_watched_input_options(cli, &watched);
	if (result == 0)
		anim_archive_watch(archive, watched.progress, watched.progress_context);
	if (result == 0 && anim_archive_check(archive, error) != 0)
		result = anim_error_in_file(error, cli->operand_count > 0 ? cli->operands[0] : "-");
	if (result == 0 && options->against != NULL)
		result = test_against(cli, options, anim_archive_index_get(archive)->bounds, error);
	anim_archive_close(archive);
	return result;
}

/* Read the limits of errors. Returns 0 or -1. */
static int read_limits(struct cli *cli, struct options *options, struct anim_error *error)
{
	struct anim_quantize_options *quantize = &options->quantize;
	struct anim_reduce_override *all =
	    anim_arena_zeroed(&cli->arena, options->overrides.count + 1, sizeof *all, error);
	struct anim_buffer joined = {0}; /* the limits, with commas between them */
	int status = 0;

	if (options->limits.count == 0 && options->overrides.count > 0)
		cli_usage(cli, "--override needs --tol");
	for (size_t i = 0; i < options->limits.count; i++)
		if (anim_limits_parse(&quantize->limits, options->limits.items[i], error) != 0)
			cli_usage(cli, "%s: %s", cli_spelled(cli, "tol"), error->message);
	for (size_t i = 0; i < options->overrides.count && all != NULL; i++)
		if (anim_reduce_override_parse(&all[i], options->overrides.items[i], error) != 0)
			cli_usage(cli, "%s: %s", cli_spelled(cli, "override"), error->message);
	quantize->overrides = all;
	quantize->override_count = options->overrides.count;
	quantize->override_texts = options->overrides.items;
	for (size_t i = 0; i < options->limits.count && status == 0; i++)
		status = anim_buffer_append_text(&joined, i > 0 ? "," : "", error) != 0
			     ? -1
			     : anim_buffer_append_text(&joined, options->limits.items[i], error);
	quantize->limits_text = "";
	if (status != 0)
		quantize->limits_text = NULL;
	else if (joined.size > 0)
		quantize->limits_text = anim_arena_text(&cli->arena, (const char *)joined.data, joined.size, error);
	anim_buffer_clear(&joined);
	quantize->store_memory = cli_store_memory();
	quantize->prog = options->common.no_provenance ? NULL : &cli->prog;
	quantize->prog_arena = &cli->arena;
	quantize->diagnostics = &cli->diagnostics;
	return all == NULL || quantize->limits_text == NULL ? -1 : 0;
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	static const char *const others[] = {".zip", ".7z", ".xz", ".zst", ".tar", ".tgz"};
	struct options *options = job;
	const char *output = cli->options->output;
	const struct anim_format *format = anim_format_to_write(output);

	if (options->list && options->test)
		cli_usage(cli, "--list and --test cannot be combined");
	if (options->against != NULL && !options->test)
		cli_usage(cli, "--against needs --test");
	options->how.jobs = jobs_of(cli, options);
	options->how.level = 0;
	for (int i = 0; i < LEVELS; i++) {
		if (!options->level[i])
			continue;
		if (options->how.level != 0)
			cli_usage(cli, "-%d and -%d cannot be combined", options->how.level, i + 1);
		options->how.level = i + 1;
	}
	options->how.no_provenance = options->common.no_provenance;
	/* Other programs could not read an archive with the suffix of another format. */
	if ((format != NULL && format->sort != ANIM_FORMAT_STREAM) ||
	    (output != NULL && anim_path_has_suffix(output, others, ANIM_COUNT(others))))
		cli_usage(cli, "-o %s: an archive is not %s; call it .axs.gz", output, strrchr(output, '.') + 1);
	return read_limits(cli, options, error);
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	struct options *options = job;
	struct anim_sink *writer;

	(void)next;
	if (cli_check_terminal(cli, "the archive", error) != 0 || cli_open_output(cli, &options->made, error) != 0)
		return NULL;
	writer = anim_archive_writer_new(options->made, &options->how, error);
	return options->limits.count == 0 ? writer : anim_quantize_new(&options->quantize, writer, error);
}

static int commit(struct cli *cli, void *job, struct anim_output **reports, size_t count, struct anim_error *error)
{
	return step_commit(cli, ((struct options *)job)->made, reports, count, error);
}

static void clear(void *job)
{
	anim_output_free(((struct options *)job)->made);
}

/* Run --list or --test, which pack nothing. */
static int run_alone(struct cli *cli, void *job, struct anim_error *error)
{
	const struct options *options = job;

	return options->list ? list(cli, error) : options->test ? test(cli, options, error) : 1;
}

static const struct options defaults = {.jobs = JOBS_UNSET};
const struct step_kind program_pack = {.command_line = &program,
				       .size = sizeof(struct options),
				       .defaults = &defaults,
				       .begin = begin,
				       .alone = run_alone,
				       .make = make,
				       .commit = commit,
				       .clear = clear,
				       .no_own = true};
