/* animation_convert.c: Godot's own conversions between Variant types, and arrays in all the forms it takes them in. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "format/godot/animation_internal.h"

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

int godot_read_element(struct godot_clip_reader *reader, struct godot_value *value)
{
	anim_arena_reset(&reader->element);
	return godot_text_value(reader->text, &reader->element, value, reader->error);
}

static int append_number(struct godot_clip_reader *reader, const struct godot_value *value, void *buffer)
{
	float number = (float)godot_to_double(value);

	return anim_buffer_append(buffer, &number, sizeof number, reader->error);
}

int godot_read_floats(struct godot_clip_reader *reader, struct anim_buffer *buffer)
{
	enum godot_spelling spelling;
	int status;

	buffer->size = 0;
	if (godot_text_spelling(reader->text, &spelling, reader->error) != 0)
		return -1;
	if (spelling != GODOT_SPELLING_NONE)
		reader->spelling = spelling;
	status = godot_text_flat(reader->text, &reader->element, buffer, reader->error);
	if (status == 0)
		status = godot_text_floats(reader->text, buffer, reader->error);
	if (status != 0)
		return status < 0 ? -1 : 0;
	return godot_read_elements(reader, append_number, buffer);
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

/* An array that is no "[": its elements from the value read whole. */
static int take_packed(struct godot_clip_reader *reader,
		       int (*take)(struct godot_clip_reader *, const struct godot_value *, void *), void *context)
{
	struct godot_value array, element;
	size_t count;

	if (godot_read_element(reader, &array) != 0)
		return -1;
	if (!godot_value_is_array(&array))
		return 1;
	count = godot_array_count(&array);
	for (size_t i = 0; i < count; i++) {
		godot_array_element(&array, i, &element);
		if (take(reader, &element, context) != 0)
			return -1;
	}
	return 0;
}

/* The first Name(...) in the value that no version of Godot knows, or NULL. */
static const struct godot_value *unknown_word(const struct godot_value *value)
{
	static const char *const words[] = {"Object", "RID", "Signal", "Callable", "Image", "InputEvent"};
	const struct godot_value *items = value->items, *found = NULL;
	size_t count = value->type == GODOT_DICTIONARY ? value->count * 2 : value->count;

	if (value->type == GODOT_ARRAY || value->type == GODOT_DICTIONARY) {
		for (size_t i = 0; i < count && found == NULL; i++)
			found = unknown_word(&items[i]);
		return found;
	}
	if (value->type != GODOT_OTHER)
		return NULL;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (godot_string_is(&value->text2, words[i]))
			return NULL;
	return value;
}

/* Words that Godot refuses make the clip faulty; reading goes on. */
static int check_words(struct godot_clip_reader *reader, const struct godot_value *value)
{
	const struct godot_value *unknown = unknown_word(value);
	struct anim_place place = reader->place;
	int status;

	if (unknown == NULL)
		return 0;
	reader->place = unknown->place;
	status = godot_fault(reader, NULL, "unknown word '%.64s'", unknown->text2.bytes);
	reader->place = place;
	return status;
}

int godot_read_elements(struct godot_clip_reader *reader,
			int (*take)(struct godot_clip_reader *, const struct godot_value *, void *), void *context)
{
	struct godot_value value;
	int status = godot_text_array(reader->text, reader->error);

	if (status < 0)
		return -1;
	if (status == 0)
		return take_packed(reader, take, context);
	while ((status = godot_text_array_next(reader->text, reader->error)) == 1) {
		if (godot_read_element(reader, &value) != 0)
			return -1;
		if (check_words(reader, &value) != 0 || godot_check_references(reader, &value) != 0 ||
		    take(reader, &value, context) != 0)
			return -1;
	}
	return status;
}
