/* events.c: AnimationEvents as JSON objects. */
#include "format/unity/names.h"

#include <jsmn.h>
#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/json.h"
#include "base/number.h"

#define TOKENS_MAX 256
#define NUMBER_TEXT_MAX 400 /* bytes of a number that is read; the longest exact double has fewer than these */

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

/* One object while it is read. Functions return 0, 1 where the text is not what it should be, -1 out of memory. */
struct event_parser {
	const char *json;
	const jsmntok_t *tokens;
	int count;
	struct unity_event *event;
	struct anim_arena *arena;
	struct anim_error *error;
};

static size_t length_of(const jsmntok_t *token)
{
	return (size_t)(token->end - token->start);
}

static int read_text(const struct event_parser *parse, const jsmntok_t *token, const char **text)
{
	struct anim_buffer decoded = {0};
	const uint8_t *bad;
	const char *why;
	int status = -1;

	if (token->type != JSMN_STRING)
		return 1;
	if (anim_json_decode((const uint8_t *)parse->json + token->start, length_of(token), &decoded, &bad, &why) != 0)
		status = bad != NULL ? 1 : anim_fail_memory(parse->error);
	else {
		const char *bytes = decoded.size > 0 ? (const char *)decoded.data : "";

		*text = anim_arena_text(parse->arena, bytes, decoded.size, parse->error);
		status = *text == NULL ? -1 : 0;
	}
	anim_buffer_clear(&decoded);
	return status;
}

/* The number's text with room behind it, as the number readers want it. False where it is none or too long. */
static bool copy_number(const struct event_parser *parse, const jsmntok_t *token,
			char text[NUMBER_TEXT_MAX + ANIM_INPUT_SLACK])
{
	size_t length = length_of(token);

	if (token->type != JSMN_PRIMITIVE || length > NUMBER_TEXT_MAX)
		return false;
	memset(text, 0, NUMBER_TEXT_MAX + ANIM_INPUT_SLACK);
	memcpy(text, parse->json + token->start, length);
	return true;
}

static int read_integer(const struct event_parser *parse, const jsmntok_t *token, int64_t *value)
{
	char text[NUMBER_TEXT_MAX + ANIM_INPUT_SLACK];
	const char *end;

	if (!copy_number(parse, token, text))
		return 1;
	end = text + length_of(token);
	return anim_number_int64(text, end, value) == end ? 0 : 1;
}

/* Infinities and NaN are strings. */
static int read_special(const struct event_parser *parse, const jsmntok_t *token, float *value)
{
	static const struct {
		const char *name;
		float value;
	} specials[] = {{"Infinity", INFINITY}, {"-Infinity", -INFINITY}, {"NaN", NAN}};
	const char *text = NULL;
	int status = read_text(parse, token, &text);

	if (status != 0)
		return status;
	for (size_t i = 0; i < ANIM_COUNT(specials); i++)
		if (strcmp(specials[i].name, text) == 0) {
			*value = specials[i].value;
			return 0;
		}
	return 1;
}

static int read_float(const struct event_parser *parse, const jsmntok_t *token, float *value)
{
	char text[NUMBER_TEXT_MAX + ANIM_INPUT_SLACK];
	const char *end;

	if (token->type == JSMN_STRING)
		return read_special(parse, token, value);
	if (!copy_number(parse, token, text))
		return 1;
	end = text + length_of(token);
	return anim_number_float(text, end, value) == end ? 0 : 1;
}

/* The first token behind the value at `token`. */
static int behind(const struct event_parser *parse, int token)
{
	int end = parse->tokens[token].end;

	do
		token++;
	while (token < parse->count && parse->tokens[token].start < end);
	return token;
}

/* Names are compared as they are spelled: none of Unity's needs an escape. */
static bool is_named(const struct event_parser *parse, int key, const char *name)
{
	const jsmntok_t *token = &parse->tokens[key];

	return length_of(token) == strlen(name) && memcmp(parse->json + token->start, name, length_of(token)) == 0;
}

/* Calls `member` for every key of the object. */
static int each_member(const struct event_parser *parse, int object,
		       int (*member)(const struct event_parser *, int key, int value))
{
	int at = object + 1, status = 0;

	if (parse->tokens[object].type != JSMN_OBJECT)
		return 1;
	for (int i = 0; i < parse->tokens[object].size && status == 0; i++) {
		if (at + 1 >= parse->count || parse->tokens[at].type != JSMN_STRING)
			return 1;
		status = member(parse, at, at + 1);
		at = behind(parse, at + 1);
	}
	return status;
}

static int read_reference(const struct event_parser *parse, int key, int value)
{
	const jsmntok_t *token = &parse->tokens[value];

	if (is_named(parse, key, "fileID"))
		return read_integer(parse, token, &parse->event->file_id);
	if (is_named(parse, key, "guid"))
		return read_text(parse, token, &parse->event->guid);
	if (is_named(parse, key, "type"))
		return read_integer(parse, token, &parse->event->type);
	return 0;
}

static int read_member(const struct event_parser *parse, int key, int value)
{
	struct unity_event *event = parse->event;
	const jsmntok_t *token = &parse->tokens[value];

	if (is_named(parse, key, "functionName"))
		return read_text(parse, token, &event->function);
	if (is_named(parse, key, "data"))
		return read_text(parse, token, &event->data);
	if (is_named(parse, key, "objectReferenceParameter"))
		return each_member(parse, value, read_reference);
	if (is_named(parse, key, "floatParameter"))
		return read_float(parse, token, &event->number);
	if (is_named(parse, key, "intParameter"))
		return read_integer(parse, token, &event->integer);
	if (is_named(parse, key, "messageOptions"))
		return read_integer(parse, token, &event->options);
	return 0;
}

int unity_event_parse(const char *json, size_t length, struct unity_event *event, struct anim_arena *arena,
		      struct anim_error *error)
{
	jsmntok_t tokens[TOKENS_MAX];
	jsmn_parser parser;
	struct event_parser parse = {.json = json, .tokens = tokens, .event = event, .arena = arena, .error = error};
	int status;

	*event = (struct unity_event){.data = ""};
	jsmn_init(&parser);
	parse.count = jsmn_parse(&parser, json, length, tokens, TOKENS_MAX);
	if (parse.count < 1)
		return 1;
	status = each_member(&parse, 0, read_member);
	return status == 0 && event->function == NULL ? 1 : status;
}
