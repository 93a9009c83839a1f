/* help.h: pages of the manual, and the search of `anim help -s`. */
#ifndef ANIM_CMD_HELP_H
#define ANIM_CMD_HELP_H

#include "cli/cli.h"
#include "cli/programs.h"

/* A page that is not about a program. */
struct help_page {
	const char *name, *section, *about;
};

/* Return the page that `anim help mocap` or `anim help anim-mocap` means, or NULL. */
const struct help_page *help_page_find(const char *name);

/*
 * Become man with a page that is installed, or in the source tree of the program that runs. Returns only on failure: -1, also if
 * the page is not there.
 */
int help_page_show(const struct cli_programs *, const char *name, const char *section, struct anim_error *);

/*
 * Print the tasks, options and pages about all words after `help -s`, with their commands. If no task has the words
 * themselves, words that mean the same also count. If no task or option has all words, the nearest tasks follow. Returns the exit
 * status.
 */
int help_search(struct cli *, const struct cli_programs *);

#endif
