/* read.c: runs the reader: lists the clips of players, libraries and no library, and sends everything to the sink. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "clip/rest.h"
#include "format/godot/document.h"
#include "format/godot/godot.h"
#include "math/quaternion.h"

/* ---- Clips to write, and their names ---- */

/* The state while the clips of one player or library are listed. */
struct cue_listing {
	struct godot_context *context;
	struct anim_buffer *cues;
	const struct godot_player *player;     /* may be NULL */
	const struct godot_document *document; /* for messages */
	const char *library;                   /* name of the library, empty for the unnamed library */
	/* path of the file of the library as written, or NULL for the input of the run */
	const char *file;
};

/* The resource that a reference refers to. */
struct resource_target {
	struct godot_document *document;
	size_t number;    /* number among the clips or libraries of the document */
	const char *file; /* as written, or NULL for the document with the reference */
};

static bool find_id(struct godot_document *document, uint64_t scope, const char *id, size_t *number)
{
	uint32_t at;

	if (!anim_map_get(&document->ids, scope, id, strlen(id), &at))
		return false;
	*number = at;
	return true;
}

/* Find the resource of another file: its [resource], or the resource after `::`. */
static int find_external(struct godot_context *context, const struct godot_document *from, const char *path,
			 uint64_t scope, struct resource_target *out, const char **why)
{
	const char *id = strstr(path, "::");
	struct godot_string file = {path, id == NULL ? strlen(path) : (size_t)(id - path)};
	int got;

	out->file = godot_keep(context, &file);
	if (out->file == NULL)
		return -1;
	got = godot_external_document(context, from, out->file, GODOT_WANT_ANIMATIONS, &out->document, why);
	if (got <= 0)
		return got;
	*why = scope == GODOT_SCOPE_ANIMATION ? "it is not an Animation" : "it is not an AnimationLibrary";
	if (id != NULL)
		return find_id(out->document, scope, id + 2, &out->number);
	out->number = scope == GODOT_SCOPE_ANIMATION ? out->document->main_clip : out->document->main_library;
	return out->number-- != 0;
}

/* Follow a reference. Returns 1 with *out set, 0 with the name of the target in *what and the reason in *why, or -1. */
static int follow(struct godot_context *context, const struct godot_document *from, const struct godot_reference *to,
		  uint64_t scope, struct resource_target *out, const char **what, const char **why)
{
	const struct godot_external *external;

	*out = (struct resource_target){.document = (struct godot_document *)from};
	*what = to->id;
	switch (to->kind) {
	case GODOT_REFERENCE_SUB:
		*why = "no such sub_resource in this file";
		return find_id(out->document, scope, to->id, &out->number);
	case GODOT_REFERENCE_EXTERNAL:
		external = godot_externals_find(&from->externals, to->id, strlen(to->id));
		*why = "no such ext_resource in this file";
		if (external == NULL)
			return 0;
		*what = external->path[0] != '\0' ? external->path : external->uid;
		return find_external(context, from, *what, scope, out, why);
	case GODOT_REFERENCE_PATH:
		return find_external(context, from, to->id, scope, out, why);
	case GODOT_REFERENCE_NONE:
		break;
	}
	*what = "null";
	*why = "it is not a resource";
	return 0;
}

static int add_cue(const struct cue_listing *listing, const char *name, const struct godot_document *document,
		   size_t animation, const char *file)
{
	struct godot_cue cue = {name, listing->player, document, animation, file};
	struct godot_clip *clip = godot_document_clip(document, animation);

	clip->used++;
	if (clip->faulty)
		return godot_document_report(listing->context, document, ANIM_WARNING, NULL, NULL,
					     "clip '%s' is left out: it has faults", name);
	return anim_buffer_append(listing->cues, &cue, sizeof cue, listing->context->error);
}

#define warn_slot(listing, slot, ...)                                                                         \
	godot_document_report((listing)->context, (slot)->to.document, ANIM_WARNING, &(slot)->to.place, NULL, \
			      __VA_ARGS__)

static int list_animations(const struct cue_listing *listing, const struct godot_slots *slots)
{
	for (uint32_t at = slots->first; at != 0; at = godot_slot_at(listing->context, at - 1)->next) {
		const struct godot_slot slot = *godot_slot_at(listing->context, at - 1);
		const char *name = godot_full_name(listing->library, slot.name, &listing->context->arena,
						   listing->context->error),
			   *what, *why;
		struct resource_target target;
		int got;

		if (name == NULL)
			return -1;
		got = follow(listing->context, slot.to.document, &slot.to, GODOT_SCOPE_ANIMATION, &target, &what, &why);
		if (got < 0)
			return -1;
		if (got == 0) {
			if (warn_slot(listing, &slot, "clip '%s' is not read from '%s': %s", name, what, why) != 0)
				return -1;
		} else {
			if (target.file == NULL)
				target.file = slot.to.file != NULL ? slot.to.file : listing->file;
			if (add_cue(listing, name, target.document, target.number, target.file) != 0)
				return -1;
		}
	}
	return 0;
}

static int list_library(const struct cue_listing *player, const struct godot_slot *slot)
{
	struct cue_listing listing = *player;
	struct godot_library *library;
	struct resource_target target;
	const char *what, *why;
	int got = follow(player->context, slot->to.document, &slot->to, GODOT_SCOPE_LIBRARY, &target, &what, &why);

	if (got < 0)
		return -1;
	if (got == 0) {
		if (slot->name[0] == '\0')
			return warn_slot(player, slot, "the clips of the unnamed library are not read from '%s': %s",
					 what, why);
		return warn_slot(player, slot, "the clips of library '%s' are not read from '%s': %s", slot->name, what,
				 why);
	}
	library = godot_document_library(target.document, target.number);
	library->used = true;
	listing.document = target.document;
	listing.library = slot->name;
	listing.file = target.file != NULL ? target.file : slot->to.file;
	return list_animations(&listing, &library->animations);
}

/*
 * Append every clip of the document to `cues` (struct godot_cue), in the order in which they are written: clips of
 * players, clips of libraries without a player, other animations. References into other files are followed. Missing
 * ones cause a warning. Returns 0 or -1.
 */
static int library_cues(struct godot_context *context, struct godot_document *document, struct anim_buffer *cues)
{
	struct cue_listing listing = {.context = context, .cues = cues, .document = document, .library = ""};

	for (const struct godot_player *player = document->players; player != NULL; player = player->next) {
		const char *type = godot_tree_node(&document->tree, player->node)->type;

		/*
		 * A node of unknown class may be a player. Nodes of other classes may have scripts with properties of
		 * these names.
		 */
		if (type[0] != '\0' && !anim_text_is_word("AnimationPlayer AnimationMixer AnimationTree", type))
			continue;
		listing.player = player;
		for (uint32_t at = player->libraries.first; at != 0; at = godot_slot_at(context, at - 1)->next) {
			const struct godot_slot slot = *godot_slot_at(context, at - 1);

			if (list_library(&listing, &slot) != 0)
				return -1;
		}
		if (list_animations(&listing, &player->own) != 0)
			return -1;
	}
	listing.player = NULL;
	for (size_t i = 0; i < document->libraries.size / sizeof(struct godot_library); i++) {
		const struct godot_library *library = godot_document_library(document, i);

		if (!library->used && list_animations(&listing, &library->animations) != 0)
			return -1;
	}
	for (size_t i = 0; i < document->clips.size / sizeof(struct godot_clip); i++) {
		const struct godot_clip *clip = godot_document_clip(document, i);
		const char *name = clip->id[0] != '\0' ? clip->id : context->base_name;

		if (clip->used > 0 || clip->replaced)
			continue;
		if (clip->head.resource_name != NULL && clip->head.resource_name[0] != '\0')
			name = clip->head.resource_name;
		if (add_cue(&listing, name, document, i, NULL) != 0)
			return -1;
	}
	return 0;
}

/* ---- The tree and the clips ---- */

/* Return whether to write a tree. A fragment has one only if it has nodes. */
static bool has_tree(const struct godot_document *document)
{
	return document->kind == GODOT_SCENE || godot_tree_count(&document->tree) > 0;
}

static int set_attr(struct anim_attrs *attrs, const char *key, const char *value, struct anim_arena *arena,
		    struct anim_error *error)
{
	const struct anim_attrs before = *attrs;

	return value == NULL ? 0 : anim_attrs_with(attrs, &before, key, value, arena, error);
}

/* Set the head of a clip: the values of its animation, and the values of its player. Returns 0 or -1. */
static int fill_head(const struct godot_document *document, const struct godot_cue *cue, struct anim_clip *clip,
		     struct anim_arena *arena, struct anim_error *error)
{
	const struct godot_animation *head = &godot_document_clip(cue->document, cue->animation)->head;
	const struct godot_player *player = cue->player;
	const char *root = "..", *path;

	*clip = (struct anim_clip){.end_s = head->length_s,
				   .loop = (uint8_t)head->loop_mode,
				   .axes = ANIM_AXES_GODOT,
				   .axes2d = ANIM_AXES2D_GODOT,
				   .flags = has_tree(document) ? ANIM_IN_TREE : 0,
				   .name = cue->name,
				   .root = ".",
				   .source = head->is_godot3 ? "godot3" : "godot4",
				   .attrs = head->attrs};
	if (head->is_godot2 || (head->is_godot3 && cue->document->format == 1))
		clip->source = "godot2";
	if (set_attr(&clip->attrs, "file", cue->file, arena, error) != 0 ||
	    set_attr(&clip->attrs, ANIM_ATTR_GODOT_LIBRARY, document->main_library != 0 ? "true" : NULL, arena,
		     error) != 0)
		return -1;
	if (player == NULL)
		return 0;
	if (player->root_node != NULL && player->root_node[0] != '\0')
		root = player->root_node;
	path = godot_tree_resolve(&document->tree, player->node, ".", arena, error);
	clip->root = godot_tree_resolve(&document->tree, player->node, root, arena, error);
	if (path == NULL || clip->root == NULL)
		return -1;
	if (player->autoplay != NULL && strcmp(player->autoplay, cue->name) == 0 &&
	    set_attr(&clip->attrs, "godot.autoplay", "true", arena, error) != 0)
		return -1;
	return set_attr(&clip->attrs, "player", path, arena, error);
}

/* Return the Euler order of the node that an Euler track animates, or YXZ if the tree does not contain it. */
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

/* Return the factor by which the engine multiplies the values of the track, judged by the names only. */
static float scale_of(const struct godot_tree *tree, const char *root, const struct anim_store_track *track)
{
	uint32_t at;

	if (strcmp(track->property, "position") != 0 || strchr(track->node, ':') == NULL ||
	    godot_tree_count(tree) == 0 || !godot_tree_find(tree, 0, root, &at))
		return 1;
	return godot_tree_motion_scale(tree, at, track->node);
}

/*
 * Return the number of the same track in the player's RESET clip (-1: none) if this discrete track may need its value:
 * the engine leaves the property unchanged before the first key. Axes and units can change transforms, whose rest is in
 * the tree. Otherwise returns -1.
 */
static ptrdiff_t find_reset(const struct godot_context *context, ptrdiff_t reset, const struct anim_store_track *track)
{
	const struct anim_store_track *other;
	ptrdiff_t at = -1;

	if (reset < 0 || track->kind != ANIM_DISCRETE || track->n == 0 || (track->flags & ANIM_UNSORTED) ||
	    (anim_types[track->type].components != 1 && track->type != ANIM_COLOR) || track->type == ANIM_STRING ||
	    anim_text_is_word("position rotation scale euler angle", track->property))
		return -1;
	do {
		at = anim_store_find(context->store, (size_t)reset, (size_t)(at + 1), track->node, track->property);
		other = at < 0 ? NULL : anim_store_track_at(context->store, (size_t)reset, (size_t)at);
	} while (other != NULL && (other->component != track->component || other->n == 0 ||
				   anim_types[other->type].components != anim_types[track->type].components));
	return at;
}

/* Return the value of a track in RESET as text. NULL on failure. */
static const char *rest_text(struct godot_context *context, size_t reset, size_t number, struct anim_arena *arena)
{
	struct anim_track track;
	const char *text = "";

	if (anim_store_read(context->store, reset, number, &track, context->error) != 0)
		return NULL;
	for (unsigned i = 0; i < anim_types[track.type].components && text != NULL; i++) {
		char digits[ANIM_NUMBER_MAX + 1];

		digits[anim_number_print_double(digits, anim_component(track.type, track.value, 0, i))] = '\0';
		text = anim_arena_printf(arena, context->error, "%s%s%s", text, i == 0 ? "" : " ", digits);
	}
	return text;
}

/* Write a track with the Euler order and the motion_scale of its node. Returns 0 or -1. */
static int write_track(struct godot_context *context, const struct godot_tree *tree, size_t clip, size_t number,
		       const char *root, ptrdiff_t reset, struct anim_sink *sink)
{
	const struct anim_store_track *stored = anim_store_track_at(context->store, clip, number);
	float scale = scale_of(tree, root, stored);
	struct anim_arena arena = {0};
	struct anim_track track, before;
	ptrdiff_t at = find_reset(context, reset, stored);
	const char *rest = at < 0 ? NULL : rest_text(context, (size_t)reset, (size_t)at, &arena);
	int result = 0;

	if ((at >= 0 && rest == NULL) || anim_store_read(context->store, clip, number, &track, context->error) != 0) {
		anim_arena_clear(&arena);
		return -1;
	}
	before = track;
	if (rest != NULL && track.time[0] > 0) {
		track.record = NULL;
		result = anim_attrs_with(&track.attrs, &before.attrs, ANIM_ATTR_REST, rest, &arena, context->error);
	} else if (scale != 1 && godot_is_scaled(&track)) {
		result = godot_positions_multiply(&track, &before, scale, &arena, context->error);
	} else if (is_reordered(tree, root, stored)) {
		track.record = NULL;
		result =
		    anim_attrs_with(&track.attrs, &before.attrs, "order",
				    anim_euler_order_names[order_of(tree, root, track.node)], &arena, context->error);
	}
	if (result == 0)
		result = anim_sink_track(sink, &track, context->error);
	anim_arena_clear(&arena);
	return result;
}

/* Write a clip with its tracks. Returns 0 or -1. */
static int write_clip(struct godot_context *context, const struct godot_cue *cue, ptrdiff_t reset,
		      struct anim_arena *arena, struct anim_sink *sink)
{
	const struct godot_document *document = context->documents;
	size_t number = godot_document_clip(cue->document, cue->animation)->clip;
	size_t count = anim_store_tracks(context->store, number);
	struct anim_clip clip;
	bool changes = false;

	if (fill_head(document, cue, &clip, arena, context->error) != 0)
		return -1;
	for (size_t i = 0; i < count && !changes; i++) {
		const struct anim_store_track *track = anim_store_track_at(context->store, number, i);

		changes = find_reset(context, reset, track) >= 0 || is_reordered(&document->tree, clip.root, track) ||
			  scale_of(&document->tree, clip.root, track) != 1;
	}
	if (!changes)
		return anim_store_replay(context->store, number, &clip, sink, context->error);
	if (anim_sink_clip(sink, &clip, context->error) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (write_track(context, &document->tree, number, i, clip.root, reset, sink) != 0)
			return -1;
	return 0;
}

/* ---- Tracks that are ints in one clip and floats in another ---- */

/* Return true if Godot takes the types of tracks from clip `a` rather than from `b`. */
static bool is_before(const char *a, const char *b)
{
	bool reset = strcmp(a, "RESET") == 0, other = strcmp(b, "RESET") == 0;

	return reset != other ? reset : strcmp(a, b) < 0;
}

/* A cue that animates a track, and the type that the track has there. */
struct typed_track {
	const struct godot_cue *cue;
	bool ints;
};

/*
 * Find for each track of each player the clip whose type it has: RESET, or the first in the order of their names.
 * `types` maps tracks in the scope of the player to items of `tracks`. Returns 0 or -1.
 */
static int find_types(struct godot_context *context, const struct anim_buffer *cues, struct anim_map *types,
		      struct anim_buffer *tracks)
{
	const struct godot_cue *cue = (const struct godot_cue *)(const void *)cues->data;

	for (const struct godot_cue *end = cue + cues->size / sizeof *cue; cue < end; cue++) {
		const struct godot_animation *head = &godot_document_clip(cue->document, cue->animation)->head;

		if (cue->player == NULL)
			continue;
		for (const struct godot_number_track *t = head->numbers; t != NULL; t = t->next) {
			struct typed_track item = {cue, t->ints}, *known;
			uint32_t at = (uint32_t)(tracks->size / sizeof item);

			if (anim_map_get(types, cue->player->node, t->path, strlen(t->path), &at)) {
				known = (struct typed_track *)(void *)tracks->data + at;
				if (is_before(cue->name, known->cue->name))
					*known = item;
			} else if (anim_map_put(types, cue->player->node, t->path, strlen(t->path), at,
						context->error) != 0 ||
				   anim_buffer_append(tracks, &item, sizeof item, context->error) != 0) {
				return -1;
			}
		}
	}
	return 0;
}

/*
 * Godot's player gives a track the type that it has in one clip, and rounds it in all clips if this is int. The clips
 * are read with their own types, so warn if that matters. Returns 0 or -1.
 */
static int check_types(struct godot_context *context, const struct anim_buffer *cues)
{
	const struct godot_cue *cue = (const struct godot_cue *)(const void *)cues->data;
	struct anim_buffer tracks = {0};
	struct anim_map types = {0};
	int result = find_types(context, cues, &types, &tracks);

	for (const struct godot_cue *end = cue + cues->size / sizeof *cue; cue < end; cue++) {
		const struct godot_animation *head = &godot_document_clip(cue->document, cue->animation)->head;

		for (const struct godot_number_track *t = head->numbers; t != NULL && result == 0; t = t->next) {
			const struct typed_track *type;
			uint32_t at;

			if (cue->player == NULL || head->is_godot3 || !t->fractions ||
			    !anim_map_get(&types, cue->player->node, t->path, strlen(t->path), &at))
				continue;
			type = (const struct typed_track *)(const void *)tracks.data + at;
			if (type->ints != t->ints)
				result = godot_document_report(
				    context, cue->document, ANIM_WARNING, NULL, "track",
				    "'%s' of clip '%s' (starts with %s): Godot plays it with the type of another "
				    "clip" ANIM_DETAIL ", '%s'; write floats in both",
				    t->path, cue->name, t->ints ? "an int" : "a float", type->cue->name);
		}
	}
	anim_map_clear(&types);
	anim_buffer_clear(&tracks);
	return result;
}

/* Return the clip in the store that is RESET for this cue, or -1. A RESET has none itself. */
static ptrdiff_t reset_of(const struct anim_buffer *cues, const struct godot_cue *cue, ptrdiff_t *last)
{
	const struct godot_cue *all = (const struct godot_cue *)(const void *)cues->data;
	size_t count = cues->size / sizeof *all;

	/* The cues of a player follow one another, so it is searched once for each player. */
	if (cue == all || cue->player != cue[-1].player) {
		*last = -1;
		for (size_t i = (size_t)(cue - all); i < count && all[i].player == cue->player && *last < 0; i++)
			if (strcmp(all[i].name, "RESET") == 0)
				*last = (ptrdiff_t)godot_document_clip(all[i].document, all[i].animation)->clip;
	}
	return strcmp(cue->name, "RESET") == 0 ? -1 : *last;
}

int godot_outline_read(struct godot_context *context, struct anim_input *input, struct anim_buffer *cues)
{
	const struct anim_diagnostic *fault;
	int result;

	context->outline = true;
	result = godot_context_read(context, input);
	fault = anim_diagnostics_first(context->options->diagnostics, ANIM_FAULT);
	if (fault != NULL)
		return anim_fail_at(context->error, ANIM_BAD_INPUT, &fault->place, "%s",
				    fault->text); /* faults have no details */
	return result != 0 ? -1 : library_cues(context, context->documents, cues);
}

int anim_godot_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		    struct anim_error *error)
{
	struct godot_document document = {.want = GODOT_WANT_ALL};
	struct godot_context context = {.options = options, .error = error, .documents = &document};
	char left[GODOT_LEFT_TEXT];
	struct anim_buffer cues = {0};
	struct anim_arena arena = {0};
	ptrdiff_t reset = -1;
	int result = -1;

	context.store = anim_store_new(options->store_memory, error);
	if (context.store != NULL)
		result = godot_context_read(&context, input);
	if (result == 0)
		result = library_cues(&context, &document, &cues);
	if (result == 0)
		result = godot_context_check(&context);
	if (result == 0)
		result = check_types(&context, &cues);
	if (result == 0 && cues.size == 0 && document.clips.size == 0 && context.slots.size == 0)
		result =
		    godot_document_report(&context, &document, ANIM_WARNING, NULL, NULL, "no animation in this file");
	if (result == 0)
		result = godot_document_left(&document, left, error);
	if (result == 0 && has_tree(&document))
		result = godot_scene_write(&document.tree, anim_read_source_file(options, input), document.shown, left,
					   options->diagnostics, sink, error);
	for (size_t i = 0; i < cues.size / sizeof(struct godot_cue) && result == 0; i++) {
		const struct godot_cue *cue = (const struct godot_cue *)(const void *)cues.data + i;

		anim_arena_reset(&arena);
		result = write_clip(&context, cue, reset_of(&cues, cue, &reset), &arena, sink);
	}
	anim_arena_clear(&arena);
	anim_buffer_clear(&cues);
	godot_context_clear(&context);
	return result;
}

int anim_godot_describe(struct anim_input *input, size_t store_memory, struct anim_held *held, struct anim_error *error)
{
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options options = {
	    .store_memory = store_memory, .no_external = true, .diagnostics = &diagnostics};
	struct godot_document document = {.want = GODOT_WANT_ALL, .held = held};
	struct godot_context context = {.options = &options, .error = error, .documents = &document};
	char left[GODOT_LEFT_TEXT];
	int result = -1;

	context.store = anim_store_new(store_memory, error);
	if (context.store != NULL)
		result = godot_context_read(&context, input);
	if (result == 0)
		result = godot_document_left(&document, left, error);
	if (result == 0) {
		held->has_uid = document.has_uid;
		held->clips = document.clips.size / sizeof(struct godot_clip);
		if (document.kind != GODOT_RESOURCE_FILE ||
		    anim_text_is_word("Animation AnimationLibrary", document.resource_type))
			snprintf(held->text, sizeof held->text, "%s", left);
		else
			snprintf(held->text, sizeof held->text, "a resource of type %s", document.resource_type);
	}
	godot_context_clear(&context);
	anim_diagnostics_clear(&diagnostics);
	return result;
}
