/* into.c: clips put into a file that is there: what is not one of its animations stays, byte for byte. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/count.h"
#include "base/input.h"
#include "base/text.h"
#include "format/godot/document.h"
#include "format/godot/text.h"
#include "format/godot/writer.h"

/* ---- What is done to the file ---- */

enum edit_kind {
	EDIT_DELETE,
	EDIT_NUMBER,    /* of the head */
	EDIT_EXTERNALS, /* tags of what new literals refer to */
	EDIT_BODY,      /* a clip in the place of what an Animation holds */
	EDIT_HEAD,      /* what is before its tracks, where the file's step is between */
	EDIT_TRACKS,
	EDIT_ANIMATION, /* a clip as a sub_resource */
	EDIT_ENTRY,     /* it in a dictionary of its library, or anims/NAME of its player */
	EDIT_LIBRARY,   /* a library for new clips as a sub_resource */
	EDIT_PLAYER     /* what makes a player have the libraries that are new */
};

struct edit {
	uint64_t from, to; /* bytes of the file that go */
	enum edit_kind kind;
	bool first; /* ENTRY, PLAYER: nothing is before it in its dictionary */
	uint32_t
	    what; /* BODY, HEAD, TRACKS: the clip; ANIMATION, ENTRY: of `added`; LIBRARY, PLAYER: of `homes`; NUMBER */
	uint32_t order;
};

/* Where clips that the file does not have are added. */
struct home {
	const char *player, *library;       /* path in the scene, empty in a resource file; name */
	const struct godot_player *have;    /* NULL: it has neither libraries nor animations */
	const struct godot_library *stands; /* NULL: it is made */
	uint32_t node;                      /* of the player; GODOT_NO_NODE: it is made */
	uint64_t before;                    /* offset of the tag before which the Animations stand */
	uint64_t end;                       /* offset of the end of the player's properties */
	size_t id;                          /* number of a library that is made */
	size_t count;                       /* of clips that are added */
};

struct added {
	uint32_t clip, home;
	size_t id;
};

#define NO_CUE UINT32_MAX

struct godot_into {
	const struct anim_write_options *options;
	struct anim_diagnostics diagnostics; /* of reading the file: only its faults are of interest */
	struct anim_read_options read;
	struct godot_context context;
	struct godot_document document;
	struct stat info; /* of the file when it was read */
	struct anim_arena arena;
	struct anim_buffer cues; /* struct godot_cue: what the file plays */
	const char **paths;      /* of each cue's player, empty where it has none */
	uint32_t *next;          /* of each cue: the next of the same name */
	struct anim_map by_name; /* the first cue of a name */
	uint32_t *bound;         /* of each cue: the writer's clip, NO_CUE */
	struct anim_buffer edits, homes, added;
	size_t last_id; /* of sub_resources, given out or looked at */
	uint64_t nodes; /* offset of the tag of the first node, or of the resource */
	long steps;     /* how many resources more there are than before */
};

static const struct godot_cue *cue_at(const struct godot_into *into, size_t number)
{
	return (const struct godot_cue *)(const void *)into->cues.data + number;
}

static size_t cue_count(const struct godot_into *into)
{
	return into->cues.size / sizeof(struct godot_cue);
}

static struct godot_section *section_at(const struct godot_into *into, size_t number)
{
	return (struct godot_section *)(void *)into->document.sections.data + number;
}

static size_t section_count(const struct godot_into *into)
{
	return into->document.sections.size / sizeof(struct godot_section);
}

static struct home *home_at(const struct godot_into *into, size_t number)
{
	return (struct home *)(void *)into->homes.data + number;
}

static struct added *added_at(const struct godot_into *into, size_t number)
{
	return (struct added *)(void *)into->added.data + number;
}

static size_t added_count(const struct godot_into *into)
{
	return into->added.size / sizeof(struct added);
}

static int add_edit(struct godot_into *into, enum edit_kind kind, uint64_t from, uint64_t to, size_t what, bool first,
		    struct anim_error *error)
{
	struct edit edit = {from, to, kind, first, (uint32_t)what, (uint32_t)(into->edits.size / sizeof edit)};

	return anim_buffer_append(&into->edits, &edit, sizeof edit, error);
}

static int fail(const struct godot_into *into, struct anim_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int fail(const struct godot_into *into, struct anim_error *error, const char *format, ...)
{
	char text[sizeof error->message];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	anim_fail(error, ANIM_BAD_INPUT, "%s", text);
	return anim_error_in_file(error, into->options->into.file);
}

/* ---- The file as it is ---- */

static int open_file(const struct godot_into *into, struct anim_input **input, struct anim_error *error)
{
	return anim_input_open(input, into->options->into.file, NULL, error);
}

/* Names of what plays, and the players' paths, by which clips are found. 0 or -1. */
static int index_cues(struct godot_into *into, struct anim_error *error)
{
	size_t count = cue_count(into);

	into->paths = anim_arena_zeroed(&into->arena, count + 1, sizeof *into->paths, error);
	into->next = anim_arena_zeroed(&into->arena, count + 1, sizeof *into->next, error);
	into->bound = anim_arena_zeroed(&into->arena, count + 1, sizeof *into->bound, error);
	if (into->paths == NULL || into->next == NULL || into->bound == NULL)
		return -1;
	for (size_t i = count; i > 0; i--) {
		const struct godot_cue *cue = cue_at(into, i - 1);

		into->bound[i - 1] = into->next[i - 1] = NO_CUE;
		into->paths[i - 1] =
		    cue->player == NULL ? "" : godot_player_path(&into->document, cue->player, &into->arena, error);
		(void)anim_map_get(&into->by_name, 0, cue->name, strlen(cue->name), &into->next[i - 1]);
		if (into->paths[i - 1] == NULL ||
		    anim_map_put(&into->by_name, 0, cue->name, strlen(cue->name), (uint32_t)(i - 1), error) != 0)
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

static int read_file(struct godot_into *into, struct godot_print *print, struct anim_error *error)
{
	struct anim_input *input = NULL;
	int result = open_file(into, &input, error);

	if (result == 0 && stat(into->options->into.file, &into->info) != 0)
		result = anim_fail_system(error, "read");
	if (result == 0)
		result = godot_outline_read(&into->context, input, &into->cues, error);
	if (result == 0 && anim_input_was_gzip(input))
		result = anim_fail(error, ANIM_UNSUPPORTED, "it is gzip: unpack it first");
	anim_input_close(input);
	if (result != 0)
		return anim_error_in_file(error, into->options->into.file);
	if (into->document.format == 1)
		return fail(into, error, "it is Godot 2's, whose spelling is not written; save it in Godot 3 once");
	print->version = version_of(&into->document);
	print->needs_format4 = into->document.format == 4 && print->version != ANIM_GODOT_3;
	print->out.error = error;
	into->nodes = section_at(into, section_count(into) - 1)->end;
	for (size_t i = section_count(into); i > 0; i--)
		if (anim_text_is_word("node resource", section_at(into, i - 1)->name))
			into->nodes = section_at(into, i - 1)->tag;
	return seed_externals(into, print) != 0 ? -1 : index_cues(into, error);
}

int anim_godot_into(struct anim_write_options *options, struct anim_error *error)
{
	struct anim_input *input = NULL;
	struct godot_text *text = NULL;
	const struct godot_value *format;
	struct godot_tag tag;
	int result = anim_input_open(&input, options->into.file, NULL, error);

	if (result == 0)
		result = godot_text_new(&text, input, error);
	if (result == 0)
		result = godot_text_tag(text, &tag, error) < 0 ? -1 : 0;
	if (result == 0 && (format = godot_tag_get(&tag, "format")) != NULL && format->type == GODOT_INT)
		options->version = format->integer <= 2 ? ANIM_GODOT_3 : ANIM_GODOT_4_5;
	godot_text_free(text);
	anim_input_close(input);
	return result == 0 ? 0 : anim_error_in_file(error, options->into.file);
}

struct godot_into *godot_into_new(const struct anim_write_options *options, struct godot_print *print,
				  struct anim_error *error)
{
	struct godot_into *into = calloc(1, sizeof *into);

	if (into == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	into->options = options;
	into->read = (struct anim_read_options){.diagnostics = &into->diagnostics};
	into->document.want = GODOT_WANT_ALL;
	into->context = (struct godot_context){.options = &into->read, .documents = &into->document};
	if (read_file(into, print, error) == 0)
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

static bool is_single(const struct godot_into *into)
{
	return into->document.kind == GODOT_RESOURCE_FILE && into->document.main_library == 0;
}

/* "lib/walk", as cues are called. NULL out of memory. */
static const char *full_name(struct godot_into *into, const struct godot_written_clip *clip, struct anim_error *error)
{
	return clip->library[0] == '\0' ? clip->name
					: anim_arena_printf(&into->arena, error, "%s/%s", clip->library, clip->name);
}

/* The player that the clip is for; NULL: any that has its name. */
static const char *player_wanted(const struct godot_into *into, const struct godot_written_clip *clip)
{
	if (into->options->into.player != NULL)
		return into->options->into.player;
	return clip->names.from_godot && into->document.kind != GODOT_RESOURCE_FILE ? clip->player : NULL;
}

/* "'Hero/AnimationPlayer:walk', 'Cat/AnimationPlayer:walk'". */
static const char *list_cues(struct godot_into *into, uint32_t first, struct anim_error *error)
{
	const char *list = "";

	for (uint32_t at = first; at != NO_CUE && list != NULL; at = into->next[at])
		list = anim_arena_printf(&into->arena, error, "%s%s'%s:%s'", list, list[0] == '\0' ? "" : ", ",
					 into->paths[at], cue_at(into, at)->name);
	return list;
}

static bool same_animation(const struct godot_cue *a, const struct godot_cue *b)
{
	return a->document == b->document && a->animation == b->animation;
}

/* The cue of the clip's name and player, else of its name where they all play one animation. 1, 0: there is none, -1. */
static int find_cue(struct godot_into *into, const struct godot_written_clip *clip, const char *name, uint32_t *cue,
		    struct anim_error *error)
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
		several |= !same_animation(cue_at(into, at), cue_at(into, first));
	}
	if (into->options->into.player != NULL)
		return 0;
	*cue = first;
	if (!several)
		return 1;
	list = list_cues(into, first, error);
	return list == NULL
		   ? -1
		   : fail(into, error, "clip '%s' fits several of its animations: %s; name a player with --player",
			  name, list);
}

/* What an Animation holds goes, and the clip's head and tracks come where these stood. 0 or -1. */
static int replace(struct godot_into *into, const struct godot_clip *animation, size_t clip, struct anim_error *error)
{
	const struct godot_run *run =
	    (const struct godot_run *)(const void *)into->document.runs.data + animation->first_run;
	size_t tracks = 0;

	if (animation->runs == 0) {
		uint64_t body = section_at(into, animation->section)->body;

		return add_edit(into, EDIT_BODY, body, body, clip, false, error);
	}
	while (tracks < animation->runs && !run[tracks].tracks)
		tracks++;
	for (size_t i = 0; i < animation->runs; i++) {
		enum edit_kind kind = i == 0 ? EDIT_HEAD : EDIT_DELETE;

		if (i == tracks)
			kind = EDIT_TRACKS;
		if (i == 0 && (tracks == 0 || tracks == animation->runs))
			kind = EDIT_BODY;
		if (add_edit(into, kind, kind == EDIT_DELETE ? run[i].before : run[i].from, run[i].to, clip, false,
			     error) != 0)
			return -1;
	}
	return 0;
}

/* The animation of another file. */
static int refuse_other(const struct godot_into *into, const struct godot_cue *cue, struct anim_error *error)
{
	return fail(into, error, "'%s' stands in another file; type: anim-emit --into %s", cue->name,
		    cue->document->shown);
}

/* 1: the clip takes the place of one of the file's; 0: the file has none of its name; -1. */
static int bind(struct godot_into *into, const struct godot_written_clip *written, size_t clip,
		struct anim_error *error)
{
	const char *name = full_name(into, written, error);
	const struct godot_cue *cue;
	struct godot_clip *animation;
	uint32_t number;
	int found = name == NULL ? -1 : find_cue(into, written, name, &number, error);

	if (found <= 0)
		return found;
	cue = cue_at(into, number);
	if (cue->document != &into->document)
		return refuse_other(into, cue, error);
	animation = godot_document_clip(cue->document, cue->animation);
	if (animation->replaced)
		return is_single(into)
			   ? fail(into, error, "it holds one animation, and several clips came; choose one with -c")
			   : fail(into, error, "several clips came for its '%s'; choose one with -c", cue->name);
	animation->replaced = true;
	for (size_t i = 0; i < cue_count(into); i++)
		if (same_animation(cue_at(into, i), cue))
			into->bound[i] = (uint32_t)clip;
	return replace(into, animation, clip, error) != 0 ? -1 : 1;
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
static int find_player(struct godot_into *into, const char *path, struct home *home, struct anim_error *error)
{
	const struct godot_node_extra *extra;

	home->player = path;
	home->node = GODOT_NO_NODE;
	if (godot_tree_count(&into->document.tree) == 0 ||
	    !godot_tree_find(&into->document.tree, 0, path, &home->node))
		home->node = GODOT_NO_NODE;
	for (size_t i = 0; i < section_count(into); i++) {
		const struct godot_section *section = section_at(into, i);

		if (strcmp(section->name, "node") == 0 && home->end < section->end && home->node == GODOT_NO_NODE)
			home->end = section->end;
		if (home->node != GODOT_NO_NODE && section->node == home->node)
			home->end = section->end;
	}
	if (home->end == 0)
		return fail(into, error, "the player '%s' is a scene's that it instances; write into that one", path);
	if (home->node == GODOT_NO_NODE)
		return 0;
	extra = godot_tree_node(&into->document.tree, home->node)->extra;
	home->have = extra == NULL ? NULL : extra->player;
	return 0;
}

/* The player of the file that new clips are added to. 0 or -1. */
static int choose_player(struct godot_into *into, const struct godot_written_clip *clip, const char *name,
			 struct home *home, struct anim_error *error)
{
	const char *wanted = player_wanted(into, clip), *only = NULL;
	const struct godot_player *players = into->document.players;

	if (into->document.kind == GODOT_RESOURCE_FILE) {
		home->player = "";
		return 0;
	}
	for (const struct godot_player *player = players; player != NULL; player = player->next) {
		const char *path = godot_player_path(&into->document, player, &into->arena, error);

		if (path == NULL)
			return -1;
		if (wanted != NULL && strcmp(path, wanted) == 0)
			return find_player(into, path, home, error);
		only = path;
	}
	if (into->options->into.player != NULL)
		return find_player(into, into->options->into.player, home, error);
	if (players == NULL)
		return fail(into, error, "it has no player of animations for '%s'; name one with --player PATH", name);
	if (players->next != NULL)
		return fail(into, error, "it has several players, and none has '%s'; name one with --player PATH",
			    name);
	return find_player(into, only, home, error);
}

/* The library that the player has under that name. 1: *library; 0: none; -1: it is another file's. */
static int find_library(struct godot_into *into, const struct godot_player *player, const char *name,
			const struct godot_library **library, struct anim_error *error)
{
	for (uint32_t at = player->libraries.first; at != 0;) {
		const struct godot_slot *slot = godot_slot_at(&into->context, at - 1);
		uint32_t number;

		at = slot->next;
		if (strcmp(slot->name, name) != 0)
			continue;
		if (slot->to.kind != GODOT_REFERENCE_SUB || slot->to.document != &into->document ||
		    !anim_map_get(&into->document.ids, GODOT_SCOPE_LIBRARY, slot->to.id, strlen(slot->to.id), &number))
			return fail(into, error, "its library '%s' stands in another file: write into that one", name);
		*library = godot_document_library(&into->document, number);
		return 1;
	}
	return 0;
}

/* Where the clip is added: one of `homes`. 0 or -1. */
static int find_home(struct godot_into *into, const struct godot_print *print, const struct godot_written_clip *clip,
		     const char *name, uint32_t *number, struct anim_error *error)
{
	struct home home = {.library = clip->library, .node = GODOT_NO_NODE, .before = into->nodes};
	int found = 0;

	if (choose_player(into, clip, name, &home, error) != 0)
		return -1;
	for (*number = 0; *number < into->homes.size / sizeof home; ++*number)
		if (strcmp(home_at(into, *number)->player, home.player) == 0 &&
		    strcmp(home_at(into, *number)->library, home.library) == 0)
			return 0;
	if (into->document.main_library != 0)
		home.stands = godot_document_library(&into->document, into->document.main_library - 1);
	else if (home.have != NULL && !godot_print_is_3(print))
		found = find_library(into, home.have, home.library, &home.stands, error);
	if (found < 0)
		return -1;
	if (home.stands != NULL)
		home.before = section_at(into, home.stands->section)->tag;
	else if (!godot_print_is_3(print))
		home.id = next_id(into, print, "AnimationLibrary");
	return anim_buffer_append(&into->homes, &home, sizeof home, error);
}

static int add(struct godot_into *into, const struct godot_writer *writer, size_t clip, struct anim_error *error)
{
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	const char *name = full_name(into, written, error);
	struct added added = {.clip = (uint32_t)clip};

	if (name == NULL || find_home(into, &writer->print, written, name, &added.home, error) != 0)
		return -1;
	added.id = next_id(into, &writer->print, "Animation");
	home_at(into, added.home)->count++;
	into->steps++;
	if (anim_diagnostics_add(into->options->diagnostics, ANIM_NOTE, NULL, "clips are new in the file", error,
				 "clip '%s' is new in %s", name, into->options->into.file) != 0)
		return -1;
	return anim_buffer_append(&into->added, &added, sizeof added, error);
}

/* ---- What only the file has goes with --only ---- */

/* True where the player's own clips were asked to be those of the stream alone. */
static bool is_touched(const struct godot_into *into, const char *player)
{
	for (size_t i = 0; i < cue_count(into); i++)
		if (into->bound[i] != NO_CUE && strcmp(into->paths[i], player) == 0)
			return true;
	for (size_t i = 0; i < into->homes.size / sizeof(struct home); i++)
		if (strcmp(home_at(into, i)->player, player) == 0)
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
static int cut_slots(struct godot_into *into, const struct godot_slots *slots, bool touched, uint8_t *used, bool *kept,
		     struct anim_error *error)
{
	*kept = false;
	for (uint32_t at = slots->first; at != 0; at = godot_slot_at(&into->context, at - 1)->next) {
		const struct godot_slot *slot = godot_slot_at(&into->context, at - 1);
		uint32_t animation;

		if (touched && goes(into, slot, &animation)) {
			used[animation] |= 2;
			if (add_edit(into, EDIT_DELETE, slot->from, slot->to_end, 0, false, error) != 0)
				return -1;
			continue;
		}
		if (slot->to.kind == GODOT_REFERENCE_SUB && anim_map_get(&into->document.ids, GODOT_SCOPE_ANIMATION,
									 slot->to.id, strlen(slot->to.id), &animation))
			used[animation] |= 1;
		if (!*kept && slot->comma != 0 && at != slots->first &&
		    add_edit(into, EDIT_DELETE, slot->comma, slot->comma + 1, 0, false, error) != 0)
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
	for (size_t i = 0; i < cue_count(into); i++) {
		const struct godot_player *player = cue_at(into, i)->player;

		if (player == NULL || !is_touched(into, into->paths[i]))
			continue;
		for (uint32_t at = player->libraries.first; at != 0; at = godot_slot_at(&into->context, at - 1)->next)
			if (strcmp(godot_slot_at(&into->context, at - 1)->to.id, library->id) == 0)
				return true;
	}
	return false;
}

/* The Animations that nothing names any more. */
static int cut_animations(struct godot_into *into, const uint8_t *used, struct anim_error *error)
{
	for (size_t i = 0; i < into->document.clips.size / sizeof(struct godot_clip); i++) {
		size_t number = godot_document_clip(&into->document, i)->section;
		uint64_t to = number + 1 < section_count(into) ? section_at(into, number + 1)->tag
							       : section_at(into, number)->end;

		if (used[i] != 2)
			continue;
		into->steps--;
		if (add_edit(into, EDIT_DELETE, section_at(into, number)->tag, to, 0, false, error) != 0)
			return -1;
	}
	return 0;
}

/* ---- The edits of what is added, and of the head ---- */

/* The entries of a library that stands: behind those that it keeps. 0 or -1. */
static int edit_library(struct godot_into *into, const struct godot_library *library, bool kept,
			struct anim_error *error)
{
	uint64_t at = library->animations.insert;

	if (at == 0)
		at = section_at(into, library->section)->end;
	for (size_t i = 0; i < added_count(into); i++) {
		if (home_at(into, added_at(into, i)->home)->stands != library)
			continue;
		if (add_edit(into, EDIT_ENTRY, at, at, i, !kept, error) != 0)
			return -1;
		kept = true;
	}
	return 0;
}

/* Of two homes with one player that is to have libraries, the first writes them. */
static bool is_first_of_player(const struct godot_into *into, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (home_at(into, i)->stands == NULL &&
		    strcmp(home_at(into, i)->player, home_at(into, number)->player) == 0)
			return false;
	return true;
}

static int edit_homes(struct godot_into *into, const struct godot_print *print, struct anim_error *error)
{
	bool old = godot_print_is_3(print);

	for (size_t i = 0; i < added_count(into); i++) {
		const struct home *home = home_at(into, added_at(into, i)->home);

		if (add_edit(into, EDIT_ANIMATION, home->before, home->before, i, false, error) != 0)
			return -1;
	}
	for (size_t i = 0; i < into->homes.size / sizeof(struct home); i++) {
		const struct home *home = home_at(into, i);
		uint64_t at =
		    home->have != NULL && home->have->libraries.insert != 0 ? home->have->libraries.insert : home->end;

		if (home->stands != NULL)
			continue;
		into->steps += !old;
		if ((!old && add_edit(into, EDIT_LIBRARY, home->before, home->before, i, false, error) != 0) ||
		    (is_first_of_player(into, i) && add_edit(into, EDIT_PLAYER, at, at, i, false, error) != 0))
			return -1;
	}
	return 0;
}

/* Where a number of the head stands. False: it has none. */
static bool find_number(const char *head, size_t size, const char *name, struct edit *edit)
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
static int edit_head(struct godot_into *into, struct godot_print *print, struct anim_error *error)
{
	const struct godot_section *head = section_at(into, 0);
	struct edit steps = {0}, format = {0};
	struct anim_input *input = NULL;
	const uint8_t *bytes;
	ssize_t size;
	int result = 0;

	if (anim_text_behind(head->name, "gd_") == NULL)
		return 0;
	if (open_file(into, &input, error) != 0)
		return -1;
	size = anim_input_peek(input, (size_t)head->body + 1, &bytes, error);
	if (size >= 0 && (uint64_t)size > head->body) {
		print->crlf = bytes[head->body] == '\r';
		size = (ssize_t)head->body;
	}
	if (size < 0)
		result = -1;
	else if (find_number((const char *)bytes, (size_t)size, "load_steps=", &steps) && into->steps != 0)
		result = add_edit(into, EDIT_NUMBER, steps.from, steps.to, (size_t)((long)steps.what + into->steps),
				  false, error);
	if (result == 0 && print->needs_format4 && find_number((const char *)bytes, (size_t)size, "format=", &format) &&
	    format.what == 3)
		result = add_edit(into, EDIT_NUMBER, format.from, format.to, 4, false, error);
	anim_input_close(input);
	return result;
}

/* The tags of new ext_resources: behind the last that there is, or the head. 0 or -1. */
static int edit_externals(struct godot_into *into, const struct godot_print *print, struct anim_error *error)
{
	size_t known = into->document.externals.items.size / sizeof(struct godot_external),
	       all = print->externals.items.size / sizeof(struct godot_print_external);
	uint64_t at = section_at(into, 0)->body;

	if (all <= known)
		return 0;
	into->steps += (long)(all - known);
	for (size_t i = 0; i < section_count(into); i++)
		if (strcmp(section_at(into, i)->name, "ext_resource") == 0)
			at = section_at(into, i)->end;
	return add_edit(into, EDIT_EXTERNALS, at, at, known, known == 0, error);
}

/* All edits but those of Animations that are replaced. 0 or -1. */
static int plan(struct godot_into *into, struct godot_print *print, struct anim_error *error)
{
	size_t libraries = into->document.libraries.size / sizeof(struct godot_library);
	uint8_t *used =
	    anim_arena_zeroed(&into->arena, into->document.clips.size / sizeof(struct godot_clip) + 1, 1, error);
	bool kept;

	if (used == NULL)
		return -1;
	for (size_t i = 0; i < libraries; i++) {
		const struct godot_library *library = godot_document_library(&into->document, i);

		if (cut_slots(into, &library->animations, is_library_touched(into, library), used, &kept, error) != 0 ||
		    edit_library(into, library, kept, error) != 0)
			return -1;
	}
	for (const struct godot_player *player = into->document.players; player != NULL; player = player->next) {
		const char *path = godot_player_path(&into->document, player, &into->arena, error);

		if (path == NULL || cut_slots(into, &player->own, is_touched(into, path), used, &kept, error) != 0)
			return -1;
	}
	if (cut_animations(into, used, error) != 0 || edit_homes(into, print, error) != 0 ||
	    edit_externals(into, print, error) != 0)
		return -1;
	return edit_head(into, print, error);
}

/* ---- What replacing an Animation would lose ---- */

/* Reads an Animation whole, to see whether all of it can be read. 0 or -1. */
static int check_animation(struct godot_into *into, struct godot_text *text, const struct godot_clip *clip,
			   struct anim_error *error)
{
	struct anim_diagnostics told = {0};
	struct anim_arena arena = {0};
	struct anim_store *store = anim_store_new(into->options->store_memory, error);
	struct godot_animation head;
	int result = -1;

	if (store != NULL)
		result = godot_animation_read(text, &into->document.externals, into->document.format <= 2, store, &told,
					      &arena, &head, error);
	if (result >= 0)
		result = 0;
	for (size_t i = 0; i < told.count && result == 0; i++)
		if (told.items[i].severity != ANIM_NOTE)
			result = fail(into, error,
				      "what it has of '%s' cannot be read whole and would be lost: %s; --force "
				      "replaces it",
				      clip->id[0] == '\0' ? "the animation" : clip->id, told.items[i].one);
	anim_store_free(store);
	anim_arena_clear(&arena);
	anim_diagnostics_clear(&told);
	return result;
}

static int check_text(struct godot_into *into, struct godot_text *text, struct anim_error *error)
{
	size_t count = into->document.clips.size / sizeof(struct godot_clip), next = 0;
	struct godot_tag tag;
	int got;

	for (size_t section = 0; (got = godot_text_tag(text, &tag, error)) > 0; section++) {
		const struct godot_clip *clip;

		while (next < count && godot_document_clip(&into->document, next)->section < section)
			next++;
		if (next == count)
			return 0;
		clip = godot_document_clip(&into->document, next);
		if (clip->section == section && clip->replaced && check_animation(into, text, clip, error) != 0)
			return -1;
	}
	return got;
}

/* An error where an Animation that is replaced has what no stream holds. 0 or -1. */
static int check_lost(struct godot_into *into, struct anim_error *error)
{
	struct anim_input *input = NULL;
	struct godot_text *text = NULL;
	int result;

	if (into->options->into.force)
		return 0;
	result = open_file(into, &input, error);
	if (result == 0)
		result = godot_text_new(&text, input, error);
	if (result == 0)
		result = check_text(into, text, error);
	godot_text_free(text);
	anim_input_close(input);
	return result;
}

/* ---- Writing ---- */

static void print_entry(struct godot_into *into, struct godot_writer *writer, const struct edit *edit)
{
	const struct added *added = added_at(into, edit->what);
	struct home *home = home_at(into, added->home);
	const struct godot_slots *slots = &home->stands->animations;
	struct godot_print *print = &writer->print;

	godot_print_text(print, slots->insert == 0 && edit->first ? "\n_data = {\n" : edit->first ? "\n" : ",\n");
	godot_print_format(print, "%k: ", godot_writer_clip(writer, added->clip)->name);
	godot_print_sub(print, "Animation", added->id);
	if (--home->count == 0 && slots->first == 0) /* the dictionary was empty: "{}", or is not there */
		godot_print_text(print, slots->insert == 0 ? "\n}" : "\n");
}

/* The clips of a home as a library. */
static void print_library(struct godot_into *into, struct godot_writer *writer, size_t number)
{
	struct godot_print *print = &writer->print;
	bool first = true;

	godot_print_text(print, "[sub_resource type=\"AnimationLibrary\" id=");
	godot_print_sub_id(print, "AnimationLibrary", home_at(into, number)->id);
	godot_print_text(print, "]\n_data = {");
	for (size_t i = 0; i < added_count(into); i++) {
		const struct added *added = added_at(into, i);

		if (added->home != number)
			continue;
		godot_print_format(print, first ? "\n%k: " : ",\n%k: ", godot_writer_clip(writer, added->clip)->name);
		godot_print_sub(print, "Animation", added->id);
		first = false;
	}
	godot_print_text(print, "\n}\n\n");
}

/* Name and parent of a player that is made. */
static void print_node(struct godot_print *print, const char *path)
{
	const char *name = strrchr(path, '/');
	size_t folder = name == NULL ? 0 : (size_t)(name - path);

	godot_print_format(print, "\n\n[node name=%Q type=\"AnimationPlayer\" parent=", name == NULL ? path : name + 1);
	godot_print_quoted(print, folder == 0 ? "." : path, folder == 0 ? 1 : folder, true);
	godot_print_text(print, "]");
}

/* Libraries that are new to a player, or in Godot 3 its animations. */
static void print_player(struct godot_into *into, struct godot_writer *writer, size_t number, struct anim_error *error)
{
	const struct home *first = home_at(into, number);
	struct godot_print *print = &writer->print;
	bool dictionary = first->have != NULL && first->have->libraries.insert != 0,
	     properties = print->version == ANIM_GODOT_4_6 ||
			  (first->have != NULL && first->have->libraries.first != 0 && !dictionary),
	     any = dictionary && first->have->libraries.first != 0;

	if (first->node == GODOT_NO_NODE)
		print_node(print, first->player);
	for (size_t i = 0; i < added_count(into) && godot_print_is_3(print); i++)
		if (strcmp(home_at(into, added_at(into, i)->home)->player, first->player) == 0) {
			const char *name = godot_writer_clip(writer, added_at(into, i)->clip)->name;

			godot_print_text(print, "\n");
			godot_writer_named(writer, "anims/", name, error);
			godot_print_sub(print, "Animation", added_at(into, i)->id);
		}
	if (godot_print_is_3(print))
		return;
	if (!dictionary && !properties)
		godot_print_text(print, "\nlibraries = {");
	for (size_t i = number; i < into->homes.size / sizeof(struct home); i++) {
		const struct home *home = home_at(into, i);

		if (home->stands != NULL || strcmp(home->player, first->player) != 0)
			continue;
		if (properties && !dictionary) {
			godot_print_text(print, "\n");
			godot_writer_named(writer, "libraries/", home->library, error);
		} else {
			godot_print_format(print, any ? ",\n%k: " : "\n%k: ", home->library);
		}
		godot_print_sub(print, "AnimationLibrary", home->id);
		any = true;
	}
	if (!dictionary && !properties)
		godot_print_text(print, "\n}");
}

static int print_animation(struct godot_writer *writer, const struct added *added, struct anim_error *error)
{
	godot_print_text(&writer->print, "[sub_resource type=\"Animation\" id=");
	godot_print_sub_id(&writer->print, "Animation", added->id);
	godot_print_text(&writer->print, "]\n");
	if (godot_writer_animation(writer, added->clip, GODOT_WRITE_ALL, error) != 0)
		return -1;
	godot_print_text(&writer->print, "\n");
	return 0;
}

static int print_edit(struct godot_into *into, struct godot_writer *writer, const struct edit *edit,
		      struct anim_error *error)
{
	switch (edit->kind) {
	case EDIT_DELETE:
		break;
	case EDIT_NUMBER:
		godot_print_number(&writer->print, edit->what);
		break;
	case EDIT_EXTERNALS:
		godot_print_text(&writer->print, edit->first ? "\n\n" : "\n");
		godot_print_new_externals(&writer->print);
		break;
	case EDIT_BODY:
	case EDIT_HEAD:
	case EDIT_TRACKS:
		godot_print_text(&writer->print, edit->from == edit->to ? "\n" : "");
		return godot_writer_animation(writer, edit->what,
					      edit->kind == EDIT_HEAD     ? GODOT_WRITE_HEAD
					      : edit->kind == EDIT_TRACKS ? GODOT_WRITE_TRACKS
									  : GODOT_WRITE_BODY,
					      error);
	case EDIT_ANIMATION:
		return print_animation(writer, added_at(into, edit->what), error);
	case EDIT_ENTRY:
		print_entry(into, writer, edit);
		break;
	case EDIT_LIBRARY:
		print_library(into, writer, edit->what);
		break;
	case EDIT_PLAYER:
		print_player(into, writer, edit->what, error);
		break;
	}
	return writer->print.out.failed ? -1 : 0;
}

/* Passes `count` bytes on, or over where `out` is NULL. 0 or -1. */
static int pass(struct anim_input *input, uint64_t count, struct anim_output *out, struct anim_error *error)
{
	while (count > 0) {
		const uint8_t *at;
		ssize_t size = anim_input_peek(input, 1, &at, error);

		if (size < 0)
			return -1;
		if (size == 0)
			return anim_fail(error, ANIM_BAD_INPUT, "it changed while it was read");
		if ((uint64_t)size > count)
			size = (ssize_t)count;
		if (out != NULL && anim_output_write(out, at, (size_t)size, error) != 0)
			return -1;
		anim_input_skip(input, (size_t)size);
		count -= (uint64_t)size;
	}
	return 0;
}

/* Tags and bodies end their last line themselves. */
static int pass_line_end(struct anim_input *input, struct anim_error *error)
{
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, 2, &at, error);

	if (size < 0)
		return -1;
	if (size > 0 && at[0] == '\n')
		return pass(input, 1, NULL, error);
	return size > 1 && at[0] == '\r' && at[1] == '\n' ? pass(input, 2, NULL, error) : 0;
}

static int compare_edits(const void *a, const void *b)
{
	const struct edit *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int copy(struct godot_into *into, struct godot_writer *writer, struct anim_input *input,
		struct anim_error *error)
{
	const struct edit *edits = (const struct edit *)(const void *)into->edits.data;
	size_t count = into->edits.size / sizeof *edits;
	uint64_t size = (uint64_t)into->info.st_size;

	for (size_t i = 0; i < count; i++) {
		uint64_t at = anim_input_offset(input);

		if (edits[i].from > at && pass(input, edits[i].from - at, writer->print.out.out, error) != 0)
			return -1;
		at = anim_input_offset(input);
		if (print_edit(into, writer, &edits[i], error) != 0 ||
		    (edits[i].to > at && pass(input, edits[i].to - at, NULL, error) != 0))
			return -1;
		if ((edits[i].kind == EDIT_EXTERNALS || edits[i].kind == EDIT_BODY || edits[i].kind == EDIT_HEAD ||
		     edits[i].kind == EDIT_TRACKS) &&
		    pass_line_end(input, error) != 0)
			return -1;
	}
	return pass(input, size - anim_input_offset(input), writer->print.out.out, error);
}

/* The file must be the one that was read. */
static int check_same(const struct godot_into *into, struct anim_error *error)
{
	struct stat info;

	if (stat(into->options->into.file, &info) == 0 && info.st_dev == into->info.st_dev &&
	    info.st_ino == into->info.st_ino && info.st_size == into->info.st_size &&
	    info.st_mtim.tv_sec == into->info.st_mtim.tv_sec && info.st_mtim.tv_nsec == into->info.st_mtim.tv_nsec)
		return 0;
	return fail(into, error, "it changed while the stream was read; nothing was written");
}

static int write_file(struct godot_into *into, struct godot_writer *writer, struct anim_error *error)
{
	struct anim_input *input = NULL;
	int result;

	if (into->edits.size > 0)
		qsort(into->edits.data, into->edits.size / sizeof(struct edit), sizeof(struct edit), compare_edits);
	result = open_file(into, &input, error);
	if (result == 0)
		result = copy(into, writer, input, error);
	if (result == 0)
		result = check_same(into, error);
	anim_input_close(input);
	return result;
}

int godot_into_write(struct godot_into *into, struct godot_writer *writer, const uint32_t *order, size_t count,
		     struct anim_error *error)
{
	for (size_t i = 0; i < count; i++) {
		int bound = bind(into, godot_writer_clip(writer, order[i]), order[i], error);

		if (bound < 0 || (bound == 0 && add(into, writer, order[i], error) != 0))
			return -1;
	}
	if (check_lost(into, error) != 0 || plan(into, &writer->print, error) != 0)
		return -1;
	return write_file(into, writer, error);
}
