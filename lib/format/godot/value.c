/* value.c: the values of Godot: their types, what they count as, and how Godot prints them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "format/godot/animation.h"
#include "format/godot/text_internal.h"
#include "format/godot/value.h"

/* --- Words of the text, and types --- */

/* Sorted by name, in the order of bytes. Old names: Godot 2 (Matrix32, RealArray ...) and 3 (Quat, Pool...). */
static const struct godot_word words[] = {
    {"-inf", GODOT_WORD_MINUS_INF, GODOT_FLOAT, 0},
    {"AABB", GODOT_WORD_NUMBERS, GODOT_AABB, 6},
    {"Array", GODOT_WORD_ARRAY, GODOT_ARRAY, 0},
    {"Basis", GODOT_WORD_NUMBERS, GODOT_BASIS, 9},
    {"ByteArray", GODOT_WORD_PACKED, GODOT_PACKED_BYTE, 1},
    {"Color", GODOT_WORD_NUMBERS, GODOT_COLOR, 4},
    {"ColorArray", GODOT_WORD_PACKED, GODOT_PACKED_COLOR, 4},
    {"Dictionary", GODOT_WORD_DICTIONARY, GODOT_DICTIONARY, 0},
    {"ExtResource", GODOT_WORD_ID, GODOT_EXT_RESOURCE, 0},
    {"FloatArray", GODOT_WORD_PACKED, GODOT_PACKED_FLOAT32, 1},
    {"IntArray", GODOT_WORD_PACKED, GODOT_PACKED_INT32, 1},
    {"Matrix3", GODOT_WORD_NUMBERS, GODOT_BASIS, 9},
    {"Matrix32", GODOT_WORD_NUMBERS, GODOT_TRANSFORM2D, 6},
    {"NodePath", GODOT_WORD_NODE_PATH, GODOT_NODE_PATH, 0},
    {"PackedByteArray", GODOT_WORD_PACKED, GODOT_PACKED_BYTE, 1},
    {"PackedColorArray", GODOT_WORD_PACKED, GODOT_PACKED_COLOR, 4},
    {"PackedFloat32Array", GODOT_WORD_PACKED, GODOT_PACKED_FLOAT32, 1},
    {"PackedFloat64Array", GODOT_WORD_PACKED, GODOT_PACKED_FLOAT64, 1},
    {"PackedInt32Array", GODOT_WORD_PACKED, GODOT_PACKED_INT32, 1},
    {"PackedInt64Array", GODOT_WORD_PACKED, GODOT_PACKED_INT64, 1},
    {"PackedIntArray", GODOT_WORD_PACKED, GODOT_PACKED_INT32, 1},
    {"PackedRealArray", GODOT_WORD_PACKED, GODOT_PACKED_FLOAT32, 1},
    {"PackedStringArray", GODOT_WORD_STRINGS, GODOT_PACKED_STRING, 0},
    {"PackedVector2Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR2, 2},
    {"PackedVector3Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR3, 3},
    {"PackedVector4Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR4, 4},
    {"Plane", GODOT_WORD_NUMBERS, GODOT_PLANE, 4},
    {"PoolByteArray", GODOT_WORD_PACKED, GODOT_PACKED_BYTE, 1},
    {"PoolColorArray", GODOT_WORD_PACKED, GODOT_PACKED_COLOR, 4},
    {"PoolIntArray", GODOT_WORD_PACKED, GODOT_PACKED_INT32, 1},
    {"PoolRealArray", GODOT_WORD_PACKED, GODOT_PACKED_FLOAT32, 1},
    {"PoolStringArray", GODOT_WORD_STRINGS, GODOT_PACKED_STRING, 0},
    {"PoolVector2Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR2, 2},
    {"PoolVector3Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR3, 3},
    {"PoolVector4Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR4, 4},
    {"Projection", GODOT_WORD_NUMBERS, GODOT_PROJECTION, 16},
    {"Quat", GODOT_WORD_NUMBERS, GODOT_QUATERNION, 4},
    {"Quaternion", GODOT_WORD_NUMBERS, GODOT_QUATERNION, 4},
    {"RealArray", GODOT_WORD_PACKED, GODOT_PACKED_FLOAT32, 1},
    {"Rect2", GODOT_WORD_NUMBERS, GODOT_RECT2, 4},
    {"Rect2i", GODOT_WORD_INTEGERS, GODOT_RECT2I, 4},
    {"Rect3", GODOT_WORD_NUMBERS, GODOT_AABB, 6},
    {"Resource", GODOT_WORD_RESOURCE, GODOT_RESOURCE, 0},
    {"StringArray", GODOT_WORD_STRINGS, GODOT_PACKED_STRING, 0},
    {"SubResource", GODOT_WORD_ID, GODOT_SUB_RESOURCE, 0},
    {"Transform", GODOT_WORD_NUMBERS, GODOT_TRANSFORM3D, 12},
    {"Transform2D", GODOT_WORD_NUMBERS, GODOT_TRANSFORM2D, 6},
    {"Transform3D", GODOT_WORD_NUMBERS, GODOT_TRANSFORM3D, 12},
    {"Vector2", GODOT_WORD_NUMBERS, GODOT_VECTOR2, 2},
    {"Vector2Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR2, 2},
    {"Vector2i", GODOT_WORD_INTEGERS, GODOT_VECTOR2I, 2},
    {"Vector3", GODOT_WORD_NUMBERS, GODOT_VECTOR3, 3},
    {"Vector3Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR3, 3},
    {"Vector3i", GODOT_WORD_INTEGERS, GODOT_VECTOR3I, 3},
    {"Vector4", GODOT_WORD_NUMBERS, GODOT_VECTOR4, 4},
    {"Vector4Array", GODOT_WORD_PACKED, GODOT_PACKED_VECTOR4, 4},
    {"Vector4i", GODOT_WORD_INTEGERS, GODOT_VECTOR4I, 4},
    {"false", GODOT_WORD_FALSE, GODOT_BOOL, 0},
    {"inf", GODOT_WORD_INF, GODOT_FLOAT, 0},
    {"inf_neg", GODOT_WORD_MINUS_INF, GODOT_FLOAT, 0},
    {"nan", GODOT_WORD_NAN, GODOT_FLOAT, 0},
    {"nil", GODOT_WORD_NIL, GODOT_NIL, 0},
    {"null", GODOT_WORD_NIL, GODOT_NIL, 0},
    {"true", GODOT_WORD_TRUE, GODOT_BOOL, 0},
};

const struct godot_word *godot_word_find(const char *text, size_t length)
{
	size_t low = 0, high = sizeof words / sizeof words[0], middle;
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
	return word != NULL && word->kind <= GODOT_WORD_NAN;
}

int godot_word_unknown(const char *text, size_t length, const struct anim_place *place, struct anim_error *error)
{
	return anim_fail_at(error, ANIM_BAD_INPUT, place, "unknown word '%.*s'", (int)(length < 64 ? length : 64),
			    text);
}

const char *godot_type_name(enum godot_type type)
{
	static const char *const names[GODOT_TYPE_COUNT] = {
	    [GODOT_NIL] = "Nil",
	    [GODOT_BOOL] = "bool",
	    [GODOT_INT] = "int",
	    [GODOT_FLOAT] = "float",
	    [GODOT_STRING] = "String",
	    [GODOT_STRING_NAME] = "StringName",
	    [GODOT_NODE_PATH] = "NodePath",
	    [GODOT_VECTOR2] = "Vector2",
	    [GODOT_VECTOR2I] = "Vector2i",
	    [GODOT_VECTOR3] = "Vector3",
	    [GODOT_VECTOR3I] = "Vector3i",
	    [GODOT_VECTOR4] = "Vector4",
	    [GODOT_VECTOR4I] = "Vector4i",
	    [GODOT_RECT2] = "Rect2",
	    [GODOT_RECT2I] = "Rect2i",
	    [GODOT_PLANE] = "Plane",
	    [GODOT_QUATERNION] = "Quaternion",
	    [GODOT_AABB] = "AABB",
	    [GODOT_BASIS] = "Basis",
	    [GODOT_TRANSFORM2D] = "Transform2D",
	    [GODOT_TRANSFORM3D] = "Transform3D",
	    [GODOT_PROJECTION] = "Projection",
	    [GODOT_COLOR] = "Color",
	    [GODOT_ARRAY] = "Array",
	    [GODOT_DICTIONARY] = "Dictionary",
	    [GODOT_PACKED_BYTE] = "PackedByteArray",
	    [GODOT_PACKED_INT32] = "PackedInt32Array",
	    [GODOT_PACKED_INT64] = "PackedInt64Array",
	    [GODOT_PACKED_FLOAT32] = "PackedFloat32Array",
	    [GODOT_PACKED_FLOAT64] = "PackedFloat64Array",
	    [GODOT_PACKED_STRING] = "PackedStringArray",
	    [GODOT_PACKED_VECTOR2] = "PackedVector2Array",
	    [GODOT_PACKED_VECTOR3] = "PackedVector3Array",
	    [GODOT_PACKED_VECTOR4] = "PackedVector4Array",
	    [GODOT_PACKED_COLOR] = "PackedColorArray",
	    [GODOT_SUB_RESOURCE] = "Object",
	    [GODOT_EXT_RESOURCE] = "Object",
	    [GODOT_RESOURCE] = "Object",
	    [GODOT_OTHER] = "Object",
	};

	return names[type];
}

/* --- What Godot makes of a value where another type is wanted, and the elements of arrays --- */

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
	switch (array->type) {
	case GODOT_PACKED_VECTOR2:
		return array->count / 2;
	case GODOT_PACKED_VECTOR3:
		return array->count / 3;
	case GODOT_PACKED_VECTOR4:
	case GODOT_PACKED_COLOR:
		return array->count / 4;
	default:
		return godot_value_is_array(array) ? array->count : 0;
	}
}

static void vector_element(const struct godot_value *array, size_t i, enum godot_type type, size_t lanes,
			   struct godot_value *element)
{
	element->type = type;
	element->numbers = (double *)array->items + i * lanes;
	element->count = lanes;
}

void godot_array_element(const struct godot_value *array, size_t i, struct godot_value *element)
{
	*element = (struct godot_value){.place = array->place};
	switch (array->type) {
	case GODOT_ARRAY:
		*element = ((const struct godot_value *)array->items)[i];
		break;
	case GODOT_PACKED_BYTE:
		element->type = GODOT_INT;
		element->integer = ((const uint8_t *)array->items)[i];
		break;
	case GODOT_PACKED_INT32:
	case GODOT_PACKED_INT64:
		element->type = GODOT_INT;
		element->integer = ((const int64_t *)array->items)[i];
		break;
	case GODOT_PACKED_FLOAT32:
	case GODOT_PACKED_FLOAT64:
		element->type = GODOT_FLOAT;
		element->number = ((const double *)array->items)[i];
		element->float_is_exact32 = godot_exact_float32(element->number);
		break;
	case GODOT_PACKED_STRING:
		element->type = GODOT_STRING;
		element->text = ((const struct godot_string *)array->items)[i];
		break;
	case GODOT_PACKED_VECTOR2:
		vector_element(array, i, GODOT_VECTOR2, 2, element);
		break;
	case GODOT_PACKED_VECTOR3:
		vector_element(array, i, GODOT_VECTOR3, 3, element);
		break;
	case GODOT_PACKED_VECTOR4:
		vector_element(array, i, GODOT_VECTOR4, 4, element);
		break;
	case GODOT_PACKED_COLOR:
		vector_element(array, i, GODOT_COLOR, 4, element);
		break;
	default:
		break;
	}
}

/* --- Dictionaries --- */

struct numbered_key {
	const struct godot_value *key;
	size_t pair;
};

static int compare_size(size_t a, size_t b)
{
	return a < b ? -1 : a > b;
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
		if (type >= GODOT_PACKED_BYTE && type <= GODOT_PACKED_COLOR)
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
	return value->type == GODOT_ARRAY || (value->type >= GODOT_PACKED_BYTE && value->type <= GODOT_PACKED_COLOR);
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
	switch (value->type) {
	case GODOT_BOOL:
		*number = value->boolean;
		return true;
	case GODOT_INT:
		*number = (double)value->integer;
		return true;
	case GODOT_FLOAT:
		*number = value->number;
		return true;
	default:
		return false;
	}
}

/* --- Numbers: the shortest text, or a count of digits as older engines have it --- */

/* 0.d1d2d3... * 10^point, without zeros at either end. */
struct decimal {
	char digits[ANIM_NUMBER_MAX];
	int count, point;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Takes a printed number apart: "-12.5e-3" and the like, not 0. */
static void take_apart(const char *text, size_t length, struct decimal *decimal)
{
	int64_t exponent = 0;
	bool fraction = false;

	decimal->count = decimal->point = 0;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == 'e' || text[i] == 'E') {
			i += text[i + 1] == '+' ? 2 : 1;
			anim_number_int64(text + i, text + length, &exponent);
			break;
		}
		if (text[i] == '.')
			fraction = true;
		if (!is_digit(text[i]))
			continue;
		if (decimal->count > 0 || text[i] != '0')
			decimal->digits[decimal->count++] = text[i];
		decimal->point += fraction ? -(decimal->count == 0) : decimal->count > 0;
	}
	decimal->point += (int)exponent;
	while (decimal->count > 0 && decimal->digits[decimal->count - 1] == '0')
		decimal->count--;
}

#define POWER_EXACT 22    /* 10^22 is the last power of ten that a double holds exactly */
#define SPLIT 134217729.0 /* 2^27 + 1: Veltkamp's, halves a double's digits */

static void split(double x, double *high, double *low)
{
	double c = SPLIT * x;

	*high = c - (c - x);
	*low = x - *high;
}

/*
 * The sign of value - digits for digits that are the shortest text of the value: Dekker's exact product of the value and
 * a power of ten against the digits as a whole number. 0 where they are the same, or out of the range of exact powers.
 */
static int side_of(double value, const struct decimal *decimal)
{
	double whole = 0, power = 1, product, value_high, value_low, power_high, power_low, rest;
	int shift = decimal->count - decimal->point;

	if (shift <= 0 || shift > POWER_EXACT)
		return 0;
	for (int i = 0; i < decimal->count; i++)
		whole = whole * 10 + (decimal->digits[i] - '0');
	for (int i = 0; i < shift; i++)
		power *= 10;
	value = fabs(value);
	product = value * power;
	split(value, &value_high, &value_low);
	split(power, &power_high, &power_low);
	rest = ((value_high * power_high - product) + value_high * power_low + value_low * power_high) +
	       value_low * power_low;
	rest += product - whole;
	return (rest > 0) - (rest < 0);
}

/* Up or down at `digits` digits, as C's printf: by the value itself where the text stands in the middle, then to even. */
static bool rounds_up(double value, const struct decimal *decimal, int digits)
{
	char next = decimal->digits[digits];
	int side;

	if (next != '5' || decimal->count > digits + 1)
		return next >= '5';
	side = side_of(value, decimal);
	return side != 0 ? side > 0 : (decimal->digits[digits - 1] - '0') % 2 != 0;
}

static void round_to(double value, struct decimal *decimal, int digits)
{
	bool up;

	if (decimal->count <= digits)
		return;
	up = rounds_up(value, decimal, digits);
	decimal->count = digits;
	while (up && decimal->count > 0 && decimal->digits[decimal->count - 1] == '9')
		decimal->count--;
	if (up && decimal->count == 0) {
		decimal->digits[decimal->count++] = '1';
		decimal->point++;
	} else if (up) {
		decimal->digits[decimal->count - 1]++;
	}
	while (decimal->count > 1 && decimal->digits[decimal->count - 1] == '0')
		decimal->count--;
}

static char *put_digits(char *at, const char *bytes, int count)
{
	memcpy(at, bytes, (size_t)count);
	return at + count;
}

static char *put_zeros(char *at, int count)
{
	for (int i = 0; i < count; i++)
		*at++ = '0';
	return at;
}

/* d.ddde-05: at least two digits of exponent, always a sign. */
static char *put_scientific(char *at, const struct decimal *decimal)
{
	int exponent = decimal->point - 1, size = abs(exponent);

	*at++ = decimal->digits[0];
	if (decimal->count > 1)
		*at++ = '.';
	at = put_digits(at, decimal->digits + 1, decimal->count - 1);
	*at++ = 'e';
	*at++ = exponent < 0 ? '-' : '+';
	if (size >= 100)
		*at++ = (char)('0' + size / 100);
	*at++ = (char)('0' + size / 10 % 10);
	*at++ = (char)('0' + size % 10);
	return at;
}

/* Plain from 1e-4 up to below 10^most. */
static char *put_decimal(char *at, const struct decimal *decimal, int most)
{
	int point = decimal->point, count = decimal->count;

	if (point <= -4 || point > most)
		return put_scientific(at, decimal);
	if (point <= 0) {
		at = put_zeros(put_digits(at, "0.", 2), -point);
		return put_digits(at, decimal->digits, count);
	}
	if (count <= point)
		return put_zeros(put_digits(at, decimal->digits, count), point - count);
	at = put_digits(at, decimal->digits, point);
	*at++ = '.';
	return put_digits(at, decimal->digits + point, count - point);
}

/* The notations agree from 1e-4 up to here: most numbers of most files. */
#define PLAIN_FROM 1e-4
#define PLAIN_BELOW 1e15

size_t godot_real_print(char *text, double value, bool narrow, unsigned digits)
{
	char shortest[ANIM_NUMBER_MAX + ANIM_NUMBER_MAX] = {0}, *at = text;
	struct decimal decimal;
	size_t length;

	if (narrow)
		value = (double)(float)value;
	if (value == 0 || value != value || isinf(value)) {
		const char *word = value == 0 ? "0" : value != value ? "nan" : value < 0 ? "-inf" : "inf";

		length = strlen(word);
		memcpy(text, word, length);
		return length;
	}
	if (digits == 0 && fabs(value) >= PLAIN_FROM && fabs(value) < PLAIN_BELOW)
		return anim_number_print_grisu2(text, value, narrow);
	length =
	    digits == 0 ? anim_number_print_grisu2(shortest, value, narrow) : anim_number_print_double(shortest, value);
	memset(shortest + length, 0, sizeof shortest - length);
	take_apart(shortest, length, &decimal);
	if (digits > 0)
		round_to(value, &decimal, (int)digits);
	if (value < 0)
		*at++ = '-';
	return (size_t)(put_decimal(at, &decimal, digits > 0 ? (int)digits : 15) - text);
}

/* --- Values as Godot 4.5 and later print them --- */

/* with quotes */
static int base64_print(struct anim_buffer *out, const uint8_t *bytes, size_t size, struct anim_error *error)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t four[4];
	uint32_t bits;

	if (anim_buffer_append(out, "\"", 1, error) != 0)
		return -1;
	for (size_t i = 0; i < size; i += 3) {
		bits = (uint32_t)bytes[i] << 16;
		bits |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
		bits |= i + 2 < size ? (uint32_t)bytes[i + 2] : 0;
		for (int k = 0; k < 4; k++)
			four[k] = (uint8_t)alphabet[bits >> (18 - 6 * k) & 63];
		if (i + 2 >= size)
			four[3] = '=';
		if (i + 1 >= size)
			four[2] = '=';
		if (anim_buffer_append(out, four, sizeof four, error) != 0)
			return -1;
	}
	return anim_buffer_append(out, "\"", 1, error);
}

#define BASE64_FROM 65 /* byte arrays of so many bytes are written as base64 */

static int put(struct anim_buffer *out, const char *text, struct anim_error *error)
{
	return anim_buffer_append(out, text, strlen(text), error);
}

static int put_real(struct anim_buffer *out, double value, bool narrow, struct anim_error *error)
{
	char text[GODOT_REAL_MAX];

	if (narrow)
		value = (float)value;
	return anim_buffer_append(out, text, godot_real_print(text, value, narrow, 0), error);
}

/* A number by itself must not look like an int. */
static int put_float(struct anim_buffer *out, double value, struct anim_error *error)
{
	size_t from = out->size;

	if (put_real(out, value, false, error) != 0)
		return -1;
	for (size_t i = from; i < out->size; i++)
		if (strchr(".einf", out->data[i]) != NULL)
			return 0;
	return put(out, ".0", error);
}

static int put_int(struct anim_buffer *out, int64_t value, struct anim_error *error)
{
	char text[ANIM_NUMBER_MAX];

	return anim_buffer_append(out, text, anim_number_print_int64(text, value), error);
}

/* Godot's \a and \v are left out: its own reader loses them. */
const char *godot_escape_of(char c, bool multiline)
{
	static const char from[] = "\\\"\b\t\n\f\r'";
	static const char *const to[] = {"\\\\", "\\\"", "\\b", "\\t", "\\n", "\\f", "\\r", "\\'"};
	const char *found = memchr(from, c, multiline ? 2 : sizeof from - 1);

	return found != NULL ? to[found - from] : NULL;
}

/* Strings keep their line ends (multiline), names and paths do not. */
static int put_quoted(struct anim_buffer *out, const struct godot_string *string, bool multiline,
		      struct anim_error *error)
{
	size_t plain = 0;
	const char *escape;

	if (put(out, "\"", error) != 0)
		return -1;
	for (size_t i = 0; i < string->length; i++) {
		escape = godot_escape_of(string->bytes[i], multiline);
		if (escape == NULL)
			continue;
		if (anim_buffer_append(out, string->bytes + plain, i - plain, error) != 0 ||
		    put(out, escape, error) != 0)
			return -1;
		plain = i + 1;
	}
	if (anim_buffer_append(out, string->bytes + plain, string->length - plain, error) != 0)
		return -1;
	return put(out, "\"", error);
}

/* word("text") or word("text", "text2"). */
static int put_call(struct anim_buffer *out, const char *word, const struct godot_string *first,
		    const struct godot_string *second, struct anim_error *error)
{
	if (put(out, word, error) != 0 || put(out, "(", error) != 0 || put_quoted(out, first, false, error) != 0)
		return -1;
	if (second != NULL && (put(out, ", ", error) != 0 || put_quoted(out, second, false, error) != 0))
		return -1;
	return put(out, ")", error);
}

static bool holds_integers(enum godot_type type)
{
	return type == GODOT_VECTOR2I || type == GODOT_VECTOR3I || type == GODOT_VECTOR4I || type == GODOT_RECT2I;
}

static int put_numbers(struct anim_buffer *out, const struct godot_value *value, struct anim_error *error)
{
	for (size_t i = 0; i < value->count; i++) {
		if (i > 0 && put(out, ", ", error) != 0)
			return -1;
		if (holds_integers(value->type) ? put_int(out, (int64_t)value->numbers[i], error) != 0
						: put_real(out, value->numbers[i], true, error) != 0)
			return -1;
	}
	return 0;
}

static int put_item(struct anim_buffer *out, const struct godot_value *value, size_t i, struct anim_error *error)
{
	switch (value->type) {
	case GODOT_PACKED_BYTE:
		return put_int(out, ((const uint8_t *)value->items)[i], error);
	case GODOT_PACKED_INT32:
	case GODOT_PACKED_INT64:
		return put_int(out, ((const int64_t *)value->items)[i], error);
	case GODOT_PACKED_STRING:
		return put_quoted(out, &((const struct godot_string *)value->items)[i], false, error);
	default:
		return put_real(out, ((const double *)value->items)[i], value->type != GODOT_PACKED_FLOAT64, error);
	}
}

static int put_items(struct anim_buffer *out, const struct godot_value *value, struct anim_error *error)
{
	if (value->type == GODOT_PACKED_BYTE && value->count >= BASE64_FROM)
		return base64_print(out, value->items, value->count, error);
	for (size_t i = 0; i < value->count; i++)
		if ((i > 0 && put(out, ", ", error) != 0) || put_item(out, value, i, error) != 0)
			return -1;
	return 0;
}

static int put_constructed(struct anim_buffer *out, const struct godot_value *value, struct anim_error *error)
{
	bool is_packed = value->type >= GODOT_PACKED_BYTE;

	if (put(out, godot_type_name(value->type), error) != 0 || put(out, "(", error) != 0 ||
	    (is_packed ? put_items(out, value, error) : put_numbers(out, value, error)) != 0)
		return -1;
	return put(out, ")", error);
}

static int put_array(struct anim_buffer *out, const struct godot_value *value, struct anim_error *error)
{
	const struct godot_value *items = value->items;

	if (put(out, "[", error) != 0)
		return -1;
	for (size_t i = 0; i < value->count; i++)
		if ((i > 0 && put(out, ", ", error) != 0) || godot_value_print(&items[i], out, error) != 0)
			return -1;
	return put(out, "]", error);
}

static int put_dictionary(struct anim_buffer *out, const struct godot_value *value, struct anim_error *error)
{
	const struct godot_value *items = value->items;

	if (value->count == 0)
		return put(out, "{}", error);
	for (size_t i = 0; i < value->count; i++)
		if (put(out, i == 0 ? "{\n" : ",\n", error) != 0 || godot_value_print(&items[2 * i], out, error) != 0 ||
		    put(out, ": ", error) != 0 || godot_value_print(&items[2 * i + 1], out, error) != 0)
			return -1;
	return put(out, "\n}", error);
}

static int put_container(struct anim_buffer *out, const struct godot_value *value, struct anim_error *error)
{
	bool is_array = value->type == GODOT_ARRAY, is_typed = value->literal_type.length > 0;

	if (is_typed && (put(out, is_array ? "Array[" : "Dictionary[", error) != 0 ||
			 anim_buffer_append(out, value->literal_type.bytes, value->literal_type.length, error) != 0 ||
			 put(out, "](", error) != 0))
		return -1;
	if ((is_array ? put_array(out, value, error) : put_dictionary(out, value, error)) != 0)
		return -1;
	return is_typed ? put(out, ")", error) : 0;
}

static int put_resource(struct anim_buffer *out, const struct godot_value *value, struct anim_error *error)
{
	if (value->text2.length == 0)
		return put_call(out, "Resource", &value->text, NULL, error);
	return put_call(out, "Resource", &value->text2, &value->text, error);
}

int godot_value_print(const struct godot_value *value, struct anim_buffer *out, struct anim_error *error)
{
	switch (value->type) {
	case GODOT_NIL:
		return put(out, "null", error);
	case GODOT_BOOL:
		return put(out, value->boolean ? "true" : "false", error);
	case GODOT_INT:
		return put_int(out, value->integer, error);
	case GODOT_FLOAT:
		return put_float(out, value->number, error);
	case GODOT_STRING:
		return put_quoted(out, &value->text, true, error);
	case GODOT_STRING_NAME:
		return put(out, "&", error) != 0 ? -1 : put_quoted(out, &value->text, false, error);
	case GODOT_NODE_PATH:
		return put_call(out, "NodePath", &value->text, NULL, error);
	case GODOT_SUB_RESOURCE:
		return put_call(out, "SubResource", &value->text, NULL, error);
	case GODOT_EXT_RESOURCE:
		return put_call(out, "ExtResource", &value->text, NULL, error);
	case GODOT_RESOURCE:
		return put_resource(out, value, error);
	case GODOT_ARRAY:
	case GODOT_DICTIONARY:
		return put_container(out, value, error);
	case GODOT_OTHER:
		return anim_buffer_append(out, value->text.bytes, value->text.length, error);
	default:
		return put_constructed(out, value, error);
	}
}
