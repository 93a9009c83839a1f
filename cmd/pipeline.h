/* pipeline.h: programs that run as a pipe of processes, and the line of shell that does the same. */
#ifndef ANIM_CMD_PIPELINE_H
#define ANIM_CMD_PIPELINE_H

#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

#define PIPELINE_MAX 11

/* One program. All of it is borrowed. */
struct pipeline_command {
	char **arguments;  /* the path that is run, then what it is given; NULL at the end */
	const char *shown; /* what a shell finds it by */
};

struct pipeline {
	struct pipeline_command commands[PIPELINE_MAX];
	size_t count;
};

/* Appends the line that a POSIX shell runs the same programs by, without line feed and NUL. 0 or -1. */
int pipeline_print(const struct pipeline *, struct anim_buffer *, struct anim_error *);

/*
 * Runs the programs, each one's output the next one's input, and waits for all. The first has our standard input and error,
 * the last our standard output; what the others say comes behind, in their order, without what only follows from the
 * failure of one before. Signals that end this program end them first.
 * Returns the greatest exit status, 0 where all went well; -1 with ANIM_CLOSED where our reader has gone, or with why a
 * program could not be run or which signal ended it.
 */
int pipeline_run(const struct pipeline *, struct anim_error *);

#endif
