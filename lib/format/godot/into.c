/* into.c: clips put into a file that is there: which of its animations each replaces, and what is added or goes. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/text.h"
#include "format/godot/into.h"
#include "format/godot/text.h"

static int add_edit(struct godot_into *into, enum godot_edit_kind kind, uint64_t from, uint64_t to, size_t what,
		    bool first)
{
	struct godot_edit edit = {from, to, kind, first, (uint32_t)what, (uint32_t)(into->edits.size / sizeof edit)};

	return anim_buffer_append(&into->edits, &edit, sizeof edit, into->context.error);
}

int godot_into_fail(const struct godot_into *into, const char *format, ...)
{
	char text[sizeof into->context.error->message];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	anim_fail(into->context.error, ANIM_BAD_INPUT, "%s", text);
	return anim_error_in_file(into->context.error, into->options->into.file);
}

/* ---- The file as it is ---- */

int godot_into_open(const struct godot_into *into, struct anim_input **input)
{
	return anim_input_open(input, into->options->into.file, NULL, into->context.error);
}

/* Names of what plays, and the players' paths, by which clips are found. 0 or -1. */
static int index_cues(struct godot_into *into)
{
	size_t count = godot_into_cues(into);

	into->paths = anim_arena_zeroed(&into->arena, count + 1, sizeof *into->paths, into->context.error);
	into->next = anim_arena_zeroed(&into->arena, count + 1, sizeof *into->next, into->context.error);
	into->bound = anim_arena_zeroed(&into->arena, count + 1, sizeof *into->bound, into->context.error);
	if (into->paths == NULL || into->next == NULL || into->bound == NULL)
		return -1;
	for (size_t i = count; i > 0; i--) {
		const struct godot_cue *cue = godot_into_cue(into, i - 1);

		into->bound[i - 1] = into->next[i - 1] = NO_CUE;
		into->paths[i - 1] = cue->player == NULL ? ""
							 : godot_player_path(&into->document, cue->player, &into->arena,
									     into->context.error);
		(void)anim_map_get(&into->by_name, 0, cue->name, strlen(cue->name), &into->next[i - 1]);
		if (into->paths[i - 1] == NULL || anim_map_put(&into->by_name, 0, cue->name, strlen(cue->name),
							       (uint32_t)(i - 1), into->context.error) != 0)
			return -1;
	}
	return 0;
}

/* As the file is spelled: by its format, the keys of its libraries, and what its head has. */
static enum anim_godot_version version_of(const struct godot_document *document)
{
	if (document->format <= 2)
		return ANIM_GODOT_3;
	if (document->string_keys)
		return ANIM_GODOT_4_2;
	return document->load_steps || document->sections.size / sizeof(struct godot_section) < 3 ? ANIM_GODOT_4_5
												  : ANIM_GODOT_4_6;
}

/* The ext_resources that the file has are those that new literals refer to. 0 or -1. */
static int seed_externals(const struct godot_into *into, struct godot_print *print)
{
	const struct anim_buffer *items = &into->document.externals.items;
	const struct godot_external *external = (const struct godot_external *)(const void *)items->data;

	for (size_t i = 0; i < items->size / sizeof *external; i++)
		if (godot_print_stands(print, external[i].id, external[i].uid, external[i].path) != 0)
			return -1;
	return 0;
}

/* A lone animation, without a library around it. */
static bool is_single(const struct godot_into *into)
{
	return into->document.kind == GODOT_RESOURCE_FILE && into->document.main_library == 0;
}

static int read_file(struct godot_into *into, struct godot_print *print)
{
	struct anim_input *input = NULL;
	int result = godot_into_open(into, &input);

	if (result == 0 && stat(into->options->into.file, &into->info) != 0)
		result = anim_fail_system(into->context.error, "read");
	if (result == 0)
		result = godot_outline_read(&into->context, input, &into->cues);
	if (result == 0 && anim_input_was_gzip(input))
		result = anim_fail(into->context.error, ANIM_UNSUPPORTED, "it is gzip: unpack it first");
	anim_input_close(input);
	if (result != 0)
		return anim_error_in_file(into->context.error, into->options->into.file);
	if (is_single(into) && godot_into_cues(into) == 0)
		return godot_into_fail(into, "it holds no animation, nor a library or nodes to add one to");
	if (into->document.format == 1)
		return godot_into_fail(into, "it is Godot 2's, whose spelling is not written; save it in Godot 3 once");
	print->version = version_of(&into->document);
	print->needs_format4 = into->document.format == 4 && print->version != ANIM_GODOT_3;
	print->out.error = into->context.error;
	into->nodes = godot_into_section(into, godot_into_sections(into) - 1)->end;
	for (size_t i = godot_into_sections(into); i > 0; i--)
		if (anim_text_is_word("node resource", godot_into_section(into, i - 1)->name))
			into->nodes = godot_into_section(into, i - 1)->tag;
	return seed_externals(into, print) != 0 ? -1 : index_cues(into);
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
	godot_context_clear(&into->context);
	anim_diagnostics_clear(&into->diagnostics);
	anim_arena_clear(&into->arena);
	anim_buffer_clear(&into->cues);
	anim_map_clear(&into->by_name);
	anim_buffer_clear(&into->edits);
	anim_buffer_clear(&into->homes);
	anim_buffer_clear(&into->added);
	free(into);
}

const struct anim_map *godot_into_subs(const struct godot_into *into, const char *file)
{
	struct stat info;

	if (file == NULL || stat(file, &info) != 0 || info.st_dev != into->info.st_dev ||
	    info.st_ino != into->info.st_ino)
		return NULL;
	return &into->document.externals.subs;
}

/* ---- Which of the file's animations a clip is ---- */

/* "lib/walk", as cues are called. NULL out of memory. */
static const char *full_name(struct godot_into *into, const struct godot_written_clip *clip)
{
	return clip->library[0] == '\0'
		   ? clip->name
		   : anim_arena_printf(&into->arena, into->context.error, "%s/%s", clip->library, clip->name);
}

/* The player that the clip is for; NULL: any that has its name. */
static const char *player_wanted(const struct godot_into *into, const struct godot_written_clip *clip)
{
	if (into->options->into.player != NULL)
		return into->options->into.player;
	return clip->names.from_godot && into->document.kind != GODOT_RESOURCE_FILE ? clip->player : NULL;
}

/* "'Hero/AnimationPlayer:walk', 'Cat/AnimationPlayer:walk'". */
static const char *list_cues(struct godot_into *into, uint32_t first)
{
	const char *list = "";

	for (uint32_t at = first; at != NO_CUE && list != NULL; at = into->next[at])
		list = anim_arena_printf(&into->arena, into->context.error, "%s%s'%s:%s'", list,
					 list[0] == '\0' ? "" : ", ", into->paths[at], godot_into_cue(into, at)->name);
	return list;
}

static bool same_animation(const struct godot_cue *a, const struct godot_cue *b)
{
	return a->document == b->document && a->animation == b->animation;
}

/* The cue of the clip's name and player, else of its name where they all play one animation. 1, 0: there is none, -1. */
static int find_cue(struct godot_into *into, const struct godot_written_clip *clip, const char *name, uint32_t *cue)
{
	const char *player = player_wanted(into, clip), *list;
	uint32_t first = NO_CUE;
	bool several = false;

	*cue = 0;
	if (is_single(into))
		return 1;
	if (!anim_map_get(&into->by_name, 0, name, strlen(name), &first))
		return 0;
	for (uint32_t at = first; at != NO_CUE; at = into->next[at]) {
		*cue = at;
		if (player != NULL && strcmp(into->paths[at], player) == 0)
			return 1;
		several |= !same_animation(godot_into_cue(into, at), godot_into_cue(into, first));
	}
	if (into->options->into.player != NULL)
		return 0;
	*cue = first;
	if (!several)
		return 1;
	list = list_cues(into, first);
	return list == NULL
		   ? -1
		   : godot_into_fail(into, "clip '%s' fits several of its animations: %s; name a player with --player",
				     name, list);
}

/* What an Animation holds goes, and the clip's head and tracks come where these stood. 0 or -1. */
static int replace(struct godot_into *into, const struct godot_clip *animation, size_t clip)
{
	const struct godot_run *run =
	    (const struct godot_run *)(const void *)into->document.runs.data + animation->first_run;
	size_t tracks = 0;

	if (animation->runs == 0) {
		uint64_t body = godot_into_section(into, animation->section)->body;

		return add_edit(into, GODOT_EDIT_BODY, body, body, clip, false);
	}
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

/* The animation of another file. */
static int refuse_other(const struct godot_into *into, const struct godot_cue *cue)
{
	return godot_into_fail(into, "'%s' stands in another file; type: anim-emit --into %s", cue->name,
			       cue->document->shown);
}

/* 1: the clip takes the place of one of the file's; 0: the file has none of its name; -1. */
static int bind(struct godot_into *into, const struct godot_written_clip *written, size_t clip)
{
	const char *name = full_name(into, written);
	const struct godot_cue *cue;
	struct godot_clip *animation;
	uint32_t number;
	int found = name == NULL ? -1 : find_cue(into, written, name, &number);

	if (found <= 0)
		return found;
	cue = godot_into_cue(into, number);
	if (cue->document != &into->document)
		return refuse_other(into, cue);
	animation = godot_document_clip(cue->document, cue->animation);
	if (animation->replaced)
		return is_single(into)
			   ? godot_into_fail(into, "it holds one animation, and several clips came; choose one with -c")
			   : godot_into_fail(into, "several clips came for its '%s'; choose one with -c", cue->name);
	animation->replaced = true;
	for (size_t i = 0; i < godot_into_cues(into); i++)
		if (same_animation(godot_into_cue(into, i), cue))
			into->bound[i] = (uint32_t)clip;
	return replace(into, animation, clip) != 0 ? -1 : 1;
}

/* ---- What the file does not have is added ---- */

/* The next number that no sub_resource has, neither "Animation_7" nor 7. */
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

/* The player of that path, or where one is to be made. 0 or -1. */
static int find_player(struct godot_into *into, const char *path, struct godot_home *home)
{
	const struct godot_node_extra *extra;

	home->player = path;
	home->node = GODOT_NO_NODE;
	if (godot_tree_count(&into->document.tree) == 0 || !godot_tree_find(&into->document.tree, 0, path, &home->node))
		home->node = GODOT_NO_NODE;
	for (size_t i = 0; i < godot_into_sections(into); i++) {
		const struct godot_section *section = godot_into_section(into, i);

		if (strcmp(section->name, "node") == 0 && home->end < section->end && home->node == GODOT_NO_NODE)
			home->end = section->end;
		if (home->node != GODOT_NO_NODE && section->node == home->node)
			home->end = section->end;
	}
	if (home->end == 0)
		return godot_into_fail(into, "the player '%s' is a scene's that it instances; write into that one",
				       path);
	if (home->node == GODOT_NO_NODE)
		return 0;
	extra = godot_tree_node(&into->document.tree, home->node)->extra;
	home->have = extra == NULL ? NULL : extra->player;
	return 0;
}

/* The player of the file that new clips are added to. 0 or -1. */
static int choose_player(struct godot_into *into, const struct godot_written_clip *clip, const char *name,
			 struct godot_home *home)
{
	const char *wanted = player_wanted(into, clip), *only = NULL;
	const struct godot_player *players = into->document.players;

	if (into->document.kind == GODOT_RESOURCE_FILE) {
		home->player = "";
		return 0;
	}
	for (const struct godot_player *player = players; player != NULL; player = player->next) {
		const char *path = godot_player_path(&into->document, player, &into->arena, into->context.error);

		if (path == NULL)
			return -1;
		if (wanted != NULL && strcmp(path, wanted) == 0)
			return find_player(into, path, home);
		only = path;
	}
	if (into->options->into.player != NULL)
		return find_player(into, into->options->into.player, home);
	if (players == NULL)
		return godot_into_fail(into, "it has no player of animations for '%s'; name one with --player PATH",
				       name);
	if (players->next != NULL)
		return godot_into_fail(into, "it has several players, and none has '%s'; name one with --player PATH",
				       name);
	return find_player(into, only, home);
}

/* The library that the player has under that name. 1: *library; 0: none; -1: it is another file's. */
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
			return godot_into_fail(into, "its library '%s' stands in another file: write into that one",
					       name);
		*library = godot_document_library(&into->document, number);
		return 1;
	}
	return 0;
}

/* Where the clip is added: one of `homes`. 0 or -1. */
static int find_home(struct godot_into *into, const struct godot_print *print, const struct godot_written_clip *clip,
		     const char *name, uint32_t *number)
{
	struct godot_home home = {.library = clip->library, .node = GODOT_NO_NODE, .before = into->nodes};
	int found = 0;

	if (choose_player(into, clip, name, &home) != 0)
		return -1;
	for (*number = 0; *number < into->homes.size / sizeof home; ++*number)
		if (strcmp(godot_into_home(into, *number)->player, home.player) == 0 &&
		    strcmp(godot_into_home(into, *number)->library, home.library) == 0)
			return 0;
	if (into->document.main_library != 0)
		home.stands = godot_document_library(&into->document, into->document.main_library - 1);
	else if (home.have != NULL && !godot_print_is_3(print))
		found = find_library(into, home.have, home.library, &home.stands);
	if (found < 0)
		return -1;
	if (home.stands != NULL)
		home.before = godot_into_section(into, home.stands->section)->tag;
	else if (!godot_print_is_3(print))
		home.id = next_id(into, print, "AnimationLibrary");
	return anim_buffer_append(&into->homes, &home, sizeof home, into->context.error);
}

static int add(struct godot_into *into, const struct godot_writer *writer, size_t clip)
{
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	const char *name = full_name(into, written);
	struct godot_added added = {.clip = (uint32_t)clip};

	if (name == NULL || find_home(into, &writer->print, written, name, &added.home) != 0)
		return -1;
	added.id = next_id(into, &writer->print, "Animation");
	godot_into_home(into, added.home)->count++;
	into->steps++;
	if (anim_diagnostics_note(into->options->diagnostics, "clips are new in the file", into->context.error,
				  "clip '%s' is new in %s", name, into->options->into.file) != 0)
		return -1;
	return anim_buffer_append(&into->added, &added, sizeof added, into->context.error);
}

/* ---- What only the file has goes with --only ---- */

/* True where the player's own clips were asked to be those of the stream alone. */
static bool is_touched(const struct godot_into *into, const char *player)
{
	for (size_t i = 0; i < godot_into_cues(into); i++)
		if (into->bound[i] != NO_CUE && strcmp(into->paths[i], player) == 0)
			return true;
	for (size_t i = 0; i < into->homes.size / sizeof(struct godot_home); i++)
		if (strcmp(godot_into_home(into, i)->player, player) == 0)
			return true;
	return false;
}

/* True where the slot names an Animation of the file that no clip replaces. */
static bool goes(const struct godot_into *into, const struct godot_slot *slot, uint32_t *animation)
{
	if (!into->options->into.only || slot->to.kind != GODOT_REFERENCE_SUB || slot->to.document != &into->document ||
	    !anim_map_get(&into->document.ids, GODOT_SCOPE_ANIMATION, slot->to.id, strlen(slot->to.id), animation))
		return false;
	return !godot_document_clip(&into->document, *animation)->replaced;
}

/* Takes entries out of a dictionary or a list of properties; *kept: whether any is left. `used` counts by Animation. 0 or -1. */
static int cut_slots(struct godot_into *into, const struct godot_slots *slots, bool touched, uint8_t *used, bool *kept)
{
	*kept = false;
	for (uint32_t at = slots->first; at != 0; at = godot_slot_at(&into->context, at - 1)->next) {
		const struct godot_slot *slot = godot_slot_at(&into->context, at - 1);
		uint32_t animation;

		if (touched && goes(into, slot, &animation)) {
			used[animation] |= 2;
			if (add_edit(into, GODOT_EDIT_DELETE, slot->from, slot->to_end, 0, false) != 0)
				return -1;
			continue;
		}
		if (slot->to.kind == GODOT_REFERENCE_SUB && anim_map_get(&into->document.ids, GODOT_SCOPE_ANIMATION,
									 slot->to.id, strlen(slot->to.id), &animation))
			used[animation] |= 1;
		if (!*kept && slot->comma != 0 && at != slots->first &&
		    add_edit(into, GODOT_EDIT_DELETE, slot->comma, slot->comma + 1, 0, false) != 0)
			return -1;
		*kept = true;
	}
	return 0;
}

/* True where a player that is touched has the library. */
static bool is_library_touched(const struct godot_into *into, const struct godot_library *library)
{
	if (library->id[0] == '\0')
		return true;
	for (size_t i = 0; i < godot_into_cues(into); i++) {
		const struct godot_player *player = godot_into_cue(into, i)->player;

		if (player == NULL || !is_touched(into, into->paths[i]))
			continue;
		for (uint32_t at = player->libraries.first; at != 0; at = godot_slot_at(&into->context, at - 1)->next)
			if (strcmp(godot_slot_at(&into->context, at - 1)->to.id, library->id) == 0)
				return true;
	}
	return false;
}

/* The Animations that nothing names any more. */
static int cut_animations(struct godot_into *into, const uint8_t *used)
{
	for (size_t i = 0; i < into->document.clips.size / sizeof(struct godot_clip); i++) {
		size_t number = godot_document_clip(&into->document, i)->section;
		uint64_t to = number + 1 < godot_into_sections(into) ? godot_into_section(into, number + 1)->tag
								     : godot_into_section(into, number)->end;

		if (used[i] != 2)
			continue;
		into->steps--;
		if (add_edit(into, GODOT_EDIT_DELETE, godot_into_section(into, number)->tag, to, 0, false) != 0)
			return -1;
	}
	return 0;
}

/* ---- The edits of what is added, and of the head ---- */

/* The entries of a library that stands: behind those that it keeps. 0 or -1. */
static int edit_library(struct godot_into *into, const struct godot_library *library, bool kept)
{
	uint64_t at = library->animations.insert;

	if (at == 0)
		at = godot_into_section(into, library->section)->end;
	for (size_t i = 0; i < godot_into_additions(into); i++) {
		if (godot_into_home(into, godot_into_added(into, i)->home)->stands != library)
			continue;
		if (add_edit(into, GODOT_EDIT_ENTRY, at, at, i, !kept) != 0)
			return -1;
		kept = true;
	}
	return 0;
}

/* Of two homes with one player that is to have libraries, the first writes them. */
static bool is_first_of_player(const struct godot_into *into, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (godot_into_home(into, i)->stands == NULL &&
		    strcmp(godot_into_home(into, i)->player, godot_into_home(into, number)->player) == 0)
			return false;
	return true;
}

static int edit_homes(struct godot_into *into, const struct godot_print *print)
{
	bool old = godot_print_is_3(print);

	for (size_t i = 0; i < godot_into_additions(into); i++) {
		const struct godot_home *home = godot_into_home(into, godot_into_added(into, i)->home);

		if (add_edit(into, GODOT_EDIT_ANIMATION, home->before, home->before, i, false) != 0)
			return -1;
	}
	for (size_t i = 0; i < into->homes.size / sizeof(struct godot_home); i++) {
		const struct godot_home *home = godot_into_home(into, i);
		uint64_t at =
		    home->have != NULL && home->have->libraries.insert != 0 ? home->have->libraries.insert : home->end;

		if (home->stands != NULL)
			continue;
		into->steps += !old;
		if ((!old && add_edit(into, GODOT_EDIT_LIBRARY, home->before, home->before, i, false) != 0) ||
		    (is_first_of_player(into, i) && add_edit(into, GODOT_EDIT_PLAYER, at, at, i, false) != 0))
			return -1;
	}
	return 0;
}

/* Where a number of the head stands. False: it has none. */
static bool find_number(const char *head, size_t size, const char *name, struct godot_edit *edit)
{
	const char *at = (const char *)anim_text_find(head, size, name), *end = head + size;

	if (at == NULL)
		return false;
	at += strlen(name);
	edit->from = (uint64_t)(at - head);
	while (at < end && *at >= '0' && *at <= '9')
		edit->what = edit->what * 10 + (uint32_t)(*at++ - '0');
	edit->to = (uint64_t)(at - head);
	return edit->to > edit->from && edit->to - edit->from < 9;
}

/* load_steps follows, and the format where a value wants the newest; lines end as its first one. 0 or -1. */
static int edit_head(struct godot_into *into, struct godot_print *print)
{
	const struct godot_section *head = godot_into_section(into, 0);
	struct godot_edit steps = {0}, format = {0};
	struct anim_input *input = NULL;
	const uint8_t *bytes;
	ssize_t size;
	int result = 0;

	if (anim_text_behind(head->name, "gd_") == NULL)
		return 0;
	if (godot_into_open(into, &input) != 0)
		return -1;
	size = anim_input_peek(input, (size_t)head->body + 1, &bytes, into->context.error);
	if (size >= 0 && (uint64_t)size > head->body) {
		print->crlf = bytes[head->body] == '\r';
		size = (ssize_t)head->body;
	}
	if (size < 0)
		result = -1;
	else if (find_number((const char *)bytes, (size_t)size, "load_steps=", &steps) && into->steps != 0)
		result = add_edit(into, GODOT_EDIT_NUMBER, steps.from, steps.to,
				  (size_t)((long)steps.what + into->steps), false);
	if (result == 0 && print->needs_format4 && find_number((const char *)bytes, (size_t)size, "format=", &format) &&
	    format.what == 3)
		result = add_edit(into, GODOT_EDIT_NUMBER, format.from, format.to, 4, false);
	anim_input_close(input);
	return result;
}

/* The tags of new ext_resources: behind the last that there is, or the head. 0 or -1. */
static int edit_externals(struct godot_into *into, const struct godot_print *print)
{
	size_t known = into->document.externals.items.size / sizeof(struct godot_external),
	       all = print->externals.items.size / sizeof(struct godot_print_external);
	uint64_t at = godot_into_section(into, 0)->body;

	if (all <= known)
		return 0;
	into->steps += (long)(all - known);
	for (size_t i = 0; i < godot_into_sections(into); i++)
		if (strcmp(godot_into_section(into, i)->name, "ext_resource") == 0)
			at = godot_into_section(into, i)->end;
	return add_edit(into, GODOT_EDIT_EXTERNALS, at, at, known, known == 0);
}

/* All edits but those of Animations that are replaced. 0 or -1. */
static int plan(struct godot_into *into, struct godot_print *print)
{
	size_t libraries = into->document.libraries.size / sizeof(struct godot_library);
	uint8_t *used = anim_arena_zeroed(&into->arena, into->document.clips.size / sizeof(struct godot_clip) + 1, 1,
					  into->context.error);
	bool kept;

	if (used == NULL)
		return -1;
	for (size_t i = 0; i < libraries; i++) {
		const struct godot_library *library = godot_document_library(&into->document, i);

		if (cut_slots(into, &library->animations, is_library_touched(into, library), used, &kept) != 0 ||
		    edit_library(into, library, kept) != 0)
			return -1;
	}
	for (const struct godot_player *player = into->document.players; player != NULL; player = player->next) {
		const char *path = godot_player_path(&into->document, player, &into->arena, into->context.error);

		if (path == NULL || cut_slots(into, &player->own, is_touched(into, path), used, &kept) != 0)
			return -1;
	}
	if (cut_animations(into, used) != 0 || edit_homes(into, print) != 0 || edit_externals(into, print) != 0)
		return -1;
	return edit_head(into, print);
}

/* ---- What replacing an Animation would lose ---- */

/* Reads an Animation whole, to see whether all of it can be read. 0 or -1. */
static int check_animation(struct godot_into *into, struct godot_text *text, const struct godot_clip *clip)
{
	struct anim_diagnostics told = {0};
	struct anim_arena arena = {0};
	struct anim_store *store = anim_store_new(into->options->store_memory, into->context.error);
	struct godot_animation head;
	int result = -1;

	if (store != NULL)
		result = godot_animation_read(text, &into->document.externals, into->document.format <= 2, store, &told,
					      &arena, &head, into->context.error);
	if (result >= 0)
		result = 0;
	for (size_t i = 0; i < told.count && result == 0; i++)
		if (told.items[i].severity != ANIM_NOTE)
			result =
			    godot_into_fail(into,
					    "what it has of '%s' cannot be read whole and would be lost: %s; --force "
					    "replaces it",
					    clip->id[0] == '\0' ? "the animation" : clip->id, told.items[i].one);
	anim_store_free(store);
	anim_arena_clear(&arena);
	anim_diagnostics_clear(&told);
	return result;
}

static int check_text(struct godot_into *into, struct godot_text *text)
{
	size_t count = into->document.clips.size / sizeof(struct godot_clip), next = 0;
	struct godot_tag tag;
	int got;

	for (size_t section = 0; (got = godot_text_tag(text, &tag)) > 0; section++) {
		const struct godot_clip *clip;

		while (next < count && godot_document_clip(&into->document, next)->section < section)
			next++;
		if (next == count)
			return 0;
		clip = godot_document_clip(&into->document, next);
		if (clip->section == section && clip->replaced && check_animation(into, text, clip) != 0)
			return -1;
	}
	return got;
}

/* An error where an Animation that is replaced has what no stream holds. 0 or -1. */
static int check_lost(struct godot_into *into)
{
	struct anim_input *input = NULL;
	struct godot_text *text = NULL;
	int result;

	if (into->options->into.force)
		return 0;
	result = godot_into_open(into, &input);
	if (result == 0)
		result = godot_text_new(&text, input, into->context.error);
	if (result == 0)
		result = check_text(into, text);
	godot_text_free(text);
	anim_input_close(input);
	return result;
}

int godot_into_write(struct godot_into *into, struct godot_writer *writer, const uint32_t *order, size_t count,
		     struct anim_error *error)
{
	into->context.error = error;
	for (size_t i = 0; i < count; i++) {
		int bound = bind(into, godot_writer_clip(writer, order[i]), order[i]);

		if (bound < 0 || (bound == 0 && add(into, writer, order[i]) != 0))
			return -1;
	}
	if (check_lost(into) != 0 || plan(into, &writer->print) != 0)
		return -1;
	return godot_into_copy(into, writer);
}
