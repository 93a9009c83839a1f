/* read.c: read one file, and the files that it leads to, into the sink: the tree, then the clips. */
#include "format/unity/unity.h"

#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "base/text.h"
#include "format/unity/graph.h"
#include "format/unity/model.h"
#include "format/unity/names.h"
#include "format/unity/package.h"
#include "format/unity/run.h"

/* ---- Recognising a file ---- */

bool anim_unity_is(const uint8_t *bytes, size_t size)
{
	const uint8_t *at = bytes, *end = bytes + size;

	if (anim_bytes_begin(at, (size_t)(end - at), "\xef\xbb\xbf"))
		at += 3;
	/* lines that may come before the first document: directives, comments, blank lines */
	while (at < end && (*at == '%' || *at == '#' || *at == '\r' || *at == '\n' ||
			    anim_bytes_begin(at, (size_t)(end - at), "..."))) {
		if (anim_bytes_begin(at, (size_t)(end - at), "%TAG !u! tag:unity3d.com") ||
		    anim_bytes_begin(at, (size_t)(end - at), "%YAML 1.1"))
			return true;
		at = memchr(at, '\n', (size_t)(end - at));
		if (at == NULL)
			return false;
		at++;
	}
	return anim_bytes_begin(at, (size_t)(end - at), "--- !u!") || unity_bytes_are_model(at, (size_t)(end - at));
}

/* ---- Contents other than clips ---- */

#define KINDS_MAX 6
#define NAME_SIZE 40

/* Documents by the names of their classes. Those beyond the last place are counted together. */
struct document_counts {
	struct {
		char name[NAME_SIZE];
		size_t count;
	} kinds[KINDS_MAX];
	size_t kind_count, others, clips;
};

static void count(struct document_counts *documents, const char *name, size_t length)
{
	size_t i = 0;

	if (length >= NAME_SIZE)
		length = NAME_SIZE - 1;
	while (i < documents->kind_count &&
	       (strncmp(documents->kinds[i].name, name, length) != 0 || documents->kinds[i].name[length] != '\0'))
		i++;
	if (i == documents->kind_count && i == KINDS_MAX) {
		documents->others++;
		return;
	}
	if (i == documents->kind_count) {
		memcpy(documents->kinds[i].name, name, length);
		documents->kind_count++;
	}
	documents->kinds[i].count++;
}

int anim_unity_describe(struct anim_input *input, size_t store_memory, struct anim_held *held, struct anim_error *error)
{
	struct anim_lines lines = {.input = input};
	struct document_counts documents = {.clips = 0};
	size_t capacity, total, used;
	bool head = false;
	int got;

	(void)store_memory; /* nothing is stored */
	/* Count documents: "--- !u!74 &7400000", then "AnimationClip:", which names the class. */
	while ((got = anim_lines_next(&lines, error)) > 0) {
		size_t length = (size_t)(lines.end - lines.at);
		const char *colon = memchr(lines.at, ':', length);

		if (head && anim_bytes_begin(lines.at, length, "AnimationClip:"))
			documents.clips++;
		else if (head)
			count(&documents, lines.at, (size_t)((colon == NULL ? lines.end : colon) - lines.at));
		head = anim_bytes_begin(lines.at, length, "--- ");
	}
	if (got != 0)
		return -1;
	if (documents.clips + documents.kind_count == 0)
		snprintf(held->text, sizeof held->text, "Unity YAML without a clip");
	capacity = sizeof held->text;
	total = documents.kind_count + (documents.others > 0);
	used = 0;
	for (size_t i = 0; i < total && used < capacity; i++) {
		const char *between = i == 0 ? "" : i + 1 == total ? " and " : ", ";
		bool other = i == documents.kind_count;
		size_t number = other ? documents.others : documents.kinds[i].count;

		used += (size_t)snprintf(held->text + used, capacity - used, "%s%zu %s%s", between, number,
					 other ? "more" : documents.kinds[i].name, other || number == 1 ? "" : "s");
	}
	held->clips = documents.clips;
	return 0;
}

/* ---- The run ---- */

static int set_attr(struct anim_clip *clip, const char *key, const char *value, struct anim_arena *arena,
		    struct anim_error *error)
{
	const struct anim_attrs before = clip->attrs;

	return value == NULL ? 0 : anim_attrs_with(&clip->attrs, &before, key, value, arena, error);
}

/*
 * Return the path of a GameObject in the written tree, in the run's arena, or "." if it is not there. NULL if out of
 * memory.
 */
static const char *scene_path(struct unity_run *run, const struct unity_source *source, int64_t object)
{
	const struct unity_object *from = unity_object_of(source, object);
	struct anim_buffer ancestors = {0}, path = {0};
	uint32_t at;
	char made[UNITY_NAME_MADE];
	const char *kept = ".";
	int result = 0;

	if (from == NULL || from->transform == UNITY_NONE ||
	    unity_transform_at(&source->scene, from->transform)->number == UNITY_NONE)
		return kept;
	/* List the node and its ancestors, up to the children of the root. */
	at = from->transform;
	while (unity_transform_at(&source->scene, at)->number != 0) {
		result = anim_buffer_append(&ancestors, &at, sizeof at, run->error);
		if (result != 0 ||
		    !unity_id_get(source, unity_transform_at(&source->scene, at)->parent, UNITY_ID_TRANSFORM, &at))
			break;
	}
	for (size_t i = ancestors.size / sizeof at; i-- > 0 && result == 0;) {
		const char *name = unity_transform_name(
		    source, unity_transform_at(&source->scene, ((uint32_t *)ancestors.data)[i]), made);

		if (path.size > 0)
			result = anim_buffer_append(&path, "/", 1, run->error);
		if (result == 0)
			result = anim_buffer_append(&path, name, strlen(name), run->error);
	}
	if (result == 0 && path.size > 0)
		kept = anim_arena_text(&run->arena, (const char *)path.data, path.size, run->error);
	anim_buffer_clear(&ancestors);
	anim_buffer_clear(&path);
	return result == 0 ? kept : NULL;
}

/* Write a clip with the data of its player: its path, and the object that it animates. Returns 0 or -1. */
static int write_clip(struct unity_run *run, const struct unity_cue *cue, struct anim_map *written,
		      struct anim_arena *arena, struct anim_sink *sink)
{
	const struct unity_clip *from = &unity_source_clip_at(cue->source, cue->clip)->clip;
	const struct unity_player *player = cue->player;
	struct anim_clip clip = from->head;
	const char *path, *key;
	uint32_t number;

	clip.root = ".";
	if (!run->own_clips && unity_scene_has_tree(&run->sources->scene))
		clip.flags |= ANIM_IN_TREE;
	if (anim_attrs_get(&clip.attrs, "file") == NULL &&
	    set_attr(&clip, "file", cue->source->path, arena, run->error) != 0)
		return -1;
	if (player != NULL) {
		path = scene_path(run, run->sources, player->object);
		clip.root = scene_path(run, run->sources, cue->object);
		if (path == NULL || clip.root == NULL)
			return -1;
		if (from->legacy && from->wrap == 0)
			clip.loop = (uint8_t)unity_loop_of_wrap(player->wrap);
		if (set_attr(&clip, "player", path, arena, run->error) != 0)
			return -1;
		/*
		 * Siblings may have the same name, and therefore the same paths for their players. For example, fifty
		 * coins that rotate by one clip cannot be distinguished, so the clip is written once.
		 */
		key = anim_arena_printf(&run->arena, run->error, "%s/%s%c", path, clip.root, '0' + clip.loop);
		if (key == NULL)
			return -1;
		if (anim_map_get(written, from->clip, key, strlen(key), &number))
			return 0;
		if (anim_map_put(written, from->clip, key, strlen(key), 0, run->error) != 0)
			return -1;
	}
	return anim_store_replay(run->store, from->clip, &clip, sink, run->error);
}

static int write_clips(struct unity_run *run, const struct anim_buffer *cues, struct anim_sink *sink)
{
	const struct unity_cue *cue = (const struct unity_cue *)cues->data;
	size_t count = cues->size / sizeof *cue;
	struct anim_arena arena = {0};
	struct anim_map written = {0};
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		anim_arena_reset(&arena);
		result = write_clip(run, &cue[i], &written, &arena, sink);
	}
	anim_map_clear(&written);
	anim_arena_clear(&arena);
	return result;
}

/* Fail if faults remain. They were already reported one by one. */
static int check_faults(const struct unity_run *run)
{
	size_t faults = run->options->diagnostics->faults;

	if (faults == 0)
		return 0;
	anim_fail(run->error, ANIM_BAD_INPUT, "%zu fault%s", faults, faults == 1 ? "" : "s");
	return anim_error_in_file(run->error, run->sources->shown);
}

/* Write the tree and the clips, or only the clips in the run's own file, without its nodes. Returns 0 or -1. */
static int write_all(struct unity_run *run, const char *file, struct anim_sink *sink)
{
	struct unity_source *source = run->sources;
	struct anim_buffer cues = {0};
	bool named = false;
	int result;

	if (run->own_clips) {
		result = unity_list_unused_clips(run, source, &cues);
		if (result == 0)
			result = write_clips(run, &cues, sink);
		anim_buffer_clear(&cues);
		return result;
	}
	result = unity_avatar_tree(run, source);
	if (result == 0)
		result = unity_scene_merge(run, source);
	if (result == 0)
		result = unity_list_cues(run, source, &cues, &named);
	if (result == 0)
		result = unity_avatars_of_players(run, source);
	if (result == 0)
		result = check_faults(run);
	/* an Avatar is a skeleton, which needs no animation */
	if (result == 0 && cues.size == 0 && source->clips.size == 0 && !named && source->avatars.size == 0)
		result = unity_say(run, source, ANIM_WARNING, 0, NULL, "no animation in this file");
	if (result == 0 && unity_scene_has_tree(&source->scene))
		result = unity_scene_write(run, source, file, sink);
	if (result == 0)
		result = write_clips(run, &cues, sink);
	anim_buffer_clear(&cues);
	return result;
}

static void clear_run(struct unity_run *run)
{
	for (struct unity_source *source = run->sources; source != NULL; source = source->next) {
		struct unity_scene *scene = &source->scene;
		struct unity_avatar **avatars = (struct unity_avatar **)(void *)source->avatars.data;

		for (size_t i = 0; i < source->avatars.size / sizeof *avatars; i++)
			anim_map_clear(&avatars[i]->by_bone);
		anim_buffer_clear(&source->avatars);
		unity_model_clear(source->model);
		anim_map_clear(&source->ids);
		anim_buffer_clear(&source->clips);
		anim_buffer_clear(&source->players.links);
		anim_buffer_clear(&source->players.placements);
		anim_buffer_clear(&source->players.players);
		anim_buffer_clear(&scene->objects);
		anim_buffer_clear(&scene->transforms);
		anim_buffer_clear(&scene->instances);
		anim_buffer_clear(&scene->roots);
		anim_buffer_clear(&scene->stand_in_ids);
		anim_map_clear(&scene->stand_ins);
	}
	unity_assets_forget(run);
	anim_map_clear(&run->lost);
	anim_store_free(run->store);
	anim_arena_clear(&run->arena);
}

/* Read the run's own file, and push its contents. `file`: its name in the tree. Returns 0 or -1. */
static int do_run(struct unity_run *run, struct anim_input *input, const char *file, struct anim_sink *sink)
{
	struct unity_source *source = run->sources;
	int result = -1;

	run->store = anim_store_new(run->options->store_memory, run->error);
	if (run->store != NULL) {
		source->shown = anim_input_name(input);
		run->is_pipe = anim_input_is_pipe(input);
		run->base_name =
		    anim_read_base_name(anim_read_source_file(run->options, input), &run->arena, run->error);
		if (run->base_name == NULL ||
		    (!run->options->no_external && run->assets.package == NULL &&
		     unity_project_find(run, input) != 0) ||
		    unity_source_read(run, source, input) != 0)
			result = anim_error_in_file(run->error, source->shown);
		else
			result = check_faults(run);
	}
	if (result == 0)
		result = write_all(run, file, sink);
	clear_run(run);
	return result;
}

/* The file is read twice: for its clips, and for the graph. */
int anim_unity_graph(struct anim_input *input, const struct anim_read_options *options, struct anim_graph *graph,
		     struct anim_error *error)
{
	struct unity_source source = {0};
	struct unity_run run = {.options = options, .error = error, .sources = &source, .is_graph = true};
	struct anim_buffer text = {0};
	struct anim_input *first = NULL, *second = NULL;
	int result = -1;

	source.shown = anim_input_name(input);
	run.is_pipe = anim_input_is_pipe(input);
	run.base_name = anim_read_base_name(anim_read_source_file(options, input), &run.arena, error);
	run.store = anim_store_new(options->store_memory, error);
	if (run.base_name != NULL && run.store != NULL &&
	    (options->no_external || unity_project_find(&run, input) == 0) &&
	    unity_text_read(input, &text, error) == 0 &&
	    anim_input_open_memory(&first, text.data, text.size, source.shown, error) == 0 &&
	    anim_input_open_memory(&second, text.data, text.size, source.shown, error) == 0 &&
	    unity_source_read(&run, &source, first) == 0 && check_faults(&run) == 0)
		result = unity_graph_read(&run, &source, second, graph);
	anim_input_close(first);
	anim_input_close(second);
	anim_buffer_clear(&text);
	clear_run(&run);
	return result < 0 ? anim_error_in_file(error, anim_input_name(input)) : result;
}

int anim_unity_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		    struct anim_error *error)
{
	struct unity_source source = {0};
	struct unity_run run = {.options = options, .error = error, .sources = &source};

	return do_run(&run, input, anim_read_source_file(options, input), sink);
}

int unity_settings_open(struct unity_run *run, const struct anim_input *input, struct unity_opened *meta)
{
	const char *shown = anim_arena_printf(&run->arena, run->error, "%s" UNITY_META, anim_input_name(input));
	const char *real, *why;
	int found = shown == NULL ? -1 : anim_path_real(&run->arena, shown, &real, run->error);

	if (found <= 0)
		return found;
	meta->fd = anim_open_regular(real, &why);
	return meta->fd < 0 ? 0 : anim_read_open(run->options, meta->fd, shown, &meta->input, run->error) != 0 ? -1 : 1;
}

/*
 * Read the settings of a model from its .meta file. Settings with a fault give a warning and count as missing. Returns 1, 0 if
 * they make no clips, or -1.
 */
static int read_settings(struct unity_run *run, struct anim_input *meta)
{
	struct unity_source *source = run->sources;
	int got = unity_meta_is(meta, run->error);

	if (got <= 0)
		return got;
	source->shown = unity_keep(run, anim_input_name(meta));
	if (source->shown == NULL)
		return -1;
	source->depth = 1; /* its faults are warnings */
	got = unity_source_read(run, source, meta);
	source->depth = 0;
	if (got == 0)
		return unity_model_has_clips(source);
	if (!anim_error_is_of_input(run->error) ||
	    unity_say(run, source, ANIM_WARNING, run->error->line, NULL, "import settings are not used: %s",
		      run->error->message) != 0)
		return -1;
	*run->error = (struct anim_error){0};
	return 0;
}

int anim_unity_model_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
			  struct anim_error *error)
{
	struct unity_source source = {0};
	struct unity_run run = {.options = options, .error = error, .sources = &source};
	struct unity_opened meta = {.fd = -1};
	const char *file = anim_read_source_file(options, input);
	int got = options->no_external || anim_input_is_pipe(input) ? 0 : 1;

	if (got > 0 && (run.base_name = anim_read_base_name(file, &run.arena, error)) == NULL)
		got = -1;
	if (got > 0)
		got = unity_settings_open(&run, input, &meta);
	if (got > 0 && unity_project_find(&run, input) != 0)
		got = -1;
	if (got > 0)
		got = read_settings(&run, meta.input);
	unity_asset_close(&meta);
	if (got > 0)
		got = unity_model_write(&run, &source, input, file, sink) != 0 ? -1 : 1;
	clear_run(&run);
	return got < 0 ? -1 : got == 0;
}

int unity_asset_read_model(struct unity_package *package, const struct unity_package_item *item,
			   struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
			   struct anim_error *error)
{
	struct unity_source source = {0};
	struct unity_run run = {.options = options,
				.error = error,
				.sources = &source,
				.assets = {.package = package, .root = UNITY_ROOT_PACKAGE}};
	struct anim_input *meta = NULL;
	const char *shown = unity_package_shown(package, item->path, &run.arena, error);
	int got = shown == NULL ? -1 : item->meta.is_kept;

	memcpy(source.guid, item->guid, sizeof source.guid);
	if (got > 0)
		shown = anim_arena_printf(&run.arena, error, "%s" UNITY_META, shown);
	run.base_name = anim_read_base_name(anim_path_last(item->path), &run.arena, error);
	if (shown == NULL || run.base_name == NULL)
		got = -1;
	if (got > 0)
		got = unity_package_open(package, &item->meta, shown, options->input_options, &meta, error) != 0
			  ? -1
			  : read_settings(&run, meta);
	if (got > 0)
		got = unity_model_write(&run, &source, input, item->path, sink) != 0 ? -1 : 1;
	anim_input_close(meta);
	clear_run(&run);
	return got < 0 ? -1 : got == 0;
}

int unity_asset_read(struct unity_package *package, const struct unity_package_item *item, bool own_clips,
		     const struct anim_read_options *options, struct anim_sink *sink, struct anim_error *error)
{
	struct anim_read_options named = *options;
	struct unity_source source = {0};
	struct unity_run run = {.options = &named,
				.error = error,
				.sources = &source,
				.assets = {.package = package, .root = UNITY_ROOT_PACKAGE},
				.own_clips = own_clips};
	struct anim_arena arena = {0};
	struct anim_input *input = NULL;
	const char *shown = unity_package_shown(package, item->path, &arena, error);
	int result = shown == NULL ? -1
				   : unity_package_open(package, unity_package_part_of(item), shown,
							options->input_options, &input, error);

	memcpy(source.guid, item->guid, sizeof source.guid);
	named.source_name = anim_path_last(item->path);
	if (result == 0 && anim_diagnostics_enter(options->diagnostics, shown, NULL, error) == NULL)
		result = -1;
	if (result == 0)
		result = do_run(&run, input, item->path, sink);
	anim_input_close(input);
	anim_arena_clear(&arena);
	return result;
}
