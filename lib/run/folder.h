/* folder.h: the files of folders and lists that a command converts, with the names of their outputs. */
#ifndef ANIM_RUN_FOLDER_H
#define ANIM_RUN_FOLDER_H

#include <stddef.h>

#include "base/buffer.h"
#include "cli/cli.h"

struct folder_file {
	const char *in;
	const char *folder; /* `out` without its suffix: for a file of each clip */
	const char *out;
};

/* A search for files. */
struct folder_walk;

/*
 * Begin a search that appends a struct folder_file for each file. `to` is the folder of the outputs, and `suffix` their suffix. The
 * names of two outputs differ by more than case: the second of two that would be the same keeps the suffix of its input, and further
 * ones also have a number. A file that is found twice by the same path is appended once. Arguments are borrowed. Returns NULL on error.
 */
struct folder_walk *folder_walk_new(struct cli *, const char *to, const char *suffix, struct anim_buffer *files,
				    struct anim_error *);

/*
 * Append the files below the folder that have the suffix of a format with clips, sorted by name. `out` is the same path below `to`.
 * Names that begin with '.' are left out, and so are linked folders and the folder `to` itself. A folder
 * below that cannot be read is left out, with a line. Returns 0 or -1.
 */
int folder_walk_below(struct folder_walk *, const char *folder);
size_t folder_walk_left_out(const struct folder_walk *); /* how many folders could not be read */

/*
 * Append the files of a list, one on a line, or if the list has a NUL, each with a NUL at its end. "-" is standard input. `out` is
 * their path below `to`, without the folders "." and ".." and without a slash at its start. Returns 0 or -1.
 */
int folder_walk_list(struct folder_walk *, const char *list);

void folder_walk_free(struct folder_walk *); /* NULL is allowed */

#endif
