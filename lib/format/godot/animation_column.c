/* animation_column.c: values of any Variant type -> one typed column. */
#include "format/godot/animation_column.h"

#include <string.h>

#include "base/limits.h"
#include "format/godot/animation_internal.h"

#define LANES_MAX 16
#define ZERO (-1)
#define ONE (-2)

/* How a constructor's numbers lie in the stream: lane k is number map[k], or a constant; no map: as they are. */
struct shape {
	enum anim_type type;
	uint8_t numbers, lanes;
	bool integers;
	const char *variant; /* where the type does not say it */
	const int8_t *map;
};

static const int8_t transform2d_map[] = {0, 2, 4, 1, 3, 5, ZERO, ZERO, ONE};
static const int8_t transform3d_map[] = {0, 1, 2, 9, 3, 4, 5, 10, 6, 7, 8, 11, ZERO, ZERO, ZERO, ONE};
static const int8_t projection_map[] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};

/* An AABB has six lanes here and leaves as two float3 tracks. */
static const struct shape shapes[GODOT_TYPE_COUNT] = {
    [GODOT_VECTOR2] = {ANIM_FLOAT2, 2, 2, false, NULL, NULL},
    [GODOT_VECTOR2I] = {ANIM_INT2, 2, 2, true, NULL, NULL},
    [GODOT_VECTOR3] = {ANIM_FLOAT3, 3, 3, false, NULL, NULL},
    [GODOT_VECTOR3I] = {ANIM_INT3, 3, 3, true, NULL, NULL},
    [GODOT_VECTOR4] = {ANIM_FLOAT4, 4, 4, false, NULL, NULL},
    [GODOT_VECTOR4I] = {ANIM_INT4, 4, 4, true, NULL, NULL},
    [GODOT_RECT2] = {ANIM_FLOAT4, 4, 4, false, "Rect2", NULL},
    [GODOT_RECT2I] = {ANIM_INT4, 4, 4, true, "Rect2i", NULL},
    [GODOT_PLANE] = {ANIM_FLOAT4, 4, 4, false, "Plane", NULL},
    [GODOT_QUATERNION] = {ANIM_FLOATQ, 4, 4, false, NULL, NULL},
    [GODOT_AABB] = {ANIM_FLOAT3, 6, 6, false, "AABB", NULL},
    [GODOT_BASIS] = {ANIM_FLOAT3X3, 9, 9, false, NULL, NULL},
    [GODOT_TRANSFORM2D] = {ANIM_FLOAT3X3, 6, 9, false, "Transform2D", transform2d_map},
    [GODOT_TRANSFORM3D] = {ANIM_FLOAT4X4, 12, 16, false, NULL, transform3d_map},
    [GODOT_PROJECTION] = {ANIM_FLOAT4X4, 16, 16, false, "Projection", projection_map},
    [GODOT_COLOR] = {ANIM_COLOR, 4, 4, false, NULL, NULL},
};

void godot_column_reset(struct godot_column *column)
{
	struct godot_column kept = {.values = column->values, .integer = column->integer, .texts = column->texts};

	kept.values.size = kept.integer.size = 0;
	anim_texts_reset(&kept.texts);
	*column = kept;
}

void godot_column_clear(struct godot_column *column)
{
	anim_buffer_clear(&column->values);
	anim_buffer_clear(&column->integer);
	anim_texts_clear(&column->texts);
	*column = (struct godot_column){0};
}

/* The name of a Variant type as GDScript spells it; resources and objects are "Object". */
static const char *variant_name(const struct godot_value *value)
{
	static const char *const others[] = {"RID", "Signal", "Callable"};

	for (size_t i = 0; value->type == GODOT_OTHER && i < sizeof others / sizeof *others; i++)
		if (godot_string_is(&value->text2, others[i]))
			return others[i];
	return godot_type_name(value->type);
}

/* Types that Godot interpolates: BOOL to STRING_NAME in its own order, arrays, packed arrays but those of bytes. */
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

/* A double as Godot puts it into 32 bits: cut to 64, then wrapped. */
static int32_t wrapped_int32(double number)
{
	int64_t whole;

	if (!(number >= -9223372036854775808.0 && number < 9223372036854775808.0))
		return INT32_MIN;
	whole = (int64_t)number;
	return (int32_t)(uint32_t)(uint64_t)whole;
}

static int add_lanes(struct godot_column *column, const struct godot_value *value, struct anim_error *error)
{
	const struct shape *shape = &shapes[value->type];
	uint8_t *out = anim_buffer_extend(&column->values, shape->lanes * sizeof(float), error);

	if (out == NULL)
		return -1;
	for (size_t k = 0; k < shape->lanes; k++) {
		int from = shape->map != NULL ? shape->map[k] : (int)k;
		double number = from == ZERO                  ? 0
				: from == ONE                 ? 1
				: (size_t)from < value->count ? value->numbers[from]
							      : 0;
		int32_t whole = shape->integers ? wrapped_int32(number) : 0;
		float real = (float)number;

		memcpy(out + k * sizeof real, shape->integers ? (const void *)&whole : (const void *)&real,
		       sizeof real);
	}
	return 0;
}

/* An int or a float in 8 bytes; once both came, a byte each tells which it is. */
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
	return add_lanes(column, value, error);
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

/* Value i of a column of numbers or lanes, as it was in the file. */
static void value_at(const struct godot_column *column, size_t i, double numbers[LANES_MAX], struct godot_value *value)
{
	const struct shape *shape = &shapes[column->kind];
	const uint8_t *at = column->values.data;

	*value = (struct godot_value){.type = column->kind, .numbers = numbers, .count = shape->numbers};
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
	at += i * shape->lanes * sizeof(float);
	for (size_t k = 0; k < shape->lanes; k++) {
		int to = shape->map != NULL ? shape->map[k] : (int)k;
		int32_t whole;
		float real;

		memcpy(&whole, at + k * sizeof whole, sizeof whole);
		memcpy(&real, at + k * sizeof real, sizeof real);
		if (to >= 0)
			numbers[to] = shape->integers ? whole : (double)real;
	}
}

/* What has been added becomes literals. */
static int make_literals(struct godot_column *column, struct anim_error *error)
{
	struct anim_texts plain = column->texts;
	struct anim_strings strings;
	int result = 0;

	anim_texts_view(&plain, &strings);
	column->texts = (struct anim_texts){0};
	for (size_t i = 0; i < column->n && result == 0; i++) {
		double numbers[LANES_MAX] = {0};
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

static bool is_literal(enum godot_type type)
{
	return type != GODOT_BOOL && !is_number(type) && type != GODOT_STRING && shapes[type].lanes == 0;
}

int godot_column_add(struct godot_column *column, const struct godot_value *value, struct anim_error *error)
{
	bool same = value->type == column->kind || (is_number(value->type) && is_number(column->kind));

	if (column->n == 0) {
		column->kind = value->type;
		column->literal = is_literal(value->type);
		same = true;
	} else if (blend(column->last, value->type)) {
		column->blends = true;
	}
	if (!same && !column->literal && make_literals(column, error) != 0)
		return -1;
	if ((column->literal ? add_literal : add_typed)(column, value, error) != 0)
		return -1;
	column->last = value->type;
	column->n++;
	return 0;
}

/* Slots of 8 bytes become float or double; ints among them are converted. */
static enum anim_type finish_floats(struct godot_column *column)
{
	double *wide = (double *)(void *)column->values.data;
	float *narrow = (float *)(void *)column->values.data;

	for (size_t i = 0; i < column->n; i++) {
		double number;
		int64_t integer;

		memcpy(&number, &wide[i], sizeof number);
		memcpy(&integer, &wide[i], sizeof integer);
		if (column->integer.size > 0 && column->integer.data[i])
			number = (double)integer;
		if (column->inexact)
			memcpy(&wide[i], &number, sizeof number);
		else
			narrow[i] = (float)number;
	}
	return column->inexact ? ANIM_DOUBLE : ANIM_FLOAT;
}

static enum anim_type finish_ints(struct godot_column *column)
{
	for (size_t i = 0; i < column->n && !column->wide; i++) {
		int64_t wide;
		int32_t narrow;

		memcpy(&wide, column->values.data + 8 * i, sizeof wide);
		narrow = (int32_t)wide;
		memcpy(column->values.data + 4 * i, &narrow, sizeof narrow);
	}
	return column->wide ? ANIM_LONG : ANIM_INT;
}

enum anim_type godot_column_finish(struct godot_column *column)
{
	if (column->n == 0)
		return ANIM_FLOAT;
	if (column->literal || column->kind == GODOT_STRING)
		return ANIM_STRING;
	if (column->kind == GODOT_BOOL)
		return ANIM_BOOL;
	if (!is_number(column->kind))
		return shapes[column->kind].type;
	return column->kind == GODOT_INT && column->integer.size == 0 ? finish_ints(column) : finish_floats(column);
}

const char *godot_column_variant(const struct godot_column *column)
{
	return column->n > 0 && !column->literal ? shapes[column->kind].variant : NULL;
}
