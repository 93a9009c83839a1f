/* options.c: reads a command line by a program's table of options. */
#include "cli/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/number.h"
#include "cli/completion.h"
#include "cli/nearest.h"

static const struct cli_option output_row = {.letter = 'o',
					     .name = "output",
					     .argument = "FILE",
					     .help = "write FILE, which appears when it is whole",
					     .kind = CLI_TEXT,
					     .offset = offsetof(struct cli_common, output),
					     .not_provenance = true};
static const struct cli_option force_row = {.name = "force",
					    .help = "write over files that hold more than animation, too",
					    .offset = offsetof(struct cli_common, force),
					    .not_provenance = true};
static const struct cli_option quiet_row = {.letter = 'q',
					    .name = "quiet",
					    .help = "no notes, only warnings and errors",
					    .offset = offsetof(struct cli_common, quiet),
					    .not_provenance = true};
static const struct cli_option strict_row = {
    .name = "strict", .help = "a warning is an error", .offset = offsetof(struct cli_common, strict)};
static const struct cli_option no_provenance_row = {.name = "no-provenance",
						    .help = "drop the records of which programs made the stream",
						    .offset = offsetof(struct cli_common, no_provenance),
						    .not_provenance = true};
const struct cli_option cli_help_row = {.letter = 'h', .name = "help", .help = "show this", .not_provenance = true};
const struct cli_option cli_version_row = {
    .letter = 'V', .name = "version", .help = "show the version", .not_provenance = true};
/* For the installation, so the help does not show it. */
const struct cli_option cli_completion_row = {
    .name = "completion", .argument = "SHELL", .kind = CLI_CHOICE, .choices = cli_shell_names, .not_provenance = true};

void cli_rows_of(const struct cli_program *program, struct cli_rows *rows)
{
	rows->count = 0;
	for (size_t i = 0; i < program->option_count && i < CLI_ROWS_MAX - 8; i++)
		rows->row[rows->count++] = &program->options[i];
	if (program->flags & CLI_HAS_OUTPUT) {
		rows->row[rows->count++] = &output_row;
		rows->row[rows->count++] = &force_row;
	}
	if (program->flags & CLI_WRITES_STREAM)
		rows->row[rows->count++] = &no_provenance_row;
	if (program->flags & CLI_HAS_STRICT)
		rows->row[rows->count++] = &strict_row;
	rows->row[rows->count++] = &quiet_row;
	rows->row[rows->count++] = &cli_help_row;
	rows->row[rows->count++] = &cli_version_row;
	rows->row[rows->count++] = &cli_completion_row;
}

/* getopt's two tables; a long option's value is LONG_BASE + its row's number, so that it is known which was typed. */
#define LONG_BASE 256
struct getopt_tables {
	struct option longs[CLI_ROWS_MAX + 1];
	char letters[2 * CLI_ROWS_MAX + 3];
};

static void fill_tables(const struct cli_rows *rows, bool operands_end, struct getopt_tables *tables)
{
	char *letter = tables->letters;

	if (operands_end)
		*letter++ = '+';
	*letter++ = ':';
	for (size_t i = 0; i < rows->count; i++) {
		const struct cli_option *row = rows->row[i];
		bool has_value = row->kind != CLI_FLAG;

		tables->longs[i] =
		    (struct option){row->name, has_value ? required_argument : no_argument, NULL, LONG_BASE + (int)i};
		if (row->letter == '\0')
			continue;
		*letter++ = row->letter;
		if (has_value)
			*letter++ = ':';
	}
	*letter = '\0';
	memset(&tables->longs[rows->count], 0, sizeof tables->longs[0]);
}

static const struct cli_option *row_of(const struct cli_rows *rows, int code)
{
	if (code >= LONG_BASE)
		return rows->row[code - LONG_BASE];
	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i]->letter == code)
			return rows->row[i];
	return NULL;
}

void cli_no_memory(const struct cli *cli)
{
	cli_message(cli, NULL, NULL, "out of memory");
	exit(cli_failure(cli));
}

static void store_text(struct cli *cli, struct cli_texts *texts, const char *value)
{
	size_t count = texts->count;

	if ((count & (count - 1)) == 0) {
		const char **items = anim_arena_zeroed(&cli->arena, count == 0 ? 1 : 2 * count, sizeof *items, NULL);

		if (items == NULL)
			cli_no_memory(cli);
		if (count > 0)
			memcpy(items, texts->items, count * sizeof *items);
		texts->items = items;
	}
	texts->items[texts->count++] = value;
}

static unsigned read_count(const struct cli *cli, const struct cli_option *row, const char *value)
{
	char padded[32 + ANIM_INPUT_SLACK] = "";
	size_t length = strlen(value);
	uint64_t number = 0;
	const char *end = NULL;

	if (length > 0 && length < 32) {
		memcpy(padded, value, length);
		end = anim_number_uint64(padded, padded + length, &number);
	}
	if (end != padded + length || number > INT_MAX)
		cli_usage(cli, "--%s: '%s' is not a whole number from 0 to %d", row->name, value, INT_MAX);
	return (unsigned)number;
}

static int read_choice(const struct cli *cli, const struct cli_option *row, const char *value)
{
	char list[256] = "";
	const char *nearest;

	for (int i = 0; row->choices[i] != NULL; i++) {
		size_t used = strlen(list);

		if (strcasecmp(row->choices[i], value) == 0)
			return i;
		snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", row->choices[i]);
	}
	nearest = cli_nearest(value, row->choices);
	if (nearest != NULL)
		cli_usage(cli, "--%s: '%s' is none of %s; did you mean %s?", row->name, value, list, nearest);
	cli_usage(cli, "--%s: '%s' is none of %s", row->name, value, list);
}

static void store(struct cli *cli, const struct cli_given *given)
{
	char *at = (char *)cli->options + given->row->offset;

	switch (given->row->kind) {
	case CLI_FLAG:
		*(bool *)(void *)at = true;
		break;
	case CLI_TEXT:
		*(const char **)(void *)at = given->value;
		break;
	case CLI_TEXTS:
		store_text(cli, (struct cli_texts *)(void *)at, given->value);
		break;
	case CLI_COUNT:
		*(unsigned *)(void *)at = read_count(cli, given->row, given->value);
		break;
	case CLI_CHOICE:
		*(int *)(void *)at = read_choice(cli, given->row, given->value);
		break;
	}
}

/* "--fromat=x": the long option that was meant, NULL where none is near. */
static const char *meant(const struct cli_rows *rows, const char *word)
{
	const char *names[CLI_ROWS_MAX + 1], *begin = word + strspn(word, "-");
	char name[CLI_WORD_MAX + 1];
	size_t count = 0, length = strcspn(begin, "=");

	if (length > CLI_WORD_MAX || length < 3)
		return NULL;
	memcpy(name, begin, length);
	name[length] = '\0';
	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i]->help != NULL)
			names[count++] = rows->row[i]->name;
	names[count] = NULL;
	return cli_nearest(name, names);
}

/* What getopt refused: code '?' or ':'. */
static void refuse(const struct cli *cli, const struct cli_rows *rows, int code, const char *word)
{
	const struct cli_option *row = optopt == 0 ? NULL : row_of(rows, optopt);

	if (code == ':')
		cli_usage(cli, "--%s needs a value: %s", row->name, row->argument);
	if (row != NULL)
		cli_usage(cli, "--%s takes no value", row->name);
	if (optopt != 0)
		cli_usage(cli, "unknown option '-%c'", optopt);
	if (meant(rows, word) != NULL)
		cli_usage(cli, "unknown option '%s'; did you mean --%s?", word, meant(rows, word));
	cli_usage(cli, "unknown option '%s'", word);
}

/* --help, --version, --completion: prints, and ends the program. */
static void leave_by(const struct cli *cli, const struct cli_given *given)
{
	int status = 0;

	if (given->row == &cli_help_row)
		status = cli_print_help(cli->program);
	else if (given->row == &cli_completion_row)
		status = cli_print_completion(cli->program, (enum cli_shell)read_choice(cli, given->row, given->value));
	else
		printf("%s %s\n", cli->program->name, CLI_VERSION);
	if (status != 0 || fflush(stdout) != 0 || ferror(stdout) || fclose(stdout) != 0) {
		cli_message(cli, NULL, NULL, "cannot write standard output");
		exit(cli_failure(cli));
	}
	exit(CLI_DONE);
}

void cli_read_options(struct cli *cli, int argc, char **argv)
{
	struct cli_rows rows;
	struct getopt_tables tables = {.letters = ""};
	struct anim_buffer given = {0};
	int code;

	cli_rows_of(cli->program, &rows);
	fill_tables(&rows, cli->program->flags & CLI_DISPATCHES, &tables);
	opterr = 0;
	while ((code = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
		struct cli_given one;

		if (code == '?' || code == ':')
			refuse(cli, &rows, code, argv[optind - 1]);
		one.row = row_of(&rows, code);
		one.value = one.row->kind == CLI_FLAG ? NULL : optarg;
		if (one.row == &cli_help_row || one.row == &cli_version_row || one.row == &cli_completion_row)
			leave_by(cli, &one);
		store(cli, &one);
		if (anim_buffer_append(&given, &one, sizeof one, NULL) != 0)
			cli_no_memory(cli);
	}
	cli->operands = argv + optind;
	cli->operand_count = argc - optind;
	cli_record_provenance(cli, (const struct cli_given *)(const void *)given.data,
			      given.size / sizeof(struct cli_given));
	anim_buffer_clear(&given);
}

void cli_check_operands(const struct cli *cli)
{
	const struct cli_program *program = cli->program;

	if (cli->operand_count < program->least_operands)
		cli_usage(cli, "an operand is missing");
	if (program->most_operands >= 0 && cli->operand_count > program->most_operands)
		cli_usage(cli, "'%s' is one operand too many", cli->operands[program->most_operands]);
}
