/* reader_target.c: what a channel drives: a node's transform or weights, or what a JSON pointer leads to. */
#include <inttypes.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "format/gltf/reader.h"

/* ---- paths of nodes ---- */

static void set_path(const struct gltf_asset *asset, enum gltf_path path, uint32_t node, struct gltf_target *target)
{
	static const struct {
		const char *property;
		enum anim_type type;
		unsigned lanes;
	} paths[] = {[GLTF_TRANSLATION] = {"position", ANIM_FLOAT3, 3},
		     [GLTF_ROTATION] = {"rotation", ANIM_FLOATQ, 4},
		     [GLTF_SCALE] = {"scale", ANIM_FLOAT3, 3},
		     [GLTF_WEIGHTS] = {NULL, ANIM_FLOAT, 1}};
	const char *face = GLTF_AT(asset, nodes, struct gltf_node, node)->expression;

	*target = (struct gltf_target){.goal = path == GLTF_WEIGHTS ? GLTF_GOAL_SHAPES : GLTF_GOAL_WHOLE,
				       .node = node,
				       .property = paths[path].property,
				       .type = paths[path].type,
				       .lanes = paths[path].lanes};
	/* The weight of an expression is where its node stands. */
	if (face != NULL && path == GLTF_TRANSLATION) {
		target->goal = GLTF_GOAL_FACE;
		target->property = face;
		target->type = ANIM_FLOAT;
	}
}

/* ---- JSON pointers ---- */

/* Digits up to '/' or the end: *at behind them; GLTF_NONE where there are none, or too many. */
static uint32_t take_number(const char **at)
{
	uint64_t value = 0;
	const char *from = *at;

	while (**at >= '0' && **at <= '9' && value < GLTF_NONE)
		value = value * 10 + (uint64_t)(*(*at)++ - '0');
	return *at == from || value >= GLTF_NONE || (**at != '/' && **at != '\0') ? GLTF_NONE : (uint32_t)value;
}

/* Bools by the last name of their pointers. */
static bool is_flag(const char *pointer)
{
	static const char *const flags[] = {"/KHR_node_visibility/visible", "/KHR_node_selectability/selectable",
					    "/KHR_node_hoverability/hoverable"};

	for (size_t i = 0; i < ANIM_COUNT(flags); i++)
		if (anim_text_ends(pointer, flags[i]))
			return true;
	return false;
}

/* What stays as it is: its name is the pointer, and it is of the file as a whole. */
static void set_other(const char *pointer, struct gltf_target *target)
{
	*target = (struct gltf_target){.goal = is_flag(pointer) ? GLTF_GOAL_FLAG : GLTF_GOAL_WHOLE,
				       .node = GLTF_NONE,
				       .property = pointer,
				       .type = ANIM_FLOAT,
				       .lanes = is_flag(pointer) ? 1 : 0};
}

static void set_none(const char *why, struct gltf_target *target)
{
	*target = (struct gltf_target){.goal = GLTF_GOAL_NONE, .node = GLTF_NONE, .why = why};
}

/* "/nodes/N/..." behind "/nodes/". */
static void set_node(const struct gltf_asset *asset, const char *pointer, const char *at, struct gltf_target *target)
{
	static const char *const names[] = {"/translation", "/rotation", "/scale", "/weights"};
	uint32_t node = take_number(&at);

	if (GLTF_AT(asset, nodes, struct gltf_node, node) == NULL) {
		set_none("channels whose pointer leads to no node are left out", target);
		return;
	}
	set_other(pointer, target);
	for (size_t i = 0; i < ANIM_COUNT(names); i++)
		if (strcmp(at, names[i]) == 0)
			set_path(asset, (enum gltf_path)i, node, target);
	if (strcmp(at, "/extensions/KHR_node_visibility/visible") == 0) {
		target->node = node;
		target->property = "visible";
	}
	at = anim_text_behind(at, "/weights/");
	if (at == NULL)
		return;
	set_path(asset, GLTF_WEIGHTS, node, target);
	target->goal = GLTF_GOAL_SHAPE;
	target->shape = take_number(&at);
	if (target->shape == GLTF_NONE || *at != '\0')
		set_other(pointer, target);
}

/* What cameras and meshes have, by their first node. */
static void set_of_node(const struct gltf_asset *asset, const char *pointer, struct gltf_target *target)
{
	const char *camera = anim_text_behind(pointer, "/cameras/"), *mesh = anim_text_behind(pointer, "/meshes/");
	const char *at = camera != NULL ? camera : mesh;
	uint32_t number = at == NULL ? GLTF_NONE : take_number(&at), node = GLTF_NONE;

	if (camera != NULL && number < asset->cameras)
		node = *GLTF_AT(asset, camera_nodes, uint32_t, number);
	if (mesh != NULL && GLTF_AT(asset, meshes, struct gltf_mesh, number) != NULL)
		node = GLTF_AT(asset, meshes, struct gltf_mesh, number)->node;
	if (node != GLTF_NONE && camera != NULL && strcmp(at, "/perspective/yfov") == 0)
		*target = (struct gltf_target){
		    .goal = GLTF_GOAL_FOV, .node = node, .property = "fov", .type = ANIM_FLOAT, .lanes = 1};
	if (node != GLTF_NONE && mesh != NULL && strcmp(at, "/weights") == 0)
		set_path(asset, GLTF_WEIGHTS, node, target);
}

static void set_pointer(const struct gltf_asset *asset, const char *pointer, struct gltf_target *target)
{
	const char *at = pointer == NULL ? NULL : anim_text_behind(pointer, "/nodes/");

	if (pointer == NULL || pointer[0] != '/') {
		set_none("channels without a pointer are left out", target);
		return;
	}
	if (at != NULL) {
		set_node(asset, pointer, at, target);
		return;
	}
	set_other(pointer, target);
	set_of_node(asset, pointer, target);
}

int gltf_target_find(struct gltf_reader *reader, const struct gltf_channel *channel, struct gltf_target *target)
{
	if (channel->path == GLTF_PATH_OTHER)
		set_none("channels whose path is not known are left out", target);
	else if (channel->path == GLTF_POINTER)
		set_pointer(&reader->asset, channel->pointer, target);
	else if (channel->node == GLTF_NONE)
		set_none("channels without a node are left out", target);
	else if (GLTF_AT(&reader->asset, nodes, struct gltf_node, channel->node) == NULL)
		return anim_fail(reader->error, ANIM_BAD_INPUT, "node %" PRIu32 " is not there", channel->node);
	else
		set_path(&reader->asset, channel->path, channel->node, target);
	return 0;
}
