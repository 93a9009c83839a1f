/* message.c: messages of a run, and its provenance record in the stream. */
#include "cli/command_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/system.h"
#include "base/text.h"
#include "cli/advice.h"
#include "cli/cli.h"

/* ---- Lines on stderr, and the end of a run ---- */

void cli_message(const struct cli *cli, const char *kind, const struct anim_error *place, const char *text)
{
	char line[ANIM_LINE_MAX], advised[ANIM_LINE_MAX];

	cli_advise(cli, text, advised, sizeof advised);
	anim_error_print(place, kind, advised, line, sizeof line);
	if (cli_host(cli) != NULL)
		cli_host(cli)->message(cli_host(cli), cli->program->name, NULL, place, line);
	else
		fprintf(stderr, "%s: %s\n", cli->program->name, line);
}

static void print_diagnostics(const struct cli *cli, enum anim_severity severity)
{
	char line[ANIM_LINE_MAX];

	for (size_t i = 0; i < cli->diagnostics.count; i++) {
		const struct anim_diagnostic *diagnostic = &cli->diagnostics.items[i];

		if (diagnostic->severity != severity)
			continue;
		anim_diagnostic_line(&cli->diagnostics, diagnostic, &cli->advisor.advisor, line, sizeof line);
		if (cli_host(cli) != NULL)
			cli_host(cli)->message(cli_host(cli), cli->program->name, diagnostic, NULL, line);
		else
			fprintf(stderr, "%s: %s\n", cli->program->name, line);
	}
}

void cli_warn(const struct cli *cli)
{
	print_diagnostics(cli, ANIM_WARNING);
}

bool cli_explain(const struct cli *cli, const struct anim_error *error)
{
	struct anim_error sum = {0};

	print_diagnostics(cli, ANIM_FAULT);
	if (error->code == ANIM_STRICT)
		print_diagnostics(cli, ANIM_WARNING);
	/* The error may only summarise the faults, which were printed one by one. */
	return cli->diagnostics.faults > 0 && anim_diagnostics_check(&cli->diagnostics, &sum) != 0 &&
	       sum.code == error->code && strcmp(sum.message, error->message) == 0;
}

int cli_failure(const struct cli *cli)
{
	return cli->program->flags & CLI_FINDS ? CLI_TROUBLE : CLI_FAILED;
}

void cli_clear(struct cli *cli)
{
	anim_diagnostics_clear(&cli->diagnostics);
	anim_read_kept_clear(&cli->kept);
	anim_arena_clear(&cli->arena);
}

int cli_finish(struct cli *cli, const struct anim_error *error)
{
	cli_progress_clear(cli);
	if (error != NULL && error->code == ANIM_CLOSED && cli_host(cli) == NULL) {
		anim_sys_end_closed();
	} else if (error != NULL) {
		/* Only the messages that explain the error: the faults, or the warnings that --strict made errors. */
		if (!cli_explain(cli, error) && error->message[0] != '\0')
			cli_message(cli, NULL, error, error->message);
	} else {
		print_diagnostics(cli, ANIM_WARNING);
		if (!cli->options->quiet)
			print_diagnostics(cli, ANIM_NOTE);
	}
	cli_clear(cli);
	return error == NULL ? CLI_DONE : cli_failure(cli);
}

/* ---- The `prog` record of a run, and the command line as a person would retype it ---- */

const char *cli_printf(struct cli *cli, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = anim_arena_vprintf(&cli->arena, NULL, format, args);
	va_end(args);
	if (text == NULL)
		cli_no_memory(cli);
	return text;
}

const char *cli_quoted(struct cli *cli, const char *word)
{
	const char *path = word[0] == '-' && word[1] != '\0' ? cli_printf(cli, "./%s", word) : word;
	size_t need = anim_text_quote(NULL, 0, path) + 1;
	char *text = anim_arena_alloc(&cli->arena, need, NULL);

	if (text == NULL)
		cli_no_memory(cli);
	anim_text_quote(text, need, path);
	return text;
}

/* Return true if the word contains `value`, or is the option to which the next word, `value`, belongs. */
static bool belongs_to(const struct cli *cli, int word, const char *value)
{
	const char *text = cli->arguments[word];

	if (value == NULL || text == NULL)
		return false;
	if (value >= text && value <= text + strlen(text)) /* also "-ofile" and "--output=file" */
		return true;
	return value == cli->options->output && word + 1 < cli->argument_count && cli->arguments[word + 1] == value;
}

/* The arguments that cli_command_line leaves out or replaces. */
enum place { AS_TYPED, LEFT_OUT, REPLACED };

/* Spell the options and operands of a call by names. */
static void spell_arguments(struct cli *cli)
{
	cli->arguments = anim_arena_zeroed(&cli->arena, 2 * cli->given_count + (size_t)cli->operand_count + 1,
					   sizeof *cli->arguments, NULL);
	if (cli->arguments == NULL)
		cli_no_memory(cli);
	cli->argument_count = 0;
	for (size_t i = 0; i < cli->given_count; i++) {
		cli->arguments[cli->argument_count++] = (char *)cli_printf(cli, "--%s", cli->given[i].row->name);
		if (cli->given[i].value != NULL)
			cli->arguments[cli->argument_count++] = (char *)cli->given[i].value;
	}
	for (int i = 0; i < cli->operand_count; i++)
		cli->arguments[cli->argument_count++] = cli->operands[i];
}

const char *cli_command_line(struct cli *cli, const char *without, const char *instead)
{
	unsigned char *places;
	size_t capacity = strlen(cli->program->name) + (instead == NULL ? 0 : strlen(instead) + 1) + 1, used;
	char *line;

	if (cli->arguments == NULL)
		spell_arguments(cli);
	places = anim_arena_zeroed(&cli->arena, (size_t)cli->argument_count + 1, 1, NULL);
	if (places == NULL)
		cli_no_memory(cli);
	for (int i = 0; i < cli->argument_count; i++) {
		/* an option before the argument that holds the value is also left out */
		if (belongs_to(cli, i, without))
			places[i] = instead == NULL || belongs_to(cli, i + 1, without) ? LEFT_OUT : REPLACED;
		capacity += anim_text_quote(NULL, 0, cli->arguments[i]) + 1;
	}
	line = anim_arena_alloc(&cli->arena, capacity, NULL);
	if (line == NULL)
		cli_no_memory(cli);
	used = (size_t)snprintf(line, capacity, "%s", cli->program->name);
	for (int i = 0; i < cli->argument_count; i++) {
		if (places[i] == LEFT_OUT)
			continue;
		line[used++] = ' ';
		if (places[i] == REPLACED)
			used += (size_t)snprintf(line + used, capacity - used, "%s", instead);
		else
			used += anim_text_quote(line + used, capacity - used, cli->arguments[i]);
	}
	line[used] = '\0';
	return line;
}
