/* event.c: an AnimationEvent <-> one JSON object with Unity's field names. */
#include "format/unity/event.h"

#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/json.h"
#include "base/number.h"
#include "base/print.h"

static void print_integer(struct anim_print *print, const char *name, int64_t value)
{
	anim_print_member(print, name);
	anim_print_int64(print, value);
}

int unity_event_print(const struct unity_event *event, struct anim_buffer *out, struct anim_error *error)
{
	struct anim_print print = {.buffer = out, .error = error};

	anim_print_text(&print, "{\"functionName\":");
	anim_print_json_text(&print, event->function);
	anim_print_text_member(&print, "data", event->data);
	anim_print_text(&print, ",\"objectReferenceParameter\":{\"fileID\":");
	anim_print_int64(&print, event->file_id);
	if (event->guid != NULL) {
		anim_print_text_member(&print, "guid", event->guid);
		print_integer(&print, "type", event->type);
	}
	anim_print_text(&print, "}");

	/* JSON has no infinities and no NaN, so they are texts. */
	anim_print_member(&print, "floatParameter");
	if (isfinite(event->number))
		anim_print_float(&print, event->number);
	else
		anim_print_text(&print, isnan(event->number) ? "\"NaN\""
					: event->number > 0  ? "\"Infinity\""
							     : "\"-Infinity\"");
	print_integer(&print, "intParameter", event->integer);
	print_integer(&print, "messageOptions", event->options);
	anim_print_text(&print, "}");
	return print.failed ? -1 : 0;
}

/* An object that is being read. Functions return false if the input is not as expected, or if out of memory. */
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
		anim_fail_memory(&reading->fault); /* the tokeniser already checked the text */
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

/* Read infinities and NaN. */
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

/* Call `member` with the name of every member of the object. Its value is the next token. */
static bool each_member(struct event_reading *reading, size_t object,
			bool (*member)(struct event_reading *, size_t name))
{
	size_t end = anim_json_after(&reading->json, object);

	if (anim_json_token_at(&reading->json, object).type != ANIM_JSON_OBJECT)
		return false;
	for (size_t name = object + 1; name < end; name = anim_json_after(&reading->json, name + 1))
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
	if (anim_json_is_named(json, name, "floatParameter")) {
		size_t token = name + 1;
		const char *at = (const char *)anim_json_token_text(&reading->json, token);
		const char *end = at + anim_json_token_size(&reading->json, token);

		if (!anim_json_is_number(&reading->json, token))
			return read_special(reading, token, &event->number);
		return anim_number_float(at, end, &event->number) == end;
	}
	if (anim_json_is_named(json, name, "intParameter"))
		return read_integer(reading, name + 1, &event->integer);
	if (anim_json_is_named(json, name, "messageOptions"))
		return read_integer(reading, name + 1, &event->options);
	return true;
}

int unity_event_parse(const char *text, size_t length, struct unity_event *event, struct anim_arena *arena,
		      struct anim_error *error)
{
	struct event_reading reading = {.json = {.what = "an event", .element = -1}, .event = event, .arena = arena};
	struct anim_json *json = &reading.json;
	struct anim_error *fault = &reading.fault;
	struct anim_json_text from;
	struct anim_input *input;
	size_t capitals = 0;
	bool good = anim_input_open_memory(&input, text, length, "", fault) == 0;

	*event = (struct unity_event){.data = ""};
	if (good) {
		/* Text after the object is ignored. */
		anim_json_text_init(&from, input, NULL);
		json->text = &from;
		good = anim_json_blank(&from, fault) == '{';
		anim_json_begin(json);
		good = good && anim_json_read_text(&from, &json->values, 0, &capitals, fault) == 0 &&
		       anim_json_tokenise(json, fault) == 0;
		anim_input_close(input);
	}
	good = good && each_member(&reading, 0, read_member);
	anim_json_clear(json);
	if (reading.fault.code == ANIM_NO_MEMORY)
		return anim_fail_memory(error);
	return good && event->function != NULL ? 0 : 1;
}
