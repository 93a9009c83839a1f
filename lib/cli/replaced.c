/* replaced.c: what a file holds that is to be written over: what anim-tools writes may go, all else is somebody's work. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/cli.h"
#include "format/format.h"

/* AnimJ is told from other JSON by what stands behind its name, which may take 64 KiB and six times that escaped. */
#define LOOK_AT ((size_t)512 * 1024)

/* TEXT is for people and may or may not be theirs; of MORE `what` of held names it. */
enum holds { HOLDS_OURS, HOLDS_TEXT, HOLDS_MORE };

static bool begins(const uint8_t *bytes, size_t size, const char *with)
{
	return size >= strlen(with) && memcmp(bytes, with, strlen(with)) == 0;
}

/* The JSON of anim-info, anim-diff and anim-lint. */
static bool is_report(const uint8_t *bytes, size_t size)
{
	return begins(bytes, size, "{\"clips\":[") || begins(bytes, size, "{\"a\":\"") ||
	       begins(bytes, size, "{\"target\":");
}

/* Text as people read and programs print it, as far as it was looked at. */
static bool is_plain(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] < ' ' && (bytes[i] == '\0' || strchr("\t\n\r\f", bytes[i]) == NULL))
			return false;
	return size - anim_utf8_prefix(bytes, size) < 4; /* the last letter may be cut */
}

/* Tells what a file holds: one of enum holds, -1 where it cannot be read. */
static int describe(struct anim_input *input, char *text, size_t capacity, struct anim_error *error)
{
	const struct anim_format *format;
	const uint8_t *bytes;
	ssize_t got = anim_input_peek(input, LOOK_AT, &bytes, error);
	size_t size = got < 0 ? 0 : (size_t)got;

	if (got < 0)
		return -1;
	format = anim_format_of(bytes, size);
	if (format != NULL && format->describe != NULL) {
		if (format->describe(input, cli_store_memory(), text, capacity, error) != 0)
			return -1;
		return text[0] == '\0' ? HOLDS_OURS : HOLDS_MORE;
	}
	if (format != NULL && format->ours)
		return HOLDS_OURS;
	snprintf(text, capacity, "%s%s", format == NULL ? "something else than animation" : format->title,
		 format != NULL && format->sort == ANIM_FORMAT_JSON ? " that is no animation" : "");
	return (format == NULL && is_plain(bytes, size)) || is_report(bytes, size) ? HOLDS_TEXT : HOLDS_MORE;
}

/* What cannot be read as what it begins like is told as that. */
static int look_at(const char *path, char *text, size_t capacity, struct anim_error *error)
{
	struct anim_input_options options;
	struct anim_input *input = NULL;
	char why[sizeof error->message];
	int held = -1;

	text[0] = '\0';
	cli_input_options(&options);
	if (anim_input_open(&input, path, &options, error) == 0)
		held = describe(input, text, capacity, error);
	anim_input_close(input);
	if (held >= 0)
		return held;
	snprintf(why, sizeof why, "%s", error->message);
	anim_fail(error, error->code,
		  "what it holds, and would be lost, cannot be read: %s; write another file, or --force", why);
	return anim_error_in_file(error, path);
}

int cli_check_replaced(const struct cli *cli, const char *path, bool is_text, struct anim_error *error)
{
	struct stat info;
	char text[512];
	int held;

	if (cli->options->force || anim_output_is_standard(path) || stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
	    info.st_size == 0)
		return 0;
	held = look_at(path, text, sizeof text, error);
	if (held < 0 || held == HOLDS_OURS || (held == HOLDS_TEXT && is_text))
		return held < 0 ? -1 : 0;
	anim_fail(error, ANIM_UNSUPPORTED, "holds %s that would be lost; write another file, or --force", text);
	return anim_error_in_file(error, path);
}
