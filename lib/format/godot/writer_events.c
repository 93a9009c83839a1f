/* writer_events.c: method, audio and animation keys, and markers, out of one JSON object a key. */
#include <string.h>

#include "base/count.h"
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

static bool print_value(struct godot_json *json, struct godot_print *print, unsigned depth);

static bool print_number(struct godot_json *json, struct godot_print *print)
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
		godot_print_int(print, integer);
		return true;
	}
	if (anim_number_double(copy, copy + length, &value) != copy + length)
		return false;
	godot_print_float(print, value, false);
	return true;
}

static bool print_array(struct godot_json *json, struct godot_print *print, unsigned depth)
{
	godot_print_format(print, "%[");
	for (size_t i = 0; !json_take(json, ']'); i++) {
		if (i > 0 && !json_take(json, ','))
			return false;
		godot_print_text(print, i > 0 ? ", " : "");
		if (!print_value(json, print, depth))
			return false;
	}
	godot_print_format(print, "%]");
	return true;
}

/* A dictionary; {"godot": "Vector2(1, 2)"} is the value that the text says. */
static bool print_object(struct godot_json *json, struct godot_print *print, unsigned depth)
{
	const char *name, *text;
	bool first = true;
	size_t length, count = 0;

	while (json_member(json, &first, &name)) {
		if (count == 0 && strcmp(name, "godot") == 0 && json_string(json, &text, &length)) {
			godot_print_literal(print, text, length);
			return json_take(json, '}');
		}
		godot_print_format(print, count++ == 0 ? "{\n%Q: " : ",\n%Q: ", name);
		if (!print_value(json, print, depth))
			return false;
	}
	godot_print_text(print, count == 0 ? "{}" : "\n}");
	return json->at > json->begin && json->at[-1] == '}';
}

static bool print_value(struct godot_json *json, struct godot_print *print, unsigned depth)
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
		godot_print_quoted(print, text, length, true);
		return true;
	}
	if (json_take(json, '['))
		return print_array(json, print, depth + 1);
	if (json_take(json, '{'))
		return print_object(json, print, depth + 1);
	for (size_t i = 0; i < ANIM_COUNT(words); i++)
		if ((size_t)(json->end - json->at) >= strlen(words[i]) &&
		    memcmp(json->at, words[i], strlen(words[i])) == 0) {
			json->at += strlen(words[i]);
			godot_print_text(print, words[i]);
			return true;
		}
	return print_number(json, print);
}

/* --- The keys --- */

/* What an event's JSON says: the places of its members' values, all zero where they are not there. */
#define MEMBERS 6

struct members {
	const char *at[MEMBERS];
};

static struct godot_json json_at(const struct godot_track_out *out, const struct anim_track *t, size_t key)
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

/* The value of a member as Godot's text, an empty array where there is none. */
static bool print_arguments(struct godot_json *json, struct godot_print *print, const char *at)
{
	json->at = at;
	if (at != NULL)
		return print_value(json, print, 0);
	godot_print_format(print, "%[%]");
	return true;
}

/* The string at a member's place, as it stands in the format. */
static bool print_text(struct godot_json *json, struct godot_print *print, const char *format, const char *at)
{
	const char *text;
	size_t length;

	json->at = at;
	if (at == NULL || !json_string(json, &text, &length))
		return false;
	godot_print_format(print, format, text);
	return true;
}

static bool print_method(struct godot_json *json, const struct godot_track_out *out)
{
	static const char *const names[] = {"method", "args"};
	struct members members;

	if (!find_members(json, names, 2, &members))
		return false;
	godot_print_text(out->print, "{\n\"args\": ");
	return print_arguments(json, out->print, members.at[1]) &&
	       print_text(json, out->print, ",\n\"method\": %n\n}", members.at[0]);
}

/* Unity calls a method with the one parameter that it takes; Godot gets those that are set. */
static bool print_unity_args(struct godot_json *json, struct godot_print *print, const struct members *members)
{
	const char *between = "", *text;
	size_t length;
	double number;

	godot_print_format(print, "%[");
	for (size_t i = 1; i < 3; i++) {
		json->at = members->at[i];
		if (json->at == NULL || !json_number(json, &number) || number == 0)
			continue;
		if (i == 1)
			godot_print_format(print, "%f", number);
		else
			godot_print_format(print, "%s%d", between, (int64_t)number);
		between = ", ";
	}
	json->at = members->at[3];
	if (json->at != NULL && json_string(json, &text, &length) && length > 0)
		godot_print_format(print, "%s%Q", between, text);
	godot_print_format(print, "%]");
	return !json->failed;
}

static bool print_unity_event(struct godot_json *json, const struct godot_track_out *out)
{
	static const char *const names[] = {"functionName", "floatParameter", "intParameter", "data"};
	struct members members;

	if (!find_members(json, names, 4, &members))
		return false;
	godot_print_text(out->print, "{\n\"args\": ");
	return print_unity_args(json, out->print, &members) &&
	       print_text(json, out->print, ",\n\"method\": %n\n}", members.at[0]);
}

static bool print_audio(struct godot_json *json, const struct godot_track_out *out)
{
	static const char *const names[] = {"end_offset", "start_offset", "stream"};
	struct members members;
	double offset[2] = {0, 0};
	const char *text;
	size_t length;

	if (!find_members(json, names, 3, &members))
		return false;
	for (size_t i = 0; i < 2; i++) {
		json->at = members.at[i];
		if (json->at != NULL && !json_number(json, &offset[i]))
			return false;
	}
	godot_print_format(out->print, "{\n\"end_offset\": %f,\n\"start_offset\": %f,\n\"stream\": ", offset[0],
			   offset[1]);
	json->at = members.at[2];
	if (json->at != NULL && json_string(json, &text, &length))
		godot_print_literal(out->print, text, length);
	else
		godot_print_text(out->print, "null");
	godot_print_text(out->print, "\n}");
	return !json->failed;
}

static bool print_clip(struct godot_json *json, const struct godot_track_out *out)
{
	static const char *const names[] = {"clip"};
	struct members members;

	return find_members(json, names, 1, &members) && print_text(json, out->print, "%q", members.at[0]);
}

/* Without its time, which the caller adds. */
static bool print_marker(struct godot_json *json, const struct godot_track_out *out)
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
	godot_print_text(out->print, "{\n\"color\": ");
	godot_print_reals(out->print, "Color", color, 4);
	return print_text(json, out->print, ",\n\"name\": %n", members.at[0]);
}

typedef bool print_event(struct godot_json *, const struct godot_track_out *);

/* Which keys can be written: NULL where there is no memory. Nothing is printed, what they refer to is gathered. */
static uint8_t *look_through(const struct godot_track_out *out, const struct anim_track *t, print_event *print,
			     size_t *bad)
{
	uint8_t *kept = anim_arena_zeroed(out->scratch, t->n + 1, 1, out->error);
	size_t lost = out->print->lost_references;
	bool gathering = out->print->gathering;

	*bad = 0;
	out->print->gathering = true;
	for (size_t k = 0; kept != NULL && k < t->n; k++) {
		struct godot_json json = json_at(out, t, k);

		kept[k] = print(&json, out);
		*bad += !kept[k];
		if (json.failed)
			kept = NULL;
	}
	out->print->gathering = gathering;
	if (!gathering)
		out->print->lost_references = lost;
	return out->print->out.failed ? NULL : kept;
}

static void print_kept(const struct godot_track_out *out, const struct anim_track *t, print_event *print,
		       const uint8_t *kept)
{
	bool some = false;

	for (size_t k = 0; k < t->n; k++) {
		struct godot_json json = json_at(out, t, k);

		if (!kept[k])
			continue;
		godot_print_text(out->print, some ? ", " : "");
		print(&json, out);
		some = true;
	}
}

int godot_print_event_keys(const struct godot_track_out *out, const struct anim_track *t, enum godot_track_type type,
			   size_t *bad)
{
	bool method = type == GODOT_TRACK_METHOD, packed = type == GODOT_TRACK_ANIMATION, old = out->names->godot3;
	print_event *print = method   ? strcmp(t->property, "@event") == 0 ? print_unity_event : print_method
			     : packed ? print_clip
				      : print_audio;
	const uint8_t *kept = look_through(out, t, print, bad);
	struct anim_track plain = *t;

	if (kept == NULL)
		return -1;
	godot_print_text(out->print, "{\n");
	if (method) {
		godot_print_times(out, t, kept);
		godot_print_text(out->print, ",\n");
		plain.ease = NULL;
		godot_print_transitions(out, &plain, kept);
		godot_print_format(out->print, ",\n\"values\": %[");
	} else if (packed) {
		godot_print_format(out->print, "\"clips\": %s%(", old ? "PoolStringArray" : "PackedStringArray");
	} else {
		godot_print_format(out->print, "\"clips\": %[");
	}
	print_kept(out, t, print, kept);
	godot_print_format(out->print, packed ? "%)" : "%]");
	if (!method) {
		godot_print_text(out->print, ",\n");
		godot_print_times(out, t, kept);
	}
	godot_print_text(out->print, "\n}");
	return out->print->out.failed ? -1 : 0;
}

int godot_print_markers(const struct godot_track_out *out, const struct anim_track *t, size_t *bad)
{
	const uint8_t *kept = look_through(out, t, print_marker, bad);
	bool some = false;

	if (kept == NULL)
		return -1;
	godot_print_text(out->print, "markers = [");
	for (size_t k = 0; k < t->n; k++) {
		struct godot_json json = json_at(out, t, k);

		if (!kept[k])
			continue;
		godot_print_text(out->print, some ? ", " : "");
		print_marker(&json, out);
		godot_print_format(out->print, ",\n\"time\": %f\n}", (double)godot_print_time(out, t, k));
		some = true;
	}
	godot_print_text(out->print, "]\n");
	return out->print->out.failed ? -1 : 0;
}
