/* completion.h: what a shell completes of a program's command line, made from its table of options. */
#ifndef ANIM_CLI_COMPLETION_H
#define ANIM_CLI_COMPLETION_H

#include "cli/cli.h"

enum cli_shell { CLI_BASH, CLI_ZSH, CLI_FISH };

/* The shells' names in the order of the enum, NULL-terminated. */
extern const char *const cli_shell_names[];

/*
 * Prints the file that a shell loads to complete the program's command line: options that the help shows, the words that
 * an option or the first operand takes, files elsewhere. 0, or -1 where stdout could not take it.
 */
int cli_print_completion(const struct cli_program *, enum cli_shell);

#endif
