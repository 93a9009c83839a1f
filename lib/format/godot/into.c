/* into.c: puts clips into an existing file: replaced animations, added and removed parts, and their edits. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/input.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "format/godot/into.h"
#include "format/godot/text.h"

static int add_edit(struct godot_into *into, enum godot_edit_kind kind, uint64_t from, uint64_t to, size_t what,
		    bool first)
{
	struct anim_buffer *edits = &into->file->edits;
	struct godot_edit edit = {{from, to, edits->size / sizeof edit}, kind, first, (uint32_t)what};

	return anim_buffer_append(edits, &edit, sizeof edit, into->context.error);
}

static int fail(const struct godot_into *into, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(const struct godot_into *into, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	anim_fail_va(into->context.error, ANIM_BAD_INPUT, NULL, format, args);
	va_end(args);
	return anim_error_in_file(into->context.error, into->file->path);
}

/* ---- Reading the file ---- */

int godot_into_open(const struct godot_into *into, struct anim_input **input)
{
	return anim_input_open(input, into->file->path, NULL, into->context.error);
}

/* Return the version of the file, judged by its format, the keys of its libraries, and its header. */
static enum anim_godot_version version_of(const struct godot_document *document)
{
	if (document->format <= 2)
		return ANIM_GODOT_3;
	if (document->string_keys && !document->name_keys)
		return ANIM_GODOT_4_2;
	return document->load_steps || document->sections.size / sizeof(struct godot_section) < 3 ? ANIM_GODOT_4_5
												  : ANIM_GODOT_4_6;
}

/* Return whether the file has no place for new clips. */
static bool is_closed(const struct godot_into *into)
{
	return into->document.kind == GODOT_RESOURCE_FILE && into->document.main_library == 0;
}

/* Return whether the file is a single animation without a library. */
static bool is_single(const struct godot_into *into)
{
	return is_closed(into) && cue_count(into) == 1;
}

/* Set the spelling for the current file. Returns 0 or -1. */
static int start_file(const struct godot_into *into, struct godot_print *print)
{
	const struct godot_document *document = into->file->document;
	const struct anim_buffer *items = &document->externals.items;
	const struct godot_external *external = (const struct godot_external *)(const void *)items->data;

	if (document->gzip)
		return fail(into, "it is gzip: unpack it first");
	print->godot2 = document->format == 1;
	print->version = version_of(document);
	print->needs_format4 = document->format == 4 && print->version != ANIM_GODOT_3;
	print->out.error = into->context.error;
	/* New literals refer to existing ext_resources of the file. */
	for (size_t i = 0; i < items->size / sizeof *external; i++)
		if (godot_print_add_existing(print, external[i].id, external[i].uid, external[i].path) != 0)
			return -1;
	return 0;
}

/*
 * Read the file, and index the names of its clips, by which clips are matched, the paths of the players, and the ends
 * of the nodes. Returns 0 or -1.
 */
static int read_file(struct godot_into *into, struct godot_print *print)
{
	struct anim_error *error = into->context.error;
	struct anim_input *input = NULL;
	size_t nodes, cues, length;
	uint32_t known;
	int result = godot_into_open(into, &input);

	if (result == 0 && anim_sys_stat(into->file->path, &into->file->info) != 0)
		result = anim_fail_system(error, "read");
	if (result == 0)
		result = godot_outline_read(&into->context, input, &into->cues);
	anim_input_close(input);
	if (result != 0)
		return anim_error_in_file(error, into->file->path);
	if (is_closed(into) && cue_count(into) == 0)
		return fail(into, "it has no animation, and no library or nodes to add one to");
	if (start_file(into, print) != 0)
		return -1;
	into->below = section_at(into, section_count(into) - 1)->end;
	for (size_t i = section_count(into); i > 0; i--)
		if (anim_text_is_word("node resource", section_at(into, i - 1)->name))
			into->below = section_at(into, i - 1)->tag;

	nodes = godot_tree_count(&into->document.tree);
	cues = cue_count(into);
	into->next = anim_arena_zeroed(&into->arena, cues + 1, sizeof *into->next, error);
	if (into->next == NULL)
		return -1;
	into->ends = anim_arena_zeroed(&into->arena, nodes + 1, sizeof *into->ends, error);
	if (into->ends == NULL)
		return -1;
	for (size_t i = 0; i < section_count(into); i++) {
		const struct godot_section *section = section_at(into, i);

		if (strcmp(section->name, "node") == 0)
			into->ends[nodes] = section->end;
		if (section->node < nodes)
			into->ends[section->node] = section->end;
	}
	for (struct godot_player *player = into->document.players; player != NULL; player = player->next) {
		player->path = godot_tree_resolve(&into->document.tree, player->node, ".", &into->arena, error);
		if (player->path == NULL)
			return -1;
		length = strlen(player->path);
		if (!anim_map_get(&into->nodes, 0, player->path, length, &known) &&
		    anim_map_put(&into->nodes, 0, player->path, length, player->node, error) != 0)
			return -1;
	}
	for (uint32_t i = (uint32_t)cues; i-- > 0;) {
		const struct godot_cue *cue = cue_at(into, i);

		length = strlen(cue->name);
		into->next[i] = NO_NUMBER;
		(void)anim_map_get(&into->by_name, 0, cue->name, length, &into->next[i]);
		if (anim_map_put(&into->by_name, 0, cue->name, length, i, error) != 0 ||
		    (cue->player != NULL &&
		     anim_map_put(&into->by_name, 1 + (uint64_t)cue->player->node, cue->name, length, i, error) != 0))
			return -1;
	}
	return 0;
}

int anim_godot_into(struct anim_write_options *options, struct anim_error *error)
{
	struct anim_input *input = NULL;
	struct godot_text *text = NULL;
	const struct godot_value *format;
	struct godot_tag tag = {.count = 0};
	int result = anim_input_open(&input, options->into.file, NULL, error);

	if (result == 0)
		result = godot_text_new(&text, input, error);
	if (result == 0)
		result = godot_text_tag(text, &tag) < 0 ? -1 : 0;
	if (result == 0 && (format = godot_tag_get(&tag, "format")) != NULL && format->type == GODOT_INT)
		options->version = format->integer <= 2 ? ANIM_GODOT_3 : ANIM_GODOT_4_5;
	godot_text_free(text);
	anim_input_close(input);
	return result == 0 ? 0 : anim_error_in_file(error, options->into.file);
}

struct godot_into *godot_into_new(const struct anim_write_options *options, struct godot_print *print,
				  struct anim_error *error)
{
	struct godot_into *into = anim_zeroed(sizeof *into, error);

	if (into == NULL)
		return NULL;
	into->options = options;
	into->read = (struct anim_read_options){.diagnostics = &into->diagnostics};
	into->document.want = GODOT_WANT_ALL;
	into->own = (struct godot_into_file){.document = &into->document, .path = options->into.file};
	into->file = &into->own;
	into->context = (struct godot_context){.options = &into->read, .error = error, .documents = &into->document};
	if (read_file(into, print) == 0)
		return into;
	godot_into_free(into);
	return NULL;
}

void godot_into_free(struct godot_into *into)
{
	if (into == NULL)
		return;
	for (struct godot_into_file *file = &into->own; file != NULL; file = file->next) {
		anim_buffer_clear(&file->edits);
		if (file != into->file) /* its print belongs to the writer */
			godot_print_clear(&file->print);
	}
	godot_context_clear(&into->context);
	anim_diagnostics_clear(&into->diagnostics);
	anim_arena_clear(&into->arena);
	anim_buffer_clear(&into->cues);
	anim_map_clear(&into->by_name);
	anim_map_clear(&into->nodes);
	anim_map_clear(&into->by_home);
	anim_text_set_clear(&into->restricted);
	anim_text_set_clear(&into->restricted_libraries);
	anim_buffer_clear(&into->homes);
	anim_buffer_clear(&into->added);
	anim_buffer_clear(&into->twins);
	free(into);
}

/* ---- Matching clips with animations of the file ---- */

/* Return the player that the clip is for, or NULL for any player with a clip of its name. */
static const char *player_wanted(const struct godot_into *into, const struct godot_written_clip *clip)
{
	if (into->options->into.player != NULL)
		return into->options->into.player;
	return clip->names.from_godot && into->document.kind != GODOT_RESOURCE_FILE ? clip->player : NULL;
}

/*
 * Find the cue with the name and the player of the clip. Otherwise find one with its name, provided that all of them
 * play the same animation. Returns 1, 0 if not found, or -1.
 */
static int find_cue(struct godot_into *into, const struct godot_written_clip *clip, const char *name, uint32_t *cue)
{
	const char *player = player_wanted(into, clip), *list = "";
	size_t length = strlen(name);
	uint32_t first = NO_NUMBER, node;
	bool several = false;

	*cue = 0;
	if (is_single(into))
		return 1;
	if (player != NULL && anim_map_get(&into->nodes, 0, player, strlen(player), &node) &&
	    anim_map_get(&into->by_name, 1 + (uint64_t)node, name, length, cue))
		return 1;
	if (into->options->into.player != NULL || !anim_map_get(&into->by_name, 0, name, length, &first))
		return 0;
	for (uint32_t at = first; at != NO_NUMBER && !several; at = into->next[at])
		several = cue_at(into, at)->document != cue_at(into, first)->document ||
			  cue_at(into, at)->animation != cue_at(into, first)->animation;
	*cue = first;
	if (!several)
		return 1;
	for (uint32_t at = first; at != NO_NUMBER && list != NULL; at = into->next[at]) {
		player = cue_at(into, at)->player == NULL ? "" : cue_at(into, at)->player->path;
		list = anim_arena_printf(&into->arena, into->context.error, "%s%s'%s:%s'", list,
					 list[0] == '\0' ? "" : ", ", player, cue_at(into, at)->name);
	}
	return list == NULL
		   ? -1
		   : fail(into,
			  "clip '%s' matches several of its animations: %s; choose a player with " ANIM_OPTION_TO(
			      "emit", "player", "PATH"),
			  name, list);
}

/* ---- Other files that are also written ---- */

/* Make the writer print this file from now on. */
static void use(struct godot_into *into, struct godot_writer *writer, struct godot_into_file *file)
{
	into->file->print = writer->print;
	writer->print = file->print;
	writer->print.out.error = into->context.error;
	into->file = file;
}

/* Make the file of the cue the current file. It may be the edited file itself. Returns 0 or -1. */
static int follow(struct godot_into *into, struct godot_writer *writer, const struct godot_cue *cue)
{
	struct godot_document *document = (struct godot_document *)(uintptr_t)cue->document;
	struct godot_into_file *file = &into->own;

	while (file->document != document && file->next != NULL)
		file = file->next;
	if (file->document == document) {
		use(into, writer, file);
		return 0;
	}
	if (document->is_binary)
		return fail(into,
			    "'%s' is in %s, which is binary and cannot be edited. Rename the clip to add it, for "
			    "example to 'new/%s'",
			    cue->name, cue->file == NULL ? document->shown : cue->file, cue->name);
	if (into->options->into.follow == NULL)
		return fail(into,
			    "'%s' is in another file: " ANIM_OPTION_TO(
				"emit", "into", "%s") " changes that, " ANIM_OPTION("emit", "follow") " changes both",
			    cue->name, document->shown);
	if ((version_of(document) == ANIM_GODOT_3) != godot_print_is_3(&writer->print) ||
	    (document->format == 1) != writer->print.godot2)
		return fail(
		    into,
		    "'%s' is in a file of another Godot version: " ANIM_OPTION_TO("emit", "into", "%s") " changes that",
		    cue->name, document->shown);
	file->next = anim_arena_zeroed(&into->arena, 1, sizeof *file, into->context.error);
	if (file->next == NULL)
		return -1;
	*file->next = (struct godot_into_file){.document = document, .path = document->shown, .info = document->info};
	file->next->print.digits = writer->print.digits;
	use(into, writer, file->next);
	return start_file(into, &writer->print);
}

/* Replace the animation by the clip. Returns 0 or -1. */
static int bind(struct godot_into *into, struct godot_writer *writer, const struct godot_cue *cue, size_t clip)
{
	struct godot_clip *animation = godot_document_clip(cue->document, cue->animation);
	struct godot_twin twin = {.first = animation->clip, .clip = clip, .name = cue->name};
	const struct godot_run *run;
	size_t tracks = 0;

	if (animation->replaced && is_single(into))
		return fail(into, "it has one animation, but there are several clips; choose one with " ANIM_OPTION_TO(
				      "parse", "clip", "NAME"));
	if (animation->replaced)
		return anim_buffer_append(&into->twins, &twin, sizeof twin, into->context.error);
	if (follow(into, writer, cue) != 0 ||
	    anim_into_replaces(&into->options->into, cue->name, into->context.error) != 0)
		return -1;
	animation->replaced = true;
	animation->clip = clip;
	if (animation->used > 1 &&
	    anim_diagnostics_note(
		into->options->diagnostics, "animation", into->context.error,
		"'%s' (%u names or players): played under several names or by several players, which all change",
		cue->name, animation->used) != 0)
		return -1;

	/* Delete the content of the Animation, and insert the head and the tracks of the clip in its place. */
	if (animation->runs == 0) {
		uint64_t body = section_at(into, animation->section)->body;

		return add_edit(into, GODOT_EDIT_BODY, body, body, clip, false);
	}
	run = (const struct godot_run *)(const void *)into->file->document->runs.data + animation->first_run;
	while (tracks < animation->runs && !run[tracks].tracks)
		tracks++;
	for (size_t i = 0; i < animation->runs; i++) {
		enum godot_edit_kind kind = i == 0 ? GODOT_EDIT_HEAD : GODOT_EDIT_DELETE;

		if (i == tracks)
			kind = GODOT_EDIT_TRACKS;
		if (i == 0 && (tracks == 0 || tracks == animation->runs))
			kind = GODOT_EDIT_BODY;
		if (add_edit(into, kind, kind == GODOT_EDIT_DELETE ? run[i].before : run[i].from, run[i].to, clip,
			     false) != 0)
			return -1;
	}
	return 0;
}

/* Return 1 if two clips of the store have the same content, 0 if they differ, or -1. */
static int compare_clips(struct anim_store *store, size_t a, size_t b, struct anim_error *error)
{
	const struct anim_clip *one = anim_store_clip(store, a), *other = anim_store_clip(store, b);
	size_t count = anim_store_tracks(store, a);
	struct anim_buffer bytes = {0};
	int result = one->start_s == other->start_s && one->end_s == other->end_s && one->loop == other->loop &&
		     count == anim_store_tracks(store, b);

	for (size_t i = 0; i < count && result == 1; i++) {
		struct anim_track track;

		bytes.size = 0;
		if (anim_store_read(store, a, i, &track, error) != 0 ||
		    anim_buffer_append(&bytes, track.record->bytes, track.record->size, error) != 0 ||
		    anim_store_read(store, b, i, &track, error) != 0)
			result = -1;
		else
			result = track.record->size == bytes.size &&
				 memcmp(track.record->bytes, bytes.data, bytes.size) == 0;
	}
	anim_buffer_clear(&bytes);
	return result;
}

/* ---- The player of a clip that the file does not have ---- */

/* Return true if the node is part of a scene that this one instances below its root, and not the instance itself. */
static bool is_instanced(const struct godot_tree *tree, uint32_t node)
{
	while ((node = godot_tree_node(tree, node)->parent) != GODOT_NO_NODE && node != 0)
		if (godot_tree_node(tree, node)->extra != NULL && godot_tree_node(tree, node)->extra->instance != NULL)
			return true;
	return false;
}

/* Return the path of the only AnimationPlayer without animations, or NULL if there is not exactly one. */
static const char *find_empty_player(struct godot_into *into)
{
	const struct godot_tree *tree = &into->document.tree;
	uint32_t found = GODOT_NO_NODE;

	for (uint32_t i = 0; i < godot_tree_count(tree); i++) {
		if (strcmp(godot_tree_node(tree, i)->type, "AnimationPlayer") != 0 || is_instanced(tree, i))
			continue;
		if (found != GODOT_NO_NODE)
			return NULL;
		found = i;
	}
	return found == GODOT_NO_NODE ? NULL : godot_tree_resolve(tree, found, ".", &into->arena, into->context.error);
}

/*
 * Return the path of a scene that this one instances: the one from the file of the clip, or the first one. NULL if it
 * instances none, or if out of memory.
 */
static const char *instance_of(struct godot_into *into, const struct godot_written_clip *clip)
{
	const struct godot_tree *tree = &into->document.tree;
	const char *file = clip->scope == NULL || clip->scope->file == NULL ? "" : anim_path_last(clip->scope->file);
	uint32_t found = GODOT_NO_NODE;

	for (uint32_t i = 1; i < godot_tree_count(tree); i++) {
		const struct godot_node_extra *extra = godot_tree_node(tree, i)->extra;

		if (extra == NULL || extra->instance == NULL || is_instanced(tree, i))
			continue;
		if (strcmp(anim_path_last(extra->instance), file) == 0) {
			found = i;
			break;
		}
		found = found == GODOT_NO_NODE ? i : found;
	}
	return found == GODOT_NO_NODE ? NULL : godot_tree_resolve(tree, found, ".", &into->arena, into->context.error);
}

/*
 * Return the path of the player to which the clip is added. It is empty in a resource file, and NULL with an error if
 * it cannot be determined.
 */
static const char *choose_player(struct godot_into *into, const struct godot_written_clip *clip, const char *name)
{
	const char *wanted = player_wanted(into, clip);
	const struct godot_player *players = into->document.players;
	uint32_t node;

	if (is_closed(into)) {
		fail(into, "it has several animations, none of them '%s', and no library to add one to", name);
		return NULL;
	}
	if (into->document.kind == GODOT_RESOURCE_FILE)
		return "";
	if (wanted != NULL &&
	    (into->options->into.player != NULL || anim_map_get(&into->nodes, 0, wanted, strlen(wanted), &node)))
		return wanted;
	if (players != NULL && players->next == NULL)
		return players->path;
	if (players == NULL && (wanted = find_empty_player(into)) != NULL)
		return wanted;
	if (players != NULL)
		fail(into,
		     "it has several players, and none has '%s'; choose one with " ANIM_OPTION_TO("emit", "player",
												  "PATH"),
		     name);
	else if ((wanted = instance_of(into, clip)) != NULL)
		fail(into,
		     "it has no AnimationPlayer for '%s'; create one at the model: " ANIM_OPTION_TO("emit", "player",
												    "%s/Clips"),
		     name, wanted);
	else
		fail(into,
		     "it has no AnimationPlayer for '%s'; choose one with " ANIM_OPTION_TO("emit", "player", "PATH"),
		     name);
	return NULL;
}

/* Return true if this library of the player belongs to the scene that this one inherits, so that it cannot change. */
static bool is_inherited(const struct godot_into *into, const struct godot_player *player, const char *library)
{
	for (uint32_t at = player->libraries.first; at != 0; at = godot_slot_at(&into->context, at - 1)->next)
		if (strcmp(godot_slot_at(&into->context, at - 1)->name, library) == 0)
			return godot_slot_at(&into->context, at - 1)->to.document != &into->document;
	return false;
}

/*
 * A new clip for an inherited library gets another library, named after its file as the editor names a library that it
 * loads. Returns 1 if the clip got one, 0 if it does not need one, or -1.
 */
static int leave_inherited(struct godot_into *into, struct godot_writer *writer, struct godot_written_clip *written,
			   const char *name)
{
	const char *path = choose_player(into, written, name),
		   *file = written->scope == NULL ? NULL : written->scope->file;
	struct anim_error *error = into->context.error;
	const struct godot_player *player = into->document.players;
	const char *base, *library;
	bool changed = false;

	while (path != NULL && player != NULL && strcmp(player->path, path) != 0)
		player = player->next;
	if (path == NULL || player == NULL || !is_inherited(into, player, written->library))
		return path == NULL ? -1 : 0;
	base = anim_read_base_name(file == NULL ? "" : anim_path_last(file), &into->arena, error);
	library = base == NULL ? NULL : godot_writer_clean(writer, base, strlen(base), &changed);
	while (library != NULL && is_inherited(into, player, library))
		library = anim_arena_printf(&into->arena, error, "%s_2", library);
	if (library == NULL ||
	    anim_diagnostics_warn(
		into->options->diagnostics, "clip", error,
		"'%s' (now '%s/%s'): in a library of its own, because an inherited library cannot change", name,
		library, written->name) != 0)
		return -1;
	written->library = library;
	return 1;
}

int godot_into_clip(struct godot_into *into, struct godot_writer *writer, struct godot_written_clip *written,
		    size_t clip, struct anim_error *error)
{
	const struct godot_cue *cue = NULL;
	const char *name, *file = written->scope == NULL ? NULL : written->scope->file;
	struct anim_stat info;
	uint32_t number;
	int found;

	into->context.error = error;
	use(into, writer, &into->own);
	name = godot_full_name(written->library, written->name, &into->arena, into->context.error);
	found = name == NULL ? -1 : find_cue(into, written, name, &number);
	if (found == 0 && into->document.kind != GODOT_RESOURCE_FILE) {
		found = leave_inherited(into, writer, written, name);
		if (found > 0)
			name = godot_full_name(written->library, written->name, &into->arena, error);
		if (found > 0)
			found = name == NULL ? -1 : find_cue(into, written, name, &number);
	}
	if (found > 0)
		cue = cue_at(into, number);
	if (found < 0 || (cue != NULL && bind(into, writer, cue, clip) != 0))
		return -1;
	written->bound = cue != NULL;
	written->plays = cue == NULL ? NULL : cue->player;
	if (cue != NULL)
		written->player = cue->player == NULL ? "" : cue->player->path;
	/* Literals of a clip from the current file may use its ids. */
	if (file != NULL && ((cue != NULL && cue->file != NULL && strcmp(cue->file, file) == 0) ||
			     (anim_sys_stat(file, &info) == 0 && anim_is_same_file(&info, &into->file->info))))
		written->subs = &into->file->document->externals.subs;
	else
		written->subs = NULL;
	return 0;
}

/* Find the node at which the paths of the tracks of the clip begin. Returns false if the tree has no such node. */
static bool find_root(const struct godot_into *into, const struct godot_written_clip *clip, uint32_t *root)
{
	const struct godot_player *player = clip->plays;
	const char *path = player == NULL ? clip->root : "..";

	if (player != NULL && player->root_node != NULL && player->root_node[0] != '\0')
		path = player->root_node;
	return godot_tree_find(&into->document.tree, player == NULL ? 0 : player->node, path, root);
}

float godot_into_motion_scale(const struct godot_into *into, const struct godot_written_clip *clip, const char *node)
{
	uint32_t root;

	if (godot_tree_count(&into->document.tree) == 0)
		return 0;
	return find_root(into, clip, &root) ? godot_tree_motion_scale(&into->document.tree, root, node) : 1;
}

/* ---- Tracks that would animate nothing ---- */

/* Return true if the node may have the bone: it has a bone of this name, or its bones are not completely known. */
static bool has_bone(const struct godot_tree *tree, uint32_t number, const char *bone)
{
	const struct godot_node *node = godot_tree_node(tree, number);
	const struct anim_buffer *bones = node->extra == NULL ? NULL : &node->extra->bones;
	const struct godot_bone *at = bones == NULL ? NULL : (const struct godot_bone *)(const void *)bones->data;
	size_t count = bones == NULL ? 0 : bones->size / sizeof *at;

	for (size_t i = 0; i < count; i++)
		if (at[i].name == NULL || strcmp(at[i].name, bone) == 0)
			return true;
	return count == 0 || (node->flags & GODOT_NODE_UNREAD) != 0;
}

/*
 * Return true if a track with this path animates a node of the file, or may do so because scenes in the file have not
 * been read. The path is modified.
 */
static bool may_bind(const struct godot_into *into, uint32_t root, char *path, bool is_pose)
{
	const struct godot_tree *tree = &into->document.tree;
	char *colon = strchr(path, ':');
	uint32_t node;

	if (path[0] == '/')
		return true;
	if (godot_tree_find(tree, root, path, &node))
		return !is_pose || colon == NULL || has_bone(tree, node, colon + 1);
	for (char *slash; (slash = strrchr(path, '/')) != NULL;) {
		*slash = '\0';
		if (godot_tree_find(tree, root, path, &node))
			return (godot_tree_node(tree, node)->flags & GODOT_NODE_UNREAD) != 0;
	}
	return (godot_tree_node(tree, root)->flags & GODOT_NODE_UNREAD) != 0;
}

/*
 * Return true if the stream has a tree that does not contain the node. Such a track already had no effect in its
 * source, for example a scene whose own clips are put into it again.
 */
static bool is_lost_before(struct godot_writer *writer, const struct godot_written_clip *written, const char *node)
{
	const char *path;

	node = godot_source_node(&written->names, node);
	path = anim_arena_text(&writer->scratch, node, strcspn(node, ":"), NULL);
	if (godot_nodes_count(&writer->nodes) == 0 || path == NULL || path[0] == '%')
		return false;
	path = anim_tree_path(written->root, path[0] == '\0' ? "." : path, &writer->scratch, NULL);
	return path == NULL || godot_nodes_find(&writer->nodes, path) == GODOT_NO_PARENT;
}

/*
 * Count the tracks of the clip that animate no node of the file. *first is the node of the first one. Returns 0 or -1.
 */
static int count_lost(struct godot_into *into, struct godot_writer *writer, size_t clip, uint32_t root, size_t *lost,
		      const char **first)
{
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	size_t count = anim_store_tracks(writer->store, clip);

	*lost = 0;
	for (size_t i = 0; i < count; i++) {
		const struct anim_store_track *stored = anim_store_track_at(writer->store, clip, i);
		const struct anim_track track = {.node = stored->node,
						 .property = stored->property,
						 .type = stored->type,
						 .kind = stored->kind,
						 .component = stored->component};
		const char *node;
		char *path = NULL;

		anim_arena_reset(&writer->scratch);
		node = godot_written_track_node(&written->names, &track, &writer->scratch, into->context.error);
		if (node != NULL)
			path = anim_arena_text(&writer->scratch, node, strlen(node), into->context.error);
		if (path == NULL)
			return -1;
		if (may_bind(into, root, path, anim_text_is_word("position rotation scale", stored->property)) ||
		    is_lost_before(writer, written, node))
			continue;
		*first = (*lost)++ == 0 ? stored->node : *first;
	}
	return 0;
}

/*
 * Find the node of the file below which the clip has its nodes: the root of the scene, or the node below `root` with a
 * node at the path of the clip's track, for example the instance of the model that the clip is from. If there are
 * several, it is the one at which --player creates the player. Returns its path from `root` in *below, or NULL, and 0
 * or -1.
 */
static int find_model(struct godot_into *into, uint32_t root, const char *path, const char **below)
{
	const struct godot_tree *tree = &into->document.tree;
	const char *player = into->options->into.player, *slash = player == NULL ? NULL : strrchr(player, '/');
	uint32_t node, found = GODOT_NO_NODE, other = GODOT_NO_NODE, above, home = GODOT_NO_NODE;
	const char *colon = strchr(path, ':'), *from, *to;

	*below = NULL;
	if (slash != NULL) {
		from = anim_arena_text(&into->arena, player, (size_t)(slash - player), into->context.error);
		if (from == NULL || !godot_tree_find(tree, 0, from, &home))
			home = GODOT_NO_NODE;
	}
	if (root != 0 && godot_tree_find(tree, 0, path, &node) && (colon == NULL || has_bone(tree, node, colon + 1))) {
		*below = "..";
		for (above = root; (above = godot_tree_node(tree, above)->parent) != 0 && *below != NULL;)
			*below = anim_arena_printf(&into->arena, into->context.error, "%s/..", *below);
		return *below == NULL ? -1 : 0;
	}
	for (uint32_t i = root + 1; i < godot_tree_count(tree) && path[0] != '/' && path[0] != '%'; i++) {
		if (!godot_tree_find(tree, i, path, &node) || node == i ||
		    (colon != NULL && !has_bone(tree, node, colon + 1)))
			continue;
		for (above = i; above != root && above != GODOT_NO_NODE;)
			above = godot_tree_node(tree, above)->parent;
		if (above != root)
			continue;
		other = found != GODOT_NO_NODE && other == GODOT_NO_NODE ? i : other;
		found = found == GODOT_NO_NODE || i == home ? i : found;
	}
	if (found == GODOT_NO_NODE || (other != GODOT_NO_NODE && found != home && into->options->into.force))
		return 0;
	from = godot_tree_resolve(tree, root, ".", &into->arena, into->context.error);
	to = godot_tree_resolve(tree, found, ".", &into->arena, into->context.error);
	if (from == NULL || to == NULL)
		return -1;
	if (other != GODOT_NO_NODE && found != home) {
		from = godot_tree_resolve(tree, other, ".", &into->arena, into->context.error);
		return from == NULL ? -1
				    : fail(into,
					   "several of its nodes have '%.100s': '%.100s', '%.100s'; choose one with a "
					   "player there: " ANIM_OPTION_TO("emit", "player", "%.100s/Clips"),
					   path, to, from, to);
	}
	*below = root == 0 ? to : to + strlen(from) + 1;
	return 0;
}

/*
 * Warn about tracks of the clip that animate no node of the file. If no track animates a node, this is an error without
 * --force. Returns 0 or -1.
 */
static int check_binds(struct godot_into *into, struct godot_writer *writer, size_t clip)
{
	struct godot_written_clip *written = godot_writer_clip(writer, clip);
	size_t count = anim_store_tracks(writer->store, clip), lost;
	const char *first = NULL;
	uint32_t root;

	if (godot_tree_count(&into->document.tree) == 0 || into->file != &into->own || !find_root(into, written, &root))
		return 0;
	if (count_lost(into, writer, clip, root, &lost, &first) != 0)
		return -1;
	if (lost > 0 && lost == count && !written->names.from_godot) {
		const struct anim_store_track *stored = anim_store_track_at(writer->store, clip, 0);
		const struct anim_track track = {
		    .node = stored->node, .property = stored->property, .type = stored->type};
		const char *node, *below;

		/* Search for the nodes of another program's clip below another node of the file. */
		anim_arena_reset(&writer->scratch);
		node = godot_written_track_node(&written->names, &track, &writer->scratch, into->context.error);
		if (node == NULL || find_model(into, root, node, &below) != 0)
			return -1;
		written->names.below = below;
		if (count_lost(into, writer, clip, root, &lost, &first) != 0)
			return -1;
	}
	if (lost > 0 && lost == count && !into->options->into.force)
		return fail(
		    into,
		    "no track of clip '%.100s' animates a node of the file: the clip has '%.100s'; " ANIM_OPTION(
			"emit", "force") " writes it anyway",
		    written->name, first);
	if (lost == 0)
		return 0;
	return anim_diagnostics_warn(into->options->diagnostics, NULL, into->context.error,
				     "%zu of %zu tracks of clip '%.100s' animate no node of %s (first '%.100s')", lost,
				     count, written->name, into->file->path, first);
}

/* ---- Adding clips that the file does not have ---- */

/* Return the next number that no id of a sub_resource has, such as "Animation_7" or 7. */
static size_t next_id(struct godot_into *into, const struct godot_print *print, const char *prefix)
{
	char id[64];
	uint32_t known;
	int length;

	do {
		into->last_id++;
		length = godot_print_is_3(print) ? snprintf(id, sizeof id, "%zu", into->last_id)
						 : snprintf(id, sizeof id, "%s_%zu", prefix, into->last_id);
	} while (anim_map_get(&into->document.externals.subs, 0, id, (size_t)length, &known));
	return into->last_id;
}

/*
 * Find the player at the path of the home, or the position at which to create it. A player of the scene that this one
 * inherits gets its new libraries by a [node] without a type, as the editor writes it. Returns 0 or -1.
 */
static int find_player(struct godot_into *into, struct godot_home *home)
{
	const struct godot_tree *tree = &into->document.tree;
	size_t count = godot_tree_count(tree);
	const struct godot_node *found;

	if (into->document.kind == GODOT_RESOURCE_FILE)
		return 0;
	home->end = into->ends[count];
	if (count == 0)
		return 0;
	if (!godot_tree_find(tree, 0, home->player, &home->node)) {
		found = godot_tree_node(tree, home->node);
		home->node = GODOT_NO_NODE;
		while ((found->extra == NULL || found->extra->unread == NULL) && found->parent != GODOT_NO_NODE)
			found = godot_tree_node(tree, found->parent);
		if (found->extra == NULL || found->extra->unread == NULL || into->options->into.force)
			return 0;
		return fail(into,
			    "'%s', which may have the player '%s', is not read: %s. " ANIM_OPTION(
				"emit", "force") " creates the player",
			    found->extra->instance, home->player, found->extra->unread);
	}
	found = godot_tree_node(tree, home->node);
	home->have = found->extra == NULL ? NULL : found->extra->player;
	if (into->ends[home->node] != 0) {
		home->end = into->ends[home->node];
		return 0;
	}
	if (is_instanced(tree, home->node))
		return fail(
		    into,
		    "the player '%s' is in a scene that it instances; create another one beside it: " ANIM_OPTION_TO(
			"emit", "player", "%.*sClips"),
		    home->player, (int)(anim_path_last(home->player) - home->player), home->player);
	if (home->have != NULL && home->have->libraries.first != 0 && !home->have->by_name)
		return fail(into,
			    "before Godot 4.6 the inherited player '%s' would lose its clips: create another one "
			    "with " ANIM_OPTION_TO("emit", "player", "PATH"),
			    home->player);
	home->from_base = true;
	return 0;
}

/*
 * Find the library of the player with this name. Returns 1 with *library set, 0 if not found, or -1 if it is in another
 * file.
 */
static int find_library(struct godot_into *into, const struct godot_player *player, const char *name,
			const struct godot_library **library)
{
	for (uint32_t at = player->libraries.first; at != 0;) {
		const struct godot_slot *slot = godot_slot_at(&into->context, at - 1);
		uint32_t number;

		at = slot->next;
		if (strcmp(slot->name, name) != 0)
			continue;
		if (slot->to.kind != GODOT_REFERENCE_SUB || slot->to.document != &into->document ||
		    !anim_map_get(&into->document.ids, GODOT_SCOPE_LIBRARY, slot->to.id, strlen(slot->to.id), &number))
			return fail(
			    into,
			    "its library '%s' is in another file: use " ANIM_OPTION("emit", "into") " with that file",
			    name);
		*library = godot_document_library(&into->document, number);
		return 1;
	}
	return 0;
}

/* Scopes of by_home: players, existing libraries, the libraries of each player, the added clips of each home. */
enum { BY_PLAYER, BY_EXISTING, BY_LIBRARY };
#define ADDED ((uint64_t)1 << 32)

/* Find the home for a clip, and create it if necessary. Returns 0 or -1. */
static int find_home(struct godot_into *into, const struct godot_print *print, const struct godot_written_clip *clip,
		     const char *name, uint32_t *number)
{
	struct godot_home home = {.player = choose_player(into, clip, name),
				  .library = clip->library,
				  .node = GODOT_NO_NODE,
				  .before = into->below,
				  .first = NO_NUMBER,
				  .last = NO_NUMBER,
				  .next = NO_NUMBER,
				  .made = NO_NUMBER};
	struct anim_error *error = into->context.error;
	struct anim_map *map = &into->by_home;
	uint32_t head = NO_NUMBER; /* the first home of the player */

	if (home.player == NULL)
		return -1;
	if (anim_map_get(map, BY_PLAYER, home.player, strlen(home.player), &head) &&
	    anim_map_get(map, BY_LIBRARY + (uint64_t)head, home.library, strlen(home.library), number))
		return 0;

	/* Find the place for clips of this player and library. */
	if (find_player(into, &home) != 0)
		return -1;
	if (into->document.main_library != 0)
		home.existing = godot_document_library(&into->document, into->document.main_library - 1);
	else if (home.have != NULL && !godot_print_is_3(print) &&
		 find_library(into, home.have, home.library, &home.existing) < 0)
		return -1;
	if (home.existing != NULL)
		home.before = section_at(into, home.existing->section)->tag;
	else if (!godot_print_is_3(print))
		home.id = next_id(into, print, "AnimationLibrary");
	if (home.existing != NULL && /* two players use it */
	    anim_map_get(map, BY_EXISTING, home.existing->id, strlen(home.existing->id), number))
		return 0;

	/* Append the home to the homes of its player. */
	*number = (uint32_t)(into->homes.size / sizeof home);
	home.head = head == NO_NUMBER ? *number : head;
	home.tail = *number;
	if (anim_buffer_append(&into->homes, &home, sizeof home, error) != 0)
		return -1;
	if (head != NO_NUMBER) {
		home_at(into, home_at(into, head)->tail)->next = *number;
		home_at(into, head)->tail = *number;
	} else if (anim_map_put(map, BY_PLAYER, home.player, strlen(home.player), *number, error) != 0) {
		return -1;
	}
	if (home.existing != NULL &&
	    anim_map_put(map, BY_EXISTING, home.existing->id, strlen(home.existing->id), *number, error) != 0)
		return -1;
	return anim_map_put(map, BY_LIBRARY + (uint64_t)home.head, home.library, strlen(home.library), *number, error);
}

/* Add a clip that replaces none, at its home. Returns 0 or -1. */
static int add(struct godot_into *into, const struct godot_writer *writer, size_t clip)
{
	struct godot_written_clip *written = godot_writer_clip(writer, clip);
	struct anim_error *error = into->context.error;
	const char *full = godot_full_name(written->library, written->name, &into->arena, error), *name = written->name;
	struct godot_added added = {.clip = (uint32_t)clip, .next = NO_NUMBER};
	struct godot_home *home;
	uint64_t scope = 0;
	uint32_t number;

	if (full == NULL || find_home(into, &writer->print, written, full, &added.home) != 0)
		return -1;
	home = home_at(into, added.home);

	/* The name must be free: neither an added clip has it, nor an existing clip that cannot be read. */
	if (home->existing != NULL)
		scope = home->existing->animations.scope;
	else if (home->have != NULL)
		scope = home->have->own.scope;
	if (scope != 0 && anim_map_get(&into->context.names, scope, name, strlen(name), &number))
		return fail(into, "its '%s' cannot be read; " ANIM_ADVICE_TO(LOOK_AT, "%s"), full, into->file->path);
	if (anim_map_get(&into->by_home, ADDED + added.home, name, strlen(name), &number))
		return fail(
		    into,
		    "there are several clips for its '%s'; choose one with " ANIM_OPTION_TO("parse", "clip", "NAME"),
		    full);
	if (anim_map_put(&into->by_home, ADDED + added.home, name, strlen(name), 0, error) != 0)
		return -1;

	written->plays = home->have;
	written->player = home->player;
	added.id = next_id(into, &writer->print, "Animation");
	into->file->steps++;
	if (anim_diagnostics_note(into->options->diagnostics, "clip", error, "'%s': new in %s", full,
				  into->file->path) != 0)
		return -1;
	number = (uint32_t)added_count(into);
	if (home->first == NO_NUMBER)
		home->first = number;
	else
		added_at(into, home->last)->next = number;
	home->last = number;
	return anim_buffer_append(&into->added, &added, sizeof added, error);
}

/* ---- Removing clips that only the file has, with --only ---- */

/* Mark the players that have clips of the stream, and their libraries. They keep only these clips. Returns 0 or -1. */
static int find_restricted(struct godot_into *into)
{
	struct anim_error *error = into->context.error;

	for (size_t i = 0; i < cue_count(into); i++) {
		const struct godot_cue *cue = cue_at(into, i);

		if (cue->player != NULL && godot_document_clip(cue->document, cue->animation)->replaced &&
		    anim_text_set_add(&into->restricted, cue->player->path, strlen(cue->player->path), error) < 0)
			return -1;
	}
	for (size_t i = 0; i < into->homes.size / sizeof(struct godot_home); i++) {
		const char *path = home_at(into, i)->player;

		if (anim_text_set_add(&into->restricted, path, strlen(path), error) < 0)
			return -1;
	}
	for (const struct godot_player *player = into->document.players; player != NULL; player = player->next)
		for (uint32_t at = player->libraries.first; at != 0; at = godot_slot_at(&into->context, at - 1)->next) {
			const char *id = godot_slot_at(&into->context, at - 1)->to.id;

			if (anim_text_set_has(&into->restricted, player->path, strlen(player->path)) &&
			    anim_text_set_add(&into->restricted_libraries, id, strlen(id), error) < 0)
				return -1;
		}
	return 0;
}

/*
 * Delete entries of a dictionary or a list of properties. *kept is whether any entry is left. `used` has flags for each
 * Animation: 1 if an entry is left, 2 if an entry was deleted. Returns 0 or -1.
 */
static int cut_slots(struct godot_into *into, const struct godot_slots *slots, bool restricted, uint8_t *used,
		     bool *kept)
{
	*kept = false;
	for (uint32_t at = slots->first; at != 0; at = godot_slot_at(&into->context, at - 1)->next) {
		const struct godot_slot *slot = godot_slot_at(&into->context, at - 1);
		uint32_t animation;
		bool known =
		    slot->to.kind == GODOT_REFERENCE_SUB && anim_map_get(&into->document.ids, GODOT_SCOPE_ANIMATION,
									 slot->to.id, strlen(slot->to.id), &animation);

		/* Delete the entry if it refers to an Animation of the file that no clip replaces. */
		if (restricted && known && slot->to.document == &into->document &&
		    !godot_document_clip(&into->document, animation)->replaced) {
			used[animation] |= 2;
			if (add_edit(into, GODOT_EDIT_DELETE, slot->from, slot->to_end, 0, false) != 0)
				return -1;
			continue;
		}
		if (known)
			used[animation] |= 1;
		if (!*kept && slot->comma != 0 && at != slots->first &&
		    add_edit(into, GODOT_EDIT_DELETE, slot->comma, slot->comma + 1, 0, false) != 0)
			return -1;
		*kept = true;
	}
	return 0;
}

/* ---- Edits for added parts and for the header ---- */

/*
 * Delete entries with --only and insert entries of new clips, in the libraries and players of the file. Returns 0 or
 * -1.
 */
static int edit_slots(struct godot_into *into)
{
	size_t clips = into->document.clips.size / sizeof(struct godot_clip),
	       libraries = into->document.libraries.size / sizeof(struct godot_library);
	uint8_t *used = anim_arena_zeroed(&into->arena, clips + 1, 1, into->context.error);
	bool *kept = anim_arena_zeroed(&into->arena, libraries + 1, sizeof *kept, into->context.error), any;

	if (used == NULL || kept == NULL)
		return -1;
	for (size_t i = 0; i < libraries; i++) {
		const struct godot_library *library = godot_document_library(&into->document, i);
		const char *id = library->id;
		bool restricted = into->options->into.only &&
				  (id[0] == '\0' || anim_text_set_has(&into->restricted_libraries, id, strlen(id)));

		if (cut_slots(into, &library->animations, restricted, used, &kept[i]) != 0)
			return -1;
	}
	for (const struct godot_player *player = into->document.players; player != NULL; player = player->next)
		if (cut_slots(into, &player->own,
			      anim_text_set_has(&into->restricted, player->path, strlen(player->path)), used,
			      &any) != 0)
			return -1;

	/* Delete the Animations to which no entry refers any more. */
	for (size_t i = 0; i < clips; i++) {
		size_t number = godot_document_clip(&into->document, i)->section;
		uint64_t to = number + 1 < section_count(into) ? section_at(into, number + 1)->tag
							       : section_at(into, number)->end;

		if (used[i] != 2)
			continue;
		into->file->steps--;
		if (add_edit(into, GODOT_EDIT_DELETE, section_at(into, number)->tag, to, 0, false) != 0)
			return -1;
	}

	/* Add the entries of existing libraries. They follow the existing entries. */
	for (size_t i = 0; i < into->homes.size / sizeof(struct godot_home); i++) {
		const struct godot_home *home = home_at(into, i);
		const struct godot_library *library = home->existing;
		uint64_t at;
		bool first;

		if (library == NULL)
			continue;
		at = library->animations.insert != 0 ? library->animations.insert
						     : section_at(into, library->section)->end;
		first = !kept[library - godot_document_library(&into->document, 0)];
		for (uint32_t added = home->first; added != NO_NUMBER; added = added_at(into, added)->next) {
			if (add_edit(into, GODOT_EDIT_ENTRY, at, at, added, first) != 0)
				return -1;
			first = false;
		}
	}
	return 0;
}

/* Add the Animations, libraries and players that the file does not have. Returns 0 or -1. */
static int edit_homes(struct godot_into *into, const struct godot_print *print)
{
	bool old = godot_print_is_3(print);

	for (size_t i = 0; i < added_count(into); i++) {
		const struct godot_home *home = home_at(into, added_at(into, i)->home);

		if (add_edit(into, GODOT_EDIT_ANIMATION, home->before, home->before, i, false) != 0)
			return -1;
	}
	for (uint32_t i = 0; i < into->homes.size / sizeof(struct godot_home); i++) {
		const struct godot_home *home = home_at(into, i);
		struct godot_home *head = home_at(into, home->head);
		uint64_t at =
		    home->have != NULL && home->have->libraries.insert != 0 ? home->have->libraries.insert : home->end;

		if (home->existing != NULL)
			continue;
		into->file->steps += !old;
		if (!old && add_edit(into, GODOT_EDIT_LIBRARY, home->before, home->before, i, false) != 0)
			return -1;
		if (head->made == NO_NUMBER && add_edit(into, GODOT_EDIT_PLAYER, at, at, i, false) != 0)
			return -1;
		if (head->made == NO_NUMBER)
			head->made = i;
	}
	return 0;
}

/* Find a number in the header. Returns false if it is missing. */
static bool find_number(const char *head, size_t size, const char *name, struct godot_edit *edit)
{
	const char *at = (const char *)anim_text_find(head, size, name), *end = head + size;

	if (at == NULL)
		return false;
	at += strlen(name);
	edit->place.from = (uint64_t)(at - head);
	while (at < end && *at >= '0' && *at <= '9')
		edit->what = edit->what * 10 + (uint32_t)(*at++ - '0');
	edit->place.to = (uint64_t)(at - head);
	return edit->place.to > edit->place.from && edit->place.to - edit->place.from < 9;
}

/*
 * Adjust load_steps, and the format if a value requires the newest. Also detects the line endings of the file. Returns
 * 0 or -1.
 */
static int edit_head(struct godot_into *into, struct godot_print *print)
{
	const struct godot_section *head = section_at(into, 0);
	struct godot_edit steps = {0}, format = {0};
	struct anim_input *input = NULL;
	const uint8_t *bytes;
	ssize_t size;
	int result = 0;

	if (anim_text_after(head->name, "gd_") == NULL)
		return 0;
	if (godot_into_open(into, &input) != 0)
		return -1;
	size = anim_input_peek(input, (size_t)head->body + 1, &bytes, into->context.error);
	if (size >= 0 && (uint64_t)size > head->body) {
		print->out.crlf = bytes[head->body] == '\r';
		size = (ssize_t)head->body;
	}
	if (size < 0)
		result = -1;
	else if (find_number((const char *)bytes, (size_t)size, "load_steps=", &steps) && into->file->steps != 0)
		result = add_edit(into, GODOT_EDIT_NUMBER, steps.place.from, steps.place.to,
				  (size_t)((long)steps.what + into->file->steps), false);
	if (result == 0 && print->needs_format4 && find_number((const char *)bytes, (size_t)size, "format=", &format) &&
	    format.what == 3)
		result = add_edit(into, GODOT_EDIT_NUMBER, format.place.from, format.place.to, 4, false);
	anim_input_close(input);
	return result;
}

/* Insert the tags of new ext_resources after the last existing one, or after the header. Returns 0 or -1. */
static int edit_externals(struct godot_into *into, const struct godot_print *print)
{
	size_t known = into->file->document->externals.items.size / sizeof(struct godot_external),
	       all = print->externals.items.size / sizeof(struct godot_print_external);
	uint64_t at = section_at(into, 0)->body;

	if (all <= known)
		return 0;
	into->file->steps += (long)(all - known);
	for (size_t i = 0; i < section_count(into); i++)
		if (strcmp(section_at(into, i)->name, "ext_resource") == 0)
			at = section_at(into, i)->end;
	return add_edit(into, GODOT_EDIT_EXTERNALS, at, at, 0, known == 0);
}

/* ---- Content that is lost if an Animation is replaced ---- */

/* Read a complete Animation, to check that all of it can be read. Returns 0 or -1. */
static int check_animation(struct godot_into *into, struct godot_text *text, const struct godot_clip *clip)
{
	struct anim_diagnostics found = {0};
	struct anim_arena arena = {0};
	struct anim_store *store = anim_store_new(into->options->store_memory, into->context.error);
	struct godot_animation head;
	const struct anim_diagnostic *lost;
	char why[256];
	int result = -1;

	if (store != NULL)
		result = godot_animation_read(text, &into->file->document->externals, into->file->document->format <= 2,
					      store, &found, &arena, &head, into->context.error);
	if (result >= 0)
		result = 0;
	lost = anim_diagnostics_first(&found, ANIM_WARNING);
	if (result == 0 && lost != NULL) {
		anim_diagnostic_print(lost, why, sizeof why);
		result = fail(
		    into,
		    "part of '%s' cannot be read and would be lost: %s; " ANIM_OPTION("emit", "force") " replaces it",
		    clip->id[0] == '\0' ? "the animation" : clip->id, why);
	}
	anim_store_free(store);
	anim_arena_clear(&arena);
	anim_diagnostics_clear(&found);
	return result;
}

/* Fail if a replaced Animation has content that no stream can hold. Returns 0 or -1. */
static int check_lost(struct godot_into *into)
{
	const struct godot_document *document = into->file->document;
	size_t count = document->clips.size / sizeof(struct godot_clip), next = 0;
	struct anim_input *input = NULL;
	struct godot_text *text = NULL;
	struct godot_tag tag;
	int result;

	if (into->options->into.force)
		return 0;
	result = godot_into_open(into, &input);
	if (result == 0)
		result = godot_text_new(&text, input, into->context.error);
	for (size_t section = 0; result == 0; section++) {
		const struct godot_clip *clip;

		result = godot_text_tag(text, &tag);
		if (result <= 0)
			break;
		result = 0;
		while (next < count && godot_document_clip(document, next)->section < section)
			next++;
		if (next == count)
			break;
		clip = godot_document_clip(document, next);
		if (clip->section == section && clip->replaced)
			result = check_animation(into, text, clip);
	}
	godot_text_free(text);
	anim_input_close(input);
	return result;
}

/* ---- Properties that name animations which --only deletes ---- */

/* Return true if a property of this section names an animation: of a player, or of a node in an AnimationTree. */
static bool names_animation(const struct godot_tag *tag, const char *property)
{
	const struct godot_value *type = godot_tag_get(tag, "type");

	if (type == NULL || !godot_value_is_name(type))
		return false;
	if (godot_string_is(&type->text, "AnimationPlayer"))
		return anim_text_is_word("autoplay current_animation assigned_animation", property);
	return godot_string_is(&type->text, "AnimationNodeAnimation") && strcmp(property, "animation") == 0;
}

/* Warn if the value at the cursor is the name of a deleted animation. Returns 0 or -1. */
static int check_named(struct godot_into *into, struct godot_text *text, const struct anim_text_set *deleted,
		       const struct anim_text_set *kept, const char *property, const struct anim_place *place)
{
	struct anim_arena arena = {0};
	struct godot_value value;
	char own[32]; /* reading the value overwrites the name */
	int result;

	snprintf(own, sizeof own, "%s", property);
	result = godot_text_value(text, &arena, &value);
	if (result == 0 && godot_value_is_name(&value) &&
	    anim_text_set_has(deleted, value.text.bytes, value.text.length) &&
	    !anim_text_set_has(kept, value.text.bytes, value.text.length))
		result = anim_diagnostics_add(
		    into->options->diagnostics, ANIM_WARNING, place, "property", into->context.error,
		    "'%s': a deleted animation is still named; change it in Godot" ANIM_DETAIL ": '%.100s'", own,
		    value.text.bytes);
	anim_arena_clear(&arena);
	return result;
}

/* Warn about properties that name animations which --only deletes. Returns 0 or -1. */
static int check_deleted(struct godot_into *into, const struct godot_writer *writer, const uint32_t *order,
			 size_t count)
{
	struct anim_error *error = into->context.error;
	struct anim_text_set deleted = {0}, kept = {0}; /* names of animations */
	struct anim_input *input = NULL;
	struct godot_text *text = NULL;
	struct anim_place place;
	struct godot_tag tag;
	const char *property;
	bool some = false;
	int got, result = -1;

	for (size_t i = 0; i < cue_count(into); i++) {
		const struct godot_cue *cue = cue_at(into, i);
		bool gone = cue->player != NULL && cue->document == &into->document &&
			    anim_text_set_has(&into->restricted, cue->player->path, strlen(cue->player->path)) &&
			    !godot_document_clip(cue->document, cue->animation)->replaced;

		some = some || gone;
		if (anim_text_set_add(gone ? &deleted : &kept, cue->name, strlen(cue->name), error) < 0)
			goto done;
	}
	for (size_t i = 0; i < count; i++) {
		const struct godot_written_clip *clip = godot_writer_clip(writer, order[i]);
		const char *name = godot_full_name(clip->library, clip->name, &into->arena, error);

		if (name == NULL || anim_text_set_add(&kept, name, strlen(name), error) < 0)
			goto done;
	}
	if (some && (godot_into_open(into, &input) != 0 || godot_text_new(&text, input, error) != 0))
		goto done;
	while (some && (got = godot_text_tag(text, &tag)) != 0) {
		while (got > 0 && (got = godot_text_property(text, &property, &place)) > 0)
			if (names_animation(&tag, property) &&
			    check_named(into, text, &deleted, &kept, property, &place) != 0)
				goto done;
		if (got < 0)
			goto done;
	}
	result = 0;
done:
	godot_text_free(text);
	anim_input_close(input);
	anim_text_set_clear(&deleted);
	anim_text_set_clear(&kept);
	return result;
}

int godot_into_write(struct godot_into *into, struct godot_writer *writer, const uint32_t *order, size_t count,
		     struct anim_error *error)
{
	const struct godot_twin *twin = (const struct godot_twin *)(const void *)into->twins.data;

	into->context.error = error;
	use(into, writer, &into->own);

	/*
	 * Several clips may replace one Animation, which the file plays under several names or in several players, if
	 * they are the same.
	 */
	for (size_t i = 0; i < into->twins.size / sizeof *twin; i++) {
		int same = compare_clips(writer->store, twin[i].first, twin[i].clip, error);

		if (same < 0)
			return -1;
		if (same == 0)
			return fail(into,
				    "there are several clips for its '%s'; choose one with " ANIM_OPTION_TO(
					"parse", "clip", "NAME"),
				    twin[i].name);
	}
	for (size_t i = 0; i < count; i++)
		if ((!godot_writer_clip(writer, order[i])->bound && add(into, writer, order[i]) != 0) ||
		    check_binds(into, writer, order[i]) != 0)
			return -1;
	if (godot_writer_group(writer) != 0 || godot_into_read_beside(into, writer) != 0 ||
	    anim_diagnostics_check(into->options->diagnostics, error) != 0)
		return -1;
	for (struct godot_into_file *file = &into->own; file != NULL; file = file->next) {
		use(into, writer, file);
		if (check_lost(into) != 0)
			return -1;
		if (file == &into->own && ((into->options->into.only && find_restricted(into) != 0) ||
					   edit_slots(into) != 0 || edit_homes(into, &writer->print) != 0))
			return -1;
		if (file == &into->own && into->options->into.only && check_deleted(into, writer, order, count) != 0)
			return -1;
		if (edit_externals(into, &writer->print) != 0 || edit_head(into, &writer->print) != 0)
			return -1;
	}
	for (struct godot_into_file *file = &into->own; file != NULL; file = file->next) {
		use(into, writer, file);
		if (godot_into_write_file(into, writer) != 0)
			return -1;
	}
	return 0;
}
