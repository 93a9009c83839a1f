/* file_name.h: names of files made from what a stream calls its clips. */
#ifndef ANIM_CLI_FILE_NAME_H
#define ANIM_CLI_FILE_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "base/text_set.h"

/* What the parts of a pattern stand for: %c, %p and %f. NULL or empty: "_". */
struct cli_name_parts {
	const char *clip, *player, *file;
};

/* The names given out so far, so that no two files are one. All-zero is empty. */
struct cli_file_names {
	struct anim_text_set taken; /* in lower case */
	struct anim_map next;       /* the number to try next for a name as the pattern made it */
	struct anim_arena keys;     /* of those names */
	bool numbered;              /* the last name given out has a number */
};

/* NULL where the pattern is good, else what is wrong with it. */
const char *cli_file_pattern_fault(const char *pattern);

/*
 * The pattern with %c clip, %p player, %f source file, %% percent. What is put in is made safe: bytes outside
 * A-Z a-z 0-9 . _ - and well-formed UTF-8 become '_', so does a '.' or '-' at its start; no part of the path becomes
 * longer than 200 bytes by it; a name that is another's but for upper and lower case gets "-2" (or the next free
 * number) before its suffix. Owned by the caller; NULL out of memory.
 */
char *cli_file_name(struct cli_file_names *, const char *pattern, const struct cli_name_parts *, struct anim_error *);

void cli_file_names_clear(struct cli_file_names *);

#endif
