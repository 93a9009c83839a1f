/* read_source.c: takes files apart, the run's own and those that guids lead to. */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/limits.h"
#include "format/unity/read_run.h"

#define UNITY_CLIP_CLASS 74
#define UNITY_SCRIPT_CLASS 114

bool unity_id_get(const struct unity_source *source, int64_t id, const char *family, uint32_t *number)
{
	return anim_map_get(&source->ids, (uint64_t)id, family, strlen(family), number);
}

int unity_id_put(struct unity_source *source, int64_t id, const char *family, uint32_t number, struct anim_error *error)
{
	return anim_map_put(&source->ids, (uint64_t)id, family, strlen(family), number, error);
}

struct unity_source_clip *unity_source_clip(const struct unity_source *source, size_t number)
{
	return (struct unity_source_clip *)source->clips.data + number;
}

void unity_source_clear(struct unity_source *source)
{
	anim_map_clear(&source->ids);
	anim_buffer_clear(&source->clips);
	unity_players_clear(&source->players);
	unity_scene_clear(&source->scene);
}

/* One file while it is read. */
struct parse {
	struct unity_run *run;
	struct unity_source *source;
	struct unity_file *file;
	const char *base_name;
	struct anim_arena scratch; /* of one document */
};

static int read_clip(struct parse *parse, const struct unity_document *document, struct anim_error *error)
{
	struct unity_run *run = parse->run;
	const struct unity_clip_options options = {.base_name = parse->base_name,
						   .store = run->store,
						   .arena = &run->arena,
						   .losses = run->options->losses,
						   .resolve = unity_run_resolve,
						   .resolve_context = run};
	uint32_t number = (uint32_t)(parse->source->clips.size / sizeof(struct unity_source_clip));
	struct unity_source_clip clip = {.used = false};

	if (unity_clip_read(parse->file, document, &options, &clip.clip, error) != 0)
		return -1;
	if (run->options->keep_going)
		anim_losses_forgive(run->options->losses);
	if (anim_buffer_append(&parse->source->clips, &clip, sizeof clip, error) != 0)
		return -1;
	return unity_id_put(parse->source, document->id, UNITY_ID_CLIP, number, error);
}

static int read_scene_document(struct parse *parse, const struct unity_document *document, struct anim_error *error)
{
	const struct unity_node *root;

	anim_arena_reset(&parse->scratch);
	if (unity_document_tree(parse->file, &parse->scratch, &root, error) != 0)
		return -1;
	return unity_scene_read(parse->run, parse->source, document, root, error);
}

/* A script that cannot be read is none that leads to clips: scripts may hold anything. */
static int read_script(struct parse *parse, const struct unity_document *document, struct anim_error *error)
{
	if (unity_id_put(parse->source, document->id, UNITY_ID_SCRIPT, 0, error) != 0)
		return -1;
	if (document->stripped || unity_players_script(parse->run, parse->source, parse->file, document, error) == 0)
		return 0;
	if (unity_file_is_broken(parse->file) ||
	    (error->code != ANIM_BAD_INPUT && error->code != ANIM_TOO_LARGE && error->code != ANIM_UNSUPPORTED))
		return -1;
	*error = (struct anim_error){0};
	return 0;
}

static int read_document(struct parse *parse, const struct unity_document *document, struct anim_error *error)
{
	if (document->class_id == UNITY_CLIP_CLASS && !document->stripped)
		return read_clip(parse, document, error);
	if (document->class_id == UNITY_SCRIPT_CLASS)
		return read_script(parse, document, error);
	if (unity_players_is(document->class_id))
		return unity_players_read(parse->run, parse->source, parse->file, document, error);
	if (unity_scene_is(document->class_id))
		return read_scene_document(parse, document, error);
	if (document->class_id == UNITY_PREFAB_INSTANCE)
		return unity_instance_read(parse->run, parse->source, parse->file, document, error);
	if (unity_kind_is(document->class_id))
		return unity_id_put(parse->source, document->id, UNITY_ID_COMPONENT, (uint32_t)document->class_id,
				    error);
	return 0;
}

/* What is wrong with a node of another file's tree costs that node alone. */
static enum anim_severity severity_of(const struct parse *parse, const struct unity_document *document)
{
	bool of_tree = unity_scene_is(document->class_id) || document->class_id == UNITY_PREFAB_INSTANCE;

	return parse->source->depth > 0 && of_tree ? ANIM_WARNING : ANIM_FAULT;
}

static int read_documents(struct parse *parse, struct anim_error *error)
{
	struct unity_document document = {0};
	int got;

	while ((got = unity_file_next(parse->file, &document, error)) != 0) {
		if (got > 0 && read_document(parse, &document, error) == 0)
			continue;
		if (unity_report(parse->run, parse->source, got < 0 ? ANIM_FAULT : severity_of(parse, &document),
				 error) != 0)
			return -1;
	}
	return 0;
}

int unity_source_read(struct unity_run *run, struct unity_source *source, struct anim_input *input,
		      struct anim_error *error)
{
	struct parse parse = {.run = run, .source = source, .base_name = run->base_name};
	int result = unity_file_open(&parse.file, input, error);

	if (result == 0 && source->depth > 0) {
		parse.base_name = anim_read_base_name(anim_path_last(source->path), &run->arena, error);
		result = parse.base_name == NULL ? -1 : 0;
	}
	if (result == 0)
		result = read_documents(&parse, error);
	unity_file_close(parse.file);
	anim_arena_clear(&parse.scratch);
	return result;
}

/* Trouble of the run, not of the file, which alone would only be warned of. */
static bool is_hard(const struct unity_run *run, const struct anim_error *error)
{
	return error->code == ANIM_NO_MEMORY || run->options->losses->faults >= ANIM_FAULTS_SHOWN;
}

static int read_input(struct unity_run *run, struct unity_source *source, struct anim_input *input,
		      struct anim_error *error)
{
	if (unity_source_read(run, source, input, error) == 0)
		return 0;
	if (is_hard(run, error))
		return -1;
	if (error->code == ANIM_SYSTEM)
		return anim_read_refused(run->options, source->shown, &run->arena, &source->why, error);
	source->why = unity_keep(run, error->message, NULL);
	if (source->why == NULL)
		return anim_fail_memory(error);
	*error = (struct anim_error){0};
	return 0;
}

static int read_file(struct unity_run *run, struct unity_source *source, struct anim_error *error)
{
	const struct anim_read_options *options = run->options;
	struct anim_input_options input_options = {0};
	struct anim_input *input = NULL;
	int fd, result = 0, got = unity_run_open(run, source->path, &fd, &source->shown, &source->why, error);

	if (got <= 0)
		return got;
	if (options->input_options != NULL)
		input_options = *options->input_options;
	input_options.name = NULL;
	if (options->opened != NULL)
		result = options->opened(options->opened_context, source->shown, error);
	if (result == 0)
		result = anim_input_open_fd(&input, fd, source->shown, &input_options, error);
	if (result == 0)
		result = read_input(run, source, input, error);
	anim_input_close(input);
	close(fd);
	return result;
}

bool unity_is_model(const char *path)
{
	static const char *const suffixes[] = {".fbx", ".glb", ".gltf", ".vrm", ".dae", ".blend", ".obj"};
	size_t length = strlen(path);

	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		size_t tail = strlen(suffixes[i]);

		if (length > tail && strcasecmp(path + length - tail, suffixes[i]) == 0)
			return true;
	}
	return false;
}

static struct unity_source *find_source(const struct unity_run *run, const char *guid)
{
	struct unity_source *source = run->sources;

	while (source != NULL && strcmp(source->guid, guid) != 0)
		source = source->next;
	return source;
}

/* Why other files are not looked for. */
#define CLIPS "clips and controllers of other files are not looked for: "
#define PREFABS "prefabs are not looked for, their nodes are missing or called ?ID: "
#define REASON(text)                           \
	{                                      \
		text, CLIPS text, PREFABS text \
	}
static const struct {
	const char *why, *clips, *prefabs;
} reasons[] = {REASON("other files are not followed"), REASON("what comes from a pipe has no folder to look in"),
	       REASON("files name further files too deep"), REASON("too many other files are named"),
	       REASON("there are too many folders or .meta files")};
enum { NOT_FOLLOWED, FROM_A_PIPE, TOO_DEEP, TOO_MANY, TOO_MANY_METAS, REASONS };

/* NULL where it is. */
static const char *why_not(const struct unity_run *run, const struct unity_source *from)
{
	if (run->options->no_external)
		return reasons[NOT_FOLLOWED].why;
	if (run->is_pipe || run->assets.project.folder == NULL)
		return reasons[FROM_A_PIPE].why;
	if (from->depth >= ANIM_EXTERNAL_DEPTH)
		return reasons[TOO_DEEP].why;
	return run->files >= ANIM_EXTERNAL_FILES ? reasons[TOO_MANY].why : NULL;
}

const char *unity_many_clips(const char *why)
{
	for (size_t i = 0; i < REASONS; i++)
		if (reasons[i].why == why)
			return reasons[i].clips;
	return NULL;
}

const char *unity_many_prefabs(const char *why)
{
	for (size_t i = 0; i < REASONS; i++)
		if (reasons[i].why == why)
			return reasons[i].prefabs;
	return NULL;
}

const char *unity_where(const struct unity_run *run, const char **clips)
{
#define WHERE(text)                                                  \
	{                                                            \
		text, "clips and controllers are not in files " text \
	}
	static const struct {
		const char *where, *clips;
	} roots[] = {[UNITY_ROOT_PROJECT] = WHERE("below the project"),
		     [UNITY_ROOT_PACKAGE] = WHERE("in the package"),
		     [UNITY_ROOT_FOLDER] = WHERE("beside or below it, and no project is above")};

	*clips = roots[run->assets.root].clips;
	return roots[run->assets.root].where;
}

static struct unity_source *add_source(struct unity_run *run, const struct unity_source *from, const char *guid,
				       const char *path, struct anim_error *error)
{
	struct unity_source *source = anim_arena_zeroed(&run->arena, 1, sizeof *source, error);

	if (source == NULL)
		return NULL;
	memcpy(source->guid, guid, sizeof source->guid);
	source->path = path;
	source->depth = from->depth + 1;
	source->next = run->sources->next;
	run->sources->next = source;
	run->files++;
	return source;
}

/* A guid that is found nowhere may stand in what the system did not let us read: 0 *why, -1. */
static int say_refused(struct unity_run *run, const struct unity_source *from, const char **why,
		       struct anim_error *error)
{
	const struct unity_assets *assets = &run->assets;
	const char *shown = anim_path_join(&run->arena, assets->project.shown_folder, assets->refused_path, error);

	if (shown == NULL)
		return -1;
	errno = assets->refused;
	anim_fail_system(error, "what it names may be in '%.300s', which cannot be read", shown);
	return anim_read_refused(run->options, from->shown, &run->arena, why, error);
}

int unity_source_find(struct unity_run *run, struct unity_source *from, const char *guid, struct unity_source **out,
		      const char **path, const char **why, struct anim_error *error)
{
	int got;

	*path = *why = NULL;
	*out = guid[0] == '\0' || strcmp(guid, from->guid) == 0 ? from : find_source(run, guid);
	if (*out == from)
		return 1;
	if (*out == NULL) {
		*why = why_not(run, from);
		got = *why != NULL ? 0 : unity_assets_find(&run->assets, guid, path, error);
		if (got == 0 && *why == NULL && run->assets.refused != 0)
			return say_refused(run, from, why, error);
		if (got == 0 && *why == NULL && run->assets.truncated)
			*why = reasons[TOO_MANY_METAS].why;
		if (got <= 0)
			return got;
		*out = add_source(run, from, guid, *path, error);
		if (*out == NULL || read_file(run, *out, error) != 0)
			return -1;
	}
	*path = (*out)->path != NULL ? (*out)->path : anim_path_last((*out)->shown);
	*why = (*out)->reading ? "the files name each other in a ring" : (*out)->why;
	return *why == NULL;
}
