/* cli.h: what all programs share. */
#ifndef ANIM_CLI_CLI_H
#define ANIM_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/input.h"
#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "stream/record.h"

/* ---- What all programs share: options, messages, opening and closing ---- */

/* Exit statuses. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 };
/* Of programs that look for something (CLI_FINDS): done and clean is CLI_DONE. */
enum { CLI_FOUND = 1, CLI_TROUBLE = 2 };

/* How an option's argument is stored at `offset` of the program's options struct. */
enum cli_kind {
	CLI_FLAG,   /* bool */
	CLI_TEXT,   /* const char * (the last one given) */
	CLI_TEXTS,  /* struct cli_texts: given several times */
	CLI_COUNT,  /* unsigned, a whole number 0..2^31-1 */
	CLI_CHOICE, /* int: index in `choices`, a NULL-terminated array */

	/* No options, but rows of the table that say how the help shows those behind them. */
	CLI_SECTION, /* begins a section that `help` names */
	CLI_MORE,    /* the rest of the section is shown by --help all only */
	CLI_SET      /* options of one format, given as -x NAME=VALUE; the long option is a hidden alias */
};

struct cli_texts {
	const char **items;
	size_t count;
};

/* One row feeds getopt_long, --help, the page check and the completion. */
struct cli_option {
	char letter; /* 0: long only */
	const char *name;
	const char *argument; /* shown in the help: "FILE"; NULL for a flag */
	const char *help;     /* NULL: not shown; where it ends in a colon the choices follow */
	enum cli_kind kind;
	size_t offset; /* offsetof the options struct of the program; CLI_NOWHERE: the value is in cli->given alone */
	const char *const *choices;
	bool not_provenance; /* left out of `prog` (-o, -j, -q are anyway) */
};

#define CLI_NOWHERE ((size_t)-1)

/* Rows that are no options. */
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

/* `offset` of a member of the program's `struct options`, and the table as a member of its struct cli_program. */
#define AT(member) offsetof(struct options, member)
#define CLI_ROWS(rows) .options = rows, .option_count = sizeof(rows) / sizeof *(rows)

/* The options every program has; the first member of each program's options struct. */
struct cli_common {
	const char *output; /* -o FILE */
	bool quiet, strict, no_provenance, force, no_sync;
};

#define CLI_HAS_OUTPUT 1u    /* -o */
#define CLI_WRITES_STREAM 2u /* --no-provenance */
#define CLI_HAS_STRICT 4u
#define CLI_FINDS 8u        /* whatever fails ends with CLI_TROUBLE: 1 says that something was found */
#define CLI_READS_HEADS 16u /* of tracks only the heads are decoded (anim_stream_pump_heads) */
#define CLI_DISPATCHES 32u  /* the first operand is a program, what follows is that one's: options end there */

struct cli_program {
	const char *name;            /* anim-resample */
	const char *summary;         /* one line */
	const char *usage;           /* "[OPTION...] RATE [FILE]" */
	const char *const *examples; /* two or three, NULL-terminated; the help starts with them */
	const struct cli_option *options;
	size_t option_count;
	unsigned flags;
	int least_operands, most_operands; /* -1: any number */
	const char *first_operand;         /* the first operand is no file: its name in `prog` ("rate"); else NULL */
	const char *first_operand_unless;  /* "rate bake": options that leave it out; NULL: it is always there */
	const char *const *operand_words;  /* what the first operand can be, NULL-terminated; NULL: anything */
};

/* An option as it was given. */
struct cli_given {
	const struct cli_option *row;
	const char *value; /* NULL for a flag */
	bool is_set;       /* its row stands behind a CLI_SET */
};

struct cli_progress {
	bool enabled, shown;
	double start_s, last_s; /* monotonic */
};

/* A run of a program. */
struct cli {
	const struct cli_program *program;
	struct cli_common *options; /* the program's options struct begins with it */
	char **operands;
	int operand_count;
	struct anim_diagnostics diagnostics;
	const char *lister;    /* the command that lists each of the tracks that a warning counts; NULL: none */
	bool has_into;         /* clips could be put into the file of -o with --into */
	struct anim_prog prog; /* own provenance, built from the command line */
	struct anim_arena arena;
	char **arguments; /* the command line behind the program's name, as typed */
	int argument_count;
	const struct cli_given *given; /* the options on it, in their order */
	size_t given_count;
	struct cli_progress progress;
	struct anim_output *report; /* NULL, or a file beside what is written, with which it appears */
};

/* Signals by which users, terminals, limits and farms end programs, up to 0: temporaries are removed before they do. */
extern const int cli_signals[];

/*
 * Parses the command line into options (zeroed by the caller, defaults set), sets up signals (cli_signals and SIGPIPE
 * remove temporaries before they end the program). Prints help or version and exits 0; a wrong command line
 * prints two lines and exits 2.
 */
void cli_start(struct cli *, const struct cli_program *, void *options, int argc, char **argv);

/* Print the help to stdout, with `all` every option. 0, or -1 if that failed. */
int cli_print_help(const struct cli_program *, bool all);

/* Return whether an option of that long name was given, and its last value: NULL if it was not, or is a flag. */
bool cli_was_given(const struct cli *, const char *name);
const char *cli_value(const struct cli *, const char *name);

/* Return how the option of that long name is given: "--rate", or "-x digits". Lives as long as the run. */
const char *cli_spelled(struct cli *, const char *name);

/* The number of the first operand that is a file: the one before is the program's first_operand, if it is there. */
int cli_first_file(const struct cli *);
/* That operand; NULL where there is none: standard input. */
const char *cli_file(const struct cli *);

/* Sets one attribute of the own `prog`; both texts are copied, made safe to show. */
void cli_provenance(struct cli *, const char *key, const char *value);

/* True where all of the text is a finite number. */
bool cli_number(const char *text, double *value);
/* The same for a whole one from 0 to 2^64 - 1. */
bool cli_whole_number(const char *text, uint64_t *value);

/* "godot, unity, ...": words, NULL at their end, as messages list them. Cut at the capacity. */
void cli_list_words(const char *const *words, char *out, size_t capacity);

/* The names of the formats, NULL at the end. They are there from cli_start on; rows of options may point to them before. */
extern const char *cli_formats_read[], *cli_formats_written[];

/*
 * "animj and animx": the formats with a word of their own that take an option when they are read or, `written`, written.
 * False where there are none: all do. Cut at the capacity.
 */
bool cli_list_takers(const char *option, bool written, char *list, size_t capacity);

/* Where the name ends like a file of a known format that is neither read nor written: says so, and what is; exits 2. */
void cli_check_written(const struct cli *, const char *option, const char *file);

/* Of a word behind `option` ("--from: ") that is none of those, with the nearest one. */
void cli_usage_word(const struct cli *, const char *option, const char *word, const char *const *words)
    __attribute__((noreturn));

/* Two lines on stderr (what, usage); exits 2. */
void cli_usage(const struct cli *, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

/* One line on stderr, of a command line that is right and will not be run; exits with cli_failure. */
void cli_refuse(const struct cli *, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

/* Says that there is no memory; ends the program as a failure. */
void cli_no_memory(const struct cli *) __attribute__((noreturn));

/* The exit status of a failure: CLI_FAILED, or CLI_TROUBLE. */
int cli_failure(const struct cli *);

/*
 * Prints what there is to say, frees, returns the exit status. Success (error NULL): warnings, then notes unless quiet.
 * Failure: faults and the error; the warnings only where --strict made errors of them. ANIM_CLOSED ends by SIGPIPE as
 * any filter does.
 */
int cli_finish(struct cli *, const struct anim_error *);

/* Free what the run has without a word. */
void cli_clear(struct cli *);

/* Print only what explains the error: what cli_finish prints before it. True if the error itself only sums that up. */
bool cli_explain(const struct cli *, const struct anim_error *);

/* Opens the input; "-" or NULL is stdin, which is refused in plain words where it is a terminal. 0 or -1. */
int cli_open_input(struct cli *, const char *path, struct anim_input **, struct anim_error *);
/* Open -o or stdout for a stream, which is not written to a terminal. 0 or -1. */
int cli_open_stream(struct cli *, struct anim_output **, struct anim_error *);
/* Open -o or stdout. 0 or -1. */
int cli_open_output(struct cli *, struct anim_output **, struct anim_error *);
/* The same for text that people read, which may replace text that is called like a report, but no animation. */
int cli_open_report(struct cli *, struct anim_output **, struct anim_error *);

/*
 * Refuses to write over a file that holds more than what these programs write, unless --force is given; `is_text`: what
 * is written is text for people. Nothing is asked of standard output, devices and files that are not there. 0 or -1.
 */
int cli_check_replaced(struct cli *, const char *path, bool is_text, struct anim_error *);

/*
 * Opens a file to be written, by the one rule that all programs have for files that exist: cli_check_replaced. 0 or -1.
 */
int cli_open_file(struct cli *, const char *path, bool is_text, struct anim_output **, struct anim_error *);

/* The same without a look at the file that exists: the caller knows that it may be replaced. 0 or -1. */
int cli_open_any(struct cli *, const char *path, struct anim_output **, struct anim_error *);

/* Opens the successor of a file that is about to be read, as anim_output_take_place; notes what it cannot have. 0 or -1. */
int cli_open_successor(struct cli *, const char *path, struct anim_output **, struct anim_error *);

/* Gives several outputs their names, as anim_outputs_commit; notes what stays of the files that they replaced. 0 or -1. */
int cli_commit(struct cli *, struct anim_output *const *, size_t count, struct anim_error *);

/* Refuses a terminal for `what`, which is binary: "animx". 0 or -1. */
int cli_check_terminal(const struct cli *, const char *what, struct anim_error *);

/* ANIM_STORE_MEMORY of the environment, else 1 MiB. */
size_t cli_store_memory(void);
void cli_input_options(struct anim_input_options *); /* ANIM_READ_MAX of the environment */

/* Input options as cli_open_input uses them: those above, and progress on a terminal's stderr after a second. */
void cli_watched_input_options(struct cli *, struct anim_input_options *);
void cli_progress_clear(struct cli *); /* wipes the line of progress, where one stands */

/* True where standard output is a terminal that may show colour (NO_COLOR, TERM, -o). */
bool cli_wants_color(const struct cli *);

/* It shows any colour (COLORTERM), not only the 256. */
bool cli_has_all_colors(void);
/* True where LC_ALL, LC_CTYPE or LANG, the first of them that is set, names UTF-8. */
bool cli_locale_is_utf8(void);
/* Characters of a line: COLUMNS, else those of the terminal on standard output, else 80; brought between the bounds. */
unsigned cli_width(unsigned least, unsigned most);
/* Return the lines of a screen: LINES, else those of the terminal on standard output, else 24. */
unsigned cli_height(void);

/*
 * What a message proposes to type is a whole command line after "try: ", which succeeds if it is pasted into a shell and
 * loses nothing (tests/hints.bats types each). These make its parts; all live as long as the run, and end the program out
 * of memory.
 */
const char *cli_printf(struct cli *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Return the name of a file as a shell and a program take it. */
const char *cli_quoted(struct cli *, const char *word);

/*
 * Return the command line as typed, "anim-emit animj". `without` (an operand, the value of -o with its option, or NULL) is
 * left out, or `instead`, which is quoted already, replaces it if that is not NULL.
 */
const char *cli_command_line(struct cli *, const char *without, const char *instead);

/* True where the file is a stream or an archive; one that is not there is so by its suffix, .axs or .gz. For messages. */
bool cli_is_stream(const char *path);

/* Writes one line to stderr: "program: [place:] [warning:|note:] text", made safe. */
void cli_message(const struct cli *, const char *kind, const struct anim_error *place, const char *text);

/* ---- Which of some words a mistyped one meant ---- */

#define CLI_WORD_MAX 64 /* longer words are not looked at */

/* Letters to add, drop or change to make one of the other, upper and lower case alike; both at most CLI_WORD_MAX long. */
size_t cli_letters_wrong(const char *a, const char *b);

/* How many may be wrong in a word that is still known. */
size_t cli_letters_allowed(const char *word);

/* The word (of a NULL-terminated list) with the fewest letters wrong, NULL where more than every third would be. */
const char *cli_nearest(const char *word, const char *const *words);

/* ---- Parts of time as people type them: -t FROM..TO ---- */

/*
 * "12..14.5" in seconds, or "0:12:00..0:12:02" (hours:minutes:seconds or minutes:seconds, seconds with a fraction), each
 * side on its own, a minus before it where it lies before 0. One side may be left out ("12..", "..14.5"): it is then
 * -INFINITY or INFINITY, which anim_range_of_clip makes each clip's own start or end. FROM is not later than TO. 0, or -1
 * (ANIM_BAD_INPUT) with a message that says what a range looks like.
 */
int cli_time_range_parse(const char *text, double *from_s, double *to_s, struct anim_error *);

#endif
