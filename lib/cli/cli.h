/* cli.h: options, messages, inputs and outputs of all programs. */
#ifndef ANIM_CLI_CLI_H
#define ANIM_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/advice.h"
#include "base/error.h"
#include "base/input.h"
#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/span.h"
#include "format/load.h"
#include "stream/record.h"

/* ---- Options, messages, opening and closing ---- */

/* Exit statuses. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 };
/* For programs that search (CLI_FINDS). CLI_DONE means that nothing was found. */
enum { CLI_FOUND = 1, CLI_TROUBLE = 2 };

/* How the argument of an option is stored at `offset` of the program's options struct. */
enum cli_kind {
	CLI_FLAG,   /* bool */
	CLI_TEXT,   /* const char *; the last one counts */
	CLI_TEXTS,  /* struct cli_texts; may be given several times */
	CLI_COUNT,  /* unsigned, a whole number 0..2^31-1, which may be left out if `choices` has one */
	CLI_CHOICE, /* int: index in `choices`, a NULL-terminated array */

	/* Rows that are not options. They say how the help shows the options after them. */
	CLI_SECTION, /* begins a section with the title `help` */
	CLI_MORE,    /* the rest of the section is shown only by --help all */
	CLI_SET      /* options of one format, given as -x NAME=VALUE; the long option is a hidden alias */
};

struct cli_texts {
	const char **items;
	size_t count;
};

/* One row of the table feeds the parser, --help, the check of the manual page and the completion. */
struct cli_option {
	char letter; /* 0: long only */
	const char *name;
	const char *argument; /* shown in the help, for example "FILE"; NULL for a flag */
	const char *help;     /* NULL: not shown; if it ends in a colon, the choices follow */
	enum cli_kind kind;
	size_t offset; /* offset in the program's options struct; CLI_NOWHERE: only in cli->given */
	const char *const *choices;
	bool not_provenance; /* not recorded in `prog` (-o, -j, -q never are) */
};

#define CLI_NOWHERE ((size_t)-1)

/* Rows that are not options. */
#define CLI_SECTION_ROW(title)                       \
	{                                            \
		.help = (title), .kind = CLI_SECTION \
	}
#define CLI_MORE_ROW             \
	{                        \
		.kind = CLI_MORE \
	}
#define CLI_SET_ROW             \
	{                       \
		.kind = CLI_SET \
	}

/* `offset` of a member of the program's `struct options`, and the table as members of its struct cli_program. */
#define AT(member) offsetof(struct options, member)
#define CLI_ROWS(rows) .options = rows, .option_count = sizeof(rows) / sizeof *(rows)

/* The options of every program. This is the first member of each program's options struct. */
struct cli_common {
	const char *output; /* -o FILE */
	bool quiet, strict, no_provenance, force, no_sync;
};

#define CLI_HAS_OUTPUT 1u    /* -o */
#define CLI_WRITES_STREAM 2u /* --no-provenance */
#define CLI_HAS_STRICT 4u
#define CLI_FINDS 8u        /* every failure ends with CLI_TROUBLE, because 1 means that something was found */
#define CLI_READS_HEADS 16u /* only the heads of tracks are decoded (anim_stream_pump_heads) */
#define CLI_DISPATCHES 32u  /* the first operand is a program, and everything after it belongs to that program */

struct cli_program {
	const char *name;            /* for example "anim-resample" */
	const char *summary;         /* one line */
	const char *usage;           /* for example "[OPTION...] RATE [FILE]" */
	const char *const *examples; /* two or three, NULL-terminated; the help starts with them */
	const struct cli_option *options;
	size_t option_count;
	unsigned flags;
	int least_operands, most_operands; /* -1: any number */
	const char *first_operand;         /* name in `prog` of a first operand that is not a file ("rate"), or NULL */
	const char *first_operand_unless;  /* options that do without it ("rate bake"); NULL: it is always there */
	const char *const *operand_words;  /* allowed first operands, NULL-terminated; NULL: any */
};

/*
 * An option by its long name, with its value (NULL for a flag), or an operand, whose name is NULL. Arrays end with an empty one.
 * All texts are borrowed.
 */
struct cli_argument {
	const char *name, *value;
};

/* An option from the command line. */
struct cli_given {
	const struct cli_option *row;
	const char *value; /* NULL for a flag */
	bool is_set;       /* its row follows a CLI_SET */
};

struct cli_progress {
	bool enabled, shown;
	bool waits;     /* until the input has ended, because the first program of a pipeline shows a line before */
	bool has_ended; /* the input */
	double start_s, last_s; /* monotonic */
	uint64_t read_bytes, source_bytes;
};

/* The command that the user typed if the program is a step of it. */
struct cli_front {
	const struct cli *cli;
	/* Return the command's name of an option of a program ("anim-reduce", "tol"), or NULL if it lacks it. */
	const char *(*option_of)(const char *program, const char *name);
	bool is_early; /* the step comes before the one that samples */
};

/*
 * A call of the library in which a program runs. The program then prints nothing and installs no handlers. `message` receives
 * its messages. Instead of ending the process, it calls `leave`, which returns to run/run.c.
 */
struct cli_host {
	void (*leave)(struct cli_host *); /* does not return */
	void *escape;                     /* of run/run.c */
	int status;                       /* the exit status, set before `leave` */
	/* `item` is NULL for an error. Its place may be NULL. `text` is the line without the name of the program. */
	void (*message)(struct cli_host *, const char *program, const struct anim_diagnostic *item,
			const struct anim_error *place, const char *text);
	/* Not 0: cancel. NULL: no progress. Work between the reads and after them calls it with the same numbers again. */
	int (*progress)(struct cli_host *, uint64_t read_bytes, uint64_t source_bytes);
	uint64_t read_bytes, source_bytes; /* of the last call */
	/* Print the line of --verbose and --dry-run. NULL: these options are refused. */
	void (*show_pipe)(struct cli_host *, const char *line);
};

/* How a program is called. All is borrowed. */
struct cli_call {
	const struct cli_front *front; /* of a step of a command, or NULL */
	struct cli_host *host;         /* the call of the library in which it runs, or NULL */
	const struct cli_argument *arguments;
	int argc; /* a command line, if `arguments` is NULL */
	char **argv;
};

/* Words for the advices in texts that lib/ prints, such as the findings of anim-lint. */
struct cli_advisor {
	struct anim_advisor advisor;
	const struct cli *cli;
};

/* A run of a program. */
struct cli {
	const struct cli_program *program;
	struct cli_common *options; /* the program's options struct begins with this */
	char **operands;
	int operand_count;
	struct anim_diagnostics diagnostics;
	const char *lint_target;    /* of anim-lint, which lists every track that a warning counts (NULL: none) */
	const char *into;           /* how advice names --into, before the file of -o (NULL: the program lacks it) */
	struct anim_read_kept kept; /* by readers, for the next file of this run */
	struct anim_prog prog;      /* own provenance, made from the command line */
	struct anim_arena arena;
	char **arguments; /* the command line after the name of the program, as typed (NULL: a call by names) */
	int argument_count;
	const struct cli_given *given; /* the options on it, in order */
	size_t given_count;
	struct cli_progress progress;
	struct anim_output *report; /* NULL, or a file beside the output: both appear together */
	struct cli_advisor advisor;
	const struct cli_front *front; /* of a step of a command (NULL: the user typed this program) */
	struct cli_host *host;         /* the call of the library in which this runs, or NULL */
	const struct cli *reader;      /* of the program that read the input of a chain, or NULL */
	bool retargets;                /* the clips were put on another skeleton, all of them */
};

/*
 * Parse the command line into `options`, which the caller has zeroed and filled with defaults. Set up signals: those
 * by which users, terminals, limits, anim-farm and crashes end programs remove temporary files first. --help and
 * --version print and exit with 0. A wrong command line prints two lines and exits with 2.
 */
void cli_start(struct cli *, const struct cli_program *, void *options, int argc, char **argv);
/* The same for a step of a command, or for a program in a call of the library. */
void cli_start_call(struct cli *, const struct cli_call *, const struct cli_program *, void *options);

/* Print the help to stdout; if `all`, with every option. Returns 0, or -1 if that failed. */
int cli_print_help(const struct cli_program *, bool all);

/*
 * Return whether the option with this long name was given, and its last value: NULL if it was not given or is a flag.
 */
bool cli_was_given(const struct cli *, const char *name);
const char *cli_value(const struct cli *, const char *name);

/* Return how the option with this long name is typed: "--rate", or "-x digits". The text lives as long as the run. */
const char *cli_spelled(struct cli *, const char *name);

/*
 * Return the index of the first operand that is a file: 1 if the program's first_operand comes before it, otherwise
 * 0.
 */
int cli_first_file(const struct cli *);
/* Return that operand, or NULL if there is none, which means standard input. */
const char *cli_file(const struct cli *);

/* Set an attribute of the program's own `prog` record. Both texts are copied and made safe to print. */
void cli_provenance(struct cli *, const char *key, const char *value);

/* Return true if the complete text is a finite number. */
bool cli_number(const char *text, double *value);
/* The same for an integer from 0 to 2^64 - 1. */
bool cli_whole_number(const char *text, uint64_t *value);

/* Print NULL-terminated words as messages list them: "godot, unity, ...". The list is cut at the capacity. */
void cli_list_words(const char *const *words, char *out, size_t capacity);

/*
 * The names of the formats, terminated by NULL. They are set by cli_start, but rows of options may point to them
 * before.
 */
extern const char *cli_formats_read[], *cli_formats_written[];

/*
 * Print the formats that have this option of their own when they are read or, if `written`, written: "animj and
 * animx". Returns false if there are none, because then all formats take it. The list is cut at the capacity.
 */
bool cli_list_takers(const char *option, bool written, char *list, size_t capacity);

/*
 * Exit with 2, and a message that suggests a supported format, if the suffix of the file is a known format that can
 * be neither read nor written.
 */
void cli_check_written(const struct cli *, const char *option, const char *file);

/*
 * Return the format of a TARGET: a format that is written, or the usual one of an engine: resonite, unity, godot or gltf.
 * Exit with 2 for another word.
 */
const struct anim_format *cli_target(struct cli *, const char *option, const char *word);

/*
 * Exit with 2 because a word is none of `words`, with the nearest one in the message. `option` begins it ("--from:
 * ").
 */
void cli_usage_word(const struct cli *, const char *option, const char *word, const char *const *words)
    __attribute__((noreturn));

/* Print two lines to stderr, the error and the usage, and exit with 2. */
void cli_usage(const struct cli *, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

/* Print one line to stderr and exit with cli_failure, for a valid command line that will not be run. */
void cli_refuse(const struct cli *, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

/* Report that memory is exhausted and end the program as a failure. */
void cli_no_memory(const struct cli *) __attribute__((noreturn));

/* End the process with this status, or the run in a call of the library. */
void cli_leave(const struct cli *, int status) __attribute__((noreturn));

/* Return the exit status of a failure: CLI_FAILED or CLI_TROUBLE. */
int cli_failure(const struct cli *);

/*
 * Print all messages, free everything and return the exit status. On success (error NULL), print the warnings, then
 * the notes unless quiet. On failure, print the faults and the error, and warnings only if --strict made them errors.
 * ANIM_CLOSED ends the program by SIGPIPE, like any filter.
 */
int cli_finish(struct cli *, const struct anim_error *);

/* Free the memory of a run without printing messages. */
void cli_clear(struct cli *);

/*
 * Print only the messages that explain the error, which cli_finish prints before it. Returns true if the error itself
 * only summarises them.
 */
bool cli_explain(const struct cli *, const struct anim_error *);
/* Print the warnings. */
void cli_warn(const struct cli *);

/* Open the input. "-" or NULL is stdin, which is refused with an explanation if it is a terminal. Returns 0 or -1. */
int cli_open_input(struct cli *, const char *path, struct anim_input **, struct anim_error *);
/* Open -o or stdout for a stream, which is never written to a terminal. Returns 0 or -1. */
int cli_open_stream(struct cli *, struct anim_output **, struct anim_error *);
/* Open -o or stdout. Returns 0 or -1. */
int cli_open_output(struct cli *, struct anim_output **, struct anim_error *);
/* The same for text that people read. It may replace text whose name is that of a report, but never an animation. */
int cli_open_report(struct cli *, struct anim_output **, struct anim_error *);

/*
 * Refuse to replace a file that holds more than these programs write, unless --force is given. `is_text`: the output
 * is text for people. Standard output, devices and missing files are not checked. Returns 0 or -1.
 */
int cli_check_replaced(struct cli *, const char *path, bool is_text, struct anim_error *);

/*
 * The second half of that check: refuse an output that is complete if it has not all the clips and nodes of the file
 * that it would replace, or fewer tracks than this file if it is an input. cli_commit calls it for all programs.
 * Returns 0 or -1.
 */
int cli_check_successor(struct cli *, struct anim_output *, struct anim_error *);

/* Return false if a sealed output has the same bytes as the file that it replaces. */
bool cli_changes_file(const struct anim_output *);

/*
 * Open a file for writing. cli_check_replaced decides for all programs whether it may replace an existing file.
 * Returns 0 or -1.
 */
int cli_open_file(struct cli *, const char *path, bool is_text, struct anim_output **, struct anim_error *);

/* The same without that check, for a file that the caller may replace. Returns 0 or -1. */
int cli_open_any(struct cli *, const char *path, struct anim_output **, struct anim_error *);

/*
 * Open an output that replaces a file about to be read, with anim_output_replace. Attributes that could not be
 * kept are noted. Returns 0 or -1.
 */
int cli_open_successor(struct cli *, const char *path, struct anim_output **, struct anim_error *);

/* Commit several outputs with anim_outputs_commit. Files that could not be removed are noted. Returns 0 or -1. */
int cli_commit(struct cli *, struct anim_output *const *, size_t count, struct anim_error *);

/* Refuse to write binary data to a terminal. `what` is the format, for example "animx". Returns 0 or -1. */
int cli_check_terminal(const struct cli *, const char *what, struct anim_error *);

/* Return ANIM_STORE_MEMORY of the environment, or 1 MiB. */
size_t cli_store_memory(void);
void cli_input_options(struct anim_input_options *); /* sets read_max to ANIM_READ_MAX of the environment */

/*
 * Set the input options of cli_open_input: those above, and a progress line on stderr after one second if it is a
 * terminal.
 */
void cli_watched_input_options(struct cli *, struct anim_input_options *);
/* Show on the same line how many files are converted. */
void cli_progress_files(struct cli *, size_t done, size_t count);
void cli_progress_clear(struct cli *); /* removes the progress line, if there is one */

/* Return true if standard output is a terminal that may show colour (NO_COLOR, TERM, -o). */
bool cli_wants_color(const struct cli *);

/* Return whether it shows any colour (COLORTERM), not only 256. */
bool cli_has_all_colors(void);
/* Return true if the first of LC_ALL, LC_CTYPE and LANG that is set names UTF-8. */
bool cli_locale_is_utf8(void);
/*
 * Return the characters per line, clamped to the bounds: COLUMNS, or the width of the terminal on standard output, or
 * 80.
 */
unsigned cli_width(unsigned least, unsigned most);
/* Return the lines of the screen: LINES, or the height of the terminal on standard output, or 24. */
unsigned cli_height(void);

/*
 * Make parts of command lines that messages suggest. A suggestion is a complete command line after "try: ". Pasted
 * into a shell, it succeeds and loses nothing (tests/hints.bats types each). The texts live as long as the run. These
 * functions end the program if out of memory.
 */
const char *cli_printf(struct cli *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Return the name of a file, quoted for the shell and safe from being taken for an option. */
const char *cli_quoted(struct cli *, const char *word);

/*
 * Return the command line as typed, "anim-emit animj". `without` (an operand, the value of -o with its option, or
 * NULL) is left out, or replaced by `instead`, which is already quoted, if that is not NULL.
 */
const char *cli_command_line(struct cli *, const char *without, const char *instead);

/*
 * Return true if the file is a stream or an archive. A missing file is judged by its suffix, .axs or .gz. For
 * messages.
 */
bool cli_is_stream(const char *path);

/* Print one line to stderr: "program: [place:] [warning:|note:] text", made safe. */
void cli_message(const struct cli *, const char *kind, const struct anim_error *place, const char *text);

/* ---- The word that a mistyped word meant ---- */

#define CLI_WORD_MAX 64 /* longer words are not compared */

/*
 * Return the number of letters to add, remove, change or swap to turn one word into the other, ignoring case. Both have at
 * most CLI_WORD_MAX letters.
 */
size_t cli_letters_wrong(const char *a, const char *b);

/* Return how many letters may be wrong in a word that is still recognised. */
size_t cli_letters_allowed(const char *word);

/*
 * Return the word of a NULL-terminated list with the fewest wrong letters, or NULL if more than every third would be
 * wrong.
 */
const char *cli_nearest(const char *word, const char *const *words);

/* ---- Time ranges as people type them: -t FROM..TO ---- */

/*
 * Parse a range in seconds, "12..14.5", in frames, "360f..435f", or "0:12:00..0:12:02" (hours:minutes:seconds or
 * minutes:seconds, seconds with a fraction). Each side has its own form and a minus if it is before 0. One side may be omitted ("12..", "..14.5"):
 * it becomes -INFINITY or INFINITY, which anim_range_of_clip replaces with the start or end of each clip. FROM is not
 * later than TO. Returns 0, or -1 (ANIM_BAD_INPUT) with a message that shows the form of a range.
 */
int cli_time_range_parse(const char *text, struct anim_time_range *, struct anim_error *);

#endif
