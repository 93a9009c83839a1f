/* writer_text.c: Godot source text of values, in another engine's spelling and with this file's references. */
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/number.h"
#include "format/godot/writer.h"

#define REAL_TEXT_MAX 64 /* bytes of a number that is printed anew; the reader printed it shorter */

/* The source text and how far it has been taken. */
struct cursor {
	const char *at, *end;
};

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Behind the string at the cursor, which stands on its quote. */
static const char *string_end(const struct cursor *cursor)
{
	const char *at = cursor->at + 1;

	while (at < cursor->end && *at != '"')
		at += *at == '\\' && at + 1 < cursor->end ? 2 : 1;
	return at < cursor->end ? at + 1 : cursor->end;
}

static void skip_blanks(struct cursor *cursor)
{
	while (cursor->at < cursor->end && *cursor->at == ' ')
		cursor->at++;
}

/* What the string at the cursor means, in the table's arena; NULL where there is none, or no memory. */
static const char *take_string(struct godot_print *print, struct cursor *cursor)
{
	const char *end, *from;
	char *text, *to;

	skip_blanks(cursor);
	if (cursor->at == cursor->end || *cursor->at != '"')
		return NULL;
	end = string_end(cursor);
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

/* The number of the ext_resource, which is entered where it is new. 0: no memory. */
static size_t find_external(struct godot_print *print, const char *uid, const char *path)
{
	struct godot_print_externals *table = &print->externals;
	const char *key = path[0] != '\0' ? path : uid;
	struct godot_print_external item = {uid, path};
	uint32_t number;

	if (anim_map_get(&table->by_path, 0, key, strlen(key), &number))
		return number;
	number = (uint32_t)(table->items.size / sizeof item) + 1;
	if (anim_buffer_append(&table->items, &item, sizeof item, print->out.error) != 0 ||
	    anim_map_put(&table->by_path, 0, key, strlen(key), number, print->out.error) != 0) {
		print->out.failed = true;
		return 0;
	}
	return number;
}

static bool is_uid(const char *text)
{
	return strncmp(text, "uid://", 6) == 0;
}

/* Resource("uid", "path") or Resource("path"), the cursor behind the word. */
static void print_resource(struct godot_print *print, struct cursor *cursor)
{
	const char *first, *second = NULL;
	size_t number;

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
		number = is_uid(first) ? find_external(print, first, "") : find_external(print, "", first);
	else if (!is_uid(first) && is_uid(second))
		number = find_external(print, second, first);
	else
		number = find_external(print, first, second);
	godot_print_format(print, godot_print_is_3(print) ? "ExtResource%(%u%)" : "ExtResource(\"%u\")", number);
}

/* SubResource("id") and ExtResource("id") name what stood in the source's file and is not known here. */
static void print_lost(struct godot_print *print, struct cursor *cursor)
{
	cursor->at++;
	take_string(print, cursor);
	while (cursor->at < cursor->end && *cursor->at != ')')
		cursor->at++;
	if (cursor->at < cursor->end)
		cursor->at++;
	godot_print_text(print, "null");
	print->lost_references += print->gathering;
}

static bool is_word(const char *word, size_t length, const char *text)
{
	return strlen(text) == length && memcmp(word, text, length) == 0;
}

/* The name of a type as Godot 3 has it; NULL: the same, or none. */
static const char *old_word(const char *word, size_t length)
{
	for (enum godot_type type = GODOT_VECTOR2; type < GODOT_SUB_RESOURCE; type++)
		if (is_word(word, length, godot_types[type].name))
			return godot_types[type].name3;
	return NULL;
}

/* A call, the cursor on its '('; base64 and Vector4 arrays want files of format 4. */
static void print_call(struct godot_print *print, struct cursor *cursor, const char *word, size_t length)
{
	const char *old = godot_print_is_3(print) ? old_word(word, length) : NULL;

	if (is_word(word, length, "Resource")) {
		print_resource(print, cursor);
		return;
	}
	if (is_word(word, length, "SubResource") || is_word(word, length, "ExtResource")) {
		print_lost(print, cursor);
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
		struct cursor string = {cursor->at + 1, cursor->end};

		godot_print_bytes(print, cursor->at, (size_t)(string_end(&string) - cursor->at));
		cursor->at = string_end(&string);
		godot_print_text(print, cursor->at < cursor->end ? ")" : "");
		cursor->at += cursor->at < cursor->end;
	}
}

static void print_word(struct godot_print *print, struct cursor *cursor)
{
	const char *word = cursor->at;
	size_t length;

	while (cursor->at < cursor->end && (is_letter(*cursor->at) || is_digit(*cursor->at)))
		cursor->at++;
	length = (size_t)(cursor->at - word);
	if (cursor->at < cursor->end && *cursor->at == '(')
		print_call(print, cursor, word, length);
	else
		godot_print_bytes(print, word, length);
}

/* A number keeps its text, unless fewer digits are wanted. */
static void print_number(struct godot_print *print, struct cursor *cursor)
{
	const char *from = cursor->at;
	char copy[REAL_TEXT_MAX + ANIM_INPUT_SLACK];
	bool real = false;
	double value;

	cursor->at += *cursor->at == '-';
	for (; cursor->at < cursor->end; cursor->at++) {
		bool sign = (*cursor->at == '-' || *cursor->at == '+') && (cursor->at[-1] | 32) == 'e';

		if (!is_digit(*cursor->at) && *cursor->at != '.' && (*cursor->at | 32) != 'e' && !sign)
			break;
		real = real || !is_digit(*cursor->at);
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

static void print_next(struct godot_print *print, struct cursor *cursor)
{
	char c = *cursor->at;
	const char *from = cursor->at;

	if (c == '"') {
		cursor->at = string_end(cursor);
		godot_print_bytes(print, from, (size_t)(cursor->at - from));
	} else if (is_digit(c) || (c == '-' && cursor->at + 1 < cursor->end && is_digit(cursor->at[1]))) {
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
	struct cursor cursor = {source, source + length};

	while (cursor.at < cursor.end && !print->out.failed)
		print_next(print, &cursor);
}

/* The class that a reference asks for, by the suffix of the file. */
static const char *class_of(const char *path)
{
	static const char *const classes[][2] = {
	    {".png", "Texture2D"},   {".jpg", "Texture2D"},   {".jpeg", "Texture2D"},   {".webp", "Texture2D"},
	    {".svg", "Texture2D"},   {".bmp", "Texture2D"},   {".tga", "Texture2D"},    {".wav", "AudioStream"},
	    {".ogg", "AudioStream"}, {".mp3", "AudioStream"}, {".tscn", "PackedScene"}, {".scn", "PackedScene"},
	    {".glb", "PackedScene"}, {".gd", "Script"}};
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot != NULL && i < ANIM_COUNT(classes); i++)
		if (strcmp(dot, classes[i][0]) == 0)
			return classes[i][1];
	return "Resource";
}

void godot_print_external_tags(struct godot_print *print)
{
	const struct godot_print_external *items =
	    (const struct godot_print_external *)(const void *)print->externals.items.data;
	size_t count = print->externals.items.size / sizeof *items;

	for (size_t i = 0; i < count; i++) {
		const char *class = class_of(items[i].path);

		if (godot_print_is_3(print)) {
			godot_print_format(print, "[ext_resource path=%q type=\"%s\" id=%u]\n", items[i].path,
					   strcmp(class, "Texture2D") == 0 ? "Texture" : class, i + 1);
			continue;
		}
		godot_print_format(print, "[ext_resource type=\"%s\"", class);
		if (items[i].uid[0] != '\0')
			godot_print_format(print, " uid=%q", items[i].uid);
		godot_print_format(print, " path=%q id=\"%u\"]\n", items[i].path, i + 1);
	}
	godot_print_text(print, count > 0 ? "\n" : "");
}

void godot_print_clear(struct godot_print *print)
{
	anim_buffer_clear(&print->externals.items);
	anim_map_clear(&print->externals.by_path);
	anim_arena_clear(&print->externals.arena);
}
