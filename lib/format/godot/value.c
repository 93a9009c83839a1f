/* value.c: Godot values: their types, conversions and dictionaries. */
#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/map.h"
#include "base/number.h"
#include "format/godot/value.h"

/* ---- Words in text files, and types ---- */

/* Sorted by name, by bytes. The old names are from Godot 2 (Matrix32, RealArray ...) and 3 (Quat, Pool...). */
static const struct godot_word words[] = {
    {"-inf", GODOT_FLOAT, -(double)INFINITY},
    {"AABB", GODOT_AABB, 0},
    {"Array", GODOT_ARRAY, 0},
    {"Basis", GODOT_BASIS, 0},
    {"ByteArray", GODOT_PACKED_BYTE, 0},
    {"Color", GODOT_COLOR, 0},
    {"ColorArray", GODOT_PACKED_COLOR, 0},
    {"Dictionary", GODOT_DICTIONARY, 0},
    {"ExtResource", GODOT_EXT_RESOURCE, 0},
    {"FloatArray", GODOT_PACKED_FLOAT32, 0},
    {"IntArray", GODOT_PACKED_INT32, 0},
    {"Matrix3", GODOT_BASIS, 0},
    {"Matrix32", GODOT_TRANSFORM2D, 0},
    {"NodePath", GODOT_NODE_PATH, 0},
    {"PackedByteArray", GODOT_PACKED_BYTE, 0},
    {"PackedColorArray", GODOT_PACKED_COLOR, 0},
    {"PackedFloat32Array", GODOT_PACKED_FLOAT32, 0},
    {"PackedFloat64Array", GODOT_PACKED_FLOAT64, 0},
    {"PackedInt32Array", GODOT_PACKED_INT32, 0},
    {"PackedInt64Array", GODOT_PACKED_INT64, 0},
    {"PackedIntArray", GODOT_PACKED_INT32, 0},
    {"PackedRealArray", GODOT_PACKED_FLOAT32, 0},
    {"PackedStringArray", GODOT_PACKED_STRING, 0},
    {"PackedVector2Array", GODOT_PACKED_VECTOR2, 0},
    {"PackedVector3Array", GODOT_PACKED_VECTOR3, 0},
    {"PackedVector4Array", GODOT_PACKED_VECTOR4, 0},
    {"Plane", GODOT_PLANE, 0},
    {"PoolByteArray", GODOT_PACKED_BYTE, 0},
    {"PoolColorArray", GODOT_PACKED_COLOR, 0},
    {"PoolIntArray", GODOT_PACKED_INT32, 0},
    {"PoolRealArray", GODOT_PACKED_FLOAT32, 0},
    {"PoolStringArray", GODOT_PACKED_STRING, 0},
    {"PoolVector2Array", GODOT_PACKED_VECTOR2, 0},
    {"PoolVector3Array", GODOT_PACKED_VECTOR3, 0},
    {"PoolVector4Array", GODOT_PACKED_VECTOR4, 0},
    {"Projection", GODOT_PROJECTION, 0},
    {"Quat", GODOT_QUATERNION, 0},
    {"Quaternion", GODOT_QUATERNION, 0},
    {"RealArray", GODOT_PACKED_FLOAT32, 0},
    {"Rect2", GODOT_RECT2, 0},
    {"Rect2i", GODOT_RECT2I, 0},
    {"Rect3", GODOT_AABB, 0},
    {"Resource", GODOT_RESOURCE, 0},
    {"StringArray", GODOT_PACKED_STRING, 0},
    {"SubResource", GODOT_SUB_RESOURCE, 0},
    {"Transform", GODOT_TRANSFORM3D, 0},
    {"Transform2D", GODOT_TRANSFORM2D, 0},
    {"Transform3D", GODOT_TRANSFORM3D, 0},
    {"Vector2", GODOT_VECTOR2, 0},
    {"Vector2Array", GODOT_PACKED_VECTOR2, 0},
    {"Vector2i", GODOT_VECTOR2I, 0},
    {"Vector3", GODOT_VECTOR3, 0},
    {"Vector3Array", GODOT_PACKED_VECTOR3, 0},
    {"Vector3i", GODOT_VECTOR3I, 0},
    {"Vector4", GODOT_VECTOR4, 0},
    {"Vector4Array", GODOT_PACKED_VECTOR4, 0},
    {"Vector4i", GODOT_VECTOR4I, 0},
    {"false", GODOT_BOOL, 0},
    {"inf", GODOT_FLOAT, (double)INFINITY},
    {"inf_neg", GODOT_FLOAT, -(double)INFINITY},
    {"nan", GODOT_FLOAT, (double)NAN},
    {"nil", GODOT_NIL, 0},
    {"null", GODOT_NIL, 0},
    {"true", GODOT_BOOL, 1},
};

const struct godot_word *godot_word_find(const char *text, size_t length)
{
	size_t low = 0, high = ANIM_COUNT(words), middle;
	int order;

	while (low < high) {
		middle = (low + high) / 2;
		order = length > 0 ? words[middle].name[0] - text[0] : 0;
		if (order == 0)
			order = strncmp(words[middle].name, text, length);
		if (order == 0 && words[middle].name[length] != '\0')
			order = 1;
		if (order == 0)
			return &words[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

bool godot_word_is_constant(const struct godot_word *word)
{
	return word != NULL && word->type <= GODOT_FLOAT;
}

int godot_word_unknown(const char *text, size_t length, const struct anim_place *place, struct anim_error *error)
{
	return anim_fail_at(error, ANIM_BAD_INPUT, place, "unknown word '%.*s'", (int)(length < 64 ? length : 64),
			    text);
}

/* Number i of a constructor is component map[i] of the value of a track, whose matrices are stored row by row. */
static const uint8_t transform2d[] = {0, 3, 1, 4, 2, 5};
static const uint8_t transform3d[] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 3, 7, 11};
static const uint8_t projection[] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};

/* An AABB has six components during reading, and becomes two float3 tracks. */
const struct godot_type_info godot_types[GODOT_TYPE_COUNT] = {
    [GODOT_NIL] = {.name = "Nil"},
    [GODOT_BOOL] = {.name = "bool"},
    [GODOT_INT] = {.name = "int"},
    [GODOT_FLOAT] = {.name = "float"},
    [GODOT_STRING] = {.name = "String"},
    [GODOT_STRING_NAME] = {.name = "StringName"},
    [GODOT_NODE_PATH] = {.name = "NodePath"},
    [GODOT_VECTOR2] = {"Vector2", "Vector2", 2, 2, .type = ANIM_FLOAT2},
    [GODOT_VECTOR2I] = {"Vector2i", "Vector2", 2, 2, .type = ANIM_INT2},
    [GODOT_VECTOR3] = {"Vector3", "Vector3", 3, 3, .type = ANIM_FLOAT3},
    [GODOT_VECTOR3I] = {"Vector3i", "Vector3", 3, 3, .type = ANIM_INT3},
    [GODOT_VECTOR4] = {"Vector4", NULL, 4, 4, .type = ANIM_FLOAT4},
    [GODOT_VECTOR4I] = {"Vector4i", NULL, 4, 4, .type = ANIM_INT4},
    [GODOT_RECT2] = {"Rect2", "Rect2", 4, 4, .type = ANIM_FLOAT4, .variant = true},
    [GODOT_RECT2I] = {"Rect2i", "Rect2", 4, 4, .type = ANIM_INT4, .variant = true},
    [GODOT_PLANE] = {"Plane", "Plane", 4, 4, .type = ANIM_FLOAT4, .variant = true},
    [GODOT_QUATERNION] = {"Quaternion", "Quat", 4, 4, .type = ANIM_FLOATQ},
    [GODOT_AABB] = {"AABB", "AABB", 6, 6, .type = ANIM_FLOAT3, .variant = true},
    [GODOT_BASIS] = {"Basis", "Basis", 9, 9, .type = ANIM_FLOAT3X3, .name2 = "Matrix3"},
    [GODOT_TRANSFORM2D] = {"Transform2D", "Transform2D", 6, 9, .type = ANIM_FLOAT3X3, .variant = true,
			   .map = transform2d, .name2 = "Matrix32"},
    [GODOT_TRANSFORM3D] = {"Transform3D", "Transform", 12, 16, .type = ANIM_FLOAT4X4, .map = transform3d},
    [GODOT_PROJECTION] = {"Projection", NULL, 16, 16, .type = ANIM_FLOAT4X4, .variant = true, .map = projection},
    [GODOT_COLOR] = {"Color", "Color", 4, 4, .type = ANIM_COLOR},
    [GODOT_ARRAY] = {.name = "Array"},
    [GODOT_DICTIONARY] = {.name = "Dictionary"},
    [GODOT_PACKED_BYTE] = {"PackedByteArray", "PoolByteArray", 1, .element = GODOT_INT, .name2 = "ByteArray"},
    [GODOT_PACKED_INT32] = {"PackedInt32Array", "PoolIntArray", 1, .element = GODOT_INT, .name2 = "IntArray"},
    [GODOT_PACKED_INT64] = {"PackedInt64Array", "PoolIntArray", 1, .element = GODOT_INT, .name2 = "IntArray"},
    [GODOT_PACKED_FLOAT32] = {"PackedFloat32Array", "PoolRealArray", 1, .element = GODOT_FLOAT, .name2 = "FloatArray"},
    [GODOT_PACKED_FLOAT64] = {"PackedFloat64Array", "PoolRealArray", 1, .element = GODOT_FLOAT, .name2 = "FloatArray"},
    [GODOT_PACKED_STRING] = {"PackedStringArray", "PoolStringArray", .element = GODOT_STRING, .name2 = "StringArray"},
    [GODOT_PACKED_VECTOR2] = {"PackedVector2Array", "PoolVector2Array", 2, .element = GODOT_VECTOR2,
			      .name2 = "Vector2Array"},
    [GODOT_PACKED_VECTOR3] = {"PackedVector3Array", "PoolVector3Array", 3, .element = GODOT_VECTOR3,
			      .name2 = "Vector3Array"},
    [GODOT_PACKED_VECTOR4] = {"PackedVector4Array", NULL, 4, .element = GODOT_VECTOR4},
    [GODOT_PACKED_COLOR] = {"PackedColorArray", "PoolColorArray", 4, .element = GODOT_COLOR, .name2 = "ColorArray"},
    [GODOT_SUB_RESOURCE] = {.name = "Object"},
    [GODOT_EXT_RESOURCE] = {.name = "Object"},
    [GODOT_RESOURCE] = {.name = "Object"},
    [GODOT_OTHER] = {.name = "Object"},
};

bool godot_type_is_packed(enum godot_type type)
{
	return type >= GODOT_PACKED_BYTE && type <= GODOT_PACKED_COLOR;
}

/* ---- Conversions of values to other types, and elements of arrays ---- */

/* Buffer sizes: the text of a number, and the bytes after it that the number parser may look at. */
#define NUMBER_TEXT 256
#define NUMBER_SLACK 64

/* Return the number at the start of a text, as String.to_float finds it, or 0. */
static double text_to_double(const struct godot_string *text)
{
	char copy[NUMBER_TEXT + NUMBER_SLACK] = {0};
	size_t skip = 0, length;
	double value = 0;

	while (skip < text->length && (unsigned char)text->bytes[skip] <= ' ')
		skip++;
	if (skip < text->length && text->bytes[skip] == '+')
		skip++;
	length = text->length - skip < NUMBER_TEXT ? text->length - skip : NUMBER_TEXT;
	memcpy(copy, text->bytes + skip, length);
	return anim_number_double(copy, copy + length, &value) != NULL ? value : 0;
}

static bool is_text(const struct godot_value *value)
{
	return value->type == GODOT_STRING || value->type == GODOT_STRING_NAME || value->type == GODOT_NODE_PATH;
}

double godot_to_double(const struct godot_value *value)
{
	switch (value->type) {
	case GODOT_BOOL:
		return value->boolean ? 1 : 0;
	case GODOT_INT:
		return (double)value->integer;
	case GODOT_FLOAT:
		return value->number;
	default:
		return is_text(value) ? text_to_double(&value->text) : 0;
	}
}

int64_t godot_to_int(const struct godot_value *value)
{
	double number;

	if (value->type == GODOT_INT)
		return value->integer;
	number = godot_to_double(value);
	if (!(number >= -0x1p63))
		return INT64_MIN;
	return number < 0x1p63 ? (int64_t)number : INT64_MAX;
}

bool godot_to_bool(const struct godot_value *value)
{
	if (is_text(value))
		return value->text.length > 0;
	return godot_to_double(value) != 0;
}

const char *godot_to_text(const struct godot_value *value)
{
	return is_text(value) && value->text.length > 0 ? value->text.bytes : "";
}

bool godot_exact_float32(double number)
{
	char text[ANIM_NUMBER_MAX + NUMBER_SLACK] = {0};
	double back = 0;
	size_t length;

	if (isnan(number) || isinf(number))
		return true;
	if (fabs(number) < 0x1p24 && number == trunc(number))
		return true;
	if (fabs(number) > 0x1.fffffep127)
		return false;
	length = anim_number_print_float(text, (float)number);
	return anim_number_double(text, text + length, &back) != NULL && back == number;
}

size_t godot_array_count(const struct godot_value *array)
{
	unsigned components = godot_types[array->type].numbers;

	return !godot_value_is_array(array) ? 0 : components > 1 ? array->count / components : array->count;
}

void godot_array_element(const struct godot_value *array, size_t i, struct godot_value *element)
{
	const struct godot_type_info *info = &godot_types[array->type];

	*element = (struct godot_value){.type = info->element, .place = array->place};
	if (array->type == GODOT_ARRAY) {
		*element = ((const struct godot_value *)array->items)[i];
	} else if (info->element == GODOT_STRING) {
		element->text = ((const struct godot_string *)array->items)[i];
	} else if (info->element == GODOT_INT) {
		element->integer = array->type == GODOT_PACKED_BYTE ? ((const uint8_t *)array->items)[i]
								    : ((const int64_t *)array->items)[i];
	} else if (info->element == GODOT_FLOAT) {
		element->number = ((const double *)array->items)[i];
		element->float_is_exact32 = godot_exact_float32(element->number);
	} else {
		element->numbers = (double *)array->items + i * info->numbers;
		element->count = info->numbers;
	}
}

const char *godot_full_name(const char *library, const char *name, struct anim_arena *arena, struct anim_error *error)
{
	return library[0] == '\0' ? name : anim_arena_printf(arena, error, "%s/%s", library, name);
}

/* ---- Dictionaries ---- */

/* A StringName is the same key as the String with its text. */
static enum godot_type key_class(enum godot_type type)
{
	return type == GODOT_STRING_NAME ? GODOT_STRING : type;
}

static int append_text(struct anim_buffer *bytes, const struct godot_string *text, struct anim_error *error)
{
	if (anim_buffer_append(bytes, &text->length, sizeof text->length, error) != 0)
		return -1;
	return anim_buffer_append(bytes, text->bytes, text->length, error);
}

/*
 * Append bytes that are equal only for equal keys: of the same type (1 differs from 1.0), and with the same bits.
 * Returns 0 or -1.
 */
static int append_key(struct anim_buffer *bytes, const struct godot_value *key, struct anim_error *error)
{
	const uint64_t head[] = {key_class(key->type), key->count};
	const struct godot_value *items = key->items;
	const struct godot_string *strings = key->items;
	size_t parts = key->type == GODOT_DICTIONARY ? 2 * key->count : key->count;
	int result = anim_buffer_append(bytes, head, sizeof head, error);

	switch (key->type) {
	case GODOT_NIL:
		return result;
	case GODOT_BOOL:
		return result != 0 ? -1 : anim_buffer_append(bytes, &key->boolean, sizeof key->boolean, error);
	case GODOT_INT:
		return result != 0 ? -1 : anim_buffer_append(bytes, &key->integer, sizeof key->integer, error);
	case GODOT_FLOAT:
		return result != 0 ? -1 : anim_buffer_append(bytes, &key->number, sizeof key->number, error);
	case GODOT_ARRAY:
	case GODOT_DICTIONARY:
		for (size_t i = 0; i < parts && result == 0; i++)
			result = append_key(bytes, &items[i], error);
		return result;
	case GODOT_PACKED_STRING:
		for (size_t i = 0; i < parts && result == 0; i++)
			result = append_text(bytes, &strings[i], error);
		return result;
	default:
		if (result != 0)
			return -1;
		if (key->type >= GODOT_VECTOR2 && key->type <= GODOT_COLOR)
			return anim_buffer_append(bytes, key->numbers, key->count * sizeof *key->numbers, error);
		if (godot_type_is_packed(key->type))
			return anim_buffer_append(bytes, key->items,
						  key->count * (key->type == GODOT_PACKED_BYTE ? 1 : 8), error);
		return append_text(bytes, &key->text, error) != 0 ? -1 : append_text(bytes, &key->text2, error);
	}
}

#define FEW_PAIRS 16

/* Return true for a small number of different texts, the usual case, which needs no map. */
static bool are_few_texts(const struct godot_value *items, size_t pairs)
{
	for (size_t i = 0; i < pairs; i++) {
		const struct godot_string *text = &items[2 * i].text;

		if (pairs > FEW_PAIRS || !godot_value_is_name(&items[2 * i]))
			return false;
		for (size_t k = 0; k < i; k++)
			if (items[2 * k].text.length == text->length &&
			    memcmp(items[2 * k].text.bytes, text->bytes, text->length) == 0)
				return false;
	}
	return true;
}

int godot_dictionary_unique(struct godot_value *items, size_t *pairs, struct anim_error *error)
{
	struct anim_map seen = {0};
	struct anim_arena arena = {0};
	struct anim_buffer key = {0};
	size_t count = *pairs, kept = 0;
	int result = 0;

	if (are_few_texts(items, count))
		return 0;
	for (size_t i = 0; i < count && result == 0; i++) {
		const struct godot_value *pair = &items[2 * i];
		uint32_t first;
		char *copy;

		key.size = 0;
		if (append_key(&key, pair, error) != 0) {
			result = -1;
		} else if (anim_map_get(&seen, 0, key.data, key.size, &first)) {
			items[2 * (size_t)first + 1] = pair[1];
		} else {
			copy = anim_arena_text(&arena, (const char *)key.data, key.size, error);
			result = copy == NULL ? -1 : anim_map_put(&seen, 0, copy, key.size, (uint32_t)kept, error);
			memmove(&items[2 * kept++], pair, 2 * sizeof *items);
		}
	}
	*pairs = kept;
	anim_map_clear(&seen);
	anim_arena_clear(&arena);
	anim_buffer_clear(&key);
	return result;
}

bool godot_value_is_name(const struct godot_value *value)
{
	return value->type == GODOT_STRING || value->type == GODOT_STRING_NAME;
}

bool godot_value_is_array(const struct godot_value *value)
{
	return value->type == GODOT_ARRAY || godot_type_is_packed(value->type);
}

bool godot_string_is(const struct godot_string *string, const char *text)
{
	size_t length = strlen(text);

	return string->length == length && (length == 0 || memcmp(string->bytes, text, length) == 0);
}

const struct godot_value *godot_dictionary_get(const struct godot_value *dictionary, const char *key)
{
	const struct godot_value *items = dictionary->items;

	if (dictionary->type != GODOT_DICTIONARY)
		return NULL;
	for (size_t i = 0; i < dictionary->count; i++)
		if (key_class(items[2 * i].type) == GODOT_STRING && godot_string_is(&items[2 * i].text, key))
			return &items[2 * i + 1];
	return NULL;
}

bool godot_value_number(const struct godot_value *value, double *number)
{
	if (value->type != GODOT_BOOL && value->type != GODOT_INT && value->type != GODOT_FLOAT)
		return false;
	*number = godot_to_double(value);
	return true;
}
