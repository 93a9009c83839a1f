/* scene_nodes.c: [node] sections -> the tree, and the tree -> TREE and NODE records. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "format/godot/document.h"
#include "format/godot/scene.h"
#include "math/quaternion.h"

/* --- Reading: where a node hangs, what it instances, what its properties say --- */

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
	return anim_diagnostics_name(parse->context->options->diagnostics, error, "'%s'", name->bytes);
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
	return strlen(path) > 5 && (anim_text_ends(path, ".tscn") || anim_text_ends(path, ".escn"));
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
	return anim_diagnostics_name(parse->context->options->diagnostics, error, "'%s' (%s)", path, why);
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
	return anim_diagnostics_name(parse->context->options->diagnostics, error, "'%s'",
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
	return anim_text_is_word("unique_name_in_owner bone_name bone_idx rest", name);
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

/* --- The records --- */

/* What one record needs while it is written. */
struct writing {
	struct godot_tree *tree;
	struct anim_sink *sink;
	struct anim_diagnostics *diagnostics;
	const char *shown;       /* the file, for messages */
	uint32_t count;          /* NODEs written */
	struct anim_buffer path; /* of the node, with NUL */
	struct anim_attr attrs[8];
	size_t attr_count;
	char pose[GODOT_POSE_COMPONENTS * (ANIM_NUMBER_MAX + 1)], skew[ANIM_NUMBER_MAX + 1];
};

/* The keys must come in the order of their bytes. */
static void add_attr(struct writing *writing, const char *key, const char *value)
{
	writing->attrs[writing->attr_count++] = (struct anim_attr){key, value};
}

/* Warns of the node of this name. */
static int warn(struct writing *writing, const char *many, const char *name, const char *text, struct anim_error *error)
{
	struct anim_place place = {.file = writing->shown, .at = ANIM_AT_FILE};

	if (anim_diagnostics_add(writing->diagnostics, ANIM_WARNING, &place, many, error, "node '%s': %s", name,
				 text) != 0)
		return -1;
	return anim_diagnostics_name(writing->diagnostics, error, "'%s'", name);
}

static void print_pose(struct writing *writing, const float *pose)
{
	char *at = writing->pose;

	for (size_t i = 0; i < GODOT_POSE_COMPONENTS; i++) {
		if (i > 0)
			*at++ = ' ';
		at += anim_number_print_float(at, pose[i]);
	}
	*at = '\0';
}

static int write_node(struct writing *writing, struct anim_node *node, uint32_t *number, struct anim_error *error)
{
	if (anim_buffer_append(&writing->path, "", 1, error) != 0)
		return -1;
	if (writing->path.size - 1 > ANIM_NAME_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "the path of a node is longer than %u bytes", ANIM_NAME_MAX);
	node->path = (const char *)writing->path.data;
	node->attrs = (struct anim_attrs){writing->attrs, writing->attr_count};
	*number = writing->count++;
	return anim_sink_node(writing->sink, node, error);
}

/* The rest of a Bone2D is its transform; what the scene places it at is its pose. */
static void place_bone2d(struct writing *writing, const struct godot_node_extra *extra, struct anim_node *node)
{
	float rest[GODOT_POSE_COMPONENTS], pose[GODOT_POSE_COMPONENTS], skew;

	godot_pose_of_transform2d(extra->rest, rest, &skew);
	if (!godot_pose_finite(rest))
		return;
	memcpy(pose, node->position, sizeof node->position);
	memcpy(pose + 3, node->rotation, sizeof node->rotation);
	memcpy(pose + 7, node->scale, sizeof node->scale);
	memcpy(node->position, rest, sizeof node->position);
	memcpy(node->rotation, rest + 3, sizeof node->rotation);
	memcpy(node->scale, rest + 7, sizeof node->scale);
	node->has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE | ANIM_HAS_2D;
	if (godot_pose_equal(rest, pose))
		return;
	print_pose(writing, pose);
	add_attr(writing, "godot.pose", writing->pose);
}

static const char *attached_bone(const struct godot_tree *tree, const struct godot_node *node)
{
	const struct godot_bone *bone;

	if (node->extra->bone_name != NULL)
		return node->extra->bone_name;
	if (node->extra->bone_index == GODOT_NO_BONE || node->parent == GODOT_NO_NODE)
		return NULL;
	bone = godot_bone_find(tree, node->parent, node->extra->bone_index);
	return bone == NULL ? NULL : bone->name;
}

static void add_extra_attrs(struct writing *writing, const struct godot_node *from, struct anim_node *node)
{
	const char *bone = attached_bone(writing->tree, from);

	if (bone != NULL)
		add_attr(writing, "godot.bone", bone);
	if (from->extra->instance != NULL)
		add_attr(writing, "godot.instance", from->extra->instance);
	if (from->extra->has_rest && node->kind == ANIM_NODE_BONE)
		place_bone2d(writing, from->extra, node);
}

static int add_placement(struct writing *writing, const struct godot_node *from, struct anim_node *node,
			 struct anim_error *error)
{
	if (!godot_placement_get(from->placement, node) &&
	    warn(writing, "nodes have a transform that is not finite, it is left out", from->name,
		 "its transform is not finite and is left out", error) != 0)
		return -1;
	return 0;
}

static int write_own(struct writing *writing, uint32_t at, struct anim_error *error)
{
	struct godot_node *from = godot_tree_node(writing->tree, at);
	struct anim_node node = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .type = from->type};
	const struct godot_placement *placement = from->placement;

	node.kind = (uint8_t)godot_class_kind(from->type);
	node.has = godot_class_is_2d(from->type) ? ANIM_HAS_2D : 0;
	node.parent = at == 0 ? ANIM_NO_PARENT : godot_tree_node(writing->tree, from->parent)->number;
	writing->attr_count = 0;
	writing->path.size = 0;
	if (placement != NULL && add_placement(writing, from, &node, error) != 0)
		return -1;
	if (from->extra != NULL)
		add_extra_attrs(writing, from, &node);
	if (placement != NULL && (placement->has & GODOT_SKEW) && placement->skew != 0) {
		writing->skew[anim_number_print_float(writing->skew, placement->skew)] = '\0';
		add_attr(writing, "godot.skew", writing->skew);
	}
	if (from->flags & GODOT_NODE_UNIQUE)
		add_attr(writing, "godot.unique_name", "true");
	if (placement != NULL && placement->rotation_order != ANIM_EULER_YXZ)
		add_attr(writing, "rotation_order", anim_euler_order_names[placement->rotation_order]);
	if (godot_tree_path(writing->tree, at, &writing->path, error) != 0)
		return -1;
	return write_node(writing, &node, &from->number, error);
}

/* The pose where it differs from the rest: what the file leaves out is the rest's. */
static void add_pose(struct writing *writing, const struct godot_bone *bone)
{
	float pose[GODOT_POSE_COMPONENTS];

	memcpy(pose, bone->rest, sizeof pose);
	if (bone->flags & GODOT_BONE_RELATIVE) {
		memcpy(pose, bone->pose, sizeof pose);
		godot_pose_multiply(bone->rest, pose);
	} else {
		if (bone->flags & GODOT_BONE_POSITION)
			memcpy(pose, bone->pose, 3 * sizeof *pose);
		if (bone->flags & GODOT_BONE_ROTATION)
			memcpy(pose + 3, bone->pose + 3, 4 * sizeof *pose);
		if (bone->flags & GODOT_BONE_SCALE)
			memcpy(pose + 7, bone->pose + 7, 3 * sizeof *pose);
	}
	if (!godot_pose_finite(pose) || godot_pose_equal(pose, bone->rest))
		return;
	print_pose(writing, pose);
	add_attr(writing, "godot.pose", writing->pose);
}

static int bone_path(struct writing *writing, uint32_t skeleton, const struct godot_bone *bone,
		     struct anim_error *error)
{
	char number[ANIM_NUMBER_MAX + 1] = "#";
	size_t length = 1 + anim_number_print_uint64(number + 1, bone->index);

	writing->path.size = 0;
	if (godot_tree_path(writing->tree, skeleton, &writing->path, error) != 0 ||
	    anim_buffer_append(&writing->path, ":", 1, error) != 0)
		return -1;
	if (bone->name != NULL)
		return anim_buffer_append(&writing->path, bone->name, strlen(bone->name), error);
	return anim_buffer_append(&writing->path, number, length, error);
}

static int write_bone(struct writing *writing, uint32_t skeleton, struct godot_bone *bone, struct anim_error *error)
{
	struct anim_node node = {.kind = ANIM_NODE_BONE, .type = ""};
	const struct godot_bone *parent = godot_bone_find(writing->tree, skeleton, bone->parent);

	writing->attr_count = 0;
	node.parent = bone->parent == GODOT_NO_BONE || parent == NULL ? godot_tree_node(writing->tree, skeleton)->number
								      : parent->number;
	if (bone->flags & GODOT_BONE_REST)
		node.has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE;
	memcpy(node.position, bone->rest, sizeof node.position);
	memcpy(node.rotation, bone->rest + 3, sizeof node.rotation);
	memcpy(node.scale, bone->rest + 7, sizeof node.scale);
	if (bone->flags & GODOT_BONE_DISABLED)
		add_attr(writing, "godot.enabled", "false");
	add_pose(writing, bone);
	if (bone_path(writing, skeleton, bone, error) != 0)
		return -1;
	return write_node(writing, &node, &bone->number, error);
}

/* Marks in bone->number while the order is found. */
#define BONE_WAITING 0xFFFFFFFFu
#define BONE_ASKED 0xFFFFFFFEu

/* Puts the bone and its ancestors that are not written yet on the stack; parents that run in a ring are cut. */
static int push_chain(struct writing *writing, uint32_t skeleton, struct godot_bone *bone, struct anim_buffer *stack,
		      struct anim_error *error)
{
	while (bone != NULL && bone->number == BONE_WAITING) {
		struct godot_bone *parent = godot_bone_find(writing->tree, skeleton, bone->parent);

		bone->number = BONE_ASKED;
		if (anim_buffer_append(stack, &bone, sizeof bone, error) != 0)
			return -1;
		if (parent != NULL && parent->number == BONE_ASKED) {
			bone->parent = GODOT_NO_BONE;
			return warn(writing, "bones have parents that run in a ring; they are hung under the skeleton",
				    godot_tree_node(writing->tree, skeleton)->name,
				    "the parents of a bone run in a ring; it is hung under the skeleton", error);
		}
		bone = parent;
	}
	return 0;
}

static int write_chain(struct writing *writing, uint32_t skeleton, struct anim_buffer *stack, struct anim_error *error)
{
	struct godot_bone **bones = (struct godot_bone **)stack->data;

	for (size_t i = stack->size / sizeof *bones; i-- > 0;)
		if (write_bone(writing, skeleton, bones[i], error) != 0)
			return -1;
	stack->size = 0;
	return 0;
}

static int write_bones(struct writing *writing, uint32_t skeleton, struct anim_error *error)
{
	const struct anim_buffer *bones = &godot_tree_node(writing->tree, skeleton)->extra->bones;
	struct godot_bone *bone = (struct godot_bone *)bones->data;
	size_t count = bones->size / sizeof *bone;
	struct anim_buffer stack = {0};
	int result = 0;

	for (size_t i = 0; i < count; i++)
		bone[i].number = BONE_WAITING;
	for (size_t i = 0; i < count && result == 0; i++) {
		result = push_chain(writing, skeleton, &bone[i], &stack, error);
		if (result == 0)
			result = write_chain(writing, skeleton, &stack, error);
	}
	anim_buffer_clear(&stack);
	return result;
}

static int write_tree(struct writing *writing, const char *source_file, const char *left, struct anim_error *error)
{
	uint32_t count = godot_tree_count(writing->tree);
	struct anim_attr attr = {"godot.left", left};
	struct anim_tree head = {.axes = ANIM_AXES_GODOT,
				 .axes2d = ANIM_AXES2D_GODOT,
				 .source_file = source_file,
				 .attrs = {&attr, left[0] != '\0'}};

	head.root_name = count == 0 ? "" : godot_tree_node(writing->tree, 0)->name;
	if (anim_sink_tree(writing->sink, &head, error) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		if (write_own(writing, i, error) != 0)
			return -1;
		if (godot_tree_node(writing->tree, i)->extra != NULL && write_bones(writing, i, error) != 0)
			return -1;
	}
	return 0;
}

int godot_scene_write(struct godot_tree *tree, const char *source_file, const char *shown, const char *left,
		      struct anim_diagnostics *diagnostics, struct anim_sink *sink, struct anim_error *error)
{
	struct writing writing = {.tree = tree, .sink = sink, .diagnostics = diagnostics, .shown = shown};
	int result = write_tree(&writing, source_file, left, error);

	anim_buffer_clear(&writing.path);
	return result;
}
