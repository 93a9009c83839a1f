/* each.h: one file per clip, named after names in the stream. All files appear together, or none. */
#ifndef ANIM_CLI_EACH_H
#define ANIM_CLI_EACH_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/track.h"

struct cli;

/* ---- File names made from the names of clips ---- */

/* The values of the parts of a pattern: %c, %p and %f. NULL or empty: "_". */
struct cli_name_parts {
	const char *clip, *player, *file;
};

/* The names given out so far, so that all files differ. All-zero is empty. */
struct cli_file_names {
	struct anim_text_set taken; /* in lower case */
	struct anim_map next;       /* the next number to try for a name made by the pattern */
	struct anim_arena keys;     /* the names in `next` */
	bool numbered;              /* the last name that was given out has a number */
};

/* Return true if the name contains %c, %p or %f. */
bool cli_file_pattern_is(const char *name);

/* Return NULL if the pattern is valid, otherwise a description of the error. */
const char *cli_file_pattern_fault(const char *pattern);

/*
 * Return the file name that a pattern makes: %c is the clip, %p the player, %f the source file, %% a percent sign.
 * Inserted names are made safe: '_' replaces bytes outside A-Z a-z 0-9 . _ - and well-formed UTF-8, and a '.' or '-'
 * at their start. They never make a part of the path longer than 200 bytes. In a part of the path that contains an
 * inserted name, a '.' at the end becomes '_', and a name that Windows takes for a device (aux.txt) gets a '_' before
 * it. A name that equals an earlier one except for case gets "-2" (or the next free number) before its suffix. The
 * caller owns the result, which is NULL if out of memory.
 */
char *cli_file_name(struct cli_file_names *, const char *pattern, const struct cli_name_parts *, struct anim_error *);

void cli_file_names_clear(struct cli_file_names *);

/* ---- One file per clip, all of which appear together, or none ---- */

/* All-zero except cli and pattern is the initial state. */
struct cli_each {
	struct cli *cli;
	const char *pattern; /* for cli_file_name; borrowed */
	struct cli_file_names names;
	char *tree_file;            /* source file of the last TREE; owned */
	struct anim_buffer sealed;  /* struct anim_output * */
	struct anim_buffer folders; /* folders that were made, each with its NUL, outer ones first */
};

/* Set the TREE of the clips that follow: its source file is their %f. Returns 0 or -1. */
int cli_each_tree(struct cli_each *, const struct anim_tree *, struct anim_error *);

/*
 * Return the path of the file of a clip, owned by the caller. %f is the file that the clip itself came from. If the
 * pattern has no %c and only a number makes the name unique, a warning is added. Returns NULL on error.
 */
char *cli_each_path(struct cli_each *, const struct anim_clip *, struct anim_diagnostics *, struct anim_error *);

/* Make the missing folders of a path. Append the name of each new folder, with its NUL, to *made. Returns 0 or -1. */
int cli_make_folders(struct anim_buffer *made, const char *path, struct anim_error *);

/* Remove such folders, inner ones first, and clear the buffer. Folders that contain other files by now stay. */
void cli_remove_folders(struct anim_buffer *made);

/* Open a file of this path as cli_open_file does, and make its folders. Returns 0 or -1. */
int cli_each_open(struct cli_each *, const char *path, struct anim_output **, struct anim_error *);

/* Seal an output, which is owned from now on and gets its name with the others. Returns 0 or -1. */
int cli_each_seal(struct cli_each *, struct anim_output *, struct anim_error *);

int cli_each_commit(struct cli_each *, struct anim_error *); /* renames all files */
void cli_each_clear(struct cli_each *); /* removes uncommitted files and the folders made for them */

#endif
