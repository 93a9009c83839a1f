/* scene.c: settings, templates, objects and connections. */
#include "format/fbx/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/track.h"

#define OLD_TICKS INT64_C(46186158000) /* ticks per second */
#define NEW_TICKS INT64_C(141120000)
#define SHAPES_INSIDE 7100u         /* the last version in which a geometry contains its shapes */
#define TIME_MAX (INT64_C(1) << 60) /* in ticks: 289 days. Sums and differences of a few times fit 64 bits. */

/* ---- Objects ---- */

struct fbx_object *fbx_object_find(const struct fbx_scene *scene, const void *identity, size_t size)
{
	uint32_t number;

	return anim_map_get(&scene->ids, 0, identity, size, &number) ? FBX_AT(scene->objects, struct fbx_object, number)
								     : NULL;
}

/* Return the array of a kind and the size of its elements, or NULL if it has none. */
static struct anim_buffer *array_of(struct fbx_scene *scene, enum fbx_object_kind kind, size_t *size)
{
	switch (kind) {
	case FBX_MODEL:
		*size = sizeof(struct fbx_model);
		return &scene->models;
	case FBX_STACK:
		*size = sizeof(struct fbx_stack);
		return &scene->stacks;
	case FBX_LAYER:
		*size = sizeof(struct fbx_layer);
		return &scene->layers;
	case FBX_CURVE_NODE:
		*size = sizeof(struct fbx_curve_node);
		return &scene->curve_nodes;
	case FBX_CLUSTER:
		*size = sizeof(struct fbx_bind);
		return &scene->binds;
	default:
		return NULL;
	}
}

uint32_t fbx_object_add(struct fbx_scene *scene, enum fbx_object_kind kind, const void *identity, size_t size)
{
	struct fbx_object object = {.kind = kind, .owner = FBX_NONE};
	size_t element = 0;
	struct anim_buffer *array = array_of(scene, kind, &element);
	char *key = anim_arena_text(&scene->arena, identity, size, scene->error);
	uint32_t number = FBX_COUNT(scene->objects, struct fbx_object);
	void *added = NULL;

	if (key == NULL)
		return FBX_NONE;
	if (array != NULL) {
		object.number = (uint32_t)(array->size / element);
		added = anim_buffer_extend(array, element, scene->error);
		if (added == NULL)
			return FBX_NONE;
		memset(added, 0, element);
	}
	/* If several objects have the same identity, the first one counts. Takes of old files have none. */
	if (size > 0 && fbx_object_find(scene, key, size) != NULL)
		scene->repeated += scene->cursor.version >= 7000;
	else if (size > 0 && anim_map_put(&scene->ids, 0, key, size, number, scene->error) != 0)
		return FBX_NONE;
	if (anim_buffer_append(&scene->objects, &object, sizeof object, scene->error) != 0)
		return FBX_NONE;
	return object.number;
}

/* ---- Names ---- */

const char *fbx_name(struct fbx_scene *scene, const char *text, size_t length)
{
	const uint8_t *type = NULL;

	if (!scene->cursor.is_binary && length > 0)
		type = anim_text_find(text, length, "::");
	if (type != NULL) {
		length -= (size_t)((const char *)type + 2 - text);
		text = (const char *)type + 2;
	}
	return fbx_plain_name(scene, text, length);
}

const char *fbx_plain_name(struct fbx_scene *scene, const char *text, size_t length)
{
	char *name;

	for (size_t i = 0; i + 1 < length; i++)
		if (text[i] == '\0' && text[i + 1] == '\1')
			length = i;
	if (length == 0 || anim_utf8_prefix(text, length) == length) {
		name = anim_arena_text(&scene->arena, text, length, scene->error);
	} else { /* assumed to be Latin-1 */
		char *to = name = anim_arena_alloc(&scene->arena, 2 * length + 1, scene->error);

		scene->is_latin = true;
		for (size_t i = 0; name != NULL && i < length; i++)
			to += anim_utf8_encode((uint8_t)text[i], to);
		if (name != NULL)
			*to = '\0';
	}
	for (char *at = name; at != NULL && *at != '\0'; at++)
		if ((unsigned char)*at < ' ')
			*at = ' ';
	return name;
}

/* ---- Values and properties ---- */

/* Read the next value of the current record, which must be a number. Return 0 or -1. */
static int number_of(struct fbx_scene *scene, struct fbx_value *value)
{
	int more = fbx_value(&scene->cursor, value, scene->error);

	if (more < 0)
		return -1;
	if (more == 0 || value->kind == FBX_TEXT || value->kind == FBX_NUMBERS)
		return fbx_fail(&scene->cursor, scene->error, "expected a number in '%s'", scene->cursor.name);
	return 0;
}

/* The numbers of a property. */
struct property {
	char name[FBX_NAME_MAX + 1];
	double numbers[3];
	int64_t integer; /* the first number, exactly */
	unsigned count;  /* count of all numbers */
	bool is_shape;   /* its label is FBX_SHAPE_LABEL */
};

/* Read the current property. Return 1, 0 if it has no numbers or too long a name, or -1 on error. */
static int read_property(struct fbx_scene *scene, struct property *property)
{
	bool has_label = strcmp(scene->cursor.name, "P") == 0;
	struct fbx_value value;
	int more;

	*property = (struct property){.count = 0};
	for (unsigned i = 0; i < (has_label ? 4 : 3); i++) {
		more = fbx_value(&scene->cursor, &value, scene->error);
		if (more <= 0)
			return more;
		if (i == 0 && (value.kind != FBX_TEXT || value.length > FBX_NAME_MAX))
			return 0;
		if (i == 0)
			memcpy(property->name, value.text, value.length + 1);
		property->is_shape |=
		    has_label && i == 2 && value.kind == FBX_TEXT && strcmp(value.text, FBX_SHAPE_LABEL) == 0;
	}
	while ((more = fbx_value(&scene->cursor, &value, scene->error)) == 1 &&
	       (value.kind == FBX_INT || value.kind == FBX_REAL)) {
		if (property->count == 0)
			property->integer = value.integer;
		if (property->count < 3)
			property->numbers[property->count] = value.real;
		property->count++;
	}
	return more < 0 ? -1 : property->count > 0;
}

/* Set a member of `to` if the property is one of its kind. Return 0 or -1. */
typedef int set_property(struct fbx_scene *, const struct property *, void *to);

/* Read the current record if it is a list of properties such as "Properties70". Return 0 or -1. */
static int read_properties(struct fbx_scene *scene, set_property *set, void *to)
{
	struct fbx_cursor *cursor = &scene->cursor;
	struct property property;
	int more;

	if (strcmp(cursor->name, "Properties70") != 0 && strcmp(cursor->name, "Properties60") != 0)
		return 0;
	more = fbx_enter(cursor, scene->error);
	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
		int known = read_property(scene, &property);

		if (known < 0 || (known > 0 && set(scene, &property, to) != 0))
			return -1;
	}
	return more;
}

/* Read all lists of properties of the current record. Return 0 or -1. */
static int read_all_properties(struct fbx_scene *scene, set_property *set, void *to)
{
	int more = fbx_enter(&scene->cursor, scene->error);

	while (more == 1 && (more = fbx_next(&scene->cursor, scene->error)) == 1)
		if (read_properties(scene, set, to) != 0)
			return -1;
	return more;
}

static int set_number(struct fbx_scene *scene, const struct property *property, double *to)
{
	if (!isfinite(property->numbers[0]))
		return fbx_fail(&scene->cursor, scene->error, "'%s' is not finite", property->name);
	*to = property->numbers[0];
	return 0;
}

/* ---- Settings ---- */

static int set_setting(struct fbx_scene *scene, const struct property *property, void *nothing)
{
	static const char *const axes[] = {"CoordAxis", "UpAxis", "FrontAxis"};
	static const char *const signs[] = {"CoordAxisSign", "UpAxisSign", "FrontAxisSign"};

	(void)nothing;
	for (unsigned i = 0; i < 3; i++) {
		if (strcmp(property->name, axes[i]) == 0)
			scene->axis[i] = property->integer;
		if (strcmp(property->name, signs[i]) == 0)
			scene->sign[i] = property->integer;
	}
	if (strcmp(property->name, "UnitScaleFactor") == 0 && property->numbers[0] > 0 &&
	    isfinite(property->numbers[0]))
		scene->unit_m = property->numbers[0] / 100;
	if (strcmp(property->name, "TimeMode") == 0)
		scene->time_mode = property->integer;
	if (strcmp(property->name, "CustomFrameRate") == 0)
		scene->custom_rate = property->numbers[0];
	return 0;
}

static int check_version(struct fbx_scene *scene)
{
	if (scene->cursor.version >= 5000 && scene->cursor.version <= 8999)
		return 0;
	return fbx_fail(&scene->cursor, scene->error, "FBX version %" PRIu32 " is not supported; 5000 to 7700 are",
			scene->cursor.version);
}

static int read_header(struct fbx_scene *scene)
{
	struct fbx_cursor *cursor = &scene->cursor;
	struct fbx_value value;
	int more = fbx_enter(cursor, scene->error);

	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
		if (strcmp(cursor->name, "FBXHeaderVersion") == 0) {
			if (number_of(scene, &value) != 0)
				return -1;
			scene->header_version = (uint32_t)value.integer;
		} else if (strcmp(cursor->name, "FBXVersion") == 0) {
			if (number_of(scene, &value) != 0)
				return -1;
			/*
			 * Old binary files start with version 3000. In newer files, the version at the start
			 * determines the record headers.
			 */
			if ((cursor->version < 6000 && value.integer > cursor->version && value.integer < 7500) ||
			    (!cursor->is_version_known && value.integer >= 5000 && value.integer < 9000))
				cursor->version = (uint32_t)value.integer;
		} else if (strcmp(cursor->name, "OtherFlags") == 0) {
			int inner = fbx_enter(cursor, scene->error);

			while (inner == 1 && (inner = fbx_next(cursor, scene->error)) == 1)
				if (strcmp(cursor->name, "TCDefinition") == 0) {
					if (number_of(scene, &value) != 0)
						return -1;
					scene->has_tc = true;
					scene->tc = value.integer;
				}
			if (inner < 0)
				return -1;
		}
	}
	if (more < 0 || check_version(scene) != 0)
		return -1;
	if (cursor->version >= 8000 || (scene->header_version >= 1004 && scene->has_tc && scene->tc != 127))
		scene->ticks = NEW_TICKS;
	return 0;
}

/* ---- Objects with properties ---- */

static int set_model(struct fbx_scene *scene, const struct property *property, void *to)
{
	struct fbx_model *model = to;
	const struct {
		const char *name;
		double *vector;
	} vectors[] = {
	    {"Lcl Translation", model->lcl[FBX_T]},
	    {"Lcl Rotation", model->lcl[FBX_R]},
	    {"Lcl Scaling", model->lcl[FBX_S]},
	    {"PreRotation", model->pre},
	    {"PostRotation", model->post},
	    {"RotationOffset", model->rotation_offset},
	    {"RotationPivot", model->rotation_pivot},
	    {"ScalingOffset", model->scaling_offset},
	    {"ScalingPivot", model->scaling_pivot},
	};
	const char *name = property->name;
	double *vector = NULL;

	if (property->is_shape && model == &scene->model_template)
		return 0;
	if (property->is_shape) {
		size_t model_number = (size_t)(model - FBX_ALL(scene->models, struct fbx_model));

		name = anim_arena_text(&scene->arena, name, strlen(name), scene->error);
		return name == NULL ? -1
				    : anim_map_put(&scene->shapes, model_number, name, strlen(name), 0, scene->error);
	}
	for (size_t i = 0; i < ANIM_COUNT(vectors) && vector == NULL; i++)
		if (strcmp(name, vectors[i].name) == 0)
			vector = vectors[i].vector;
	if (vector != NULL) {
		if (property->count != 3)
			return fbx_fail(&scene->cursor, scene->error,
					"'%s' has %u numbers, three are needed; a decimal point must be '.'", name,
					property->count);
		for (unsigned i = 0; i < 3; i++)
			if (!isfinite(property->numbers[i]))
				return fbx_fail(&scene->cursor, scene->error, "'%s' is not finite", name);
		memcpy(vector, property->numbers, sizeof property->numbers);
		return 0;
	}
	if (strcmp(name, "RotationOrder") == 0)
		model->order = property->integer >= 0 && property->integer < FBX_SPHERIC ? (uint32_t)property->integer
											 : FBX_SPHERIC;
	else if (strcmp(name, "InheritType") == 0)
		model->inherit = (uint32_t)property->integer;
	else if (strcmp(name, "RotationActive") == 0)
		model->is_active = property->integer != 0;
	else if (strcmp(name, "RotationSpaceForLimitOnly") == 0)
		model->is_limit_only = property->integer != 0;
	else if (strcmp(name, "Visibility") == 0)
		model->visible = property->numbers[0];
	else if (strcmp(name, "LightType") == 0) /* before version 7000 */
		model->light = (uint8_t)property->integer;
	return 0;
}

static int set_stack(struct fbx_scene *scene, const struct property *property, void *to)
{
	struct fbx_stack *stack = to;

	(void)scene;
	if (strcmp(property->name, "LocalStart") == 0 || strcmp(property->name, "LocalStop") == 0) {
		stack->has_local = true;
		stack->local[property->name[7] == 'o'] = property->integer;
	}
	if (strcmp(property->name, "ReferenceStart") == 0 || strcmp(property->name, "ReferenceStop") == 0) {
		stack->has_reference = true;
		stack->reference[property->name[11] == 'o'] = property->integer;
	}
	return 0;
}

static int set_layer(struct fbx_scene *scene, const struct property *property, void *to)
{
	struct fbx_layer *layer = to;

	if (strcmp(property->name, "Weight") == 0)
		return set_number(scene, property, &layer->weight);
	if (strcmp(property->name, "BlendMode") == 0)
		layer->mode = (uint32_t)property->integer;
	if (strcmp(property->name, "RotationAccumulationMode") == 0)
		layer->rotations = (uint32_t)property->integer;
	if (strcmp(property->name, "ScaleAccumulationMode") == 0)
		layer->scales = (uint32_t)property->integer;
	if ((strcmp(property->name, "Mute") == 0 || strcmp(property->name, "Solo") == 0) && property->integer != 0)
		layer->is_muted = true;
	return 0;
}

/* Return the component that "d|X", "Y" or "d|Visibility" means. */
static unsigned component_of(const char *name)
{
	if (name[0] == 'd' && name[1] == '|')
		name += 2;
	return name[0] != '\0' && name[1] == '\0' && name[0] >= 'X' && name[0] <= 'Z' ? (unsigned)(name[0] - 'X') : 0;
}

static int set_constant(struct fbx_scene *scene, const struct property *property, void *to)
{
	struct fbx_curve_node *node = to;
	unsigned component = component_of(property->name);
	bool is_letter = property->name[0] >= 'X' && property->name[0] <= 'Z' && property->name[1] == '\0';

	if (strncmp(property->name, "d|", 2) != 0 && !is_letter)
		return 0;
	node->known |= 1u << component;
	return set_number(scene, property, &node->constants[component]);
}

static int set_light(struct fbx_scene *scene, const struct property *property, void *to)
{
	struct fbx_object *attribute = to;

	(void)scene;
	if (strcmp(property->name, "LightType") == 0)
		attribute->light = (uint8_t)property->integer;
	return 0;
}

static int set_weight(struct fbx_scene *scene, const struct property *property, void *to)
{
	struct fbx_object *channel = to;

	(void)scene;
	if (strcmp(property->name, "DeformPercent") == 0 && isfinite(property->numbers[0]))
		channel->value = property->numbers[0];
	return 0;
}

/* ---- Templates ---- */

static int read_definitions(struct fbx_scene *scene)
{
	struct fbx_cursor *cursor = &scene->cursor;
	int more = fbx_enter(cursor, scene->error);

	if (scene->has_objects)
		return fbx_fail(cursor, scene->error, "Definitions after Objects are not supported");
	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
		struct fbx_value value;
		char type[32];
		int inner;

		if (strcmp(cursor->name, "ObjectType") != 0)
			continue;
		inner = fbx_value(cursor, &value, scene->error);
		if (inner < 0)
			return -1;
		if (inner == 0 || value.kind != FBX_TEXT || value.length >= sizeof type)
			continue;
		memcpy(type, value.text, value.length + 1);
		inner = fbx_enter(cursor, scene->error);
		while (inner == 1 && (inner = fbx_next(cursor, scene->error)) == 1)
			if (strcmp(cursor->name, "PropertyTemplate") == 0 &&
			    ((strcmp(type, "Model") == 0 &&
			      read_all_properties(scene, set_model, &scene->model_template) != 0) ||
			     (strcmp(type, "AnimationStack") == 0 &&
			      read_all_properties(scene, set_stack, &scene->stack_template) != 0) ||
			     (strcmp(type, "AnimationLayer") == 0 &&
			      read_all_properties(scene, set_layer, &scene->layer_template) != 0)))
				return -1;
		if (inner < 0)
			return -1;
	}
	return more;
}

/* ---- Curves ---- */

static int compare_times(const void *a, const void *b)
{
	const struct fbx_key *first = a, *second = b;

	if (first->time != second->time)
		return first->time < second->time ? -1 : 1;
	return (first->place > second->place) - (first->place < second->place);
}

/* Check the keys, and sort them if times descend. Return 0 or -1. */
static int check_keys(struct fbx_scene *scene, struct fbx_key *keys, size_t n)
{
	bool falls = false, is_good;
	unsigned used;

	for (size_t k = 0; k < n; k++) {
		if (keys[k].time > TIME_MAX || keys[k].time < -TIME_MAX)
			return fbx_fail(&scene->cursor, scene->error,
					"key %zu of a curve has the invalid time %" PRId64, k, keys[k].time);
		/* Set the numbers that the key does not use to 0, because files may contain anything there. */
		used = (keys[k].flags & FBX_KEY_CUBIC) == 0 ? 0 : (keys[k].flags & FBX_KEY_TCB) != 0 ? 3 : 2;
		is_good = isfinite(keys[k].value);
		for (unsigned i = 0; i < 3; i++)
			if (i < used)
				is_good &= isfinite(keys[k].data[i]);
			else if (!isfinite(keys[k].data[i]))
				keys[k].data[i] = 0;
		if ((keys[k].flags & FBX_KEY_RIGHT_WEIGHTED) == 0)
			keys[k].right_weight = 0;
		if ((keys[k].flags & FBX_KEY_LEFT_WEIGHTED) == 0)
			keys[k].left_weight = 0;
		if (!is_good || !isfinite(keys[k].right_weight) || !isfinite(keys[k].left_weight))
			return fbx_fail(&scene->cursor, scene->error, "a number of key %zu of a curve is not finite",
					k);
		keys[k].place = (uint32_t)k;
		falls |= k > 0 && keys[k].time < keys[k - 1].time;
	}
	scene->falling += falls;
	if (falls)
		qsort(keys, n, sizeof *keys, compare_times);
	return 0;
}

/* ---- Keys in the spool: a column of times, one of values, then the runs of keys with the same attributes ---- */

/* The attributes of several consecutive keys. */
struct run {
	uint32_t count, flags;
	double data[3], right_weight, left_weight;
};
/* The same in 28 bytes, if this loses nothing. The weights are multiplied by 10000, as in the file. */
struct small_run {
	uint32_t count, flags;
	float data[3], right_weight, left_weight;
};

static struct run run_of(const struct fbx_key *key)
{
	return (struct run){.count = 1,
			    .flags = key->flags,
			    .data = {key->data[0], key->data[1], key->data[2]},
			    .right_weight = key->right_weight,
			    .left_weight = key->left_weight};
}

static struct small_run small_of(const struct run *run)
{
	return (struct small_run){.count = run->count,
				  .flags = run->flags,
				  .data = {(float)run->data[0], (float)run->data[1], (float)run->data[2]},
				  .right_weight = (float)rint(run->right_weight * 10000),
				  .left_weight = (float)rint(run->left_weight * 10000)};
}

static struct run large_of(const struct small_run *small)
{
	return (struct run){.count = small->count,
			    .flags = small->flags,
			    .data = {(double)small->data[0], (double)small->data[1], (double)small->data[2]},
			    .right_weight = (double)small->right_weight / 10000.0,
			    .left_weight = (double)small->left_weight / 10000.0};
}

/* Return 0 if two numbers are equal in every bit. */
static inline uint64_t differing_bits(double a, double b)
{
	uint64_t one, other;

	memcpy(&one, &a, sizeof one);
	memcpy(&other, &b, sizeof other);
	return one ^ other;
}

/* Return whether the attributes of two keys are equal in every bit. */
static inline bool share_run(const struct fbx_key *a, const struct fbx_key *b)
{
	return a->flags == b->flags &&
	       (differing_bits(a->data[0], b->data[0]) | differing_bits(a->data[1], b->data[1]) |
		differing_bits(a->data[2], b->data[2]) | differing_bits(a->right_weight, b->right_weight) |
		differing_bits(a->left_weight, b->left_weight)) == 0;
}

/* Return whether the small form preserves all values and attributes. It does in files from version 7000 on. */
static bool are_small(const struct fbx_key *keys, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		struct fbx_key other = {.flags = 0};
		struct small_run small;
		struct run run;

		if ((double)(float)keys[k].value != keys[k].value)
			return false;
		if (k > 0 && share_run(&keys[k - 1], &keys[k]))
			continue;
		run = run_of(&keys[k]);
		small = small_of(&run);
		run = large_of(&small);
		other.flags = run.flags;
		other.right_weight = run.right_weight;
		other.left_weight = run.left_weight;
		memcpy(other.data, run.data, sizeof other.data);
		if (!share_run(&keys[k], &other))
			return false;
	}
	return true;
}

/* Store the columns in the spool. Return 0 or -1. */
static int store_keys(struct fbx_scene *scene, const struct fbx_key *keys, size_t n, struct fbx_curve *curve)
{
	struct anim_buffer *columns = &scene->columns;
	struct run run = run_of(&keys[0]);
	uint8_t *at;

	curve->is_small = are_small(keys, n);
	curve->count = n;
	curve->first = keys[0].time;
	curve->last = keys[n - 1].time;
	curve->value = keys[0].value;
	curve->is_still = true;
	for (size_t k = 0; k < n && curve->is_still; k++)
		curve->is_still = keys[k].value == keys[0].value && ((keys[k].flags & FBX_KEY_CUBIC) == 0 ||
								     (keys[k].data[0] == 0 && keys[k].data[1] == 0));
	columns->size = 0;
	at = anim_buffer_extend(columns, n * (curve->is_small ? 12 : 16), scene->error);
	if (at == NULL)
		return -1;
	for (size_t k = 0; k < n; k++) {
		float value = (float)keys[k].value;

		memcpy(at + 8 * k, &keys[k].time, 8);
		if (curve->is_small)
			memcpy(at + 8 * n + 4 * k, &value, 4);
		else
			memcpy(at + 8 * n + 8 * k, &keys[k].value, 8);
	}
	for (size_t k = 1; k <= n; k++) {
		struct small_run small;

		if (k < n && share_run(&keys[k - 1], &keys[k])) {
			run.count++;
			continue;
		}
		small = small_of(&run);
		if (anim_buffer_append(columns, curve->is_small ? (const void *)&small : (const void *)&run,
				       curve->is_small ? sizeof small : sizeof run, scene->error) != 0)
			return -1;
		if (k < n)
			run = run_of(&keys[k]);
	}
	curve->size = columns->size;
	curve->place = anim_spool_size(&scene->spool);
	if (anim_spool_begin(&scene->spool, columns->size, scene->error) != 0)
		return -1;
	return anim_spool_append(&scene->spool, columns->data, columns->size, scene->error);
}

int fbx_curve_load(struct fbx_scene *scene, const struct fbx_curve *curve, struct anim_buffer *spans)
{
	size_t n = curve->count, k = 0, run_size = curve->is_small ? sizeof(struct small_run) : sizeof(struct run);
	const uint8_t *at;
	struct fbx_key *keys;

	scene->columns.size = scene->keys.size = 0;
	keys = anim_buffer_extend(&scene->keys, n * sizeof *keys, scene->error);
	if (keys == NULL || anim_buffer_extend(&scene->columns, curve->size, scene->error) == NULL ||
	    anim_spool_copy(&scene->spool, curve->place, scene->columns.data, curve->size, scene->error) != 0)
		return -1;
	at = scene->columns.data + n * (curve->is_small ? 12 : 16);
	for (; k < n; at += run_size) {
		struct small_run small;
		struct run run;

		memcpy(curve->is_small ? (void *)&small : (void *)&run, at, run_size);
		if (curve->is_small)
			run = large_of(&small);
		for (; run.count > 0 && k < n; run.count--, k++) {
			const uint8_t *values = scene->columns.data + 8 * n;
			float value;

			keys[k] = (struct fbx_key){.flags = run.flags,
						   .data = {run.data[0], run.data[1], run.data[2]},
						   .right_weight = run.right_weight,
						   .left_weight = run.left_weight};
			memcpy(&keys[k].time, scene->columns.data + 8 * k, 8);
			memcpy(&value, values + 4 * k, 4);
			keys[k].value = (double)value;
			if (!curve->is_small)
				memcpy(&keys[k].value, values + 8 * k, 8);
		}
	}
	return fbx_keys_solve(keys, n, 1.0 / (double)scene->ticks, spans, scene->error);
}

uint32_t fbx_curve_add(struct fbx_scene *scene, const struct fbx_end ends[2])
{
	struct fbx_key *keys = FBX_ALL(scene->keys, struct fbx_key);
	size_t n = scene->keys.size / sizeof *keys;
	struct fbx_curve curve = {.ends = {ends[0], ends[1]}};
	uint32_t number = FBX_COUNT(scene->curves, struct fbx_curve);

	if (n > 0 && (check_keys(scene, keys, n) != 0 || store_keys(scene, keys, n, &curve) != 0))
		return FBX_NONE;
	if (anim_buffer_append(&scene->curves, &curve, sizeof curve, scene->error) != 0)
		return FBX_NONE;
	return number;
}

int fbx_curve_leave_out(struct fbx_scene *scene, unsigned depth, uint32_t *number)
{
	struct fbx_curve curve = {.why = NULL};
	struct anim_error *error = scene->error;
	char why[sizeof error->message + 64];

	if (!scene->options->keep_going || !anim_error_is_of_input(error))
		return -1;
	if (error->at == ANIM_AT_LINE)
		snprintf(why, sizeof why, "%s (line %" PRIu32 ")", error->message, error->line);
	else
		snprintf(why, sizeof why, "%s (byte %" PRIu64 ")", error->message, error->offset);
	*error = (struct anim_error){0};
	while (scene->cursor.depth > depth)
		if (fbx_next(&scene->cursor, error) < 0)
			return -1;
	curve.why = anim_arena_text(&scene->arena, why, strlen(why), error);
	*number = FBX_COUNT(scene->curves, struct fbx_curve);
	return curve.why == NULL ? -1 : anim_buffer_append(&scene->curves, &curve, sizeof curve, error);
}

int fbx_end_read(struct fbx_scene *scene, struct fbx_end ends[2])
{
	struct fbx_cursor *cursor = &scene->cursor;
	struct fbx_end *end = strcmp(cursor->name, "Pre-Extrapolation") == 0    ? &ends[0]
			      : strcmp(cursor->name, "Post-Extrapolation") == 0 ? &ends[1]
										: NULL;
	struct fbx_value value;
	int more = end == NULL ? 0 : fbx_enter(cursor, scene->error);

	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
		bool is_type = strcmp(cursor->name, "Type") == 0;

		if (!is_type && strcmp(cursor->name, "Repetition") != 0)
			continue;
		if (fbx_value(cursor, &value, scene->error) < 0)
			return -1;
		if (value.kind == FBX_TEXT && value.length == 1)
			value.integer = value.text[0];
		if (is_type)
			end->type = (char)value.integer;
		else
			end->repetitions =
			    value.integer >= 0 && value.integer < INT32_MAX ? (int32_t)value.integer : -1;
	}
	return more;
}

static int read_curve(struct fbx_scene *scene, uint32_t *number)
{
	struct fbx_cursor *cursor = &scene->cursor;
	struct fbx_end ends[2] = {{'C', -1}, {'C', -1}};
	struct {
		const char *name;
		enum fbx_element as;
		struct anim_buffer *to;
	} arrays[] = {{"KeyTime", FBX_AS_INT64, &scene->times},
		      {"KeyValueFloat", FBX_AS_DOUBLE, &scene->values},
		      {"KeyAttrFlags", FBX_AS_INT64, &scene->flags},
		      {"KeyAttrDataFloat", FBX_AS_BITS, &scene->data},
		      {"KeyAttrRefCount", FBX_AS_INT64, &scene->counts}};
	size_t n, runs, k = 0;
	int more = fbx_enter(cursor, scene->error);

	for (size_t i = 0; i < ANIM_COUNT(arrays); i++)
		arrays[i].to->size = 0;
	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
		for (size_t i = 0; i < ANIM_COUNT(arrays); i++)
			if (strcmp(cursor->name, arrays[i].name) == 0) {
				arrays[i].to->size = 0;
				if (fbx_numbers(cursor, arrays[i].as, arrays[i].to, scene->error) != 0)
					return -1;
				break;
			}
		if (fbx_end_read(scene, ends) != 0)
			return -1;
	}
	if (more < 0)
		return -1;

	/* Combine the arrays into keys. Attributes are run-length coded. */
	n = scene->times.size / sizeof(int64_t);
	runs = scene->counts.size / sizeof(int64_t);
	scene->keys.size = 0;
	if (scene->values.size / sizeof(double) != n)
		return fbx_fail(cursor, scene->error, "a curve has %zu times, but %zu values", n,
				scene->values.size / sizeof(double));
	if (n > ANIM_KEYS_MAX)
		return fbx_fail(cursor, scene->error, "a curve has too many keys: %zu", n);
	if (scene->flags.size / sizeof(int64_t) < runs || scene->data.size / sizeof(uint32_t) / 4 < runs)
		return fbx_fail(cursor, scene->error, "a curve has fewer flags or data than counts of attributes");
	if (n > 0 && anim_buffer_extend(&scene->keys, n * sizeof(struct fbx_key), scene->error) == NULL)
		return -1;
	for (size_t run = 0; run < runs; run++) {
		int64_t count = *FBX_AT(scene->counts, int64_t, run);
		struct fbx_key key = {.time = 0};
		const uint32_t *data;

		if (count < 0 || (uint64_t)count > n - k)
			break;
		/* The attributes are flags and four packed numbers. */
		key.flags = (uint32_t)*FBX_AT(scene->flags, int64_t, run);
		data = FBX_AT(scene->data, uint32_t, 4 * run);
		for (unsigned i = 0; i < 3; i++) {
			float packed;

			memcpy(&packed, &data[i], sizeof packed);
			key.data[i] = (double)packed;
		}
		key.right_weight = (data[2] & 0xffff) / 10000.0;
		key.left_weight = (double)(data[2] >> 16) / 10000.0;
		for (; count > 0; count--, k++) {
			key.time = *FBX_AT(scene->times, int64_t, k);
			key.value = *FBX_AT(scene->values, double, k);
			*FBX_AT(scene->keys, struct fbx_key, k) = key;
		}
	}
	if (k != n)
		return fbx_fail(cursor, scene->error, "the attributes of a curve do not match its %zu keys", n);

	*number = fbx_curve_add(scene, ends);
	return *number == FBX_NONE ? -1 : 0;
}

/* ---- Objects ---- */

/*
 * The first values of an object: its identity (a number from version 7000 on, else its name), its name, and its
 * class.
 */
struct head {
	char identity[ANIM_NAME_MAX + 1];
	size_t size;
	const char *name; /* in the arena */
	char class[32];
};

/* Read an identity: the eight bytes of a number, or a text. Return 1, 0 if there is none, or -1 on error. */
static int read_identity(struct fbx_scene *scene, char identity[ANIM_NAME_MAX + 1], size_t *size)
{
	struct fbx_value value;
	int more = fbx_value(&scene->cursor, &value, scene->error);

	if (more <= 0)
		return more;
	if (value.kind == FBX_TEXT) {
		*size = value.length;
		memcpy(identity, value.text, value.length);
	} else {
		*size = sizeof value.integer;
		memcpy(identity, &value.integer, *size);
	}
	return 1;
}

/* Read the first values of an object. Return 1, 0 if it has no identity, or -1 on error. */
static int read_head(struct fbx_scene *scene, struct head *head)
{
	struct fbx_value value;
	int more = read_identity(scene, head->identity, &head->size);

	head->class[0] = '\0';
	if (more <= 0)
		return more;
	if (scene->cursor.version >= 7000) {
		more = fbx_value(&scene->cursor, &value, scene->error);
		if (more < 0)
			return -1;
		head->name = fbx_name(scene, more == 1 && value.kind == FBX_TEXT ? value.text : "",
				      more == 1 && value.kind == FBX_TEXT ? value.length : 0);
	} else {
		head->name = fbx_name(scene, head->identity, head->size);
	}
	if (head->name == NULL)
		return -1;
	more = fbx_value(&scene->cursor, &value, scene->error);
	if (more == 1 && value.kind == FBX_TEXT && value.length < sizeof head->class)
		memcpy(head->class, value.text, value.length + 1);
	return more < 0 ? -1 : 1;
}

static enum anim_node_kind kind_of_class(const char *class)
{
	static const char *const bones[] = {"LimbNode", "Limb", "Root"};

	if (anim_text_is_one_of(class, bones, ANIM_COUNT(bones)))
		return ANIM_NODE_BONE;
	if (strcmp(class, "Mesh") == 0)
		return ANIM_NODE_MESH;
	if (strcmp(class, "Camera") == 0)
		return ANIM_NODE_CAMERA;
	return strcmp(class, "Light") == 0 ? ANIM_NODE_LIGHT : ANIM_NODE;
}

/*
 * Read a shape inside a model before version 7000, or inside a geometry up to 7100. It is animated as a channel or a
 * property of `owner` with its name.
 */
static int read_shape(struct fbx_scene *scene, struct head *head, uint32_t owner)
{
	struct fbx_value value;
	struct fbx_object *shape;
	size_t size = head->size;
	int more = fbx_value(&scene->cursor, &value, scene->error);

	if (more <= 0 || value.kind != FBX_TEXT || size + value.length + 1 > ANIM_NAME_MAX)
		return more < 0 ? -1 : 0;
	head->identity[size++] = '\1';
	memcpy(head->identity + size, value.text, value.length);
	if (fbx_object_add(scene, FBX_CHANNEL, head->identity, size + value.length) == FBX_NONE)
		return -1;
	shape = FBX_AT(scene->objects, struct fbx_object, FBX_COUNT(scene->objects, struct fbx_object) - 1);
	shape->owner = owner;
	shape->name = fbx_plain_name(scene, value.text, value.length);
	if (shape->name == NULL)
		return -1;
	return anim_map_put(&scene->shapes, FBX_SHAPES_OF(owner), shape->name, strlen(shape->name),
			    FBX_COUNT(scene->objects, struct fbx_object) - 1, scene->error);
}

static int read_model(struct fbx_scene *scene, struct head *head, uint32_t object)
{
	struct fbx_cursor *cursor = &scene->cursor;
	uint32_t number = FBX_AT(scene->objects, struct fbx_object, object)->number;
	struct fbx_model *model = FBX_AT(scene->models, struct fbx_model, number);
	int more;

	*model = scene->model_template;
	model->name = head->name;
	model->kind = (uint8_t)kind_of_class(head->class);
	if (cursor->version < 7000) {
		model->contents = (uint8_t)(1u << model->kind);
		model->geometry = object;
	}
	more = fbx_enter(cursor, scene->error);
	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1)
		if (strcmp(cursor->name, "Shape") == 0
			? read_shape(scene, head, object) != 0
			: read_properties(scene, set_model, FBX_AT(scene->models, struct fbx_model, number)) != 0)
			return -1;
	return more;
}

/* Read the 16 numbers of the current record. Return 0 or -1. */
static int read_matrix(struct fbx_scene *scene, struct fbx_bind *bind)
{
	scene->values.size = 0;
	if (fbx_numbers(&scene->cursor, FBX_AS_DOUBLE, &scene->values, scene->error) != 0)
		return -1;
	bind->is_good = scene->values.size == sizeof bind->matrix;
	if (bind->is_good)
		memcpy(bind->matrix, scene->values.data, sizeof bind->matrix);
	for (unsigned i = 0; i < 16; i++)
		bind->is_good &= isfinite(bind->matrix[i]);
	scene->bad_binds += !bind->is_good;
	return 0;
}

/* Read a pose if it is a bind pose. Return 0 or -1. */
static int read_pose(struct fbx_scene *scene, struct head *head)
{
	struct fbx_cursor *cursor = &scene->cursor;
	int more = read_head(scene, head);

	if (more <= 0 || strcmp(head->class, "BindPose") != 0)
		return more < 0 ? -1 : 0;
	more = fbx_enter(cursor, scene->error);
	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
		struct fbx_bind bind = {.is_good = false};
		int inner;

		if (strcmp(cursor->name, "PoseNode") != 0)
			continue;
		head->size = 0;
		inner = fbx_enter(cursor, scene->error);
		while (inner == 1 && (inner = fbx_next(cursor, scene->error)) == 1)
			if (strcmp(cursor->name, "Node") == 0
				? read_identity(scene, head->identity, &head->size) < 0
				: strcmp(cursor->name, "Matrix") == 0 && read_matrix(scene, &bind) != 0)
				return -1;
		if (inner < 0)
			return -1;
		if (!bind.is_good)
			continue;
		bind.size = head->size;
		bind.identity = anim_arena_text(&scene->arena, head->identity, head->size, scene->error);
		if (bind.identity == NULL || anim_buffer_append(&scene->binds, &bind, sizeof bind, scene->error) != 0)
			return -1;
	}
	return more;
}

/* Read the contents of an object that is not a model or a geometry. Return 0 or -1. */
static int read_other(struct fbx_scene *scene, struct fbx_object *object, const struct head *head)
{
	struct fbx_cursor *cursor = &scene->cursor;
	unsigned depth = cursor->depth;
	uint32_t number = object->number;
	struct fbx_bind *bind;
	struct fbx_value value;
	int more;

	switch (object->kind) {
	case FBX_STACK:
		*FBX_AT(scene->stacks, struct fbx_stack, number) = scene->stack_template;
		FBX_AT(scene->stacks, struct fbx_stack, number)->name = head->name;
		if (anim_map_put(&scene->ids, FBX_STACK_NAMES, head->name, strlen(head->name), number, scene->error) !=
		    0)
			return -1;
		return read_all_properties(scene, set_stack, FBX_AT(scene->stacks, struct fbx_stack, number));
	case FBX_LAYER:
		*FBX_AT(scene->layers, struct fbx_layer, number) = scene->layer_template;
		return read_all_properties(scene, set_layer, FBX_AT(scene->layers, struct fbx_layer, number));
	case FBX_CURVE_NODE:
		*FBX_AT(scene->curve_nodes, struct fbx_curve_node, number) =
		    (struct fbx_curve_node){.layer = FBX_NONE, .curves = {FBX_NONE, FBX_NONE, FBX_NONE}};
		return read_all_properties(scene, set_constant,
					   FBX_AT(scene->curve_nodes, struct fbx_curve_node, number));
	case FBX_CURVE:
		return read_curve(scene, &object->number) == 0 ? 0 : fbx_curve_leave_out(scene, depth, &object->number);
	case FBX_CLUSTER:
		bind = FBX_AT(scene->binds, struct fbx_bind, number);
		bind->model = FBX_NONE;
		more = fbx_enter(cursor, scene->error);
		while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
			bind->has_points |= strcmp(cursor->name, "Indexes") == 0;
			if (scene->options->bind_rests && strcmp(cursor->name, "TransformLink") == 0 &&
			    read_matrix(scene, bind) != 0)
				return -1;
		}
		return more;
	case FBX_ATTRIBUTE:
		return read_all_properties(scene, set_light, object);
	case FBX_CHANNEL:
		object->name = head->name;
		more = fbx_enter(cursor, scene->error);
		while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
			/* Blender writes the weight of a shape as a field instead of a property. */
			if (strcmp(cursor->name, "DeformPercent") == 0) {
				if (number_of(scene, &value) != 0)
					return -1;
				object->value = isfinite(value.real) ? value.real : 0;
			} else if (read_properties(scene, set_weight, object) != 0) {
				return -1;
			}
		}
		return more;
	default:
		return 0;
	}
}

/* Get the kind of a record. Return false if animation does not need it. */
static bool kind_of_record(const struct fbx_scene *scene, const char *name, const char *class,
			   enum fbx_object_kind *kind)
{
	static const struct {
		const char *name;
		enum fbx_object_kind kind;
	} kinds[] = {{"Model", FBX_MODEL},
		     {"AnimationStack", FBX_STACK},
		     {"AnimationLayer", FBX_LAYER},
		     {"AnimationCurveNode", FBX_CURVE_NODE},
		     {"AnimationCurve", FBX_CURVE},
		     {"Geometry", FBX_GEOMETRY},
		     {"NodeAttribute", FBX_ATTRIBUTE}};

	for (size_t i = 0; i < ANIM_COUNT(kinds); i++)
		if (strcmp(name, kinds[i].name) == 0) {
			*kind = kinds[i].kind;
			return true;
		}
	if (strcmp(name, "Deformer") != 0)
		return false;
	if ((strcmp(class, "Cluster") == 0 || strcmp(class, "Skin") == 0) &&
	    (scene->options->bind_rests || scene->options->godot_paths)) {
		*kind = class[0] == 'C' ? FBX_CLUSTER : FBX_SKIN;
		return true;
	}
	*kind = strcmp(class, "BlendShape") == 0 ? FBX_BLEND_SHAPE : FBX_CHANNEL;
	return *kind == FBX_BLEND_SHAPE || strcmp(class, "BlendShapeChannel") == 0;
}

static int read_object(struct fbx_scene *scene, struct head *head)
{
	struct fbx_cursor *cursor = &scene->cursor;
	enum fbx_object_kind kind;
	char name[32];
	int more;
	uint32_t number;

	if (strcmp(cursor->name, "GlobalSettings") == 0)
		return read_all_properties(scene, set_setting, NULL);
	scene->constraints += strcmp(cursor->name, "Constraint") == 0;
	if (scene->options->bind_rests && strcmp(cursor->name, "Pose") == 0)
		return read_pose(scene, head);
	if (!kind_of_record(scene, cursor->name, "BlendShape", &kind))
		return 0;
	memcpy(name, cursor->name, strlen(cursor->name) + 1);
	more = read_head(scene, head);
	if (more <= 0 || !kind_of_record(scene, name, head->class, &kind))
		return more < 0 ? -1 : 0;
	if (fbx_object_add(scene, kind, head->identity, head->size) == FBX_NONE && scene->error->code != ANIM_OK)
		return -1;
	number = FBX_COUNT(scene->objects, struct fbx_object) - 1;
	FBX_AT(scene->objects, struct fbx_object, number)->content = (uint8_t)kind_of_class(head->class);
	if (kind == FBX_MODEL)
		return read_model(scene, head, number);
	if (kind == FBX_GEOMETRY) {
		/* Read the shapes of a geometry. Later files have objects for them. */
		more = cursor->version > SHAPES_INSIDE ? 0 : fbx_enter(cursor, scene->error);
		while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1)
			if (strcmp(cursor->name, "Shape") == 0 && read_shape(scene, head, number) != 0)
				return -1;
		return more;
	}
	return read_other(scene, FBX_AT(scene->objects, struct fbx_object, number), head);
}

/* ---- Connections ---- */

/* Return whether this is the root: number 0, or before version 7000 the model "Scene". */
static bool is_root(const struct fbx_scene *scene, const char *identity, size_t size)
{
	static const char number[sizeof(int64_t)], text[] = "Model::Scene", binary[] = "Scene\0\1Model";

	if (scene->cursor.version >= 7000)
		return size == sizeof number && memcmp(identity, number, size) == 0;
	return (size == sizeof text - 1 && memcmp(identity, text, size) == 0) ||
	       (size == sizeof binary - 1 && memcmp(identity, binary, size) == 0);
}

static void connect_objects(struct fbx_scene *scene, struct fbx_object *child, const struct fbx_object *parent)
{
	bool is_root = parent == NULL;
	uint32_t owner = is_root ? FBX_NONE : (uint32_t)(parent - FBX_ALL(scene->objects, struct fbx_object));

	if (child->kind == FBX_MODEL) {
		struct fbx_model *model = FBX_AT(scene->models, struct fbx_model, child->number);

		/* If a model has several parents, the first one counts. */
		if (!model->has_parent && (is_root || parent->kind == FBX_MODEL)) {
			model->has_parent = true;
			model->parent = is_root ? FBX_NONE : parent->number;
		}
		if (!is_root && parent->kind == FBX_CLUSTER)
			FBX_AT(scene->binds, struct fbx_bind, parent->number)->model = child->number;
		/* If a bone has several clusters, the first one counts. */
		if (!is_root && parent->kind == FBX_CLUSTER && model->bind == FBX_NONE &&
		    FBX_AT(scene->binds, struct fbx_bind, parent->number)->is_good)
			model->bind = parent->number;
	} else if (is_root) {
		return;
	} else if (child->kind == FBX_CURVE_NODE && parent->kind == FBX_LAYER) {
		struct fbx_curve_node *node = FBX_AT(scene->curve_nodes, struct fbx_curve_node, child->number);

		if (node->layer == FBX_NONE)
			node->layer = parent->number;
	} else if (child->kind == FBX_LAYER && parent->kind == FBX_STACK) {
		struct fbx_layer *layer = FBX_AT(scene->layers, struct fbx_layer, child->number);

		if (layer->stack == FBX_NONE) {
			layer->stack = parent->number;
			layer->rank = FBX_AT(scene->stacks, struct fbx_stack, parent->number)->layers++;
		}
	} else if (child->kind >= FBX_GEOMETRY && child->kind <= FBX_CLUSTER &&
		   (parent->kind == FBX_MODEL || parent->kind == FBX_GEOMETRY || parent->kind == FBX_BLEND_SHAPE ||
		    parent->kind == FBX_SKIN)) {
		child->owner = child->owner == FBX_NONE ? owner : child->owner;
		/* Several models may share a geometry. */
		if (parent->kind == FBX_MODEL && (child->kind == FBX_GEOMETRY || child->kind == FBX_ATTRIBUTE)) {
			struct fbx_model *model = FBX_AT(scene->models, struct fbx_model, parent->number);

			model->contents |= (uint8_t)(1u << child->content);
			model->light = child->content == ANIM_NODE_LIGHT ? child->light : model->light;
			if (child->kind == FBX_GEOMETRY)
				model->geometry = (uint32_t)(child - FBX_ALL(scene->objects, struct fbx_object));
		}
	}
}

/* Read one connection: "OO", child, parent. If it is "OP", a property follows. */
static int read_connection(struct fbx_scene *scene, struct head *head)
{
	struct fbx_cursor *cursor = &scene->cursor;
	struct fbx_object *child;
	const struct fbx_object *parent;
	struct fbx_drive drive = {.model = FBX_NONE};
	struct fbx_value value;
	bool has_property;
	int more = fbx_value(cursor, &value, scene->error);

	if (more <= 0 || value.kind != FBX_TEXT || value.length != 2 || value.text[0] != 'O')
		return more < 0 ? -1 : 0;
	has_property = value.text[1] == 'P';
	more = read_identity(scene, head->identity, &head->size);
	if (more <= 0)
		return more;
	child = fbx_object_find(scene, head->identity, head->size);
	if (child == NULL)
		return 0;
	more = read_identity(scene, head->identity, &head->size);
	if (more <= 0)
		return more;
	parent = fbx_object_find(scene, head->identity, head->size);
	if (parent == NULL && !is_root(scene, head->identity, head->size)) {
		if (has_property && child->kind == FBX_CURVE_NODE)
			FBX_AT(scene->curve_nodes, struct fbx_curve_node, child->number)->is_lost = true;
		return 0;
	}
	if (!has_property) {
		connect_objects(scene, child, parent);
		return 0;
	}
	more = fbx_value(cursor, &value, scene->error);
	if (more <= 0 || parent == NULL || value.kind != FBX_TEXT)
		return more < 0 ? -1 : 0;
	if (child->kind == FBX_CURVE && parent->kind == FBX_CURVE_NODE)
		FBX_AT(scene->curve_nodes, struct fbx_curve_node, parent->number)->curves[component_of(value.text)] =
		    child->number;
	if (child->kind != FBX_CURVE_NODE)
		return 0;
	drive.curve_node = child->number;
	drive.object = (uint32_t)(parent - FBX_ALL(scene->objects, struct fbx_object));
	drive.property = fbx_plain_name(scene, value.text, value.length);
	if (drive.property == NULL)
		return -1;
	return anim_buffer_append(&scene->drives, &drive, sizeof drive, scene->error);
}

/* ---- The document ---- */

/* Read "Settings" of a file before version 7000, which give the frame rate as a text. */
static int read_old_settings(struct fbx_scene *scene)
{
	struct fbx_cursor *cursor = &scene->cursor;
	struct fbx_value value;
	int more = fbx_enter(cursor, scene->error);

	while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1) {
		if (strcmp(cursor->name, "Settings") == 0) {
			if (read_old_settings(scene) != 0)
				return -1;
		} else if (strcmp(cursor->name, "FrameRate") == 0) {
			if (fbx_value(cursor, &value, scene->error) < 0)
				return -1;
			if (value.kind == FBX_TEXT)
				anim_number_typed(value.text, value.length, &value.real);
			if (scene->time_mode < 0 && value.real > 0) {
				scene->time_mode = 14;
				scene->custom_rate = value.real;
			}
		}
	}
	return more;
}

static int read_section(struct fbx_scene *scene)
{
	struct fbx_cursor *cursor = &scene->cursor;
	const char *name = cursor->name;

	if (strcmp(name, "FBXHeaderExtension") == 0)
		return read_header(scene);
	/* The header checks the version, but a file may have no header. */
	if (check_version(scene) != 0)
		return -1;
	if (strcmp(name, "GlobalSettings") == 0)
		return read_all_properties(scene, set_setting, NULL);
	if (strcmp(name, "Definitions") == 0)
		return read_definitions(scene);
	if (strcmp(name, "Objects") == 0 || strcmp(name, "Connections") == 0) {
		bool connects = name[0] == 'C';
		struct head *head;
		int more;

		scene->has_objects |= !connects;
		scene->has_connections |= connects;
		if (!scene->has_objects)
			return fbx_fail(cursor, scene->error, "Connections before Objects are not supported");
		head = anim_zeroed(sizeof *head, scene->error);
		more = head == NULL ? -1 : fbx_enter(cursor, scene->error);
		while (more == 1 && (more = fbx_next(cursor, scene->error)) == 1)
			if ((connects ? read_connection(scene, head) : read_object(scene, head)) != 0)
				more = -1;
		free(head);
		return more;
	}
	if (strcmp(name, "Takes") == 0) {
		scene->has_takes = true;
		return fbx_takes_read(scene);
	}
	if (cursor->version >= 7000)
		return 0;
	if (strcmp(name, "Model") == 0)
		return fbx_old_model_read(scene);
	return strcmp(name, "Settings") == 0 || strcmp(name, "Version5") == 0 ? read_old_settings(scene) : 0;
}

int fbx_scene_read(struct fbx_scene *scene)
{
	struct fbx_cursor *cursor = &scene->cursor;
	const char *missing = NULL;
	bool any = false;
	int more;

	scene->ticks = OLD_TICKS;
	scene->unit_m = 0.01;
	scene->time_mode = -1;
	scene->axis[1] = 1;
	scene->axis[2] = 2;
	scene->sign[0] = scene->sign[1] = scene->sign[2] = 1;
	scene->model_template = (struct fbx_model){.parent = FBX_NONE,
						   .inherit = FBX_SCALE_BY_MATRIX,
						   .is_active = true,
						   .lcl = {[FBX_S] = {1, 1, 1}},
						   .bind = FBX_NONE,
						   .geometry = FBX_NONE,
						   .visible = 1};
	scene->layer_template = (struct fbx_layer){.stack = FBX_NONE, .weight = 100, .weight_node = FBX_NONE};
	anim_spool_init(&scene->spool, scene->options->store_memory);
	cursor->trust_size = scene->options->trust_size;
	if (fbx_open(cursor, scene->error) != 0)
		return -1;
	while ((more = fbx_next(cursor, scene->error)) == 1) {
		any = true;
		if (read_section(scene) != 0)
			return -1;
	}
	if (more == 0 && !any)
		return fbx_fail(cursor, scene->error, "the file has no records");
	if (more < 0)
		return -1;

	/* A text may have been cut between its lists. In binary files, a record marks the end. */
	if (cursor->version >= 6000 && !scene->has_objects)
		missing = "Objects";
	else if (cursor->version >= 6000 && !scene->has_connections)
		missing = "Connections";
	else if (cursor->version < 7000 && !scene->has_takes)
		missing = "Takes";
	if (!cursor->is_binary && missing != NULL &&
	    anim_diagnostics_warn(scene->options->diagnostics, NULL, scene->error,
				  "the file has no '%s'; it may be cut, and its animation lost", missing) != 0)
		return -1;
	if (fbx_old_models_connect(scene) != 0)
		return -1;

	/* Assign bind poses to the models without a cluster. */
	for (uint32_t i = 0; i < FBX_COUNT(scene->binds, struct fbx_bind); i++) {
		const struct fbx_bind *bind = FBX_AT(scene->binds, struct fbx_bind, i);
		const struct fbx_object *object =
		    bind->identity == NULL ? NULL : fbx_object_find(scene, bind->identity, bind->size);

		if (object != NULL && object->kind == FBX_MODEL &&
		    FBX_AT(scene->models, struct fbx_model, object->number)->bind == FBX_NONE)
			FBX_AT(scene->models, struct fbx_model, object->number)->bind = i;
	}
	return 0;
}

void fbx_scene_clear(struct fbx_scene *scene)
{
	struct anim_buffer *buffers[] = {
	    &scene->objects, &scene->models,   &scene->stacks, &scene->layers, &scene->curve_nodes, &scene->curves,
	    &scene->drives,  &scene->children, &scene->binds,  &scene->times,  &scene->values,      &scene->flags,
	    &scene->data,    &scene->counts,   &scene->keys,   &scene->spans,  &scene->columns};

	for (size_t i = 0; i < ANIM_COUNT(buffers); i++)
		anim_buffer_clear(buffers[i]);
	fbx_cursor_clear(&scene->cursor);
	anim_spool_clear(&scene->spool);
	anim_map_clear(&scene->ids);
	anim_map_clear(&scene->shapes);
	anim_arena_clear(&scene->arena);
}
