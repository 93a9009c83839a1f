/* open.c: opens inputs and outputs, shows progress. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/named.h"
#include "base/progress.h"
#include "base/system.h"
#include "cli/command_line.h"
#include "clip/diagnostics.h"
#include "format/load.h"

/* ---- Progress on a terminal's stderr if a run takes longer than a second ---- */

#define QUIET_S 1.0
#define EVERY_S 0.2

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Return whether a line is due. */
static bool is_due(struct cli_progress *progress, double now)
{
	if (now - progress->start_s < QUIET_S || now - progress->last_s < EVERY_S)
		return false;
	progress->last_s = now;
	progress->shown = true;
	return true;
}

static int show(void *context)
{
	struct cli *cli = context;
	struct cli_progress *progress = &cli->progress;
	double now = now_s(), took_s = now - progress->start_s, mb = (double)progress->read_bytes * 1e-6;

	if ((progress->waits && !progress->has_ended) || !is_due(progress, now))
		return 0;
	if (progress->has_ended)
		fprintf(stderr, "\r%s: %.1f MB read, working for %.0f s \033[K", cli->program->name, mb, took_s);
	else if (progress->source_bytes > 0)
		fprintf(stderr, "\r%s: %.1f of %.1f MB, %.0f MB/s \033[K", cli->program->name, mb,
			(double)progress->source_bytes * 1e-6, mb / took_s);
	else
		fprintf(stderr, "\r%s: %.1f MB, %.0f MB/s \033[K", cli->program->name, mb, mb / took_s);
	return 0;
}

static int show_read(void *context, uint64_t read_bytes, uint64_t source_bytes)
{
	struct cli *cli = context;
	struct cli_progress *progress = &cli->progress;

	/* the last read finds no bytes */
	progress->has_ended = read_bytes == progress->read_bytes || read_bytes == source_bytes;
	progress->read_bytes = read_bytes;
	progress->source_bytes = source_bytes;
	return show(cli);
}

static int report_to_host(void *context)
{
	struct cli_host *host = context;

	return host->progress(host, host->read_bytes, host->source_bytes);
}

static int report_read(void *context, uint64_t read_bytes, uint64_t source_bytes)
{
	struct cli_host *host = context;

	host->read_bytes = read_bytes;
	host->source_bytes = source_bytes;
	return report_to_host(host);
}

static void begin_progress(struct cli *cli)
{
	if (!cli->progress.enabled)
		cli->progress.start_s = cli->progress.last_s = now_s();
	cli->progress.enabled = true;
}

void cli_progress_files(struct cli *cli, size_t done, size_t count)
{
	if (!anim_sys_is_terminal(STDERR_FILENO) || cli->options->quiet)
		return;
	begin_progress(cli);
	if (is_due(&cli->progress, now_s()))
		fprintf(stderr, "\r%s: %zu of %zu files \033[K", cli->program->name, done, count);
}

void cli_progress_clear(struct cli *cli)
{
	if (cli->progress.shown)
		fputs("\r\033[K", stderr);
	cli->progress.shown = false;
}

void cli_watched_input_options(struct cli *cli, struct anim_input_options *options)
{
	struct anim_stat info;

	cli_input_options(options);
	if (cli_host(cli) != NULL) {
		options->progress = cli_host(cli)->progress == NULL ? NULL : report_read;
		options->progress_context = cli_host(cli);
		anim_progress_use(options->progress == NULL ? NULL : report_to_host, cli_host(cli));
		return;
	}
	if (!anim_sys_is_terminal(STDERR_FILENO) || cli->options->quiet)
		return;
	/* In a pipeline only the first program knows the total size. Others would overwrite its line. */
	cli->progress.waits = anim_sys_fstat(STDIN_FILENO, &info) == 0 && info.kind == ANIM_PIPE;
	cli->progress.has_ended = false;
	cli->progress.read_bytes = cli->progress.source_bytes = 0;
	begin_progress(cli);
	options->progress = show_read;
	options->progress_context = cli;
	anim_progress_use(show, cli);
}

/* ---- Inputs and outputs ---- */

#define STORE_MEMORY ((size_t)1 << 20)

/* Return an integer of the environment, or `otherwise` if it is not set or not an integer. */
static size_t environment_size(const char *name, size_t otherwise)
{
	const char *text = getenv(name);
	uint64_t number;

	return text != NULL && cli_whole_number(text, &number) && number <= SIZE_MAX / 2 ? (size_t)number : otherwise;
}

size_t cli_store_memory(void)
{
	return environment_size("ANIM_STORE_MEMORY", STORE_MEMORY);
}

void cli_input_options(struct anim_input_options *options)
{
	memset(options, 0, sizeof *options);
	options->read_max = environment_size("ANIM_READ_MAX", 0);
}

bool cli_wants_color(const struct cli *cli)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return cli->options->output == NULL && anim_sys_is_terminal(STDOUT_FILENO) &&
	       (no_color == NULL || no_color[0] == '\0') && (term == NULL || strcmp(term, "dumb") != 0);
}

bool cli_has_all_colors(void)
{
	const char *term = getenv("COLORTERM");

	return term != NULL && (strcmp(term, "truecolor") == 0 || strcmp(term, "24bit") == 0);
}

bool cli_locale_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *value = NULL;

	if (anim_sys_shows_utf8())
		return true;
	for (size_t i = 0; i < 3 && (value == NULL || *value == '\0'); i++)
		value = getenv(names[i]);
	for (; value != NULL && *value != '\0'; value++)
		if (strncasecmp(value, "utf-8", 5) == 0 || strncasecmp(value, "utf8", 4) == 0)
			return true;
	return false;
}

unsigned cli_width(unsigned least, unsigned most)
{
	const char *set = getenv("COLUMNS");
	unsigned columns, rows;
	uint64_t width = 0;

	if (set == NULL || !cli_whole_number(set, &width) || width == 0)
		width = anim_sys_terminal_size(&columns, &rows) && columns > 0 ? columns : 80;
	return width < least ? least : width > most ? most : (unsigned)width;
}

unsigned cli_height(void)
{
	const char *set = getenv("LINES");
	unsigned columns, rows;
	uint64_t height = 0;

	if (set == NULL || !cli_whole_number(set, &height) || height == 0)
		height = anim_sys_terminal_size(&columns, &rows) && rows > 0 ? rows : 24;
	return height > UINT_MAX ? UINT_MAX : (unsigned)height;
}

static int refuse_terminal(const struct cli *cli, struct anim_error *error)
{
	return anim_fail(error, ANIM_UNSUPPORTED, "standard input is a terminal; try: %s", cli->program->examples[0]);
}

int cli_open_input(struct cli *cli, const char *path, struct anim_input **input, struct anim_error *error)
{
	struct anim_input_options options;

	cli_watched_input_options(cli, &options);
	*input = NULL;
	if (path == NULL)
		path = "-";
	if (strcmp(path, "-") == 0 && anim_sys_is_terminal(STDIN_FILENO))
		return refuse_terminal(cli, error);
	return anim_input_open(input, path, &options, error);
}

/* Return true if `path` (NULL or "-": stdout) is a terminal. Only devices are opened to find out. */
static bool is_terminal(const char *path)
{
	struct anim_stat info;
	bool result;
	int fd;

	if (path == NULL || strcmp(path, "-") == 0)
		return anim_sys_is_terminal(STDOUT_FILENO);
	if (anim_sys_stat(path, &info) != 0 || info.kind != ANIM_DEVICE)
		return false;
	fd = anim_sys_open(path, ANIM_OPEN_WRITE);
	result = fd >= 0 && anim_sys_is_terminal(fd);
	if (fd >= 0)
		(void)close(fd);
	return result;
}

int cli_check_terminal(const struct cli *cli, const char *what, struct anim_error *error)
{
	const char *path = cli->options->output;

	if (!is_terminal(path))
		return 0;
	if (path != NULL && strcmp(path, "-") != 0)
		return anim_fail(error, ANIM_UNSUPPORTED, "%s is binary and %s a terminal", what, path);
	return anim_fail(error, ANIM_UNSUPPORTED, "%s is binary and stdout a terminal; name a file with -o", what);
}

/* Folders are not created. If one is missing, the error says how to make it. */
static int check_folder(struct cli *cli, const char *path, struct anim_error *error)
{
	const char *slash = strrchr(path, '/');
	struct anim_stat info;
	char *folder;
	int result = 0;

	if (slash == NULL || slash == path || anim_named_is(path))
		return 0;
	folder = anim_zeroed((size_t)(slash - path) + 1, error);
	if (folder == NULL)
		return -1;
	memcpy(folder, path, (size_t)(slash - path));
	if (anim_sys_stat(folder, &info) != 0 && errno == ENOENT)
		result = anim_fail(error, ANIM_SYSTEM, "folder '%s' does not exist; try: mkdir -p %s", folder,
				   cli_quoted(cli, folder));
	free(folder);
	return result;
}

int cli_open_any(struct cli *cli, const char *path, struct anim_output **output, struct anim_error *error)
{
	if (anim_output_open(output, path, error) != 0)
		return -1;
	if (cli->options->no_sync)
		anim_output_no_sync(*output);
	return 0;
}

int cli_open_file(struct cli *cli, const char *path, bool is_text, struct anim_output **output,
		  struct anim_error *error)
{
	*output = NULL;
	return cli_check_replaced(cli, path, is_text, error) != 0 ? -1 : cli_open_any(cli, path, output, error);
}

static int note(struct cli *cli, const char *path, struct anim_error *error, const char *text)
{
	const struct anim_place place = {.file = path, .at = ANIM_AT_FILE};

	return anim_diagnostics_add(&cli->diagnostics, ANIM_NOTE, &place, NULL, error, "%s", text);
}

int cli_open_successor(struct cli *cli, const char *path, struct anim_output **output, struct anim_error *error)
{
	struct anim_stat info;
	const char *lost;
	char text[512];

	*output = NULL;
	if (cli_open_any(cli, path, output, error) != 0 || anim_output_replace(*output, path, &lost, error) != 0)
		return -1;
	if (anim_sys_stat(path, &info) == 0 && info.links > 1 &&
	    note(cli, path, error, "it has other names (hard links), which keep the old content") != 0)
		return -1;
	if (lost == NULL)
		return 0;
	snprintf(text, sizeof text, "its attribute '%.200s' cannot be copied and is lost", lost);
	return note(cli, path, error, text);
}

int cli_commit(struct cli *cli, struct anim_output *const *outputs, size_t count, struct anim_error *error)
{
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++)
		result = cli_check_successor(cli, outputs[i], error);
	if (result == 0)
		result = anim_outputs_commit(outputs, count, error);
	for (size_t i = 0; i < count && result == 0; i++)
		if (anim_output_left(outputs[i]) != NULL)
			result = note(cli, anim_output_left(outputs[i]), error,
				      "this is the file that was replaced, which cannot be removed");
	return result;
}

/* Open -o or stdout if the existing file may be replaced. */
static int open_checked(struct cli *cli, bool is_text, struct anim_output **output, struct anim_error *error)
{
	*output = NULL;
	if (cli->options->output != NULL && check_folder(cli, cli->options->output, error) != 0)
		return -1;
	return cli_open_file(cli, cli->options->output, is_text, output, error);
}

int cli_open_report(struct cli *cli, struct anim_output **output, struct anim_error *error)
{
	return open_checked(cli, true, output, error);
}

int cli_open_output(struct cli *cli, struct anim_output **output, struct anim_error *error)
{
	return open_checked(cli, false, output, error);
}

int cli_open_stream(struct cli *cli, struct anim_output **output, struct anim_error *error)
{
	const char *path = cli->options->output;
	bool to_stdout = path == NULL || strcmp(path, "-") == 0;

	*output = NULL;
	if (to_stdout && cli->operand_count <= cli_first_file(cli) && is_terminal(path) &&
	    anim_sys_is_terminal(STDIN_FILENO))
		return refuse_terminal(cli, error);
	if (to_stdout && is_terminal(path))
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "the stream is binary and stdout a terminal; try: %s | anim-info",
				 cli_command_line(cli, path, NULL));
	if (cli_check_terminal(cli, "the stream", error) != 0)
		return -1;
	return open_checked(cli, false, output, error);
}

bool cli_is_stream(const char *path)
{
	const char *dot = strrchr(path, '.');
	struct anim_error error = {0};
	struct anim_input *input = NULL;
	const uint8_t *at;
	const struct anim_format *format = NULL;
	ssize_t size = -1;

	if (!anim_is_file(path))
		return dot == NULL || strcmp(dot, ".axs") == 0 || strcmp(dot, ".gz") == 0;
	if (anim_input_open(&input, path, NULL, &error) == 0)
		size = anim_input_peek(input, 16, &at, &error);
	if (size >= 0)
		format = anim_format_of(at, (size_t)size);
	anim_input_close(input);
	return format != NULL && format->sort == ANIM_FORMAT_STREAM;
}
