/* depfile.h: a make rule with the files that a run has read. */
#ifndef ANIM_CLI_DEPFILE_H
#define ANIM_CLI_DEPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/output.h"

/* All-zero is empty. */
struct cli_depfile {
	char **paths; /* owned, each path once */
	size_t count, capacity;
};

/*
 * Add a path if it is new. Standard input ("-") is ignored. Returns 0, or -1 (out of memory, or a name that no rule
 * can hold).
 */
int cli_depfile_add(struct cli_depfile *, const char *path, struct anim_error *);

/*
 * Write "target: path path" with make's special characters escaped, and "path:" for each path, without which make
 * would stop if a file has been renamed. The output is not committed. Returns 0 or -1 (also for a target that no rule
 * can hold).
 */
int cli_depfile_write(const struct cli_depfile *, const char *target, struct anim_output *, struct anim_error *);

/* Return whether the bytes are such a rule and nothing else. */
bool cli_depfile_is(const uint8_t *, size_t size);

void cli_depfile_clear(struct cli_depfile *);

#endif
