/* nearest.h: which of some words a mistyped one meant. */
#ifndef ANIM_CLI_NEAREST_H
#define ANIM_CLI_NEAREST_H

#include <stddef.h>

#define CLI_WORD_MAX 64 /* longer words are not looked at */

/* Letters to add, drop or change to make one of the other, upper and lower case alike; both at most CLI_WORD_MAX long. */
size_t cli_letters_wrong(const char *a, const char *b);

/* How many may be wrong in a word that is still known. */
size_t cli_letters_allowed(const char *word);

/* The word (of a NULL-terminated list) with the fewest letters wrong, NULL where more than every third would be. */
const char *cli_nearest(const char *word, const char *const *words);

#endif
