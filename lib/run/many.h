/* many.h: converts many files with several threads, each file in a call of its own. */
#ifndef ANIM_RUN_MANY_H
#define ANIM_RUN_MANY_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cli.h"
#include "run/folder.h"

#define MANY_JOBS_MAX 256u

struct many {
	struct cli *cli; /* of the command line, whose options apply to each file */
	const struct folder_file *files;
	size_t count;
	const char *folder; /* of all outputs: links in it that lead out of it are not followed */
	unsigned jobs;      /* threads */
	bool holds_many; /* a file of the output format holds several clips. If not, files with several get a folder. */
	bool keeps_there; /* files whose outputs exist are not converted */
	bool prints_notes;
	size_t done, there; /* out: files that were converted, and those whose outputs existed */
};

/*
 * Convert the files. Their messages are printed in the order of the files, whatever the number of threads: all messages of a
 * file that was converted, and the first error of one that was left out. Returns 0 or -1.
 */
int many_convert(struct many *, struct anim_error *);

#endif
