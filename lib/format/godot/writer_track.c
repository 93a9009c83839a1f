/* writer_track.c: writes a track of the model as properties tracks/N of Godot: its path and its keys, also texts. */
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "clip/keys.h"
#include "format/godot/writer.h"

/* ---- Names of properties in the target ---- */

bool godot_is_foreign(const struct godot_names *names, const struct anim_track *t)
{
	const char *class = anim_attrs_get(&t->attrs, "unity.class");

	/* Conversion removes the class of properties that have a name in Godot. */
	return names->from_unity && !godot_is_sprite_part(t) && class != NULL && *class != '\0' &&
	       !(anim_track_is_transform(t) && anim_text_is_word("position rotation scale euler angle", t->property));
}

/* ---- Node, property and component -> NodePath ---- */

bool godot_is_of_space(const struct anim_track *t)
{
	if (!anim_track_is_transform(t))
		return false;
	if (strcmp(t->property, "euler") == 0 || strcmp(t->property, "rotation") == 0)
		return true;
	return t->component == ANIM_WHOLE ? anim_types[t->type].components == 3 : t->component == 2;
}

const char *godot_written_node(const struct godot_names *names, const char *node, const char *bone,
			       struct anim_arena *arena, struct anim_error *error)
{
	return names->from_godot ? node : anim_godot_node(node, bone, arena, error);
}

static const char *print_bone(const struct godot_names *names, const struct anim_track *t)
{
	return anim_track_bone(names->own_bones ? "" : "other", t);
}

const char *godot_written_track_node(const struct godot_names *names, const struct anim_track *t,
				     struct anim_arena *arena, struct anim_error *error)
{
	const char *node = godot_written_node(names, t->node, print_bone(names, t), arena, error);

	if (node == NULL || names->below == NULL || node[0] == '/' || node[0] == '%')
		return node;
	return strcmp(node, ".") == 0 ? names->below : anim_arena_printf(arena, error, "%s/%s", names->below, node);
}

const char *godot_source_node(const struct godot_names *names, const char *written)
{
	size_t length = names->below == NULL ? 0 : strlen(names->below);

	if (length == 0 || strncmp(written, names->below, length) != 0)
		return written;
	return written[length] == '/' ? written + length + 1 : written[length] == '\0' ? "." : written;
}

const char *godot_written_shape(const struct godot_names *names, const struct anim_track *t, struct anim_arena *arena,
				struct anim_error *error)
{
	const char *name = strchr(t->property, '/') + 1;
	char *copy;

	if (names->from_godot || strchr(name, ':') == NULL)
		return name;
	copy = anim_arena_text(arena, name, strlen(name), error);
	for (char *at = copy; at != NULL && *at != '\0'; at++)
		if (*at == ':')
			*at = '_';
	return copy;
}

/* Return the Godot name of a canonical property of the model, or NULL if it has the same name. */
static const char *godot_name(const struct godot_names *names, const struct anim_track *t)
{
	bool spatial = anim_types[t->type].components == 3 || anim_attrs_get(&t->attrs, "godot.type") == NULL;

	if (!anim_track_is_transform(t))
		return NULL;
	if (anim_text_is_word("euler angle", t->property))
		return t->flags & ANIM_DEGREES ? "rotation_degrees" : "rotation";
	if (strcmp(t->property, "rotation") == 0)
		return "quaternion";
	if (names->godot3 && strcmp(t->property, "position") == 0 &&
	    (t->component != ANIM_WHOLE ? names->spatial : spatial && anim_types[t->type].components == 3))
		return "translation";
	return NULL;
}

const char *godot_written_property(const struct godot_names *names, const struct anim_track *t,
				   struct anim_arena *arena, struct anim_error *error)
{
	static const char shape[] = "blend_shape/";
	const char *name = godot_name(names, t), *component = "", *colon = "";

	if (strncmp(t->property, shape, sizeof shape - 1) == 0) {
		name = godot_written_shape(names, t, arena, error);
		return name == NULL ? NULL : anim_arena_printf(arena, error, "blend_shapes/%s", name);
	}
	if (name == NULL)
		name = !names->from3 || names->keep                ? t->property
		       : strcmp(t->property, "transform/rot") == 0 ? "rotation_degrees" /* its sign is also changed */
								   : anim_godot2_renamed(t->property);
	if (t->component != ANIM_WHOLE) {
		colon = ":";
		component = anim_component_name(t->property, t->component);
	}
	return name == NULL ? NULL : anim_arena_printf(arena, error, "%s%s%s", name, colon, component);
}

/* ---- Literals with references of the written file ---- */

#define REAL_TEXT_MAX 64 /* bytes of a number that is printed again; the text of the reader is shorter */

/* The source text and the position up to which it has been read. */
struct literal_cursor {
	const char *at, *end;
};

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/* Return the position after the string whose quote is at `at`, or `none` if the string does not end. */
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

/*
 * Read the string at the cursor into the arena of the table, and decode it. Returns NULL if it is missing, or if out of
 * memory.
 */
static const char *read_string(struct godot_print *print, struct literal_cursor *cursor)
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

/*
 * Add an ext_resource under its path, or under its uid if it has no path. Returns its position in the table, counted
 * from 1, or 0 if out of memory.
 */
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

int godot_print_add_existing(struct godot_print *print, const char *id, const char *uid, const char *path)
{
	if (enter_external(print, (struct godot_print_external){.uid = uid, .path = path, .id = id}) == 0)
		return -1;
	return anim_map_put(&print->externals.by_id, 0, id, strlen(id), 1, print->out.error);
}

/* Print Resource("uid", "path") or Resource("path"). The cursor is after the word. */
static void print_resource(struct godot_print *print, struct literal_cursor *cursor)
{
	const char *first, *second = NULL, *uid, *path, *key, *quote = godot_print_is_3(print) ? "" : "\"";
	struct godot_print_externals *table = &print->externals;
	const struct godot_print_external *external;
	char id[ANIM_NUMBER_MAX];
	uint32_t place, known;

	cursor->at++;
	first = read_string(print, cursor);
	if (first != NULL && cursor->at < cursor->end && *cursor->at == ',') {
		cursor->at++;
		second = read_string(print, cursor);
	}
	if (cursor->at < cursor->end && *cursor->at == ')')
		cursor->at++;
	if (first == NULL) {
		godot_print_text(print, "null");
		return;
	}
	uid = first;
	path = second == NULL ? "" : second;
	if (anim_text_after(first, "uid://") == NULL && (second == NULL || anim_text_after(second, "uid://") != NULL)) {
		uid = path;
		path = first;
	}
	key = path[0] != '\0' ? path : uid;
	if (!anim_map_get(&table->by_path, 0, key, strlen(key), &place)) {
		/* The number of a new ext_resource is the next that is not an id in the file. */
		do
			table->last++;
		while (anim_map_get(&table->by_id, 0, id, anim_number_print_uint64(id, table->last), &known));
		place = enter_external(print,
				       (struct godot_print_external){.uid = uid, .path = path, .number = table->last});
	}
	if (place == 0)
		return;
	external = (const struct godot_print_external *)(const void *)table->items.data + place - 1;
	godot_print_format(print, godot_print_is_3(print) ? "ExtResource%(%s" : "ExtResource(%s", quote);
	if (external->id != NULL)
		godot_print_text(print, external->id);
	else
		godot_print_number(print, external->number);
	godot_print_format(print, godot_print_is_3(print) ? "%s%)" : "%s)", quote);
}

/*
 * Print SubResource("id") or ExtResource("id"), which refer to the source file. They are kept only if this is the file
 * that is edited.
 */
static void print_own(struct godot_print *print, struct literal_cursor *cursor, bool sub)
{
	const char *id;
	uint32_t known;

	cursor->at++;
	id = read_string(print, cursor);
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

/*
 * Print a word, or a call up to its arguments. Types get their names in the engine. Base64 and Vector4 arrays require
 * files of format 4.
 */
static void print_word(struct godot_print *print, struct literal_cursor *cursor)
{
	struct godot_string word = {.bytes = cursor->at};
	const char *old = NULL;
	bool quoted;

	while (cursor->at < cursor->end && (is_letter(*cursor->at) || godot_is_digit(*cursor->at)))
		cursor->at++;
	word.length = (size_t)(cursor->at - word.bytes);
	if (cursor->at == cursor->end || *cursor->at != '(') {
		godot_print_bytes(print, word.bytes, word.length);
		return;
	}
	if (godot_string_is(&word, "Resource")) {
		print_resource(print, cursor);
		return;
	}
	if (godot_string_is(&word, "SubResource") || godot_string_is(&word, "ExtResource")) {
		print_own(print, cursor, godot_string_is(&word, "SubResource"));
		return;
	}
	quoted = cursor->at + 1 < cursor->end && cursor->at[1] == '"';
	if (godot_string_is(&word, "PackedVector4Array") || (godot_string_is(&word, "PackedByteArray") && quoted))
		print->needs_format4 = true;
	for (enum godot_type type = GODOT_VECTOR2; type < GODOT_SUB_RESOURCE && old == NULL; type++)
		if (godot_print_is_3(print) && godot_string_is(&word, godot_types[type].name))
			old = godot_print_word(print, &godot_types[type]);
	if (old != NULL)
		godot_print_text(print, old);
	else
		godot_print_bytes(print, word.bytes, word.length);
	if (godot_print_is_3(print) && godot_string_is(&word, "NodePath") && quoted) {
		const char *from = cursor->at;

		cursor->at = string_end(from + 1, cursor->end, cursor->end);
		godot_print_bytes(print, from, (size_t)(cursor->at - from));
		godot_print_text(print, cursor->at < cursor->end ? ")" : "");
		cursor->at += cursor->at < cursor->end;
	}
}

/* Print a number. Its text is unchanged, unless fewer digits are requested. */
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

/* Print a sign. Godot 3 has no StringNames, and has a blank inside brackets. */
static void print_sign(struct godot_print *print, char c)
{
	bool old = godot_print_is_3(print), opens = c == '(' || c == '[', closes = c == ')' || c == ']';

	if (old && c == '&')
		return;
	godot_print_text(print, old && closes ? " " : "");
	godot_print_bytes(print, &c, 1);
	godot_print_text(print, old && opens ? " " : "");
}

/*
 * Resource("uid", "path") becomes an ExtResource. A SubResource that does not exist in the file becomes null, and is
 * counted. Numbers, names and packed arrays get the spelling of the engine.
 */
void godot_print_literal(struct godot_print *print, const char *source, size_t length)
{
	struct literal_cursor cursor = {source, source + length};

	while (cursor.at < cursor.end && !print->out.failed) {
		const char *from = cursor.at;
		size_t left = (size_t)(cursor.end - from);

		if (*from == '"') {
			cursor.at = string_end(from, cursor.end, cursor.end);
			godot_print_bytes(print, from, (size_t)(cursor.at - from));
		} else if (godot_is_digit(*from) || (*from == '-' && left > 1 && godot_is_digit(from[1]))) {
			print_number(print, &cursor);
		} else if (is_letter(*from)) {
			print_word(print, &cursor);
		} else if (left >= 4 && memcmp(from, "-inf", 4) == 0) {
			cursor.at += 4;
			godot_print_text(print, print->needs_format4 ? "-inf" : "inf_neg");
		} else {
			cursor.at++;
			print_sign(print, *from);
		}
	}
}

/* ---- JSON as Godot values ---- */

/* The JSON object of an event, as tokens. Decoded texts are in the arena. `failed`: out of memory, and *error is set. */
struct event_json {
	struct anim_json json;
	struct anim_arena *arena;
	struct anim_error *error;
	bool failed;
};

/* Read the text of a key. Returns false if it is not a JSON object, or on failure. */
static bool read_event(struct event_json *event, const struct anim_track *t, size_t key)
{
	struct anim_json *json = &event->json;
	uint32_t length = t->strings->length[key];
	const char *text, *at;
	struct anim_error trouble = {0};
	unsigned depth = 0;

	if (length == ANIM_NULL_STRING)
		return false;
	text = t->strings->bytes + t->strings->start[key];
	for (at = text; at < text + length && depth <= ANIM_NESTING_JSON;) {
		depth += *at == '{' || *at == '[';
		depth -= (*at == '}' || *at == ']') && depth > 0;
		at = *at == '"' ? string_end(at, text + length, text + length) : at + 1;
	}
	if (depth > ANIM_NESTING_JSON)
		return false;
	json->values.size = json->known_at = json->known_line = json->line_start = 0;
	json->begin.file = "";
	json->what = "an event";
	json->element = -1;
	if (anim_buffer_append(&json->values, text, length, &trouble) != 0 || anim_json_tokenise(json, &trouble) != 0) {
		event->failed = trouble.code == ANIM_NO_MEMORY;
		if (event->failed)
			*event->error = trouble;
		return false;
	}
	return json->count > 0 && anim_json_token_at(json, 0).type == ANIM_JSON_OBJECT;
}

/* Return whether the token is in the container. */
static bool is_inside(const struct event_json *event, size_t token, struct anim_json_token container)
{
	return token < event->json.count && anim_json_token_at(&event->json, token).start < container.end;
}

/* Decode a string. Returns false if the token is 0 or something else, or on failure. */
static bool read_text(struct event_json *event, size_t token, const char **text, size_t *length)
{
	const struct anim_json *json = &event->json;
	struct anim_buffer decoded = {0};
	const uint8_t *bad;
	const char *why;

	if (token == 0 || anim_json_token_at(json, token).type != ANIM_JSON_STRING)
		return false;
	*text = NULL;
	if (anim_json_decode(anim_json_token_text(json, token), anim_json_token_size(json, token), &decoded, &bad,
			     &why) == 0)
		*text = anim_arena_text(event->arena, decoded.size > 0 ? (const char *)decoded.data : "", decoded.size,
					event->error);
	else
		anim_fail_memory(event->error); /* the token has been checked */
	*length = decoded.size;
	event->failed |= *text == NULL;
	anim_buffer_clear(&decoded);
	return *text != NULL;
}

#define NUMBER_TEXT_MAX 64                               /* bytes of a number; the text of the reader is shorter */
#define NUMBER_COPY (NUMBER_TEXT_MAX + ANIM_INPUT_SLACK) /* the number parser may look at bytes after the text */

/* Copy the text of a number. Returns its length, or 0 if the token is 0 or something else. */
static size_t copy_number(const struct event_json *event, size_t token, char copy[NUMBER_COPY])
{
	size_t length = token == 0 ? 0 : anim_json_token_size(&event->json, token);

	if (length == 0 || length >= NUMBER_TEXT_MAX || !anim_json_is_number(&event->json, token))
		return 0;
	memset(copy, 0, NUMBER_COPY);
	memcpy(copy, anim_json_token_text(&event->json, token), length);
	return length;
}

static bool read_number(const struct event_json *event, size_t token, double *value)
{
	char copy[NUMBER_COPY];
	size_t length = copy_number(event, token, copy);

	return length > 0 && anim_number_double(copy, copy + length, value) == copy + length;
}

/* Print a value as Godot's. Returns the token after it, or 0 if Godot does not have such a value, or on failure. */
static size_t print_value(struct event_json *event, struct godot_print *print, size_t token)
{
	const struct anim_json *json = &event->json;
	struct anim_json_token value = anim_json_token_at(json, token);
	size_t next = token + 1, count = 0, length;
	const char *text;
	char copy[NUMBER_COPY];
	int64_t integer;
	double real;

	if (value.type == ANIM_JSON_STRING) {
		if (!read_text(event, token, &text, &length))
			return 0;
		godot_print_quoted(print, text, length, true);
	} else if (value.type == ANIM_JSON_ARRAY) {
		godot_print_format(print, "%[");
		for (; next != 0 && is_inside(event, next, value); count++) {
			godot_print_text(print, count > 0 ? ", " : "");
			next = print_value(event, print, next);
		}
		godot_print_format(print, "%]");
	} else if (value.type == ANIM_JSON_OBJECT && is_inside(event, next, value) &&
		   anim_json_is_named(json, next, "godot") && read_text(event, next + 1, &text, &length)) {
		/* {"godot": "Vector2(1, 2)"} is the value with that source text. */
		godot_print_literal(print, text, length);
		next = is_inside(event, next + 2, value) ? 0 : next + 2;
	} else if (value.type == ANIM_JSON_OBJECT) {
		for (; next != 0 && is_inside(event, next, value); count++) {
			if (!read_text(event, next, &text, &length))
				return 0;
			godot_print_format(print, count == 0 ? "{\n%Q: " : ",\n%Q: ", text);
			next = print_value(event, print, next + 1);
		}
		godot_print_text(print, count == 0 ? "{}" : "\n}");
	} else if (!anim_json_is_number(json, token)) {
		godot_print_bytes(print, anim_json_token_text(json, token), anim_json_token_size(json, token));
	} else {
		length = copy_number(event, token, copy);
		if (length == 0)
			return 0;
		if (strpbrk(copy, ".eE") == NULL) {
			if (anim_number_int64(copy, copy + length, &integer) != copy + length)
				return 0;
			godot_print_int(print, integer);
		} else {
			if (anim_number_double(copy, copy + length, &real) != copy + length)
				return 0;
			godot_print_float(print, real, false);
		}
	}
	return next;
}

/* ---- Times and transitions ---- */

/* Return the time of a key in the target, counted from the start of the clip. */
static float print_time(const struct godot_track_out *out, const struct anim_track *t, size_t key)
{
	return out->start_s == 0 ? t->time[key] : (float)((double)t->time[key] - (double)out->start_s);
}

static const char *packed_floats(const struct godot_track_out *out)
{
	return godot_print_word(out->print, &godot_types[GODOT_PACKED_FLOAT32]);
}

static float ease_at(const struct anim_track *t, size_t key)
{
	const char *type = t->hint != NULL && t->kind == ANIM_DISCRETE ? anim_attrs_get(&t->attrs, "godot.type") : NULL;
	float noted = 1;

	if (type != NULL && strcmp(type, "value") == 0) /* the reader stores it here if it has no effect */
		memcpy(&noted, &t->hint[key], sizeof noted);
	return t->ease != NULL ? t->ease[key] : noted;
}

/* Print "times" or "transitions": PackedFloat32Array(0, 1), for the keys marked in `kept` (NULL: all keys). */
static void print_numbers(const struct godot_track_out *out, const struct anim_track *t, const uint8_t *kept,
			  bool times)
{
	bool some = false;

	godot_print_format(out->print, "\"%s\": %s%(", times ? "times" : "transitions", packed_floats(out));
	for (size_t k = 0; k < t->n; k++) {
		if (kept != NULL && !kept[k])
			continue;
		godot_print_text(out->print, some ? ", " : "");
		godot_print_real(out->print, (double)(times ? print_time(out, t, k) : ease_at(t, k)), true);
		some = true;
	}
	godot_print_format(out->print, "%)");
}

static void print_times(const struct godot_track_out *out, const struct anim_track *t, const uint8_t *kept)
{
	print_numbers(out, t, kept, true);
}

static void print_transitions(const struct godot_track_out *out, const struct anim_track *t, const uint8_t *kept)
{
	print_numbers(out, t, kept, false);
}

/* ---- The keys of event tracks and markers ---- */

/* The tokens of the values of members of an object. They are 0 for missing members. */
#define MEMBERS 6

struct event_members {
	size_t at[MEMBERS];
};

/* Find the members of the object at the token. Returns false if it is not an object. */
static bool find_members(const struct event_json *event, size_t object, const char *const *names, size_t count,
			 struct event_members *members)
{
	const struct anim_json *json = &event->json;
	struct anim_json_token whole = anim_json_token_at(json, object);

	*members = (struct event_members){{0}};
	if (whole.type != ANIM_JSON_OBJECT)
		return false;
	for (size_t name = object + 1; is_inside(event, name, whole);) {
		struct anim_json_token value = anim_json_token_at(json, name + 1);

		for (size_t i = 0; i < count; i++)
			if (anim_json_is_named(json, name, names[i]))
				members->at[i] = name + 1;
		/* Skip the value with all its contents. */
		for (name += 2; is_inside(event, name, value);)
			name++;
	}
	return true;
}

/* Print the string at a token with the format. */
static bool print_text(struct event_json *event, struct godot_print *print, const char *format, size_t token)
{
	const char *text;
	size_t length;

	if (!read_text(event, token, &text, &length))
		return false;
	godot_print_format(print, format, text);
	return true;
}

static bool print_method(struct event_json *event, const struct godot_track_out *out)
{
	static const char *const names[] = {"method", "args"};
	struct event_members members;

	if (!find_members(event, 0, names, 2, &members))
		return false;
	godot_print_text(out->print, "{\n\"args\": ");
	if (members.at[1] == 0)
		godot_print_format(out->print, "%[%]");
	else if (print_value(event, out->print, members.at[1]) == 0)
		return false;
	return print_text(event, out->print, ",\n\"method\": %n\n}", members.at[0]);
}

/* A Unity event: the method, and the arguments that it may have. */
struct unity_call {
	struct event_members members;
	double numbers[2]; /* a float and an int */
	const char *text;
	unsigned set; /* a bit for each of the three arguments that is not 0 or empty */
	bool object;  /* it also passes an object */
};

static bool read_unity_call(struct event_json *event, struct unity_call *call)
{
	static const char *const names[] = {"functionName", "floatParameter", "intParameter", "data",
					    "objectReferenceParameter"};
	static const char *const id[] = {"fileID"};
	struct event_members object;
	double number;
	size_t length;

	*call = (struct unity_call){.text = ""};
	if (!find_members(event, 0, names, ANIM_COUNT(names), &call->members))
		return false;
	for (size_t i = 0; i < 2; i++)
		if (read_number(event, call->members.at[i + 1], &number) && number != 0) {
			call->numbers[i] = number;
			call->set |= 1u << i;
		}
	if (read_text(event, call->members.at[3], &call->text, &length) && length > 0)
		call->set |= 4;
	if (call->members.at[4] != 0 && find_members(event, call->members.at[4], id, 1, &object))
		call->object = read_number(event, object.at[0], &number) && number != 0;
	return !event->failed;
}

/*
 * Collect the arguments of each method. A Godot method has a fixed number of arguments: those that any event of the
 * track sets for it. Returns 0 or -1.
 */
static int gather_parameters(const struct godot_track_out *out, const struct anim_track *t, struct anim_map *parameters)
{
	struct event_json event = {.arena = out->scratch, .error = out->error};
	int result = 0;

	for (size_t k = 0; k < t->n && result == 0; k++) {
		struct unity_call call;
		const char *method;
		size_t length;
		uint32_t before = 0;

		if (read_event(&event, t, k) && read_unity_call(&event, &call) &&
		    read_text(&event, call.members.at[0], &method, &length)) {
			anim_map_get(parameters, 0, method, length, &before);
			result = anim_map_put(parameters, 0, method, length, before | call.set, out->error);
		}
		result = event.failed ? -1 : result;
	}
	anim_json_clear(&event.json);
	return result;
}

static bool print_unity_event(struct event_json *event, const struct godot_track_out *out)
{
	struct unity_call call;
	const char *method, *between = "";
	uint32_t set = 0;
	size_t length;

	if (!read_unity_call(event, &call))
		return false;
	out->print->lost_objects += call.object && out->print->gathering;
	if (!read_text(event, call.members.at[0], &method, &length))
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

static bool print_audio(struct event_json *event, const struct godot_track_out *out)
{
	static const char *const names[] = {"end_offset", "start_offset", "stream"};
	struct event_members members;
	double offset[2] = {0, 0};
	const char *text;
	size_t length;

	if (!find_members(event, 0, names, 3, &members))
		return false;
	for (size_t i = 0; i < 2; i++)
		if (members.at[i] != 0 && !read_number(event, members.at[i], &offset[i]))
			return false;
	godot_print_format(out->print, "{\n\"end_offset\": %f,\n\"start_offset\": %f,\n\"stream\": ", offset[0],
			   offset[1]);
	if (read_text(event, members.at[2], &text, &length))
		godot_print_literal(out->print, text, length);
	else
		godot_print_text(out->print, "null");
	godot_print_text(out->print, "\n}");
	return !event->failed;
}

static bool print_clip(struct event_json *event, const struct godot_track_out *out)
{
	static const char *const names[] = {"clip"};
	struct event_members members;

	return find_members(event, 0, names, 1, &members) && print_text(event, out->print, "%q", members.at[0]);
}

/* Print a marker without its time, which the caller adds. */
static bool print_marker(struct event_json *event, const struct godot_track_out *out)
{
	static const char *const names[] = {"name", "color"};
	struct event_members members;
	float color[4] = {1, 1, 1, 1};
	double number;

	if (!find_members(event, 0, names, 2, &members))
		return false;
	for (size_t i = 0; members.at[1] != 0 && i < 4; i++) {
		struct anim_json_token array = anim_json_token_at(&event->json, members.at[1]);
		size_t token = members.at[1] + 1 + i;

		if (array.type != ANIM_JSON_ARRAY || !is_inside(event, token, array) ||
		    !read_number(event, token, &number))
			return false;
		color[i] = (float)number;
	}
	godot_print_text(out->print, "{\n\"color\": ");
	godot_print_reals(out->print, "Color", color, 4);
	return print_text(event, out->print, ",\n\"name\": %n", members.at[0]);
}

typedef bool print_event(struct event_json *, const struct godot_track_out *);

/* Return which keys can be written, or NULL if out of memory. Nothing is printed, but references are collected. */
static uint8_t *find_writable(const struct godot_track_out *out, const struct anim_track *t, print_event *print,
			      size_t *bad)
{
	uint8_t *kept = anim_arena_zeroed(out->scratch, t->n + 1, 1, out->error);
	struct event_json event = {.arena = out->scratch, .error = out->error};
	size_t lost = out->print->lost_references, objects = out->print->lost_objects;
	bool gathering = out->print->gathering;

	*bad = 0;
	out->print->gathering = true;
	for (size_t k = 0; kept != NULL && k < t->n; k++) {
		kept[k] = read_event(&event, t, k) && print(&event, out);
		*bad += !kept[k];
		if (event.failed)
			kept = NULL;
	}
	anim_json_clear(&event.json);
	out->print->gathering = gathering;
	if (!gathering) {
		out->print->lost_references = lost;
		out->print->lost_objects = objects;
	}
	return out->print->out.failed ? NULL : kept;
}

/* Print the keys that are kept, separated by commas. Markers also get their times. */
static void print_kept(const struct godot_track_out *out, const struct anim_track *t, print_event *print,
		       const uint8_t *kept)
{
	struct event_json event = {.arena = out->scratch, .error = out->error};
	bool some = false;

	for (size_t k = 0; k < t->n; k++) {
		if (!kept[k])
			continue;
		godot_print_text(out->print, some ? ", " : "");
		if (read_event(&event, t, k))
			print(&event, out);
		if (print == print_marker)
			godot_print_format(out->print, ",\n\"time\": %f\n}", (double)print_time(out, t, k));
		some = true;
	}
	anim_json_clear(&event.json);
}

#define ROWS_MAX 32 /* maximum number of calls at the same time; each row is a pass over all keys */

/*
 * Keep only the keys of row number out->row marked in `kept`, which may be NULL for all keys. Returns the number of
 * rows.
 */
static size_t divide(const struct godot_track_out *out, const struct anim_track *t, uint8_t *kept, size_t *lost)
{
	double last[ROWS_MAX]; /* times of the last keys of the rows */
	size_t used = 0;

	for (size_t k = 0; k < t->n; k++) {
		double time = (double)print_time(out, t, k);
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
	if ((kept = find_writable(&own, t, print, &bad)) == NULL)
		return -1;
	*lost = 0;
	*rows = divide(&own, t, kept, lost);
	return 0;
}

int godot_print_event_keys(const struct godot_track_out *plain_out, const struct anim_track *t,
			   enum godot_track_type type, size_t *bad)
{
	bool method = type == GODOT_TRACK_METHOD, packed = type == GODOT_TRACK_ANIMATION,
	     unity = method && strcmp(t->property, "@event") == 0;
	print_event *print = unity ? print_unity_event : method ? print_method : packed ? print_clip : print_audio;
	struct anim_map parameters = {0};
	struct godot_track_out with_parameters = *plain_out;
	const struct godot_track_out *out = &with_parameters;
	struct anim_track plain = *t;
	uint8_t *kept = NULL;
	size_t lost = 0;

	with_parameters.parameters = &parameters;
	if (!unity || gather_parameters(out, t, &parameters) == 0)
		kept = find_writable(out, t, print, bad);
	if (kept == NULL)
		goto done;
	if (method)
		divide(out, t, kept, &lost);
	godot_print_text(out->print, "{\n");
	if (method) {
		print_times(out, t, kept);
		godot_print_text(out->print, ",\n");
		plain.ease = NULL;
		print_transitions(out, &plain, kept);
		godot_print_format(out->print, ",\n\"values\": %[");
	} else if (packed) {
		godot_print_format(out->print, "\"clips\": %s%(",
				   out->names->godot3 ? "PoolStringArray" : "PackedStringArray");
	} else {
		godot_print_format(out->print, "\"clips\": %[");
	}
	print_kept(out, t, print, kept);
	godot_print_format(out->print, packed ? "%)" : "%]");
	if (!method) {
		godot_print_text(out->print, ",\n");
		print_times(out, t, kept);
	}
	godot_print_text(out->print, "\n}");
done:
	anim_map_clear(&parameters);
	return kept == NULL || out->print->out.failed ? -1 : 0;
}

int godot_print_markers(const struct godot_track_out *out, const struct anim_track *t, size_t *bad)
{
	const uint8_t *kept = find_writable(out, t, print_marker, bad);

	if (kept == NULL)
		return -1;
	godot_print_text(out->print, "markers = [");
	print_kept(out, t, print_marker, kept);
	godot_print_text(out->print, "]\n");
	return out->print->out.failed ? -1 : 0;
}

/* ---- The keys of value, Bezier and 3-D tracks ---- */

/*
 * Return the Godot type of the values of the track. It is NULL for single numbers, strings, and values that Godot does
 * not have.
 */
static const struct godot_type_info *value_type(const struct anim_track *t)
{
	const char *variant = anim_attrs_get(&t->attrs, "godot.variant");
	const struct godot_type_info *plain = NULL;

	for (enum godot_type type = GODOT_VECTOR2; type <= GODOT_COLOR; type++) {
		const struct godot_type_info *info = &godot_types[type];
		/* Integers that convert changed to reals. */
		bool narrowed = type == GODOT_RECT2I && t->type == ANIM_FLOAT4;

		if (type == GODOT_AABB || (info->type != t->type && !narrowed))
			continue;
		if (variant != NULL && info->variant && strcmp(variant, info->name) == 0)
			return narrowed ? &godot_types[GODOT_RECT2] : info;
		if (plain == NULL && !info->variant)
			plain = info;
	}
	return plain;
}

/* Return the word of a constructor, "" for bools, numbers and strings, or NULL if Godot does not have such values. */
static const char *value_word(const struct godot_names *names, const struct anim_track *t)
{
	const struct godot_type_info *info = value_type(t);

	if (info == NULL)
		return anim_types[t->type].components == 1 && (anim_godot_caps.types >> t->type & 1) != 0 ? "" : NULL;
	return !names->godot3 ? info->name : anim_type_is_real(info->type) ? info->name3 : NULL;
}

static void print_components(struct godot_print *print, const struct anim_track *t, const char *word,
			     const struct godot_type_info *info, size_t key)
{
	godot_print_format(print, "%s%(", word);
	for (unsigned i = 0; i < info->numbers; i++) {
		unsigned component = info->map != NULL ? info->map[i] : i;

		godot_print_text(print, i > 0 ? ", " : "");
		if (anim_type_is_real(t->type))
			godot_print_real(print, anim_component(t->type, t->value, key, component), true);
		else
			godot_print_int(print, anim_component_integer(t->type, t->value, key, component));
	}
	godot_print_format(print, "%)");
}

/* Print rows of time, transition and value. */
static void print_rows(const struct godot_track_out *out, const struct anim_track *t)
{
	size_t components = anim_types[t->type].components, width = 2 + components, first = 0;
	const float *value = t->value;
	float rows[ANIM_NUMBER_TEXTS];

	godot_print_format(out->print, "%s%(", packed_floats(out));
	while (first < t->n) {
		size_t count = ANIM_COUNT(rows) / width;

		count = count < t->n - first ? count : t->n - first;
		for (size_t i = 0; i < count; i++) {
			float *row = rows + i * width;

			row[0] = print_time(out, t, first + i);
			row[1] = ease_at(t, first + i);
			memcpy(row + 2, value + (first + i) * components, components * sizeof *row);
		}
		godot_print_run(out->print, first == 0, rows, count * width, width);
		first += count;
	}
	godot_print_format(out->print, "%)");
}

/* Print a Bezier track. Handles are relative to their key: seconds, then value. */
static void print_bezier(const struct godot_track_out *out, const struct anim_track *t)
{
	godot_print_text(out->print, "{\n");
	if (!out->names->godot3 && (t->hint != NULL || out->print->version != ANIM_GODOT_4_2)) {
		/* The default handle mode in the engine is 0, free. */
		godot_print_format(out->print, "\"handle_modes\": PackedInt32Array%(");
		for (size_t k = 0; k < t->n; k++)
			godot_print_format(out->print, k > 0 ? ", %u" : "%u",
					   (size_t)(t->hint != NULL ? t->hint[k] : 0));
		godot_print_format(out->print, "%),\n");
	}
	godot_print_format(out->print, "\"points\": %s%(", packed_floats(out));
	for (size_t k = 0; k < t->n; k++) {
		const float numbers[] = {(float)anim_component(t->type, t->value, k, 0), t->left_x[k],
					 (float)anim_component(t->type, t->left, k, 0), t->right_x[k],
					 (float)anim_component(t->type, t->right, k, 0)};

		godot_print_run(out->print, k == 0, numbers, ANIM_COUNT(numbers), ANIM_COUNT(numbers));
	}
	godot_print_format(out->print, "%),\n");
	print_times(out, t, NULL);
	godot_print_text(out->print, "\n}");
}

/* Print the values. With `box`, they are AABBs, whose six numbers are in two tracks. */
static void print_values(const struct godot_track_out *out, const struct anim_track *t, const struct anim_track *box)
{
	const struct godot_type_info *info = value_type(t);
	const char *word = info != NULL ? godot_print_word(out->print, info) : NULL;
	const char *literal = anim_attrs_get(&t->attrs, "literal");

	godot_print_format(out->print, "\"values\": %[");
	for (size_t k = 0; k < t->n; k++) {
		float numbers[6];

		godot_print_text(out->print, k > 0 ? ", " : "");
		if (t->type == ANIM_STRING) {
			const char *bytes = t->strings->bytes + t->strings->start[k];
			uint32_t length = t->strings->length[k];

			if (length == ANIM_NULL_STRING)
				godot_print_text(out->print, "null");
			else if (literal != NULL)
				godot_print_literal(out->print, bytes, length);
			else
				godot_print_quoted(out->print, bytes, length, true);
		} else if (box != NULL) {
			memcpy(numbers, (const float *)t->value + 3 * k, 3 * sizeof *numbers);
			memcpy(numbers + 3, (const float *)box->value + 3 * k, 3 * sizeof *numbers);
			godot_print_reals(out->print, "AABB", numbers, 6);
		} else if (info != NULL) {
			print_components(out->print, t, word, info, k);
		} else if (t->type == ANIM_FLOAT || t->type == ANIM_DOUBLE) {
			godot_print_float(out->print, anim_component(t->type, t->value, k, 0), t->type == ANIM_FLOAT);
		} else {
			int64_t integer = anim_component_integer(t->type, t->value, k, 0);

			if (t->type == ANIM_BOOL)
				godot_print_text(out->print, integer != 0 ? "true" : "false");
			else
				godot_print_int(out->print, integer);
		}
	}
	godot_print_format(out->print, "%]");
}

int godot_print_keys(const struct godot_track_out *out, const struct anim_track *t, const struct godot_plan *plan,
		     const struct anim_track *box)
{
	size_t bad;

	switch (plan->type) {
	case GODOT_TRACK_VALUE:
		godot_print_text(out->print, "{\n");
		print_times(out, t, NULL);
		godot_print_text(out->print, ",\n");
		print_transitions(out, t, NULL);
		godot_print_format(out->print, ",\n\"update\": %d,\n", plan->update);
		print_values(out, t, box);
		godot_print_text(out->print, "\n}");
		return 0;
	case GODOT_TRACK_BEZIER:
		print_bezier(out, t);
		return 0;
	case GODOT_TRACK_METHOD:
	case GODOT_TRACK_AUDIO:
	case GODOT_TRACK_ANIMATION:
		return godot_print_event_keys(out, t, plan->type, &bad);
	default:
		print_rows(out, t);
		return 0;
	}
}

/* ---- The type and the settings of the Godot track ---- */

static bool is_type(const struct anim_track *t, const char *type)
{
	const char *own = anim_attrs_get(&t->attrs, "godot.type");

	return own != NULL && strcmp(own, type) == 0;
}

/* Return the type for vector tracks of transforms and for blend shapes, which have their own track types. */
static enum godot_track_type spatial_type(const struct anim_track *t)
{
	if (t->component != ANIM_WHOLE || !anim_track_is_transform(t))
		return GODOT_TRACK_VALUE;
	if (t->type == ANIM_FLOAT3 && strcmp(t->property, "position") == 0)
		return GODOT_TRACK_POSITION;
	if (t->type == ANIM_FLOATQ && strcmp(t->property, "rotation") == 0)
		return GODOT_TRACK_ROTATION;
	if (t->type == ANIM_FLOAT3 && strcmp(t->property, "scale") == 0)
		return GODOT_TRACK_SCALE;
	if (t->type == ANIM_FLOAT && anim_text_after(t->property, "blend_shape/") != NULL && t->property[12] != '\0')
		return GODOT_TRACK_BLEND_SHAPE;
	return GODOT_TRACK_VALUE;
}

static int64_t update_of(const struct godot_names *names, const struct anim_track *t)
{
	const char *own = anim_attrs_get(&t->attrs, "godot.update");

	/* A capture interpolates. If a conversion made all keys hold, the track is no longer a capture. */
	if (own != NULL && strcmp(own, "capture") == 0 && t->kind != ANIM_DISCRETE)
		return names->godot3 ? GODOT_CAPTURE_3 : GODOT_CAPTURE_4;
	if (own != NULL && strcmp(own, "trigger") == 0 && names->godot3)
		return GODOT_TRIGGER_3;
	if (own != NULL && strcmp(own, "3") == 0 && !names->godot3)
		return 3;
	return t->kind == ANIM_DISCRETE ? GODOT_DISCRETE : GODOT_CONTINUOUS;
}

/* Return the type of the track in the file. */
static enum godot_track_type type_of(const struct godot_names *names, const struct anim_track *t)
{
	enum godot_track_type type = spatial_type(t);
	bool changes;

	if (t->property[0] == '@') {
		if (t->type != ANIM_STRING)
			return GODOT_TRACK_UNKNOWN;
		if (strcmp(t->property, "@method") == 0 || strcmp(t->property, "@event") == 0)
			return GODOT_TRACK_METHOD;
		if (strcmp(t->property, "@audio") == 0)
			return GODOT_TRACK_AUDIO;
		return strcmp(t->property, "@animation") == 0 ? GODOT_TRACK_ANIMATION : GODOT_TRACK_UNKNOWN;
	}
	if (t->kind == ANIM_CURVE && t->interp == ANIM_BEZIER_2D)
		return GODOT_TRACK_BEZIER;
	/*
	 * A value track stays one. But Godot 3 has blend shapes only as properties. Godot 4 has them also as
	 * properties, but only for meshes with surfaces. A capture must be a value track, because only these can begin
	 * at the current value.
	 */
	changes = names->from3 && !names->keep && type == GODOT_TRACK_BLEND_SHAPE;
	if (is_type(t, "value") && (!changes || update_of(names, t) == GODOT_CAPTURE_4))
		type = GODOT_TRACK_VALUE;
	if (!names->godot3 || type == GODOT_TRACK_VALUE)
		return type;
	return type == GODOT_TRACK_BLEND_SHAPE ? GODOT_TRACK_VALUE : GODOT_TRACK_TRANSFORM;
}

/*
 * Return the interp number. The number from the file is used unless the mode contradicts it. The reader records only
 * numbers that do not follow from the mode.
 */
static int64_t interp_of(const struct anim_track *t, enum godot_track_type type)
{
	const char *own = anim_attrs_get(&t->attrs, "godot.interp");
	int64_t from_mode = godot_default_interp(t), number;
	size_t length = own == NULL ? 0 : strlen(own);

	if (t->kind == ANIM_DISCRETE && type != GODOT_TRACK_VALUE && t->property[0] != '@')
		return GODOT_INTERP_NEAREST;
	if (length == 0 || length > 20 || anim_number_int64(own, own + length, &number) != own + length)
		return from_mode;
	return number;
}

void godot_plan_track(const struct godot_names *names, const struct anim_track *t, struct godot_plan *plan)
{
	const char *literal = anim_attrs_get(&t->attrs, "literal");
	bool reference = t->type == ANIM_STRING && literal != NULL && strcmp(literal, "PPtr") == 0;

	*plan = (struct godot_plan){.type = type_of(names, t)};
	plan->interp = interp_of(t, plan->type);
	/* Godot 3 cannot interpolate angles, so the modes without wrapping are used. */
	if (names->godot3 && plan->interp == GODOT_INTERP_LINEAR_ANGLE)
		plan->interp = GODOT_INTERP_LINEAR;
	else if (names->godot3 && plan->interp == GODOT_INTERP_CUBIC_ANGLE)
		plan->interp = GODOT_INTERP_CUBIC;
	plan->update = update_of(names, t);
	if (plan->type == GODOT_TRACK_UNKNOWN)
		plan->why = t->type == ANIM_STRING ? "events of another engine" : "events that are not texts";
	else if (plan->type == GODOT_TRACK_VALUE && t->property[0] == '\0' && !names->from_godot)
		plan->why = "a property without a name";
	else if (plan->type == GODOT_TRACK_VALUE && reference)
		plan->why = "references to objects of Unity";
	else if (plan->type == GODOT_TRACK_VALUE && t->n > 0 && value_word(names, t) == NULL)
		plan->why = "values of its type";
	else if ((plan->type == GODOT_TRACK_VALUE || plan->type == GODOT_TRACK_BEZIER) && !is_type(t, "value") &&
		 print_bone(names, t) != NULL && anim_track_is_transform(t))
		plan->why = "a property that bones do not have";
	if (plan->why != NULL)
		plan->type = GODOT_TRACK_UNKNOWN;
}
