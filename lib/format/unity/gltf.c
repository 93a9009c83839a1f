/* gltf.c: import settings of glTF files, which packages for Unity read. */
#include "format/unity/gltf.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

/* ---- Settings ---- */

static bool is_wanted(void *context, const char *name)
{
	(void)context;
	return anim_text_is_word("script _importAnimations _animationLoopTime _animationLoopSettingsPerClip animations "
				 "_removeEmptyRootObjects _scaleFactor importSettings animationMethod",
				 name);
}

static int read_field(struct unity_run *run, struct unity_gltf *gltf, const struct unity_field *field)
{
	const struct unity_node *node = field->node;
	struct unity_reference script;
	int64_t number = 0;

	if (field->is_item && strcmp(field->name, "animations") == 0) {
		const char *name = unity_keep(run, unity_text(node, "name", ""));

		(void)unity_int64(node, "loopTime", &number, NULL);
		return name == NULL ? -1 : anim_map_put(&gltf->clips, 0, name, strlen(name), number != 0, run->error);
	}
	if (strcmp(field->name, "script") == 0) {
		if (unity_reference_read(node, &script, NULL) > 0)
			gltf->package =
			    strcmp(script.guid, "804e1ce4c496647cfa3f1a1134187c71") == 0   ? UNITY_GLTF_KHRONOS
			    : strcmp(script.guid, "715df9372183c47e389bb6e19fbc3b52") == 0 ? UNITY_GLTF_FAST
											   : UNITY_GLTF_OTHER;
		return 0;
	}
	if (strcmp(field->name, "_scaleFactor") == 0) {
		if (unity_number_float(node->text, node->text + node->length, &gltf->scale) == NULL ||
		    !isfinite(gltf->scale) || gltf->scale <= 0)
			gltf->scale = 1;
		return 0;
	}
	if (field->is_item || !unity_parse_id(node->text, node->length, &number))
		return 0;
	if (strcmp(field->name, "_importAnimations") == 0 || strcmp(field->name, "animationMethod") == 0)
		gltf->method = number;
	else if (strcmp(field->name, "_animationLoopTime") == 0)
		gltf->loops = number != 0;
	else if (strcmp(field->name, "_animationLoopSettingsPerClip") == 0)
		gltf->loops_by_clip = number != 0;
	else if (strcmp(field->name, "_removeEmptyRootObjects") == 0)
		gltf->drops_roots = number != 0;
	return 0;
}

int unity_gltf_read(struct unity_run *run, struct anim_input *input, struct unity_gltf *gltf)
{
	struct unity_meta_file meta;
	struct anim_arena scratch = {0};
	struct unity_document document;
	struct unity_field field;
	int got = unity_meta_open(&meta, input, "ScriptedImporter", run->error);

	*gltf = (struct unity_gltf){.method = UNITY_GLTF_GENERIC, .scale = 1};
	if (got > 0)
		got = unity_file_next(meta.file, &document);
	if (got > 0) {
		unity_clip_want(meta.file, is_wanted, NULL);
		unity_clip_enter(meta.file, "importSettings");
	}
	while (got > 0 && (got = unity_clip_next(meta.file, &scratch, &field)) > 0) {
		if (read_field(run, gltf, &field) != 0)
			got = -1;
		anim_arena_reset(&scratch);
	}
	/* glTFast makes clips that loop, and keeps all nodes */
	if (gltf->package == UNITY_GLTF_FAST)
		gltf->loops = true;
	anim_arena_clear(&scratch);
	unity_meta_close(&meta);
	return got < 0 ? -1 : 0;
}

bool unity_gltf_loops(const struct unity_gltf *gltf, const char *clip)
{
	uint32_t loops;

	return gltf->loops_by_clip && anim_map_get(&gltf->clips, 0, clip, strlen(clip), &loops) ? loops != 0
												: gltf->loops;
}

/* ---- A file that is read itself ---- */

/* A sink that sets the loops of clips. */
struct looping {
	struct anim_sink sink;
	struct anim_sink *next;
	struct unity_gltf settings;
};

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct looping *at = (struct looping *)sink;
	struct anim_clip changed = *clip;

	changed.loop = unity_gltf_loops(&at->settings, clip->name) ? ANIM_LOOP_WRAP : ANIM_LOOP_NONE;
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

/* Read the settings. Settings with a fault give a warning and count as missing. Returns 1, 0 without settings, or -1. */
static int find_settings(struct unity_run *run, const struct anim_input *input, struct unity_gltf *gltf)
{
	struct unity_opened opened = {.fd = -1};
	int got = unity_settings_open(run, input, &opened);

	if (got > 0) {
		run->sources->shown = unity_keep(run, anim_input_name(opened.input));
		got = run->sources->shown == NULL || unity_gltf_read(run, opened.input, gltf) != 0
			  ? -1
			  : gltf->package != UNITY_GLTF_OTHER && gltf->method != UNITY_GLTF_NO_CLIPS;
	}
	unity_asset_close(&opened);
	if (got >= 0 || !anim_error_is_of_input(run->error))
		return got;
	if (unity_say(run, run->sources, ANIM_WARNING, run->error->line, NULL, "import settings are not used: %s",
		      run->error->message) != 0)
		return -1;
	*run->error = (struct anim_error){0};
	return 0;
}

int anim_unity_gltf_read(struct anim_input *input, const struct anim_read_options *options,
			 const struct anim_read_other *other, struct anim_sink *sink, struct anim_error *error)
{
	struct unity_source source = {.depth = 1};
	struct unity_run run = {.options = options, .error = error, .sources = &source};
	struct looping at = {.sink = {.ops = &ops}, .next = sink};
	int got = options->no_external || anim_input_is_pipe(input) ? 0 : find_settings(&run, input, &at.settings);

	if (got > 0)
		got = other->read(input, options, &at.sink, error) != 0 ? -1 : 1;
	anim_map_clear(&at.settings.clips);
	anim_arena_clear(&run.arena);
	return got < 0 ? -1 : got == 0;
}
