/* nearest.c: which of some words a mistyped one meant. */
#include "cli/nearest.h"

#include <string.h>

static size_t least(size_t a, size_t b, size_t c)
{
	size_t smaller = a < b ? a : b;

	return smaller < c ? smaller : c;
}

/* Without the locale, which tolower would ask. */
static char lower(char letter)
{
	return letter >= 'A' && letter <= 'Z' ? (char)(letter + ('a' - 'A')) : letter;
}

/* Levenshtein's distance, by the rows of its table. */
size_t cli_letters_wrong(const char *a, const char *b)
{
	size_t row[CLI_WORD_MAX + 1], length = strlen(b);

	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 0; a[i] != '\0'; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < length; j++) {
			size_t changed = diagonal + (lower(a[i]) != lower(b[j]));

			diagonal = row[j + 1];
			row[j + 1] = least(row[j] + 1, diagonal + 1, changed);
		}
	}
	return row[length];
}

size_t cli_letters_allowed(const char *word)
{
	return (strlen(word) + 2) / 3;
}

const char *cli_nearest(const char *word, const char *const *words)
{
	const char *nearest = NULL;
	size_t limit = cli_letters_allowed(word) + 1;

	for (size_t i = 0; strlen(word) <= CLI_WORD_MAX && words[i] != NULL; i++) {
		size_t wrong = strlen(words[i]) <= CLI_WORD_MAX ? cli_letters_wrong(word, words[i]) : limit;

		if (wrong < limit) {
			limit = wrong;
			nearest = words[i];
		}
	}
	return nearest;
}
