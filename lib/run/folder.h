/* folder.h: the files of a folder that a command converts, with the names of their outputs. */
#ifndef ANIM_RUN_FOLDER_H
#define ANIM_RUN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "cli/cli.h"

struct folder_file {
	const char *in;
	const char *folder; /* `out` without its suffix: for a file of each clip */
	const char *out;
};

/*
 * Append a struct folder_file for each file below the folder that has the suffix of a format with clips, sorted by name. `out`
 * is the same path below the folder `to`, with the suffix of the output, after the suffix of the input if two would be the same.
 * Names that begin with '.' are left out, and so are linked folders and the folder `to` itself. Returns 0 or -1.
 */
int folder_list(struct cli *, const char *folder, const char *to, const char *suffix, struct anim_buffer *files,
		struct anim_error *);

#endif
