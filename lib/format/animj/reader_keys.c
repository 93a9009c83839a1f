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
	bool string = animj_token(json, token).type == ANIMJ_STRING;
	struct anim_place place;

	for (uint8_t i = 0; i < sizeof names / sizeof *names; i++)
		if ((string && size == strlen(names[i]) && strncasecmp(text, names[i], size) == 0) ||
		    (animj_token(json, token).type != ANIMJ_OBJECT && size == 1 && *text == '0' + i)) {
			key->interp = i;
			if (reader->head.type != ANIM_STRING || i <= ANIM_LINEAR)
				return 0;
		}
	place = animj_json_place(reader, animj_token_text(json, token));
	if (reader->head.type == ANIM_STRING)
		return animj_refuse(reader, &place, error, "strings have the interpolations Hold and Linear");
	return animj_refuse(reader, &place, error,
			    "not an interpolation; there are Hold, Linear, Tangent and CubicBezier");
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

static int warn_of_twice(struct animj_reader *reader, size_t token, enum member member, struct animj_key *key,
			 struct anim_error *error)
{
	struct anim_place place = animj_json_place(reader, animj_token_text(&reader->json, token));

	key->odd = true;
	if (member == MEMBER_VALUE)
		forget_string(&reader->columns);
	return animj_warn(reader, &place, "members stand twice; the last of each counts", error,
			  "stands twice; the last one counts");
}

static int null_string(struct animj_strings *strings, struct anim_error *error)
{
	static const uint32_t null = ANIM_NULL_STRING;
	uint64_t start = strings->bytes.size;

	if (anim_buffer_append(&strings->length, &null, sizeof null, error) != 0)
		return -1;
	return anim_buffer_append(&strings->start, &start, sizeof start, error);
}

/* A key without members that it should have: Resonite takes the type's zero, null for strings; 0; Hold. */
static int default_members(struct animj_reader *reader, size_t token, unsigned seen, struct animj_key *key,
			   struct anim_error *error)
{
	static const char *const one[] = {"a key without a time; 0 is read", "a key without a value; zeros are read",
					  "a key without an interpolation; Hold is read"};
	static const char *const many[] = {"keys without a time; 0 is read", "keys without a value; zeros are read",
					   "keys without an interpolation; Hold is read"};
	int wanted = reader->head.kind == ANIM_CURVE ? MEMBER_LEFT : MEMBER_INTERPOLATION;
	struct anim_place place;

	reader->path.member = NULL;
	for (int i = 0; i < wanted; i++) {
		if (seen & 1u << i)
			continue;
		place = animj_json_place(reader, animj_token_text(&reader->json, token));
		key->odd = true;
		if (animj_warn(reader, &place, many[i], error, "%s", one[i]) != 0)
			return -1;
	}
	if ((seen & 1u << MEMBER_VALUE) || reader->head.type != ANIM_STRING)
		return 0;
	return null_string(&reader->columns.strings, error);
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
		if ((seen & 1u << member) && warn_of_twice(reader, name, (enum member)member, key, error) != 0)
			return -1;
		seen |= 1u << member;
		if (read_member(reader, name + 1, (enum member)member, key, error) != 0)
			return -1;
	}
	return default_members(reader, token, seen, key, error);
}

static int read_key(struct animj_reader *reader, size_t token, struct animj_key *key, struct anim_error *error)
{
	const struct animj_json *json = &reader->json;
	struct anim_place place;

	*key = (struct animj_key){0};
	if (reader->head.kind == ANIM_RAW)
		return animj_value(reader, token, key, ANIMJ_VALUE, error);
	if (animj_token(json, token).type == ANIMJ_OBJECT)
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
	struct animj_token whole = animj_token(json, token);
	struct animj_key moved = *key;

	if (!anim_type_is_real((enum anim_type)reader->head.type) || key->odd || key->slot_count > ANIMJ_SLOTS_MAX)
		return;
	for (size_t i = token; i < end; i++)
		numbers += animj_is_number(json, i);
	if (numbers != key->slot_count)
		return;
	for (size_t i = 0; i < key->slot_count; i++) {
		moved.slots[i].start -= whole.start;
		moved.slots[i].end -= whole.start;
	}
	animj_learn(&reader->templates, (enum anim_type)reader->head.type, json->text.data + whole.start,
		    (size_t)(whole.end - whole.start), &moved);
}

static int warn_of_capitals(struct animj_reader *reader, struct anim_error *error)
{
	for (size_t i = 0; i < reader->json.capitals; i++)
		if (animj_warn(reader, &reader->json.begin,
			       "times True or False, which is not JSON and Resonite refuses; write true and false",
			       error,
			       "True or False, which is not JSON and Resonite refuses; write true and false") != 0)
			return -1;
	return 0;
}

/* Blanks at the cursor into json.text; then as animj_byte. */
static int take_blanks(struct animj_reader *reader, struct anim_error *error)
{
	struct animj_text *text = reader->text;
	int byte;

	while ((byte = animj_byte(text, error)) == ' ' || byte == '\n' || byte == '\r' || byte == '\t') {
		if (anim_buffer_append(&reader->json.text, text->at, 1, error) != 0)
			return ANIMJ_ERROR;
		text->at++;
	}
	return byte;
}

static int take_key(struct animj_reader *reader, struct anim_error *error)
{
	struct animj_json *json = &reader->json;
	size_t before = json->text.size;
	struct anim_place place = animj_here(reader);
	int cut = animj_take_text(reader->text, &json->text, ANIMJ_DEPTH_OF_KEYS, &json->capitals, error);

	if (cut == 0 && json->text.size == before)
		return animj_unexpected_here(reader, "a key", error);
	if (cut == ANIMJ_DEEP)
		return animj_explain(reader, json->text.data + before, json->text.size - before, &place,
				     ANIMJ_DEPTH_OF_KEYS, error);
	if (cut < 0 && error->code == ANIM_TOO_LARGE)
		return animj_refuse(reader, &place, error, "%s", error->message);
	return cut == ANIMJ_CUT ? animj_unexpected_here(reader, "the end of a key", error) : cut;
}

/* ',' with the blanks around it into json.text: 1 with the cursor on the next key, 0 where none follows, -1. */
static int take_comma(struct animj_reader *reader, struct anim_error *error)
{
	int byte = take_blanks(reader, error);

	if (byte != ',')
		return byte == ANIMJ_ERROR ? -1 : 0;
	if (anim_buffer_append(&reader->json.text, ",", 1, error) != 0)
		return -1;
	reader->text->at++;
	byte = take_blanks(reader, error);
	if (byte == ']' || byte == ANIMJ_END)
		return animj_unexpected_here(reader, "a key behind the comma", error);
	return byte == ANIMJ_ERROR ? -1 : 1;
}

/*
 * Whole keys into json.text, up to the batch's size. The cursor is behind the last. 0, or -1 for what comes behind those
 * keys; the path is on it then.
 */
static int take_batch(struct animj_reader *reader, struct anim_error *error)
{
	struct animj_json *json = &reader->json;
	size_t whole = 0;
	uint32_t keys = 0;
	int more;

	animj_json_begin(reader);
	do {
		more = take_key(reader, error);
		if (more != 0)
			break;
		whole = json->text.size;
		reader->path.key++;
		if (++keys == reader->templates.batch || whole >= BATCH_BYTES)
			break;
		more = take_comma(reader, error);
	} while (more == 1);
	json->text.size = whole;
	return more < 0 ? -1 : 0;
}

static int read_taken(struct animj_reader *reader, struct anim_error *error)
{
	struct animj_json *json = &reader->json;
	struct animj_key key;

	reader->path.key = (int64_t)reader->columns.n;
	if (animj_tokenise(reader, error) != 0 || warn_of_capitals(reader, error) != 0)
		return -1;
	for (size_t token = 0, behind; token < json->count; token = behind) {
		behind = animj_behind(json, token);
		if (read_key(reader, token, &key, error) != 0 ||
		    animj_add_key(&reader->columns, &reader->head, &key, error) != 0)
			return -1;
		reader->path.key++;
		if (behind == json->count)
			learn(reader, token, &key);
	}
	return 0;
}

/* What is wrong behind the keys that were taken is told only when nothing is wrong with them. */
static int read_batch(struct animj_reader *reader, struct anim_error *error)
{
	struct anim_error behind = {0};
	int taken = take_batch(reader, &behind);

	if (reader->json.text.size > 0 && read_taken(reader, error) != 0)
		return -1;
	if (taken != 0)
		*error = behind;
	return taken;
}

/* Keys up to where they must be followed by ',' or ']'. */
static int read_some(struct animj_reader *reader, struct anim_error *error)
{
	struct animj_templates *templates = &reader->templates;
	bool behind = false;
	ptrdiff_t fast = animj_fast_keys(reader, &behind, error);

	if (fast < 0)
		return -1;
	reader->path.key = (int64_t)reader->columns.n;
	if (behind)
		return 0;
	if (fast >= FAST_ENOUGH)
		templates->batch = 1;
	else if (fast == 0 && templates->batch < BATCH_KEYS && reader->columns.n > 0)
		templates->batch *= 2;
	/* A separator that began as the usual one may have gone on with more blanks. */
	if (animj_blank(reader->text, error) == ANIMJ_ERROR)
		return -1;
	return read_batch(reader, error);
}

/* What stands between two keys: 1 with the cursor on the next, 0 behind ']', -1. */
static int read_separator(struct animj_reader *reader, struct anim_error *error)
{
	struct anim_buffer *text = &reader->json.text;
	int more;

	text->size = 0;
	more = take_comma(reader, error);
	if (more == 1)
		animj_learn_separator(&reader->templates, text->data, text->size);
	if (more != 0)
		return more;
	if (animj_byte(reader->text, error) != ']')
		return animj_unexpected_here(reader, "',' or ']'", error);
	reader->text->at++;
	return 0;
}

int animj_read_keyframes(struct animj_reader *reader, struct anim_error *error)
{
	int more = animj_take_null(reader, error);

	animj_columns_reset(&reader->columns);
	reader->templates.count = reader->templates.current = reader->templates.oldest = 0;
	reader->templates.batch = 1;
	if (more != 0)
		return more < 0 ? -1 : 0;
	if (animj_expect(reader, '[', "an array of keys", error) != 0)
		return -1;
	reader->path.member = NULL;
	reader->path.key = 0;
	more = animj_blank(reader->text, error);
	if (more == ']') {
		reader->text->at++;
		reader->path.key = -1;
		return 0;
	}
	do {
		if (read_some(reader, error) != 0)
			return -1;
		more = read_separator(reader, error);
	} while (more == 1);
	reader->path.key = -1;
	return more;
}
