/* programs.c: finds programs beside this one and in PATH, and the name that was meant. */
#include "cli/programs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system.h"
#include "base/text.h"
#include "cli/cli.h"

#define PREFIX "anim-"
#define PREFIX_LENGTH (sizeof PREFIX - 1)
#define NAME_MAX_LENGTH CLI_WORD_MAX /* longer names are not programs */

static bool is_program(const char *path)
{
	return anim_is_file(path) && anim_sys_may(path, ANIM_MAY_RUN);
}

/* Return "folder/name", owned by the caller. An empty folder in PATH is the current folder. */
static char *join(const char *folder, size_t length, const char *name)
{
	size_t size = length + strlen(name) + 3;
	char *path = malloc(size);

	if (path != NULL)
		snprintf(path, size, "%.*s/%s", length == 0 ? 1 : (int)length, length == 0 ? "." : folder, name);
	return path;
}

/* Call visit for each folder of PATH until it returns 1 (found) or -1 (out of memory). */
static int each_folder(int (*visit)(void *, const char *folder, size_t length), void *context)
{
	const char *at = getenv("PATH");
	int result = 0;

	while (at != NULL && result == 0) {
		size_t length = strcspn(at, ANIM_PATH_SEPARATOR);

		result = length > ANIM_PATH_MAX ? 0 : visit(context, at, length);
		at = at[length] != '\0' ? at + length + 1 : NULL;
	}
	return result;
}

struct own_program {
	const char *name;
	char *path; /* owned */
};

static int is_own(void *context, const char *folder, size_t length)
{
	struct own_program *own = context;

	own->path = join(folder, length, own->name);
	if (own->path == NULL)
		return -1;
	if (is_program(own->path))
		return 1;
	free(own->path);
	own->path = NULL;
	return 0;
}

/* Return the folder of the program in argv[0], or NULL if it cannot be found. */
static char *own_folder(const char *argv0)
{
	struct own_program own = {.name = argv0};
	char *real = NULL, *slash;

	if (strchr(argv0, '/') != NULL)
		real = anim_sys_real_path(argv0);
	else if (each_folder(is_own, &own) == 1)
		real = anim_sys_real_path(own.path);
	free(own.path);
	slash = real == NULL ? NULL : strrchr(real, '/');
	if (slash != NULL)
		slash[slash == real] = '\0';
	return real;
}

/* Add the file of this name if it is a program and its name is new. The path is taken. */
static int add(struct cli_programs *programs, const char *file, char *path, bool beside)
{
	const char *name = file + PREFIX_LENGTH;
	struct cli_found *items;

	if (path == NULL)
		return -1;
	if (!is_program(path) || cli_programs_get(programs, name) != NULL) {
		free(path);
		return 0;
	}
	items = realloc(programs->items, (programs->count + 1) * sizeof *items);
	if (items != NULL)
		programs->items = items;
	name = items == NULL ? NULL : strdup(name);
	if (name != NULL && anim_text_ends(name, ANIM_PROGRAM_SUFFIX))
		((char *)(uintptr_t)name)[strlen(name) - strlen(ANIM_PROGRAM_SUFFIX)] = '\0';
	if (name == NULL) {
		free(path);
		return -1;
	}
	items[programs->count++] = (struct cli_found){(char *)(uintptr_t)name, path, beside};
	return 0;
}

static bool is_name(const char *file)
{
	size_t length = strlen(file);

	return length > PREFIX_LENGTH && length - PREFIX_LENGTH <= NAME_MAX_LENGTH &&
	       strncmp(file, PREFIX, PREFIX_LENGTH) == 0;
}

static int add_folder(struct cli_programs *programs, const char *folder, size_t length, bool beside)
{
	char *path = join(folder, length, "");
	struct anim_folder *directory = path == NULL ? NULL : anim_folder_open(path, true);
	const char *entry;
	int result = path == NULL ? -1 : 0;

	free(path);
	while (directory != NULL && result == 0 && (entry = anim_folder_next(directory)) != NULL)
		if (is_name(entry))
			result = add(programs, entry, join(folder, length, entry), beside);
	anim_folder_close(directory);
	return result;
}

static int add_path_folder(void *context, const char *folder, size_t length)
{
	return add_folder(context, folder, length, false);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct cli_found *)a)->name, ((const struct cli_found *)b)->name);
}

int cli_programs_find(struct cli_programs *programs, const char *argv0, struct anim_error *error)
{
	int result = 0;

	programs->folder = own_folder(argv0);
	if (programs->folder != NULL)
		result = add_folder(programs, programs->folder, strlen(programs->folder), true);
	if (result == 0)
		result = each_folder(add_path_folder, programs);
	if (programs->count > 0)
		qsort(programs->items, programs->count, sizeof *programs->items, by_name);
	return result == 0 ? 0 : anim_fail_memory(error);
}

void cli_programs_clear(struct cli_programs *programs)
{
	for (size_t i = 0; i < programs->count; i++) {
		free(programs->items[i].name);
		free(programs->items[i].path);
	}
	free(programs->items);
	free(programs->folder);
	memset(programs, 0, sizeof *programs);
}

const struct cli_found *cli_programs_get(const struct cli_programs *programs, const char *name)
{
	if (is_name(name))
		name += PREFIX_LENGTH;
	for (size_t i = 0; i < programs->count; i++)
		if (strcmp(programs->items[i].name, name) == 0)
			return &programs->items[i];
	return NULL;
}
