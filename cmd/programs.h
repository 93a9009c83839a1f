/* programs.h: the table of all programs. Each is a small executable on the shared library, or a link to one of all. */
#ifndef ANIM_CMD_PROGRAMS_H
#define ANIM_CMD_PROGRAMS_H

#include "run/steps.h"

extern const struct step_kind program_diff, program_dump, program_info, program_lint, program_plot, program_split,
    program_udp, program_undump;

/* All programs with a command line except anim itself, sorted by name, terminated by NULL. */
extern const struct step_kind *const programs[];

/* Find a program by its name, with or without "anim-". Returns NULL if it does not exist. */
const struct step_kind *program_find(const char *name);

/* Run it with this command line. Returns the exit status. */
int program_run(const struct step_kind *, int argc, char **argv);

int anim_main(int argc, char **argv);

/* Run the program called `name`, or if it is NULL the one that argv[0] names, or anim. Returns the exit status. */
int anim_tools_main(const char *name, int argc, char **argv) __attribute__((visibility("default")));

#endif
