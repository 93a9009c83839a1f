/* each.c: a file for every clip, all of which appear together or not at all. */
#include "cli/each.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/* The base name without its suffix. */
static char *stem_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash == NULL ? path : slash + 1, *dot = strrchr(base, '.');

	return strndup(base, dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base));
}

int cli_each_tree(struct cli_each *each, const struct anim_tree *tree, struct anim_error *error)
{
	free(each->tree_file);
	each->tree_file = strdup(tree->source_file);
	return each->tree_file == NULL ? anim_fail_memory(error) : 0;
}

static int tell_number(const struct cli_each *each, const char *path, struct anim_losses *losses,
		       struct anim_error *error)
{
	if (!each->names.numbered || strstr(each->pattern, "%c") != NULL)
		return 0;
	return anim_losses_add(losses, ANIM_WARNING, NULL,
			       "files are told apart by numbers: the pattern has no %c, the clip's name", error,
			       "%s: told from others by a number: the pattern has no %%c, the clip's name", path);
}

char *cli_each_path(struct cli_each *each, const struct anim_clip *clip, struct anim_losses *losses,
		    struct anim_error *error)
{
	char *stem = stem_of(anim_clip_file(clip, each->tree_file)), *path;
	struct cli_name_parts parts = {clip->name, anim_attrs_get(&clip->attrs, "player"), stem};

	if (stem == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	path = cli_file_name(&each->names, each->pattern, &parts, error);
	free(stem);
	if (path != NULL && tell_number(each, path, losses, error) != 0) {
		free(path);
		path = NULL;
	}
	return path;
}

/* Makes the folders that a path needs, and remembers which. */
static int make_folders(struct cli_each *each, const char *path, struct anim_error *error)
{
	char *folder = strdup(path);
	int result = folder == NULL ? anim_fail_memory(error) : 0;

	for (size_t i = 1; result == 0 && path[i] != '\0'; i++) {
		if (path[i] != '/')
			continue;
		folder[i] = '\0';
		if (mkdir(folder, 0777) == 0)
			result = anim_buffer_append(&each->folders, folder, i + 1, error);
		else if (errno == ENOENT || errno == EACCES || errno == EROFS)
			result = anim_fail_system(error, "folder '%s' cannot be made", folder);
		folder[i] = '/';
	}
	free(folder);
	return result;
}

/* The innermost first; those in which something else stands by now stay. */
static void remove_folders(struct anim_buffer *folders)
{
	while (folders->size > 0) {
		size_t start = folders->size - 1;

		while (start > 0 && folders->data[start - 1] != '\0')
			start--;
		(void)rmdir((const char *)folders->data + start);
		folders->size = start;
	}
	anim_buffer_clear(folders);
}

int cli_each_open(struct cli_each *each, const char *path, struct anim_output **output, struct anim_error *error)
{
	struct stat info;

	*output = NULL;
	if (make_folders(each, path, error) != 0)
		return -1;
	if (each->force || lstat(path, &info) != 0)
		return anim_output_open(output, path, error);
	anim_fail(error, ANIM_UNSUPPORTED, "is there already; --force overwrites");
	return anim_error_in_file(error, path);
}

int cli_each_seal(struct cli_each *each, struct anim_output *output, struct anim_error *error)
{
	if (each->count == each->capacity) {
		size_t capacity = each->capacity == 0 ? 16 : 2 * each->capacity;
		struct anim_output **grown = realloc(each->sealed, capacity * sizeof *grown);

		if (grown == NULL) {
			anim_output_free(output);
			return anim_fail_memory(error);
		}
		each->sealed = grown;
		each->capacity = capacity;
	}
	each->sealed[each->count++] = output;
	return anim_output_seal(output, error);
}

int cli_each_commit(struct cli_each *each, struct anim_error *error)
{
	int result = anim_outputs_commit(each->sealed, each->count, error);

	if (result == 0)
		each->folders.size = 0;
	return result;
}

void cli_each_clear(struct cli_each *each)
{
	for (size_t i = 0; i < each->count; i++)
		anim_output_free(each->sealed[i]);
	remove_folders(&each->folders);
	free(each->sealed);
	free(each->tree_file);
	cli_file_names_clear(&each->names);
}
