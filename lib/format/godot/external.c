/* external.c: the ext_resources of a file, and the documents of other files, each read once. */
#include "format/godot/external.h"

#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "format/godot/document.h"
#include "format/godot/godot.h"

int godot_externals_add(struct godot_externals *externals, const char *id, const struct godot_external *external,
			struct anim_error *error)
{
	uint32_t number = (uint32_t)(externals->items.size / sizeof *external);

	if (anim_buffer_append(&externals->items, external, sizeof *external, error) != 0)
		return -1;
	return anim_map_put(&externals->ids, 0, id, strlen(id), number, error);
}

const struct godot_external *godot_externals_find(const struct godot_externals *externals, const char *id,
						  size_t length)
{
	uint32_t number;

	if (!anim_map_get(&externals->ids, 0, id, length, &number))
		return NULL;
	return (const struct godot_external *)externals->items.data + number;
}

const struct godot_external *godot_externals_play(struct godot_externals *externals, const char *id, size_t length)
{
	uint32_t number;
	struct godot_external *external;

	if (!anim_map_get(&externals->ids, 0, id, length, &number))
		return NULL;
	external = (struct godot_external *)(void *)externals->items.data + number;
	external->played = true;
	return external;
}

const char *godot_external_path(struct godot_externals *externals, const char *id, size_t length, const char **uid,
				const char **type)
{
	const struct godot_external *external = godot_externals_play(externals, id, length);

	if (external == NULL)
		return NULL;
	*uid = external->uid;
	*type = external->type;
	return external->path;
}

int godot_externals_add_sub(struct godot_externals *externals, const char *id, struct anim_error *error)
{
	return anim_map_put(&externals->subs, 0, id, strlen(id), 0, error);
}

bool godot_external_has_sub(const struct godot_externals *externals, const struct godot_string *id)
{
	uint32_t number;

	return anim_map_get(&externals->subs, 0, id->bytes, id->length, &number);
}

/* 1: no such file; 0; -1. The path may go on with "::id", a resource inside that file. */
static int look_for(const struct godot_externals *externals, const char *path, struct anim_error *error)
{
	struct anim_arena *arena = &externals->context->arena;
	const char *inside = strstr(path, "::"), *shown, *why;
	struct anim_location location;
	int found;

	if (inside != NULL)
		path = anim_arena_text(arena, path, (size_t)(inside - path), error);
	if (path == NULL)
		return -1;
	found = godot_resolve(externals->context, externals->document, path, &location, &shown, &why, error);
	if (found < 0)
		return -1;
	return found == 0 && strcmp(why, GODOT_NO_SUCH_FILE) == 0;
}

int godot_external_is_missing(struct godot_externals *externals, const struct godot_string *path,
			      struct anim_error *error)
{
	uint32_t missing;
	const char *kept;
	int result;

	if (externals->context == NULL)
		return 0;
	if (anim_map_get(&externals->looked, 0, path->bytes, path->length, &missing))
		return (int)missing;
	kept = godot_keep(externals->context, path, error);
	result = kept == NULL ? -1 : look_for(externals, kept, error);
	if (result >= 0 && anim_map_put(&externals->looked, 0, kept, path->length, (uint32_t)result, error) != 0)
		return -1;
	return result;
}

void godot_externals_clear(struct godot_externals *externals)
{
	anim_map_clear(&externals->ids);
	anim_map_clear(&externals->subs);
	anim_map_clear(&externals->looked);
	anim_buffer_clear(&externals->items);
}

/* NULL where these first bytes begin a text file of Godot, else why not. */
static const char *look(const uint8_t *bytes, size_t size)
{
	if (size >= 4 && (memcmp(bytes, "RSRC", 4) == 0 || memcmp(bytes, "RSCC", 4) == 0))
		return "it is binary; save it as text (.tres, .tscn) in Godot";
	return anim_godot_is(bytes, size) ? NULL : "it is not a text file of Godot";
}

/* Trouble of the run, not of the file, which alone would only be warned of. */
static bool is_hard(const struct godot_context *context, const struct anim_error *error)
{
	return error->code == ANIM_NO_MEMORY || context->options->losses->faults >= ANIM_FAULTS_SHOWN;
}

static int read_input(struct godot_context *context, struct godot_document *document, struct anim_input *input,
		      struct anim_error *error)
{
	const uint8_t *bytes;
	ssize_t size = anim_input_peek(input, 4096, &bytes, error);

	if (size >= 0)
		document->why = look(bytes, (size_t)size);
	if (document->why != NULL || (size >= 0 && godot_document_read(context, document, input, error) == 0))
		return 0;
	if (is_hard(context, error))
		return -1;
	if (error->code == ANIM_SYSTEM)
		return anim_read_refused(context->options, document->shown, &context->arena, &document->why, error);
	document->why = godot_keep(context, &(struct godot_string){error->message, strlen(error->message)}, NULL);
	if (document->why == NULL)
		return anim_fail_memory(error);
	*error = (struct anim_error){0};
	return 0;
}

static int read_file(struct godot_context *context, struct godot_document *document, struct anim_error *error)
{
	const struct anim_read_options *options = context->options;
	struct anim_input_options input_options = {0};
	struct anim_input *input = NULL;
	int fd = anim_open_regular(document->location.real, &document->why), result = 0;

	if (fd < 0 && document->why == NULL) {
		anim_fail_system(error, "cannot open");
		return anim_read_refused(options, document->shown, &context->arena, &document->why, error);
	}
	if (fd < 0)
		return 0;
	if (options->input_options != NULL)
		input_options = *options->input_options;
	input_options.name = NULL;
	if (options->opened != NULL)
		result = options->opened(options->opened_context, document->shown, error);
	if (result == 0)
		result = anim_input_open_fd(&input, fd, document->shown, &input_options, error);
	if (result == 0)
		result = read_input(context, document, input, error);
	anim_input_close(input);
	close(fd);
	return result;
}

static struct godot_document *find_document(const struct godot_context *context, const char *real, enum godot_want want)
{
	struct godot_document *document = context->documents;

	while (document != NULL && (document->location.real == NULL || strcmp(document->location.real, real) != 0 ||
				    (document->want != want && document->want != GODOT_WANT_ALL)))
		document = document->next;
	return document;
}

/* A new document of the context, not read yet; NULL where a limit forbids it (*why) or out of memory (*why NULL). */
static struct godot_document *new_document(struct godot_context *context, const struct godot_document *from,
					   enum godot_want want, const char **why, struct anim_error *error)
{
	struct godot_document *document;

	*why = NULL;
	if (from->depth >= ANIM_EXTERNAL_DEPTH)
		*why = "files name further files too deep";
	else if (context->project.files >= ANIM_EXTERNAL_FILES)
		*why = "too many other files are named";
	if (*why != NULL)
		return NULL;
	document = anim_arena_zeroed(&context->arena, 1, sizeof *document, error);
	if (document == NULL)
		return NULL;
	context->project.files++;
	document->want = want;
	document->depth = from->depth + 1;
	document->next = context->documents->next;
	context->documents->next = document;
	return document;
}

int godot_external_document(struct godot_context *context, const struct godot_document *from, const char *path,
			    enum godot_want want, struct godot_document **out, const char **why,
			    struct anim_error *error)
{
	struct anim_location location;
	const char *shown;
	struct godot_document *document;
	int got = godot_resolve(context, from, path, &location, &shown, why, error);

	if (got <= 0)
		return got;
	document = find_document(context, location.real, want);
	if (document == NULL) {
		document = new_document(context, from, want, why, error);
		if (document == NULL)
			return *why == NULL ? -1 : 0;
		document->location = location;
		document->shown = shown;
		if (read_file(context, document, error) != 0)
			return -1;
	}
	*out = document;
	*why = document->reading ? "the files name each other in a ring" : document->why;
	return *why == NULL;
}
