/* each.h: a file for every clip, all of which appear together or not at all. */
#ifndef ANIM_CLI_EACH_H
#define ANIM_CLI_EACH_H

#include "base/buffer.h"
#include "base/output.h"
#include "cli/file_name.h"
#include "clip/losses.h"
#include "clip/track.h"

/* All-zero but for pattern and force is the beginning. */
struct cli_each {
	const char *pattern; /* of cli_file_name; borrowed */
	bool force;          /* files that are there already are overwritten */
	struct cli_file_names names;
	char *tree_file; /* of the last TREE; owned */
	struct anim_output **sealed;
	size_t count, capacity;
	struct anim_buffer folders; /* that were made, each with its NUL, outer ones first */
};

/* The TREE that the clips to come belong to: its source file is their %f. 0 or -1. */
int cli_each_tree(struct cli_each *, const struct anim_tree *, struct anim_error *);

/*
 * The path of the clip's file, owned by the caller; %f is the file that the clip itself came from. One that a number tells
 * from others where the pattern has no %c is warned of. NULL on error.
 */
char *cli_each_path(struct cli_each *, const struct anim_clip *, struct anim_losses *, struct anim_error *);

/* Opens a file of that path, whose folders are made; one that is there is refused. 0 or -1. */
int cli_each_open(struct cli_each *, const char *path, struct anim_output **, struct anim_error *);

/* Closes an output (owned from now on), which gets its name with the others. 0 or -1. */
int cli_each_seal(struct cli_each *, struct anim_output *, struct anim_error *);

int cli_each_commit(struct cli_each *, struct anim_error *); /* all get their names */
void cli_each_clear(struct cli_each *);                      /* what was not committed is removed, with the folders made for it */

#endif
