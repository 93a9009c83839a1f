/* open.c: opens inputs and outputs, checks files before they are replaced, shows progress. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/depfile.h"
#include "clip/diagnostics.h"
#include "format/load.h"
#include "stream/stream.h"

/*
 * ---- Contents of a file that would be replaced: output of anim-tools may be lost, anything else is a person's work
 * ----
 */

/*
 * AnimJ is recognised among other JSON by the text after its name, which may have 64 KiB, and six times that if
 * escaped.
 */
#define LOOK_AT ((size_t)512 * 1024)

/*
 * OURS may be replaced. ANIMATION also comes from these programs, but must not be replaced by text for people. REPORT
 * is text for people from these programs. TEXT is text of unknown origin. For MORE and ANIMATION, describe() prints
 * the contents to `text`.
 */
enum holds { HOLDS_OURS, HOLDS_ANIMATION, HOLDS_REPORT, HOLDS_TEXT, HOLDS_MORE };

static bool stands_in(const uint8_t *bytes, size_t size, const char *text)
{
	return text == NULL || anim_text_find(bytes, size, text) != NULL;
}

/*
 * Return whether it is machine-readable output of anim-info, anim-diff, anim-lint or anim-reduce, or a page or
 * picture of anim-plot.
 */
static bool is_report(const uint8_t *bytes, size_t size)
{
	static const struct {
		const char *begin, *then, *also; /* must occur further on; NULL: no condition */
	} reports[] = {
	    {"{\"clips\":[\n{\"name\":\"", ",\"end_derived\":", NULL},
	    {"{\"clips\":[],\"trees\":[", NULL, NULL},
	    {"clip,player,node,property,component,type,kind,interp,", NULL, NULL},
	    {"{\"a\":\"", "\",\"b\":\"", "\",\"clips\":["},
	    {"{\"target\":", ",\"findings\":[", NULL},
	    {"{\"$schema\":\"https://docs.oasis-open.org/sarif/", "\"driver\":{\"name\":\"anim-lint\",", NULL},
	    {"::", ",title=anim-lint%3A ", NULL},
	    {"[{\"clip\":", ",\"keys_before\":", NULL},
	    {"<!DOCTYPE html>\n<!-- anim-plot: ", NULL, NULL},
	    {"<svg xmlns=", ">\n<!-- anim-plot -->\n", NULL},
	};

	for (size_t i = 0; i < ANIM_COUNT(reports); i++)
		if (anim_bytes_begin(bytes, size, reports[i].begin))
			return stands_in(bytes, size, reports[i].then) && stands_in(bytes, size, reports[i].also);
	return size == 3 && memcmp(bytes, "[]\n", 3) == 0; /* anim-reduce's report without any clip */
}

/*
 * Return whether the name is one of text that can be made again at any time. Nothing else shows this, so such a file
 * may be replaced, whoever wrote it.
 */
static bool is_report_name(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot != NULL && anim_text_is_word("txt log list", dot + 1);
}

/* Return whether the bytes that were read are text as people read and programs print it. */
static bool is_plain(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] < ' ' && (bytes[i] == '\0' || strchr("\t\n\r\f", bytes[i]) == NULL))
			return false;
	return size - anim_utf8_prefix(bytes, size) < 4; /* the last character may be cut */
}

static bool is_animation(const struct anim_format *format)
{
	return format->sort == ANIM_FORMAT_STREAM || format->read != NULL || format->is_binary;
}

/* Print "7 clips, a script and 2 meshes": the clips of a file and its other contents. */
static void list_clips(size_t clips, const char *more, char *text, size_t capacity)
{
	const char *between = strstr(more, " and ") == NULL ? " and " : ", ";

	if (clips == 0)
		snprintf(text, capacity, "%s", more);
	else
		snprintf(text, capacity, "%zu clip%s%s%s", clips, clips == 1 ? "" : "s", between, more);
}

/* Describe the contents of a file. Returns one of enum holds, with *clips for MORE, or -1 if it cannot be read. */
static int describe(struct anim_input *input, size_t *clips, char *text, size_t capacity, struct anim_error *error)
{
	const struct anim_format *format;
	const uint8_t *bytes;
	ssize_t got = anim_input_peek(input, LOOK_AT, &bytes, error);
	size_t size = got < 0 ? 0 : (size_t)got;

	if (got < 0)
		return -1;
	format = anim_format_of(bytes, size);
	if (format != NULL && format->describe != NULL) {
		char more[400];

		if (format->describe(input, cli_store_memory(), clips, more, sizeof more, error) != 0)
			return -1;
		if (more[0] != '\0') {
			list_clips(*clips, more, text, capacity);
			return HOLDS_MORE;
		}
		snprintf(text, capacity, "%s", format->title);
		return HOLDS_ANIMATION;
	}
	snprintf(text, capacity, "%s%s", format == NULL ? "data other than animation" : format->title,
		 format != NULL && format->sort == ANIM_FORMAT_JSON ? " without animation" : "");
	if (format != NULL && format->ours)
		return is_animation(format) ? HOLDS_ANIMATION : HOLDS_OURS;
	if (is_report(bytes, size) || cli_depfile_is(bytes, size))
		return HOLDS_REPORT;
	return format == NULL && is_plain(bytes, size) ? HOLDS_TEXT : HOLDS_MORE;
}

/* A file that begins like a format but cannot be read is reported as that format. */
static int look_at(const char *path, size_t *clips, char *text, size_t capacity, struct anim_error *error)
{
	struct anim_input_options options;
	struct anim_input *input = NULL;
	char why[sizeof error->message];
	int held = -1;

	*clips = 0;
	text[0] = '\0';
	cli_input_options(&options);
	if (anim_input_open(&input, path, &options, error) == 0)
		held = describe(input, clips, text, capacity, error);
	anim_input_close(input);
	if (held >= 0)
		return held;
	snprintf(why, sizeof why, "%s", error->message);
	anim_fail(error, error->code,
		  "its content would be lost and cannot be read: %s; write another file, or use --force", why);
	return anim_error_in_file(error, path);
}

int cli_check_replaced(struct cli *cli, const char *path, bool is_text, struct anim_error *error)
{
	struct stat info;
	char text[512];
	size_t clips;
	int held;

	if (cli->options->force || anim_output_is_standard(path) || stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
	    info.st_size == 0)
		return 0;
	held = look_at(path, &clips, text, sizeof text, error);
	if (held < 0)
		return -1;
	if (held == HOLDS_OURS || held == (is_text ? HOLDS_REPORT : HOLDS_ANIMATION) ||
	    (held == HOLDS_TEXT && is_text && is_report_name(path)))
		return 0;
	if (cli->has_into && clips > 0)
		anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "holds %s that would be lost; --into %s changes its clips and keeps the rest, --force replaces it",
		    text, cli_quoted(cli, path));
	else
		anim_fail(error, ANIM_UNSUPPORTED, "holds %s that would be lost; write another file, or use --force",
			  text);
	return anim_error_in_file(error, path);
}

/* ---- Progress on a terminal's stderr if a run takes longer than a second ---- */

#define QUIET_S 1.0
#define EVERY_S 0.2

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void show(void *context, uint64_t read_bytes, uint64_t source_bytes)
{
	struct cli *cli = context;
	struct cli_progress *progress = &cli->progress;
	double now = now_s(), mb = (double)read_bytes * 1e-6, rate = mb / (now - progress->start_s);

	if (now - progress->start_s < QUIET_S || now - progress->last_s < EVERY_S)
		return;
	progress->last_s = now;
	progress->shown = true;
	if (source_bytes > 0)
		fprintf(stderr, "\r%s: %.1f of %.1f MB, %.0f MB/s \033[K", cli->program->name, mb,
			(double)source_bytes * 1e-6, rate);
	else
		fprintf(stderr, "\r%s: %.1f MB, %.0f MB/s \033[K", cli->program->name, mb, rate);
}

void cli_progress_clear(struct cli *cli)
{
	if (cli->progress.shown)
		fputs("\r\033[K", stderr);
	cli->progress.shown = false;
}

/*
 * In a pipeline the first program shows progress, because only it knows the total size. Others would overwrite its
 * line.
 */
static bool reads_a_pipe(void)
{
	struct stat info;

	return fstat(STDIN_FILENO, &info) == 0 && S_ISFIFO(info.st_mode);
}

void cli_watched_input_options(struct cli *cli, struct anim_input_options *options)
{
	cli_input_options(options);
	if (!isatty(STDERR_FILENO) || cli->options->quiet || reads_a_pipe())
		return;
	if (!cli->progress.enabled)
		cli->progress.start_s = cli->progress.last_s = now_s();
	cli->progress.enabled = true;
	options->progress = show;
	options->progress_context = cli;
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

	return cli->options->output == NULL && isatty(STDOUT_FILENO) && (no_color == NULL || no_color[0] == '\0') &&
	       (term == NULL || strcmp(term, "dumb") != 0);
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

	for (size_t i = 0; i < 3 && (value == NULL || *value == '\0'); i++)
		value = getenv(names[i]);
	for (; value != NULL && *value != '\0'; value++)
		if (strncasecmp(value, "utf-8", 5) == 0 || strncasecmp(value, "utf8", 4) == 0)
			return true;
	return false;
}

unsigned cli_width(unsigned least, unsigned most)
{
	const char *columns = getenv("COLUMNS");
	uint64_t width = 0;
	struct winsize size;

	if (columns == NULL || !cli_whole_number(columns, &width) || width == 0)
		width = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
	return width < least ? least : width > most ? most : (unsigned)width;
}

unsigned cli_height(void)
{
	const char *lines = getenv("LINES");
	uint64_t height = 0;
	struct winsize size;

	if (lines == NULL || !cli_whole_number(lines, &height) || height == 0)
		height = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
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
	if (strcmp(path, "-") == 0 && isatty(STDIN_FILENO))
		return refuse_terminal(cli, error);
	return anim_input_open(input, path, &options, error);
}

/* Return true if `path` (NULL or "-": stdout) is a terminal. Only devices are opened to find out. */
static bool is_terminal(const char *path)
{
	struct stat info;
	bool result;
	int fd;

	if (path == NULL || strcmp(path, "-") == 0)
		return isatty(STDOUT_FILENO);
	if (stat(path, &info) != 0 || !S_ISCHR(info.st_mode))
		return false;
	fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK);
	result = fd >= 0 && isatty(fd);
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
	struct stat info;
	char *folder;
	int result = 0;

	if (slash == NULL || slash == path)
		return 0;
	folder = strndup(path, (size_t)(slash - path));
	if (folder == NULL)
		return anim_fail_memory(error);
	if (stat(folder, &info) != 0 && errno == ENOENT)
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

/* Note hard links and attributes that the file which replaces another cannot keep. Returns 0 or -1. */
static int note_lost(struct cli *cli, const char *path, const char *attribute, struct anim_error *error)
{
	char text[512];
	struct stat info;

	if (stat(path, &info) == 0 && info.st_nlink > 1 &&
	    note(cli, path, error, "it has other names (hard links), which keep the old content") != 0)
		return -1;
	if (attribute == NULL)
		return 0;
	snprintf(text, sizeof text, "its attribute '%.200s' cannot be copied and is lost", attribute);
	return note(cli, path, error, text);
}

int cli_open_successor(struct cli *cli, const char *path, struct anim_output **output, struct anim_error *error)
{
	const char *lost;

	*output = NULL;
	if (cli_open_any(cli, path, output, error) != 0 || anim_output_take_place(*output, path, &lost, error) != 0)
		return -1;
	return note_lost(cli, path, lost, error);
}

int cli_commit(struct cli *cli, struct anim_output *const *outputs, size_t count, struct anim_error *error)
{
	int result = anim_outputs_commit(outputs, count, error);

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
	if (to_stdout && cli->operand_count <= cli_first_file(cli) && is_terminal(path) && isatty(STDIN_FILENO))
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
	struct stat info;
	const uint8_t *at;
	const struct anim_format *format = NULL;
	ssize_t size = -1;

	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
		return dot == NULL || strcmp(dot, ".axs") == 0 || strcmp(dot, ".gz") == 0;
	if (anim_input_open(&input, path, NULL, &error) == 0)
		size = anim_input_peek(input, 16, &at, &error);
	if (size >= 0)
		format = anim_format_of(at, (size_t)size);
	anim_input_close(input);
	return format != NULL && format->sort == ANIM_FORMAT_STREAM;
}
