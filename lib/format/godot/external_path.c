/* external_path.c: where res:// and relative paths lead, and what lies within the project. */
#include <errno.h>
#include <string.h>

#include "format/godot/document.h"

static int is_project(void *context, const char *folder, struct anim_arena *arena, struct anim_error *error)
{
	(void)context;
	return anim_path_holds(folder, "project.godot", false, arena, error);
}

int godot_locate(struct godot_context *context, struct anim_input *input, struct anim_location *location,
		 struct anim_error *error)
{
	struct godot_project *project = &context->project;
	int found;

	if (anim_locate(location, input, &context->arena, error) != 0)
		return -1;
	if (location->real == NULL)
		return 0;
	found = anim_project_find(&project->at, location, (struct anim_project_test){.is_it = is_project},
				  &context->arena, error);
	if (found == 0)
		project->at = (struct anim_project){location->folder, location->shown_folder};
	return found < 0 ? -1 : 0;
}

/* The path as a file name that can be opened. NULL: *why, or out of memory where that stays NULL. */
static const char *file_name(struct godot_context *context, const struct godot_document *from, const char *path,
			     const char **why, struct anim_error *error)
{
	*why = NULL;
	if (context->options->no_external)
		*why = "other files are not followed";
	else if (context->project.at.folder == NULL || from->location.real == NULL)
		*why = "what comes from a pipe has no folder to look in";
	else if (strncmp(path, "res://", 6) == 0)
		return anim_path_join(&context->arena, context->project.at.shown_folder, path + 6, error);
	else if (strncmp(path, "uid://", 6) == 0 || path[0] == '\0')
		*why = "a uid:// is known to Godot's editor only";
	else if (strstr(path, "://") != NULL)
		*why = "only res:// and relative paths are followed";
	else if (path[0] == '/')
		return path;
	else
		return anim_path_join(&context->arena, from->location.shown_folder, path, error);
	return NULL;
}

int godot_resolve(struct godot_context *context, const struct godot_document *from, const char *path,
		  struct anim_location *location, const char **shown, const char **why, struct anim_error *error)
{
	int found;

	*location = (struct anim_location){0};
	*shown = file_name(context, from, path, why, error);
	if (*shown == NULL)
		return *why == NULL ? -1 : 0;
	found = anim_path_real(&context->arena, *shown, &location->real, error);
	if (found < 0)
		return -1;
	if (found == 0 && anim_path_is_refused(errno)) {
		anim_fail_system(error, "cannot open");
		return anim_read_refused(context->options, *shown, &context->arena, why, error);
	}
	if (found == 0)
		*why = errno == ENOENT ? GODOT_NO_SUCH_FILE : "it cannot be reached";
	else if (!anim_path_is_below(location->real, context->project.at.folder))
		*why = "it lies outside the project's folder";
	if (*why != NULL)
		return 0;
	return anim_locate_folders(location, *shown, &context->arena, error) == 0 ? 1 : -1;
}
