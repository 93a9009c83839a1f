/* rename.c: rename nodes, properties and clips. */
#include "filter/rename/rename.h"

#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/limits.h"
#include "base/print.h"
#include "base/text.h"
#include "filter/clips.h"
#include "filter/common/summary.h"
#include "filter/filter.h"
#include "filter/rename/identities.h"
#include "filter/rename/new_tree.h"
#include "filter/retarget/retarget.h"

/* All-zero except for the options. */
struct anim_renamer {
	struct anim_rename_options options;
	struct anim_arena arena;       /* for returned texts; the caller resets it */
	struct anim_buffer text, tail; /* scratch */
	bool matched;                  /* a name was renamed since this was set to false */
	struct anim_map human; /* from AUTO: the paths of the human bones, as tracks use them -> enum anim_human_bone */
	struct anim_text_set
	    others; /* nodes that are not bones, in a tree with bones, by the paths that tracks use: never human bones */
	struct anim_text_set later; /* paths with a match left in a later name, of an expression without g */
};

/* ======== The new name of one node, property or clip ======== */

const char *const anim_rename_on_names[] = {"node", "name", "property", "clip", NULL};

/* Maximum number of renamed ancestors that a path follows. Deeper ancestors are ignored. */
#define FOLLOW_MAX 256u

bool anim_rename_selects(const char *const *globs, size_t count, const char *text)
{
	return anim_globs_match(globs, count, text, NULL);
}

/* Return whether any names of nodes are changed. */
static bool renamer_has_nodes(const struct anim_renamer *renamer)
{
	const struct anim_rename_options *options = &renamer->options;

	return options->crc != NULL || options->humanoid || options->on == ANIM_RENAME_NODE ||
	       options->on == ANIM_RENAME_NAME;
}

static bool selects_node(const struct anim_renamer *renamer, const char *path)
{
	const struct anim_rename_selection *select = &renamer->options.select;

	return anim_rename_selects(select->nodes, select->node_count, path);
}

static const char *keep(struct anim_renamer *renamer, const struct anim_buffer *text, struct anim_error *error)
{
	return anim_arena_text(&renamer->arena, text->size > 0 ? (const char *)text->data : "", text->size, error);
}

/*
 * Return the length of the path before the ':' between a skeleton's and a bone's name, or the full length if there is
 * none.
 */
static size_t before_bone(const char *path, bool bone)
{
	const char *name = bone ? anim_bone_name("other", path, true) : NULL;

	return name == NULL ? strlen(path) : (size_t)(name - 1 - path);
}

/* A path and the position up to which it was processed. */
struct name_walk {
	const char *path;
	size_t at, colon; /* colon: position of a bone's ':', from before_bone */
};

/* Return the end of the name that begins at `at`. */
static size_t end_of_name(const char *path, size_t at, size_t colon)
{
	size_t end = at + strcspn(path + at, "/");

	return at < colon && colon < end ? colon : end;
}

/* Return whether the selection matches the node that the path's first `length` bytes name. Returns -1 on failure. */
static int selects_part(struct anim_renamer *renamer, const char *path, size_t length, struct anim_error *error)
{
	const char *part;

	if (renamer->options.select.node_count == 0)
		return 1;
	part = anim_arena_text(&renamer->arena, path, length, error);
	return part == NULL ? -1 : selects_node(renamer, part);
}

/*
 * Find the new name of the `length` bytes at walk->at in the map and, if they may name a bone, in the humanoid names.
 * Returns NULL if it is unknown.
 */
static const char *find_name(const struct anim_renamer *renamer, const struct name_walk *walk, size_t length)
{
	const struct anim_rename_options *options = &renamer->options;
	bool mapped = options->map != NULL && options->on <= ANIM_RENAME_NAME;
	const char *name = walk->path + walk->at;
	const char *found = mapped ? anim_rename_map_get(options->map, name, length) : NULL, *bone;
	size_t end = walk->at + length;
	uint32_t human;

	if (!options->humanoid || anim_text_set_has(&renamer->others, walk->path, end))
		return found;
	if (options->from == ANIM_HUMANOID_AUTO) {
		bool whole = walk->at >= walk->colon || walk->colon >= end; /* not a skeleton together with its bone */

		bone = whole && anim_map_get(&renamer->human, 0, walk->path, end, &human)
			   ? anim_humanoid_name((enum anim_human_bone)human, options->to)
			   : NULL;
		return bone != NULL ? bone : found;
	}
	if (found != NULL) {
		name = found;
		length = strlen(found);
	}
	bone = anim_humanoid_find(options->from, options->to, name, length);
	return bone != NULL ? bone : found;
}

/* If the name of `length` bytes at walk->at has a new name and is selected, append the new name. Returns 1, 0 or -1. */
static int append_known(struct anim_renamer *renamer, struct name_walk *walk, size_t length, struct anim_error *error)
{
	const char *found = find_name(renamer, walk, length);
	int selected = found == NULL ? 0 : selects_part(renamer, walk->path, walk->at + length, error);

	if (selected <= 0)
		return selected;
	renamer->matched = true;
	walk->at += length;
	return anim_buffer_append(&renamer->text, found, strlen(found), error) == 0 ? 1 : -1;
}

/*
 * Append the text up to the next '/' under its new name. If a skeleton with its bone has no new name, append only the
 * part before the ':'.
 */
static int append_name(struct anim_renamer *renamer, struct name_walk *walk, struct anim_error *error)
{
	size_t at = walk->at, whole = strcspn(walk->path + at, "/");
	size_t length = end_of_name(walk->path, at, walk->colon) - at;
	int known = append_known(renamer, walk, whole, error);

	if (known == 0 && length < whole)
		known = append_known(renamer, walk, length, error);
	if (known != 0)
		return known < 0 ? -1 : 0;
	walk->at += length;
	return anim_buffer_append(&renamer->text, walk->path + at, length, error);
}

/* Apply the map and the humanoid names to a path. */
static const char *map_path(struct anim_renamer *renamer, const char *path, bool bone, struct anim_error *error)
{
	struct name_walk walk = {path, 0, before_bone(path, bone)};

	if (renamer->options.map == NULL && !renamer->options.humanoid)
		return path;
	renamer->text.size = 0;

	/* Find the longest start of the path that has a row in the map, and append its new path. */
	struct anim_rename_map *map = renamer->options.map;
	const char *found = NULL, *to;

	if (map != NULL && renamer->options.on == ANIM_RENAME_NODE) {
		for (size_t end = 0; end <= map->longest; end++) {
			int selected = 0;

			end = end_of_name(walk.path, end, walk.colon);
			to = anim_rename_map_get_path(map, walk.path, end);
			if (to != NULL && (selected = selects_part(renamer, walk.path, end, error)) < 0)
				return NULL;
			if (selected > 0) {
				found = to;
				walk.at = end;
			}
			if (walk.path[end] == '\0')
				break;
		}
		renamer->matched |= found != NULL;
		if (found != NULL && anim_buffer_append(&renamer->text, found, strlen(found), error) != 0)
			return NULL;
	}

	while (path[walk.at] != '\0') {
		size_t length = path[walk.at] == '/' || walk.at == walk.colon;

		if (anim_buffer_append(&renamer->text, path + walk.at, length, error) != 0)
			return NULL;
		walk.at += length;
		if (append_name(renamer, &walk, error) != 0)
			return NULL;
	}
	return keep(renamer, &renamer->text, error);
}

/* Apply the expression. Returns the text itself if it does not match, or NULL on failure. */
static const char *substitute(struct anim_renamer *renamer, const struct anim_expression *expression, const char *text,
			      struct anim_error *error)
{
	int found = anim_expression_apply(expression, text, &renamer->text, error);

	if (found < 0)
		return NULL;
	if (found == 0)
		return text;
	renamer->matched = true;
	renamer->text.size--;
	return keep(renamer, &renamer->text, error);
}

/* Return the length of the parent's path, or of a bone's skeleton. Returns 0 if there is no '/'. */
static size_t folder_length(const char *path, bool bone)
{
	const char *slash = strrchr(path, '/');
	size_t colon = before_bone(path, bone);

	if (path[colon] == ':')
		return colon;
	return slash == NULL ? 0 : (size_t)(slash - path);
}

/* Return the concatenation of both texts, or NULL on failure. */
static const char *join(struct anim_renamer *renamer, const char *text, const char *tail, struct anim_error *error)
{
	size_t length = strlen(text), size = strlen(tail);
	char *out;

	if (size == 0)
		return text;
	out = anim_arena_alloc(&renamer->arena, length + size + 1, error);
	if (out == NULL)
		return NULL;
	memcpy(out, text, length);
	memcpy(out + length, tail, size + 1);
	return out;
}

/*
 * Apply one expression to a path. If it changes at most the last name, the parent may have a new name as well.
 * Therefore the expression is also applied to the parent's path, and so on.
 */
static const char *substitute_path(struct anim_renamer *renamer, const struct anim_expression *expression,
				   const char *path, bool bone, struct anim_error *error)
{
	const char *tail = "", *made;

	for (unsigned depth = 0;; depth++) {
		size_t folder = folder_length(path, bone);

		made = selects_node(renamer, path) ? substitute(renamer, expression, path, error) : path;
		if (made == NULL || folder == 0 || depth == FOLLOW_MAX || folder_length(made, bone) != folder ||
		    memcmp(made, path, folder + 1) != 0)
			break;
		tail = join(renamer, made + folder, tail, error);
		path = anim_arena_text(&renamer->arena, path, folder, error);
		if (tail == NULL || path == NULL)
			return NULL;
		bone = false;
	}
	if (made != NULL && made != path) {
		int later = anim_expression_matches_later(expression, path, error);

		if (later < 0 || (later > 0 && anim_text_set_add(&renamer->later, path, strlen(path), error) < 0))
			return NULL;
	}
	return made == NULL ? NULL : join(renamer, made, tail, error);
}

/* Apply one expression to each name of a path. */
static const char *substitute_names(struct anim_renamer *renamer, const struct anim_expression *expression,
				    const char *path, bool bone, struct anim_error *error)
{
	size_t colon = before_bone(path, bone);

	renamer->tail.size = 0;
	for (size_t at = 0, end;; at = end + 1) {
		const char *name;
		int selected;

		end = end_of_name(path, at, colon);
		selected = selects_part(renamer, path, end, error);
		name = anim_arena_text(&renamer->arena, path + at, end - at, error);
		if (name != NULL && selected > 0)
			name = substitute(renamer, expression, name, error);
		if (selected < 0 || name == NULL || anim_buffer_append(&renamer->tail, name, strlen(name), error) != 0)
			return NULL;
		if (path[end] == '\0')
			return keep(renamer, &renamer->tail, error);
		if (anim_buffer_append(&renamer->tail, path + end, 1, error) != 0)
			return NULL;
	}
}

/*
 * Remove the remains of deleted names: empty names, "." beside other names, and a '/' at the start that the old path
 * did not have. If nothing is left, the path is the root.
 */
static const char *tidy(struct anim_renamer *renamer, const char *made, bool absolute, struct anim_error *error)
{
	struct anim_buffer *out = &renamer->text;

	out->size = 0;
	if (absolute && anim_buffer_append(out, "/", 1, error) != 0)
		return NULL;
	while (*made != '\0') {
		size_t length = strcspn(made, "/");
		bool empty = length == 0 || (length == 1 && *made == '.');
		bool first = out->size == (absolute ? 1u : 0u);

		if (!empty && !first && anim_buffer_append(out, "/", 1, error) != 0)
			return NULL;
		if (!empty && anim_buffer_append(out, made, length, error) != 0)
			return NULL;
		made += length;
		made += *made == '/';
	}
	if (out->size == 0 && anim_buffer_append(out, ".", 1, error) != 0)
		return NULL;
	return keep(renamer, out, error);
}

static const char *check(const char *from, const char *made, struct anim_error *error)
{
	size_t length = strlen(made);

	if (length > ANIM_NAME_MAX) {
		anim_fail(error, ANIM_TOO_LARGE, "the new name of '%.200s' is longer than %u bytes", from,
			  ANIM_NAME_MAX);
		return NULL;
	}
	if (anim_utf8_prefix(made, length) != length) {
		anim_fail(error, ANIM_BAD_INPUT,
			  "the new name of '%.200s' is not UTF-8; '.' in an expression is one byte", from);
		return NULL;
	}
	return made;
}

/*
 * Return the new path of a track's node, or the path itself if it is unchanged. `bone`: the node is a bone of a
 * skeleton, so a ':' separates two names. Returns NULL on failure.
 */
static const char *renamer_node(struct anim_renamer *renamer, const char *path, bool bone, struct anim_error *error)
{
	const struct anim_rename_options *options = &renamer->options;
	const char *made;
	const char *found;

	if (renamer->options.crc == NULL || !selects_node(renamer, path) ||
	    !anim_crc_names_find(renamer->options.crc, path, &found)) {
		made = path;
	} else if (found == NULL) {
		struct anim_place nowhere = {.file = "", .at = ANIM_AT_FILE};

		made = anim_diagnostics_add(renamer->options.diagnostics, ANIM_WARNING, &nowhere, "CRC", error,
					    "'%.40s': unchanged, because no known path matches", path) == 0
			   ? path
			   : NULL;
	} else {
		renamer->matched = true;
		made = found;
	}

	if (made != NULL)
		made = map_path(renamer, made, bone, error);
	for (size_t i = 0; made != NULL && options->on <= ANIM_RENAME_NAME && i < options->expression_count; i++)
		made = (options->on == ANIM_RENAME_NODE ? substitute_path : substitute_names)(
		    renamer, &options->expressions[i], made, bone, error);
	if (made == NULL || strcmp(made, path) == 0)
		return made == NULL ? NULL : path;
	made = tidy(renamer, made, path[0] == '/', error);
	return made == NULL ? NULL : check(path, made, error);
}

/*
 * Return the new name of a property or clip, by map and expressions. Returns NULL on failure, or if the new name is
 * empty.
 */
static const char *renamer_name(struct anim_renamer *renamer, const char *name, struct anim_error *error)
{
	const struct anim_rename_options *options = &renamer->options;
	const char *made = options->map != NULL ? anim_rename_map_get(options->map, name, strlen(name)) : NULL;

	renamer->matched |= made != NULL;
	made = made != NULL ? made : name;
	for (size_t i = 0; made != NULL && i < options->expression_count; i++)
		made = substitute(renamer, &options->expressions[i], made, error);
	if (made == NULL || strcmp(made, name) == 0)
		return made == NULL ? NULL : name;
	if (made[0] == '\0') {
		anim_fail(error, ANIM_BAD_INPUT, "nothing is left of the name '%.200s'", name);
		return NULL;
	}
	return check(name, made, error);
}

/* ======== The filter, and the list of changes ======== */

/* --- Different tracks of a clip that get the same name --- */

/* Add a track to the set. Returns 1 if it is new, 0 if it is not, or -1. */
static int add(struct anim_buffer *text, struct anim_text_set *set, const struct anim_track *track,
	       struct anim_error *error)
{
	text->size = 0;
	if (anim_buffer_append(text, track->node, strlen(track->node) + 1, error) != 0 ||
	    anim_buffer_append(text, track->property, strlen(track->property) + 1, error) != 0 ||
	    anim_buffer_append(text, &track->component, 1, error) != 0)
		return -1;
	return anim_text_set_add(set, text->data, text->size, error);
}

int anim_identities_add(struct anim_identities *identities, const struct anim_track *track,
			const struct anim_track *renamed, struct anim_diagnostics *diagnostics,
			struct anim_error *error)
{
	struct anim_place nowhere = {.file = "", .at = ANIM_AT_FILE};
	int was_new = add(&identities->text, &identities->before, track, error), is_new;
	char label[200];

	is_new = was_new < 0 ? -1 : add(&identities->text, &identities->after, renamed, error);
	if (is_new < 0)
		return -1;
	if (is_new || !was_new)
		return 0;
	(void)anim_track_label(renamed, label, sizeof label);
	return anim_diagnostics_add(diagnostics, ANIM_WARNING, &nowhere, "track", error,
				    "'%s': same new name as another track of the clip", label);
}

void anim_identities_clear(struct anim_identities *identities)
{
	anim_text_set_clear(&identities->before);
	anim_text_set_clear(&identities->after);
	anim_buffer_clear(&identities->text);
}

/* --- A list of the names that would change --- */

/* The original names of a clip or a track. */
struct came_names {
	const char *name, *property; /* property NULL: a clip */
};

/* A line of the list. The texts are safe to print. */
struct rename_pair {
	const char *from, *to;
};

struct anim_rename_list {
	struct anim_buffer names; /* struct came_names, in order */
	size_t next;              /* index of the first name that has not arrived at the back */
	struct anim_buffer rows;  /* struct rename_pair */
	struct anim_buffer key;   /* scratch */
	struct anim_text_set seen;
	struct anim_arena waiting, arena; /* for names, for rows */
};

struct list_front {
	struct anim_filter filter;
	struct anim_rename_list *list;
};

struct list_back {
	struct anim_sink sink;
	struct anim_rename_list *list;
	struct anim_output *out;
	const struct anim_diagnostics *diagnostics;
};

struct anim_rename_list *anim_rename_list_new(struct anim_error *error)
{
	return anim_zeroed(sizeof(struct anim_rename_list), error);
}

void anim_rename_list_free(struct anim_rename_list *list)
{
	if (list == NULL)
		return;
	anim_buffer_clear(&list->names);
	anim_buffer_clear(&list->rows);
	anim_buffer_clear(&list->key);
	anim_text_set_clear(&list->seen);
	anim_arena_clear(&list->waiting);
	anim_arena_clear(&list->arena);
	free(list);
}

/* Keep names until they arrive at the back. If all have arrived, their memory is reused. */
static int push(struct anim_rename_list *list, const char *name, const char *property, struct anim_error *error)
{
	struct came_names names = {NULL, NULL};

	if (list->next == list->names.size / sizeof names) {
		list->names.size = list->next = 0;
		anim_arena_reset(&list->waiting);
	}
	names.name = anim_arena_text(&list->waiting, name, strlen(name), error);
	if (property != NULL)
		names.property = anim_arena_text(&list->waiting, property, strlen(property), error);
	if (names.name == NULL || (property != NULL && names.property == NULL))
		return -1;
	return anim_buffer_append(&list->names, &names, sizeof names, error);
}

static int add_row(struct anim_rename_list *list, const char *from, const char *to, struct anim_error *error)
{
	struct rename_pair row;
	int is_new;

	if (strcmp(from, to) == 0)
		return 0;
	list->key.size = 0;
	if (anim_buffer_append(&list->key, from, strlen(from) + 1, error) != 0 ||
	    anim_buffer_append(&list->key, to, strlen(to), error) != 0)
		return -1;
	is_new = anim_text_set_add(&list->seen, list->key.data, list->key.size, error);
	if (is_new <= 0)
		return is_new;
	row.from = anim_safe_copy(&list->arena, from, error);
	row.to = anim_safe_copy(&list->arena, to, error);
	return row.from == NULL || row.to == NULL ? -1 : anim_buffer_append(&list->rows, &row, sizeof row, error);
}

static const struct came_names *pop(struct anim_rename_list *list)
{
	return (const struct came_names *)(const void *)list->names.data + list->next++;
}

static int front_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	if (push(((struct list_front *)sink)->list, clip->name, NULL, error) != 0)
		return -1;
	return anim_filter_clip(sink, clip, error);
}

static int front_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	if (push(((struct list_front *)sink)->list, track->node, track->property, error) != 0)
		return -1;
	return anim_filter_track(sink, track, error);
}

struct anim_sink *anim_rename_list_front(struct anim_rename_list *list, struct anim_sink *next,
					 struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = front_clip, .track = front_track};
	struct list_front *front = anim_filter_new(sizeof *front, &ops, next, error);

	if (front == NULL)
		return NULL;
	front->list = list;
	return &front->filter.sink;
}

static int back_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_rename_list *list = ((struct list_back *)sink)->list;

	return add_row(list, pop(list)->name, clip->name, error);
}

static int back_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct anim_rename_list *list = ((struct list_back *)sink)->list;
	const struct came_names *names = pop(list);

	if (add_row(list, names->name, track->node, error) != 0)
		return -1;
	return add_row(list, names->property, track->property, error);
}

static int back_end(struct anim_sink *sink, struct anim_error *error)
{
	struct list_back *back = (struct list_back *)sink;
	struct anim_print print = {.out = back->out, .error = error};
	const struct rename_pair *rows = (const struct rename_pair *)(const void *)back->list->rows.data;
	size_t count = back->list->rows.size / sizeof *rows, widest = 0;

	if (anim_diagnostics_check(back->diagnostics, error) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		widest = text_width(rows[i].from) > widest ? text_width(rows[i].from) : widest;
	for (size_t i = 0; i < count; i++) {
		anim_print_text(&print, rows[i].from);
		anim_print_spaces(&print, widest - text_width(rows[i].from));
		anim_print_texts(&print, " -> ", rows[i].to, "\n");
	}
	return print.failed ? -1 : 0;
}

struct anim_sink *anim_rename_list_back(struct anim_rename_list *list, struct anim_output *out,
					const struct anim_diagnostics *diagnostics, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = back_clip, .track = back_track, .end = back_end};
	struct list_back *back = anim_sink_new(sizeof *back, &ops, error);

	if (back == NULL)
		return NULL;
	back->list = list;
	back->out = out;
	back->diagnostics = diagnostics;
	return &back->sink;
}

/* --- The filter --- */

struct rename {
	struct anim_filter filter;
	struct anim_renamer renamer;
	struct anim_new_tree tree; /* waits for the clip that names its root */
	const char *tree_root;     /* root of that clip, "." before; in the tree's arena */
	bool selected;             /* whether the current clip is selected */
	const char *source;        /* of the current clip, in `clip` */
	struct anim_arena clip;
	struct anim_identities identities; /* of the current clip */
};

static const struct anim_rename_selection *selection(const struct rename *rename)
{
	return &rename->renamer.options.select;
}

/* If properties or clips are selected, only tracks are renamed. */
static bool renames_tree(const struct rename *rename)
{
	return renamer_has_nodes(&rename->renamer) && selection(rename)->property_count == 0 &&
	       selection(rename)->clip_count == 0;
}

/*
 * Return the path relative to the clip's root, as its tracks use it. Returns NULL for the root itself and nodes outside
 * of it.
 */
static const char *seen_from(const char *root, const char *path)
{
	size_t length = strlen(root);

	if (strcmp(root, ".") == 0)
		return strcmp(path, ".") == 0 ? NULL : path;
	return strncmp(path, root, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

/* Return the new path of a node in the tree. `bone`: a bone of a skeleton. Returns NULL on failure. */
static const char *tree_path(struct rename *rename, const char *path, bool bone, struct anim_error *error)
{
	const char *seen = seen_from(rename->tree_root, path), *root, *made;

	if (strcmp(path, ".") == 0)
		return path;
	if (seen == NULL || strcmp(rename->tree_root, ".") == 0)
		return renamer_node(&rename->renamer, path, bone, error);
	root = renamer_node(&rename->renamer, rename->tree_root, false, error);
	made = root == NULL ? NULL : renamer_node(&rename->renamer, seen, bone, error);
	if (made == NULL)
		return NULL;
	return strcmp(made, ".") == 0 ? root : anim_arena_printf(&rename->renamer.arena, error, "%s/%s", root, made);
}

/* A skeleton with fewer known names uses another naming. VRM requires the same number of bones. */
#define HUMAN_BONES_LEAST 15

/* Find the human bones of the tree, whatever they are called. Returns 0 or -1. */
static int find_human(struct rename *rename, struct anim_error *error)
{
	struct anim_renamer *renamer = &rename->renamer;
	struct anim_skeleton skeleton;
	struct anim_sink *sink;
	uint32_t bones[ANIM_HUMAN_BONES];
	int found;

	anim_skeleton_init(&skeleton);
	sink = anim_skeleton_sink_new(&skeleton, false, error);
	found = sink == NULL ? -1 : anim_sink_tree(sink, &rename->tree.head, error);
	for (size_t i = 0; i < anim_new_tree_count(&rename->tree) && found == 0; i++)
		found = anim_sink_node(sink, &anim_new_tree_at(&rename->tree, i)->node, error);
	if (found == 0)
		found = anim_skeleton_human(&skeleton, bones, error);
	anim_sink_free(sink);
	anim_skeleton_clear(&skeleton);
	anim_map_clear(&renamer->human);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES && found > 0; b++) {
		const char *path = bones[b] == ANIM_POSE_NONE ? NULL : anim_new_tree_at(&rename->tree, bones[b])->path;
		const char *seen = path == NULL ? NULL : seen_from(rename->tree_root, path);

		if (seen != NULL && anim_map_put(&renamer->human, 0, seen, strlen(seen), b, error) != 0)
			return -1;
	}
	if (found != 0)
		return found < 0 ? -1 : 0;
	return anim_diagnostics_warn(renamer->options.diagnostics, NULL, error,
				     "no bones of a human have known names, so nothing is renamed");
}

/*
 * Collect the nodes of the tree that cannot be human bones, and warn if there are hardly any human bones. Returns 0 or
 * -1.
 */
static int collect_bones(struct rename *rename, struct anim_error *error)
{
	const struct anim_rename_options *options = &rename->renamer.options;
	size_t count = anim_new_tree_count(&rename->tree), bones = 0, known = 0;

	anim_text_set_clear(&rename->renamer.others);
	if (options->from == ANIM_HUMANOID_AUTO)
		return find_human(rename, error);
	for (size_t i = 0; i < count; i++) {
		const struct anim_new_node *node = anim_new_tree_at(&rename->tree, i);
		const char *name = strrchr(node->path, node->parted ? ':' : '/');

		if (node->node.kind != ANIM_NODE_BONE)
			continue;
		name = name == NULL ? node->path : name + 1;
		bones++;
		known += anim_humanoid_find(options->from, options->to, name, strlen(name)) != NULL;
	}
	for (size_t i = 0; i < count && bones > 0; i++) {
		const struct anim_new_node *node = anim_new_tree_at(&rename->tree, i);
		const char *seen = seen_from(rename->tree_root, node->path);

		if (node->node.kind != ANIM_NODE_BONE && seen != NULL &&
		    anim_text_set_add(&rename->renamer.others, seen, strlen(seen), error) < 0)
			return -1;
	}
	if (known >= HUMAN_BONES_LEAST || 2 * known >= bones)
		return 0;
	return anim_diagnostics_warn(options->diagnostics, NULL, error,
				     "only %zu of %zu bones have %s names; " ANIM_ADVICE(FIND_NAMES), known, bones,
				     anim_humanoid_names[options->from]);
}

static int write_tree(struct rename *rename, const char *root, struct anim_error *error)
{
	struct anim_new_tree *tree = &rename->tree;

	if (!tree->held)
		return 0;
	rename->tree_root = anim_arena_text(&tree->arena, root, strlen(root), error);
	if (rename->tree_root == NULL || (rename->renamer.options.humanoid && collect_bones(rename, error) != 0))
		return -1;
	for (size_t i = 0; i < anim_new_tree_count(tree); i++) {
		struct anim_new_node *node = anim_new_tree_at(tree, i);
		const char *path;

		anim_arena_reset(&rename->renamer.arena);
		if ((path = tree_path(rename, node->path, node->parted, error)) == NULL)
			return -1;
		node->path = anim_arena_text(&tree->arena, path, strlen(path), error);
		if (node->path == NULL)
			return -1;
		node->parted |= node->node.kind == ANIM_NODE_BONE && anim_bone_name("other", path, false) != NULL;
	}
	return anim_new_tree_write(tree, rename->renamer.options.diagnostics, rename->filter.next, error);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct rename *rename = (struct rename *)sink;

	if (!renames_tree(rename))
		return anim_filter_tree(sink, tree, error);
	if (write_tree(rename, ".", error) != 0)
		return -1;
	rename->tree_root = ".";
	return anim_new_tree_begin(&rename->tree, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct rename *rename = (struct rename *)sink;

	return rename->tree.held ? anim_new_tree_add(&rename->tree, node, error) : anim_filter_node(sink, node, error);
}

/*
 * Rename the clip. If no rule is for its name, try the name that it had in its file, as a selection does. Remove Godot's
 * resource_name beside the library name, so that it follows the new name.
 */
static int rename_clip(struct rename *rename, struct anim_clip *clip, struct anim_error *error)
{
	const char *name = renamer_name(&rename->renamer, clip->name, error);
	const char *old_name = anim_attrs_get(&clip->attrs, ANIM_ATTR_OLD_NAME), *other;

	if (name == clip->name && old_name != NULL) {
		other = renamer_name(&rename->renamer, old_name, error);
		name = other == old_name ? name : other;
	}
	if (name == NULL || name == clip->name)
		return name == NULL ? -1 : 0;
	/* A controller finds a clip by the name in its file. */
	if ((anim_attrs_get(&clip->attrs, "file") != NULL || strcmp(clip->source, "unity") == 0) &&
	    anim_attrs_get(&clip->attrs, ANIM_ATTR_FIRST_NAME) == NULL &&
	    anim_attrs_with(&clip->attrs, &clip->attrs, ANIM_ATTR_FIRST_NAME, old_name != NULL ? old_name : clip->name,
			    &rename->renamer.arena, error) != 0)
		return -1;
	clip->name = name;
	clip->record = NULL;
	if (anim_attrs_with(&clip->attrs, &clip->attrs, ANIM_ATTR_OLD_NAME, NULL, &rename->renamer.arena, error) != 0)
		return -1;
	return anim_attrs_with(&clip->attrs, &clip->attrs, "godot.resource_name", NULL, &rename->renamer.arena, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct rename *rename = (struct rename *)sink;
	const struct anim_rename_selection *select = selection(rename);
	struct anim_clip out = *clip;
	bool in_tree = (clip->flags & ANIM_IN_TREE) != 0;

	if (write_tree(rename, in_tree ? clip->root : ".", error) != 0)
		return -1;
	if (!in_tree && rename->renamer.options.humanoid && rename->renamer.options.from == ANIM_HUMANOID_AUTO)
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    ANIM_OPTION_TO("rename", "humanoid",
				   "auto") " finds bones in a node tree, which this clip lacks; name the set of its "
					   "names, as in " ANIM_OPTION_TO("rename", "humanoid", "mixamo:vrm"));
	anim_arena_reset(&rename->renamer.arena);
	anim_identities_clear(&rename->identities);
	anim_arena_reset(&rename->clip);
	rename->source = anim_arena_text(&rename->clip, clip->source, strlen(clip->source), error);
	if (rename->source == NULL)
		return -1;
	rename->selected = select->clip_count == 0;
	for (size_t i = 0; i < select->clip_count; i++)
		rename->selected |= anim_clip_match(clip, select->clips[i]) != ANIM_CLIP_OTHER;
	if (rename->selected && rename->renamer.options.on == ANIM_RENAME_CLIP && rename_clip(rename, &out, error) != 0)
		return -1;

	/* Rename the clip's root and player, which are nodes of the tree. */
	if (in_tree && renames_tree(rename)) {
		const char *player = anim_attrs_get(&out.attrs, "player"), *root = out.root, *made;

		out.root = tree_path(rename, root, false, error);
		if (out.root == NULL)
			return -1;
		if (strcmp(out.root, root) != 0)
			out.record = NULL;
		made = player == NULL ? NULL : tree_path(rename, player, false, error);
		if (player != NULL && (made == NULL || strcmp(made, player) != 0)) {
			if (made == NULL)
				return -1;
			out.record = NULL;
			if (anim_attrs_with(&out.attrs, &out.attrs, "player", made, &rename->renamer.arena, error) != 0)
				return -1;
		}
	}

	return anim_filter_clip(sink, &out, error);
}

/*
 * Rename Unity's spelling of a property as well ("material._Color.r" for "material._Color"). If it does not match, drop
 * it, so that the writer does not restore the old name.
 */
static int rename_spelling(struct rename *rename, struct anim_track *track, const char *old, struct anim_error *error)
{
	const char *spelling = anim_attrs_get(&track->attrs, "unity.attribute");
	char *made = NULL;

	if (spelling == NULL)
		return 0;
	if (strncmp(spelling, old, strlen(old)) == 0) {
		made =
		    anim_arena_printf(&rename->renamer.arena, error, "%s%s", track->property, spelling + strlen(old));
		if (made == NULL)
			return -1;
	}
	return anim_attrs_with(&track->attrs, &track->attrs, "unity.attribute", made, &rename->renamer.arena, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct rename *rename = (struct rename *)sink;
	const struct anim_rename_selection *select = selection(rename);
	struct anim_track out = *track;

	if (rename->renamer.options.on == ANIM_RENAME_CLIP && !renamer_has_nodes(&rename->renamer))
		return anim_filter_track(sink, track, error);
	anim_arena_reset(&rename->renamer.arena);

	if (rename->selected && anim_rename_selects(select->properties, select->property_count, track->property)) {
		struct anim_renamer *renamer = &rename->renamer;
		const char *node = out.node, *property = out.property;

		if (renamer_has_nodes(renamer))
			out.node = renamer_node(renamer, node, anim_track_bone(rename->source, &out) != NULL, error);
		if (out.node != NULL && renamer->options.on == ANIM_RENAME_PROPERTY &&
		    anim_rename_selects(selection(rename)->nodes, selection(rename)->node_count, node))
			out.property = renamer_name(renamer, property, error);
		if (out.node == NULL || out.property == NULL)
			return -1;
		if (out.node != node || out.property != property)
			out.record = NULL;
		if (out.property != property && rename_spelling(rename, &out, property, error) != 0)
			return -1;
	}

	if (anim_identities_add(&rename->identities, track, &out, rename->renamer.options.diagnostics, error) != 0)
		return -1;
	return anim_filter_track(sink, &out, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct rename *rename = (struct rename *)sink;

	return rename->tree.held ? anim_new_tree_record(&rename->tree, record, error)
				 : anim_filter_record(sink, record, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct rename *rename = (struct rename *)sink;
	struct anim_place nowhere = {.file = "", .at = ANIM_AT_FILE};

	if (write_tree(rename, ".", error) != 0)
		return -1;
	if (!rename->renamer.matched &&
	    anim_diagnostics_add(rename->renamer.options.diagnostics, ANIM_WARNING, &nowhere, NULL, error,
				 "nothing was renamed: no name matches") != 0)
		return -1;
	if (rename->renamer.later.texts.count > 0 &&
	    anim_diagnostics_note(
		rename->renamer.options.diagnostics, NULL, error,
		"an expression without g changes the first match alone; it matches again in %zu paths, so add g: "
		"s/OLD/NEW/g",
		rename->renamer.later.texts.count) != 0)
		return -1;
	if (rename->renamer.matched && rename->renamer.options.map != NULL &&
	    anim_rename_map_report(rename->renamer.options.map, rename->renamer.options.diagnostics, error) != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct rename *rename = (struct rename *)sink;

	anim_arena_clear(&rename->renamer.arena);
	anim_buffer_clear(&rename->renamer.text);
	anim_buffer_clear(&rename->renamer.tail);
	anim_text_set_clear(&rename->renamer.others);
	anim_text_set_clear(&rename->renamer.later);
	anim_map_clear(&rename->renamer.human);
	anim_new_tree_clear(&rename->tree);
	anim_identities_clear(&rename->identities);
	anim_arena_clear(&rename->clip);
	anim_filter_free(sink);
}

struct anim_sink *anim_rename_new(const struct anim_rename_options *options, struct anim_sink *next,
				  struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};
	struct rename *rename = anim_filter_new(sizeof *rename, &ops, next, error);

	if (rename == NULL)
		return NULL;
	rename->renamer.options = *options;
	rename->tree_root = ".";
	return &rename->filter.sink;
}
