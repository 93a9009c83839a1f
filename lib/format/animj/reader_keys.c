/* reader_keys.c: the keyframes of an AnimJ track: by templates where keys look alike, else by tokens. */
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "format/animj/reader_json.h"

#define BATCH_BYTES ((size_t)64 << 10) /* of keys that are tokenised at once; a longer key comes alone */
#define BATCH_KEYS 4096u
#define FAST_ENOUGH 16 /* keys in a row that were read by a template make tokens an exception */

/* Members of a key, in the order of their bits. */
enum member { MEMBER_TIME, MEMBER_VALUE, MEMBER_INTERPOLATION, MEMBER_LEFT, MEMBER_RIGHT, MEMBER_COUNT };
static const char *const members[MEMBER_COUNT] = {"time", "value", "interpolation", "leftTangent", "rightTangent"};

static int find_member(const struct animj_json *json, size_t token, bool curve)
{
	for (int i = 0; i < (curve ? MEMBER_COUNT : MEMBER_INTERPOLATION); i++)
		if (animj_is_named(json, token, members[i]))
			return i;
	return -1;
}

/* A mode by its name, letters of either case, or by its number: the engine reads both, and numbers in quotes too. */
static int interpolation(struct animj_reader *reader, size_t token, struct animj_key *key, struct anim_error *error)
{
	static const char *const names[] = {"Hold", "Linear", "Tangent", "CubicBezier"};
	const struct animj_json *json = &reader->json;
	const char *text = (const char *)animj_token_text(json, token);
	size_t size = animj_token_size(json, token);
	bool string = animj_token(json, token)->type == JSMN_STRING;
	struct anim_place place;

	for (uint8_t i = 0; i < sizeof names / sizeof *names; i++)
		if ((string && size == strlen(names[i]) && strncasecmp(text, names[i], size) == 0) ||
		    (animj_token(json, token)->type != JSMN_OBJECT && size == 1 && *text == '0' + i)) {
			key->interp = i;
			return 0;
		}
	place = animj_json_place(reader, animj_token_text(json, token));
	return animj_refuse(reader, &place, error, "not an interpolation; there are Hold, Linear, Tangent and CubicBezier");
}

static int read_member(struct animj_reader *reader, size_t token, enum member member, struct animj_key *key,
		       struct anim_error *error)
{
	switch (member) {
	case MEMBER_TIME:
		return animj_time(reader, token, key, error);
	case MEMBER_INTERPOLATION:
		return interpolation(reader, token, key, error);
	case MEMBER_LEFT:
		key->given |= ANIMJ_HAS_LEFT;
		return animj_value(reader, token, key, ANIMJ_LEFT, error);
	case MEMBER_RIGHT:
		key->given |= ANIMJ_HAS_RIGHT;
		return animj_value(reader, token, key, ANIMJ_RIGHT, error);
	default:
		return animj_value(reader, token, key, ANIMJ_VALUE, error);
	}
}

/* A string that was read for the same key before: the last one counts. */
static void forget_string(struct animj_columns *columns)
{
	uint64_t start;

	if (columns->strings.start.size <= columns->n * sizeof start)
		return;
	columns->strings.start.size -= sizeof start;
	columns->strings.length.size -= sizeof(uint32_t);
	memcpy(&start, columns->strings.start.data + columns->strings.start.size, sizeof start);
	columns->strings.bytes.size = start;
}

static int warn_of_twice(struct animj_reader *reader, size_t token, enum member member, struct anim_error *error)
{
	struct anim_place place = animj_json_place(reader, animj_token_text(&reader->json, token));

	if (member == MEMBER_VALUE)
		forget_string(&reader->columns);
	return animj_warn(reader, &place, "members stand twice; the last of each counts", error,
			  "stands twice; the last one counts");
}

/* A key without value: Resonite takes the type's zero, null for strings. */
static int default_value(struct animj_reader *reader, size_t token, struct anim_error *error)
{
	static const uint32_t null = ANIM_NULL_STRING;
	struct animj_strings *strings = &reader->columns.strings;
	struct anim_place place = animj_json_place(reader, animj_token_text(&reader->json, token));
	uint64_t start = strings->bytes.size;

	reader->path.member = NULL;
	if (animj_warn(reader, &place, "keys without a value; zeros are read", error,
		       "a key without a value; zeros are read") != 0)
		return -1;
	if (reader->head.type != ANIM_STRING)
		return 0;
	if (anim_buffer_append(&strings->length, &null, sizeof null, error) != 0)
		return -1;
	return anim_buffer_append(&strings->start, &start, sizeof start, error);
}

/* The members of a Discrete or Curve key. */
static int read_members(struct animj_reader *reader, size_t token, struct animj_key *key, struct anim_error *error)
{
	const struct animj_json *json = &reader->json;
	size_t end = animj_behind(json, token);
	unsigned seen = 0;

	for (size_t name = token + 1; name < end; name = animj_behind(json, name + 1)) {
		int member = find_member(json, name, reader->head.kind == ANIM_CURVE);

		if (member < 0)
			continue;
		reader->path.member = members[member];
		if ((seen & 1u << member) && warn_of_twice(reader, name, (enum member)member, error) != 0)
			return -1;
		seen |= 1u << member;
		if (read_member(reader, name + 1, (enum member)member, key, error) != 0)
			return -1;
	}
	if (!(seen & 1u << MEMBER_VALUE) && default_value(reader, token, error) != 0)
		return -1;
	reader->path.member = NULL;
	return 0;
}

static int read_key(struct animj_reader *reader, size_t token, struct animj_key *key, struct anim_error *error)
{
	const struct animj_json *json = &reader->json;
	struct anim_place place;

	*key = (struct animj_key){0};
	if (reader->head.kind == ANIM_RAW)
		return animj_value(reader, token, key, ANIMJ_VALUE, error);
	if (animj_token(json, token)->type == JSMN_OBJECT)
		return read_members(reader, token, key, error);
	place = animj_json_place(reader, animj_token_text(json, token));
	return animj_refuse(reader, &place, error, "a key is an object with time and value, found %s",
			    animj_token_name(json, token));
}

/* A key whose numbers are all known to belong to it can be a template. */
static void learn(struct animj_reader *reader, size_t token, const struct animj_key *key)
{
	const struct animj_json *json = &reader->json;
	size_t numbers = 0, end = animj_behind(json, token);
	const jsmntok_t *whole = animj_token(json, token);
	struct animj_key moved = *key;

	if (!anim_type_is_real((enum anim_type)reader->head.type) || key->slot_count > ANIMJ_SLOTS_MAX)
		return;
	for (size_t i = token; i < end; i++)
		numbers += animj_is_number(json, i);
	if (numbers != key->slot_count)
		return;
	for (size_t i = 0; i < key->slot_count; i++) {
		moved.slots[i].start -= (uint32_t)whole->start;
		moved.slots[i].end -= (uint32_t)whole->start;
	}
	animj_learn(&reader->templates, (enum anim_type)reader->head.type, json->text.data + whole->start,
		    (size_t)(whole->end - whole->start), &moved);
}

static int warn_of_capitals(struct animj_reader *reader, struct anim_error *error)
{
	if (reader->json.capitals == 0)
		return 0;
	return animj_warn(reader, &reader->json.begin,
			  "times True or False, which is not JSON and Resonite refuses; write true and false", error,
			  "True or False, which is not JSON and Resonite refuses; write true and false");
}

/* Whole keys into json.text: at least one, then up to the batch's size. The cursor is behind the last. */
static int take_batch(struct animj_reader *reader, struct anim_error *error)
{
	struct animj_json *json = &reader->json;
	struct animj_text *text = reader->text;
	size_t whole = 0;
	int byte = ',';

	json->text.size = json->capitals = 0;
	json->begin = animj_here(reader);
	for (uint32_t keys = 0; byte == ',' && keys < reader->templates.batch && json->text.size < BATCH_BYTES; keys++) {
		const uint8_t *from;
		int cut;

		if (keys > 0) { /* ',' and the blanks around it lie in one window: animj_more was asked for it */
			(void)from;
		}
		cut = animj_take_text(text, &json->text, &json->capitals, error);
		if (cut < 0)
			return -1;
		if (cut > 0)
			return animj_unexpected_here(reader, "the end of a key", error);
		whole = json->text.size;
		byte = animj_byte(text, error);
	}
	json->text.size = whole;
	return 0;
}
