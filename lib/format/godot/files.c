/* files.c: other files that a file of Godot names: where they lie, what stands for them, and opening them. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "format/godot/document.h"
#include "format/godot/text.h"

/* ---- Where res:// and relative paths lead ---- */

static int is_project(void *context, const char *folder, struct anim_arena *arena, struct anim_error *error)
{
	(void)context;
	return anim_path_holds(folder, "project.godot", false, arena, error);
}

int godot_file_locate(struct godot_context *context, struct anim_input *input, struct anim_location *location)
{
	struct godot_project *project = &context->project;
	int found;

	if (anim_locate(location, input, &context->arena, context->error) != 0)
		return -1;
	if (location->real == NULL)
		return 0;
	found = anim_project_find(&project->at, location, (struct anim_project_test){.is_it = is_project},
				  &context->arena, context->error);
	if (found == 0)
		project->at = (struct anim_project){location->folder, location->shown_folder};
	return found < 0 ? -1 : 0;
}

/* The path as a file name that can be opened. NULL: *why, or out of memory where that stays NULL. */
static const char *file_name(struct godot_context *context, const struct godot_document *from, const char *path,
			     const char **why)
{
	*why = NULL;
	if (context->options->no_external)
		*why = "other files are not followed";
	else if (context->project.at.folder == NULL || from->location.real == NULL)
		*why = "what comes from a pipe has no folder to look in";
	else if (strncmp(path, "res://", 6) == 0)
		return anim_path_join(&context->arena, context->project.at.shown_folder, path + 6, context->error);
	else if (strncmp(path, "uid://", 6) == 0 || path[0] == '\0')
		*why = "a uid:// is known to Godot's editor only";
	else if (strstr(path, "://") != NULL)
		*why = "only res:// and relative paths are followed";
	else if (path[0] == '/')
		return path;
	else
		return anim_path_join(&context->arena, from->location.shown_folder, path, context->error);
	return NULL;
}

int godot_file_resolve(struct godot_context *context, const struct godot_document *from, const char *path,
		       struct anim_location *location, const char **shown, const char **why)
{
	int found;

	*location = (struct anim_location){0};
	*shown = file_name(context, from, path, why);
	if (*shown == NULL)
		return *why == NULL ? -1 : 0;
	found = anim_path_real(&context->arena, *shown, &location->real, context->error);
	if (found < 0)
		return -1;
	if (found == 0 && anim_path_is_refused(errno)) {
		anim_fail_system(context->error, "cannot open");
		return anim_read_refused(context->options, *shown, &context->arena, why, context->error);
	}
	if (found == 0)
		*why = errno == ENOENT ? GODOT_NO_SUCH_FILE : "it cannot be reached";
	else if (!anim_path_is_below(location->real, context->project.at.folder))
		*why = "it lies outside the project's folder";
	if (*why != NULL)
		return 0;
	return anim_locate_folders(location, *shown, &context->arena, context->error) == 0 ? 1 : -1;
}

/* ---- What Godot made of a file: its .import or .remap says where that lies ---- */

int godot_file_open(struct godot_context *context, const char *real, const char *shown, struct anim_input **input,
		    int *fd, const char **why)
{
	const struct anim_read_options *options = context->options;
	struct anim_input_options input_options = {0};
	int result = 0;

	*input = NULL;
	*fd = anim_open_regular(real, why);
	if (*fd < 0 && *why == NULL) {
		anim_fail_system(context->error, "cannot open");
		return anim_read_refused(options, shown, &context->arena, why, context->error);
	}
	if (*fd < 0)
		return 0;
	if (options->input_options != NULL)
		input_options = *options->input_options;
	input_options.name = NULL;
	if (options->opened != NULL)
		result = options->opened(options->opened_context, shown, context->error);
	if (result == 0)
		result = anim_input_open_fd(input, *fd, shown, &input_options, context->error);
	return result;
}

void godot_file_close(struct anim_input *input, int fd)
{
	anim_input_close(input);
	if (fd >= 0)
		close(fd);
}

/* [remap] path="res://...", kept; NULL where the text has none, or is none. 0, or -1 out of memory. */
static int read_remap(struct godot_context *context, struct anim_input *input, const char **target)
{
	struct anim_error ignored = {0};
	struct anim_arena scratch = {0};
	struct godot_text *text;
	struct godot_value value;
	struct godot_tag tag;
	const char *name;
	int result = 0;

	*target = NULL;
	if (godot_text_new(&text, input, &ignored) != 0)
		return anim_fail_memory(context->error);
	if (godot_text_tag(text, &tag) == 1 && strcmp(tag.name, "remap") == 0)
		while (godot_text_property(text, &name, NULL) == 1)
			if (strcmp(name, "path") == 0 && godot_text_value(text, &scratch, &value) == 0 &&
			    value.type == GODOT_STRING) {
				*target = godot_keep(context, &value.text);
				result = *target != NULL ? 0 : -1;
				break;
			}
	godot_text_free(text);
	anim_arena_clear(&scratch);
	return result;
}

/* Where `path` with that suffix sends: *made, NULL for nowhere. 0 or -1. */
static int follow_remap(struct godot_context *context, const struct godot_document *from, const char *path,
			const char *suffix, const char **made)
{
	const char *file = anim_arena_printf(&context->arena, context->error, "%s%s", path, suffix), *shown, *why;
	struct anim_location location;
	struct anim_input *input;
	int found, fd, result;

	*made = NULL;
	found = file == NULL ? -1 : godot_file_resolve(context, from, file, &location, &shown, &why);
	if (found <= 0)
		return found;
	result = godot_file_open(context, location.real, shown, &input, &fd, &why);
	if (result == 0 && input != NULL)
		result = read_remap(context, input, made);
	godot_file_close(input, fd);
	return result;
}

/* The same of both suffixes. */
static int find_made(struct godot_context *context, const struct godot_document *from, const char *path,
		     const char **made)
{
	struct anim_location location;
	const char *shown, *why;
	int found = godot_file_resolve(context, from, path, &location, &shown, &why);

	if (found < 0 || follow_remap(context, from, path, ".import", made) != 0)
		return -1;
	if (*made != NULL || found > 0 || strcmp(why, GODOT_NO_SUCH_FILE) != 0)
		return 0;
	return follow_remap(context, from, path, ".remap", made);
}

int godot_file_made(struct godot_context *context, const struct godot_document *from, const char *path,
		    const char **made)
{
	const char *why, *file = file_name(context, from, path, &why);
	uint32_t number = (uint32_t)(context->makes.size / sizeof *made);

	*made = NULL;
	if (file == NULL)
		return why == NULL ? -1 : 0;
	if (anim_map_get(&context->made, 0, file, strlen(file), &number)) {
		*made = ((const char **)(void *)context->makes.data)[number];
		return 0;
	}
	if (find_made(context, from, path, made) != 0 ||
	    anim_buffer_append(&context->makes, made, sizeof *made, context->error) != 0)
		return -1;
	return anim_map_put(&context->made, 0, file, strlen(file), number, context->error);
}
