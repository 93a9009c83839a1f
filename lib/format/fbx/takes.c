/* takes.c: reads the takes of files before version 7000, and the models of files before version 6000. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "base/number.h"
#include "clip/track.h"
#include "format/fbx/scene.h"

/* ---- Keys: one flat list of numbers and letters ---- */

/* The list that is being read. */
struct list {
	struct fbx_scene *scene;
	int64_t version; /* the value of KeyVer */
	bool is_over;
};

static int fail_list(struct list *list, const char *what)
{
	return fbx_fail(&list->scene->cursor, list->scene->error, "a key of '%.100s': %s", list->scene->take_model,
			what);
}

/* Read the next number. Return 0 or -1. */
static int read_number(struct list *list, double *number, int64_t *integer)
{
	struct fbx_value value;
	int more = fbx_value(&list->scene->cursor, &value, list->scene->error);

	if (more < 0)
		return -1;
	if (more == 0 || value.is_letter || (value.kind != FBX_INT && value.kind != FBX_REAL))
		return fail_list(list, "expected a number");
	*number = value.real;
	if (integer != NULL)
		*integer = value.integer;
	return 0;
}

static int read_letter(struct list *list, int64_t *letter)
{
	struct fbx_value value;
	int more = fbx_value(&list->scene->cursor, &value, list->scene->error);

	if (more < 0)
		return -1;
	if (more == 0 || !value.is_letter)
		return fail_list(list, "expected a letter");
	*letter = value.integer;
	return 0;
}

/* Read the weights after the slopes of a key. Return 0 or -1. */
static int read_weights(struct list *list, struct fbx_key *key)
{
	int64_t letter;

	if (read_letter(list, &letter) != 0)
		return -1;
	if (letter == 'a' || letter == 'r') {
		key->flags |= FBX_KEY_RIGHT_WEIGHTED;
		if (read_number(list, &key->right_weight, NULL) != 0)
			return -1;
	}
	if (letter == 'a' || letter == 'l') {
		key->flags |= FBX_KEY_LEFT_WEIGHTED;
		if (read_number(list, &key->left_weight, NULL) != 0)
			return -1;
	}
	if (letter != 'a' && letter != 'r' && letter != 'l' && letter != 'n' && letter != 'c')
		return fail_list(list, "unknown weights");
	return 0;
}

#define AUTO (FBX_KEY_CUBIC | FBX_KEY_AUTO | FBX_KEY_TIME_INDEPENDENT | FBX_KEY_CLAMP_PROGRESSIVE)

/* Read the numbers after the tangent letter of a cubic key. Return 0 or -1. */
static int read_tangents(struct list *list, int64_t letter, struct fbx_key *key)
{
	double ignored;
	unsigned numbers = 0;

	key->flags = AUTO;
	switch (letter) {
	case 's':
	case 'b':
		key->flags = FBX_KEY_CUBIC | (letter == 's' ? FBX_KEY_USER : FBX_KEY_BROKEN);
		if (read_number(list, &key->data[0], NULL) != 0 || read_number(list, &key->data[1], NULL) != 0)
			return -1;
		return list->version == 4003 ? 0 : read_weights(list, key);
	case 'a':
		return list->version > 4004 ? read_weights(list, key) : 0;
	case 'p':
	case 'q':
		numbers = 2;
		break;
	case 't':
		numbers = 3;
		break;
	case 'd':
		numbers = 1;
		break;
	default:
		return fail_list(list, "unknown tangents");
	}
	for (; numbers > 0; numbers--)
		if (read_number(list, &ignored, NULL) != 0)
			return -1;
	if (letter == 't')
		return 0;
	if (read_weights(list, key) != 0)
		return -1;
	return (letter == 'p' || letter == 'q') && list->version > 4004 ? read_weights(list, key) : 0;
}

static int read_key(struct list *list, struct fbx_key *key)
{
	int64_t letter;

	if (read_number(list, &key->value, NULL) != 0 || read_letter(list, &letter) != 0)
		return -1;
	if (letter == 'L') {
		key->flags = FBX_KEY_LINEAR;
		return 0;
	}
	if (letter == 'C') {
		key->flags = FBX_KEY_CONSTANT;
		if (list->version < 4004)
			return 0;
		if (read_letter(list, &letter) != 0)
			return -1;
		if (letter == 'n')
			key->flags |= FBX_KEY_NEXT;
		return letter == 'n' || letter == 's' ? 0 : fail_list(list, "unknown constant");
	}
	if (letter != 'U')
		return fail_list(list, "unknown interpolation");
	return read_letter(list, &letter) != 0 ? -1 : read_tangents(list, letter, key);
}

/* Read the list of the current record into scene->keys. Return 0 or -1. */
static int read_keys(struct fbx_scene *scene, int64_t version)
{
	struct list list = {.scene = scene, .version = version};
	int more;

	scene->keys.size = 0;
	for (;;) {
		struct fbx_key key = {.time = 0};
		struct fbx_value time;

		more = fbx_value(&scene->cursor, &time, scene->error);
		if (more <= 0)
			return more;
		if (time.is_letter || (time.kind != FBX_INT && time.kind != FBX_REAL))
			return fail_list(&list, "expected a time");
		key.time = time.integer;
		if (read_key(&list, &key) != 0 || anim_buffer_append(&scene->keys, &key, sizeof key, scene->error) != 0)
			return -1;
	}
}

/* ---- Channels ---- */

/* Read a component: its default into *constant, and its curve, or FBX_NONE if it has none. Return 0 or -1. */
static int read_component(struct fbx_scene *scene, double *constant, bool *is_known, uint32_t *curve)
{
	struct fbx_cursor *cursor = &scene->cursor;
	struct fbx_end ends[2] = {{'C', -1}, {'C', -1}};
	int64_t version = cursor->version < 5000 ? 4003 : cursor->version < 6000 ? 4004 : 4005;
	struct fbx_value value;
	unsigned depth = cursor->depth;
	bool has_keys = false;

	*curve = FBX_NONE;
	for (int more; (more = fbx_next(cursor, scene->error)) != 0;) {
		if (more < 0)
			return -1;
		if (strcmp(cursor->name, "Default") == 0) {
			if (fbx_value(cursor, &value, scene->error) < 0)
				return -1;
			*is_known = isfinite(value.real);
			*constant = *is_known ? value.real : 0;
		} else if (strcmp(cursor->name, "KeyVer") == 0) {
			if (fbx_value(cursor, &value, scene->error) < 0)
				return -1;
			version = value.integer;
		} else if (strcmp(cursor->name, "Key") == 0) {
			has_keys = read_keys(scene, version) == 0;
			if (!has_keys && fbx_curve_leave_out(scene, depth, curve) != 0)
				return -1;
			has_keys &= scene->keys.size > 0;
		} else if (fbx_end_read(scene, ends) != 0) {
			return -1;
		}
	}
	if (!has_keys || (*curve = fbx_curve_add(scene, ends)) != FBX_NONE)
		return 0;
	return fbx_curve_leave_out(scene, cursor->depth, curve);
}

/*
 * Read the first value of the current record into `out` if it is a text, otherwise make `out` empty. Return 0 or -1.
 */
static int read_word(struct fbx_scene *scene, char out[FBX_NAME_MAX + 1], size_t *length)
{
	struct fbx_value value;
	int more = fbx_value(&scene->cursor, &value, scene->error);

	*length = 0;
	if (more == 1 && value.is_letter) {
		out[0] = (char)value.integer;
		*length = 1;
	} else if (more == 1 && value.kind == FBX_TEXT && value.length <= FBX_NAME_MAX) {
		memcpy(out, value.text, value.length);
		*length = value.length;
	}
	out[*length] = '\0';
	return more < 0 ? -1 : 0;
}

/* Read the components X, Y, Z of a channel. Return 0 or -1. */
static int read_components(struct fbx_scene *scene, struct fbx_curve_node *node)
{
	struct fbx_cursor *cursor = &scene->cursor;
	int more = fbx_enter(cursor, scene->error);

	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
		char name[FBX_NAME_MAX + 1];
		size_t length;
		unsigned component;
		bool is_known = false;
		int inner;

		if (strcmp(cursor->name, "Channel") != 0)
			continue;
		if (read_word(scene, name, &length) != 0)
			return -1;
		component = length == 1 && name[0] >= 'X' && name[0] <= 'Z' ? (unsigned)(name[0] - 'X') : 0;
		inner = fbx_enter(cursor, scene->error);
		if (inner < 0 || (inner == 1 && read_component(scene, &node->constants[component], &is_known,
							       &node->curves[component]) != 0))
			return -1;
		if (is_known)
			node->known |= 1u << component;
	}
	return more;
}

/* ---- The models of takes ---- */

static const char *const transforms[FBX_TRANSFORMS] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};

/* Return the transform that T, R or S means, or FBX_TRANSFORMS for another name. */
static unsigned transform_of(const char *name, size_t length)
{
	if (length == 1)
		for (unsigned i = 0; i < FBX_TRANSFORMS; i++)
			if (name[0] == "TRS"[i])
				return i;
	return FBX_TRANSFORMS;
}

/* Make the curve node drive a property of the object. Return 0 or -1. */
static int add_drive(struct fbx_scene *scene, uint32_t object, const char *property, const struct fbx_curve_node *node)
{
	const struct fbx_drive drive = {.curve_node = FBX_COUNT(scene->curve_nodes, struct fbx_curve_node),
					.object = object,
					.property = property,
					.model = FBX_NONE};

	if (anim_buffer_append(&scene->curve_nodes, node, sizeof *node, scene->error) != 0)
		return -1;
	return anim_buffer_append(&scene->drives, &drive, sizeof drive, scene->error);
}

/* Read the channels below "Transform". Return 0 or -1. */
static int read_transform(struct fbx_scene *scene, uint32_t object, uint32_t layer)
{
	struct fbx_cursor *cursor = &scene->cursor;
	int more = fbx_enter(cursor, scene->error);

	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
		struct fbx_curve_node node = {.layer = layer, .curves = {FBX_NONE, FBX_NONE, FBX_NONE}};
		char name[FBX_NAME_MAX + 1];
		size_t length;
		unsigned which;

		if (strcmp(cursor->name, "Channel") != 0)
			continue;
		if (read_word(scene, name, &length) != 0)
			return -1;
		which = transform_of(name, length);
		if (which < FBX_TRANSFORMS &&
		    (read_components(scene, &node) != 0 || add_drive(scene, object, transforms[which], &node) != 0))
			return -1;
	}
	return more;
}

/* Read one channel of a model in a take. Return 0 or -1. */
static int read_channel(struct fbx_scene *scene, const char *identity, size_t size, uint32_t object, uint32_t layer)
{
	struct fbx_curve_node node = {.layer = layer, .curves = {FBX_NONE, FBX_NONE, FBX_NONE}};
	bool is_known = false, is_visible;
	char name[FBX_NAME_MAX + 1];
	const char *property;
	static const char suffix[] = " (Shape)";
	char key[2 * FBX_NAME_MAX + 1];
	const struct fbx_object *shape;
	size_t length, stem;
	int more;

	if (read_word(scene, name, &length) != 0)
		return -1;
	if (strcmp(name, "Transform") == 0)
		return read_transform(scene, object, layer);
	more = fbx_enter(&scene->cursor, scene->error);
	if (more <= 0)
		return more;
	if (read_component(scene, &node.constants[0], &is_known, &node.curves[0]) != 0)
		return -1;
	node.known = is_known;
	if (node.curves[0] == FBX_NONE)
		return 0;

	/* The identity of a shape has the names of the model and the shape. */
	stem = length;
	if (stem >= sizeof suffix - 1 && memcmp(name + stem - (sizeof suffix - 1), suffix, sizeof suffix - 1) == 0)
		stem -= sizeof suffix - 1;
	memcpy(key, identity, size);
	key[size] = '\1';
	memcpy(key + size + 1, name, stem);
	shape = fbx_object_find(scene, key, size + 1 + stem);
	if (shape != NULL)
		object = (uint32_t)(shape - FBX_ALL(scene->objects, struct fbx_object));

	is_visible = strcmp(name, "Visibility") == 0;
	property = is_visible ? "Visibility" : shape != NULL ? "DeformPercent" : fbx_plain_name(scene, name, length);
	if (property == NULL)
		return -1;
	return add_drive(scene, object, property, &node);
}

static int read_model(struct fbx_scene *scene, uint32_t layer)
{
	struct fbx_cursor *cursor = &scene->cursor;
	const struct fbx_object *object;
	char identity[FBX_NAME_MAX + 1];
	size_t size;
	uint32_t number;
	int more;

	if (read_word(scene, identity, &size) != 0)
		return -1;
	object = fbx_object_find(scene, identity, size);
	if (object == NULL || object->kind != FBX_MODEL) {
		scene->lost++;
		return 0;
	}
	number = (uint32_t)(object - FBX_ALL(scene->objects, struct fbx_object));
	scene->take_model = FBX_AT(scene->models, struct fbx_model, object->number)->name;
	more = fbx_enter(cursor, scene->error);
	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1)
		if (strcmp(cursor->name, "Channel") == 0 && read_channel(scene, identity, size, number, layer) != 0)
			return -1;
	return more;
}

/* ---- Takes ---- */

/*
 * Return the stack with this name. Before version 7000, make a new stack with a layer. Return FBX_NONE if there is
 * none, or on error.
 */
static uint32_t stack_of(struct fbx_scene *scene, const char *name, uint32_t *layer)
{
	uint32_t stack;

	if (scene->cursor.version >= 7000)
		return anim_map_get(&scene->ids, FBX_STACK_NAMES, name, strlen(name), &stack) ? stack : FBX_NONE;
	stack = fbx_object_add(scene, FBX_STACK, "", 0);
	*layer = stack == FBX_NONE ? FBX_NONE : fbx_object_add(scene, FBX_LAYER, "", 0);
	if (*layer == FBX_NONE)
		return FBX_NONE;
	FBX_AT(scene->stacks, struct fbx_stack, stack)->name = name;
	FBX_AT(scene->stacks, struct fbx_stack, stack)->layers = 1;
	*FBX_AT(scene->layers, struct fbx_layer, *layer) = scene->layer_template;
	FBX_AT(scene->layers, struct fbx_layer, *layer)->stack = stack;
	return stack;
}

/* Read a range such as "LocalTime: 0,92372316000". Return 0 or -1. */
static int read_range(struct fbx_scene *scene, struct fbx_stack *stack)
{
	for (unsigned i = 0; i < 2; i++) {
		struct fbx_value value;
		int more = fbx_value(&scene->cursor, &value, scene->error);

		if (more < 0)
			return -1;
		if (more == 0 || (value.kind != FBX_INT && value.kind != FBX_REAL))
			return 0;
		stack->take[i] = value.integer;
		stack->has_take = i == 1;
	}
	return 0;
}

int fbx_takes_read(struct fbx_scene *scene)
{
	struct fbx_cursor *cursor = &scene->cursor;
	int more = fbx_enter(cursor, scene->error);

	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
		char word[FBX_NAME_MAX + 1];
		const char *name;
		size_t length;
		uint32_t stack, layer = FBX_NONE;
		int inner;

		if (strcmp(cursor->name, "Take") != 0)
			continue;
		if (read_word(scene, word, &length) != 0 || (name = fbx_plain_name(scene, word, length)) == NULL)
			return -1;
		stack = stack_of(scene, name, &layer);
		if (stack == FBX_NONE && scene->error->code != ANIM_OK)
			return -1;
		if (stack == FBX_NONE)
			continue;
		inner = fbx_enter(cursor, scene->error);
		while (inner == 1 && (inner = fbx_next(cursor, scene->error)) == 1)
			if ((strcmp(cursor->name, "LocalTime") == 0 &&
			     read_range(scene, FBX_AT(scene->stacks, struct fbx_stack, stack)) != 0) ||
			    (layer != FBX_NONE && strcmp(cursor->name, "Model") == 0 && read_model(scene, layer) != 0))
				return -1;
		if (inner < 0)
			return -1;
	}
	return more;
}

/* ---- Models before 6000 ---- */

/* A child of a model. Models name their children, which may follow later in the file. */
struct fbx_child {
	const char *identity;
	size_t size;
	uint32_t parent; /* number of a model */
	bool is_link;    /* it is a bone that moves points of the parent */
};

/* Read the names of children, or of a bone that moves points. Return 0 or -1. */
static int read_children(struct fbx_scene *scene, uint32_t parent)
{
	struct fbx_value value;
	bool is_link = strcmp(scene->cursor.name, "Link") == 0;
	int more;

	while ((more = fbx_value(&scene->cursor, &value, scene->error)) == 1) {
		struct fbx_child child = {.size = value.length, .parent = parent, .is_link = is_link};

		if (value.kind != FBX_TEXT)
			continue;
		child.identity = anim_arena_text(&scene->arena, value.text, value.length, scene->error);
		if (child.identity == NULL ||
		    anim_buffer_append(&scene->children, &child, sizeof child, scene->error) != 0)
			return -1;
	}
	return more;
}

/* Read the transform of a model, which is in the defaults of its channel "Transform". Return 0 or -1. */
static int read_values(struct fbx_scene *scene, uint32_t model)
{
	struct fbx_cursor *cursor = &scene->cursor;
	char name[FBX_NAME_MAX + 1];
	size_t length;
	int more;

	if (read_word(scene, name, &length) != 0)
		return -1;
	if (strcmp(name, "Transform") != 0)
		return 0;
	more = fbx_enter(cursor, scene->error);
	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
		struct fbx_curve_node node = {.curves = {FBX_NONE, FBX_NONE, FBX_NONE}};
		unsigned which;

		if (strcmp(cursor->name, "Channel") != 0)
			continue;
		if (read_word(scene, name, &length) != 0)
			return -1;
		which = transform_of(name, length);
		if (which == FBX_TRANSFORMS)
			continue;
		if (read_components(scene, &node) != 0)
			return -1;
		for (unsigned i = 0; i < 3; i++)
			if ((node.known >> i & 1) != 0)
				FBX_AT(scene->models, struct fbx_model, model)->lcl[which][i] = node.constants[i];
	}
	return more;
}

static int read_old_shape(struct fbx_scene *scene, const char *identity, size_t size, uint32_t owner)
{
	char key[2 * FBX_NAME_MAX + 2];
	struct fbx_object *shape;
	size_t length;

	memcpy(key, identity, size);
	key[size] = '\1';
	if (read_word(scene, key + size + 1, &length) != 0 ||
	    (fbx_object_add(scene, FBX_CHANNEL, key, size + 1 + length) == FBX_NONE && scene->error->code != ANIM_OK))
		return -1;
	shape = FBX_AT(scene->objects, struct fbx_object, FBX_COUNT(scene->objects, struct fbx_object) - 1);
	shape->owner = owner;
	shape->name = fbx_plain_name(scene, key + size + 1, length);
	return shape->name == NULL ? -1 : 0;
}

int fbx_old_model_read(struct fbx_scene *scene)
{
	struct fbx_cursor *cursor = &scene->cursor;
	char identity[FBX_NAME_MAX + 1];
	struct fbx_model *model;
	size_t size;
	uint32_t number, object;
	int more;

	if (read_word(scene, identity, &size) != 0)
		return -1;
	number = fbx_object_add(scene, FBX_MODEL, identity, size);
	if (number == FBX_NONE)
		return -1;
	object = FBX_COUNT(scene->objects, struct fbx_object) - 1;
	model = FBX_AT(scene->models, struct fbx_model, number);
	*model = scene->model_template;
	model->name = fbx_name(scene, identity, size);
	model->geometry = object;
	more = model->name == NULL ? -1 : fbx_enter(cursor, scene->error);
	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
		char word[FBX_NAME_MAX + 1];
		size_t length;

		model = FBX_AT(scene->models, struct fbx_model, number);
		if (strcmp(cursor->name, "Children") == 0 ||
		    (strcmp(cursor->name, "Link") == 0 && scene->options->godot_paths)) {
			more = read_children(scene, number) == 0 ? 1 : -1;
		} else if (strcmp(cursor->name, "Channel") == 0) {
			more = read_values(scene, number) == 0 ? 1 : -1;
		} else if (strcmp(cursor->name, "Shape") == 0) {
			more = read_old_shape(scene, identity, size, object) == 0 ? 1 : -1;
		} else if (strcmp(cursor->name, "Vertices") == 0) {
			model->kind = ANIM_NODE_MESH;
		} else if (strcmp(cursor->name, "LightType") == 0) {
			struct fbx_value value;

			more = fbx_value(cursor, &value, scene->error);
			if (more == 1)
				model->light = (uint8_t)value.integer;
			more = more < 0 ? -1 : 1;
		} else if (strcmp(cursor->name, "TypeFlags") == 0) {
			more = read_word(scene, word, &length) == 0 ? 1 : -1;
			if (strcmp(word, "Skeleton") == 0)
				model->kind = ANIM_NODE_BONE;
			else if (strcmp(word, "Camera") == 0)
				model->kind = ANIM_NODE_CAMERA;
			else if (strcmp(word, "Light") == 0)
				model->kind = ANIM_NODE_LIGHT;
		}
		model = FBX_AT(scene->models, struct fbx_model, number);
		model->contents = (uint8_t)(1u << model->kind);
	}
	return more;
}

/* Add a cluster of the bone to the skin of the model, which its first cluster makes. Return 0 or -1. */
static int add_link(struct fbx_scene *scene, uint32_t bone, uint32_t model)
{
	const struct fbx_model *skinned = FBX_AT(scene->models, struct fbx_model, model);
	uint32_t last = FBX_COUNT(scene->objects, struct fbx_object) - 1, cluster;
	struct fbx_object *object = FBX_AT(scene->objects, struct fbx_object, last);
	uint32_t skin = object->kind == FBX_CLUSTER ? object->owner : FBX_NONE;

	if (skin == FBX_NONE || FBX_AT(scene->objects, struct fbx_object, skin)->owner != skinned->geometry) {
		if (fbx_object_add(scene, FBX_SKIN, "", 0) == FBX_NONE && scene->error->code != ANIM_OK)
			return -1;
		skin = FBX_COUNT(scene->objects, struct fbx_object) - 1;
		object = FBX_AT(scene->objects, struct fbx_object, skin);
		object->owner = skinned->geometry;
	}
	cluster = fbx_object_add(scene, FBX_CLUSTER, "", 0);
	if (cluster == FBX_NONE)
		return -1;
	FBX_AT(scene->objects, struct fbx_object, FBX_COUNT(scene->objects, struct fbx_object) - 1)->owner = skin;
	*FBX_AT(scene->binds, struct fbx_bind, cluster) = (struct fbx_bind){.model = bone, .has_points = true};
	return 0;
}

int fbx_old_models_connect(struct fbx_scene *scene)
{
	for (uint32_t i = 0; i < scene->children.size / sizeof(struct fbx_child); i++) {
		const struct fbx_child *child = FBX_AT(scene->children, struct fbx_child, i);
		const struct fbx_object *object = fbx_object_find(scene, child->identity, child->size);
		struct fbx_model *model;

		if (object == NULL || object->kind != FBX_MODEL)
			continue;
		if (child->is_link) {
			if (add_link(scene, object->number, child->parent) != 0)
				return -1;
			continue;
		}
		model = FBX_AT(scene->models, struct fbx_model, object->number);
		if (!model->has_parent) {
			model->has_parent = true;
			model->parent = child->parent;
		}
	}
	return 0;
}
