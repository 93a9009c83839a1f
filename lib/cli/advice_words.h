/* advice_words.h: the table of advices, for the words of a run and of the library. */
#ifndef ANIM_CLI_ADVICE_WORDS_H
#define ANIM_CLI_ADVICE_WORDS_H

#include "cli/advice.h"

/*
 * The words of an advice. %1 and %2 are its arguments, %I is the input of the command line. An empty text: there is
 * nothing to do. NULL: the words before it in the row count, and `pipe` for the library.
 */
struct cli_advice {
	const char *code;
	const char *pipe;    /* typed: a program, perhaps in a pipe */
	const char *convert; /* typed: anim convert */
	const char *early;   /* the same, in a step before the one that samples */
	const char *page;    /* on the web page */
	const char *library;
};

#define SPELLED_MAX 128 /* bytes of a spelled option */
#define MORE " under 'More options'"

/* Return the row of a code, or NULL. */
const struct cli_advice *cli_advice_find(const char *code);

/* Print words with %1, %2 and %I replaced. */
void cli_advice_fill(const char *words, const char *const *arguments, const char *input, char *out, size_t capacity);

/* Print a spelled option with its value, if that is not empty. */
void cli_advice_add_value(const char *spelled, const char *value, char *out, size_t capacity);

/* Print an option of a program that the user did not type. */
void cli_advice_elsewhere(const char *const *arguments, char *out, size_t capacity);

#endif
