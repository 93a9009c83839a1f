/* animation_json.c: Godot values as JSON text. */
#include "format/godot/animation_json.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"

int godot_json_raw(struct anim_buffer *buffer, const char *source, struct anim_error *error)
{
	return anim_buffer_append(buffer, source, strlen(source), error);
}

int godot_json_text(struct anim_buffer *buffer, const char *bytes, size_t length, struct anim_error *error)
{
	return anim_json_append(buffer, bytes, length, error);
}

int godot_json_float(struct anim_buffer *buffer, float number, struct anim_error *error)
{
	char text[ANIM_NUMBER_MAX];

	if (!isfinite(number))
		return godot_json_raw(buffer, "null", error);
	return anim_buffer_append(buffer, text, anim_number_print_float(text, number), error);
}

static int append_double(struct anim_buffer *buffer, double number, struct anim_error *error)
{
	char text[ANIM_NUMBER_MAX + 2];
	size_t length = anim_number_print_double(text, number);

	if (memchr(text, '.', length) == NULL && memchr(text, 'e', length) == NULL) {
		memcpy(text + length, ".0", 2);
		length += 2;
	}
	return anim_buffer_append(buffer, text, length, error);
}

/* The value as Godot writes it, in a JSON object that says so. */
static int append_source(struct anim_buffer *buffer, const struct godot_value *value, struct anim_error *error)
{
	struct anim_buffer source = {0};
	int result = -1;

	if (godot_value_print(value, &source, error) == 0 && godot_json_raw(buffer, "{\"godot\":", error) == 0 &&
	    godot_json_text(buffer, (const char *)source.data, source.size, error) == 0)
		result = godot_json_raw(buffer, "}", error);
	anim_buffer_clear(&source);
	return result;
}

static int append_array(struct anim_buffer *buffer, const struct godot_value *value, struct anim_error *error)
{
	const struct godot_value *items = value->items;

	for (size_t i = 0; i < value->count; i++)
		if (godot_json_raw(buffer, i == 0 ? "[" : ",", error) != 0 ||
		    godot_json_value(buffer, &items[i], error) != 0)
			return -1;
	return godot_json_raw(buffer, value->count == 0 ? "[]" : "]", error);
}

/* True where a JSON object can be read back as this dictionary. */
static bool is_object(const struct godot_value *value)
{
	const struct godot_value *items = value->items;

	for (size_t i = 0; i < value->count; i++)
		if (items[2 * i].type != GODOT_STRING || godot_string_is(&items[2 * i].text, "godot"))
			return false;
	return true;
}

static int append_object(struct anim_buffer *buffer, const struct godot_value *value, struct anim_error *error)
{
	const struct godot_value *items = value->items;

	for (size_t i = 0; i < value->count; i++)
		if (godot_json_raw(buffer, i == 0 ? "{" : ",", error) != 0 ||
		    godot_json_text(buffer, items[2 * i].text.bytes, items[2 * i].text.length, error) != 0 ||
		    godot_json_raw(buffer, ":", error) != 0 || godot_json_value(buffer, &items[2 * i + 1], error) != 0)
			return -1;
	return godot_json_raw(buffer, value->count == 0 ? "{}" : "}", error);
}

int godot_json_value(struct anim_buffer *buffer, const struct godot_value *value, struct anim_error *error)
{
	char text[ANIM_NUMBER_MAX];

	switch (value->type) {
	case GODOT_NIL:
		return godot_json_raw(buffer, "null", error);
	case GODOT_BOOL:
		return godot_json_raw(buffer, value->boolean ? "true" : "false", error);
	case GODOT_INT:
		return anim_buffer_append(buffer, text, anim_number_print_int64(text, value->integer), error);
	case GODOT_FLOAT:
		if (isfinite(value->number))
			return append_double(buffer, value->number, error);
		break;
	case GODOT_STRING:
		return godot_json_text(buffer, value->text.bytes, value->text.length, error);
	case GODOT_ARRAY:
		if (value->literal_type.length == 0)
			return append_array(buffer, value, error);
		break;
	case GODOT_DICTIONARY:
		if (value->literal_type.length == 0 && is_object(value))
			return append_object(buffer, value, error);
		break;
	default:
		break;
	}
	return append_source(buffer, value, error);
}
