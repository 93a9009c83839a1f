/* advice.h: the words of advices, for users of programs, of anim convert, of the web page and of the library. */
#ifndef ANIM_CLI_ADVICE_H
#define ANIM_CLI_ADVICE_H

#include "base/advice.h"

struct cli;

/* Print a text with the advices in it, as the user of this run would type them. It is cut at the capacity. */
void cli_advise(const struct cli *, const char *text, char *out, size_t capacity);

/* The words for callers of the library, which have no command line. */
extern const struct anim_advisor cli_library_advisor;

/* The words for the user of a run: `words` of cli->advisor. */
void cli_words(const struct anim_advisor *, const char *code, const char *const *arguments, char *out, size_t capacity);

#endif
