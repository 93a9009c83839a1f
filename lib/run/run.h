/* run.h: conversions and filters in a call of the library. What they read and write may be memory (base/named.h). */
#ifndef ANIM_RUN_RUN_H
#define ANIM_RUN_RUN_H

#include "cli/cli.h"

/*
 * Run anim-convert with this command line, whose first word is the name of the program. Messages go to the host. Returns
 * the exit status: 0, or another number after an error, which the host was told.
 */
int run_convert(struct cli_host *, int argc, char **argv);

/* The same for a program that is a step of chains ("retarget"). Returns -1 if there is none of this name. */
int run_step(struct cli_host *, const char *name, int argc, char **argv);

#endif
