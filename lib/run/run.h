/* run.h: conversions and filters in a call of the library. Inputs and outputs may be memory (base/named.h). */
#ifndef ANIM_RUN_RUN_H
#define ANIM_RUN_RUN_H

#include "cli/cli.h"

/* Run anim-convert. The host receives messages. Returns the exit status: 0, or another number after an error. */
int run_convert(struct cli_host *, const struct cli_argument *);

/* The same for a program that is a step of chains ("retarget"). Returns -1 if no such step exists. */
int run_step(struct cli_host *, const char *name, const struct cli_argument *);

#endif
