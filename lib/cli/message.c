/* message.c: one line each on stderr, and the end of a run. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli.h"

/* Names may be 64 KiB long; nobody reads more of a line than this. */
#define LINE_MAX_BYTES 4096

struct line {
	char text[LINE_MAX_BYTES];
	size_t used;
};

static void add_safe(struct line *line, const char *text)
{
	size_t room = sizeof line->text - 1 - line->used; /* one byte is kept for the line feed */
	size_t need = anim_text_safe(line->text + line->used, room, text, strlen(text));

	line->used += need < room ? need : strlen(line->text + line->used);
}

static void add_place(struct line *line, const struct anim_error *place)
{
	char numbers[64] = ": ";

	if (place == NULL || (place->file[0] == '\0' && place->at == ANIM_AT_FILE))
		return;
	add_safe(line, place->file[0] == '\0' ? "-" : place->file);
	if (place->at == ANIM_AT_LINE)
		snprintf(numbers, sizeof numbers, ":%u:%u: ", place->line, place->column);
	else if (place->at == ANIM_AT_BYTE)
		snprintf(numbers, sizeof numbers, ": byte %llu: ", (unsigned long long)place->offset);
	add_safe(line, numbers);
}

void cli_message(const struct cli *cli, const char *kind, const struct anim_error *place, const char *text)
{
	struct line line = {.used = 0};

	add_safe(&line, cli->program->name);
	add_safe(&line, ": ");
	add_place(&line, place);
	if (kind != NULL) {
		add_safe(&line, kind);
		add_safe(&line, ": ");
	}
	add_safe(&line, text);
	line.text[line.used++] = '\n';
	fwrite(line.text, 1, line.used, stderr);
}

static void print_loss(const struct cli *cli, const struct anim_loss *loss)
{
	static const char *const kinds[] = {"note", "warning", NULL};
	struct anim_error place = {
	    .at = loss->place.at, .line = loss->place.line, .column = loss->place.column, .offset = loss->place.offset};
	char text[LINE_MAX_BYTES];

	if (loss->place.file != NULL)
		anim_error_in_file(&place, loss->place.file);
	else if (loss->place.at == ANIM_AT_FILE)
		anim_loss_scope(&cli->losses, loss, place.file, sizeof place.file);
	anim_loss_print(loss, cli->lister, text, sizeof text);
	cli_message(cli, kinds[loss->severity], &place, text);
}

static void print_losses(const struct cli *cli, enum anim_severity severity)
{
	for (size_t i = 0; i < cli->losses.count; i++)
		if (cli->losses.items[i].severity == severity)
			print_loss(cli, &cli->losses.items[i]);
}

/* True where the error only sums up the faults, which were printed one by one. */
static bool is_summary(const struct cli *cli, const struct anim_error *error)
{
	struct anim_error sum = {0};

	return cli->losses.faults > 0 && anim_losses_check(&cli->losses, &sum) != 0 && sum.code == error->code &&
	       strcmp(sum.message, error->message) == 0;
}

/*
 * After an error only what explains it is said: the faults, or the warnings that --strict made errors. Else warnings,
 * then notes.
 */
static void print_all(const struct cli *cli, const struct anim_error *error)
{
	print_losses(cli, ANIM_FAULT);
	if (error == NULL || error->code == ANIM_STRICT)
		print_losses(cli, ANIM_WARNING);
	if (error == NULL && !cli->options->quiet)
		print_losses(cli, ANIM_NOTE);
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
	anim_losses_clear(&cli->losses);
	anim_arena_clear(&cli->arena);
	return error == NULL ? CLI_DONE : cli_failure(cli);
}
