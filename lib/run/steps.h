/* steps.h: the programs that read, filter and write clips, as steps of a chain. Other programs are in cmd. */
#ifndef ANIM_RUN_STEPS_H
#define ANIM_RUN_STEPS_H

#include "run/step.h"

extern const struct step_kind program_axes, program_bake, program_cat, program_convert, program_delta, program_emit,
    program_filter, program_mirror, program_pack, program_parse, program_pin, program_reduce, program_rename,
    program_resample, program_retarget, program_retime, program_root, program_unpack;

/* anim-convert in a call of the library. It may leave by host->leave while it runs, and is ended in any case. */
struct convert_call;
struct convert_call *convert_call_new(const struct cli_call *); /* NULL: out of memory */
void convert_call_run(void *call);
int convert_call_end(struct convert_call *, bool has_left); /* returns the exit status */

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

struct anim_read_options;

/* Return the filter of anim-retarget --muscles in front of `next` (owned). The options give memory and diagnostics. NULL on failure. */
struct anim_sink *retarget_muscles(const struct anim_read_options *, struct anim_sink *next, struct anim_error *);

/* Warn that a shift has no effect in a format (NULL: none) whose clips start at 0. Returns 0 or -1. */
int retime_warn_shift(struct cli *, const struct anim_format *, struct anim_error *);

#endif
