/* value.c: the values of Godot: their types, what they count as, and how Godot prints them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/number.h"
#include "format/godot/animation.h"
#include "format/godot/text_internal.h"
#include "format/godot/value.h"

/* ---- Words of the text, and types ---- */

/* Sorted by name, in the order of bytes. Old names: Godot 2 (Matrix32, RealArray ...) and 3 (Quat, Pool...). */
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

/* The number that a constructor has at place i is component map[i] of a track's value, whose matrices go row by row. */
static const uint8_t transform2d[] = {0, 3, 1, 4, 2, 5};
static const uint8_t transform3d[] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 3, 7, 11};
static const uint8_t projection[] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};

/* An AABB has six components while it is read and leaves as two float3 tracks. */
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
    [GODOT_BASIS] = {"Basis", "Basis", 9, 9, .type = ANIM_FLOAT3X3},
    [GODOT_TRANSFORM2D] = {"Transform2D", "Transform2D", 6, 9, .type = ANIM_FLOAT3X3, .variant = true,
			   .map = transform2d},
    [GODOT_TRANSFORM3D] = {"Transform3D", "Transform", 12, 16, .type = ANIM_FLOAT4X4, .map = transform3d},
    [GODOT_PROJECTION] = {"Projection", NULL, 16, 16, .type = ANIM_FLOAT4X4, .variant = true, .map = projection},
    [GODOT_COLOR] = {"Color", "Color", 4, 4, .type = ANIM_COLOR},
    [GODOT_ARRAY] = {.name = "Array"},
    [GODOT_DICTIONARY] = {.name = "Dictionary"},
    [GODOT_PACKED_BYTE] = {"PackedByteArray", "PoolByteArray", 1, .element = GODOT_INT},
    [GODOT_PACKED_INT32] = {"PackedInt32Array", "PoolIntArray", 1, .element = GODOT_INT},
    [GODOT_PACKED_INT64] = {"PackedInt64Array", "PoolIntArray", 1, .element = GODOT_INT},
    [GODOT_PACKED_FLOAT32] = {"PackedFloat32Array", "PoolRealArray", 1, .element = GODOT_FLOAT},
    [GODOT_PACKED_FLOAT64] = {"PackedFloat64Array", "PoolRealArray", 1, .element = GODOT_FLOAT},
    [GODOT_PACKED_STRING] = {"PackedStringArray", "PoolStringArray", .element = GODOT_STRING},
    [GODOT_PACKED_VECTOR2] = {"PackedVector2Array", "PoolVector2Array", 2, .element = GODOT_VECTOR2},
    [GODOT_PACKED_VECTOR3] = {"PackedVector3Array", "PoolVector3Array", 3, .element = GODOT_VECTOR3},
    [GODOT_PACKED_VECTOR4] = {"PackedVector4Array", NULL, 4, .element = GODOT_VECTOR4},
    [GODOT_PACKED_COLOR] = {"PackedColorArray", "PoolColorArray", 4, .element = GODOT_COLOR},
    [GODOT_SUB_RESOURCE] = {.name = "Object"},
    [GODOT_EXT_RESOURCE] = {.name = "Object"},
    [GODOT_RESOURCE] = {.name = "Object"},
    [GODOT_OTHER] = {.name = "Object"},
};

bool godot_type_is_packed(enum godot_type type)
{
	return type >= GODOT_PACKED_BYTE && type <= GODOT_PACKED_COLOR;
}

/* ---- What Godot makes of a value where another type is wanted, and the elements of arrays ---- */

/* Room for a number's text and the bytes behind it that the number reader may look at. */
#define NUMBER_TEXT 256
#define NUMBER_SLACK 64

/* The number that a text begins with, as String.to_float finds it; 0 where there is none. */
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

struct numbered_key {
	const struct godot_value *key;
	size_t pair;
};

static int compare_size(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int compare_bytes(const void *a, size_t a_size, const void *b, size_t b_size)
{
	size_t size = a_size < b_size ? a_size : b_size;
	int order = size > 0 ? memcmp(a, b, size) : 0;

	return order != 0 ? order : compare_size(a_size, b_size);
}

static int compare_strings(const struct godot_string *a, const struct godot_string *b)
{
	return compare_bytes(a->bytes, a->length, b->bytes, b->length);
}

/* A StringName is the same key as the String. */
static enum godot_type key_class(enum godot_type type)
{
	return type == GODOT_STRING_NAME ? GODOT_STRING : type;
}

static size_t item_size(enum godot_type type)
{
	return type == GODOT_PACKED_BYTE ? 1 : 8;
}

static int compare_keys(const struct godot_value *a, const struct godot_value *b);

static int compare_lists(const struct godot_value *a, size_t a_count, const struct godot_value *b, size_t b_count)
{
	int order = compare_size(a_count, b_count);

	for (size_t i = 0; order == 0 && i < a_count; i++)
		order = compare_keys(&a[i], &b[i]);
	return order;
}

static int compare_string_lists(const struct godot_value *a, const struct godot_value *b)
{
	const struct godot_string *x = a->items, *y = b->items;
	int order = compare_size(a->count, b->count);

	for (size_t i = 0; order == 0 && i < a->count; i++)
		order = compare_strings(&x[i], &y[i]);
	return order;
}

/* A total order of values whose 0 is equality of keys: same type (no 1 == 1.0), same bits. */
static int compare_keys(const struct godot_value *a, const struct godot_value *b)
{
	enum godot_type type = key_class(a->type);
	int order = compare_size(type, key_class(b->type));

	if (order != 0)
		return order;
	switch (type) {
	case GODOT_NIL:
		return 0;
	case GODOT_BOOL:
		return a->boolean - b->boolean;
	case GODOT_INT:
		return a->integer < b->integer ? -1 : a->integer > b->integer;
	case GODOT_FLOAT:
		return memcmp(&a->number, &b->number, sizeof a->number);
	case GODOT_ARRAY:
		return compare_lists(a->items, a->count, b->items, b->count);
	case GODOT_DICTIONARY:
		return compare_lists(a->items, 2 * a->count, b->items, 2 * b->count);
	case GODOT_PACKED_STRING:
		return compare_string_lists(a, b);
	default:
		if (type >= GODOT_VECTOR2 && type <= GODOT_COLOR)
			return compare_bytes(a->numbers, a->count * 8, b->numbers, b->count * 8);
		if (godot_type_is_packed(type))
			return compare_bytes(a->items, a->count * item_size(type), b->items,
					     b->count * item_size(type));
		order = compare_strings(&a->text, &b->text);
		return order != 0 ? order : compare_strings(&a->text2, &b->text2);
	}
}

static int by_key_and_pair(const void *a, const void *b)
{
	const struct numbered_key *x = a, *y = b;
	int order = compare_keys(x->key, y->key);

	return order != 0 ? order : compare_size(x->pair, y->pair);
}

/* The pairs that stay are moved together; those marked in `gone` (their `pair` there) are left out. */
static size_t close_up(struct godot_value *items, size_t pairs, const bool *gone)
{
	size_t kept = 0;

	for (size_t i = 0; i < pairs; i++)
		if (!gone[i]) {
			memmove(&items[2 * kept], &items[2 * i], 2 * sizeof *items);
			kept++;
		}
	return kept;
}

int godot_dictionary_settle(struct godot_value *items, size_t *pairs, struct anim_error *error)
{
	struct numbered_key *keys;
	bool *gone;
	size_t i, first = 0;
	int result = -1;

	if (*pairs < 2)
		return 0;
	keys = malloc(*pairs * sizeof *keys);
	gone = calloc(*pairs, sizeof *gone);
	if (keys == NULL || gone == NULL) {
		anim_fail_memory(error);
		goto done;
	}
	for (i = 0; i < *pairs; i++)
		keys[i] = (struct numbered_key){&items[2 * i], i};
	qsort(keys, *pairs, sizeof *keys, by_key_and_pair);
	for (i = 1; i < *pairs; i++) {
		if (compare_keys(keys[i].key, keys[first].key) != 0) {
			first = i;
			continue;
		}
		items[2 * keys[first].pair + 1] = items[2 * keys[i].pair + 1];
		gone[keys[i].pair] = true;
	}
	*pairs = close_up(items, *pairs, gone);
	result = 0;
done:
	free(keys);
	free(gone);
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
