/* library_cues.c: which clips a document plays, under which names, and where their animations lie. */
#include <stdio.h>
#include <string.h>

#include "format/godot/document.h"

/* The clips of one player or library while they are listed. */
struct listing {
	struct godot_context *context;
	struct anim_buffer *cues;
	const struct godot_player *player;     /* NULL: none */
	const struct godot_document *document; /* of messages */
	const char *library;                   /* its name, empty for the unnamed one */
	const char *file;                      /* of the library, as written, NULL: the run's own */
};

/* Where a reference leads: a resource of a document. */
struct target {
	struct godot_document *document;
	size_t number;    /* of its clips or libraries */
	const char *file; /* as written; NULL: the document that refers */
};

static const struct godot_slot *slot_at(const struct godot_context *context, uint32_t number)
{
	return (const struct godot_slot *)context->slots.data + number;
}

/* "lib/anim", or "anim" in the unnamed library; NULL out of memory. */
static const char *full_name(struct godot_context *context, const char *library, const char *name,
			     struct anim_error *error)
{
	size_t size = strlen(library) + strlen(name) + 2;
	char *text;

	if (library[0] == '\0')
		return name;
	text = anim_arena_alloc(&context->arena, size, error);
	if (text != NULL)
		snprintf(text, size, "%s/%s", library, name);
	return text;
}

static bool find_id(struct godot_document *document, uint64_t scope, const char *id, size_t *number)
{
	uint32_t at;

	if (!anim_map_get(&document->ids, scope, id, strlen(id), &at))
		return false;
	*number = at;
	return true;
}

/* The resource of another file: its [resource], or the one behind `::`. */
static int find_external(struct godot_context *context, const struct godot_document *from, const char *path,
			 uint64_t scope, struct target *out, const char **why, struct anim_error *error)
{
	const char *id = strstr(path, "::");
	struct godot_string file = {path, id == NULL ? strlen(path) : (size_t)(id - path)};
	int got;

	out->file = godot_keep(context, &file, error);
	if (out->file == NULL)
		return -1;
	got = godot_external_document(context, from, out->file, GODOT_WANT_ANIMATIONS, &out->document, why, error);
	if (got <= 0)
		return got;
	*why = scope == GODOT_SCOPE_ANIMATION ? "it is no Animation" : "it is no AnimationLibrary";
	if (id != NULL)
		return find_id(out->document, scope, id + 2, &out->number);
	out->number = scope == GODOT_SCOPE_ANIMATION ? out->document->main_clip : out->document->main_library;
	return out->number-- != 0;
}

/* 1: *out; 0: it leads nowhere, *what and *why say so; -1. */
static int follow(struct godot_context *context, const struct godot_document *from, const struct godot_reference *to,
		  uint64_t scope, struct target *out, const char **what, const char **why, struct anim_error *error)
{
	const struct godot_external *external;

	*out = (struct target){.document = (struct godot_document *)from};
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
		return find_external(context, from, *what, scope, out, why, error);
	case GODOT_REFERENCE_PATH:
		return find_external(context, from, to->id, scope, out, why, error);
	case GODOT_REFERENCE_NONE:
		break;
	}
	*what = "null";
	*why = "it names no resource";
	return 0;
}

static int add_cue(const struct listing *listing, const char *name, const struct godot_document *document,
		   size_t animation, const char *file, struct anim_error *error)
{
	struct godot_cue cue = {name, listing->player, document, animation, file};
	struct godot_clip *clip = godot_document_clip(document, animation);

	clip->used = true;
	if (clip->faulty)
		return godot_document_say(listing->context, document, ANIM_WARNING, NULL, NULL, error,
					  "clip '%s' is left out: it has faults", name);
	return anim_buffer_append(listing->cues, &cue, sizeof cue, error);
}

static int list_animation(const struct listing *listing, const struct godot_slot *slot, struct anim_error *error)
{
	const char *name = full_name(listing->context, listing->library, slot->name, error), *what, *why;
	struct target target;
	int got;

	if (name == NULL)
		return -1;
	got =
	    follow(listing->context, slot->to.document, &slot->to, GODOT_SCOPE_ANIMATION, &target, &what, &why, error);
	if (got < 0)
		return -1;
	if (got == 0)
		return godot_document_say(listing->context, slot->to.document, ANIM_WARNING, &slot->to.place, NULL,
					  error, "clip '%s' is not read from '%s': %s", name, what, why);
	if (target.file == NULL)
		target.file = slot->to.file != NULL ? slot->to.file : listing->file;
	return add_cue(listing, name, target.document, target.number, target.file, error);
}

static int list_animations(const struct listing *listing, const struct godot_slots *slots, struct anim_error *error)
{
	for (uint32_t at = slots->first; at != 0; at = slot_at(listing->context, at - 1)->next) {
		const struct godot_slot slot = *slot_at(listing->context, at - 1);

		if (list_animation(listing, &slot, error) != 0)
			return -1;
	}
	return 0;
}

static int say_missing(const struct listing *player, const struct godot_slot *slot, const char *what, const char *why,
		       struct anim_error *error)
{
	if (slot->name[0] == '\0')
		return godot_document_say(player->context, slot->to.document, ANIM_WARNING, &slot->to.place, NULL,
					  error, "the clips of the unnamed library are not read from '%s': %s", what,
					  why);
	return godot_document_say(player->context, slot->to.document, ANIM_WARNING, &slot->to.place, NULL, error,
				  "the clips of library '%s' are not read from '%s': %s", slot->name, what, why);
}

static int list_library(const struct listing *player, const struct godot_slot *slot, struct anim_error *error)
{
	struct listing listing = *player;
	struct godot_library *library;
	struct target target;
	const char *what, *why;
	int got =
	    follow(player->context, slot->to.document, &slot->to, GODOT_SCOPE_LIBRARY, &target, &what, &why, error);

	if (got < 0)
		return -1;
	if (got == 0)
		return say_missing(player, slot, what, why, error);
	library = godot_document_library(target.document, target.number);
	library->used = true;
	listing.document = target.document;
	listing.library = slot->name;
	listing.file = target.file != NULL ? target.file : slot->to.file;
	return list_animations(&listing, &library->animations, error);
}

/* Only players, and nodes of which the class is not known here, play; scripts of other classes may have such properties. */
static bool may_play(const struct godot_tree *tree, const struct godot_player *player)
{
	const char *type = godot_tree_node(tree, player->node)->type;

	return type[0] == '\0' || strcmp(type, "AnimationPlayer") == 0 || strcmp(type, "AnimationMixer") == 0 ||
	       strcmp(type, "AnimationTree") == 0;
}

static int list_player(const struct listing *document, const struct godot_player *player, struct anim_error *error)
{
	struct listing listing = *document;

	listing.player = player;
	for (uint32_t at = player->libraries.first; at != 0; at = slot_at(listing.context, at - 1)->next) {
		const struct godot_slot slot = *slot_at(listing.context, at - 1);

		if (list_library(&listing, &slot, error) != 0)
			return -1;
	}
	return list_animations(&listing, &player->own, error);
}

/* Libraries that no player has: their animations under their own names. */
static int list_unused_libraries(const struct listing *listing, struct anim_error *error)
{
	size_t count = listing->document->libraries.size / sizeof(struct godot_library);

	for (size_t i = 0; i < count; i++) {
		const struct godot_library *library = godot_document_library(listing->document, i);

		if (!library->used && list_animations(listing, &library->animations, error) != 0)
			return -1;
	}
	return 0;
}

/* Animations that nothing refers to: by resource_name, else the file's name for [resource], else the id. */
static int list_unused_animations(const struct listing *listing, struct anim_error *error)
{
	size_t count = listing->document->clips.size / sizeof(struct godot_clip);

	for (size_t i = 0; i < count; i++) {
		const struct godot_clip *clip = godot_document_clip(listing->document, i);
		const char *name = clip->id[0] != '\0' ? clip->id : listing->context->base_name;

		if (clip->used || clip->replaced)
			continue;
		if (clip->head.resource_name != NULL && clip->head.resource_name[0] != '\0')
			name = clip->head.resource_name;
		if (add_cue(listing, name, listing->document, i, NULL, error) != 0)
			return -1;
	}
	return 0;
}

int godot_library_cues(struct godot_context *context, struct godot_document *document, struct anim_buffer *cues,
		       struct anim_error *error)
{
	const struct listing listing = {.context = context, .cues = cues, .document = document, .library = ""};

	for (const struct godot_player *player = document->players; player != NULL; player = player->next)
		if (may_play(&document->tree, player) && list_player(&listing, player, error) != 0)
			return -1;
	if (list_unused_libraries(&listing, error) != 0)
		return -1;
	return list_unused_animations(&listing, error);
}
