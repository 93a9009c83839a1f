/* reader.c: anim_fbx_read: the models as a tree, then the stacks as clips. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"
#include "format/fbx/fbx.h"
#include "format/fbx/motion.h"

/* Attribute of a NODE: what the file calls it, if paths cannot. */
#define ATTR_NAME "fbx.name"

struct reader {
	struct fbx_scene scene;
	const struct anim_read_options *options;
	struct anim_sink *sink;
	struct anim_error *error;
	struct fbx_space space;
	struct anim_buffer order; /* uint32_t: models as the tree has them */
	struct anim_map names;    /* (parent + 1, name) -> how often */
	struct anim_buffer path;
	const char *base_name;
	uint32_t rate_num, rate_den;

	/* Of the clip at hand. */
	int64_t start, end;
	/* Of the model at hand: the spans of all its channels, behind each other. */
	struct anim_buffer spans, channels;
	struct anim_keys keys;
	/* Of the clip at hand, sorted. */
	const struct fbx_drive *drives;
	size_t drive_count;

	size_t left_out;  /* properties of other objects */
	size_t unrolled;  /* curves whose ends go on */
	size_t too_often; /* curves whose ends would repeat too often */
};

static struct fbx_model *model_at(const struct reader *reader, uint32_t number)
{
	return FBX_AT(reader->scene.models, struct fbx_model, number);
}

static uint32_t model_count(const struct reader *reader)
{
	return FBX_COUNT(reader->scene.models, struct fbx_model);
}

/* Tell of so many things, if there are any: "1 curve ..." or "2 curves ...". 0 or -1. */
static int tell(const struct reader *reader, enum anim_severity severity, size_t count, const char *one,
		const char *many)
{
	if (count == 0)
		return 0;
	return anim_diagnostics_add(reader->options->diagnostics, severity, NULL, NULL, reader->error, "%zu %s", count,
				    count == 1 ? one : many);
}

/* ---- Axes and rates ---- */

static int find_space(struct reader *reader)
{
	const struct fbx_scene *scene = &reader->scene;
	struct fbx_space *space = &reader->space;
	double m[3][3] = {{0}}, determinant = 0, *q = space->turn;
	bool seen[3] = {false};

	*space =
	    (struct fbx_space){.axis = {0, 1, 2}, .sign = {1, 1, 1}, .turn = {0, 0, 0, 1}, .unit_m = scene->unit_m};
	for (unsigned i = 0; i < 3; i++) {
		if (scene->axis[i] < 0 || scene->axis[i] > 2 || seen[scene->axis[i]])
			return anim_diagnostics_warn(reader->options->diagnostics, NULL, reader->error,
						     "the file's axes make no sense; Y up is assumed");
		seen[scene->axis[i]] = true;
		m[i][scene->axis[i]] = scene->sign[i] < 0 ? -1 : 1;
	}
	for (unsigned i = 0; i < 3; i++)
		determinant +=
		    m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
	if (determinant < 0)
		return anim_diagnostics_warn(reader->options->diagnostics, NULL, reader->error,
					     "the file's axes are left-handed; they are left as they are");
	for (unsigned i = 0; i < 3; i++) {
		space->axis[i] = (unsigned)scene->axis[i];
		space->sign[i] = m[i][scene->axis[i]];
		space->is_turned |= scene->axis[i] != i || m[i][i] < 0;
	}
	/* The rotation's parts: of squares that are 0, a quarter, a half or 1. */
	q[3] = sqrt(fmax(0, 1 + m[0][0] + m[1][1] + m[2][2])) / 2;
	q[0] = copysign(sqrt(fmax(0, 1 + m[0][0] - m[1][1] - m[2][2])) / 2, m[2][1] - m[1][2]);
	q[1] = copysign(sqrt(fmax(0, 1 - m[0][0] + m[1][1] - m[2][2])) / 2, m[0][2] - m[2][0]);
	q[2] = copysign(sqrt(fmax(0, 1 - m[0][0] - m[1][1] + m[2][2])) / 2, m[1][0] - m[0][1]);
	/* Half a turn: the signs are those of the first part that is not 0. */
	if (q[3] == 0 && q[0] > 0 && q[1] > 0)
		q[1] = copysign(q[1], m[0][1]);
	if (q[3] == 0 && q[0] > 0 && q[2] > 0)
		q[2] = copysign(q[2], m[0][2]);
	if (q[3] == 0 && q[0] == 0 && q[1] > 0 && q[2] > 0)
		q[2] = copysign(q[2], m[1][2]);
	return 0;
}

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

/* ---- The tree ---- */

/* Put the model and all below it into the order, each after its parent. 0 or -1. */
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

/* Put all models into the order of the tree. Those that run in a ring stand at the top, from the first of them on. 0 or -1. */
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
	if (result == 0)
		result = tell(reader, ANIM_WARNING, ringed, "model is below itself; it stands at the top",
			      "models are below themselves; they stand at the top");
	return result;
}

/* The name as a part of a path, which no sibling has. 0 or -1. */
static int give_name(struct reader *reader, struct fbx_model *model)
{
	uint64_t scope = model->parent == FBX_NONE ? 0 : (uint64_t)model->parent + 1;
	struct anim_arena *arena = &reader->scene.arena;
	const char *own;
	char *name = anim_arena_text(arena, model->name, strlen(model->name), reader->error);
	uint32_t count, other;

	if (name != NULL && name[0] == '\0')
		name = anim_arena_text(arena, "node", 4, reader->error);
	if (name == NULL)
		return -1;
	for (char *at = name; *at != '\0'; at++)
		if (*at == '/' || strspn(name, ".") == strlen(name) ||
		    (*at == ':' && anim_bone_name("fbx", name, false) != NULL))
			*at = '_';
	own = name;
	if (anim_map_get(&reader->names, scope, name, strlen(name), &count)) {
		do {
			own = anim_arena_printf(arena, reader->error, "%s_%" PRIu32, name, ++count);
			if (own == NULL)
				return -1;
		} while (anim_map_get(&reader->names, scope, own, strlen(own), &other));
		if (anim_map_put(&reader->names, scope, name, strlen(name), count, reader->error) != 0)
			return -1;
	}
	model->path_name = own;
	return anim_map_put(&reader->names, scope, own, strlen(own), 1, reader->error);
}

/* The path of a model, in reader->path. NULL on failure. */
static const char *path_of(struct reader *reader, const struct fbx_model *model)
{
	size_t length = 0;
	char *end;

	for (const struct fbx_model *at = model;; at = model_at(reader, at->parent)) {
		length += strlen(at->path_name) + 1;
		if (length > ANIM_NAME_MAX + 1) {
			anim_fail(reader->error, ANIM_TOO_LARGE, "'%.100s': a path of more than %u bytes",
				  model->path_name, ANIM_NAME_MAX);
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

/* The parent, if the model does not inherit its scale; else NULL. */
static const struct fbx_model *undone_parent(const struct reader *reader, const struct fbx_model *model)
{
	return model->inherit == FBX_OWN_SCALE && model->parent != FBX_NONE ? model_at(reader, model->parent) : NULL;
}

static int write_node(struct reader *reader, struct fbx_model *model, uint32_t number)
{
	const struct fbx_motion still = {.model = model,
					 .space = &reader->space,
					 .is_top = model->parent == FBX_NONE,
					 .parent = undone_parent(reader, model)};
	struct anim_attr attrs[1];
	struct anim_node node = {.kind = model->kind,
				 .has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE,
				 .parent = model->parent == FBX_NONE ? 0 : model_at(reader, model->parent)->number,
				 .type = "",
				 .attrs = {attrs, 0}};
	struct fbx_pose pose;

	model->number = number;
	fbx_motion_at(&still, 0, false, &pose);
	for (unsigned i = 0; i < 4; i++) {
		node.rotation[i] = (float)pose.rotation[i];
		if (i < 3) {
			node.position[i] = (float)pose.position[i];
			node.scale[i] = (float)pose.scale[i];
		}
	}
	if (strcmp(model->name, model->path_name) != 0)
		attrs[node.attrs.count++] = (struct anim_attr){ATTR_NAME, model->name};
	node.path = path_of(reader, model);
	return node.path == NULL ? -1 : anim_sink_node(reader->sink, &node, reader->error);
}

static int write_tree(struct reader *reader)
{
	const char *file = anim_read_source_file(reader->options, reader->scene.cursor.input);
	struct anim_tree tree = {.axes = ANIM_AXES_GLTF, .source_file = file};
	const struct anim_node root = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};
	size_t spheric = 0;

	reader->base_name = anim_read_base_name(file, &reader->scene.arena, reader->error);
	tree.root_name = reader->base_name;
	if (reader->base_name == NULL || order_models(reader) != 0 ||
	    anim_sink_tree(reader->sink, &tree, reader->error) != 0 ||
	    anim_sink_node(reader->sink, &root, reader->error) != 0)
		return -1;
	for (uint32_t i = 0; i < reader->order.size / sizeof(uint32_t); i++) {
		struct fbx_model *model = model_at(reader, *FBX_AT(reader->order, uint32_t, i));

		spheric += model->order >= FBX_SPHERIC && fbx_model_is_turned(model);
		if (give_name(reader, model) != 0 || write_node(reader, model, i + 1) != 0)
			return -1;
	}
	return tell(reader, ANIM_WARNING, spheric, "model has a spheric rotation, which does not turn here",
		    "models have spheric rotations, which do not turn here");
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

/* Find the model that a drive's object is, or belongs to. */
static uint32_t model_of(const struct fbx_scene *scene, uint32_t number)
{
	for (unsigned steps = 0; steps < 4 && number != FBX_NONE; steps++) {
		const struct fbx_object *object = FBX_AT(scene->objects, struct fbx_object, number);

		if (object->kind == FBX_MODEL)
			return object->number;
		number = object->owner;
	}
	return FBX_NONE;
}

/* Settle what each drive is about. Those that are none go to the end, with FBX_NONE for their model. */
static void settle_drives(struct reader *reader)
{
	struct fbx_scene *scene = &reader->scene;

	for (uint32_t i = 0; i < FBX_COUNT(scene->drives, struct fbx_drive); i++) {
		struct fbx_drive *drive = FBX_AT(scene->drives, struct fbx_drive, i);
		const struct fbx_object *object = FBX_AT(scene->objects, struct fbx_object, drive->object);
		uint32_t layer = FBX_AT(scene->curve_nodes, struct fbx_curve_node, drive->curve_node)->layer;

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
		drive->model = model_of(scene, drive->object);
		if (object->kind == FBX_MODEL) {
			for (uint32_t what = 0; what < ANIM_COUNT(property_names); what++)
				if (strcmp(drive->property, property_names[what]) == 0)
					drive->what = what;
		} else if (object->kind == FBX_CHANNEL && strcmp(drive->property, "DeformPercent") == 0) {
			drive->what = FBX_SHAPE;
		}
		if (drive->model == FBX_NONE ||
		    (drive->what == FBX_USER && ((object->kind != FBX_MODEL && object->kind != FBX_ATTRIBUTE) ||
						 !fbx_property_is_own(drive->property)))) {
			reader->left_out++;
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

/* ---- Channels ---- */

/* Channels before their spans have an address: those of spans[i] begin at firsts[i]. */
struct loaded {
	struct fbx_channels channels;
	size_t firsts[4]; /* the last: of the layer's weight */
};

/* Append the spans of a curve, unrolled over the clip; *count. 0 or -1. */
static int load_curve(struct reader *reader, uint32_t number, size_t *first, size_t *count)
{
	struct fbx_scene *scene = &reader->scene;
	const struct fbx_curve *curve = FBX_AT(scene->curves, struct fbx_curve, number);
	size_t size = curve->count * sizeof(struct fbx_span);
	int result;

	*first = reader->spans.size / sizeof(struct fbx_span);
	*count = 0;
	if (curve->count == 0)
		return 0;
	scene->spans.size = 0;
	if (anim_buffer_extend(&scene->spans, size, reader->error) == NULL ||
	    anim_spool_copy(&scene->spool, curve->place, scene->spans.data, size, reader->error) != 0)
		return -1;
	result = fbx_spans_unroll(FBX_ALL(scene->spans, struct fbx_span), curve->count, curve->ends, reader->start,
				  reader->end, 1.0 / (double)scene->ticks, &reader->spans, reader->error);
	*count = reader->spans.size / sizeof(struct fbx_span) - *first;
	reader->unrolled += result == 0 && *count > curve->count;
	reader->too_often += result == 1;
	return result < 0 ? -1 : 0;
}

/* Append the channels of a drive. 0 or -1. */
static int load_channels(struct reader *reader, const struct fbx_drive *drive)
{
	struct fbx_scene *scene = &reader->scene;
	const struct fbx_curve_node *node = FBX_AT(scene->curve_nodes, struct fbx_curve_node, drive->curve_node);
	const struct fbx_layer *layer = FBX_AT(scene->layers, struct fbx_layer, node->layer);
	struct loaded loaded = {.channels = {.layer = layer}};

	for (unsigned i = 0; i < 3; i++) {
		double rest =
		    drive->what < FBX_TRANSFORMS
			? model_at(reader, *FBX_AT(reader->order, uint32_t, drive->model - 1))->lcl[drive->what][i]
			: 0;

		loaded.channels.constants[i] = (node->known >> i & 1) != 0 ? node->constants[i] : rest;
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

/* Load the channels of several drives, then of others, as one array. NULL on failure. */
static struct fbx_channels *load(struct reader *reader, const struct fbx_drive *drives, size_t count,
				 const struct fbx_drive *others, size_t other_count)
{
	const struct fbx_span *spans;
	struct fbx_channels *channels;

	reader->spans.size = reader->channels.size = 0;
	if (anim_buffer_reserve(&reader->channels, 1, reader->error) != 0)
		return NULL;
	for (size_t i = 0; i < count + other_count; i++)
		if (load_channels(reader, i < count ? &drives[i] : &others[i - count]) != 0)
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
		/* The array of channels takes less room than that of which it is made. */
		memmove(&channels[i], &loaded.channels, sizeof loaded.channels);
	}
	return channels;
}

/* ---- Tracks ---- */

static int put(struct reader *reader, struct anim_track *track)
{
	track->kind = ANIM_CURVE;
	anim_keys_finish(&reader->keys, track);
	return anim_sink_track(reader->sink, track, reader->error);
}

/* The keys of plain channels: a whole track where their times and modes are the same, else one for each component. */
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
	const char *property, *one, *many;
} fitted[FBX_TRANSFORMS] = {
    {"position", "its position depends on pivots or layers, and became keys that are fitted to it",
     "positions depend on pivots or layers, and became keys that are fitted to them"},
    {"rotation", "its rotation has a pre-rotation, other axes or layers, and became keys that are fitted to it",
     "rotations have pre-rotations, other axes or layers, and became keys that are fitted to them"},
    {"scale", "its scale depends on layers or on its parent's, and became keys that are fitted to it",
     "scales depend on layers or on their parents', and became keys that are fitted to them"},
};

static int put_fitted(struct reader *reader, const struct fbx_motion *motion, unsigned transform,
		      struct anim_track *track)
{
	double off;

	track->type = transform == FBX_R ? ANIM_FLOATQ : ANIM_FLOAT3;
	track->component = ANIM_WHOLE;
	track->property = fitted[transform].property;
	anim_keys_reset(&reader->keys, track->type);
	if (fbx_motion_fit(motion, transform, &reader->keys, &off, reader->error) != 0 || put(reader, track) != 0)
		return -1;
	if (off == 0)
		return 0;
	return anim_diagnostics_add_error(reader->options->diagnostics, fitted[transform].many, off,
					  transform == FBX_R ? "degrees" : "units", reader->error, "'%.100s': %s",
					  track->node, fitted[transform].one);
}

static int put_position(struct reader *reader, const struct fbx_motion *motion, struct anim_track *track)
{
	bool is_pivoted = fbx_motion_is_pivoted(motion);
	const struct fbx_channels *channels;
	struct fbx_motion still = *motion;
	struct fbx_map map;
	struct fbx_pose pose;

	if (motion->counts[FBX_T] == 0 && !is_pivoted)
		return 0;
	if (is_pivoted || !fbx_motion_is_plain(motion, FBX_T, &channels))
		return put_fitted(reader, motion, FBX_T, track);
	/* What pivots add to the position is the same at all times. */
	still.counts[FBX_T] = 0;
	fbx_motion_at(&still, (double)motion->start, false, &pose);
	for (unsigned i = 0; i < 3; i++) {
		map.from[i] = motion->is_top ? reader->space.axis[i] : i;
		map.factor[i] = reader->space.unit_m * (motion->is_top ? reader->space.sign[i] : 1);
		map.offset[i] = pose.position[i] - map.factor[i] * motion->model->lcl[FBX_T][map.from[i]];
		/* Without pivots nothing is left but what rounding made. */
		if (!fbx_motion_has_arm(motion))
			map.offset[i] = 0;
	}
	track->property = "position";
	return put_plain(reader, channels, &map, track);
}

static const struct fbx_map as_is = {{0, 1, 2}, {1, 1, 1}, {0, 0, 0}};

static int put_rotation(struct reader *reader, const struct fbx_motion *motion, struct anim_track *track)
{
	struct anim_attr order = {"order", anim_euler_order_names[fbx_model_order(motion->model)]};
	const struct fbx_channels *channels;
	int result;

	if (motion->counts[FBX_R] == 0)
		return 0;
	if (!fbx_motion_is_plain(motion, FBX_R, &channels) || fbx_model_is_turned(motion->model) ||
	    (motion->is_top && reader->space.is_turned))
		return put_fitted(reader, motion, FBX_R, track);
	track->property = "euler";
	track->flags = ANIM_DEGREES;
	track->attrs = (struct anim_attrs){&order, 1};
	result = put_plain(reader, channels, &as_is, track);
	track->flags = 0;
	track->attrs = (struct anim_attrs){0};
	return result;
}

static int put_scale(struct reader *reader, const struct fbx_motion *motion, struct anim_track *track)
{
	const struct fbx_channels *channels;

	if (motion->counts[FBX_S] == 0 &&
	    (motion->parent == NULL || (motion->parent_count == 0 && motion->counts[FBX_R] == 0)))
		return 0;
	if (fbx_motion_is_compensated(motion) || !fbx_motion_is_plain(motion, FBX_S, &channels))
		return motion->counts[FBX_S] > 0 || fbx_motion_is_compensated(motion)
			   ? put_fitted(reader, motion, FBX_S, track)
			   : 0;
	track->property = "scale";
	return put_plain(reader, channels, &as_is, track);
}

/* The drives of a model's scale in the clip at hand; *count. */
static const struct fbx_drive *find_scales(const struct reader *reader, const struct fbx_model *model, size_t *count)
{
	size_t low = 0, high = reader->drive_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct fbx_drive *drive = &reader->drives[middle];

		if (drive->model < model->number || (drive->model == model->number && drive->what < FBX_S))
			low = middle + 1;
		else
			high = middle;
	}
	*count = 0;
	while (low + *count < reader->drive_count && reader->drives[low + *count].model == model->number &&
	       reader->drives[low + *count].what == FBX_S)
		++*count;
	return reader->drives + low;
}

/* The tracks of a model that `count` drives move, and maybe its parent's scale. */
static int put_model(struct reader *reader, uint32_t number, const struct fbx_drive *drives, size_t count)
{
	const struct fbx_model *model = model_at(reader, number);
	struct fbx_motion motion = {.model = model,
				    .space = &reader->space,
				    .is_top = model->parent == FBX_NONE,
				    .tick_s = 1.0 / (double)reader->scene.ticks,
				    .start = reader->start,
				    .parent = undone_parent(reader, model)};
	struct anim_track track = {.node = path_of(reader, model)};
	const struct fbx_drive *scales =
	    motion.parent == NULL ? NULL : find_scales(reader, motion.parent, &motion.parent_count);
	const struct fbx_channels *channels = load(reader, drives, count, scales, motion.parent_count);

	if (track.node == NULL || channels == NULL)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (motion.counts[drives[i].what]++ == 0)
			motion.channels[drives[i].what] = &channels[i];
	motion.parent_channels = channels + count;
	if (put_position(reader, &motion, &track) != 0 || put_rotation(reader, &motion, &track) != 0)
		return -1;
	return put_scale(reader, &motion, &track);
}

static bool is_driven(const struct reader *reader, const struct fbx_model *model)
{
	size_t low = 0, high = reader->drive_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (reader->drives[middle].model < model->number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < reader->drive_count && reader->drives[low].model == model->number &&
	       reader->drives[low].what < FBX_TRANSFORMS;
}

/* The transform of a driven model, and of its children that do not move, but for undoing its scale. */
static int put_transform(struct reader *reader, const struct fbx_drive *drives, size_t count)
{
	uint32_t number = *FBX_AT(reader->order, uint32_t, drives[0].model - 1);

	if (put_model(reader, number, drives, count) != 0)
		return -1;
	if (drives[count - 1].what != FBX_S)
		return 0;
	for (uint32_t child = model_at(reader, number)->first_child; child != FBX_NONE;
	     child = model_at(reader, child)->next)
		if (undone_parent(reader, model_at(reader, child)) != NULL &&
		    !is_driven(reader, model_at(reader, child)) && put_model(reader, child, NULL, 0) != 0)
			return -1;
	return 0;
}

/* Steps, each 0 or not. */
static int put_visible(struct reader *reader, const struct fbx_channels *channels, struct anim_track *track)
{
	double tick_s = 1.0 / (double)reader->scene.ticks;
	size_t count = channels->counts[0];
	int result = 0;

	if (count == 0)
		return 0;
	anim_keys_reset(&reader->keys, ANIM_BOOL);
	for (size_t i = 0; i <= count && result == 0; i++) {
		const struct fbx_span *span = &channels->spans[0][i < count ? i : count - 1];
		int64_t time = i < count ? span->start : span->end;
		uint8_t value = (i < count ? span->from : span->to) != 0;

		if (i < count && span->mode != ANIM_HOLD && (span->from != 0) != (span->to != 0))
			return anim_diagnostics_warn(
			    reader->options->diagnostics, "tracks of visibility do not step, and are left out",
			    reader->error, "'%.100s': its visibility does not step, and is left out", track->node);
		if (i < count || span->start != span->end)
			result = anim_keys_add(&reader->keys, (float)((double)time * tick_s), &value, ANIM_HOLD,
					       reader->error);
	}
	track->type = ANIM_BOOL;
	track->component = ANIM_WHOLE;
	track->property = "visible";
	track->kind = ANIM_DISCRETE;
	if (result != 0)
		return -1;
	anim_keys_finish(&reader->keys, track);
	return anim_sink_track(reader->sink, track, reader->error);
}

static int put_shape(struct reader *reader, const struct fbx_channels *channels, const char *name,
		     struct anim_track *track)
{
	static const struct fbx_map percent = {{0, 0, 0}, {0.01, 0, 0}, {0, 0, 0}};

	anim_keys_reset(&reader->keys, ANIM_FLOAT);
	track->type = ANIM_FLOAT;
	track->component = ANIM_WHOLE;
	track->property = anim_arena_printf(&reader->scene.arena, reader->error, "blend_shape/%s", name);
	if (track->property == NULL || fbx_channels_keys(channels, &percent, 0, 1.0 / (double)reader->scene.ticks,
							 reader->start, &reader->keys, reader->error) < 0)
		return -1;
	return put(reader, track);
}

/* Whether a user property of a model is the weight of a blend shape. */
static bool is_shape(const struct reader *reader, const struct fbx_drive *drive)
{
	const struct fbx_object *object = FBX_AT(reader->scene.objects, struct fbx_object, drive->object);
	uint32_t nothing;

	return object->kind == FBX_MODEL &&
	       anim_map_get(&reader->scene.shapes, object->number, drive->property, strlen(drive->property), &nothing);
}

/* A property of its own name, of one number or of three, if it has a curve: many are there only to be locked. */
static int put_user(struct reader *reader, const struct fbx_channels *channels, const struct fbx_drive *drive,
		    struct anim_track *track)
{
	const struct fbx_curve_node *node = FBX_AT(reader->scene.curve_nodes, struct fbx_curve_node, drive->curve_node);

	if (channels->counts[0] + channels->counts[1] + channels->counts[2] == 0)
		return 0;
	track->property = drive->property;
	if (is_shape(reader, drive))
		track->property =
		    anim_arena_printf(&reader->scene.arena, reader->error, "blend_shape/%s", drive->property);
	if (track->property == NULL)
		return -1;
	if ((node->known & 6) != 0 || node->curves[1] != FBX_NONE || node->curves[2] != FBX_NONE)
		return put_plain(reader, channels, &as_is, track);
	anim_keys_reset(&reader->keys, ANIM_FLOAT);
	track->type = ANIM_FLOAT;
	track->component = ANIM_WHOLE;
	if (fbx_channels_keys(channels, &as_is, 0, 1.0 / (double)reader->scene.ticks, reader->start, &reader->keys,
			      reader->error) < 0)
		return -1;
	return put(reader, track);
}

/* Of several layers the first counts: such properties in more than one are rare. */
static int put_other(struct reader *reader, const struct fbx_drive *drives, size_t count, struct anim_track *track)
{
	const struct fbx_channels *channels = load(reader, drives, 1, NULL, 0);
	const char *name = FBX_AT(reader->scene.objects, struct fbx_object, drives->object)->name;

	if (channels == NULL)
		return -1;
	if (count > 1 &&
	    anim_diagnostics_warn(reader->options->diagnostics,
				  "properties beside transforms lie in several layers; the first counts", reader->error,
				  "'%.100s': a property beside its transform lies in several layers; the first counts",
				  track->node) != 0)
		return -1;
	if (drives->what == FBX_USER)
		return put_user(reader, channels, drives, track);
	return drives->what == FBX_VISIBLE ? put_visible(reader, channels, track)
					   : put_shape(reader, channels, name == NULL ? "shape" : name, track);
}

/* ---- Clips ---- */

/* How many drives from the first on are of the same thing. */
static size_t group_of(const struct fbx_drive *drives, size_t count, bool is_transform)
{
	size_t n = 1;

	while (n < count && drives[n].model == drives[0].model &&
	       (is_transform ? drives[n].what < FBX_TRANSFORMS
			     : drives[n].what == drives[0].what && drives[n].object == drives[0].object &&
				   (drives[n].what != FBX_USER || strcmp(drives[n].property, drives[0].property) == 0)))
		n++;
	return n;
}

/* The first and the last key of all curves that are driven. False: there is none. */
static bool range_of_keys(struct reader *reader, const struct fbx_drive *drives, size_t count, int64_t range[2],
			  int *result)
{
	struct fbx_scene *scene = &reader->scene;
	bool any = false;

	for (size_t i = 0; i < count; i++)
		for (unsigned k = 0; k < 3; k++) {
			uint32_t number =
			    FBX_AT(scene->curve_nodes, struct fbx_curve_node, drives[i].curve_node)->curves[k];
			const struct fbx_curve *curve =
			    number == FBX_NONE ? NULL : FBX_AT(scene->curves, struct fbx_curve, number);
			struct fbx_span first, last;

			if (curve == NULL || curve->count == 0)
				continue;
			if (anim_spool_copy(&scene->spool, curve->place, &first, sizeof first, reader->error) != 0 ||
			    anim_spool_copy(&scene->spool, curve->place + (curve->count - 1) * sizeof last, &last,
					    sizeof last, reader->error) != 0)
				*result = -1;
			if (*result != 0)
				return false;
			range[0] = any && range[0] < first.start ? range[0] : first.start;
			range[1] = any && range[1] > last.end ? range[1] : last.end;
			any = true;
		}
	return any;
}

#define TIME_MAX (INT64_C(1) << 60)

static bool is_range(const int64_t range[2])
{
	return range[0] <= range[1] && range[0] > -TIME_MAX && range[1] < TIME_MAX;
}

/* Where the clip begins and ends: as the stack says, else as its take, else from the first key to the last. */
static int find_range(struct reader *reader, const struct fbx_stack *stack, const struct fbx_drive *drives,
		      size_t count, bool *is_told)
{
	int64_t range[2] = {0, 0};
	int result = 0;

	*is_told = true;
	if (stack->has_local && is_range(stack->local) && stack->local[0] < stack->local[1])
		memcpy(range, stack->local, sizeof range);
	else if (!stack->has_local && stack->has_reference && is_range(stack->reference))
		memcpy(range, stack->reference, sizeof range);
	else if (stack->has_take && is_range(stack->take) && stack->take[0] < stack->take[1])
		memcpy(range, stack->take, sizeof range);
	else
		*is_told = !range_of_keys(reader, drives, count, range, &result);
	reader->start = range[0];
	reader->end = range[1];
	return result;
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
	bool is_told;

	reader->drives = drives;
	reader->drive_count = count;
	if (find_range(reader, stack, drives, count, &is_told) != 0)
		return -1;
	if (!is_told)
		clip.flags |= ANIM_END_DERIVED;
	clip.start_s = (float)((double)reader->start * tick_s);
	clip.end_s = (float)((double)reader->end * tick_s);
	if (anim_sink_clip(reader->sink, &clip, reader->error) != 0)
		return -1;
	for (size_t i = 0, n; i < count; i += n) {
		bool is_transform = drives[i].what < FBX_TRANSFORMS;
		const struct fbx_model *model = model_at(reader, *FBX_AT(reader->order, uint32_t, drives[i].model - 1));
		struct anim_track track = {.node = path_of(reader, model)};

		n = group_of(drives + i, count - i, is_transform);
		if (track.node == NULL || (is_transform ? put_transform(reader, drives + i, n)
							: put_other(reader, drives + i, n, &track)) != 0)
			return -1;
	}
	return 0;
}

static int write_clips(struct reader *reader)
{
	struct fbx_scene *scene = &reader->scene;
	size_t count = FBX_COUNT(scene->drives, struct fbx_drive), at = 0, empty = 0;
	const struct fbx_drive *drives = FBX_ALL(scene->drives, struct fbx_drive);

	settle_drives(reader);
	if (count > 0)
		qsort(scene->drives.data, count, sizeof *drives, compare_drives);
	for (uint32_t i = 0; i < FBX_COUNT(scene->stacks, struct fbx_stack); i++) {
		const struct fbx_stack *stack = FBX_AT(scene->stacks, struct fbx_stack, i);
		size_t n = 0, moving = 0;

		for (; at + n < count && drives[at + n].stack == i; n++)
			moving += drives[at + n].model != FBX_NONE;
		empty += moving == 0;
		if (moving > 0 && write_clip(reader, stack, drives + at, moving) != 0)
			return -1;
		at += n;
	}
	return tell(reader, ANIM_NOTE, empty, "animation stack moves nothing, and is left out",
		    "animation stacks move nothing, and are left out");
}

/* ---- The file ---- */

/* Models that inherit scales along their own axes, below one that is scaled unevenly. */
static int warn_of_scales(struct reader *reader)
{
	size_t odd = 0;

	for (uint32_t i = 0; i < model_count(reader); i++) {
		const struct fbx_model *model = model_at(reader, i);
		const double *scale = model->parent == FBX_NONE ? NULL : model_at(reader, model->parent)->lcl[FBX_S];

		odd += scale != NULL && model->inherit == FBX_SCALE_BY_AXIS &&
		       (fabs(scale[0] - scale[1]) > 1e-6 * fabs(scale[0]) ||
			fabs(scale[0] - scale[2]) > 1e-6 * fabs(scale[0]));
	}
	return tell(reader, ANIM_WARNING, odd,
		    "model inherits an uneven scale along its own axes (InheritType RrSs); here along its parent's",
		    "models inherit uneven scales along their own axes (InheritType RrSs); here along their parents'");
}

/* What was found on the way. */
static int warn_of_others(struct reader *reader)
{
	struct anim_diagnostics *diagnostics = reader->options->diagnostics;
	const struct fbx_scene *scene = &reader->scene;

	if (scene->is_latin && anim_diagnostics_warn(diagnostics, NULL, reader->error,
						     "names that are not UTF-8 are taken for Latin-1") != 0)
		return -1;
	if (tell(reader, ANIM_WARNING, scene->falling, "curve has keys that go back in time; they are sorted",
		 "curves have keys that go back in time; they are sorted") != 0 ||
	    tell(reader, ANIM_WARNING, reader->left_out + scene->others,
		 "animated property is left out: of a material, a constraint, a pivot",
		 "animated properties are left out: of materials, constraints, pivots") != 0 ||
	    tell(reader, ANIM_WARNING, scene->constraints, "constraint is not played", "constraints are not played") !=
		0 ||
	    tell(reader, ANIM_WARNING, reader->too_often, "curve repeats too often to be unrolled; its ends are held",
		 "curves repeat too often to be unrolled; their ends are held") != 0 ||
	    tell(reader, ANIM_NOTE, reader->unrolled, "curve goes on beyond its keys; it does so within its clip only",
		 "curves go on beyond their keys; they do so within their clips only") != 0)
		return -1;
	return tell(reader, ANIM_NOTE, scene->lost, "model is animated that the file does not have",
		    "models are animated that the file does not have");
}

int anim_fbx_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		  struct anim_error *error)
{
	struct reader reader = {.scene = {.cursor = {.input = input}, .options = options, .error = error},
				.options = options,
				.sink = sink,
				.error = error};
	int result = fbx_scene_read(&reader.scene);

	if (result != 0)
		anim_error_in_file(error, anim_input_name(input));
	if (result == 0)
		find_rate(&reader);
	if (result == 0)
		result = find_space(&reader);
	if (result == 0)
		result = write_tree(&reader);
	if (result == 0)
		result = write_clips(&reader);
	if (result == 0)
		result = warn_of_scales(&reader);
	if (result == 0)
		result = warn_of_others(&reader);
	anim_buffer_clear(&reader.order);
	anim_map_clear(&reader.names);
	anim_buffer_clear(&reader.path);
	anim_buffer_clear(&reader.spans);
	anim_buffer_clear(&reader.channels);
	anim_keys_clear(&reader.keys);
	fbx_scene_clear(&reader.scene);
	return result;
}
