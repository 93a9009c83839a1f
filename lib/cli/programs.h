/* programs.h: the programs that are installed, and which of them a mistyped name meant. */
#ifndef ANIM_CLI_PROGRAMS_H
#define ANIM_CLI_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct cli_found {
	char *name;  /* owned: "resample", what stands behind "anim-" */
	char *path;  /* owned */
	bool beside; /* in the folder of the program that looks */
};

/* All-zero is empty. Sorted by name, each name once. */
struct cli_programs {
	struct cli_found *items;
	size_t count;
	char *folder; /* owned: where the program that looks lies; NULL where that is not known */
};

/*
 * Finds the programs whose names begin with "anim-": beside the program itself (argv[0], looked up in PATH where it has
 * no slash, links resolved), then in the folders of PATH. Folders that cannot be read are passed over. 0, or -1 out of
 * memory; clear in both cases.
 */
int cli_programs_find(struct cli_programs *, const char *argv0, struct anim_error *);
void cli_programs_clear(struct cli_programs *);

/* The program of that name, "resample" or "anim-resample"; NULL where there is none. */
const struct cli_found *cli_programs_get(const struct cli_programs *, const char *name);

#endif
