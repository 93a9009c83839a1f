/* message.c: what is said, and what stands in a stream of how it was made. */
#include "cli/internal.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "cli/cli.h"

/* ---- One line each on stderr, and the end of a run ---- */

void cli_message(const struct cli *cli, const char *kind, const struct anim_error *place, const char *text)
{
	char line[ANIM_LINE_MAX];

	anim_error_print(place, kind, text, line, sizeof line);
	fprintf(stderr, "%s: %s\n", cli->program->name, line);
}

static void print_diagnostic(const struct cli *cli, const struct anim_diagnostic *diagnostic)
{
	char line[ANIM_LINE_MAX];

	anim_diagnostic_line(&cli->diagnostics, diagnostic, cli->lister, line, sizeof line);
	fprintf(stderr, "%s: %s\n", cli->program->name, line);
}

static void print_diagnostics(const struct cli *cli, enum anim_severity severity)
{
	for (size_t i = 0; i < cli->diagnostics.count; i++)
		if (cli->diagnostics.items[i].severity == severity)
			print_diagnostic(cli, &cli->diagnostics.items[i]);
}

/* True where the error only sums up the faults, which were printed one by one. */
static bool is_summary(const struct cli *cli, const struct anim_error *error)
{
	struct anim_error sum = {0};

	return cli->diagnostics.faults > 0 && anim_diagnostics_check(&cli->diagnostics, &sum) != 0 &&
	       sum.code == error->code && strcmp(sum.message, error->message) == 0;
}

/*
 * After an error only what explains it is said: the faults, or the warnings that --strict made errors. Else warnings,
 * then notes.
 */
static void print_all(const struct cli *cli, const struct anim_error *error)
{
	print_diagnostics(cli, ANIM_FAULT);
	if (error == NULL || error->code == ANIM_STRICT)
		print_diagnostics(cli, ANIM_WARNING);
	if (error == NULL && !cli->options->quiet)
		print_diagnostics(cli, ANIM_NOTE);
	if (error != NULL && !is_summary(cli, error))
		cli_message(cli, NULL, error, error->message);
}

int cli_failure(const struct cli *cli)
{
	return cli->program->flags & CLI_FINDS ? CLI_TROUBLE : CLI_FAILED;
}

int cli_finish(struct cli *cli, const struct anim_error *error)
{
	cli_progress_clear(cli);
	if (error != NULL && error->code == ANIM_CLOSED) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	} else {
		print_all(cli, error);
	}
	anim_diagnostics_clear(&cli->diagnostics);
	anim_arena_clear(&cli->arena);
	return error == NULL ? CLI_DONE : cli_failure(cli);
}

/* ---- The `prog` record of a run, and the command line as a person would type it again ---- */

/* True where a shell takes the word as it is. */
static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+=:,@%";

	return word[0] != '\0' && strspn(word, plain) == strlen(word);
}

/* True where the word holds `value`, or is the option that the next word, `value`, belongs to. */
static bool belongs_to(const struct cli *cli, int word, const char *value)
{
	const char *text = cli->arguments[word];

	if (value == NULL)
		return false;
	if (value >= text && value <= text + strlen(text)) /* "-ofile" and "--output=file", too */
		return true;
	return value == cli->options->output && word + 1 < cli->argument_count && cli->arguments[word + 1] == value;
}

void cli_command_line(const struct cli *cli, const char *without, const char *instead, char *out, size_t capacity)
{
	size_t used = (size_t)snprintf(out, capacity, "%s", cli->program->name);

	for (int i = 0; i < cli->argument_count; i++) {
		const char *word = cli->arguments[i], *quote = is_plain(word) ? "" : "'";
		bool is_left_out = belongs_to(cli, i, without);

		if (used >= capacity || (is_left_out && instead == NULL))
			continue;
		if (is_left_out)
			word = instead, quote = "";
		used += (size_t)snprintf(out + used, capacity - used, " %s%s%s", quote, word, quote);
	}
}
