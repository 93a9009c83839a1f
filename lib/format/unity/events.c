/* events.c: AnimationEvents as JSON objects. */
#include "format/unity/names.h"

#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/json.h"
#include "base/number.h"

static int append_integer(struct anim_buffer *out, const char *name, int64_t value, struct anim_error *error)
{
	char text[ANIM_NUMBER_MAX];

	if (anim_buffer_append_text(out, name, error) != 0)
		return -1;
	return anim_buffer_append(out, text, anim_number_print_int64(text, value), error);
}

static int append_float(struct anim_buffer *out, float value, struct anim_error *error)
{
	char text[ANIM_NUMBER_MAX];

	if (isnan(value))
		return anim_buffer_append_text(out, "\"NaN\"", error);
	if (isinf(value))
		return anim_buffer_append_text(out, value > 0 ? "\"Infinity\"" : "\"-Infinity\"", error);
	return anim_buffer_append(out, text, anim_number_print_float(text, value), error);
}

static int append_reference(struct anim_buffer *out, const struct unity_event *event, struct anim_error *error)
{
	if (append_integer(out, ",\"objectReferenceParameter\":{\"fileID\":", event->file_id, error) != 0)
		return -1;
	if (event->guid == NULL)
		return anim_buffer_append_text(out, "}", error);
	if (anim_buffer_append_text(out, ",\"guid\":", error) != 0 ||
	    anim_json_append(out, event->guid, strlen(event->guid), error) != 0 ||
	    append_integer(out, ",\"type\":", event->type, error) != 0)
		return -1;
	return anim_buffer_append_text(out, "}", error);
}

int unity_event_print(const struct unity_event *event, struct anim_buffer *out, struct anim_error *error)
{
	if (anim_buffer_append_text(out, "{\"functionName\":", error) != 0 ||
	    anim_json_append(out, event->function, strlen(event->function), error) != 0 ||
	    anim_buffer_append_text(out, ",\"data\":", error) != 0 ||
	    anim_json_append(out, event->data, strlen(event->data), error) != 0 ||
	    append_reference(out, event, error) != 0 ||
	    anim_buffer_append_text(out, ",\"floatParameter\":", error) != 0 ||
	    append_float(out, event->number, error) != 0 ||
	    append_integer(out, ",\"intParameter\":", event->integer, error) != 0 ||
	    append_integer(out, ",\"messageOptions\":", event->options, error) != 0)
		return -1;
	return anim_buffer_append_text(out, "}", error);
}

/* One object while it is read. Functions return false where it is not what it should be, or memory is out. */
struct event_reading {
	struct anim_json json;
	struct unity_event *event;
	struct anim_arena *arena;
	struct anim_error fault;
};

static bool read_text(struct event_reading *reading, size_t token, const char **text)
{
	struct anim_json *json = &reading->json;
	const uint8_t *bad;
	const char *why;

	if (anim_json_token_at(json, token).type != ANIM_JSON_STRING)
		return false;
	json->scalar.size = 0;
	if (anim_json_decode(anim_json_token_text(json, token), anim_json_token_size(json, token), &json->scalar, &bad,
			     &why) != 0) {
		anim_fail_memory(&reading->fault); /* the text itself was found good with the tokens */
		return false;
	}
	*text = anim_arena_text(reading->arena, json->scalar.size > 0 ? (const char *)json->scalar.data : "",
				json->scalar.size, &reading->fault);
	return *text != NULL;
}

static bool read_integer(struct event_reading *reading, size_t token, int64_t *value)
{
	const char *at = (const char *)anim_json_token_text(&reading->json, token);
	const char *end = at + anim_json_token_size(&reading->json, token);

	return anim_json_is_number(&reading->json, token) && anim_number_int64(at, end, value) == end;
}

/* JSON has no infinities and no NaN: they are strings. */
static bool read_special(struct event_reading *reading, size_t token, float *value)
{
	static const struct {
		const char *name;
		float value;
	} specials[] = {{"Infinity", INFINITY}, {"-Infinity", -INFINITY}, {"NaN", NAN}};
	const char *text;

	if (!read_text(reading, token, &text))
		return false;
	for (size_t i = 0; i < ANIM_COUNT(specials); i++)
		if (strcmp(specials[i].name, text) == 0) {
			*value = specials[i].value;
			return true;
		}
	return false;
}

static bool read_float(struct event_reading *reading, size_t token, float *value)
{
	const char *at = (const char *)anim_json_token_text(&reading->json, token);
	const char *end = at + anim_json_token_size(&reading->json, token);

	if (!anim_json_is_number(&reading->json, token))
		return read_special(reading, token, value);
	return anim_number_float(at, end, value) == end;
}

/* Calls `member` with the name of every member of the object, whose value is the next token. */
static bool each_member(struct event_reading *reading, size_t object,
			bool (*member)(struct event_reading *, size_t name))
{
	size_t end = anim_json_behind(&reading->json, object);

	if (anim_json_token_at(&reading->json, object).type != ANIM_JSON_OBJECT)
		return false;
	for (size_t name = object + 1; name < end; name = anim_json_behind(&reading->json, name + 1))
		if (!member(reading, name))
			return false;
	return true;
}

static bool read_reference(struct event_reading *reading, size_t name)
{
	if (anim_json_is_named(&reading->json, name, "fileID"))
		return read_integer(reading, name + 1, &reading->event->file_id);
	if (anim_json_is_named(&reading->json, name, "guid"))
		return read_text(reading, name + 1, &reading->event->guid);
	if (anim_json_is_named(&reading->json, name, "type"))
		return read_integer(reading, name + 1, &reading->event->type);
	return true;
}

static bool read_member(struct event_reading *reading, size_t name)
{
	const struct anim_json *json = &reading->json;
	struct unity_event *event = reading->event;

	if (anim_json_is_named(json, name, "functionName"))
		return read_text(reading, name + 1, &event->function);
	if (anim_json_is_named(json, name, "data"))
		return read_text(reading, name + 1, &event->data);
	if (anim_json_is_named(json, name, "objectReferenceParameter"))
		return each_member(reading, name + 1, read_reference);
	if (anim_json_is_named(json, name, "floatParameter"))
		return read_float(reading, name + 1, &event->number);
	if (anim_json_is_named(json, name, "intParameter"))
		return read_integer(reading, name + 1, &event->integer);
	if (anim_json_is_named(json, name, "messageOptions"))
		return read_integer(reading, name + 1, &event->options);
	return true;
}

/* What stands behind the object is not looked at. */
static bool tokenise(struct event_reading *reading, const char *text, size_t length)
{
	struct anim_json *json = &reading->json;
	struct anim_error *fault = &reading->fault;
	struct anim_json_text from;
	struct anim_input *input;
	size_t capitals = 0;
	bool good;

	if (anim_input_open_memory(&input, text, length, "", fault) != 0)
		return false;
	anim_json_text_init(&from, input, NULL);
	json->text = &from;
	good = anim_json_blank(&from, fault) == '{';
	anim_json_begin(json);
	good = good && anim_json_take_text(&from, &json->values, 0, &capitals, fault) == 0 &&
	       anim_json_tokenise(json, fault) == 0;
	anim_input_close(input);
	return good;
}

int unity_event_parse(const char *text, size_t length, struct unity_event *event, struct anim_arena *arena,
		      struct anim_error *error)
{
	struct event_reading reading = {.json = {.what = "an event", .element = -1}, .event = event, .arena = arena};
	bool good;

	*event = (struct unity_event){.data = ""};
	good = tokenise(&reading, text, length) && each_member(&reading, 0, read_member);
	anim_json_clear(&reading.json);
	if (reading.fault.code == ANIM_NO_MEMORY)
		return anim_fail_memory(error);
	return good && event->function != NULL ? 0 : 1;
}
