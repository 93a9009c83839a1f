/* read.c: anim_unity_read: one file, and those it leads to, into the sink: the tree, then the clips. */
#include <stdio.h>
#include <string.h>

#include "format/unity/read_run.h"
#include "format/unity/unity.h"

static int set_attr(struct anim_clip *clip, const char *key, const char *value, struct anim_arena *arena,
		    struct anim_error *error)
{
	const struct anim_attrs before = clip->attrs;

	return value == NULL ? 0 : anim_attrs_with(&clip->attrs, &before, key, value, arena, error);
}

/* What the player says of the clip: where it stands, what it animates; a legacy clip may leave the loop to it. */
static int add_player(struct unity_run *run, const struct unity_cue *cue, const struct unity_clip *from,
		      struct anim_clip *clip, struct anim_arena *arena, struct anim_error *error)
{
	const struct unity_source *source = run->sources;
	const char *path = unity_scene_path(run, source, cue->player->object, error);

	clip->root = unity_scene_path(run, source, cue->object, error);
	if (path == NULL || clip->root == NULL)
		return -1;
	if (from->legacy && from->wrap == 0)
		clip->loop = (uint8_t)unity_loop_of_wrap(cue->player->wrap);
	return set_attr(clip, "player", path, arena, error);
}

/*
 * Siblings may share a name, and so the paths of what plays on them: nothing tells fifty coins apart that turn by one clip,
 * so that it counts once. 1: it was written before for this path, 0: not, -1.
 */
static int is_written(struct unity_run *run, struct anim_map *written, const struct unity_clip *from,
		      const struct anim_clip *clip, struct anim_error *error)
{
	const char *player = anim_attrs_get(&clip->attrs, "player");
	size_t size = strlen(player) + strlen(clip->root) + 3;
	char *key = anim_arena_alloc(&run->arena, size, error);
	uint32_t number;

	if (key == NULL)
		return -1;
	snprintf(key, size, "%s/%s%c", player, clip->root, '0' + clip->loop);
	if (anim_map_get(written, from->clip, key, size, &number))
		return 1;
	return anim_map_put(written, from->clip, key, size, 0, error);
}

static int write_clip(struct unity_run *run, const struct unity_cue *cue, struct anim_map *written,
		      struct anim_arena *arena, struct anim_sink *sink, struct anim_error *error)
{
	const struct unity_clip *from = &unity_source_clip(cue->source, cue->clip)->clip;
	struct anim_clip clip = from->head;
	int got = 0;

	clip.root = ".";
	if (unity_scene_has_tree(&run->sources->scene))
		clip.flags |= ANIM_IN_TREE;
	if (set_attr(&clip, "file", cue->source->path, arena, error) != 0)
		return -1;
	if (cue->player != NULL && add_player(run, cue, from, &clip, arena, error) != 0)
		return -1;
	if (cue->player != NULL)
		got = is_written(run, written, from, &clip, error);
	return got != 0 ? (got < 0 ? -1 : 0) : anim_store_replay(run->store, from->clip, &clip, sink, error);
}

static int write_clips(struct unity_run *run, const struct anim_buffer *cues, struct anim_sink *sink,
		       struct anim_error *error)
{
	const struct unity_cue *cue = (const struct unity_cue *)cues->data;
	size_t count = cues->size / sizeof *cue;
	struct anim_arena arena = {0};
	struct anim_map written = {0};
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		anim_arena_reset(&arena);
		result = write_clip(run, &cue[i], &written, &arena, sink, error);
	}
	anim_map_clear(&written);
	anim_arena_clear(&arena);
	return result;
}

/* Faults that cannot be left out end the run; they were reported one by one. */
static int check_faults(const struct unity_run *run, struct anim_error *error)
{
	size_t faults = run->options->losses->faults;

	if (faults == 0)
		return 0;
	anim_fail(error, ANIM_BAD_INPUT, "%zu fault%s", faults, faults == 1 ? "" : "s");
	return anim_error_in_file(error, run->sources->shown);
}

static int write_all(struct unity_run *run, const char *file, struct anim_sink *sink, struct anim_error *error)
{
	struct unity_source *source = run->sources;
	struct anim_buffer cues = {0};
	bool named = false;
	int result = unity_scene_merge(run, source, error);

	if (result == 0)
		result = unity_players_cues(run, source, &cues, &named, error);
	if (result == 0)
		result = check_faults(run, error);
	if (result == 0 && cues.size == 0 && source->clips.size == 0 && !named)
		result = unity_say(run, source, ANIM_WARNING, 0, NULL, error, "no animation in this file");
	if (result == 0 && unity_scene_has_tree(&source->scene))
		result = unity_scene_write(run, source, file, sink, error);
	if (result == 0)
		result = write_clips(run, &cues, sink, error);
	anim_buffer_clear(&cues);
	return result;
}

static int find_project(struct unity_run *run, const struct anim_input *input, struct anim_error *error)
{
	struct anim_location location;

	if (anim_locate(&location, input, &run->arena, error) != 0)
		return -1;
	if (location.real != NULL)
		unity_assets_guid_of(location.real, run->sources->guid);
	return unity_assets_init(&run->assets, &location, &run->arena, error);
}

static int read_main(struct unity_run *run, struct anim_input *input, struct anim_error *error)
{
	struct unity_source *source = run->sources;

	source->shown = anim_input_name(input);
	run->is_pipe = anim_input_is_pipe(input);
	run->base_name = anim_read_base_name(anim_read_source_file(run->options, input), &run->arena, error);
	if (run->base_name == NULL || (!run->options->no_external && find_project(run, input, error) != 0))
		return anim_error_in_file(error, source->shown);
	if (unity_source_read(run, source, input, error) != 0)
		return anim_error_in_file(error, source->shown);
	return check_faults(run, error);
}

static void clear_run(struct unity_run *run)
{
	for (struct unity_source *source = run->sources; source != NULL; source = source->next)
		unity_source_clear(source);
	unity_run_clear_sheets(run);
	anim_map_clear(&run->lost);
	unity_assets_clear(&run->assets);
	anim_store_free(run->store);
	anim_arena_clear(&run->arena);
}

int anim_unity_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		    struct anim_error *error)
{
	struct unity_source source = {0};
	struct unity_run run = {.options = options, .sources = &source};
	int result = -1;

	run.store = anim_store_new(options->store_memory, error);
	if (run.store != NULL)
		result = read_main(&run, input, error);
	if (result == 0)
		result = write_all(&run, anim_read_source_file(options, input), sink, error);
	clear_run(&run);
	return result;
}
