/* rename.c: other names for nodes, properties and clips. */
#include "filter/rename/rename.h"

#include <string.h>

#include "filter/clip_names.h"
#include "filter/filter.h"
#include "filter/rename/identity.h"
#include "filter/rename/name.h"
#include "filter/rename/tree.h"

struct rename {
	struct anim_filter filter;
	struct anim_renamer renamer;
	struct anim_new_tree tree;         /* waits for the clip that says where its root is */
	const char *tree_root;             /* of that clip, "." before; in the tree's arena */
	bool selected;                     /* the clip at hand */
	bool foreign;                      /* a ':' in it belongs to names */
	struct anim_identities identities; /* of the clip at hand */
};

static const struct anim_rename_selection *selection(const struct rename *rename)
{
	return &rename->renamer.options.select;
}

/* Where properties or clips are selected, tracks alone are renamed. */
static bool renames_tree(const struct rename *rename)
{
	return anim_renamer_has_nodes(&rename->renamer) && selection(rename)->property_count == 0 &&
	       selection(rename)->clip_count == 0;
}

/* The part of a tree's path that tracks of the clip see; NULL for the root's own path and what is not below it. */
static const char *seen_from(const char *root, const char *path)
{
	size_t length = strlen(root);

	if (strcmp(root, ".") == 0)
		return strcmp(path, ".") == 0 ? NULL : path;
	if (strncmp(path, root, length) != 0 || (path[length] != '/' && path[length] != ':'))
		return NULL;
	return path[length] == '/' ? path + length + 1 : NULL;
}

/* The new path of a node in the tree. NULL on failure. */
static const char *tree_path(struct rename *rename, const char *path, struct anim_error *error)
{
	const char *seen = seen_from(rename->tree_root, path), *root, *made;
	char *out;
	size_t length;

	if (strcmp(path, ".") == 0)
		return path;
	if (seen == NULL || strcmp(rename->tree_root, ".") == 0)
		return anim_renamer_node(&rename->renamer, path, error);
	root = anim_renamer_node(&rename->renamer, rename->tree_root, error);
	made = root == NULL ? NULL : anim_renamer_node(&rename->renamer, seen, error);
	if (made == NULL)
		return NULL;
	length = strlen(root);
	out = anim_arena_alloc(&rename->renamer.arena, length + strlen(made) + 2, error);
	if (out == NULL)
		return NULL;
	memcpy(out, root, length);
	out[length] = '/';
	memcpy(out + length + 1, made, strlen(made) + 1);
	return strcmp(made, ".") == 0 ? root : out;
}

static int write_tree(struct rename *rename, const char *root, struct anim_error *error)
{
	struct anim_new_tree *tree = &rename->tree;

	if (!tree->held)
		return 0;
	rename->tree_root = anim_arena_text(&tree->arena, root, strlen(root), error);
	if (rename->tree_root == NULL)
		return -1;
	for (size_t i = 0; i < anim_new_tree_count(tree); i++) {
		struct anim_new_node *node = anim_new_tree_at(tree, i);
		const char *path;

		anim_arena_reset(&rename->renamer.arena);
		if ((path = tree_path(rename, node->path, error)) == NULL)
			return -1;
		node->path = anim_arena_text(&tree->arena, path, strlen(path), error);
		if (node->path == NULL)
			return -1;
	}
	return anim_new_tree_write(tree, rename->renamer.options.losses, rename->filter.next, error);
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

static bool selects_clip(const struct rename *rename, const struct anim_clip *clip)
{
	const struct anim_rename_selection *select = selection(rename);

	for (size_t i = 0; i < select->clip_count; i++)
		if (anim_clip_match(clip, select->clips[i]) != ANIM_CLIP_OTHER)
			return true;
	return select->clip_count == 0;
}

/* The clip's name; the name that Godot keeps beside that of the library follows it. */
static int rename_clip(struct rename *rename, struct anim_clip *clip, struct anim_error *error)
{
	const char *name = anim_renamer_name(&rename->renamer, clip->name, error);

	if (name == NULL || name == clip->name)
		return name == NULL ? -1 : 0;
	clip->name = name;
	clip->record = NULL;
	if (anim_attrs_get(&clip->attrs, "godot.resource_name") == NULL)
		return 0;
	return anim_attrs_with(&clip->attrs, &clip->attrs, "godot.resource_name", NULL, &rename->renamer.arena, error);
}

/* The clip's root and its player are nodes of the tree. */
static int follow_tree(struct rename *rename, struct anim_clip *clip, struct anim_error *error)
{
	const char *player = anim_attrs_get(&clip->attrs, "player"), *root = clip->root, *made;

	clip->root = tree_path(rename, root, error);
	if (clip->root == NULL)
		return -1;
	if (strcmp(clip->root, root) != 0)
		clip->record = NULL;
	made = player == NULL ? NULL : tree_path(rename, player, error);
	if (player == NULL || (made != NULL && strcmp(made, player) == 0))
		return 0;
	if (made == NULL)
		return -1;
	clip->record = NULL;
	return anim_attrs_with(&clip->attrs, &clip->attrs, "player", made, &rename->renamer.arena, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct rename *rename = (struct rename *)sink;
	struct anim_clip out = *clip;
	bool in_tree = (clip->flags & ANIM_IN_TREE) != 0;

	if (write_tree(rename, in_tree ? clip->root : ".", error) != 0)
		return -1;
	anim_arena_reset(&rename->renamer.arena);
	anim_identities_clear(&rename->identities);
	rename->foreign = clip->source[0] != '\0' && strncmp(clip->source, "godot", 5) != 0;
	rename->selected = selects_clip(rename, clip);
	if (rename->selected && rename->renamer.options.on == ANIM_RENAME_CLIP && rename_clip(rename, &out, error) != 0)
		return -1;
	if (in_tree && renames_tree(rename) && follow_tree(rename, &out, error) != 0)
		return -1;
	return anim_filter_clip(sink, &out, error);
}

/*
 * Unity's own spelling of a property goes along with it ("material._Color.r" with "material._Color"), or is dropped, so
 * that it does not come back in its place.
 */
static int rename_spelling(struct rename *rename, struct anim_track *track, const char *old, struct anim_error *error)
{
	const char *spelling = anim_attrs_get(&track->attrs, "unity.attribute");
	size_t length = strlen(old), size = strlen(track->property);
	char *made = NULL;

	if (spelling == NULL)
		return 0;
	if (strncmp(spelling, old, length) == 0) {
		made = anim_arena_alloc(&rename->renamer.arena, size + strlen(spelling + length) + 1, error);
		if (made == NULL)
			return -1;
		memcpy(made, track->property, size);
		memcpy(made + size, spelling + length, strlen(spelling + length) + 1);
	}
	return anim_attrs_with(&track->attrs, &track->attrs, "unity.attribute", made, &rename->renamer.arena, error);
}

/*
 * True where the new path, but not the old one, has a skeleton "Name:" before its last name: a ':' that came with the clip
 * belongs to names.
 */
static bool makes_bone(const char *old, const char *path)
{
	const char *bone = anim_bone_name("other", path, true), *from, *found = old;

	if (bone == NULL)
		return false;
	for (from = bone - 1; from > path && from[-1] != '/';)
		from--;
	for (size_t length = (size_t)(bone - from); found != NULL; found = strchr(found, '/')) {
		found += *found == '/';
		if (strncmp(found, from, length) == 0)
			return false;
	}
	return true;
}

static int rename_node(struct rename *rename, struct anim_track *track, struct anim_error *error)
{
	const char *old = track->node;

	track->node = anim_renamer_node(&rename->renamer, old, error);
	if (track->node == NULL)
		return -1;
	if (!rename->foreign || track->node == old || !makes_bone(old, track->node))
		return 0;
	return anim_attrs_with(&track->attrs, &track->attrs, "godot.bone", "true", &rename->renamer.arena, error);
}

static int rename_track(struct rename *rename, struct anim_track *track, struct anim_error *error)
{
	struct anim_renamer *renamer = &rename->renamer;
	const char *node = track->node, *property = track->property;

	if (anim_renamer_has_nodes(renamer) && rename_node(rename, track, error) != 0)
		return -1;
	if (renamer->options.on == ANIM_RENAME_PROPERTY &&
	    anim_rename_selects(selection(rename)->nodes, selection(rename)->node_count, node))
		track->property = anim_renamer_name(renamer, property, error);
	if (track->property == NULL)
		return -1;
	if (track->node != node || track->property != property)
		track->record = NULL;
	return track->property == property ? 0 : rename_spelling(rename, track, property, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct rename *rename = (struct rename *)sink;
	const struct anim_rename_selection *select = selection(rename);
	struct anim_track out = *track;

	if (rename->renamer.options.on == ANIM_RENAME_CLIP && !anim_renamer_has_nodes(&rename->renamer))
		return anim_filter_track(sink, track, error);
	anim_arena_reset(&rename->renamer.arena);
	if (rename->selected && anim_rename_selects(select->properties, select->property_count, track->property) &&
	    rename_track(rename, &out, error) != 0)
		return -1;
	if (anim_identities_add(&rename->identities, track, &out, rename->renamer.options.losses, error) != 0)
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
	if (!rename->renamer.matched && anim_losses_add(rename->renamer.options.losses, ANIM_WARNING, &nowhere, NULL,
							error, "nothing was renamed: no name matches") != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct rename *rename = (struct rename *)sink;

	anim_renamer_clear(&rename->renamer);
	anim_new_tree_clear(&rename->tree);
	anim_identities_clear(&rename->identities);
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
