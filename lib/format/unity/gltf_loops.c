/* gltf_loops.c: the loops that import settings of UnityGLTF, a package, give to the clips of a glTF file. */
#include "format/unity/unity.h"

#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "format/unity/run.h"

#define UNITY_GLTF "804e1ce4c496647cfa3f1a1134187c71" /* the guid of the script that imports */

/* A sink that sets the loops of clips. */
struct looping {
	struct anim_sink sink;
	struct anim_sink *next;
	struct unity_run *run;
	bool is_known; /* the settings belong to UnityGLTF, and make clips */
	int64_t loops, per_clip;
	struct anim_map clips; /* (0, name) -> whether the clip loops */
};

static bool is_wanted(void *context, const char *name)
{
	(void)context;
	return anim_text_is_word("script _importAnimations _animationLoopTime _animationLoopSettingsPerClip animations",
				 name);
}

static int read_field(struct looping *at, const struct unity_field *field)
{
	const struct unity_node *node = field->node;
	struct unity_reference script;
	int64_t number = 0;

	if (field->is_item && strcmp(field->name, "animations") == 0) {
		const char *name = unity_keep(at->run, unity_text(node, "name", ""));

		(void)unity_int64(node, "loopTime", &number, NULL);
		return name == NULL ? -1 : anim_map_put(&at->clips, 0, name, strlen(name), number != 0, at->run->error);
	}
	if (strcmp(field->name, "script") == 0) {
		at->is_known = unity_reference_read(node, &script, NULL) > 0 && strcmp(script.guid, UNITY_GLTF) == 0;
		return 0;
	}
	if (field->is_item || !unity_parse_id(node->text, node->length, &number))
		return 0;
	if (strcmp(field->name, "_importAnimations") == 0)
		at->is_known = at->is_known && number != 0;
	else if (strcmp(field->name, "_animationLoopTime") == 0)
		at->loops = number;
	else if (strcmp(field->name, "_animationLoopSettingsPerClip") == 0)
		at->per_clip = number;
	return 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct looping *at = (struct looping *)sink;
	struct anim_clip changed = *clip;
	uint32_t loops;

	if (at->per_clip == 0 || !anim_map_get(&at->clips, 0, clip->name, strlen(clip->name), &loops))
		loops = at->loops != 0;
	changed.loop = loops != 0 ? ANIM_LOOP_WRAP : ANIM_LOOP_NONE;
	if (changed.loop != clip->loop)
		changed.record = NULL;
	return anim_sink_clip(at->next, &changed, error);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return anim_sink_tree(((struct looping *)sink)->next, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(((struct looping *)sink)->next, node, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(((struct looping *)sink)->next, track, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return anim_sink_record(((struct looping *)sink)->next, record, error);
}

static const struct anim_sink_ops ops = {
    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .record = on_record};

/* Read the settings. Settings with a fault give a warning and count as missing. Returns 0 or -1. */
static int find_settings(struct looping *at, const struct anim_input *input)
{
	struct unity_run *run = at->run;
	struct unity_opened opened = {.fd = -1};
	struct unity_meta_file meta = {.file = NULL};
	struct anim_arena scratch = {0};
	struct unity_document document;
	struct unity_field field;
	int got = unity_settings_open(run, input, &opened);

	if (got > 0) {
		run->sources->shown = unity_keep(run, anim_input_name(opened.input));
		got = run->sources->shown == NULL ? -1 : 1;
	}
	if (got > 0)
		got = unity_meta_open(&meta, opened.input, "ScriptedImporter", run->error);
	if (got > 0)
		got = unity_file_next(meta.file, &document);
	if (got > 0)
		unity_clip_want(meta.file, is_wanted, at);
	while (got > 0 && (got = unity_clip_next(meta.file, &scratch, &field)) > 0) {
		if (read_field(at, &field) != 0)
			got = -1;
		anim_arena_reset(&scratch);
	}
	anim_arena_clear(&scratch);
	unity_meta_close(&meta);
	unity_asset_close(&opened);
	if (got < 0 && anim_error_is_of_input(run->error)) {
		at->is_known = false;
		got = unity_say(run, run->sources, ANIM_WARNING, run->error->line, NULL,
				"import settings are not used: %s", run->error->message);
		if (got == 0)
			*run->error = (struct anim_error){0};
	}
	return got < 0 ? -1 : 0;
}

int anim_unity_gltf_read(struct anim_input *input, const struct anim_read_options *options,
			 const struct anim_read_other *other, struct anim_sink *sink, struct anim_error *error)
{
	struct unity_source source = {.depth = 1};
	struct unity_run run = {.options = options, .error = error, .sources = &source};
	struct looping at = {.sink = {.ops = &ops}, .next = sink, .run = &run};
	int result = options->no_external || anim_input_is_pipe(input) ? 0 : find_settings(&at, input);

	if (result == 0)
		result = at.is_known ? other->read(input, options, &at.sink, error) : 1;
	anim_map_clear(&at.clips);
	anim_arena_clear(&run.arena);
	return result;
}
