/* internal.h: what the files of cli share. */
#ifndef ANIM_CLI_INTERNAL_H
#define ANIM_CLI_INTERNAL_H

#include "cli/cli.h"

/* ---- The parts of reading a command line. Internal to cli ---- */

#define CLI_ROWS_MAX 128

/* How an option is shown and given: the kind of the row that is no option in front of it. */
struct cli_place {
	const char *section; /* its title; NULL: the table has no sections */
	bool is_more, is_set;
};

/* The options of a program with those that every program has behind them. */
struct cli_rows {
	const struct cli_option *row[CLI_ROWS_MAX];
	struct cli_place place[CLI_ROWS_MAX];
	size_t count;
	struct cli_option set;                      /* -x, which is there if an option is given so */
	const char *set_words[CLI_ROWS_MAX + 1];    /* "digits=" and "slerp": what stands behind it; NULL at the end */
	char set_text[CLI_ROWS_MAX * CLI_WORD_MAX]; /* of them */
};

void cli_rows_of(const struct cli_program *, struct cli_rows *);

/* ---- What a shell completes of a program's command line, made from its table of options ---- */

enum cli_shell { CLI_BASH, CLI_ZSH, CLI_FISH };

/* The shells' names in the order of the enum, NULL-terminated. */
extern const char *const cli_shell_names[];

/*
 * Prints the file that a shell loads to complete the program's command line: options that the help shows, the words that
 * an option or the first operand takes, files elsewhere. 0, or -1 where stdout could not take it.
 */
int cli_print_completion(const struct cli_program *, enum cli_shell);

#endif
