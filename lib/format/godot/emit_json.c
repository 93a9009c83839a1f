/* emit_json.c: the JSON of event keys as Godot's values. */
#include "format/godot/emit_json.h"

#include <string.h>

#include "base/input.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/number.h"

#define NUMBER_TEXT_MAX 64 /* bytes of a number; the reader printed it shorter */

static void skip_blanks(struct godot_json *json)
{
	while (json->at < json->end && strchr(" \t\r\n", *json->at) != NULL && *json->at != '\0')
		json->at++;
}

bool godot_json_take(struct godot_json *json, char c)
{
	skip_blanks(json);
	if (json->at == json->end || *json->at != c)
		return false;
	json->at++;
	return true;
}

/* Behind the string at the cursor, NULL where it has no end. */
static const char *string_end(const struct godot_json *json)
{
	const char *at = json->at + 1;

	while (at < json->end && *at != '"')
		at += *at == '\\' && at + 1 < json->end ? 2 : 1;
	return at < json->end ? at + 1 : NULL;
}

bool godot_json_string(struct godot_json *json, const char **text, size_t *length)
{
	struct anim_buffer decoded = {0};
	const char *end, *why;
	const uint8_t *bad;
	bool good = false;

	skip_blanks(json);
	if (json->at == json->end || *json->at != '"' || (end = string_end(json)) == NULL)
		return false;
	if (anim_json_decode((const uint8_t *)json->at + 1, (size_t)(end - json->at) - 2, &decoded, &bad, &why) == 0) {
		const char *bytes = decoded.size > 0 ? (const char *)decoded.data : "";

		*text = anim_arena_text(json->arena, bytes, decoded.size, json->error);
		*length = decoded.size;
		good = *text != NULL;
	}
	json->failed = json->failed || (!good && bad == NULL);
	anim_buffer_clear(&decoded);
	json->at = end;
	return good;
}

bool godot_json_number_text(struct godot_json *json, const char **text, size_t *length)
{
	skip_blanks(json);
	*text = json->at;
	while (json->at < json->end && *json->at != '\0' && strchr("+-.eE0123456789", *json->at) != NULL)
		json->at++;
	*length = (size_t)(json->at - *text);
	return *length > 0 && *length < NUMBER_TEXT_MAX;
}

bool godot_json_number(struct godot_json *json, double *value)
{
	char copy[NUMBER_TEXT_MAX + ANIM_INPUT_SLACK] = {0};
	const char *text;
	size_t length;

	if (!godot_json_number_text(json, &text, &length))
		return false;
	memcpy(copy, text, length);
	return anim_number_double(copy, copy + length, value) == copy + length;
}

bool godot_json_skip(struct godot_json *json)
{
	const char *from = json->at, *end;
	unsigned depth = 0;

	for (; json->at < json->end; json->at = end) {
		char c = *json->at;

		end = json->at + 1;
		if (c == '"' && (end = string_end(json)) == NULL)
			return false;
		if (depth == 0 && (c == ',' || c == '}' || c == ']'))
			break;
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
	}
	return depth == 0 && json->at > from;
}

bool godot_json_member(struct godot_json *json, bool *first, const char **name)
{
	size_t length;

	if (godot_json_take(json, '}'))
		return false;
	if (!*first && !godot_json_take(json, ','))
		return false;
	*first = false;
	return godot_json_string(json, name, &length) && godot_json_take(json, ':');
}

static bool emit_value(struct godot_json *json, struct godot_emit *emit, unsigned depth);

static bool emit_number(struct godot_json *json, struct godot_emit *emit)
{
	char copy[NUMBER_TEXT_MAX + ANIM_INPUT_SLACK] = {0};
	const char *text;
	size_t length;
	int64_t integer;
	double value;

	if (!godot_json_number_text(json, &text, &length))
		return false;
	memcpy(copy, text, length);
	if (strpbrk(copy, ".eE") == NULL) {
		if (anim_number_int64(copy, copy + length, &integer) != copy + length)
			return false;
		godot_emit_int(emit, integer);
		return true;
	}
	if (anim_number_double(copy, copy + length, &value) != copy + length)
		return false;
	godot_emit_float(emit, value, false);
	return true;
}

static bool emit_array(struct godot_json *json, struct godot_emit *emit, unsigned depth)
{
	bool old = godot_emit_is_3(emit);

	godot_emit_text(emit, old ? "[ " : "[");
	for (size_t i = 0; !godot_json_take(json, ']'); i++) {
		if (i > 0 && !godot_json_take(json, ','))
			return false;
		godot_emit_text(emit, i > 0 ? ", " : "");
		if (!emit_value(json, emit, depth))
			return false;
	}
	godot_emit_text(emit, old ? " ]" : "]");
	return true;
}

/* A dictionary; {"godot": "Vector2(1, 2)"} is the value that the text says. */
static bool emit_object(struct godot_json *json, struct godot_emit *emit, unsigned depth)
{
	const char *name, *text;
	bool first = true;
	size_t length, count = 0;

	while (godot_json_member(json, &first, &name)) {
		if (count == 0 && strcmp(name, "godot") == 0 && godot_json_string(json, &text, &length)) {
			godot_emit_literal(emit, text, length);
			return godot_json_take(json, '}');
		}
		godot_emit_text(emit, count++ == 0 ? "{\n" : ",\n");
		godot_emit_quoted(emit, name, strlen(name), true);
		godot_emit_text(emit, ": ");
		if (!emit_value(json, emit, depth))
			return false;
	}
	godot_emit_text(emit, count == 0 ? "{}" : "\n}");
	return json->at > json->begin && json->at[-1] == '}';
}

static bool emit_value(struct godot_json *json, struct godot_emit *emit, unsigned depth)
{
	static const char *const words[] = {"null", "true", "false"};
	const char *text;
	size_t length;

	skip_blanks(json);
	if (depth >= ANIM_NESTING_JSON || json->at == json->end)
		return false;
	if (*json->at == '"') {
		if (!godot_json_string(json, &text, &length))
			return false;
		godot_emit_quoted(emit, text, length, true);
		return true;
	}
	if (godot_json_take(json, '['))
		return emit_array(json, emit, depth + 1);
	if (godot_json_take(json, '{'))
		return emit_object(json, emit, depth + 1);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if ((size_t)(json->end - json->at) >= strlen(words[i]) &&
		    memcmp(json->at, words[i], strlen(words[i])) == 0) {
			json->at += strlen(words[i]);
			godot_emit_text(emit, words[i]);
			return true;
		}
	return emit_number(json, emit);
}

bool godot_json_emit(struct godot_json *json, struct godot_emit *emit)
{
	return emit_value(json, emit, 0);
}
