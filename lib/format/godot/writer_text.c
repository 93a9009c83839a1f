/* writer_text.c: numbers, strings, names, constructors and literals as each Godot spells them. */
#include <math.h>
#include <string.h>

#include "base/input.h"
#include "base/number.h"
#include "format/godot/text.h"
#include "format/godot/value.h"
#include "format/godot/writer.h"

void godot_emit_clear(struct godot_emit *emit)
{
	anim_buffer_clear(&emit->externals.items);
	anim_map_clear(&emit->externals.by_path);
	anim_arena_clear(&emit->externals.arena);
}

void godot_emit_bytes(struct godot_emit *emit, const void *bytes, size_t count)
{
	if (!emit->gathering)
		anim_print_bytes(&emit->print, bytes, count);
}

void godot_emit_text(struct godot_emit *emit, const char *text)
{
	godot_emit_bytes(emit, text, strlen(text));
}

void godot_emit_number(struct godot_emit *emit, uint64_t number)
{
	char text[ANIM_NUMBER_MAX];

	godot_emit_bytes(emit, text, anim_number_print_uint64(text, number));
}

void godot_emit_int(struct godot_emit *emit, int64_t value)
{
	char text[ANIM_NUMBER_MAX];

	godot_emit_bytes(emit, text, anim_number_print_int64(text, value));
}

/* Files of format 4 alone have -inf. */
static size_t print_real(const struct godot_emit *emit, char *text, double value, bool narrow)
{
	static const char minus[] = "inf_neg";

	if (!isinf(value) || value > 0 || emit->needs_format4)
		return godot_real_print(text, value, narrow, emit->digits);
	memcpy(text, minus, sizeof minus - 1);
	return sizeof minus - 1;
}

void godot_emit_real(struct godot_emit *emit, double value, bool narrow)
{
	char text[GODOT_REAL_MAX];

	godot_emit_bytes(emit, text, print_real(emit, text, value, narrow));
}

void godot_emit_float(struct godot_emit *emit, double value, bool narrow)
{
	char text[GODOT_REAL_MAX + 2];
	size_t length = print_real(emit, text, value, narrow), i = 0;

	while (i < length && strchr(".einf", text[i]) == NULL)
		i++;
	if (i == length) {
		memcpy(text + length, ".0", 2);
		length += 2;
	}
	godot_emit_bytes(emit, text, length);
}

void godot_emit_open(struct godot_emit *emit, const char *word)
{
	godot_emit_text(emit, word);
	godot_emit_text(emit, godot_emit_is_3(emit) ? "( " : "(");
}

void godot_emit_close(struct godot_emit *emit)
{
	godot_emit_text(emit, godot_emit_is_3(emit) ? " )" : ")");
}

void godot_emit_run(struct godot_emit *emit, bool first, const float *values, size_t count)
{
	char text[GODOT_RUN_MAX * (GODOT_REAL_MAX + 2)], *at = text;

	for (size_t i = 0; i < count; i++) {
		if (i > 0 || !first) {
			memcpy(at, ", ", 2);
			at += 2;
		}
		at += print_real(emit, at, (double)values[i], true);
	}
	godot_emit_bytes(emit, text, (size_t)(at - text));
}

void godot_emit_reals(struct godot_emit *emit, const char *word, const float *values, size_t count)
{
	godot_emit_open(emit, word);
	godot_emit_run(emit, true, values, count);
	godot_emit_close(emit);
}

void godot_emit_quoted(struct godot_emit *emit, const char *bytes, size_t length, bool multiline)
{
	size_t plain = 0;

	godot_emit_text(emit, "\"");
	for (size_t i = 0; i < length; i++) {
		const char *escape = godot_escape_of(bytes[i], multiline);

		if (escape == NULL)
			continue;
		godot_emit_bytes(emit, bytes + plain, i - plain);
		godot_emit_text(emit, escape);
		plain = i + 1;
	}
	godot_emit_bytes(emit, bytes + plain, length - plain);
	godot_emit_text(emit, "\"");
}

void godot_emit_string_name(struct godot_emit *emit, const char *bytes, size_t length)
{
	if (!godot_emit_is_3(emit))
		godot_emit_text(emit, "&");
	godot_emit_quoted(emit, bytes, length, false);
}

void godot_emit_key(struct godot_emit *emit, const char *name)
{
	if (emit->version == ANIM_GODOT_4_5 || emit->version == ANIM_GODOT_4_6)
		godot_emit_string_name(emit, name, strlen(name));
	else
		godot_emit_quoted(emit, name, strlen(name), true);
}

void godot_emit_path(struct godot_emit *emit, const char *path)
{
	godot_emit_text(emit, "NodePath(");
	godot_emit_quoted(emit, path, strlen(path), false);
	godot_emit_text(emit, ")");
}

/* As Godot's property_name_encode. */
static bool wants_quotes(const char *name)
{
	for (; *name != '\0'; name++)
		if ((unsigned char)*name < 33 || (unsigned char)*name > 126 || strchr("=\";[]", *name) != NULL)
			return true;
	return false;
}

void godot_emit_property(struct godot_emit *emit, const char *name)
{
	if (wants_quotes(name))
		godot_emit_quoted(emit, name, strlen(name), true);
	else
		godot_emit_text(emit, name);
	godot_emit_text(emit, " = ");
}

void godot_emit_sub_id(struct godot_emit *emit, const char *prefix, size_t number)
{
	if (godot_emit_is_3(emit)) {
		godot_emit_number(emit, number);
		return;
	}
	godot_emit_text(emit, "\"");
	godot_emit_text(emit, prefix);
	godot_emit_text(emit, "_");
	godot_emit_number(emit, number);
	godot_emit_text(emit, "\"");
}

void godot_emit_sub(struct godot_emit *emit, const char *prefix, size_t number)
{
	godot_emit_open(emit, "SubResource");
	godot_emit_sub_id(emit, prefix, number);
	godot_emit_close(emit);
}

static void emit_external_id(struct godot_emit *emit, size_t number)
{
	const char *quote = godot_emit_is_3(emit) ? "" : "\"";

	godot_emit_text(emit, quote);
	godot_emit_number(emit, number);
	godot_emit_text(emit, quote);
}

/* --- Literals: Godot source text of values, in another engine's spelling and with this file's references --- */

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
static const char *take_string(struct godot_emit *emit, struct cursor *cursor)
{
	const char *end, *from;
	char *text, *to;

	skip_blanks(cursor);
	if (cursor->at == cursor->end || *cursor->at != '"')
		return NULL;
	end = string_end(cursor);
	from = cursor->at + 1;
	text = to = anim_arena_alloc(&emit->externals.arena, (size_t)(end - cursor->at) + 1, emit->print.error);
	if (text == NULL) {
		emit->print.failed = true;
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
static size_t find_external(struct godot_emit *emit, const char *uid, const char *path)
{
	struct godot_emit_externals *table = &emit->externals;
	const char *key = path[0] != '\0' ? path : uid;
	struct godot_emit_external item = {uid, path};
	uint32_t number;

	if (anim_map_get(&table->by_path, 0, key, strlen(key), &number))
		return number;
	number = (uint32_t)(table->items.size / sizeof item) + 1;
	if (anim_buffer_append(&table->items, &item, sizeof item, emit->print.error) != 0 ||
	    anim_map_put(&table->by_path, 0, key, strlen(key), number, emit->print.error) != 0) {
		emit->print.failed = true;
		return 0;
	}
	return number;
}

/* Resource("uid", "path") or Resource("path"), the cursor behind the word. */
static void emit_resource(struct godot_emit *emit, struct cursor *cursor)
{
	const char *first, *second = NULL;
	size_t number;

	cursor->at++;
	first = take_string(emit, cursor);
	if (first != NULL && cursor->at < cursor->end && *cursor->at == ',') {
		cursor->at++;
		second = take_string(emit, cursor);
	}
	if (cursor->at < cursor->end && *cursor->at == ')')
		cursor->at++;
	if (first == NULL) {
		godot_emit_text(emit, "null");
		return;
	}
	if (second != NULL && strncmp(first, "uid://", 6) != 0 && strncmp(second, "uid://", 6) == 0) {
		const char *swapped = first;

		first = second;
		second = swapped;
	}
	if (second == NULL)
		number =
		    strncmp(first, "uid://", 6) == 0 ? find_external(emit, first, "") : find_external(emit, "", first);
	else
		number = find_external(emit, first, second);
	godot_emit_open(emit, "ExtResource");
	emit_external_id(emit, number);
	godot_emit_close(emit);
}

/* SubResource("id") and ExtResource("id") name what stood in the source's file and is not known here. */
static void emit_lost(struct godot_emit *emit, struct cursor *cursor)
{
	cursor->at++;
	take_string(emit, cursor);
	while (cursor->at < cursor->end && *cursor->at != ')')
		cursor->at++;
	if (cursor->at < cursor->end)
		cursor->at++;
	godot_emit_text(emit, "null");
	emit->lost_references += emit->gathering;
}

/* Names of types as Godot 3 has them. */
static const char *old_word(const char *word, size_t length)
{
	static const char *const pairs[][2] = {{"PackedByteArray", "PoolByteArray"},
					       {"PackedInt32Array", "PoolIntArray"},
					       {"PackedInt64Array", "PoolIntArray"},
					       {"PackedFloat32Array", "PoolRealArray"},
					       {"PackedFloat64Array", "PoolRealArray"},
					       {"PackedStringArray", "PoolStringArray"},
					       {"PackedVector2Array", "PoolVector2Array"},
					       {"PackedVector3Array", "PoolVector3Array"},
					       {"PackedColorArray", "PoolColorArray"},
					       {"Quaternion", "Quat"},
					       {"Transform3D", "Transform"},
					       {"Vector2i", "Vector2"},
					       {"Vector3i", "Vector3"},
					       {"Rect2i", "Rect2"}};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (strlen(pairs[i][0]) == length && memcmp(pairs[i][0], word, length) == 0)
			return pairs[i][1];
	return NULL;
}

static bool is_word(const char *word, size_t length, const char *text)
{
	return strlen(text) == length && memcmp(word, text, length) == 0;
}

/* A call, the cursor on its '('; base64 and Vector4 arrays want files of format 4. */
static void emit_call(struct godot_emit *emit, struct cursor *cursor, const char *word, size_t length)
{
	const char *old = godot_emit_is_3(emit) ? old_word(word, length) : NULL;

	if (is_word(word, length, "Resource")) {
		emit_resource(emit, cursor);
		return;
	}
	if (is_word(word, length, "SubResource") || is_word(word, length, "ExtResource")) {
		emit_lost(emit, cursor);
		return;
	}
	if (is_word(word, length, "PackedVector4Array") ||
	    (is_word(word, length, "PackedByteArray") && cursor->at + 1 < cursor->end && cursor->at[1] == '"'))
		emit->needs_format4 = true;
	if (old != NULL)
		godot_emit_text(emit, old);
	else
		godot_emit_bytes(emit, word, length);
	if (godot_emit_is_3(emit) && is_word(word, length, "NodePath") && cursor->at + 1 < cursor->end &&
	    cursor->at[1] == '"') {
		struct cursor string = {cursor->at + 1, cursor->end};

		godot_emit_bytes(emit, cursor->at, (size_t)(string_end(&string) - cursor->at));
		cursor->at = string_end(&string);
		godot_emit_text(emit, cursor->at < cursor->end ? ")" : "");
		cursor->at += cursor->at < cursor->end;
	}
}

static void emit_word(struct godot_emit *emit, struct cursor *cursor)
{
	const char *word = cursor->at;
	size_t length;

	while (cursor->at < cursor->end && (is_letter(*cursor->at) || is_digit(*cursor->at)))
		cursor->at++;
	length = (size_t)(cursor->at - word);
	if (cursor->at < cursor->end && *cursor->at == '(')
		emit_call(emit, cursor, word, length);
	else
		godot_emit_bytes(emit, word, length);
}

/* A number keeps its text, unless fewer digits are wanted. */
static void emit_number(struct godot_emit *emit, struct cursor *cursor)
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
	if (emit->digits == 0 || !real || (size_t)(cursor->at - from) >= REAL_TEXT_MAX) {
		godot_emit_bytes(emit, from, (size_t)(cursor->at - from));
		return;
	}
	memset(copy, 0, sizeof copy);
	memcpy(copy, from, (size_t)(cursor->at - from));
	anim_number_double(copy, copy + (cursor->at - from), &value);
	godot_emit_float(emit, value, false);
}

/* Godot 3 has no StringNames, and a blank inside of brackets. */
static void emit_sign(struct godot_emit *emit, char c)
{
	bool old = godot_emit_is_3(emit), opens = c == '(' || c == '[', closes = c == ')' || c == ']';

	if (old && c == '&')
		return;
	godot_emit_text(emit, old && closes ? " " : "");
	godot_emit_bytes(emit, &c, 1);
	godot_emit_text(emit, old && opens ? " " : "");
}

static void emit_next(struct godot_emit *emit, struct cursor *cursor)
{
	char c = *cursor->at;
	const char *from = cursor->at;

	if (c == '"') {
		cursor->at = string_end(cursor);
		godot_emit_bytes(emit, from, (size_t)(cursor->at - from));
	} else if (is_digit(c) || (c == '-' && cursor->at + 1 < cursor->end && is_digit(cursor->at[1]))) {
		emit_number(emit, cursor);
	} else if (is_letter(c)) {
		emit_word(emit, cursor);
	} else if (c == '-' && (size_t)(cursor->end - cursor->at) >= 4 && memcmp(cursor->at, "-inf", 4) == 0) {
		cursor->at += 4;
		godot_emit_text(emit, emit->needs_format4 ? "-inf" : "inf_neg");
	} else {
		cursor->at++;
		emit_sign(emit, c);
	}
}

void godot_emit_literal(struct godot_emit *emit, const char *source, size_t length)
{
	struct cursor cursor = {source, source + length};

	while (cursor.at < cursor.end && !emit->print.failed)
		emit_next(emit, &cursor);
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

	for (size_t i = 0; dot != NULL && i < sizeof classes / sizeof *classes; i++)
		if (strcmp(dot, classes[i][0]) == 0)
			return classes[i][1];
	return "Resource";
}

void godot_emit_external_tags(struct godot_emit *emit)
{
	const struct godot_emit_external *items =
	    (const struct godot_emit_external *)(const void *)emit->externals.items.data;
	size_t count = emit->externals.items.size / sizeof *items;
	bool old = godot_emit_is_3(emit);

	for (size_t i = 0; i < count; i++) {
		const char *class = class_of(items[i].path);

		godot_emit_text(emit, old ? "[ext_resource path=" : "[ext_resource type=\"");
		if (old) {
			godot_emit_quoted(emit, items[i].path, strlen(items[i].path), false);
			godot_emit_text(emit, " type=\"");
			class = strcmp(class, "Texture2D") == 0 ? "Texture" : class;
		}
		godot_emit_text(emit, class);
		godot_emit_text(emit, "\"");
		if (!old && items[i].uid[0] != '\0') {
			godot_emit_text(emit, " uid=");
			godot_emit_quoted(emit, items[i].uid, strlen(items[i].uid), false);
		}
		if (!old) {
			godot_emit_text(emit, " path=");
			godot_emit_quoted(emit, items[i].path, strlen(items[i].path), false);
		}
		godot_emit_text(emit, " id=");
		emit_external_id(emit, i + 1);
		godot_emit_text(emit, "]\n");
	}
	if (count > 0)
		godot_emit_text(emit, "\n");
}
