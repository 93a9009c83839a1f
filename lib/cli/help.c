/* help.c: the text of --help, made from a table of options. */
#include "cli/command_line.h"

#include <stdio.h>
#include <string.h>

#define HELP_COLUMN 28
#define WIDTH 80

/*
 * Print words from `column` on. Lines that would be too wide continue at `indent`. If `stop` is not NULL, they end in
 * it: a command breaks after a '|', so that it can be pasted.
 */
static void print_wrapped(const char *text, size_t column, size_t indent, const char *stop)
{
	for (bool first = true; *text != '\0'; first = false) {
		const char *end = stop == NULL ? text + strcspn(text, " ") : strstr(text, stop);
		size_t length;

		if (end == NULL)
			end = text + strlen(text);
		else if (stop != NULL)
			end += strlen(stop);
		length = (size_t)(end - text);
		if (!first && column + 1 + length > WIDTH)
			column = (size_t)printf("\n%*s", (int)indent, "") - 1;
		else if (!first)
			column += (size_t)printf(" ");
		printf("%.*s", (int)length, text);
		column += length;
		text = end + strspn(end, " ");
	}
	putchar('\n');
}

/* Print the options that are given by name or, if `set`, those given as -x NAME=VALUE. */
static void print_rows(const struct cli_rows *rows, bool all, bool set)
{
	const char *section = NULL;

	for (size_t i = 0; i < rows->count; i++) {
		const struct cli_place *place = &rows->place[i];
		const struct cli_option *row = rows->row[i];
		const char *argument = row->argument != NULL ? row->argument : "";
		char left[128], help[512];
		size_t used;
		int width;

		if (row->help == NULL || place->is_set != set || (place->is_more && !all))
			continue;
		if (!set && place->section != NULL && (section == NULL || strcmp(section, place->section) != 0))
			printf("%s%s:\n", section == NULL ? "" : "\n", place->section);
		section = place->section;
		/* The typed form: "  -f, --format FORMAT", or "  -x digits=N". */
		if (set)
			width = snprintf(left, sizeof left, "  -x %s%s%s", row->name, argument[0] != '\0' ? "=" : "",
					 argument);
		else
			width = snprintf(left, sizeof left, "  %c%c%s --%s%s%s", row->letter != '\0' ? '-' : ' ',
					 row->letter != '\0' ? row->letter : ' ', row->letter != '\0' ? "," : " ",
					 row->name, argument[0] != '\0' ? " " : "", argument);
		if (width >= HELP_COLUMN)
			printf("%s\n%*s", left, HELP_COLUMN, "");
		else
			printf("%-*s", HELP_COLUMN, left);
		/* A help text that ends in a colon is followed by the choices. */
		used = (size_t)snprintf(help, sizeof help, "%s", row->help);
		if (help[used - 1] == ':')
			for (size_t k = 0; row->choices[k] != NULL && used < sizeof help; k++)
				used += (size_t)snprintf(help + used, sizeof help - used, "%s%s", k > 0 ? ", " : " ",
							 row->choices[k]);
		print_wrapped(help, HELP_COLUMN, HELP_COLUMN, NULL);
	}
}

int cli_print_help(const struct cli_program *program, bool all)
{
	struct cli_rows rows;

	for (size_t i = 0; program->examples[i] != NULL; i++) {
		printf("  ");
		print_wrapped(program->examples[i], 2, 6, " |");
	}
	printf("\n%s: ", program->name);
	print_wrapped(program->summary, strlen(program->name) + 2, 2, NULL);
	printf("usage: %s %s\n\n", program->name, program->usage);
	cli_rows_of(program, &rows);
	print_rows(&rows, all, false);
	if (all && rows.set_words[0] != NULL) {
		printf("\nOptions of one format:\n");
		print_rows(&rows, all, true);
	}
	return ferror(stdout) ? -1 : 0;
}
