/* depfile.c: writes a make rule. */
#include "cli/depfile.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* GNU make cannot escape these: '=' makes the rule an assignment, ';' begins the recipe. */
static int check_name(const char *path, const char *refused, struct anim_error *error)
{
	const char *at = strpbrk(path, refused);

	if (at == NULL)
		return 0;
	if (*at == '\n')
		return anim_fail(error, ANIM_UNSUPPORTED, "'%s' has a line feed in its name, no make rule can hold it",
				 path);
	return anim_fail(error, ANIM_UNSUPPORTED, "'%s' has a '%c' in its name, no make rule can hold it", path, *at);
}

int cli_depfile_add(struct cli_depfile *depfile, const char *path, struct anim_error *error)
{
	if (strcmp(path, "-") == 0)
		return 0;
	if (check_name(path, "\n=;", error) != 0)
		return -1;
	for (size_t i = 0; i < depfile->count; i++)
		if (strcmp(depfile->paths[i], path) == 0)
			return 0;
	if (depfile->count == depfile->capacity) {
		size_t capacity = depfile->capacity == 0 ? 16 : 2 * depfile->capacity;
		char **paths = realloc(depfile->paths, capacity * sizeof *paths);

		if (paths == NULL)
			return anim_fail_memory(error);
		depfile->paths = paths;
		depfile->capacity = capacity;
	}
	depfile->paths[depfile->count] = strdup(path);
	if (depfile->paths[depfile->count] == NULL)
		return anim_fail_memory(error);
	depfile->count++;
	return 0;
}

/* GNU make: blanks and '#' need a backslash, backslashes before them are doubled, '$' is doubled. */
static int write_escaped(struct anim_output *output, const char *path, struct anim_error *error)
{
	size_t backslashes = 0;

	for (; *path != '\0'; path++) {
		if (strchr(" \t#:", *path) != NULL)
			for (size_t i = 0; i <= backslashes; i++)
				if (anim_output_write(output, "\\", 1, error) != 0)
					return -1;
		if (*path == '$' && anim_output_write(output, "$", 1, error) != 0)
			return -1;
		if (anim_output_write(output, path, 1, error) != 0)
			return -1;
		backslashes = *path == '\\' ? backslashes + 1 : 0;
	}
	return 0;
}

int cli_depfile_write(const struct cli_depfile *depfile, const char *target, struct anim_output *output,
		      struct anim_error *error)
{
	if (check_name(target, "\n=;%", error) != 0) /* '%' would make it a pattern rule */
		return -1;
	if (write_escaped(output, target, error) != 0 || anim_output_write(output, ":", 1, error) != 0)
		return -1;
	for (size_t i = 0; i < depfile->count; i++)
		if (anim_output_write(output, i == 0 ? " " : " \\\n ", i == 0 ? 1 : 4, error) != 0 ||
		    write_escaped(output, depfile->paths[i], error) != 0)
			return -1;
	if (anim_output_write(output, "\n", 1, error) != 0)
		return -1;
	/* As with gcc -MP, a file that no longer exists counts as remade by an empty rule and does not stop make. */
	for (size_t i = 0; i < depfile->count; i++)
		if (strcmp(depfile->paths[i], target) != 0 && (write_escaped(output, depfile->paths[i], error) != 0 ||
							       anim_output_write(output, ":\n", 2, error) != 0))
			return -1;
	return 0;
}

/* Return the end of the escaped name at `at`. */
static const uint8_t *name_end(const uint8_t *at, const uint8_t *end)
{
	while (at < end && strchr(" :\n", *at) == NULL)
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	return at;
}

/* Return the next path of the rule and move *at after it, or NULL at the end. */
static const uint8_t *next_path(const uint8_t **at, const uint8_t *end)
{
	size_t left = (size_t)(end - *at);
	const uint8_t *path = *at + (anim_bytes_begin(*at, left, " \\\n ") ? 4 : anim_bytes_begin(*at, left, " "));

	if (path == *at)
		return NULL;
	*at = name_end(path, end);
	return path;
}

bool cli_depfile_is(const uint8_t *bytes, size_t size)
{
	const uint8_t *end = bytes + size, *colon = name_end(bytes, end), *rule, *at, *path;

	if (colon == bytes || colon == end || *colon != ':')
		return false;
	rule = at = colon + 1;
	while (next_path(&at, end) != NULL)
		;
	if (at == end || *at++ != '\n')
		return false;
	while ((path = next_path(&rule, end)) != NULL) {
		size_t length = (size_t)(rule - path);

		if (length == (size_t)(colon - bytes) && memcmp(path, bytes, length) == 0)
			continue;
		if ((size_t)(end - at) < length + 2 || memcmp(at, path, length) != 0 ||
		    memcmp(at + length, ":\n", 2) != 0)
			return false;
		at += length + 2;
	}
	return at == end;
}

void cli_depfile_clear(struct cli_depfile *depfile)
{
	for (size_t i = 0; i < depfile->count; i++)
		free(depfile->paths[i]);
	free(depfile->paths);
	memset(depfile, 0, sizeof *depfile);
}
