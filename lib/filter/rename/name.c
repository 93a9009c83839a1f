/* name.c: the new name of one node, property or clip. */
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "filter/rename/internal.h"

/* --- The new name of one node, property or clip --- */

const char *const anim_rename_on_names[] = {"node", "name", "property", "clip", NULL};

/* What is below a node follows it through so many names; none deeper is looked at. */
#define FOLLOW_MAX 256u

void anim_renamer_clear(struct anim_renamer *renamer)
{
	anim_arena_clear(&renamer->arena);
	anim_buffer_clear(&renamer->text);
	anim_buffer_clear(&renamer->tail);
	anim_text_set_clear(&renamer->others);
}

bool anim_rename_selects(const char *const *globs, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (anim_glob_match(globs[i], text))
			return true;
	return count == 0;
}

bool anim_renamer_has_nodes(const struct anim_renamer *renamer)
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

static int warn_crc(const struct anim_renamer *renamer, const char *path, struct anim_error *error)
{
	struct anim_place nowhere = {.file = "", .at = ANIM_AT_FILE};

	return anim_diagnostics_add(renamer->options.diagnostics, ANIM_WARNING, &nowhere,
				    "CRCs are of no path that is known; they stay", error,
				    "'%.40s' is the CRC of no path that is known; it stays", path);
}

static const char *restore(struct anim_renamer *renamer, const char *path, struct anim_error *error)
{
	const char *found;

	if (renamer->options.crc == NULL || !selects_node(renamer, path) ||
	    !anim_crc_names_find(renamer->options.crc, path, &found))
		return path;
	if (found == NULL)
		return warn_crc(renamer, path, error) == 0 ? path : NULL;
	renamer->matched = true;
	return found;
}

/* How much of the path stands before the ':' that parts its last two names, a skeleton's and a bone's; all where none does. */
static size_t before_bone(const char *path, bool bone)
{
	const char *name = bone ? anim_bone_name("other", path, true) : NULL;

	return name == NULL ? strlen(path) : (size_t)(name - 1 - path);
}

/* A path as it came, and how much of it is dealt with. */
struct name_walk {
	const char *path;
	size_t at, colon; /* where a bone's ':' is: before_bone */
};

/* Where the name that begins at `at` ends. */
static size_t end_of_name(const char *path, size_t at, size_t colon)
{
	size_t end = at + strcspn(path + at, "/");

	return at < colon && colon < end ? colon : end;
}

/* Whether the selection takes the node that the path's first `length` bytes name. */
static int selects_part(struct anim_renamer *renamer, const char *path, size_t length, struct anim_error *error)
{
	const char *part;

	if (renamer->options.select.node_count == 0)
		return 1;
	part = anim_arena_text(&renamer->arena, path, length, error);
	return part == NULL ? -1 : selects_node(renamer, part);
}

/* The new name of one that is alone, by map and, if it may be a bone, humanoid; NULL if neither knows it. */
static const char *look_up(const struct anim_renamer *renamer, const char *name, size_t length, bool may_be_bone)
{
	const struct anim_rename_options *options = &renamer->options;
	bool mapped = options->map != NULL && options->on <= ANIM_RENAME_NAME;
	const char *found = mapped ? anim_rename_map_get(options->map, name, length) : NULL, *bone;

	if (!options->humanoid || !may_be_bone)
		return found;
	if (found != NULL) {
		name = found;
		length = strlen(found);
	}
	bone = anim_humanoid_find(options->from, options->to, name, length);
	return bone != NULL ? bone : found;
}

/* Appends the name of `length` bytes at walk->at under its new name, where it has one and is selected. 1, 0 or -1. */
static int append_known(struct anim_renamer *renamer, struct name_walk *walk, size_t length, struct anim_error *error)
{
	bool may_be_bone = !anim_text_set_has(&renamer->others, walk->path, walk->at + length);
	const char *found = look_up(renamer, walk->path + walk->at, length, may_be_bone);
	int selected = found == NULL ? 0 : selects_part(renamer, walk->path, walk->at + length, error);

	if (selected <= 0)
		return selected;
	renamer->matched = true;
	walk->at += length;
	return anim_buffer_append(&renamer->text, found, strlen(found), error) == 0 ? 1 : -1;
}

/* Appends what stands up to the next '/', known as a whole; of a skeleton and its bone else what stands before the ':'. */
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

/* Appends what the longest beginning of the path that the map has a row for becomes. */
static int append_mapped(struct anim_renamer *renamer, struct name_walk *walk, struct anim_error *error)
{
	struct anim_rename_map *map = renamer->options.map;
	const char *found = NULL, *to;

	if (map == NULL || renamer->options.on != ANIM_RENAME_NODE)
		return 0;
	for (size_t end = 0; end <= map->longest; end++) {
		int selected = 0;

		end = end_of_name(walk->path, end, walk->colon);
		to = anim_rename_map_get_path(map, walk->path, end);
		if (to != NULL && (selected = selects_part(renamer, walk->path, end, error)) < 0)
			return -1;
		if (selected > 0) {
			found = to;
			walk->at = end;
		}
		if (walk->path[end] == '\0')
			break;
	}
	renamer->matched |= found != NULL;
	return found == NULL ? 0 : anim_buffer_append(&renamer->text, found, strlen(found), error);
}

/* By the map and the humanoid's names. */
static const char *map_path(struct anim_renamer *renamer, const char *path, bool bone, struct anim_error *error)
{
	struct name_walk walk = {path, 0, before_bone(path, bone)};

	if (renamer->options.map == NULL && !renamer->options.humanoid)
		return path;
	renamer->text.size = 0;
	if (append_mapped(renamer, &walk, error) != 0)
		return NULL;
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

/* What the expression makes of the text; the text itself where it does not match. NULL on failure. */
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

/* How much of it is the path of the node above, or of a bone's skeleton; 0: nothing. */
static size_t folder_length(const char *path, bool bone)
{
	const char *slash = strrchr(path, '/');
	size_t colon = before_bone(path, bone);

	if (path[colon] == ':')
		return colon;
	return slash == NULL ? 0 : (size_t)(slash - path);
}

/* Both texts, one behind the other. */
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
 * One expression on a path. Where it changes the last name at most, the node above may have got another name, too: the
 * path up to it goes through the expression as well, and so on.
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
	return made == NULL ? NULL : join(renamer, made, tail, error);
}

/* One expression on each name of a path. */
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
 * Without what is left over where names were taken out: empty names, "." beside others, and a '/' at the beginning
 * where there was none. Nothing left is the root.
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

const char *anim_renamer_node(struct anim_renamer *renamer, const char *path, bool bone, struct anim_error *error)
{
	const struct anim_rename_options *options = &renamer->options;
	const char *made = restore(renamer, path, error);

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

const char *anim_renamer_name(struct anim_renamer *renamer, const char *name, struct anim_error *error)
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
