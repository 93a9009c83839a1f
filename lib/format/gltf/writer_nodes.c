/* writer_nodes.c: the nodes of a glTF file, from trees and from tracks without a node, and their VRM names. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/path.h"
#include "base/text.h"
#include "format/gltf/writer.h"

/* ---- Bones of a human ---- */

/* The bones of VRM 1.0, the required ones first. Eyes are missing, because VRM animates the gaze in another way. */
#define REQUIRED 15
enum { HIPS, SPINE };
static const char *const bones[] = {"hips",
				    "spine",
				    "head",
				    "leftUpperLeg",
				    "leftLowerLeg",
				    "leftFoot",
				    "rightUpperLeg",
				    "rightLowerLeg",
				    "rightFoot",
				    "leftUpperArm",
				    "leftLowerArm",
				    "leftHand",
				    "rightUpperArm",
				    "rightLowerArm",
				    "rightHand",
				    "chest",
				    "upperChest",
				    "neck",
				    "jaw",
				    "leftShoulder",
				    "rightShoulder",
				    "leftToes",
				    "rightToes",
				    "leftThumbMetacarpal",
				    "leftThumbProximal",
				    "leftThumbDistal",
				    "leftIndexProximal",
				    "leftIndexIntermediate",
				    "leftIndexDistal",
				    "leftMiddleProximal",
				    "leftMiddleIntermediate",
				    "leftMiddleDistal",
				    "leftRingProximal",
				    "leftRingIntermediate",
				    "leftRingDistal",
				    "leftLittleProximal",
				    "leftLittleIntermediate",
				    "leftLittleDistal",
				    "rightThumbMetacarpal",
				    "rightThumbProximal",
				    "rightThumbDistal",
				    "rightIndexProximal",
				    "rightIndexIntermediate",
				    "rightIndexDistal",
				    "rightMiddleProximal",
				    "rightMiddleIntermediate",
				    "rightMiddleDistal",
				    "rightRingProximal",
				    "rightRingIntermediate",
				    "rightRingDistal",
				    "rightLittleProximal",
				    "rightLittleIntermediate",
				    "rightLittleDistal"};

static const char presets[] = "happy angry sad relaxed surprised neutral aa ih ou ee oh blink blinkLeft blinkRight";

/* the node of the gaze, which is driven like a bone */
static const char look[] = GLTF_LOOK;

/* Return the VRM 1.0 bone of a node, or NULL. An expression may have the name of a bone. */
static const char *human_bone(const struct anim_node *node)
{
	const char *name = anim_attrs_get(&node->attrs, "gltf.vrm");

	if (name == NULL && anim_attrs_get(&node->attrs, GLTF_EXPRESSION) != NULL)
		return NULL;
	if (name == NULL)
		name = anim_node_own_name(node->path);
	for (size_t i = 0; i < ANIM_COUNT(bones); i++)
		if (strcmp(bones[i], name) == 0)
			return bones[i];
	return strcmp(look, name) == 0 ? look : NULL;
}

/* Read the offset of the eyes from the head in a node's attribute. Return false if the node does not have it. */
static bool read_look_offset(const struct anim_node *node, float offset[3])
{
	const char *text = anim_attrs_get(&node->attrs, GLTF_LOOK_OFFSET);

	for (int i = 0; i < 3; i++) {
		size_t length = text == NULL ? 0 : strcspn(text, ",");
		double number;

		if (length == 0 || text[length] != (i < 2 ? ',' : '\0') ||
		    anim_number_typed(text, length, &number) != length || !isfinite((float)number))
			return false;
		offset[i] = (float)number;
		text += length + 1;
	}
	return true;
}

/* ---- Nodes ---- */

void gltf_out_nodes_clear(struct gltf_out_nodes *nodes)
{
	anim_rests_clear(&nodes->rests);
	anim_buffer_clear(&nodes->items);
	anim_buffer_clear(&nodes->numbers);
	anim_buffer_clear(&nodes->cameras);
	anim_map_clear(&nodes->expressions);
	anim_arena_clear(&nodes->arena);
}

/* Return the node of a path, or GLTF_NONE. */
static uint32_t find(struct gltf_out_nodes *nodes, const char *path)
{
	const struct anim_rest *rest = anim_rests_find(&nodes->rests, ".", path);

	return rest == NULL ? GLTF_NONE : (uint32_t)(rest - nodes->rests.items);
}

/* Append a node to the children of its parent. */
static void link_to(struct gltf_out_nodes *nodes, uint32_t number, uint32_t parent)
{
	struct gltf_out_node *above = parent == GLTF_NONE ? NULL : gltf_out_nodes_at(nodes, parent);

	gltf_out_nodes_at(nodes, number)->parent = parent;
	if (above == NULL)
		return;
	if (above->first == GLTF_NONE)
		above->first = number;
	else
		gltf_out_nodes_at(nodes, above->last)->next = number;
	above->last = number;
}

/* Append a node. Return 0 or -1. */
static int append(struct gltf_out_nodes *nodes, const struct anim_node *from, const char *name, uint32_t parent,
		  uint32_t *number, struct anim_error *error)
{
	struct gltf_out_node node = {.parent = GLTF_NONE,
				     .first = GLTF_NONE,
				     .last = GLTF_NONE,
				     .next = GLTF_NONE,
				     .kind = from->kind,
				     .has = from->has,
				     .human = human_bone(from)};
	const char *expression = node.human != NULL ? NULL : anim_attrs_get(&from->attrs, GLTF_EXPRESSION);
	double length = 0;
	uint32_t other;

	*number = (uint32_t)gltf_out_nodes_count(nodes);
	node.has_look_offset = read_look_offset(from, node.look_offset);
	memcpy(node.position, from->position, sizeof node.position);
	memcpy(node.scale, from->scale, sizeof node.scale);
	/* Set a rotation of length 1, as glTF requires. A rotation whose length is 0 or not finite is dropped. */
	for (int i = 0; i < 4; i++)
		length += (double)from->rotation[i] * (double)from->rotation[i];
	length = sqrt(length);
	if (!(length > 0) || !isfinite(length))
		node.has &= (uint8_t)~ANIM_HAS_ROTATION;
	else
		for (int i = 0; i < 4; i++)
			node.rotation[i] =
			    fabs(length - 1) > 1e-6 ? (float)((double)from->rotation[i] / length) : from->rotation[i];
	node.shows = node.hidden;
	nodes->show |= node.hidden;
	if (name != NULL && (node.name = anim_arena_text(&nodes->arena, name, strlen(name), error)) == NULL)
		return -1;
	if (*number == GLTF_NONE - 1)
		return anim_fail(error, ANIM_TOO_LARGE, "there are too many nodes");
	if (anim_buffer_append(&nodes->items, &node, sizeof node, error) != 0 ||
	    anim_rests_add(&nodes->rests, from, error) != 0)
		return -1;
	link_to(nodes, *number, parent);
	if (expression == NULL || anim_map_get(&nodes->expressions, 0, expression, strlen(expression), &other))
		return 0;
	expression = anim_arena_text(&nodes->arena, expression, strlen(expression), error);
	return expression == NULL
		   ? -1
		   : anim_map_put(&nodes->expressions, 0, expression, strlen(expression), *number, error);
}

/* ---- From trees ---- */

int gltf_out_nodes_tree(struct gltf_out_nodes *nodes, const struct anim_tree *tree, struct anim_error *error)
{
	nodes->numbers.size = 0;
	nodes->root_name = anim_arena_text(&nodes->arena, tree->root_name, strlen(tree->root_name), error);
	return nodes->root_name == NULL ? -1 : 0;
}

#define NUMBERED "node_" /* prefix of the name of a node without a name, before its number */

/*
 * Return the name that the node had in its source file, or else its name in the stream. The result is empty if the node
 * had no name and will get the same number, and so the same name, again.
 */
static const char *written_name(const struct gltf_out_nodes *nodes, const struct anim_node *node, uint32_t parent)
{
	const char *own = anim_attrs_get(&node->attrs, "gltf.name");
	const char *index = anim_attrs_get(&node->attrs, "gltf.node");
	char number[24];

	/* The name of a bone follows its skeleton ("A/Skeleton3D:Hips"), other names the last '/'. */
	if (own == NULL && parent != GLTF_NONE)
		own = anim_node_bone(node->path, nodes->rests.items[parent].path);
	if (own == NULL)
		own = parent == GLTF_NONE ? nodes->root_name : anim_path_last(node->path);
	if (index == NULL || strncmp(own, NUMBERED, sizeof NUMBERED - 1) != 0)
		return own;
	snprintf(number, sizeof number, "%zu", gltf_out_nodes_count(nodes) - (nodes->passed != 0));
	return strcmp(own + sizeof NUMBERED - 1, index) == 0 && strcmp(index, number) == 0 ? "" : own;
}

int gltf_out_nodes_add(struct gltf_out_nodes *nodes, const struct anim_node *node, struct anim_error *error)
{
	const uint32_t *numbers = (const uint32_t *)(const void *)nodes->numbers.data;
	uint32_t number = find(nodes, node->path);
	uint32_t parent = node->parent == ANIM_NO_PARENT ? GLTF_NONE : numbers[node->parent];
	const char *name = written_name(nodes, node, parent);

	if (number == GLTF_NONE) {
		if (append(nodes, node, name[0] == '\0' ? NULL : name, parent, &number, error) != 0)
			return -1;
		if (node->parent == ANIM_NO_PARENT && node->type[0] == '\0' && node->has == 0)
			nodes->passed = number + 1;
	}
	return anim_buffer_append(&nodes->numbers, &number, sizeof number, error);
}

/* ---- From tracks ---- */

#define ROOT "Root" /* name of a root without a name */

static int make(struct gltf_out_nodes *nodes, const char *path, const char *name, bool bone, uint32_t parent,
		uint32_t *number, struct anim_error *error)
{
	const struct anim_node node = {.kind = bone ? ANIM_NODE_BONE : ANIM_NODE,
				       .parent = 0,
				       .rotation = {0, 0, 0, 1},
				       .scale = {1, 1, 1},
				       .path = path,
				       .type = ""};

	return append(nodes, &node, name, parent, number, error);
}

/* Make a root above all nodes without a parent. */
static int make_root(struct gltf_out_nodes *nodes, uint32_t *number, struct anim_error *error)
{
	if (make(nodes, ".", ROOT, false, GLTF_NONE, number, error) != 0)
		return -1;
	for (uint32_t i = 0; i < *number; i++)
		if (gltf_out_nodes_at(nodes, i)->parent == GLTF_NONE)
			link_to(nodes, i, *number);
	return 0;
}

/*
 * Find or make the node of a path, and make the missing nodes above it. `bone` is where the name of a bone begins in
 * the path, or NULL. Return 0 or -1.
 */
static int make_path(struct gltf_out_nodes *nodes, char *path, const char *bone, uint32_t *number,
		     struct anim_error *error)
{
	uint32_t parent = find(nodes, ".");
	char *at = path;

	*number = parent;
	if (strcmp(path, ".") == 0)
		return *number != GLTF_NONE ? 0 : make_root(nodes, number, error);
	for (;;) {
		bool is_bone = at == bone;
		char *end = at + strcspn(at, "/"), *name = at, between;

		if (bone != NULL && bone > at && bone <= end)
			end = path + (bone - path) - 1;
		between = *end;
		*end = '\0';
		*number = find(nodes, path);
		if (*number == GLTF_NONE && make(nodes, path, name, is_bone, parent, number, error) != 0)
			return -1;
		*end = between;
		if (between == '\0')
			return 0;
		parent = *number;
		at = end + 1;
	}
}

int gltf_out_nodes_find(struct gltf_out_nodes *nodes, const struct anim_clip *clip, const struct anim_track *track,
			uint32_t *number, struct anim_error *error)
{
	const struct anim_rest *rest = anim_rests_find(&nodes->rests, clip->root, track->node);
	const char *bone;
	char *path;

	if (rest != NULL) {
		*number = (uint32_t)(rest - nodes->rests.items);
	} else {
		path = anim_tree_path(clip->root, track->node, &nodes->arena, error);
		if (path == NULL)
			return error->code == ANIM_NO_MEMORY ? -1 : 0;
		bone = anim_track_bone(clip->source, track);
		if (bone != NULL)
			bone = path + strlen(path) - strlen(bone);
		if (make_path(nodes, path, bone, number, error) != 0)
			return -1;
	}
	if (nodes->passed == *number + 1)
		nodes->passed = 0;
	return 1;
}

int gltf_out_nodes_expression(struct gltf_out_nodes *nodes, const char *name, uint32_t *number,
			      struct anim_error *error)
{
	const struct anim_attr attr = {GLTF_EXPRESSION, name};
	struct anim_node node = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .type = "", .attrs = {&attr, 1}};
	char *shown;

	if (anim_map_get(&nodes->expressions, 0, name, strlen(name), number))
		return 0;
	/* No track has such a path, so an expression named Hips does not get the bone. */
	node.path = anim_arena_printf(&nodes->arena, error, "/%s", name);
	shown = anim_arena_text(&nodes->arena, name, strlen(name), error);
	for (char *at = shown; at != NULL && *at != '\0'; at++)
		if (*at == '/' || *at == ':')
			*at = '_';
	return shown == NULL || node.path == NULL ? -1 : append(nodes, &node, shown, find(nodes, "."), number, error);
}

int gltf_out_nodes_add_root(struct gltf_out_nodes *nodes, struct anim_error *error)
{
	uint32_t root;
	size_t tops = 0;

	if (gltf_out_nodes_count(nodes) == 0)
		return make_root(nodes, &root, error);
	/*
	 * If exactly one node has no parent and is not the root, readers would take it for the root, and paths would
	 * lose its name.
	 */
	for (uint32_t i = 0; i < gltf_out_nodes_count(nodes); i++)
		tops += gltf_out_nodes_at(nodes, i)->parent == GLTF_NONE;
	if (tops == 1 && find(nodes, ".") == GLTF_NONE)
		return make_root(nodes, &root, error);
	if (gltf_out_nodes_count(nodes) == 1)
		nodes->passed = 0;
	return 0;
}

/* ---- VRMC_vrm_animation 1.0 ---- */

/* Return the node of a bone, or GLTF_NONE. */
static uint32_t node_of(const struct gltf_writer *writer, const char *bone)
{
	for (uint32_t i = 0; i < gltf_out_nodes_count(&writer->nodes); i++)
		if (gltf_out_nodes_at(&writer->nodes, i)->human == bone)
			return i;
	return GLTF_NONE;
}

int gltf_human_check(struct gltf_writer *writer)
{
	char missing[256] = "";
	size_t used = 0;
	uint32_t node;

	for (size_t i = 0; i < REQUIRED; i++)
		if (node_of(writer, bones[i]) == GLTF_NONE && used < sizeof missing - 32)
			used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%s", used > 0 ? ", " : "",
						 bones[i]);
	for (node = node_of(writer, bones[SPINE]);
	     used == 0 && node != GLTF_NONE && node != node_of(writer, bones[HIPS]);)
		node = gltf_out_nodes_at(&writer->nodes, node)->parent;
	if (used == 0 && node != GLTF_NONE)
		return 0;
	if (writer->has_transforms && (used == 0 || strcmp(writer->clip.source, "mmd") == 0))
		return anim_fail(
		    writer->error, ANIM_UNSUPPORTED,
		    "a VRM animation needs other bones than a motion of MikuMikuDance has; " ANIM_ADVICE(TO_MODEL));
	if (writer->has_muscles)
		return anim_fail(
		    writer->error, ANIM_UNSUPPORTED,
		    "humanoid curves of Unity are muscles, and a VRM animation has bones; " ANIM_ADVICE(TO_MODEL));
	if (!writer->has_transforms)
		return anim_fail(writer->error, ANIM_UNSUPPORTED,
				 "a VRM animation needs the bones of a human, but no track of the clip moves a bone");
	return anim_fail(writer->error, ANIM_UNSUPPORTED,
			 "a VRM animation needs nodes for these bones: %s; " ANIM_ADVICE_TO(NAME_BONES, "vrm"),
			 missing);
}

static void print_entry(const struct gltf_writer *writer, struct anim_print *print, bool *any, const char *name,
			uint32_t node)
{
	anim_print_text(print, *any ? "," : "");
	anim_print_json_text(print, name);
	anim_print_text(print, ":{\"node\":");
	anim_print_uint64(print, gltf_out_nodes_number(&writer->nodes, node));
	anim_print_text(print, "}");
	*any = true;
}

static void print_expressions(const struct gltf_writer *writer, struct anim_print *print, bool preset)
{
	const struct gltf_expression *all = (const struct gltf_expression *)(const void *)writer->expressions.data;
	size_t count = writer->expressions.size / sizeof *all;
	bool any = false;

	anim_print_text(print, preset ? "\"preset\":{" : ",\"custom\":{");
	for (size_t i = 0; i < count; i++)
		if (anim_text_is_word(presets, all[i].name) == preset)
			print_entry(writer, print, &any, all[i].name, all[i].node);
	anim_print_text(print, "}");
}

void gltf_human_print(const struct gltf_writer *writer, struct anim_print *print)
{
	uint32_t eyes = node_of(writer, look);
	bool any = false;

	anim_print_text(print, ",\n\"extensions\":{\"VRMC_vrm_animation\":{\"specVersion\":\"1.0\",\"humanoid\":{"
			       "\"humanBones\":{");
	for (size_t i = 0; i < ANIM_COUNT(bones); i++)
		if (node_of(writer, bones[i]) != GLTF_NONE)
			print_entry(writer, print, &any, bones[i], node_of(writer, bones[i]));
	anim_print_text(print, "}}");
	if (eyes != GLTF_NONE) {
		const struct gltf_out_node *from = gltf_out_nodes_at(&writer->nodes, eyes);

		anim_print_text(print, ",\"lookAt\":{\"node\":");
		anim_print_uint64(print, gltf_out_nodes_number(&writer->nodes, eyes));
		for (int i = 0; i < 3 && from->has_look_offset; i++) {
			anim_print_text(print, i == 0 ? ",\"offsetFromHeadBone\":[" : ",");
			anim_print_float(print, from->look_offset[i]);
		}
		anim_print_text(print, from->has_look_offset ? "]}" : "}");
	}
	if (writer->expressions.size > 0) {
		anim_print_text(print, ",\"expressions\":{");
		print_expressions(writer, print, true);
		print_expressions(writer, print, false);
		anim_print_text(print, "}");
	}
	anim_print_text(print, "}}");
}
