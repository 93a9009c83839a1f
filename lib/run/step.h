/* step.h: programs as steps of a chain that reads, filters and writes. A single program is a chain of one step. */
#ifndef ANIM_RUN_STEP_H
#define ANIM_RUN_STEP_H

#include "cli/cli.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "stream/boundary.h"

/*
 * A program as a kind of step. Its job is a struct of `size` bytes that begins with the options (struct cli_common
 * first) and lives as long as the run. Members that are NULL do nothing. Functions return 0 or -1 unless stated
 * otherwise.
 */
struct step_kind {
	const struct cli_program *command_line;
	size_t size;
	const void *defaults; /* the job before the command line is read; NULL: zeros */
	/* Check the options and read the files that they name. A wrong command line ends the program (cli_usage). */
	int (*begin)(struct cli *, void *job, struct anim_error *);
	/*
	 * Do the work of an option that needs no chain, such as --dry-run. Returns 1 if none was given, so that the
	 * chain runs.
	 */
	int (*alone)(struct cli *, void *job, struct anim_error *);
	/*
	 * Push the operands into the sink, without its end. If `heads`, only the heads of tracks are needed. `failed`, if it
	 * is not NULL, becomes true if the sink fails.
	 */
	int (*read)(struct cli *, void *job, bool heads, struct anim_sink *, const bool *failed, struct anim_error *);
	/*
	 * Return a sink in front of `next` (owned, also freed on failure). For a kind with a commit, `next` is NULL,
	 * and this function opens the output. Returns NULL on failure.
	 */
	struct anim_sink *(*make)(struct cli *, void *job, struct anim_sink *next, struct anim_error *);
	/* Write a file beside the output into cli->report. Called after the end of the input. */
	int (*report)(struct cli *, void *job, struct anim_error *);
	/* Commit the outputs and these reports (owned from now on). Only the last step of a chain has a commit. */
	int (*commit)(struct cli *, void *job, struct anim_output **reports, size_t count, struct anim_error *);
	void (*clear)(void *job);           /* frees the memory of the job */
	bool no_own;                        /* adds no prog record to the stream */
	bool changes_nothing;               /* keeps records that describe others, such as an index */
	int (*main)(int argc, char **argv); /* for a program that is not a single step; NULL: step_main */
};

struct step {
	const struct step_kind *kind;
	struct cli *cli; /* points to `own`, or to the `own` of the previous step */
	struct cli own;
	struct cli_common common;    /* the options that all programs have */
	void *job;                   /* owned */
	struct anim_sink *sink;      /* owned; without a `make`, the boundary of the next step */
	struct anim_boundary before; /* in front of the sink */
};

/* Read the options of a call and begin. Returns 0 or -1. Call step_clear in both cases. */
int step_start(struct step *, const struct step_kind *, const struct cli_call *, struct anim_error *);
void step_clear(struct step *);

#define STEPS_MAX 16

/*
 * Run at most STEPS_MAX - 1 steps. If the first has no read, the file on its command line or standard input is read.
 * If the last has no commit, a step is appended, so the array needs room for it. It writes a stream, or the format of
 * the suffix of -o. Returns 0 or -1.
 */
int step_run(struct step *, size_t *count, struct anim_error *);

/* Commit one output (borrowed). Returns 0 or -1. */
int step_commit(struct cli *, struct anim_output *, struct anim_output **reports, size_t count, struct anim_error *);

/* Clear the steps and print their messages. `printer` prints the error (NULL: no error). Returns the exit status. */
int step_finish(struct step *, size_t count, struct cli *printer, const struct anim_error *);

/* Run a program that is one step, with room for two steps. Returns the exit status. */
int step_single(struct step *, const struct step_kind *, const struct cli_call *);
/* The same, as a process. */
int step_main(const struct step_kind *, int argc, char **argv);

#endif
