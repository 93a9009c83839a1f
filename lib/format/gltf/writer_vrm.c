/* writer_vrm.c: what only a .vrma has: which nodes are a human's bones, and which tell expressions (VRMC_vrm_animation 1.0). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/number.h"
#include "base/text.h"
#include "format/gltf/writer.h"

/* Of VRM 1.0, those that every human has first. Eyes are not: VRM looks elsewhere. */
#define REQUIRED 15
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

/* No bone, but driven like one: where the eyes look. */
static const char look[] = GLTF_LOOK;

static const char *bone_called(const char *name)
{
	for (size_t i = 0; i < ANIM_COUNT(bones); i++)
		if (strcmp(bones[i], name) == 0)
			return bones[i];
	return strcmp(look, name) == 0 ? look : NULL;
}

const char *gltf_human_bone(const struct anim_node *node)
{
	const char *told = anim_attrs_get(&node->attrs, "gltf.vrm");

	return bone_called(told != NULL ? told : anim_node_own_name(node->path));
}

bool gltf_human_look_offset(const struct anim_node *node, float offset[3])
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

/* The node that is a bone; GLTF_NONE. */
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

	for (size_t i = 0; i < REQUIRED; i++)
		if (node_of(writer, bones[i]) == GLTF_NONE && used < sizeof missing - 32)
			used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%s", used > 0 ? ", " : "",
						 bones[i]);
	if (used == 0)
		return 0;
	if (writer->has_muscles)
		return anim_fail(
		    writer->error, ANIM_UNSUPPORTED,
		    "curves of Unity's humanoid are muscles, and a VRM animation has bones: bake the clip to a "
		    "generic one in Unity first");
	return anim_fail(writer->error, ANIM_UNSUPPORTED,
			 "a VRM animation needs these bones, which no node is called: %s; put 'anim-rename --humanoid "
			 "unity:vrm' (or godot:, mixamo:) before this",
			 missing);
}

int gltf_human_expression(struct gltf_writer *writer, const char *name, uint32_t node)
{
	struct gltf_expression expression = {.node = node};
	const struct gltf_expression *all = (const struct gltf_expression *)(const void *)writer->expressions.data;

	for (size_t i = 0; i < writer->expressions.size / sizeof *all; i++)
		if (all[i].node == node)
			return 0;
	expression.name = anim_arena_text(&writer->kept, name, strlen(name), writer->error);
	return expression.name == NULL
		   ? -1
		   : anim_buffer_append(&writer->expressions, &expression, sizeof expression, writer->error);
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

static void print_look(const struct gltf_writer *writer, struct anim_print *print, uint32_t node)
{
	const struct gltf_out_node *from = gltf_out_nodes_at(&writer->nodes, node);

	anim_print_text(print, ",\"lookAt\":{\"node\":");
	anim_print_uint64(print, gltf_out_nodes_number(&writer->nodes, node));
	for (int i = 0; i < 3 && from->has_look_offset; i++) {
		anim_print_text(print, i == 0 ? ",\"offsetFromHeadBone\":[" : ",");
		anim_print_float(print, from->look_offset[i]);
	}
	anim_print_text(print, from->has_look_offset ? "]}" : "}");
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
	if (eyes != GLTF_NONE)
		print_look(writer, print, eyes);
	if (writer->expressions.size > 0) {
		anim_print_text(print, ",\"expressions\":{");
		print_expressions(writer, print, true);
		print_expressions(writer, print, false);
		anim_print_text(print, "}");
	}
	anim_print_text(print, "}}");
}
