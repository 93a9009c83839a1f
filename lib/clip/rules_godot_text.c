/* rules_godot_text.c: Godot's blends of strings: code points and lengths run from one text to the other. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "clip/blend.h"
#include "clip/rules.h"
#include "clip/texts.h"
#include "math/elementary.h"

/* Code points in the state's arena. */
struct points {
	uint32_t *items;
	size_t count;
};

/* What lies between the quotes of &"..."; the text itself where it is not written so. */
static void inner_text(const char **bytes, size_t *length)
{
	if (*length >= 3 && (*bytes)[0] == '&' && (*bytes)[1] == '"' && (*bytes)[*length - 1] == '"') {
		*bytes += 2;
		*length -= 3;
	}
}

static int decode(struct anim_sampler *s, size_t key, struct points *points, struct anim_error *error)
{
	bool name = s->shape == ANIM_SHAPE_NAME;
	struct anim_text text;
	size_t at = 0, length;

	anim_value_copy(s->track, key, &text);
	length = text.length == ANIM_NULL_STRING ? 0 : text.length;
	if (name)
		inner_text(&text.bytes, &length);
	points->count = 0;
	points->items = anim_arena_alloc(&s->state->arena, (length + 1) * sizeof *points->items, error);
	if (points->items == NULL)
		return -1;
	while (at < length) {
		size_t step =
		    anim_utf8_decode((const uint8_t *)text.bytes + at, length - at, &points->items[points->count]);

		if (name && text.bytes[at] == '\\' && at + 1 < length) {
			points->items[points->count] = (unsigned char)anim_texts_unescaped(text.bytes[at + 1]);
			step = 2;
		}
		if (step == 0) { /* not UTF-8; a validated track has none */
			points->items[points->count] = 0xFFFD;
			step = 1;
		}
		points->count++;
		at += step;
	}
	return 0;
}

/* Bytes of one code point as it stands in the text; `name`: inside quotes. */
static size_t put(char *out, uint32_t code, bool name)
{
	static const char escapes[] = "\n\\n\t\\t\"\\\"\\\\\\";

	for (const char *e = escapes; name && *e != '\0'; e += 3)
		if (code == (unsigned char)*e) {
			memcpy(out, e + 1, 2);
			return 2;
		}
	return anim_utf8_encode(code, out);
}

static int encode(struct anim_sampler *s, const struct points *points, struct anim_text *text, struct anim_error *error)
{
	bool name = s->shape == ANIM_SHAPE_NAME;
	char *out = anim_arena_alloc(&s->state->arena, points->count * 4 + 4, error);
	size_t length = 0;

	if (out == NULL)
		return -1;
	if (name) {
		memcpy(out, "&\"", 2);
		length = 2;
	}
	for (size_t i = 0; i < points->count; i++)
		length += put(out + length, points->items[i], name);
	if (name)
		out[length++] = '"';
	text->bytes = out;
	text->length = (uint32_t)length;
	return 0;
}

static int decode_both(struct anim_sampler *s, const struct anim_segment *segment, struct points *a, struct points *b,
		       struct anim_error *error)
{
	return decode(s, segment->from, a, error) != 0 || decode(s, segment->to, b, error) != 0 ? -1 : 0;
}

/* What the engine makes of a number that should be a code point. */
static uint32_t to_code(double number)
{
	double rounded = anim_round((double)(float)number);

	if (!(rounded >= 1 && rounded <= 0x10FFFF) || (rounded >= 0xD800 && rounded < 0xE000))
		return ' ';
	return (uint32_t)rounded;
}

/*
 * The length runs too; code points that only one text has stay, unless the weight is that of the other text. Rows as
 * the engine cuts them: the longer one to the length between.
 */
int anim_godot4_blend_text(struct anim_sampler *s, const struct anim_segment *segment, struct anim_text *text,
			   struct anim_error *error)
{
	double weight = segment->weight, middle;
	struct points a, b, *longer, *shorter;
	bool complete;

	if (decode_both(s, segment, &a, &b, error) != 0)
		return -1;
	longer = a.count > b.count ? &a : &b;
	shorter = longer == &a ? &b : &a;
	middle = anim_round((double)a.count + ((double)b.count - (double)a.count) * weight);
	middle = middle < (double)shorter->count ? (double)shorter->count : middle;
	longer->count = middle < (double)longer->count ? (size_t)middle : longer->count;
	complete = longer == &a ? !(fabs(weight - 1) < 1e-5) : !(fabs(weight) < 1e-5);
	for (size_t i = 0; i < shorter->count; i++)
		longer->items[i] = to_code((double)a.items[i] + ((double)b.items[i] - (double)a.items[i]) * weight);
	if (!complete)
		longer->count = shorter->count;
	return encode(s, longer, text, error);
}

/* Typewriter: the first half of the length between comes from the first text, the rest from the second. */
int anim_godot3_blend_text(struct anim_sampler *s, const struct anim_segment *segment, struct anim_text *text,
			   struct anim_error *error)
{
	struct points a, b, mixed;
	float size, most;

	if (decode_both(s, segment, &a, &b, error) != 0)
		return -1;
	size = (float)a.count + ((float)b.count - (float)a.count) * (float)segment->weight;
	most = (float)(a.count > b.count ? a.count : b.count); /* unsorted keys make any weight */
	mixed.count = size > 0 ? (size_t)(size < most ? size : most) : 0;
	mixed.items = anim_arena_alloc(&s->state->arena, (mixed.count + 1) * sizeof *mixed.items, error);
	if (mixed.items == NULL)
		return -1;
	for (size_t i = 0; i < mixed.count; i++) {
		const struct points *first = i < mixed.count / 2 ? &a : &b, *second = first == &a ? &b : &a;

		mixed.items[i] = i < first->count ? first->items[i] : i < second->count ? second->items[i] : ' ';
	}
	return encode(s, &mixed, text, error);
}
