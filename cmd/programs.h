/* programs.h: the table of all programs. Each is a small executable on the shared library, or a link to one of all. */
#ifndef ANIM_CMD_PROGRAMS_H
#define ANIM_CMD_PROGRAMS_H

#include "step.h"

extern const struct step_kind program_axes, program_bake, program_cat, program_convert, program_delta, program_diff,
    program_dump, program_emit, program_filter, program_info, program_lint, program_mirror, program_pack, program_parse,
    program_pin, program_plot, program_reduce, program_rename, program_resample, program_retarget, program_retime,
    program_root, program_split, program_undump, program_unpack;

/* The step that writes a stream at the end of a chain. It has no command line. */
extern const struct step_kind stream_writer;

struct anim_format;

/*
 * Start a step that converts the records of its sink to a format, as anim-emit does, but writes no file. Its warnings are in
 * cli->diagnostics, one by one. Returns 0 or -1. Call step_clear and cli_clear if step->kind is set.
 */
int emit_try(struct step *, const struct anim_format *, struct anim_error *);
/* Return the number of bytes that the file would have so far. */
uint64_t emit_tried(const struct step *);

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
