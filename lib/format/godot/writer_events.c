/* writer_events.c: method, audio and animation keys, and markers, out of one JSON object a key. */
#include <string.h>

#include "base/input.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/number.h"
#include "format/godot/writer.h"

/* --- JSON as Godot's values --- */

#define NUMBER_TEXT_MAX 64 /* bytes of a number; the reader printed it shorter */

static void skip_blanks(struct godot_json *json)
{
	while (json->at < json->end && strchr(" \t\r\n", *json->at) != NULL && *json->at != '\0')
		json->at++;
}

/* false leaves the cursor before what is there instead */
static bool json_take(struct godot_json *json, char c)
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

static bool json_string(struct godot_json *json, const char **text, size_t *length)
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

static bool json_number_text(struct godot_json *json, const char **text, size_t *length)
{
	skip_blanks(json);
	*text = json->at;
	while (json->at < json->end && *json->at != '\0' && strchr("+-.eE0123456789", *json->at) != NULL)
		json->at++;
	*length = (size_t)(json->at - *text);
	return *length > 0 && *length < NUMBER_TEXT_MAX;
}

static bool json_number(struct godot_json *json, double *value)
{
	char copy[NUMBER_TEXT_MAX + ANIM_INPUT_SLACK] = {0};
	const char *text;
	size_t length;

	if (!json_number_text(json, &text, &length))
		return false;
	memcpy(copy, text, length);
	return anim_number_double(copy, copy + length, value) == copy + length;
}

/* a value of any kind */
static bool json_skip(struct godot_json *json)
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

/* The next member of an object whose brace was taken; *first true before the first. False behind the closing brace too. */
static bool json_member(struct godot_json *json, bool *first, const char **name)
{
	size_t length;

	if (json_take(json, '}'))
		return false;
	if (!*first && !json_take(json, ','))
		return false;
	*first = false;
	return json_string(json, name, &length) && json_take(json, ':');
}

static bool emit_value(struct godot_json *json, struct godot_emit *emit, unsigned depth);

static bool emit_number(struct godot_json *json, struct godot_emit *emit)
{
	char copy[NUMBER_TEXT_MAX + ANIM_INPUT_SLACK] = {0};
	const char *text;
	size_t length;
	int64_t integer;
	double value;

	if (!json_number_text(json, &text, &length))
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
	for (size_t i = 0; !json_take(json, ']'); i++) {
		if (i > 0 && !json_take(json, ','))
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

	while (json_member(json, &first, &name)) {
		if (count == 0 && strcmp(name, "godot") == 0 && json_string(json, &text, &length)) {
			godot_emit_literal(emit, text, length);
			return json_take(json, '}');
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
		if (!json_string(json, &text, &length))
			return false;
		godot_emit_quoted(emit, text, length, true);
		return true;
	}
	if (json_take(json, '['))
		return emit_array(json, emit, depth + 1);
	if (json_take(json, '{'))
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

/* The value at the cursor as Godot's source text; nesting beyond ANIM_NESTING_JSON is refused. */
static bool json_emit(struct godot_json *json, struct godot_emit *emit)
{
	return emit_value(json, emit, 0);
}

/* --- The keys --- */

/* What an event's JSON says: the places of its members' values, all zero where they are not there. */
#define MEMBERS 6

struct members {
	const char *at[MEMBERS];
};

static struct godot_json json_at(const struct godot_track_emit *out, const struct anim_track *t, size_t key)
{
	const struct anim_strings *strings = t->strings;
	bool none = strings->length[key] == ANIM_NULL_STRING;
	const char *text = none ? "" : strings->bytes + strings->start[key];

	return (struct godot_json){text,         text,       text + (none ? 0 : strings->length[key]),
				   out->scratch, out->error, false};
}

static bool find_members(struct godot_json *json, const char *const *names, size_t count, struct members *members)
{
	const char *name;
	bool first = true;

	*members = (struct members){{NULL}};
	if (!json_take(json, '{'))
		return false;
	while (json_member(json, &first, &name)) {
		for (size_t i = 0; i < count; i++)
			if (strcmp(names[i], name) == 0)
				members->at[i] = json->at;
		if (!json_skip(json))
			return false;
	}
	return json->at > json->begin && json->at[-1] == '}';
}

/* The value of a member as Godot's text, or `otherwise` where there is none. */
static bool emit_member(struct godot_json *json, const struct godot_track_emit *out, const char *at,
			const char *otherwise)
{
	if (at == NULL) {
		godot_emit_text(out->emit, otherwise);
		return true;
	}
	json->at = at;
	return json_emit(json, out->emit);
}

static bool emit_name(struct godot_json *json, const struct godot_track_emit *out, const char *at)
{
	const char *name;
	size_t length;

	json->at = at;
	if (at == NULL || !json_string(json, &name, &length))
		return false;
	godot_emit_string_name(out->emit, name, length);
	return true;
}

static bool emit_method(struct godot_json *json, const struct godot_track_emit *out)
{
	static const char *const names[] = {"method", "args"};
	struct members members;

	if (!find_members(json, names, 2, &members))
		return false;
	godot_emit_text(out->emit, "{\n\"args\": ");
	if (!emit_member(json, out, members.at[1], godot_emit_is_3(out->emit) ? "[  ]" : "[]"))
		return false;
	godot_emit_text(out->emit, ",\n\"method\": ");
	if (!emit_name(json, out, members.at[0]))
		return false;
	godot_emit_text(out->emit, "\n}");
	return true;
}

/* Unity calls a method with the one parameter that it takes; Godot gets those that are set. */
static bool emit_unity_args(struct godot_json *json, const struct godot_track_emit *out, const struct members *members)
{
	bool some = false;
	const char *text;
	size_t length;
	double number;

	godot_emit_text(out->emit, godot_emit_is_3(out->emit) ? "[ " : "[");
	for (size_t i = 1; i < 3; i++) {
		json->at = members->at[i];
		if (json->at == NULL || !json_number(json, &number) || number == 0)
			continue;
		godot_emit_text(out->emit, some ? ", " : "");
		some = true;
		if (i == 1)
			godot_emit_float(out->emit, number, true);
		else
			godot_emit_int(out->emit, (int64_t)number);
	}
	json->at = members->at[3];
	if (json->at != NULL && json_string(json, &text, &length) && length > 0) {
		godot_emit_text(out->emit, some ? ", " : "");
		godot_emit_quoted(out->emit, text, length, true);
	}
	godot_emit_text(out->emit, godot_emit_is_3(out->emit) ? " ]" : "]");
	return !json->failed;
}

static bool emit_unity_event(struct godot_json *json, const struct godot_track_emit *out)
{
	static const char *const names[] = {"functionName", "floatParameter", "intParameter", "data"};
	struct members members;

	if (!find_members(json, names, 4, &members))
		return false;
	godot_emit_text(out->emit, "{\n\"args\": ");
	if (!emit_unity_args(json, out, &members))
		return false;
	godot_emit_text(out->emit, ",\n\"method\": ");
	if (!emit_name(json, out, members.at[0]))
		return false;
	godot_emit_text(out->emit, "\n}");
	return true;
}

static bool emit_offset(struct godot_json *json, const struct godot_track_emit *out, const char *at)
{
	double offset = 0;

	json->at = at;
	if (at != NULL && !json_number(json, &offset))
		return false;
	godot_emit_float(out->emit, offset, true);
	return true;
}

static bool emit_audio(struct godot_json *json, const struct godot_track_emit *out)
{
	static const char *const names[] = {"stream", "start_offset", "end_offset"};
	struct members members;
	const char *text;
	size_t length;

	if (!find_members(json, names, 3, &members))
		return false;
	godot_emit_text(out->emit, "{\n\"end_offset\": ");
	if (!emit_offset(json, out, members.at[2]))
		return false;
	godot_emit_text(out->emit, ",\n\"start_offset\": ");
	if (!emit_offset(json, out, members.at[1]))
		return false;
	godot_emit_text(out->emit, ",\n\"stream\": ");
	json->at = members.at[0];
	if (json->at != NULL && json_string(json, &text, &length))
		godot_emit_literal(out->emit, text, length);
	else
		godot_emit_text(out->emit, "null");
	godot_emit_text(out->emit, "\n}");
	return !json->failed;
}

static bool emit_clip(struct godot_json *json, const struct godot_track_emit *out)
{
	static const char *const names[] = {"clip"};
	struct members members;
	const char *text;
	size_t length;

	if (!find_members(json, names, 1, &members) || (json->at = members.at[0]) == NULL ||
	    !json_string(json, &text, &length))
		return false;
	godot_emit_quoted(out->emit, text, length, false);
	return true;
}

static bool emit_marker(struct godot_json *json, const struct godot_track_emit *out)
{
	static const char *const names[] = {"name", "color"};
	struct members members;
	float color[4] = {1, 1, 1, 1};
	double number;

	if (!find_members(json, names, 2, &members))
		return false;
	json->at = members.at[1];
	for (size_t i = 0; json->at != NULL && i < 4; i++) {
		if (!json_take(json, i == 0 ? '[' : ',') || !json_number(json, &number))
			return false;
		color[i] = (float)number;
	}
	godot_emit_text(out->emit, "{\n\"color\": ");
	godot_emit_reals(out->emit, "Color", color, 4);
	godot_emit_text(out->emit, ",\n\"name\": ");
	return emit_name(json, out, members.at[0]);
}

typedef bool emit_event(struct godot_json *, const struct godot_track_emit *);

/* Which keys can be written: NULL where there is no memory. Nothing is printed, what they refer to is gathered. */
static uint8_t *look_through(const struct godot_track_emit *out, const struct anim_track *t, emit_event *emit,
			     size_t *bad)
{
	uint8_t *kept = anim_arena_zeroed(out->scratch, t->n + 1, 1, out->error);
	size_t lost = out->emit->lost_references;
	bool gathering = out->emit->gathering;

	*bad = 0;
	out->emit->gathering = true;
	for (size_t k = 0; kept != NULL && k < t->n; k++) {
		struct godot_json json = json_at(out, t, k);

		kept[k] = emit(&json, out);
		*bad += !kept[k];
		if (json.failed)
			kept = NULL;
	}
	out->emit->gathering = gathering;
	if (!gathering)
		out->emit->lost_references = lost;
	return out->emit->print.failed ? NULL : kept;
}

static void emit_kept(const struct godot_track_emit *out, const struct anim_track *t, emit_event *emit,
		      const uint8_t *kept)
{
	bool some = false;

	for (size_t k = 0; k < t->n; k++) {
		struct godot_json json = json_at(out, t, k);

		if (!kept[k])
			continue;
		godot_emit_text(out->emit, some ? ", " : "");
		emit(&json, out);
		some = true;
	}
}

int godot_emit_event_keys(const struct godot_track_emit *out, const struct anim_track *t, enum godot_track_type type,
			  size_t *bad)
{
	bool method = type == GODOT_TRACK_METHOD, packed = type == GODOT_TRACK_ANIMATION, old = out->names->godot3;
	emit_event *emit = method   ? strcmp(t->property, "@event") == 0 ? emit_unity_event : emit_method
			   : packed ? emit_clip
				    : emit_audio;
	const uint8_t *kept = look_through(out, t, emit, bad);
	struct anim_track plain = *t;

	if (kept == NULL)
		return -1;
	godot_emit_text(out->emit, "{\n");
	if (method) {
		godot_emit_times(out, t, kept);
		godot_emit_text(out->emit, ",\n");
		plain.ease = NULL;
		godot_emit_transitions(out, &plain, kept);
		godot_emit_text(out->emit, old ? ",\n\"values\": [ " : ",\n\"values\": [");
	} else if (packed) {
		godot_emit_text(out->emit, "\"clips\": ");
		godot_emit_open(out->emit, old ? "PoolStringArray" : "PackedStringArray");
	} else {
		godot_emit_text(out->emit, old ? "\"clips\": [ " : "\"clips\": [");
	}
	emit_kept(out, t, emit, kept);
	if (packed)
		godot_emit_close(out->emit);
	else
		godot_emit_text(out->emit, old ? " ]" : "]");
	if (!method) {
		godot_emit_text(out->emit, ",\n");
		godot_emit_times(out, t, kept);
	}
	godot_emit_text(out->emit, "\n}");
	return out->emit->print.failed ? -1 : 0;
}

int godot_emit_markers(const struct godot_track_emit *out, const struct anim_track *t, size_t *bad)
{
	const uint8_t *kept = look_through(out, t, emit_marker, bad);
	bool some = false;

	if (kept == NULL)
		return -1;
	godot_emit_text(out->emit, "markers = [");
	for (size_t k = 0; k < t->n; k++) {
		struct godot_json json = json_at(out, t, k);

		if (!kept[k])
			continue;
		godot_emit_text(out->emit, some ? ", " : "");
		emit_marker(&json, out);
		godot_emit_text(out->emit, ",\n\"time\": ");
		godot_emit_float(out->emit, (double)godot_emit_time(out, t, k), true);
		godot_emit_text(out->emit, "\n}");
		some = true;
	}
	godot_emit_text(out->emit, "]\n");
	return out->emit->print.failed ? -1 : 0;
}
