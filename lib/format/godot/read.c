/* read.c: anim_godot_read: one file, and those it names, into the sink: the tree, then the clips. */
#include <stdio.h>
#include <string.h>

#include "format/godot/document.h"
#include "format/godot/godot.h"
#include "math/euler.h"

/* A fragment has a tree where it has nodes. */
static bool has_tree(const struct godot_document *document)
{
	return document->kind == GODOT_SCENE || godot_tree_count(&document->tree) > 0;
}

static const char *source_of(const struct godot_cue *cue)
{
	const struct godot_animation *head = &godot_document_clip(cue->document, cue->animation)->head;

	if (head->is_godot2 || (head->is_godot3 && cue->document->format == 1))
		return "godot2";
	return head->is_godot3 ? "godot3" : "godot4";
}

static int set_attr(struct anim_attrs *attrs, const char *key, const char *value, struct anim_arena *arena,
		    struct anim_error *error)
{
	const struct anim_attrs before = *attrs;

	return value == NULL ? 0 : anim_attrs_with(attrs, &before, key, value, arena, error);
}

/* What the player says of the clip: where it stands, what it animates from, whether it starts by itself. */
static int add_player(const struct godot_document *document, const struct godot_cue *cue, struct anim_clip *clip,
		      struct anim_arena *arena, struct anim_error *error)
{
	const struct godot_player *player = cue->player;
	const char *root = player->root_node != NULL && player->root_node[0] != '\0' ? player->root_node : "..";
	const char *path = godot_tree_resolve(&document->tree, player->node, ".", arena, error);
	bool autoplay = player->autoplay != NULL && strcmp(player->autoplay, cue->name) == 0;

	clip->root = godot_tree_resolve(&document->tree, player->node, root, arena, error);
	if (path == NULL || clip->root == NULL)
		return -1;
	if (autoplay && set_attr(&clip->attrs, "godot.autoplay", "true", arena, error) != 0)
		return -1;
	return set_attr(&clip->attrs, "player", path, arena, error);
}

static int fill_head(const struct godot_document *document, const struct godot_cue *cue, struct anim_clip *clip,
		     struct anim_arena *arena, struct anim_error *error)
{
	const struct godot_animation *head = &godot_document_clip(cue->document, cue->animation)->head;

	*clip = (struct anim_clip){.end_s = head->length_s,
				   .loop = (uint8_t)head->loop_mode,
				   .axes = ANIM_AXES_GODOT,
				   .axes2d = ANIM_AXES2D_GODOT,
				   .flags = has_tree(document) ? ANIM_IN_TREE : 0,
				   .name = cue->name,
				   .root = ".",
				   .source = source_of(cue),
				   .attrs = head->attrs};
	if (set_attr(&clip->attrs, "file", cue->file, arena, error) != 0)
		return -1;
	return cue->player == NULL ? 0 : add_player(document, cue, clip, arena, error);
}

/* The order of turning of the node that an Euler track turns; YXZ where the tree does not know it. */
static enum anim_euler_order order_of(const struct godot_tree *tree, const char *root, const char *node)
{
	const struct godot_placement *placement;
	uint32_t at = 0;

	if (godot_tree_count(tree) == 0 || !godot_tree_find(tree, 0, root, &at) ||
	    !godot_tree_find(tree, at, node, &at))
		return ANIM_EULER_YXZ;
	placement = godot_tree_node(tree, at)->placement;
	return placement == NULL ? ANIM_EULER_YXZ : placement->rotation_order;
}

static bool is_reordered(const struct godot_tree *tree, const char *root, const struct anim_store_track *track)
{
	return strcmp(track->property, "euler") == 0 && order_of(tree, root, track->node) != ANIM_EULER_YXZ;
}

static bool any_reordered(const struct godot_context *context, const struct godot_tree *tree, size_t clip,
			  const char *root)
{
	size_t count = anim_store_tracks(context->store, clip);

	for (size_t i = 0; i < count; i++)
		if (is_reordered(tree, root, anim_store_track_at(context->store, clip, i)))
			return true;
	return false;
}

/* The tracks were stored before the nodes were known: those of nodes with another order get it now. */
static int write_track(struct godot_context *context, const struct godot_tree *tree, size_t clip, size_t number,
		       const char *root, struct anim_sink *sink, struct anim_error *error)
{
	struct anim_arena arena = {0};
	struct anim_track track;
	struct anim_attrs attrs;
	int result;

	if (anim_store_read(context->store, clip, number, &track, error) != 0)
		return -1;
	if (!is_reordered(tree, root, anim_store_track_at(context->store, clip, number)))
		return anim_sink_track(sink, &track, error);
	result = anim_attrs_with(&attrs, &track.attrs, "order",
				 anim_euler_order_names[order_of(tree, root, track.node)], &arena, error);
	if (result == 0) {
		track.attrs = attrs;
		track.record = NULL;
		result = anim_sink_track(sink, &track, error);
	}
	anim_arena_clear(&arena);
	return result;
}

static int write_clip(struct godot_context *context, const struct godot_cue *cue, struct anim_arena *arena,
		      struct anim_sink *sink, struct anim_error *error)
{
	const struct godot_document *document = context->documents;
	size_t number = godot_document_clip(cue->document, cue->animation)->clip;
	struct anim_clip clip;

	if (fill_head(document, cue, &clip, arena, error) != 0)
		return -1;
	if (!any_reordered(context, &document->tree, number, clip.root))
		return anim_store_replay(context->store, number, &clip, sink, error);
	if (anim_sink_clip(sink, &clip, error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_tracks(context->store, number); i++)
		if (write_track(context, &document->tree, number, i, clip.root, sink, error) != 0)
			return -1;
	return 0;
}

static int write_clips(struct godot_context *context, const struct anim_buffer *cues, struct anim_sink *sink,
		       struct anim_error *error)
{
	const struct godot_cue *cue = (const struct godot_cue *)cues->data;
	size_t count = cues->size / sizeof *cue;
	struct anim_arena arena = {0};
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		anim_arena_reset(&arena);
		result = write_clip(context, &cue[i], &arena, sink, error);
	}
	anim_arena_clear(&arena);
	return result;
}

/* Faults that cannot be left out end the run; they were reported one by one. */
static int check_faults(const struct godot_context *context, struct anim_error *error)
{
	size_t faults = context->options->losses->faults;

	if (faults == 0)
		return 0;
	anim_fail(error, ANIM_BAD_INPUT, "%zu fault%s", faults, faults == 1 ? "" : "s");
	return anim_error_in_file(error, context->documents->shown);
}

static int write_all(struct godot_context *context, const char *file, struct anim_sink *sink, struct anim_error *error)
{
	struct godot_document *document = context->documents;
	struct godot_lost lost;
	char left[GODOT_LOST_TEXT];
	struct anim_buffer cues = {0};
	int result = godot_library_cues(context, document, &cues, error);

	if (result == 0)
		result = check_faults(context, error);
	if (result == 0 && cues.size == 0 && document->clips.size == 0 && context->slots.size == 0)
		result =
		    godot_document_say(context, document, ANIM_WARNING, NULL, NULL, error, "no animation in this file");
	godot_document_lost(document, &lost);
	godot_lost_print(&lost, left);
	if (result == 0 && has_tree(document))
		result = godot_scene_write(&document->tree, file, document->shown, left, context->options->losses, sink,
					   error);
	if (result == 0)
		result = write_clips(context, &cues, sink, error);
	anim_buffer_clear(&cues);
	return result;
}

static int read_main(struct godot_context *context, struct anim_input *input, struct anim_error *error)
{
	struct godot_document *document = context->documents;

	document->shown = anim_input_name(input);
	context->base_name =
	    anim_read_base_name(anim_read_source_file(context->options, input), &context->arena, error);
	if (context->base_name == NULL || godot_locate(context, input, &document->location, error) != 0 ||
	    godot_document_read(context, document, input, error) != 0)
		return anim_error_in_file(error, document->shown);
	return check_faults(context, error);
}

static void clear_context(struct godot_context *context)
{
	for (struct godot_document *document = context->documents; document != NULL; document = document->next)
		godot_document_clear(document);
	anim_store_free(context->store);
	anim_map_clear(&context->names);
	anim_buffer_clear(&context->slots);
	anim_buffer_clear(&context->classes);
	anim_arena_clear(&context->arena);
}

int anim_godot_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		    struct anim_error *error)
{
	struct godot_document document = {.want = GODOT_WANT_ALL};
	struct godot_context context = {.options = options, .documents = &document};
	int result = -1;

	context.store = anim_store_new(options->store_memory, error);
	if (context.store != NULL)
		result = read_main(&context, input, error);
	if (result == 0)
		result = write_all(&context, anim_read_source_file(options, input), sink, error);
	clear_context(&context);
	return result;
}

/* The kinds of resource files that a writer makes whole again. */
static bool is_animation(const struct godot_document *document)
{
	return document->kind != GODOT_RESOURCE_FILE || strcmp(document->resource_type, "Animation") == 0 ||
	       strcmp(document->resource_type, "AnimationLibrary") == 0;
}

int anim_godot_describe(struct anim_input *input, size_t store_memory, char *text, size_t capacity,
			struct anim_error *error)
{
	struct anim_losses losses = {0};
	const struct anim_read_options options = {.store_memory = store_memory, .no_external = true, .losses = &losses};
	struct godot_document document = {.want = GODOT_WANT_ALL};
	struct godot_context context = {.options = &options, .documents = &document};
	struct godot_lost lost;
	char left[GODOT_LOST_TEXT];
	int result = -1;

	context.store = anim_store_new(store_memory, error);
	if (context.store != NULL)
		result = read_main(&context, input, error);
	if (result == 0) {
		godot_document_lost(&document, &lost);
		godot_lost_print(&lost, left);
		if (is_animation(&document))
			snprintf(text, capacity, "%s", left);
		else
			snprintf(text, capacity, "a resource of type %s", document.resource_type);
	}
	clear_context(&context);
	anim_losses_clear(&losses);
	return result;
}
