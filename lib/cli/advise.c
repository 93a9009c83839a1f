/* advise.c: the words of advices for the user of a run, who typed a command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/advice_words.h"
#include "cli/command_line.h"

#define ADVISED_INPUT_MAX 256

/* Controls of the page that set options of anim convert. */
static const char *const controls[][2] = {
    {"unit", "'Unit of motion capture files'"},
    {"rate", "'Samples per second'"},
    {"retarget", "'Put on the skeleton in'"},
    {"reduce", "'Remove keys'"},
    {"mirror", "'Swap left and right'"},
    {"in-place", "'Stay on the spot'"},
    {"pin", "'Keep feet in place on the ground'"},
    {"clip", "the clips under 'Files and clips'"},
    {"map", "the table 'Bones'"},
};

static bool is_page(void)
{
	const char *front = getenv("ANIM_FRONT");

	return front != NULL && strcmp(front, "page") == 0;
}

/* Print how the program's option of this name is typed: "-r", "--shift", "-x digits". Returns false if it has none. */
static bool spell(const struct cli_program *program, const char *name, char *out, size_t capacity)
{
	struct cli_rows rows;

	cli_rows_of(program, &rows);
	for (size_t i = 0; i < rows.count; i++) {
		const struct cli_option *row = rows.row[i];

		if (strcmp(row->name, name) != 0)
			continue;
		if (row->letter != '\0')
			snprintf(out, capacity, "-%c", row->letter);
		else
			snprintf(out, capacity, "%s%s", rows.place[i].is_set ? "-x " : "--", name);
		return true;
	}
	return false;
}

/* Options that mean something else in other programs than the home of an advice. */
static const char ambiguous[] = "format rate speed scale order for";

/* Return whether the option of this name is the one that the advice means. */
static bool is_meant(const struct cli *cli, const char *home, const char *name)
{
	static const char prefix[] = "anim-";

	return !anim_text_is_word(ambiguous, name) || strcmp(cli->program->name + sizeof prefix - 1, home) == 0;
}

static void print_option(const struct cli *cli, const char *const *arguments, char *out, size_t capacity)
{
	const char *name = arguments[1];
	const struct cli *front = cli_typed(cli);
	char spelled[SPELLED_MAX], program[SPELLED_MAX];

	/* In anim convert, an option of this step or of its home may have another name, or none. */
	if (cli->front != NULL) {
		snprintf(program, sizeof program, "anim-%s", arguments[0]);
		name = is_meant(cli, arguments[0], arguments[1])
			   ? cli->front->option_of(cli->program->name, arguments[1])
			   : NULL;
		if (name == NULL)
			name = cli->front->option_of(program, arguments[1]);
	}
	for (size_t i = 0; name != NULL && is_page() && i < sizeof controls / sizeof *controls; i++)
		if (strcmp(controls[i][0], name) == 0) {
			snprintf(out, capacity, "%s", controls[i][1]);
			return;
		}
	if (name == NULL || (cli->front == NULL && !is_meant(cli, arguments[0], name)) ||
	    !spell(front->program, name, spelled, sizeof spelled)) {
		cli_advice_elsewhere(arguments, out, capacity);
		return;
	}
	cli_advice_add_value(spelled, arguments[2], out, capacity);
	if (is_page())
		snprintf(out + strlen(out), capacity - strlen(out), MORE);
}

void cli_words(const struct anim_advisor *advisor, const char *code, const char *const *arguments, char *out,
	       size_t capacity)
{
	const struct cli *cli = ((const struct cli_advisor *)advisor)->cli;
	const struct cli *front = cli_typed(cli);
	const struct cli_advice *row = cli_advice_find(code);
	char input[ADVISED_INPUT_MAX] = "IN";
	const char *words;

	out[0] = '\0';
	if (strcmp(code, "OPTION") == 0)
		print_option(cli, arguments, out, capacity);
	else if (strcmp(code, "LIST_ALL") == 0 && cli->lint_target != NULL && !is_page())
		snprintf(out, capacity, "anim-lint --for %s lists all", cli->lint_target);
	if (strcmp(code, "NAME_BONES") == 0 && cli_was_given(front, "humanoid")) {
		snprintf(out, capacity, ANIM_ADVICE(RENAME_NODES)); /* the names are not of a known set */
		return;
	}
	if (row == NULL || (strcmp(code, "TO_MODEL") == 0 && cli_was_given(front, "retarget")))
		return;
	words = row->pipe;
	if (cli->front != NULL && row->convert != NULL)
		words = cli->front->is_early && row->early != NULL ? row->early : row->convert;
	if (is_page() && row->page != NULL && !(cli->front != NULL && cli->front->is_early && row->early != NULL))
		words = row->page;
	if (front->operand_count == 1 || (cli->front != NULL && front->operand_count == 2))
		anim_text_quote(input, sizeof input, front->operands[0]);
	cli_advice_fill(words, arguments, input, out, capacity);
}

void cli_advise(const struct cli *cli, const char *text, char *out, size_t capacity)
{
	anim_advice_print(&cli->advisor.advisor, text, out, capacity);
}
