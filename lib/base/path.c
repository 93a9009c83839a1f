/* path.c: paths, project folders, opening resolved files. */
#include "base/path.h"
#include "base/named.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const char *anim_path_last(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

bool anim_path_has_suffix(const char *path, const char *const *suffixes, size_t count)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < count; i++) {
		size_t tail = strlen(suffixes[i]);

		if (length > tail && strcasecmp(path + length - tail, suffixes[i]) == 0)
			return true;
	}
	return false;
}

char *anim_path_join(struct anim_arena *arena, const char *folder, const char *name, struct anim_error *error)
{
	size_t length = strlen(folder);

	return anim_arena_printf(arena, error, "%s%s%s", folder, length == 0 || folder[length - 1] == '/' ? "" : "/",
				 name);
}

char *anim_path_folder(struct anim_arena *arena, const char *path, struct anim_error *error)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);

	return anim_arena_text(arena, path, length, error);
}

int anim_path_real(struct anim_arena *arena, const char *path, const char **real, struct anim_error *error)
{
	char *found;

	if (anim_named_is(path))
		return 0;
	found = anim_sys_real_path(path[0] == '\0' ? "." : path);
	if (found == NULL)
		return errno == ENOMEM ? anim_fail_memory(error) : 0;
	*real = anim_arena_text(arena, found, strlen(found), error);
	free(found);
	return *real == NULL ? -1 : 1;
}

bool anim_path_is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 && (folder[length - 1] == '/' || path[length] == '/');
}

/* A file reached through a link counts as being in its real folder. */
int anim_locate_folders(struct anim_location *location, const char *shown, struct anim_arena *arena,
			struct anim_error *error)
{
	const char *real = "";

	location->folder = anim_path_folder(arena, location->real, error);
	location->shown_folder = anim_path_folder(arena, shown, error);
	if (location->folder == NULL || location->shown_folder == NULL ||
	    anim_path_real(arena, location->shown_folder, &real, error) < 0)
		return -1;
	if (strcmp(real, location->folder) != 0)
		location->shown_folder = location->folder;
	return 0;
}

int anim_locate(struct anim_location *location, const struct anim_input *input, struct anim_arena *arena,
		struct anim_error *error)
{
	int found = 0;

	*location = (struct anim_location){0};
	if (!anim_input_is_pipe(input))
		found = anim_path_real(arena, anim_input_name(input), &location->real, error);
	if (found <= 0)
		return found;
	return anim_locate_folders(location, anim_input_name(input), arena, error);
}

int anim_path_holds(const char *folder, const char *name, bool is_folder, struct anim_arena *arena,
		    struct anim_error *error)
{
	const char *path = anim_path_join(arena, folder, name, error);
	struct anim_stat info;

	if (path == NULL)
		return -1;
	if (anim_sys_stat(path, &info) == 0)
		return is_folder ? info.kind == ANIM_FOLDER : info.kind == ANIM_FILE;
	if (!anim_path_is_refused(errno))
		return 0;
	anim_fail_system(error, "cannot check whether this exists");
	return anim_error_in_file(error, path);
}

int anim_project_find(struct anim_project *project, const struct anim_location *from, struct anim_project_test test,
		      struct anim_arena *arena, struct anim_error *error)
{
	const char *folder = from->folder, *shown = from->shown_folder, *real = NULL;
	int found = test.is_it(test.context, folder, arena, error);

	while (found == 0 && strcmp(folder, "/") != 0) {
		const char *last = anim_path_last(shown);
		bool is_named = last[0] != '\0' && strcmp(last, ".") != 0 && strcmp(last, "..") != 0;

		folder = anim_path_folder(arena, folder, error);
		/* The shown form of the parent is checked below, because a link on the way can make it wrong. */
		shown = folder == NULL ? NULL
			: is_named     ? anim_path_folder(arena, shown, error)
				       : anim_path_join(arena, shown, "..", error);
		found = shown == NULL ? -1 : test.is_it(test.context, folder, arena, error);
	}
	if (found <= 0)
		return found;
	found = anim_path_real(arena, shown, &real, error);
	project->folder = folder;
	project->shown_folder = found > 0 && strcmp(real, folder) == 0 ? shown : folder;
	return found < 0 ? -1 : 1;
}

bool anim_path_is_refused(int sys)
{
	return sys != 0 && sys != ENOENT && sys != ENOTDIR && sys != ELOOP && sys != ENAMETOOLONG && sys != EINVAL;
}

int anim_path_unchanged(const char *path, const struct anim_stat *before, struct anim_error *error)
{
	struct anim_stat now;

	if (anim_sys_stat(path, &now) == 0 && anim_is_same_file(&now, before) && now.size == before->size &&
	    now.changed_s == before->changed_s && now.changed_ns == before->changed_ns)
		return 0;
	anim_fail(error, ANIM_BAD_INPUT, "it changed while the stream was read; nothing was written");
	return anim_error_in_file(error, path);
}

int anim_open_regular(const char *real, const char **why)
{
	struct anim_stat info;
	int fd = anim_sys_open(real, ANIM_OPEN_PLAIN), refused = 0;

	if (fd < 0)
		refused = errno;
	else if (anim_sys_fstat(fd, &info) != 0)
		refused = errno;
	else if (info.kind == ANIM_FILE)
		return fd;
	if (fd >= 0)
		close(fd);
	*why = refused == 0 ? "it is not a regular file" : anim_path_is_refused(refused) ? NULL : "it cannot be opened";
	errno = refused;
	return -1;
}

bool anim_is_file(const char *path)
{
	struct anim_stat info;

	return anim_sys_stat(path, &info) == 0 && info.kind == ANIM_FILE;
}

bool anim_is_folder(const char *path)
{
	struct anim_stat info;

	return anim_sys_stat(path, &info) == 0 && info.kind == ANIM_FOLDER;
}

bool anim_is_same_file(const struct anim_stat *a, const struct anim_stat *b)
{
	return a->volume == b->volume && a->number == b->number;
}

FILE *anim_file_read(const char *path)
{
	int fd = anim_sys_open(path, ANIM_OPEN_READ);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");

	if (file == NULL && fd >= 0)
		(void)close(fd);
	return file;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int anim_folder_names(struct anim_folder *folder, struct anim_arena *arena, struct anim_buffer *names, int *sys,
		      struct anim_error *error)
{
	const char *name;

	while (errno = 0, (name = anim_folder_next(folder)) != NULL) {
		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		name = anim_arena_text(arena, name, strlen(name), error);
		if (name == NULL || anim_buffer_append(names, &name, sizeof name, error) != 0)
			return -1;
	}
	*sys = errno;
	if (names->size > 0)
		qsort(names->data, names->size / sizeof name, sizeof name, compare_names);
	return 0;
}
