/* anim-pack.c: packs a stream into a seekable gzip archive; lists and tests archives. */
#include <limits.h>
#include <unistd.h>

#include "cli/cli.h"
#include "filter/info/info.h"
#include "format/format.h"
#include "programs.h"
#include "stream/archive.h"

#define LEVELS 9
#define JOBS_UNSET UINT_MAX

struct options {
	struct cli_common common;
	unsigned jobs;
	bool level[LEVELS];
	bool list, test;
	struct anim_archive_writer_options how;
	struct anim_output *made;
};

#define LEVEL(n) CLI_FLAG, AT(level) + (n)-1, NULL, true
static const struct cli_option rows[] = {
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
};
static const char *const examples[] = {"anim-resample 60 take.tscn | anim-pack > take.axs.gz",
				       "anim-pack take.axs -o take.axs.gz", "anim-pack -l take.axs.gz", NULL};
static const struct cli_program program = {.name = "anim-pack",
					   .summary = "writes a gzip archive from which parts can be read",
					   .usage = "[-j N] [-1 ... -9] [FILE] | -l ARCHIVE | --test ARCHIVE",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM,
					   .most_operands = 1};

/* Return the requested level, or 0 for none. */
static int level_of(const struct cli *cli, const struct options *options)
{
	int level = 0;

	for (int i = 0; i < LEVELS; i++) {
		if (!options->level[i])
			continue;
		if (level != 0)
			cli_usage(cli, "-%d and -%d cannot be combined", level, i + 1);
		level = i + 1;
	}
	return level;
}

static unsigned jobs_of(const struct cli *cli, const struct options *options)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (options->jobs == JOBS_UNSET)
		return processors < 1                             ? 1
		       : processors > (long)ANIM_ARCHIVE_JOBS_MAX ? ANIM_ARCHIVE_JOBS_MAX
								  : (unsigned)processors;
	if (options->jobs < 1 || options->jobs > ANIM_ARCHIVE_JOBS_MAX)
		cli_usage(cli, "--jobs: %u is not a number from 1 to %u", options->jobs, ANIM_ARCHIVE_JOBS_MAX);
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
		    anim_output_commit(output, error) == 0;

	anim_archive_close(archive);
	anim_output_free(output);
	return done ? 0 : -1;
}

static int test(struct cli *cli, struct anim_error *error)
{
	struct anim_input_options watched;
	struct anim_archive *archive = NULL;
	int result = open_archive(cli, &archive, error);

	cli_watched_input_options(cli, &watched);
	if (result == 0)
		anim_archive_watch(archive, watched.progress, watched.progress_context);
	if (result == 0 && anim_archive_check(archive, error) != 0)
		result = anim_error_in_file(error, cli->operand_count > 0 ? cli->operands[0] : "-");
	anim_archive_close(archive);
	return result;
}

/* Other programs could not read an archive with the suffix of another format. */
static void check_name(const struct cli *cli)
{
	const char *output = cli->options->output;
	const struct anim_format *format = anim_format_to_write(output);

	if (format != NULL && format->sort != ANIM_FORMAT_STREAM)
		cli_usage(cli, "-o %s: an archive is not %s; call it .axs.gz", output, strrchr(output, '.') + 1);
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;

	(void)error;
	if (options->list && options->test)
		cli_usage(cli, "--list and --test cannot be combined");
	options->how.jobs = jobs_of(cli, options);
	options->how.level = level_of(cli, options);
	options->how.no_provenance = options->common.no_provenance;
	check_name(cli);
	return 0;
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	struct options *options = job;

	(void)next;
	if (cli_check_terminal(cli, "the archive", error) != 0 || cli_open_output(cli, &options->made, error) != 0)
		return NULL;
	return anim_archive_writer_new(options->made, &options->how, error);
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
static int look(struct cli *cli, void *job, struct anim_error *error)
{
	const struct options *options = job;

	return options->list ? list(cli, error) : options->test ? test(cli, error) : 1;
}

static const struct options defaults = {.jobs = JOBS_UNSET};
const struct step_kind program_pack = {.command_line = &program,
				       .size = sizeof(struct options),
				       .defaults = &defaults,
				       .begin = begin,
				       .alone = look,
				       .make = make,
				       .commit = commit,
				       .clear = clear,
				       .no_own = true};
