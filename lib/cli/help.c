/* help.c: what --help shows, and the two lines of a wrong command line. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

#define HELP_COLUMN 28
#define WIDTH 80

/*
 * Prints a text of words from `column` on; lines that would be too wide go on at `indent`, and end in `stop`, where there is
 * one: a command breaks behind a '|', so that it can be pasted.
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

/* A help that ends in a colon goes on with the choices. */
static void print_row(const struct cli_option *row)
{
	char left[128], help[512];
	size_t used;
	int width;

	width = snprintf(left, sizeof left, "  %c%c%s --%s%s%s", row->letter != '\0' ? '-' : ' ',
			 row->letter != '\0' ? row->letter : ' ', row->letter != '\0' ? "," : " ", row->name,
			 row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
	if (width >= HELP_COLUMN)
		printf("%s\n%*s", left, HELP_COLUMN, "");
	else
		printf("%-*s", HELP_COLUMN, left);
	used = (size_t)snprintf(help, sizeof help, "%s", row->help);
	if (help[used - 1] == ':')
		for (size_t i = 0; row->choices[i] != NULL && used < sizeof help; i++)
			used += (size_t)snprintf(help + used, sizeof help - used, "%s%s", i > 0 ? ", " : " ",
						 row->choices[i]);
	print_wrapped(help, HELP_COLUMN, HELP_COLUMN, NULL);
}

int cli_print_help(const struct cli_program *program)
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
	for (size_t i = 0; i < rows.count; i++)
		if (rows.row[i]->help != NULL)
			print_row(rows.row[i]);
	return ferror(stdout) ? -1 : 0;
}

void cli_usage(const struct cli *cli, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	cli_message(cli, NULL, NULL, text);
	fprintf(stderr, "usage: %s %s\n", cli->program->name, cli->program->usage);
	exit(CLI_USAGE);
}
