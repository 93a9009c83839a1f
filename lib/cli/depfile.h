/* depfile.h: a make rule over the files that a run has read. */
#ifndef ANIM_CLI_DEPFILE_H
#define ANIM_CLI_DEPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/output.h"

/* All-zero is empty. */
struct cli_depfile {
	char **paths; /* owned, each once */
	size_t count, capacity;
};

/* Adds a path once; standard input ("-") is none. 0, or -1 (no memory; a name that no rule can hold). */
int cli_depfile_add(struct cli_depfile *, const char *path, struct anim_error *);

/*
 * Writes "target: path path" with what make would take for its own escaped, and "path:" of each, without which make would
 * stop where one was renamed since; not committed. 0, or -1 (also a target that no
 * rule can hold).
 */
int cli_depfile_write(const struct cli_depfile *, const char *target, struct anim_output *, struct anim_error *);

/* Whether that is such a rule and nothing else. */
bool cli_depfile_is(const uint8_t *, size_t size);

void cli_depfile_clear(struct cli_depfile *);

#endif
