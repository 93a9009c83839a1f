/* step.h: programs as steps of a chain: one that reads, filters, one that writes. A program is a chain of its own step. */
#ifndef ANIM_CMD_STEP_H
#define ANIM_CMD_STEP_H

#include "cli/cli.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

/*
 * What a program does. Its job is a struct of `size` bytes that begins with the options (struct cli_common first) and lives as
 * long as the run. Members that are NULL do nothing; functions return 0 or -1.
 */
struct step_kind {
	const struct cli_program *command_line;
	size_t size;
	const void *defaults; /* the job before the command line is read; NULL: zeros */
	/* Judge the options, and read the files that they name. A wrong command line ends the program (cli_usage). */
	int (*begin)(struct cli *, void *job, struct anim_error *);
	/* Of a step that reads: push the files of the command line into the sink, without its end. `heads` of tracks are enough. */
	int (*read)(struct cli *, void *job, bool heads, struct anim_sink *, struct anim_error *);
	/*
	 * Put the filters in front of `next` (owned, freed on failure too). A step that writes gets NULL and opens its output.
	 * NULL on failure.
	 */
	struct anim_sink *(*make)(struct cli *, void *job, struct anim_sink *next, struct anim_error *);
	/* All has been read: write what stands beside the stream, into cli->report. */
	int (*report)(struct cli *, void *job, struct anim_error *);
	/* Of a step that writes: give its files their names, together with these reports, which it owns from now on. */
	int (*commit)(struct cli *, void *job, struct anim_output **reports, size_t count, struct anim_error *);
	void (*clear)(void *job);           /* what the job owns */
	bool no_own;                        /* the step leaves no record of itself in the stream */
	bool changes_nothing;               /* what records say of each other stays right */
	bool writes;                        /* it is the last step of a chain */
	int (*main)(int argc, char **argv); /* of a program that is no step, or not always; NULL: step_main */
};

struct step {
	const struct step_kind *kind;
	struct cli *cli; /* its own, or that of the step before */
	struct cli own;
	struct cli_common common; /* the options that all programs have */
	void *job;                /* owned */
	struct anim_sink *sink;   /* owned: what the step makes, and what that owns; NULL if the step before owns it */
	struct anim_scope_sink scope;
};

/* Read a command line, argv[0] included, and begin. 0 or -1; step_clear either way. */
int step_start(struct step *, const struct step_kind *, int argc, char **argv, struct anim_error *);
void step_clear(struct step *);

#define STEPS_MAX 16

/*
 * Run at most STEPS_MAX - 1 steps. The first reads the file of its command line, or standard input, unless it is a step that
 * reads. If the last does not write, one that does is put behind it (there is room for it): of a stream, or of what the name
 * after -o says. 0 or -1.
 */
int step_run(struct step *, size_t *count, struct anim_error *);

/* Give an output (borrowed) and these reports their names: for the commit of a kind. 0 or -1. */
int step_commit(struct cli *, struct anim_output *, struct anim_output **reports, size_t count, struct anim_error *);

/* Print what the steps have to say, or what explains the error (NULL: none), which `teller` prints. Returns the exit status. */
int step_finish(struct step *, size_t count, struct cli *teller, const struct anim_error *);

/* A whole program of one step. */
int step_main(const struct step_kind *, int argc, char **argv);

#endif
