/* help.c: what --help shows, and the two lines of a wrong command line. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

#define HELP_COLUMN 28

static void print_row(const struct cli_option *row)
{
	char left[128];
	int width;

	width = snprintf(left, sizeof left, "  %c%c%s --%s%s%s", row->letter != '\0' ? '-' : ' ',
			 row->letter != '\0' ? row->letter : ' ', row->letter != '\0' ? "," : " ", row->name,
			 row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
	if (width >= HELP_COLUMN)
		printf("%s\n%*s%s\n", left, HELP_COLUMN, "", row->help);
	else
		printf("%-*s%s\n", HELP_COLUMN, left, row->help);
}

int cli_print_help(const struct cli_program *program)
{
	struct cli_rows rows;

	for (size_t i = 0; program->examples[i] != NULL; i++)
		printf("  %s\n", program->examples[i]);
	printf("\n%s: %s\n", program->name, program->summary);
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
