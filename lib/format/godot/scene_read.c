/* scene_read.c: the [node] sections: where a node hangs, what it instances, what its properties say. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "format/godot/document.h"

/* A class name; equal ones are kept once. */
static const char *intern(struct godot_context *context, const struct godot_string *text, struct anim_error *error)
{
	uint32_t at;
	const char *kept;

	if (anim_map_get(&context->names, 0, text->bytes, text->length, &at))
		return ((const char **)context->classes.data)[at];
	at = (uint32_t)(context->classes.size / sizeof kept);
	kept = godot_keep(context, text, error);
	if (kept == NULL || anim_buffer_append(&context->classes, &kept, sizeof kept, error) != 0 ||
	    anim_map_put(&context->names, 0, kept, text->length, at, error) != 0)
		return NULL;
	return kept;
}

/* The attribute's text where it is one; NULL else. */
static const struct godot_string *tag_text(const struct godot_tag *tag, const char *key)
{
	const struct godot_value *value = godot_tag_get(tag, key);

	if (value == NULL ||
	    (value->type != GODOT_STRING && value->type != GODOT_STRING_NAME && value->type != GODOT_NODE_PATH))
		return NULL;
	return &value->text;
}

/* Makes up the nodes of `path` that are missing below `at`; they are of no known class. 0 or -1. */
static int make_up(struct godot_parse *parse, uint32_t at, const char *path, uint32_t *node, struct anim_error *error)
{
	struct godot_tree *tree = &parse->document->tree;

	*node = at;
	for (size_t length; *path != '\0'; path += length + (path[length] == '/')) {
		struct godot_string name = {path, length = strcspn(path, "/")};
		const char *kept;

		if (length == 0 || (length == 1 && path[0] == '.') || godot_tree_child(tree, *node, path, length, node))
			continue;
		kept = godot_keep(parse->context, &name, error);
		if (kept == NULL || godot_tree_add(tree, *node, kept, "", node, error) != 0)
			return -1;
		godot_tree_node(tree, *node)->flags |= GODOT_NODE_UNREAD;
	}
	return 0;
}

/* The deepest node of the path that is there. */
static uint32_t deepest(const struct godot_tree *tree, const char *path)
{
	uint32_t node = 0;

	for (size_t length; *path != '\0'; path += length + (path[length] == '/')) {
		length = strcspn(path, "/");
		if (length > 0 && !(length == 1 && path[0] == '.') &&
		    !godot_tree_child(tree, node, path, length, &node))
			break;
	}
	return node;
}

/* The node that the attribute `parent` names; the root, with a warning, where there is none (as the engine does). */
static int find_parent(struct godot_parse *parse, const struct godot_tag *tag, uint32_t *parent,
		       struct anim_error *error)
{
	const struct godot_string *path = tag_text(tag, "parent"), *name = tag_text(tag, "name");
	struct godot_tree *tree = &parse->document->tree;

	*parent = 0;
	if (path == NULL)
		return godot_document_say(parse->context, parse->document, ANIM_WARNING, &tag->place, NULL, error,
					  "a second root, '%s': it is hung under the first", name->bytes);
	if (godot_tree_find(tree, 0, path->bytes, parent))
		return 0;
	*parent = deepest(tree, path->bytes);
	if (strstr(path->bytes, "..") == NULL &&
	    (tree->fragment || (godot_tree_node(tree, *parent)->flags & GODOT_NODE_UNREAD)))
		return make_up(parse, 0, path->bytes, parent, error);
	*parent = 0;
	if (godot_document_say(parse->context, parse->document, ANIM_WARNING, &tag->place,
			       "nodes have a parent that is not there; they are hung under the root", error,
			       "node '%s' has a parent that is not there, '%s'; it is hung under the root", name->bytes,
			       path->bytes) != 0)
		return -1;
	return anim_losses_name(parse->context->options->losses, error, "'%s'", name->bytes);
}

/* A scene that does not begin with its root gets one. */
static int make_root(struct godot_parse *parse, struct anim_error *error)
{
	struct godot_tree *tree = &parse->document->tree;
	uint32_t root;

	tree->fragment = true;
	return godot_tree_add(tree, GODOT_NO_NODE, parse->context->base_name, "", &root, error);
}

/* Finds the node where the tag changes one of an instance, else adds it. */
static int place_node(struct godot_parse *parse, const struct godot_tag *tag, uint32_t *node, struct anim_error *error)
{
	const struct godot_string *name = tag_text(tag, "name"), *type = tag_text(tag, "type");
	struct godot_tree *tree = &parse->document->tree;
	uint32_t parent = GODOT_NO_NODE;
	const char *kept, *class = "";

	if (godot_tree_count(tree) == 0 && tag_text(tag, "parent") != NULL && make_root(parse, error) != 0)
		return -1;
	if (godot_tree_count(tree) > 0 && find_parent(parse, tag, &parent, error) != 0)
		return -1;
	if (type == NULL && parent != GODOT_NO_NODE && godot_tree_child(tree, parent, name->bytes, name->length, node))
		return 0;
	if (type != NULL && (class = intern(parse->context, type, error)) == NULL)
		return -1;
	kept = godot_keep(parse->context, name, error);
	if (kept == NULL || godot_tree_add(tree, parent, kept, class, node, error) != 0)
		return -1;
	if (type == NULL && parent != GODOT_NO_NODE && (godot_tree_node(tree, parent)->flags & GODOT_NODE_UNREAD))
		godot_tree_node(tree, *node)->flags |= GODOT_NODE_UNREAD;
	return 0;
}

/* The path of the scene that the node instances as it is written; empty: none, or unknown; NULL out of memory. */
static const char *instance_path(struct godot_parse *parse, const struct godot_tag *tag, struct anim_error *error)
{
	const struct godot_value *value = godot_tag_get(tag, "instance");
	const struct godot_external *external;

	if (value == NULL)
		value = godot_tag_get(tag, "instance_placeholder");
	if (value == NULL)
		return "";
	if (value->type != GODOT_EXT_RESOURCE)
		return godot_keep(parse->context, &value->text, error);
	external = godot_externals_find(&parse->document->externals, value->text.bytes, value->text.length);
	return external == NULL ? "" : external->path;
}

static bool is_text_scene(const char *path)
{
	size_t length = strlen(path);

	return length > 5 && (strcmp(path + length - 5, ".tscn") == 0 || strcmp(path + length - 5, ".escn") == 0);
}

/* True where the node is the root of a scene that inherits another one, and whose clips are read. */
static bool inherits(const struct godot_parse *parse, uint32_t node)
{
	return node == 0 && parse->document->want == GODOT_WANT_ALL;
}

/* No animation is lost with an instanced scene, only nodes: a note. With a base its players are. */
static int say_unread(struct godot_parse *parse, uint32_t node, const char *path, const struct anim_place *place,
		      const char *why, struct anim_error *error)
{
	godot_tree_node(&parse->document->tree, node)->flags |= GODOT_NODE_UNREAD;
	if (inherits(parse, node))
		return godot_document_say(parse->context, parse->document, ANIM_WARNING, place, NULL, error,
					  "nodes and clips of the scene that this one inherits, '%s', are not read: %s",
					  path, why);
	if (godot_document_say(parse->context, parse->document, ANIM_NOTE, place,
			       "instanced scenes are not read, their nodes are missing", error,
			       "the nodes of the instanced scene '%s' are missing: %s", path, why) != 0)
		return -1;
	return anim_losses_name(parse->context->options->losses, error, "'%s' (%s)", path, why);
}

/* Clips of the base play in the heir; `first` is its node that stands for the base's second. 0 or -1. */
static int inherit_players(struct godot_parse *parse, const struct godot_document *base, uint32_t first,
			   const char *path, struct anim_error *error)
{
	for (const struct godot_player *player = base->players; player != NULL; player = player->next)
		if (godot_player_inherit(parse, player->node == 0 ? 0 : first + player->node - 1, player, path,
					 error) != 0)
			return -1;
	return 0;
}

static int follow_instance(struct godot_parse *parse, uint32_t node, const char *path, const struct anim_place *place,
			   struct anim_error *error)
{
	struct godot_context *context = parse->context;
	struct godot_document *inner;
	const char *why;
	bool heir = inherits(parse, node);
	size_t count;
	uint32_t first;
	int got = godot_external_document(context, parse->document, path, heir ? GODOT_WANT_ALL : GODOT_WANT_NODES,
					  &inner, &why, error);

	if (got < 0)
		return -1;
	if (got == 0)
		return say_unread(parse, node, path, place, why, error);
	count = godot_tree_count(&inner->tree) + inner->tree.bones;
	if (count > ANIM_INSTANCED_NODES_MAX - context->instanced_nodes)
		return say_unread(parse, node, path, place, "there are too many nodes in instanced scenes", error);
	context->instanced_nodes += count;
	first = godot_tree_count(&parse->document->tree);
	if (godot_tree_merge(&parse->document->tree, node, &inner->tree, &context->arena, error) != 0)
		return -1;
	return heir ? inherit_players(parse, inner, first, path, error) : 0;
}

/* An instance of an ext_resource that the file does not have. */
static int say_unknown(struct godot_parse *parse, const struct godot_tag *tag, uint32_t node, struct anim_error *error)
{
	if (godot_tag_get(tag, "instance") == NULL)
		return 0;
	godot_tree_node(&parse->document->tree, node)->flags |= GODOT_NODE_UNREAD;
	if (godot_document_say(parse->context, parse->document, ANIM_WARNING, &tag->place,
			       "nodes instance a resource that is not in the file", error,
			       "node '%s' instances a resource that is not in the file",
			       godot_tree_node(&parse->document->tree, node)->name) != 0)
		return -1;
	return anim_losses_name(parse->context->options->losses, error, "'%s'",
				godot_tree_node(&parse->document->tree, node)->name);
}

static int read_instance(struct godot_parse *parse, const struct godot_tag *tag, uint32_t node,
			 struct anim_error *error)
{
	struct godot_tree *tree = &parse->document->tree;
	struct godot_node_extra *extra;
	struct anim_place place = tag->place;
	const char *path = instance_path(parse, tag, error);

	if (path == NULL)
		return -1;
	if (path[0] == '\0')
		return say_unknown(parse, tag, node, error);
	extra = godot_tree_extra(tree, node, &parse->context->arena, error);
	if (extra == NULL)
		return -1;
	extra->instance = path;
	if (godot_tag_get(tag, "instance") != NULL && is_text_scene(path))
		return follow_instance(parse, node, path, &place, error);
	if (inherits(parse, node))
		return say_unread(parse, node, path, &place, "it is no text scene; save it as .tscn in Godot", error);
	godot_tree_node(tree, node)->flags |= GODOT_NODE_UNREAD;
	return 0;
}

/* Properties that are neither transforms nor bones nor a player's. */
static bool is_own(const char *name)
{
	return strcmp(name, "unique_name_in_owner") == 0 || strcmp(name, "bone_name") == 0 ||
	       strcmp(name, "bone_idx") == 0 || strcmp(name, "rest") == 0;
}

/* Scripts have properties of these names too: only what the class, as far as it is known, has is taken. */
static bool is_of(const struct godot_node *node, const char *class)
{
	return node->type[0] == '\0' || strncmp(node->type, class, strlen(class)) == 0;
}

static int set_own(struct godot_parse *parse, uint32_t at, const char *name, const struct godot_value *value,
		   struct anim_error *error)
{
	struct godot_tree *tree = &parse->document->tree;
	struct godot_node *node = godot_tree_node(tree, at);
	struct godot_node_extra *extra;
	bool attachment = is_of(node, "BoneAttachment");

	if (strcmp(name, "unique_name_in_owner") == 0)
		return value->type == GODOT_BOOL && value->boolean ? godot_tree_unique(tree, at, error) : 0;
	if (!attachment && !is_of(node, "Bone2D"))
		return 0;
	extra = godot_tree_extra(tree, at, &parse->context->arena, error);
	if (extra == NULL)
		return -1;
	if (strcmp(name, "bone_name") == 0 && attachment && value->type == GODOT_STRING && value->text.length > 0)
		return (extra->bone_name = godot_keep(parse->context, &value->text, error)) == NULL ? -1 : 0;
	if (strcmp(name, "bone_idx") == 0 && attachment && value->type == GODOT_INT && value->integer >= 0 &&
	    value->integer < GODOT_NO_BONE)
		extra->bone_index = (uint32_t)value->integer;
	if (strcmp(name, "rest") == 0 && value->type == GODOT_TRANSFORM2D) {
		for (size_t i = 0; i < 6; i++)
			extra->rest[i] = (float)value->numbers[i];
		extra->has_rest = true;
	}
	return 0;
}

static int set_placement(struct godot_parse *parse, uint32_t node, const char *name, const struct godot_value *value,
			 struct anim_error *error)
{
	struct godot_placement *placement =
	    godot_tree_placement(&parse->document->tree, node, &parse->context->arena, error);

	if (placement == NULL)
		return -1;
	godot_placement_set(placement, name, value);
	return 0;
}

static int read_property(struct godot_parse *parse, uint32_t node, const char *name, struct anim_error *error)
{
	struct godot_value value;
	char kept[40]; /* longer than any name that is taken; the reader's own goes when the value is read */

	if (godot_player_is(name))
		return godot_player_read(parse, node, name, error);
	parse->document->lost.count[GODOT_LOST_SETTING] +=
	    !godot_placement_is(name) && !godot_bone_is(name) && !godot_lost_is_kept(name);
	if (!godot_placement_is(name) && !godot_bone_is(name) && !is_own(name))
		return 0;
	snprintf(kept, sizeof kept, "%s", name);
	anim_arena_reset(&parse->scratch);
	if (godot_text_value(parse->text, &parse->scratch, &value, error) != 0)
		return -1;
	if (godot_bone_is(kept))
		return godot_bone_set(&parse->document->tree, node, kept, &value, &parse->context->arena, error);
	if (is_own(kept))
		return set_own(parse, node, kept, &value, error);
	return set_placement(parse, node, kept, &value, error);
}

int godot_scene_node(struct godot_parse *parse, const struct godot_tag *tag, struct anim_error *error)
{
	const struct godot_string *name = tag_text(tag, "name");
	struct anim_place place;
	const char *property;
	uint32_t node;
	int got;

	if (name == NULL || name->length == 0)
		return godot_document_say(parse->context, parse->document, ANIM_FAULT, &tag->place, NULL, error,
					  "a [node] without a name");
	parse->document->lost.count[GODOT_LOST_GROUP] += godot_tag_get(tag, "groups") != NULL;
	if (place_node(parse, tag, &node, error) != 0 || read_instance(parse, tag, node, error) != 0)
		return -1;
	while ((got = godot_text_property(parse->text, &property, &place, error)) > 0)
		if (read_property(parse, node, property, error) != 0)
			return -1;
	return got;
}
