/* command_line.h: a command line and its table of options, for parsing, help, messages and completion. */
#ifndef ANIM_CLI_COMMAND_LINE_H
#define ANIM_CLI_COMMAND_LINE_H

#include "cli/cli.h"

/* Return the run of the command that the user typed. */
static inline const struct cli *cli_typed(const struct cli *cli)
{
	return cli->front != NULL ? cli->front->cli : cli;
}

/* Return the call of the library in which this runs, or NULL. */
static inline struct cli_host *cli_host(const struct cli *cli)
{
	return cli_typed(cli)->host;
}

/* ---- The parts of reading a command line ---- */

#define CLI_ROWS_MAX 144

/* How an option is shown and given. It follows from the rows before it that are not options. */
struct cli_place {
	const char *section; /* its title; NULL: the table has no sections */
	bool is_more, is_set;
};

/* The options of a program, followed by those that every program has. */
struct cli_rows {
	const struct cli_option *row[CLI_ROWS_MAX];
	struct cli_place place[CLI_ROWS_MAX];
	size_t count;
	struct cli_option set; /* the option -x, used if some options are given in this way */
	/* words that may follow it: "digits=" and "slerp"; terminated by NULL */
	const char *set_words[CLI_ROWS_MAX + 1];
	char set_text[CLI_ROWS_MAX * CLI_WORD_MAX]; /* text of these words */
};

void cli_rows_of(const struct cli_program *, struct cli_rows *);

/* ---- Shell completion of a command line, made from the table of options ---- */

enum cli_shell { CLI_BASH, CLI_ZSH, CLI_FISH };

/* The shells' names in the order of the enum, NULL-terminated. */
extern const char *const cli_shell_names[];

/*
 * Print the file that a shell loads to complete command lines of the program: the options that the help shows, the
 * words that an option or the first operand takes, and files elsewhere. Returns 0, or -1 if writing to stdout failed.
 */
int cli_print_completion(const struct cli_program *, enum cli_shell);

#endif
