/* each.h: a file for every clip, with a name made from what the stream calls it; all of which appear together or not at all. */
#ifndef ANIM_CLI_EACH_H
#define ANIM_CLI_EACH_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/track.h"

struct cli;

/* ---- Names of files made from what a stream calls its clips ---- */

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

/* True where the name has %c, %p or %f. */
bool cli_file_pattern_is(const char *name);

/* NULL where the pattern is good, else what is wrong with it. */
const char *cli_file_pattern_fault(const char *pattern);

/*
 * The pattern with %c clip, %p player, %f source file, %% percent. What is put in is made safe: bytes outside
 * A-Z a-z 0-9 . _ - and well-formed UTF-8 become '_', so does a '.' or '-' at its start; no part of the path becomes
 * longer than 200 bytes by it. In a part of the path that has some of it, a '.' at the end becomes '_', and a name that
 * Windows takes for a device (aux.txt) gets a '_' before it. A name that is another's but for upper and lower case gets
 * "-2" (or the next free number) before its suffix. Owned by the caller; NULL out of memory.
 */
char *cli_file_name(struct cli_file_names *, const char *pattern, const struct cli_name_parts *, struct anim_error *);

void cli_file_names_clear(struct cli_file_names *);

/* ---- A file for every clip, all of which appear together or not at all ---- */

/* All-zero but for cli and pattern is the beginning. */
struct cli_each {
	struct cli *cli;
	const char *pattern; /* of cli_file_name; borrowed */
	struct cli_file_names names;
	char *tree_file;            /* of the last TREE; owned */
	struct anim_buffer sealed;  /* struct anim_output * */
	struct anim_buffer folders; /* that were made, each with its NUL, outer ones first */
};

/* The TREE that the clips to come belong to: its source file is their %f. 0 or -1. */
int cli_each_tree(struct cli_each *, const struct anim_tree *, struct anim_error *);

/*
 * The path of the clip's file, owned by the caller; %f is the file that the clip itself came from. One that a number tells
 * from others where the pattern has no %c is warned of. NULL on error.
 */
char *cli_each_path(struct cli_each *, const struct anim_clip *, struct anim_diagnostics *, struct anim_error *);

/* Opens a file of that path, whose folders are made, as cli_open_file does. 0 or -1. */
int cli_each_open(struct cli_each *, const char *path, struct anim_output **, struct anim_error *);

/* Closes an output (owned from now on), which gets its name with the others. 0 or -1. */
int cli_each_seal(struct cli_each *, struct anim_output *, struct anim_error *);

int cli_each_commit(struct cli_each *, struct anim_error *); /* all get their names */
void cli_each_clear(struct cli_each *); /* what was not committed is removed, with the folders made for it */

#endif
