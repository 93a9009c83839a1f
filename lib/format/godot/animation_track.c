/* animation_track.c: reads the path and the keys of a track, rows of numbers or values of any type, into a TRAK. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/sample.h"
#include "clip/track.h"
#include "format/godot/animation.h"
#include "format/godot/print.h"
#include "math/elementary.h"

/* ---- The NodePath of a track: node, property and component ---- */

/*
 * The name of a property in Godot and in the model. `euler` and `angle` are not in the table, because they depend on
 * the type.
 */
struct property_name {
	const char *godot, *name;
};

static const struct property_name property_names[] = {
    {"translation", "position"},           {"quaternion", "rotation"},   {"transform/pos", "position"},
    {"transform/translation", "position"}, {"transform/scale", "scale"}, {"visibility/visible", "visible"},
};

/* Return the length of the path without colons at its end, which the exporter of Blender writes. */
static size_t trimmed_length(const char *path)
{
	size_t length = strlen(path);

	while (length > 0 && path[length - 1] == ':')
		length--;
	return length;
}

static int copy_node(struct godot_target *target, const char *path, size_t length, struct anim_arena *arena,
		     struct anim_error *error)
{
	target->node = length == 0 ? "." : anim_arena_text(arena, path, length, error);
	return target->node != NULL ? 0 : -1;
}

/* Set the target from the path of a 3-D or event track, which names only a node or a bone. Returns 0 or -1. */
static int target_of_node(const char *path, const char *property, struct anim_arena *arena, struct godot_target *target,
			  struct anim_error *error)
{
	*target = (struct godot_target){.property = property, .component = ANIM_WHOLE};
	return copy_node(target, path, trimmed_length(path), arena, error);
}

/* Split a path at its first colon. The node goes to the target; the rest is the property. Returns 0 or -1. */
static int split_path(const char *path, struct godot_target *target, struct godot_string *property,
		      struct anim_arena *arena, struct anim_error *error)
{
	size_t length = trimmed_length(path);
	const char *colon = memchr(path, ':', length);
	size_t node = colon != NULL ? (size_t)(colon - path) : length;

	*target = (struct godot_target){.component = ANIM_WHOLE};
	property->bytes = path + (colon != NULL ? node + 1 : length);
	property->length = (size_t)(path + length - property->bytes);
	return copy_node(target, path, node, arena, error);
}

static int name_blend_shape(struct godot_target *target, const char *name, size_t length, struct anim_arena *arena,
			    struct anim_error *error)
{
	target->property = anim_arena_printf(arena, error, "blend_shape/%.*s", (int)length, name);
	return target->property != NULL ? 0 : -1;
}

static bool is_one_number(enum anim_type type)
{
	return type == ANIM_FLOAT || type == ANIM_DOUBLE || type == ANIM_INT || type == ANIM_LONG;
}

/* Remove ":x" or ".x" from the end of a property whose values are numbers. Returns the remaining length. */
static size_t split_component(const char *property, size_t length, struct godot_target *target)
{
	static const char letters[] = "xyzwrgba";
	const char *letter;

	if (length < 3 || (property[length - 2] != ':' && property[length - 2] != '.'))
		return length;
	letter = memchr(letters, property[length - 1], sizeof letters - 1);
	if (letter == NULL)
		return length;
	target->component = (uint8_t)((letter - letters) % 4);
	target->dotted = property[length - 2] == '.';
	return length - 2;
}

/*
 * Return the canonical name of `rotation` or `rotation_degrees`: Euler angles in 3-D, one angle in 2-D. Returns NULL
 * for a quaternion, whose name stays `rotation`.
 */
static const char *rotation_name(enum anim_type type, bool degrees, struct godot_target *target)
{
	const char *name = NULL;

	if (type == ANIM_FLOAT3 || target->component != ANIM_WHOLE)
		name = "euler";
	else if (is_one_number(type))
		name = "angle";
	target->euler = name != NULL && name[0] == 'e';
	target->degrees = name != NULL && degrees;
	return name;
}

/* Return the canonical name of a property, or NULL if its name is unchanged. */
static const char *canonical_name(const struct godot_string *text, enum anim_type type, struct godot_target *target)
{
	if (godot_string_is(text, "rotation"))
		return rotation_name(type, false, target);
	if (godot_string_is(text, "rotation_degrees"))
		return rotation_name(type, true, target);
	/* Godot 2 rotates in the opposite direction, so the angle keeps its name. Its unit is known. */
	if (godot_string_is(text, "transform/rot"))
		target->degrees = is_one_number(type);
	target->spatial = godot_string_is(text, "translation");
	for (size_t i = 0; i < ANIM_COUNT(property_names); i++)
		if (godot_string_is(text, property_names[i].godot))
			return property_names[i].name;
	return NULL;
}

int godot_target_of_property(const char *path, enum anim_type type, struct anim_arena *arena,
			     struct godot_target *target, struct anim_error *error)
{
	static const char shapes[] = "blend_shapes/";
	const size_t prefix = sizeof shapes - 1;
	struct godot_string text;

	if (split_path(path, target, &text, arena, error) != 0)
		return -1;
	if (text.length > prefix && memcmp(text.bytes, shapes, prefix) == 0)
		return name_blend_shape(target, text.bytes + prefix, text.length - prefix, arena, error);
	if (is_one_number(type))
		text.length = split_component(text.bytes, text.length, target);
	target->property = canonical_name(&text, type, target);
	if (target->property == NULL)
		target->property = anim_arena_text(arena, text.bytes, text.length, error);
	return target->property != NULL ? 0 : -1;
}

/* ---- The column of a value track ---- */

#define COMPONENTS_MAX 16

static void column_reset(struct godot_column *column)
{
	struct godot_column kept = {.values = column->values, .integer = column->integer, .texts = column->texts};

	kept.values.size = kept.integer.size = 0;
	anim_texts_reset(&kept.texts);
	*column = kept;
}

/* Return the name of a Variant type as in GDScript. Resources and objects are "Object". */
static const char *variant_name(const struct godot_value *value)
{
	static const char *const others[] = {"RID", "Signal", "Callable"};

	for (size_t i = 0; value->type == GODOT_OTHER && i < ANIM_COUNT(others); i++)
		if (godot_string_is(&value->text2, others[i]))
			return others[i];
	return godot_types[value->type].name;
}

/*
 * Return whether Godot interpolates between the types: BOOL to STRING_NAME in its order, arrays, and packed arrays
 * except of bytes.
 */
static bool blend(enum godot_type a, enum godot_type b)
{
	if ((a == GODOT_INT && b == GODOT_FLOAT) || (a == GODOT_FLOAT && b == GODOT_INT))
		return true;
	return a == b && a != GODOT_NIL && a != GODOT_NODE_PATH && a != GODOT_DICTIONARY && a != GODOT_PACKED_BYTE &&
	       a < GODOT_SUB_RESOURCE;
}

static bool is_number(enum godot_type type)
{
	return type == GODOT_INT || type == GODOT_FLOAT;
}

/* Convert a double to 32 bits as Godot does: truncate to 64 bits, then wrap. */
static int32_t wrapped_int32(double number)
{
	int64_t whole;

	if (!(number >= -9223372036854775808.0 && number < 9223372036854775808.0))
		return INT32_MIN;
	whole = (int64_t)number;
	return (int32_t)(uint32_t)(uint64_t)whole;
}

static bool holds_integers(const struct godot_type_info *info)
{
	return !anim_type_is_real(info->type);
}

static int add_components(struct godot_column *column, const struct godot_value *value, struct anim_error *error)
{
	const struct godot_type_info *info = &godot_types[value->type];
	float *out = anim_buffer_extend(&column->values, info->components * sizeof *out, error);

	if (out == NULL)
		return -1;
	memset(out, 0, info->components * sizeof *out);
	if (info->components > info->numbers)
		out[info->components - 1] = 1;
	for (size_t i = 0; i < info->numbers && i < value->count; i++) {
		int32_t whole = holds_integers(info) ? wrapped_int32(value->numbers[i]) : 0;
		float real = (float)value->numbers[i];

		memcpy(out + (info->map != NULL ? info->map[i] : i),
		       holds_integers(info) ? (const void *)&whole : (const void *)&real, sizeof real);
	}
	return 0;
}

/* Add an int or a float in 8 bytes. As soon as both occur, one byte per value records which it is. */
static int add_number(struct godot_column *column, const struct godot_value *value, struct anim_error *error)
{
	bool integer = value->type == GODOT_INT, both = column->integer.size > 0 || value->type != column->kind;
	uint8_t flag = integer;
	const void *bytes = integer ? (const void *)&value->integer : (const void *)&value->number;

	if (integer && (value->integer < INT32_MIN || value->integer > INT32_MAX))
		column->wide = true;
	if (!column->inexact && !(integer ? godot_exact_float32((double)value->integer) : value->float_is_exact32))
		column->inexact = true;
	if (both && column->integer.size == 0) {
		uint8_t *flags = anim_buffer_extend(&column->integer, column->n, error);

		if (flags == NULL)
			return -1;
		memset(flags, column->kind == GODOT_INT, column->n);
	}
	if (both && anim_buffer_append(&column->integer, &flag, 1, error) != 0)
		return -1;
	return anim_buffer_append(&column->values, bytes, 8, error);
}

static int add_typed(struct godot_column *column, const struct godot_value *value, struct anim_error *error)
{
	uint8_t boolean = value->boolean;

	if (value->type == GODOT_BOOL)
		return anim_buffer_append(&column->values, &boolean, 1, error);
	if (is_number(value->type))
		return add_number(column, value, error);
	if (value->type == GODOT_STRING)
		return anim_texts_add(&column->texts, value->text.bytes, value->text.length, error);
	return add_components(column, value, error);
}

static int add_literal(struct godot_column *column, const struct godot_value *value, struct anim_error *error)
{
	const char *name = variant_name(value), *before = column->literal_name;
	size_t start = column->texts.bytes.size;

	if (before == NULL || (strcmp(before, "Nil") == 0 && strcmp(name, "Object") == 0))
		column->literal_name = name;
	else if (strcmp(before, name) != 0 && !(strcmp(before, "Object") == 0 && strcmp(name, "Nil") == 0))
		column->literal_name = "mixed";
	if (godot_value_print(value, &column->texts.bytes, error) != 0)
		return -1;
	return anim_texts_close(&column->texts, start, error);
}

/* Return value i of a column of numbers or components, as it was in the file. */
static void value_at(const struct godot_column *column, size_t i, double numbers[COMPONENTS_MAX],
		     struct godot_value *value)
{
	const struct godot_type_info *info = &godot_types[column->kind];
	const uint8_t *at = column->values.data;

	*value = (struct godot_value){.type = column->kind, .numbers = numbers, .count = info->numbers};
	if (column->kind == GODOT_BOOL) {
		value->boolean = at[i] != 0;
		return;
	}
	if (is_number(column->kind)) {
		if (column->integer.size > 0)
			value->type = column->integer.data[i] ? GODOT_INT : GODOT_FLOAT;
		memcpy(value->type == GODOT_INT ? (void *)&value->integer : (void *)&value->number, at + 8 * i, 8);
		return;
	}
	at += i * info->components * sizeof(float);
	for (size_t k = 0; k < info->numbers; k++) {
		const uint8_t *component = at + (info->map != NULL ? info->map[k] : k) * sizeof(float);
		int32_t whole;
		float real;

		memcpy(&whole, component, sizeof whole);
		memcpy(&real, component, sizeof real);
		numbers[k] = holds_integers(info) ? whole : (double)real;
	}
}

/* Convert the values added so far to literals. */
static int make_literals(struct godot_column *column, struct anim_error *error)
{
	struct anim_texts plain = column->texts;
	struct anim_strings strings;
	int result = 0;

	anim_texts_view(&plain, &strings);
	column->texts = (struct anim_texts){0};
	for (size_t i = 0; i < column->n && result == 0; i++) {
		double numbers[COMPONENTS_MAX] = {0};
		struct godot_value value;

		if (column->kind == GODOT_STRING)
			value = (struct godot_value){.type = GODOT_STRING,
						     .text = {strings.bytes + strings.start[i], strings.length[i]}};
		else
			value_at(column, i, numbers, &value);
		result = add_literal(column, &value, error);
	}
	anim_texts_clear(&plain);
	column->values.size = column->integer.size = 0;
	column->literal = true;
	return result;
}

/* Return the vector of floats for a vector of ints, for example Vector2 for Vector2i. Other types stay unchanged. */
static enum godot_type without_ints(enum godot_type type)
{
	static const enum godot_type pairs[][2] = {{GODOT_VECTOR2I, GODOT_VECTOR2},
						   {GODOT_VECTOR3I, GODOT_VECTOR3},
						   {GODOT_VECTOR4I, GODOT_VECTOR4},
						   {GODOT_RECT2I, GODOT_RECT2}};

	for (size_t i = 0; i < ANIM_COUNT(pairs); i++)
		if (pairs[i][0] == type)
			return pairs[i][1];
	return type;
}

/* Add a value to the column, which is the context. Its texts are copied. Returns 0 or -1. */
static int column_add(struct godot_clip_reader *reader, const struct godot_value *value, void *context)
{
	struct godot_column *column = context;
	bool same = value->type == column->kind || (is_number(value->type) && is_number(column->kind));
	struct godot_value plain = *value;

	if (column->n == 0) {
		column->kind = value->type;
		column->literal = value->type != GODOT_BOOL && !is_number(value->type) && value->type != GODOT_STRING &&
				  godot_types[value->type].components == 0;
		same = true;
	} else if (blend(column->last, value->type)) {
		column->blends = true;
	}
	if (!same && !column->literal && without_ints(value->type) == without_ints(column->kind)) {
		size_t count = column->values.size / sizeof(float);

		/* A vector with the other kind of numbers: from now on the column has floats. */
		plain.type = without_ints(column->kind);
		for (size_t i = 0; i < count && plain.type != column->kind; i++) {
			int32_t whole;
			float real;

			memcpy(&whole, column->values.data + i * sizeof whole, sizeof whole);
			real = (float)whole;
			memcpy(column->values.data + i * sizeof real, &real, sizeof real);
		}
		column->starts_with_ints |= plain.type != column->kind;
		column->is_held = true;
		column->kind = plain.type;
	} else if (!same && !column->literal && make_literals(column, reader->error) != 0) {
		return -1;
	}
	if ((column->literal ? add_literal : add_typed)(column, &plain, reader->error) != 0)
		return -1;
	column->last = value->type;
	column->n++;
	return 0;
}

/*
 * Convert numbers to a type of the stream, which is returned. `values` then has this type. Call it once, before reading
 * the column.
 */
static enum anim_type column_finish(struct godot_column *column)
{
	uint8_t *values = column->values.data;

	if (column->n == 0)
		return ANIM_FLOAT;
	if (column->literal || column->kind == GODOT_STRING)
		return ANIM_STRING;
	if (column->kind == GODOT_BOOL)
		return ANIM_BOOL;
	if (!is_number(column->kind))
		return godot_types[column->kind].type;
	if (column->kind == GODOT_INT && column->integer.size == 0) {
		for (size_t i = 0; i < column->n && !column->wide; i++) {
			int64_t wide;
			int32_t narrow;

			memcpy(&wide, values + 8 * i, sizeof wide);
			narrow = (int32_t)wide;
			memcpy(values + 4 * i, &narrow, sizeof narrow);
		}
		return column->wide ? ANIM_LONG : ANIM_INT;
	}
	/* Items of 8 bytes become float or double, also ints among them. */
	for (size_t i = 0; i < column->n; i++) {
		double number;
		int64_t integer;
		float narrow;

		memcpy(&number, values + 8 * i, sizeof number);
		memcpy(&integer, values + 8 * i, sizeof integer);
		if (column->integer.size > 0 && column->integer.data[i])
			number = (double)integer;
		narrow = (float)number;
		if (column->inexact)
			memcpy(values + 8 * i, &number, sizeof number);
		else
			memcpy(values + 4 * i, &narrow, sizeof narrow);
	}
	return column->inexact ? ANIM_DOUBLE : ANIM_FLOAT;
}

/* ---- Resources that the value of a key refers to ---- */

/*
 * Replace ExtResource("id") inside the value by Resource("uid", "path") if the file declares the id. Warns if the
 * resource does not exist. Returns 0 or -1.
 */
static int check_references(struct godot_clip_reader *reader, struct godot_value *value)
{
	struct godot_value *items = value->items;
	size_t count = value->type == GODOT_DICTIONARY ? value->count * 2 : value->count;
	struct anim_place place = reader->place;
	const char *call = "Resource";
	int missing;

	if (reader->externals == NULL)
		return 0;
	if (value->type == GODOT_ARRAY || value->type == GODOT_DICTIONARY) {
		for (size_t i = 0; i < count; i++)
			if (check_references(reader, &items[i]) != 0)
				return -1;
		return 0;
	}
	missing = godot_externals_resolve(reader->externals, value, reader->error);
	if (missing <= 0)
		return missing;
	if (value->type == GODOT_EXT_RESOURCE)
		call = "ExtResource";
	else if (value->type == GODOT_SUB_RESOURCE)
		call = "SubResource";
	reader->place = value->place;
	missing =
	    godot_warn(reader, "value",
		       "Godot does not load a file that refers to a missing resource" ANIM_DETAIL ": %s(\"%.200s\")",
		       call, value->text.bytes);
	reader->place = place;
	return missing;
}

/* ---- Arrays in all forms that Godot accepts ---- */

int godot_read_element(struct godot_clip_reader *reader, struct godot_value *value)
{
	anim_arena_reset(&reader->element);
	return godot_text_value(reader->text, &reader->element, value);
}

static int append_number(struct godot_clip_reader *reader, const struct godot_value *value, void *buffer)
{
	float number = (float)godot_to_double(value);

	return anim_buffer_append(buffer, &number, sizeof number, reader->error);
}

int godot_read_floats(struct godot_clip_reader *reader, struct anim_buffer *buffer)
{
	int status;

	buffer->size = 0;
	status = godot_text_floats(reader->text, &reader->element, buffer, &reader->spelling);
	if (status != 0)
		return status < 0 ? -1 : 0;
	return godot_read_elements(reader, append_number, buffer);
}

/* Return the first Name(...) in the value that no version of Godot knows, or NULL. */
static const struct godot_value *unknown_word(const struct godot_value *value)
{
	const struct godot_value *items = value->items, *found = NULL;
	size_t count = value->type == GODOT_DICTIONARY ? value->count * 2 : value->count;

	if (value->type == GODOT_ARRAY || value->type == GODOT_DICTIONARY) {
		for (size_t i = 0; i < count && found == NULL; i++)
			found = unknown_word(&items[i]);
		return found;
	}
	if (value->type != GODOT_OTHER)
		return NULL;
	return anim_text_is_word("Object RID Signal Callable Image InputEvent", value->text2.bytes) ? NULL : value;
}

int godot_read_entries(struct godot_clip_reader *reader, godot_visit *visit, void *context)
{
	struct godot_value key;
	int status = godot_text_dictionary(reader->text);

	if (status <= 0)
		return status < 0 ? -1 : 1;
	for (;;) {
		anim_arena_reset(&reader->element);
		status = godot_text_dictionary_next(reader->text, &reader->element, &key);
		if (status <= 0)
			return status;
		if (visit(reader, &key, context) != 0)
			return -1;
	}
}

int godot_read_elements(struct godot_clip_reader *reader, godot_visit *visit, void *context)
{
	struct godot_value value;
	int status = godot_text_array(reader->text);

	if (status < 0)
		return -1;
	if (status == 0) {
		struct godot_value array, element;
		size_t count;

		/* An array that is not "[" is read completely first. */
		if (godot_read_element(reader, &array) != 0)
			return -1;
		if (!godot_value_is_array(&array))
			return 1;
		count = godot_array_count(&array);
		for (size_t i = 0; i < count; i++) {
			godot_array_element(&array, i, &element);
			if (visit(reader, &element, context) != 0)
				return -1;
		}
		return 0;
	}
	while ((status = godot_text_array_next(reader->text)) == 1) {
		const struct godot_value *unknown;

		if (godot_read_element(reader, &value) != 0)
			return -1;
		/* Report words that Godot rejects. The clip then has an error, but reading continues. */
		unknown = unknown_word(&value);
		if (unknown != NULL) {
			struct anim_place place = reader->place;

			reader->place = unknown->place;
			status = godot_fault(reader, NULL, "unknown word '%.64s'", unknown->text2.bytes);
			reader->place = place;
			if (status != 0)
				return -1;
		}
		if (check_references(reader, &value) != 0 || visit(reader, &value, context) != 0)
			return -1;
	}
	return status;
}

/* ---- Rows of numbers: position, rotation, scale, blend shape, transform, Bezier ---- */

/* A row of a 3-D track: time, transition, then the components of one value or three. */
#define ROW_HEAD 2
#define VALUES_MAX 3

/* The values of a row. Each becomes a track. */
struct row_shape {
	struct row_value {
		uint8_t width; /* number of components; 0 after the last value */
		enum anim_type type;
		const char *property; /* NULL: the path names the blend shape */
	} value[VALUES_MAX];
};

static const struct row_shape row_shapes[GODOT_TRACK_TYPE_COUNT] = {
    [GODOT_TRACK_POSITION] = {{{3, ANIM_FLOAT3, "position"}}},
    [GODOT_TRACK_ROTATION] = {{{4, ANIM_FLOATQ, "rotation"}}},
    [GODOT_TRACK_SCALE] = {{{3, ANIM_FLOAT3, "scale"}}},
    [GODOT_TRACK_BLEND_SHAPE] = {{{1, ANIM_FLOAT, NULL}}},
    [GODOT_TRACK_TRANSFORM] = {{{3, ANIM_FLOAT3, "position"}, {4, ANIM_FLOATQ, "rotation"}, {3, ANIM_FLOAT3, "scale"}}},
};

void godot_keys_reset(struct godot_track_keys *keys)
{
	keys->track = GODOT_NO_TRACK;
	keys->n = 0;
	keys->update = GODOT_CONTINUOUS;
	keys->raw.size = keys->time.size = keys->ease.size = keys->modes.size = 0;
	for (size_t i = 0; i < GODOT_COMPONENTS; i++)
		keys->component[i].size = 0;
	column_reset(&keys->column);
}

/* Drop the transitions if all of them are 1. */
static void drop_plain_ease(struct godot_track_keys *keys)
{
	const float *ease = (const float *)(const void *)keys->ease.data;
	size_t count = keys->ease.size / sizeof *ease;
	unsigned other = 0;

	for (size_t i = 0; i < count; i++)
		other |= ease[i] != 1;
	if (other == 0)
		keys->ease.size = 0;
}

/* Copy components first..first+width of every row of `stride` floats. Returns 0 or -1. */
static int copy_components(const struct anim_buffer *raw, size_t n, size_t stride, size_t first, size_t width,
			   struct anim_buffer *out, struct anim_error *error)
{
	const float *from;
	float *to;

	out->size = 0;
	if (n == 0)
		return 0;
	from = (const float *)(const void *)raw->data + first;
	to = anim_buffer_extend(out, n * width * sizeof *to, error);
	if (to == NULL)
		return -1;
	switch (width) {
	case 1:
		for (size_t i = 0; i < n; i++)
			to[i] = from[i * stride];
		break;
	case 3:
		for (size_t i = 0; i < n; i++)
			memcpy(to + i * 3, from + i * stride, 3 * sizeof *to);
		break;
	default:
		for (size_t i = 0; i < n; i++)
			memcpy(to + i * 4, from + i * stride, 4 * sizeof *to);
		break;
	}
	return 0;
}

/* Read times, transitions and values from rows of numbers. */
static int read_rows(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	struct godot_track_keys *keys = &reader->keys;
	const struct row_value *value = row_shapes[head->type].value;
	size_t stride = ROW_HEAD, count, component = ROW_HEAD, n;
	int status = godot_read_floats(reader, &keys->raw);

	if (status < 0)
		return -1;
	for (size_t i = 0; i < VALUES_MAX; i++)
		stride += value[i].width;
	count = keys->raw.size / sizeof(float);
	if (status == 1)
		return godot_warn(reader, "track",
				  "'%s' (%s): no key is read, because the keys are not an array of numbers",
				  godot_head_label(head), godot_track_type_names[head->type]);
	if (count % stride != 0)
		return godot_warn(reader, "track",
				  "'%s': no key is read, because the last one is incomplete, as in Godot" ANIM_DETAIL
				  ": %zu numbers are not a multiple of %zu",
				  godot_head_label(head), count, stride);
	n = count / stride;
	if (copy_components(&keys->raw, n, stride, 0, 1, &keys->time, reader->error) != 0 ||
	    copy_components(&keys->raw, n, stride, 1, 1, &keys->ease, reader->error) != 0)
		return -1;
	for (size_t i = 0; i < VALUES_MAX && value[i].width > 0; component += value[i++].width)
		if (copy_components(&keys->raw, n, stride, component, value[i].width, &keys->component[i],
				    reader->error) != 0)
			return -1;
	drop_plain_ease(keys);
	keys->n = n;
	return 0;
}

/* Read one entry of the dictionary of a Bezier track. *context (unsigned) collects the entries seen. */
static int read_bezier_entry(struct godot_clip_reader *reader, const struct godot_value *key, void *context)
{
	static const char *const names[] = {"times", "points", "handle_modes"};
	struct anim_buffer *buffers[] = {&reader->keys.time, &reader->keys.raw, &reader->keys.ease};
	unsigned *seen = context;

	for (unsigned i = 0; i < 3; i++)
		if (godot_string_is(&key->text, names[i])) {
			*seen |= 1u << i;
			return godot_read_floats(reader, buffers[i]) < 0 ? -1 : 0;
		}
	return 0;
}

static int read_bezier(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	/* After the value, the file has in.x, in.y, out.x, out.y. The columns are in.y, out.y, in.x, out.x. */
	static const uint8_t order[GODOT_COMPONENTS] = {0, 2, 4, 1, 3};
	struct godot_track_keys *keys = &reader->keys;
	const float *mode;
	uint32_t *to;
	unsigned seen = 0;
	size_t times, points;

	if (godot_read_entries(reader, read_bezier_entry, &seen) < 0)
		return -1;
	times = keys->time.size / sizeof(float);
	points = keys->raw.size / sizeof(float);
	if ((seen & 3) != 3 || points != times * GODOT_COMPONENTS) {
		keys->ease.size = 0;
		return godot_warn(reader, "track",
				  "'%s': no key is read, because a Bezier track needs five numbers in 'points' for "
				  "each time, as in Godot" ANIM_DETAIL ": %zu times, %zu numbers",
				  godot_head_label(head), times, points);
	}
	for (size_t i = 0; i < GODOT_COMPONENTS; i++)
		if (copy_components(&keys->raw, times, GODOT_COMPONENTS, order[i], 1, &keys->component[i],
				    reader->error) != 0)
			return -1;
	keys->n = times;

	/* Convert the handle modes, which were read into `ease`. They are ignored unless there is one per key. */
	keys->modes.size = 0;
	if (keys->ease.size / sizeof *mode == times && times > 0) {
		to = anim_buffer_extend(&keys->modes, times * sizeof *to, reader->error);
		if (to == NULL)
			return -1;
		mode = (const float *)(const void *)keys->ease.data;
		for (size_t i = 0; i < times; i++)
			to[i] = mode[i] >= 0 && mode[i] < 256 ? (uint32_t)mode[i] : 0;
	}
	keys->ease.size = 0;
	return 0;
}

/* ---- Head and keys -> TRAK ---- */

const char *const godot_track_type_names[GODOT_TRACK_TYPE_COUNT] = {
    "unknown",   "value",  "position_3d", "rotation_3d", "scale_3d",  "blend_shape",
    "transform", "bezier", "method",      "audio",       "animation",
};

#define ATTRS_MAX 9

/* Columns without keys point to it. */
static const uint64_t nothing;

static const void *column_or_nothing(const struct anim_buffer *buffer)
{
	return buffer->size > 0 ? (const void *)buffer->data : (const void *)&nothing;
}

/* Properties of a track that only some tracks have. */
struct track_notes {
	const char *variant, *literal, *update;
	bool order;
	bool spatial; /* a component of `translation` */
};

/* Set the names, component and flags of the track from the target, and the notes. */
static void apply_target(const struct godot_target *target, struct anim_track *track, struct track_notes *notes)
{
	track->node = target->node;
	track->property = target->property;
	track->component = target->component;
	if (target->degrees)
		track->flags |= ANIM_DEGREES;
	notes->order = target->euler;
	notes->spatial = target->spatial && target->component != ANIM_WHOLE;
}

int64_t godot_default_interp(const struct anim_track *track)
{
	if (track->kind == ANIM_DISCRETE)
		return GODOT_INTERP_LINEAR;
	switch (track->interp) {
	case ANIM_HOLD:
		return GODOT_INTERP_NEAREST;
	case ANIM_CUBIC_TIME:
	case ANIM_CUBIC_UNIFORM:
		return GODOT_INTERP_CUBIC;
	case ANIM_LINEAR_ANGLE:
		return GODOT_INTERP_LINEAR_ANGLE;
	case ANIM_CUBIC_ANGLE:
		return GODOT_INTERP_CUBIC_ANGLE;
	default:
		return GODOT_INTERP_LINEAR;
	}
}

/* Set the attributes in the order of their keys. `number` is a buffer for the text of interp. Returns their count. */
static size_t fill_attrs(const struct godot_track_head *head, const struct anim_track *track,
			 const struct track_notes *notes, char number[24], struct anim_attr *attrs)
{
	size_t count = 0;

	if (head->imported)
		attrs[count++] = (struct anim_attr){"godot.imported", "true"};
	if (godot_default_interp(track) != head->interp) {
		snprintf(number, 24, "%lld", (long long)head->interp);
		attrs[count++] = (struct anim_attr){"godot.interp", number};
	}
	if (notes->spatial)
		attrs[count++] = (struct anim_attr){"godot.property", "translation"};
	if (head->type != GODOT_TRACK_UNKNOWN)
		attrs[count++] = (struct anim_attr){"godot.type", godot_track_type_names[head->type]};
	if (notes->update != NULL)
		attrs[count++] = (struct anim_attr){"godot.update", notes->update};
	if (head->has_blend)
		attrs[count++] = (struct anim_attr){"godot.use_blend", head->use_blend ? "true" : "false"};
	if (notes->variant != NULL)
		attrs[count++] = (struct anim_attr){"godot.variant", notes->variant};
	if (notes->literal != NULL)
		attrs[count++] = (struct anim_attr){"literal", notes->literal};
	if (notes->order)
		attrs[count++] = (struct anim_attr){"order", "YXZ"};
	return count;
}

/*
 * Set the parts of a track that every Godot track has (rules, flags, times, attributes), and pass the track to the
 * store. The caller has set kind, type, names, component, interp and value columns. A name beyond the limit is reported
 * as an error in the file. Returns 0 or -1.
 */
static int emit_track(struct godot_clip_reader *reader, const struct godot_track_head *head,
		      const struct godot_track_keys *keys, struct anim_track *track, const struct track_notes *notes)
{
	struct anim_attr attrs[ATTRS_MAX];
	char number[24];

	if (strlen(track->node) > ANIM_NAME_MAX || strlen(track->property) > ANIM_NAME_MAX)
		return godot_fault(reader, NULL, "a path of more than %u bytes", ANIM_NAME_MAX);
	/* Compressed keys are searched without a tolerance and never across the end of the clip. */
	if (track->rules == ANIM_RULES_PLAIN && head->compressed < 0)
		track->rules = godot_generation(reader) >= 4 ? ANIM_RULES_GODOT4 : ANIM_RULES_GODOT3;
	track->flags |= (head->loop_wrap ? ANIM_LOOP_WRAP_KEYS : 0) | (head->disabled ? ANIM_DISABLED : 0);
	track->n = keys->n;
	track->time = column_or_nothing(&keys->time);
	if (!anim_times_are_sorted(track->time, track->n))
		track->flags |= ANIM_UNSORTED;
	if (track->kind == ANIM_CURVE && keys->ease.size > 0)
		track->ease = (const float *)(const void *)keys->ease.data;
	if (keys->modes.size > 0)
		track->hint = (const uint32_t *)(const void *)keys->modes.data;
	/* it does not affect the values, so it is kept as a hint of the editor, bit by bit */
	else if (track->kind == ANIM_DISCRETE && keys->ease.size > 0)
		track->hint = (const uint32_t *)(const void *)keys->ease.data;
	if (track->type != ANIM_STRING && track->value == NULL)
		track->value = &nothing;
	track->attrs.items = attrs;
	track->attrs.count = fill_attrs(head, track, notes, number, attrs);
	if (anim_sink_track(anim_store_sink(reader->store), track, reader->error) != 0)
		return -1;
	reader->clip->tracks++;
	return 0;
}

int godot_events_store(struct godot_clip_reader *reader, const struct godot_track_head *head,
		       const struct godot_track_keys *keys, const char *property)
{
	struct track_notes notes = {0};
	struct anim_track track = {.kind = ANIM_DISCRETE, .type = ANIM_STRING};
	struct anim_strings strings;
	struct godot_target target;

	if (target_of_node(head->path, property, &reader->names, &target, reader->error) != 0)
		return -1;
	apply_target(&target, &track, &notes);
	anim_texts_view(&keys->column.texts, &strings);
	track.strings = &strings;
	return emit_track(reader, head, keys, &track, &notes);
}

/*
 * Return the mode of the stream for an interp number in this engine. Strings and values that cannot be interpolated are
 * held.
 */
static enum anim_interp curve_mode(int generation, int64_t interp, enum anim_type type, const char *literal)
{
	bool angle = generation >= 4 && (type == ANIM_FLOAT || type == ANIM_DOUBLE);

	if (interp <= GODOT_INTERP_NEAREST ||
	    interp > (generation >= 4 ? GODOT_INTERP_CUBIC_ANGLE : GODOT_INTERP_CUBIC))
		return ANIM_HOLD;
	if (literal != NULL && strcmp(literal, "StringName") != 0)
		return ANIM_HOLD;
	if (type == ANIM_STRING || interp == GODOT_INTERP_LINEAR)
		return ANIM_LINEAR;
	if (interp == GODOT_INTERP_LINEAR_ANGLE)
		return angle ? ANIM_LINEAR_ANGLE : ANIM_LINEAR;
	if (interp == GODOT_INTERP_CUBIC_ANGLE && angle)
		return ANIM_CUBIC_ANGLE;
	return generation >= 4 ? ANIM_CUBIC_TIME : ANIM_CUBIC_UNIFORM;
}

static int store_row_value(struct godot_clip_reader *reader, const struct godot_track_head *head,
			   const struct godot_track_keys *keys, size_t component, const struct row_value *value)
{
	struct track_notes notes = {0};
	struct anim_track track = {
	    .kind = ANIM_CURVE, .type = value->type, .value = column_or_nothing(&keys->component[component])};
	struct godot_target target;
	struct godot_string shape;
	const char *colon;
	int status, generation;

	if (value->property != NULL)
		status = target_of_node(head->path, value->property, &reader->names, &target, reader->error);
	else if ((status = split_path(head->path, &target, &shape, &reader->names, reader->error)) == 0)
		status = name_blend_shape(&target, shape.bytes, shape.length, &reader->names, reader->error);
	if (status != 0)
		return -1;
	if (head->type == GODOT_TRACK_TRANSFORM) {
		track.rules = ANIM_RULES_GODOT3;
		/* Godot 3 plays such a track on a bone relative to its rest pose, on a node as its transform. */
		colon = strchr(head->path, ':');
		if (colon != NULL && (size_t)(colon - head->path) < trimmed_length(head->path))
			track.flags = ANIM_REST_RELATIVE;
	}
	generation = track.rules == ANIM_RULES_GODOT3 ? 3 : godot_generation(reader);
	track.interp = (uint8_t)curve_mode(generation, head->interp, value->type, NULL);
	apply_target(&target, &track, &notes);
	return emit_track(reader, head, keys, &track, &notes);
}

static int store_rows(struct godot_clip_reader *reader, const struct godot_track_head *head,
		      struct godot_track_keys *keys)
{
	const struct row_value *value = row_shapes[head->type].value;

	for (size_t i = 0; i < VALUES_MAX && value[i].width > 0; i++)
		if (store_row_value(reader, head, keys, i, &value[i]) != 0)
			return -1;
	return 0;
}

static int store_bezier(struct godot_clip_reader *reader, const struct godot_track_head *head,
			struct godot_track_keys *keys)
{
	struct track_notes notes = {0};
	struct anim_track track = {.kind = ANIM_CURVE, .type = ANIM_FLOAT, .interp = ANIM_BEZIER_2D};
	struct godot_target target;

	if (godot_target_of_property(head->path, ANIM_FLOAT, &reader->names, &target, reader->error) != 0)
		return -1;
	track.value = column_or_nothing(&keys->component[0]);
	track.left = column_or_nothing(&keys->component[1]);
	track.right = column_or_nothing(&keys->component[2]);
	track.left_x = column_or_nothing(&keys->component[3]);
	track.right_x = column_or_nothing(&keys->component[4]);
	apply_target(&target, &track, &notes);
	return emit_track(reader, head, keys, &track, &notes);
}

const struct godot_keys_reader godot_row_keys = {read_rows, store_rows};

const struct godot_keys_reader godot_bezier_keys = {read_bezier, store_bezier};

/* ---- Value tracks ---- */

#define SAW_TIMES 1u
#define SAW_VALUES 2u
#define SAW_UPDATE 4u

/* Read one entry of the dictionary of a value track. *context (unsigned) collects the entries seen. */
static int read_value_entry(struct godot_clip_reader *reader, const struct godot_value *key, void *context)
{
	struct godot_track_keys *keys = &reader->keys;
	unsigned *seen = context;

	if (godot_string_is(&key->text, "times")) {
		*seen |= SAW_TIMES;
		return godot_read_floats(reader, &keys->time) < 0 ? -1 : 0;
	}
	if (godot_string_is(&key->text, "transitions"))
		return godot_read_floats(reader, &keys->ease) < 0 ? -1 : 0;
	if (godot_string_is(&key->text, "values")) {
		*seen |= SAW_VALUES;
		column_reset(&keys->column);
		return godot_read_elements(reader, column_add, &keys->column) < 0 ? -1 : 0;
	}
	if (godot_string_is(&key->text, "update") || godot_string_is(&key->text, "cont")) {
		struct godot_value value;

		/* `cont` is the oldest spelling, of Godot 2. `update` takes precedence. */
		if (godot_read_element(reader, &value) != 0)
			return -1;
		if (key->text.bytes[0] == 'c') {
			reader->saw_cont = true;
			if ((*seen & SAW_UPDATE) == 0)
				reader->keys.update = godot_to_bool(&value) ? GODOT_CONTINUOUS : GODOT_DISCRETE;
			return 0;
		}
		*seen |= SAW_UPDATE;
		reader->keys.update = godot_to_int(&value);
		if (reader->keys.update < 0)
			reader->keys.update = 0;
		if (reader->keys.update > 3)
			reader->keys.update = 3;
		return 0;
	}
	return 0;
}

static int read_values(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	unsigned seen = 0;
	int status = godot_read_entries(reader, read_value_entry, &seen);
	struct godot_track_keys *keys = &reader->keys;
	size_t times, values, eases;

	if (status > 0)
		return godot_warn(reader, "track",
				  "'%s': no key is read, because the keys are not a dictionary, as in Godot",
				  godot_head_label(head));
	if (status < 0)
		return -1;

	/*
	 * Check the sizes as Godot does. If an array is missing or the sizes differ, the track has no keys. Transitions
	 * of a different size are ignored.
	 */
	times = keys->time.size / sizeof(float);
	values = keys->column.n;
	eases = keys->ease.size / sizeof(float);
	if ((seen & SAW_TIMES) == 0 || (seen & SAW_VALUES) == 0 || times != values) {
		keys->time.size = keys->ease.size = 0;
		column_reset(&keys->column);
		if ((seen & (SAW_TIMES | SAW_VALUES)) != (SAW_TIMES | SAW_VALUES))
			return godot_warn(
			    reader, "track",
			    "'%s' (no %s): no key is read, because times or values are missing, as in Godot",
			    godot_head_label(head), (seen & SAW_TIMES) == 0 ? "times" : "values");
		return godot_warn(reader, "track",
				  "'%s' (%zu times, %zu values): no key is read, because the numbers of times and "
				  "values differ, as in Godot",
				  godot_head_label(head), times, values);
	}
	keys->n = times;
	if (eases != 0 && eases != times) {
		keys->ease.size = 0;
		return godot_warn(reader, "track",
				  "'%s' (%zu times, %zu transitions): the transitions are not read, because their "
				  "number differs, as in Godot",
				  godot_head_label(head), times, eases);
	}
	drop_plain_ease(keys);
	return 0;
}

/* Warn once for all tracks about values that Godot interpolates but the stream cannot. */
static int warn_of_held(struct godot_clip_reader *reader, const struct godot_track_head *head,
			const struct godot_track_keys *keys, const struct anim_track *track, const char *literal)
{
	if (literal == NULL || !keys->column.blends || track->kind == ANIM_DISCRETE || track->interp != ANIM_HOLD ||
	    head->interp <= GODOT_INTERP_NEAREST)
		return 0;
	if (strcmp(literal, "mixed") == 0)
		return godot_warn(reader, "track",
				  "'%s': values of several types are held, but Godot interpolates between some of them",
				  godot_head_label(head));
	return godot_warn(reader, "track", "'%s': arrays are held, but Godot interpolates them",
			  godot_head_label(head));
}

/* Store an AABB as two tracks, `P:position` and `P:size`. */
static int store_boxes(struct godot_clip_reader *reader, const struct godot_track_head *head,
		       struct godot_track_keys *keys, struct anim_track *track, const struct track_notes *notes)
{
	static const char *const parts[] = {":position", ":size"};
	const char *base = track->property;
	const float *from = (const float *)(const void *)keys->column.values.data;
	for (size_t part = 0; part < 2; part++) {
		const char *name = anim_arena_printf(&reader->names, reader->error, "%s%s", base, parts[part]);
		float *to;

		keys->component[0].size = 0;
		to = anim_buffer_extend(&keys->component[0], keys->n * 3 * sizeof *to, reader->error);
		if (name == NULL || to == NULL)
			return -1;
		for (size_t i = 0; i < keys->n; i++)
			memcpy(to + 3 * i, from + 6 * i + 3 * part, 3 * sizeof *to);
		track->property = name;
		track->value = to;
		if (emit_track(reader, head, keys, track, notes) != 0)
			return -1;
	}
	return 0;
}

/*
 * Ints among floats. The column has the type float, so a player interpolates between its keys, but between two ints
 * Godot shows only ints. Therefore such a segment is read as steps: keys that hold (transition 0). Every player then
 * shows the same.
 */
#define STEPS_MAX 1000u /* maximum per track; with more, segments stay straight lines */
/* Godot treats a time up to 1e-5 s before a key as its time, so shorter steps are not visible */
#define STEP_MIN_S 1e-4
#define PIECES 32 /* of a segment, in which steps are searched */

struct int_stairs {
	bool rounds; /* Godot rounds the whole track, because its first value is an int */
	struct godot_clip_reader *reader;
	struct godot_track_keys *keys;
	const uint8_t *integer;
	struct anim_clip clip;
	struct anim_track whole; /* the keys as if all were ints; correct between two keys that are */
	struct anim_sample_state state;
	struct anim_keys steps; /* the track with steps */
};

static double near_to(double t)
{
	return 1e-5 * fmax(1, t);
}

/* Round half away from zero, as Godot does. Far larger numbers than any track shows become 0. */
static double rounded(double number)
{
	return fabs(number) < 0x1p53 ? copysign(floor(fabs(number) + 0.5), number) : 0;
}

static int whole_at(struct int_stairs *s, double at, int64_t *out)
{
	uint8_t present;
	double real;

	if (!s->rounds)
		return anim_sample(&s->clip, &s->whole, &at, 1, out, &present, &s->state, s->reader->error);
	if (anim_sample(&s->clip, &s->whole, &at, 1, &real, &present, &s->state, s->reader->error) != 0)
		return -1;
	*out = (int64_t)rounded(real);
	return 0;
}

static int add_key(struct int_stairs *s, float t, double value, float ease)
{
	float narrow = (float)value;
	const void *element = s->steps.type == ANIM_DOUBLE ? (const void *)&value : (const void *)&narrow;

	if (anim_keys_add(&s->steps, t, element, ANIM_HOLD, s->reader->error) != 0)
		return -1;
	return anim_keys_set(&s->steps, ANIM_COLUMN_EASE, &ease, s->reader->error);
}

/*
 * Add a key whose value is visible from t on, as close as floats allow. It must not be late for a value that moves away
 * from zero, because it changes exactly at a half or a whole number. It must not be early for a value that moves
 * towards zero, because it changes just after.
 */
static int add_step(struct int_stairs *s, double t, int64_t before, int64_t value)
{
	float at = (float)(t + near_to(t));
	bool early = fabs((double)value) > fabs((double)before), seen = (double)at - t < near_to(t);

	if (early && !seen)
		at = nextafterf(at, 0);
	else if (!early && seen)
		at = nextafterf(at, INFINITY);
	return add_key(s, at, (double)value, 0);
}

/* Add the steps after `from`, where the value is a, up to `to`, where the value is b. */
static int add_steps(struct int_stairs *s, double from, int64_t a, double to, int64_t b)
{
	double middle = from + (to - from) / 2;
	int64_t between;

	if (a == b)
		return 0;
	if (to - from < 0x1p-44 * fmax(1, to))
		return add_step(s, to, a, b);
	if (whole_at(s, middle, &between) != 0 || add_steps(s, from, a, middle, between) != 0)
		return -1;
	return add_steps(s, middle, between, to, b);
}

/* Add the steps from one time to just before the other. */
static int add_stairs(struct int_stairs *s, float start, float end)
{
	double from = (double)start, to = (double)end - 2 * near_to((double)end), at;
	int64_t a, b;

	if (!(to > from))
		return 0;
	if (whole_at(s, from, &a) != 0)
		return -1;
	from = fmin(to, from + 2 * near_to(from)); /* an earlier step would be at the time of the key itself */
	/* Between two of these times a curve has at most one turning point that makes a step. */
	for (int i = 1; i <= PIECES; i++, from = at, a = b) {
		at = i == PIECES ? to : (double)start + (to - (double)start) * i / PIECES;
		if (whole_at(s, at, &b) != 0 || add_steps(s, from, a, at, b) != 0)
			return -1;
	}
	return 0;
}

/* Return the number that Godot shows at key k. */
static double number_at(const struct int_stairs *s, size_t k)
{
	double number = anim_component(s->steps.type, s->keys->column.values.data, k, 0);

	return s->rounds ? rounded(number) : number;
}

/* Return whether Godot wraps the numbers as angles, also at the keys. */
static bool is_wrapping(const struct int_stairs *s)
{
	return s->rounds && (s->whole.interp == ANIM_LINEAR_ANGLE || s->whole.interp == ANIM_CUBIC_ANGLE);
}

static bool is_stair(const struct int_stairs *s, size_t from, size_t to)
{
	if (s->rounds)
		return anim_track_interp(&s->whole, from) != ANIM_HOLD;
	return s->integer[from] && s->integer[to] && number_at(s, from) != number_at(s, to);
}

/* Return whether the player interpolates from the last key to the first. */
static bool is_wrapped(const struct int_stairs *s)
{
	size_t last = s->keys->n - 1;

	return s->clip.loop == ANIM_LOOP_WRAP && (s->whole.flags & ANIM_LOOP_WRAP_KEYS) != 0 &&
	       s->whole.time[last] <= s->clip.end_s && is_stair(s, last, 0);
}

/*
 * Decide whether there are steps, and whether they are few and slow enough to become keys. Returns 1, 0 if there are
 * none, or -1 if they are not.
 */
static int judge(const struct int_stairs *s)
{
	const float *t = s->whole.time;
	size_t n = s->keys->n;
	double steps = 0, most = s->steps.type == ANIM_DOUBLE ? 0x1p53 : 0x1p24;
	double most_distance = is_wrapping(s) ? ANIM_TAU + 2 : (double)INFINITY;

	for (size_t k = 0; k < n; k++) {
		size_t next = k + 1 < n ? k + 1 : 0;
		double distance = fmin(fabs(number_at(s, next) - number_at(s, k)), most_distance);
		double duration_s =
		    next > 0 ? (double)t[next] - (double)t[k] : (double)s->clip.end_s - (double)t[k] + (double)t[0];

		if (next > 0 ? !is_stair(s, k, next) : !is_wrapped(s))
			continue;
		steps += distance;
		if (!(distance * STEP_MIN_S <= duration_s) || fabs(number_at(s, k)) > most ||
		    fabs(number_at(s, next)) > most)
			return -1;
	}
	if (steps > STEPS_MAX || (steps > 0 && !anim_times_are_sorted(t, n)))
		return -1;
	return steps > 0 || s->rounds;
}

/* Build the track with steps. Returns 0 or -1. */
static int build(struct int_stairs *s)
{
	const float *t = s->whole.time, *ease = s->whole.ease;
	size_t n = s->keys->n;
	bool wrapped = is_wrapped(s);
	int64_t first;

	if (wrapped && t[0] > 0 &&
	    (whole_at(s, 0, &first) != 0 || add_key(s, 0, (double)first, 0) != 0 || add_stairs(s, 0, t[0]) != 0))
		return -1;
	for (size_t k = 0; k < n; k++) {
		bool stair = k + 1 < n ? is_stair(s, k, k + 1) : wrapped;
		int64_t shown = 0;

		if (is_wrapping(s) && whole_at(s, (double)t[k], &shown) != 0)
			return -1;
		if (add_key(s, t[k], is_wrapping(s) ? (double)shown : number_at(s, k),
			    stair          ? 0
			    : ease != NULL ? ease[k]
					   : 1) != 0 ||
		    (stair && add_stairs(s, t[k], k + 1 < n ? t[k + 1] : s->clip.end_s) != 0))
			return -1;
	}
	return 0;
}

static void swap(struct anim_buffer *a, struct anim_buffer *b)
{
	struct anim_buffer kept = *a;

	*a = *b;
	*b = kept;
}

/* Add keys for the steps that Godot shows, or warn if they are too many. Returns 0 or -1. */
static int add_int_steps(struct godot_clip_reader *reader, const struct godot_track_head *head,
			 struct godot_track_keys *keys, const struct anim_track *track)
{
	struct int_stairs s = {.reader = reader, .keys = keys, .steps.type = track->type};
	int64_t *whole;
	int result;

	if (keys->column.integer.size == 0 || keys->column.literal || keys->n < 2 || track->kind != ANIM_CURVE)
		return 0;
	s.integer = keys->column.integer.data;
	s.rounds = godot_generation(reader) >= 4 && s.integer[0];
	if (track->interp == ANIM_HOLD && !s.rounds)
		return 0;
	whole = anim_arena_zeroed(&reader->names, keys->n, sizeof *whole, reader->error);
	if (whole == NULL)
		return -1;
	for (size_t k = 0; k < keys->n; k++) {
		double number = anim_component(s.steps.type, keys->column.values.data, k, 0);

		if (s.rounds)
			memcpy(&whole[k], &number, sizeof number);
		else
			whole[k] = s.integer[k] && fabs(number) <= 0x1p53 ? (int64_t)number : 0;
	}
	s.clip.end_s = reader->clip->length_s;
	s.clip.loop = (uint8_t)reader->clip->loop_mode;
	s.whole = (struct anim_track){.kind = ANIM_CURVE,
				      .type = s.rounds ? ANIM_DOUBLE : ANIM_LONG,
				      .interp = s.rounds ? track->interp : ANIM_LINEAR,
				      .n = keys->n,
				      .flags = head->loop_wrap ? ANIM_LOOP_WRAP_KEYS : 0,
				      .time = (const float *)(const void *)keys->time.data,
				      .value = whole};
	s.whole.rules = godot_generation(reader) >= 4 ? ANIM_RULES_GODOT4 : ANIM_RULES_GODOT3;
	s.whole.ease = keys->ease.size > 0 ? (const float *)(const void *)keys->ease.data : NULL;

	result = judge(&s);
	if (result < 0 ||
	    (result > 0 && !s.rounds && track->interp != ANIM_LINEAR && track->interp != ANIM_LINEAR_ANGLE))
		result =
		    godot_warn(reader, "track", "'%s': ints among floats are interpolated, but Godot shows only ints",
			       godot_head_label(head));
	else if (result > 0 && (result = build(&s)) == 0) {
		keys->n = s.steps.n;
		swap(&keys->time, &s.steps.column[ANIM_COLUMN_TIME]);
		swap(&keys->ease, &s.steps.column[ANIM_COLUMN_EASE]);
		swap(&keys->column.values, &s.steps.column[ANIM_COLUMN_VALUE]);
	}
	anim_sample_state_clear(&s.state);
	anim_keys_clear(&s.steps);
	return result;
}

struct int_segment {
	double from, to, lasts_s;
};

/*
 * Return the segment after key k of a column of ints. After the last key, a loop continues at the first key, and
 * ping-pong returns to the last key. Before the first key (k: -1), ping-pong comes from the first key.
 */
static struct int_segment segment_of(const struct godot_clip_reader *reader, const struct godot_track_keys *keys,
				     ptrdiff_t k)
{
	const float *t = (const float *)(const void *)keys->time.data;
	const int64_t *v = (const int64_t *)(const void *)keys->column.values.data;
	ptrdiff_t last = (ptrdiff_t)keys->n - 1;
	double left = (double)reader->clip->length_s - (double)t[last];

	if (k >= 0 && k < last)
		return (struct int_segment){(double)v[k], (double)v[k + 1], (double)t[k + 1] - (double)t[k]};
	if (reader->clip->loop_mode == ANIM_LOOP_WRAP)
		return (struct int_segment){(double)v[last], (double)v[0], left + (double)t[0]};
	k = k < 0 ? 0 : last;
	return (struct int_segment){(double)v[k], (double)v[k], 2 * (k == 0 ? (double)t[0] : left)};
}

/*
 * Return whether a cubic could exceed 32 bits. It can reach at most the straight line of one segment, extended over the
 * neighbouring segment.
 */
static bool reaches_beyond(const struct int_segment *a, const struct int_segment *b)
{
	double share = b->lasts_s / a->lasts_s;

	return fabs(a->to + (a->to - a->from) * share) > INT32_MAX ||
	       fabs(b->from - (b->to - b->from) / share) > INT32_MAX;
}

/*
 * Widen the column if necessary. Ints in Godot have 64 bits, and a cubic through keys that fit into 32 bits may exceed
 * 32 bits.
 */
static void widen_cubics(struct godot_clip_reader *reader, const struct godot_track_head *head,
			 struct godot_track_keys *keys)
{
	struct godot_column *column = &keys->column;
	ptrdiff_t first = 0, last = (ptrdiff_t)keys->n - 2;

	if (column->kind != GODOT_INT || column->literal || column->integer.size > 0 || godot_generation(reader) < 4 ||
	    keys->update == GODOT_DISCRETE ||
	    (head->interp != GODOT_INTERP_CUBIC && head->interp != GODOT_INTERP_CUBIC_ANGLE))
		return;
	if (head->loop_wrap && reader->clip->loop_mode != ANIM_LOOP_NONE) {
		first = -1;
		last++;
	}
	for (ptrdiff_t k = first; k < last && keys->n > 1; k++) {
		struct int_segment a = segment_of(reader, keys, k);
		struct int_segment b = segment_of(reader, keys, k + 1);

		if (a.lasts_s > 0 && b.lasts_s > 0 && reaches_beyond(&a, &b))
			column->wide = true;
	}
}

/*
 * Record the type of the track and whether it matters, because the player gives a track the type that it has in another
 * clip. Returns 0 or -1.
 */
static int note_numbers(struct godot_clip_reader *reader, const struct godot_track_head *head,
			const struct godot_column *column, const struct anim_track *track)
{
	unsigned width = anim_types[track->type].components;
	struct godot_number_track *note;
	/* If all keys are ints, the engine interpolates ints in any case. */
	bool moves = false, differs = track->kind == ANIM_CURVE && anim_type_is_real(track->type);

	if (column->n == 0 || column->literal || column->kind == GODOT_BOOL || column->kind == GODOT_STRING)
		return 0;
	note = anim_arena_zeroed(reader->arena, 1, sizeof *note, reader->error);
	if (note == NULL)
		return -1;
	*note = (struct godot_number_track){.path = head->path, .next = reader->clip->numbers};
	note->ints = column->integer.size > 0 ? column->integer.data[0] != 0
					      : column->starts_with_ints || !anim_type_is_real(track->type);
	for (size_t k = 0; k < column->n && differs && !note->fractions; k++)
		for (unsigned i = 0; i < width; i++) {
			double number = anim_component(track->type, column->values.data, k, i);

			moves |= track->interp != ANIM_HOLD &&
				 number != anim_component(track->type, column->values.data, 0, i);
			note->fractions |= moves || number != floor(number);
		}
	reader->clip->numbers = note;
	return 0;
}

static int store_values(struct godot_clip_reader *reader, const struct godot_track_head *head,
			struct godot_track_keys *keys)
{
	struct godot_column *column = &keys->column;
	struct track_notes notes = {.literal = column->literal ? column->literal_name : NULL};
	struct anim_track track = {0};
	struct anim_strings strings;
	struct godot_target target;
	int generation = godot_generation(reader);
	bool trigger = generation < 4 && keys->update == GODOT_TRIGGER_3;

	if (column->n > 0 && !column->literal && godot_types[column->kind].variant)
		notes.variant = godot_types[column->kind].name;
	widen_cubics(reader, head, keys);
	track.type = column_finish(column);
	if (godot_target_of_property(head->path, track.type, &reader->names, &target, reader->error) != 0)
		return -1;
	if (target.dotted &&
	    godot_warn(reader, "track", "'%s': the end of the path is read as a component, which Godot spells ':x'",
		       godot_head_label(head)) != 0)
		return -1;

	/* Set kind and mode, and an attribute for an update mode that does not follow from them. */
	track.kind = keys->update == GODOT_DISCRETE || trigger ? ANIM_DISCRETE : ANIM_CURVE;
	if (track.kind == ANIM_CURVE && column->is_held)
		track.interp = ANIM_HOLD;
	else if (track.kind == ANIM_CURVE)
		track.interp = (uint8_t)curve_mode(generation, head->interp, track.type, notes.literal);
	if (trigger)
		notes.update = "trigger";
	else if (keys->update == (generation < 4 ? GODOT_CAPTURE_3 : GODOT_CAPTURE_4))
		notes.update = "capture";
	else if (keys->update == 3)
		notes.update = "3";

	if (note_numbers(reader, head, column, &track) != 0)
		return -1;
	/* Godot rounds all values to the type of the first, unless it only sets them at their keys. */
	if (column->starts_with_ints && track.kind == ANIM_CURVE)
		for (size_t i = 0; i < column->values.size / sizeof(float); i++) {
			float *number = (float *)(void *)column->values.data + i;

			*number = (float)rounded((double)*number);
		}
	if (warn_of_held(reader, head, keys, &track, notes.literal) != 0 ||
	    add_int_steps(reader, head, keys, &track) != 0)
		return -1;
	apply_target(&target, &track, &notes);
	if (track.type == ANIM_STRING) {
		anim_texts_view(&column->texts, &strings);
		track.strings = &strings;
	} else {
		track.value = column->values.data;
	}
	if (column->n > 0 && column->kind == GODOT_AABB && !column->literal)
		return store_boxes(reader, head, keys, &track, &notes);
	return emit_track(reader, head, keys, &track, &notes);
}

const struct godot_keys_reader godot_value_keys = {read_values, store_values};
