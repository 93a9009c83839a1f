/* programs.h: the installed programs, and which of them a mistyped name meant. */
#ifndef ANIM_CLI_PROGRAMS_H
#define ANIM_CLI_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct cli_found {
	char *name;  /* owned: "resample", the part after "anim-" */
	char *path;  /* owned */
	bool beside; /* in the folder of the searching program */
};

/* All-zero is empty. Sorted by name, each name once. */
struct cli_programs {
	struct cli_found *items;
	size_t count;
	char *folder; /* owned: folder of the searching program; NULL: not known */
};

/*
 * Find the programs whose names begin with "anim-": first in the folder of the program itself (argv[0], looked up in
 * PATH if it has no slash, with links resolved), then in the folders of PATH. Unreadable folders are skipped. Returns
 * 0, or -1 if out of memory. Call clear in both cases.
 */
int cli_programs_find(struct cli_programs *, const char *argv0, struct anim_error *);
void cli_programs_clear(struct cli_programs *);

/* Return the program called "resample" or "anim-resample", or NULL. */
const struct cli_found *cli_programs_get(const struct cli_programs *, const char *name);

#endif
