/* tap.c: runs the tests and prints TAP. */
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tap_test *tests, *current;
static int failures;        /* of the running test */
static const char *skipped; /* reason of the running test */

void tap_register(struct tap_test *test)
{
	test->next = tests;
	tests = test;
}

const struct tap_test *tap_current(void)
{
	return current;
}

bool tap_check(bool condition, const char *file, int line, const char *format, ...)
{
	va_list args;

	if (condition || ++failures > 10)
		return condition;
	printf("# %s:%d: ", file, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	return false;
}

void tap_skip(const char *reason)
{
	skipped = reason;
}

static int by_place(const void *a, const void *b)
{
	const struct tap_test *const *x = a, *const *y = b;
	int order = strcmp((*x)->file, (*y)->file);

	return order != 0 ? order : strcmp((*x)->title, (*y)->title);
}

/* The base name of the test's file. */
static const char *file_of(const struct tap_test *test)
{
	const char *slash = strrchr(test->file, '/');

	return slash != NULL ? slash + 1 : test->file;
}

/* The tests whose file's base name without .c is `only` (all where NULL), sorted; *count of them. */
static struct tap_test **choose(const char *only, int *count)
{
	struct tap_test **chosen, *test;
	int n = 0;

	for (test = tests; test != NULL; test = test->next)
		n++;
	chosen = calloc((size_t)n + 1, sizeof *chosen);
	if (chosen == NULL)
		exit(2);
	*count = 0;
	for (test = tests; test != NULL; test = test->next) {
		const char *base = file_of(test);

		if (only == NULL || (strncmp(base, only, strlen(only)) == 0 && strcmp(base + strlen(only), ".c") == 0))
			chosen[(*count)++] = test;
	}
	qsort(chosen, (size_t)*count, sizeof *chosen, by_place);
	return chosen;
}

/* Every subject that has tests, a line each. */
static void list_subjects(void)
{
	int count;
	struct tap_test **all = choose(NULL, &count);

	for (int i = 0; i < count; i++)
		if (i == 0 || strcmp(all[i]->file, all[i - 1]->file) != 0)
			printf("%.*s\n", (int)strlen(file_of(all[i])) - 2, file_of(all[i]));
	free(all);
}

/* unit [SUBJECT]: runs all tests, or those of tests/unit/SUBJECT.c; --subjects lists what there is. */
int main(int argc, char **argv)
{
	int count, bad = 0;
	struct tap_test **chosen;

	if (argc > 1 && strcmp(argv[1], "--subjects") == 0) {
		list_subjects();
		return 0;
	}
	chosen = choose(argc > 1 ? argv[1] : NULL, &count);
	printf("1..%d\n", count);
	for (int i = 0; i < count; i++) {
		failures = 0;
		skipped = NULL;
		current = chosen[i];
		current->run();
		bad += failures > 0;
		printf("%sok %d - %s%s%s\n", failures > 0 ? "not " : "", i + 1, chosen[i]->title,
		       skipped != NULL ? " # skip " : "", skipped != NULL ? skipped : "");
		fflush(stdout);
	}
	free(chosen);
	return bad > 0 || count == 0;
}
