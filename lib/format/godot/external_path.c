/* external_path.c: where res:// and relative paths lead, and what lies within the project. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/godot/document.h"

/* folder/name; the folder may be empty or the root. NULL out of memory. */
static char *join(struct godot_context *context, const char *folder, const char *name, struct anim_error *error)
{
	size_t length = strlen(folder), size = length + strlen(name) + 2;
	char *path = anim_arena_alloc(&context->arena, size, error);

	if (path != NULL)
		snprintf(path, size, "%s%s%s", folder, length == 0 || folder[length - 1] == '/' ? "" : "/", name);
	return path;
}

/* The path up to its last name: "/" for one in the root, empty where there is no slash. NULL out of memory. */
static char *folder_of(struct godot_context *context, const char *path, struct anim_error *error)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);

	return anim_arena_text(&context->arena, path, length, error);
}

/* realpath in the arena. 1; 0 where there is no such file (errno); -1 out of memory. */
static int real_path(struct godot_context *context, const char *path, const char **real, struct anim_error *error)
{
	char *found = realpath(path[0] == '\0' ? "." : path, NULL);

	if (found == NULL)
		return errno == ENOMEM ? anim_fail_memory(error) : 0;
	*real = anim_arena_text(&context->arena, found, strlen(found), error);
	free(found);
	return *real == NULL ? -1 : 1;
}

static int has_project(struct godot_context *context, const char *folder, struct anim_error *error)
{
	const char *file = join(context, folder, "project.godot", error);
	struct stat info;

	if (file == NULL)
		return -1;
	return stat(file, &info) == 0 && S_ISREG(info.st_mode);
}

/* The folder above one that is shown so; whether it is right with links on the way the caller checks. */
static char *shown_above(struct godot_context *context, const char *shown, struct anim_error *error)
{
	const char *last = strrchr(shown, '/');

	last = last == NULL ? shown : last + 1;
	if (last[0] == '\0' || strcmp(last, ".") == 0 || strcmp(last, "..") == 0)
		return join(context, shown, "..", error);
	return folder_of(context, shown, error);
}

/* Walks up from the file's folder to the one that holds project.godot; without any, the file's own counts. */
static int find_project(struct godot_context *context, const struct godot_location *from, struct anim_error *error)
{
	struct godot_project *project = &context->project;
	char *folder = anim_arena_text(&context->arena, from->folder, strlen(from->folder), error);
	const char *shown = from->shown_folder, *real = NULL;
	int found = folder == NULL ? -1 : has_project(context, folder, error);

	while (found == 0 && strcmp(folder, "/") != 0) {
		folder = folder_of(context, folder, error);
		shown = folder == NULL ? NULL : shown_above(context, shown, error);
		found = shown == NULL ? -1 : has_project(context, folder, error);
	}
	if (found < 0)
		return -1;
	project->folder = found > 0 ? folder : from->folder;
	project->shown_folder = found > 0 ? shown : from->shown_folder;
	found = real_path(context, project->shown_folder, &real, error);
	if (found == 0 || (found > 0 && strcmp(real, project->folder) != 0))
		project->shown_folder = project->folder;
	return found < 0 ? -1 : 0;
}

/* A file reached by a link counts where it really lies. */
static int fill_location(struct godot_context *context, struct godot_location *location, const char *shown,
			 struct anim_error *error)
{
	const char *real = "";

	location->folder = folder_of(context, location->real, error);
	location->shown_folder = folder_of(context, shown, error);
	if (location->folder == NULL || location->shown_folder == NULL ||
	    real_path(context, location->shown_folder, &real, error) < 0)
		return -1;
	if (strcmp(real, location->folder) != 0)
		location->shown_folder = location->folder;
	return 0;
}

int godot_locate(struct godot_context *context, struct anim_input *input, struct godot_location *location,
		 struct anim_error *error)
{
	int found = 0;

	*location = (struct godot_location){0};
	if (!anim_input_is_pipe(input))
		found = real_path(context, anim_input_name(input), &location->real, error);
	if (found <= 0)
		return found;
	if (fill_location(context, location, anim_input_name(input), error) != 0)
		return -1;
	return find_project(context, location, error);
}

static bool is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 && (folder[length - 1] == '/' || path[length] == '/');
}

/* The path as a file name that can be opened. NULL: *why, or out of memory where that stays NULL. */
static const char *file_name(struct godot_context *context, const struct godot_document *from, const char *path,
			     const char **why, struct anim_error *error)
{
	*why = NULL;
	if (context->options->no_external)
		*why = "other files are not followed";
	else if (context->project.folder == NULL || from->location.real == NULL)
		*why = "what comes from a pipe has no folder to look in";
	else if (strncmp(path, "res://", 6) == 0)
		return join(context, context->project.shown_folder, path + 6, error);
	else if (strncmp(path, "uid://", 6) == 0 || path[0] == '\0')
		*why = "a uid:// is known to Godot's editor only";
	else if (strstr(path, "://") != NULL)
		*why = "only res:// and relative paths are followed";
	else if (path[0] == '/')
		return path;
	else
		return join(context, from->location.shown_folder, path, error);
	return NULL;
}

int godot_resolve(struct godot_context *context, const struct godot_document *from, const char *path,
		  struct godot_location *location, const char **shown, const char **why, struct anim_error *error)
{
	int found;

	*location = (struct godot_location){0};
	*shown = file_name(context, from, path, why, error);
	if (*shown == NULL)
		return *why == NULL ? -1 : 0;
	found = real_path(context, *shown, &location->real, error);
	if (found < 0)
		return -1;
	if (found == 0)
		*why = errno == ENOENT ? GODOT_NO_SUCH_FILE : "it cannot be reached";
	else if (!is_below(location->real, context->project.folder))
		*why = "it lies outside the project's folder";
	if (*why != NULL)
		return 0;
	return fill_location(context, location, *shown, error) == 0 ? 1 : -1;
}
