/* emit_text.c: numbers, strings, names and constructors as each Godot spells them. */
#include "format/godot/emit_text.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "format/godot/text.h"
#include "format/godot/text_real.h"

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

void godot_emit_external_id(struct godot_emit *emit, size_t number)
{
	const char *quote = godot_emit_is_3(emit) ? "" : "\"";

	godot_emit_text(emit, quote);
	godot_emit_number(emit, number);
	godot_emit_text(emit, quote);
}
