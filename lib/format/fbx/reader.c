/* reader.c: anim_fbx_read: writes the models as a tree, then the stacks as clips. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"
#include "format/fbx/fbx.h"
#include "format/fbx/motion.h"
#include "format/imported.h"
#include "math/basis.h"

/* attribute of a node: its name in the file, if a path cannot contain it */
#define ATTR_NAME "fbx.name"

/*
 * Limits that keep the time for a hostile file in proportion to its size. A few bytes can request many keys, for
 * example with a curve that repeats or a fast rotation.
 */
#define LAYERS_MAX 128          /* layers of one stack, because the time for each key grows with them */
#define UNROLLED_MAX (1u << 17) /* spans that one end of a curve may become */
#define WORK_BASE (1u << 18)    /* start value of fbx_motion.work_left, and of the spans that all ends may become */
#define WORK_PER_KEY 32         /* the same for each key of the file */
#define ABOVE_MAX 256           /* models above one whose scales take part in its motion */
#define ABOVE_PER_KEY 4         /* keys of all models above one, for each key of the file */
#define SHEARED_DEG 1e-3        /* axes that are less than that off are a matter of rounding */

/* The place of a model in the order of Godot's importer. */
struct rank {
	uint32_t depth, parent, model;
};

struct reader {
	struct fbx_scene scene;
	const struct anim_read_options *options;
	struct anim_sink *sink;
	struct anim_error *error;
	struct fbx_space space;
	struct anim_buffer order; /* uint32_t: models in the order of the tree */
	struct anim_map names;    /* (parent + 1, name) -> number of uses */
	struct anim_buffer path;
	struct anim_import import; /* with options->godot_paths: the models as Godot's importer arranges them */
	struct rank *ranks;
	const char *base_name;
	uint32_t rate_num, rate_den;

	/* Of the current clip, in ticks. */
	int64_t start, end;
	/* Of the current model: its channels, and the spans of all of them. */
	struct anim_buffer spans, channels;
	struct anim_keys keys;
	/* Of the current clip, sorted. */
	const struct fbx_drive *drives;
	size_t drive_count;

	struct anim_map properties; /* (model + 1, property) of the current clip */
	/* Only if a model inherits scales in another way than by matrix, for each node of the tree: */
	struct fbx_frame *frames; /* its frame at rest */
	uint8_t *below;           /* enum below, in the current clip */
	bool is_below;            /* some model of the current clip is converted */
	bool rest_is_below;       /* some scale at rest is not 1 */
	size_t above_keys_max;
	struct anim_buffer above, wanted; /* struct fbx_motion, const struct fbx_drive *, of the current model */
	struct anim_rows
	    *worlds; /* world transforms (metres, Y up) of the models in the tree, only with options->bind_rests */
	size_t work_left, unrolled_left;

	size_t skinned;     /* transforms of meshes that skins move */
	size_t dropped;     /* tracks of nodes that Godot does not import */
	size_t doubles;     /* properties whose node has another one with the same name */
	size_t unplaced;    /* nodes that cannot have their bind pose */
	size_t unrolled;    /* curves that continue before or after their keys */
	size_t too_often;   /* curves that would repeat too often */
	size_t sheared;     /* models whose axes are not at right angles */
	double sheared_deg; /* by how many degrees, at most */
	double moved_off;   /* and how far the models below them are from their places, in metres */
	size_t unmoved;     /* models that stay at wrong places, because they have too many keys or models above them */
};

static struct fbx_model *model_at(const struct reader *reader, uint32_t number)
{
	return FBX_AT(reader->scene.models, struct fbx_model, number);
}

static uint32_t model_count(const struct reader *reader)
{
	return FBX_COUNT(reader->scene.models, struct fbx_model);
}

/* Report a number of things, if it is not 0. Return 0 or -1. */
static int report(const struct reader *reader, enum anim_severity severity, size_t count, const char *noun,
		  const char *text)
{
	if (count == 0)
		return 0;
	if (anim_diagnostics_add(reader->options->diagnostics, severity, NULL, noun, reader->error, "%s", text) != 0)
		return -1;
	anim_diagnostics_repeat(reader->options->diagnostics, count - 1);
	return 0;
}

/* Fail with the name of the file, if no exact position is known. Return -1. */
static int fail(const struct reader *reader, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int fail(const struct reader *reader, int code, const char *format, ...)
{
	const struct anim_place place = {.file = anim_input_name(reader->scene.cursor.input), .at = ANIM_AT_FILE};
	va_list args;

	va_start(args, format);
	anim_fail_va(reader->error, code, &place, format, args);
	va_end(args);
	return -1;
}

/* ---- Axes and rates ---- */

/* Set the frame rate. */
static void find_rate(struct reader *reader)
{
	static const uint32_t rates[][2] = {
	    {30, 1},       {120, 1}, {100, 1}, {60, 1},   {50, 1},       {48, 1}, {30, 1}, {30, 1}, {30000, 1001},
	    {30000, 1001}, {25, 1},  {24, 1},  {1000, 1}, {24000, 1001}, {0, 0},  {96, 1}, {72, 1}, {60000, 1001}};
	int64_t mode = reader->scene.time_mode;
	double rate = reader->scene.custom_rate;

	if (mode < 0 || mode >= (int64_t)ANIM_COUNT(rates))
		mode = 0;
	reader->rate_num = rates[mode][0];
	reader->rate_den = rates[mode][1];
	if (mode != 14 || !(rate >= 1e-3 && rate <= 1e6))
		return;
	reader->rate_den = rate == rint(rate) ? 1 : 1000;
	reader->rate_num = (uint32_t)rint(rate * reader->rate_den);
}

/* Set the axes and the unit. Return 0 or -1. */
static int find_space(struct reader *reader)
{
	const struct fbx_scene *scene = &reader->scene;
	struct fbx_space *space = &reader->space;
	double m[3][3] = {{0}}, determinant = 0, *q = space->rotation;
	bool seen[3] = {false};

	*space =
	    (struct fbx_space){.axis = {0, 1, 2}, .sign = {1, 1, 1}, .rotation = {0, 0, 0, 1}, .unit_m = scene->unit_m};
	for (unsigned i = 0; i < 3; i++) {
		if (scene->axis[i] < 0 || scene->axis[i] > 2 || seen[scene->axis[i]])
			return anim_diagnostics_warn(reader->options->diagnostics, NULL, reader->error,
						     "the axes of the file are invalid; Y up is assumed");
		seen[scene->axis[i]] = true;
		m[i][scene->axis[i]] = scene->sign[i] < 0 ? -1 : 1;
	}
	for (unsigned i = 0; i < 3; i++)
		determinant +=
		    m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
	if (determinant < 0)
		return anim_diagnostics_warn(reader->options->diagnostics, NULL, reader->error,
					     "the axes of the file are left-handed; they stay unchanged");
	for (unsigned i = 0; i < 3; i++) {
		space->axis[i] = (unsigned)scene->axis[i];
		space->sign[i] = m[i][scene->axis[i]];
		space->is_rotated |= scene->axis[i] != i || m[i][i] < 0;
	}
	/* The squares of the components are 0, 1/4, 1/2 or 1. */
	q[3] = sqrt(fmax(0, 1 + m[0][0] + m[1][1] + m[2][2])) / 2;
	q[0] = copysign(sqrt(fmax(0, 1 + m[0][0] - m[1][1] - m[2][2])) / 2, m[2][1] - m[1][2]);
	q[1] = copysign(sqrt(fmax(0, 1 - m[0][0] + m[1][1] - m[2][2])) / 2, m[0][2] - m[2][0]);
	q[2] = copysign(sqrt(fmax(0, 1 - m[0][0] - m[1][1] + m[2][2])) / 2, m[1][0] - m[0][1]);
	/* For a half revolution, the signs follow from the first component that is not 0. */
	if (q[3] == 0 && q[0] > 0 && q[1] > 0)
		q[1] = copysign(q[1], m[0][1]);
	if (q[3] == 0 && q[0] > 0 && q[2] > 0)
		q[2] = copysign(q[2], m[0][2]);
	if (q[3] == 0 && q[0] == 0 && q[1] > 0 && q[2] > 0)
		q[2] = copysign(q[2], m[1][2]);
	return 0;
}

/* ---- The order and the names of models ---- */

/* Append the model and everything below it to the order, parents first. Return 0 or -1. */
static int place_model(struct reader *reader, uint32_t top, struct anim_buffer *stack)
{
	stack->size = 0;
	if (anim_buffer_append(stack, &top, sizeof top, reader->error) != 0)
		return -1;
	while (stack->size > 0) {
		struct fbx_model *model;
		uint32_t number;

		stack->size -= sizeof number;
		memcpy(&number, stack->data + stack->size, sizeof number);
		model = model_at(reader, number);
		if (number != top && model->next != FBX_NONE &&
		    anim_buffer_append(stack, &model->next, sizeof number, reader->error) != 0)
			return -1;
		if (model->is_placed)
			continue;
		model->is_placed = true;
		if (anim_buffer_append(&reader->order, &number, sizeof number, reader->error) != 0 ||
		    (model->first_child != FBX_NONE &&
		     anim_buffer_append(stack, &model->first_child, sizeof number, reader->error) != 0))
			return -1;
	}
	return 0;
}

/* Append all models in the order of the tree. The first model of a cycle moves to the top. Return 0 or -1. */
static int order_models(struct reader *reader)
{
	struct anim_buffer stack = {0};
	size_t ringed = 0;
	int result = 0;

	for (uint32_t i = 0; i < model_count(reader); i++)
		model_at(reader, i)->first_child = model_at(reader, i)->next = FBX_NONE;
	for (uint32_t i = model_count(reader); i-- > 0;) {
		struct fbx_model *model = model_at(reader, i);

		if (model->parent == FBX_NONE)
			continue;
		model->next = model_at(reader, model->parent)->first_child;
		model_at(reader, model->parent)->first_child = i;
	}
	for (uint32_t i = 0; i < model_count(reader) && result == 0; i++)
		if (model_at(reader, i)->parent == FBX_NONE)
			result = place_model(reader, i, &stack);
	for (uint32_t i = 0; i < model_count(reader) && result == 0; i++)
		if (!model_at(reader, i)->is_placed) {
			ringed++;
			model_at(reader, i)->parent = FBX_NONE;
			result = place_model(reader, i, &stack);
		}
	anim_buffer_clear(&stack);
	for (uint32_t i = 0; i < model_count(reader); i++) {
		struct fbx_model *model = model_at(reader, i);

		model->above = model->parent == FBX_NONE ? ANIM_NODE : model_at(reader, model->parent)->kind;
		fbx_model_set_rotations(model);
	}
	if (result == 0)
		result = report(reader, ANIM_WARNING, ringed, "model", "a cycle of parents; moved to the top");
	return result;
}

/* Set path_name to a part of a path that is unique among the siblings. Return 0 or -1. */
static int give_name(struct reader *reader, struct fbx_model *model)
{
	uint64_t scope = model->parent == FBX_NONE ? 0 : (uint64_t)model->parent + 1;
	struct anim_arena *arena = &reader->scene.arena;
	char *name = anim_arena_text(arena, model->name, strlen(model->name), reader->error);
	bool has_bone, is_dots;

	if (name != NULL && name[0] == '\0')
		name = anim_arena_text(arena, "node", 4, reader->error);
	if (name == NULL)
		return -1;
	is_dots = name[strspn(name, ".")] == '\0';
	for (char *at = name; *at != '\0'; at++)
		if (*at == '/' || is_dots)
			*at = '_';
	has_bone = anim_bone_name("fbx", name, false) != NULL;
	for (char *at = name; *at != '\0'; at++)
		if (*at == ':' && has_bone)
			*at = '_';
	model->path_name = anim_read_unique_name(&reader->names, scope, name, arena, reader->error);
	return model->path_name == NULL ? -1 : 0;
}

/* Return the path of a model for a property (enum fbx_other, or a transform), in reader->path. NULL on error. */
static const char *path_of(struct reader *reader, const struct fbx_model *model, uint32_t what)
{
	size_t length = 0;
	char *end;

	if (reader->import.places.size > 0) {
		const struct anim_import_node *node = &reader->import.nodes[model->imported];
		uint32_t place = what < FBX_TRANSFORMS ? node->place : what == FBX_SHAPE ? node->shapes : node->element;

		reader->dropped += anim_import_place(&reader->import, place)->dropped;
		return anim_import_path(&reader->import, place, reader->error);
	}

	for (const struct fbx_model *at = model;; at = model_at(reader, at->parent)) {
		length += strlen(at->path_name) + 1;
		if (length > ANIM_NAME_MAX + 1) {
			fail(reader, ANIM_TOO_LARGE, "the path of '%.100s' has more than %u bytes", model->path_name,
			     ANIM_NAME_MAX);
			return NULL;
		}
		if (at->parent == FBX_NONE)
			break;
	}
	reader->path.size = 0;
	end = anim_buffer_extend(&reader->path, length, reader->error);
	if (end == NULL)
		return NULL;
	end += length;
	for (const struct fbx_model *at = model; end > (char *)reader->path.data; at = model_at(reader, at->parent)) {
		size_t size = strlen(at->path_name);

		*--end = at == model ? '\0' : '/';
		end -= size;
		memcpy(end, at->path_name, size);
		if (at->parent == FBX_NONE)
			break;
	}
	return end;
}

/* Return the world transform that a model had when a skin was bound to it. */
static struct anim_rows of_bind(const struct reader *reader, const struct fbx_model *model)
{
	const double *m = FBX_AT(reader->scene.binds, struct fbx_bind, model->bind)->matrix;
	const struct fbx_space *space = &reader->space;
	const struct fbx_axes *axes = fbx_axes_of(model->kind);
	struct anim_rows out;

	for (unsigned i = 0; i < 3; i++)
		for (unsigned j = 0; j < 4; j++) {
			unsigned column = j == 3 ? 3 : axes->from[j];
			double factor = j == 3 ? space->unit_m : axes->sign[j];

			out.row[i][j] = space->sign[i] * m[4 * column + space->axis[i]] * factor;
		}
	return out;
}

/*
 * Set the transform of a node so that its world transform becomes `world`. Return false, with the node unchanged, if
 * the parent's world transform has no inverse or the result has shear.
 */
static bool place_node(struct anim_node *node, const struct anim_rows *parent, const struct anim_rows *world)
{
	struct anim_rows inverse = *parent, local, shown;
	struct anim_node placed = *node;
	float rows[16] = {[15] = 1}, near = 0;

	if (!anim_rows_invert(&inverse))
		return false;
	local = anim_rows_multiply(&inverse, world);
	for (int i = 0; i < 12; i++)
		rows[i] = (float)local.row[i / 4][i % 4];
	anim_transform_decompose(placed.position, placed.rotation, placed.scale, rows);
	shown = anim_rows_compose(placed.position, placed.rotation, placed.scale);
	for (int i = 0; i < 12; i++)
		if (!(fabs(shown.row[i / 4][i % 4] - local.row[i / 4][i % 4]) <=
		      1e-4 * (1 + fabs(local.row[i / 4][i % 4]))))
			return false;
	/* Two quaternions give this rotation. Use the one near the old rotation. */
	for (int i = 0; i < 4; i++)
		near += node->rotation[i] * placed.rotation[i];
	for (int i = 0; i < 4 && near < 0; i++)
		placed.rotation[i] = -placed.rotation[i];
	*node = placed;
	return true;
}

/* Remember that the axes of a model are so many degrees off. */
static void note_sheared(struct reader *reader, struct fbx_model *model, double degrees)
{
	if (degrees < SHEARED_DEG)
		return;
	reader->sheared += !model->is_sheared;
	model->is_sheared = true;
	reader->sheared_deg = fmax(reader->sheared_deg, degrees);
}

/* Return the type of the NODE of a light. */
static const char *light_of(const struct fbx_model *model)
{
	return model->light == FBX_SPOT_LIGHT          ? "SpotLight"
	       : model->light == FBX_DIRECTIONAL_LIGHT ? "DirectionalLight"
						       : "";
}

/* Add the transform of a model to the node, which has its path, kind and parent, and write it. */
static int write_node(struct reader *reader, struct fbx_model *model, struct anim_node *node)
{
	static const struct anim_rows identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
	const struct fbx_motion still = {.model = model, .space = &reader->space, .is_top = model->parent == FBX_NONE};
	uint32_t above = model->parent == FBX_NONE ? 0 : model_at(reader, model->parent)->number;
	struct anim_attr attrs[1];
	struct fbx_pose pose;

	node->has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE;
	node->attrs = (struct anim_attrs){attrs, 0};
	fbx_motion_at(&still, 0, false, &pose);
	if (reader->frames != NULL) {
		const struct fbx_frame *parent = &reader->frames[above];

		fbx_frame_move(parent, pose.position);
		note_sheared(reader, model,
			     fbx_frame_below(parent, model, pose.rotation, pose.scale, &reader->frames[model->number]));
	}
	for (unsigned i = 0; i < 4; i++) {
		node->rotation[i] = (float)pose.rotation[i];
		if (i < 3) {
			node->position[i] = (float)pose.position[i];
			node->scale[i] = (float)pose.scale[i];
		}
	}
	if (reader->worlds != NULL) { /* the bind pose, and the world transform for the nodes below this one */
		const struct anim_rows *parent_world = model->parent == FBX_NONE ? &identity : &reader->worlds[above];
		struct anim_rows own;

		if (model->bind != FBX_NONE) {
			own = of_bind(reader, model);
			reader->unplaced += !place_node(node, parent_world, &own);
		}
		own = anim_rows_compose(node->position, node->rotation, node->scale);
		reader->worlds[model->number] = anim_rows_multiply(parent_world, &own);
	}
	if (strcmp(model->name, model->path_name) != 0)
		attrs[node->attrs.count++] = (struct anim_attr){ATTR_NAME, model->name};
	return anim_sink_node(reader->sink, node, reader->error);
}

static int write_imported(void *context, uint32_t number, struct anim_node *node, struct anim_error *error)
{
	struct reader *reader = context;

	(void)error;
	return write_node(reader, model_at(reader, reader->ranks[number].model), node);
}

static int compare_ranks(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return (x->model > y->model) - (x->model < y->model);
}

/* Make the skins of the importer. Returns 0 or -1. */
static int import_skins(struct reader *reader)
{
	const struct fbx_scene *scene = &reader->scene;
	uint32_t objects = FBX_COUNT(scene->objects, struct fbx_object), models = model_count(reader), used = 0;
	size_t most = (size_t)objects + models + 1;
	struct anim_import_skin *skins = anim_arena_zeroed(&reader->scene.arena, most, sizeof *skins, reader->error);
	uint32_t *joints = anim_arena_zeroed(&reader->scene.arena, most, sizeof *joints, reader->error);
	/* Of an object: the number of joints, whether some have points, and the number of its first skin + 1. */
	uint32_t *counts = anim_arena_zeroed(&reader->scene.arena, most, sizeof *counts, reader->error);
	bool *points = anim_arena_zeroed(&reader->scene.arena, most, sizeof *points, reader->error);
	uint32_t *skin_of = anim_arena_zeroed(&reader->scene.arena, most, sizeof *skin_of, reader->error);

	if (skins == NULL || joints == NULL || counts == NULL || points == NULL || skin_of == NULL)
		return -1;
	for (unsigned pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < objects; i++) {
			const struct fbx_object *object = FBX_AT(scene->objects, struct fbx_object, i);
			const struct fbx_bind *bind;

			if (object->kind != FBX_CLUSTER || object->owner == FBX_NONE ||
			    FBX_AT(scene->objects, struct fbx_object, object->owner)->kind != FBX_SKIN)
				continue;
			bind = FBX_AT(scene->binds, struct fbx_bind, object->number);
			if (bind->model == FBX_NONE)
				continue;
			if (pass == 0) {
				counts[object->owner]++;
				points[object->owner] |= bind->has_points;
			} else if (points[object->owner]) {
				struct anim_import_skin *skin = &skins[counts[object->owner]];

				joints[(skin->joints - joints) + skin->count++] =
				    model_at(reader, bind->model)->imported;
				reader->import.nodes[model_at(reader, bind->model)->imported].is_joint = true;
			}
		}
		for (uint32_t i = 0; i < objects && pass == 0; i++) {
			const struct fbx_object *object = FBX_AT(scene->objects, struct fbx_object, i);

			if (object->kind != FBX_SKIN || !points[i])
				continue;
			skins[reader->import.skin_count].joints = joints + used;
			used += counts[i];
			counts[i] = reader->import.skin_count++;
			if (object->owner != FBX_NONE && skin_of[object->owner] == 0)
				skin_of[object->owner] = reader->import.skin_count;
		}
	}

	/* Connect meshes with their skins. Each bone that no skin moves and that is not below another bone gets its own. */
	joints += used;
	for (uint32_t i = 0; i < models; i++) {
		const struct fbx_model *model = model_at(reader, reader->ranks[i].model);
		struct anim_import_node *node = &reader->import.nodes[i];

		if (model->geometry != FBX_NONE && skin_of[model->geometry] != 0)
			node->skin = skin_of[model->geometry] - 1;
		if ((model->contents >> ANIM_NODE_BONE & 1) == 0 || node->is_joint)
			continue;
		node->is_joint = true;
		if (model->parent != FBX_NONE && (model_at(reader, model->parent)->contents >> ANIM_NODE_BONE & 1) != 0)
			continue;
		*joints = i;
		skins[reader->import.skin_count++] = (struct anim_import_skin){joints++, 1};
	}
	reader->import.skins = skins;
	return 0;
}

/* Arrange the models as Godot's importer does. Returns 0 or -1. */
static int import_models(struct reader *reader)
{
	uint32_t count = model_count(reader), *order;
	struct anim_import *import = &reader->import;

	*import = (struct anim_import){.arena = &reader->scene.arena, .is_fbx = true, .node_count = count};
	import->nodes =
	    anim_arena_zeroed(&reader->scene.arena, (size_t)count + 1, sizeof *import->nodes, reader->error);
	order = anim_arena_zeroed(&reader->scene.arena, (size_t)count + 1, sizeof *order, reader->error);
	reader->ranks =
	    anim_arena_zeroed(&reader->scene.arena, (size_t)count + 1, sizeof *reader->ranks, reader->error);
	if (import->nodes == NULL || order == NULL || reader->ranks == NULL)
		return -1;

	/*
	 * Sort the models as Godot's importer does: by depth, then by the order of their parents and their own order in
	 * the file.
	 */
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = *FBX_AT(reader->order, uint32_t, i), parent = model_at(reader, number)->parent;

		/* Parents come first. Until the array is sorted, it has the order of the numbers. */
		reader->ranks[number] = (struct rank){.depth = parent == FBX_NONE ? 0 : reader->ranks[parent].depth + 1,
						      .parent = parent,
						      .model = number};
	}
	qsort(reader->ranks, count, sizeof *reader->ranks, compare_ranks);
	for (uint32_t i = 0; i < count; i++)
		model_at(reader, reader->ranks[i].model)->imported = i;

	for (uint32_t i = 0; i < count; i++) {
		const struct fbx_model *model = model_at(reader, reader->ranks[i].model);

		import->nodes[i] = (struct anim_import_node){
		    .name = model->name,
		    .parent = model->parent == FBX_NONE ? FBX_NONE : model_at(reader, model->parent)->imported,
		    .skin = ANIM_IMPORT_NONE,
		    .is_placed = true,
		    .has_mesh = (model->contents >> ANIM_NODE_MESH & 1) != 0,
		    .has_camera = (model->contents >> ANIM_NODE_CAMERA & 1) != 0,
		    .light = (model->contents >> ANIM_NODE_LIGHT & 1) != 0 ? light_of(model) : NULL};
		order[i] = model_at(reader, *FBX_AT(reader->order, uint32_t, i))->imported;
	}
	import->order = order;
	import->order_count = count;
	return import_skins(reader) != 0 ? -1 : anim_import_make(import, reader->error);
}

static int write_tree(struct reader *reader)
{
	const char *file = anim_read_source_file(reader->options, reader->scene.cursor.input);
	struct anim_tree tree = {.axes = ANIM_AXES_GLTF, .source_file = file};
	const struct anim_node root = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};
	size_t spheric = 0;
	bool inherits = false, is_imported = reader->options->godot_paths;

	if (reader->options->bind_rests) {
		reader->worlds = anim_zeroed((model_count(reader) + (size_t)1) * sizeof *reader->worlds, reader->error);
		if (reader->worlds == NULL)
			return -1;
	}
	for (uint32_t i = 0; i < model_count(reader); i++) {
		const double *scale = model_at(reader, i)->lcl[FBX_S];

		reader->rest_is_below |= scale[0] != 1 || scale[1] != 1 || scale[2] != 1;
		inherits |=
		    model_at(reader, i)->inherit == FBX_SCALE_BY_AXIS || model_at(reader, i)->inherit == FBX_OWN_SCALE;
	}
	if (inherits) {
		reader->frames = anim_zeroed((model_count(reader) + (size_t)1) * sizeof *reader->frames, reader->error);
		reader->below = anim_zeroed(model_count(reader) + (size_t)1, reader->error);
		if (reader->frames == NULL || reader->below == NULL)
			return -1;
		reader->frames[0] = fbx_frame_root;
	}
	reader->base_name = anim_read_base_name(file, &reader->scene.arena, reader->error);
	tree.root_name = reader->base_name;
	if (reader->base_name == NULL || order_models(reader) != 0 ||
	    anim_sink_tree(reader->sink, &tree, reader->error) != 0 ||
	    (!is_imported && anim_sink_node(reader->sink, &root, reader->error) != 0))
		return -1;
	for (uint32_t i = 0; i < reader->order.size / sizeof(uint32_t); i++) {
		struct fbx_model *model = model_at(reader, *FBX_AT(reader->order, uint32_t, i));

		spheric += model->order >= FBX_SPHERIC && fbx_model_is_rotated(model);
		model->number = i + 1;
		if (give_name(reader, model) != 0)
			return -1;
		if (!is_imported) {
			struct anim_node node = {
			    .kind = model->kind,
			    .parent = model->parent == FBX_NONE ? 0 : model_at(reader, model->parent)->number,
			    .path = path_of(reader, model, FBX_T),
			    .type = model->kind == ANIM_NODE_LIGHT ? light_of(model) : ""};

			if (node.path == NULL || write_node(reader, model, &node) != 0)
				return -1;
		}
	}
	if (is_imported && (import_models(reader) != 0 || anim_import_write(&reader->import, write_imported, reader,
									    reader->sink, reader->error) != 0))
		return -1;
	return report(reader, ANIM_WARNING, spheric, "model", "a spheric rotation order is read as no rotation");
}

/* ---- What is driven ---- */

static const char *const property_names[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling", "Visibility"};

bool fbx_property_is_own(const char *name)
{
	static const char *const parts[] = {"PreRotation",
					    "PostRotation",
					    "RotationOffset",
					    "RotationPivot",
					    "ScalingOffset",
					    "ScalingPivot",
					    "RotationOrder",
					    "GeometricTranslation",
					    "GeometricRotation",
					    "GeometricScaling",
					    "position",
					    "rotation",
					    "scale",
					    "euler",
					    "transform",
					    "visible",
					    "weights",
					    "Visibility Inheritance",
					    "RotationActive",
					    "InheritType",
					    "basis",
					    "angle",
					    "fov"};

	return name[0] != '\0' && name[0] != '@' && !anim_text_is_one_of(name, parts, ANIM_COUNT(parts));
}

/* Set what each drive animates. Drives that are not kept get the model FBX_NONE. */
static void set_drives(struct reader *reader)
{
	struct fbx_scene *scene = &reader->scene;

	for (uint32_t i = 0; i < FBX_COUNT(scene->drives, struct fbx_drive); i++) {
		struct fbx_drive *drive = FBX_AT(scene->drives, struct fbx_drive, i);
		bool is_inside = anim_map_get(&scene->shapes, FBX_SHAPES_OF(drive->object), drive->property,
					      strlen(drive->property), &drive->object);
		const struct fbx_object *object = FBX_AT(scene->objects, struct fbx_object, drive->object);
		uint32_t layer = FBX_AT(scene->curve_nodes, struct fbx_curve_node, drive->curve_node)->layer;
		uint32_t owner;

		drive->serial = i;
		drive->stack = FBX_NONE;
		if (layer == FBX_NONE)
			continue;
		if (object->kind == FBX_LAYER && strcmp(drive->property, "Weight") == 0)
			FBX_AT(scene->layers, struct fbx_layer, object->number)->weight_node = drive->curve_node;
		drive->stack = FBX_AT(scene->layers, struct fbx_layer, layer)->stack;
		drive->rank = FBX_AT(scene->layers, struct fbx_layer, layer)->rank;
		drive->what = FBX_USER;
		if (object->kind == FBX_LAYER || drive->stack == FBX_NONE)
			continue;
		/* The model is the driven object itself, or an owner of it. */
		drive->model = FBX_NONE;
		owner = drive->object;
		for (unsigned steps = 0; steps < 4 && owner != FBX_NONE && drive->model == FBX_NONE; steps++) {
			const struct fbx_object *at = FBX_AT(scene->objects, struct fbx_object, owner);

			drive->model = at->kind == FBX_MODEL ? at->number : FBX_NONE;
			owner = at->owner;
		}
		if (object->kind == FBX_MODEL) {
			for (uint32_t what = 0; what < ANIM_COUNT(property_names); what++)
				if (strcmp(drive->property, property_names[what]) == 0)
					drive->what = what;
		} else if (object->kind == FBX_CHANNEL &&
			   (is_inside || strcmp(drive->property, "DeformPercent") == 0)) {
			drive->what = FBX_SHAPE;
		}
		if (drive->model == FBX_NONE ||
		    (drive->what == FBX_USER && ((object->kind != FBX_MODEL && object->kind != FBX_ATTRIBUTE) ||
						 !fbx_property_is_own(drive->property)))) {
			FBX_AT(scene->curve_nodes, struct fbx_curve_node, drive->curve_node)->is_lost = true;
			drive->model = FBX_NONE;
		} else {
			drive->model = model_at(reader, drive->model)->number;
		}
	}
}

static int compare_drives(const void *a, const void *b)
{
	const struct fbx_drive *x = a, *y = b;
	const uint32_t keys[][2] = {
	    {x->stack, y->stack}, {x->model, y->model},  {x->what, y->what}, {x->object, y->object}, {0, 0},
	    {x->rank, y->rank},   {x->serial, y->serial}};

	for (size_t i = 0; i < ANIM_COUNT(keys); i++) {
		int difference = i == 4 && x->what == FBX_USER ? strcmp(x->property, y->property) : 0;

		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
		if (difference != 0)
			return difference;
	}
	return 0;
}

static bool has_curve(const struct fbx_scene *scene, const struct fbx_drive *drive)
{
	const struct fbx_curve_node *node = FBX_AT(scene->curve_nodes, struct fbx_curve_node, drive->curve_node);

	return node->curves[0] != FBX_NONE || node->curves[1] != FBX_NONE || node->curves[2] != FBX_NONE;
}

/*
 * Sort the drives. If several drive one property in one layer, keep the last one with a curve. Return the number of
 * drives.
 */
static size_t sort_drives(struct fbx_scene *scene)
{
	struct fbx_drive *drives = FBX_ALL(scene->drives, struct fbx_drive);
	size_t count = FBX_COUNT(scene->drives, struct fbx_drive), n = 0;

	if (count > 0)
		qsort(drives, count, sizeof *drives, compare_drives);
	for (size_t i = 0; i < count; i++) {
		struct fbx_drive *last = n > 0 ? &drives[n - 1] : NULL, like = drives[i];

		if (last != NULL)
			like.serial = last->serial;
		if (last == NULL || drives[i].model == FBX_NONE || compare_drives(last, &like) != 0)
			drives[n++] = drives[i];
		else if (has_curve(scene, &drives[i]) || !has_curve(scene, last))
			*last = drives[i];
	}
	return n;
}

/* ---- Channels ---- */

/* Channels before the addresses of their spans are known. The spans of component i start at firsts[i]. */
struct loaded {
	struct fbx_channels channels;
	size_t firsts[4]; /* the last one is for the weight of the layer */
};

/* Append the spans of a curve, with repetitions inside the clip. *count: their number. Return 0 or -1. */
static int load_curve(struct reader *reader, uint32_t number, size_t *first, size_t *count)
{
	struct fbx_scene *scene = &reader->scene;
	const struct fbx_curve *curve = FBX_AT(scene->curves, struct fbx_curve, number);
	size_t max = reader->unrolled_left < UNROLLED_MAX ? reader->unrolled_left : UNROLLED_MAX, more, own;
	int result;

	*first = reader->spans.size / sizeof(struct fbx_span);
	*count = 0;
	if (curve->why != NULL)
		return fail(reader, ANIM_BAD_INPUT, "%s", curve->why);
	if (curve->count == 0)
		return 0;
	if (curve->ends[0].type == 'C' && curve->ends[1].type == 'C') {
		result = fbx_curve_load(scene, curve, &reader->spans);
		*count = reader->spans.size / sizeof(struct fbx_span) - *first;
		return result;
	}
	scene->spans.size = 0;
	if (fbx_curve_load(scene, curve, &scene->spans) != 0)
		return -1;
	own = scene->spans.size / sizeof(struct fbx_span);
	result = fbx_spans_unroll(FBX_ALL(scene->spans, struct fbx_span), own, curve->ends, reader->start, reader->end,
				  max, 1.0 / (double)scene->ticks, &reader->spans, reader->error);
	*count = reader->spans.size / sizeof(struct fbx_span) - *first;
	more = result < 0 ? 0 : *count - own;
	reader->unrolled_left -= more < reader->unrolled_left ? more : reader->unrolled_left;
	reader->unrolled += result == 0 && *count > own;
	reader->too_often += result == 1;
	return result < 0 ? -1 : 0;
}

/*
 * Return the value of a component of a driven property without animation. For own properties, which are not stored,
 * it is 0.
 */
static double value_without(const struct reader *reader, const struct fbx_drive *drive, unsigned component)
{
	const struct fbx_model *model = model_at(reader, *FBX_AT(reader->order, uint32_t, drive->model - 1));

	switch (drive->what) {
	case FBX_T:
	case FBX_R:
	case FBX_S:
		return model->lcl[drive->what][component];
	case FBX_VISIBLE:
		return model->visible;
	case FBX_SHAPE:
		return FBX_AT(reader->scene.objects, struct fbx_object, drive->object)->value;
	default:
		return 0;
	}
}

/* Append the channels of a drive. Return 0 or -1. */
static int load_channels(struct reader *reader, const struct fbx_drive *drive)
{
	struct fbx_scene *scene = &reader->scene;
	const struct fbx_curve_node *node = FBX_AT(scene->curve_nodes, struct fbx_curve_node, drive->curve_node);
	const struct fbx_layer *layer = FBX_AT(scene->layers, struct fbx_layer, node->layer);
	struct loaded loaded = {.channels = {.layer = layer}};

	for (unsigned i = 0; i < 3; i++) {
		loaded.channels.constants[i] =
		    (node->known >> i & 1) != 0 ? node->constants[i] : value_without(reader, drive, i);
		if (node->curves[i] != FBX_NONE &&
		    load_curve(reader, node->curves[i], &loaded.firsts[i], &loaded.channels.counts[i]) != 0)
			return -1;
	}
	if (layer->weight_node != FBX_NONE && layer->rank > 0) {
		uint32_t curve = FBX_AT(scene->curve_nodes, struct fbx_curve_node, layer->weight_node)->curves[0];

		if (curve != FBX_NONE &&
		    load_curve(reader, curve, &loaded.firsts[3], &loaded.channels.weight_count) != 0)
			return -1;
	}
	return anim_buffer_append(&reader->channels, &loaded, sizeof loaded, reader->error);
}

/* Load the channels of drives, and then of those in reader->wanted, into one array. NULL on error. */
static struct fbx_channels *load(struct reader *reader, const struct fbx_drive *drives, size_t count)
{
	const struct fbx_drive *const *others = FBX_ALL(reader->wanted, const struct fbx_drive *);
	size_t other_count = reader->wanted.size / sizeof *others;
	const struct fbx_span *spans;
	struct fbx_channels *channels;

	reader->spans.size = reader->channels.size = 0;
	if (anim_buffer_reserve(&reader->channels, 1, reader->error) != 0)
		return NULL;
	for (size_t i = 0; i < count + other_count; i++)
		if (load_channels(reader, i < count ? &drives[i] : others[i - count]) != 0)
			return NULL;
	spans = FBX_ALL(reader->spans, struct fbx_span);
	channels = FBX_ALL(reader->channels, struct fbx_channels);
	for (size_t i = 0; i < count + other_count; i++) {
		struct loaded loaded = *FBX_AT(reader->channels, struct loaded, i);

		for (unsigned k = 0; k < 3; k++)
			if (loaded.channels.counts[k] > 0)
				loaded.channels.spans[k] = spans + loaded.firsts[k];
		if (loaded.channels.weight_count > 0)
			loaded.channels.weight = spans + loaded.firsts[3];
		/*
		 * A struct fbx_channels is smaller than a struct loaded, so this does not overwrite unread elements.
		 */
		memmove(&channels[i], &loaded.channels, sizeof loaded.channels);
	}
	reader->wanted.size = 0;
	return channels;
}

/* ---- Tracks ---- */

static int put(struct reader *reader, struct anim_track *track)
{
	static const enum anim_column columns[] = {ANIM_COLUMN_VALUE, ANIM_COLUMN_LEFT, ANIM_COLUMN_RIGHT,
						   ANIM_COLUMN_LEFT_X, ANIM_COLUMN_RIGHT_X};
	bool is_good = true;

	/* Fail if a number of the current keys exceeds the range of 32-bit floats. */
	for (size_t i = 0; i < ANIM_COUNT(columns); i++) {
		const struct anim_buffer *column = &reader->keys.column[columns[i]];

		for (size_t k = 0; k < column->size / sizeof(float); k++)
			is_good &= isfinite(*FBX_AT(*column, float, k)) != 0;
	}
	if (!is_good)
		return fail(reader, ANIM_BAD_INPUT, "'%.100s': a number of '%.60s' is too large for 32 bits",
			    track->node, track->property);
	track->kind = ANIM_CURVE;
	anim_keys_finish(&reader->keys, track);
	return anim_sink_track(reader->sink, track, reader->error);
}

/*
 * Put unchanged keys: one track if all components have the same times and modes, otherwise one track per component.
 */
static int put_plain(struct reader *reader, const struct fbx_channels *channels, const struct fbx_map *map,
		     struct anim_track *track)
{
	double tick_s = 1.0 / (double)reader->scene.ticks;
	int whole;

	anim_keys_reset(&reader->keys, ANIM_FLOAT3);
	track->type = ANIM_FLOAT3;
	track->component = ANIM_WHOLE;
	whole = fbx_channels_keys(channels, map, -1, tick_s, reader->start, &reader->keys, reader->error);
	if (whole != 0)
		return whole < 0 ? -1 : put(reader, track);
	track->type = ANIM_FLOAT;
	for (int i = 0; i < 3; i++) {
		anim_keys_reset(&reader->keys, ANIM_FLOAT);
		track->component = (uint8_t)i;
		if (fbx_channels_keys(channels, map, i, tick_s, reader->start, &reader->keys, reader->error) < 0 ||
		    put(reader, track) != 0)
			return -1;
	}
	return 0;
}

static const struct {
	const char *property, *text;
} fitted[FBX_TRANSFORMS + 1] = {
    {"position", "new keys, because FBX uses pivots, layers or scales"},
    {"rotation", "new keys, because FBX uses a pre-rotation, other axes or layers"},
    {"scale", "new keys, because FBX uses layers or the scales of parents"},
    {NULL, "new keys, because FBX uses layers"},
};

/*
 * Put fitted keys of FBX_T, FBX_R or FBX_S. `message`: an index in `fitted`. The caller sets track->type and
 * track->property.
 */
static int put_fitted_as(struct reader *reader, const struct fbx_motion *motion, unsigned transform, unsigned message,
			 struct anim_track *track)
{
	double off;
	int fitted_it;

	track->component = ANIM_WHOLE;
	anim_keys_reset(&reader->keys, track->type);
	fitted_it = fbx_motion_fit(motion, transform, &reader->keys, &off, reader->error);
	reader->unmoved += fitted_it == 0;
	if (fitted_it <= 0 || put(reader, track) != 0)
		return fitted_it;
	if (transform == FBX_T && motion->is_moved)
		reader->moved_off = fmax(reader->moved_off, off);
	if (off == 0)
		return 0;
	return anim_diagnostics_add_error(
	    reader->options->diagnostics, fitted[message].property == NULL ? "property" : fitted[message].property, off,
	    transform == FBX_R ? "degrees" : "units", reader->error, "'%.100s': %s", track->node, fitted[message].text);
}

static int put_fitted(struct reader *reader, const struct fbx_motion *motion, unsigned transform,
		      struct anim_track *track)
{
	track->type = transform == FBX_R ? ANIM_FLOATQ : ANIM_FLOAT3;
	track->property = fitted[transform].property;
	return put_fitted_as(reader, motion, transform, transform, track);
}

static int put_position(struct reader *reader, const struct fbx_motion *motion, struct anim_track *track)
{
	bool is_pivoted = fbx_motion_is_pivoted(motion) || motion->is_moved;
	const struct fbx_channels *channels;
	struct fbx_motion still = *motion;
	struct fbx_map map;
	struct fbx_pose pose;

	if (motion->counts[FBX_T] == 0 && !is_pivoted)
		return 0;
	if (is_pivoted || !fbx_motion_is_plain(motion, FBX_T, &channels))
		return put_fitted(reader, motion, FBX_T, track);
	/* The effect of pivots on the position is constant here. */
	still.counts[FBX_T] = 0;
	fbx_motion_at(&still, (double)motion->start, false, &pose);
	for (unsigned i = 0; i < 3; i++) {
		const struct fbx_axes *axes = fbx_axes_of(motion->model->above);

		map.from[i] = motion->is_top ? reader->space.axis[i] : axes->from[i];
		map.factor[i] = reader->space.unit_m * (motion->is_top ? reader->space.sign[i] : axes->sign[i]);
		map.offset[i] = pose.position[i] - map.factor[i] * motion->model->lcl[FBX_T][map.from[i]];
		/* Without pivots, anything else is a rounding error. */
		if (!fbx_motion_has_arm(motion))
			map.offset[i] = 0;
	}
	track->property = "position";
	return put_plain(reader, channels, &map, track);
}

static const struct fbx_map as_is = {{0, 1, 2}, {1, 1, 1}, {0, 0, 0}};

static int put_rotation(struct reader *reader, const struct fbx_motion *motion, struct anim_track *track)
{
	const struct fbx_channels *channels;
	struct anim_attr order = {"order", NULL};
	struct fbx_map map;
	int result, found;

	if (motion->counts[FBX_R] == 0)
		return 0;
	found = fbx_model_angles(motion->model, map.from, map.factor, map.offset);
	if (!fbx_motion_is_plain(motion, FBX_R, &channels) || found < 0 || (motion->is_top && reader->space.is_rotated))
		return put_fitted(reader, motion, FBX_R, track);
	order.value = anim_euler_order_names[found];
	track->property = "euler";
	track->flags = ANIM_DEGREES;
	track->attrs = (struct anim_attrs){&order, 1};
	result = put_plain(reader, channels, &map, track);
	track->flags = 0;
	track->attrs = (struct anim_attrs){0};
	return result;
}

static int put_scale(struct reader *reader, const struct fbx_motion *motion, struct anim_track *track)
{
	const struct fbx_channels *channels;
	const unsigned *from = fbx_axes_of(motion->model->kind)->from;
	const struct fbx_map map = {{from[0], from[1], from[2]}, {1, 1, 1}, {0, 0, 0}};

	if (motion->counts[FBX_S] == 0 && motion->above_count == 0)
		return 0;
	if (motion->above_count > 0 || !fbx_motion_is_plain(motion, FBX_S, &channels))
		return put_fitted(reader, motion, FBX_S, track);
	track->property = "scale";
	return put_plain(reader, channels, &map, track);
}

/* Find the drives from FBX_T, FBX_R or FBX_S (`from`) to FBX_S of a model in the current clip. *count: their number. */
static const struct fbx_drive *find_drives(const struct reader *reader, const struct fbx_model *model, uint32_t from,
					   size_t *count)
{
	size_t low = 0, high = reader->drive_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct fbx_drive *drive = &reader->drives[middle];

		if (drive->model < model->number || (drive->model == model->number && drive->what < from))
			low = middle + 1;
		else
			high = middle;
	}
	*count = 0;
	while (low + *count < reader->drive_count && reader->drives[low + *count].model == model->number &&
	       reader->drives[low + *count].what < FBX_TRANSFORMS)
		++*count;
	return reader->drives + low;
}

/* ---- Scales that are inherited along axes, or not at all ---- */

/* The effects of a model on the models below it, in the current clip. */
enum below {
	BELOW_UNEVEN = 1,    /* its true scale may be uneven */
	BELOW_INHERITED = 2, /* the part of this scale that is inherited may be uneven */
	BELOW_SHEARED = 4,   /* its true axes may differ from the written ones */
	BELOW_CONVERTED = 8, /* its own scale track differs from its scale */
	BELOW_DRIVEN = 16,   /* rotations or scales of it or of a model above it are animated */
	BELOW_SCALED = 32    /* its own scale is not always 1 */
};

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-6 * fabs(b);
}

/* Return whether two curves have the same keys. -1 on error. */
static int are_same(struct reader *reader, uint32_t a, uint32_t b)
{
	struct fbx_scene *scene = &reader->scene;
	const struct fbx_curve *first, *second;
	struct anim_buffer *bytes[2] = {&scene->columns, &scene->values};

	if (a == b || a == FBX_NONE || b == FBX_NONE)
		return a == b;
	first = FBX_AT(scene->curves, struct fbx_curve, a);
	second = FBX_AT(scene->curves, struct fbx_curve, b);
	if (first->size != second->size || first->count != second->count || first->is_small != second->is_small ||
	    memcmp(first->ends, second->ends, sizeof first->ends) != 0)
		return 0;
	for (unsigned i = 0; i < 2; i++) {
		const struct fbx_curve *curve = i == 0 ? first : second;

		bytes[i]->size = 0;
		if (curve->size == 0)
			return 1;
		if (anim_buffer_extend(bytes[i], curve->size, reader->error) == NULL ||
		    anim_spool_copy(&scene->spool, curve->place, bytes[i]->data, curve->size, reader->error) != 0)
			return -1;
	}
	return memcmp(bytes[0]->data, bytes[1]->data, first->size) == 0;
}

/* Find out whether the scale of a model may be uneven, and whether it is always 1, in the current clip. Return 0 or -1. */
static int check_scale(struct reader *reader, const struct fbx_model *model, bool *is_uneven, bool *is_one)
{
	struct fbx_scene *scene = &reader->scene;
	size_t count;
	const struct fbx_drive *drives = find_drives(reader, model, FBX_S, &count);
	bool is_replaced = count > 0 && drives->rank == 0;

	*is_uneven = false;
	*is_one = true;
	/* The scale of the node itself counts if the lowest layer does not animate it. */
	for (size_t d = is_replaced ? 1 : 0; d <= count; d++) {
		const struct fbx_curve_node *node =
		    d == 0 ? NULL : FBX_AT(scene->curve_nodes, struct fbx_curve_node, drives[d - 1].curve_node);
		bool still[3];
		double value[3];

		for (unsigned i = 0; i < 3; i++) {
			uint32_t number = node == NULL ? FBX_NONE : node->curves[i];
			const struct fbx_curve *curve =
			    number == FBX_NONE ? NULL : FBX_AT(scene->curves, struct fbx_curve, number);
			bool moves = curve != NULL && curve->count > 0;
			int same = 1;

			value[i] = moves                                         ? curve->value
				   : node != NULL && (node->known >> i & 1) != 0 ? node->constants[i]
										 : model->lcl[FBX_S][i];
			still[i] = !moves || curve->is_still;
			if (!still[0] && !still[i])
				same = are_same(reader, node->curves[0], number);
			if (same < 0)
				return -1;
			*is_one &= still[i] && is_near(value[i], 1);
			*is_uneven |= same == 0 || still[i] != still[0] || !is_near(value[i], value[0]);
		}
	}
	return 0;
}

/* Set reader->below for the current clip, or reader->is_below to false if no model needs it. Return 0 or -1. */
static int mark_below(struct reader *reader)
{
	size_t models = reader->order.size / sizeof(uint32_t);
	bool is_uneven = false, is_one = true;

	reader->is_below = false;
	if (reader->below == NULL)
		return 0;
	for (size_t i = 0; i < reader->drive_count && !reader->rest_is_below; i++) {
		const struct fbx_drive *drive = &reader->drives[i];

		if (drive->what == FBX_S &&
		    check_scale(reader, model_at(reader, *FBX_AT(reader->order, uint32_t, drive->model - 1)),
				&is_uneven, &is_one) != 0)
			return -1;
		if (is_uneven || !is_one)
			break;
	}
	if (!reader->rest_is_below && !is_uneven && is_one)
		return 0;
	if (models > reader->work_left) {
		reader->unmoved++;
		return 0;
	}
	reader->work_left -= models;
	for (uint32_t i = 0; i < models; i++) {
		const struct fbx_model *model = model_at(reader, *FBX_AT(reader->order, uint32_t, i));
		uint8_t above = model->parent == FBX_NONE ? 0 : reader->below[model_at(reader, model->parent)->number],
			mark = 0;
		bool by_axis = model->inherit == FBX_SCALE_BY_AXIS, is_own = model->inherit == FBX_OWN_SCALE;
		size_t count;

		if (check_scale(reader, model, &is_uneven, &is_one) != 0)
			return -1;
		find_drives(reader, model, FBX_R, &count);
		if ((by_axis && (above & BELOW_UNEVEN) != 0) || (is_own && (above & BELOW_INHERITED) != 0))
			mark |= BELOW_INHERITED;
		if (is_uneven || (mark & BELOW_INHERITED) != 0)
			mark |= BELOW_UNEVEN;
		if ((above & BELOW_SHEARED) != 0 || ((by_axis || is_own) && (above & BELOW_UNEVEN) != 0))
			mark |= BELOW_SHEARED | BELOW_CONVERTED;
		if (is_own && (above & BELOW_SCALED) != 0)
			mark |= BELOW_CONVERTED;
		if (!is_one)
			mark |= BELOW_SCALED;
		if (count > 0 || (above & BELOW_DRIVEN) != 0)
			mark |= BELOW_DRIVEN;
		reader->below[i + 1] = mark;
		reader->is_below |= (mark & BELOW_CONVERTED) != 0;
	}
	return 0;
}

/*
 * Put the models above a model into reader->above, and the drives of their rotations and scales into reader->wanted.
 * Return 1, 0 if there are too many models or keys, or -1 on error.
 */
static int want_above(struct reader *reader, const struct fbx_model *model)
{
	size_t depth = 0, keys = 0;
	struct fbx_motion *above;

	for (uint32_t at = model->parent; at != FBX_NONE; at = model_at(reader, at)->parent)
		if (++depth > ABOVE_MAX)
			return 0;
	reader->above.size = 0;
	above = anim_buffer_extend(&reader->above, depth * sizeof *above, reader->error);
	if (above == NULL)
		return -1;
	for (uint32_t at = model->parent; at != FBX_NONE; at = model_at(reader, at)->parent)
		above[--depth] = (struct fbx_motion){.model = model_at(reader, at),
						     .space = &reader->space,
						     .is_top = model_at(reader, at)->parent == FBX_NONE,
						     .tick_s = 1.0 / (double)reader->scene.ticks,
						     .start = reader->start};
	for (size_t i = 0; i < reader->above.size / sizeof *above; i++) {
		size_t count;
		const struct fbx_drive *drive = find_drives(reader, above[i].model, FBX_R, &count);

		for (; count > 0; count--, drive++) {
			const struct fbx_curve_node *node =
			    FBX_AT(reader->scene.curve_nodes, struct fbx_curve_node, drive->curve_node);

			for (unsigned k = 0; k < 3; k++)
				if (node->curves[k] != FBX_NONE)
					keys += FBX_AT(reader->scene.curves, struct fbx_curve, node->curves[k])->count;
			if (keys > reader->above_keys_max)
				return 0;
			above[i].counts[drive->what]++;
			if (anim_buffer_append(&reader->wanted, &drive, sizeof drive, reader->error) != 0)
				return -1;
		}
	}
	return 1;
}

/* Put the transform tracks of a model. Its own drives and the models above it can change them. */
static int put_model(struct reader *reader, uint32_t number, const struct fbx_drive *drives, size_t count)
{
	struct fbx_model *model = model_at(reader, number);
	double sheared_deg = 0;
	struct fbx_motion motion = {.model = model,
				    .space = &reader->space,
				    .is_top = model->parent == FBX_NONE,
				    .tick_s = 1.0 / (double)reader->scene.ticks,
				    .start = reader->start,
				    .sheared_deg = &sheared_deg,
				    .work_left = &reader->work_left};
	struct anim_track track = {.node = path_of(reader, model, FBX_T)};
	uint8_t mark = reader->is_below ? reader->below[model->number] : 0;
	uint8_t above =
	    mark == 0 || model->parent == FBX_NONE ? 0 : reader->below[model_at(reader, model->parent)->number];
	struct fbx_channels *channels, *next;
	int is_known = 0;

	if (reader->import.places.size > 0 && anim_import_is_skinned(&reader->import, model->imported)) {
		reader->skinned++;
		return 0;
	}
	reader->wanted.size = 0;
	if ((mark & BELOW_CONVERTED) != 0) {
		is_known = want_above(reader, model);
		reader->unmoved += is_known == 0;
	}
	if (is_known == 0)
		reader->wanted.size = 0;
	channels = is_known < 0 ? NULL : load(reader, drives, count);
	if (track.node == NULL || channels == NULL)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (motion.counts[drives[i].what]++ == 0)
			motion.channels[drives[i].what] = &channels[i];
	next = channels + count;
	motion.above = FBX_ALL(reader->above, struct fbx_motion);
	motion.above_count = is_known == 0 ? 0 : reader->above.size / sizeof motion;
	motion.is_moved = motion.above_count > 0 && (above & BELOW_SHEARED) != 0;
	for (size_t i = 0; i < motion.above_count; i++)
		for (unsigned transform = FBX_R; transform <= FBX_S; transform++) {
			FBX_AT(reader->above, struct fbx_motion, i)->channels[transform] = next;
			next += motion.above[i].counts[transform];
		}
	/* The rest pose is enough if nothing changes. */
	if (((motion.counts[FBX_T] > 0 || !motion.is_moved || (above & BELOW_DRIVEN) != 0) &&
	     put_position(reader, &motion, &track) != 0) ||
	    put_rotation(reader, &motion, &track) != 0 ||
	    ((motion.above_count == 0 || (mark & BELOW_DRIVEN) != 0) && put_scale(reader, &motion, &track) != 0))
		return -1;
	note_sheared(reader, model, sheared_deg);
	return 0;
}

/* Put visibility, which must step. */
static int put_visible(struct reader *reader, const struct fbx_motion *motion, struct anim_track *track)
{
	int steps;

	anim_keys_reset(&reader->keys, ANIM_BOOL);
	steps = fbx_motion_steps(motion, &reader->keys, reader->error);
	if (steps < 0)
		return -1;
	if (steps == 0)
		return anim_diagnostics_warn(reader->options->diagnostics, "node", reader->error,
					     "'%.100s': visibility that does not step is left out", track->node);
	track->type = ANIM_BOOL;
	track->component = ANIM_WHOLE;
	track->property = "visible";
	track->kind = ANIM_DISCRETE;
	anim_keys_finish(&reader->keys, track);
	return anim_sink_track(reader->sink, track, reader->error);
}

/* Return whether a user property of a model is the weight of a blend shape. */
static bool is_shape(const struct reader *reader, const struct fbx_drive *drive)
{
	const struct fbx_object *object = FBX_AT(reader->scene.objects, struct fbx_object, drive->object);
	uint32_t nothing;

	return object->kind == FBX_MODEL &&
	       anim_map_get(&reader->scene.shapes, object->number, drive->property, strlen(drive->property), &nothing);
}

/* Put a property that is not a transform: visibility, the weight of a shape, or a property with its own name. */
static int put_other(struct reader *reader, const struct fbx_drive *drives, size_t count, struct anim_track *track)
{
	const struct fbx_object *object = FBX_AT(reader->scene.objects, struct fbx_object, drives->object);
	struct fbx_channels *channels = load(reader, drives, count);
	double factor = drives->what == FBX_SHAPE ? 0.01 : 1, tick_s = 1.0 / (double)reader->scene.ticks;
	const struct fbx_map times_factor = {{0, 0, 0}, {factor, 0, 0}, {0, 0, 0}};
	struct fbx_model model = {.lcl = {[FBX_S] = {1, 1, 1}}};
	struct fbx_space space = {.rotation = {0, 0, 0, 1}, .unit_m = factor};
	/* A motion whose FBX_T is `factor` times the property. */
	const struct fbx_motion motion = {.model = &model,
					  .space = &space,
					  .tick_s = tick_s,
					  .start = reader->start,
					  .channels = {[FBX_T] = channels},
					  .counts = {[FBX_T] = count},
					  .work_left = &reader->work_left};
	bool has_curve = false, has_vector = false;
	uint32_t other;

	if (channels == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct fbx_curve_node *node =
		    FBX_AT(reader->scene.curve_nodes, struct fbx_curve_node, drives[i].curve_node);

		has_curve |= channels[i].counts[0] + channels[i].counts[1] + channels[i].counts[2] > 0;
		has_vector |= drives->what == FBX_USER &&
			      ((node->known & 6) != 0 || node->curves[1] != FBX_NONE || node->curves[2] != FBX_NONE);
	}
	/* Many programs write constants for all properties that have a lock. */
	if (!has_curve && drives->what != FBX_SHAPE)
		return 0;
	for (unsigned i = 0; i < 3; i++)
		model.lcl[FBX_T][i] = value_without(reader, drives, i);
	if (drives->what == FBX_VISIBLE)
		return put_visible(reader, &motion, track);

	track->property = drives->property;
	if (drives->what == FBX_SHAPE)
		track->property = anim_arena_printf(&reader->scene.arena, reader->error, "blend_shape/%s",
						    object->name == NULL ? "shape" : object->name);
	else if (is_shape(reader, drives))
		track->property =
		    anim_arena_printf(&reader->scene.arena, reader->error, "blend_shape/%s", drives->property);
	if (track->property == NULL)
		return -1;
	if (anim_map_get(&reader->properties, drives->model, track->property, strlen(track->property), &other)) {
		reader->doubles++;
		return 0;
	}
	if (anim_map_put(&reader->properties, drives->model, track->property, strlen(track->property), 0,
			 reader->error) != 0)
		return -1;

	track->type = has_vector ? ANIM_FLOAT3 : ANIM_FLOAT;
	if (count > 1 || channels->layer->rank > 0) {
		/* The lowest layer may have a value that is not stored. */
		if (drives->what == FBX_USER && channels->layer->rank != 0 && channels->layer->mode != 1 &&
		    anim_diagnostics_warn(
			reader->options->diagnostics, "property", reader->error,
			"'%.100s %.60s': moved in upper layers only; the value below them counts as 0", track->node,
			track->property) != 0)
			return -1;
		return put_fitted_as(reader, &motion, FBX_T, FBX_TRANSFORMS, track);
	}
	if (has_vector)
		return put_plain(reader, channels, &as_is, track);
	track->component = ANIM_WHOLE;
	anim_keys_reset(&reader->keys, ANIM_FLOAT);
	if (fbx_channels_keys(channels, &times_factor, 0, tick_s, reader->start, &reader->keys, reader->error) < 0)
		return -1;
	return put(reader, track);
}

/* ---- Clips ---- */

#define TIME_MAX (INT64_C(1) << 60)

static bool is_range(const int64_t range[2])
{
	return range[0] <= range[1] && range[0] > -TIME_MAX && range[1] < TIME_MAX;
}

/* Find the range of the clip: from the stack, or from its take, or (not *is_given) from the first to the last key. */
static void find_range(struct reader *reader, const struct fbx_stack *stack, const struct fbx_drive *drives,
		       size_t count, bool *is_given)
{
	const struct fbx_scene *scene = &reader->scene;
	int64_t range[2] = {0, 0};

	*is_given = true;
	if (stack->has_local && is_range(stack->local) && stack->local[0] < stack->local[1])
		memcpy(range, stack->local, sizeof range);
	else if (!stack->has_local && stack->has_reference && is_range(stack->reference) &&
		 stack->reference[0] < stack->reference[1])
		memcpy(range, stack->reference, sizeof range);
	else if (stack->has_take && is_range(stack->take) && stack->take[0] < stack->take[1])
		memcpy(range, stack->take, sizeof range);
	else {
		for (size_t i = 0; i < 3 * count; i++) {
			uint32_t number =
			    FBX_AT(scene->curve_nodes, struct fbx_curve_node, drives[i / 3].curve_node)->curves[i % 3];
			const struct fbx_curve *curve =
			    number == FBX_NONE ? NULL : FBX_AT(scene->curves, struct fbx_curve, number);

			if (curve == NULL || curve->count == 0)
				continue;
			range[0] = !*is_given && range[0] < curve->first ? range[0] : curve->first;
			range[1] = !*is_given && range[1] > curve->last ? range[1] : curve->last;
			*is_given = false;
		}
	}
	reader->start = range[0];
	reader->end = range[1];
}

static int write_clip(struct reader *reader, const struct fbx_stack *stack, const struct fbx_drive *drives,
		      size_t count)
{
	double tick_s = 1.0 / (double)reader->scene.ticks;
	struct anim_clip clip = {.axes = ANIM_AXES_GLTF,
				 .flags = ANIM_IN_TREE,
				 .rate_num = reader->rate_num,
				 .rate_den = reader->rate_den,
				 .name = stack->name[0] == '\0' ? reader->base_name : stack->name,
				 .root = ".",
				 .source = "fbx"};
	bool is_given;

	reader->drives = drives;
	reader->drive_count = count;
	anim_map_clear(&reader->properties);
	find_range(reader, stack, drives, count, &is_given);
	if (!is_given)
		clip.flags |= ANIM_END_DERIVED;
	clip.start_s = (float)((double)reader->start * tick_s);
	clip.end_s = (float)((double)reader->end * tick_s);
	if (anim_sink_clip(reader->sink, &clip, reader->error) != 0 || mark_below(reader) != 0)
		return -1;
	for (size_t i = 0, n; i < count; i += n) {
		const struct fbx_drive *group = drives + i;
		uint32_t number = *FBX_AT(reader->order, uint32_t, group->model - 1);
		bool is_transform = group->what < FBX_TRANSFORMS;
		struct anim_track track = {.node = NULL};

		/* Drives of the same transform or property belong together. */
		for (n = 1; i + n < count && group[n].model == group->model; n++)
			if (is_transform
				? group[n].what >= FBX_TRANSFORMS
				: group[n].what != group->what || group[n].object != group->object ||
				      (group->what == FBX_USER && strcmp(group[n].property, group->property) != 0))
				break;
		if (!is_transform)
			track.node = path_of(reader, model_at(reader, number),
					     is_shape(reader, group) ? FBX_SHAPE : group->what);
		if (is_transform ? put_model(reader, number, group, n) != 0
				 : track.node == NULL || put_other(reader, group, n, &track) != 0)
			return -1;
	}

	/* Models without drives also move if their transforms change with the models above them. */
	for (uint32_t i = 0; reader->is_below && i < reader->order.size / sizeof(uint32_t); i++) {
		uint32_t number = *FBX_AT(reader->order, uint32_t, i);
		size_t own;

		if ((reader->below[i + 1] & BELOW_CONVERTED) == 0 || (reader->below[i + 1] & BELOW_DRIVEN) == 0)
			continue;
		find_drives(reader, model_at(reader, number), FBX_T, &own);
		if (own == 0 && put_model(reader, number, NULL, 0) != 0)
			return -1;
	}
	return 0;
}

/* Write a clip. With keep_going, write it to a store first, so that a clip with an error can be left out. */
static int write_or_leave_out(struct reader *reader, const struct fbx_stack *stack, const struct fbx_drive *drives,
			      size_t count)
{
	const struct anim_place place = {.file = anim_input_name(reader->scene.cursor.input), .at = ANIM_AT_FILE};
	struct anim_sink *sink = reader->sink;
	struct anim_store *store;
	char why[sizeof reader->error->message];
	int result;

	if (stack->layers > LAYERS_MAX)
		return fail(reader, ANIM_TOO_LARGE, "'%.100s' has %" PRIu32 " layers; the limit is %d", stack->name,
			    stack->layers, LAYERS_MAX);
	if (!reader->options->keep_going)
		return write_clip(reader, stack, drives, count);
	store = anim_store_new(reader->options->store_memory, reader->error);
	if (store == NULL)
		return -1;
	reader->sink = anim_store_sink(store);
	result = write_clip(reader, stack, drives, count);
	reader->sink = sink;
	if (result == 0) {
		result = anim_store_replay(store, 0, NULL, sink, reader->error);
	} else if (anim_error_is_of_input(reader->error)) {
		snprintf(why, sizeof why, "%s", reader->error->message);
		*reader->error = (struct anim_error){0};
		result = anim_diagnostics_add(reader->options->diagnostics, ANIM_WARNING, &place, NULL, reader->error,
					      "clip '%.100s' is left out: %.350s", stack->name, why);
	}
	anim_store_free(store);
	return result;
}

/* ---- The file ---- */

/* Report what was found while reading. */
static int report_findings(struct reader *reader)
{
	struct anim_diagnostics *diagnostics = reader->options->diagnostics;
	const struct fbx_scene *scene = &reader->scene;
	size_t muted = 0, lost = 0;

	/* Scales can be inherited in a way that a chain of translations, rotations and scales cannot show. */
	if (report(reader, ANIM_WARNING, reader->unmoved, "model",
		   "possibly at a wrong place below uneven scales, because of too many keys or models above") != 0)
		return -1;
	if (reader->sheared > 0 &&
	    anim_diagnostics_warn(diagnostics, NULL, reader->error,
				  "%zu %s (InheritType RrSs or Rrs), which shears here: axes are up to %.2g degrees "
				  "off, places at most %.2g m",
				  reader->sheared,
				  reader->sheared == 1
				      ? "model inherits an uneven scale along its own axes or not at all"
				      : "models inherit uneven scales along their own axes or not at all",
				  reader->sheared_deg, reader->moved_off) != 0)
		return -1;

	for (uint32_t i = 0; i < FBX_COUNT(scene->layers, struct fbx_layer); i++)
		muted += FBX_AT(scene->layers, struct fbx_layer, i)->is_muted &&
			 FBX_AT(scene->layers, struct fbx_layer, i)->stack != FBX_NONE;
	for (uint32_t i = 0; i < FBX_COUNT(scene->curve_nodes, struct fbx_curve_node); i++) {
		const struct fbx_curve_node *node = FBX_AT(scene->curve_nodes, struct fbx_curve_node, i);
		bool moves = false;

		for (unsigned axis = 0; axis < 3 && node->is_lost; axis++)
			moves |= node->curves[axis] != FBX_NONE &&
				 !FBX_AT(scene->curves, struct fbx_curve, node->curves[axis])->is_still;
		lost += moves;
	}

	if (scene->is_latin && anim_diagnostics_warn(diagnostics, NULL, reader->error,
						     "names that are not UTF-8 are read as Latin-1") != 0)
		return -1;
	if (report(reader, ANIM_WARNING, scene->falling, "curve", "keys that go back in time are sorted") != 0 ||
	    report(reader, ANIM_WARNING, lost, "animated property",
		   "left out, because materials, meshes, constraints and pivots are not read") != 0 ||
	    report(reader, ANIM_WARNING, reader->doubles, "animated property",
		   "left out, because the node has another of the same name") != 0 ||
	    report(reader, ANIM_WARNING, muted, "layer", "played as if it were neither muted nor solo") != 0 ||
	    report(reader, ANIM_WARNING, scene->bad_binds + reader->unplaced, "bind pose",
		   "not usable, so the node keeps its own rest pose") != 0 ||
	    report(reader, ANIM_WARNING, scene->repeated, "object",
		   "same number as another one, so only the first is connected") != 0 ||
	    report(reader, ANIM_WARNING, reader->dropped, "track",
		   "left out, because Godot does not import the node") != 0 ||
	    report(reader, ANIM_NOTE, reader->skinned, "mesh with a skin",
		   "not moved, because the skeleton moves it") != 0 ||
	    report(reader, ANIM_WARNING, scene->constraints, "constraint", "not played") != 0 ||
	    report(reader, ANIM_WARNING, reader->too_often, "curve", "too many repeats; the ends hold their values") !=
		0 ||
	    report(reader, ANIM_NOTE, reader->unrolled, "curve",
		   "only the part inside the clip is kept, because it continues beyond the keys") != 0)
		return -1;
	return report(reader, ANIM_NOTE, scene->lost, "animated model", "missing in the file");
}

int anim_fbx_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		  struct anim_error *error)
{
	struct reader reader = {.scene = {.cursor = {.input = input}, .options = options, .error = error},
				.options = options,
				.sink = sink,
				.error = error};
	struct fbx_scene *scene = &reader.scene;
	const struct fbx_drive *drives;
	size_t count, at = 0, empty = 0;
	int result = fbx_scene_read(scene);

	if (result != 0)
		anim_error_in_file(error, anim_input_name(input));
	/* The limit of added keys is proportional to the number of keys in the file. */
	reader.work_left = WORK_BASE;
	for (uint32_t i = 0; i < FBX_COUNT(scene->curves, struct fbx_curve); i++)
		reader.work_left += WORK_PER_KEY * FBX_AT(scene->curves, struct fbx_curve, i)->count;
	reader.unrolled_left = reader.work_left;
	reader.above_keys_max = WORK_BASE + (reader.work_left - WORK_BASE) / WORK_PER_KEY * ABOVE_PER_KEY;
	if (options->file_unit_m != NULL)
		*options->file_unit_m = scene->unit_m;
	if (result != 0)
		goto done;

	result = -1;
	find_rate(&reader);
	if (find_space(&reader) != 0 || write_tree(&reader) != 0)
		goto done;
	set_drives(&reader);
	count = sort_drives(scene);
	drives = FBX_ALL(scene->drives, struct fbx_drive);
	if (options->clip_count != NULL)
		*options->clip_count = FBX_COUNT(scene->stacks, struct fbx_stack);
	for (uint32_t i = 0; i < FBX_COUNT(scene->stacks, struct fbx_stack); i++) {
		size_t n = 0, moving = 0;

		for (; at + n < count && drives[at + n].stack == i; n++)
			moving += drives[at + n].model != FBX_NONE;
		empty += moving == 0;
		if (moving > 0 &&
		    write_or_leave_out(&reader, FBX_AT(scene->stacks, struct fbx_stack, i), drives + at, moving) != 0)
			goto done;
		at += n;
	}
	if (report(&reader, ANIM_NOTE, empty, "animation stack", "left out, because nothing moves") == 0)
		result = report_findings(&reader);
done:
	anim_buffer_clear(&reader.order);
	anim_import_clear(&reader.import);
	anim_map_clear(&reader.names);
	anim_map_clear(&reader.properties);
	free(reader.worlds);
	free(reader.frames);
	free(reader.below);
	anim_buffer_clear(&reader.above);
	anim_buffer_clear(&reader.wanted);
	anim_buffer_clear(&reader.path);
	anim_buffer_clear(&reader.spans);
	anim_buffer_clear(&reader.channels);
	anim_keys_clear(&reader.keys);
	fbx_scene_clear(&reader.scene);
	return result;
}
