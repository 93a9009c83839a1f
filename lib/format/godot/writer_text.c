/* writer_text.c: keys that are texts: literals in another engine's spelling, and events, whose JSON becomes Godot's values. */
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/number.h"
#include "format/godot/writer.h"

/* ---- Literals, with this file's references ---- */

#define REAL_TEXT_MAX 64 /* bytes of a number that is printed anew; the reader printed it shorter */

/* The source text and how far it has been taken. */
struct literal_cursor {
	const char *at, *end;
};

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/* Behind the string whose quote is at `at`; `none` where it has no end. */
static const char *string_end(const char *at, const char *end, const char *none)
{
	for (at++; at < end && *at != '"';)
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	return at < end ? at + 1 : none;
}

static void skip_blanks(struct literal_cursor *cursor)
{
	while (cursor->at < cursor->end && *cursor->at == ' ')
		cursor->at++;
}

/* What the string at the cursor means, in the table's arena; NULL where there is none, or no memory. */
static const char *take_string(struct godot_print *print, struct literal_cursor *cursor)
{
	const char *end, *from;
	char *text, *to;

	skip_blanks(cursor);
	if (cursor->at == cursor->end || *cursor->at != '"')
		return NULL;
	end = string_end(cursor->at, cursor->end, cursor->end);
	from = cursor->at + 1;
	text = to = anim_arena_alloc(&print->externals.arena, (size_t)(end - cursor->at) + 1, print->out.error);
	if (text == NULL) {
		print->out.failed = true;
		return NULL;
	}
	for (; from + 1 < end; from++) {
		if (*from == '\\' && from + 2 < end)
			from++;
		*to++ = *from;
	}
	*to = '\0';
	cursor->at = end;
	skip_blanks(cursor);
	return text;
}

/* Enters an ext_resource under its path, or else its uid: its place in the table, from 1. 0: no memory. */
static uint32_t enter_external(struct godot_print *print, struct godot_print_external item)
{
	struct godot_print_externals *table = &print->externals;
	const char *key = item.path[0] != '\0' ? item.path : item.uid;
	uint32_t place = (uint32_t)(table->items.size / sizeof item) + 1;

	if (anim_buffer_append(&table->items, &item, sizeof item, print->out.error) != 0 ||
	    anim_map_put(&table->by_path, 0, key, strlen(key), place, print->out.error) != 0) {
		print->out.failed = true;
		return 0;
	}
	return place;
}

int godot_print_stands(struct godot_print *print, const char *id, const char *uid, const char *path)
{
	if (enter_external(print, (struct godot_print_external){.uid = uid, .path = path, .id = id}) == 0)
		return -1;
	return anim_map_put(&print->externals.by_id, 0, id, strlen(id), 1, print->out.error);
}

/* The next number that is no id of the file's. */
static size_t new_id(struct godot_print_externals *table)
{
	char id[ANIM_NUMBER_MAX];
	uint32_t known;

	do
		table->last++;
	while (anim_map_get(&table->by_id, 0, id, anim_number_print_uint64(id, table->last), &known));
	return table->last;
}

/* The ext_resource, which is entered where it is new; borrowed until the next is. NULL: no memory. */
static const struct godot_print_external *find_external(struct godot_print *print, const char *uid, const char *path)
{
	struct godot_print_externals *table = &print->externals;
	const char *key = path[0] != '\0' ? path : uid;
	uint32_t place;

	if (!anim_map_get(&table->by_path, 0, key, strlen(key), &place))
		place = enter_external(
		    print, (struct godot_print_external){.uid = uid, .path = path, .number = new_id(table)});
	return place == 0 ? NULL : (const struct godot_print_external *)(const void *)table->items.data + place - 1;
}

static void print_reference(struct godot_print *print, const struct godot_print_external *external)
{
	const char *quote = godot_print_is_3(print) ? "" : "\"";

	if (external == NULL)
		return;
	godot_print_format(print, godot_print_is_3(print) ? "ExtResource%(%s" : "ExtResource(%s", quote);
	if (external->id != NULL)
		godot_print_text(print, external->id);
	else
		godot_print_number(print, external->number);
	godot_print_format(print, godot_print_is_3(print) ? "%s%)" : "%s)", quote);
}

static bool is_uid(const char *text)
{
	return strncmp(text, "uid://", 6) == 0;
}

/* Resource("uid", "path") or Resource("path"), the cursor behind the word. */
static void print_resource(struct godot_print *print, struct literal_cursor *cursor)
{
	const char *first, *second = NULL;

	cursor->at++;
	first = take_string(print, cursor);
	if (first != NULL && cursor->at < cursor->end && *cursor->at == ',') {
		cursor->at++;
		second = take_string(print, cursor);
	}
	if (cursor->at < cursor->end && *cursor->at == ')')
		cursor->at++;
	if (first == NULL) {
		godot_print_text(print, "null");
		return;
	}
	if (second == NULL)
		print_reference(print,
				is_uid(first) ? find_external(print, first, "") : find_external(print, "", first));
	else if (!is_uid(first) && is_uid(second))
		print_reference(print, find_external(print, second, first));
	else
		print_reference(print, find_external(print, first, second));
}

/*
 * SubResource("id") and ExtResource("id") name what stood in the source's file: it is known here where that is the file that is
 * written into.
 */
static void print_own(struct godot_print *print, struct literal_cursor *cursor, bool sub)
{
	const char *id;
	uint32_t known;

	cursor->at++;
	id = take_string(print, cursor);
	while (cursor->at < cursor->end && *cursor->at != ')')
		cursor->at++;
	if (cursor->at < cursor->end)
		cursor->at++;
	if (sub && id != NULL && print->subs != NULL && anim_map_get(print->subs, 0, id, strlen(id), &known)) {
		godot_print_format(print, godot_print_is_3(print) ? "SubResource%(%s%)" : "SubResource(\"%s\")", id);
		return;
	}
	godot_print_text(print, "null");
	print->lost_references += print->gathering;
}

static bool is_word(const char *word, size_t length, const char *text)
{
	return strlen(text) == length && memcmp(word, text, length) == 0;
}

/* The name of a type as older engines have it; NULL: the same, or none. */
static const char *old_word(const struct godot_print *print, const char *word, size_t length)
{
	for (enum godot_type type = GODOT_VECTOR2; type < GODOT_SUB_RESOURCE; type++)
		if (is_word(word, length, godot_types[type].name))
			return godot_print_word(print, &godot_types[type]);
	return NULL;
}

/* A call, the cursor on its '('; base64 and Vector4 arrays want files of format 4. */
static void print_call(struct godot_print *print, struct literal_cursor *cursor, const char *word, size_t length)
{
	const char *old = godot_print_is_3(print) ? old_word(print, word, length) : NULL;

	if (is_word(word, length, "Resource")) {
		print_resource(print, cursor);
		return;
	}
	if (is_word(word, length, "SubResource") || is_word(word, length, "ExtResource")) {
		print_own(print, cursor, is_word(word, length, "SubResource"));
		return;
	}
	if (is_word(word, length, "PackedVector4Array") ||
	    (is_word(word, length, "PackedByteArray") && cursor->at + 1 < cursor->end && cursor->at[1] == '"'))
		print->needs_format4 = true;
	if (old != NULL)
		godot_print_text(print, old);
	else
		godot_print_bytes(print, word, length);
	if (godot_print_is_3(print) && is_word(word, length, "NodePath") && cursor->at + 1 < cursor->end &&
	    cursor->at[1] == '"') {
		const char *from = cursor->at;

		cursor->at = string_end(from + 1, cursor->end, cursor->end);
		godot_print_bytes(print, from, (size_t)(cursor->at - from));
		godot_print_text(print, cursor->at < cursor->end ? ")" : "");
		cursor->at += cursor->at < cursor->end;
	}
}

static void print_word(struct godot_print *print, struct literal_cursor *cursor)
{
	const char *word = cursor->at;
	size_t length;

	while (cursor->at < cursor->end && (is_letter(*cursor->at) || godot_is_digit(*cursor->at)))
		cursor->at++;
	length = (size_t)(cursor->at - word);
	if (cursor->at < cursor->end && *cursor->at == '(')
		print_call(print, cursor, word, length);
	else
		godot_print_bytes(print, word, length);
}

/* A number keeps its text, unless fewer digits are wanted. */
static void print_number(struct godot_print *print, struct literal_cursor *cursor)
{
	const char *from = cursor->at;
	char copy[REAL_TEXT_MAX + ANIM_INPUT_SLACK];
	bool real = false;
	double value;

	cursor->at += *cursor->at == '-';
	for (; cursor->at < cursor->end; cursor->at++) {
		bool sign = (*cursor->at == '-' || *cursor->at == '+') && (cursor->at[-1] | 32) == 'e';

		if (!godot_is_digit(*cursor->at) && *cursor->at != '.' && (*cursor->at | 32) != 'e' && !sign)
			break;
		real = real || !godot_is_digit(*cursor->at);
	}
	if (print->digits == 0 || !real || (size_t)(cursor->at - from) >= REAL_TEXT_MAX) {
		godot_print_bytes(print, from, (size_t)(cursor->at - from));
		return;
	}
	memset(copy, 0, sizeof copy);
	memcpy(copy, from, (size_t)(cursor->at - from));
	anim_number_double(copy, copy + (cursor->at - from), &value);
	godot_print_float(print, value, false);
}

/* Godot 3 has no StringNames, and a blank inside of brackets. */
static void print_sign(struct godot_print *print, char c)
{
	bool old = godot_print_is_3(print), opens = c == '(' || c == '[', closes = c == ')' || c == ']';

	if (old && c == '&')
		return;
	godot_print_text(print, old && closes ? " " : "");
	godot_print_bytes(print, &c, 1);
	godot_print_text(print, old && opens ? " " : "");
}

static void print_next(struct godot_print *print, struct literal_cursor *cursor)
{
	char c = *cursor->at;
	const char *from = cursor->at;

	if (c == '"') {
		cursor->at = string_end(cursor->at, cursor->end, cursor->end);
		godot_print_bytes(print, from, (size_t)(cursor->at - from));
	} else if (godot_is_digit(c) || (c == '-' && cursor->at + 1 < cursor->end && godot_is_digit(cursor->at[1]))) {
		print_number(print, cursor);
	} else if (is_letter(c)) {
		print_word(print, cursor);
	} else if (c == '-' && (size_t)(cursor->end - cursor->at) >= 4 && memcmp(cursor->at, "-inf", 4) == 0) {
		cursor->at += 4;
		godot_print_text(print, print->needs_format4 ? "-inf" : "inf_neg");
	} else {
		cursor->at++;
		print_sign(print, c);
	}
}

void godot_print_literal(struct godot_print *print, const char *source, size_t length)
{
	struct literal_cursor cursor = {source, source + length};

	while (cursor.at < cursor.end && !print->out.failed)
		print_next(print, &cursor);
}

/* ---- JSON as Godot's values ---- */

#define NUMBER_TEXT_MAX 64 /* bytes of a number; the reader printed it shorter */

/* Texts that are taken live in the arena. `failed`: there was no memory, *error is filled. */
struct event_json {
	const char *begin, *at, *end;
	struct anim_arena *arena;
	struct anim_error *error;
	bool failed;
};

static void json_blanks(struct event_json *json)
{
	while (json->at < json->end && strchr(" \t\r\n", *json->at) != NULL && *json->at != '\0')
		json->at++;
}

/* false leaves the cursor before what is there instead */
static bool json_take(struct event_json *json, char c)
{
	json_blanks(json);
	if (json->at == json->end || *json->at != c)
		return false;
	json->at++;
	return true;
}

static bool json_string(struct event_json *json, const char **text, size_t *length)
{
	struct anim_buffer decoded = {0};
	const char *end, *why;
	const uint8_t *bad;
	bool good = false;

	json_blanks(json);
	if (json->at == json->end || *json->at != '"' || (end = string_end(json->at, json->end, NULL)) == NULL)
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

#define NUMBER_COPY (NUMBER_TEXT_MAX + ANIM_INPUT_SLACK) /* the number reader may look at bytes behind the text */

/* Takes the text of a number; its length, 0 where there is none. */
static size_t json_number_text(struct event_json *json, char copy[NUMBER_COPY])
{
	const char *from;
	size_t length;

	json_blanks(json);
	from = json->at;
	while (json->at < json->end && *json->at != '\0' && strchr("+-.eE0123456789", *json->at) != NULL)
		json->at++;
	length = (size_t)(json->at - from);
	if (length >= NUMBER_TEXT_MAX)
		return 0;
	memset(copy, 0, NUMBER_COPY);
	memcpy(copy, from, length);
	return length;
}

static bool json_number(struct event_json *json, double *value)
{
	char copy[NUMBER_COPY];
	size_t length = json_number_text(json, copy);

	return length > 0 && anim_number_double(copy, copy + length, value) == copy + length;
}

/* a value of any kind */
static bool json_skip(struct event_json *json)
{
	const char *from = json->at, *end;
	unsigned depth = 0;

	for (; json->at < json->end; json->at = end) {
		char c = *json->at;

		end = json->at + 1;
		if (c == '"' && (end = string_end(json->at, json->end, NULL)) == NULL)
			return false;
		if (depth == 0 && (c == ',' || c == '}' || c == ']'))
			break;
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
	}
	return depth == 0 && json->at > from;
}

/* The next member of an object whose brace was taken; *first true before the first. False behind the closing brace too. */
static bool json_member(struct event_json *json, bool *first, const char **name)
{
	size_t length;

	if (json_take(json, '}'))
		return false;
	if (!*first && !json_take(json, ','))
		return false;
	*first = false;
	return json_string(json, name, &length) && json_take(json, ':');
}

static bool print_value(struct event_json *json, struct godot_print *print, unsigned depth);

static bool json_print_number(struct event_json *json, struct godot_print *print)
{
	char copy[NUMBER_COPY];
	size_t length = json_number_text(json, copy);
	int64_t integer;
	double value;

	if (length == 0)
		return false;
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

static bool print_array(struct event_json *json, struct godot_print *print, unsigned depth)
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
static bool print_object(struct event_json *json, struct godot_print *print, unsigned depth)
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

static bool print_value(struct event_json *json, struct godot_print *print, unsigned depth)
{
	static const char *const words[] = {"null", "true", "false"};
	const char *text;
	size_t length;

	json_blanks(json);
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
	return json_print_number(json, print);
}

/* ---- The keys ---- */

/* What an event's JSON says: the places of its members' values, all zero where they are not there. */
#define MEMBERS 6

struct event_members {
	const char *at[MEMBERS];
};

static struct event_json json_at(const struct godot_track_out *out, const struct anim_track *t, size_t key)
{
	const struct anim_strings *strings = t->strings;
	bool none = strings->length[key] == ANIM_NULL_STRING;
	const char *text = none ? "" : strings->bytes + strings->start[key];

	return (struct event_json){text,         text,       text + (none ? 0 : strings->length[key]),
				   out->scratch, out->error, false};
}

static bool find_members(struct event_json *json, const char *const *names, size_t count, struct event_members *members)
{
	const char *name;
	bool first = true;

	*members = (struct event_members){{NULL}};
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
static bool print_arguments(struct event_json *json, struct godot_print *print, const char *at)
{
	json->at = at;
	if (at != NULL)
		return print_value(json, print, 0);
	godot_print_format(print, "%[%]");
	return true;
}

/* The string at a member's place, as it stands in the format. */
static bool print_text(struct event_json *json, struct godot_print *print, const char *format, const char *at)
{
	const char *text;
	size_t length;

	json->at = at;
	if (at == NULL || !json_string(json, &text, &length))
		return false;
	godot_print_format(print, format, text);
	return true;
}

static bool print_method(struct event_json *json, const struct godot_track_out *out)
{
	static const char *const names[] = {"method", "args"};
	struct event_members members;

	if (!find_members(json, names, 2, &members))
		return false;
	godot_print_text(out->print, "{\n\"args\": ");
	return print_arguments(json, out->print, members.at[1]) &&
	       print_text(json, out->print, ",\n\"method\": %n\n}", members.at[0]);
}

/* An event of Unity's: the method, and what it may be called with. */
struct unity_call {
	struct event_members members;
	double numbers[2]; /* a float and an int */
	const char *text;
	unsigned set; /* a bit for each of the three that is not 0 or empty */
	bool object;  /* it passes on an object, too */
};

static bool read_unity_call(struct event_json *json, struct unity_call *call)
{
	static const char *const names[] = {"functionName", "floatParameter", "intParameter", "data",
					    "objectReferenceParameter"};
	static const char *const id[] = {"fileID"};
	struct event_members object;
	double number;
	size_t length;

	*call = (struct unity_call){.text = ""};
	if (!find_members(json, names, ANIM_COUNT(names), &call->members))
		return false;
	for (size_t i = 0; i < 2; i++) {
		json->at = call->members.at[i + 1];
		if (json->at != NULL && json_number(json, &number) && number != 0) {
			call->numbers[i] = number;
			call->set |= 1u << i;
		}
	}
	json->at = call->members.at[3];
	if (json->at != NULL && json_string(json, &call->text, &length) && length > 0)
		call->set |= 4;
	json->at = call->members.at[4];
	if (json->at != NULL && find_members(json, id, 1, &object)) {
		json->at = object.at[0];
		call->object = json->at != NULL && json_number(json, &number) && number != 0;
	}
	return !json->failed;
}

/* A method of Godot takes one number of arguments: those that any of the track's events sets for it. 0 or -1. */
static int gather_parameters(const struct godot_track_out *out, const struct anim_track *t, struct anim_map *parameters)
{
	for (size_t k = 0; k < t->n; k++) {
		struct event_json json = json_at(out, t, k);
		struct unity_call call;
		const char *method;
		size_t length;
		uint32_t before = 0;

		if (!read_unity_call(&json, &call)) {
			if (json.failed)
				return -1;
			continue;
		}
		json.at = call.members.at[0];
		if (json.at == NULL || !json_string(&json, &method, &length))
			continue;
		anim_map_get(parameters, 0, method, length, &before);
		if (anim_map_put(parameters, 0, method, length, before | call.set, out->error) != 0)
			return -1;
	}
	return 0;
}

static bool print_unity_event(struct event_json *json, const struct godot_track_out *out)
{
	struct unity_call call;
	const char *method, *between = "";
	uint32_t set = 0;
	size_t length;

	if (!read_unity_call(json, &call))
		return false;
	out->print->lost_objects += call.object && out->print->gathering;
	json->at = call.members.at[0];
	if (json->at == NULL || !json_string(json, &method, &length))
		return false;
	anim_map_get(out->parameters, 0, method, length, &set);
	godot_print_format(out->print, "{\n\"args\": %[");
	if (set & 1)
		godot_print_format(out->print, "%f", call.numbers[0]);
	between = set & 1 ? ", " : between;
	if (set & 2)
		godot_print_format(out->print, "%s%d", between, (int64_t)call.numbers[1]);
	between = set & 3 ? ", " : between;
	if (set & 4)
		godot_print_format(out->print, "%s%Q", between, call.text);
	godot_print_format(out->print, "%],\n\"method\": %n\n}", method);
	return true;
}

static bool print_audio(struct event_json *json, const struct godot_track_out *out)
{
	static const char *const names[] = {"end_offset", "start_offset", "stream"};
	struct event_members members;
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

static bool print_clip(struct event_json *json, const struct godot_track_out *out)
{
	static const char *const names[] = {"clip"};
	struct event_members members;

	return find_members(json, names, 1, &members) && print_text(json, out->print, "%q", members.at[0]);
}

/* Without its time, which the caller adds. */
static bool print_marker(struct event_json *json, const struct godot_track_out *out)
{
	static const char *const names[] = {"name", "color"};
	struct event_members members;
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

typedef bool print_event(struct event_json *, const struct godot_track_out *);

/* Which keys can be written: NULL where there is no memory. Nothing is printed, what they refer to is gathered. */
static uint8_t *look_through(const struct godot_track_out *out, const struct anim_track *t, print_event *print,
			     size_t *bad)
{
	uint8_t *kept = anim_arena_zeroed(out->scratch, t->n + 1, 1, out->error);
	size_t lost = out->print->lost_references, objects = out->print->lost_objects;
	bool gathering = out->print->gathering;

	*bad = 0;
	out->print->gathering = true;
	for (size_t k = 0; kept != NULL && k < t->n; k++) {
		struct event_json json = json_at(out, t, k);

		kept[k] = print(&json, out);
		*bad += !kept[k];
		if (json.failed)
			kept = NULL;
	}
	out->print->gathering = gathering;
	if (!gathering) {
		out->print->lost_references = lost;
		out->print->lost_objects = objects;
	}
	return out->print->out.failed ? NULL : kept;
}

static void print_kept(const struct godot_track_out *out, const struct anim_track *t, print_event *print,
		       const uint8_t *kept)
{
	bool some = false;

	for (size_t k = 0; k < t->n; k++) {
		struct event_json json = json_at(out, t, k);

		if (!kept[k])
			continue;
		godot_print_text(out->print, some ? ", " : "");
		print(&json, out);
		some = true;
	}
}

#define ROWS_MAX 32 /* calls at one time, beyond which they are lost: each row is a look at all keys */

/* Of the keys that are kept (NULL: all are) only those of one row, `row`, stay marked. How many rows there are. */
static size_t divide(const struct godot_track_out *out, const struct anim_track *t, uint8_t *kept, size_t *lost)
{
	double last[ROWS_MAX]; /* times of the rows' last keys */
	size_t used = 0;

	for (size_t k = 0; k < t->n; k++) {
		double time = (double)godot_print_time(out, t, k);
		size_t row = 0;

		if (kept != NULL && !kept[k])
			continue;
		while (row < used && godot_equal_times(last[row], time))
			row++;
		*lost += row == ROWS_MAX;
		if (kept != NULL)
			kept[k] = row == out->row;
		if (row == ROWS_MAX)
			continue;
		last[row] = time;
		used += row == used;
	}
	return used;
}

int godot_call_rows(const struct godot_track_out *out, const struct anim_track *t, size_t *rows, size_t *lost)
{
	static const struct anim_map none = {0};
	struct godot_track_out own = *out;
	print_event *print = strcmp(t->property, "@method") == 0   ? print_method
			     : strcmp(t->property, "@event") == 0  ? print_unity_event
			     : strcmp(t->property, "@marker") == 0 ? print_marker
								   : NULL;
	uint8_t *kept;
	size_t bad;

	*lost = 0;
	*rows = print == NULL ? 1 : divide(out, t, NULL, lost);
	if (*rows < 2)
		return 0;
	own.parameters = &none;
	if ((kept = look_through(&own, t, print, &bad)) == NULL)
		return -1;
	*lost = 0;
	*rows = divide(&own, t, kept, lost);
	return 0;
}

static int print_event_keys(const struct godot_track_out *out, const struct anim_track *t, enum godot_track_type type,
			    size_t *bad)
{
	bool method = type == GODOT_TRACK_METHOD, packed = type == GODOT_TRACK_ANIMATION, old = out->names->godot3;
	print_event *print = method   ? strcmp(t->property, "@event") == 0 ? print_unity_event : print_method
			     : packed ? print_clip
				      : print_audio;
	uint8_t *kept = look_through(out, t, print, bad);
	struct anim_track plain = *t;
	size_t lost = 0;

	if (kept == NULL)
		return -1;
	if (method)
		divide(out, t, kept, &lost);
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

int godot_print_event_keys(const struct godot_track_out *out, const struct anim_track *t, enum godot_track_type type,
			   size_t *bad)
{
	struct godot_track_out own = *out;
	struct anim_map parameters = {0};
	int result = strcmp(t->property, "@event") == 0 ? gather_parameters(out, t, &parameters) : 0;

	own.parameters = &parameters;
	if (result == 0)
		result = print_event_keys(&own, t, type, bad);
	anim_map_clear(&parameters);
	return result;
}

int godot_print_markers(const struct godot_track_out *out, const struct anim_track *t, size_t *bad)
{
	const uint8_t *kept = look_through(out, t, print_marker, bad);
	bool some = false;

	if (kept == NULL)
		return -1;
	godot_print_text(out->print, "markers = [");
	for (size_t k = 0; k < t->n; k++) {
		struct event_json json = json_at(out, t, k);

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
