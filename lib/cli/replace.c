/* replace.c: checks that nothing is lost if an output replaces an existing file. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/depfile.h"
#include "format/contents.h"
#include "format/load.h"

static int refuse(struct cli *cli, const char *path, bool has_clips, const char *text, struct anim_error *error)
{
	if (cli->into != NULL && has_clips)
		anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "holds %s that would be lost; %s %s changes its clips and keeps the rest, --force replaces it",
		    text, cli->into, cli_quoted(cli, path));
	else
		anim_fail(error, ANIM_UNSUPPORTED, "holds %s that would be lost; write another file, or use --force",
			  text);
	return anim_error_in_file(error, path);
}

/*
 * ---- Before the output is written: content that no output of these programs has is a person's work ----
 */

/*
 * OURS may be replaced. ANIMATION also comes from these programs, but must not be replaced by text for people. REPORT
 * is text for people from these programs. TEXT is text of unknown origin. For MORE and ANIMATION, describe() prints
 * the contents to `text`.
 */
enum holds { HOLDS_OURS, HOLDS_ANIMATION, HOLDS_REPORT, HOLDS_TEXT, HOLDS_MORE };

static bool contains(const uint8_t *bytes, size_t size, const char *text)
{
	return text == NULL || anim_text_find(bytes, size, text) != NULL;
}

/*
 * Return whether it is machine-readable output of anim-info, anim-diff, anim-lint or anim-reduce, a list of --bind-sheet, or a
 * page or picture of anim-plot.
 */
static bool is_report(const uint8_t *bytes, size_t size)
{
	static const struct {
		const char *begin, *then, *also; /* must occur further on (NULL: no condition) */
	} reports[] = {
	    {"{\"clips\":[\n{\"name\":\"", ",\"end_derived\":", NULL},
	    {"{\"clips\":[],\"trees\":[", NULL, NULL},
	    {"clip,player,node,property,component,type,kind,interp,", NULL, NULL},
	    {"{\"a\":\"", "\",\"b\":\"", "\",\"clips\":["},
	    {"{\"target\":", ",\"findings\":[", NULL},
	    {"{\"$schema\":\"https://docs.oasis-open.org/sarif/", "\"driver\":{\"name\":\"anim-lint\",", NULL},
	    {"::", ",title=anim-lint%3A ", NULL},
	    {"[{\"clip\":", ",\"keys_before\":", NULL},
	    {"[\n{\"clip\":\"", ",\"tracks\":[", NULL},
	    {"clip,number,node,path,property,type,field,why\n", NULL, NULL},
	    {"<!DOCTYPE html>\n<!-- anim-plot: ", NULL, NULL},
	    {"<svg xmlns=", ">\n<!-- anim-plot -->\n", NULL},
	};

	for (size_t i = 0; i < ANIM_COUNT(reports); i++)
		if (anim_bytes_begin(bytes, size, reports[i].begin))
			return contains(bytes, size, reports[i].then) && contains(bytes, size, reports[i].also);
	return size == 3 && memcmp(bytes, "[]\n", 3) == 0; /* anim-reduce's report without any clip */
}

/* Return whether the bytes that were read are text as people read and programs print it. */
static bool is_plain(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] < ' ' && (bytes[i] == '\0' || strchr("\t\n\r\f", bytes[i]) == NULL))
			return false;
	return size - anim_utf8_prefix(bytes, size) < 4; /* the last character may be cut */
}

/* A file that begins like a format but cannot be read is reported as that format. */
static int refuse_unread(const char *path, struct anim_error *error)
{
	char why[sizeof error->message];

	snprintf(why, sizeof why, "%s", error->message);
	anim_fail(error, error->code,
		  "its content would be lost and cannot be read: %s; write another file, or use --force", why);
	return anim_error_in_file(error, path);
}

/* Describe the contents of a file. Returns one of enum holds, or -1 if it cannot be read. */
static int describe(const char *path, char *text, size_t capacity, struct anim_error *error)
{
	struct anim_input_options options;
	struct anim_input *input = NULL;
	const uint8_t *bytes;
	ssize_t got = -1;
	int held = -1;

	cli_input_options(&options);
	if (anim_input_open(&input, path, &options, error) == 0)
		got = anim_input_peek(input, ANIM_FORMAT_LOOK_AT, &bytes, error);
	if (got >= 0) {
		const size_t size = (size_t)got;
		const struct anim_format *format = anim_format_of(bytes, size);

		snprintf(text, capacity, "%s%s", format == NULL ? "data other than animation" : format->title,
			 format != NULL && format->sort == ANIM_FORMAT_JSON ? " without animation" : "");
		if (format != NULL && (format->ours || format->describe != NULL))
			held = format->sort == ANIM_FORMAT_STREAM || format->read != NULL || format->is_binary
				   ? HOLDS_ANIMATION
				   : HOLDS_OURS;
		else if (is_report(bytes, size) || cli_depfile_is(bytes, size))
			held = HOLDS_REPORT;
		else
			held = format == NULL && is_plain(bytes, size) ? HOLDS_TEXT : HOLDS_MORE;
	}
	anim_input_close(input);
	return held >= 0 ? held : refuse_unread(path, error);
}

int cli_check_replaced(struct cli *cli, const char *path, bool is_text, struct anim_error *error)
{
	const char *dot = anim_output_is_standard(path) ? NULL : strrchr(path, '.');
	struct anim_stat info;
	char text[512] = "";
	int held;

	if (cli->options->force || anim_output_is_standard(path) || anim_sys_stat(path, &info) != 0 ||
	    info.kind != ANIM_FILE || info.size == 0)
		return 0;
	held = describe(path, text, sizeof text, error);
	if (held < 0)
		return -1;
	/*
	 * Text of these names can be made again at any time. Nothing else shows this, so such a file may be replaced,
	 * whoever wrote it.
	 */
	if (held == HOLDS_OURS || held == (is_text ? HOLDS_REPORT : HOLDS_ANIMATION) ||
	    (held == HOLDS_TEXT && is_text && dot != NULL && anim_text_is_word("txt log list", dot + 1)))
		return 0;
	return refuse(cli, path, false, text, error);
}

/*
 * ---- After the output is written: it must have the clips and nodes of the file that it replaces, and nothing else may
 * be in that file ----
 */

/* Return whether two files have the same bytes. */
static bool is_same(const char *one, const char *other)
{
	FILE *a = anim_file_read(one), *b = anim_file_read(other);
	bool same = a != NULL && b != NULL;
	char x[8192], y[8192];
	size_t size = 1;

	while (same && size > 0) {
		size = fread(x, 1, sizeof x, a);
		same = fread(y, 1, sizeof y, b) == size && memcmp(x, y, size) == 0 && !ferror(a) && !ferror(b);
	}
	if (a != NULL)
		(void)fclose(a);
	if (b != NULL)
		(void)fclose(b);
	return same;
}

bool cli_changes_file(const struct anim_output *output)
{
	const char *existing, *successor;

	return !anim_output_replaces(output, &existing, &successor, NULL) || !is_same(existing, successor);
}

/* Return whether the file is an operand of the program that read the input, or its standard input. */
static bool is_input(const struct cli *cli, const char *path)
{
	const struct cli *reader = cli->reader == NULL ? cli : cli->reader;
	struct anim_stat file, other;
	int first = cli_first_file(reader);

	if (anim_sys_stat(path, &file) != 0)
		return false;
	for (int i = first; i < reader->operand_count || i == first; i++) {
		const char *operand = i < reader->operand_count ? reader->operands[i] : "-";

		if ((strcmp(operand, "-") == 0 ? anim_sys_fstat(STDIN_FILENO, &other)
					       : anim_sys_stat(operand, &other)) == 0 &&
		    anim_is_same_file(&file, &other))
			return true;
	}
	return false;
}

int cli_check_successor(struct cli *cli, struct anim_output *output, struct anim_error *error)
{
	struct anim_contents had = {.held = {0}}, now = {.held = {0}};
	const char *existing, *successor, *name;
	struct anim_input_options options;
	char text[1600] = "";
	bool was_read, has_clips;
	int result = 0;

	if (cli->options->force || !anim_output_replaces(output, &existing, &successor, &was_read))
		return 0;
	/* the same tracks in another skeleton may be fewer */
	had.with_tracks = now.with_tracks = !cli->retargets && is_input(cli, existing);
	if (was_read && !had.with_tracks)
		return 0;
	if (anim_output_seal(output, error) != 0)
		return -1;
	if (is_same(existing, successor))
		return 0;
	cli_input_options(&options);
	name = anim_path_last(existing);
	had.held.successor = &now.held;
	result = anim_contents_read(&now, successor, name, &options, cli_store_memory(), error);
	if (result == 0 && anim_contents_read(&had, existing, name, &options, cli_store_memory(), error) != 0)
		result = refuse_unread(existing, error);
	if (result == 0)
		result = anim_contents_lost_tracks(&had, &now, text, sizeof text, error);
	has_clips = had.clips.size > 0 && text[0] == '\0'; /* --into does not keep tracks of a clip */
	if (result == 0 && !was_read)                      /* but everything else */
		result = anim_contents_lost(&had, &now, text, sizeof text, error);
	if (result == 0 && text[0] != '\0')
		result = refuse(cli, existing, has_clips, text, error);
	anim_contents_clear(&had);
	anim_contents_clear(&now);
	return result;
}
