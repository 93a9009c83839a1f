/* text_print.c: prints values as Godot 4.5 and later write them. */
#include <string.h>

#include "base/number.h"
#include "format/godot/text_internal.h"
#include "format/godot/text_real.h"

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
		return godot_base64_print(out, value->items, value->count, error);
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
