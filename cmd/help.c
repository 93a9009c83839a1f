/* help.c: finds pages of the manual, and searches the help of all programs. */
#include "help.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "programs.h"

/* The tasks of the cookbook with their commands, and the pages that are not about a program. Made from their texts. */
static const struct {
	const char *task, *command;
} recipes[] = {
#include "cli/recipes.inc"
};
static const struct help_page pages[] = {
#include "cli/pages.inc"
};

/* Find the file of a page: installed, or in the source tree of the program that runs. Returns whether there is one. */
static bool find_page(const char *folder, const char *name, const char *section, char path[4096])
{
	for (int form = 0; folder != NULL && form < 3; form++) {
		int length = form < 2 ? snprintf(path, 4096, "%s/../share/man/man%s/%s.%s%s", folder, section, name,
						 section, form == 0 ? "" : ".gz")
				      : snprintf(path, 4096, "%s/../../../man/%s.%s", folder, name, section);

		if (length < 4096 && anim_sys_may(path, ANIM_MAY_READ))
			return true;
	}
	return false;
}

const struct help_page *help_page_find(const char *name)
{
	for (size_t i = 0; i < ANIM_COUNT(pages); i++)
		if (strcmp(pages[i].name, name) == 0 || strcmp(pages[i].name + strlen("anim-"), name) == 0)
			return &pages[i];
	return NULL;
}

int help_page_show(const struct cli_programs *others, const char *name, const char *section, struct anim_error *error)
{
	char path[4096], man[] = "man", *arguments[] = {man, path, NULL};

	if (!find_page(others->folder, name, section, path))
		return anim_fail(error, ANIM_UNSUPPORTED, "the manual page %s(%s) is not installed", name, section);
	fflush(stdout);
	anim_sys_become(man, arguments);
	anim_fail_system(error, "cannot run man to show %s", path);
	return -1;
}

/*
 * Words of other programs and of people, and texts in the help that mean the same, from man/words.txt. A text of several words
 * must be there as a whole. A word without texts says nothing.
 */
static const struct {
	const char *word, *others[5];
} synonyms[] = {
#include "cli/words.inc"
};

static bool says_something(const char *word)
{
	for (size_t s = 0; s < ANIM_COUNT(synonyms); s++)
		if (synonyms[s].others[0] == NULL && strcasecmp(synonyms[s].word, word) == 0)
			return false;
	return true;
}

/* Return whether one of the texts has the word. Words of two letters must be whole, as many longer ones contain them. */
static bool has_text(const char *const texts[4], const char *word)
{
	const size_t length = strlen(word);
	const bool whole = length == 2 && isalpha((unsigned char)word[0]) && isalpha((unsigned char)word[1]);

	for (int t = 0; t < 4; t++)
		for (const char *at = texts[t]; at != NULL && *at != '\0'; at++)
			if (strncasecmp(at, word, length) == 0 &&
			    (!whole || ((at == texts[t] || !isalpha((unsigned char)at[-1])) &&
					!isalpha((unsigned char)at[length]))))
				return true;
	return false;
}

/* Return whether one of the texts has a text that means the same as the word. */
static bool has_synonym(const char *const texts[4], const char *word)
{
	for (size_t s = 0; s < ANIM_COUNT(synonyms); s++) {
		if (strcasecmp(synonyms[s].word, word) != 0)
			continue;
		for (size_t k = 0; k < ANIM_COUNT(synonyms[s].others); k++)
			if (synonyms[s].others[k] != NULL && has_text(texts, synonyms[s].others[k]))
				return true;
	}
	return false;
}

/* The words of the operands after `help -s`, without words that say nothing, if others are left. */
struct wanted {
	char text[512];
	const char *words[32];
	size_t count;
};

static void read_words(const struct cli *cli, struct wanted *wanted)
{
	size_t used = 0, all = 0;

	*wanted = (struct wanted){.count = 0};
	for (int i = 2; i < cli->operand_count && used < sizeof wanted->text; i++)
		used += (size_t)snprintf(wanted->text + used, sizeof wanted->text - used, "%s ", cli->operands[i]);
	for (char *next, *word = strtok_r(wanted->text, " ", &next); word != NULL && all < ANIM_COUNT(wanted->words);
	     word = strtok_r(NULL, " ", &next))
		wanted->words[all++] = word;
	for (size_t i = 0; i < all; i++)
		if (says_something(wanted->words[i]))
			wanted->words[wanted->count++] = wanted->words[i];
	wanted->count = wanted->count == 0 ? all : wanted->count;
}

/* Return whether the word is in one of the texts (NULL: none), whatever its case. `loosely`: or a word that means the same. */
static bool has_word(const char *const texts[4], const char *word, bool loosely)
{
	return has_text(texts, word) || (loosely && has_synonym(texts, word));
}

/* Return whether all words are in one of the texts. */
static bool has_words(const struct wanted *wanted, const char *const texts[4], bool loosely)
{
	size_t i = 0;

	while (i < wanted->count && has_word(texts, wanted->words[i], loosely))
		i++;
	return i == wanted->count;
}

/* Read the first 256 KiB of a page (owned). Returns NULL if the page is not installed. */
static char *read_page(const char *folder, const struct help_page *page)
{
	char path[4096], *text = NULL;
	FILE *file = find_page(folder, page->name, page->section, path) ? anim_file_read(path) : NULL;
	const size_t most = (size_t)1 << 18;

	if (file != NULL && (text = calloc(most + 1, 1)) != NULL)
		text[fread(text, 1, most, file)] = '\0';
	if (file != NULL)
		fclose(file);
	return text;
}

/* Print the tasks and options that have all words, with their commands. Returns their number. */
static size_t print_found(const struct wanted *wanted, bool loosely)
{
	const char *last = NULL;
	size_t found = 0;

	for (size_t i = 0; i < ANIM_COUNT(recipes); i++) {
		/* "the same with ..." continues the row before it */
		const char *before = strncmp(recipes[i].task, "the same", 8) == 0 ? last : NULL;

		if (has_words(wanted, (const char *const[4]){recipes[i].task, recipes[i].command, before}, loosely) &&
		    ++found > 0)
			printf("%s%s%s\n    %s\n", before != NULL ? before : "", before != NULL ? ": " : "",
			       recipes[i].task, recipes[i].command);
		last = recipes[i].task;
	}
	for (size_t p = 0; programs[p] != NULL; p++) {
		const struct cli_program *program = programs[p]->command_line;
		const char *name = program->name + strlen("anim-");

		for (size_t i = 0; i < program->option_count; i++) {
			const struct cli_option *row = &program->options[i];
			char values[512] = "";

			/* Choices are searched, and shown after a help that ends in a colon. */
			for (size_t k = 0, used = 0;
			     row->kind == CLI_CHOICE && row->choices[k] != NULL && used < sizeof values; k++)
				used += (size_t)snprintf(values + used, sizeof values - used, "%s%s",
							 k == 0 ? " " : ", ", row->choices[k]);
			if (row->name != NULL && row->help != NULL &&
			    has_words(wanted, (const char *const[4]){row->help, row->name, name, values}, loosely) &&
			    ++found > 0)
				printf("%s%s\n    anim %s --%s%s%s\n", row->help,
				       anim_text_ends(row->help, ":") ? values : "", name, row->name,
				       row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
		}
	}
	return found;
}

/* Print the pages that have all words. Returns their number. */
static size_t print_pages(const struct wanted *wanted, const struct cli_programs *others)
{
	size_t found = 0;

	for (size_t i = 0; i < ANIM_COUNT(pages); i++) {
		char *text = read_page(others->folder, &pages[i]);

		if (has_words(wanted, (const char *const[4]){pages[i].about, pages[i].name, text}, false) &&
		    ++found > 0)
			printf("%s\n    anim help %s\n", pages[i].about, pages[i].name + strlen("anim-"));
		free(text);
	}
	return found;
}

#define NEAREST 4 /* tasks that are printed if none has all words */

/*
 * Print the tasks with the most words, of which rare words count more. Tasks with less than half of the words are not near. Returns
 * their number.
 */
static size_t print_nearest(const struct wanted *wanted)
{
	double weights[ANIM_COUNT(wanted->words)] = {0}, scores[ANIM_COUNT(recipes)] = {0};
	size_t found = 0;

	for (size_t w = 0; w < wanted->count; w++) {
		for (size_t i = 0; i < ANIM_COUNT(recipes); i++)
			weights[w] += has_word((const char *const[4]){recipes[i].task, recipes[i].command, NULL},
					       wanted->words[w], true);
		weights[w] = weights[w] > 0 ? 1 / weights[w] : 0;
	}
	for (size_t i = 0; i < ANIM_COUNT(recipes); i++) {
		size_t count = 0;

		for (size_t w = 0; w < wanted->count; w++)
			if (has_word((const char *const[4]){recipes[i].task, recipes[i].command, NULL},
				     wanted->words[w], true)) {
				scores[i] += weights[w];
				count++;
			}
		scores[i] = 2 * count >= wanted->count ? scores[i] : 0;
	}
	for (; found < NEAREST; found++) {
		size_t best = 0;

		for (size_t i = 1; i < ANIM_COUNT(recipes); i++)
			best = scores[i] > scores[best] ? i : best;
		if (!(scores[best] > 0))
			break;
		printf("%s%s\n    %s\n", found == 0 ? "The nearest tasks:\n" : "", recipes[best].task,
		       recipes[best].command);
		scores[best] = 0;
	}
	return found;
}

int help_search(struct cli *cli, const struct cli_programs *others)
{
	struct anim_error error = {0};
	bool in_task = false;
	struct wanted wanted;
	size_t found;

	if (cli->operand_count < 3)
		cli_usage(cli, "help -s requires words; try: anim help -s loop walk");
	read_words(cli, &wanted);
	for (size_t i = 0; i < ANIM_COUNT(recipes) && !in_task; i++)
		in_task = has_words(&wanted, (const char *const[4]){recipes[i].task, recipes[i].command, NULL}, false);
	found = print_found(&wanted, !in_task);
	if (found == 0)
		found = print_nearest(&wanted);
	found += print_pages(&wanted, others);
	if (fflush(stdout) != 0)
		anim_fail_system(&error, "cannot write standard output");
	else if (found == 0)
		anim_fail(&error, ANIM_UNSUPPORTED,
			  "no task, option or page has these words; try fewer words, or: anim");
	return cli_finish(cli, error.code != 0 ? &error : NULL);
}
