/* replaced.h: what a file holds that is to be written over; shared by the programs with -o. */
#ifndef ANIM_CMD_REPLACED_H
#define ANIM_CMD_REPLACED_H

#include "cli/cli.h"

/* cli_describe of every format that is read or written. */
int replaced_describe(struct anim_input *, char *text, size_t capacity, struct anim_error *);

#endif
